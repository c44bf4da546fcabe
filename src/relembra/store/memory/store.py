"""A store in dictionaries: for tests, trials and short-lived programs, and the model the other adapters are held to.

Each person and each space has a shelf. A write works on copies, which take the shelves' places once all went well.
Every answer is computed by walking the shelf, so there is little here that can disagree with itself.
"""

from __future__ import annotations

import heapq
import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import count
from pathlib import Path

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.case import Case, Outcome
from relembra.domain.doors import Door
from relembra.domain.jobs import Job, JobState
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Conversation, Message, Note
from relembra.domain.run import Run, RunKind
from relembra.domain.scope import DIRECT, Place, Scope, may_hear
from relembra.domain.searchable import message_text
from relembra.errors import ConflictError, StoreError
from relembra.minds.port import Analyzer, Vector
from relembra.store.locality import withheld
from relembra.store.memory.access import Admissions
from relembra.store.memory.applying import Draft
from relembra.store.memory.choosing import (
    counted,
    due_at,
    free_jobs,
    ids_like,
    is_due,
    is_wanted,
    is_wanted_event,
    is_wanted_message,
    is_wanted_note,
    known_rows,
    neighbours,
    order_of,
    page_of,
    passings,
    state_of,
    summed,
)
from relembra.store.memory.doors import let_go
from relembra.store.memory.forgetting import Doomed, all_of, doomed_item, doomed_with, named_by_others, without
from relembra.store.memory.locality import Shelves
from relembra.store.memory.searching import nearest, search_shelf
from relembra.store.memory.shelf import Shelf
from relembra.store.memory.verifying import verified
from relembra.store.memory.whole import owners, page_whole
from relembra.store.port import (
    NAMING,
    Buffer,
    Candidate,
    Cursor,
    EventFilter,
    ExpectOpen,
    ExpectStamp,
    Gone,
    ItemCount,
    ItemFilter,
    ItemOrder,
    Kind,
    Ledger,
    LedgerRow,
    MessageFilter,
    NoteFilter,
    Op,
    Page,
    Passing,
    Query,
    Receipt,
    Stamp,
    Stats,
    Unaccounted,
    Unembedded,
    Use,
    Verification,
    View,
    Withheld,
    Words,
)
from relembra.store.seen import expect_stamp


@dataclass(frozen=True, slots=True)
class _Ahead:
    """The keyword arm asked for ahead. A search here is quick enough to run it itself."""

    scope: Scope
    kind: Kind
    query: Query


