"""The memory proxy when something fails: the model's server, the memory, the client's key."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio.lowlevel
import openai
import pytest

from memories import Clock, InMemoryStore, a_memory, a_store
from proxies import Proxied, proxied
from relembra import Memory
from relembra.domain.scope import Scope
from relembra.errors import StoreUnavailableError
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.port import Op, Receipt, Stamp
from upstreams import Step, answers, breaks_off_after, chunk, fails, hangs_up, says

WHERE: Any = [{"role": "user", "content": "Where do I live, Lisbon or Porto?"}]


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    async with a_memory(await a_store("sqlite", tmp_path)) as made:
        await made.add("Ana lives in Lisbon.", user="ana")
        yield made


# ── the model's server ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_refusal_passes_through_as_it_is_and_tried_again_is_said_once(memory: Memory) -> None:
    limited = fails(429, Retry_After="17", X_RateLimit_Remaining="0")
    steps = [fails(401), fails(404), limited, fails(500)]
    errors = [openai.AuthenticationError, openai.NotFoundError, openai.RateLimitError, openai.InternalServerError]
    async with proxied(memory) as chat:
        for stream in (False, True):
            for step, error in zip(steps, errors, strict=True):
                chat.model.script(step)
                with pytest.raises(error) as told:
                    await chat.client().chat.completions.create(model="m", messages=WHERE, stream=stream)
                assert isinstance(told.value, openai.APIStatusError)
                code = f"code-{told.value.status_code}"
                assert told.value.body == {"message": "as told", "type": "scripted", "param": None, "code": code}
                assert step is not limited or told.value.response.headers["retry-after"] == "17"
        assert await chat.kept() == [("user", WHERE[0]["content"])]
        chat.model.script(fails(500), says("Lisbon."))
        await chat.client().with_options(max_retries=1).chat.completions.create(model="m", messages=WHERE)
        assert await chat.kept() == [("user", WHERE[0]["content"]), ("assistant", "Lisbon.")]


async def test_a_body_that_is_no_json_passes_through_and_a_refusal_of_the_model_is_a_reply(memory: Memory) -> None:
    broken = b'{"id": "x", "choices": [{"mess'
    async with proxied(memory, answers(200, broken), says("", refusal="I would rather not.")) as chat:
        told = await chat.http().post("/chat/completions", json={"messages": WHERE})
        assert (told.status_code, told.content) == (200, broken)
        assert await chat.kept() == [("user", WHERE[0]["content"])]
        said = await chat.client().chat.completions.create(model="m", messages=WHERE)
        assert said.choices[0].message.refusal == "I would rather not."
        assert (await chat.kept())[1] == ("assistant", "I would rather not.")


@pytest.mark.parametrize("step", [None, hangs_up])
async def test_a_server_out_of_reach_is_told_with_what_to_check(memory: Memory, step: Step | None) -> None:
    nowhere: dict[str, Any] = {} if step else {"upstream": "http://127.0.0.1:9/v1"}
    async with proxied(memory, *([step] if step else []), **nowhere) as chat:
        with pytest.raises(openai.InternalServerError, match="check") as told:
            await chat.client().chat.completions.create(model="m", messages=WHERE, stream=True)
        assert told.value.status_code == 502
        assert "127.0.0.1" in str(told.value)
        assert told.value.response.headers["X-Relembra-Conversation"]
        assert await chat.kept() == [("user", WHERE[0]["content"])]


async def test_a_stream_that_breaks_off_or_tells_an_error_is_told_and_what_came_is_kept(memory: Memory) -> None:
    told = (
        f"data: {json.dumps(chunk({'content': 'Half a rep'}))}\n\n" + 'data: {"error": {"message": "overloaded"}}\n\n'
    )
    overloaded = answers(200, told.encode(), {"Content-Type": "text/event-stream"})
    for step, words in ((breaks_off_after("Half a ", "rep"), "broke off"), (overloaded, "overloaded")):
        async with proxied(memory, step) as chat:
            stream = await chat.client(X_Relembra_User=words).chat.completions.create(
                model="m", messages=WHERE, stream=True
            )
            with pytest.raises(openai.APIError, match=words):
                await text_of(stream)
        [_, replied] = await chat.messages(words)
        assert (replied.text, replied.metadata["partial"]) == ("Half a rep", "true")


async def test_what_cannot_be_asked_is_told_in_the_form_clients_show(memory: Memory) -> None:
    async with proxied(memory, upstream="") as chat:
        with pytest.raises(openai.InternalServerError, match="RELEMBRA_UPSTREAM") as told:
            await chat.client().chat.completions.create(model="m", messages=WHERE)
        assert told.value.status_code == 503
        with pytest.raises(openai.InternalServerError, match="RELEMBRA_UPSTREAM"):
            await chat.client().models.list()
    json_type = {"Content-Type": "application/json"}
    async with proxied(memory, fails(400)) as chat:
        for body in (b"", b"{", b"[]", b'"hi"', b'{"messages": ' + b"[" * 100_000, b"\xff\xfe"):
            answer = await chat.http().post("/chat/completions", content=body, headers=json_type)
            assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")
        for headers in ({"Budget": "many"}, {"Channel": "no-space"}):
            named = {f"X_Relembra_{name}": value for name, value in headers.items()}
            with pytest.raises(openai.BadRequestError) as wrong:
                await chat.client(**named).chat.completions.create(model="m", messages=WHERE)
            assert isinstance(wrong.value.body, dict)
            assert wrong.value.body["message"]
        assert chat.model.asked == []
        for messages in (None, "hi", 7, [], [None, 3, "x"], [{"role": "user"}], [{"content": {"a": 1}}]):
            odd = await chat.http().post("/chat/completions", json={"messages": messages, "stream": "yes", "user": 5})
            assert odd.json()["error"]["message"] == "as told", "the model's to judge"
        assert await chat.kept() == []


# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


# ── the memory ────────────────────────────────────────────────────────────────────────────────────────────────────────


class FailingStore(InMemoryStore):
    """A store that can be told to fail."""

    def __init__(self) -> None:
        super().__init__(BilingualAnalyzer())
        self.reads: Callable[[], None] = lambda: None
        self.writes: Callable[[], None] = lambda: None
        self.stuck: asyncio.Event | None = None
        self.held: asyncio.Event | None = None

    async def stamps(self, scopes: Sequence[Scope]) -> tuple[Stamp, ...]:
        self.reads()
        if self.stuck is not None:
            await self.stuck.wait()
        return await super().stamps(scopes)

    async def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        self.writes()
        if self.held is not None:
            await self.held.wait()
        return await super().apply(scope, ops)


async def until_kept(chat: Proxied, messages: int) -> None:
    """What is kept behind an answer comes when the server's turn comes."""
    while len(await chat.kept()) < messages:
        await anyio.lowlevel.checkpoint()


