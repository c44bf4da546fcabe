"""Forms sent twice: what the first sending does is done once, and both come to the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from datetime import timedelta
from typing import Any, TypeVar

from relembra.domain.ids import new_id
from relembra.interfaces.web.visits import Visit

MOST_KEPT = 1_000
PRESSED_TWICE = timedelta(minutes=1)
"""How long after the first a second sending is taken for the same wish, where the same may be wished again."""

Given = TypeVar("Given")


class Once:
    """What forms came to, the last so many of this server's; words of anybody's are kept for a minute at most."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._sent: dict[Hashable, asyncio.Task[Any]] = {}

    async def done(
        self, key: Hashable, work: Callable[[], Coroutine[Any, Any, Given]], *, within: timedelta | None = None
    ) -> Given:
        """What the work gave; of two with one key the second waits for the first. What failed may be tried again.

        `within`: so long after it was done it may be done anew.
        """
        task: asyncio.Task[Given] | None = self._sent.get(key)
        if task is None:
            task = self._sent[key] = asyncio.create_task(work())
            if within is not None:
                later, seconds = asyncio.get_running_loop().call_later, within.total_seconds()
                task.add_done_callback(lambda done: later(seconds, self._drop, key, done))
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

    def _drop(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        if self._sent.get(key) is task:
            del self._sent[key]


def form_key(visit: Visit, *parts: Hashable) -> Hashable:
    """What tells a form from others, sent by one caller about one person; without a word of its own it is like none."""
    return visit.owner, visit.request.url.path, visit.field("once") or new_id(), hash(parts)


async def done_once(visit: Visit, work: Callable[[], Coroutine[Any, Any, Given]], *parts: Hashable) -> Given:
    """What a form asks for, done once though it was pressed twice; `parts`: what was filled in."""
    once: Once = visit.request.app.state.once
    return await once.done(form_key(visit, *parts), work, within=PRESSED_TWICE)
