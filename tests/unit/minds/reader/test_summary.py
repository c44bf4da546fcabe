"""Telling talk briefly in people's own words."""

from __future__ import annotations

from dataclasses import replace

from builders import a_message
from relembra.domain.candidate import Talk
from relembra.domain.message import Message, Role
from relembra.minds.reader.summary import SUMMARY_CHARACTERS, note_text, summarised


def said(*texts: str, author: str = "ana") -> tuple[Message, ...]:
    return tuple(a_message(text=text, author=author) for text in texts)


def test_what_tells_most_is_told_and_pleasantries_are_not() -> None:
    talk = Talk(said("Oi, tudo bem?", "Me mudei para o Recife com a minha irmã Clara.", "kkkk", "Obrigada!"))
    note = note_text(talk)
    assert note.title.startswith("Me mudei para o Recife")
    assert note.summary == "Me mudei para o Recife com a minha irmã Clara."


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


def test_the_assistants_words_are_nobodys_news() -> None:
    message = replace(a_message(text="You live in Paris with seven cats."), role=Role.ASSISTANT, author="assistant")
    assert "Paris" not in note_text(Talk((*said("I moved to Leeds in May for the new job."), message))).summary


def test_it_is_short_and_in_the_order_said() -> None:
    texts = [f"On day {number} we walked to the harbour of town {number} and drew its boats." for number in range(40)]
    chosen = [text for _, text in summarised(said(*texts), most_characters=SUMMARY_CHARACTERS)]
    assert sum(map(len, chosen)) <= SUMMARY_CHARACTERS
    assert chosen == sorted(chosen, key=texts.index)
