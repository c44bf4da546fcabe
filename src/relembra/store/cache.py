"""A cache in this process: bounded in entries and in bytes, the longest unused going first."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from relembra.domain.scope import Scope
from relembra.domain.time import Clock, system_clock
from relembra.store.port import ORDINARY_BYTES

MOST_ENTRIES = 10_000
MOST_BYTES = 64 * 1_048_576


@dataclass(frozen=True, slots=True)
class _Entry:
    value: Any
    size: int
    kept_at: datetime
    until: datetime


class LocalCache:
    """Keeps the values themselves. Every call is one short step under a lock, so tasks and threads may share it."""

    def __init__(
        self, *, most_entries: int = MOST_ENTRIES, most_bytes: int = MOST_BYTES, clock: Clock = system_clock
    ) -> None:
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

    async def get(self, scope: Scope, key: str) -> Any | None:
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

    async def put(self, scope: Scope, key: str, value: Any, ttl: timedelta, *, size: int = ORDINARY_BYTES) -> None:
        now = self._clock()
        with self._lock:
            if (scope, key) in self._entries:
                self._remove(scope, key)
            if self._is_closed or value is None or ttl <= timedelta() or size > self._most_bytes:
                return
            self._entries[scope, key] = _Entry(value, size, now, now + ttl)
            self._keys.setdefault(scope, set()).add(key)
            self._bytes += size
            while len(self._entries) > self._most_entries or self._bytes > self._most_bytes:
                self._remove(*next(iter(self._entries)))

    async def drop(self, scope: Scope) -> None:
        with self._lock:
            for key in self._keys.pop(scope, ()):
                self._bytes -= self._entries.pop((scope, key)).size

    async def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._keys.clear()
            self._bytes = 0

    async def close(self) -> None:
        self._is_closed = True
        await self.clear()

    def _remove(self, scope: Scope, key: str) -> None:
        self._bytes -= self._entries.pop((scope, key)).size
        keys = self._keys[scope]
        keys.remove(key)
        if not keys:
            del self._keys[scope]
