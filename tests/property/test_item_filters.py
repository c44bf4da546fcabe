"""Whatever is asked of whatever items, the store chooses those that a plain reading of the filter does."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import ANA, NOW, Words, a_query, an_id, an_item, kept, minutes
from memories import InMemoryStore
from relembra.domain.knowledge import ItemState, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.scope import DIRECT, Place, may_hear
from relembra.store.port import ItemFilter, ItemOrder, Store

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
        page = await store.page(ANA, which, limit=100)
        hits = await store.search(ANA, a_query("glass", limit=100), which)
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
    page = await store.page(ANA, replace(wanted, order=order), limit=2)
    listed += page.rows
    while page.next is not None:
        assert len(page.rows) == 2
        page = await store.page(ANA, replace(wanted, order=order), after=page.next, limit=2)
        listed += page.rows
    assert listed == sorted(rows, key=keys[order], reverse=order not in (ItemOrder.OLDEST, ItemOrder.UNSURE))


def is_wanted(item: KnowledgeItem, wanted: ItemFilter) -> bool:
    """What `ItemFilter` says, as plainly as it can be put."""
    said = (item.created_at, item.held_from, item.reinforced_at)
    return (
        is_believed(item, wanted.spelt_out())
        and (wanted.only is None or item.is_in(wanted.only, wanted.as_of))
        and may_hear(item.place, wanted.asked_in)
        and (not wanted.types or item.type in wanted.types)
        and wanted.takes(item.area)
        and (not wanted.sources or item.source in wanted.sources)
        and (wanted.confidence_at_least is None or item.confidence >= wanted.confidence_at_least)
        and (wanted.confidence_below is None or item.confidence < wanted.confidence_below)
        and (not wanted.note_ids or item.note_id in wanted.note_ids)
        and is_between(item.created_at, wanted.since, wanted.until)
        and (wanted.period is None or any(at is not None and is_between(at, *wanted.period) for at in said))
        and item.id not in wanted.without
    )


def is_believed(item: KnowledgeItem, wanted: ItemFilter) -> bool:
    """Whether it is believed now or was at `as_of`, and was true at `true_at`, with whatever else is asked for."""

    def counts(mark: datetime | None) -> bool:
        return mark is not None and (wanted.as_of is None or mark <= wanted.as_of)

    if wanted.as_of is not None and item.created_at > wanted.as_of:
        return False
    if counts(item.deleted_at) and not wanted.deleted:
        return False
    is_superseded = counts(item.superseded_at)
    if wanted.true_at is not None:
        has_end = item.superseded_at is None or is_superseded
        if not is_between(wanted.true_at, item.held_from, item.held_until if has_end else None):
            return False
    by = wanted.true_at or wanted.as_of or wanted.now
    return wanted.history or (
        (not is_superseded or wanted.true_at is not None)
        and (not counts(item.archived_at) or wanted.archived)
        and (item.expires_at is None or item.expires_at > by)
    )


def is_between(moment: datetime, since: datetime | None, until: datetime | None) -> bool:
    return (since is None or moment >= since) and (until is None or moment < until)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(some_items, st.lists(filters, min_size=1, max_size=6))
def test_exactly_the_wanted_items_are_chosen(rows: list[KnowledgeItem], wanted: list[ItemFilter]) -> None:
    async def ask() -> None:
        store = InMemoryStore(Words())
        await kept(store, *rows)
        for which, found in zip(wanted, await chosen(store, wanted), strict=True):
            assert {item.id for item in found} == {item.id for item in rows if is_wanted(item, which)}

    asyncio.run(ask())


@given(some_items, moments)
def test_what_is_believed_now_is_what_is_believed_as_of_now(rows: list[KnowledgeItem], now: datetime) -> None:
    """Of what exists and was marked by now, both ways of asking tell the same."""
    past = [row for row in rows if all(at is None or at <= now for at in marks(row))]

    async def ask() -> None:
        store = InMemoryStore(Words())
        await kept(store, *past)
        plain, then = await chosen(store, [ItemFilter(now=now), ItemFilter(now=now + minutes(9), as_of=now)])
        assert plain == then

    asyncio.run(ask())


def marks(item: KnowledgeItem) -> tuple[datetime | None, ...]:
    return (item.created_at, item.superseded_at, item.archived_at, item.deleted_at)
