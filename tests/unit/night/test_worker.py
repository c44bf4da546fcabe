from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from builders import ANA, BIA, NOW, Words, a_job
from gardens import night_services
from loops import each
from memories import Clock, InMemoryStore
from relembra.domain.jobs import Job, JobState, Run, RunKind, RunStatus, Tally, Terms
from relembra.domain.policy import LIFE, TendPolicy
from relembra.domain.scope import Scope
from relembra.errors import MindUnavailableError, StoreUnavailableError
from relembra.night.task import NightWork, NotYetError, Task, closed
from relembra.night.worker import LONGEST_WAIT_AFTER, MOST_DEATHS, Worker
from relembra.store.port import Enqueue, FinishJob, Store

PATIENCE = 60  # seconds a test waits for what has to happen; nothing depends on how soon it does


class Finishing:
    """Does jobs by finishing them, but for those it was told to fail."""

    kinds: tuple[str, ...] = ("index",)
    terms = Terms(claim_limit=10, lease=timedelta(minutes=1))

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


async def test_a_queue_out_of_reach_is_told_of_once_and_once_more_when_it_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Lost(InMemoryStore):
        is_lost, asked = True, asyncio.Semaphore(0)

        async def next_due(self, *args: Any, **options: Any) -> Any:
            self.asked.release()
            if self.is_lost:
                raise StoreUnavailableError("out of reach")
            return await super().next_due(*args, **options)

    queue = Lost(Words())
    worker = Worker(queue, [Finishing(queue)], chore=nothing, clock=Clock())

    async def looks(times: int) -> None:
        async with asyncio.timeout(PATIENCE):
            for _ in range(times):
                await queue.asked.acquire()
                worker.wake()

    worker.start()
    await looks(4)
    queue.is_lost = False
    await looks(4)
    await worker.stop()
    await queue.close()
    said = [record.getMessage() for record in caplog.records if record.name == "relembra.night.worker"]
    assert said == ["the queue cannot be read: StoreUnavailableError", "the queue can be read again"]


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


@each([False, True])
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


async def test_work_another_process_left_is_done_as_soon_as_the_queue_tells_of_it() -> None:
    class Shared(InMemoryStore):
        """A queue others leave work in."""

        def __init__(self) -> None:
            super().__init__(Words())
            self.told, self.listening = asyncio.Event(), asyncio.Event()

        async def changed(self) -> None:
            self.listening.set()
            await self.told.wait()
            self.told.clear()

    store = Shared()
    duty = Finishing(store)
    worker = Worker(store, [duty], chore=nothing, clock=Clock())
    worker.start()
    try:
        async with asyncio.timeout(PATIENCE):
            for _ in range(2):
                await store.listening.wait()
                store.listening.clear()
                await store.apply(ANA, [Enqueue(job := a_job())])
                store.told.set()
                while job.id not in duty.done:  # noqa: ASYNC110 (the duty is another test's as well)
                    await asyncio.sleep(0)
    finally:
        await worker.stop()
        await store.close()


async def test_a_worker_woken_in_the_moment_it_is_stopped_stops() -> None:
    worker = Worker(InMemoryStore(Words()), [], chore=nothing, clock=Clock())
    worker.start()
    for _ in range(10):
        await asyncio.sleep(0)  # until it sleeps
    worker.wake()
    stopped, _ = await asyncio.wait([asyncio.create_task(worker.stop())], timeout=PATIENCE)
    assert stopped


class Doing:
    """Does each job by calling something, and counts who is being done at the same time."""

    def __init__(self, store: Store, kind: str, do: Callable[[Job], Awaitable[None]], **terms: object) -> None:
        self._store = store
        self._do = do
        self.kinds: tuple[str, ...] = (kind,)
        self.terms = Terms(lease=timedelta(minutes=1), claim_limit=1, **terms)  # type: ignore[arg-type]  # plain words
        self.running: Counter[Scope] = Counter()
        self.most = 0
        self.most_of_one = 0

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            self.running[job.scope] += 1
            self.most = max(self.most, self.running.total())
            self.most_of_one = max(self.most_of_one, *self.running.values())
            try:
                await self._do(job)
            finally:
                self.running[job.scope] -= 1
            await self._store.apply(job.scope, [FinishJob(job.id)])


async def leave(store: Store, *jobs: Job) -> None:
    for job in jobs:
        await store.apply(job.scope, [Enqueue(job)])


