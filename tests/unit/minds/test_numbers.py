from __future__ import annotations

from loops import each
from relembra.minds.offline.text import number_value


@each(
    [
        ("pt", {"vinte e um": 21, "mil e duzentos": 1200, "dois mil e vinte e quatro": 2024, "cento e um": 101}),
        ("pt", {"duas": 2, "15": 15}),
        ("en", {"twenty-one": 21, "one hundred and five": 105, "a hundred": 100, "twelve hundred": 1200}),
        ("en", {"three thousand two hundred": 3200, "15": 15}),
        ("en", dict.fromkeys(["two three", "two thousand million", "twenty and", "twenty cats", "a", ""])),
    ]
)
def test_what_is_exactly_one_number_has_its_value(language: str, values: dict[str, int | None]) -> None:
    assert {words: number_value(words, language) for words in values} == values
