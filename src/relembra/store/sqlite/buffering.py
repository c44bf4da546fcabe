"""Buffers of messages that wait to be noted: taking in, closing, dropping, reading."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import apsw

from relembra.domain.message import Role
from relembra.domain.scope import Scope, shelf_of
from relembra.errors import ConflictError, StaleError
from relembra.store import rows
from relembra.store.buffers import flush_of, is_over, opened
from relembra.store.port import Buffer, BufferMessage
from relembra.store.sqlite.statements import SQL, fetched, filled, first_value

_OPEN = filled("open_buffer", columns=rows.BUFFER_COLUMNS)
_ADD = filled("add_buffer", columns=rows.BUFFER_COLUMNS)
_ENQUEUE = filled("enqueue", columns=rows.JOB_COLUMNS)
_BUFFER = filled("buffer", columns=rows.BUFFER_COLUMNS)
_BUFFERS = filled("buffers", columns=rows.BUFFER_COLUMNS)


def take(db: apsw.Connection, op: BufferMessage) -> int:
    """Put a message into the open buffer of its conversation; how many messages of people wait there now."""
    message = op.message
    shelf = shelf_of(message.scope, message.place)
    buffer = _open_buffer(db, shelf, op)
    if buffer is not None and is_over(buffer, op):
        close(db, shelf, buffer.id)
        _set_due(db, buffer, op.now)
        buffer = None
    if buffer is None:
        buffer = opened(op)
        _add(db, buffer, op)
    else:
        _set_due(db, buffer, op.now + op.quiet)
    key = (shelf.tenant, shelf.user, rows.id_bytes(buffer.id))
    sent_at, is_asking = rows.micros(message.sent_at), int(message.role is Role.USER)
    db.execute(SQL["buffer_takes"], (sent_at, *key))
    db.execute(SQL["take_message"], (*key, sent_at, rows.id_bytes(message.id), message.scope.user, is_asking))
    return int(first_value(db, SQL["count_waiting"], key))


def close(db: apsw.Connection, scope: Scope, id: str) -> bool:
    """Whether there is such a buffer, which then takes no more."""
    db.execute(SQL["close_buffer"], (scope.tenant, scope.user, rows.known_id(id)))
    return bool(db.changes())


def drop(db: apsw.Connection, scope: Scope, id: str, noted: frozenset[str] | None) -> None:
    """Take a buffer away; only while it holds just what was noted, where that is told."""
    held = read(db, scope, id)
    if held is None:
        raise ConflictError(f"buffer {id!r} is gone already")
    if noted is not None and noted != {message for _, message in held.messages}:
        raise StaleError(f"buffer {id!r} holds other messages than those noted: read it again")
    key = (scope.tenant, scope.user, rows.known_id(id))
    db.execute(SQL["drop_buffered"], key)
    db.execute(filled("drop_row", table="buffer"), key)


def take_out(db: apsw.Connection, scope: Scope, messages: Collection[str]) -> int:
    """Take a person's messages out of all buffers; one left without any goes with its job, and how many jobs did."""
    ids = tuple(rows.id_bytes(id) for id in sorted(messages))
    if not ids:
        return 0
    key = (scope.tenant, scope.user, apsw.carray(ids))
    dropped = 0
    touched = fetched(db, SQL["buffers_of_messages"], key)
    db.execute(SQL["take_out_messages"], key)
    for owner, buffer in touched:
        db.execute(SQL["drop_empty_buffer"], (scope.tenant, owner, buffer))
        if db.changes():
            db.execute(SQL["finish_job"], (scope.tenant, owner, buffer))
            dropped += db.changes()
    return dropped


def read(db: apsw.Connection, scope: Scope, id: str) -> Buffer | None:
    for row in fetched(db, _BUFFER, (scope.tenant, scope.user, rows.known_id(id))):
        return _whole(db, scope, row)
    return None


def read_all(db: apsw.Connection, scope: Scope) -> list[Buffer]:
    return [_whole(db, scope, row) for row in fetched(db, _BUFFERS, (scope.tenant, scope.user))]


def _whole(db: apsw.Connection, scope: Scope, row: rows.Row) -> Buffer:
    return rows.buffer_of(scope, row, db.execute(SQL["buffered"], (scope.tenant, scope.user, row[0])))


def _open_buffer(db: apsw.Connection, shelf: Scope, op: BufferMessage) -> Buffer | None:
    """Without its messages, which would have to be read at every save."""
    for row in fetched(db, _OPEN, (shelf.tenant, shelf.user, op.message.place.channel, op.message.conversation)):
        return rows.buffer_of(shelf, row)
    return None


def _add(db: apsw.Connection, buffer: Buffer, op: BufferMessage) -> None:
    owner = (buffer.scope.tenant, buffer.scope.user)
    try:
        db.execute(_ADD, (*owner, *rows.buffer_row(buffer)))
        db.execute(_ENQUEUE, (*owner, *rows.job_row(flush_of(buffer, op))))
    except apsw.ConstraintError as exc:
        raise ConflictError(f"buffer {buffer.id!r} or its job is there already") from exc


def _set_due(db: apsw.Connection, buffer: Buffer, at: datetime) -> None:
    """Move a buffer's flush, if it still waits."""
    db.execute(SQL["flush_due"], (rows.micros(at), buffer.scope.tenant, buffer.scope.user, rows.id_bytes(buffer.id)))
