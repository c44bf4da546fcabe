"""Saving and adding against the least such work can cost."""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from bench.corpus import Corpus
from bench.table import Row, median, ms
from relembra import Draft, Memory
from relembra.bootstrap import chosen_embedder
from relembra.settings import Settings

ROUNDS = 1_000
BULK = 2_000


def cheapest_commit(path: Path, size: int) -> Callable[[], None]:
    """The smallest durable transaction of so many bytes: one row, one table, one thread, no index."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA page_size=8192")
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", 2)
    connection.execute("CREATE TABLE said(id INTEGER PRIMARY KEY, text BLOB)")
    payload = os.urandom(size)

    def once() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO said(text) VALUES (?)", (payload,))
        connection.execute("COMMIT")

    return once


async def saving(folder: Path) -> Row:
    """One save and one cheapest commit in turns, so that both see the same disk."""
    corpus = Corpus()
    turns = [(corpus.sentence(14), corpus.sentence(20)) for _ in range(200)]
    commit = cheapest_commit(folder / "floor.db", sum(len(said) + len(replied) for said, replied in turns) // 200)
    floor, taken = [], []
    async with Memory.open(folder / "save.db", background=False) as memory:
        for said, replied in itertools.islice(itertools.cycle(turns), ROUNDS):
            start = time.perf_counter()
            commit()
            middle = time.perf_counter()
            await memory.save(user="ana", said=said, replied=replied, conversation="c1")
            taken.append(time.perf_counter() - middle)
            floor.append(middle - start)
    least, most = median(floor), median(taken)
    return Row("save of one exchange, durable / cheapest durable commit", ms(most), ms(least), most / least, 2)


async def adding(folder: Path) -> Row:
    """Bulk add beside embedding the same texts alone, in turns, so that both see the same machine."""
    corpus = Corpus()
    embedder = chosen_embedder(Settings())
    floor = taken = 0.0
    async with Memory.open(folder / "add.db", background=False) as memory:
        await memory.add("warm up", user="ana")
        await embedder.embed(["warm up"])
        loop = asyncio.get_running_loop()
        for _ in range(BULK // 500):
            texts = [corpus.sentence(12) for _ in range(500)]
            start = loop.time()
            for first in range(0, 500, 256):
                await embedder.embed(texts[first : first + 256])
            middle = loop.time()
            await memory.add_many([Draft(content=text) for text in texts], user="ana")
            floor += middle - start
            taken += loop.time() - middle
    await embedder.close()
    return Row(f"bulk add of {BULK:,} / embedding them", ms(taken / BULK), ms(floor / BULK), taken / floor, 1.25)


def rows() -> list[Row]:
    async def both() -> list[Row]:
        with tempfile.TemporaryDirectory() as folder:
            return [await saving(Path(folder)), await adding(Path(folder))]

    return asyncio.run(both())
