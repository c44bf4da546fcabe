"""Background work: the night's tasks, run by hand or taken back by their records, and the queue of jobs."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from weakref import WeakSet

from relembra.domain.audit import AuditEntry
from relembra.domain.jobs import AT_ONCE, CONSOLIDATE, FLUSH, GARDEN, INSIGHT, LEARNING, Job, JobState, Run, RunKind
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message
from relembra.domain.scope import DEFAULT_TENANT, Place, Scope, person, shelf_of
from relembra.domain.text import one, several
from relembra.errors import BusyError, ConflictError, InvalidInputError, NotFoundError
from relembra.ingest.intake import place_of
from relembra.learn.rollback import Rollback, RolledBack
from relembra.minds.port import Embedder, NightReader, Observer
from relembra.night.consolidation import Consolidation, Rewritten
from relembra.night.duplicates import Merger
from relembra.night.gardener import GardenAction, Gardener
from relembra.night.insights import Clustering, Insights
from relembra.night.reports import Reporter
from relembra.night.task import BY_HAND, ZONE, NightServices, NightWork
from relembra.night.worker import Worker
from relembra.recall.query import Listing, checked_limit, cursor_from
from relembra.services import Part, Services, whole_id
from relembra.store.port import Enqueue, RunFilter
from relembra.visibility import Visibility

LOOKED_AT_JOBS = 1_000
NIGHT_TASKS = frozenset({"reread", "topics", "retell"})


@dataclass(frozen=True, slots=True)
class RunDetail:
    """A record with every change it accounts for, in the order they were made."""

    run: Run
    entries: tuple[AuditEntry, ...]


class NightTasks(Part):
    """The tasks of the night, and what models may still be asked."""

    def __init__(
        self,
        services: Services,
        *,
        embedder: Embedder,
        night: NightReader,
        offline_night: NightReader,
        observer: Observer,
        rewrite: Callable[[Scope], Awaitable[Rewritten]],
        announces: bool = False,
    ) -> None:
        super().__init__(services)
        self._asking: WeakSet[asyncio.Task[Any]] = WeakSet()
        shared = NightServices(
            store=self._store, policy=self._policy, clock=self._now, new_id=self._new_id, embedder=embedder,
            reader=self._offline, night=night, offline=offline_night, reads_outside=self._outside.night,
            embeds_outside=self._outside.embedder, allowance=self._may_ask, tokens=self._tokens,
            language=self._language, language_of=self._language_of,
        )  # fmt: skip
        merger = Merger(shared)
        self.reporter = Reporter(shared)
        self.gardener = Gardener(shared, merger)
        self.insights = Insights(shared, observer, announces=announces)
        consolidation = Consolidation(
            shared,
            talks=self._listening,
            learner=self._learner,
            merger=merger,
            casework=self._casework,
            rewrite=rewrite,
            prepare=self.reporter.due_appointments,
        )
        tasks = [consolidation, Clustering(shared), self.gardener, self.insights, self.reporter]
        self.duty = NightWork(self._store, tasks, policy=self._policy, clock=self._now)

    async def _may_ask(self) -> bool:
        """Whether models may be asked any more tonight: everyone's night work counts, since midnight in UTC.

        Whoever of this process was let to and has not asked again counts for a call that is under way.
        """
        tend, me = self._policy.tend, asyncio.current_task()
        asking = set(self._asking)
        uses = [use for use in await self._store.usage(since=self._now().date()) if use.task in NIGHT_TASKS]
        tokens = sum(use.input_tokens + use.output_tokens for use in uses)
        under_way = sum(not task.done() for task in asking.union(self._asking) if task is not me)
        may = sum(use.calls for use in uses) + under_way < tend.night_calls and tokens < tend.night_tokens
        if me is not None:
            (self._asking.add if may else self._asking.discard)(me)
        return may


class Nights(Part):
    """Night work asked for by hand, and its records."""

    def __init__(
        self, services: Services, visibility: Visibility, tasks: NightTasks, worker: Worker, rollback: Rollback
    ) -> None:
        super().__init__(services)
        self._visibility = visibility
        self._tasks = tasks
        self._worker = worker
        self._rollback = rollback

    async def consolidate(self, *, user: str, tenant: str = DEFAULT_TENANT) -> Run | None:
        """Do a person's night work now; its record, or None where nothing was said since the last.

        What could not be learnt from is told by the record, which then has failed or is partial. A `BusyError`: another
        program is still learning from it.
        """
        scope = person(tenant, user)
        due = await self._store.unaccounted(scope, limit=1)
        said = await self._store.get(scope, Message, due.buffered)
        shelves = list(dict.fromkeys([scope, *(shelf_of(scope, message.place) for message in said)]))
        for shelf in shelves:
            await self._store.hasten(FLUSH, now=self._now(), scope=shelf)
        for kind in LEARNING:
            await self._store.hasten(kind, now=self._now(), scope=scope)
        await self._worker.run_due_of(*shelves, by_night=False)
        run = await self._done_now(scope, CONSOLIDATE)
        if run is None:
            left = await self._store.unaccounted(scope, limit=1)
            if left.messages or left.buffered or left.changes:
                raise BusyError("another program is still learning from what was said; try again in a moment")
        return run

    async def consolidations(
        self,
        *,
        user: str | None = None,
        space: str | None = None,
        kind: str | Iterable[str] | None = RunKind.CONSOLIDATION,
        limit: int = 50,
        after: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Listing[Run]:
        """The records of night work, newest first: a person's, a space's, or of everyone in every tenant.

        `kind=None`: of every kind. Everybody's come without what a model answered, which quotes what people said.
        """
        checked_limit(limit, self._policy.search.largest_page)
        names = (kind,) if isinstance(kind, str) else several(kind or (), "kind")
        kinds = tuple(one(RunKind, name, "kind") for name in names)
        scope = None if user is None and space is None else _owner(tenant, user, space)
        page = await self._store.page(scope, RunFilter(kinds=kinds), after=cursor_from(after), limit=limit)
        if scope is None:
            page = replace(page, rows=tuple(replace(run, raw=None) for run in page.rows))
        return Listing(page)

    async def consolidation(
        self, id: str, *, user: str | None = None, space: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> RunDetail:
        """One record of a person or space, by its id or four or more characters of an end of it, with its changes."""
        scope = _owner(tenant, user, space)
        run = await self._found_run(scope, id)
        return RunDetail(run, tuple(await self._store.changes(scope, run.changes)))

    async def rollback(
        self,
        id: str,
        *,
        user: str | None = None,
        space: str | None = None,
        by: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> RolledBack:
        """Take back everything a record accounts for, as one change; what someone changed since stays as it is."""
        scope = _owner(tenant, user, space)
        run = await self._found_run(scope, id)
        done = await self._rollback.roll_back(scope, run.id, by or (None if space is None else "program:rollback"))
        await self._casework.clear(scope, done.restored)
        await self._casework.doubt_again(scope, done.restored)
        self._worker.wake()
        return done

    async def garden(self, *, user: str, tenant: str = DEFAULT_TENANT) -> Run:
        """Merge, fade, archive and condense a person's memory now; the record of it."""
        run = await self._done_now(await self._visibility.known_person(tenant, user), GARDEN)
        if run is None:
            raise ConflictError("the gardener could not come; relembra jobs list says why", "night")
        return run

    async def garden_plan(self, *, user: str, tenant: str = DEFAULT_TENANT) -> list[GardenAction]:
        """What the gardener would do now and why, without doing it."""
        return await self._tasks.gardener.plan(person(tenant, user))

    async def find_insights(self, *, user: str, tenant: str = DEFAULT_TENANT) -> Run:
        """Look for patterns in what a person said, now; the record of it."""
        run = await self._done_now(await self._visibility.known_person(tenant, user), INSIGHT)
        if run is None:
            raise ConflictError("nothing could be looked for; relembra jobs list says why", "night")
        return run

    async def insights(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> list[KnowledgeItem]:
        """The patterns found so far that may be heard in a place, the surest first."""
        scope = person(tenant, user)
        away = (await self._visibility.withheld(scope, outside)).items
        return await self._tasks.insights.held(scope, asked_in=place_of(space, channel), without=away)

    async def _done_now(self, scope: Scope, kind: str) -> Run | None:
        """Leave night work asked for by hand, do it, and give its record; none where there was nothing to do."""
        now = self._now()
        payload = {BY_HAND: True, ZONE: await self._visibility.zone_of(scope)}
        job = Job(id=self._new_id(), scope=scope, kind=kind, payload=payload, due_at=AT_ONCE, created_at=now)
        await self._store.apply(scope, [Enqueue(job)])
        await self._worker.run_due_of(scope)
        run, left = await self._store.find(scope, Run, job.id), await self._store.job(job.id)
        if run is None and left is not None:
            if left.error is not None:
                raise ConflictError(f"it could not be done: {left.error}; relembra jobs shows it", "night")
            with contextlib.suppress(ConflictError):  # another program has taken it up in this moment
                await self._store.cancel(job.id)
            raise BusyError("another program is still learning from what was said; try again in a moment")
        return run

    async def _found_run(self, scope: Scope, id: str) -> Run:
        found = await self._store.find(scope, Run, id)
        if found is None:
            like = partial(self._store.ids_like, scope, Run)
            found = await self._store.find(scope, Run, await whole_id(id, like, "records"))
        if found is None:
            raise NotFoundError("record", id)
        return found


def _owner(tenant: str, user: str | None, space: str | None) -> Scope:
    """The scope of a person, or of a space as a whole."""
    if (user is None) == (space is None):
        raise InvalidInputError("say whose: one user or one space", field="user")
    return person(tenant, user) if user is not None else shelf_of(Scope(tenant, "-"), Place(space))


class JobQueue(Part):
    """Jobs that are not done yet."""

    def __init__(self, services: Services, worker: Worker) -> None:
        super().__init__(services)
        self._worker = worker

    async def retry(self) -> int:
        """Retry jobs that were given up; how many there were."""
        revived = await self._store.retry(now=self._now())
        self._worker.wake()
        return revived

    async def failed_jobs(self, *, within: str | None = None) -> list[Job]:
        """Work that was tried and is not done, among the thousand pieces due first; the `error` of each says why.

        Everybody's, or one tenant's.
        """
        jobs = await self._store.jobs(tenant=within, limit=LOOKED_AT_JOBS)
        return [job for job in jobs if job.error is not None and job.state is not JobState.RUNNING]

    async def jobs(
        self,
        *,
        user: str | None = None,
        state: str | None = None,
        kind: str | Iterable[str] | None = None,
        limit: int = 100,
        within: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> list[Job]:
        """Work that waits, is under way or was given up, the next due first; everyone's or one person's.

        `within`: of everyone's only one tenant's.
        """
        checked_limit(limit, self._policy.search.largest_page)
        wanted = None if state is None else one(JobState, state, "state")
        kinds = (kind,) if isinstance(kind, str) else several(kind or (), "kind")
        scope = None if user is None else person(tenant, user)
        return await self._store.jobs(state=wanted, scope=scope, tenant=within, kinds=kinds, limit=limit)

    async def job(self, id: str) -> Job:
        """One job that is not done yet, by its id or at least four characters of its beginning or end."""
        like = partial(self._store.ids_like, None, Job)
        found = await self._store.job(id) or await self._store.job(await whole_id(id, like, "jobs"))
        if found is None:
            raise NotFoundError("job", id)
        return found

    async def retry_job(self, id: str) -> Job:
        """Let a job that was given up, or still waits for its time, be tried now."""
        job = await self.job(id)
        await self._store.retry(now=self._now(), id=job.id)
        self._worker.wake()
        return await self._store.job(job.id) or job

    async def cancel_job(self, id: str) -> Job:
        """Take a job that waits or was given up out of the queue; one under way is a `ConflictError`."""
        job = await self.job(id)
        if job.kind == FLUSH:
            raise ConflictError(
                "what was said would never be noted; to have it forgotten, forget the conversation", "unnoted"
            )
        if not await self._store.cancel(job.id):
            raise NotFoundError("job", id)
        return job

    async def run_job(self, id: str) -> Job | None:
        """Do a job now, and whatever else of the same person is due; the job where it is not done, with its error."""
        job = await self.retry_job(id)
        await self._worker.run_due_of(job.scope)
        return await self._store.job(job.id)
