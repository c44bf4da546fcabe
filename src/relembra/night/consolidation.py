"""Consolidation: what a person's day left in their memory, read again, merged, accounted for and put on record.

What was said is learnt from as soon as a talk falls quiet. At night those changes are gathered into one record; with a
model the talk is read once more; new items that say what was known are merged with it; the compact memory is rewritten.
Each step is one transaction, and what is not accounted for yet is kept in the store, so that a consolidation that was
stopped anywhere goes on there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from relembra.domain.audit import Actor, ActorKind, Target
from relembra.domain.candidate import Talk
from relembra.domain.jobs import CONSOLIDATE, FLUSH, LEARNING, Job, Run, RunKind, RunStatus
from relembra.domain.message import Message, NoteKind
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import MindError, MindUnavailableError, StaleError
from relembra.learn.casework import Casework
from relembra.learn.keeper import deciding
from relembra.learn.learner import Learner
from relembra.night import task
from relembra.night.duplicates import Merger
from relembra.night.reports import Drafted
from relembra.store.port import Account, Buffer, NoteFilter, Op, Put

MOST_AT_ONCE = 2_000  # messages and changes one consolidation accounts for; more go into a second one
MOST_NOTES = 1_000
PAGE = 100


class Talks(Protocol):
    """Whoever makes talks for readers of messages."""

    def readable(self, messages: Iterable[Message]) -> list[Message]:
        """The messages as a reader gets them."""

    async def talk(self, scope: Scope | None, messages: Sequence[Message], speaker: str | None = None) -> Talk:
        """The stretch as a reader is asked about it."""

    async def shown_outside(self, messages: Sequence[Message]) -> list[Message]:
        """Those of the messages a reader may be given."""


class _UsedUpError(MindError):
    """No model may be asked any more tonight: the rest is for the next one."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The compact memory made anew: what stores it, and how it differs from the one before."""

    ops: tuple[Op, ...]
    before: int | None
    after: int
    updates: tuple[str, ...]


