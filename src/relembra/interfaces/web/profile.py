"""The profile: the summary of a person, its six sections with their sources, the people, and habits and patterns."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from typing import Any

from starlette.responses import Response

from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Section, Source
from relembra.errors import NotFoundError
from relembra.interfaces.sentences import trait
from relembra.interfaces.web.visits import Visit, get
from relembra.locale import Words
from relembra.recall.rendering import MEMORY_TITLES, SECTION_TITLES
from relembra.views import timeline as in_words
from relembra.views.memory import FACTS, LISTS, UserMemory
from relembra.views.profile import Line, Person

FIRST_LINES = 7
"""Lines a section shows beside the others; all of them stand on a page of its own."""
MOST_LINES, MOST_PEOPLE, MOST_TRAITS = 200, 100, 50
"""At most so many are shown; the memory lists and finds all."""
INSIGHTS_SHOWN = 20
"""The surest; the memory lists all of them."""
LEAP_YEAR = 2000
"""Has every day a birthday may fall on."""


@get("/profile")
async def profile(visit: Visit) -> Response:
    see, language = visit.asked("see"), visit.words.language
    if see == "people":
        people = await visit.memory.people(**visit.whose)
        shown = [acquaintance(person, language) for person in people[:MOST_PEOPLE]]
        return visit.page("profile_people.html", everybody=shown, total=len(people))
    if see == "habits":
        insights = await visit.memory.insights(**visit.whose)
        told = {item.id for item in insights}
        traits = [one for one in await visit.memory.cognitive(**visit.whose) if not told.issuperset(one.item_ids)]
        return visit.page(
            "profile_habits.html",
            traits=[(trait(visit.words, one.key), one) for one in traits[:MOST_TRAITS]],
            insights=insights[:INSIGHTS_SHOWN],
            insight_count=len(insights),
        )
    sections = (await visit.memory.profile(language=language, **visit.whose)).sections
    titles = SECTION_TITLES[language]
    if see in set(Section):
        lines = sections[Section(see)]
        told_of, section = await _told(visit, lines[:MOST_LINES]), titles[Section(see)]
        parts: dict[str, Any] = {"rows": lines[:MOST_LINES], "total": len(lines), "told": told_of, "origin": origin}
        return visit.page("profile_section.html", name=see, section=section, **parts)
    made = await visit.memory.me(**visit.whose)
    return visit.page(
        "profile.html",
        made=made,
        summary=summary_of(made, language, account=visit.user),
        sections=[(name, titles[name], lines[:FIRST_LINES], len(lines)) for name, lines in sections.items()],
        told=await _told(visit, [line for lines in sections.values() for line in lines[:FIRST_LINES]]),
        origin=origin,
    )


async def _told(visit: Visit, lines: Iterable[Line]) -> dict[str, KnowledgeItem | None]:
    """The items that lines tell, by id: who said them, how and where stands in no line. None: it is gone since."""

    async def found(id: str) -> KnowledgeItem | None:
        with suppress(NotFoundError):
            return await visit.memory.get(id, **visit.whose)
        return None

    ids = list(dict.fromkeys(each.item_id for line in lines for each in (line, *line.about)))
    return dict(zip(ids, await asyncio.gather(*map(found, ids)), strict=True))


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


def summary_of(made: UserMemory, language: str, *, account: str) -> list[tuple[str, str, tuple[str, ...], bool]]:
    """The parts of the summary that say something: name, title in the reader's language, lines, and if it is a list."""
    titles = MEMORY_TITLES[language]
    found: list[tuple[str, str, tuple[str, ...], bool]] = []
    if made.name not in ("", account):
        found.append(("name", titles["name"], (made.name,), False))
    for name in (*FACTS, *LISTS):
        held = getattr(made, name)
        lines = tuple(held) if name in LISTS else () if held is None else (str(held),)
        if lines:
            found.append((name, titles[name], lines, name in LISTS))
    return found


def acquaintance(person: Person, language: str) -> dict[str, Any]:
    """A person in the user's life, as the page shows them."""
    bare = {item.id for item in person.items if item.type is KnowledgeType.PERSON and item.attribute is None}
    tie = next((item for item in person.items if item.attribute == "relation" or item.id in bare), None)
    born = next((item for item in person.items if item.attribute == "birthday"), None)
    apart = {"relation", "birthday", "name"}
    spelt = {item.content for item in person.items}
    day, on = "", person.birthday
    if on is not None:  # written like all other days, with its year where it is known
        day = in_words.day(date(LEAP_YEAR, on.month, on.day), language)
        day = day if on.year is None else Words(language, "formats")("day.year", day=day, year=on.year)
    return {
        "person": person,
        "tie": tie,  # what says who they are
        "born": born or (tie if day else None),  # what says when they were born
        "birthday": day,  # as it is said; empty where it is not known
        "known": [item for item in person.items if item.attribute not in apart and item is not tie],
        "noted": [fact for fact in person.facts if fact not in spelt],  # what stands in no sentence of its own
    }
