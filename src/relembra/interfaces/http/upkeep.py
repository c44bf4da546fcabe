"""The installation as a whole: its numbers, whether all agrees, and a copy of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered
from relembra.interfaces.http.callers import Administering, MemoryDep, Reading
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.files import binary, file_answer
from relembra.interfaces.http.inputs import Whose, anybody_asked

router = group("upkeep")


@router.get("/stats", responses=told(schemas.StatsRow))
async def stats(query: Annotated[Whose, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """How much is held, of one person, or for an operator of everybody."""
    given = anybody_asked(query, caller)
    if given["user"] is None:
        caller.must_operate()
    return answered(shapes.flat(await memory.stats(**given)))


@router.post("/verify", responses=told(schemas.Verified))
async def verify(caller: Administering, memory: MemoryDep) -> Response:
    """Check that rows, text index and vectors agree."""
    caller.must_operate()
    return answered(shapes.verification(await memory.verify()))


@router.post("/reindex", responses=told(schemas.Count))
async def reindex(caller: Administering, memory: MemoryDep) -> Response:
    """Give every row a vector of the embedder in use; may be interrupted and goes on where it stopped."""
    caller.must_operate()
    return answered({"count": await memory.reindex()})


@router.get("/other_models", responses=told(schemas.Models))
async def other_models(caller: Administering, memory: MemoryDep) -> Response:
    """Models other than the one in use that left vectors here, which reindex would replace."""
    caller.must_operate()
    return answered({"models": await memory.other_models()})


@router.get("/missing_vectors", responses=told(schemas.Count))
async def missing_vectors(caller: Administering, memory: MemoryDep) -> Response:
    """How many rows have no vector of the embedder in use. Counts everything."""
    caller.must_operate()
    return answered({"count": await memory.missing_vectors()})


@router.get(
    "/backup", response_class=Response, responses=binary("A copy of the whole store.", "application/octet-stream")
)
async def backup(caller: Administering, memory: MemoryDep) -> Response:
    """A consistent copy of everything, made while in use, to download."""
    caller.must_operate()
    return await file_answer(memory.backup, name="relembra.db", media_type="application/octet-stream")
