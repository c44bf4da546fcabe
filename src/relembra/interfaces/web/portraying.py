"""The profile: the compact memory, the six sections with their sources, the people, and how somebody is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from starlette.responses import Response

from relembra.domain.attributes import Section
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.errors import NotFoundError
from relembra.interfaces.reasons import attribute
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.unrolling import More, more, unrolled
from relembra.interfaces.web.visits import Visit
from relembra.interfaces.words import Words
from relembra.recall.rendering import MEMORY_TITLES
from relembra.views.calendar import Birthday
from relembra.views.cognitive import Trait
from relembra.views.people import Person
from relembra.views.profile import SECTION_TITLES, Line, Profile
from relembra.views.reports import words as in_words
from relembra.views.ties import Closeness
from relembra.views.user_memory import FACTS, LISTS, UserMemory

WHO, PEOPLE, WAYS = TABS = ("who", "people", "ways")
FIRST_LINES = 7
"""Lines a section shows beside the others; all of them stand on a page of its own."""
LINES_A_PAGE = 50
PEOPLE_A_PAGE = 60
TRAITS_A_PAGE = 20
INSIGHTS_SHOWN = 20
"""The surest; the memory lists all of them."""
SOON_DAYS = 60
MOST_SOON = 4
LEAP_YEAR = 2000
"""Has every day a birthday may fall on."""
PARTS = {
    "pronouns": "id-card",
    "age": "cake",
    "location": "house",
    "occupation": "briefcase",
    "timezone": "clock",
    "communication_style": "message-circle",
    "family_context": "users",
    "current_goals": "target",
    "current_challenges": "flame",
    "top_of_mind": "brain",
    "values": "heart",
    "learnt_patterns": "sprout",
}
"""The icon of each part of the compact memory."""
SECTIONS = {
    Section.BIO: "id-card",
    Section.INTERESTS: "sparkles",
    Section.SKILLS: "wand-sparkles",
    Section.OPINIONS: "quote",
    Section.RELATIONSHIPS: "users",
    Section.OTHER: "layers",
}

T = TypeVar("T")

pages = Pages()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the compact memory: one thing, or a list of them."""

    name: str
    title: str
    icon: str
    lines: tuple[str, ...]

    @property
    def is_list(self) -> bool:
        return self.name in LISTS


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the profile, with the item it tells (None: it is gone since) and what stands under it."""

    line: Line
    item: KnowledgeItem | None
    about: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True)
class Shelf:
    """A section, as much of it as is shown."""

    name: Section
    title: str
    icon: str
    rows: tuple[Told, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Day:
    """A birthday, as it is said today."""

    text: str
    age: str
    in_days: int
    coming: str  # "turns 32 in 11 days", "tomorrow"


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """Somebody in the person's life."""

    person: Person
    tie: KnowledgeItem | None  # what says who they are
    born: KnowledgeItem | None  # what says when they were born
    day: Day | None
    known: tuple[KnowledgeItem, ...]  # the rest
    noted: tuple[str, ...]  # what stands in no sentence of its own

    @property
    def is_pet(self) -> bool:
        return self.person.closeness is Closeness.PETS


@pages.get("/profile")
async def profile(visit: Visit) -> Response:
    see = visit.asked("see")
    if see == PEOPLE:
        return await _people(visit)
    if see == WAYS:
        return await _ways(visit)
    if see in set(Section):
        return await _section(visit, Section(see))
    made = await visit.memory.me(**visit.whose)
    told = await visit.memory.profile(language=visit.words.language, **visit.whose)
    text = made.text
    return visit.page(
        "profile.html",
        title=visit.words("page.profile"),
        see=WHO,
        made=made,
        parts_of_it=parts_of(made, visit.words.language, account=visit.user),
        text=text,
        tokens=made.tokens,
        most=visit.settings.chosen_policy().context.user_memory_tokens,
        shelves=await _shelves(visit, told),
        origin=origin,
    )


