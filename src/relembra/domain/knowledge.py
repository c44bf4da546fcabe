"""What is believed: knowledge items, the words they are sorted by, and the attributes known by name."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from relembra.domain.scope import DIRECT, Place, Scope


class KnowledgeType(StrEnum):
    FACT = "fact"
    PREFERENCE = "preference"
    MEMORY = "memory"
    INSIGHT = "insight"
    PERSON = "person"
    GOAL = "goal"
    EMOTION = "emotion"


class LifeArea(StrEnum):
    HEALTH = "health"
    FINANCE = "finance"
    RELATIONSHIPS = "relationships"
    CAREER = "career"
    GROWTH = "growth"
    LEISURE = "leisure"
    SPIRITUALITY = "spirituality"
    MENTAL_HEALTH = "mental_health"


class Source(StrEnum):
    CONVERSATION = "conversation"
    USER_INPUT = "user_input"
    AI_INFERENCE = "ai_inference"
    IMPORT = "import"


class ItemState(StrEnum):
    """What was decided about an item, or is still to be."""

    CONFIRMED = "confirmed"  # by the person
    UNCONFIRMED = "unconfirmed"  # not yet
    QUESTIONED = "questioned"  # it needs resolution
    DELETED = "deleted"
    LOCAL = "local"  # never shown to a model on another machine


HAPPENED, KNOWN = 8, 6


def first_priority(type: KnowledgeType) -> int:
    """The priority something starts with, unless somebody gives one: what happened goes before what is known."""
    return HAPPENED if type is KnowledgeType.MEMORY else KNOWN


SELF = "self"
"""The subject of what is known about the owner of the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeItem:
    """Something held true, where it came from, how sure it is, since when, until when, and what replaced it."""

    id: str
    scope: Scope
    place: Place = DIRECT  # where it was learnt, and so where it may be heard again
    type: KnowledgeType
    area: LifeArea | None = None
    sub_area: str | None = None
    subject: str = SELF  # whom it is about
    speaker: str | None = None  # who claimed it, when that is not the owner
    attribute: str | None = None  # residence, employment, marital_status, weight, goal, …
    value: str | None = None
    title: str
    content: str
    language: str | None = None  # pt, en, or unknown
    source: Source
    note_id: str | None = None
    message_ids: tuple[str, ...] = ()
    evidence: str | None = None  # for inferences
    confidence: float  # certainty when it was learnt; superseding never changes it
    weight: float = 1.0  # importance, 0–1; may decay
    priority: int = 5  # 1–10
    validated: bool = False  # confirmed by the person: no machine overwrites it
    needs_resolution: bool = False
    related: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    person: Mapping[str, str] = field(default_factory=dict)  # name, relation, birthday, … of a person item
    observations: int = 1  # how often it was said
    accesses: int = 0
    last_access: datetime | None = None
    held_from: datetime
    held_until: datetime | None = None  # None: still held
    superseded_by: str | None = None
    superseded_at: datetime | None = None
    expires_at: datetime | None = None
    archived_at: datetime | None = None
    deleted_at: datetime | None = None
    created_at: datetime
    updated_at: datetime
    reinforced_at: datetime | None = None  # last said again; decay counts from here
    weighed_at: datetime | None = None  # the moment up to which fading is in the weight; None: it never faded
    zone: str = "+00:00"  # the speaker's clock, for the days shown
    local_only: bool = False  # never shown to a model on another machine
    version: int = 1

    @property
    def silent_since(self) -> datetime:
        """The moment up to which fading is in the weight, or from which it counts: when it was last said."""
        since = self.weighed_at or self.created_at
        return max(since, self.reinforced_at or since)

    @property
    def claimed_by(self) -> str | None:
        """Who says so, where that is somebody else and its words do not begin with their name."""
        is_told = self.speaker is None or self.speaker == self.scope.user or self.content.startswith(self.speaker)
        return None if is_told else self.speaker

    def is_current(self, now: datetime) -> bool:
        """Whether it is held now: not deleted, superseded, archived or expired."""
        return (
            self.deleted_at is None
            and self.superseded_at is None  # its successor may have been forgotten since
            and self.archived_at is None
            and (self.expires_at is None or self.expires_at > now)
        )

    def is_planned(self, now: datetime) -> bool:
        """Whether it is only going to be so: it begins to hold later."""
        return self.held_from > now

    def is_in(self, state: ItemState, as_of: datetime | None = None) -> bool:
        """Whether that was decided about it, or is still to be; of deleting, by a moment where one is given."""
        match state:
            case ItemState.CONFIRMED:
                return self.validated
            case ItemState.UNCONFIRMED:
                return not self.validated
            case ItemState.QUESTIONED:
                return self.needs_resolution
            case ItemState.DELETED:
                return self.deleted_at is not None and (as_of is None or self.deleted_at <= as_of)
            case ItemState.LOCAL:
                return self.local_only


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """What was said later against something held: the words, and when, on the speaker's clock."""

    words: str
    said_at: datetime
    item_id: str  # which holds them
    of_this_year: bool = True  # so that the day alone tells


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtedItem(KnowledgeItem):
    """An item as it is shown while newer words stand against it. It is never stored so."""

    doubt: Doubt


def doubted(item: KnowledgeItem, doubt: Doubt) -> DoubtedItem:
    """The item with the words that stand against it."""
    parts = {one.name: getattr(item, one.name) for one in fields(KnowledgeItem)}
    return DoubtedItem(**parts, doubt=doubt)


