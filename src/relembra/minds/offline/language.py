"""Which language a text is in, and the small words that carry no meaning by themselves.

All lists are closed and hold folded forms (lower case, no accents): `words.toml` of each language.

Words in no list are judged by their letters, with `letters.bin` of a language that has one: for each hashed run of
letters, how much it speaks for that language and against the others. It is made by `training/language.py` from Tatoeba
(CC BY 2.0 FR) and our own text, and loaded on first use.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from functools import cache, lru_cache
from zlib import crc32

from relembra.domain.text import fold
from relembra.minds.languages import HERE, LANGUAGES, Language, known, shared, words_in_any, words_of

__all__ = ["CHAT_WORDS", "STOP_WORDS", "Language", "language_of"]

STOP_WORDS = words_in_any("words", "stop")
CHAT_WORDS = words_in_any("words", "chat") | words_of(shared("chat"))
_STOP, _CHAT = (
    [words_of(known(language, "words")["words"][name]) for language in LANGUAGES] for name in ("stop", "chat")
)
_NEUTRAL, _FOREIGN = words_of(shared("neutral")), words_of(shared("foreign"))
_ACCENTS, _LAUGHTER = (
    [re.compile(known(language, "words").get(name, "(?!)")) for language in LANGUAGES]
    for name in ("accents", "laughter")
)

READ_CHARACTERS = 4_000
"""Longer texts are judged by their beginning."""

TABLE = "letters.bin"
TABLE_SIZE = 1 << 16
UNIT = 0.015
"""What 1 in a table says for its language, in log odds."""

CACHED_WORDS = 20_000
LONGEST_WORD = 40
_SHORTEST_RUN, _LONGEST_RUN = 2, 4

# How much speaks for a language, in log odds.
_LISTED, _ACCENT, _LAUGH = 3.0, 2.0, 2.0
_MOST = 3.0  # by letters
_NAME = 0.25  # of that, for words with a capital inside the text
_LEAST = 1.0  # to tell at all
_LEAST_OF_NAME = 2.5  # when all there is is one word with a capital

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ADDRESS = re.compile(r"(?<!\S)(?=\S*(?:[@_\\]|://))\S+")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»")
_FOREIGN_LETTERS = re.compile(r"[ñßøåæœ]")
_DRAWN_OUT = re.compile(r"(.)\1{2,}")


def language_of(text: str) -> Language | None:
    """The language most words speak for: listed words first, then accents and letters; None when they do not tell.

    What is quoted is only read when nothing else tells.
    """
    text = unicodedata.normalize("NFC", text[:READ_CHARACTERS])
    unquoted = _QUOTED.sub(" ", text)
    return _told(unquoted) or (_told(text) if unquoted != text else None)


def runs(folded: str) -> list[int]:
    """The places in the table that speak for a word: itself, then its runs of letters, ends marked."""
    marked = f"^{folded}$".encode()
    size = len(marked)
    return [crc32(b"=" + marked) % TABLE_SIZE] + [
        crc32(marked[start : start + length]) % TABLE_SIZE
        for length in range(_SHORTEST_RUN, _LONGEST_RUN + 1)
        for start in range(size - length + 1)
    ]


def _told(text: str) -> Language | None:
    scores, foreign = [0.0] * len(LANGUAGES), 2 * ("¿" in text or "¡" in text)
    words = _WORD.findall(_ADDRESS.sub(" ", text))
    for place, word in enumerate(words):
        if len(word) > LONGEST_WORD:
            continue
        speaks, is_foreign = _evidence(word if place else word.lower())
        scores = [score + one for score, one in zip(scores, speaks, strict=True)]
        foreign += is_foreign
    second, best = sorted(scores)[-2:]
    lead = best - second
    least = _LEAST_OF_NAME if len(words) == 1 and not words[0].islower() else _LEAST
    if lead < least or (foreign > 1 and 2 * _LISTED * foreign > lead):
        return None
    return LANGUAGES[scores.index(best)]


@lru_cache(maxsize=CACHED_WORDS)
def _evidence(word: str) -> tuple[tuple[float, ...], bool]:
    """How much one word speaks for each language, and whether it is of none of them."""
    may_be_name = word[0].isupper() and not word.isupper()
    word = word.lower()
    folded = (word if word.isascii() else fold(word)).replace("’", "'")
    laughs = [_LAUGH * bool(pattern.fullmatch(folded)) for pattern in _LAUGHTER]
    if any(laughs):
        return tuple(laughs), False
    folded = _DRAWN_OUT.sub(r"\1", folded)
    if folded not in STOP_WORDS:
        folded = folded.replace("'", "")
    accents = [_ACCENT * bool(pattern.search(word)) for pattern in _ACCENTS]
    for lists in (_STOP, _CHAT):
        if any(folded in listed for listed in lists):
            told = zip(accents, lists, strict=True)
            return tuple(accent + _LISTED * (folded in listed) for accent, listed in told), False
        if folded in _NEUTRAL:
            return (0.0,) * len(LANGUAGES), False
    if not folded.isascii() or folded in _FOREIGN or _FOREIGN_LETTERS.search(word):
        return (0.0,) * len(LANGUAGES), True
    weight, places = (_NAME if may_be_name else 1.0), runs(folded)
    by_letters = (max(-_MOST, min(_MOST, UNIT * sum(table[one] for one in places))) for table in _tables())
    return tuple(accent + weight * one for accent, one in zip(accents, by_letters, strict=True)), False


@cache
def _tables() -> list[array[int]]:
    """Read once, when a word in no list is first met. A language without one is told by what speaks against others."""
    paths = [HERE / language / TABLE for language in LANGUAGES]
    return [array("b", path.read_bytes() if path.exists() else bytes(TABLE_SIZE)) for path in paths]
