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
    AREA_MOOD,
    FEELING,
    STATE,
    Diary,
    Feature,
    Insight,
    InsightKind,
    Observation,
    Part,
    Stratum,
    compared,
    confidence_of,
    discovery_rates,
    found,
    is_new_enough,
    part_of,
    run_chance,
    stickiness,
    tempered,
)
from relembra.domain.policy import InsightPolicy

POLICY = InsightPolicy()
START = date(2026, 1, 5)  # a Monday
RUNS = Feature(ACTIVITY, "exercise")
SLEEP = Feature(STATE, "sleep")
ANXIOUS = Feature(FEELING, "anxious")
DEADLINES = Feature(FEELING, "anxious", "deadlines")


def seen(day: int, feature: Feature, polarity: int = 1, hour: int | None = None) -> Observation:
    return Observation(
        day=START + timedelta(days=day), hour=hour, feature=feature, polarity=polarity, message_id=f"m{day:03d}"
    )


def a_diary(days: Iterable[int], observations: Iterable[Observation], hours: Iterable[int] = (20,)) -> Diary:
    """Talk on these days, at these hours."""
    at = datetime.combine(START, datetime.min.time())
    moments = [at + timedelta(days=day, hours=hour) for day in days for hour in hours]
    return Diary.of(moments, observations)


def told(diary: Diary, policy: InsightPolicy = POLICY) -> dict[str, Insight]:
    return {one.key: one for one in found(diary, policy) if is_new_enough(one, policy)}


# ── chance ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_lady_tasting_tea() -> None:
    answer = compared([Stratum(8, 4, 4, 3)])
    assert answer.more == pytest.approx(17 / 70)
    assert answer.less == pytest.approx(69 / 70)
    assert compared([Stratum(8, 4, 4, 4)]).more == pytest.approx(1 / 70)
    assert answer.least == pytest.approx(1 / 70)


def test_eight_of_nine_days_against_four_of_fifteen() -> None:
    answer = compared([Stratum(24, 9, 12, 8)])
    assert answer.more == pytest.approx(0.00471126666, rel=1e-6)
    assert answer.either == pytest.approx(2 * 0.00471126666, rel=1e-6)


@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=2
    )
)
def test_a_stratified_test_counts_all_arrangements(drawn: list[tuple[int, int, int, int]]) -> None:
    strata = []
    for days, first, second, both in drawn:
        part = Stratum(days, min(first, days), min(second, days), 0)
        strata.append(replace(part, with_both=min(max(both, part.least), part.most)))
    ways = [0] * 30
    for picks in itertools.product(*(itertools.combinations(range(part.days), part.with_second) for part in strata)):
        hits = sum(sum(day < part.with_first for day in pick) for part, pick in zip(strata, picks, strict=True))
        ways[hits] += 1
    seen_both = sum(part.with_both for part in strata)
    assert compared(strata).more == pytest.approx(sum(ways[seen_both:]) / sum(ways))
    assert compared(strata).less == pytest.approx(sum(ways[: seen_both + 1]) / sum(ways))


@given(st.integers(1, 10), st.data())
def test_the_chance_of_a_run_counts_all_arrangements(days: int, data: st.DataObject) -> None:
    marked = data.draw(st.integers(0, days))
    longest = data.draw(st.integers(1, days + 1))
    rows = list(itertools.combinations(range(days), marked))
    with_run = sum("1" * longest in "".join("1" if day in row else "0" for day in range(days)) for row in rows)
    assert run_chance(days, marked, longest) == pytest.approx(with_run / len(rows))


