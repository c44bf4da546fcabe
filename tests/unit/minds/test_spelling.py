"""Slips of the fingers in questions."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from loops import each
from relembra.minds.offline.analysis import LONGEST_MENDED, MOST_MENDED, _nearest, mended


@each(
    [
        ("qual é o meu enderço?", "qual é o meu endereco?"),
        ("qunado começa o curso?", "quando começa o curso?"),
        ("what is my adress?", "what is my address?"),
        ("did I pay for the insurence, or for the insuranec?", "did I pay for the insurence, or for the insurance?"),
        ("o que ele comprrou?", "o que ele comprou?"),
    ]
)
def test_swapped_missing_and_doubled_letters_are_put_right(typed: str, meant: str) -> None:
    assert mended(typed) == meant


@each(
    [
        "",
        "oi",
        "quais são os destinos que eles visitavam?",
        "where did the neighbours park?",
        "falarem, cascas, tencionava",
        "qual o aniversário do Davi e da Jandyra?",
        "vc tb vai no churras?",
        "o código é xk29-abzq",
        "estou a fazer dieta há três semanas",
    ]
)
def test_known_inflected_short_and_capitalised_words_stay(text: str) -> None:
    assert mended(text) == text


def test_a_long_text_is_not_read_to_its_end() -> None:
    assert mended("enderço " * (MOST_MENDED + 5)).count("enderço") == 5


def test_a_word_longer_than_any_is_not_looked_at() -> None:
    assert mended("x" * (LONGEST_MENDED + 1) + " enderço").endswith(" endereco")
    before = _nearest.cache_info().misses
    assert (mended("xyzw" * 500), _nearest.cache_info().misses) == ("xyzw" * 500, before)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_text_keeps_everything_but_its_words(text: str) -> None:
    assert [c for c in mended(text) if not c.isalpha()] == [c for c in text if not c.isalpha()]
