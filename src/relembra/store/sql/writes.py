"""Carrying out operations, inside the writer's transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import astuple
from itertools import count
from typing import Any, assert_never

from relembra.domain.case import Case
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.scope import Scope, shelf_of
from relembra.domain.searchable import indexed_text, item_text, note_text
from relembra.errors import ConflictError, StaleError
from relembra.minds.port import Analyzer
from relembra.store import port, rows
from relembra.store.sql import Session, inserting, queue, stamp, stamps, text_of, vectors
from relembra.store.sql.reads import values
from relembra.store.sql.search import add_terms, drop_terms, index_message

_TOUCH_CONVERSATION = f"{inserting(rows.CONVERSATIONS)} {text_of('or_touch')}"


def refuse_foreign(scope: Scope, ops: Sequence[port.Op]) -> None:
    """Refuse rows of another scope, before anything is written."""
    for op in ops:
        match op:
            case port.Put(row) | port.PutMessage(row) | port.Record(row) | port.TouchConversation(row):
                owner = row.scope
            case port.Enqueue(job):
                owner = scope if job.scope.tenant == scope.tenant else job.scope
            case _:
                owner = scope
        if owner != scope:
            raise ValueError(f"a row of {type(op).__name__} belongs to {owner}, not to {scope}")


def scopes_of(scope: Scope, ops: Sequence[port.Op]) -> set[Scope]:
    """Whose rows operations write: the scope's, the shelf's a message waits on, and whoever gets a job."""
    written = {scope}
    for op in ops:
        match op:
            case port.PutMessage(message, port.InBuffer()):
                written.add(shelf_of(scope, message.place))
            case port.Enqueue(job):
                written.add(job.scope)
    return written


def apply(db: Session, scope: Scope, ops: Sequence[port.Op], analyzer: Analyzer) -> port.Receipt:
    """Carry out all operations in order; an error is for the caller to roll back."""
    for op in ops:
        if isinstance(op, port.Expect) and (shut := queue.blocks(db, scope.tenant, people=op.people, space=op.space)):
            return port.Receipt(blocked=shut[0].kind)
    waiting = 0
    puts = [op.message for op in ops if isinstance(op, port.PutMessage)]
    known = _known(db, scope, puts)
    spoken_in = {message.conversation for place, message in enumerate(puts) if place not in known}
    places = count()
    seen: dict[Scope, bool] = {}  # whose rows are read otherwise from now on; True: also what is known
    for op in ops:
        match op:
            case port.PutMessage(message, buffer):
                if next(places) in known:
                    continue
                taken = f"message {message.id!r} is there already"
                db.add(inserting(rows.MESSAGES), scope, *rows.MESSAGES.row(message), taken=taken)
                if message.role is Role.USER:
                    db.run("is_due", scope, queue.MESSAGE, rows.id_bytes(message.id))
                seen.setdefault(scope, False)
                if buffer is not None:
                    waiting = queue.buffer_message(db, message, buffer)
                    seen.setdefault(shelf_of(scope, message.place), False)
            case port.TouchConversation(conversation):
                if not puts or conversation.id in spoken_in:
                    db.run(_TOUCH_CONVERSATION, scope, *rows.CONVERSATIONS.row(conversation))
                    seen.setdefault(scope, False)
            case port.Put(row, expects):
                if isinstance(row, KnowledgeItem | Note):
                    _put_indexed(db, scope, row, expects, analyzer)
                else:
                    _put(db, scope, row, expects)
            case port.HideMessages(conversation_id, at, undo):
                db.run("show_messages" if undo else "hide_messages", at, scope, conversation_id)
            case port.PutVectors():
                vectors.put(db, scope, op)
            case port.IndexMessages(ids):
                for id in ids:
                    index_message(db, scope, id, analyzer)
            case port.Touch(kind, ids, at):
                db.many("touch", [(at, scope, rows.known_id(id)) for id in ids], table=rows.SEARCHED[kind])
            case port.NameNote(ids, note_id):
                db.many("name_note", [(rows.id_bytes(note_id), scope, rows.known_id(id)) for id in ids])
            case port.Record(entry):
                db.run("record", scope, *rows.ENTRIES.row(entry))
            case port.Enqueue(job):
                queue.enqueue(db, job)
            case port.FinishJob(id, may_be_gone):
                if not db.run("finish_job", scope, rows.known_id(id)) and not may_be_gone:
                    raise ConflictError(f"job {id!r} is gone already", "done")
            case port.EndBuffer(id, drop, noted):
                if drop:
                    queue.drop_buffer(db, scope, id, noted)
                elif not db.run("close_buffer", scope, rows.known_id(id)):
                    continue  # it went with a person forgotten, of whom not even a stamp is left
            case port.CountUse(use):
                db.run("count_use", scope, use.day.isoformat(), *astuple(use)[1:])
            case port.Account():
                queue.account(db, scope, op)
            case port.Expect():  # people and spaces were looked at before anything else
                if op.stamp is not None and stamps(db, [scope])[0] != op.stamp:
                    raise StaleError("something of this scope changed or was forgotten meanwhile: read it again")
                if op.job is not None and not db.first("has_job", scope, rows.known_id(op.job)):
                    raise ConflictError(f"job {op.job!r} is gone already", "done")
                if op.held is not None:
                    subject, attribute, expected = op.held
                    found = {rows.id_text(id) for (id,) in db.rows("held", scope, subject, attribute)}
                    if found != expected:
                        raise StaleError(
                            f"{len(found ^ expected)} items held of this attribute came or went: decide again"
                        )
            case _:
                assert_never(op)
        match op:
            case port.Put(row=Note() as note):  # a working summary retells what was said; any other tells what is known
                seen[scope] = seen.get(scope, False) or note.kind is not NoteKind.SESSION
            case port.NameNote() | port.Put(row=KnowledgeItem() | Case()):
                seen[scope] = True
            case port.Put(row=Conversation() | port.View()) | port.HideMessages() | port.Record() | port.EndBuffer():
                seen.setdefault(scope, False)
    stamp(db, seen)
    return port.Receipt(tuple(known.values()), waiting)


def _known(db: Session, scope: Scope, messages: Sequence[Message]) -> dict[int, Message]:
    """Those saved before under their external id and role, or earlier among these, by place: as they are stored."""
    known: dict[int, Message] = {}
    first: dict[tuple[str, str], Message] = {}
    for place, message in enumerate(messages):
        if message.external_id is None:
            continue
        name = (message.external_id, message.role.value)
        if name not in first:
            held = values(db, rows.MESSAGES, scope, "message_by_external_id", *name)
            first[name] = held[0] if held else message
        if first[name] is not message:
            known[place] = first[name]
    return known


def _put(db: Session, scope: Scope, row: Any, expects: int | None) -> None:
    """Store a row in the place of the one before."""
    table = rows.TABLES[type(row)]
    values = table.row(row)
    version = db.first("version", scope, values[table.names.index(table.key)], table=table)
    if version != expects:
        raise _stale(table.label, getattr(row, table.key), version, expects)
    taken = f"there is a {table.label} of that id, or for that night, already"
    db.add(inserting(table, replaces=True), scope, *values, taken=taken)


def _stale(what: str, id: str, version: int | None, expects: int | None) -> StaleError:
    return StaleError(f"{what} {id!r} is at version {version}, not {expects}: read it and decide again")


def _put_indexed(db: Session, scope: Scope, row: KnowledgeItem | Note, expects: int | None, analyzer: Analyzer) -> None:
    """Store an item or note with its terms. New words end the vectors of the old ones; being archived does not."""
    kind = port.Kind.ITEM if isinstance(row, KnowledgeItem) else port.Kind.NOTE
    table, id, words = rows.SEARCHED[kind], rows.id_bytes(row.id), indexed_text(row)
    held = db.rows("stored", scope, id, table=table)
    version = held[0][-1] if held else None
    if version != expects:
        raise _stale(kind.value, row.id, version, expects)
    if not held:
        length = add_terms(db, scope, kind, id, Counter(analyzer.terms(words)))
        db.run(inserting(table, "analyzer", "length"), scope, analyzer.version, length, *table.row(row))
        return
    held_analyzer, length, *columns = held[0]
    earlier: KnowledgeItem | Note = table.of(scope, columns)
    held_words = indexed_text(earlier)
    if held_words != words or held_analyzer != analyzer.version:
        known_terms = set(analyzer.terms(held_words)) if held_analyzer == analyzer.version else None
        drop_terms(db, scope, kind, id, length, known_terms)
        length = add_terms(db, scope, kind, id, Counter(analyzer.terms(words)))
    text: Callable[[Any], str] = item_text if kind is port.Kind.ITEM else note_text
    if text(earlier) != text(row):
        vectors.drop(db, scope, kind, (id,))
    # Only what is new is written: an index none of whose columns is named stays untouched.
    after = (analyzer.version, length, *table.row(row))
    names = ("analyzer", "length", *table.names)
    new = {name: value for name, was, value in zip(names, held[0], after, strict=True) if value != was}
    if new:
        db.run("change_row", *new.values(), scope, id, table=table, changes=", ".join(f"{name} = ?" for name in new))
