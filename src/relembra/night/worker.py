"""The one who does queued work: claims, hands to a duty, gives back what failed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol, runtime_checkable

from relembra.domain.jobs import Job, Terms
from relembra.domain.scope import Scope
from relembra.domain.time import Clock
from relembra.errors import DeliveryError, MindError, MindUnavailableError, RelembraError
from relembra.store.port import Jobs, TellsOfWork

FIRST_WAIT = timedelta(seconds=30)
LONGEST_SLEEP_SECONDS = 60.0
SHORTEST_SLEEP_SECONDS = 0.05
BUSY_ELSEWHERE_SECONDS = 1.0  # how long what is due and not to be had is let be: it is another lane's or worker's
GRACE = timedelta(seconds=5)
LONGEST_WAIT_AFTER = 9  # tries; later ones that fail for want of a mind wait as long and are counted no more
MOST_DEATHS = 50  # a machine that is switched off a dozen times is no fault of the job
DAY = "day"
NIGHT = "night"

log = logging.getLogger(__name__)


class Duty(Protocol):
    """Something the worker can do with jobs of certain kinds."""

    kinds: tuple[str, ...]
    terms: Terms

    async def run(self, jobs: Sequence[Job]) -> None:
        """Do them, finishing each in the transaction of its effects; may leave some undone by raising."""


@runtime_checkable
class NotesGivingUp(Protocol):
    """A duty that wants to know what was given up without it."""

    async def gave_up(self, job: Job, reason: str) -> None:
        """Note that no one will take the job any more; may be called again for the same."""


@dataclass(slots=True)
class _Lane:
    """Duties done in turns, whatever those of other lanes are at."""

    duties: list[Duty] = field(default_factory=list)
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)
    wake: asyncio.Event = field(default_factory=asyncio.Event)


class Worker:
    """Runs duties until nothing is due, then sleeps until something is."""

    def __init__(
        self,
        queue: Jobs,
        duties: Sequence[Duty],
        *,
        chore: Callable[[], Awaitable[None]],
        clock: Clock,
        grace: timedelta = GRACE,
    ) -> None:
        self._queue = queue
        self._lanes = {DAY: _Lane()}
        for duty in duties:
            self._lanes.setdefault(duty.terms.lane, _Lane()).duties.append(duty)
        self._chore = chore  # small work that waits for no job, done whenever the worker is up
        self._clock = clock
        self._grace = grace  # how long `stop` waits for what is under way
        self._stopping = False
        self._longest_sleep = LONGEST_SLEEP_SECONDS
        self._trouble: str | None = None  # why the queue cannot be read
        self._tasks: list[asyncio.Task[None]] = []
        self._at_hand: Counter[tuple[str, Scope]] = Counter()  # in which lane, and whose jobs, are being done just now
        self._claims: set[object] = set()  # those under way, of which no one knows yet whose jobs they take
        self._over = asyncio.Event()  # set when some of them were done
        self._ended: list[set[tuple[str, Scope]]] = []  # of whom jobs ended, since each who waits looked last

    def start(self, *, queued: bool = True, longest_sleep: float = LONGEST_SLEEP_SECONDS) -> None:
        """Without `queued` only the small work is done, and another process has the queue.

        What this process enqueues wakes it; what others do is seen within the longest sleep, in seconds.
        """
        self._stopping, self._longest_sleep = False, longest_sleep
        if not queued:
            idle = _Lane(wake=self._lanes[DAY].wake)
            self._tasks = [asyncio.create_task(self._loop(idle, has_chore=True), name="relembra-small-work")]
            return
        self._tasks = [
            asyncio.create_task(self._loop(lane, has_chore=name == DAY), name=f"relembra-worker-{name}")
            for name, lane in self._lanes.items()
        ]
        if isinstance(self._queue, TellsOfWork):
            self._tasks.append(asyncio.create_task(self._listen(self._queue), name="relembra-worker-listener"))

    def wake(self) -> None:
        """There may be something to do."""
        for lane in self._lanes.values():
            lane.wake.set()

    async def run_due(self) -> int:
        """Do everything due now; how many jobs were claimed."""
        claimed = 0
        await self._small_work()
        for names in self._by_day_first():
            done = 1
            while done:
                due = await self._due_kinds()
                done = sum(await _all_of(self._along(self._lanes[name], due) for name in names))
                claimed += done
        return claimed

    async def run_due_of(self, *scopes: Scope, by_night: bool = True) -> int:
        """Do what is due of some scopes and no one else's; how many jobs were claimed.

        What this worker is at already of theirs is waited for. Without `by_night`, night work is left alone.
        """
        claimed, ended = 0, set[tuple[str, Scope]]()
        self._ended.append(ended)
        try:
            for names in self._by_day_first()[: 2 if by_night else 1]:
                duties = [duty for name in names for duty in self._lanes[name].duties]
                mine = {(name, scope) for name in names for scope in scopes}
                while not self._stopping:
                    ended.clear()
                    due = await self._due_kinds()
                    done = sum([await self._claimed(duty, scopes) for duty in duties if due.intersection(duty.kinds)])
                    claimed += done
                    if done:
                        continue
                    claims = set(self._claims)  # one of these may have what is missed here; later ones have not
                    while claims & self._claims:
                        self._over.clear()
                        await self._over.wait()
                    if any(self._at_hand[one] for one in mine):
                        self._over.clear()
                        await self._over.wait()
                    elif mine.isdisjoint(ended):  # what just ended may have been what others had to wait for
                        break
        finally:
            self._ended = [one for one in self._ended if one is not ended]
        return claimed

    def _by_day_first(self) -> list[list[str]]:
        """The names of lanes in two rounds, so that the night finds the day's work done."""
        return [[name for name in self._lanes if name != NIGHT], list(self._lanes)]

    async def stop(self) -> None:
        """Finish the batches at hand, if that takes no longer than some seconds, and go; what is left stays queued.

        Whoever will not wait and cancels this has what is under way handed back at once.
        """
        tasks, self._tasks = self._tasks, []
        self._stopping = True
        if not tasks:
            return
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._grace.total_seconds()):
                    for lane in self._lanes.values():
                        async with lane.busy:
                            pass
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen(self, queue: TellsOfWork) -> None:
        """Look what is due whenever another process may have left something."""
        while True:
            await queue.changed()
            self.wake()

    async def _along(self, lane: _Lane, due: set[str] | None = None) -> int:
        """Do what is due of a lane's duties, in turns; how many jobs were claimed.

        `due`: the kinds due just now, where somebody looked already; it is looked again behind whoever is at the lane.
        """
        claimed, done = 0, 1
        known = None if lane.busy.locked() else due
        async with lane.busy:
            while done:
                kinds = await self._due_kinds() if known is None else known
                done, known = 0, None
                for duty in lane.duties:
                    if kinds.intersection(duty.kinds):
                        done += sum(await _all_of(self._claimed(duty) for _ in range(duty.terms.at_once)))
                claimed += done
        return claimed

    async def _due_kinds(self) -> set[str]:
        """Kinds of which something may be claimed: a claim takes the writer's turn, and most would find nothing."""
        now = self._clock()
        return {kind for kind, moment in (await self._queue.next_due()).items() if moment <= now}

    async def _claimed(self, duty: Duty, scopes: Sequence[Scope] = ()) -> int:
        """Claim and do some batches, one after another; how many jobs were claimed."""
        terms, claimed = duty.terms, 0
        for _ in range(terms.turns):
            if self._stopping:
                break
            claim = object()
            self._claims.add(claim)
            try:
                jobs = await self._queue.claim(
                    duty.kinds,
                    now=self._clock(),
                    lease=terms.lease,
                    limit=terms.claim_limit,
                    one_a_scope=terms.one_a_scope,
                    after=terms.after,
                    scopes=scopes,
                )
                whose = Counter((terms.lane, job.scope) for job in jobs)
                self._at_hand += whose
            finally:
                self._claims.discard(claim)
                self._over.set()
            if not jobs:
                break
            claimed += len(jobs)
            try:
                await self._do(duty, await self._bearable(duty, jobs))
            finally:
                self._at_hand -= whose
                for waiting in self._ended:
                    waiting.update(whose)
                self._over.set()
            if len(jobs) < terms.claim_limit:
                break  # there was no more, and what came since is seen without the writer's turn
        return claimed

    async def _bearable(self, duty: Duty, jobs: Sequence[Job]) -> list[Job]:
        """The jobs without those whose worker ended again and again while it was at them: they may be why.

        Only so many failures are counted, so whatever was counted beyond them are such ends.
        """
        kept: list[Job] = []
        for job in jobs:
            failures = 0 if job.error is None else _most_failures(duty.terms)
            if job.attempts > failures + MOST_DEATHS:
                await self._give_up(duty, job, f"whoever was at it ended {MOST_DEATHS} times without a word")
            else:
                kept.append(job)
        return kept

    async def _give_up(self, duty: Duty, job: Job, reason: str) -> None:
        if isinstance(duty, NotesGivingUp):
            try:
                await duty.gave_up(job, reason)
            except RelembraError as exc:
                log.warning("it was not noted that job %s is given up: %s", job.id, type(exc).__name__)
        await self._queue.give_back({job.id: job.attempts}, error=reason, is_dead=True, is_counted=True)

    async def _small_work(self) -> None:
        async with self._lanes[DAY].busy:
            try:
                await self._chore()
            except RelembraError as exc:
                log.warning("small work was left out: %s", type(exc).__name__)

    async def _do(self, duty: Duty, jobs: Sequence[Job]) -> None:
        """Do a batch; when it fails, each job alone, so that a bad one does not drag the others along."""
        if not jobs:
            return
        try:
            await duty.run(jobs)
        except asyncio.CancelledError:
            await self._hand_back(jobs)
            raise
        except Exception as exc:  # noqa: BLE001 - the worker's loop outlives any job
            if len(jobs) > 1 and not isinstance(exc, MindError):
                for place, job in enumerate(jobs):
                    try:
                        await self._do(duty, [job])
                    except asyncio.CancelledError:
                        await self._hand_back(jobs[place + 1 :])
                        raise
                return
            log.warning("%d jobs failed: %s", len(jobs), type(exc).__name__)
            reason = str(exc) if isinstance(exc, RelembraError) else type(exc).__name__
            for job in jobs:
                retry_at = self._retry_at(duty.terms, job, exc)
                is_counted = retry_at is None or job.attempts <= _most_failures(duty.terms)
                await self._queue.give_back(
                    {job.id: job.attempts},
                    error=reason,
                    due_at=retry_at,
                    is_dead=retry_at is None,
                    is_counted=is_counted,
                )

    async def _hand_back(self, jobs: Sequence[Job]) -> None:
        """Give back what was interrupted, so that the next to come need not wait for the lease to run out."""
        try:
            await asyncio.shield(self._queue.give_back({job.id: job.attempts for job in jobs}))
        except RelembraError as exc:  # the lease is what remains
            log.warning("%d interrupted jobs wait for their lease: %s", len(jobs), type(exc).__name__)

    def _retry_at(self, terms: Terms, job: Job, exc: Exception) -> datetime | None:
        """Later and later, with jitter, until the tries are used up; a mind out of reach may be waited for longer."""
        if isinstance(exc, DeliveryError) and exc.final:
            return None
        if job.attempts >= terms.tries and not (terms.waits_for_minds and isinstance(exc, MindError)):
            return None
        wait = FIRST_WAIT * float(2 ** min(job.attempts - 1, LONGEST_WAIT_AFTER - 1)) * random.uniform(0.8, 1.2)
        asked = exc.retry_after_seconds if isinstance(exc, MindUnavailableError | DeliveryError) else None
        return self._clock() + max(wait, timedelta(seconds=asked or 0))

    async def _loop(self, lane: _Lane, *, has_chore: bool) -> None:
        while True:
            lane.wake.clear()
            claimed = 0
            try:
                if has_chore:
                    await self._small_work()
                claimed = await self._along(lane)
                due = min((await self._queue.next_due()).values(), default=None)
                self._say_trouble(None)
            except Exception as exc:  # noqa: BLE001 - the worker's loop outlives any error
                self._say_trouble(type(exc).__name__)
                due = self._clock() + timedelta(seconds=5)
            if claimed:
                for other in self._lanes.values():
                    if other is not lane:
                        other.wake.set()  # what was done may have left work for it
            # Not wait_for: woken in the moment it is cancelled, it would swallow that, and `stop` would wait for ever.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._sleep_seconds(due, claimed)):
                    await lane.wake.wait()

    def _say_trouble(self, trouble: str | None) -> None:
        """Once for all lanes, and once more when it is over."""
        if trouble is not None and trouble != self._trouble:
            log.warning("the queue cannot be read: %s", trouble)
        elif trouble is None and self._trouble is not None:
            log.warning("the queue can be read again")
        self._trouble = trouble

    def _sleep_seconds(self, due: datetime | None, claimed: int) -> float:
        if due is None:
            return self._longest_sleep
        left = (due - self._clock()).total_seconds()
        shortest = BUSY_ELSEWHERE_SECONDS if left <= 0 and not claimed else SHORTEST_SLEEP_SECONDS
        return min(self._longest_sleep, max(shortest, left))


def _most_failures(terms: Terms) -> int:
    """How many failures of a job are counted."""
    return max(terms.tries, LONGEST_WAIT_AFTER) if terms.waits_for_minds else terms.tries


async def _all_of(doings: Iterable[Coroutine[Any, Any, int]]) -> list[int]:
    """What each gives; one that fails or is interrupted takes the others along."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(doing) for doing in doings]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]
