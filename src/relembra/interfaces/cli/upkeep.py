"""Upkeep: stats, reindex, retry, backup and its restoring, salvage, verify, the demo and the version."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from relembra.errors import StoreCorruptError, StoreError, StoreUnavailableError, StoreVersionError
from relembra.interfaces.cli.call import Answer, BackupError, Call, CopyError

if TYPE_CHECKING:
    from pathlib import Path

    from relembra.store.port import Use

_REASONS: dict[type[StoreError], str] = {
    StoreUnavailableError: "in_use",
    StoreCorruptError: "damaged",
    StoreVersionError: "newer",
}


async def stats(call: Call) -> Answer:
    from relembra.interfaces import shapes
    from relembra.interfaces.cli import panels

    everybody = call.given.flag("all") or not call.names_somebody
    async with call.reading() as memory:
        held = await (memory.stats() if everybody else memory.stats(**call.whose))
        uses = together(await (memory.usage() if everybody else memory.usage(**call.whose)))
    title = call.words("stats.everybody") if everybody else call.words("stats.of", user=call.user)
    return Answer(shapes.stats(held, uses), lambda terminal: panels.counts(terminal, held, uses, title))


def together(uses: Iterable[Use]) -> list[Use]:
    """The days of each task and model as one."""
    found: dict[tuple[str, str], Use] = {}
    for use in uses:
        held = found.get((use.task, use.model))
        if held is not None:
            use = replace(
                use,
                calls=use.calls + held.calls,
                input_tokens=use.input_tokens + held.input_tokens,
                output_tokens=use.output_tokens + held.output_tokens,
            )
        found[use.task, use.model] = use
    return [found[key] for key in sorted(found)]


async def retry(call: Call) -> Answer:
    """Work that was given up is tried again at once."""
    from relembra.interfaces.cli.terminal import Terminal, working

    async with call.existing() as memory:
        revived = await memory.retry()
        async with working(call.words("retry.working")):
            await memory.settle()
        jobs = (await memory.stats()).jobs
        left = len(await memory.failed_jobs()) if revived else 0

    def people(terminal: Terminal) -> None:
        words = terminal.words
        if not revived:
            terminal.say("retry.nothing")
            return
        terminal.say("retry.done", "green", count=words.count("job", revived))
        if left:
            terminal.say("retry.left", "yellow", count=words.count("job", left))

    return Answer({"retried": revived, "jobs": dict(jobs)}, people)


async def reindex(call: Call) -> Answer:
    """Shows how far it is; stopped, it says that nothing is lost."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from relembra.interfaces.cli.failures import INTERRUPTED

    words = call.words
    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        async with call.existing() as memory:
            with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
                task = bar.add_task(words("reindex.working"), total=None)
                done = await memory.reindex(lambda at, total: bar.update(task, completed=at, total=total))
    except asyncio.CancelledError:  # Ctrl-C; each batch is stored as it comes
        return Answer({"stopped": True}, lambda terminal: terminal.say("reindex.stopped"), INTERRUPTED)
    count = words.count("row", done)
    key = "done.reindex" if done else "done.reindex.nothing"
    return Answer({"embedded": done}, lambda terminal: terminal.say(key, "green", count=count))


async def backup(call: Call) -> Answer:
    target = call.given.path("target")
    async with call.existing() as memory:
        try:
            size = await memory.backup(target)
        except (StoreCorruptError, StoreUnavailableError):  # of the memory itself
            raise
        except StoreError as error:
            raise CopyError(target) from error
    text = call.words.size(size)
    data = {"path": str(target), "bytes": size}
    return Answer(data, lambda terminal: terminal.say("done.backup", "green", path=target, size=text))


async def restore_backup(call: Call) -> Answer:
    return await put_back(call, call.given.path("file"))


async def put_back(call: Call, source: Path) -> Answer:
    """Put a backup in the memory's place; the memory itself is not opened, for it may be damaged."""
    from relembra.bootstrap import restore_backup as restored
    from relembra.interfaces.cli.terminal import Terminal, working

    words = call.words
    try:
        async with working(words("restore.working")):
            done = await restored(source, settings=call.settings)
    except (StoreUnavailableError, StoreCorruptError, StoreVersionError) as error:
        raise BackupError(error, _REASONS[type(error)], source) from error

    def people(terminal: Terminal) -> None:
        terminal.say("restore.done", "green", file=source, path=done.path, size=words.size(done.bytes))
        if done.aside is not None:
            terminal.say("restore.aside", path=done.aside)
        if done.unchecked_keys:
            terminal.say("restore.keys")

    data = {"path": str(done.path), "aside": None if done.aside is None else str(done.aside), "bytes": done.bytes}
    return Answer(data | {"unchecked_keys": done.unchecked_keys}, people)


async def salvage(call: Call) -> Answer:
    from relembra.bootstrap import salvage as salvaged
    from relembra.interfaces.cli.terminal import Terminal, working

    source, target, words = call.given.path("file"), call.given.path("to"), call.words
    try:
        async with working(words("salvage.working")):
            done = await salvaged(source, target)
    except (StoreCorruptError, StoreVersionError) as error:
        raise BackupError(error, f"salvage.{_REASONS[type(error)]}", source) from error

    def people(terminal: Terminal) -> None:
        read, lost = sum(done.read.values()), sum(done.lost.values())
        terminal.say("salvage.done", "green", path=target, count=words.count("row", read))
        if lost:
            terminal.say("salvage.lost", "yellow", count=words.count("row", lost))
        for table in sorted({*done.read, *done.lost}):
            numbers = {"read": words.whole(done.read.get(table, 0)), "lost": words.whole(done.lost.get(table, 0))}
            terminal.say("salvage.table", table=table, **numbers)
        terminal.say("salvage.next", path=target)

    return Answer({"path": str(done.path), "read": dict(done.read), "lost": dict(done.lost)}, people)


async def verify(call: Call) -> Answer:
    from relembra.interfaces import shapes
    from relembra.interfaces.cli.failures import PROBLEMS
    from relembra.interfaces.cli.terminal import Terminal

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

    return Answer(shapes.verification(found), people, PROBLEMS if found.problems else 0)


def demo(call: Call) -> Answer:
    """Plays in the foreground, so what is left to show is its exit code."""
    from rich.console import Console

    from relembra.interfaces.cli.demo import run

    aside = Console(stderr=True) if call.given.flag("json") else None  # standard output is for the JSON
    code = run(call.words.language, fast=call.given.flag("fast"), console=aside)
    return Answer({"exit_code": code}, lambda _: None, code)


def version(call: Call) -> Answer:
    del call
    return Answer({"version": _version()}, lambda terminal: terminal.show(version_text(as_json=False).rstrip()))


def version_text(*, as_json: bool) -> str:
    return f'{{"version": "{_version()}"}}\n' if as_json else f"relembra {_version()}\n"


def _version() -> str:
    from relembra import __version__

    return __version__
