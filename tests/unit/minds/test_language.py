"""Telling Portuguese from English."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relembra.domain.text import fold
from relembra.minds.offline.language import ENGLISH_STOP_WORDS, PORTUGUESE_STOP_WORDS, language_of


@pytest.mark.parametrize(
    ("text", "language"),
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
    ],
)
def test_language_of_everyday_lines(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_stop_words_are_folded() -> None:
    assert all(word == fold(word) for word in PORTUGUESE_STOP_WORDS | ENGLISH_STOP_WORDS)


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert language_of(text) in ("pt", "en", None)