async def test_a_lane_goes_on_while_another_is_busy_for_long() -> None:
    async def long(_: Job) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def short(_: Job) -> None:
        done.set()

    store, begun, done = InMemoryStore(Words()), asyncio.Event(), asyncio.Event()
    night, day = Doing(store, "long", long, lane="night"), Doing(store, "short", short)
    worker = Worker(store, [day, night], chore=nothing, clock=Clock(), grace=timedelta())
    left = a_job(kind="long")
    await leave(store, left)
    worker.start()
    await asyncio.wait_for(begun.wait(), PATIENCE)
    for _ in range(3):
        await leave(store, a_job(kind="short"))
        worker.wake()
        await asyncio.wait_for(done.wait(), PATIENCE)
        done.clear()
    await worker.stop()
    assert await store.jobs() == [left]


async def test_so_many_are_done_at_once_and_no_more() -> None:
    async def together(_: Job) -> None:
        begun.append(1)
        if len(begun) == 3:
            all_begun.set()
        await asyncio.wait_for(all_begun.wait(), PATIENCE)

    store, begun, all_begun = InMemoryStore(Words()), list[int](), asyncio.Event()
    duty = Doing(store, "index", together, at_once=3)
    await leave(store, *(a_job(scope=Scope("default", f"p{number}")) for number in range(10)))
    assert (await Worker(store, [duty], chore=nothing, clock=Clock()).run_due(), duty.most) == (10, 3)
    assert await store.jobs() == []


async def test_stopping_waits_for_what_is_under_way_and_takes_nothing_more() -> None:
    async def slow(_: Job) -> None:
        begun.set()
        await go_on.wait()

    store, begun, go_on = InMemoryStore(Words()), asyncio.Event(), asyncio.Event()
    worker = Worker(store, [Doing(store, "index", slow)], chore=nothing, clock=Clock())
    first, second = a_job(due_at=NOW - timedelta(minutes=1)), a_job()
    await leave(store, first, second)
    worker.start()
    await asyncio.wait_for(begun.wait(), PATIENCE)
    stopping = asyncio.create_task(worker.stop())
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.wait_for(stopping, PATIENCE)
    assert await store.jobs() == [second]


@each([False, True])
async def test_what_takes_longer_than_the_grace_is_handed_back(is_hurried: bool) -> None:
    async def endless(_: Job) -> None:
        begun.set()
        await asyncio.Event().wait()

    store, begun = InMemoryStore(Words()), asyncio.Event()
    grace = timedelta(hours=1) if is_hurried else timedelta()
    worker = Worker(store, [Doing(store, "index", endless)], chore=nothing, clock=Clock(), grace=grace)
    job = a_job()
    await leave(store, job)
    worker.start()
    await asyncio.wait_for(begun.wait(), PATIENCE)
    stopping = asyncio.create_task(worker.stop())
    if is_hurried:
        await asyncio.sleep(0)
        stopping.cancel()
    await asyncio.wait([stopping], timeout=PATIENCE)
    assert stopping.cancelled() is is_hurried
    assert (await store.jobs(), await worker.run_due(), await store.jobs()) == ([job], 0, [job])


class Night(Task):
    """A task that opens its record, does something, and ends."""

    kinds = ("consolidate",)
    record = RunKind.CONSOLIDATION

    def __init__(self, store: Store, clock: Clock, do: Callable[[Job], Awaitable[None]]) -> None:
        super().__init__(night_services(store, clock))
        self.do = do

    async def run(self, job: Job) -> None:
        run = await self._opened(job)
        assert run is not None
        await self.do(job)
        await self._finished(job, [closed(run, self._clock())])


def night_worker(
    store: Store, clock: Clock, do: Callable[[Job], Awaitable[None]], **policy: object
) -> tuple[Worker, Night]:
    task = Night(store, clock, do)
    tend = TendPolicy(**policy)  # type: ignore[arg-type]  # plain words
    work = NightWork(store, [task], policy=replace(LIFE, tend=tend), clock=clock)
    return Worker(store, [work], chore=nothing, clock=clock), task


async def test_work_that_takes_too_long_is_stopped_given_up_and_on_record() -> None:
    async def endless(_: Job) -> None:
        tries.append(1)
        await asyncio.Event().wait()

    store, clock, tries = InMemoryStore(Words()), Clock(), list[int]()
    worker, task = night_worker(store, clock, endless, longest_job=timedelta(milliseconds=200))
    job = a_job(kind="consolidate", payload={})
    await leave(store, job)
    for _ in range(5):
        await worker.run_due()
        clock.move(hours=1)
    assert len(tries) == 3
    [dead] = await store.jobs()
    assert (dead.state, dead.attempts, dead.error) == (JobState.DEAD, 3, "it took longer than 0.2 seconds")
    run = await store.find(ANA, Run, job.id)
    assert run is not None
    assert (run.status, run.error, run.tally) == (RunStatus.FAILED, "it took longer than 0.2 seconds", Tally())
    task.do = lambda _: nothing()
    assert await store.retry(now=clock.now, id=job.id) == 1
    await worker.run_due()
    run = await store.find(ANA, Run, job.id)
    assert run is not None
    assert (run.status, run.error, await store.jobs()) == (RunStatus.COMPLETED, None, [])


