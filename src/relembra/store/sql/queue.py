"""What waits (the durable queue, buffers, what the night accounts for) and who is blocked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from heapq import merge
from typing import Any

from relembra.domain.access import EVERY_SPACE, Block, BlockKind
from relembra.domain.jobs import FLUSH, LEARNING, Job, JobState, joined
from relembra.domain.message import Message, Role
from relembra.domain.scope import Scope, shelf_of
from relembra.domain.text import fold
from relembra.errors import ConflictError, StaleError
from relembra.store import rows
from relembra.store.port import Account, Buffer, InBuffer, Unaccounted
from relembra.store.sql import Session, inserting, stamp, text_of
from relembra.store.sql.reads import find, values


def enqueue(db: Session, job: Job) -> None:
    """Leave a job; one with a key joins the one of its kind and key that waits already, where that takes it in."""
    for row in db.rows("waiting_job", job.scope, job.kind, job.key) if job.key is not None else ():
        waiting = _job(row)
        if (both := joined(waiting, job)) is not None:
            if both != waiting:
                db.run("join_job", both.due_at, rows.to_json(both.payload), both.key, rows.id_bytes(both.id))
            return
    add(db, job)


def add(db: Session, job: Job) -> None:
    """Leave a job, whatever waits already."""
    db.add(inserting(rows.JOBS), job.scope, *rows.JOBS.row(job), taken=f"job {job.id!r} is there already")


def claim(
    db: Session,
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
    if not kinds or limit <= 0:
        return []
    free, given = "", list[Any]()
    if one_a_scope:
        free, given = text_of("free"), [tuple(kinds), now]
    if after:
        free, given = free + text_of("first_done"), [*given, tuple(after), now, tuple(after)]
    of_scope, index = (text_of("of_scope"), "INDEXED BY job_by_key") if scopes else ("", "")
    due = [
        db.each("due", state, kind, now, *scope, *given, moment=moment, index=index, free=of_scope + free)
        for kind in dict.fromkeys(kinds)
        for state, moment in (("waiting", "due_at"), ("running", "lease_until"))
        for scope in [[one] for one in scopes] or [[]]
    ]
    ids: list[bytes] = []
    seen: set[tuple[str, str]] = set()
    for _, id, tenant, owner in merge(*due):  # each from an index, so that no more are read than are taken
        if one_a_scope and (tenant, owner) in seen:
            continue
        seen.add((tenant, owner))
        ids.append(id)
        if len(ids) == limit:
            break
    taken = [_job(row) for row in db.rows("claim", now + lease, tuple(ids), now)] if ids else []
    return sorted(taken, key=lambda job: (job.due_at, job.id))


def give_back(
    db: Session,
    claims: Mapping[str, int],
    *,
    error: str | None = None,
    due_at: datetime | None = None,
    is_dead: bool = False,
    is_counted: bool = False,
) -> None:
    """Undo claims; a job that is gone, or claimed by nobody or another, stays as it is."""
    given = ((JobState.DEAD if is_dead else JobState.WAITING).value, due_at, error, 0 if is_counted else 1)
    db.many("give_back_job", [(*given, rows.known_id(id), claim) for id, claim in claims.items()])


def jobs(
    db: Session,
    *,
    state: JobState | None = None,
    scope: Scope | None = None,
    tenant: str | None = None,
    kinds: Sequence[str] = (),
    limit: int = 100,
) -> list[Job]:
    asked: dict[str, Any] = {
        "state = ?": None if state is None else state.value,
        "tenant = ? AND owner = ?": scope,
        "tenant = ?": tenant,
        "kind IN carray(?)": tuple(kinds) or None,
    }
    asked = {condition: value for condition, value in asked.items() if value is not None}
    wanted = f"WHERE {' AND '.join(asked)}" if asked else ""
    return [_job(row) for row in db.rows("jobs", *asked.values(), max(0, limit), wanted=wanted)]


def job(db: Session, id: str) -> Job | None:
    return next((_job(row) for row in db.rows("job", rows.known_id(id))), None)


def cancel(db: Session, id: str) -> bool:
    """Remove a job nobody works on; whether there was one."""
    if db.run("cancel_job", rows.known_id(id)):
        return True
    if job(db, id) is not None:
        raise ConflictError(f"job {id!r} is being done; wait until it is finished or given back", "being_done")
    return False


def next_due(db: Session) -> dict[str, datetime]:
    return {kind: rows.moment(moment) for kind, moment in db.rows("next_due")}


def hasten(db: Session, kind: str, *, now: datetime, scope: Scope | None = None) -> int:
    person, whose = ("", ()) if scope is None else ("AND tenant = ?3 AND owner = ?4", (scope,))
    return db.run("hasten_jobs", now, kind, *whose, person=person)


def retry(db: Session, *, now: datetime, kind: str | None = None, id: str | None = None) -> int:
    wanted = "state = 'dead' " if id is None else "state <> 'running' "
    given: list[Any] = [now]
    if kind is not None:
        wanted += "AND kind = ? "
        given.append(kind)
    if id is not None:
        wanted += "AND id = ?"
        given.append(rows.known_id(id))
    return db.run("retry_jobs", *given, wanted=wanted)


def drop_jobs(db: Session, *, kind: str, state: JobState) -> int:
    return db.run("drop_jobs", state.value, kind)


def _job(row: rows.Row) -> Job:
    return rows.JOBS.of(Scope(row[0], row[1]), row[2:])


# ── buffers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def buffer_message(db: Session, message: Message, into: InBuffer) -> int:
    """Put a message into the open buffer of its conversation; how many messages of people wait there now."""
    shelf = shelf_of(message.scope, message.place)
    # Without its messages, which would have to be read at every save.
    held = values(db, rows.BUFFERS, shelf, "open_buffer", message.place.channel, message.conversation)
    buffer = held[0] if held else None
    if buffer is not None:
        is_over = (
            buffer.opened_at <= into.now - into.window or abs(message.sent_at - buffer.last_at) > into.quiet
        )  # the message comes too late for it, or tells of another time
        db.run("flush_due", into.now if is_over else into.now + into.quiet, shelf, rows.id_bytes(buffer.id))
        if is_over:
            db.run("close_buffer", shelf, rows.id_bytes(buffer.id))
            buffer = None
    if buffer is None:
        buffer = Buffer(
            id=into.id,
            scope=shelf,
            place=message.place,
            conversation=message.conversation,
            opened_at=into.now,
            last_at=message.sent_at,
            is_open=True,
            messages=(),
        )
        taken = f"buffer {buffer.id!r} or its job is there already"
        db.add(inserting(rows.BUFFERS), shelf, *rows.BUFFERS.row(buffer), taken=taken)
        due_at, payload = into.now + into.quiet, {"buffer": buffer.id}
        add(db, Job(id=buffer.id, scope=shelf, kind=FLUSH, payload=payload, due_at=due_at, created_at=into.now))
    id = rows.id_bytes(buffer.id)
    db.run("buffer_takes", message.sent_at, shelf, id)
    asks = int(message.role is Role.USER)
    db.run("take_message", shelf, id, message.sent_at, rows.id_bytes(message.id), message.scope.user, asks)
    return int(db.first("count_waiting", shelf, id))


def drop_buffer(db: Session, scope: Scope, id: str, noted: frozenset[str] | None) -> None:
    """Take a buffer away; with `noted`, only while it holds just that."""
    held = find(db, scope, Buffer, id)
    if held is None:
        raise ConflictError(f"buffer {id!r} is gone already")
    if noted is not None and noted != {message for _, message in held.messages}:
        raise StaleError(f"buffer {id!r} holds other messages than those noted: read it again")
    db.run("drop_buffered", scope, rows.known_id(id))
    db.run("drop_row", scope, rows.known_id(id), table=rows.BUFFERS)


def take_out(db: Session, scope: Scope, messages: Collection[str]) -> int:
    """Take a person's messages out of all buffers; one left without any goes with its job, and how many jobs did."""
    ids = rows.known_ids(messages)
    touched = db.rows("buffers_of_messages", scope, ids) if ids else []
    if touched:
        db.run("take_out_messages", scope, ids)
    return sum(
        db.run("finish_job", scope.tenant, owner, buffer)
        for owner, buffer in touched
        if db.run("drop_empty_buffer", scope.tenant, owner, buffer)
    )


