"""Keys, sessions, linked accounts and kept replies, in tables beside what is remembered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import apsw

from relembra.domain.access import Block, BlockKind, Key, Link, Session
from relembra.domain.jobs import LEARNING, Job, JobState
from relembra.domain.message import Role
from relembra.domain.scope import Scope
from relembra.domain.text import fold
from relembra.errors import BusyError, ConflictError
from relembra.store import rows
from relembra.store.port import MOST_PURGED, Account, KeptReply
from relembra.store.sqlite import jobs
from relembra.store.sqlite.connection import SQL, fetched, filled, stamp

_KEYS = filled("keys", columns=rows.KEYS.columns, wanted="true")
_KEYS_OF_TENANT = filled("keys", columns=rows.KEYS.columns, wanted="tenant = ?")
_KEY_BY_ID = filled("key_by", columns=rows.KEYS.columns, column="id")
_SESSION = filled("session", columns=", ".join(f"access_key.{name}" for name in rows.KEYS.names))
_KEY_BY_PREFIX = filled("key_by", columns=f"{rows.KEYS.columns}, digest", column="prefix")

# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def put_key(db: apsw.Connection, key: Key, digest: bytes) -> None:
    try:
        db.execute(filled("put_key", columns=rows.KEYS.columns), (digest, *rows.KEYS.row(key)))
    except apsw.ConstraintError as exc:
        raise ConflictError(f"there is a key {key.id!r} or of prefix {key.prefix!r} already") from exc


def keys(db: apsw.Connection, tenant: str | None = None) -> list[Key]:
    found = fetched(db, _KEYS) if tenant is None else fetched(db, _KEYS_OF_TENANT, (tenant,))
    return [rows.KEYS.of(None, row) for row in found]


def key_by_prefix(db: apsw.Connection, prefix: str) -> tuple[Key, bytes] | None:
    for row in fetched(db, _KEY_BY_PREFIX, (prefix,)):
        return rows.KEYS.of(None, row[:-1]), row[-1]
    return None


def revoke_key(db: apsw.Connection, id: str, at: datetime) -> Key | None:
    raw = rows.known_id(id)
    db.execute(SQL["revoke_key"], (rows.micros(at), raw))
    db.execute(SQL["end_sessions_of_key"], (raw,))
    for row in fetched(db, _KEY_BY_ID, (raw,)):
        return rows.KEYS.of(None, row)
    return None


def touch_keys(db: apsw.Connection, used: Mapping[str, datetime]) -> None:
    db.executemany(SQL["touch_key"], [(rows.micros(at), rows.known_id(id)) for id, at in used.items()])


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────


def put_session(db: apsw.Connection, session: Session, digest: bytes) -> None:
    began, ends = rows.micros(session.created_at), rows.micros(session.expires_at)
    db.execute(SQL["purge_sessions"], (began, MOST_PURGED))
    try:
        db.execute(SQL["put_session"], (digest, began, ends, rows.known_id(session.key)))
    except apsw.ConstraintError as exc:
        raise ConflictError("there is a session of that digest already") from exc
    if not db.changes():
        raise ConflictError(f"there is no key {session.key!r} to begin a session with")


def session(db: apsw.Connection, digest: bytes) -> tuple[Session, Key] | None:
    for began, ends, *held in fetched(db, _SESSION, (digest,)):
        key = rows.KEYS.of(None, tuple(held))
        return Session(key=key.id, created_at=rows.moment(began), expires_at=rows.moment(ends)), key
    return None


def end_session(db: apsw.Connection, digest: bytes) -> bool:
    db.execute(SQL["end_session"], (digest,))
    return bool(db.changes())


# ── links ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def put_link(db: apsw.Connection, link: Link) -> Link | None:
    before = read_link(db, link.tenant, link.channel, link.id)
    db.execute(SQL["put_link"], rows.LINKS.row(link))
    return before


def drop_link(db: apsw.Connection, tenant: str, channel: str, id: str) -> bool:
    db.execute(SQL["drop_link"], (tenant, channel, id))
    return bool(db.changes())


def read_link(db: apsw.Connection, tenant: str, channel: str, id: str) -> Link | None:
    found = fetched(db, filled("links", wanted="AND channel = ? AND id = ?"), (tenant, channel, id))
    return rows.LINKS.of(None, found[0]) if found else None


def links(db: apsw.Connection, tenant: str, user: str | None = None) -> list[Link]:
    wanted, values = ("", ()) if user is None else ("AND owner = ?", (user,))
    return [rows.LINKS.of(None, row) for row in fetched(db, filled("links", wanted=wanted), (tenant, *values))]


# ── kept replies ──────────────────────────────────────────────────────────────────────────────────────────────────


def begin_reply(
    db: apsw.Connection, tenant: str, caller: str, key: str, *, fingerprint: str, now: datetime, lease: timedelta
) -> KeptReply | None:
    """Take a request up, within the writer's transaction, so that no two callers do."""
    purge_replies(db, now)
    for until, theirs, status, headers, body in fetched(db, SQL["reply"], (tenant, caller, key)):
        if until <= rows.micros(now):
            break
        if theirs != fingerprint:
            raise ConflictError(f"the key {key!r} was used for another request; choose a new one")
        if status is None:
            raise BusyError(f"the request of key {key!r} is still being answered; try again in a moment")
        return KeptReply(status=status, headers=rows.from_json(headers), body=body)
    db.execute(SQL["begin_reply"], (tenant, caller, key, fingerprint, rows.micros(now + lease)))
    return None


