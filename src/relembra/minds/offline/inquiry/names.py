"""Who is named in a question: people the memory knows, and handles."""

from __future__ import annotations

import re
from collections.abc import Mapping

from relembra.domain.text import fold
from relembra.minds.offline.flat import Flat, listed
from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.people import RELATIONS

__all__ = ["handles_in", "names_in"]

LONGEST_NAME_WORDS = 5
_RELATIONS = frozenset(word for words in RELATIONS.values() for word in words.split("|"))
_WORD = re.compile(r"[^\W_]+")
_HANDLE = re.compile(r"(?<![\w@./])@(\w[\w.-]{0,63})")
# A relation word is the asker's own unless words around it give it to somebody else.
_MINE = re.compile(r"(?:^|[^a-z])(?:my|our|meu|minha|meus|minhas|nosso|nossa|nossos|nossas)(?: [a-z]{1,12}){0,2} $")
_THEIRS_BEFORE = re.compile(
    r"(?:(?:^|[^a-z])(?:his|her|their|your|seu|sua|seus|suas|teu|tua)"
    r"|(?<!when)(?<!who)(?<!what)(?<!where)(?<!how)(?<!why)(?<!that)(?<!here)(?<!it)'s) $"
)
_THEIRS_AFTER = re.compile(r" (?:d[aoe]s?|of|del[ea]s?)(?![a-z])")
_LOOKED_BACK = 40
_AMBIGUOUS = frozenset(listed("will may mark rose grace hope joy art faith sol rosa lua flor vitoria gloria clara luz"))


def handles_in(text: str) -> tuple[str, ...]:
    """Handles without their @, in order, each once however it is capitalised."""
    found: dict[str, str] = {}
    for match in _HANDLE.finditer(text):
        handle = match[1].rstrip(".-")
        found.setdefault(handle.casefold(), handle)
    return tuple(found.values())


def names_in(flat: Flat, known: Mapping[str, str]) -> tuple[str, ...]:
    """Subjects named, in order, each once: whole words, the longest name that fits first."""
    if not known:
        return ()
    spans = [match.span() for match in _WORD.finditer(flat.text)]
    plain = flat.raw.isascii()
    found: dict[str, None] = {}
    place = 0
    while place < len(spans):
        start = spans[place][0]
        for last in range(min(place + LONGEST_NAME_WORDS, len(spans)) - 1, place - 1, -1):
            end = spans[last][1]
            subject = known.get(flat.text[start:end])
            if subject is None and not plain:
                subject = _otherwise_written(flat.raw[start:end], known)
            if subject is not None and _is_meant(flat, start, end):
                found.setdefault(subject)
                place = last
                break
        place += 1
    return tuple(found)


def _otherwise_written(name: str, known: Mapping[str, str]) -> str | None:
    """The subject of letters that flattening leaves alone, or of a key that kept its accents."""
    subject = known.get(fold(name))
    return known.get(name.lower()) if subject is None else subject


def _is_meant(flat: Flat, start: int, end: int) -> bool:
    """Whether the word is a name here: a relation of the asker's own, or a common word written as a name."""
    name = flat.text[start:end]
    if name in _RELATIONS:
        before = flat.text[max(0, start - _LOOKED_BACK) : start]
        if _MINE.search(before):
            return True
        return not _THEIRS_BEFORE.search(before) and not _THEIRS_AFTER.match(flat.text, end)
    if name in STOP_WORDS or name in _AMBIGUOUS:
        before = flat.raw[:start].rstrip()
        opens = not before or before[-1] in ".!?\n"
        return flat.raw[start].isupper() and (not opens or name not in STOP_WORDS | {"will", "may"})
    return True
