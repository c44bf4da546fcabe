"""E-mail: what comes in, who must not be answered, and replies by SMTP."""

from __future__ import annotations

import asyncio
import hashlib
import re
import smtplib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, getaddresses
from typing import TYPE_CHECKING

from relembra.errors import DeliveryError, InvalidInputError, SettingsError
from relembra.transfer.documents.mail import LONGEST_HEADER, body, header, moment, opened

if TYPE_CHECKING:
    from relembra.settings import Settings

APP = "email"
LONGEST = 200_000
ANSWER_SECONDS = 30.0
MOST_REFERENCES = 20
LONGEST_ADDRESS = 180
LONGEST_TEXT = 100_000  # of what somebody wrote; what stands behind is quoted, or no message

NO_PERSON = re.compile(r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply|nao-?responda|bounces?)([+@.-].*)?@.*|<>")
LISTS = ("list-id", "list-unsubscribe", "list-post", "feedback-id", "x-autoreply", "x-autorespond", "x-loop")
"""Headers that only lists and programs set."""

_ADDRESS = re.compile(r"[^\s@<>,;:\"\\]+@[^\s@<>,;:\"\\]+")
_ID = re.compile(r"<[^<>\s]+>")


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
        message = opened(content)
        text = body(message)
    except RecursionError:
        raise InvalidInputError("the e-mail has parts in parts without end", field="body") from None
    headers = {key.lower(): str(value) for key, value in message.items()}
    sender, name = address_of(header(message, "from"))
    digest = hashlib.blake2b(content, digest_size=20).hexdigest()
    return Mail(
        sender=sender,
        name=name,
        subject=header(message, "subject"),
        text=text,
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
