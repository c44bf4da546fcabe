"""`make soak`: faults, kills, workers side by side and properties, over and over with new seeds until the time is over.

It says its seed at the start; the same seed does the same again, in the same order. It ends with the first failure and
says how to repeat that lap.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
TARGETS = (
    "acceptance/test_faults.py", "acceptance/test_learning_faults.py", "acceptance/test_night_faults.py",
    "acceptance/test_night_forgetting.py", "acceptance/test_night_workers.py", "acceptance/test_proxy_faults.py",
    "property",
)  # fmt: skip
MORE_ROUNDS = 10
"""How many times as often as in `make test` something is killed."""


def laps(seed: int) -> Iterator[tuple[int, list[str]]]:
    """Seeds without end, each with the files to be run with it, in an order drawn from it."""
    files = sorted(str(path) for target in TARGETS for path in _files(TESTS / target))
    while True:
        yield seed, random.Random(seed).sample(files, len(files))
        seed += 1


def _files(path: Path) -> list[Path]:
    return sorted(path.glob("test_*.py")) if path.is_dir() else [path]


def command(seed: int, file: str) -> list[str]:
    explored = ["--hypothesis-profile=explore", f"--hypothesis-seed={seed}"]
    return [sys.executable, "-m", "pytest", "-q", "-x", "-n", "auto", "--no-header", *explored, file]


def passed(seed: int, file: str, seconds: float) -> bool | None:
    """Whether the tests of a file pass with a seed; None where they were not done in time."""
    luck = {"RELEMBRA_TEST_SEED": str(seed), "RELEMBRA_TEST_ROUNDS": str(MORE_ROUNDS)}
    running = subprocess.Popen(command(seed, file), cwd=TESTS.parent, env=os.environ | luck, start_new_session=True)
    try:
        return running.wait(max(seconds, 0)) == 0
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()


def soak(seed: int, minutes: float) -> int:
    until, done = time.monotonic() + 60 * minutes, 0
    say(f"SEED={seed} MINUTES={minutes:g}")
    for lap, files in laps(seed):
        for file in files:
            well = passed(lap, file, until - time.monotonic())
            if well is None:
                say(f"the time is over; {done} files passed")
                return 0
            if not well:
                say(f"failed with the seed {lap}; once more: make soak SEED={lap}")
                say(f"or this file alone: RELEMBRA_TEST_SEED={lap} {' '.join(command(lap, file))}")
                return 1
            done += 1
    raise AssertionError("laps never end")


def say(text: str) -> None:
    print(f"soak: {text}", flush=True)  # noqa: T201 - it talks to whoever runs it


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--minutes", type=float, default=30.0)
    given = parser.parse_args(words)
    return soak(given.seed, given.minutes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
