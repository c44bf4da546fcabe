"""Night work as a duty of the worker: each kind of job has its task, bounded in time, its failures in the record."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.candidate import Spent
from relembra.domain.jobs import (
    GARDEN,
    INSIGHT,
    MONTHLY,
    WEEKLY,
    Job,
    JobState,
    Run,
    RunKind,
    RunStatus,
    Tally,
    Terms,
    month_over,
    next_night,
    night_of,
    week_over,
)
from relembra.domain.knowledge import Source
from relembra.domain.policy import TendPolicy
from relembra.domain.scope import Scope
from relembra.domain.time import Clock
from relembra.errors import ConflictError, RelembraError, StaleError, TooLongError
from relembra.learn.keeper import deciding
from relembra.night.worker import NIGHT
from relembra.store.port import Enqueue, Expect, FinishJob, Op, Put, RunFilter, Store

BY_HAND = "by_hand"
ZONE = "zone"
LONGEST_RAW = 200_000
A_WEEK = timedelta(weeks=1)
MINUTES_LATER = {GARDEN: 10, INSIGHT: 20, WEEKLY: 30, MONTHLY: 40}
"""The order of one night, by which the later work finds what the earlier left."""

HALF_A_DAY = timedelta(hours=12)  # a night's work may be some hours late, and the next one is not to be a day later
LONGEST_BACK = timedelta(days=62)  # what was said longer ago, as in an import, has no report left behind it
_PERIODIC = {WEEKLY: week_over, MONTHLY: month_over}
_ONCE_IN_A_WHILE = {GARDEN: RunKind.GARDENING, INSIGHT: RunKind.INSIGHT}


class Books:
    """Opens and closes records. A record has its job's id, so that whoever takes the job up again finds it."""

    def __init__(self, store: Store, *, night_hour: float, clock: Clock) -> None:
        self._store = store
        self._night_hour = night_hour
        self._clock = clock

    async def opened(self, job: Job, kind: RunKind) -> Run | None:
        """The record of a job, stored as running; None when another job did this night's work, or it was taken back.

        None as well where the job went meanwhile, with somebody forgotten: no record of them may come after.
        """
        held = await self._store.find(job.scope, Run, job.id)
        if held is not None:
            if held.status is RunStatus.RUNNING:
                return held
            if held.status is RunStatus.ROLLED_BACK:
                return None
            again = replace(
                held,
                status=RunStatus.RUNNING,
                error=None,
                finished_at=None,
                until=self._clock(),
                version=held.version + 1,
            )
            await self._store.apply(job.scope, [Put(again, held.version)])
            return again
        now = self._clock()
        by_hand = bool(job.payload.get(BY_HAND))
        night = None if by_hand else night_of(now, zone_of_job(job), hour=self._night_hour)
        last = await self._store.page(job.scope, RunFilter(kinds=(kind,)), limit=1)
        since = min(last.rows[0].until, now) if last.rows else None
        run = Run(id=job.id, scope=job.scope, kind=kind, night=night, since=since, until=now, started_at=now)
        try:
            await self._store.apply(job.scope, [Put(run, None), Expect(job=job.id)])
        except StaleError:
            return await self._store.find(job.scope, Run, job.id)  # another worker opened it in this moment
        except ConflictError:
            return None
        return run

    def closed(self, run: Run, *, error: str | None = None) -> list[Op]:
        """What ends a record: completed, or with an error partial where something was done and failed where nothing."""
        status = RunStatus.COMPLETED
        if error is not None:
            status = RunStatus.PARTIAL if run.tally != Tally() else RunStatus.FAILED
        return [self.kept(replace(run, status=status, error=error, finished_at=self._clock()))]

    def kept(self, run: Run) -> Op:
        """The record as it stands, at its next version."""
        return Put(replace(run, version=run.version + 1), run.version)

    async def following(
        self,
        scope: Scope,
        kinds: Iterable[str],
        *,
        zone: str,
        new_id: Callable[[], str],
        every: timedelta,
        since: datetime | None = None,
    ) -> list[Op]:
        """What leaves work of these kinds for the night it is next due.

        `every`: how long the gardener stays away. `since`: what happened from then on is to be reported, so that a week
        or month which ended before anybody was up is told at once.
        """
        now, ops = self._clock(), list[Op]()
        told_from = now if since is None else min(now, max(since, now - LONGEST_BACK))
        for kind in kinds:
            hour = self._night_hour + MINUTES_LATER[kind] / 60
            if kind in _PERIODIC:
                due = _PERIODIC[kind](told_from, zone, hour=hour)
            else:
                last = await self._store.page(scope, RunFilter(kinds=(_ONCE_IN_A_WHILE[kind],)), limit=1)
                pause = every if kind == GARDEN else A_WEEK
                again = min(last.rows[0].until, now) + pause - HALF_A_DAY if last.rows else now
                due = next_night(max(now, again), zone, hour=hour)
            job = Job(id=new_id(), scope=scope, kind=kind, key=kind, payload={ZONE: zone}, due_at=due, created_at=now)
            ops.append(Enqueue(job))
        return ops


def zone_of_job(job: Job) -> str:
    return str(job.payload.get(ZONE) or "+00:00")


def with_use(run: Run, uses: Iterable[Spent], raw: str | None = None) -> Run:
    """The record with what models were asked added, and what they answered."""
    spent = list(uses)
    told = run.raw if raw is None else "\n".join(part for part in (run.raw, raw) if part)[-LONGEST_RAW:]
    return replace(
        run,
        model_calls=run.model_calls + sum(one.calls for one in spent),
        input_tokens=run.input_tokens + sum(one.input_tokens for one in spent),
        output_tokens=run.output_tokens + sum(one.output_tokens for one in spent),
        raw=told,
    )


