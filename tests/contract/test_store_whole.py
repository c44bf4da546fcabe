"""Reading a whole memory: every row of a kind, whatever became of it, and whose memories there are."""

from __future__ import annotations

from datetime import timedelta

import pytest

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    NOW,
    a_case,
    a_conversation,
    a_message,
    a_note,
    a_view,
    an_entry,
    an_id,
    an_item,
    kept,
)
from relembra.domain.jobs import Job, Run, RunKind
from relembra.domain.scope import Place, shelf_of
from relembra.store.port import Cursor, Enqueue, ForgetPerson, Ledger, LedgerRow, Put, Store, Whole

HOUR = timedelta(hours=1)


def a_run(number: int) -> Run:
    return Run(
        id=an_id(), scope=ANA, kind=RunKind.GARDENING, night=None, since=None, until=NOW, started_at=NOW + number * HOUR
    )


def a_row(ledger: Ledger, number: int) -> LedgerRow:
    """The row of an hour; every second one is gone in its way."""
    at, gone = NOW + number * HOUR, NOW if number % 2 else None
    match ledger:
        case Ledger.CONVERSATION:
            return a_conversation(id=f"c{number}", created_at=at, deleted_at=gone)
        case Ledger.NOTE:
            return a_note(happened_at=at, deleted_at=gone, archived_at=NOW if number == 2 else None)
        case Ledger.ITEM:
            return an_item(created_at=at, deleted_at=gone, archived_at=NOW if number == 2 else None)
        case Ledger.CASE:
            return a_case(opened_at=at)
        case Ledger.RUN:
            return a_run(number)
        case Ledger.MESSAGE:
            return a_message(sent_at=at, deleted_at=gone)


@pytest.mark.parametrize("ledger", Ledger)
async def test_every_row_comes_oldest_first_a_page_at_a_time(store: Store, ledger: Ledger) -> None:
    rows = [a_row(ledger, number) for number in (2, 0, 1, 4, 3)]
    for row in rows:
        if isinstance(row, Run):
            await store.apply(ANA, [Put(row, None)])
        else:
            await kept(store, row)
    told: list[LedgerRow] = []
    after: Cursor | None = None
    for size in (2, 2, 1):
        page = await store.page(ANA, Whole(ledger), after=after, limit=2)
        assert len(page.rows) == size
        told += page.rows
        after = page.next
    assert after is None
    assert told == [rows[place] for place in (1, 2, 0, 4, 3)]
    assert (await store.page(BIA, Whole(ledger))).rows == ()
    assert (await store.page(ANA, Whole(ledger), limit=0)).rows == ()


async def test_rows_of_one_moment_come_by_their_ids(store: Store) -> None:
    rows = [a_message(id=an_id(number)) for number in (3, 1, 2)]
    await kept(store, *rows)
    first = await store.page(ANA, Whole(Ledger.MESSAGE), limit=1)
    rest = await store.page(ANA, Whole(Ledger.MESSAGE), after=first.next)
    assert [*first.rows, *rest.rows] == [rows[1], rows[2], rows[0]]


async def test_owners_are_all_of_whom_anything_is_kept_in_the_tenant(store: Store) -> None:
    guild = shelf_of(ANA, Place("guild", "general"))
    await kept(store, an_item(), a_message(scope=BIA), a_note(scope=guild), an_entry(scope=ANA_ELSEWHERE))
    assert await store.owners("default") == [guild, ANA, BIA]
    assert await store.owners("default", limit=1) == [guild]
    assert await store.owners("default", after=guild.user, limit=1) == [ANA]
    assert await store.owners("default", after="bia") == []
    assert await store.owners("other") == [ANA_ELSEWHERE]
    await store.forget(BIA, ForgetPerson())
    assert await store.owners("default") == [guild, ANA]


async def test_queued_work_alone_makes_nobody_an_owner_and_a_view_does(store: Store) -> None:
    job = Job(id=an_id(), scope=ANA, kind="index", payload={}, due_at=NOW, created_at=NOW)
    await store.apply(ANA, [Enqueue(job)])
    assert await store.owners("default") == []
    await store.apply(BIA, [Put(a_view(scope=BIA), None)])
    assert await store.owners("default") == [BIA]
