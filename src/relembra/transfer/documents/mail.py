"""E-mails, one or a box of them (RFC 5322, mbox), and what somebody wrote in one without what they quoted.

A box is read line by line, an e-mail at a time, and what is attached is passed over as it comes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from functools import cache, partial
from hashlib import blake2b
from html import unescape
from itertools import islice, takewhile
from pathlib import Path
from typing import IO

from relembra.domain.text import fold, is_blank, visible_line
from relembra.errors import InvalidInputError
from relembra.transfer.chats import Context, Found, Left, Passage, Sample, Why
from relembra.transfer.documents import Block, begins, ends, person, text_of, within_limits
from relembra.transfer.sources import File

MOST_HELD = 8 * 1024**2  # bytes of one e-mail, what is attached aside
MOST_LINES = 100_000
MOST_PARTS = 200
MOST_NAMED = 3  # receivers
LONGEST_HEADER = 1_000
LONGEST_LINE = 64 * 1024
LONGEST_PAGE = 4_000_000  # what stands behind is quoted, or no message
MOST_ATTRIBUTION_LINES = 3

_FROM = r"From \S[^\r\n]{0,500}\d{4}[^\r\n]{0,50}\r?\n"
_BEGINS = re.compile(_FROM.encode())
_NAMED = re.compile(rb"[!-9;-~]+:|>From ")
_QUOTED_FROM = re.compile(rb">+From ")
_KIND = re.compile(rb"^content-type:\s*([^\s;]+)", re.IGNORECASE | re.MULTILINE)
_BOUNDARY = re.compile(rb"boundary\s*=\s*(?:\"([^\"\r\n]+)|([^\s;\"]+))", re.IGNORECASE)
_ATTACHED = re.compile(rb"^content-disposition:\s*attachment", re.IGNORECASE | re.MULTILINE)
_CHARSET = re.compile(r"(?:utf|iso|windows|cp|koi8|gb|big5|euc|shift|us-ascii|latin|mac|tis)[\w.:-]*")
_EXPUNGED = re.compile(r"[0-9a-f]{3}[89a-f]", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s@<>,;:\"\\]+@[^\s@<>,;:\"\\]+")
_SIGNATURE = re.compile(r"^-- ?$")
_HEADER = re.compile(r"^\*?(\w[\w ]{1,18}):\*? \S")
_BRACKETED = re.compile(r"<[^<>\s]+@[^<>\s]+>")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,9})\b([^<>]{0,4000})>")
_DATED = re.compile(r"\d{1,2}:\d{2}|\b(19|20)\d{2}\b")
_QUOTES = re.compile(r"^(?:> ?)+", re.MULTILINE)

_is_box, _is_mail = begins(rf"{_FROM}[!-9;-~]+:"), ends(".eml")


def fits(sample: Sample) -> bool:
    return _is_box(sample) or _is_mail(sample)


def read_mail(file: File, _: Context) -> Iterator[Found]:
    """Each e-mail a document of its own, known by its id wherever it is; one that cannot be read is left out."""
    with file.open() as stream:
        for mail in _mails(stream):
            try:
                yield from [Left(Why.LONG)] if mail.is_long else _document(mail)
            except (InvalidInputError, RecursionError):
                yield Left(Why.UNREADABLE)


def _document(raw: _Mail) -> Iterator[Found]:
    mail = opened(b"".join(raw.lines))
    if why := _unwanted(mail):
        yield Left(why)
        return
    id = header(mail, "message-id") or blake2b(b"".join(raw.lines[raw.is_boxed :]), digest_size=16).hexdigest()
    found = within_limits(lambda: _blocks(mail))
    yield from (replace(one, document=id) for one in found if isinstance(one, Passage))
    if not found:
        yield Left(Why.EMPTY)
    elif raw.passed:
        yield Left(Why.ATTACHMENT, raw.passed)


def _unwanted(mail: Message) -> Why | None:
    """Why nobody would look for an e-mail, where the program that had it says so."""
    labels = {fold(one.strip()) for one in header(mail, "x-gmail-labels").split(",")}
    for why in (Why.SPAM, Why.DELETED, Why.DRAFT):
        if not labels.isdisjoint(_words()[why.value]):
            return why
    if header(mail, "x-spam-flag").upper() == "YES":
        return Why.SPAM
    return Why.DELETED if _EXPUNGED.fullmatch(header(mail, "x-mozilla-status")) else None


def _blocks(mail: Message) -> Iterator[Block]:
    """Who wrote it, to whom and what, then the same of the e-mails it passes on."""
    inner = [part.get_payload(0) for part in islice(mail.walk(), MOST_PARTS) if _is_passed_on(part)]
    at, title = moment(mail), header(mail, "subject")
    for one in (mail, *inner):
        assert isinstance(one, Message)
        subject = header(one, "subject")
        head = " → ".join(filter(None, (_people(one, "from"), _people(one, "to"))))
        heading = f"{subject} · {head}" if one is not mail else head if title else ""
        is_forward = fold(subject.partition(":")[0].strip()) in _words()["forwarded"]
        text = body(one, quotes=is_forward)
        said = _QUOTES.sub("", text.replace("\r\n", "\n")) if is_forward else written(text)
        for paragraph in re.split(r"\n\s*\n", subject if is_blank(said) else said):
            yield Block(text=paragraph, title=title or head, heading=heading, at=at)


def _is_passed_on(part: Message) -> bool:
    return part.get_content_type() == "message/rfc822" and part.is_multipart()


def _people(mail: Message, name: str) -> str:
    """Who a header names, by name where one is told."""
    try:
        found = getaddresses([_raw(mail, name)])
    except (ValueError, IndexError, RecursionError):
        return header(mail, name)
    named = [person(_decoded(name)) or address for name, address in found]
    return ", ".join([*named[:MOST_NAMED], *(["…"] if len(named) > MOST_NAMED else [])])


# ── one after another ─────────────────────────────────────────────────────────────────────────────────────────────


class _Mail:
    """One e-mail as it comes, line by line, without what is attached."""

    def __init__(self, begins: bytes = b"") -> None:
        self.lines = [begins] if begins else []
        self.is_boxed = bool(begins)
        self.is_long = False
        self._size = 0
        self.passed = 0  # parts
        self._parts = 0
        self._boundaries: set[bytes] = set()
        self._head: list[bytes] | None = []  # of the part that begins; None: within it
        self._passes = False

    def add(self, line: bytes) -> None:
        if self.is_long:
            return
        if line.startswith(b"--") and not self._boundaries.isdisjoint((line.rstrip(), line.rstrip()[:-2])):
            self._passes = self._parts > MOST_PARTS
            self._head = None if self._passes else []
        if not self._passes:
            self.lines.append(line)
            self._size += len(line)
        if self._size > MOST_HELD or len(self.lines) > MOST_LINES:
            self.is_long = True
            self.lines.clear()
        if self._head is not None and line.strip():
            self._head.append(line)
        elif self._head is not None:
            self._enter(b"".join(self._head))

    def _enter(self, head: bytes) -> None:
        """Go into a part, by its header: into its words, into an e-mail it is, or past it."""
        found, divided = _KIND.search(head), _BOUNDARY.search(head)
        kind = b"text/plain" if found is None else found[1].lower()
        self._parts += 1
        if divided is not None:
            self._boundaries.add(b"--" + (divided[1] or divided[2]))
        is_words = kind in (b"text/plain", b"text/html") and not _ATTACHED.search(head)
        self._passes = not (is_words or kind.startswith((b"multipart/", b"message/rfc822")))
        self.passed += self._passes
        self._head = [] if kind == b"message/rfc822" and self._parts <= MOST_PARTS else None


def _mails(stream: IO[bytes]) -> Iterator[_Mail]:
    """The e-mails of a box, or the one a file is. Each begins behind an empty line, and what follows is a header."""
    mail: _Mail | None = None
    began, is_apart = b"", True
    for line in iter(partial(stream.readline, LONGEST_LINE), b""):
        if began and _NAMED.match(line):
            if mail is not None:
                yield mail
            mail = _Mail(began)
        elif began and mail is not None:
            mail.add(began)
        began = line if is_apart and (mail is None or mail.is_boxed) and _BEGINS.match(line) else b""
        is_apart = not line.strip()
        if mail is None and not began and not is_apart:
            mail = _Mail()
        if mail is not None and not began:
            mail.add(line[1:] if mail.is_boxed and _QUOTED_FROM.match(line) else line)
    if mail is not None:
        yield mail


# ── what an e-mail says ───────────────────────────────────────────────────────────────────────────────────────────


def opened(text: bytes) -> Message:
    """An e-mail, read by the older of the library's policies: the newer takes seconds for a header made to be slow."""
    return message_from_bytes(text, policy=policy.compat32)


