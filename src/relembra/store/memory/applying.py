"""Carrying out operations on a draft of the shelves, which take the places of the old ones once all went well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from relembra.domain.case import Case
from relembra.domain.jobs import Job, JobState, joined
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.domain.scope import Scope, shelf_of
from relembra.domain.searchable import indexed_text, item_text, message_text, note_text
from relembra.errors import ConflictError, InvalidInputError
from relembra.minds.port import Analyzer, Vector
from relembra.store.memory.buffering import close_buffer, drop_buffer, take, waiting_in
from relembra.store.memory.choosing import known_rows
from relembra.store.memory.shelf import Shelf
from relembra.store.memory.writing import (
    count_use,
    expect_held,
    expect_version,
    idle_touches,
    put_message,
    put_run,
    refuse_foreign,
    set_hidden,
    touch_conversation,
)
from relembra.store.port import (
    Accounted,
    BufferMessage,
    CloseBuffer,
    CountUse,
    DropBuffer,
    Due,
    Enqueue,
    ExpectHeld,
    ExpectJob,
    ExpectOpen,
    ExpectStamp,
    FinishJob,
    HideMessages,
    IndexMessages,
    Kind,
    NameNote,
    Op,
    PutCase,
    PutConversation,
    PutItem,
    PutMessage,
    PutNote,
    PutRun,
    PutVectors,
    PutView,
    Receipt,
    Record,
    ShowMessages,
    TouchConversation,
    TouchItems,
    TouchNotes,
)
from relembra.store.seen import UNSEEN, is_known


class Draft:
    """Shelves as they will be; one is copied when it is first written to."""

    def __init__(self, shelves: Mapping[Scope, Shelf], analyzer: Analyzer, numbers: Iterator[int]) -> None:
        self._held = shelves
        self._analyzer = analyzer
        self._numbers = numbers  # of what is recorded; none comes twice
        self.changed: dict[Scope, Shelf] = {}
        self.seen: dict[Scope, bool] = {}  # whose rows are read otherwise from now on; True: also what is known

    def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        for op in ops:
            refuse_foreign(scope, op)
        shelf = self.shelf(scope)
        untouched = idle_touches(shelf, ops)
        known: list[Message] = []
        untaken: set[str] = set()  # messages put as new and in no buffer yet
        waiting = 0
        for op in ops:
            match op:
                case PutMessage(message):
                    held = put_message(shelf, message)
                    if held is None:
                        untaken.add(message.id)
                        self.seen.setdefault(scope, False)
                    else:
                        known.append(held)
                case BufferMessage():
                    if op.message.id in untaken:
                        untaken.remove(op.message.id)
                        waiting = self._take(op)
                        self.seen.setdefault(shelf_of(scope, op.message.place), False)
                case TouchConversation(conversation):
                    if op not in untouched:
                        touch_conversation(shelf, conversation)
                        self.seen.setdefault(scope, False)
                case _:
                    self._do(shelf, op)
                    gone = isinstance(op, CloseBuffer) and op.id not in shelf.buffers
                    if not gone and not isinstance(op, UNSEEN):
                        self.seen[scope] = self.seen.get(scope, False) or is_known(op)
        return Receipt(tuple(known), waiting)

    def shelf(self, scope: Scope) -> Shelf:
        if scope not in self.changed:
            self.changed[scope] = self._held[scope].copy() if scope in self._held else Shelf()
        return self.changed[scope]

    def _look(self, scope: Scope) -> Shelf:
        return self.changed.get(scope) or self._held.get(scope) or Shelf()

    def _do(self, shelf: Shelf, op: Op) -> None:
        match op:
            case PutMessage() | BufferMessage() | TouchConversation():
                raise AssertionError("these depend on what else is applied")
            case PutConversation(conversation, expects):
                expect_version(shelf.conversations.get(conversation.id), expects, "conversation", conversation.id)
                shelf.conversations[conversation.id] = conversation
            case HideMessages(conversation, at):
                set_hidden(shelf, conversation, was=None, becomes=at)
            case ShowMessages(conversation, hidden_at):
                set_hidden(shelf, conversation, was=hidden_at, becomes=None)
            case ExpectOpen() | ExpectStamp():
                pass  # the store looked before
            case ExpectHeld():
                expect_held(shelf, op)
            case PutItem(item, expects):
                expect_version(shelf.items.get(item.id), expects, "item", item.id)
                is_new = item_text(item) != item_text(shelf.items.get(item.id, item))
                shelf.items[item.id] = item
                self._index(shelf, Kind.ITEM, item, has_new_words=is_new)
            case PutNote(note, expects):
                expect_version(shelf.notes.get(note.id), expects, "note", note.id)
                is_new = note_text(note) != note_text(shelf.notes.get(note.id, note))
                shelf.notes[note.id] = note
                self._index(shelf, Kind.NOTE, note, has_new_words=is_new)
            case PutCase(case, expects):
                expect_version(shelf.cases.get(case.id), expects, "case", case.id)
                self._refuse_others_case(case)
                shelf.cases[case.id] = case
            case PutView(view, expects):
                expect_version(shelf.views.get(view.name), expects, "view", view.name)
                shelf.views[view.name] = view
            case PutVectors(kind, id, model, vectors):
                if shelf.holds(kind, id):
                    self._put_vectors(shelf, (kind, id, model), vectors)
            case IndexMessages(ids):
                for message in known_rows(shelf.messages, ids):
                    if (Kind.MESSAGE, message.id) not in shelf.terms:
                        shelf.terms[Kind.MESSAGE, message.id] = self._counted(message_text(message))
            case TouchItems(ids, at):
                for item in known_rows(shelf.items, ids):
                    shelf.items[item.id] = replace(item, accesses=item.accesses + 1, last_access=at)
            case TouchNotes(ids, at):
                for note in known_rows(shelf.notes, ids):
                    shelf.notes[note.id] = replace(note, accesses=note.accesses + 1, last_access=at)
            case NameNote(ids, note_id):
                for item in known_rows(shelf.items, ids):
                    shelf.items[item.id] = replace(item, note_id=item.note_id or note_id)
            case Record(entry):
                shelf.trail[next(self._numbers)] = entry
            case Enqueue(job):
                self._enqueue(job)
            case ExpectJob(id):
                if id not in shelf.jobs:
                    raise ConflictError(f"job {id!r} is gone already")
            case FinishJob(id, may_be_gone):
                if shelf.jobs.pop(id, None) is None and not may_be_gone:
                    raise ConflictError(f"job {id!r} is gone already")
            case CloseBuffer(id):
                close_buffer(shelf, id)
            case DropBuffer(id, noted):
                drop_buffer(shelf, id, noted)
            case CountUse():
                count_use(shelf, op)
            case PutRun(run, expects):
                put_run(shelf, run, expects)
            case Due(change):
                shelf.due_changes[change] = None
            case Accounted(messages, changes):
                shelf.due_messages.difference_update(messages)
                for change in changes:
                    shelf.due_changes.pop(change, None)
            case _:
                assert_never(op)

    def _take(self, op: BufferMessage) -> int:
        """Put a message into its buffer; how many of people's messages wait there now."""
        shelf = self.shelf(shelf_of(op.message.scope, op.message.place))
        buffer, job = take(shelf, op, self._look)
        if job is not None:
            self._enqueue(job)
        return waiting_in(self._look, buffer)

    def _enqueue(self, job: Job) -> None:
        """No two people's jobs have the same id. One with a key joins the one that waits already."""
        if job.key is not None:
            name = (JobState.WAITING, job.kind, job.key)
            jobs = self._look(job.scope).jobs.values()
            waiting = [held for held in jobs if (held.state, held.kind, held.key) == name]
            first = min(waiting, key=lambda held: (held.due_at, held.id), default=None)
            if first is not None and (both := joined(first, job)) is not None:
                self.shelf(job.scope).jobs[first.id] = both
                return
        if any(job.id in shelf.jobs for shelf in self._all().values()):
            raise ConflictError(f"job {job.id!r} is there already")
        self.shelf(job.scope).jobs[job.id] = job

    def _refuse_others_case(self, case: Case) -> None:
        """No two people's cases have the same id in a tenant, so that an answer may name the case alone."""
        for scope, shelf in self._all().items():
            if scope.tenant == case.scope.tenant and scope != case.scope and case.id in shelf.cases:
                raise ConflictError(f"case {case.id!r} is there already")

    def _all(self) -> Mapping[Scope, Shelf]:
        return {**self._held, **self.changed}

    def _index(self, shelf: Shelf, kind: Kind, row: KnowledgeItem | Note, *, has_new_words: bool) -> None:
        """Write a row's terms; new words end the vectors of the old ones, being archived does not."""
        shelf.terms[kind, row.id] = self._counted(indexed_text(row))
        if has_new_words:
            shelf.vectors = {key: vector for key, vector in shelf.vectors.items() if key[:2] != (kind, row.id)}

    def _put_vectors(self, shelf: Shelf, key: tuple[Kind, str, str], vectors: tuple[Vector, ...]) -> None:
        """Let these be the row's vectors of a model, all of whose vectors are of one length."""
        everybodys = (held for shelf in self._all().values() for held in shelf.vectors.items())
        others = next((held for (*_, model), held in everybodys if model == key[2]), ())
        lengths = {len(vector) for vector in (*others, *vectors)}
        if len(lengths) > 1:
            raise InvalidInputError(f"vectors of {key[2]} are of one length, not {sorted(lengths)} bytes")
        shelf.vectors.pop(key, None)
        if vectors:
            shelf.vectors[key] = vectors

    def _counted(self, text: str) -> Counter[str]:
        return Counter(self._analyzer.terms(text))
