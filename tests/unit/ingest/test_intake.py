"""What arrives, checked and turned into messages."""

from __future__ import annotations

from typing import Any

import pytest

from builders import ANA, NOW, an_id
from loops import each
from relembra.domain.scope import Place
from relembra.errors import InvalidInputError
from relembra.ingest.intake import Exchange, exchange


def taken(**parts: Any) -> Exchange:
    return exchange(ANA, now=NOW, place=Place(), new_id=an_id, **parts)


@each([None, "ana", "Ana ", "аna"])
def test_a_program_cannot_pass_for_the_person(author: str | None) -> None:
    with pytest.raises(InvalidInputError) as caught:
        taken(said="I live in Porto", author=author, program=True)
    assert caught.value.field == "author"


def heard(*texts: str, **parts: Any) -> list[tuple[str, str, str]]:
    found = taken(messages=[{"role": "user", "content": text} for text in texts], **parts)
    return [(message.author, message.author_name, message.text) for message in found.messages]


def test_a_log_is_taken_apart_into_who_said_it_and_the_words() -> None:
    log = ("Bia: hi", "Caio Prado: hey", "<media omitted>", "Bia: I moved: to Porto", "Caio Prado: wow", "ANA: nice")
    assert heard(*log, author_name="the bot") == [
        ("Bia", "Bia", "hi"), ("Caio Prado", "Caio Prado", "hey"), ("ana", "the bot", "<media omitted>"),
        ("Bia", "Bia", "I moved: to Porto"), ("Caio Prado", "Caio Prado", "wow"), ("ana", "ANA", "nice"),
    ]  # fmt: skip


@each(
    [
        ("Note: buy milk",),
        ("Note: buy milk", "Task: call Bia", "Note: and bread", "Task: call Caio"),  # labels and no names
        ("Bia: hi", "Bia: I moved"),  # one name may be a label of theirs
        ("Bia: hi", "Caio: hey", "Bia: I moved"),  # no two recur
        ("Bia: hi", "Caio: hey", "Bia: I moved", "Caio: wow", "what do they mean?", "and what should I say?"),
        ("assistant: hi", "system: hey", "assistant: I moved", "system: wow"),  # nobody passes for the assistant
        ("Bia:hi", "Caio:hey", "Bia:yes", "Caio:no"),
        ("Bia: ", "Caio: ", "Bia: ", "Caio: "),
    ]
)
def test_what_may_not_be_a_log_stays_as_it_is(*texts: str) -> None:
    assert heard(*texts) == [("ana", "ana", text) for text in texts]


def test_only_what_a_person_said_under_no_other_name_is_taken_apart() -> None:
    log = [{"role": "user", "content": text} for text in ("Bia: hi", "Caio: hey", "Bia: so", "Caio: wow")]
    others = [{"role": "assistant", "content": "Bia: hi"}, {"role": "user", "name": "dani", "content": "Bia: hi"}]
    authors = [message.author for message in taken(messages=[*log, *others]).messages]
    assert authors == ["Bia", "Caio", "Bia", "Caio", "assistant", "dani"]


@each([{"bridge": "irc"}, {"bridge": "true"}])
def test_a_bridge_says_so_and_each_message_is_taken_apart(metadata: dict[str, str]) -> None:
    for who in ({}, {"author": "relay"}):
        [message] = taken(said="Bia: hi", metadata=metadata, **who).messages
        assert (message.author, message.author_name, message.text) == ("Bia", "Bia", "hi")
    assert heard("Note: buy milk", "joined the channel", metadata=metadata) == [
        ("ana", "ana", "Note: buy milk"),
        ("ana", "ana", "joined the channel"),
    ]


def test_what_is_no_bridge_says_nothing() -> None:
    assert heard("Bia: hi", metadata={"bridge": "false"}) == [("ana", "ana", "Bia: hi")]


def test_a_list_that_is_handed_over_again_adds_only_what_is_new() -> None:
    log = [{"role": "user", "content": text} for text in ("Bia: hi", "Caio: hey", "Bia: so", "Caio: wow")]
    first = taken(messages=log[:3], conversation="c1").messages
    again = taken(messages=log, conversation="c1").messages
    assert [message.external_id for message in again[:3]] == [message.external_id for message in first]
