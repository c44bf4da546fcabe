"""Work a page starts and watches (imports, the demo story, nightly work), and forms that act once though sent twice.

Jobs go on when their page is left and end with the server. What is kept of them quotes nothing that was remembered.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple, TypeVar

from relembra.domain.scope import new_id
from relembra.errors import BusyError, InvalidInputError, NotFoundError, RelembraError

log = logging.getLogger(__name__)

KEPT = timedelta(hours=1)
MOST_AT_ONCE = 32
"""Jobs of the whole server."""
PATIENCE_SECONDS = 20.0
"""How long a page waits for a job before it says that it goes on."""
FORMS_KEPT = 1_000
PRESSED_TWICE = timedelta(minutes=1)
"""How long a second sending of a form is answered like the first."""

Result = TypeVar("Result")


class Owner(NamedTuple):
    """The caller who started a job, and whose memory it is about: no other caller sees it."""

    caller: str
    tenant: str
    user: str


class UnderWayError(BusyError):
    """Another job of the same kind is running."""

    page_key = "page.job.busy"


class StaleFormError(InvalidInputError):
    """A form whose token this browser no longer has, as after its cookies were cleared; or one sent long ago."""

    page_key = "page.stale_form"


@dataclass
class BackgroundJob:
    """One job: how far it is, and its result: ids, counts or an address to go on to."""

    kind: str  # "import", "story" and others
    owner: Owner
    id: str = field(default_factory=new_id)
    done: int = 0
    total: int | None = None  # None: unknown
    result: Any = None
    error: RelembraError | None = None
    is_running: bool = True
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def share(self) -> int | None:
        """How much is done, in percent; None where unknown."""
        return None if not self.total else min(100, round(100 * self.done / self.total))

    def progress(self, done: int, total: int | None = None) -> None:
        self.done, self.total = done, total

    async def run(self, work: Callable[[BackgroundJob], Awaitable[Any]]) -> None:
        try:
            self.result = await work(self)
        except RelembraError as error:
            self.error = error
        except Exception as error:  # noqa: BLE001 - nobody awaits it; the page says that it failed
            log.error("a job of the kind %s failed: %s", self.kind, type(error).__name__)
            self.error = RelembraError("something went wrong here that should not")
        finally:
            self.is_running = False

    async def outcome(self) -> Any:
        """The result, waited for a while; None while it is not there yet."""
        if self.task is not None:
            await asyncio.wait({self.task}, timeout=PATIENCE_SECONDS)
        if self.error is not None:
            raise self.error
        return self.result


class BackgroundJobs:
    """The jobs of a server; one of a kind for each person at a time."""

    def __init__(self) -> None:
        self._jobs: dict[str, BackgroundJob] = {}

    def start(
        self, kind: str, *, owner: Owner, work: Callable[[BackgroundJob], Awaitable[Any]], joins: bool = False
    ) -> BackgroundJob:
        """Start a job; where one of the kind runs for this person, that one if the caller `joins` their own.

        `UnderWayError` where another one's runs, or too many do.
        """
        running = [job for job in self._jobs.values() if job.is_running]
        same = next((job for job in running if (job.kind, job.owner[1:]) == (kind, owner[1:])), None)
        if joins and same is not None and same.owner == owner:
            return same
        if same is not None or len(running) >= MOST_AT_ONCE:
            raise UnderWayError(f"a job of the kind {kind} is running; wait until it is done")
        job = BackgroundJob(kind, owner)
        self._jobs[job.id] = job
        job.task = asyncio.create_task(job.run(work), name=f"relembra-page-{kind}")
        later = asyncio.get_running_loop().call_later
        job.task.add_done_callback(lambda _: later(KEPT.total_seconds(), self._jobs.pop, job.id, None))
        return job

    def get(self, id: str, *, owner: Owner) -> BackgroundJob:
        """A job of this caller about this person."""
        job = self._jobs.get(id)
        if job is None or job.owner != owner:
            raise NotFoundError("job", id)
        return job

    def running(self, kind: str, *, owner: Owner) -> BackgroundJob | None:
        key = (kind, owner, True)
        return next((job for job in self._jobs.values() if (job.kind, job.owner, job.is_running) == key), None)

    def drop(self, owner: Owner) -> None:
        """End every job about a person who is forgotten, whoever started it."""
        for job in [job for job in self._jobs.values() if job.owner[1:] == owner[1:]]:
            del self._jobs[job.id]
            if job.task is not None:
                job.task.cancel()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        try:
            yield
        finally:
            tasks = [job.task for job in self._jobs.values() if job.task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


class Once:
    """The last forms that were sent, by key, so that one sent twice acts once."""

    def __init__(self, *, most: int = FORMS_KEPT, within: timedelta = PRESSED_TWICE) -> None:
        self._most, self._seconds = most, within.total_seconds()
        self._sent: dict[Hashable, asyncio.Task[Any] | None] = {}  # None: its result is no longer kept

    async def done(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """The result of the work; a second call waits for the first, a much later one is refused.

        What failed may be tried again.
        """
        if key not in self._sent:
            begun = self._sent[key] = asyncio.create_task(work())
            later = asyncio.get_running_loop().call_later
            begun.add_done_callback(lambda _: later(self._seconds, self._hide, key))
            while len(self._sent) > self._most:
                del self._sent[next(iter(self._sent))]
        task: asyncio.Task[Result] | None = self._sent[key]
        if task is None:
            raise StaleFormError("this form was sent before; load the page again", field="form")
        try:
            return await asyncio.shield(task)
        except Exception:
            self._sent.pop(key, None)
            raise

    def _hide(self, key: Hashable) -> None:
        if key in self._sent:
            self._sent[key] = None
