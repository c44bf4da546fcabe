"""What all night work shares: its services, its record, its transactions, and the worker's duty that runs it."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from relembra.domain.audit import Actor, AuditEntry, Target
from relembra.domain.candidate import Spent
from relembra.domain.jobs import (
    CLUSTER,
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
    index_job,
    month_over,
    next_night,
    night_job,
    night_of,
    week_over,
)
from relembra.domain.knowledge import KnowledgeItem, Source
from relembra.domain.policy import Policy
from relembra.domain.scope import Scope
from relembra.domain.time import Clock
from relembra.errors import ConflictError, RelembraError, StaleError, TooLongError
from relembra.learn.keeper import deciding, once_only
from relembra.learn.trail import Change
from relembra.locale import LANGUAGES
from relembra.minds.port import Embedder, NightReader, Reader, Tokens
from relembra.night.worker import NIGHT
from relembra.store import port

BY_HAND = "by_hand"
ZONE = "zone"
LONGEST_RAW = 200_000
A_WEEK = timedelta(weeks=1)
MINUTES_LATER = {GARDEN: 10, INSIGHT: 20, WEEKLY: 30, MONTHLY: 40}
"""The order of one night, by which the later work finds what the earlier left."""
HALF_A_DAY = timedelta(hours=12)  # a night's work may be some hours late, and the next one is not to be a day later
LONGEST_BACK = timedelta(days=62)  # what was said longer ago, as in an import, has no report left behind it
WAIT = timedelta(seconds=10)
"""How long night work is put off each time something has to be done before it."""
MOST_WAITED_FOR = 200
PAGE = 500
_PERIODIC = {WEEKLY: week_over, MONTHLY: month_over}
_ONCE_IN_A_WHILE = {GARDEN: RunKind.GARDENING, INSIGHT: RunKind.INSIGHT}

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class NightServices:
    """What every night task works with."""

    store: port.Store
    policy: Policy
    clock: Clock
    new_id: Callable[[], str]
    embedder: Embedder
    reader: Reader  # the offline one
    night: NightReader
    offline: NightReader  # for what may not leave this machine, or once no model may be asked
    reads_outside: bool = False  # `night` is given nothing that is marked local-only
    embeds_outside: bool = False  # what is marked local-only is not embedded
    allowance: Callable[[], Awaitable[bool]]  # False: no model may be asked any more tonight
    tokens: Tokens
    language: str  # where no one's words decide it
    language_of: Callable[[str], str | None]


class Task:
    """One kind of night work. Its record has the job's id, so that whoever takes the job up again finds it."""

    kinds: tuple[str, ...] = ()
    record: RunKind
    actor: Actor

    def __init__(self, services: NightServices) -> None:
        self._store = services.store
        self._policy = services.policy
        self._clock = services.clock
        self._new_id = services.new_id
        self._embedder = services.embedder
        self._reader = services.reader
        self._night = services.night
        self._offline = services.offline
        self._reads_outside = services.reads_outside
        self._embeds_outside = services.embeds_outside
        self._allowance = services.allowance
        self._tokens = services.tokens
        self._language = services.language
        self._language_of = services.language_of

    async def run(self, job: Job) -> None:
        """Do the job, ending it in the transaction of its last effects; may be called again for one half done.

        It is done again where something was changed or forgotten meanwhile, unless the job went with it.
        """
        tried = False

        async def once() -> None:
            nonlocal tried
            if not tried or await self._store.job(job.id) is not None:
                tried = True
                await self._run(job)

        await deciding(once)

    async def _run(self, job: Job) -> None:
        raise NotImplementedError

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _opened(self, job: Job) -> Run | None:
        """The record of a job, stored as running; None when another job did this night's work, or it was taken back.

        None as well where the job went meanwhile, with someone forgotten: no record of them may come after.
        """
        now = self._clock()
        held = await self._store.find(job.scope, Run, job.id)
        if held is not None:
            if held.status is RunStatus.RUNNING:
                return held
            if held.status is RunStatus.ROLLED_BACK:
                return None
            return await self._kept(replace(held, status=RunStatus.RUNNING, error=None, finished_at=None, until=now))
        hour = self._policy.tend.hour_of(job.kind == CLUSTER)
        night = None if job.payload.get(BY_HAND) else night_of(now, zone_of_job(job), hour=hour)
        last = await self._last(job.scope, self.record)
        since = None if last is None else min(last.until, now)
        run = Run(id=job.id, scope=job.scope, kind=self.record, night=night, since=since, until=now, started_at=now)
        try:
            await self._store.apply(job.scope, [port.Put(run, None), port.Expect(job=job.id)])
        except StaleError:
            return await self._store.find(job.scope, Run, job.id)  # another worker opened it in this moment
        except ConflictError:
            return None
        return run

    async def _last(self, scope: Scope, kind: RunKind) -> Run | None:
        page = await self._store.page(scope, port.RunFilter(kinds=(kind,)), limit=1)
        return page.rows[0] if page.rows else None

    async def _kept(self, run: Run, ops: Iterable[port.Op] = ()) -> Run:
        """Store the record as it stands with what was done, in one transaction; the record at its next version."""
        after = replace(run, version=run.version + 1)
        await self._store.apply(run.scope, [*ops, port.Put(after, run.version)])
        return after

    async def _kept_change(self, run: Run, change: Change, ops: Iterable[port.Op] = ()) -> Run:
        """Store a change with the record that names and counts it; nothing where nothing changed."""
        if not change.ops:
            return run
        entries = [op.entry for op in change.ops if isinstance(op, port.Record)]
        after = replace(run, tally=run.tally + tallied(entries), changes=(*run.changes, change.id))
        return await self._kept(after, [*change.ops, *ops])

    async def _finished(self, job: Job, ops: Iterable[port.Op]) -> None:
        """Apply the last step of a job with its end."""
        with once_only(job):
            await self._store.apply(job.scope, [*ops, port.FinishJob(job.id)])

    # ── operations ────────────────────────────────────────────────────────────────────────────────────────────────

    def _change(self, scope: Scope, verb: str, *, why: str | None = None, actor: Actor | None = None) -> Change:
        return Change(scope, new_id=self._new_id, verb=verb, actor=actor or self.actor, at=self._clock(), why=why)

    def _index(self, scope: Scope, kind: port.Kind, ids: Sequence[str]) -> list[port.Op]:
        """What has rows with new words indexed."""
        if not ids:
            return []
        return [port.Enqueue(index_job(scope, kind, ids, id=self._new_id(), now=self._clock()))]

    def _counted(self, uses: Iterable[Spent]) -> list[port.Op]:
        return [port.CountUse.of(one, self._clock()) for one in uses]

    def _tomorrow(self, job: Job) -> port.Op:
        """The same work, the coming night."""
        hour, now = self._policy.tend.hour_of(job.kind == CLUSTER), self._clock()
        return port.Enqueue(night_job(job.kind, job.scope, zone_of_job(job), hour=hour, id=self._new_id(), now=now))

    async def _following(self, job: Job, kinds: Iterable[str], *, since: datetime | None = None) -> list[port.Op]:
        """What leaves work of these kinds for the night it is next due.

        `since`: what happened from then on is to be reported, so that a week or month which ended before anyone was up
        is told at once.
        """
        now, zone, ops = self._clock(), zone_of_job(job), list[port.Op]()
        told_from = now if since is None else min(now, max(since, now - LONGEST_BACK))
        for kind in kinds:
            hour = self._policy.tend.night_hour + MINUTES_LATER[kind] / 60
            if kind in _PERIODIC:
                due = _PERIODIC[kind](told_from, zone, hour=hour)
            else:
                last = await self._last(job.scope, _ONCE_IN_A_WHILE[kind])
                pause = self._policy.garden.every if kind == GARDEN else A_WEEK
                again = now if last is None else min(last.until, now) + pause - HALF_A_DAY
                due = next_night(max(now, again), zone, hour=hour)
            next_job = Job(
                id=self._new_id(), scope=job.scope, kind=kind, key=kind, payload={ZONE: zone}, due_at=due,
                created_at=now,
            )  # fmt: skip
            ops.append(port.Enqueue(next_job))
        return ops

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _most_used(self, languages: Iterable[str | None]) -> str:
        """The most frequent of some languages, else the usual one."""
        counted = Counter(one for one in languages if one is not None and one in LANGUAGES)
        return max(counted, key=lambda one: counted[one]) if counted else self._language

    async def _items(self, scope: Scope, wanted: port.ItemFilter, most: int) -> list[KnowledgeItem]:
        return await port.all_rows(partial(self._store.page, scope, wanted), limit=PAGE, most=most)


