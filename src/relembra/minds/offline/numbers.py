"""Counts in words and figures, as dates hold them: "three weeks ago", "daqui a dez dias"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from relembra.minds.languages import Language, known

__all__ = ["number_pattern", "number_value"]

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
