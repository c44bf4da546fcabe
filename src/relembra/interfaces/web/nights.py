"""Nightly work: what each run changed, rolling one back, cleaning up, and the queue of jobs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.audit import AuditEntry, Target
from relembra.domain.jobs import FLUSH, NIGHT_WORK, Job, JobState, Run, RunKind, RunStatus
from relembra.domain.scope import is_id
from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces import sentences
from relembra.interfaces.sentences import Difference, Fate, differences
from relembra.interfaces.web.background import PATIENCE_SECONDS, BackgroundJob
from relembra.interfaces.web.visits import Paging, Visit, get, post
from relembra.learn.rollback import RolledBack
from relembra.memory import Memory
from relembra.night.gardener import ActionKind, GardenAction

NIGHTS = "/settings/nights"
QUEUE = f"{NIGHTS}/queue"
PAGE = 30
MOST_SHOWN = 40
"""Rows of one fate on a run's page, unless all are asked for."""
MOST_JOBS = 200
WORKS: dict[str, Callable[..., Awaitable[Run | None]]] = {
    "night": Memory.consolidate,
    "garden": Memory.garden,
    "insight": Memory.find_insights,
}


@get(NIGHTS)
async def nights(visit: Visit) -> Response:
    kind, paging = visit.chosen("kind", RunKind), Paging(visit, PAGE)
    runs = await visit.memory.consolidations(kind=kind, **paging.portion, **visit.whose)
    more = paging.more(runs.next)
    return visit.page("nights.html", runs=runs, kind=kind or "", kinds=RunKind, more=more, name_of=_named(visit))


@post(f"{NIGHTS}/now")
async def now(visit: Visit) -> Response:
    """Do work at once and lead to its run; what takes long goes on by itself, and a page says how far it is."""
    kind, memory, whose = visit.field("work"), visit.memory, visit.whose
    if kind not in WORKS:
        raise InvalidInputError(f"there is no work called {kind!r}", field="night_work")

    async def work(_: BackgroundJob) -> str:
        run = await WORKS[kind](memory, **whose)
        return f"{NIGHTS}?done=night_nothing" if run is None else f"{NIGHTS}/{run.id}?done={kind}_done"

    job = visit.jobs.running(kind, owner=visit.owner) or visit.jobs.start(kind, owner=visit.owner, work=work)
    return visit.to(await job.outcome(PATIENCE_SECONDS) or f"/progress/{job.id}")


@get(f"{NIGHTS}/cleanup")
async def cleanup(visit: Visit) -> Response:
    """What a cleanup would do now; a script asks for it once the page is there, for it may take a while."""
    is_asked = visit.is_fragment or bool(visit.asked("plan"))
    plan = await visit.memory.garden_plan(**visit.whose) if is_asked else []
    by_kind = {kind.value: [action for action in plan if action.kind is kind] for kind in ActionKind}
    groups = {kind: actions for kind, actions in by_kind.items() if actions}
    return visit.page("night_cleanup.html", is_asked=is_asked, groups=groups, most=MOST_SHOWN, page_of=page_of)


def page_of(action: GardenAction) -> str:
    """Where what an action is about can be read."""
    is_note = action.kind in (ActionKind.ARCHIVE_NOTE, ActionKind.CONDENSE)
    return address_of(Target.NOTE if is_note else Target.ITEM, action.ids[0])


# ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────────


@get(QUEUE, Right.ADMIN)
async def queue(visit: Visit) -> Response:
    state, is_all = visit.chosen("state", JobState), visit.caller.user is None and visit.asked("whose") == "all"
    user, tenant = None if is_all else visit.user, visit.tenant
    jobs = await visit.memory.jobs(user=user, state=state, limit=MOST_JOBS, within=tenant, tenant=tenant)
    return visit.page(
        "night_queue.html",
        jobs=jobs,
        full=len(jobs) >= MOST_JOBS,
        state=state or "",
        states=JobState,
        everybody=is_all,
        can_cancel=lambda job: job.kind != FLUSH and job.state is not JobState.RUNNING,
        night_work=NIGHT_WORK,
    )


@post(f"{QUEUE}/{{id}}/retry", Right.ADMIN)
async def retry(visit: Visit) -> Response:
    await visit.memory.retry_job((await _job(visit)).id)
    return visit.back(done="job_retried", otherwise=QUEUE)


