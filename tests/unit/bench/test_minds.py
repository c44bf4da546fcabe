"""The figures of the offline minds: what a mind that fails costs, and the size of what ships."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bench.minds import costs, measured
from bench.table import Row

from relembra.errors import MindError


def test_a_mind_that_cannot_answer_costs_the_rest_of_its_section(capsys: pytest.CaptureFixture[str]) -> None:
    def section() -> Iterator[Row]:
        yield Row("first", "", "", 1.0, None)
        raise MindError("the model is another one")

    first, failed = measured("moods", section())
    assert first.what == "first"
    assert failed.what.startswith("moods")
    assert failed.holds is False
    assert "another one" in capsys.readouterr().err


def test_the_shipped_model_stays_small_enough_to_ship() -> None:
    model, networks = costs.sizes()
    assert model.holds
    assert networks.figure is not None
