"""E-mails, one or a box of them (RFC 5322, mbox). An attachment is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import islice

from relembra.domain.text import visible_line
from relembra.domain.time import check_time
from relembra.transfer.documents import MOST_PASSAGES, Block, content
from relembra.transfer.documents.text import blocks_of_html
from relembra.transfer.slices import refuse
from relembra.transfer.sources import File

MAIL, BOX = "eml", "mbox"
MOST_PARTS = 200
LONGEST_HEADER = 1_000
_BETWEEN = re.compile(rb"(?:\A|\r?\n\r?\n)From [^\r\n]{1,500}\d{4}[^\r\n]{0,50}\r?\n(?=[!-9;-~]+:)")


def read_mail(file: File) -> Iterator[Block]:
    return _mail(content(file), alone=True)


def read_box(file: File) -> Iterator[Block]:
    mails = _BETWEEN.split(content(file))[1:]
    if len(mails) > MOST_PASSAGES:
        refuse(f"it holds more than {MOST_PASSAGES:,} e-mails; divide it", "swollen")
    for mail in mails:
        yield from _mail(mail, alone=False)


def _mail(text: bytes, *, alone: bool) -> Iterator[Block]:
    """Who wrote it, to whom and what."""
    check_time()
    mail, plain, page = opened(text)
    at, subject = moment(mail), header(mail, "subject")
    head = f"{header(mail, 'from')} → {header(mail, 'to')}"
    of = {"title": subject if alone else "", "heading": head if alone else f"{subject} · {head}", "at": at}
    if plain is not None:
        said = re.split(r"\n\s*\n", plain.replace("\r\n", "\n"))
    else:
        said = [] if page is None else [block.text for block in blocks_of_html(page)]
    for paragraph in said or [subject]:
        yield Block(text=paragraph, title=str(of["title"]), heading=str(of["heading"]), at=at)


def opened(text: bytes) -> tuple[Message, str | None, str | None]:
    """An e-mail with its plain text and its page, attachments aside; a `RecursionError` where parts have no end.

    Read by the older of the library's policies: the newer takes seconds for a header made to be slow.
    """
    mail = message_from_bytes(text, policy=policy.compat32)
    parts = [part for part in islice(mail.walk(), MOST_PARTS) if not part.is_multipart()]
    parts = [part for part in parts if part.get_content_disposition() != "attachment"]
    kinds = ("text/plain", "text/html")
    plain, page = (next((part for part in parts if part.get_content_type() == kind), None) for kind in kinds)
    return mail, None if plain is None else _words(plain), None if page is None else _words(page)


def header(mail: Message, name: str) -> str:
    """A header's words on one line, as far as they can be read."""
    written = str(mail.get(name, ""))[:LONGEST_HEADER]
    try:
        return visible_line(str(make_header(decode_header(written))))
    except (LookupError, ValueError):
        return visible_line(written)


def moment(mail: Message) -> datetime | None:
    try:
        at = parsedate_to_datetime(str(mail.get("date", ""))[:LONGEST_HEADER])
    except (LookupError, ValueError, TypeError, OverflowError):
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def _words(part: Message) -> str:
    """The text of a part, in whatever charset it says it has."""
    found = part.get_payload(decode=True)
    text = found if isinstance(found, bytes) else b""
    try:
        return text.decode(part.get_content_charset() or "utf-8", "replace")
    except LookupError:
        return text.decode("latin-1")
