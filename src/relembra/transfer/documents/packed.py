"""PDF, DOCX and EPUB."""

from __future__ import annotations

import logging
import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote

from relembra.domain.time import check_time
from relembra.errors import InvalidInputError, TooSlowError
from relembra.transfer.chats import Passage
from relembra.transfer.documents import (
    MOST_PAGES,
    MOST_TEXT,
    Block,
    Headings,
    Unpacked,
    content,
    read_xml,
    text_of,
    unpacked,
)
from relembra.transfer.documents.text import blocks_of_html
from relembra.transfer.slices import refuse
from relembra.transfer.sources import BROKEN, File

if TYPE_CHECKING:
    from pypdf import PageObject

WORDS_OF_DOCX = "word/document.xml"
NOTES_OF_DOCX = ("word/footnotes.xml", "word/endnotes.xml")
PARTS_OF_EPUB = "META-INF/container.xml"

MOST_PICTURES = 20  # of a page
_BROKEN = (*BROKEN, TypeError, AttributeError, AssertionError, ArithmeticError, LookupError, SyntaxError)
"""What comes of reading a damaged PDF, beside the library's own errors."""
EDGE = 2  # lines at the top and bottom of a page, where what runs through all of them stands

_HEADING = re.compile(r"(?:heading|t[ií]tulo|ttulo|title)\s*([1-6]?)", re.IGNORECASE)


