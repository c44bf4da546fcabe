"""Telling talk briefly in people's own words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import a_message
from relembra.domain.candidate import Candidate, Talk
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.message import Message, Role
from relembra.minds.reader.summary import SUMMARY_CHARACTERS, note_text, summary_of


def said(*texts: str, author: str = "ana") -> tuple[Message, ...]:
    return tuple(a_message(text=text, author=author) for text in texts)


def test_what_tells_most_is_told_and_pleasantries_are_not() -> None:
    talk = Talk(said("Oi, tudo bem?", "Me mudei para o Recife com a minha irmã Clara.", "kkkk", "Obrigada!"))
    note = note_text(talk)
    assert "Recife" in note.title
    assert note.summary == "Me mudei para o Recife com a minha irmã Clara."


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (
            ("que raiva, o sistema caiu de novo", "perdi o relatório do cliente"),
            "Que raiva, o sistema caiu de novo. Perdi o relatório do cliente.",
        ),
        (
            ("the dog ate a sock,", "did your cat swallow things like that?"),
            "The dog ate a sock. Did your cat swallow things like that?",
        ),
        (("passei no concurso 🎉", "começo em maio (acho)"), "Passei no concurso 🎉 Começo em maio (acho)."),
        (("iPhone quebrou de novo", "parser.py falha sempre"), "iPhone quebrou de novo. parser.py falha sempre."),
    ],
)
def test_every_sentence_has_its_end(texts: tuple[str, ...], told: str) -> None:
    assert note_text(Talk(said(*texts))).summary == told


def test_a_sentence_that_only_repeats_the_title_is_left_out() -> None:
    talk = Talk(said("A prova de cálculo.", "Não estudei nada e dormi mal a semana inteira."), language="pt")
    note = note_text(talk)
    assert note.title == "Prova de cálculo"
    assert note.summary == "Não estudei nada e dormi mal a semana inteira."


def test_what_tells_a_fact_goes_before_what_tells_none() -> None:
    texts = [f"We talked about the harbour, its boats and many other towns of number {one}." for one in range(9)]
    fact = Candidate(
        content="Is vegan", message_id="m", type=KnowledgeType.FACT, value="vegan", evidence="Tom is now vegan"
    )
    assert "Tom is now vegan." in note_text(Talk(said(*texts, "tom is now vegan")), [fact]).summary.replace(
        "tom", "Tom"
    )


def test_small_talk_alone_still_has_a_note() -> None:
    note = note_text(Talk(said("oi", "bom dia")))
    assert note.title
    assert note.summary


def test_where_several_spoke_it_is_said_who() -> None:
    talk = Talk(
        (*said("I finally sold the old boat in Porto."), *said("We painted the whole kitchen green.", author="Bob"))
    )
    assert (
        note_text(talk).summary == "ana: I finally sold the old boat in Porto. Bob: We painted the whole kitchen green."
    )


def test_a_speaker_is_named_once_for_what_follows() -> None:
    talk = Talk(
        (*said("We sold the boat.", "The kitchen is green."), *said("I start my new job in May.", author="Bob"))
    )
    assert note_text(talk).summary == "ana: We sold the boat. The kitchen is green. Bob: I start my new job in May."


def test_the_assistants_words_are_nobodys_news() -> None:
    message = replace(a_message(text="You live in Paris with seven cats."), role=Role.ASSISTANT, author="assistant")
    assert "Paris" not in note_text(Talk((*said("I moved to Leeds in May for the new job."), message))).summary


def test_it_is_short_and_in_the_order_said() -> None:
    texts = [f"On day {number} we walked to the harbour of town {number} and drew its boats." for number in range(40)]
    told = summary_of(said(*texts), most_characters=SUMMARY_CHARACTERS)
    assert len(told) <= SUMMARY_CHARACTERS
    chosen = [text for text in texts if text in told]
    assert chosen
    assert " ".join(chosen) == told