async def _section(visit: Visit, section: Section) -> Response:
    told = await visit.memory.profile(language=visit.words.language, **visit.whose)
    lines = told.sections[section]
    rows, following = _page(visit, lines, LINES_A_PAGE)
    return visit.page(
        "profile_section.html",
        title=SECTION_TITLES[visit.words.language][section],
        see=WHO,
        shelf=_shelf(visit, section, len(lines), rows, await _items(visit, rows)),
        origin=origin,
        start=start_of(visit),
        more=following,
        first=f"/profile?see={section}",
    )


async def _people(visit: Visit) -> Response:
    everybody = await visit.memory.people(**visit.whose)
    today = visit.clock.here(visit.now).date()
    rows, following = _page(visit, everybody, PEOPLE_A_PAGE)
    return visit.page(
        "profile_people.html",
        title=visit.words("page.profile"),
        named=(visit.words("page.profile.see.people"),),
        see=PEOPLE,
        everybody=[acquaintance(visit.words, person, today) for person in rows],
        total=len(everybody),
        soon=[] if start_of(visit) else soon(visit.words, everybody, today),
        start=start_of(visit),
        more=following,
        first=f"/profile?see={PEOPLE}",
    )


async def _ways(visit: Visit) -> Response:
    insights = await visit.memory.insights(**visit.whose)
    traits = apart_from(insights, await visit.memory.cognitive(**visit.whose))
    rows, following = _page(visit, traits, TRAITS_A_PAGE)
    return visit.page(
        "profile_ways.html",
        title=visit.words("page.profile"),
        named=(visit.words("page.profile.see.ways"),),
        see=WAYS,
        seen=seen,
        traits=[(kind_of(visit.words, trait), trait) for trait in rows],
        insights=insights[:INSIGHTS_SHOWN],
        insight_count=len(insights),
        start=start_of(visit),
        more=following,
        first=f"/profile?see={WAYS}",
    )


# ── where lines are from ──────────────────────────────────────────────────────────────────────────────────────────────


async def _shelves(visit: Visit, told: Profile) -> list[Shelf]:
    first = {section: lines[:FIRST_LINES] for section, lines in told.sections.items()}
    items = await _items(visit, [line for lines in first.values() for line in lines])
    return [_shelf(visit, section, len(told.sections[section]), lines, items) for section, lines in first.items()]


async def _items(visit: Visit, lines: Iterable[Line]) -> dict[str, KnowledgeItem]:
    """The items lines tell, by id; who said them, how and where stands in no line."""

    async def found(id: str) -> KnowledgeItem | None:
        try:
            return await visit.memory.get(id, **visit.whose)
        except NotFoundError:
            return None

    ids = [each.item_id for line in lines for each in (line, *line.about)]
    rows = await asyncio.gather(*(found(id) for id in dict.fromkeys(ids)))
    return {item.id: item for item in rows if item is not None}


def _shelf(
    visit: Visit, section: Section, total: int, lines: Sequence[Line], items: Mapping[str, KnowledgeItem]
) -> Shelf:
    title = SECTION_TITLES[visit.words.language][section]
    return Shelf(section, title, SECTIONS[section], tuple(told(line, items) for line in lines), total)


def told(line: Line, items: Mapping[str, KnowledgeItem]) -> Told:
    return Told(line, items.get(line.item_id), tuple(told(inner, items) for inner in line.about))


def origin(words: Words, item: KnowledgeItem, user: str) -> str:
    """Who brought something in: the person, somebody they spoke with, the assistant by concluding."""
    match item.source:
        case Source.USER_INPUT:
            return words("page.profile.typed")
        case Source.AI_INFERENCE:
            return words("page.profile.inferred")
        case Source.IMPORT:
            return words("page.profile.imported")
    is_own = item.speaker is None or item.speaker == user
    return words("page.profile.said", who=words("page.profile.you") if is_own else item.speaker)


def start_of(visit: Visit) -> int:
    """How many rows come before this page."""
    asked = visit.asked("from")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 0


