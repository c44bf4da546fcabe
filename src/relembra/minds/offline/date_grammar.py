"""The rules dates are read by: patterns and words of one language from its `dates.toml`, and readers for all of them.

A reader takes what the groups of a pattern mean, as the tables of the language have it, and the frame it was said in.
None of them knows a language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from re._constants import BRANCH, CATEGORY_DIGIT, IN, LITERAL, MAX_REPEAT, RANGE, SUBPATTERN  # type: ignore[import-not-found]
from re._parser import parse  # type: ignore[import-not-found] # how a pattern begins is not to be had otherwise
from typing import Any, cast

from relembra.minds.languages import Language, filled, known, words_of
from relembra.minds.offline import calendar
from relembra.minds.offline.calendar import DAY, WEEK, Frame, Kind, Precision, Reading, Tense, TimeOfDay
from relembra.minds.offline.text import number_pattern, number_value

__all__ = ["FIGURE", "Grammar", "Rule", "Said", "grammar_of"]

_LOOKED_BACK = 24
_CLASS_OR_SPACE = re.compile(r"\[[^\]]*\]| ")
_GROUP = re.compile(r"\{([a-z_]+)\}")
_WORD_END = "(?![a-z0-9_])"
FIGURE = "0"
_TABLE_OF = {"n": "amount", "day": "ordinal", "first": "ordinal", "last": "ordinal", "first_month": "month"}
"""Groups that are not called as the table that explains them."""


class Said:
    """What was said: for each group of a match the value its language's tables give it, or its number."""

    def __init__(self, grammar: Grammar, match: re.Match[str], given: Mapping[str, Any]) -> None:
        self._grammar = grammar
        self._groups = match.groupdict()
        self._given = given
        self.match = match

    def text(self, name: str) -> str | None:
        """As it stands in the flat text; alternatives may bear a 2, and short forms a name of their own."""
        groups = self._groups
        return groups.get(name) or groups.get(f"{name}2") or groups.get(f"short_{name}")

    def __getitem__(self, name: str) -> Any:
        """None where nothing was said of it."""
        if name in self._given:
            return self._given[name]
        text = self.text(name)
        return None if text is None else self._grammar.value(_TABLE_OF.get(name, name), " ".join(text.split()))

    def all_of(self, table: str) -> list[Any]:
        """The values of a table that are told anywhere in the match."""
        return [value for key, value in self._grammar.tables[table] if key.search(self.match[0])]


