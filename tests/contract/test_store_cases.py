"""What the case file, views and the count of model use promise."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest

from builders import ANA, ANA_ELSEWHERE, BIA, NOW, STRANGERS, a_case, a_view, an_id, days, ids_of, kept, minutes
from relembra.domain.candidate import Spent
from relembra.domain.case import Case, Outcome
from relembra.domain.scope import Place, Scope
from relembra.errors import ConflictError
from relembra.store.port import CaseFilter, CountUse, Cursor, Page, Put, Store, Use, View

# ── cases ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_another_persons_cases_views_and_use_are_unknown(store: Store, stranger: Scope) -> None:
    case = a_case()
    await kept(store, case)
    await store.apply(ANA, [Put(a_view(), None), used()])
    assert await store.get(stranger, Case, [case.id]) == []
    assert await store.page(stranger, CaseFilter()) == Page((), None)
    assert await store.find(stranger, View, "profile") is None
    assert await store.usage(stranger) == []
    for op in (Put(case, 1), Put(a_view(version=2), 1)):
        with pytest.raises(ValueError):
            await store.apply(stranger, [op])


async def test_a_case_is_found_by_its_id_alone_within_a_tenant(store: Store) -> None:
    mine, theirs, there = a_case(), a_case(scope=BIA), a_case(scope=ANA_ELSEWHERE)
    await kept(store, mine, theirs, there)
    assert [await store.case_scope("default", case.id) for case in (mine, theirs, there)] == [ANA, BIA, None]
    assert await store.case_scope("default", "nonsense") is None


async def test_a_cases_id_is_taken_once_in_a_tenant(store: Store) -> None:
    case = a_case()
    await kept(store, case)
    with pytest.raises(ConflictError):
        await kept(store, replace(case, scope=BIA))
    await kept(store, replace(case, scope=ANA_ELSEWHERE))
    assert await store.case_scope("default", case.id) == ANA
    assert await store.case_scope("other", case.id) == ANA_ELSEWHERE


@pytest.mark.parametrize("limit", [1, 2, 50])
async def test_cases_are_paged_newest_first_by_when_they_were_opened_and_then_id(store: Store, limit: int) -> None:
    cases = [a_case(opened_at=NOW + minutes(minute)) for minute in (0, 2, 1, 1)]
    await kept(store, *cases)
    found: list[str] = []
    after: Cursor | None = None
    while True:
        page = await store.page(ANA, CaseFilter(), after=after, limit=limit)
        found += ids_of(page.rows)
        after = page.next
        if after is None:
            break
    assert found == ids_of([cases[1], cases[3], cases[2], cases[0]])
    assert await store.page(ANA, CaseFilter(), limit=0) == Page((), None)


async def test_cases_are_narrowed_to_open_ones_and_to_items_on_either_side(store: Store) -> None:
    item = an_id()
    old, new = a_case(old_id=item), a_case(new_id=item, outcome=Outcome.UNDONE)
    other = a_case()
    await kept(store, old, new, other)
    assert set(ids_of((await store.page(ANA, CaseFilter(items=[item]))).rows)) == {old.id, new.id}
    assert set(ids_of((await store.page(ANA, CaseFilter(open_only=True))).rows)) == {old.id, other.id}
    assert ids_of((await store.page(ANA, CaseFilter(open_only=True, items=[item]))).rows) == [old.id]
    assert (await store.page(ANA, CaseFilter(items=["unknown"]))).rows == ()
    assert (await store.page(ANA, CaseFilter(items=[]))).rows == ()
    assert set(ids_of((await store.page(ANA, CaseFilter(items=[item, other.new_id]))).rows)) == {
        old.id,
        new.id,
        other.id,
    }


async def test_a_case_is_heard_where_its_place_may_be_heard(store: Store) -> None:
    private, guild = a_case(), a_case(place=Place("guild", "a"))
    await kept(store, private, guild)
    assert len((await store.page(ANA, CaseFilter())).rows) == 2
    assert ids_of((await store.page(ANA, CaseFilter(asked_in=Place("guild", "b")))).rows) == [guild.id]
    assert (await store.page(ANA, CaseFilter(asked_in=Place("other", "a")))).rows == ()


# ── views ─────────────────────────────────────────────────────────────────────────────────────────────────────────


# ── use of models ─────────────────────────────────────────────────────────────────────────────────────────────────


def use(**changes: Any) -> Use:
    ordinary = Use(day=NOW.date(), task="digest", model="m", calls=1, input_tokens=10, output_tokens=2)
    return replace(ordinary, **changes)


def used(**changes: Any) -> CountUse:
    return CountUse(use(**changes))


async def test_what_models_were_asked_is_added_up_by_day_task_and_model(store: Store) -> None:
    await store.apply(ANA, [used(), used(calls=2, input_tokens=1), used(model="a"), used(task="compare")])
    await store.apply(ANA, [used(day=(NOW - days(1)).date()), used()])
    assert await store.usage(ANA) == [
        use(day=(NOW - days(1)).date()),
        use(task="compare"),
        use(model="a"),
        use(calls=4, input_tokens=21, output_tokens=6),
    ]


def test_the_day_is_that_of_utc() -> None:
    evening = NOW.replace(hour=23).astimezone(timezone(timedelta(hours=-3)))
    morning = NOW.replace(hour=1).astimezone(timezone(timedelta(hours=9))).replace(hour=3)
    spent = Spent(task="digest", model="m", calls=1, input_tokens=10, output_tokens=2)
    days_told = [CountUse.of(spent, at).use.day for at in (evening, morning)]
    assert days_told == [NOW.date(), (NOW - days(1)).date()]


async def test_use_is_told_of_one_person_or_summed_over_all_since_a_day(store: Store) -> None:
    await store.apply(ANA, [used(), used(day=(NOW - days(2)).date())])
    await store.apply(BIA, [used(calls=3)])
    assert await store.usage(BIA) == [use(calls=3)]
    assert await store.usage() == [
        use(day=(NOW - days(2)).date()),
        use(calls=4, input_tokens=20, output_tokens=4),
    ]
    assert await store.usage(since=NOW.date()) == [use(calls=4, input_tokens=20, output_tokens=4)]
    assert await store.usage(ANA, since=(NOW + days(1)).date()) == []
