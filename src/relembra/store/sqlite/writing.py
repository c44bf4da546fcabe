"""Carrying out operations, inside the writer's transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

import apsw

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note, Role
from relembra.domain.scope import Scope, shelf_of
from relembra.domain.searchable import indexed_text, item_text, note_text
from relembra.errors import ConflictError, StaleError
from relembra.minds.port import Analyzer
from relembra.store import rows
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
from relembra.store.seen import UNSEEN, expect_stamp, is_known
from relembra.store.sqlite import accounting, buffering, doors, queue, records, runs, vectors
from relembra.store.sqlite.indexing import TABLES, add_terms, drop_terms, index_message
from relembra.store.sqlite.records import stale
from relembra.store.sqlite.stamps import stamp, stamps
from relembra.store.sqlite.statements import SQL, fetched, filled, first_value

_Name = tuple[str | None, Role]
"""An external id and a role."""

_KNOWN_MESSAGE = filled("message_by_external_id", columns=rows.MESSAGE_COLUMNS)
_CONVERSATION = filled("conversation", columns=rows.CONVERSATION_COLUMNS)
_ADD = {
    Kind.ITEM: filled("add_item", columns=rows.ITEM_COLUMNS),
    Kind.NOTE: filled("add_note", columns=rows.NOTE_COLUMNS),
}
_CHANGED = {
    Kind.ITEM: ("analyzer", "length", *rows.ITEM_COLUMNS.split(", ")),
    Kind.NOTE: ("analyzer", "length", *rows.NOTE_COLUMNS.split(", ")),
}
_STORED = {
    Kind.ITEM: filled("stored", columns=rows.ITEM_COLUMNS, table="item"),
    Kind.NOTE: filled("stored", columns=rows.NOTE_COLUMNS, table="note"),
}
_TOUCH = {kind: filled("touch", table=TABLES[kind]) for kind in (Kind.ITEM, Kind.NOTE)}
_RECORD = filled("record", columns=rows.AUDIT_COLUMNS)


def refuse_foreign(scope: Scope, ops: Sequence[Op]) -> None:
    """Refuse rows that belong to somebody else, before anything is written."""
    for op in ops:
        owner = scope
        match op:
            case PutMessage(row):
                owner = row.scope
            case BufferMessage():
                owner = op.message.scope
            case TouchConversation(row) | PutConversation(row, _):
                owner = row.scope
            case PutItem(row, _):
                owner = row.scope
            case PutNote(row, _):
                owner = row.scope
            case PutCase(row, _):
                owner = row.scope
            case PutView(row, _):
                owner = row.scope
            case PutRun(row, _):
                owner = row.scope
            case Record(row):
                owner = row.scope
            case Enqueue(row):
                owner = scope if row.scope.tenant == scope.tenant else row.scope
            case _:
                pass
        if owner != scope:
            raise ValueError(f"a row of {type(op).__name__} belongs to {owner}, not to {scope}")


def apply(db: apsw.Connection, scope: Scope, ops: Sequence[Op], analyzer: Analyzer) -> Receipt:
    """Carry out all operations in order; an error is for the caller to roll back."""
    for op in ops:
        if isinstance(op, ExpectOpen) and (shut := doors.closed(db, scope.tenant, op.people, op.space)):
            return Receipt(closed=shut[0].kind)
    known: list[Message] = []
    untaken: set[str] = set()  # messages put as new and in no buffer yet
    waiting = 0
    puts = [op.message for op in ops if isinstance(op, PutMessage)]
    names, spoken_in = _told_apart(db, scope, puts)
    puts_of_vectors = vectors.Puts(db, scope)
    seen: dict[Scope, bool] = {}  # whose rows are read otherwise from now on; True: also what is known
    for op in ops:
        match op:
            case PutMessage(message):
                held = _put_message(db, scope, message, names)
                if held is None:
                    untaken.add(message.id)
                    seen.setdefault(scope, False)
                else:
                    known.append(held)
            case BufferMessage():
                if op.message.id in untaken:
                    untaken.remove(op.message.id)
                    waiting = buffering.take(db, op)
                    seen.setdefault(shelf_of(scope, op.message.place), False)
            case TouchConversation(conversation):
                if not puts or conversation.id in spoken_in:
                    row = rows.conversation_row(conversation)
                    db.execute(SQL["touch_conversation"], (scope.tenant, scope.user, *row))
                    seen.setdefault(scope, False)
            case Enqueue(job):
                queue.enqueue(db, job)
            case PutConversation(conversation, expects):
                _put_conversation(db, scope, conversation, expects)
            case HideMessages(conversation_id, at):
                db.execute(SQL["hide_messages"], (rows.micros(at), scope.tenant, scope.user, conversation_id))
            case ShowMessages(conversation_id, hidden_at):
                db.execute(SQL["show_messages"], (scope.tenant, scope.user, conversation_id, rows.micros(hidden_at)))
            case ExpectOpen():
                pass  # looked at above
            case ExpectHeld():
                _expect_held(db, scope, op)
            case ExpectStamp(expected):
                expect_stamp(stamps(db, [scope])[0], expected)
            case PutItem(item, expects):
                _put_indexed(db, scope, Kind.ITEM, item, expects, analyzer)
            case PutNote(note, expects):
                _put_indexed(db, scope, Kind.NOTE, note, expects, analyzer)
            case PutVectors():
                puts_of_vectors.put(op)
            case IndexMessages(ids):
                for id in ids:
                    index_message(db, scope, id, analyzer)
            case TouchItems(ids, at):
                _touch(db, scope, Kind.ITEM, ids, at)
            case TouchNotes(ids, at):
                _touch(db, scope, Kind.NOTE, ids, at)
            case NameNote(ids, note_id):
                key = (rows.id_bytes(note_id), scope.tenant, scope.user)
                db.executemany(SQL["name_note"], [(*key, rows.known_id(id)) for id in ids])
            case Record(entry):
                db.execute(_RECORD, (scope.tenant, scope.user, *rows.audit_row(entry)))
            case ExpectJob(id):
                if not fetched(db, SQL["has_job"], (scope.tenant, scope.user, rows.known_id(id))):
                    raise ConflictError(f"job {id!r} is gone already")
            case FinishJob(id, may_be_gone):
                db.execute(SQL["finish_job"], (scope.tenant, scope.user, rows.known_id(id)))
                if not (db.changes() or may_be_gone):
                    raise ConflictError(f"job {id!r} is gone already")
            case CloseBuffer(id):
                if not buffering.close(db, scope, id):
                    continue  # it went with somebody forgotten, of whom not even a stamp is left
            case DropBuffer(id, noted):
                buffering.drop(db, scope, id, noted)
            case PutCase(case, expects):
                records.put_case(db, scope, case, expects)
            case PutView(view, expects):
                records.put_view(db, scope, view, expects)
            case CountUse():
                records.count_use(db, scope, op)
            case PutRun(run, expects):
                runs.put_run(db, scope, run, expects)
            case Due(change):
                accounting.due_change(db, scope, change)
            case Accounted():
                accounting.account(db, scope, op)
            case _:
                assert_never(op)
        if not isinstance(op, (*UNSEEN, PutMessage, BufferMessage, TouchConversation)):
            seen[scope] = seen.get(scope, False) or is_known(op)
    puts_of_vectors.finish()
    stamp(db, seen)
    return Receipt(tuple(known), waiting)


def _told_apart(db: apsw.Connection, scope: Scope, messages: Sequence[Message]) -> tuple[set[_Name], set[str]]:
    """The names among theirs that are taken already, and the conversations of messages that will be new."""
    taken: set[_Name] = set()
    coming: set[_Name] = set()
    spoken_in: set[str] = set()
    for message in messages:
        name = (message.external_id, message.role)
        if message.external_id is not None:
            if first_value(db, SQL["is_known_message"], (scope.tenant, scope.user, name[0], message.role.value)):
                taken.add(name)
            if name in taken or name in coming:
                continue
            coming.add(name)
        spoken_in.add(message.conversation)
    return taken, spoken_in


def _put_message(db: apsw.Connection, scope: Scope, message: Message, taken: set[_Name]) -> Message | None:
    """Append it; the one known under its external id comes back instead. `taken`: those names, kept up to date."""
    name = (message.external_id, message.role)
    if name in taken:
        found = fetched(db, _KNOWN_MESSAGE, (scope.tenant, scope.user, name[0], message.role.value))
        return rows.message_of(scope, found[0])
    if message.external_id is not None:
        taken.add(name)
    try:
        db.execute(SQL["put_message"], (scope.tenant, scope.user, *rows.message_row(message)))
    except apsw.ConstraintError as exc:
        raise ConflictError(f"message {message.id!r} is there already") from exc
    if message.role is Role.USER:
        accounting.due_message(db, scope, message.id)
    return None


def _put_conversation(db: apsw.Connection, scope: Scope, conversation: Conversation, expects: int | None) -> None:
    row = rows.conversation_row(conversation)
    if expects is None:
        db.execute(SQL["add_conversation"], (scope.tenant, scope.user, *row))
    else:
        key = (scope.tenant, scope.user, conversation.id, expects)
        db.execute(SQL["replace_conversation"], (*row[1:], *key))
    if not db.changes():
        held = fetched(db, _CONVERSATION, (scope.tenant, scope.user, conversation.id))
        raise stale("conversation", conversation.id, held[0][-1] if held else None, expects)


def _expect_held(db: apsw.Connection, scope: Scope, expected: ExpectHeld) -> None:
    about = (scope.tenant, scope.user, expected.subject, expected.attribute)
    held = {rows.id_text(id) for (id,) in fetched(db, SQL["held"], about)}
    if held != expected.ids:
        raise StaleError(f"{len(held ^ expected.ids)} items held of this attribute came or went: decide again")


def _put_indexed(
    db: apsw.Connection, scope: Scope, kind: Kind, row: KnowledgeItem | Note, expects: int | None, analyzer: Analyzer
) -> None:
    """Store an item or note with its terms. New words end the vectors of the old ones; being archived does not."""
    id = rows.id_bytes(row.id)
    values = rows.item_row(row) if isinstance(row, KnowledgeItem) else rows.note_row(row)
    words = indexed_text(row)
    key = (scope.tenant, scope.user, id)
    held = fetched(db, _STORED[kind], key)
    version = held[0][-1] if held else None
    if version != expects:
        raise stale(kind.value, row.id, version, expects)
    if not held:
        length = add_terms(db, scope, kind, id, Counter(analyzer.terms(words)))
        db.execute(_ADD[kind], (scope.tenant, scope.user, analyzer.version, length, *values))
        return
    held_analyzer, length, *columns = held[0]
    earlier = rows.item_of(scope, columns) if kind is Kind.ITEM else rows.note_of(scope, columns)
    held_words = indexed_text(earlier)
    if held_words != words or held_analyzer != analyzer.version:
        known_terms = set(analyzer.terms(held_words)) if held_analyzer == analyzer.version else None
        drop_terms(db, scope, kind, id, length, known_terms)
        length = add_terms(db, scope, kind, id, Counter(analyzer.terms(words)))
    if _text(earlier) != _text(row):
        vectors.drop(db, scope, kind, (id,))
    _change_row(db, kind, key, held[0], (analyzer.version, length, *values))


def _change_row(db: apsw.Connection, kind: Kind, key: rows.Row, before: rows.Row, after: rows.Row) -> None:
    """Write what is new in a row, and nothing else: an index none of whose columns is named stays untouched."""
    new = [(name, value) for name, was, value in zip(_CHANGED[kind], before, after, strict=True) if value != was]
    if new:
        changes = ", ".join(f"{name} = ?" for name, _ in new)
        db.execute(filled("change_row", table=TABLES[kind], changes=changes), (*(value for _, value in new), *key))


def _text(row: KnowledgeItem | Note) -> str:
    return item_text(row) if isinstance(row, KnowledgeItem) else note_text(row)


def _touch(db: apsw.Connection, scope: Scope, kind: Kind, ids: Sequence[str], at: datetime) -> None:
    touched = [raw for id in ids if (raw := rows.known_id(id)) is not None]
    key = (rows.micros(at), scope.tenant, scope.user)
    db.executemany(_TOUCH[kind], [(*key, raw) for raw in touched])
