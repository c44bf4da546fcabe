"""Taking an export of ours in: the whole file is checked first, then stored in batches, each whole or not at all.

What is there already stays as it is, whatever the file says, so that importing twice changes nothing and an import that
was stopped goes on when it is run again.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby, islice
from typing import Any
from uuid import UUID

from relembra.domain.audit import Actor, ActorKind, AuditEntry
from relembra.domain.case import Case
from relembra.domain.jobs import LEARNING, Job, Run, RunKind, index_job, job_now
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import ConflictError, InvalidInputError
from relembra.store import port
from relembra.transfer.exports import ExportFile, Progress, space_scope
from relembra.transfer.parts import TYPES, Part, Row, Waiting, Work, is_due, read
from relembra.transfer.slices import refuse


def renamed(row: Row, old: str, scope: Scope) -> Row:
    """The row of a person called `old`, as one of this scope. What texts say stays as it was said."""
    if old == scope.user:
        return row
    match row:
        case Message():
            return replace(row, author=scope.user) if row.author == old else row
        case Note():
            return replace(row, participants=tuple(_people(row.participants, old, scope.user)))
        case Case():
            settled_by = None if row.settled_by is None else str(_actor(Actor.parse(row.settled_by), old, scope.user))
            return replace(row, id=_another_id(row.id, scope), settled_by=settled_by)
        case AuditEntry():
            return replace(
                row,
                actor=_actor(row.actor, old, scope.user),
                before=_snapshot(row.before, old, scope.user),
                after=_snapshot(row.after, old, scope.user),
            )
        case port.View():
            return replace(row, body=None)  # it names the person, and can be made anew
        case _:
            return row


def _actor(actor: Actor, old: str, new: str) -> Actor:
    return Actor(ActorKind.PERSON, new) if actor.is_owner(old) else actor


def _people(names: Sequence[Any], old: str, new: str) -> list[Any]:
    return [new if name == old else name for name in names]


def _snapshot(snapshot: Mapping[str, Any] | None, old: str, new: str) -> Mapping[str, Any] | None:
    if snapshot is None or not isinstance(snapshot.get("participants"), list):
        return snapshot
    return {**snapshot, "participants": _people(snapshot["participants"], old, new)}


def _another_id(id: str, scope: Scope) -> str:
    """The same id for the same person every time: in a tenant a case's belongs to one person alone."""
    name = "\0".join((scope.tenant, scope.user, id))
    digits = hashlib.blake2b(name.encode(), digest_size=9).hexdigest()
    return f"{id[:14]}7{digits[:3]}-8{digits[3:6]}-{digits[6:18]}"


BATCH = 200
MOST_EMPTY = 10_000  # people and spaces that are named and have no rows
AGES = timedelta(days=36_500)  # longer than any silence within a buffer
ROW_PARTS = frozenset(Part) - {Part.BUFFER, Part.WORK}

_ORDER = {part: number for number, part in enumerate(Part)}


