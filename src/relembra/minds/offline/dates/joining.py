"""Mentions that belong together: a day with its hour, two ends of a range, and what "since", "until" and
"a week from" do to the mention after them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from relembra.minds.offline.dates import calendar, english, portuguese
from relembra.minds.offline.dates.calendar import DAY, WEEK
from relembra.minds.offline.dates.mention import Frame, Kind, Precision, Reading, TimeOfDay
from relembra.minds.offline.dates.rules import Read
from relembra.minds.offline.flat import listed

__all__ = ["Atom", "joined"]


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