def told_beside(items: Iterable[KnowledgeItem]) -> frozenset[str]:
    """The items whose words stand beside others of these already, and need not be told by themselves."""
    return frozenset(item.doubt.item_id for item in items if isinstance(item, DoubtedItem))


HEALTH = ("allergy", "intolerance", "medication", "condition")
"""What could harm a person where nobody heeds it, the first to be careful of first."""


class SupersessionRule(StrEnum):
    REPLACE = "replace"  # the new value ends the old one
    KEEP_HISTORY = "keep_history"  # a measurement: the newest is current, the old ones stay as its history
    CHECK_COMPLETION = "check_completion"  # ends only once completed; otherwise both stand
    ON_CHANGE = "on_change"  # both stand, unless the person says that it changed
    FIXED = "fixed"  # it cannot change: with two values one is wrong, and only the person can tell which
    COEXIST = "coexist"  # several values may be true at once


class Section(StrEnum):
    """The parts of a profile."""

    BIO = "bio"
    INTERESTS = "interests"
    SKILLS = "skills"
    OPINIONS = "opinions"
    RELATIONSHIPS = "relationships"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Attribute:
    """What is fixed about an attribute; an item of it takes these unless something better is known."""

    rule: SupersessionRule
    section: Section
    type: KnowledgeType
    area: LifeArea | None = None
    sub_area: str | None = None
    weight: float = 0.8


_DATA = tomllib.loads((Path(__file__).parent / "attributes.toml").read_text("utf-8"))
TITLES: dict[str, dict[str, str]] = {
    name: {"en": parts.pop("en"), "pt": parts.pop("pt")} for name, parts in _DATA["attributes"].items()
}
"""What each is called, by language."""
KINDS: dict[str, tuple[str, ...]] = {name: tuple(listed.split()) for name, listed in _DATA["kinds"].items()}
"""What is asked for in the plural, each with the attributes such things have."""
ADVICE: dict[str, tuple[str, ...]] = {name: tuple(listed.split()) for name, listed in _DATA["advice"].items()}
"""The attributes to heed where something new is wanted, by topic."""
FAVORITES: dict[str, str] = _DATA["favorites"]
"""What favourite things are called in Portuguese."""


def _attribute(
    rule: str, section: str, type: str, area: str | None = None, sub_area: str | None = None, weight: float = 0.8
) -> Attribute:
    where = None if area is None else LifeArea(area)
    return Attribute(SupersessionRule(rule), Section(section), KnowledgeType(type), where, sub_area, weight)


ATTRIBUTES: dict[str, Attribute] = {name: _attribute(**parts) for name, parts in _DATA["attributes"].items()}


@dataclass(frozen=True, slots=True)
class Topic:
    """What is talked about: where to look first for it, and what it is called, by language."""

    types: tuple[KnowledgeType, ...]
    areas: tuple[LifeArea, ...]
    names: Mapping[str, str]


TOPICS = {
    name: Topic(
        types=tuple(map(KnowledgeType, parts.pop("types"))), areas=tuple(map(LifeArea, parts.pop("areas"))), names=parts
    )
    for name, parts in tomllib.loads((Path(__file__).parent / "topics.toml").read_text("utf-8")).items()
}
TOPIC_TAGS = frozenset(name for topic in TOPICS.values() for name in topic.names.values())
"""The tags that stand for topics found in words, rather than being words of somebody's own."""

FORMER = "former_"
"""Before an attribute's name: it was so and is no longer, which ends the same value held as current."""
FAVORITE = "favorite_"

OPPOSITES = {"likes": "dislikes", "dislikes": "likes"}
ENDS_A_GOAL = frozenset({"achieved", "dropped_goal"})
EVENTS = tuple(name for name, attribute in ATTRIBUTES.items() if attribute.type is KnowledgeType.MEMORY)
"""Attributes of what happens on a day: event, meeting, deadline, contract, achieved, dropped_goal."""

DATED = frozenset({"meeting", "deadline", "contract", "schedule", "event", "habit"})
"""Attributes of what has a day of its own, which may move."""

_FAVORITE = replace(ATTRIBUTES["likes"], rule=SupersessionRule.REPLACE)
_UNKNOWN = Attribute(SupersessionRule.COEXIST, Section.OTHER, KnowledgeType.FACT)


def about(attribute: str | None) -> Attribute:
    """What is fixed about an attribute; one without a name of ours may have many values at once."""
    name = attribute or ""
    if name in ATTRIBUTES:
        return ATTRIBUTES[name]
    if name.startswith(FAVORITE):
        return ATTRIBUTES["likes"] if name == FAVORITE + "thing" else _FAVORITE
    if name.startswith(FORMER):
        was = about(name.removeprefix(FORMER))
        weight = round(was.weight * 0.7, 2)
        return replace(was, rule=SupersessionRule.COEXIST, type=KnowledgeType.MEMORY, weight=weight)
    return _UNKNOWN


def is_single(attribute: str | None) -> bool:
    """Whether the attribute usually has one value at a time."""
    return about(attribute).rule not in (SupersessionRule.COEXIST, SupersessionRule.CHECK_COMPLETION)


def is_state(attribute: str | None, type: KnowledgeType) -> bool:
    """Whether it is how things are, so that one that begins later is a plan; not what happens on a day or is wished."""
    return type not in (KnowledgeType.MEMORY, KnowledgeType.GOAL) and attribute not in DATED


def is_known(attribute: str) -> bool:
    """Whether it is an attribute of ours, also as a favourite or a former one."""
    name = attribute.removeprefix(FORMER)
    return name in ATTRIBUTES or (name.startswith(FAVORITE) and len(name) > len(FAVORITE))
