"""Who is at the file: alone or not, also after kills, and what a killed worker was at."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from builders import ANA, NOW, Words, a_job
from relembra.domain.jobs import JobState
from relembra.errors import StoreUnavailableError
from relembra.store.port import Enqueue
from relembra.store.sqlite import SqliteStore
from relembra.store.sqlite.upkeep import Presence, alone

LEASE = timedelta(minutes=10)
CLAIMS_AND_WAITS = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from builders import NOW, Words
from relembra.store.sqlite import SqliteStore
from datetime import timedelta

async def main():
    store = await SqliteStore.open(Path(sys.argv[1]), analyzer=Words())
    [job] = await store.claim(["test"], now=NOW, lease=timedelta(minutes=10), limit=1)
    print(job.attempts, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


async def opened(path: Path) -> SqliteStore:
    return await SqliteStore.open(path, analyzer=Words())


def claiming(path: Path) -> subprocess.Popen[str]:
    """Another process that has claimed the job, and holds on to it."""
    child = subprocess.Popen(
        [sys.executable, "-c", CLAIMS_AND_WAITS, str(path), str(Path(__file__).parents[2])],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline().strip() == "1"
    return child


def end(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.communicate()


async def with_a_job(path: Path) -> None:
    store = await opened(path)
    await store.apply(ANA, [Enqueue(a_job(kind="test", due_at=NOW))])
    await store.close()


async def test_whoever_starts_alone_takes_what_a_killed_worker_was_at(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    await with_a_job(path)
    end(claiming(path))
    store = await opened(path)
    [job] = await store.claim(["test"], now=NOW, lease=LEASE, limit=1)
    assert job.attempts == 2  # the try that was killed counts
    await store.close()


async def test_nobody_takes_what_a_living_worker_is_at(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    await with_a_job(path)
    child = claiming(path)
    try:
        store = await opened(path)
        assert await store.claim(["test"], now=NOW, lease=LEASE, limit=1) == []
        assert [job.state for job in await store.jobs()] == [JobState.RUNNING]
        await store.close()
    finally:
        end(child)


async def test_a_second_opening_in_this_process_takes_nothing_away(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    await with_a_job(path)
    first = await opened(path)
    await first.claim(["test"], now=NOW, lease=LEASE, limit=1)
    second = await opened(path)
    assert await second.claim(["test"], now=NOW, lease=LEASE, limit=1) == []
    await second.close()
    await first.close()


async def test_the_last_to_leave_takes_the_lock_away(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    first, second = await opened(path), await opened(path)
    await first.close()
    assert (tmp_path / "memory.db-lock").exists()
    await second.close()
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]


async def test_somebody_who_waited_for_a_lock_that_was_taken_away_gets_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    first = Presence(path)
    waiting = asyncio.create_task(asyncio.to_thread(Presence, path))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    first.leave()
    second = await waiting
    assert second.is_alone
    assert (tmp_path / "memory.db-lock").exists()
    second.leave()


def test_alone_is_nobody_while_another_program_reads(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    viewer = apsw.Connection(str(path))
    viewer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(x); SELECT * FROM t").fetchall()
    with pytest.raises(StoreUnavailableError, match="in use"), alone(path):
        pass
    viewer.close()
    with alone(path), pytest.raises(StoreUnavailableError):
        Presence(path, patience_ms=0)
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]
