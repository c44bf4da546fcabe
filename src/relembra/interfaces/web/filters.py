"""What lists are asked for, read from the address of a page: days, filters of items, and how far a list is unrolled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import TypeVar

from relembra.domain.confidence import ConfidenceLevel
from relembra.domain.ids import is_id
from relembra.domain.knowledge import ItemState, KnowledgeType, LifeArea, Source
from relembra.domain.policy import ConfidencePolicy
from relembra.interfaces.web.visits import Visit, query_with
from relembra.recall.query import NO_AREA, ItemWishes
from relembra.store.port import ItemOrder

LONGEST_QUERY = 1_000
FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Days beyond these are slips of the hand: whoever types a year passes through 2, 20 and 202."""
DAY = timedelta(days=1)

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")


# ── days ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class NoDayError(ValueError):
    """What was typed is no day, or the last day comes before the first."""


def read_day(text: str) -> date | None:
    """A day as a date field sends it; None where none was given."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError as exc:
        raise NoDayError(text) from exc
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise NoDayError(text)
    return day


def day_of(text: str) -> date | None:
    """A day as a date field sends it; None for anything else."""
    try:
        return read_day(text)
    except NoDayError:
        return None


def start_of(day: date, zone: tzinfo) -> datetime:
    """The moment a day begins on a clock, in UTC."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def next_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


def last_month(day: date) -> date:
    return (day.replace(day=1) - DAY).replace(day=1)


@dataclass(frozen=True, slots=True)
class Period:
    """From the beginning of one day to the end of another; None: without a bound."""

    first: date | None = None
    last: date | None = None

    @classmethod
    def read(cls, first: str, last: str) -> Period:
        period = cls(read_day(first), read_day(last))
        if period.first and period.last and period.last < period.first:
            raise NoDayError(last)
        return period

    @classmethod
    def of_month(cls, day: date) -> Period:
        return cls(day.replace(day=1), next_month(day) - DAY)

    @classmethod
    def of_year(cls, day: date) -> Period:
        return cls(day.replace(month=1, day=1), day.replace(month=12, day=31))

    @property
    def month(self) -> date | None:
        """The first day of the month it is, where it is exactly one."""
        return self.first if self.first is not None and self == Period.of_month(self.first) else None

    def since(self, zone: tzinfo) -> datetime | None:
        return None if self.first is None else start_of(self.first, zone)

    def until(self, zone: tzinfo) -> datetime | None:
        return None if self.last is None else start_of(self.last + DAY, zone)

    @property
    def query(self) -> dict[str, str | None]:
        """As an address names it."""
        return {name: None if day is None else f"{day}" for name, day in (("from", self.first), ("to", self.last))}


# ── items ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class State(StrEnum):
    """Which items, by what became of them or was decided about them."""

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
    """The items somebody wants to see; a part of the address that makes no sense counts as not given."""

    q: str = ""
    area: LifeArea | None = None
    is_loose: bool = False  # only items of no area
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
        asked = visit.asked
        return cls(
            q=asked("q")[:LONGEST_QUERY],
            area=_one(LifeArea, asked("area")),
            is_loose=asked("area") == NO_AREA,
            type=_one(KnowledgeType, asked("type")),
            level=_one(ConfidenceLevel, asked("level")),
            source=_one(Source, asked("source")),
            since=day_of(asked("since")),
            until=day_of(asked("until")),
            state=_one(State, asked("state")) or State.CURRENT,
            order=_one(ItemOrder, asked("order")) or ItemOrder.NEWEST,
            view=_one(View, asked("view")) or View.AREAS,
            note=asked("note") if is_id(asked("note")) else "",
            **{name: asked(name) for name in ("tag", "subject", "attribute", "after")},
        )

    @property
    def chosen_area(self) -> str:
        """The area as an address calls it; empty for all."""
        return NO_AREA if self.is_loose else self.area or ""

    @property
    def filters(self) -> dict[str, str]:
        """What narrows the list, by its name in the address; the area is chosen beside these."""
        names = ("type", "level", "source", "since", "until", "state", "tag", "subject", "attribute", "note")
        given = {name: str(getattr(self, name) or "") for name in names}
        return {name: part for name, part in given.items() if part and (name, part) != ("state", State.CURRENT)}

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
        """Whether nothing narrows the list but the state of items."""
        return not self.q and not self.chosen_area and set(self.filters) == {"state"}

    @property
    def listed_in(self) -> ItemOrder:
        """The order of the list; the newest of those deleted are those deleted last."""
        is_newest = self.order is ItemOrder.NEWEST
        return ItemOrder.CHANGED if is_newest and self.state is State.DELETED else self.order

    def wishes(self, policy: ConfidencePolicy, zone: tzinfo) -> ItemWishes:
        """The filters as verbs take them, but for the area, since areas are counted under all others."""
        least, below = bounds(self.level, policy)
        period = Period(self.since, self.until)
        return ItemWishes(
            type=self.type,
            source=self.source,
            tags=(self.tag,) if self.tag else (),
            subject=self.subject or None,
            attribute=self.attribute or None,
            confidence=least,
            below=below,
            since=period.since(zone),
            until=period.until(zone),
            note=self.note or None,
            only=_one(ItemState, self.state.value),
            history=self.state is State.PAST,
        )


