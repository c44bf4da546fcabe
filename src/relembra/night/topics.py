"""Telling a space's days by topic: the notes of a day that are over one matter become one note more, once a day.

A day with fewer than `least_notes` notes needs no topics. A topic has two notes or more, so that half as many topics as
notes are asked for, and never more than `most`; a note that goes with no other stays by itself.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial

from relembra.domain import jobs
from relembra.domain.audit import Actor, ActorKind
from relembra.domain.candidate import Spent, Topic
from relembra.domain.message import Note, NoteKind
from relembra.domain.policy import ClusterPolicy
from relembra.domain.scope import Place, Scope
from relembra.domain.searchable import note_text
from relembra.domain.text import is_blank, shortened
from relembra.errors import MindError
from relembra.learn.keeper import deciding
from relembra.night.task import PAGE, ZONE, NightServices, Task, closed, with_use, zone_of_job
from relembra.store.port import Enqueue, Kind, NoteFilter, Op, Put, RunFilter, all_rows

LONGEST_TITLE = 80
LONGEST_SUMMARY = 1_200
RUNS_LOOKED_AT = 50
WAITED_FOR = timedelta(days=7)
SPENT_UP = "what models may be asked in a night is spent; the notes were grouped without one"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a night has to tell of a space: the days, oldest first, who took part in them, and from when on the rest."""

    days: tuple[tuple[datetime, tuple[Note, ...]], ...]  # each with its beginning
    people: tuple[str, ...]
    until: datetime
    goes_on: bool  # there is talk that a later night has to tell


