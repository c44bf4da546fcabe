"""The terminal: how wide, how colourful, and how tables, panels and progress are shown on it.

Where nobody watches (a pipe, a file) lines are never folded, cut or padded, so that ids and contents arrive whole: one
row a line, a tab between its cells.
"""

from __future__ import annotations

import asyncio
import re
import sys
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from relembra.domain.ids import is_id
from relembra.domain.policy import LIFE, Policy
from relembra.domain.text import shortened
from relembra.recall.rendering import short_date

if TYPE_CHECKING:
    from relembra.interfaces.cli.call import Call
    from relembra.interfaces.cli.words import Words

ROOMY = 110
"""Columns from which a table has a column for everything."""
SHORT_ID = 8
LONGEST_BAR = 20
SLOW_SECONDS = 0.5
"""After which somebody who waits is told what for."""
DIM = "dim"
STYLES = {
    **dict.fromkeys(("account", "channel", "id", "prefix", "relation", "trait", "who", "bar"), "cyan"),
    **dict.fromkeys(("name", "score", "space"), "bold"),
    **dict.fromkeys(("conversation", "night", "place", "reason", "used", "when", "why", "with"), DIM),
}
"""Of the columns of every table."""
_JOINERS = "\u200c\u200d"

Cell = Text | str
Rows = list[tuple[str, Cell]]


