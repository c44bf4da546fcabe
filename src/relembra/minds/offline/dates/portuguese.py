"""Portuguese dates relative to the day of speaking: days, weekdays, weeks and counts of them.

Clock times and parts of the day are in `portuguese_hours`, named and numbered periods in `portuguese_periods`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.calendar import DAY, WEEK
from relembra.minds.offline.dates.holidays import HOLIDAYS
from relembra.minds.offline.dates.mention import Frame, Kind, Precision, Reading
from relembra.minds.offline.dates.rules import DIGIT, Grammar
from relembra.minds.offline.flat import listed
from relembra.minds.offline.numbers import PORTUGUESE_NUMBER, number_value

__all__ = ["MONTHS", "PORTUGUESE", "UNITS", "count_of", "month_of", "unit_of", "weekday_of", "year_of"]

WEEKDAYS = {"segunda": 0, "terca": 1, "quarta": 2, "quinta": 3, "sexta": 4, "sabado": 5, "domingo": 6}
MONTHS = {
    name: number
    for number, name in enumerate(
        listed("janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro"), start=1
    )
}
_SHORT_MONTHS = {name[:3]: number for name, number in MONTHS.items()}
UNITS = {
    "minuto": "minute",
    "hora": "hour",
    "dia": "day",
    "semana": "week",
    "quinzena": "fortnight",
    "mes": "month",
    "trimestre": "quarter",
    "semestre": "semester",
    "ano": "year",
    "decada": "decade",
}
NUMBER_WORDS = frozenset(
    listed(
        "um uma dois duas tres quatro cinco seis sete oito nove dez onze doze treze catorze quatorze quinze dezesseis"
        " dezessete dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento mil"
    )
) | {DIGIT}

PORTUGUESE = Grammar(
    {
        "NUM": PORTUGUESE_NUMBER,
        "WEEKDAY": r"(?:segunda|terca|quarta|quinta|sexta)(?:[- ]feira)?|[2-6][ao]?[- ]feira|sabado|domingo",
        "PLURAL_WEEKDAY": r"(?:segundas|tercas|quartas|quintas|sextas)(?:[- ]feiras?)?|sabados|domingos",
        "MONTH": "|".join(MONTHS),
        "SHORT": "|".join((*MONTHS, *_SHORT_MONTHS)),
        "UNIT": r"minutos?|min|horas?|h|dias?|fi(?:m|ns|nal|nais) de semana|semanas?|quinzenas?|mes(?:es)?|"
        r"trimestres?|semestres?|anos?|decadas?",
        "YEAR": r"(?:1[5-9]|20)\d\d",
        "HOLIDAY": HOLIDAYS["pt"].replace("(?P", "(?:"),
        "THIS": r"est[ae]|ess[ae]|nest[ae]|ness[ae]|dest[ae]|dess[ae]",
        "NEXT": r"proxim[ao]",
        "LAST": r"ultim[ao]",
    }
)
rule = PORTUGUESE.rule


def count_of(words: str) -> int | None:
    return number_value(" ".join(words.split()), "pt")


def weekday_of(word: str) -> int:
    """From any form: "segunda-feira", "sextas", "2ª feira"."""
    if word[0].isdigit():
        return int(word[0]) - 2
    stem = re.split(r"[-\s]", word, maxsplit=1)[0]
    return WEEKDAYS[stem if stem in WEEKDAYS else stem.removesuffix("s")]


def month_of(word: str) -> int:
    return _SHORT_MONTHS[word[:3]]


def year_of(digits: str, frame: Frame) -> int:
    """Two digits mean the last hundred years, plus the ten to come."""
    if len(digits) > 2:
        return int(digits)
    year = frame.now.year // 100 * 100 + int(digits)
    return year - 100 if year > frame.now.year + 10 else year


def unit_of(word: str) -> str:
    if word.startswith("fi"):
        return "weekend"
    if word in {"min", "h"}:
        return "minute" if word == "min" else "hour"
    return UNITS[word if word in UNITS else "mes" if word == "meses" else word.removesuffix("s")]


_DAYS = {"hoje": 0, "hj": 0, "ontem": -1, "amanha": 1, "anteontem": -2, "antes de ontem": -2, "depois de amanha": 2}


@rule("hoje hj ontem amanha anteontem", r"(?P<day>hoje|hj|ontem|amanha|anteontem)(?! em dia)")
@rule("depois antes", r"(?P<day>depois de amanha|antes de ontem)")
def _named_day(match: re.Match[str], frame: Frame) -> Reading:
    return calendar.day(frame.today + _DAYS[" ".join(match["day"].split())] * DAY)


@rule(
    "segunda terca quarta quinta sexta sabado domingo 0",
    r"(?P<weekday><WEEKDAY>),? (?P<which>que vem|passad[ao]|"
    r"retrasad[ao]|proxim[ao]|agora|dess?ta semana|da semana (?:que vem|passada))",
)
@rule("proxima proximo ultima ultimo", r"(?P<which><NEXT>|<LAST>) (?P<weekday><WEEKDAY>)")
@rule(
    "este esta esse essa neste nesta nesse nessa deste desta desse dessa",
    r"(?P<which><THIS>) (?P<weekday><WEEKDAY>)"
    r"(?: agora)?",
)
def _weekday_with_side(match: re.Match[str], frame: Frame) -> Reading | None:
    weekday, which = weekday_of(match["weekday"]), match["which"]
    if _ordinal(match, frame):
        return None
    if which.startswith("da semana"):
        return calendar.weekday_of_week(frame, weekday, weeks=1 if which.endswith("vem") else -1)
    if which == "que vem" or which.startswith("proxim"):
        return calendar.one_weekday(frame, weekday, direction=1)
    if which.startswith(("passad", "ultim")):
        return calendar.one_weekday(frame, weekday, direction=-1)
    if which.startswith("retrasad"):
        last = calendar.one_weekday(frame, weekday, direction=-1)
        return calendar.day(last.begins - WEEK)
    return calendar.this_weekday(frame, weekday)


_AFTER_WEEKDAY = re.compile(
    r"\s*(?:$|[^\sa-z0-9]|\d|(?:a|as|ao|aos|da|de|do|dia|que|e|ou|eu|ele|ela|eles|elas|nos|voce|vc|a gente|tem|"
    r"tenho|tera|"
    r"teve|tive|com|sem|pra|para|pro|no|na|em|foi|fui|fomos|vai|vou|vamos|se|mas|ja|nao|por|cedo|so|sera|era|esta|"
    r"estou|estava|minha|meu|nosso|nossa|eh|depois|antes|apos|agora|ai|la|aqui|mesmo|quando|porque|ate|tudo|muito|"
    r"ainda|tambem|comeca|comeco|comecei|choveu|faz|fiz|fez|chego|chega|cheguei|bem|tipo|passei|vem|vamo|acho|quero|"
    r"preciso|santa|fica|marcamos|marquei|sai|saio|volto|volta)(?![a-z]))"
)
_BEFORE_ORDINAL = re.compile(
    r"(?:^|[^a-z])(?:a|as|uma|um|minha|sua|nossa|tua|pela|cada|outra|quarta|essa e a|o|dom)\s$"
)


def _ordinal(match: re.Match[str], _frame: Frame) -> bool:
    """Whether "segunda", "quarta"… counts things here ("segunda opção", "na quarta série") instead of naming a day."""
    word = match["weekday"]
    if word[0].isdigit() or "feira" in word or word.startswith(("sabado", "domingo")):
        return False
    if match.end("weekday") == match.end() and not _AFTER_WEEKDAY.match(match.string, match.end()):
        return True
    return match.start() == match.start("weekday") == match.end() - len(word) and bool(
        _BEFORE_ORDINAL.search(match.string, max(0, match.start() - 10), match.start())
    )


@rule("segunda terca quarta quinta sexta sabado domingo 0", r"(?P<weekday><WEEKDAY>)")
def _bare_weekday(match: re.Match[str], frame: Frame) -> Reading | None:
    if _ordinal(match, frame):
        return None
    if re.search(
        r"(?:^|[^a-z])(?:pra|para|pro|ate) (?:o |a )?$", match.string[max(0, match.start() - 9) : match.start()]
    ):
        frame = replace(frame, tense=None)  # what is set for a day lies ahead, although it was set already
    return calendar.bare_weekday(frame, weekday_of(match["weekday"]))


@rule(
    "semana mes ano decada trimestre semestre fim final",
    r"(?P<unit>semana|mes|ano|decada|trimestre|semestre|fi(?:m|nal) de semana)"
    r" (?P<which>que vem|passad[oa]|retrasad[oa]|seguinte|atual)",
)
@rule(
    "proxima proximo ultima ultimo outra",
    r"(?P<which><NEXT>|<LAST>|outra) (?P<unit>semana|mes|ano|decada|trimestre|"
    r"semestre|fi(?:m|nal) de semana)",
)
@rule(
    "este esta esse essa neste nesta nesse nessa deste desta desse dessa",
    r"(?P<which><THIS>) (?P<unit>semana|mes|"
    r"ano|trimestre|semestre|fi(?:m|nal) de semana)",
)
def _unit_with_side(match: re.Match[str], frame: Frame) -> Reading:
    which, unit = match["which"], match["unit"]
    steps = (
        1
        if which.startswith(("que", "proxim", "outra", "seguinte"))
        else -1
        if which[:6] in {"passad", "ultimo", "ultima"}
        else -2
        if which.startswith("retrasad")
        else 0
    )
    if unit.startswith("fi"):
        return _weekend(frame, steps)
    return calendar.period(
        UNITS[unit],
        calendar.shifted(frame.today.replace(day=1) if unit != "semana" else frame.today, UNITS[unit], steps),
    )


def _weekend(frame: Frame, steps: int) -> Reading:
    """The next weekend is the coming one, unless it has begun already."""
    begun = frame.today.weekday() >= 5
    return calendar.weekend(frame, weeks=steps - 1 if steps > 0 and not begun else steps)


@rule("fim final", r"fi(?:m|nal) de semana")
def _bare_weekend(_match: re.Match[str], frame: Frame) -> Reading:
    return calendar.weekend(frame)


_SHORT_CUE = re.compile(r"(?:(?:^|[^a-z])(?:na|no|ate|toda|ou|proxim[ao]|ultim[ao]|desde|nesta|nessa)|,)\s$")
_SHORT_WEEKDAYS = {"seg": 0, "ter": 1, "qua": 2, "qui": 3, "sex": 4, "sab": 5, "dom": 6}


@rule("seg ter qua qui sex sab dom", r"(?P<weekday>seg|ter|qua|qui|sex|sab|dom)(?:\.|(?![a-z]))(?! [a-z]+r(?![a-z]))")
def _short_weekday(match: re.Match[str], frame: Frame) -> Reading | None:
    """Only where a day is expected: "ter" is a verb and "dom" a name."""
    if not _SHORT_CUE.search(match.string, max(0, match.start() - 9), match.start()):
        return None
    return calendar.bare_weekday(frame, _SHORT_WEEKDAYS[match["weekday"]])


@rule(
    "segunda terca quarta quinta sexta sabado domingo",
    r"(?P<weekday><WEEKDAY>),? (?:dia )?(?P<day>[12]?\d|3[01])(?!\d|[/:.,-]\d| ?h|x| ?%| (?:de|do|a|vezes|anos|"
    r"horas) )",
)
def _weekday_and_number(match: re.Match[str], frame: Frame) -> Reading:
    return calendar.weekday_and_number(frame, weekday_of(match["weekday"]), int(match["day"]))


_FEW = {"alguns", "algumas", "uns", "umas", "poucos", "poucas"}
_COUNT = (
    r"(?P<about>(?:uns|umas|quase|cerca de|mais ou menos|aproximadamente|mais de) )?(?P<n><NUM>|alguns|algumas|"
    r"uns poucos|umas poucas|uns|umas|poucos|poucas|meia)"
)


@rule(
    "ha faz fazem tem tinha fazia",
    rf"(?:(?P<is>tem|tinha)|ha|faz(?:em|ia)?(?: mais de)?) (?:ja )?{_COUNT} (?P<unit><UNIT>)"
    r"(?P<half> e meia| e meio)?(?(is) que|(?: atras)?)",
)
@rule(NUMBER_WORDS | _FEW | {"cerca", "quase", "meia"}, rf"{_COUNT} (?P<unit><UNIT>)(?P<half> e mei[ao])? atras")
def _ago(match: re.Match[str], frame: Frame) -> Reading | None:
    return _counted(match, frame, -1)


@rule("daqui dentro", rf"(?:daqui(?: a|h)?|dentro de) {_COUNT} (?P<unit><UNIT>)(?P<half> e mei[ao])?")
def _ahead(match: re.Match[str], frame: Frame) -> Reading | None:
    return _counted(match, frame, 1)


@rule("em", rf"em {_COUNT} (?P<unit><UNIT>)(?P<half> e mei[ao])?(?! (?:anos|de idade|de vida))")
def _in(match: re.Match[str], frame: Frame) -> Reading | None:
    return _lasting(match, frame) if frame.past else _counted(match, frame, 1)


def _amount(match: re.Match[str]) -> tuple[int, str, bool] | None:
    """Count, unit and whether it is vague; halves are told in the next smaller unit."""
    unit, words = unit_of(match["unit"]), match["n"]
    vague = bool(match["about"])
    if words == "meia":
        return (30, "minute", vague) if unit == "hour" else None
    if words.split()[0] in _FEW:
        return 3, unit, True
    count = count_of(words)
    if count is None:
        return None
    if match["half"]:
        count, unit = calendar.and_a_half(count, unit)
    return count, unit, vague


def _counted(match: re.Match[str], frame: Frame, sign: int) -> Reading | None:
    amount = _amount(match)
    if amount is None:
        return None
    count, unit, vague = amount
    found = calendar.period(unit, calendar.shifted(frame.now, unit, sign * count))
    if match["n"].split()[0] in _FEW:
        first = calendar.shifted(found.begins, unit, -1)
        return replace(found, begins=first, ends=calendar.shifted(found.ends, unit, 1), approximate=True)
    return replace(found, approximate=vague)


@rule("por durante", rf"(?:por|durante)(?: (?:mais|os|as))? {_COUNT} (?P<unit><UNIT>)(?P<half> e mei[ao])?")
@rule(
    "passei passamos passou passaram fiquei ficamos ficou durou levou demorou levei",
    r"(?:passei|passamos|passou|"
    rf"passaram|fiquei|ficamos|ficou|durou|levou|demorou|levei) {_COUNT} (?P<unit><UNIT>)(?P<half> e mei[ao])?",
)
def _lasting(match: re.Match[str], frame: Frame) -> Reading | None:
    amount = _amount(match)
    if amount is None:
        return None
    count, unit, vague = amount
    ahead = frame.tense == "future"
    other = calendar.shifted(frame.now, unit, count if ahead else -count)
    begins, ends = (frame.now, other) if ahead else (other, frame.now)
    return Reading(begins, ends, calendar.PRECISIONS[unit], Kind.DURATION, vague or match["n"].split()[0] in _FEW)


@rule(
    "ultimos ultimas proximos proximas",
    r"(?P<which>ultimos|ultimas|proximos|proximas)(?: (?P<n><NUM>))? "
    r"(?P<unit>dias|semanas|meses|anos|horas)",
)
def _stretch(match: re.Match[str], frame: Frame) -> Reading | None:
    count = count_of(match["n"]) if match["n"] else 3
    unit = unit_of(match["unit"])
    if count is None:
        return None
    precision, vague = calendar.PRECISIONS[unit], not match["n"]
    start: datetime = frame.now if unit == "hour" else frame.today
    if match["which"].startswith("ultim"):
        return Reading(calendar.shifted(start, unit, -count), frame.now, precision, approximate=vague)
    return Reading(start, calendar.shifted(start, unit, count), precision, approximate=vague)


@rule("outro esses um", r"(?:outro dia|esses dias|um dia desses|dia desses)")
def _other_day(_match: re.Match[str], frame: Frame) -> Reading:
    return Reading(frame.today - WEEK, frame.today, Precision.DAY, approximate=True)
