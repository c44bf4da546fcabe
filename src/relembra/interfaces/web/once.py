"""Forms sent twice: what the first sending does is done once, and both come to the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

MOST_KEPT = 1_000


class Once:
    """What forms came to, the last so many of this server's; only ids are kept here, no words of anybody's."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._sent: dict[Hashable, asyncio.Task[str]] = {}

    async def done(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, str]]) -> str:
        """What the work gave; of two with one key the second waits for the first. What failed may be tried again."""
        task = self._sent.get(key)
        if task is None:
            task = self._sent[key] = asyncio.create_task(work())
            while len(self._sent) > self._most:
                del self._sent[next(iter(self._sent))]
        try:
            return await asyncio.shield(task)
        except Exception:
            self.forget(key)
            raise

    def forget(self, key: Hashable) -> None:
        """Let what came of a form be done anew."""
        self._sent.pop(key, None)
