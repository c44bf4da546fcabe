"""Counting, ordering and looking over time, on every store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from builders import ANA, NOW, STRANGERS, an_entry, an_id, an_item, days, ids_of, items_where, kept, minutes, puts
from relembra.domain.attributes import EVENTS
from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.errors import StaleError
from relembra.store.port import (
    Cursor,
    EventFilter,
    Fate,
    ForgetItem,
    ForgetPerson,
    ItemCount,
    ItemFilter,
    ItemOrder,
    Page,
    Passing,
    Put,
    Store,
)

GUILD = Place("guild", "general")
DAYS = [NOW, NOW + days(1), NOW + days(2)]


# ── orders ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def ordered(store: Store, order: ItemOrder, *, limit: int = 2, **asked: Any) -> list[KnowledgeItem]:
    """All pages, one behind the other."""
    rows: list[KnowledgeItem] = []
    after: Cursor | None = None
    while True:
        page = await store.page(ANA, replace(items_where(**asked), order=order), after=after, limit=limit)
        rows += page.rows
        after = page.next
        if after is None:
            return rows


async def test_the_surest_come_first_and_among_equals_the_newest(store: Store) -> None:
    doubt = an_item(confidence=0.4, created_at=NOW + minutes(9))
    old, new = an_item(confidence=0.95, created_at=NOW), an_item(confidence=0.95, created_at=NOW + minutes(1))
    twin = an_item(confidence=0.95, created_at=NOW)
    sure = an_item(confidence=1.0, created_at=NOW - days(9))
    await kept(store, doubt, old, new, twin, sure)
    for limit in (1, 2, 5, 100):
        right = [sure.id, new.id, *sorted([old.id, twin.id], reverse=True), doubt.id]
        assert ids_of(await ordered(store, ItemOrder.SUREST, limit=limit)) == right
        assert ids_of(await ordered(store, ItemOrder.UNSURE, limit=limit)) == right[::-1]


async def test_the_oldest_come_first_where_they_are_asked_for(store: Store) -> None:
    items = [an_item(created_at=NOW + minutes(at)) for at in (3, 1, 1, 2, 0, 3)]
    await kept(store, *items)
    for limit in (1, 2, 100):
        newest = ids_of(await ordered(store, ItemOrder.NEWEST, limit=limit))
        assert ids_of(await ordered(store, ItemOrder.OLDEST, limit=limit)) == newest[::-1]


async def test_the_last_changed_come_first(store: Store) -> None:
    items = [an_item(created_at=NOW - minutes(at), updated_at=NOW + minutes(at)) for at in (3, 1, 1, 2, 0, 3)]
    await kept(store, *items)
    for limit in (1, 2, 100):
        right = sorted(items, key=lambda item: (item.updated_at, item.id), reverse=True)
        assert await ordered(store, ItemOrder.CHANGED, limit=limit) == right


@pytest.mark.parametrize("order", ItemOrder)
async def test_a_page_of_an_order_goes_on_while_rows_are_added(store: Store, order: ItemOrder) -> None:
    items = [an_item(confidence=0.5 + at / 10, created_at=NOW + minutes(at)) for at in range(4)]
    items = [replace(item, updated_at=item.created_at) for item in items]
    await kept(store, *items)
    first = await store.page(ANA, replace(items_where(), order=order), limit=2)
    before = [an_item(confidence=1.0, created_at=NOW + days(1), updated_at=NOW + days(1))]
    if order.is_rising:
        before = [an_item(confidence=0.1, created_at=NOW - days(1))]
    await kept(store, *before)
    second = await store.page(ANA, replace(items_where(), order=order), after=first.next, limit=2)
    assert sorted(ids_of([*first.rows, *second.rows])) == sorted(ids_of(items))


@pytest.mark.parametrize("order", ItemOrder)
async def test_every_order_keeps_to_the_filter_and_the_person(store: Store, order: ItemOrder) -> None:
    wanted = an_item(area=LifeArea.HEALTH)
    await kept(store, wanted, an_item(), an_item(area=LifeArea.HEALTH, deleted_at=NOW))
    for scope in STRANGERS:
        await kept(store, an_item(scope=scope, area=LifeArea.HEALTH))
    assert await ordered(store, order, areas=(LifeArea.HEALTH,)) == [wanted]
    assert await store.page(ANA, replace(items_where(), order=order), limit=0) == Page((), None)


async def test_less_sure_than_something_is_strictly_less(store: Store) -> None:
    under, at = an_item(confidence=0.69), an_item(confidence=0.7)
    await kept(store, under, at)
    assert (await store.page(ANA, items_where(confidence_below=0.7))).rows == (under,)


# ── counts ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def counted(store: Store, **asked: Any) -> list[ItemCount]:
    return sorted(await store.count_items(ANA, items_where(**asked)), key=str)


def alone(item: KnowledgeItem, items: int = 1) -> ItemCount:
    return ItemCount(item.area, item.type, item.source, item.confidence, item.validated, item.needs_resolution, items)


async def total(store: Store, wanted: ItemFilter) -> int:
    return sum(count.items for count in await store.count_items(ANA, wanted))


async def test_items_that_are_alike_are_counted_together(store: Store) -> None:
    goal = an_item(type=KnowledgeType.GOAL, area=LifeArea.CAREER, validated=True)
    facts = [an_item(), an_item(), an_item(place=GUILD)]
    asked = an_item(needs_resolution=True, source=Source.IMPORT, confidence=0.5)
    await kept(store, goal, *facts, asked)
    assert await counted(store) == sorted([alone(goal), alone(facts[0], 3), alone(asked)], key=str)
    assert await counted(store, asked_in=GUILD) == [alone(facts[0])]


async def test_nothing_is_counted_of_nobody(store: Store) -> None:
    for scope in STRANGERS:
        await kept(store, an_item(scope=scope))
    assert await counted(store) == []


ENDS: dict[str, dict[str, Any]] = {
    "deleted": {"deleted_at": NOW},
    "superseded": {"superseded_at": NOW},
    "archived": {"archived_at": NOW},
    "expired": {"expires_at": NOW},
}


@pytest.mark.parametrize("end", ENDS)
async def test_what_is_not_current_is_not_counted_until_it_is_again(store: Store, end: str) -> None:
    item = an_item()
    await kept(store, item, an_item())
    gone = replace(item, **ENDS[end], version=2)
    await store.apply(ANA, [Put(gone, 1)])
    assert await total(store, items_where()) == 1
    await store.apply(ANA, [Put(replace(item, version=3), 2)])
    assert await total(store, items_where()) == 2


async def test_an_item_that_becomes_another_is_counted_as_that(store: Store) -> None:
    item = an_item()
    await kept(store, item)
    other = replace(item, area=LifeArea.GROWTH, confidence=1.0, validated=True, version=2)
    await store.apply(ANA, [Put(other, 1)])
    assert await counted(store) == [alone(other)]


async def test_what_has_an_end_is_counted_until_then(store: Store) -> None:
    item = an_item(expires_at=NOW + minutes(5))
    await kept(store, item, an_item(expires_at=NOW + minutes(5), place=GUILD))
    assert await total(store, items_where(now=NOW + minutes(4))) == 2
    assert await total(store, items_where(now=NOW + minutes(5))) == 0
    assert await total(store, items_where(now=NOW + minutes(4), asked_in=GUILD)) == 1


async def test_rows_left_out_are_not_counted(store: Store) -> None:
    items = [an_item(), an_item(expires_at=NOW + days(1)), an_item(area=LifeArea.HEALTH), an_item(deleted_at=NOW)]
    await kept(store, *items)
    some = frozenset({*ids_of(items[:2]), items[3].id, an_id(), "no id at all"})
    assert await counted(store, without=some) == [alone(items[2])]
    assert await counted(store, without=some, areas=(LifeArea.FINANCE,)) == []


async def test_what_was_forgotten_is_not_counted(store: Store) -> None:
    items = [an_item(), an_item()]
    await kept(store, *items)
    await store.forget(ANA, ForgetItem(items[0].id))
    assert await total(store, items_where()) == 1
    await store.forget(ANA, ForgetPerson())
    assert await counted(store) == []
    assert (await store.verify()).problems == ()


async def test_a_write_that_fails_counts_nothing(store: Store) -> None:
    item = an_item()
    await kept(store, item)
    with pytest.raises(StaleError):
        await store.apply(ANA, [*puts(an_item()), Put(item, 7)])
    assert await total(store, items_where()) == 1


# ── events ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_events_are_memories_and_what_takes_place_newest_first_by_when_it_was(store: Store) -> None:
    told = [an_item(type=KnowledgeType.MEMORY, held_from=NOW, created_at=NOW + days(9))]
    told += [
        an_item(attribute=name, held_from=NOW + minutes(at), created_at=NOW - days(at))
        for at, name in enumerate(EVENTS, start=1)
    ]
    await kept(store, *told, an_item(), an_item(attribute="residence", held_from=NOW + days(3)))
    assert ids_of((await store.page(ANA, EventFilter())).rows) == ids_of(told)[::-1]


async def test_pages_of_events_are_complete_without_gaps_or_repeats(store: Store) -> None:
    items = [an_item(type=KnowledgeType.MEMORY, held_from=NOW + minutes(at)) for at in (3, 1, 1, 1, 2, 0, 3, 1, 2)]
    await kept(store, *items)
    for limit in (1, 2, 3, 9, 10):
        rows, after = list[KnowledgeItem](), None
        while True:
            page = await store.page(ANA, EventFilter(), after=after, limit=limit)
            rows += page.rows
            after = page.next
            if after is None:
                break
        assert rows == sorted(items, key=lambda item: (item.held_from, item.id), reverse=True)


EVENT_FILTERS: dict[str, tuple[EventFilter, dict[str, Any], dict[str, Any]]] = {
    # what is asked, an event that is wanted, one that is not
    "not deleted": (EventFilter(), {}, {"deleted_at": NOW}),
    "not superseded": (EventFilter(), {}, {"superseded_at": NOW}),
    "archived": (EventFilter(), {"archived_at": NOW}, {"deleted_at": NOW}),
    "expired": (EventFilter(), {"expires_at": NOW - days(1)}, {"deleted_at": NOW}),
    "since": (EventFilter(since=NOW), {"held_from": NOW}, {"held_from": NOW - minutes(1)}),
    "until": (EventFilter(until=NOW), {"held_from": NOW - minutes(1)}, {"held_from": NOW}),
    "heard in its space": (EventFilter(asked_in=GUILD), {"place": GUILD}, {"place": DIRECT}),
}


async def test_every_part_of_an_event_filter_narrows(store: Store) -> None:
    for name, (wanted, right, wrong) in EVENT_FILTERS.items():
        scope = Scope("default", name)
        yes, no = (an_item(scope=scope, attribute="meeting", **parts) for parts in (right, wrong))
        await kept(store, yes, no)
        assert (await store.page(scope, wanted)).rows == (yes,), name


async def test_events_left_out_are_as_if_they_were_not_there(store: Store) -> None:
    items = [an_item(attribute="event", held_from=NOW - minutes(at)) for at in range(3)]
    await kept(store, *items)
    page = await store.page(ANA, EventFilter(without=frozenset({items[0].id})), limit=1)
    assert page.rows == (items[1],)


# ── over time ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def passed(store: Store, moments: Sequence[datetime] = DAYS, **asked: Any) -> list[Passing]:
    return sorted(await store.passings(ANA, moments, **asked), key=str)


def told(*passings: tuple[int, Fate, LifeArea | None, int]) -> list[Passing]:
    return sorted((Passing(*one) for one in passings), key=str)


async def test_what_was_learnt_is_told_by_area_whatever_became_of_it(store: Store) -> None:
    health = {"area": LifeArea.HEALTH}
    await kept(
        store,
        an_item(**health, created_at=NOW),
        an_item(**health, created_at=NOW + days(1) - minutes(1), deleted_at=NOW - days(9)),
        an_item(created_at=NOW + minutes(1), superseded_at=NOW - days(9)),
        an_item(**health, created_at=NOW + days(1)),
        an_item(created_at=NOW - minutes(1)),
        an_item(created_at=NOW + days(2)),
    )
    learnt = Fate.LEARNT
    right = told((0, learnt, LifeArea.HEALTH, 2), (0, learnt, None, 1), (1, learnt, LifeArea.HEALTH, 1))
    assert await passed(store) == right


@pytest.mark.parametrize(
    ("mark", "fate"),
    [("superseded_at", Fate.ENDED), ("archived_at", Fate.ARCHIVED), ("deleted_at", Fate.DELETED)],
)
async def test_what_became_of_items_is_told_when_it_did(store: Store, mark: str, fate: Fate) -> None:
    before = NOW - days(30)
    marks = [NOW - minutes(1), NOW, NOW + days(1) - minutes(1), NOW + days(1), NOW + days(2)]
    await kept(store, *(an_item(created_at=before, area=LifeArea.HEALTH, **{mark: at}) for at in marks))
    assert await passed(store) == told((0, fate, None, 2), (1, fate, None, 1))


async def test_an_item_that_faded_twice_in_a_stretch_is_one_that_faded(store: Store) -> None:
    one, two = an_item(created_at=NOW - days(30)), an_item(created_at=NOW - days(30))
    fades = [(one, 0), (one, 1), (two, 2), (one, 60 * 30)]
    entries = [an_entry(verb="fade", target_id=item.id, at=NOW + minutes(at)) for item, at in fades]
    other = an_entry(verb="raise", target_id=one.id, at=NOW)
    note = an_entry(verb="fade", target=Target.NOTE, target_id=an_id(), at=NOW)
    await kept(store, one, two, *entries, other, note)
    assert await passed(store) == told((0, Fate.FADED, None, 2), (1, Fate.FADED, None, 1))


async def test_only_what_may_be_heard_is_told_and_nothing_left_out(store: Store) -> None:
    here, there = an_item(place=GUILD, created_at=NOW), an_item(created_at=NOW, archived_at=NOW)
    fades = [an_entry(verb="fade", target_id=item.id, at=NOW) for item in (here, there)]
    await kept(store, here, there, *fades)
    for scope in STRANGERS:
        await kept(store, an_item(scope=scope), an_entry(scope=scope, verb="fade", at=NOW))
    heard = told((0, Fate.LEARNT, None, 1), (0, Fate.FADED, None, 1))
    assert await passed(store, asked_in=GUILD) == heard
    assert await passed(store, without=frozenset({there.id})) == heard
    assert await passed(store, asked_in=GUILD, without=frozenset({here.id})) == []


async def test_between_one_moment_and_nothing_lies_nothing(store: Store) -> None:
    await kept(store, an_item(created_at=NOW))
    assert await passed(store, [NOW]) == []
    assert await passed(store, []) == []
