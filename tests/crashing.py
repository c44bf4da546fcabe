"""A process that makes children work on one store and kills them, at moments drawn from a seed.

However slow the machine is, one child is killed some time after its start, one after it opened the store, and one after
it acknowledged something, and so on.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from hashing import HashingEmbedder
from memories import minds
from readers import NotationReader
from relembra import Draft, Memory
from relembra.domain.policy import LIFE, Policy
from relembra.domain.time import Clock, system_clock
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.sqlite import SqliteStore
from seeds import a_seed

LONGEST_LIFE_SECONDS = 0.1
BIT_BY_BIT = ("writing", "forgetting", "talking")
"""Work that is acknowledged a little at a time, and not only when all is done."""

opened_it: int | None = None
"""Where a child says that it has opened the store."""


@asynccontextmanager
async def opened(
    db: Path, dimensions: int = 64, clock: Clock = system_clock, *, policy: Policy = LIFE, background: bool = True
) -> AsyncIterator[Memory]:
    store = await SqliteStore.open(db, analyzer=BilingualAnalyzer())
    thinking = minds(HashingEmbedder(dimensions))
    thinking["offline"] = NotationReader()
    memory = Memory(store, **thinking, policy=policy, clock=clock)
    if background:
        memory.start()
    if opened_it is not None:
        os.write(opened_it, b"o")
    try:
        yield memory
    finally:
        await memory.close()


async def writing(db: Path, acknowledged: int, round: int) -> None:
    """Save and add without end, writing down each id once it was acknowledged."""
    async with opened(db) as memory:
        number = 0
        while True:
            number += 1
            name = f"r{round}n{number}"
            saved = await memory.save(user="ana", said=f"Disse {name}", replied="Certo", external_id=name)
            os.write(acknowledged, f"message {saved.messages[0].id} {saved.messages[1].id}\n".encode())
            item = await memory.add(f"Sabe {name}", user="ana", attribute="weight", value=name)
            os.write(acknowledged, f"item {item.id}\n".encode())
            if number % 5 == 0:
                many = await memory.add_many([Draft(content=f"Lote {name} {n}") for n in range(10)], user="ana")
                os.write(acknowledged, "".join(f"item {row.id}\n" for row in many).encode())


async def reindexing(db: Path, acknowledged: int, round: int) -> None:
    """Give the store vectors of another model; write down when all is done."""
    async with opened(db, dimensions=96) as memory:
        await memory.reindex()
        os.write(acknowledged, b"done\n")


async def forgetting(db: Path, acknowledged: int, round: int) -> None:
    """Forget one item after another."""
    async with opened(db) as memory:
        for item in await memory.list(user="ana", history=True, limit=200):
            await memory.forget(user="ana", item=item.id)
            os.write(acknowledged, f"gone {item.id}\n".encode())


QUIET_AT_ONCE = replace(LIFE, listen=replace(LIFE.listen, quiet=timedelta(0)))
"""Every message is a stretch of talk of its own, noted as soon as a worker comes by."""


def talk(number: int) -> str:
    """Something of its own, something said often, and something that replaces what was said before."""
    return f"[fact=told number{number}x] [likes=tea] [weight={number} kg]"


async def talking(db: Path, acknowledged: int, round: int) -> None:
    """Talk in private and in a group, and learn from it in the background all the while."""
    async with opened(db, policy=QUIET_AT_ONCE) as memory:
        for number in range(6):
            user = ("ana", "bia")[number % 2]
            space = ("g1", None, None)[number % 3]
            saved = await memory.save(user=user, said=talk(round * 1_000 + number), replied="ok", space=space)
            os.write(acknowledged, f"{user} {saved.messages[0].id}\n".encode())
        await asyncio.sleep(1)


async def learning(db: Path, acknowledged: int, round: int) -> None:
    """Note and learn what waits; each life is some hours after the one before."""

    def hours_later() -> datetime:
        return system_clock() + timedelta(hours=round + 1)

    async with opened(db, clock=hours_later, background=False) as memory:
        await memory.settle(flush=True)
        os.write(acknowledged, b"done\n")


WORK: dict[str, Callable[[Path, int, int], Awaitable[None]]] = {
    "writing": writing, "reindexing": reindexing, "forgetting": forgetting, "talking": talking, "learning": learning,
}  # fmt: skip


def crash(work: str, db: Path, *, times: int) -> list[list[str]]:
    """Let children do the work and kill each; what they had acknowledged. The seed is printed for a second try."""
    ledger = db.with_suffix(".acknowledged")
    ledger.touch()
    command = [sys.executable, __file__, work, str(db), str(times), str(a_seed()), str(ledger)]
    subprocess.run(command, check=True, timeout=900)
    return [line.split() for line in ledger.read_text().splitlines()]


def both(program: str, db: Path, *names: str) -> None:
    """Run a program once for each name, all at once on one file; each has to end well."""
    command = [sys.executable, "-c", program, str(db)]
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    running = [subprocess.Popen([*command, name], env=env) for name in names]
    assert [process.wait(timeout=240) for process in running] == [0] * len(names)


def main(work: str, db: Path, rounds: int, seed: int, ledger: Path) -> None:
    global opened_it
    chance = random.Random(seed)
    for round in range(rounds):
        before = ledger.stat().st_size
        heard, opened_it = os.pipe()
        child = os.fork()
        if child == 0:
            acknowledged = os.open(ledger, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            asyncio.run(WORK[work](db, acknowledged, round))  # type: ignore[arg-type]  # every work is a coroutine
            os._exit(0)
        os.close(opened_it)
        if round % 3 > 0:
            os.read(heard, 1)
        if round % 3 > 1 and work in BIT_BY_BIT:
            enough, until = before + chance.randrange(1, 240), time.monotonic() + 10
            while ledger.stat().st_size < enough and time.monotonic() < until:
                time.sleep(0.002)
        time.sleep(chance.uniform(0.005, LONGEST_LIFE_SECONDS))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(heard)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
