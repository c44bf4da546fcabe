"""The memory proxy for OpenAI's responses: the same as for chats, in another format."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from proxies import Proxied, proxied
from relembra import Memory
from upstreams import fails, says

WHERE = "Where do I live, Lisbon or Porto?"


@pytest.fixture
async def chat(memory: Memory) -> AsyncIterator[Proxied]:
    await memory.add("Ana lives in Lisbon.", user="ana")
    async with proxied(memory, says("You live ", "in Lisbon.")) as running:
        yield running


async def test_a_response_is_told_what_is_remembered_and_both_sides_are_kept(chat: Proxied) -> None:
    raw = await chat.client().responses.with_raw_response.create(model="m", input=WHERE, instructions="Be brief.")
    assert raw.parse().output_text == "You live in Lisbon."
    [asked] = chat.model.asked
    assert asked.path == "/v1/responses"
    assert asked.body["input"] == WHERE
    assert asked.instructions.startswith("Be brief.\n\n# Memory\n")
    assert "- Lives in: “Lisbon”" in asked.instructions
    assert raw.headers["X-Relembra-Memories"]
    assert await chat.kept() == [("user", WHERE), ("assistant", "You live in Lisbon.")]


async def test_a_reply_that_follows_another_is_of_its_conversation(memory: Memory) -> None:
    async with proxied(memory, says("Hi.", id="1"), says("A cat!", id="2")) as chat:
        first = await chat.client().responses.create(model="m", input="Hello!")
        await chat.client().responses.create(model="m", input="I have a cat.", previous_response_id=first.id)
        assert chat.model.asked[1].body["previous_response_id"] == "resp_1"
        assert "Hello!" not in chat.model.asked[1].instructions  # the model's server holds the talk itself
        assert len({message.conversation for message in await chat.messages()}) == 1


async def test_a_conversation_of_the_server_s_own_is_ours_too(chat: Proxied) -> None:
    raw = await chat.client().responses.with_raw_response.create(model="m", input=WHERE, conversation="conv_7")
    assert raw.headers["X-Relembra-Conversation"] == "conv_7"
    assert chat.model.asked[0].body["conversation"] == "conv_7"
    odd = await chat.http().post("/responses", json={"input": WHERE, "conversation": "a\r\nSet-Cookie: b"})
    assert odd.headers["X-Relembra-Conversation"].startswith("chat-")
    assert "set-cookie" not in odd.headers


@pytest.mark.parametrize("stream", [False, True])
async def test_a_command_is_answered_without_the_model(chat: Proxied, stream: bool) -> None:
    raw = await chat.client().responses.with_raw_response.create(model="m", input="/recall Lisbon", stream=stream)
    assert raw.headers["X-Relembra-Command"] == "recall"
    told: Any = raw.parse()
    if stream:
        events = [event async for event in told]
        assert [event.sequence_number for event in events] == list(range(len(events)))
        assert "".join(e.delta for e in events if e.type == "response.output_text.delta") == (
            events[-1].response.output_text
        )
        told = events[-1].response
    assert "“Ana lives in Lisbon.”" in told.output_text
    assert chat.model.asked == []


async def test_a_chat_goes_on_behind_a_command(chat: Proxied) -> None:
    client = chat.client()
    first = await client.responses.create(model="m", input=WHERE)
    helped = await client.responses.create(model="m", input="/help", previous_response_id=first.id)
    await client.responses.create(model="m", input="Thanks!", previous_response_id=helped.id)
    assert chat.model.asked[1].body["previous_response_id"] == first.id
    assert len({message.conversation for message in await chat.messages()}) == 1
    alone = await client.responses.create(model="m", input="/help")
    await client.responses.create(model="m", input="Thanks!", previous_response_id=alone.id)
    assert "previous_response_id" not in chat.model.asked[2].body


async def test_input_of_another_kind_is_the_model_s_to_judge(memory: Memory) -> None:
    async with proxied(memory, fails(429, Retry_After="3")) as chat:
        for given in (None, 7, [None, 3], [{"role": "user"}], {"a": 1}):
            told = await chat.http().post("/responses", json={"input": given, "instructions": 5, "conversation": 3})
            assert (told.json()["error"]["message"], told.headers["retry-after"]) == ("as told", "3")
        assert await chat.kept() == []
