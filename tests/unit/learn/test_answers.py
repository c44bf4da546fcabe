"""What a short answer to the gentle question means."""

from __future__ import annotations

from loops import each
from relembra.domain.case import Outcome
from relembra.learn.casework import answer, puts_the_question


@each(["", "obrigada!", "Que horas são?", "sim?", "mudou?", "Preciso de uma receita de bolo", "sim " + "x" * 200,
     "Simone ligou", "Nova York é linda", "Yesterday I slept badly", "Noah called"])  # fmt: skip
def test_what_is_no_plain_answer_settles_nothing(text: str) -> None:
    assert answer(text, asked=True) is None


@each(["Não consigo dormir", "não quero falar disso agora", "No time for breakfast today", "Right now I am cooking",
     "Isso me lembra o mar", "No idea what to cook tonight", "Não sei", "I don't know", "No meu trabalho é assim",
     "N pessoas vieram", "Verdade seja dita, choveu"])  # fmt: skip
def test_a_sentence_that_only_begins_like_an_answer_settles_nothing(text: str) -> None:
    assert answer(text, asked=True) is None


def test_what_is_no_longer_so_is_no_plain_no() -> None:
    assert answer("não moro mais lá", asked=True) is not Outcome.OLD
    assert answer("no, I don't live there anymore", asked=True) is not Outcome.OLD


@each(["sim", "Sim, por favor.", "Não, às 21h.", "Os dois meninos e eu.", "Both kids are coming with me.", "yes"])
def test_a_bare_yes_or_no_to_something_else_settles_nothing(text: str) -> None:
    assert answer(text, asked=False) is None


@each([("mudou sim", Outcome.NEW), ("nada mudou", Outcome.OLD)])
def test_plain_words_need_no_question_before_them(text: str, outcome: Outcome) -> None:
    assert answer(text, asked=False) is outcome


@each(["Os dois meninos e eu.", "Both kids are coming with me.", "Não, às 21h."])
def test_words_that_only_begin_like_an_answer_settle_nothing_even_after_the_question(text: str) -> None:
    assert answer(text, asked=True) in (None, Outcome.OLD)


def test_the_question_is_known_by_its_words_or_by_what_it_is_about() -> None:
    assert puts_the_question("Antes você disse que mora em X, agora em Y. Mudou algo?", (None, None))
    assert puts_the_question("Before, you said “O+”, and now “A-”. Which one is right?", (None, None))
    assert puts_the_question("Antes você disse “O+”, agora “A-”. Qual está certo?", (None, None))
    assert puts_the_question("So is it Porto or Recife?", ("Recife", "Porto"))
    assert not puts_the_question("Quer que eu reserve para as 20h?", ("Recife", "Olinda"))
    assert not puts_the_question("Porto is lovely.", ("Recife", "Porto"))


@each([("O+", Outcome.OLD), ("É A-, o outro foi engano.", Outcome.NEW), ("the first one", Outcome.OLD),
     ("o segundo", Outcome.NEW), ("A segunda.", Outcome.NEW), ("nenhum dos dois", Outcome.NEITHER),
     ("both", Outcome.BOTH), ("sim", None), ("não", None), ("yes", None), ("não é O+", None),
     ("O+ ou A-, não sei", None), ("A negative", Outcome.NEW), ("it's O positive.", Outcome.OLD),
     ("o rh positivo", Outcome.OLD), ("é a negativo", Outcome.NEW)])  # fmt: skip
def test_which_of_two_is_answered_by_one_of_them(text: str, outcome: Outcome | None) -> None:
    assert answer(text, asked=True, which=("O+", "A-")) is outcome
    assert answer("O+", asked=False, which=("O+", "A-")) is None


@each([("No, it's still the 3rd. I typed it wrong.", Outcome.OLD), ("Não, é dia 3 mesmo. Digitei errado.", Outcome.OLD),
     ("o dia 5", Outcome.NEW), ("May", None), ("it is not the 3rd", None), ("the 3rd or the 5th", None)])  # fmt: skip
def test_a_part_that_only_one_of_two_has_names_it(text: str, outcome: Outcome | None) -> None:
    assert answer(text, asked=True, which=("May 3", "May 5")) is outcome
