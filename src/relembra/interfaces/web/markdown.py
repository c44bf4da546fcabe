"""Notes written in Markdown as safe pieces of a page: no HTML of their own, no pictures, links only to the open web.

What comes out is marked as safe for templates; nothing else on the pages is.
"""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from relembra.domain.text import shortened

_OPEN_WEB = re.compile(r"(?:https?://|mailto:)\S", re.IGNORECASE)
_MARK = re.compile(r"\\([!-/:-@\[-`{-~])")  # what keeps Markdown from reading a sign
_LINE_MARKS = re.compile(r"^\s*(?:#{1,6}\s+|[-*]\s+|>\s*)")
_ASIDE = re.compile(r"\*(?!\*).+\*", re.DOTALL)
_STRONG = re.compile(r"(?<!\\)(\*\*|__)(.+?)(?<!\\)\1")


def as_html(text: str) -> Markup:
    """A text as headings, lists, paragraphs and links. Its largest headings are one below the page's own."""
    reader = _reader()
    return Markup(reader.renderer.render(_tame(reader.parse(text)), reader.options, {}))


def opening(text: str, longest: int) -> str:
    """The first paragraph of a text without the marks of Markdown, for a list; headings and asides are passed over."""
    paragraphs = (part.strip() for part in re.split(r"\n\s*\n", text))
    first = next((part for part in paragraphs if part and not part.startswith("#") and not _ASIDE.fullmatch(part)), "")
    lines = (_STRONG.sub(r"\2", _LINE_MARKS.sub("", line)).strip() for line in first.splitlines())
    return shortened(_MARK.sub(r"\1", " ".join(lines)), longest)


class _Reader(MarkdownIt):
    """Reads plain Markdown; an address that leads elsewhere than to the open web makes no link."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name of the one it replaces
        return _OPEN_WEB.match(url) is not None


@cache
def _reader() -> _Reader:
    return _Reader("commonmark", {"html": False, "linkify": False, "typographer": False})


def _tame(tokens: list[Token]) -> list[Token]:
    """Headings below the page's own, links that tell nobody where they were, and words in the place of pictures."""
    for token in tokens:
        if token.tag == "h1":
            token.tag = "h2"
        for inside in token.children or ():
            if inside.type == "link_open":
                inside.attrSet("rel", "noopener noreferrer")
            elif inside.type == "image":
                inside.type, inside.tag = "text", ""
    return tokens
