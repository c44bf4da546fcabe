"""Work somebody watches from a page: an import, an export, a story. It goes on where the page is left, and ends with
the server; what came of it goes when anything of the person is forgotten."""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Any, NamedTuple

from relembra.domain.ids import new_id
from relembra.errors import BusyError, NotFoundError, RelembraError
from relembra.memory import Memory

log = logging.getLogger(__name__)

KEPT = timedelta(hours=1)
FOLDERS = "relembra-errand-"
MOST_AT_ONCE = 32
MOST_OF_ONE = 4
"""Pieces of work under way: of the whole server, and of one caller."""
PATIENCE_SECONDS = 20.0
"""How long a page waits for work before it says that it goes on."""
LOOKED_EVERY_SECONDS = 30.0
"""How often it is looked whether something was forgotten, also by another program, that an errand may tell of."""

SIDE_BY_SIDE = ("export",)
"""Kinds that only read, so that two callers may have one each for the same person."""


class Owner(NamedTuple):
    """Who sent for a piece of work, and whose memory it is about: what came of it is for no other caller."""

    caller: str
    tenant: str
    user: str

    @property
    def person(self) -> tuple[str, str]:
        return self.tenant, self.user


class UnderWayError(BusyError):
    """A piece of work goes on, so that another of its kind has to wait."""


@dataclass
class Errand:
    """One piece of work: how far it is, and what came of it."""

    id: str
    kind: str  # "import", "export", "story"
    owner: Owner
    folder: Path  # its own, for files; gone when it is
    started: datetime
    is_of_all: bool = False  # whether it may tell of everybody of the tenant
    is_marked: bool = False
    done: int = 0
    total: int | None = None  # None: nobody knows how much there is
    state: str = "running"  # running, done, failed
    result: Any = None
    error: RelembraError | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def mark(self) -> dict[str, str]:
        """The name of an empty reply kept in the store, which goes when anything is forgotten that this may quote."""
        return {"caller": "errand", "key": self.id, "tenant": self.owner.tenant}

    @property
    def share(self) -> int | None:
        """How much is done, in percent; None where nobody knows."""
        return None if not self.total else min(100, round(100 * self.done / self.total))

    def progress(self, done: int, total: int | None = None) -> None:
        self.done, self.total = done, total

    async def outcome(self, seconds: float | None = None) -> Any:
        """What came of it, waited for to the end or so long; whoever leaves the page does not stop it."""
        if self.task is not None:
            await asyncio.wait({self.task}, timeout=seconds)
        if self.error is not None:
            raise self.error
        return self.result


class Errands:
    """All of a server's; one of a kind for each person at a time."""

    def __init__(self, memory: Memory, *, looked_every: float = LOOKED_EVERY_SECONDS) -> None:
        self._memory = memory
        self._looked_every = looked_every
        self._errands: dict[str, Errand] = {}

    def start(
        self, kind: str, *, owner: Owner, work: Callable[[Errand], Awaitable[Any]], is_of_all: bool = False
    ) -> Errand:
        """Begin a piece of work; `BusyError` where one of the kind goes on for this person, or many do."""
        running = [one for one in self._errands.values() if one.state == "running"]
        same = [one for one in running if one.kind == kind and one.owner.person == owner.person]
        if kind in SIDE_BY_SIDE:
            same = [one for one in same if one.owner == owner]
        own = [one for one in running if one.owner.caller == owner.caller]
        if same or len(own) >= MOST_OF_ONE or len(running) >= MOST_AT_ONCE:
            raise UnderWayError(f"an errand of the kind {kind} is under way; wait until it is done")
        errand = Errand(new_id(), kind, owner, Path(mkdtemp(prefix=FOLDERS)), datetime.now(UTC), is_of_all)
        self._errands[errand.id] = errand
        errand.task = asyncio.create_task(self._run(errand, work), name=f"relembra-errand-{kind}")
        later = asyncio.get_running_loop().call_later
        errand.task.add_done_callback(lambda _: later(KEPT.total_seconds(), self._drop, errand))
        return errand

    async def get(self, id: str, *, owner: Owner) -> Errand:
        """One of this caller's about this person, unless something was forgotten since that it may tell of."""
        errand = self._errands.get(id)
        if errand is None or errand.owner != owner or await self._dropped(errand):
            raise NotFoundError("errand", id)
        return errand

    def running(self, kind: str, *, owner: Owner) -> Errand | None:
        """The one of a kind that goes on for this caller and person."""
        return next(
            (one for one in self._errands.values() if (one.kind, one.owner, one.state) == (kind, owner, "running")),
            None,
        )

    def drop(self, person: tuple[str, str]) -> None:
        """Leave nothing of a person's, who is forgotten, whoever sent for it."""
        for errand in list(self._errands.values()):
            if errand.owner.person == person or (errand.is_of_all and errand.owner.tenant == person[0]):
                self._drop(errand)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        _sweep()
        looking = asyncio.create_task(self._look(), name="relembra-errands")
        try:
            yield
        finally:
            looking.cancel()
            tasks = [looking, *(one.task for one in self._errands.values() if one.task is not None)]
            for errand in list(self._errands.values()):
                self._drop(errand)
            for task in tasks:
                with suppress(asyncio.CancelledError):
                    await task

    async def _run(self, errand: Errand, work: Callable[[Errand], Awaitable[Any]]) -> None:
        try:
            await self._marked(errand)
            errand.result = await work(errand)
            errand.state = "done"
        except asyncio.CancelledError:
            errand.state, errand.error = "failed", RelembraError("it was ended before it was done")
            raise
        except RelembraError as error:
            errand.state, errand.error = "failed", error
        except Exception as error:  # noqa: BLE001 - nobody awaits it; the page says that it failed
            log.error("an errand of the kind %s failed: %s", errand.kind, type(error).__name__)
            errand.state, errand.error = "failed", RelembraError("something went wrong here that should not")

    async def _marked(self, errand: Errand) -> None:
        await self._memory.begin_reply(fingerprint=errand.kind, **errand.mark)
        user = None if errand.is_of_all else errand.owner.user
        await self._memory.end_reply(user=user, status=200, body=b"", headers={}, **errand.mark)
        errand.is_marked = True

    async def _dropped(self, errand: Errand) -> bool:
        """Drop what came of an errand whose mark is gone; whether it was. One under way goes on for now."""
        if errand.state == "running" or not errand.is_marked:
            return False
        try:
            if await self._memory.begin_reply(fingerprint=errand.kind, **errand.mark) is not None:
                return False
            await self._memory.drop_reply(**errand.mark)
        except BusyError:  # somebody else finds out the same
            pass
        self._drop(errand)
        return True

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(self._looked_every)
            for errand in list(self._errands.values()):
                try:
                    await self._dropped(errand)
                except RelembraError as error:
                    log.warning("could not look whether an errand is still good: %s", type(error).__name__)

    def _drop(self, errand: Errand) -> None:
        self._errands.pop(errand.id, None)
        if errand.task is not None:
            errand.task.cancel()
        shutil.rmtree(errand.folder, ignore_errors=True)


def _sweep() -> None:
    """Remove what a server that was killed left behind."""
    before = time.time() - KEPT.total_seconds()
    for folder in Path(gettempdir()).glob(f"{FOLDERS}*"):
        with suppress(OSError):
            if folder.stat().st_mtime < before:
                shutil.rmtree(folder)
