"""Work a page starts and watches (imports, exports, nightly work), and forms that act once though sent twice.

Jobs go on when their page is left and end with the server; their results go when the person's data is forgotten.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Any, NamedTuple, TypeVar

from relembra.domain.ids import new_id
from relembra.errors import BusyError, NotFoundError, RelembraError
from relembra.memory import Memory

log = logging.getLogger(__name__)

KEPT = timedelta(hours=1)
IMPORT, STORY = "import", "story"
FOLDERS = "relembra-job-"
MOST_AT_ONCE = 32
MOST_OF_ONE = 4
"""Jobs running: of the whole server, and of one caller."""
PATIENCE_SECONDS = 20.0
"""How long a page waits for a job before it says that it goes on."""
CHECK_SECONDS = 30.0
"""How often finished jobs are checked for data that was forgotten since, also by another program."""
FORMS_KEPT = 1_000
PRESSED_TWICE = timedelta(minutes=1)
"""How long a second sending of a form counts as the same one."""

Result = TypeVar("Result")


class Owner(NamedTuple):
    """The caller who started a job, and whose memory it is about: no other caller sees its result."""

    caller: str
    tenant: str
    user: str

    @property
    def person(self) -> tuple[str, str]:
        return self.tenant, self.user


class UnderWayError(BusyError):
    """Another job of the same kind is running."""


@dataclass
class BackgroundJob:
    """One job: how far it is, and its result."""

    id: str
    kind: str  # "import", "story" and others
    owner: Owner
    folder: Path  # its own files, removed with it
    is_of_all: bool = False  # whether its result may hold data of the whole tenant
    is_marked: bool = False
    done: int = 0
    total: int | None = None  # None: unknown
    state: str = "running"  # running, done, failed
    result: Any = None
    error: RelembraError | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def mark(self) -> dict[str, str]:
        """An empty stored reply that vanishes when anything is forgotten that the result may quote."""
        return {"caller": "errand", "key": self.id, "tenant": self.owner.tenant}

    @property
    def share(self) -> int | None:
        """How much is done, in percent; None where unknown."""
        return None if not self.total else min(100, round(100 * self.done / self.total))

    def progress(self, done: int, total: int | None = None) -> None:
        self.done, self.total = done, total

    async def outcome(self, seconds: float | None = None) -> Any:
        """The result, waited for to the end or so many seconds; leaving the page does not stop the job."""
        if self.task is not None:
            await asyncio.wait({self.task}, timeout=seconds)
        if self.error is not None:
            raise self.error
        return self.result


class BackgroundJobs:
    """The jobs of a server; one of a kind for each person at a time."""

    def __init__(self, memory: Memory, *, check_seconds: float = CHECK_SECONDS) -> None:
        self._memory = memory
        self._check_seconds = check_seconds
        self._jobs: dict[str, BackgroundJob] = {}

    def start(
        self, kind: str, *, owner: Owner, work: Callable[[BackgroundJob], Awaitable[Any]], is_of_all: bool = False
    ) -> BackgroundJob:
        """Start a job; `BusyError` where one of the kind runs for this person, or too many do."""
        running = [job for job in self._jobs.values() if job.state == "running"]
        same = [job for job in running if job.kind == kind and job.owner.person == owner.person]
        own = [job for job in running if job.owner.caller == owner.caller]
        if same or len(own) >= MOST_OF_ONE or len(running) >= MOST_AT_ONCE:
            raise UnderWayError(f"a job of the kind {kind} is running; wait until it is done")
        job = BackgroundJob(new_id(), kind, owner, Path(mkdtemp(prefix=FOLDERS)), is_of_all)
        self._jobs[job.id] = job
        job.task = asyncio.create_task(self._run(job, work), name=f"relembra-page-{kind}")
        later = asyncio.get_running_loop().call_later
        job.task.add_done_callback(lambda _: later(KEPT.total_seconds(), self._drop, job))
        return job

    def running_or_new(
        self, kind: str, *, owner: Owner, work: Callable[[BackgroundJob], Awaitable[Any]]
    ) -> BackgroundJob:
        """The job of the kind that runs for this caller and person; else a new one."""
        return self.running(kind, owner=owner) or self.start(kind, owner=owner, work=work)

    async def get(self, id: str, *, owner: Owner) -> BackgroundJob:
        """A job of this caller about this person, unless data was forgotten since that it may hold."""
        job = self._jobs.get(id)
        if job is None or job.owner != owner or await self._dropped(job):
            raise NotFoundError("job", id)
        return job

    async def find(self, id: str, *, owner: Owner, kinds: Any) -> BackgroundJob | None:
        """The job of an id where it is there and of one of some kinds."""
        with suppress(NotFoundError):
            job = await self.get(id, owner=owner) if id else None
            return job if job is not None and job.kind in kinds else None
        return None

    def running(self, kind: str, *, owner: Owner) -> BackgroundJob | None:
        key = (kind, owner, "running")
        return next((job for job in self._jobs.values() if (job.kind, job.owner, job.state) == key), None)

    def drop(self, person: tuple[str, str]) -> None:
        """Remove every job about a person who is forgotten, whoever started it."""
        for job in list(self._jobs.values()):
            if job.owner.person == person or (job.is_of_all and job.owner.tenant == person[0]):
                self._drop(job)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        _sweep()
        checking = asyncio.create_task(self._check(), name="relembra-page-jobs")
        try:
            yield
        finally:
            checking.cancel()
            tasks = [checking, *(job.task for job in self._jobs.values() if job.task is not None)]
            for job in list(self._jobs.values()):
                self._drop(job)
            for task in tasks:
                with suppress(asyncio.CancelledError):
                    await task

    async def _run(self, job: BackgroundJob, work: Callable[[BackgroundJob], Awaitable[Any]]) -> None:
        try:
            await self._memory.begin_reply(fingerprint=job.kind, **job.mark)
            user = None if job.is_of_all else job.owner.user
            await self._memory.end_reply(user=user, status=200, body=b"", headers={}, **job.mark)
            job.is_marked = True
            job.result = await work(job)
            job.state = "done"
        except asyncio.CancelledError:
            job.state, job.error = "failed", RelembraError("it was ended before it was done")
            raise
        except RelembraError as error:
            job.state, job.error = "failed", error
        except Exception as error:  # noqa: BLE001 - nobody awaits it; the page says that it failed
            log.error("a job of the kind %s failed: %s", job.kind, type(error).__name__)
            job.state, job.error = "failed", RelembraError("something went wrong here that should not")

    async def _dropped(self, job: BackgroundJob) -> bool:
        """Drop a finished job whose mark is gone; whether it was."""
        if job.state == "running" or not job.is_marked:
            return False
        with suppress(BusyError):  # another check found the same
            if await self._memory.begin_reply(fingerprint=job.kind, **job.mark) is not None:
                return False
            await self._memory.drop_reply(**job.mark)
        self._drop(job)
        return True

    async def _check(self) -> None:
        while True:
            await asyncio.sleep(self._check_seconds)
            for job in list(self._jobs.values()):
                try:
                    await self._dropped(job)
                except RelembraError as error:
                    log.warning("could not check whether a job is still good: %s", type(error).__name__)

    def _drop(self, job: BackgroundJob) -> None:
        self._jobs.pop(job.id, None)
        if job.task is not None:
            job.task.cancel()
        shutil.rmtree(job.folder, ignore_errors=True)


def _sweep() -> None:
    """Remove what a server that was killed left behind."""
    before = time.time() - KEPT.total_seconds()
    for folder in Path(gettempdir()).glob(f"{FOLDERS}*"):
        with suppress(OSError):
            if folder.stat().st_mtime < before:
                shutil.rmtree(folder)


class Once:
    """The outcomes of the last forms, by key, so that a form sent twice acts once."""

    def __init__(self, most: int = FORMS_KEPT) -> None:
        self._most = most
        self._sent: dict[Hashable, asyncio.Task[Any]] = {}

    async def done(
        self, key: Hashable, work: Callable[[], Coroutine[Any, Any, Result]], *, within: timedelta | None = None
    ) -> Result:
        """The result of the work; a second call with the key waits for the first. What failed may be tried again.

        `within`: how long after it was done it counts; without it, as long as there is room.
        """
        task: asyncio.Task[Result] | None = self._sent.get(key)
        if task is None:
            task = self._sent[key] = asyncio.create_task(work())
            if within is not None:
                later, seconds = asyncio.get_running_loop().call_later, within.total_seconds()
                task.add_done_callback(lambda done: later(seconds, self._drop, key, done))
            while len(self._sent) > self._most:
                del self._sent[next(iter(self._sent))]
        try:
            return await asyncio.shield(task)
        except Exception:
            self.forget(key)
            raise

    def forget(self, key: Hashable) -> None:
        self._sent.pop(key, None)

    def _drop(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        if self._sent.get(key) is task:
            del self._sent[key]
