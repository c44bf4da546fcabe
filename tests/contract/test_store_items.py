"""What the store promises of items that are chosen, ordered, counted and looked at over time."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from builders import ANA, NOW, STRANGERS, an_entry, an_id, an_item, days, ids_of, items_where, kept, minutes
from item_filters import ASKED, DRAWN, GUILD, assert_chosen
from relembra.domain.audit import Target
from relembra.domain.knowledge import EVENTS, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.scope import DIRECT, Scope
from relembra.store.port import EventFilter, Fate, ForgetItem, ItemFilter, ItemOrder, Passing, Put, Store

LONG_AGO = NOW - days(30)


async def test_exactly_the_wanted_items_are_chosen_counted_and_paged_in_every_order(store: Store) -> None:
    """Each way to narrow alone with each of its values, and many together, against a plain reading of the filter."""
    chance = random.Random(11)
    drawn = [
        an_item(content="glass", **{name: chance.choice(values) for name, values in DRAWN.items()}) for _ in range(80)
    ]
    rows = drawn[:60]
    await kept(store, *rows, *(replace(row, scope=STRANGERS[n % 2]) for n, row in enumerate(drawn[60:])))
    asked: list[dict[str, Any]] = [{}, *({name: value} for name, values in ASKED.items() for value in values)]
    asked += [
        {name: chance.choice(ASKED[name]) for name in chance.sample(sorted(ASKED), chance.randint(2, 5))}
        for _ in range(60)
    ]
    asked.append({"without": frozenset({*ids_of(rows[:20]), "no id at all"})})
    for parts in asked:
        await assert_chosen(store, rows, items_where(**parts))


async def test_a_page_of_an_order_goes_on_while_rows_are_added(store: Store) -> None:
    for order in ItemOrder:
        scope = Scope("default", order.value)

        def at(confidence: float, moment: datetime, scope: Scope = scope) -> KnowledgeItem:
            return an_item(scope=scope, confidence=confidence, created_at=moment, updated_at=moment)

        items = [at(0.5 + number / 10, NOW + minutes(number)) for number in range(4)]
        await kept(store, *items)
        first = await store.page(scope, items_where(order=order), limit=2)
        await kept(store, at(0.1, NOW - days(1)) if order.is_rising else at(1.0, NOW + days(1)))
        second = await store.page(scope, items_where(order=order), after=first.next, limit=2)
        assert sorted(ids_of([*first.rows, *second.rows])) == sorted(ids_of(items))


async def total(store: Store, wanted: ItemFilter) -> int:
    return sum(count.items for count in await store.count_items(ANA, wanted))


async def test_what_is_counted_follows_what_becomes_of_an_item(store: Store) -> None:
    item = an_item()
    await kept(store, item, an_item())
    version = 1
    for end in ("deleted_at", "superseded_at", "archived_at", "expires_at"):
        marks: dict[str, Any] = {end: NOW}
        await store.apply(ANA, [Put(replace(item, **marks, version=version + 1), version)])
        assert await total(store, items_where()) == 1
        await store.apply(ANA, [Put(replace(item, version=version + 2), version + 1)])
        assert await total(store, items_where()) == 2
        version += 2
    await store.forget(ANA, ForgetItem(item.id))
    assert await total(store, items_where()) == 1
    assert (await store.verify()).problems == ()


# ── events ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_events_are_memories_and_what_takes_place_newest_first_by_when_it_was(store: Store) -> None:
    told = [an_item(type=KnowledgeType.MEMORY, held_from=NOW, created_at=NOW + days(9))]
    told += [
        an_item(attribute=name, held_from=NOW + minutes(at // 2), created_at=NOW - days(at))
        for at, name in enumerate(EVENTS, start=2)
    ]
    await kept(store, *told, an_item(), an_item(attribute="residence", held_from=NOW + days(3)))
    newest = sorted(told, key=lambda item: (item.held_from, item.id), reverse=True)
    for limit in (1, 2, 3, 50):
        page = await store.page(ANA, EventFilter(), limit=limit)
        rows = [*page.rows]
        while page.next is not None:
            page = await store.page(ANA, EventFilter(), after=page.next, limit=limit)
            rows += page.rows
        assert rows == newest


EVENT_FILTERS: dict[str, tuple[EventFilter, dict[str, Any], dict[str, Any]]] = {
    # what is asked, an event that is wanted, one that is not
    "not deleted": (EventFilter(), {}, {"deleted_at": NOW}),
    "not superseded": (EventFilter(), {}, {"superseded_at": NOW}),
    "archived": (EventFilter(), {"archived_at": NOW}, {"deleted_at": NOW}),
    "expired": (EventFilter(), {"expires_at": NOW - days(1)}, {"deleted_at": NOW}),
    "since": (EventFilter(since=NOW), {"held_from": NOW}, {"held_from": NOW - minutes(1)}),
    "until": (EventFilter(until=NOW), {"held_from": NOW - minutes(1)}, {"held_from": NOW}),
    "heard in its space": (EventFilter(asked_in=GUILD), {"place": GUILD}, {"place": DIRECT}),
    "left out": (EventFilter(without=frozenset({an_id(1)})), {}, {"id": an_id(1)}),
}


async def test_every_part_of_an_event_filter_narrows(store: Store) -> None:
    for name, (wanted, right, wrong) in EVENT_FILTERS.items():
        scope = Scope("default", name)
        yes, no = (an_item(scope=scope, attribute="meeting", **parts) for parts in (right, wrong))
        await kept(store, yes, no)
        assert (await store.page(scope, wanted)).rows == (yes,), name


# ── over time ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def passed(store: Store, moments: Sequence[datetime] | None = None, **asked: Any) -> list[Passing]:
    stretches = [NOW, NOW + days(1), NOW + days(2)] if moments is None else moments
    return sorted(await store.passings(ANA, stretches, **asked), key=str)


def told(*passings: tuple[int, Fate, LifeArea | None, int]) -> list[Passing]:
    return sorted((Passing(*one) for one in passings), key=str)


async def test_what_was_learnt_is_told_by_area_whatever_became_of_it(store: Store) -> None:
    health = {"area": LifeArea.HEALTH}
    await kept(
        store, an_item(**health, created_at=NOW),
        an_item(**health, created_at=NOW + days(1) - minutes(1), deleted_at=NOW - days(9)),
        an_item(created_at=NOW + minutes(1), superseded_at=NOW - days(9)), an_item(**health, created_at=NOW + days(1)),
        an_item(created_at=NOW - minutes(1)), an_item(created_at=NOW + days(2)),
    )  # fmt: skip
    learnt = Fate.LEARNT
    right = told((0, learnt, LifeArea.HEALTH, 2), (0, learnt, None, 1), (1, learnt, LifeArea.HEALTH, 1))
    assert await passed(store) == right
    assert await passed(store, [NOW]) == await passed(store, []) == []


async def test_what_became_of_items_is_told_when_it_did(store: Store) -> None:
    marks = [NOW - minutes(1), NOW, NOW + days(1) - minutes(1), NOW + days(1), NOW + days(2)]
    fates = {"superseded_at": Fate.ENDED, "archived_at": Fate.ARCHIVED, "deleted_at": Fate.DELETED}
    for mark in fates:
        await kept(store, *(an_item(created_at=LONG_AGO, area=LifeArea.HEALTH, **{mark: at}) for at in marks))
    right = [one for fate in fates.values() for one in ((0, fate, None, 2), (1, fate, None, 1))]
    assert await passed(store) == told(*right)


async def test_an_item_that_faded_twice_in_a_stretch_is_one_that_faded(store: Store) -> None:
    one, two = an_item(created_at=LONG_AGO), an_item(created_at=LONG_AGO)
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
