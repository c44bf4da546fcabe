from __future__ import annotations

from typing import Any

import numpy as np

from loops import each
from relembra.night.duplicates import near_pairs


def scattered(count: int, again: int, seed: int = 5) -> tuple[list[str], Any]:
    """Vectors in all directions; the last `again` ones lie beside the first."""
    chance = np.random.default_rng(seed)
    vectors = chance.standard_normal((count, 48), dtype=np.float32)
    vectors[count - again :] = vectors[:again] + 0.1 * chance.standard_normal((again, 48), dtype=np.float32)
    return [f"{number:05}" for number in range(count)], vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def everyone(count: int) -> Any:
    return np.zeros(count, np.int64)


def test_few_are_compared_one_with_another() -> None:
    ids, vectors = scattered(60, 6)
    found = near_pairs(ids, vectors, everyone(60), at_least=0.9, most=3)
    assert [(one, other) for one, other, _ in sorted(found)] == [(place, 54 + place) for place in range(6)]


def test_many_are_sorted_first_and_nearly_all_that_lie_together_are_found() -> None:
    ids, vectors = scattered(3_000, 100)
    found = near_pairs(ids, vectors, everyone(3_000), at_least=0.9, most=3, exact=100)
    planted = {(place, 2_900 + place) for place in range(100)}
    assert {(one, other) for one, other, _ in found} <= planted
    assert len(found) >= 95
    assert found == near_pairs(ids, vectors, everyone(3_000), at_least=0.9, most=3, exact=100)


def test_of_each_only_the_nearest_few_count_and_the_nearest_pair_comes_first() -> None:
    angles = np.array([0.0, 0.01, 0.02, 0.03, 0.5])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    found = near_pairs(list("abcde"), vectors, everyone(5), at_least=0.5, most=1)
    assert {(one, other) for one, other, _ in found} <= {(0, 1), (1, 2), (2, 3), (3, 4)}
    assert [cosine for _, _, cosine in found] == sorted((cosine for _, _, cosine in found), reverse=True)


def test_rows_with_different_codes_are_never_paired_and_those_without_one_with_all() -> None:
    vectors = np.tile(np.array([[1.0, 0.0]], np.float32), (4, 1))
    found = near_pairs(list("abcd"), vectors, np.array([1, 2, 2, 0]), at_least=0.9, most=9)
    assert {(one, other) for one, other, _ in found} == {(1, 2), (0, 3), (1, 3), (2, 3)}


@each([0, 1])
def test_nothing_lies_beside_nothing(count: int) -> None:
    ids, vectors = scattered(2, 0)
    assert near_pairs(ids[:count], vectors[:count], everyone(count), at_least=0.1, most=3) == []


def test_a_great_many_all_alike_are_found_a_stretch_at_a_time() -> None:
    vectors = np.tile(np.array([[1.0, 0.0]], np.float32), (2_000, 1))
    found = near_pairs(
        [str(number) for number in range(2_000)], vectors, everyone(2_000), at_least=0.9, most=2, exact=50
    )
    assert len(found) >= 1_000
