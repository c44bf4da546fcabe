"""Measuring on the command line: the real engine on small data."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from acceptance.running import RELEMBRA, Cli, environment
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
    for command in ("retrieval", "context"):
        ran = cli("bench", command, *words)
        assert (ran.code, ran.out, said in ran.err) == (2, "", True)


ASKED = [
    {"id": "moradia", "type": "fato", "text": "Em que cidade eu moro?", "answer": "em Lisboa", "evidence": ["m4"]},
    {"id": "alergia", "type": "fato", "text": "A Clara pode comer camarão?", "answer": "Alergia", "evidence": ["m5"]},
    {"id": "ideia", "type": "ideia", "text": "Que presente combina comigo?", "answer": "bicicleta", "evidence": ["m3"]},
    {"id": "trens", "type": "ideia", "text": "Que filme eu vi?", "answer": "Trens de Tóquio", "evidence": ["m6"]},
    {"id": "nada", "type": "ideia", "text": "Que filme eu não vi?", "evidence": ["m6"]},
]


def test_answers_are_looked_for_in_contexts_of_messages_alone_and_with_more_parts(cli: Cli) -> None:
    messages = [line for line in Path(LINES).read_text("utf-8").splitlines() if "message" in line]
    Path("asked.jsonl").write_text("\n".join([*messages, *(json.dumps({"question": one}) for one in ASKED)]))
    words = ("bench", "context", "--data", "asked.jsonl", "--db", "kept.db")
    found = cli(*words, "--json").data
    assert (found["questions"], found["asked"], found["messages"], found["budget"]) == (5, 4, 6, 800)
    shares = {
        name: {kind: one["answered"] for kind, one in figures["by_type"].items()} | {"": figures["overall"]["answered"]}
        for name, figures in found["contexts"].items()
    }
    assert shares == {
        "messages": {"fato": 0.5, "ideia": 0.0, "": 0.25},  # “Minha irmã Clara é alérgica”
        "knowledge": {"fato": 1.0, "ideia": 0.5, "": 0.75},  # “Clara tem alergia a camarão”, and what fills
        "all": {"fato": 1.0, "ideia": 0.5, "": 0.75},
    }
    tokens = [found["contexts"][name]["overall"]["tokens"] for name in shares]
    assert tokens == sorted(set(tokens))
    assert [(one["id"], one["answer"]) for one in found["missed"]] == [("trens", "Trens de Tóquio")]
    assert "toqui" in " ".join(found["missed"][0]["lacks"])
    lines = [line.split("\t") for line in cli(*words, "--lang", "pt").out.splitlines()]  # from the memory filled before
    assert lines[:2] == [["overall (4)", "0,250", "0,750", "0,750"], ["fato (2)", "0,500", "1,000", "1,000"]]
    assert {"asked", "tokens.messages"} <= {line[0] for line in lines}
    talk = ("--dataset", "longmemeval", "--data", str(FOLDER / "longmemeval.json"))
    assert cli("bench", "context", *talk, "--json").data["contexts"]["messages"]["overall"]["answered"] == 1.0


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


def many(count: int) -> str:
    """Enough questions that somebody has time to stop them."""
    messages = [{"message": {"id": "m", "at": "2026-01-01", "text": "Moro em Recife."}}]
    asked = {"evidence": ["m"], "answer": "Recife"}
    questions = [{"question": {"id": str(n), "text": f"Onde moro, {n}?", **asked}} for n in range(count)]
    return "\n".join(map(json.dumps, [*messages, *questions]))


def ticks(pid: int) -> int:
    """Hundredths of a second a process has worked."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[11])


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("command", ["retrieval", "context"])
def test_stopped_it_shows_what_was_measured_so_far(command: str, tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text(many(1_500))
    words = ["bench", command, "--data", "many.jsonl", "--db", "kept.db", "--json"]
    running = subprocess.Popen(
        [*RELEMBRA, *words], cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    asking_since, until = None, time.monotonic() + 100
    beside = tmp_path / "kept.db.bench.json"
    while time.monotonic() < until:  # a memory that is full is asked next
        used = ticks(running.pid)
        if asking_since is None and beside.exists() and '"full": true' in beside.read_text():
            asking_since = used
        if asking_since is not None and used > asking_since + 50:
            break
        time.sleep(0.05)
    os.kill(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    found = json.loads(out)
    assert found["stopped"] is True
    assert 0 < found["asked"] < 3_000
