"""The writer's groups, and what several callers at once see."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest

from builders import ANA, Words, a_message, a_night, a_run, an_item, buffering, items_where, kept, puts
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message
from relembra.errors import ConflictError, StoreFullError
from relembra.store.port import FinishJob, Put, PutMessage
from relembra.store.sqlite import SqliteStore


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())
    yield store
    await store.close()


async def test_of_a_group_only_the_failing_request_is_taken_back(store: SqliteStore) -> None:
    good = [an_item() for _ in range(40)]
    stray = an_item()
    requests = [store.apply(ANA, puts(item)) for item in good]
    requests[20:20] = [store.apply(ANA, [*puts(stray), FinishJob(an_item().id)])]
    answers = await asyncio.gather(*requests, return_exceptions=True)
    assert [type(answer) for answer in answers if isinstance(answer, Exception)] == [ConflictError]
    page = await store.page(ANA, items_where(), limit=100)
    assert {item.id for item in page.rows} == {item.id for item in good}
    assert (await store.verify()).problems == ()


async def test_of_many_who_replace_the_same_version_one_wins(store: SqliteStore) -> None:
    from dataclasses import replace

    item = an_item()
    await kept(store, item)
    tries = [replace(item, content=f"try {number}", version=2) for number in range(20)]
    answers = await asyncio.gather(*(store.apply(ANA, [Put(row, 1)]) for row in tries), return_exceptions=True)
    assert sum(isinstance(answer, ConflictError) for answer in answers) == 19
    assert (await store.verify()).problems == ()


async def test_a_full_disk_changes_nothing_and_the_store_stays_usable(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())
    limit = "PRAGMA max_page_count = {}"
    pages = await store._writer.do(lambda db: db.execute("PRAGMA page_count").get)
    await store._writer.do(lambda db: db.execute(limit.format(pages)).get)
    with pytest.raises(StoreFullError):
        await kept(store, a_message(text="x" * 100_000))
    answers = await asyncio.gather(
        *(store.apply(ANA, puts(a_message(text="x" * 100_000))) for _ in range(5)), return_exceptions=True
    )
    assert {type(answer) for answer in answers} == {StoreFullError}
    await store._writer.do(lambda db: db.execute(limit.format(1_000_000)).get)
    message = a_message()
    await kept(store, message)
    assert await store.get(ANA, Message, [message.id]) == [message]
    await store.close()


async def test_a_cancelled_caller_leaves_the_store_usable(store: SqliteStore) -> None:
    task = asyncio.ensure_future(store.apply(ANA, puts(an_item())))
    await asyncio.sleep(0)
    task.cancel()
    item = an_item()
    await kept(store, item)
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]


async def test_many_readers_and_writers_at_once(store: SqliteStore) -> None:
    items = [an_item() for _ in range(100)]

    async def put_and_read(item: object) -> bool:
        assert hasattr(item, "id")
        await store.apply(ANA, puts(item))  # type: ignore[arg-type]  # an item
        return bool(await store.get(ANA, KnowledgeItem, [item.id]))

    assert all(await asyncio.gather(*(put_and_read(item) for item in items)))


async def test_a_copy_can_be_opened_and_holds_the_same(store: SqliteStore, tmp_path: Path) -> None:
    items = [an_item() for _ in range(20)]
    await kept(store, *items)
    size = await store.backup(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").stat().st_size == size
    assert [file.name for file in tmp_path.iterdir() if "partial" in file.name] == []
    copy = await SqliteStore.open(tmp_path / "copy.db", analyzer=Words(), create=False)
    assert await copy.get(ANA, KnowledgeItem, [item.id for item in items]) == items
    assert (await copy.verify()).problems == ()
    await copy.close()


DAMAGE = {
    "a posting that is missing": "DELETE FROM posting WHERE term = 'glass'",
    "a posting of nothing": "INSERT INTO posting VALUES ('default', 'ana', 1, 'ghost', x'00', 1, 1)",
    "another frequency": "UPDATE posting SET tf = tf + 1 WHERE term = 'glass'",
    "other counts": "UPDATE slice SET docs = docs + 1",
    "a vector that is too long": "UPDATE embedding SET vector = zeroblob(16)",
    "a vector that is too weak": "UPDATE embedding SET vector = x'0000003f00000000'",
    "a vector without the whole text's": "UPDATE embedding SET part = 1",
    "vectors counted wrongly": "UPDATE vector_slice SET vectors = 7",
    "a vector of nothing": "UPDATE embedding SET id = x'00112233445566778899aabbccddeeff'",
    "a buffered message that is not there": "UPDATE buffered SET message = x'00112233445566778899aabbccddeeff'",
    "a buffer that is not there": "DELETE FROM buffer",
    "a buffer without its job": "DELETE FROM job",
    "something due that is not there": "UPDATE unaccounted SET id = x'00112233445566778899aabbccddeeff'",
    "a record of an unknown kind": "UPDATE run SET kind = 'dreaming'",
    "a record of an unknown count": """UPDATE run SET tally = '{"dreams":1}'""",
    "a record of no day": "UPDATE run SET night = 'yesterday'",
    "a successor that is not there": "UPDATE item SET superseded_by = x'00112233445566778899aabbccddeeff'",
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_verifying_tells(store: SqliteStore, tmp_path: Path, damage: str) -> None:
    from builders import MODEL, a_vector
    from relembra.store.port import Kind, PutVectors

    item, message = an_item(), a_message()
    await kept(store, item, a_run(night=a_night(1)))
    await store.apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (a_vector(1, 0),))])
    await store.apply(ANA, [PutMessage(message), buffering(message)])
    assert (await store.verify()).problems == ()
    db = apsw.Connection(str(tmp_path / "memory.db"))
    db.execute(DAMAGE[damage])
    db.close()
    assert len((await store.verify()).problems) >= 1
