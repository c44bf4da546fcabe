"""What waits to be done: the durable queue, buffers of messages to be noted, and what the night has to account for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import apsw

from relembra.domain.jobs import FLUSH, Job, JobState, joined
from relembra.domain.message import Role
from relembra.domain.scope import Scope, shelf_of
from relembra.errors import ConflictError, StaleError
from relembra.store import rows
from relembra.store.port import Account, Buffer, BufferMessage, Unaccounted
from relembra.store.sqlite.connection import SQL, fetched, filled, first_value, inserting
from relembra.store.sqlite.reads import find

_COLUMNS = f"tenant, owner, {rows.JOBS.columns}"
_ENQUEUE = inserting(rows.JOBS)
_OPEN_BUFFER = filled("open_buffer", columns=rows.BUFFERS.columns)
_CLAIM = filled("claim", columns=_COLUMNS)
_JOB = filled("job", columns=_COLUMNS)
_WAITING = filled("waiting_job", columns=_COLUMNS)


def enqueue(db: apsw.Connection, job: Job) -> None:
    """Leave a job; one with a key joins the one of its kind and key that waits already, where that takes it in."""
    owner = (job.scope.tenant, job.scope.user)
    if job.key is not None:
        for row in fetched(db, _WAITING, (*owner, job.kind, job.key)):
            waiting = _job(row)
            if (both := joined(waiting, job)) is not None:
                if both != waiting:
                    changed = (rows.micros(both.due_at), rows.to_json(both.payload), both.key)
                    db.execute(SQL["join_job"], (*changed, rows.id_bytes(both.id)))
                return
    add(db, job)


def add(db: apsw.Connection, job: Job) -> None:
    """Leave a job, whatever waits already."""
    try:
        db.execute(_ENQUEUE, (job.scope.tenant, job.scope.user, *rows.JOBS.row(job)))
    except apsw.ConstraintError as exc:
        raise ConflictError(f"job {job.id!r} is there already") from exc


def claim(
    db: apsw.Connection,
    kinds: Sequence[str],
    *,
    now: datetime,
    lease: timedelta,
    limit: int,
    one_a_scope: bool = False,
    after: Sequence[str] = (),
    scopes: Sequence[Scope] = (),
) -> list[Job]:
    """Take due jobs, oldest due first; within the writer's transaction no two claimers get the same."""
    kinds = tuple(dict.fromkeys(kinds))
    if not kinds or limit <= 0:
        return []
    ids = _due(db, kinds, now, limit, one_a_scope=one_a_scope, after=after, scopes=scopes)
    if not ids:
        return []
    taken = [_job(row) for row in db.execute(_CLAIM, (rows.micros(now + lease), apsw.carray(ids)))]
    return sorted(taken, key=lambda job: (job.due_at, job.id))


def _due(
    db: apsw.Connection,
    kinds: Sequence[str],
    now: datetime,
    limit: int,
    *,
    one_a_scope: bool,
    after: Sequence[str],
    scopes: Sequence[Scope],
) -> tuple[bytes, ...]:
    """Ids of due jobs; every kind's come in order from the index, so that no more are read than are taken."""
    values: list[Any] = [rows.micros(now)]

    def named(value: str) -> str:
        values.append(value)
        return f"?{len(values)}"

    names = [named(kind) for kind in kinds]
    free = filled("free", kinds=", ".join(names)) if one_a_scope else ""
    if after:
        free += filled("first_done", kinds=", ".join(named(kind) for kind in after))
    parts = [filled("due_of_kind", kind=name, free=free) for name in names]
    if scopes:
        owners = [(named(scope.tenant), named(scope.user)) for scope in scopes]
        parts = [
            filled("due_of_scope", tenant=tenant, owner=owner, kind=name, free=free)
            for name in names
            for tenant, owner in owners
        ]
    statement = f"{' UNION ALL '.join(parts)} ORDER BY due_at, id"
    found: list[bytes] = []
    seen: set[tuple[str, str]] = set()
    for _, id, tenant, owner in db.execute(statement, values):
        if one_a_scope and (tenant, owner) in seen:
            continue
        seen.add((tenant, owner))
        found.append(id)
        if len(found) == limit:
            break
    return tuple(found)


