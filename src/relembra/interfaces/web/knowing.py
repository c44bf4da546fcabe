"""What is known: searched, filtered, by areas of life or as one list."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from starlette.responses import Response

from relembra.domain.confidence import ConfidenceLevel
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.errors import InvalidInputError
from relembra.interfaces.reasons import attribute
from relembra.interfaces.web import playing
from relembra.interfaces.web.cards import Card, cards
from relembra.interfaces.web.filtering import Asked, State, View, changed, without
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.visits import Visit, query_with
from relembra.recall.asked import ItemWishes
from relembra.store.port import ItemOrder
from relembra.views.survey import Counts

pages = Pages()

PAGE = 50
FOUND = 50
FEW = 4
"""How many of an area the first page shows."""
LOOKED_THROUGH = 250
MOST_LOOKS = 4
"""What no wish of a verb can say is picked out of so many at a time, and so often for one page."""


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


@pages.get("/")
async def memory(visit: Visit) -> Response:
    asked = Asked.of(visit)
    shown = await _shown(visit, asked)
    is_empty = asked.is_plain and not asked.after and not shown.cards and not shown.groups
    return visit.page(
        "memory.html",
        title=visit.words("page.memory"),
        can_write=visit.may("write"),
        asked=asked,
        shown=shown,
        is_empty=is_empty and not await _any(visit),
        has_story=asked.is_plain and not asked.after and await playing.is_here(visit.memory, visit.whose),
        total=_total(asked, shown),
        pills=_pills(visit, asked),
        more=shown.next and query_with(visit, {"after": shown.next, "view": View.LIST}),
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
    if asked.q:
        found, is_far = await _found(visit, asked, wishes)
        return Shown(cards(visit, found), is_far=is_far)
    if asked.state is State.DELETED:
        return await _picked(visit, asked, wishes, order=ItemOrder.CHANGED)
    if asked.is_loose:
        shown, counts = await asyncio.gather(
            _picked(visit, asked, wishes, order=asked.order), visit.memory.count(**visit.whose, **wishes)
        )
        return replace(shown, counts=counts)
    own = ItemWishes(**wishes)
    own["area"] = asked.area
    listing, counts = await asyncio.gather(
        visit.memory.list(limit=PAGE, order=asked.order, after=asked.after or None, **visit.whose, **own),
        visit.memory.count(**visit.whose, **wishes),
    )
    if asked.is_grouped:
        return Shown(groups=await _groups(visit, wishes, listing, counts), counts=counts)
    return Shown(cards(visit, listing), counts=counts, next=listing.next)


async def _found(visit: Visit, asked: Asked, wishes: ItemWishes) -> tuple[list[KnowledgeItem], bool]:
    """What answers well enough to be recalled, best first; else the few that come nearest, and that they do not."""
    wishes["area"] = asked.area
    try:
        hits = await visit.memory.search(asked.q, limit=FOUND, **visit.whose, **wishes)
    except InvalidInputError as error:
        if error.field == "query":  # nothing in it can be looked for
            return [], False
        raise
    hits = [hit for hit in hits if asked.keeps(hit.item)]
    least = visit.settings.chosen_policy().ranking.least_similarity
    good = [hit.item for hit in hits if hit.why.similarity >= least]
    return (good, False) if good else ([hit.item for hit in hits[:FEW]], bool(hits))


async def _groups(visit: Visit, wishes: ItemWishes, newest: Sequence[KnowledgeItem], counts: Counts) -> list[Group]:
    """Each area that has items with its newest: among the newest of all, else asked for."""
    areas = [area for area in (*LifeArea, None) if counts.areas.get(area)]
    few = {area: [item for item in newest if item.area == area][:FEW] for area in areas}
    lacking = [area for area in areas if area and len(few[area]) < min(FEW, counts.areas[area])]
    listings = await asyncio.gather(*(_newest_of(visit, wishes, area) for area in lacking))
    few |= dict(zip(lacking, listings, strict=True))
    return [Group(area, counts.areas[area], cards(visit, few[area])) for area in areas]


async def _newest_of(visit: Visit, wishes: ItemWishes, area: LifeArea) -> list[KnowledgeItem]:
    own = ItemWishes(**wishes)
    own["area"] = area
    return await visit.memory.list(limit=FEW, **visit.whose, **own)


async def _picked(visit: Visit, asked: Asked, wishes: ItemWishes, *, order: ItemOrder) -> Shown:
    """What is asked for, picked out of more; deleted ones are among the last changed."""
    own = ItemWishes(**wishes)
    own["area"] = asked.area
    items: list[KnowledgeItem] = []
    after = asked.after or None
    for _ in range(MOST_LOOKS):
        page = await visit.memory.list(limit=LOOKED_THROUGH, order=order, after=after, **visit.whose, **own)
        items += [item for item in page if asked.keeps(item)]
        after = page.next
        if after is None or len(items) >= PAGE:
            break
    return Shown(cards(visit, items), next=after)


async def _any(visit: Visit) -> bool:
    """Whether anything was ever known: what is past or deleted counts, for it can come back."""
    return bool(await visit.memory.list(limit=1, history=True, deleted=True, **visit.whose))


def _total(asked: Asked, shown: Shown) -> int | None:
    """How many there are; None where only what is shown could be counted."""
    if shown.counts is None:
        return len(shown.cards) if shown.next is None and not asked.after else None
    return shown.counts.areas.get(asked.area, 0) if asked.chosen_area else shown.counts.total


@dataclass(frozen=True, slots=True)
class Pill:
    """A filter in use, and the address of the list without it."""

    name: str
    text: str
    away: str


def _pills(visit: Visit, asked: Asked) -> list[Pill]:
    names: Iterable[str] = asked.filters
    return [Pill(name, _said(visit, asked, name), without(visit, name)) for name in names]


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
    return words(f"page.memory.pill.{name}", name=part)
