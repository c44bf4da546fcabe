"""Taking a memory elsewhere and back, and taking over what an older program knew."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO, Literal, cast

from relembra.domain.text import fold
from relembra.errors import InvalidInputError, StoreCorruptError, StoreError, StoreUnavailableError
from relembra.interfaces import shapes
from relembra.interfaces.cli import panels
from relembra.interfaces.cli.call import Answer, Call, CopyError
from relembra.interfaces.cli.failures import INTERRUPTED
from relembra.interfaces.cli.given import STDIN
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.terminal import Terminal, clean, note, working
from relembra.interfaces.cli.typed import input_file
from relembra.transfer.importing import Imported

MOST_NAMED = 10
SQLITE = b"SQLite format 3\x00"
ENDINGS = {".json": "json", ".jsonl": "jsonl", ".md": "markdown", ".zip": "notes"}

Format = Literal["json", "jsonl", "markdown", "notes"]
Told = Callable[[int, int], None]


async def export(call: Call) -> Answer:
    """Ctrl-C leaves no file behind."""
    named, everybody = call.given.maybe("file"), call.given.flag("everybody")
    format = cast(Format, call.given.maybe("format") or _format(named, everybody=everybody))
    if everybody and format != "jsonl":
        raise InvalidInputError("everybody's export is jsonl", field="format")
    user = None if everybody else call.user
    target = _target(call, named, format, user)
    shown = named or (str(target) if isinstance(target, Path) else "")
    words = call.words
    async with call.existing() as memory:
        try:
            with _bar(words("export.working")) as told:
                done = await memory.export(
                    target,
                    user=user,
                    format=format,
                    language=call.given.maybe("language"),
                    overwrite=call.given.flag("overwrite"),
                    progress=told,
                    tenant=call.settings.tenant,
                )
        except asyncio.CancelledError:
            return Answer({"stopped": True}, lambda _: note(words("export.stopped")), INTERRUPTED)
        except (StoreCorruptError, StoreUnavailableError):  # of the memory itself
            raise
        except StoreError as error:
            raise CopyError(Path(shown)) from error

    def people(terminal: Terminal) -> None:
        if done.changed:
            note(words("export.changed"))
        if shown == STDIN:
            return
        count, size = words.count("row", done.total), words.size(done.bytes)
        terminal.say("export.done", "green", path=shown, count=count, size=size)
        if everybody:
            terminal.say("export.people", count=words.count("person", done.people))

    data = {
        "path": shown,
        "format": format,
        "counts": dict(done.counts),
        "people": done.people,
        "bytes": done.bytes,
        "changed": done.changed,
    }
    return Answer(data, people)


async def take_in(call: Call) -> Answer:
    """An export of ours, or by what the file holds the facts of an older program."""
    named, dry_run = call.given.required("file"), call.given.flag("dry_run")
    if named != STDIN and _begins(call.given.path("file")) == SQLITE:
        return await facts(call)
    words = call.words
    try:
        async with call.reading() if dry_run else call.writing() as memory:
            source: AbstractContextManager[Path | BinaryIO] = (
                input_file() if named == STDIN else nullcontext(call.given.path("file"))
            )
            with source as file, _bar(words("take_in.working")) as told:
                came = await memory.import_export(
                    file,
                    user=call.line.last("user"),
                    dry_run=dry_run,
                    progress=told,
                    tenant=call.settings.tenant,
                )
            if not dry_run:
                async with working(words("take_in.settling")):
                    await memory.settle()
    except asyncio.CancelledError:  # each batch is stored as it comes
        return Answer({"stopped": True}, lambda terminal: terminal.say("take_in.stopped"), INTERRUPTED)
    shown = words("stdin") if named == STDIN else named
    return Answer(shapes.taken_in(came), lambda terminal: _came(terminal, came, shown))


def _came(terminal: Terminal, came: Imported, path: str) -> None:
    words = terminal.words
    key = "take_in.nothing" if not came.total else "take_in.would" if came.dry_run else "take_in.done"
    terminal.say(key, "green bold", count=words.count("row", came.total), path=path)
    rest = {"skipped": came.skipped, "conflicted": came.conflicted, "left_out": came.left_out}
    rows: panels.Rows = [
        (words.name("part", name), words.whole(number)) for name, number in came.added.items() if number
    ]
    rows += [(words(f"take_in.{name}"), words.whole(number)) for name, number in rest.items() if number]
    if rows:
        terminal.show(panels.pairs(rows))


async def facts(call: Call) -> Answer:
    """Everybody's, or with --user one person's; a trial makes no file."""
    path, dry_run = call.given.path("file"), call.given.flag("dry_run")
    user = call.line.last("user")
    async with call.reading() if dry_run else call.writing() as memory, working(call.words("import.working")):
        told = await memory.import_facts(path, user=user, dry_run=dry_run, tenant=call.settings.tenant)

    def people(terminal: Terminal) -> None:
        words = terminal.words
        if user is not None and not (told.total or told.known or told.repeated):
            named = ", ".join(clean(name) for name in told.people[:MOST_NAMED]) or "—"
            terminal.say("import.nobody", user=user, people=named + ("…" if len(told.people) > MOST_NAMED else ""))
            return
        key = "import.nothing" if not told.total else "import.would" if dry_run else "import.done"
        terminal.say(key, "green bold", count=words.count("fact", told.total), path=path)
        rest = {"known": told.known, "repeated": told.repeated, "left_out": told.left_out}
        rows: panels.Rows = [(clean(name), words.whole(number)) for name, number in told.added.items()]
        rows += [(words(f"import.{name}"), words.whole(number)) for name, number in rest.items() if number]
        if rows:
            terminal.show(panels.pairs(rows))

    return Answer(shapes.imported(told), people)


def _format(named: str | None, *, everybody: bool) -> str:
    if everybody:
        return "jsonl"
    return ENDINGS.get(Path(named).suffix.lower(), "json") if named is not None else "json"


def _target(call: Call, named: str | None, format: str, user: str | None) -> Path | BinaryIO:
    """Where it goes: the file named, standard output, or a file called after the person."""
    if named == STDIN:
        if format == "notes":
            raise UsageError("usage.zip_output", command="export")
        if call.given.flag("json"):
            raise UsageError("usage.one_output", command="export", option="--json")
        return sys.stdout.buffer
    if named is not None:
        return call.given.path("file")
    ending = next(ending for ending, name in ENDINGS.items() if name == format) if format in ENDINGS.values() else ""
    whose = "".join(char if char.isalnum() else "-" for char in fold(user or "everybody"))[:60]
    return Path(f"relembra-{whose}{ending}")


def _begins(path: Path) -> bytes:
    """The first bytes of a file; looked at before a memory is made for it."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE))
    except FileNotFoundError:
        raise InvalidInputError(f"there is no file {path}", field="file") from None
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}", field="file") from error


@contextmanager
def _bar(text: str) -> Iterator[Told]:
    """How far it is, on a terminal; beside the answer, and gone at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(text, total=None)
        yield lambda at, total: bar.update(task, completed=at, total=total)
