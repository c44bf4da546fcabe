"""Feast days of Brazil and the United States, fixed and moving, for any year."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from relembra.minds.offline.dates.calendar import DAY
from relembra.minds.offline.dates.mention import Frame, Precision, Reading

__all__ = ["HOLIDAYS", "easter", "holiday", "holiday_named"]

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
