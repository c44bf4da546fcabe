"""The stores every contract test runs on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from builders import Words
from relembra.store.memory import InMemoryStore
from relembra.store.port import Store


@asynccontextmanager
async def _memory(_folder: Path) -> AsyncIterator[Store]:
    yield InMemoryStore(Words())


@asynccontextmanager
async def _sqlite(folder: Path) -> AsyncIterator[Store]:
    from relembra.store.sqlite import SqliteStore

    store = await SqliteStore.open(folder / "memory.db", analyzer=Words())
    try:
        yield store
    finally:
        await store.close()


OPENERS: dict[str, Callable[[Path], AbstractAsyncContextManager[Store]]] = {"memory": _memory, "sqlite": _sqlite}


@pytest.fixture(params=OPENERS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with OPENERS[request.param](tmp_path) as store:
        yield store
