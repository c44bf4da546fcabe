"""The queue: work that waits, is under way or was given up. Nobody sees another tenant's."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import ConfigDict, Field

from relembra.domain.ids import is_id
from relembra.domain.jobs import Job, JobState
from relembra.errors import NotFoundError
from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered
from relembra.interfaces.http.callers import Administering, Caller, MemoryDep
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import BODY, LARGEST_PAGE, Asked, Id, Whose, anybody_asked
from relembra.memory import Memory

router = group("jobs")

USUAL = 100


class JobsQuery(Whose):
    state: JobState | None = Field(None, description="Only so.")
    kind: list[str] | None = Field(None, fail_fast=True, description="Only of these kinds.")
    limit: int = Field(USUAL, ge=1, le=LARGEST_PAGE)


class SettleBody(Asked):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"flush": True}]})

    flush: bool = Field(False, description="Note and learn from what was just said too, without waiting for quiet.")


@router.get("/jobs", responses=told(schemas.Jobs))
async def jobs(query: Annotated[JobsQuery, Query()], caller: Administering, memory: MemoryDep) -> Response:
    """Work that waits, is under way or was given up, the next due first; everybody's of the tenant or one person's."""
    found = await memory.jobs(within=caller.tenant, **anybody_asked(query, caller))
    return answered({"items": [shapes.job(job) for job in found]})


@router.get("/failed_jobs", responses=told(schemas.Jobs))
async def failed_jobs(caller: Administering, memory: MemoryDep) -> Response:
    """The tenant's work that was tried and is not done; the `error` of each says why."""
    return answered(
        {
            "items": [
                shapes.job(job) for job in await memory.failed_jobs(within=caller.tenant) if _is_theirs(job, caller)
            ]
        }
    )


@router.get("/jobs/{id}", responses=told(schemas.JobRow))
async def job(id: Id, caller: Administering, memory: MemoryDep) -> Response:
    """One job that is not done yet."""
    return answered(shapes.job(await _theirs(id, caller, memory)))


@router.post("/jobs/{id}/retry", responses=told(schemas.JobRow))
async def retry_job(id: Id, caller: Administering, memory: MemoryDep) -> Response:
    """Let a job that was given up, or still waits for its time, be tried now."""
    await _theirs(id, caller, memory)
    return answered(shapes.job(await memory.retry_job(id)))


@router.post("/jobs/{id}/run", responses=told(schemas.JobDone))
async def run_job(id: Id, caller: Administering, memory: MemoryDep) -> Response:
    """Do a job now, and whatever else is due."""
    await _theirs(id, caller, memory)
    left = await memory.run_job(id)
    return answered({"done": left is None, "left": None if left is None else shapes.job(left)})


@router.delete("/jobs/{id}", responses=told(schemas.JobRow))
async def cancel_job(id: Id, caller: Administering, memory: MemoryDep) -> Response:
    """Take a job that waits or was given up out of the queue."""
    await _theirs(id, caller, memory)
    return answered(shapes.job(await memory.cancel_job(id)))


@router.post("/retry", responses=told(schemas.Count))
async def retry(caller: Administering, memory: MemoryDep) -> Response:
    """Let all jobs that were given up be tried again, of every tenant; for an operator."""
    caller.must_operate()
    return answered({"count": await memory.retry()})


@router.post("/settle", responses=told(schemas.Count))
async def settle(body: SettleBody, caller: Administering, memory: MemoryDep) -> Response:
    """Finish all background work that is due now, of every tenant; for an operator."""
    caller.must_operate()
    return answered({"count": await memory.settle(flush=body.flush)})


def _is_theirs(job: Job, caller: Caller) -> bool:
    return job.scope.tenant == caller.tenant and caller.user in (None, job.scope.user)


async def _theirs(id: str, caller: Caller, memory: Memory) -> Job:
    """The job of a whole id; another tenant's or person's is as if it were not there."""
    if not is_id(id):
        raise NotFoundError("job", id)
    job = await memory.job(id)
    if not _is_theirs(job, caller):
        raise NotFoundError("job", id)
    return job
