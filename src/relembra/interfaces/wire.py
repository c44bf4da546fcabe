"""What chat clients and model services say to each other: chat completions and responses, whole or as events."""

from __future__ import annotations

import re
import time
import uuid
from typing import Any

import msgspec

from relembra.ingest.intake import text_of
from relembra.interfaces.times import message_without_trailer
from relembra.interfaces.turns import (
    INSTRUCTING,
    Fields,
    Turn,
    addressed,
    fields_of,
    raw_of,
    text_field,
    turn_of,
    value_of,
)

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
        """What came and is no whole event."""
        rest, self._rest = self._rest, b""
        return rest


def data_of(event: bytes) -> bytes | None:
    """What an event says; None for comments and empty ones."""
    lines = [line[5:].removeprefix(b" ") for line in _LINE.split(event) if line.startswith(b"data:")]
    return b"\n".join(lines) if lines else None


def event_of(data: bytes, name: str | None = None) -> bytes:
    """An event that says this."""
    return (b"" if name is None else b"event: " + name.encode() + b"\n") + b"data: " + data + b"\n\n"


# ── chat completions ──────────────────────────────────────────────────────────────────────────────────────────────────


class ChatRequest:
    """A request for a chat completion. Fields nobody here changes go on byte for byte."""

    path = "chat/completions"

    def __init__(self, body: bytes) -> None:
        self._fields: Fields = fields_of(body)
        given = value_of(self._fields, "messages")
        self._messages: list[Any] = given if isinstance(given, list) else []
        self._told = [message_without_trailer(message) for message in self._messages]
        self.turn = turn_of(self._fields, self._told)

    def body(self, *, model: str, block: str | None) -> bytes:
        """What to send on: the same but for the model's name, what is remembered, and trailers of ours."""
        fields = addressed(self._fields, model)
        told = list(self._told) if block is None else _instructed(self._told, block)
        if told != self._messages:
            fields["messages"] = raw_of(told)
        return msgspec.json.encode(fields)

    def reply(self) -> ChatReply:
        return ChatReply()

    def answer(self, text: str) -> bytes:
        """A reply of our own that says a text, whole or as a stream."""
        id, model = uuid.uuid4().hex, self.turn.model
        if not self.turn.streamed:
            return completion(id, model, text)
        options = value_of(self._fields, "stream_options")
        usage = isinstance(options, dict) and options.get("include_usage") is True
        return completion_events(id, model, text, usage=usage)


def _instructed(messages: list[Any], block: str) -> list[Any]:
    """The messages with what is remembered at the end of the first that instructs, or in one before them all."""
    for place, message in enumerate(messages):
        if isinstance(message, dict) and message.get("role") in INSTRUCTING:
            content = message.get("content")
            if isinstance(content, list):
                added: Any = [*content, {"type": "text", "text": block}]
            else:
                added = f"{content}\n\n{block}" if isinstance(content, str) and content else block
            return [*messages[:place], {**message, "content": added}, *messages[place + 1 :]]
    return [{"role": "system", "content": block}, *messages]


class _Said(msgspec.Struct):
    content: Any = None
    refusal: Any = None


class _Choice(msgspec.Struct):
    index: Any = 0
    delta: _Said | None = None
    message: _Said | None = None
    finish_reason: Any = None


class _Completion(msgspec.Struct):
    id: Any = ""
    created: Any = 0
    model: Any = ""
    choices: list[_Choice] = []


