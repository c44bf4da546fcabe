from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memories import Clock, a_memory, a_store
from readers import NotationReader
from relembra import Memory


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> AsyncIterator[Memory]:
    """The whole engine on each store."""
    async with a_memory(await a_store(request.param, tmp_path), clock=clock) as memory:
        yield memory


@pytest.fixture
def reader() -> NotationReader:
    return NotationReader()


@pytest.fixture(params=["memory", "sqlite"])
async def listener(
    request: pytest.FixtureRequest, tmp_path: Path, clock: Clock, reader: NotationReader
) -> AsyncIterator[Memory]:
    """The whole engine on each store, with a reader that understands a small notation only."""
    async with a_memory(await a_store(request.param, tmp_path), clock=clock, reader=reader) as memory:
        yield memory
