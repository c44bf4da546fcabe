"""What is known of a person as a Markdown document for people: by area of life, with what was before.

Remembered text is put on one line and every mark that means something in Markdown is escaped, so that nothing anybody
said can become a heading, a link or a picture.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from relembra.domain.case import Case
from relembra.domain.confidence import ConfidenceLevel, level
from relembra.domain.knowledge import SELF, KnowledgeItem, LifeArea, Source
from relembra.domain.moment import local
from relembra.domain.policy import ConfidencePolicy

_MONTHS = {
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "pt": ("jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"),
}
_AREAS = {
    LifeArea.HEALTH: ("Health", "Saúde"),
    LifeArea.FINANCE: ("Finance", "Finanças"),
    LifeArea.RELATIONSHIPS: ("Relationships", "Relacionamentos"),
    LifeArea.CAREER: ("Career", "Carreira"),
    LifeArea.GROWTH: ("Growth", "Crescimento"),
    LifeArea.LEISURE: ("Leisure", "Lazer"),
    LifeArea.SPIRITUALITY: ("Spirituality", "Espiritualidade"),
    LifeArea.MENTAL_HEALTH: ("Mental health", "Saúde mental"),
    None: ("Other things", "Outras coisas"),
}
_LEVELS = {
    ConfidenceLevel.HIGH: ("sure", "certo"),
    ConfidenceLevel.MEDIUM: ("fairly sure", "quase certo"),
    ConfidenceLevel.LOW: ("unsure", "incerto"),
    ConfidenceLevel.DOUBTFUL: ("doubtful", "duvidoso"),
}
_SOURCES = {
    Source.CONVERSATION: ("from a conversation", "de uma conversa"),
    Source.USER_INPUT: ("typed in", "digitado"),
    Source.AI_INFERENCE: ("concluded", "deduzido"),
    Source.IMPORT: ("imported", "importado"),
}
_WORDS = {
    "title": ("What is remembered of {name}", "O que se lembra de {name}"),
    "when": ("As of {day}.", "Em {day}."),
    "nothing": ("Nothing is known yet.", "Ainda não se sabe nada."),
    "before": ("Before", "Antes"),
    "people": ("People", "Pessoas"),
    "questions": ("Open questions", "Perguntas em aberto"),
    "which": ("“{old}” or “{new}”?", "“{old}” ou “{new}”?"),
    "confirmed": ("confirmed", "confirmado"),
    "said_by": ("said by {name}", "dito por {name}"),
    "until": ("until {day}", "até {day}"),
    "archived": ("put away {day}", "guardado no arquivo em {day}"),
    "from_to": ("{start} to {end}", "{start} a {end}"),
}
_MARKS = re.compile(r"([\\`*_\[\]<>|~&$#])")
_OPENING = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_UNSEEN = ("Cc", "Cf", "Co", "Cs")


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """Somebody in the person's life, with what is known of them."""

    name: str
    relation: str | None
    facts: tuple[str, ...]


def life_of(
    name: str,
    items: Iterable[KnowledgeItem],
    people: Sequence[Acquaintance],
    cases: Sequence[Case],
    *,
    now: datetime,
    language: str,
    confidence: ConfidencePolicy,
) -> str:
    """The document. What was deleted is not in it; what was replaced, put away or has expired stands under "Before"."""
    shown = {item.id: item for item in items if item.deleted_at is None}
    told = _Told(language, confidence, now)
    lines = [f"# {told.word('title', name=safe(name))}", "", told.word("when", day=told.day(now)), ""]
    if not shown:
        lines += [told.word("nothing"), ""]
    for area in (*LifeArea, None):
        lines += told.area(area, [item for item in shown.values() if item.area is area])
    lines += told.people(people)
    lines += told.questions(cases, shown)
    return "\n".join(lines).rstrip("\n") + "\n"


