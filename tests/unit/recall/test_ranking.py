"""Ranking once more with a word-by-word comparison."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import NOW, days
from loops import each
from relembra.domain.policy import LIFE, PRESETS, RankingPolicy
from relembra.recall.ranking import Ranked, rank, rematched
from relembra.store.port import Candidate

POLICY = replace(LIFE.ranking, match_share=1.0)


def ranked(*cosines: float, policy: RankingPolicy = POLICY, ages: tuple[int, ...] = ()) -> list[Ranked]:
    """Candidates a, b, c … of these cosines, ranked."""
    candidates = [
        Candidate("abcdefgh"[place], cosine, None, (), NOW - days(ages[place] if ages else 0))
        for place, cosine in enumerate(cosines)
    ]
    return rank(candidates, (), now=NOW, policy=policy, limit=10)


def ids(rows: list[Ranked]) -> list[str]:
    return [row.id for row in rows]


def test_the_third_comes_first_when_its_words_meet_the_question() -> None:
    before = ranked(0.60, 0.55, 0.50)
    after = rematched(before, [0.4, 0.4, 0.7], POLICY)
    assert ids(before) == ["a", "b", "c"]
    assert ids(after) == ["c", "a", "b"]
    assert [row.why.match for row in after] == [0.7, 0.4, 0.4]
    assert [row.why.similarity for row in after] == pytest.approx([0.325 + 0.13, 0.39 - 0.065, 0.3575 - 0.065])
    assert [row.score for row in after] == pytest.approx([row.why.similarity for row in after])


@each(PRESETS)
def test_the_formula_of_the_policy_makes_the_score_anew(preset: str) -> None:
    policy = PRESETS[preset].ranking
    after = rematched(ranked(0.6, 0.5, policy=policy, ages=(0, 20)), [0.2, 0.9], policy)
    as_if_by_vector = [row.candidate._replace(cosine=row.why.similarity / policy.vector_share) for row in after]
    again = rank(as_if_by_vector, (), now=NOW, policy=policy, limit=10)
    assert ids(after) == ids(again)
    assert [row.score for row in after] == pytest.approx([row.score for row in again])
    assert {row.why.ranking for row in after} == {policy.name}


def test_a_match_that_was_made_is_said() -> None:
    one, other = rematched(ranked(0.6, 0.5), [0.81, 0.42], POLICY)
    assert "meaning 0.60 + match 0.81" in str(one.why)
    assert "match 0.42" in str(other.why)
    assert "match" not in str(ranked(0.6)[0].why)
