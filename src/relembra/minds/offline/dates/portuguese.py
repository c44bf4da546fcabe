"""Portuguese dates relative to the day of speaking: days, weekdays, weeks and counts of them.

Clock times and parts of the day are in `portuguese_hours`, named and numbered periods in `portuguese_periods`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from relembra.minds.offline.dates import calendar
from relembra.minds.offline.dates.calendar import DAY, HOLIDAYS, WEEK, Amount, holiday, holiday_named
from relembra.minds.offline.dates.mention import DIGIT, Frame, Grammar, Kind, Precision, Reading, TimeOfDay
from relembra.minds.offline.flat import listed
from relembra.minds.offline.numbers import PORTUGUESE_NUMBER, number_value

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


def _amount(match: re.Match[str]) -> Amount | None:
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
    return None if amount is None else calendar.counted(frame, amount, sign, few=match["n"].split()[0] in _FEW)


@rule("por durante", rf"(?:por|durante)(?: (?:mais|os|as))? {_COUNT} (?P<unit><UNIT>)(?P<half> e mei[ao])?")
@rule(
    "passei passamos passou passaram fiquei ficamos ficou durou levou demorou levei",
    r"(?:passei|passamos|passou|"
    rf"passaram|fiquei|ficamos|ficou|durou|levou|demorou|levei) {_COUNT} (?P<unit><UNIT>)(?P<half> e mei[ao])?",
)
def _lasting(match: re.Match[str], frame: Frame) -> Reading | None:
    amount = _amount(match)
    return None if amount is None else calendar.lasting(frame, amount)


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


_PARTS_OF_DAY = {"manha": "morning", "tarde": "afternoon", "noite": "night", "madrugada": "dawn", "noitinha": "night"}
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
def _part_of_day(match: re.Match[str], _frame: Frame) -> TimeOfDay:
    return calendar.part_of_day(_PARTS_OF_DAY[match["part"]])


@rule("esta essa nesta nessa desta dessa", rf"(?:n|d)?es[ts]a (?P<part>{_PART})")
def _this_part(match: re.Match[str], frame: Frame) -> Reading:
    return calendar.within(frame.today, calendar.part_of_day(_PARTS_OF_DAY[match["part"]]))


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
def _part_of_period(match: re.Match[str], frame: Frame) -> Reading | None:
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
    return calendar.part("decade", calendar.decade(int(match["decade"])), which)


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
    return calendar.decade(int(word) if word.isdigit() else _TENS.get(word, 2000))


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
