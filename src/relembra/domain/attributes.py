"""The attributes Relembra knows by name: how each changes over time, and where it belongs in a person's picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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


_R, _S, _T, _A = SupersessionRule, Section, KnowledgeType, LifeArea

ATTRIBUTES: dict[str, Attribute] = {
    "name": Attribute(_R.REPLACE, _S.BIO, _T.FACT, None, "identity", 1.0),
    "nickname": Attribute(_R.REPLACE, _S.BIO, _T.PREFERENCE, None, "identity", 0.9),
    "pronouns": Attribute(_R.REPLACE, _S.BIO, _T.FACT, None, "identity", 0.9),
    "age": Attribute(_R.KEEP_HISTORY, _S.BIO, _T.FACT, None, "identity", 1.0),
    "birthday": Attribute(_R.FIXED, _S.BIO, _T.FACT, None, "identity", 1.0),
    "birthplace": Attribute(_R.FIXED, _S.BIO, _T.FACT, None, "identity", 0.9),
    "nationality": Attribute(_R.COEXIST, _S.BIO, _T.FACT, None, "identity", 0.9),
    "timezone": Attribute(_R.REPLACE, _S.BIO, _T.FACT, None, "identity", 0.7),
    "residence": Attribute(_R.REPLACE, _S.BIO, _T.FACT, None, "home", 1.0),
    "possession": Attribute(_R.COEXIST, _S.OTHER, _T.FACT, _A.FINANCE, "possessions", 0.6),
    "employment": Attribute(_R.REPLACE, _S.BIO, _T.FACT, _A.CAREER, "work", 1.0),
    "occupation": Attribute(_R.ON_CHANGE, _S.BIO, _T.FACT, _A.CAREER, "work", 1.0),
    "study": Attribute(_R.ON_CHANGE, _S.BIO, _T.FACT, _A.GROWTH, "education", 0.8),
    "project": Attribute(_R.COEXIST, _S.OTHER, _T.FACT, _A.CAREER, "projects", 0.6),
    "client": Attribute(_R.COEXIST, _S.OTHER, _T.FACT, _A.CAREER, "clients", 0.6),
    "contract": Attribute(_R.COEXIST, _S.OTHER, _T.MEMORY, _A.CAREER, "contracts", 0.7),
    "meeting": Attribute(_R.COEXIST, _S.OTHER, _T.MEMORY, _A.CAREER, "meetings", 0.7),
    "deadline": Attribute(_R.COEXIST, _S.OTHER, _T.MEMORY, _A.CAREER, "deadlines", 0.8),
    "salary": Attribute(_R.REPLACE, _S.OTHER, _T.FACT, _A.FINANCE, "income", 0.7),
    "debt": Attribute(_R.COEXIST, _S.OTHER, _T.FACT, _A.FINANCE, "debts", 0.7),
    "marital_status": Attribute(_R.REPLACE, _S.RELATIONSHIPS, _T.FACT, _A.RELATIONSHIPS, "partner", 1.0),
    "relation": Attribute(_R.REPLACE, _S.RELATIONSHIPS, _T.PERSON, _A.RELATIONSHIPS, "people", 0.9),
    "children": Attribute(_R.KEEP_HISTORY, _S.RELATIONSHIPS, _T.FACT, _A.RELATIONSHIPS, "family", 0.9),
    "condition": Attribute(_R.COEXIST, _S.BIO, _T.FACT, _A.HEALTH, "conditions", 0.9),
    "allergy": Attribute(_R.COEXIST, _S.BIO, _T.FACT, _A.HEALTH, "allergies", 1.0),
    "intolerance": Attribute(_R.COEXIST, _S.BIO, _T.FACT, _A.HEALTH, "allergies", 1.0),
    "medication": Attribute(_R.COEXIST, _S.BIO, _T.FACT, _A.HEALTH, "medication", 0.9),
    "diet": Attribute(_R.ON_CHANGE, _S.BIO, _T.FACT, _A.HEALTH, "food", 0.9),
    "weight": Attribute(_R.KEEP_HISTORY, _S.BIO, _T.FACT, _A.HEALTH, "body", 0.7),
    "height": Attribute(_R.KEEP_HISTORY, _S.BIO, _T.FACT, _A.HEALTH, "body", 0.7),
    "blood_type": Attribute(_R.FIXED, _S.BIO, _T.FACT, _A.HEALTH, "body", 0.8),
    "language": Attribute(_R.COEXIST, _S.SKILLS, _T.FACT, _A.GROWTH, "languages", 0.8),
    "skill": Attribute(_R.COEXIST, _S.SKILLS, _T.FACT, _A.GROWTH, "skills", 0.7),
    "likes": Attribute(_R.COEXIST, _S.INTERESTS, _T.PREFERENCE, _A.LEISURE, "tastes", 0.7),
    "dislikes": Attribute(_R.COEXIST, _S.INTERESTS, _T.PREFERENCE, _A.LEISURE, "tastes", 0.7),
    "habit": Attribute(_R.COEXIST, _S.INTERESTS, _T.FACT, _A.GROWTH, "habits", 0.7),
    "wake_time": Attribute(_R.REPLACE, _S.OTHER, _T.FACT, _A.HEALTH, "sleep", 0.7),
    "bedtime": Attribute(_R.REPLACE, _S.OTHER, _T.FACT, _A.HEALTH, "sleep", 0.7),
    "schedule": Attribute(_R.COEXIST, _S.OTHER, _T.FACT, None, "schedule", 0.7),
    "communication": Attribute(_R.COEXIST, _S.OTHER, _T.PREFERENCE, None, "communication", 0.9),
    "goal": Attribute(_R.CHECK_COMPLETION, _S.OTHER, _T.GOAL, _A.GROWTH, "goals", 0.9),
    "achieved": Attribute(_R.COEXIST, _S.OTHER, _T.MEMORY, _A.GROWTH, "goals", 0.8),
    "dropped_goal": Attribute(_R.COEXIST, _S.OTHER, _T.MEMORY, _A.GROWTH, "goals", 0.6),
    "event": Attribute(_R.COEXIST, _S.OTHER, _T.MEMORY, None, "events", 0.8),
    "emotion": Attribute(_R.COEXIST, _S.OTHER, _T.EMOTION, _A.MENTAL_HEALTH, "feelings", 0.8),
    "religion": Attribute(_R.ON_CHANGE, _S.BIO, _T.FACT, _A.SPIRITUALITY, "belief", 0.8),
    "opinion": Attribute(_R.COEXIST, _S.OPINIONS, _T.PREFERENCE, None, "opinions", 0.6),
    "value": Attribute(_R.COEXIST, _S.OPINIONS, _T.PREFERENCE, None, "values", 0.8),
}

FORMER = "former_"
"""Before an attribute's name: it was so and is no longer, which ends the same value held as current."""
FAVORITE = "favorite_"

