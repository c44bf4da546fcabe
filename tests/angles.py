"""An embedder whose cosines a test chooses, so that scores can be computed by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from builders import a_vector
from relembra.minds.port import Embedder, Vector


class Angles:
    """Texts that hold one of the words lie at that word's cosine to every question; all others are questions."""

    name = "angles-1"
    dimensions = 2

    def __init__(self, cosines: Mapping[str, float]) -> None:
        self.cosines = dict(cosines)

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector(text) for text in texts]

    async def close(self) -> None:
        """Nothing to let go of."""

    def _vector(self, text: str) -> Vector:
        cosine = next((angle for word, angle in self.cosines.items() if word in text), 1.0)
        return a_vector(cosine, math.sqrt(max(0.0, 1 - cosine * cosine)))


_: type[Embedder] = Angles
