"""Mends slips of the fingers in a question before it is turned into a vector: "enderço", "qunado", "adress".

A word nobody knows breaks into pieces that mean nothing, and the question with it. Only a word of five to thirty
letters is touched, in small letters, that neither the model's vocabulary nor a lemma in it explains, and only when two
swapped, one missing or one extra letter after the first make it a word the vocabulary has. Names keep their capitals
and stay as they are. What is stored is never changed, and search by words always takes what was typed.
"""

from __future__ import annotations

import re
import string
from functools import cache, lru_cache

from relembra.domain.text import fold
from relembra.minds.languages import LANGUAGES
from relembra.minds.offline.lemmas import lemma, table_of
from relembra.minds.offline.wordpiece import shipped_vocabulary

__all__ = ["mended"]

SHORTEST_MENDED = 5
LONGEST_MENDED = 30
MOST_MENDED = 40
"""Unknown words looked at in one text; a longer text is no question."""

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH_PIECES = 30_522
"""Pieces stand by frequency, first the English ones, then the added Portuguese ones."""


def mended(text: str) -> str:
    """The text with its plain slips put right; the same text when there are none."""
    if any(table_of(language) is None for language in LANGUAGES):
        return text  # without lemmas every inflected word would look like a slip
    left = MOST_MENDED

    def put_right(found: re.Match[str]) -> str:
        nonlocal left
        word = found.group()
        if left <= 0 or not SHORTEST_MENDED <= len(word) <= LONGEST_MENDED or not word.islower():
            return word
        folded = fold(word)
        if _known(folded, word):
            return word
        left -= 1
        return _nearest(folded) or word

    return _WORD.sub(put_right, text)


def _known(folded: str, word: str) -> bool:
    words = _words()
    return folded in words or any(fold(lemma(word, language)) in words for language in LANGUAGES)


@lru_cache(maxsize=2_048)
def _nearest(word: str) -> str | None:
    """The commonest known word with the same first letter: two letters swapped, else one put in, else one taken out."""
    words = _words()
    cuts = [(word[:at], word[at:]) for at in range(1, len(word) + 1)]
    swapped = {before + after[1] + after[0] + after[2:] for before, after in cuts if len(after) > 1}
    longer = {before + letter + after for before, after in cuts for letter in string.ascii_lowercase}
    shorter = {before + after[1:] for before, after in cuts if after}
    for made in (swapped, longer, shorter):
        if likely := [found for found in made if found in words and found != word]:
            return min(likely, key=lambda found: (words[found], found))
    return None


@cache
def _words() -> dict[str, int]:
    """Whole words of the vocabulary with their place by frequency, the languages side by side."""
    return {
        word: place if place < _ENGLISH_PIECES else place - _ENGLISH_PIECES
        for word, place in shipped_vocabulary().items()
        if word.isalpha() and len(word) >= SHORTEST_MENDED - 1
    }
