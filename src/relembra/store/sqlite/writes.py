"""Carrying out operations, inside the writer's transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC
from typing import Any, assert_never

import apsw

from relembra.domain.case import Case
from relembra.domain.jobs import Run
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note, NoteKind, Role
from relembra.domain.scope import Scope, shelf_of
from relembra.domain.searchable import indexed_text, item_text, note_text
from relembra.errors import ConflictError, StaleError
from relembra.minds.port import Analyzer
from relembra.store import rows
from relembra.store.port import (
    Account,
    BufferMessage,
    CloseBuffer,
    CountUse,
    DropBuffer,
    Enqueue,
    Expect,
    ExpectHeld,
    FinishJob,
    HideMessages,
    IndexMessages,
    Kind,
    NameNote,
    Op,
    Put,
    PutMessage,
    PutVectors,
    Receipt,
    Record,
    Touch,
    TouchConversation,
)
from relembra.store.sqlite import access, jobs, vectors
from relembra.store.sqlite.connection import SQL, fetched, filled, first_value, inserting, stamp, stamps
from relembra.store.sqlite.search import add_terms, drop_terms, index_message

_Name = tuple[str | None, Role]
"""An external id and a role."""

_KNOWN_MESSAGE = filled("message_by_external_id", columns=rows.MESSAGES.columns)
_TOUCH_CONVERSATION = inserting(rows.CONVERSATIONS) + " " + SQL["or_touch"]
_PUT_MESSAGE = inserting(rows.MESSAGES)
_RECORD = filled("record", columns=rows.ENTRIES.columns)
_UNSEEN = (PutVectors, IndexMessages, Touch, CountUse, Enqueue, FinishJob, ExpectHeld, Expect, Account)
"""Operations that leave every answer as it was, but for scores and counters."""
_SAID = (PutMessage, BufferMessage, TouchConversation)
"""Operations that say themselves what they change."""


def refuse_foreign(scope: Scope, ops: Sequence[Op]) -> None:
    """Refuse rows that belong to somebody else, before anything is written."""
    for op in ops:
        match op:
            case Put(row=row) | PutMessage(message=row) | BufferMessage(message=row) | Record(entry=row):
                owner = row.scope
            case TouchConversation(row):
                owner = row.scope
            case Enqueue(job):
                owner = scope if job.scope.tenant == scope.tenant else job.scope
            case _:
                owner = scope
        if owner != scope:
            raise ValueError(f"a row of {type(op).__name__} belongs to {owner}, not to {scope}")


def apply(db: apsw.Connection, scope: Scope, ops: Sequence[Op], analyzer: Analyzer) -> Receipt:
    """Carry out all operations in order; an error is for the caller to roll back."""
    for op in ops:
        if isinstance(op, Expect) and (shut := access.blocked(db, scope.tenant, people=op.people, space=op.space)):
            return Receipt(blocked=shut[0].kind)
    person = (scope.tenant, scope.user)
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
                    waiting = jobs.buffer_message(db, op)
                    seen.setdefault(shelf_of(scope, op.message.place), False)
            case TouchConversation(conversation):
                if not puts or conversation.id in spoken_in:
                    db.execute(_TOUCH_CONVERSATION, (*person, *rows.CONVERSATIONS.row(conversation)))
                    seen.setdefault(scope, False)
            case Put(row, expects):
                if isinstance(row, KnowledgeItem | Note):
                    _put_indexed(db, scope, row, expects, analyzer)
                else:
                    _put(db, scope, row, expects)
            case HideMessages(conversation_id, at, undo):
                statement = SQL["show_messages" if undo else "hide_messages"]
                db.execute(statement, (rows.micros(at), *person, conversation_id))
            case PutVectors():
                puts_of_vectors.put(op)
            case IndexMessages(ids):
                for id in ids:
                    index_message(db, scope, id, analyzer)
            case Touch(kind, ids, at):
                statement = filled("touch", table=rows.SEARCHED[kind].name)
                db.executemany(statement, [(rows.micros(at), *person, rows.known_id(id)) for id in ids])
            case NameNote(ids, note_id):
                key = (rows.id_bytes(note_id), *person)
                db.executemany(SQL["name_note"], [(*key, rows.known_id(id)) for id in ids])
            case Record(entry):
                db.execute(_RECORD, (*person, *rows.ENTRIES.row(entry)))
            case Enqueue(job):
                jobs.enqueue(db, job)
            case FinishJob(id, may_be_gone):
                db.execute(SQL["finish_job"], (*person, rows.known_id(id)))
                if not (db.changes() or may_be_gone):
                    raise ConflictError(f"job {id!r} is gone already")
            case CloseBuffer(id):
                if not jobs.close_buffer(db, scope, id):
                    continue  # it went with somebody forgotten, of whom not even a stamp is left
            case DropBuffer(id, noted):
                jobs.drop_buffer(db, scope, id, noted)
            case CountUse():
                day = op.at.astimezone(UTC).date().isoformat()
                asked = (op.calls, op.input_tokens, op.output_tokens)
                db.execute(SQL["count_use"], (*person, day, op.task, op.model, *asked))
            case Account():
                jobs.account(db, scope, op)
            case ExpectHeld():
                _expect_held(db, scope, op)
            case Expect():
                _expect(db, scope, op)
            case _:
                assert_never(op)
        if not isinstance(op, (*_UNSEEN, *_SAID)) and not (isinstance(op, Put) and isinstance(op.row, Run)):
            seen[scope] = seen.get(scope, False) or _is_known(op)
    puts_of_vectors.finish()
    stamp(db, seen)
    return Receipt(tuple(known), waiting)


def _is_known(op: Op) -> bool:
    """Whether an operation changes what is known, and not only what was said; a working summary retells what was."""
    match op:
        case Put(KnowledgeItem() | Case(), _) | NameNote():
            return True
        case Put(Note() as note, _):
            return note.kind is not NoteKind.SESSION
        case _:
            return False


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
        return rows.MESSAGES.of(scope, found[0])
    if message.external_id is not None:
        taken.add(name)
    try:
        db.execute(_PUT_MESSAGE, (scope.tenant, scope.user, *rows.MESSAGES.row(message)))
    except apsw.ConstraintError as exc:
        raise ConflictError(f"message {message.id!r} is there already") from exc
    if message.role is Role.USER:
        jobs.message_due(db, scope, message.id)
    return None


def _put(db: apsw.Connection, scope: Scope, row: Any, expects: int | None) -> None:
    """Store a row in the place of the one before."""
    table = rows.TABLES[type(row)]
    values = table.row(row)
    key = values[table.names.index(table.key)]
    person = (scope.tenant, scope.user)
    version = first_value(db, filled("version", table=table.name, key=table.key), (*person, key))
    if version != expects:
        raise _stale(table.label, getattr(row, table.key), version, expects)
    try:
        db.execute(inserting(table, replaces=True), (*person, *values))
    except apsw.ConstraintError as exc:
        raise ConflictError(f"there is a {table.label} of that id, or for that night, already") from exc


def _stale(what: str, id: str, version: int | None, expects: int | None) -> StaleError:
    return StaleError(f"{what} {id!r} is at version {version}, not {expects}: read it and decide again")


def _expect(db: apsw.Connection, scope: Scope, expected: Expect) -> None:
    """People and spaces were looked at before anything else."""
    if expected.stamp is not None and stamps(db, [scope])[0] != expected.stamp:
        raise StaleError("something of this scope changed or was forgotten meanwhile: read it again")
    if expected.job is not None and not first_value(
        db, SQL["has_job"], (scope.tenant, scope.user, rows.known_id(expected.job))
    ):
        raise ConflictError(f"job {expected.job!r} is gone already")


def _expect_held(db: apsw.Connection, scope: Scope, expected: ExpectHeld) -> None:
    about = (scope.tenant, scope.user, expected.subject, expected.attribute)
    held = {rows.id_text(id) for (id,) in fetched(db, SQL["held"], about)}
    if held != expected.ids:
        raise StaleError(f"{len(held ^ expected.ids)} items held of this attribute came or went: decide again")


def _put_indexed(
    db: apsw.Connection, scope: Scope, row: KnowledgeItem | Note, expects: int | None, analyzer: Analyzer
) -> None:
    """Store an item or note with its terms. New words end the vectors of the old ones; being archived does not."""
    kind = Kind.ITEM if isinstance(row, KnowledgeItem) else Kind.NOTE
    table, id, words = rows.SEARCHED[kind], rows.id_bytes(row.id), indexed_text(row)
    key = (scope.tenant, scope.user, id)
    held = fetched(db, filled("stored", table=table.name, columns=table.columns), key)
    version = held[0][-1] if held else None
    if version != expects:
        raise _stale(kind.value, row.id, version, expects)
    if not held:
        length = add_terms(db, scope, kind, id, Counter(analyzer.terms(words)))
        statement = inserting(table, "analyzer", "length")
        db.execute(statement, (scope.tenant, scope.user, analyzer.version, length, *table.row(row)))
        return
    held_analyzer, length, *columns = held[0]
    earlier: KnowledgeItem | Note = table.of(scope, columns)
    held_words = indexed_text(earlier)
    if held_words != words or held_analyzer != analyzer.version:
        known_terms = set(analyzer.terms(held_words)) if held_analyzer == analyzer.version else None
        drop_terms(db, scope, kind, id, length, known_terms)
        length = add_terms(db, scope, kind, id, Counter(analyzer.terms(words)))
    if _text(earlier) != _text(row):
        vectors.drop(db, scope, kind, (id,))
    # Only what is new is written: an index none of whose columns is named stays untouched.
    after = (analyzer.version, length, *table.row(row))
    names = ("analyzer", "length", *table.names)
    new = {name: value for name, was, value in zip(names, held[0], after, strict=True) if value != was}
    if new:
        changes = ", ".join(f"{name} = ?" for name in new)
        db.execute(filled("change_row", table=table.name, changes=changes), (*new.values(), *key))


def _text(row: KnowledgeItem | Note) -> str:
    return item_text(row) if isinstance(row, KnowledgeItem) else note_text(row)
