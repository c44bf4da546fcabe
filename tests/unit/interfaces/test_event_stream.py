from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relembra.interfaces.event_stream import Events, data_of, event_of

EVENTS = [
    b"data: one\n\n",
    b": a comment\r\n\r\n",
    b"event: x\ndata: two\ndata:three\n\n",
    b"\n\n",
    b"data: \xc3\xa1\r\r",
]


@given(st.lists(st.sampled_from(EVENTS), max_size=8), st.binary(max_size=6), st.data())
def test_nothing_of_a_stream_is_lost_or_changed_wherever_it_is_cut(
    whole: list[bytes], rest: bytes, data: st.DataObject
) -> None:
    stream = b"".join(whole) + rest
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    events, heard = Events(), list[bytes]()
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        heard += events.feed(stream[start:end])
    assert b"".join(heard) + events.rest() == stream


@given(st.lists(st.sampled_from(EVENTS[:3]), max_size=8), st.integers(1, 5))
def test_events_come_out_one_by_one_however_they_come_in(whole: list[bytes], size: int) -> None:
    stream = b"".join(whole)
    events = Events()
    heard = [event for at in range(0, len(stream), size) for event in events.feed(stream[at : at + size])]
    assert heard == whole
    assert events.rest() == b""


def test_what_an_event_says() -> None:
    assert data_of(b"data: one\n\n") == b"one"
    assert data_of(b"event: x\r\ndata: two\r\ndata:three\r\n\r\n") == b"two\nthree"
    assert data_of(b": nothing\n\n") is None
    assert data_of(event_of(b'{"a":1}', "x")) == b'{"a":1}'
    assert event_of(b"[DONE]") == b"data: [DONE]\n\n"
