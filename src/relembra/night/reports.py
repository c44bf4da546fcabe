"""Automatic notes: weekly and monthly reports on their nights, and what to tell a doctor before an appointment.

A report's id follows from its person and its period, so that there is one of each however often it is asked for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from relembra.domain.audit import Actor, Target
from relembra.domain.jobs import AT_ONCE, MONTHLY, WEEKLY, Job, Run, RunKind, RunStatus, Tally, at_hour
from relembra.domain.knowledge import ENDS_A_GOAL, SELF, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.scope import Scope
from relembra.domain.text import fold
from relembra.errors import StoreReadOnlyError
from relembra.learn.keeper import deciding
from relembra.learn.trail import merge_of
from relembra.night.task import BY_HAND, NightServices, Task, closed, zone_of_job
from relembra.store import port
from relembra.views.appointment import (
    MEASURED,
    Profession,
    Visit,
    appointment,
    appointment_title,
    doctor,
    fits,
    heard,
    profession_named,
    profession_of,
)  # fmt: skip
from relembra.views.period_report import (
    Feeling,
    Material,
    Pair,
    Period,
    before,
    coming_of,
    covering,
    note_id,
    report_text,
    report_title,
)  # fmt: skip
from relembra.views.timeline import DATED, day_of, is_claim, is_goal, planned_for

PAGE = 200
MOST_OF_AN_ATTRIBUTE = 200
MOST_PERIODS = 8
"""Weeks or months a late job catches up with; what is older is left out."""

log = logging.getLogger(__name__)

_KINDS = {WEEKLY: NoteKind.WEEKLY, MONTHLY: NoteKind.MONTHLY}
_TELLING = (NoteKind.CONVERSATION, NoteKind.JOURNAL, NoteKind.TOPIC_CLUSTER)
_HEALTH = ("medication", "former_medication", "allergy", "intolerance", "condition", "diet", "bedtime", "wake_time")
_DAY = timedelta(days=1)
_A_YEAR = timedelta(days=365)
_SOON = timedelta(days=7)  # so near an appointment, how far back is read does not move with each night


@dataclass(frozen=True, slots=True)
class Drafted:
    """Notes to be written, as operations for one transaction, and the change they are recorded under."""

    notes: tuple[Note, ...] = ()
    ops: tuple[port.Op, ...] = ()
    changes: tuple[str, ...] = ()


_Made = tuple[Note, Note | None, datetime]
"""A note, the one it takes the place of, and since when what it tells happened."""


async def moments_told(store: port.Store, scope: Scope, item: KnowledgeItem) -> set[datetime]:
    """When an item was said: when it began, when it was last said, and what the trail tells of in between."""
    moments = {item.held_from, *([] if item.reinforced_at is None else [item.reinforced_at])}
    if item.observations > 2:
        again = [(entry.after or {}).get("reinforced_at") for entry in await store.trail(scope, Target.ITEM, item.id)]
        moments |= {datetime.fromisoformat(one) for one in again if isinstance(one, str)}
    return moments


class Reporter(Task):
    """Writes automatic notes, at night by job or at once when asked.

    It reads of the person's own shelf only, so that forgetting finds all it tells.
    """

    kinds = (WEEKLY, MONTHLY)
    record = RunKind.REPORT
    actor = Actor.parse("program:reporter")

    def __init__(self, services: NightServices) -> None:
        super().__init__(services)
        self._rules = services.policy.report

    # ── weeks and months ──────────────────────────────────────────────────────────────────────────────────────────

    async def _run(self, job: Job) -> None:
        """Write the reports that are due; one that is there, or was deleted, is left alone."""
        run = await self._opened(job)
        if run is None:
            await self._finished(job, [])
            return
        for period in self._due(job):
            run = await self._reported(run, period)
        await self._finished(job, [closed(run, self._clock())])

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
        clock, now = zone or await self._zone(scope), self._clock()
        if day is not None:
            periods = [covering(kind, day, clock)]
        else:
            periods = [before(kind, now, clock), covering(kind, day_of(now, clock).date(), clock)]

        async def made(period: Period) -> _Made | None:
            material = await self._period(scope, period, self._clock(), language=language)
            return None if material.is_empty else (*await self._report(scope, material), period.start)

        for period in periods:
            if (note := await self._written(scope, by, partial(made, period))) is not None:
                return note
        return None

    async def _written(self, scope: Scope, by: str | None, make: Callable[[], Awaitable[_Made | None]]) -> Note | None:
        """What was asked for, written now with its record; None where there is nothing to tell.

        It is made anew when anything it may quote changed meanwhile. A memory that may only be read stays as it is.
        """

        async def decide() -> Note | None:
            [stamp] = await self._store.stamps([scope])
            made = await make()
            if made is None:
                return None
            note, held, since = made
            draft, now = self._drafted(scope, [(note, held)], Actor.of(by, scope.user)), self._clock()
            run = Run(
                id=self._new_id(), scope=scope, kind=RunKind.REPORT, night=None, since=since, until=now,
                status=RunStatus.COMPLETED, tally=Tally(notes=1), changes=draft.changes, started_at=now,
                finished_at=now,
            )  # fmt: skip
            try:
                await self._store.apply(scope, [port.Expect(stamp=stamp), *draft.ops, port.Put(run, None)])
            except StoreReadOnlyError:
                log.debug("a report was not kept in a memory that is only read")
            return note

        return await deciding(decide)

    async def _opened(self, job: Job) -> Run | None:
        """The record. Where a week and a month end in one night, the second of the two has one without a night."""
        run = await super()._opened(job)
        if run is not None:
            return run
        for period in self._due(job):
            if await self._held(job.scope, note_id(job.scope, period.kind, period.name)) is None:
                return await super()._opened(replace(job, payload={**job.payload, BY_HAND: True}))
        return None

    def _due(self, job: Job) -> list[Period]:
        """The periods that ended between the one the job was left for and now, oldest first; by hand the last one."""
        zone, kind, now = zone_of_job(job), _KINDS[job.kind], self._clock()
        first = before(kind, now if job.due_at == AT_ONCE else job.due_at, zone)
        found = [before(kind, now, zone)]
        while len(found) < MOST_PERIODS and found[-1].first > first.first:
            found.append(before(kind, found[-1].start, zone))
        return found[::-1]

    async def _reported(self, run: Run, period: Period) -> Run:
        """The record after a period's note was written, where there was something to tell."""
        scope = run.scope
        [stamp] = await self._store.stamps([scope])
        held = await self._held(scope, note_id(scope, period.kind, period.name))
        if held is not None and (held.deleted_at or held.happened_at >= period.last_moment):
            return run  # it tells the whole of its time, or the person deleted it
        material = await self._period(scope, period, self._clock())
        if material.is_empty and held is None:
            return run
        draft = self._drafted(scope, [await self._report(scope, material)], self.actor)
        tally = run.tally + Tally(notes=1, messages=material.messages)
        after = replace(run, tally=tally, changes=(*run.changes, *draft.changes))
        return await self._kept(after, [port.Expect(stamp=stamp), *draft.ops])

    async def _report(self, scope: Scope, material: Material) -> tuple[Note, Note | None]:
        period = material.period
        return await self._note(
            scope,
            id=note_id(scope, period.kind, period.name),
            kind=period.kind,
            title=report_title(period, material.language),
            summary=report_text(material, lines=self._rules.lines),
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
        clock = zone or await self._zone(scope)
        named = None if profession is None else profession_named(profession)
        called = profession if profession is not None and named is None else None

        async def made() -> _Made:
            now, item = self._clock(), None
            if called is None:  # the appointment meant: of that day where a moment is given, else the next
                day = None if at is None else day_of(at, clock).date()
                known = await self._appointments(scope, now, clock, ahead=_A_YEAR)
                fitting = (one for one in known if fits(one, named))
                item = next((one for one in fitting if day in (None, day_of(one.held_from, clock).date())), None)
            who = named or (profession_of(item) if item is not None else None) or doctor()
            visit = await self._visit(scope, who, now, clock, item=item, at=at, called=called, language=language)
            return (*await self._visit_note(scope, visit), visit.since)

        note = await self._written(scope, by, made)
        assert note is not None
        return note

    async def due_appointments(self, scope: Scope, now: datetime, zone: str) -> Drafted:
        """Notes for the appointments of the next days, each once, and again when one would say something else.

        Nothing is stored: the operations are for the caller's own transaction.
        """
        rows: list[tuple[Note, Note | None]] = []
        for item in await self._appointments(scope, now, zone, ahead=self._rules.appointment_ahead):
            visit = await self._visit(scope, profession_of(item) or doctor(), now, zone, item=item)
            note, held = await self._visit_note(scope, visit)
            if held is None or (held.deleted_at is None and _said_in(held) != _said_in(note)):
                rows.append((note, held))
        return self._drafted(scope, rows, self.actor)

    async def _visit_note(self, scope: Scope, visit: Visit) -> tuple[Note, Note | None]:
        """One note for each appointment known; else one for each kind of professional and day, or without a day."""
        day = "" if visit.at is None else visit.day(visit.at).isoformat()
        key = f"{visit.called or visit.profession.key}\x1f{day}" if visit.item is None else visit.item.id
        return await self._note(
            scope,
            id=note_id(scope, NoteKind.APPOINTMENT, key),
            kind=NoteKind.APPOINTMENT,
            title=appointment_title(visit),
            summary=appointment(visit, lines=self._rules.lines),
            message_ids=visit.sources,
            happened_at=visit.now,
        )

    # ── what both share ───────────────────────────────────────────────────────────────────────────────────────────

    async def _held(self, scope: Scope, id: str) -> Note | None:
        found = await self._store.get(scope, Note, [id])
        return found[0] if found else None

    async def _note(self, scope: Scope, **parts: Any) -> tuple[Note, Note | None]:
        """The note as it becomes, a first one or the held one at its next version; and the one held."""
        made = Note(scope=scope, participants=(scope.user,), created_at=self._clock(), **parts)
        held = await self._held(scope, made.id)
        if held is None:
            return made, None
        kept = {name: getattr(held, name) for name in ("created_at", "accesses", "last_access")}
        return replace(made, **kept, version=held.version + 1), held

    def _drafted(self, scope: Scope, rows: Sequence[tuple[Note, Note | None]], actor: Actor) -> Drafted:
        if not rows:
            return Drafted()
        change = self._change(scope, "report", actor=actor)
        for note, held in rows:
            change.put(note, held)
        notes = tuple(note for note, _ in rows)
        index = self._index(scope, port.Kind.NOTE, [note.id for note in notes])
        return Drafted(notes, (*change.ops, *index), (change.id,))

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _zone(self, scope: Scope) -> str:
        """The clock the person last spoke by."""
        page = await self._store.page(scope, port.MessageFilter(roles=(Role.USER,)), limit=1)
        return page.rows[0].zone if page.rows else "+00:00"

    async def _period(self, scope: Scope, period: Period, now: datetime, *, language: str | None = None) -> Material:
        """All a weekly or monthly report is made of."""
        start, end = period.start, period.end
        notes = await self._notes(scope, start, end)
        everything = await self._learnt(scope, notes, start, end, now)
        changed = await self._changed(scope, everything, start, end)
        told = {item.id for pair in changed for item in pair}
        items = [
            item
            for item in everything
            if item.id in told or not (item.superseded_at is not None and item.superseded_at < end)
        ]
        messages, more = await self._messages(scope, start, end)
        then = min(now, end)
        first = period.day(now) if now < end else period.last + _DAY
        goals = port.ItemFilter(now=now, types=(KnowledgeType.GOAL,))
        again = await self._found(scope, replace(goals, period=(start, end)))
        return Material(
            period=period,
            language=language or await self._spoken(scope, items),
            now=now,
            notes=tuple(notes),
            items=tuple(items),
            said_on=_said_on(items, messages),
            changed=tuple(changed),
            questions=tuple(await self._questions(scope)),
            feelings=tuple(await self._feelings(scope, start, end, now, period.zone)),
            goals_again=tuple(
                item for item in again if item.created_at < start and _is_within(item.reinforced_at, start, end)
            ),
            goals_open=sum(map(is_goal, await self._found(scope, goals, most=MOST_OF_AN_ATTRIBUTE))),
            ties={
                fold(item.person.get("name") or item.subject): item.value
                for item in await self._of_attributes(scope, ("relation",), port.ItemFilter(now=now))
                if item.value
            },
            coming=coming_of(
                await self._of_attributes(scope, DATED, port.ItemFilter(now=then)),
                await self._of_attributes(scope, ("birthday",), port.ItemFilter(now=then)),
                first=first,
                last=first + self._rules.coming,
            ),
            messages=len(messages),
            conversations=len({message.conversation for message in messages}),
            more=more,
        )

    async def _learnt(
        self, scope: Scope, notes: Sequence[Note], start: datetime, end: datetime, now: datetime
    ) -> list[KnowledgeItem]:
        """What was learnt from the talk of a period, whenever that was read, and what came about in it otherwise."""
        told = tuple(note.id for note in notes)
        noted = await self._found(scope, port.ItemFilter(now=now, note_ids=told, history=True)) if told else []
        made = await self._found(scope, port.ItemFilter(now=now, since=start, until=end, history=True))
        others = {item.note_id for item in made if item.note_id is not None} - set(told)
        of_other_times = {
            note.id
            for note in await self._store.get(scope, Note, sorted(others))
            if not _is_within(note.happened_at, start, end)
        }
        made = [item for item in made if item.note_id not in of_other_times]
        return list({item.id: item for item in (*made, *noted)}.values())

    async def _appointments(self, scope: Scope, now: datetime, zone: str, *, ahead: timedelta) -> list[KnowledgeItem]:
        """The person's appointments about their health from today on, the soonest first."""
        today = day_of(now, zone).date()
        planned = await self._of_attributes(scope, ("meeting", "event"), port.ItemFilter(now=now))
        found = [
            (day, item.held_from, item.id, item)
            for item in planned
            if fits(item) and (day := planned_for(item)) is not None and today <= day <= today + ahead
        ]
        return [item for *_, item in sorted(found, key=lambda one: one[:3])]

    async def _visit(
        self,
        scope: Scope,
        profession: Profession,
        now: datetime,
        zone: str,
        *,
        item: KnowledgeItem | None = None,
        at: datetime | None = None,
        called: str | None = None,
        language: str | None = None,
    ) -> Visit:
        """All a note for an appointment is made of, since the last one of that kind."""
        if at is None and item is not None:
            day = planned_for(item)
            at = item.held_from if day is None or day_of(item.held_from, zone).date() == day else at_hour(day, 0, zone)
        soon = at is not None and at - now <= _SOON
        since = (at if at is not None and soon else now) - self._rules.looks_back
        last = await self._last_visit(scope, profession, now)
        before = None if last is None else day_of(last.held_from, zone).date()
        if before is not None:
            since = at_hour(before, 0, zone)
        messages, _ = await self._messages(scope, since, now)
        by_area = port.ItemFilter(now=now, areas=(LifeArea.HEALTH, LifeArea.MENTAL_HEALTH), since=since, history=True)
        items = {one.id: one for one in await self._found(scope, by_area)}
        ever = port.ItemFilter(now=now, subject=SELF, history=True)
        items |= {one.id: one for one in await self._of_attributes(scope, (*_HEALTH, *MEASURED), ever)}
        ended = [one for one in items.values() if one.superseded_at is not None]
        for one in ended:
            if merge_of(one, await self._store.trail(scope, Target.ITEM, one.id)):  # it says nothing the other does not
                del items[one.id]
        known = sorted(items.values(), key=lambda one: (one.created_at, one.id))
        return Visit(
            profession=profession,
            language=language or await self._spoken(scope, known),
            zone=zone,
            now=now,
            called=called,
            at=at,
            is_whole_day=at is None or day_of(at, zone).strftime("%H:%M") == "00:00",
            item=item,
            last=before,
            since=since,
            items=tuple(known),
            feelings=tuple(await self._feelings(scope, since, now, now, zone)),
            heard=await asyncio.to_thread(heard, messages, profession),
        )

    async def _notes(self, scope: Scope, start: datetime, end: datetime) -> list[Note]:
        wanted = port.NoteFilter(kinds=_TELLING, since=start, until=end, archived=True)
        page = partial(self._store.page, scope, wanted)
        notes = await port.all_rows(page, limit=PAGE, most=self._rules.most_items)
        named = {note.conversation for note in notes if note.conversation is not None}
        talks = await self._store.get(scope, Conversation, sorted(named))
        hidden = {talk.id for talk in talks if talk.deleted_at is not None}
        return [note for note in notes if note.conversation not in hidden]

    async def _found(self, scope: Scope, wanted: port.ItemFilter, *, most: int | None = None) -> list[KnowledgeItem]:
        return await self._items(scope, wanted, most or self._rules.most_items)

    async def _of_attributes(
        self, scope: Scope, attributes: Iterable[str], wanted: port.ItemFilter
    ) -> list[KnowledgeItem]:
        found: list[KnowledgeItem] = []
        for attribute in attributes:
            found += await self._found(scope, replace(wanted, attribute=attribute), most=MOST_OF_AN_ATTRIBUTE)
        return found

    async def _messages(self, scope: Scope, start: datetime, end: datetime) -> tuple[list[Message], bool]:
        """The newest messages up to a number, and whether there are more."""
        page = partial(self._store.page, scope, port.MessageFilter(roles=(Role.USER,), since=start, until=end))
        most = self._rules.most_messages
        rows = await port.all_rows(page, limit=PAGE, most=most + 1)
        return rows[:most], len(rows) > most

    async def _changed(
        self, scope: Scope, items: Sequence[KnowledgeItem], start: datetime, end: datetime
    ) -> list[Pair]:
        """What ended in the time because one of the items took its place; merging two into one is no change."""
        pairs: list[Pair] = []
        for new in sorted(items, key=lambda item: (item.created_at, item.id)):
            if new.attribute is None or new.attribute in ENDS_A_GOAL or new.type is KnowledgeType.EMOTION:
                continue
            for old in await self._store.predecessors(scope, new.id):
                ended = old.superseded_by == new.id and old.deleted_at is None
                if not ended or not _is_within(old.superseded_at, start, end) or fold(old.content) == fold(new.content):
                    continue
                if merge_of(old, await self._store.trail(scope, Target.ITEM, old.id)) is None:
                    pairs.append((old, new))
        return pairs

    async def _questions(self, scope: Scope) -> list[Pair]:
        page = await self._store.page(scope, port.CaseFilter(open_only=True), limit=self._rules.lines)
        sides = [id for case in page.rows for id in (case.old_id, case.new_id)]
        held = {item.id: item for item in await self._store.get(scope, KnowledgeItem, sides) if item.deleted_at is None}
        return [
            (held[case.old_id], held[case.new_id])
            for case in page.rows
            if case.old_id in held and case.new_id in held
        ]  # fmt: skip

    async def _feelings(self, scope: Scope, start: datetime, end: datetime, now: datetime, zone: str) -> list[Feeling]:
        """The owner's feelings with each day they were told, as far as the trail tells when they were said again."""
        wanted = port.ItemFilter(
            now=now, types=(KnowledgeType.EMOTION,), subject=SELF, period=(start, end), history=True
        )
        found: list[Feeling] = []
        for item in await self._found(scope, wanted, most=MOST_OF_AN_ATTRIBUTE):
            if is_claim(item):
                continue
            moments = await moments_told(self._store, scope, item)
            days = {day_of(one, zone).date() for one in moments if start <= one < end}
            found += [Feeling(day, item) for day in days]
        return sorted(found, key=lambda one: (one.day, one.item.created_at, one.item.id))

    async def _last_visit(self, scope: Scope, profession: Profession, now: datetime) -> KnowledgeItem | None:
        """The last appointment of that kind that is over; one that was moved never took place."""
        planned = await self._of_attributes(scope, ("meeting", "event"), port.ItemFilter(now=now, history=True))
        over = [
            item
            for item in planned
            if fits(item, profession) and item.superseded_at is None and (item.expires_at or item.held_from) <= now
        ]
        return max(over, key=lambda item: (item.held_from, item.id), default=None)

    async def _spoken(self, scope: Scope, items: Sequence[KnowledgeItem]) -> str:
        """The language most of it was said in, else of what they last said."""
        if items:
            return self._most_used(item.language for item in items)
        said = await self._store.page(scope, port.MessageFilter(roles=(Role.USER,)), limit=PAGE)
        return self._most_used(self._language_of(one.text) for one in said.rows if one.author == scope.user)


def _said_in(note: Note) -> tuple[str, str]:
    """What a note for an appointment says, apart from the day it was made."""
    return note.title, note.summary.partition("\n")[2]


def _said_on(items: Iterable[KnowledgeItem], messages: Iterable[Message]) -> dict[str, date]:
    """The day of the first of the messages each item was learnt from, on the clock it was said by."""
    days = {one.id: day_of(one.sent_at, one.zone).date() for one in messages}
    found = {item.id: [days[id] for id in item.message_ids if id in days] for item in items}
    return {id: min(told) for id, told in found.items() if told}


def _is_within(moment: datetime | None, start: datetime, end: datetime) -> bool:
    return moment is not None and start <= moment < end
