"""The attributes Relembra knows by name: how each changes over time, and where it belongs in a person's picture."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from relembra.domain.knowledge import KnowledgeType, LifeArea


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
FAVORITES: dict[str, str] = _DATA["favorites"]
"""What favourite things are called in Portuguese."""


def _attribute(
    rule: str, section: str, type: str, area: str | None = None, sub_area: str | None = None, weight: float = 0.8
) -> Attribute:
    where = None if area is None else LifeArea(area)
    return Attribute(SupersessionRule(rule), Section(section), KnowledgeType(type), where, sub_area, weight)


ATTRIBUTES: dict[str, Attribute] = {name: _attribute(**parts) for name, parts in _DATA["attributes"].items()}

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
