"""What comes back: the context for an assistant, search, recall and its reasons."""

from __future__ import annotations

from typing import Annotated

from fastapi import Response
from pydantic import ConfigDict, Field

from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered
from relembra.interfaces.http.callers import MemoryDep, Reading
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import (
    BODY,
    LARGEST_BUDGET,
    LARGEST_LIMIT,
    Asked,
    Handed,
    Moment,
    Spoken,
    Where,
    Wishes,
    asked,
)
from relembra.store.port import Kind

router = group("recall")

RowKind = Annotated[Kind, Field(strict=False)]


class Then(Asked):
    as_of: Moment | None = Field(None, description="What was believed at that moment.")
    true_at: Moment | None = Field(None, description="What was true at that moment.")
    history: bool | None = Field(None, description="What is not held any more as well.")
    budget: int | None = Field(None, ge=0, le=LARGEST_BUDGET, description="At most so many tokens.")


class ContextBody(Handed, Spoken, Then, Where):
    model_config = ConfigDict(
        **BODY,
        json_schema_extra={
            "examples": [
                {"user": "ana", "query": "onde devo jantar hoje?", "budget": 600},
                {"user": "ben", "query": "what should I get my sister?", "space": "family", "mentioned": ["kate"]},
            ]
        },
    )

    query: str | None = Field(None, description="What is asked; none: the last thing said.")
    conversation: str | None = Field(None, description="The conversation at hand.")
    format: str | None = Field(None, description="markdown, xml or chat.")
    speakers: list[str] | None = Field(
        None, fail_fast=True, description="Who speaks in the space, beside those heard there lately."
    )
    mentioned: list[str] | None = Field(None, fail_fast=True, description="Who is mentioned.")
    skip: bool | None = Field(None, description="Remember nothing for this one.")


class SearchBody(Handed, Wishes, Where):
    model_config = ConfigDict(
        **BODY, json_schema_extra={"examples": [{"user": "ana", "query": "alergias", "area": ["health"], "limit": 3}]}
    )

    query: str
    limit: int | None = Field(None, ge=1, le=LARGEST_LIMIT)


class RecallBody(SearchBody):
    model_config = ConfigDict(
        **BODY, json_schema_extra={"examples": [{"user": "ben", "query": "what did Kate say about Oslo?"}]}
    )

    kinds: list[RowKind] | None = Field(None, fail_fast=True, description="Only rows of these kinds.")


class WhyBody(Handed, Spoken, Then, Where):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"user": "ana", "query": "onde eu moro?"}]})

    query: str
    limit: int | None = Field(None, ge=0, description="At most so many of what was left out, the best first.")


@router.post("/context", responses=told(schemas.Context))
async def load(body: ContextBody, caller: Reading, memory: MemoryDep) -> Response:
    """The few lines that matter now, within a budget, to put before an assistant."""
    return answered(shapes.context(await memory.load(**asked(body, caller))))


@router.post("/search", responses=told(schemas.Hits))
async def search(body: SearchBody, caller: Reading, memory: MemoryDep) -> Response:
    """The items that answer best by meaning and by words, each with its score and why."""
    return answered(shapes.hits(await memory.search(**asked(body, caller))))


@router.post("/recall", responses=told(schemas.Recalled))
async def recall(body: RecallBody, caller: Reading, memory: MemoryDep) -> Response:
    """What answers a question, weak matches too: items, notes and messages."""
    return answered(shapes.recall(await memory.recall(**asked(body, caller))))


@router.post("/why", responses=told(schemas.Trace))
async def why(body: WhyBody, caller: Reading, memory: MemoryDep) -> Response:
    """The context a query would get, from candidates to the cut, misses included. Nothing is counted or asked."""
    given = asked(body, caller)
    most = given.pop("limit", None)
    trace = await memory.why(**given)
    best = sorted(trace.missed, key=lambda one: one.score, reverse=True)
    return answered(shapes.trace(trace, best[:most]))
