"""Days, months and stretches of time as addresses name them, and the moments they begin and end on a clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Days beyond these are read as slips of the hand."""
DAY = timedelta(days=1)


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


def start_of(day: date, zone: tzinfo) -> datetime:
    """The moment a day begins on a clock, in UTC."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def end_of(day: date, zone: tzinfo) -> datetime:
    """The moment the next day begins."""
    return start_of(day + DAY, zone)


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
        is_one = self.first is not None and self == Period.of_month(self.first)
        return self.first if is_one else None

    def since(self, zone: tzinfo) -> datetime | None:
        return None if self.first is None else start_of(self.first, zone)

    def until(self, zone: tzinfo) -> datetime | None:
        return None if self.last is None else end_of(self.last, zone)

    @property
    def query(self) -> dict[str, str | None]:
        """As an address names it."""
        return {
            name: None if day is None else day.isoformat() for name, day in (("from", self.first), ("to", self.last))
        }


def next_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


def last_month(day: date) -> date:
    return (day.replace(day=1) - DAY).replace(day=1)
