"""A night without a model: everything that follows what people said by day, against embedding it alone.

The messages are labelled ones of training, each person's a sample of them, so that as much is found as in talk.
Embedding is timed again in the same run, with the very texts and batches the night asked for.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.table import Row
from relembra import Draft, Memory
from relembra.domain.jobs import RunStatus
from relembra.settings import Settings

PEOPLE = 1_000
QUICK_PEOPLE = 20
MESSAGES = 100
TALKS = 4  # stretches of a day, with two hours between them
GROWN_PEOPLE = 3
OLD_ITEMS = 1_000
TIMES_MORE = 10
MORNING = datetime(2026, 11, 10, 8, tzinfo=UTC)
DATA = Path(__file__).parents[1] / "training" / "reader" / "messages"


class _Clock:
    def __init__(self) -> None:
        self.now = MORNING

    def __call__(self) -> datetime:
        return self.now


def texts() -> list[str]:
    found = []
    for path in sorted(DATA.glob("earlier-*.jsonl")):
        found += [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
    return list(dict.fromkeys(found))


async def _spoken(memory: Memory, clock: _Clock, people: int, texts: Sequence[str], seed: int) -> None:
    """Let everybody say their hundred messages of a day."""
    draw = random.Random(seed)
    for number in range(people):
        clock.now = MORNING
        for place, text in enumerate(draw.sample(texts, MESSAGES)):
            clock.now += timedelta(minutes=1 if place % (MESSAGES // TALKS) else 120)
            await memory.save(user=f"person-{number}", said=text)


async def _night(memory: Memory, clock: _Clock) -> tuple[float, float]:
    """How long the night took, and how long embedding what it embedded takes by itself."""
    embedder = memory._embedder
    asked: list[list[str]] = []
    plain = embedder.embed

    async def noted(texts: Sequence[str]) -> list[bytes]:
        asked.append(list(texts))
        return await plain(texts)

    embedder.embed = noted  # type: ignore[method-assign]
    clock.now = MORNING + timedelta(days=1)
    started = time.perf_counter()
    await memory.settle()
    night = time.perf_counter() - started
    embedder.embed = plain  # type: ignore[method-assign]
    started = time.perf_counter()
    for texts in asked:
        await embedder.embed(texts)
    return night, time.perf_counter() - started


async def _warm(memory: Memory) -> None:
    """Load the model and the reader, which is done once a process."""
    for text in ("Moro em Recife e adoro café.", "I live in Leeds and I love tea."):
        await memory.preview(text, user="nobody")


async def measured(folder: Path, people: int) -> Row:
    """The whole night of many people."""
    clock = _Clock()
    async with Memory.open(folder / "night.db", settings=Settings(), clock=clock, background=False) as memory:
        await _spoken(memory, clock, people, texts(), seed=7)
        await _warm(memory)
        night, embedding = await _night(memory, clock)
        runs = await memory.consolidations(limit=1_000)
        if len(runs) != people or any(run.status is not RunStatus.COMPLETED for run in runs):
            raise RuntimeError(f"{len(runs)} records of {people} people, and not all of them completed")
    name = f"night, {people:,} people, {MESSAGES} messages each / embedding"
    return Row(name, f"{night:.1f} s", f"{embedding:.1f} s", night / embedding, 1.25)


async def grown(folder: Path) -> Row:
    """The same night over memories ten times as large."""
    times = []
    for items in (OLD_ITEMS, OLD_ITEMS * TIMES_MORE):
        clock = _Clock()
        clock.now = MORNING - timedelta(days=30)
        file = folder / f"grown-{items}.db"
        async with Memory.open(file, settings=Settings(), clock=clock, background=False) as memory:
            draw = random.Random(11)
            said = texts()
            for number in range(GROWN_PEOPLE):
                drafts = [Draft(content=f"{draw.choice(said)} {place}", source="import") for place in range(items)]
                await memory.add_many(drafts, user=f"person-{number}", by="program:bench")
            await memory.settle()
            await _spoken(memory, clock, GROWN_PEOPLE, said, seed=7)
            await _warm(memory)
            times.append((await _night(memory, clock))[0])
    few, many = times
    name = f"night, {OLD_ITEMS * TIMES_MORE:,} older items each / {OLD_ITEMS:,}"
    return Row(name, f"{many:.1f} s", f"{few:.1f} s", many / few, 1.3)


def rows(*, quick: bool, people: int | None = None) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        first = asyncio.run(measured(Path(folder), people or (QUICK_PEOPLE if quick else PEOPLE)))
        return [first] if quick else [first, asyncio.run(grown(Path(folder)))]


if __name__ == "__main__":
    import os

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    for row in rows(quick=given.quick, people=given.people):
        print(row)
