"""Text to the terms it is found by, in all languages at once.

Nothing here guesses a language: each word gives its stem in every language, so a short question in one
language always meets a note in the other when they share a name. Change the rules and `VERSION` has to grow.
"""

from __future__ import annotations

import re
import threading
from functools import cache
from typing import NamedTuple

from relembra.domain.text import fold
from relembra.minds.languages import LANGUAGES, Language, known
from relembra.minds.offline.language import STOP_WORDS

__all__ = ["BilingualAnalyzer"]

VERSION = 1
LONGEST_TERM = 64
CACHED_WORDS = 100_000

_LETTER = r"[^\W_]"
# Numbers with inner marks, Chinese and Japanese characters one by one, then words with apostrophes and loose accents.
_WORD = re.compile(
    rf"\d+(?:[.,:]\d+)+|[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
    rf"|(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]){_LETTER}[\u0300-\u036f]*)+"
    rf"(?:['’](?:{_LETTER}[\u0300-\u036f]*)+)*"
)
_ALPHANUMERIC = re.compile(rf"{_LETTER}+")
_THOUSANDS = re.compile(r"[.,](?=\d{3}(?!\d))")
_CLOCK = re.compile(r"(\d{1,2})h(\d{2})(?:min|m)?")
_NUMBER_AND_UNIT = re.compile(r"(\d+)([^\W\d_]+)|([^\W\d_]{2,})(\d+)")
_ENGLISH_ENDING = re.compile(r"(?:'s|'re|'ve|'ll|'d|'m|n't)$")
_ELISION = re.compile(r"^[dlmnst]'")


class _Entry(NamedTuple):
    terms: tuple[str, ...]
    is_stop_word: bool


class _Stemmers(threading.local):
    """One for each language and thread: a PyStemmer object must not be shared."""

    def __init__(self) -> None:
        import Stemmer

        self.of = {language: Stemmer.Stemmer(known(language, "words")["stems"]["stemmer"], 0) for language in LANGUAGES}


@cache
def _endings(language: Language) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(ending), accented) for ending, accented in known(language, "words")["stems"]["endings"]]


class BilingualAnalyzer:
    """Folds, drops small words and stems; safe to share between threads."""

    version = VERSION

    def __init__(self) -> None:
        self._stemmers = _Stemmers()
        self._cache: dict[str, _Entry] = {}

    def terms(self, text: str) -> list[str]:
        """Terms in order, repeats kept. Small words are left out, unless the text has no others ("The Who")."""
        cache = self._cache
        entries = [cache.get(word) or self._entry(word) for word in _WORD.findall(text)]
        kept = [term for entry in entries if not entry.is_stop_word for term in entry.terms]
        return kept or [term for entry in entries for term in entry.terms]

    def words(self, text: str) -> list[tuple[str, tuple[str, ...]]]:
        """The words of a text that are no small words, as they stand, each with its terms."""
        found = ((word, self._entry(word)) for word in _WORD.findall(text))
        return [(word, entry.terms) for word, entry in found if not entry.is_stop_word]

    def _entry(self, raw: str) -> _Entry:
        word = raw[:LONGEST_TERM]
        entry = self._cache.get(word)
        if entry is None:
            entry = self._read(fold(word).replace("’", "'"))
            if len(self._cache) >= CACHED_WORDS:
                self._cache.clear()
            self._cache[word] = entry
        return entry

    def _read(self, folded: str) -> _Entry:
        bare = folded.replace("'", "")
        if folded in STOP_WORDS or bare in STOP_WORDS:
            return _Entry(self._stems(bare), True)
        words = _split(folded)
        told = [word for word in words if word not in STOP_WORDS]
        return _Entry(tuple(term for word in told or words for term in self._stems(word)), not told)

    def stem(self, word: str, language: Language) -> str:
        """Of one folded word, in one language."""
        for ending, accented in _endings(language):
            word, changed = ending.subn(accented, word)
            if changed:
                break
        return fold(self._stemmers.of[language].stemWord(word))

    def _stems(self, word: str) -> tuple[str, ...]:
        if word[0].isdigit():
            return (word,)
        return tuple(dict.fromkeys(self.stem(word, language) for language in LANGUAGES))


def _split(folded: str) -> list[str]:
    """The plain words of one folded match: inner marks of numbers, apostrophes and units taken apart."""
    if folded[:1].isdigit():
        if clock := _CLOCK.fullmatch(folded):
            return [f"{int(clock[1])}:{clock[2]}"]
        if not folded.isalnum() and _ALPHANUMERIC.sub("", folded).strip(".,:") == "":
            return [_THOUSANDS.sub("", folded).replace(",", ".")]
    if "'" in folded:
        folded = _ENGLISH_ENDING.sub("", _ELISION.sub("", folded)).replace("'", "")
    parts: list[str] = []
    for part in _ALPHANUMERIC.findall(folded):
        match = _NUMBER_AND_UNIT.fullmatch(part)
        parts += [piece[:LONGEST_TERM] for piece in (match.groups() if match else (part,)) if piece]
    return parts
