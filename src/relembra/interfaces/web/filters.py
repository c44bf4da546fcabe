"""What lists are asked for, read from the address of a page: days, filters of items, and how far a list is unrolled."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import TypedDict, TypeVar

from relembra.domain.confidence import ConfidenceLevel
from relembra.domain.ids import is_id
from relembra.domain.knowledge import ItemState, KnowledgeType, LifeArea, Source
from relembra.domain.policy import ConfidencePolicy
from relembra.errors import InvalidInputError
from relembra.interfaces.web.visits import Visit
from relembra.recall.query import NO_AREA, ItemWishes
from relembra.store.port import ItemOrder

LONGEST_QUERY = 1_000
FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Days beyond these are slips of the hand: whoever types a year passes through 2, 20 and 202."""
DAY = timedelta(days=1)

T = TypeVar("T")


# ── days ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_day(text: str, *, field: str = "day") -> date | None:
    """A day as a date field sends it; None where none was given."""
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidInputError(f"{text!r} is no day", field=field) from None
    if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise InvalidInputError(f"{text!r} is no day", field=field)
    return day


def day_of(text: str) -> date | None:
    """A day as a date field sends it; None for anything else."""
    with suppress(InvalidInputError):
        return read_day(text)
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
            raise InvalidInputError("the last day comes before the first", field="day")
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
    def query(self) -> dict[str, str]:
        """As an address names it."""
        return {"from": str(self.first or ""), "to": str(self.last or "")}


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
    is_listed: bool = False  # and not by areas
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
            area=visit.chosen("area", LifeArea),
            is_loose=asked("area") == NO_AREA,
            type=visit.chosen("type", KnowledgeType),
            level=visit.chosen("level", ConfidenceLevel),
            source=visit.chosen("source", Source),
            since=day_of(asked("since")),
            until=day_of(asked("until")),
            state=visit.chosen("state", State) or State.CURRENT,
            order=visit.chosen("order", ItemOrder) or ItemOrder.NEWEST,
            is_listed=asked("view") == "list",
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
        return is_whole and self.order is ItemOrder.NEWEST and not self.is_listed

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
            only=next((state for state in ItemState if state == str(self.state)), None),
            history=self.state is State.PAST,
        )


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


# ── pages of a list ───────────────────────────────────────────────────────────────────────────────────────────────

ROWS = "rows"
"""The part of an address that says how many rows are shown, counted from the beginning of the list."""
MOST_ROWS = 500


class Portion(TypedDict):
    """The part of a list a verb is asked for."""

    limit: int
    after: str | None


@dataclass(frozen=True, slots=True)
class More:
    """The address of the next page alone, and that of the list down to its end."""

    next: str
    whole: str


class Paging:
    """A list page by page: one that continues a list has `size` rows, the first as many as were unrolled."""

    def __init__(self, visit: Visit, size: int) -> None:
        self._visit, self._size = visit, size
        self._reach = max(size, _number(visit.asked(ROWS)))
        self.start = _number(visit.asked("from"))
        """How many rows come before this page of a list held whole."""

    @property
    def portion(self) -> Portion:
        after = self._visit.asked("after") or None
        return {"limit": self._limit(goes_on=after is not None), "after": after}

    def more(self, after: str | None, *, shown: str = "", **kept: str) -> More | None:
        """The way on from a listing; None at its end. `shown`: its last heading, `kept`: what stays in the address."""
        return None if after is None else self._more({"after": after, "shown": shown}, **kept)

    def sliced(self, rows: Sequence[T]) -> tuple[Sequence[T], More | None]:
        """The rows of a whole list that are shown, and the way on."""
        end = self.start + self._limit(goes_on=self.start > 0)
        return rows[self.start : end], self._more({"from": str(end)}) if len(rows) > end else None

    def _limit(self, *, goes_on: bool) -> int:
        return self._size if goes_on else min(MOST_ROWS, self._reach)

    def _more(self, onward: dict[str, str], **kept: str) -> More:
        reach = min(self._reach, MOST_ROWS) + self._size
        begun = dict.fromkeys(onward, "")
        return More(
            self._visit.query_with(**kept, **onward, rows=str(reach)),
            self._visit.query_with(**kept, **begun, rows=str(min(reach, MOST_ROWS))),
        )


def _number(word: str) -> int:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 7 else 0
