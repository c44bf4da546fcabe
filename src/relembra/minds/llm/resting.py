"""Whether a text a model wrote rests on what it was given: no name and no number that does not stand there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from relembra.domain.text import fold
from relembra.minds.offline.flat import listed
from relembra.minds.offline.names import find_names
from relembra.minds.offline.sentences import split_sentences

__all__ = ["strays"]

_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_CALENDAR = frozenset(
    listed(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
        "september october november december segunda terca quarta quinta sexta sabado domingo janeiro fevereiro marco "
        "abril maio junho julho agosto setembro outubro novembro dezembro"
    )
)


def strays(text: str, given: Iterable[str], language: str) -> set[str]:
    """Names and numbers in the text, folded, that stand nowhere in what was given; days and months may be worked out.

    A name is a known one, or any word with a capital that does not open a sentence.
    """
    told = fold("\n".join(given))
    words, numbers = set(_WORD.findall(told)), {number.lstrip("0") for number in _DIGITS.findall(told)}
    found = {number for number in _DIGITS.findall(text) if number.lstrip("0") not in numbers}
    for name in find_names(text, "pt" if language == "pt" else "en"):
        found |= _unsaid(_WORD.findall(name.name), words)
    for start, end in split_sentences(text):
        inner = _WORD.findall(text[start:end])[1:]
        found |= _unsaid([word for word in inner if word[0].isupper() and len(word) > 1], words)
    return found


def _unsaid(written: Iterable[str], words: set[str]) -> set[str]:
    """Of these words, those that stand nowhere, also not in the plural or the singular."""
    folded = {fold(word) for word in written} - _CALENDAR
    return {word for word in folded if words.isdisjoint((word, word + "s", word.removesuffix("s")))}
