"""Telegram's updates over real HTTP on loopback: what is kept, what is answered, and how its troubles are borne."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from discords import Upstage
from relembra import Memory
from relembra.domain.message import Role
from relembra.interfaces.chat.bot import say
from relembra.interfaces.chat.telegram import LONGEST_WAIT_SECONDS
from telegrams import (
    ANA_NAME,
    BOB,
    BOB_NAME,
    GROUP,
    OTHER_GROUP,
    TOKEN,
    US,
    Payload,
    Telegram,
    a_message,
    a_telegram,
    marked,
)

SPACE = f"telegram:{GROUP['id']}"
ASKED = "@Relembra_bot onde eu moro?"


def asked(text: str = ASKED, *, id: int, **parts: Any) -> Payload:
    return a_message(text, id=id, chat=GROUP, entities=[marked(text, "@Relembra_bot")], **parts)


async def texts(memory: Memory, user: str = ANA_NAME) -> list[str]:
    return [one.text for one in await memory.messages(user=user)]


async def test_a_private_chat_is_private_and_answered(memory: Memory) -> None:
    async with a_telegram(memory) as there:
        await there.hears(a_message("I keep bees in the garden.", id=5, sender=BOB))
        [reply] = await there.hears(a_message("what do I keep in the garden?", id=6, sender=BOB))
        [public] = await there.hears(asked("@Relembra_bot what do I keep in the garden?", id=7, sender=BOB))
    assert "bees" in reply
    assert "bees" not in public
    assert [one.place.is_private for one in await memory.messages(user=BOB_NAME)] == [False, True, True]


async def test_what_is_said_in_a_group_is_kept_and_a_mention_answered_by_the_model(listener: Memory) -> None:
    upstage = Upstage("Em Recife.")
    async with a_telegram(listener, upstage) as there:
        await there.hears(a_message("[residence=Recife]", id=5, chat=GROUP))
        [said] = await listener.messages(user=ANA_NAME)
        await listener.learn(user=ANA_NAME, space=SPACE)
        assert await there.hears(asked(id=6)) == ["Em Recife."]
        [sent] = there.server.sent
    assert (said.place.space, said.place.channel, said.author_name) == (SPACE, "general", "Ana")
    assert (said.author, said.external_id) == (ANA_NAME, f"telegram:{GROUP['id']}:5")
    assert said.sent_at.isoformat() == "2026-03-01T11:59:00+00:00"
    assert sent["reply_parameters"] == {"message_id": 6, "allow_sending_without_reply": True}
    assert sent["link_preview_options"] == {"is_disabled": True}
    assert "parse_mode" not in sent
    assert "Recife" in upstage.prompts[0]
    assert upstage.given[0][-1]["content"] == "onde eu moro?"
    newest = (await listener.messages(user=ANA_NAME))[0]
    assert (newest.role, newest.text) == (Role.ASSISTANT, "Em Recife.")


async def test_what_no_person_said_themselves_is_neither_kept_nor_answered(memory: Memory) -> None:
    forwarded = {"forward_origin": {"type": "user", "sender_user": BOB}}
    rows: list[dict[str, Any]] = [{"sender": US}, {"via_bot": US}, forwarded, {"sender_chat": GROUP}]
    async with a_telegram(memory) as there:
        for parts in (*rows, {"chat": {"id": -9, "type": "channel"}}):
            assert await there.hears(a_message("it rains", id=5, **parts)) == [], parts
    assert (await memory.stats()).messages == 0


async def test_names_are_read_where_telegram_marks_them_also_behind_emoji(memory: Memory) -> None:
    text = "👩🏽‍🚀 @Relembra_bot e @bob"
    async with a_telegram(memory, Upstage("Oi!")) as there:
        message = a_message("", id=5, chat=GROUP, caption=text, caption_entities=[marked(text, "@Relembra_bot")])
        assert await there.hears(message) == ["Oi!"]
    assert (await texts(memory))[-1] == "👩🏽‍🚀 e @bob"


async def test_people_who_are_named_by_their_handle_are_found_by_it(listener: Memory) -> None:
    """And whoever has that name elsewhere is not taken for them."""
    await listener.add("Is planning to quit", user="ana", space=SPACE)
    text = "@Relembra_bot quem é @ana?"
    entities = [marked(text, "@Relembra_bot"), marked(text, "@ana")]
    async with a_telegram(listener) as there:
        [before] = await there.hears(a_message(text, id=5, sender=BOB, chat=GROUP, entities=entities))
        await there.hears(a_message("[fact=toca violão]", id=6, chat=GROUP))
        await listener.learn(user=ANA_NAME, space=SPACE)
        [reply] = await there.hears(a_message(text, id=7, sender=BOB, chat=GROUP, entities=entities))
    assert "toca violão" in reply
    assert "quit" not in before + reply


async def test_the_switch_of_a_group_is_its_admins_and_outlives_the_program(memory: Memory) -> None:
    async with a_telegram(memory) as there:
        [refused] = await there.hears(a_message("/memory off", id=5, chat=GROUP))
        there.server.admins = {1}
        [off] = await there.hears(a_message("/memoria desligar", id=6, chat=GROUP))
    async with a_telegram(memory) as there:
        await there.hears(a_message("Moro em Recife.", id=7, chat=GROUP))
        [told] = await there.hears(asked(id=8))
        await there.hears(a_message("Em outro grupo.", id=9, chat=OTHER_GROUP))
        assert await texts(memory) == ["Em outro grupo."]
        there.server.admins = {1}
        [on] = await there.hears(a_message("/memory on", id=10, chat=GROUP))
        await there.hears(a_message("Moro em Recife.", id=11, chat=GROUP))
    assert refused == say("switch.admins", "en")
    assert off == say("switch.off", "pt")
    assert told == say("switch.is_off", "pt")
    assert on == say("switch.on", "en")
    assert len(await texts(memory)) == 2


async def test_a_group_that_moves_stays_switched_off(memory: Memory) -> None:
    async with a_telegram(memory) as there:
        there.server.admins = {1}
        await there.hears(a_message("/memory off", id=5, chat=OTHER_GROUP))
        await there.hears(a_message("", id=6, chat=OTHER_GROUP, migrate_to_chat_id=GROUP["id"]))
        await there.hears(a_message("Moro em Recife.", id=7, chat=GROUP))
    assert await texts(memory) == []


async def test_updates_that_come_again_after_a_crash_are_kept_and_answered_once(memory: Memory) -> None:
    server = Telegram()
    async with a_telegram(memory, Upstage("Em Recife."), server=server) as there:
        assert await there.hears(asked(id=5)) == ["Em Recife."]
    async with a_telegram(memory, Upstage("Em Recife, já disse."), server=server) as there:
        assert server.left == 1
        assert await there.hears() == []
    assert await texts(memory) == ["Em Recife.", "onde eu moro?"]


async def test_it_waits_as_long_as_it_is_told_to(memory: Memory) -> None:
    busy = {"ok": False, "error_code": 429, "description": "Too Many Requests", "parameters": {"retry_after": 17}}
    async with a_telegram(memory, Upstage("Oi!")) as there:
        there.server.script = {"getUpdates": [(429, busy)], "sendMessage": [(429, busy), (429, busy)]}
        assert await there.hears(a_message("oi", id=5)) == ["Oi!", "Oi!", "Oi!"]
    assert there.slept == [17.0, 17.0, 17.0]


async def test_an_answer_that_is_none_is_asked_for_again(memory: Memory) -> None:
    async with a_telegram(memory) as there:
        there.server.script = {"getUpdates": [(200, "{broken"), (200, "[]"), (502, ""), *[(502, "<html></html>")] * 6]}
        await there.hears(a_message("um", id=5))
        assert there.slept == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, *[LONGEST_WAIT_SECONDS] * 3]
    assert await texts(memory) == ["um"]


async def test_updates_that_cannot_be_read_hold_up_nothing(memory: Memory) -> None:
    async with a_telegram(memory) as there:
        there.server.put({"update_id": 40, "message": {"message_id": "five"}})
        there.server.put({"update_id": 41, "poll": {}})
        there.server.put({"message": None})
        there.server.put({"update_id": 42, "message": a_message("um", id=5)})
        await there.hears()
        await there.bot.poll()
        assert [given["offset"] for method, given in there.server.asked if method == "getUpdates"] == [0, 43]
    assert await texts(memory) == ["um"]


async def test_answers_of_one_chat_keep_their_order_and_a_slow_one_holds_up_no_other(memory: Memory) -> None:
    class Slow(Upstage):
        """Answers Ana only when told to."""

        def __init__(self) -> None:
            super().__init__()
            self.may_go_on = asyncio.Event()

        async def complete(self, messages: Any, *, model: str | None = None) -> str:
            text = str(messages[-1]["content"])
            if text == "um":
                await self.may_go_on.wait()
            return f"re: {text}"

    slow = Slow()
    async with a_telegram(memory, slow) as there:
        there.server.write(a_message("um", id=5), a_message("dois", id=6), a_message("hi", id=7, sender=BOB))
        await there.bot.poll()
        await there.server.written.wait()
        slow.may_go_on.set()
        await there.bot.finish()
        assert [given["text"] for given in there.server.sent] == ["re: hi", "re: um", "re: dois"]


async def test_the_token_is_never_logged_nor_what_was_said(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with a_telegram(memory) as there:
            there.server.script = {"getUpdates": [(502, "{")], "sendMessage": [(400, {"ok": False})]}
            await there.hears(a_message("Moro em Recife.", id=5))
    ours = [record for record in caplog.records if record.name.startswith(("relembra", "httpx", "httpcore"))]
    assert ours
    assert not any(TOKEN in record.getMessage() or "Recife" in record.getMessage() for record in ours)
