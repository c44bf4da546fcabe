"""An embedder without a model, for tests: the same words give the same vector, at once and everywhere."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from hashlib import blake2b

from relembra.errors import MindUnavailableError
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.port import Vector

__all__ = ["HashingEmbedder"]

_TRIGRAM_WEIGHT = 0.25


class HashingEmbedder:
    """Throws stems and letter triples into `dimensions` bins; texts lie close when they share words, not meaning.

    The first `fail_times` calls raise `MindUnavailableError`, and `calls` counts them all.
    """

    def __init__(self, dimensions: int = 256, *, fail_times: int = 0, retry_after_seconds: float | None = None) -> None:
        self.dimensions = dimensions
        self.name = f"hashing-{dimensions}"
        self.calls = 0
        self.fail_times = fail_times
        self._retry_after_seconds = retry_after_seconds
        self._analyzer = BilingualAnalyzer()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order."""
        self.calls += 1
        if self.fail_times > 0:
            self.fail_times -= 1
            raise MindUnavailableError("told to fail", retry_after_seconds=self._retry_after_seconds)
        return [self._vector(text) for text in texts]

    async def close(self) -> None:
        """Nothing to let go of."""

    def _vector(self, text: str) -> Vector:
        bins = [0.0] * self.dimensions
        for term in self._analyzer.terms(text):
            self._throw(bins, term, 1.0)
            padded = f" {term} "
            for start in range(len(padded) - 2):
                self._throw(bins, padded[start : start + 3], _TRIGRAM_WEIGHT)
        length = math.sqrt(sum(value * value for value in bins))
        if length == 0.0:
            bins[0], length = 1.0, 1.0
        return struct.pack(f"<{self.dimensions}f", *(value / length for value in bins))

    def _throw(self, bins: list[float], feature: str, weight: float) -> None:
        number = int.from_bytes(blake2b(feature.encode(errors="replace"), digest_size=8).digest(), "big")
        bins[number % self.dimensions] += weight if number >> 63 else -weight
