"""Markdown on a page: what reads well, and what must never get through."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.interfaces.web.templates import as_html

PLAIN = frozenset(
    {"p", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "a", "code", "pre", "blockquote", "hr", "br"}
)
HOSTILE = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <svg/onload=alert(1)> b",
    "<a href='javascript:alert(1)'>x</a>", "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))", "[x](java\tscript:alert(1))", "[x](  javascript:alert(1) )",
    "[x](data:text/html;base64,PHNjcmlwdD4=)", "[x](vbscript:msgbox)", "[x](file:///etc/passwd)", "[x](/leave)",
    "[x](//evil.example/)", "[x](leave)", "[x](#top)", "<javascript:alert(1)>", "[x]\n\n[x]: javascript:alert(1)",
    "![x](https://evil.example/pixel.png)", "![x](javascript:alert(1))", "![x](2026-W09-moods.svg)",
    "![x][y]\n\n[y]: https://evil.example/p.svg", "[![x](https://evil.example/p.png)](javascript:alert(1))",
    "```<script>\n</code></pre><script>alert(1)</script>\n```", '[x](https://a.example "\\" onmouseover=alert(1)")',
    "<!-- --><style>*{display:none}</style>", "&lt;script&gt;alert(1)&lt;/script&gt;",
]  # fmt: skip


class Tags(HTMLParser):
    """Every tag with what it carries."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def assert_harmless(html: str) -> None:
    for tag, carried in Tags(html).found:
        assert tag in PLAIN, html
        allowed = {"a": {"href", "rel", "title"}, "code": {"class"}, "ol": {"start"}}.get(tag, set())
        assert set(carried) <= allowed, html
        if tag == "a":
            assert str(carried["href"]).lower().startswith(("http://", "https://", "mailto:")), html
            assert carried["rel"] == "noopener noreferrer", html


@each(HOSTILE)
def test_nothing_that_acts_gets_through(text: str) -> None:
    assert_harmless(as_html(text))
    assert_harmless(as_html(f"# {text}\n\n- {text}\n\n> **{text}**"))


@given(st.text(alphabet="<>[]()!\"'`#*_-&;:/\\ \n\tajvscriptonhref=1", max_size=120))
def test_whatever_is_written_is_harmless(text: str) -> None:
    assert_harmless(as_html(text))