# ── what is due to be accounted for ───────────────────────────────────────────────────────────────────────────────

MESSAGE, CHANGE = 1, 2


def account(db: Session, scope: Scope, op: Account) -> None:
    """Note what is accounted for, and a change that is due to be."""
    changes = tuple(change.encode() for change in op.changes)
    for what, ids in ((MESSAGE, rows.known_ids(op.messages)), (CHANGE, changes)):
        if ids:
            db.run("is_accounted", scope, what, ids)
    if op.due is not None:
        db.run("is_due", scope, CHANGE, op.due.encode())


def unaccounted(db: Session, scope: Scope, *, limit: int) -> Unaccounted:
    most = max(0, limit)
    return Unaccounted(
        messages=tuple(rows.id_text(id) for (id,) in db.rows("unaccounted_messages", scope, most)),
        buffered=tuple(rows.id_text(id) for (id,) in db.rows("unaccounted_in_buffers", scope)),
        changes=tuple(bytes(id).decode() for (id,) in db.rows("unaccounted_changes", scope, most)),
    )


# ── who is blocked ────────────────────────────────────────────────────────────────────────────────────────────────


def block(db: Session, tenant: str, kind: BlockKind, name: str, *, since: datetime, new_id: Callable[[], str]) -> Block:
    key = fold(name)
    db.run("block", tenant, kind.value, key, name, since)
    if kind is BlockKind.SPACE:
        unblock(db, tenant, BlockKind.LISTED, name)
    if kind is not BlockKind.LISTED:
        _let_go(db, tenant, kind, key, new_id)
    return _named(db, tenant, {(kind.value, key)})[0]


