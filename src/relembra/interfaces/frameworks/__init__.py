"""Small modules for agent frameworks, one each; import the one for yours, which needs its package."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from relembra.errors import RelembraError
from relembra.memory import Memory
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
