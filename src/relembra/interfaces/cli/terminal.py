"""The terminal: how wide, how colourful, and what may be shown on it.

Where nobody watches (a pipe, a file) lines are never folded, cut or padded, so that ids and contents arrive whole: one
row a line, a tab between its cells.
"""

from __future__ import annotations

import asyncio
import sys
import unicodedata
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from relembra.domain.confidence import ConfidenceLevel
from relembra.domain.text import shortened
from relembra.recall.rendering import short_date

if TYPE_CHECKING:
    from relembra.interfaces.cli.words import Words

ROOMY = 110
"""Columns from which a table has a column for everything."""

SHORT_ID = 8
SLOW_SECONDS = 0.5
"""After which somebody who waits is told what for."""
MARKS = {
    ConfidenceLevel.HIGH: ("●", "green"),
    ConfidenceLevel.MEDIUM: ("◐", "yellow"),
    ConfidenceLevel.LOW: ("○", "red"),
    ConfidenceLevel.DOUBTFUL: ("·", "red"),
}
_JOINERS = "\u200c\u200d"


class Terminal:
    """Where an answer is shown."""

    def __init__(self, words: Words, console: Console | None = None) -> None:
        self.words = words
        self.watched = console is not None or sys.stdout.isatty()
        self.console = console or _Console(highlight=False, markup=False, emoji=False)

    @property
    def roomy(self) -> bool:
        """Whether every part of a row fits beside the others."""
        return not self.watched or self.console.width >= ROOMY

    def show(self, *parts: RenderableType) -> None:
        if self.watched:
            self.console.print(*parts, sep="\n")
            return
        for part in parts:
            sys.stdout.write("".join(f"{line}\n" for line in _lines(part)))

    def say(self, key: str, style: str = "", **parts: object) -> None:
        """A sentence of the catalogue."""
        self.show(Text(clean(self.words(key, **parts), breaks=True), style))

    def cell(self, text: str, style: str = "", longest: int = 400) -> Text:
        """Remembered text on one line: shortened for eyes, whole for pipes."""
        line = clean(text)
        return Text(shortened(line, longest) if self.watched else line, style)

    def date(self, moment: datetime) -> str:
        """The day, by this computer's clock."""
        return short_date(_local(moment), self.words.language)

    def moment(self, moment: datetime) -> str:
        return f"{self.date(moment)} {_local(moment):%H:%M}"


@asynccontextmanager
async def working(text: str) -> AsyncIterator[None]:
    """Say on a terminal that something is being done, once it takes a while; beside the answer, and gone at the end."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield
        return
    status = console.status(text)

    async def shown() -> None:
        await asyncio.sleep(SLOW_SECONDS)
        status.start()

    task = asyncio.create_task(shown())
    try:
        yield
    finally:
        task.cancel()
        status.stop()


def note(text: str) -> None:
    """A remark beside the answer."""
    sys.stderr.write(clean(text, breaks=True) + "\n")


def short(id: str) -> str:
    """The end of an id, which tells ids of one moment apart and can be typed back."""
    return id[-SHORT_ID:]


def clean(text: str, *, breaks: bool = False) -> str:
    """Remembered text made harmless for a terminal: no escapes, no invisible controls, one line unless told."""
    kept = "".join(_harmless(char) for char in text)
    return kept if breaks else " ".join(kept.split())


def joined(parts: Iterable[Text], mark: str = " · ") -> Text:
    return Text(mark).join(part for part in parts if part.plain)


def _local(moment: datetime) -> datetime:
    """By this computer's clock; at the ends of the calendar, where that falls outside it, as it is."""
    try:
        return moment.astimezone()
    except OverflowError:
        return moment


def _lines(part: RenderableType) -> list[str]:
    """A part as lines for a pipe, without colours or padding."""
    if not isinstance(part, Table):
        return [str(part)]
    rows = zip(*(column.cells for column in part.columns), strict=True)
    return ["\t".join(" | ".join(str(cell).split("\n")) for cell in row) for row in rows]


def _harmless(char: str) -> str:
    if char in "\n\t" or char in _JOINERS:
        return char
    return "" if unicodedata.category(char) in ("Cc", "Cf") else char


class _Console(Console):
    """Rich's console, but for whoever leaves early: `main` knows what to do then."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
