"""What models may be asked in a day: every call counts, and what is left over is said and read the next day."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memories import Clock, a_memory, a_store
from readers import NotationReader, PaidReader
from relembra import Memory
from relembra.domain.candidate import Talk
from relembra.domain.policy import LIFE
from relembra.errors import MindError, MindUnavailableError

TWO = replace(LIFE, learn=replace(LIFE.learn, model_calls=2, near_at_least=0.0))


async def calls(memory: Memory, user: str = "ana") -> dict[str, int]:
    counted: dict[str, int] = {}
    for use in await memory.usage(user=user):
        counted[use.task] = counted.get(use.task, 0) + use.calls
    return counted


async def test_what_is_over_a_days_calls_waits_and_says_why_and_is_read_the_next_day(
    tmp_path: Path, clock: Clock
) -> None:
    model = PaidReader()
    opened = await a_store("memory", tmp_path)
    async with a_memory(opened, clock=clock, policy=TWO, reader=NotationReader(), model=model) as memory:
        for place in ("Recife", "Olinda"):
            await memory.save(user="ana", said=f"[residence={place}]")
            assert (await memory.learn(user="ana")).waiting == 0
        await memory.save(user="ana", said="[birthday=5 May]")
        await memory.save(user="bia", said="[residence=Natal]")
        learnt = await memory.learn(user="ana")
        assert ([item.value for item in learnt.added], learnt.waiting) == (["5 May"], 1)  # read offline meanwhile
        assert learnt.why == "the 2 model calls of today are used up; the rest is read tomorrow"
        assert (await memory.learn(user="bia")).added  # each has calls of their own
        with pytest.raises(MindUnavailableError, match="used up"):
            await memory.preview("[likes=tea]", user="ana")
        assert (await calls(memory))["digest"] == 2
        clock.move(days=1)
        assert (await memory.learn(user="ana")).waiting == 0
        assert (await calls(memory))["digest"] == 3


async def test_comparisons_are_counted_where_they_are_made(tmp_path: Path, clock: Clock) -> None:
    model = PaidReader()
    policy = replace(TWO, learn=replace(TWO.learn, model_calls=100))
    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=clock, policy=policy, reader=NotationReader(), model=model) as memory:
        for liked in ("tea", "coffee"):
            await memory.save(user="ana", said=f"[fact=likes {liked}]", space="g")  # where only the model reads
            await memory.learn(user="ana", space="g")
        assert await calls(memory) == {"compare": 1}  # what is said in a space is read once for all, and counted there
        await memory.preview("[fact=likes milk]", user="ana", space="g")
        assert await calls(memory) == {"digest": 1, "compare": 2}


async def test_calls_that_fail_are_counted(tmp_path: Path, clock: Clock) -> None:
    async def useless(_: Talk) -> None:
        raise MindError("nonsense")

    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=clock, reader=NotationReader(), model=PaidReader(on_digest=useless)) as memory:
        await memory.save(user="ana", said="[residence=Recife]")
        await memory.learn(user="ana")
        with pytest.raises(MindError):
            await memory.preview("[likes=tea]", user="ana")
        assert await calls(memory) == {"digest": 2}
