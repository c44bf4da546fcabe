"""Automatic notes: weekly and monthly reports on their nights, and what to tell a doctor before an appointment.

A report's id follows from its person and its period, so that there is one of each however often it is asked for.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from relembra.domain.audit import Actor, Target
from relembra.domain.jobs import AT_ONCE, MONTHLY, WEEKLY, Job, index_job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note, NoteKind
from relembra.domain.moment import Clock
from relembra.domain.policy import ReportPolicy
from relembra.domain.run import Run, RunKind, RunStatus, Tally
from relembra.domain.scope import Scope
from relembra.errors import StaleError, StoreReadOnlyError
from relembra.learn.keeper import deciding
from relembra.learn.trail import Change
from relembra.store.port import Enqueue, Kind, Op, PutRun, Store
from relembra.tend.night import finished
from relembra.tend.records import BY_HAND, Books, zone_of_job
from relembra.tend.report_reading import Reading, unknown_language
from relembra.views.calendar import day_of
from relembra.views.pictures import Picture, pictures_of
from relembra.views.reports.appointment import Visit, appointment, appointment_title
from relembra.views.reports.files import as_markdown
from relembra.views.reports.material import Material
from relembra.views.reports.periods import Period, before, covering, is_of_period, note_id, period_of
from relembra.views.reports.professions import DOCTOR, Profession, profession_named, profession_of
from relembra.views.reports.telling import titled, told

__all__ = ["REPORTER", "Drafted", "Reporter", "as_markdown"]

REPORTER = Actor.parse("program:reporter")
MOST_PERIODS = 8
"""Weeks or months a late job catches up with; what is older is left out."""

log = logging.getLogger(__name__)

_KINDS = {WEEKLY: NoteKind.WEEKLY, MONTHLY: NoteKind.MONTHLY}
_A_YEAR = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Drafted:
    """Notes to be written, as operations for one transaction, and the change they are recorded under."""

    notes: tuple[Note, ...] = ()
    ops: tuple[Op, ...] = ()
    change: str | None = None  # None: there is nothing to write


class Reporter:
    """Writes automatic notes: at night by job, or at once when asked."""

    kinds: tuple[str, ...] = (WEEKLY, MONTHLY)

    def __init__(
        self,
        store: Store,
        *,
        books: Books,
        policy: ReportPolicy,
        language: str,
        clock: Clock,
        new_id: Callable[[], str],
        language_of: Callable[[str], str | None] = unknown_language,
    ) -> None:
        self._store = store
        self._books = books
        self._policy = policy
        self._clock = clock
        self._new_id = new_id
        self._reading = Reading(store, policy, language=language, language_of=language_of)

    # ── weeks and months ──────────────────────────────────────────────────────────────────────────────────────────

    async def run(self, job: Job) -> None:
        """Write the reports that are due; one that is there, or was deleted, is left alone."""
        run = await self._opened(job)
        if run is None:
            await finished(self._store, job, [])
            return
        for period in self._due(job):
            run = await self._reported(run, period)

        async def close() -> bool:
            return await finished(self._store, job, self._books.closed(await self._current(run)))

        await deciding(close)

    async def report(
        self,
        scope: Scope,
        kind: NoteKind,
        *,
        day: date | None = None,
        zone: str | None = None,
        language: str | None = None,
        by: str | None = None,
    ) -> Note | None:
        """The report of the week or month a day lies in, written now in place of any before; None: nothing happened.

        Without a day it is the last one that is over, or where nothing happened in it the one going on. One asked for
        before its end is written again once it is over.
        """
        clock = zone or await self._reading.zone(scope)
        actor = _actor(by, scope)
        if day is not None:
            return await self._written(scope, covering(kind, day, clock), actor, language=language)
        now = self._now()
        over = await self._written(scope, before(kind, now, clock), actor, language=language)
        going_on = covering(kind, day_of(now, clock).date(), clock)
        return over or await self._written(scope, going_on, actor, language=language)

    async def refreshed(self, scope: Scope, note: Note) -> Note:
        """A report as it reads once talk was brought into its time after it was written; any other note as it is."""
        if not is_of_period(note) or note.deleted_at is not None:
            return note
        period = period_of(note, await self._reading.zone(scope))
        if self._now() < period.end or not await self._is_stale(scope, note, period):
            return note
        return await self._written(scope, period, REPORTER) or note

    async def _is_done(self, scope: Scope, note: Note, period: Period) -> bool:
        """Whether a report is to be left alone: the person deleted it, or it tells the whole of its time."""
        if note.deleted_at is not None:
            return True
        return note.happened_at >= period.last_moment and not await self._is_stale(scope, note, period)

    async def _is_stale(self, scope: Scope, note: Note, period: Period) -> bool:
        """Whether talk of its time was noted after it was last written."""
        fresh = await self._reading.fresh(scope, period, note.note_ids)
        trail = await self._store.trail(scope, Target.NOTE, note.id) if fresh else []
        written = max((entry.at for entry in trail), default=note.created_at)
        return any(one.created_at > written for one in fresh)

    async def _written(self, scope: Scope, period: Period, actor: Actor, *, language: str | None = None) -> Note | None:
        """The report of a period, written now with its record; None where there is nothing to tell."""

        async def decide() -> Note | None:
            material = await self._reading.period(scope, period, self._now(), language=language)
            if material.is_empty:
                return None
            held = await self._held(scope, note_id(scope, period.kind, period.name))
            draft = self._drafted(scope, [(self._report(scope, material, held), held)], actor)
            await self._keep(scope, draft, period.start)
            await self._checked(scope, material.told, notes=[note.id for note in material.notes])
            return draft.notes[0]

        return await deciding(decide)

    async def _opened(self, job: Job) -> Run | None:
        """The record. Where a week and a month end in one night, the second of the two has one without a night."""
        run = await self._books.opened(job, RunKind.REPORT)
        if run is not None:
            return run
        for period in self._due(job):
            if await self._held(job.scope, note_id(job.scope, period.kind, period.name)) is None:
                return await self._books.opened(replace(job, payload={**job.payload, BY_HAND: True}), RunKind.REPORT)
        return None

    async def _current(self, run: Run) -> Run:
        """The record as stored: forgetting moves it on, so that nothing is written that was read before."""
        return await self._store.run(run.scope, run.id) or run

    def _due(self, job: Job) -> list[Period]:
        """The periods that ended between the one the job was left for and now, oldest first; by hand the last one."""
        zone, kind, now = zone_of_job(job), _KINDS[job.kind], self._now()
        first = before(kind, now if job.due_at == AT_ONCE else job.due_at, zone)
        found = [before(kind, now, zone)]
        while len(found) < MOST_PERIODS and found[-1].first > first.first:
            found.append(before(kind, found[-1].start, zone))
        return found[::-1]

    async def _reported(self, run: Run, period: Period) -> Run:
        """The record after a period's note was written, where there was something to tell."""
        scope = run.scope
        again = False

        async def decide() -> Run:
            nonlocal run, again
            run = await self._current(run)
            held = await self._held(scope, note_id(scope, period.kind, period.name))
            if held is not None and not again and await self._is_done(scope, held, period):
                return run
            material = await self._reading.period(scope, period, self._now())
            if material.is_empty and held is None:
                return run
            draft = self._drafted(scope, [(self._report(scope, material, held), held)], REPORTER)
            tally = run.tally if again else run.tally + Tally(notes=1, messages=material.messages)
            after = replace(run, tally=tally, changes=(*run.changes, *_named(draft)))
            await self._store.apply(scope, [*draft.ops, self._books.kept(after)])
            run, again = replace(after, version=after.version + 1), True
            await self._checked(scope, material.told, notes=[note.id for note in material.notes])
            return run

        return await deciding(decide)

    def _report(self, scope: Scope, material: Material, held: Note | None) -> Note:
        period = material.period
        return self._note(
            scope,
            held,
            id=note_id(scope, period.kind, period.name),
            kind=period.kind,
            title=titled(period, material.language),
            summary=told(material, lines=self._policy.lines),
            message_ids=material.sources,
            note_ids=tuple(note.id for note in material.notes),
            happened_at=min(material.now, period.last_moment),
        )

    # ── appointments ──────────────────────────────────────────────────────────────────────────────────────────────

    async def appointment(
        self,
        scope: Scope,
        profession: str | None = None,
        at: datetime | None = None,
        *,
        zone: str | None = None,
        language: str | None = None,
        by: str | None = None,
    ) -> Note:
        """The note for an appointment, written now: the next one known with such a professional, or one at a moment.

        Without a profession it is for the next appointment of any kind, else for a doctor.
        """
        clock = zone or await self._reading.zone(scope)
        named = None if profession is None else profession_named(profession)
        called = profession if profession is not None and named is None else None

        async def decide() -> Note:
            now = self._now()
            item = None if called is not None else await self._next(scope, now, clock, named, at)
            who = named or (profession_of(item) if item is not None else None) or DOCTOR
            visit = await self._reading.visit(
                scope, who, now, clock, item=item, at=at, called=called, language=language
            )  # fmt: skip
            id = _visit_id(scope, visit)
            held = await self._held(scope, id)
            draft = self._drafted(scope, [(self._visit_note(scope, visit, held), held)], _actor(by, scope))
            await self._keep(scope, draft, visit.since)
            await self._checked(scope, visit.told, messages=visit.quotes)
            return draft.notes[0]

        return await deciding(decide)

    async def due_appointments(self, scope: Scope, now: datetime, zone: str) -> Drafted:
        """Notes for the appointments of the next days, each once, and again when one would say something else.

        Nothing is stored: the operations are for the caller's own transaction.
        """
        rows: list[tuple[Note, Note | None]] = []
        for item in await self._reading.appointments(scope, now, zone, ahead=self._policy.appointment_ahead):
            visit = await self._reading.visit(scope, profession_of(item) or DOCTOR, now, zone, item=item)
            held = await self._held(scope, _visit_id(scope, visit))
            if held is not None and held.deleted_at is not None:
                continue
            note = self._visit_note(scope, visit, held)
            if held is None or _said_in(held) != _said_in(note):
                rows.append((note, held))
        return self._drafted(scope, rows, REPORTER)

    async def _next(
        self, scope: Scope, now: datetime, zone: str, profession: Profession | None, at: datetime | None
    ) -> KnowledgeItem | None:
        """The appointment meant: of that day where a moment is given, else the next."""
        for item in await self._reading.appointments(scope, now, zone, ahead=_A_YEAR):
            found = profession_of(item)
            fits = profession is None or (found is not None and (profession.covers(found) or found.covers(profession)))
            if fits and (at is None or day_of(item.held_from, zone).date() == day_of(at, zone).date()):
                return item
        return None

    def _visit_note(self, scope: Scope, visit: Visit, held: Note | None) -> Note:
        return self._note(
            scope,
            held,
            id=_visit_id(scope, visit),
            kind=NoteKind.APPOINTMENT,
            title=appointment_title(visit),
            summary=appointment(visit, lines=self._policy.lines),
            message_ids=visit.sources,
            note_ids=(),
            happened_at=visit.now,
        )

    # ── pictures ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def pictures(
        self, scope: Scope, note: Note, *, zone: str | None = None, language: str | None = None
    ) -> dict[str, Picture]:
        """The pictures that go with a note, made from what is known now; none for other kinds of notes."""
        now = self._now()
        weights = await self._reading.weights(scope, now)
        if is_of_period(note):
            period = period_of(note, zone or await self._reading.zone(scope))
            material = await self._reading.period(scope, period, now, language=language)
            within = [item for item in weights if item.held_from < period.end]
            return pictures_of(material, within, material.language)
        if note.kind is NoteKind.APPOINTMENT:
            return pictures_of(None, weights, language or await self._reading.spoken(scope, weights, now))
        return {}

    # ── what both share ───────────────────────────────────────────────────────────────────────────────────────────

    def _now(self) -> datetime:
        return self._clock()

    async def _held(self, scope: Scope, id: str) -> Note | None:
        found = await self._store.notes(scope, [id])
        return found[0] if found else None

    async def _checked(
        self, scope: Scope, items: Sequence[KnowledgeItem], *, notes: Sequence[str] = (), messages: Sequence[str] = ()
    ) -> None:
        """Refuse what was written when something it may quote was deleted or forgotten while it was being made."""
        rows: list[KnowledgeItem | Note | Message] = [*await self._store.items(scope, [item.id for item in items])]
        rows += [*await self._store.notes(scope, notes), *await self._store.messages(scope, messages)]
        left = sum(row.deleted_at is None for row in rows)
        if left < len(items) + len(notes) + len(messages):
            raise StaleError("something a report tells of was deleted while it was written")

    def _note(
        self,
        scope: Scope,
        held: Note | None,
        *,
        id: str,
        kind: NoteKind,
        title: str,
        summary: str,
        message_ids: tuple[str, ...],
        note_ids: tuple[str, ...],
        happened_at: datetime,
    ) -> Note:
        """The note as it becomes: a first one, or the held one at its next version."""
        made = Note(
            id=id, scope=scope, kind=kind, title=title, summary=summary, participants=(scope.user,),
            message_ids=message_ids, note_ids=note_ids, happened_at=happened_at, created_at=self._now(),
        )  # fmt: skip
        if held is None:
            return made
        return replace(
            made,
            created_at=held.created_at,
            accesses=held.accesses,
            last_access=held.last_access,
            version=held.version + 1,
        )

    def _drafted(self, scope: Scope, rows: Sequence[tuple[Note, Note | None]], actor: Actor) -> Drafted:
        if not rows:
            return Drafted()
        change = Change(scope, id=self._new_id(), verb="report", actor=actor, at=self._now())
        for note, held in rows:
            change.put(note, held, entry_id=self._new_id())
        notes = tuple(note for note, _ in rows)
        index = index_job(scope, Kind.NOTE, [note.id for note in notes], id=self._new_id(), now=self._now())
        return Drafted(notes, (*change.ops, Enqueue(index)), change.id)

    async def _keep(self, scope: Scope, draft: Drafted, since: datetime) -> None:
        """Store what somebody asked for; from a memory that may only be read it is told all the same."""
        try:
            await self._store.apply(scope, [*draft.ops, self._by_hand(scope, draft, since)])
        except StoreReadOnlyError:
            log.debug("a report was not kept in a memory that is only read")

    def _by_hand(self, scope: Scope, draft: Drafted, since: datetime) -> Op:
        """The record of notes somebody asked for."""
        now = self._now()
        run = Run(
            id=self._new_id(), scope=scope, kind=RunKind.REPORT, night=None, since=since, until=now,
            status=RunStatus.COMPLETED, tally=Tally(notes=len(draft.notes)), changes=_named(draft),
            started_at=now, finished_at=now,
        )  # fmt: skip
        return PutRun(run, None)


def _named(draft: Drafted) -> tuple[str, ...]:
    return () if draft.change is None else (draft.change,)


def _actor(by: str | None, scope: Scope) -> Actor:
    return Actor.of(by, scope.user)


def _visit_id(scope: Scope, visit: Visit) -> str:
    """One note for each appointment known; else one for each kind of professional and day, or without a day."""
    if visit.item is not None:
        return note_id(scope, NoteKind.APPOINTMENT, visit.item.id)
    day = "" if visit.at is None else visit.day(visit.at).isoformat()
    return note_id(scope, NoteKind.APPOINTMENT, f"{visit.called or visit.profession.key}\x1f{day}")


def _said_in(note: Note) -> tuple[str, str]:
    """What a note for an appointment says, apart from the day it was made."""
    return note.title, note.summary.partition("\n")[2]
