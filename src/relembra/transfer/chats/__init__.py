"""What other programs export, each format in a file of its own, read into the same few values.

A format is a row of `table.FORMATS`: what tells it from the others, and an iterator over what a file of it holds.
Nothing here knows a store, or whose memory it goes into.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from functools import cached_property
from typing import Any

import msgspec

from relembra.domain.message import Role
from relembra.domain.text import is_blank
from relembra.errors import InvalidInputError
from relembra.transfer import slices
from relembra.transfer.media import MediaKind, media_kind
from relembra.transfer.sources import File

GENERAL = "general"
DOCUMENT = ("documents", "passages")
"""What most documents and their passages are counted as."""
LONGEST_LINE = 4 * 1024 * 1024
SNIFFED = 64 * 1024


class Why(StrEnum):
    """Why something in an export is no message, or is not kept."""

    BRANCH = "branch"  # an edited question or an answer made anew, beside the branch that was kept
    HIDDEN = "hidden"  # what a program told its model, not people
    TOOL = "tool"  # what tools gave back, code that was run, thoughts
    SERVICE = "service"  # somebody joined, called, changed a picture
    MEDIA = "media"  # pictures, sounds and files without words
    ATTACHMENT = "attachment"  # files beside words that were kept
    DELETED = "deleted"  # by whoever said it
    EMPTY = "empty"
    BOT = "bot"
    TIME = "time"  # without a moment, or with one that cannot be
    LONG = "long"  # longer than is kept
    UNREADABLE = "unreadable"  # not as such a file has it
    OTHERS = "others"  # what a memory knew of other people who used it
    BLOCKED = "blocked"  # said by whom, or where, nothing is kept
    PROJECT = "project"  # descriptions and documents of projects
    VOICE = "voice"  # recordings that nothing turned into words
    IMAGE = "image"  # pictures likewise
    CONTACT = "contact"  # of whom an address book has no birthday
    DETAIL = "detail"  # relations and anniversaries that an address book has of others
    CANCELLED = "cancelled"  # events that were called off
    SPAM = "spam"  # e-mails taken for such
    DRAFT = "draft"  # e-mails that were not sent


@dataclass(frozen=True, slots=True)
class Left:
    """Something left out, and why."""

    why: Why
    many: int = 1


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One message as an export has it; a struct, for millions of them are made."""

    talk: str  # names its conversation, the same in every export of it
    text: str
    at: datetime | None = None  # without a zone: on whoever's clock exported it; None: when the one before was said
    author: str = ""  # as the export calls them; empty: whoever exported it, or the assistant
    role: Role = Role.USER
    id: str | None = None  # the export's own, unique in its talk
    title: str = ""
    group: str | None = None  # said among several, in one of this name
    channel: str = GENERAL  # of the group
    file: File | None = None  # the recording or picture it was; its words are not known then


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something another memory knew."""

    text: str
    at: datetime | None = None
    subject: str | None = None
    owner: str = ""  # whose memory it was, where one file holds several
    tags: tuple[str, ...] = ()
    attribute: str | None = None  # with a value, where it is known apart from the words
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Some sentences of a document, and where they stand in it."""

    text: str
    title: str = ""  # of the document, where it is not called as its file is
    heading: str = ""
    page: int | None = None
    at: datetime | None = None  # None: a document has no moment
    file: File | None = None  # the recording, or the picture of a page; its words are not known then
    name: str = ""  # by which it is known again, where its words do not tell: nobody hears the same thing twice
    is_event: bool = False  # of a calendar; it may lie ahead
    document: str = ""  # which one it is of, where a file holds many


Found = Said | Left | Fact | Passage


@dataclass(frozen=True, slots=True)
class Context:
    """What a format may need to know beside the file."""

    zone: tzinfo
    language: str = "en"  # in which a person is told what a file says in signs


class Sample:
    """The beginning of a file, as far as it tells what it is."""

    def __init__(self, file: File) -> None:
        self.file = file
        with file.open() as stream:
            self.beginning = stream.read(SNIFFED)
        self.encoding, self._mark = slices.encoding_of(self.beginning)

    @cached_property
    def text(self) -> str:
        decoder = codecs.getincrementaldecoder(self.encoding)("replace")
        return decoder.decode(self.beginning[self._mark :])

    @cached_property
    def lines(self) -> list[dict[str, Any]]:
        """The first lines as JSON objects, where that is what they are."""
        lines = [line for line in self.text.split("\n") if line.strip()]
        whole = lines if len(self.beginning) < SNIFFED else lines[:-1]
        if not whole and lines and lines[0].lstrip()[:1] == "{":  # the first is longer
            blocks = texts(self.file)
            lines = "".join((next(blocks, ""), next(blocks, ""))).split("\n")
            whole = [line for line in lines if line.strip()]
        found = [value for line in whole[:20] if isinstance(value := _value(line), dict)]
        return found if found and len(found) == len(whole[:20]) else []

    @property
    def is_json_text(self) -> bool:
        """Whether it begins as JSON does; the text of a chat may begin with a bracket too."""
        return self.text.lstrip()[:1] == "{" or _JSON_LIST.match(self.text) is not None

    @cached_property
    def first(self) -> slices.Element | None:
        """The first element of a list of a JSON file."""
        if not self.is_json_text or len(self.lines) > 1:
            return None
        with self.file.open() as stream:
            return next(slices.elements(stream), None)

    def has(self, *names: str) -> bool:
        """Whether the first element is an object with these names."""
        return self.first is not None and isinstance(self.first.value, dict) and self.first.value.keys() >= set(names)


