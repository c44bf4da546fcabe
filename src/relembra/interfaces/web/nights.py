"""Nightly work: what each run changed, taking one back, cleaning up, and the queue of jobs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, TypedDict
from urllib.parse import quote

from starlette.responses import Response

from relembra.background import RunDetail
from relembra.domain.access import Right
from relembra.domain.audit import AuditEntry, Target
from relembra.domain.ids import is_id
from relembra.domain.jobs import FLUSH, NIGHT_WORK, Job, JobState, Run, RunKind, RunStatus
from relembra.errors import BusyError, InvalidInputError, NotFoundError
from relembra.interfaces import recorded
from relembra.interfaces.differences import Difference, Fate, differences
from relembra.interfaces.web.background import PATIENCE_SECONDS, BackgroundJob
from relembra.interfaces.web.filters import Paging
from relembra.interfaces.web.visits import Pages, Visit
from relembra.learn.rollback import RolledBack
from relembra.memory import Memory
from relembra.night.gardener import ActionKind, GardenAction

pages = Pages()

NIGHTS = "/settings/nights"
QUEUE = f"{NIGHTS}/queue"
PAGE = 30
MOST_SHOWN, MOST_AT_ALL = 40, 500
"""Rows of one fate on a run's page: at first, and where all are asked for."""
MOST_JOBS = 200
FAILED = "failed"
"""Beside the states of jobs: what was tried and is not done."""
STATES = (*JobState, FAILED)
WORKS: dict[str, Callable[..., Awaitable[Run | None]]] = {
    "night": Memory.consolidate,
    "garden": Memory.garden,
    "insight": Memory.find_insights,
}
PLAN = "plan"
PLAN_SECONDS = 1.0
"""How long the page of the cleanup waits for its plan before it is shown without it, and looks again by itself."""


class Shelf(TypedDict):
    """A person or a space as a whole, and the tenant."""

    user: str | None
    space: str | None
    tenant: str


# ── runs ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get(NIGHTS)
async def nights(visit: Visit) -> Response:
    kind, shelf, paging = visit.chosen("kind", RunKind), _shelf(visit), Paging(visit, PAGE)
    listing = await visit.memory.consolidations(kind=kind, **paging.portion, **shelf)
    return visit.page(
        "nights.html",
        runs=listing,
        kind=kind or "",
        kinds=RunKind,
        spaces=[] if visit.caller.user else [one.name for one in await visit.memory.spaces(tenant=visit.tenant)],
        more=paging.more(listing.next),
        job=await visit.jobs.find(visit.asked("working"), owner=visit.owner, kinds=WORKS),
        **_told(visit, shelf),
    )


@pages.post(f"{NIGHTS}/now")
async def now(visit: Visit) -> Response:
    """Do work at once and lead to its run; what takes long goes on by itself, and the list of runs says so."""
    work, owner, whose = visit.field("work"), visit.owner, visit.whose
    if work not in WORKS:
        raise InvalidInputError(f"there is no work called {work!r}", field="night_work")
    if (going := visit.jobs.running(work, owner=owner)) is not None:
        return visit.to(NIGHTS, working=going.id)

    async def begun() -> BackgroundJob:
        return visit.jobs.start(work, owner=owner, work=lambda _: WORKS[work](visit.memory, **whose))

    job = await visit.done_once(begun, work)
    run: Run | None = await job.outcome(PATIENCE_SECONDS)
    if job.state == "running":
        return visit.to(NIGHTS, working=job.id)
    if run is None:
        return visit.to(NIGHTS, done="night_nothing")
    return visit.to(f"{NIGHTS}/{run.id}", done=f"{work}_done")


@pages.get(f"{NIGHTS}/cleanup")
async def cleanup(visit: Visit) -> Response:
    """What a cleanup would do now; of a large memory the page is there before that is known."""
    plan: list[GardenAction] = []
    job = await visit.jobs.find(visit.asked("working"), owner=visit.owner, kinds=(PLAN,))
    job = job or visit.jobs.running(PLAN, owner=visit.owner)
    if job is None:
        found = await _plan(visit)
        job, plan = (found, plan) if isinstance(found, BackgroundJob) else (None, found)
    elif job.state != "running":
        plan = await job.outcome()
    by_kind = {kind.value: [deed for deed in plan if deed.kind is kind] for kind in ActionKind}
    return visit.page(
        "night_cleanup.html",
        working=job.id if job is not None and job.state == "running" else "",
        groups={kind: deeds for kind, deeds in by_kind.items() if deeds},
        most=MOST_SHOWN,
        page_of=page_of,
    )


