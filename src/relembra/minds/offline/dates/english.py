"""English dates relative to the day of speaking: days, weekdays, weeks and counts of them.

Clock times and parts of the day are in `english_hours`, named and numbered periods in `english_periods`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.calendar import DAY, WEEK
from relembra.minds.offline.dates.holidays import HOLIDAYS
from relembra.minds.offline.dates.mention import Frame, Kind, Precision, Reading
from relembra.minds.offline.dates.rules import DIGIT, Grammar
from relembra.minds.offline.flat import listed
from relembra.minds.offline.numbers import ENGLISH_NUMBER, number_value

__all__ = ["ENGLISH", "MONTHS", "count_of", "month_of", "unit_of", "weekday_of"]

WEEKDAYS = {
    name[:3]: number for number, name in enumerate(listed("monday tuesday wednesday thursday friday saturday sunday"))
}
MONTHS = {
    name[:3]: number
    for number, name in enumerate(
        listed("january february march april may june july august september october november december"), start=1
    )
}
_UNITS = {
    "minute": "minute",
    "min": "minute",
    "hour": "hour",
    "hr": "hour",
    "day": "day",
    "night": "day",
    "week": "week",
    "weekend": "weekend",
    "fortnight": "fortnight",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
    "decade": "decade",
}
NUMBER_WORDS = frozenset(
    listed(
        "a an one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen"
        " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred half"
    )
) | {DIGIT}
LONG_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
SHORT_WEEKDAYS = "mon tue tues wed thu thur thurs fri sat sun"

ENGLISH = Grammar(
    {
        "NUM": ENGLISH_NUMBER,
        "WEEKDAY": "|".join(LONG_WEEKDAYS.split()),
        "SHORT_WEEKDAY": r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\.?",
        "MONTH": "january|february|march|april|may|june|july|august|september|october|november|december",
        "SHORT": r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?(?![a-z])",
        "UNIT": r"minutes?|mins?|hours?|hrs?|days?|nights?|weekends?|weeks?|fortnights?|months?|quarters?|"
        r"years?|decades?",
        "YEAR": r"(?:1[5-9]|20)\d\d",
        "HOLIDAY": HOLIDAYS["en"],
    }
)
rule = ENGLISH.rule


def count_of(words: str) -> int | None:
    words = " ".join(words.split())
    return 1 if words in {"a", "an"} else number_value(words, "en")


def weekday_of(word: str) -> int:
    return WEEKDAYS[word[:3]]


def month_of(word: str) -> int:
    return MONTHS[word[:3]]


def unit_of(word: str) -> str:
    return _UNITS[word if word in _UNITS else word.removesuffix("s")]


_DAYS = {
    "today": 0,
    "tonight": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "tmrw": 1,
    "day after tomorrow": 2,
    "day before yesterday": -2,
    "overmorrow": 2,
}


@rule("today yesterday tomorrow tmrw", r"(?P<day>today|yesterday|tomorrow|tmrw)")
@rule("the day", r"(?:the )?(?P<day>day after tomorrow|day before yesterday)")
def _named_day(match: re.Match[str], frame: Frame) -> Reading:
    return calendar.day(frame.today + _DAYS[" ".join(match["day"].split())] * DAY)


@rule(
    "next last this coming past upcoming previous following the",
    r"(?:the |this )?(?P<which>next|last|this|coming|past|upcoming|previous|following|"
    r"this coming|this past|this last) (?P<weekday><WEEKDAY>|<SHORT_WEEKDAY>)",
)
@rule(LONG_WEEKDAYS, r"(?P<weekday><WEEKDAY>) (?P<which>before last|last week|next week|this week|after next)")
def _weekday_with_side(match: re.Match[str], frame: Frame) -> Reading | None:
    weekday, which = weekday_of(match["weekday"]), " ".join(match["which"].split())
    if len(match["weekday"]) < 6 and not frame.raw[match.start("weekday")].isupper():
        return None
    if which in {"next", "next week", "last week", "this week", "after next"}:
        weeks = {"last week": -1, "this week": 0, "after next": 2}.get(which, 1)
        return calendar.weekday_of_week(frame, weekday, weeks=weeks)
    if which == "before last":
        return calendar.day(calendar.one_weekday(frame, weekday, direction=-1).begins - WEEK)
    if which in {"last", "past", "previous", "this past", "this last"}:
        return calendar.one_weekday(frame, weekday, direction=-1)
    return (
        calendar.one_weekday(frame, weekday, direction=1)
        if "coming" in which or which == "following"
        else calendar.this_weekday(frame, weekday)
    )


@rule(
    f"{LONG_WEEKDAYS} {SHORT_WEEKDAYS}",
    r"(?P<weekday><WEEKDAY>|<SHORT_WEEKDAY>),? (?:the (?P<nth>\d{1,2})(?:st|nd|rd|th)|(?P<day>[12]?\d|3[01]))"
    r"(?!\d|[/:.,-]\d| ?[ap]\.?m| ?%|x| o'?clock| (?:of|to|times|hours|people|years|minutes|<MONTH>|<SHORT>))",
)
def _weekday_and_number(match: re.Match[str], frame: Frame) -> Reading | None:
    if len(match["weekday"]) < 6 and not frame.raw[match.start()].isupper():
        return None
    return calendar.weekday_and_number(frame, weekday_of(match["weekday"]), int(match["nth"] or match["day"]))


_SHORT_CUE = re.compile(r"(?:^|[^a-z])(?:on|by|since|until|till|from|to|this|and|or)\s$")


@rule(LONG_WEEKDAYS, r"(?P<weekday><WEEKDAY>)(?!')")
@rule(SHORT_WEEKDAYS, r"(?P<weekday><SHORT_WEEKDAY>)")
def _bare_weekday(match: re.Match[str], frame: Frame) -> Reading | None:
    if len(match["weekday"]) < 6:
        cue = _SHORT_CUE.search(match.string, max(0, match.start() - 8), match.start())
        dated = re.match(
            r",?\s(?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s\d)",
            match.string[match.end() : match.end() + 16],
        )
        if not frame.raw[match.start()].isupper() or not (cue or dated):
            return None
    return calendar.bare_weekday(frame, weekday_of(match["weekday"]))


@rule(
    "next last this past current the previous following coming",
    r"(?:the )?(?P<which>next|last|this|past|current|previous|"
    r"following|coming) (?P<unit>weekend|week|month|year|quarter|decade)(?! of)",
)
@rule(
    "the week month year weekend quarter",
    r"(?:the )?(?P<unit>weekend|week|month|year|quarter) (?P<which>before last|after next)",
)
def _unit_with_side(match: re.Match[str], frame: Frame) -> Reading:
    which, unit = match["which"], match["unit"]
    steps = {"next": 1, "following": 1, "coming": 1, "this": 0, "current": 0}.get(which, -1)
    steps = -2 if which.startswith("before") else 2 if which.startswith("after") else steps
    if unit == "weekend":
        return calendar.weekend(frame, weeks=0 if which == "coming" else steps)
    start = frame.today if unit == "week" else frame.today.replace(day=1)
    return calendar.period(unit, calendar.shifted(start, unit, steps))


@rule("the weekend", r"(?:the )?weekend(?! (?:house|trip|home|getaway|bag))")
def _bare_weekend(_match: re.Match[str], frame: Frame) -> Reading:
    return calendar.weekend(frame)


_COUNT = (
    r"(?P<about>(?:about|around|almost|nearly|roughly|over|more than|some|maybe|like) )?(?P<n>half an|a couple(?: of)?|"
    r"couple(?: of)?|(?:a |the )?few|several|some|<NUM>|an?)"
)
_STARTS = NUMBER_WORDS | set(listed("about around almost nearly roughly over more some maybe couple few several"))
_HALF = r"(?P<half> and a half)?"


@rule(_STARTS, rf"{_COUNT} (?P<unit><UNIT>){_HALF} ago")
def _ago(match: re.Match[str], frame: Frame) -> Reading | None:
    return _counted(match, frame, -1)


@rule(_STARTS, rf"{_COUNT} (?P<unit><UNIT>){_HALF} from (?:now|today)")
def _ahead(match: re.Match[str], frame: Frame) -> Reading | None:
    return _counted(match, frame, 1)


@rule("in within", rf"(?:in|within) {_COUNT} (?P<unit><UNIT>){_HALF}(?:'s? time)?(?! old)")
def _in(match: re.Match[str], frame: Frame) -> Reading | None:
    if match["n"] in {"a", "an"} and match["unit"] == "minute":
        return None
    return _lasting(match, frame) if frame.past else _counted(match, frame, 1)


def _is_few(words: str) -> bool:
    return words.split()[-1] in {"few", "several", "some"}


def amount(match: re.Match[str]) -> tuple[int, str, bool] | None:
    """Count, unit and whether it is vague; halves are told in the next smaller unit."""
    unit, words = unit_of(match["unit"]), match["n"]
    vague = bool(match["about"]) or "couple" in words
    if words.startswith("half"):
        return {"hour": (30, "minute", vague), "year": (6, "month", vague)}.get(unit)
    if _is_few(words):
        return 3, unit, True
    count = 2 if "couple" in words else count_of(words)
    if count is None:
        return None
    if match["half"]:
        count, unit = calendar.and_a_half(count, unit)
    return count, unit, vague


def _counted(match: re.Match[str], frame: Frame, sign: int) -> Reading | None:
    measured = amount(match)
    if measured is None:
        return None
    count, unit, vague = measured
    found = calendar.period(unit, calendar.shifted(frame.now, unit, sign * count))
    if _is_few(match["n"]):
        first = calendar.shifted(found.begins, unit, -1)
        return replace(found, begins=first, ends=calendar.shifted(found.ends, unit, 1), approximate=True)
    return replace(found, approximate=vague)


@rule("for during", rf"(?:for|during)(?: another| over)? {_COUNT} (?P<unit><UNIT>){_HALF}(?! (?:old|ago|from))")
@rule(
    "spent took lasted spend stayed",
    rf"(?:spent|spend|took(?: me| us)?|lasted|stayed) {_COUNT} (?P<unit><UNIT>){_HALF}",
)
def _lasting(match: re.Match[str], frame: Frame) -> Reading | None:
    measured = amount(match)
    if measured is None or (match["n"] in {"a", "an"} and match["unit"] == "minute"):
        return None
    count, unit, vague = measured
    ahead = frame.tense == "future"
    other = calendar.shifted(frame.now, unit, count if ahead else -count)
    begins, ends = (frame.now, other) if ahead else (other, frame.now)
    return Reading(begins, ends, calendar.PRECISIONS[unit], Kind.DURATION, vague)


@rule(
    "the last past next",
    r"(?:the )?(?P<which>last|past|next)(?: (?P<n><NUM>|few|couple of|several))? "
    r"(?P<unit>days|weeks|months|years|hours)",
)
def _stretch(match: re.Match[str], frame: Frame) -> Reading | None:
    words = match["n"] or "few"
    vague = words in {"few", "several", "couple of"}
    count = (2 if words.startswith("couple") else 3) if vague else count_of(words)
    if count is None:
        return None
    unit = unit_of(match["unit"])
    start = frame.now if unit == "hour" else frame.today
    precision = calendar.PRECISIONS[unit]
    if match["which"] == "next":
        return Reading(start, calendar.shifted(start, unit, count), precision, approximate=vague)
    return Reading(calendar.shifted(start, unit, -count), frame.now, precision, approximate=vague)


@rule("the other", r"(?:the )?other day")
def _other_day(_match: re.Match[str], frame: Frame) -> Reading:
    return Reading(frame.today - WEEK, frame.today, Precision.DAY, approximate=True)
