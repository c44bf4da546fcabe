"""Ranking once more by a word-by-word comparison: what holds whatever the numbers are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, days
from relembra.domain.policy import PRESETS, RankingPolicy
from relembra.recall.ranking import Ranked, rank, rematched
from relembra.store.port import Candidate

sixteenths = st.integers(-16, 16).map(lambda n: n / 16)
policies = st.builds(
    lambda policy, share: replace(policy.ranking, match_share=share),
    st.sampled_from(list(PRESETS.values())),
    st.sampled_from([0.0, 0.5, 1.0, 3.0]),
)


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    """A few candidates with few different values, so that ties happen; all are found by their vectors."""
    size = draw(st.integers(0, 8))
    return [
        Candidate(
            id=f"{place:02}",
            cosine=draw(st.integers(1, 4)) / 4,
            bm25=None,
            terms=(),
            moment=NOW - days(draw(st.integers(0, 2))),
            weight=draw(st.sampled_from([0.5, 1.0])),
            priority=draw(st.sampled_from([1, 5])),
        )
        for place in range(size)
    ]


def ranked(rows: Sequence[Candidate], policy: RankingPolicy) -> list[Ranked]:
    return rank(rows, (), now=NOW, policy=policy, limit=100)


@given(candidates(), policies, st.data())
def test_whatever_the_matches_the_same_come_back_each_once_best_first(
    rows: list[Candidate], policy: RankingPolicy, data: st.DataObject
) -> None:
    before = ranked(rows, policy)
    matches = data.draw(st.lists(sixteenths, min_size=len(before), max_size=len(before)))
    after = rematched(before, matches, policy)
    assert sorted(row.id for row in after) == sorted(row.id for row in before)
    assert all(0 <= row.why.similarity <= 1 for row in after)
    assert [row.score for row in after] == sorted((row.score for row in after), reverse=True)
    if len(before) < 2:
        assert after == before
        return
    said = {row.id: row.why.match for row in after}
    assert [said[row.id] for row in before] == matches
    mixed = data.draw(st.permutations(list(zip(before, matches, strict=True))))
    assert rematched([row for row, _ in mixed], [match for _, match in mixed], policy) == after
    equal = rematched(before, matches[:1] * len(before), policy)
    assert [row.id for row in equal] == [row.id for row in before]
    assert [row.score for row in equal] == pytest.approx([row.score for row in before])
    chosen = data.draw(st.integers(0, len(before) - 1))
    better = [1.0 if place == chosen else match for place, match in enumerate(matches)]
    places = [[row.id for row in some].index(before[chosen].id) for some in (after, rematched(before, better, policy))]
    assert places[1] <= places[0]
