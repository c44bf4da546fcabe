"""Small modules for agent frameworks, one each; import the one for yours, which needs its package."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from relembra.errors import RelembraError
from relembra.memory import Memory, Saved
from relembra.sync import Memory as BlockingMemory

T = TypeVar("T")

AnyMemory = Memory | BlockingMemory
Work = Callable[[Memory], Coroutine[Any, Any, T]]


async def run(memory: AnyMemory, work: Work[T]) -> T:
    """Await work on either kind of memory."""
    if isinstance(memory, BlockingMemory):
        return await asyncio.to_thread(memory._call, work)
    return await work(memory)


def wait(memory: AnyMemory, work: Work[T]) -> T:
    """Wait for work on a `relembra.sync.Memory`; a `relembra.Memory` can only be awaited."""
    if isinstance(memory, BlockingMemory):
        return memory._call(work)
    raise RelembraError("this call would block the memory's own loop; await its twin, or use relembra.sync")


def chosen(user: str | Callable[[Any], str], run: Any) -> str:
    """Whose memory is meant in a run."""
    return user if isinstance(user, str) else user(run)


async def save(memory: Memory, said: str, replied: str, **where: Any) -> Saved | None:
    """Keep what was asked and answered; None where neither has words."""
    said, replied = said.strip(), replied.strip()
    return await memory.save(said=said or None, replied=replied or None, **where) if said or replied else None
