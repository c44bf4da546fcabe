"""What unit tests share: an engine on a store in memory, which is the quick one.

That every store does the same is for `tests/contract` to say; the engine on a file is tried in `tests/acceptance`, and
here where a promise is about what a file holds.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memories import Clock, a_memory, a_store
from readers import NotationReader
from relembra import Memory
from relembra.store.port import Store


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    store = await a_store("memory", Path())
    yield store
    await store.close()


@pytest.fixture
async def memory(store: Store, clock: Clock) -> AsyncIterator[Memory]:
    """The whole engine."""
    async with a_memory(store, clock=clock) as memory:
        yield memory


@pytest.fixture
def reader() -> NotationReader:
    return NotationReader()


@pytest.fixture
async def listener(store: Store, clock: Clock, reader: NotationReader) -> AsyncIterator[Memory]:
    """The whole engine, with a reader that understands a small notation only."""
    async with a_memory(store, clock=clock, reader=reader) as memory:
        yield memory
