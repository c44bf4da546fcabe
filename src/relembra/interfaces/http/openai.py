"""OpenAI's formats: requests for chat completions and responses, their replies whole or as events, and our own."""

from __future__ import annotations

import hashlib
import re
import time
import uuid
from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec

from relembra.domain.text import LONGEST_TEXT_BYTES, holds_more_than
from relembra.errors import InvalidInputError
from relembra.ingest.intake import text_of

INSTRUCTING = ("system", "developer")
"""The roles of messages that tell the model what it is to do, and are no part of the talk."""
MOST_VALUES = 200_000
"""In one request: thousands of messages and tools, each described at length."""
DONE = b"[DONE]"
_LINE = re.compile(rb"\r\n|\n|\r")
_BEHIND_AN_EMPTY_LINE = re.compile(rb"(?<=\r\n\r\n)|(?<=\n\n)|(?<=\r\r)")


def plain(text: str) -> str:
    """A text as it is compared: without how it is laid out, and as much of it as could have been kept."""
    return " ".join(text[:LONGEST_TEXT_BYTES].split())


def digest_of(parts: Iterable[object]) -> str:
    """A short name for the same things in the same order."""
    told = hashlib.blake2b(digest_size=16)
    for part in parts:
        written = part.encode() if isinstance(part, str) else msgspec.json.encode(part)
        told.update(len(written).to_bytes(8, "big") + written)
    return told.hexdigest()


async def events_of(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The events of a stream, each with the empty line that ends it, and what is left at its end."""
    rest = b""
    async for piece in pieces:
        *whole, rest = _BEHIND_AN_EMPTY_LINE.split(rest + piece)
        for event in whole:
            yield event
    if rest:
        yield rest


def data_of(event: bytes) -> bytes:
    """The data of an event; none in comments and empty ones."""
    return b"\n".join(line[5:].removeprefix(b" ") for line in _LINE.split(event) if line.startswith(b"data:"))


def event_of(data: bytes, name: str | None = None) -> bytes:
    return (b"" if name is None else b"event: " + name.encode() + b"\n") + b"data: " + data + b"\n\n"


def _read(data: bytes) -> dict[str, Any]:
    """A JSON object of a model's server; empty for anything else."""
    try:
        read = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}
    return read if isinstance(read, dict) else {}


