"""The command `relembra` as people and programs meet it.

The lines of the manual run as real processes; the many small cases run through the same `main` in this process, on the
same real engine.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import apsw
import pytest

from acceptance.running import RELEMBRA, ZONE, Cli, Ran, answered, environment, short, until_it_waits
from memories import a_memory, a_store
from relembra import Draft
from relembra.store.sqlite.upkeep import Presence

# ── the lines of the manual, as processes ─────────────────────────────────────────────────────────────────────────


def test_the_lines_of_the_manual_work_as_written(process: Cli, tmp_path: Path) -> None:
    ana = ("--db", "m.db", "--user", "ana")
    added = process(*ana, "add", "Prefere café sem açúcar", "--type", "preference", "--area", "health")
    assert added.code == 0, added.err
    assert "Prefere café sem açúcar" in added.out

    found = process(*ana, "search", "o que ela bebe?", "--limit", "5", "--json")
    assert found.data["hits"][0]["item"]["content"] == "Prefere café sem açúcar"
    assert "açúcar" in found.out

    at = "2026-03-01T10:00:00-03:00"
    saved = process(*ana, "save", "--said", "Moro em Recife.", "--replied", "Que bom!", "--at", at)
    assert (saved.code, saved.err) == (0, "")

    context = process(*ana, "context", "onde eu moro?", "--budget", "800")
    assert "Moro em Recife." in context.out
    assert context.err == ""

    listed = process(*ana, "list", "--type", "preference", "--json").data
    assert listed["next"] is None
    id = listed["items"][0]["id"]

    assert process(*ana, "show", id).code == 0
    assert process(*ana, "validate", id).code == 0
    right = process(*ana, "correct", id[-8:], "Prefere chá", "--json").data
    assert process(*ana, "delete", right["id"]).code == 0
    assert "Prefere café sem açúcar" in process(*ana, "history", right["id"]).out
    assert process(*ana, "undo", right["id"]).code == 0

    receipt = process(*ana, "forget", "--all", "--yes")
    assert receipt.code == 0
    assert "items" in receipt.out
    assert process(*ana, "list", "--history", "--deleted", "--json").data == {"items": [], "next": None}
    verified = process("--db", "m.db", "verify")
    assert (verified.code, verified.err) == (0, "")
    assert (tmp_path / "m.db").is_file()


def test_the_installed_command_is_the_same_program(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("relembra")
    ran = subprocess.run([command, "--version"], capture_output=True, text=True, env=environment(tmp_path), check=True)
    assert ran.stdout.startswith("relembra ")


def test_utf8_goes_in_and_out_whatever_the_locale(process: Cli) -> None:
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    added = process("add", "-", "--json", typed="maçã\n", **env)
    assert added.data["content"] == "maçã"


def test_a_reader_that_leaves_early_is_no_error(process: Cli, tmp_path: Path) -> None:
    for number in range(2):
        assert process("add", "-", typed=f"item {number} " + "palavra " * 20_000).code == 0
    for words in (["list"], ["list", "--json"]):
        running = subprocess.Popen(
            [*RELEMBRA, *words], cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert (running.stderr.read(), running.wait(60)) == (b"", 0)
        running.stderr.close()


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_with_130_and_a_word(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [*RELEMBRA, "add", "-"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until_it_waits(running.pid)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err.decode().strip()) == (130, b"", "Stopped.")


def test_forget_says_what_will_go_and_asks(process: Cli, tmp_path: Path) -> None:
    process("add", "Gosta de chá")
    code, shown = answered(tmp_path, "n\n", "forget", "--all", "--lang", "pt")
    assert code == 0
    assert "Tudo de ana será esquecido de vez: 1 item, 0 mensagens" in shown
    assert "Nada foi esquecido." in shown
    assert len(process("list", "--json").data["items"]) == 1
    code, shown = answered(tmp_path, "sim\n", "forget", "--all", "--lang", "pt")
    assert code == 0
    assert "Esquecido:" in shown
    assert process("list", "--json").data["items"] == []


def test_forget_names_the_reports_that_go_along(process: Cli, tmp_path: Path) -> None:
    added = process("add", "Gosta de chá de hortelã", "--json").data
    item, day = added["id"], datetime.fromisoformat(added["created_at"]).astimezone(ZoneInfo(ZONE)).date().isoformat()
    title = process("report", "weekly", "--day", day, "--lang", "pt", "--json").data["title"]
    tried = process("forget", item, "--dry-run", "--lang", "pt")
    assert "Nada foi esquecido. Isto sumiria:" in tried.out
    assert title in tried.out
    told = process("forget", item, "--dry-run", "--json").data
    assert (told["dry_run"], told["erased"], len(told["notes"])) == (True, False, 1)
    code, shown = answered(tmp_path, "n\n", "forget", item, "--lang", "pt")
    assert code == 0
    assert "Também some por inteiro (1 nota)" in shown
    assert title in shown
    gone = process("forget", item, "--yes", "--json").data
    assert gone == told | {"dry_run": False, "erased": True}


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
    assert cli("validate", id, "--json").data["validated"] is True
    assert cli("delete", id, "--why", "engano", "--json").data["deleted_at"] is not None
    assert cli("list", "--json").data["items"] == []
    assert len(cli("list", "--deleted", "--json").data["items"]) == 1
    assert cli("restore", id, "--json").data["deleted_at"] is None
    right = cli("correct", id, "Mora em Olinda", "--why", "mudou", "--json").data
    told = cli("history", short(right), "--json").data
    assert [old["id"] for old in told["predecessors"]] == [item["id"]]
    assert told["trail"][0]["why"] == "mudou"
    undone = cli("undo", short(right), "--json").data["undone"]
    assert {entry["verb"] for entry in undone} == {"correct"}
    assert cli("list", "--json").data["items"][0]["content"] == "Mora em Recife"


def test_a_change_is_undone_by_its_own_id(cli: Cli) -> None:
    item = cli("add", "Gosta de chá", "--json").data
    change = cli("history", short(item), "--json").data["trail"][0]["change"]
    assert cli("undo", change).code == 0
    assert cli("list", "--json").data["items"] == []


def test_a_new_value_says_what_it_replaces(cli: Cli) -> None:
    cli("add", "Mora em Recife", "--attribute", "residence", "--value", "Recife")
    added = cli("--lang", "pt", "add", "Mora em Olinda", "--attribute", "residence", "--value", "Olinda")
    assert "substitui" in added.out
    assert "Mora em Recife" in added.out
    listed = cli("list", "--history", "--json").data["items"]
    assert [item["content"] for item in listed] == ["Mora em Olinda", "Mora em Recife"]
    assert "mudou: residência" in cli("--lang", "pt", "history", short(listed[1])).out


def test_list_filters_and_pages(cli: Cli) -> None:
    for number in range(3):
        assert cli("add", f"fato {number}", "--tag", "x", "--area", "career").code == 0
    cli("add", "outro", "--type", "goal", "--source", "import", "--confidence", "0.6")
    first = cli("list", "--tag", "x", "--limit", "2", "--json").data
    rest = cli("list", "--tag", "x", "--limit", "2", "--after", first["next"], "--json").data
    assert [item["content"] for item in first["items"] + rest["items"]] == ["fato 2", "fato 1", "fato 0"]
    assert rest["next"] is None

    def contents(*filters: str) -> list[str]:
        return [item["content"] for item in cli("list", *filters, "--json").data["items"]]

    assert contents("--type", "goal") == ["outro"]
    assert contents("--source", "import") == ["outro"]
    assert len(contents("--area", "carreira")) == 3
    assert len(contents("--min-confidence", "0,9")) == 3
    assert contents("--since", "2999-01-01") == []
    assert contents("--until", "2001-01-01") == []
    assert len(contents("--since", "2001-01-01", "--until", "2999-01-01")) == 4
    assert contents("--space", "firma") == []


def test_ids_may_be_shortened_while_they_stay_clear(cli: Cli) -> None:
    one, two = (cli("add", text, "--json").data for text in ("um", "dois"))
    assert cli("show", one["id"][-4:], "--json").data["id"] in (one["id"], two["id"])
    assert cli("show", short(two).upper(), "--json").data["id"] == two["id"]
    both = cli("show", one["id"][:6], "--json")
    assert (both.code, both.error["field"]) == (2, "id")
    assert cli("show", one["id"][-3:]).code == 3


def test_somebody_elses_id_answers_as_an_unknown_one(cli: Cli) -> None:
    item = cli("add", "segredo", "--json").data
    stranger, nobody = item["id"], "01900000-0000-7000-8000-000000000001"
    for words in (["show"], ["validate"], ["delete"], ["restore"], ["history"], ["undo"], ["related"]):
        theirs = cli("--user", "bia", *words, stranger)
        unknown = cli("--user", "bia", *words, nobody)
        assert theirs.code == unknown.code == 3
        assert theirs.err.replace(stranger, nobody) == unknown.err
    assert cli("--tenant", "other", "show", stranger).code == 3
    assert cli("--user", "bia", "forget", stranger, "--yes").code == 3
    assert cli("--user", "bia", "correct", stranger, "x").code == 3


# ── recalled and said ─────────────────────────────────────────────────────────────────────────────────────────────


def test_search_says_why(cli: Cli) -> None:
    cli("add", "Prefere café sem açúcar", "--type", "preference")
    hit = cli("search", "café", "--json").data["hits"][0]
    assert set(hit) == {"item", "score", "why"}
    assert {"cosine", "bm25", "terms", "similarity", "weight", "recency", "ranking"} <= set(hit["why"])
    shown = cli("--lang", "pt", "search", "café", "--why").out
    assert "preferência" in shown
    assert "● alta" in shown
    assert "sentido" in shown


def test_a_list_of_messages_is_saved_from_a_file_or_standard_input(cli: Cli, process: Cli, tmp_path: Path) -> None:
    chat = [
        {"role": "user", "content": "Moro em Recife.", "id": "1"},
        {"role": "assistant", "content": [{"type": "text", "text": "Que bom!"}, {"type": "image_url"}]},
    ]
    (tmp_path / "chat.json").write_text(json.dumps({"model": "x", "messages": chat}), "utf-8")
    shown = cli("save", "--messages", "chat.json").out
    assert "2 messages" in shown
    assert "messages[1].content[1]: image_url" in shown
    again = process("--db", "m.db", "save", "--messages", "-", "--json", typed=json.dumps(chat[:1]))
    assert again.data["new"] is False
    for text in ("{", '["Oi"]', '{"role": "user"}', '[{"role": "bot", "content": "Oi"}]'):
        (tmp_path / "chat.json").write_text(text, "utf-8")
        refused = cli("save", "--messages", "chat.json")
        assert (refused.code, refused.out) == (2, "")
        assert "messages" in refused.err
    assert cli("save", "--messages", "none.json").code == 2
    assert len(cli("messages", "--json").data["items"]) == 2


def test_what_is_saved_comes_back(cli: Cli) -> None:
    saved = cli(
        "save", "--said", "Moro em Recife.", "--replied", "Que bom!", "--external-id", "7", "--meta", "a=b", "--json"
    )
    assert saved.data["new"] is True
    assert [message["role"] for message in saved.data["messages"]] == ["user", "assistant"]
    assert saved.data["messages"][0]["metadata"] == {"a": "b"}
    assert cli("save", "--said", "Moro em Recife.", "--external-id", "7", "--json").data["new"] is False
    listed = cli("messages", "--limit", "1", "--json").data
    assert len(listed["items"]) == 1
    assert listed["next"] is not None
    assert "Moro em Recife." in cli("messages").out
    context = cli("context", "onde moro?", "--budget", "90", "--json").data
    assert context["tokens"] <= context["budget"] == 90
    assert "Moro em Recife." in context["text"]
    assert len(context["recent"]) == 2


def test_a_moment_keeps_the_speakers_clock(cli: Cli) -> None:
    message = cli("save", "--said", "oi", "--at", "2026-03-01T10:00:00-03:00", "--json").data["messages"][0]
    assert (message["sent_at"], message["zone"]) == ("2026-03-01T13:00:00Z", "-03:00")


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
    assert gone["forgotten"]["messages"] == 1
    assert gone["total"] == sum(gone["forgotten"].values())
    assert gone["erased"] is True
    assert cli("conversations", "rename", "c1", "x").code == 3


# ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_stats_are_of_a_person_or_of_everybody(cli: Cli) -> None:
    cli("add", "um", "--type", "goal")
    cli("--user", "bia", "add", "dois")
    cli("--user", "bia", "--tenant", "firma", "add", "três")
    assert cli("stats", "--json").data == cli("stats", "--all", "--json").data
    assert cli("stats", "--json").data["items"]["current"] == 3
    assert cli("stats", "--user", "bia", "--json").data["items"]["current"] == 1
    assert cli("stats", "--user", "bia", "--all", "--json").data["items"]["current"] == 3
    assert cli("stats", "--tenant", "firma", "--json").data["items"] == {}
    shown = cli("--lang", "pt", "stats", "--user", "ana").out.splitlines()
    assert (shown[0], "por tipo\tmeta 1" in shown) == ("Memória de ana", True)


def test_a_setting_chooses_whose_stats(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("add", "um")
    cli("--user", "bia", "add", "dois")
    assert cli("stats").out.startswith("Memory of everybody\n")
    (tmp_path / "relembra.toml").write_text('user = "bia"')
    assert cli("stats").out.startswith("Memory of bia\n")
    monkeypatch.setenv("RELEMBRA_USER", "ana")
    assert cli("stats").out.startswith("Memory of ana\n")
    assert cli("stats", "--json").data["items"]["current"] == 1


def test_a_read_only_memory_is_told_in_full_and_files_need_a_kept_report(process: Cli) -> None:
    process("add", "Gosta de chá")
    only = {"RELEMBRA_READ_ONLY": "true"}
    assert "chá" in process("me", **only).out
    told = process("report", "weekly", "--json", **only).data
    assert told["files"] == []
    assert process("note", told["id"], **only).code != 0  # it was not kept
    refused = process("report", "weekly", "--save", "files", **only)
    assert (refused.code, "read" in refused.err) == (5, True)


def test_a_backup_is_a_memory_and_never_overwrites(cli: Cli, tmp_path: Path) -> None:
    item = cli("add", "um", "--json").data
    copied = cli("backup", "copy.db", "--json").data
    assert copied == {"path": "copy.db", "bytes": (tmp_path / "copy.db").stat().st_size}
    assert cli("--db", "copy.db", "show", item["id"], "--json").data["content"] == "um"
    again = cli("backup", "copy.db")
    assert again.code == 4
    assert "exists already" in again.err


@pytest.mark.parametrize(
    ("language", "in_use", "damaged"), [("en", "in use", "damaged"), ("pt", "em uso", "danificado")]
)
def test_a_backup_takes_the_place_of_a_memory_nobody_uses(
    cli: Cli, tmp_path: Path, language: str, in_use: str, damaged: str
) -> None:
    cli("add", "um")
    cli("backup", "copy.db")
    cli("add", "dois")
    with Presence(tmp_path / "m.db") as somebody:
        somebody.stay()
        refused = cli("--lang", language, "backup", "restore", "copy.db")
        assert (refused.code, in_use in refused.err) == (5, True)
    (tmp_path / "letter.db").write_text("Querida Ana, " * 900)
    refused = cli("--lang", language, "backup", "restore", "letter.db")
    assert (refused.code, damaged in refused.err, "letter.db" in refused.err) == (5, True, True)
    assert cli("backup", "restore", "nowhere.db").code == 2
    assert len(cli("list", "--json").data["items"]) == 2
    done = cli("backup", "restore", "copy.db", "--json").data
    assert [item["content"] for item in cli("list", "--json").data["items"]] == ["um"]
    assert len(cli("--db", done["aside"], "list", "--json").data["items"]) == 2
    cli("add", "dois")
    assert cli("restore", "copy.db").code == 0
    assert [item["content"] for item in cli("list", "--json").data["items"]] == ["um"]


@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_damaged_memory_is_salvaged_into_a_new_one(cli: Cli, tmp_path: Path, language: str) -> None:
    cli("add", "um")
    cli("add", "dois")
    done = cli("--lang", language, "salvage", "m.db", "--to", "new.db")
    assert (done.code, "reindex --db new.db" in done.out) == (0, True)
    assert cli("--db", "new.db", "reindex").code == cli("--db", "new.db", "verify").code == 0
    assert len(cli("--db", "new.db", "list", "--json").data["items"]) == 2
    assert cli("salvage", "m.db", "--to", "new.db").code == 4
    assert cli("salvage", "m.db").code == cli("salvage", "nowhere.db", "--to", "newer.db").code == 2
    assert cli("salvage", "m.db", "--to", "newer.db", "--json").data["read"]["item"] == 2
    (tmp_path / "letter.db").write_text("Querida Ana, " * 900)
    refused = cli("--lang", language, "salvage", "letter.db", "--to", "newest.db")
    assert (refused.code, "letter.db" in refused.err) == (5, True)


@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_backup_that_cannot_be_written_names_where_it_should_have_gone(cli: Cli, language: str) -> None:
    cli("add", "um")
    ran = cli("--lang", language, "backup", "nowhere/copy.db")
    assert ran.code == 5
    assert "nowhere/copy.db" in ran.err
    assert "m.db" not in ran.err
    error = cli("backup", "nowhere/copy.db", "--json").error
    assert error["target"] == "nowhere/copy.db"
    assert "m.db" not in error["message"]


def test_verify_and_reindex_say_how_it_went(cli: Cli) -> None:
    cli("add", "um")
    assert cli("verify", "--json").data["ok"] is True
    assert cli("reindex", "--json").data == {"embedded": 0}
    assert "Nada a fazer" in cli("reindex", "--lang", "pt").out


def test_verify_finds_a_damaged_index(cli: Cli, tmp_path: Path) -> None:
    cli("add", "um fato")
    db = apsw.Connection(str(tmp_path / "m.db"))
    db.execute("DELETE FROM posting")
    db.close()
    found = cli("verify", "--json")
    assert found.code == 6
    assert json.loads(found.out)["problems"]
    shown = cli("verify", "--lang", "pt")
    assert (shown.code, "Encontrei" in shown.out) == (6, True)


def test_vectors_of_another_model_are_hinted_at_and_reindexed(cli: Cli, tmp_path: Path) -> None:
    cli("add", "um fato")
    db = apsw.Connection(str(tmp_path / "m.db"))
    db.execute("UPDATE model SET name = 'old-model@1'")
    db.close()
    searched = cli("search", "fato", "--json")
    assert searched.err.count("\n") == 1
    assert "old-model@1" in searched.err
    assert "relembra reindex" in searched.err
    assert searched.data["hits"]
    assert "old-model@1" in cli("context", "fato").err
    for words in (["list"], ["stats"], ["messages"], ["add", "dois"], ["verify"]):
        assert cli(*words).err == ""
    examined = cli("doctor", "--json").data["checks"]
    vectors = next(check for check in examined if check["name"] == "vectors")
    assert (vectors["state"], vectors["advice"]) == ("warning", "relembra reindex")
    assert "1 row without" in vectors["found"]
    assert "old-model@1" in vectors["found"]
    assert cli("reindex", "--json").data == {"embedded": 1}
    assert cli("search", "fato").err == ""


async def many_items(folder: Path, number: int) -> None:
    """A store whose vectors were made by another model."""
    async with a_memory(await a_store("sqlite", folder)) as memory:
        await memory.add_many([Draft(content=f"Lembrança número {each}") for each in range(number)], user="ana")


def vectors_of(folder: Path, model: str) -> int:
    db = apsw.Connection(f"file:{folder}/m.db?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    try:
        sql = "SELECT count(*) FROM embedding e JOIN model m ON m.id = e.model WHERE m.name LIKE ?"
        return int(db.execute(sql, (model + "%",)).get)
    finally:
        db.close()


@pytest.mark.usefixtures("ctrl_c")
def test_reindexing_goes_on_where_ctrl_c_stopped_it(process: Cli, tmp_path: Path) -> None:
    number = 3_000
    asyncio.run(many_items(tmp_path, number))
    running = subprocess.Popen(
        [*RELEMBRA, "--db", "m.db", "reindex", "--lang", "pt"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + 60
    while not (done := vectors_of(tmp_path, "pt-en")) and time.monotonic() < until:
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (130, b"")
    assert "continua dali" in out.decode()
    done = vectors_of(tmp_path, "pt-en")
    assert 0 < done < number
    assert process("--db", "m.db", "reindex", "--json").data == {"embedded": number - done}
    assert vectors_of(tmp_path, "hashing") == 0
    assert process("--db", "m.db", "verify").code == 0


def test_the_doctor_says_what_works_and_makes_no_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "relembra.toml").write_text('preset = "work"')
    examined = cli("doctor", "--json").data
    checks = {check["name"]: check for check in examined["checks"]}
    assert examined["ok"] is True
    assert {"python", "sqlite", "vec1", "model", "store", "disk", "settings", "language"} <= set(checks)
    assert {"extra.http", "extra.tokenizers"} <= set(checks)
    assert checks["settings"]["found"] == str(tmp_path / "relembra.toml")
    assert not (tmp_path / "m.db").exists()
    assert "autoteste" in cli("doctor", "--lang", "pt").out
    cli("add", "um")
    assert {"vectors", "jobs"} <= {check["name"] for check in cli("doctor", "--json").data["checks"]}


def test_the_doctor_names_a_store_that_does_not_open(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "m.db").write_text("not a store, and long enough to look like something " * 50)
    examined = cli("doctor", "--json")
    assert examined.code == 5
    assert json.loads(examined.out)["ok"] is False
    assert checks_of(examined)["store"]["advice"] == "restore a backup: relembra backup restore FILE"
    assert "restaure uma cópia" in cli("doctor", "--lang", "pt").out


def checks_of(examined: Ran) -> dict[str, dict[str, Any]]:
    assert examined.err == ""
    return {check["name"]: check for check in json.loads(examined.out)["checks"]}


@pytest.mark.parametrize(
    ("embedder", "url", "advice"),
    [
        ("nonsense", "", "correct the settings embedder"),
        ("folder:/missing", "", "check the folder"),
        ("openai:some-model", "", "correct the settings embedder"),
        ("openai:some-model", "http://127.0.0.1:9/v1", "check that the server runs"),
    ],
)
def test_the_doctor_tells_a_model_that_does_not_work_from_a_store_that_does(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, embedder: str, url: str, advice: str
) -> None:
    cli("add", "um")
    monkeypatch.setenv("RELEMBRA_EMBEDDER", embedder)
    monkeypatch.setenv("RELEMBRA_EMBEDDER_URL", url)
    examined = cli("doctor", "--json")
    checks = checks_of(examined)
    assert examined.code == 1
    assert checks["model"]["state"] == "problem"
    assert checks["model"]["advice"].startswith(advice)
    assert checks["store"]["state"] == checks["jobs"]["state"] == "ok"
    assert checks["vectors"]["state"] == "warning"
    assert cli("doctor", "--lang", "pt").code == 1


def test_the_doctor_names_the_extra_a_model_needs(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("add", "um")
    monkeypatch.setitem(sys.modules, "httpx", None)
    monkeypatch.setenv("RELEMBRA_EMBEDDER", "openai:some-model")
    monkeypatch.setenv("RELEMBRA_EMBEDDER_URL", "http://127.0.0.1:9/v1")
    checks = checks_of(cli("doctor", "--json"))
    assert (checks["model"]["state"], checks["model"]["advice"]) == ("problem", "pip install 'relembra[http]'")
    assert checks["store"]["state"] == "ok"


@pytest.mark.parametrize("config", ["missing.toml", "broken.toml", "/proc/self/mem"])
def test_the_doctor_survives_settings_that_cannot_be_read(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str
) -> None:
    (tmp_path / "broken.toml").write_text("preset = ")
    monkeypatch.setenv("RELEMBRA_CONFIG", config)
    examined = cli("doctor", "--json")
    checks = checks_of(examined)
    assert examined.code == 1
    assert (checks["settings"]["state"], checks["model"]["state"], checks["store"]["state"]) == (
        "problem",
        "warning",
        "warning",
    )
    assert "RELEMBRA_" in checks["settings"]["advice"]
    assert {"python", "extra.http"} <= set(checks)
    ran = cli("list")
    assert ran.code in (1, 2)
    assert ran.err.startswith("That did not work: ")


def test_the_doctor_names_a_wrong_setting_and_a_wrong_address(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks_of(cli("--db", "postgres://x", "doctor", "--json"))["store"]["state"] == "problem"
    assert cli("--lang", "fr", "doctor").code == 2
    monkeypatch.setenv("RELEMBRA_PRESET", "nonsense")
    assert "nonsense" in checks_of(cli("doctor", "--json"))["settings"]["found"]


def test_what_needs_no_model_works_without_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    item = cli("add", "Gosta de chá", "--json").data
    cli("add", "Mora em Recife")
    cli("save", "--said", "Bom dia", "--conversation", "c1")
    monkeypatch.setenv("RELEMBRA_EMBEDDER", "folder:/missing")
    assert [row["content"] for row in cli("list", "--json").data["items"]] == ["Mora em Recife", "Gosta de chá"]
    id = short(item)
    for words in (
        ["list"], ["show", id], ["history", id], ["validate", id], ["delete", id], ["restore", id], ["messages"],
        ["conversations"], ["stats"], ["verify"], ["backup", "copy.db"], ["forget", id, "--yes"],
    ):  # fmt: skip
        ran = cli(*words)
        assert (ran.code, ran.err) == (0, ""), words
    assert cli("reindex").code == 1


def test_without_its_model_search_goes_by_words_and_says_so(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("add", "Gosta de chá")
    monkeypatch.setenv("RELEMBRA_EMBEDDER", "folder:/missing")
    for words in (["search", "chá"], ["context", "chá"]):
        ran = cli(*words)
        assert ran.code == 0, ran.err
        assert "Gosta de chá" in ran.out
        assert "relembra doctor" in ran.err


def test_the_demo_leaves_standard_output_to_the_json(cli: Cli) -> None:
    played = cli("demo", "--fast", "--json")
    assert played.data == {"exit_code": 0}
    assert played.err


def test_the_version(cli: Cli) -> None:
    from relembra import __version__

    assert cli("version", "--json").data == cli("--version", "--json").data == {"version": __version__}
    assert cli("version").out == cli("--version").out == f"relembra {__version__}\n"


# ── what goes wrong ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 0),
        (["nonsense"], 2),
        (["list", "--nonsense"], 2),
        (["list", "--limit", "many"], 2),
        (["list", "--limit", "0"], 2),
        (["list", "--type", "nonsense"], 2),
        (["list", "--after", "nonsense"], 2),
        (["list", "--channel", "c"], 2),
        (["--lang", "fr", "list"], 2),
        (["add"], 2),
        (["add", " "], 2),
        (["add", "x", "--priority", "11"], 2),
        (["add", "x", "--by", "me"], 2),
        (["add", "x", "--by", "model:m", "--source", "user_input"], 2),
        (["add", "x", "--held-from", "0001-01-01T00:00:00+05:00"], 2),
        (["add", "x", "--expires", "9999-12-31T23:00:00-05:00"], 2),
        (["save", "--said", "x", "--at", "0001-01-01T00:00:00+05:00"], 2),
        (["save", "--said", "x", "--at", "1500-01-01T00:00:00+00:00"], 2),
        (["list", "--since", "0001-01-01T00:00:00+05:00"], 2),
        (["list", "--until", "9999-12-31"], 2),
        (["search", " "], 2),
        (["backup", ""], 2),
        (["save"], 2),
        (["save", "--said", "-", "--replied", "-"], 2),
        (["context", "--budget", "-1"], 2),
        (["show", "nothing"], 3),
        (["verify"], 5),
        (["forget", "--all", "--yes"], 5),
        (["--db", "nowhere/m.db", "add", "x"], 5),
        (["--db", "postgres://x", "list"], 2),
    ],
)
@pytest.mark.parametrize("language", ["en", "pt"])
def test_exit_codes(cli: Cli, words: list[str], code: int, language: str) -> None:
    ran = cli(*words) if "--lang" in words else cli("--lang", language, *words)
    assert ran.code == code
    if code:
        assert ran.out == ""
        assert ran.err.startswith(("That did not work: ", "Não deu: "))
        assert "Traceback" not in ran.err
        assert cli("--json", *words).error["message"]


@pytest.mark.parametrize(
    ("words", "field", "option"),
    [
        (["save", "--said", "x", "--at", "0001-01-01T00:00:00+05:00"], "at", "--at"),
        (["save", "--said", "x", "--at", "1500-01-01T00:00:00+00:00"], "at", "--at"),
        (["add", "x", "--held-from", "0001-01-01T00:00:00+05:00"], "held_from", "--held-from"),
        (["add", "x", "--expires", "9999-12-31T23:00:00-05:00"], "expires_at", "--expires"),
    ],
)
def test_a_date_out_of_range_is_named_with_its_option(cli: Cli, words: list[str], field: str, option: str) -> None:
    error = cli(*words, "--json").error
    assert (error["type"], error["field"], error["exit_code"]) == ("InvalidInputError", field, 2)
    assert f"the date is too early or too late to be kept: {option}." in cli(*words).err
    assert f"a data é antiga ou distante demais para guardar: {option}." in cli("--lang", "pt", *words).err


def test_dates_at_the_ends_of_the_calendar_can_be_shown(cli: Cli) -> None:
    assert cli("add", "x", "--held-from", "0001-01-01T00:00:00+00:00").code == 2
    assert cli("add", "x", "--held-from", "1900-01-02T12:00:00+00:00", "--expires", "9000-01-01T00:00:00Z").code == 0
    assert "Jan 2, 1900" in cli("list").out


def test_only_the_person_confirms_and_corrects(cli: Cli) -> None:
    id = short(cli("add", "x", "--source", "import", "--json").data)
    for words in (["validate", id], ["correct", id, "y"]):
        refused = cli(*words, "--by", "model:m")
        assert (refused.code, "only ana can do that" in refused.err) == (2, True)
        unclear = cli(*words, "--by", "me")
        assert (unclear.code, "--by needs person:NAME" in unclear.err) == (2, True)


def test_reading_makes_no_file(cli: Cli, tmp_path: Path) -> None:
    for words in (["list"], ["search", "x"], ["context", "x"], ["messages"], ["conversations"], ["stats"]):
        assert cli(*words).code == 0
    assert not (tmp_path / "m.db").exists()


def test_empty_states_say_what_to_do_next(cli: Cli) -> None:
    assert cli("--lang", "pt", "list").out.startswith("Ainda não sei nada de ana. Tente:\n  relembra add ")
    assert "relembra add" in cli("search", "x").out
    assert "relembra save" in cli("messages").out
    assert "relembra save" in cli("conversations").out
    nothing = cli("context", "x")
    assert nothing.out == ""
    assert "ana" in nothing.err
    cli("add", "um fato")
    assert "fewer filters" in cli("list", "--type", "goal").out


def test_forgetting_where_nobody_can_be_asked_does_nothing(cli: Cli) -> None:
    item = cli("add", "um", "--json").data
    for words in (["--all"], [short(item)]):
        ran = cli("forget", *words)
        assert ran.code == 2
        assert "--yes" in ran.err
    for words in ([], ["--all", short(item)], ["--all", "--conversation", "c"]):
        assert cli("forget", *words, "--yes").code == 2
    assert len(cli("list", "--json").data["items"]) == 1
    assert cli("forget", short(item), "--yes", "--json").data["forgotten"]["items"] == 1
    assert cli("show", item["id"]).code == 3


def test_the_receipt_says_while_another_program_keeps_traces_in_the_file(cli: Cli, tmp_path: Path) -> None:
    ids = [short(cli("add", text, "--json").data) for text in ("um", "dois", "três")]
    reader = apsw.Connection(str(tmp_path / "m.db"), flags=apsw.SQLITE_OPEN_READONLY)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM item").get == 3
    assert cli("forget", ids[0], "--yes", "--json").data["erased"] is False
    assert "ainda guarda vestígios" in cli("--lang", "pt", "forget", ids[1], "--yes").out
    reader.close()
    assert "traces" not in cli("forget", ids[2], "--yes").out


def test_a_file_that_is_no_store_is_left_alone(cli: Cli, tmp_path: Path) -> None:
    text = "hello, I am not a database at all " * 100
    (tmp_path / "m.db").write_text(text)
    for words in (["list"], ["add", "x"], ["verify"]):
        assert cli(*words, "--json").error["type"] == "StoreCorruptError"
    assert (tmp_path / "m.db").read_text() == text


def test_a_wrong_setting_is_named(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELEMBRA_PRESET", "nonsense")
    assert cli("list", "--json").error["type"] == "SettingsError"


def test_debug_shows_where_an_error_came_from(cli: Cli) -> None:
    assert "Traceback" in cli("show", "nothing", "--debug").err


def test_a_bug_is_a_sentence_and_not_a_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    import relembra.bootstrap

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(relembra.bootstrap, "opened", broken)
    ran = cli("list")
    assert ran.code == 1
    assert "ZeroDivisionError: oops" in ran.err
    assert "Traceback" not in ran.err


def test_the_default_file_is_in_the_persons_data_folder(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RELEMBRA_DB")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert cli("add", "um").code == 0
    assert (tmp_path / "data" / "relembra" / "memory.db").is_file()


def test_nothing_is_folded_or_cut_where_no_terminal_watches(cli: Cli) -> None:
    text = "palavra " * 200 + "fim"
    cli("add", text)
    lines = cli("list").out.splitlines()
    assert len(lines) == 1
    assert lines[0].split("\t")[0] == text
    assert "\x1b" not in lines[0]


def test_where_no_terminal_watches_rows_are_cells_with_a_tab_between_and_nothing_is_padded(cli: Cli) -> None:
    cli("add", "palavra " * 200 + "fim")
    item = cli("add", "curto", "--type", "goal", "--json").data
    cli("save", "--said", "Bom dia", "--conversation", "c1")
    cli("save", "--said", "Bom dia, " * 200, "--conversation", "c2")
    assert cli("list").out.splitlines()[0].split("\t")[0::4] == ["curto", short(item)]
    assert cli("messages").out.splitlines()[1].split("\t")[1:4] == ["ana", "Bom dia", "c1"]
    for words in (["list"], ["search", "curto"], ["messages"], ["conversations"], ["stats"], ["show", short(item)]):
        lines = cli(*words).out.splitlines()
        assert lines
        assert [line for line in lines if "   " in line or line != line.strip()] == [], words
