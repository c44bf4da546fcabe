from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.errors import InvalidInputError
from relembra.interfaces.event_stream import Events, data_of
from relembra.interfaces.wire import ResponsesReply, ResponsesRequest, response, response_events
from upstreams import response as a_response

USER: Any = {"role": "user", "content": "Where do I live?"}
CALL: Any = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
OUTPUT: Any = {"type": "function_call_output", "call_id": "c1", "output": "sun"}


def a_request(given: Any, **fields: Any) -> ResponsesRequest:
    return ResponsesRequest(json.dumps({"model": "m", "input": given, **fields}).encode())


@each(
    [
        ("Where do I live?", "Where do I live?", "Where do I live?"),
        ([USER], "Where do I live?", "Where do I live?"),
        ([USER, CALL, OUTPUT], None, "Where do I live?"),
        ([OUTPUT], None, None),
        ([{"role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_image"}]}], "a", "a"),
        (None, None, None),
        ([None, 3], None, None),
    ]
)
def test_what_the_person_said_last(given: Any, said: str | None, asked: str | None) -> None:
    turn = a_request(given).turn
    assert (turn.said, turn.asked) == (said, asked)


@each(
    [
        (None, "BLOCK"),
        ("", "BLOCK"),
        ("Be brief.", "Be brief.\n\nBLOCK"),
        ([USER], [USER, {"role": "developer", "content": "BLOCK"}]),
    ]
)
def test_where_what_is_remembered_is_put(instructions: Any, expected: Any) -> None:
    sent = json.loads(a_request("hi", instructions=instructions).body(model="m", block="BLOCK"))
    assert sent == {"model": "m", "input": "hi", "instructions": expected}


def test_without_anything_remembered_not_a_byte_changes() -> None:
    body = b'{"input":"ol\\u00e1","store":false, "x":1.10,"model":"m"}'
    assert json.loads(ResponsesRequest(body).body(model="m", block=None)) == json.loads(body)
    assert b"1.10" in ResponsesRequest(body).body(model="m", block=None)


def test_the_same_words_behind_another_reply_are_another_turn() -> None:
    one, other = (a_request("yes", previous_response_id=id).turn for id in ("resp_1", "resp_2"))
    assert one.digest != other.digest
    assert one.previous == "resp_1"


def test_a_conversation_is_named_plainly_or_by_its_id() -> None:
    assert a_request("hi", conversation="conv_1").turn.thread == "conv_1"
    assert a_request("hi", conversation={"id": "conv_1"}).turn.thread == "conv_1"
    assert a_request("hi", conversation=7).turn.thread is None


def test_an_answer_of_ours_leads_back_to_the_reply_it_came_after() -> None:
    ours = json.loads(response("x1", "m", "Help.", "resp_7"))["id"]
    request = a_request("hi", previous_response_id=ours)
    assert request.turn.previous == "resp_7"
    assert json.loads(request.body(model="m", block=None))["previous_response_id"] == "resp_7"
    first = json.loads(response("x1", "m", "Help."))["id"]
    assert a_request("hi", previous_response_id=first).turn.previous is None
    assert "previous_response_id" not in json.loads(
        a_request("hi", previous_response_id=first).body(model="m", block=None)
    )


@each([b"", b"[]", b"{", b'{"input": ' + b"[" * 100_000])
def test_what_is_no_json_object_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidInputError):
        ResponsesRequest(body)


@given(st.text(min_size=1))
def test_an_answer_of_ours_is_read_like_any_other(text: str) -> None:
    whole, streamed = ResponsesReply(), ResponsesReply()
    whole.whole(response("x1", "m", text))
    lasts = [streamed.event(data_of(event) or b"") for event in Events().feed(response_events("x1", "m", text))]
    assert whole.text == streamed.text == text
    assert lasts == [False] * (len(lasts) - 1) + [True]
    assert whole.finished
    assert streamed.finished


def test_several_parts_are_told_apart() -> None:
    told = a_response("One.")
    told["output"][0]["content"].append({"type": "refusal", "refusal": "No more."})
    reply = ResponsesReply()
    reply.whole(json.dumps(told).encode())
    assert reply.text == "One.\nNo more."


@each([b"", b"{", b"[]", b'{"output": 3}', b'{"output": [3, {"type": "message"}]}', b"\xff"])
def test_what_cannot_be_read_is_passed_over(data: bytes) -> None:
    reply = ResponsesReply()
    assert not reply.event(data)
    reply.whole(data)
    assert reply.text == ""
