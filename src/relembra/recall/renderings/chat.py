"""Messages ready to send: one of the system with what is remembered, then the conversation's own turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from relembra.domain.message import Role
from relembra.domain.text import quoted
from relembra.recall.entries import Frame, Line, Part, RecentLine
from relembra.recall.renderings.as_json import dumped
from relembra.recall.renderings.markdown import Markdown
from relembra.recall.renderings.words import REMEMBERED

_MARKDOWN = Markdown()
_TURNS = (Role.USER, Role.ASSISTANT)


class Chat:
    """The messages as a JSON list of roles and contents, one a row."""

    def line(self, line: Line, frame: Frame) -> str:
        return dumped(_turn(line)) + "," if _is_turn(line) else _inside(_MARKDOWN.line(line, frame) + "\n")

    def heading(self, part: Part, frame: Frame) -> str:
        """The part's heading, and the message around it all."""
        return f"[{dumped(_system(_MARKDOWN.heading(part, frame), frame))}],"

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        rows = [dumped(message) for message in messages(lines, frame)]
        return "[" + ",\n".join(rows) + "]" if rows else ""


def messages(lines: Sequence[Line], frame: Frame) -> list[dict[str, str]]:
    """What to send. Recent messages keep their own words, for they are turns; a system's own are quoted with the rest,
    so that nothing remembered speaks for the system."""
    remembered = [line for line in lines if not _is_turn(line)]
    system = [_system(_MARKDOWN.text(remembered, frame), frame)] if remembered else []
    return [*system, *(_turn(line) for line in lines if _is_turn(line))]


def _is_turn(line: Line) -> TypeGuard[RecentLine]:
    return isinstance(line, RecentLine) and line.message.role in _TURNS


def _turn(line: RecentLine) -> dict[str, str]:
    return {"role": line.message.role.value, "content": line.message.text}


def _system(text: str, frame: Frame) -> dict[str, str]:
    opening = REMEMBERED[frame.language].format(name=quoted(frame.name))
    return {"role": Role.SYSTEM.value, "content": f"{opening}\n{text}"}


def _inside(text: str) -> str:
    """A text as it stands inside a JSON string."""
    return dumped(text)[1:-1]
