"""What `ItemFilter` may ask of which items, and a store held against what keeps an item out of an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from builders import ANA, NOW, a_query, an_id, days
from relembra.domain.knowledge import ItemState, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.scope import DIRECT, Place
from relembra.recall.query import barred
from relembra.store.port import ItemFilter, ItemOrder, Store

GUILD = Place("guild", "general")
LONG_AGO, BEFORE, THEN, SINCE = NOW - days(30), NOW - days(11), NOW - days(10), NOW - days(9)
NOTES = [an_id(), an_id()]
MOMENTS = [BEFORE, THEN, SINCE, NOW]
SAID = an_id()
SELDOM = [*[None] * 9, *MOMENTS]
DRAWN: dict[str, list[Any]] = {
    "message_ids": [(), (SAID,), (an_id(), SAID)],
    "place": [DIRECT, GUILD, Place("other", "general")],
    "type": [KnowledgeType.FACT, KnowledgeType.GOAL, KnowledgeType.EMOTION],
    "area": [None, LifeArea.HEALTH, LifeArea.FINANCE], "sub_area": [None, "body", "food"],
    "source": [Source.IMPORT, Source.CONVERSATION],
    "tags": [(), ("a",), ("b", "a"), ("ab",), ('"a"', "with space")], "subject": ["self", "João"],
    "attribute": [None, "weight", "height"], "confidence": [0.5, 0.7, 1.0], "note_id": [None, *NOTES],
    "validated": [False, True], "needs_resolution": [False, False, True], "local_only": [False, False, True],
    "created_at": [LONG_AGO, *MOMENTS], "updated_at": MOMENTS, "held_from": [LONG_AGO, *MOMENTS], "held_until": SELDOM,
    "superseded_at": SELDOM, "archived_at": SELDOM, "deleted_at": SELDOM, "expires_at": SELDOM, "reinforced_at": SELDOM,
}  # fmt: skip
ASKED: dict[str, list[Any]] = {
    "asked_in": [GUILD, Place("guild", "another"), Place(None, "phone")],
    "types": [(KnowledgeType.GOAL,), (KnowledgeType.GOAL, KnowledgeType.EMOTION)],
    "areas": [(LifeArea.HEALTH,), (LifeArea.HEALTH, LifeArea.FINANCE)], "no_area": [True],
    "sub_area": ["body", "nothing"], "sources": [(Source.IMPORT,)],
    "tags": [("a",), ("a", "b"), ('"a"',)], "subject": ["João", "nobody"],
    "attribute": ["weight"], "confidence_at_least": [0.7], "confidence_below": [0.7, 1.0], "since": MOMENTS,
    "until": MOMENTS, "as_of": MOMENTS, "true_at": MOMENTS, "period": [(THEN, SINCE), (BEFORE, NOW)],
    "message_ids": [(SAID,), (SAID, "no id"), ("no id",)],
    "note_ids": [tuple(NOTES), (NOTES[0],), (an_id(), "no id"), ("no id",)], "only": list(ItemState), "history": [True],
    "archived": [True], "deleted": [True],
}  # fmt: skip
KEYS: dict[ItemOrder, Callable[[KnowledgeItem], Any]] = {
    ItemOrder.NEWEST: lambda item: (item.created_at, item.id),
    ItemOrder.OLDEST: lambda item: (item.created_at, item.id),
    ItemOrder.SUREST: lambda item: (item.confidence, item.created_at, item.id),
    ItemOrder.UNSURE: lambda item: (item.confidence, item.created_at, item.id),
    ItemOrder.CHANGED: lambda item: (item.updated_at, item.id),
}


async def assert_chosen(store: Store, rows: Sequence[KnowledgeItem], wanted: ItemFilter) -> None:
    """Pages of every order, a search and a count choose exactly the wanted ones of these; all hold the word glass."""
    right = [item for item in rows if barred(item, wanted) is None and item.id not in wanted.without]
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
