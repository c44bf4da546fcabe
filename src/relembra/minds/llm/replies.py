"""The shapes a model's replies must have. Loads pydantic, so it is only imported once a model is asked.

A shape checks form alone; whether a proposal is true to what was said is decided in `proposals`. Slips that leave no
doubt (a number for a text, null for false, capitals, an empty word for none) are not worth a second call.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from relembra.domain.knowledge import SELF, KnowledgeType, LifeArea

__all__ = [
    "Backing",
    "ComparisonReply",
    "DigestReply",
    "Finding",
    "Mark",
    "PersonReply",
    "RelevanceReply",
    "RereadReply",
    "RetoldReply",
    "SummaryReply",
    "Thing",
    "TopicReply",
    "TopicsReply",
    "Verdict",
]


def _joined(told: object) -> object:
    return ", ".join(map(str, told)) if isinstance(told, list) else told


def _tidied(told: object) -> object:
    return told.strip().lower() or None if isinstance(told, str) else told


def _decided(told: object) -> object:
    return False if told is None else told


def _listed(told: object) -> object:
    return [] if told is None else told


def _sure(told: object) -> object:
    is_share = isinstance(told, int | float) and not isinstance(told, bool) and 0.0 <= told <= 1.0
    return told if is_share else None


Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Told = Annotated[str | None, BeforeValidator(_joined)]
Flag = Annotated[bool, BeforeValidator(_decided)]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False, coerce_numbers_to_str=True)


class PersonReply(_Shape):
    name: Told = None
    relation: Told = None
    birthday: Told = None
    likes: Told = None


class Thing(_Shape):
    """One thing worth knowing, as the model words it."""

    m: Words
    quote: str
    content: Words
    title: Told = None
    type: Annotated[KnowledgeType, BeforeValidator(_tidied)]
    area: Annotated[LifeArea | None, BeforeValidator(_tidied)] = None
    subject: Words = SELF
    attribute: Told = None
    value: Told = None
    changed: Flag = False
    inferred: Flag = False
    since: Told = None
    until: Told = None
    person: PersonReply | None = None


class DigestReply(_Shape):
    """The note and the things worth knowing of a stretch of talk."""

    title: Words
    summary: Words
    things: Annotated[list[Thing], BeforeValidator(_listed)] = Field(default_factory=list)


class Backing(_Shape):
    """Words of a further line that a conclusion rests on."""

    m: Words
    quote: str


class Finding(Thing):
    """One thing a second reading found."""

    confidence: Annotated[float | None, BeforeValidator(_sure)] = None
    also: Annotated[list[Backing], BeforeValidator(_listed)] = Field(default_factory=list)


class RereadReply(_Shape):
    """What is worth knowing beyond what is known."""

    things: Annotated[list[Finding], BeforeValidator(_listed)] = Field(default_factory=list)


class TopicReply(_Shape):
    notes: Annotated[list[str], BeforeValidator(_listed)] = Field(default_factory=list)
    title: Words
    summary: Words


class TopicsReply(_Shape):
    """The topics these notes tell of."""

    topics: Annotated[list[TopicReply], BeforeValidator(_listed)] = Field(default_factory=list)


class RetoldReply(_Shape):
    """The texts told again."""

    text: Words


class SummaryReply(_Shape):
    """Where the talk stands."""

    sentence: Words


class Verdict(_Shape):
    n: int
    contradicts: Probability
    same: Probability
    why: str = ""


class ComparisonReply(_Shape):
    """One answer a pair."""

    answers: list[Verdict]


class Mark(_Shape):
    n: int
    relevance: Annotated[float, Field(ge=0.0, le=10.0)]


class RelevanceReply(_Shape):
    """One mark a text."""

    marks: list[Mark]
