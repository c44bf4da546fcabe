"""A model's server that does as it is told: real HTTP on loopback, OpenAI's chat completions and responses, whole or
as a stream with gaps the test decides on, tools, and every way to fail."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Asked:
    """What the server was asked."""

    method: str
    path: str
    headers: dict[str, str]  # names in small letters
    raw: bytes
    body: Any

    @property
    def streamed(self) -> bool:
        return self.body.get("stream") is True

    @property
    def is_chat(self) -> bool:
        return self.path.endswith("/chat/completions")

    @property
    def instructions(self) -> str:
        """What the model is told before the talk."""
        if not self.is_chat:
            return self.body.get("instructions") or ""
        told = [message["content"] for message in self.body["messages"] if message["role"] in ("system", "developer")]
        return "\n".join(one if isinstance(one, str) else "\n".join(part["text"] for part in one) for one in told)


class Line:
    """One answer on its way."""

    def __init__(self, writer: asyncio.StreamWriter, gone: asyncio.Event) -> None:
        self._writer = writer
        self.gone = gone  # set once the client is

    async def whole(self, status: int, body: bytes, headers: Mapping[str, str] = JSON) -> None:
        await self._start(status, {**headers, "Content-Length": str(len(body))})
        await self.write(body)

    async def begin(self) -> None:
        """Begin a stream."""
        await self._start(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})

    async def event(self, data: str | dict[str, Any]) -> None:
        told = data if isinstance(data, str) else json.dumps(data)
        name = f"event: {data['type']}\n" if isinstance(data, dict) and "type" in data else ""
        await self.chunk(f"{name}data: {told}\n\n".encode())

    async def chunk(self, piece: bytes) -> None:
        await self.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")

    async def end(self) -> None:
        await self.write(b"0\r\n\r\n")

    async def write(self, piece: bytes) -> None:
        with suppress(ConnectionError):
            self._writer.write(piece)
            await self._writer.drain()

    async def _start(self, status: int, headers: Mapping[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} As Told", "Connection: close", *(f"{k}: {v}" for k, v in headers.items())]
        await self.write(("\r\n".join(lines) + "\r\n\r\n").encode())


Step = Callable[[Asked, Line], Awaitable[None]]


@dataclass
class ScriptedUpstream:
    """The server. `steps` answer one request each, the last one for ever."""

    url: str
    steps: list[Step]
    asked: list[Asked] = field(default_factory=list)
    reached: asyncio.Event = field(default_factory=asyncio.Event)  # somebody asked
    gone: asyncio.Event = field(default_factory=asyncio.Event)  # a client left before its answer was over
    answering: set[asyncio.Task[None]] = field(default_factory=set)

    def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self.handle(reader, writer))
        self.answering.add(task)
        task.add_done_callback(self.answering.discard)

    def script(self, *steps: Step) -> None:
        self.steps = list(steps)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
            method, path, _ = head.split(" ")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            raw = await reader.readexactly(int(headers.get("content-length", "0")))
            asked = Asked(method, path, headers, raw, json.loads(raw) if raw else {})
            self.asked.append(asked)
            self.reached.set()
            step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
            gone = asyncio.Event()
            watching = asyncio.create_task(self._watch(reader, gone))
            try:
                await step(asked, Line(writer, gone))
            finally:
                watching.cancel()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _watch(self, reader: asyncio.StreamReader, gone: asyncio.Event) -> None:
        with suppress(ConnectionError):
            await reader.read()
        gone.set()
        self.gone.set()


@asynccontextmanager
async def upstream(*steps: Step) -> AsyncIterator[ScriptedUpstream]:
    """A server for as long as the block lasts."""
    held = ScriptedUpstream("", list(steps) or [says("Hello.")])
    server = await asyncio.start_server(held.connected, "127.0.0.1", 0)
    held.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield held
    finally:
        server.close()
        for task in held.answering:
            task.cancel()
        await asyncio.gather(*held.answering, return_exceptions=True)
        await server.wait_closed()


# ── what it may do ────────────────────────────────────────────────────────────────────────────────────────────────────


def says(*pieces: str, id: str = "1", gates: Sequence[asyncio.Event] = (), **more: Any) -> Step:
    """A reply, in pieces where a stream is asked for; before each piece but the first a gate has to open."""

    async def step(asked: Asked, line: Line) -> None:
        if not asked.streamed:
            text = "".join(pieces)
            told = completion(text, id, **more) if asked.is_chat else response(text, id)
            await line.whole(200, json.dumps(told).encode())
            return
        await line.begin()
        opening, closing = (chat_ends if asked.is_chat else response_ends)("".join(pieces), id)
        for event in opening:
            await line.event(event)
        for place, piece in enumerate(pieces):
            if place and place <= len(gates):
                await gates[place - 1].wait()
            await line.event(chunk({"content": piece}, id) if asked.is_chat else delta(piece, id))
        for event in closing:
            await line.event(event)
        await line.end()

    return step


def calls(name: str, arguments: str, *, said: str | None = None) -> Step:
    """A call of a tool instead of a reply."""

    async def step(asked: Asked, line: Line) -> None:
        call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
        if asked.streamed:
            await line.begin()
            await line.event(chunk({"role": "assistant", "content": said, "tool_calls": [{"index": 0, **call}]}))
            await line.event(chunk({}, reason="tool_calls"))
            await line.event("[DONE]")
            await line.end()
        else:
            told = completion(said, tool_calls=[call])
            told["choices"][0]["finish_reason"] = "tool_calls"
            await line.whole(200, json.dumps(told).encode())

    return step


def answers(status: int, body: bytes, headers: Mapping[str, str] = JSON) -> Step:
    """An answer of any kind."""

    async def step(_: Asked, line: Line) -> None:
        await line.whole(status, body, headers)

    return step


def fails(status: int, **headers: str) -> Step:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"error": {"message": "as told", "type": "scripted", "param": None, "code": f"code-{status}"}}
    return answers(status, json.dumps(body).encode(), {**JSON, **named})


async def stays_silent(_: Asked, line: Line) -> None:
    """No answer until the client leaves."""
    await line.gone.wait()


async def hangs_up(_: Asked, line: Line) -> None:
    """No answer, the connection closed."""


def breaks_off_after(*pieces: str) -> Step:
    """A stream that ends in the middle, as when a server is killed."""

    async def step(_: Asked, line: Line) -> None:
        await line.begin()
        for piece in pieces:
            await line.event(chunk({"content": piece}))

    return step


def waits_after(*pieces: str) -> Step:
    """A stream that does not go on until the client leaves."""

    async def step(asked: Asked, line: Line) -> None:
        await line.begin()
        for piece in pieces:
            await line.event(chunk({"content": piece}) if asked.is_chat else delta(piece))
        await line.gone.wait()

    return step


# ── how it says it ────────────────────────────────────────────────────────────────────────────────────────────────────


def completion(text: str | None, id: str = "1", **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None, **more}
    return {
        "id": f"chatcmpl-{id}", "object": "chat.completion", "created": 1_772_366_400, "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }  # fmt: skip


def chunk(delta: dict[str, Any], id: str = "1", *, reason: str | None = None) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{id}", "object": "chat.completion.chunk", "created": 1_772_366_400, "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }  # fmt: skip


def chat_ends(_: str, id: str) -> tuple[list[Any], list[Any]]:
    """What comes before and after the text of a stream."""
    return [chunk({"role": "assistant", "content": ""}, id)], [chunk({}, id, reason="stop"), "[DONE]"]


def response(text: str, id: str = "1", status: str = "completed") -> dict[str, Any]:
    return {
        "id": f"resp_{id}", "object": "response", "created_at": 1_772_366_400, "status": status, "model": "scripted",
        "output": [_item(text, id)] if status == "completed" else [], "parallel_tool_calls": True,
        "tool_choice": "auto", "tools": [],
    }  # fmt: skip


def delta(text: str, id: str = "1") -> dict[str, Any]:
    return {"type": "response.output_text.delta", "sequence_number": 3, **_at(id), "delta": text, "logprobs": []}


def response_ends(text: str, id: str) -> tuple[list[Any], list[Any]]:
    """What comes before and after the text of a stream."""
    opening = [{"type": "response.created", "sequence_number": 0, "response": response("", id, "in_progress")}]
    return opening, [{"type": "response.completed", "sequence_number": 7, "response": response(text, id)}]


def _at(id: str) -> dict[str, Any]:
    return {"item_id": f"msg_{id}", "output_index": 0, "content_index": 0}


def _item(text: str, id: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"id": f"msg_{id}", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
