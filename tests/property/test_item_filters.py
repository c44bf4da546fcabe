"""Whatever is asked of whatever items, the store in memory and SQLite choose the same, and what the words say."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import ANA, NOW, Words, a_query, an_id, an_item, kept, minutes
from relembra.domain.knowledge import ItemState, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.scope import DIRECT, Place
from relembra.store.memory import InMemoryStore
from relembra.store.port import ItemFilter, ItemOrder, Store
from relembra.store.sqlite import SqliteStore

IDS = [an_id(n) for n in range(1, 20)]
NOTES = [an_id(n) for n in range(21, 24)]
PLACES = [DIRECT, Place("guild", "a")]

moments = st.integers(0, 5).map(lambda n: NOW + minutes(n))
maybe_moments = st.none() | moments


@st.composite
def items(draw: st.DrawFn) -> KnowledgeItem:
    superseded_at = draw(maybe_moments)
    return an_item(
        id=draw(st.sampled_from(IDS)),
        place=draw(st.sampled_from(PLACES)),
        content="glass",
        type=draw(st.sampled_from([KnowledgeType.FACT, KnowledgeType.GOAL])),
        area=draw(st.sampled_from([None, LifeArea.HEALTH, LifeArea.FINANCE])),
        source=draw(st.sampled_from([Source.IMPORT, Source.CONVERSATION])),
        confidence=draw(st.sampled_from([0.5, 0.7, 1.0])),
        validated=draw(st.booleans()),
        needs_resolution=draw(st.booleans()),
        local_only=draw(st.booleans()),
        updated_at=draw(moments),
        note_id=draw(st.none() | st.sampled_from(NOTES)),
        superseded_at=superseded_at,
        archived_at=draw(maybe_moments),
        deleted_at=draw(maybe_moments),
        expires_at=draw(maybe_moments),
        created_at=draw(moments),
        held_from=draw(moments),
        held_until=draw(maybe_moments),
        reinforced_at=draw(maybe_moments),
    )


some_items = st.lists(items(), min_size=1, max_size=12, unique_by=lambda item: item.id)
kinds: dict[str, st.SearchStrategy[Any]] = {
    "now": moments,
    "asked_in": st.sampled_from(PLACES),
    "types": st.just(()) | st.just((KnowledgeType.GOAL,)),
    "areas": st.just(()) | st.just((LifeArea.HEALTH,)) | st.just((LifeArea.HEALTH, LifeArea.FINANCE)),
    "no_area": st.booleans(),
    "sources": st.just(()) | st.just((Source.IMPORT,)),
    "confidence_at_least": st.none() | st.just(0.7),
    "confidence_below": st.none() | st.just(1.0),
    "without": st.frozensets(st.sampled_from(IDS), max_size=3),
    "only": st.none() | st.sampled_from(ItemState),
}
filters: st.SearchStrategy[ItemFilter] = st.builds(ItemFilter, **kinds) | st.builds(
    ItemFilter,
    **kinds,
    as_of=maybe_moments,
    true_at=maybe_moments,
    period=st.none() | st.tuples(moments, moments),
    note_ids=st.just(()) | st.lists(st.sampled_from([*NOTES, "no id"]), max_size=2).map(tuple),
    since=st.none() | st.none() | moments,
    until=st.none() | st.none() | moments,
    history=st.booleans(),
    archived=st.booleans(),
    deleted=st.booleans(),
)


async def chosen(store: Store, wanted: Iterable[ItemFilter]) -> list[Any]:
    told: list[Any] = []
    for which in wanted:
        page = await store.page_items(ANA, which, limit=100)
        hits = await store.search_items(ANA, a_query("glass", limit=100), which)
        assert {row.id for row in page.rows} == {hit.id for hit in hits}
        told.append(page.rows)
        await assert_counted(store, which, page.rows)
        for order in ItemOrder:
            await assert_ordered(store, which, order, page.rows)
    return told


async def assert_counted(store: Store, wanted: ItemFilter, rows: Sequence[KnowledgeItem]) -> None:
    """What is counted is what is listed, each kind once."""
    counts = await store.count_items(ANA, wanted)
    alike = Counter((i.area, i.type, i.source, i.confidence, i.validated, i.needs_resolution) for i in rows)
    assert sum(count.items for count in counts) == len(rows)
    assert {count[:-1]: count.items for count in counts} == alike
    assert len(counts) == len(alike)


async def assert_ordered(store: Store, wanted: ItemFilter, order: ItemOrder, rows: Sequence[KnowledgeItem]) -> None:
    """Every order has the same items, each once, and pages of it follow one another without gaps or repeats."""
    keys: dict[ItemOrder, Callable[[KnowledgeItem], Any]] = {
        ItemOrder.NEWEST: lambda item: (item.created_at, item.id),
        ItemOrder.SUREST: lambda item: (item.confidence, item.created_at, item.id),
        ItemOrder.CHANGED: lambda item: (item.updated_at, item.id),
    }
    keys |= {ItemOrder.OLDEST: keys[ItemOrder.NEWEST], ItemOrder.UNSURE: keys[ItemOrder.SUREST]}
    listed: list[KnowledgeItem] = []
    page = await store.page_items(ANA, wanted, order=order, limit=2)
    listed += page.rows
    while page.next is not None:
        assert len(page.rows) == 2
        page = await store.page_items(ANA, wanted, order=order, after=page.next, limit=2)
        listed += page.rows
    assert listed == sorted(rows, key=keys[order], reverse=order not in (ItemOrder.OLDEST, ItemOrder.UNSURE))


async def compare(rows: list[KnowledgeItem], wanted: list[ItemFilter], folder: Path) -> None:
    memory: Store = InMemoryStore(Words())
    sqlite: Store = await SqliteStore.open(folder / "memory.db", analyzer=Words(), durability="normal")
    try:
        await kept(memory, *rows)
        await kept(sqlite, *rows)
        told = await chosen(memory, wanted)
        assert await chosen(sqlite, wanted) == told
        for which, found in zip(wanted, told, strict=True):
            for item in found:
                assert_told_rightly(item, which)
    finally:
        await sqlite.close()


def assert_told_rightly(item: KnowledgeItem, wanted: ItemFilter) -> None:
    """What the words of the filter promise of every item that is chosen."""
    seen_from = wanted.as_of or datetime.max.replace(tzinfo=NOW.tzinfo)
    is_deleted = wanted.only is ItemState.DELETED
    is_held = wanted.only is ItemState.UNCONFIRMED
    assert item.created_at <= seen_from
    if is_deleted:
        assert item.deleted_at is not None
        assert item.deleted_at <= seen_from
    elif not wanted.deleted or is_held:
        assert item.deleted_at is None or item.deleted_at > seen_from
    if is_held or not (wanted.archived or wanted.history or is_deleted):
        assert item.archived_at is None or item.archived_at > seen_from
    if (is_held or not (wanted.history or is_deleted)) and not wanted.true_at:
        assert item.superseded_at is None or item.superseded_at > seen_from
    if wanted.areas or wanted.no_area:
        assert item.area in (*wanted.areas, *([None] if wanted.no_area else []))
    match wanted.only:
        case ItemState.CONFIRMED | ItemState.UNCONFIRMED:
            assert item.validated is (wanted.only is ItemState.CONFIRMED)
        case ItemState.QUESTIONED:
            assert item.needs_resolution
        case ItemState.LOCAL:
            assert item.local_only
    if wanted.true_at is not None:
        assert item.held_from <= wanted.true_at
        if wanted.as_of is None:
            assert item.held_until is None or item.held_until > wanted.true_at


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(some_items, st.lists(filters, min_size=1, max_size=6))
def test_both_stores_choose_the_same_items(rows: list[KnowledgeItem], wanted: list[ItemFilter]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(compare(rows, wanted, Path(folder)))


@given(some_items, moments)
def test_what_is_believed_now_is_what_is_believed_as_of_now(rows: list[KnowledgeItem], now: datetime) -> None:
    """Of what exists and was marked by now, both ways of asking tell the same."""
    past = [row for row in rows if all(at is None or at <= now for at in marks(row))]

    async def ask() -> None:
        store: Store = InMemoryStore(Words())
        await kept(store, *past)
        plain, then = await chosen(store, [ItemFilter(now=now), ItemFilter(now=now + minutes(9), as_of=now)])
        assert plain == then

    asyncio.run(ask())


def marks(item: KnowledgeItem) -> tuple[datetime | None, ...]:
    return (item.created_at, item.superseded_at, item.archived_at, item.deleted_at)
