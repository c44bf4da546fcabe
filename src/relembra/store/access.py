"""The sentences about who may come in: keys, sessions, linked accounts, doors that are closed, and replies kept so that
a request is done once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from relembra.domain.access import Key, Link, Session
from relembra.domain.doors import Door, DoorKind

MOST_PURGED = 100
"""How many replies whose time is over are taken away at once, also by each that is begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptReply:
    """What was answered to a request, to be answered again when it comes a second time."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Access(Protocol):
    """Where keys, sessions, links, closed doors and kept replies live, no part of what is remembered or exported.

    Forgetting a person takes the keys bound to them with their sessions, their links and the replies kept for them,
    but opens no door. A backup has no sessions, for one that was ended since would come back with it.
    Forgetting anything takes all replies of its person, which may quote it, all of that tenant kept for nobody in
    particular, and those under way; where a space's notes go, all of the tenant.
    """

    async def put_key(self, key: Key, digest: bytes) -> None:
        """Keep a key with its secret's digest; an id or prefix that is taken is a `ConflictError`."""

    async def keys(self, tenant: str | None = None) -> list[Key]:
        """Keys of one tenant or of all, revoked and expired ones too, newest first and then by id, the later first.

        A key for every tenant is none of a single one's.
        """

    async def key_by_prefix(self, prefix: str) -> tuple[Key, bytes] | None:
        """The key of that prefix with its secret's digest, however it stands."""

    async def revoke_key(self, id: str, at: datetime) -> Key | None:
        """The key as it is now, its sessions ended; one revoked before stays revoked since then. None: no such id."""

    async def touch_keys(self, used: Mapping[str, datetime]) -> None:
        """Note when keys were used, never going back; ids that are gone are passed over."""

    async def put_session(self, session: Session, digest: bytes) -> None:
        """Keep a session under the digest of its pass; some that were over when it began go on the way.

        A digest that is taken, or a key that is gone, is a `ConflictError`.
        """

    async def session(self, digest: bytes) -> tuple[Session, Key] | None:
        """The session of that digest, also one that is over, with its key, however that stands."""

    async def end_session(self, digest: bytes) -> bool:
        """Whether there was one; of many who end it together, one is told so."""

    async def put_link(self, link: Link) -> Link | None:
        """Say whose an account is; the link it replaces, its own earlier one too, or None."""

    async def drop_link(self, tenant: str, channel: str, id: str) -> bool:
        """Let an account be nobody's; whether it was somebody's."""

    async def link(self, tenant: str, channel: str, id: str) -> Link | None:
        """Whose the account is."""

    async def links(self, tenant: str, user: str | None = None) -> list[Link]:
        """The links of a tenant or of one person, by channel and then id."""

    async def close_door(
        self, tenant: str, kind: DoorKind, name: str, *, since: datetime, new_id: Callable[[], str]
    ) -> Door:
        """Close a door; one closed before stays as it was, in its name's spelling too. The door as it is kept.

        What waits behind it is let go in the same transaction, for good: messages of that person (theirs, or said by
        them) or said in that space leave every buffer, all learning that is queued, and what the night would read
        again. They stay messages. A buffer or job left without any goes; learning from others is queued again under a
        new id. Work on what was let go that is under way finds its buffer, job or run changed, and leaves nothing.
        """

    async def open_door(self, tenant: str, kind: DoorKind, name: str) -> bool:
        """Whether it was closed."""

    async def doors(self, tenant: str) -> list[Door]:
        """All that are closed: people, then spaces, each by their folded name."""

    async def closed(self, tenant: str, *, people: Sequence[str] = (), space: str | None = None) -> list[Door]:
        """Those of these doors that are closed, in the order of `doors`; a look at each, whatever others there are."""

    async def spaces(self, tenant: str) -> list[str]:
        """Every space that somebody has a conversation in, deleted ones too, by name."""

    async def begin_reply(
        self, tenant: str, caller: str, key: str, *, fingerprint: str, now: datetime, lease: timedelta
    ) -> KeptReply | None:
        """Take up a request under the key its caller chose for it. None: it is yours to do, yours alone for `lease`.

        One done before gives what was answered. The same key with another fingerprint is a `ConflictError`, and one
        under way whose lease has not ended a `BusyError`. Some of what is older than its time goes on the way.
        """

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
        """Keep what was answered until `now + keep`, as about a person, or about nobody in particular.

        Where it was dropped meanwhile nothing is kept: what it quotes may have been forgotten.
        """

    async def drop_reply(self, tenant: str, caller: str, key: str) -> None:
        """Let a request be taken up again, since it failed; one that is gone stays gone."""

    async def purge_replies(self, now: datetime) -> int:
        """Take away some of those whose time is over, longest first; how many went, `MOST_PURGED` at most."""
