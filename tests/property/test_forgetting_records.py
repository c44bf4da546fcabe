"""Which records of night work go when something is forgotten, in every store alike."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from builders import ANA, a_run, an_entry, an_id, an_item, kept
from memories import a_store
from relembra.domain.audit import AuditEntry
from relembra.domain.run import Run, RunStatus
from relembra.store.port import Store

ITEMS = [an_id(number) for number in range(1, 5)]
CHANGES = ["k1", "k2", "k3", "k4"]

entries = st.builds(an_entry, change=st.sampled_from(CHANGES), target_id=st.sampled_from(ITEMS))
runs = st.builds(
    a_run,
    status=st.sampled_from(RunStatus),
    changes=st.lists(st.sampled_from(CHANGES), max_size=3, unique=True).map(tuple),
)


@given(st.lists(entries, max_size=8), st.lists(runs, min_size=1, max_size=5), st.permutations(ITEMS), st.integers(1, 3))
def test_a_record_stays_while_an_entry_of_its_changes_does(
    trail: list[AuditEntry], records: list[Run], order: list[str], many: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_forgotten(trail, records, order[:many], Path(folder)))


async def _forgotten(trail: list[AuditEntry], records: list[Run], gone: list[str], folder: Path) -> None:
    for kind in ("memory", "sqlite"):
        store: Store = await a_store(kind, folder)
        try:
            await kept(store, *(an_item(id=id) for id in ITEMS), *trail, *records)
            left, expected = trail, records
            for id in gone:
                await store.forget_item(ANA, id)
                without = [entry for entry in left if entry.target_id != id]
                if without != left:
                    recorded = {entry.change for entry in without}
                    expected = [run for run in expected if _stays(run, recorded)]
                left = without
                expected = [_read_again(run) for run in expected]
            held = (await store.page_runs(ANA, limit=50)).rows
            assert sorted(held, key=lambda run: run.id) == sorted(expected, key=lambda run: run.id), kind
        finally:
            await store.close()


def _stays(run: Run, recorded: set[str]) -> bool:
    return run.status is RunStatus.RUNNING or not run.changes or not recorded.isdisjoint(run.changes)


def _read_again(run: Run) -> Run:
    return replace(run, version=run.version + (run.status is RunStatus.RUNNING))