def give_back(
    db: apsw.Connection,
    claims: Mapping[str, int],
    *,
    error: str | None = None,
    due_at: datetime | None = None,
    is_dead: bool = False,
    is_counted: bool = False,
) -> None:
    """Undo claims; a job that is gone, or claimed by nobody or another, stays as it is."""
    state = JobState.DEAD if is_dead else JobState.WAITING
    values = (state.value, None if due_at is None else rows.micros(due_at), error, 0 if is_counted else 1)
    db.executemany(SQL["give_back_job"], [(*values, rows.known_id(id), claim) for id, claim in claims.items()])


def free_all(db: apsw.Connection) -> None:
    """Take every claim back, for whoever made it is gone; its try still counts."""
    db.execute(SQL["free_jobs"])


def jobs(
    db: apsw.Connection,
    *,
    state: JobState | None = None,
    scope: Scope | None = None,
    tenant: str | None = None,
    kinds: Sequence[str] = (),
    limit: int = 100,
) -> list[Job]:
    wanted: list[str] = []
    values: list[Any] = []
    if state is not None:
        wanted.append("state = ?")
        values.append(state.value)
    if scope is not None:
        wanted.append("tenant = ? AND owner = ?")
        values += [scope.tenant, scope.user]
    if tenant is not None:
        wanted.append("tenant = ?")
        values.append(tenant)
    if kinds:
        wanted.append("kind IN carray(?)")
        values.append(apsw.carray(tuple(kinds)))
    where = f"WHERE {' AND '.join(wanted)}" if wanted else ""
    statement = filled("jobs", columns=_COLUMNS, wanted=where)
    return [_job(row) for row in db.execute(statement, (*values, max(0, limit)))]


def job(db: apsw.Connection, id: str) -> Job | None:
    for row in fetched(db, _JOB, (rows.known_id(id),)):
        return _job(row)
    return None


def cancel(db: apsw.Connection, id: str) -> bool:
    """Remove a job nobody works on; whether there was one."""
    raw = rows.known_id(id)
    db.execute(SQL["cancel_job"], (raw,))
    if db.changes():
        return True
    if fetched(db, _JOB, (raw,)):
        raise ConflictError(f"job {id!r} is being done; wait until it is finished or given back")
    return False


def next_due(db: apsw.Connection) -> datetime | None:
    earliest = first_value(db, SQL["next_due"])
    return None if earliest is None else rows.moment(earliest)


def hasten(db: apsw.Connection, kind: str, *, now: datetime, scope: Scope | None = None) -> int:
    person = "" if scope is None else "AND tenant = ?3 AND owner = ?4"
    values = () if scope is None else (scope.tenant, scope.user)
    db.execute(filled("hasten_jobs", person=person), (rows.micros(now), kind, *values))
    return int(db.changes())


def retry(db: apsw.Connection, *, now: datetime, kind: str | None = None, id: str | None = None) -> int:
    wanted = "state = 'dead' " if id is None else "state <> 'running' "
    values: list[Any] = [rows.micros(now)]
    if kind is not None:
        wanted += "AND kind = ? "
        values.append(kind)
    if id is not None:
        wanted += "AND id = ?"
        values.append(rows.known_id(id))
    db.execute(filled("retry_jobs", wanted=wanted), values)
    return int(db.changes())


def drop_jobs(db: apsw.Connection, *, kind: str, state: JobState) -> int:
    db.execute(SQL["drop_jobs"], (state.value, kind))
    return int(db.changes())


def _job(row: rows.Row) -> Job:
    return rows.JOBS.of(Scope(row[0], row[1]), row[2:])


# ── buffers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def buffer_message(db: apsw.Connection, op: BufferMessage) -> int:
    """Put a message into the open buffer of its conversation; how many messages of people wait there now."""
    message = op.message
    shelf = shelf_of(message.scope, message.place)
    buffer = _open_buffer(db, shelf, op)
    if buffer is not None and _is_over(buffer, op):
        close_buffer(db, shelf, buffer.id)
        _set_due(db, buffer, op.now)
        buffer = None
    if buffer is None:
        buffer = _open(db, op)
    else:
        _set_due(db, buffer, op.now + op.quiet)
    key = (shelf.tenant, shelf.user, rows.id_bytes(buffer.id))
    sent_at, is_asking = rows.micros(message.sent_at), int(message.role is Role.USER)
    db.execute(SQL["buffer_takes"], (sent_at, *key))
    db.execute(SQL["take_message"], (*key, sent_at, rows.id_bytes(message.id), message.scope.user, is_asking))
    return int(first_value(db, SQL["count_waiting"], key))