def body(mail: Message, *, quotes: bool = False) -> str:
    """What an e-mail says, what is attached aside; `quotes`: also what a page quotes.

    A `RecursionError` where parts have no end.
    """
    parts = [part for part in islice(_parts(mail), MOST_PARTS) if part.get_content_disposition() != "attachment"]
    text = "\n\n".join(_text(part) for part in parts if part.get_content_type() == "text/plain")
    pages = [_text(part) for part in parts if part.get_content_type() == "text/html"] if is_blank(text) else []
    return "\n\n".join(plain(page, quotes=quotes) for page in pages) or text


def _parts(mail: Message) -> Iterator[Message]:
    """The parts of an e-mail, without those of e-mails in it."""
    if not mail.is_multipart():
        yield mail
    elif mail.get_content_maintype() != "message":
        for part in mail.get_payload():
            yield from _parts(part)  # type: ignore[arg-type]


def header(mail: Message, name: str) -> str:
    """A header's words on one line, as far as they can be read."""
    return _decoded(_raw(mail, name))


def _raw(mail: Message, name: str) -> str:
    """A header as it is written; some programs write it in no charset it names."""
    written = next((str(value) for key, value in mail.raw_items() if key.lower() == name), "")
    return text_of(written[:LONGEST_HEADER].encode("utf-8", "surrogateescape"))


