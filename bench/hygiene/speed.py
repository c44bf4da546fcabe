"""How fast a memory learns without a model, beside only saving the same messages. Embedding is left out.

In seconds of the processor, so that it is one core's work however busy the machine is.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from bench.hygiene import labels
from bench.hygiene.learning import QUIET, Clock, finished
from bench.table import Row, median
from relembra import Memory
from relembra.domain.policy import LIFE
from relembra.minds.fake import HashingEmbedder
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.diary.observer import OfflineObserver
from relembra.minds.offline.inquiry import OfflineInquirer
from relembra.minds.offline.language import language_of
from relembra.minds.offline.night import OfflineNight
from relembra.minds.offline.tokens import OfflineTokens
from relembra.minds.port import Vector
from relembra.minds.reader.networks import shipped_networks
from relembra.minds.reader.reader import OfflineReader
from relembra.store.cache import LocalCache
from relembra.store.sqlite import SqliteStore

MESSAGES_GOAL = 500
PEOPLE = 5
MESSAGES = 1_000
A_SITTING = 25  # messages
ROUNDS = 3


class TimedEmbedder(HashingEmbedder):
    """Keeps count of the time it takes itself."""

    seconds = 0.0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        start = time.process_time()
        try:
            return await super().embed(texts)
        finally:
            self.seconds += time.process_time() - start


def rows(folder: Path) -> Iterator[Row]:
    texts = [message.text for language in labels.LANGUAGES for message in labels.messages(folder, "dev", language)]
    saved, learnt = [], []
    for _ in range(ROUNDS):
        saved.append(asyncio.run(_seconds(texts, learn=False)))
        learnt.append(asyncio.run(_seconds(texts, learn=True)))
    only, both = MESSAGES / median(saved), MESSAGES / median(learnt)
    yield Row("speed, messages saved and learnt a second", f"{both:,.0f}", "", both, MESSAGES_GOAL, at_least=True)
    ratio = median(one / other for one, other in zip(learnt, saved, strict=True))
    yield Row("speed, saving and learning / only saving", f"{both:,.0f} /s", f"{only:,.0f} /s", ratio, None)


async def _seconds(texts: Sequence[str], *, learn: bool) -> float:
    """What a thousand messages cost, said by a few people in sittings."""
    clock, embedder = Clock(), TimedEmbedder()
    with tempfile.TemporaryDirectory() as folder:
        async with _opened(Path(folder), clock, embedder) as memory:
            start = time.process_time()
            for number in range(MESSAGES):
                person, text = f"p{number * PEOPLE // MESSAGES}", texts[number % len(texts)]
                clock.now += QUIET * 2 if number % A_SITTING == 0 else timedelta(seconds=30)
                await memory.save(user=person, said=text, at=clock.now)
            if learn:
                clock.now += QUIET * 2
                await memory.settle(flush=True)
                await finished(memory)
            return time.process_time() - start - embedder.seconds


@asynccontextmanager
async def _opened(folder: Path, clock: Clock, embedder: TimedEmbedder) -> AsyncIterator[Memory]:
    analyzer, tokens = BilingualAnalyzer(), OfflineTokens()
    store = await SqliteStore.open(folder / "speed.db", analyzer=analyzer, durability="normal")
    reader = OfflineReader(shipped_networks(), tokens, policy=LIFE.learn, summary_tokens=LIFE.listen.summary_tokens)
    memory = Memory(
        store,
        embedder=embedder,
        analyzer=analyzer,
        tokens=tokens,
        language_of=language_of,
        offline=reader,
        inquirer=OfflineInquirer(),
        offline_night=OfflineNight(embedder, tokens),
        observer=OfflineObserver(),
        cache=LocalCache(clock=clock),
        clock=clock,
    )
    try:
        yield memory
    finally:
        await memory.close()