class Terminal:
    """Where an answer is shown."""

    def __init__(self, words: Words, console: Console | None = None, call: Call | None = None) -> None:
        self.words = words
        self._call = call
        self.watched = console is not None or sys.stdout.isatty()
        self.console = console or _Console(highlight=False, markup=False, emoji=False)

    @property
    def policy(self) -> Policy:
        return LIFE if self._call is None else self._call.policy

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
        """A sentence of the catalogue; whose memory it is about need not be told."""
        if self._call is not None and "user" not in parts and "{user}" in self.words(key):
            parts["user"] = self._call.user
        self.show(Text(clean(self.words(key, **parts), breaks=True), style))

    def hint(self, key: str, style: str = DIM, **parts: object) -> None:
        """A sentence only for somebody who watches."""
        if self.watched:
            self.say(key, style, **parts)

    def title(self, text: str) -> None:
        """A heading only for somebody who watches, after an empty line."""
        if self.watched:
            self.show(Text(), Text(text, "bold"))

    def table(self, columns: str, rows: Iterable[Sequence[Cell]], *, headed: bool = True, wide: bool = True) -> None:
        """Rows under headings; headings and the full width are for eyes.

        A column is named by its heading, with a mark behind it: `*` takes the room that is left, `>` stands to the
        right, `~` may be wrapped; on a narrow screen `/` stands under the widest column, and `?` is left out.
        """
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold dim")
        table.show_header = self.watched and headed
        table.expand = self.watched and wide
        named = [(word.rstrip("*>~/?"), word) for word in columns.split()]
        shown = [place for place, (_, word) in enumerate(named) if self.roomy or not word.endswith(("/", "?"))]
        for name, word in (named[place] for place in shown):
            table.add_column(
                self._heading(name) if headed else "",
                style=STYLES.get(name, ""),
                ratio=1 if "*" in word and self.watched else None,
                justify="right" if ">" in word else "left",
                no_wrap=not set(word) & set("*~"),
            )
        widest = next((number for number, place in enumerate(shown) if "*" in named[place][1]), 0)
        for cells in rows:
            kept = [cells[place] for place in shown]
            aside = [cells[place] for place, (_, word) in enumerate(named) if place not in shown and "/" in word]
            if below := joined(_text(cell) for cell in aside):
                below.stylize(f"not bold {DIM}")
                kept[widest] = Text("\n").join([_text(kept[widest]), below])
            table.add_row(*kept)
        self.show(table)

    def rows(self, columns: str, found: Iterable[Any], **said: Callable[[Terminal, Any], Cell]) -> None:
        """A table of values, with how to see the next page.

        A column holds the attribute it is named for, or that behind `=`, or what `said` makes of a row.
        """
        named = [word.rstrip("*>~/?").partition("=") for word in columns.split()]
        cells = [
            [said[name](self, row) if name in said else self.value(getattr(row, of or name)) for name, _, of in named]
            for row in found
        ]
        self.table(re.sub(r"=\w+", "", columns), cells)
        if (after := getattr(found, "next", None)) is not None:
            self.hint("more", cursor=after)

    def value(self, value: Any) -> Cell:
        """A value as people read it."""
        match value:
            case None:
                return ""
            case datetime():
                return self.moment(value)
            case bool():
                return self.words("yes" if value else "no")
            case float():
                return self.words.number(value)
            case int():
                return self.words.whole(value)
            case str() if is_id(value):
                return short(value)
        return self.cell(str(value))

    def _heading(self, name: str) -> str:
        """One of the common headings, a sentence by its id, or else the name itself."""
        for id in (f"head.{name}", name):
            if self.words.has(id):
                return self.words(id)
        return "" if name == "bar" else name

    def labels(self, rows: Iterable[tuple[str, Any]]) -> Rows:
        """Pairs with their labels in words, without those that have nothing to say."""
        said = [(key, value if isinstance(value, Text | str) else self.value(value)) for key, value in rows]
        return [(self.words(f"label.{key}"), value) for key, value in said if value]

    def panel(self, rows: Rows, title: Cell, *above: RenderableType) -> None:
        """Pairs in a frame under a title, `above` them what comes first; for a pipe the frame and the title go."""
        parts = [*above, *([pairs(rows)] if rows else [])]
        if not self.watched:
            self.show(*parts)
            return
        grid = Table.grid(padding=(1, 0))
        for part in parts:
            grid.add_row(part)
        self.show(Panel(grid, title=title, title_align="left", border_style=DIM, padding=(0, 1)))

    def marked(self, rows: Iterable[tuple[Cell, Cell]]) -> None:
        """Lines with a mark before each."""
        self.show(_grid(rows))

    def named(self, content: str, id: str, *details: str) -> Text:
        """What a row says, its id, and beneath it details."""
        line = Text(self.cell(content).plain, "bold").append("  ").append(short(id), "not bold cyan")
        for detail in details:
            line.append("\n" if self.watched else "\t").append(detail, f"not bold {DIM}")
        return line

    def cell(self, text: str, style: str = "", longest: int = 400) -> Text:
        """Remembered text on one line: shortened for eyes, whole for pipes."""
        line = clean(text)
        return Text(shortened(line, longest) if self.watched else line, style)

    def bar(self, part: float, whole: float) -> list[str]:
        """How much of the whole, to be seen at a glance; nothing where nobody looks."""
        if not self.watched:
            return []
        eighths = round(LONGEST_BAR * 8 * min(1.0, part / whole)) if whole else 0
        return ["█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]]

    def date(self, moment: datetime | None) -> str:
        """The day, by this computer's clock."""
        return "" if moment is None else short_date(_local(moment), self.words.language)

    def moment(self, moment: datetime) -> str:
        return f"{self.date(moment)} {_local(moment):%H:%M}"


@asynccontextmanager
async def working(text: str, progress: Callable[[], Awaitable[str]] | None = None) -> AsyncIterator[None]:
    """Say on a terminal that something is being done, once it takes a while; beside the answer, and gone at the end."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield
        return
    status = console.status(text)

    async def shown() -> None:
        while True:
            await asyncio.sleep(SLOW_SECONDS)
            status.start()
            if progress is not None:
                status.update(await progress())

    task = asyncio.create_task(shown())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        status.stop()


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """How far each stage is, on a terminal; beside the answer, and gone at the end."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:

        def shown(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield shown


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


def pairs(rows: Rows) -> Table:
    """Names and what they stand for, one a line."""
    return _grid(rows, DIM)


def _grid(rows: Iterable[tuple[Cell, Cell]], style: str = "") -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=style, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(name, value)
    return grid


def _text(cell: Cell) -> Text:
    return Text(cell) if isinstance(cell, str) else cell


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
