"""Memories for tests: the real engine with a clock that stands still and an embedder without a model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypedDict

from builders import NOW
from relembra import Memory
from relembra.domain.policy import LIFE, Policy
from relembra.minds.fake import HashingEmbedder
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.language import language_of
from relembra.minds.offline.tokens import OfflineTokens
from relembra.minds.port import Analyzer, Embedder, Tokens
from relembra.store.memory import InMemoryStore
from relembra.store.port import Store
from relembra.store.sqlite import SqliteStore


class Clock:
    """Stands still until told to move; may go back."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


async def a_store(kind: str, folder: Path) -> Store:
    if kind == "memory":
        return InMemoryStore(BilingualAnalyzer())
    return await SqliteStore.open(folder / "m.db", analyzer=BilingualAnalyzer(), durability="normal")


class Minds(TypedDict):
    """What a memory thinks with."""

    embedder: Embedder
    analyzer: Analyzer
    tokens: Tokens
    language_of: Callable[[str], str | None]


def minds(embedder: Embedder) -> Minds:
    return Minds(embedder=embedder, analyzer=BilingualAnalyzer(), tokens=OfflineTokens(), language_of=language_of)


@asynccontextmanager
async def a_memory(
    store: Store, *, clock: Clock | None = None, embedder: Embedder | None = None, policy: Policy = LIFE
) -> AsyncIterator[Memory]:
    memory = Memory(store, **minds(embedder or HashingEmbedder()), policy=policy, clock=clock or Clock())
    try:
        yield memory
    finally:
        await memory.close()
