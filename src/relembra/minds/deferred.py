"""An embedder that is made when it is first needed, so that what needs none works while it cannot be made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from relembra.minds.port import Embedder, Vector


class DeferredEmbedder:
    """Stands for the embedder `make` gives; whatever is wrong with that one is said at its first use."""

    def __init__(self, make: Callable[[], Embedder]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> Embedder:
        return self._make()

    @property
    def name(self) -> str:
        return self._made.name

    @property
    def dimensions(self) -> int:
        return self._made.dimensions

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order."""
        return await self._made.embed(texts)

    async def close(self) -> None:
        """Let go of what was made, if anything."""
        if "_made" in vars(self):
            await self._made.close()
