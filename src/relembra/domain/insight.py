"""What is noticed of a person's days, and what recurs in it more than chance gives.

A reader of messages notices, and whoever stores an insight words it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from statistics import median
from typing import Any, NamedTuple

from relembra.domain.knowledge import KnowledgeItem, LifeArea
from relembra.domain.policy import InsightPolicy

FEELING = "feeling"  # is there or not, and may be about a topic
ACTIVITY = "activity"  # was done or not
STATE = "state"  # good or bad: sleep, energy

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

SAME_DAY, NEXT_DAY = "same_day", "next_day"
WEEKDAYS = {**{f"weekday:{number}": {number} for number in range(7)}, "weekend": {5, 6}}
"""The days of the week an insight may be about, Monday first."""
BLOCK_DAYS = 28
"""Days are compared with others of the same four weeks, so that a month of this and a month of that prove nothing."""
DAY = timedelta(days=1)
TAG = "insight"
"""The tag of items found by counting, and those of one that was handed to its person, or to a program, to be told."""
MENTIONED = "told:context"
SENT = "told:webhook"


class InsightKind(StrEnum):
    RECURRING = "recurring"  # the same feeling about the same topic, again and again
    WEEKDAY = "weekday"  # more often on one day of the week, or at weekends
    TOGETHER = "together"  # two things on the same day, or one the day after the other


@dataclass(frozen=True, slots=True, order=True)
class Feature:
    """Something days may have: a feeling (about a topic or not), an activity, a state."""

    kind: str
    name: str
    topic: str = ""

    @property
    def key(self) -> str:
        return ".".join(part for part in (self.kind, self.name, self.topic) if part)

    @property
    def is_two_sided(self) -> bool:
        """Whether it may be good or bad, rather than there or not."""
        return self.kind == STATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One thing noticed of one day; polarity −1: not there, or bad where it may be good or bad."""

    day: date  # on the person's own clock
    feature: Feature
    polarity: int = 1
    message_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """Something that recurs more than chance gives, or as often as was asked for, and what speaks for it."""

    kind: InsightKind
    features: tuple[Feature, ...]  # of two: on which days, then what those days have
    signs: tuple[int, ...]  # of each feature: 1, or −1 for its bad side
    when: str = ""  # weekday:0, weekend; same_day, next_day
    less: bool = False  # such days have it less often
    count: int  # how often it was so
    of: int  # of how many
    other_count: int = 0  # and otherwise
    other_of: int = 0
    days: int  # on which anything was said
    chance: float | None = None  # that pure chance gives any as strong, among all looked at; None: it was only counted
    confidence: float = 0.0
    since: date
    until: date
    message_ids: tuple[str, ...] = ()  # the newest first

    @property
    def key(self) -> str:
        """What tells it from others, whatever its numbers are."""
        parts = [f"{one.key}{'+' if sign > 0 else '-'}" for one, sign in zip(self.features, self.signs, strict=True)]
        return "|".join([self.kind, *parts, *([self.when] if self.when else []), *(["less"] if self.less else [])])

    @property
    def support(self) -> int:
        """The days that speak for it."""
        return self.of - self.count if self.less else self.count


def confidence_of(support: int, chance: float | None, policy: InsightPolicy) -> float:
    """How sure an insight is, from `weakest` to below `strongest`: more with every day, less the likelier by chance.

    weakest + (strongest − weakest) · days / (days + halfway_days) · (1 − chance / keep_level)
    """
    sure = 1.0 if chance is None else max(0.0, 1.0 - chance / policy.keep_level)
    many = support / (support + policy.halfway_days)
    return round(policy.weakest + (policy.strongest - policy.weakest) * many * sure, 4)


def is_to_tell(item: KnowledgeItem, tag: str, policy: InsightPolicy) -> bool:
    """Whether an insight is sure enough to be told and was not yet, as the tag says; the confirmed are known."""
    return not (item.validated or tag in item.tags or item.confidence < policy.told_at_least)


def is_new_enough(insight: Insight, policy: InsightPolicy) -> bool:
    """Whether it may be shown for the first time; what was shown before stays up to `keep_level`."""
    return insight.chance is None or insight.chance <= policy.level


# ── chance ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Stratum(NamedTuple):
    """A few days compared with one another: how many there are, how many have one thing, the other, and both."""

    days: int
    with_first: int
    with_second: int
    with_both: int


class Answer(NamedTuple):
    """How likely chance gives as much or more, as little or less, and the smallest of these there could have been."""

    more: float
    less: float
    least: float

    @property
    def either(self) -> float:
        """The chance of something so far off in either direction."""
        return min(1.0, 2.0 * min(self.more, self.less))


