"""Markdown on a page: what reads well, and what must never get through; and moments by the reader's own clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.interfaces.web.templates import Clockface, as_html, opening
from relembra.locale import Words

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


def test_the_opening_is_the_first_paragraph_without_marks() -> None:
    text = "*Não é orientação médica.*\n\n## Título\n\n- **seg, 9:** “Dormi mal” \\*\n- outra\n\nDepois"
    assert opening(text, 100) == "seg, 9: “Dormi mal” * outra"
    assert opening("## Só um título", 100) == ""
    assert opening("A resposta original do modelo" * 40, 30).endswith("…")
    assert len(opening("A resposta original do modelo" * 40, 30)) <= 30


@each([
    ("en", 0, "Mar 3, 2025", "Nov 16, 2026, 07:10 (UTC)", "October 26 – November 1, 2026"),
    ("pt", -8, "3 mar 2025", "15 nov 2026, 23:10 (UTC−08:00)", "26 de outubro a 1 de novembro de 2026"),
    ("en", 5.5, "Mar 3, 2025", "Nov 16, 2026, 12:40 (UTC+05:30)", "October 26 – November 1, 2026"),
])  # fmt: skip
def test_moments_are_said_in_one_manner(language: str, hours: float, day: str, exact: str, span: str) -> None:
    now = datetime(2026, 11, 16, 7, 10, tzinfo=UTC)
    clock = Clockface(Words(language, "web", "names"), timezone(timedelta(hours=hours)), now)
    assert clock.day(date(2025, 3, 3)) == day
    assert clock.day(date(2026, 3, 3)) == day.removesuffix("2025").rstrip(", ")  # the year of today is not told
    assert clock.exact(now) == exact
    assert clock.days(date(2026, 10, 26), date(2026, 11, 1)) == span
