"""Memories for tests: the real engine with a clock that stands still and an embedder without a model."""

from __future__ import annotations

import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypedDict

from builders import NOW
from hashing import HashingEmbedder
from relembra import Memory
from relembra.domain.jobs import NIGHT_WORK, Job
from relembra.domain.policy import LIFE, Policy
from relembra.errors import StoreUnavailableError
from relembra.ingest.intake import BlockSettings
from relembra.minds.embedders import OfflineEmbedder
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.diary import OfflineObserver
from relembra.minds.offline.language import language_of
from relembra.minds.offline.night import OfflineNight
from relembra.minds.offline.questions import OfflineInquirer
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.port import (
    Analyzer,
    Embedder,
    Inquirer,
    NightReader,
    Observer,
    Outside,
    Reader,
    Tokens,
)
from relembra.minds.reader.networks import shipped_networks
from relembra.minds.reader.reader import OfflineReader
from relembra.night.events import Receiver
from relembra.night.worker import Duty
from relembra.store.cache import Cache
from relembra.store.port import Store
from relembra.store.sqlite import SqliteStore
from relembra.store.sqlite import store as in_memory
from relembra.transfer.media import Media

TOKENS = OfflineTokens()
"""One for all, since each reads the vocabulary anew."""


class Clock:
    """Stands still until told to move; may go back."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


class InMemoryStore(in_memory.InMemoryStore):
    """A store that can still be looked into when its memory is closed; its thread ends when nobody has it any more."""

    def __init__(self, analyzer: Analyzer) -> None:
        super().__init__(analyzer)
        weakref.finalize(self, self._turns._queue.put, None)

    async def close(self) -> None:
        """Stays open."""

    async def copied(self) -> InMemoryStore:
        """Another store with the same in it."""
        image = await self._turns.aside(lambda db: db.serialize("main"))
        other = InMemoryStore(self._analyzer)
        await other._turns.aside(lambda db: db.deserialize("main", image))
        return other


async def a_store(kind: str, folder: Path) -> Store:
    if kind == "memory":
        return InMemoryStore(BilingualAnalyzer())
    return await SqliteStore.open(folder / "m.db", analyzer=BilingualAnalyzer(), durability="normal")


def falters(store: Store, *, times: int) -> None:
    """Let a store refuse its next writes, as one does that is out of reach for a while."""
    applied, troubles = store.apply, [StoreUnavailableError("locked") for _ in range(times)]

    async def shaky(*given: Any, **named: Any) -> Any:
        if troubles:
            raise troubles.pop()
        return await applied(*given, **named)

    store.apply = shaky  # type: ignore[method-assign]


class Minds(TypedDict):
    """What a memory thinks with."""

    embedder: Embedder
    analyzer: Analyzer
    tokens: Tokens
    language_of: Callable[[str], str | None]
    offline: Reader
    offline_night: NightReader
    observer: Observer
    inquirer: Inquirer
    cache: Cache


def minds(embedder: Embedder) -> Minds:
    return Minds(
        embedder=embedder, analyzer=BilingualAnalyzer(), tokens=TOKENS, language_of=language_of,
        offline=OfflineReader(shipped_networks(), TOKENS, policy=LIFE.learn, summary_tokens=80),
        offline_night=OfflineNight(OfflineEmbedder(), TOKENS), observer=OfflineObserver(), inquirer=OfflineInquirer(),
        cache=Cache(),
    )  # fmt: skip


@asynccontextmanager
async def a_memory(
    store: Store,
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    policy: Policy = LIFE,
    reader: Reader | None = None,
    night: NightReader | None = None,
    blocks: BlockSettings | None = None,
    model: Reader | None = None,
    outside: Outside | None = None,
    events: Receiver | None = None,
    space_zones: dict[str, str] | None = None,
    cache: Cache | None = None,
    media: Media | None = None,
) -> AsyncIterator[Memory]:
    """A memory that reads with `reader` alone, where one is given, and at night with `night`; `model`: beside it."""
    thinking = minds(embedder or HashingEmbedder())
    if reader is not None:
        thinking["offline"] = reader
    if cache is not None:
        thinking["cache"] = cache
    memory = Memory(
        store, **thinking, reader=model, night=night, outside=outside or Outside(), policy=policy, blocks=blocks,
        clock=clock or Clock(), events=events, space_zones=space_zones, media=media,
    )  # fmt: skip
    try:
        yield memory
    finally:
        await memory.close()


async def days_work(memory: Memory) -> list[Job]:
    """All that is queued or was given up, but for what waits for a night."""
    queued = await memory._store.jobs(limit=10_000)
    return [job for job in queued if job.kind not in NIGHT_WORK or job.error is not None]


def duty_for(memory: Memory, kind: str) -> Duty:
    """Whoever does jobs of that kind."""
    [duty] = [duty for lane in memory._worker._lanes.values() for duty in lane.duties if kind in duty.kinds]
    return duty
