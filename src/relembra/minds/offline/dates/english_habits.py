"""English for what happens again and again; each mention holds the occurrence running or coming next."""

from __future__ import annotations

import re
from dataclasses import replace

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.calendar import DAY
from relembra.minds.offline.dates.english import ENGLISH, LONG_WEEKDAYS, NUMBER_WORDS, month_of, weekday_of
from relembra.minds.offline.dates.mention import Frame, Kind, Reading
from relembra.minds.offline.flat import listed

rule = ENGLISH.rule


def _habit(reading: Reading) -> Reading:
    return replace(reading, kind=Kind.RECURRING, floating=False)


_LIST = r"(?P<days>(?:<WEEKDAY>)s?(?:(?:,|,? and|,? or|/) (?:<WEEKDAY>)s?){0,6})"


@rule("every each", rf"(?:every|each)(?: other| second)? {_LIST}")
@rule(
    [f"{day}s" for day in LONG_WEEKDAYS.split()],
    r"(?P<days>(?:<WEEKDAY>)s(?:(?:,|,? and|,? or|/) (?:<WEEKDAY>)s){0,6})",
)
def _every_weekday(match: re.Match[str], frame: Frame) -> Reading:
    names = re.findall(LONG_WEEKDAYS.replace(" ", "|"), match["days"])
    ahead = min((weekday_of(name) - frame.today.weekday()) % 7 for name in names)
    return replace(_habit(calendar.day(frame.today + ahead * DAY)), weekday=True)


@rule(
    "every each",
    r"(?:every|each)(?: single| other| second| <NUM>)? (?P<unit>day|weekday|week|weekend|month|year|hour|quarter)s?",
)
@rule("weekends on", r"(?:on |the )?(?P<unit>weekend)s")
@rule(
    NUMBER_WORDS | set(listed("once twice thrice several couple few")),
    r"(?:once|twice|thrice|<NUM> times|several times|a few times|a couple of times)"
    r" (?:a|an|per|each|every) (?P<unit>day|week|month|year|hour|quarter)",
)
@rule(
    "daily weekly monthly yearly annually biweekly quarterly",
    r"(?P<unit>daily|weekly|monthly|yearly|annually|biweekly|quarterly)",
)
def _habitual(match: re.Match[str], frame: Frame) -> Reading | None:
    unit = {
        "daily": "day",
        "weekly": "week",
        "monthly": "month",
        "yearly": "year",
        "annually": "year",
        "biweekly": "week",
        "quarterly": "quarter",
        "weekday": "day",
    }.get(match["unit"], match["unit"])
    now = frame.now
    while match["unit"] == "weekday" and now.weekday() >= 5:
        now += DAY
    return _habit(calendar.period(unit, now))


@rule("every each", r"(?:every|each) (?P<month><MONTH>)")
def _every_month(match: re.Match[str], frame: Frame) -> Reading:
    return _habit(calendar.month_named(replace(frame, tense=None), month_of(match["month"])))
