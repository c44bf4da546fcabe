"""`load` end to end against embedding its question alone, in time of the processor, and what may slow it down.

The floor is the embedding and, in a large memory, one pass over the person's vectors: the search is exact, so that it
reads them all. A row says how much that is; what is above it are the words of the question, looked up in as many
messages as hold them, and the ranking. Each `load` is timed beside an embedding, so that both see the same machine.
"""

from __future__ import annotations

import asyncio
import itertools
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.corpus import START, Corpus
from bench.table import Row, median, ms, percentile
from relembra import Draft, Memory
from relembra.domain.message import Message, Role
from relembra.domain.scope import new_id, person
from relembra.settings import Settings
from relembra.store.port import IndexMessages, Kind, Op, PutMessage, PutVectors

ITEMS = 10_000
MESSAGES = (1_000, 10_000, 50_000)  # of one person each
A_CONVERSATION = 20
OTHERS = 20  # people with as many items as one of them has, put in after the first figure
THEIRS = 1_000
ROUNDS = 200
LESSONS = 12
EXCHANGES = 6


@dataclass
class Bench:
    """A memory, and questions nobody asked before."""

    memory: Memory
    corpus: Corpus

    def __post_init__(self) -> None:
        self._numbers = itertools.count()

    def _question(self) -> str:
        return f"{self.corpus.sentence(8)} {next(self._numbers)}?"

    async def embed(self) -> None:
        await self.memory._embedder.embed([self._question()])

    async def load(self, user: str) -> None:
        await self.memory.load(user=user, query=self._question())

    async def items(self, user: str, count: int) -> None:
        drafts = [Draft(content=f"{self.corpus.sentence(9)} {number}") for number in range(count)]
        await self.memory.add_many(drafts, user=user)

    async def messages(self, user: str, count: int) -> None:
        """Messages with vectors and terms, and nothing learnt from them."""
        scope, model = person("default", user), self.memory._embedder.name
        for first in range(0, count, A_CONVERSATION):
            made = [
                Message(
                    id=new_id(),
                    scope=scope,
                    conversation=f"{user} {first}",
                    role=Role.USER,
                    author=user,
                    text=self.corpus.sentence(20),
                    sent_at=START,
                    saved_at=START,
                )
                for _ in range(A_CONVERSATION)
            ]
            ops: list[Op] = [PutMessage(message, None) for message in made]
            for message, vector in zip(made, self.corpus.vectors(len(made)), strict=True):
                ops.append(PutVectors(Kind.MESSAGE, message.id, model, (vector.tobytes(),)))
            await self.memory._store.apply(scope, [*ops, IndexMessages(tuple(message.id for message in made))])

    async def learnt(self, user: str, *, settled: bool = False) -> list[float]:
        """Seconds of the first `load` after something was learnt; `settled`: after the work behind that, as where a
        worker runs."""
        times = []
        for _ in range(LESSONS):
            await self.items(user, 1)
            if settled:
                await self.memory.settle()
            times += await _processor(lambda: self.load(user), 1)
        return times

    async def scan(self, count: int) -> float:
        """Median seconds of one pass over so many vectors."""
        vectors = self.corpus.vectors(count)

        async def once() -> None:
            np.vecdot(vectors, vectors[0])

        return median(await _processor(once, ROUNDS // 10))


async def _processor(work: Callable[[], Awaitable[None]], rounds: int) -> list[float]:
    """Seconds the processor worked, whatever else runs on the machine."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        await work()
        times.append(time.process_time() - start)
    return times


async def measured(folder: Path, *, quick: bool) -> list[Row]:
    async with Memory.open(folder / "loading.db", settings=Settings(), background=False) as memory:
        bench = Bench(memory, Corpus())
        await bench.items("ana", ITEMS)
        for _ in range(EXCHANGES):
            await memory.save(user="ana", said=bench.corpus.sentence(10), replied=bench.corpus.sentence(20))
        await memory.settle()

        async def times(user: str) -> tuple[list[float], float]:
            """Seconds of loads, and the median of as many embeddings in turns with them."""
            await _processor(lambda: bench.load(user), ROUNDS // 10)
            alone, loads = list[float](), list[float]()
            for _ in range(ROUNDS):
                alone += await _processor(bench.embed, 1)
                loads += await _processor(lambda: bench.load(user), 1)
            return loads, median(alone)

        before, embed = await times("ana")
        load = median(before)
        first, kept_ready = median(await bench.learnt("ana")), median(await bench.learnt("ana", settled=True))
        tail = percentile(before, 0.95)
        rows = [
            Row(f"load, {ITEMS:,} items: p50 / embedding", ms(load), ms(embed), load / embed, 3),
            Row(f"load, {ITEMS:,} items: p95 / p50", ms(tail), ms(load), tail / load, None),
            Row(f"load, {ITEMS:,} items: first after learning / p50", ms(first), ms(load), first / load, None),
            Row("… once the work behind it is done / p50", ms(kept_ready), ms(load), kept_ready / load, 3),
        ]
        for count in MESSAGES[: 1 if quick else None]:
            await bench.messages(f"with-{count}", count)
            loads, embed = await times(f"with-{count}")
            said, least = median(loads), embed + await bench.scan(count)
            rows.append(Row(f"load, {count:,} messages: p50 / embedding", ms(said), ms(embed), said / embed, 3))
            rows.append(
                Row("… embedding and one pass over them / embedding", ms(least), ms(embed), least / embed, None)
            )
        if not quick:
            for number in range(OTHERS):
                await bench.items(f"other-{number}", THEIRS)
            after = median((await times("ana"))[0])
            name = f"load, beside {OTHERS * THEIRS:,} items of others / before"
            rows.append(Row(name, ms(after), ms(load), after / load, 1.3))
    return rows


def rows(*, quick: bool) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measured(Path(folder), quick=quick))
