"""Counting a person's days: feelings that come back, times they keep to, and things that go together.

The counts are put to chance (`domain.chance`). A day on which nothing was said counts nowhere: silence is no sign of
anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property, partial, reduce
from operator import or_
from statistics import median

from relembra.domain.chance import Stratum, compared, discovery_rates, run_chance, stickiness, tempered
from relembra.domain.insight import (
    ACTIVITY,
    AREA_MOOD,
    FEELING,
    MOOD,
    Feature,
    Insight,
    InsightKind,
    Observation,
    Part,
    confidence_of,
    part_of,
)
from relembra.domain.policy import InsightPolicy

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
        outside = len(mark.could) - len(inside)
        if min(len(inside), outside) < policy.least_together or (
            kind is InsightKind.SEASON and len(_years(inside)) < 2
        ):
            continue
        hits = [day for day in mark.seen if day in inside]
        part = Stratum(len(mark.could), len(inside), len(mark.seen), len(hits))
        chance = compared([part]).more
        if kind in (InsightKind.MONTH, InsightKind.SEASON):
            chance = tempered(chance, mark.stickiness)
        rows = [one for day in hits for one in mark.seen[day]]
        tell = partial(
            _insight, kind, ((mark.feature, mark.sign),), rows, diary, when=when, count=len(hits), of=len(inside),
            other_count=len(mark.seen) - len(hits), other_of=outside,
        )  # fmt: skip
        one_year = kind is InsightKind.SEASON and len(_years(hits)) < 2
        yield _Question(chance, _most_telling(part), _nothing if one_year else tell)


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
        hits = {cell: rows for cell, rows in said_in.items() if cell[1] is part}
        if min(inside, len(could) - inside) < policy.least_together:
            continue
        counted = Stratum(len(could), inside, len(said_in), len(hits))
        tell = partial(
            _insight, InsightKind.PART_OF_DAY, ((mark.feature, mark.sign),),
            [one for rows in hits.values() for one in rows], diary, when=f"part:{part}", count=len(hits), of=inside,
            other_count=len(said_in) - len(hits), other_of=len(could) - inside,
        )  # fmt: skip
        yield _Question(compared([counted]).more, _most_telling(counted), tell)


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


def _most_telling(part: Stratum) -> float:
    """The p had all that could be been so: what the margins allow at best."""
    return compared([replace(part, with_both=part.most)]).more


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
    return (
        one.day,
        -1 if one.hour is None else one.hour,
        one.feature,
        one.polarity,
        one.message_id or "",
        one.item_id or "",
    )


def _insight(
    kind: InsightKind,
    features: Sequence[tuple[Feature, int]],
    rows: Sequence[Observation],
    diary: Diary,
    *,
    count: int,
    of: int,
    when: str = "",
    less: bool = False,
    other_count: int = 0,
    other_of: int = 0,
) -> Insight:
    newest = sorted(rows, key=_order, reverse=True)
    return Insight(
        kind=kind,
        features=tuple(feature for feature, _ in features),
        signs=tuple(sign for _, sign in features),
        when=when,
        less=less,
        count=count,
        of=of,
        other_count=other_count,
        other_of=other_of,
        days=len(diary.days),
        since=newest[-1].day if newest else next(iter(diary.days)),
        until=newest[0].day if newest else max(diary.days),
        message_ids=tuple(dict.fromkeys(one.message_id for one in newest if one.message_id)),
        item_ids=tuple(dict.fromkeys(one.item_id for one in newest if one.item_id)),
    )
