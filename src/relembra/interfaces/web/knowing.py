"""What is known: searched, filtered, by areas of life or as one list."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from relembra.domain.confidence import ConfidenceLevel
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.text import shortened
from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces.reasons import attribute
from relembra.interfaces.web import playing
from relembra.interfaces.web.cards import Card, cards
from relembra.interfaces.web.connecting import connection
from relembra.interfaces.web.filtering import Asked, State, View, changed, without
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.unrolling import more, unrolled
from relembra.interfaces.web.visits import Visit
from relembra.interfaces.web.welcoming import others
from relembra.recall.asked import NO_AREA, ItemWishes
from relembra.store.port import ItemOrder
from relembra.views.survey import Counts

pages = Pages()

PAGE = 50
FOUND = 50
FEW = 4
"""How many of an area the first page shows."""
LONGEST_TITLE = 60
"""Of a note whose items are listed."""


@dataclass(frozen=True, slots=True)
class Group:
    """An area of life with its newest items."""

    area: LifeArea | None
    total: int
    cards: Sequence[Card]


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page shows: groups, or one list and where its next page begins."""

    cards: Sequence[Card] = ()
    groups: Sequence[Group] = ()
    counts: Counts | None = None  # of all areas; None: a search has none
    next: str | None = None
    is_far: bool = False  # nothing answers well; these come nearest
    is_capped: bool = False  # there may be more that answer, and less well


@pages.get("/")
async def memory(visit: Visit) -> Response:
    asked = Asked.of(visit)
    shown = await _shown(visit, asked)
    is_empty = asked.is_plain and not asked.after and not shown.cards and not shown.groups and not await _any(visit)
    pills = await _pills(visit, asked)
    return visit.page(
        "memory.html",
        title=visit.words("page.memory.search.title" if asked.q else "page.memory"),
        named=_named(visit, asked, pills),
        can_write=visit.may("write"),
        asked=asked,
        shown=shown,
        is_empty=is_empty,
        connection=await connection(visit) if is_empty and visit.may("write") else None,
        others=await others(visit) if is_empty else (),
        has_story=asked.is_plain and not asked.after and await playing.is_here(visit.memory, visit.whose),
        total=_total(asked, shown),
        pills=pills,
        more=shown.next and more(visit, PAGE, {"after": shown.next}, view=View.LIST),
        to=lambda **parts: changed(visit, **parts),
        cleared=without(visit, *asked.filters, "q", "area"),
        words_of=lambda kind, words: [(word, visit.words.name(kind, word)) for word in words],
        KINDS=KnowledgeType,
        LEVELS=ConfidenceLevel,
        SOURCES=Source,
        STATES=State,
        ORDERS=ItemOrder,
    )


async def _shown(visit: Visit, asked: Asked) -> Shown:
    wishes = asked.wishes(visit.settings.chosen_policy().confidence, visit.zone)
    own = ItemWishes(**wishes)
    own["area"] = asked.chosen_area or None
    if asked.q:
        found, is_far = await _found(visit, asked.q, own)
        return Shown(cards(visit, found), is_far=is_far, is_capped=len(found) == FOUND)
    limit = PAGE if asked.is_grouped else unrolled(visit, PAGE, goes_on=bool(asked.after))
    listing, counts = await asyncio.gather(
        visit.memory.list(limit=limit, order=asked.listed_in, after=asked.after or None, **visit.whose, **own),
        visit.memory.count(**visit.whose, **wishes),
    )
    if asked.is_grouped:
        return Shown(groups=await _groups(visit, wishes, listing, counts), counts=counts)
    return Shown(cards(visit, listing), counts=counts, next=listing.next)


