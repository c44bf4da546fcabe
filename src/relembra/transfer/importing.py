"""Taking an export of ours in: the whole file is checked first, then stored in batches, each whole or not at all.

What is there already stays as it is, whatever the file says, so that importing twice changes nothing and an import that
was stopped goes on when it is run again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from relembra.domain.audit import AuditEntry
from relembra.domain.case import Case
from relembra.domain.jobs import Job, index_job, job_now, read_job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note, Role
from relembra.domain.run import Run
from relembra.domain.scope import Scope, shelf_of
from relembra.errors import ConflictError
from relembra.store.port import (
    Accounted,
    BufferMessage,
    CloseBuffer,
    Due,
    Enqueue,
    Kind,
    Op,
    PutCase,
    PutConversation,
    PutItem,
    PutMessage,
    PutNote,
    PutRun,
    PutView,
    Record,
    Store,
    View,
)
from relembra.transfer.checking import AGES, Batch, Checked, Whose
from relembra.transfer.parts import Part, Waiting
from relembra.transfer.reading import ExportFile
from relembra.transfer.standing import Compared, Standing, name_of
from relembra.transfer.writing import Progress

TRIES = 3
MOST_NAMED = 100

_INDEXED = {Part.ITEM: Kind.ITEM, Part.NOTE: Kind.NOTE, Part.MESSAGE: Kind.MESSAGE}

Said = list[tuple[Message, bool]]
"""Messages, each with whether it is still to be accounted for."""

Plan = Callable[[], Awaitable[tuple[Compared, list[Op]]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did, or would do."""

    added: Mapping[str, int]  # rows by part: conversations, messages, items, …
    skipped: int = 0  # there already, and the same
    conflicts: tuple[tuple[str, str], ...] = ()  # there already and different, so left as they were: part and id
    conflicted: int = 0  # how many; the first hundred are named
    left_out: int = 0  # notes of spaces in one person's export, people not asked for, records of rows that stayed
    people: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def total(self) -> int:
        return sum(self.added.values())


