"""Who is listened to, decided while the program runs: at once, for all programs on the store, also for what waits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from loops import each
from memories import Clock, a_memory, a_store, days_work
from readers import NotationNight, NotationReader
from relembra import BlockKind, ConflictError, InvalidInputError, Memory, SpaceState
from relembra.ingest.intake import BlockSettings, Refusal
from relembra.store.port import Store

HERE: dict[str, Any] = {"space": "club", "channel": "general"}


@pytest.fixture
async def settled(store: Store, clock: Clock) -> AsyncIterator[Memory]:
    """Whose settings close blocks as well."""
    blocks = BlockSettings.of(["Eve"], ["Secret"])
    async with a_memory(store, clock=clock, reader=NotationReader(), blocks=blocks) as memory:
        yield memory


async def values(memory: Memory, user: str) -> list[str]:
    return sorted(str(item.value) for item in await memory.list(user=user))


@pytest.mark.parametrize("parts", [{"user": "Evé"}, {"user": "ana", "author": "eve"}, {"user": "eve", "space": "club"}])
async def test_of_whom_is_blocked_nothing_is_kept(listener: Memory, parts: dict[str, Any]) -> None:
    assert (await listener.block("EVE")).name == "EVE"
    saved = await listener.save(said="[residence=Recife]", replied="ok", **parts)
    assert (saved.messages, saved.new, saved.refused) == ((), False, Refusal.BLOCKED)
    stats = await listener.stats()
    assert (stats.messages, stats.conversations, stats.jobs) == (0, 0, {})
    assert await listener.unblock("eve")
    assert not await listener.unblock("eve")
    assert (await listener.save(said="[residence=Recife]", **parts)).new


async def test_who_is_not_listened_to_is_told_nothing(listener: Memory) -> None:
    for user in ("ana", "eve"):
        for space in (None, "club"):
            await listener.save(user=user, said="[birthday=5 May]", space=space)
    await listener.settle(flush=True)
    await listener.block("eve")
    await listener.switch_space("club", on=False)
    both: list[dict[str, Any]] = [{"user": "eve"}, {"user": "ana", "space": "club"}]
    for whose in both:
        assert (await listener.load(query="birthday", **whose)).text == ""
        assert (await listener.why("birthday", **whose)).context.text == ""
        assert await listener.search("born in May", **whose) == []
        assert (await listener.recall("born in May", **whose)).items == ()
        assert (await listener.profile(**whose)).is_empty
        assert await listener.preview("[likes=tea]", **whose) == []
        with pytest.raises(InvalidInputError):
            await listener.call_tool("search_knowledge", {"query": "born in May"}, **whose)
    assert (await listener.load(user="ana", query="birthday")).text
    await listener.unblock("eve")
    assert (await listener.load(user="eve", query="birthday")).text


async def test_others_in_a_space_see_no_profile_of_whom_is_blocked(listener: Memory) -> None:
    for user, city in (("ana", "Recife"), ("eve", "Oslo")):
        await listener.save(user=user, said=f"[residence={city}]", **HERE)
    await listener.settle(flush=True)
    asked: dict[str, Any] = {"user": "ana", "query": "hello", "speakers": ["eve"], **HERE}
    assert (await listener.load(**asked)).profiles == ("ana", "eve")
    await listener.block("Eve")
    context = await listener.load(**asked)
    assert context.profiles == ("ana",)
    assert "Oslo" not in context.text


async def test_a_tenant_decides_for_itself_alone(listener: Memory) -> None:
    await listener.block("eve", tenant="other")
    await listener.switch_space("club", on=False, tenant="other")
    assert (await listener.save(user="eve", said="hi", **HERE)).new
    assert await listener.blocks() == []
    assert [(block.kind, block.name) for block in await listener.blocks(tenant="other")] == [
        (BlockKind.PERSON, "eve"),
        (BlockKind.SPACE, "club"),
    ]
    assert await listener.spaces() == [SpaceState(name="club", on=True)]


async def test_with_an_allow_list_only_spaces_switched_on_are_listened_to(listener: Memory) -> None:
    await listener.save(user="ana", said="[residence=Porto]", space="other")
    await listener.save(user="ana", said="[likes=tea]", **HERE)
    await listener.switch_space("Club", on=True)
    states = await listener.switch_spaces(on=False)
    assert [(one.name, one.on) for one in states] == [("club", True), ("other", False)]
    refused = [
        (await listener.save(user="ana", said=f"[fact=in {space}]", space=space)).refused
        for space in ("new", "other", "CLUB", None)
    ]
    assert refused == [Refusal.SWITCHED_OFF, Refusal.SWITCHED_OFF, None, None]
    assert (await listener.load(user="ana", space="other", query="tea")).text == ""
    assert (await listener.refusal(space="new"), await listener.refusal(space="club")) == (Refusal.SWITCHED_OFF, None)
    assert [(one.kind, one.name) for one in await listener.blocks()] == [(BlockKind.SPACES, "*")]
    await listener.settle(flush=True)  # what waited elsewhere was let go
    assert {item.value for item in await listener.list(user="ana") if item.attribute} == {"tea"}
    assert (await listener.switch_space("club", on=False)).on is False  # which takes it off the list
    assert await listener.refusal(space="club") is Refusal.SWITCHED_OFF
    assert (await listener.switch_space("other", on=True)).on
    assert await listener.refusal(space="other") is None
    assert (await listener.switch_spaces(on=True, tenant="elsewhere")) == []
    await listener.switch_spaces(on=True)
    after = [await listener.refusal(space=name) for name in ("new", "other", "club")]
    assert after == [None, None, Refusal.SWITCHED_OFF]


async def test_an_allow_list_of_the_settings_is_opened_by_no_verb(store: Store, clock: Clock) -> None:
    blocks = BlockSettings.of([], ["secret"], ["Club", "secret"])
    async with a_memory(store, clock=clock, blocks=blocks) as memory:
        kept = [await memory.refusal(space=name) for name in ("club", "secret", "new", None)]
        assert kept == [None, Refusal.SWITCHED_OFF, Refusal.SWITCHED_OFF, None]
        for switching in (memory.switch_space("new", on=True), memory.switch_spaces(on=True)):
            with pytest.raises(ConflictError, match="spaces_only"):
                await switching
        assert (await memory.save(user="ana", said="hi", space="new")).refused is Refusal.SWITCHED_OFF
        assert [(one.kind, one.name, one.by_settings) for one in await memory.blocks()] == [
            (BlockKind.SPACE, "secret", True),
            (BlockKind.SPACES, "*", True),
        ]


async def test_what_waited_when_the_settings_were_changed_is_not_learnt_from(tmp_path: Path, clock: Clock) -> None:
    async with a_memory(await a_store("sqlite", tmp_path), clock=clock, reader=NotationReader()) as before:
        await before.save(user="eve", said="[residence=Recife]", **HERE)
        await before.save(user="ana", said="[residence=Porto]", **HERE)
        await before.save(user="ana", said="[likes=tea]", author="eve")
        await before.save(user="ana", said="[likes=coffee]", space="secret")
    night, blocks = NotationNight(), BlockSettings.of(["eve"], ["secret"])
    store = await a_store("sqlite", tmp_path)
    async with a_memory(store, clock=clock, reader=NotationReader(), night=night, blocks=blocks) as memory:
        await memory.settle(flush=True)
        for user in ("ana", "eve"):
            await memory.consolidate(user=user)
        assert [await values(memory, user) for user in ("ana", "eve")] == [["Porto"], []]
        [note] = await memory.notes(user="ana", space="club")
        assert note.participants == ("ana",)
        assert {message.author for talk in night.read for message in talk.messages} == {"ana"}


async def test_what_somebody_said_before_they_were_blocked_is_never_learnt_from(store: Store, clock: Clock) -> None:
    reader, night = NotationReader(), NotationNight()
    async with a_memory(store, clock=clock, reader=reader, night=night) as memory:
        await memory.save(user="eve", said="[residence=Oslo]", replied="ok")
        await memory.save(user="eve", said="[likes=tea]", **HERE)
        await memory.save(user="ana", said="[residence=Porto]", **HERE)
        await memory.save(user="ana", said="[likes=coffee]", author="Eve")
        await memory.block("eve")
        await memory.unblock("eve")
        await memory.settle(flush=True)
        for user in ("ana", "eve"):
            await memory.consolidate(user=user)
        assert [await values(memory, user) for user in ("ana", "eve")] == [["Porto"], []]
        assert await memory.notes(user="eve") == []
        [note] = await memory.notes(user="ana", space="club")
        assert note.participants == ("ana",)
        heard = [*reader.digested, *night.read]
        assert {message.author for talk in heard for message in talk.messages} == {"ana"}
        assert (len(await memory.messages(user="eve")), await days_work(memory)) == (3, [])


@each(
    [
        ({"user": "eve"}, Refusal.BLOCKED),
        ({"user": "ana", "author": "eve"}, Refusal.BLOCKED),
        ({"user": "ana", "space": "secret"}, Refusal.SWITCHED_OFF),
        ({"user": "ana", "skip": True}, Refusal.SKIPPED),
    ]
)
async def test_what_is_turned_away_is_not_kept_at_all(parts: dict[str, Any], why: Refusal, settled: Memory) -> None:
    saved = await settled.save(said="[residence=Recife]", replied="ok", **parts)
    assert (saved.messages, saved.new, saved.refused) == ((), False, why)
    assert await settled.settle(flush=True) == 0
    stats = await settled.stats()
    assert (stats.messages, stats.conversations, stats.notes, sum(stats.items.values()), stats.jobs) == (0, 0, 0, 0, {})


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
