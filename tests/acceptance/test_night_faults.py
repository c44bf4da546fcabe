"""Night work that is killed, or fails at any write: what is left in the end is what an undisturbed night leaves."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from memories import Clock, InMemoryStore
from nights import WORLDS, DeathError, Mortal, World, made, remembering, told
from relembra.errors import StoreUnavailableError
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.port import Store
from seeds import a_seed, rounds

KILLING = Path(__file__).parent.parent / "killing.py"
ROUNDS = 5


@pytest.mark.parametrize("part", range(2))
def test_killed_at_any_moment_the_end_is_that_of_an_undisturbed_run(part: int, tmp_path: Path) -> None:
    lives_cut, names = rounds(ROUNDS), sorted(WORLDS)[part::2]
    command = [sys.executable, str(KILLING), ",".join(names), str(tmp_path), str(lives_cut), str(a_seed())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-3_000:]
    worlds = json.loads(done.stdout)
    assert sorted(worlds) == names
    for name, lives in worlds.items():
        assert lives["steady"], f"two undisturbed runs of {name} do not tell the same"
        assert lives["bad"] == [], name
        assert lives["cut"] >= lives_cut // 4, f"hardly anybody was killed before the end of {name}"


async def worked(store: Store, world: World, moment: datetime, folder: Path) -> None:
    async with remembering(store, Clock(moment)) as memory:
        await world.work(memory, folder)


@pytest.mark.parametrize("ends", ["dies", "is told to wait"])
@pytest.mark.parametrize("name", sorted(WORLDS))
async def test_after_every_single_write(name: str, ends: str, tmp_path: Path) -> None:
    """Whoever works dies after each write in turn, or every other one fails once; then somebody finishes."""
    world = WORLDS[name]
    first = InMemoryStore(BilingualAnalyzer())
    since = await made(first, world, tmp_path)

    store = await first.copied()
    counted = Mortal(store)
    await worked(counted, world, since, tmp_path)
    whole = await told(store, since)
    died = 0
    for writes in range(0, counted.writes, 1 if ends == "dies" else 2):
        store = await first.copied()
        error = None if ends == "dies" else StoreUnavailableError("busy")
        try:
            await worked(Mortal(store, writes, error=error), world, since, tmp_path)
        except DeathError:
            died += 1
        except StoreUnavailableError:
            assert ends != "dies"
        await worked(store, world, since + world.wait, tmp_path)
        assert await told(store, since) == whole, f"after {writes} writes"
    # Workers side by side may claim together or apart, so that a run can be done a few writes earlier than another.
    assert ends != "dies" or died >= counted.writes - 4
