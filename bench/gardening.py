"""The gardener's merge over one person's large memory: what it compares, and its time against reading it all once.

python -m bench.gardening [--items 100000] [--json]

Sentences and vectors are synthetic: vectors lie around a few hundred topics, and one item in twenty is another in other
words, at a cosine of about 0.95. The mind that judges pairs is a fake that knows which were planted.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.corpus import DIMENSIONS, MODEL, START, Corpus
from bench.table import Row, printed
from relembra.domain.audit import Actor
from relembra.domain.candidate import Comparison, Digest, Effect, Spent, Talk
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.domain.message import Message
from relembra.domain.policy import LIFE
from relembra.domain.scope import Scope, new_id
from relembra.learn.trail import Change
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.night import OfflineNight
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.port import Vector
from relembra.night.duplicates import Merge, Merger
from relembra.night.task import NightServices
from relembra.store.port import ItemFilter, Kind, Put, PutVectors, Store
from relembra.store.sqlite import SqliteStore

ITEMS = 100_000
QUICK = 20_000
SHARE = 20  # one item in so many is another in other words
TOPICS = 300
PAGE = 1_000
ANA = Scope("default", "ana")
NOW = START + timedelta(days=400)


class _Vectors:
    """An embedder's name and size; nothing is embedded here."""

    name = MODEL
    dimensions = DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise NotImplementedError

    async def close(self) -> None:
        """Nothing to let go of."""


class _Knowing:
    """A mind that knows which statements were planted as one."""

    name = "bench"

    def __init__(self) -> None:
        self.same: set[frozenset[str]] = set()
        self.asked = 0

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        self.asked += len(pairs)
        return [Comparison(contradicts=0.0, same=float(frozenset(pair) in self.same)) for pair in pairs]

    async def effects(self, talk: Talk, message: Message, known: Sequence[str]) -> list[Effect]:
        raise NotImplementedError

    async def digest(self, talk: Talk) -> Digest:
        raise NotImplementedError

    async def working_summary(self, talk: Talk, previous: str | None) -> str:
        raise NotImplementedError

    def spent(self) -> list[Spent]:
        return []

    async def close(self) -> None:
        """Nothing to let go of."""


