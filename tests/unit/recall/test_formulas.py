"""The formulas of the companion and of the work assistant, with numbers worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from builders import NOW, days
from relembra.domain.policy import COMPANION, LIFE, WORK
from relembra.recall.ranking import Focus, Ranked, rank
from relembra.store.port import Candidate

# A cosine of 1.0 makes a similarity of 0.65, since vectors have that share, unless words answer as well.


def found(
    id: str, cosine: float, *, weight: float = 1.0, age: float = 0, priority: int = 5, accesses: int = 0
) -> Candidate:
    return Candidate(id, cosine, None, (), NOW - days(age), weight=weight, priority=priority, accesses=accesses)


def scores(rows: list[Ranked]) -> dict[str, float]:
    return {row.id: row.score for row in rows}


def test_the_companion_multiplies_similarity_weight_and_recency() -> None:
    rows = rank(
        [
            found("near", 0.8, weight=0.5, age=30),  # 0.65·0.8 = 0.52; × 0.5 × 0.5
            found("heavy", 0.6, weight=0.9, age=15),  # 0.39 × 0.9 × √0.5
            found("fresh", 0.4, weight=1.0),  # 0.26 × 1 × 1
            found("old", 1.0, weight=1.0, age=90),  # 0.65 × 1 × 1/8
        ],
        (),
        now=NOW,
        policy=COMPANION.ranking,
        limit=5,
    )
    assert [row.id for row in rows] == ["fresh", "heavy", "near", "old"]
    assert scores(rows) == pytest.approx({"fresh": 0.26, "heavy": 0.351 * 0.5**0.5, "near": 0.13, "old": 0.08125})


def test_the_companion_orders_the_ten_most_similar_and_no_others() -> None:
    similar = [found(f"s{number}", 0.9, weight=0.2, age=30) for number in range(10)]  # 0.585 × 0.2 × 0.5 = 0.0585
    beyond = found("beyond", 0.85)  # 0.5525 × 1 × 1, and yet the eleventh by similarity
    rows = rank([beyond, *similar], (), now=NOW, policy=COMPANION.ranking, limit=5)
    assert [row.id for row in rows] == ["s0", "s1", "s2", "s3", "s4"]
    assert rows[0].score == pytest.approx(0.0585)
    nine = rank([beyond, *similar[:9]], (), now=NOW, policy=COMPANION.ranking, limit=5)
    assert nine[0].id == "beyond"
    assert nine[0].score == pytest.approx(0.5525)


def test_the_companion_keeps_ten_and_shows_five() -> None:
    assert (COMPANION.ranking.candidates, COMPANION.context.recalled_items) == (10, 5)


def test_the_work_assistant_weighs_recency_similarity_and_use_by_priority() -> None:
    rows = rank(
        [
            found("high", 0.5, priority=9, age=30),  # 9 × (0.4·0.5 + 0.4·0.325) = 9 × 0.33
            found("used", 0.8, priority=5, age=60, accesses=99),  # 5 × (0.4·0.25 + 0.4·0.52 + 0.2·ln 100 / 10)
            found("plain", 0.8, priority=5, age=60),  # 5 × (0.1 + 0.208)
            found("fresh", 0.2, priority=7),  # 7 × (0.4 + 0.4·0.13)
        ],
        (),
        now=NOW,
        policy=WORK.ranking,
        limit=5,
    )
    assert [row.id for row in rows] == ["fresh", "high", "used", "plain"]
    used = 5 * (0.308 + 0.02 * math.log(100))
    assert scores(rows) == pytest.approx({"fresh": 3.164, "high": 2.97, "used": used, "plain": 1.54})


def test_the_work_assistants_scale_ends_at_ten() -> None:
    best = found("best", 1.0, priority=10, accesses=10**30)._replace(bm25=1e9, terms=("a",))
    (row,) = rank([best], ("a",), now=NOW, policy=WORK.ranking, limit=1)
    assert row.why.similarity == pytest.approx(1.0)
    assert 10 * (0.4 + 0.4 + 0.02 * math.log(10**30 + 1)) > 10
    assert row.score == 10


def test_words_count_beside_meaning() -> None:
    """Words: half for how telling (4 / (4 + 4)), half for the two of three terms held."""
    candidate = found("a", 0.6)._replace(bm25=4.0, terms=("tea", "milk"))
    (row,) = rank([candidate], ("tea", "with", "milk"), now=NOW, policy=LIFE.ranking, limit=1)
    words = 0.5 * 0.5 + 0.5 * 2 / 3
    assert row.why.similarity == pytest.approx(0.65 * 0.6 + 0.35 * words)


def test_the_default_moves_a_similarity_a_little() -> None:
    (row,) = rank([found("a", 0.8, weight=0.4, age=30)], (), now=NOW, policy=LIFE.ranking, limit=1)
    assert row.score == pytest.approx(0.52 * (1 - 0.15 * 0.6) * (1 - 0.10 * 0.5))


def test_what_else_of_a_question_a_row_answers_raises_its_similarity_part_of_the_way() -> None:
    focused = {"a": {Focus.NAME}, "b": {Focus.TOPIC, Focus.NAME}}
    rows = rank(
        [found("a", 0.5), found("b", 0.5), found("c", 0.5)], (), now=NOW, policy=LIFE.ranking, limit=3, focused=focused
    )
    s = 0.325
    named = s + (1 - s) * 0.6 * s
    both = named + (1 - named) * 0.3 * s
    assert {row.id: row.why.similarity for row in rows} == pytest.approx({"a": named, "b": both, "c": s})
    assert [row.id for row in rows] == ["b", "a", "c"]
    assert rows[0].why.focus == (Focus.NAME, Focus.TOPIC)
    assert "name + topic" in str(rows[0].why)


def test_what_says_nothing_of_a_question_gains_nothing_by_its_focus() -> None:
    rows = rank([found("a", -0.2)], (), now=NOW, policy=LIFE.ranking, limit=1, least=-1.0, focused={"a": [Focus.NAME]})
    assert rows[0].why.similarity == 0.0


def test_equals_come_newer_first_and_then_by_id_whatever_the_order() -> None:
    flat = replace(LIFE.ranking, recency_share=0.0)
    rows = [found("b", 0.5, age=1), found("a", 0.5, age=1), found("c", 0.5)]
    for given in (rows, rows[::-1]):
        assert [row.id for row in rank(given, (), now=NOW, policy=flat, limit=3)] == ["c", "a", "b"]
