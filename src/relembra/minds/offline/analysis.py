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

import re
import string
import threading
import unicodedata
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from relembra.domain.text import fold
from relembra.minds.languages import HERE, LANGUAGES, Language, known
from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.wordpiece import shipped_vocabulary

__all__ = ["BilingualAnalyzer", "lemma", "mended"]

CACHED_LEMMAS = 50_000
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


@lru_cache(maxsize=CACHED_LEMMAS)
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


SHORTEST_MENDED = 5
LONGEST_MENDED = 30
MOST_MENDED = 40
"""Unknown words looked at in one text; a longer text is no question."""

_LETTERS = re.compile(r"[^\W\d_]+")
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

    return _LETTERS.sub(put_right, text)


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
