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

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

SCRIPT: dict[str, Any] = {
    "name": "own",
    "language": "en",
    "person": "ana",
    "sessions": [{"conversation": "c", "at": "2026-01-01T09:00:00Z", "turns": [{"said": "a"}, {"said": "b"}]}],
    "probes": [{"metric": "relevance", "at": "2026-01-10T09:00:00Z", "query": "live where?", "contains": ["Recife"]}],
}


def probe(**parts: Any) -> Probe:
    return Probe(metric="relevance", person="ana", at=NOON, query="?", **parts)


@each(
    [
        (probe(contains=(("Recife",),)), ()),
        (probe(contains=(("RÉCIFE",),)), ()),
        (probe(contains=(("Porto", "recife"),)), ()),
        (probe(contains=(("Porto",), ("Recife",))), ("-Porto",)),
        (probe(lacks=("Bidu",)), ("+Bidu",)),
        (probe(lacks=("Mimi",)), ()),
        (probe(outdated=("Olinda",)), ("~Olinda",)),
        (probe(outdated=("Recife",)), ()),  # quoted, and not held
        (probe(applies=(("sem açúcar",),)), ()),
        (probe(applies=(("Recife",),)), ("!Recife",)),
    ]
)
def test_a_context_is_held_against_what_a_probe_asks(asked: Probe, found: tuple[str, ...]) -> None:
    assert problems(asked, "Moro em Recife com o Bidu.", "Café sem açúcar\nMora em Olinda") == found


def written(path: Path, script: Any) -> Path:
    path.write_text(json.dumps(script), encoding="utf-8")
    return path


def test_turns_without_a_moment_are_a_minute_apart(tmp_path: Path) -> None:
    (script,) = scripts_in(written(tmp_path / "own.json", SCRIPT))
    assert [turn.at.minute for turn in script.said] == [0, 1]


@each(
    [
        (SCRIPT | {"probes": []}, "without probes"),
        ([SCRIPT, SCRIPT | {"probes": []}], "without probes"),
        ([], "without probes"),
        ({"name": "own"}, "not a script: 'person' is missing"),
        (SCRIPT | {"probes": [{"metric": "charm", "at": "2026-01-01", "query": "?"}]}, "no metric 'charm'"),
        ("words", "not a script"),
    ]
)
def test_a_script_that_cannot_be_played_is_refused(script: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=said) as refused:
        scripts_in(written(tmp_path / "own.json", script))
    assert refused.value.field == "script"


def test_scripts_are_shipped_in_both_languages_with_every_metric() -> None:
    found = shipped()
    assert sorted(script.language for script in found) == ["en", "en", "en", "pt", "pt", "pt"]
    assert {probe.metric for script in found for probe in script.probes} == set(METRICS)
    for script in found:
        assert len({turn.conversation for turn in script.said}) >= 3
        assert all(probe.contains or probe.lacks or probe.applies for probe in script.probes)


def test_what_a_shipped_probe_asks_for_was_said_to_that_person_before() -> None:
    for script in shipped():
        for asked in script.probes:
            heard = " ".join(
                turn.said or "" for turn in script.said if turn.person == asked.person and turn.at < asked.at
            )
            wanted = [choice for choice in asked.contains if not any(words in heard for words in choice)]
            assert wanted == [], (script.name, asked.query)
