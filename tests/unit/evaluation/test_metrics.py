"""The figures, by hand-computed examples."""

from __future__ import annotations

from math import log2

import pytest

from loops import each
from relembra.evaluation.runner import (
    any_at,
    is_fresh,
    mean,
    mean_of,
    ndcg_at,
    percentile,
    recall_at,
    reciprocal_rank,
    scored,
)

RANKING = ["a", "b", "c", "d", "e", "f"]


@each([(1, 0.0, 0.0), (2, 1 / 3, 1.0), (5, 2 / 3, 1.0), (6, 2 / 3, 1.0), (20, 2 / 3, 1.0)])
def test_recall_is_the_share_found_and_any_whether_something_was(cut: int, recall: float, any: float) -> None:
    wanted = {"b", "e", "nowhere"}
    assert recall_at(RANKING, wanted, cut) == pytest.approx(recall)
    assert any_at(RANKING, wanted, cut) == any


def test_evidence_named_twice_counts_once() -> None:
    assert recall_at(RANKING, ["a", "a"], 1) == 1.0


def test_ndcg_discounts_by_the_logarithm_of_the_place() -> None:
    # places 2 and 5 of three wanted: 1/log2(3) + 1/log2(6) against 1 + 1/log2(3) + 1/2
    expected = (1 / log2(3) + 1 / log2(6)) / (1 + 1 / log2(3) + 0.5)
    assert ndcg_at(RANKING, {"b", "e", "nowhere"}, 10) == pytest.approx(expected)
    assert ndcg_at(RANKING, {"a"}, 10) == 1.0
    assert ndcg_at(RANKING, {"f"}, 5) == 0.0
    assert ndcg_at(["b", "a"], {"a"}, 10) == pytest.approx(0.6309, abs=1e-4)


def test_the_best_order_there_could_be_is_no_longer_than_the_cut() -> None:
    assert ndcg_at(["a", "b"], {"a", "b", "c"}, 2) == 1.0


def test_the_reciprocal_rank_is_of_the_first_found() -> None:
    assert reciprocal_rank(RANKING, {"c", "e"}) == pytest.approx(1 / 3)
    assert reciprocal_rank(RANKING, {"nowhere"}) == 0.0
    assert reciprocal_rank([], {"a"}) == 0.0


@each(
    [
        (["x", "new", "old"], True),
        (["old", "new"], False),
        (["new"], True),
        (["old"], False),
        (["x"], False),
        ([], False),
        (["new2", "old", "new"], True),
        (["older", "new", "old"], False),
    ]
)
def test_fresh_is_what_holds_now_above_all_it_replaced(ranking: list[str], fresh: bool) -> None:
    assert is_fresh(ranking, {"new", "new2"}, {"old", "older"}) is fresh


def test_percentiles_are_values_that_were_there() -> None:
    assert percentile([3.0, 1.0, 2.0, 4.0], 0.5) == 2.0
    assert percentile(range(1, 101), 0.95) == 95
    assert percentile([7.0], 0.95) == 7.0
    assert percentile([], 0.5) == 0.0


def test_means_are_of_each_figure() -> None:
    both = mean_of([scored(["a"], {"a"}), scored(["b", "a"], {"a"})])
    assert [both[f"recall@{cut}"] for cut in (1, 5, 10, 20)] == [0.5, 1.0, 1.0, 1.0]
    assert both["mrr"] == 0.75
    assert both["ndcg@10"] == pytest.approx((1 + 1 / log2(3)) / 2)
    assert mean_of([]) == {}
    assert mean([]) == 0.0
