"""Files on the command line: exports and imports."""

from __future__ import annotations

import asyncio
import json
import signal
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

from acceptance.running import RELEMBRA, Cli, answered, environment, short, stopped_when
from chats import zipped
from memories import a_memory, a_store
from relembra import Draft
from relembra.interfaces.cli.commands import Words

PT = Words("pt")
IN_PORTUGUESE = ("--lang", "pt")


@pytest.fixture
def told(cli: Cli) -> Cli:
    """A memory with a history, and talk that was learnt from and is not yet noted."""
    old = cli("add", "Mora em Recife", "--attribute", "residence", "--value", "Recife", "--json").data
    cli("add", "Mora em Olinda", "--attribute", "residence", "--value", "Olinda")
    cli("validate", short(old))
    cli("save", "--said", "Gosto de remar no rio Capibaribe.", "--replied", "Que bom!")
    cli("--user", "bia", "add", "Vive em Oslo")
    return cli


# ── exports and imports ───────────────────────────────────────────────────────────────────────────────────────────


CHAT = """13/03/2023 09:00 - Ana Lima: Moro no Recife.
13/03/2023 09:01 - Rui: <Mídia oculta>
13/03/2023 09:02 - Rui: Que bom!
"""


def test_a_chat_of_another_program_is_taken_in_and_told(cli: Cli, tmp_path: Path) -> None:
    """Who one is is asked at a terminal alone, and answered with a number or a name; some names of files tell it."""
    (tmp_path / "chat.txt").write_text(CHAT)
    (tmp_path / "chats.zip").write_bytes(zipped({"Conversa do WhatsApp com Rui.txt": CHAT}))
    file, db = "chat.txt", ("--db", "chats.db")
    asked = cli(*db, "import", file, *IN_PORTUGUESE)
    assert (asked.code, "Ana Lima, Rui" in asked.err) == (2, True)
    tried = cli(*db, "import", file, "--me", "Ana Lima", "--dry-run", "--json").data
    assert (tried["by"], tried["formats"]) == ({"Ana Lima": 1, "Rui": 1}, ["whatsapp"])
    code, shown = answered(tmp_path, "7\n1\n", *db, "import", file, *IN_PORTUGUESE)
    assert (code, PT("import.done", count=PT.count("row", 3), path=file) in shown) == (0, True)
    assert PT("import.why", why=PT.name("left", "media")) in shown
    assert [item["value"] for item in cli(*db, "list", "--json").data["items"]] == ["Recife"]
    again = cli(*db, "import", "chats.zip", "--json").data
    assert (again["total"], again["skipped"], again["why"], again["me"]) == (0, 2, {"media": 1}, ["Ana Lima"])


def test_a_memory_goes_out_and_comes_back_in_another_file(told: Cli, tmp_path: Path) -> None:
    out = told("export", "ana.json", *IN_PORTUGUESE)
    assert (out.code, out.err) == (0, "")
    document = json.loads((tmp_path / "ana.json").read_text())
    rows, size = sum(document["counts"].values()), (tmp_path / "ana.json").stat().st_size
    said = PT("export.done", path="ana.json", count=PT.count("row", rows), size=PT.size(size))
    assert said in out.out
    assert stat.S_IMODE((tmp_path / "ana.json").stat().st_mode) == 0o600
    known = [("Recife", False), ("Olinda", True), ("remar no rio Capibaribe", True)]
    assert [(item["value"], item["is_current"]) for item in document["items"]] == known
    aside = ("buffers", "work", "space_notes")
    count = PT.count("row", sum(number for part, number in document["counts"].items() if part not in aside))

    new = ("--db", "new.db")
    tried = told(*new, "import", "ana.json", "--dry-run", *IN_PORTUGUESE)
    assert PT("import.would", count=count, path="ana.json") in tried.out
    assert not (tmp_path / "new.db").exists()
    came = told(*new, "import", "ana.json", *IN_PORTUGUESE)
    assert (came.code, PT("import.done", count=count, path="ana.json") in came.out) == (0, True)
    assert PT("part.messages") in came.out
    again = told(*new, "import", "ana.json", *IN_PORTUGUESE)
    assert all(part in again.out for part in (PT("import.nothing", path="ana.json"), PT("take_in.skipped")))
    told(*new, "export", "again.json")
    there = json.loads((tmp_path / "again.json").read_text())
    assert {**there, "exported_at": 0} == {**document, "exported_at": 0}
    assert told(*new, "verify").code == 0
    assert "Mora em Olinda" in told(*new, "search", "onde ela mora?").out

    done = told("export", "ana.jsonl", "--json").data
    assert (done["path"], done["format"], done["people"], done["changed"]) == ("ana.jsonl", "jsonl", 1, False)
    assert done["bytes"] == (tmp_path / "ana.jsonl").stat().st_size
    took = told("--user", "maria", "import", "ana.jsonl", "--json").data
    assert (took["added"]["items"], took["people"], took["conflicts"], took["dry_run"]) == (3, ["maria"], [], False)
    assert took["total"] == sum(took["added"].values())
    said = told("--user", "maria", "messages", "--json").out
    assert ('"author": "maria"' in said, '"author": "ana"' in said) == (True, False)


