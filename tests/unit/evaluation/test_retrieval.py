"""The figures and plain rankings by hand-computed examples. A whole run: `acceptance/test_cli_bench.py`."""

from __future__ import annotations

from datetime import UTC, date, datetime
from math import log, log2

import numpy as np
import pytest

from loops import each
from memories import Clock
from relembra import Memory
from relembra.bootstrap import yardsticks
from relembra.evaluation import retrieval
from relembra.evaluation.datasets import Turn
from relembra.evaluation.retrieval import Plain, standard
from relembra.settings import Settings

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
RANKING = ["a", "b", "c", "d", "e", "f"]


def test_figures_of_one_ranking() -> None:
    wanted = ["b", "e", "e", "nowhere"]  # named twice counts once
    assert [retrieval.recall_at(RANKING, wanted, cut) for cut in (1, 2, 5)] == pytest.approx([0, 1 / 3, 2 / 3])
    assert [retrieval.any_at(RANKING, wanted, cut) for cut in (1, 2, 5)] == [0, 1, 1]
    # places 2 and 5 of three wanted: 1/log2(3) + 1/log2(6) against 1 + 1/log2(3) + 1/2
    expected = (1 / log2(3) + 1 / log2(6)) / (1 + 1 / log2(3) + 0.5)
    assert retrieval.ndcg_at(RANKING, {"b", "e", "nowhere"}, 10) == pytest.approx(expected)
    assert retrieval.ndcg_at(["a", "b"], {"a", "b", "c"}, 2) == 1.0  # the best order is no longer than the cut
    assert retrieval.reciprocal_rank(RANKING, {"c", "e"}) == pytest.approx(1 / 3)
    assert retrieval.reciprocal_rank(RANKING, {"nowhere"}) == 0.0


@each([(["x", "new", "old"], True), (["old", "new"], False), (["old"], False), ([], False), (["new2", "old"], True)])
def test_fresh_is_what_holds_now_above_all_it_replaced(ranking: list[str], fresh: bool) -> None:
    assert retrieval.is_fresh(ranking, {"new", "new2"}, {"old", "older"}) is fresh


def test_percentiles_are_values_that_were_there() -> None:
    assert retrieval.percentile([3.0, 1.0, 2.0, 4.0], 0.5) == 2.0
    assert (retrieval.percentile(range(1, 101), 0.95), retrieval.percentile([], 0.5)) == (95, 0.0)
    assert retrieval.mean([]) == 0.0


class Split:
    """Terms are what stands between spaces."""

    version = 1

    def terms(self, text: str) -> list[str]:
        return text.split()


def turn(id: str, text: str, conversation: str = "c") -> Turn:
    return Turn(id=id, person="p", conversation=conversation, text=text, at=NOON)


TURNS = [turn("t0", "red car", "a"), turn("t1", "red red bus stop", "b"), turn("t2", "blue", "a")]
VECTORS = np.array([[1, 0], [0, 1], [0.6, 0.8]], dtype=np.float32)


def test_words_by_bm25_vectors_by_cosine_and_both_by_the_sum_of_standard_scores() -> None:
    plain, mean = Plain(TURNS, VECTORS, Split()), 7 / 3
    red = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    car = red * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / mean))
    bus = red * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / mean))
    assert plain.words("red unheard red") == pytest.approx([car, bus, 0.0], rel=1e-5)
    scores = plain.scores("blue", np.array([1, 0], dtype="<f4").tobytes())
    assert scores["vectors"] == pytest.approx([1, 0, 0.6])
    assert scores["hybrid"] == pytest.approx(standard(scores["bm25"]) + standard(scores["vectors"]))
    assert [each.id for each in plain.ranked(scores["vectors"])] == ["t0", "t2", "t1"]
    assert [each.id for each in plain.ranked(np.zeros(3, dtype=np.float32))] == ["t0", "t1", "t2"]  # by time
    assert standard(np.array([1, 2, 3], dtype=np.float32)) == pytest.approx([-1.2247, 0, 1.2247], abs=1e-4)
    assert standard(np.array([4, 4], dtype=np.float32)) == pytest.approx([0, 0])


MINDS = retrieval.Yardsticks(*yardsticks(Settings(embedder="offline")))
ASKED = datetime(2025, 10, 1, 12, tzinfo=UTC)


@each(
    [
        ("March 1, 2025", "we moved in", {date(2025, 3, 1)}, [True]),  # however the day is written
        ("March 1, 2025", "we moved in March", {date(2025, 3, 2)}, [False]),
        ("15 to 18 January 2026", "the trip", {date(2026, 1, 15), date(2026, 1, 18)}, [True]),
        ("15 to 18 January 2026", "the trip", {date(2026, 1, 15)}, [False]),
        ("wednesdays", "on wednesdays", set(), [True]),
        ("pottery, banjo; roller derby", "she took up the banjo and roller skates", set(), [False, True, False]),
        ("$1,140", "it was $1,140", set(), [True]),
        ("", "the", set(), []),
    ]
)
def test_what_of_an_answer_a_context_holds(answer: str, text: str, days: set[date], held: list[bool]) -> None:
    words = set(MINDS.analyzer.terms(text))
    assert [part.held_in(words, days) for part in retrieval.parts_of(answer, ASKED, MINDS)] == held


async def test_days_are_read_off_the_lines_of_a_context_as_seen_from_then(memory: Memory, clock: Clock) -> None:
    clock.now = datetime(2025, 3, 2, 12, tzinfo=UTC)
    await memory.save(user="ana", said="I broke my wrist yesterday, on the stairs.")
    await memory.settle()
    clock.move(days=100)
    context = await memory.load(user="ana", query="when did I break my wrist?")
    assert retrieval.days_in(context, MINDS.days) == {date(2025, 3, 1), date(2025, 3, 2)}
