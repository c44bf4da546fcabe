"""Rows of the table that are shares: so many of so many, and the goal."""

from __future__ import annotations

from typing import NamedTuple

from bench.minds.asking import of
from bench.table import Row


class Goal(NamedTuple):
    """What a figure may be."""

    figure: float
    at_least: bool

    @classmethod
    def most(cls, figure: float) -> Goal:
        return cls(figure, False)

    @classmethod
    def least(cls, figure: float) -> Goal:
        return cls(figure, True)


def share_row(what: str, hits: int, total: int, goal: Goal | None = None) -> Row:
    """Of nothing the share is 0: no junk among nothing kept, and nothing found either."""
    figure = hits / total if total else 0.0
    return Row(what, of(hits, total), "", figure, goal and goal.figure, goal is not None and goal.at_least)


def count_row(what: str, hits: int, total: int, *, goal: float | None = 0) -> Row:
    """A plain count, out of so many chances; the goal is the most it may be."""
    return Row(what, of(hits, total), "", float(hits), goal)