def busy() -> None:
    raise StoreUnavailableError("the store is busy")


def full() -> None:
    raise OSError("no space left on device")


@pytest.fixture
async def failing() -> AsyncIterator[tuple[FailingStore, Proxied]]:
    store = FailingStore()
    async with a_memory(store) as made, proxied(made, says("All is ", "well.")) as chat:
        await made.add("Ana lives in Lisbon.", user="ana")
        yield store, chat
        store.reads = store.writes = lambda: None


@pytest.mark.parametrize("fault", [busy, full])
async def test_a_memory_that_cannot_read_or_write_breaks_no_chat(
    failing: tuple[FailingStore, Proxied], fault: Callable[[], None]
) -> None:
    store, chat = failing
    create = chat.client().chat.completions.with_raw_response.create
    store.reads = fault
    for stream in (False, True):
        raw: Any = await create(model="m", messages=WHERE, stream=stream)
        assert raw.headers["X-Relembra-Trouble"] == "recall"
        assert await text_of(raw.parse()) == "All is well."
        assert chat.model.asked[-1].body["messages"] == WHERE
    store.reads, store.writes = lambda: None, fault
    assert len(await chat.kept()) == 2
    said: Any = [{"role": "user", "content": "Where else did I live, Lisbon?"}]
    raw = await create(model="m", messages=said)
    assert raw.headers["X-Relembra-Trouble"] == "save"
    assert await text_of(raw.parse()) == "All is well."
    assert "Lisbon" in chat.model.asked[-1].instructions
    raw = await create(model="m", messages=said, stream=True)
    assert await text_of(raw.parse()) == "All is well."


@pytest.mark.parametrize("stream", [False, True])
async def test_a_memory_that_is_long_in_writing_holds_up_no_answer_and_keeps_it_all_the_same(
    failing: tuple[FailingStore, Proxied], stream: bool
) -> None:
    store, chat = failing
    await chat.client().chat.completions.create(model="m", messages=[{"role": "user", "content": "Hello."}])
    chat.app.state.proxy.keep_seconds = 0.02
    store.held = asyncio.Event()
    raw = await chat.client().chat.completions.with_raw_response.create(model="m", messages=WHERE, stream=stream)
    assert await text_of(raw.parse()) == "All is well."
    assert stream or raw.headers["X-Relembra-Trouble"] == "save"
    assert len(await chat.kept()) == 2
    store.held.set()
    async with asyncio.timeout(30):
        await until_kept(chat, 4)


async def test_a_memory_that_takes_too_long_is_not_waited_for(failing: tuple[FailingStore, Proxied]) -> None:
    store, chat = failing
    await chat.client().chat.completions.create(model="m", messages=WHERE)
    chat.app.state.proxy.recall_seconds = 0.02
    store.stuck = asyncio.Event()
    raw = await chat.client().chat.completions.with_raw_response.create(model="m", messages=WHERE)
    assert raw.headers["X-Relembra-Trouble"] == "recall"
    store.stuck.set()
    store.stuck = None


async def text_of(told: Any) -> str:
    if isinstance(told, openai.AsyncStream):
        return "".join([piece.choices[0].delta.content or "" async for piece in told])
    return str(told.choices[0].message.content)


async def test_the_same_words_another_day_are_said_anew(memory: Memory) -> None:
    clock = Clock()
    async with proxied(memory) as chat:
        await chat.client().chat.completions.create(model="m", messages=WHERE)
        chat.app.state.proxy.clock = clock
        for _ in range(2):
            clock.now += timedelta(days=1)
            await chat.client().chat.completions.create(model="m", messages=WHERE)
        assert [role for role, _ in await chat.kept()].count("user") == 3
