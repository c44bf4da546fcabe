"""What holds for any text: no error, spans inside it, intervals that do not run backwards, time in step with length."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from relembra.minds.offline.dates import find_dates
from relembra.minds.offline.names import find_names
from relembra.minds.offline.text import flattened, split_sentences

NOW = datetime(2024, 5, 15, 10, tzinfo=UTC)
WORDS = sorted({word for one in examples("dates") + examples("names") for word in one["text"].split()})
Tongue = Literal["pt", "en"]

prose = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
marks = st.sampled_from(
    ["-", "/", ":", ".", ",", " ", "\n", "h", "º", "'", "\u0303", "İ", "ß", "2024", "31", "12", "02"]
)
texts = st.one_of(
    st.text(max_size=80), prose, st.lists(st.one_of(st.sampled_from(WORDS), marks), max_size=14).map("".join)
)
moments = st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC))
tongues: st.SearchStrategy[Tongue] = st.sampled_from(["pt", "en"])


@given(text=texts, said_at=moments, language=st.one_of(st.none(), tongues))
def test_dates_lie_in_the_text_in_order_and_run_forwards(text: str, said_at: datetime, language: Tongue | None) -> None:
    at = 0
    for found in find_dates(text, said_at=said_at, language=language):
        assert at <= found.start < found.end <= len(text)
        assert text[found.start : found.end] == found.text
        assert found.begins <= found.ends
        assert found.begins.tzinfo is not None
        at = found.end


@given(text=texts, language=tongues)
def test_names_lie_in_the_text_in_order(text: str, language: Tongue) -> None:
    at = 0
    for found in find_names(text, language):
        assert at <= found.start < found.end <= len(text)
        at = found.end


@given(text=texts)
def test_sentences_hold_everything_that_is_not_blank(text: str) -> None:
    spans = split_sentences(text)
    assert all(start < end for start, end in spans)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())


@given(text=st.text(max_size=60))
def test_flat_text_keeps_its_places(text: str) -> None:
    flat = flattened(text)
    assert len(flat.raw) == len(flat.text)
    assert flat.span(0, len(flat.raw)) == (0, len(text))


FINDERS: list[Callable[[str], object]] = [
    lambda text: find_dates(text, said_at=NOW, language="pt"),
    lambda text: find_dates(text, said_at=NOW, language="en"),
    split_sentences,
    lambda text: find_names(text, "pt"),
    lambda text: find_names(text, "en"),
]


@pytest.mark.parametrize("piece", [" ".join(WORDS) + " ", "segunda, ", "12 ", ".", "Ana de ", "😀", "um e ", " ", "1/"])
@pytest.mark.parametrize("finder", range(len(FINDERS)))
def test_time_grows_with_length_and_no_faster(piece: str, finder: int) -> None:
    def seconds(size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        begun = time.thread_time()
        FINDERS[finder](text)
        return time.thread_time() - begun

    short = max(seconds(5_000), seconds(5_000), 0.005)
    # Eight times the text; a square would take 64 times as long, each time. One run may meet a busy machine.
    assert any(seconds(40_000) < 40 * short for _ in range(5))
