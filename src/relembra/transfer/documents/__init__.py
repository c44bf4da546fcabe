"""Documents, each kind read into the same few values: pieces of text with the page and the headings they stand under.

What they say is told as the document's: nothing is learnt from it. A file of a kind is limited in its size, its pages,
what it holds unpacked and the time it takes; beyond that it is refused, whole, and nothing of it is kept.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from io import BytesIO
from itertools import chain, pairwise
from xml.parsers import expat

from relembra.domain.searchable import sentence_spans
from relembra.domain.text import is_blank, visible_line
from relembra.domain.time import check_time, time_limit
from relembra.errors import TooSlowError
from relembra.transfer.chats import Context, Found, Left, Passage, Sample
from relembra.transfer.slices import encoding_of, refuse
from relembra.transfer.sources import BROKEN, File

LARGEST = 64 * 1024**2  # bytes, as the file is and of what is unpacked from it
MOST_TEXT = 16 * 1024**2  # characters
MOST_PAGES = 5_000
MOST_PASSAGES = 10_000
SECONDS = 120.0  # of work on one file
WORDS = 140
"""Of a passage, about; one vector blurs more, and of less the sense is lost."""

MOST_WORDS = 250
LONGEST_HEADING = 100
FULL = 0.6  # of the longest line
_GOES_ON = re.compile(r"\s*(?!(?:\d+|[a-z])[.)]\s)[\w(\"“']")  # and is no row of a list
_UNSEEN = "\x00\x0c\xad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
_SIGNS = str.maketrans("", "", _UNSEEN)
"""Signs nobody sees or types: where a word may be divided, and the direction of writing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, a line of a table or a list, an event, and where it stands."""

    text: str
    heading: str = ""
    page: int | None = None
    title: str = ""  # the document's own, where it is not called as its file is
    at: datetime | None = None
    is_event: bool = False  # of a calendar: a passage by itself


def reading(blocks: Callable[[File], Iterable[Block | Passage]]) -> Callable[[File, Context], Iterator[Found]]:
    """A reader of documents of its blocks, within the limits."""

    @wraps(blocks)
    def read(file: File, _: Context) -> Iterator[Found]:
        yield from within_limits(lambda: blocks(file))

    return read


def within_limits(blocks: Callable[[], Iterable[Block | Passage | Left]]) -> list[Passage | Left]:
    """The passages of a document, or why it is refused: read at once, for a generator may be gone on with later."""
    try:
        with time_limit(SECONDS):
            return list(passages(blocks()))
    except TooSlowError:
        refuse("it takes too long to read", "swollen")
    except RecursionError:
        refuse("it is nested too deep", "swollen")


def passages(blocks: Iterable[Block | Passage | Left]) -> Iterator[Passage | Left]:
    """The blocks as passages: of one page and heading, whole sentences, none too long to be found by."""
    held: list[Block] = []
    count = many = size = 0
    for block in blocks:
        check_time()
        if not isinstance(block, Block):
            yield block
            continue
        size += len(block.text)
        if size > MOST_TEXT:
            refuse(f"it holds more than {MOST_TEXT:,} characters; divide it", "swollen")
        for piece in pieces(block):
            words = len(piece.text.split())
            if held and (count + words > WORDS or piece.is_event or _place(piece) != _place(held[-1])):
                yield _joined(held)
                held, count, many = [], 0, many + 1
            if many >= MOST_PASSAGES:
                refuse(f"it has more than {MOST_PASSAGES:,} passages; divide it", "swollen")
            held.append(piece)
            count += words
    if held:
        yield _joined(held)


def pieces(block: Block) -> Iterator[Block]:
    """A block, or several where it is too long."""
    text = block.text.translate(_SIGNS).strip()
    if is_blank(text):
        return
    if len(text.split()) <= (MOST_WORDS if block.is_event else WORDS):
        yield replace(block, text=text)
        return
    text = _unwrapped(text)
    start = end = count = 0
    for first, last in sentence_spans(text):
        words = len(text[first:last].split())
        if count and count + words > WORDS:
            yield replace(block, text=text[start:end], is_event=block.is_event and start == 0)
            start, count = first, 0
        end, count = last, count + words
    yield replace(block, text=text[start:end], is_event=block.is_event and start == 0)


def _unwrapped(text: str) -> str:
    """The text with lines that are full put together with what goes on in the next, so that sentences are whole."""
    lines = text.split("\n")
    full = FULL * max(map(len, lines))
    ends = (
        "\n" if len(line) < full or line.rstrip()[-1:] in ".!?:;" or not _GOES_ON.match(after) else " "
        for line, after in pairwise(lines)
    )
    return "".join(chain.from_iterable(zip(lines, chain(ends, [""]), strict=True)))


def _place(block: Block) -> tuple[object, ...]:
    return block.heading, block.page, block.title, block.at, block.is_event


def _joined(held: list[Block]) -> Passage:
    first = held[0]
    return Passage(
        text="\n".join(block.text for block in held),
        title=visible_line(first.title),
        heading=visible_line(first.heading)[:LONGEST_HEADING],
        page=first.page,
        at=first.at,
        is_event=first.is_event,
    )


class Headings:
    """The headings a place stands under, by their level."""

    def __init__(self) -> None:
        self._path: list[tuple[int, str]] = []

    def enter(self, level: int, text: str) -> None:
        self._path = [one for one in self._path if one[0] < level]
        if line := visible_line(text):
            self._path.append((level, line))

    def __str__(self) -> str:
        return " › ".join(text for _, text in self._path[-2:])


def content(file: File) -> bytes:
    """All of a file that may be held at once."""
    with file.open() as stream:
        held = stream.read(LARGEST + 1)
    if len(held) > LARGEST:
        refuse(f"it is larger than {LARGEST >> 20} MiB", "swollen")
    return held


def text_of(content: bytes) -> str:
    """A text, in UTF-8 or UTF-16 where it says so, else as Windows writes it."""
    encoding, mark = encoding_of(content)
    if mark:
        return content[mark:].decode(encoding, "replace")
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def person(name: str) -> str:
    """A name on one line as it is said: Beatriz Souza for Souza, Beatriz."""
    return " ".join(reversed(visible_line(name).split(", ")))


def ends(*endings: str) -> Callable[[Sample], bool]:
    """Whether a file is called so, and is text."""

    def fits(sample: Sample) -> bool:
        is_text = b"\x00" not in sample.beginning or sample.encoding != "utf-8"
        return sample.file.name.lower().endswith(endings) and bool(sample.beginning.strip()) and is_text

    return fits


_CALLED = {"%PDF-": ".pdf", "word/document.xml": ".docx", "META-INF/container.xml": ".epub"}
"""How documents that are no text are called, by what tells them; one that is called so and is none is damaged."""


def _is_called(sample: Sample, told: str) -> bool:
    ending = next((ending for mark, ending in _CALLED.items() if told.endswith(mark)), None)
    return ending is not None and sample.file.name.lower().endswith(ending) and bool(sample.beginning)


def begins(pattern: str) -> Callable[[Sample], bool]:
    told = re.compile(pattern.encode(), re.IGNORECASE)
    return lambda sample: told.match(sample.beginning) is not None or _is_called(sample, pattern)


def packs(name: str) -> Callable[[Sample], bool]:
    """Whether it is a zip in which this is, or is called so."""

    def fits(sample: Sample) -> bool:
        is_called = _is_called(sample, name)
        if not sample.beginning.startswith(b"PK\x03\x04"):
            return is_called
        try:
            with zipfile.ZipFile(BytesIO(content(sample.file))) as archive:
                return name in archive.NameToInfo or (is_called and _CALLED.keys().isdisjoint(archive.NameToInfo))
        except BROKEN:
            return is_called

    return fits


class Unpacked:
    """A zip that is a document: its parts by name, all of them together no larger than a file may be."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._left = LARGEST

    def __contains__(self, name: str) -> bool:
        return name in self._archive.NameToInfo

    def part(self, name: str) -> bytes:
        info = self._archive.NameToInfo.get(name)
        if info is None:
            refuse("a part it names is missing", "damaged")
        if info.flag_bits & 1:
            refuse("it needs a password", "password")
        with self._archive.open(info) as stream:
            held = stream.read(self._left + 1)
        self._left -= len(held)
        if self._left < 0:
            refuse(f"unpacked it is larger than {LARGEST >> 20} MiB", "swollen")
        return held


@contextmanager
def unpacked(file: File) -> Iterator[Unpacked]:
    try:
        with zipfile.ZipFile(BytesIO(content(file))) as archive:
            yield Unpacked(archive)
    except BROKEN:
        refuse("it is damaged or cut off", "damaged")


Started = Callable[[str, dict[str, str]], None]


def read_xml(
    text: bytes, *, start: Started, end: Callable[[str], None] | None = None, said: Callable[[str], None] | None = None
) -> None:
    """Read XML part by part. One that declares a document type is refused: there alone things are said that swell."""
    parser = expat.ParserCreate(namespace_separator=" ")

    def no_types(*_: object) -> None:
        refuse("its XML declares types of its own, which is not read", "swollen")

    parser.StartDoctypeDeclHandler = no_types
    parser.EntityDeclHandler = no_types
    parser.StartElementHandler = lambda name, attributes: start(
        _local(name), {_local(k): v for k, v in attributes.items()}
    )
    if end is not None:
        parser.EndElementHandler = lambda name: end(_local(name))
    if said is not None:
        parser.CharacterDataHandler = said
    try:
        parser.Parse(text, True)
    except expat.ExpatError:
        refuse("its XML is damaged", "damaged")


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
