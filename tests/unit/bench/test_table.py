from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from bench import minds, run
from bench.table import Row, printed

from loops import each


@each(
    [
        (1.1, 1.2, False, True),
        (1.3, 1.2, False, False),
        (0.8, 0.8, True, True),
        (0.7, 0.8, True, False),
        (0.7, None, True, None),
        (None, None, False, False),
    ]
)
def test_a_goal_is_the_most_or_the_least_a_figure_may_be(
    figure: float | None, goal: float | None, at_least: bool, holds: bool | None
) -> None:
    assert Row("what", "", "", figure, goal, at_least).holds is holds


def test_what_could_not_be_measured_is_null_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert not printed([Row("rest", "", "", None, None)], as_json=True)
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["figure"], row["holds"]) == (None, False)


def test_ctrl_c_prints_what_was_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(**_: object) -> Iterator[Row]:
        yield Row("first", "", "", 1.0, None)
        raise KeyboardInterrupt

    monkeypatch.setattr(minds, "rows", interrupted)
    assert run.main(["minds"]) == run.STOPPED
    out, err = capsys.readouterr()
    assert out.splitlines()[1].startswith("first")
    assert "stopped" in err


def test_the_help_names_the_parts_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        run.main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "[part ...]" in text
    parts = "size, saving, search, loading, importing, night, gardening, server, proxy, page, minds, hygiene"
    parts += ", requests, lists"
    assert f"{parts}; all of them when none is named" in text
    assert "[]" not in text


def test_a_part_there_is_not_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        run.main(["speed"])
    told = "there is no part 'speed'; there are size, saving, search, loading, importing, night, gardening"
    assert told in capsys.readouterr().err
