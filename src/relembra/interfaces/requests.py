"""What interfaces for other programs share: limits of requests, words in headers, and which way a message came in."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from enum import StrEnum

MOST = 10_000
BURST_SECONDS = 10.0


USER_HEADER = "x-relembra-user"
"""Whose memory a request is about, where nothing else of it says so."""
VIA = "via"
"""The metadata that says which way a message came in, where it came through a server of ours for other programs."""


class Via(StrEnum):
    PROXY = "proxy"
    MCP = "mcp"


class Buckets:
    """Token buckets by name, refilled evenly. The one unused for longest is dropped first."""

    def __init__(self, *, most: int = MOST, seconds: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is left, and when that was

    def __len__(self) -> int:
        return len(self._held)

    def take(self, name: str, a_minute: int) -> float:
        """Take one: 0.0 where there was one, else the seconds until there is. Ten seconds' worth may come at once."""
        rate = a_minute / 60
        full = max(1.0, rate * BURST_SECONDS)
        now = self._seconds()
        left, at = self._held.pop(name, (full, now))
        left = min(full, left + (now - at) * rate)
        wait = 0.0 if left >= 1 else (1 - left) / rate
        self._held[name] = (left - 1 if wait == 0.0 else left, now)
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return wait


def in_utf8(header: str | None) -> str | None:
    """The words of a header, which come as if they were Latin-1, in UTF-8 where they are that."""
    try:
        return None if header is None else header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header