def _one(kind: type[E], word: str) -> E | None:
    return kind(word) if word in set(kind) else None


def bounds(level: ConfidenceLevel | None, policy: ConfidencePolicy) -> tuple[float | None, float | None]:
    """The confidence an item of a level has at least, and the one it stays under."""
    if level is None:
        return None, None
    return {
        ConfidenceLevel.HIGH: (policy.high, None),
        ConfidenceLevel.MEDIUM: (policy.medium, policy.high),
        ConfidenceLevel.LOW: (policy.low, policy.medium),
        ConfidenceLevel.DOUBTFUL: (None, policy.low),
    }[level]


def changed(visit: Visit, **parts: str | None) -> str:
    """The address of this list with some of it changed, from its beginning; an empty part is taken out."""
    return query_with(visit, {"after": None, **{name: part or None for name, part in parts.items()}})


# ── pages of a list ───────────────────────────────────────────────────────────────────────────────────────────────

ROWS = "rows"
"""The part of an address that says how many rows are shown, counted from the beginning of the list."""
MOST_ROWS = 500


@dataclass(frozen=True, slots=True)
class More:
    """The address of the next page alone, and that of the list down to its end."""

    next: str
    whole: str


def unrolled(visit: Visit, page: int, *, goes_on: bool) -> int:
    """How many rows to show: a page that continues a list has `page`, the first as many as were unrolled."""
    return page if goes_on else min(MOST_ROWS, _reach(visit, page))


def more(visit: Visit, page: int, onward: Mapping[str, str | None], **kept: str | None) -> More:
    """The way on; `onward` says where the next page begins, `kept` what the address of either has besides."""
    reach = min(_reach(visit, page), MOST_ROWS) + page
    return More(
        query_with(visit, {**kept, **onward, ROWS: str(reach)}),
        query_with(visit, {**kept, **dict.fromkeys(onward), ROWS: str(min(reach, MOST_ROWS))}),
    )


def following(visit: Visit, page: int, after: str | None, **kept: str | None) -> More | None:
    """The way on from a listing; None at its end."""
    return None if after is None else more(visit, page, {"after": after}, **kept)


def offset_of(visit: Visit) -> int:
    """How many rows come before this page of a list held whole."""
    return _number(visit.asked("from"))


def sliced(visit: Visit, rows: Sequence[T], page: int) -> tuple[Sequence[T], More | None]:
    """The rows of a whole list that are shown, and the way on."""
    start = offset_of(visit)
    end = start + unrolled(visit, page, goes_on=start > 0)
    return rows[start:end], more(visit, page, {"from": str(end)}) if len(rows) > end else None


def _reach(visit: Visit, page: int) -> int:
    return max(page, _number(visit.asked(ROWS)))


def _number(word: str) -> int:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 7 else 0
