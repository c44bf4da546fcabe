"""Keys, sessions, linked accounts and kept replies, in tables beside what is remembered."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import apsw

from relembra.domain.access import Key, Link, Right, Session
from relembra.domain.scope import Scope
from relembra.errors import BusyError, ConflictError
from relembra.store import rows
from relembra.store.access import MOST_PURGED, KeptReply
from relembra.store.sqlite.statements import SQL, fetched, filled

_KEY_COLUMNS = "id, tenant, owner, name, prefix, allows, created_at, expires_at, revoked_at, used_at"
_KEYS = filled("keys", columns=_KEY_COLUMNS, wanted="true")
_KEYS_OF_TENANT = filled("keys", columns=_KEY_COLUMNS, wanted="tenant = ?")
_KEY_BY_ID = filled("key_by", columns=_KEY_COLUMNS, column="id")
_SESSION = filled("session", columns=", ".join(f"access_key.{name}" for name in _KEY_COLUMNS.split(", ")))
_KEY_BY_PREFIX = filled("key_by", columns=f"{_KEY_COLUMNS}, digest", column="prefix")

Named = tuple[str, str, str]
"""The tenant, the caller, and the key the caller chose for a request."""


# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def put_key(db: apsw.Connection, key: Key, digest: bytes) -> None:
    moments = (key.created_at, key.expires_at, key.revoked_at, key.last_used_at)
    row = (rows.id_bytes(key.id), key.tenant, key.user, key.name, key.prefix, key.right.value, digest)
    try:
        db.execute(SQL["put_key"], (*row, *(_micros(at) for at in moments)))
    except apsw.ConstraintError as exc:
        raise ConflictError(f"there is a key {key.id!r} or of prefix {key.prefix!r} already") from exc


def keys(db: apsw.Connection, tenant: str | None) -> list[Key]:
    found = fetched(db, _KEYS) if tenant is None else fetched(db, _KEYS_OF_TENANT, (tenant,))
    return [_key(row) for row in found]


def key_by_prefix(db: apsw.Connection, prefix: str) -> tuple[Key, bytes] | None:
    for row in fetched(db, _KEY_BY_PREFIX, (prefix,)):
        return _key(row[:-1]), row[-1]
    return None


def revoke_key(db: apsw.Connection, id: str, at: datetime) -> Key | None:
    raw = rows.known_id(id)
    db.execute(SQL["revoke_key"], (rows.micros(at), raw))
    db.execute(SQL["end_sessions_of_key"], (raw,))
    for row in fetched(db, _KEY_BY_ID, (raw,)):
        return _key(row)
    return None


def touch_keys(db: apsw.Connection, used: Mapping[str, datetime]) -> None:
    db.executemany(SQL["touch_key"], [(rows.micros(at), rows.known_id(id)) for id, at in used.items()])


def _key(row: rows.Row) -> Key:
    id, tenant, owner, name, prefix, allows, created_at, expires_at, revoked_at, used_at = row
    return Key(
        id=rows.id_text(id),
        tenant=tenant,
        user=owner,
        name=name,
        prefix=prefix,
        right=Right(allows),
        created_at=rows.moment(created_at),
        expires_at=_moment(expires_at),
        revoked_at=_moment(revoked_at),
        last_used_at=_moment(used_at),
    )


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
        key = _key(tuple(held))
        return Session(key=key.id, created_at=rows.moment(began), expires_at=rows.moment(ends)), key
    return None


def end_session(db: apsw.Connection, digest: bytes) -> bool:
    db.execute(SQL["end_session"], (digest,))
    return bool(db.changes())


# ── links ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def put_link(db: apsw.Connection, link: Link) -> Link | None:
    before = read_link(db, link.tenant, link.channel, link.id)
    db.execute(SQL["put_link"], (link.tenant, link.channel, link.id, link.user, rows.micros(link.created_at)))
    return before


def drop_link(db: apsw.Connection, tenant: str, channel: str, id: str) -> bool:
    db.execute(SQL["drop_link"], (tenant, channel, id))
    return bool(db.changes())


def read_link(db: apsw.Connection, tenant: str, channel: str, id: str) -> Link | None:
    for row in fetched(db, filled("links", wanted="AND channel = ? AND id = ?"), (tenant, channel, id)):
        return _link(row)
    return None


def links(db: apsw.Connection, tenant: str, user: str | None) -> list[Link]:
    wanted, values = ("", ()) if user is None else ("AND owner = ?", (user,))
    return [_link(row) for row in fetched(db, filled("links", wanted=wanted), (tenant, *values))]


def _link(row: rows.Row) -> Link:
    tenant, channel, id, owner, created_at = row
    return Link(tenant=tenant, channel=channel, id=id, user=owner, created_at=rows.moment(created_at))


# ── kept replies ──────────────────────────────────────────────────────────────────────────────────────────────────


def begin_reply(
    db: apsw.Connection, named: Named, fingerprint: str, now: datetime, lease: timedelta
) -> KeptReply | None:
    """Take a request up, within the writer's transaction, so that no two callers do."""
    purge_replies(db, now)
    for until, theirs, status, headers, body in fetched(db, SQL["reply"], named):
        if until <= rows.micros(now):
            break
        if theirs != fingerprint:
            raise ConflictError(f"the key {named[2]!r} was used for another request; choose a new one")
        if status is None:
            raise BusyError(f"the request of key {named[2]!r} is still being answered; try again in a moment")
        return KeptReply(status=status, headers=rows.from_json(headers), body=body)
    db.execute(SQL["begin_reply"], (*named, fingerprint, rows.micros(now + lease)))
    return None


def end_reply(db: apsw.Connection, named: Named, user: str | None, reply: KeptReply, until: datetime) -> None:
    told = (reply.status, rows.to_json(dict(reply.headers)), reply.body)
    db.execute(SQL["end_reply"], (user, *told, rows.micros(until), *named))


def drop_reply(db: apsw.Connection, named: Named) -> None:
    db.execute(SQL["drop_reply"], named)


def purge_replies(db: apsw.Connection, now: datetime) -> int:
    db.execute(SQL["purge_replies"], (rows.micros(now), MOST_PURGED))
    return int(db.changes())


def forget_replies(db: apsw.Connection, scope: Scope, *, everybodys: bool = False) -> int:
    """Drop what may quote a person, and where everybody of the tenant may be quoted, all; how many went."""
    whose, values = ("", ()) if everybodys else ("AND (owner = ?2 OR owner IS NULL)", (scope.user,))
    db.execute(filled("forget_replies", whose=whose), (scope.tenant, *values))
    return int(db.changes())


def _micros(at: datetime | None) -> int | None:
    return None if at is None else rows.micros(at)


def _moment(stored: int | None) -> datetime | None:
    return None if stored is None else rows.moment(stored)
