"""Dates written in figures, the same rules for both languages but for which number comes first.

Portuguese puts the day first, English the month; a number above twelve settles it either way.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.mention import Frame, Precision, Reading
from relembra.minds.offline.dates.portuguese import year_of
from relembra.minds.offline.dates.rules import DIGIT, Grammar

__all__ = ["add_numeric_rules"]

_ISO = (
    r"(?P<year>(?:1[5-9]|20)\d\d)(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})"
    r"(?:[t ](?P<hour>\d\d):(?P<minute>\d\d)(?::\d\d(?:\.\d{1,6})?)?(?P<zone>z|[+-]\d\d:?\d\d)?)?(?![-/.]?\d)"
)
_FIGURES = r"(?P<a>\d{1,2})(?P<mark>[-/.])(?P<b>\d{1,2})(?P=mark)(?P<year>\d{4}|\d\d)(?![-/.]?\d)"
_NO_YEAR = r"(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![-/.:,]?\d|%)"
_MONTH_YEAR = r"(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19|20)\d\d)(?![-/.]?\d)"
_YEARS = r"(?P<first>(?:1[5-9]|20)\d\d) ?(?:-| a | to | ate ) ?(?P<last>(?:1[5-9]|20)\d\d|\d\d)(?![-/.]?\d)"

_CUE = re.compile(
    r"(?:^|[^a-z])(?:dia|dias|em|no|na|ate|desde|de|data|e|a|vence|para|pra|on|by|since|until|till|from|due|to|and|date|is)"
    r"[\s:]{1,2}$"
)
_UNIT_AFTER = re.compile(
    r"\s?(?:xicara|copo|colher|cup|of|do|da|de|teaspoon|tablespoon|tsp|tbsp|mile|hora|inch|%|kg|lb)"
)


def add_numeric_rules(grammar: Grammar, *, day_first: bool) -> None:
    """Teach a grammar ISO dates, 15/03/1990, 15/03 and 2010-2014."""

    def ordered(a: int, b: int) -> tuple[int, int]:
        """Day and month of two figures."""
        day, month = (a, b) if day_first else (b, a)
        return (day, month) if month <= 12 else (month, day)

    @grammar.rule(DIGIT, _ISO)
    def iso(match: re.Match[str], _frame: Frame) -> Reading | None:
        if _inside_number(match):
            return None
        date = datetime(int(match["year"]), int(match["month"]), int(match["day"]))
        if not match["hour"]:
            return calendar.day(date)
        begins = date.replace(hour=int(match["hour"]), minute=int(match["minute"]))
        if match["zone"]:
            zone = match["zone"].upper().replace("Z", "+00:00")
            begins = datetime.fromisoformat(begins.isoformat() + zone)
        return Reading(begins, begins + timedelta(minutes=1), Precision.MINUTE, zoned=bool(match["zone"]))

    @grammar.rule(DIGIT, _FIGURES)
    def figures(match: re.Match[str], frame: Frame) -> Reading | None:
        if _inside_number(match) or (match["mark"] != "/" and len(match["year"]) < 4):
            return None
        day, month = ordered(int(match["a"]), int(match["b"]))
        return calendar.day(datetime(year_of(match["year"], frame), month, day))

    @grammar.rule(DIGIT, _NO_YEAR)
    def without_year(match: re.Match[str], frame: Frame) -> Reading | None:
        full = len(match["b"]) == 2 and (len(match["a"]) == 2 or int(match["a"]) > 0)
        cue = _CUE.search(match.string, max(0, match.start() - 10), match.start())
        if (
            _inside_number(match)
            or _UNIT_AFTER.match(match.string, match.end())
            or not (cue or full or match[0] == match.string.strip())
        ):
            return None
        day, month = ordered(int(match["a"]), int(match["b"]))
        return calendar.dated(frame, month, day)

    @grammar.rule(DIGIT, _MONTH_YEAR)
    def month_and_year(match: re.Match[str], _frame: Frame) -> Reading | None:
        if _inside_number(match):
            return None
        return calendar.period("month", datetime(int(match["year"]), int(match["month"]), 1))

    @grammar.rule(DIGIT, _YEARS)
    def years(match: re.Match[str], _frame: Frame) -> Reading | None:
        first, last = int(match["first"]), int(match["last"])
        last = last if last > 99 else first // 100 * 100 + last
        if _inside_number(match) or not first < last <= first + 120 or (len(match["last"]) == 2 and last - first > 15):
            return None
        if len(match["last"]) == 2 and last % 100 <= 12:
            return None  # 2024-05 is a month
        return Reading(datetime(first, 1, 1), datetime(last + 1, 1, 1), Precision.YEAR)


def _inside_number(match: re.Match[str]) -> bool:
    """Whether a figure, price or telephone number goes on to the left."""
    return match.string[max(0, match.start() - 1) : match.start()] in set("-/.:,$€£+#") or bool(
        re.search(r"\d[ -]$", match.string[max(0, match.start() - 2) : match.start()])
    )
