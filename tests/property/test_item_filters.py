"""Whatever is asked of whatever items, the store chooses those that a plain reading of the filter does."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import ANA, NOW, Words, an_id, an_item, days, kept, minutes
from item_filters import ASKED, DRAWN, MOMENTS, assert_chosen
from memories import InMemoryStore
from relembra.domain.knowledge import KnowledgeItem
from relembra.store.port import ItemFilter

IDS = [an_id(n) for n in range(1, 20)]
moments = st.sampled_from([at + minutes(n) for at in MOMENTS for n in (-1, 0, 1)])
parts = {name: st.sampled_from(values) for name, values in DRAWN.items()}
items = st.builds(an_item, id=st.sampled_from(IDS), content=st.just("glass"), **parts)
some_items = st.lists(items, min_size=1, max_size=12, unique_by=lambda item: item.id)


@st.composite
def filters(draw: st.DrawFn) -> ItemFilter:
    """One that narrows here and there."""
    asked: dict[str, Any] = {name: st.sampled_from(values) for name, values in ASKED.items()}
    asked |= dict.fromkeys(("now", "since", "until", "as_of", "true_at"), moments)
    asked |= {"period": st.tuples(moments, moments), "without": st.frozensets(st.sampled_from(IDS), max_size=3)}
    chosen = draw(st.sets(st.sampled_from(sorted(asked)), max_size=5))
    return replace(ItemFilter(now=NOW), **{name: draw(asked[name]) for name in sorted(chosen)})


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(some_items, st.lists(filters(), min_size=1, max_size=6))
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

    def marks(item: KnowledgeItem) -> tuple[datetime | None, ...]:
        return (item.created_at, item.superseded_at, item.archived_at, item.deleted_at)

    past = [row for row in rows if all(at is None or at <= now for at in marks(row))]

    async def ask() -> None:
        store = InMemoryStore(Words())
        await kept(store, *past)
        asked = (ItemFilter(now=now), ItemFilter(now=now + days(90), as_of=now))
        plain, then = [(await store.page(ANA, which, limit=100)).rows for which in asked]
        assert plain == then

    asyncio.run(ask())