def compared(strata: Iterable[Stratum]) -> Answer:
    """Fisher's exact test within each stratum: days are only compared with those of their own."""
    spread, at = [1.0], 0  # the chance of each number having both, from the fewest possible on; and where it is
    for days, first, second, both in strata:
        fewest, ways = max(0, first + second - days), math.comb(days, second)
        at += both - fewest
        sums = [0.0] * (len(spread) + min(first, second) - fewest)
        for number in range(fewest, min(first, second) + 1):
            chance = math.comb(first, number) * math.comb(days - first, second - number) / ways
            for place, before in enumerate(spread, number - fewest):
                sums[place] += before * chance
        spread = sums
    more, less = (min(1.0, math.fsum(tail)) for tail in (spread[at:], spread[: at + 1]))
    return Answer(more, less, min(spread[0], spread[-1]))


# ── the days ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Mark:
    """A feature with the days it could have been seen on and those it was; its bad side is what is left of them."""

    feature: Feature | None  # None: a day of the week
    could: frozenset[date]
    seen: frozenset[date]
    sign: int = 1
    two: bool = False  # both sides were seen, so only days it was told of count


@dataclass(frozen=True)
class Diary:
    """The days of one person: when they said anything, and what was noticed."""

    days: dict[date, int]  # on which anything was said, in order, and how often
    observations: tuple[Observation, ...]

    @classmethod
    def of(cls, moments: Iterable[datetime], observations: Iterable[Observation]) -> Diary:
        """In an order that does not depend on how they came; what was told of a silent day is left out.

        `moments`: of all they said, on their own clock.
        """
        days = dict(sorted(Counter(moment.date() for moment in moments).items()))
        kept = (one for one in observations if one.day in days)
        return cls(days, tuple(sorted(kept, key=_order)))

    @cached_property
    def stratum(self) -> dict[date, tuple[int, bool]]:
        """What each day is compared within: its four weeks, and whether more was said than on most days.

        Whoever says more mentions more of everything.
        """
        middle = median(self.days.values()) if self.days else 0
        return {day: (day.toordinal() // BLOCK_DAYS, times > middle) for day, times in self.days.items()}

    @cached_property
    def by_feature(self) -> dict[Feature, dict[date, list[Observation]]]:
        """What was noticed of each feature by day, whatever a feeling is about."""
        found: dict[Feature, dict[date, list[Observation]]] = defaultdict(lambda: defaultdict(list))
        for one in self.observations:
            found[replace(one.feature, topic="")][one.day].append(one)
        return found

    def marks(self) -> Iterator[Mark]:
        """What is put to chance: feelings whatever they are about, activities, and states."""
        every = frozenset(self.days)
        for feature, days in sorted(self.by_feature.items()):
            good = frozenset(day for day, rows in days.items() if _side(feature, rows) > 0)
            bad = frozenset(day for day, rows in days.items() if _side(feature, rows) < 0)
            if not feature.is_two_sided or not bad:
                yield Mark(feature, every, good)
            elif not good:
                yield Mark(feature, every, bad, sign=-1)
            else:
                yield Mark(feature, good | bad, good, two=True)


def found(diary: Diary, policy: InsightPolicy) -> list[Insight]:
    """All there is to say of a diary, the surest first; those up to `keep_level`, for what is held may stay longer.

    Nothing is tested with fewer than `least_days` days of talk. What could not have come out as telling whatever was
    said is not asked; the chance of what is asked is multiplied by how much is asked (Bonferroni).
    """
    insights = list(_recurring(diary, policy))
    if len(diary.days) >= policy.least_days:
        asked = [one for one in _questions(diary, policy) if 2.0 * one.answer.least <= policy.level]
        told = []
        for one in asked:
            chance = min(1.0, one.answer.either * len(asked))
            insight = one.insight(diary) if chance <= policy.keep_level else None
            if insight is None or insight.support < policy.least_together:
                continue
            difference = insight.count / insight.of - insight.other_count / insight.other_of
            if abs(difference) >= policy.least_difference:  # else it is not worth a word
                told.append(replace(insight, chance=chance))
        insights += _once(told)
    sure = [replace(one, confidence=confidence_of(one.support, one.chance, policy)) for one in insights]
    return sorted(sure, key=lambda one: (-one.confidence, one.key))


# ── what is asked ─────────────────────────────────────────────────────────────────────────────────────────────────


def _recurring(diary: Diary, policy: InsightPolicy) -> Iterator[Insight]:
    """The same feeling about the same topic on enough days."""
    about: dict[Feature, list[Observation]] = defaultdict(list)
    for one in diary.observations:
        if one.feature.kind == FEELING and one.feature.topic and one.polarity > 0:
            about[one.feature].append(one)
    for feature, rows in sorted(about.items()):
        days = {one.day for one in rows}
        if len(days) >= policy.recurring_days:
            parts = {"features": (feature,), "signs": (1,), "count": len(days), "of": len(diary.days)}
            yield _insight(rows, diary, kind=InsightKind.RECURRING, **parts)


@dataclass(frozen=True)
class _Question:
    """Whether some days have something more or less often than others.

    Whether it is asked depends on how many days there are of each, never on the answer.
    """

    given: Mark
    outcome: Mark
    when: str
    answer: Answer
    days: frozenset[date]
    exposed: frozenset[date]
    hits: frozenset[date]

    @property
    def lag(self) -> timedelta:
        return DAY if self.when == NEXT_DAY else timedelta()

    def insight(self, diary: Diary) -> Insight | None:
        """The answer, from the side that says "more" where one does; None where all days together point elsewhere."""
        more, exposed, hits = self.answer.more <= self.answer.less, self.exposed, self.hits
        given_sign, sign = self.given.sign, self.outcome.sign
        if not more and self.outcome.two:
            sign, hits, more = -sign, self.days - hits, True
        elif not more and self.given.two:
            given_sign, exposed, more = -given_sign, self.days - exposed, True
        both, others = len(exposed & hits), len(self.days) - len(exposed)
        elsewhere = len(hits) - both
        if (both / len(exposed) > elsewhere / others) is not more:
            return None
        marks = [(self.outcome, sign, self.lag)]
        if self.given.feature is not None:
            marks.insert(0, (self.given, given_sign, timedelta()))
        rows = [
            one
            for day in exposed
            if (day in hits) is more
            for mark, _, lag in marks
            if mark.feature is not None
            for one in diary.by_feature[mark.feature].get(day + lag, ())
        ]
        return _insight(
            rows, diary, kind=InsightKind.WEEKDAY if self.given.feature is None else InsightKind.TOGETHER,
            features=tuple(mark.feature for mark, _, _ in marks), signs=tuple(sign for _, sign, _ in marks),
            when=self.when, less=not more, count=both, of=len(exposed), other_count=elsewhere, other_of=others,
        )  # fmt: skip


def _questions(diary: Diary, policy: InsightPolicy) -> Iterator[_Question]:
    """Weekdays and weekends; two things on the same day, and one on the day after the other."""
    often = [mark for mark in diary.marks() if len(mark.seen) >= policy.least_seen]
    every = frozenset(diary.days)
    orders: list[tuple[Mark, Mark, str]] = []
    for when, numbers in WEEKDAYS.items():
        named = Mark(None, every, frozenset(day for day in every if day.weekday() in numbers))
        orders += [(named, mark, when) for mark in often]
    for at, one in enumerate(often):
        for two in often[at + 1 :]:
            first, second = sorted((one, two), key=_rank)
            if _rank(one) == _rank(two) == 2:
                continue  # two words for a mood go together by what they mean
            orders += [(first, second, SAME_DAY), (first, second, NEXT_DAY)]
            if _rank(one) == _rank(two):
                orders.append((second, first, NEXT_DAY))
    for given, outcome, when in orders:
        lag = DAY if when == NEXT_DAY else timedelta()
        days = frozenset(day for day in given.could if day + lag in outcome.could)
        exposed, hits = given.seen & days, frozenset(day for day in days if day + lag in outcome.seen)
        sizes = (len(exposed), len(days) - len(exposed), len(hits), len(days) - len(hits))
        if min(sizes) >= policy.least_together:
            strata = defaultdict[object, list[int]](lambda: [0, 0, 0, 0])
            for day in days:
                counts = strata[diary.stratum[day]]
                for place, inside in enumerate((True, day in exposed, day in hits, day in exposed and day in hits)):
                    counts[place] += inside
            answer = compared(Stratum(*counts) for counts in strata.values())
            yield _Question(given, outcome, when, answer, days, exposed, hits)


def _once(told: Sequence[Insight]) -> list[Insight]:
    """The stronger of those that say nearly the same: a day and its weekend, the same day and the next."""
    best: dict[object, Insight] = {}
    for one in sorted(told, key=lambda one: (one.chance or 0.0, one.key)):
        weekend = one.when in ("weekend", "weekday:5", "weekday:6")
        same = one.key if one.kind is InsightKind.WEEKDAY and not weekend else (one.kind, frozenset(one.features))
        best.setdefault(same, one)
    return list(best.values())


def _rank(mark: Mark) -> int:
    """What is told as the condition comes first: what someone does, then how they are, then how they feel."""
    return 1 if mark.feature is None else (ACTIVITY, STATE, FEELING).index(mark.feature.kind)


def _side(feature: Feature, rows: Sequence[Observation]) -> int:
    """What a day's observations come to: the good or the bad side where there are two, else whether it was there."""
    return sum(one.polarity for one in rows) if feature.is_two_sided else max(one.polarity for one in rows)


def _order(one: Observation) -> tuple[object, ...]:
    return (one.day, one.feature, one.polarity, one.message_id or "")


def _insight(rows: Iterable[Observation], diary: Diary, **parts: Any) -> Insight:
    newest = sorted(rows, key=_order, reverse=True)
    ids = tuple(dict.fromkeys(one.message_id for one in newest if one.message_id))
    seen = [one.day for one in newest] or list(diary.days)
    return Insight(days=len(diary.days), since=min(seen), until=max(seen), message_ids=ids, **parts)
