"""Calendar arithmetic on wall-clock days: what a date in prose amounts to, and which of many periods is meant.

Weeks begin on Monday; a weekend is Saturday and Sunday. Nothing here knows a language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
Amount = tuple[int, str, bool]
"""Count, unit and whether it is vague."""
_PARTS = {"dawn": (0, 6), "morning": (6, 12), "afternoon": (12, 18), "evening": (18, 22), "night": (18, 24)}


def day(date: datetime) -> Reading:
    begins = midnight(date)
    return Reading(begins, begins + DAY, Precision.DAY)


def counted(frame: Frame, amount: Amount, sign: int, *, few: bool) -> Reading:
    """So many units before now or, with a positive sign, after; a few may be one more or one less."""
    count, unit, vague = amount
    found = period(unit, shifted(frame.now, unit, sign * count))
    if few:
        return replace(
            found, begins=shifted(found.begins, unit, -1), ends=shifted(found.ends, unit, 1), approximate=True
        )
    return replace(found, approximate=vague)


def lasting(frame: Frame, amount: Amount) -> Reading:
    """So many units up to now, or from now on where the sentence looks ahead."""
    count, unit, vague = amount
    ahead = frame.tense == "future"
    other = shifted(frame.now, unit, count if ahead else -count)
    begins, ends = (frame.now, other) if ahead else (other, frame.now)
    return Reading(begins, ends, PRECISIONS[unit], Kind.DURATION, vague)


def decade(number: int) -> Reading:
    """Of a year or its last two digits, which lie in the last century, save 0, 10 and 20."""
    year = number if number > 99 else 1900 + number if number > 20 else 2000 + number
    return period("decade", datetime(year, 1, 1))


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


def whole_year(year: int) -> Reading:
    return period("year", datetime(year, 1, 1))


def one_weekday(frame: Frame, weekday: int, *, direction: int) -> Reading:
    """The next (1) or the most recent (-1) day of that name, never today."""
    ahead = (weekday - frame.today.weekday()) % 7
    found = frame.today + (ahead or 7) * DAY if direction > 0 else frame.today - (7 - ahead) * DAY
    return replace(day(found), weekday=True)


def bare_weekday(frame: Frame, weekday: int) -> Reading:
    """The most recent one after a verb in the past, else the next; today only as the end of a range."""
    if frame.nearest and frame.today.weekday() == weekday:
        return replace(day(frame.today), weekday=True)
    return replace(one_weekday(frame, weekday, direction=-1 if frame.past else 1), floating=True)


def this_weekday(frame: Frame, weekday: int) -> Reading:
    """As a bare one, but it may be today."""
    if frame.today.weekday() == weekday:
        return replace(day(frame.today), weekday=True)
    return one_weekday(frame, weekday, direction=-1 if frame.past else 1)


def weekday_of_week(frame: Frame, weekday: int, *, weeks: int) -> Reading:
    return replace(day(period("week", frame.today).begins + weeks * WEEK + weekday * DAY), weekday=True)


def weekend(frame: Frame, *, weeks: int | None = None) -> Reading:
    """The weekend of the week so many weeks away; without a number the last one if past, else this one."""
    if weeks is None:
        weeks = -1 if frame.past and frame.today.weekday() < 5 else 0
    return period("weekend", period("week", frame.today).begins + weeks * WEEK)


def dated(frame: Frame, month: int, day_of_month: int) -> Reading:
    """A day and month without a year: the last occurrence if past, else the next; today counts for both."""
    years = (
        range(frame.today.year, frame.today.year - 9, -1)
        if frame.past
        else range(frame.today.year, frame.today.year + 9)
    )
    for year in years:
        try:
            found = datetime(year, month, day_of_month)
        except ValueError:
            continue  # the 29th of February
        if (found <= frame.today) if frame.past else (found >= frame.today):
            return replace(day(found), floating=True)
    raise ValueError(f"no day {day_of_month} in month {month}")


def day_of_month(frame: Frame, number: int) -> Reading:
    """ "The 20th": of this month or the nearest one that has such a day, before or after today by tense."""
    step = -1 if frame.past else 1
    for months in range(0, 4 * step, step):
        first = plus_months(frame.today.replace(day=1), months)
        try:
            found = first.replace(day=number)
        except ValueError:
            continue
        if (found <= frame.today) if frame.past else (found >= frame.today):
            return replace(day(found), floating=True)
    raise ValueError(f"no day {number} in any month")


def weekday_and_number(frame: Frame, weekday: int, number: int) -> Reading:
    """ "Friday the 13th": the nearest month in which that day bears that name, else the day by its number alone."""
    step = -1 if frame.past else 1
    first = frame.today.replace(day=1)
    for months in range(0, 13 * step, step):
        try:
            found = plus_months(first, months).replace(day=number)
        except ValueError:
            continue
        if found.weekday() == weekday and ((found <= frame.today) if frame.past else (found >= frame.today)):
            return day(found)
    return day_of_month(frame, number)


def week_of_month(whole: Reading, number: int, *, weekend: bool = False) -> Reading:
    """The first to fifth seven days of a month, or the weekend that begins in it; -1 is its last."""
    if weekend:
        return period("weekend", nth_weekday(whole, 5, number))
    begins = whole.ends - WEEK if number < 0 else whole.begins + (number - 1) * WEEK
    return Reading(begins, min(begins + WEEK, whole.ends), Precision.WEEK, approximate=True)


def month_named(frame: Frame, month: int, *, offset: int | None = None) -> Reading:
    """A month without a year. `offset` -1 and 1 leave out the running one; None lets the tense choose."""
    year = frame.today.year
    if offset is None:
        passed = month < frame.today.month
        year += (-1 if month > frame.today.month else 0) if frame.past else int(passed)
    elif offset < 0:
        year -= int(month >= frame.today.month)
    elif offset > 0:
        year += int(month <= frame.today.month)
    return replace(period("month", datetime(year, month, 1)), floating=offset is None)


_SEASON_STARTS = ((3, 21), (6, 21), (9, 23), (12, 21))
_SEASONS = ("spring", "summer", "autumn", "winter")


def season(frame: Frame, name: str, *, southern: bool, year: int | None = None, offset: int | None = None) -> Reading:
    """A season by name; with a year, the one most of whose days fall in it ("winter of 2022" began in 2021)."""
    place = (_SEASONS.index(name) + 2 * southern) % 4

    def beginning(of: int) -> Reading:
        begins = datetime(of - (place == 3), *_SEASON_STARTS[place])
        end_month, end_day = _SEASON_STARTS[(place + 1) % 4]
        return Reading(begins, datetime(of, end_month, end_day), Precision.SEASON)

    if year is not None:
        return beginning(year)
    around = [beginning(frame.today.year + shift) for shift in (-2, -1, 0, 1, 2)]
    back = frame.past if offset is None else offset < 0
    if back:
        # "Last winter" is over; "in the winter I skied" may still be running.
        return [one for one in around if (one.begins if offset is None else one.ends) <= frame.today][-1]
    return next(one for one in around if (one.begins if offset == 1 else one.ends) > frame.today)


def part(unit: str, whole: Reading, which: str) -> Reading:
    """The beginning, middle or end of a period, in the loose sense of speech."""
    begins, ends = whole.begins, whole.ends
    if unit == "week":
        first, last = {"begin": (0, 2), "middle": (2, 3), "end": (3, 5)}[which]
        return Reading(begins + first * DAY, begins + last * DAY, Precision.DAY, approximate=True)
    if unit == "month":
        first, last = {"begin": (0, 10), "middle": (10, 20), "end": (20, 0)}[which]
        stop = begins + last * DAY if last else ends
        return Reading(begins + first * DAY, stop, Precision.WEEK, approximate=True, floating=whole.floating)
    first, last, step = {
        "year": {"begin": (0, 2, 1), "middle": (5, 7, 1), "end": (10, 12, 1)},
        "decade": {"begin": (0, 4, 12), "middle": (4, 7, 12), "end": (7, 10, 12)},
    }[unit][which]
    precision = Precision.MONTH if unit == "year" else Precision.YEAR
    return Reading(plus_months(begins, first * step), plus_months(begins, last * step), precision, approximate=True)


def clock(hour: int, minute: int | None, *, loose: bool = False, approximate: bool = False) -> TimeOfDay | None:
    """An hour alone stands for its sixty minutes; 24:00 is the midnight that ends the day."""
    if hour > 24 or (minute or 0) > 59 or (hour == 24 and minute):
        return None
    begins = timedelta(hours=hour, minutes=minute or 0)
    length = timedelta(hours=1) if minute is None else timedelta(minutes=1)
    precision = Precision.HOUR if minute is None else Precision.MINUTE
    return TimeOfDay(begins, begins + length, precision, loose=loose, approximate=approximate)


def beside(date: Reading, unit: str, sign: int) -> Reading:
    """The week, month… right before a day, or with a positive sign after it."""
    begins = date.ends if sign > 0 else shifted(date.begins, unit, -1)
    return Reading(begins, shifted(begins, unit, 1), PRECISIONS[unit])


def moved_beside(found: Reading, date: Reading, sign: int) -> Reading:
    """A weekend or a weekday moved by whole weeks to the last one before a day, or the first after it."""
    away = (date.begins - found.ends) // WEEK if sign < 0 else -((found.begins - date.ends) // WEEK)
    return replace(found, begins=found.begins + away * WEEK, ends=found.ends + away * WEEK, floating=False)


def year_of(said: int, frame: Frame) -> int:
    """Two digits mean the last hundred years, plus the ten to come."""
    if said > 99:
        return said
    year = frame.now.year // 100 * 100 + said
    return year - 100 if year > frame.now.year + 10 else year


def part_of_day(name: str, *, alone: bool = False) -> TimeOfDay:
    first, last = _PARTS[name]
    return TimeOfDay(timedelta(hours=first), timedelta(hours=last), Precision.PART_OF_DAY, alone=alone)


def within(date: datetime, time: TimeOfDay, like: Reading | None = None) -> Reading:
    """That time on that day, of the same kind as the reading it refines."""
    begins = midnight(date)
    kind, approximate = (like.kind, like.approximate) if like else (Kind.MOMENT, False)
    return Reading(begins + time.begins, begins + time.ends, time.precision, kind, approximate or time.approximate)


_FINER = {
    "hour": ("minute", 60),
    "day": ("hour", 24),
    "week": ("day", 7),
    "month": ("week", 4),
    "year": ("month", 12),
    "decade": ("year", 10),
}


def and_a_half(count: int, unit: str) -> tuple[int, str]:
    """A count and a half, told in the next smaller unit."""
    finer, size = _FINER.get(unit, (unit, 1))
    return count * size + size // 2, finer


def easter(year: int) -> datetime:
    """Western Easter Sunday, by the anonymous Gregorian computus."""
    century, rest = divmod(year, 100)
    golden = year % 19
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    ahead = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * ahead) // 451
    month, day = divmod(epact + ahead - 7 * late + 114, 31)
    return datetime(year, month, day + 1)


def holiday_days(year: int, told: Mapping[str, int]) -> Reading:
    """The days of a feast in a year: of a month, counted from Easter, or such a weekday of a month (-1: the last)."""
    if "easter" in told:
        begins = easter(year) + told["easter"] * DAY
    elif "day" in told:
        begins = datetime(year, told["month"], told["day"])
    else:
        month = period("month", datetime(year, told["month"], 1))
        begins = nth_weekday(month, told["weekday"], told["nth"]) + told.get("plus", 0) * DAY
    return Reading(begins, begins + told.get("days", 1) * DAY, Precision.DAY)


def nth_weekday(whole: Reading, weekday: int, number: int) -> datetime:
    """The first, second… such day of a period; -1 is the last."""
    if number < 0:
        last = whole.ends - DAY
        return last - (last.weekday() - weekday) % 7 * DAY
    return whole.begins + ((weekday - whole.begins.weekday()) % 7 + 7 * (number - 1)) * DAY


def holiday(frame: Frame, told: Mapping[str, int], *, year: int | None = None, offset: int | None = None) -> Reading:
    """Which year's: the one said, or the last or next by `offset`, or by tense when there is none. Today counts."""
    if year is not None:
        return holiday_days(year, told)
    near = [holiday_days(frame.today.year + shift, told) for shift in (-1, 0, 1)]
    back = frame.past if offset is None else offset < 0
    if back:
        latest = frame.today if offset is None else frame.today - DAY
        return replace([one for one in near if one.begins <= latest][-1], floating=offset is None)
    return replace(next(one for one in near if one.ends > frame.today), floating=offset is None)
