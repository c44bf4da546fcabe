"""Night work on demand, its records, and the gardener."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import ConfigDict, Field

from relembra.domain.run import Run, RunKind
from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered, page_answer
from relembra.interfaces.http.callers import MemoryDep, Reading, Writing
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import BODY, By, Id, Paged, Whose, anybody_asked, asked, space_asked

router = group("nights")


class WorkBody(Whose):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"user": "ana"}]})


class SpaceOr(Whose):
    space: str | None = Field(None, description="A space as a whole, instead of a person.")


class RunsQuery(Paged, SpaceOr):
    kind: list[RunKind] | None = Field(None, fail_fast=True, description="Of these kinds; none: consolidations.")


class RunQuery(SpaceOr):
    raw: bool = Field(False, description="With what a model answered.")


class RollbackBody(By, SpaceOr):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"user": "ana"}]})


@router.post("/consolidate", responses=told(schemas.RunOrNone))
async def consolidate(body: WorkBody, caller: Writing, memory: MemoryDep) -> Response:
    """Do a person's night work now; its record, or null where nothing was said since the last."""
    run = await memory.consolidate(**asked(body, caller))
    return answered({"run": None if run is None else _shown(run)})


@router.get("/consolidations", responses=told(schemas.Runs, paged=True))
async def consolidations(
    request: Request, query: Annotated[RunsQuery, Query()], caller: Reading, memory: MemoryDep
) -> Response:
    """The records of night work, newest first: a person's, a space's, or for an administrator everybody's.

    A page of everybody's may hold fewer than asked for, even none, and still have a next one.
    """
    is_space = query.space is not None
    given = space_asked(query, caller) if is_space else anybody_asked(query, caller)
    listing = await memory.consolidations(**given)
    listing[:] = [run for run in listing if run.scope.tenant == caller.tenant]
    return page_answer(request, listing, _shown)


@router.get("/consolidations/{id}", responses=told(schemas.RunDetail))
async def consolidation(id: Id, query: Annotated[RunQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """One record of a person or space with every change it accounts for."""
    given = space_asked(query, caller)
    raw = given.pop("raw")
    return answered(shapes.record(await memory.consolidation(id, **given), raw=raw))


@router.post("/consolidations/{id}/rollback", responses=told(schemas.RolledBack))
async def rollback(id: Id, body: RollbackBody, caller: Writing, memory: MemoryDep) -> Response:
    """Take back everything a record accounts for, as one change; what somebody changed since stays as it is."""
    return answered(shapes.rolled_back(await memory.rollback(id, **space_asked(body, caller))))


@router.post("/garden", responses=told(schemas.RunDone))
async def garden(body: WorkBody, caller: Writing, memory: MemoryDep) -> Response:
    """Merge, fade, archive and condense a person's memory now; the record of it."""
    return answered({"run": _shown(await memory.garden(**asked(body, caller)))})


@router.get("/garden", responses=told(schemas.Plan))
async def garden_plan(query: Annotated[Whose, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """What the gardener would do now and why, without doing it."""
    return answered({"deeds": [shapes.deed(deed) for deed in await memory.garden_plan(**asked(query, caller))]})


@router.post("/insights", responses=told(schemas.RunDone))
async def find_insights(body: WorkBody, caller: Writing, memory: MemoryDep) -> Response:
    """Look for patterns in what a person said, now; the record of it."""
    return answered({"run": _shown(await memory.find_insights(**asked(body, caller)))})


def _shown(run: Run) -> dict[str, object]:
    return shapes.run(run, raw=False)
