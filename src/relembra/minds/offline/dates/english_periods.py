"""English dates with a name or a number: days of a month, months, seasons, years, holidays, and habits."""

from __future__ import annotations

import re
from datetime import datetime

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.calendar import DAY
from relembra.minds.offline.dates.english import (
    ENGLISH,
    month_of,
)
from relembra.minds.offline.dates.holidays import holiday, holiday_named
from relembra.minds.offline.dates.mention import Frame, Precision, Reading
from relembra.minds.offline.flat import listed

rule = ENGLISH.rule

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
def _part(match: re.Match[str], frame: Frame) -> Reading | None:
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
    return calendar.part("decade", _decade_of(int(match["decade"])), which)


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
    return _decade_of(number)


def _decade_of(number: int) -> Reading:
    """Two digits lie in the last century, save 0, 10 and 20."""
    year = number if number > 99 else 1900 + number if number > 20 else 2000 + number
    return calendar.period("decade", datetime(year, 1, 1))


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
