"""Telling Portuguese from English."""

from __future__ import annotations

import re
import tomllib

from hypothesis import given
from hypothesis import strategies as st

from examples import DATA
from loops import each
from relembra.domain.text import fold
from relembra.minds.offline.language import STOP_WORDS, language_of


@each(
    [
        ("Moro em Lisboa desde março", "pt"),
        ("vc vem hoje?", "pt"),
        ("Meu cachorro morreu", "pt"),
        ("São Paulo", "pt"),
        ("I live in Lisbon", "en"),
        ("My dog died", "en"),
        ("good morning", "en"),
        ("I'll call Dr. João about the results", "en"),
        ("O Peter gosta de Game of Thrones e eu não", "pt"),
        ("Maria", None),
        ("pizza", None),
        ("2026, 10:30", None),
        ("😀", None),
        ("", None),
    ]
)
def test_language_of_everyday_lines(text: str, language: str | None) -> None:
    assert language_of(text) == language


@each(tomllib.loads((DATA / "lines.toml").read_text(encoding="utf-8")).items())
def test_language_of_very_short_lines(language: str, lines: str) -> None:
    told = {line: language_of(line) for line in re.split(r" \| |\n", lines.strip())}
    assert {line: answer for line, answer in told.items() if (answer or "neither") != language} == {}


@each(
    [
        ('traduz "where is the train station"', "pt"),
        ('what does "não tenho certeza" mean', "en"),
        ('"não tenho certeza"', "pt"),
        ("Sa\u0303o Paulo", "pt"),
        ("olha em docs.example.com/how_to_do_this_now @the_team", "pt"),
        ("Disse o Wellington Brooks", "pt"),
        ("sooooo tired", "en"),
        ("Luciana", None),
    ]
)
def test_quotes_addresses_and_names_do_not_mislead(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_stop_words_are_folded() -> None:
    assert all(word == fold(word) for word in STOP_WORDS)


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert language_of(text) in ("pt", "en", None)
