"""What keeps an item out of an answer is what keeps it out of the store's pages, whatever is asked."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builders import ANA, NOW, Words, an_id, an_item, kept, minutes
from memories import InMemoryStore
from relembra.domain.knowledge import ItemState, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.scope import DIRECT, Place
from relembra.recall.query import barred
from relembra.store.port import ItemFilter

NOTE = an_id(9)
PLACES = [DIRECT, Place("guild", "a"), Place("guild", "b"), Place("team", "a")]

moments = st.integers(0, 5).map(lambda n: NOW + minutes(n))
maybe_moments = st.none() | moments

items: st.SearchStrategy[KnowledgeItem] = st.builds(
    an_item,
    place=st.sampled_from(PLACES),
    superseded_at=maybe_moments,
    archived_at=maybe_moments,
    deleted_at=maybe_moments,
    expires_at=maybe_moments,
    created_at=moments,
    held_from=moments,
    held_until=maybe_moments,
    reinforced_at=maybe_moments,
    type=st.sampled_from([KnowledgeType.FACT, KnowledgeType.GOAL]),
    area=st.sampled_from([None, LifeArea.HEALTH]),
    source=st.sampled_from([Source.IMPORT, Source.CONVERSATION]),
    subject=st.sampled_from(["self", "Clara"]),
    attribute=st.sampled_from([None, "residence"]),
    confidence=st.sampled_from([0.5, 0.9]),
    tags=st.sampled_from([(), ("a",), ("b", "a")]),
    note_id=st.sampled_from([None, NOTE]),
    validated=st.booleans(),
    needs_resolution=st.booleans(),
    local_only=st.booleans(),
)
filters: st.SearchStrategy[ItemFilter] = st.builds(
    ItemFilter,
    now=moments,
    asked_in=st.sampled_from(PLACES),
    as_of=maybe_moments,
    true_at=maybe_moments,
    history=st.booleans(),
    archived=st.booleans(),
    deleted=st.booleans(),
)


@st.composite
def narrowed(draw: st.DrawFn) -> ItemFilter:
    """A filter that narrows here and there."""
    parts: dict[str, st.SearchStrategy[Any]] = {
        "types": st.just((KnowledgeType.GOAL,)),
        "areas": st.just((LifeArea.HEALTH,)),
        "sources": st.just((Source.IMPORT,)),
        "subject": st.just("Clara"),
        "attribute": st.just("residence"),
        "no_area": st.just(True),
        "only": st.sampled_from(ItemState),
        "confidence_at_least": st.just(0.9),
        "confidence_below": st.just(0.9),
        "tags": st.sampled_from([("a",), ("a", "b")]),
        "note_ids": st.just((NOTE,)),
        "since": moments,
        "until": moments,
        "period": st.tuples(moments, moments),
    }
    chosen = draw(st.sets(st.sampled_from(sorted(parts)), max_size=2))
    return replace(draw(filters), **{name: draw(parts[name]) for name in sorted(chosen)})


@given(st.lists(items, min_size=1, max_size=8), narrowed())
def test_an_item_is_barred_exactly_where_the_store_leaves_it_out(rows: list[KnowledgeItem], wanted: ItemFilter) -> None:
    async def paged() -> set[str]:
        store = InMemoryStore(Words())
        await kept(store, *rows)
        return {row.id for row in (await store.page(ANA, wanted, limit=100)).rows}

    assert {row.id for row in rows if barred(row, wanted) is None} == asyncio.run(paged())
