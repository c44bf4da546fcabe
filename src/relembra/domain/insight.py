"""What is noticed of a person's days, and what recurs in it more than chance gives.

Noticing is for a mind, and wording what is found for whoever stores it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cached_property, partial, reduce
from itertools import pairwise
from operator import or_
from statistics import NormalDist, median
from typing import Any

from relembra.domain.knowledge import LifeArea
from relembra.domain.policy import InsightPolicy

FEELING = "feeling"  # is there or not, and may be about a topic
ACTIVITY = "activity"  # was done or not
STATE = "state"  # well or badly: sleep, energy, mood
AREA_MOOD = "area-mood"  # how talk about an area of life sounded

MOOD = "mood"

TOPIC_AREAS = {
    **dict.fromkeys(
        ("deadlines", "meetings", "presentations", "interviews", "boss", "clients", "colleagues", "work", "project"),
        LifeArea.CAREER,
    ),
    **dict.fromkeys(("debts", "money"), LifeArea.FINANCE),
    **dict.fromkeys(("exams", "thesis", "studies"), LifeArea.GROWTH),
    **dict.fromkeys(
        ("mother", "father", "siblings", "children", "partner", "ex", "family", "friends"), LifeArea.RELATIONSHIPS
    ),
    **dict.fromkeys(("health", "doctor", "body", "sleep"), LifeArea.HEALTH),
}
"""The area of life a topic of talk belongs to, where it belongs to one."""


class InsightKind(StrEnum):
    RECURRING = "recurring"  # the same feeling about the same topic, again and again
    WEEKDAY = "weekday"
    PART_OF_DAY = "part_of_day"
    MONTH = "month"  # one month of one year
    SEASON = "season"  # the same three months of several years
    STREAK = "streak"  # days or weeks running
    TOGETHER = "together"  # two things on the same day, or one the day after the other


class Part(StrEnum):
    """A part of the day, on the person's own clock."""

    MORNING = "morning"  # 5–12
    AFTERNOON = "afternoon"  # 12–18
    EVENING = "evening"  # 18–22
    NIGHT = "night"  # 22–5


