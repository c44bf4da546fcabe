"""How long a piece of work may take that never waits, as reading by rules does: it looks at the time between steps.

The standard library's patterns hold every other thread up while they match. So a thread of its own is not enough: each
step has to be short, which is a matter of how much it is given, and the work has to stop in between.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from relembra.errors import TooSlowError

__all__ = ["check_time", "time_limit"]

_ends: ContextVar[float | None] = ContextVar("relembra_deadline", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Let `check_time` raise `TooSlowError` within the block once this thread has worked for so many seconds."""
    token = _ends.set(time.thread_time() + seconds)
    try:
        yield
    finally:
        _ends.reset(token)


def check_time() -> None:
    """`TooSlowError` when the time is up; to be called between any two steps that could take long."""
    ends = _ends.get()
    if ends is not None and time.thread_time() > ends:
        raise TooSlowError("reading took longer than it may")
