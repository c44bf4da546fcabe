"""Verbs about what was understood: learn, notes, conflicts, resolve, reopen; and what models may be asked in a day."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memories import Clock, a_memory, a_store
from readers import NotationReader, PaidReader
from relembra import InvalidInputError, Memory, NotFoundError
from relembra.domain.candidate import Talk
from relembra.domain.policy import LIFE
from relembra.errors import MindError, MindUnavailableError


async def said(
    memory: Memory, *texts: str, user: str = "ana", space: str | None = None, channel: str | None = None
) -> None:
    for text in texts:
        await memory.save(user=user, said=text, space=space, channel=channel)
    await memory.settle(flush=True)


async def test_learning_now_flushes_ones_own_buffers_and_leaves_the_others(listener: Memory) -> None:
    for user in ("ana", "bia"):
        await listener.save(user=user, said="[likes=tea]")
    await listener.save(user="ana", said="[likes=milk]", space="g1")
    learnt = await listener.learn(user="ana")
    assert ([item.value for item in learnt.added], await listener.list(user="bia")) == (["tea"], [])
    assert [item.value for item in (await listener.learn(user="ana", space="g1")).added] == ["milk"]
    assert (await listener.learn(user="ana")).added == []


async def test_a_note_is_for_those_who_took_part(listener: Memory) -> None:
    await said(listener, "hello", space="g1")
    [note] = await listener.notes(user="ana")
    assert await listener.notes(user="bia", space="g1") == [note]
    with pytest.raises(NotFoundError):
        await listener.note(note.id, user="bia")
    assert await listener.note(note.id, user="bia", space="g1") == note
    for elsewhere in ("g2", None):
        with pytest.raises(NotFoundError):
            await listener.note(note.id, user="bia", space=elsewhere)
    with pytest.raises(InvalidInputError):
        await listener.note(note.id, user="ana", channel="general")
    with pytest.raises(NotFoundError):
        await listener.note(note.id, user="ana", tenant="other")


TWO = replace(LIFE, learn=replace(LIFE.learn, model_calls=2, near_at_least=0.0))


async def calls(memory: Memory, user: str = "ana") -> dict[str, int]:
    counted: dict[str, int] = {}
    for use in await memory.usage(user=user):
        counted[use.task] = counted.get(use.task, 0) + use.calls
    return counted


async def test_what_is_over_a_days_calls_waits_and_is_read_the_next_day(tmp_path: Path, clock: Clock) -> None:
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
        assert ((await memory.learn(user="ana")).waiting, (await calls(memory))["digest"]) == (0, 3)


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
