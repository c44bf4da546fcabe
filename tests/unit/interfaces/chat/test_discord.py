"""Discord's events as the library makes them: what is kept, what is answered, and what nobody may hear."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from discords import (
    ADMINS,
    ANA,
    ANA_NAME,
    BOT,
    DIRECT,
    GENERAL,
    GUILD,
    OTHER_BOT,
    OWN_ROLE,
    RUI,
    RUI_NAME,
    SECRET_THREAD,
    THREAD,
    US,
    Payload,
    Upstage,
    a_discord,
    a_message,
)
from memories import a_memory, a_store, falters
from relembra import Memory
from relembra.domain.message import Message, Role
from relembra.errors import UpstreamError
from relembra.ingest.intake import BlockSettings
from relembra.interfaces.chat.bot import say
from relembra.interfaces.chat.discord import LONGEST
from relembra.interfaces.requests import Buckets

SPACE = f"discord:{GUILD}"
CALLED = {"mentions": [US]}


async def kept(memory: Memory, user: str = ANA_NAME) -> list[Message]:
    return list(await memory.messages(user=user))


async def test_what_people_say_is_kept_with_who_where_and_when_and_with_names_for_marks(memory: Memory) -> None:
    async with a_discord(memory) as there:
        await there.says("oi", id=200, author=RUI)
        text = f"<@2> e <@!7> vejam <#{GENERAL}> <@&12> <:festa:44> <a:bolo:45> </recall:46> <#999>"
        nameless = {"id": "7", "username": "lia", "global_name": "Lia M.", "discriminator": "0", "avatar": None}
        assert await there.says(text, id=201, mentions=[RUI, nameless], mention_roles=["12"]) == []
        await there.says("Levo o bolo.", id=202, channel=THREAD)
    [in_thread, said] = await kept(memory)
    assert (in_thread.place.space, in_thread.place.channel) == (SPACE, str(THREAD))
    assert said.text == "@discord:rui e @Lia M. vejam #geral @mods :festa: :bolo: /recall #…"
    assert (said.author, said.author_name, said.role) == (ANA_NAME, "Ana Souza", Role.USER)
    assert (said.external_id, said.place.space, said.place.channel) == ("discord:201", SPACE, str(GENERAL))
    assert said.sent_at.year < 2026  # by its id, which Discord makes of the moment


async def test_a_channel_only_some_can_see_is_a_space_of_its_own(memory: Memory) -> None:
    async with a_discord(memory) as there:
        for number, channel in enumerate((ADMINS, SECRET_THREAD)):
            await there.says("The prize is a red bicycle.", id=301 + number, channel=channel)
            [elsewhere] = await there.says(f"<@{BOT}> what is the prize?", id=401 + number, **CALLED)
            [within] = await there.says(f"<@{BOT}> what is the prize?", id=501 + number, channel=channel, **CALLED)
            [said] = [one for one in await kept(memory) if one.external_id == f"discord:{301 + number}"]
            assert said.place.space == f"{SPACE}:{channel}"
            assert "bicycle" not in elsewhere
            assert "bicycle" in within


async def test_a_guild_not_known_yet_is_not_taken_for_a_private_talk(memory: Memory) -> None:
    """Its messages may come before it does, and then have no guild but only its number."""
    await memory.add("Is allergic to peanuts", user="ana")
    async with a_discord(memory) as there:
        await memory.link("discord", "1", user="ana")
        replies = await there.says(f"<@{BOT}> what am I allergic to?", id=201, guild=99, channel=990, **CALLED)
    assert not any("peanuts" in reply for reply in replies)
    assert [one.place.space for one in await kept(memory, "ana")] == ["discord:99:990"]


async def test_a_direct_message_is_private_and_answered_and_not_told_in_a_guild(memory: Memory) -> None:
    async with a_discord(memory) as there:
        assert await there.says("I keep bees in the garden.", id=201, guild=None, channel=DIRECT) == ["Kept."]
        [reply] = await there.says("what do I keep in the garden?", id=202, guild=None, channel=DIRECT)
        [nothing] = await there.says("qual é a capital da Mongólia?", id=204, guild=None, channel=DIRECT)
        assert all(one.place.is_private for one in await kept(memory))
        [public] = await there.says(f"<@{BOT}> what do I keep in the garden?", id=203, **CALLED)
    assert nothing == "Não lembro nada sobre isso."
    assert "bees" in reply
    assert "bees" not in public


async def test_what_no_person_said_is_neither_kept_nor_answered(memory: Memory) -> None:
    joined, pinned = {"type": 7}, {"type": 6}
    async with a_discord(memory) as there:
        for parts in ({"author": OTHER_BOT}, {"author": US}, {"webhook_id": "55"}, joined, pinned):
            assert await there.says(f"<@{BOT}> it rains", id=201, **CALLED, **parts) == [], parts
    assert (await memory.stats()).messages == 0


async def test_an_answer_under_way_is_given_before_the_bot_leaves(memory: Memory) -> None:
    class Slow(Upstage):
        """Answers when it is told to."""

        asked, may_go_on = asyncio.Event(), asyncio.Event()

        async def complete(self, messages: Any, *, model: str | None = None) -> str:
            self.asked.set()
            await self.may_go_on.wait()
            return "Olá!"

    slow = Slow()
    async with a_discord(memory, slow) as there:
        saying = asyncio.create_task(there.says(f"<@{BOT}> oi", id=201, **CALLED))
        await slow.asked.wait()
        leaving = asyncio.create_task(there.bot.close())
        await asyncio.sleep(0)
        assert not there.wire.closed
        slow.may_go_on.set()
        await leaving
        assert await saying == ["Olá!"]
        assert there.wire.closed


async def test_an_event_that_comes_twice_is_one_message_and_one_answer_also_after_a_restart(memory: Memory) -> None:
    async with a_discord(memory, Upstage("Olá, Ana!", "Olá de novo!")) as there:
        assert await there.says(f"<@{BOT}> oi", id=201, **CALLED) == ["Olá, Ana!"]
        assert await there.says(f"<@{BOT}> oi", id=201, **CALLED) == []
    async with a_discord(memory, Upstage("Olá de novo!")) as there:
        assert await there.says(f"<@{BOT}> oi", id=201, **CALLED) == []
    assert len(await kept(memory)) == 2


async def test_a_mention_is_answered_by_the_model_with_profiles_and_notes(listener: Memory) -> None:
    upstage = Upstage("Vocês moram em cidades diferentes.")
    async with a_discord(listener, upstage) as there:
        await there.says("[residence=Recife] é onde estou", id=201)
        await there.says("[residence=Porto] e eu aqui", id=202, author=RUI)
        await listener.learn(user=ANA_NAME, space=SPACE)
        await listener.learn(user=RUI_NAME, space=SPACE)
        asked = f"<@{BOT}> onde moramos eu e <@2>?"
        assert await there.says(asked, id=203, mentions=[US, RUI]) == ["Vocês moram em cidades diferentes."]
    [prompt] = upstage.prompts
    assert "Recife" in prompt
    assert "Porto" in prompt
    assert upstage.given[0][-1] == {"role": "user", "content": "onde moramos eu e @discord:rui?"}


async def test_what_names_our_role_or_answers_us_is_answered(memory: Memory) -> None:
    ours = a_message("Olá", id=190, author=US)
    reference = {"channel_id": str(GENERAL), "guild_id": str(GUILD), "message_id": "190"}
    async with a_discord(memory, Upstage("Sim.", "Sim.")) as there:
        assert await there.says(f"<@&{OWN_ROLE}> tudo bem?", id=201, mention_roles=[str(OWN_ROLE)]) == ["Sim."]
        answer: Payload = {"type": 19, "message_reference": reference, "referenced_message": ours}
        assert await there.says("tudo bem?", id=202, **answer) == ["Sim."]
    assert sorted(one.text for one in await kept(memory)) == ["Sim.", "Sim.", "tudo bem?", "tudo bem?"]


async def test_an_answer_refers_to_the_question_pings_nobody_and_comes_in_pieces(memory: Memory) -> None:
    code = "\n".join(f"print({number})" for number in range(400))
    async with a_discord(memory, Upstage(f"@everyone <@2>:\n```python\n{code}\n```\nPronto.")) as there:
        replies = await there.says(f"<@{BOT}> conta", id=201, **CALLED)
        sent, *others = there.wire.sent()
    assert sent["allowed_mentions"]["parse"] == []
    assert not sent["allowed_mentions"].get("users")
    assert sent["allowed_mentions"].get("replied_user") is False
    assert sent["message_reference"]["message_id"] == 201
    assert sent["message_reference"]["fail_if_not_exists"] is False
    assert sent["flags"] == 4  # no cards for addresses
    assert others
    assert not any("message_reference" in body for body in others)
    assert all(len(reply) <= LONGEST and reply.count("```") % 2 == 0 for reply in replies)
    assert all(f"print({number})" in "\n".join(replies) for number in range(400))


async def test_without_a_model_a_question_about_somebody_shows_what_is_known_of_them_here(listener: Memory) -> None:
    await listener.add("Is planning to quit", user="rui")
    async with a_discord(listener) as there:
        await listener.link("discord", "2", user="rui")
        await there.says("[fact=toca violão]", id=201, author=RUI)
        await listener.learn(user="rui", space=SPACE)
        replies = await there.says(f"<@{BOT}> quem é <@2>?", id=202, mentions=[US, RUI])
    assert "toca violão" in "\n".join(replies)
    assert "quit" not in "\n".join(replies)


async def test_a_command_typed_in_a_channel_is_answered_with_what_may_be_heard_there(memory: Memory) -> None:
    await memory.link("discord", "1", user="Ana Souza")
    await memory.add("Is allergic to peanuts", user="Ana Souza")
    await memory.add("Is allergic to pollen", user="Ana Souza", space=SPACE)
    async with a_discord(memory) as there:
        [found] = await there.says(f"<@{BOT}> /recall allergic", id=201, **CALLED)
        await there.says(f"<@{BOT}> /remember I like tea", id=202, **CALLED)
        [greeted] = await there.says(f"<@{BOT}>", id=203, **CALLED)
    assert "/ajuda" in greeted
    assert "pollen" in found
    assert "peanuts" not in found
    assert (await memory.stats()).messages == 0
    assert [item.place.space for item in await memory.list(user="Ana Souza", limit=1)] == [SPACE]


async def test_when_the_model_is_out_of_reach_it_says_so_and_what_was_said_is_kept(memory: Memory) -> None:
    async with a_discord(memory, Upstage(UpstreamError("gone"))) as there:
        [reply] = await there.says(f"<@{BOT}> moro em Recife", id=201, **CALLED)
    assert "fora de alcance" in reply
    assert [one.text for one in await kept(memory)] == ["moro em Recife"]


async def test_blocked_people_are_not_kept(tmp_path: Path) -> None:
    blocks = BlockSettings.of([ANA_NAME], [])
    async with a_memory(await a_store("memory", tmp_path), blocks=blocks) as memory, a_discord(memory) as there:
        await there.says("Moro em Recife.", id=201)
        [reply] = await there.says(f"<@{BOT}> onde moro?", id=202, **CALLED)
        assert (await memory.stats()).messages == 0
        assert "Recife" not in reply


async def test_a_guild_off_by_the_settings_is_off_whatever_is_switched(memory: Memory) -> None:
    async with a_discord(memory, spaces_off=[SPACE]) as there:
        await there.says("Moro em Recife.", id=201, channel=ADMINS)
        on = await there.uses("memory", {"name": "on", "type": 1, "options": []}, member=a_manager())
        await there.says("Moro em Recife.", id=202)
    assert (await memory.stats()).messages == 0
    assert "settings" in on[0]


def a_manager() -> dict[str, object]:
    return {
        "user": ANA, "roles": ["12"], "joined_at": "2025-01-01T00:00:00+00:00", "permissions": str(1 << 5 | 1 << 10),
        "deaf": False, "mute": False, "flags": 0,
    }  # fmt: skip


async def test_the_switch_of_a_guild_is_its_managers_and_outlives_the_program(memory: Memory) -> None:
    async with a_discord(memory) as there:
        [refused] = await there.uses("memory", {"name": "off", "type": 1, "options": []})
        [state] = await there.uses("memory", {"name": "status", "type": 1, "options": []})
        assert "Only somebody who manages" in refused
        assert state == "Memory is on here."
        [off] = await there.uses("memory", {"name": "off", "type": 1, "options": []}, member=a_manager())
        assert off.startswith("Memory is off")
    async with a_discord(memory) as there:
        await there.says("Moro em Recife.", id=201)
        await there.says("Isto também.", id=202, channel=ADMINS)
        [reply] = await there.says(f"<@{BOT}> onde moro?", id=203, **CALLED)
        [refused] = await there.uses("recall", {"name": "words", "type": 3, "value": "Recife"}, locale="pt-BR")
        assert "desligada" in reply
        assert "desligada" in refused
        assert (await memory.stats()).messages == 0
        assert not [link for link in await memory.links() if link.channel == "discord"]
        await there.uses("memory", {"name": "on", "type": 1, "options": []}, member=a_manager())
        await there.says("Moro em Recife.", id=204)
    assert (await memory.stats()).messages == 1


async def test_a_store_out_of_reach_is_waited_for(tmp_path: Path) -> None:
    store = await a_store("memory", tmp_path)
    async with a_memory(store) as memory, a_discord(memory) as there:
        falters(store, times=2)
        await there.says("Moro em Recife.", id=201)
        assert there.slept == [1.0, 4.0]
        assert [one.text for one in await kept(memory)] == ["Moro em Recife."]


async def test_what_is_kept_local_does_not_go_by_discord_s_servers(memory: Memory) -> None:
    await memory.add("Is allergic to peanuts", user="Ana Souza", local_only=True)
    await memory.add("Is allergic to pollen", user="Ana Souza")
    await memory.link("discord", "1", user="Ana Souza")
    upstage = Upstage("Pollen.", local=True)
    async with a_discord(memory) as there:
        [shown] = await there.says("what am I allergic to?", id=201, guild=None, channel=DIRECT)
        whispered = [
            *await there.uses("recall", {"name": "words", "type": 3, "value": "allergic"}),
            *await there.uses("profile"),
        ]
    async with a_discord(memory, upstage) as there:
        await there.says("what am I allergic to?", id=202, guild=None, channel=DIRECT)
    for told in (shown, "\n".join(whispered), *upstage.prompts):
        assert "pollen" in told
        assert "peanuts" not in told


async def test_an_accident_is_logged_without_what_was_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = await a_store("sqlite", tmp_path)
    async with a_memory(store) as memory, a_discord(memory) as there:
        await store.close()
        with caplog.at_level(logging.DEBUG, logger="relembra"):
            await there.says("Moro em Recife.", id=201)
    assert caplog.records
    assert "Recife" not in caplog.text


async def test_a_model_is_asked_only_so_often_by_one_person_and_all_they_say_is_kept(memory: Memory) -> None:
    async with a_discord(memory, Upstage(*["Yes."] * 30)) as there:
        there.bot.core._asked = Buckets(seconds=lambda: 1_000.0)
        told = [await there.says(f"is it {n}?", id=300 + n, guild=None, channel=DIRECT) for n in range(30)]
    assert told[0] == ["Yes."]
    assert told.count(["Yes."]) < 10
    assert told[-1] == [say("slowly", "en")]
    assert len([said for said in await kept(memory) if said.role is Role.USER]) == 30
