"""Counts in words and figures, in Portuguese and English, as dates hold them: "three weeks ago", "daqui a dez dias"."""

from __future__ import annotations

import re

from relembra.minds.offline.language import Language

__all__ = ["ENGLISH_NUMBER", "PORTUGUESE_NUMBER", "number_value"]


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

_JOINING = frozenset({"e", "and", "a", "an"})
_TOKEN = re.compile(r"[a-z]+")
_NOTHING_YET, _HUNDREDS, _TENS, _ONES = 4, 3, 2, 1


def number_value(flat: str, language: Language) -> int | None:
    """What a number in flat form is worth; None when it is not exactly one. Ranks may only fall, as in speech."""
    if flat.isdecimal():
        return int(flat)
    small, large = (_PORTUGUESE_SMALL, _PORTUGUESE_LARGE) if language == "pt" else (_ENGLISH_SMALL, _ENGLISH_LARGE)
    total = part = read = 0
    rank, largest = _NOTHING_YET, 10**12
    for match in _TOKEN.finditer(flat):
        word = match[0]
        if word in large:
            if large[word] >= largest or (total and not part):
                return None
            total += max(part, 1) * large[word]
            part, rank, largest = 0, _NOTHING_YET, large[word]
        elif word == "hundred":
            if part >= 100:
                return None
            part, rank = max(part, 1) * 100, _HUNDREDS
        elif word in small:
            value = small[word]
            own = _HUNDREDS if value >= 100 else _TENS if value >= 10 else _ONES
            if own >= rank:
                return None
            part += value
            rank = _ONES if value < 20 else own
        elif word in _JOINING:
            continue
        else:
            return None
        read = match.end()
    return total + part if read and read == len(flat) else None
