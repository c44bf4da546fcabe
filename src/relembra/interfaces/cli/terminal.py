"""The terminal: how wide, how colourful, and how sentences, tables, panels and progress are shown on it.

Where no terminal is attached (a pipe, a file) lines are never folded, cut or padded, so that ids and contents arrive
whole: one row a line, a tab between its cells.
"""

from __future__ import annotations

import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from rich.console import Console, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from relembra.domain.policy import LIFE, Policy
from relembra.domain.scope import is_id
from relembra.domain.text import shortened
from relembra.recall.rendering import short_date

if TYPE_CHECKING:
    from relembra.interfaces.cli.call import Call
    from relembra.interfaces.cli.commands import Words

ROOMY = 110
"""Columns from which a table has a column for everything."""
DIM = "dim"
STYLES = {
    **dict.fromkeys(("account", "channel", "id", "prefix", "relation", "trait", "who", "bar"), "cyan"),
    **dict.fromkeys(("name", "score", "space"), "bold"),
    **dict.fromkeys(("conversation", "night", "place", "reason", "used", "when", "why", "with"), DIM),
}
"""Of the columns of every table."""

Cell = Text | str
Rows = list[tuple[str, Cell]]
Show = Callable[["Terminal", Any], None]
"""Shows a value to a person."""


class Terminal:
    """Where an answer is shown; `call` fills the gaps of sentences with what was typed, and whose memory it is."""

    def __init__(self, words: Words, console: Console | None = None, call: Call | None = None) -> None:
        self.words = words
        self._call = call
        self.watched = console is not None or sys.stdout.isatty()
        self.console = console or _Console(highlight=False, markup=False, emoji=False)

    @property
    def policy(self) -> Policy:
        return LIFE if self._call is None else self._call.policy

    @property
    def typed(self) -> dict[str, Any]:
        """What was typed behind the command."""
        return {} if self._call is None else self._call.values

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
        if self._call is not None and "{user}" in self.words(key):
            parts = {"user": self._call.user, **parts}
        parts = {**self.typed, **parts}
        self.show(Text(clean(self.words(key, **parts), breaks=True), style))

    def hint(self, key: str, style: str = DIM, **parts: object) -> None:
        """A sentence only on a terminal."""
        if self.watched:
            self.say(key, style, **parts)

    def sections(self, columns: str, parts: Iterable[tuple[str, Iterable[Sequence[Cell]]]]) -> None:
        """Rows under a title each on a terminal; in a pipe each row begins with its title."""
        for title, rows in parts:
            if self.watched:
                self.show(Text(), Text(title, "bold"))
                self.table(columns, rows, headed=False)
            else:
                self.table(f"title {columns}", ([title, *row] for row in rows))

    def table(self, columns: str, rows: Iterable[Sequence[Cell]], *, headed: bool = True, wide: bool = True) -> None:
        """Rows under headings; headings and the full width are for terminals.

        A column is named by its heading, with a mark behind it: `*` takes the room that is left, `>` stands to the
        right, `~` may be wrapped; on a narrow screen `/` stands under the widest column, and `?` is left out.
        """
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold dim")
        table.show_header = self.watched and headed
        table.expand = self.watched and wide
        named = [(word.rstrip("*>~/?"), word) for word in columns.split()]
        hidden = ("bar",) if not self.watched else () if self.roomy else ("/", "?")
        shown = [place for place, (_, word) in enumerate(named) if not word.endswith(hidden)]
        for name, word in (named[place] for place in shown):
            known = next((id for id in (f"head.{name}", name) if self.words.has(id)), None)
            heading = "" if not headed or name == "bar" else name if known is None else self.words(known)
            table.add_column(
                heading,
                style=STYLES.get(name, ""),
                ratio=1 if "*" in word and self.watched else None,
                justify="right" if ">" in word else "left",
                no_wrap=not set(word) & set("*~"),
            )
        widest = next((number for number, place in enumerate(shown) if "*" in named[place][1]), 0)
        for cells in rows:
            kept = [cells[place] for place in shown]
            aside = [cells[place] for place, (_, word) in enumerate(named) if place not in shown and "/" in word]
            if below := joined(aside):
                below.stylize(f"not bold {DIM}")
                kept[widest] = stacked([kept[widest], below])
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
            case Text():
                return value
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

    def labels(self, rows: Mapping[str, Any]) -> Rows:
        """Pairs with their labels in words, without those that have nothing to say; an id is shown whole."""
        said = {key: str(value) if key == "id" else self.value(value) for key, value in rows.items()}
        return [(self.words(f"label.{key}"), value) for key, value in said.items() if value]

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

    def named(self, content: str, id: str, *details: Cell) -> Text:
        """What a row says, its id, and beneath it details."""
        line = Text(self.cell(content).plain, "bold").append("  ").append(short(id), "not bold cyan")
        for detail in filter(str, details):
            line.append(f"\n{detail}", f"not bold {DIM}")
        return line

    def cell(self, text: str, style: str = "", longest: int = 400) -> Text:
        """Remembered text on one line: shortened on a terminal, whole for pipes."""
        line = clean(text)
        return Text(shortened(line, longest) if self.watched else line, style)

    def bar(self, part: float, whole: float) -> str:
        """How much of the whole, to be seen at a glance on a terminal."""
        eighths = round(20 * 8 * min(1.0, part / whole)) if whole else 0
        return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]

    def date(self, moment: datetime | None) -> str:
        """The day, by this computer's clock."""
        return "" if moment is None else short_date(self._local(moment), self.words.language)

    def moment(self, moment: datetime) -> str:
        return f"{self.date(moment)} {self._local(moment):%H:%M}"

    def _local(self, moment: datetime) -> datetime:
        """By the clock of the settings, else this computer's; at the ends of the calendar, as it is."""
        home = "" if self._call is None else self._call.settings.timezone
        try:
            return moment.astimezone(ZoneInfo(home) if home else None)
        except OverflowError:
            return moment


