"""Work watched from a page: for whoever started it alone, gone when its time is over. Forms that act once."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from tempfile import gettempdir

import pytest

from memories import a_memory, a_store
from relembra import Memory
from relembra.errors import BusyError, NotFoundError
from relembra.interfaces.web.background import FOLDERS, KEPT, MOST_OF_ONE, BackgroundJob, BackgroundJobs, Once, Owner

ANA = Owner("key 1", "default", "ana")
ADMIN = Owner("key 2", "default", "ana")  # who looks at the memory of ana
OTHER_ADMIN = Owner("key 4", "default", "eva")
BEN = Owner("key 3", "default", "ben")


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    async with a_memory(await a_store("memory", tmp_path)) as memory:
        yield memory


@pytest.fixture
async def jobs(memory: Memory) -> AsyncIterator[BackgroundJobs]:
    jobs = BackgroundJobs(memory)
    async with jobs.open():
        yield jobs


async def slowly(_: BackgroundJob) -> None:
    await asyncio.Event().wait()


async def written(job: BackgroundJob) -> Path:
    path = job.folder / "upload"
    path.write_text("somebody's words")
    return path


async def test_a_result_is_for_whoever_started_it_and_only_some_run_at_a_time(jobs: BackgroundJobs) -> None:
    job = jobs.start("import", owner=ADMIN, work=written)
    await job.outcome()
    assert await jobs.get(job.id, owner=ADMIN) is job
    for other in (ANA, BEN):
        with pytest.raises(NotFoundError):
            await jobs.get(job.id, owner=other)
    cut = jobs.start("import", owner=ADMIN, work=slowly)
    with pytest.raises(BusyError):
        jobs.start("import", owner=ANA, work=slowly)  # another caller, about the same person
    await asyncio.sleep(0)
    assert cut.task is not None
    cut.task.cancel()
    await asyncio.wait({cut.task})
    assert cut.state == "failed"
    assert jobs.start("import", owner=ANA, work=slowly).state == "running"
    for number in range(MOST_OF_ONE - 1):
        jobs.start(f"kind {number}", owner=ANA, work=slowly)
    with pytest.raises(BusyError):
        jobs.start("one more", owner=ANA, work=slowly)
    jobs.start("one more", owner=BEN, work=slowly)


async def test_forgetting_somebody_leaves_no_file_that_may_tell_of_them(jobs: BackgroundJobs) -> None:
    paths = [
        await jobs.start("import", owner=owner, work=written, is_of_all=is_of_all).outcome()
        for owner, is_of_all in ((ADMIN, False), (OTHER_ADMIN, True), (BEN, False))
    ]
    assert all(path.exists() for path in paths)
    jobs.drop(ANA.person)
    assert [path.exists() for path in paths] == [False, False, True]


async def test_whatever_program_forgets_anything_of_somebody_takes_what_lies_ready(tmp_path: Path) -> None:
    async with a_memory(await a_store("sqlite", tmp_path)) as memory:
        jobs = BackgroundJobs(memory)
        async with jobs.open(), a_memory(await a_store("sqlite", tmp_path)) as another_program:
            item = await memory.add("Um segredo da Ana.", user="ana")
            owners = (ANA, False), (OTHER_ADMIN, True), (BEN, False)
            ready = [jobs.start("import", owner=who, work=written, is_of_all=all) for who, all in owners]
            paths = [await job.outcome() for job in ready]
            for job in ready:
                assert await jobs.get(job.id, owner=job.owner) is job
            await another_program.forget(user="ana", item=item.id)
            for job in ready[:2]:
                with pytest.raises(NotFoundError):
                    await jobs.get(job.id, owner=job.owner)
            assert await jobs.get(ready[2].id, owner=BEN) is ready[2]
            assert [path.exists() for path in paths] == [False, False, True]


async def test_what_is_forgotten_while_it_is_written_takes_the_file_too(memory: Memory, jobs: BackgroundJobs) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def work(job: BackgroundJob) -> Path:
        path = await written(job)
        begun.set()
        await go_on.wait()
        return path

    await memory.add("Um segredo da Ana.", user="ana")
    job = jobs.start("import", owner=ANA, work=work)
    await begun.wait()
    await memory.forget(user="ana", all=True)
    assert await jobs.get(job.id, owner=ANA) is job  # it goes on, and tells nothing yet
    go_on.set()
    path = await job.outcome()
    with pytest.raises(NotFoundError):
        await jobs.get(job.id, owner=ANA)
    assert not path.exists()


async def test_what_nobody_asks_for_again_is_removed_as_well(memory: Memory) -> None:
    jobs = BackgroundJobs(memory, check_seconds=0.01)
    async with jobs.open():
        await memory.add("Um segredo da Ana.", user="ana")
        job, other = (jobs.start("import", owner=owner, work=written) for owner in (ANA, BEN))
        path, others = await job.outcome(), await other.outcome()
        await memory.forget(user="ana", all=True)
        async with asyncio.timeout(10):
            while job.folder.exists():  # noqa: ASYNC110 - a folder has no event for it
                await asyncio.sleep(0.01)
        assert not path.exists()
        assert others.exists()


async def test_closing_ends_and_removes_everything_and_so_does_the_next_server(memory: Memory) -> None:
    old, new = (Path(gettempdir()) / f"{FOLDERS}{name}-{os.getpid()}" for name in ("old", "new"))
    for folder in (old, new):
        folder.mkdir()
    before = time.time() - KEPT.total_seconds() - 60
    os.utime(old, (before, before))
    jobs = BackgroundJobs(memory)
    async with jobs.open():
        assert (old.exists(), new.exists()) == (False, True)  # of a server that was killed
        running = jobs.start("night", owner=ANA, work=slowly)
        done = jobs.start("import", owner=ANA, work=written)
        await done.outcome()
    new.rmdir()
    assert running.task is not None
    assert running.task.cancelled()
    assert not running.folder.exists()
    assert not done.folder.exists()


# ── forms that act once ───────────────────────────────────────────────────────────────────────────────────────────


async def test_of_two_with_one_key_the_second_waits_for_the_first_and_what_failed_is_tried_again() -> None:
    once, may_go_on, begun, troubles = Once(), asyncio.Event(), 0, [ValueError("no")]

    async def work() -> int:
        nonlocal begun
        begun += 1
        await may_go_on.wait()
        return begun

    async def failing() -> str:
        if troubles:
            raise troubles.pop()
        return "done"

    both = asyncio.gather(once.done("a", work), once.done("a", work))
    await asyncio.sleep(0)
    may_go_on.set()
    assert list(await both) == [1, 1]
    assert [await once.done("a", work), await once.done("b", work)] == [1, 2]
    with pytest.raises(ValueError, match="no"):
        await once.done("c", failing)
    assert await once.done("c", failing) == "done"


async def test_outcomes_are_kept_for_a_while_and_no_more_than_so_many() -> None:
    once, done = Once(most=3), iter(range(9))

    async def work() -> int:
        return next(done)

    assert await once.done("a", work, within=timedelta()) == 0
    assert await once.done("b", work, within=timedelta(hours=1)) == 1
    for _ in range(5):  # turns of the loop, in which what was left for later is done
        await asyncio.sleep(0)
    assert [await once.done(key, work) for key in "abcd"] == [2, 1, 3, 4]
    assert await once.done("b", work) == 5  # the first went as the fourth came
