"""`load` end to end against embedding its question alone, and whether other people's data slow it down."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from bench.corpus import Corpus
from bench.table import Row, median, ms, percentile, timed_async
from relembra import Draft, Memory
from relembra.settings import Settings

ITEMS = 10_000
OTHERS = 20  # people with as many items as one of them has, put in after the first figure
THEIRS = 1_000
ROUNDS = 200
EXCHANGES = 6


async def _filled(memory: Memory, user: str, items: int, corpus: Corpus) -> None:
    drafts = [Draft(content=f"{corpus.sentence(9)} {number}") for number in range(items)]
    await memory.add_many(drafts, user=user)


async def measured(folder: Path, *, quick: bool) -> list[Row]:
    corpus = Corpus()
    async with Memory.open(folder / "loading.db", settings=Settings(), background=False) as memory:
        await _filled(memory, "ana", ITEMS, corpus)
        for _ in range(EXCHANGES):
            await memory.save(user="ana", said=corpus.sentence(10), replied=corpus.sentence(20))
        await memory.settle()
        embedder = memory._embedder  # the same one, asked by itself
        questions = itertools.cycle([f"{corpus.sentence(8)}?" for _ in range(64)])

        async def loaded() -> None:
            await memory.load(user="ana", query=next(questions))

        async def embedded() -> None:
            await embedder.embed([next(questions)])

        before = await _quickest(loaded)
        alone = await _quickest(embedded)
        load, embed = median(before), median(alone)
        rows = [
            Row(f"load, {ITEMS:,} items: p50 / embedding", ms(load), ms(embed), load / embed, 2),
            Row(f"load, {ITEMS:,} items: p95 / p50", ms(percentile(before, 0.95)), ms(load), _tail(before), None),
        ]
        if not quick:
            for number in range(OTHERS):
                await _filled(memory, f"other-{number}", THEIRS, corpus)
            after = median(await _quickest(loaded))
            name = f"load, beside {OTHERS * THEIRS:,} items of others / before"
            rows.append(Row(name, ms(after), ms(load), after / load, 1.3))
    return rows


async def _quickest(work: Callable[[], Awaitable[None]]) -> list[float]:
    """Times of the quieter of two rounds: something else may run beside one of them."""
    await timed_async(work, ROUNDS // 10)
    rounds = [await timed_async(work, ROUNDS) for _ in range(2)]
    return min(rounds, key=median)


def _tail(times: list[float]) -> float:
    return percentile(times, 0.95) / median(times)


def rows(*, quick: bool) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measured(Path(folder), quick=quick))