# ── ways to show a value ──────────────────────────────────────────────────────────────────────────────────────────


def says(*sentences: tuple[str, str] | str) -> Show:
    """Sentences, some with a style, whose gaps are filled with the parts of the value."""

    def show(terminal: Terminal, value: Any) -> None:
        names = [field.name for field in fields(value)] if is_dataclass(value) else []
        parts = {name: str(terminal.value(getattr(value, name))) for name in names}
        for sentence in sentences:
            key, style = sentence if isinstance(sentence, tuple) else (sentence, "")
            terminal.say(key, style, **parts | terminal.typed)

    return show


def either(yes: str, no: str) -> Show:
    """One sentence where the value is true, another where it is not."""
    return lambda terminal, value: terminal.say(yes if value else no)


def table(columns: str, empty: str, **said: Callable[[Terminal, Any], Cell]) -> Show:
    """Rows as a table, or a sentence where there are none."""

    def show(terminal: Terminal, rows: Any) -> None:
        if rows:
            terminal.rows(columns, rows, **said)
        else:
            terminal.say(empty)

    return show


# ── progress ──────────────────────────────────────────────────────────────────────────────────────────────────────


def working(text: str) -> AbstractContextManager[Any]:
    """Say on a terminal that something is being done; beside the answer, and gone at the end."""
    return Console(stderr=True, highlight=False).status(text)


TOLD_SECONDS = 10.0
"""After so long, and so often, a pipe is told how far work is."""


@contextmanager
def progress_bar(words: Words | None = None) -> Iterator[Callable[[str, int, int], None]]:
    """How far each stage is, on a terminal, gone at the end; with `words` also how fast, and in a pipe now and then.

    A total of 0 is not known yet.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False)
    rate = [TextColumn("{task.fields[rate]}")] if words else []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *rate, TimeRemainingColumn())
    tasks: dict[str, tuple[TaskID, float]] = {}  # of each stage, and when it began
    told = time.monotonic()
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:

        def shown(stage: str, done: int, total: int) -> None:
            nonlocal told
            now = time.monotonic()
            if stage not in tasks:
                for one in bar.tasks:  # those before are over
                    bar.update(one.id, total=one.completed)
                tasks[stage] = bar.add_task(stage, total=None, rate=""), now
            task, begun = tasks[stage]
            speed = int(done / max(0.1, now - begun))
            bar.update(task, completed=done, total=total or None, rate=f"{words.whole(speed)}/s" if words else "")
            if words and not console.is_terminal and now - told >= TOLD_SECONDS:
                told = now
                far = "/".join(words.whole(number) for number in (done, total) if number)
                note(words("import.rate", stage=stage, done=far, rate=words.whole(speed)))

        yield shown


# ── pieces ────────────────────────────────────────────────────────────────────────────────────────────────────────


def note(text: str) -> None:
    """A remark beside the answer, on standard error."""
    sys.stderr.write(clean(text, breaks=True) + "\n")


def short(id: str) -> str:
    """The end of an id, which tells ids of one moment apart and can be typed back."""
    return id[-8:]


def clean(text: str, *, breaks: bool = False) -> str:
    """Remembered text made harmless for a terminal: no escapes, no invisible controls, one line unless `breaks`."""
    kept = "".join(
        char for char in text if char in "\n\t\u200c\u200d" or unicodedata.category(char) not in ("Cc", "Cf")
    )
    return kept if breaks else " ".join(kept.split())


def joined(parts: Iterable[Cell], mark: str = " · ") -> Text:
    return Text(mark).join(Text(part) if isinstance(part, str) else part for part in parts if str(part))


def stacked(parts: Iterable[Cell]) -> Text:
    """Parts of a cell below each other."""
    return joined(parts, "\n")


def pairs(rows: Iterable[tuple[Cell, Cell]], style: str = DIM) -> Table:
    """Names, or marks, and what they stand for, one a line."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=style, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(name, value)
    return grid


def _lines(part: RenderableType) -> list[str]:
    """A part as lines for a pipe, without colours or padding."""
    if not isinstance(part, Table):
        return [str(part)]
    rows = zip(*(column.cells for column in part.columns), strict=True)
    return ["\t".join(" | ".join(str(cell).split("\n")) for cell in row) for row in rows]


class _Console(Console):
    """Rich's console, but for a reader who leaves early: `main` knows what to do then."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
