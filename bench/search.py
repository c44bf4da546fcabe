"""Hybrid search of one person against the time it takes to stream that person's vectors once from memory."""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
from pathlib import Path

import numpy as np

from bench.corpus import DIMENSIONS, MODEL, START, Corpus
from bench.table import Row, median, ms, percentile, timed, timed_async
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.policy import LIFE
from relembra.domain.scope import Scope
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.recall.ranking import rank
from relembra.store.port import ItemFilter, Query, Store
from relembra.store.sqlite import SqliteStore

PEOPLE = 3  # of each size; each is asked for a while, as in a conversation
ROUNDS = 240


def streaming(count: int) -> float:
    """Seconds to read so many vectors from main memory, multiplying with a query as any exact scan must."""
    slices = max(4, 2_000_000_000 // (count * DIMENSIONS * 4 * 8))
    matrix = np.random.default_rng(1).standard_normal((slices * count, DIMENSIONS), dtype=np.float32)
    query = matrix[0].copy()
    turn = itertools.cycle(range(slices))

    def once() -> None:
        start = next(turn) * count
        matrix[start : start + count] @ query

    return median(timed(once, slices * 2))


async def searched(store: Store, corpus: Corpus, size: int) -> list[float]:
    """Seconds of whole searches, embedding left out: analysis, both arms, rows, fusion and ranking."""
    analyzer = BilingualAnalyzer()
    people = itertools.cycle(
        scope for scope in (Scope("default", f"p{size}-{index}") for index in range(PEOPLE)) for _ in range(40)
    )
    vectors = itertools.cycle(corpus.vectors(64))
    texts = itertools.cycle([corpus.sentence(6) for _ in range(64)])
    wanted = ItemFilter(now=START)

    async def once() -> None:
        query = Query(
            terms=tuple(dict.fromkeys(analyzer.terms(next(texts)))),
            vector=next(vectors).tobytes(),
            model=MODEL,
            limit=LIFE.ranking.candidates,
        )
        scope = next(people)
        found = await store.search(scope, query, wanted)
        best = rank(found, query.terms, now=START, policy=LIFE.ranking, limit=LIFE.context.recalled_items)
        await store.get(scope, KnowledgeItem, [ranked.id for ranked in best])

    return await timed_async(once, ROUNDS)


async def filled(folder: Path, total: int) -> tuple[SqliteStore, Corpus]:
    """A store of so many items: a few people of 1,000, a few of 10,000 where there is room, the rest of others."""
    store = await SqliteStore.open(folder / f"{total}.db", analyzer=BilingualAnalyzer(), durability="normal")
    corpus = Corpus()
    left = total
    sizes = [size for size in (1_000, 10_000) if size * PEOPLE <= total]
    for size in sizes:
        for index in range(PEOPLE):
            await corpus.fill(store, Scope("default", f"p{size}-{index}"), size)
            left -= size
    for index in itertools.count():
        if left <= 0:
            break
        await corpus.fill(store, Scope("default", f"other-{index}"), min(1_000, left))
        left -= 1_000
        if sys.stderr.isatty() and index % 20 == 0:
            print(f"\r{total - left:,} of {total:,} items", end="", file=sys.stderr)
    return store, corpus


async def measured(small: int, large: int) -> list[Row]:
    rows = []
    times: dict[tuple[int, int], list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for total in (small, large):
            store, corpus = await filled(Path(folder), total)
            for size in (1_000, 10_000):
                if size * PEOPLE <= total:
                    times[total, size] = await searched(store, corpus, size)
            await store.close()
    for size in (1_000, 10_000):
        floor = streaming(size)
        run = times[large, size]
        p50, p95 = median(run), percentile(run, 0.95)
        rows.append(Row(f"search, {size:,} items of {large:,}: p50 / streaming", ms(p50), ms(floor), p50 / floor, 12))
        rows.append(Row(f"search, {size:,} items: p95 / p50", ms(p95), ms(p50), p95 / p50, 3))
    before = median(times[small, 1_000])
    after = median(times[large, 1_000])
    rows.append(Row(f"search, table of {large:,} / of {small:,}", ms(after), ms(before), after / before, 1.3))
    return rows


def rows(*, quick: bool) -> list[Row]:
    return asyncio.run(measured(20_000, 150_000) if quick else measured(100_000, 1_000_000))
