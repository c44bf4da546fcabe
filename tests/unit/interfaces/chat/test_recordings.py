"""What people say aloud in chat apps: listened to by a server on loopback, kept as their words and answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import discords
import telegrams
import whatsapps
from loops import each
from medias import Reply, heard, served
from memories import Clock, a_memory
from readers import NotationReader
from relembra import Memory
from relembra.bootstrap import chosen_media
from relembra.domain.message import Role
from relembra.interfaces.chat.bot import say
from relembra.settings import Settings
from relembra.store.port import Store
from relembra.transfer.media import LARGEST, Media

BEES = "I keep bees in the garden."
UNHEARD = say("unheard", "en")


def a_setting(url: str) -> dict[str, Any]:
    return {"transcriber": "openai:whisper", "transcriber_url": url}


@asynccontextmanager
async def listening(store: Store, *replies: Reply) -> AsyncIterator[tuple[Memory, list[Any]]]:
    with served(*replies) as server:
        media = chosen_media(Settings(**a_setting(server.url)))
        async with a_memory(store, clock=Clock(), reader=NotationReader(), media=media) as memory:
            yield memory, server.asked


def voice(id: str = "file_1") -> dict[str, Any]:
    return {"voice": {"file_id": id, "file_size": 10, "duration": 3, "mime_type": "audio/ogg"}}


async def test_on_telegram_a_voice_note_is_kept_as_words_and_answered(store: Store) -> None:
    async with listening(store, heard(BEES), heard("what do I keep in the garden?")) as (memory, asked):
        async with telegrams.a_telegram(memory) as there:
            await there.hears(telegrams.a_message("", id=5, sender=telegrams.BOB, **voice()))
            [reply] = await there.hears(telegrams.a_message("", id=6, sender=telegrams.BOB, **voice()))
        assert "bees" in reply
        [_, said] = await memory.messages(user=telegrams.BOB_NAME)
        assert (said.text, said.role, said.metadata["voice"]) == (BEES, Role.USER, "voice.ogg")
        assert b"OggS sound" in asked[0][2]


@each([(500, b""), heard("  ")])
async def test_on_telegram_what_could_not_be_heard_is_said(status: int, content: bytes, store: Store) -> None:
    async with listening(store, (status, content)) as (memory, _), telegrams.a_telegram(memory) as there:
        note = telegrams.a_message("", id=5, sender=telegrams.BOB, **voice())
        assert await there.hears(note) == [UNHEARD]
        assert await there.hears(telegrams.a_message("", id=6, sender=telegrams.BOB, **voice("gone"))) == [UNHEARD]
        assert list(await memory.messages(user=telegrams.BOB_NAME)) == []


async def test_without_a_transcriber_nothing_is_fetched(memory: Memory) -> None:
    async with telegrams.a_telegram(memory) as there:
        note = telegrams.a_message("", id=5, sender=telegrams.BOB, **voice())
        assert await there.hears(note) == [UNHEARD]
        assert [method for method, _ in there.server.asked if method == "getFile"] == []


async def test_where_a_group_is_off_nothing_is_listened_to(store: Store) -> None:
    async with listening(store, heard(BEES)) as (memory, asked), telegrams.a_telegram(memory) as there:
        await there.bot.switches.turn(telegrams.GROUP["id"], on=False)
        await there.hears(telegrams.a_message("", id=5, chat=telegrams.GROUP, **voice()))
        assert asked == []


async def test_what_a_blocked_person_says_and_what_is_too_large_is_not_fetched(store: Store) -> None:
    async with listening(store, heard(BEES)) as (memory, asked), telegrams.a_telegram(memory) as there:
        large = {"voice": {"file_id": "file_1", "file_size": LARGEST + 1}}
        assert await there.hears(telegrams.a_message("", id=4, sender=telegrams.BOB, **large)) == [UNHEARD]
        await memory.block(telegrams.BOB_NAME)
        note = telegrams.a_message("", id=5, sender=telegrams.BOB, **voice())
        assert await there.hears(note) == [say("refused", "en")]
        assert asked == []
        assert [method for method, _ in there.server.asked if method == "getFile"] == []


async def test_a_voice_note_that_comes_again_after_a_crash_is_not_listened_to_again(store: Store) -> None:
    server = telegrams.Telegram()
    async with listening(store, heard(BEES), heard("Wasps?")) as (memory, asked):
        for again in range(2):
            async with telegrams.a_telegram(memory, server=server) as there:
                notes = [telegrams.a_message("", id=5, sender=telegrams.BOB, **voice())]
                assert len(await there.hears(*notes[again:])) == 1
        assert [one.text for one in await memory.messages(user=telegrams.BOB_NAME)] == [BEES]
        assert len(asked) == 1


class Slow:
    """Listens as long as it is not told to go on."""

    name = "slow"

    def __init__(self) -> None:
        self.may_go_on = asyncio.Event()

    async def transcribe(self, audio: bytes, name: str) -> str:
        await self.may_go_on.wait()
        return "um"

    async def close(self) -> None:
        pass


async def test_voice_notes_hold_up_their_own_chat_alone_and_are_confirmed_once_they_are_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Echo(discords.Upstage):
        async def complete(self, messages: Any, *, model: str | None = None) -> str:
            return f"re: {messages[-1]['content']}"

    monkeypatch.setattr("relembra.interfaces.chat.telegram.PAUSE_SECONDS", 0.01)
    slow = Slow()
    async with (
        a_memory(store, clock=Clock(), reader=NotationReader(), media=Media(slow)) as memory,
        telegrams.a_telegram(memory, Echo()) as there,
        asyncio.timeout(60),
    ):
        there.server.write(telegrams.a_message("", id=5, **voice()), telegrams.a_message("dois", id=6))
        await there.bot.poll()
        there.server.write(telegrams.a_message("hi", id=7, sender=telegrams.BOB))
        await there.bot.poll()
        await there.server.written.wait()
        assert there.server.left == 3, "none is confirmed before the first is kept"
        assert [given["text"] for given in there.server.sent] == ["re: hi"]
        slow.may_go_on.set()
        await there.bot.finish()
        assert [given["text"] for given in there.server.sent] == ["re: hi", "re: um", "re: dois"]
        await there.bot.poll()
        assert there.server.left == 0


def a_file(name: str = "voice-message.ogg", size: int = 10) -> dict[str, Any]:
    url = f"https://cdn.discordapp.com/attachments/1/2/{name}"
    return {"attachments": [{"id": "3", "filename": name, "size": size, "url": url, "proxy_url": url}]}


async def test_on_discord_a_voice_message_is_kept_as_words(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read(*_: object) -> bytes:
        return b"OggS sound"

    async with listening(store, heard(BEES)) as (memory, asked), discords.a_discord(memory) as there:
        monkeypatch.setattr(there.bot.http, "get_from_cdn", read)
        await there.says("", id=5, **a_file())
        await there.says("", id=6, **a_file("bees.pdf"))
        await there.says("", id=7, **a_file(size=LARGEST + 1))
        [said] = await memory.messages(user=discords.ANA_NAME)
        assert (said.text, said.metadata["voice"], len(asked)) == (BEES, "voice-message.ogg", 1)


def a_recording(**parts: Any) -> dict[str, Any]:
    spoken = {"type": "audio", "audio": {"id": "77", "mime_type": "audio/ogg; codecs=opus", "voice": True}}
    return whatsapps.a_message("", **parts) | spoken | {"text": None}


async def test_on_whatsapp_a_voice_note_is_kept_as_words_and_answered() -> None:
    with served(heard(BEES), heard("what do I keep in the garden?")) as server:
        async with whatsapps.a_phone(**a_setting(server.url)) as phone:
            await phone.delivers(a_delivery := whatsapps.a_delivery(a_recording()))
            assert server.asked == [], "Meta would not wait for it, and deliver it again"
            await phone.delivers(a_delivery)
            await phone.memory.settle()
            await phone.delivers(a_delivery)
            await phone.memory.settle()
            assert (len(server.asked), len(phone.graph.asked)) == (1, 1)
            [reply] = await phone.hears([a_recording(id="wamid.2")])
            assert "bees" in reply
            [said] = [one for one in await phone.memory.messages(user=f"whatsapp:{whatsapps.ANA}") if one.text == BEES]
            assert said.metadata["voice"] == "voice.ogg"
            phone.house.clock.move(days=3)
            assert await phone.hears([a_recording(), a_recording(id="wamid.3")]) == [], "what is that old is kept alone"
            assert len(await phone.memory.messages(user=f"whatsapp:{whatsapps.ANA}")) == 3


async def test_on_whatsapp_the_token_goes_to_meta_alone() -> None:
    with served(heard(BEES)) as server:
        async with whatsapps.a_phone(**a_setting(server.url)) as phone:
            phone.graph.media = server.url.replace("127.0.0.1", "localhost")
            assert await phone.hears([a_recording()]) == [UNHEARD]
            assert server.asked == []
