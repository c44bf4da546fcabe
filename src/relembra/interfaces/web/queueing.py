"""The queue of work, for administrators: what waits, what failed and why; trying it again, doing it now, taking it out.

Nobody sees another tenant's, and whoever is bound to one person only theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.ids import is_id
from relembra.domain.jobs import FLUSH, NIGHT_WORK, Job, JobState
from relembra.errors import NotFoundError
from relembra.interfaces.recorded import trouble_of
from relembra.interfaces.web.errands import PATIENCE_SECONDS
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.visits import Visit, query_with

pages = Pages()

MOST = 200
FAILED = "failed"
"""Beside the states of jobs: what was tried and is not done."""
STATES = (*JobState, FAILED)
TONES: dict[str, str] = {JobState.WAITING: "", JobState.RUNNING: "accent", JobState.DEAD: "bad"}
ICONS: dict[str, str] = {
    "index": "search",
    "flush": "notebook-pen",
    "read": "eye",
    "learn": "brain",
    "begin": "calendar-days",
    "summarise": "file-text",
    "consolidate": "moon-star",
    "cluster": "tag",
    "garden": "sprout",
    "insight": "zap",
    "weekly": "calendar-days",
    "monthly": "book-open",
}


@pages.get("/nights/jobs", Right.ADMIN)
async def jobs(visit: Visit) -> Response:
    state, everybody = visit.asked("state"), _is_everybody(visit)
    found = await _found(visit, state, everybody)
    return visit.page(
        "night_jobs.html",
        title=visit.words("page.nights.jobs"),
        named=_named(visit, state, everybody),
        jobs=found,
        full=len(found) >= MOST,
        state=state,
        states=[(name, query_with(visit, {"state": name})) for name in STATES],
        every_state=query_with(visit, {"state": None}),
        everybody=everybody,
        can_see_all=visit.caller.user is None,
        of_all=query_with(visit, {"whose": "all"}),
        of_one=query_with(visit, {"whose": None}),
        any_dead=any(job.state is JobState.DEAD for job in found),
        whose=lambda job: _whose(visit, job),
        due=lambda job: visit.clock.due(job.due_at) if job.state is JobState.WAITING else "",
        why=lambda job: trouble_of(visit.words, job.error),
        can_cancel=lambda job: job.kind != FLUSH and job.state is not JobState.RUNNING,
        is_night=lambda job: job.kind in NIGHT_WORK,
        icons=ICONS,
        tones=TONES,
    )


@pages.post("/nights/jobs/{id}/retry", Right.ADMIN)
async def retry(visit: Visit) -> Response:
    job = await _theirs(visit)
    await visit.memory.retry_job(job.id)
    return visit.back(done="job_retried", otherwise="/nights/jobs")


@pages.post("/nights/jobs/{id}/run", Right.ADMIN)
async def run(visit: Visit) -> Response:
    """Do it, and whatever else is due; what takes long goes on by itself."""
    job = await _theirs(visit)
    errand = visit.errands.start(f"job {job.id}", owner=visit.owner, work=lambda _: visit.memory.run_job(job.id))
    left = await errand.outcome(PATIENCE_SECONDS)
    return visit.back(done=_outcome(errand.state, left), otherwise="/nights/jobs")


@pages.post("/nights/jobs/{id}/cancel", Right.ADMIN)
async def cancel(visit: Visit) -> Response:
    job = await _theirs(visit)
    await visit.memory.cancel_job(job.id)
    return visit.back(done="job_cancelled", otherwise="/nights/jobs")


@pages.post("/nights/jobs/retry", Right.ADMIN)
async def retry_all(visit: Visit) -> Response:
    """Everything that was given up, of every tenant: for an operator."""
    visit.caller.must_operate()
    await visit.memory.retry()
    return visit.back(done="jobs_retried", otherwise="/nights/jobs")


def _outcome(state: str, left: Any) -> str:
    """What to say of work that was asked for now."""
    if state == "running":
        return "job_goes_on"
    if left is None:
        return "job_done"
    return "job_failed" if left.error is not None else "job_put_off"


def _named(visit: Visit, state: str, everybody: bool) -> tuple[str, ...]:
    words = visit.words
    shown = words(f"page.nights.state.{state}") if state in STATES else ""
    return shown, words("page.nights.jobs.everybody") if everybody else ""


def _is_everybody(visit: Visit) -> bool:
    return visit.caller.user is None and visit.asked("whose") == "all"


async def _found(visit: Visit, state: str, everybody: bool) -> Sequence[Job]:
    tenant, user = visit.tenant, None if everybody else visit.user
    if state == FAILED:
        found = await visit.memory.failed_jobs(within=tenant)
        return [job for job in found if job.scope.tenant == tenant and user in (None, job.scope.user)][:MOST]
    return await visit.memory.jobs(user=user, state=state or None, limit=MOST, within=tenant, tenant=tenant)


async def _theirs(visit: Visit) -> Job:
    """The job of a whole id; another tenant's or person's is as if it were not there."""
    if not is_id(visit.id):
        raise NotFoundError("job", visit.id)
    job = await visit.memory.job(visit.id)
    if job.scope.tenant != visit.tenant or visit.caller.user not in (None, job.scope.user):
        raise NotFoundError("job", visit.id)
    return job


def _whose(visit: Visit, job: Job) -> str:
    return job.scope.user if job.scope.space is None else visit.words("jobs.space", space=job.scope.space)
