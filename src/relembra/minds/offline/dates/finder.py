"""Finds the dates in a message, in one pass over its words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo

from relembra.domain.time import check_time
from relembra.minds.offline.dates import calendar, english, portuguese
from relembra.minds.offline.dates.calendar import DAY, WEEK
from relembra.minds.offline.dates.english import ENGLISH
from relembra.minds.offline.dates.mention import (
    DIGIT,
    DateMention,
    Frame,
    Grammar,
    Kind,
    Precision,
    Read,
    Reading,
    Rule,
    Tense,
    TimeOfDay,
)
from relembra.minds.offline.dates.portuguese import PORTUGUESE, year_of
from relembra.minds.offline.flat import Flat, flattened, listed
from relembra.minds.offline.language import Language, language_of


@dataclass(frozen=True, slots=True)
class Atom:
    """One mention as its rule read it, kept with the rule so that it can be read again from elsewhere in time."""

    start: int
    end: int
    value: Reading | TimeOfDay
    frame: Frame
    match: re.Match[str]
    read: Read

    def again(self, frame: Frame) -> Reading | TimeOfDay | None:
        """As read from another frame; None where it makes no sense there."""
        try:
            return self.read(self.match, frame)
        except (ValueError, OverflowError):
            return None


Join = Callable[[str, Atom, Atom], Atom | None]

_LONGEST_GAP = 12
_DAY_TO_TIME = frozenset(
    {"", "as", "at", "a", "around", "de", "da", "pela", "na", "@", "-", "das", "from", "entre", "in", "lá pelas"}
)
_TIME_TO_DAY = frozenset({"", "de", "do", "da", "no", "na", "on", "of", "on the", "em", "of the", "deste", "dia"})
_DAYLIKE = frozenset({Precision.DAY, Precision.PART_OF_DAY})
_BETWEEN = re.compile(
    r"(?:^|[^a-z])(?P<word>from|between|de|do|da|das|dos|desde|entre)(?: (?:o|a|os|as|the|dia|dias|os dias))?\s$"
)
_TO = frozenset(
    {"a", "ao", "ate", "ate o", "ate a", "ate as", "to", "through", "until", "till", "-", "to the", "as", "thru"}
)
_AND = frozenset({"e", "e o", "e a", "and", "and the", "e as", "and on"})
_HABITUAL = frozenset(
    listed(
        "trabalho trabalha trabalhamos aberto aberta abre abrem funciona estudo estuda treino treina aula "
        "aulas expediente"
        " atende work works working open opens study studies train trains school class classes available shift"
    )
)


def joined(flat: str, atoms: list[Atom]) -> list[Atom]:
    """The mentions after every joining, in order; those of a time of day that found no day are still among them."""
    for join in (_hours, _day_and_time, _day_and_time, _range):
        atoms = _pairwise(flat, atoms, join)
    return [_led(flat, atom) for atom in atoms]


def _pairwise(flat: str, atoms: list[Atom], join: Join) -> list[Atom]:
    kept: list[Atom] = []
    for atom in atoms:
        if kept and 0 <= atom.start - kept[-1].end <= _LONGEST_GAP:
            both = join(flat, kept[-1], atom)
            if both is not None:
                kept[-1] = both
                continue
        kept.append(atom)
    return kept


def _gap(flat: str, first: Atom, second: Atom) -> str:
    return " ".join(flat[first.end : second.start].strip(" ,(\t\n").split())


def _over(first: Atom, second: Atom, value: Reading | TimeOfDay, like: Atom) -> Atom:
    return Atom(first.start, second.end, value, like.frame, like.match, lambda _match, _frame: value)


def _hours(flat: str, first: Atom, second: Atom) -> Atom | None:
    """ "Das 9h às 17h", "2 pm - 4 pm"; and an hour with its part of the day."""
    a, b = first.value, second.value
    if not (isinstance(a, TimeOfDay) and isinstance(b, TimeOfDay)):
        return None
    gap = _gap(flat, first, second)
    if Precision.PART_OF_DAY in {a.precision, b.precision}:
        if gap or a.precision == b.precision:
            return None
        whole, exact = (a, b) if a.precision == Precision.PART_OF_DAY else (b, a)
        return _over(first, second, _refined(whole.begins, whole.ends, exact), first)
    led = _BETWEEN.search(flat, max(0, first.start - 12), first.start) or flat.startswith("das", first.start)
    spoken = flat.startswith(("as", "ate"), second.start)
    if not (gap in _TO or (led and (gap in _AND or (not gap and spoken)))):
        return None
    ends = b.begins
    if ends <= a.begins:
        ends += timedelta(hours=12) if b.loose and ends + timedelta(hours=12) > a.begins else DAY
    precision = min(a.precision, b.precision, key=list(Precision).index)
    return _over(first, second, TimeOfDay(a.begins, ends, precision, approximate=a.approximate), first)


def _refined(begins: timedelta, ends: timedelta, time: TimeOfDay) -> TimeOfDay:
    """A loose hour moved by twelve where only that lies inside the part of the day."""
    half = timedelta(hours=12)
    if time.loose and not begins <= time.begins < ends:
        for moved in (half, -half):
            if begins <= time.begins + moved < ends:
                return replace(time, begins=time.begins + moved, ends=time.ends + moved, loose=False)
    return replace(time, loose=False)


def _day_and_time(flat: str, first: Atom, second: Atom) -> Atom | None:
    a, b = first.value, second.value
    gap = _gap(flat, first, second)
    if isinstance(a, Reading) and isinstance(b, Reading):
        if gap in {"on", "na", "no", ""} and a.precision == Precision.WEEK and b.weekday and not a.approximate:
            found = calendar.day(calendar.period("week", a.begins).begins + b.begins.weekday() * DAY)
            return _over(first, second, replace(found, weekday=True), first)
        if gap in {"of", "da"} and b.precision == Precision.WEEK and a.weekday and not b.approximate:
            found = calendar.day(calendar.period("week", b.begins).begins + a.begins.weekday() * DAY)
            return _over(first, second, replace(found, weekday=True), second)
        return _same_day(first, second, a, b) if gap in {"", "dia", "the"} else None
    if isinstance(a, Reading) and isinstance(b, TimeOfDay):
        return (
            _over(first, second, _timed(a, b, first.frame), first)
            if a.precision in _DAYLIKE and gap in _DAY_TO_TIME
            else None
        )
    if isinstance(a, TimeOfDay) and isinstance(b, Reading):
        if b.precision not in _DAYLIKE or gap not in _TIME_TO_DAY:
            return None
        return _over(first, second, _timed(b, a, second.frame), second)
    return None


def _same_day(first: Atom, second: Atom, a: Reading, b: Reading) -> Atom | None:
    """ "Sexta, 17 de maio" is one day said twice; the date decides."""
    if {a.precision, b.precision} != {Precision.DAY} or a.weekday == b.weekday or a.kind != b.kind:
        return None
    date, name = (b, a) if a.weekday else (a, b)
    if date.begins.weekday() != name.begins.weekday() and not date.floating:
        return None
    return _over(first, second, date, second if a.weekday else first)


def _timed(date: Reading, time: TimeOfDay, frame: Frame) -> Reading:
    if date.precision == Precision.PART_OF_DAY:
        base = calendar.midnight(date.begins)
        time = _refined(date.begins - base, date.ends - base, time)
    found = calendar.within(date.begins, time, date)
    if found.kind == Kind.RECURRING and found.ends <= frame.now:
        step = WEEK if date.weekday else DAY
        found = replace(found, begins=found.begins + step, ends=found.ends + step)
    return replace(found, weekday=date.weekday, floating=date.floating)


def _range(flat: str, first: Atom, second: Atom) -> Atom | None:
    a, b = first.value, second.value
    if not (isinstance(a, Reading) and isinstance(b, Reading)) or Kind.MOMENT not in {a.kind} & {b.kind}:
        return None
    gap = _gap(flat, first, second)
    lead = _BETWEEN.search(flat, max(0, first.start - 14), first.start)
    pair = lead is not None and lead["word"] in {"entre", "between"}
    if not ((pair and gap in _AND) or (gap in _TO and (lead or gap == "-" or (a.weekday and b.weekday)))):
        return None
    if (b.floating and not a.floating) or (a.floating and b.floating):
        later = second.again(replace(second.frame, now=a.begins, tense=None, nearest=True))
        b = later if isinstance(later, Reading) else b
    elif a.floating:
        earlier = first.again(replace(first.frame, now=b.begins, tense="past", nearest=True))
        a = earlier if isinstance(earlier, Reading) else a
    if b.ends <= a.begins or a.zoned != b.zoned:
        return None
    start = lead.start("word") if lead else first.start
    value = Reading(
        a.begins,
        b.ends,
        min(a.precision, b.precision, key=list(Precision).index),
        approximate=a.approximate or b.approximate,
    )
    if a.weekday and b.weekday and _habitual(flat, start):
        week = calendar.period("week", first.frame.today).begins
        begins = week + a.begins.weekday() * DAY
        value = replace(value, begins=begins, ends=begins + (b.ends - a.begins), kind=Kind.RECURRING)
    return replace(_over(first, second, value, first), start=start)


def _habitual(flat: str, start: int) -> bool:
    return not _HABITUAL.isdisjoint(re.findall(r"[a-z]+", flat[max(0, start - 40) : start]))


_SINCE = re.compile(r"(?:^|[^a-z])(?P<word>desde|since|ever since)(?: (?:o|a|os|as|the|dia|em))?\s$")
_UNTIL = re.compile(r"(?:^|[^a-z])(?P<word>ate|until|till|til|by|up to)(?: (?:o|a|os|as|the|dia))?\s$")
_STARTING = re.compile(
    r"(?:^|[^a-z])(?P<word>a partir d[eoa]|starting|starting on|beginning|as of)(?: (?:o|a|the))?\s$"
)
_WEEK_OF = re.compile(
    r"(?:^|[^a-z])(?P<word>(?:the )?week (?:of|beginning|starting)|semana d[oae](?: dia)?)(?: the| o)?\s$"
)
_AWAY = {
    "pt": re.compile(
        portuguese.PORTUGUESE.expand(
            r"(?:^|[^a-z])(?P<word>(?P<n><NUM>) (?P<unit>dias?|semanas?|mes(?:es)?|anos?) "
            r"(?P<side>antes|depois) d[oae]s?)\s$"
        )
    ),
    "en": re.compile(
        english.ENGLISH.expand(
            r"(?:^|[^a-z])(?P<word>(?P<n><NUM>|an?|the) (?P<unit>days?|weeks?|months?|years?) "
            r"(?P<side>before|after|from))(?: the)?\s$"
        )
    ),
}


def _led(flat: str, atom: Atom) -> Atom:
    """The atom with the word before it that turns a day into a stretch, or into another day."""
    value, now = atom.value, atom.frame.now
    if not isinstance(value, Reading) or value.kind != Kind.MOMENT or value.zoned:
        return atom
    low = max(0, atom.start - 40)
    if value.precision == Precision.DAY and (away := _AWAY[atom.frame.language].search(flat, low, atom.start)):
        return _moved(atom, value, away)
    low = max(0, atom.start - 20)
    if value.precision == Precision.DAY and (week := _WEEK_OF.search(flat, low, atom.start)):
        return replace(atom, start=week.start("word"), value=calendar.period("week", value.begins))
    if since := _SINCE.search(flat, low, atom.start):
        if value.floating:
            earlier = atom.again(replace(atom.frame, tense="past"))
            value = earlier if isinstance(earlier, Reading) else value
        ends = now if value.begins < now else value.ends
        return replace(atom, start=since.start("word"), value=replace(value, ends=ends))
    if until := _UNTIL.search(flat, low, atom.start):
        begins = now if value.ends > now else value.begins
        return replace(atom, start=until.start("word"), value=replace(value, begins=begins))
    if starting := _STARTING.search(flat, low, atom.start):
        return replace(atom, start=starting.start("word"))
    return atom


def _moved(atom: Atom, value: Reading, away: re.Match[str]) -> Atom:
    if atom.frame.language == "pt":
        unit = portuguese.unit_of(away["unit"])
        count = portuguese.count_of(away["n"])
    else:
        unit, count = english.unit_of(away["unit"]), 1 if away["n"] == "the" else english.count_of(away["n"])
    if count is None:
        return atom
    sign = -1 if away["side"] in {"antes", "before"} else 1
    try:
        moved = calendar.day(calendar.shifted(value.begins, unit, sign * count))
    except (ValueError, OverflowError):
        return atom
    return replace(atom, start=away.start("word"), value=moved)


_ISO = (
    r"(?P<year>(?:1[5-9]|20)\d\d)(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})"
    r"(?:[t ](?P<hour>\d\d):(?P<minute>\d\d)(?::\d\d(?:\.\d{1,6})?)?(?P<zone>z|[+-]\d\d:?\d\d)?)?(?![-/.]?\d)"
)
_FIGURES = r"(?P<a>\d{1,2})(?P<mark>[-/.])(?P<b>\d{1,2})(?P=mark)(?P<year>\d{4}|\d\d)(?![-/.]?\d)"
_NO_YEAR = r"(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![-/.:,]?\d|%)"
_MONTH_YEAR = r"(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19|20)\d\d)(?![-/.]?\d)"
_YEARS = r"(?P<first>(?:1[5-9]|20)\d\d) ?(?:-| a | to | ate ) ?(?P<last>(?:1[5-9]|20)\d\d|\d\d)(?![-/.]?\d)"

_CUE = re.compile(
    r"(?:^|[^a-z])(?:dia|dias|em|no|na|ate|desde|de|data|e|a|vence|para|pra|on|by|since|until|till|from|due|to|and|date|is)"
    r"[\s:]{1,2}$"
)
_UNIT_AFTER = re.compile(
    r"\s?(?:xicara|copo|colher|cup|of|do|da|de|teaspoon|tablespoon|tsp|tbsp|mile|hora|inch|%|kg|lb)"
)


def add_numeric_rules(grammar: Grammar, *, day_first: bool) -> None:
    """Teach a grammar ISO dates, 15/03/1990, 15/03 and 2010-2014."""

    def ordered(a: int, b: int) -> tuple[int, int]:
        """Day and month of two figures."""
        day, month = (a, b) if day_first else (b, a)
        return (day, month) if month <= 12 else (month, day)

    @grammar.rule(DIGIT, _ISO)
    def iso(match: re.Match[str], _frame: Frame) -> Reading | None:
        if _inside_number(match):
            return None
        date = datetime(int(match["year"]), int(match["month"]), int(match["day"]))
        if not match["hour"]:
            return calendar.day(date)
        begins = date.replace(hour=int(match["hour"]), minute=int(match["minute"]))
        if match["zone"]:
            zone = match["zone"].upper().replace("Z", "+00:00")
            begins = datetime.fromisoformat(begins.isoformat() + zone)
        return Reading(begins, begins + timedelta(minutes=1), Precision.MINUTE, zoned=bool(match["zone"]))

    @grammar.rule(DIGIT, _FIGURES)
    def figures(match: re.Match[str], frame: Frame) -> Reading | None:
        if _inside_number(match) or (match["mark"] != "/" and len(match["year"]) < 4):
            return None
        day, month = ordered(int(match["a"]), int(match["b"]))
        return calendar.day(datetime(year_of(match["year"], frame), month, day))

    @grammar.rule(DIGIT, _NO_YEAR)
    def without_year(match: re.Match[str], frame: Frame) -> Reading | None:
        full = len(match["b"]) == 2 and (len(match["a"]) == 2 or int(match["a"]) > 0)
        cue = _CUE.search(match.string, max(0, match.start() - 10), match.start())
        if (
            _inside_number(match)
            or _UNIT_AFTER.match(match.string, match.end())
            or not (cue or full or match[0] == match.string.strip())
        ):
            return None
        day, month = ordered(int(match["a"]), int(match["b"]))
        return calendar.dated(frame, month, day)

    @grammar.rule(DIGIT, _MONTH_YEAR)
    def month_and_year(match: re.Match[str], _frame: Frame) -> Reading | None:
        if _inside_number(match):
            return None
        return calendar.period("month", datetime(int(match["year"]), int(match["month"]), 1))

    @grammar.rule(DIGIT, _YEARS)
    def years(match: re.Match[str], _frame: Frame) -> Reading | None:
        first, last = int(match["first"]), int(match["last"])
        last = last if last > 99 else first // 100 * 100 + last
        if _inside_number(match) or not first < last <= first + 120 or (len(match["last"]) == 2 and last - first > 15):
            return None
        if len(match["last"]) == 2 and last % 100 <= 12:
            return None  # 2024-05 is a month
        return Reading(datetime(first, 1, 1), datetime(last + 1, 1, 1), Precision.YEAR)


def _inside_number(match: re.Match[str]) -> bool:
    """Whether a figure, price or telephone number goes on to the left."""
    return match.string[max(0, match.start() - 1) : match.start()] in set("-/.:,$€£+#") or bool(
        re.search(r"\d[ -]$", match.string[max(0, match.start() - 2) : match.start()])
    )


_READ_BEFORE, _READ_AFTER = 120, 80
_WORDS_BEFORE, _WORDS_AFTER = 10, 8
_STOP = re.compile(r"[.!?;\n](?:\s|$)")
_TENSE_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_HAVE_GOT = re.compile(r"(?:\b(?:have|has)|'(?:ve|s)) got\b")  # which is present


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_PAST = {
    "pt": _words(
        "fui foi foram fomos era eram estava estavam tava estive esteve estivemos tive teve tivemos tiveram tinha"
        " tinham havia houve fiz fez fizemos fizeram vi viu vimos viram vim veio viemos vieram dei deu demos deram"
        " disse disseram soube pude pudemos quis quiseram pus trouxe li comi bebi dormi vivi perdi recebi conheci nasci"
        " cresci aprendi decidi consegui pedi senti vendi corri escrevi assisti esqueci parti abri caí cai ouvi"
        " descobri subi sofri venci defendi escolhi morri sai saí saimos fazia dizia vivia comia dormia sabia podia"
        " devia ia iam vinha mentiu"
    ),
    "en": _words(
        "was were did didn't wasn't weren't had hadn't went saw met came got ran ate drank slept bought brought thought"
        " took gave made said told felt found left lost kept held heard knew grew flew drove wrote rode spoke broke"
        " woke wore won sold sent spent built taught caught fought paid laid led read sat stood understood became"
        " began began drew fell forgot hid hung hurt put quit rang sang sank shook shot swam swore threw tore been"
        " couldn't played ago born beat bit bled blew chose cut dealt dug fed froze hit lent let lit meant rose"
        " shut slid spun split spread stole stuck struck swept swung wept wound"
    ),
}
_FUTURE = {
    "pt": _words(
        "vou vai vamos vao irei ira iremos irao sera serao terei tera farei fara estarei estara poderei verei darei"
        " ficarei quero quer queremos querem pretendo pretende preciso precisa precisamos devo deve pra"
    ),
    "en": _words(
        "will i'll we'll you'll he'll she'll they'll it'll won't gonna going shall let's want wants need needs plan"
        " plans planning should must"
    ),
}
_PAST_ENDING = {
    "pt": re.compile(r".{2,}(?:ei|ou|iu|aram|eram|iram|ava|avam|avamos|inha)$|.{2,}[^aeious]eu$"),
    "en": re.compile(r".{2,}ed$"),
}
_NOT_PAST = {
    "pt": _words(
        "estou irei farei serei terei estarei poderei verei darei ficarei direi museu europeu judeu vovozinha minha"
        " galinha cozinha farinha vizinha rainha linha sozinha madrinha caminha brava lava trava grava escrava"
        " sobrinha tinha"
    ),
    "en": _words("need bed red feed seed speed indeed hundred naked wed shed weed breed embed"),
}


def tense_around(flat: str, start: int, end: int, *, language: Language) -> Tense | None:
    """Past or future, as the verbs near `flat[start:end]` have it; None where they do not tell."""
    before = _HAVE_GOT.sub(" have", flat[max(0, start - _READ_BEFORE) : start])
    stops = list(_STOP.finditer(before))
    words = _TENSE_WORD.findall(before[stops[-1].end() :] if stops else before)[-_WORDS_BEFORE:][::-1]
    after = flat[end : end + _READ_AFTER]
    stop = _STOP.search(after)
    following = _TENSE_WORD.findall(after[: stop.start()] if stop else after)[:_WORDS_AFTER]
    for place in range(max(len(words), len(following))):
        for side in (words, following):
            if place < len(side) and (tense := _tense_of(side[place], language)):
                return tense
    return None


def _tense_of(word: str, language: Language) -> Tense | None:
    if word in _FUTURE[language]:
        return "future"
    if word in _PAST[language]:
        return "past"
    if _PAST_ENDING[language].match(word) and word not in _NOT_PAST[language]:
        return "past"
    return None


add_numeric_rules(PORTUGUESE, day_first=True)
add_numeric_rules(ENGLISH, day_first=False)

_RULES: dict[Language, dict[str, list[Rule]]] = {"pt": PORTUGUESE.rules, "en": ENGLISH.rules}
# Words that begin a rule but mean nothing without a later one are no reason to look closer.
_IDLE = frozenset(listed("a as o e em de do da no na nos nas tem the in at on for this an one um uma over some more"))
_LATER = frozenset(
    listed(
        "segundas tercas quartas quintas sextas sabados domingos cada minutos hora horas dia dias semana "
        "semanas mes meses"
        " anos decadas trimestres semestres trimestre semestre ano decada desses twenties thirties forties "
        "fifties sixties"
        " seventies eighties nineties day days week weeks month months year years hour hours minutes quarter "
        "decade nights"
    )
)
_TRIGGERS: dict[Language | None, frozenset[str]] = {
    language: frozenset(rules) - _IDLE | _LATER for language, rules in _RULES.items()
}
_TRIGGERS[None] = _TRIGGERS["pt"] | _TRIGGERS["en"]
_WORD = re.compile(r"[a-z0-9]+")
_FIGURE = re.compile(r"\d")


def find_dates(
    text: str, *, said_at: datetime, language: Language | None = None, tense: Tense | None = None
) -> list[DateMention]:
    """Mentions in reading order, never overlapping, with intervals on the clock of `said_at`.

    Without a language the text is asked, and both grammars are tried when it does not tell. `tense`: whether they look
    back or ahead, where that is known better than the verbs around them tell.
    """
    if said_at.tzinfo is None:
        raise ValueError("said_at needs a timezone")
    flat = flattened(text)
    if not worth_reading(flat.text, language):
        return []
    return read_dates(text, flat, said_at=said_at, language=language, tense=tense)


def worth_reading(flat: str, language: Language | None) -> bool:
    """The cheap question first: without a figure or one of a few hundred words there is no date."""
    return _FIGURE.search(flat) is not None or not _TRIGGERS[language].isdisjoint(_WORD.findall(flat))


def read_dates(
    text: str, flat: Flat, *, said_at: datetime, language: Language | None, tense: Tense | None = None
) -> list[DateMention]:
    """`find_dates` without its first question, on text flattened already."""
    if language is None:
        language = language_of(text)
    now = said_at.replace(tzinfo=None)
    tongues: tuple[Language, ...] = (language,) if language else ("pt", "en")
    frames = [Frame(now=now, language=one, raw=flat.raw, tense=tense) for one in tongues]
    found = []
    for atom in joined(flat.text, _atoms(flat, frames)):
        mention = _mention(text, flat, atom, said_at.tzinfo or UTC)
        if mention is not None:
            found.append(mention)
    return _apart(found)


def _atoms(flat: Flat, frames: list[Frame]) -> list[Atom]:
    atoms: list[Atom] = []
    done = 0
    for word in _WORD.finditer(flat.text):
        check_time()
        start = word.start()
        if start < done or (start and (flat.text[start - 1].isalnum() or flat.text[start - 1] in "@#_")):
            continue
        key = DIGIT if word[0][0].isdigit() else word[0]
        candidates = [
            (match, rule, frame)
            for frame in frames
            for rule in _RULES[frame.language].get(key, ())
            if (match := rule.pattern.match(flat.text, start))
        ]
        candidates.sort(key=lambda candidate: -candidate[0].end())
        for match, rule, frame in candidates:
            atom = _read(flat.text, match, rule, frame)
            if atom is not None:
                atoms.append(atom)
                done = atom.end
                break
    return atoms


def _read(flat: str, match: re.Match[str], rule: Rule, frame: Frame) -> Atom | None:
    tense = frame.tense or tense_around(flat, match.start(), match.end(), language=frame.language)
    frame = replace(frame, tense=tense)
    try:
        value = rule.read(match, frame)
    except (ValueError, OverflowError, IndexError):
        return None  # no such day, or outside the years that can be told
    return None if value is None else Atom(match.start(), match.end(), value, frame, match, rule.read)


def _mention(text: str, flat: Flat, atom: Atom, zone: tzinfo) -> DateMention | None:
    value = atom.value
    if isinstance(value, TimeOfDay):
        if not value.alone:
            return None
        value = _time_alone(value, atom.frame)
    start, end = flat.span(atom.start, atom.end)
    begins, ends = (
        (value.begins.astimezone(zone), value.ends.astimezone(zone))
        if value.zoned
        else (value.begins.replace(tzinfo=zone), value.ends.replace(tzinfo=zone))
    )
    return DateMention(
        start=start,
        end=end,
        text=text[start:end],
        begins=begins,
        ends=ends,
        precision=value.precision,
        kind=value.kind,
        approximate=value.approximate,
    )


def _time_alone(time: TimeOfDay, frame: Frame) -> Reading:
    """An hour without a day is today's, unless the tense says it must be yesterday's or tomorrow's."""
    found = calendar.within(frame.today, time)
    if frame.past and found.begins > frame.now:
        return calendar.within(frame.today - DAY, time)
    if frame.tense == "future" and found.ends <= frame.now:
        return calendar.within(frame.today + DAY, time)
    return found


def _apart(mentions: list[DateMention]) -> list[DateMention]:
    """Leading words may reach back over an earlier mention; the earlier one is then kept."""
    kept: list[DateMention] = []
    for mention in mentions:
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept
