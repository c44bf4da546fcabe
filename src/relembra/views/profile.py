"""A person's profile in six sections, where every line can say which note it was learnt in; and their people."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

from relembra.domain.knowledge import (
    ATTRIBUTES,
    FAVORITE,
    FORMER,
    SELF,
    KnowledgeItem,
    KnowledgeType,
    LifeArea,
    Section,
    about,
    is_known,
)
from relembra.domain.message import Note
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.text import escaped, fold, quoted, shortened
from relembra.recall.rendering import SECTION_TITLES, UNSURE, against, short_date, told, unbracketed
from relembra.views.timeline import (
    GOES_BY,
    Birthday,
    Rank,
    birthday_of,
    by_importance,
    day_of,
    held,
    of_owner,
    read_birthday,
    said,
    without,
)


class Closeness(IntEnum):
    """How near someone stands, the nearest first."""

    FAMILY = 1
    PARTNER = 2
    FRIENDS = 3
    PETS = 4
    WORK = 5
    OTHER = 6


@dataclass(frozen=True, slots=True)
class Tie:
    """One kind of tie; `single`: whoever knows one such person usually means that one."""

    key: str
    closeness: Closeness
    single: bool = True


_ENDED = re.compile(r"\b(ex|former|antig[oa]|falecid[oa]|late)\b")
_OWNED = re.compile(r"^(minhas?|meus?|my|our|noss[oa]s?|a|o|the)\s+")
_KIN_TITLES = frozenset(
    {"tia", "titia", "tio", "titio", "vó", "vô", "vo", "vovó", "vovô", "vovo", "prima", "primo"}
    | {"aunt", "auntie", "uncle", "grandma", "grandpa", "granny", "cousin"}
)
_NAMES_TOO = frozenset({"Nora", "Neto"})  # with a capital they are names


@cache
def _ties() -> dict[str, Tie]:
    """The tie each word is for; read on first use."""
    data = tomllib.loads(Path(__file__).with_name("ties.toml").read_text(encoding="utf-8"))
    return {
        word: Tie(key.rstrip("*"), Closeness[closeness.upper()], single=not key.endswith("*"))
        for closeness, ties in data.items()
        for key, words in ties.items()
        for word in words.split()
    }


def tie_of(relation: str) -> Tie | None:
    """The tie that words for one name ("irmã mais velha", "best friend", "mother in law"); None for others.

    Someone of the past ("ex-marido") is close no longer, and is no one else's mother or wife.
    """
    small = relation.casefold().replace(" in law", "-in-law").replace("-in-laws", "-in-law")
    for word in re.findall(r"\w+(?:-\w+)*", small):
        if tie := _tie_named(word):
            ended = _ENDED.search(fold(small)) is not None
            return Tie(f"ex {tie.key}", Closeness.OTHER, single=False) if ended else tie
        if tie := _tie_named(word.removeprefix("ex-")):
            return Tie(f"ex {tie.key}", Closeness.OTHER, single=False)
    return None


def bare_tie(subject: str) -> Tie | None:
    """The tie a subject consists of when no one said a name: "mãe", "minha mãe", "Dog"; None for a name."""
    if subject in _NAMES_TOO:
        return None
    return _tie_named(_OWNED.sub("", subject.casefold().strip()))


def words_for(tie: Tie) -> list[str]:
    """The words for one tie, in both languages."""
    return [word for word, other in _ties().items() if other == tie]


def tie_in_name(name: str) -> str | None:
    """The tie a name begins with: "tia" of "Tia Rosa"."""
    first, _, rest = name.casefold().partition(" ")
    return first if rest and first in _KIN_TITLES else None


def _tie_named(word: str) -> Tie | None:
    """By the word as written, for avó and avô differ by an accent only, and then without accents."""
    return _ties().get(word) or _ties().get(fold(word))


_OWN_FIELDS = frozenset({"name", "relation", "birthday"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Someone in the owner's life: their name (or the tie, while no one said one), and all that is held of them."""

    name: str
    relation: str | None  # as the owner says it: "irmã", "best friend"
    facts: tuple[str, ...]  # the most important first, without the tie and the birthday
    birthday: Birthday | None
    items: tuple[KnowledgeItem, ...]  # all it was put together from: ties first, then the most important

    @property
    def closeness(self) -> Closeness:
        tie = tie_of(self.relation or "")
        return Closeness.OTHER if tie is None else tie.closeness


def people(items: Iterable[KnowledgeItem], *, now: datetime, speaker: str | None = None) -> tuple[Person, ...]:
    """Everyone the owner spoke of, the closest first and then by name; what others claimed about them is left out.

    "Mãe" and "Maria" are one when something says that Maria is the mother, and there is only one.
    """
    return put_together(held(items, now, speaker=speaker))


