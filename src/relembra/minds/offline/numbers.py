"""Numbers in words and digits, in Portuguese and English: where they stand and what they are worth.

Grouping marks follow the language ("1.450,00", "1,450.00"). Units and money live in `quantities`, dates in `dates`.
Ordinals are not numbers here, and an article alone ("um", "a") is one only where the caller asks for it.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.language import Language

__all__ = ["ENGLISH_NUMBER", "PORTUGUESE_NUMBER", "NumberMention", "digits_value", "find_numbers", "number_value"]


class NumberMention(NamedTuple):
    """A number in the text; `text[start:end]` spells it."""

    start: int
    end: int
    value: Decimal


def _numbered(listed: str, *, start: int = 0, step: int = 1) -> dict[str, int]:
    values = {}
    for place, spelled in enumerate(listed.split()):
        for word in spelled.split("/"):
            values[word] = start + place * step
    return values


_PORTUGUESE_SMALL = (
    _numbered(
        "zero um/uma dois/duas tres quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze"
        " dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove"
    )
    | _numbered("vinte trinta quarenta cinquenta/cinqüenta sessenta setenta oitenta noventa", start=20, step=10)
    | _numbered(
        "cem/cento duzentos/duzentas trezentos/trezentas quatrocentos/quatrocentas quinhentos/quinhentas"
        " seiscentos/seiscentas setecentos/setecentas oitocentos/oitocentas novecentos/novecentas",
        start=100,
        step=100,
    )
)
_PORTUGUESE_LARGE = {"mil": 1_000, "milhao": 10**6, "milhoes": 10**6, "bilhao": 10**9, "bilhoes": 10**9}
_ENGLISH_SMALL = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
) | _numbered("twenty thirty forty/fourty fifty sixty seventy eighty ninety", start=20, step=10)
_ENGLISH_LARGE = {"thousand": 1_000, "million": 10**6, "millions": 10**6, "billion": 10**9}


def _either(words: dict[str, int]) -> str:
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + r")(?![a-z0-9_])"


_GAP = r"[^\S\n]{1,3}"
_PORTUGUESE_WORD = _either(_PORTUGUESE_SMALL | _PORTUGUESE_LARGE)
_ENGLISH_WORD = _either(_ENGLISH_SMALL | _ENGLISH_LARGE | {"hundred": 100})
_PORTUGUESE_SPELLED = rf"{_PORTUGUESE_WORD}(?:{_GAP}(?:e{_GAP})?{_PORTUGUESE_WORD}){{0,12}}"
_ENGLISH_SPELLED = (
    rf"(?:an?{_GAP}(?=hundred|thousand|million|billion))?{_ENGLISH_WORD}"
    rf"(?:(?:-|{_GAP}(?:and{_GAP})?){_ENGLISH_WORD}){{0,12}}"
)

PORTUGUESE_NUMBER = rf"(?:\d{{1,4}}(?![\d.,:/]\d)|{_PORTUGUESE_SPELLED})"
ENGLISH_NUMBER = rf"(?:\d{{1,4}}(?![\d.,:/]\d)|{_ENGLISH_SPELLED})"
"""Patterns over flat text for a count inside a larger pattern; `number_value` reads what they match."""

_DIGITS = {
    "pt": r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+|\d+\.\d+|\d+",
    "en": r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d+",
}
_LARGE = {"pt": r"mil|milhao|milhoes|mi|bilhao|bilhoes|bi|k", "en": r"thousand|million|billion|hundred|k|bn"}
_SCALES = {"mi": 10**6, "bi": 10**9, "k": 1_000, "bn": 10**9, "hundred": 100}
_SCALES |= _PORTUGUESE_LARGE | _ENGLISH_LARGE
_DOZEN = {
    "pt": rf"(?P<half>meia{_GAP})duzia|(?P<dozens>uma|{_PORTUGUESE_WORD}|\d+){_GAP}duzias?",
    "en": rf"(?P<half>half{_GAP}an?{_GAP})dozen|(?P<dozens>an?|{_ENGLISH_WORD}|\d+){_GAP}dozens?",
}
_HALF = {"pt": rf"{_GAP}e{_GAP}mei[oa](?![a-z])", "en": rf"{_GAP}and{_GAP}a{_GAP}half(?![a-z])"}
_SPELLED = {"pt": _PORTUGUESE_SPELLED, "en": _ENGLISH_SPELLED}

_NUMBER: dict[str, re.Pattern[str]] = {
    language: re.compile(
        rf"(?<![a-z0-9_.,/:'-])(?:(?P<dozen>{_DOZEN[language]})(?![a-z])"
        rf"|(?P<digits>{_DIGITS[language]})(?![\d/:]|[.,]\d)"
        rf"(?:[ \t]{{0,3}}(?P<scale>{_LARGE[language]})(?![a-z0-9]))?"
        rf"|(?P<spelled>{_SPELLED[language]}))(?P<and_half>{_HALF[language]})?"
    )
    for language in ("pt", "en")
}
_ARTICLES = frozenset({"um", "uma", "one"})
_TOKEN = re.compile(r"[a-z]+|\d+")


def find_numbers(text: str, language: Language, *, articles: bool = False) -> list[NumberMention]:
    """Numbers in reading order, never overlapping; `articles` keeps a lone "um", "uma" or "one"."""
    flat = flattened(text)
    found = []
    at = 0
    while match := _NUMBER[language].search(flat.text, at):
        value, end = _value(match, language)
        at = max(end, match.start() + 1)
        if articles or flat.text[match.start() : end] not in _ARTICLES:
            start, end = flat.span(match.start(), end)
            found.append(NumberMention(start, end, value))
    return found


def number_value(flat: str, language: Language) -> Decimal | None:
    """What one number, given in flat form, is worth; None when it is not exactly one."""
    match = _NUMBER[language].fullmatch(flat)
    if match is None:
        return None
    value, end = _value(match, language)
    return value if end == len(flat) else None


def _value(match: re.Match[str], language: Language) -> tuple[Decimal, int]:
    """The value, and where it ends: "two three" holds two numbers, so the first ends before the match does."""
    if match["dozen"]:
        count = Decimal("0.5") if match["half"] else _count(match["dozens"], language)
        return count * 12, match.end()
    if match["digits"]:
        scale = Decimal(_SCALES[match["scale"]]) if match["scale"] else Decimal(1)
        value = digits_value(match["digits"], language) * scale
        end = match.end("scale") if match["scale"] else match.end("digits")
    else:
        value, scale, length = _spelled_value(match["spelled"], language)
        end = match.start() + length
        if end < match.end("spelled"):
            return value, end
    return (value + scale / 2, match.end()) if match["and_half"] else (value, end)


def _count(words: str, language: Language) -> Decimal:
    if words in {"a", "an", "uma"}:
        return Decimal(1)
    return Decimal(int(words)) if words.isdigit() else _spelled_value(words, language)[0]


def digits_value(digits: str, language: Language) -> Decimal:
    """A written figure: "1.450,00" in Portuguese, "1,450.00" in English; a lone Portuguese "3.5" is a decimal."""
    if language == "pt":
        if "," in digits:
            digits = digits.replace(".", "").replace(",", ".")
        elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+", digits):
            digits = digits.replace(".", "")
    else:
        digits = digits.replace(",", "")
    return Decimal(digits)


_NOTHING_YET, _HUNDREDS, _TENS, _ONES = 4, 3, 2, 1


def _spelled_value(words: str, language: Language) -> tuple[Decimal, Decimal, int]:
    """The sum of its words, the scale "and a half" halves, and the length read: ranks may only fall, as in speech."""
    small, large = (_PORTUGUESE_SMALL, _PORTUGUESE_LARGE) if language == "pt" else (_ENGLISH_SMALL, _ENGLISH_LARGE)
    total = part = read = 0
    rank, largest, scale = _NOTHING_YET, 10**12, 1
    for match in _TOKEN.finditer(words):
        word = match[0]
        if word in large:
            if large[word] >= largest or (total and not part):
                break
            total += max(part, 1) * large[word]
            part, rank, largest, scale = 0, _NOTHING_YET, large[word], large[word]
        elif word == "hundred":
            if part >= 100:
                break
            part, rank, scale = max(part, 1) * 100, _HUNDREDS, 100
        elif word in small:
            value = small[word]
            own = _HUNDREDS if value >= 100 else _TENS if value >= 10 else _ONES
            if own >= rank:
                break
            part += value
            rank, scale = _ONES if value < 20 else own, 1
        else:
            continue
        read = match.end()
    return Decimal(total + part), Decimal(scale), read
