"""What the framework modules share: a memory called from awaiting and from blocking code, lists page by page, JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from relembra.errors import InvalidInputError, RelembraError
from relembra.memory import Memory
from relembra.recall.query import Listing
from relembra.sync import Memory as BlockingMemory

T = TypeVar("T")

AnyMemory = Memory | BlockingMemory
Work = Callable[[Memory], Coroutine[Any, Any, T]]


class Bridge:
    """Runs work on a memory: awaited with `run`, waited for with `wait`.

    A `relembra.sync.Memory` serves both. A `relembra.Memory` belongs to the loop it was handed over in, so that only
    other threads may wait for it.
    """

    def __init__(self, memory: AnyMemory) -> None:
        self._memory = memory
        self._loop = None if isinstance(memory, BlockingMemory) else _running_loop()

    async def run(self, work: Work[T]) -> T:
        memory = self._memory
        if isinstance(memory, BlockingMemory):
            return await asyncio.to_thread(memory._call, work)
        return await work(memory)

    def wait(self, work: Work[T]) -> T:
        memory = self._memory
        if isinstance(memory, BlockingMemory):
            return memory._call(work)
        if self._loop is None or not self._loop.is_running() or _running_loop() is self._loop:
            raise RelembraError("this call would block the memory's own loop; await its twin, or use relembra.sync")
        return asyncio.run_coroutine_threadsafe(work(memory), self._loop).result()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


async def every(verb: Callable[..., Awaitable[Listing[T]]], **asked: Any) -> AsyncIterator[T]:
    """All that a verb lists, page after page."""
    after: str | None = None
    while True:
        page = await verb(after=after, **asked)
        for row in page:
            yield row
        after = page.next
        if after is None:
            return


def to_json(value: Any, field: str, **options: Any) -> str:
    """A value as JSON; `InvalidInputError` where it is none."""
    try:
        return json.dumps(value, **options)
    except (TypeError, ValueError) as exc:
        raise InvalidInputError(f"{field} must be JSON: {exc}", field=field) from exc
