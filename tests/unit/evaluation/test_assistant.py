"""Scripts and probes: what a context must and must not hold, and the figures of a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from loops import each
from relembra.evaluation.assistant import METRICS, Probe, Probed, play, problems, scripts_in, shipped, summary
from relembra.evaluation.datasets import DataError
from relembra.evaluation.runner import SetClock

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

SCRIPT: dict[str, Any] = {
    "name": "own",
    "language": "en",
    "person": "ana",
    "sessions": [
        {
            "conversation": "one",
            "at": "2026-01-01T09:00:00Z",
            "turns": [{"said": "I live in Recife.", "replied": "Ah."}],
        },
        {"conversation": "two", "at": "2026-02-01T09:00:00Z", "turns": [{"said": "I live in Lisbon now."}]},
        {"conversation": "x", "at": "2026-01-15T09:00:00Z", "person": "rui", "turns": [{"said": "I live in Oslo."}]},
    ],
    "probes": [
        {"metric": "relevance", "at": "2026-01-10T09:00:00Z", "query": "live where?", "contains": ["Recife"]},
        {
            "metric": "continuity",
            "at": "2026-02-11T09:00:00Z",
            "query": "live where?",
            "contains": [["Lisboa", "Lisbon"]],
            "lacks": ["Oslo"],
        },
        {"metric": "personalisation", "at": "2026-02-11T09:01:00Z", "query": "live", "applies": ["tea"]},
    ],
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


async def test_a_probe_sees_what_was_said_before_it_alone(remembered: Callable[..., Any], tmp_path: Path) -> None:
    (script,) = scripts_in(written(tmp_path / "own.json", SCRIPT))
    clock = SetClock(NOON)
    memory = remembered(clock)
    found: list[Probed] = []
    await play(script, memory, clock, found=found)
    assert [each.problems for each in found] == [(), (), ("!tea",)]
    assert [row["text"] for row in memory.saved] == ["I live in Recife.", "I live in Oslo.", "I live in Lisbon now."]
    assert memory.settled == [True, True, True]
    assert [each.days for each in found] == [9.0, 10.0, None]


async def test_the_figures_are_shares_of_probes(remembered: Callable[..., Any], tmp_path: Path) -> None:
    (script,) = scripts_in(written(tmp_path / "own.json", SCRIPT))
    clock = SetClock(NOON)
    found: list[Probed] = []
    await play(script, remembered(clock), clock, found=found)
    figures = summary(found)
    assert figures["probes"] == 3
    assert figures["passed"] == pytest.approx(2 / 3, abs=1e-4)
    assert figures["metrics"] == {
        "relevance": {"probes": 1, "passed": 1.0},
        "continuity": {"probes": 1, "passed": 1.0},
        "personalisation": {"probes": 1, "passed": 0.0},
    }
    assert figures["days_remembered"] == 10.0
    assert figures["failed"] == [{"script": "own", "metric": "personalisation", "query": "live", "problems": ["!tea"]}]


def test_turns_without_a_moment_are_a_minute_apart(tmp_path: Path) -> None:
    sessions = [{"conversation": "c", "at": "2026-01-01T09:00:00Z", "turns": [{"said": "a"}, {"said": "b"}]}]
    (script,) = scripts_in(written(tmp_path / "own.json", SCRIPT | {"sessions": sessions}))
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
