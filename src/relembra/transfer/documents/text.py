"""Text, Markdown and HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from relembra.domain.text import is_blank
from relembra.domain.time import check_time
from relembra.transfer.documents import Block, Headings, content, text_of
from relembra.transfer.sources import File

FED = 64 * 1024

_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_UNDERLINE = re.compile(r"(=+|-{3,})[ \t]*")
_FENCE = re.compile(r"(```|~~~)")
_RULE = " \t|:*_-"  # what lines below the head of a table and between parts are drawn of
_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg", "object", "select", "nav", "button", "textarea"})
_APART = frozenset(
    {"p", "div", "section", "article", "header", "footer", "main", "aside", "nav", "ul", "ol", "li", "table", "tr"}
    | {"br", "hr", "blockquote", "pre", "dl", "dt", "dd", "figure", "figcaption", "form", "body", "address", "details"}
    | {"label", "legend", "caption", "summary"}
)


def read_text(file: File) -> Iterator[Block]:
    pages = _lines(text_of(content(file))).split("\f")
    for number, page in enumerate(pages, 1):
        yield from (Block(text=part, page=number if len(pages) > 1 else None) for part in _PARAGRAPHS.split(page))


def read_markdown(file: File) -> Iterator[Block]:
    """By headings; what stands before the document to describe it is no part of it."""
    lines = _lines(text_of(content(file))).split("\n")
    if lines[0].rstrip() == "---" and "---" in (line.rstrip() for line in lines[1:200]):
        lines = lines[[line.rstrip() for line in lines].index("---", 1) + 1 :]
    headings, held, fenced = Headings(), list[str](), False
    for line in [*lines, ""]:
        fenced ^= _FENCE.match(line) is not None
        if not fenced and (found := _HEADING.fullmatch(line)):
            yield Block(text="\n".join(held), heading=str(headings))
            headings.enter(len(found[1]), found[2].rstrip(" \t#")[:500])
            held = []
        elif not fenced and len(held) == 1 and held[0].strip() and _UNDERLINE.fullmatch(line):
            headings.enter(1 if line[0] == "=" else 2, held[0])
            held = []
        elif fenced or line.strip(_RULE if len(line.strip()) > 2 else None):
            held.append(line)
        else:
            yield Block(text="\n".join(held), heading=str(headings))
            held = []
    yield Block(text="\n".join(held), heading=str(headings))


def read_html(file: File) -> Iterator[Block]:
    return blocks_of_html(text_of(content(file)))


def blocks_of_html(page: str, *, title: str = "") -> Iterator[Block]:
    """What a page shows, by its headings."""
    reader = _Page(title)
    for start in range(0, len(page), FED):
        check_time()  # a page can be made to be read over and over
        reader.feed(page[start : start + FED])
    reader.close()
    return reader.blocks()


class _Page(HTMLParser):
    def __init__(self, title: str) -> None:
        super().__init__(convert_charrefs=True)
        self._title = title
        self._headings = Headings()
        self._words: list[str] = []
        self._level = self._unseen = 0
        self._blocks: list[Block] = []

    def blocks(self) -> Iterator[Block]:
        self._end()
        return iter(self._blocks)

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - as the library calls it
        if tag in _UNSEEN:
            self._unseen += 1
        elif self._unseen:
            return
        elif tag in _APART or _level(tag):
            self._end()
            self._level = _level(tag)
        elif tag in ("td", "th"):
            self._words.append(" | ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif self._unseen:
            return
        elif tag in _APART or _level(tag):
            self._end()
        elif tag == "title":
            self._words.clear()

    def handle_data(self, data: str) -> None:
        check_time()  # what is never closed is looked for to the end, each time it begins
        if not self._unseen:
            self._words.append(data)

    def _end(self) -> None:
        line = " ".join("".join(self._words).split()).strip(" |")
        self._words.clear()
        if self._level:
            self._headings.enter(self._level, line)
        elif not is_blank(line):
            self._blocks.append(Block(text=line, heading=str(self._headings), title=self._title))
        self._level = 0


def _level(tag: str) -> int:
    return int(tag[1]) if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456" else 0


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
