"""Measuring on the command line: the real engine on small data, in both languages."""

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

FOLDER = DATA / "evaluation"
LINES = str(FOLDER / "lines.jsonl")


def test_our_own_lines_are_measured(cli: Cli) -> None:
    found = cli("bench", "retrieval", "--data", LINES, "--json").data
    ours = found["turns"]["relembra"]["overall"]
    assert (found["asked"], found["messages"], ours["questions"]) == (3, 6, 3)
    assert ours["recall@5"] == 1.0
    assert found["sessions"]["relembra"]["overall"]["recall@5"] == 1.0
    assert found["fresh"]["questions"] == 1
    assert found["context"]["evidence"] > 0
    assert found["context"]["tokens"] <= 800
    assert found["latency"]["recall"]["p50"] > 0
    assert not Path("m.db").exists()  # the memory of the settings is nobody's to measure


@pytest.mark.parametrize(
    ("name", "file", "questions"),
    [
        ("longmemeval", "longmemeval.json", 2),
        ("locomo", "locomo.json", 4),
        ("factconsolidation", "consolidation.json", 2),
        ("faquad", "squad.json", 2),
    ],
)
def test_published_formats_are_measured(cli: Cli, name: str, file: str, questions: int) -> None:
    found = cli("bench", "retrieval", "--dataset", name, "--data", str(FOLDER / file), "--json").data
    assert found["asked"] == questions
    assert found["turns"]["relembra"]["overall"]["any@20"] > 0


def test_questions_may_have_memories_of_their_own_and_be_few(cli: Cli) -> None:
    words = ("bench", "retrieval", "--dataset", "longmemeval", "--data", str(FOLDER / "longmemeval.json"), "--json")
    assert cli(*words, "--pool", "pergunta").data["people"] == 3
    assert cli(*words, "--limit", "1").data["asked"] == 1
    halves = [cli(*words, "--half", half).data["asked"] for half in ("primeira", "second")]
    assert sum(halves) == 2


def test_a_kept_memory_is_used_again_and_another_is_left_alone(cli: Cli) -> None:
    words = ("bench", "retrieval", "--data", LINES, "--db", "kept.db", "--json")
    first = cli(*words).data
    beside = [Path(f"kept.db.bench.{end}") for end in ("json", "npy")]
    written = [path.stat().st_mtime_ns for path in beside]
    again = cli(*words).data
    assert [path.stat().st_mtime_ns for path in beside] == written
    assert first["turns"] == again["turns"]
    other = cli("bench", "retrieval", "--dataset", "faquad", "--data", str(FOLDER / "squad.json"), "--db", "kept.db")
    assert other.code == 2
    cli("add", "Prefere chá", "--db", "mine.db")
    mine = cli("bench", "retrieval", "--data", LINES, "--db", "mine.db")
    assert mine.code == 2
    assert "--db" in mine.err
    assert cli("list", "--db", "mine.db", "--json").data["items"]


@pytest.mark.parametrize(("language", "words"), [("en", ("Messages", "recall@5")), ("pt", ("Mensagens", "esperado"))])
def test_a_page_is_written_in_the_language_spoken(cli: Cli, language: str, words: tuple[str, str]) -> None:
    ran = cli("bench", "retrieval", "--data", LINES, "--html", "report.html", "--lang", language)
    assert ran.code == 0
    assert "report.html" in ran.out
    page = Path("report.html").read_text("utf-8")
    assert words[0] in page
    assert "<svg" in page