@dataclass(frozen=True, slots=True, order=True)
class Feature:
    """Something days may have: a feeling (about a topic or not), an activity, a state, the mood of an area."""

    kind: str
    name: str
    topic: str = ""

    @property
    def key(self) -> str:
        return ".".join(part for part in (self.kind, self.name, self.topic) if part)

    @property
    def is_two_sided(self) -> bool:
        """Whether it may be well or badly, rather than there or not."""
        return self.kind in (STATE, AREA_MOOD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One thing noticed of one day; polarity −1: not there, or bad where it may be well or badly."""

    day: date  # on the person's own clock
    hour: int | None = None  # where the telling tells the hour: a feeling is told when it is felt, a run afterwards
    feature: Feature
    polarity: int = 1
    message_id: str | None = None
    item_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """Something that recurs more than chance gives, or as often as was asked for, and what speaks for it."""

    kind: InsightKind
    features: tuple[Feature, ...]  # of two: on which days, then what those days have
    signs: tuple[int, ...]  # of each feature: 1, or −1 for its bad side
    when: str = ""  # weekday:0, weekend, part:night, month:2026-06, season:2, days, weeks; same_day, next_day
    less: bool = False  # of two: such days have it less often
    count: int  # how often it was so
    of: int  # of how many
    other_count: int = 0  # and otherwise
    other_of: int = 0
    days: int  # on which anything was said
    chance: float | None = None  # p: how often chance alone gives as much; None: it was counted, not put to chance
    rate: float | None = None  # q: p once it is known how many were looked at
    confidence: float = 0.0
    since: date
    until: date
    message_ids: tuple[str, ...] = ()  # the newest first
    item_ids: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What tells it from others, whatever its numbers are."""
        parts = [f"{one.key}{'+' if sign > 0 else '-'}" for one, sign in zip(self.features, self.signs, strict=True)]
        return "|".join([self.kind, *parts, *([self.when] if self.when else []), *(["less"] if self.less else [])])

    @property
    def share(self) -> float:
        return self.count / self.of if self.of else 0.0

    @property
    def other_share(self) -> float:
        return self.other_count / self.other_of if self.other_of else 0.0

    @property
    def support(self) -> int:
        """The days that speak for it."""
        return self.of - self.count if self.less else self.count


def part_of(hour: int) -> Part:
    if 5 <= hour < 12:
        return Part.MORNING
    if 12 <= hour < 18:
        return Part.AFTERNOON
    return Part.EVENING if 18 <= hour < 22 else Part.NIGHT


def confidence_of(support: int, rate: float | None, policy: InsightPolicy) -> float:
    """How sure an insight is, from `weakest` to below `strongest`: more with every day, less the likelier by chance.

    weakest + (strongest − weakest) · days / (days + halfway_days) · (1 − q / keep_level)
    """
    sure = 1.0 if rate is None else max(0.0, 1.0 - rate / policy.keep_level) if policy.keep_level else 0.0
    many = support / (support + policy.halfway_days)
    return round(policy.weakest + (policy.strongest - policy.weakest) * many * sure, 4)


def is_new_enough(insight: Insight, policy: InsightPolicy) -> bool:
    """Whether it may be told for the first time; what was told before stays up to `keep_level`."""
    return insight.rate is None or insight.rate <= policy.level


@dataclass(frozen=True, slots=True)
class Stratum:
    """A few days compared with one another: how many there are, how many have one thing, the other, and both."""

    days: int
    with_first: int
    with_second: int
    with_both: int

    @property
    def least(self) -> int:
        """The fewest that could have had both."""
        return max(0, self.with_first + self.with_second - self.days)

    @property
    def most(self) -> int:
        return min(self.with_first, self.with_second)


def hypergeometric(days: int, with_first: int, with_second: int) -> list[float]:
    """The chance of each number having both, from the fewest possible on, when the two have nothing to do."""
    least, most = max(0, with_first + with_second - days), min(with_first, with_second)
    ways = math.comb(days, with_second)
    return [
        math.comb(with_first, both) * math.comb(days - with_first, with_second - both) / ways
        for both in range(least, most + 1)
    ]


@dataclass(frozen=True, slots=True)
class Answer:
    """One question put to chance: how likely as much or more, as little or less, and the least p there could be."""

    more: float
    less: float
    least: float  # the smaller p of the two most extreme outcomes these margins allow

    @property
    def either(self) -> float:
        """The chance of something so far off in either direction."""
        return min(1.0, 2.0 * min(self.more, self.less))


def compared(strata: Iterable[Stratum]) -> Answer:
    """Fisher's exact test, conditional on each stratum's margins: days are only compared within their stratum.

    With one stratum it is the plain one. A stratum in which nothing could have been otherwise says nothing.
    """
    spread, both, least = [1.0], 0, 0
    for part in strata:
        both += part.with_both
        least += part.least
        if part.most > part.least:
            spread = _convolved(spread, hypergeometric(part.days, part.with_first, part.with_second))
    at = both - least
    return Answer(
        more=min(1.0, math.fsum(spread[at:])),
        less=min(1.0, math.fsum(spread[: at + 1])),
        least=min(spread[0], spread[-1]),
    )


def stickiness(marked: Sequence[bool]) -> float:
    """How much a day is like the day before, 0 to 1: the correlation of each with the next."""
    if len(marked) < 3:
        return 0.0
    mean = sum(marked) / len(marked)
    spread = math.fsum((one - mean) ** 2 for one in marked)
    if spread == 0.0:
        return 0.0
    likeness = math.fsum((one - mean) * (two - mean) for one, two in pairwise(marked))
    return min(1.0, max(0.0, likeness / spread))


def tempered(chance: float, likeness: float) -> float:
    """A p of two series that both stay as they were for days, and so meet by chance more often than loose days do.

    `likeness`: the product of their stickiness. As many days as there are count for (1 − likeness) / (1 + likeness)
    of them (Bartlett), so the p is that of a deviation smaller by the root of it; never a smaller p.
    """
    if not 0.0 < chance < 0.5 or likeness <= 0.0:
        return chance
    if likeness >= 1.0:
        return 0.5
    normal = NormalDist()
    return normal.cdf(normal.inv_cdf(chance) * math.sqrt((1.0 - likeness) / (1.0 + likeness)))


def run_chance(days: int, marked: int, longest: int) -> float:
    """The chance that `marked` of so many days in a row, marked at random, hold a run of `longest` or more."""
    if longest <= 0:
        return 1.0
    if longest > marked:
        return 0.0
    others, ways = days - marked, math.comb(days, marked)
    without = sum(
        (-1 if runs % 2 else 1) * math.comb(others + 1, runs) * math.comb(days - runs * longest, others)
        for runs in range(min(others + 1, marked // longest) + 1)
    )
    return (ways - without) / ways


def discovery_rates(chances: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's q of each p, in order: the share of false ones among all whose q is as small."""
    ranked = sorted(range(len(chances)), key=lambda index: chances[index])
    rates = [1.0] * len(chances)
    so_far = 1.0
    for rank in range(len(ranked), 0, -1):
        index = ranked[rank - 1]
        so_far = min(so_far, chances[index] * len(ranked) / rank)
        rates[index] = so_far
    return rates


def _convolved(one: Sequence[float], two: Sequence[float]) -> list[float]:
    sums = [0.0] * (len(one) + len(two) - 1)
    for at, left in enumerate(one):
        for by, right in enumerate(two):
            sums[at + by] += left * right
    return sums


BLOCK_DAYS = 28
"""Days are compared with others of the same four weeks, so that a month of this and a month of that prove nothing."""
DAY = timedelta(days=1)
WEEKEND = frozenset({5, 6})


@dataclass(frozen=True)
class Diary:
    """The days of one person: when they said anything, and what was noticed."""

    moments: tuple[datetime, ...]  # of all they said, on their own clock
    observations: tuple[Observation, ...]

    @classmethod
    def of(cls, moments: Iterable[datetime], observations: Iterable[Observation]) -> Diary:
        """In an order that does not depend on how they came; what was told of a silent day is left out."""
        said = tuple(sorted(moment.replace(tzinfo=None) for moment in moments))
        days = {moment.date() for moment in said}
        kept = (one for one in observations if one.day in days)
        return cls(said, tuple(sorted(kept, key=_order)))

    @cached_property
    def days(self) -> dict[date, int]:
        """Days on which anything was said, in order, and how often."""
        counted: dict[date, int] = defaultdict(int)
        for moment in self.moments:
            counted[moment.date()] += 1
        return dict(counted)

    @cached_property
    def first(self) -> date:
        return min(self.days, default=date.min)

    @cached_property
    def cells(self) -> set[tuple[date, Part]]:
        """The parts of days in which anything was said."""
        return {(moment.date(), part_of(moment.hour)) for moment in self.moments}

    @cached_property
    def loud(self) -> frozenset[date]:
        """Days on which more was said than on most: whatever is told of is told of more often then."""
        middle = median(self.days.values()) if self.days else 0
        return frozenset(day for day, times in self.days.items() if times > middle)

    @cached_property
    def blocks(self) -> list[int]:
        """The days of each four weeks, a bit each."""
        return self._blocks(lambda _: False)

    @cached_property
    def loud_blocks(self) -> list[int]:
        """The same, days of much talk apart: whoever tells more tells more of everything."""
        return self._blocks(self.loud.__contains__)

    def _blocks(self, apart: Callable[[date], bool]) -> list[int]:
        grouped: dict[tuple[int, bool], list[date]] = defaultdict(list)
        for day in self.days:
            grouped[day.toordinal() // BLOCK_DAYS, apart(day)].append(day)
        return [_bits(days, self.first) for days in grouped.values()]

    @cached_property
    def by_feature(self) -> dict[tuple[str, str], list[Observation]]:
        """What was noticed of each feature, topics put aside."""
        grouped: dict[tuple[str, str], list[Observation]] = defaultdict(list)
        for one in self.observations:
            grouped[one.feature.kind, one.feature.name].append(one)
        return grouped

    @cached_property
    def marks(self) -> list[Mark]:
        """What is put to chance: feelings whatever they are about, activities, and each side of what has two."""
        grouped: dict[Feature, list[Observation]] = defaultdict(list)
        for one in self.observations:
            bare = replace(one.feature, topic="") if one.feature.kind == FEELING else one.feature
            grouped[bare].append(one)
        return [mark for feature in sorted(grouped) for mark in self._sides(feature, grouped[feature])]

    def apart(self, one: Mark, two: Mark) -> tuple[Mark, Mark]:
        """Two marks of the same days, a judged mood without what the other one was told by.

        "I slept badly" sounds bad: that the mood is bad when sleep is, such a message cannot show.
        """
        if _is_judged(one.feature) == _is_judged(two.feature):
            return one, two
        judged, other = (one, two) if _is_judged(one.feature) else (two, one)
        words = {row.message_id for rows in other.seen.values() for row in rows}
        if other.two:
            words |= {row.message_id for row in self.by_feature[other.feature.kind, other.feature.name]}
        rows = self.by_feature[judged.feature.kind, judged.feature.name]
        sides = self._sides(judged.feature, [row for row in rows if row.message_id not in words])
        left = next(mark for mark in sides if mark.sign == judged.sign)
        return (left, two) if judged is one else (one, left)

    def _sides(self, feature: Feature, noticed: Sequence[Observation]) -> Iterator[Mark]:
        by_day: dict[date, list[Observation]] = defaultdict(list)
        for one in noticed:
            by_day[one.day].append(one)
        if not feature.is_two_sided:
            seen = {day: rows for day, rows in by_day.items() if any(one.polarity > 0 for one in rows)}
            yield Mark(self.first, feature, 1, frozenset(self.days), _said(seen, 1))
            return
        well = {day: rows for day, rows in by_day.items() if sum(one.polarity for one in rows) > 0}
        badly = {day: rows for day, rows in by_day.items() if sum(one.polarity for one in rows) < 0}
        told = frozenset(well) | frozenset(badly)
        yield Mark(self.first, feature, 1, told if badly else frozenset(self.days), _said(well, 1), two=bool(badly))
        yield Mark(self.first, feature, -1, told if well else frozenset(self.days), _said(badly, -1), two=bool(well))


@dataclass(frozen=True)
class Mark:
    """A feature, or one side of it, with the days it could have been seen on and those it was."""

    first: date  # the diary's
    feature: Feature
    sign: int
    could: frozenset[date]
    seen: Mapping[date, tuple[Observation, ...]]
    two: bool = False  # the other side was seen as well, so only days it was told of count

    @cached_property
    def stickiness(self) -> float:
        return stickiness([day in self.seen for day in sorted(self.could)])

    @cached_property
    def bits(self) -> tuple[int, int]:
        """The days it could have been seen on and those it was, a bit each, for counting many pairs."""
        return _bits(self.could, self.first), _bits(self.seen, self.first)


@dataclass(frozen=True)
class _Question:
    """Something put to chance: the answer, the least p its margins allow, and what to say if it holds.

    Whether it is asked depends on margins only, never on the answer, or the rate of false answers would not hold.
    """

    chance: float
    least: float
    tell: Callable[[], Insight | None]  # None: it is nothing to tell after all


def found(diary: Diary, policy: InsightPolicy) -> list[Insight]:
    """All there is to say of a diary, the surest first; those up to `keep_level`, for what is held may stay longer.

    Nothing is tested with fewer than `least_days` days of talk. What could not have come out as telling whatever was
    said is not asked; of all that is asked, the rate of false answers is what `Insight.rate` says.
    """
    insights = list(_recurring(diary, policy))
    if len(diary.days) >= policy.least_days:
        asked = [one for one in _questions(diary, policy) if one.least <= policy.level]
        rates = discovery_rates([one.chance for one in asked])
        told = [
            replace(insight, chance=one.chance, rate=rate)
            for one, rate in zip(asked, rates, strict=True)
            if rate <= policy.keep_level and (insight := one.tell()) is not None and _matters(insight, policy)
        ]
        insights += _once(told)
    sure = [replace(one, confidence=confidence_of(one.support, one.rate, policy)) for one in insights]
    return sorted(sure, key=lambda one: (-one.confidence, one.key))


# ── what is asked ─────────────────────────────────────────────────────────────────────────────────────────────────


def _recurring(diary: Diary, policy: InsightPolicy) -> Iterator[Insight]:
    """The same feeling about the same topic on enough days."""
    about: dict[Feature, dict[date, list[Observation]]] = defaultdict(lambda: defaultdict(list))
    for one in diary.observations:
        if one.feature.kind == FEELING and one.feature.topic and one.polarity > 0:
            about[one.feature][one.day].append(one)
    for feature, days in sorted(about.items()):
        if len(days) >= policy.recurring_days:
            rows = [one for day in days.values() for one in day]
            yield _insight(
                InsightKind.RECURRING, ((feature, 1),), rows, diary, count=len(days), of=len(diary.days)
            )  # fmt: skip


def _questions(diary: Diary, policy: InsightPolicy) -> Iterator[_Question]:
    often = [mark for mark in diary.marks if len(mark.seen) >= policy.least_seen]
    for mark in often:
        yield from _by_day(mark, diary, policy)
        yield from _by_part(mark, diary, policy)
        yield from _streaks(mark, diary, policy)
    for at, one in enumerate(often):
        for two in often[at + 1 :]:
            yield from _pair(one, two, diary, policy)


def _by_day(mark: Mark, diary: Diary, policy: InsightPolicy) -> Iterator[_Question]:
    """Weekdays, weekends, months, and seasons seen in two years or more."""
    groups: dict[tuple[InsightKind, str], set[date]] = defaultdict(set)
    for day in mark.could:
        for label in _labels(day):
            groups[label].add(day)
    for (kind, when), inside in sorted(groups.items()):
        is_season = kind is InsightKind.SEASON
        if min(len(inside), len(mark.could) - len(inside)) < policy.least_together:
            continue
        if is_season and len(_years(inside)) < 2:
            continue
        hits = [day for day in mark.seen if day in inside]
        part = Stratum(len(mark.could), len(inside), len(mark.seen), len(hits))
        question = _asked(kind, when, mark, diary, part, [one for day in hits for one in mark.seen[day]])
        if kind in (InsightKind.MONTH, InsightKind.SEASON):
            question = replace(question, chance=tempered(question.chance, mark.stickiness))
        yield replace(question, tell=_nothing) if is_season and len(_years(hits)) < 2 else question


def _by_part(mark: Mark, diary: Diary, policy: InsightPolicy) -> Iterator[_Question]:
    """Parts of the day, among all parts of days in which anything was said."""
    said_in: dict[tuple[date, Part], list[Observation]] = defaultdict(list)
    for rows in mark.seen.values():
        for one in rows:
            if one.hour is not None and (cell := (one.day, part_of(one.hour))) in diary.cells:
                said_in[cell].append(one)
    could = {cell for cell in diary.cells if cell[0] in mark.could} if mark.two else diary.cells
    for part in Part:
        inside = sum(cell[1] is part for cell in could)
        if min(inside, len(could) - inside) >= policy.least_together:
            hits = [rows for cell, rows in said_in.items() if cell[1] is part]
            counted = Stratum(len(could), inside, len(said_in), len(hits))
            told = [one for some in hits for one in some]
            yield _asked(InsightKind.PART_OF_DAY, f"part:{part}", mark, diary, counted, told)


def _asked(
    kind: InsightKind, when: str, mark: Mark, diary: Diary, part: Stratum, rows: Sequence[Observation]
) -> _Question:
    """Whether a mark is seen more often at some time than at others, and the observations that would say so."""
    tell = partial(
        _insight, kind, ((mark.feature, mark.sign),), rows, diary, when=when, count=part.with_both, of=part.with_first,
        other_count=part.with_second - part.with_both, other_of=part.days - part.with_first,
    )  # fmt: skip
    most_telling = compared([replace(part, with_both=part.most)]).more  # had all that could be been so
    return _Question(compared([part]).more, most_telling, tell)


def _streaks(mark: Mark, diary: Diary, policy: InsightPolicy) -> Iterator[_Question]:
    """The longest run of days, and of weeks. Gaps break a run and are not reckoned with by chance: on the safe side."""
    weeks: dict[date, list[date]] = defaultdict(list)
    for day in mark.seen:
        weeks[_monday(day)].append(day)
    spoken_weeks = {_monday(day) for day in mark.could}
    for when, step, marked, could, least in (
        ("days", DAY, {day: [day] for day in mark.seen}, len(mark.could), policy.streak_days),
        ("weeks", 7 * DAY, weeks, len(spoken_weeks), policy.streak_weeks),
    ):
        if len(marked) < least:
            continue
        run = _longest_run(sorted(marked), step)
        rows = [one for point in run for day in marked[point] for one in mark.seen[day]]
        tell = partial(
            _insight, InsightKind.STREAK, ((mark.feature, mark.sign),), rows, diary, when=when, count=len(run),
            of=len(run), other_count=len(marked) - len(run), other_of=could - len(run),
        )  # fmt: skip
        least_chance = run_chance(could, len(marked), len(marked))
        chance = run_chance(could, len(marked), len(run))
        yield _Question(chance, least_chance, tell if len(run) >= least else _nothing)


def _pair(one: Mark, two: Mark, diary: Diary, policy: InsightPolicy) -> Iterator[_Question]:
    """Two things on the same day, and one on the day after the other."""
    if _akin(one.feature, two.feature) or (one.two and one.sign < 0) or (two.two and two.sign < 0):
        return  # of what has two sides, one is asked: the other is the same question
    given, outcome = (one, two) if _rank(one.feature) <= _rank(two.feature) else (two, one)
    orders = [(given, outcome, 0), (given, outcome, 1)]
    if _rank(given.feature) == _rank(outcome.feature):
        orders.append((outcome, given, 1))
    for first, second, lag in orders:
        if lag == 0:
            first, second = diary.apart(first, second)
        question = _together(first, second, lag, diary, policy)
        if question is not None:
            yield question


def _together(given: Mark, outcome: Mark, lag: int, diary: Diary, policy: InsightPolicy) -> _Question | None:
    could, seen = given.bits
    outcome_could, outcome_seen = (bits >> lag for bits in outcome.bits)
    days = could & outcome_could
    exposed, hits = seen & days, outcome_seen & days
    count, with_first, with_second = days.bit_count(), exposed.bit_count(), hits.bit_count()
    if min(with_first, count - with_first, with_second, count - with_second) < policy.least_together:
        return None
    both = exposed & hits
    strata = [
        Stratum(*((bits & part).bit_count() for bits in (days, exposed, hits, both)))
        for part in (diary.blocks if outcome.two else diary.loud_blocks)
    ]
    answer = compared(strata)
    chance = min(1.0, 2.0 * tempered(answer.either / 2.0, given.stickiness * outcome.stickiness))
    more = answer.more <= answer.less
    return _Question(chance, 2.0 * answer.least, partial(_worded, given, outcome, lag, diary, more=more))


def _worded(given: Mark, outcome: Mark, lag: int, diary: Diary, *, more: bool) -> Insight | None:
    """The pair, told from the side that says "more"; None where all days together point the other way."""
    shift = lag * DAY
    days = {day for day in given.could if day + shift in outcome.could}
    exposed = {day for day in days if day in given.seen}
    hits = {day for day in days if day + shift in outcome.seen}
    signs = [given.sign, outcome.sign]
    if not more and outcome.two:
        signs[1], hits, more = -signs[1], days - hits, True
    elif not more and given.two:
        signs[0], exposed, more = -signs[0], days - exposed, True
    both, others = len(exposed & hits), len(days) - len(exposed)
    elsewhere = len(hits) - both
    if (both / len(exposed) > elsewhere / others) is not more:
        return None
    rows = [
        one
        for day in sorted(exposed)
        if (day in hits) is more
        for one in (*_told(given.feature, day, diary), *_told(outcome.feature, day + shift, diary))
    ]
    return _insight(
        InsightKind.TOGETHER, ((given.feature, signs[0]), (outcome.feature, signs[1])), rows, diary,
        when="next_day" if lag else "same_day", less=not more,
        count=both, of=len(exposed), other_count=elsewhere, other_of=others,
    )  # fmt: skip


# ── small judgements ──────────────────────────────────────────────────────────────────────────────────────────────


def season_of(day: date) -> int:
    """0: December to February, 1: March to May, …"""
    return day.month % 12 // 3


def _labels(day: date) -> Iterator[tuple[InsightKind, str]]:
    """The times a day belongs to."""
    yield InsightKind.WEEKDAY, f"weekday:{day.weekday()}"
    if day.weekday() in WEEKEND:
        yield InsightKind.WEEKDAY, "weekend"
    yield InsightKind.MONTH, f"month:{day.year}-{day.month:02d}"
    yield InsightKind.SEASON, f"season:{season_of(day)}"


def _matters(insight: Insight, policy: InsightPolicy) -> bool:
    """Whether enough days speak for it and the difference is worth a word; a streak and a count have none."""
    if insight.kind in (InsightKind.RECURRING, InsightKind.STREAK):
        return True
    if insight.support < policy.least_together:
        return False
    return abs(insight.share - insight.other_share) >= policy.least_difference


def _once(told: Sequence[Insight]) -> list[Insight]:
    """The stronger of those that say nearly the same: a day and its weekend, the same day and the next, both sides."""
    best: dict[object, Insight] = {}
    for one in sorted(told, key=lambda one: (one.chance or 0.0, one.key)):
        same: object = one.key
        if one.kind is InsightKind.TOGETHER:
            same = (one.kind, frozenset(one.features))
        elif one.kind is InsightKind.WEEKDAY and one.when in ("weekend", "weekday:5", "weekday:6"):
            same = (one.features, one.signs, "weekend")
        elif one.kind is InsightKind.STREAK:
            same = (one.kind, one.features, one.signs)
        best.setdefault(same, one)
    return list(best.values())


def _akin(one: Feature, two: Feature) -> bool:
    """Whether two features would go together by what they mean: two words for a mood, or one and the same thing."""
    if one.kind == two.kind == AREA_MOOD:
        return one.name == two.name
    return (one.kind, one.name) == (two.kind, two.name) or (_is_mood(one) and _is_mood(two))


def _is_judged(feature: Feature) -> bool:
    """Whether it is how a whole message sounds, rather than something it says."""
    return feature.kind == AREA_MOOD or feature.name == MOOD


def _is_mood(feature: Feature) -> bool:
    return feature.kind == FEELING or _is_judged(feature)


def _rank(feature: Feature) -> int:
    """What is told as the condition comes first: what somebody does, then how they are, then how they feel."""
    if feature.kind == ACTIVITY:
        return 0
    return 2 if _is_mood(feature) else 1


def _nothing() -> None:
    """What was asked and is not worth telling."""


def _years(days: Iterable[date]) -> set[int]:
    """The years days belong to, where December opens the next."""
    return {(day + 31 * DAY).year for day in days}


def _bits(days: Iterable[date], first: date) -> int:
    """A number with a bit for each day, from the first of the diary on."""
    return reduce(or_, (1 << (day - first).days for day in days), 0)


def _longest_run(points: Sequence[date], step: timedelta) -> list[date]:
    longest: list[date] = []
    run: list[date] = []
    for point in points:
        run = [*run, point] if run and point - run[-1] == step else [point]
        if len(run) >= len(longest):
            longest = run
    return longest


def _monday(day: date) -> date:
    return day - day.weekday() * DAY


def _said(days: Mapping[date, Sequence[Observation]], sign: int) -> dict[date, tuple[Observation, ...]]:
    return {day: tuple(one for one in days[day] if one.polarity == sign) for day in sorted(days)}


def _told(feature: Feature, day: date, diary: Diary) -> list[Observation]:
    return [one for one in diary.by_feature.get((feature.kind, feature.name), ()) if one.day == day]


def _order(one: Observation) -> tuple[object, ...]:
    hour = -1 if one.hour is None else one.hour
    return (one.day, hour, one.feature, one.polarity, one.message_id or "", one.item_id or "")


def _insight(
    kind: InsightKind,
    features: Sequence[tuple[Feature, int]],
    rows: Sequence[Observation],
    diary: Diary,
    **numbers: Any,
) -> Insight:
    newest = sorted(rows, key=_order, reverse=True)
    return Insight(
        kind=kind,
        features=tuple(feature for feature, _ in features),
        signs=tuple(sign for _, sign in features),
        days=len(diary.days),
        since=newest[-1].day if newest else next(iter(diary.days)),
        until=newest[0].day if newest else max(diary.days),
        message_ids=tuple(dict.fromkeys(one.message_id for one in newest if one.message_id)),
        item_ids=tuple(dict.fromkeys(one.item_id for one in newest if one.item_id)),
        **numbers,
    )
