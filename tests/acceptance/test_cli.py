"""The command `relembra` as people and programs meet it.

The lines of the manual run as real processes; the many small cases run through the same `main` in this process, on the
same real engine.
"""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import apsw
import pytest

from acceptance.running import RELEMBRA, ZONE, Cli, Ran, answered, environment, short, stopped_when, until_it_waits
from loops import each
from memories import a_memory, a_store
from relembra import Draft, __version__
from relembra.minds import embedders
from relembra.minds.onnx import session_of
from relembra.store.sqlite.connection import Presence

IN_PORTUGUESE = ("--lang", "pt")


def sql(folder: Path, statement: str) -> None:
    db = apsw.Connection(str(folder / "m.db"))
    db.execute(statement)
    db.close()


# ── as processes ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_lines_of_the_manual_work_as_written(process: Cli, cli: Cli, tmp_path: Path) -> None:
    ana = ("--db", "m.db", "--user", "ana")
    added = process(*ana, "add", "Prefere café sem açúcar", "--type", "preference", "--area", "health")
    assert (added.code, "Prefere café sem açúcar" in added.out) == (0, True)
    found = cli(*ana, "search", "o que ela bebe?", "--limit", "5", "--json").data
    assert found["hits"][0]["item"]["content"] == "Prefere café sem açúcar"
    cli(*ana, "save", "--said", "Moro em Recife.", "--replied", "Que bom!", "--at", "2026-03-01T10:00:00-03:00")
    context = cli(*ana, "context", "onde eu moro?", "--budget", "800")
    assert ("“Recife”" in context.out, context.err) == (True, "")
    assert "items" in cli(*ana, "forget", "--all", "--yes").out
    assert cli(*ana, "list", "--history", "--deleted", "--json").data == {"items": [], "next": None}
    command = Path(sys.executable).with_name("relembra")
    ran = subprocess.run([command, "--version"], capture_output=True, text=True, env=environment(tmp_path), check=True)
    assert ran.stdout == cli("--version").out == f"relembra {__version__}\n"
    assert cli("--version", "--json").data == {"version": __version__}