def end_reply(
    db: apsw.Connection,
    tenant: str,
    caller: str,
    key: str,
    *,
    user: str | None,
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    now: datetime,
    keep: timedelta,
) -> None:
    reply = (status, rows.to_json(dict(headers)), body, rows.micros(now + keep))
    db.execute(SQL["end_reply"], (user, *reply, tenant, caller, key))


def drop_reply(db: apsw.Connection, tenant: str, caller: str, key: str) -> None:
    db.execute(SQL["drop_reply"], (tenant, caller, key))


def purge_replies(db: apsw.Connection, now: datetime) -> int:
    db.execute(SQL["purge_replies"], (rows.micros(now), MOST_PURGED))
    return int(db.changes())


def forget_replies(db: apsw.Connection, scope: Scope, *, everybodys: bool = False) -> int:
    """Drop what may quote a person, and where everybody of the tenant may be quoted, all; how many went."""
    whose, values = ("", ()) if everybodys else ("AND (owner = ?2 OR owner IS NULL)", (scope.user,))
    db.execute(filled("forget_replies", whose=whose), (scope.tenant, *values))
    return int(db.changes())


# ── who is blocked ────────────────────────────────────────────────────────────────────────────────────────────────

_BLOCKS = filled("blocks", wanted="")
_BLOCK = filled("blocks", wanted="AND kind = ?2 AND key = ?3")
_LEARNING = filled("jobs_of_kind", columns=f"owner, {rows.JOBS.columns}")


def block(
    db: apsw.Connection, tenant: str, kind: BlockKind, name: str, *, since: datetime, new_id: Callable[[], str]
) -> Block:
    key = fold(name)
    db.execute(SQL["block"], (tenant, kind.value, key, name, rows.micros(since)))
    _let_go(db, tenant, kind, key, new_id)
    return _block(fetched(db, _BLOCK, (tenant, kind.value, key))[0])


def unblock(db: apsw.Connection, tenant: str, kind: BlockKind, name: str) -> bool:
    db.execute(SQL["unblock"], (tenant, kind.value, fold(name)))
    return bool(db.changes())


def blocks(db: apsw.Connection, tenant: str) -> list[Block]:
    return [_block(row) for row in fetched(db, _BLOCKS, (tenant,))]


def blocked(db: apsw.Connection, tenant: str, *, people: Sequence[str] = (), space: str | None = None) -> list[Block]:
    asked = {(BlockKind.PERSON.value, fold(name)) for name in people}
    if space is not None:
        asked.add((BlockKind.SPACE.value, fold(space)))
    return [_block(row) for kind, key in sorted(asked) for row in fetched(db, _BLOCK, (tenant, kind, key))]


def spaces(db: apsw.Connection, tenant: str) -> list[str]:
    return [space for (space,) in fetched(db, SQL["spaces"], (tenant,))]


def _let_go(db: apsw.Connection, tenant: str, kind: BlockKind, key: str, new_id: Callable[[], str]) -> None:
    """Take what was blocked out of buffers, out of learning, and off what the night reads again."""

    def behind(owner: str, row: rows.Row) -> bool:
        return _is_behind(kind, key, owner=owner, author=row[1], role=Role(row[2]), space=row[3])

    buffered: dict[str, set[str]] = defaultdict(set)
    due: dict[str, set[str]] = defaultdict(set)
    for owner, *row, is_due in fetched(db, SQL["waiting_messages"], (tenant,)):
        if behind(owner, row):
            (due if is_due else buffered)[owner].add(rows.id_text(row[0]))
    for owner, *columns in (row for name in LEARNING for row in fetched(db, _LEARNING, (tenant, name))):
        job = rows.JOBS.of(Scope(tenant, owner), columns)
        raw = tuple(id for name in job.payload["messages"] if (id := rows.known_id(name)) is not None)
        said = fetched(db, SQL["said_by"], (tenant, owner, apsw.carray(raw))) if raw else []
        gone = {rows.id_text(row[0]) for row in said if behind(owner, row)}
        if gone:
            db.execute(SQL["finish_job"], (tenant, owner, columns[0]))
            if (left := _without(job, gone, new_id)) is not None:
                jobs.add(db, left)
    for owner, ids in buffered.items():
        whose = (tenant, owner, apsw.carray(tuple(rows.id_bytes(id) for id in sorted(ids))))
        shelves = {Scope(tenant, shelf) for shelf, _ in fetched(db, SQL["buffers_of_messages"], whose)}
        jobs.take_out(db, Scope(tenant, owner), ids)
        stamp(db, dict.fromkeys(shelves, False))
    for owner, ids in due.items():
        jobs.account(db, Scope(tenant, owner), Account(messages=tuple(ids)))
        db.execute(SQL["unsettle_runs"], (tenant, owner))


def _block(row: rows.Row) -> Block:
    kind, name, since = row
    return Block(kind=BlockKind(kind), name=name, since=rows.moment(since))


def _is_behind(kind: BlockKind, key: str, *, owner: str, author: str, role: Role, space: str | None) -> bool:
    """Whether a message is the person's (theirs, or said by them), or was said in the space; `key`: a folded name."""
    match kind:
        case BlockKind.PERSON:
            return fold(owner) == key or (role is Role.USER and fold(author) == key)
        case BlockKind.SPACE:
            return space is not None and fold(space) == key


def _without(job: Job, behind: Collection[str], new_id: Callable[[], str]) -> Job | None:
    """Learning without blocked messages, under an id of its own, so that a worker at it finds its job gone.

    None: nothing is left to learn from.
    """
    left = [id for id in job.payload["messages"] if id not in behind]
    if not left:
        return None
    queued = replace(job, state=JobState.WAITING, lease_until=None) if job.state is JobState.RUNNING else job
    return replace(queued, id=new_id(), payload={**job.payload, "messages": left})