def _value(line: str) -> Any:
    try:
        return slices.decode(line.encode("utf-8", "replace"), "")
    except InvalidInputError:
        return None


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file."""

    name: str
    fits: Callable[[Sample], bool]
    read: Callable[[File, Context], Iterator[Found]]
    between_people: bool = False  # so that it has to be known who of them exported it
    own_names: Callable[[File], Iterable[str]] = field(default=lambda _: ())  # of whoever did, where the file tells
    parts: tuple[str, str] | None = None  # what documents of it and their passages are counted as; None: it is talk
    wall_clock: bool = False  # it tells moments without a zone
    comes_along: bool = False  # with what other programs export, so that beside that it is no document


# ── what several formats share ────────────────────────────────────────────────────────────────────────────────────────


class LocalTimes:
    """Moments written without a zone, in the order they were said, on one clock.

    Of an hour that comes twice in autumn, what goes back in time begins the second one.
    """

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._last: datetime | None = None
        self._date: date | None = None
        self._may_turn = False  # that day

    def __call__(self, wall: datetime) -> datetime:
        found = wall.replace(tzinfo=self._zone)
        if (day := wall.date()) != self._date:
            self._date, end = day, found.replace(hour=23, minute=59, fold=1)
            self._may_turn = found.replace(hour=0, minute=0).utcoffset() != end.utcoffset()
        if self._may_turn and self._last is not None:
            second = found.replace(fold=1)
            late = self._last.astimezone(UTC) - found.astimezone(UTC)
            is_second = found.utcoffset() != second.utcoffset() and timedelta() < late <= timedelta(hours=2)
            found = second if is_second else found
        self._last = found
        return found


def with_files(said: Said, names: Sequence[str], file: File, *, others: int = 0) -> Iterator[Found]:
    """A message, if it has words, and each recording and picture that came with it.

    `names`: of its files, as the export has them; `others`: how much else came with it that is never read.
    """
    has_words, missing = not is_blank(said.text), others
    if has_words:
        yield said
    elif not names and not others:
        yield Left(Why.EMPTY)
    for name in names:
        found, kind = file.named(name), media_kind(name)
        if found is None or kind is None or said.at is None or said.role is Role.ASSISTANT:
            missing += 1
            continue
        id = " ".join(filter(None, (said.id, kind.value, name.rpartition("/")[2])))
        role = Role.SYSTEM if kind is MediaKind.IMAGE else said.role  # who shows a picture does not say its words
        yield msgspec.structs.replace(said, text="", file=found, id=id, role=role)
    if missing:
        yield Left(Why.ATTACHMENT if has_words else Why.MEDIA, missing)


_JSON_LIST = re.compile(r"\s*\[\s*(?:[{\]]|\Z)")
_ESCAPED = re.compile("[\udc80-\udcff]")
_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def unmarked(text: str) -> str:
    """The text without marks of writing direction, which apps put before what they say themselves."""
    return _MARKS.sub("", text)


def texts(file: File) -> Iterator[str]:
    """A text file in blocks of whole lines; what is not UTF-8 in it is read as Windows wrote it, NULs are left out.

    A line too long to be kept may come in several blocks.
    """
    with file.open() as stream:
        rest = b""
        for block in slices.blocks(stream):
            text = rest + block
            cut = text.rfind(b"\n") + 1 or (len(text) if len(text) > LONGEST_LINE else 0)
            whole, rest = text[:cut], text[cut:]
            if whole:
                yield _decoded(whole)
        if rest:
            yield _decoded(rest)


def _decoded(text: bytes) -> str:
    try:
        found = text.decode()
    except UnicodeDecodeError:
        found = text.decode("utf-8", "surrogateescape")
        if _ESCAPED.search(found):
            lines = found.split("\n")
            found = "\n".join(
                line.encode("utf-8", "surrogateescape").decode("cp1252", "replace") if _ESCAPED.search(line) else line
                for line in lines
            )
    return found.replace("\r\n", "\n").replace("\x00", "")


def recognised(file: File) -> Format | None:
    """The format of a file, by what is in it; None where it is none of ours."""
    from relembra.transfer.chats.table import FORMATS

    sample = Sample(file)
    return next((format for format in FORMATS if format.fits(sample)), None)
