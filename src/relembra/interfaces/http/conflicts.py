"""Contradictions: the case file, and the person's answers."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import ConfigDict, Field

from relembra.domain.case import Outcome
from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered, page_answer
from relembra.interfaces.http.callers import MemoryDep, Reading, Writing
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import BODY, By, Handed, Id, Paged, Where, Whose, anybody_asked, asked

router = group("conflicts")


class Kept(StrEnum):
    NEW = Outcome.NEW.value
    OLD = Outcome.OLD.value
    BOTH = Outcome.BOTH.value
    NEITHER = Outcome.NEITHER.value


class ConflictsQuery(Handed, Paged, Where):
    open_only: bool | None = Field(None, description="Only those that wait for an answer.")


class ResolveBody(By, Whose):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"user": "ana", "keep": "new"}]})

    keep: Kept = Field(strict=False, description="Which side is right.")


class ReopenBody(By, Whose):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"user": "ana"}]})


@router.get("/conflicts", responses=told(schemas.Conflicts, paged=True))
async def conflicts(
    request: Request, query: Annotated[ConflictsQuery, Query()], caller: Reading, memory: MemoryDep
) -> Response:
    """The case file, newest first: both sides, who or what judged, why, and how it ended."""
    return page_answer(request, await memory.conflicts(**asked(query, caller)), shapes.conflict)


@router.get("/conflicts/{id}", responses=told(schemas.Conflict))
async def conflict(id: Id, query: Annotated[Whose, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """One case, by its id or the id of an item in it."""
    return answered(shapes.conflict(await memory.conflict(id, **asked(query, caller))))


@router.post("/conflicts/{id}/resolve", responses=told(schemas.Conflict))
async def resolve(id: Id, body: ResolveBody, caller: Writing, memory: MemoryDep) -> Response:
    """The person's answer to a case; may be given again to change it. An administrator need not say whose it is."""
    return answered(shapes.conflict(await memory.resolve(id, **anybody_asked(body, caller))))


@router.post("/conflicts/{id}/reopen", responses=told(schemas.Conflict))
async def reopen(id: Id, body: ReopenBody, caller: Writing, memory: MemoryDep) -> Response:
    """Take a case's decision back, whoever took it: both sides are current again."""
    return answered(shapes.conflict(await memory.reopen(id, **anybody_asked(body, caller))))
