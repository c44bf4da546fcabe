"""Calendar arithmetic on wall-clock days: the periods that words name, and which one of many is meant.

Weeks begin on Monday; a weekend is Saturday and Sunday. Nothing here knows a language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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


Days = Callable[[int], tuple[datetime, int]]
"""The first day in a year, and how many days it lasts."""


def easter(year: int) -> datetime:
    """Western Easter Sunday, by the anonymous Gregorian computus."""
    century, rest = divmod(year, 100)
    golden = year % 19
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    ahead = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * ahead) // 451
    month, day = divmod(epact + ahead - 7 * late + 114, 31)
    return datetime(year, month, day + 1)


def _fixed(month: int, day: int) -> Days:
    return lambda year: (datetime(year, month, day), 1)


def _moving(from_easter: int, days: int = 1) -> Days:
    return lambda year: (easter(year) + from_easter * DAY, days)


def _nth(month: int, weekday: int, number: int, plus: int = 0) -> Days:
    """The number-th such weekday of a month; -1 is the last."""

    def days(year: int) -> tuple[datetime, int]:
        if number > 0:
            first = datetime(year, month, 1)
            found = first + ((weekday - first.weekday()) % 7 + 7 * (number - 1)) * DAY
        else:
            last = datetime(year, month + 1, 1) - DAY
            found = last - (last.weekday() - weekday) % 7 * DAY
        return found + plus * DAY, 1

    return days


_MONDAY, _THURSDAY, _SUNDAY = 0, 3, 6

# Flat names as a pattern. Names that are also towns or people stand with the words that make them a day.
_NAMES: dict[str, list[tuple[str, Days]]] = {
    "pt": [
        (r"vesperas? (?:de|do) natal|noite de natal|ceia de natal", _fixed(12, 24)),
        (r"vespera (?:de|do) ano[- ]novo|reveillon|virada do ano", _fixed(12, 31)),
        (r"(?:dia|almoco|presentes?|ferias|festas?|feriado|manha) (?:de|do) natal|natal", _fixed(12, 25)),
        (r"ano[- ]novo", _fixed(1, 1)),
        (r"dia de reis", _fixed(1, 6)),
        (r"(?:feriado (?:de|do) )?carnaval", _moving(-50, 4)),
        (r"quarta(?:-feira)? de cinzas", _moving(-46)),
        (r"sexta(?:-feira)? santa|sexta(?:-feira)? da paixao", _moving(-2)),
        (r"(?:domingo de |feriado de )?pascoa", _moving(0)),
        (r"(?:feriado de )?corpus christi", _moving(60)),
        (r"(?:feriado|dia) de tiradentes", _fixed(4, 21)),
        (r"dia (?:do trabalho|do trabalhador|dos trabalhadores)", _fixed(5, 1)),
        (r"(?:feriado|dia) da independencia", _fixed(9, 7)),
        (r"(?:dia|feriado) de (?:nossa senhora )?aparecida", _fixed(10, 12)),
        (r"(?:dia|feriado) (?:de|dos) finados|finados", _fixed(11, 2)),
        (r"(?:dia|feriado) da proclamacao(?: da republica)?", _fixed(11, 15)),
        (r"(?:dia|feriado) da consciencia negra", _fixed(11, 20)),
        (r"dia das maes", _nth(5, _SUNDAY, 2)),
        (r"dia dos pais", _nth(8, _SUNDAY, 2)),
        (r"dia dos namorados", _fixed(6, 12)),
        (r"dia das criancas", _fixed(10, 12)),
        (r"dia dos professores", _fixed(10, 15)),
        (r"dia (?:internacional )?da mulher", _fixed(3, 8)),
        (r"dia da mentira", _fixed(4, 1)),
        (r"(?:festas?|noite|feriado|dia|fogueira) de sao joao", _fixed(6, 24)),
        (r"dia das bruxas|halloween", _fixed(10, 31)),
        (r"black friday", _nth(11, _THURSDAY, 4, 1)),
    ],
    "en": [
        (r"christmas eve", _fixed(12, 24)),
        (r"christmas day|christmas|xmas", _fixed(12, 25)),
        (r"boxing day", _fixed(12, 26)),
        (r"new year'?s eve|nye", _fixed(12, 31)),
        (r"new year'?s(?: day)?", _fixed(1, 1)),
        (r"(?:mlk|martin luther king(?: jr\.?)?) day", _nth(1, _MONDAY, 3)),
        (r"groundhog day", _fixed(2, 2)),
        (r"valentine'?s(?: day)?", _fixed(2, 14)),
        (r"presidents?'?s? day", _nth(2, _MONDAY, 3)),
        (r"(?:st\.?|saint) patrick'?s(?: day)?", _fixed(3, 17)),
        (r"april fools'?(?: day)?", _fixed(4, 1)),
        (r"ash wednesday", _moving(-46)),
        (r"good friday", _moving(-2)),
        (r"easter monday", _moving(1)),
        (r"easter(?: sunday)?", _moving(0)),
        (r"mother'?s'? day", _nth(5, _SUNDAY, 2)),
        (r"memorial day", _nth(5, _MONDAY, -1)),
        (r"father'?s'? day", _nth(6, _SUNDAY, 3)),
        (r"juneteenth", _fixed(6, 19)),
        (r"(?:july 4th|(?:the )?(?:4th|fourth) of july|independence day)", _fixed(7, 4)),
        (r"labou?r day", _nth(9, _MONDAY, 1)),
        (r"columbus day", _nth(10, _MONDAY, 2)),
        (r"halloween", _fixed(10, 31)),
        (r"veterans'? day", _fixed(11, 11)),
        (r"thanksgiving(?: day)?", _nth(11, _THURSDAY, 4)),
        (r"black friday", _nth(11, _THURSDAY, 4, 1)),
        (r"cyber monday", _nth(11, _THURSDAY, 4, 4)),
        (r"carnival", _moving(-50, 4)),
    ],
}
_COMPILED = {language: [(re.compile(name), days) for name, days in names] for language, names in _NAMES.items()}
HOLIDAYS = {language: "|".join(name for name, _ in names) for language, names in _NAMES.items()}
"""A pattern a language that matches any name, to be used inside larger ones."""


def holiday_named(language: str, name: str) -> Days:
    """The days behind a flat name matched by `HOLIDAYS`; `KeyError` for any other."""
    for pattern, days in _COMPILED[language]:
        if pattern.fullmatch(name):
            return days
    raise KeyError(name)


def holiday(frame: Frame, days: Days, *, year: int | None = None, offset: int | None = None) -> Reading:
    """Which year's: the one said, or the last or next by `offset`, or by tense when there is none. Today counts."""

    def in_year(of: int) -> Reading:
        begins, length = days(of)
        return Reading(begins, begins + length * DAY, Precision.DAY)

    if year is not None:
        return in_year(year)
    near = [in_year(frame.today.year + shift) for shift in (-1, 0, 1)]
    back = frame.past if offset is None else offset < 0
    if back:
        latest = frame.today if offset is None else frame.today - DAY
        return replace([one for one in near if one.begins <= latest][-1], floating=offset is None)
    return replace(next(one for one in near if one.ends > frame.today), floating=offset is None)
