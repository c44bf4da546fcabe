"""The words of a judgement. Kinds and areas are the domain's own; acts, moods and emotions are only judged here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from relembra.domain.knowledge import KnowledgeType, LifeArea

__all__ = [
    "AREAS",
    "KINDS",
    "Act",
    "Choice",
    "Emotion",
    "Judgement",
    "Label",
    "Mood",
    "Relation",
    "SelfTest",
    "Verdict",
]


T = TypeVar("T", bound=StrEnum | None)

KINDS: tuple[KnowledgeType | None, ...] = (
    KnowledgeType.FACT,
    KnowledgeType.PREFERENCE,
    KnowledgeType.GOAL,
    KnowledgeType.MEMORY,
    KnowledgeType.EMOTION,
    KnowledgeType.PERSON,
    None,
)
"""What a message may tell, in the order of the head's outputs; None when it tells nothing to keep.

An event somebody lived is a `memory`. An `insight` is drawn from many messages, so no single one tells it.
"""

AREAS: tuple[LifeArea | None, ...] = (*LifeArea, None)
"""The areas of life, in the order of the head's outputs; None for names, ages, homes and whatever belongs to none."""


class Act(StrEnum):
    """What a message does. One message may do several."""

    QUESTION = "question"
    REQUEST = "request"
    SMALL_TALK = "small_talk"
    STATEMENT = "statement"


class Mood(StrEnum):
    NEGATIVE = "negative"
    NEUTRAL = "neutral"
    POSITIVE = "positive"


class Emotion(StrEnum):
    JOY = "joy"
    SADNESS = "sadness"
    ANGER = "anger"
    FEAR = "fear"
    STRESS = "stress"
    LOVE = "love"
    SURPRISE = "surprise"
    CALM = "calm"
    NONE = "none"


class Label(StrEnum):
    """How two statements stand to each other."""

    SAME = "same"
    CONTRADICTS = "contradicts"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a message is worth remembering, how likely that is, and why it was decided so."""

    value: bool
    probability: float  # of being worth remembering, whichever way it was decided
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Generic[T]):
    """One of a closed list. The probabilities of `all` sum to 1, except for acts, where each stands alone."""

    value: T
    probability: float
    why: str
    all: Mapping[T, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Everything judged of one message. `acts` holds the likeliest act and every other that is likely enough."""

    worth: Verdict
    kind: Choice[KnowledgeType | None]
    area: Choice[LifeArea | None]
    act: Choice[Act]
    acts: frozenset[Act]
    mood: Choice[Mood]
    emotion: Choice[Emotion]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """How the second statement of a pair stands to the first. The probabilities of `all` sum to 1."""

    label: Label
    probability: float
    why: str
    all: Mapping[Label, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTest:
    """Plain cases judged as they should be, and the probability of the one that was least sure."""

    cases: int
    least_sure: float
