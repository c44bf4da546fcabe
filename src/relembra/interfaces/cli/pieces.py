"""Ids typed in part: the one row of a listing whose id starts or ends with a piece."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from relembra.errors import InvalidInputError
from relembra.recall.asked import Listing

SHORTEST = 4
PAGE = 1_000


class Row(Protocol):
    @property
    def id(self) -> str: ...


R = TypeVar("R", bound=Row)


async def named(piece: str, page: Callable[[str | None], Awaitable[Listing[R]]]) -> R | None:
    """The row a whole id or a piece of one names, None when no row does; a piece that fits several is refused."""
    word = piece.lower()
    found: dict[str, R] = {}
    after: str | None = None
    while True:
        listing = await page(after)
        for row in listing:
            if row.id == word:
                return row
            if len(word) >= SHORTEST and (row.id.startswith(word) or row.id.endswith(word)):
                found[row.id] = row
        after = listing.next
        if after is None:
            break
    if len(found) > 1:
        raise InvalidInputError(f"{piece!r} fits several ids; give more of it", field="id")
    return next(iter(found.values()), None)
