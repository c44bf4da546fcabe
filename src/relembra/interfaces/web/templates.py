"""Templates, dates and Markdown as HTML, and the files pages load. The environment escapes all remembered text."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.audit import ConfidenceLevel, level, titled
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Note, NoteKind
from relembra.domain.text import fold, shortened
from relembra.interfaces import sentences
from relembra.locale import Words
from relembra.recall.rendering import against, told
from relembra.views import timeline as dates

if TYPE_CHECKING:
    from relembra.interfaces.web.visits import Visit


AREAS: dict[str, str] = {
    LifeArea.HEALTH: "heart",
    LifeArea.FINANCE: "dollar-sign",
    LifeArea.RELATIONSHIPS: "users",
    LifeArea.CAREER: "briefcase",
    LifeArea.GROWTH: "target",
    LifeArea.LEISURE: "sparkles",
    LifeArea.SPIRITUALITY: "sun",
    LifeArea.MENTAL_HEALTH: "brain",
}
"""The icon of each area; its colour is in the style sheet under the same name."""
NO_AREA = "circle-dashed"

NOTES: dict[str, str] = {
    NoteKind.CONVERSATION: "messages-square",
    NoteKind.TOPIC_CLUSTER: "tag",
    NoteKind.SESSION: "message-circle",
    NoteKind.APPOINTMENT: "calendar",
    NoteKind.WEEKLY: "calendar-days",
    NoteKind.MONTHLY: "book-open",
    NoteKind.DOCUMENT: "file-text",
    NoteKind.JOURNAL: "notebook-text",
    NoteKind.EVENT: "clock",
}


def brief(text: str, limit: int = 400) -> str:
    """A text as a list shows it: as it is, or its first words."""
    return text if len(text) <= limit else shortened(text, limit)


def tab(named: Sequence[str], title: str) -> str:
    """What a tab of a browser says; `named`: what tells a page from others of its title."""
    return " – ".join(shortened(name, 80) for name in (*named, title) if name)


def newer(item: KnowledgeItem, language: str) -> str:
    """The words that stand against an item, as a line of their own; mostly none."""
    line = against(item, language)
    return line[:1].upper() + line[1:]


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=200,
    )
    made.globals |= {"AREAS": AREAS, "NO_AREA": NO_AREA, "NOTES": NOTES, "static": address}
    made.globals |= {"recorded": sentences, "why_left": sentences.why_left}
    made.globals |= {"KINDS": KnowledgeType, "LEVELS": ConfidenceLevel, "SOURCES": Source, "RIGHTS": Right}
    made.filters |= {"brief": brief, "opening": opening_of, "tab": tab, "titled": titled}
    return made


def rendered(template: str, visit: Visit, parts: dict[str, Any]) -> str:
    """A page with what every template may use: `t`, `visit`, `clock`, what was `wrong` and the names of few things."""
    words, levels = visit.words, visit.settings.chosen_policy().confidence
    usual: dict[str, Any] = {
        "t": words,
        "visit": visit,
        "clock": visit.clock,
        "wrong": visit.wrong,
        "wrong_field": visit.wrong_field,
        "level_of": lambda item: level(item.confidence, levels),
        "reason": lambda why: sentences.reason(words, why),
        "attribute": lambda name: sentences.attribute(words, name),
        "line_of": lambda item: told(item, words.language),
        "newer": lambda item: newer(item, words.language),
    }
    return environment().get_template(template).render(usual | parts)


@dataclass(frozen=True, slots=True)
class Clockface:
    """A clock in a language and a place, at a moment."""

    words: Words
    zone: tzinfo
    now: datetime

    def here(self, moment: datetime) -> datetime:
        return moment.astimezone(self.zone)

    def day(self, moment: date) -> str:
        """ "Mar 3, 2026", "3 mar 2026"; the year is left out where it is this one's."""
        when = self._date(moment)
        is_this_year = when.year == self.here(self.now).year
        return dates.day(when, self.words.language) if is_this_year else dates.full_day(when, self.words.language)

    def long_day(self, moment: date) -> str:
        """ "Tuesday, March 3, 2026", "terça-feira, 3 de março de 2026"."""
        return dates.long_day(self._date(moment), self.words.language)

    def days(self, first: date, last: date) -> str:
        """Some days running: "March 2–8, 2026", "2 a 8 de março de 2026"."""
        return dates.span(first, last, self.words.language)

    def month(self, when: date) -> str:
        """ "March 2026", "março de 2026"."""
        month = dates.month_name(when, self.words.language)
        return Words(self.words.language, "formats")("month", month=month, year=when.year)

    def hour(self, moment: datetime) -> str:
        return f"{self.here(moment):%H:%M}"

    def moment(self, moment: datetime) -> str:
        """A day with its hour."""
        return f"{self.day(moment)}, {self.hour(moment)}"

    def exact(self, moment: datetime) -> str:
        """A moment to keep, with its year and its offset from UTC."""
        here = self.here(moment)
        shift = f"{here:%z}"
        apart = f"UTC{shift[:3]}:{shift[3:5]}".replace("-", "−") if here.utcoffset() else "UTC"
        return f"{dates.full_day(here, self.words.language)}, {here:%H:%M} ({apart})"

    def span(self, length: timedelta) -> str:
        return sentences.span(self.words, length)

    def ago(self, moment: datetime) -> str:
        """ "2 h ago"; a day once it is more than a month past, or to come."""
        past = self.now - moment
        if not timedelta() <= past < timedelta(days=30):
            return self.day(moment)
        if past < timedelta(minutes=1):
            return self.words("time.now")
        return self.words("time.ago", span=sentences.span(self.words, past))

    def _date(self, moment: date) -> date:
        return self.here(moment).date() if isinstance(moment, datetime) else moment


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


