"""Sentences no rule reads: which of them claim something, and whom they are about."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from loops import each
from relembra.domain.knowledge import SELF
from relembra.minds.offline.reader.engine import Rule, Said, read
from relembra.minds.offline.reader.english import GRAMMAR as EN
from relembra.minds.offline.reader.portuguese import GRAMMAR as PT
from relembra.minds.offline.reader.telling import Telling, tellings


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Coleciono chaveiros de posto de gasolina há vinte anos.", SELF),
        ("minha avó fazia renda de bilro em Aracati", "avo"),
        ("Minha prima Jacira restaura pianos antigos.", "Jacira"),
    ],
)
def test_whom_a_portuguese_sentence_is_about(text: str, subject: str) -> None:
    assert [telling.subject for telling in tellings(text, PT, [])] == [subject]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("I restore antique pianos in a shed.", SELF),
        ("I walk the coast path with my neighbour every Sunday.", SELF),
        ("my grandmother made lace in Honiton", "grandmother"),
        ("My cousin Petra restores antique pianos.", "Petra"),
    ],
)
def test_whom_an_english_sentence_is_about(text: str, subject: str) -> None:
    assert [telling.subject for telling in tellings(text, EN, [])] == [subject]


@each(
    [
        "My doctor swapped one pill for another last week.",  # what is done to the speaker
        "My brother gave me his old piano yesterday.",
        "She restores antique pianos in Leeds.",
        "Both my grandfathers restored antique pianos.",
        "Do antique pianos need a humidifier?",
        "If I had a shed I would restore antique pianos.",
        'He wrote "I restore antique pianos" and "I live in Leeds".',
        "Maybe antique pianos belong into museums.",
        "My card is 4111 1111 1111 1111, keep it.",
        "Work is work.",
    ]
)
def test_what_cannot_be_told_is_left_out(text: str) -> None:
    assert tellings(text, EN, []) == []


def test_what_a_rule_has_read_is_not_told_again() -> None:
    text = "I live in Leeds. I restore antique pianos in a shed."
    assert tellings(text, EN, ["I live in Leeds"]) == [Telling("I restore antique pianos in a shed.")]


def test_a_rule_that_finds_no_words_says_nothing() -> None:
    hollow = Rule(
        "hollow", frozenset({"went"}), re.compile(r"went"), lambda match, clause: [Said(attribute="event", value="")]
    )
    said = read("We went there yesterday.", replace(EN, rules=[hollow]), said_at=datetime(2026, 11, 16, tzinfo=UTC))
    assert said == []
