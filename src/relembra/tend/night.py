"""Night work as a duty of the worker: each kind of job has its task, bounded in time, its failures in the record."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from relembra.domain.jobs import Job, JobState, Terms
from relembra.domain.moment import Clock
from relembra.domain.policy import TendPolicy
from relembra.domain.run import RunStatus
from relembra.domain.scope import Scope
from relembra.errors import ConflictError, RelembraError, StaleError, TooLongError
from relembra.learn.keeper import deciding
from relembra.store.port import FinishJob, Op, Store
from relembra.tend.records import Books
from relembra.tend.worker import NIGHT

WAIT = timedelta(seconds=10)
"""How long night work is put off each time something has to be done before it."""
MOST_WAITED_FOR = 200

log = logging.getLogger(__name__)


class NotYetError(RelembraError):
    """Something has to be finished before this job can be done; it is to be tried again, and no try counted."""

    def __init__(self, why: str, until: datetime) -> None:
        super().__init__(why)
        self.until = until


class Task(Protocol):
    """One kind of night work."""

    kinds: tuple[str, ...]

    async def run(self, job: Job) -> None:
        """Do the job, ending it in the transaction of its last effects; may be called again for one half done."""


class NightWork:
    """Hands each job to its task."""

    def __init__(self, store: Store, tasks: Sequence[Task], *, books: Books, policy: TendPolicy, clock: Clock) -> None:
        self._store = store
        self._tasks = {kind: task for task in tasks for kind in task.kinds}
        self._books = books
        self._longest = policy.longest_job
        self._clock = clock
        self.kinds = tuple(self._tasks)
        self.terms = Terms(
            lease=policy.longest_job * 2,  # a job is given up before somebody else may take it
            claim_limit=1,
            one_a_scope=True,
            at_once=policy.at_once,
            turns=1_000,
            tries=policy.tries,
            waits_for_minds=False,
            lane=NIGHT,
        )

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            await self._run(job)

    async def gave_up(self, job: Job, reason: str) -> None:
        await self._note_failure(job, reason)

    async def _run(self, job: Job) -> None:
        try:
            async with asyncio.timeout(self._longest.total_seconds()) as limit:
                await self._tasks[job.kind].run(job)
        except NotYetError as exc:
            await self._store.postpone(job.id, claim=job.attempts, until=exc.until)
        except Exception as exc:
            if limit.expired() and isinstance(exc, TimeoutError):
                reason = f"it took longer than {_told(self._longest)}"
                await self._note_failure(job, reason)
                raise TooLongError(reason) from exc
            await self._note_failure(job, str(exc) if isinstance(exc, RelembraError) else type(exc).__name__)
            raise

    async def _note_failure(self, job: Job, reason: str) -> None:
        """Say in the record why it stopped, where one was opened and nobody else is at it by now."""
        run, held = await self._store.run(job.scope, job.id), await self._store.job(job.id)
        if run is None or run.status is not RunStatus.RUNNING:
            return
        if held is not None and held.attempts != job.attempts:
            return
        try:
            await self._store.apply(job.scope, self._books.closed(run, error=reason))
        except StaleError:
            log.info("the record of job %s was changed by another worker", job.id)


async def wait_for(store: Store, scope: Scope, kinds: tuple[str, ...], now: datetime) -> None:
    """Let somebody's work of these kinds be done first; what failed is not waited for."""
    for job in await store.jobs(scope=scope, kinds=kinds, limit=MOST_WAITED_FOR):
        is_fresh = job.attempts == 0 and job.due_at <= now
        if is_fresh or job.state is JobState.RUNNING:
            raise NotYetError("what was said is still being learnt from", now + WAIT)


async def repeated(store: Store, job: Job, work: Callable[[Job], Awaitable[None]]) -> None:
    """Do a job, and again where something was changed or forgotten meanwhile, unless the job went with it."""
    tried = False

    async def once() -> None:
        nonlocal tried
        if tried and await store.job(job.id) is None:
            return
        tried = True
        await work(job)

    await deciding(once)


async def finished(store: Store, job: Job, ops: Sequence[Op]) -> bool:
    """Apply the last step of a job with its end; False when another worker was quicker and all is done."""
    try:
        await store.apply(job.scope, [*ops, FinishJob(job.id)])
    except StaleError:
        raise
    except ConflictError:
        log.info("job %s was finished by another worker", job.id)
        return False
    return True


def _told(time: timedelta) -> str:
    minutes = time.total_seconds() / 60
    return f"{minutes:g} minutes" if minutes >= 1 else f"{time.total_seconds():g} seconds"
