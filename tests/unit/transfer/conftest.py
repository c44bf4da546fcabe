"""A memory that learns by notation alone."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from memories import Clock, a_memory
from readers import NotationReader
from relembra import Memory
from relembra.store.port import Store


@pytest.fixture
async def memory(store: Store, clock: Clock) -> AsyncIterator[Memory]:
    async with a_memory(store, clock=clock, reader=NotationReader()) as memory:
        yield memory
