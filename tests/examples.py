"""Sets of examples with their expected readings, kept as data: one JSON object a line, half of them marked "test"."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"

Example = dict[str, Any]


def examples(name: str, **wanted: str) -> list[Example]:
    """The examples of a set whose fields equal those wanted; an empty choice would test nothing, so it fails."""
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    chosen = [one for one in map(json.loads, lines) if all(one[field] == value for field, value in wanted.items())]
    assert chosen
    return chosen


def score(chosen: list[Example], reading: Callable[[Example], object]) -> float:
    """The share read exactly as expected. Says nothing of single ones: the "test" half is not for tuning."""
    right = [one for one in chosen if reading(one) == one["expected"]]
    return len(right) / len(chosen)
