"""How hypothesis runs: the same examples every time; `--hypothesis-profile=explore` looks for new ones.

Golden files: `--update-golden` writes them anew instead of comparing. numpy has one thread, for tests run side by side
and its threads would wait for each other.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("repeatable", max_examples=50, derandomize=True, deadline=None, database=None)
settings.register_profile("explore", max_examples=1_000, deadline=None)
settings.load_profile("repeatable")

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files anew instead of comparing")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the golden file of a name, or write it."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} is missing: run pytest --update-golden and look at what it wrote"
        assert text == path.read_text(encoding="utf-8")

    return compare
