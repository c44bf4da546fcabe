"""English dates relative to the day of speaking: days, weekdays, weeks and counts of them.

Clock times and parts of the day are in `english_hours`, named and numbered periods in `english_periods`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.calendar import DAY, HOLIDAYS, WEEK, Amount, holiday, holiday_named
from relembra.minds.offline.dates.mention import DIGIT, Frame, Grammar, Kind, Precision, Reading, TimeOfDay
from relembra.minds.offline.dates.portuguese import clock
from relembra.minds.offline.flat import listed
from relembra.minds.offline.numbers import ENGLISH_NUMBER, number_value

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


def amount(match: re.Match[str]) -> Amount | None:
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
    return None if measured is None else calendar.counted(frame, measured, sign, few=_is_few(match["n"]))


@rule("for during", rf"(?:for|during)(?: another| over)? {_COUNT} (?P<unit><UNIT>){_HALF}(?! (?:old|ago|from))")
@rule(
    "spent took lasted spend stayed",
    rf"(?:spent|spend|took(?: me| us)?|lasted|stayed) {_COUNT} (?P<unit><UNIT>){_HALF}",
)
def _lasting(match: re.Match[str], frame: Frame) -> Reading | None:
    measured = amount(match)
    if measured is None or (match["n"] in {"a", "an"} and match["unit"] == "minute"):
        return None
    return calendar.lasting(frame, measured)


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


_PART = "morning|afternoon|evening|night"


@rule(
    "morning afternoon evening night in at during",
    rf"(?:(?:in|at|during) (?:the )?)?(?:early |late )?(?P<part>{_PART})",
)
def _part_of_day(match: re.Match[str], _frame: Frame) -> TimeOfDay:
    return calendar.part_of_day(match["part"])


@rule("this last tonight earlier later", rf"(?:(?P<which>this|last) (?P<part>{_PART})|tonight)")
def _this_part(match: re.Match[str], frame: Frame) -> Reading:
    date = frame.today - DAY if match["which"] == "last" else frame.today
    return calendar.within(date, calendar.part_of_day(match["part"] or "night"))


_HALF_OF_DAY = r"(?: ?(?P<half>a\.?m\.?|p\.?m\.?)(?![a-z]))"
_OF_PART = rf"(?:,? (?:in the|at) (?P<part>{_PART}))"


@rule(
    "0 at around about",
    r"(?P<cue>(?:at|around|about|at around|at about) )?"
    rf"(?P<hour>\d{{1,2}})(?:[:.](?P<minute>\d\d))?(?:{_HALF_OF_DAY}|(?P<sharp> ?o'?clock){_OF_PART}?|"
    rf"{_OF_PART.replace('part', 'part2')})",
)
def _marked_clock(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    hour = int(match["hour"])
    if hour > 12 and match["half"]:
        return None
    part = match["part"] or match["part2"]
    late = (match["half"] or "").startswith("p") or part in {"afternoon", "evening", "night"}
    early = (match["half"] or "").startswith("a") or part == "morning"
    return _placed(hour, int(match["minute"]) if match["minute"] else None, late=late, early=early, cue=match["cue"])


@rule(
    "0",
    r"(?P<a>\d{1,2})(?::(?P<am>\d\d))? ?(?:-|to|and|until) ?(?P<b>\d{1,2})(?::(?P<bm>\d\d))? ?(?P<half>a\.?m\.?|"
    r"p\.?m\.?)",
)
def _clock_range(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    """ "2-4 pm", "9 to 5pm": the first hour takes the half of the day that puts it before the second."""
    first, last = int(match["a"]), int(match["b"])
    if not (1 <= first <= 12 and 1 <= last <= 12):
        return None
    begins = timedelta(hours=first % 12, minutes=int(match["am"] or 0))
    ends = timedelta(hours=last % 12, minutes=int(match["bm"] or 0))
    if match["half"].startswith("p"):
        ends += timedelta(hours=12)
        begins += timedelta(hours=12) if begins + timedelta(hours=12) < ends else timedelta()
    precision = Precision.MINUTE if match["am"] or match["bm"] else Precision.HOUR
    return TimeOfDay(begins, ends, precision) if begins < ends else None


@rule("0", r"(?P<hour>\d{2}):(?P<minute>\d\d)")
@rule("at around", r"(?:at|around) (?P<hour>\d{1,2}):(?P<minute>\d\d)")
def _plain_clock(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    before = match.string[max(0, match.start() - 1) : match.start()]
    if before in {":", "/", ".", "-"} or match.string[match.end() : match.end() + 1] == ":":
        return None
    hour = int(match["hour"])
    if hour > 12 or match["hour"].startswith("0"):
        return clock(hour, int(match["minute"]))
    return _placed(hour, int(match["minute"]))


_AFTER = re.compile(
    r"\s*(?:$|[.,:](?!\d)|[;!?)\n]|(?:on|in|for|with|and|or|tomorrow|today|tonight|this|next|to|sharp|we|i|he|she|they|at|until|"
    r"from|so|but|if|monday|tuesday|wednesday|thursday|friday|saturday|sunday|every)(?![a-z]))"
)


@rule("at", r"at (?P<hour>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)")
def _bare_hour(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    hour = count_of(match["hour"])
    if hour is None or not 1 <= hour <= 12 or not _AFTER.match(match.string, match.end()):
        return None
    return _placed(hour, None)


_MINUTES = {"half": 30, "quarter": 15, "a quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}


@rule(
    "half quarter a ten twenty five at",
    r"(?:at |around )?(?P<minutes>half|a quarter|quarter|five|ten|twenty|twenty-five)"
    r" (?P<side>past|to|till) (?P<hour>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    + _HALF_OF_DAY
    + "?",
)
def _spoken_clock(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    hour, minutes = count_of(match["hour"]), _MINUTES[match["minutes"]]
    if hour is None or not 1 <= hour <= 12 or (match["side"] != "past" and match["minutes"] == "half"):
        return None
    half = match["half"] or ""
    if match["side"] != "past":
        hour, minutes = (hour - 1 or 12), 60 - minutes
    return _placed(hour, minutes, late=half.startswith("p"), early=half.startswith("a"))


@rule("noon midnight midday at", r"(?:at )?(?P<name>noon|midday|midnight)")
def _noon(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    return clock(24 if match["name"] == "midnight" else 12, None)


def _placed(
    hour: int, minute: int | None, *, late: bool = False, early: bool = False, cue: str | None = None
) -> TimeOfDay | None:
    """Unmarked hours from 1 to 6 are read as afternoon, for few things are arranged before dawn."""
    loose = not (late or early) and hour <= 12
    if hour == 12 and early:
        hour = 0
    elif hour < 12 and (late or (loose and 1 <= hour <= 6)):
        hour += 12
    return clock(hour, minute, loose=loose, approximate=cue is not None and ("around" in cue or "about" in cue))


@rule("every each", rf"(?:every|each) (?P<part>{_PART})")
def _every_part(match: re.Match[str], frame: Frame) -> Reading:
    found = calendar.within(frame.today, calendar.part_of_day(match["part"]))
    return Reading(found.begins, found.ends, found.precision, Kind.RECURRING)


_LONG_MONTHS = "january february march april may june july august september october november december"
_SHORT_MONTHS = "jan feb mar apr jun jul aug sep sept oct nov dec"
_ALL_MONTHS = f"{_LONG_MONTHS} {_SHORT_MONTHS}"
_ONES = "first second third fourth fifth sixth seventh eighth ninth"
_ORDINALS = {
    word: number
    for number, word in enumerate(
        (
            *listed(f"{_ONES} tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth"),
            *listed("nineteenth twentieth"),
            *(f"twenty-{word}" for word in listed(_ONES)),
            *listed("thirtieth thirty-first"),
        ),
        start=1,
    )
}
_SPELLED = "|".join(sorted((word.replace("-", "[- ]") for word in _ORDINALS), key=len, reverse=True))
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{_SPELLED})"


def _number(words: str) -> int:
    return int(re.sub(r"\D", "", words)) if words[0].isdigit() else _ORDINALS[re.sub(r"[\s-]+", "-", words)]


def _amount_before(match: re.Match[str]) -> bool:
    """Whether the first figure belongs to a price or a decimal: "$12 December 27"."""
    return bool(re.search(r"[$€£]\s?$|\d[.,]$", match.string[max(0, match.start() - 2) : match.start()]))


def _date(frame: Frame, number: int, month: int, year: str | None) -> Reading:
    return calendar.day(datetime(int(year), month, number)) if year else calendar.dated(frame, month, number)


@rule(
    _ALL_MONTHS,
    rf"(?P<month><MONTH>|<SHORT>)(?: |/)(?:the )?(?P<day>{_DAY})(?! ?(?:-|to|through) ?\d| ?[ap]\.?m|:|%)(?:,? "
    rf"(?P<year><YEAR>))?(?![:.]\d)",
)
@rule("0 the", rf"(?:the )?(?P<day>{_DAY})(?: of)? (?P<month><MONTH>|<SHORT>)(?: ?,? (?:in |of )?(?P<year><YEAR>))?")
@rule(
    "the first second third",
    r"(?:the )?(?P<day>first|second|third|fourth|fifth) of (?P<month><MONTH>)(?: ?,? (?:in |of )?(?P<year><YEAR>))?",
)
def _day_and_month(match: re.Match[str], frame: Frame) -> Reading | None:
    if _amount_before(match):
        return None
    day = _number(match["day"])
    if match["month"] in {"may", "march", "mar"} and not match["year"]:
        plain = match["day"].isdigit() and not frame.raw[match.start("month")].isupper()
        if plain and match.start("month") == match.start():
            return None
    return _date(frame, day, month_of(match["month"]), match["year"])


@rule(
    _ALL_MONTHS,
    rf"(?P<month><MONTH>|<SHORT>) (?P<first>{_DAY}) ?(?:-|to|through|until) ?(?P<last>{_DAY})(?:,? "
    rf"(?P<year><YEAR>))?(?! ?[ap]\.?m)",
)
@rule(
    "0 the",
    rf"(?:the )?(?P<first>{_DAY}) ?(?:-|to|through|until) ?(?:the )?(?P<last>{_DAY})(?: of)? (?P<month><MONTH>|<SHORT>)"
    r"(?: ?,? (?:in |of )?(?P<year><YEAR>))?",
)
def _days_of_month(match: re.Match[str], frame: Frame) -> Reading | None:
    month = month_of(match["month"])
    ends = _date(frame, _number(match["last"]), month, match["year"])
    begins = ends.begins.replace(day=_number(match["first"]))
    return Reading(begins, ends.ends, Precision.DAY) if begins < ends.ends else None


_AFTER_ORDINAL = re.compile(
    r"\s*(?:$|[.,;:!?)\n]|(?:i|we|he|she|they|you|it|my|our|at|and|or|for|to|with|in|is|was|so|but|if|because|there|from|until)"
    r"(?![a-z]))"
)


@rule("the", r"the (?P<day>\d{1,2}(?:st|nd|rd|th)|first|last day)(?: of (?P<of>(?:this|next|last|the) month))?")
def _day_of_some_month(match: re.Match[str], frame: Frame) -> Reading | None:
    of = match["of"]
    if of:
        first = calendar.plus_months(frame.today.replace(day=1), {"next month": 1, "last month": -1}.get(of, 0))
        if match["day"].startswith("last"):
            return calendar.day(calendar.plus_months(first, 1) - DAY)
        return calendar.day(first.replace(day=_number(match["day"])))
    cue = re.search(
        r"(?:^|[^a-z])(?:on|by|until|till|since|from|to|before|after|around)\s$",
        match.string[max(0, match.start() - 7) : match.start()],
    )
    if not match["day"][0].isdigit() or not cue or not _AFTER_ORDINAL.match(match.string, match.end()):
        return None
    return calendar.day_of_month(frame, _number(match["day"]))


# Without one of these before them, months that are also names or verbs are left alone.
_MONTH_CUE = re.compile(
    r"(?:^|[^a-z])(?:in|since|until|till|by|from|to|and|between|of|during|through|before|after|for|around|every)\s$"
)
_FIRM_MONTHS = {1, 2, 7, 9, 10, 11, 12}


@rule(
    _LONG_MONTHS, r"(?P<month><MONTH>)(?:(?:,| of)? (?P<year><YEAR>)| (?P<which>last year|this year|next year))?(?!')"
)
@rule(_SHORT_MONTHS, r"(?P<month><SHORT>)(?: (?P<year><YEAR>))?(?P<which>)")
@rule("last next this past", r"(?P<which>last|next|this|this past|past) (?P<month><MONTH>)(?P<year>)?")
def _month(match: re.Match[str], frame: Frame) -> Reading | None:
    month, which = month_of(match["month"]), match["which"] or ""
    capital = frame.raw[match.start("month")].isupper()
    if match["year"]:
        return calendar.period("month", datetime(int(match["year"]), month, 1))
    if which.endswith("year"):
        shift = {"last year": -1, "next year": 1}.get(which, 0)
        return calendar.period("month", datetime(frame.today.year + shift, month, 1))
    if not which:
        cue = _MONTH_CUE.search(match.string, max(0, match.start() - 9), match.start())
        short = not match["month"].startswith(tuple(_LONG_MONTHS.split()))
        if (short and not (cue and capital)) or (not cue and not (month in _FIRM_MONTHS and capital)):
            return None
        if (
            not capital
            and month in {3, 5}
            and not re.search(r"\b(?:in|since|until)\s$", match.string[max(0, match.start() - 7) : match.start()])
        ):
            return None
    if which and month in {3, 5} and not capital:
        return None
    if which == "this":
        return calendar.period("month", datetime(frame.today.year, month, 1))
    offset = {"last": -1, "past": -1, "this past": -1, "next": 1}.get(which)
    return calendar.month_named(frame, month, offset=offset)


_WHICH = {
    "end": "end",
    "late": "end",
    "beginning": "begin",
    "start": "begin",
    "early": "begin",
    "mid": "middle",
    "middle": "middle",
}


@rule(
    "the end beginning start middle",
    r"(?:the )?(?P<which>end|beginning|start|middle) of (?:(?:(?:the|this|last|next) )?(?P<unit>week|month|year|decade)"
    r"|(?P<month><MONTH>)(?: (?P<of><YEAR>))?|(?P<year><YEAR>)|the (?P<decade>(?:19|20)?\d0)'?s)",
)
@rule(
    "early late mid the",
    r"(?:the )?(?P<which>early|late|mid)(?:-| )(?:(?P<month><MONTH>)(?: (?P<of><YEAR>))?|(?P<year><YEAR>)(?!s)|"
    r"(?:the )?(?P<decade>(?:19|20)?\d0)'?s"
    r"|(?P<unit>week))",
)
def _part_of_period(match: re.Match[str], frame: Frame) -> Reading | None:
    which = _WHICH[match["which"]]
    if match["unit"]:
        unit = match["unit"]
        steps = 1 if " next " in match[0] else -1 if " last " in match[0] else 0
        start = frame.today if unit == "week" else frame.today.replace(day=1)
        return calendar.part(unit, calendar.period(unit, calendar.shifted(start, unit, steps)), which)
    if match["month"]:
        month = month_of(match["month"])
        if match["of"]:
            return calendar.part("month", calendar.period("month", datetime(int(match["of"]), month, 1)), which)
        return calendar.part("month", calendar.month_named(frame, month), which)
    if match["year"]:
        return calendar.part("year", calendar.whole_year(int(match["year"])), which)
    return calendar.part("decade", calendar.decade(int(match["decade"])), which)


_WEEK = r"(?:the )?(?P<which>first|second|third|fourth|last|1st|2nd|3rd|4th|final) (?:week|wk) of "


@rule("the first second third fourth last final 0", _WEEK + r"(?P<month><MONTH>|<SHORT>)(?:,? (?P<year><YEAR>))?")
@rule("the first second third fourth last final 0", _WEEK + r"(?P<side>this|last|next|the) month")
def _week_of_month(match: re.Match[str], frame: Frame) -> Reading:
    said = match.groupdict()
    word = match["which"]
    number = -1 if word in {"last", "final"} else _number(word)
    if said.get("year"):
        whole = calendar.period("month", datetime(int(match["year"]), month_of(match["month"]), 1))
    elif said.get("month"):
        whole = calendar.month_named(frame, month_of(match["month"]))
    else:
        steps = {"last": -1, "next": 1}.get(match["side"], 0)
        whole = calendar.period("month", calendar.plus_months(frame.today.replace(day=1), steps))
    return calendar.week_of_month(whole, number)


@rule(
    "in last next this the summer winter spring fall autumn during since",
    r"(?P<cue>(?:in|during|over|since|until) the|last|next|this past|this|the|in) "
    r"(?P<season>spring|summer|autumn|fall|winter)(?:(?: of|) (?P<year><YEAR>))?",
)
@rule(
    "summer winter spring fall autumn",
    r"(?P<cue>)(?P<season>spring|summer|autumn|fall|winter)(?: of|) (?P<year><YEAR>)",
)
def _season(match: re.Match[str], frame: Frame) -> Reading | None:
    cue, name = match["cue"], match["season"].replace("fall", "autumn")
    if match["year"]:
        return calendar.season(frame, name, year=int(match["year"]))
    if cue in {"the", "in"} and not (cue == "in" and name in {"summer", "winter", "autumn", "spring"}):
        return None
    if not re.match(
        r"\s*(?:$|[^a-z\s]|(?!break|water|of|from|into|camp|house)[a-z])", match.string[match.end() : match.end() + 12]
    ):
        return None
    offset = -1 if cue in {"last", "this past"} else 1 if cue == "next" else None
    return calendar.season(frame, name, offset=offset)


_NOT_YEAR = re.compile(r"\s?(?:dollars|people|miles|km|kg|lbs|euros|calories|years|steps|[%x]|[.,]\d)|s(?![a-z])")


_YEAR_CUE = re.compile(
    r"(?:(?:^|[^a-z])(?:in|since|until|till|of|by|from|between|year|around|during|before|after|through)"
    r"|(?:1[5-9]|20)\d\d (?:to|and|until|or|through))\s$|\($"
)
_AMOUNT_CUE = re.compile(r"(?:(?:total|sum|amount|limit|price|cost) of|(?:fell|rose|up|down|increased|reduced) by)\s$")


@rule("0", r"(?P<year><YEAR>)(?![-/:]\d|s)")
def _year(match: re.Match[str], _frame: Frame) -> Reading | None:
    start = match.start()
    if _NOT_YEAR.match(match.string, match.end()) or _AMOUNT_CUE.search(match.string, max(0, start - 16), start):
        return None
    if not _YEAR_CUE.search(match.string, max(0, start - 12), start):
        return None
    return calendar.whole_year(int(match["year"]))


_TENS = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}


@rule("the", r"the (?P<decade>(?:1[89]|20)?\d0)'?s|the '(?P<short>\d0)'?s")
@rule("the", r"the (?P<word>twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)")
def _decade(match: re.Match[str], _frame: Frame) -> Reading:
    said = match.groupdict()
    number = _TENS[said["word"]] if said.get("word") else int(said.get("decade") or said.get("short") or 0)
    return calendar.decade(number)


@rule(
    "q1 q2 q3 q4 the first second third fourth last 0",
    r"(?:the )?(?P<which>q[1-4]|(?:first|second|third|fourth) (?:quarter|half))"
    r"(?:(?: of|) (?P<year><YEAR>)| of (?P<side>this|last|next) year)?(?! (?:of|final|mile))",
)
def _quarter(match: re.Match[str], frame: Frame) -> Reading | None:
    word = match["which"]
    number = int(word[1]) if word[0] == "q" else _ORDINALS[word.split()[0]]
    months = 6 if word.endswith("half") else 3
    if number * months > 12 or (months == 6 and not (match["year"] or match["side"])):
        return None
    year = (
        int(match["year"]) if match["year"] else frame.today.year + {"last": -1, "next": 1}.get(match["side"] or "", 0)
    )
    begins = datetime(year, (number - 1) * months + 1, 1)
    return Reading(begins, calendar.plus_months(begins, months), Precision.QUARTER)


_HOLIDAY_STARTS = (
    "christmas xmas boxing new nye mlk martin groundhog valentine valentines presidents president st saint "
    "april ash good easter mother mothers memorial"
    " father fathers juneteenth july the 4th 0 independence labor labour columbus halloween veterans "
    "thanksgiving black cyber carnival fourth"
)


@rule(_HOLIDAY_STARTS, r"(?P<name><HOLIDAY>)(?:(?: of|,|) (?P<year><YEAR>)| (?P<side>last year|next year|this year))?")
@rule("last next this", r"(?P<side>last|next|this past|this) (?P<name><HOLIDAY>)(?P<year>)?")
def _holiday(match: re.Match[str], frame: Frame) -> Reading | None:
    name, side = " ".join(match["name"].split()), match["side"] or ""
    days = holiday_named("en", name)
    if side.endswith("year"):
        return holiday(frame, days, year=frame.today.year + {"last": -1, "next": 1}.get(side.split()[0], 0))
    offset = -1 if side in {"last", "this past"} else 1 if side == "next" else None
    return holiday(frame, days, year=int(match["year"]) if match["year"] else None, offset=offset)
