"""Accounts and people: one link an account, whoever asks first, and no name given away."""

from __future__ import annotations

import asyncio

from relembra import Memory
from relembra.interfaces.chat.bot import People, Switches


async def test_messages_at_the_same_moment_make_one_person(memory: Memory) -> None:
    people = People(memory, "discord")
    names = await asyncio.gather(*(people.user_of(1, "ana") for _ in range(20)))
    assert set(names) == {"discord:ana"}
    assert len(await memory.links()) == 1


async def test_a_name_a_key_is_bound_to_is_somebody_s(memory: Memory) -> None:
    await memory.create_key("laptop", user="ana")
    await memory.create_key("phone", user="discord:bia")
    people = People(memory, "discord")
    assert await people.user_of(1, "ana") == "discord:ana"
    assert await people.user_of(2, "bia") == "discord:2"


async def test_a_name_under_which_something_is_kept_is_somebody_s(memory: Memory) -> None:
    await memory.add("Is allergic to peanuts", user="discord:ana")
    await memory.save(user="discord:bia", said="oi")
    people = People(memory, "discord")
    assert [await people.user_of(1, "ana"), await people.user_of(2, "bia")] == ["discord:1", "discord:2"]


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


async def test_a_name_that_cannot_be_one_is_not_taken(memory: Memory) -> None:
    people = People(memory, "telegram")
    assert await people.user_of(1, "Zoë \u200d") == "telegram:1"
    assert await people.user_of(2, "x" * 500) == "telegram:2"
    assert await people.user_of(3, None) == "telegram:3"
    assert await people.user_of(4, "5") == "telegram:4"  # which may be the id of somebody who comes later
    assert await people.user_of(5, "operator") == "telegram:operator"  # never a name that means somebody already


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


async def test_a_switch_is_of_all_spaces_in_a_group(memory: Memory) -> None:
    for space in ("discord:5", "discord:5:7", "discord:55", "discord:55:7"):
        await memory.save(user="ana", said="oi", space=space)
    switches = Switches(memory, "discord")
    await switches.turn(5, on=False)
    assert [state.name for state in await memory.spaces() if not state.on] == ["discord:5", "discord:5:7"]
    await switches.turn(5, on=True)
    assert await memory.blocks() == []


async def test_a_space_switched_off_elsewhere_is_off_in_the_app(memory: Memory) -> None:
    await memory.switch_space("telegram:-5", on=False)
    assert [await Switches(memory, "telegram").is_on(group) for group in (-5, 5)] == [False, True]
