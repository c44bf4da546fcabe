from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench import minds, run
from bench.table import Row, printed

from loops import each

ROOT = Path(__file__).parents[3]


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


def test_the_table_says_which_way_a_goal_points(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [Row("found", "8 of 10", "", 0.8, 0.75, at_least=True), Row("size", "50 MB", "", 50.0, 40)]
    assert not printed(rows, as_json=False)
    _, found, size = capsys.readouterr().out.splitlines()
    assert found.split() == ["found", "8", "of", "10", "0.800", "≥", "0.75", "ok"]
    assert size.split()[-3:] == ["≤", "40", "MISSED"]


def test_what_could_not_be_measured_is_null_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert not printed([Row("rest", "", "", None, None)], as_json=True)
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["figure"], row["holds"]) == (None, False)


def test_nothing_measured_is_a_table_without_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed([], as_json=False)
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_ctrl_c_prints_what_was_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(**_: object) -> Iterator[Row]:
        yield Row("first", "", "", 1.0, None)
        raise KeyboardInterrupt

    monkeypatch.setattr(minds, "rows", interrupted)
    assert run.main(["minds"]) == run.STOPPED
    out, err = capsys.readouterr()
    assert out.splitlines()[1].startswith("first")
    assert "stopped" in err


def test_help_names_the_options_of_minds() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.run", "--help"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert all(option in done.stdout for option in ("--data", "--split", "--quick", "--json"))


def test_minds_need_neither_torch_nor_tokenizers() -> None:
    code = "import sys; sys.modules['torch'] = sys.modules['tokenizers'] = None; import bench.minds"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_help_names_the_parts_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        run.main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "[part ...]" in text
    parts = "size, saving, search, loading, night, gardening, server, proxy, page, minds, hygiene"
    assert f"{parts}; all of them when none is named" in text
    assert "[]" not in text


def test_a_part_there_is_not_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        run.main(["speed"])
    assert (
        "there is no part 'speed'; there are size, saving, search, loading, night, gardening" in capsys.readouterr().err
    )
