"""Text made comparable without losing places, where its sentences begin and end, and the counts it spells.

A line break ends a sentence; so do . ! ? … with the quotes, brackets and emoji that follow them, unless the stop
belongs to an abbreviation, a number, an address or initials, or the next word goes on in lower case.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from relembra.minds.languages import Language, known, words_in_any

__all__ = ["Flat", "flattened", "listed", "number_pattern", "number_value", "short_sentences", "split_sentences"]

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


LONGEST_SENTENCE = 1_000  # characters that a pattern sees of one

# After these a sentence never ends: something they introduce follows. After the others only when a capital does.
_INTRODUCES = words_in_any("words", "introducing")
_MAY_END = words_in_any("words", "may_end")
_EMOJI = "[\U0001f000-\U0001faff\u2600-\u27bf\u200d\ufe0f]"
# Runs are taken whole (possessive, and never begun in their middle), so that a line of a million dots stays linear.
_END = re.compile(
    rf"\n\s*+|(?P<marks>(?<![.!?…。！？])[.!?…。！？]++)(?P<close>[\"'”’»)\]]{{0,4}})"
    rf"(?P<emoji>(?:[ \t]{{0,2}}{_EMOJI}++){{0,20}})(?=\s|$|[\"'“‘«(\[])"
    rf"|(?P<alone>(?<!{_EMOJI}){_EMOJI}++)(?=[ \t]{{1,4}}[^\s.!?,;:)])"
)
_WORD_BEFORE = re.compile(r"[a-z.]{1,12}$")
_INITIAL = re.compile(r"(?:^|[^a-z])[a-z]$")
_NEXT = re.compile(r"\s{0,4}[\"'“‘«(\[¿¡]{0,3}(\S?)")
_LINE_NUMBER = re.compile(r"(?:^|\n)[ \t]{0,8}\d{1,3}$")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Spans in order, without the blanks around them; together they hold everything that is not blank."""
    flat = flattened(text)
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(flat.raw):
        if match["marks"] and not _ends(flat.raw, flat.text, match, start):
            continue
        if match["alone"] and not _next_begins(flat.raw, match.end()):
            continue
        spans.append((start, match.end()))
        start = match.end()
    inner = ((start, end, flat.raw[start:end]) for start, end in [*spans, (start, len(flat.raw))])
    trimmed = ((end - len(part.lstrip()), start + len(part.rstrip())) for start, end, part in inner)
    return [flat.span(first, last) for first, last in trimmed if first < last]


def short_sentences(text: str) -> list[tuple[int, int]]:
    """The same, with a sentence of more than `LONGEST_SENTENCE` cut between words."""
    return [piece for span in split_sentences(text) for piece in _pieces(text, *span)]


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST_SENTENCE:
        cut = text.rfind(" ", start + 1, start + LONGEST_SENTENCE)
        cut = start + LONGEST_SENTENCE if cut < 0 else cut
        yield start, cut
        start = cut + (text[cut] == " ")
    yield start, end


def _next_begins(text: str, at: int) -> bool:
    """Whether the next word opens a sentence; after an emoji chat goes on in lower case."""
    following = _NEXT.match(text, at)
    return bool(following and following[1])


def _ends(raw: str, flat: str, match: re.Match[str], start: int) -> bool:
    following = _NEXT.match(raw, match.end())
    after = following[1] if following else ""
    if not after:
        return True
    marks = match["marks"]
    if match["close"] and match["close"][0] in "\"'”’»" and after.islower():
        return False  # "Are you coming?" she asked.
    if marks in {"…", ".."} or (len(marks) > 2 and set(marks) == {"."}):
        return not after.islower()
    if marks != ".":
        return True
    word = _WORD_BEFORE.search(flat, max(start, match.start() - 12), match.start())
    said = word[0].strip(".") if word else ""
    if said in _MAY_END:
        return not after.islower() and not after.isdigit()
    if said in _INTRODUCES and not (said == "no" and after.isupper() and not after.isdigit()):
        return False
    if _LINE_NUMBER.search(flat, max(0, match.start() - 12), match.start()):
        return False
    at = match.start()
    if _INITIAL.search(flat, max(start, at - 2), at) and raw[at - 1 : at].isupper() and not after.islower():
        return raw[at - 1 : at] in "I" and after.isupper()
    return True


_GAP = r"[^\S\n]{1,3}"
_TOKEN = re.compile(r"[a-z]+")
_NOTHING_YET, _HUNDREDS, _TENS, _ONES = 4, 3, 2, 1


@dataclass(frozen=True, slots=True)
class _Words:
    small: dict[str, int]
    large: dict[str, int]
    hundred: str
    joining: frozenset[str]
    pattern: str


@cache
def _words(language: Language) -> _Words:
    told = known(language, "words")["numbers"]
    small = {
        word: start + place * step
        for rank, start, step in (("ones", 0, 1), ("tens", 10, 10), ("hundreds", 100, 100))
        for place, spelled in enumerate(told[rank].split())
        for word in spelled.split("/")
    }
    large, hundred = told["large"], told["hundred"]
    every = sorted({*small, *large, *hundred.split()}, key=len, reverse=True)
    word = "(?:" + "|".join(every) + r")(?![a-z0-9_])"
    a = rf"(?:{told['article']}{_GAP}(?={'|'.join([hundred, *large])}))?" if told["article"] else ""
    spelled = rf"{a}{word}(?:(?:-|{_GAP}(?:{told['joining']}{_GAP})?){word}){{0,12}}"
    joining = frozenset({told["joining"], "a", "an"})
    return _Words(small, large, hundred, joining, rf"(?:\d{{1,4}}(?![\d.,:/]\d)|{spelled})")


def number_pattern(language: Language) -> str:
    """Over flat text, for a count inside a larger pattern; `number_value` reads what it matches."""
    return _words(language).pattern


def number_value(flat: str, language: Language) -> int | None:
    """What a number in flat form is worth; None when it is not exactly one. Ranks may only fall, as in speech."""
    if flat.isdecimal():
        return int(flat)
    words = _words(language)
    total = part = read = 0
    rank, largest = _NOTHING_YET, 10**12
    for match in _TOKEN.finditer(flat):
        word = match[0]
        if word in words.large:
            if words.large[word] >= largest or (total and not part):
                return None
            total += max(part, 1) * words.large[word]
            part, rank, largest = 0, _NOTHING_YET, words.large[word]
        elif word == words.hundred:
            if part >= 100:
                return None
            part, rank = max(part, 1) * 100, _HUNDREDS
        elif word in words.small:
            value = words.small[word]
            own = _HUNDREDS if value >= 100 else _TENS if value >= 10 else _ONES
            if own >= rank:
                return None
            part += value
            rank = _ONES if value < 20 else own
        elif word in words.joining:
            continue
        else:
            return None
        read = match.end()
    return total + part if read and read == len(flat) else None