class Consolidation(task.Task):
    """The night work of one person."""

    kinds = (CONSOLIDATE,)
    record = RunKind.CONSOLIDATION
    actor = Actor(ActorKind.PROGRAM, "consolidation")

    def __init__(
        self,
        services: task.NightServices,
        *,
        talks: Talks,
        learner: Learner,
        merger: Merger,
        casework: Casework,
        rewrite: Callable[[Scope], Awaitable[Rewritten]],
        prepare: Callable[[Scope, datetime, str], Awaitable[Drafted]],
    ) -> None:
        super().__init__(services)
        self._talks = talks
        self._learner = learner
        self._merger = merger
        self._casework = casework
        self._rewrite = rewrite  # the compact memory
        self._prepare = prepare  # notes for appointments that are near

    async def _run(self, job: Job) -> None:
        store, scope = self._store, job.scope
        await task.wait_for(store, scope, (FLUSH, *LEARNING), self._clock())
        due = await store.unaccounted(scope, limit=MOST_AT_ONCE)
        nothing = not due.messages and not due.changes and not await self._unnoted(scope, due.buffered)
        if nothing and await store.find(scope, Run, job.id) is None:
            [stamp] = await store.stamps([scope])
            more = await self._follow_up(job) if stamp.said else []  # nothing is left of a forgotten person
            await self._finished(job, more)  # nothing was said since the last
            return
        if await self._opened(job) is None:
            await self._finished(job, [self._tomorrow(job)])  # this night had its own; what came since is for the next
            return
        trouble, seen = await self._reread(job)
        await self._merge(scope)
        await self._casework.look_again(scope)
        await deciding(lambda: self._close(job, trouble, seen))

    async def _reread(self, job: Job) -> tuple[MindError | None, frozenset[str] | None]:
        """Read again what is not accounted for, a batch and transaction at a time.

        Returns the first trouble, if any, and the messages there were; None: whatever is there may be accounted for.
        """
        trouble: MindError | None = None
        run = await self._store.find(job.scope, Run, job.id)
        if run is None or not self._night.rereads:
            return None, None
        found_now, stretches = await self._stretches(job.scope)
        for note_id, ids in stretches:
            shown = await self._talks.shown_outside(await self._shown(job.scope, ids))
            readable = self._talks.readable(shown)
            if not readable:
                continue
            if not await self._allowance():
                return trouble or _UsedUpError("what models may be asked in one night is used up"), found_now
            talk = await self._talks.talk(job.scope, readable, speaker=job.scope.user)
            try:
                found = await self._night.reread(talk)
            except MindError as exc:
                uses = self._night.spent()
                given_up = job.attempts >= self._policy.tend.tries and not isinstance(exc, MindUnavailableError)
                done: list[Op] = [Account(messages=ids)] if given_up else []
                run = await self._kept(task.with_use(run, uses), [*self._counted(uses), *done])
                trouble = trouble or exc
                if isinstance(exc, MindUnavailableError):
                    return trouble, found_now
                continue
            uses = self._night.spent()
            run = task.with_use(run, uses, found.raw)
            run = replace(run, tally=replace(run.tally, messages=run.tally.messages + len(ids)))
            finish: list[Op] = [
                *self._counted(uses),
                Account(messages=ids),
                Put(replace(run, version=run.version + 1), run.version),
            ]
            try:
                await self._learner.learn(
                    job.scope, readable, found.candidates, note_id=note_id, reader=found.reader, finish=finish
                )
            except StaleError:  # something was forgotten meanwhile: what is left is read again
                await self._store.apply(job.scope, self._counted(uses))
                raise
            run = replace(run, version=run.version + 1)
        return trouble, found_now

    async def _stretches(self, scope: Scope) -> tuple[frozenset[str], list[tuple[str | None, tuple[str, ...]]]]:
        """All messages not accounted for, and those to be read again: of one note together, not too many at once."""
        due = await self._store.unaccounted(scope, limit=MOST_AT_ONCE)
        waiting = await self._unlearnt(scope)
        messages = await self._shown(scope, [id for id in due.messages if id not in waiting])
        note_of = await self._notes_of(scope, messages)
        groups: dict[str | None, list[str]] = {}
        for message in sorted(messages, key=lambda row: (row.sent_at, row.id)):
            groups.setdefault(note_of.get(message.id), []).append(message.id)
        size = self._policy.tend.batch_messages
        stretches = [(note, tuple(some)) for note, ids in groups.items() for some in task.batches(ids, size)]
        return frozenset(due.messages), stretches

    async def _shown(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        """Those of the messages that are neither hidden nor forgotten by now."""
        return [row for row in await self._store.get(scope, Message, ids) if row.deleted_at is None]

    async def _unlearnt(self, scope: Scope) -> dict[str, str | None]:
        """Messages whose learning failed so far, and why: they are accounted for once it succeeded."""
        jobs = await self._store.jobs(scope=scope, kinds=LEARNING, limit=MOST_AT_ONCE)
        return {str(id): job.error for job in jobs for id in job.payload["messages"]}

    async def _unnoted(self, scope: Scope, buffered: Sequence[str]) -> dict[str, str | None]:
        """Those of the messages still in a buffer whose note could not be written so far, and why."""
        found: dict[str, str | None] = {}
        messages = await self._store.get(scope, Message, buffered)
        for shelf in dict.fromkeys(shelf_of(scope, message.place) for message in messages):
            for job in await self._store.jobs(scope=shelf, kinds=(FLUSH,), limit=MOST_AT_ONCE):
                if job.error is None:
                    continue
                buffer = await self._store.find(shelf, Buffer, str(job.payload["buffer"]))
                named = set() if buffer is None else {id for user, id in buffer.messages if user == scope.user}
                found |= dict.fromkeys(named.intersection(buffered), job.error)
        return found

    async def _notes_of(self, scope: Scope, messages: Sequence[Message]) -> dict[str, str]:
        """The note each message was told in."""
        found: dict[str, str] = {}
        for place in dict.fromkeys(Place(message.place.space) for message in messages):
            here = {message.id: message.sent_at for message in messages if message.place.space == place.space}
            wanted = NoteFilter(
                asked_in=place, kinds=(NoteKind.CONVERSATION, NoteKind.JOURNAL), since=min(here.values())
            )
            after, seen = None, 0
            while seen < MOST_NOTES and not here.keys() <= found.keys():
                page = await self._store.page(shelf_of(scope, place), wanted, after=after, limit=PAGE)
                found |= {id: note.id for note in page.rows for id in note.message_ids if id in here}
                after, seen = page.next, seen + PAGE
                if after is None:
                    break
        return found

    async def _merge(self, scope: Scope) -> None:
        """Merge what the day taught with what says the same; each batch of merges is due to be accounted for."""
        due = await self._store.unaccounted(scope, limit=MOST_AT_ONCE)
        entries = await self._store.changes(scope, due.changes)
        new = [entry.target_id for entry in entries if entry.target is Target.ITEM and entry.before is None]
        if new:
            await deciding(lambda: self._merge_new(scope, list(dict.fromkeys(new))))

    async def _merge_new(self, scope: Scope, ids: Sequence[str]) -> None:
        merges = await self._merger.near(scope, ids)
        for some in task.batches(merges, PAGE):
            change = self._change(scope, "merge")
            beside = self._merger.write(change, some, scope)
            await self._store.apply(scope, [*change.ops, Account(due=change.id), *beside])
        await self._casework.clear(scope, [other.id for merge in merges for other in merge.others])

    async def _close(self, job: Job, trouble: MindError | None, seen: frozenset[str] | None) -> None:
        """Account for what was done, rewrite the compact memory and end the record; after trouble the job comes again.

        `seen`: the messages there were when they were read again; what came since is for the next time.
        """
        store, scope = self._store, job.scope
        run = await store.find(scope, Run, job.id)
        if run is None or run.status is not RunStatus.RUNNING:
            return  # the person was forgotten, or another worker was quicker
        due = await store.unaccounted(scope, limit=MOST_AT_ONCE)
        waiting = await self._unlearnt(scope)
        read = () if trouble is not None else due.messages if seen is None else seen.intersection(due.messages)
        covered = tuple(sorted(id for id in read if id not in waiting))
        changes = tuple(dict.fromkeys((*run.changes, *due.changes)))
        tally = task.tallied(await store.changes(scope, changes))
        memory = await self._rewrite(scope)
        is_new = run.memory_after is None or bool(memory.updates)  # a further try may have changed nothing
        draft = await self._prepare(scope, run.until, task.zone_of_job(job))
        unlearnt = {id: waiting[id] for id in due.messages if id in waiting}
        error = _told(trouble, unlearnt | await self._unnoted(scope, due.buffered))
        run = replace(
            run,
            changes=(*changes, *draft.changes),
            tally=replace(tally, messages=run.tally.messages + len(covered), notes=tally.notes + len(draft.notes)),
            memory_before=memory.before if run.memory_after is None else run.memory_before,
            memory_after=memory.after if is_new else run.memory_after,
            memory_updates=tuple(dict.fromkeys((*run.memory_updates, *memory.updates))),
        )
        ops: list[Op] = [
            task.closed(run, self._clock(), error),
            Account(messages=covered, changes=due.changes),
            *(memory.ops if is_new else ()),
            *draft.ops,
            *await self._follow_up(job, covered),
        ]
        if trouble is not None and not isinstance(trouble, _UsedUpError):
            await store.apply(scope, ops)
            raise trouble
        unread = set(due.messages).difference(covered, waiting)
        more = bool(unread) or max(len(due.messages), len(due.changes)) >= MOST_AT_ONCE
        await self._finished(job, [*ops, self._tomorrow(job)] if more else ops)

    async def _follow_up(self, job: Job, covered: Sequence[str] = ()) -> list[Op]:
        """The person's other night work, each at its own time; `covered`: the messages behind it, first saved first."""
        first = await self._store.get(job.scope, Message, covered[:1])
        return await self._following(job, task.MINUTES_LATER, since=first[0].saved_at if first else None)


def _told(trouble: MindError | None, unlearnt: Mapping[str, str | None]) -> str | None:
    parts = [] if trouble is None else [f"not all was read again: {trouble}"]
    if unlearnt:
        many = "1 message" if len(unlearnt) == 1 else f"{len(unlearnt)} messages"
        why = next((error for error in unlearnt.values() if error is not None), None)
        parts.append(f"{many} could not be learnt from yet" + ("" if why is None else f": {why}"))
    return "; ".join(parts) or None