def put_together(current: Iterable[KnowledgeItem]) -> tuple[Person, ...]:
    """The same from what is held and claimed by no one else, in the order of `held`."""
    groups: dict[str, list[KnowledgeItem]] = defaultdict(list)
    for item in current:
        if (name := _name(item)) is not None:
            groups[_key(name)].append(item)
    _join_aliases(groups)
    made = [_person(group) for group in groups.values()]
    return tuple(
        sorted(made, key=lambda person: (person.closeness, person.relation is None, fold(person.name), person.name))
    )


def _name(item: KnowledgeItem) -> str | None:
    """Whom an item is about, by the best name it gives; None when it is about the owner alone."""
    if item.subject != SELF and bare_tie(item.subject) is None:
        return item.subject
    named = item.person.get("name")
    if named and (item.type is KnowledgeType.PERSON or item.subject != SELF):
        return named
    return None if item.subject == SELF else item.subject


def _key(name: str) -> str:
    """What people are told apart by: the folded name, or the tie where there is no name."""
    tie = bare_tie(name)
    return f"tie:{tie.key}" if tie is not None else fold(name)


def _join_aliases(groups: dict[str, list[KnowledgeItem]]) -> None:
    """Give what was said of "the mother" to the one who is known by name to be her."""
    named: dict[str, list[str]] = defaultdict(list)
    for key, group in groups.items():
        if not key.startswith("tie:") and (tie := tie_of(_relation(group) or "")) is not None:
            named[tie.key].append(key)
    for key in [key for key in groups if key.startswith("tie:")]:
        group = groups[key]
        tie = bare_tie(group[0].subject)
        told = next((item.value for item in group if item.attribute == "name" and item.value), None)
        if told is not None and bare_tie(told) is None:
            groups[_key(told)].extend(groups.pop(key))
        elif tie is not None and tie.single and len(named[tie.key]) == 1:
            groups[named[tie.key][0]].extend(groups.pop(key))


def _relation(group: Sequence[KnowledgeItem]) -> str | None:
    """How the owner calls the tie: as stated, as a word stood for the name, or as the name begins."""
    for item in sorted(group, key=by_importance):
        if item.attribute == "relation" and item.value:
            return item.value
        if item.person.get("relation"):
            return item.person["relation"]
    for item in sorted(group, key=by_importance):
        if item.subject != SELF and bare_tie(item.subject) is not None:
            return item.subject
    return next((tie for item in group if (tie := tie_in_name(item.subject)) is not None), None)


def _person(group: Sequence[KnowledgeItem]) -> Person:
    ordered = sorted(group, key=lambda item: (not _is_tie(item), by_importance(item)))
    return Person(
        name=_called(ordered),
        relation=_relation(ordered),
        facts=_facts(ordered),
        birthday=next((day for item in ordered if (day := _birthday(item)) is not None), None),
        items=tuple(ordered),
    )


def _is_tie(item: KnowledgeItem) -> bool:
    return item.attribute == "relation" or (item.type is KnowledgeType.PERSON and item.attribute is None)


def _called(group: Sequence[KnowledgeItem]) -> str:
    """The name; a tie only while no item gives a name."""
    names = [name for item in group if (name := _name(item)) is not None]
    names += [item.value for item in group if item.attribute == "name" and item.value]
    return next((name for name in names if bare_tie(name) is None), names[0])


def _facts(group: Sequence[KnowledgeItem]) -> tuple[str, ...]:
    said = [told(item, item.language) for item in group if not _is_tie(item) and item.attribute not in _OWN_FIELDS]
    newer = [doubt for item in group if _is_tie(item) and (doubt := against(item, item.language))]
    noted = [
        f"{field}: {value}"
        for item in group
        for field, value in sorted(item.person.items())
        if field not in _OWN_FIELDS
    ]
    return tuple(dict.fromkeys([*newer, *said, *noted]))


def _birthday(item: KnowledgeItem) -> Birthday | None:
    noted = item.person.get("birthday")
    if noted and (day := read_birthday(noted, language=item.language)) is not None:
        return day
    return birthday_of(item) if item.attribute == "birthday" else None


_SURE_FROM = ConfidencePolicy().medium
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
            continue  # mentioned, but not one of the owner's people
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


def rendered(profile: Profile, language: str | None = None) -> str:
    """The profile as a block of text; every line quotes what is remembered and names its source. Empty: no text."""
    if profile.is_empty:
        return ""
    language = language or profile.language
    blocks = []
    for section, lines in profile.sections.items():
        if lines:
            inside = [row for line in lines for row in _rows(line, language)]
            blocks.append("\n".join([f"{SECTION_TITLES[language][section]}:", *inside]))
    name = escaped(profile.name).replace('"', "&quot;")
    return f'<user name="{name}">\n' + "\n\n".join(blocks) + "\n</user>"


def _rows(line: Line, language: str, indent: str = "") -> list[str]:
    source = short_date(line.date, language)
    if line.note_title is not None:
        source = f"{unbracketed(quoted(line.note_title))}, {source}"
    if line.confidence < _SURE_FROM or line.needs_resolution:
        source += f"; {UNSURE[language]}"
    further = [row for inner in line.about for row in _rows(inner, language, indent + "  ")]
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


LONGEST_KEY = 40

