"""How the queue and the records are read: by their indexes, in order, and no further than needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from builders import ANA, NOW, a_job, minutes
from relembra.domain.jobs import NIGHT_WORK, RunKind
from relembra.domain.scope import Scope
from relembra.store.port import Cursor, RunFilter
from relembra.store.sqlite import jobs as queue
from relembra.store.sqlite import reads as reading
from relembra.store.sqlite import schema as migrating


@pytest.fixture
def db(tmp_path: Path) -> Iterator[apsw.Connection]:
    db = apsw.Connection(str(tmp_path / "memory.db"))
    migrating.migrate(db, tmp_path / "memory.db")
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
def test_a_claim_reads_each_kind_in_order_and_sorts_nothing(db: apsw.Connection, one_a_scope: bool) -> None:
    for number in range(3):
        queue.enqueue(db, a_job(kind="garden", scope=Scope("default", f"person {number}")))
    plans = Plans(db)
    taken = queue.claim(db, NIGHT_WORK, now=NOW, lease=minutes(5), limit=2, one_a_scope=one_a_scope)
    told = plans.told()
    assert len(taken) == 2
    assert sum("job_by_kind (state=? AND kind=? AND due_at<?)" in step for step in told) == len(NIGHT_WORK)
    assert [step for step in told if "TEMP B-TREE" in step or step == "SCAN job"] == []


def test_a_claim_looks_no_further_than_the_jobs_it_takes(db: apsw.Connection) -> None:
    for number in range(2_000):
        queue.enqueue(db, a_job(kind="garden", scope=Scope("default", f"person {number}")))
    steps = [0]

    def count() -> bool:
        steps[0] += 1
        return False

    db.set_progress_handler(count, 10)
    queue.claim(db, NIGHT_WORK, now=NOW, lease=minutes(5), limit=3, one_a_scope=True)
    db.set_progress_handler(None)
    assert steps[0] * 10 < 2_000


def test_a_job_with_a_key_is_looked_up_by_it(db: apsw.Connection) -> None:
    plans = Plans(db)
    queue.enqueue(db, a_job(key="night"))
    assert any("job_by_key (tenant=? AND owner=? AND kind=? AND key=?)" in step for step in plans.told())


@pytest.mark.parametrize("scope", [ANA, None])
@pytest.mark.parametrize("after", [None, Cursor(NOW, a_job().id)])
def test_records_are_paged_in_the_order_of_an_index(
    db: apsw.Connection, scope: Scope | None, after: Cursor | None
) -> None:
    plans = Plans(db)
    reading.page(db, scope, RunFilter(kinds=(RunKind.INSIGHT,)), after=after, limit=5)
    assert [step for step in plans.told() if "TEMP B-TREE" in step] == []


def test_what_is_due_and_the_trail_are_read_of_one_person_only(db: apsw.Connection) -> None:
    plans = Plans(db)
    queue.unaccounted(db, ANA, limit=5)
    reading.page_trail(db, ANA, limit=5)
    reading.changes(db, ANA, ["k1"])
    assert [step for step in plans.told() if step.startswith("SCAN") and "carray" not in step.casefold()] == []
