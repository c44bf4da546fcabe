from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.errors import InvalidInputError
from relembra.interfaces.event_stream import data_of
from relembra.interfaces.times import trailer_of
from relembra.interfaces.wire import ChatReply, ChatRequest
from upstreams import chunk, completion

USER: Any = {"role": "user", "content": "Where do I live?"}
REPLY: Any = {"role": "assistant", "content": "In Lisbon."}
TOOL: Any = {"role": "tool", "tool_call_id": "c1", "content": "sun"}
SYSTEM: Any = {"role": "system", "content": "Be brief."}


def a_request(*messages: Any, **fields: Any) -> ChatRequest:
    return ChatRequest(json.dumps({"model": "m", "messages": messages, **fields}).encode())


def told(request: ChatRequest, block: str | None) -> list[Any]:
    messages: list[Any] = json.loads(request.body(model="m", block=block))["messages"]
    return messages


# ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@each(
    [
        ([USER], "Where do I live?", "Where do I live?"),
        ([SYSTEM, USER, REPLY, {"role": "user", "content": "Sure?"}], "Sure?", "Sure?"),
        ([USER, REPLY], None, "Where do I live?"),
        ([USER, {"role": "assistant", "tool_calls": []}, TOOL], None, "Where do I live?"),
        ([SYSTEM], None, None),
        ([], None, None),
        ([USER, {"role": "user", "content": [{"type": "image_url"}]}], None, "Where do I live?"),
        ([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}], "a\nb", "a\nb"),
        ([{"role": "user", "content": "  \n"}], None, None),
        ([None, 3, {"role": "user", "content": {"not": "known"}}], None, None),
    ]
)
def test_what_the_person_said_last(messages: list[Any], said: str | None, asked: str | None) -> None:
    turn = a_request(*messages).turn
    assert (turn.said, turn.asked) == (said, asked)


def test_a_growing_talk_keeps_its_opening_and_changes_its_digest() -> None:
    first, later = (
        a_request(SYSTEM, USER).turn,
        a_request({**SYSTEM, "content": "Now is 9:01."}, USER, REPLY, USER).turn,
    )
    assert first.opening == later.opening
    assert first.digest != later.digest
    assert first.digest == a_request({**SYSTEM, "content": "Now is 9:02."}, USER).turn.digest
    assert later.digest == a_request(USER, REPLY, USER, {"role": "assistant", "tool_calls": []}, TOOL).turn.digest


def test_pictures_tell_two_turns_apart() -> None:
    one, other = (
        a_request({"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}).turn
        for url in ("data:1", "data:2")
    )
    assert one.digest != other.digest
    assert one.opening != other.opening


@each(
    [
        ([USER], [{"role": "system", "content": "BLOCK"}, USER]),
        ([SYSTEM, USER], [{"role": "system", "content": "Be brief.\n\nBLOCK"}, USER]),
        ([{**SYSTEM, "content": None}, USER], [{"role": "system", "content": "BLOCK"}, USER]),
        (
            [{"role": "developer", "content": [{"type": "text", "text": "a"}]}, USER, SYSTEM],
            [
                {"role": "developer", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "BLOCK"}]},
                USER,
                SYSTEM,
            ],
        ),
    ]
)
def test_where_what_is_remembered_is_put(messages: list[Any], expected: list[Any]) -> None:
    assert told(a_request(*messages), "BLOCK") == expected


def test_without_anything_remembered_not_a_byte_changes() -> None:
    body = b'{"seed":1e3,"messages":[{"role":"user","content":"ol\\u00e1"}],"x":[1.10,{"y":null}],"model":"m"}'
    assert ChatRequest(body).body(model="m", block=None) == body


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
    given_fields = {**fields, "model": "m", "messages": messages}
    body = ChatRequest(json.dumps(given_fields).encode("utf-8", "surrogatepass")).body(model="n", block="BLOCK")
    sent = json.loads(body)
    assert {name: value for name, value in sent.items() if name != "messages"} == {
        name: value for name, value in {**given_fields, "model": "n"}.items() if name != "messages"
    }


@each([b"", b"[]", b"{", b'{"messages": ' + b"[" * 100_000, b"\xff", b'{"a": NaN}'])
def test_what_is_no_json_object_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidInputError):
        ChatRequest(body)


@each([False, True])
def test_a_trailer_of_ours_is_taken_off_again(parts: bool) -> None:
    text = f"In Lisbon.{trailer_of(['Ana lives in Lisbon.'], 'en')}"
    said = {"role": "assistant", "content": [{"type": "text", "text": text}] if parts else text}
    bare = {"role": "assistant", "content": [{"type": "text", "text": "In Lisbon."}] if parts else "In Lisbon."}
    assert told(a_request(USER, said, USER), None) == [USER, bare, USER]
    assert told(a_request({"role": "user", "content": text}), None) == [{"role": "user", "content": text}]
    assert a_request(USER, said, USER).turn.digest == a_request(USER, bare, USER).turn.digest


# ── replies ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_reply_is_read_from_its_events() -> None:
    reply = ChatReply()
    events = [chunk({"role": "assistant"}), chunk({"content": "In "}), chunk({"content": "Lisbon."})]
    assert not any(reply.event(json.dumps(event).encode()) for event in events)
    assert not reply.finished
    reply.event(json.dumps(chunk({}, reason="stop")).encode())
    assert reply.event(b"[DONE]")
    assert (reply.text, reply.id, reply.finished, reply.calls_tools) == ("In Lisbon.", "chatcmpl-1", True, False)


@each([b"", b"{", b"[]", b'"x"', b'{"choices": 3}', b'{"choices": [{"delta": 3}]}', b"\xff"])
def test_what_cannot_be_read_is_passed_over(data: bytes) -> None:
    reply = ChatReply()
    assert not reply.event(data)
    reply.whole(data)
    assert reply.text == ""


def test_of_several_choices_the_first_is_read() -> None:
    reply = ChatReply()
    both = completion("One.")
    both["choices"].insert(0, {**both["choices"][0], "index": 1, "message": {"role": "assistant", "content": "Two."}})
    reply.whole(json.dumps(both).encode())
    assert reply.text == "One."


def test_a_line_behind_the_text_stands_before_its_end_once() -> None:
    reply, line = ChatReply(), "\n\n⁂ Remembered: “x”"
    reply.event(json.dumps(chunk({"content": "Yes."})).encode())
    end = b"data: " + json.dumps(chunk({}, reason="stop")).encode() + b"\n\n"
    reply.event(data_of(end) or b"")
    sent = reply.trailed(end, line)
    assert sent.endswith(end)
    added = json.loads(data_of(sent.removesuffix(end)) or b"")
    assert added["choices"][0]["delta"]["content"] == line
    assert reply.trailed(end, line) == end


@each([({"name": "Clara"}, "Clara"), ({}, None), ({"name": 7}, None)])
def test_a_message_may_say_how_the_program_calls_whoever_said_it(named: dict[str, object], name: str | None) -> None:
    assert a_request(SYSTEM, {**USER, "name": "Bia"}, REPLY, {**USER, **named}).turn.name == name
    assert a_request(SYSTEM).turn.name is None
