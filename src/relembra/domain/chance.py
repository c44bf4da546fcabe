"""What chance alone would give: exact tests on counts, and what is left of them when many were looked at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist


@dataclass(frozen=True, slots=True)
class Stratum:
    """A few days compared with one another: how many there are, how many have one thing, the other, and both."""

    days: int
    with_first: int
    with_second: int
    with_both: int

    @property
    def least(self) -> int:
        """The fewest that could have had both."""
        return max(0, self.with_first + self.with_second - self.days)

    @property
    def most(self) -> int:
        return min(self.with_first, self.with_second)


def hypergeometric(days: int, with_first: int, with_second: int) -> list[float]:
    """The chance of each number having both, from the fewest possible on, when the two have nothing to do."""
    bare = Stratum(days, with_first, with_second, 0)
    ways = math.comb(days, with_second)
    return [
        math.comb(with_first, both) * math.comb(days - with_first, with_second - both) / ways
        for both in range(bare.least, bare.most + 1)
    ]


@dataclass(frozen=True, slots=True)
class Answer:
    """One question put to chance: how likely as much or more, as little or less, and the least p there could be."""

    more: float
    less: float
    least: float  # the smaller p of the two most extreme outcomes these margins allow

    @property
    def either(self) -> float:
        """The chance of something so far off in either direction."""
        return min(1.0, 2.0 * min(self.more, self.less))


def compared(strata: Iterable[Stratum]) -> Answer:
    """Fisher's exact test, conditional on each stratum's margins: days are only compared within their stratum.

    With one stratum it is the plain one. A stratum in which nothing could have been otherwise says nothing.
    """
    spread, both, least = [1.0], 0, 0
    for part in strata:
        both += part.with_both
        least += part.least
        if part.most > part.least:
            spread = _convolved(spread, hypergeometric(part.days, part.with_first, part.with_second))
    at = both - least
    return Answer(
        more=min(1.0, math.fsum(spread[at:])),
        less=min(1.0, math.fsum(spread[: at + 1])),
        least=min(spread[0], spread[-1]),
    )


def stickiness(marked: Sequence[bool]) -> float:
    """How much a day is like the day before, 0 to 1: the correlation of each with the next."""
    if len(marked) < 3:
        return 0.0
    mean = sum(marked) / len(marked)
    spread = math.fsum((one - mean) ** 2 for one in marked)
    if spread == 0.0:
        return 0.0
    likeness = math.fsum((one - mean) * (two - mean) for one, two in pairwise(marked))
    return min(1.0, max(0.0, likeness / spread))


def tempered(chance: float, likeness: float) -> float:
    """A p of two series that both stay as they were for days, and so meet by chance more often than loose days do.

    `likeness`: the product of their stickiness. As many days as there are count for (1 − likeness) / (1 + likeness)
    of them (Bartlett), so the p is that of a deviation smaller by the root of it; never a smaller p.
    """
    if not 0.0 < chance < 0.5 or likeness <= 0.0:
        return chance
    if likeness >= 1.0:
        return 0.5
    normal = NormalDist()
    return normal.cdf(normal.inv_cdf(chance) * math.sqrt((1.0 - likeness) / (1.0 + likeness)))


def run_chance(days: int, marked: int, longest: int) -> float:
    """The chance that `marked` of so many days in a row, marked at random, hold a run of `longest` or more."""
    if longest <= 0:
        return 1.0
    if longest > marked:
        return 0.0
    others, ways = days - marked, math.comb(days, marked)
    without = sum(
        (-1 if runs % 2 else 1) * math.comb(others + 1, runs) * math.comb(days - runs * longest, others)
        for runs in range(min(others + 1, marked // longest) + 1)
    )
    return (ways - without) / ways


def discovery_rates(chances: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's q of each p, in order: the share of false ones among all whose q is as small."""
    ranked = sorted(range(len(chances)), key=lambda index: chances[index])
    rates = [1.0] * len(chances)
    so_far = 1.0
    for rank in range(len(ranked), 0, -1):
        index = ranked[rank - 1]
        so_far = min(so_far, chances[index] * len(ranked) / rank)
        rates[index] = so_far
    return rates


def _convolved(one: Sequence[float], two: Sequence[float]) -> list[float]:
    sums = [0.0] * (len(one) + len(two) - 1)
    for at, left in enumerate(one):
        for by, right in enumerate(two):
            sums[at + by] += left * right
    return sums