def test_everybody_goes_out_and_one_comes_back(told: Cli) -> None:
    out = told("export", "all.jsonl", "--everybody", *IN_PORTUGUESE)
    assert PT("export.people", count=PT.count("person", 2)) in out.out
    new = ("--db", "new.db")
    assert told(*new, "--user", "bia", "import", "all.jsonl", "--json").data["people"] == ["bia"]
    assert told(*new, "--user", "bia", "list", "--json").data["items"][0]["content"] == "Vive em Oslo"
    assert told(*new, "list", "--json").data["items"] == []
    nobody = told(*new, "--user", "joe", "import", "all.jsonl")
    assert (nobody.code, "ana, bia" in nobody.err) == (2, True)


def test_the_format_follows_the_name_of_the_file_and_a_file_that_exists_stays(told: Cli, tmp_path: Path) -> None:
    told("learn")
    assert told("export", "ana.md", "--language", "pt").code == 0
    assert (tmp_path / "ana.md").read_text().startswith("# O que se lembra de ana\n")
    assert told("export", "ana.zip").code == 0
    with zipfile.ZipFile(tmp_path / "ana.zip") as archive:
        assert "index.md" in archive.namelist()
    (tmp_path / "ana.json").write_text("mine")
    refused = told("export", "ana.json", *IN_PORTUGUESE)
    assert (refused.code, PT("error.conflict.export") in refused.err) == (4, True)
    assert (tmp_path / "ana.json").read_text() == "mine"
    assert told("export", "ana.json", "--overwrite").code == 0
    assert json.loads((tmp_path / "ana.json").read_text())["format"] == "relembra"


def test_a_dash_is_standard_output_and_input(told: Cli, process: Cli) -> None:
    """As real processes, with a pipe between them."""
    out = process("--db", "m.db", "export", "-", "--format", "jsonl")
    assert (out.code, out.err) == (0, "")
    assert process("--db", "new.db", "import", "-", "--json", typed=out.out).data["added"]["items"] == 3
    assert told("export", "-", "--json").code == 2


