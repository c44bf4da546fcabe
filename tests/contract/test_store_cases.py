"""What the case file, views and the count of model use promise."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest

from builders import ANA, ANA_ELSEWHERE, BIA, NOW, STRANGERS, a_case, a_view, an_id, days, ids_of, kept, minutes
from relembra.domain.case import Outcome
from relembra.domain.scope import Place, Scope
from relembra.errors import ConflictError, StaleError
from relembra.store.port import CountUse, Cursor, Page, PutCase, PutView, Store, Use

# ── cases ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_every_part_of_a_case_is_kept(store: Store) -> None:
    case = a_case(
        place=Place("guild", "café"),
        judged_by="model:x",
        why="“mora em” e “vive em”",
        certainty=0.625,
        outcome=Outcome.BOTH,
        settled_by="person:ana",
        change=an_id(),
        asked=2,
        asked_at=NOW + minutes(1),
        opened_at=NOW - days(1),
        settled_at=NOW + timedelta(microseconds=1),
        version=3,
    )
    plain = a_case()
    await kept(store, case, plain)
    assert await store.cases(ANA, [plain.id, an_id(), case.id]) == [plain, case]


@pytest.mark.parametrize("expects", [None, 1, 3])
async def test_the_stored_cases_version_must_be_the_expected_one(store: Store, expects: int | None) -> None:
    case = a_case(version=2)
    await kept(store, case)
    changed = replace(case, outcome=Outcome.NEW, settled_by="rule", version=3)
    with pytest.raises(StaleError):
        await store.apply(ANA, [PutCase(changed, expects)])
    assert await store.cases(ANA, [case.id]) == [case]
    await store.apply(ANA, [PutCase(changed, 2)])
    assert await store.cases(ANA, [case.id]) == [changed]


async def test_a_version_expected_of_an_unknown_case_or_view_is_a_conflict(store: Store) -> None:
    for op in (PutCase(a_case(), 1), PutView(a_view(), 1)):
        with pytest.raises(StaleError):
            await store.apply(ANA, [op])


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_another_persons_cases_views_and_use_are_unknown(store: Store, stranger: Scope) -> None:
    case = a_case()
    await kept(store, case)
    await store.apply(ANA, [PutView(a_view(), None), used()])
    assert await store.cases(stranger, [case.id]) == []
    assert await store.page_cases(stranger) == Page((), None)
    assert await store.view(stranger, "profile") is None
    assert await store.usage(stranger) == []
    for op in (PutCase(case, 1), PutView(a_view(version=2), 1)):
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
        page = await store.page_cases(ANA, after=after, limit=limit)
        found += ids_of(page.rows)
        after = page.next
        if after is None:
            break
    assert found == ids_of([cases[1], cases[3], cases[2], cases[0]])
    assert await store.page_cases(ANA, limit=0) == Page((), None)


async def test_cases_are_narrowed_to_open_ones_and_to_items_on_either_side(store: Store) -> None:
    item = an_id()
    old, new = a_case(old_id=item), a_case(new_id=item, outcome=Outcome.UNDONE)
    other = a_case()
    await kept(store, old, new, other)
    assert set(ids_of((await store.page_cases(ANA, items=[item])).rows)) == {old.id, new.id}
    assert set(ids_of((await store.page_cases(ANA, open_only=True)).rows)) == {old.id, other.id}
    assert ids_of((await store.page_cases(ANA, open_only=True, items=[item])).rows) == [old.id]
    assert (await store.page_cases(ANA, items=["unknown"])).rows == ()
    assert (await store.page_cases(ANA, items=[])).rows == ()
    assert set(ids_of((await store.page_cases(ANA, items=[item, other.new_id])).rows)) == {old.id, new.id, other.id}


async def test_a_case_is_heard_where_its_place_may_be_heard(store: Store) -> None:
    private, guild = a_case(), a_case(place=Place("guild", "a"))
    await kept(store, private, guild)
    assert len((await store.page_cases(ANA)).rows) == 2
    assert ids_of((await store.page_cases(ANA, asked_in=Place("guild", "b"))).rows) == [guild.id]
    assert (await store.page_cases(ANA, asked_in=Place("other", "a"))).rows == ()


# ── views ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("body", [{"lines": ["Mora em Recife 🌇"], "n": {"a": [1, 0.5, None, True]}}, {}, None])
async def test_every_part_of_a_view_is_kept(store: Store, body: dict[str, Any] | None) -> None:
    view = a_view(body=body, made_at=NOW + timedelta(microseconds=7), version=4)
    await store.apply(ANA, [PutView(view, None), PutView(a_view(name="other"), None)])
    assert await store.view(ANA, "profile") == view
    assert await store.view(ANA, "unknown") is None


@pytest.mark.parametrize("expects", [None, 1, 3])
async def test_the_stored_views_version_must_be_the_expected_one(store: Store, expects: int | None) -> None:
    view = a_view(version=2)
    await store.apply(ANA, [PutView(view, None)])
    changed = replace(view, body=None, version=3)
    with pytest.raises(StaleError):
        await store.apply(ANA, [PutView(changed, expects)])
    assert await store.view(ANA, "profile") == view
    await store.apply(ANA, [PutView(changed, 2)])
    assert await store.view(ANA, "profile") == changed


# ── use of models ─────────────────────────────────────────────────────────────────────────────────────────────────


def used(**changes: Any) -> CountUse:
    ordinary: dict[str, Any] = {
        "task": "digest",
        "model": "m",
        "at": NOW,
        "calls": 1,
        "input_tokens": 10,
        "output_tokens": 2,
    }
    return CountUse(**ordinary | changes)


def use(**changes: Any) -> Use:
    ordinary: dict[str, Any] = {
        "day": NOW.date(),
        "task": "digest",
        "model": "m",
        "calls": 1,
        "input_tokens": 10,
        "output_tokens": 2,
    }
    return Use(**ordinary | changes)


async def test_what_models_were_asked_is_added_up_by_day_task_and_model(store: Store) -> None:
    await store.apply(ANA, [used(), used(calls=2, input_tokens=1), used(model="a"), used(task="compare")])
    await store.apply(ANA, [used(at=NOW - days(1)), used()])
    assert await store.usage(ANA) == [
        use(day=(NOW - days(1)).date()),
        use(task="compare"),
        use(model="a"),
        use(calls=4, input_tokens=21, output_tokens=6),
    ]


async def test_the_day_is_that_of_utc(store: Store) -> None:
    evening = NOW.replace(hour=23).astimezone(timezone(timedelta(hours=-3)))
    morning = NOW.replace(hour=1).astimezone(timezone(timedelta(hours=9)))
    await store.apply(ANA, [used(at=evening), used(at=morning.replace(hour=3))])
    assert [row.day for row in await store.usage(ANA)] == [(NOW - days(1)).date(), NOW.date()]


async def test_use_is_told_of_one_person_or_summed_over_all_since_a_day(store: Store) -> None:
    await store.apply(ANA, [used(), used(at=NOW - days(2))])
    await store.apply(BIA, [used(calls=3)])
    assert await store.usage(BIA) == [use(calls=3)]
    assert await store.usage() == [
        use(day=(NOW - days(2)).date()),
        use(calls=4, input_tokens=20, output_tokens=4),
    ]
    assert await store.usage(since=NOW.date()) == [use(calls=4, input_tokens=20, output_tokens=4)]
    assert await store.usage(ANA, since=(NOW + days(1)).date()) == []
