"""Night work on the command line: the queue, the records, taking one back, the gardener, what recurs, reports."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from acceptance.running import RELEMBRA, Cli, answered, environment, short
from relembra.interfaces.cli.commands import Words
from relembra.store.sqlite.connection import Presence

SAID = {
    "en": ("I live in Leeds. I'm a vegetarian.", "I don't eat meat.", "We moved, so now I live in Bristol."),
    "pt": ("Moro no Recife. Sou vegetariana.", "Não como carne.", "Me mudei e agora moro no Porto."),
}
KNOWN = {"en": ("Leeds", "Bristol", "vegetarian"), "pt": ("Recife", "Porto", "vegetariana")}
ANXIOUS = "Estou ansiosa com o prazo."
HOME, MEAT, MOVED = SAID["pt"]
PT = Words("pt")
NIGHT = f"{PT('work.consolidate')} (ana)"
IN_PORTUGUESE = ("--lang", "pt")


def days_ago(number: int) -> str:
    return (datetime.now(UTC) - timedelta(days=number)).isoformat(timespec="seconds")


def told(cli: Cli, language: str = "pt") -> None:
    for place, text in enumerate(SAID[language]):
        assert cli("save", "--said", text, "--at", days_ago(9 - place)).code == 0


def contents(cli: Cli) -> str:
    return " | ".join(item["content"] for item in cli("list", "--json").data["items"])


def queued(cli: Cli, kind: str) -> dict[str, Any]:
    (job,) = (job for job in cli("jobs", "--json").data["items"] if job["kind"] == kind)
    found: dict[str, Any] = job
    return found


def check(cli: Cli, name: str) -> dict[str, Any]:
    checks = cli("doctor", *IN_PORTUGUESE, "--json").data["checks"]
    found: dict[str, Any] = next(one for one in checks if one["name"] == name)
    return found


def changed(tmp_path: Path, sql: str, *values: object) -> None:
    db = apsw.Connection(str(tmp_path / "m.db"))
    db.execute(sql, values)
    db.close()


# ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_queued_work_is_shown_chosen_done_and_taken_out(cli: Cli) -> None:
    assert cli("jobs", *IN_PORTUGUESE).out.strip() == PT("empty.jobs")
    cli("save", "--said", HOME)
    # Which of the two is due first depends on how near 03:00 is, so the lines are told apart by their name.
    rows = [line.split("\t") for line in cli("jobs", "list", *IN_PORTUGUESE).out.splitlines()]
    assert sorted(row[0] for row in rows) == sorted((PT("work.flush"), PT("work.consolidate")))
    ((name, state, due, whose, tries, why, id),) = (row for row in rows if row[0] == PT("work.consolidate"))
    assert (state, whose, tries, why) == (PT("job_state.waiting"), "ana", "0", "")
    assert "03:00" in due
    job = cli("jobs", "show", id, "--json").data
    assert (job["kind"], job["key"], job["user"], job["id"][-8:]) == ("consolidate", "consolidate", "ana", id)
    assert f"{PT('label.work')}\t{name}" in cli("jobs", "show", id, *IN_PORTUGUESE).out

    cli("--user", "bia", "save", "--said", HOME)
    assert len(cli("jobs", "--json").data["items"]) == 4
    assert {job["user"] for job in cli("--user", "bia", "jobs", "--json").data["items"]} == {"bia"}
    nights = cli("jobs", "--kind", PT("work.consolidate"), "--json").data["items"]
    assert [job["kind"] for job in nights] == ["consolidate", "consolidate"]
    dead = cli("jobs", "--state", PT("job_state.dead"), *IN_PORTUGUESE)
    assert dead.out.strip() == PT("empty.jobs.filtered")
    cli("--user", "bia", "forget", "--all", "--yes")

    idle = cli("jobs", "run", *IN_PORTUGUESE)
    assert (idle.code, PT("jobs.nothing") in idle.out) == (0, True)
    flush, night = queued(cli, "flush"), queued(cli, "consolidate")
    assert cli("jobs", "cancel", short(flush)).code == 4  # or it would never be noted
    assert cli("jobs", "run", short(flush), "--json").data == {"done": 1, "left": []}
    done = PT("jobs.done", count=PT.count("job", 1))
    assert cli("jobs", "run", short(night), *IN_PORTUGUESE).out.strip() == done
    (record,) = cli("consolidations", "--json").data["items"]
    assert (record["id"], record["status"], record["tally"]["created"]) == (night["id"], "completed", 2)
    cli("save", "--said", MEAT)
    night = queued(cli, "consolidate")
    assert PT("jobs.cancelled", work=NIGHT) in cli("jobs", "cancel", short(night), *IN_PORTUGUESE).out
    assert cli("consolidate", "--json").data["status"] == "completed"  # nothing that was said is lost by it


def test_work_that_failed_is_late_or_under_way_says_so(cli: Cli, tmp_path: Path) -> None:
    why = "it took longer than 5 minutes"
    cli("save", "--said", HOME)
    changed(tmp_path, "UPDATE job SET state = 'dead', attempts = 3, error = ? WHERE kind = 'consolidate'", why)
    line = next(line for line in cli("jobs", *IN_PORTUGUESE).out.splitlines() if why in line)
    assert line.split("\t")[1] == PT("job_state.dead")
    jobs = check(cli, "jobs")
    assert (jobs["state"], why in jobs["found"], "relembra jobs" in jobs["advice"]) == ("warning", True, True)
    assert cli("jobs", "retry", short(queued(cli, "consolidate")), "--json").data == {"done": 1, "left": []}

    cli("save", "--said", MEAT)
    cli("learn")
    changed(tmp_path, "UPDATE job SET state = 'dead', attempts = 3, error = ? WHERE kind = 'consolidate'", why)
    assert PT("retry.done", count=PT.count("job", 1)) in cli("jobs", "retry", *IN_PORTUGUESE).out
    assert cli("jobs", "retry", "--json").data["retried"] == 0
    assert cli("jobs", "--state", "dead", "--json").data["items"] == []

    cli("save", "--said", MOVED)
    cli("learn")
    assert check(cli, "nights")["state"] == "ok"
    changed(tmp_path, "UPDATE job SET due_at = due_at - 86400000000 * 2 WHERE kind = 'consolidate'")
    late = check(cli, "nights")
    assert (late["state"], late["advice"]) == ("warning", PT("doctor.nights.overdue.advice"))
    assert PT("jobs.done", count=PT.count("job", 1)) in cli("jobs", "run", *IN_PORTUGUESE).out
    assert PT("run.consolidation") in check(cli, "nights")["found"]

    cli("save", "--said", HOME)
    changed(tmp_path, "UPDATE job SET state = 'running', attempts = 1, lease_until = 4102444800000000")
    with Presence(tmp_path / "m.db") as worker:  # of whoever is at it
        worker.stay()
        refused = cli("jobs", "cancel", short(queued(cli, "consolidate")), *IN_PORTUGUESE)
        assert (refused.code, PT("error.conflict.jobs_cancel") in refused.err) == (4, True)
        busy = cli("consolidate", *IN_PORTUGUESE)
        assert (busy.code, PT("error.busy") in busy.err, busy.out) == (1, True, "")


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_gives_back_the_work_that_was_under_way(cli: Cli, tmp_path: Path) -> None:
    cli("save", "--said", SAID["en"][0])
    flush = queued(cli, "flush")
    with socket.create_server(("127.0.0.1", 0)) as server:  # a model that never answers
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        more = {"RELEMBRA_LLM": "openai:m", "RELEMBRA_LLM_URL": url, "RELEMBRA_LLM_API_KEY": "k", "RELEMBRA_DB": "m.db"}
        running = subprocess.Popen(
            [*RELEMBRA, "jobs", "run", flush["id"]], cwd=tmp_path, env=environment(tmp_path, **more),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        server.settimeout(60)
        with running, server.accept()[0]:
            running.send_signal(signal.SIGINT)
            _, err = running.communicate(timeout=120)
    assert (running.returncode, err.decode().strip()) == (130, Words("en")("stopped.jobs"))
    left = queued(cli, flush["kind"])
    assert (left["id"], left["state"], left["attempts"]) == (flush["id"], "waiting", 0)


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_night_is_done_now_and_its_record_reads_as_a_difference(cli: Cli) -> None:
    language, words, (old, new, veg) = "en", Words("en"), KNOWN["en"]
    assert cli("consolidations", "--lang", language).out.strip() == words("empty.runs", user="ana")
    told(cli, language)
    done = cli("consolidate", "--lang", language)
    assert done.code == 0
    lines = {line.split("\t")[0]: line for line in done.out.splitlines()}
    assert new in done.out.partition("+\t")[2]
    assert old in lines["−"]
    assert words("attribute.residence") in lines["−"]
    assert veg in lines["⇒"]
    assert words("run_status.completed") in done.out
    again = cli("consolidate", "--lang", language)
    assert (again.code, again.out.strip()) == (0, words("consolidate.nothing", user="ana"))
    (record,) = cli("consolidations", "--json").data["items"]
    assert (record["tally"]["messages"], record["tally"]["merged"], record["night"]) == (3, 1, None)
    assert cli("consolidations", short(record), "--lang", language).out == done.out
    whole = cli("consolidations", record["id"], "--json").data
    assert {entry["change"] for entry in whole["entries"]} == set(record["changes"])
    assert "raw" not in whole

    cli("--user", "bia", "add", "Bia", "--attribute", "name", "--value", "Bia")
    assert cli("garden", "--json").data["kind"] == "gardening"
    page = cli("consolidations", "--kind", words("run.all"), "--limit", "1", "--json").data
    rest = cli("consolidations", "--kind", "all", "--limit", "1", "--after", page["next"], "--json").data
    assert [run["kind"] for run in page["items"] + rest["items"]] == ["gardening", "consolidation"]
    gardened = cli("consolidations", "--kind", words("run.gardening"), "--json").data["items"]
    assert [run["kind"] for run in gardened] == ["gardening"]
    assert cli("--user", "bia", "consolidations", "--json").data["items"] == []
    assert cli("--user", "bia", "consolidations", "--everybody").out.split("\t")[2] == "ana"
    assert cli("--user", "bia", "consolidations", record["id"]).code == 3


def test_the_records_of_a_space_are_shown_and_taken_back(cli: Cli) -> None:
    for place, text in enumerate((*SAID["pt"], *SAID["pt"])):
        cli("save", "--said", f"{text} {place}", "--space", "club", "--at", days_ago(3))
        cli("learn", "--space", "club")
    assert cli("jobs", "run", queued(cli, "cluster")["id"]).code == 0
    (record,) = cli("consolidations", "--space", "club", "--json").data["items"]
    assert record["kind"] == "clustering"
    told = cli("consolidations", short(record), "--space", "club", *IN_PORTUGUESE)
    assert (told.code, PT("jobs.space", space="club") in told.out, "¶" in told.out) == (0, True, True)
    assert PT("diff.forgotten") not in told.out
    hidden = cli("consolidations", short(record))
    assert (hidden.code, "--space" in hidden.err) == (3, True)
    back = cli("rollback", short(record), "--space", "club", "--yes", "--json").data
    assert (back["run"]["status"], back["left"], bool(back["restored"])) == ("rolled_back", [], True)
    nothing = cli("consolidations", "--space", "elsewhere", *IN_PORTUGUESE)
    assert nothing.out.strip() == PT("empty.runs.space", space="elsewhere")


def test_consolidating_what_no_model_could_read_says_so(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("save", "--said", HOME)
    with monkeypatch.context() as patched:
        patched.setenv("RELEMBRA_LLM", "ollama:x")
        patched.setenv("RELEMBRA_LLM_URL", "http://127.0.0.1:9")
        failed = cli("consolidate", *IN_PORTUGUESE)
    assert failed.code == 1
    assert f"{PT.count('run.unlearnt', 1)}: {PT('trouble.unreached', name='ollama:x')}" in failed.out
    assert PT("run.unlearnt.how") in failed.out
    assert cli("consolidate", "--json").data["status"] == "completed"


def test_a_night_is_taken_back_and_that_is_undone(cli: Cli, tmp_path: Path) -> None:
    old, new, _ = KNOWN["pt"]
    cli("save", "--said", HOME, "--at", days_ago(9))
    cli("consolidate")
    cli("save", "--said", MOVED, "--at", days_ago(3))
    record = cli("consolidate", "--json").data
    unsure = cli("rollback", short(record), *IN_PORTUGUESE)
    assert (unsure.code, PT("rollback.cannot") in unsure.err) == (2, True)
    code, shown = answered(tmp_path, "n\n", "--db", "m.db", *IN_PORTUGUESE, "rollback", short(record))
    assert (code, PT("rollback.kept") in shown) == (0, True)
    assert new in contents(cli)
    back = cli("rollback", short(record), "--yes", *IN_PORTUGUESE)
    assert back.code == 0
    assert PT("rollback.done", counts=PT.count("restored", 2)) in back.out
    assert PT("rollback.gone") in back.out
    assert (old in contents(cli), new in contents(cli)) == (True, False)
    undo = next(line for line in back.out.splitlines() if "relembra undo " in line).rpartition(" ")[2]
    undone = cli("undo", undo)
    assert len(set(undone.out.splitlines())) == len(undone.out.splitlines()) == 3
    assert all(city in undone.out for city in (old, new))
    assert (old in contents(cli), new in contents(cli)) == (False, True)
    again = cli("rollback", short(record), "--yes", *IN_PORTUGUESE)
    assert (again.code, PT("error.conflict.rollback") in again.err) == (4, True)
    assert cli("consolidations", "--json").data["items"][0]["status"] == "rolled_back"

    cli("save", "--said", "Sou alérgica a camarão.")
    record = cli("consolidate", "--json").data
    learnt = next(item for item in cli("list", "--json").data["items"] if "camarão" in item["content"])
    cli("validate", short(learnt))
    left = cli("rollback", record["id"], "--yes", *IN_PORTUGUESE)
    assert PT("left.since", who="ana", verb=PT("verb.validate")) in left.out


# ── the gardener, what recurs, and reports ────────────────────────────────────────────────────────────────────────


def test_the_gardener_says_what_it_would_do_and_then_does_it(cli: Cli) -> None:
    nothing = PT("garden.nothing", user="ana")
    assert cli("garden", "--dry-run", *IN_PORTUGUESE).out.strip() == nothing
    for text in (HOME, MEAT):
        cli("save", "--said", text, "--at", days_ago(5))
    cli("learn")
    assert [deed["kind"] for deed in cli("garden", "--dry-run", "--json").data["deeds"]] == ["merge"]
    would = cli("garden", "--dry-run", *IN_PORTUGUESE)
    assert would.out.startswith("⇒\t")
    assert PT("garden.would", count=PT.count("deed", 1)) in would.out
    assert len(cli("list", "--json").data["items"]) == 3
    done = cli("garden", *IN_PORTUGUESE)
    assert (done.code, PT("run.gardening") in done.out, PT.count("run.merged", 1) in done.out) == (0, True, True)
    assert len(cli("list", "--json").data["items"]) == 2
    assert cli("garden", *IN_PORTUGUESE).out.strip() == nothing


def test_what_recurs_is_found_with_how_weak_it_is(cli: Cli) -> None:
    empty = PT("empty.insights", user="ana") + "\n" + PT("empty.insights.how")
    assert cli("insights", *IN_PORTUGUESE).out.strip() == empty
    for number in (2, 4, 6):
        cli("save", "--said", ANXIOUS, "--at", days_ago(number), "--conversation", str(number))
    cli("learn")
    looked = cli("insights", "--now", "--json").data
    (found,) = looked["items"]
    assert (found["type"], found["observations"], looked["run"]["kind"]) == ("insight", 3, "insight")
    line = cli("insights", *IN_PORTUGUESE).out
    assert found["content"] in line
    assert found["evidence"] in line
    assert line.rstrip().endswith(short(found))


def test_reports_are_written_shown_and_saved_as_files(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    for text in (*SAID["pt"], ANXIOUS):
        cli("save", "--said", text, "--at", "2026-03-04T10:00:00-03:00")
    cli("learn")
    shown = cli("report", "semana", "--day", "2026-03-04", "--save", "out")
    assert shown.code == 0
    assert PT("report.saved", path=str(Path("out") / "2026-W10.md")) in shown.out
    title = shown.out.splitlines()[0].removeprefix("# ")
    assert title in (tmp_path / "out" / "2026-W10.md").read_text("utf-8")
    (note,) = cli("notes", "--kind", "weekly", "--json").data["items"]
    assert note["title"] == title
    empty = cli("report", "monthly", "--day", "2025-01-01")
    assert empty.out.strip() == PT("report.nothing", period=PT("period.monthly"), user="ana")
    last = cli("report", "monthly")  # of the month before this one, in which nothing was said
    today = datetime.now().astimezone().date()
    assert last.out.strip() in [
        PT("report.nothing.last", period=PT("period.monthly"), user="ana", word="monthly", day=day)
        for day in (today, today - timedelta(days=1))  # where midnight came in between
    ]
    assert cli("report", "weekly", "--day", "2026-03-04", "--save", "out/2026-W10.md").code == 5
    cli("save", "--said", "Estou com dor de cabeça. Tomo losartana.", "--at", days_ago(2))
    cli("learn")
    visit = cli("appointment", "médica", "--save", "visit", "--json").data
    assert visit["kind"] == "appointment"
    assert "dor de cabeça" in visit["summary"].casefold()
    assert Path(visit["files"][0]).suffix == ".md"
    assert all((tmp_path / path).exists() for path in visit["files"])
    assert cli("appointment", "médica").out.startswith(f"# {visit['title']}\n")


def test_without_a_memory_or_its_person_nothing_is_made(cli: Cli, tmp_path: Path) -> None:
    for words in (("consolidations",), ("garden", "--dry-run"), ("insights",), ("jobs",)):
        assert json.loads(cli(*words, "--json").out) is not None
    assert not (tmp_path / "m.db").exists()
    cli("add", "Ana", "--attribute", "name", "--value", "Ana")
    for words in (("garden",), ("insights", "--now"), ("appointment", "doctor"), ("report", "weekly")):
        refused = cli("--user", "ghost", *words, *IN_PORTUGUESE)
        assert (refused.code, PT("error.not_found.person", user="ghost") in refused.err) == (3, True)
    assert cli("consolidations", "--everybody", "--kind", "all", "--json").data["items"] == []
    assert cli("--user", "ghost", "notes", "--json").data["items"] == []
