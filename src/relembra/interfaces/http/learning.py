"""Learning: from what was said so far, or only foreseen; and what models were asked for it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import ConfigDict, Field

from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered
from relembra.interfaces.http.callers import MemoryDep, Reading, Writing
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import BODY, Day, Moment, Where, Whose, anybody_asked, asked

router = group("learning")


class LearnBody(Where):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"user": "ana"}]})


class PreviewBody(Where):
    model_config = ConfigDict(
        **BODY, json_schema_extra={"examples": [{"user": "ana", "text": "Mudei de emprego, agora estou na Embraer."}]}
    )

    text: str
    at: Moment | None = Field(None, description="As if said then; none: now.")
    author: str | None = Field(None, description="As if said by somebody else.")


class UsageQuery(Whose):
    since: Day | None = Field(None, description="From that day on, in UTC.")


@router.post("/learn", responses=told(schemas.Learnt))
async def learn(body: LearnBody, caller: Writing, memory: MemoryDep) -> Response:
    """Learn from what was said so far, without waiting for quiet, and say what came of it.

    `settled` is always empty here: cases that were settled are told by GET /v1/conflicts.
    """
    return answered(shapes.learnt(await memory.learn(**asked(body, caller)), ()))


@router.post("/preview", responses=told(schemas.Preview))
async def preview(body: PreviewBody, caller: Reading, memory: MemoryDep) -> Response:
    """What would be learnt if this were said now, without storing anything."""
    return answered(shapes.forecast(await memory.preview(**asked(body, caller))))


@router.get("/usage", responses=told(schemas.Uses))
async def usage(query: Annotated[UsageQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """What language models were asked, by day, task and model; of one person, or for an operator of everybody."""
    given = anybody_asked(query, caller)
    if given["user"] is None:
        caller.must_operate()
    return answered({"items": [shapes.flat(use) for use in await memory.usage(**given)]})
