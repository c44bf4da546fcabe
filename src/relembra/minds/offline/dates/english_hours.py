"""English clock times and parts of the day, most of which need a day beside them to mean anything."""

from __future__ import annotations

import re
from datetime import timedelta

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.calendar import DAY
from relembra.minds.offline.dates.english import ENGLISH, count_of
from relembra.minds.offline.dates.mention import Frame, Kind, Precision, Reading, TimeOfDay
from relembra.minds.offline.dates.portuguese_hours import clock

rule = ENGLISH.rule

_PART = "morning|afternoon|evening|night"


@rule(
    "morning afternoon evening night in at during",
    rf"(?:(?:in|at|during) (?:the )?)?(?:early |late )?(?P<part>{_PART})",
)
def _part(match: re.Match[str], _frame: Frame) -> TimeOfDay:
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
