"""A cache for contexts: what was made of rows, kept under the stamps of these rows, in this process and perhaps beyond.

In the process it is bounded in entries and in bytes, the longest unused going first. Beyond it there may be one that
several processes share (`SharedCache`), which is asked for what is not here.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from relembra.domain.scope import Scope
from relembra.domain.time import Clock, system_clock

T = TypeVar("T")

Basis: TypeAlias = int | str | tuple[int | str | None, ...] | None
"""What a value was made of, in numbers that never come again: another one, and the value does not hold any more."""

MOST_ENTRIES = 10_000
MOST_BYTES = 64 * 1_048_576
ORDINARY_BYTES = 8_192
"""What a value takes where nobody says."""


@dataclass(frozen=True, slots=True)
class Shared(Generic[T]):
    """What a shared cache says of one place."""

    value: T | None = None
    left: timedelta = timedelta()  # how long it is kept there yet
    ticket: bytes | None = None  # for putting a value there; None: none can be put now


class SharedCache(Protocol):
    """Values that several processes keep in one place. It never raises: out of reach, it holds and takes nothing.

    A value is given back only for the scope, key and stamp it was put under, whatever came between.
    """

    async def get(self, scope: Scope, key: str, stamp: Basis, kind: type[T], *, expensive: bool = False) -> Shared[T]:
        """What is kept there. `expensive`: while another process makes it that is waited for, for a moment."""

    async def put(self, scope: Scope, key: str, stamp: Basis, value: object, ttl: timedelta, ticket: bytes) -> None:
        """Keep a value for at most `ttl`, unless its tenant was cleared since the ticket was given."""

    async def clear(self, tenant: str) -> None:
        """Remove everything of a tenant; where that cannot be done now, before anything else is read or put."""

    async def close(self) -> None:
        """Let go of the connection; safe to call twice."""

    @property
    def is_lost(self) -> bool:
        """Whether it was out of reach when last asked."""


@dataclass(frozen=True, slots=True)
class _Entry:
    value: Any
    size: int
    kept_at: datetime
    until: datetime


class Cache:
    """Answers kept for a while, each under a scope: the values themselves, which are immutable.

    Every call but `kept` is one short step under a lock, so tasks and threads may share it. Keys never hold remembered
    text (`port.cache_key`).
    """

    def __init__(
        self,
        *,
        most_entries: int = MOST_ENTRIES,
        most_bytes: int = MOST_BYTES,
        clock: Clock = system_clock,
        shared: SharedCache | None = None,
    ) -> None:
        self._most_entries = most_entries
        self._most_bytes = most_bytes
        self._clock = clock
        self._shared = shared
        self._entries: OrderedDict[tuple[Scope, str], _Entry] = OrderedDict()  # the longest unused first
        self._making: dict[tuple[Scope, str, Basis], asyncio.Event] = {}
        self._cleared = 0  # times
        self._is_closed = False
        self._lock = Lock()
        self.bytes = 0
        """What the entries take, about."""

    async def kept(
        self,
        scope: Scope,
        key: str,
        stamp: Basis,
        kind: type[T],
        make: Callable[[], Awaitable[T]],
        ttl: timedelta,
        *,
        holds: Callable[[T], Awaitable[bool]] | None = None,
        size: Callable[[T], int] | None = None,
    ) -> T:
        """What was made under this stamp and still `holds`, else made now and kept; None is not a value.

        Read the stamp first: what is made later may be newer than it says, never older. Whoever asks for what is just
        being made waits for that. Nothing is kept that was begun before the cache was cleared. `size` is given for
        what may be large and takes long to make.
        """

        async def held() -> T | None:
            found = self.get(scope, key)
            if found is not None and found[0] == stamp and (holds is None or await holds(found[1])):
                value: T = found[1]
                return value
            return None

        if (value := await held()) is not None:
            return value
        place = (scope, key, stamp)
        if (others := self._making.get(place)) is not None:
            await others.wait()
            if (value := await held()) is not None:
                return value
        done = asyncio.Event()
        self._making.setdefault(place, done)
        cleared = self._cleared
        shared: Shared[T] = Shared()
        try:
            if self._shared is not None:
                shared = await self._shared.get(scope, key, stamp, kind, expensive=size is not None)
                if shared.value is not None and (holds is None or await holds(shared.value)):
                    value, ttl = shared.value, min(ttl, shared.left)
            made = await make() if value is None else value
            if cleared == self._cleared:
                self.put(scope, key, (stamp, made), ttl, size=ORDINARY_BYTES if size is None else size(made))
        finally:
            done.set()
            if self._making.get(place) is done:
                del self._making[place]
        if self._shared is not None and value is None and shared.ticket is not None:
            await self._shared.put(scope, key, stamp, made, ttl, shared.ticket)
        return made

    def get(self, scope: Scope, key: str) -> Any | None:
        """The value last put there and not dropped, while its time lasts; else None."""
        now = self._clock()
        with self._lock:
            entry = self._entries.get((scope, key))
            if entry is None:
                return None
            if not entry.kept_at <= now < entry.until:  # a clock set back makes nothing last longer
                self._remove((scope, key))
                return None
            self._entries.move_to_end((scope, key))
            return entry.value

    def put(self, scope: Scope, key: str, value: Any, ttl: timedelta, *, size: int = ORDINARY_BYTES) -> None:
        """Keep a value of about so many bytes for at most `ttl` in the place of any before.

        None, no time at all, or more than the whole cache may take only removes what was there.
        """
        now = self._clock()
        with self._lock:
            if (scope, key) in self._entries:
                self._remove((scope, key))
            if self._is_closed or value is None or ttl <= timedelta() or size > self._most_bytes:
                return
            self._entries[scope, key] = _Entry(value, size, now, now + ttl)
            self.bytes += size
            while len(self._entries) > self._most_entries or self.bytes > self._most_bytes:
                self._remove(next(iter(self._entries)))

    @property
    def is_whole(self) -> bool:
        """Whether what is shared was reached when last asked, where something is."""
        return self._shared is None or not self._shared.is_lost

    async def clear(self, tenant: str) -> None:
        """Let go of everything of a tenant, and of what is just being made."""
        with self._lock:
            self._cleared += 1
            for place in [place for place in self._entries if place[0].tenant == tenant]:
                self._remove(place)
        if self._shared is not None:
            await self._shared.clear(tenant)

    async def close(self) -> None:
        """Let go of everything here and keep nothing from then on; safe to call twice."""
        with self._lock:
            self._is_closed = True
            self._entries.clear()
            self.bytes = 0
        if self._shared is not None:
            await self._shared.close()

    def _remove(self, place: tuple[Scope, str]) -> None:
        self.bytes -= self._entries.pop(place).size