def _vectors(count: int, again: int) -> npt.NDArray[np.float32]:
    """Unit vectors around topics; the last `again` ones lie beside the first."""
    chance = np.random.default_rng(11)
    topics = chance.standard_normal((TOPICS, DIMENSIONS), dtype=np.float32)
    around = topics[chance.integers(0, TOPICS, count)]
    vectors = 0.6 * around + 0.8 * chance.standard_normal((count, DIMENSIONS), dtype=np.float32)
    vectors[count - again :] = vectors[:again] + 0.33 * chance.standard_normal((again, DIMENSIONS), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype("<f4")


def _item(content: str, number: int) -> KnowledgeItem:
    at = START + timedelta(minutes=number)
    return KnowledgeItem(
        id=new_id(), scope=ANA, type=KnowledgeType.FACT, title=content[:40], content=content,
        source=Source.CONVERSATION, confidence=0.95, held_from=at, created_at=at, updated_at=at,
    )  # fmt: skip


async def _planted(store: Store, mind: _Knowing, count: int) -> set[frozenset[str]]:
    """Fill one person's memory; the pairs that are one."""
    corpus, again = Corpus(), count // SHARE
    vectors = _vectors(count, again)
    items = [_item(f"{corpus.sentence(9)} n{number:x}", number) for number in range(count - again)]
    planted = [_item(f"{items[place].content} {corpus.sentence(1)}", count - again + place) for place in range(again)]
    items += planted
    for start in range(0, count, PAGE):
        ops: list[Put | PutVectors] = []
        for place in range(start, min(count, start + PAGE)):
            vector = (vectors[place].tobytes(),)
            ops += [Put(items[place], None), PutVectors(Kind.ITEM, items[place].id, MODEL, vector)]
        await store.apply(ANA, ops)
    mind.same = {frozenset((items[place].content, other.content)) for place, other in enumerate(planted)}
    return {frozenset((items[place].id, other.id)) for place, other in enumerate(planted)}


async def _read_once(store: Store) -> float:
    """Seconds to read every row and vector."""
    start, after = time.perf_counter(), None
    while True:
        page = await store.page(ANA, ItemFilter(now=NOW), after=after, limit=PAGE)
        await store.vectors(ANA, Kind.ITEM, MODEL, [(row.id, 0) for row in page.rows])
        after = page.next
        if after is None:
            return time.perf_counter() - start


async def _written(store: Store, merger: Merger, merges: Sequence[Merge]) -> float:
    """Seconds to make the merges, a hundred a transaction."""
    start, size = time.perf_counter(), LIFE.garden.batch
    for place in range(0, len(merges), size):
        change = Change(ANA, new_id=new_id, verb="garden", actor=Actor.parse("program:gardener"), at=NOW)
        beside = merger.write(change, await merger.renewed(ANA, merges[place : place + size]), ANA)
        await store.apply(ANA, [*change.ops, *beside])
    return time.perf_counter() - start


def _services(store: Store, mind: _Knowing) -> NightServices:
    async def always() -> bool:
        return True

    tokens = OfflineTokens()
    night = OfflineNight(_Vectors(), tokens, policy=LIFE.cluster)
    return NightServices(
        store=store, policy=LIFE, clock=lambda: NOW, new_id=new_id, embedder=_Vectors(), reader=mind, night=night,
        offline=night, allowance=always, tokens=tokens, language="en", language_of=lambda _: None,
    )  # fmt: skip


async def measured(folder: Path, count: int) -> list[Row]:
    store = await SqliteStore.open(folder / "gardening.db", analyzer=BilingualAnalyzer(), durability="normal")
    try:
        mind = _Knowing()
        planted = await _planted(store, mind, count)
        merger = Merger(_services(store, mind))
        await _read_once(store)
        reading = min([await _read_once(store) for _ in range(2)])
        start = time.perf_counter()
        found = await merger.everywhere(ANA)
        looking, asked = time.perf_counter() - start, mind.asked
        writing = await _written(store, merger, found)
        again = await merger.everywhere(ANA)
        start = time.perf_counter()
        await merger.everywhere(ANA, since=NOW)
        later = time.perf_counter() - start
        return _rows(count, planted, found, again, asked, reading, looking, later, writing)
    finally:
        await store.close()


def _rows(
    count: int,
    planted: set[frozenset[str]],
    found: Sequence[Merge],
    again: Sequence[Merge],
    asked: int,
    reading: float,
    looking: float,
    later: float,
    writing: float,
) -> list[Row]:
    pairs = {frozenset((merge.keep.id, other.id)) for merge in found for other in merge.others}
    what = f"gardening, {count:,} items"
    return [
        Row(f"{what}: pairs a mind was asked / items", f"{asked:,}", f"{count:,}", asked / count, None),
        Row(f"{what}: planted ones found", f"{len(pairs & planted):,}", f"{len(planted):,}",
            len(pairs & planted) / len(planted), 0.98, at_least=True),
        Row(f"{what}: others taken for one", f"{len(pairs - planted):,}", f"{len(pairs):,}",
            len(pairs - planted) / max(1, len(pairs)), 0.0),
        Row(f"{what}: the first look / reading all once", f"{looking:.2f} s", f"{reading:.2f} s",
            looking / reading, 4),
        Row(f"{what}: a later look / reading all once", f"{later:.2f} s", f"{reading:.2f} s", later / reading, 4),
        Row(f"{what}: merging {len(pairs):,} / reading", f"{writing:.2f} s", f"{reading:.2f} s",
            writing / reading, None),
        Row(f"{what}: left for the next look", f"{len(again):,}", f"{len(planted):,}",
            len(again) / len(planted), 0.02),
    ]  # fmt: skip


def rows(*, quick: bool, items: int | None = None) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measured(Path(folder), items or (QUICK if quick else ITEMS)))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    return 0 if printed(rows(quick=False, items=asked.items), as_json=asked.json) else 1


if __name__ == "__main__":
    sys.exit(main())