@dataclass(slots=True)
class Whose:
    """One person or space of the file, and what is known of it before its rows are stored."""

    owner: Scope  # as the file calls them
    target: Scope | None  # whose memory it goes into; None: nobody's
    at: Part | None = None  # the part being read
    is_empty: bool = True
    has_messages: bool = False
    waiting: list[Waiting] = field(default_factory=list)
    buffer_of: dict[str, int] = field(default_factory=dict)  # by message
    learning: list[Work] = field(default_factory=list)
    learning_of: dict[str, list[int]] = field(default_factory=dict)  # by message
    last_of: dict[int, str] = field(default_factory=dict)  # the last message of each piece of learning
    nights: list[Work] = field(default_factory=list)

    def note(self, part: Part, row: Row) -> None:
        """Keep what rows to come depend on."""
        self.is_empty &= part not in ROW_PARTS
        match row:
            case Waiting():
                self.buffer_of |= dict.fromkeys(row.messages, len(self.waiting))
                self.waiting.append(row)
            case Work() if row.kind in LEARNING:
                for message in row.payload["messages"]:
                    self.learning_of.setdefault(message, []).append(len(self.learning))
                self.learning.append(row)
            case Work():
                self.nights.append(row)
            case Message():
                self.has_messages = True
                self.last_of |= dict.fromkeys(self.learning_of.get(row.id, ()), row.id)
                if (number := self.buffer_of.get(row.id)) is not None:
                    _check_waiting(row, self.waiting[number])
            case _:
                pass


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one part to be stored together."""

    whose: Whose
    part: Part
    rows: tuple[tuple[Any, bool], ...]  # each with whether it is still to be accounted for


class Checked:
    """A file that can be taken in whole: whose rows it holds, and how many."""

    def __init__(self, file: ExportFile, *, tenant: str, user: str | None, now: datetime, spaces: bool = True) -> None:
        self._file = file
        self._now = now
        self._spaces = spaces
        self._tenant = tenant
        self._user = user
        self.total = 0
        self.left: Counter[str] = Counter()  # by reason
        self.all: list[Whose] = []
        self._check()

    @property
    def people(self) -> tuple[str, ...]:
        targets = [whose.target for whose in self.all if whose.target is not None]
        return tuple(dict.fromkeys(target.user for target in targets if target.space is None))

    def batches(self) -> Iterator[Batch]:
        """The rows to be stored, some hundred of one part together."""
        passed: list[Whose] = []
        stored = (
            (self.all[len(passed) - 1], part, row, due)
            for _, part, row, due in self._rows(passed)
            if self.all[len(passed) - 1].target is not None and part in ROW_PARTS and part is not Part.SPACE_NOTE
        )
        for _, rows in groupby(stored, key=lambda one: (id(one[0]), one[1])):
            while some := list(islice(rows, BATCH)):
                whose, part, *_ = some[0]
                yield Batch(whose, part, tuple((row, due) for _, _, row, due in some))

    def _check(self) -> None:
        items: set[tuple[int, bytes]] = set()
        needed: dict[tuple[int, bytes], str] = {}
        for whose, part, row, _ in self._rows(self.all):
            if whose.target is None or part is Part.SPACE_NOTE:
                self.left["others" if whose.target is None else "space_note"] += part in ROW_PARTS
                continue
            self.total += part in ROW_PARTS
            if not self._spaces and _is_of_a_space(row):
                refuse("the file holds what was said in a space, which others would hear")
            if whose.target.space is not None and part in (Part.MESSAGE, Part.BUFFER):
                refuse("a space has messages, which are only ever a person's")
            whose.note(part, row)
            if isinstance(row, KnowledgeItem):
                items.add((id(whose), UUID(row.id).bytes))
            needed |= {(id(whose), UUID(item).bytes): why for item, why in _needed(row).items()}
        for key in (key for key in needed if key not in items):
            refuse(f"{needed[key]} item {key[1].hex()}, which is not in the file")
        if self._user is not None and not any(whose.target for whose in self.all):
            known = ", ".join(sorted(whose.owner.user for whose in self.all if whose.owner.space is None)[:10])
            why = f"the file holds nothing of {self._user}; it holds {known or 'nobody'}"
            raise InvalidInputError(why, field="user")

    def _rows(self, sections: list[Whose]) -> Iterator[tuple[Whose, Part, Row, bool]]:
        """The rows, checked and under the names they are to have; each one whose rows follow is added as they come."""
        empty = 0
        for found in self._file.rows():
            if isinstance(found, Scope):
                empty += bool(sections) and sections[-1].at is None
                if empty > MOST_EMPTY:
                    refuse("the file names many people of whom it holds nothing", "swollen")
                sections.append(Whose(found, self._target(found)))
                continue
            if not sections:
                refuse(f"{found.where}: nobody was named yet whose row this is")
            whose = sections[-1]
            if whose.at is not None and _ORDER[found.part] < _ORDER[whose.at]:
                refuse(f"{found.where}: rows are out of order, {found.part} after {whose.at}")
            whose.at = found.part
            row = read(found.part, found.values, whose.target or whose.owner, found.where, self._now)
            if whose.target is not None and whose.target.space is None:
                row = renamed(row, whose.owner.user, whose.target)
            yield whose, found.part, row, is_due(found.values)

    def _target(self, owner: Scope) -> Scope | None:
        """Whose memory rows go into: of one person's file the one asked for, of everybody's only theirs."""
        if self._file.user is not None:
            return Scope(self._tenant, self._user or owner.user)
        if self._user is not None:
            return Scope(self._tenant, owner.user) if owner.user == self._user else None
        return Scope(self._tenant, owner.user) if owner.space is None else space_scope(self._tenant, owner.space)


def _needed(row: Row) -> dict[str, str]:
    """The items a row cannot do without, each with what to say where it is missing."""
    match row:
        case KnowledgeItem() if row.superseded_by is not None:
            return {row.superseded_by: f"item {row.id} was superseded by"}
        case Case():
            return dict.fromkeys((row.old_id, row.new_id), f"a side of case {row.id} is")
        case _:
            return {}


def _is_of_a_space(row: Row) -> bool:
    """Whether others could come to hear of a row, or it of them."""
    if isinstance(row, AuditEntry):
        places = [(state or {}).get("place") for state in (row.before, row.after)]
        return any(isinstance(place, Mapping) and place.get("space") is not None for place in places)
    place = getattr(row, "place", None)
    return isinstance(place, Place) and place.space is not None


def _check_waiting(message: Message, waiting: Waiting) -> None:
    if (message.place, message.conversation) != (waiting.place, waiting.conversation):
        refuse(f"message {message.id} waits elsewhere than it was said")
    ages = AGES / 4
    if abs(message.sent_at - waiting.opened_at) > ages or abs(message.saved_at - waiting.opened_at) > ages:
        refuse(f"message {message.id} waits in a buffer of another age")
    if waiting.opened_at.year < 1900:
        refuse(f"message {message.id} waits since {waiting.opened_at.year}")


def name_of(row: Any) -> str:
    """What a row is identified by among those of its part."""
    return str(row.name if isinstance(row, port.View) else row.id)


def _same(held: Any, row: Any) -> bool:
    """Whether a row says nothing else than the one that is there, how often it was read and asked for apart."""
    match held, row:
        case (port.View(), _):
            return True  # computed from the rest, and so never in conflict
        case (KnowledgeItem(), KnowledgeItem()) | (Note(), Note()):
            return bool(replace(held, accesses=row.accesses, last_access=row.last_access) == row)
        case (Case(), Case()):
            return bool(replace(held, asked=row.asked, asked_at=row.asked_at, version=row.version) == row)
        case _:
            return bool(held == row)


TRIES = 3
MOST_NAMED = 100

_INDEXED = {Part.ITEM: port.Kind.ITEM, Part.NOTE: port.Kind.NOTE, Part.MESSAGE: port.Kind.MESSAGE}

Rows = Sequence[tuple[Any, bool]]
"""Rows, each with whether it is still to be accounted for."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Rows beside what is there: new ones; how many are the same here; and those that differ."""

    new: list[tuple[Any, bool]]
    same: int
    differing: list[Any]


