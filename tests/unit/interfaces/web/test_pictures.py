"""What pictures show of what came and went, and over how much time."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from relembra import OverTime, Step
from relembra.interfaces.web.pictures import AREAS, by_area, by_mood, chosen, come_and_gone

TODAY = date(2026, 3, 1)

WEEKS = OverTime(
    step="week",
    zone="UTC",
    steps=(
        Step(start=date(2026, 2, 9), learnt={"career": 1, "health": 2, None: 1}, moods={"glad": 2}),
        Step(start=date(2026, 2, 16)),
        Step(start=date(2026, 2, 23), learnt={"health": 1}, ended=1, archived=2, deleted=3, faded=4, moods={"hard": 1}),
    ),
)


def test_areas_stand_in_their_own_order_and_only_those_there_are() -> None:
    picture = by_area(WEEKS)
    assert picture.series == ("health", "career", "none")
    assert [area for area in AREAS if area in picture.series] == list(picture.series)
    assert picture.totals == {"health": 3, "career": 1, "none": 1}
    [chart] = picture.charts.values()
    assert [[bar.series for bar in column.bars] for column in chart.columns] == [
        ["health", "career", "none"], [], ["health"],
    ]  # fmt: skip


def test_each_mood_has_its_strip() -> None:
    picture = by_mood(WEEKS)
    assert list(picture.charts) == ["glad", "neither", "hard"]
    assert picture.totals == {"glad": 2, "neither": 0, "hard": 1}
    assert len({chart.lines for chart in picture.charts.values()}) == 1


def test_what_came_is_above_and_what_went_below() -> None:
    picture = come_and_gone(WEEKS)
    assert picture.totals == {"learnt": 5, "ended": 1, "archived": 2, "deleted": 3, "faded": 4}
    [chart] = picture.charts.values()
    above, *below = chart.columns[2].bars
    assert above.y < chart.zero
    assert [bar.series for bar in below] == ["ended", "archived", "deleted", "faded"]
    assert all(bar.y >= chart.zero for bar in below)


def test_the_table_leaves_out_empty_steps_and_knows_their_last_days() -> None:
    told = come_and_gone(WEEKS).told
    assert [(row.start, row.end) for row in told] == [
        (date(2026, 2, 9), date(2026, 2, 15)), (date(2026, 2, 23), date(2026, 3, 1)),
    ]  # fmt: skip
    month = OverTime(step="month", zone="UTC", steps=(Step(start=date(2026, 2, 1), learnt={"health": 1}),))
    assert by_area(month).told[0].end == date(2026, 2, 28)


def test_nothing_told_is_an_empty_picture() -> None:
    quiet = OverTime(step="day", zone="UTC", steps=(Step(start=TODAY),))
    assert all(draw(quiet).is_empty for draw in (by_area, by_mood, come_and_gone))


@pytest.mark.parametrize(
    ("age", "span", "step"),
    [(0, "month", "day"), (14, "month", "day"), (60, "quarter", "week"), (300, "year", "week"), (3000, "year", "week")],
)
def test_without_a_choice_it_looks_at_what_fits_the_memory(age: int, span: str, step: str) -> None:
    view = chosen("", "", today=TODAY, oldest=TODAY - timedelta(days=age))
    assert (view.span.name, view.step) == (span, step)


def test_a_young_memory_is_not_shown_before_it_began() -> None:
    oldest = TODAY - timedelta(days=200)
    assert chosen("year", "week", today=TODAY, oldest=oldest).first == oldest
    assert chosen("quarter", "week", today=TODAY, oldest=oldest).first == TODAY - timedelta(days=84)
    assert chosen("year", "week", today=TODAY, oldest=None).first == TODAY - timedelta(days=42)


def test_all_is_cut_into_months_and_into_weeks_while_these_are_few() -> None:
    young, old = (TODAY - timedelta(days=days) for days in (300, 20_000))
    assert chosen("all", "week", today=TODAY, oldest=young).step == "week"
    assert chosen("all", "week", today=TODAY, oldest=old).step == "month"
    assert (TODAY - chosen("all", "", today=TODAY, oldest=old).first).days < 400 * 28


def test_what_nobody_offers_is_not_chosen() -> None:
    view = chosen("<b>", "decade", today=TODAY, oldest=TODAY)
    assert (view.span.name, view.step) == ("month", "day")