async def _plan(visit: Visit) -> list[GardenAction] | BackgroundJob:
    """What a cleanup would do, or the job that finds it out where that takes a while."""
    task = asyncio.ensure_future(visit.memory.garden_plan(**visit.whose))
    await asyncio.wait({task}, timeout=PLAN_SECONDS)
    if not task.done():
        with suppress(BusyError):  # then whoever asked waits for it
            return visit.jobs.start(PLAN, owner=visit.owner, work=lambda _: task)
    return await task


def page_of(deed: GardenAction) -> str:
    """Where what a deed is about can be read."""
    is_note = deed.kind in (ActionKind.ARCHIVE_NOTE, ActionKind.CONDENSE)
    return address_of(Target.NOTE if is_note else Target.ITEM, deed.ids[0])


# ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get(QUEUE, Right.ADMIN)
async def queue(visit: Visit) -> Response:
    state, is_all = visit.asked("state"), visit.caller.user is None and visit.asked("whose") == "all"
    found = await _found(visit, state, None if is_all else visit.user)
    return visit.page(
        "night_queue.html",
        jobs=found,
        full=len(found) >= MOST_JOBS,
        state=state,
        states=STATES,
        everybody=is_all,
        can_cancel=lambda job: job.kind != FLUSH and job.state is not JobState.RUNNING,
        night_work=NIGHT_WORK,
    )


@pages.post(f"{QUEUE}/{{id}}/retry", Right.ADMIN)
async def retry(visit: Visit) -> Response:
    await visit.memory.retry_job((await _job(visit)).id)
    return visit.back(done="job_retried", otherwise=QUEUE)


@pages.post(f"{QUEUE}/{{id}}/run", Right.ADMIN)
async def run(visit: Visit) -> Response:
    """Do a job, and whatever else is due; what takes long goes on by itself."""
    job = await _job(visit)
    under_way = visit.jobs.start(f"job {job.id}", owner=visit.owner, work=lambda _: visit.memory.run_job(job.id))
    left = await under_way.outcome(PATIENCE_SECONDS)
    if under_way.state == "running":
        done = "job_goes_on"
    elif left is None:
        done = "job_done"
    else:
        done = "job_failed" if left.error is not None else "job_put_off"
    return visit.back(done=done, otherwise=QUEUE)


@pages.post(f"{QUEUE}/{{id}}/cancel", Right.ADMIN)
async def cancel(visit: Visit) -> Response:
    await visit.memory.cancel_job((await _job(visit)).id)
    return visit.back(done="job_cancelled", otherwise=QUEUE)


@pages.post(f"{QUEUE}/retry", Right.ADMIN)
async def retry_all(visit: Visit) -> Response:
    """Every job that was given up, of every tenant: for an operator."""
    visit.caller.must_operate()
    await visit.memory.retry()
    return visit.back(done="jobs_retried", otherwise=QUEUE)


async def _found(visit: Visit, state: str, user: str | None) -> Sequence[Job]:
    tenant = visit.tenant
    if state == FAILED:
        found = await visit.memory.failed_jobs(within=tenant)
        return [job for job in found if job.scope.tenant == tenant and user in (None, job.scope.user)][:MOST_JOBS]
    return await visit.memory.jobs(user=user, state=state or None, limit=MOST_JOBS, within=tenant, tenant=tenant)


async def _job(visit: Visit) -> Job:
    """The job of a whole id; another tenant's or person's is as if it were not there."""
    if not is_id(visit.id):
        raise NotFoundError("job", visit.id)
    job = await visit.memory.job(visit.id)
    if job.scope.tenant != visit.tenant or visit.caller.user not in (None, job.scope.user):
        raise NotFoundError("job", visit.id)
    return job


# ── one run ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get(f"{NIGHTS}/{{id}}")
async def record(visit: Visit) -> Response:
    shelf = _shelf(visit)
    told = await visit.memory.consolidation(visit.id, **shelf)
    fated, most = by_fate(told.entries), MOST_AT_ALL if visit.asked("all") else MOST_SHOWN
    shown = [row for rows in fated.values() for row in rows[:most]]
    undo, is_undone = await _afterwards(visit, told, shelf)
    return visit.page(
        "night.html",
        run=told.run,
        groups=fated,
        most=most,
        texts=await recorded.texts_of(visit.memory, shown, visit.whose, space=shelf["space"]),
        taken=await _taken(visit),
        can_go_back=_can_go_back(told.run),
        undo=undo,
        is_undone=is_undone,
        **_told(visit, shelf),
    )