_ALONE = frozenset({"communication", "wake_time", "bedtime", "nickname"})
_BY_TOPIC = frozenset({"likes", "dislikes", "habit", "schedule", "emotion", "value", "opinion", "diet"})
_THINKING = {KnowledgeType.PREFERENCE: "preference", KnowledgeType.INSIGHT: "pattern", KnowledgeType.EMOTION: "emotion"}
_PATTERNS = frozenset({"habit", "schedule", "wake_time", "bedtime"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """Something that marks a person, under a key like `communication` or `likes.coffee`, and how well it is known."""

    key: str
    value: str
    confidence: float
    observations: int
    updated_at: datetime
    item_ids: tuple[str, ...]

    @property
    def strength(self) -> float:
        """How often it was seen, times how sure it is: what traits are sorted by."""
        return self.observations * self.confidence


def cognitive_profile(
    items: Iterable[KnowledgeItem], *, now: datetime, speaker: str | None = None
) -> tuple[Trait, ...]:
    """The traits of the owner of these items, the strongest first and each key once.

    Items of one key are one trait: their words are joined, their observations added, their confidence is the average
    an observation has.
    """
    grouped: dict[str, list[KnowledgeItem]] = defaultdict(list)
    for item in of_owner(held(items, now, speaker=speaker)):
        if (key := trait_key(item)) is not None:
            grouped[key].append(item)
    traits = [_trait(key, group) for key, group in grouped.items()]
    return tuple(sorted(traits, key=lambda trait: (-trait.strength, -trait.updated_at.timestamp(), trait.key)))


def trait_key(item: KnowledgeItem) -> str | None:
    """The key an item's trait has; None when it says nothing of how someone is."""
    attribute = item.attribute
    if attribute is not None:
        if attribute in _ALONE or attribute.startswith(FAVORITE):
            return attribute
        if attribute in _BY_TOPIC:
            return f"{attribute}.{_slug(said(item))}"
    if item.type in _THINKING:
        return f"{_THINKING[item.type]}.{_slug(item.value or item.title)}"
    return None


def is_pattern(item: KnowledgeItem) -> bool:
    """Whether it tells of something that recurs: an insight, a habit, an hour, or a feeling seen more than once."""
    recurs = item.type is KnowledgeType.EMOTION and item.observations > 1
    return item.type is KnowledgeType.INSIGHT or item.attribute in _PATTERNS or recurs


def _trait(key: str, group: Sequence[KnowledgeItem]) -> Trait:
    observations = sum(item.observations for item in group)
    sure = sum(item.confidence * item.observations for item in group) / max(observations, 1)
    return Trait(
        key=key,
        value="; ".join(dict.fromkeys(told(item, item.language) for item in group)),
        confidence=round(sure, 4),
        observations=observations,
        updated_at=max(item.reinforced_at or item.updated_at for item in group),
        item_ids=tuple(item.id for item in group),
    )


def _slug(text: str) -> str:
    words = re.findall(r"[^\W_]+", fold(shortened(text, LONGEST_KEY)))
    return "_".join(words) or "other"


DISMISSAL_LASTS = timedelta(days=90)
FEELING_LASTS = timedelta(weeks=6)  # by then nights have let it fade; what was imported may still wait for its first

_WORK = frozenset({"event", "employment", "occupation", f"{FORMER}employment", f"{FORMER}occupation"})
_OPEN = frozenset({"condition", "debt"})


@cache
def said_as(name: str) -> re.Pattern[str]:
    """A pattern of what people say, matched on folded text."""
    return re.compile("".join(wording()[name]))


@cache
def wording() -> dict[str, Any]:
    """The words of feelings and of losing a job, and common ones; read on first use."""
    return tomllib.loads(Path(__file__).with_name("feelings.toml").read_text(encoding="utf-8"))


def is_hard_feeling(item: KnowledgeItem) -> bool:
    """Whether it is a feeling, and its words name a hard one that is not over."""
    if item.type is not KnowledgeType.EMOTION and item.attribute != "emotion":
        return False
    for text in (fold(item.content), fold(item.value or "")):
        if named := [found.start() for found in said_as("hard_feeling").finditer(text)]:
            return any(not said_as("no_longer").search(re.split(r"[.;,!?]", text[:start])[-1]) for start in named)
    return False


def is_past_feeling(item: KnowledgeItem, now: datetime) -> bool:
    """Whether it is a feeling not said again for so long that the coming night lets it fade altogether."""
    return item.type is KnowledgeType.EMOTION and not item.validated and now - item.silent_since > FEELING_LASTS


def is_challenge(item: KnowledgeItem, now: datetime) -> bool:
    """Whether a held item weighs on the person now."""
    if item.attribute in _OPEN or is_hard_feeling(item):
        return True
    recent = timedelta() <= now - item.held_from <= DISMISSAL_LASTS
    tells_of_work = item.attribute in _WORK or item.type is KnowledgeType.MEMORY
    return recent and tells_of_work and said_as("dismissed").search(fold(item.content)) is not None
