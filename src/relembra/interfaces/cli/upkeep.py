"""Upkeep: stats, reindex, export, import, backup and its restoring, salvage, verify and the version."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, cast

from rich.text import Text

from relembra.domain.text import fold
from relembra.errors import (
    InvalidInputError,
    RelembraError,
    StoreCorruptError,
    StoreError,
    StoreUnavailableError,
    StoreVersionError,
)
from relembra.interfaces.cli.call import (
    INTERRUPTED,
    PROBLEMS,
    STDIN,
    Answer,
    BackupError,
    Call,
    CopyError,
    input_file,
    saying,
    stopped,
)
from relembra.interfaces.cli.commands import path as path_of
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import Rows, Terminal, clean, note, pairs, progress_bar, working
from relembra.interfaces.shapes import wire
from relembra.transfer.imports import Imported

if TYPE_CHECKING:
    from relembra.interfaces.cli.words import Words
    from relembra.store.port import Stats, Use

REASONS: dict[type[RelembraError], str] = {
    StoreUnavailableError: "in_use",
    StoreCorruptError: "damaged",
    StoreVersionError: "newer",
}
USED = ("task", "model", "calls", "input_tokens", "output_tokens")
ENDINGS = {".json": "json", ".jsonl": "jsonl", ".md": "markdown", ".zip": "notes"}

Format = Literal["json", "jsonl", "markdown", "notes"]


async def stats(call: Call, *, everything: bool = False) -> Answer:
    whose: dict[str, Any] = {} if everything or not call.names_a_person else dict(call.person)
    async with call.reading() as memory:
        held = await memory.stats(**whose)
        uses = together(await memory.usage(**whose))
    title = call.words("stats.of", user=call.user) if whose else call.words("stats.everybody")
    data = {**wire(held), "usage": [{part: getattr(use, part) for part in USED} for use in uses]}
    return Answer(data, lambda terminal: show_stats(terminal, held, uses, title))


def together(uses: Iterable[Use]) -> list[Use]:
    """The days of each task and model as one."""
    found: dict[tuple[str, str], Use] = {}
    for use in uses:
        held = found.get((use.task, use.model))
        numbers = {} if held is None else {name: getattr(use, name) + getattr(held, name) for name in USED[2:]}
        found[use.task, use.model] = replace(use, **numbers)
    return [found[key] for key in sorted(found)]


def show_stats(terminal: Terminal, held: Stats, uses: Sequence[Use], title: str) -> None:
    """How much is kept, and what language models were asked."""
    words = terminal.words
    rows: Rows = [
        (words("stats.people"), words.whole(held.people)),
        (words("stats.items"), _tally(words, "state", held.items)),
        (words("stats.types"), _tally(words, "type", held.items_by_type)),
        (words("stats.areas"), _tally(words, "area", held.items_by_area)),
        (words("stats.messages"), words.whole(held.messages)),
        (words("stats.conversations"), words.whole(held.conversations)),
        (words("stats.notes"), words.whole(held.notes)),
        (words("stats.vectors"), _tally(words, "model", held.vectors)),
        (words("stats.jobs"), _tally(words, "job", held.jobs)),
        (words("stats.bytes"), words.size(held.bytes)),
    ]
    for use in uses:
        tokens = {"input": words.whole(use.input_tokens), "output": words.whole(use.output_tokens)}
        text = words("stats.usage.text", model=clean(use.model), calls=words.count("call", use.calls), **tokens)
        rows.append((words("stats.usage", task=words.name("task", use.task)), text))
    terminal.show(Text(title, "bold"), pairs(rows))
    if held.jobs.get("waiting"):
        terminal.hint("stats.waiting.how")
    if held.jobs.get("dead"):
        terminal.hint("stats.dead.how", "yellow")


def _tally(words: Words, kind: str, numbers: Mapping[str, int]) -> str:
    named = {words.name(kind, name) or words("stats.no_area"): number for name, number in numbers.items() if number}
    return ", ".join(f"{name} {words.whole(number)}" for name, number in named.items()) or "0"


async def reindex(call: Call) -> Answer:
    """Shows how far it is; stopped, it says that nothing is lost."""
    words = call.words
    try:
        async with call.existing() as memory:
            with progress_bar() as shown:
                done = await memory.reindex(partial(shown, words("reindex.working")))
    except asyncio.CancelledError:  # Ctrl-C; each batch is stored as it comes
        return stopped("reindex.stopped")
    key = "done.reindex" if done else "done.reindex.nothing"
    return saying({"embedded": done}, key, "green", count=words.count("row", done))


async def verify(call: Call) -> Answer:
    async with call.existing() as memory:
        found = await memory.verify()

    def people(terminal: Terminal) -> None:
        words = terminal.words
        if not found.problems:
            rows = found.checked.get("rows", sum(found.checked.values()))
            terminal.say("verify.well", "green", count=words.count("row", rows))
            return
        terminal.say("verify.problems", "red bold", count=words.count("problem", len(found.problems)))
        for problem in found.problems:
            terminal.show(terminal.cell(f"  {problem}"))
        terminal.say("verify.advice")

    return Answer(found, people, PROBLEMS if found.problems else 0)


def version(_: Call) -> Answer:
    from relembra import __version__

    return Answer({"version": __version__}, lambda terminal: terminal.show(f"relembra {__version__}"))


# ── backups ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def backup(call: Call, *, target: Path) -> Answer:
    async with call.existing() as memory:
        try:
            size = await memory.backup(target)
        except (StoreCorruptError, StoreUnavailableError):  # of the memory itself
            raise
        except StoreError as error:
            raise CopyError(target) from error
    data = {"path": str(target), "bytes": size}
    return saying(data, "done.backup", "green", path=target, size=call.words.size(size))


async def put_back(call: Call, *, file: Path) -> Answer:
    """Put a backup in the memory's place; the memory itself is not opened, for it may be damaged."""
    from relembra.bootstrap import restore_backup

    words = call.words
    try:
        async with working(words("restore.working")):
            done = await restore_backup(file, settings=call.settings)
    except (StoreUnavailableError, StoreCorruptError, StoreVersionError) as error:
        raise BackupError(error, REASONS[type(error)], file) from error

    parts = {"file": file, "path": done.path, "size": words.size(done.bytes), "aside": done.aside}
    aside = ("restore.aside", "") if done.aside is not None else None
    keys = ("restore.keys", "") if done.unchecked_keys else None
    data = {"path": str(done.path), "aside": None if done.aside is None else str(done.aside), "bytes": done.bytes}
    data |= {"unchecked_keys": done.unchecked_keys}
    return saying(data, "restore.done", "green", aside, keys, **parts)  # type: ignore[arg-type]


