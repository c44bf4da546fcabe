"""How tests that try their luck draw it: with a fixed seed, so that a second run does what the first did.

`make soak` gives other seeds, and has everything tried more often.
"""

from __future__ import annotations

import os

USUAL = 109_658


def a_seed() -> int:
    """The seed of this run, which a failing test shows."""
    seed = int(os.environ.get("RELEMBRA_TEST_SEED") or USUAL)
    print(f"RELEMBRA_TEST_SEED={seed}")  # noqa: T201 - shown when the test fails
    return seed


def rounds(number: int) -> int:
    """So many rounds of the same, or as many times more as the environment says."""
    return number * int(os.environ.get("RELEMBRA_TEST_ROUNDS") or 1)
