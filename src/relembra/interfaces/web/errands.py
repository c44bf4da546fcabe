"""Work somebody watches from a page: an import, an export, a story. It goes on where the page is left, and ends with
the server."""

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

log = logging.getLogger(__name__)

KEPT = timedelta(hours=1)
FOLDERS = "relembra-errand-"
MOST_AT_ONCE = 32
MOST_OF_ONE = 4
"""Pieces of work under way: of the whole server, and of one caller."""
PATIENCE_SECONDS = 20.0
"""How long a page waits for work before it says that it goes on."""


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
    done: int = 0
    total: int | None = None  # None: nobody knows how much there is
    state: str = "running"  # running, done, failed
    result: Any = None
    error: RelembraError | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)

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

    def __init__(self) -> None:
        self._errands: dict[str, Errand] = {}

    def start(self, kind: str, *, owner: Owner, work: Callable[[Errand], Awaitable[Any]]) -> Errand:
        """Begin a piece of work; `BusyError` where one of the kind goes on for this person, or many do."""
        running = [one for one in self._errands.values() if one.state == "running"]
        same = [one for one in running if one.kind == kind and one.owner.person == owner.person]
        if kind in SIDE_BY_SIDE:
            same = [one for one in same if one.owner == owner]
        own = [one for one in running if one.owner.caller == owner.caller]
        if same or len(own) >= MOST_OF_ONE or len(running) >= MOST_AT_ONCE:
            raise UnderWayError(f"an errand of the kind {kind} is under way; wait until it is done")
        errand = Errand(new_id(), kind, owner, Path(mkdtemp(prefix=FOLDERS)), datetime.now(UTC))
        self._errands[errand.id] = errand
        errand.task = asyncio.create_task(_run(errand, work), name=f"relembra-errand-{kind}")
        later = asyncio.get_running_loop().call_later
        errand.task.add_done_callback(lambda _: later(KEPT.total_seconds(), self._drop, errand))
        return errand

    def get(self, id: str, *, owner: Owner) -> Errand:
        errand = self._errands.get(id)
        if errand is None or errand.owner != owner:
            raise NotFoundError("errand", id)
        return errand

    def running(self, kind: str, *, owner: Owner) -> Errand | None:
        """The one of a kind that goes on for this caller and person."""
        return next(
            (one for one in self._errands.values() if (one.kind, one.owner, one.state) == (kind, owner, "running")),
            None,
        )

    def drop(self, person: tuple[str, str]) -> None:
        """Leave nothing of a person's, who is forgotten, whoever sent for it; an export may hold everybody's."""
        for errand in list(self._errands.values()):
            is_of_all = errand.kind in SIDE_BY_SIDE and errand.owner.tenant == person[0]
            if is_of_all or errand.owner.person == person:
                self._drop(errand)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        _sweep()
        try:
            yield
        finally:
            tasks = [one.task for one in self._errands.values() if one.task is not None]
            for errand in list(self._errands.values()):
                self._drop(errand)
            for task in tasks:
                with suppress(asyncio.CancelledError):
                    await task

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


async def _run(errand: Errand, work: Callable[[Errand], Awaitable[Any]]) -> None:
    try:
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
