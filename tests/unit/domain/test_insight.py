"""What recurs in days, put to chance: known p values, planted patterns found, and next to nothing in noise."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.domain.insight import (
    ACTIVITY,
    FEELING,
    STATE,
    Diary,
    Feature,
    Insight,
    InsightKind,
    Observation,
    Stratum,
    compared,
    confidence_of,
    found,
    is_new_enough,
)
from relembra.domain.policy import InsightPolicy

POLICY = InsightPolicy()
START = date(2026, 1, 5)  # a Monday
RUNS = Feature(ACTIVITY, "exercise")
SLEEP = Feature(STATE, "sleep")
ANXIOUS = Feature(FEELING, "anxious")
DEADLINES = Feature(FEELING, "anxious", "deadlines")


def seen(day: int, feature: Feature, polarity: int = 1) -> Observation:
    return Observation(day=START + timedelta(days=day), feature=feature, polarity=polarity, message_id=f"m{day:03d}")


def a_diary(days: Iterable[int], observations: Iterable[Observation]) -> Diary:
    """Talk on these days."""
    at = datetime.combine(START, datetime.min.time())
    return Diary.of([at + timedelta(days=day, hours=20) for day in days], observations)


def told(diary: Diary, policy: InsightPolicy = POLICY) -> dict[str, Insight]:
    return {one.key: one for one in found(diary, policy) if is_new_enough(one, policy)}


def pairs(diary: Diary) -> list[Insight]:
    return [one for one in told(diary).values() if one.kind is InsightKind.TOGETHER]


def test_the_lady_tasting_tea() -> None:
    answer = compared([Stratum(8, 4, 4, 3)])
    assert [answer.more, answer.less, answer.least] == pytest.approx([17 / 70, 69 / 70, 1 / 70])
    assert compared([Stratum(24, 9, 12, 8)]).either == pytest.approx(2 * 0.00471126666, rel=1e-6)


@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=2
    )
)
def test_a_stratified_test_counts_all_arrangements(drawn: list[tuple[int, int, int, int]]) -> None:
    strata = []
    for days, wanted_first, wanted_second, both in drawn:
        first, second = min(wanted_first, days), min(wanted_second, days)
        strata.append(Stratum(days, first, second, min(max(both, first + second - days, 0), first, second)))
    ways = [0] * 30
    for picks in itertools.product(*(itertools.combinations(range(part.days), part.with_second) for part in strata)):
        hits = sum(sum(day < part.with_first for day in pick) for part, pick in zip(strata, picks, strict=True))
        ways[hits] += 1
    seen_both = sum(part.with_both for part in strata)
    assert compared(strata).more == pytest.approx(sum(ways[seen_both:]) / sum(ways))
    assert compared(strata).less == pytest.approx(sum(ways[: seen_both + 1]) / sum(ways))


def test_the_same_feeling_about_the_same_topic_on_three_days_recurs() -> None:
    twice = [seen(1, DEADLINES), seen(4, DEADLINES), seen(4, DEADLINES), seen(6, Feature(FEELING, "anxious", "exams"))]
    assert told(a_diary(range(8), twice)) == {}
    assert told(a_diary(range(8), [seen(day, DEADLINES, -1) for day in range(6)])) == {}  # denied
    [one] = told(a_diary(range(8), [*twice, seen(7, DEADLINES)])).values()
    assert (one.kind, one.features, one.count, one.of) == (InsightKind.RECURRING, (DEADLINES,), 3, 8)
    assert (one.since, one.until) == (START + timedelta(days=1), START + timedelta(days=7))
    assert one.message_ids == ("m007", "m004", "m001")
    assert one.chance is None


def test_a_feeling_that_keeps_to_a_weekday() -> None:
    mondays = [seen(day, ANXIOUS) for day in range(0, 56, 7)]
    one = told(a_diary(range(56), [*mondays, seen(10, ANXIOUS)]))["weekday|feeling.anxious+|weekday:0"]
    assert (one.count, one.of, one.other_count, one.other_of) == (8, 8, 1, 48)
    assert one.chance == pytest.approx(0.0, abs=0.001)
    weekends = [seen(day, RUNS) for day in range(56) if day % 7 in (5, 6)]
    assert [one.when for one in told(a_diary(range(56), weekends)).values()] == ["weekend"]


def sleeping(runs: Callable[[int], bool], well: Callable[[int], bool], days: int = 60) -> Diary:
    noticed = [seen(day, RUNS) for day in range(days) if runs(day)]
    return a_diary(range(days), [*noticed, *(seen(day, SLEEP, 1 if well(day) else -1) for day in range(days))])


def test_sleeping_better_on_days_with_exercise() -> None:
    wild = random.Random(1)
    runs = {day for day in range(60) if wild.random() < 0.45}
    good = {day for day in range(60) if wild.random() < (0.9 if day in runs else 0.2)}
    one = told(sleeping(runs.__contains__, good.__contains__))["together|activity.exercise+|state.sleep+|same_day"]
    assert (one.count, one.of) == (len(runs & good), len(runs))
    assert (one.other_count, one.other_of) == (len(good - runs), 60 - len(runs))
    assert 0.0 < (one.chance or 0.0) <= POLICY.level
    assert {f"m{day:03d}" for day in runs & good} == set(one.message_ids)
    worse = told(sleeping(runs.__contains__, lambda day: day not in good))
    assert "together|activity.exercise+|state.sleep-|same_day" in worse


def test_a_feeling_that_stays_away_is_told_as_less() -> None:
    wild = random.Random(8)
    runs = {day for day in range(60) if wild.random() < 0.5}
    low = [seen(day, ANXIOUS) for day in range(60) if wild.random() < (0.05 if day in runs else 0.8)]
    one = told(a_diary(range(60), [*(seen(day, RUNS) for day in runs), *low]))[
        "together|activity.exercise+|feeling.anxious+|same_day|less"
    ]
    assert one.count / one.of < one.other_count / one.other_of
    assert one.support == one.of - one.count


def test_the_day_after() -> None:
    wild = random.Random(4)
    runs = {day for day in range(60) if wild.random() < 0.5}
    good = {day for day in range(60) if wild.random() < (0.95 if day - 1 in runs else 0.1)}
    assert [one.when for one in pairs(sleeping(runs.__contains__, good.__contains__))] == ["next_day"]


def test_what_only_seems_to_go_together_does_not() -> None:
    """A month of runs and good sleep and a month of neither; days of much talk, when more of everything is told; and
    two words for one mood."""
    assert pairs(sleeping(lambda day: day < 28, lambda day: day < 28, 56)) == []
    wild = random.Random(6)
    at = datetime.combine(START, datetime.min.time())
    moments, noticed = [], []
    for day in range(80):
        loud = wild.random() < 0.5
        moments += [at + timedelta(days=day, hours=8 + hour) for hour in range(6 if loud else 1)]
        noticed += [seen(day, one) for one in (RUNS, ANXIOUS) if wild.random() < (0.7 if loud else 0.1)]
    assert pairs(Diary.of(moments, noticed)) == []
    moods = [seen(day, one) for day in range(0, 60, 3) for one in (ANXIOUS, Feature(FEELING, "sad"))]
    assert pairs(a_diary(range(60), moods)) == []


def test_nothing_is_put_to_chance_before_there_is_enough() -> None:
    mondays = [seen(day, ANXIOUS) for day in (0, 7, 14, 21, 28)]
    short = [*range(0, 29, 7), *range(1, 9)]  # thirteen days
    assert (told(a_diary(short, mondays)), told(a_diary(range(60), mondays[:4]))) == ({}, {})
    assert a_diary([0, 1], [seen(0, RUNS), seen(5, RUNS)]).observations == (seen(0, RUNS),)  # nothing was said then


def test_what_was_shown_before_stays_a_little_longer() -> None:
    mondays = [seen(day, ANXIOUS) for day in (0, 7, 14, 21, 9, 32)]
    diary = a_diary(range(36), mondays)
    policy = replace(POLICY, keep_level=0.9)
    known = [one for one in found(diary, policy) if one.when == "weekday:0"]
    assert known
    assert not any(is_new_enough(one, replace(policy, level=0.0001)) for one in known)


@given(st.permutations(list(range(40))), st.integers(0, 5))
def test_the_order_of_telling_changes_nothing(order: list[int], seed: int) -> None:
    wild = random.Random(seed)
    noticed = [seen(day, wild.choice((RUNS, SLEEP, ANXIOUS, DEADLINES)), wild.choice((1, -1))) for day in range(40)]
    shuffled = [noticed[place] for place in order]
    assert found(a_diary(range(40), noticed), POLICY) == found(a_diary(reversed(range(40)), shuffled), POLICY)


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.floats(0, 0.1), st.floats(0, 0.1))
def test_confidence_grows_with_days_and_falls_with_the_chance(few: int, many: int, low: float, high: float) -> None:
    few, many, low, high = min(few, many), max(few, many), min(low, high), max(low, high)
    assert 0.5 <= confidence_of(few, high, POLICY) <= confidence_of(many, low, POLICY) <= 0.85
    assert confidence_of(many, low, POLICY) <= confidence_of(many, None, POLICY) < 0.9


def noise(seed: int, *, sticky: float = 0.0) -> Diary:
    """Ninety days of a dozen things that have nothing to do with one another or with any time."""
    wild = random.Random(seed)
    features = [
        *((Feature(ACTIVITY, f"does{number}"), wild.uniform(0.1, 0.6)) for number in range(6)),
        *((Feature(STATE, f"is{number}"), wild.uniform(0.3, 0.9)) for number in range(3)),
        *((Feature(FEELING, f"feels{number}"), wild.uniform(0.1, 0.5)) for number in range(3)),
    ]
    there = {one: wild.random() < often for one, often in features}
    well = {one: wild.random() < 0.5 for one, _ in features}
    at = datetime.combine(START, datetime.min.time())
    moments: list[datetime] = []
    noticed: list[Observation] = []
    for day in range(90):
        if wild.random() < 0.2:
            continue
        hours = [wild.randrange(24) for _ in range(wild.choice((1, 1, 2, 3)))]
        moments += [at + timedelta(days=day, hours=hour) for hour in hours]
        for one, often in features:
            if wild.random() >= sticky:
                there[one] = wild.random() < often
            if wild.random() >= sticky:
                well[one] = wild.random() < 0.5
            if there[one]:
                sign = -1 if one.is_two_sided and not well[one] else 1
                noticed.append(seen(day, one, sign))
    return Diary.of(moments, noticed)


@each([(0.0, 7), (0.5, 6)])
def test_noise_gives_almost_no_insights(sticky: float, most: int) -> None:
    """With nothing to find, every find is false: a diary has one with a chance of `level` at most, also where days are
    like the day before half of the time. Of 40 diaries that is 2; the rest is for luck."""
    assert sum(bool(told(noise(seed, sticky=sticky))) for seed in range(40)) <= most
