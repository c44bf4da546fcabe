"""Who and what is never listened to, nor told anything: the blacklist, spaces switched off, skips, programs, echoes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from memories import Clock, a_memory, a_store, days_work
from readers import NotationReader
from relembra import InvalidInputError, Memory
from relembra.listen.filters import Doors, Refusal
from relembra.store.port import Store
from relembra.views.profile import rendered


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return await a_store(request.param, tmp_path)


@pytest.fixture
async def guarded(store: Store, clock: Clock) -> AsyncIterator[Memory]:
    doors = Doors.of(["eve"], ["secret"])
    async with a_memory(store, clock=clock, reader=NotationReader(), doors=doors) as memory:
        yield memory


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"user": "eve"}, Refusal.BLOCKED),
        ({"user": "ana", "author": "eve"}, Refusal.BLOCKED),
        ({"user": "ana", "space": "secret"}, Refusal.SWITCHED_OFF),
        ({"user": "ana", "skip": True}, Refusal.SKIPPED),
    ],
)
async def test_what_is_turned_away_is_not_kept_at_all(guarded: Memory, parts: dict[str, Any], why: Refusal) -> None:
    saved = await guarded.save(said="[residence=Recife]", replied="ok", **parts)
    assert (saved.messages, saved.new, saved.refused) == ((), False, why)
    assert await guarded.settle(flush=True) == 0
    stats = await guarded.stats()
    assert (stats.messages, stats.conversations, stats.notes, sum(stats.items.values()), stats.jobs) == (0, 0, 0, 0, {})


async def test_the_next_message_is_heard_again(guarded: Memory) -> None:
    await guarded.save(user="ana", said="[residence=Recife]", skip=True)
    saved = await guarded.save(user="ana", said="[residence=Porto]")
    assert (saved.new, saved.refused) == (True, None)
    await guarded.settle(flush=True)
    assert [item.value for item in await guarded.list(user="ana")] == ["Porto"]


async def test_who_is_turned_away_is_told_nothing(store: Store, clock: Clock) -> None:
    async with a_memory(store, clock=clock, reader=NotationReader()) as memory:
        for user in ("ana", "eve"):
            for space in (None, "secret"):
                await memory.save(user=user, said="[birthday=5 May] [birthday=6 May]", space=space)
        await memory.settle(flush=True)
        assert (await memory.load(user="eve", query="birthday")).text
        memory._doors = Doors.of(["eve"], ["secret"])
        for parts in ({"user": "eve"}, {"user": "ana", "space": "secret"}, {"user": "ana", "skip": True}):
            context = await memory.load(query="birthday", **parts)
            assert (context.text, context.tokens, context.question) == ("", 0, None)
            assert (context.hits, context.earlier, context.recent) == ((), (), ())
        assert (await memory.load(user="ana", query="birthday")).text
        assert (await memory.profile(user="eve")).is_empty
        assert (await memory.profile(user="ana", space="secret")).is_empty
        assert not (await memory.profile(user="ana")).is_empty
        assert await memory.preview("[likes=tea]", user="eve") == []
        assert await memory.search("born in May", user="eve") == []
        assert await memory.search("born in May", user="ana", space="secret") == []
        assert await memory.search("born in May", user="ana") != []
        with pytest.raises(InvalidInputError):
            await memory.call_tool("search_knowledge", {"query": "born in May"}, user="eve")


async def test_a_programs_words_are_kept_and_teach_nothing(listener: Memory, reader: NotationReader) -> None:
    saved = await listener.save(user="ana", said="deployed [residence=Recife]", author="ci", program=True)
    assert saved.new
    await listener.settle(flush=True)
    assert reader.digested == []
    await listener.save(user="ana", said="thanks [likes=tea]")
    await listener.save(user="ana", said="deployed again [likes=coffee]", author="ci", program=True)
    await listener.settle(flush=True)
    assert [item.value for item in await listener.list(user="ana")] == ["tea"]
    [note] = await listener.notes(user="ana")
    assert (note.participants, len(note.message_ids)) == (("ana",), 1)
    assert len(await listener.messages(user="ana")) == 3


@pytest.mark.parametrize("language", ["en", "pt"])
async def test_what_relembra_wrote_teaches_nothing_when_it_is_pasted_back(
    listener: Memory, clock: Clock, language: str
) -> None:
    """The whole block: what is known, recent and earlier messages, the summary, the question, and a profile."""
    for number in range(4):
        said = f"{number} [birthday={number + 1} May] [fact=owns {number} boats]"
        await listener.save(user="ana", said=said, replied=f"so [likes=boat {number}]")
        clock.move(minutes=1)
    await listener.settle()
    await listener.settle(flush=True)
    before = {item.id: item.observations for item in await listener.list(user="ana")}
    assert len(before) == 8
    context = await listener.load(user="ana", query="boats and birthdays", language=language)
    assert context.question is not None
    assert context.summary is not None
    assert "[birthday=" in context.text
    profile = rendered(await listener.profile(user="ana"), language)
    clock.move(days=1)
    for echo in (context.text, context.question.text, profile, f"You told me:\n{context.text}\n\nI am fine"):
        await listener.save(user="ana", said=echo)
        clock.move(minutes=1)
    await listener.settle(flush=True)
    assert {item.id: item.observations for item in await listener.list(user="ana")} == before
    [case, *_] = await listener.conflicts(user="ana", open_only=True)
    assert case.case.outcome == "open"
    assert await listener.preview(context.text, user="ana") == []


async def test_a_message_that_is_only_an_echo_is_not_noted(listener: Memory) -> None:
    await listener.add("Mora em Recife", user="ana")
    context = await listener.load(user="ana", query="onde eu moro")
    await listener.save(user="ana", said=context.text)
    await listener.settle(flush=True)
    assert await listener.notes(user="ana") == []
    assert await days_work(listener) == []
