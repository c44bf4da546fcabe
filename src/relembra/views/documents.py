"""Documents for people: what is known of a person as Markdown, and their notes as a zip of Markdown files.

Remembered text stands in quotation marks on one line, and nothing in it can become a heading, a link or a picture.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import IO

from relembra.domain.audit import level
from relembra.domain.case import Case
from relembra.domain.knowledge import SELF, KnowledgeItem, LifeArea
from relembra.domain.message import Note
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.text import LONGEST_TEXT_BYTES
from relembra.locale import Words
from relembra.recall.rendering import short_date
from relembra.views.period_report import as_markdown, slug
from relembra.views.profile import Person
from relembra.views.timeline import area_name, bare, day_of, full_day, quoted, read_birthday
from relembra.views.timeline import day as day_in_words

INDEX = "index.md"
_ANY_LEAP_DAY = date(2024, 1, 1)
_MADE = (1980, 1, 1, 0, 0, 0)  # a zip knows nothing earlier, and a real moment would make each one another
_PRIVATE = 0o600 << 16


def life_of(
    name: str,
    items: Iterable[KnowledgeItem],
    people: Sequence[Person],
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
    lines = [f"# {words('title', name=bare(name))}", "", words("when", day=short_date(now, language)), ""]
    if not shown:
        lines += [words("nothing"), ""]
    parts: dict[str, list[str]] = {}
    for area in (*LifeArea, None):
        inside = [item for item in shown.values() if item.area is area]
        rows = [_current(item, words, confidence) for item in inside if item.is_current(now)]
        earlier = [_earlier(item, words) for item in inside if not item.is_current(now)]
        if earlier:
            rows += [*([""] if rows else []), f"### {words('before')}", "", *earlier]
        parts[area_name(area, language)] = rows
    parts[words("people")] = [_acquaintance(one) for one in people]
    parts[words("questions")] = [
        "- " + words("which", old=bare(shown[case.old_id].content), new=bare(shown[case.new_id].content))
        for case in cases
        if case.old_id in shown and case.new_id in shown
    ]
    for title, rows in parts.items():
        lines += [f"## {title}", "", *rows, ""] if rows else []
    return "\n".join(lines).rstrip("\n") + "\n"


def _acquaintance(one: Person) -> str:
    tie = f" ({bare(one.relation)})" if one.relation else ""
    facts = "; ".join(map(quoted, one.facts))
    return f"- **{bare(one.name)}**{tie}{': ' + facts if facts else ''}"


def _current(item: KnowledgeItem, words: Words, confidence: ConfidencePolicy) -> str:
    marks = [day_shown(item.held_from, item, words), words(f"level.{level(item.confidence, confidence)}")]
    if item.validated:
        marks.append(words("confirmed"))
    if item.expires_at is not None:
        marks.append(words("until", day=day_shown(item.expires_at, item, words)))
    return _line(item, marks, words)


def _earlier(item: KnowledgeItem, words: Words) -> str:
    end = item.held_until or item.superseded_at or item.expires_at
    marks = [day_shown(item.held_from, item, words)]
    if end is not None:
        marks = [words("from_to", start=marks[0], end=day_shown(end, item, words))]
    if item.archived_at is not None and item.superseded_at is None:
        marks.append(words("archived", day=day_shown(item.archived_at, item, words)))
    return _line(item, marks, words)


def _line(item: KnowledgeItem, marks: Sequence[str], words: Words) -> str:
    """One item with its marks, where it is from and who said it."""
    said_by = [] if item.speaker is None else [words("said_by", name=bare(item.speaker))]
    source = Words(words.language, "tools")(f"source.{item.source}")
    whom = "" if item.subject == SELF else f"**{bare(item.subject)}**: "
    return f"- {whom}{quoted(item.content, LONGEST_TEXT_BYTES)} — {' · '.join([*marks, source, *said_by])}"


def day_shown(moment: datetime, item: KnowledgeItem, words: Words) -> str:
    """1 mar 2026 in Portuguese, Mar 1, 2026 in English, on the item's clock; at the ends of the calendar by UTC."""
    try:
        return short_date(day_of(moment, item.zone), words.language)
    except OverflowError:
        return short_date(moment, words.language)


def birthday_told(name: str, day: str, language: str) -> str:
    """What is known of somebody an address book has the birthday of."""
    born = read_birthday(day)
    told = day
    if born is not None:
        told = day_in_words(born.next(_ANY_LEAP_DAY), language)
        told = told if born.year is None else full_day(date(born.year, born.month, born.day), language)
    return Words(language, "documents")("birthday", name=name, day=told)


def write_notes(file: IO[bytes], name: str, notes: Sequence[Note], *, language: str) -> None:
    """Write the zip with an index of the notes; what was said in a space is in a folder of its own."""
    words = Words(language, "documents")
    index, space, taken = [f"# {words('notes', name=bare(name))}", ""], None, set[str]()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for note in sorted(notes, key=lambda note: (note.place.space or "", note.happened_at, note.id)):
            if note.place.space != space:
                space = note.place.space
                index += ["", f"## {words('in_space', space=bare(space or ''))}", ""]
            folder = "" if space is None else f"spaces/{slug(space) or 'space'}/"
            [(named, text)] = as_markdown(note).items()
            path = folder + named
            if path in taken:
                path = f"{path.removesuffix('.md')}-{note.id}.md"
            taken.add(path)
            add_file(archive, path, text)
            index.append(f"- {short_date(note.happened_at, language)}: [{bare(note.title)}]({path})")
        add_file(archive, INDEX, ("\n".join(index) + "\n").encode())


def add_file(archive: zipfile.ZipFile, name: str, text: bytes) -> None:
    """Put a file into a zip; the same files make the same zip."""
    entry = zipfile.ZipInfo(name, _MADE)
    entry.external_attr = _PRIVATE
    entry.create_system = 3  # Unix, on any system, so that the bytes are the same
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, text)