def tallied(entries: Sequence[AuditEntry]) -> Tally:
    """What audit entries say was done to items; an item that came and changed in them counts once, as created."""
    created = {entry.target_id for entry in entries if entry.target is Target.ITEM and entry.before is None}
    ended = {entry.target_id for entry in entries if entry.verb == "supersede"} - created
    merged = {entry.target_id for entry in entries if entry.verb == "merge" and _was_ended(entry)}
    faded = {entry.target_id for entry in entries if entry.verb == "fade"} - created
    away = {entry.target_id for entry in entries if entry.verb == "archive"}
    others = {entry.target_id for entry in entries if entry.target is Target.ITEM}
    return Tally(
        created=len(created),
        updated=len(others - created - ended - merged - faded - away),
        superseded=len(ended - merged),
        merged=len(merged),
        faded=len(faded - away),
        archived=len(away),
        inferences=len({entry.target_id for entry in entries if entry.before is None and _is_inferred(entry.after)}),
        notes=len({entry.target_id for entry in entries if entry.target is Target.NOTE and entry.before is None}),
    )


def _was_ended(entry: AuditEntry) -> bool:
    return bool(entry.after and entry.after.get("superseded_at"))


def _is_inferred(after: Any) -> bool:
    return bool(after) and after.get("source") == Source.AI_INFERENCE


WAIT = timedelta(seconds=10)
"""How long night work is put off each time something has to be done before it."""
MOST_WAITED_FOR = 200

log = logging.getLogger(__name__)


class NotYetError(RelembraError):
    """Something has to be finished before this job can be done; it is to be tried again, and no try counted."""

    def __init__(self, why: str, until: datetime) -> None:
        super().__init__(why)
        self.until = until


class Task(Protocol):
    """One kind of night work."""

    kinds: tuple[str, ...]

    async def run(self, job: Job) -> None:
        """Do the job, ending it in the transaction of its last effects; may be called again for one half done."""


class NightWork:
    """Hands each job to its task."""

    def __init__(self, store: Store, tasks: Sequence[Task], *, books: Books, policy: TendPolicy, clock: Clock) -> None:
        self._store = store
        self._tasks = {kind: task for task in tasks for kind in task.kinds}
        self._books = books
        self._longest = policy.longest_job
        self._clock = clock
        self.kinds = tuple(self._tasks)
        self.terms = Terms(
            lease=policy.longest_job * 2,  # a job is given up before somebody else may take it
            claim_limit=1,
            one_a_scope=True,
            at_once=policy.at_once,
            turns=1_000,
            tries=policy.tries,
            waits_for_minds=False,
            lane=NIGHT,
        )

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            await self._run(job)

    async def gave_up(self, job: Job, reason: str) -> None:
        await self._note_failure(job, reason)

    async def _run(self, job: Job) -> None:
        try:
            async with asyncio.timeout(self._longest.total_seconds()) as limit:
                await self._tasks[job.kind].run(job)
        except NotYetError as exc:
            await self._store.give_back({job.id: job.attempts}, due_at=exc.until)
        except Exception as exc:
            if limit.expired() and isinstance(exc, TimeoutError):
                reason = f"it took longer than {_told(self._longest)}"
                await self._note_failure(job, reason)
                raise TooLongError(reason) from exc
            await self._note_failure(job, str(exc) if isinstance(exc, RelembraError) else type(exc).__name__)
            raise

    async def _note_failure(self, job: Job, reason: str) -> None:
        """Say in the record why it stopped, where one was opened and nobody else is at it by now."""
        run, held = await self._store.find(job.scope, Run, job.id), await self._store.job(job.id)
        if run is None or run.status is not RunStatus.RUNNING:
            return
        if held is not None and held.attempts != job.attempts:
            return
        try:
            await self._store.apply(job.scope, self._books.closed(run, error=reason))
        except StaleError:
            log.info("the record of job %s was changed by another worker", job.id)


async def wait_for(store: Store, scope: Scope, kinds: tuple[str, ...], now: datetime) -> None:
    """Let somebody's work of these kinds be done first; what failed is not waited for."""
    for job in await store.jobs(scope=scope, kinds=kinds, limit=MOST_WAITED_FOR):
        is_fresh = job.attempts == 0 and job.due_at <= now
        if is_fresh or job.state is JobState.RUNNING:
            raise NotYetError("what was said is still being learnt from", now + WAIT)


async def repeated(store: Store, job: Job, work: Callable[[Job], Awaitable[None]]) -> None:
    """Do a job, and again where something was changed or forgotten meanwhile, unless the job went with it."""
    tried = False

    async def once() -> None:
        nonlocal tried
        if tried and await store.job(job.id) is None:
            return
        tried = True
        await work(job)

    await deciding(once)


async def finished(store: Store, job: Job, ops: Sequence[Op]) -> bool:
    """Apply the last step of a job with its end; False when another worker was quicker and all is done."""
    try:
        await store.apply(job.scope, [*ops, FinishJob(job.id)])
    except StaleError:
        raise
    except ConflictError:
        log.info("job %s was finished by another worker", job.id)
        return False
    return True


def _told(time: timedelta) -> str:
    minutes = time.total_seconds() / 60
    return f"{minutes:g} minutes" if minutes >= 1 else f"{time.total_seconds():g} seconds"
