"""Text made comparable without losing places: the same length, lower case, no accents.

`domain.text.fold` may change the length; the finders of dates and names need every index to stay true.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

__all__ = ["Flat", "flattened", "listed"]

_LAST_LATIN = 0x24F
_COMBINING = re.compile("[\u0300-\u036f]")
_MARKED = re.compile(r"[^\W\d_]" "[\u0300-\u036f]+")


def _flat_letter(char: str) -> str | None:
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 and base != char else None


_TABLE: dict[int, str] = {
    code: flat
    for code in (*range(ord("A"), ord("Z") + 1), *range(0xC0, _LAST_LATIN + 1))
    if (flat := _flat_letter(chr(code))) is not None
}
_TABLE |= {0xA0: " ", 0x202F: " ", 0x2009: " ", ord("’"): "'", ord("‘"): "'", ord("´"): "'", ord("−"): "-"}
_TABLE |= {ord("‑"): "-", ord("–"): "-", ord("—"): "-", ord("“"): '"', ord("”"): '"', ord("º"): "o", ord("ª"): "a"}


@dataclass(frozen=True, slots=True)
class Flat:
    """`raw` and `text` have equal length; `places` maps their indices to the original's, where those differ."""

    raw: str
    text: str
    places: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where these indices lie in the text that was given."""
        return (start, end) if self.places is None else (self.places[start], self.places[end])


def listed(words: str) -> tuple[str, ...]:
    """A closed list of words, written as one string for the reader's sake."""
    return tuple(words.split())


def flattened(text: str) -> Flat:
    """Accents written as separate marks are joined to their letters first, so both spellings read alike."""
    if text.isascii():
        return Flat(text, text.lower())
    places: list[int] | None = None
    raw = text
    if _COMBINING.search(text):
        raw, places = _composed(text)
    return Flat(raw, raw.translate(_TABLE), places)


def _composed(text: str) -> tuple[str, list[int]]:
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for match in _MARKED.finditer(text):
        pieces.append(text[at : match.start()])
        places.extend(range(at, match.start()))
        joined = unicodedata.normalize("NFC", match[0])[0]
        pieces.append(joined)
        places.append(match.start())
        at = match.end()
    pieces.append(text[at:])
    places.extend(range(at, len(text) + 1))
    return "".join(pieces), places