@pages.get(f"{NIGHTS}/{{id}}/rollback", Right.WRITE)
async def before_rollback(visit: Visit) -> Response:
    """What would happen, and the button that does it."""
    shelf = _shelf(visit)
    told = await visit.memory.consolidation(visit.id, **shelf)
    if not _can_go_back(told.run):
        return visit.to(_address(told.run, shelf))
    return visit.page(
        "night_back.html",
        run=told.run,
        numbers={fate: len(rows) for fate, rows in by_fate(told.entries).items()},
        **_told(visit, shelf),
    )


@pages.post(f"{NIGHTS}/{{id}}/rollback")
async def rollback(visit: Visit) -> Response:
    shelf = _shelf(visit)
    run = (await visit.memory.consolidation(visit.id, **shelf)).run
    job = visit.jobs.start("rollback", owner=visit.owner, work=lambda _: visit.memory.rollback(run.id, **shelf))
    done: RolledBack = await job.outcome()
    undo = done.change if done.change is not None and shelf["space"] is None else ""
    return visit.to(_address(run, shelf), done="rolled_back", undo=undo, back=job.id)


def by_fate(entries: Iterable[AuditEntry]) -> dict[Fate, list[Difference]]:
    """What a run changed, by what became of it."""
    rows = differences(entries)
    found = {fate: [row for row in rows if row.fate is fate] for fate in Fate}
    return {fate: some for fate, some in found.items() if some}


def address_of(target: Target, id: str) -> str:
    """The page of a row; empty where it has none."""
    return f"/note/{id}" if target is Target.NOTE else f"/item/{id}" if target is Target.ITEM else ""


async def _taken(visit: Visit) -> RolledBack | None:
    """What a rollback just did, where this visit comes from one."""
    job = await visit.jobs.find(visit.asked("back"), owner=visit.owner, kinds=("rollback",))
    done = None if job is None else job.result
    return done if isinstance(done, RolledBack) and done.run.id == visit.id else None


async def _afterwards(visit: Visit, told: RunDetail, shelf: Shelf) -> tuple[str, bool]:
    """The change by which a rollback can still be undone, as far as its first items tell; and whether it was undone."""
    if told.run.status is not RunStatus.ROLLED_BACK or shelf["space"] is not None:
        return "", False
    own = {entry.id for entry in told.entries}
    items = dict.fromkeys(entry.target_id for entry in told.entries if entry.target is Target.ITEM)
    changes: set[str] = set()
    for id in list(items)[:MOST_SHOWN]:
        with suppress(NotFoundError):  # it was forgotten
            trail = (await visit.memory.history(id, **visit.whose)).trail
            later = trail[max((at for at, entry in enumerate(trail, 1) if entry.id in own), default=0) :]
            back = [entry.change for entry in later if entry.verb == "rollback"]
            if any(entry.undoes in back for entry in later):
                return "", True
            if back and later[-1].change != back[0]:
                return "", False
            changes |= set(back)
    return changes.pop() if len(changes) == 1 else "", False


def _told(visit: Visit, shelf: Shelf) -> dict[str, Any]:
    """What templates describe a run with."""
    return {
        "space": shelf["space"],
        "name_of": lambda run: _title(visit, run),
        "run_address": lambda run, *more: _address(run, shelf, *more),
        "row_address": address_of,
    }


def _title(visit: Visit, run: Run) -> str:
    """ "Night of 3 Mar", and for what was asked for its hour."""
    words = visit.words
    if run.kind is RunKind.CONSOLIDATION and run.night is not None:
        return words("page.nights.night", day=visit.clock.day(run.night))
    day = visit.clock.moment(run.started_at) if run.night is None else visit.clock.day(run.night)
    return words("page.nights.work", work=words(f"page.nights.one.{run.kind}"), day=day)


def _can_go_back(run: Run) -> bool:
    return bool(run.changes) and run.status not in (RunStatus.ROLLED_BACK, RunStatus.RUNNING)


def _shelf(visit: Visit) -> Shelf:
    """Whose runs: a space's as a whole where one is named, else the person's."""
    space = visit.asked("space") or None
    if space is None:
        return {**visit.whose, "space": None}
    visit.caller.enter(space)
    return {"user": None, "space": space, "tenant": visit.tenant}


def _address(run: Run, shelf: Shelf, *more: str) -> str:
    path = "/".join((NIGHTS, run.id, *more))
    return path if shelf["space"] is None else f"{path}?space={quote(shelf['space'])}"
