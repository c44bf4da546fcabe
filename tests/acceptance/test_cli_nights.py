"""Night work on the command line, in both languages: the queue, the records, taking one back, the gardener, reports."""

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
from relembra.interfaces.cli.words import Words
from relembra.store.sqlite.upkeep import Presence

LANGUAGES = ("en", "pt")
SAID = {
    "en": ("I live in Leeds. I'm a vegetarian.", "I don't eat meat.", "We moved, so now I live in Bristol."),
    "pt": ("Moro no Recife. Sou vegetariana.", "Não como carne.", "Me mudei e agora moro no Porto."),
}
KNOWN = {"en": ("Leeds", "Bristol", "vegetarian"), "pt": ("Recife", "Porto", "vegetariana")}
ANXIOUS = {"en": "I'm anxious about the deadline.", "pt": "Estou ansiosa com o prazo."}
LOCALES = {"en": "en_US.UTF-8", "pt": "pt_BR.UTF-8"}


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def days_ago(number: int) -> str:
    return (datetime.now(UTC) - timedelta(days=number)).isoformat(timespec="seconds")


def told(cli: Cli, language: str) -> None:
    for place, text in enumerate(SAID[language]):
        assert cli("save", "--said", text, "--at", days_ago(9 - place)).code == 0


def a_record(cli: Cli, language: str) -> dict[str, Any]:
    told(cli, language)
    record: dict[str, Any] = cli("consolidate", "--json").data
    return record


def contents(cli: Cli) -> str:
    return " | ".join(item["content"] for item in cli("list", "--json").data["items"])


def queued(cli: Cli, kind: str) -> dict[str, Any]:
    (job,) = (job for job in cli("jobs", "--json").data["items"] if job["kind"] == kind)
    found: dict[str, Any] = job
    return found


def given_up(tmp_path: Path, kind: str, why: str) -> None:
    db = apsw.Connection(str(tmp_path / "m.db"))
    db.execute("UPDATE job SET state = 'dead', attempts = 3, error = ? WHERE kind = ?", (why, kind))
    db.close()


# ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_said_leaves_work_in_the_queue(cli: Cli, language: str) -> None:
    words = Words(language)
    assert cli("jobs", "--lang", language).out.strip() == words("empty.jobs")
    cli("save", "--said", SAID[language][0])
    # Which of the two is due first depends on how near 03:00 is, so the lines are told apart by their name.
    rows = [line.split("\t") for line in cli("jobs", "list", "--lang", language).out.splitlines()]
    assert sorted(row[0] for row in rows) == sorted((words("work.flush"), words("work.consolidate")))
    ((name, state, due, whose, tries, why, id),) = (row for row in rows if row[0] == words("work.consolidate"))
    assert (state, whose, tries, why) == (words("job_state.waiting"), "ana", "0", "")
    assert "03:00" in due
    job = cli("jobs", "show", id, "--json").data
    assert (job["kind"], job["key"], job["user"], job["id"][-8:]) == ("consolidate", "consolidate", "ana", id)
    shown = cli("jobs", "show", id, "--lang", language).out
    assert f"{words('label.work')}\t{name}" in shown
    assert words("job_state.waiting") in shown


def test_queued_work_is_chosen_by_state_kind_and_person(cli: Cli, language: str) -> None:
    words = Words(language)
    cli("save", "--said", SAID[language][0])
    cli("--user", "bia", "save", "--said", SAID[language][0])
    assert len(cli("jobs", "--json").data["items"]) == 4
    assert {job["user"] for job in cli("--user", "bia", "jobs", "--json").data["items"]} == {"bia"}
    nights = cli("jobs", "--kind", words("work.consolidate"), "--json").data["items"]
    assert [job["kind"] for job in nights] == ["consolidate", "consolidate"]
    assert cli("jobs", "--state", words("job_state.dead"), "--json").data["items"] == []
    nothing = cli("jobs", "--state", "dead", "--lang", language)
    assert nothing.out.strip() == words("empty.jobs.filtered")
    for wrong, sentence in (("--state", "error.field.state"), ("--kind", "error.field.work")):
        refused = cli("jobs", wrong, "nonsense", "--lang", language)
        assert (refused.code, words(sentence) in refused.err) == (2, True)
    missing = cli("jobs", "show", "abcdef", "--lang", language)
    assert (missing.code, words("error.not_found.job", id="abcdef") in missing.err) == (3, True)