def test_text_goes_in_whatever_the_locale_and_a_reader_may_leave_early(process: Cli, tmp_path: Path) -> None:
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    added = process("add", "-", "--json", typed="maçã " + "palavra " * 20_000 + "\n", **env)
    assert added.data["content"].startswith("maçã palavra")
    running = subprocess.Popen(
        [*RELEMBRA, "list"], cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert running.stdout is not None
    running.stdout.read(10)
    running.stdout.close()
    running.stdout = None
    assert (running.communicate(timeout=60)[1], running.returncode) == (b"", 0)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_at_a_question_ends_with_130_and_a_word_and_does_nothing(cli: Cli, tmp_path: Path) -> None:
    cli("add", "Gosta de chá")
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [*RELEMBRA, "--db", "m.db", "forget", "--all"], cwd=tmp_path, env=environment(tmp_path), stdin=theirs,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(theirs)
    until_it_waits(running.pid)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    os.close(ours)
    assert (running.returncode, err.decode().splitlines()[-1]) == (130, "Stopped.")
    assert len(cli("list", "--json").data["items"]) == 1


def test_forget_names_what_goes_with_reports_and_asks(cli: Cli, tmp_path: Path) -> None:
    added = cli("add", "Gosta de chá de hortelã", "--json").data
    item, day = added["id"], datetime.fromisoformat(added["created_at"]).astimezone(ZoneInfo(ZONE)).date().isoformat()
    title = cli("report", "weekly", "--day", day, *IN_PORTUGUESE, "--json").data["title"]
    tried = cli("forget", item, "--dry-run", *IN_PORTUGUESE)
    assert all(part in tried.out for part in ("Isto sumiria:", title))
    told = cli("forget", item, "--dry-run", "--json").data
    assert (told["dry_run"], told["erased"], len(told["notes"])) == (True, False, 1)
    code, shown = answered(tmp_path, "n\n", "--db", "m.db", "forget", item, *IN_PORTUGUESE)
    assert code == 0
    assert all(
        part in shown for part in ("Gosta de chá", "Também some por inteiro (1 nota)", title, "Nada foi esquecido.")
    )
    assert cli("forget", item, "--yes", "--json").data == told | {"dry_run": False, "erased": True}
    assert cli("list", "--json").data["items"] == []


# ── what is known ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_add_takes_every_part_of_an_item(cli: Cli) -> None:
    first = cli("add", "Tem um gato", "--json").data
    saved = cli("save", "--said", "Comecei a nadar.", "--json").data
    item = cli(
        "add", "Nada às terças", "--type", "preferência", "--area", "saúde", "--sub-area", "esporte",
        "--title", "Natação",
        "--tag", "água", "--tag", "rotina", "--subject", "self", "--attribute", "sport", "--value", "natação",
        "--source", "ai_inference", "--confidence", "0,8", "--weight", "0.5", "--priority", "7", "--evidence", "disse",
        "--related", short(first), "--message", saved["messages"][0]["id"], "--held-from", "2026-03-01",
        "--expires", "2027-03-01", "--by", "program:tests", "--json",
    ).data  # fmt: skip
    expected = {
        "type": "preference", "area": "health", "sub_area": "esporte", "title": "Natação", "tags": ["água", "rotina"],
        "attribute": "sport", "value": "natação", "source": "ai_inference", "confidence": 0.8, "weight": 0.5,
        "priority": 7, "evidence": "disse", "related": [first["id"]], "held_from": "2026-03-01T03:00:00Z",
        "expires_at": "2027-03-01T03:00:00Z", "user": "ana", "tenant": "default", "space": None, "channel": "direct",
    }  # fmt: skip
    assert {key: item[key] for key in expected} == expected
    assert "“Comecei a nadar.”" in cli("show", short(item)).out
    assert cli("history", short(item), "--json").data["trail"][0]["actor"] == "program:tests"
    assert cli("related", short(item), "--json").data["hits"][0]["item"]["id"] == first["id"]


def test_items_live_through_every_verb(cli: Cli) -> None:
    item = cli("add", "Mora em Recife", "--source", "ai_inference", "--json").data
    id = short(item)
    assert cli("show", id, "--json").data == item
    refused = cli("correct", id, "y", "--by", "model:m")
    assert (refused.code, "only ana can do that" in refused.err) == (2, True)
    assert cli("validate", id, "--json").data["validated"] is True
    assert cli("delete", id, "--why", "engano", "--json").data["deleted_at"] is not None
    assert [len(cli("list", *more, "--json").data["items"]) for more in ([], ["--deleted"])] == [0, 1]
    assert cli("restore", id, "--json").data["deleted_at"] is None
    right = cli("correct", id, "Mora em Olinda", "--why", "mudou", "--json").data
    told = cli("history", short(right), "--json").data
    assert [old["id"] for old in told["predecessors"]] == [item["id"]]
    assert told["trail"][0]["why"] == "mudou"
    assert {entry["verb"] for entry in cli("undo", short(right), "--json").data["undone"]} == {"correct"}
    assert cli("list", "--json").data["items"][0]["content"] == "Mora em Recife"
    cli("add", "Mora em Recife", "--attribute", "residence", "--value", "Recife")
    added = cli("add", "Mora em Olinda", "--attribute", "residence", "--value", "Olinda", "--json").data
    assert "Mora em Recife" in cli(*IN_PORTUGUESE, "history", short(added)).out
    assert cli("undo", cli("history", short(added), "--json").data["trail"][-1]["change"]).code == 0


def test_list_filters_and_pages_and_ids_may_be_shortened(cli: Cli) -> None:
    rows = [cli("add", f"fato {number}", "--tag", "x", "--area", "career", "--json").data for number in range(3)]
    cli("add", "outro", "--type", "goal", "--source", "import", "--confidence", "0.6")
    first = cli("list", "--tag", "x", "--limit", "2", "--json").data
    rest = cli("list", "--tag", "x", "--limit", "2", "--after", first["next"], "--json").data
    assert [item["content"] for item in first["items"] + rest["items"]] == ["fato 2", "fato 1", "fato 0"]
    assert rest["next"] is None
    for filters, found in (
        ("--type goal", 1), ("--source import", 1), ("--area carreira", 3), ("--min-confidence 0,9", 3),
        ("--since 2999-01-01", 0), ("--until 2001-01-01", 0), ("--since 2001-01-01 --until 2999-01-01", 4),
        ("--space firma", 0),
    ):  # fmt: skip
        assert len(cli("list", *filters.split(), "--json").data["items"]) == found, filters
    one, two, _ = rows
    assert cli("show", short(two).upper(), "--json").data["id"] == two["id"]
    both = cli("show", one["id"][:6], "--json")
    assert (both.code, both.error["field"]) == (2, "id")
    assert cli("show", one["id"][-3:]).code == 3


def test_somebody_elses_id_answers_as_an_unknown_one(cli: Cli) -> None:
    stranger, nobody = cli("add", "segredo", "--json").data["id"], "01900000-0000-7000-8000-000000000001"
    for command, *more in (
        ["show"], ["delete"], ["history"], ["undo"], ["related"], ["archive"], ["recover"], ["forget", "--yes"],
        ["correct", "x"],
    ):  # fmt: skip
        theirs, unknown = (cli("--user", "bia", command, id, *more) for id in (stranger, nobody))
        assert theirs.code == unknown.code == 3
        assert theirs.err.replace(stranger, nobody) == unknown.err
    assert cli("--tenant", "other", "show", stranger).code == 3


# ── what was said ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_saved_comes_back(cli: Cli, tmp_path: Path) -> None:
    at = "2026-03-01T10:00:00-03:00"
    both = ("--said", "Moro em Recife.", "--replied", "Que bom!")
    saved = cli("save", *both, "--external-id", "7", "--meta", "a=b", "--at", at, "--json").data
    assert (saved["new"], [message["role"] for message in saved["messages"]]) == (True, ["user", "assistant"])
    said = saved["messages"][0]
    assert (said["metadata"], said["sent_at"], said["zone"]) == ({"a": "b"}, "2026-03-01T13:00:00Z", "-03:00")
    assert cli("save", "--said", "Moro em Recife.", "--external-id", "7", "--json").data["new"] is False
    listed = cli("messages", "--limit", "1", "--json").data
    assert (len(listed["items"]), listed["next"] is None) == (1, False)
    assert "Moro em Recife." in cli("messages").out
    chat = [
        {"role": "user", "content": "Gosto de chá.", "id": "1"},
        {"role": "assistant", "content": [{"type": "text", "text": "Que bom!"}, {"type": "image_url"}]},
    ]
    (tmp_path / "chat.json").write_text(json.dumps({"model": "x", "messages": chat}), "utf-8")
    shown = cli("save", "--messages", "chat.json").out
    assert all(part in shown for part in ("2 messages", "messages[1].content[1]: image_url"))
    for text in ("{", '[{"role": "bot", "content": "Oi"}]'):
        (tmp_path / "chat.json").write_text(text, "utf-8")
        refused = cli("save", "--messages", "chat.json")
        assert (refused.code, refused.out, "messages" in refused.err) == (2, "", True)
    assert cli("save", "--messages", "none.json").code == 2
    assert len(cli("messages", "--json").data["items"]) == 4


def test_conversations_are_listed_renamed_hidden_and_forgotten(cli: Cli) -> None:
    cli("save", "--said", "Bom dia", "--conversation", "c1")
    cli("save", "--said", "Boa tarde", "--conversation", "c2", "--space", "firma", "--channel", "geral")
    assert {row["id"] for row in cli("conversations", "--json").data["items"]} == {"c1", "c2"}
    assert cli("conversations", "list", "--limit", "1", "--json").data["next"] is not None
    assert "firma / geral" in cli("conversations").out
    assert cli("conversations", "rename", "c1", "Manhã", "--json").data["title"] == "Manhã"
    assert cli("conversations", "delete", "c1", "--json").data["deleted_at"] is not None
    assert cli("messages", "--conversation", "c1", "--json").data["items"] == []
    assert cli("undo", "c1").code == 0
    assert len(cli("messages", "--conversation", "c1", "--json").data["items"]) == 1
    gone = cli("forget", "--conversation", "c1", "--yes", "--json").data
    assert (gone["forgotten"]["messages"], gone["erased"]) == (1, True)
    assert gone["total"] == sum(gone["forgotten"].values())


# ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_stats_are_of_a_person_or_of_everybody(cli: Cli) -> None:
    cli("add", "um", "--type", "goal")
    cli("--user", "bia", "add", "dois")
    cli("--user", "bia", "--tenant", "firma", "add", "três")
    assert cli("stats", "--json").data["usage"] == []
    for options, current in (((), 3), (("--user", "bia"), 1)):
        assert cli("stats", *options, "--json").data["items"]["current"] == current
    assert cli("stats", "--tenant", "firma", "--json").data["items"] == {}
    shown = cli(*IN_PORTUGUESE, "stats", "--user", "ana").out.splitlines()
    assert (shown[0], {"itens\tatuais 1", "por tipo\tmeta 1"} <= set(shown)) == ("Memória de ana", True)


def test_a_read_only_memory_is_told_in_full_and_files_need_a_kept_report(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("add", "Gosta de chá")
    monkeypatch.setenv("RELEMBRA_READ_ONLY", "true")
    assert "chá" in cli("me").out
    told = cli("report", "weekly", "--json").data
    assert told["files"] == []
    assert cli("notes", "show", told["id"]).code == 3  # it was not kept
    refused = cli("report", "weekly", "--save", "files")
    assert (refused.code, "read" in refused.err) == (5, True)


def test_a_backup_never_overwrites_and_takes_the_place_of_a_memory_nobody_uses(cli: Cli, tmp_path: Path) -> None:
    item = cli("add", "um", "--json").data
    copied = cli("backup", "copy.db", "--json").data
    assert copied == {"path": "copy.db", "bytes": (tmp_path / "copy.db").stat().st_size}
    assert cli("--db", "copy.db", "show", item["id"], "--json").data["content"] == "um"
    again = cli("backup", "copy.db")
    assert (again.code, "exists already" in again.err) == (4, True)
    nowhere = cli("backup", "nowhere/copy.db")
    assert (nowhere.code, "nowhere/copy.db" in nowhere.err, "m.db" in nowhere.err) == (5, True, False)
    cli("add", "dois")
    with Presence(tmp_path / "m.db") as somebody:
        somebody.stay()
        refused = cli(*IN_PORTUGUESE, "backup", "restore", "copy.db")
        assert (refused.code, "em uso" in refused.err) == (5, True)
    (tmp_path / "letter.db").write_text("Querida Ana, " * 900)
    refused = cli(*IN_PORTUGUESE, "backup", "restore", "letter.db")
    assert (refused.code, "danificado" in refused.err, "letter.db" in refused.err) == (5, True, True)
    assert cli("backup", "restore", "nowhere.db").code == 2
    assert len(cli("list", "--json").data["items"]) == 2
    done = cli("backup", "restore", "copy.db", "--json").data
    assert [item["content"] for item in cli("list", "--json").data["items"]] == ["um"]
    assert len(cli("--db", done["aside"], "list", "--json").data["items"]) == 2


def test_a_damaged_memory_is_found_and_salvaged_into_a_new_one(cli: Cli, tmp_path: Path) -> None:
    cli("add", "um fato")
    cli("add", "dois")
    assert cli("verify", "--json").data["ok"] is True
    done = cli(*IN_PORTUGUESE, "salvage", "m.db", "--to", "new.db")
    assert (done.code, "reindex --db new.db" in done.out) == (0, True)
    assert cli("--db", "new.db", "reindex").code == cli("--db", "new.db", "verify").code == 0
    assert len(cli("--db", "new.db", "list", "--json").data["items"]) == 2
    assert cli("salvage", "m.db", "--to", "new.db").code == 4
    assert cli("salvage", "m.db").code == cli("salvage", "nowhere.db", "--to", "newer.db").code == 2
    assert cli("salvage", "m.db", "--to", "newer.db", "--json").data["read"]["item"] == 2
    sql(tmp_path, "DELETE FROM posting")
    found = cli("verify", "--json")
    assert (found.code, bool(json.loads(found.out)["problems"])) == (6, True)
    shown = cli("verify", *IN_PORTUGUESE)
    assert (shown.code, "Encontrei" in shown.out) == (6, True)
    text = "hello, I am not a database at all " * 100
    (tmp_path / "m.db").write_text(text)
    refused = cli("salvage", "m.db", "--to", "newest.db")
    assert (refused.code, "m.db" in refused.err) == (5, True)
    for words in (["list"], ["add", "x"], ["verify"]):
        assert cli(*words, "--json").error["type"] == "StoreCorruptError"
    assert (tmp_path / "m.db").read_text() == text
    assert checks_of(cli("doctor", "--json"))["store"]["advice"] == "restore a backup: relembra backup restore FILE"
    assert cli("doctor").code == 5


def test_vectors_of_another_model_are_hinted_at_and_reindexed(cli: Cli, tmp_path: Path) -> None:
    cli("add", "um fato")
    assert cli("reindex", "--json").data == {"embedded": 0}
    sql(tmp_path, "UPDATE model SET name = 'old-model@1'")
    searched = cli("search", "fato", "--json")
    assert searched.err.count("\n") == 1
    assert all(part in searched.err for part in ("old-model@1", "relembra reindex"))
    assert searched.data["hits"]
    assert "old-model@1" in cli("context", "fato").err
    for words in (["list"], ["stats"], ["messages"], ["add", "dois"], ["verify"]):
        assert cli(*words).err == ""
    vectors = checks_of(cli("doctor", "--json"))["vectors"]
    assert (vectors["state"], vectors["advice"]) == ("warning", "relembra reindex")
    assert all(part in vectors["found"] for part in ("1 row without", "old-model@1"))
    assert cli("reindex", "--json").data == {"embedded": 1}
    assert cli("search", "fato").err == ""


def vectors_of(folder: Path, model: str) -> int:
    db = apsw.Connection(f"file:{folder}/m.db?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    try:
        counted = "SELECT count(*) FROM embedding e JOIN model m ON m.id = e.model WHERE m.name LIKE ?"
        return int(db.execute(counted, (model + "%",)).get)
    finally:
        db.close()


@pytest.mark.usefixtures("ctrl_c")
def test_reindexing_goes_on_where_ctrl_c_stopped_it(cli: Cli, tmp_path: Path) -> None:
    number = 600

    async def many_items() -> None:
        """A store whose vectors were made by another model."""
        async with a_memory(await a_store("sqlite", tmp_path)) as memory:
            await memory.add_many([Draft(content=f"Lembrança número {each}") for each in range(number)], user="ana")

    asyncio.run(many_items())
    running = subprocess.Popen(
        [*RELEMBRA, "--db", "m.db", "reindex", *IN_PORTUGUESE], cwd=tmp_path, env=environment(tmp_path),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    stopped_when(running, lambda: vectors_of(tmp_path, "pt-en") > 0)
    running.send_signal(signal.SIGINT)
    running.send_signal(signal.SIGCONT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, "continua dali" in err.decode()) == (130, b"", True)
    done = vectors_of(tmp_path, "pt-en")
    assert 0 < done < number
    assert cli("reindex", "--json").data == {"embedded": number - done}
    assert vectors_of(tmp_path, "hashing") == 0
    assert cli("verify").code == 0


def checks_of(examined: Ran) -> dict[str, dict[str, Any]]:
    assert examined.err == ""
    return {check["name"]: check for check in json.loads(examined.out)["checks"]}


def test_the_doctor_says_what_works_and_makes_no_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "relembra.toml").write_text('preset = "work"')
    examined = cli("doctor", "--json")
    checks = checks_of(examined)
    assert examined.data["ok"] is True
    assert {"python", "sqlite", "model", "llm", "store", "disk", "settings", "reader", "extras"} <= set(checks)
    assert checks["settings"]["found"] == str(tmp_path / "relembra.toml")
    assert not (tmp_path / "m.db").exists()
    assert "autoteste" in cli("doctor", *IN_PORTUGUESE).out
    assert checks_of(cli("--db", "postgres://x", "doctor", "--json"))["store"]["state"] == "problem"
    assert cli("--lang", "fr", "doctor").code == 2
    cli("add", "um")
    assert {"vectors", "jobs"} <= set(checks_of(cli("doctor", "--json")))
    for embedder, url, advice in (
        ("nonsense", "", "correct the settings embedder"),
        ("openai:some-model", "http://127.0.0.1:9/v1", "check that the server runs"),
    ):
        monkeypatch.setenv("RELEMBRA_EMBEDDER", embedder)
        monkeypatch.setenv("RELEMBRA_EMBEDDER_URL", url)
        examined = cli("doctor", "--json")
        checks = checks_of(examined)
        assert (examined.code, checks["model"]["state"]) == (1, "problem")
        assert checks["model"]["advice"].startswith(advice)
        assert [checks[name]["state"] for name in ("store", "jobs", "vectors")] == ["ok", "ok", "warning"]
    monkeypatch.setitem(sys.modules, "httpx", None)
    assert checks_of(cli("doctor", "--json"))["model"]["advice"] == "pip install 'relembra[http]'"


def test_the_doctor_tells_of_channels_that_are_half_set_up(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "replies" not in checks_of(cli("doctor", "--json"))
    whole = {"whatsapp_number": "1", "whatsapp_token": "t", "whatsapp_app_secret": "s", "whatsapp_verify_token": "v"}
    for name, value in whole.items():
        assert "whatsapp_" not in checks_of(cli("doctor", "--json")).get("replies", {}).get("advice", "")
        monkeypatch.setenv(f"RELEMBRA_{name.upper()}", value)
        replies = checks_of(cli("doctor", "--json"))["replies"]
        assert (replies["state"] == "ok") == (name == "whatsapp_verify_token")
    monkeypatch.setenv("RELEMBRA_SMTP_HOST", "mail.example.org")
    replies = checks_of(cli("doctor", "--json"))["replies"]
    assert (replies["state"], "email (smtp_from, webhook_secret)" in replies["found"]) == ("warning", True)
    monkeypatch.setenv("RELEMBRA_WEBHOOK_SECRET", "signed")
    monkeypatch.setenv("RELEMBRA_SMTP_FROM", "nobody")
    replies = checks_of(cli("doctor", *IN_PORTUGUESE, "--json"))["replies"]
    assert (replies["state"], "smtp_from não tem" in replies["found"]) == ("problem", True)


def test_the_doctor_survives_settings_that_cannot_be_read(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELEMBRA_CONFIG", "missing.toml")
    examined = cli("doctor", "--json")
    checks = checks_of(examined)
    assert (examined.code, "RELEMBRA_" in checks["settings"]["advice"]) == (1, True)
    assert [checks[name]["state"] for name in ("settings", "model", "store")] == ["problem", "warning", "warning"]
    assert cli("list").code == 2
    monkeypatch.delenv("RELEMBRA_CONFIG")
    monkeypatch.setenv("RELEMBRA_PRESET", "nonsense")
    assert "nonsense" in checks_of(cli("doctor", "--json"))["settings"]["found"]
    assert cli("list", "--json").error["type"] == "SettingsError"


def test_what_needs_no_model_works_without_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    id = short(cli("add", "Gosta de chá", "--json").data)
    cli("save", "--said", "Bom dia", "--conversation", "c1")
    monkeypatch.setattr(embedders, "Model", lambda path: session_of(path.with_name("missing.onnx")))
    for words in (["search", "chá"], ["context", "chá"]):  # by words
        ran = cli(*words)
        assert (ran.code, "Gosta de chá" in ran.out) == (0, True)
    for words in (
        ["list"], ["show", id], ["validate", id], ["messages"], ["stats"], ["verify"], ["backup", "copy.db"],
        ["forget", id, "--yes"],
    ):  # fmt: skip
        ran = cli(*words)
        assert (ran.code, ran.err) == (0, ""), words
    cli("add", "Gosta de café")
    assert cli("reindex").code == 1


# ── what goes wrong ───────────────────────────────────────────────────────────────────────────────────────────────


@each([
    ("", 0), ("nonsense", 2), ("list --limit 0", 2), ("list --type nonsense", 2), ("list --after nonsense", 2),
    ("list --channel c", 2), ("--lang fr list", 2), ("add", 2), ("add x --priority 11", 2),
    ("add x --by model:m --source user_input", 2), ("add x --held-from 0001-01-01T00:00:00+05:00", 2),
    ("save --said x --at 1500-01-01T00:00:00+00:00", 2), ("search ''", 2), ("backup ''", 2), ("save", 2),
    ("context --budget -1", 2), ("why", 2), ("why x --limit -1", 2), ("recall x --limit 0", 2),
    ("recall x --kind nonsense", 2), ("context x --format yaml", 2), ("list --as-of ontem", 2),
    ("notes --kind nonsense", 2), ("profile --cognitive --minified", 2), ("consolidations --kind nonsense", 2),
    ("jobs --state nonsense", 2), ("jobs --kind nonsense", 2), ("keys create --name x --scope owner", 2),
    ("keys create --name x --for ana --every-tenant", 2), ("keys create --name x --tenant acme --every-tenant", 2),
    ("keys link --url memory", 2), ("export - --format notes", 2),
    ("export x --format json --everybody", 2), ("import missing.json", 2), ("report yearly", 2), ("report", 2),
    ("show nothing", 3), ("notes show abcdef", 3), ("conflicts show abcdef", 3), ("jobs show abcdef", 3),
    ("consolidations abcdef", 3), ("--db none.db verify", 5), ("consolidate", 5), ("rollback abcd --yes", 5),
    ("garden", 5), ("insights --now", 5), ("report weekly", 5), ("appointment", 5), ("jobs run", 5), ("learn", 5),
    ("jobs cancel abcd", 5), ("export x.json", 5), ("--db nowhere/m.db add x", 5), ("--db mysql://x list", 2),
])  # fmt: skip
def test_a_mistake_is_a_sentence_and_an_exit_code(line: str, code: int, cli: Cli, tmp_path: Path) -> None:
    for path in tmp_path.glob("m.db*"):
        path.unlink()
    ran = cli(*shlex.split(line))
    assert ran.code == code
    if code:
        assert (ran.out, ran.err.startswith("That did not work: "), "Traceback" in ran.err) == ("", True, False)
        assert cli("--json", *shlex.split(line)).error["message"]


def test_reading_makes_no_file_and_empty_states_say_what_to_do_next(cli: Cli, tmp_path: Path) -> None:
    assert cli(*IN_PORTUGUESE, "list").out.startswith("Ainda não sei nada de ana. Tente:\n  relembra add ")
    for words, hint in (("search x", "add"), ("messages", "save"), ("conversations", "save")):
        assert f"relembra {hint}" in cli(*words.split()).out
    nothing = cli("context", "x")
    assert (nothing.out, "ana" in nothing.err) == ("", True)
    assert cli("stats").code == 0
    assert not (tmp_path / "m.db").exists()
    cli("add", "um fato", "--held-from", "1900-01-02T12:00:00+00:00", "--expires", "9000-01-01T00:00:00Z")
    assert "fewer filters" in cli("list", "--type", "goal").out
    assert "Jan 2, 1900" in cli("list").out


def test_forgetting_where_nobody_can_be_asked_does_nothing(cli: Cli, tmp_path: Path) -> None:
    items = [cli("add", text, "--json").data for text in ("um", "dois", "três")]
    for words in (["--all"], [short(items[0])], ["--yes"], ["--all", short(items[0]), "--yes"],
                  ["--all", "--conversation", "c", "--yes"]):  # fmt: skip
        assert cli("forget", *words).code == 2
    assert "--yes" in cli("forget", "--all").err
    assert len(cli("list", "--json").data["items"]) == 3
    assert cli("forget", short(items[0]), "--yes", "--json").data["forgotten"]["items"] == 1
    assert cli("show", items[0]["id"]).code == 3
    reader = apsw.Connection(str(tmp_path / "m.db"), flags=apsw.SQLITE_OPEN_READONLY)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM item").get == 2
    assert "ainda guarda vestígios" in cli(*IN_PORTUGUESE, "forget", short(items[1]), "--yes").out
    reader.close()
    assert "traces" not in cli("forget", short(items[2]), "--yes").out


def test_the_default_file_is_in_the_data_folder_and_a_bug_is_a_sentence(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import relembra.bootstrap

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    assert "Traceback" in cli("show", "nothing", "--debug").err
    monkeypatch.delenv("RELEMBRA_DB")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert cli("add", "um").code == 0
    assert (tmp_path / "data" / "relembra" / "memory.db").is_file()
    monkeypatch.setattr(relembra.bootstrap, "opened", broken)
    ran = cli("list")
    assert (ran.code, "ZeroDivisionError: oops" in ran.err, "Traceback" in ran.err) == (1, True, False)


def test_where_no_terminal_watches_rows_are_cells_with_a_tab_between_and_nothing_is_padded(cli: Cli) -> None:
    text = "palavra " * 200 + "fim"
    cli("add", text)
    item = cli("add", "curto", "--type", "goal", "--json").data
    cli("save", "--said", "Bom dia", "--conversation", "c1")
    cli("save", "--said", "Bom dia, " * 200, "--conversation", "c2")
    listed = cli("list").out.splitlines()
    assert listed[0].split("\t")[0::4] == ["curto", short(item)]
    assert (listed[1].split("\t")[0], "\x1b" in listed[1]) == (text, False)
    assert cli("messages").out.splitlines()[1].split("\t")[1:4] == ["ana", "Bom dia", "c1"]
    for words in (["list"], ["search", "curto"], ["conversations"], ["stats"], ["show", short(item)]):
        lines = cli(*words).out.splitlines()
        assert lines
        assert [line for line in lines if "   " in line or line != line.strip()] == [], words


def test_the_doctor_tries_the_shared_cache_which_may_be_missed(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("add", "um")
    assert "cache" not in checks_of(cli("doctor", "--json"))
    for address, code, state in ((f"unix://{tmp_path}/none.sock", 0, "warning"), ("http://secret@host", 1, "problem")):
        monkeypatch.setenv("RELEMBRA_CACHE", address)
        examined = cli("doctor", "--json")
        checks = checks_of(examined)
        assert (examined.code, checks["cache"]["state"], checks["store"]["state"]) == (code, state, "ok")
        assert checks["cache"]["advice"]
        assert not {"none.sock", "secret"} & set(re.findall(r"[\w.]+", examined.out)), "nothing of the address is told"
