"""Which words a row is found by, said in this one place.

What is indexed and what is embedded is the same text, but for archived rows: their vectors stay, and their terms are
only those of what is known about them.
"""

from __future__ import annotations

import re

from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Message, Note, Role

LENGTH = 150
"""Characters; sentences that follow one another are taken together up to so many."""

MOST = 24
"""Passages of a text; a longer text has longer ones."""

LONGEST = 180
"""Words of a passage; an encoder reads about as many. Of a sentence beyond that, the rest is another passage."""

_MOST_READ = 1_000  # characters; some 180 words

_WORD = re.compile(r"\S+")
_LINE = re.compile(r"\S(?:[^\n]*\S)?")
_STOP = re.compile(r"""([.!?…]["'”’»)\]*_]*)\s+(?=\S)""")

Span = tuple[int, int]
"""Where something begins in a text, and where it ends."""


def passages(text: str) -> list[str]:
    """The passages of a text, in order; none of a short one, which is a passage itself."""
    return [text[start:end] for start, end in passage_spans(text)]


def passage(text: str, part: int) -> str:
    """One passage by its number from 1; 0, and a number nothing has, stand for the whole text."""
    spans = passage_spans(text) if part > 0 else []
    return text[slice(*spans[part - 1])] if 0 < part <= len(spans) else text


def passage_spans(text: str) -> list[Span]:
    """Where the passages stand in the text: one after another, each of whole sentences or lines.

    Of a text that would have too many, more sentences are taken together, as long as an encoder reads them; what stands
    after the last is left out.
    """
    sentences = sentence_spans(text)
    if not sentences:
        return []
    length = max(LENGTH, -(-(sentences[-1][1] - sentences[0][0]) // MOST))
    spans = _joined(sentences, length)
    while len(spans) > MOST and length < _MOST_READ:  # a sentence more would often not have fitted
        length += length // 4
        spans = _joined(sentences, length)
    return spans[:MOST] if len(spans) > 1 else []


def _joined(sentences: list[Span], length: int) -> list[Span]:
    """Sentences that follow one another taken together, up to so many characters."""
    spans: list[Span] = []
    for start, end in sentences:
        if spans and end - spans[-1][0] <= length:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def sentence_spans(text: str) -> list[Span]:
    """Sentences and lines; one of too many words is several."""
    spans: list[Span] = []
    for line in _LINE.finditer(text):
        start, end = line.span()
        for stop in _STOP.finditer(text, start, end):
            spans.append((start, stop.end(1)))
            start = stop.end()
        if start < end:
            spans.append((start, end))
    if all(end - start < 2 * LONGEST for start, end in spans):  # so many words need as many blanks between them
        return spans
    return [piece for span in spans for piece in _pieces(text, span)]


def _pieces(text: str, span: Span) -> list[Span]:
    """A span, cut where it has too many words."""
    words = [found.span() for found in _WORD.finditer(text, *span)]
    firsts = range(0, len(words), LONGEST)
    return [(words[first][0], words[min(first + LONGEST, len(words)) - 1][1]) for first in firsts]


_MARKS = str.maketrans(".,;:!?()", " " * 8)


def item_text(item: KnowledgeItem) -> str:
    """The content, with the title, value and tags where they add words the content does not have."""
    content = " ".join(item.content.split())
    held = content.casefold()
    title = item.title.rstrip("… .")
    parts = [] if held.startswith(title.casefold()) else [item.title]
    parts.append(item.content)
    if item.value and f" {item.value.casefold()} " not in f" {held.translate(_MARKS)} ":
        parts.append(item.value)
    if item.tags:
        parts.append(", ".join(item.tags))
    return "\n".join(parts)


def note_text(note: Note) -> str:
    """The title and the summary."""
    return f"{note.title}\n{note.summary}"


def message_text(message: Message) -> str:
    """What was said, and nothing around it."""
    return message.text


def message_pieces(message: Message) -> list[str]:
    """What a message's vectors are made of: all of it, and its passages where a person said it.

    A person tells several things in one message; an assistant's long answer is about one, and finer vectors of it found
    nothing more.
    """
    return [message.text, *(passages(message.text) if message.role is Role.USER else ())]


def indexed_text(row: KnowledgeItem | Note | Message) -> str:
    """What the row's terms are made of: its whole text, or of an archived one its metadata."""
    match row:
        case KnowledgeItem(archived_at=None):
            return item_text(row)
        case KnowledgeItem():
            subject = None if row.subject == SELF else row.subject
            attribute = None if row.attribute is None else row.attribute.replace("_", " ")
            parts = (row.title, row.value, ", ".join(row.tags), attribute, subject)
            return "\n".join(part for part in parts if part)
        case Note(archived_at=None):
            return note_text(row)
        case Note():
            return "\n".join((row.title, *row.participants))
        case Message():
            return message_text(row)
