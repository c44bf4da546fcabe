"""The memory proxy's own words: commands it answers, and what a model may see."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import openai
import pytest

from proxies import Proxied, proxied
from relembra import Memory
from relembra.settings import UpstreamSettings
from upstreams import answers, says, upstream

WHERE: Any = [{"role": "user", "content": "Where do I live, Lisbon or Porto?"}]


@pytest.fixture
async def chat(memory: Memory) -> AsyncIterator[Proxied]:
    async with proxied(memory, says("You live ", "in Lisbon.")) as running:
        yield running


# ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("typed", "stream"), [("/lembrar Lisboa", False), ("/recall Lisboa", True)])
async def test_a_command_is_answered_without_the_model(chat: Proxied, typed: str, stream: bool) -> None:
    await chat.memory.add("Ana mora em Lisboa.", user="ana")
    said: Any = [{"role": "user", "content": typed}]
    raw = await chat.client().chat.completions.with_raw_response.create(model="m", messages=said, stream=stream)
    assert raw.headers["X-Relembra-Command"] == "recall"
    told: Any = raw.parse()
    if stream:
        pieces = [piece async for piece in told]
        text = "".join(piece.choices[0].delta.content or "" for piece in pieces)
        assert pieces[-1].choices[0].finish_reason == "stop"
    else:
        text = told.choices[0].message.content
        assert told.choices[0].finish_reason == "stop"
    assert "“Ana mora em Lisboa.”" in text
    assert chat.model.asked == []
    assert await chat.kept() == []


async def test_commands_need_no_model_tell_their_usage_where_asked_and_leave_other_words_alone(memory: Memory) -> None:
    said: Any = [{"role": "user", "content": "/help"}]
    async with proxied(memory, upstream="") as chat:
        stream = await chat.client().chat.completions.create(
            model="m", messages=said, stream=True, stream_options={"include_usage": True}
        )
        *pieces, last = [piece async for piece in stream]
        assert "/recall" in "".join(piece.choices[0].delta.content or "" for piece in pieces)
        assert last.usage is not None
        assert last.usage.total_tokens == 0
    async with proxied(memory) as chat:
        await chat.client().chat.completions.create(
            model="m", messages=[{"role": "user", "content": "/etc/passwd is what?"}]
        )
        assert len(chat.model.asked) == 1


# ── which model may see what ──────────────────────────────────────────────────────────────────────────────────────────


async def test_what_is_local_only_reaches_no_model_elsewhere(memory: Memory) -> None:
    secret = await memory.add("Ana lives in Lisbon, in secret.", user="ana", local_only=True)
    await memory.add("Ana lived in Porto.", user="ana")
    async with upstream(says("Here.")) as near:
        ours = UpstreamSettings(url=near.url, model="llama3")
        async with proxied(memory, says("There."), upstreams={"home": ours}) as chat:
            create = chat.client().chat.completions.with_raw_response.create
            away = await create(model="gpt", messages=WHERE)
            here = await create(model="home/", messages=WHERE)
            assert "secret" not in chat.model.asked[0].instructions
            assert "Porto" in chat.model.asked[0].instructions
            assert "in secret" in near.asked[0].instructions
            assert secret.id not in away.headers["X-Relembra-Memories"]
            assert secret.id in here.headers["X-Relembra-Memories"]
            said: Any = [{"role": "user", "content": "/recall Lisbon"}]
            told = await create(model="gpt", messages=said)
            assert "secret" not in told.text
            told = await create(model="home/llama3", messages=said)
            assert "secret" in told.text


# ── several models ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_name_before_the_model_s_chooses_the_server(memory: Memory) -> None:
    async with upstream() as other:
        more = {"ollama": UpstreamSettings(url=other.url, model="llama3", api_key="ollama-key")}
        async with proxied(memory, upstream_model="gpt-set", upstreams=more) as chat:
            for model in ("gpt-9", "", "meta/llama", "ollama/qwen3", "ollama/"):
                await chat.client().chat.completions.create(model=model, messages=WHERE)
            assert [asked.body["model"] for asked in chat.model.asked] == ["gpt-9", "gpt-set", "meta/llama"]
            assert [asked.body["model"] for asked in other.asked] == ["qwen3", "llama3"]
            assert {asked.headers["authorization"] for asked in other.asked} == {"Bearer ollama-key"}
        two = {"a": UpstreamSettings(url=chat.model.url), "b": UpstreamSettings(url=other.url)}
        async with proxied(memory, upstream="", upstreams=two) as chat:  # none of them is the main one
            with pytest.raises(openai.NotFoundError, match="ollama/llama3"):
                await chat.client().chat.completions.create(model="gpt", messages=WHERE)
            await chat.client().chat.completions.create(model="b/x", messages=WHERE)
            assert other.asked[-1].body["model"] == "x"


def a_list(*ids: str) -> bytes:
    rows = ",".join(f'{{"id": "{id}", "object": "model", "created": 1, "owned_by": "us"}}' for id in ids)
    return f'{{"object": "list",  "data": [{rows}]}}'.encode()


async def test_the_list_of_models_is_the_server_s_and_of_several_each_one_s_under_its_name(memory: Memory) -> None:
    async with upstream(answers(200, a_list("llama3"))) as other, upstream(answers(500, b"no")) as ill:
        async with proxied(memory, answers(200, a_list("gpt-9"))) as chat:
            told = await chat.http().get("/models")
            assert ([row["id"] for row in told.json()["data"]], chat.model.asked[0].path) == (["gpt-9"], "/v1/models")
        more = {"ollama": UpstreamSettings(url=other.url), "ill": UpstreamSettings(url=ill.url)}
        async with proxied(memory, answers(200, a_list("gpt-9")), upstreams=more) as chat:
            assert [model.id async for model in chat.client().models.list()] == ["gpt-9", "ollama/llama3"]
