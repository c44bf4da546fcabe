"""Keys, sessions, linked accounts, closed doors and kept replies, in dictionaries beside the shelves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from relembra.domain.access import Key, Link, Session
from relembra.domain.doors import Door, DoorKind
from relembra.domain.scope import Scope
from relembra.domain.text import fold
from relembra.errors import BusyError, ConflictError
from relembra.store.access import MOST_PURGED, KeptReply


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """A request somebody took up, and what was answered once it was done."""

    fingerprint: str
    until: datetime  # the end of the lease, or of the time it is kept
    user: str | None = None
    reply: KeptReply | None = None


class Admissions:
    """Who may come in."""

    def __init__(self) -> None:
        self._keys: dict[str, tuple[Key, bytes]] = {}  # by id
        self._sessions: dict[bytes, Session] = {}  # by digest
        self._links: dict[tuple[str, str, str], Link] = {}  # by tenant, channel and id
        self._doors: dict[tuple[str, DoorKind, str], Door] = {}  # by tenant, kind and folded name
        self._requests: dict[tuple[str, str, str], _Request] = {}  # by tenant, caller and key

    async def put_key(self, key: Key, digest: bytes) -> None:
        if key.id in self._keys or any(key.prefix == held.prefix for held, _ in self._keys.values()):
            raise ConflictError(f"there is a key {key.id!r} or of prefix {key.prefix!r} already")
        self._keys[key.id] = (key, digest)

    async def keys(self, tenant: str | None = None) -> list[Key]:
        found = [key for key, _ in self._keys.values() if tenant in (None, key.tenant)]
        return sorted(found, key=lambda key: (key.created_at, key.id), reverse=True)

    async def key_by_prefix(self, prefix: str) -> tuple[Key, bytes] | None:
        return next((held for held in self._keys.values() if held[0].prefix == prefix), None)

    async def revoke_key(self, id: str, at: datetime) -> Key | None:
        if id not in self._keys:
            return None
        key, digest = self._keys[id]
        if key.revoked_at is None:
            self._keys[id] = (replace(key, revoked_at=at), digest)
        self._end_sessions({id})
        return self._keys[id][0]

    async def touch_keys(self, used: Mapping[str, datetime]) -> None:
        for id, at in used.items():
            if id in self._keys:
                key, digest = self._keys[id]
                self._keys[id] = (replace(key, last_used_at=max(at, key.last_used_at or at)), digest)

    async def put_session(self, session: Session, digest: bytes) -> None:
        over = [known for known, held in self._sessions.items() if held.expires_at <= session.created_at]
        for known in over[:MOST_PURGED]:
            del self._sessions[known]
        if digest in self._sessions:
            raise ConflictError("there is a session of that digest already")
        if session.key not in self._keys:
            raise ConflictError(f"there is no key {session.key!r} to begin a session with")
        self._sessions[digest] = session

    async def session(self, digest: bytes) -> tuple[Session, Key] | None:
        held = self._sessions.get(digest)
        return None if held is None else (held, self._keys[held.key][0])

    async def end_session(self, digest: bytes) -> bool:
        return self._sessions.pop(digest, None) is not None

    def _end_sessions(self, keys: Collection[str]) -> None:
        self._sessions = {digest: held for digest, held in self._sessions.items() if held.key not in keys}

    async def put_link(self, link: Link) -> Link | None:
        name = (link.tenant, link.channel, link.id)
        before = self._links.get(name)
        self._links[name] = link
        return before

    async def drop_link(self, tenant: str, channel: str, id: str) -> bool:
        return self._links.pop((tenant, channel, id), None) is not None

    async def link(self, tenant: str, channel: str, id: str) -> Link | None:
        return self._links.get((tenant, channel, id))

    async def links(self, tenant: str, user: str | None = None) -> list[Link]:
        found = [link for link in self._links.values() if link.tenant == tenant and user in (None, link.user)]
        return sorted(found, key=lambda link: (link.channel, link.id))

    async def close_door(
        self, tenant: str, kind: DoorKind, name: str, *, since: datetime, new_id: Callable[[], str]
    ) -> Door:
        door = self._doors.setdefault((tenant, kind, fold(name)), Door(kind=kind, name=name, since=since))
        self._let_go(tenant, door, new_id)
        return door

    async def open_door(self, tenant: str, kind: DoorKind, name: str) -> bool:
        return self._doors.pop((tenant, kind, fold(name)), None) is not None

    async def doors(self, tenant: str) -> list[Door]:
        found = [door for (whose, _, _), door in self._doors.items() if whose == tenant]
        return sorted(found, key=lambda door: (door.kind, door.key))

    async def closed(self, tenant: str, *, people: Sequence[str] = (), space: str | None = None) -> list[Door]:
        asked = [(DoorKind.PERSON, name) for name in people]
        asked += [] if space is None else [(DoorKind.SPACE, space)]
        found = {name: self._doors[name] for kind, of in asked if (name := (tenant, kind, fold(of))) in self._doors}
        return sorted(found.values(), key=lambda door: (door.kind, door.key))

    def _let_go(self, tenant: str, door: Door, new_id: Callable[[], str]) -> None:
        """What waits behind the door lies on the shelves."""
        raise NotImplementedError

    async def begin_reply(
        self, tenant: str, caller: str, key: str, *, fingerprint: str, now: datetime, lease: timedelta
    ) -> KeptReply | None:
        await self.purge_replies(now)
        held = self._requests.get((tenant, caller, key))
        if held is not None and held.until > now:
            if held.fingerprint != fingerprint:
                raise ConflictError(f"the key {key!r} was used for another request; choose a new one")
            if held.reply is None:
                raise BusyError(f"the request of key {key!r} is still being answered; try again in a moment")
            return held.reply
        self._requests[tenant, caller, key] = _Request(fingerprint=fingerprint, until=now + lease)
        return None

    async def end_reply(
        self,
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
        held = self._requests.get((tenant, caller, key))
        if held is not None:
            reply = KeptReply(status=status, headers=dict(headers), body=body)
            self._requests[tenant, caller, key] = replace(held, until=now + keep, user=user, reply=reply)

    async def drop_reply(self, tenant: str, caller: str, key: str) -> None:
        self._requests.pop((tenant, caller, key), None)

    async def purge_replies(self, now: datetime) -> int:
        over = sorted((request.until, name) for name, request in self._requests.items() if request.until <= now)
        for _, name in over[:MOST_PURGED]:
            del self._requests[name]
        return len(over[:MOST_PURGED])

    def forget_admission(self, scope: Scope) -> None:
        """Drop the keys bound to a person with their sessions, their links, and what may quote them."""
        theirs = {id for id, (key, _) in self._keys.items() if (key.tenant, key.user) == (scope.tenant, scope.user)}
        self._keys = {id: held for id, held in self._keys.items() if id not in theirs}
        self._end_sessions(theirs)
        self._links = {
            name: link for name, link in self._links.items() if (link.tenant, link.user) != (scope.tenant, scope.user)
        }
        self.forget_replies(scope)

    def forget_replies(self, scope: Scope, *, everybodys: bool = False) -> None:
        """Drop what may quote a person, and where everybody of the tenant may be quoted, all."""
        self._requests = {
            name: request
            for name, request in self._requests.items()
            if name[0] != scope.tenant or (not everybodys and request.user not in (None, scope.user))
        }

    def dump(self) -> dict[str, object]:
        """Everything but sessions, which no backup has, and the replies, which only last a day."""
        return {"keys": list(self._keys.values()), "links": list(self._links.values()), "doors": self._dumped_doors()}

    def _dumped_doors(self) -> list[tuple[str, Door]]:
        return [(tenant, door) for (tenant, _, _), door in self._doors.items()]
