"""Which of many vectors lie near one another, without comparing all pairs.

A few are compared one with another. Many are sorted into about √n buckets around centres drawn from a sample, and each
is compared within its own bucket and with the members of the next nearest one. The same rows give the same answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]
    Whole = npt.NDArray[np.int64]

EXACT = 4_000  # so many are simply compared one with another
SAMPLE = 16  # rows a centre is made of, about
ROUNDS = 2  # in which centres move to the middle of their sample
BLOCK = 2_048
DEEPEST = 2  # how often a bucket far too large is sorted again
DIGITS = 5  # of a cosine that count, for machines add up in different orders


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Pairs of places (the lower first) with their cosine, nearest first, and how many were compared for them."""

    pairs: list[tuple[int, int, float]]
    comparisons: int


class _Found:
    """Pairs near enough, gathered block by block; each row keeps its nearest few."""

    def __init__(self, vectors: Matrix, codes: Whole, at_least: float, most: int) -> None:
        self.vectors, self.codes, self.at_least, self.most = vectors, codes, at_least, most
        self.comparisons = 0
        self._kept: list[tuple[Whole, Whole, Matrix]] = []

    def within(self, rows: Whole) -> None:
        """Compare rows one with another."""
        self.comparisons += len(rows) * (len(rows) - 1) // 2
        for start in range(0, len(rows), BLOCK):
            for other in range(start, len(rows), BLOCK):
                self._block(rows[start : start + BLOCK], rows[other : other + BLOCK])

    def between(self, rows: Whole, others: Whole) -> None:
        """Compare rows with others, none of which is among them."""
        self.comparisons += len(rows) * len(others)
        for start in range(0, len(rows), BLOCK):
            for other in range(0, len(others), BLOCK):
                self._block(rows[start : start + BLOCK], others[other : other + BLOCK])

    def _block(self, rows: Whole, others: Whole) -> None:
        import numpy as np

        cosines = np.round(self.vectors[rows] @ self.vectors[others].T, DIGITS)
        mine, theirs = self.codes[rows][:, None], self.codes[others][None, :]
        wanted = (mine == theirs) | (mine == 0) | (theirs == 0)
        cosines[~wanted | (rows[:, None] == others[None, :])] = -1.0
        for flat in (cosines, cosines.T):
            first, second = (rows, others) if flat is cosines else (others, rows)
            best = flat
            place = np.broadcast_to(np.arange(flat.shape[1]), flat.shape)
            if flat.shape[1] > 2 * self.most:
                place = np.argpartition(-flat, self.most, axis=1)[:, : 2 * self.most]
                best = np.take_along_axis(flat, place, axis=1)
            row, column = np.nonzero(best >= self.at_least)
            if len(row):
                self._kept.append((first[row], second[place[row, column]], best[row, column]))

    def result(self) -> Neighbours:
        """Each row's nearest few, each pair once."""
        import numpy as np

        if not self._kept:
            return Neighbours([], self.comparisons)
        row, other, cosine = (np.concatenate(part) for part in zip(*self._kept, strict=True))
        order = np.lexsort((other, -cosine, row))
        row, other, cosine = row[order], other[order], cosine[order]
        again = np.r_[False, (row[1:] == row[:-1]) & (other[1:] == other[:-1])]
        row, other, cosine = row[~again], other[~again], cosine[~again]
        begins = np.searchsorted(row, row)
        few = np.arange(len(row)) - begins < self.most
        low, high = np.minimum(row, other)[few], np.maximum(row, other)[few]
        pairs = {(a, b): c for a, b, c in zip(low.tolist(), high.tolist(), cosine[few].tolist(), strict=True)}
        return Neighbours(sorted(((a, b, c) for (a, b), c in pairs.items()), key=_nearest), self.comparisons)


def near_pairs(
    ids: Sequence[str], vectors: Matrix, codes: Whole, *, at_least: float, most: int, exact: int = EXACT
) -> Neighbours:
    """Pairs of rows whose cosine is high enough, of each row its nearest `most`.

    `codes`: rows of two different ones are never paired; 0 goes with all.
    """
    import numpy as np

    found = _Found(vectors, codes, at_least, most)
    _sorted_in(found, ids, np.arange(len(ids)), exact, depth=0)
    return found.result()


def _sorted_in(found: _Found, ids: Sequence[str], rows: Whole, exact: int, depth: int) -> None:
    import numpy as np

    if len(rows) <= exact:
        found.within(rows)
        return
    centres = _centres(found.vectors, ids, rows)
    own, next_to = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    found.comparisons += len(rows) * len(centres)
    for start in range(0, len(rows), BLOCK):
        near = found.vectors[rows[start : start + BLOCK]] @ centres.T
        own[start : start + BLOCK] = best = np.argmax(near, axis=1)
        near[np.arange(len(near)), best] = -2.0
        next_to[start : start + BLOCK] = np.argmax(near, axis=1)
    usual = len(rows) / len(centres)
    for bucket in range(len(centres)):
        members, guests = rows[own == bucket], rows[next_to == bucket]
        if len(members) > max(exact, 8 * usual):
            if depth < DEEPEST and len(members) < len(rows):
                _sorted_in(found, ids, members, exact, depth + 1)
            else:  # too many alike to be told apart: each is compared with a stretch of them
                for start in range(0, len(members), exact):
                    found.within(members[start : start + exact])
            continue
        found.within(members)
        found.between(guests, members)


def _centres(vectors: Matrix, ids: Sequence[str], rows: Whole) -> Matrix:
    """About √n directions, each the middle of a part of a sample; which rows are sampled, their ids decide."""
    import numpy as np

    count = 2 ** max(4, math.ceil(math.log2(math.sqrt(len(rows)))))
    drawn = sorted(rows.tolist(), key=lambda row: blake2b(ids[row].encode(), digest_size=8).digest())
    sample = vectors[np.array(drawn[: SAMPLE * count])]
    centres: Matrix = sample[:count].copy()
    for _ in range(ROUNDS):
        nearest = np.argmax(sample @ centres.T, axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres[:] = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centres)
    return centres


def _nearest(pair: tuple[int, int, float]) -> tuple[float, int, int]:
    return -pair[2], pair[0], pair[1]