OPPOSITES = {"likes": "dislikes", "dislikes": "likes"}
ENDS_A_GOAL = frozenset({"achieved", "dropped_goal"})
EVENTS = tuple(name for name, attribute in ATTRIBUTES.items() if attribute.type is KnowledgeType.MEMORY)
"""Attributes of what happens on a day: event, meeting, deadline, contract, achieved, dropped_goal."""

DATED = frozenset({"meeting", "deadline", "contract", "schedule", "event", "habit"})
"""Attributes of what has a day of its own, which may move."""

_FAVORITE = Attribute(_R.REPLACE, _S.INTERESTS, _T.PREFERENCE, _A.LEISURE, "tastes", 0.7)
_FAVORITE_THING = Attribute(_R.COEXIST, _S.INTERESTS, _T.PREFERENCE, _A.LEISURE, "tastes", 0.7)
_UNKNOWN = Attribute(_R.COEXIST, _S.OTHER, _T.FACT)


def about(attribute: str | None) -> Attribute:
    """What is fixed about an attribute; one without a name of ours may have many values at once."""
    name = attribute or ""
    if name in ATTRIBUTES:
        return ATTRIBUTES[name]
    if name.startswith(FAVORITE):
        return _FAVORITE_THING if name == FAVORITE + "thing" else _FAVORITE
    if name.startswith(FORMER):
        was = about(name.removeprefix(FORMER))
        return Attribute(_R.COEXIST, was.section, _T.MEMORY, was.area, was.sub_area, round(was.weight * 0.7, 2))
    return _UNKNOWN


def rule_for(attribute: str | None) -> SupersessionRule:
    return about(attribute).rule


def is_single(attribute: str | None) -> bool:
    """Whether the attribute usually has one value at a time."""
    return rule_for(attribute) not in (SupersessionRule.COEXIST, SupersessionRule.CHECK_COMPLETION)


def is_state(attribute: str | None, type: KnowledgeType) -> bool:
    """Whether it is how things are, so that one that begins later is a plan; not what happens on a day or is wished."""
    return type not in (KnowledgeType.MEMORY, KnowledgeType.GOAL) and attribute not in DATED


def is_known(attribute: str) -> bool:
    """Whether it is an attribute of ours, also as a favourite or a former one."""
    name = attribute.removeprefix(FORMER)
    return name in ATTRIBUTES or (name.startswith(FAVORITE) and len(name) > len(FAVORITE))
