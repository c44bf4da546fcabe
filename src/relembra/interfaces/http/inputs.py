"""What requests hold, checked, under the names the verbs have."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from relembra.domain.audit import ActorKind
from relembra.domain.knowledge import ItemState, KnowledgeType, LifeArea, Source
from relembra.domain.moment import in_utc
from relembra.domain.text import LONGEST_NAME
from relembra.errors import InvalidInputError
from relembra.interfaces.http.callers import Caller
from relembra.interfaces.http.problems import ForbiddenError
from relembra.recall.asked import NO_AREA

LARGEST_PAGE = 1_000
LARGEST_LIMIT = 100
LARGEST_BUDGET = 1_000_000
MOST_DRAFTS = 1_000
AREAS = (*(area.value for area in LifeArea), NO_AREA)


def _moment(given: object) -> datetime:
    """A moment as people write it; numbers are refused, for nobody can tell seconds from milliseconds."""
    try:
        moment = datetime.fromisoformat(given) if isinstance(given, str) else None
    except ValueError:
        moment = None
    if moment is None:
        raise PydanticCustomError("moment", "not a moment; write it like 2026-03-01T10:00:00-03:00")
    try:
        in_utc(moment, "it")
    except InvalidInputError as error:
        raise PydanticCustomError("moment", "{said}", {"said": str(error)}) from None
    return moment


def _day(given: object) -> date:
    try:
        if isinstance(given, str):
            return date.fromisoformat(given)
    except ValueError:
        pass
    raise PydanticCustomError("day", "not a day; write it like 2026-03-01")


def _area(given: object) -> str:
    if isinstance(given, str) and given in AREAS:
        return given
    raise PydanticCustomError("area", "not an area of life; choose one of {areas}", {"areas": ", ".join(AREAS)})


Moment = Annotated[
    datetime,
    PlainValidator(_moment),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-03-01T10:00:00-03:00"]}),
]
Day = Annotated[
    date, PlainValidator(_day), WithJsonSchema({"type": "string", "format": "date", "examples": ["2026-03-01"]})
]
Id = Annotated[str, Path(description="The id.", examples=["0199f7a2-6c1e-7bb0-9d55-3f0c8a1e4b77"])]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Type = Annotated[KnowledgeType, Field(strict=False)]
Area = Annotated[LifeArea, Field(strict=False)]
WantedArea = Annotated[str, PlainValidator(_area), WithJsonSchema({"type": "string", "enum": [*AREAS]})]
From = Annotated[Source, Field(strict=False)]
Decided = Annotated[ItemState, Field(strict=False)]


class Asked(BaseModel):
    """What a request may say; a word it does not know is refused, since it may be a mistyped one."""

    model_config = ConfigDict(extra="forbid")


class Whose(Asked):
    user: Name | None = Field(None, description="Whose memory; a key bound to a person needs none.", examples=["ana"])


class Where(Whose):
    space: Name | None = Field(None, description="The guild, team or group it is about; none: in private.")
    channel: Name | None = Field(None, description="A channel of the space; none: its general one.")


class Paged(Asked):
    limit: int | None = Field(None, ge=1, le=LARGEST_PAGE, description="At most so many; 50 where it is left out.")
    after: str | None = Field(None, description="The `next` of the page before.")


class Handed(Asked):
    outside: bool | None = Field(
        None, description="It is for a model on another machine: what is marked local-only is left out."
    )


class Spoken(Asked):
    language: str | None = Field(None, pattern="^(en|pt)$", description="The language to answer in.")


class By(Asked):
    by: str | None = Field(
        None,
        description="Who does this: person:NAME, program:NAME or model:NAME; none: the person themselves.",
        examples=["program:crm"],
    )


class Wishes(Asked):
    """Which items; each part narrows, but for `history` and `deleted`."""

    type: list[Type] | None = Field(None, fail_fast=True, description="Only of these types.")
    area: list[WantedArea] | None = Field(
        None, fail_fast=True, description="Only of these areas of life; none: of no area."
    )
    source: list[From] | None = Field(None, fail_fast=True, description="Only learnt this way.")
    tags: list[str] | None = Field(None, fail_fast=True, description="Only with all of these tags.")
    subject: str | None = Field(None, description="Only about this person or thing; self: the owner of the memory.")
    attribute: str | None = Field(None, description="Only of this attribute, like residence or employment.")
    confidence: float | None = Field(None, ge=0, le=1, description="Only at least this sure.")
    below: float | None = Field(None, ge=0, le=1, description="Only less sure than this.")
    since: Moment | None = Field(None, description="Learnt at or after.")
    until: Moment | None = Field(None, description="Learnt before.")
    as_of: Moment | None = Field(None, description="What was believed at that moment.")
    true_at: Moment | None = Field(None, description="What was true at that moment.")
    note: str | None = Field(None, description="Only learnt in the note of this id.")
    only: Decided | None = Field(
        None,
        description="Only those confirmed by the person; unconfirmed: held, and not confirmed; questioned: with an "
        "open question; deleted; or local: kept on this machine.",
    )
    history: bool | None = Field(None, description="What is not held any more as well.")
    deleted: bool | None = Field(None, description="What was deleted as well.")


BODY = ConfigDict(extra="forbid", strict=True)
"""Bodies say their types; addresses cannot."""


def asked(given: Asked, caller: Caller) -> dict[str, Any]:
    """What was asked as a verb takes it: whose memory, and every other part under its own name."""
    parts = given.model_dump(exclude_none=True)
    whose = caller.whose(parts.pop("user", None))
    return {**whose, **_allowed(parts, caller)}


def anybody_asked(given: Asked, caller: Caller) -> dict[str, Any]:
    """The same where nobody need be named: then it is about everybody of the tenant, for administrators only."""
    parts = given.model_dump(exclude_none=True)
    user = caller.anybodys(parts.pop("user", None))
    return {"user": user, "tenant": caller.tenant, **_allowed(parts, caller)}


def space_asked(given: Asked, caller: Caller) -> dict[str, Any]:
    """The same where a space as a whole may be meant instead of a person."""
    parts = _allowed(given.model_dump(exclude_none=True), caller)
    if "space" not in parts:
        return asked(given, caller)
    return {"tenant": caller.tenant, **parts}


def _allowed(parts: dict[str, Any], caller: Caller) -> dict[str, Any]:
    """The parts, unless somebody bound to one person would hear a whole space or speak as another."""
    caller.enter(parts.get("space"))
    kind, _, name = parts.get("by", "").partition(":")
    if caller.user is not None and kind == ActorKind.PERSON and name != caller.user:
        raise ForbiddenError(f"this key is for {caller.user!r} and cannot speak for another user")
    if "space" in parts:
        caller.meant = None  # the answer may quote whoever else talks there
    return parts
