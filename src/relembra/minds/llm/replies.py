"""The shapes a model's replies must have. Loads pydantic, so it is only imported once a model is asked.

A shape checks form alone; whether a proposal is true to what was said is decided in `proposals`. Slips that leave no
doubt (a number for a text, null for false, capitals, an empty word for none) are not worth a second call. Nor is one
bad part: a field that can be spared is left out, and of a list the things that cannot be used.
"""

from __future__ import annotations

import logging
import re
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    StringConstraints,
    ValidationError,
    model_validator,
)

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

_LINE = re.compile(r"\s*k?(\d{1,4})\s*", re.IGNORECASE)

log = logging.getLogger(__name__)


def _joined(told: object) -> object:
    return ", ".join(map(str, told)) if isinstance(told, list) else told


def _tidied(told: object) -> object:
    return told.strip().lower() or None if isinstance(told, str) else told


def _worded(told: object) -> object:
    return told if isinstance(told, str) else ""


def _decided(told: object) -> object:
    return False if told is None else told


def _listed(told: object) -> object:
    return [] if told is None else told


def _numbers(told: object) -> object:
    """Numbers as texts; a single one for a list of it, and nothing for what is no number."""
    several = told if isinstance(told, list) else [told]
    return [str(one) for one in several if isinstance(one, str | int) and not isinstance(one, bool)]


def _counted(told: object) -> object:
    """The same as figures, also of "k2"; without what names no line."""
    several = told if isinstance(told, list) else [told]
    found = (_LINE.fullmatch(str(one)) for one in several if not isinstance(one, bool))
    return [int(number[1]) for number in found if number is not None]


def _usable(shape: type[BaseModel]) -> BeforeValidator:
    """Of a list, those that have the shape; the others are left out."""

    def sifted(told: object) -> object:
        if not isinstance(told, list):
            return _listed(told)
        kept: list[BaseModel] = []
        for one in told:
            try:
                kept.append(shape.model_validate(one))
            except ValidationError:
                continue
        if len(kept) < len(told):
            log.info("%d of the %d things in a reply cannot be used", len(told) - len(kept), len(told))
        return kept

    return BeforeValidator(sifted)


def _sure(told: object) -> object:
    is_share = isinstance(told, int | float) and not isinstance(told, bool) and 0.0 <= told <= 1.0
    return told if is_share else None


Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Told = Annotated[str | None, BeforeValidator(_joined)]
Flag = Annotated[bool, BeforeValidator(_decided)]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False, coerce_numbers_to_str=True)


class _Part(_Shape):
    """A part of a reply that stands without those of its fields that cannot be used, if it can spare them."""

    @model_validator(mode="wrap")
    @classmethod
    def _without_bad_fields(cls, told: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(told)
        except ValidationError as exc:
            bad = {error["loc"][0] for error in exc.errors() if error["loc"]}
            if not isinstance(told, dict) or not bad or any(cls.model_fields[str(name)].is_required() for name in bad):
                raise
            return handler({name: value for name, value in told.items() if name not in bad})


class PersonReply(_Part):
    name: Told = None
    relation: Told = None
    birthday: Told = None
    likes: Told = None


class Thing(_Part):
    """One thing worth knowing, as the model words it."""

    m: Words
    quote: str
    content: Words
    title: Told = None
    type: Annotated[KnowledgeType, BeforeValidator(_tidied)] = KnowledgeType.FACT
    area: Annotated[LifeArea | None, BeforeValidator(_tidied)] = None
    subject: Words = SELF
    attribute: Told = None
    value: Told = None
    changed: Flag = False
    inferred: Flag = False
    since: Told = None
    until: Told = None
    person: PersonReply | None = None
    ends: Annotated[list[int], BeforeValidator(_counted)] = Field(default_factory=list)


class DigestReply(_Shape):
    """The note and the things worth knowing of a stretch of talk."""

    title: Annotated[str, BeforeValidator(_worded)] = ""
    summary: Words
    things: Annotated[list[Thing], _usable(Thing)] = Field(default_factory=list)


class Backing(_Shape):
    """Words of a further line that a conclusion rests on."""

    m: Words
    quote: str


class Finding(Thing):
    """One thing a second reading found."""

    confidence: Annotated[float | None, BeforeValidator(_sure)] = None
    also: Annotated[list[Backing], _usable(Backing)] = Field(default_factory=list)


class RereadReply(_Shape):
    """What is worth knowing beyond what is known."""

    things: Annotated[list[Finding], _usable(Finding)] = Field(default_factory=list)


class TopicReply(_Shape):
    notes: Annotated[list[str], BeforeValidator(_numbers)] = Field(default_factory=list)
    title: Words
    summary: Words


class TopicsReply(_Shape):
    """The topics these notes tell of."""

    topics: Annotated[list[TopicReply], _usable(TopicReply)] = Field(default_factory=list)


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
