"""A cache in this process: bounded in entries and in bytes, the longest unused going first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Set
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime, timedelta
from itertools import islice
from sys import getsizeof
from threading import Lock
from typing import Any

from relembra.domain.scope import Scope
from relembra.domain.time import Clock, system_clock
from relembra.errors import SettingsError
from relembra.store.port import Cache, Codec, cache_key

__all__ = ["Cache", "Codec", "LocalCache", "cache_key", "rough_size"]

MOST_ENTRIES = 10_000
MOST_BYTES = 64 * 1_048_576
ENTRY_BYTES = 400
"""What keeping an entry takes besides its value and its key."""
_SAMPLED = 64  # members of a collection that are weighed; the rest weigh the same on average
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class _Entry:
    value: Any
    size: int
    kept_at: datetime
    until: datetime


class LocalCache:
    """Keeps the values themselves, so that no codec is used. An entry too large for the whole cache is not kept.

    Every call is one short step under a lock, so tasks and threads may share it.
    """

    def __init__(
        self, *, most_entries: int = MOST_ENTRIES, most_bytes: int = MOST_BYTES, clock: Clock = system_clock
    ) -> None:
        if most_entries < 0 or most_bytes < 0:
            raise SettingsError("a cache cannot hold less than nothing")
        self._most_entries = most_entries
        self._most_bytes = most_bytes
        self._clock = clock
        self._entries: OrderedDict[tuple[Scope, str], _Entry] = OrderedDict()  # the longest unused first
        self._keys: dict[Scope, set[str]] = {}
        self._bytes = 0
        self._is_closed = False
        self._lock = Lock()

    @property
    def entries(self) -> int:
        """How many entries are held, those whose time is over and nobody asked for since among them."""
        return len(self._entries)

    @property
    def bytes(self) -> int:
        """What they take, about."""
        return self._bytes

    async def get(
        self,
        scope: Scope,
        key: str,
        *,
        codec: Codec | None = None,  # noqa: ARG002 - the value itself is kept
    ) -> Any | None:
        """The value last put there and not dropped, while its time lasts; else None."""
        now = self._clock()
        with self._lock:
            entry = self._entries.get((scope, key))
            if entry is None:
                return None
            if not entry.kept_at <= now < entry.until:  # a clock set back makes nothing last longer
                self._remove(scope, key)
                return None
            self._entries.move_to_end((scope, key))
            return entry.value

    async def put(
        self,
        scope: Scope,
        key: str,
        value: Any,
        ttl: timedelta,
        *,
        codec: Codec | None = None,  # noqa: ARG002 - the value itself is kept
        size: int | None = None,
    ) -> None:
        """Keep a value for at most `ttl` in the place of any before; None, or no time at all, removes it."""
        now = self._clock()
        taken = ENTRY_BYTES + len(key) + (rough_size(value) if size is None else max(0, size))
        with self._lock:
            if (scope, key) in self._entries:
                self._remove(scope, key)
            fits = taken <= self._most_bytes and self._most_entries > 0
            if self._is_closed or value is None or ttl <= timedelta() or not fits:
                return
            self._entries[scope, key] = _Entry(value, taken, now, _after(now, ttl))
            self._keys.setdefault(scope, set()).add(key)
            self._bytes += taken
            while len(self._entries) > self._most_entries or self._bytes > self._most_bytes:
                self._remove(*next(iter(self._entries)))

    async def drop(self, scope: Scope) -> None:
        """Let go at once of all that is kept under a scope, and of nothing else."""
        with self._lock:
            for key in self._keys.pop(scope, ()):
                self._bytes -= self._entries.pop((scope, key)).size

    async def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._entries.clear()
            self._keys.clear()
            self._bytes = 0

    async def close(self) -> None:
        """Let go of everything; nothing is kept from then on."""
        self._is_closed = True
        await self.clear()

    def _remove(self, scope: Scope, key: str) -> None:
        self._bytes -= self._entries.pop((scope, key)).size
        keys = self._keys[scope]
        keys.remove(key)
        if not keys:
            del self._keys[scope]


def _after(now: datetime, ttl: timedelta) -> datetime:
    try:
        return now + ttl
    except OverflowError:
        return datetime.max.replace(tzinfo=now.tzinfo)


def rough_size(value: Any, depth: int = _DEEPEST) -> int:
    """About how many bytes a value takes with what it holds; of large collections a few members are weighed."""
    size = getsizeof(value)
    if depth == 0 or isinstance(value, str | bytes | int | float | None):
        return size
    if isinstance(value, Mapping):
        sampled = [part for pair in islice(value.items(), _SAMPLED) for part in pair]
        return size + _weighed(sampled, 2 * len(value), depth)
    if isinstance(value, tuple | list | Set):
        return size + _weighed(list(islice(value, _SAMPLED)), len(value), depth)
    if is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, entry.name) for entry in fields(value)]
        return size + _weighed(parts, len(parts), depth)
    return size


def _weighed(sampled: list[Any], count: int, depth: int) -> int:
    """What some members weigh, brought up to the count of all."""
    if not sampled:
        return 0
    return sum(rough_size(part, depth - 1) for part in sampled) * count // len(sampled)
