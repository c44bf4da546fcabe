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


@asynccontextmanager
async def _sqlite_hot(folder: Path) -> AsyncIterator[Store]:
    """With every vector that was searched kept at hand, where otherwise few are scanned in the file."""
    from relembra.store.sqlite import SqliteStore
    from relembra.store.sqlite.hot import HotSlices

    store = await SqliteStore.open(folder / "memory.db", analyzer=Words(), hot=HotSlices(least_vectors=1))
    try:
        yield store
    finally:
        await store.close()


OPENERS: dict[str, Callable[[Path], AbstractAsyncContextManager[Store]]] = {
    "memory": _memory,
    "sqlite": _sqlite,
    "sqlite-hot": _sqlite_hot,
}


@pytest.fixture(params=OPENERS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with OPENERS[request.param](tmp_path) as store:
        yield store
