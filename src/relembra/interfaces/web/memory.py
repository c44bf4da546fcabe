"""What is known: searched, filtered, by areas of life or as one list; and adding to it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

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
from relembra.interfaces.web.visits import Paging, Period, Visit, get, post, read_day, start_of
from relembra.interfaces.web.welcome import connection, others
from relembra.learn.drafts import DraftParts
from relembra.recall.query import NO_AREA, ItemWishes
from relembra.store.port import ItemOrder
from relembra.views.timeline import Counts

PAGE = FOUND = 50
FEW = 4
"""How many of an area the first page shows."""
LONGEST_QUERY = 1_000
LONGEST_TITLE = 60
"""Of a note whose items are listed."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The items a page is asked for; a part of the address that makes no sense counts as not given."""

    q: str
    area: str  # `NO_AREA`: only items without one; empty: all
    filters: dict[str, str]  # what else narrows the list, by its name in the address
    order: ItemOrder
    is_listed: bool  # and not by areas
    after: str

    @classmethod
    def of(cls, visit: Visit) -> Asked:
        asked = visit.asked
        found: dict[str, str] = {name: visit.chosen(name, kind) or "" for name, kind in CHOICES.items()}
        found["state"] = "" if found["state"] == State.CURRENT else found["state"]
        found |= {name: asked(name) if _is_day(asked(name)) else "" for name in ("since", "until")}
        found |= {name: asked(name) for name in ("tag", "subject", "attribute")}
        found["note"] = asked("note") if is_id(asked("note")) else ""
        return cls(
            q=asked("q")[:LONGEST_QUERY],
            area=NO_AREA if asked("area") == NO_AREA else visit.chosen("area", LifeArea) or "",
            filters={name: part for name, part in found.items() if part},
            order=visit.chosen("order", ItemOrder) or ItemOrder.NEWEST,
            is_listed=asked("view") == "list",
            after=asked("after"),
        )

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

    @property
    def listed_in(self) -> ItemOrder:
        """The order of the list; the newest of those deleted are those deleted last."""
        is_newest = self.order is ItemOrder.NEWEST
        return ItemOrder.CHANGED if is_newest and self.state is State.DELETED else self.order

    def wishes(self, visit: Visit) -> ItemWishes:
        """The filters as verbs take them, but for the area, since areas are counted under all others."""
        given = self.filters.get
        least, below = bounds(given("level"), visit.settings.chosen_policy().confidence)
        period = Period(read_day(given("since", "")), read_day(given("until", "")))
        return ItemWishes(
            type=given("type"),
            source=given("source"),
            tags=(self.filters["tag"],) if "tag" in self.filters else (),
            subject=given("subject"),
            attribute=given("attribute"),
            confidence=least,
            below=below,
            since=period.since(visit.zone),
            until=period.until(visit.zone),
            note=given("note"),
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


@get("/")
async def memory(visit: Visit) -> Response:
    asked = Asked.of(visit)
    paging = Paging(visit, PAGE)
    shown = await _shown(visit, asked, paging)
    is_first = asked.is_plain and not asked.after
    is_empty = is_first and not shown.items and not shown.groups
    if is_empty:  # what is past or deleted counts, for it can come back
        is_empty = not await visit.memory.list(limit=1, history=True, deleted=True, **visit.whose)
    pills = {name: await _said(visit, name, part) for name, part in asked.filters.items()}
    area = "" if not asked.area else visit.words.name("area", asked.area)
    if asked.area == NO_AREA:
        area = visit.words("page.no_area")
    total = len(shown.items)
    if shown.counts is not None:
        area_key = None if asked.area == NO_AREA else asked.area
        total = shown.counts.areas.get(area_key, 0) if asked.area else shown.counts.total
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
        groups = [Group(area, counts.areas[area], items) for area, items in zip(areas, newest, strict=True)]
        return Shown(groups=groups, counts=counts)
    listing = await visit.memory.list(order=asked.listed_in, **paging.portion, **visit.whose, **own)
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
                part = shortened((await visit.memory.note(part, **visit.whose)).title, LONGEST_TITLE)
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
    typed = {**dict.fromkeys(FIELDS, ""), "content": visit.asked("content")[:LONGEST], "area": visit.asked("area")}
    return _form(visit, typed, near=await _near(visit, typed["content"]))


@post("/add")
async def add(visit: Visit) -> Response:
    typed = {name: visit.field(name) for name in FIELDS}

    async def work() -> KnowledgeItem:
        return await visit.memory.add(fit(typed["content"]), **_draft(visit, typed), **visit.whose)

    try:
        item = await visit.done_once(work, *typed.values())
    except InvalidInputError as error:
        wrong = "held_from" if error.field == "day" else error.field or "content"
        said = visit.words("page.add.bad_day") if error.field == "day" else visit.sentence(error)
        return _form(visit, typed, wrong=wrong, trouble=said)
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


async def _near(visit: Visit, content: str) -> list[KnowledgeItem]:
    if len(content) < SHORTEST:
        return []
    try:
        hits = await visit.memory.search(content, limit=NEAR, **visit.whose)
    except InvalidInputError:
        return []
    return [hit.item for hit in hits if hit.why.similarity >= NEAR_AT_LEAST]


def _form(visit: Visit, typed: dict[str, str], **parts: Any) -> Response:
    given = {"near": (), "wrong": "", "trouble": ""} | parts
    known = sorted(((name, attribute(visit.words, name)) for name in ATTRIBUTES), key=lambda pair: pair[1].casefold())
    return visit.page("add.html", typed=typed, attributes=known, **given)
