from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest

from builders import ANA, NOW, Words, a_job
from memories import Clock
from relembra.domain.jobs import Job, JobState
from relembra.errors import MindUnavailableError
from relembra.store.memory import InMemoryStore
from relembra.store.port import Enqueue, FinishJob
from relembra.tend.worker import Worker


class Finishing:
    """Does jobs by finishing them, but for those it was told to fail."""

    kinds: tuple[str, ...] = ("index",)
    claim_limit = 10
    lease = timedelta(minutes=1)

    def __init__(self, store: InMemoryStore, failing: dict[str, Exception] | None = None) -> None:
        self._store = store
        self.failing = failing or {}
        self.done: list[str] = []

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            if job.id in self.failing:
                raise self.failing[job.id]
        for job in jobs:
            await self._store.apply(ANA, [FinishJob(job.id)])
            self.done.append(job.id)


async def nothing() -> None:
    pass


async def queued(count: int) -> tuple[InMemoryStore, list[Job]]:
    store = InMemoryStore(Words())
    jobs = [a_job(kind="index", due_at=NOW) for _ in range(count)]
    await store.apply(ANA, [Enqueue(job) for job in jobs])
    return store, jobs


async def test_everything_due_is_done_batch_after_batch() -> None:
    store, jobs = await queued(25)
    duty = Finishing(store)
    assert await Worker(store, [duty], chore=nothing, clock=Clock()).run_due() == 25
    assert sorted(duty.done) == sorted(job.id for job in jobs)
    assert await store.jobs() == []


async def test_a_bad_job_does_not_drag_the_others_along_and_dies_after_three_tries() -> None:
    store, jobs = await queued(5)
    clock, duty = Clock(), Finishing(store, {})
    duty.failing[jobs[2].id] = RuntimeError("secret text")
    worker = Worker(store, [duty], chore=nothing, clock=clock)
    await worker.run_due()
    assert len(duty.done) == 4
    for _ in range(2):
        clock.move(hours=1)
        await worker.run_due()
    (dead,) = await store.jobs()
    assert (dead.id, dead.state, dead.attempts) == (jobs[2].id, JobState.DEAD, 3)
    assert dead.error == "RuntimeError"
    clock.move(days=1)
    assert await worker.run_due() == 0


async def test_an_outage_is_waited_out_however_long_and_as_long_as_asked() -> None:
    store, jobs = await queued(1)
    clock = Clock()
    duty = Finishing(store, {jobs[0].id: MindUnavailableError("out", retry_after_seconds=7200)})
    worker = Worker(store, [duty], chore=nothing, clock=clock)
    await worker.run_due()
    clock.move(hours=1)
    assert await worker.run_due() == 0
    for _ in range(6):
        clock.move(hours=4)
        assert await worker.run_due() == 1
    duty.failing.clear()
    clock.move(hours=4)
    await worker.run_due()
    assert duty.done == [jobs[0].id]


class Stuck(Finishing):
    """Never comes to an end with the jobs it was told to be stuck in."""

    def __init__(self, store: InMemoryStore, *, stuck: str, failing: dict[str, Exception] | None = None) -> None:
        super().__init__(store, failing)
        self.stuck = stuck
        self.begun = asyncio.Event()

    async def run(self, jobs: Sequence[Job]) -> None:
        await super().run([job for job in jobs if job.id != self.stuck])
        if self.stuck in {job.id for job in jobs}:
            self.begun.set()
            await asyncio.Event().wait()


@pytest.mark.parametrize("bad", [False, True], ids=["a batch", "one by one, for one of them failed"])
async def test_what_is_interrupted_is_handed_back_at_once_and_the_try_not_counted(bad: bool) -> None:
    store, jobs = await queued(5)
    failing: dict[str, Exception] = {jobs[1].id: RuntimeError("bad")} if bad else {}
    duty = Stuck(store, stuck=jobs[2].id, failing=failing)
    worker = Worker(store, [duty], chore=nothing, clock=Clock())
    running = asyncio.create_task(worker.run_due())
    await duty.begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    left = {job.id: job for job in await store.jobs()}
    interrupted = [job for job in jobs[2:] if job.id in left] if bad else [jobs[2]]
    assert interrupted
    assert all(left[job.id] == job for job in interrupted)
    if bad:
        assert (left[jobs[1].id].attempts, left[jobs[1].id].error) == (1, "RuntimeError")
        assert [job.id for job in interrupted] == [job.id for job in jobs[2:]]
    again = Finishing(store)
    await Worker(store, [again], chore=nothing, clock=Clock()).run_due()
    assert set(again.done) == {job.id for job in interrupted}


async def test_a_worker_woken_in_the_moment_it_is_stopped_stops() -> None:
    worker = Worker(InMemoryStore(Words()), [], chore=nothing, clock=Clock())
    worker.start()
    for _ in range(10):
        await asyncio.sleep(0)  # until it sleeps
    worker.wake()
    stopped, _ = await asyncio.wait([asyncio.create_task(worker.stop())], timeout=5)
    assert stopped
