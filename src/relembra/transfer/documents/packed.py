"""PDF, DOCX and EPUB."""

from __future__ import annotations

import logging
import posixpath
import re
from collections.abc import Iterator
from io import BytesIO
from urllib.parse import unquote

from relembra.domain.time import check_time
from relembra.errors import InvalidInputError, TooSlowError
from relembra.transfer.documents import MOST_PAGES, Block, Headings, Unpacked, content, read_xml, text_of, unpacked
from relembra.transfer.documents.text import blocks_of_html
from relembra.transfer.slices import refuse
from relembra.transfer.sources import File

PDF, DOCX, EPUB = "pdf", "docx", "epub"
WORDS_OF_DOCX = "word/document.xml"
PARTS_OF_EPUB = "META-INF/container.xml"

_HEADING = re.compile(r"(?:heading|t[ií]tulo|ttulo)\s*([1-6])", re.IGNORECASE)


def read_pdf(file: File) -> Iterator[Block]:
    """Page by page, as far as there are words in it; pictures of pages have none."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        refuse("reading PDF needs a package more: pip install 'relembra[documents]'", "extra")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it quotes what it reads
    any_words = False
    try:
        reader = PdfReader(BytesIO(content(file)))
        if reader.is_encrypted and not reader.decrypt(""):
            refuse("it needs a password", "password")
        if len(reader.pages) > MOST_PAGES:
            refuse(f"it has more than {MOST_PAGES:,} pages", "swollen")
        for number, page in enumerate(reader.pages, 1):
            check_time()
            text = re.sub(r"(?<=[a-zà-ÿ])-\n(?=[a-zà-ÿ])", "", page.extract_text())
            any_words = any_words or bool(text.strip())
            yield from (Block(text=part, page=number) for part in re.split(r"\n\s*\n", text))
    except (InvalidInputError, TooSlowError):
        raise
    except (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError) as exc:
        raise _damaged() from exc
    except (OverflowError, ArithmeticError, LookupError, OSError, NotImplementedError, MemoryError) as exc:
        raise _damaged() from exc
    if not any_words:
        refuse("it has no words, only pictures of pages", "pictures")


def _damaged() -> InvalidInputError:
    return InvalidInputError("it is damaged, or no PDF that can be read", field="file", kind="damaged")


def read_docx(file: File) -> Iterator[Block]:
    """Paragraph by paragraph, a row of a table as one, with pages as the program that wrote it broke them."""
    with unpacked(file) as parts:
        xml = parts.part(WORDS_OF_DOCX)
        breaks = {"lastRenderedPageBreak": b"lastRenderedPageBreak", "br": b'w:type="page"'}
        reader = _Docx(next((tag for tag, mark in breaks.items() if mark in xml), None))
        read_xml(xml, start=reader.start, end=reader.end, said=reader.said)
    return iter(reader.blocks)


class _Docx:
    def __init__(self, ends_page: str | None) -> None:
        self.blocks: list[Block] = []
        self._headings = Headings()
        self._words: list[str] = []
        self._row: list[str] = []
        self._ends_page = ends_page  # the mark between pages; None: it does not tell
        self._page, self._level, self._rows = 1, 0, 0
        self._is_text = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        check_time()
        match tag:
            case "t":
                self._is_text = True
            case "tab" | "cr":
                self._words.append(" ")
            case "br" | "lastRenderedPageBreak":
                self._words.append(" ")
                is_page = tag != "br" or attributes.get("type") == "page"
                self._page += is_page and tag == self._ends_page
            case "pStyle":
                found = _HEADING.match(attributes.get("val", ""))
                self._level = int(found[1]) if found else 0
            case "outlineLvl":
                level = attributes.get("val", "9")
                self._level = self._level or (int(level) + 1 if level in "012345" and level else 0)
            case "tr":
                self._rows += 1

    def said(self, text: str) -> None:
        if self._is_text:
            self._words.append(text)

    def end(self, tag: str) -> None:
        match tag:
            case "t":
                self._is_text = False
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