def _decoded(written: str) -> str:
    try:
        return visible_line(str(make_header(decode_header(written))))
    except (LookupError, ValueError):
        return visible_line(written)


def moment(mail: Message) -> datetime | None:
    """When an e-mail was sent, else when it came."""
    came = _raw(mail, "received").rpartition(";")[2]
    put = (mail.get_unixfrom() or "").partition(" ")[2].partition(" ")[2]
    for written in (_raw(mail, "date"), came, put):
        try:
            at = parsedate_to_datetime(written)
        except (LookupError, ValueError, TypeError, OverflowError):
            continue
        return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    return None


def _text(part: Message) -> str:
    """The text of a part in the charset it says it has, or another one where that cannot be."""
    found = part.get_payload(decode=True)
    text, named = found if isinstance(found, bytes) else b"", part.get_content_charset("utf-8")
    charset = "cp1252" if named == "iso-8859-1" else named if _CHARSET.match(named) else "utf-8"
    try:
        return text.decode(charset)
    except (LookupError, ValueError):
        return text_of(text)


def written(text: str) -> str:
    """What somebody wrote themselves: without quoted lines and what announces them, a signature, or an e-mail below."""
    kept: list[str] = []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ").split("\n")
    for place, line in enumerate(lines):
        if line.lstrip().startswith(">"):
            if place and not lines[place - 1].lstrip().startswith(">"):
                _drop_attribution(kept)
            continue
        if _SIGNATURE.match(line) or _begins_another(lines[place : place + 8]) or _announces(lines[place : place + 4]):
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
    for count in (1, 2):
        said, below = " ".join(lines[:count]).strip(), "".join(lines[count:]).lstrip()
        if said.endswith(":") and len(said) <= LONGEST_HEADER and _BRACKETED.search(said) and _DATED.search(said):
            return not below.startswith(">")
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


SILENT = ("script", "style", "head", "title")
CELLS = ("td", "th")
LINES = ("br", "p", "div", "li", "tr", "h1", "h2", "h3")


def plain(page: str, *, quotes: bool = False) -> str:
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
        is_quote = name == "blockquote" or (name == "div" and (depth > 0 or "gmail_quote" in found[3]))
        is_silent = name in SILENT or (is_quote and not quotes)
        if is_silent and not ends:
            depth += 1
        elif is_silent and depth:
            depth -= 1
        if name in CELLS and not depth:
            words.append(" ")
        if name in LINES and not depth and (not ends or name in ("p", "div", "tr")):
            words.append("\x00")
    if not depth:
        words.append(rest[place:])
    said = re.sub(r"\s+", " ", unescape("".join(words)))
    return re.sub(r" *\x00 *", "\n", said).strip()
