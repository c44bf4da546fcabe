"""Keys and passes, accounts elsewhere that belong to a person, and requests that are done once.

Nothing here decides what a caller may do; an interface asks for the key and decides by its right.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from relembra.conversations import Conversations
from relembra.domain.access import (
    EVERY_TENANT,
    Key,
    Link,
    NewKey,
    Purpose,
    Right,
    Session,
    Standing,
    account_id,
    account_name,
    digest_of,
    is_secret_of,
    new_pass,
    new_secret,
    prefix_of,
    read_pass,
    standing,
)
from relembra.domain.jobs import REPLY, Job, Terms, job_now
from relembra.domain.scope import DEFAULT_TENANT, Scope, person
from relembra.domain.text import checked_name, one
from relembra.domain.time import in_utc
from relembra.errors import BusyError, DeliveryError, InvalidInputError, NotFoundError
from relembra.interchange import Interchange
from relembra.night.worker import Worker
from relembra.services import Part, Services
from relembra.store.port import MOST_PURGED, Enqueue, FinishJob, KeptReply, Store

USE_NOTED_EVERY = timedelta(minutes=1)
REPLY_LEASE = timedelta(minutes=1)
REPLY_KEPT = timedelta(hours=24)
PURGED_EVERY = timedelta(hours=1)
MOST_BRINGS = 5
PAGE_PASS = timedelta(days=30)
LINK_PASS = timedelta(hours=24)
_NOBODYS = bytes(32)  # compared with where there is no such key, so that this takes as long


class Keys(Part):
    """Keys, and the passes they give."""

    def __init__(self, services: Services, worker: Worker) -> None:
        super().__init__(services)
        self._worker = worker
        self._keys_used: dict[str, datetime] = {}  # uses that are still to be written
        self._uses_noted: dict[str, datetime] = {}

    async def create_key(
        self,
        name: str,
        *,
        right: str = Right.WRITE,
        user: str | None = None,
        expires_at: datetime | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> NewKey:
        """Make a key that opens one person's memory, or every person's of a tenant; its secret is told this once.

        `tenant="*"` makes an operator's key, which opens every tenant and is bound to nobody.
        """
        now, ends = self._now(), None if expires_at is None else in_utc(expires_at, "expires_at")
        checked_name(tenant, "tenant")
        if user is not None:
            person(tenant, user)
            if tenant == EVERY_TENANT:
                raise InvalidInputError("a key for every tenant is bound to nobody; name one tenant", field="tenant")
        if ends is not None and ends <= now:
            raise InvalidInputError(f"a key that expired {ends.isoformat()} would open nothing", field="expires_at")
        secret = new_secret()
        key = Key(
            id=self._new_id(),
            tenant=tenant,
            user=user,
            name=checked_name(name, "name"),
            prefix=prefix_of(secret) or "",
            right=one(Right, right, "right"),
            created_at=now,
            expires_at=ends,
        )
        await self._store.put_key(key, digest_of(secret))
        return NewKey(key, secret)

    async def keys(self, *, tenant: str | None = None) -> list[Key]:
        """All keys ever made and not forgotten, newest first; those of one tenant, or of all with the operators'."""
        return await self._store.keys(tenant)

    async def revoke_key(self, id: str, *, tenant: str | None = None) -> Key:
        """Let a key open nothing any more, by its id, its prefix, or four or more characters of an end of its id."""
        like = id.lower()
        held = await self._store.keys(tenant)
        found = [key for key in held if id in (key.id, key.prefix)]
        if not found and len(id) >= 4:
            found = [key for key in held if key.id.startswith(like) or key.id.endswith(like)]
        if len(found) > 1:
            raise InvalidInputError(f"{id!r} fits several keys; give more of the id", field="id")
        revoked = await self._store.revoke_key(found[0].id, self._now()) if found else None
        if revoked is None:
            raise NotFoundError("key", id)
        return revoked

    async def key_of(self, secret: str) -> Key | None:
        """The key of a secret, whether it is still valid or not; None for a secret of no key."""
        held = await self._store.key_by_prefix(prefix_of(secret) or "")
        is_right = is_secret_of(secret, _NOBODYS if held is None else held[1])
        if held is None or not is_right:
            return None
        return self._used(held[0])

    def _used(self, key: Key) -> Key:
        """The key, its use noted."""
        now = self._now()
        last = max(filter(None, (key.last_used_at, self._uses_noted.get(key.id))), default=None)
        if standing(key, now) is Standing.VALID and (last is None or last <= now - USE_NOTED_EVERY):
            self._keys_used[key.id] = self._uses_noted[key.id] = now
            self._worker.wake()
        return key

    async def page_pass(self, secret: str, *, lasts: timedelta = PAGE_PASS) -> str | None:
        """A pass for the memory page, for whoever brings a key's secret, or once a link's pass; None: it opens nothing.

        A pass is good no longer than its key, and ends with `end_pass`.
        """
        if read_pass(secret) is None:
            key = await self.key_of(secret)
        else:
            key = await self._passed(secret, Purpose.LINK)
            key = key if key is not None and await self.end_pass(secret) else None  # it opens nothing afterwards
        if key is None or standing(key, self._now()) is not Standing.VALID:
            return None
        return await self._pass(key, Purpose.PAGE, lasts)

    async def link_pass(
        self,
        name: str,
        *,
        user: str,
        right: str = Right.WRITE,
        lasts: timedelta = LINK_PASS,
        tenant: str = DEFAULT_TENANT,
    ) -> str:
        """A pass by which somebody comes in once; it makes a key of that name whose secret nobody has.

        The key is good for as long as the pages it opens would be.
        """
        ends = self._now() + lasts + PAGE_PASS
        made = await self.create_key(name, right=right, user=user, expires_at=ends, tenant=tenant)
        return await self._pass(made.key, Purpose.LINK, lasts)

    async def key_of_pass(self, carried: str) -> Key | None:
        """The key a page's pass was given for, however that stands; None for a pass that is wrong or over."""
        return await self._passed(carried, Purpose.PAGE)

    async def end_pass(self, carried: str) -> bool:
        """Let a pass open nothing any more; whether it was one that did."""
        return await self._store.end_session(digest_of(carried))

    async def _pass(self, key: Key, purpose: Purpose, lasts: timedelta) -> str:
        now, carried = self._now(), new_pass(purpose, key)
        ends = min(now + lasts, key.expires_at or now + lasts)
        await self._store.put_session(Session(key=key.id, created_at=now, expires_at=ends), digest_of(carried))
        return carried

    async def _passed(self, carried: str, purpose: Purpose) -> Key | None:
        told = read_pass(carried)
        held = None if told is None or told[0] is not purpose else await self._store.session(digest_of(carried))
        if held is None or held[0].expires_at <= self._now():
            return None
        return self._used(held[1])

    async def note_uses(self) -> None:
        """Write when keys were used; it follows answers and never holds one up."""
        used, self._keys_used = self._keys_used, {}
        if used:
            await self._store.touch_keys(used)


