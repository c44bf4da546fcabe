"""Words that name one of a few."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from relembra.errors import InvalidInputError

E = TypeVar("E", bound=StrEnum)

Choice = str | Iterable[str] | None
"""One word, several, or any."""


def one(kind: type[E], word: str, field: str) -> E:
    """The member a word names; what there is to choose from when it names none."""
    try:
        return kind(word)
    except ValueError:
        raise InvalidInputError(f"no {field} {word!r}; choose one of {', '.join(kind)}", field=field) from None


def each(kind: type[E], words: Choice, field: str) -> tuple[E, ...]:
    """The members several words name, or none for any."""
    if words is None:
        return ()
    return tuple(one(kind, word, field) for word in ([words] if isinstance(words, str) else words))


def several(words: Iterable[str], field: str) -> tuple[str, ...]:
    """A collection of words; a single one is refused, for it would fall into letters."""
    if isinstance(words, str):
        raise InvalidInputError(f"{field} is a list of words, not one: [{words!r}]", field=field)
    return tuple(words)


def checked_language(language: str | None) -> str | None:
    """The language somebody asked for, if they did; there are two."""
    if language not in (None, "en", "pt"):
        raise InvalidInputError(f"no language {language!r}; choose en or pt", field="language")
    return language
