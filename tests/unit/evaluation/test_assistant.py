"""Scripts and probes: what a context must and must not hold. How they are played: `acceptance/test_cli_bench.py`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from loops import each
from relembra.evaluation.assistant import METRICS, Probe, problems, scripts_in, shipped
from relembra.evaluation.datasets import DataError

SCRIPT: dict[str, Any] = {
    "name": "own",
    "language": "en",
    "person": "ana",
    "sessions": [{"conversation": "c", "at": "2026-01-01T09:00:00Z", "turns": [{"said": "a"}, {"said": "b"}]}],
    "probes": [{"metric": "relevance", "at": "2026-01-10T09:00:00Z", "query": "live where?", "contains": ["Recife"]}],
}


@each(
    [
        ({"contains": ("RÉCIFE",)}, ()),
        ({"contains": (["Porto", "recife"],)}, ()),
        ({"contains": ("Porto", "Recife")}, ("-Porto",)),
        ({"lacks": ("Bidu", "Mimi")}, ("+Bidu",)),
        ({"outdated": ("Olinda", "Recife")}, ("~Olinda",)),  # the other is quoted, and not held
        ({"applies": ("sem açúcar", "Recife")}, ("!Recife",)),
    ]
)
def test_a_context_is_held_against_what_a_probe_asks(parts: dict[str, Any], found: tuple[str, ...]) -> None:
    asked = Probe(metric="relevance", at=datetime(2026, 1, 1, tzinfo=UTC), query="?", **parts)
    assert problems(asked, "Moro em Recife com o Bidu.", "Café sem açúcar\nMora em Olinda") == found


@each(
    [
        SCRIPT | {"probes": []},
        [SCRIPT, SCRIPT | {"probes": []}],
        {"name": "own"},
        SCRIPT | {"probes": [{"metric": "charm", "at": "2026-01-01T09:00:00Z", "query": "?"}]},
        "words",
    ]
)
def test_a_script_that_cannot_be_played_is_refused(script: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps(script), encoding="utf-8")
    with pytest.raises(DataError, match="not a script") as refused:
        scripts_in(path)
    assert refused.value.field == "script"


def test_shipped_scripts_have_every_metric_and_ask_for_what_was_said_before() -> None:
    found = shipped()
    assert sorted(script.language for script in found) == ["en", "en", "en", "pt", "pt", "pt"]
    assert {probe.metric for script in found for probe in script.probes} == set(METRICS)
    for script in found:
        assert len({turn["conversation"] for turn in script.said}) >= 3
        for probe in script.probes:
            assert probe.contains or probe.lacks or probe.applies
            whose = probe.person or script.person
            heard = " ".join(
                turn["said"] or "" for turn in script.said if turn["user"] == whose and turn["at"] < probe.at
            )
            choices = [[one] if isinstance(one, str) else one for one in probe.contains]
            assert all(any(words in heard for words in choice) for choice in choices), (script.name, probe.query)
