"""Notes as Markdown files in a zip: one file a note with its front matter, and an index; equal notes, equal bytes.

Front matter is YAML whose values are JSON strings, which every YAML reader reads as they are meant.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import IO

from relembra.domain.message import Note, NoteKind
from relembra.domain.text import fold
from relembra.transfer.markdown import day, one_line, safe

INDEX = "index.md"
LONGEST_NAME = 60

_MADE = (1980, 1, 1, 0, 0, 0)  # a zip knows nothing earlier, and a real moment would make each one another
_PRIVATE = 0o600 << 16
_WORDLESS = re.compile(r"[^a-z0-9]+")
_REPORTS = (NoteKind.APPOINTMENT, NoteKind.WEEKLY, NoteKind.MONTHLY)  # Markdown of ours, escaped where it was made
_TITLES = {"en": "Notes of {name}", "pt": "Notas de {name}"}
_IN_SPACE = {"en": "In {space}", "pt": "Em {space}"}


def write_notes(file: IO[bytes], name: str, notes: Sequence[Note], *, language: str) -> None:
    """Write the zip; what was said in a space is in a folder of its own."""
    ordered = sorted(notes, key=lambda note: (note.place.space or "", note.happened_at, note.id))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        names = _names(ordered)
        _add(archive, INDEX, _index(name, ordered, names, language))
        for note in ordered:
            _add(archive, names[note.id], text_of(note))


def _names(notes: Sequence[Note]) -> dict[str, str]:
    """Where each note lies, by its id."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for note in notes:
        name = file_name(note)
        names[note.id] = name if name not in taken else file_name(note, digits=len(note.id))
        taken.add(names[note.id])
    return names


def file_name(note: Note, *, digits: int = 8) -> str:
    """A name for every file system: the day, words of the title, and the end of the id, which tells notes apart."""
    words = _slug(note.title)
    name = "-".join(part for part in (_day(note.happened_at), words, note.id[-digits:]) if part)
    folder = "" if note.place.space is None else f"spaces/{_slug(note.place.space) or 'space'}/"
    return f"{folder}{name}.md"


def text_of(note: Note) -> str:
    """The note with its front matter."""
    front = {
        "title": one_line(note.title),
        "date": note.happened_at.isoformat(),
        "kind": note.kind.value,
        "participants": [one_line(person) for person in note.participants],
        "id": note.id,
    }
    if note.place.space is not None:
        front["space"] = one_line(note.place.space)
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items()]
    body = note.summary if note.kind in _REPORTS else "\n".join(safe(line) for line in note.summary.splitlines())
    return "\n".join(["---", *lines, "---", "", f"# {safe(note.title)}", "", body.strip(), ""])


def _index(name: str, notes: Sequence[Note], names: Mapping[str, str], language: str) -> str:
    lines = [f"# {_TITLES[language].format(name=safe(name))}", ""]
    space: str | None = None
    for note in notes:
        if note.place.space != space:
            space = note.place.space
            lines += ["", f"## {_IN_SPACE[language].format(space=safe(space or ''))}", ""]
        lines.append(f"- {day(note.happened_at, '+00:00', language)}: [{safe(note.title)}]({names[note.id]})")
    return "\n".join(lines) + "\n"


def _add(archive: zipfile.ZipFile, name: str, text: str) -> None:
    entry = zipfile.ZipInfo(name, _MADE)
    entry.external_attr = _PRIVATE
    entry.create_system = 3  # Unix, on any system, so that the bytes are the same
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, text.encode())


def _slug(text: str) -> str:
    return _WORDLESS.sub("-", fold(text)).strip("-")[:LONGEST_NAME].strip("-")


def _day(moment: datetime) -> str:
    return f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"