class _Told:
    """The parts of the document in one language."""

    def __init__(self, language: str, confidence: ConfidencePolicy, now: datetime) -> None:
        self._language = language
        self._column = 1 if language == "pt" else 0
        self._confidence = confidence
        self._now = now

    def word(self, key: str, **parts: str) -> str:
        return _WORDS[key][self._column].format(**parts)

    def day(self, moment: datetime, zone: str = "+00:00") -> str:
        return day(moment, zone, self._language)

    def area(self, area: LifeArea | None, items: Sequence[KnowledgeItem]) -> list[str]:
        if not items:
            return []
        current = [item for item in items if item.is_current(self._now)]
        earlier = [item for item in items if not item.is_current(self._now)]
        lines = [f"## {_AREAS[area][self._column]}", "", *(self._current(item) for item in current)]
        if earlier:
            lines += [*([""] if current else []), f"### {self.word('before')}", ""]
            lines += [self._earlier(item) for item in earlier]
        return [*lines, ""]

    def people(self, people: Sequence[Acquaintance]) -> list[str]:
        if not people:
            return []
        lines = [f"## {self.word('people')}", ""]
        for one in people:
            tie = f" ({safe(one.relation)})" if one.relation else ""
            facts = "; ".join(safe(fact) for fact in one.facts)
            lines.append(f"- **{safe(one.name)}**{tie}{': ' + facts if facts else ''}")
        return [*lines, ""]

    def questions(self, cases: Sequence[Case], items: Mapping[str, KnowledgeItem]) -> list[str]:
        asked = [
            self.word("which", old=safe(items[case.old_id].content), new=safe(items[case.new_id].content))
            for case in cases
            if case.old_id in items and case.new_id in items
        ]
        return [f"## {self.word('questions')}", "", *(f"- {text}" for text in asked), ""] if asked else []

    def _current(self, item: KnowledgeItem) -> str:
        sure = _LEVELS[level(item.confidence, self._confidence)][self._column]
        parts = [self.day(item.held_from, item.zone), sure]
        if item.validated:
            parts.append(self.word("confirmed"))
        if item.expires_at is not None:
            parts.append(self.word("until", day=self.day(item.expires_at, item.zone)))
        return self._line(item, [*parts, *self._origin(item)])

    def _earlier(self, item: KnowledgeItem) -> str:
        start = self.day(item.held_from, item.zone)
        end = item.held_until or item.superseded_at or item.expires_at
        time = start if end is None else self.word("from_to", start=start, end=self.day(end, item.zone))
        parts = [time]
        if item.archived_at is not None and item.superseded_at is None:
            parts.append(self.word("archived", day=self.day(item.archived_at, item.zone)))
        return self._line(item, [*parts, *self._origin(item)])

    def _origin(self, item: KnowledgeItem) -> list[str]:
        said_by = [] if item.speaker is None else [self.word("said_by", name=safe(item.speaker))]
        return [_SOURCES[item.source][self._column], *said_by]

    def _line(self, item: KnowledgeItem, parts: Sequence[str]) -> str:
        whom = "" if item.subject == SELF else f"**{safe(item.subject)}**: "
        return f"- {whom}{safe(item.content)} — {' · '.join(parts)}"


def day(moment: datetime, zone: str, language: str) -> str:
    """1 mar 2026 in Portuguese, Mar 1, 2026 in English, on that clock; at the ends of the calendar by UTC."""
    try:
        there = local(moment, zone)
    except (OverflowError, KeyError, ValueError, OSError):
        there = moment
    month = _MONTHS[language][there.month - 1]
    return f"{there.day} {month} {there.year}" if language == "pt" else f"{month} {there.day}, {there.year}"


def safe(text: str) -> str:
    """Remembered text on one line, every mark escaped that would mean something in Markdown or HTML."""
    line = " ".join(one_line(text).split())
    escaped = _MARKS.sub(r"\\\1", line)
    if escaped[:1] in ("-", "+", "=", ":", "!"):
        escaped = "\\" + escaped
    return _OPENING.sub(r"\1\\\2", escaped)


def one_line(text: str) -> str:
    """The text without breaks, and without what cannot be seen."""
    kept = (" " if char.isspace() else char for char in text if char.isspace() or _is_seen(char))
    return "".join(kept).strip()


def _is_seen(char: str) -> bool:
    return char == "\u200d" or unicodedata.category(char) not in _UNSEEN