def test_what_cannot_be_written_or_read_is_told(told: Cli, tmp_path: Path) -> None:
    nowhere = told("export", "no/where.json", *IN_PORTUGUESE)
    assert (nowhere.code, PT("error.store.target", target="no/where.json") in nowhere.err) == (5, True)
    (tmp_path / "broken.json").write_text('{"format":"relembra"')
    (tmp_path / "other.log").write_text("dear diary")
    (tmp_path / "later.json").write_text('{"format":"relembra","version":99}')
    troubles = {
        "missing.json": "error.field.file",
        "broken.json": "error.field.file.cut",
        "other.log": "error.field.file.none",
        "later.json": "error.field.file.newer",
    }
    for name, sentence in troubles.items():
        refused = told("import", name, *IN_PORTUGUESE)
        assert (refused.code, PT(sentence) in refused.err) == (2, True)
    for wrong in (("--format", "xml"), ("--format", "json", "--everybody")):
        refused = told("export", "x", *wrong, *IN_PORTUGUESE)
        assert (refused.code, PT("error.field.export.format") in refused.err) == (2, True)
    assert told("--db", "new.db", "import", "missing.json").code == 2
    assert not (tmp_path / "new.db").exists()
    assert told("export", "x.md", "--language", "fr").code == 2
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_leaves_no_file(tmp_path: Path) -> None:
    async def many_items() -> None:
        async with a_memory(await a_store("sqlite", tmp_path)) as memory:
            await memory.add_many([Draft(content=f"Note {count}") for count in range(2_000)], user="ana")

    asyncio.run(many_items())
    running = subprocess.Popen(
        [*RELEMBRA, "--db", "m.db", "export", "out.json"], cwd=tmp_path, env=environment(tmp_path),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    stopped_when(running, lambda: bool(list(tmp_path.glob(".*.part"))))
    running.send_signal(signal.SIGINT)
    running.send_signal(signal.SIGCONT)
    running.communicate(timeout=60)
    assert running.returncode == 130
    assert [path.name for path in tmp_path.iterdir() if "out.json" in path.name] == []


def test_a_memory_is_shown_in_figures_from_the_store_and_from_an_export(told: Cli, tmp_path: Path) -> None:
    data = told("analyze", "--json").data
    assert (data["known"]["total"], data["past"], data["deleted"]) == (2, 1, 0)
    lines = told("analyze", *IN_PORTUGUESE).out.splitlines()
    assert f"{PT('figures.sums')}\t{PT('figures.known')}\t2" in lines
    told("export", "ana.json")
    told("export", "all.jsonl", "--everybody")
    for file, words in (("ana.json", ()), ("all.jsonl", ("--user", "ana"))):
        again = told("--db", "none.db", *words, "analyze", file, "--json").data
        assert {name: again[name] for name in ("known", "past", "deleted", "weeks")} == {
            name: data[name] for name in ("known", "past", "deleted", "weeks")
        }
    assert not (tmp_path / "none.db").exists()
    assert "bia" in told("analyze", "all.jsonl").err

    asked = ("--sql", 'SELECT "user", count(*) AS held FROM item GROUP BY ALL ORDER BY ALL')
    assert told("analyze", "all.jsonl", *asked, "--json").data == {
        "rows": [{"user": "ana", "held": 3}, {"user": "bia", "held": 1}]
    }
    assert told("analyze", *asked).out.split() == ["ana", "3"]  # the person's own, from the store

    page = tmp_path / "figures.html"
    assert told("analyze", "--html", str(page)).code == 0
    assert told("analyze", "--html", str(page)).code != 0
    assert told("analyze", "--html", str(page), "--overwrite").code == 0
    assert page.read_text("utf-8").startswith("<!doctype html>")
    for line in ("none.json", "--sql FROM --html x.html", "ana.json --sql SELEC"):
        assert told("analyze", *line.split()).code == 2


def test_a_memory_moves_into_another_and_is_not_overwritten(told: Cli, tmp_path: Path) -> None:
    ways = ("migrate", "--from", "m.db", "--to", "moved.db")
    out = told(*ways, *IN_PORTUGUESE)
    assert (out.code, out.err.count("\n")) == (0, 2), out.err
    assert PT("migrate.person", number="2", name="bia", count=PT.count("row", 30)).partition(":")[0] in out.err
    rows = told(*ways, "--json").data
    assert (rows["people"], rows["known"], rows["problems"]) == (2, 2, [])
    count, people = PT.count("row", sum(rows["rows"].values())), PT.count("person", 2)
    assert PT("migrate.done", count=count, people=people, path="moved.db") in out.out
    told("--db", "moved.db", "add", "Tem um cão")
    refused = told(*ways, *IN_PORTUGUESE)
    assert (refused.code, PT("error.conflict.migrate") in refused.err) == (4, True)
    assert told("migrate", "--from", "m.db", "--to", "m.db").code == told("migrate", "--from", "m.db").code == 2
    assert told("migrate", "--from", "nowhere.db", "--to", "new.db").code == 5
    assert told("--user", "bia", "migrate", "--from", "m.db", "--to", "hers.db", "--json").data["people"] == 1
    assert told("--db", "hers.db", "--user", "bia", "list", "--json").data["items"][0]["content"] == "Vive em Oslo"
