"""Accounts and people: one link an account, whoever asks first, and no name given away."""

from __future__ import annotations

import asyncio

from relembra import Memory
from relembra.interfaces.chat.bot import People


async def test_messages_at_the_same_moment_make_one_person(memory: Memory) -> None:
    people = People(memory, "discord")
    names = await asyncio.gather(*(people.user_of(1, "ana") for _ in range(20)))
    assert set(names) == {"discord:ana"}
    assert len(await memory.links()) == 1


async def test_an_account_gets_no_name_that_is_somebody_s_or_cannot_be_one(memory: Memory) -> None:
    await memory.create_key("phone", user="telegram:bia")
    await memory.save(user="telegram:caio", said="oi")
    people = People(memory, "telegram")
    handles = {1: "ana", 2: "bia", 3: "caio", 4: "Zoë \u200d", 5: "x" * 500, 6: None, 7: "8"}
    names = [await people.user_of(id, handle) for id, handle in handles.items()]
    assert names == ["telegram:ana", *(f"telegram:{id}" for id in range(2, 8))]  # 8 may be somebody's id later
    assert await people.user_of(9, "dora", keep=False) == "telegram:9"
    assert await people.known(9) is None
    assert await People(memory, "telegram", tenant="other").known(1) is None


async def test_a_stranger_is_not_whoever_comes_later_by_that_name(memory: Memory) -> None:
    """By a key, on the command line or in another app."""
    stranger = await People(memory, "discord").user_of(1, "alice")
    await memory.save(user=stranger, said="I keep bees in the garden.")
    made = await memory.create_key("laptop", user="alice")
    await memory.add("Is allergic to peanuts", user="alice")
    elsewhere = await People(memory, "telegram").user_of(7, "alice")
    await memory.link("telegram", "8", user=stranger)
    assert await People(memory, "telegram").user_of(8, "alice") == stranger
    assert (stranger, made.key.user, elsewhere) == ("discord:alice", "alice", "telegram:alice")
    assert await People(memory, "discord").user_of(1, "alice") == stranger
    assert await memory.list(user=stranger) == []
    assert "peanuts" not in (await memory.profile(user=stranger)).text
    assert list(await memory.messages(user="alice")) == []


async def test_whoever_speaks_here_is_found_by_their_handle_and_nobody_else_is(memory: Memory) -> None:
    await memory.add("Is allergic to peanuts", user="alice")
    await memory.link("discord", "9", user="alice")
    people = People(memory, "telegram")
    await people.user_of(1, "ana")
    await People(memory, "discord").user_of(2, "bia")
    found = [await people.called(handle) for handle in ("ana", "bia", "alice", "telegram:ana", "")]
    assert found == ["telegram:ana", None, None, None, None]
