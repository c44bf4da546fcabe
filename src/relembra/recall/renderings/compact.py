"""The fewest tokens: short lines under three bracketed titles.

A line is one line that opens with a dash, and holds no square bracket of its own, so that nothing remembered can pass
for a title.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from relembra.domain.knowledge import SELF, KnowledgeType
from relembra.domain.message import Message
from relembra.domain.text import quoted
from relembra.recall.entries import (
    AskLine,
    BeforeLine,
    EarlierLine,
    Frame,
    KnownLine,
    Line,
    MemoryLine,
    NoteLine,
    Part,
    ProfileLine,
    RecentLine,
)
from relembra.recall.rendering import UNSURE, local, speaker, told, unbracketed
from relembra.recall.renderings.lines import asked, day, grouped, is_idle, marks, note_day, title, value
from relembra.recall.renderings.words import BE_GENTLE, BRACKETED, continued, is_hard, memory_title

LONGEST_JOINED = 90  # characters of a line that takes in another thing
LONGEST_SMALL = 45  # of one that may be joined

_TITLES = {Part.RECENT: ("now", "recent"), Part.ASK: ("ask",)}


class Compact:
    """What is remembered as a list, the summary of the conversation, and its last messages."""

    def line(self, line: Line, frame: Frame) -> str:
        return _remembered([line], frame)[0] if _title(line) == "memory" else _row(line, frame)

    def heading(self, part: Part, frame: Frame) -> str:
        return "\n".join(BRACKETED[frame.language][name] for name in _TITLES.get(part, ("memory",)))

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        groups = grouped(lines, _title)
        blocks = []
        for name, heading in BRACKETED[frame.language].items():
            if inside := groups.get(name):
                rows = _remembered(inside, frame) if name == "memory" else [_row(line, frame) for line in inside]
                blocks.append("\n".join([heading, *rows]))
        return "\n".join(blocks)


def _title(line: Line) -> str:
    match line:
        case BeforeLine():
            return "now"
        case RecentLine():
            return "recent"
        case AskLine():
            return "ask"
        case _:
            return "memory"


def _remembered(lines: Sequence[Line], frame: Frame) -> list[str]:
    """A row a line, but small things of a kind share one."""
    rows: list[str] = []
    open_rows: dict[object, int] = {}
    for line in lines:
        head, text, kind = _thing(line, frame)
        place = open_rows.get(kind) if kind is not None else None
        if place is not None and len(text) <= LONGEST_SMALL and len(rows[place]) + len(text) + 2 <= LONGEST_JOINED:
            rows[place] += f"; “{continued(text[1:])}" if text[0] == "“" else f"; {text}"
        else:
            rows.append(f"{head}{text}")
            if kind is not None:
                open_rows[kind] = len(rows) - 1
    return [_ended(f"- {row}") for row in rows]


def _thing(line: Line, frame: Frame) -> tuple[str, str, object]:
    """What opens a row, what it says, and what others may share the row with it; None where none may."""
    match line:
        case MemoryLine(field=field):
            return f"{unbracketed(memory_title(field, frame.language))}: ", bare(line.text), ("memory", field)
        case ProfileLine():
            unsure = [UNSURE[frame.language]] if line.unsure else []
            return f"{bare(frame.called(line.person))}: ", bare(line.text) + _marked(unsure), ("profile", line.person)
        case KnownLine():
            return "", *_known(line, frame)
        case NoteLine():
            note = line.hit.note
            return f"{day(note_day(line, frame), frame)}, ", f"{title(note.title)}: {bare(note.summary)}", None
        case EarlierLine():
            return "", _said(line.hit.message, line.excerpt, frame, dated=True), None
        case _:
            return "", _row(line, frame), None


def _known(line: KnownLine, frame: Frame) -> tuple[str, object]:
    item = line.hit.item
    words = marks(line, frame)
    if item.type is KnowledgeType.MEMORY:
        words.insert(0, day(local(item.held_from, item.zone), frame))
    if item.type is KnowledgeType.EMOTION and is_hard(f"{item.content} {item.value or ''}"):
        words.append(BE_GENTLE[frame.language])
    text = bare(item.content)
    joins = not words and item.subject == SELF and len(text) <= LONGEST_SMALL
    newer = unbracketed(told(item, frame.language, text, quote=quoted))
    return newer + _marked(words), ("known", item.type) if joins else None


def _row(line: Line, frame: Frame) -> str:
    """The row of a line that shares it with no other."""
    match line:
        case BeforeLine(text=text):
            return _ended(f"- {bare(text)}")
        case RecentLine(message=message):
            return "- " + _said(message, message.text, frame, dated=is_idle(message, frame))
        case AskLine():
            return f"- {unbracketed(asked(line))}"
        case MemoryLine() | ProfileLine() | KnownLine() | NoteLine() | EarlierLine():
            return _remembered([line], frame)[0]
        case other:
            assert_never(other)


def _said(message: Message, text: str, frame: Frame, *, dated: bool) -> str:
    when = day(local(message.sent_at, message.zone), frame) + ", " if dated else ""
    return f"{when}{unbracketed(speaker(message, frame.language, frame.names))}: {unbracketed(quoted(text))}"


def bare(text: str) -> str:
    """A number as it is, words in quotation marks; no square brackets, no full stop."""
    line = unbracketed(text)
    return value(line.rstrip(" .") or line)


def _marked(words: Sequence[str]) -> str:
    return f" ({', '.join(words)})" if words else ""


def _ended(row: str) -> str:
    return row if row.rstrip("”").endswith((".", "!", "?", "…", ":")) else f"{row}."
