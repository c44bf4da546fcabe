"""A process that lets children do the work of worlds, kills them at moments drawn from a seed, and compares the ends.

Run by test_night_faults. It forks children from itself, with all modules loaded, so that hundreds of lives are cheap.
It prints what came of them as one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from memories import Clock
from nights import WORLDS, World, made, remembering, told
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.sqlite import SqliteStore

TWICE = 4  # every so-manieth round the one who follows is killed as well


def forked(doing: Callable[[], Awaitable[Any]], ready: int | None = None) -> int:
    """A child that does it and is gone; its id."""
    child = os.fork()
    if child:
        return child
    code = 0
    try:
        asyncio.run(doing())  # type: ignore[arg-type]  # every doing is a coroutine
    except BaseException:  # noqa: BLE001 - the child ends here whatever happens
        traceback.print_exc()
        code = 1
    if ready is not None:
        os.close(ready)
    os._exit(code)


def waited(child: int) -> None:
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise RuntimeError(f"a child that nobody killed ended with {status}")


async def opened(db: Path) -> SqliteStore:
    return await SqliteStore.open(db, analyzer=BilingualAnalyzer(), durability="normal", readers=1)


async def living(world: World, db: Path, moment: datetime, ready: int) -> None:
    """Do the work, saying when it begins and when it is done."""
    store = await opened(db)
    async with remembering(store, Clock(moment)) as memory:
        os.write(ready, b"b")
        await world.work(memory, db.parent)
        os.write(ready, b"d")


async def ending(world: World, db: Path, moment: datetime, since: datetime, out: Path) -> None:
    """Do what is left of the work, and write down what the store then says."""
    store = await opened(db)
    async with remembering(store, Clock(moment)) as memory:
        started = time.perf_counter()
        await world.work(memory, db.parent)
        took = time.perf_counter() - started
        lines = await told(store, since)
    out.write_text(json.dumps({"took": took, "lines": lines}))


class Rounds:
    """Lives in copies of one world."""

    def __init__(self, name: str, folder: Path, seed: int) -> None:
        self._world = WORLDS[name]
        self._folder = folder
        self._chance = random.Random(seed)
        self._db = folder / "first.db"
        self.since = asyncio.run(self._made())
        # Done once in this process, children find loaded what is loaded when it is first used.
        asyncio.run(ending(self._world, self._copied(), self.since, self.since, folder / "end.json"))
        self.whole: list[str] = json.loads((folder / "end.json").read_text())["lines"]
        undisturbed = self._ended(self._copied(), self.since)
        self.took, self.steady = undisturbed["took"], undisturbed["lines"] == self.whole
        self.size = self._exported()

    async def _made(self) -> datetime:
        return await made(await opened(self._db), self._world, self._folder)

    def _exported(self) -> int:
        written = self._folder / "out.jsonl"
        return len(written.read_bytes().splitlines()) if written.exists() else 0

    def round(self, number: int) -> dict[str, Any]:
        """One world whose workers are killed; what is missing and what is too much in the end."""
        db = self._copied()
        (self._folder / "out.jsonl").unlink(missing_ok=True)
        moment, delays, cut = self.since, [], False
        for _ in range(2 if number % TWICE == 0 else 1):
            delay = self._chance.uniform(0, self.took)
            delays.append(round(delay, 5))
            if self._killed(db, moment, delay):
                cut = True
            else:
                self.took *= 0.8  # the machine is quicker now than when it was measured
            moment += self._world.wait
        halves = self._exported() not in (0, self.size)
        lines = self._ended(db, moment)["lines"]
        missing, extra = sorted(set(self.whole) - set(lines)), sorted(set(lines) - set(self.whole))
        same = lines == self.whole and not halves
        return {
            "cut": cut,
            "bad": None if same else {"round": number, "delays": delays, "missing": missing, "extra": extra},
        }

    def _killed(self, db: Path, moment: datetime, delay: float) -> bool:
        """Let somebody begin and kill them; whether they had not finished."""
        heard, ready = os.pipe()
        child = forked(lambda: living(self._world, db, moment, ready), ready)
        os.close(ready)
        os.read(heard, 1)
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        done = os.read(heard, 1) == b"d"
        os.close(heard)
        return not done

    def _ended(self, db: Path, moment: datetime) -> dict[str, Any]:
        out = self._folder / "end.json"
        waited(forked(lambda: ending(self._world, db, moment, self.since, out)))
        end: dict[str, Any] = json.loads(out.read_text())
        return end

    def _copied(self) -> Path:
        for old in self._folder.glob("m.db*"):
            old.unlink()
        return Path(shutil.copyfile(self._db, self._folder / "m.db"))


def main(words: Sequence[str]) -> None:
    names, folder, rounds, seed = words
    told_of = {}
    for name in names.split(","):
        inside = Path(folder) / name
        inside.mkdir()
        lives = Rounds(name, inside, int(seed))
        ends = [lives.round(number) for number in range(int(rounds))]
        told_of[name] = {
            "steady": lives.steady,
            "took": lives.took,
            "cut": sum(end["cut"] for end in ends),
            "bad": [end["bad"] for end in ends if end["bad"]],
        }
    print(json.dumps(told_of))  # noqa: T201 - read by the test


if __name__ == "__main__":
    main(sys.argv[1:])
