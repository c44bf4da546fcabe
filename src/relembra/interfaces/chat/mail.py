"""E-mail: what somebody wrote without what they quoted, who must not be answered, and replies by SMTP."""

from __future__ import annotations

import asyncio
import hashlib
import re
import smtplib
import ssl
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, getaddresses, parsedate_to_datetime
from functools import cache
from html.parser import HTMLParser
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from relembra.domain.text import fold
from relembra.errors import DeliveryError, InvalidInputError, SettingsError

if TYPE_CHECKING:
    from relembra.settings import Settings

APP = "email"
LONGEST = 200_000
ANSWER_SECONDS = 30.0
MOST_REFERENCES = 20
MOST_ATTRIBUTION_LINES = 3
LONGEST_ADDRESS = 180

NO_PERSON = re.compile(r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply|nao-?responda|bounces?)([+@.-].*)?@.*|<>")
LISTS = ("list-id", "list-unsubscribe", "list-post", "feedback-id", "x-autoreply", "x-autorespond", "x-loop")
"""Headers that only lists and programs set."""

_ADDRESS = re.compile(r"[^\s@<>,;:\"\\]+@[^\s@<>,;:\"\\]+")
_ID = re.compile(r"<[^<>\s]+>")
_SIGNATURE = re.compile(r"^-- ?$")
_FORWARDED = re.compile(r"^\s*(-{3,}|_{10,})[^-_]*\1?\s*$")
_HEADER = re.compile(r"^\*?\w[\w \-]{1,18}:\*? \S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """One e-mail that came in."""

    sender: str
    name: str | None = None
    subject: str = ""
    text: str
    message_id: str
    references: str = ""  # the ids of the thread so far
    headers: Mapping[str, str] = field(default_factory=dict)  # by their names in small letters
    at: datetime | None = None

    @property
    def metadata(self) -> dict[str, str]:
        """What a reply goes by."""
        about = {"subject": self.subject, "message_id": self.message_id, "references": self.references}
        return {name: value for name, value in about.items() if value}


def address_of(written: str) -> tuple[str, str | None]:
    """The address in a From header, in small letters, and the name before it; `InvalidInputError` without one."""
    found = getaddresses([written])
    name, address = found[0] if found else ("", "")
    if not _ADDRESS.fullmatch(address) or len(address) > LONGEST_ADDRESS:
        raise InvalidInputError("from holds no e-mail address", field="from")
    return address.lower(), " ".join(name.split()) or None


def parsed(content: bytes) -> Mail:
    """An e-mail as it is sent, RFC 822."""
    message = message_from_bytes(content, policy=policy.default)
    try:
        sender, name = address_of(str(message.get("from", "")))
        body = message.get_body(("plain", "html"))
        written = str(body.get_content()) if body is not None else ""
        if body is not None and body.get_content_subtype() == "html":
            written = plain(written)
        headers = {key.lower(): str(value) for key, value in message.items()}
    except InvalidInputError:
        raise
    except (LookupError, ValueError, TypeError, AttributeError):  # of a charset or a header that is none
        raise InvalidInputError("the body is no e-mail (RFC 822) that can be read", field="body") from None
    at = None
    try:
        at = parsedate_to_datetime(headers["date"])
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    except (LookupError, ValueError, TypeError, OverflowError):
        pass
    digest = hashlib.blake2b(content, digest_size=20).hexdigest()
    return Mail(
        sender=sender,
        name=name,
        subject=" ".join(headers.get("subject", "").split()),
        text=written,
        message_id=headers.get("message-id", "").strip() or digest,
        references=" ".join(_ID.findall(headers.get("references", "") or headers.get("in-reply-to", ""))),
        headers=headers,
        at=at,
    )


def must_not_be_answered(mail: Mail, own: str) -> bool:
    """Whether no person wrote it, or we did ourselves: answering could go on for ever (RFC 3834)."""
    held = mail.headers
    return (
        mail.sender == own
        or NO_PERSON.fullmatch(mail.sender) is not None
        or held.get("return-path", "").strip() == "<>"
        or held.get("auto-submitted", "no").partition(";")[0].strip().lower() != "no"
        or held.get("precedence", "").strip().lower() in ("bulk", "list", "junk", "auto_reply")
        or "all" in held.get("x-auto-response-suppress", "").lower()
        or any(name in held for name in LISTS)
    )


# ── what was written ──────────────────────────────────────────────────────────────────────────────────────────────


def written(text: str) -> str:
    """What somebody wrote themselves: without quoted lines and what announces them, a signature, or an e-mail below."""
    kept: list[str] = []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ").split("\n")
    for place, line in enumerate(lines):
        if line.lstrip().startswith(">"):
            if place and not lines[place - 1].lstrip().startswith(">"):
                _drop_attribution(kept)
            continue
        if _SIGNATURE.match(line) or _FORWARDED.match(line) or _begins_headers(lines[place : place + 4]):
            _drop_attribution(kept)
            break
        if fold(line.strip()).startswith(_sent_from()):
            break
        kept.append(line.rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _drop_attribution(kept: list[str]) -> None:
    """Take away a line like "On Monday, Ana <ana@example.org> wrote:" before what it announces, wrapped or not."""
    while kept and not kept[-1]:
        kept.pop()
    last = list(takewhile(bool, reversed(kept)))[::-1]  # the paragraph at the end
    announces = last if len(last) <= MOST_ATTRIBUTION_LINES else last[-1:]
    said = " ".join(announces)
    dated = _ADDRESS.search(said) or re.search(r"\d{1,2}:\d{2}|\b(19|20)\d{2}\b", said)
    if said.endswith(":") and dated:
        del kept[-len(announces) :]


def _begins_headers(lines: list[str]) -> bool:
    """Whether an e-mail below begins here: three headers in a row, one with an address."""
    head = [line for line in lines[:4] if _HEADER.match(line.strip())]
    return len(lines) > 2 and lines[0] in head and len(head) >= 3 and any(_ADDRESS.search(line) for line in head)


@cache
def _sent_from() -> tuple[str, ...]:
    rows = tomllib.loads(Path(__file__).with_name("mail.toml").read_text("utf-8"))
    return tuple(map(fold, rows["sent_from"]))


class _Plain(HTMLParser):
    """The words of a page, without what it quotes."""

    SILENT = ("script", "style", "head", "title", "blockquote")
    LINES = ("br", "p", "div", "li", "tr", "h1", "h2", "h3")

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        quotes = tag == "div" and any(name == "class" and "gmail_quote" in (value or "") for name, value in attrs)
        if tag in self.SILENT or quotes or (self._silent and tag == "div"):
            self._silent += 1
        if tag in self.LINES:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag in (*self.SILENT, "div"):
            self._silent -= 1
        if tag in ("p", "div", "tr"):
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(re.sub(r"\s+", " ", data))


def plain(page: str) -> str:
    """What an HTML e-mail says."""
    reader = _Plain()
    reader.feed(page)
    reader.close()
    return re.sub(r" *\n *", "\n", "".join(reader.words)).strip()


# ── replies ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Smtp:
    """Sends replies by one server."""

    name = APP
    longest = LONGEST

    def __init__(self, settings: Settings) -> None:
        try:
            self.own, shown = address_of(settings.smtp_from)
        except InvalidInputError:
            raise SettingsError(
                "smtp_from holds no e-mail address; write one, like 'Relembra <memory@example.org>'"
            ) from None
        self._from = f"{shown} <{self.own}>" if shown else self.own
        self._settings = settings

    async def send(self, to: str, text: str, about: Mapping[str, str]) -> None:
        await asyncio.to_thread(self._send, to, self.message(to, text, about))

    async def close(self) -> None:
        """There are none between two replies."""

    def message(self, to: str, text: str, about: Mapping[str, str]) -> EmailMessage:
        """A reply; sent twice it has the same id, by which mail programs know it again."""
        replied = about.get("message_id", "")
        subject = " ".join(about.get("subject", "").split())
        message = EmailMessage(policy=policy.SMTP)
        message["From"] = self._from
        message["To"] = to
        message["Subject"] = subject if re.match(r"(?i)re\s*:", subject) else f"Re: {subject}".strip()
        message["Date"] = format_datetime(datetime.now(UTC))
        digest = hashlib.blake2b(f"{replied}\0{to}".encode(), digest_size=16).hexdigest()
        message["Message-ID"] = f"<{digest}@{self.own.partition('@')[2]}>"
        if _ID.fullmatch(replied):
            message["In-Reply-To"] = replied
            message["References"] = " ".join([*_ID.findall(about.get("references", ""))[-MOST_REFERENCES:], replied])
        message["Auto-Submitted"] = "auto-replied"
        message.set_content(text)
        return message

    def _send(self, to: str, message: EmailMessage) -> None:
        chosen = self._settings
        host, port = chosen.smtp_host, chosen.smtp_port
        try:
            if chosen.smtp_tls == "tls":
                context = ssl.create_default_context()
                server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=ANSWER_SECONDS, context=context)
            else:
                server = smtplib.SMTP(host, port, timeout=ANSWER_SECONDS)
            with server:
                if chosen.smtp_tls == "starttls":
                    server.starttls(context=ssl.create_default_context())
                if chosen.smtp_user:
                    server.login(chosen.smtp_user, chosen.smtp_password)
                server.send_message(message, self.own, [to])
        except smtplib.SMTPRecipientsRefused as exc:
            code = next(iter(exc.recipients.values()), (550, b""))[0]
            raise _refusal("did not take the recipient", code) from None
        except smtplib.SMTPAuthenticationError as exc:
            raise DeliveryError(f"the mail server did not take smtp_user and smtp_password ({exc.smtp_code})") from None
        except smtplib.SMTPResponseException as exc:
            raise _refusal("did not take the e-mail", exc.smtp_code) from None
        except smtplib.SMTPNotSupportedError:
            raise DeliveryError(
                "the mail server offers no STARTTLS or no sign-in: check smtp_tls and smtp_user"
            ) from None
        except (smtplib.SMTPException, OSError) as exc:  # TLS errors among them
            raise DeliveryError(f"the mail server could not be used ({type(exc).__name__})") from None


def _refusal(what: str, code: int) -> DeliveryError:
    """A code that begins with 5 is for good (RFC 5321)."""
    return DeliveryError(f"the mail server {what} ({code})", final=code >= 500)
