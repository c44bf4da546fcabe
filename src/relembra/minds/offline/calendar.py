"""Calendar arithmetic on wall-clock days: what a date in prose amounts to, and which of many periods is meant.

Weeks begin on Monday; a weekend is Saturday and Sunday. Nothing here knows a language.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from relembra.minds.languages import Language

Tense = Literal["past", "future"]


class Precision(StrEnum):
    """How exactly something was dated, finest first. A semester counts as quarters."""

    MINUTE = "minute"
    HOUR = "hour"
    PART_OF_DAY = "part_of_day"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"


class Kind(StrEnum):
    """A moment happens once; a duration says how long; a recurring mention holds its occurrence now or next."""

    MOMENT = "moment"
    DURATION = "duration"
    RECURRING = "recurring"


@dataclass(frozen=True, slots=True, kw_only=True)
class DateMention:
    """`text[start:end]` of a message names the interval from `begins` up to, not including, `ends`."""

    start: int
    end: int
    text: str
    begins: datetime
    ends: datetime
    precision: Precision
    kind: Kind = Kind.MOMENT
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """An interval on the speaker's wall clock, before it is given a timezone."""

    begins: datetime
    ends: datetime
    precision: Precision
    kind: Kind = Kind.MOMENT
    approximate: bool = False
    floating: bool = False  # the year (or week) was chosen, not said: another occurrence may be meant
    weekday: bool = False  # named only by its weekday
    zoned: bool = False  # begins and ends carry a timezone already


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A stretch of some day, counted from its midnight."""

    begins: timedelta
    ends: timedelta
    precision: Precision
    alone: bool = True  # False: too weak to date anything without a day beside it ("de manhã")
    loose: bool = False  # said without morning or afternoon: "at 8" may be 20:00
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """From where a mention is read: the speaker's clock, and the tense around it."""

    now: datetime  # wall clock, without timezone
    language: Language
    raw: str = ""  # the text with its capitals, index for index
    tense: Tense | None = None
    nearest: bool = False  # a further occurrence may begin today: used when the other end of a range is known

    @property
    def today(self) -> datetime:
        return self.now.replace(hour=0, minute=0, second=0, microsecond=0)

    @property
    def past(self) -> bool:
        return self.tense == "past"


DAY = timedelta(days=1)
WEEK = timedelta(days=7)

MONTHS_OF = {"month": 1, "quarter": 3, "semester": 6, "year": 12, "decade": 120}
_LENGTHS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": DAY,
    "week": WEEK,
    "weekend": WEEK,
    "fortnight": 2 * WEEK,
}
PRECISIONS = {
    "minute": Precision.MINUTE,
    "hour": Precision.HOUR,
    "day": Precision.DAY,
    "week": Precision.WEEK,
    "fortnight": Precision.WEEK,
    "weekend": Precision.WEEKEND,
    "month": Precision.MONTH,
    "quarter": Precision.QUARTER,
    "semester": Precision.QUARTER,
    "year": Precision.YEAR,
    "decade": Precision.DECADE,
}


def day(date: datetime) -> Reading:
    begins = midnight(date)
    return Reading(begins, begins + DAY, Precision.DAY)


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def plus_months(moment: datetime, months: int) -> datetime:
    """The same day so many months on, or the month's last one where it is shorter."""
    index = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(index, 12)
    for last in (moment.day, 30, 29, 28):
        try:
            return moment.replace(year=year, month=month + 1, day=min(moment.day, last))
        except ValueError:
            if not 1 <= year <= 9999:
                raise
    raise ValueError(f"no such month: {year}-{month + 1}")


def shifted(moment: datetime, unit: str, count: int) -> datetime:
    """The moment moved by whole units; `OverflowError` or `ValueError` outside the years 1 to 9999."""
    if unit in _LENGTHS:
        return moment + count * _LENGTHS[unit]
    return plus_months(moment, count * MONTHS_OF[unit])


def period(unit: str, moment: datetime) -> Reading:
    """The calendar's period of this unit that holds the moment."""
    start = midnight(moment)
    if unit == "minute":
        start = moment.replace(second=0, microsecond=0)
    elif unit == "hour":
        start = moment.replace(minute=0, second=0, microsecond=0)
    elif unit in {"week", "fortnight"}:
        start -= start.weekday() * DAY
        unit = "week"
    elif unit == "weekend":
        start += (5 - start.weekday()) * DAY
        return Reading(start, start + 2 * DAY, Precision.WEEKEND)
    elif unit in MONTHS_OF:
        months = MONTHS_OF[unit]
        first = (start.year * 12 + start.month - 1) // months * months if months < 120 else start.year // 10 * 120
        start = start.replace(year=first // 12, month=first % 12 + 1, day=1)
    return Reading(start, shifted(start, unit, 1), PRECISIONS[unit])


def within(date: datetime, time: TimeOfDay, like: Reading | None = None) -> Reading:
    """That time on that day, of the same kind as the reading it refines."""
    begins = midnight(date)
    kind, approximate = (like.kind, like.approximate) if like else (Kind.MOMENT, False)
    return Reading(begins + time.begins, begins + time.ends, time.precision, kind, approximate or time.approximate)


def easter(year: int) -> datetime:
    """Western Easter Sunday, by the anonymous Gregorian computus."""
    century, rest = divmod(year, 100)
    golden = year % 19
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    ahead = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * ahead) // 451
    month, day = divmod(epact + ahead - 7 * late + 114, 31)
    return datetime(year, month, day + 1)


def nth_weekday(whole: Reading, weekday: int, number: int) -> datetime:
    """The first, second… such day of a period; -1 is the last."""
    if number < 0:
        last = whole.ends - DAY
        return last - (last.weekday() - weekday) % 7 * DAY
    return whole.begins + ((weekday - whole.begins.weekday()) % 7 + 7 * (number - 1)) * DAY
