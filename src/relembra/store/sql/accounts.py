"""Keys, sessions, linked accounts and kept replies, in tables beside what is remembered."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

from relembra.domain.access import Key, Link
from relembra.domain.access import Session as Visit
from relembra.domain.scope import Scope
from relembra.errors import BusyError, ConflictError
from relembra.store import rows
from relembra.store.port import MOST_PURGED, KeptReply
from relembra.store.sql import Session

IDENTITY = "identity"
"""In `meta`, once it was asked for: the secret that no other store has."""


def held_identity(db: Session) -> str | None:
    held: str | None = db.first("get_meta", IDENTITY)
    return held


def identity(db: Session) -> str:
    """The store's secret, which another process may have been quicker to make."""
    if (held := held_identity(db)) is not None:
        return held
    db.run("set_meta", IDENTITY, made := secrets.token_hex(16))
    return made


# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def put_key(db: Session, key: Key, digest: bytes) -> None:
    taken = f"there is a key {key.id!r} or of prefix {key.prefix!r} already"
    db.add("put_key", digest, *rows.KEYS.row(key), taken=taken)


def keys(db: Session, tenant: str | None = None) -> list[Key]:
    found = db.rows("keys", wanted="true") if tenant is None else db.rows("keys", tenant, wanted="tenant = ?")
    return [rows.KEYS.of(None, row) for row in found]


def key_by_prefix(db: Session, prefix: str) -> tuple[Key, bytes] | None:
    return next(((rows.KEYS.of(None, row), row[-1]) for row in db.rows("key_by", prefix, column="prefix")), None)


def revoke_key(db: Session, id: str, at: datetime) -> Key | None:
    raw = rows.known_id(id)
    db.run("revoke_key", at, raw)
    db.run("end_sessions_of_key", raw)
    return next((rows.KEYS.of(None, row) for row in db.rows("key_by", raw, column="id")), None)


def touch_keys(db: Session, used: Mapping[str, datetime]) -> None:
    db.many("touch_key", [(at, rows.known_id(id)) for id, at in used.items()])


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────


def put_session(db: Session, session: Visit, digest: bytes) -> None:
    db.run("purge_sessions", session.created_at, MOST_PURGED)
    values = (digest, session.created_at, session.expires_at, rows.known_id(session.key))
    if not db.add("put_session", *values, taken="there is a session of that digest already"):
        raise ConflictError(f"there is no key {session.key!r} to begin a session with")


def session(db: Session, digest: bytes) -> tuple[Visit, Key] | None:
    for began, ends, *held in db.rows("session", digest):
        key = rows.KEYS.of(None, held)
        return Visit(key=key.id, created_at=rows.moment(began), expires_at=rows.moment(ends)), key
    return None


def end_session(db: Session, digest: bytes) -> bool:
    return bool(db.run("end_session", digest))


# ── links ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def put_link(db: Session, link: Link) -> Link | None:
    before = links(db, link.tenant, account=(link.channel, link.id))
    db.run("put_link", *rows.LINKS.row(link))
    return before[0] if before else None


def drop_link(db: Session, tenant: str, channel: str, id: str) -> bool:
    return bool(db.run("drop_link", tenant, channel, id))


def links(db: Session, tenant: str, user: str | None = None, *, account: tuple[str, str] | None = None) -> list[Link]:
    wanted = ("" if user is None else " AND owner = ?") + ("" if account is None else " AND channel = ? AND id = ?")
    given = (*([] if user is None else [user]), *(account or ()))
    return [rows.LINKS.of(None, row) for row in db.rows("links", tenant, *given, wanted=wanted)]


# ── kept replies ──────────────────────────────────────────────────────────────────────────────────────────────────


def begin_reply(
    db: Session, tenant: str, caller: str, key: str, *, fingerprint: str, now: datetime, lease: timedelta
) -> KeptReply | None:
    """Take a request up, within the writer's transaction, so that no two callers do."""
    purge_replies(db, now)
    for until, theirs, status, headers, body in db.rows("reply", tenant, caller, key):
        if until <= rows.micros(now):
            break
        if theirs != fingerprint:
            raise ConflictError(f"the key {key!r} was used for another request; choose a new one")
        if status is None:
            raise BusyError(f"the request of key {key!r} is still being answered; try again in a moment")
        return KeptReply(status=status, headers=rows.from_json(headers), body=body)
    db.run("begin_reply", tenant, caller, key, fingerprint, now + lease)
    return None


def end_reply(
    db: Session, tenant: str, caller: str, key: str, reply: KeptReply, *, user: str | None, until: datetime
) -> None:
    headers = rows.to_json(dict(reply.headers))
    db.run("end_reply", user, reply.status, headers, reply.body, until, tenant, caller, key)


def drop_reply(db: Session, tenant: str, caller: str, key: str) -> None:
    db.run("drop_reply", tenant, caller, key)


def purge_replies(db: Session, now: datetime) -> int:
    return db.run("purge_replies", now, MOST_PURGED)


def forget_replies(db: Session, scope: Scope, *, everybodys: bool = False) -> int:
    """Drop what may quote a person, and where everybody of the tenant may be quoted, all; how many went."""
    if everybodys:
        return db.run("forget_replies", scope.tenant, whose="")
    return db.run("forget_replies", scope, whose="AND (owner = ?2 OR owner IS NULL)")