async def test_work_that_has_to_wait_costs_no_try() -> None:
    async def not_yet(_: Job) -> None:
        tries.append(1)
        raise NotYetError("something else comes first", clock.now + timedelta(minutes=1))

    store, clock, tries = InMemoryStore(Words()), Clock(), list[int]()
    worker, task = night_worker(store, clock, not_yet)
    job = a_job(kind="consolidate", payload={})
    await leave(store, job)
    for _ in range(8):
        assert (await worker.run_due(), await worker.run_due()) == (1, 0)
        clock.move(minutes=1)
    [waiting] = await store.jobs()
    assert (len(tries), waiting.attempts, waiting.state, waiting.error) == (8, 0, JobState.WAITING, None)
    task.do = lambda _: nothing()
    await worker.run_due()
    assert await store.jobs() == []


OUTAGE = MindUnavailableError("out", retry_after_seconds=60)


async def die(store: Store, kind: str, clock: Clock, times: int) -> None:
    """Claim a job and never be heard of again, so many times."""
    for _ in range(times):
        clock.move(days=1)
        assert await store.claim((kind,), now=clock(), lease=timedelta(minutes=1), limit=1)
    clock.move(days=1)


@each([0, 1, 50])
async def test_a_job_that_failed_before_and_then_ends_whoever_is_at_it_is_given_up_too(failures: int) -> None:
    store, [job] = await queued(1)
    clock, duty = Clock(), Finishing(store, {job.id: OUTAGE})
    worker = Worker(store, [duty], chore=nothing, clock=clock)
    for _ in range(failures):
        assert await worker.run_due() == 1
        clock.move(days=1)
    await die(store, "index", clock, LONGEST_WAIT_AFTER + MOST_DEATHS)
    duty.failing.clear()
    await worker.run_due()
    [dead] = await store.jobs()
    assert (dead.state, duty.done) == (JobState.DEAD, [])
    assert "ended" in (dead.error or "")


async def test_an_outage_however_long_is_not_taken_for_deaths() -> None:
    store, [job] = await queued(1)
    clock, duty = Clock(), Finishing(store, {job.id: OUTAGE})
    worker = Worker(store, [duty], chore=nothing, clock=clock)
    for _ in range(50):
        assert await worker.run_due() == 1
        clock.move(days=1)
    await die(store, "index", clock, MOST_DEATHS - 1)
    assert await worker.run_due() == 1
    [held] = await store.jobs()
    assert (held.state, held.error) == (JobState.WAITING, "out")
    duty.failing.clear()
    clock.move(days=1)
    await worker.run_due()
    assert duty.done == [job.id]


@each([0, 2])
async def test_night_work_given_up_for_its_deaths_is_closed_on_record(failures: int) -> None:
    async def broken(_: Job) -> None:
        raise RuntimeError

    async def stuck(_: Job) -> None:
        begun.set()
        await asyncio.Event().wait()

    store, clock, begun = InMemoryStore(Words()), Clock(), asyncio.Event()
    worker, task = night_worker(store, clock, broken)
    job = a_job(kind="consolidate", payload={})
    await leave(store, job)
    for _ in range(failures):
        assert await worker.run_due() == 1
        clock.move(days=1)
    task.do = stuck
    going = asyncio.create_task(worker.run_due())  # opens the record, and stays at it
    await begun.wait()
    await die(store, "consolidate", clock, MOST_DEATHS + TendPolicy().tries)
    await worker_of(store, clock, broken).run_due()
    [dead] = await store.jobs()
    run = await store.find(ANA, Run, job.id)
    assert run is not None
    assert (dead.state, run.status, run.error) == (JobState.DEAD, RunStatus.FAILED, dead.error)
    assert "ended" in (dead.error or "")
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    assert await store.jobs() == [dead]  # who comes late hands nothing back


def worker_of(store: Store, clock: Clock, do: Callable[[Job], Awaitable[None]]) -> Worker:
    return night_worker(store, clock, do)[0]