def read_pdf(file: File) -> Iterator[Block | Passage]:
    """Page by page; of a page without words the pictures it is made of, whose words are still to be told."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        refuse("reading PDF needs a package more: pip install 'relembra[documents]'", "extra")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it quotes what it reads
    broken: tuple[type[Exception], ...] = (PyPdfError, ImportError, *_BROKEN)
    with suppress(ImportError):  # without which pictures cannot be read
        from PIL.Image import DecompressionBombError

        broken = (*broken, DecompressionBombError)
    is_empty = True
    try:
        reader = PdfReader(BytesIO(content(file)))
        if reader.is_encrypted and not reader.decrypt(""):
            refuse("it needs a password", "password")
        if len(reader.pages) > MOST_PAGES:
            refuse(f"it has more than {MOST_PAGES:,} pages", "swollen")
        pages, size = list[list[str]](), 0
        for page in reader.pages:
            check_time()
            pages.append(page.extract_text().strip().split("\n") if size <= MOST_TEXT else [])
            size += sum(map(len, pages[-1]))
        for number, text in enumerate(_without_running(pages), 1):
            if not text.strip():
                page = reader.pages[number - 1]
                for name in list(page.images.keys())[:MOST_PICTURES]:
                    shows = partial(_picture, page, name, broken)
                    is_empty = False
                    picture = File(f"{number}-{name}.png", shows, where=f"{file.where}, p. {number}")
                    yield Passage(text="", page=number, file=picture)
                continue
            is_empty = False
            whole = re.sub(r"(?<=[a-zà-ÿ])-\n(?=[a-zà-ÿ])", "", text)
            yield from (Block(text=part, page=number) for part in re.split(r"\n\s*\n", whole))
    except (InvalidInputError, TooSlowError):
        raise
    except broken as exc:
        raise _damaged() from exc
    if is_empty:
        refuse("it has no words", "empty")


def _picture(page: PageObject, name: Any, broken: tuple[type[Exception], ...]) -> IO[bytes]:
    """A picture of a page as a file; an empty one where it is damaged."""
    try:
        return BytesIO(page.images[name].data)
    except broken:
        return BytesIO()


def _without_running(pages: list[list[str]]) -> Iterator[str]:
    """The pages without the lines that stand at the top or the bottom of many; the outermost may count the pages."""

    def sign(at: int, number: int) -> str:
        page = pages[number - 1]
        text = page[at].strip()
        if EDGE <= at < len(page) - EDGE or not text:
            return ""
        if 0 < at < len(page) - 1:
            return text
        return "#" if text.strip("-–| ").isdecimal() else re.sub(rf"(?<!\d){number}(?!\d)", "#", text, count=1)

    signs = [[sign(at, number) for at in range(len(page))] for number, page in enumerate(pages, 1)]
    often = Counter(one for page in signs for one in set(page) if one)
    running = {one for one, many in often.items() if many >= max(3, len(pages) // 3)}
    for page, marked in zip(pages, signs, strict=True):
        yield "\n".join(line for line, one in zip(page, marked, strict=True) if one not in running)


def _damaged() -> InvalidInputError:
    return InvalidInputError("it is damaged, or no PDF that can be read", field="file", kind="damaged")


def read_docx(file: File) -> Iterator[Block]:
    """Paragraph by paragraph, a row of a table as one, with pages as the program that wrote it broke them."""
    with unpacked(file) as parts:
        xml = parts.part(WORDS_OF_DOCX)
        breaks = {"lastRenderedPageBreak": b"lastRenderedPageBreak", "br": b'w:type="page"'}
        reader = _Docx(next((tag for tag, mark in breaks.items() if mark in xml), None))
        read_xml(xml, start=reader.start, end=reader.end, said=reader.said)
        notes = _Docx(None)
        for name in NOTES_OF_DOCX:
            read_xml(parts.part(name), start=notes.start, end=notes.end, said=notes.said) if name in parts else None
    return iter([*reader.blocks, *notes.blocks])


class _Docx:
    def __init__(self, ends_page: str | None) -> None:
        self.blocks: list[Block] = []
        self._headings = Headings()
        self._words: list[str] = []
        self._row: list[str] = []
        self._ends_page = ends_page  # the mark between pages; None: it does not tell
        self._page, self._level, self._rows = 1, 0, 0
        self._is_text = False
        self._again = 0  # parts open that say what was said, for older programs

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        check_time()
        match tag:
            case "t":
                self._is_text = True
            case "tab" | "cr":
                self._words.append(" ")
            case "noBreakHyphen":
                self._words.append("-")
            case "Fallback":
                self._again += 1
            case "br" | "lastRenderedPageBreak":
                self._words.append(" ")
                is_page = tag != "br" or attributes.get("type") == "page"
                self._page += is_page and tag == self._ends_page
            case "pStyle":
                found = _HEADING.match(attributes.get("val", ""))
                self._level = int(found[1] or 0) + 1 if found else 0
            case "outlineLvl":
                level = attributes.get("val", "9")
                self._level = self._level or (int(level) + 2 if level in "012345" and level else 0)
            case "tr":
                self._rows += 1

    def said(self, text: str) -> None:
        if self._is_text and not self._again:
            self._words.append(text)

    def end(self, tag: str) -> None:
        match tag:
            case "t":
                self._is_text = False
            case "Fallback":
                self._again -= 1
            case "p":
                text = " ".join("".join(self._words).split())
                self._words.clear()
                if self._rows:
                    self._row += [text] if text else []
                elif self._level:
                    self._headings.enter(self._level, text)
                else:
                    self._add(text)
                self._level = 0
            case "tr":
                self._rows -= 1
                if not self._rows:
                    self._add(" | ".join(self._row))
                    self._row.clear()

    def _add(self, text: str) -> None:
        if text:
            self.blocks.append(
                Block(text=text, heading=str(self._headings), page=self._page if self._ends_page else None)
            )


def read_epub(file: File) -> Iterator[Block]:
    """Chapter by chapter, in the order they are read."""
    with unpacked(file) as parts:
        package = _named(parts.part(PARTS_OF_EPUB), "rootfile", "full-path")
        if not package:
            refuse("it does not say where its chapters are", "damaged")
        title, chapters = _chapters(parts.part(package[0]), posixpath.dirname(package[0]))
        if len(chapters) > MOST_PAGES:
            refuse(f"it has more than {MOST_PAGES:,} chapters", "swollen")
        for name in chapters:
            yield from _chapter(parts, name, title)


def _chapter(parts: Unpacked, name: str, title: str) -> Iterator[Block]:
    check_time()
    return blocks_of_html(text_of(parts.part(name)), title=title) if name in parts else iter(())


def _named(xml: bytes, tag: str, attribute: str) -> list[str]:
    found: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == tag and attribute in attributes:
            found.append(attributes[attribute])

    read_xml(xml, start=start)
    return found


def _chapters(xml: bytes, folder: str) -> tuple[str, list[str]]:
    """The title of a book, and the files of its chapters."""
    files: dict[str, str] = {}
    order: list[str] = []
    title: list[str] = []
    within: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        within.append(name)
        match name:
            case "item" if "html" in attributes.get("media-type", ""):
                files[attributes.get("id", "")] = posixpath.normpath(
                    posixpath.join(folder, unquote(attributes.get("href", "")))
                )
            case "itemref":
                order.append(attributes.get("idref", ""))

    def said(text: str) -> None:
        if within and within[-1] == "title":
            title.append(text)

    def end(_: str) -> None:
        within.pop()

    read_xml(xml, start=start, end=end, said=said)
    return "".join(title), [files[id] for id in dict.fromkeys(order) if id in files]
