"""What is known, put together: the profile, the people, the compact memory, the patterns."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import Field

from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered
from relembra.interfaces.http.callers import MemoryDep, Reading
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import LARGEST_PAGE, Handed, Spoken, Where, Whose, asked

router = group("views")


class ViewQuery(Handed, Where):
    pass


class ProfileQuery(Spoken, ViewQuery):
    pass


class MinifiedQuery(ViewQuery):
    limit: int | None = Field(None, ge=1, le=LARGEST_PAGE)


class MeQuery(Handed, Spoken, Whose):
    pass


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


@router.get("/insights", responses=told(schemas.Items))
async def insights(query: Annotated[ViewQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """The patterns found so far, the surest first."""
    return answered({"items": [shapes.flat(item) for item in await memory.insights(**asked(query, caller))]})
