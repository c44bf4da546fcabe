"""What the store promises of the records of night work."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    NOW,
    STRANGERS,
    a_job,
    a_night,
    a_run,
    an_id,
    an_item,
    ids_of,
    kept,
    minutes,
    puts,
)
from relembra.domain.jobs import Run, RunKind, RunStatus
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import ConflictError, StaleError
from relembra.store.port import Cursor, FinishJob, Put, RunFilter, Store


async def of_night(store: Store, scope: Scope, kind: RunKind, night: date) -> Run | None:
    found = await store.page(scope, RunFilter(kinds=(kind,), night=night))
    assert len(found.rows) <= 1
    return found.rows[0] if found.rows else None


async def pages(store: Store, scope: Scope | None, *kinds: RunKind, limit: int = 1) -> list[Run]:
    """All pages, one after the other."""
    page = await store.page(scope, RunFilter(kinds=kinds), limit=limit)
    rows = [*page.rows]
    while page.next is not None:
        page = await store.page(scope, RunFilter(kinds=kinds), after=page.next, limit=limit)
        assert 0 < len(page.rows) <= limit
        rows += page.rows
    return rows


async def test_a_second_record_of_the_same_scope_kind_and_night_is_a_conflict_and_changes_nothing(
    store: Store,
) -> None:
    first, item = a_run(night=a_night(1)), an_item()
    second = a_run(night=a_night(1))
    await kept(store, first)
    with pytest.raises(ConflictError) as caught:
        await store.apply(ANA, [*puts(item), Put(second, None)])
    assert not isinstance(caught.value, StaleError)
    assert await pages(store, ANA) == [first]
    assert await store.get(ANA, KnowledgeItem, [item.id]) == []


async def test_a_record_moved_to_a_night_that_has_one_is_a_conflict(store: Store) -> None:
    first, second = a_run(night=a_night(1)), a_run(night=a_night(2))
    await kept(store, first, second)
    with pytest.raises(ConflictError) as caught:
        await store.apply(ANA, [Put(replace(second, night=a_night(1), version=2), 1)])
    assert not isinstance(caught.value, StaleError)
    assert await store.find(ANA, Run, second.id) == second


async def test_another_night_kind_person_or_tenant_has_its_own_record(store: Store) -> None:
    night = a_night(1)
    runs = [
        a_run(night=night),
        a_run(night=a_night(2)),
        a_run(night=night, kind=RunKind.REPORT),
        a_run(night=night, scope=BIA),
        a_run(night=night, scope=ANA_ELSEWHERE),
        a_run(night=night, scope=shelf_of(ANA, Place("guild"))),
    ]
    await kept(store, *runs)
    for run in runs:
        assert run.night is not None
        assert await of_night(store, run.scope, run.kind, run.night) == run


async def test_those_asked_for_by_hand_have_no_night_and_may_be_many(store: Store) -> None:
    runs = [a_run() for _ in range(3)]
    await kept(store, *runs)
    assert sorted(ids_of(await pages(store, ANA))) == sorted(ids_of(runs))
    assert await of_night(store, ANA, RunKind.CONSOLIDATION, a_night(1)) is None


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_strangers_record_is_as_one_that_does_not_exist(store: Store, stranger: Scope) -> None:
    run = a_run(night=a_night(1))
    await kept(store, run)
    assert await store.find(stranger, Run, run.id) is None
    assert await of_night(store, stranger, run.kind, a_night(1)) is None
    assert await store.ids_like(stranger, Run, run.id) == []
    assert await pages(store, stranger) == []


@pytest.mark.parametrize("id", [an_id(), "no id", ""])
async def test_an_unknown_record_is_none(store: Store, id: str) -> None:
    await kept(store, a_run())
    assert await store.find(ANA, Run, id) is None


async def test_a_record_of_another_scope_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="belongs to"):
        await store.apply(ANA, [Put(a_run(scope=BIA), None)])
    assert await pages(store, None) == []


async def test_records_are_found_by_the_start_or_the_end_of_their_id(store: Store) -> None:
    runs = [a_run(id=an_id(number)) for number in (0xA1, 0xB1, 0xB2)]
    await kept(store, *runs, a_run(scope=BIA, id=an_id(0xB3)))
    assert await store.ids_like(ANA, Run, "0b2") == [runs[2].id]
    assert await store.ids_like(ANA, Run, runs[0].id) == [runs[0].id]
    assert await store.ids_like(ANA, Run, "01900000-0000") == [runs[0].id, runs[1].id]
    assert await store.ids_like(ANA, Run, "01900000-0000", limit=9) == ids_of(runs)
    assert await store.ids_like(ANA, Run, "b3") == []
    assert await store.ids_like(ANA, Run, "0_2") == await store.ids_like(ANA, Run, "%") == []


@pytest.mark.parametrize("limit", [1, 2, 50])
async def test_records_are_paged_newest_first_by_when_they_started_and_then_id(store: Store, limit: int) -> None:
    runs = [a_run(id=an_id(number), started_at=NOW + minutes(at)) for number, at in ((1, 2), (2, 5), (3, 2), (4, 0))]
    await kept(store, *runs, a_run(scope=BIA))
    assert await pages(store, ANA, limit=limit) == [runs[1], runs[2], runs[0], runs[3]]


async def test_everybodys_records_are_paged_where_no_scope_is_given(store: Store) -> None:
    scopes = [ANA, BIA, ANA_ELSEWHERE, shelf_of(ANA, Place("guild"))]
    runs = [a_run(scope=scope, started_at=NOW + minutes(at)) for at, scope in enumerate(scopes)]
    await kept(store, *runs)
    assert await pages(store, None) == [*reversed(runs)]


async def test_only_records_of_the_asked_kinds_are_paged(store: Store) -> None:
    runs = [a_run(kind=kind, started_at=NOW + minutes(at)) for at, kind in enumerate(RunKind)]
    await kept(store, *runs, a_run(scope=BIA, kind=RunKind.INSIGHT, started_at=NOW + minutes(30)))
    by_kind = {run.kind: run for run in runs}
    assert await pages(store, ANA, RunKind.GARDENING, RunKind.INSIGHT) == [
        by_kind[RunKind.INSIGHT],
        by_kind[RunKind.GARDENING],
    ]
    assert [run.scope for run in await pages(store, None, RunKind.INSIGHT)] == [BIA, ANA]
    assert await pages(store, BIA, RunKind.REPORT) == []


async def test_a_page_without_room_is_empty_and_the_last_one_has_no_next(store: Store) -> None:
    await kept(store, a_run(), a_run())
    assert (await store.page(ANA, RunFilter(), limit=0)).rows == ()
    assert (await store.page(ANA, RunFilter(), limit=2)).next is None
    first = await store.page(ANA, RunFilter(), limit=1)
    assert first.next == Cursor(first.rows[0].started_at, first.rows[0].id)


async def test_a_record_ends_with_its_job_or_not_at_all(store: Store) -> None:
    job, run = a_job(), a_run()
    await kept(store, job, run)
    ended = replace(run, status=RunStatus.COMPLETED, version=2)
    await store.apply(ANA, [Put(ended, 1), FinishJob(job.id)])
    with pytest.raises(ConflictError):
        await store.apply(ANA, [Put(replace(ended, version=3), 2), FinishJob(job.id)])
    assert await store.find(ANA, Run, run.id) == ended


async def test_who_has_only_a_record_is_one_of_the_people(store: Store) -> None:
    await kept(store, a_run(), a_run(scope=shelf_of(ANA, Place("guild"))))
    assert (await store.stats()).people == (await store.stats(ANA)).people == 1
    verification = await store.verify()
    assert (verification.problems, verification.checked["runs"]) == ((), 2)
