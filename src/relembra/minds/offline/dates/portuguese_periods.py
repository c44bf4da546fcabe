"""Portuguese dates with a name or a number: days of a month, months, seasons, years, holidays, and habits."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.holidays import holiday, holiday_named
from relembra.minds.offline.dates.mention import Frame, Precision, Reading
from relembra.minds.offline.dates.portuguese import (
    MONTHS,
    NUMBER_WORDS,
    PORTUGUESE,
    UNITS,
    count_of,
    month_of,
    year_of,
)

rule = PORTUGUESE.rule

_DAY = r"(?:\d{1,2}|primeiro|<NUM>)(?:o|a)?"
_STREET = re.compile(r"(?:rua|avenida|av\.?|praca|travessa|largo|bairro|colegio|escola)\s(?:d[aeo]\s)?(?:o\s)?$")


def _number_of_day(words: str) -> int | None:
    words = words.strip()
    if words[0].isdigit():
        return int(re.sub(r"\D", "", words))
    return 1 if words.startswith("primeiro") else count_of(words)


def _on_street(match: re.Match[str]) -> bool:
    return bool(_STREET.search(match.string, max(0, match.start() - 16), match.start()))


def _date(frame: Frame, number: int | None, month: int, year: str | None) -> Reading | None:
    if number is None:
        return None
    return calendar.day(datetime(year_of(year, frame), month, number)) if year else calendar.dated(frame, month, number)


@rule(
    NUMBER_WORDS | {"dia", "primeiro"},
    rf"(?:dia )?(?P<day>{_DAY})(?: de |/| |-)(?P<month><SHORT>)"
    r"(?:(?:,? de |/| |, |-|,? do ano de )(?P<year><YEAR>)|(?:/| de )(?P<short>[3-9]\d|(?<=/)\d\d)(?!\d| "
    r"[a-z]+s))?(?: (?P<which>passado|que vem))?",
)
def _day_and_month(match: re.Match[str], frame: Frame) -> Reading | None:
    if _on_street(match) or (match["month"] not in MONTHS and " " in match[0] and " de " not in match[0]):
        return None
    if match["which"]:
        frame = replace(frame, tense="past" if match["which"] == "passado" else "future")
    return _date(frame, _number_of_day(match["day"]), month_of(match["month"]), match["year"] or match["short"])


@rule(
    "0 dia dias entre",
    rf"(?:dias? |entre os dias )?(?P<first>{_DAY})(?: de (?P<other><SHORT>))?"
    rf"(?: a | ate (?:o )?(?:dia )?| ?- ?| e | ao (?:dia )?)(?P<last>{_DAY}) (?:de )?(?P<month><SHORT>)"
    r"(?:(?: de |/| )(?P<year><YEAR>))?",
)
def _days_of_month(match: re.Match[str], frame: Frame) -> Reading | None:
    ends = _date(frame, _number_of_day(match["last"]), month_of(match["month"]), match["year"])
    first = _number_of_day(match["first"])
    if ends is None or first is None or _on_street(match):
        return None
    month = month_of(match["other"]) if match["other"] else ends.begins.month
    begins = datetime(ends.begins.year - (month > ends.begins.month), month, first)
    return Reading(begins, ends.ends, Precision.DAY) if begins < ends.ends else None


@rule(
    "dia dias",
    rf"dia (?P<day>{_DAY})(?!/\d)(?P<of> d(?:o|este|esse) mes(?: que vem| passado| seguinte)?| do proximo mes)?"
    r"(?! (?:a dia|de (?:trabalho|viagem|aula)))",
)
def _day_of_some_month(match: re.Match[str], frame: Frame) -> Reading | None:
    number = _number_of_day(match["day"])
    if number is None or not 1 <= number <= 31:
        return None
    if match["of"] and "mes" in match["of"]:
        ahead = "que vem" in match["of"] or "proximo" in match["of"] or "seguinte" in match["of"]
        first = calendar.plus_months(frame.today.replace(day=1), 1 if ahead else -1 if "passado" in match["of"] else 0)
        return calendar.day(first.replace(day=number))
    return calendar.day_of_month(frame, number)


@rule(
    [*MONTHS, "mes"],
    r"(?:mes de )?(?P<month><MONTH>)(?:(?: de |/| |, )(?P<year><YEAR>)| de (?P<short>[3-9]\d)(?!\d)| "
    r"(?P<which>passado|que vem|deste "
    r"ano|desse ano|do ano passado|do ano que vem))?",
)
@rule(
    "proximo ultimo este esse neste nesse todo",
    r"(?P<which>proximo|ultimo|este|esse|neste|nesse) (?P<month><MONTH>)(?P<year>)?",
)
@rule([name[:3] for name in MONTHS], r"(?P<month><SHORT>)[/ ](?P<year><YEAR>)(?P<which>)")
def _month(match: re.Match[str], frame: Frame) -> Reading | None:
    before = match.string[max(0, match.start() - 8) : match.start()]
    month, which = month_of(match["month"]), match["which"] or ""
    if before.endswith("rio de ") or (
        match["month"] == "marco"
        and not match["year"]
        and not which
        and not re.search(r"\b(?:em|de|ate|desde|e|a) $", before)
    ):
        return None
    year = match["year"] or match.groupdict().get("short")
    if year:
        return calendar.period("month", datetime(year_of(year, frame), month, 1))
    if which.endswith("ano") or which.startswith("do ano"):
        shift = -1 if which.endswith("passado") else 1 if which.endswith("vem") else 0
        return calendar.period("month", datetime(frame.today.year + shift, month, 1))
    if which in {"este", "esse", "neste", "nesse"}:
        return calendar.period("month", datetime(frame.today.year, month, 1))
    offset = {"passado": -1, "ultimo": -1, "que vem": 1, "proximo": 1}.get(which)
    return calendar.month_named(frame, month, offset=offset)


_WHICH = {"fi": "end", "in": "begin", "co": "begin", "me": "middle"}


@rule(
    "fim final inicio comeco meio meados fins",
    r"(?P<which>fi(?:m|nal|ns)|inicio|comeco|meio|meados) (?:d[oae](?:st[ea]|ss[ea])?|d[ae]) "
    r"(?:(?P<unit>mes|semana|ano|decada)(?P<side> passad[oa]| que vem)?|(?:mes de )?(?P<month><MONTH>)"
    r"(?:(?: de |/| )(?P<of><YEAR>))?|(?P<year><YEAR>))",
)
@rule(
    "fim final inicio comeco meio meados fins",
    r"(?P<which>fi(?:m|nal|ns)|inicio|comeco|meio|meados) dos anos "
    r"(?P<decade>\d\d(?:\d\d)?)(?P<unit>)(?P<side>)(?P<month>)(?P<of>)(?P<year>)",
)
def _part(match: re.Match[str], frame: Frame) -> Reading | None:
    which = _WHICH[match["which"][:2]]
    if match["unit"]:
        unit = UNITS[match["unit"]]
        side = (match["side"] or "").strip()
        start = frame.today if unit == "week" else frame.today.replace(day=1)
        whole = calendar.period(unit, calendar.shifted(start, unit, {"": 0, "que vem": 1}.get(side, -1)))
        return calendar.part(unit, whole, which)
    if match["month"]:
        if match["of"]:
            return calendar.part(
                "month", calendar.period("month", datetime(int(match["of"]), month_of(match["month"]), 1)), which
            )
        return calendar.part("month", calendar.month_named(frame, month_of(match["month"])), which)
    if match["year"]:
        return calendar.part("year", calendar.whole_year(int(match["year"])), which)
    return calendar.part("decade", _decade_of(int(match["decade"])), which)


_WEEK_ORDINALS = {"primeira": 1, "segunda": 2, "terceira": 3, "quarta": 4, "ultima": -1}


@rule(
    "primeira segunda terceira quarta ultima",
    r"(?P<which>primeira|segunda|terceira|quarta|ultima) semana d(?:e|o mes de) (?P<month><MONTH>)(?: de "
    r"(?P<year><YEAR>))?",
)
@rule(
    "primeira segunda terceira quarta ultima",
    r"(?P<which>primeira|segunda|terceira|quarta|ultima) semana d(?:o|este|esse) mes(?P<side> passado| que vem)?",
)
def _week_of_month(match: re.Match[str], frame: Frame) -> Reading:
    said = match.groupdict()
    if said.get("year"):
        whole = calendar.period("month", datetime(int(match["year"]), month_of(match["month"]), 1))
    elif said.get("month"):
        whole = calendar.month_named(frame, month_of(match["month"]))
    else:
        steps = {" passado": -1, " que vem": 1}.get(said.get("side") or "", 0)
        whole = calendar.period("month", calendar.plus_months(frame.today.replace(day=1), steps))
    return calendar.week_of_month(whole, _WEEK_ORDINALS[match["which"]])


_SEASONS = {"verao": "summer", "outono": "autumn", "inverno": "winter", "primavera": "spring"}


@rule(
    "no na neste nesta nesse nessa proximo proxima ultimo ultima este esta esse essa desde ate o a",
    r"(?P<cue>n[oa]|n?es[ts][ea]|proxim[oa]|ultim[oa]|o|a) (?P<season>verao|outono|inverno|primavera)"
    r"(?: de (?P<year><YEAR>)| (?P<side>passad[oa]|que vem))?",
)
@rule(
    "verao outono inverno primavera",
    r"(?P<cue>)(?P<season>verao|outono|inverno|primavera) (?:de (?P<year><YEAR>)|"
    r"(?P<side>passad[oa]|que vem))",
)
def _season(match: re.Match[str], frame: Frame) -> Reading | None:
    cue, side = match["cue"], match["side"] or ""
    if cue in {"o", "a"} and not (match["year"] or side):
        return None
    if match["year"]:
        return calendar.season(frame, _SEASONS[match["season"]], year=int(match["year"]))
    offset = (
        -1 if side.startswith("passad") or cue.startswith("ultim") else 1 if side or cue.startswith("proxim") else None
    )
    return calendar.season(frame, _SEASONS[match["season"]], offset=offset)


_NOT_YEAR = re.compile(r"\s?(?:reais|pessoas|mil|metros|km|kg|dolares|euros|calorias|anos|por|[%x]|[.,]\d)")


_YEAR_CUE = re.compile(
    r"(?:(?:^|[^a-z])(?:em|desde|ate|de|ano|anos|entre|apos|durante)|(?:1[5-9]|20)\d\d (?:a|e|ate|ou))\s$|\($"
)
_AMOUNT_CUE = re.compile(r"(?:mais|menos|cerca|perto|alem|acima|total) de\s$")


@rule("0", r"(?P<year><YEAR>)(?![-/:]\d)")
def _year(match: re.Match[str], _frame: Frame) -> Reading | None:
    start = match.start()
    if _NOT_YEAR.match(match.string, match.end()) or _AMOUNT_CUE.search(match.string, max(0, start - 12), start):
        return None
    if not _YEAR_CUE.search(match.string, max(0, start - 12), start):
        return None
    return calendar.whole_year(int(match["year"]))


_TENS = {
    "vinte": 20,
    "trinta": 30,
    "quarenta": 40,
    "cinquenta": 50,
    "sessenta": 60,
    "setenta": 70,
    "oitenta": 80,
    "noventa": 90,
}


@rule(
    "anos decada",
    r"(?:anos|decada de) (?P<decade>\d0|\d\d\d0|vinte|trinta|quarenta|cinquenta|sessenta|setenta|"
    r"oitenta|noventa|dois mil)",
)
def _decade(match: re.Match[str], _frame: Frame) -> Reading:
    word = match["decade"]
    return _decade_of(int(word) if word.isdigit() else _TENS.get(word, 2000))


def _decade_of(number: int) -> Reading:
    """Two digits lie in the last century, save 0, 10 and 20."""
    year = number if number > 99 else 1900 + number if number > 20 else 2000 + number
    return calendar.period("decade", datetime(year, 1, 1))


_ORDINALS = {"primeiro": 1, "segundo": 2, "terceiro": 3, "quarto": 4, "ultimo": -1}


@rule(
    "primeiro segundo terceiro quarto 0",
    r"(?P<which>primeiro|segundo|terceiro|quarto|[1-4]o?) (?P<unit>trimestre|"
    r"semestre|bimestre)(?:(?: de|/) ?(?P<year><YEAR>)| d(?:e[st]?[st]e|o) ano(?P<side> passado| que vem)?)?",
)
def _quarter(match: re.Match[str], frame: Frame) -> Reading | None:
    word = match["which"]
    number = int(word[0]) if word[0].isdigit() else _ORDINALS[word]
    months = {"bimestre": 2, "trimestre": 3, "semestre": 6}[match["unit"]]
    year = int(match["year"]) if match["year"] else frame.today.year
    year += {" passado": -1, " que vem": 1}.get(match["side"] or "", 0)
    if number * months > 12:
        return None
    begins = datetime(year, (number - 1) * months + 1, 1)
    return Reading(begins, calendar.plus_months(begins, months), Precision.QUARTER)


@rule(
    "vespera vesperas noite ceia reveillon virada dia almoco presente presentes ferias festa festas feriado "
    "manha natal ano"
    " carnaval quarta sexta domingo pascoa corpus finados fogueira halloween black",
    r"(?P<name><HOLIDAY>)"
    r"(?:(?: de|) (?P<year><YEAR>)| (?P<side>passado|passada|que vem)| do ano (?P<of>passado|que vem))?",
)
@rule("proximo proxima ultimo ultima", r"(?P<side><NEXT>|<LAST>) (?P<name><HOLIDAY>)(?P<year>)?(?P<of>)?")
def _holiday(match: re.Match[str], frame: Frame) -> Reading | None:
    name, side = " ".join(match["name"].split()), match["side"] or match["of"] or ""
    before = match.string[max(0, match.start() - 8) : match.start()]
    if (
        name == "natal"
        and not (side or match["year"])
        and re.search(r"(?:^|[^a-z])(?:em|para|sou de|moro|de|pra) $", before)
    ):
        return None  # the town
    year = int(match["year"]) if match["year"] else None
    offset = -1 if side.startswith(("passad", "ultim")) else 1 if side else None
    return holiday(frame, holiday_named("pt", name), year=year, offset=offset)
