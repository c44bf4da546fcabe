"""Headings and lists: a form every assistant reads well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

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
from relembra.recall.rendering import heading, summary_line
from relembra.recall.renderings.lines import (
    ask_row,
    by_part,
    grouped,
    known_row,
    memory_rows,
    note_row,
    profile_rows,
    recent_row,
    said_row,
    whole_day,
)


class Markdown:
    """A `##` heading a part, and a list under it; a profile has the heading of its person."""

    def line(self, line: Line, frame: Frame) -> str:
        """The row; a profile line counts the headings over it too, for it may be the first under them."""
        return "\n".join(self._blocks([line], frame)[0]) if isinstance(line, ProfileLine) else _rows([line], frame)[0]

    def heading(self, part: Part, frame: Frame) -> str:
        return "" if part is Part.PROFILES else heading(frame.name, part, frame.language)

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        blocks = [block for inside in by_part(lines).values() for block in self._blocks(inside, frame)]
        return "\n".join(row for block in blocks for row in block)

    def _blocks(self, lines: Sequence[Line], frame: Frame) -> list[list[str]]:
        """The headings and rows of one part."""
        profiles = [line for line in lines if isinstance(line, ProfileLine)]
        if profiles:
            return [
                [heading(frame.called(person), Part.PROFILES, frame.language), *profile_rows(inside, frame, whole_day)]
                for person, inside in grouped(profiles, lambda line: line.person).items()
            ]
        return [[self.heading(lines[0].part, frame), *_rows(lines, frame)]]


def _rows(lines: Sequence[Line], frame: Frame) -> list[str]:
    memory = [line for line in lines if isinstance(line, MemoryLine)]
    return memory_rows(memory, frame) if memory else [_row(line, frame) for line in lines]


def _row(line: Line, frame: Frame) -> str:
    match line:
        case MemoryLine():
            return memory_rows([line], frame)[0]
        case ProfileLine():
            return "\n".join(profile_rows([line], frame, whole_day))
        case KnownLine():
            return known_row(replace(line, note=None), frame, whole_day)  # sources are for those who ask, and cost
        case NoteLine():
            return note_row(line, frame, whole_day)
        case EarlierLine():
            return said_row(line.hit.message, line.excerpt, frame, whole_day)
        case BeforeLine(text=text):
            return summary_line(text, frame.language)
        case RecentLine(message=message):
            return recent_row(message, frame, whole_day)
        case AskLine():
            return ask_row(line)
        case other:
            assert_never(other)
