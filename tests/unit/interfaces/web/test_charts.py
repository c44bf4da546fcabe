"""Columns of numbers: where their pieces stand."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relembra.interfaces.web.charts import BAND, MOST_LINES, MOST_MARKS, columns, marks, spacing

STEPS = st.lists(
    st.dictionaries(st.sampled_from(["a", "b", "c"]), st.integers(0, 10_000)), max_size=60
)  # fmt: skip


def test_pieces_stand_upon_each_other_from_the_line_upwards() -> None:
    chart = columns([{"a": 2, "b": 1}], ["a", "b"], height=100)
    [column] = chart.columns
    first, second = column.bars
    assert first.y + first.height == pytest.approx(chart.zero)
    assert second.y + second.height == pytest.approx(first.y)
    assert first.height == pytest.approx(2 * second.height)


def test_what_is_below_hangs_from_the_line() -> None:
    chart = columns([{"come": 3, "gone": 1, "lost": 2}], ["come"], ["gone", "lost"])
    up, gone, lost = chart.columns[0].bars
    assert up.y + up.height == pytest.approx(chart.zero)
    assert gone.y == pytest.approx(chart.zero)
    assert lost.y == pytest.approx(gone.y + gone.height)
    assert [line.number for line in chart.lines] == [3, 2, 1, 0, 1, 2, 3]


def test_nothing_has_no_piece_but_room_of_its_own() -> None:
    chart = columns([{"a": 0}, {}, {"a": 1}], ["a"])
    assert [len(column.bars) for column in chart.columns] == [0, 0, 1]
    assert [column.start for column in chart.columns] == pytest.approx([0, 33.333, 66.667])
    assert columns([{}, {}], ["a"]).is_empty
    assert not chart.is_empty
    assert columns([], ["a"]).columns == ()


def test_strips_share_one_measure() -> None:
    small, large = (columns([{"a": number}], ["a"], height=BAND, most=10) for number in (1, 10))
    assert large.columns[0].bars[0].height == pytest.approx(10 * small.columns[0].bars[0].height)
    assert small.lines == large.lines


@given(STEPS)
def test_everything_stays_within_the_drawing(steps: list[dict[str, int]]) -> None:
    chart = columns(steps, ["a"], ["b", "c"])
    for column in chart.columns:
        assert 0 <= column.start <= column.x
        assert column.x + column.width <= 100.01
        for bar in column.bars:
            assert bar.y >= 0
            assert bar.y + bar.height <= chart.height + 0.01
    assert 0 < len(chart.lines) <= 2 * MOST_LINES + 1


@given(st.integers(1, 10**9), st.integers(1, 6))
def test_lines_are_few_and_reach_the_most(most: int, lines: int) -> None:
    each = spacing(most, lines=lines)
    assert each * lines >= most
    assert str(each).rstrip("0") in ("1", "2", "5")


def test_months_are_marked_where_they_begin() -> None:
    weeks = [date(2025, 11, 24) + timedelta(weeks=number) for number in range(12)]
    found = marks(weeks)
    assert [mark.day for mark in found] == [date(2025, 12, 1), date(2026, 1, 5), date(2026, 2, 2)]
    assert [mark.with_year for mark in found] == [True, True, False]
    months = [date(2026, month, 1) for month in range(1, 5)]
    assert [(mark.day, mark.x) for mark in marks(months)] == list(zip(months, [12.5, 37.5, 62.5, 87.5], strict=True))


def test_days_are_marked_where_no_months_begin() -> None:
    fortnight = [date(2026, 3, 2) + timedelta(days=number) for number in range(14)]
    found = marks(fortnight)
    assert found[0].day == date(2026, 3, 2)
    assert not any(mark.with_year for mark in found)
    assert marks([]) == ()


@given(st.integers(1, 400), st.sampled_from([1, 7, 31]))
def test_marks_are_few_enough_for_a_phone(number: int, step: int) -> None:
    assert 1 <= len(marks([date(2000, 1, 1) + timedelta(days=step * at) for at in range(number)])) <= MOST_MARKS