def test_the_rates_of_benjamini_and_hochberg() -> None:
    assert discovery_rates([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert discovery_rates([]) == []


@given(st.lists(st.floats(0, 1), max_size=20))
def test_a_rate_is_never_below_its_chance_and_keeps_its_order(chances: list[float]) -> None:
    rates = discovery_rates(chances)
    assert all(rate >= chance or rate == pytest.approx(chance) for rate, chance in zip(rates, chances, strict=True))
    ranked = [rate for _, rate in sorted(zip(chances, rates, strict=True))]
    assert ranked == sorted(ranked)


def test_days_that_stay_as_they_were_count_for_less() -> None:
    runs = [True] * 10 + [False] * 10 + [True] * 10 + [False] * 10
    assert stickiness(runs) > 0.7
    assert stickiness([True, False] * 20) == 0.0
    assert stickiness([True] * 5) == 0.0
    assert tempered(0.001, 0.0) == 0.001
    assert 0.001 < tempered(0.001, 0.3) < tempered(0.001, 0.6) < tempered(0.001, 1.0) == 0.5


# ── what is found ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_same_feeling_about_the_same_topic_on_three_days_recurs() -> None:
    twice = [seen(1, DEADLINES), seen(4, DEADLINES), seen(4, DEADLINES), seen(6, Feature(FEELING, "anxious", "exams"))]
    assert told(a_diary(range(8), twice)) == {}
    [one] = told(a_diary(range(8), [*twice, seen(7, DEADLINES)])).values()
    assert (one.kind, one.features, one.count, one.of) == (InsightKind.RECURRING, (DEADLINES,), 3, 8)
    assert (one.since, one.until) == (START + timedelta(days=1), START + timedelta(days=7))
    assert one.message_ids == ("m007", "m004", "m001")
    assert one.chance is None


def test_a_denied_feeling_is_none() -> None:
    assert told(a_diary(range(8), [seen(day, DEADLINES, -1) for day in range(6)])) == {}


def test_a_feeling_that_keeps_to_a_weekday() -> None:
    mondays = [seen(day, ANXIOUS) for day in range(0, 56, 7)]
    one = told(a_diary(range(56), [*mondays, seen(10, ANXIOUS)]))["weekday|feeling.anxious+|weekday:0"]
    assert (one.count, one.of, one.other_count, one.other_of) == (8, 8, 1, 48)
    assert one.rate == pytest.approx(0.0, abs=0.001)


def test_weekends_are_told_once() -> None:
    weekends = [seen(day, RUNS) for day in range(56) if day % 7 in (5, 6)]
    kept = [one.when for one in told(a_diary(range(56), weekends)).values() if one.kind is InsightKind.WEEKDAY]
    assert kept == ["weekend"]


def test_a_feeling_that_keeps_to_a_part_of_the_day() -> None:
    at_night = [seen(day, ANXIOUS, hour=23) for day in range(0, 40, 2)]
    one = told(a_diary(range(40), at_night, hours=(9, 23)))["part_of_day|feeling.anxious+|part:night"]
    assert (one.count, one.of, one.other_count, one.other_of) == (20, 40, 0, 40)


def test_who_only_talks_at_night_has_no_night_pattern() -> None:
    at_night = [seen(day, ANXIOUS, hour=23) for day in range(0, 40, 2)]
    kinds = {one.kind for one in told(a_diary(range(40), at_night, hours=(23,))).values()}
    assert InsightKind.PART_OF_DAY not in kinds


@each(
    [
        (5, Part.MORNING),
        (11, Part.MORNING),
        (12, Part.AFTERNOON),
        (18, Part.EVENING),
        (22, Part.NIGHT),
        (4, Part.NIGHT),
    ]
)
def test_parts_of_the_day(hour: int, part: Part) -> None:
    assert part_of(hour) is part


def test_a_month_unlike_the_others() -> None:
    wild = random.Random(3)
    low = [seen(day, ANXIOUS) for day in range(120) if wild.random() < (0.8 if 27 <= day < 55 else 0.05)]
    keys = told(a_diary(range(120), low))
    assert any(key.startswith("month|feeling.anxious+|month:2026-02") for key in keys)


def test_a_season_needs_two_years() -> None:
    wild = random.Random(5)
    days = range(0, 800, 2)
    when = [day for day in days if (START + timedelta(days=day)).month in (6, 7, 8) and wild.random() < 0.5]
    assert "season|feeling.anxious+|season:2" in told(a_diary(days, [seen(day, ANXIOUS) for day in when]))
    once = [day for day in when if day < 365]
    assert "season|feeling.anxious+|season:2" not in told(a_diary(days, [seen(day, ANXIOUS) for day in once]))


def test_days_running() -> None:
    low = [seen(day, ANXIOUS) for day in (3, 20, 21, 22, 23, 24, 25, 26, 50)]
    one = told(a_diary(range(60), low))["streak|feeling.anxious+|days"]
    assert (one.count, one.since, one.until) == (7, START + timedelta(days=20), START + timedelta(days=26))


def test_a_silent_day_breaks_a_run() -> None:
    low = [seen(day, ANXIOUS) for day in (20, 21, 22, 24, 25, 26)]
    days = [day for day in range(60) if day != 23]
    assert not any(one.kind is InsightKind.STREAK for one in told(a_diary(days, low)).values())


def sleeping(with_runs: Callable[[int], bool], well: Callable[[int], bool], days: int = 40) -> list[Observation]:
    runs = [seen(day, RUNS) for day in range(days) if with_runs(day)]
    return [*runs, *(seen(day, SLEEP, 1 if well(day) else -1) for day in range(days))]


def test_sleeping_better_on_days_with_exercise() -> None:
    wild = random.Random(1)
    runs = {day for day in range(40) if wild.random() < 0.45}
    good = {day for day in range(40) if wild.random() < (0.9 if day in runs else 0.2)}
    one = told(a_diary(range(40), sleeping(runs.__contains__, good.__contains__)))[
        "together|activity.exercise+|state.sleep+|same_day"
    ]
    assert (one.count, one.of) == (len(runs & good), len(runs))
    assert (one.other_count, one.other_of) == (len(good - runs), 40 - len(runs))
    assert one.rate is not None
    assert (one.chance or 0.0) <= one.rate <= POLICY.level
    assert {f"m{day:03d}" for day in runs & good} == set(one.message_ids)


def test_sleeping_worse_is_told_as_worse() -> None:
    wild = random.Random(2)
    runs = {day for day in range(40) if wild.random() < 0.45}
    good = {day for day in range(40) if wild.random() < (0.1 if day in runs else 0.9)}
    assert "together|activity.exercise+|state.sleep-|same_day" in told(
        a_diary(range(40), sleeping(runs.__contains__, good.__contains__))
    )


def test_a_feeling_that_stays_away_is_told_as_less() -> None:
    wild = random.Random(8)
    runs = {day for day in range(60) if wild.random() < 0.5}
    low = [seen(day, ANXIOUS) for day in range(60) if wild.random() < (0.05 if day in runs else 0.8)]
    one = told(a_diary(range(60), [*(seen(day, RUNS) for day in runs), *low]))[
        "together|activity.exercise+|feeling.anxious+|same_day|less"
    ]
    assert one.share < one.other_share
    assert one.support == one.of - one.count


def test_the_day_after() -> None:
    wild = random.Random(4)
    runs = {day for day in range(60) if wild.random() < 0.5}
    good = {day for day in range(60) if wild.random() < (0.95 if day - 1 in runs else 0.1)}
    keys = told(a_diary(range(60), sleeping(runs.__contains__, good.__contains__, 60)))
    assert "together|activity.exercise+|state.sleep+|next_day" in keys
    assert "together|activity.exercise+|state.sleep+|same_day" not in keys


def test_two_that_only_change_with_the_month_do_not_go_together() -> None:
    """A month of runs and good sleep, then a month of neither: no day tells them apart from the weather."""
    assert not any(
        one.kind is InsightKind.TOGETHER
        for one in told(a_diary(range(56), sleeping(lambda day: day < 28, lambda day: day < 28, 56))).values()
    )


def test_talking_much_is_not_mistaken_for_going_together() -> None:
    """On days of much talk more of everything is told."""
    wild = random.Random(6)
    at = datetime.combine(START, datetime.min.time())
    moments, noticed = [], []
    for day in range(80):
        loud = wild.random() < 0.5
        moments += [at + timedelta(days=day, hours=8 + hour) for hour in range(6 if loud else 1)]
        noticed += [seen(day, one) for one in (RUNS, ANXIOUS) if wild.random() < (0.7 if loud else 0.1)]
    assert not any(one.kind is InsightKind.TOGETHER for one in told(Diary.of(moments, noticed)).values())


def test_words_for_one_mood_are_not_found_to_go_together() -> None:
    days = [day for day in range(60) if day % 3 == 0]
    moods = (ANXIOUS, Feature(FEELING, "sad"), Feature(AREA_MOOD, "career"), Feature(STATE, "mood"))
    noticed = [seen(day, one, -1 if one.is_two_sided else 1) for day in days for one in moods]
    assert not any(one.kind is InsightKind.TOGETHER for one in told(a_diary(range(60), noticed)).values())


def test_a_mood_is_not_explained_by_the_words_it_was_heard_in() -> None:
    """ "I slept badly" sounds bad; only a mood heard in other messages can show that it goes with sleep."""
    wild = random.Random(11)
    mood, good = Feature(STATE, "mood"), [wild.random() < 0.5 for _ in range(60)]
    sleep = [seen(day, SLEEP, 1 if good[day] else -1) for day in range(60)]
    same = [seen(day, mood, 1 if good[day] else -1) for day in range(60)]
    assert not any(one.kind is InsightKind.TOGETHER for one in told(a_diary(range(60), [*sleep, *same])).values())
    others = [replace(one, message_id=f"n{one.day}") for one in same]
    assert "together|state.sleep+|state.mood+|same_day" in told(a_diary(range(60), [*sleep, *others]))


def test_areas_of_life_that_go_together() -> None:
    wild = random.Random(9)
    career, money = Feature(AREA_MOOD, "career"), Feature(AREA_MOOD, "finance")
    noticed = []
    for day in range(80):
        low = wild.random() < 0.5
        noticed.append(seen(day, career, -1 if low else 1))
        noticed.append(seen(day, money, -1 if wild.random() < (0.9 if low else 0.15) else 1))
    assert any(
        one.kind is InsightKind.TOGETHER and set(one.features) == {career, money}
        for one in told(a_diary(range(80), noticed)).values()
    )


def test_nothing_is_put_to_chance_before_there_is_enough() -> None:
    mondays = [seen(day, ANXIOUS) for day in (0, 7, 14, 21, 28)]
    short = [*range(0, 29, 7), *range(1, 9)]  # thirteen days
    assert told(a_diary(short, mondays)) == {}
    rare = [seen(day, ANXIOUS) for day in (0, 7, 14, 21)]
    assert told(a_diary(range(60), rare)) == {}


def test_what_was_told_of_a_silent_day_is_left_out() -> None:
    assert a_diary([0, 1], [seen(0, RUNS), seen(5, RUNS)]).observations == (seen(0, RUNS),)


def test_what_was_told_before_stays_a_little_longer() -> None:
    policy = replace(POLICY, level=0.0001, keep_level=0.5)
    mondays = [seen(day, ANXIOUS) for day in (0, 7, 14, 21, 9, 32)]
    diary = a_diary(range(36), mondays)
    assert any(one.kind is InsightKind.WEEKDAY for one in found(diary, replace(policy, level=0.05)))
    assert not any(is_new_enough(one, policy) for one in found(diary, policy) if one.kind is InsightKind.WEEKDAY)


@given(st.permutations(list(range(40))), st.integers(0, 5))
def test_the_order_of_telling_changes_nothing(order: list[int], seed: int) -> None:
    wild = random.Random(seed)
    noticed = [
        seen(day, wild.choice((RUNS, SLEEP, ANXIOUS, DEADLINES)), wild.choice((1, -1)), wild.choice((None, 9, 23)))
        for day in range(40)
    ]
    assert found(a_diary(range(40), noticed), POLICY) == found(
        a_diary(reversed(range(40)), [noticed[place] for place in order]), POLICY
    )


# ── how sure ──────────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.floats(0, 0.1), st.floats(0, 0.1))
def test_confidence_grows_with_days_and_falls_with_the_rate(few: int, many: int, low: float, high: float) -> None:
    few, many, low, high = min(few, many), max(few, many), min(low, high), max(low, high)
    assert 0.5 <= confidence_of(few, high, POLICY) <= confidence_of(many, low, POLICY) <= 0.85
    assert confidence_of(many, low, POLICY) <= confidence_of(many, None, POLICY) < 0.9


def test_confidence_of_plain_cases() -> None:
    assert confidence_of(8, None, POLICY) == pytest.approx(0.5 + 0.35 / 2)
    assert confidence_of(3, None, POLICY) < 0.6
    assert confidence_of(50, POLICY.keep_level, POLICY) == 0.5


# ── noise ─────────────────────────────────────────────────────────────────────────────────────────────────────────


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
                noticed.append(seen(day, one, sign, wild.choice(hours)))
    return Diary.of(moments, noticed)


def test_noise_gives_almost_no_insights() -> None:
    """With nothing to find, every find is false: a diary has one with a chance of `level` at most.

    Of 40 diaries that is 2, and 7 is less than four standard deviations above.
    """
    deceived = sum(bool(told(noise(seed))) for seed in range(40))
    assert deceived <= 7


def test_things_that_last_for_days_do_not_seem_to_go_together() -> None:
    """Of 30 diaries whose days are like the day before half of the time, at most 1.5 + 4 · 1.2 tell of a pair."""
    deceived = sum(
        any(one.kind is InsightKind.TOGETHER for one in told(noise(seed, sticky=0.5)).values()) for seed in range(30)
    )
    assert deceived <= 6
