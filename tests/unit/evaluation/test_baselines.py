"""Plain rankings, by hand-computed examples."""

from __future__ import annotations

from datetime import UTC, datetime
from math import log

import numpy as np
import pytest

from relembra.evaluation.datasets import Turn
from relembra.evaluation.runner import Plain, filled, first_sessions, standard

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Split:
    """Terms are what stands between spaces."""

    version = 1

    def terms(self, text: str) -> list[str]:
        return text.split()


def turn(id: str, text: str, conversation: str = "c") -> Turn:
    return Turn(id=id, person="p", conversation=conversation, text=text, at=NOON)


TURNS = [turn("t0", "red car", "a"), turn("t1", "red red bus stop", "b"), turn("t2", "blue", "a")]
VECTORS = np.array([[1, 0], [0, 1], [0.6, 0.8]], dtype=np.float32)


def test_words_are_scored_by_bm25() -> None:
    plain = Plain(TURNS, VECTORS, Split())
    mean = 7 / 3
    red = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = [
        red * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / mean)),
        red * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / mean)),
        0.0,
    ]
    assert plain.words("red unheard red") == pytest.approx(expected, rel=1e-5)


def test_vectors_are_scored_by_cosine_and_both_by_the_sum_of_standard_scores() -> None:
    plain = Plain(TURNS, VECTORS, Split())
    vector = np.array([1, 0], dtype="<f4").tobytes()
    scores = plain.scores("blue", vector)
    assert scores["vectors"] == pytest.approx([1, 0, 0.6])
    assert scores["hybrid"] == pytest.approx(standard(scores["bm25"]) + standard(scores["vectors"]))
    assert [each.id for each in plain.ranked(scores["vectors"])] == ["t0", "t2", "t1"]
    assert plain.ranked(scores["hybrid"])[0].id == "t2"


def test_standard_scores_have_no_mean_and_a_deviation_of_one() -> None:
    found = standard(np.array([1, 2, 3], dtype=np.float32))
    assert found == pytest.approx([-1.2247, 0, 1.2247], abs=1e-4)
    assert standard(np.array([4, 4], dtype=np.float32)) == pytest.approx([0, 0])


def test_equal_scores_keep_the_order_of_time() -> None:
    plain = Plain(TURNS, VECTORS, Split())
    assert [each.id for each in plain.ranked(np.zeros(3, dtype=np.float32))] == ["t0", "t1", "t2"]


def test_conversations_come_in_the_order_of_their_best_turn() -> None:
    assert first_sessions([TURNS[1], TURNS[2], TURNS[0]], 20) == ("b", "a")
    assert first_sessions([TURNS[1], TURNS[2]], 1) == ("b",)


def test_a_plain_context_takes_whole_messages_that_fit() -> None:
    sizes = {"red car": 5, "red red bus stop": 8, "blue": 2}
    assert filled(TURNS, 7, sizes.__getitem__) == (("t0", "t2"), 7)
    assert filled(TURNS, 4, sizes.__getitem__) == (("t2",), 2)
    assert filled(TURNS, 100, sizes.__getitem__) == (("t0", "t1", "t2"), 15)
