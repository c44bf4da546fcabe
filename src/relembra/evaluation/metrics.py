"""The figures, as plain functions over rankings: lists of ids, best first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, log2

CUTS = (1, 5, 10, 20)
NDCG_CUT = 10


@dataclass(frozen=True, slots=True)
class Scores:
    """How well one ranking finds its evidence."""

    recall: dict[int, float]
    any: dict[int, float]
    ndcg: float
    mrr: float


def scored(ranking: Sequence[str], wanted: Collection[str]) -> Scores:
    """All figures of one ranking; `wanted` is not empty."""
    return Scores(
        recall={cut: recall_at(ranking, wanted, cut) for cut in CUTS},
        any={cut: any_at(ranking, wanted, cut) for cut in CUTS},
        ndcg=ndcg_at(ranking, wanted, NDCG_CUT),
        mrr=reciprocal_rank(ranking, wanted),
    )


def mean_of(all_scores: Sequence[Scores]) -> Scores | None:
    """Each figure's mean; None of nothing."""
    if not all_scores:
        return None
    return Scores(
        recall={cut: mean(scores.recall[cut] for scores in all_scores) for cut in CUTS},
        any={cut: mean(scores.any[cut] for scores in all_scores) for cut in CUTS},
        ndcg=mean(scores.ndcg for scores in all_scores),
        mrr=mean(scores.mrr for scores in all_scores),
    )


def recall_at(ranking: Sequence[str], wanted: Collection[str], cut: int) -> float:
    """The share of what is wanted among the first so many."""
    return len(set(ranking[:cut]) & set(wanted)) / len(set(wanted))


def any_at(ranking: Sequence[str], wanted: Collection[str], cut: int) -> float:
    """1 where anything wanted is among the first so many, else 0."""
    return float(not set(ranking[:cut]).isdisjoint(wanted))


def ndcg_at(ranking: Sequence[str], wanted: Collection[str], cut: int) -> float:
    """Discounted gain, each wanted id worth one, against the best order there could be."""
    wanted = set(wanted)
    gain = sum(1 / log2(place + 2) for place, id in enumerate(ranking[:cut]) if id in wanted)
    return gain / sum(1 / log2(place + 2) for place in range(min(cut, len(wanted))))


def reciprocal_rank(ranking: Sequence[str], wanted: Collection[str]) -> float:
    """One over the place of the first wanted id; 0 where there is none."""
    return next((1 / place for place, id in enumerate(ranking, 1) if id in wanted), 0.0)


def is_fresh(ranking: Sequence[str], newest: Collection[str], older: Collection[str]) -> bool:
    """Whether what holds now stands above everything it replaced; not where it was not found."""
    return next((id in newest for id in ranking if id in newest or id in older), False)


def percentile(values: Collection[float], share: float) -> float:
    """The smallest value that so great a share does not exceed; 0 of nothing."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else 0.0


def mean(values: Iterable[float]) -> float:
    """The mean; 0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
