"""Tagged blocks, for assistants that are told which parts of a prompt to trust."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from relembra.domain.text import escaped
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
from relembra.recall.rendering import summary_line
from relembra.recall.renderings.lines import (
    ask_row,
    by_part,
    day,
    grouped,
    known_row,
    memory_rows,
    note_row,
    profile_rows,
    recent_row,
    said_row,
)

_BACKGROUND = (Part.MEMORY, Part.PROFILES, Part.KNOWN, Part.NOTES, Part.EARLIER)
_FACTS = ("<background_facts>", "</background_facts>")
_TAGS = {
    Part.MEMORY: "memory",
    Part.PROFILES: "user",
    Part.KNOWN: "knowledge",
    Part.NOTES: "notes",
    Part.EARLIER: "messages",
    Part.RECENT: "conversation",
    Part.ASK: "question",
}
_ATTRIBUTES = {Part.MEMORY: "about", Part.PROFILES: "name", Part.KNOWN: "about", Part.ASK: "for"}
_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Xml:
    """What is remembered inside `<background_facts>`, then the conversation and the question in tags of their own."""

    def line(self, line: Line, frame: Frame) -> str:
        """The row; a profile line counts the tags and the title around it too, for it may be the only one in them."""
        rows = (
            _block([line], frame.called(line.person), frame) if isinstance(line, ProfileLine) else _rows([line], frame)
        )
        return _NO_XML.sub("", "\n".join(rows))

    def heading(self, part: Part, frame: Frame) -> str:
        outer = _FACTS if part in _BACKGROUND else ()
        inner = () if part is Part.PROFILES else _tags(part, frame.name)
        return _NO_XML.sub("", "\n".join((*outer, *inner)))

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        parts = by_part(lines)
        background = [row for part in _BACKGROUND if part in parts for row in _part(parts[part], frame)]
        rest = [row for part in parts if part not in _BACKGROUND for row in _part(parts[part], frame)]
        if background:
            background = [_FACTS[0], *background, _FACTS[1]]
        return _NO_XML.sub("", "\n".join([*background, *rest]))


def _part(lines: Sequence[Line], frame: Frame) -> list[str]:
    profiles = [line for line in lines if isinstance(line, ProfileLine)]
    if not profiles:
        return _block(lines, frame.name, frame)
    people = grouped(profiles, lambda line: line.person)
    return [row for person, inside in people.items() for row in _block(inside, frame.called(person), frame)]


def _block(lines: Sequence[Line], name: str, frame: Frame) -> list[str]:
    opening, closing = _tags(lines[0].part, name)
    return [opening, *_rows(lines, frame), closing]


def _tags(part: Part, name: str) -> tuple[str, str]:
    tag = _TAGS[part]
    if part not in _ATTRIBUTES:
        return f"<{tag}>", f"</{tag}>"
    value = escaped(name).replace('"', "&quot;")
    return f'<{tag} {_ATTRIBUTES[part]}="{value}">', f"</{tag}>"


def _rows(lines: Sequence[Line], frame: Frame) -> list[str]:
    """The rows of one block."""
    memory = [line for line in lines if isinstance(line, MemoryLine)]
    profile = [line for line in lines if isinstance(line, ProfileLine)]
    if memory:
        return memory_rows(memory, frame)
    return profile_rows(profile, frame, day) if profile else [_row(line, frame) for line in lines]


def _row(line: Line, frame: Frame) -> str:
    match line:
        case MemoryLine() | ProfileLine():
            return _rows([line], frame)[-1]
        case KnownLine():
            return known_row(line, frame, day)
        case NoteLine():
            return note_row(line, frame, day)
        case EarlierLine():
            return said_row(line.hit.message, line.excerpt, frame, day)
        case BeforeLine(text=text):
            return summary_line(text, frame.language)
        case RecentLine(message=message):
            return recent_row(message, frame, day)
        case AskLine():
            return ask_row(line)
        case other:
            assert_never(other)
