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
