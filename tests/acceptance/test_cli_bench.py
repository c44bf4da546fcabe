"""Measuring on the command line: the real engine on small data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from acceptance.running import Cli
from examples import DATA
from loops import each
from relembra.evaluation import assistant

FOLDER = DATA / "evaluation"
LINES = str(FOLDER / "lines.jsonl")
SHIPPED = [Path(assistant.__file__).parent / "scripts" / name for name in ("en-move.json", "pt-saude.json")]


def test_our_own_lines_are_measured_kept_and_measured_again(cli: Cli) -> None:
    words = ("bench", "retrieval", "--data", LINES, "--db", "kept.db")
    found = cli(*words, "--json").data
    ours = found["turns"]["relembra"]["overall"]
    assert (found["asked"], found["messages"], ours["questions"]) == (3, 6, 3)
    assert (ours["recall@5"], found["sessions"]["relembra"]["overall"]["recall@5"]) == (1.0, 1.0)
    assert found["fresh"]["questions"] == 1
    assert found["context"]["evidence"] > 0
    assert found["context"]["tokens"] <= 800
    assert found["latency"]["recall"]["p50"] > 0
    assert not Path("m.db").exists()  # the memory of the settings is nobody's to measure
    beside = Path("kept.db.bench.json")
    made = beside.stat().st_mtime_ns
    lines = [line.split("\t") for line in cli(*words, "--lang", "pt").out.splitlines()]  # from the memory filled before
    assert beside.stat().st_mtime_ns == made
    assert [line[1] for line in lines if len(line) == 9][:2] == ["Relembra", "palavras (BM25)"]
    assert {"context.evidence", "latency.recall.p50"} <= {line[0] for line in lines}
    squad = str(FOLDER / "squad.json")
    assert cli("bench", "retrieval", "--dataset", "faquad", "--data", squad, "--db", "kept.db").code == 2
    cli("add", "Prefere chá", "--db", "mine.db")
    mine = cli("bench", "retrieval", "--data", LINES, "--db", "mine.db")
    assert (mine.code, "--db" in mine.err) == (2, True)
    assert cli("list", "--db", "mine.db", "--json").data["items"]


@each([
    (("--data", "gone.jsonl"), "gone.jsonl"), (("--dataset", "squirrels", "--data", LINES), "longmemeval"),
    (("--data", str(FOLDER / "squad.json")), "--dataset"), (("--data", LINES, "--limit", "0"), "limit"),
    (("--dataset", "longmemeval", "--data", str(FOLDER / "squad.json")), "longmemeval"),
    (("--data", LINES, "--half", "third"), "--half"),
])  # fmt: skip
def test_what_cannot_be_measured_is_said_with_the_code_of_a_mistake(
    words: tuple[str, ...], said: str, cli: Cli
) -> None:
    ran = cli("bench", "retrieval", *words)
    assert (ran.code, ran.out, said in ran.err) == (2, "", True)


SCRIPT: dict[str, Any] = {
    "name": "meu", "language": "pt", "person": "ana",
    "sessions": [
        {"conversation": "um", "at": "2026-01-01T09:00:00Z",
         "turns": [{"said": "Moro em Recife.", "replied": "Que bom!"}]},
        {"conversation": "x", "at": "2026-01-02T09:00:00Z", "person": "rui", "turns": [{"said": "Moro em Oslo."}]},
        {"conversation": "y", "at": "2026-01-05T09:00:00Z", "turns": [{"said": "Mudei, agora moro em Natal."}]},
    ],
    "probes": [
        {"metric": "continuity", "at": "2026-01-03T09:00:00Z", "query": "onde eu moro?", "contains": ["Recife"],
         "lacks": ["Oslo", "Natal"]},
        {"metric": "relevance", "at": "2026-01-03T09:00:00Z", "query": "onde eu moro?", "contains": ["Porto"]},
        {"metric": "relevance", "at": "2026-01-06T09:00:00Z", "query": "onde eu moro?", "contains": ["Natal"]},
    ],
}  # fmt: skip


def test_scripts_are_played(cli: Cli) -> None:
    Path("own.json").write_text(json.dumps(SCRIPT), encoding="utf-8")
    own = cli("bench", "assistant", "--script", "own.json", "--json").data
    passed = {name: one["passed"] for name, one in own["metrics"].items()}
    assert passed == {"relevance": 0.5, "continuity": 1.0, "personalisation": None}
    assert own["days_remembered"] == 2.0
    failed = {"script": "meu", "metric": "relevance", "query": "onde eu moro?", "problems": ["-Porto"]}
    assert own["failed"] == [failed]
    shown = cli("bench", "assistant", "--script", "own.json", "--lang", "pt").out
    assert "faltou: Porto" in shown
    Path("own.json").write_text("{}")
    assert cli("bench", "assistant", "--script", "own.json").code == 2
    chosen = [word for path in SHIPPED for word in ("--script", str(path))]
    shipped = cli("bench", "assistant", *chosen, "--json").data
    assert (len(shipped["scripts"]), shipped["performance"]["tokens"] <= 800) == (2, True)
    assert shipped["passed"] >= 0.7