class Accounts(Part):
    """Accounts of other programs, and whose they are."""

    def __init__(self, services: Services, interchange: Interchange, conversations: Conversations) -> None:
        super().__init__(services)
        self._interchange = interchange
        self._conversations = conversations

    async def link(
        self, channel: str, id: str, *, user: str, bring: bool = False, tenant: str = DEFAULT_TENANT
    ) -> Link:
        """Say that an account of another program is this person's; if it was another's, it is no longer.

        A telephone number may be written in any way.

        `bring`: what the account said while it was nobody's becomes theirs as well. Notes a space has of it go, for
        they name who spoke.
        """
        scope = person(tenant, user)
        told = Link(
            tenant=tenant,
            channel=checked_name(channel, "channel"),
            id=checked_name(account_id(id), "id"),
            user=user,
            created_at=self._now(),
        )
        before = await self._store.put_link(told)
        names = [account_name(channel, id)]
        if before is not None and before.user.startswith(f"{channel}:"):
            names += [] if await self._store.links(tenant, before.user) else [before.user]
        for name in dict.fromkeys(names) if bring else ():
            if name != user:
                await self._bring(person(tenant, name), scope)
        return told

    async def unlink(self, channel: str, id: str, *, tenant: str = DEFAULT_TENANT) -> bool:
        """Let an account be nobody's again; whether it was somebody's. What it said so far stays theirs."""
        return await self._store.drop_link(tenant, channel, account_id(id))

    async def links(self, *, user: str | None = None, tenant: str = DEFAULT_TENANT) -> list[Link]:
        """Accounts and whose they are, by channel: a person's, or everybody's of the tenant."""
        return await self._store.links(tenant, user)

    async def linked(self, channel: str, id: str, *, tenant: str = DEFAULT_TENANT) -> str | None:
        """Whose an account is; None: nobody's."""
        found = await self._store.links(tenant, account=(channel, account_id(id)))
        return found[0].user if found else None

    async def _bring(self, old: Scope, new: Scope) -> None:
        """Take over everything of one person as another's, and forget them once nothing more came in meanwhile."""
        for _ in range(MOST_BRINGS):
            before = await self._store.stamps([old])
            if not any(before[0]):
                return
            with tempfile.TemporaryFile() as file:
                await self._interchange.export(file, user=old.user, format="jsonl", tenant=old.tenant)
                file.seek(0)
                await self._interchange.import_(file, user=new.user, tenant=new.tenant)
            if await self._store.stamps([old]) == before:
                await self._conversations.forget(user=old.user, all=True, tenant=old.tenant)
                return
        raise BusyError(f"{old.user} is still being written to; link the account again in a moment")


