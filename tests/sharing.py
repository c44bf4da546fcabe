"""A process that works on a file others work on as well; run by test_night_workers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from builders import a_note
from memories import Clock
from nights import TUESDAY, remembering, say
from relembra.domain.jobs import Job, Terms
from relembra.domain.scope import new_id
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.night.worker import Worker
from relembra.store.port import FinishJob, Put, Store
from relembra.store.sqlite import SqliteStore


async def opened(db: str) -> Store:
    return await SqliteStore.open(Path(db), analyzer=BilingualAnalyzer(), durability="normal")


class Writing:
    """Writes a note for each job, which it ends together with it."""

    kinds: tuple[str, ...] = ("write",)
    terms = Terms(lease=timedelta(minutes=1), claim_limit=16, turns=10, at_once=2)

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name = store, name

    async def run(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            note = a_note(id=new_id(), scope=job.scope, title=job.id, summary=f"by {self._name}")
            await self._store.apply(job.scope, [Put(note, None), FinishJob(job.id)])


async def write(db: str, name: str) -> None:
    store = await opened(db)

    async def nothing() -> None:
        return

    await Worker(store, [Writing(store, name)], chore=nothing, clock=Clock(TUESDAY)).run_due()
    await store.close()


async def night(db: str, moment: str, name: str) -> None:
    clock = Clock(datetime.fromisoformat(moment))
    async with remembering(await opened(db), clock) as memory:
        await memory.settle()


async def nights(db: str, number: str, name: str) -> None:
    """Some days of talk and their nights, one after another: so many, and more until somebody says it is enough."""
    clock, enough = Clock(TUESDAY), Path(db).with_suffix(".enough")
    async with remembering(await opened(db), clock) as memory:
        for day in range(10 * int(number)):
            if day >= int(number) and enough.exists():
                break
            for part in range(3):
                await say(
                    memory, clock, "ana", f"[fact=Knows song{day}] [fact=Knows gladly song{day + part}] [likes=tea]"
                )
            clock.move(hours=2)
            await memory.settle()
            clock.now = datetime.combine(clock().date() + timedelta(days=1), TUESDAY.timetz()) - timedelta(hours=8)
            await memory.settle()
            clock.move(hours=8)


WORK = {"write": write, "night": night, "nights": nights}

if __name__ == "__main__":
    asyncio.run(WORK[sys.argv[1]](*sys.argv[2:]))  # type: ignore[operator]  # each takes the words it is given
