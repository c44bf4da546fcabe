from __future__ import annotations

from loops import each
from relembra.minds.offline.text import number_value


@each(
    [
        ("vinte e um", 21),
        ("mil e duzentos", 1200),
        ("dois mil e vinte e quatro", 2024),
        ("cento e um", 101),
        ("duas", 2),
        ("15", 15),
    ]
)
def test_portuguese_numbers(words: str, value: int) -> None:
    assert number_value(words, "pt") == value


@each(
    [
        ("twenty-one", 21),
        ("one hundred and five", 105),
        ("a hundred", 100),
        ("twelve hundred", 1200),
        ("three thousand two hundred", 3200),
        ("15", 15),
    ]
)
def test_english_numbers(words: str, value: int) -> None:
    assert number_value(words, "en") == value


@each(["two three", "two thousand million", "twenty and", "twenty cats", "a", ""])
def test_what_is_not_exactly_one_number_is_none(words: str) -> None:
    assert number_value(words, "en") is None
