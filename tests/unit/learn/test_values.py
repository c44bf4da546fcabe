"""When two values are the same thing said twice."""

from __future__ import annotations

from loops import each
from relembra.learn.values import at_odds, names, same, words_of


@each([("residence", "São Paulo", "sao paulo"), ("residence", "Rio de Janeiro", "o Rio de Janeiro"),
     ("marital_status", "casado", "casada"), ("marital_status", "casada", "married"),
     ("language", "inglês", "English"), ("diet", "vegetariana", "vegetarian"), ("weight", "82 kg", "82 quilos"),
     ("weight", "82,5 kg", "82.5 kg"), ("wake_time", "6h30", "6:30"), ("wake_time", "6h", "06:00"),
     ("wake_time", "6.30", "6h30"), ("bedtime", "11 da noite", "23h"), ("bedtime", "11 pm", "23:00"),
     ("salary", "R$ 5.000", "5000 reais"), ("salary", "5 mil", "5.000"), ("weight", "82,50 kg", "82.5 kg"),
     ("height", "170 cm", "1,70 m"), ("children", "2 filhos", "2"), ("former_weight", "82 kg", "82 quilos"),
     (None, "os gatos", "gato")])  # fmt: skip
def test_the_same_in_another_spelling_gender_unit_or_language(attribute: str | None, one: str, other: str) -> None:
    assert same(attribute, one, other)
    assert same(attribute, other, one)


@each([("residence", "Recife", "Porto"), ("weight", "82 kg", "83 kg"), ("weight", "82 kg", "820 kg"),
     ("wake_time", "6:30", "6:00"), ("wake_time", "7 am", "7 pm"), ("salary", "R$ 5.000", "R$ 5"),
     ("weight", "82 kg", "82 lb"), ("age", "34", "35 anos"), ("weight", "9" * 5_000, "82 kg"),
     ("marital_status", "solteira", "casada"), ("residence", None, "Porto"), ("residence", None, None),
     ("birthday", "5 de maio", "6 de maio"), ("residence", "Rio Branco", "Rio de Janeiro")])  # fmt: skip
def test_other_things_and_things_not_said_are_not_the_same(attribute: str, one: str | None, other: str | None) -> None:
    assert not same(attribute, one, other)
    assert not same(attribute, other, one)


@each([("blood_type", "A+", "A-", False), ("blood_type", "A+", "A positivo", True),
     ("blood_type", "O-", "O Rh negative", True), ("blood_type", "A positivo", "AB positivo", False),
     ("height", "5'11", "5 ft 1", False), ("height", "5'11", "5 ft 11", True), ("skill", "C", "C#", False),
     ("skill", "C++", "C", False), ("skill", "c#", "C#", True)])  # fmt: skip
def test_a_sign_tells_values_apart(attribute: str, one: str, other: str, is_same: bool) -> None:
    assert same(attribute, one, other) is is_same
    assert is_same or not words_of(one) < words_of(other)


@each(
    [
        ("Goal: buy a house", "Goal: sell their house"),
        ("Dislikes waking up early", "Dislikes going to bed early"),
        ("Toma losartana 50 mg de manhã", "Toma losartana 50 mg à noite"),
        ("Quer ganhar peso", "Quer perder peso"),
    ]
)
def test_a_word_that_turns_the_sense_sets_sentences_at_odds(one: str, other: str) -> None:
    assert at_odds(one, other)
    assert at_odds(other, one)
    assert not at_odds(one, one)


def test_a_part_that_tells_names_the_whole() -> None:
    assert names("residence", "Recife, PE", "Recife")
    assert names("employment", "Vale", "a Vale em Minas")
    assert not names("residence", "Recife", "Porto")
    assert not names("residence", None, "Porto")
    assert not names("residence", "Porto", None)
