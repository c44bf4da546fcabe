"""Counting tokens without a model."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.minds.offline.wordpiece import OfflineTokens

TOKENS = OfflineTokens()
count = TOKENS.count

LINES = st.text(max_size=60) | st.text(alphabet="aB ção\n\t 1.?", max_size=60)


# The second number is what OpenAI's o200k table gives.
@each(
    [
        ("I moved to Lisbon in March and started a new job at a small design studio.", 17),
        ("What is the name of my sister's dog?", 10),
        ("Minha mãe faz aniversário no dia 12 de outubro e adora bolo de chocolate.", 17),
        ("Onde eu deixei as chaves do carro ontem à noite?", 13),
        ("Comecei a correr três vezes por semana para emagrecer até o casamento.", 15),
        ("- Weight: 71.5 kg\n- Goal: 68 kg by June 2026\n\nNext visit: Tuesday, 10:30.", 31),
        ("A reunião com a Juliana foi remarcada para quinta-feira às 14h, na sala do segundo andar.", 24),
        ("She told me that her grandmother used to play the violin in an orchestra before the war.", 18),
        ("Estou preocupado com o meu pai; ele não está dormindo bem e o médico pediu novos exames.", 20),
        ("ok, thanks!", 4),
        ("kkkkk não acredito nisso", 5),
    ]
)
def test_samples_are_not_counted_short_nor_far_too_long(text: str, o200k: int) -> None:
    assert o200k <= count(text) <= 1.6 * o200k + 2


def test_empty_text_costs_nothing_and_any_other_something() -> None:
    assert (count(""), count(" ")) == (0, 1)
    assert count("\u200b") >= 1


def test_emoji_capitals_and_endless_words_are_not_cheap() -> None:
    assert count("😀😀😀") >= 3
    assert count("PRECISO LIGAR PARA O MÉDICO") > count("preciso ligar para o médico")
    assert count("x" * 1000) >= 500


@given(LINES, LINES)
def test_joining_two_texts_costs_at_most_one_more(a: str, b: str) -> None:
    assert count(a + "\n" + b) <= count(a) + count(b) + 1


@given(LINES, LINES)
def test_a_joined_text_costs_no_less_than_either(a: str, b: str) -> None:
    assert count(a + "\n" + b) >= max(count(a), count(b))
    assert count(a + " " + b) >= max(count(a), count(b))


@given(st.lists(LINES, max_size=8))
def test_lines_packed_one_by_one_fit_the_sum(lines: list[str]) -> None:
    assert count("\n".join(lines)) <= sum(count(line) + 1 for line in lines)


@given(st.text())
def test_a_fresh_counter_agrees(text: str) -> None:
    assert count(text) == OfflineTokens().count(text)


def test_a_megabyte_is_counted() -> None:
    assert count("uma palavra e outra\n" * 50_000) >= 200_000
    assert count("x" * 1_000_000) == 1_000_000
