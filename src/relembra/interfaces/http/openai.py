"""OpenAI's formats: requests for chat completions and responses, their replies whole or as events, and our own."""

from __future__ import annotations

import hashlib
import re
import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from relembra.domain.text import LONGEST_TEXT_BYTES, holds_more_than
from relembra.errors import InvalidInputError
from relembra.ingest.intake import text_of

Fields = dict[str, msgspec.Raw]

INSTRUCTING = ("system", "developer")
"""The roles of messages that tell the model what it is to do, and are no part of the talk."""

LONGEST_QUERY = 4_000
"""Characters of what was said that are looked up; a text pasted along with a question tells little more."""

MOST_VALUES = 200_000
"""In one request: thousands of messages and tools, each described at length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Who says what, as far as a request tells."""

    model: str
    user: str | None
    streamed: bool
    said: str | None  # by the person just now; None in a round of tools, or where it has no text
    asked: str | None  # the last thing they said, to recall by
    opening: str  # the first thing they said
    digest: str  # of the talk up to the last thing they said, so that the same request twice is one
    sent: frozenset[str]  # what the request tells the model itself, folded by `plain`
    answered: str | None = None  # the digest of the last reply the request tells, which a reply kept earlier may have
    thread: str | None = None  # the conversation, where the wire format has a name for it
    previous: str | None = None  # the reply this one follows, where the wire format says so
    name: str | None = None  # how the program calls the person


def fields_of(body: bytes) -> Fields:
    """The parts of a JSON object, each as it stands."""
    if holds_more_than(MOST_VALUES, body):
        raise InvalidInputError(f"the body holds more than {MOST_VALUES:,} values and names; send a shorter talk")
    try:
        return msgspec.json.decode(body, type=Fields)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as exc:
        raise InvalidInputError("the body is no JSON object; check quotes, commas and the encoding") from exc


def value_of(fields: Fields, name: str) -> Any:
    """One part, read; None where it is not there."""
    raw = fields.get(name)
    if raw is None:
        return None
    try:
        return msgspec.json.decode(raw)
    except RecursionError as exc:
        raise InvalidInputError(f"{name} is nested too deeply", field=name) from exc


def text_field(fields: Fields, name: str) -> str | None:
    value = value_of(fields, name)
    return value if isinstance(value, str) and value.strip() else None


