"""Data sets in their published formats, and one of our own, read into the same few values."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import Path

from relembra.evaluation.datasets import consolidation, lines, locomo, longmemeval, squad
from relembra.evaluation.datasets.reading import DataError, mismatch, parsed
from relembra.evaluation.datasets.values import Dataset

Read = Callable[..., Dataset]

READERS: dict[str, Read] = {
    "longmemeval": longmemeval.read,
    "locomo": locomo.read,
    "factconsolidation": consolidation.read,
    "faquad": squad.read,
    "jsonl": lines.read,
}
POOLS = ("all", "question")


def load(name: str, path: Path, *, pool: str | None = None, row: str | None = None) -> Dataset:
    """The data set of a name from a file; `pool` and `row` mean something to some of them."""
    if name not in READERS:
        raise DataError(f"no data set {name!r}; there are {', '.join(READERS)}", field="dataset")
    given = {key: value for key, value in (("pool", pool), ("row", row)) if value is not None}
    for key in given.keys() - signature(READERS[name]).parameters:
        raise DataError(f"{name} knows no {key}", field=key)
    data = parsed(path)
    try:
        found = READERS[name](data, **given)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as exc:
        raise DataError(f"{path} is not in the format of {name}: {mismatch(exc)}") from exc
    if not found.turns or not found.questions:
        raise DataError(f"{path} has no {'messages' if not found.turns else 'questions with evidence'} for {name}")
    return found
