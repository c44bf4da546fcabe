"""The stores every contract test runs on: SQLite in a file and in memory, and PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from builders import Words
from relembra.store.port import Store
from relembra.store.postgres import PostgresStore
from relembra.store.sqlite import InMemoryStore, SqliteStore, backups

Ask = Callable[[str], Any]
"""Gives a fixture by its name."""


async def _in_file(folder: Path, _ask: Ask) -> Store:
    return await SqliteStore.open(folder / "memory.db", analyzer=Words(), durability="normal")


async def _in_memory(_folder: Path, _ask: Ask) -> Store:
    return InMemoryStore(Words())


async def _on_server(_folder: Path, ask: Ask) -> Store:
    address = ask("postgres_server").emptied()
    return await PostgresStore.open(address, analyzer=Words(), archive=backups.archive, patience_seconds=60.0)


OPENERS: dict[str, Callable[[Path, Ask], Awaitable[Store]]] = {
    "file": _in_file,
    "memory": _in_memory,
    "postgres": _on_server,
}


@pytest.fixture(params=OPENERS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store = await OPENERS[request.param](tmp_path, request.getfixturevalue)
    yield store
    await store.close()
