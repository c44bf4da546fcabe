"""Lists as the address of a page asks for them: of which days, and how far they are unrolled."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple, TypedDict

from relembra.errors import InvalidInputError
from relembra.interfaces.web.visits import Visit

FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Days beyond these are typing errors: a year being typed passes through 2, 20 and 202."""
DAY = timedelta(days=1)
MOST_ROWS = 500


def read_day(text: str, *, field: str = "day") -> date | None:
    """A day as a date field sends it; None where none was given."""
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidInputError(f"{text!r} is no day", field=field) from None
    if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise InvalidInputError(f"{text!r} is no day", field=field)
    return day


def start_of(day: date, zone: tzinfo) -> datetime:
    """The moment a day begins on a clock, in UTC."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


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

    def since(self, zone: tzinfo) -> datetime | None:
        return None if self.first is None else start_of(self.first, zone)

    def until(self, zone: tzinfo) -> datetime | None:
        return None if self.last is None else start_of(self.last + DAY, zone)


class Portion(TypedDict):
    """The part of a list a verb is asked for."""

    limit: int
    after: str | None


class More(NamedTuple):
    """The address of the next page alone, and that of the list down to its end."""

    next: str
    whole: str


class Paging:
    """A list page by page: one that continues a list has `size` rows, the first as many as were unrolled (`rows`)."""

    def __init__(self, visit: Visit, size: int) -> None:
        self._visit, self._size = visit, size
        self._reach = max(size, _number(visit.asked("rows")))

    @property
    def portion(self) -> Portion:
        after = self._visit.asked("after") or None
        return {"limit": self._size if after else min(MOST_ROWS, self._reach), "after": after}

    def more(self, after: str | None, *, shown: str = "", **kept: str) -> More | None:
        """The way on from a listing; None at its end. `shown`: its last heading, `kept`: what stays in the address."""
        if after is None:
            return None
        reach, query = min(self._reach, MOST_ROWS) + self._size, self._visit.query_with
        whole = query(**kept, rows=str(min(reach, MOST_ROWS)))
        return More(query(**kept, after=after, shown=shown, rows=str(reach)), whole)


def _number(word: str) -> int:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 7 else 0