@post(f"{QUEUE}/{{id}}/cancel", Right.ADMIN)
async def cancel(visit: Visit) -> Response:
    await visit.memory.cancel_job((await _job(visit)).id)
    return visit.back(done="job_cancelled", otherwise=QUEUE)


@post(f"{QUEUE}/{{id}}/run", Right.ADMIN)
async def run(visit: Visit) -> Response:
    """Do a job, and whatever else is due; what takes long goes on by itself."""
    id, memory = (await _job(visit)).id, visit.memory

    async def work(_: BackgroundJob) -> str:
        left = await memory.run_job(id)
        return "job_done" if left is None else "job_failed" if left.error is not None else "job_put_off"

    under_way = visit.jobs.start(f"job {id}", owner=visit.owner, work=work)
    return visit.back(done=await under_way.outcome(PATIENCE_SECONDS) or "job_goes_on", otherwise=QUEUE)


async def _job(visit: Visit) -> Job:
    """The job of a whole id; another tenant's or person's is as if it were not there."""
    if not is_id(visit.id):
        raise NotFoundError("job", visit.id)
    job = await visit.memory.job(visit.id)
    if job.scope.tenant != visit.tenant or visit.caller.user not in (None, job.scope.user):
        raise NotFoundError("job", visit.id)
    return job


# ── one run ───────────────────────────────────────────────────────────────────────────────────────────────────────


@get(f"{NIGHTS}/{{id}}/rollback", Right.WRITE)
async def before_rollback(visit: Visit) -> Response:
    """What would happen, and the button that does it."""
    detail = await visit.memory.consolidation(visit.id, **visit.whose)
    if not _can_go_back(detail.run):
        return visit.to(f"{NIGHTS}/{detail.run.id}")
    numbers = {fate: len(rows) for fate, rows in by_fate(detail.entries).items()}
    return visit.page("night_back.html", run=detail.run, numbers=numbers, name_of=_named(visit))


@post(f"{NIGHTS}/{{id}}/rollback")
async def rollback(visit: Visit) -> Response:
    """Take back what a run changed; its page then says what came back, and what stays as it is and why."""

    async def work() -> RolledBack:
        return await visit.memory.rollback(visit.id, **visit.whose)

    return await _record(visit, taken=await visit.done_once(work))


@get(f"{NIGHTS}/{{id}}")
async def _record(visit: Visit, *, taken: RolledBack | None = None) -> Response:
    detail = await visit.memory.consolidation(visit.id, **visit.whose)
    groups, most = by_fate(detail.entries), 500 if visit.asked("all") else MOST_SHOWN
    shown = [row for rows in groups.values() for row in rows[:most]]
    return visit.page(
        "night.html",
        run=detail.run,
        groups=groups,
        most=most,
        texts=await sentences.texts_of(visit.memory, shown, visit.whose),
        taken=taken,
        can_go_back=_can_go_back(detail.run),
        name_of=_named(visit),
        row_address=address_of,
    )


def by_fate(entries: Iterable[AuditEntry]) -> dict[Fate, list[Difference]]:
    """What a run changed, by what became of it."""
    rows = differences(entries)
    found = {fate: [row for row in rows if row.fate is fate] for fate in Fate}
    return {fate: some for fate, some in found.items() if some}


def address_of(target: Target, id: str) -> str:
    """The page of a row; empty where it has none."""
    return f"/note/{id}" if target is Target.NOTE else f"/item/{id}" if target is Target.ITEM else ""


def _named(visit: Visit) -> Callable[[Run], str]:
    """Runs by name: "Night of 3 Mar", and for what was asked for its hour."""
    words, clock = visit.words, visit.clock

    def name_of(run: Run) -> str:
        if run.kind is RunKind.CONSOLIDATION and run.night is not None:
            return words("page.nights.night", day=clock.day(run.night))
        day = clock.moment(run.started_at) if run.night is None else clock.day(run.night)
        return words("page.nights.work", work=words(f"page.nights.one.{run.kind}"), day=day)

    return name_of


def _can_go_back(run: Run) -> bool:
    return bool(run.changes) and run.status not in (RunStatus.ROLLED_BACK, RunStatus.RUNNING)
