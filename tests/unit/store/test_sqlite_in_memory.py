"""SQLite without a file: apart from others, leaving nothing behind, and used from several threads."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from builders import ANA, Words, an_item, items_where, kept
from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import StoreError
from relembra.store.port import ForgetItem, ForgetPerson
from relembra.store.sqlite import InMemoryStore, SqliteStore


async def test_stores_in_memory_are_apart_and_write_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    one, other = InMemoryStore(Words()), InMemoryStore(Words())
    item = an_item()
    await kept(one, item)
    assert await one.get(ANA, KnowledgeItem, [item.id]) == [item]
    assert await other.get(ANA, KnowledgeItem, [item.id]) == []
    assert (await one.forget(ANA, ForgetItem(item.id))).erased
    assert (await one.verify()).problems == ()
    assert (await one.stats()).bytes == 0
    assert list(tmp_path.iterdir()) == []
    for store in (one, other):
        await store.close()
        await store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.get(ANA, KnowledgeItem, [item.id])


async def test_what_was_forgotten_is_in_no_page_in_memory() -> None:
    store = InMemoryStore(Words())
    items = [an_item(content=f"xylophone {number} {'glass ' * 40}") for number in range(300)]
    await kept(store, *items)
    await store.forget(ANA, ForgetPerson())
    pages = await store._turns.aside(lambda db: db.serialize("main"))
    assert b"xylophone" not in pages
    await store.close()


async def test_a_copy_of_a_store_in_memory_opens_as_a_file(tmp_path: Path) -> None:
    store, item = InMemoryStore(Words()), an_item()
    await kept(store, item)
    await store.backup(tmp_path / "copy.db")
    await store.close()
    copy = await SqliteStore.open(tmp_path / "copy.db", analyzer=Words())
    assert await copy.get(ANA, KnowledgeItem, [item.id]) == [item]
    await copy.close()


async def test_a_store_in_memory_serves_several_event_loops_at_once() -> None:
    store, items = InMemoryStore(Words()), [an_item() for _ in range(40)]

    def keeping(some: list[KnowledgeItem]) -> None:
        async def keep() -> None:
            for item in some:
                await kept(store, item)
                assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]

        asyncio.run(keep())

    await asyncio.gather(*(asyncio.to_thread(keeping, items[start::4]) for start in range(4)))
    assert len((await store.page(ANA, items_where(), limit=100)).rows) == 40
    await store.close()
