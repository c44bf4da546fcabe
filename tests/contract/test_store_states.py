"""What the store promises of items asked for by what was decided about them, and of those of no area."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from builders import ANA, NOW, STRANGERS, a_query, an_id, an_item, days, items_where, kept, minutes
from relembra.domain.knowledge import ItemState, KnowledgeItem, LifeArea
from relembra.domain.scope import Scope
from relembra.store.port import ItemFilter, ItemOrder, Store

LONG_AGO, BEFORE, THEN, SINCE = NOW - days(30), NOW - days(11), NOW - days(10), NOW - days(9)


def saying(name: str, **changes: Any) -> KnowledgeItem:
    """An item of long ago."""
    return an_item(**{"title": name, "tags": ("glass",), "created_at": LONG_AGO, "held_from": LONG_AGO} | changes)


def gone(**changes: Any) -> list[KnowledgeItem]:
    """One item for each way not to be held any more."""
    return [
        saying("superseded", superseded_by=an_id(), superseded_at=BEFORE, **changes),
        saying("archived", archived_at=BEFORE, **changes),
        saying("expired", expires_at=BEFORE, **changes),
        saying("deleted", deleted_at=BEFORE, **changes),
    ]


async def told(store: Store, **wanted: Any) -> set[str]:
    """The titles of what is wanted, which pages, a search and a count agree on."""
    which: ItemFilter = items_where(**wanted)
    page = await store.page(ANA, which)
    hits = await store.search(ANA, a_query("glass", limit=50), which)
    assert {row.id for row in page.rows} == {hit.id for hit in hits}
    assert sum(count.items for count in await store.count_items(ANA, which)) == len(page.rows)
    return {row.title for row in page.rows}


# ── what was decided ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_those_confirmed_are_told_among_what_is_asked_for(store: Store) -> None:
    await kept(store, saying("sure", validated=True), saying("open"), *gone(validated=True))
    assert await told(store, only=ItemState.CONFIRMED) == {"sure"}
    assert await told(store, only=ItemState.CONFIRMED, archived=True) == {"sure", "archived"}
    past = {"sure", "superseded", "archived", "expired"}
    assert await told(store, only=ItemState.CONFIRMED, history=True) == past
    assert await told(store, only=ItemState.CONFIRMED, history=True, deleted=True) == {*past, "deleted"}


@pytest.mark.parametrize("more", [{}, {"history": True}, {"archived": True, "deleted": True}])
async def test_those_unconfirmed_are_held_whatever_more_is_asked_for(store: Store, more: dict[str, bool]) -> None:
    await kept(store, saying("sure", validated=True), saying("open"), *gone())
    assert await told(store, only=ItemState.UNCONFIRMED, **more) == {"open"}


async def test_those_in_question_need_a_resolution(store: Store) -> None:
    await kept(store, saying("asked", needs_resolution=True), saying("open"), *gone(needs_resolution=True))
    assert await told(store, only=ItemState.QUESTIONED) == {"asked"}
    assert await told(store, only=ItemState.QUESTIONED, history=True) == {"asked", "superseded", "archived", "expired"}


@pytest.mark.parametrize("more", [{}, {"history": True}, {"deleted": True}, {"archived": True}])
async def test_those_deleted_are_told_whatever_else_became_of_them(store: Store, more: dict[str, bool]) -> None:
    also = saying("both", superseded_by=an_id(), superseded_at=BEFORE, expires_at=BEFORE, deleted_at=THEN)
    await kept(store, saying("open"), also, *gone())
    assert await told(store, only=ItemState.DELETED, **more) == {"deleted", "both"}


async def test_those_kept_local_are_told_among_what_is_asked_for(store: Store) -> None:
    await kept(store, saying("near", local_only=True), saying("open"), *gone(local_only=True))
    assert await told(store, only=ItemState.LOCAL) == {"near"}
    assert await told(store, only=ItemState.LOCAL, deleted=True) == {"near", "deleted"}


@pytest.mark.parametrize("state", ItemState)
async def test_everything_else_narrows_as_well(store: Store, state: ItemState) -> None:
    every: dict[ItemState, dict[str, Any]] = {
        ItemState.CONFIRMED: {"validated": True},
        ItemState.UNCONFIRMED: {},
        ItemState.QUESTIONED: {"needs_resolution": True},
        ItemState.DELETED: {"deleted_at": BEFORE},
        ItemState.LOCAL: {"local_only": True},
    }
    note, marks = an_id(), every[state]
    mine = saying("mine", area=LifeArea.HEALTH, note_id=note, subject="kate", attribute="diet", **marks)
    await kept(store, mine, saying("other", **marks), saying("left out", area=LifeArea.HEALTH, note_id=note, **marks))
    assert await told(store, only=state) == {"mine", "other", "left out"}
    assert await told(store, only=state, areas=(LifeArea.HEALTH,), subject="kate", attribute="diet") == {"mine"}
    assert await told(store, only=state, note_ids=(note,), subject="kate") == {"mine"}
    assert await told(store, only=state, since=NOW) == set()
    assert await told(store, only=state, without=frozenset([mine.id])) == {"other", "left out"}


@pytest.mark.parametrize("state", ItemState)
async def test_nothing_of_anybody_else_is_told(store: Store, state: ItemState) -> None:
    for stranger in STRANGERS:
        marks = {"validated": True, "needs_resolution": True, "local_only": True}
        await kept(store, saying("theirs", scope=stranger, **marks), saying("gone", scope=stranger, deleted_at=NOW))
        await kept(store, saying("open", scope=stranger))
    assert await told(store, only=state) == set()


# ── at another time ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_was_deleted_by_then_is_told_and_what_was_deleted_later_is_not(store: Store) -> None:
    rows = [saying("before", deleted_at=BEFORE), saying("then", deleted_at=THEN), saying("later", deleted_at=SINCE)]
    await kept(store, *rows, saying("open"), saying("young", created_at=SINCE, deleted_at=SINCE))
    assert await told(store, only=ItemState.DELETED, as_of=THEN) == {"before", "then"}
    assert await told(store, only=ItemState.DELETED) == {"before", "then", "later", "young"}


async def test_what_was_held_then_and_is_not_confirmed_is_told(store: Store) -> None:
    rows = [saying("ended", deleted_at=SINCE), saying("replaced", superseded_by=an_id(), superseded_at=SINCE)]
    await kept(store, *rows, *gone(), saying("sure", validated=True, deleted_at=SINCE))
    assert await told(store, only=ItemState.UNCONFIRMED, as_of=THEN, history=True) == {"ended", "replaced"}
    assert await told(store, only=ItemState.CONFIRMED, as_of=THEN) == {"sure"}


async def test_what_was_true_then_is_told_of_those_wanted(store: Store) -> None:
    await kept(
        store,
        saying("was so", validated=True, superseded_by=an_id(), superseded_at=NOW, held_until=SINCE),
        saying("later", validated=True, held_from=SINCE),
        saying("wrong", deleted_at=NOW),
    )
    assert await told(store, only=ItemState.CONFIRMED, true_at=THEN) == {"was so"}
    assert await told(store, only=ItemState.DELETED, true_at=THEN) == {"wrong"}


# ── of no area ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_those_of_no_area_are_told_alone_or_beside_those_of_some(store: Store) -> None:
    await kept(store, saying("loose"), *(saying(area, area=area) for area in LifeArea), *gone(area=LifeArea.HEALTH))
    assert await told(store, no_area=True) == {"loose"}
    assert await told(store, no_area=True, areas=(LifeArea.HEALTH, LifeArea.CAREER)) == {"loose", "health", "career"}
    assert await told(store, areas=(LifeArea.HEALTH,)) == {"health"}
    assert await told(store) == {"loose", *LifeArea}


async def test_those_of_no_area_are_told_in_the_past_too(store: Store) -> None:
    await kept(store, *gone(), *gone(area=LifeArea.HEALTH), saying("later", created_at=SINCE))
    assert await told(store, no_area=True) == {"later"}
    assert await told(store, no_area=True, as_of=LONG_AGO) == {"superseded", "archived", "expired", "deleted"}
    assert await told(store, no_area=True, only=ItemState.DELETED) == {"deleted"}
    assert sum(count.items for count in await store.count_items(ANA, items_where(no_area=True, history=True))) == 4


# ── pages ─────────────────────────────────────────────────────────────────────────────────────────────────────────

KEYS: dict[ItemOrder, Any] = {
    ItemOrder.NEWEST: lambda item: (item.created_at, item.id),
    ItemOrder.OLDEST: lambda item: (item.created_at, item.id),
    ItemOrder.SUREST: lambda item: (item.confidence, item.created_at, item.id),
    ItemOrder.UNSURE: lambda item: (item.confidence, item.created_at, item.id),
    ItemOrder.CHANGED: lambda item: (item.updated_at, item.id),
}


WANTED: list[dict[str, Any]] = [*({"only": state} for state in ItemState), {"no_area": True}, {"areas": ("health",)}]


async def test_pages_are_whole_and_follow_one_another(store: Store) -> None:
    """Every page but the last is full, though only one in three of all items is wanted."""
    for number, wanted in enumerate(WANTED):
        scope = Scope("default", f"person {number}")
        rows = [marked(place, scope, wanted) for place in range(30)]
        await kept(store, *rows)
        which = items_where(**{name: (LifeArea.HEALTH,) if name == "areas" else part for name, part in wanted.items()})
        for order in ItemOrder:
            found: list[KnowledgeItem] = []
            page = await store.page(scope, replace(which, order=order), limit=4)
            while page.next is not None:
                assert len(page.rows) == 4
                found += page.rows
                page = await store.page(scope, replace(which, order=order), after=page.next, limit=4)
            found += page.rows
            assert found == sorted(rows[::3], key=KEYS[order], reverse=not order.is_rising), (wanted, order)


def marked(number: int, scope: Scope, wanted: dict[str, Any]) -> KnowledgeItem:
    is_wanted, is_deleted = number % 3 == 0, wanted.get("only") is ItemState.DELETED
    return an_item(
        scope=scope,
        created_at=NOW - days(number % 4),
        updated_at=NOW - minutes(number % 5),
        confidence=(0.5, 0.7, 0.9)[number // 3 % 3],
        validated=is_wanted is (wanted.get("only") is not ItemState.UNCONFIRMED),
        needs_resolution=is_wanted,
        local_only=is_wanted,
        deleted_at=NOW if is_deleted and is_wanted else None,
        area=LifeArea.HEALTH if is_wanted is not wanted.get("no_area", False) else None,
    )