async def salvage(call: Call, *, file: Path, to: Path | None = None) -> Answer:
    from relembra.bootstrap import salvage as salvaged

    words = call.words
    if to is None:
        raise UsageError("usage.missing", command=call.command, argument="to")
    try:
        async with working(words("salvage.working")):
            done = await salvaged(file, to)
    except (StoreCorruptError, StoreVersionError) as error:
        raise BackupError(error, f"salvage.{REASONS[type(error)]}", file) from error

    def people(terminal: Terminal) -> None:
        read, lost = sum(done.read.values()), sum(done.lost.values())
        terminal.say("salvage.done", "green", path=to, count=words.count("row", read))
        if lost:
            terminal.say("salvage.lost", "yellow", count=words.count("row", lost))
        for table in sorted({*done.read, *done.lost}):
            numbers = {"read": words.whole(done.read.get(table, 0)), "lost": words.whole(done.lost.get(table, 0))}
            terminal.say("salvage.table", table=table, **numbers)
        terminal.say("salvage.next", path=to)

    return Answer({"path": str(done.path), "read": dict(done.read), "lost": dict(done.lost)}, people)


# ── export and import ─────────────────────────────────────────────────────────────────────────────────────────────


async def export(
    call: Call, *, file: str | None = None, format: str | None = None, everybody: bool = False, **wanted: Any
) -> Answer:
    """Ctrl-C leaves no file behind."""
    chosen = cast(Format, format or _format(file, everybody=everybody))
    if everybody and chosen != "jsonl":
        raise InvalidInputError("everybody's export is jsonl", field="format")
    user = None if everybody else call.user
    target = _target(call, file, chosen, user)
    shown = file or (str(target) if isinstance(target, Path) else "")
    words = call.words
    async with call.existing() as memory:
        try:
            with progress_bar() as bar:
                progress = partial(bar, words("export.working"))
                done = await memory.export(
                    target, user=user, format=chosen, progress=progress, tenant=call.tenant, **wanted
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

    figures = {name: getattr(done, name) for name in ("counts", "people", "bytes", "changed")}
    return Answer({"path": shown, "format": chosen, **figures}, people)


def _format(named: str | None, *, everybody: bool) -> str:
    if everybody:
        return "jsonl"
    return ENDINGS.get(Path(named).suffix.lower(), "json") if named is not None else "json"


def _target(call: Call, named: str | None, format: str, user: str | None) -> Path | BinaryIO:
    """Where it goes: the file named, standard output, or a file called after the person."""
    if named == STDIN:
        if format == "notes":
            raise UsageError("usage.zip_output", command="export")
        if call.json:
            raise UsageError("usage.one_output", command="export", option="--json")
        return sys.stdout.buffer
    if named is not None:
        return Path(named).expanduser()
    ending = next(ending for ending, name in ENDINGS.items() if name == format) if format in ENDINGS.values() else ""
    stem = "".join(char if char.isalnum() else "-" for char in fold(user or "everybody"))[:60]
    return Path(f"relembra-{stem}{ending}")


async def take_in(call: Call, *, file: str, dry_run: bool = False) -> Answer:
    """An export of ours."""
    path, words = path_of(file), call.words
    if file != STDIN and (not path.exists() or path.is_dir()):  # looked for before a memory is made for it
        raise InvalidInputError(f"there is no file {path}", field="file")
    source: AbstractContextManager[Path | BinaryIO] = input_file() if file == STDIN else nullcontext(path)
    try:
        async with call.reading() if dry_run else call.writing() as memory:
            with source as read, progress_bar() as bar:
                came = await memory.import_export(
                    read,
                    user=call.typed.get("user"),
                    dry_run=dry_run,
                    progress=partial(bar, words("take_in.working")),
                    tenant=call.tenant,
                )
            if not dry_run:
                async with working(words("take_in.settling")):
                    await memory.settle()
    except asyncio.CancelledError:  # each batch is stored as it comes
        return stopped("take_in.stopped")
    shown = words("stdin") if file == STDIN else file
    return Answer(came, lambda terminal: _came(terminal, came, shown))


def _came(terminal: Terminal, came: Imported, path: str) -> None:
    """How much came of what, and what did not."""
    words = terminal.words
    how = "nothing" if not came.total else "would" if came.dry_run else "done"
    terminal.say(f"take_in.{how}", "green bold", count=words.count("row", came.total), path=path)
    counts = {words.name("part", name): number for name, number in came.added.items()}
    counts |= {words(f"take_in.{name}"): getattr(came, name) for name in ("skipped", "conflicted", "left_out")}
    if any(counts.values()):
        terminal.show(pairs([(name, words.whole(number)) for name, number in counts.items() if number]))
