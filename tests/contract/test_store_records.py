"""What the store promises of cases, of the records of night work, and of the count of model use."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    NOW,
    STRANGERS,
    a_case,
    a_job,
    a_night,
    a_run,
    a_view,
    an_id,
    an_item,
    days,
    ids_of,
    kept,
    minutes,
    puts,
)
from relembra.domain.candidate import Spent
from relembra.domain.case import Case, Outcome
from relembra.domain.jobs import Run, RunKind, RunStatus
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Place, shelf_of
from relembra.errors import ConflictError, StaleError
from relembra.store.port import CaseFilter, CountUse, Filter, FinishJob, Page, Put, RunFilter, Store, Use, View

TODAY = NOW.date()
YESTERDAY = (NOW - days(1)).date()


def use(**changes: Any) -> Use:
    return replace(Use(day=TODAY, task="digest", model="m", calls=1, input_tokens=10, output_tokens=2), **changes)


def used(**changes: Any) -> CountUse:
    return CountUse(use(**changes))


async def test_another_persons_cases_views_runs_and_use_are_unknown(store: Store) -> None:
    case, run = a_case(), a_run(night=a_night(1))
    await kept(store, case, run)
    await store.apply(ANA, [Put(a_view(), None), used()])
    for stranger in STRANGERS:
        assert await store.find(stranger, Case, case.id) is None
        assert await store.find(stranger, View, "profile") is None
        assert await store.find(stranger, Run, run.id) is None
        assert await store.usage(stranger) == []
        pages: list[Filter[Any]] = [CaseFilter(), RunFilter(), RunFilter(night=a_night(1))]
        for wanted in pages:
            assert await store.page(stranger, wanted) == Page((), None)
        for row in (case, a_view(version=2), run):
            with pytest.raises(ValueError):
                await store.apply(stranger, [Put(row, 1)])


# ── cases ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_case_is_found_by_its_id_alone_within_a_tenant_where_that_is_taken_once(store: Store) -> None:
    mine, theirs, there = a_case(), a_case(scope=BIA), a_case(scope=ANA_ELSEWHERE)
    await kept(store, mine, theirs, there)
    assert [await store.case_scope("default", case.id) for case in (mine, theirs, there)] == [ANA, BIA, None]
    assert await store.case_scope("default", "nonsense") is None
    with pytest.raises(ConflictError):
        await kept(store, replace(mine, scope=BIA))
    await kept(store, replace(mine, scope=ANA_ELSEWHERE))
    assert [await store.case_scope(tenant, mine.id) for tenant in ("default", "other")] == [ANA, ANA_ELSEWHERE]


async def test_cases_are_narrowed_to_open_ones_to_items_on_either_side_and_to_where_they_are_heard(
    store: Store,
) -> None:
    item = an_id()
    old, new = a_case(old_id=item), a_case(new_id=item, outcome=Outcome.UNDONE)
    other = a_case(place=Place("guild", "a"))
    await kept(store, old, new, other)
    narrowed: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {old.id, new.id, other.id}),
        ({"items": [item]}, {old.id, new.id}),
        ({"open_only": True}, {old.id, other.id}),
        ({"open_only": True, "items": [item]}, {old.id}),
        ({"items": ["unknown"]}, set()),
        ({"items": []}, set()),
        ({"items": [item, other.new_id]}, {old.id, new.id, other.id}),
        ({"asked_in": Place("guild", "b")}, {other.id}),
        ({"asked_in": Place("other", "a")}, set()),
    ]
    for parts, right in narrowed:
        assert set(ids_of((await store.page(ANA, CaseFilter(**parts))).rows)) == right, parts


# ── runs ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_second_record_of_the_same_scope_kind_and_night_is_a_conflict_and_changes_nothing(store: Store) -> None:
    first, other, item = a_run(night=a_night(1)), a_run(night=a_night(2)), an_item()
    await kept(store, first, other)
    for op in (Put(a_run(night=a_night(1)), None), Put(replace(other, night=a_night(1), version=2), 1)):
        with pytest.raises(ConflictError) as caught:
            await store.apply(ANA, [*puts(item), op])
        assert not isinstance(caught.value, StaleError)
    assert set((await store.page(ANA, RunFilter())).rows) == {first, other}
    assert await store.get(ANA, KnowledgeItem, [item.id]) == []


async def test_another_night_kind_person_or_tenant_has_its_own_record_and_by_hand_there_may_be_many(
    store: Store,
) -> None:
    night = a_night(1)
    runs = [
        a_run(night=night), a_run(night=a_night(2)), a_run(night=night, kind=RunKind.REPORT),
        a_run(night=night, scope=BIA), a_run(night=night, scope=ANA_ELSEWHERE),
        a_run(night=night, scope=shelf_of(ANA, Place("guild"))),
    ]  # fmt: skip
    by_hand = [a_run() for _ in range(3)]
    await kept(store, *runs, *by_hand)
    for run in runs:
        assert (await store.page(run.scope, RunFilter(kinds=(run.kind,), night=run.night))).rows == (run,)
    assert {*by_hand, *runs[:3]} == set((await store.page(ANA, RunFilter())).rows)


async def test_everybodys_records_of_any_or_some_kinds_are_paged_newest_first(store: Store) -> None:
    scopes = [ANA, BIA, ANA_ELSEWHERE, shelf_of(ANA, Place("guild"))]
    runs = [
        a_run(scope=scope, kind=kind, started_at=NOW + minutes(at))
        for at, (scope, kind) in enumerate((scope, kind) for kind in RunKind for scope in scopes)
    ]
    await kept(store, *runs)
    kinds = (RunKind.GARDENING, RunKind.INSIGHT)
    for scope in (None, ANA):
        mine = [run for run in reversed(runs) if scope in (None, run.scope)]
        for chosen in ((), kinds):
            rows, page = list[Run](), await store.page(scope, RunFilter(kinds=chosen), limit=3)
            while page.next is not None:
                rows += page.rows
                page = await store.page(scope, RunFilter(kinds=chosen), after=page.next, limit=3)
            assert [*rows, *page.rows] == [run for run in mine if not chosen or run.kind in chosen]


async def test_a_record_ends_with_its_job_or_not_at_all(store: Store) -> None:
    job, run = a_job(), a_run()
    await kept(store, job, run)
    ended = replace(run, status=RunStatus.COMPLETED, version=2)
    await store.apply(ANA, [Put(ended, 1), FinishJob(job.id)])
    with pytest.raises(ConflictError):
        await store.apply(ANA, [Put(replace(ended, version=3), 2), FinishJob(job.id)])
    assert await store.find(ANA, Run, run.id) == ended
    assert await store.find(ANA, Run, "no id") is None


async def test_who_has_only_a_record_is_one_of_the_people(store: Store) -> None:
    await kept(store, a_run(), a_run(scope=shelf_of(ANA, Place("guild"))))
    assert (await store.stats()).people == (await store.stats(ANA)).people == 1
    verification = await store.verify()
    assert (verification.problems, verification.checked["runs"]) == ((), 2)


# ── use of models ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_models_were_asked_is_added_up_by_day_task_and_model_of_one_person_or_all(store: Store) -> None:
    await store.apply(ANA, [used(), used(calls=2, input_tokens=1), used(model="a"), used(task="compare")])
    await store.apply(ANA, [used(day=YESTERDAY), used()])
    await store.apply(BIA, [used(calls=3)])
    mine = [use(day=YESTERDAY), use(task="compare"), use(model="a"), use(calls=4, input_tokens=21, output_tokens=6)]
    everybodys = [*mine[:3], use(calls=7, input_tokens=31, output_tokens=8)]
    assert await store.usage(ANA) == mine
    assert await store.usage(BIA) == [use(calls=3)]
    assert await store.usage() == everybodys
    assert await store.usage(since=TODAY) == everybodys[1:]
    assert await store.usage(ANA, since=(NOW + days(1)).date()) == []


def test_the_day_of_a_use_is_that_of_utc() -> None:
    evening = NOW.replace(hour=23).astimezone(timezone(timedelta(hours=-3)))
    morning = NOW.replace(hour=1).astimezone(timezone(timedelta(hours=9))).replace(hour=3)
    spent = Spent(task="digest", model="m", calls=1, input_tokens=10, output_tokens=2)
    assert [CountUse.of(spent, at).use.day for at in (evening, morning)] == [TODAY, YESTERDAY]