class ChatReply:
    """Reads a chat completion; of several choices the first is the reply."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.id = ""
        self.finished = False
        self._calls_tools = False
        self._seen = _Completion()
        self._trailed = False

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def event(self, data: bytes) -> bool:
        """Take in what an event says; whether it is the last one."""
        if data.strip() == DONE:
            self.finished = True
            return True
        if (chunk := _read(data)) is not None:
            self._seen = chunk
            self.id = self.id or _text(chunk.id)
            for choice in chunk.choices:
                if choice.index == 0:
                    self._parts.append(_said(choice.delta))
                    self._finish(choice.finish_reason)
        return False

    def whole(self, body: bytes) -> None:
        """Take in a reply that came in one piece."""
        if (reply := _read(body)) is not None:
            self.id = _text(reply.id)
            for choice in reply.choices:
                if choice.index == 0:
                    self._parts = [_said(choice.message)]
                    self._finish(choice.finish_reason)

    def trailed(self, event: bytes, trailer: str) -> bytes:
        """An event as it is sent where a line is to follow the text: with the line before the end of the choice."""
        data = data_of(event)
        chunk = None if self._trailed or data is None or data.strip() == DONE else _read(data)
        for choice in () if chunk is None else chunk.choices:
            if choice.index == 0 and choice.finish_reason is not None and not self._calls_tools:
                self._trailed = True
                return event + self._more(trailer) if _said(choice.delta) else self._more(trailer) + event
        return event

    def trailed_whole(self, body: bytes, trailer: str) -> bytes:
        """A reply in one piece with a line after its text."""
        fields = fields_of(body)
        choices = value_of(fields, "choices")
        for choice in choices:
            message = choice["message"]
            if choice.get("index", 0) == 0 and isinstance(message.get("content"), str) and not self._calls_tools:
                message["content"] += trailer
        return msgspec.json.encode({**fields, "choices": raw_of(choices)})

    def _more(self, text: str) -> bytes:
        """An event that adds a text to the reply."""
        chunk = {
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self._seen.created,
            "model": self._seen.model,
            "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}],
        }
        return event_of(msgspec.json.encode(chunk))

    def _finish(self, reason: object) -> None:
        self.finished = self.finished or reason is not None
        self._calls_tools = self._calls_tools or reason in ("tool_calls", "function_call")


def _read(data: bytes) -> _Completion | None:
    try:
        return msgspec.json.decode(data, type=_Completion)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def _said(said: _Said | None) -> str:
    return "" if said is None else text_of(said.content) or _text(said.refusal)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


# ── replies of our own ────────────────────────────────────────────────────────────────────────────────────────────────


def completion(id: str, model: str, text: str) -> bytes:
    """A completion that says a text, for what is answered here."""
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    return msgspec.json.encode(_headed(id, model, "chat.completion") | {"choices": [choice], "usage": _NO_USAGE})


def completion_events(id: str, model: str, text: str, *, usage: bool) -> bytes:
    """The same as a stream."""
    head = _headed(id, model, "chat.completion.chunk")
    deltas: list[tuple[dict[str, Any], str | None]] = [({"role": "assistant", "content": text}, None), ({}, "stop")]
    chunks: list[dict[str, Any]] = [
        head | {"choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]}
        for delta, reason in deltas
    ]
    if usage:
        chunks.append(head | {"choices": [], "usage": _NO_USAGE})
    return b"".join(event_of(msgspec.json.encode(chunk)) for chunk in chunks) + event_of(DONE)


_NO_USAGE = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


def _headed(id: str, model: str, object: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-relembra-{id}", "object": object, "created": int(time.time()), "model": model}


OURS = "resp_relembra_"
"""What the id of an answer of our own begins with; the id of the reply it follows comes behind, after a dot."""

_LAST = ("response.completed", "response.incomplete", "response.failed", "error")


class ResponsesRequest:
    """A request for a response. Fields nobody here changes go on byte for byte."""

    path = "responses"

    def __init__(self, body: bytes) -> None:
        self._fields: Fields = fields_of(body)
        given = value_of(self._fields, "input")
        items = [{"role": "user", "content": given}] if isinstance(given, str) else given
        self._items: list[Any] = items if isinstance(items, list) else []
        self._told = [message_without_trailer(item) for item in self._items]
        self.turn = self._turn()

    def body(self, *, model: str, block: str | None) -> bytes:
        """What to send on: the same but for the model's name, what is remembered, and what is ours alone."""
        fields = addressed(self._fields, model)
        if block is not None:
            fields["instructions"] = raw_of(_response_instructed(value_of(fields, "instructions"), block))
        if self._told != self._items:
            fields["input"] = raw_of(self._told)
        if (previous := text_field(fields, "previous_response_id")) and previous.startswith(OURS):
            del fields["previous_response_id"]
            if followed := followed_by(previous):
                fields["previous_response_id"] = raw_of(followed)
        return msgspec.json.encode(fields)

    def reply(self) -> ResponsesReply:
        return ResponsesReply()

    def answer(self, text: str) -> bytes:
        """A reply of our own that says a text, whole or as a stream."""
        made = response_events if self.turn.streamed else response
        return made(uuid.uuid4().hex, self.turn.model, text, self.turn.previous)

    def _turn(self) -> Turn:
        previous = text_field(self._fields, "previous_response_id") or ""
        thread = value_of(self._fields, "conversation")
        named = thread.get("id") if isinstance(thread, dict) else thread
        return turn_of(
            self._fields,
            self._told,
            within=[previous],
            thread=named if isinstance(named, str) and named else None,
            previous=followed_by(previous) if previous.startswith(OURS) else previous,
        )


def followed_by(ours: str) -> str:
    """The reply an answer of our own came after, by the answer's id; empty where it was the first."""
    return ours.removeprefix(OURS).partition(".")[2]


def _response_instructed(instructions: Any, block: str) -> Any:
    if isinstance(instructions, list):
        return [*instructions, {"role": "developer", "content": block}]
    return f"{instructions}\n\n{block}" if isinstance(instructions, str) and instructions else block


