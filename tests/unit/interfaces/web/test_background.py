"""Work watched from a page, for whoever started it alone; and forms that act once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import nullcontext
from datetime import timedelta

import pytest

from relembra.errors import BusyError, NotFoundError
from relembra.interfaces.web.background import MOST_AT_ONCE, BackgroundJob, BackgroundJobs, Once, Owner, StaleFormError

ANA = Owner("key 1", "default", "ana")
ADMIN = Owner("key 2", "default", "ana")  # who looks at the memory of ana
BEN = Owner("key 3", "default", "ben")


@pytest.fixture
async def jobs() -> AsyncIterator[BackgroundJobs]:
    jobs = BackgroundJobs()
    async with jobs.open():
        yield jobs


async def slowly(_: BackgroundJob) -> None:
    await asyncio.Event().wait()


async def quickly(_: BackgroundJob) -> str:
    return "done"


async def test_a_job_is_for_whoever_started_it_and_only_some_run_at_a_time(jobs: BackgroundJobs) -> None:
    job = jobs.start("import", owner=ADMIN, work=quickly)
    assert await job.outcome() == "done"
    assert jobs.get(job.id, owner=ADMIN) is job
    for other in (ANA, BEN):
        with pytest.raises(NotFoundError):
            jobs.get(job.id, owner=other)
    first = jobs.start("import", owner=ADMIN, work=slowly)
    assert jobs.running("import", owner=ADMIN) is first
    assert jobs.start("import", owner=ADMIN, work=slowly, joins=True) is first
    with pytest.raises(BusyError):
        jobs.start("import", owner=ANA, work=slowly, joins=True)  # another caller, about the same person
    for number in range(MOST_AT_ONCE - 1):
        jobs.start(f"kind {number}", owner=ANA, work=slowly)
    with pytest.raises(BusyError):
        jobs.start("one more", owner=BEN, work=slowly)


async def test_jobs_end_with_the_person_they_are_about_and_with_the_server() -> None:
    jobs = BackgroundJobs()
    async with jobs.open():
        about_ana = [jobs.start(f"kind {owner.caller}", owner=owner, work=slowly) for owner in (ANA, ADMIN)]
        about_ben = jobs.start("import", owner=BEN, work=slowly)
        await asyncio.sleep(0)
        jobs.drop(ANA)
        await asyncio.wait({job.task for job in about_ana if job.task})
        assert [job.is_running for job in (*about_ana, about_ben)] == [False, False, True]
        with pytest.raises(NotFoundError):
            jobs.get(about_ana[0].id, owner=ANA)
    assert about_ben.task is not None
    assert about_ben.task.cancelled()


async def test_a_form_sent_again_much_later_is_refused_and_only_so_many_are_kept() -> None:
    once, done = Once(most=2, within=timedelta()), iter(range(9))

    async def work() -> int:
        return next(done)

    async def failing() -> int:
        raise ValueError("no")

    assert await once.done("a", work) == 0
    for _ in range(5):  # turns of the loop, in which what was left for later is done
        await asyncio.sleep(0)
    with pytest.raises(StaleFormError):
        await once.done("a", work)
    assert [await once.done(key, work) for key in "bc"] == [1, 2]
    assert await once.done("a", work) == 3  # the first went as the third came
    for error in (ValueError, None):  # what failed is tried again
        with pytest.raises(ValueError, match="no") if error else nullcontext():
            await once.done("d", failing if error else work)
