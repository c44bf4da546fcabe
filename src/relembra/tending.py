"""The night's work as verbs: run it now, read its records, take one back, and look after the queue."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from relembra.domain.audit import AuditEntry
from relembra.domain.choices import checked_language, one, several
from relembra.domain.jobs import AT_ONCE, CONSOLIDATE, FLUSH, GARDEN, INSIGHT, LEARNING, Job, JobState, night_job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note, NoteKind
from relembra.domain.moment import in_utc
from relembra.domain.nights import clock_of
from relembra.domain.policy import Policy
from relembra.domain.run import Run, RunKind
from relembra.domain.scope import DEFAULT_TENANT, Place, Scope, person, shelf_of
from relembra.errors import BusyError, ConflictError, InvalidInputError, NotFoundError
from relembra.learn.casework import Casework
from relembra.learn.learner import Learner
from relembra.learn.rollback import Rollback, RolledBack
from relembra.listen.duties import Listening
from relembra.listen.intake import place_of
from relembra.minds.port import Embedder, NightReader, Observer, Outside, Reader, Tokens
from relembra.recall.asked import Listing, checked_limit, cursor_from
from relembra.store.port import Enqueue, MessageFilter, Stamp, Store, Withheld
from relembra.tend.clustering import Clustering
from relembra.tend.consolidation import Consolidation, Portrait
from relembra.tend.gardening import Deed, Gardener
from relembra.tend.insight import Insights
from relembra.tend.merging import Merger
from relembra.tend.night import NightWork, Task
from relembra.tend.records import BY_HAND, ZONE, Books
from relembra.tend.reporting import Reporter
from relembra.tend.worker import Worker

EARLIEST_DAY, LATEST_DAY = date(1900, 1, 1), date(2999, 12, 31)
"""Reports are of days people live in."""
NIGHT_TASKS = frozenset({"reread", "topics", "retell"})


@dataclass(frozen=True, slots=True)
class RunDetail:
    """A record with every change it accounts for, in the order they were made."""

    run: Run
    entries: tuple[AuditEntry, ...]


class Tending:
    """The verbs of `Memory` about night work; it has what `Memory` has."""

    _store: Store
    _worker: Worker
    _policy: Policy
    _embedder: Embedder
    _tokens: Tokens
    _offline: Reader
    _night: NightReader
    _offline_night: NightReader
    _observer: Observer
    _listening: Listening
    _learner: Learner
    _casework: Casework
    _rollback: Rollback
    _gardener: Gardener
    _insights: Insights
    _reporter: Reporter
    _outside: Outside
    _language: str
    _home: str
    _language_of: Callable[[str], str | None]
    _new_id: Callable[[], str]
    _now: Callable[[], datetime]
    _portrait: Callable[[Scope], Awaitable[Portrait]]

    if TYPE_CHECKING:

        async def _withheld(self, scope: Scope, outside: bool, stamp: Stamp | None = None) -> Withheld: ...

    # ── night work ────────────────────────────────────────────────────────────────────────────────────────────────

    async def consolidate(self, *, user: str, tenant: str = DEFAULT_TENANT) -> Run | None:
        """Do a person's night work now; its record, or None where nothing was said since the last.

        What could not be learnt from is told by the record, which then has failed or is partial. A `BusyError`: another
        program is still learning from it.
        """
        scope = person(tenant, user)
        due = await self._store.unaccounted(scope, limit=1)
        said = await self._store.messages(scope, due.buffered)
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
        """The records of night work, newest first: a person's, a space's, or of everybody in every tenant.

        `kind=None`: of every kind. Everybody's come without what a model answered, which quotes what people said.
        """
        checked_limit(limit, self._policy.search.largest_page)
        names = (kind,) if isinstance(kind, str) else several(kind or (), "kind")
        kinds = tuple(one(RunKind, name, "kind") for name in names)
        scope = None if user is None and space is None else _whose(tenant, user, space)
        page = await self._store.page_runs(scope, kinds, after=cursor_from(after), limit=limit)
        if scope is None:
            page = replace(page, rows=tuple(replace(run, raw=None) for run in page.rows))
        return Listing(page)

    async def consolidation(
        self, id: str, *, user: str | None = None, space: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> RunDetail:
        """One record of a person or space, by its id or four or more characters of an end of it, with its changes."""
        scope = _whose(tenant, user, space)
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
        """Take back everything a record accounts for, as one change; what somebody changed since stays as it is."""
        scope = _whose(tenant, user, space)
        run = await self._found_run(scope, id)
        done = await self._rollback.roll_back(scope, run.id, by or (None if space is None else "program:rollback"))
        await self._casework.clear(scope, done.restored)
        await self._casework.doubt_again(scope, done.restored)
        self._worker.wake()
        return done

    async def garden(self, *, user: str, tenant: str = DEFAULT_TENANT) -> Run:
        """Merge, fade, archive and condense a person's memory now; the record of it."""
        run = await self._done_now(await self._somebody(tenant, user), GARDEN)
        if run is None:
            raise ConflictError("the gardener could not come; relembra jobs list says why")
        return run

    async def garden_plan(self, *, user: str, tenant: str = DEFAULT_TENANT) -> list[Deed]:
        """What the gardener would do now and why, without doing it."""
        return await self._gardener.plan(person(tenant, user))

    async def find_insights(self, *, user: str, tenant: str = DEFAULT_TENANT) -> Run:
        """Look for patterns in what a person said, now; the record of it."""
        run = await self._done_now(await self._somebody(tenant, user), INSIGHT)
        if run is None:
            raise ConflictError("nothing could be looked for; relembra jobs list says why")
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
        away = (await self._withheld(scope, outside)).items
        return await self._insights.held(scope, asked_in=place_of(space, channel), without=away)

    async def report(
        self,
        kind: str = NoteKind.WEEKLY,
        *,
        user: str,
        day: date | None = None,
        language: str | None = None,
        by: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Note | None:
        """The report of the week or month a day lies in, written now; None: nothing happened in it.

        Without a day: of the last one that is over, or where nothing happened in it of the one going on.
        """
        wanted = one(NoteKind, kind, "kind")
        if wanted not in (NoteKind.WEEKLY, NoteKind.MONTHLY):
            raise InvalidInputError(f"a report is weekly or monthly, not {kind}", field="kind")
        if day is not None and not EARLIEST_DAY <= day <= LATEST_DAY:
            raise InvalidInputError(f"{day} lies too far away to report on", field="day")
        note = await self._reporter.report(
            await self._somebody(tenant, user), wanted, day=day, language=checked_language(language), by=by
        )
        self._worker.wake()
        return note

    async def appointment(
        self,
        profession: str | None = None,
        *,
        user: str,
        at: datetime | None = None,
        language: str | None = None,
        by: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Note:
        """What to tell a doctor or another professional, written now for the next appointment, or one at a moment."""
        scope = await self._somebody(tenant, user)
        moment = None if at is None else in_utc(at, "at")
        if moment is not None and not EARLIEST_DAY <= moment.date() <= LATEST_DAY:
            raise InvalidInputError(f"{moment.date()} lies too far away for an appointment", field="at")
        note = await self._reporter.appointment(scope, profession, moment, language=checked_language(language), by=by)
        self._worker.wake()
        return note

    async def note_files(
        self, id: str, *, user: str, language: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> dict[str, bytes]:
        """A note as a Markdown file with the pictures that go with it, by file name."""
        scope = person(tenant, user)
        found = await self._store.notes(scope, [id])
        if not found or found[0].deleted_at is not None:
            raise NotFoundError("note", id)
        from relembra.views.reports.files import as_markdown

        note = found[0]
        tongue = checked_language(language) or self._language_of(note.summary) or self._language
        pictures = await self._reporter.pictures(scope, note, language=tongue)
        return as_markdown(note, tongue, pictures, zone=await self._zone_of(scope))

    # ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────

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
        """Work that waits, is under way or was given up, the next due first; everybody's or one person's.

        `within`: of everybody's only one tenant's.
        """
        checked_limit(limit, self._policy.search.largest_page)
        wanted = None if state is None else one(JobState, state, "state")
        kinds = (kind,) if isinstance(kind, str) else several(kind or (), "kind")
        scope = None if user is None else person(tenant, user)
        return await self._store.jobs(state=wanted, scope=scope, tenant=within, kinds=kinds, limit=limit)

    async def job(self, id: str) -> Job:
        """One job that is not done yet, by its id or at least four characters of its beginning or end."""
        found = await self._store.job(id)
        if found is None and len(id) >= 4:
            like = await self._store.job_ids(id.lower())
            if len(like) > 1:
                raise InvalidInputError(f"{id!r} fits several jobs; give more of the id", field="id")
            found = await self._store.job(like[0]) if like else None
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
            raise ConflictError("what was said would never be noted; to have it forgotten, forget the conversation")
        if not await self._store.cancel(job.id):
            raise NotFoundError("job", id)
        return job

    async def run_job(self, id: str) -> Job | None:
        """Do a job now, and whatever else of the same person is due; the job where it is not done, with its error."""
        job = await self.retry_job(id)
        await self._worker.run_due_of(job.scope)
        return await self._store.job(job.id)

    # ── inside ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _night_work(self) -> NightWork:
        """The tasks of the night, which share their books, their merger and what models may be asked."""
        self._asking: WeakSet[asyncio.Task[Any]] = WeakSet()
        store, policy, clock, new_id = self._store, self._policy, self._now, self._new_id
        books = Books(store, night_hour=policy.tend.night_hour, clock=clock)
        merger = Merger(
            store,
            reader=self._offline,
            embedder=self._embedder,
            embeds_outside=self._outside.embedder,
            policy=policy,
            clock=clock,
            new_id=new_id,
        )
        self._reporter = Reporter(
            store,
            books=books,
            policy=policy.report,
            language=self._language,
            language_of=self._language_of,
            clock=clock,
            new_id=new_id,
        )
        self._gardener = Gardener(
            store,
            merger=merger,
            night=self._night,
            offline=self._offline_night,
            reads_outside=self._outside.night,
            allowance=self._may_ask,
            tokens=self._tokens,
            language_of=self._language_of,
            books=books,
            policy=policy,
            clock=clock,
            new_id=new_id,
        )
        self._insights = Insights(
            store,
            self._observer,
            embedder=self._embedder,
            books=books,
            policy=policy.insight,
            language_of=self._language_of,
            clock=clock,
            new_id=new_id,
        )
        consolidation = Consolidation(
            store,
            books=books,
            night=self._night,
            talks=self._listening,
            learner=self._learner,
            merger=merger,
            portray=self._portrait,
            prepare=self._reporter.due_appointments,
            clear=self._casework.clear,
            look_again=self._casework.look_again,
            allowance=self._may_ask,
            policy=policy,
            clock=clock,
            new_id=new_id,
        )
        clustering = Clustering(
            store,
            night=self._night,
            offline=self._offline_night,
            reads_outside=self._outside.night,
            books=books,
            policy=policy,
            allowance=self._may_ask,
            language_of=self._language_of,
            language=self._language,
            clock=clock,
            new_id=new_id,
        )
        tasks: list[Task] = [consolidation, clustering, self._gardener, self._insights, self._reporter]
        return NightWork(store, tasks, books=books, policy=policy.tend, clock=clock)

    async def _done_now(self, scope: Scope, kind: str) -> Run | None:
        """Leave night work asked for by hand, do it, and give its record; none where there was nothing to do."""
        now = self._now()
        payload = {BY_HAND: True, ZONE: await self._zone_of(scope)}
        job = Job(id=self._new_id(), scope=scope, kind=kind, payload=payload, due_at=AT_ONCE, created_at=now)
        await self._store.apply(scope, [Enqueue(job)])
        await self._worker.run_due_of(scope)
        run, left = await self._store.run(scope, job.id), await self._store.job(job.id)
        if run is None and left is not None:
            if left.error is not None:
                raise ConflictError(f"it could not be done: {left.error}; relembra jobs shows it")
            with contextlib.suppress(ConflictError):  # another program has taken it up in this moment
                await self._store.cancel(job.id)
            raise BusyError("another program is still learning from what was said; try again in a moment")
        return run

    def _tonight(self, scope: Scope, zone: str) -> Enqueue:
        """The consolidation of the coming night, left once however often it is asked for."""
        hour = self._policy.tend.night_hour
        return Enqueue(night_job(CONSOLIDATE, scope, zone, hour=hour, id=self._new_id(), now=self._now()))

    async def _may_ask(self) -> bool:
        """Whether models may be asked any more tonight: everybody's night work counts, since midnight in UTC.

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

    async def _zone_of(self, scope: Scope) -> str:
        """The clock a person last spoke by."""
        page = await self._store.page_messages(scope, MessageFilter(), limit=1)
        return clock_of(page.rows[0].zone, page.rows[0].sent_at, self._home) if page.rows else self._home or "+00:00"

    async def _somebody(self, tenant: str, user: str) -> Scope:
        """The scope of a person of whom anything is kept: work for a mistyped name would be about nobody."""
        scope = person(tenant, user)
        [stamp] = await self._store.stamps([scope])
        if not stamp.said and not stamp.known:
            raise NotFoundError("person", user)
        return scope

    async def _found_run(self, scope: Scope, id: str) -> Run:
        found = await self._store.run(scope, id)
        if found is None and len(id) >= 4:
            ids = await self._store.run_ids(scope, id.lower())
            if len(ids) > 1:
                raise InvalidInputError(f"{id!r} fits several records; give more of the id", field="id")
            found = await self._store.run(scope, ids[0]) if ids else None
        if found is None:
            raise NotFoundError("record", id)
        return found


def _whose(tenant: str, user: str | None, space: str | None) -> Scope:
    """The scope of a person, or of a space as a whole."""
    if (user is None) == (space is None):
        raise InvalidInputError("say whose: one user or one space", field="user")
    return person(tenant, user) if user is not None else shelf_of(Scope(tenant, "-"), Place(space))
