"""The rules dates are read by: patterns and words of one language from its `dates.toml`, and readers for all of them.

A reader takes what the groups of a pattern mean, as the tables of the language have it, and the frame it was said in.
None of them knows a language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from re._constants import BRANCH, CATEGORY_DIGIT, IN, LITERAL, MAX_REPEAT, RANGE, SUBPATTERN  # type: ignore[import-not-found]
from re._parser import parse  # type: ignore[import-not-found] # how a pattern begins is not to be had otherwise
from typing import Any, cast

from relembra.minds.languages import Language, filled, known, words_of
from relembra.minds.offline import calendar
from relembra.minds.offline.calendar import DAY, WEEK, Amount, Frame, Kind, Precision, Reading, Tense, TimeOfDay
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
    if month > 12:
        day, month = month, day
    year = said["year"]
    if year is None:
        return calendar.dated(frame, month, day)
    return calendar.day(datetime(calendar.year_of(year, frame), month, day))


def years(said: Said, _frame: Frame) -> Reading | None:
    first, last = said["first"], said["last"]
    if last < 100:
        if last <= 12:
            return None  # 2024-05 is a month
        last += first // 100 * 100
        if last - first > 15:
            return None
    return (
        Reading(datetime(first, 1, 1), datetime(last + 1, 1, 1), Precision.YEAR)
        if first < last <= first + 120
        else None
    )


def day_name(said: Said, frame: Frame) -> Reading:
    return calendar.day(frame.today + said["shift"] * DAY)


def weekday(said: Said, frame: Frame) -> Reading:
    day, side = said["weekday"], said["weekday_side"]
    match side:
        case None:
            return calendar.bare_weekday(frame, day)
        case int():
            return calendar.weekday_of_week(frame, day, weeks=side)
        case "next" | "last":
            return calendar.one_weekday(frame, day, direction=1 if side == "next" else -1)
        case "before last":
            return calendar.day(calendar.one_weekday(frame, day, direction=-1).begins - WEEK)
    return calendar.this_weekday(frame, day)


def weekday_and_number(said: Said, frame: Frame) -> Reading:
    return calendar.weekday_and_number(frame, said["weekday"], said["day"])


def unit(said: Said, frame: Frame) -> Reading:
    """The week, month… so many of them away; without a side the running one."""
    name = said["unit"]
    start = frame.today if name == "week" else frame.today.replace(day=1)
    return calendar.period(name, calendar.shifted(start, name, said["unit_side"] or 0))


def weekend(said: Said, frame: Frame) -> Reading:
    side = said["weekend_side"]
    return calendar.weekend(frame, weeks=int(frame.today.weekday() >= 5) if side == "coming" else side)


def _amount(said: Said) -> Amount | None:
    """Count, unit and whether it is vague; halves are told in the next smaller unit."""
    count, name, vague = said["n"], said["unit"], said.text("about") is not None
    if count == "half":
        return {"hour": (30, "minute", vague), "year": (6, "month", vague)}.get(name)
    if count in ("few", "couple"):
        return (3 if count == "few" else 2), name, True
    if count is not None and said.text("half"):
        count, name = calendar.and_a_half(count, name)
    return None if count is None else (count, name, vague)


def counted(said: Said, frame: Frame) -> Reading | None:
    """So many units before or after now; without a sign, ahead, or as long as something took."""
    if said["sign"] is None and frame.past:
        return lasting(said, frame)
    amount = _amount(said)
    return amount and calendar.counted(frame, amount, said["sign"] or 1, few=said["n"] == "few")


def lasting(said: Said, frame: Frame) -> Reading | None:
    amount = _amount(said)
    return amount and calendar.lasting(frame, amount)


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
    return _habit(calendar.day_of_month(replace(frame, tense=None), said["day"]))


def every_month(said: Said, frame: Frame) -> Reading:
    return _habit(calendar.month_named(replace(frame, tense=None), said["month"]))


def every_part(said: Said, frame: Frame) -> Reading:
    return _habit(calendar.within(frame.today, calendar.part_of_day(said["part"])))


def part_of_day(said: Said, _frame: Frame) -> TimeOfDay:
    return calendar.part_of_day(said["part"])


def part_of_some_day(said: Said, frame: Frame) -> Reading:
    return calendar.within(frame.today + (said["shift"] or 0) * DAY, calendar.part_of_day(said["part"]))


def clock(said: Said, _frame: Frame) -> TimeOfDay | None:
    """With half or part of the day an hour is sure. Without, those from 1 to 6 are read as afternoon, for few things
    are arranged before dawn."""
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
    return calendar.clock(hour, minute, loose=loose, approximate=said.text("about") is not None)


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
    if year is None:
        return calendar.dated(frame, month, day)
    return calendar.day(datetime(calendar.year_of(year, frame), month, day))


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
    number = said["day"]
    if number is None or number > 31:
        return None
    if not said["of_month"]:
        return calendar.day_of_month(frame, number)
    first = calendar.plus_months(frame.today.replace(day=1), said["unit_side"] or 0)
    return calendar.day(calendar.plus_months(first, 1) - DAY if number < 0 else first.replace(day=number))


def month(said: Said, frame: Frame) -> Reading:
    number, year, shift = said["month"], said["year"], said["year_shift"]
    if shift is not None:
        year = frame.today.year + shift
    if year is not None:
        return calendar.period("month", datetime(calendar.year_of(year, frame), number, 1))
    return calendar.month_named(frame, number, offset=said["month_side"])


def part_of_period(said: Said, frame: Frame) -> Reading:
    """The beginning, middle or end of a week, month, year or decade."""
    edge = said["edge"]
    if said["unit"]:
        return calendar.part(said["unit"], unit(said, frame), edge)
    if said["month"]:
        return calendar.part("month", month(said, frame), edge)
    if said["year"]:
        return calendar.part("year", calendar.whole_year(said["year"]), edge)
    return calendar.part("decade", calendar.decade(said["decade"]), edge)


def week_of_month(said: Said, frame: Frame) -> Reading:
    """The first, last… week or weekend of a month."""
    if said["month"]:
        whole = month(said, frame)
    else:
        whole = calendar.period("month", calendar.plus_months(frame.today.replace(day=1), said["unit_side"] or 0))
    return calendar.week_of_month(whole, said["nth"], weekend=said["unit"] == "weekend")


def season(said: Said, frame: Frame) -> Reading:
    southern = grammar_of(frame.language).southern
    offset = said["season_side"] or None
    return calendar.season(frame, said["season"], southern=southern, year=said["year"], offset=offset)


def year(said: Said, _frame: Frame) -> Reading:
    return calendar.whole_year(said["year"])


def decade(said: Said, _frame: Frame) -> Reading:
    return calendar.decade(said["decade"])


def part_of_year(said: Said, frame: Frame) -> Reading | None:
    """A quarter or half, by its number."""
    number, months = said["nth"], said["months"]
    if not 0 < number * months <= 12:
        return None
    of = said["year"] or frame.today.year + (said["year_shift"] or 0)
    begins = datetime(of, (number - 1) * months + 1, 1)
    return Reading(begins, calendar.plus_months(begins, months), Precision.QUARTER)


def holiday(said: Said, frame: Frame) -> Reading:
    year, shift = said["year"], said["year_shift"]
    if shift is not None:
        year = frame.today.year + shift
    return calendar.holiday(frame, said["holiday"], year=year, offset=said["holiday_side"] or None)


READERS: dict[str, Reader] = {
    reader.__name__: reader
    for reader in (
        day_name, weekday, weekday_and_number, unit, weekend, counted, lasting, stretch, recent, habit, every_weekday,
        every_day_of_month, every_month, every_part, part_of_day, part_of_some_day, clock, clock_range, date, dates,
        day_of_month, month, part_of_period, week_of_month, season, year, decade, part_of_year, holiday,
    )
}  # fmt: skip
"""What a rule can name."""
