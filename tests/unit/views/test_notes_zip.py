"""Notes as files in a zip: their names and the index. What is in a file: `unit/views/test_reports.py`."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from builders import a_note
from loops import each
from memories import Clock, a_memory, a_store
from readers import NotationReader
from relembra.domain.scope import Place
from relembra.views.documents import write_notes
from relembra.views.period_report import file_stem


def test_there_is_a_file_for_every_note_and_an_index() -> None:
    out, place = io.BytesIO(), Place("Guild #1", "general")
    first, again = a_note(title="A morning"), a_note(title="A morning?")
    shared = a_note(title="Reunião às 9h", place=place)
    write_notes(out, "ana", [shared, again, first], language="en")
    one, other = sorted((first, again), key=lambda note: note.id)
    names = ["2026-03-01-a-morning.md", f"2026-03-01-a-morning-{other.id}.md", "2026-03-01-reuniao-as-9h.md"]
    names[2] = f"spaces/guild-1/{names[2]}"
    with zipfile.ZipFile(out) as archive:
        assert archive.namelist() == [*names, "index.md"]
        assert archive.read("index.md").decode() == (
            f"# Notes of ana\n\n- Mar 1, 2026: [{one.title}]({names[0]})\n"
            f"- Mar 1, 2026: [{other.title}]({names[1]})\n\n"
            f"## In Guild #1\n\n- Mar 1, 2026: [Reunião às 9h]({names[2]})\n"
        )
        assert {info.external_attr >> 16 for info in archive.infolist()} == {0o600}


@each(["../../etc/passwd", "CON", "a/b\\c:d*e?", "", "…", "x" * 500, "日本語", ".hidden", "a\0b\nc", "~root"])
def test_a_name_is_safe_on_every_system(title: str) -> None:
    name = file_stem(a_note(title=title))
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert name.startswith("2026-03-01-")
    assert len(name) < 100


async def test_a_memory_gives_its_notes_and_those_of_its_spaces(tmp_path: Path) -> None:
    async with a_memory(await a_store("sqlite", tmp_path), clock=Clock(), reader=NotationReader()) as memory:
        await memory.save(user="ana", said="a private word")
        await memory.save(user="ana", said="hello all", space="guild")
        await memory.save(user="bia", said="secret of bia")
        await memory.settle(flush=True)
        done = await memory.export(tmp_path / "notes.zip", user="ana", format="notes", language="pt")
    with zipfile.ZipFile(tmp_path / "notes.zip") as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert done.counts == {"notes": 2}
    assert texts["index.md"].startswith("# Notas de ana\n")
    assert sum("a private word" in text for name, text in texts.items() if name != "index.md") == 1
    assert sum(name.startswith("spaces/guild/") for name in texts) == 1
    assert "secret of bia" not in "".join(texts.values())
