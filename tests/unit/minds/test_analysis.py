"""The bilingual analyzer: which texts find each other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.domain.text import fold
from relembra.minds.offline.analysis import LONGEST_TERM, BilingualAnalyzer

ANALYZER, ANOTHER = BilingualAnalyzer(), BilingualAnalyzer()


def terms(text: str) -> list[str]:
    return ANALYZER.terms(text)


FORMS = """
ação ações acao acoes AÇÕES | avião aviões aviao avioes | mãe mães mae maes | coração corações coracao coracoes
| pão pães | mão mãos | irmão irmãos | alemão alemães | animal animais | papel papéis papeis | lençol lençóis |
azul azuis | viagem viagens | jardim jardins | possível possíveis | ciência ciências ciencia | comunicação
comunicar comunicações | português portugueses portuguesa | trabalho trabalhar trabalhei trabalhando | flor
flores | mês meses | dog dogs | city cities | work works worked working | move moved moving
"""


@each(FORMS.split("|"))
def test_forms_of_a_word_share_a_term(forms: str) -> None:
    first, *others = (set(terms(form)) for form in forms.split())
    for other in others:
        assert first & other


def test_apostrophes_hide_no_word() -> None:
    assert terms("d'água") == terms("d’Água") == terms("água")
    assert (terms("Maria's"), terms("O'Brien")) == (terms("Maria"), terms("OBrien"))
    assert terms("I don't know") == terms("know")


def test_a_name_is_found_from_either_language() -> None:
    assert set(terms("Where does Maria live?")) & set(terms("A Maria mora em Lisboa"))


def test_small_words_are_dropped_unless_there_are_no_others() -> None:
    assert terms("o livro da Ana") == terms("livro Ana")
    assert terms("não")
    assert (len(terms("The Who")), terms("para a")) == (2, terms("para") + terms("a"))


def test_words_that_mean_something_in_the_other_language_stay() -> None:
    for word in ("AI", "TI", "ate", "May", "Will", "ill"):
        assert terms(f"{word} livro") != terms("livro")


def test_decomposed_letters_are_the_same_letters() -> None:
    assert terms("ac\u0327a\u0303o") == terms("ação")


@each(["", " \n\t", "...!?", "😀", "___"])
def test_text_without_words_has_no_terms(text: str) -> None:
    assert terms(text) == []


@each(["x", "a'", "1.", "é", "a\u0301", "今", " ", "'", "ção "])
def test_a_long_text_of_anything_is_read(unit: str) -> None:
    found = terms(unit * (200_000 // len(unit)))
    assert max(map(len, found), default=0) <= LONGEST_TERM


@given(st.text())
def test_terms_are_folded_bounded_and_repeatable(text: str) -> None:
    found = terms(text)
    assert found == ANOTHER.terms(text)
    for term in found:
        assert 0 < len(term) <= LONGEST_TERM
        assert term == fold(term)
        assert not any(char.isspace() for char in term)


@given(st.lists(st.text(alphabet="abçãéo dlr'1,5:", max_size=12), max_size=6))
def test_case_never_changes_the_terms(words: list[str]) -> None:
    text = " ".join(words)
    assert terms(text.upper()) == terms(text)
