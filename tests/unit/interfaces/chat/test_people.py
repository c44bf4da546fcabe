"""Accounts and people: one link an account, whoever asks first, and no name given away."""

from __future__ import annotations

import asyncio

from relembra import Memory
from relembra.interfaces.chat.people import People
from relembra.interfaces.chat.switches import Switches


async def test_messages_at_the_same_moment_make_one_person(memory: Memory) -> None:
    people = People(memory, "discord")
    names = await asyncio.gather(*(people.user_of(1, "ana") for _ in range(20)))
    assert set(names) == {"ana"}
    assert len(await memory.links()) == 1


async def test_a_name_a_key_is_bound_to_is_somebody_s(memory: Memory) -> None:
    await memory.create_key("laptop", user="ana")
    assert await People(memory, "discord").user_of(1, "ana") == "discord:1"


async def test_a_name_that_cannot_be_one_is_not_taken(memory: Memory) -> None:
    people = People(memory, "telegram")
    assert await people.user_of(1, "Zoë \u200d") == "telegram:1"
    assert await people.user_of(2, "x" * 500) == "telegram:2"
    assert await people.user_of(3, None) == "telegram:3"


async def test_the_same_handle_in_two_apps_is_two_people_until_they_are_linked(memory: Memory) -> None:
    assert await People(memory, "discord").user_of(1, "ana") == "ana"
    assert await People(memory, "telegram").user_of(7, "ana") == "telegram:7"
    await memory.link("telegram", "7", user="ana")
    assert await People(memory, "telegram").user_of(7, "ana") == "ana"


async def test_accounts_of_one_tenant_are_unknown_in_another(memory: Memory) -> None:
    await People(memory, "discord", tenant="a").user_of(1, "ana")
    assert await People(memory, "discord", tenant="b").known(1) is None


async def test_nothing_is_written_down_of_somebody_who_is_not_to_be_kept(memory: Memory) -> None:
    assert await People(memory, "discord").user_of(1, "ana", keep=False) == "discord:1"
    assert await memory.links() == []


async def test_a_switch_is_of_one_app_and_one_group(memory: Memory) -> None:
    discord, telegram = Switches(memory, "discord"), Switches(memory, "telegram")
    await discord.turn(5, on=False)
    await discord.turn(5, on=False)
    assert [await discord.is_on(5), await discord.is_on(6), await telegram.is_on(5)] == [False, True, True]
    await discord.turn(5, on=True)
    await discord.turn(5, on=True)
    assert await discord.is_on(5)


async def test_forgetting_people_leaves_switches_as_they_are(memory: Memory) -> None:
    await memory.save(user="ana", said="oi")
    await Switches(memory, "discord").turn(5, on=False)
    await memory.forget(user="ana", all=True)
    assert not await Switches(memory, "discord").is_on(5)
