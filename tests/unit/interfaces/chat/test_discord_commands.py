"""Slash commands as Discord sends them, and what only whoever used one sees."""

from __future__ import annotations

from typing import Any

from discords import (
    ANA,
    ANA_NAME,
    APPLICATION,
    BOT,
    DIRECT,
    EPHEMERAL,
    RUI,
    RUI_NAME,
    US,
    Payload,
    a_discord,
    an_option,
    snowflake,
)
from memories import Clock
from relembra import Memory
from relembra.errors import StoreUnavailableError
from relembra.interfaces.chat.bot import say

NEXT_DAY_MS = 1_772_449_200_000  # 2 March 2026, 11:00
IN_PORTUGUESE = {"locale": "pt-BR"}
ALONE: Payload = {
    "guild_id": None,
    "member": None,
    "user": ANA,
    "channel": {"id": str(DIRECT), "type": 1, "recipients": [ANA], "last_message_id": None},
}


async def test_commands_are_offered_in_both_languages(memory: Memory) -> None:
    async with a_discord(memory) as there:
        [offered] = [one for one in there.wire.asked if one.path == f"/applications/{APPLICATION}/commands"]
    assert offered.method == "PUT"
    commands: list[Payload] = list(offered.body)  # type: ignore[arg-type]
    names = {one["name"]: one["name_localizations"]["pt-BR"] for one in commands}
    assert names == {
        "remember": "guardar",
        "recall": "lembrar",
        "forget": "esquecer",
        "undo": "desfazer",
        "profile": "perfil",
        "questions": "perguntas",
        "help": "ajuda",
        "memory": "memória",
    }
    for command in commands:
        assert len(command["description"]) <= 100
        assert len(command["description_localizations"]["pt-BR"]) <= 100
    [questions] = [one for one in commands if one["name"] == "questions"]
    sides = {one["value"]: one["name_localizations"]["pt-BR"] for one in questions["options"][1]["choices"]}
    assert sides == {"new": "novo", "old": "antigo", "both": "ambos", "neither": "nenhum"}
    [switch] = [one for one in commands if one["name"] == "memory"]
    assert switch["default_member_permissions"] == 1 << 5
    assert [part["name_localizations"]["pt-BR"] for part in switch["options"]] == ["ligar", "desligar", "estado"]


async def test_an_answer_is_seen_only_by_whoever_asked(memory: Memory) -> None:
    async with a_discord(memory) as there:
        await there.uses("profile")
        [begun] = [one.body for one in there.wire.asked if one.path.endswith("/callback")]
        [told] = there.wire.whispered()
        assert there.wire.sent() == []
    assert begun["data"]["flags"] & EPHEMERAL
    assert told["flags"] & EPHEMERAL
    assert told["allowed_mentions"]["parse"] == []


async def test_what_is_remembered_by_command_is_known_to_that_person_alone(memory: Memory) -> None:
    async with a_discord(memory) as there:
        [kept] = await there.uses("remember", an_option("text", "Sou alérgica a amendoim"), **IN_PORTUGUESE)
        [found] = await there.uses("recall", an_option("words", "alérgica"), **IN_PORTUGUESE)
        [public] = await there.says(f"<@{BOT}> sou alérgica a quê?", id=300, mentions=[US])
    assert kept.startswith("Guardado: “Sou alérgica a amendoim”")
    assert "amendoim" in found
    assert "amendoim" not in public
    [item] = await memory.list(user=ANA_NAME)
    assert item.place.is_private
    assert item.validated


async def test_what_was_said_in_a_channel_is_forgotten_for_good_and_nothing_else(memory: Memory) -> None:
    """Also words of messages that were deleted on Discord."""
    async with a_discord(memory) as there:
        await there.says("um segredo", id=301)
        await there.says("outra coisa", id=302, channel=102)
        await there.says("de outra pessoa", id=303, author=RUI)
        [asked] = await there.uses("forget", an_option("what", "aqui"), **IN_PORTUGUESE)
        assert len(await memory.messages(user=ANA_NAME)) == 2
        [gone] = await there.uses("forget", an_option("what", "aqui de vez"), **IN_PORTUGUESE)
        [again] = await there.uses("forget", an_option("what", "here for good"))
        assert "de vez" in asked
        assert gone.startswith("Apagado de vez: ")
        assert "1 mensagem" in gone
        assert again == say("forget.nothing_here", "en")
        assert [one.text for one in await memory.messages(user=ANA_NAME)] == ["outra coisa"]
        assert len(await memory.messages(user=RUI_NAME)) == 1
        [all_gone] = await there.uses("forget", an_option("what", "everything for good"))
    assert all_gone.startswith("Removed for good")
    assert (await memory.stats(user=ANA_NAME)).messages == 0
    assert await memory.linked("discord", "1") is None


async def test_questions_are_shown_and_answered(listener: Memory, clock: Clock) -> None:
    async with a_discord(listener) as there:
        assert await there.uses("questions") == [say("questions.none", "en")]
        await listener.add("Lives in Recife", user=ANA_NAME, attribute="residence", value="Recife")
        clock.move(days=1)
        await there.says("[residence=Porto]", id=snowflake(NEXT_DAY_MS), guild=None, channel=DIRECT)
        await listener.learn(user=ANA_NAME)
        [asked] = await there.uses("questions", **ALONE)
        id = asked.split(" ", 1)[0]
        [unsaid] = await there.uses("questions", an_option("id", id))
        [unknown] = await there.uses("questions", an_option("id", "00000000"), an_option("right", "new"))
        [settled] = await there.uses("questions", an_option("id", id), an_option("right", "new"))
    assert "Recife" in asked
    assert "Porto" in asked
    assert unsaid == say("questions.which", "en")
    assert "00000000" in unknown
    assert "Porto" in settled
    assert not await listener.conflicts(user=ANA_NAME, open_only=True)


async def test_trouble_with_the_store_is_told_without_details(memory: Memory) -> None:
    async with a_discord(memory) as there:

        async def broken(*_: Any, **__: Any) -> str:
            raise StoreUnavailableError("m.db is locked")

        there.bot.core.questions = broken  # type: ignore[method-assign]
        [told] = await there.uses("questions")
    assert told == say("trouble", "en")
