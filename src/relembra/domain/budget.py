"""Sharing a token budget: what fits is taken, what does not is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fit(Generic[T]):
    """What was taken, in the given order, what it costs, and what was left out."""

    taken: tuple[T, ...]
    tokens: int
    cut: tuple[T, ...]


def fit(parts: Sequence[T], budget: int, cost: Callable[[T], int]) -> Fit[T]:
    """Take parts in order while they fit; one too long is passed over, so that a shorter one may still come in."""
    taken: list[T] = []
    cut: list[T] = []
    spent = 0
    for part in parts:
        price = cost(part)
        if spent + price <= budget:
            taken.append(part)
            spent += price
        else:
            cut.append(part)
    return Fit(tuple(taken), spent, tuple(cut))
