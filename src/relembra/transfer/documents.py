"""Documents for people: what is known of a person as Markdown, and their notes as a zip of Markdown files.

Remembered text is put on one line and every mark that means something in Markdown is escaped, so that nothing anybody
said can become a heading, a link or a picture.
"""

from __future__ import annotations

import json
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import IO

from relembra.domain.audit import level
from relembra.domain.case import Case
from relembra.domain.knowledge import SELF, KnowledgeItem, LifeArea
from relembra.domain.message import Note, NoteKind
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.text import fold
from relembra.domain.time import local
from relembra.locale import Words

INDEX = "index.md"
LONGEST_NAME = 60

_MARKS = re.compile(r"([\\`*_\[\]<>|~&$#])")
_OPENING = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_UNSEEN = ("Cc", "Cf", "Co", "Cs")
_MADE = (1980, 1, 1, 0, 0, 0)  # a zip knows nothing earlier, and a real moment would make each one another
_PRIVATE = 0o600 << 16
_WORDLESS = re.compile(r"[^a-z0-9]+")
_REPORTS = (NoteKind.APPOINTMENT, NoteKind.WEEKLY, NoteKind.MONTHLY)  # Markdown of ours, escaped where it was made


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A person in the user's life, with what is known of them."""

    name: str
    relation: str | None
    facts: tuple[str, ...]


def life_of(
    name: str,
    items: Iterable[KnowledgeItem],
    people: Sequence[Acquaintance],
    cases: Sequence[Case],
    *,
    now: datetime,
    language: str,
    confidence: ConfidencePolicy,
) -> str:
    """All that is known of a person, by area of life, without what was deleted.

    What was replaced, put away or has expired stands under "Before".
    """
    words = Words(language, "documents")
    shown = {item.id: item for item in items if item.deleted_at is None}
    lines = [f"# {words('title', name=safe(name))}", "", words("when", day=day(now, "+00:00", language)), ""]
    if not shown:
        lines += [words("nothing"), ""]
    for area in (*LifeArea, None):
        inside = [item for item in shown.values() if item.area is area]
        current = [_current(item, words, confidence) for item in inside if item.is_current(now)]
        earlier = [_earlier(item, words) for item in inside if not item.is_current(now)]
        if earlier:
            earlier = [*([""] if current else []), f"### {words('before')}", "", *earlier]
        lines += _section(words(f"area.{area or 'none'}"), [*current, *earlier])
    lines += _section(words("people"), [_acquaintance(one) for one in people])
    asked = [
        "- " + words("which", old=safe(shown[case.old_id].content), new=safe(shown[case.new_id].content))
        for case in cases
        if case.old_id in shown and case.new_id in shown
    ]
    lines += _section(words("questions"), asked)
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return [f"## {title}", "", *lines, ""] if lines else []


def _acquaintance(one: Acquaintance) -> str:
    tie = f" ({safe(one.relation)})" if one.relation else ""
    facts = "; ".join(safe(fact) for fact in one.facts)
    return f"- **{safe(one.name)}**{tie}{': ' + facts if facts else ''}"


def _current(item: KnowledgeItem, words: Words, confidence: ConfidencePolicy) -> str:
    marks = [day(item.held_from, item.zone, words.language), words(f"level.{level(item.confidence, confidence)}")]
    if item.validated:
        marks.append(words("confirmed"))
    if item.expires_at is not None:
        marks.append(words("until", day=day(item.expires_at, item.zone, words.language)))
    return _line(item, marks, words)


def _earlier(item: KnowledgeItem, words: Words) -> str:
    end = item.held_until or item.superseded_at or item.expires_at
    marks = [day(item.held_from, item.zone, words.language)]
    if end is not None:
        marks = [words("from_to", start=marks[0], end=day(end, item.zone, words.language))]
    if item.archived_at is not None and item.superseded_at is None:
        marks.append(words("archived", day=day(item.archived_at, item.zone, words.language)))
    return _line(item, marks, words)


def _line(item: KnowledgeItem, marks: Sequence[str], words: Words) -> str:
    """One item with its marks, where it is from and who said it."""
    said_by = [] if item.speaker is None else [words("said_by", name=safe(item.speaker))]
    whom = "" if item.subject == SELF else f"**{safe(item.subject)}**: "
    return f"- {whom}{safe(item.content)} — {' · '.join([*marks, words(f'source.{item.source}'), *said_by])}"


def day(moment: datetime, zone: str, language: str) -> str:
    """1 mar 2026 in Portuguese, Mar 1, 2026 in English, on that clock; at the ends of the calendar by UTC."""
    try:
        there = local(moment, zone)
    except (OverflowError, KeyError, ValueError, OSError):
        there = moment
    words = Words(language, "documents")
    return words("day", day=there.day, month=words(f"month.{there.month}"), year=there.year)


def safe(text: str) -> str:
    """Remembered text on one line, every mark escaped that would mean something in Markdown or HTML."""
    line = " ".join(one_line(text).split())
    escaped = _MARKS.sub(r"\\\1", line)
    if escaped[:1] in ("-", "+", "=", ":", "!"):
        escaped = "\\" + escaped
    return _OPENING.sub(r"\1\\\2", escaped)


def one_line(text: str) -> str:
    """The text without breaks, and without what cannot be seen."""
    kept = (
        " " if char.isspace() else char
        for char in text
        if char.isspace() or char == "\u200d" or unicodedata.category(char) not in _UNSEEN
    )
    return "".join(kept).strip()


# ── notes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


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
    day = note.happened_at.date().isoformat()
    name = "-".join(part for part in (day, _slug(note.title), note.id[-digits:]) if part)
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
    words = Words(language, "documents")
    lines = [f"# {words('notes', name=safe(name))}", ""]
    space: str | None = None
    for note in notes:
        if note.place.space != space:
            space = note.place.space
            lines += ["", f"## {words('in_space', space=safe(space or ''))}", ""]
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
