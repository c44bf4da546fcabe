"""What is known, put together: the profile, the people, the compact memory, the patterns, and all of it from above."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import Field

from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered, page_answer
from relembra.interfaces.http.callers import MemoryDep, Reading
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import (
    LARGEST_PAGE,
    Handed,
    Moment,
    Paged,
    Spoken,
    Where,
    Whose,
    Wishes,
    asked,
)

router = group("views")


class Stride(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class ViewQuery(Handed, Where):
    pass


class ProfileQuery(Spoken, ViewQuery):
    pass


class MinifiedQuery(ViewQuery):
    limit: int | None = Field(None, ge=1, le=LARGEST_PAGE)


class MeQuery(Handed, Spoken, Whose):
    pass


class CountQuery(Wishes, ViewQuery):
    pass


class OverTimeQuery(ViewQuery):
    since: Moment | None = Field(None, description="From the step this moment lies in; none: half a year back.")
    until: Moment | None = Field(None, description="Up to the step that ends with or holds it; none: now.")
    step: Stride | None = Field(None, description="day, week or month; none: week.")


class TimelineQuery(Paged, ViewQuery):
    since: Moment | None = Field(None, description="Happened at or after.")
    until: Moment | None = Field(None, description="Happened before; none: what is planned as well.")


@router.get("/profile", responses=told(schemas.ProfileRow))
async def profile(query: Annotated[ProfileQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """Who the person is, in six sections, each line with where it is from; `text` is the whole as a block."""
    return answered(shapes.profile(await memory.profile(**asked(query, caller))))


@router.get("/cognitive", responses=told(schemas.Traits))
async def cognitive(query: Annotated[ViewQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """How the person is: preferences, habits and patterns with their confidence and how often they showed."""
    return answered({"traits": [shapes.flat(trait) for trait in await memory.cognitive(**asked(query, caller))]})


@router.get("/people", responses=told(schemas.People))
async def people(query: Annotated[ViewQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """The people and pets in the person's life, the closest first, with what is known of each."""
    return answered({"people": [shapes.person(one) for one in await memory.people(**asked(query, caller))]})


@router.get("/minified", responses=told(schemas.Minified))
async def minified(query: Annotated[MinifiedQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """What is known in its shortest form: i, t, c, w, d."""
    return answered({"items": await memory.minified(**asked(query, caller))})


@router.get("/me", responses=told(schemas.Me))
async def me(query: Annotated[MeQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """The compact memory of the person, for every prompt: at most 800 tokens; `text` is the block."""
    return answered(shapes.user_memory(await memory.me(**asked(query, caller))))


@router.get("/count", responses=told(schemas.CountsRow))
async def count(query: Annotated[CountQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """How many items are known, in all and by area, type, source and level of confidence.

    The area `none` is of items without one; what there is none of is left out.
    """
    return answered(shapes.counts(await memory.count(**asked(query, caller))))


@router.get("/over_time", responses=told(schemas.OverTimeRow))
async def over_time(query: Annotated[OverTimeQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """What was learnt, ended, archived, deleted and faded, and which moods were told, by day, week or month.

    Whole steps without gaps, the oldest first, at most 400; a day begins when it does on the server's own clock.
    """
    return answered(shapes.over_time(await memory.over_time(**asked(query, caller))))


@router.get("/timeline", responses=told(schemas.Timeline, paged=True))
async def timeline(
    request: Request, query: Annotated[TimelineQuery, Query()], caller: Reading, memory: MemoryDep
) -> Response:
    """What happened, newest first: notes and events, each under its own name."""
    return page_answer(request, await memory.timeline(**asked(query, caller)))


@router.get("/insights", responses=told(schemas.Items))
async def insights(query: Annotated[ViewQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """The patterns found so far, the surest first."""
    return answered({"items": [shapes.flat(item) for item in await memory.insights(**asked(query, caller))]})
