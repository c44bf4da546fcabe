"""Automatic notes: the report of a week or a month, and what to tell a professional; shown, and as Markdown files."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from relembra.domain.message import Note
from relembra.errors import InvalidInputError, StoreError, StoreReadOnlyError
from relembra.interfaces import shapes
from relembra.interfaces.cli.call import Answer, Call, CopyError
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.tables import DIM
from relembra.interfaces.cli.terminal import Terminal, clean, short
from relembra.memory import Memory
from relembra.settings import private_folder
from relembra.transfer.files import written

PERIODS = ("weekly", "monthly")


async def report(call: Call) -> Answer:
    """Written now, in place of any before; nothing is written where nothing happened."""
    given, words = call.given, call.words
    kind = words.token("period", given.required("period"))
    if kind not in PERIODS:
        raise InvalidInputError(f"a report is weekly or monthly, not {kind}", field="period")
    async with call.existing() as memory:
        note = await memory.report(kind, day=_day(call), language=_language(call), **call.whose)
        if note is None:
            parts = {"period": words.name("period", kind), "user": call.user, "word": given.required("period")}
            if _day(call) is not None:
                return Answer(None, lambda terminal: terminal.say("report.nothing", **parts))
            today = datetime.now().astimezone().date()
            return Answer(None, lambda terminal: terminal.say("report.nothing.last", day=today, **parts))
        is_kept = await _is_kept(call, memory)
        saved = await _saved(call, memory, note)
    return Answer(shapes.flat(note) | {"files": saved}, lambda terminal: _shown(terminal, note, saved, is_kept))


async def appointment(call: Call) -> Answer:
    """For the next appointment known, or with whom and when is said."""
    given = call.given
    async with call.existing() as memory:
        note = await memory.appointment(
            given.maybe("with"), at=given.moment("at"), language=_language(call), **call.whose
        )
        is_kept = await _is_kept(call, memory)
        saved = await _saved(call, memory, note)
    return Answer(shapes.flat(note) | {"files": saved}, lambda terminal: _shown(terminal, note, saved, is_kept))


async def _is_kept(call: Call, memory: Memory) -> bool:
    """Whether what was written is in the memory by now, or was only told; files are made of what is in it."""
    try:
        await memory.settle()
    except StoreReadOnlyError:
        if call.given.maybe("save") is not None:
            raise
        return False
    return True


def _language(call: Call) -> str | None:
    """The language asked for; without one, the person's own."""
    return call.line.last("lang")


def _day(call: Call) -> date | None:
    word = call.given.maybe("day")
    try:
        return None if word is None else date.fromisoformat(word)
    except ValueError:
        raise UsageError("usage.date", command="report", option="--day", word=word or "''") from None


async def _saved(call: Call, memory: Memory, note: Note) -> list[str]:
    """The files it was written to, where a folder was named; ones of the same report are replaced."""
    if call.given.maybe("save") is None:
        return []
    folder = call.given.path("save")
    files = await memory.note_files(note.id, language=_language(call), **call.whose)
    try:
        private_folder(folder)
        return [str(_written(folder / name, content)) for name, content in files.items()]
    except (OSError, StoreError) as error:
        raise CopyError(folder) from error


def _written(path: Path, content: bytes) -> Path:
    with written(path, overwrite=True) as file:
        file.write(content)
    return path


def _shown(terminal: Terminal, note: Note, saved: list[str], is_kept: bool) -> None:
    if terminal.watched:
        title = Text(clean(note.title), "bold")
        terminal.show(Panel(markdown(note.summary), title=title, title_align="left", border_style=DIM, padding=(1, 2)))
        if is_kept:
            terminal.say("report.kept", DIM, id=short(note.id))
    else:
        terminal.show(Text(f"# {clean(note.title)}\n\n{clean(note.summary, breaks=True)}"))
    for path in saved:
        terminal.say("report.saved", "green", path=path)


def markdown(text: str, *, most: int | None = None, close: bool = False) -> RenderableType:
    """Our own Markdown on a terminal: headings, lists and words; anything else as it is.

    `most`: no more lines than so many; `close`: without empty ones.
    """
    lines = [line.strip() for line in clean(text, breaks=True).strip().splitlines()]
    kept = [line for line in lines if line] if close else lines
    parts: list[RenderableType] = [_line(line) for line in kept[:most]]
    if most is not None and len(kept) > most:
        parts.append(Text("…", DIM))
    return Group(*parts)


def _line(line: str) -> RenderableType:
    if line.startswith("#"):
        return Text(_unescaped(line.lstrip("# ")), "bold cyan")
    if not line.startswith(("- ", "* ")):
        return _plain(line)
    row = Table.grid(padding=(0, 1))
    row.add_column(no_wrap=True)
    row.add_column(overflow="fold")
    row.add_row(Text("•", DIM), _plain(line[2:]))
    return row


def _plain(text: str) -> Text:
    """A line with its strong words strong, and without the marks that keep Markdown from reading others."""
    shown = Text()
    if len(text) > 2 and text[0] == text[-1] == "*" != text[1]:
        return Text(_unescaped(text[1:-1]), "italic dim")
    for place, part in enumerate(text.split("**")):
        shown.append(_unescaped(part), "bold" if place % 2 else "")
    return shown


def _unescaped(text: str) -> str:
    kept, escaped = [], False
    for char in text:
        if char == "\\" and not escaped:
            escaped = True
            continue
        kept.append(char)
        escaped = False
    return "".join(kept)
