"""A cache in this process for contexts: bounded in entries and in bytes, the longest unused going first."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from relembra.domain.scope import Scope
from relembra.domain.time import Clock, system_clock

MOST_ENTRIES = 10_000
MOST_BYTES = 64 * 1_048_576
ORDINARY_BYTES = 8_192
"""What a value takes where nobody says."""


@dataclass(frozen=True, slots=True)
class _Entry:
    value: Any
    size: int
    kept_at: datetime
    until: datetime


class Cache:
    """Answers kept for a while, each under a scope: the values themselves, which are immutable.

    Every call is one short step under a lock, so tasks and threads may share it. What values were made of is read
    before they are put, so that their stamps tell whether they still hold. Keys never hold remembered
    text (`port.cache_key`).
    """

    def __init__(
        self, *, most_entries: int = MOST_ENTRIES, most_bytes: int = MOST_BYTES, clock: Clock = system_clock
    ) -> None:
        self._most_entries = most_entries
        self._most_bytes = most_bytes
        self._clock = clock
        self._entries: OrderedDict[tuple[Scope, str], _Entry] = OrderedDict()  # the longest unused first
        self._is_closed = False
        self._lock = Lock()
        self.bytes = 0
        """What the entries take, about."""

    async def get(self, scope: Scope, key: str) -> Any | None:
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

    async def put(self, scope: Scope, key: str, value: Any, ttl: timedelta, *, size: int = ORDINARY_BYTES) -> None:
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

    async def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._entries.clear()
            self.bytes = 0

    async def close(self) -> None:
        """Let go of everything and keep nothing from then on; safe to call twice."""
        self._is_closed = True
        await self.clear()

    def _remove(self, place: tuple[Scope, str]) -> None:
        self.bytes -= self._entries.pop(place).size
