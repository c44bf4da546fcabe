"""What a report is made of, read by others and handed in, and what can be told from it without its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import IntEnum

from relembra.domain.attributes import ENDS_A_GOAL, FORMER
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Note
from relembra.domain.text import fold
from relembra.views.calendar import date_in, day_of, read_birthday
from relembra.views.challenges import is_hard_feeling
from relembra.views.held import said
from relembra.views.reports.periods import Period

__all__ = [
    "DATED",
    "Coming",
    "Feeling",
    "Material",
    "Pair",
    "Tone",
    "areas_learnt",
    "coming_of",
    "is_goal",
    "learnt",
    "measured",
    "planned_for",
    "tone_of",
]

DATED = ("meeting", "deadline", "contract", "event")
"""Attributes of things planned for a day."""

_GLAD = re.compile(
    r"\b(?:feliz|felic|alegr|content|empolga|animad|grat[oaei]|orgulh|aliviad|apaixonad|tranquil|calm|confiante|"
    r"esperanc|satisfeit|encantad|otimis|happ|glad|joy|excit|thrill|proud|reliev|relief|hopeful|confident|cheer|"
    r"in love|delight|peace|optimis)"
)
_TURNED = re.compile(r"\b(?:nao|not|never|nunca|sem|without|no longer|isn'?t|wasn'?t|don'?t)\b")
_NUMBER = re.compile(r"\d{1,4}(?:[.,]\d{1,2})?")

Pair = tuple[KnowledgeItem, KnowledgeItem]
"""An older item and a newer one."""


class Tone(IntEnum):
    HARD = -1
    NEITHER = 0
    GLAD = 1


@dataclass(frozen=True, slots=True)
class Feeling:
    """A feeling told on a day."""

    day: date
    item: KnowledgeItem


@dataclass(frozen=True, slots=True, order=True)
class Coming:
    """Something of a day to come: what was said of it, or whose birthday it is (None: the owner's)."""

    day: date
    text: str
    birthday_of: str | None = None
    is_birthday: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All of one period that a report tells of; nothing deleted or forgotten is in it."""

    period: Period
    language: str
    now: datetime
    notes: tuple[Note, ...] = ()  # of talk, not of other reports
    items: tuple[KnowledgeItem, ...] = ()  # learnt in it, also those that have ended since
    said_on: Mapping[str, date] = field(default_factory=dict)  # the day an item was said, where that is in the period
    changed: tuple[Pair, ...] = ()
    questions: tuple[Pair, ...] = ()  # that only the person can settle
    feelings: tuple[Feeling, ...] = ()
    goals_again: tuple[KnowledgeItem, ...] = ()  # older ones that were said again
    goals_open: int = 0
    ties: Mapping[str, str] = field(default_factory=dict)  # what somebody is to the owner, by name
    coming: tuple[Coming, ...] = ()
    messages: int = 0  # of the person
    conversations: int = 0
    more: bool = False  # there were more than were read

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened in the period; what is open or to come is no news."""
        return not (self.notes or self.items or self.changed or self.feelings or self.goals_again or self.messages)

    def day_of(self, item: KnowledgeItem) -> date:
        """The day an item was said within the period; else the day it was learnt."""
        return self.said_on.get(item.id) or self.period.day(item.created_at)

    @property
    def is_over(self) -> bool:
        return self.now >= self.period.end

    @property
    def told(self) -> tuple[KnowledgeItem, ...]:
        """All items the report may quote, each once."""
        pairs = [item for pair in (*self.changed, *self.questions) for item in pair]
        feelings = [feeling.item for feeling in self.feelings]
        return tuple({item.id: item for item in (*self.items, *pairs, *self.goals_again, *feelings)}.values())

    @property
    def sources(self) -> tuple[str, ...]:
        """The messages behind what is told, so that forgetting them finds the report."""
        return tuple(dict.fromkeys(id for item in self.told for id in item.message_ids))


def learnt(material: Material) -> list[KnowledgeItem]:
    """What was learnt and is not told under another heading: goals, feelings, patterns and changes are."""
    elsewhere = {item.id for pair in material.changed for item in pair}
    return [item for item in material.items if item.id not in elsewhere and not _has_own_heading(item)]


def _has_own_heading(item: KnowledgeItem) -> bool:
    apart = item.type in (KnowledgeType.EMOTION, KnowledgeType.INSIGHT)
    return apart or is_goal(item) or item.attribute in ENDS_A_GOAL


def areas_learnt(items: Iterable[KnowledgeItem]) -> dict[LifeArea | None, int]:
    """How many of the items each area has, in the areas' own order, those without one last."""
    counts = Counter(item.area for item in items)
    return {area: counts[area] for area in (*LifeArea, None) if counts[area]}


def is_goal(item: KnowledgeItem) -> bool:
    return (item.type is KnowledgeType.GOAL or item.attribute == "goal") and item.attribute not in ENDS_A_GOAL


def tone_of(item: KnowledgeItem) -> Tone:
    """Whether a feeling is a hard or a glad one, as far as its words tell."""
    if is_hard_feeling(item):
        return Tone.HARD
    words = fold(said(item))
    return Tone.GLAD if _GLAD.search(words) and not _TURNED.search(words) else Tone.NEITHER


def planned_for(item: KnowledgeItem) -> date | None:
    """The day of something planned: as its words say, when it begins to hold, or when it ends or expires."""
    if item.attribute not in DATED or (item.attribute or "").startswith(FORMER):
        return None
    if (written := date_in(item.value) or date_in(item.content)) is not None:
        return written
    moments = (item.held_from, item.held_until, item.expires_at)
    return next((day_of(one, item.zone).date() for one in moments if one is not None and one > item.created_at), None)


def coming_of(
    planned: Iterable[KnowledgeItem], birthdays: Iterable[KnowledgeItem], *, first: date, last: date
) -> tuple[Coming, ...]:
    """What lies between two days, both included, the soonest first and each once."""
    found = {
        Coming(planned_day, item.content)
        for item in planned
        if (planned_day := planned_for(item)) is not None and first <= planned_day <= last
    }
    for item in birthdays:
        birthday = read_birthday(said(item), language=item.language) or read_birthday(
            item.content, language=item.language
        )
        if birthday is not None and birthday.next(first) <= last:
            name = None if item.subject == SELF else item.person.get("name") or item.subject
            found.add(Coming(birthday.next(first), name or "", name, is_birthday=True))
    return tuple(sorted(found, key=lambda one: (one.day, one.is_birthday, one.text)))


def measured(items: Sequence[KnowledgeItem]) -> list[tuple[date, float]]:
    """The course of a measure by day, the last one said of each day: (2026-03-01, 71.5)."""
    course: dict[date, float] = {}
    for item in sorted(items, key=lambda item: (item.held_from, item.created_at, item.id)):
        if found := _NUMBER.search(said(item)):
            course[day_of(item.held_from, item.zone).date()] = float(found[0].replace(",", "."))
    return sorted(course.items())
