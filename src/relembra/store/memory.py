"""A store in dictionaries: for tests, trials and short-lived programs, and the model the other adapters are held to.

Each person has a shelf. A write works on a copy of the shelf, which takes the shelf's place once all went well.
Every answer is computed by walking the shelf, so there is little here that can disagree with itself.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar, assert_never

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.jobs import Job, JobState
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note, Role
from relembra.domain.relevance import bm25_term, inverse_document_frequency
from relembra.domain.scope import Place, Scope, may_hear
from relembra.domain.searchable import item_text, message_text, note_text
from relembra.errors import ConflictError, InvalidInputError, StaleError, StoreError
from relembra.minds.port import Analyzer, Vector
from relembra.store.port import (
    Candidate,
    Cursor,
    Enqueue,
    ExpectHeld,
    FinishJob,
    Gone,
    HideMessages,
    IndexMessages,
    ItemFilter,
    Kind,
    MessageFilter,
    Op,
    Page,
    PutConversation,
    PutItem,
    PutMessage,
    PutNote,
    PutVector,
    Query,
    Receipt,
    Record,
    ShowMessages,
    Stats,
    TouchConversation,
    TouchItems,
    Unembedded,
    Verification,
)
from relembra.store.traces import Traces, entry_without, item_without, loses_source, still_said, words_in, words_of

Row = TypeVar("Row")
Key = tuple[Kind, str]

_UNIT_TOLERANCE = 1e-3


@dataclass(slots=True)
class _Shelf:
    """All that is kept of one person. Rows are frozen, so a copy of the dictionaries is a copy of everything."""

    conversations: dict[str, Conversation] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    external: dict[tuple[str, Role], str] = field(default_factory=dict)  # → message id
    notes: dict[str, Note] = field(default_factory=dict)
    items: dict[str, KnowledgeItem] = field(default_factory=dict)
    terms: dict[Key, Counter[str]] = field(default_factory=dict)  # of every item and note, and of indexed messages
    vectors: dict[tuple[Kind, str, str], Vector] = field(default_factory=dict)  # the last part is the model
    trail: list[AuditEntry] = field(default_factory=list)  # in the order recorded
    jobs: dict[str, Job] = field(default_factory=dict)

    def copy(self) -> _Shelf:
        return _Shelf(**{part.name: getattr(self, part.name).copy() for part in fields(self)})

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, part.name) for part in fields(self))

    def texts(self) -> Iterator[tuple[Kind, str, str]]:
        """Every row that can be found, with the text it is found by."""
        yield from ((Kind.ITEM, item.id, item_text(item)) for item in self.items.values())
        yield from ((Kind.MESSAGE, message.id, message_text(message)) for message in self.messages.values())
        yield from ((Kind.NOTE, note.id, note_text(note)) for note in self.notes.values())

    def row_of(self, entry: AuditEntry) -> KnowledgeItem | Note | Conversation | None:
        """The row an entry is about."""
        match entry.target:
            case Target.ITEM:
                return self.items.get(entry.target_id)
            case Target.NOTE:
                return self.notes.get(entry.target_id)
            case Target.CONVERSATION:
                return self.conversations.get(entry.target_id)

    def holds(self, kind: Kind, id: str) -> bool:
        match kind:
            case Kind.ITEM:
                return id in self.items
            case Kind.MESSAGE:
                return id in self.messages
            case Kind.NOTE:
                return id in self.notes


class InMemoryStore:
    """Keeps everything in this process, and nothing after it."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._shelves: dict[Scope, _Shelf] = {}

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        for op in ops:
            _refuse_foreign(scope, op)
        draft = self._shelf(scope).copy()
        untouched = _untouched(draft, ops)
        known = [message for op in ops if op not in untouched and (message := self._do(draft, op)) is not None]
        self._keep(scope, draft)
        return Receipt(tuple(known))

    def _do(self, shelf: _Shelf, op: Op) -> Message | None:
        """Carry out one operation on a draft; a message that was known already comes back."""
        match op:
            case PutMessage(message):
                return _put_message(shelf, message)
            case TouchConversation(conversation):
                _touch_conversation(shelf, conversation)
            case PutConversation(conversation, expects):
                _expect(shelf.conversations.get(conversation.id), expects, "conversation", conversation.id)
                shelf.conversations[conversation.id] = conversation
            case HideMessages(conversation, at):
                _set_hidden(shelf, conversation, was=None, becomes=at)
            case ShowMessages(conversation, hidden_at):
                _set_hidden(shelf, conversation, was=hidden_at, becomes=None)
            case ExpectHeld():
                _expect_held(shelf, op)
            case PutItem(item, expects):
                _expect(shelf.items.get(item.id), expects, "item", item.id)
                held_text = item_text(shelf.items.get(item.id, item))
                shelf.items[item.id] = item
                self._index(shelf, Kind.ITEM, item.id, item_text(item), held_text)
            case PutNote(note, expects):
                _expect(shelf.notes.get(note.id), expects, "note", note.id)
                held_text = note_text(shelf.notes.get(note.id, note))
                shelf.notes[note.id] = note
                self._index(shelf, Kind.NOTE, note.id, note_text(note), held_text)
            case PutVector(kind, id, model, vector):
                if shelf.holds(kind, id):
                    self._refuse_length(shelf, model, vector)
                    shelf.vectors[kind, id, model] = vector
            case IndexMessages(ids):
                for message in _known(shelf.messages, ids):
                    if (Kind.MESSAGE, message.id) not in shelf.terms:
                        shelf.terms[Kind.MESSAGE, message.id] = self._counted(message_text(message))
            case TouchItems(ids, at):
                for item in _known(shelf.items, ids):
                    shelf.items[item.id] = replace(item, accesses=item.accesses + 1, last_access=at)
            case Record(entry):
                shelf.trail.append(entry)
            case Enqueue(job):
                if any(job.id in other.jobs for other in self._shelves.values()):
                    raise ConflictError(f"job {job.id!r} is there already")
                _add(shelf.jobs, job, "job")
            case FinishJob(id):
                if shelf.jobs.pop(id, None) is None:
                    raise ConflictError(f"job {id!r} is gone already")
            case _:
                assert_never(op)
        return None

    def _index(self, shelf: _Shelf, kind: Kind, id: str, text: str, held_text: str) -> None:
        """Write a row's terms; new words end the vectors of the old ones."""
        shelf.terms[kind, id] = self._counted(text)
        if text != held_text:
            shelf.vectors = {key: vector for key, vector in shelf.vectors.items() if key[:2] != (kind, id)}

    def _refuse_length(self, shelf: _Shelf, model: str, vector: Vector) -> None:
        """All vectors of a model are of one length."""
        for other in (shelf, *self._shelves.values()):
            for (_, _, name), held in other.vectors.items():
                if name == model:
                    if len(held) != len(vector):
                        raise InvalidInputError(f"vectors of {model} are {len(held)} bytes, not {len(vector)}")
                    return

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def items(self, scope: Scope, ids: Sequence[str]) -> list[KnowledgeItem]:
        return list(_known(self._shelf(scope).items, ids))

    async def messages(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        return list(_known(self._shelf(scope).messages, ids))

    async def notes(self, scope: Scope, ids: Sequence[str]) -> list[Note]:
        return list(_known(self._shelf(scope).notes, ids))

    async def conversation(self, scope: Scope, id: str) -> Conversation | None:
        return self._shelf(scope).conversations.get(id)

    async def item_ids(self, scope: Scope, fragment: str, *, limit: int = 2) -> list[str]:
        ids = sorted(self._shelf(scope).items)
        return [id for id in ids if id.startswith(fragment) or id.endswith(fragment)][:limit]

    async def page_items(
        self, scope: Scope, wanted: ItemFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[KnowledgeItem]:
        rows = [item for item in self._shelf(scope).items.values() if _is_wanted(item, wanted)]
        return _page(rows, lambda item: Cursor(item.created_at, item.id), after=after, limit=limit)

    async def page_messages(
        self, scope: Scope, wanted: MessageFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Message]:
        rows = [message for message in self._shelf(scope).messages.values() if _is_wanted_message(message, wanted)]
        return _page(rows, lambda message: Cursor(message.sent_at, message.id), after=after, limit=limit)

    async def page_conversations(
        self, scope: Scope, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Conversation]:
        rows = [row for row in self._shelf(scope).conversations.values() if row.deleted_at is None]
        return _page(rows, lambda row: Cursor(row.updated_at, row.id), after=after, limit=limit)

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
        return [entry for entry in self._shelf(scope).trail if (entry.target, entry.target_id) == (target, id)]

    async def change(self, scope: Scope, change: str) -> list[AuditEntry]:
        return [entry for entry in self._shelf(scope).trail if entry.change == change]

    # ── searching ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def search_items(self, scope: Scope, query: Query, wanted: ItemFilter) -> list[Candidate]:
        shelf = self._shelf(scope)
        rows = {id: item for id, item in shelf.items.items() if _is_wanted(item, wanted)}
        return _search(shelf, Kind.ITEM, rows, query, {id: shelf.terms[Kind.ITEM, id] for id in rows})

    async def search_messages(self, scope: Scope, query: Query, wanted: MessageFilter) -> list[Candidate]:
        shelf = self._shelf(scope)
        rows = {id: message for id, message in shelf.messages.items() if _is_wanted_message(message, wanted)}
        terms = {
            id: shelf.terms.get((Kind.MESSAGE, id)) or self._counted(message_text(message))
            for id, message in rows.items()
        }
        return _search(shelf, Kind.MESSAGE, rows, query, terms)

    # ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────

    async def forget_item(self, scope: Scope, id: str) -> Gone:
        return self._forget(scope, _Doomed(items={id} & self._shelf(scope).items.keys()))

    async def forget_conversation(self, scope: Scope, id: str) -> Gone:
        return self._forget(scope, _doomed_with(self._shelf(scope), id))

    async def forget_person(self, scope: Scope) -> Gone:
        shelf = self._shelf(scope)
        self._shelves.pop(scope, None)
        return _difference(shelf, _Shelf(), pointers=0)

    def _forget(self, scope: Scope, doomed: _Doomed) -> Gone:
        shelf = self._shelf(scope)
        left, pointers = _without(shelf, doomed)
        self._keep(scope, left)
        return _difference(shelf, left, pointers=pointers)

    # ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def claim(self, kinds: Sequence[str], *, now: datetime, lease: timedelta, limit: int) -> list[Job]:
        due = [job for job in self._all_jobs() if job.kind in kinds and (at := _due(job)) is not None and at <= now]
        taken = [
            replace(job, state=JobState.RUNNING, attempts=job.attempts + 1, lease_until=now + lease)
            for job in due[: max(0, limit)]
        ]
        for job in taken:
            self._shelves[job.scope].jobs[job.id] = job
        return taken

    async def fail(self, id: str, *, error: str, retry_at: datetime | None) -> None:
        for job in self._all_jobs():
            if job.id == id:
                state = JobState.DEAD if retry_at is None else JobState.WAITING
                self._shelves[job.scope].jobs[id] = replace(
                    job, state=state, due_at=retry_at or job.due_at, lease_until=None, error=error
                )

    async def jobs(self, *, state: JobState | None = None, limit: int = 100) -> list[Job]:
        return [job for job in self._all_jobs() if state is None or job.state is state][:limit]

    async def next_due(self) -> datetime | None:
        return min((at for job in self._all_jobs() if (at := _due(job)) is not None), default=None)

    async def drop_jobs(self, *, kind: str, state: JobState) -> int:
        doomed = [job for job in self._all_jobs() if job.kind == kind and job.state is state]
        for job in doomed:
            shelf = self._shelves[job.scope]
            del shelf.jobs[job.id]
            self._keep(job.scope, shelf)
        return len(doomed)

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
        later = (row for row in rows if after is None or _place_of(row) > _place_of(after))
        return heapq.nsmallest(limit, later, key=_place_of)

    async def drop_other_vectors(self, model: str) -> int:
        dropped = 0
        for shelf in self._shelves.values():
            others = [key for key in shelf.vectors if key[2] != model]
            for key in others:
                del shelf.vectors[key]
            dropped += len(others)
        return dropped

    async def model_names(self) -> list[str]:
        return sorted(await self.models())

    async def models(self) -> dict[str, int]:
        return dict(Counter(key[2] for shelf in self._shelves.values() for key in shelf.vectors))

    async def verify(self) -> Verification:
        checked: Counter[str] = Counter(rows=0, terms=0, vectors=0)
        problems: list[str] = []
        for scope, shelf in self._shelves.items():
            rows = {(kind, id): text for kind, id, text in shelf.texts()}
            checked.update(rows=len(rows), terms=len(shelf.terms), vectors=len(shelf.vectors))
            problems += [f"{scope}: {problem}" for problem in self._problems(shelf, rows)]
        return Verification(dict(checked), tuple(problems))

    def _problems(self, shelf: _Shelf, rows: Mapping[Key, str]) -> Iterator[str]:
        for (kind, id), text in rows.items():
            terms = shelf.terms.get((kind, id))
            if terms is None and kind is not Kind.MESSAGE:
                yield f"{kind} {id} has no terms"
            elif terms is not None and terms != self._counted(text):
                yield f"{kind} {id} has other terms than its text"
        yield from (f"terms of {kind} {id}, which is gone" for kind, id in shelf.terms.keys() - rows.keys())
        lengths: dict[str, int] = {}
        for (kind, id, model), vector in shelf.vectors.items():
            if (kind, id) not in rows:
                yield f"a vector of {kind} {id}, which is gone"
            if len(vector) != lengths.setdefault(model, len(vector)):
                yield f"the vector of {kind} {id} is of another length than others of {model}"
            if abs(math.hypot(*array("f", vector)) - 1.0) > _UNIT_TOLERANCE:
                yield f"the vector of {kind} {id} is not of unit length"
        named = {(m.external_id, m.role): m.id for m in shelf.messages.values() if m.external_id is not None}
        if named != shelf.external:
            yield "external ids and messages disagree"
        for item in shelf.items.values():
            if item.superseded_by is not None and item.superseded_by not in shelf.items:
                yield f"item {item.id} was superseded by an item that is not there"

    async def stats(self, scope: Scope | None = None) -> Stats:
        shelves = list(self._shelves.values()) if scope is None else [self._shelf(scope)]
        items = [item for shelf in shelves for item in shelf.items.values()]
        return Stats(
            people=sum(not shelf.is_empty for shelf in shelves),
            conversations=sum(len(shelf.conversations) for shelf in shelves),
            messages=sum(len(shelf.messages) for shelf in shelves),
            notes=sum(len(shelf.notes) for shelf in shelves),
            items=dict(Counter(_state(item) for item in items)),
            items_by_type=dict(Counter(str(item.type) for item in items)),
            items_by_area=dict(Counter(str(item.area) for item in items if item.area is not None)),
            vectors=dict(Counter(key[2] for shelf in shelves for key in shelf.vectors)),
            jobs=dict(Counter(str(job.state) for shelf in shelves for job in shelf.jobs.values())),
            bytes=0,
        )

    async def backup(self, target: Path) -> int:
        """A JSON file of all rows and vectors; terms are left out, for they follow from the rows."""
        import msgspec  # only needed here

        return _write_new(target, msgspec.json.encode([_dump(shelf) for shelf in self._shelves.values()]))

    async def close(self) -> None:
        """Nothing is held open, so that a store can still be looked into afterwards."""

    def _shelf(self, scope: Scope) -> _Shelf:
        return self._shelves.get(scope) or _Shelf()

    def _keep(self, scope: Scope, shelf: _Shelf) -> None:
        if shelf.is_empty:
            self._shelves.pop(scope, None)
        else:
            self._shelves[scope] = shelf

    def _counted(self, text: str) -> Counter[str]:
        return Counter(self._analyzer.terms(text))


# ── the operations ────────────────────────────────────────────────────────────────────────────────────────────────


def _refuse_foreign(scope: Scope, op: Op) -> None:
    """Only rows know whose they are; an operation that names an id finds it on this person's shelf or not at all."""
    for part in fields(op):
        row = getattr(op, part.name)
        if isinstance(row, (Message, Conversation, KnowledgeItem, Note, AuditEntry, Job)) and row.scope != scope:
            raise ValueError(f"{part.name} {row.id!r} belongs to {row.scope}, not to {scope}")


def _put_message(shelf: _Shelf, message: Message) -> Message | None:
    if message.external_id is not None:
        name = (message.external_id, message.role)
        if name in shelf.external:
            return shelf.messages[shelf.external[name]]
        shelf.external[name] = message.id
    _add(shelf.messages, message, "message")
    return None


def _untouched(shelf: _Shelf, ops: Sequence[Op]) -> list[TouchConversation]:
    """The touches that go without effect: messages are put, and none of that conversation is new."""
    puts = [op.message for op in ops if isinstance(op, PutMessage)]
    names = set(shelf.external)
    spoken_in: set[str] = set()
    for message in puts:
        if message.external_id is None or (message.external_id, message.role) not in names:
            spoken_in.add(message.conversation)
        if message.external_id is not None:
            names.add((message.external_id, message.role))
    touches = [op for op in ops if isinstance(op, TouchConversation)]
    return [op for op in touches if puts and op.conversation.id not in spoken_in]


def _touch_conversation(shelf: _Shelf, given: Conversation) -> None:
    held = shelf.conversations.get(given.id)
    if held is None:
        shelf.conversations[given.id] = given
        return
    shelf.conversations[given.id] = replace(
        held,
        title=held.title or given.title,
        updated_at=max(held.updated_at, given.updated_at),
        deleted_at=None,
        version=held.version if held.deleted_at is None else held.version + 1,
    )


def _set_hidden(shelf: _Shelf, conversation: str, *, was: datetime | None, becomes: datetime | None) -> None:
    for message in shelf.messages.values():
        if message.conversation == conversation and message.deleted_at == was:
            shelf.messages[message.id] = replace(message, deleted_at=becomes)


def _expect(held: Conversation | KnowledgeItem | Note | None, expects: int | None, what: str, id: str) -> None:
    version = None if held is None else held.version
    if version != expects:
        raise StaleError(f"{what} {id!r} is at version {version}, not {expects}: read it and decide again")


def _expect_held(shelf: _Shelf, expected: ExpectHeld) -> None:
    held = {
        item.id
        for item in shelf.items.values()
        if (item.subject, item.attribute) == (expected.subject, expected.attribute) and _state(item) == "current"
    }
    if held != expected.ids:
        raise StaleError(f"{len(held ^ expected.ids)} items held of this attribute came or went: decide again")


def _add(rows: dict[str, Row], row: Any, what: str) -> None:
    if row.id in rows:
        raise ConflictError(f"{what} {row.id!r} is there already")
    rows[row.id] = row


# ── which rows, and in which order ────────────────────────────────────────────────────────────────────────────────


def _known(rows: Mapping[str, Row], ids: Iterable[str]) -> Iterator[Row]:
    return (rows[id] for id in ids if id in rows)


def _is_wanted(item: KnowledgeItem, wanted: ItemFilter) -> bool:
    undeleted = item if item.deleted_at is None else replace(item, deleted_at=None)
    return (
        (wanted.deleted or item.deleted_at is None)
        and (wanted.history or undeleted.is_current(wanted.now))
        and may_hear(item.place, wanted.asked_in)
        and (not wanted.types or item.type in wanted.types)
        and (not wanted.areas or item.area in wanted.areas)
        and (not wanted.sources or item.source in wanted.sources)
        and set(wanted.tags) <= set(item.tags)
        and wanted.subject in (None, item.subject)
        and wanted.attribute in (None, item.attribute)
        and (wanted.confidence_at_least is None or item.confidence >= wanted.confidence_at_least)
        and _is_between(item.created_at, wanted.since, wanted.until)
    )


def _is_wanted_message(message: Message, wanted: MessageFilter) -> bool:
    return (
        message.deleted_at is None
        and may_hear(message.place, wanted.asked_in)
        and (not wanted.said_there or _is_said_there(message.place, wanted.asked_in))
        and wanted.conversation in (None, message.conversation)
        and (not wanted.roles or message.role in wanted.roles)
        and _is_between(message.sent_at, wanted.since, wanted.until)
    )


def _is_said_there(said: Place, asked: Place) -> bool:
    return said.is_private if asked.is_private else said == asked


def _is_between(moment: datetime, since: datetime | None, until: datetime | None) -> bool:
    return (since is None or moment >= since) and (until is None or moment < until)


def _page(rows: Iterable[Row], cursor: Callable[[Row], Cursor], *, after: Cursor | None, limit: int) -> Page[Row]:
    def position(row: Row) -> tuple[datetime, str]:
        return (cursor(row).at, cursor(row).id)

    if limit <= 0:
        return Page((), None)
    left = sorted(rows, key=position, reverse=True)
    if after is not None:
        left = [row for row in left if position(row) < (after.at, after.id)]
    taken = tuple(left[:limit])
    return Page(taken, cursor(taken[-1]) if len(left) > limit else None)


def _state(item: KnowledgeItem) -> str:
    if item.deleted_at is not None:
        return "deleted"
    if item.superseded_at is not None:
        return "superseded"
    return "current" if item.archived_at is None else "archived"


def _due(job: Job) -> datetime | None:
    """When somebody may take it next; a dead one never."""
    match job.state:
        case JobState.WAITING:
            return job.due_at
        case JobState.RUNNING:
            return job.lease_until
        case JobState.DEAD:
            return None


def _place_of(row: Unembedded) -> tuple[str, str, str, str]:
    return (row.scope.tenant, row.scope.user, row.kind, row.id)


# ── the two arms ──────────────────────────────────────────────────────────────────────────────────────────────────


def _search(
    shelf: _Shelf,
    kind: Kind,
    rows: Mapping[str, KnowledgeItem] | Mapping[str, Message],
    query: Query,
    terms: Mapping[str, Counter[str]],
) -> list[Candidate]:
    """The union of both arms' best among these rows, whose terms are given."""
    cosines = _cosines(shelf, kind, rows, query)
    indexed = [counted for (other, _), counted in shelf.terms.items() if other is kind]
    scores = _scores(indexed, terms, query.terms)
    by_keyword = _best(scores, query.limit)
    return [
        _candidate(
            rows[id],
            cosines.get(id),
            scores[id] if id in by_keyword else None,
            tuple(term for term in query.terms if term in terms[id]) if id in by_keyword else (),
        )
        for id in _best(cosines, query.limit) | by_keyword
    ]


def _candidate(
    row: KnowledgeItem | Message, cosine: float | None, bm25: float | None, terms: tuple[str, ...]
) -> Candidate:
    if isinstance(row, Message):
        return Candidate(row.id, cosine, bm25, terms, row.sent_at)
    moment = row.reinforced_at or row.held_from
    weighed = (row.weight, row.priority, row.accesses)
    return Candidate(row.id, cosine, bm25, terms, moment, *weighed)


def _best(scores: Mapping[str, float], limit: int) -> set[str]:
    return set(heapq.nsmallest(limit, scores, key=lambda id: (-scores[id], id)))


def _cosines(shelf: _Shelf, kind: Kind, ids: Iterable[str], query: Query) -> dict[str, float]:
    """The cosine of every row that has a vector of the query's model."""
    if query.vector is None or query.model is None:
        return {}
    import numpy as np  # slow to load, and a store without vectors does without

    vectors = {id: vector for id in ids if (vector := shelf.vectors.get((kind, id, query.model))) is not None}
    if not vectors:
        return {}
    matrix = np.frombuffer(b"".join(vectors.values()), dtype="<f4").reshape(len(vectors), -1)
    cosines = matrix @ np.frombuffer(query.vector, dtype="<f4")
    return dict(zip(vectors, cosines.tolist(), strict=True))


def _scores(
    indexed: Collection[Counter[str]], terms: Mapping[str, Counter[str]], asked: Sequence[str]
) -> dict[str, float]:
    """The BM25 score of every row that holds a term, by the statistics of all indexed rows of its kind."""
    documents = max(len(indexed), 1)
    average = sum(counted.total() for counted in indexed) / documents or 1.0
    idf = {term: inverse_document_frequency(documents, sum(term in counted for counted in indexed)) for term in asked}
    return {
        id: sum(bm25_term(idf[term], counted[term], counted.total(), average) for term in asked if term in counted)
        for id, counted in terms.items()
        if any(term in counted for term in asked)
    }


# ── leaving no trace ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class _Doomed:
    """The rows that are to go."""

    conversation: str | None = None
    messages: Collection[str] = ()
    notes: Collection[str] = ()
    items: Collection[str] = ()

    @property
    def ids(self) -> set[str]:
        """Those ids that no other row and no word can have; a conversation's own id is chosen by people."""
        return {*self.messages, *self.notes, *self.items}

    def owns(self, entry: AuditEntry) -> bool:
        """Whether the entry is about one of these."""
        match entry.target:
            case Target.ITEM:
                return entry.target_id in self.items
            case Target.NOTE:
                return entry.target_id in self.notes
            case Target.CONVERSATION:
                return entry.target_id == self.conversation


def _doomed_with(shelf: _Shelf, conversation: str) -> _Doomed:
    """A conversation, its messages, notes made of them, notes made of those, and items learnt from nothing else."""
    messages = {message.id for message in shelf.messages.values() if message.conversation == conversation}
    notes: set[str] = set()
    while more := {
        note.id
        for note in shelf.notes.values()
        if note.id not in notes and not (messages.isdisjoint(note.message_ids) and notes.isdisjoint(note.note_ids))
    }:
        notes |= more
    items = {item.id for item in shelf.items.values() if _learnt_only_from(item, messages, notes)}
    return _Doomed(conversation=conversation, messages=messages, notes=notes, items=items)


def _learnt_only_from(item: KnowledgeItem, messages: Collection[str], notes: Collection[str]) -> bool:
    """Whether it names where it came from, and all of that is among these."""
    learnt_here = item.note_id in notes or any(id in messages for id in item.message_ids)
    elsewhere = (item.note_id is not None and item.note_id not in notes) or any(
        id not in messages for id in item.message_ids
    )
    return learnt_here and not elsewhere


def _without(shelf: _Shelf, doomed: _Doomed) -> tuple[_Shelf, int]:
    """The shelf without these rows and what names or quotes them, and how many items that stay had done so."""
    ids, sources = doomed.ids, {*doomed.messages, *doomed.notes}
    own = [entry for entry in shelf.trail if doomed.owns(entry)]
    traces = Traces(ids, _words(shelf, doomed, own))
    items = {id: item_without(item, ids, sources, traces) for id, item in shelf.items.items() if id not in ids}
    named = ids if doomed.conversation is None else {*ids, doomed.conversation}
    jobs = {id: job for id, held in shelf.jobs.items() if (job := _job_without(held, named)) is not None}
    left = _Shelf(
        conversations={id: row for id, row in shelf.conversations.items() if id != doomed.conversation},
        messages={id: row for id, row in shelf.messages.items() if id not in ids},
        external={name: id for name, id in shelf.external.items() if id not in ids},
        notes={id: row for id, row in shelf.notes.items() if id not in ids},
        items=items,
        terms={key: terms for key, terms in shelf.terms.items() if key[1] not in ids},
        vectors={key: vector for key, vector in shelf.vectors.items() if key[1] not in ids},
        jobs=jobs,
    )
    changes = {entry.change for entry in own}
    unsourced = {id for id in items if loses_source(shelf.items[id], sources)}
    left.trail = [
        entry_without(entry, traces, still_said(left.row_of(entry)), changes=changes, unsourced=unsourced)
        for entry in shelf.trail
        if not doomed.owns(entry)
    ]
    return left, sum(item != shelf.items[id] for id, item in items.items())


def _words(shelf: _Shelf, doomed: _Doomed, own: Iterable[AuditEntry]) -> set[str]:
    """What the doomed rows say, and said earlier by their own entries."""
    found: set[str] = set()
    if doomed.conversation in shelf.conversations:
        found |= words_of(shelf.conversations[doomed.conversation])
    for message in _known(shelf.messages, doomed.messages):
        found |= words_of(message)
    for note in _known(shelf.notes, doomed.notes):
        found |= words_of(note)
    for item in _known(shelf.items, doomed.items):
        found |= words_of(item)
    for entry in own:
        found |= words_in(entry.before) | words_in(entry.after)
    return found


def _job_without(job: Job, ids: Collection[str]) -> Job | None:
    """The job for what is left of it; None when it was for these alone."""
    payload = Traces(ids).out_of(job.payload)
    if payload == job.payload:
        return job
    emptied = any(left in (None, []) and left != job.payload[name] for name, left in payload.items())
    return None if emptied else replace(job, payload=payload)


def _difference(before: _Shelf, after: _Shelf, *, pointers: int) -> Gone:
    def terms(shelf: _Shelf) -> int:
        return sum(len(counted) for counted in shelf.terms.values())

    return Gone(
        {
            "conversations": len(before.conversations) - len(after.conversations),
            "messages": len(before.messages) - len(after.messages),
            "notes": len(before.notes) - len(after.notes),
            "items": len(before.items) - len(after.items),
            "terms": terms(before) - terms(after),
            "vectors": len(before.vectors) - len(after.vectors),
            "audit": len(before.trail) - len(after.trail),
            "jobs": len(before.jobs) - len(after.jobs),
            "pointers": pointers,
        }
    )


# ── the copy ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _dump(shelf: _Shelf) -> dict[str, object]:
    return {
        "conversations": list(shelf.conversations.values()),
        "messages": list(shelf.messages.values()),
        "notes": list(shelf.notes.values()),
        "items": list(shelf.items.values()),
        "vectors": [(*key, vector) for key, vector in shelf.vectors.items()],
        "audit": shelf.trail,
        "jobs": list(shelf.jobs.values()),
    }


def _write_new(target: Path, content: bytes) -> int:
    try:
        with target.open("xb") as file:
            return file.write(content)
    except FileExistsError as exc:
        raise ConflictError(f"{target} exists already; name a new file for the backup") from exc
    except OSError as exc:
        raise StoreError(f"the backup could not be written to {target}: {exc.strerror}") from exc
