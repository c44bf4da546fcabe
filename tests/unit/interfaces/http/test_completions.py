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
from upstreams import completion
from upstreams import response as a_response

USER: Any = {"role": "user", "content": "Where do I live?"}
REPLY: Any = {"role": "assistant", "content": "In Lisbon."}
TOOL: Any = {"role": "tool", "tool_call_id": "c1", "content": "sun"}
SYSTEM: Any = {"role": "system", "content": "Be brief."}
CALL: Any = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
OUTPUT: Any = {"type": "function_call_output", "call_id": "c1", "output": "sun"}
DEVELOPER: Any = {"role": "developer", "content": [{"type": "text", "text": "a"}]}


def chat(*messages: Any, **fields: Any) -> ChatRequest:
    return ChatRequest(json.dumps({"model": "m", "messages": messages, **fields}).encode())


def responses(given: Any, **fields: Any) -> ResponsesRequest:
    return ResponsesRequest(json.dumps({"model": "m", "input": given, **fields}).encode())


def sent(request: ChatRequest | ResponsesRequest, block: str | None = None) -> Any:
    return json.loads(request.body(model="m", block=block))


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


PARTS = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]


@each([
    (chat(SYSTEM, USER), "Where do I live?", "Where do I live?"),
    (chat(USER, {"role": "assistant", "tool_calls": []}, TOOL), None, "Where do I live?"),
    (chat(USER, REPLY), None, "Where do I live?"),
    (chat(USER, {"role": "user", "content": [{"type": "image_url"}]}), None, "Where do I live?"),
    (chat(SYSTEM), None, None), (chat({"role": "user", "content": PARTS}), "a\nb", "a\nb"),
    (chat({"role": "user", "content": "  \n"}), None, None),
    (chat(None, 3, {"role": "user", "content": {"not": "known"}}), None, None),
    (responses("Where do I live?"), "Where do I live?", "Where do I live?"),
    (responses([USER, CALL, OUTPUT]), None, "Where do I live?"),
    (responses([{"role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "x"}]}]), "a", "a"),
    (responses(None), None, None), (responses([None, 3]), None, None),
])  # fmt: skip
def test_what_the_person_said_last(request: Any, said: str | None, asked: str | None) -> None:
    assert (request.said, request.asked) == (said, asked)


def test_turns_are_known_again_and_told_apart() -> None:
    first, later = chat(SYSTEM, USER), chat({**SYSTEM, "content": "Now is 9:01."}, USER, REPLY, USER)
    assert (first.opening == later.opening, first.digest == later.digest) == (True, False)
    assert first.digest == chat({**SYSTEM, "content": "Now is 9:02."}, USER).digest
    assert later.digest == chat(USER, REPLY, USER, {"role": "assistant", "tool_calls": []}, TOOL).digest
    one, other = (chat({"role": "user", "content": [{"type": "image_url", "image_url": url}]}) for url in "ab")
    assert (one.digest == other.digest, one.opening == other.opening) == (False, False)
    behind, elsewhere = (responses("yes", previous_response_id=id) for id in ("resp_1", "resp_2"))
    assert (behind.digest == elsewhere.digest, behind.previous) == (False, "resp_1")
    for named, thread in (("conv_1", "conv_1"), ({"id": "conv_1"}, "conv_1"), (7, None)):
        assert responses("hi", conversation=named).thread == thread
    for more, name in (({"name": "Clara"}, "Clara"), ({}, None), ({"name": 7}, None)):
        assert chat(SYSTEM, {**USER, "name": "Bia"}, REPLY, {**USER, **more}).name == name


def test_where_what_is_remembered_is_put() -> None:
    block = {"type": "text", "text": "BLOCK"}
    for messages, expected in (
        ([USER], [{"role": "system", "content": "BLOCK"}, USER]),
        ([SYSTEM, USER], [{"role": "system", "content": "Be brief.\n\nBLOCK"}, USER]),
        ([{**SYSTEM, "content": None}, USER], [{"role": "system", "content": "BLOCK"}, USER]),
        ([DEVELOPER, USER, SYSTEM], [{**DEVELOPER, "content": [*DEVELOPER["content"], block]}, USER, SYSTEM]),
    ):
        assert sent(chat(*messages), "BLOCK")["messages"] == expected
    developer = {"role": "developer", "content": "BLOCK"}
    for instructions, told in ((None, "BLOCK"), ("Brief.", "Brief.\n\nBLOCK"), ([USER], [USER, developer])):
        made = sent(responses("hi", instructions=instructions), "BLOCK")
        assert made == {"model": "m", "input": "hi", "instructions": told}


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


def test_of_several_choices_the_first_is_read_and_several_parts_are_told_apart() -> None:
    both = completion("One.")
    both["choices"].insert(0, {**both["choices"][0], "index": 1, "message": {"role": "assistant", "content": "Two."}})
    told = a_response("One.")
    told["output"][0]["content"].append({"type": "refusal", "refusal": "No more."})
    for reply, body, text in ((ChatReply(), both, "One."), (ResponsesReply(), told, "One.\nNo more.")):
        reply.whole(json.dumps(body).encode())
        assert reply.text == text


@given(st.text(min_size=1))
def test_an_answer_of_ours_is_read_like_any_other(text: str) -> None:
    whole, streamed = ResponsesReply(), ResponsesReply()
    whole.whole(responses("/x").answer(text))
    lasts = [streamed.event(data_of(event)) for event in cut(responses("/x", stream=True).answer(text), [])]
    assert whole.text == streamed.text == text
    assert lasts == [False] * (len(lasts) - 1) + [True]
    assert (whole.finished, streamed.finished) == (True, True)
