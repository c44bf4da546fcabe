"""Whatever is asked of whatever items, the store chooses those that a plain reading of the filter does."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import ANA, NOW, Words, an_id, an_item, kept, minutes
from item_filters import assert_chosen
from memories import InMemoryStore
from relembra.domain.knowledge import ItemState, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.scope import DIRECT, Place
from relembra.store.port import ItemFilter

IDS = [an_id(n) for n in range(1, 20)]
NOTES = [an_id(n) for n in range(21, 24)]
PLACES = [DIRECT, Place("guild", "a")]

moments = st.integers(0, 5).map(lambda n: NOW + minutes(n))
maybe_moments = st.none() | moments
PARTS: dict[str, st.SearchStrategy[Any]] = {
    "place": st.sampled_from(PLACES),
    "type": st.sampled_from([KnowledgeType.FACT, KnowledgeType.GOAL]),
    "area": st.sampled_from([None, LifeArea.HEALTH, LifeArea.FINANCE]),
    "source": st.sampled_from([Source.IMPORT, Source.CONVERSATION]),
    "confidence": st.sampled_from([0.5, 0.7, 1.0]),
    "note_id": st.none() | st.sampled_from(NOTES),
    **dict.fromkeys(("validated", "needs_resolution", "local_only"), st.booleans()),
    **dict.fromkeys(("created_at", "updated_at", "held_from"), moments),
    **dict.fromkeys(
        ("superseded_at", "archived_at", "deleted_at", "expires_at", "held_until", "reinforced_at"), maybe_moments
    ),
}
items = st.builds(an_item, id=st.sampled_from(IDS), content=st.just("glass"), **PARTS)
some_items = st.lists(items, min_size=1, max_size=12, unique_by=lambda item: item.id)
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


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(some_items, st.lists(filters, min_size=1, max_size=6))
def test_exactly_the_wanted_items_are_chosen(rows: list[KnowledgeItem], wanted: list[ItemFilter]) -> None:
    async def ask() -> None:
        store = InMemoryStore(Words())
        await kept(store, *rows)
        for which in wanted:
            await assert_chosen(store, rows, which)

    asyncio.run(ask())


@given(some_items, moments)
def test_what_is_believed_now_is_what_is_believed_as_of_now(rows: list[KnowledgeItem], now: datetime) -> None:
    """Of what exists and was marked by now, both ways of asking tell the same."""
    past = [row for row in rows if all(at is None or at <= now for at in marks(row))]

    async def ask() -> None:
        store = InMemoryStore(Words())
        await kept(store, *past)
        asked = (ItemFilter(now=now), ItemFilter(now=now + minutes(9), as_of=now))
        plain, then = [(await store.page(ANA, which, limit=100)).rows for which in asked]
        assert plain == then

    asyncio.run(ask())


def marks(item: KnowledgeItem) -> tuple[datetime | None, ...]:
    return (item.created_at, item.superseded_at, item.archived_at, item.deleted_at)