Plan = Callable[[Compared], Awaitable[list[port.Op]]]


@dataclass(frozen=True, slots=True)
class Refused:
    """A file nothing was taken from, and what is wrong with it."""

    file: str
    why: str
    kind: str | None = None

    @property
    def error(self) -> InvalidInputError:
        return InvalidInputError(self.why, field="file", kind=self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did, or would do."""

    added: Mapping[str, int]  # rows by part: conversations, messages, items, …
    skipped: int = 0  # there already, and the same
    conflicts: tuple[tuple[str, str], ...] = ()  # there already and different, so left as they were: part and id
    conflicted: int = 0  # how many; the first hundred are named
    left_out: int = 0
    why: Mapping[str, int] = field(default_factory=dict)  # what was left out, by reason
    people: tuple[str, ...] = ()
    dry_run: bool = False
    # of what other programs export
    formats: tuple[str, ...] = ()  # that were recognised
    talks: int = 0  # conversations in the files, those that were here too
    by: Mapping[str, int] = field(default_factory=dict)  # messages in the files, by who said them
    me: tuple[str, ...] = ()  # which of these is the person
    first: datetime | None = None
    last: datetime | None = None  # of those messages, and of what documents have a moment of
    refused: tuple[Refused, ...] = ()
    left_alone: int = 0  # files that are no export

    @property
    def total(self) -> int:
        return sum(self.added.values())


class Importer:
    """Takes one file into a store."""

    def __init__(
        self,
        store: port.Store,
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
        self._how: dict[str, Any] = {"tenant": tenant, "user": user, "now": now, "spaces": spaces}
        self._now = now
        self._new_id = new_id
        self._quiet = quiet
        self._dry_run = dry_run
        self._progress = progress
        self._added: Counter[str] = Counter()
        self._skipped = self._done = self._total = 0
        self._left: Counter[str] = Counter()
        self._conflicts: list[tuple[str, str]] = []
        self._differing: set[tuple[Scope, str, str]] = set()  # rows that stay as they are, by kind and id
        self._wanted: set[tuple[int, int]] = set()  # pieces of learning of which a message was new

    async def run(self, file: ExportFile) -> Imported:
        """Check everything, then store it. A file with anything wrong is an `InvalidInputError` and changes nothing."""
        checked = await asyncio.to_thread(Checked, file, **self._how)
        self._total, self._left = checked.total, checked.left
        batches = checked.batches()
        aside: Aside = {}
        while (batch := await asyncio.to_thread(next, batches, None)) is not None:
            await self._rows(_without_waiting(batch, aside))
        await self._buffers(aside)
        for whose in checked.all:
            if whose.is_empty and whose.nights and whose.target is not None and not self._dry_run:
                await self._store.apply(whose.target, await self._nights(whose, whose.target))
        return Imported(
            added=dict(self._added),
            skipped=self._skipped,
            conflicts=tuple(self._conflicts[:MOST_NAMED]),
            conflicted=len(self._conflicts),
            left_out=self._left.total(),
            why={why: many for why, many in self._left.items() if many},
            people=checked.people,
            dry_run=self._dry_run,
        )

    async def _rows(self, batch: Batch) -> None:
        """Store what is new of a batch, in one transaction."""
        whose, part, target = batch.whose, batch.part, batch.whose.target
        if not batch.rows or target is None:
            return

        async def plan(found: Compared) -> list[port.Op]:
            ops: list[port.Op] = []
            for row, due in found.new:
                ops.append(
                    port.Record(row)
                    if isinstance(row, AuditEntry)
                    else (port.PutMessage(row) if isinstance(row, Message) else port.Put(row, None))
                )
                if isinstance(row, AuditEntry) and due:
                    ops.append(port.Account(due=row.change))
            ids = [name_of(row) for row, _ in found.new]
            if part is Part.MESSAGE:
                ops.append(_accounted(found))
                ops += self._learning(whose, target, [row.id for row, _ in batch.rows], set(ids))
            if part in _INDEXED:
                ops.append(self._index(target, _INDEXED[part], ids))
            if part is Part.MESSAGE or not whose.has_messages:  # a night's work is for when what was said is there
                ops += await self._nights(whose, target)
            return ops

        found = await self._store_new(target, part, batch.rows, plan)
        self._differing |= {(target, part.value, name_of(row)) for row in found.differing}

    async def _store_new(self, target: Scope, part: Part, rows: Rows, plan: Plan) -> Compared:
        """Apply the plan for what is new, and count it; it is made anew where another program wrote meanwhile."""
        for tries_left in reversed(range(TRIES)):
            found = await self._compared(target, part, rows)
            ops = await plan(found)
            known = 0
            if found.new and not self._dry_run:
                try:
                    known = len((await self._store.apply(target, ops)).known)  # messages that have another id here
                except ConflictError:
                    if not tries_left:
                        raise
                    continue
            new, same = len(found.new) - known, found.same + known
            self._added[part.many] += new
            self._skipped += same
            self._conflicts += [(part.many, name_of(row)) for row in found.differing]
            self._left["record"] += len(rows) - new - same - len(found.differing)
            self._done += len(rows)
            if self._progress is not None:
                self._progress(self._done, self._total)
            return found
        raise AssertionError("the last try returns or raises")

    # ── what is there ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _compared(self, target: Scope, part: Part, rows: Rows) -> Compared:
        """Rows of one part beside what is there under their names."""
        held = await self._held(target, part, [row for row, _ in rows])
        found = Compared([], 0, [])
        for row, due in rows:
            there = held.get(name_of(row))
            if there is None:
                if isinstance(row, AuditEntry) and (target, row.target.value, row.target_id) in self._differing:
                    continue  # it tells of a row that stays another one here
                held[name_of(row)] = row
                found.new.append((row, due))
            elif _same(there, row):
                found = replace(found, same=found.same + 1)
            else:
                found.differing.append(row)
        return found

    async def _held(self, target: Scope, part: Part, rows: Sequence[Any]) -> dict[str, Any]:
        """What is there under the names of these rows."""
        ids, kind = [name_of(row) for row in rows], TYPES[part]
        found: Sequence[Any]
        match part:
            case Part.NOTE | Part.ITEM | Part.MESSAGE:
                found = await self._store.get(target, kind, ids)
            case Part.CASE:
                found = await self._store.get(target, kind, ids)
                owners = {row.id: await self._store.case_scope(target.tenant, row.id) for row in rows}
                strangers = [row for row in rows if owners[row.id] not in (None, target)]
                found = [*found, *(replace(row, scope=Scope(target.tenant, "\x1fanybody")) for row in strangers)]
            case Part.ENTRY:
                found = await self._store.changes(target, list(dict.fromkeys(row.change for row in rows)))
            case Part.CONVERSATION | Part.VIEW:
                found = [row for id in ids if (row := await self._store.find(target, kind, id)) is not None]
            case Part.RUN:
                return await self._runs_held(target, rows)
            case _:
                found = ()
        return {name_of(row): row for row in found}

    async def _runs_held(self, target: Scope, rows: Sequence[Run]) -> dict[str, Any]:
        """Runs by id; one whose night has another record here counts as that one."""
        held: dict[str, Any] = {}
        nights: dict[tuple[RunKind, Any], Run] = {}
        for row in rows:
            there = await self._store.find(target, Run, row.id)
            if there is None and row.night is not None:
                found = await self._store.page(target, port.RunFilter(kinds=(row.kind,), night=row.night), limit=1)
                there = next(iter(found.rows), None) or nights.get((row.kind, row.night))
                nights.setdefault((row.kind, row.night), row)
            if there is not None:
                held[row.id] = there
        return held

    # ── work to come ──────────────────────────────────────────────────────────────────────────────────────────────

    def _learning(self, whose: Whose, target: Scope, messages: Sequence[str], new: set[str]) -> list[port.Op]:
        """Work to learn from messages that were not learnt from yet, once the last of them is here."""
        ops: list[port.Op] = []
        for message, number in ((name, number) for name in messages for number in whose.learning_of.get(name, ())):
            key = (id(whose), number)
            if message in new:
                self._wanted.add(key)
            if whose.last_of[number] == message and key in self._wanted:
                work = whose.learning[number]
                ops.append(port.Enqueue(job_now(work.kind, target, work.payload, id=self._new_id(), now=self._now)))
        return ops

    def _index(self, target: Scope, kind: port.Kind, ids: Sequence[str]) -> port.Op:
        return port.Enqueue(index_job(target, kind, ids, id=self._new_id(), now=self._now))

    async def _nights(self, whose: Whose, target: Scope) -> list[port.Op]:
        """The nights to come, which come once however often they are asked for.

        Each keeps its id if that is free here, so that one half done finds its record.
        """
        ops: list[port.Op] = []
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
            ops.append(port.Enqueue(job))
        return ops

    # ── messages that wait to be noted ────────────────────────────────────────────────────────────────────────────

    async def _buffers(self, aside: Aside) -> None:
        """Store the messages of every buffer, the oldest first, each person's in one transaction."""
        for (shelf, *_), parts in sorted(aside.items(), key=lambda pair: pair[0][1]):
            buffer = None
            for whose, waiting, rows in parts:
                buffer = await self._buffer(shelf, whose, waiting, rows) or buffer
            if buffer is not None and not any(waiting.is_open for _, waiting, _ in parts):
                await self._store.apply(shelf, [port.EndBuffer(buffer)])

    async def _buffer(self, shelf: Scope, whose: Whose, waiting: Waiting, rows: Rows) -> str | None:
        """Store messages with the buffer they wait in; its id here, unless they joined a talk going on."""
        target = whose.target
        assert target is not None
        buffer: str | None = None

        async def plan(found: Compared) -> list[port.Op]:
            nonlocal buffer
            held = [
                other
                for other in await self._store.buffers(shelf)
                if other.is_open and (other.place, other.conversation) == (waiting.place, waiting.conversation)
            ]
            name = held[0].id if held else self._new_id()
            buffer = name if not held or held[0].opened_at == waiting.opened_at else None
            messages = [row for row, _ in found.new]
            ids = [row.id for row in messages]
            ops = self._in_buffer(messages, name, waiting.opened_at, is_new=not held)
            ops += [_accounted(found), self._index(target, port.Kind.MESSAGE, ids)]
            if waiting.place.is_private:  # which is learnt from as it is said
                ops += self._learning(whose, target, [row.id for row, _ in rows], set(ids))
            return [*ops, *await self._nights(whose, target)]

        found = await self._store_new(target, Part.MESSAGE, rows, plan)
        return buffer if found.new and not self._dry_run else None

    def _in_buffer(
        self, messages: Sequence[Message], buffer: str, opened_at: datetime, *, is_new: bool
    ) -> list[port.Op]:
        """Take messages into one buffer, whatever lies between them; it is flushed once they have been quiet."""
        ops: list[port.Op] = []
        for message in messages:
            now, quiet = opened_at, self._quiet
            if ops or not is_new:
                now, quiet = max(row.saved_at for row in messages) + self._quiet - AGES, AGES
            ops.append(port.PutMessage(message, port.InBuffer(id=buffer, now=now, quiet=quiet, window=timedelta())))
        return ops


Aside = dict[tuple[Scope, datetime, str, str], list[tuple[Whose, Waiting, list[tuple[Message, bool]]]]]
"""Messages that wait to be noted, by where, since when and in which talk: of a space, everybody's together."""


def _without_waiting(batch: Batch, aside: Aside) -> Batch:
    """Messages that wait to be noted are stored last, with all others of their buffer."""
    whose, target = batch.whose, batch.whose.target
    if batch.part is not Part.MESSAGE or target is None:
        return batch
    rest: list[tuple[Any, bool]] = []
    for message, due in batch.rows:
        if (number := whose.buffer_of.get(message.id)) is None:
            rest.append((message, due))
            continue
        waiting = whose.waiting[number]
        key = (shelf_of(target, waiting.place), waiting.opened_at, waiting.place.channel, waiting.conversation)
        parts = aside.setdefault(key, [])
        if not parts or parts[-1][1] is not waiting:
            parts.append((whose, waiting, []))
        parts[-1][2].append((message, due))
    return replace(batch, rows=tuple(rest))


def _accounted(found: Compared) -> port.Op:
    """What is put is due to be accounted for, and most of it was before it came here."""
    return port.Account(messages=tuple(row.id for row, due in found.new if not due))
