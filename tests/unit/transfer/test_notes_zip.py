"""Notes as files in a zip: their names, their front matter, the index, and the same bytes every time."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from builders import a_note
from loops import each
from memories import Clock, a_memory, a_store
from readers import NotationReader
from relembra.domain.message import Note, NoteKind
from relembra.domain.scope import Place
from relembra.transfer.documents import file_name, text_of, write_notes


def zipped(*notes: Note, language: str = "en") -> bytes:
    out = io.BytesIO()
    write_notes(out, "ana", notes, language=language)
    return out.getvalue()


def test_there_is_a_file_for_every_note_and_an_index() -> None:
    first, second = a_note(title="A morning"), a_note(title="Reunião às 9h", place=Place("Guild #1", "general"))
    with zipfile.ZipFile(io.BytesIO(zipped(second, first))) as archive:
        assert archive.namelist() == ["index.md", file_name(first), file_name(second)]
        assert archive.read("index.md").decode() == (
            f"# Notes of ana\n\n- Mar 1, 2026: [A morning]({file_name(first)})\n\n"
            f"## In Guild \\#1\n\n- Mar 1, 2026: [Reunião às 9h]({file_name(second)})\n"
        )
        assert {info.external_attr >> 16 for info in archive.infolist()} == {0o600}
    assert file_name(first) == f"2026-03-01-a-morning-{first.id[-8:]}.md"
    assert file_name(second) == f"spaces/guild-1/2026-03-01-reuniao-as-9h-{second.id[-8:]}.md"


@each(["../../etc/passwd", "CON", "a/b\\c:d*e?", "", "…", "x" * 500, "日本語", ".hidden", "a\0b\nc", "~root"])
def test_a_name_is_safe_on_every_system(title: str) -> None:
    name = file_name(a_note(title=title))
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
    assert name.startswith("2026-03-01-")
    assert len(name) < 100


def test_front_matter_holds_what_the_note_is() -> None:
    note = a_note(title='A "quoted"\ntitle: ---', participants=("ana", "b: [c]"), kind=NoteKind.SESSION)
    head, _, body = text_of(note).removeprefix("---\n").partition("\n---\n")
    assert {key: json.loads(value) for key, _, value in (line.partition(": ") for line in head.splitlines())} == {
        "title": 'A "quoted" title: ---',
        "date": "2026-03-01T12:00:00+00:00",
        "kind": "session",
        "participants": ["ana", "b: [c]"],
        "id": note.id,
    }
    assert body.strip().endswith("Ana said good morning.")


def test_what_was_said_is_escaped_and_a_report_stays_markdown() -> None:
    said = text_of(a_note(summary="# not a heading\n<b>"))
    assert "\n\\# not a heading\n\\<b\\>\n" in said
    assert "\n## Week\n- all" in text_of(a_note(kind=NoteKind.WEEKLY, summary="## Week\n- all"))


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