def test_work_is_done_before_its_time_when_asked_for(cli: Cli, language: str) -> None:
    words = Words(language)
    cli("save", "--said", SAID[language][0])
    idle = cli("jobs", "run", "--lang", language)
    assert (idle.code, words("jobs.nothing") in idle.out) == (0, True)
    flush, night = queued(cli, "flush"), queued(cli, "consolidate")
    assert cli("jobs", "run", short(flush), "--json").data == {"done": 1, "left": []}
    done = cli("jobs", "run", short(night), "--lang", language)
    assert done.out.strip() == words("jobs.done.one", work=f"{words('work.consolidate')} (ana)")
    (record,) = cli("consolidations", "--json").data["items"]
    assert (record["id"], record["status"], record["tally"]["created"]) == (night["id"], "completed", 2)
    assert cli("jobs", "run", night["id"]).code == 3


def test_work_is_taken_out_of_the_queue(cli: Cli, language: str) -> None:
    words = Words(language)
    cli("save", "--said", SAID[language][0])
    night = queued(cli, "consolidate")
    gone = cli("jobs", "cancel", short(night), "--lang", language)
    assert words("jobs.cancelled", work=f"{words('work.consolidate')} (ana)") in gone.out
    assert "consolidate" not in {job["kind"] for job in cli("jobs", "--json").data["items"]}
    assert cli("jobs", "cancel", night["id"]).code == 3
    assert cli("jobs", "cancel", short(queued(cli, "flush"))).code == 4  # or it would never be noted
    assert cli("consolidate", "--json").data["tally"]["created"] == 2  # nothing that was said is lost by it


def test_work_under_way_is_not_taken_out(cli: Cli, language: str, tmp_path: Path) -> None:
    cli("save", "--said", SAID[language][0])
    db = apsw.Connection(str(tmp_path / "m.db"))
    db.execute("UPDATE job SET state = 'running', lease_until = 9999999999999999 WHERE kind = 'consolidate'")
    db.close()
    with Presence(tmp_path / "m.db") as worker:  # of whoever is at it
        worker.stay()
        refused = cli("jobs", "cancel", short(queued(cli, "consolidate")), "--lang", language)
    assert (refused.code, Words(language)("error.conflict.jobs_cancel") in refused.err) == (4, True)


def test_given_up_work_says_why_and_is_tried_again(cli: Cli, language: str, tmp_path: Path) -> None:
    words, why = Words(language), "it took longer than 5 minutes"
    cli("save", "--said", SAID[language][0])
    given_up(tmp_path, "consolidate", why)
    line = next(line for line in cli("jobs", "--lang", language).out.splitlines() if why in line)
    assert line.split("\t")[1] == words("job_state.dead")
    checks = {check["name"]: check for check in cli("doctor", "--lang", language, "--json").data["checks"]}
    assert checks["jobs"]["state"] == "warning"
    assert why in checks["jobs"]["found"]
    assert "relembra jobs" in checks["jobs"]["advice"]
    assert cli("jobs", "retry", short(queued(cli, "consolidate")), "--json").data == {"done": 1, "left": []}
    cli("save", "--said", SAID[language][1])
    given_up(tmp_path, "consolidate", why)
    assert cli("jobs", "retry", "--json").data["retried"] == 1
    assert cli("jobs", "--state", "dead", "--json").data["items"] == []


