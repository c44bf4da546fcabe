"""The profile: the summary of a person, its six sections with their sources, the people, and habits and patterns."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from starlette.responses import Response

from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Section, Source
from relembra.errors import NotFoundError
from relembra.interfaces.sentences import trait
from relembra.interfaces.web.visits import Visit, get
from relembra.locale import Words
from relembra.recall.rendering import MEMORY_TITLES, SECTION_TITLES
from relembra.views import timeline as in_words
from relembra.views.memory import FACTS, LISTS, UserMemory
from relembra.views.profile import Line, Person, Trait

FIRST_LINES = 7
"""Lines a section shows beside the others; all of them stand on a page of its own."""
MOST_LINES, MOST_PEOPLE, MOST_TRAITS = 200, 100, 50
"""At most so many are shown; the memory lists and finds all."""
INSIGHTS_SHOWN = 20
"""The surest; the memory lists all of them."""
LEAP_YEAR = 2000
"""Has every day a birthday may fall on."""


class Part(NamedTuple):
    """A part of the summary: one thing, or a list of them."""

    name: str
    title: str
    lines: tuple[str, ...]
    is_list: bool


class Told(NamedTuple):
    """A line of the profile, with the item it tells (None: it is gone since) and what stands under it."""

    line: Line
    item: KnowledgeItem | None
    about: tuple[Told, ...]


class Acquaintance(NamedTuple):
    """A person in the user's life."""

    person: Person
    tie: KnowledgeItem | None  # what says who they are
    born: KnowledgeItem | None  # what says when they were born
    birthday: str  # as it is said; empty where it is not known
    known: tuple[KnowledgeItem, ...]  # the rest
    noted: tuple[str, ...]  # what stands in no sentence of its own


@get("/profile")
async def profile(visit: Visit) -> Response:
    see = visit.asked("see")
    if see == "people":
        people = await visit.memory.people(**visit.whose)
        shown = [acquaintance(person, visit.words.language) for person in people[:MOST_PEOPLE]]
        return visit.page("profile_people.html", everybody=shown, total=len(people))
    if see == "habits":
        insights = await visit.memory.insights(**visit.whose)
        traits = apart_from(insights, await visit.memory.cognitive(**visit.whose))
        return visit.page(
            "profile_habits.html",
            traits=[(trait(visit.words, one.key), one) for one in traits[:MOST_TRAITS]],
            insights=insights[:INSIGHTS_SHOWN],
            insight_count=len(insights),
        )
    told = await visit.memory.profile(language=visit.words.language, **visit.whose)
    titles = SECTION_TITLES[visit.words.language]
    if see in set(Section):
        lines, section = told.sections[Section(see)], titles[Section(see)]
        rows = await _told(visit, lines[:MOST_LINES])
        return visit.page("profile_section.html", name=see, section=section, rows=rows, total=len(lines), origin=origin)
    made = await visit.memory.me(**visit.whose)
    sections = [
        (name, titles[name], await _told(visit, lines[:FIRST_LINES]), len(lines))
        for name, lines in told.sections.items()
    ]
    summary = parts_of(made, visit.words.language, account=visit.user)
    return visit.page("profile.html", made=made, summary=summary, sections=sections, origin=origin)


async def _told(visit: Visit, lines: Iterable[Line]) -> list[Told]:
    """Lines with the items they tell: who said them, how and where stands in no line."""
    shown = list(lines)

    async def found(id: str) -> KnowledgeItem | None:
        with suppress(NotFoundError):
            return await visit.memory.get(id, **visit.whose)
        return None

    ids = list(dict.fromkeys(each.item_id for line in shown for each in (line, *line.about)))
    items = dict(zip(ids, await asyncio.gather(*map(found, ids)), strict=True))
    return [told(line, items) for line in shown]


def told(line: Line, items: Mapping[str, KnowledgeItem | None]) -> Told:
    return Told(line, items.get(line.item_id), tuple(told(inner, items) for inner in line.about))


def origin(words: Words, item: KnowledgeItem, user: str) -> str:
    """Who brought something in: the user, a person they spoke with, or the assistant by concluding."""
    match item.source:
        case Source.USER_INPUT:
            return words("page.profile.typed")
        case Source.AI_INFERENCE:
            return words("page.profile.inferred")
        case Source.IMPORT:
            return words("page.profile.imported")
    is_own = item.speaker is None or item.speaker == user
    return words("page.profile.said", who=words("page.profile.you") if is_own else item.speaker)


def parts_of(made: UserMemory, language: str, *, account: str) -> list[Part]:
    """The parts of the summary that say something, with their titles in the reader's language."""
    title = MEMORY_TITLES[language]["name"]
    found = [] if made.name in ("", account) else [Part("name", title, (made.name,), False)]
    for name in (*FACTS, *LISTS):
        held = getattr(made, name)
        lines = tuple(held) if name in LISTS else () if held is None else (str(held),)
        if lines:
            found.append(Part(name, MEMORY_TITLES[language][name], lines, name in LISTS))
    return found


def apart_from(insights: Iterable[KnowledgeItem], traits: Iterable[Trait]) -> list[Trait]:
    """The traits that are no insight told beside them."""
    told = {item.id for item in insights}
    return [trait for trait in traits if not told.issuperset(trait.item_ids)]


def acquaintance(person: Person, language: str) -> Acquaintance:
    bare = {item.id for item in person.items if item.type is KnowledgeType.PERSON and item.attribute is None}
    tie = next((item for item in person.items if item.attribute == "relation" or item.id in bare), None)
    born = next((item for item in person.items if item.attribute == "birthday"), None)
    apart = {"relation", "birthday", "name"}
    known = tuple(item for item in person.items if item.attribute not in apart and item is not tie)
    spelt = {item.content for item in person.items}
    noted = tuple(fact for fact in person.facts if fact not in spelt)
    day, on = "", person.birthday
    if on is not None:  # written like all other days, with its year where it is known
        day = in_words.day(date(LEAP_YEAR, on.month, on.day), language)
        day = day if on.year is None else Words(language, "formats")("day.year", day=day, year=on.year)
    return Acquaintance(person, tie, born or (tie if day else None), day, known, noted)
