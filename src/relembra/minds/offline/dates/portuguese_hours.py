"""Portuguese clock times and parts of the day, most of which need a day beside them to mean anything."""

from __future__ import annotations

import re
from datetime import timedelta

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.mention import Frame, Precision, Reading, TimeOfDay
from relembra.minds.offline.dates.portuguese import PORTUGUESE, count_of

rule = PORTUGUESE.rule

_PARTS = {"manha": "morning", "tarde": "afternoon", "noite": "night", "madrugada": "dawn", "noitinha": "night"}
_PART = r"manha|tarde|noite|madrugada|noitinha"


def clock(hour: int, minute: int | None, *, loose: bool = False, approximate: bool = False) -> TimeOfDay | None:
    """An hour alone stands for its sixty minutes; 24:00 is the midnight that ends the day."""
    if hour > 24 or (minute or 0) > 59 or (hour == 24 and minute):
        return None
    begins = timedelta(hours=hour, minutes=minute or 0)
    length = timedelta(hours=1) if minute is None else timedelta(minutes=1)
    precision = Precision.HOUR if minute is None else Precision.MINUTE
    return TimeOfDay(begins, begins + length, precision, loose=loose, approximate=approximate)


@rule("a de pela", rf"(?:a|de|pela|na) (?P<part>{_PART})(?: inteira)?")
@rule("manha tarde noite madrugada", rf"(?P<part>{_PART})")
def _part(match: re.Match[str], _frame: Frame) -> TimeOfDay:
    return calendar.part_of_day(_PARTS[match["part"]])


@rule("esta essa nesta nessa desta dessa", rf"(?:n|d)?es[ts]a (?P<part>{_PART})")
def _this_part(match: re.Match[str], frame: Frame) -> Reading:
    return calendar.within(frame.today, calendar.part_of_day(_PARTS[match["part"]]))


_OF_PART = rf"(?:,? (?:da|de|a|na) (?P<part>{_PART}))?"
_MINUTES = {
    "meia": 30,
    "quinze": 15,
    "vinte": 20,
    "dez": 10,
    "cinco": 5,
    "vinte e cinco": 25,
    "quarenta": 40,
    "quarenta e cinco": 45,
}


@rule(
    "as a das pelas umas pras por la",
    r"(?P<cue>as|a|das|pelas|pras|umas|por volta d[ae]s?|la pelas) "
    rf"(?P<hour>\d{{1,2}})(?: ?h(?:oras?|s)? ?(?P<min>\d\d)?(?: ?min)?|:(?P<colon>\d\d)h?)?{_OF_PART}",
)
def _clock_with_cue(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    written = match[0][match.end("hour") - match.start() :]
    bare = not written.strip() or (match["part"] is None and not re.match(r" ?h|:", written))
    if bare and (not _at(match) or not _clock_may_end(match)):
        return None
    minutes = match["min"] or match["colon"]
    return _placed(
        int(match["hour"]),
        int(minutes) if minutes else None,
        match["part"],
        loose=bare,
        about=match["cue"] in {"pelas", "umas", "la pelas"} or match["cue"].startswith("por"),
    )


def _at(match: re.Match[str]) -> bool:
    """Only "às", "das" and "pelas" name an hour without its h; a flat "as" has lost the accent that would tell."""
    return match["cue"] in {"as", "pelas", "pras", "la pelas"} or match["cue"].startswith("por volta")


_AFTER_CLOCK = re.compile(
    r"\s*(?:$|[.,;:!?)\n]|(?:em|no|na|da|de|do|e|com|pra|para|hoje|amanha|eu|a gente|ele|ela|que|ou|sem|ja|tenho|tem|"
    r"segunda|terca|quarta|quinta|sexta|sabado|domingo|la|ate|vou|vamos|por favor)(?![a-z]))"
)


def _clock_may_end(match: re.Match[str]) -> bool:
    return bool(_AFTER_CLOCK.match(match.string, match.end()))


@rule(
    "as das pelas",
    r"(?P<cue>as|das|pelas) (?P<hour>uma|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze)"
    r"(?P<h> horas?)?(?: e (?P<min>meia|quinze|vinte e cinco|vinte|dez|cinco|quarenta e cinco|quarenta))?(?: em ponto)?"
    + _OF_PART,
)
def _spelled_clock(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    if not (match["part"] or match["h"] or match["min"]) and not _clock_may_end(match):
        return None
    hour = count_of(match["hour"])
    minute = _MINUTES[" ".join(match["min"].split())] if match["min"] else None
    return None if hour is None else _placed(hour, minute, match["part"], loose=True)


@rule(
    "das entre",
    r"(?:das|entre(?: as)?) (?P<a>\d{1,2})(?: ?h| ?horas)? (?:as|ate as|a|e(?: as)?) (?P<b>\d{1,2})(?P<h> ?hs?| horas)?"
    + _OF_PART,
)
def _clock_range(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    """ "Das 9 às 17"; with "entre" the h must be said, for things lie between numbers too."""
    first, last = int(match["a"]), int(match["b"])
    if match[0].startswith("entre") and not (match["h"] or match["part"]):
        return None
    if match["part"] in {"tarde", "noite"}:
        first, last = (hour + 12 if hour < 12 else hour for hour in (first, last))
    if not first < last <= 24:
        return None
    return TimeOfDay(timedelta(hours=first), timedelta(hours=last), Precision.HOUR)


_LASTING = re.compile(
    r"(?:por|durante|ha|faz|em|dormi|dormir|levou|levei|durou|trabalhei|trabalho|de|umas|mais|daqui a)\s$"
)


@rule(
    "0",
    r"(?P<hour>\d{1,2})(?:h(?:rs?|s)?(?P<min>\d\d)?(?:min)?| ?horas(?= d[ae])| horas em ponto|:(?P<colon>\d\d)h?)"
    + _OF_PART,
)
def _bare_clock(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    before = match.string[max(0, match.start() - 10) : match.start()]
    minutes = match["min"] or match["colon"]
    if not minutes and not match["part"]:
        after = match.string[match.end() : match.end() + 14]
        if _LASTING.search(before) or re.match(r"\s+(?:por|de|diarias|semanais|seguidas|a mais|depois|atras)", after):
            return None
    if match["colon"] and ((len(match["hour"]) < 2 and not match["part"]) or before.endswith((":", "/", "."))):
        return None
    if (
        match.string[match.end() : match.end() + 1] == ":"
        and not match.string[match.end() : match.end() + 3][1:].isdigit()
    ):
        return None
    return _placed(int(match["hour"]), int(minutes) if minutes else None, match["part"])


@rule("meio meia ao a", r"(?:ao |a )?(?P<name>meio[- ]dia|meia[- ]noite)(?P<half> e mei[ao])?")
def _noon(match: re.Match[str], _frame: Frame) -> TimeOfDay | None:
    return clock(12 if "dia" in match["name"] else 24, 30 if match["half"] and "dia" in match["name"] else None)


def _placed(
    hour: int, minute: int | None, part: str | None, *, loose: bool = False, about: bool = False
) -> TimeOfDay | None:
    """With a part of the day the hour is sure; a loose one from 1 to 6 is read as afternoon."""
    if (part in {"tarde", "noite", "noitinha"} and hour < 12) or (not part and loose and 1 <= hour <= 6):
        hour += 12
    return clock(hour, minute, loose=loose and part is None, approximate=about)