def close_buffer(db: apsw.Connection, scope: Scope, id: str) -> bool:
    """Whether there is such a buffer, which then takes no more."""
    db.execute(SQL["close_buffer"], (scope.tenant, scope.user, rows.known_id(id)))
    return bool(db.changes())


def drop_buffer(db: apsw.Connection, scope: Scope, id: str, noted: frozenset[str] | None) -> None:
    """Take a buffer away; only while it holds just what was noted, where that is told."""
    held = find(db, scope, Buffer, id)
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


def _open_buffer(db: apsw.Connection, shelf: Scope, op: BufferMessage) -> Buffer | None:
    """Without its messages, which would have to be read at every save."""
    for row in fetched(db, _OPEN_BUFFER, (shelf.tenant, shelf.user, op.message.place.channel, op.message.conversation)):
        return rows.BUFFERS.of(shelf, row)
    return None


def _open(db: apsw.Connection, op: BufferMessage) -> Buffer:
    """A buffer for a message, and the job that flushes it."""
    message = op.message
    buffer = Buffer(
        id=op.buffer_id,
        scope=shelf_of(message.scope, message.place),
        place=message.place,
        conversation=message.conversation,
        opened_at=op.now,
        last_at=message.sent_at,
        is_open=True,
        messages=(),
    )
    due_at = op.now + op.quiet
    payload = {"buffer": buffer.id}
    job = Job(id=buffer.id, scope=buffer.scope, kind=FLUSH, payload=payload, due_at=due_at, created_at=op.now)
    owner = (buffer.scope.tenant, buffer.scope.user)
    try:
        db.execute(inserting(rows.BUFFERS), (*owner, *rows.BUFFERS.row(buffer)))
        db.execute(_ENQUEUE, (*owner, *rows.JOBS.row(job)))
    except apsw.ConstraintError as exc:
        raise ConflictError(f"buffer {buffer.id!r} or its job is there already") from exc
    return buffer


def _set_due(db: apsw.Connection, buffer: Buffer, at: datetime) -> None:
    """Move a buffer's flush, if it still waits."""
    db.execute(SQL["flush_due"], (rows.micros(at), buffer.scope.tenant, buffer.scope.user, rows.id_bytes(buffer.id)))


def _is_over(buffer: Buffer, op: BufferMessage) -> bool:
    """Whether the message comes too late for it, or tells of another time."""
    return buffer.opened_at <= op.now - op.window or abs(op.message.sent_at - buffer.last_at) > op.quiet


# ── what is due to be accounted for ─────────────────────────────────────────────────────────────────────────────────

_MESSAGE, _CHANGE = 1, 2


def account(db: apsw.Connection, scope: Scope, op: Account) -> None:
    """Note what is accounted for, and a change that is due to be."""
    changes = tuple(change.encode() for change in op.changes)
    for what, ids in ((_MESSAGE, rows.known_ids(op.messages)), (_CHANGE, changes)):
        if ids:
            db.execute(SQL["is_accounted"], (scope.tenant, scope.user, what, apsw.carray(ids)))
    if op.due is not None:
        db.execute(SQL["is_due"], (scope.tenant, scope.user, _CHANGE, op.due.encode()))


def message_due(db: apsw.Connection, scope: Scope, id: str) -> None:
    db.execute(SQL["is_due"], (scope.tenant, scope.user, _MESSAGE, rows.id_bytes(id)))


def unaccounted(db: apsw.Connection, scope: Scope, *, limit: int) -> Unaccounted:
    person, most = (scope.tenant, scope.user), max(0, limit)
    return Unaccounted(
        messages=tuple(rows.id_text(id) for (id,) in fetched(db, SQL["unaccounted_messages"], (*person, most))),
        buffered=tuple(rows.id_text(id) for (id,) in fetched(db, SQL["unaccounted_in_buffers"], person)),
        changes=tuple(bytes(id).decode() for (id,) in fetched(db, SQL["unaccounted_changes"], (*person, most))),
    )
