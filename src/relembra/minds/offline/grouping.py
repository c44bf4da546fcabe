"""Putting together what lies close: average-link grouping of vectors, the same for the same input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from relembra.minds.port import Vector

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]
    Groups = list[list[int]]

__all__ = ["by_centrality", "grouped"]

MOST_COMPARED = 500
"""Vectors compared with one another; those behind them only join the groups that these form."""


def grouped(
    vectors: Sequence[Vector], *, similar_at_least: float, related_at_least: float, fewest: int, most: int
) -> list[list[int]]:
    """Groups of at least two, by place and in the order of their first; what is near to nothing is in none.

    Two groups are one while their members' mean cosine is `similar_at_least`. Where that gives too many, they go on
    becoming one down to `related_at_least`, and then the largest are taken. Where it gives too few, the cut is moved as
    little as gives enough: down as far, or up to finer groups, as long as these leave no more than half out.
    """
    if len(vectors) < 2 or most < 1:
        return []
    rows = _rows(vectors)
    first = rows[:MOST_COMPARED]
    cosines, merges = _merges(first, down_to=related_at_least)
    usual = sum(1 for cosine in cosines if cosine >= similar_at_least)
    cut = _cut(*_counts(len(first), merges), usual=usual, least=min(fewest, most), most=most)
    groups = [group for group in _joined(len(first), merges[:cut]) if len(group) > 1]
    groups = sorted(sorted(groups, key=len, reverse=True)[:most])
    for place in range(len(first), len(rows)):
        near = [float((rows[group] @ rows[place]).mean()) for group in groups]
        if near and max(near) >= similar_at_least:
            groups[near.index(max(near))].append(place)
    return groups


def by_centrality(vectors: Sequence[Vector]) -> list[int]:
    """Places, the one nearest to all the others first."""
    rows = _rows(vectors)
    near = rows @ rows.sum(0)
    return sorted(range(len(rows)), key=lambda place: (-round(float(near[place]), 6), place))


def _rows(vectors: Sequence[Vector]) -> Numbers:
    import numpy as np

    return np.stack([np.frombuffer(vector, "<f4") for vector in vectors])


def _merges(rows: Numbers, *, down_to: float) -> tuple[list[float], list[tuple[int, int]]]:
    """Which two groups, named by their first members, become one in each step, and their mean cosine then."""
    import numpy as np

    near = (rows @ rows.T).astype(np.float64)
    np.fill_diagonal(near, -np.inf)
    sizes = np.ones(len(rows))
    cosines, merges = list[float](), list[tuple[int, int]]()
    for _ in range(len(rows) - 1):
        one, other = sorted(divmod(int(near.argmax()), len(rows)))
        cosine = float(near[one, other])
        if cosine < down_to:
            break
        cosines.append(cosine)
        merges.append((one, other))
        together = (near[one] * sizes[one] + near[other] * sizes[other]) / (sizes[one] + sizes[other])
        near[one], near[:, one] = together, together
        near[other], near[:, other] = -np.inf, -np.inf
        near[one, one] = -np.inf
        sizes[one] += sizes[other]
    return cosines, merges


def _joined(count: int, merges: Sequence[tuple[int, int]]) -> Groups:
    groups = {place: [place] for place in range(count)}
    for one, other in merges:
        groups[one] = sorted(groups[one] + groups.pop(other))
    return list(groups.values())


def _counts(count: int, merges: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """How many groups of at least two there are before the first step and after each, and how many are in them."""
    sizes = dict.fromkeys(range(count), 1)
    counts, covered = [0], [0]
    for one, other in merges:
        gone = sizes.pop(other)
        counts.append(counts[-1] + (sizes[one] + gone == 2) - (sizes[one] > 1 and gone > 1))
        covered.append(covered[-1] + (sizes[one] == 1) + (gone == 1))
        sizes[one] += gone
    return counts, covered


def _cut(counts: Sequence[int], covered: Sequence[int], *, usual: int, least: int, most: int) -> int:
    """After which step to stop."""
    if counts[usual] > most:
        return next((step for step in range(usual, len(counts)) if counts[step] <= most), len(counts) - 1)
    if counts[usual] >= least:
        return usual
    fair = [step for step, in_them in enumerate(covered) if counts[step] <= most and 2 * in_them >= covered[usual]]
    return min(fair, key=lambda step: (max(least - counts[step], 0), abs(step - usual), -step))
