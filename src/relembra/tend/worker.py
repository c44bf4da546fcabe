"""The one who does queued work: claims, hands to a duty, gives back what failed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from relembra.domain.jobs import Job
from relembra.domain.moment import Clock
from relembra.errors import MindError, MindUnavailableError, RelembraError
from relembra.store.port import Jobs

MOST_TRIES = 3
FIRST_WAIT = timedelta(seconds=30)
LONGEST_SLEEP_SECONDS = 60.0

log = logging.getLogger(__name__)


class Duty(Protocol):
    """Something the worker can do with jobs of certain kinds."""

    kinds: tuple[str, ...]
    claim_limit: int
    lease: timedelta  # a claim older than this is taken for dead

    async def run(self, jobs: Sequence[Job]) -> None:
        """Do them, finishing each in the transaction of its effects; may leave some undone by raising."""


class Worker:
    """Runs duties until nothing is due, then sleeps until something is."""

    def __init__(
        self, queue: Jobs, duties: Sequence[Duty], *, chore: Callable[[], Awaitable[None]], clock: Clock
    ) -> None:
        self._queue = queue
        self._duties = duties
        self._chore = chore  # small work that waits for no job, done whenever the worker is up
        self._clock = clock
        self._wake = asyncio.Event()
        self._busy = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._loop(), name="relembra-worker")

    def wake(self) -> None:
        """There may be something to do."""
        self._wake.set()

    async def run_due(self) -> int:
        """Do everything due now; how many jobs were claimed."""
        claimed = 0
        async with self._busy:
            await self._small_work()
            again = True
            while again:
                again = False
                for duty in self._duties:
                    jobs = await self._queue.claim(
                        duty.kinds, now=self._clock(), lease=duty.lease, limit=duty.claim_limit
                    )
                    if jobs:
                        again = True
                        claimed += len(jobs)
                        await self._do(duty, jobs)
        return claimed

    async def stop(self) -> None:
        """Finish the batch at hand and go; what is left stays queued."""
        if self._task is not None:
            async with self._busy:
                self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _small_work(self) -> None:
        try:
            await self._chore()
        except RelembraError as exc:
            log.warning("small work was left out: %s", type(exc).__name__)

    async def _do(self, duty: Duty, jobs: Sequence[Job]) -> None:
        """Do a batch; when it fails, each job alone, so that a bad one does not drag the others along."""
        try:
            await duty.run(jobs)
        except asyncio.CancelledError:
            await self._hand_back(jobs)
            raise
        except Exception as exc:  # noqa: BLE001 - the worker's loop outlives any job
            if len(jobs) > 1 and not isinstance(exc, MindError):
                await self._one_by_one(duty, jobs)
                return
            log.warning("%d jobs failed: %s", len(jobs), type(exc).__name__)
            reason = str(exc) if isinstance(exc, RelembraError) else type(exc).__name__
            for job in jobs:
                await self._queue.fail(job.id, error=reason, retry_at=self._retry_at(job, exc))

    async def _one_by_one(self, duty: Duty, jobs: Sequence[Job]) -> None:
        for place, job in enumerate(jobs):
            try:
                await self._do(duty, [job])
            except asyncio.CancelledError:
                await self._hand_back(jobs[place + 1 :])
                raise

    async def _hand_back(self, jobs: Sequence[Job]) -> None:
        """Give back what was interrupted, so that the next to come need not wait for the lease to run out."""
        try:
            await asyncio.shield(self._queue.hand_back([job.id for job in jobs]))
        except RelembraError as exc:  # the lease is what remains
            log.warning("%d interrupted jobs wait for their lease: %s", len(jobs), type(exc).__name__)

    def _retry_at(self, job: Job, exc: Exception) -> datetime | None:
        """Later and later, with jitter; a mind out of reach is waited for, anything else given up after three tries."""
        if job.attempts >= MOST_TRIES and not isinstance(exc, MindError):
            return None
        wait = FIRST_WAIT * float(2 ** min(job.attempts - 1, 8)) * random.uniform(0.8, 1.2)
        asked = exc.retry_after_seconds if isinstance(exc, MindUnavailableError) else None
        return self._clock() + max(wait, timedelta(seconds=asked or 0))

    async def _loop(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self.run_due()
                due = await self._queue.next_due()
            except Exception as exc:  # noqa: BLE001 - the worker's loop outlives any error
                log.warning("the queue could not be read: %s", type(exc).__name__)
                due = self._clock() + timedelta(seconds=5)
            sleep = LONGEST_SLEEP_SECONDS
            if due is not None:
                sleep = min(sleep, max(0.05, (due - self._clock()).total_seconds()))
            # Not wait_for: woken in the moment it is cancelled, it would swallow that, and `stop` would wait for ever.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(sleep):
                    await self._wake.wait()