class InMemoryStore(Admissions):
    """Keeps everything in this process, and nothing after it."""

    def __init__(self, analyzer: Analyzer) -> None:
        super().__init__()
        self._analyzer = analyzer
        self._shelves: dict[Scope, Shelf] = {}
        self._stamps: dict[Scope, Stamp] = {}
        self._tick = 0
        self._numbers = count(1)

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        for op in ops:
            if isinstance(op, ExpectOpen) and (
                shut := await self.closed(scope.tenant, people=op.people, space=op.space)
            ):
                return Receipt(closed=shut[0].kind)
            if isinstance(op, ExpectStamp):
                expect_stamp(self._stamps.get(scope, Stamp(0, 0)), op.stamp)
        draft = Draft(self._shelves, self._analyzer, self._numbers)
        receipt = draft.apply(scope, ops)
        for owner, shelf in draft.changed.items():
            self._keep(owner, shelf)
        self._stamp(draft.seen)
        return receipt

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def items(self, scope: Scope, ids: Sequence[str]) -> list[KnowledgeItem]:
        return list(known_rows(self._shelf(scope).items, ids))

    async def messages(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        return list(known_rows(self._shelf(scope).messages, ids))

    async def notes(self, scope: Scope, ids: Sequence[str]) -> list[Note]:
        return list(known_rows(self._shelf(scope).notes, ids))

    async def conversation(self, scope: Scope, id: str) -> Conversation | None:
        return self._shelf(scope).conversations.get(id)

    async def hidden_conversations(self, scope: Scope, ids: Sequence[str]) -> set[str]:
        held = self._shelf(scope).conversations
        return {id for id in ids if id in held and held[id].deleted_at is not None}

    async def item_ids(self, scope: Scope, fragment: str, *, limit: int = 2) -> list[str]:
        return ids_like(self._shelf(scope).items, fragment, limit)

    async def page_items(
        self,
        scope: Scope,
        wanted: ItemFilter,
        *,
        order: ItemOrder = ItemOrder.NEWEST,
        after: Cursor | None = None,
        limit: int = 50,
    ) -> Page[KnowledgeItem]:
        rows = [item for item in self._shelf(scope).items.values() if is_wanted(item, wanted)]
        return page_of(rows, order.cursor, after=after, limit=limit, rising=order.is_rising)

    async def count_items(self, scope: Scope, wanted: ItemFilter) -> list[ItemCount]:
        return counted(item for item in self._shelf(scope).items.values() if is_wanted(item, wanted))

    async def page_events(
        self, scope: Scope, wanted: EventFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[KnowledgeItem]:
        rows = [item for item in self._shelf(scope).items.values() if is_wanted_event(item, wanted)]
        return page_of(rows, lambda item: Cursor(item.held_from, item.id), after=after, limit=limit)

    async def passings(
        self,
        scope: Scope,
        moments: Sequence[datetime],
        *,
        asked_in: Place = DIRECT,
        without: frozenset[str] = frozenset(),
    ) -> list[Passing]:
        shelf = self._shelf(scope)
        heard = {
            item.id: item for item in shelf.items.values() if may_hear(item.place, asked_in) and item.id not in without
        }
        faded = [
            (entry.target_id, entry.at)
            for entry in shelf.trail.values()
            if entry.verb == "fade" and entry.target_id in heard
        ]
        return passings(heard.values(), faded, moments)

    async def page_messages(
        self, scope: Scope, wanted: MessageFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Message]:
        rows = [message for message in self._shelf(scope).messages.values() if is_wanted_message(message, wanted)]
        return page_of(rows, lambda message: Cursor(message.sent_at, message.id), after=after, limit=limit)

    async def beside(
        self, scope: Scope, ids: Sequence[str], *, before: int, after: int, wanted: MessageFilter
    ) -> dict[str, tuple[Message, ...]]:
        messages = self._shelf(scope).messages
        rows = [message for message in messages.values() if is_wanted_message(message, wanted)]
        return {message.id: neighbours(message, rows, before, after) for message in known_rows(messages, ids)}

    async def page_conversations(
        self, scope: Scope, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Conversation]:
        rows = [row for row in self._shelf(scope).conversations.values() if row.deleted_at is None]
        return page_of(rows, lambda row: Cursor(row.updated_at, row.id), after=after, limit=limit)

    async def page_notes(
        self, scope: Scope, wanted: NoteFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Note]:
        rows = [note for note in self._shelf(scope).notes.values() if is_wanted_note(note, wanted)]
        return page_of(rows, lambda note: Cursor(note.happened_at, note.id), after=after, limit=limit)

    async def buffer(self, scope: Scope, id: str) -> Buffer | None:
        return self._shelf(scope).buffers.get(id)

    async def buffers(self, scope: Scope) -> list[Buffer]:
        return sorted(self._shelf(scope).buffers.values(), key=lambda buffer: (buffer.opened_at, buffer.id))

    async def cases(self, scope: Scope, ids: Sequence[str]) -> list[Case]:
        return list(known_rows(self._shelf(scope).cases, ids))

    async def case_scope(self, tenant: str, id: str) -> Scope | None:
        return next(
            (scope for scope, shelf in self._shelves.items() if scope.tenant == tenant and id in shelf.cases), None
        )

    async def page_cases(
        self,
        scope: Scope,
        *,
        asked_in: Place = DIRECT,
        open_only: bool = False,
        items: Collection[str] | None = None,
        after: Cursor | None = None,
        limit: int = 50,
    ) -> Page[Case]:
        rows = [
            case
            for case in self._shelf(scope).cases.values()
            if may_hear(case.place, asked_in)
            and (not open_only or case.outcome is Outcome.OPEN)
            and (items is None or case.old_id in items or case.new_id in items)
        ]
        return page_of(rows, lambda case: Cursor(case.opened_at, case.id), after=after, limit=limit)

    async def stamps(self, scopes: Sequence[Scope]) -> tuple[Stamp, ...]:
        return tuple(self._stamps.get(scope, Stamp(0, 0)) for scope in scopes)

    async def view(self, scope: Scope, name: str) -> View | None:
        return self._shelf(scope).views.get(name)

    async def unaccounted(self, scope: Scope, *, limit: int) -> Unaccounted:
        shelf, most = self._shelf(scope), max(0, limit)
        shelves = (held for whose, held in self._shelves.items() if whose.tenant == scope.tenant)
        named = {name for held in shelves for buffer in held.buffers.values() for name in buffer.messages}
        buffered = {id for id in shelf.due_messages if (scope.user, id) in named}
        return Unaccounted(
            messages=tuple(sorted(shelf.due_messages - buffered)[:most]),
            buffered=tuple(sorted(buffered)),
            changes=tuple(shelf.due_changes)[:most],
        )

    async def run(self, scope: Scope, id: str) -> Run | None:
        return self._shelf(scope).runs.get(id)

    async def run_of_night(self, scope: Scope, kind: RunKind, night: date) -> Run | None:
        runs = self._shelf(scope).runs.values()
        return next((run for run in runs if (run.kind, run.night) == (kind, night)), None)

    async def run_ids(self, scope: Scope, fragment: str, *, limit: int = 2) -> list[str]:
        return ids_like(self._shelf(scope).runs, fragment, limit)

    async def page_runs(
        self, scope: Scope | None, kinds: Sequence[RunKind] = (), *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Run]:
        shelves = self._shelves.values() if scope is None else [self._shelf(scope)]
        rows = [run for shelf in shelves for run in shelf.runs.values() if not kinds or run.kind in kinds]
        return page_of(rows, lambda run: Cursor(run.started_at, run.id), after=after, limit=limit)

    async def usage(self, scope: Scope | None = None, *, since: date | None = None) -> list[Use]:
        shelves = self._shelves.values() if scope is None else [self._shelf(scope)]
        return summed(use for shelf in shelves for use in shelf.uses.values() if since is None or use.day >= since)

    async def withheld(self, scope: Scope) -> Withheld:
        return withheld(Shelves(self._shelves, scope.tenant), scope)

    async def acquaintances(self, scope: Scope, *, without: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
        return sorted(
            {
                (item.subject, item.value if item.attribute in NAMING and item.value is not None else item.subject)
                for item in self._shelf(scope).items.values()
                if item.subject != SELF
                and item.id not in without
                and item.deleted_at is None
                and item.superseded_at is None
                and item.archived_at is None
            }
        )

    async def vectors(
        self, scope: Scope, kind: Kind, model: str, parts: Sequence[tuple[str, int]]
    ) -> dict[tuple[str, int], Vector]:
        held = self._shelf(scope).vectors
        return {
            (id, part): row[part]
            for id, part in parts
            if (row := held.get((kind, id, model))) is not None and 0 <= part < len(row)
        }

    async def predecessors(self, scope: Scope, id: str) -> list[KnowledgeItem]:
        items = self._shelf(scope).items
        found: dict[str, KnowledgeItem] = {}
        successors = {id}
        while successors:
            earlier = {row.id: row for row in items.values() if row.superseded_by in successors}
            successors = earlier.keys() - found.keys() - {id}
            found |= {row_id: earlier[row_id] for row_id in successors}
        return sorted(found.values(), key=lambda item: (item.created_at, item.id))

    async def trail(self, scope: Scope, target: Target, id: str) -> list[AuditEntry]:
        entries = self._shelf(scope).trail.values()
        return [entry for entry in entries if (entry.target, entry.target_id) == (target, id)]

    async def change(self, scope: Scope, change: str) -> list[AuditEntry]:
        return await self.changes(scope, [change])

    async def changes(self, scope: Scope, changes: Sequence[str]) -> list[AuditEntry]:
        return [entry for entry in self._shelf(scope).trail.values() if entry.change in changes]

    async def page_trail(self, scope: Scope, *, after: int = 0, limit: int = 1_000) -> list[tuple[int, AuditEntry]]:
        later = [(number, entry) for number, entry in self._shelf(scope).trail.items() if number > after]
        return later[: max(0, limit)]

    async def last_entry(self, scope: Scope) -> int:
        return next(reversed(self._shelf(scope).trail), 0)

    async def page_whole(
        self, scope: Scope, ledger: Ledger, *, after: Cursor | None = None, limit: int = 500
    ) -> Page[LedgerRow]:
        return page_whole(self._shelf(scope), ledger, after=after, limit=limit)

    async def owners(self, tenant: str, *, after: str = "", limit: int = 500) -> list[Scope]:
        return owners(self._shelves, tenant, after=after, limit=limit)

    # ── searching ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def words(self, scope: Scope, kind: Kind, query: Query) -> Words:
        return _Ahead(scope, kind, query)

    async def nearest(
        self, scope: Scope, kind: Kind, model: str, vectors: Sequence[Vector], *, limit: int, at_least: float
    ) -> list[list[tuple[str, float]]]:
        shelf = self._shelf(scope)
        return [nearest(shelf, kind, model, vector, limit, at_least) for vector in vectors]

    async def search_items(self, scope: Scope, query: Query, wanted: ItemFilter) -> list[Candidate]:
        shelf = self._shelf(scope)
        rows = {id: item for id, item in shelf.items.items() if is_wanted(item, wanted)}
        return search_shelf(shelf, Kind.ITEM, rows, query, {id: shelf.terms[Kind.ITEM, id] for id in rows})

    async def search_messages(self, scope: Scope, query: Query, wanted: MessageFilter) -> list[Candidate]:
        shelf = self._shelf(scope)
        rows = {id: message for id, message in shelf.messages.items() if is_wanted_message(message, wanted)}
        terms = {
            id: shelf.terms.get((Kind.MESSAGE, id)) or self._counted(message_text(message))
            for id, message in rows.items()
        }
        return search_shelf(shelf, Kind.MESSAGE, rows, query, terms)

    async def search_notes(self, scope: Scope, query: Query, wanted: NoteFilter) -> list[Candidate]:
        shelf = self._shelf(scope)
        rows = {id: note for id, note in shelf.notes.items() if is_wanted_note(note, wanted)}
        return search_shelf(shelf, Kind.NOTE, rows, query, {id: shelf.terms[Kind.NOTE, id] for id in rows})

    # ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────

    async def forget_item(
        self, scope: Scope, id: str, *, along: Mapping[str, int] | None = None, dry_run: bool = False
    ) -> Gone:
        return self._forget(scope, doomed_item(self._shelf(scope), id, along or {}), dry_run)

    async def forget_conversation(self, scope: Scope, id: str, *, dry_run: bool = False) -> Gone:
        return self._forget(scope, doomed_with(self._shelves, scope, id), dry_run)

    async def forget_person(self, scope: Scope, *, dry_run: bool = False) -> Gone:
        return self._forget(scope, all_of(self._shelves, scope), dry_run, whole=True)

    def _forget(self, scope: Scope, doomed: Doomed, dry_run: bool, *, whole: bool = False) -> Gone:
        before = self._shelves
        left, gone = without(before, scope, doomed, whole=whole)
        if dry_run:
            return replace(gone, erased=False, dry_run=True)
        self._shelves = left
        self._stamp({other: True for other, shelf in before.items() if not shelf.reads_like(self._shelf(other))})
        if whole:
            self._stamps.pop(scope, None)
            self.forget_admission(scope)
        if gone.total:
            self.forget_replies(scope, everybodys=bool(named_by_others(scope, doomed)))
        return gone

    def _stamp(self, scopes: Mapping[Scope, bool]) -> None:
        """Note that something to be read of each of these changed just now; True: something known as well."""
        self._tick += 1
        for scope, known in scopes.items():
            held = self._stamps.get(scope, Stamp(0, 0))
            self._stamps[scope] = Stamp(self._tick, self._tick if known else held.known)

    # ── doors ─────────────────────────────────────────────────────────────────────────────────────────────────────

    async def spaces(self, tenant: str) -> list[str]:
        held = (shelf for scope, shelf in self._shelves.items() if scope.tenant == tenant)
        chats = (chat.place.space for shelf in held for chat in shelf.conversations.values())
        return sorted({space for space in chats if space is not None})

    def _let_go(self, tenant: str, door: Door, new_id: Callable[[], str]) -> None:
        before = self._shelves
        self._shelves = let_go(before, tenant, door, new_id)
        self._stamp({scope: False for scope, held in before.items() if not held.reads_like(self._shelf(scope))})

    # ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def claim(
        self,
        kinds: Sequence[str],
        *,
        now: datetime,
        lease: timedelta,
        limit: int,
        one_a_scope: bool = False,
        after: Sequence[str] = (),
        scopes: Sequence[Scope] = (),
    ) -> list[Job]:
        everybodys = self._all_jobs()
        jobs = [job for job in everybodys if job.kind in kinds]
        first = (job for job in everybodys if job.kind in after)
        held_up = {job.scope for job in first if job.state is JobState.RUNNING or is_due(job, now)}
        due = [job for job in jobs if is_due(job, now) and job.scope not in held_up]
        due = [job for job in due if not scopes or job.scope in scopes]
        if one_a_scope:
            due = free_jobs(due, {job.scope for job in jobs if job.state is JobState.RUNNING and job not in due})
        taken = [
            replace(job, state=JobState.RUNNING, attempts=job.attempts + 1, lease_until=now + lease)
            for job in due[: max(0, limit)]
        ]
        for job in taken:
            self._shelves[job.scope].jobs[job.id] = job
        return taken

    async def fail(
        self, id: str, *, claim: int, error: str, retry_at: datetime | None, is_counted: bool = True
    ) -> None:
        state = JobState.DEAD if retry_at is None else JobState.WAITING
        for job in self._claimed({id: claim}):
            tries = claim if is_counted else claim - 1
            self._shelves[job.scope].jobs[id] = replace(
                job, state=state, due_at=retry_at or job.due_at, attempts=tries, lease_until=None, error=error
            )

    async def hand_back(self, claims: Mapping[str, int]) -> None:
        for job in self._claimed(claims):
            self._shelves[job.scope].jobs[job.id] = replace(
                job, state=JobState.WAITING, attempts=job.attempts - 1, lease_until=None
            )

    async def postpone(self, id: str, *, claim: int, until: datetime) -> None:
        for job in self._claimed({id: claim}):
            self._shelves[job.scope].jobs[id] = replace(
                job, state=JobState.WAITING, attempts=claim - 1, lease_until=None, due_at=until
            )

    def _claimed(self, claims: Mapping[str, int]) -> list[Job]:
        """Those of the jobs that are still of these claims."""
        running = (job for job in self._all_jobs() if job.state is JobState.RUNNING)
        return [job for job in running if claims.get(job.id) == job.attempts]

    async def jobs(
        self,
        *,
        state: JobState | None = None,
        scope: Scope | None = None,
        tenant: str | None = None,
        kinds: Sequence[str] = (),
        limit: int = 100,
    ) -> list[Job]:
        found = (job for job in self._all_jobs() if state in (None, job.state) and scope in (None, job.scope))
        theirs = (job for job in found if tenant in (None, job.scope.tenant))
        return [job for job in theirs if not kinds or job.kind in kinds][: max(0, limit)]

    async def job(self, id: str) -> Job | None:
        return next((job for job in self._all_jobs() if job.id == id), None)

    async def job_ids(self, fragment: str, *, limit: int = 2) -> list[str]:
        return ids_like((job.id for job in self._all_jobs()), fragment, limit)

    async def cancel(self, id: str) -> bool:
        job = await self.job(id)
        if job is None:
            return False
        if job.state is JobState.RUNNING:
            raise ConflictError(f"job {id!r} is being done; wait until it is finished or given back")
        self._drop([job])
        return True

    async def next_due(self) -> datetime | None:
        return min((at for job in self._all_jobs() if (at := due_at(job)) is not None), default=None)

    async def hasten(self, kind: str, *, now: datetime, scope: Scope | None = None) -> int:
        later = [
            job
            for job in self._all_jobs()
            if job.kind == kind and job.state is JobState.WAITING and job.due_at > now and scope in (None, job.scope)
        ]
        for job in later:
            self._shelves[job.scope].jobs[job.id] = replace(job, due_at=now)
        return len(later)

    async def retry(self, *, now: datetime, kind: str | None = None, id: str | None = None) -> int:
        jobs = [job for job in self._all_jobs() if kind in (None, job.kind) and id in (None, job.id)]
        able = [job for job in jobs if job.state is JobState.DEAD or (id and job.state is JobState.WAITING)]
        for job in able:
            self._shelves[job.scope].jobs[job.id] = replace(job, state=JobState.WAITING, attempts=0, due_at=now)
        return len(able)

    async def drop_jobs(self, *, kind: str, state: JobState) -> int:
        doomed = [job for job in self._all_jobs() if job.kind == kind and job.state is state]
        self._drop(doomed)
        return len(doomed)

    def _drop(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            shelf = self._shelves[job.scope]
            del shelf.jobs[job.id]
            self._keep(job.scope, shelf)

    def _all_jobs(self) -> list[Job]:
        jobs = (job for shelf in self._shelves.values() for job in shelf.jobs.values())
        return sorted(jobs, key=lambda job: (job.due_at, job.id))

    # ── keeping house ─────────────────────────────────────────────────────────────────────────────────────────────

    async def unindexed(self, *, limit: int) -> list[tuple[Scope, str]]:
        waiting = (
            (message.saved_at, message.id, scope.tenant, scope.user)
            for scope, shelf in self._shelves.items()
            for message in shelf.messages.values()
            if (Kind.MESSAGE, message.id) not in shelf.terms
        )
        return [(Scope(tenant, user), id) for _, id, tenant, user in heapq.nsmallest(limit, waiting)]

    async def unembedded(self, model: str, *, limit: int, after: Unembedded | None = None) -> list[Unembedded]:
        rows = (
            Unembedded(scope, kind, id, text)
            for scope, shelf in self._shelves.items()
            for kind, id, text in shelf.texts()
            if (kind, id, model) not in shelf.vectors
        )
        later = (row for row in rows if after is None or order_of(row) > order_of(after))
        return heapq.nsmallest(limit, later, key=order_of)

    async def drop_other_vectors(self, model: str) -> int:
        dropped = 0
        for shelf in self._shelves.values():
            others = [key for key in shelf.vectors if key[2] != model]
            dropped += sum(len(shelf.vectors.pop(key)) for key in others)
        return dropped

    async def model_names(self) -> list[str]:
        return sorted(await self.models())

    async def models(self) -> dict[str, int]:
        return dict(Counter(key[2] for shelf in self._shelves.values() for key in shelf.vectors))

    async def verify(self) -> Verification:
        return verified(self._shelves, self._analyzer)

    async def stats(self, scope: Scope | None = None) -> Stats:
        shelves = self._shelves if scope is None else {scope: self._shelf(scope)}
        items = [item for shelf in shelves.values() for item in shelf.items.values()]
        return Stats(
            people=sum(whose.space is None and not shelf.is_empty for whose, shelf in shelves.items()),
            conversations=sum(len(shelf.conversations) for shelf in shelves.values()),
            messages=sum(len(shelf.messages) for shelf in shelves.values()),
            notes=sum(len(shelf.notes) for shelf in shelves.values()),
            items=dict(Counter(state_of(item) for item in items)),
            items_by_type=dict(Counter(str(item.type) for item in items)),
            items_by_area=dict(Counter(str(item.area) for item in items if item.area is not None)),
            vectors=dict(Counter(key[2] for shelf in shelves.values() for key in shelf.vectors)),
            jobs=dict(Counter(str(job.state) for shelf in shelves.values() for job in shelf.jobs.values())),
            bytes=0,
        )

    async def backup(self, target: Path) -> int:
        """A JSON file of all rows, vectors, keys and links; terms are left out, for they follow from the rows."""
        import msgspec  # only needed here

        return _write_new(
            target, msgspec.json.encode([self.dump(), *(_dump(shelf) for shelf in self._shelves.values())])
        )

    async def close(self) -> None:
        """Nothing is held open, so that a store can still be looked into afterwards."""

    def _shelf(self, scope: Scope) -> Shelf:
        return self._shelves.get(scope) or Shelf()

    def _keep(self, scope: Scope, shelf: Shelf) -> None:
        if shelf.is_empty:
            self._shelves.pop(scope, None)
        else:
            self._shelves[scope] = shelf

    def _counted(self, text: str) -> Counter[str]:
        return Counter(self._analyzer.terms(text))


# ── the copy ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _dump(shelf: Shelf) -> dict[str, object]:
    return {
        "conversations": list(shelf.conversations.values()),
        "messages": list(shelf.messages.values()),
        "notes": list(shelf.notes.values()),
        "items": list(shelf.items.values()),
        "vectors": [(*key, vectors) for key, vectors in shelf.vectors.items()],
        "audit": list(shelf.trail.values()),
        "jobs": list(shelf.jobs.values()),
        "buffers": list(shelf.buffers.values()),
        "cases": list(shelf.cases.values()),
        "views": list(shelf.views.values()),
        "usage": list(shelf.uses.values()),
        "runs": list(shelf.runs.values()),
        "due_messages": sorted(shelf.due_messages),
        "due_changes": list(shelf.due_changes),
    }


def _write_new(target: Path, content: bytes) -> int:
    try:
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            return file.write(content)
    except FileExistsError as exc:
        raise ConflictError(f"{target} exists already; name a new file for the backup") from exc
    except OSError as exc:
        raise StoreError(f"the backup could not be written to {target}: {exc.strerror}") from exc
