"""Lemmas, on lists written by hand before any was looked up."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import DATA
from loops import each
from relembra.minds.offline import analysis as module
from relembra.minds.offline.analysis import lemma, table_of

LISTED = tomllib.loads((DATA / "lemmas.toml").read_text(encoding="utf-8"))
KNOWN_MISSES = {"lido"}  # read as an adjective

WORDS = st.one_of(
    st.text(min_size=1, max_size=24), st.text("abcdefghijklmnopqrstuvwxyzãõçáéíóúâêôà'’-", min_size=1, max_size=16)
)


@each([("portuguese", "pt"), ("unaccented", "pt"), ("english", "en")])
def test_forms_have_the_lemma_a_person_gives_them(name: str, language: str) -> None:
    wanted = dict(pair.split(":") for pair in LISTED[name].split())
    missed = {form for form, bases in wanted.items() if lemma(form, language) not in bases.split("|")}
    assert len(wanted) >= 60
    assert missed <= KNOWN_MISSES


@each(
    [
        ("MORÁVAMOS", "pt", "morar"),
        ("mora\u0301vamos", "pt", "morar"),
        ("fazê-los", "pt", "fazer"),
        ("pô-lo", "pt", "pôr"),
        ("vemo-nos", "pt", "ver"),
        ("guarda-chuva", "pt", "guarda-chuva"),
        ("printei", "pt", "printar"),  # listed nowhere
        ("Curitiba", "pt", "curitiba"),
        ("Grandma’s", "en", "grandma"),
        ("won't", "en", "will"),
        ("o'clock", "en", "o'clock"),
        ("googled", "en", "google"),
        ("", "pt", ""),
        ("Häuser", "de", "häuser"),
    ]
)
def test_capitals_marks_and_unknown_words(word: str, language: str, wanted: str) -> None:
    assert lemma(word, language) == wanted


@pytest.fixture
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(module, "HERE", tmp_path)
    for remembered in (lemma, table_of):
        remembered.cache_clear()
    yield
    for remembered in (lemma, table_of):
        remembered.cache_clear()


@pytest.mark.usefixtures("no_tables")
def test_without_its_table_a_word_is_its_own_lemma_in_small_letters() -> None:
    words = [("Morávamos", "pt"), ("encontrá-lo", "pt"), ("opcao", "pt"), ("Children", "en"), ("Grandma’s", "en")]
    assert [lemma(*word) for word in words] == ["morávamos", "encontrá-lo", "opcao", "children", "grandma's"]


@given(WORDS, st.sampled_from(["pt", "en", "fr"]))
def test_any_word_has_a_lemma_in_small_letters_that_is_its_own(word: str, language: str) -> None:
    found = lemma(word, language)
    assert found
    assert (found, lemma(found, language)) == (found.lower(), found)
