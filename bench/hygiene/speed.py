"""How fast a memory learns without a model, beside only saving the same messages. Embedding is left out: everything is
done twice, and the second time, which counts, each text's vector is known from the first.

In seconds of the processor, so that it is one core's work however busy the machine is. The floor is one pass of the
tagger for each message, of the judge for each value it claims, and of the third network for each thing held that the
message may end: a row says how much of the time that is.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from bench.hygiene import fresh
from bench.hygiene.learning import QUIET, Clock, finished
from bench.table import Row
from relembra import Memory
from relembra.bootstrap import offline_reader
from relembra.domain.policy import Policy
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.port import Vector
from relembra.minds.reader.networks import Networks, Pieces, Question
from relembra.settings import Settings

GOAL = 100
PEOPLE = 5
MESSAGES = 200
A_SITTING = 25  # messages


def rows(folder: Path) -> Iterator[Row]:
    lines = [line for line in fresh.lines(folder) if not line.in_dialogue]
    chosen = lines[:: max(1, len(lines) // MESSAGES)]
    texts = list(islice(cycle(line.text for line in chosen), MESSAGES))
    yield Row("speed, milliseconds to read a message", "", "", asyncio.run(_read(chosen)) * 1e3, None)
    vectors: dict[str, Vector] = {}
    asyncio.run(_seconds(texts, vectors, learn=True))
    saved = asyncio.run(_seconds(texts, vectors, learn=False))
    with _counted() as passes:
        learnt = asyncio.run(_seconds(texts, vectors, learn=True))
    only, both, most = MESSAGES / saved, MESSAGES / learnt, MESSAGES / sum(passes)
    yield Row("speed, messages saved and learnt a second", f"{both:,.0f}", "", both, GOAL, at_least=True)
    yield Row("speed, … if the networks were all / so", f"{most:,.0f} /s", f"{both:,.0f} /s", most / both, None)
    yield Row("speed, saving and learning / only saving", f"{both:,.0f} /s", f"{only:,.0f} /s", learnt / saved, None)
    idle = [line.text for line in lines if not line.items and not any(does != "nothing" for _, does in line.held)]
    idle = list(islice(cycle(idle), MESSAGES)) if idle else []
    for every in (1, A_SITTING) if idle else ():
        asyncio.run(_seconds(idle, vectors, learn=True, every=every))
        rate = MESSAGES / asyncio.run(_seconds(idle, vectors, learn=True, every=every))
        name = "at once" if every == 1 else f"by {every}"
        yield Row(f"speed, messages with nothing to keep, read {name}, a second", f"{rate:,.0f}", "", rate, None)


async def _read(lines: Sequence[fresh.Line]) -> float:
    """What reading a message costs, given the turns before it; the writer's own turns before it are read as well."""
    reader = offline_reader(OfflineTokens(), Policy())
    talks = [fresh.talk_of(line) for line in lines]
    await reader.digest(talks[0])  # which loads the networks
    start = time.process_time()
    for talk in talks:
        await reader.digest(talk)
    return (time.process_time() - start) / sum(one.author == fresh.WRITER for talk in talks for one in talk.messages)


async def _seconds(texts: Sequence[str], vectors: dict[str, Vector], *, learn: bool, every: int = 1) -> float:
    """What the messages cost, said by a few people in sittings; the work behind them is done after each so many."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "speed.db"
        async with Memory.open(file, settings=Settings(), clock=clock, background=False) as memory:
            _remember(memory, vectors)
            start = time.process_time()
            for number, text in enumerate(texts):
                clock.now += QUIET * 2 if number % A_SITTING == 0 else timedelta(seconds=30)
                await memory.save(user=f"p{number * PEOPLE // len(texts)}", said=text, at=clock.now)
                if learn and number % every == every - 1:
                    await memory.settle()  # as a memory that works in the background: each message as it is said
            if learn:
                clock.now += QUIET * 2
                await memory.settle(flush=True)
                await finished(memory)
            return time.process_time() - start


@contextmanager
def _counted() -> Iterator[list[float]]:
    """Seconds of each pass of a network, from here on."""
    passes, plain = list[float](), Networks._run

    def run(self: Networks, name: str, given: Pieces | Question) -> list[Any]:
        start = time.thread_time()
        answers = plain(self, name, given)
        passes.append(time.thread_time() - start)
        return answers

    Networks._run = run  # type: ignore[method-assign]
    try:
        yield passes
    finally:
        Networks._run = plain  # type: ignore[method-assign]


def _remember(memory: Memory, vectors: dict[str, Vector]) -> None:
    """Embed a text only where its vector is not among those known, and add it to them."""
    plain = memory._embedder.embed

    async def embed(texts: Sequence[str]) -> list[Vector]:
        if new := [text for text in texts if text not in vectors]:
            vectors.update(zip(new, await plain(new), strict=True))
        return [vectors[text] for text in texts]

    memory._embedder.embed = embed  # type: ignore[method-assign]