def test_the_check_up_warns_of_a_night_that_was_missed(cli: Cli, language: str, tmp_path: Path) -> None:
    words = Words(language)
    cli("save", "--said", SAID[language][0])
    cli("learn")

    def nights() -> dict[str, Any]:
        checks = cli("doctor", "--lang", language, "--json").data["checks"]
        found: dict[str, Any] = next(check for check in checks if check["name"] == "nights")
        return found

    assert nights()["state"] == "ok"
    db = apsw.Connection(str(tmp_path / "m.db"))
    db.execute("UPDATE job SET due_at = due_at - 86400000000 * 2 WHERE kind = 'consolidate'")
    db.close()
    assert nights()["state"] == "warning"
    assert nights()["advice"] == words("doctor.nights.overdue.advice")
    run = cli("jobs", "run", "--lang", language)
    assert words("jobs.done", count=words.count("job", 1)) in run.out
    assert nights()["state"] == "ok"
    assert words("run.consolidation") in nights()["found"]


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_gives_back_the_work_that_was_under_way(cli: Cli, tmp_path: Path) -> None:
    cli("save", "--said", SAID["en"][0])
    flush = queued(cli, "flush")
    with socket.create_server(("127.0.0.1", 0)) as server:  # a model that never answers
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        more = {"RELEMBRA_LLM": "openai:m", "RELEMBRA_LLM_URL": url, "RELEMBRA_LLM_API_KEY": "k", "RELEMBRA_DB": "m.db"}
        running = subprocess.Popen(
            [*RELEMBRA, "jobs", "run", flush["id"]],
            cwd=tmp_path,
            env=environment(tmp_path, **more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        server.settimeout(60)
        with running, server.accept()[0]:
            running.send_signal(signal.SIGINT)
            out, _ = running.communicate(timeout=120)
    assert (running.returncode, out.decode().strip()) == (130, Words("en")("jobs.stopped"))
    left = queued(cli, flush["kind"])
    assert (left["id"], left["state"], left["attempts"]) == (flush["id"], "waiting", 0)


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_night_is_done_now_and_its_record_reads_as_a_difference(cli: Cli, language: str) -> None:
    words = Words(language)
    old, new, veg = KNOWN[language]
    none = cli("consolidations", "--lang", language)
    assert none.out.strip() == words("empty.runs", user="ana")
    for place, text in enumerate(SAID[language]):
        cli("save", "--said", text, "--at", days_ago(9 - place))
    done = cli("consolidate", "--lang", language)
    assert done.code == 0
    lines = {line.split("\t")[0]: line for line in done.out.splitlines()}
    assert new in done.out.partition("+\t")[2]
    assert old in lines["−"]
    assert "residência" in lines["−"] or "residence" in lines["−"]
    assert veg in lines["⇒"]
    assert words("run_status.completed") in done.out
    again = cli("consolidate", "--lang", language)
    assert (again.code, again.out.strip()) == (0, words("consolidate.nothing", user="ana"))
    (record,) = cli("consolidations", "--json").data["items"]
    assert (record["tally"]["messages"], record["tally"]["merged"], record["night"]) == (3, 1, None)
    shown = cli("consolidations", short(record), "--lang", language)
    assert shown.out == done.out
    told_whole = cli("consolidations", record["id"], "--json").data
    assert {entry["change"] for entry in told_whole["entries"]} == set(record["changes"])
    assert "raw" not in told_whole
    assert cli("consolidations", short(record), "--raw", "--lang", language).out.strip() == words("run.no_raw")


def test_records_are_chosen_by_kind_and_person(cli: Cli, language: str) -> None:
    words = Words(language)
    record = a_record(cli, language)
    cli("--user", "bia", "add", "Bia", "--attribute", "name", "--value", "Bia")
    assert cli("garden", "--json").data["kind"] == "gardening"
    kinds = [run["kind"] for run in cli("consolidations", "--kind", words("run.all"), "--json").data["items"]]
    assert kinds == ["gardening", "consolidation"]
    gardened = cli("consolidations", "--kind", words("run.gardening"), "--json").data["items"]
    assert [run["kind"] for run in gardened] == ["gardening"]
    assert cli("--user", "bia", "consolidations", "--json").data["items"] == []
    everybody = cli("--user", "bia", "consolidations", "--everybody", "--json").data["items"]
    assert [run["id"] for run in everybody] == [record["id"]]
    line = cli("--user", "bia", "consolidations", "--everybody", "--lang", language).out
    assert line.split("\t")[2] == "ana"
    page = cli("consolidations", "--kind", "all", "--limit", "1", "--json").data
    rest = cli("consolidations", "--kind", "all", "--limit", "1", "--after", page["next"], "--json").data
    assert [run["id"] for run in rest["items"]] == [record["id"]]
    wrong = cli("consolidations", "--kind", "nonsense", "--lang", language)
    assert (wrong.code, words("error.field.consolidations.kind") in wrong.err) == (2, True)
    missing = cli("consolidations", "abcdef", "--lang", language)
    assert (missing.code, words("error.not_found.record", user="ana", id="abcdef") in missing.err) == (3, True)
    assert cli("--user", "bia", "consolidations", record["id"]).code == 3


def test_the_records_of_a_space_are_shown_and_taken_back(cli: Cli, language: str) -> None:
    words = Words(language)
    for place, text in enumerate((*SAID[language], *SAID[language])):
        cli("save", "--said", f"{text} {place}", "--space", "club", "--at", days_ago(3))
        cli("learn", "--space", "club")
    assert cli("jobs", "run", queued(cli, "cluster")["id"]).code == 0
    (record,) = cli("consolidations", "--space", "club", "--json").data["items"]
    assert record["kind"] == "clustering"
    told = cli("consolidations", short(record), "--space", "club", "--lang", language)
    assert (told.code, words("jobs.space", space="club") in told.out, "¶" in told.out) == (0, True, True)
    assert words("diff.forgotten") not in told.out
    hidden = cli("consolidations", short(record), "--lang", language)
    assert (hidden.code, "--space" in hidden.err) == (3, True)
    back = cli("rollback", short(record), "--space", "club", "--yes", "--json").data
    assert (back["run"]["status"], back["left"], bool(back["restored"])) == ("rolled_back", [], True)
    nothing = cli("consolidations", "--space", "elsewhere", "--lang", language)
    assert nothing.out.strip() == words("empty.runs.space", space="elsewhere")


def test_consolidating_while_another_program_learns_says_so(cli: Cli, language: str, tmp_path: Path) -> None:
    words = Words(language)
    cli("save", "--said", SAID[language][0])
    db = apsw.Connection(str(tmp_path / "m.db"))
    db.execute("UPDATE job SET state = 'running', attempts = 1, lease_until = 4102444800000000 WHERE kind = 'flush'")
    db.close()
    with Presence(tmp_path / "m.db") as other:
        other.stay()
        busy = cli("consolidate", "--lang", language)
    assert (busy.code, words("error.busy") in busy.err, busy.out) == (1, True, "")


def test_consolidating_what_no_model_could_read_says_so(
    cli: Cli, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = Words(language)
    cli("save", "--said", SAID[language][0])
    with monkeypatch.context() as patched:
        patched.setenv("RELEMBRA_LLM", "ollama:x")
        patched.setenv("RELEMBRA_LLM_URL", "http://127.0.0.1:9")
        failed = cli("consolidate", "--lang", language)
    why = words("trouble.unreached", name="ollama:x")
    assert failed.code == 1
    assert f"{words.count('run.unlearnt', 1)}: {why}" in failed.out
    assert words("run.unlearnt.how") in failed.out
    assert cli("consolidate", "--json").data["status"] == "completed"
    assert cli("consolidate", "--lang", language).out.strip() == words("consolidate.nothing", user="ana")


@pytest.mark.parametrize(
    "command", [("garden",), ("insights", "--now"), ("appointment", "doctor"), ("report", "weekly")], ids=" ".join
)
def test_nothing_is_made_for_a_mistyped_name(cli: Cli, language: str, command: tuple[str, ...]) -> None:
    cli("add", "Ana", "--attribute", "name", "--value", "Ana")
    refused = cli("--user", "ghost", *command, "--lang", language)
    assert (refused.code, Words(language)("error.not_found.person", user="ghost") in refused.err) == (3, True)
    assert cli("consolidations", "--everybody", "--kind", "all", "--json").data["items"] == []
    assert cli("--user", "ghost", "notes", "--json").data["items"] == []


def test_a_night_is_taken_back_and_that_is_undone(cli: Cli, language: str, tmp_path: Path) -> None:
    words = Words(language)
    old, new, _ = KNOWN[language]
    cli("save", "--said", SAID[language][0], "--at", days_ago(9))
    cli("consolidate")
    cli("save", "--said", SAID[language][2], "--at", days_ago(3))
    record = cli("consolidate", "--json").data

    def known() -> str:
        return " | ".join(item["content"] for item in cli("list", "--json").data["items"])

    unsure = cli("rollback", short(record), "--lang", language)
    assert (unsure.code, words("rollback.cannot") in unsure.err) == (2, True)
    code, shown = answered(tmp_path, "n\n", "--db", "m.db", "--lang", language, "rollback", short(record))
    assert (code, words("rollback.kept") in shown) == (0, True)
    assert new in known()
    back = cli("rollback", short(record), "--yes", "--lang", language)
    assert back.code == 0
    assert words("rollback.done", counts=words.count("restored", 2)) in back.out
    assert words("rollback.gone") in back.out
    assert old in known()
    assert new not in known()
    undo = next(line for line in back.out.splitlines() if "relembra undo " in line).rpartition(" ")[2]
    undone = cli("undo", undo)
    assert undone.code == 0
    assert len(set(undone.out.splitlines())) == len(undone.out.splitlines()) == 3
    assert old in undone.out
    assert new in undone.out
    assert new in known()
    assert old not in known()
    again = cli("rollback", short(record), "--yes", "--lang", language)
    assert (again.code, words("error.conflict.rollback") in again.err) == (4, True)
    assert cli("consolidations", "--json").data["items"][0]["status"] == "rolled_back"


def test_what_the_person_changed_since_is_left_and_named(cli: Cli, language: str) -> None:
    words = Words(language)
    record = a_record(cli, language)
    home = next(item for item in cli("list", "--json").data["items"] if KNOWN[language][1] in item["content"])
    cli("validate", short(home))
    back = cli("rollback", record["id"], "--yes", "--lang", language)
    assert words("left.since", who="ana", verb=words("verb.validate")) in back.out
    assert KNOWN[language][1] in contents(cli)
    assert cli("rollback", "abcdef", "--yes").code == 3


# ── the gardener and insights ─────────────────────────────────────────────────────────────────────────────────────


def test_the_gardener_says_what_it_would_do_and_then_does_it(cli: Cli, language: str) -> None:
    words = Words(language)
    nothing = cli("garden", "--dry-run", "--lang", language)
    assert nothing.out.strip() == words("garden.nothing", user="ana")
    for text in SAID[language][:2]:
        cli("save", "--said", text, "--at", days_ago(5))
    cli("learn")
    plan = cli("garden", "--dry-run", "--json").data["deeds"]
    assert [deed["kind"] for deed in plan] == ["merge"]
    would = cli("garden", "--dry-run", "--lang", language)
    assert would.out.startswith("⇒\t")
    assert words("garden.would", count=words.count("deed", 1)) in would.out
    assert len(cli("list", "--json").data["items"]) == 3
    done = cli("garden", "--lang", language)
    assert (done.code, words("run.gardening") in done.out) == (0, True)
    assert words.count("run.merged", 1) in done.out
    assert len(cli("list", "--json").data["items"]) == 2
    assert cli("garden", "--lang", language).out.strip() == words("garden.nothing", user="ana")


def test_what_recurs_is_found_with_how_weak_it_is(cli: Cli, language: str) -> None:
    words = Words(language)
    assert cli("insights", "--lang", language).out.strip() == (
        words("empty.insights", user="ana") + "\n" + words("empty.insights.how")
    )
    for number in (2, 4, 6):
        cli("save", "--said", ANXIOUS[language], "--at", days_ago(number), "--conversation", str(number))
    cli("learn")
    looked = cli("insights", "--now", "--json").data
    (found,) = looked["items"]
    assert (found["type"], found["observations"], looked["run"]["kind"]) == ("insight", 3, "insight")
    line = cli("insights", "--lang", language).out
    assert found["content"] in line
    assert found["evidence"] in line
    assert line.rstrip().endswith(short(found))


# ── reports ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_week_is_reported_and_saved_as_files(
    cli: Cli, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", LOCALES[language])
    words = Words(language)
    for text in (*SAID[language], ANXIOUS[language]):
        cli("save", "--said", text, "--at", "2026-03-04T10:00:00-03:00")
    cli("learn")
    period = words("period.weekly")
    shown = cli("report", period, "--day", "2026-03-04", "--save", "out")
    assert shown.code == 0
    files = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert "2026-W10.md" in files
    assert words("report.saved", path=str(Path("out") / "2026-W10.md")) in shown.out
    title = shown.out.splitlines()[0].removeprefix("# ")
    assert title in (tmp_path / "out" / "2026-W10.md").read_text("utf-8")
    (note,) = cli("notes", "--kind", "weekly", "--json").data["items"]
    assert note["title"] == title
    empty = cli("report", "monthly", "--day", "2025-01-01")
    assert empty.out.strip() == words("report.nothing", period=words("period.monthly"), user="ana")
    last = cli("report", "monthly")  # of the month before this one, in which nothing was said
    today = datetime.now().astimezone().date()
    assert last.out.strip() in [
        words("report.nothing.last", period=words("period.monthly"), user="ana", word="monthly", day=day)
        for day in (today, today - timedelta(days=1))  # where midnight came in between
    ]
    for wrong in (("report", "yearly"), ("report", "weekly", "--day", "soon"), ("report",)):
        assert cli(*wrong).code == 2
    assert cli("report", "weekly", "--day", "2026-03-04", "--save", "out/2026-W10.md").code == 5


def test_what_to_tell_the_doctor_is_written_for_the_appointment(
    cli: Cli, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", LOCALES[language])
    said = {
        "en": "I have had a headache since Monday. I take losartan.",
        "pt": "Estou com dor de cabeça. Tomo losartana.",
    }
    cli("save", "--said", said[language], "--at", days_ago(2))
    cli("learn")
    who = {"en": "doctor", "pt": "médica"}[language]
    note = cli("appointment", who, "--save", "out", "--json").data
    assert note["kind"] == "appointment"
    assert {"en": "headache", "pt": "dor de cabeça"}[language] in note["summary"].casefold()
    assert [Path(path).suffix for path in note["files"]][:1] == [".md"]
    assert all((tmp_path / path).exists() for path in note["files"])
    shown = cli("appointment", who).out
    assert shown.startswith(f"# {note['title']}\n")


def test_commands_that_need_a_memory_say_that_there_is_none(cli: Cli, tmp_path: Path) -> None:
    for words in (("consolidate",), ("rollback", "abcd", "--yes"), ("garden",), ("insights", "--now"),
                  ("report", "weekly"), ("appointment",), ("jobs", "run"), ("jobs", "cancel", "abcd")):  # fmt: skip
        assert cli(*words).code == 5
    for words in (("consolidations",), ("garden", "--dry-run"), ("insights",), ("jobs",)):
        assert json.loads(cli(*words, "--json").out) is not None
    assert not (tmp_path / "m.db").exists()
