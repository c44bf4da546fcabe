"""What forgotten rows leave behind in rows that stay: their ids, and their words where those were quoted.

One definition for every store. A forgotten text of twelve characters or more is a quotation wherever it stands, a
shorter one from four characters on where it stands as whole words; and so is a text of twelve characters or more whose
words follow each other in a forgotten one. Case is ignored, and what a row still says itself are its own words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from html import unescape
from typing import Any

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note, NoteKind

SHORTEST_QUOTE = 12
SHORTEST_WORD = 4
_FEW = 16  # texts that are looked for one by one

_SAID = ("title", "content", "summary", "evidence", "value", "tags")
_FIXED = {part.name for row in (KnowledgeItem, Conversation, Note) for part in fields(row)} - {
    *_SAID,
    "person",
    "participants",
}
"""Parts of a row that hold ids, moments, numbers and names of kinds, but no words."""

_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"“([^”]*)”")
REPORTS = frozenset({NoteKind.WEEKLY, NoteKind.MONTHLY, NoteKind.APPOINTMENT})
"""Notes made of what is known, in its words."""


def words_of(row: KnowledgeItem | Note | Message | Conversation) -> set[str]:
    """The texts of a row to look for once it is forgotten."""
    match row:
        case KnowledgeItem():
            return {row.content, row.title, row.evidence or "", row.value or "", *row.tags}
        case Note():  # a report has the words of what it tells of, and none of its own
            return set() if row.kind in REPORTS else {row.title, row.summary}
        case Conversation():
            return {row.title}
        case Message():  # a short one, like "thank you", is no one's in particular
            return {row.text} if len(row.text) >= SHORTEST_QUOTE else set()


def words_in(snapshot: Mapping[str, Any] | None) -> set[str]:
    """The same of a row as the audit trail has it, which may have said something else then."""
    if snapshot is None or snapshot.get("kind") in REPORTS:
        return set()
    return {text for name in _SAID for text in _texts(snapshot.get(name))}


def reports_quoting(texts: Collection[str], notes: Iterable[Note]) -> set[str]:
    """Of these notes, the automatic ones that quote one of the texts; they go with what they quote.

    A text of twelve characters or more is looked for anywhere, a shorter one where it is all that is quoted.
    """
    traces = Traces((), texts)
    short = {text.casefold() for text in texts}

    def is_quoting(note: Note) -> bool:
        plain = unescape(note.summary).replace("\\", "")
        pieces = [piece.rstrip("…") for piece in _QUOTED.findall(plain)]
        return any(piece.casefold() in short for piece in pieces) or any(
            traces.are_in(text, shortest=SHORTEST_QUOTE) for text in (plain, *pieces)
        )

    return {note.id for note in notes if note.kind in REPORTS and is_quoting(note)}


def still_said(row: KnowledgeItem | Note | Conversation | None) -> str:
    """All a row that stays says, for `Traces`."""
    if row is None:
        return ""
    own = {*words_of(row), *row.person.values()} if isinstance(row, KnowledgeItem) else words_of(row)
    return "\n".join(own).casefold()


class Traces:
    """Finds the names and words of what was forgotten, and takes them out of JSON values."""

    def __init__(self, names: Collection[str], texts: Iterable[str] = ()) -> None:
        self._names = names
        forgotten = {text.casefold() for text in texts}
        self._by_start: dict[str, list[str]] = defaultdict(list)
        for text in forgotten:
            if len(text) >= SHORTEST_WORD:
                self._by_start[text[:SHORTEST_WORD]].append(text)
        self._words: list[str] = []  # of all texts, a line break between any two
        for text in forgotten:
            self._words += [*_WORD.findall(text), "\n"]
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(self._words):
            self._places[word].append(place)
        self._found: dict[str, tuple[str, ...]] = {}  # the same texts stand in many entries

    def are_in(self, text: str, still: str = "", *, shortest: int = SHORTEST_WORD) -> bool:
        """Whether a text names or quotes what was forgotten, apart from what is `still` said."""
        if text in self._names:
            return True
        found = self._found.get(text)
        if found is None:
            found = self._found[text] = tuple(self._find(text.casefold())) if self._words else ()
        return any(
            len(trace) >= shortest and not any(_counts(trace, still, at) for at in _places(trace, still))
            for trace in found
        )

    def are_in_evidence(self, item: KnowledgeItem) -> bool:
        """Whether its evidence quotes at length; a single word may be anybody's, and the item is about something."""
        return item.evidence is not None and self.are_in(
            item.evidence, still_said(replace(item, evidence=None)), shortest=SHORTEST_QUOTE
        )

    def are_in_words(self, snapshot: Mapping[str, Any] | None) -> bool:
        """Whether a row as the audit trail has it quotes what was forgotten; a quick look, names apart."""
        return snapshot is not None and any(
            self.are_in(text) for name, part in snapshot.items() if name not in _FIXED for text in _texts(part)
        )

    def out_of(self, value: Any, still: str = "", *, names_only: bool = False) -> Any:
        """A JSON value without them: texts become None, and parts of lists go; `names_only`: whatever words it has."""

        def is_trace(part: Any) -> bool:
            return isinstance(part, str) and (part in self._names if names_only else self.are_in(part, still))

        if isinstance(value, Mapping):
            held = {name: part for name, part in value.items() if name not in self._names}
            return {name: self.out_of(part, still, names_only=names_only) for name, part in held.items()}
        if isinstance(value, list | tuple):
            return [self.out_of(part, still, names_only=names_only) for part in value if not is_trace(part)]
        return None if is_trace(value) else value

    def out_of_row(self, snapshot: Mapping[str, Any] | None, still: str = "") -> dict[str, Any] | None:
        """A row as the audit trail has it without them; words are looked for where a row has words."""
        if snapshot is None:
            return None
        held = {name: part for name, part in snapshot.items() if name not in self._names}
        return {name: self.out_of(part, still, names_only=name in _FIXED) for name, part in held.items()}

    def _find(self, text: str) -> Iterator[str]:
        if len(text) >= SHORTEST_QUOTE and self._is_part(_WORD.findall(text)):
            yield text
        for at in self._starts(text):
            for trace in self._by_start.get(text[at : at + SHORTEST_WORD], ()):
                if text.startswith(trace, at) and _counts(trace, text, at):
                    yield trace

    def _starts(self, text: str) -> Iterable[int]:
        """Where a forgotten text may begin: looked for one by one while they are few, else asked of every place."""
        if len(self._by_start) > _FEW:
            return range(len(text) - SHORTEST_WORD + 1)
        return (at for start in self._by_start for at in _places(start, text))

    def _is_part(self, words: list[str]) -> bool:
        """Whether these words follow each other in a forgotten text."""
        if not words:
            return False
        rarest = min(range(len(words)), key=lambda number: len(self._places.get(words[number], ())))
        starts = (place - rarest for place in self._places.get(words[rarest], ()))
        return any(start >= 0 and self._words[start : start + len(words)] == words for start in starts)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def _places(part: str, text: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _counts(trace: str, text: str, at: int) -> bool:
    """Whether a trace that stands there is long enough, or stands there as whole words."""
    end = at + len(trace)
    return len(trace) >= SHORTEST_QUOTE or not (
        (at > 0 and trace[0].isalnum() and text[at - 1].isalnum())
        or (end < len(text) and trace[-1].isalnum() and text[end].isalnum())
    )
