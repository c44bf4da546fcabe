"""The writer's groups, what several callers at once see, what verifying tells, and by which indexes is read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from builders import (
    ANA,
    MODEL,
    NOW,
    Words,
    a_job,
    a_message,
    a_night,
    a_run,
    a_vector,
    an_item,
    buffering,
    items_where,
    kept,
    minutes,
    puts,
)
from relembra.domain.jobs import NIGHT_WORK, RunKind
from relembra.domain.knowledge import ItemState, LifeArea
from relembra.domain.scope import Scope
from relembra.errors import ConflictError
from relembra.store.port import Cursor, FinishJob, ForgetItem, ItemOrder, Kind, Put, PutVectors, RunFilter
from relembra.store.sql import queue, reads
from relembra.store.sqlite import SqliteStore
from relembra.store.sqlite.connection import Connection, make_store


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words(), durability="normal")
    yield store
    await store.close()


async def test_of_a_group_only_the_failing_request_is_taken_back(store: SqliteStore) -> None:
    task = asyncio.ensure_future(store.forget(ANA, ForgetItem(an_item().id)))
    await asyncio.sleep(0)
    task.cancel()  # a cancelled caller leaves the store usable
    good = [an_item() for _ in range(40)]
    requests = [store.apply(ANA, puts(item)) for item in good]
    requests[20:20] = [store.apply(ANA, [*puts(an_item()), FinishJob(an_item().id)])]
    answers = await asyncio.gather(*requests, return_exceptions=True)
    assert [type(answer) for answer in answers if isinstance(answer, Exception)] == [ConflictError]
    page = await store.page(ANA, items_where(), limit=100)
    assert {item.id for item in page.rows} == {item.id for item in good}
    tries = [replace(good[0], content=f"try {number}", version=2) for number in range(20)]
    answers = await asyncio.gather(*(store.apply(ANA, [Put(row, 1)]) for row in tries), return_exceptions=True)
    assert sum(isinstance(answer, ConflictError) for answer in answers) == 19
    assert (await store.verify()).problems == ()


# ── verifying ─────────────────────────────────────────────────────────────────────────────────────────────────────

DAMAGE = {
    "a posting that is missing": "DELETE FROM posting WHERE term = 'glass'",
    "a posting of nothing": "INSERT INTO posting VALUES ('default', 'ana', 1, 'ghost', x'00', 1, 1)",
    "another frequency": "UPDATE posting SET tf = tf + 1 WHERE term = 'glass'",
    "other counts": "UPDATE slice SET docs = docs + 1",
    "a vector that is too long": "UPDATE embedding SET vector = zeroblob(16)",
    "a vector that is too weak": "UPDATE embedding SET vector = x'0000003f00000000'",
    "a vector without the whole text's": "UPDATE embedding SET part = 1",
    "vectors counted wrongly": "UPDATE vector_slice SET vectors = 7",
    "a vector of nothing": "UPDATE embedding SET id = zeroblob(16)",
    "a buffered message that is not there": "UPDATE buffered SET message = zeroblob(16)",
    "a buffer that is not there": "DELETE FROM buffer",
    "a buffer without its job": "DELETE FROM job",
    "something due that is not there": "UPDATE unaccounted SET id = zeroblob(16)",
    "a record of an unknown kind": "UPDATE run SET kind = 'dreaming'",
    "a record of an unknown count": """UPDATE run SET tally = '{"dreams":1}'""",
    "a record of no day": "UPDATE run SET night = 'yesterday'",
    "a successor that is not there": "UPDATE item SET superseded_by = zeroblob(16)",
    "a compressed text that is none": "UPDATE item SET packed = zeroblob(20)",
    "terms of an archived item's content": "UPDATE item SET archived_at = 0",
}


async def test_verifying_tells(store: SqliteStore, tmp_path: Path) -> None:
    item = an_item()
    await kept(store, item, a_run(night=a_night(1)))
    await store.apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (a_vector(1, 0),)), buffering(a_message())])
    assert (await store.verify()).problems == ()
    untold: list[str] = []
    for damage, statement in DAMAGE.items():
        path = tmp_path / f"{len(untold)}.db"
        path.unlink(missing_ok=True)
        await store.backup(path)
        db = apsw.Connection(str(path))
        db.execute(statement)
        db.close()
        damaged = await SqliteStore.open(path, analyzer=Words(), read_only=True)
        if not (await damaged.verify()).problems:
            untold.append(damage)
        await damaged.close()
    assert untold == []


# ── by which indexes ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    db = Connection(":memory:")
    make_store(db, tmp_path)
    yield db
    db.close()


class Plans:
    """Collects the plans of all statements run on a connection."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._run: list[tuple[str, Any]] = []
        db.exec_trace = self._trace

    def _trace(self, _cursor: apsw.Cursor, statement: str, values: Any) -> bool:
        self._run.append((statement, values))
        return True

    def told(self) -> list[str]:
        self._db.exec_trace = None
        explained = [self._db.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall() for sql, values in self._run]
        return [str(row[3]) for plan in explained for row in plan]


@pytest.mark.parametrize("one_a_scope", [True, False])
def test_a_claim_reads_each_kind_in_order_and_no_further_than_it_takes(db: Connection, one_a_scope: bool) -> None:
    with db.transaction():
        for number in range(2_000):
            queue.enqueue(db, a_job(kind="garden", scope=Scope("default", f"person {number}"), due_at=NOW))
    steps = [0]

    def count() -> bool:
        steps[0] += 1
        return False

    db.set_progress_handler(count, 10)
    plans = Plans(db)
    taken = queue.claim(db, NIGHT_WORK, now=NOW, lease=minutes(5), limit=2, one_a_scope=one_a_scope)
    db.set_progress_handler(None)
    told = plans.told()
    assert len(taken) == 2
    assert steps[0] * 10 < 2_000
    assert sum("job_by_kind (state=? AND kind=? AND due_at<?)" in step for step in told) == len(NIGHT_WORK)
    assert [step for step in told if "TEMP B-TREE" in step or step == "SCAN job"] == []


def test_what_is_read_of_one_person_is_read_by_an_index_in_its_order(db: Connection) -> None:
    plans = Plans(db)
    queue.enqueue(db, a_job(key="night"))
    assert any("job_by_key (tenant=? AND owner=? AND kind=? AND key=?)" in step for step in plans.told())
    plans = Plans(db)
    for scope in (ANA, None):
        for after in (None, Cursor(NOW, a_job().id)):
            reads.page(db, scope, RunFilter(kinds=(RunKind.INSIGHT,)), after=after, limit=5)
    for order in ItemOrder:
        reads.page(db, ANA, items_where(order=order), limit=5)
    for state in set(ItemState) - {ItemState.DELETED}:
        reads.page(db, ANA, items_where(only=state), limit=5)
    reads.page(db, ANA, items_where(no_area=True), limit=5)
    reads.page(db, ANA, items_where(areas=(LifeArea.HEALTH,)), limit=5)
    assert [step for step in plans.told() if "TEMP B-TREE" in step or step == "SCAN row"] == []
    plans = Plans(db)
    queue.unaccounted(db, ANA, limit=5)
    reads.page_trail(db, ANA, limit=5)
    reads.changes(db, ANA, ["k1"])
    assert [step for step in plans.told() if step.startswith("SCAN") and "carray" not in step] == []
    plans = Plans(db)
    reads.count_items(db, ANA, items_where())
    assert any("COVERING INDEX item_current" in step for step in plans.told())
