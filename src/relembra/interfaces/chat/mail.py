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
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, getaddresses
from functools import cache
from html import unescape
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from relembra.domain.text import fold
from relembra.errors import DeliveryError, InvalidInputError, SettingsError
from relembra.transfer.documents.mail import LONGEST_HEADER, header, moment, opened

if TYPE_CHECKING:
    from relembra.settings import Settings

APP = "email"
LONGEST = 200_000
ANSWER_SECONDS = 30.0
MOST_REFERENCES = 20
MOST_ATTRIBUTION_LINES = 3
LONGEST_ADDRESS = 180
LONGEST_TEXT = 100_000
LONGEST_PAGE = 4 * LONGEST_TEXT
"""Of an e-mail; what stands behind is quoted, or no message."""

NO_PERSON = re.compile(r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply|nao-?responda|bounces?)([+@.-].*)?@.*|<>")
LISTS = ("list-id", "list-unsubscribe", "list-post", "feedback-id", "x-autoreply", "x-autorespond", "x-loop")
"""Headers that only lists and programs set."""

_ADDRESS = re.compile(r"[^\s@<>,;:\"\\]+@[^\s@<>,;:\"\\]+")
_ID = re.compile(r"<[^<>\s]+>")
_SIGNATURE = re.compile(r"^-- ?$")
_HEADER = re.compile(r"^\*?(\w[\w ]{1,18}):\*? \S")
_BRACKETED = re.compile(r"<[^<>\s]+@[^<>\s]+>")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,9})\b([^<>]{0,4000})>")
_DATED = re.compile(r"\d{1,2}:\d{2}|\b(19|20)\d{2}\b")


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
    try:
        found = getaddresses([written[:LONGEST_HEADER]])
    except (ValueError, IndexError, RecursionError):
        found = []
    name, address = found[0] if found else ("", "")
    if not _ADDRESS.fullmatch(address) or len(address) > LONGEST_ADDRESS:
        raise InvalidInputError("from holds no e-mail address", field="from")
    return address.lower(), " ".join(name.split()) or None


def parsed(content: bytes) -> Mail:
    """An e-mail as it is sent, RFC 822."""
    try:
        message, said, page = opened(content)
    except RecursionError:
        raise InvalidInputError("the e-mail has parts in parts without end", field="body") from None
    headers = {key.lower(): str(value) for key, value in message.items()}
    sender, name = address_of(header(message, "from"))
    digest = hashlib.blake2b(content, digest_size=20).hexdigest()
    return Mail(
        sender=sender,
        name=name,
        subject=header(message, "subject"),
        text=said if said is not None else plain(page or ""),
        message_id=headers.get("message-id", "").strip()[:LONGEST_HEADER] or digest,
        references=thread(headers.get("references", "") or headers.get("in-reply-to", "")),
        headers=headers,
        at=moment(message),
    )


def thread(written: str) -> str:
    """The last ids of a thread."""
    return " ".join(_ID.findall(written[-MOST_REFERENCES * LONGEST_HEADER :])[-MOST_REFERENCES:])


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
    lines = text[:LONGEST_TEXT].replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ").split("\n")
    for place, line in enumerate(lines):
        if line.lstrip().startswith(">"):
            if place and not lines[place - 1].lstrip().startswith(">"):
                _drop_attribution(kept)
            continue
        if _SIGNATURE.match(line) or _begins_another(lines[place : place + 8]) or _announces(lines[place : place + 2]):
            break
        kept.append(line.rstrip())
    while kept and (not kept[-1] or fold(kept[-1]).startswith(_words()["sent_from"])):
        kept.pop()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _drop_attribution(kept: list[str]) -> None:
    """Take away a line like "On Monday, Ana <ana@example.org> wrote:" before what it announces, wrapped or not."""
    while kept and not kept[-1]:
        kept.pop()
    last = list(takewhile(bool, reversed(kept[-MOST_ATTRIBUTION_LINES:])))[::-1]  # of the paragraph at the end
    if not last or not last[-1].endswith(":") or sum(map(len, last)) > LONGEST_HEADER:
        return
    tails = (count for count in range(1, len(last) + 1) if _DATED.search(" ".join(last[-count:])))
    if count := next(tails, 1 if _ADDRESS.search(last[-1]) else 0):
        del kept[-count:]


def _announces(lines: list[str]) -> bool:
    """Whether a line, or two where it is wrapped, says when who wrote what follows, though that is not marked."""
    for said in (lines[0].strip(), " ".join(lines).strip()):
        if said.endswith(":") and len(said) <= LONGEST_HEADER and _BRACKETED.search(said) and _DATED.search(said):
            return True
    return False


def _begins_another(lines: list[str]) -> bool:
    """Whether another e-mail begins here, by a line that says so or by its headers, under a rule or not."""
    first = fold(lines[0].strip(" -_*\t"))
    if lines[0].strip().startswith("--") and first in _words()["below"]:
        return True
    under_a_rule = [line for line in lines[1:4] if line.strip()] if lines[0].startswith("____") else []
    head = [_HEADER.match(line.strip()) for line in ([*under_a_rule, *lines[4:]] if under_a_rule else lines)[:4]]
    names = [fold(found[1]) for found in takewhile(bool, head) if found]
    words = _words()
    return bool(names) and names[0] in words["from"] and sum(name in words["headers"] for name in names) >= 3


@cache
def _words() -> dict[str, tuple[str, ...]]:
    rows = tomllib.loads(Path(__file__).with_name("mail.toml").read_text("utf-8"))
    return {name: tuple(map(fold, words)) for name, words in rows.items()}


SILENT = ("script", "style", "head", "title", "blockquote")
LINES = ("br", "p", "div", "li", "tr", "h1", "h2", "h3")


def plain(page: str) -> str:
    """What an HTML e-mail says, without what it quotes; the library's parser takes minutes for a page made so."""
    first, *others = page[:LONGEST_PAGE].replace("\x00", "").split("<!--")
    rest = first + "".join(part.partition("-->")[2] for part in others)
    words: list[str] = []
    depth = place = 0  # how many elements are open whose words are left out
    for found in _TAG.finditer(rest):
        if not depth:
            words.append(rest[place : found.start()])
        place = found.end()
        ends, name = found[1] == "/", found[2].lower()
        quotes = name in SILENT or (name == "div" and (depth > 0 or "gmail_quote" in found[3]))
        if quotes and not ends:
            depth += 1
        elif quotes and depth:
            depth -= 1
        if name in LINES and not depth and (not ends or name in ("p", "div", "tr")):
            words.append("\x00")
    if not depth:
        words.append(rest[place:])
    said = re.sub(r"\s+", " ", unescape("".join(words)))
    return re.sub(r" *\x00 *", "\n", said).strip()


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
