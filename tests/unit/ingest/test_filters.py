from __future__ import annotations

from loops import each
from relembra.domain.scope import Place
from relembra.ingest.intake import BlockSettings, Refusal

BLOCKS = BlockSettings.of(["eve"], ["secret"])


@each(
    [
        ("ana", None, None, False, None),
        ("ana", "g1", "bob", False, None),
        ("eve", None, None, False, Refusal.BLOCKED),
        ("ana", None, "eve", False, Refusal.BLOCKED),
        ("ana", "secret", None, False, Refusal.SWITCHED_OFF),
        ("ana", None, None, True, Refusal.SKIPPED),
        ("eve", "secret", None, True, Refusal.BLOCKED),
        ("ana", "secret", None, True, Refusal.SWITCHED_OFF),
    ]
)
def test_who_and_what_is_turned_away(
    user: str, space: str | None, author: str | None, skip: bool, refused: Refusal | None
) -> None:
    place = Place() if space is None else Place(space, "general")
    assert BLOCKS.refusal(user, place, author=author, skip=skip) is refused


def test_without_closed_doors_everybody_is_heard() -> None:
    assert BlockSettings().refusal("eve", Place("secret", "general")) is None
