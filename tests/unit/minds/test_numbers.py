from __future__ import annotations

from decimal import Decimal

import pytest

from loops import each
from relembra.minds.offline.numbers import digits_value, find_numbers, number_value


@each(
    [
        ("vinte e um", 21),
        ("mil e duzentos", 1200),
        ("dois mil e vinte e quatro", 2024),
        ("cento e um", 101),
        ("meia duzia", 6),
        ("um milhao e meio", 1_500_000),
        ("tres e meia", Decimal("3.5")),
        ("3,5 milhoes", 3_500_000),
        ("1.450,00", 1450),
    ]
)
def test_portuguese_numbers(words: str, value: int | Decimal) -> None:
    assert number_value(words, "pt") == value


@each(
    [
        ("twenty-one", 21),
        ("a dozen", 12),
        ("one hundred and five", 105),
        ("twelve hundred", 1200),
        ("three thousand two hundred", 3200),
        ("a million and a half", 1_500_000),
        ("two and a half", Decimal("2.5")),
        ("80k", 80_000),
        ("1,450.00", 1450),
    ]
)
def test_english_numbers(words: str, value: int | Decimal) -> None:
    assert number_value(words, "en") == value


def test_numbers_said_one_after_the_other_stay_apart() -> None:
    assert [found.value for found in find_numbers("um dois três", "pt", articles=True)] == [1, 2, 3]
    assert [found.value for found in find_numbers("two three", "en")] == [2, 3]
    assert number_value("two three", "en") is None


def test_an_article_counts_only_when_asked_for() -> None:
    assert find_numbers("um gato", "pt") == []
    assert [found.value for found in find_numbers("um gato", "pt", articles=True)] == [1]


@pytest.mark.parametrize("text", ["3.11.7", "15/03/1990", "10:1", "abc123", "192.168.0.1"])
def test_figures_inside_other_things_are_no_numbers(text: str) -> None:
    assert find_numbers(text, "en") == []


def test_a_lone_stop_in_portuguese_groups_thousands_or_marks_a_decimal() -> None:
    assert digits_value("1.200", "pt") == 1200
    assert digits_value("3.5", "pt") == Decimal("3.5")
