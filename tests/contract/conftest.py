"""The stores every contract test runs on: SQLite in a file, and in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from builders import Words
from relembra.store.port import Store
from relembra.store.sqlite import InMemoryStore, SqliteStore


async def _in_file(folder: Path) -> Store:
    return await SqliteStore.open(folder / "memory.db", analyzer=Words(), durability="normal")


async def _in_memory(_folder: Path) -> Store:
    return InMemoryStore(Words())


OPENERS: dict[str, Callable[[Path], Awaitable[Store]]] = {"file": _in_file, "memory": _in_memory}


@pytest.fixture(params=OPENERS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store = await OPENERS[request.param](tmp_path)
    yield store
    await store.close()
