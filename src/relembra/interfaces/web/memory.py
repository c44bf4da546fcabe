"""What is known: searched, filtered, by areas of life or as one list; and adding to it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from typing import NamedTuple

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.audit import ConfidenceLevel
from relembra.domain.knowledge import ATTRIBUTES, ItemState, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import is_id
from relembra.domain.text import shortened
from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces.sentences import attribute
from relembra.interfaces.stories import is_here as is_story_here
from relembra.interfaces.web.visits import Visit, between, get, post, read_day, start_of
from relembra.interfaces.web.welcome import beginnings
from relembra.learn.drafts import DraftParts
from relembra.recall.query import NO_AREA, ItemWishes
from relembra.store.port import ItemOrder
from relembra.views.timeline import Counts

PAGE = FOUND = 50
FEW = 4
"""How many of an area the first page shows."""


class State(StrEnum):
    """Which items, by what became of them or was decided about them."""

    CURRENT = "current"
    UNCONFIRMED = "unconfirmed"
    CONFIRMED = "confirmed"
    QUESTIONED = "questioned"
    LOCAL = "local"
    PAST = "past"  # replaced, archived and expired ones as well
    DELETED = "deleted"  # only those


CHOICES: dict[str, type[StrEnum]] = {"type": KnowledgeType, "level": ConfidenceLevel, "source": Source, "state": State}
"""Filters that are one of a few words."""


PLACE = ("from_space", "from_channel")


class Asked:
    """The items a page is asked for; a part of the address that makes no sense counts as not given."""

    def __init__(self, visit: Visit) -> None:
        asked = visit.asked
        found: dict[str, str] = {name: visit.chosen(name, kind) or "" for name, kind in CHOICES.items()}
        found["state"] = "" if found["state"] == State.CURRENT else found["state"]
        found |= {name: asked(name) if _is_day(asked(name)) else "" for name in ("since", "until")}
        found |= {name: asked(name) for name in ("sub_area", "tag", "subject", "attribute", *PLACE)}
        found["note"] = asked("note") if is_id(asked("note")) else ""
        self.q = asked("q")[:1_000]
        self.area: str = NO_AREA if asked("area") == NO_AREA else visit.chosen("area", LifeArea) or ""  # empty: all
        self.filters = {name: part for name, part in found.items() if part}  # by their names in the address
        self.order = visit.chosen("order", ItemOrder) or ItemOrder.NEWEST
        self.is_listed = asked("view") == "list"  # and not by areas
        self.after = asked("after")

    @property
    def state(self) -> State:
        return State(self.filters.get("state", State.CURRENT))

    @property
    def is_plain(self) -> bool:
        """Whether everything is asked for."""
        return not self.q and not self.area and not self.filters

    @property
    def is_grouped(self) -> bool:
        """Whether the first page shows areas of life, each with its newest."""
        is_whole = not self.q and not self.area and not self.after and self.state is not State.DELETED
        return is_whole and self.order is ItemOrder.NEWEST and not self.is_listed

    def wishes(self, visit: Visit) -> ItemWishes:
        """The filters as verbs take them, but for the area, since areas are counted under all others."""
        given = self.filters.get
        least, below = bounds(given("level"), visit.settings.chosen_policy().confidence)
        since, until = between(read_day(given("since", "")), read_day(given("until", "")), visit.zone)
        return ItemWishes(
            type=given("type"),
            sub_area=given("sub_area"),
            source=given("source"),
            tags=(self.filters["tag"],) if "tag" in self.filters else (),
            subject=given("subject"),
            attribute=given("attribute"),
            confidence=least,
            below=below,
            since=since,
            until=until,
            note=given("note"),
            from_space=given("from_space"),
            from_channel=given("from_channel"),
            only=next((state for state in ItemState if state == str(self.state)), None),
            history=self.state is State.PAST,
        )


def _is_day(text: str) -> bool:
    try:
        return read_day(text) is not None
    except InvalidInputError:
        return False


def bounds(level: str | None, policy: ConfidencePolicy) -> tuple[float | None, float | None]:
    """The confidence an item of a level has at least, and the one it stays under."""
    levels: dict[str | None, tuple[float | None, float | None]] = {
        ConfidenceLevel.HIGH: (policy.high, None),
        ConfidenceLevel.MEDIUM: (policy.medium, policy.high),
        ConfidenceLevel.LOW: (policy.low, policy.medium),
        ConfidenceLevel.DOUBTFUL: (None, policy.low),
    }
    return levels.get(level, (None, None))


class Shown(NamedTuple):
    """What the page shows: groups, or one list and where its next page begins."""

    items: Sequence[KnowledgeItem] = ()
    groups: Sequence[tuple[LifeArea | None, int, Sequence[KnowledgeItem]]] = ()  # with their totals and newest items
    counts: Counts | None = None  # of all areas; None: a search has none
    next: str | None = None
    is_far: bool = False  # nothing answers well; these come nearest
    is_capped: bool = False  # there may be more that answer, and less well


@get("/")
async def memory(visit: Visit) -> Response:
    asked, words = Asked(visit), visit.words
    shown = await _shown(visit, asked)
    is_first = asked.is_plain and not asked.after
    is_empty = is_first and not shown.items and not shown.groups
    if is_empty:  # what is past or deleted counts, for it can come back
        is_empty = not await visit.memory.list(limit=1, history=True, deleted=True, **visit.whose)
    pills = {name: await _said(visit, name, part) for name, part in asked.filters.items()}
    area = words("page.no_area") if asked.area == NO_AREA else words.name("area", asked.area) if asked.area else ""
    total = len(shown.items)
    if shown.counts is not None:
        area_key = None if asked.area == NO_AREA else asked.area
        total = shown.counts.areas.get(area_key, 0) if asked.area else shown.counts.total
    return visit.page(
        "memory.html",
        narrowed=", ".join(part for part in (area[:1].upper() + area[1:], *pills.values()) if part),
        asked=asked,
        shown=shown,
        has_story=is_first and await is_story_here(visit.memory, visit.whose),
        total=total,
        pills=pills,
        more=visit.more(shown.next, PAGE, view="list"),
        cleared=visit.query_with(**dict.fromkeys((*asked.filters, "q", "area"))),
        STATES=State,
        ORDERS=ItemOrder,
        **(await beginnings(visit, is_empty=True) if is_empty else {"is_empty": False}),
    )


async def _shown(visit: Visit, asked: Asked) -> Shown:
    wishes = asked.wishes(visit)
    own = ItemWishes(**wishes)
    own["area"] = asked.area or None
    if asked.q:
        found, is_far = await _found(visit, asked.q, own)
        return Shown(found, is_far=is_far, is_capped=len(found) == FOUND)
    counts = await visit.memory.count(**visit.whose, **wishes)
    if asked.is_grouped:
        areas = [area for area in (*LifeArea, None) if counts.areas.get(area)]
        some = (ItemWishes(**wishes | ItemWishes(area=area or NO_AREA)) for area in areas)
        newest = await asyncio.gather(*(visit.memory.list(limit=FEW, **visit.whose, **own) for own in some))
        groups = [(area, counts.areas[area], items) for area, items in zip(areas, newest, strict=True)]
        return Shown(groups=groups, counts=counts)
    is_deleted_last = asked.order is ItemOrder.NEWEST and asked.state is State.DELETED
    order = ItemOrder.CHANGED if is_deleted_last else asked.order
    listing = await visit.memory.list(order=order, **visit.portion(PAGE), **visit.whose, **own)
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


async def _said(visit: Visit, name: str, part: str) -> str:
    """A filter in words."""
    words = visit.words
    match name:
        case "note":
            try:
                part = shortened((await visit.memory.note(part, **visit.whose)).title, 60)
            except NotFoundError:
                return words("page.memory.pill.note.gone")
        case "type" | "source":
            return words.name(name, part)
        case "level":
            return words("page.memory.pill.level", level=words.name("level", part))
        case "since" | "until":
            day = read_day(part)
            return words(f"page.memory.pill.{name}", day=visit.clock.day(day)) if day else part
        case "state":
            return words(f"page.memory.state.{part}")
        case "from_space" | "from_channel":
            return words(f"page.memory.pill.{name}", name=part)
        case "sub_area":
            return words.name("sub_area", part).replace("_", " ")
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


@get("/add", Right.WRITE)
async def add_form(visit: Visit) -> Response:
    """The form; with something typed also what is known already that is like it."""
    typed = {name: visit.field(name) for name in FIELDS}
    near: list[KnowledgeItem] = []
    if not visit.wrong:
        typed |= {"content": visit.asked("content")[:LONGEST], "area": visit.asked("area")}
        with suppress(InvalidInputError):
            if len(typed["content"]) >= SHORTEST:
                hits = await visit.memory.search(typed["content"], limit=NEAR, **visit.whose)
                near = [hit.item for hit in hits if hit.why.similarity >= NEAR_AT_LEAST]
    known = sorted(((name, attribute(visit.words, name)) for name in ATTRIBUTES), key=lambda pair: pair[1].casefold())
    return visit.page("add.html", typed=typed, attributes=known, near=near)


@post("/add", again=add_form)
async def add(visit: Visit) -> Response:
    field, day = visit.field, read_day(visit.field("held_from"), field="held_from")
    draft = DraftParts(
        type=field("type") or None,
        area=field("area") or None,
        subject=field("subject") or None,
        attribute=field("attribute") or None,
        value=field("value") or None,
        tags=[tag.strip() for tag in field("tags").split(",") if tag.strip()],
        held_from=None if day is None else start_of(day, visit.zone).astimezone(visit.zone),
        local_only=field("local") == "1",
    )
    item = await visit.memory.add(fit(field("content")), **draft, **visit.whose)
    return visit.to(f"/item/{item.id}", done="added" if item.observations == 1 else "known", undo=item.id)


def fit(content: str, longest: int = LONGEST_CONTENT) -> str:
    """What was typed, where it is no longer than one item takes."""
    if len(content.replace("\r\n", "\n")) > longest:
        said = f"content is longer than {longest} characters"
        raise InvalidInputError(said, field="content", kind="long", most=longest)
    return content
