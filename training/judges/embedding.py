"""Vectors of training text, kept on disk by encoder so that fitting again is quick."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from relembra.minds.folder import FolderEmbedder
from relembra.minds.offline.encoder import OfflineEmbedder
from relembra.minds.port import Embedder, Vector

__all__ = ["Renamed", "Vectors", "open_embedder"]

CACHE = Path(__file__).parent / "cache"
CHUNK = 2_000


def open_embedder(folder: str | None) -> Embedder:
    """The encoder in a folder, or the shipped one."""
    return FolderEmbedder(folder) if folder else OfflineEmbedder()


class Renamed:
    """An encoder under the name it will ship with."""

    def __init__(self, embedder: Embedder, name: str) -> None:
        self.name = name
        self.dimensions = embedder.dimensions
        self._embedder = embedder

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return await self._embedder.embed(texts)

    async def close(self) -> None:
        await self._embedder.close()


class Vectors:
    """Asks an encoder once a text, ever."""

    def __init__(self, embedder: Embedder, cache: Path = CACHE) -> None:
        self._embedder = embedder
        self._path = cache / f"{embedder.name.replace('/', '_')}.npz"
        self._known: dict[bytes, npt.NDArray[np.float16]] = {}
        if self._path.is_file():
            with np.load(self._path) as stored:
                self._known = dict(zip((bytes(key) for key in stored["keys"]), stored["vectors"], strict=True))

    def of(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One row a text."""
        keys = [blake2b(text.encode(errors="replace"), digest_size=12).digest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            asyncio.run(self._learn(new))
            self._store()
        if not keys:
            return np.zeros((0, self._embedder.dimensions), dtype=np.float32)
        return np.stack([self._known[key] for key in keys]).astype(np.float32)

    async def _learn(self, new: dict[bytes, str]) -> None:
        started = time.perf_counter()
        items = list(new.items())
        for start in range(0, len(items), CHUNK):
            chunk = items[start : start + CHUNK]
            vectors = await self._embedder.embed([text for _, text in chunk])
            for (key, _), vector in zip(chunk, vectors, strict=True):
                self._known[key] = np.frombuffer(vector, "<f4").astype(np.float16)
        seconds = time.perf_counter() - started
        print(f"embedded {len(items)} texts in {seconds:.0f} s", file=sys.stderr)

    def _store(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        keys = np.array([list(key) for key in self._known], dtype=np.uint8)
        np.savez(self._path, keys=keys, vectors=np.stack(list(self._known.values())))
