"""What the list of items is asked for: search, filters, order and view, read from the address of the page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import TypeVar

from relembra.domain.confidence import ConfidenceLevel
from relembra.domain.ids import is_id
from relembra.domain.knowledge import ItemState, KnowledgeType, LifeArea, Source
from relembra.domain.policy import ConfidencePolicy
from relembra.interfaces.web.visits import Visit, query_with
from relembra.recall.asked import NO_AREA, ItemWishes
from relembra.store.port import ItemOrder

LONGEST_QUERY = 1_000
FIRST_YEAR = 1900
"""Whoever types a year passes through 2, 20 and 202, which nobody means."""

E = TypeVar("E", bound=StrEnum)


class State(StrEnum):
    """Which items by what became of them or was decided about them."""

    CURRENT = "current"
    UNCONFIRMED = "unconfirmed"
    CONFIRMED = "confirmed"
    QUESTIONED = "questioned"
    LOCAL = "local"
    PAST = "past"  # replaced, archived and expired ones as well
    DELETED = "deleted"  # only those


class View(StrEnum):
    AREAS = "areas"
    LIST = "list"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What somebody wants to see; whatever makes no sense in an address counts as not given."""

    q: str = ""
    area: LifeArea | None = None
    is_loose: bool = False  # only what is of no area
    type: KnowledgeType | None = None
    level: ConfidenceLevel | None = None
    source: Source | None = None
    since: date | None = None
    until: date | None = None  # that day included
    state: State = State.CURRENT
    order: ItemOrder = ItemOrder.NEWEST
    view: View = View.AREAS
    tag: str = ""
    subject: str = ""
    attribute: str = ""
    note: str = ""  # the id of the note it was learnt in
    after: str = ""

    @classmethod
    def of(cls, visit: Visit) -> Asked:
        return cls(
            q=visit.asked("q")[:LONGEST_QUERY],
            area=_one(LifeArea, visit.asked("area")),
            is_loose=visit.asked("area") == NO_AREA,
            type=_one(KnowledgeType, visit.asked("type")),
            level=_one(ConfidenceLevel, visit.asked("level")),
            source=_one(Source, visit.asked("source")),
            since=day_of(visit.asked("since")),
            until=day_of(visit.asked("until")),
            state=_one(State, visit.asked("state")) or State.CURRENT,
            order=_one(ItemOrder, visit.asked("order")) or ItemOrder.NEWEST,
            view=_one(View, visit.asked("view")) or View.AREAS,
            tag=visit.asked("tag"),
            subject=visit.asked("subject"),
            attribute=visit.asked("attribute"),
            note=visit.asked("note") if is_id(visit.asked("note")) else "",
            after=visit.asked("after"),
        )

    @property
    def chosen_area(self) -> str:
        """The area as an address calls it; empty for all."""
        return NO_AREA if self.is_loose else self.area or ""

    @property
    def filters(self) -> dict[str, str]:
        """What narrows the list, by its name in the address; the area is chosen beside these."""
        given = {
            "type": self.type,
            "level": self.level,
            "source": self.source,
            "since": self.since and self.since.isoformat(),
            "until": self.until and self.until.isoformat(),
            "state": self.state if self.state is not State.CURRENT else None,
            "tag": self.tag,
            "subject": self.subject,
            "attribute": self.attribute,
            "note": self.note,
        }
        return {name: str(part) for name, part in given.items() if part}

    @property
    def is_detailed(self) -> bool:
        """Whether the menu of filters says more than an address leads to."""
        return bool(self.filters.keys() & {"type", "level", "source", "since", "until"})

    @property
    def is_plain(self) -> bool:
        """Whether everything is asked for."""
        return not self.q and not self.chosen_area and not self.filters

    @property
    def is_grouped(self) -> bool:
        """Whether the first page shows areas of life, each with its newest."""
        is_whole = not self.q and not self.chosen_area and not self.after and self.state is not State.DELETED
        return is_whole and self.order is ItemOrder.NEWEST and self.view is View.AREAS

    @property
    def is_state_alone(self) -> bool:
        """Whether nothing narrows the list but what was decided about items."""
        return not self.q and not self.chosen_area and set(self.filters) == {"state"}

    @property
    def listed_in(self) -> ItemOrder:
        """The order of the list; the newest of those deleted are those deleted last."""
        is_newest = self.order is ItemOrder.NEWEST
        return ItemOrder.CHANGED if is_newest and self.state is State.DELETED else self.order

    def wishes(self, policy: ConfidencePolicy, zone: tzinfo) -> ItemWishes:
        """The filters as verbs take them, but for the area, since areas are counted under all others."""
        least, below = bounds(self.level, policy)
        return ItemWishes(
            type=self.type,
            source=self.source,
            tags=(self.tag,) if self.tag else (),
            subject=self.subject or None,
            attribute=self.attribute or None,
            confidence=least,
            below=below,
            since=None if self.since is None else start_of(self.since, zone),
            until=None if self.until is None else start_of(self.until + timedelta(days=1), zone),
            note=self.note or None,
            only=_one(ItemState, self.state.value),
            history=self.state is State.PAST,
        )


def _one(kind: type[E], word: str) -> E | None:
    return kind(word) if word in set(kind) else None


def day_of(word: str) -> date | None:
    """A day as a browser sends it; None for anything else."""
    try:
        day = date.fromisoformat(word)
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year < date.max.year else None


def start_of(day: date, zone: tzinfo) -> datetime:
    """The moment a day begins on a clock."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def bounds(level: ConfidenceLevel | None, policy: ConfidencePolicy) -> tuple[float | None, float | None]:
    """The confidence an item of a level has at least, and the one it stays under."""
    match level:
        case None:
            return None, None
        case ConfidenceLevel.HIGH:
            return policy.high, None
        case ConfidenceLevel.MEDIUM:
            return policy.medium, policy.high
        case ConfidenceLevel.LOW:
            return policy.low, policy.medium
        case ConfidenceLevel.DOUBTFUL:
            return None, policy.low


def without(visit: Visit, *names: str) -> str:
    """The address of this list without some of what narrows it, from its beginning."""
    return query_with(visit, {**dict.fromkeys(names), "after": None})


def changed(visit: Visit, **parts: str | None) -> str:
    """The address of this list with some of it changed, from its beginning; an empty part is taken out."""
    return query_with(visit, {"after": None, **{name: part or None for name, part in parts.items()}})
