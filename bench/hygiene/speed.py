"""How fast a memory learns without a model, beside only saving the same messages. Embedding is left out: everything is
done twice, and the second time, which counts, each text's vector is known from the first.

In seconds of the processor, so that it is one core's work however busy the machine is.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path

from bench.hygiene import fresh
from bench.hygiene.learning import QUIET, Clock, finished
from bench.table import Row
from relembra import Memory
from relembra.bootstrap import offline_reader
from relembra.domain.policy import Policy
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.port import Vector
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
    saved, learnt = (asyncio.run(_seconds(texts, vectors, learn=learn)) for learn in (False, True))
    only, both = MESSAGES / saved, MESSAGES / learnt
    yield Row("speed, messages saved and learnt a second", f"{both:,.0f}", "", both, GOAL, at_least=True)
    yield Row("speed, saving and learning / only saving", f"{both:,.0f} /s", f"{only:,.0f} /s", learnt / saved, None)


async def _read(lines: Sequence[fresh.Line]) -> float:
    """What reading a message costs, given the turns before it; the writer's own turns before it are read as well."""
    reader = offline_reader(OfflineTokens(), Policy())
    talks = [fresh.talk_of(line) for line in lines]
    await reader.digest(talks[0])  # which loads the networks
    start = time.process_time()
    for talk in talks:
        await reader.digest(talk)
    return (time.process_time() - start) / sum(one.author == fresh.WRITER for talk in talks for one in talk.messages)


async def _seconds(texts: Sequence[str], vectors: dict[str, Vector], *, learn: bool) -> float:
    """What the messages cost, said by a few people in sittings."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "speed.db"
        async with Memory.open(file, settings=Settings(), clock=clock, background=False) as memory:
            _remember(memory, vectors)
            start = time.process_time()
            for number, text in enumerate(texts):
                clock.now += QUIET * 2 if number % A_SITTING == 0 else timedelta(seconds=30)
                await memory.save(user=f"p{number * PEOPLE // len(texts)}", said=text, at=clock.now)
                if learn:
                    await memory.settle()  # as a memory that works in the background: each message as it is said
            if learn:
                clock.now += QUIET * 2
                await memory.settle(flush=True)
                await finished(memory)
            return time.process_time() - start


def _remember(memory: Memory, vectors: dict[str, Vector]) -> None:
    """Embed a text only where its vector is not among those known, and add it to them."""
    plain = memory._embedder.embed

    async def embed(texts: Sequence[str]) -> list[Vector]:
        if new := [text for text in texts if text not in vectors]:
            vectors.update(zip(new, await plain(new), strict=True))
        return [vectors[text] for text in texts]

    memory._embedder.embed = embed  # type: ignore[method-assign]
