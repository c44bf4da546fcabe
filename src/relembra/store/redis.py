"""The cache for contexts in Redis, so that several processes share it and a restart does not empty it.

A person has one hash, with a field for each value, and it goes as a whole an hour after its first value came. Its name
and its fields are keyed digests, and every value carries one of where it belongs, of its stamp and of itself: what is
mistaken for another, of an older stamp, cut off or foreign is not taken for a value. No clock decides that.

A value may be put only under the ticket that was given when it was not found. Clearing a tenant changes its ticket
first, so that what was begun before comes too late. Redis out of reach or slow is left alone for a moment, and what
was to be cleared is cleared before anything else.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from hashlib import blake2b
from typing import TypeVar

import msgspec

from relembra.domain.scope import Scope
from relembra.errors import MissingExtraError, SettingsError, StoreUnavailableError
from relembra.store.cache import Basis, Shared

R = TypeVar("R")
T = TypeVar("T")

TIMEOUT_SECONDS = 0.1
PAUSE_SECONDS = 2.0
LEASE_SECONDS = 1.0
LOOK_EVERY_SECONDS = 0.02
CONNECTIONS = 32
LARGEST_BYTES = 1_048_576
AT_ONCE = 1_000  # keys removed in one call
TICKET_FOR = timedelta(days=1)
_DIGEST = 16

_GET = """
local ticket = redis.call('GET', KEYS[1])
if not ticket then
  ticket = ARGV[2]
  redis.call('SET', KEYS[1], ticket)
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {ticket, redis.call('HGET', KEYS[2], ARGV[1]), redis.call('PTTL', KEYS[2])}
"""
_PUT = """
redis.call('DEL', KEYS[3])
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
if redis.call('PTTL', KEYS[2]) < 0 then redis.call('PEXPIRE', KEYS[2], ARGV[4]) end
return 1
"""

log = logging.getLogger(__name__)


class RedisCache:
    """A `SharedCache` on a Redis server, for the processes of one store that work by the same settings.

    `family` tells them apart from others on that server; it is a secret of the store, and so no name in Redis gives
    anybody away, and nobody without it can put something there.
    """

    def __init__(
        self,
        url: str,
        family: str,
        *,
        timeout_seconds: float = TIMEOUT_SECONDS,
        pause_seconds: float = PAUSE_SECONDS,
        lease_seconds: float = LEASE_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        try:
            import redis.asyncio as client
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
            from redis.exceptions import RedisError, ResponseError
        except ImportError as exc:
            raise MissingExtraError("a cache in Redis", "redis") from exc
        try:
            pool = client.BlockingConnectionPool.from_url(
                url,
                max_connections=CONNECTIONS,
                timeout=timeout_seconds,
                socket_timeout=timeout_seconds,
                socket_connect_timeout=timeout_seconds,
                retry=Retry(NoBackoff(), 0),
            )
        except ValueError as exc:
            raise SettingsError("cache is no address of a Redis server; use redis://HOST:PORT/0") from exc
        self._redis = client.Redis.from_pool(pool)
        self._read, self._write = self._redis.register_script(_GET), self._redis.register_script(_PUT)
        self._refused, self._troubles = ResponseError, (RedisError, OSError, TimeoutError)
        self._key = blake2b(family.encode(), digest_size=32).digest()
        self._pause_seconds, self._lease_seconds = pause_seconds, lease_seconds
        self._monotonic, self._wait = monotonic, wait
        self.is_lost, self._left_alone_until = False, 0.0
        self._to_clear: set[str] = set()  # tenants

    async def get(self, scope: Scope, key: str, stamp: Basis, kind: type[T], *, expensive: bool = False) -> Shared[T]:
        async def ask() -> Shared[T]:
            found = await self._look(scope, key, stamp, kind)
            if found.value is None and expensive:
                await self._turn(scope, key, stamp, lambda: self._look(scope, key, stamp, kind))
                found = await self._look(scope, key, stamp, kind)  # it may have come just before the turn did
            return found

        return await self._reach(ask) or Shared()

    async def _turn(self, scope: Scope, key: str, stamp: Basis, look: Callable[[], Awaitable[Shared[T]]]) -> None:
        """Wait until no other process makes it, or it is there, or one that does takes too long."""
        lease, until = self._lease(scope, key, stamp), self._monotonic() + self._lease_seconds
        lasting = timedelta(seconds=self._lease_seconds)
        while not await self._redis.set(lease, b"", nx=True, px=lasting):
            if self._monotonic() >= until or (await look()).value is not None:
                break
            await self._wait(LOOK_EVERY_SECONDS)

    async def _look(self, scope: Scope, key: str, stamp: Basis, kind: type[T]) -> Shared[T]:
        ticket, packed, left = await self._read(
            keys=self._names(scope), args=[self._digest(key), os.urandom(_DIGEST), _milliseconds(TICKET_FOR)]
        )
        if packed is None or packed[:_DIGEST] != self._seal(scope, key, stamp, packed[_DIGEST:]):
            return Shared(ticket=ticket)
        try:
            value = msgspec.json.decode(packed[_DIGEST:], type=kind)
        except msgspec.DecodeError:  # a program of another version put it
            return Shared(ticket=ticket)
        return Shared(value, timedelta(milliseconds=left), ticket)

    async def put(self, scope: Scope, key: str, stamp: Basis, value: object, ttl: timedelta, ticket: bytes) -> None:
        try:
            body = msgspec.json.encode(value)
        except UnicodeEncodeError:  # half a character, which JSON cannot say
            return
        if ttl <= timedelta() or len(body) > LARGEST_BYTES:
            return
        packed = self._seal(scope, key, stamp, body) + body
        keys = [*self._names(scope), self._lease(scope, key, stamp)]
        await self._reach(lambda: self._write(keys=keys, args=[ticket, self._digest(key), packed, _milliseconds(ttl)]))

    async def clear(self, tenant: str) -> None:
        self._to_clear.add(tenant)
        await self._reach(self._redis.ping)

    async def tried(self) -> None:
        """Ask Redis whether it is there, and let go: `StoreUnavailableError` where it is not."""
        try:
            await self._redis.ping()
        except self._troubles as exc:
            raise StoreUnavailableError(f"Redis does not answer: {type(exc).__name__}") from exc
        finally:
            await self._redis.aclose()

    async def close(self) -> None:
        if self._to_clear:
            await self._reach(self._redis.ping)
        await self._redis.aclose()

    async def _reach(self, ask: Callable[[], Awaitable[R]]) -> R | None:
        """What Redis answers, once all that is due is cleared; None where it does not, and is left alone for a while.

        When that is over one caller tries again, and the others wait for how that goes.
        """
        now = self._monotonic()
        if now < self._left_alone_until:
            return None
        if self.is_lost:
            self._left_alone_until = now + self._pause_seconds
        try:
            for tenant in tuple(self._to_clear):
                await self._clear(tenant)
            answer = await ask()
        except self._refused as exc:  # it is there, and has no room, or something of another kind under our name
            log.warning("the cache in Redis refused: %s", type(exc).__name__)
            answer = None
        except self._troubles as exc:
            if not self.is_lost:
                log.warning("the cache in Redis is out of reach: %s", type(exc).__name__)
            self.is_lost = True
            self._left_alone_until = self._monotonic() + self._pause_seconds
            return None
        if self.is_lost:
            log.info("the cache in Redis is back")
        self.is_lost, self._left_alone_until = False, 0.0
        return answer

    async def _clear(self, tenant: str) -> None:
        name, _ = self._names(Scope(tenant, "anybody"))
        await self._redis.set(name, os.urandom(_DIGEST), px=TICKET_FOR)
        keys = [key async for key in self._redis.scan_iter(match=f"{name}:*", count=AT_ONCE)]
        for first in range(0, len(keys), AT_ONCE):
            await self._redis.unlink(*keys[first : first + AT_ONCE])
        self._to_clear.discard(tenant)

    def _names(self, scope: Scope) -> list[str]:
        """Where a tenant's ticket is, and what is kept of a person."""
        tenant = f"relembra:{self._digest(scope.tenant)}"
        return [tenant, f"{tenant}:{self._digest(scope.user)}"]

    def _lease(self, scope: Scope, key: str, stamp: Basis) -> str:
        return f"{self._names(scope)[0]}:{self._digest(scope.user, key, stamp)}"

    def _digest(self, *parts: object) -> str:
        return blake2b(msgspec.json.encode(parts), digest_size=_DIGEST, key=self._key).hexdigest()

    def _seal(self, scope: Scope, key: str, stamp: Basis, body: bytes) -> bytes:
        head = msgspec.json.encode((scope.tenant, scope.user, key, stamp))
        return blake2b(head + b"\0" + body, digest_size=_DIGEST, key=self._key).digest()


def _milliseconds(time: timedelta) -> int:
    return max(1, int(time / timedelta(milliseconds=1)))
