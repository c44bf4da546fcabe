"""The long run: what it runs is there, and a seed says all about it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from soak import laps


def test_a_seed_says_what_is_run_and_the_next_lap_has_another() -> None:
    first, again = (list(islice(laps(7), 3)) for _ in range(2))
    assert (first, [seed for seed, _ in first]) == (again, [7, 8, 9])
    assert len({tuple(files) for _, files in first}) == 3
    assert all(Path(file).is_file() for file in first[0][1])
    assert len(first[0][1]) == len(set(first[0][1])) > 15