def _objects(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _added(instructions: Any, block: str, part: dict[str, Any]) -> Any:
    """Instructions with a block behind them; where they are a list, with a part that holds it."""
    if isinstance(instructions, list):
        return [*instructions, part]
    return f"{instructions}\n\n{block}" if isinstance(instructions, str) and instructions else block


class Reply:
    """What a model replied, as far as it was read."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.id = ""
        self.finished = False

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def event(self, data: bytes) -> bool:
        """Take in an event's data; whether it is the last one."""
        raise NotImplementedError

    def whole(self, body: bytes) -> None:
        """Take in a reply that came in one piece."""
        raise NotImplementedError


class Requested:
    """A request to a model: who says what, as far as it tells. Fields not changed here go on byte for byte."""

    path: str
    reply: type[Reply]  # reads the model's answer
    thread: str | None = None  # the conversation, where the format has a name for it
    previous: str | None = None  # the reply this one follows, where the format says so
    within: tuple[str, ...] = ()  # what the same talk may be part of

    def __init__(self, body: bytes) -> None:
        if holds_more_than(MOST_VALUES, body):
            raise InvalidInputError(f"the body holds more than {MOST_VALUES:,} values and names; send a shorter talk")
        try:
            self._fields = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as exc:
            raise InvalidInputError("the body is no JSON object; check quotes, commas and the encoding") from exc
        self.model = self.text("model")
        self.user = self.text("user") or None
        self.streamed = self.value("stream") is True
        talk = _objects(self.talk())
        said = [place for place, message in enumerate(talk) if message.get("role") == "user"]
        texts = {place: text_of(talk[place].get("content")) for place in said}
        last = said[-1] if said else -1
        just_now = texts[last] if said and last == len(talk) - 1 else ""
        self.said = just_now if just_now.strip() else None  # None in a round of tools, or where it has no text
        self.asked = next((texts[place] for place in reversed(said) if texts[place].strip()), None)  # to recall by
        self.opening = digest_of([texts[said[0]] or talk[said[0]].get("content")]) if said else ""
        self.digest = digest_of([  # of the talk up to the last thing said, so that the same request twice is one
            *self.within,
            *(
                [message["role"], message.get("content")]
                for message in talk[: last + 1]
                if "role" in message and message["role"] not in INSTRUCTING
            ),
        ])  # fmt: skip
        self.sent = frozenset(plain(text_of(message.get("content"))) for message in talk)
        replies = (text_of(message.get("content")) for message in reversed(talk) if message.get("role") == "assistant")
        # A reply kept earlier may have the digest of the last one the request tells.
        self.answered = next((digest_of([plain(reply)]) for reply in replies if reply.strip()), None)
        name = talk[last].get("name") if said else None
        self.name = name if isinstance(name, str) else None  # how the program calls the person

    def talk(self) -> Any:
        """The messages, oldest first; what else the format says of the talk is noted on the way."""
        raise NotImplementedError

    def value(self, name: str) -> Any:
        """One part, read; None where it is not there."""
        try:
            return msgspec.json.decode(self._fields[name]) if name in self._fields else None
        except RecursionError as exc:
            raise InvalidInputError(f"{name} is nested too deeply", field=name) from exc

    def text(self, name: str) -> str:
        value = _text(self.value(name))
        return value if value.strip() else ""

    def body(self, *, model: str, block: str | None) -> bytes:
        """What to send on: the same but for the model's name, what is remembered, and ids of ours."""
        changed = {"model": model} if model and model != self.model else {}
        changed |= {} if block is None else self.told(block)
        fields = self._fields | {name: msgspec.Raw(msgspec.json.encode(part)) for name, part in changed.items()}
        return msgspec.json.encode(fields)

    def told(self, block: str) -> dict[str, Any]:
        """The parts that tell the model what is remembered."""
        raise NotImplementedError

    def answer(self, text: str) -> bytes:
        """A reply of our own with a text, whole or as a stream."""
        raise NotImplementedError


# ── chat completions ──────────────────────────────────────────────────────────────────────────────────────────────────

_NO_USAGE = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


class ChatReply(Reply):
    """Reads a chat completion; of several choices the first is the reply."""

    def event(self, data: bytes) -> bool:
        if data.strip() == DONE:
            self.finished = True
            return True
        self._take(_read(data), "delta")
        return False

    def whole(self, body: bytes) -> None:
        self._take(_read(body), "message")

    def _take(self, completion: dict[str, Any], part: str) -> None:
        self.id = self.id or _text(completion.get("id"))
        for choice in _objects(completion.get("choices")):
            said = choice.get(part)
            if choice.get("index", 0) == 0 and isinstance(said, dict):
                self.parts.append(text_of(said.get("content")) or _text(said.get("refusal")))
                self.finished = self.finished or choice.get("finish_reason") is not None


class ChatRequest(Requested):
    """A request for a chat completion."""

    path = "chat/completions"
    reply = ChatReply

    def talk(self) -> Any:
        return self.value("messages")

    def told(self, block: str) -> dict[str, Any]:
        """What is remembered at the end of the first message that instructs, or in one before them all."""
        given = self.talk()
        messages = given if isinstance(given, list) else []
        for place, message in enumerate(messages):
            if isinstance(message, dict) and message.get("role") in INSTRUCTING:
                added = _added(message.get("content"), block, {"type": "text", "text": block})
                return {"messages": [*messages[:place], {**message, "content": added}, *messages[place + 1 :]]}
        return {"messages": [{"role": "system", "content": block}, *messages]}

    def answer(self, text: str) -> bytes:
        head = {"id": f"chatcmpl-relembra-{uuid.uuid4().hex}", "created": int(time.time()), "model": self.model}
        if not self.streamed:
            message = {"role": "assistant", "content": text, "refusal": None}
            choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
            return msgspec.json.encode(head | {"object": "chat.completion", "choices": [choice], "usage": _NO_USAGE})
        head["object"] = "chat.completion.chunk"
        chunks: list[dict[str, Any]] = [
            head | {"choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]}
            for delta, reason in (({"role": "assistant", "content": text}, None), ({}, "stop"))
        ]
        options = self.value("stream_options")
        if isinstance(options, dict) and options.get("include_usage") is True:
            chunks.append(head | {"choices": [], "usage": _NO_USAGE})
        return b"".join(event_of(msgspec.json.encode(chunk)) for chunk in chunks) + event_of(DONE)


# ── responses ─────────────────────────────────────────────────────────────────────────────────────────────────────────

OURS = "resp_relembra_"
"""How the id of an answer of our own begins; the id of the reply it follows comes behind, after a dot."""
_LAST = ("response.completed", "response.incomplete", "response.failed", "error")


class ResponsesReply(Reply):
    """Reads a response: the text of its messages."""

    def event(self, data: bytes) -> bool:
        event = _read(data)
        kind = event.get("type")
        if kind in ("response.output_text.delta", "response.refusal.delta"):
            self.parts.append(str(event.get("delta") or ""))
        elif kind == "response.content_part.added" and self.parts:
            self.parts.append("\n")
        elif isinstance(event.get("response"), dict):
            self._take(event["response"])
        return kind in _LAST

    def whole(self, body: bytes) -> None:
        self._take(_read(body))

    def _take(self, response: dict[str, Any]) -> None:
        self.id = str(response.get("id") or self.id)
        messages = [item for item in _objects(response.get("output")) if item.get("type") == "message"]
        parts = [part for message in messages for part in _objects(message.get("content"))]
        texts = [_text(part.get("text" if part.get("type") == "output_text" else "refusal")) for part in parts]
        if any(texts):  # the whole of it, which is surer than its pieces
            self.parts = ["\n".join(text for text in texts if text)]
        self.finished = response.get("status") in ("completed", "incomplete")


class ResponsesRequest(Requested):
    """A request for a response."""

    path = "responses"
    reply = ResponsesReply

    def talk(self) -> Any:
        named = self.value("conversation")
        self.thread = _text(named.get("id") if isinstance(named, dict) else named) or None
        follows = self.text("previous_response_id")
        self.within = (follows,)
        if follows.startswith(OURS):  # an answer of our own, which the model's server does not know
            del self._fields["previous_response_id"]
            if follows := follows.partition(".")[2]:
                self._fields["previous_response_id"] = msgspec.Raw(msgspec.json.encode(follows))
        self.previous = follows or None
        given = self.value("input")
        return [{"role": "user", "content": given}] if isinstance(given, str) else given

    def told(self, block: str) -> dict[str, Any]:
        message = {"role": "developer", "content": block}
        return {"instructions": _added(self.value("instructions"), block, message)}

    def answer(self, text: str) -> bytes:
        id, now = uuid.uuid4().hex, int(time.time())
        part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        item = {"id": f"msg_{id}", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
        begun = {
            "id": f"{OURS}{id}" + (f".{self.previous}" if self.previous else ""),
            "object": "response", "created_at": now, "completed_at": None, "status": "in_progress", "model": self.model,
            "output": [], "previous_response_id": self.previous, "parallel_tool_calls": False, "tool_choice": "none",
            "tools": [], "usage": None,
        }  # fmt: skip
        whole = begun | {"status": "completed", "completed_at": now, "output": [item]}
        if not self.streamed:
            return msgspec.json.encode(whole)
        at_item = {"output_index": 0}
        at_part = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        events: list[tuple[str, dict[str, Any]]] = [
            ("response.created", {"response": begun}),
            ("response.output_item.added", at_item | {"item": item | {"status": "in_progress", "content": []}}),
            ("response.content_part.added", at_part | {"part": part | {"text": ""}}),
            ("response.output_text.delta", at_part | {"delta": text, "logprobs": []}),
            ("response.output_text.done", at_part | {"text": text, "logprobs": []}),
            ("response.content_part.done", at_part | {"part": part}),
            ("response.output_item.done", at_item | {"item": item}),
            ("response.completed", {"response": whole}),
        ]
        return b"".join(
            event_of(msgspec.json.encode({"type": kind, "sequence_number": number} | rest), kind)
            for number, (kind, rest) in enumerate(events)
        )
