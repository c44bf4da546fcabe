"""The form of what is sent: short lists of what is remembered, and long texts in pieces an app takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from relembra.domain.text import fold, shortened, visible_line
from relembra.locale import Words
from relembra.recall.rendering import short_date, told
from relembra.views.timeline import day_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from relembra.domain.knowledge import KnowledgeItem
    from relembra.domain.message import Message
    from relembra.recall.assembly import MemoryContext

__all__ = ["pieces", "quotable", "remembered", "say", "spoken", "width"]

MOST_ITEMS, MOST_NOTES, MOST_MESSAGES = 5, 2, 3
LONGEST_LINE = 200
LONGEST_OPENING = 40
"""How much of a code block's first line is said again where the block goes on in another piece."""

_FENCE = re.compile(r"^ {0,3}(`{3,10}|~{3,10})([^`\n]*)")


def say(key: str, language: str, **parts: object) -> str:
    """A sentence of chat apps in a language."""
    return Words(language, "chat")(key, **parts)


def spoken(locale: str | None, otherwise: str) -> str:
    """The language of ours that a locale like pt-BR or en-GB is nearest to; another tongue is answered in English."""
    if not locale:
        return otherwise
    return "pt" if locale.lower().startswith("pt") else "en"


def remembered(context: MemoryContext, messages: Sequence[Message], language: str) -> str:
    """What is remembered about a question, in a few lines for a person; `messages` that answer it where nothing else
    does.
    """
    lines = [_item_line(item, language) for item in context.items[:MOST_ITEMS]]
    lines += [
        f"• {short_date(hit.note.happened_at, language)}: {quotable(hit.note.summary or hit.note.title)}"
        for hit in context.notes[:MOST_NOTES]
    ]
    if not lines:
        lines = [_message_line(message, language) for message in messages[:MOST_MESSAGES]]
    told = "\n".join([say("found", language), *lines]) if lines else say("nothing", language)
    return told if context.question is None else f"{told}\n\n{context.question.text}"


def _item_line(item: KnowledgeItem, language: str) -> str:
    marks = [short_date(day_of(item.held_from, item.zone), language), Words(language, "tools")(f"source.{item.source}")]
    if item.speaker is not None and fold(item.speaker) != fold(item.scope.user):
        marks[1] = say("claimed", language, name=quotable(item.speaker))
    return f"• {told(item, language, quotable(item.content))} ({', '.join(marks)})"


def _message_line(said: Message, language: str) -> str:
    when = short_date(day_of(said.sent_at, said.zone), language)
    return f"• {when}, {quotable(said.author_name)}: “{quotable(said.text)}”"


def quotable(text: str, limit: int = LONGEST_LINE) -> str:
    """Remembered text on one short line, without invisible controls."""
    return shortened(visible_line(text), limit)


def width(text: str) -> int:
    """How long an app counts a text, in UTF-16 units."""
    return len(text) + sum(char > "\uffff" for char in text)


def pieces(text: str, limit: int) -> list[str]:
    """A text in pieces of at most `limit` UTF-16 units (some hundred at least), cut between lines where they allow it,
    else between words. A code block that has to be cut is closed at the end of a piece and opened again in the next.
    """
    cutting = _Cutting(limit)
    for line in text.strip("\n").split("\n"):
        cutting.add(line)
    cutting.close()
    return cutting.made


class _Cutting:
    """Puts lines into pieces one by one, and knows which code block it is in."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.made: list[str] = []
        self._held = ""  # the piece at hand
        self._fence = ""  # what ends the code block we are in
        self._opening = ""  # what begins it
        self._bare = ""  # the piece at hand, where nothing but the opening of a block would be added to it

    def add(self, line: str) -> None:
        found = _FENCE.match(line)
        ends = bool(self._fence and found and found[1].startswith(self._fence) and not found[2].strip())
        fence = found[1] if found is not None and not self._fence else self._fence
        rest = line
        while width(rest) > (room := self._room("" if ends else fence)):
            if self._held != self._opening:
                self.close()
                continue
            head = _taken(rest, room)
            rest = rest[len(head) :] if self._fence else rest[len(head) :].lstrip(" ")
            self._put(head)
            self.close()
        before = self._held
        self._put(rest)
        if ends:
            self._fence = self._opening = ""
        elif found is not None and not self._fence:
            self._fence, self._opening, self._bare = found[1], (found[1] + found[2])[:LONGEST_OPENING].rstrip(), before

    def _room(self, fence: str) -> int:
        """How much may be added to the piece at hand, if a block with such an end has to be closed behind it."""
        return self._limit - width(self._held) - bool(self._held) - (width(fence) + 1 if fence else 0)

    def _put(self, text: str) -> None:
        self._held = f"{self._held}\n{text}" if self._held else text
        self._bare = ""

    def close(self) -> None:
        """End the piece at hand and begin another."""
        if self._bare or self._held == self._opening:
            self._finish(self._bare)
        else:
            self._finish(f"{self._held}\n{self._fence}" if self._fence else self._held)
        self._held, self._bare = self._opening, ""

    def _finish(self, piece: str) -> None:
        if piece.strip():
            self.made.append(piece)


def _taken(text: str, room: int) -> str:
    """As much of a line as there is room for, up to a space where one is in the later half."""
    taken = ""
    size = 0
    for char in text:
        size += width(char)
        if size > room:
            break
        taken += char
    cut = taken.rfind(" ")
    return taken[:cut] if cut > len(taken) // 2 else taken
