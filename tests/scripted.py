"""A stand-in for a language model's server: real HTTP on loopback, and every reply is written in a script.

It speaks OpenAI's chat completions (`/v1/chat/completions`) and Anthropic's messages (`/v1/messages`), counts calls and
tokens, and can fail in every way a real one does. For tests and benches only; it understands nothing. `reading` opens a
model-backed reader on it, with a stand-in for the offline reader beside, and `modelled` a memory whose offline reader
reads its notation alone, so that what is learnt from plain words is the model's.
"""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

from memories import Clock, a_memory, a_store
from readers import NotationReader
from relembra import Memory
from relembra.domain.candidate import Comparison, Digest, Effect, NoteText, Spent, Talk
from relembra.domain.message import Message
from relembra.minds.llm import ModelReader

KEY = "sk-very-secret"
Wire = Literal["openai", "anthropic"]
LONGEST_SILENCE_SECONDS = 30


@dataclass(frozen=True)
class Request:
    """What the server was asked."""

    wire: Wire
    path: str
    headers: dict[str, str]  # names in small letters
    body: dict[str, Any]

    @cached_property
    def system(self) -> str:
        """The instructions."""
        if self.wire == "anthropic":
            return _text_of(self.body.get("system", ""))
        return "\n".join(_text_of(m["content"]) for m in self.body["messages"] if m["role"] in ("system", "developer"))

    @cached_property
    def user(self) -> str:
        """The data."""
        return "\n".join(_text_of(m["content"]) for m in self.body["messages"] if m["role"] == "user")

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The JSON lines in the data."""
        return [json.loads(line) for line in self.user.split("\n") if line.startswith("{")]

    @property
    def tokens(self) -> int:
        """A count for the bill: about four characters a token."""
        return (len(self.system) + len(self.user)) // 4

    @property
    def tool(self) -> str:
        """The name of the function the reply is to be given to."""
        first = self.body["tools"][0]
        return str(first["function"]["name"] if self.wire == "openai" else first["name"])


@dataclass(frozen=True)
class Said:
    """A reply: `arguments` for the function, `text`, or a refusal."""

    arguments: str | None = None  # JSON, or something that should have been
    text: str | None = None
    refusal: str | None = None
    cut: bool = False  # at the most output tokens allowed


@dataclass(frozen=True)
class Raw:
    """An HTTP answer, whatever it says."""

    status: int
    content: bytes = b'{"error": {"message": "as told", "type": "scripted"}}'
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Silence:
    """No answer, the connection held open."""


@dataclass(frozen=True)
class Dropped:
    """No answer, the connection closed."""


Answer = Said | Raw | Silence | Dropped
Step = Callable[[Request], Answer] | Answer


def structured(value: object) -> Said:
    """The value, given to the function that was offered."""
    return Said(arguments=json.dumps(value, ensure_ascii=False))


def spoken(text: str) -> Said:
    return Said(text=text)


def rate_limited(retry_after: str | None = None) -> Raw:
    return Raw(429, headers={} if retry_after is None else {"Retry-After": retry_after})


def failing(status: int = 500) -> Raw:
    return Raw(status)


def broken_body() -> Raw:
    """HTTP says all is well; the JSON stops in the middle."""
    return Raw(200, b'{"id": "x", "choices": [{"mess', {"Content-Type": "application/json"})


def broken_arguments() -> Said:
    return Said(arguments='{"title": "A walk", "summ')


def wrong_schema() -> Said:
    return structured({"unexpected": ["shape"]})


def refusal() -> Said:
    return Said(refusal="I would rather not.")


def empty() -> Said:
    return Said(text="")


def too_long() -> Said:
    return Said(arguments='{"title": "A wa', cut=True)


class ScriptedModel:
    """The server. `steps` answer one request each, the last one for ever."""

    def __init__(self, *steps: Step) -> None:
        self.steps: list[Step] = list(steps) or [empty()]
        self.requests: list[Request] = []
        self.input_tokens = self.output_tokens = 0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def calls(self) -> int:
        return len(self.requests)

    @property
    def url(self) -> str:
        """The base for OpenAI's protocol."""
        return f"{self.root}/v1"

    @property
    def root(self) -> str:
        """The base for Anthropic's."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def script(self, *steps: Step) -> None:
        self.steps = list(steps)

    def afresh(self, *steps: Step) -> None:
        """A new script, with calls and tokens counted anew."""
        self.steps = list(steps)
        self.requests = []
        self.input_tokens = self.output_tokens = 0

    def answer(self, request: Request) -> Answer:
        with self._lock:
            self.requests.append(request)
            step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        answer = step(request) if callable(step) else step
        if isinstance(answer, Said):
            with self._lock:
                self.input_tokens += request.tokens
                self.output_tokens += _tokens(answer)
        return answer

    def wait(self) -> None:
        """Until the server stops."""
        self._over.wait(LONGEST_SILENCE_SECONDS)

    def stop(self) -> None:
        self._over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextmanager
def scripted(*steps: Step) -> Iterator[ScriptedModel]:
    """A server for as long as the block lasts."""
    server = ScriptedModel(*steps)
    try:
        yield server
    finally:
        server.stop()


class StandInReader:
    """An offline reader that says the same of every talk, and is in doubt about every pair but those about the sun."""

    name = "stand-in"

    def __init__(self) -> None:
        self.closed = False

    async def digest(self, talk: Talk) -> Digest:
        return Digest(note=NoteText(title="Small talk", summary=f"{len(talk.messages)} messages."))

    async def working_summary(self, talk: Talk, previous: str | None) -> str:
        return previous or "Nothing yet."

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        return [Comparison(contradicts=0.0 if "sun" in new.lower() else 0.5, same=0.0) for _, new in pairs]

    async def effects(self, talk: Talk, message: Message, known: Sequence[str]) -> list[Effect]:
        return [Effect(ends=1.0)] * len(known)

    def spent(self) -> list[Spent]:
        return []

    async def close(self) -> None:
        self.closed = True


async def all_worth(messages: Sequence[Message]) -> list[bool]:
    """A gate that lets everything through."""
    return [True] * len(messages)


@asynccontextmanager
async def reading(server: ScriptedModel, **options: Any) -> AsyncIterator[ModelReader]:
    """A reader whose model is the server, for as long as the block lasts."""
    ordinary: dict[str, Any] = {
        "offline": StandInReader(), "fast": "openai:fast-1", "deep": "openai:deep-1", "base_url": server.url,
        "api_key": KEY, "worth": all_worth, "timeout_seconds": 10.0,
    }  # fmt: skip
    given = ordinary | options
    reader = ModelReader(given.pop("offline"), **given)
    try:
        yield reader
    finally:
        await reader.close()
        await reader.close()


@asynccontextmanager
async def modelled(folder: Path, clock: Clock, *steps: Step) -> AsyncIterator[Memory]:
    """A memory whose model says what is written here."""
    here = NotationReader()
    with scripted(*steps) as server:
        async with (
            reading(server, offline=here) as model,
            a_memory(await a_store("sqlite", folder), clock=clock, reader=here, model=model) as memory,
        ):
            yield memory


def _handler(script: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            wire: Wire = "anthropic" if self.path.partition("?")[0].endswith("/messages") else "openai"
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(wire, self.path, headers, body)
            match script.answer(request):
                case Silence():
                    script.wait()
                    self.close_connection = True
                case Dropped():
                    self.close_connection = True
                case Raw(status, content, headers):
                    self._send(status, headers, content)
                case Said() as said:
                    told = completion(request, said) if wire == "openai" else _message(request, said)
                    self._send(200, {"Content-Type": "application/json"}, json.dumps(told).encode())

        def _send(self, status: int, headers: dict[str, str], content: bytes) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


def completion(request: Request, said: Said) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    if said.arguments is not None:
        called = {"name": request.tool, "arguments": said.arguments}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": called}]
    finish = "length" if said.cut else "stop" if said.arguments is None else "tool_calls"
    given, got = request.tokens, _tokens(said)
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_772_366_400, "model": request.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": given, "completion_tokens": got, "total_tokens": given + got},
    }  # fmt: skip


def _message(request: Request, said: Said) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if said.text:
        content.append({"type": "text", "text": said.text})
    if said.arguments is not None:
        try:
            given = json.loads(said.arguments)
        except json.JSONDecodeError:
            given = {}  # this wire has no room for arguments that are no JSON
        content.append({"type": "tool_use", "id": "toolu_1", "name": request.tool, "input": given})
    reason = "refusal" if said.refusal else "end_turn" if said.arguments is None else "tool_use"
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": request.body["model"], "content": content,
        "stop_reason": "max_tokens" if said.cut else reason, "stop_sequence": None,
        "usage": {"input_tokens": request.tokens, "output_tokens": _tokens(said)},
    }  # fmt: skip


def _tokens(said: Said) -> int:
    return len(f"{said.arguments or ''}{said.text or ''}{said.refusal or ''}") // 4


def _text_of(content: str | Sequence[dict[str, Any]]) -> str:
    """Both protocols allow a text, or a list of parts."""
    return content if isinstance(content, str) else "\n".join(str(part.get("text", "")) for part in content)
