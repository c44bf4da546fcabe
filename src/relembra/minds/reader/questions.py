"""What the judge is asked: whether a value is right of a person, and what a message does to something known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from relembra.minds.offline.wordpiece import WordPiece
from relembra.minds.reader.layout import LONGEST, Speaker, Word, shape_of, words_of
from relembra.minds.reader.spans import Person

__all__ = ["DOES", "KNOWN", "MARKS", "PERSON", "VALUE", "Question", "about_known", "about_value"]

MARKS = 4
VALUE, PERSON, KNOWN = 1, 2, 3  # marks of a piece: the value asked about, whom it is about, something known
DOES = ("nothing", "repeats", "details", "replaces", "ends", "asks")
"""What a message may do to something known."""
_LONGEST_KNOWN = 60  # pieces
_BEFORE = 16  # words of the turns before the message, unless what is asked about stands farther back


@dataclass(slots=True)
class Question:
    """Pieces for the judge, with the shape, the speaker and the mark of each."""

    cutter: WordPiece
    ids: list[int] = field(default_factory=list)
    shapes: list[int] = field(default_factory=list)
    speakers: list[int] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)

    def put(self, word: str, speaker: int = 0, mark: int = 0, *, most: int = LONGEST - 1) -> None:
        """The pieces of a word that fit into so many in all."""
        own = (self.cutter.chunk_ids(word) or (self.cutter.unknown,))[: max(0, most - len(self.ids))]
        self._add(own, shape_of(word), speaker, mark)

    def put_sign(self, number: int) -> None:
        self._add((number,), 0, 0, 0)

    def put_message(self, words: Sequence[Word], value: tuple[int, int] = (0, 0), person: Person = None) -> None:
        """The words around the value that fit, or the last ones, and the sign that ends a text."""
        body = list(enumerate(words))[_near(words, value, person) :]
        sizes = [len(self.cutter.chunk_ids(word.text)) or 1 for _, word in body]
        room, first, last = LONGEST - len(self.ids) - 1, 0, len(body)
        total = sum(sizes)
        while total > room and first < last:
            if value[1] and value[0] - body[first][0] < body[last - 1][0] + 1 - value[1]:
                last -= 1
                total -= sizes[last]
            else:
                total -= sizes[first]
                first += 1
        for at, word in body[first:last]:
            inside = value[0] <= at < value[1]
            mark = VALUE if inside else PERSON if person and person[0] <= at < person[1] else 0
            self.put(word.text, int(word.speaker), mark)
        self.put_sign(self.cutter.end)

    def _add(self, pieces: Sequence[int], shape: int, speaker: int, mark: int) -> None:
        self.ids += pieces
        self.shapes += [shape] * len(pieces)
        self.speakers += [speaker] * len(pieces)
        self.marks += [mark] * len(pieces)


def _near(words: Sequence[Word], value: tuple[int, int], person: Person) -> int:
    """The first word that is put to the judge: some before the message, or where the value or the person stands."""
    now = next((at for at, word in enumerate(words) if word.speaker is Speaker.NOW), len(words))
    asked = [value[0]] if value[1] else []
    return max(0, min(now - _BEFORE, *asked, *(person or ())[:1], now))


def about_value(
    words: Sequence[Word], value: tuple[int, int], tag: str, status: str, person: Person, cutter: WordPiece
) -> Question:
    """Attribute, person and status, then the message with the value and the person marked."""
    asked = Question(cutter)
    asked.put_sign(cutter.start)
    named = [word.text for word in words[person[0] : person[1]]][:4] if person else ["self"]
    for word in (*tag.split("_"), ":", *named, status):
        asked.put(word, most=_LONGEST_KNOWN)
    asked.put_sign(cutter.end)
    asked.put_message(words, value, person)
    return asked


def about_known(known: str, words: Sequence[Word], cutter: WordPiece) -> Question:
    """Something known, then the message."""
    asked = Question(cutter)
    asked.put_sign(cutter.start)
    for word in words_of(known):
        asked.put(word.text, 0, KNOWN, most=_LONGEST_KNOWN)
    asked.put_sign(cutter.end)
    asked.put_message(words)
    return asked
