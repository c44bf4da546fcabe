"""A person's profile in six sections, where every line can say which note it was learnt in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from relembra.domain.attributes import ATTRIBUTES, Section, about, is_known
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Note
from relembra.domain.policy import ConfidencePolicy
from relembra.recall.rendering import SECTION_TITLES, UNSURE, escaped, quoted, short_date, told, unbracketed
from relembra.views.calendar import day_of
from relembra.views.held import GOES_BY, Rank, by_importance, held, of_owner, without
from relembra.views.people import put_together

__all__ = ["SECTION_TITLES", "Line", "Profile", "profile", "rendered", "section_of"]

_BY_TYPE = {
    KnowledgeType.FACT: Section.BIO,
    KnowledgeType.PREFERENCE: Section.INTERESTS,
    KnowledgeType.PERSON: Section.RELATIONSHIPS,
}
_BY_AREA = {LifeArea.RELATIONSHIPS: Section.RELATIONSHIPS, LifeArea.LEISURE: Section.INTERESTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing known, where it was learnt, and how sure it is; `about`: what is known of the person it names."""

    text: str
    item_id: str
    note_id: str | None
    note_title: str | None  # None too when the note is gone
    date: datetime  # of the note, else since when it is held, on the clock of whoever said it
    confidence: float
    validated: bool
    needs_resolution: bool
    about: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Who a person is by their own words: six sections, the most important line of each first."""

    name: str
    language: str
    made_at: datetime
    bio: tuple[Line, ...] = ()
    interests: tuple[Line, ...] = ()
    skills: tuple[Line, ...] = ()
    opinions: tuple[Line, ...] = ()
    relationships: tuple[Line, ...] = ()
    other: tuple[Line, ...] = ()

    @property
    def sections(self) -> dict[Section, tuple[Line, ...]]:
        """All six in their order, also the empty ones."""
        return {section: getattr(self, section.value) for section in Section}

    @property
    def text(self) -> str:
        """The profile as a block of text for a prompt, in its own language."""
        return rendered(self)

    @property
    def is_empty(self) -> bool:
        return not any(self.sections.values())


def profile(
    items: Iterable[KnowledgeItem],
    notes: Iterable[Note],
    *,
    name: str,
    now: datetime,
    language: str,
    speaker: str | None = None,
) -> Profile:
    """The profile of the owner of these items: what they said of themselves, and of the people they are tied to.

    What others claimed, and what is deleted, superseded or over, is left out. `speaker`: a name the owner speaks under.
    """
    current = held(items, now, speaker=speaker)
    titles = {note.id: note for note in notes if note.deleted_at is None}
    lines: dict[Section, list[tuple[KnowledgeItem, Line]]] = defaultdict(list)
    told: list[KnowledgeItem] = []
    for person in put_together(current):
        if person.relation is None and not any(item.type is KnowledgeType.PERSON for item in person.items):
            continue  # somebody spoken of, who is nobody's of the owner
        first, *further = person.items
        told += person.items
        line = _line(first, titles, language, about=tuple(_line(item, titles, language) for item in further))
        lines[Section.RELATIONSHIPS].append((first, line))
    for item in without(of_owner(current), told):
        lines[section_of(item)].append((item, _line(item, titles, language)))
    ordered = {
        section.value: tuple(line for _, line in sorted(pairs, key=lambda pair: _first_of_all(pair[0])))
        for section, pairs in lines.items()
    }
    return Profile(name=name, language=language, made_at=now, **ordered)


def _first_of_all(item: KnowledgeItem) -> tuple[int, Rank]:
    """How to call the person comes before all else."""
    names = (*GOES_BY, "pronouns")
    return names.index(item.attribute) if item.attribute in names else len(names), by_importance(item)


def section_of(item: KnowledgeItem) -> Section:
    """Where an item belongs: by its attribute, else by its sub-area, its area and its type."""
    if item.attribute is not None and is_known(item.attribute):
        return about(item.attribute).section
    if item.sub_area in _BY_SUB_AREA:
        return _BY_SUB_AREA[item.sub_area]
    section = _BY_TYPE.get(item.type, Section.OTHER)
    if section is Section.BIO and item.area in _BY_AREA:
        return _BY_AREA[item.area]
    return section


def rendered(profile: Profile, language: str | None = None, *, sure_from: float = ConfidencePolicy().medium) -> str:
    """The profile as a block of text; every line quotes what is remembered and names its source. Empty: no text."""
    if profile.is_empty:
        return ""
    language = language or profile.language
    blocks = []
    for section, lines in profile.sections.items():
        if lines:
            inside = [row for line in lines for row in _rows(line, language, sure_from)]
            blocks.append("\n".join([f"{SECTION_TITLES[language][section]}:", *inside]))
    name = escaped(profile.name).replace('"', "&quot;")
    return f'<user name="{name}">\n' + "\n\n".join(blocks) + "\n</user>"


def _rows(line: Line, language: str, sure_from: float, indent: str = "") -> list[str]:
    source = short_date(line.date, language)
    if line.note_title is not None:
        source = f"{unbracketed(quoted(line.note_title))}, {source}"
    if line.confidence < sure_from or line.needs_resolution:
        source += f"; {UNSURE[language]}"
    further = [row for inner in line.about for row in _rows(inner, language, sure_from, indent + "  ")]
    return [f"{indent}- {quoted(line.text)} [{source}]", *further]


def _line(item: KnowledgeItem, notes: Mapping[str, Note], language: str, about: tuple[Line, ...] = ()) -> Line:
    note = None if item.note_id is None else notes.get(item.note_id)
    begun = min(item.held_from, item.created_at)  # something planned holds only later
    return Line(
        text=told(item, language),
        item_id=item.id,
        note_id=item.note_id,
        note_title=None if note is None else note.title,
        date=day_of(begun if note is None else note.happened_at, item.zone),
        confidence=item.confidence,
        validated=item.validated,
        needs_resolution=item.needs_resolution,
        about=about,
    )


def _sections_by_sub_area() -> dict[str | None, Section]:
    """The sub-areas whose attributes all lie in one section."""
    found: dict[str | None, set[Section]] = defaultdict(set)
    for attribute in ATTRIBUTES.values():
        if attribute.sub_area is not None:
            found[attribute.sub_area].add(attribute.section)
    return {name: section for name, (section, *others) in found.items() if not others}


_BY_SUB_AREA = _sections_by_sub_area()
