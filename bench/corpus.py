"""Synthetic memories: sentences over a Zipf vocabulary and random unit vectors, the same on every run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.scope import Scope, new_id
from relembra.store.port import Kind, Op, Put, PutVectors, Store

DIMENSIONS = 384
MODEL = "bench-384"
START = datetime(2026, 1, 1, tzinfo=UTC)
_SYLLABLES = ["ba", "ca", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve", "xi", "zo", "re"]


def word(rank: int) -> str:
    """A pronounceable word for a rank, distinct for each."""
    parts = []
    rank += 16
    while rank:
        rank, digit = divmod(rank, 16)
        parts.append(_SYLLABLES[digit])
    return "".join(parts)


@dataclass
class Corpus:
    """Draws sentences and vectors from one seed."""

    seed: int = 7
    vocabulary: int = 20_000

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        weights = 1 / (np.arange(self.vocabulary) + 30)  # the head of the curve are stop words, which are no terms
        self._shares = np.cumsum(weights / weights.sum())

    def sentence(self, words: int = 12) -> str:
        ranks = np.searchsorted(self._shares, self._rng.random(words))
        return " ".join(word(int(rank)) for rank in ranks)

    def vectors(self, count: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        matrix = self._rng.standard_normal((count, DIMENSIONS), dtype=np.float32)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        return matrix

    def items(self, scope: Scope, count: int) -> Iterator[KnowledgeItem]:
        areas, types = list(LifeArea), list(KnowledgeType)
        for index in range(count):
            moment = START + timedelta(minutes=index)
            text = self.sentence()
            yield KnowledgeItem(
                id=new_id(),
                scope=scope,
                type=types[index % len(types)],
                area=areas[index % len(areas)],
                title=text[:60],
                content=text,
                source=Source.CONVERSATION,
                confidence=0.95,
                held_from=moment,
                created_at=moment,
                updated_at=moment,
            )

    async def fill(self, store: Store, scope: Scope, count: int, batch: int = 1_000) -> None:
        """Give one person so many items, with vectors."""
        left = list(self.items(scope, count))
        for start in range(0, count, batch):
            chunk = left[start : start + batch]
            vectors = self.vectors(len(chunk))
            ops: list[Op] = []
            for item, vector in zip(chunk, vectors, strict=True):
                ops += [Put(item, None), PutVectors(Kind.ITEM, item.id, MODEL, (vector.tobytes(),))]
            await store.apply(scope, ops)
