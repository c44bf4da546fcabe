"""A memory as a vault of linked Markdown files, as Obsidian and its like open it.

A file a person, an area of life, a note and a day of talk, with links between them. Names of files are made of plain
letters, digits and hyphens whatever somebody is called, so that they hold on every file system and name no place
outside; what anybody said stands in quotation marks, and nothing in it becomes a heading, a tag, a link or a property.
"""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import AsyncIterable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from itertools import groupby
from typing import IO

from relembra.domain.knowledge import SELF, KnowledgeItem, LifeArea
from relembra.domain.message import Message, Note
from relembra.domain.text import LONGEST_TEXT_BYTES, fold, shortened, visible_line
from relembra.locale import Words
from relembra.views.documents import add_file, day_shown
from relembra.views.period_report import front_matter, is_markdown, slug
from relembra.views.profile import Person
from relembra.views.timeline import area_name, bare, day_of, quoted

INDEX = "index"
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(10))})
_OBSIDIAN = str.maketrans({"#": r"\#", "%": r"\%", "=": r"\="})
_NOT_IN_LINKS = str.maketrans(dict.fromkeys("[]|#^\\<>`*_~$%=!", " "))
_LONGEST_SHOWN = 100


class Vault:
    """What is written, each with the file it has."""

    def __init__(
        self,
        name: str,
        items: Sequence[KnowledgeItem],  # without deleted ones
        people: Sequence[Person],
        notes: Sequence[Note],
        *,
        now: datetime,
        zone: str,
        language: str,
    ) -> None:
        self._name, self._now, self._zone, self._language = name, now, zone, language
        self._words = Words(language, "documents")
        self._taken: set[str] = set()
        self._items = {item.id: item for item in items}
        self._notes = {note.id: note for note in notes}
        self._areas: dict[LifeArea | None, list[KnowledgeItem]] = defaultdict(list)
        self._learnt: dict[str | None, list[KnowledgeItem]] = defaultdict(list)  # by note
        for item in items:
            self._areas[item.area].append(item)
            self._learnt[item.note_id].append(item)
        self._people = {person.name: person for person in people}
        self._of_person = {name: self._file("people", name, name) for name in self._people}
        self._known = {fold(name): name for name in self._people}
        self._of_note = {note.id: self._file("notes", note.id, self._dated(note)) for note in notes}

    async def write(self, file: IO[bytes], days: AsyncIterable[Sequence[Message]]) -> Mapping[str, int]:
        """Write the zip, and say how much is in it; `days`: the messages of a day each."""
        said, found = 0, list[str]()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, person in self._people.items():
                _add(archive, self._of_person[name], self._person(person))
            for area in (*LifeArea, None):
                if area in self._areas:
                    _add(archive, _area(area), self._area(area))
            for note in self._notes.values():
                _add(archive, self._of_note[note.id], self._note(note))
            async for messages in days:
                found.append(self._day(messages[0].sent_at))
                said += len(messages)
                _add(archive, f"days/{found[-1]}", self._talk(messages))
            _add(archive, INDEX, self._index(sorted(found, reverse=True)))
        counts = {"items": len(self._items), "people": len(self._people), "notes": len(self._notes)}
        return {**counts, "messages": said}

    def _file(self, folder: str, key: str, title: str) -> str:
        """A path without its ending that nothing else has: the title, as far as that can be written anywhere."""
        plain, digest = slug(title), blake2b(key.encode("utf-8", "replace"), digest_size=5).hexdigest()
        path = f"{folder}/{plain or digest}"
        if plain in _RESERVED or path in self._taken:
            path = f"{folder}/{plain}-{digest}"
        self._taken.add(path)
        return path

    # ── the files ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _index(self, days: Sequence[str]) -> Iterator[str]:
        words = self._words
        yield from front_matter({"title": self._name, "date": self._day(self._now)})
        yield f"# {words('title', name=_plain(self._name))}"
        areas = [area for area in (*LifeArea, None) if area in self._areas]
        parts = {
            words("areas"): [_link(_area(area), area_name(area, self._language)) for area in areas],
            words("people"): [self._whom(name) for name in self._people],
            words("all_notes"): [_link(self._of_note[note.id], self._dated(note)) for note in self._notes.values()],
            words("days"): [_link(f"days/{day}", day) for day in days],
        }
        for title, links in parts.items():
            if links:
                yield from ("", f"## {title}", "", *(f"- {link}" for link in links))

    def _person(self, person: Person) -> Iterator[str]:
        born = None if person.birthday is None else str(person.birthday)
        yield from front_matter({"title": person.name, "relation": person.relation, "birthday": born})
        yield from (f"# {_plain(person.name)}", "")
        yield from (self._line(item) for item in person.items)

    def _area(self, area: LifeArea | None) -> Iterator[str]:
        title = area_name(area, self._language)
        yield from (*front_matter({"title": title}), f"# {title}", "")
        earlier = []
        for item in self._areas[area]:
            line = f"{self._line(item)} ^{_anchor(item)}"
            if item.is_current(self._now):
                yield line
            else:
                earlier.append(line)
        if earlier:
            yield from ("", f"## {self._words('before')}", "", *earlier)

    def _note(self, note: Note) -> Iterator[str]:
        day = self._day(note.happened_at)
        names = {"participants": list(note.participants) or None, "space": note.place.space}
        yield from front_matter({"title": note.title, "date": day, "kind": note.kind.value, **names, "id": note.id})
        yield from (f"# {_plain(note.title)}", "")
        if is_markdown(note):
            yield note.summary.strip()
        else:
            yield from (_quoted(line) for line in note.summary.splitlines() if line.strip())
        links = [_link(f"days/{day}", day)] if note.message_ids else []
        links += [self._whom(name) for name in note.participants if fold(name) in self._known]
        links += [self._item(item) for item in self._learnt.get(note.id, ())]
        yield from ("", *(f"- {link}" for link in links))

    def _talk(self, messages: Sequence[Message]) -> Iterator[str]:
        day = self._day(messages[0].sent_at)
        yield from (*front_matter({"title": day, "date": day}), f"# {day}")
        for (space, _), said in groupby(messages, key=lambda one: (one.place.space, one.conversation)):
            for number, message in enumerate(said):
                at = f"{day_of(message.sent_at, self._zone):%H:%M}"
                if number == 0:
                    yield from ("", f"## {at}{'' if space is None else f' · {_plain(space)}'}", "")
                lines = [_quoted(line) for line in message.text.splitlines() if line.strip()]
                yield f"- {at} {self._whom(message.author_name)}: {' '.join(lines)}"

    # ── what is in them ───────────────────────────────────────────────────────────────────────────────────────────

    def _line(self, item: KnowledgeItem) -> str:
        """One item with its day, and links to whom it is about, what replaced it and where it was learnt."""
        words = self._words
        whom = "" if item.subject == SELF else f"{self._whom(item.subject)}: "
        marks = [day_shown(item.held_from, item, words)]
        if (end := item.held_until or item.superseded_at or item.expires_at) is not None:
            marks = [words("from_to", start=marks[0], end=day_shown(end, item, words))]
        if item.validated:
            marks.append(words("confirmed"))
        marks.append(Words(self._language, "tools")(f"source.{item.source}"))
        if item.speaker is not None:
            marks.append(words("said_by", name=self._whom(item.speaker)))
        if (later := self._items.get(item.superseded_by or "")) is not None:
            marks.append(f"→ {self._item(later)}")
        if (note := self._notes.get(item.note_id or "")) is not None:
            marks.append(_link(self._of_note[note.id], self._dated(note)))
        return f"- {whom}{_quoted(item.content)} — {' · '.join(marks)}"

    def _item(self, item: KnowledgeItem) -> str:
        return _link(f"{_area(item.area)}#^{_anchor(item)}", item.title)

    def _whom(self, name: str) -> str:
        known = self._known.get(fold(name))
        return f"**{_plain(name)}**" if known is None else _link(self._of_person[known], name)

    def _dated(self, note: Note) -> str:
        return f"{self._day(note.happened_at)} {note.title}"

    def _day(self, moment: datetime) -> str:
        return vault_day(moment, self._zone)


def vault_day(moment: datetime, zone: str) -> str:
    """The day a moment is of, as files are called by it."""
    try:
        return f"{day_of(moment, zone):%Y-%m-%d}"
    except OverflowError:  # at the ends of the calendar
        return f"{moment:%Y-%m-%d}"


def _add(archive: zipfile.ZipFile, path: str, lines: Iterable[str]) -> None:
    add_file(archive, f"{path}.md", ("\n".join(lines).rstrip("\n") + "\n").encode())


def _area(area: LifeArea | None) -> str:
    return f"areas/{slug(area or 'none')}"


def _anchor(item: KnowledgeItem) -> str:
    """What a line is linked by."""
    return f"i-{item.id}"


def _link(path: str, shown: str) -> str:
    text = visible_line(visible_line(shown).translate(_NOT_IN_LINKS))
    return f"[[{path}|{shortened(text, _LONGEST_SHOWN) or path}]]"


def _plain(text: str) -> str:
    return bare(text).translate(_OBSIDIAN)


def _quoted(text: str) -> str:
    return quoted(text, LONGEST_TEXT_BYTES).translate(_OBSIDIAN)