def zone_of_job(job: Job) -> str:
    return str(job.payload.get(ZONE) or "+00:00")


def batches(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


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


def closed(run: Run, now: datetime, error: str | None = None) -> port.Op:
    """What ends a record: completed, or with an error partial where something was done and failed where nothing."""
    status = RunStatus.COMPLETED
    if error is not None:
        status = RunStatus.PARTIAL if run.tally != Tally() else RunStatus.FAILED
    return port.Put(replace(run, status=status, error=error, finished_at=now, version=run.version + 1), run.version)


def tallied(entries: Sequence[AuditEntry]) -> Tally:
    """What audit entries say was done to items; an item that came and changed in them counts once, as created."""

    def with_verb(verb: str) -> set[str]:
        return {entry.target_id for entry in entries if entry.verb == verb}

    items = {entry.target_id for entry in entries if entry.target is Target.ITEM}
    made = [entry for entry in entries if entry.before is None]
    created = {entry.target_id for entry in made if entry.target is Target.ITEM}
    ended, faded, away = with_verb("supersede") - created, with_verb("fade") - created, with_verb("archive")
    merged = {
        entry.target_id for entry in entries if entry.verb == "merge" and (entry.after or {}).get("superseded_at")
    }
    return Tally(
        created=len(created),
        updated=len(items - created - ended - merged - faded - away),
        superseded=len(ended - merged),
        merged=len(merged),
        faded=len(faded - away),
        archived=len(away),
        inferences=len({one.target_id for one in made if (one.after or {}).get("source") == Source.AI_INFERENCE}),
        notes=len({entry.target_id for entry in made if entry.target is Target.NOTE}),
    )


# ── the duty ──────────────────────────────────────────────────────────────────────────────────────────────────────


class NotYetError(RelembraError):
    """Something has to be finished before this job can be done; it is to be tried again, and no try counted."""

    def __init__(self, why: str, until: datetime) -> None:
        super().__init__(why)
        self.until = until


class NightWork:
    """Hands each job to its task, bounded in time, and notes in its record why it failed."""

    def __init__(self, store: port.Store, tasks: Sequence[Task], *, policy: Policy, clock: Clock) -> None:
        self._store = store
        self._tasks = {kind: task for task in tasks for kind in task.kinds}
        self._longest = policy.tend.longest_job
        self._clock = clock
        self.kinds = tuple(self._tasks)
        self.terms = Terms(
            lease=self._longest * 2,  # a job is given up before someone else may take it
            claim_limit=1,
            one_a_scope=True,
            at_once=policy.tend.at_once,
            turns=1_000,
            tries=policy.tend.tries,
            waits_for_minds=False,
            lane=NIGHT,
        )

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            await self._run(job)

    async def _run(self, job: Job) -> None:
        try:
            async with asyncio.timeout(self._longest.total_seconds()) as limit:
                await self._tasks[job.kind].run(job)
        except NotYetError as exc:
            await self._store.give_back({job.id: job.attempts}, due_at=exc.until)
        except Exception as exc:
            if limit.expired() and isinstance(exc, TimeoutError):
                minutes = self._longest.total_seconds() / 60
                reason = f"it took longer than {minutes:g} minutes"
                if minutes < 1:
                    reason = f"it took longer than {self._longest.total_seconds():g} seconds"
                await self.gave_up(job, reason)
                raise TooLongError(reason) from exc
            await self.gave_up(job, str(exc) if isinstance(exc, RelembraError) else type(exc).__name__)
            raise

    async def gave_up(self, job: Job, reason: str) -> None:
        """Say in the record why it stopped, where one was opened and no one else is at it by now."""
        run, held = await self._store.find(job.scope, Run, job.id), await self._store.job(job.id)
        if run is None or run.status is not RunStatus.RUNNING:
            return
        if held is not None and held.attempts != job.attempts:
            return
        try:
            await self._store.apply(job.scope, [closed(run, self._clock(), reason)])
        except StaleError:
            log.info("the record of job %s was changed by another worker", job.id)


async def wait_for(store: port.Store, scope: Scope, kinds: tuple[str, ...], now: datetime) -> None:
    """Let someone's work of these kinds be done first; what failed is not waited for."""
    for job in await store.jobs(scope=scope, kinds=kinds, limit=MOST_WAITED_FOR):
        is_fresh = job.attempts == 0 and job.due_at <= now
        if is_fresh or job.state is JobState.RUNNING:
            raise NotYetError("what was said is still being learnt from", now + WAIT)
