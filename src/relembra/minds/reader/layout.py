"""A message laid out for the networks: its words and those of the turns before it, and the pieces they are cut into.

Training lays its examples out with the same functions, so that a network meets what it was trained on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from relembra.minds.offline.wordpiece import WordPiece

__all__ = ["LONGEST", "Pieces", "Speaker", "Turn", "Word", "fitting", "laid_out", "pieces_of", "shape_of", "words_of"]

LONGEST = 256  # pieces a network reads at once
BEFORE_WORDS = (32, 16, 8)  # kept of the turn right before, the one before that, and the third
_WORD = re.compile(r"\w+|[^\w\s]")


class Speaker(IntEnum):
    """Who says a word, seen from the message that is read."""

    NOW = 0  # the message itself
    SELF = 1  # its author, in a turn before
    ASSISTANT = 2
    OTHER = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """Something said before a message. `name` is given for somebody else than its author and the assistant."""

    speaker: Speaker
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """A word, where it stands in the text laid out, and who said it."""

    text: str
    start: int
    end: int
    speaker: Speaker = Speaker.NOW


@dataclass(frozen=True, slots=True)
class Pieces:
    """Words cut into numbered pieces, with the first piece of each word; a start before them, a stop after."""

    ids: list[int]
    shapes: list[int]
    speakers: list[int]
    firsts: list[int]


def words_of(text: str, offset: int = 0, speaker: Speaker = Speaker.NOW) -> list[Word]:
    return [Word(found[0], found.start() + offset, found.end() + offset, speaker) for found in _WORD.finditer(text)]


def laid_out(text: str, before: Iterable[Turn] = ()) -> tuple[str, tuple[Word, ...]]:
    """The text as the networks get it, and its words: the last three turns, each cut to its last words, then `text`."""
    whole, words = "", list[Word]()
    turns = list(before)[-len(BEFORE_WORDS) :]
    for back, turn in zip(range(len(turns) - 1, -1, -1), turns, strict=True):
        kept = words_of(turn.text)[-BEFORE_WORDS[back] :]
        if not kept:
            continue
        piece = turn.text[kept[0].start :]
        if turn.speaker is Speaker.OTHER:
            piece = f"{turn.name}: {piece}"
        words += words_of(piece, len(whole), turn.speaker)
        whole += piece + "\n"
    words += words_of(text, len(whole))
    return whole + text, tuple(words)


def pieces_of(words: Sequence[Word], cutter: WordPiece) -> Pieces:
    ids, shapes, speakers, firsts = [cutter.start], [0], [0], list[int]()
    for word in words:
        own = cutter.chunk_ids(word.text) or (cutter.unknown,)
        firsts.append(len(ids))
        ids += own
        shapes += [shape_of(word.text)] * len(own)
        speakers += [int(word.speaker)] * len(own)
    return Pieces([*ids, cutter.end], [*shapes, 0], [*speakers, 0], firsts)


def fitting(words: Sequence[Word], cutter: WordPiece) -> tuple[Word, ...]:
    """As many words as a network reads at once: the turns before are left out first, the oldest words of them, and
    then the last words of the message.
    """
    sizes = [len(cutter.chunk_ids(word.text)) or 1 for word in words]
    start, end, total = 0, len(words), sum(sizes) + 2
    while total > LONGEST:
        if words[start].speaker is not Speaker.NOW:
            total -= sizes[start]
            start += 1
        else:
            end -= 1
            total -= sizes[end]
    return tuple(words[start:end])


def first_words(text: str, cutter: WordPiece) -> tuple[Word, ...]:
    """A text's words, as many as are read at once."""
    return fitting(words_of(text), cutter)


@lru_cache(maxsize=20_000)
def shape_of(word: str) -> int:
    """Lower, Capitalised, UPPER, mixed with digits, a number, or a sign: what cutting into pieces drops."""
    if word.isdigit():
        return 4
    if any(char.isdigit() for char in word):
        return 3
    if not any(char.isalpha() for char in word):
        return 5
    if word[0].isupper():
        return 2 if len(word) > 1 and word.isupper() else 1
    return 0
