"""The words of a judgement, and the numbers it is taken with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

__all__ = [
    "Act",
    "Area",
    "Choice",
    "Emotion",
    "JudgePolicy",
    "Judgement",
    "Kind",
    "Label",
    "Mood",
    "Relation",
    "Verdict",
]


T = TypeVar("T", bound=StrEnum)


class Kind(StrEnum):
    """What sort of thing a message tells; `NONE` when it tells nothing to keep."""

    FACT = "fact"
    PREFERENCE = "preference"
    GOAL = "goal"
    EVENT = "event"
    EMOTION = "emotion"
    PERSON = "person"
    NONE = "none"


class Area(StrEnum):
    """The area of life; `NONE` for names, ages, homes and whatever belongs to no area."""

    HEALTH = "health"
    FINANCE = "finance"
    RELATIONSHIPS = "relationships"
    CAREER = "career"
    GROWTH = "growth"
    LEISURE = "leisure"
    SPIRITUALITY = "spirituality"
    MENTAL_HEALTH = "mental_health"
    NONE = "none"


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
class JudgePolicy:
    """Where a probability becomes a decision."""

    worth_at_least: float = 0.5
    act_at_least: float = 0.5  # an act is named when its own probability reaches this; the likeliest always is
    rule_sure: float = 0.97  # the probability a rule speaks with
    same_at_least: float = 0.4  # a likelier "same" below this is "neither"
    contradicts_at_least: float = 0.4


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
    kind: Choice[Kind]
    area: Choice[Area]
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
