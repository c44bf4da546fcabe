"""What is known: searched, filtered, by areas of life or as one list; and adding to it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any, NamedTuple

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.attributes import ATTRIBUTES
from relembra.domain.knowledge import KnowledgeItem, LifeArea
from relembra.domain.text import shortened
from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces.reasons import attribute
from relembra.interfaces.web.background import Once
from relembra.interfaces.web.demo import is_here as is_story_here
from relembra.interfaces.web.filters import Asked, Paging, Portion, State, day_of, read_day, start_of
from relembra.interfaces.web.visits import Pages, Visit
from relembra.interfaces.web.welcome import connection, others
from relembra.learn.drafts import DraftParts
from relembra.recall.query import NO_AREA, ItemWishes
from relembra.store.port import ItemOrder
from relembra.views.survey import Counts

pages = Pages()

PAGE = FOUND = 50
FEW = 4
"""How many of an area the first page shows."""
LONGEST_TITLE = 60
"""Of a note whose items are listed."""


class Group(NamedTuple):
    """An area of life with its newest items."""

    area: LifeArea | None
    total: int
    items: Sequence[KnowledgeItem]


class Shown(NamedTuple):
    """What the page shows: groups, or one list and where its next page begins."""

    items: Sequence[KnowledgeItem] = ()
    groups: Sequence[Group] = ()
    counts: Counts | None = None  # of all areas; None: a search has none
    next: str | None = None
    is_far: bool = False  # nothing answers well; these come nearest
    is_capped: bool = False  # there may be more that answer, and less well


@pages.get("/")
async def memory(visit: Visit) -> Response:
    asked = Asked.of(visit)
    paging = Paging(visit, PAGE)
    shown = await _shown(visit, asked, paging)
    is_first = asked.is_plain and not asked.after
    is_empty = is_first and not shown.items and not shown.groups and not await _any(visit)
    pills = {name: await _said(visit, asked, name) for name in asked.filters}
    area = visit.words.name("area", asked.area) if asked.area else visit.words("page.no_area") if asked.is_loose else ""
    total = len(shown.items)
    if shown.counts is not None:
        total = shown.counts.areas.get(asked.area, 0) if asked.chosen_area else shown.counts.total
    return visit.page(
        "memory.html",
        narrowed=", ".join(part for part in (area[:1].upper() + area[1:], *pills.values()) if part),
        asked=asked,
        shown=shown,
        is_empty=is_empty,
        connection=await connection(visit) if is_empty and visit.may("write") else None,
        others=await others(visit) if is_empty else (),
        has_story=is_first and await is_story_here(visit.memory, visit.whose),
        total=total,
        pills=pills,
        more=paging.more(shown.next, view="list"),
        cleared=visit.query_with(**dict.fromkeys((*asked.filters, "q", "area"))),
        STATES=State,
        ORDERS=ItemOrder,
    )


async def _shown(visit: Visit, asked: Asked, paging: Paging) -> Shown:
    wishes = asked.wishes(visit.settings.chosen_policy().confidence, visit.zone)
    own = ItemWishes(**wishes)
    own["area"] = asked.chosen_area or None
    if asked.q:
        found, is_far = await _found(visit, asked.q, own)
        return Shown(found, is_far=is_far, is_capped=len(found) == FOUND)
    portion: Portion = {"limit": PAGE, "after": None} if asked.is_grouped else paging.portion
    listing, counts = await asyncio.gather(
        visit.memory.list(order=asked.listed_in, **portion, **visit.whose, **own),
        visit.memory.count(**visit.whose, **wishes),
    )
    if asked.is_grouped:
        return Shown(groups=await _groups(visit, wishes, listing, counts), counts=counts)
    return Shown(listing, counts=counts, next=listing.next)


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

    async def few(area: LifeArea | None) -> Sequence[KnowledgeItem]:
        found = [item for item in newest if item.area == area][:FEW]
        if len(found) >= min(FEW, counts.areas[area]):
            return found
        own = ItemWishes(**wishes)
        own["area"] = area or NO_AREA
        return await visit.memory.list(limit=FEW, **visit.whose, **own)

    areas = [area for area in (*LifeArea, None) if counts.areas.get(area)]
    listings = await asyncio.gather(*map(few, areas))
    return [Group(area, counts.areas[area], items) for area, items in zip(areas, listings, strict=True)]


async def _any(visit: Visit) -> bool:
    """Whether anything was ever known: what is past or deleted counts, for it can come back."""
    return bool(await visit.memory.list(limit=1, history=True, deleted=True, **visit.whose))


async def _said(visit: Visit, asked: Asked, name: str) -> str:
    """A filter in words."""
    words, part = visit.words, asked.filters[name]
    match name:
        case "note":
            try:
                title = (await visit.memory.note(part, **visit.whose)).title
            except NotFoundError:
                return words("page.memory.pill.note.gone")
            part = shortened(title, LONGEST_TITLE)
        case "type" | "source":
            return words.name(name, part)
        case "level":
            return words("page.memory.pill.level", level=words.name("level", part))
        case "since" | "until":
            day = day_of(part)
            return words(f"page.memory.pill.{name}", day=visit.clock.day(day)) if day else part
        case "state":
            return words(f"page.memory.state.{part}")
        case "attribute":
            return attribute(words, part)
        case "subject" if part == "self":
            return words("page.memory.pill.self")
        case "tag":
            part = words.name("tag", part)
    return words(f"page.memory.pill.{name}", name=part)


# ── adding ────────────────────────────────────────────────────────────────────────────────────────────────────────

NEAR = 3
NEAR_AT_LEAST = 0.45
"""How like what is known already something typed must be to be worth a look."""
SHORTEST, LONGEST = 8, 2_000
"""How much has to be typed before it is compared with what is known, and how much of it is."""
LONGEST_CONTENT = 20_000
"""How many letters one item takes by hand; more is a text that tells many things."""
FIELDS = ("content", "type", "area", "held_from", "subject", "attribute", "value", "tags", "local")


@pages.get("/add", Right.WRITE)
async def add_form(visit: Visit) -> Response:
    """The form; with something typed also what is known already that is like it."""
    typed = {**dict.fromkeys(FIELDS, ""), "content": visit.asked("content")[:LONGEST], "area": visit.asked("area")}
    return _form(visit, typed, near=await _near(visit, typed["content"]))


@pages.post("/add")
async def add(visit: Visit) -> Response:
    typed = {name: visit.field(name) for name in FIELDS}
    try:
        item = await _added(visit, typed)
    except InvalidInputError as error:
        wrong = "held_from" if error.field == "day" else error.field or ""
        said = visit.words("page.add.bad_day") if error.field == "day" else visit.sentence(error)
        return _form(visit, typed, wrong=wrong, trouble=said, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return visit.to(f"/item/{item.id}", done="added" if item.observations == 1 else "known", undo=item.id)


def fit(content: str, longest: int = LONGEST_CONTENT) -> str:
    """What was typed, where it is no longer than one item takes."""
    if len(content.replace("\r\n", "\n")) > longest:
        raise InvalidInputError(f"content is longer than {longest} characters", field="content")
    return content


def _draft(visit: Visit, typed: dict[str, str]) -> DraftParts:
    """What the verb takes beside the content."""
    day = read_day(typed["held_from"])
    return DraftParts(
        type=typed["type"] or None,
        area=typed["area"] or None,
        subject=typed["subject"] or None,
        attribute=typed["attribute"] or None,
        value=typed["value"] or None,
        tags=[tag.strip() for tag in typed["tags"].split(",") if tag.strip()],
        held_from=None if day is None else start_of(day, visit.zone).astimezone(visit.zone),
        local_only=typed["local"] == "1",
    )


async def _added(visit: Visit, typed: dict[str, str]) -> KnowledgeItem:
    """What was added: of a form pressed twice the first one's, unless that was taken back since."""
    key = visit.form_key(*typed.values())

    async def work() -> str:
        return (await visit.memory.add(fit(typed["content"]), **_draft(visit, typed), **visit.whose)).id

    once: Once = visit.request.app.state.once
    id = await once.done(key, work)
    with suppress(NotFoundError):
        item = await visit.memory.get(id, **visit.whose)
        if item.deleted_at is None:
            return item
    once.forget(key)
    return await visit.memory.get(await once.done(key, work), **visit.whose)


async def _near(visit: Visit, content: str) -> list[KnowledgeItem]:
    if len(content) < SHORTEST:
        return []
    try:
        hits = await visit.memory.search(content, limit=NEAR, **visit.whose)
    except InvalidInputError:
        return []
    return [hit.item for hit in hits if hit.why.similarity >= NEAR_AT_LEAST]


def _form(visit: Visit, typed: dict[str, str], *, status: int = HTTPStatus.OK, **parts: Any) -> Response:
    given = {"near": (), "wrong": "", "trouble": ""} | parts
    known = sorted(((name, attribute(visit.words, name)) for name in ATTRIBUTES), key=lambda pair: pair[1].casefold())
    return visit.page("add.html", status=status, typed=typed, attributes=known, **given)
