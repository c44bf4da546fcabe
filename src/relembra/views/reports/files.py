"""Notes as Markdown files with their pictures beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date

from relembra.domain.message import Note, NoteKind
from relembra.domain.text import fold
from relembra.views.calendar import day_of
from relembra.views.pictures import Picture
from relembra.views.reports.periods import is_of_period, period_of
from relembra.views.reports.words import bare

__all__ = ["as_markdown", "file_stem"]

LONGEST_SLUG = 60


def as_markdown(
    note: Note, language: str, pictures: Mapping[str, Picture] | None = None, *, zone: str = "+00:00"
) -> dict[str, bytes]:
    """Its files by name: 2026-W46.md, and each picture like 2026-W46-moods.svg, shown where the text ends.

    `zone`: the clock its day is told by; a report's own name needs none.
    """
    stem = file_stem(note, zone=zone)
    pictures = pictures or {}
    files = {f"{stem}-{name}.svg": picture.svg.encode() for name, picture in pictures.items()}
    shown = [f"![{bare(picture.title)}]({stem}-{name}.svg)" for name, picture in pictures.items()]
    head = {
        "title": note.title,
        "date": _day(note, zone).isoformat(),
        "kind": note.kind.value,
        "id": note.id,
        "language": language,
    }
    front = "\n".join(
        ["---", *(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()), "---"]
    )
    body = note.summary.strip() if is_markdown(note) else bare(note.summary)
    text = "\n\n".join([front, f"# {bare(note.title)}", body, *shown]) + "\n"
    return {f"{stem}.md": text.encode(), **files}


def is_markdown(note: Note) -> bool:
    """Whether its summary was written as Markdown by us; any other summary is text somebody may have said."""
    return is_of_period(note) or note.kind is NoteKind.APPOINTMENT


def file_stem(note: Note, *, zone: str = "+00:00") -> str:
    """What its files are called, without an ending: the period of a report, else the day and the title."""
    if is_of_period(note):
        return period_of(note, zone).name
    slug = re.sub(r"[^a-z0-9]+", "-", fold(note.title)).strip("-")[:LONGEST_SLUG].strip("-")
    return f"{_day(note, zone).isoformat()}-{slug or note.kind.value}"


def _day(note: Note, zone: str) -> date:
    if is_of_period(note):
        period = period_of(note, zone)
        return min(period.last, max(period.first, day_of(note.happened_at, zone).date()))
    return day_of(note.happened_at, zone).date()