Value = Reading | TimeOfDay | None
Reader = Callable[[Said, Frame], Value]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, its reader, and what has to stand around it."""

    grammar: Grammar
    pattern: re.Pattern[str]
    reader: Reader
    given: Mapping[str, Any]
    capital: tuple[str, ...] = ()
    before: re.Pattern[str] | None = None
    not_before: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    not_after: re.Pattern[str] | None = None
    ahead_after: re.Pattern[str] | None = None  # what is set for a day lies ahead, although it was set already

    def read(self, match: re.Match[str], frame: Frame) -> Value:
        flat, start, end = match.string, match.start(), match.end()
        low = max(0, start - _LOOKED_BACK)
        if self.before and not self.before.search(flat, low, start):
            return None
        if self.not_before and self.not_before.search(flat, low, start):
            return None
        if self.after and not self.after.match(flat, end):
            return None
        if self.not_after and self.not_after.match(flat, end):
            return None
        if any(not frame.raw[match.start(name)].isupper() for name in self.capital if match[name]):
            return None
        if self.ahead_after and self.ahead_after.search(flat, low, start):
            frame = replace(frame, tense=None)
        return self.reader(Said(self.grammar, match, self.given), frame)


class Grammar:
    """The rules and words of one language."""

    def __init__(self, language: Language) -> None:
        told = known(language, "dates")
        self.language = language
        self.southern: bool = told["southern"]
        self._parts: dict[str, str] = {"NUM": number_pattern(language), **told["parts"]}
        for name, table in told["values"].items():
            self._parts.setdefault(name.upper(), "(?:" + "|".join(table) + ")")
        self.tables = {
            name: [(re.compile(self.expanded(key)), value) for key, value in table.items()]
            for name, table in told["values"].items()
        }
        self._values: dict[tuple[str, str], Any] = {}
        self.rules: dict[str, list[Rule]] = {}
        """By the word a match begins with; `FIGURE` stands for any figure."""
        rules = [self._rule(pattern, rule) for rule in told["rules"] for pattern in rule["patterns"]]
        for rule in (*rules, *self._figures(told["figures"], day_first=told["day_first"])):
            for word in first_words(rule.pattern.pattern):
                self.rules.setdefault(word, []).append(rule)
        joins = told["joins"]
        self.joins: dict[str, frozenset[str]] = {
            name: frozenset(words) for name, words in joins.items() if isinstance(words, list)
        }
        self.habitual = words_of(joins["habitual"])
        self.from_hour = re.compile(joins.get("from_hour", "(?!)"))
        self.to_hour = re.compile(joins.get("to_hour", "(?!)"))
        self.moved = re.compile(self.expanded(joins["moved"]))
        self.between: str = joins["between"]
        self.leads = {
            name: re.compile(rf"(?:^|[^a-z])(?:{self.expanded(lead)})\s$") for name, lead in told["leads"].items()
        }
        tense = told["tense"]
        self._past, self._future = words_of(tense["past"]), words_of(tense["future"])
        self._past_ending, self._not_past = re.compile(tense["past_ending"]), words_of(tense["not_past"])
        self.present = re.compile(tense.get("present", "(?!)"))

    def expanded(self, pattern: str) -> str:
        """A pattern as `re` knows it, with its parts filled in."""
        pattern = filled(pattern.replace("\n", ""), self._parts)
        while _GROUP.search(pattern):
            pattern = filled(_GROUP.sub(lambda group: f"(?P<{group[1]}><{group[1].upper()}>)", pattern), self._parts)
        return _CLASS_OR_SPACE.sub(
            lambda found: r"(?:\s{1,3})" if found[0] == " " else found[0].replace(" ", r"\s"), pattern
        )

    def value(self, table: str, said: str) -> Any:
        """By the table, or by that of the short forms; else as a number."""
        key = (table, said)
        if key not in self._values:
            if len(self._values) > 10_000:
                self._values.clear()
            entries = (*self.tables.get(table, ()), *self.tables.get(f"short_{table}", ()))
            self._values[key] = next((value for key, value in entries if key.fullmatch(said)), self._number(said))
        return self._values[key]

    def _number(self, said: str) -> int | None:
        return int(re.sub(r"\D", "", said)) if said[:1].isdigit() else number_value(said, self.language)

    def tense_of(self, word: str) -> Tense | None:
        """What a verb tells; None of any other word."""
        if word in self._future:
            return "future"
        if word in self._past or (self._past_ending.fullmatch(word) and word not in self._not_past):
            return "past"
        return None

    def _rule(self, pattern: str, told: Mapping[str, Any]) -> Rule:
        around = {
            name: re.compile(rf"(?:{self.expanded(told[name])})" + ("" if name.endswith("after") else "$"))
            for name in ("before", "not_before", "after", "not_after")
            if name in told
        }
        if "ahead_after" in told:
            around["ahead_after"] = re.compile(rf"(?:{self.expanded(told['ahead_after'])})$")
        compiled = re.compile(rf"(?:{self.expanded(pattern)}){_WORD_END}")
        capital = tuple(name for name in told.get("capital", ()) if name in compiled.groupindex)
        return Rule(self, compiled, READERS[told["read"]], told.get("given", {}), capital=capital, **around)

    def _figures(self, told: Mapping[str, str], *, day_first: bool) -> list[Rule]:
        """2024-03-15, 15/03/1990, 15/03, 03/1990 and 2010-2014."""
        inside = re.compile(r"(?:[-/.:,$€£+#]|\d[ -])$")  # a figure, price or telephone number goes on to the left
        units = rf"\s?(?:{told['unit_after']})"

        def rule(
            pattern: str, reader: Reader, *, before: re.Pattern[str] | None = None, not_after: str | None = None
        ) -> Rule:
            compiled, given = re.compile(pattern + _WORD_END), {"day_first": day_first}
            avoided = re.compile(not_after) if not_after else None
            return Rule(self, compiled, reader, given, before=before, not_before=inside, not_after=avoided)

        cued = re.compile(rf"(?:^|[^a-z])(?:{told['date_cue']})[\s:]{{1,2}}$")
        return [
            rule(
                rf"{_YEAR}(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})"
                r"(?:[t ](?P<hour>\d\d):(?P<minute>\d\d)(?::\d\d(?:\.\d{1,6})?)?(?P<zone>z|[+-]\d\d:?\d\d)?)?"
                r"(?![-/.]?\d)",
                iso_date,
            ),
            rule(r"(?P<a>\d{1,2})(?P<mark>[-/.])(?P<b>\d{1,2})(?P=mark)(?P<year>\d{4})(?![-/.]?\d)", figures),
            rule(r"(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<year>\d\d)(?![-/.]?\d)", figures),
            rule(r"(?P<a>\d\d?)/(?P<b>\d\d)(?![-/.:,]?\d|%)", figures, not_after=units),
            rule(r"(?P<a>\d\d?)/(?P<b>\d)(?![-/.:,]?\d|%)", figures, not_after=units, before=cued),
            rule(r"(?P<a>\d\d?)/(?P<b>\d)(?=\s*$)", figures, before=re.compile(r"^\s*$")),
            rule(r"(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19|20)\d\d)(?![-/.]?\d)", month),
            rule(
                rf"{_YEAR.replace('year', 'first')} ?(?:{told['to']}) ?(?P<last>(?:1[5-9]|20)\d\d|\d\d)(?![-/.]?\d)",
                years,
            ),
        ]


_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)"


def first_words(pattern: str) -> set[str]:
    """The words a match can begin with, which tell where a pattern is worth trying."""
    done: set[str] = set()
    return _heads(parse(pattern), {""}, done) | done


def _heads(items: Iterable[tuple[Any, Any]], heads: set[str], done: set[str]) -> set[str]:
    """The beginnings of words that may still go on after these parts of a pattern; those that ended are done."""
    for part, told in items:
        if part in (LITERAL, IN):
            heads = _longer(heads, _characters([(part, told)] if part is LITERAL else told), done)
        elif part is BRANCH:
            heads = set().union(*(_heads(branch, heads, done) for branch in told[1]))
        elif part is SUBPATTERN:
            heads = _heads(told[3], heads, done)
        elif part is MAX_REPEAT:
            once = _heads(told[2], heads, done)
            heads = once if told[0] else heads | once
    return heads


def _longer(heads: set[str], characters: Iterable[str], done: set[str]) -> set[str]:
    longer = set()
    for character in characters:
        for head in heads:
            if not character.isalnum():
                done.update([head] if head else [])
            elif head or character.isalpha():
                longer.add(head + character)
            else:
                done.add(FIGURE)
    return longer


def _characters(told: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """Of a class its members, of a category one that stands for all."""
    for part, value in told:
        if part is LITERAL:
            yield chr(value)
        elif part is RANGE:
            yield from map(chr, range(value[0], value[1] + 1))
        else:
            yield FIGURE if value is CATEGORY_DIGIT else " "


@cache
def grammar_of(language: Language) -> Grammar:
    """Read on first use: a file holds some hundred patterns."""
    return Grammar(language)


# ── readers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def iso_date(said: Said, _frame: Frame) -> Reading:
    date = datetime(said["year"], said["month"], said["day"])
    if said["hour"] is None:
        return calendar.day(date)
    begins = date.replace(hour=said["hour"], minute=said["minute"])
    zone = said.text("zone")
    if zone:
        begins = datetime.fromisoformat(begins.isoformat() + zone.upper().replace("Z", "+00:00"))
    return Reading(begins, begins + timedelta(minutes=1), Precision.MINUTE, zoned=bool(zone))


def figures(said: Said, frame: Frame) -> Reading:
    """Day and month of two figures: in the order of the language, day first between stops, or as is possible."""
    a, b = said["a"], said["b"]
    day, month = (a, b) if said["day_first"] or said.text("mark") == "." else (b, a)
    return _dated(frame, *((day, month) if month <= 12 else (month, day)), said["year"])


def years(said: Said, _frame: Frame) -> Reading | None:
    first, last = said["first"], said["last"]
    if last < 100:
        if last <= 12:
            return None  # 2024-05 is a month
        last += first // 100 * 100
        if last - first > 15:
            return None
    if not first < last <= first + 120:
        return None
    return Reading(datetime(first, 1, 1), datetime(last + 1, 1, 1), Precision.YEAR)


def day_name(said: Said, frame: Frame) -> Reading:
    return calendar.day(frame.today + said["shift"] * DAY)


def weekday(said: Said, frame: Frame) -> Reading:
    number, side, today = said["weekday"], said["weekday_side"], frame.today
    if isinstance(side, int):  # of the week so many weeks away
        return replace(calendar.day(today + side * WEEK + (number - today.weekday()) * DAY), weekday=True)
    if side not in ("next", "last", "before last") and today.weekday() == number and (side or frame.nearest):
        return replace(calendar.day(today), weekday=True)  # "this" day may be today, a bare one only ends a range today
    is_back = side in ("last", "before last") or (side != "next" and frame.past)
    ahead = (number - today.weekday()) % 7  # the next or the last of that name is never today
    found = calendar.day(today - (7 - ahead) * DAY if is_back else today + (ahead or 7) * DAY)
    if side == "before last":
        return calendar.day(found.begins - WEEK)
    return replace(found, weekday=True, floating=side is None)


def _nearest(frame: Frame, most: int, day_at: Callable[[int], datetime | None]) -> Reading:
    """Of days so many steps away the first that exists and is not past, or with the tense not to come; today counts.

    `ValueError` where there is none.
    """
    step = -1 if frame.past else 1
    for away in range(0, most * step, step):
        with suppress(ValueError):
            found = day_at(away)
            if found is not None and (found - frame.today) * step >= timedelta():
                return replace(calendar.day(found), floating=True)
    raise ValueError("there is no such day")


def _of_month(frame: Frame, number: int, months: int) -> datetime:
    return calendar.plus_months(frame.today.replace(day=1), months).replace(day=number)


def weekday_and_number(said: Said, frame: Frame) -> Reading:
    """ "Friday the 13th": the nearest month in which that day bears that name, else the day by its number alone."""
    weekday, number = said["weekday"], said["day"]

    def named(months: int) -> datetime | None:
        found = _of_month(frame, number, months)
        return found if found.weekday() == weekday else None

    try:
        return replace(_nearest(frame, 13, named), floating=False)
    except ValueError:
        return _nearest(frame, 4, lambda months: _of_month(frame, number, months))


def unit(said: Said, frame: Frame) -> Reading:
    """The week, month… so many of them away; without a side the running one."""
    name = said["unit"]
    start = frame.today if name == "week" else frame.today.replace(day=1)
    return calendar.period(name, calendar.shifted(start, name, said["unit_side"] or 0))


def weekend(said: Said, frame: Frame) -> Reading:
    """Of the week so many weeks away; without a side the last one if past, else this one."""
    weeks, is_weekend = said["weekend_side"], frame.today.weekday() >= 5
    if weeks == "coming":
        weeks = int(is_weekend)
    elif weeks is None:
        weeks = -1 if frame.past and not is_weekend else 0
    return calendar.period("weekend", calendar.period("week", frame.today).begins + weeks * WEEK)


def _amount(said: Said) -> tuple[int, str, bool] | None:
    """Count, unit and whether it is vague; halves are told in the next smaller unit."""
    count, name, vague = said["n"], said["unit"], said.text("about") is not None
    if count == "half":
        return {"hour": (30, "minute", vague), "year": (6, "month", vague)}.get(name)
    if count in ("few", "couple"):
        return (3 if count == "few" else 2), name, True
    if count is not None and said.text("half"):
        name, size = _FINER.get(name, (name, 1))
        count = count * size + size // 2
    return None if count is None else (count, name, vague)


_FINER = {
    "hour": ("minute", 60), "day": ("hour", 24), "week": ("day", 7), "month": ("week", 4), "year": ("month", 12),
    "decade": ("year", 10),
}  # fmt: skip


def counted(said: Said, frame: Frame) -> Reading | None:
    """So many units before or after now; without a sign, ahead, or as long as something took.

    A few may be one more or one less.
    """
    if said["sign"] is None and frame.past:
        return lasting(said, frame)
    amount = _amount(said)
    if amount is None:
        return None
    count, name, vague = amount
    found = calendar.period(name, calendar.shifted(frame.now, name, (said["sign"] or 1) * count))
    if said["n"] != "few":
        return replace(found, approximate=vague)
    begins, ends = calendar.shifted(found.begins, name, -1), calendar.shifted(found.ends, name, 1)
    return replace(found, begins=begins, ends=ends, approximate=True)


def lasting(said: Said, frame: Frame) -> Reading | None:
    """So many units up to now, or from now on where the sentence looks ahead."""
    amount = _amount(said)
    if amount is None:
        return None
    count, name, vague = amount
    other = calendar.shifted(frame.now, name, count if frame.tense == "future" else -count)
    begins, ends = sorted((frame.now, other))
    return Reading(begins, ends, calendar.PRECISIONS[name], Kind.DURATION, vague)


def stretch(said: Said, frame: Frame) -> Reading | None:
    """ "The last three weeks", up to now; "the next days"."""
    count, name = said["n"], said["unit"]
    vague = count in (None, "few", "couple")
    if said.text("n") and count is None:
        return None
    count = (2 if count == "couple" else 3) if vague else count
    start = frame.now if name == "hour" else frame.today
    far = calendar.shifted(start, name, said["unit_side"] * count)
    begins, ends = (start, far) if said["unit_side"] > 0 else (far, frame.now)
    return Reading(begins, ends, calendar.PRECISIONS[name], approximate=vague)


def recent(said: Said, frame: Frame) -> Reading:
    """Some day of the last few, or with `running` all of them up to now."""
    begins = frame.today - said["days"] * DAY
    if said["running"]:
        return Reading(begins, frame.now, Precision.MONTH, approximate=True)
    return Reading(begins, frame.today, Precision.DAY, approximate=True)


def _habit(reading: Reading) -> Reading:
    return replace(reading, kind=Kind.RECURRING, floating=False)


def habit(said: Said, frame: Frame) -> Reading:
    now = frame.now
    while said["workday"] and now.weekday() >= 5:
        now += DAY
    return _habit(calendar.period(said["unit"] or said["habit"], now))


def every_weekday(said: Said, frame: Frame) -> Reading:
    ahead = min((day - frame.today.weekday()) % 7 for day in said.all_of("weekday"))
    return replace(_habit(calendar.day(frame.today + ahead * DAY)), weekday=True)


def every_day_of_month(said: Said, frame: Frame) -> Reading:
    ahead = replace(frame, tense=None)
    return _habit(_nearest(ahead, 4, lambda months: _of_month(ahead, said["day"], months)))


def every_month(said: Said, frame: Frame) -> Reading:
    return _habit(_month_named(replace(frame, tense=None), said["month"], None))


def every_part(said: Said, frame: Frame) -> Reading:
    return _habit(calendar.within(frame.today, part_of_day(said, frame)))


def part_of_day(said: Said, _frame: Frame) -> TimeOfDay:
    first, last = _PARTS[said["part"]]
    return TimeOfDay(timedelta(hours=first), timedelta(hours=last), Precision.PART_OF_DAY, alone=False)


_PARTS = {"dawn": (0, 6), "morning": (6, 12), "afternoon": (12, 18), "evening": (18, 22), "night": (18, 24)}


def part_of_some_day(said: Said, frame: Frame) -> Reading:
    return calendar.within(frame.today + (said["shift"] or 0) * DAY, part_of_day(said, frame))


def clock(said: Said, _frame: Frame) -> TimeOfDay | None:
    """An hour alone stands for its sixty minutes; 24:00 is the midnight that ends the day.

    With half or part of the day an hour is sure. Without, those from 1 to 6 are read as afternoon, for few things are
    arranged before dawn.
    """
    hour, minute = said["hour"], said["minute"]
    if hour is None or (said["half_day"] and hour > 12):
        return None
    if said.text("to"):
        hour, minute = (hour - 1 or 12), 60 - minute
    late, early = _halves(said)
    written = said["sure"] or (said.text("hour") or "").startswith("0")
    loose = not (late or early or written) and hour <= 12
    if hour == 12 and early:
        hour = 0
    elif hour < 12 and (late or (loose and 1 <= hour <= 6)):
        hour += 12
    if hour > 24 or (minute or 0) > 59 or (hour == 24 and minute):
        return None
    begins = timedelta(hours=hour, minutes=minute or 0)
    length, precision = (timedelta(hours=1), Precision.HOUR) if minute is None else (_MINUTE, Precision.MINUTE)
    return TimeOfDay(begins, begins + length, precision, loose=loose, approximate=said.text("about") is not None)


_MINUTE = timedelta(minutes=1)


def _halves(said: Said) -> tuple[bool, bool]:
    """Whether it was said to be after noon, and before."""
    late = said["half_day"] == "pm" or said["part"] in ("afternoon", "evening", "night")
    return late, said["half_day"] == "am" or said["part"] == "morning"


def clock_range(said: Said, _frame: Frame) -> TimeOfDay | None:
    """ "2-4 pm", "das 9 às 17": the first hour takes the half of the day that puts it before the second."""
    first, last = said["first"], said["last"]
    if said["half_day"]:
        if not (1 <= first <= 12 and 1 <= last <= 12):
            return None
        first, last = first % 12, last % 12
    begins = timedelta(hours=first, minutes=said["first_minute"] or 0)
    ends = timedelta(hours=last, minutes=said["last_minute"] or 0)
    half = timedelta(hours=12)
    if _halves(said)[0]:
        ends += half if ends < half else timedelta()
        begins += half if begins + half < ends else timedelta()
    minutes = said.text("first_minute") or said.text("last_minute")
    precision = Precision.MINUTE if minutes else Precision.HOUR
    return TimeOfDay(begins, ends, precision) if begins < ends <= DAY else None


def date(said: Said, frame: Frame) -> Reading | None:
    day, tense = said["day"], said["tense"]
    frame = replace(frame, tense=cast(Tense, tense)) if tense else frame
    return None if day is None else _dated(frame, day, said["month"], said["year"])


def _dated(frame: Frame, day: int, month: int, year: int | None) -> Reading:
    """Without a year the last occurrence if past, else the next; no 29th of February is eight years away."""
    if year is None:
        return _nearest(frame, 9, lambda away: datetime(frame.today.year + away, month, day))
    return calendar.day(datetime(_year_of(year, frame), month, day))


def _year_of(said: int, frame: Frame) -> int:
    """Two digits mean the last hundred years, plus the ten to come."""
    if said > 99:
        return said
    year = frame.now.year // 100 * 100 + said
    return year - 100 if year > frame.now.year + 10 else year


def dates(said: Said, frame: Frame) -> Reading | None:
    """From one day to another of a month."""
    first, last = said["first"], said["last"]
    if first is None or last is None:
        return None
    end = _dated(frame, last, said["month"], said["year"])
    month = said["first_month"] or end.begins.month
    begins = datetime(end.begins.year - (month > end.begins.month), month, first)
    return Reading(begins, end.ends, Precision.DAY) if begins < end.ends else None


def day_of_month(said: Said, frame: Frame) -> Reading | None:
    """ "The 20th": of this month or the nearest one that has such a day, before or after today by tense."""
    number = said["day"]
    if number is None or number > 31:
        return None
    if not said["of_month"]:
        return _nearest(frame, 4, lambda months: _of_month(frame, number, months))
    first = calendar.plus_months(frame.today.replace(day=1), said["unit_side"] or 0)
    return calendar.day(calendar.plus_months(first, 1) - DAY if number < 0 else first.replace(day=number))


def month(said: Said, frame: Frame) -> Reading:
    year = said["year"] if said["year_shift"] is None else frame.today.year + said["year_shift"]
    if year is None:
        return _month_named(frame, said["month"], said["month_side"])
    return calendar.period("month", datetime(_year_of(year, frame), said["month"], 1))


def _month_named(frame: Frame, month: int, side: int | None) -> Reading:
    """A month without a year. `side` -1 and 1 leave out the running one; None lets the tense choose."""
    year, running = frame.today.year, frame.today.month
    if side is None:
        year += -int(month > running) if frame.past else int(month < running)
    elif side < 0:
        year -= int(month >= running)
    elif side > 0:
        year += int(month <= running)
    return replace(calendar.period("month", datetime(year, month, 1)), floating=side is None)


_EDGES: dict[str, tuple[str, Precision, dict[str, tuple[int, int | None]]]] = {
    "week": ("day", Precision.DAY, {"begin": (0, 2), "middle": (2, 3), "end": (3, 5)}),
    "month": ("day", Precision.WEEK, {"begin": (0, 10), "middle": (10, 20), "end": (20, None)}),
    "year": ("month", Precision.MONTH, {"begin": (0, 2), "middle": (5, 7), "end": (10, 12)}),
    "decade": ("year", Precision.YEAR, {"begin": (0, 4), "middle": (4, 7), "end": (7, 10)}),
}


def part_of_period(said: Said, frame: Frame) -> Reading:
    """The beginning, middle or end of a week, month, year or decade, in the loose sense of speech."""
    if said["unit"]:
        name, whole = said["unit"], unit(said, frame)
    elif said["month"]:
        name, whole = "month", month(said, frame)
    else:
        name, whole = ("year", year(said, frame)) if said["year"] else ("decade", decade(said, frame))
    step, precision, parts = _EDGES[name]
    first, last = parts[said["edge"]]
    begins = calendar.shifted(whole.begins, step, first)
    ends = whole.ends if last is None else calendar.shifted(whole.begins, step, last)
    return Reading(begins, ends, precision, approximate=True, floating=whole.floating)


def week_of_month(said: Said, frame: Frame) -> Reading:
    """The first to fifth seven days of a month, or the weekend that begins in it; -1 is its last."""
    if said["month"]:
        whole = month(said, frame)
    else:
        whole = calendar.period("month", calendar.plus_months(frame.today.replace(day=1), said["unit_side"] or 0))
    number = said["nth"]
    if said["unit"] == "weekend":
        return calendar.period("weekend", calendar.nth_weekday(whole, 5, number))
    begins = whole.ends - WEEK if number < 0 else whole.begins + (number - 1) * WEEK
    return Reading(begins, min(begins + WEEK, whole.ends), Precision.WEEK, approximate=True)


_SEASONS = ("spring", "summer", "autumn", "winter")
_SEASON_STARTS = ((3, 21), (6, 21), (9, 23), (12, 21))


def season(said: Said, frame: Frame) -> Reading:
    """A season by name; with a year, the one most of whose days fall in it ("winter of 2022" began in 2021)."""
    place = (_SEASONS.index(said["season"]) + 2 * grammar_of(frame.language).southern) % 4

    def of(year: int) -> Reading:
        begins = datetime(year - (place == 3), *_SEASON_STARTS[place])
        return Reading(begins, datetime(year, *_SEASON_STARTS[(place + 1) % 4]), Precision.SEASON)

    if said["year"] is not None:
        return of(said["year"])
    around, side = [of(frame.today.year + shift) for shift in (-2, -1, 0, 1, 2)], said["season_side"]
    if side < 0 if side else frame.past:  # "last winter" is over; "in the winter I skied" may still be running
        return [one for one in around if (one.ends if side else one.begins) <= frame.today][-1]
    return next(one for one in around if (one.begins if side == 1 else one.ends) > frame.today)


def year(said: Said, _frame: Frame) -> Reading:
    return calendar.period("year", datetime(said["year"], 1, 1))


def decade(said: Said, _frame: Frame) -> Reading:
    """Of a year or its last two digits, which lie in the last century, save 0, 10 and 20."""
    number = said["decade"]
    return calendar.period("decade", datetime(number + (0 if number > 99 else 1900 if number > 20 else 2000), 1, 1))


def part_of_year(said: Said, frame: Frame) -> Reading | None:
    """A quarter or half, by its number."""
    number, months = said["nth"], said["months"]
    if not 0 < number * months <= 12:
        return None
    of = said["year"] or frame.today.year + (said["year_shift"] or 0)
    begins = datetime(of, (number - 1) * months + 1, 1)
    return Reading(begins, calendar.plus_months(begins, months), Precision.QUARTER)


def holiday(said: Said, frame: Frame) -> Reading:
    """Of the year said, or the last or next one by its side, or by tense when there is none. Today counts.

    A feast is a day of a month, counted from Easter, or such a weekday of a month (-1: the last).
    """
    told = said["holiday"]

    def of(year: int) -> Reading:
        if "easter" in told:
            begins = calendar.easter(year) + told["easter"] * DAY
        elif "day" in told:
            begins = datetime(year, told["month"], told["day"])
        else:
            whole = calendar.period("month", datetime(year, told["month"], 1))
            begins = calendar.nth_weekday(whole, told["weekday"], told["nth"]) + told.get("plus", 0) * DAY
        return Reading(begins, begins + told.get("days", 1) * DAY, Precision.DAY)

    year = said["year"] if said["year_shift"] is None else frame.today.year + said["year_shift"]
    if year is not None:
        return of(year)
    near, side = [of(frame.today.year + shift) for shift in (-1, 0, 1)], said["holiday_side"]
    if side < 0 if side else frame.past:
        latest = frame.today - DAY if side else frame.today
        return replace([one for one in near if one.begins <= latest][-1], floating=not side)
    return replace(next(one for one in near if one.ends > frame.today), floating=not side)


READERS: dict[str, Reader] = {
    reader.__name__: reader
    for reader in (
        day_name, weekday, weekday_and_number, unit, weekend, counted, lasting, stretch, recent, habit, every_weekday,
        every_day_of_month, every_month, every_part, part_of_day, part_of_some_day, clock, clock_range, date, dates,
        day_of_month, month, part_of_period, week_of_month, season, year, decade, part_of_year, holiday,
    )
}  # fmt: skip
"""What a rule can name."""
