"""The numbers kept beside items, and what a page in any order reads, in the SQLite store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from builders import ANA, NOW, Words, an_id, an_item, days, items_where, kept
from relembra.domain.attributes import EVENTS
from relembra.domain.knowledge import ItemState, KnowledgeType, LifeArea
from relembra.domain.scope import Place
from relembra.store.port import EventFilter, ForgetItem, ItemOrder, Kind, Put, Touch
from relembra.store.sqlite import SqliteStore, filters
from relembra.store.sqlite import reads as reading
from relembra.store.sqlite import schema as migrating


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words(), readers=1)
    try:
        yield store
    finally:
        await store.close()


def tally(folder: Path) -> list[tuple[object, ...]]:
    db = apsw.Connection(str(folder / "memory.db"))
    statement = "SELECT space, area, type, confidence, validated, needs_resolution, items FROM item_tally ORDER BY 1, 2"
    return db.execute(statement).fetchall()


async def test_an_earlier_file_is_counted_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db = apsw.Connection(str(path))
    migrating.migrate(db, path, migrating.shipped()[:8])
    db.execute("INSERT INTO meta VALUES ('analyzer', '1')")
    for number, (space, area, deleted_at) in enumerate(
        [(None, None, None), (None, None, None), ("guild", "health", None), (None, None, 5)]
    ):
        db.execute(
            "INSERT INTO item (tenant, owner, id, space, channel, type, area, subject, title, content, source,"
            " message_ids, confidence, weight, priority, validated, needs_resolution, related, tags, person,"
            " observations, accesses, held_from, created_at, updated_at, deleted_at, zone, version, analyzer, length)"
            " VALUES ('default', 'ana', ?, ?, 'direct', 'fact', ?, 'self', 'fair', 'glass', 'conversation', '[]', 1, 1,"
            " 5, 0, 0, '[]', '[]', '{}', 1, 0, 0, 3, 3, ?, '+00:00', 1, 1, 0)",
            (bytes.fromhex(an_id(number).replace("-", "")), space, area, deleted_at),
        )
    db.close()
    store = await SqliteStore.open(path, analyzer=Words())
    counts = await store.count_items(ANA, items_where())
    assert sorted((count.area or "", count.items) for count in counts) == [("", 2), ("health", 1)]
    await store.close()
    assert tally(tmp_path) == [("", "", "fact", 1.0, 0, 0, 2), ("guild", "health", "fact", 1.0, 0, 0, 1)]


async def test_only_what_is_tallied_is_kept_in_the_tally(store: SqliteStore, tmp_path: Path) -> None:
    item = an_item(area=LifeArea.HEALTH, confidence=0.7)
    await kept(store, item, an_item(expires_at=NOW + days(1)), an_item(archived_at=NOW))
    row = ("", "health", "fact", 0.7, 0, 0, 1)
    assert tally(tmp_path) == [row]
    await store.apply(ANA, [Touch(Kind.ITEM, (item.id,), NOW)])
    await store.apply(ANA, [Put(replace(item, content="another glass", version=2), 1)])
    assert tally(tmp_path) == [row]
    await store.apply(ANA, [Put(replace(item, place=Place("guild", "a"), confidence=0.8, version=3), 2)])
    assert tally(tmp_path) == [("guild", "health", "fact", 0.8, 0, 0, 1)]
    await store.forget(ANA, ForgetItem(item.id))
    assert tally(tmp_path) == []


async def test_a_wrong_number_is_found_by_verify(store: SqliteStore, tmp_path: Path) -> None:
    await kept(store, an_item(), an_item())
    assert (await store.verify()).problems == ()
    apsw.Connection(str(tmp_path / "memory.db")).execute("UPDATE item_tally SET items = 7")
    assert (await store.verify()).problems == ("default/ana items: 7 of a kind are tallied, not 2",)
    apsw.Connection(str(tmp_path / "memory.db")).execute("DELETE FROM item_tally")
    assert (await store.verify()).problems == ("default/ana items: 0 of a kind are tallied, not 2",)


def test_events_are_named_in_the_file_as_in_the_rules() -> None:
    [step] = [step for step in migrating.shipped() if step.name == "tally"]
    named = ", ".join(f"'{name}'" for name in EVENTS)
    assert f"WHERE type = '{KnowledgeType.MEMORY}' OR attribute IN ({named});" in step.sql
    happens = f"(row.type = '{KnowledgeType.MEMORY}' OR row.attribute IN ({named}))"
    assert happens == filters.HAPPENS


Asking = Callable[[], Awaitable[object]]


async def read_by(store: SqliteStore, asking: Asking) -> list[str]:
    """How SQLite goes about what it is asked."""
    asked: list[str] = []

    def note(_cursor: object, statement: str, _values: object) -> bool:
        asked.append(statement)
        return True

    def plans(db: apsw.Connection) -> list[str]:
        db.exec_trace = None
        chosen = [one for one in asked if one.startswith("SELECT")]
        explained = [db.execute(f"EXPLAIN QUERY PLAN {one}", [None] * one.count("?")).fetchall() for one in chosen]
        return [str(row[-1]) for rows in explained for row in rows]

    await store._readers.do(lambda db: setattr(db, "exec_trace", note))
    await asking()
    return await store._readers.do(plans)


INDEXES = {
    ItemOrder.NEWEST: "item_by_time",
    ItemOrder.OLDEST: "item_by_time",
    ItemOrder.SUREST: "item_by_confidence",
    ItemOrder.UNSURE: "item_by_confidence",
    ItemOrder.CHANGED: "item_by_change",
}


@pytest.mark.parametrize("order", ItemOrder)
async def test_a_page_is_read_in_its_order_and_not_sorted(store: SqliteStore, order: ItemOrder) -> None:
    await kept(store, an_item(), an_item())
    page = partial(store.page, ANA, items_where(order=order), limit=1)
    behind = (await page()).next
    for after in (None, behind):
        [plan] = await read_by(store, partial(page, after=after))
        assert plan.startswith(f"SEARCH row USING INDEX {INDEXES[order]} (tenant=? AND owner=?")


CORNERS: dict[str, dict[str, Any]] = {
    "item_by_area": {"no_area": True},
    "item_confirmed": {"only": ItemState.CONFIRMED},
    "item_questioned": {"only": ItemState.QUESTIONED},
    "item_deleted": {"only": ItemState.DELETED},
    "item_local": {"only": ItemState.LOCAL},
}


@pytest.mark.parametrize("order", ItemOrder)
@pytest.mark.parametrize("index", CORNERS)
async def test_few_among_many_are_found_without_reading_the_many(
    store: SqliteStore, index: str, order: ItemOrder
) -> None:
    await kept(store, an_item(), an_item(area=LifeArea.HEALTH))
    for more in ({}, {"as_of": NOW}, {"history": True, "deleted": True}):
        wanted = items_where(**CORNERS[index], **more)
        *_, plan = (
            one for one in await read_by(store, partial(store.page, ANA, replace(wanted, order=order))) if "row" in one
        )
        assert plan.startswith(f"SEARCH row USING INDEX {index} (tenant=? AND owner=?")


async def test_one_area_s_newest_are_read_in_their_order(store: SqliteStore) -> None:
    page = partial(store.page, ANA, items_where(areas=(LifeArea.HEALTH,)))
    assert await read_by(store, page) == ["SEARCH row USING INDEX item_by_area (tenant=? AND owner=? AND area=?)"]


async def test_of_many_those_wanted_are_read_in_the_order_asked_for(store: SqliteStore) -> None:
    await kept(store, *(an_item(deleted_at=NOW) for _ in range(reading.FEW)))
    page = partial(store.page, ANA, items_where(only=ItemState.DELETED, order=ItemOrder.CHANGED))
    plan = (await read_by(store, page))[-2:]
    assert plan == [
        "SEARCH row USING INDEX item_deleted (tenant=? AND owner=? AND deleted_at>?)",
        "USE TEMP B-TREE FOR ORDER BY",
    ]
    await kept(store, an_item(deleted_at=NOW))
    assert (await read_by(store, page))[-1] == "SEARCH row USING INDEX item_by_change (tenant=? AND owner=?)"


async def test_what_is_decided_is_counted_from_the_tally(store: SqliteStore) -> None:
    for state in (ItemState.CONFIRMED, ItemState.UNCONFIRMED, ItemState.QUESTIONED):
        wanted = items_where(no_area=True, only=state)
        tallied, *_ = await read_by(store, partial(store.count_items, ANA, wanted))
        assert tallied == "SEARCH row USING PRIMARY KEY (tenant=? AND owner=?)"


async def test_counting_what_was_deleted_reads_no_more_than_that(store: SqliteStore) -> None:
    counting = partial(store.count_items, ANA, items_where(only=ItemState.DELETED))
    counted, *_ = await read_by(store, counting)
    assert counted == "SEARCH row USING INDEX item_deleted (tenant=? AND owner=? AND deleted_at>?)"


async def test_events_are_read_in_their_order(store: SqliteStore) -> None:
    [plan] = await read_by(store, lambda: store.page(ANA, EventFilter()))
    assert plan == "SEARCH row USING INDEX item_event (tenant=? AND owner=?)"


async def test_counting_what_is_current_reads_the_tally_and_what_has_an_end(store: SqliteStore) -> None:
    wanted = items_where(areas=(LifeArea.HEALTH,), confidence_below=0.9)
    tallied, ending, *_ = await read_by(store, lambda: store.count_items(ANA, wanted))
    assert tallied == "SEARCH row USING PRIMARY KEY (tenant=? AND owner=?)"
    assert ending == "SEARCH row USING COVERING INDEX item_expiring (tenant=? AND owner=? AND expires_at>?)"