class ReplyDuty:
    """Sends replies to other programs, once this process has been told how to."""

    terms = Terms(lease=timedelta(minutes=5), claim_limit=1, one_a_scope=True, at_once=4, tries=8, lane="reply")

    def __init__(self, store: Store) -> None:
        self.kinds: tuple[str, ...] = ()  # until then the queue keeps them for a process that knows how
        self.send: Callable[[Job], Awaitable[None]] | None = None
        self._store = store

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            if self.send is None:
                raise DeliveryError("the server stops; the reply is sent by the next")
            try:
                async with asyncio.timeout(self.terms.lease.total_seconds() * 0.9):  # or another would begin as well
                    await self.send(job)
            except TimeoutError:
                raise DeliveryError("the reply was not ready in time") from None
            await self._store.apply(job.scope, [FinishJob(job.id, may_be_gone=True)])


class Replies(Part):
    """Answers kept for a day, so that a request sent twice is done once, and replies that are still to be sent."""

    _purged_at: datetime | None = None

    def __init__(self, services: Services, worker: Worker, duty: ReplyDuty) -> None:
        super().__init__(services)
        self._worker = worker
        self._duty = duty

    async def begin_reply(
        self, *, caller: str, key: str, fingerprint: str, tenant: str = DEFAULT_TENANT
    ) -> KeptReply | None:
        """Take up a request under a key of its caller's; what was answered, where it was done before.

        A `BusyError`: it is under way. A `ConflictError`: the key was used for something else.
        """
        return await self._store.begin_reply(
            tenant, caller, key, fingerprint=fingerprint, now=self._now(), lease=REPLY_LEASE
        )

    async def end_reply(
        self,
        *,
        caller: str,
        key: str,
        user: str | None,
        status: int,
        body: bytes,
        headers: Mapping[str, str],
        tenant: str = DEFAULT_TENANT,
    ) -> None:
        """Keep what was answered for a day; `user`: whom it is about, if about one person only."""
        reply = KeptReply(status=status, headers=headers, body=body)
        await self._store.end_reply(tenant, caller, key, reply, user=user, until=self._now() + REPLY_KEPT)

    async def drop_reply(self, *, caller: str, key: str, tenant: str = DEFAULT_TENANT) -> None:
        """Let a request that failed be taken up again."""
        await self._store.drop_reply(tenant, caller, key)

    async def queue_reply(
        self, *, user: str, key: str, payload: Mapping[str, str], tenant: str = DEFAULT_TENANT
    ) -> None:
        """Leave a message of another program to be answered there; the same key twice is one as long as it waits."""
        scope = person(tenant, user)
        job = replace(job_now(REPLY, scope, payload, id=self._new_id(), now=self._now()), key=key)
        await self._store.apply(scope, [Enqueue(job)])
        self._worker.wake()

    async def send_replies(self, send: Callable[[Job], Awaitable[None]] | None) -> None:
        """Send queued replies from now on, those left by a process that ended too; `send` does one. None: no longer."""
        self._duty.send, self._duty.kinds = send, () if send is None else (REPLY,)
        self._worker.wake()

    async def purge(self) -> None:
        """Take away replies whose day is over, now and then."""
        now = self._now()
        if self._purged_at is None or now - self._purged_at >= PURGED_EVERY:
            self._purged_at = now
            while await self._store.purge_replies(now) == MOST_PURGED:
                pass