async def test_who_fails_late_leaves_the_record_to_whoever_is_at_it() -> None:
    async def slow(_: Job) -> None:
        begun.set()
        await gate.wait()
        raise RuntimeError

    async def late(_: Job) -> None:
        gate.set()
        await asyncio.gather(going)
        seen.append(await store.find(ANA, Run, job.id))

    store, clock, begun, gate = InMemoryStore(Words()), Clock(), asyncio.Event(), asyncio.Event()
    seen: list[object] = []
    job = a_job(kind="consolidate", payload={})
    await leave(store, job)
    going = asyncio.create_task(worker_of(store, clock, slow).run_due())
    await begun.wait()
    clock.move(days=1)
    await worker_of(store, clock, late).run_due()
    [during] = seen
    assert isinstance(during, Run)
    assert (during.status, during.error) == (RunStatus.RUNNING, None)
    run = await store.find(ANA, Run, job.id)
    assert run is not None
    assert (run.status, await store.jobs()) == (RunStatus.COMPLETED, [])


async def test_work_of_some_waits_for_what_is_under_way_of_theirs_and_for_nobody_else() -> None:
    store = InMemoryStore(Words())
    mine, theirs = a_job(kind="x", due_at=NOW), a_job(kind="x", due_at=NOW, scope=BIA)
    await store.apply(ANA, [Enqueue(mine), Enqueue(theirs)])
    goes_on = {scope: asyncio.Event() for scope in (ANA, BIA)}
    begun = asyncio.Semaphore(0)

    async def work(job: Job) -> None:
        begun.release()
        await goes_on[job.scope].wait()

    duty = Doing(store, "x", work, at_once=2)
    worker = Worker(store, [duty], chore=nothing, clock=Clock())
    everybodys = asyncio.create_task(worker.run_due())
    for _ in range(2):
        await begun.acquire()
    of_mine = asyncio.create_task(worker.run_due_of(ANA))
    await asyncio.sleep(0)
    assert not of_mine.done()
    goes_on[ANA].set()
    assert (await of_mine, await store.jobs(scope=ANA)) == (0, [])
    assert not everybodys.done()
    goes_on[BIA].set()
    assert await everybodys == 2


async def test_work_that_had_to_wait_for_what_ends_in_that_moment_is_done() -> None:
    begun, goes_on, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
    at_it: list[asyncio.Task[int]] = []

    class Late(InMemoryStore):
        """Has something read in the very moment in which a night's work is asked for, in vain."""

        async def claim(self, kinds: Sequence[str], **how: Any) -> list[Job]:
            if tuple(kinds) != ("night",) or at_it:
                return await super().claim(kinds, **how)
            await self.apply(ANA, [Enqueue(a_job())])
            at_it.append(asyncio.create_task(worker.run_due()))
            await begun.wait()
            found = await super().claim(kinds, **how)
            goes_on.set()
            await ended.wait()
            return found

    class Reading(Finishing):
        terms = Terms(lease=timedelta(minutes=1), lane="read")

        async def run(self, jobs: Sequence[Job]) -> None:
            begun.set()
            await goes_on.wait()
            await super().run(jobs)
            ended.set()

    class Night(Finishing):
        kinds: tuple[str, ...] = ("night",)
        terms = Terms(lease=timedelta(minutes=1), lane="night", after=("index",))

    store = Late(Words())
    reading, night = Reading(store), Night(store)
    worker = Worker(store, [reading, night], chore=nothing, clock=Clock())
    job = a_job(kind="night")
    await store.apply(ANA, [Enqueue(job)])
    async with asyncio.timeout(PATIENCE):
        await worker.run_due_of(ANA)
        assert night.done == [job.id]
        await at_it[0]


async def test_one_that_leaves_the_queue_to_others_does_the_small_work_alone() -> None:
    store, jobs = await queued(2)
    duty, done = Finishing(store), asyncio.Event()

    async def small_work() -> None:
        done.set()

    worker = Worker(store, [duty], chore=small_work, clock=Clock())
    worker.start(queued=False)
    for _ in range(2):
        async with asyncio.timeout(PATIENCE):
            await done.wait()
        done.clear()
        worker.wake()
    await worker.stop()
    assert (duty.done, len(await store.jobs())) == ([], len(jobs))


async def test_what_another_process_enqueued_is_seen_within_the_longest_sleep() -> None:
    store, looked, done = InMemoryStore(Words()), asyncio.Event(), asyncio.Event()

    class Telling(Finishing):
        async def run(self, jobs: Sequence[Job]) -> None:
            await super().run(jobs)
            done.set()

    async def look() -> None:
        looked.set()

    worker = Worker(store, [Telling(store)], chore=look, clock=Clock())
    worker.start(longest_sleep=0.01)
    async with asyncio.timeout(PATIENCE):
        await looked.wait()
        await store.apply(ANA, [Enqueue(a_job(kind="index", due_at=NOW))])  # and nobody wakes it
        await done.wait()
    await worker.stop()