def cut(rows: Sequence[T], start: int, most: int) -> tuple[Sequence[T], int | None]:
    """The rows of a page, and where the next one starts."""
    end = start + most
    return rows[start:end], end if len(rows) > end else None


def _page(visit: Visit, rows: Sequence[T], page: int) -> tuple[Sequence[T], More | None]:
    """The rows to show, and the way on."""
    start = start_of(visit)
    shown, following = cut(rows, start, unrolled(visit, page, goes_on=start > 0))
    return shown, None if following is None else more(visit, page, {"from": str(following)})


# ── the parts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def parts_of(made: UserMemory, language: str, *, account: str) -> list[Part]:
    """The parts of a compact memory that say something, with their titles in the reader's language."""
    title = MEMORY_TITLES[language]["name"]
    found = [] if made.name in ("", account) else [Part("name", title, "user", (made.name,))]
    for name in (*FACTS, *LISTS):
        held = getattr(made, name)
        lines = tuple(held) if name in LISTS else () if held is None else (str(held),)
        if lines:
            found.append(Part(name, MEMORY_TITLES[language][name], PARTS[name], lines))
    return found


def kind_of(words: Words, trait: Trait) -> str:
    """A trait's key as people read it beside its words: `likes.coffee` is "likes"."""
    head = trait.key.partition(".")[0]
    return words("trait.pattern") if head == "pattern" else attribute(words, head)


def apart_from(insights: Iterable[KnowledgeItem], traits: Iterable[Trait]) -> list[Trait]:
    """The traits that are no insight told beside them."""
    told = {item.id for item in insights}
    return [trait for trait in traits if not told.issuperset(trait.item_ids)]


def seen(words: Words, times: int) -> str:
    return words(f"page.profile.traits.seen.{'one' if times == 1 else 'many'}", n=words.whole(times))


def acquaintance(words: Words, person: Person, today: date) -> Acquaintance:
    tie = next((item for item in person.items if _is_tie(item)), None)
    born = next((item for item in person.items if item.attribute == "birthday"), None)
    apart = {"relation", "birthday", "name"}
    known = tuple(item for item in person.items if item.attribute not in apart and item is not tie)
    spelt = {item.content for item in person.items}
    noted = tuple(fact for fact in person.facts if fact not in spelt)
    day = None if person.birthday is None else birthday(words, person.birthday, today)
    return Acquaintance(person, tie, born or (tie if day else None), day, known, noted)


def birthday(words: Words, born: Birthday, today: date) -> Day:
    """A birthday with the age it gives, and how long it is until it is kept again."""
    text = said_day(born, words.language)
    following, age = born.next(today), born.age(today)
    days = (following - today).days
    when = words(f"page.profile.birthday.{'today' if days == 0 else 'tomorrow' if days == 1 else 'in'}", n=days)
    if born.year is None or age is None:
        return Day(text, "", days, when)
    turning = words("page.profile.birthday.turns", n=following.year - born.year, when=when)
    return Day(text, words(f"page.profile.age.{'one' if age == 1 else 'many'}", n=age), days, turning)


def said_day(born: Birthday, language: str) -> str:
    """The day somebody was born, in the manner of all others, with its year as far as it is known."""
    said = in_words.day(date(LEAP_YEAR, born.month, born.day), language)
    if born.year is None:
        return said
    return f"{said} {born.year}" if language == "pt" else f"{said}, {born.year}"


def soon(words: Words, people: Iterable[Person], today: date) -> list[tuple[Person, Day]]:
    """Whose birthday comes next, the first first."""
    days = [(person, birthday(words, person.birthday, today)) for person in people if person.birthday is not None]
    near = sorted((pair for pair in days if pair[1].in_days <= SOON_DAYS), key=lambda pair: pair[1].in_days)
    return near[:MOST_SOON]


def _is_tie(item: KnowledgeItem) -> bool:
    return item.attribute == "relation" or (item.type is KnowledgeType.PERSON and item.attribute is None)