@pytest.mark.parametrize("language", ["en", "pt"])
def test_figures_are_shown_to_people(cli: Cli, language: str) -> None:
    shown = cli("bench", "retrieval", "--data", LINES, "--lang", language).out
    lines = [line.split("\t") for line in shown.splitlines()]
    methods = [line[1] for line in lines if len(line) == 9]
    assert methods[:2] == ["Relembra", "words (BM25)" if language == "en" else "palavras (BM25)"]
    assert "p50" in shown
    assert "tokens" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--data", "gone.jsonl"), "gone.jsonl"),
        (("--dataset", "squirrels", "--data", LINES), "longmemeval"),
        (("--dataset", "longmemeval"), "--data"),
        (("--data", str(FOLDER / "squad.json")), "--dataset"),
        (("--dataset", "locomo", "--data", str(FOLDER / "squad.json")), "locomo"),
        (("--data", LINES, "--half", "third"), "--half"),
        (("--data", LINES, "--pool", "none"), "--pool"),
        (("--data", LINES, "--limit", "0"), "--limit"),
        (("--data", LINES, "--html", "nowhere/report.html"), "nowhere/report.html"),
        (("--dataset", "factconsolidation", "--data", str(FOLDER / "consolidation.json"), "--row", "x"), "sh_6k"),
        (("--dataset", "faquad", "--data", str(FOLDER / "squad.json"), "--row", "x"), "--row"),
    ],
)
@pytest.mark.parametrize("language", ["en", "pt"])
def test_what_cannot_be_measured_is_said_with_the_code_of_a_mistake(
    cli: Cli, words: tuple[str, ...], said: str, language: str
) -> None:
    ran = cli("bench", "retrieval", *words, "--lang", language)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "unexpected" not in ran.err
    assert "inesperado" not in ran.err


def test_the_shipped_scripts_are_played(cli: Cli) -> None:
    found = cli("bench", "assistant", "--json").data
    assert found["probes"] == sum(one["probes"] for one in found["metrics"].values())
    assert len(found["scripts"]) == 6
    assert found["passed"] >= 0.7
    assert 0 < found["performance"]["tokens"] <= 800
    assert {one["script"] for one in found["failed"]} <= set(found["scripts"])


SCRIPT: dict[str, Any] = {
    "name": "meu",
    "language": "pt",
    "person": "ana",
    "sessions": [
        {
            "conversation": "um",
            "at": "2026-01-01T09:00:00Z",
            "turns": [{"said": "Moro em Recife.", "replied": "Que bom!"}],
        }
    ],
    "probes": [
        {"metric": "relevance", "at": "2026-01-03T09:00:00Z", "query": "onde eu moro?", "contains": ["Recife"]},
        {"metric": "continuity", "at": "2026-01-03T09:00:00Z", "query": "onde eu moro?", "contains": ["Porto"]},
    ],
}


@pytest.mark.parametrize(("language", "missing"), [("en", "missing: Porto"), ("pt", "faltou: Porto")])
def test_a_script_of_ones_own_is_played(cli: Cli, language: str, missing: str) -> None:
    Path("own.json").write_text(json.dumps(SCRIPT), encoding="utf-8")
    ran = cli("bench", "assistant", "--script", "own.json", "--lang", language)
    assert ran.code == 0
    assert missing in ran.out
    Path("own.json").write_text("{}")
    assert cli("bench", "assistant", "--script", "own.json", "--lang", language).code == 2


def test_a_half_without_questions_is_said(cli: Cli) -> None:
    Path("one.jsonl").write_text(many(1), encoding="utf-8")
    halves = [cli("bench", "retrieval", "--data", "one.jsonl", "--half", half) for half in ("first", "second")]
    assert sorted(ran.code for ran in halves) == [0, 2]


def many(count: int) -> str:
    """Enough questions that somebody has time to stop them."""
    messages = [{"message": {"id": "m", "at": "2026-01-01", "text": "Moro em Recife."}}]
    questions = [{"question": {"id": str(n), "text": f"Onde moro, {n}?", "evidence": ["m"]}} for n in range(count)]
    return "\n".join(map(json.dumps, [*messages, *questions]))


def ticks(pid: int) -> int:
    """Hundredths of a second a process has worked."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[11])


@pytest.mark.usefixtures("ctrl_c")
def test_stopped_it_shows_what_was_measured_so_far(tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text(many(100_000))
    words = ["bench", "retrieval", "--data", "many.jsonl", "--db", "kept.db", "--json"]
    running = subprocess.Popen(
        [*RELEMBRA, *words], cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    asking_since, until = None, time.monotonic() + 100
    while time.monotonic() < until:  # the comparison's vectors are the last thing before the questions
        used = ticks(running.pid)
        if asking_since is None and (tmp_path / "kept.db.bench.npy").exists():
            asking_since = used
        if asking_since is not None and used > asking_since + 100:
            break
        time.sleep(0.05)
    os.kill(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    found = json.loads(out)
    assert found["stopped"] is True
    assert 0 < found["asked"] < 100_000
