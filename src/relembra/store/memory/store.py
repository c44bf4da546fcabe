"""A store in dictionaries: for tests, trials and short-lived programs, and the model the other adapters are held to.

Each person has a shelf. A write works on a copy of the shelf, which takes the shelf's place once all went well.
Every answer is computed by walking the shelf, so there is little here that can disagree with itself.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar, assert_never

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.jobs import Job, JobState
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note
from relembra.domain.scope import Scope
from relembra.domain.searchable import item_text, message_text, note_text
from relembra.errors import ConflictError, InvalidInputError, StoreError
from relembra.minds.port import Analyzer, Vector
from relembra.store.memory.choosing import due_at, is_wanted, is_wanted_message, known_rows, order_of, page_of, state_of
from relembra.store.memory.forgetting import Doomed, doomed_with, receipt_of, shelf_without
from relembra.store.memory.searching import search_shelf
from relembra.store.memory.shelf import Key, Shelf
from relembra.store.memory.writing import (
    add_new,
    expect_held,
    expect_version,
    idle_touches,
    put_message,
    refuse_foreign,
    set_hidden,
    touch_conversation,
)
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

Row = TypeVar("Row")

_UNIT_TOLERANCE = 1e-3


class InMemoryStore:
    """Keeps everything in this process, and nothing after it."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._shelves: dict[Scope, Shelf] = {}

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        for op in ops:
            refuse_foreign(scope, op)
        draft = self._shelf(scope).copy()
        untouched = idle_touches(draft, ops)
        known = [message for op in ops if op not in untouched and (message := self._do(draft, op)) is not None]
        self._keep(scope, draft)
        return Receipt(tuple(known))

    def _do(self, shelf: Shelf, op: Op) -> Message | None:
        """Carry out one operation on a draft; a message that was known already comes back."""
        match op:
            case PutMessage(message):
                return put_message(shelf, message)
            case TouchConversation(conversation):
                touch_conversation(shelf, conversation)
            case PutConversation(conversation, expects):
                expect_version(shelf.conversations.get(conversation.id), expects, "conversation", conversation.id)
                shelf.conversations[conversation.id] = conversation
            case HideMessages(conversation, at):
                set_hidden(shelf, conversation, was=None, becomes=at)
            case ShowMessages(conversation, hidden_at):
                set_hidden(shelf, conversation, was=hidden_at, becomes=None)
            case ExpectHeld():
                expect_held(shelf, op)
            case PutItem(item, expects):
                expect_version(shelf.items.get(item.id), expects, "item", item.id)
                held_text = item_text(shelf.items.get(item.id, item))
                shelf.items[item.id] = item
                self._index(shelf, Kind.ITEM, item.id, item_text(item), held_text)
            case PutNote(note, expects):
                expect_version(shelf.notes.get(note.id), expects, "note", note.id)
                held_text = note_text(shelf.notes.get(note.id, note))
                shelf.notes[note.id] = note
                self._index(shelf, Kind.NOTE, note.id, note_text(note), held_text)
            case PutVector(kind, id, model, vector):
                if shelf.holds(kind, id):
                    self._refuse_length(shelf, model, vector)
                    shelf.vectors[kind, id, model] = vector
            case IndexMessages(ids):
                for message in known_rows(shelf.messages, ids):
                    if (Kind.MESSAGE, message.id) not in shelf.terms:
                        shelf.terms[Kind.MESSAGE, message.id] = self._counted(message_text(message))
            case TouchItems(ids, at):
                for item in known_rows(shelf.items, ids):
                    shelf.items[item.id] = replace(item, accesses=item.accesses + 1, last_access=at)
            case Record(entry):
                shelf.trail.append(entry)
            case Enqueue(job):
                if any(job.id in other.jobs for other in self._shelves.values()):
                    raise ConflictError(f"job {job.id!r} is there already")
                add_new(shelf.jobs, job, "job")
            case FinishJob(id):
                if shelf.jobs.pop(id, None) is None:
                    raise ConflictError(f"job {id!r} is gone already")
            case _:
                assert_never(op)
        return None

    def _index(self, shelf: Shelf, kind: Kind, id: str, text: str, held_text: str) -> None:
        """Write a row's terms; new words end the vectors of the old ones."""
        shelf.terms[kind, id] = self._counted(text)
        if text != held_text:
            shelf.vectors = {key: vector for key, vector in shelf.vectors.items() if key[:2] != (kind, id)}

    def _refuse_length(self, shelf: Shelf, model: str, vector: Vector) -> None:
        """All vectors of a model are of one length."""
        for other in (shelf, *self._shelves.values()):
            for (_, _, name), held in other.vectors.items():
                if name == model:
                    if len(held) != len(vector):
                        raise InvalidInputError(f"vectors of {model} are {len(held)} bytes, not {len(vector)}")
                    return

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def items(self, scope: Scope, ids: Sequence[str]) -> list[KnowledgeItem]:
        return list(known_rows(self._shelf(scope).items, ids))

    async def messages(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        return list(known_rows(self._shelf(scope).messages, ids))

    async def notes(self, scope: Scope, ids: Sequence[str]) -> list[Note]:
        return list(known_rows(self._shelf(scope).notes, ids))

    async def conversation(self, scope: Scope, id: str) -> Conversation | None:
        return self._shelf(scope).conversations.get(id)

    async def item_ids(self, scope: Scope, fragment: str, *, limit: int = 2) -> list[str]:
        ids = sorted(self._shelf(scope).items)
        return [id for id in ids if id.startswith(fragment) or id.endswith(fragment)][:limit]

    async def page_items(
        self, scope: Scope, wanted: ItemFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[KnowledgeItem]:
        rows = [item for item in self._shelf(scope).items.values() if is_wanted(item, wanted)]
        return page_of(rows, lambda item: Cursor(item.created_at, item.id), after=after, limit=limit)

    async def page_messages(
        self, scope: Scope, wanted: MessageFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Message]:
        rows = [message for message in self._shelf(scope).messages.values() if is_wanted_message(message, wanted)]
        return page_of(rows, lambda message: Cursor(message.sent_at, message.id), after=after, limit=limit)

    async def page_conversations(
        self, scope: Scope, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Conversation]:
        rows = [row for row in self._shelf(scope).conversations.values() if row.deleted_at is None]
        return page_of(rows, lambda row: Cursor(row.updated_at, row.id), after=after, limit=limit)

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

    # ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────

    async def forget_item(self, scope: Scope, id: str) -> Gone:
        return self._forget(scope, Doomed(items={id} & self._shelf(scope).items.keys()))

    async def forget_conversation(self, scope: Scope, id: str) -> Gone:
        return self._forget(scope, doomed_with(self._shelf(scope), id))

    async def forget_person(self, scope: Scope) -> Gone:
        shelf = self._shelf(scope)
        self._shelves.pop(scope, None)
        return receipt_of(shelf, Shelf(), pointers=0)

    def _forget(self, scope: Scope, doomed: Doomed) -> Gone:
        shelf = self._shelf(scope)
        left, pointers = shelf_without(shelf, doomed)
        self._keep(scope, left)
        return receipt_of(shelf, left, pointers=pointers)

    # ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def claim(self, kinds: Sequence[str], *, now: datetime, lease: timedelta, limit: int) -> list[Job]:
        due = [job for job in self._all_jobs() if job.kind in kinds and (at := due_at(job)) is not None and at <= now]
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
        return min((at for job in self._all_jobs() if (at := due_at(job)) is not None), default=None)

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
        later = (row for row in rows if after is None or order_of(row) > order_of(after))
        return heapq.nsmallest(limit, later, key=order_of)

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

    def _problems(self, shelf: Shelf, rows: Mapping[Key, str]) -> Iterator[str]:
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
            items=dict(Counter(state_of(item) for item in items)),
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