def opening_of(note: Note, longest: int = 320) -> str:
    """The first words of a note, where they say more than its title."""
    text = opening(note.summary, longest)
    return "" if fold(text).rstrip(" .!?…") == fold(note.title).rstrip(" .!?…") else text


class _Reader(MarkdownIt):
    """Reads plain Markdown; an address that leads elsewhere than to the open web makes no link."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name of the one it replaces
        return _OPEN_WEB.match(url) is not None


@cache
def _reader() -> _Reader:
    return _Reader("commonmark", {"html": False, "linkify": False, "typographer": False})


def _tame(tokens: list[Token]) -> list[Token]:
    """Headings below the page's own, links without a referrer, and words in the place of pictures."""
    for token in tokens:
        if token.tag == "h1":
            token.tag = "h2"
        for inside in token.children or ():
            if inside.type == "link_open":
                inside.attrSet("rel", "noopener noreferrer")
            elif inside.type == "image":
                inside.type, inside.tag = "text", ""
    return tokens


# ── style, script and icons; their address changes when they do, so browsers keep them ───────────────────────────

STATIC = Path(__file__).parent / "static"
FILES = {
    "page.css": ("text/css; charset=utf-8", sorted((STATIC / "css").glob("*.css"))),
    "page.js": ("text/javascript; charset=utf-8", [STATIC / "js" / "htmx.min.js", STATIC / "js" / "page.js"]),
    "icons.svg": ("image/svg+xml", [STATIC / "icons.svg"]),
    "favicon.svg": ("image/svg+xml", [STATIC / "favicon.svg"]),
}
"""The files as they are sent: their type, and what they are put together from."""


@cache
def asset(name: str) -> tuple[bytes, bytes, str]:
    """A file as it is sent: plain, compressed, and its version."""
    body = b"\n".join(path.read_bytes() for path in FILES[name][1])
    return body, gzip.compress(body, mtime=0), hashlib.sha256(body).hexdigest()[:12]


def address(name: str) -> str:
    """Where a page finds one."""
    return f"/static/{name}?v={asset(name)[2]}"


async def send(request: Request) -> Response:
    """One of the files; the icon where browsers look for it beside what is no page of ours, like a JSON answer."""
    name = str(request.path_params.get("name", "favicon.svg"))
    if name not in FILES:
        return Response(status_code=404)
    body, small, version = asset(name)
    headers = {"Vary": "Accept-Encoding"}
    if request.query_params.get("v") == version:
        headers["Cache-Control"] = "public, max-age=31536000, immutable"
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["Content-Encoding"] = small, "gzip"
    return Response(body, media_type=FILES[name][0], headers=headers)