async def _found(visit: Visit, question: str, wishes: ItemWishes) -> tuple[list[KnowledgeItem], bool]:
    """What answers well enough to be recalled, best first; else the few that come nearest, and that they do not."""
    try:
        hits = await visit.memory.search(question, limit=FOUND, **visit.whose, **wishes)
    except InvalidInputError as error:
        if error.field == "query":  # nothing in it can be looked for
            return [], False
        raise
    least = visit.settings.chosen_policy().ranking.least_similarity
    good = [hit.item for hit in hits if hit.why.similarity >= least]
    return (good, False) if good else ([hit.item for hit in hits[:FEW]], bool(hits))


async def _groups(visit: Visit, wishes: ItemWishes, newest: Sequence[KnowledgeItem], counts: Counts) -> list[Group]:
    """Each area that has items with its newest: among the newest of all, else asked for."""
    areas = [area for area in (*LifeArea, None) if counts.areas.get(area)]
    few = {area: [item for item in newest if item.area == area][:FEW] for area in areas}
    lacking = [area for area in areas if len(few[area]) < min(FEW, counts.areas[area])]
    listings = await asyncio.gather(*(_newest_of(visit, wishes, area) for area in lacking))
    few |= dict(zip(lacking, listings, strict=True))
    return [Group(area, counts.areas[area], cards(visit, few[area])) for area in areas]


async def _newest_of(visit: Visit, wishes: ItemWishes, area: LifeArea | None) -> list[KnowledgeItem]:
    own = ItemWishes(**wishes)
    own["area"] = area or NO_AREA
    return await visit.memory.list(limit=FEW, **visit.whose, **own)


async def _any(visit: Visit) -> bool:
    """Whether anything was ever known: what is past or deleted counts, for it can come back."""
    return bool(await visit.memory.list(limit=1, history=True, deleted=True, **visit.whose))


def _total(asked: Asked, shown: Shown) -> int:
    """How many there are; of a search, how many are shown."""
    if shown.counts is None:
        return len(shown.cards)
    return shown.counts.areas.get(asked.area, 0) if asked.chosen_area else shown.counts.total


@dataclass(frozen=True, slots=True)
class Pill:
    """A filter in use, and the address of the list without it."""

    name: str
    text: str
    away: str


async def _pills(visit: Visit, asked: Asked) -> list[Pill]:
    said = {
        name: await _note(visit, asked.note) if name == "note" else _said(visit, asked, name) for name in asked.filters
    }
    return [Pill(name, text, without(visit, name)) for name, text in said.items()]


def _named(visit: Visit, asked: Asked, pills: Sequence[Pill]) -> tuple[str, ...]:
    """What is asked for, as the title of a tab says it: the words, the area and the filters."""
    area = visit.words.name("area", asked.area) if asked.area else visit.words("page.no_area") if asked.is_loose else ""
    narrowed = ", ".join(part for part in (area[:1].upper() + area[1:], *(pill.text for pill in pills)) if part)
    is_list = asked.view is View.LIST and not asked.q and not asked.chosen_area
    return asked.q, narrowed, visit.words("page.memory.as_list") if is_list else ""


async def _note(visit: Visit, id: str) -> str:
    """The note something was learnt in, as far as it is still there."""
    try:
        note = await visit.memory.note(id, **visit.whose)
    except NotFoundError:
        return visit.words("page.memory.pill.note.gone")
    return visit.words("page.memory.pill.note", name=shortened(note.title, LONGEST_TITLE))


def _said(visit: Visit, asked: Asked, name: str) -> str:
    """A filter in words."""
    words, part = visit.words, asked.filters[name]
    match name:
        case "type":
            return words.name("type", part)
        case "source":
            return words.name("source", part)
        case "level":
            return words("page.memory.pill.level", level=words.name("level", part))
        case "since" | "until":
            day = asked.since if name == "since" else asked.until
            return words(f"page.memory.pill.{name}", day=visit.clock.day(day)) if day else part
        case "state":
            return words(f"page.memory.state.{part}")
        case "attribute":
            return attribute(words, part)
        case "subject" if part == "self":
            return words("page.memory.pill.self")
        case "tag":
            return words("page.memory.pill.tag", name=words.name("tag", part))
    return words(f"page.memory.pill.{name}", name=part)
