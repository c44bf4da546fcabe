"""The words of a long message that matter for a question."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relembra.domain.searchable import passage_spans
from relembra.recall.talk import CUT, EXCERPT, FIRST_EXCERPT, FIRST_EXCERPTS, excerpt

FILLER = "The weather was fine and we walked a lot. "


def shown(text: str, shares: dict[str, float] | None = None, *, rank: int = 0, part: int = 0) -> str:
    return excerpt(text, shares or {}, rank=rank, part=part)


def test_the_sentence_with_most_of_the_question_is_shown_with_marks_where_something_is_missing() -> None:
    text = 5 * FILLER + "My dentist is Dr Lima in Olinda. " + 5 * FILLER
    told = shown(text, {"dentist": 0.7, "lima": 0.3}, rank=5)
    assert "My dentist is Dr Lima in Olinda." in told
    assert (told[0], told[-1]) == (CUT, CUT)
    assert len(told) <= EXCERPT + 4


def test_the_nearest_passage_tells_where_no_word_does() -> None:
    text = "\n".join(f"Line {number} of a list of things that we have at home." for number in range(20))
    spans = passage_spans(text)
    first_of_last = text[slice(*spans[-1])].splitlines()[0]
    assert first_of_last in shown(text, part=len(spans), rank=9)


def test_of_a_line_without_stops_a_window_is_shown() -> None:
    text = 80 * "word " + "dentist Olinda " + 80 * "word "
    told = shown(text, {"dentist": 1.0}, rank=9)
    assert "dentist" in told
    assert told.startswith(CUT)
    assert told.endswith(CUT)
    assert len(told) < 400


@given(
    text=st.text(min_size=1, max_size=3_000),
    shares=st.dictionaries(st.text(min_size=1, max_size=8), st.floats(0, 1), max_size=4),
    rank=st.integers(0, 9),
    part=st.integers(0, 9),
)
def test_an_excerpt_is_never_much_too_long_and_never_makes_words_up(
    text: str, shares: dict[str, float], rank: int, part: int
) -> None:
    told = shown(text, shares, rank=rank, part=part)
    most = FIRST_EXCERPT if rank < FIRST_EXCERPTS else EXCERPT
    assert len(told) <= 4 * most + 4
    inside = told.removeprefix(f"{CUT} ").removesuffix(f" {CUT}")
    assert " ".join(inside.split()) in " ".join(text.split())
