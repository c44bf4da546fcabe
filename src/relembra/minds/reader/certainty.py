"""How sure a reading is: what tagger and judge say of it, weighed by how often that proved right on text held back."""

from __future__ import annotations

import math
from collections.abc import Sequence

from relembra.minds.reader.spans import Span

__all__ = ["certainty", "clues"]

_LEAST = 1e-4


def clues(span: Span, *, right: float, share: float, worth: float, is_earlier: bool) -> tuple[float, ...]:
    """What speaks for a value. `right`: the judge's likelihood for the person who has this share of the tagger's.

    `is_earlier`: the value stands in a turn before the message. The last clue is the same for all.
    """
    said = map(_odds, (right, span.peak, span.level, share, worth))
    return (*said, float(is_earlier), 1.0)


def certainty(weights: Sequence[float], found: Sequence[float]) -> float:
    """The share of readings with such clues that are right."""
    return 1 / (1 + math.exp(-sum(weight * clue for weight, clue in zip(weights, found, strict=True))))


def _odds(likely: float) -> float:
    kept = min(max(likely, _LEAST), 1 - _LEAST)
    return math.log(kept / (1 - kept))