class Clustering(Task):
    """Writes a space's topic notes, and leaves the people who took part to be consolidated."""

    kinds = (jobs.CLUSTER,)
    record = jobs.RunKind.CLUSTERING
    actor = Actor(ActorKind.PROGRAM, "clustering")

    def __init__(self, services: NightServices) -> None:
        super().__init__(services)
        self._rules = services.policy.cluster

    async def run(self, job: jobs.Job) -> None:
        """Tell the days that are over and not told yet, each in a transaction of its own."""
        await deciding(partial(self._tell_days, job, list[Spent]()))

    async def _tell_days(self, job: jobs.Job, uses: list[Spent]) -> None:
        """`uses` gathers what models were asked until it is counted, for all this may have to be decided again."""
        run = await self._opened(job)
        if run is None:
            await self._finished(job, [self._tomorrow(job)])  # this night had its own; the rest is for the next
            return
        zone, error = zone_of_job(job), None
        plan = await self._plan(run, zone)
        stands = [min(start, plan.until) for start, _ in plan.days] + [plan.until]
        if plan.days:  # whatever ends this, the next one is to begin where it stood
            run = await self._kept(replace(run, until=stands[0]))
        for (_, notes), until in zip(plan.days, stands[1:], strict=True):
            run, why = await self._tell(job, run, notes, until, uses)
            error = error or why
        now = self._clock()
        ops = [closed(replace(run, until=plan.until), now, error)]
        for name in plan.people:
            consolidation = jobs.Job(
                id=self._new_id(), scope=Scope(job.scope.tenant, name), kind=jobs.CONSOLIDATE, key=jobs.CONSOLIDATE,
                payload={ZONE: zone}, due_at=now, created_at=now,
            )  # fmt: skip
            ops.append(Enqueue(consolidation))
        ops += await self._following(job, (jobs.GARDEN,))
        if plan.goes_on:
            ops.append(self._tomorrow(job))
        await self._finished(job, ops)
        log.info("job %s: %d days, %d topics", job.id, len(plan.days), run.tally.notes)

    async def _plan(self, run: jobs.Run, zone: str) -> Plan:
        store, scope = self._store, run.scope
        page = await store.page(scope, RunFilter(kinds=(jobs.RunKind.CLUSTERING,)), limit=RUNS_LOOKED_AT)
        last = next((one for one in page.rows if one.id != run.id and one.status in _SETTLED), None)
        wanted = NoteFilter(
            asked_in=Place(scope.space), kinds=(NoteKind.CONVERSATION,), since=None if last is None else last.until
        )
        notes = (await all_rows(partial(store.page, scope, wanted), limit=PAGE))[::-1]
        days: dict[date, list[Note]] = defaultdict(list)
        for note in notes:
            days[jobs.night_of(note.happened_at, zone, hour=0.0)].append(note)
        unready = {jobs.night_of(one.last_at, zone, hour=0.0) for one in await store.buffers(scope)}
        entries = await store.changes(scope, run.changes)  # where this goes on, some days are told already
        told = {id for entry in entries for id in (entry.after or {}).get("note_ids") or ()}
        return planned(
            {day: notes for day, notes in days.items() if told.isdisjoint(note.id for note in notes)},
            today=jobs.night_of(self._clock(), zone, hour=0.0),
            unready=unready,
            start_of=lambda day: jobs.at_hour(day, 0.0, zone),
            rules=self._rules,
        )

    async def _tell(
        self, job: jobs.Job, run: jobs.Run, day: Sequence[Note], until: datetime, uses: list[Spent]
    ) -> tuple[jobs.Run, str | None]:
        """Store a day's topics; the record as it then is, and why no model told them where one should have.

        `until`: from when on there is something left to tell.
        """
        scope, now = run.scope, self._clock()
        notes = [
            note for note in await self._store.get(scope, Note, [one.id for one in day]) if note.deleted_at is None
        ]
        proposed, teller, why = await self._topics(job, run, notes, uses)
        topics = sound(proposed, notes, most=self._most(notes))
        uses += self._night.spent()
        kept, ops = with_use(run, uses), self._counted(uses)
        if topics:
            change = self._change(scope, "cluster", why=f"told by {teller}")
            made = [cluster_note(topic, of_it, id=self._new_id(), now=now) for topic, of_it in topics]
            for note in made:
                change.put(note, None)
            sources = await self._unchanged(scope, [note for _, of_it in topics for note in of_it])
            ops += [*sources, *change.ops, *self._index(scope, Kind.NOTE, [note.id for note in made])]
            kept = replace(kept, changes=(*kept.changes, change.id))
        said = len({id for note in notes for id in note.message_ids})
        run = await self._kept(
            replace(kept, until=until, tally=kept.tally + jobs.Tally(notes=len(topics), messages=said)), ops
        )
        uses.clear()
        return run, why

    async def _topics(
        self, job: jobs.Job, run: jobs.Run, notes: Sequence[Note], uses: list[Spent]
    ) -> tuple[list[Topic], str, str | None]:
        """A day's topics, who told them, and why that was not the model."""
        most, language = self._most(notes), self._most_used(self._language_of(note_text(note)) for note in notes)
        if len(notes) < self._rules.least_notes:
            return [], self._offline.name, None
        why: str | None = None
        if self._night is not self._offline and not await self._is_private(run.scope, notes):
            if await self._allowance():
                try:
                    return await self._night.topics(notes, language=language, most=most), self._night.name, None
                except MindError as exc:
                    if job.attempts < self._policy.tend.tries:
                        spent = [*uses, *self._night.spent()]
                        await self._kept(with_use(run, spent), self._counted(spent))
                        raise
                    log.warning("job %s: topics are told without a model: %s", job.id, exc)
                    why = f"{exc}; the notes were grouped without it"
            else:
                why = SPENT_UP
        return await self._offline.topics(notes, language=language, most=most), self._offline.name, why

    async def _is_private(self, scope: Scope, notes: Sequence[Note]) -> bool:
        """Whether one of the notes may not leave this machine, so that they are put together here."""
        if not self._reads_outside:
            return False
        away = (await self._store.withheld(scope)).notes
        return any(note.id in away for note in notes)

    def _most(self, notes: Sequence[Note]) -> int:
        return min(self._rules.most, len(notes) // 2)

    async def _unchanged(self, scope: Scope, notes: Sequence[Note]) -> list[Op]:
        """Puts that leave notes as they are, and fail where one changed or went since it was read.

        Someone may be forgotten while a model thinks, and their words must not come back in a topic. How often a note
        was looked at does not count, so the rows are read again.
        """
        versions = {note.id: note.version for note in notes}
        now = {note.id: note for note in await self._store.get(scope, Note, list(versions))}
        return [Put(now.get(note.id, note), versions[note.id]) for note in notes]


_SETTLED = (jobs.RunStatus.COMPLETED, jobs.RunStatus.PARTIAL, jobs.RunStatus.ROLLED_BACK)


def planned(
    days: Mapping[date, list[Note]],
    *,
    today: date,
    unready: Collection[date],
    start_of: Callable[[date], datetime],
    rules: ClusterPolicy,
) -> Plan:
    """Which days to tell now: those over and noted to the end, of enough notes.

    Talk that still waits for its note is waited for, a week at most.
    """
    stop = min([today, *(day for day in unready if day >= today - WAITED_FOR)])
    due = sorted(day for day, notes in days.items() if day < stop and len(notes) >= rules.least_notes)
    chosen, left = due[: rules.days_a_night], due[rules.days_a_night :]
    end = left[0] if left else stop
    covered = sorted(day for day in days if day < end)
    return Plan(
        days=tuple((start_of(day), tuple(days[day][-rules.most_notes :])) for day in chosen),
        people=tuple(dict.fromkeys(name for day in covered for note in days[day] for name in note.participants)),
        until=start_of(end),
        goes_on=bool(unready) or any(end <= day for day in days),
    )


def sound(topics: Iterable[Topic], notes: Sequence[Note], *, most: int) -> list[tuple[Topic, list[Note]]]:
    """What of the proposed topics may be stored: with words, of at least two of these notes, and each note in one."""
    free = {note.id: note for note in notes}
    kept: list[tuple[Topic, list[Note]]] = []
    for topic in topics:
        named = [id for id in dict.fromkeys(topic.note_ids) if id in free]
        if len(named) < 2 or is_blank(topic.title) or is_blank(topic.summary) or len(kept) >= most:
            continue
        of_it = [free.pop(id) for id in named]
        kept.append((topic, sorted(of_it, key=lambda note: (note.happened_at, note.id))))
    return kept


def cluster_note(topic: Topic, notes: Sequence[Note], *, id: str, now: datetime) -> Note:
    """A topic as a note of the space its notes, oldest first, are of.

    It is of their channel, or of the space as a whole where they are of several; anyone in the space may hear it.
    """
    channels = {note.place.channel for note in notes}
    place = notes[-1].place if len(channels) == 1 else Place(notes[-1].place.space)
    return Note(
        id=id,
        scope=notes[0].scope,
        place=place,
        kind=NoteKind.TOPIC_CLUSTER,
        title=shortened(topic.title, LONGEST_TITLE),
        summary=shortened(topic.summary, LONGEST_SUMMARY),
        participants=tuple(dict.fromkeys(name for note in notes for name in note.participants)),
        note_ids=tuple(note.id for note in notes),
        happened_at=notes[-1].happened_at,
        created_at=now,
    )
