from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memories import Clock, a_memory, a_store
from relembra import Memory


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> AsyncIterator[Memory]:
    """The whole engine on each store."""
    async with a_memory(await a_store(request.param, tmp_path), clock=clock) as memory:
        yield memory
