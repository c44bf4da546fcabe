"""Portuguese for what happens again and again; each mention holds the occurrence running or coming next."""

from __future__ import annotations

import re
from dataclasses import replace

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.calendar import DAY
from relembra.minds.offline.dates.mention import Frame, Kind, Reading
from relembra.minds.offline.dates.portuguese import NUMBER_WORDS, PORTUGUESE, unit_of, weekday_of

rule = PORTUGUESE.rule

_PARTS = {"manha": "morning", "tarde": "afternoon", "noite": "night", "madrugada": "dawn"}


@rule(
    "todo toda todos todas cada",
    r"(?:tod[oa]s?(?: [oa]s)?(?: santo)?|cada) (?P<unit>dia|semana|mes|ano|hora|fi(?:m|nal) de semana|"
    r"trimestre|semestre|dias|semanas|meses|anos|fi(?:ns|nais) de semana)(?: (?P<n>\d{1,2})(?! h))?",
)
def _every(match: re.Match[str], frame: Frame) -> Reading | None:
    unit = match["unit"]
    if match["n"]:
        return _habit(calendar.day_of_month(replace(frame, tense=None), int(match["n"]))) if unit == "dia" else None
    return _habit(calendar.period("weekend" if unit.startswith("fi") else unit_of(unit), frame.now))


def _habit(reading: Reading) -> Reading:
    return replace(reading, kind=Kind.RECURRING, floating=False)


@rule(
    "toda todas todo todos",
    r"tod[oa]s?(?: as| os)? (?P<first><PLURAL_WEEKDAY>|<WEEKDAY>)(?:(?:,| e) (?:<PLURAL_WEEKDAY>|<WEEKDAY>)){0,6}",
)
@rule(
    "as aos nas nos",
    r"(?:as|aos|nas|nos) (?P<first><PLURAL_WEEKDAY>)(?:(?:,| e)(?: as| aos)? (?:<PLURAL_WEEKDAY>)){0,6}",
)
def _every_weekday(match: re.Match[str], frame: Frame) -> Reading | None:
    names = re.findall(r"segunda|terca|quarta|quinta|sexta|sabado|domingo", match[0])
    if re.match(r"\s(?:parte|vez|vezes|opc)", match.string[match.end() : match.end() + 6]):
        return None
    ahead = min((weekday_of(name) - frame.today.weekday()) % 7 for name in names)
    return replace(_habit(calendar.day(frame.today + ahead * DAY)), weekday=True)


@rule("toda todas", r"todas?(?: as)? (?P<part>manha|tarde|noite|madrugada)s?")
def _every_part(match: re.Match[str], frame: Frame) -> Reading:
    return _habit(calendar.within(frame.today, calendar.part_of_day(_PARTS[match["part"]])))


@rule(
    NUMBER_WORDS | {"varias", "algumas"},
    r"(?:<NUM>|varias|algumas) (?:vez|vezes|x) (?:por|ao|a|no|na) (?P<unit>dia|semana|mes|ano)",
)
@rule("0", r"\dx (?:por|ao|a|na|no) (?P<unit>dia|semana|mes|ano)")
@rule("a de", r"(?:a cada|de) (?:<NUM>)(?: em (?:<NUM>))? (?P<unit>dias?|semanas?|mes(?:es)?|anos?|horas?)")
@rule("uma", r"(?P<unit>semana|mes|dia) sim,? (?:semana|mes|dia) nao")
def _times_per(match: re.Match[str], frame: Frame) -> Reading | None:
    if match[0].startswith("de") and " em " not in match[0]:
        return None
    return _habit(calendar.period(unit_of(match["unit"]), frame.now))


@rule("dia semana", r"(?P<unit>dia|semana) sim,? (?:um )?(?:dia|semana) nao")
@rule("diariamente semanalmente mensalmente anualmente", r"(?P<unit>diaria|semanal|mensal|anual)mente")
def _adverb(match: re.Match[str], frame: Frame) -> Reading:
    unit = {"diaria": "day", "semanal": "week", "mensal": "month", "anual": "year", "dia": "day", "semana": "week"}
    return _habit(calendar.period(unit[match["unit"]], frame.now))