class ResponsesReply:
    """Reads a response: what its messages say."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.id = ""
        self.finished = False
        self._trailed: tuple[str, int] | None = None  # the part the trailer was put behind

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def event(self, data: bytes) -> bool:
        """Take in what an event says; whether it is the last one."""
        told = _response_read(data)
        kind = told.get("type")
        if kind in ("response.output_text.delta", "response.refusal.delta"):
            self._parts.append(str(told.get("delta") or ""))
        elif kind == "response.content_part.added" and self._parts:
            self._parts.append("\n")
        elif isinstance(told.get("response"), dict):
            self._take(told["response"])
        return kind in _LAST

    def whole(self, body: bytes) -> None:
        """Take in a reply that came in one piece."""
        self._take(_response_read(body))

    def _take(self, response: dict[str, Any]) -> None:
        self.id = str(response.get("id") or self.id)
        output = response.get("output")
        items = [item for item in output if isinstance(item, dict)] if isinstance(output, list) else []
        texts = [_response_said(part) for item in items if item.get("type") == "message" for part in _content(item)]
        if any(texts):  # the whole of it, which is surer than its pieces
            self._parts = ["\n".join(text for text in texts if text)]
        self.finished = response.get("status") in ("completed", "incomplete")

    def trailed(self, event: bytes, trailer: str) -> bytes:
        """An event as it is sent where a line is to follow the text: in every event that tells the text's end."""
        told = _response_read(data_of(event) or b"")
        kind = told.get("type")
        if self._trailed is None and kind != "response.output_text.done":
            return event
        before = b""
        if self._trailed is None:
            self._trailed = (str(told.get("item_id")), int(told.get("content_index") or 0))
            more = {name: value for name, value in told.items() if name != "text"}
            more |= {"type": "response.output_text.delta", "delta": trailer}
            before = event_of(msgspec.json.encode(more), "response.output_text.delta")
        if isinstance(told.get("sequence_number"), int):
            told["sequence_number"] += 1
        id, index = self._trailed
        for holder in _holders(told, id, index):
            holder["text"] = f"{holder.get('text') or ''}{trailer}"
        return before + event_of(msgspec.json.encode(told), str(kind))

    def trailed_whole(self, body: bytes, trailer: str) -> bytes:
        """A reply in one piece with a line after its text."""
        told = _response_read(body)
        for item in reversed(told.get("output") or []):
            texts = [part for part in _content(item) if part.get("type") == "output_text"]
            if item.get("type") == "message" and texts:
                texts[-1]["text"] = f"{texts[-1].get('text') or ''}{trailer}"
                return msgspec.json.encode(told)
        return body


def _holders(told: dict[str, Any], id: str, index: int) -> list[dict[str, Any]]:
    """Where an event tells the whole text of a part."""
    kind = told.get("type")
    if told.get("item_id") == id and told.get("content_index") == index:
        if kind == "response.output_text.done":
            return [told]
        part = told.get("part")
        return [part] if kind == "response.content_part.done" and isinstance(part, dict) else []
    items: list[Any] = []
    if kind == "response.output_item.done":
        items = [told.get("item")]
    elif isinstance(told.get("response"), dict):
        items = told["response"].get("output") or []
    mine = [item for item in items if isinstance(item, dict) and item.get("id") == id]
    return [part for item in mine for part in _content(item)[index : index + 1]]


def _content(item: dict[str, Any]) -> list[dict[str, Any]]:
    content = item.get("content")
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _response_said(part: dict[str, Any]) -> str:
    said = part.get("text") if part.get("type") == "output_text" else part.get("refusal")
    return said if isinstance(said, str) else ""


def _response_read(data: bytes) -> dict[str, Any]:
    try:
        told = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}
    return told if isinstance(told, dict) else {}


# ── replies of our own ────────────────────────────────────────────────────────────────────────────────────────────────


def response(id: str, model: str, text: str, previous: str | None = None) -> bytes:
    """A response that says a text, for what is answered here."""
    return msgspec.json.encode(_response(id, model, text, previous))


def response_events(id: str, model: str, text: str, previous: str | None = None) -> bytes:
    """The same as a stream."""
    whole = _response(id, model, text, previous)
    item = whole["output"][0]
    part = item["content"][0]
    begun = whole | {"status": "in_progress", "completed_at": None, "output": [], "usage": None}
    at_item = {"output_index": 0}
    at_part = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    told: list[tuple[str, dict[str, Any]]] = [
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
        for number, (kind, rest) in enumerate(told)
    )


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
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": False,
        "temperature": None,
        "tool_choice": "none",
        "tools": [],
        "top_p": None,
        "usage": {
            "input_tokens": 0,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 0,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 0,
        },
    }


Requested = ChatRequest | ResponsesRequest
Replying = ChatReply | ResponsesReply
