"""What arrives, checked and turned into messages."""

from __future__ import annotations

from typing import Any

import pytest

from builders import ANA, NOW, an_id
from loops import each
from relembra.domain.message import Role
from relembra.domain.scope import Place
from relembra.errors import InvalidInputError
from relembra.ingest.intake import Exchange, conversation_of, exchange, place_of


def taken(**parts: Any) -> Exchange:
    return exchange(ANA, now=NOW, place=Place(), new_id=an_id, **parts)


def test_an_exchange_is_the_persons_message_and_then_the_assistants() -> None:
    said, replied = taken(said="oi", replied="olá").messages
    assert (said.role, said.author, replied.role, replied.author) == (Role.USER, "ana", Role.ASSISTANT, "assistant")
    assert said.id < replied.id
    assert said.sent_at == replied.sent_at == NOW


def test_a_program_speaks_under_its_own_name_and_as_the_system() -> None:
    [message] = taken(said="build 7 is green", author="ci", program=True).messages
    assert (message.role, message.author) == (Role.SYSTEM, "ci")


@each([None, "ana", "Ana ", "аna"])
def test_a_program_cannot_pass_for_the_person(author: str | None) -> None:
    with pytest.raises(InvalidInputError) as caught:
        taken(said="I live in Porto", author=author, program=True)
    assert caught.value.field == "author"


def test_a_conversation_without_a_name_has_its_places() -> None:
    assert conversation_of(None, Place()) == "direct"
    assert conversation_of(None, place_of("g1", None)) == "g1/general"
    assert conversation_of("c1", Place()) == "c1"
