"""Chat completions and responses as bytes: what a request means, what goes on of it, and what a reply says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.errors import InvalidInputError
from relembra.interfaces.http.openai import (
    ChatReply,
    ChatRequest,
    ResponsesReply,
    ResponsesRequest,
    data_of,
    events_of,
)


def responses(given: Any, **fields: Any) -> ResponsesRequest:
    return ResponsesRequest(json.dumps({"model": "m", "input": given, **fields}).encode())


EVENTS = [
    b"data: one\n\n",
    b": a comment\r\n\r\n",
    b"event: x\ndata: two\ndata:three\n\n",
    b"\n\n",
    b"data: \xc3\xa1\r\r",
]


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    """The events of a stream that comes in pieces."""

    async def pieces() -> AsyncIterator[bytes]:
        for start, end in zip([0, *places], [*places, len(stream)], strict=True):
            yield stream[start:end]

    async def heard() -> list[bytes]:
        return [event async for event in events_of(pieces())]

    return asyncio.run(heard())


@given(st.lists(st.sampled_from(EVENTS), max_size=8), st.binary(max_size=6), st.data())
def test_nothing_of_a_stream_is_lost_or_changed_wherever_it_is_cut(
    whole: list[bytes], rest: bytes, data: st.DataObject
) -> None:
    stream = b"".join(whole) + rest
    assert b"".join(cut(stream, sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10))))) == stream


@given(st.lists(st.sampled_from(EVENTS[:3]), max_size=8), st.integers(1, 5))
def test_events_come_out_one_by_one_however_they_come_in(whole: list[bytes], size: int) -> None:
    stream = b"".join(whole)
    assert cut(stream, list(range(size, len(stream), size))) == whole


@each([ChatRequest, ResponsesRequest])
def test_without_anything_remembered_not_a_byte_changes_and_what_is_no_json_object_is_refused(kind: Any) -> None:
    talk = b'"messages":[{"role":"user","content":"ol\\u00e1"}]' if kind is ChatRequest else b'"input":"ol\\u00e1"'
    body = b'{"seed":1e3,' + talk + b',"x":[1.10,{"y":null}],"model":"m"}'
    assert kind(body).body(model="m", block=None) == body
    for wrong in (b"", b"[]", b"{", b'{"messages": ' + b"[" * 100_000, b"\xff", b'{"a": NaN}'):
        with pytest.raises(InvalidInputError):
            kind(wrong)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), JSON, max_size=5), JSON)
def test_whatever_else_a_request_holds_goes_on(fields: dict[str, Any], messages: Any) -> None:
    body = json.dumps({**fields, "model": "m", "messages": messages}).encode("utf-8", "surrogatepass")
    told = json.loads(ChatRequest(body).body(model="n", block="BLOCK"))
    rest = {name: value for name, value in fields.items() if name != "messages"}
    assert {name: value for name, value in told.items() if name != "messages"} == {**rest, "model": "n"}


@each([b"", b"{", b"[]", b'"x"', b'{"choices": 3}', b'{"choices": [{"delta": 3}]}', b'{"output": [3]}', b"\xff"])
def test_what_cannot_be_read_is_passed_over(data: bytes) -> None:
    for reply in (ChatReply(), ResponsesReply()):
        assert not reply.event(data)
        reply.whole(data)
        assert reply.text == ""


@given(st.text(min_size=1))
def test_an_answer_of_ours_is_read_like_any_other(text: str) -> None:
    whole, streamed = ResponsesReply(), ResponsesReply()
    whole.whole(responses("/x").answer(text))
    lasts = [streamed.event(data_of(event)) for event in cut(responses("/x", stream=True).answer(text), [])]
    assert whole.text == streamed.text == text
    assert lasts == [False] * (len(lasts) - 1) + [True]
    assert (whole.finished, streamed.finished) == (True, True)
