"""The dictionary form of a word: "morávamos" → "morar", "children" → "child".

Owns how the tables of the languages are read: words by themselves first, then the longest ending that has a rule, and
the accents people leave out. A word is read alone, so one that could be two ("saw", "casa") always gives the same
answer. Nothing is loaded before the first question.

The tables (`languages/*/lemmas.gz`) are made by `training/lemmas.py` from simplemma 2.0.0 (Adrien Barbaresi,
MIT), corrected with WordNet 3.0 (WordNet licence) and with how words are used in Tatoeba (CC BY 2.0 FR) and in our own
text. As sources of its lists simplemma names Michal Měchura's lemmatization lists (ODbL), Wiktionary, FreeLing, spaCy's
lookups, UniMorph and Wikinflection (CC BY 4.0). See NOTICE: a package may come without them, and a word is then its
own lemma.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from relembra.minds.languages import HERE, LANGUAGES, known

__all__ = ["lemma"]

CACHED_WORDS = 50_000
SHORTEST_BY_ENDING = 4
"""Shorter words change only where they are listed."""

LONGEST_ENDING = 12
MOST_STEPS = 4

_GZIP = 31  # zlib's name for the format
PLAIN = str.maketrans("áàâãäéèêëíìîïóòôõöúùûüç", "aaaaaeeeeiiiiooooouuuuc")
Edit = tuple[int, str]
"""How many letters go from the end, and which come in their place."""


@dataclass(frozen=True, slots=True)
class Table:
    """One language's rules. Keys of `words` may carry accents, those of `endings` do not."""

    language: str
    words: dict[str, Edit]
    endings: dict[str, Edit]
    accents: dict[str, str]

    def lemma(self, small: str) -> str:
        """Of a word in small letters: changed until nothing changes any more."""
        found = small
        for _ in range(MOST_STEPS):
            before, found = found, self._step(self._head(found))
            if found == before:
                return found
        return small

    def _step(self, word: str) -> str:
        plain = word if word.isascii() else word.translate(PLAIN)
        edit = self.words.get(word) or self.words.get(plain) or self._by_ending(plain)
        found = word[: len(word) - edit[0]] + edit[1] if edit else word
        return self._accented(found) if word == plain else found

    def _accented(self, word: str) -> str:
        """What was typed without accents, with those of its lemma."""
        plain = word.translate(PLAIN)
        return self.accents.get(plain) or regular(plain, self.language) or word

    def _by_ending(self, plain: str) -> Edit | None:
        if len(plain) < SHORTEST_BY_ENDING:
            return None
        for start in range(max(0, len(plain) - LONGEST_ENDING), len(plain)):
            if edit := self.endings.get(plain[start:]):
                return edit
        return None

    def _head(self, word: str) -> str:
        """The word without what hangs on it: "encontrá-lo" → "encontrar", "mother's" → "mother"."""
        if word in self.words:
            return word
        told = known(self.language, "words")["lemmas"]
        return _without_clitic(word, told) if "clitics" in told else _without_apostrophe(word, told)


@lru_cache(maxsize=CACHED_WORDS)
def lemma(word: str, language: str) -> str:
    """In small letters; the word itself in a language without a table. Asked again, a lemma is its own."""
    small = unicodedata.normalize("NFC", word).lower().replace("’", "'")
    table = table_of(language) if language in LANGUAGES else None
    return table.lemma(small) if table else small


@cache
def table_of(language: str) -> Table | None:
    """Read once, when first asked for; none where the package came without it."""
    try:
        packed = (HERE / language / "lemmas.gz").read_bytes()
    except FileNotFoundError:
        return None
    return parsed(language, zlib.decompress(packed, _GZIP).decode())


def parsed(language: str, text: str) -> Table:
    """A table from its text: lemmas with accents, then a line for each edit with its endings and its words."""
    accented, *lines = text.split("\n")
    words: dict[str, Edit] = {}
    endings: dict[str, Edit] = {}
    for line in lines:
        removed, added, its_endings, its_words = line.split("\t")
        edit = (int(removed), added)
        endings.update(dict.fromkeys(its_endings.split(), edit))
        for word in its_words.split():
            words[word] = edit
    return Table(language, words, endings, dict(zip(_plain(accented).split(), accented.split(), strict=True)))


def regular(plain: str, language: str) -> str | None:
    """With the accents its ending always has: "opcao" → "opção"."""
    endings: dict[str, str] = known(language, "words")["lemmas"].get("accented_endings", {})
    for ending, accented in endings.items():
        if plain.endswith(ending):
            return plain[: -len(ending)] + accented
    return None


def _plain(text: str) -> str:
    """As `translate` with `PLAIN`, several times faster on long text."""
    for accented, letter in PLAIN.items():
        text = text.replace(chr(accented), chr(letter))
    return text


def _without_clitic(word: str, told: Mapping[str, Any]) -> str:
    head, hyphen, tail = word.rpartition("-")
    if not hyphen or tail not in told["clitics"].split() or len(head) < 2:
        return word
    if tail in told["after_r"].split():
        return head + "r" if head[-1] == "ô" else head[:-1] + head[-1].translate(PLAIN) + "r"
    return head + "s" if tail in told["after_s"].split() and head.endswith("mo") else head


def _without_apostrophe(word: str, told: Mapping[str, Any]) -> str:
    head, mark, tail = word.rpartition("'")
    if not mark or not head:
        return word
    if tail == "t" and head.endswith("n"):
        return told["not"].get(head[:-1], head[:-1]) or word
    return head if tail in ("", *told["short_forms"].split()) else word