def unblock(db: Session, tenant: str, kind: BlockKind, name: str) -> bool:
    return bool(db.run("unblock", tenant, kind.value, fold(name)))


def blocks(db: Session, tenant: str, *, people: Sequence[str] | None = None, space: str | None = None) -> list[Block]:
    if people is None and space is None:
        return _as_blocks(db.rows("blocks", tenant, wanted=""))
    asked = {(BlockKind.PERSON.value, fold(name)) for name in people or ()}
    if space is None:
        return _named(db, tenant, asked)
    found = _named(db, tenant, asked | {(BlockKind.SPACE.value, fold(space)), (BlockKind.SPACES.value, EVERY_SPACE)})
    if found and found[-1].kind is BlockKind.SPACES and _named(db, tenant, {(BlockKind.LISTED.value, fold(space))}):
        found.pop()
    return found


def _named(db: Session, tenant: str, names: Collection[tuple[str, str]]) -> list[Block]:
    named = "AND kind = ?2 AND key = ?3"
    return _as_blocks([row for one in sorted(names) for row in db.rows("blocks", tenant, *one, wanted=named)])


def _as_blocks(found: Sequence[rows.Row]) -> list[Block]:
    return [Block(kind=BlockKind(kind), name=name, since=rows.moment(since)) for kind, name, since in found]


def spaces(db: Session, tenant: str) -> list[str]:
    return [space for (space,) in db.rows("spaces", tenant)]


def _let_go(db: Session, tenant: str, kind: BlockKind, key: str, new_id: Callable[[], str]) -> None:
    """Take what is blocked out of buffers, out of learning, and off what the night reads again."""
    listed = {block.key for block in blocks(db, tenant) if block.kind is BlockKind.LISTED}

    def behind(owner: str, row: rows.Row) -> bool:
        """Whether a message is the person's (theirs, or said by them), or was said in the space."""
        _, author, role, space, *_ = row
        if kind is BlockKind.SPACES:
            return space is not None and fold(space) not in listed
        if kind is BlockKind.SPACE:
            return space is not None and fold(space) == key
        return fold(owner) == key or (role == Role.USER.value and fold(author) == key)

    buffered: dict[str, set[str]] = defaultdict(set)
    due: dict[str, set[str]] = defaultdict(set)
    for owner, *row, is_due in db.rows("waiting_messages", tenant):
        if behind(owner, row):
            (due if is_due else buffered)[owner].add(rows.id_text(row[0]))
    for _, owner, *columns in (row for name in LEARNING for row in db.rows("jobs_of_kind", tenant, name)):
        job = rows.JOBS.of(Scope(tenant, owner), columns)
        said = db.rows("said_by", job.scope, rows.known_ids(job.payload["messages"]))
        gone = {rows.id_text(row[0]) for row in said if behind(owner, row)}
        if gone:
            db.run("finish_job", job.scope, columns[0])
            if (left := _without(job, gone, new_id)) is not None:
                add(db, left)
    for owner, ids in buffered.items():
        touched = db.rows("buffers_of_messages", tenant, owner, rows.known_ids(ids))
        take_out(db, Scope(tenant, owner), ids)
        stamp(db, {Scope(tenant, shelf): False for shelf, _ in touched})
    for owner, ids in due.items():
        account(db, Scope(tenant, owner), Account(messages=tuple(ids)))
        db.run("unsettle_runs", tenant, owner)


def _without(job: Job, behind: Collection[str], new_id: Callable[[], str]) -> Job | None:
    """Learning without messages that are blocked, under an id of its own, so that a worker at it finds its job gone.

    None: nothing is left to learn from.
    """
    left = [id for id in job.payload["messages"] if id not in behind]
    if not left:
        return None
    queued = replace(job, state=JobState.WAITING, lease_until=None) if job.state is JobState.RUNNING else job
    return replace(queued, id=new_id(), payload={**job.payload, "messages": left})
