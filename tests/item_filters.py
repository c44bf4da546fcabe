"""What `ItemFilter` says, as plainly as it can be put, and a store held against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from builders import ANA, a_query
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import may_hear
from relembra.store.port import ItemFilter, ItemOrder, Store

KEYS: dict[ItemOrder, Callable[[KnowledgeItem], Any]] = {
    ItemOrder.NEWEST: lambda item: (item.created_at, item.id),
    ItemOrder.OLDEST: lambda item: (item.created_at, item.id),
    ItemOrder.SUREST: lambda item: (item.confidence, item.created_at, item.id),
    ItemOrder.UNSURE: lambda item: (item.confidence, item.created_at, item.id),
    ItemOrder.CHANGED: lambda item: (item.updated_at, item.id),
}


async def assert_chosen(store: Store, rows: Sequence[KnowledgeItem], wanted: ItemFilter) -> None:
    """Pages of every order, a search and a count choose exactly the wanted ones of these; all hold the word glass."""
    right = [item for item in rows if is_wanted(item, wanted)]
    hits = await store.search(ANA, a_query("glass", limit=len(rows)), wanted)
    assert {hit.id for hit in hits} == {item.id for item in right}, wanted
    counts = await store.count_items(ANA, wanted)
    alike = Counter((i.area, i.type, i.source, i.confidence, i.validated, i.needs_resolution) for i in right)
    assert {count[:-1]: count.items for count in counts} == alike
    assert len(counts) == len(alike)
    for order in ItemOrder:
        listed: list[KnowledgeItem] = []
        page = await store.page(ANA, replace(wanted, order=order), limit=3)
        while page.next is not None:
            assert len(page.rows) == 3
            listed += page.rows
            page = await store.page(ANA, replace(wanted, order=order), after=page.next, limit=3)
        listed += page.rows
        falls = order not in (ItemOrder.OLDEST, ItemOrder.UNSURE)
        assert listed == sorted(right, key=KEYS[order], reverse=falls), (wanted, order)


def is_wanted(item: KnowledgeItem, wanted: ItemFilter) -> bool:
    said = (item.created_at, item.held_from, item.reinforced_at)
    return (
        is_believed(item, wanted.spelt_out())
        and (wanted.only is None or item.is_in(wanted.only, wanted.as_of))
        and may_hear(item.place, wanted.asked_in)
        and (not wanted.types or item.type in wanted.types)
        and wanted.takes(item.area)
        and (not wanted.sources or item.source in wanted.sources)
        and set(wanted.tags) <= set(item.tags)
        and wanted.subject in (None, item.subject)
        and wanted.attribute in (None, item.attribute)
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
