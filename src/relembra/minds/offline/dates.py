"""Finds the dates in a message, in one pass over its words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo

from relembra.domain.time import check_time
from relembra.minds.languages import LANGUAGES, Language
from relembra.minds.offline import calendar
from relembra.minds.offline.calendar import DAY, WEEK, DateMention, Frame, Kind, Precision, Reading, Tense, TimeOfDay
from relembra.minds.offline.date_grammar import FIGURE, Grammar, Rule, Said, grammar_of
from relembra.minds.offline.language import language_of
from relembra.minds.offline.text import Flat, flattened


@dataclass(frozen=True, slots=True)
class Atom:
    """One mention as its rule read it, kept with the rule so that it can be read again from elsewhere in time."""

    start: int
    end: int
    value: Reading | TimeOfDay
    frame: Frame
    match: re.Match[str]
    read: Callable[[re.Match[str], Frame], Reading | TimeOfDay | None]

    @property
    def grammar(self) -> Grammar:
        return grammar_of(self.frame.language)

    def again(self, frame: Frame) -> Reading | TimeOfDay | None:
        """As read from another frame; None where it makes no sense there."""
        try:
            return self.read(self.match, frame)
        except (ValueError, OverflowError):
            return None


Join = Callable[[str, Atom, Atom], Atom | None]

_LONGEST_GAP = 16
_DAYLIKE = frozenset({Precision.DAY, Precision.PART_OF_DAY})


def joined(flat: str, atoms: list[Atom]) -> list[Atom]:
    """The mentions after every joining, in order; those of a time of day that found no day are still among them."""
    for join in (_hours, _day_and_time, _day_and_time, _beside, _range):
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
    grammar = first.grammar
    led = grammar.leads["from"].search(flat, max(0, first.start - 12), first.start)
    if not led:
        led = grammar.from_hour.match(flat, first.start)
    spoken = not gap and grammar.to_hour.match(flat, second.start)
    if not (gap in grammar.joins["to"] or (led and (gap in grammar.joins["and"] or spoken))):
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
    gap, joins = _gap(flat, first, second), first.grammar.joins
    if isinstance(a, Reading) and isinstance(b, Reading):
        if gap in joins["week_before"] and a.precision == Precision.WEEK and b.weekday and not a.approximate:
            found = calendar.day(calendar.period("week", a.begins).begins + b.begins.weekday() * DAY)
            return _over(first, second, replace(found, weekday=True), first)
        if gap in joins["week_after"] and b.precision == Precision.WEEK and a.weekday and not b.approximate:
            found = calendar.day(calendar.period("week", b.begins).begins + a.begins.weekday() * DAY)
            return _over(first, second, replace(found, weekday=True), second)
        return _same_day(first, second, a, b) if gap in joins["same_day"] else None
    if isinstance(a, Reading) and isinstance(b, TimeOfDay):
        return (
            _over(first, second, _timed(a, b, first.frame), first)
            if a.precision in _DAYLIKE and gap in joins["day_to_time"]
            else None
        )
    if isinstance(a, TimeOfDay) and isinstance(b, Reading):
        if b.precision not in _DAYLIKE or gap not in joins["time_to_day"]:
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


def _beside(flat: str, first: Atom, second: Atom) -> Atom | None:
    """ "The weekend before 9 June", "the Friday after Christmas"."""
    a, b = first.value, second.value
    if not (isinstance(a, Reading) and isinstance(b, Reading)) or b.precision != Precision.DAY or b.weekday:
        return None
    if a.kind != Kind.MOMENT or b.kind != Kind.MOMENT or not (a.floating or a.precision == Precision.WEEKEND):
        return None
    moved = first.grammar.moved.fullmatch(_gap(flat, first, second))
    if moved is None or not (a.weekday or a.precision == Precision.WEEKEND):
        return None
    sign = Said(first.grammar, moved, {})["moved"]  # by whole weeks, to the last one before the day or the first after
    away = WEEK * ((b.begins - a.ends) // WEEK if sign < 0 else -((a.begins - b.ends) // WEEK))
    return _over(first, second, replace(a, begins=a.begins + away, ends=a.ends + away, floating=False), second)


def _range(flat: str, first: Atom, second: Atom) -> Atom | None:
    a, b = first.value, second.value
    if not (isinstance(a, Reading) and isinstance(b, Reading)) or Kind.MOMENT not in {a.kind} & {b.kind}:
        return None
    gap = _gap(flat, first, second)
    grammar = first.grammar
    lead = grammar.leads["from"].search(flat, max(0, first.start - 14), first.start)
    pair = lead is not None and lead["word"] == grammar.between
    to = gap in grammar.joins["to"] and (lead or gap == "-" or (a.weekday and b.weekday))
    if not (to or (pair and gap in grammar.joins["and"])):
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
    if a.weekday and b.weekday and not grammar.habitual.isdisjoint(_WORD.findall(flat[max(0, start - 40) : start])):
        week = calendar.period("week", first.frame.today).begins
        begins = week + a.begins.weekday() * DAY
        value = replace(value, begins=begins, ends=begins + (b.ends - a.begins), kind=Kind.RECURRING)
    return replace(_over(first, second, value, first), start=start)


def _led(flat: str, atom: Atom) -> Atom:
    """The atom with the word before it that turns a day into a stretch, or into another day."""
    value, now = atom.value, atom.frame.now
    if not isinstance(value, Reading) or value.kind != Kind.MOMENT or value.zoned:
        return atom
    leads = atom.grammar.leads

    def led(lead: str, within: int = 20) -> re.Match[str] | None:
        return leads[lead].search(flat, max(0, atom.start - within), atom.start)

    if value.precision == Precision.DAY:
        if found := led("away", 40) or led("beside"):
            return _moved(atom, value, found)
        if found := led("week_of"):
            return replace(atom, start=found.start("word"), value=calendar.period("week", value.begins))
    if found := led("since"):
        if value.floating:
            earlier = atom.again(replace(atom.frame, tense="past"))
            value = earlier if isinstance(earlier, Reading) else value
        ends = now if value.begins < now else value.ends
        return replace(atom, start=found.start("word"), value=replace(value, ends=ends))
    if value.ends != now and (found := led("until")):
        begins = now if value.ends > now else value.begins
        return replace(atom, start=found.start("word"), value=replace(value, begins=begins))
    if found := led("starting"):
        return replace(atom, start=found.start("word"))
    return atom


def _moved(atom: Atom, value: Reading, away: re.Match[str]) -> Atom:
    """ "Three days before 9 June" is a day, "the week before 9 June" a week."""
    said = Said(atom.grammar, away, {})
    unit, sign, count = said["unit"], said["moved"], said["n"]
    try:
        if count is None:
            begins = value.ends if sign > 0 else calendar.shifted(value.begins, unit, -1)
            moved = Reading(begins, calendar.shifted(begins, unit, 1), calendar.PRECISIONS[unit])
        else:
            moved = calendar.day(calendar.shifted(value.begins, unit, sign * count))
    except (ValueError, OverflowError):
        return atom
    return replace(atom, start=away.start("word"), value=moved)


_READ_BEFORE, _READ_AFTER = 120, 80
_WORDS_BEFORE, _WORDS_AFTER = 10, 8
_STOP = re.compile(r"[.!?;\n](?:\s|$)")
_TENSE_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def tense_around(flat: str, start: int, end: int, *, language: Language) -> Tense | None:
    """Past or future, as the verbs near `flat[start:end]` have it; None where they do not tell."""
    grammar = grammar_of(language)
    before = grammar.present.sub(" ", flat[max(0, start - _READ_BEFORE) : start])
    stops = list(_STOP.finditer(before))
    words = _TENSE_WORD.findall(before[stops[-1].end() :] if stops else before)[-_WORDS_BEFORE:][::-1]
    after = flat[end : end + _READ_AFTER]
    stop = _STOP.search(after)
    following = _TENSE_WORD.findall(after[: stop.start()] if stop else after)[:_WORDS_AFTER]
    for place in range(max(len(words), len(following))):
        for side in (words, following):
            if place < len(side) and (tense := grammar.tense_of(side[place])):
                return tense
    return None


_WORD = re.compile(r"[a-z0-9]+")


def find_dates(
    text: str, *, said_at: datetime, language: Language | None = None, tense: Tense | None = None
) -> list[DateMention]:
    """Mentions in reading order, never overlapping, with intervals on the clock of `said_at`.

    Without a language the text is asked, and all grammars are tried when it does not tell. `tense`: whether they look
    back or ahead, where that is known better than the verbs around them tell.
    """
    if said_at.tzinfo is None:
        raise ValueError("said_at needs a timezone")
    return read_dates(text, flattened(text), said_at=said_at, language=language, tense=tense)


def read_dates(
    text: str, flat: Flat, *, said_at: datetime, language: Language | None, tense: Tense | None = None
) -> list[DateMention]:
    """`find_dates` of text flattened already."""
    every = [grammar_of(one).rules for one in ((language,) if language else LANGUAGES)]
    places: list[tuple[int, list[tuple[re.Match[str], Rule]]]] = []  # where rules match, and which, the longest first
    for word in _WORD.finditer(flat.text):
        check_time()
        start, said = word.start(), word[0]
        rules = [rule for known in every for rule in known.get(FIGURE if said[0].isdigit() else said, ())]
        candidates = [(match, rule) for rule in rules if (match := rule.pattern.match(flat.text, start))]
        if candidates and not (start and (flat.text[start - 1].isalnum() or flat.text[start - 1] in "@#_")):
            places.append((start, sorted(candidates, key=lambda candidate: -candidate[0].end())))
    if not places:
        return []
    language = language or language_of(text)
    frame = Frame(now=said_at.replace(tzinfo=None), language="", raw=flat.raw, tense=tense)
    atoms: list[Atom] = []
    for start, candidates in places:
        check_time()
        if atoms and start < atoms[-1].end:
            continue
        for match, rule in candidates:
            spoken = rule.grammar.language
            if language in (None, spoken) and (atom := _read(flat.text, match, rule, replace(frame, language=spoken))):
                atoms.append(atom)
                break
    zone = said_at.tzinfo or UTC
    mentions = (_mention(text, flat, atom, zone) for atom in joined(flat.text, atoms))
    return _apart([mention for mention in mentions if mention is not None])


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
