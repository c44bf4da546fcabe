"""Which messages and conversations answer, and the words of a long message that matter."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, a_message, minutes
from relembra.domain.message import Role
from relembra.domain.searchable import Inquiry, passage_spans
from relembra.recall.ranking import Focus, Ranked
from relembra.recall.talk import (
    ANSWER_SHARE,
    CUT,
    EXCERPT,
    FIRST_EXCERPT,
    FIRST_EXCERPTS,
    SPEAKER_GAIN,
    Talked,
    Told,
    excerpt,
    ranked_talk,
    reread,
    with_neighbours,
)
from relembra.store.port import Candidate

ASKED = Inquiry(text="?", core="?")


def found(id: str, *, cosine: float | None = 0.6, at: datetime = NOW, **changes: Any) -> Candidate:
    candidate = Candidate(id, cosine, None, (), at, conversation="c", role=Role.USER)
    return candidate._replace(**changes)


def talk(*candidates: Candidate, asked: Inquiry = ASKED) -> Talked:
    return ranked_talk(candidates, asked, now=NOW, half_life_days=30.0)


def ids(rows: list[Ranked]) -> list[str]:
    return [row.id for row in rows]


def test_words_of_a_question_that_stand_in_one_sentence_count_for_more() -> None:
    held: dict[str, Any] = {"bm25": 12.0, "terms": ("oat", "milk"), "shares": (0.5, 0.5)}
    rows = talk(found("apart", **held), found("together", **held)).messages
    told = {
        "apart": Told("I eat oat flakes. I drink milk.", "I eat oat flakes."),
        "together": Told("I drink oat milk. I like it.", "I drink oat milk."),
    }
    again = reread(rows, told)
    assert ids(again) == ["together", "apart"]
    # half of words, of which half is coverage, of which three quarters is now the best sentence's
    assert again[0].score - again[1].score == pytest.approx(0.5 * 0.5 * 0.75 * 0.5)


def test_what_somebody_the_question_names_said_comes_before_what_was_said_to_them() -> None:
    asked = Inquiry(text="What does Bia play?", core="What does Bia play?", speakers=("bia",))
    rows = [found("to her")._replace(author="ana"), found("by her")._replace(author="bia")]
    first, second = ranked_talk(rows, asked, now=NOW, half_life_days=30.0).messages
    assert (first.id, first.why.focus, second.why.focus) == ("by her", (Focus.SPEAKER,), ())
    assert first.score - second.score == pytest.approx(SPEAKER_GAIN)


def test_what_stands_after_a_hit_gains_less_the_further_it_is() -> None:
    """The answer comes two messages after the question, and what the assistant says in between gains nothing."""
    texts = ["Who looks after Gerald?", "The tortoise?", "Yes, him.", "Mrs Okafor does.", "Lovely."]
    roles = [Role.USER, Role.USER, Role.ASSISTANT, Role.USER, Role.USER]
    lines = [
        a_message(text=text, role=role, author="ab"[place % 2], sent_at=NOW + minutes(place), conversation="c")
        for place, (text, role) in enumerate(zip(texts, roles, strict=True))
    ]
    hit = talk(found(lines[0].id, cosine=0.8, at=lines[0].sent_at))
    around = with_neighbours(
        hit, [(lines[0], lines[1:4])], ASKED, now=NOW, within=timedelta(hours=1), half_life_days=30.0
    )
    gained = {one.id: one.why.around / hit.messages[0].score for one in around.messages[1:]}
    assert gained == {lines[1].id: pytest.approx(ANSWER_SHARE), lines[3].id: pytest.approx(ANSWER_SHARE / 4)}


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
