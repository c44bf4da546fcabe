"""How fast a memory learns without a model, beside only saving the same messages. Embedding is left out.

In seconds of the processor, so that it is one core's work however busy the machine is.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from bench.hygiene import labels
from bench.hygiene.learning import QUIET, Clock, finished
from bench.table import Row, median
from relembra import Memory
from relembra.domain.policy import LIFE
from relembra.minds.fake import HashingEmbedder
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.diary.observer import OfflineObserver
from relembra.minds.offline.inquiry import OfflineInquirer
from relembra.minds.offline.judges.judges import Judges
from relembra.minds.offline.judges.rules import rule_of
from relembra.minds.offline.judges.values import (
    AREAS,
    KINDS,
    Act,
    Choice,
    Emotion,
    Judgement,
    Label,
    Mood,
    Relation,
    Verdict,
)
from relembra.minds.offline.language import language_of
from relembra.minds.offline.night import OfflineNight
from relembra.minds.offline.tokens import OfflineTokens
from relembra.minds.port import Vector
from relembra.minds.reader.reader import OfflineReader
from relembra.store.cache import LocalCache
from relembra.store.sqlite import SqliteStore

T = TypeVar("T", bound=StrEnum | None)

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


class RulesAlone(Judges):
    """A gate of rules only: what no rule speaks of is let through, and only the same words are the same."""

    async def judge(self, messages: Sequence[str], known: Mapping[str, Vector] = {}) -> list[Judgement]:  # noqa: ARG002
        return [_judged(message) for message in messages]

    async def relate(self, pairs: Sequence[tuple[str, str]]) -> list[Relation]:
        labels = [Label.SAME if first == second else Label.NEITHER for first, second in pairs]
        return [Relation(label=label, probability=1.0, why="", all=_certain(Label, label)) for label in labels]


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
    reader = OfflineReader(RulesAlone(embedder), tokens, policy=LIFE.learn, summary_tokens=LIFE.listen.summary_tokens)
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


def _judged(message: str) -> Judgement:
    rule = rule_of(message)
    worth = rule is None or rule.worth
    kind = rule.kind if rule is not None else None
    act = rule.act if rule is not None and rule.act is not None else Act.STATEMENT
    return Judgement(
        worth=Verdict(value=worth, probability=0.9 if worth else 0.0, why=""),
        kind=_choice(KINDS, kind),
        area=_choice(AREAS, None),
        act=_choice(Act, act),
        acts=frozenset({act}),
        mood=_choice(Mood, Mood.NEUTRAL),
        emotion=_choice(Emotion, Emotion.NONE),
    )


def _choice(words: Iterable[T], value: T) -> Choice[T]:
    return Choice(value=value, probability=1.0, why="", all=_certain(words, value))


def _certain(words: Iterable[T], value: T) -> dict[T, float]:
    return {word: float(word == value) for word in words}
