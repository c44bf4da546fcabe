"""Chat completions, as OpenAI's clients speak them: requests read and added to, replies read as they go by."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from relembra.interfaces.event_stream import data_of, event_of
from relembra.interfaces.trailers import message_without_trailer
from relembra.interfaces.turns import INSTRUCTING, Fields, addressed, fields_of, raw_of, turn_of, value_of
from relembra.listen.intake import text_of

__all__ = ["ChatReply", "ChatRequest", "completion", "completion_events"]

DONE = b"[DONE]"


class ChatRequest:
    """A request for a chat completion. Fields nobody here changes go on byte for byte."""

    def __init__(self, body: bytes) -> None:
        self._fields: Fields = fields_of(body)
        given = value_of(self._fields, "messages")
        self._messages: list[Any] = given if isinstance(given, list) else []
        self._told = [message_without_trailer(message) for message in self._messages]
        self.turn = turn_of(self._fields, self._told)

    @property
    def wants_usage(self) -> bool:
        options = value_of(self._fields, "stream_options")
        return isinstance(options, dict) and options.get("include_usage") is True

    def body(self, *, model: str, block: str | None) -> bytes:
        """What to send on: the same but for the model's name, what is remembered, and trailers of ours."""
        fields = addressed(self._fields, model)
        told = list(self._told) if block is None else _instructed(self._told, block)
        if told != self._messages:
            fields["messages"] = raw_of(told)
        return msgspec.json.encode(fields)


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
        self.calls_tools = False
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
            if choice.index == 0 and choice.finish_reason is not None and not self.calls_tools:
                self._trailed = True
                return event + self._more(trailer) if _said(choice.delta) else self._more(trailer) + event
        return event

    def trailed_whole(self, body: bytes, trailer: str) -> bytes:
        """A reply in one piece with a line after its text."""
        fields = fields_of(body)
        choices = value_of(fields, "choices")
        for choice in choices:
            message = choice["message"]
            if choice.get("index", 0) == 0 and isinstance(message.get("content"), str) and not self.calls_tools:
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
        self.calls_tools = self.calls_tools or reason in ("tool_calls", "function_call")


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
