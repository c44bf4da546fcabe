"""Calendar arithmetic on wall-clock days: the periods that words name, and which one of many is meant.

Weeks begin on Monday; a weekend is Saturday and Sunday. Nothing here knows a language.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from relembra.minds.offline.dates.mention import Frame, Kind, Precision, Reading, TimeOfDay

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
_PARTS = {"dawn": (0, 6), "morning": (6, 12), "afternoon": (12, 18), "evening": (18, 22), "night": (18, 24)}


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


def week_of_month(whole: Reading, number: int) -> Reading:
    """The first to fifth seven days of a month; -1 is its last seven."""
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


def season(frame: Frame, name: str, *, year: int | None = None, offset: int | None = None) -> Reading:
    """A season by name; with a year, the one most of whose days fall in it ("winter of 2022" began in 2021)."""
    place = (_SEASONS.index(name) + 2 * frame.southern) % 4

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
