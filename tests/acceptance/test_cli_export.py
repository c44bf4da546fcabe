"""`relembra export` and `relembra import` as people and programs meet them."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

from acceptance.running import RELEMBRA, Cli, environment, short, stopped_when
from memories import a_memory, a_store
from relembra import Draft
from relembra.interfaces.cli.words import Words
from relembra.locale import LANGUAGES


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def told(cli: Cli) -> Cli:
    """A memory with a history, and talk that was learnt from and is not yet noted."""
    old = cli("add", "Mora em Recife", "--attribute", "residence", "--value", "Recife", "--json").data
    cli("add", "Mora em Olinda", "--attribute", "residence", "--value", "Olinda")
    cli("validate", short(old))
    cli("save", "--said", "Gosto de remar no rio Capibaribe.", "--replied", "Que bom!")
    cli("--user", "bia", "add", "Vive em Oslo")
    return cli


def test_a_memory_goes_out_and_comes_back_in_another_file(told: Cli, tmp_path: Path, language: str) -> None:
    words = Words(language)
    out = told("export", "ana.json", "--lang", language)
    assert (out.code, out.err) == (0, "")
    document = json.loads((tmp_path / "ana.json").read_text())
    rows, size = sum(document["counts"].values()), (tmp_path / "ana.json").stat().st_size
    said = words("export.done", path="ana.json", count=words.count("row", rows), size=words.size(size))
    assert said in out.out
    assert stat.S_IMODE((tmp_path / "ana.json").stat().st_mode) == 0o600
    known = [("Recife", False), ("Olinda", True), ("remar no rio Capibaribe", True)]
    assert [(item["value"], item["is_current"]) for item in document["items"]] == known

    tried = told("--db", "new.db", "import", "ana.json", "--dry-run", "--lang", language)
    count = words.count("row", document_rows(document))
    assert words("take_in.would", count=count, path="ana.json") in tried.out
    assert not (tmp_path / "new.db").exists()

    came = told("--db", "new.db", "import", "ana.json", "--lang", language)
    assert (came.code, words("take_in.done", count=count, path="ana.json") in came.out) == (0, True)
    assert words("part.messages") in came.out
    again = told("--db", "new.db", "import", "ana.json", "--lang", language)
    assert words("take_in.nothing", path="ana.json") in again.out
    assert words("take_in.skipped") in again.out

    told("--db", "new.db", "export", "again.json")
    there = json.loads((tmp_path / "again.json").read_text())
    assert {**there, "exported_at": 0} == {**document, "exported_at": 0}
    assert told("--db", "new.db", "verify").code == 0
    assert "Mora em Olinda" in told("--db", "new.db", "search", "onde ela mora?").out


def document_rows(document: dict[str, dict[str, int]]) -> int:
    counts = document["counts"]
    return sum(number for part, number in counts.items() if part not in ("buffers", "work", "space_notes"))


def test_programs_are_told_what_was_written_and_what_came(told: Cli, tmp_path: Path) -> None:
    done = told("export", "ana.jsonl", "--json").data
    assert (done["path"], done["format"], done["people"], done["changed"]) == ("ana.jsonl", "jsonl", 1, False)
    assert done["bytes"] == (tmp_path / "ana.jsonl").stat().st_size
    assert (done["counts"]["items"], done["counts"]["messages"]) == (3, 2)
    came = told("--db", "new.db", "import", "ana.jsonl", "--json").data
    assert (came["added"]["items"], came["people"], came["conflicts"], came["dry_run"]) == (3, ["ana"], [], False)
    assert came["total"] == sum(came["added"].values())


def test_everybody_goes_out_and_one_comes_back(told: Cli, tmp_path: Path, language: str) -> None:
    words = Words(language)
    out = told("export", "all.jsonl", "--everybody", "--lang", language)
    assert words("export.people", count=words.count("person", 2)) in out.out
    assert told("--db", "new.db", "--user", "bia", "import", "all.jsonl", "--json").data["people"] == ["bia"]
    assert told("--db", "new.db", "--user", "bia", "list", "--json").data["items"][0]["content"] == "Vive em Oslo"
    assert told("--db", "new.db", "list", "--json").data["items"] == []
    nobody = told("--db", "new.db", "--user", "joe", "import", "all.jsonl")
    assert (nobody.code, "ana, bia" in nobody.err) == (2, True)


def test_an_export_is_kept_under_another_name(told: Cli) -> None:
    told("export", "ana.json")
    assert told("--user", "maria", "import", "ana.json", "--json").data["people"] == ["maria"]
    assert len(told("--user", "maria", "list", "--json").data["items"]) >= 1
    said = told("--user", "maria", "messages", "--json").out
    assert '"author": "maria"' in said
    assert '"author": "ana"' not in said


def test_the_format_follows_the_name_of_the_file(told: Cli, tmp_path: Path) -> None:
    told("learn")
    assert told("export", "ana.md", "--language", "pt").code == 0
    assert (tmp_path / "ana.md").read_text().startswith("# O que se lembra de ana\n")
    assert told("export", "ana.zip").code == 0
    with zipfile.ZipFile(tmp_path / "ana.zip") as archive:
        assert "index.md" in archive.namelist()
    assert told("export").code == 0
    assert json.loads((tmp_path / "relembra-ana.json").read_text())["user"] == "ana"
    assert told("export", "--format", "notes").code == 0
    assert (tmp_path / "relembra-ana.zip").exists()
    assert told("export", "--everybody").code == 0
    assert (tmp_path / "relembra-everybody.jsonl").exists()


def test_a_dash_is_standard_output_and_input(told: Cli, process: Cli) -> None:
    """As real processes, with a pipe between them."""
    db = ("--db", "m.db")
    for format in ("json", "jsonl"):
        out = process(*db, "export", "-", "--format", format)
        assert (out.code, out.err) == (0, "")
        came = process("--db", f"{format}.db", "import", "-", "--json", typed=out.out)
        assert came.data["added"]["items"] == 3
    assert process(*db, "export", "-", "--format", "markdown", "--language", "en").out.startswith(
        "# What is remembered"
    )
    assert told("export", "-", "--format", "notes").code == 2
    assert told("export", "-", "--json").code == 2


def test_a_file_that_exists_stays_unless_it_may_go(told: Cli, tmp_path: Path, language: str) -> None:
    (tmp_path / "ana.json").write_text("mine")
    refused = told("export", "ana.json", "--lang", language)
    assert (refused.code, Words(language)("error.conflict.export") in refused.err) == (4, True)
    assert (tmp_path / "ana.json").read_text() == "mine"
    assert told("export", "ana.json", "--overwrite").code == 0
    assert json.loads((tmp_path / "ana.json").read_text())["format"] == "relembra"


def test_what_cannot_be_written_or_read_is_told(told: Cli, tmp_path: Path, language: str) -> None:
    words = Words(language)
    nowhere = told("export", "no/where.json", "--lang", language)
    assert (nowhere.code, words("error.store.target", target="no/where.json") in nowhere.err) == (5, True)
    (tmp_path / "broken.json").write_text('{"format":"relembra"')
    (tmp_path / "other.txt").write_text("dear diary")
    (tmp_path / "wide.txt").write_text("dear diary", encoding="utf-16")
    (tmp_path / "later.json").write_text('{"format":"relembra","version":99}')
    troubles = {
        "missing.json": "error.field.file",
        "broken.json": "error.file.cut",
        "other.txt": "error.file.none",
        "wide.txt": "error.file.encoding",
        "later.json": "error.file.newer",
    }
    for name, sentence in troubles.items():
        refused = told("import", name, "--lang", language)
        assert (refused.code, words(sentence) in refused.err) == (2, True)
    for wrong in (("--format", "xml"), ("--format", "json", "--everybody")):
        refused = told("export", *wrong, "--lang", language)
        assert (refused.code, words("error.field.export.format") in refused.err) == (2, True)
    assert told("--db", "new.db", "import", "missing.json").code == 2
    assert not (tmp_path / "new.db").exists()
    assert told("export", "x.md", "--language", "fr").code == 2
    assert told("--db", "none.db", "export", "x.json").code == 5
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []


def test_an_older_programs_file_is_known_by_what_it_holds(cli: Cli, tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "old.db")
    db.execute("CREATE TABLE facts (id INTEGER, user_id TEXT, fact TEXT)")
    db.execute("INSERT INTO facts VALUES (1, 'alex', 'Likes RPGs')")
    db.commit()
    db.close()
    assert cli("import", "old.db", "--json").data["added"] == {"alex": 1}


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_leaves_no_file(tmp_path: Path) -> None:
    asyncio.run(many_items(tmp_path, 5_000))
    running = subprocess.Popen(
        [*RELEMBRA, "--db", "m.db", "export", "out.json"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    stopped_when(running, lambda: bool(list(tmp_path.glob(".*.part"))))
    running.send_signal(signal.SIGINT)
    running.send_signal(signal.SIGCONT)
    running.communicate(timeout=60)
    assert running.returncode == 130
    assert [path.name for path in tmp_path.iterdir() if "out.json" in path.name] == []


async def many_items(folder: Path, number: int) -> None:
    async with a_memory(await a_store("sqlite", folder)) as memory:
        await memory.add_many([Draft(content=f"Note {count}") for count in range(number)], user="ana")
