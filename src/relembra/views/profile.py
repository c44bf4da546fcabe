"""A person's profile in six sections, where every line can say which note it was learnt in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from relembra.domain.attributes import ATTRIBUTES, FAVORITE, FORMER, Section, about, is_known
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Note
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.text import escaped, fold, quoted, shortened
from relembra.recall.rendering import SECTION_TITLES, UNSURE, short_date, told, unbracketed
from relembra.views.people import put_together
from relembra.views.timeline import GOES_BY, Rank, by_importance, day_of, held, of_owner, said, without

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

_HARD = (
    # Portuguese, without accents
    "ansi|aflit|angusti|apavor|assust|cansa|chatead|culpa|decepcion|deprim|depress|desamparad|desanim|desesper|"
    "desespero|desmotiv|dificuldade|esgotad|estress|exaust|frustr|furios|impotente|insegur|irrita|luto|magoa|medo|"
    "nervos|odeia|odio|panico|perdid|pessim|pression|preocup|raiva|receio|saturad|sobrecarreg|sofr|sozinh|solidao|"
    "tens|terror|trauma|trist|vergonha|"
    # English
    "afraid|alone|anger|angry|anx|asham|burned out|burnt out|depress|despair|devastat|disappoint|discourag|distress|"
    "dread|embarrass|exhaust|fear|frighten|frustrat|furious|grie|guilt|hate|heartbroken|helpless|homesick|hopeless|"
    "insecur|irritat|jealous|lonel|miserable|nervous|overwhelm|panic|pressur|resent|sad|scared|stress|struggl|suffer|"
    "tense|tired|unhappy|upset|worr|worthless"
)
_HARD_FEELING = re.compile(rf"\b(?:{_HARD})")
_NO_LONGER = re.compile(
    r"\b(?:nao|nunca|deixou de|parou de|sem|venceu|superou|perdeu o|not|never|no longer|stopped|without|overcame|"
    r"isn'?t|doesn'?t|don'?t)\b(?:\W+\w+){0,3}\W*$"
)
_DISMISSED = re.compile(
    r"\bdemi(?:tid|ss)|\bmandad[oa] embora|\bdispensad[oa]|\bdesempregad|\bperd(?:eu|i) o (?:emprego|trabalho)|"
    r"\bfired\b|\blaid off|\blayoff|\bdismiss|\blost (?:my|her|his|their|the) job|\bunemployed|\bmade redundant|"
    r"\blet go\b"
)
_WORK = frozenset({"event", "employment", "occupation", f"{FORMER}employment", f"{FORMER}occupation"})
_OPEN = frozenset({"condition", "debt"})


def is_hard_feeling(item: KnowledgeItem) -> bool:
    """Whether it is a feeling, and its words name a hard one that is not over."""
    if item.type is not KnowledgeType.EMOTION and item.attribute != "emotion":
        return False
    for text in (fold(item.content), fold(item.value or "")):
        if named := [found.start() for found in _HARD_FEELING.finditer(text)]:
            return any(not _NO_LONGER.search(re.split(r"[.;,!?]", text[:start])[-1]) for start in named)
    return False


def is_challenge(item: KnowledgeItem, now: datetime) -> bool:
    """Whether a held item weighs on the person now."""
    if item.attribute in _OPEN or is_hard_feeling(item):
        return True
    recent = timedelta() <= now - item.held_from <= DISMISSAL_LASTS
    tells_of_work = item.attribute in _WORK or item.type is KnowledgeType.MEMORY
    return recent and tells_of_work and _DISMISSED.search(fold(item.content)) is not None
