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

_LINE = re.compile(r"\s*[kn]?(\d{1,4})\s*", re.IGNORECASE)

log = logging.getLogger(__name__)


def _joined(given: object) -> object:
    return ", ".join(map(str, given)) if isinstance(given, list) else given


def _tidied(given: object) -> object:
    return given.strip().lower() or None if isinstance(given, str) else given


def _worded(given: object) -> object:
    return given if isinstance(given, str) else ""


def _decided(given: object) -> object:
    return False if given is None else given


def _listed(given: object) -> object:
    return [] if given is None else given


def _numbers(given: object) -> object:
    """Line numbers, also of "k2" or a single one; without what is no number."""
    several = given if isinstance(given, list) else [given]
    found = (_LINE.fullmatch(str(one)) for one in several if not isinstance(one, bool))
    return [int(number[1]) for number in found if number is not None]


def _usable(shape: type[BaseModel]) -> BeforeValidator:
    """Of a list, those that have the shape; the others are left out."""

    def sifted(given: object) -> object:
        if not isinstance(given, list):
            return _listed(given)
        kept: list[BaseModel] = []
        for one in given:
            try:
                kept.append(shape.model_validate(one))
            except ValidationError:
                continue
        if len(kept) < len(given):
            log.info("%d of the %d things in a reply cannot be used", len(given) - len(kept), len(given))
        return kept

    return BeforeValidator(sifted)


def _sure(given: object) -> object:
    is_share = isinstance(given, int | float) and not isinstance(given, bool) and 0.0 <= given <= 1.0
    return given if is_share else None


Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Text = Annotated[str | None, BeforeValidator(_joined)]
Flag = Annotated[bool, BeforeValidator(_decided)]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False, coerce_numbers_to_str=True)


class _Part(_Shape):
    """A part of a reply that stands without those of its fields that cannot be used, if it can spare them."""

    @model_validator(mode="wrap")
    @classmethod
    def _without_bad_fields(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(given)
        except ValidationError as exc:
            bad = {error["loc"][0] for error in exc.errors() if error["loc"]}
            if not isinstance(given, dict) or not bad or any(cls.model_fields[str(name)].is_required() for name in bad):
                raise
            return handler({name: value for name, value in given.items() if name not in bad})


class PersonReply(_Part):
    name: Text = None
    relation: Text = None
    birthday: Text = None
    likes: Text = None


class Thing(_Part):
    """One thing worth knowing, as the model words it."""

    m: Words
    quote: str
    content: Words
    title: Text = None
    type: Annotated[KnowledgeType, BeforeValidator(_tidied)] = KnowledgeType.FACT
    area: Annotated[LifeArea | None, BeforeValidator(_tidied)] = None
    subject: Words = SELF
    attribute: Text = None
    value: Text = None
    changed: Flag = False
    inferred: Flag = False
    since: Text = None
    until: Text = None
    person: PersonReply | None = None
    ends: Annotated[list[int], BeforeValidator(_numbers)] = Field(default_factory=list)


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
    notes: Annotated[list[int], BeforeValidator(_numbers)] = Field(default_factory=list)
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