def raw_of(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


def addressed(fields: Fields, model: str) -> Fields:
    """The parts of a request, to a model by the name it has where they are sent."""
    return fields | ({"model": raw_of(model)} if model and model != text_field(fields, "model") else {})


def turn_of(
    fields: Fields, told: Sequence[Any], *, within: Sequence[str] = (), thread: str | None = None, previous: str = ""
) -> Turn:
    """What a request means, from its parts and its talk; `within` names what else the same talk may be part of."""
    talk = [message for message in told if isinstance(message, dict)]
    said = [place for place, message in enumerate(talk) if message.get("role") == "user"]
    texts = {place: text_of(talk[place].get("content")) for place in said}
    last = said[-1] if said else -1
    just_now = texts[last] if said and last == len(talk) - 1 else ""
    before = [
        [message["role"], message.get("content")]
        for message in talk[: last + 1]
        if "role" in message and message["role"] not in INSTRUCTING
    ]
    replies = (text_of(message.get("content")) for message in reversed(talk) if message.get("role") == "assistant")
    return Turn(
        model=text_field(fields, "model") or "",
        user=text_field(fields, "user"),
        streamed=value_of(fields, "stream") is True,
        said=just_now if just_now.strip() else None,
        asked=next((texts[place] for place in reversed(said) if texts[place].strip()), None),
        opening=digest_of([texts[said[0]] or talk[said[0]].get("content")]) if said else "",
        digest=digest_of([*within, *before]),
        sent=frozenset(plain(text_of(message.get("content"))) for message in talk),
        answered=next((digest_of([plain(reply)]) for reply in replies if reply.strip()), None),
        thread=thread,
        previous=previous or None,
        name=name if said and isinstance(name := talk[last].get("name"), str) else None,
    )


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


DONE = b"[DONE]"
_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_LINE = re.compile(rb"\r\n|\n|\r")


class Events:
    """Puts pieces of a stream together until an event is whole."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, piece: bytes) -> list[bytes]:
        """The events that are whole now, each with the empty line that ends it."""
        held = self._rest + piece
        whole: list[bytes] = []
        start = 0
        for end in _END.finditer(held, max(0, len(self._rest) - 3)):
            whole.append(held[start : end.end()])
            start = end.end()
        self._rest = held[start:]
        return whole

    def rest(self) -> bytes:
        """What came and is not a whole event."""
        rest, self._rest = self._rest, b""
        return rest


def data_of(event: bytes) -> bytes | None:
    """The data of an event; None for comments and empty ones."""
    lines = [line[5:].removeprefix(b" ") for line in _LINE.split(event) if line.startswith(b"data:")]
    return b"\n".join(lines) if lines else None


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
        self._parts: list[str] = []
        self.id = ""
        self.finished = False

    @property
    def text(self) -> str:
        return "".join(self._parts)


# ── chat completions ──────────────────────────────────────────────────────────────────────────────────────────────────


class ChatRequest:
    """A request for a chat completion. Fields that are not changed here go on byte for byte."""

    path = "chat/completions"

    def __init__(self, body: bytes) -> None:
        self._fields: Fields = fields_of(body)
        given = value_of(self._fields, "messages")
        self._messages: list[Any] = given if isinstance(given, list) else []
        self.turn = turn_of(self._fields, self._messages)

    def body(self, *, model: str, block: str | None) -> bytes:
        """What to send on: the same but for the model's name and what is remembered."""
        fields = addressed(self._fields, model)
        if block is not None:
            fields["messages"] = raw_of(_instructed(self._messages, block))
        return msgspec.json.encode(fields)

    def reply(self) -> ChatReply:
        return ChatReply()

    def answer(self, text: str) -> bytes:
        """A reply of our own with a text, whole or as a stream."""
        head = {"id": f"chatcmpl-relembra-{uuid.uuid4().hex}", "created": int(time.time()), "model": self.turn.model}
        if not self.turn.streamed:
            message = {"role": "assistant", "content": text, "refusal": None}
            choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
            return msgspec.json.encode(head | {"object": "chat.completion", "choices": [choice], "usage": _NO_USAGE})
        head["object"] = "chat.completion.chunk"
        parts = [({"role": "assistant", "content": text}, None), ({}, "stop")]
        chunks: list[dict[str, Any]] = [
            head | {"choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]}
            for delta, reason in parts
        ]
        options = value_of(self._fields, "stream_options")
        if isinstance(options, dict) and options.get("include_usage") is True:
            chunks.append(head | {"choices": [], "usage": _NO_USAGE})
        return b"".join(event_of(msgspec.json.encode(chunk)) for chunk in chunks) + event_of(DONE)


_NO_USAGE = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


def _instructed(messages: list[Any], block: str) -> list[Any]:
    """The messages with what is remembered at the end of the first that instructs, or in one before them all."""
    for place, message in enumerate(messages):
        if isinstance(message, dict) and message.get("role") in INSTRUCTING:
            added = _added(message.get("content"), block, {"type": "text", "text": block})
            return [*messages[:place], {**message, "content": added}, *messages[place + 1 :]]
    return [{"role": "system", "content": block}, *messages]


class ChatReply(Reply):
    """Reads a chat completion; of several choices the first is the reply."""

    def event(self, data: bytes) -> bool:
        """Take in an event's data; whether it is the last one."""
        if data.strip() == DONE:
            self.finished = True
            return True
        self._take(_read(data), "delta")
        return False

    def whole(self, body: bytes) -> None:
        """Take in a reply that came in one piece."""
        self._take(_read(body), "message")

    def _take(self, completion: dict[str, Any], part: str) -> None:
        self.id = self.id or _text(completion.get("id"))
        for choice in _objects(completion.get("choices")):
            if choice.get("index", 0) == 0:
                said = choice.get(part)
                if isinstance(said, dict):
                    self._parts.append(text_of(said.get("content")) or _text(said.get("refusal")))
                self.finished = self.finished or choice.get("finish_reason") is not None


# ── responses ─────────────────────────────────────────────────────────────────────────────────────────────────────────

OURS = "resp_relembra_"
"""How the id of an answer of our own begins; the id of the reply it follows comes behind, after a dot."""
_LAST = ("response.completed", "response.incomplete", "response.failed", "error")


class ResponsesRequest:
    """A request for a response. Fields that are not changed here go on byte for byte."""

    path = "responses"

    def __init__(self, body: bytes) -> None:
        self._fields: Fields = fields_of(body)
        given = value_of(self._fields, "input")
        items = [{"role": "user", "content": given}] if isinstance(given, str) else given
        previous = text_field(self._fields, "previous_response_id") or ""
        thread = value_of(self._fields, "conversation")
        named = thread.get("id") if isinstance(thread, dict) else thread
        self.turn = turn_of(
            self._fields,
            items if isinstance(items, list) else [],
            within=[previous],
            thread=_text(named) or None,
            previous=_followed_by(previous),
        )

    def body(self, *, model: str, block: str | None) -> bytes:
        """What to send on: the same but for the model's name, what is remembered, and ids of ours."""
        fields = addressed(self._fields, model)
        if block is not None:
            message = {"role": "developer", "content": block}
            fields["instructions"] = raw_of(_added(value_of(fields, "instructions"), block, message))
        if (previous := text_field(fields, "previous_response_id")) and previous.startswith(OURS):
            del fields["previous_response_id"]
            if followed := _followed_by(previous):
                fields["previous_response_id"] = raw_of(followed)
        return msgspec.json.encode(fields)

    def reply(self) -> ResponsesReply:
        return ResponsesReply()

    def answer(self, text: str) -> bytes:
        """A reply of our own with a text, whole or as a stream."""
        whole = _response(uuid.uuid4().hex, self.turn.model, text, self.turn.previous)
        if not self.turn.streamed:
            return msgspec.json.encode(whole)
        item = whole["output"][0]
        part = item["content"][0]
        begun = whole | {"status": "in_progress", "completed_at": None, "output": [], "usage": None}
        at_item = {"output_index": 0}
        at_part = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        events: list[tuple[str, dict[str, Any]]] = [
            ("response.created", {"response": begun}),
            ("response.in_progress", {"response": begun}),
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


def _followed_by(id: str) -> str:
    """A reply by its id; for an answer of our own the reply it came after, empty where it was the first."""
    return id.removeprefix(OURS).partition(".")[2] if id.startswith(OURS) else id


def _response(id: str, model: str, text: str, previous: str | None) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    item = {"id": f"msg_{id}", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    now = int(time.time())
    return {
        "id": f"{OURS}{id}" + (f".{previous}" if previous else ""),
        "object": "response",
        "created_at": now,
        "completed_at": now,
        "status": "completed",
        "model": model,
        "output": [item],
        "previous_response_id": previous,
        "parallel_tool_calls": False,
        "tool_choice": "none",
        "tools": [],
        "usage": {
            "input_tokens": 0,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 0,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 0,
        },
    }


class ResponsesReply(Reply):
    """Reads a response: the text of its messages."""

    def event(self, data: bytes) -> bool:
        """Take in an event's data; whether it is the last one."""
        event = _read(data)
        kind = event.get("type")
        if kind in ("response.output_text.delta", "response.refusal.delta"):
            self._parts.append(str(event.get("delta") or ""))
        elif kind == "response.content_part.added" and self._parts:
            self._parts.append("\n")
        elif isinstance(event.get("response"), dict):
            self._take(event["response"])
        return kind in _LAST

    def whole(self, body: bytes) -> None:
        """Take in a reply that came in one piece."""
        self._take(_read(body))

    def _take(self, response: dict[str, Any]) -> None:
        self.id = str(response.get("id") or self.id)
        messages = [item for item in _objects(response.get("output")) if item.get("type") == "message"]
        parts = [part for message in messages for part in _objects(message.get("content"))]
        texts = [_text(part.get("text" if part.get("type") == "output_text" else "refusal")) for part in parts]
        if any(texts):  # the whole of it, which is surer than its pieces
            self._parts = ["\n".join(text for text in texts if text)]
        self.finished = response.get("status") in ("completed", "incomplete")


Requested = ChatRequest | ResponsesRequest
Replying = ChatReply | ResponsesReply
