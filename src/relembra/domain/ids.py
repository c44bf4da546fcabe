"""Ids that sort by the time they were made: UUID version 7 (RFC 9562)."""

from __future__ import annotations

import os
import threading
import time
from uuid import UUID

_lock = threading.Lock()
_last = 0


def new_id() -> str:
    """A UUIDv7, greater than every one this process made before, also when the clock goes back."""
    global _last
    chance = int.from_bytes(os.urandom(10))
    with _lock:
        stamp = time.time_ns() // 1_000_000 << 12 | chance & 0x3FF
        _last = max(stamp, _last + 1)
        stamp = _last
    milliseconds, sequence = stamp >> 12, stamp & 0xFFF
    tail = chance >> 16 & 0x3FFF_FFFF_FFFF_FFFF
    digits = f"{milliseconds << 80 | 0x7 << 76 | sequence << 64 | 0x2 << 62 | tail:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def is_id(text: str) -> bool:
    """Whether it is the canonical text of a UUID."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