class Importer:
    """Takes one file into a store."""

    def __init__(
        self,
        store: Store,
        *,
        tenant: str,
        user: str | None,
        now: datetime,
        new_id: Callable[[], str],
        quiet: timedelta,
        spaces: bool = True,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> None:
        self._store = store
        self._tenant = tenant
        self._user = user
        self._now = now
        self._new_id = new_id
        self._quiet = quiet
        self._spaces = spaces
        self._dry_run = dry_run
        self._progress = progress
        self._standing = Standing(store)
        self._added: Counter[str] = Counter()
        self._skipped = self._left_out = self._done = self._total = 0
        self._conflicts: list[tuple[str, str]] = []
        self._wanted: set[tuple[int, int]] = set()  # pieces of learning of which a message was new
        self._in_spaces: dict[tuple[Scope, datetime, str, str], list[tuple[Whose, Waiting, Said]]] = {}

    async def run(self, file: ExportFile) -> Imported:
        """Check everything, then store it. A file with anything wrong is an `InvalidInputError` and changes nothing."""
        checked = await asyncio.to_thread(
            Checked, file, tenant=self._tenant, user=self._user, now=self._now, spaces=self._spaces
        )
        self._total, self._left_out = checked.total, checked.left_out
        batches = checked.batches()
        aside: dict[int, Said] = {}
        at: Whose | None = None
        while (batch := await asyncio.to_thread(next, batches, None)) is not None:
            if at is not None and at is not batch.whose:
                await self._take_in(at, aside)
                aside = {}
            at = batch.whose
            await self._take(_without_waiting(batch, aside))
        if at is not None:
            await self._take_in(at, aside)
        await self._take_in_spaces()
        for whose in checked.all:
            if whose.is_empty and whose.nights and whose.target is not None and not self._dry_run:
                await self._store.apply(whose.target, await self._nights(whose, whose.target))
        return Imported(
            added=dict(self._added),
            skipped=self._skipped,
            conflicts=tuple(self._conflicts[:MOST_NAMED]),
            conflicted=len(self._conflicts),
            left_out=self._left_out,
            people=checked.people,
            dry_run=self._dry_run,
        )

    # ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _take(self, batch: Batch) -> None:
        """Store what is new of a batch, in one transaction."""
        target = batch.whose.target
        if not batch.rows or target is None:
            return

        async def plan() -> tuple[Compared, list[Op]]:
            found = await self._standing.compared(target, batch.part, batch.rows)
            return found, await self._ops(batch, target, found)

        found = await self._carried_out(target, batch.part, len(batch.rows), plan)
        self._standing.stays(target, batch.part, found.differing)

    async def _carried_out(self, target: Scope, part: Part, rows: int, plan: Plan) -> Compared:
        """Apply what a plan says and count it; it is made anew where somebody else wrote meanwhile."""
        for tries_left in reversed(range(TRIES)):
            found, ops = await plan()
            known = 0
            if found.new and not self._dry_run:
                try:
                    receipt = await self._store.apply(target, ops)
                except ConflictError:
                    if not tries_left:
                        raise
                    continue
                known = len(receipt.known)  # messages that have another id here
            self._count(part, rows, new=len(found.new) - known, same=found.same + known, differing=found.differing)
            return found
        raise AssertionError("the last try returns or raises")

    def _count(self, part: Part, rows: int, *, new: int, same: int, differing: Sequence[Any]) -> None:
        self._added[part.many] += new
        self._skipped += same
        self._conflicts += [(part.many, name_of(row)) for row in differing]
        self._left_out += rows - new - same - len(differing)
        self._done += rows
        if self._progress is not None:
            self._progress(self._done, self._total)

    async def _ops(self, batch: Batch, target: Scope, found: Compared) -> list[Op]:
        whose, part = batch.whose, batch.part
        ops: list[Op] = []
        for row, due in found.new:
            ops.append(_put(row))
            if isinstance(row, AuditEntry) and due:
                ops.append(Due(row.change))
        ids = [name_of(row) for row, _ in found.new]
        if part is Part.MESSAGE:
            ops.append(_accounted(found))
            ops += self._learning(whose, target, [row.id for row, _ in batch.rows], set(ids))
        if part in _INDEXED:
            ops.append(self._index(target, _INDEXED[part], ids))
        if part is Part.MESSAGE or not whose.has_messages:  # a night's work is for when what was said is there
            ops += await self._nights(whose, target)
        return ops

    def _learning(self, whose: Whose, target: Scope, messages: Sequence[str], new: set[str]) -> list[Op]:
        """Work to learn from messages that were noted and not learnt from yet, once the last of them is here."""
        ops: list[Op] = []
        for message, number in ((name, number) for name in messages for number in whose.learning_of.get(name, ())):
            key = (id(whose), number)
            if message in new:
                self._wanted.add(key)
            if whose.last_of[number] == message and key in self._wanted:
                work = whose.learning[number]
                ops.append(Enqueue(job_now(work.kind, target, work.payload, id=self._new_id(), now=self._now)))
        return ops

    def _index(self, target: Scope, kind: Kind, ids: Sequence[str]) -> Op:
        return Enqueue(index_job(target, kind, ids, id=self._new_id(), now=self._now))

    async def _nights(self, whose: Whose, target: Scope) -> list[Op]:
        """The nights to come, which come once however often they are asked for.

        Each keeps its id if that is free here, so that one half done finds its record.
        """
        ops: list[Op] = []
        for work in whose.nights:
            free = work.id if work.id is not None and await self._store.job(work.id) is None else None
            job = Job(
                id=free or self._new_id(),
                scope=target,
                kind=work.kind,
                payload=work.payload,
                due_at=work.due_at,
                created_at=self._now,
                key=work.kind,
            )
            ops.append(Enqueue(job))
        return ops

    # ── what waits to be noted ────────────────────────────────────────────────────────────────────────────────────

    async def _take_in(self, whose: Whose, aside: Mapping[int, Said]) -> None:
        """Store the messages of a person's buffers, a buffer at a time; a space's wait until everybody is there."""
        for number, rows in sorted(aside.items(), key=lambda pair: whose.waiting[pair[0]].opened_at):
            waiting = whose.waiting[number]
            if waiting.place.space is None:
                await self._buffer(whose, waiting, rows)
            elif whose.target is not None:
                shelf = shelf_of(whose.target, waiting.place)
                key = (shelf, waiting.opened_at, waiting.place.channel, waiting.conversation)
                self._in_spaces.setdefault(key, []).append((whose, waiting, rows))

    async def _take_in_spaces(self) -> None:
        for (shelf, *_), parts in sorted(self._in_spaces.items(), key=lambda pair: pair[0][1]):
            buffer = None
            for whose, waiting, rows in parts:
                buffer = await self._buffer(whose, waiting, rows) or buffer
            if buffer is not None and not any(waiting.is_open for _, waiting, _ in parts):
                await self._store.apply(shelf, [CloseBuffer(buffer)])

    async def _buffer(self, whose: Whose, waiting: Waiting, rows: Said) -> str | None:
        """Store messages with the buffer they wait in; its id here, unless they joined a talk going on."""
        target = whose.target
        assert target is not None
        shelf = shelf_of(target, waiting.place)
        buffer: str | None = None

        async def plan() -> tuple[Compared, list[Op]]:
            nonlocal buffer
            found = await self._standing.compared(target, Part.MESSAGE, rows)
            held = [
                other
                for other in await self._store.buffers(shelf)
                if other.is_open and (other.place, other.conversation) == (waiting.place, waiting.conversation)
            ]
            name = held[0].id if held else self._new_id()
            buffer = name if not held or held[0].opened_at == waiting.opened_at else None
            messages = [row for row, _ in found.new]
            ops: list[Op] = [PutMessage(row) for row in messages]
            ops += self._taking(messages, name, waiting.opened_at, is_new=not held)
            ids = [row.id for row in messages]
            ops += [_accounted(found), self._index(target, Kind.MESSAGE, ids)]
            if waiting.read:
                ops += self._learning(whose, target, [row.id for row, _ in rows], set(ids))
            elif waiting.place.is_private and (spoken := [row.id for row in messages if row.role is Role.USER]):
                # the file was written when learning waited for the note
                ops.append(Enqueue(read_job(target, waiting.conversation, spoken, id=self._new_id(), now=self._now)))
            ops += await self._nights(whose, target)
            if buffer is not None and not waiting.is_open and shelf == target:
                ops.append(CloseBuffer(buffer))
            return found, ops

        found = await self._carried_out(target, Part.MESSAGE, len(rows), plan)
        return buffer if found.new and not self._dry_run else None

    def _taking(self, messages: Sequence[Message], buffer: str, opened_at: datetime, *, is_new: bool) -> list[Op]:
        """Take messages into one buffer, whatever lies between them; it is flushed once they have been quiet."""
        ops: list[Op] = []
        for message in messages:
            now, quiet = opened_at, self._quiet
            if ops or not is_new:
                now, quiet = max(row.saved_at for row in messages) + self._quiet - AGES, AGES
            ops.append(BufferMessage(message=message, buffer_id=buffer, now=now, quiet=quiet, window=timedelta()))
        return ops


def _without_waiting(batch: Batch, aside: dict[int, Said]) -> Batch:
    """Messages that wait to be noted are stored later, with all others of their buffer."""
    if batch.part is not Part.MESSAGE:
        return batch
    buffer_of = batch.whose.buffer_of
    for message, due in batch.rows:
        if (number := buffer_of.get(message.id)) is not None:
            aside.setdefault(number, []).append((message, due))
    return replace(batch, rows=tuple(row for row in batch.rows if row[0].id not in buffer_of))


def _accounted(found: Compared) -> Op:
    """What is put is due to be accounted for, and most of it was before it came here."""
    return Accounted(messages=tuple(row.id for row, due in found.new if not due))


def _put(row: Any) -> Op:
    match row:
        case Conversation():
            return PutConversation(row, None)
        case Note():
            return PutNote(row, None)
        case KnowledgeItem():
            return PutItem(row, None)
        case Case():
            return PutCase(row, None)
        case AuditEntry():
            return Record(row)
        case Run():
            return PutRun(row, None)
        case View():
            return PutView(row, None)
        case Message():
            return PutMessage(row)
        case _:
            raise AssertionError(f"{type(row).__name__} is no row of its own")
