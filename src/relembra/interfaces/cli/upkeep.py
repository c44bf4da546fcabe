"""Upkeep: stats, reindex, export, import, backup and its restoring, salvage and verify."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from rich.text import Text

from relembra import errors
from relembra.domain.scope import Scope
from relembra.interchange import ExportFormat, is_ours
from relembra.interfaces.cli.call import PROBLEMS, Answer, BackupError, Call, CopyError, answered, saying
from relembra.interfaces.cli.commands import STDIN, UsageError
from relembra.interfaces.cli.commands import path as path_of
from relembra.interfaces.cli.terminal import Rows, Terminal, clean, note, pairs, progress_bar, working
from relembra.interfaces.failures import sentence_of
from relembra.interfaces.shapes import wire
from relembra.store.port import Verification
from relembra.transfer.imports import Imported

if TYPE_CHECKING:
    from relembra.interfaces.cli.commands import Words
    from relembra.memory import Memory
    from relembra.store.port import Stats, Use

MOST_PEOPLE = 10  # named of an export
LOOK_SECONDS = 1.0  # between two looks at how far work is
REASONS: dict[type[errors.RelembraError], str] = {
    errors.StoreUnavailableError: "in_use",
    errors.StoreCorruptError: "damaged",
    errors.StoreVersionError: "newer",
}
USED = ("task", "model", "calls", "input_tokens", "output_tokens")
ENDINGS = {".json": "json", ".jsonl": "jsonl", ".md": "markdown", ".zip": "notes", ".csv": "csv"}


async def stats(call: Call) -> Answer:
    """Of everybody, or with --user or --tenant of one person."""
    is_one = not call.typed.keys().isdisjoint(("user", "tenant"))
    whose: dict[str, Any] = dict(call.person) if is_one else {}
    async with call.reading() as memory:
        held = await memory.stats(**whose)
        uses = together(await memory.usage(**whose))
    title = call.words("stats.of", user=call.user) if is_one else call.words("stats.everybody")
    data = {**wire(held), "usage": [{part: getattr(use, part) for part in USED} for use in uses]}
    return Answer(held, partial(show_stats, uses=uses, title=title), json=data)


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
    states = {words.name("item_state", state): number for state, number in held.items.items()}
    figures = {
        "people": words.whole(held.people),
        "items": _listed(words, states),
        "types": _tally(words, "type", held.items_by_type),
        "areas": _tally(words, "area", held.items_by_area),
        "messages": words.whole(held.messages),
        "conversations": words.whole(held.conversations),
        "notes": words.whole(held.notes),
        "vectors": _tally(words, "model", held.vectors),
        "jobs": _tally(words, "job", held.jobs),
        "bytes": words.size(held.bytes),
    }
    rows: Rows = [(words(f"stats.{name}"), figure) for name, figure in figures.items()]
    for use in uses:
        tokens = {"input": words.whole(use.input_tokens), "output": words.whole(use.output_tokens)}
        text = words("stats.usage.text", model=clean(use.model), calls=words.count("call", use.calls), **tokens)
        rows.append((words("stats.usage", task=words.name("task", use.task)), text))
    terminal.show(Text(title, "bold"), pairs(rows))
    if held.jobs.get("waiting"):
        terminal.hint("stats.waiting.how")
    if held.jobs.get("dead"):
        terminal.hint("jobs.dead.how", "yellow")


def _tally(words: Words, kind: str, numbers: Mapping[str, int]) -> str:
    named = {words.name(kind, name) or words("stats.no_area"): number for name, number in numbers.items()}
    return _listed(words, named)


def _listed(words: Words, numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {words.whole(number)}" for name, number in numbers.items() if number) or "0"


async def reindex(call: Call) -> Answer:
    """Shows how far it is; each batch is stored as it comes."""
    words = call.words
    async with call.existing() as memory:
        with progress_bar() as shown:
            done = await memory.reindex(partial(shown, words("reindex.working")))
    key = "done.reindex" if done else "done.reindex.nothing"
    return saying({"embedded": done}, key, "green", count=words.count("row", done))


async def verify(call: Call) -> Answer:
    async with call.existing() as memory:
        found = await memory.verify()
    return Answer(found, _verified, PROBLEMS if found.problems else 0)


def _verified(terminal: Terminal, found: Verification) -> None:
    words = terminal.words
    if not found.problems:
        rows = found.checked.get("rows", sum(found.checked.values()))
        terminal.say("verify.well", "green", count=words.count("row", rows))
        return
    terminal.say("verify.problems", "red bold", count=words.count("problem", len(found.problems)))
    terminal.show(*(terminal.cell(f"  {problem}") for problem in found.problems))
    terminal.say("verify.advice")


# ── backups ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def backup(call: Call, *, target: Path) -> Answer:
    async with call.existing() as memory:
        with _writing_to(target):
            size = await memory.backup(target)
    data = {"path": str(target), "bytes": size}
    return saying(data, "done.backup", "green", path=target, size=call.words.size(size))


@contextmanager
def _writing_to(target: Path) -> Iterator[None]:
    """Trouble with the file written to is reported as such, and not as the memory's own."""
    try:
        yield
    except (errors.StoreCorruptError, errors.StoreUnavailableError):
        raise
    except errors.StoreError as error:
        raise CopyError(target) from error


async def restore(call: Call, *, file: Path) -> Answer:
    """Put a backup in the memory's place; the memory itself is not opened, for it may be damaged."""
    from relembra.bootstrap import restore_backup

    with working(call.words("restore.working")), _read_from(file):
        done = await restore_backup(file, settings=call.settings)

    def show(terminal: Terminal, _: Any) -> None:
        terminal.say("restore.done", "green", path=done.path, size=terminal.words.size(done.bytes))
        if done.aside is not None:
            terminal.say("restore.aside", aside=done.aside)
        if done.unchecked_keys:
            terminal.say("restore.keys")

    aside = None if done.aside is None else str(done.aside)
    data = {"path": str(done.path), "aside": aside, "bytes": done.bytes, "unchecked_keys": done.unchecked_keys}
    return Answer(data, show)


async def salvage(call: Call, *, file: Path, to: Path) -> Answer:
    from relembra.bootstrap import salvage as salvaged

    with working(call.words("salvage.working")), _read_from(file, "salvage."):
        done = await salvaged(file, to)

    def show(terminal: Terminal, _: Any) -> None:
        words = terminal.words
        terminal.say("salvage.done", "green", path=to, count=words.count("row", sum(done.read.values())))
        if lost := sum(done.lost.values()):
            terminal.say("salvage.lost", "yellow", count=words.count("row", lost))
        for table in sorted({*done.read, *done.lost}):
            numbers = {"read": words.whole(done.read.get(table, 0)), "lost": words.whole(done.lost.get(table, 0))}
            terminal.say("salvage.table", table=table, **numbers)
        terminal.say("salvage.next", path=to)

    return Answer({"path": str(done.path), "read": dict(done.read), "lost": dict(done.lost)}, show)


async def migrate(call: Call, *, source: str, target: str) -> Answer:
    """Stopped, the same command goes on from there."""
    from relembra.bootstrap import migrate as moved
    from relembra.settings import shown_db

    words, is_shown, number = call.words, sys.stderr.isatty(), count(1)
    one = {name: getattr(call, name) for name in ("user", "tenant") if name in call.typed}
    if "user" in one:
        one["tenant"] = call.tenant

    def came(tenant: str, owner: str | None, rows: int) -> None:
        if not is_shown:
            name = tenant if owner is None else (scope := Scope(tenant, owner)).space or scope.user
            note(words("migrate.person", number=words.whole(next(number)), name=name, count=words.count("row", rows)))

    with progress_bar() as bar:
        bar_of = partial(bar, words("migrate.working"))
        done = await moved(source, target, settings=call.settings, progress=bar_of, moved=came, **one)

    def show(terminal: Terminal, _: Any) -> None:
        if done.problems:
            terminal.say("migrate.problem", "red bold", name=done.of, row=done.problems[0])
            return
        count = words.count("row", sum(done.rows.values()))
        terminal.say(
            "migrate.done", "green", count=count, people=words.count("person", done.people), path=shown_db(target)
        )
        terminal.show(pairs((table, words.whole(rows)) for table, rows in done.rows.items()))

    return Answer(done, show, PROBLEMS if done.problems else 0)


@contextmanager
def _read_from(file: Path, lead: str = "") -> Iterator[None]:
    """What can be wrong with a memory's file; `lead`: where the sentences about it begin otherwise."""
    try:
        yield
    except (errors.StoreUnavailableError, errors.StoreCorruptError, errors.StoreVersionError) as error:
        raise BackupError(error, lead + REASONS[type(error)], file) from error


# ── export and import ─────────────────────────────────────────────────────────────────────────────────────────────


async def export(call: Call, *, file: str, format: str | None = None, everybody: bool = False, **wanted: Any) -> Answer:
    """Ctrl-C leaves no file behind."""
    by_name = "jsonl" if everybody else ENDINGS.get(Path(file).suffix.lower(), "json")
    chosen = cast(ExportFormat, format or by_name)
    if everybody and chosen != "jsonl":
        raise errors.InvalidInputError("everybody's export is jsonl", field="format")
    if file == STDIN and chosen in ("notes", "vault"):
        raise UsageError("usage.zip_output", command="export")
    if file == STDIN and call.json:
        raise UsageError("usage.one_output", command="export", option="--json")
    target: Path | BinaryIO = sys.stdout.buffer if file == STDIN else path_of(file)
    wanted |= {"user": None if everybody else call.user, "tenant": call.tenant, "format": chosen}
    async with call.existing() as memory:
        with _writing_to(Path(file)), progress_bar() as bar:
            done = await memory.export(target, progress=partial(bar, call.words("export.working")), **wanted)

    def show(terminal: Terminal, _: Any) -> None:
        words = terminal.words
        if done.changed:
            note(words("export.changed"))
        if file == STDIN:
            return
        terminal.say(
            "export.done", "green", path=file, count=words.count("row", done.total), size=words.size(done.bytes)
        )
        if everybody:
            terminal.say("export.people", count=words.count("person", done.people))

    figures = {name: getattr(done, name) for name in ("counts", "people", "bytes", "changed")}
    return Answer({"path": file, "format": chosen, **figures}, show)


async def import_file(call: Call, *, file: str, me: Sequence[str] = (), dry_run: bool = False, **how: Any) -> Answer:
    """An export of any program. Each batch is stored as it comes; stopped, the same command goes on from there."""
    source: Path | BinaryIO = path_of(file)
    name = file
    if file == STDIN:
        name = call.words("stdin")
        source = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115 - gone when the program ends
        shutil.copyfileobj(sys.stdin.buffer, source)
        source.seek(0)
    elif not path_of(file).exists():  # looked for before a memory is made for it
        raise errors.InvalidInputError(f"there is no file {file}", field="file")
    user = call.typed.get("user") if is_ours(source) else call.user
    asked: dict[str, Any] = {"user": user, "dry_run": dry_run, "tenant": call.tenant, **how}
    async with call.reading() if dry_run else call.writing() as memory:
        try:
            came = await _taken(call, memory, source, me=me, **asked)
        except errors.UnknownSpeakerError as error:
            if call.json or file == STDIN or not sys.stdin.isatty():
                raise
            came = await _taken(call, memory, source, me=[_who_of(call, error.names)], **asked)
        if came.formats and not dry_run:
            await _learnt(call, memory)
    return Answer(came, partial(_came, path=name, user=call.user))


async def _taken(call: Call, memory: Memory, source: Path | BinaryIO, **asked: Any) -> Imported:
    with progress_bar(call.words) as bar:
        return await memory.import_(
            source,
            progress=lambda done, total: bar(call.words("import.working" if total else "import.reading"), done, total),
            **asked,
        )


def _who_of(call: Call, names: Sequence[str]) -> str:
    """Which of those who speak the person at the terminal is; a number stands for a name."""
    note(call.words("import.who"))
    for number, name in enumerate(names, 1):
        note(f"  {number}  {name}")
    while True:
        typed = answered(call.words("import.who.number")).strip()
        if typed.isdecimal() and 0 < int(typed) <= len(names):
            return names[int(typed) - 1]
        if typed and not typed.isdecimal():
            return typed
        note(call.words("import.who.again", most=len(names)))


async def _learnt(call: Call, memory: Memory) -> None:
    """Do the work an import leaves, with how far it is."""
    work = asyncio.create_task(memory.settle())
    stage, most, done = call.words("import.learning"), 0, 0
    with progress_bar(call.words) as bar:
        try:
            while not (await asyncio.wait([work], timeout=LOOK_SECONDS))[0]:
                jobs = (await memory.stats()).jobs
                waiting = jobs.get("waiting", 0) + jobs.get("running", 0)
                most, done = max(most, waiting), max(done, most - waiting)  # work may leave more work
                bar(stage, done, most)
        finally:
            await cancelled(work)


async def cancelled(work: asyncio.Task[Any]) -> None:
    """Wait for work that is done, or stop it where we are stopped ourselves."""
    if not work.done():
        work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    if not work.cancelled():
        work.result()


def _came(terminal: Terminal, came: Imported, path: str, user: str) -> None:
    """How much came of what, and what did not."""
    words = terminal.words
    how = "nothing" if not came.total else "would" if came.dry_run else "done"
    terminal.say(f"import.{how}", "green bold", count=words.count("row", came.total), path=path)
    rest = {name: getattr(came, name) for name in ("skipped", "conflicted", "left_out")}
    counts = {words.name("part", name): number for name, number in came.added.items()}
    counts |= {words(f"take_in.{name}"): number for name, number in rest.items() if number}
    rows: Rows = [(name, words.whole(number)) for name, number in counts.items() if number]
    if came.people and came.people != (user,):
        rows.insert(0, (words("import.whose"), clean(", ".join(came.people[:MOST_PEOPLE]))))
    rows = [*_recognised(words, came), *rows]
    if rows:
        terminal.show(pairs(rows))
    for one in came.refused:
        why = sentence_of(one.error, words, user="")
        terminal.say("import.refused", "yellow", count=f"{clean(one.file)} · {why}")


def _recognised(words: Words, came: Imported) -> Rows:
    """What other programs' files held, and what was left out of them, by reason."""
    days = " – ".join(at.date().isoformat() for at in (came.first, came.last) if at is not None)
    found = ", ".join(words.name("format", name) for name in came.formats)
    rows: Rows = [(words("import.formats"), found)] if found else []
    rows += [(words("import.talks"), words.whole(came.talks))] if came.talks else []
    rows += [(words("import.period"), days)] if days else []
    for name, many in came.by.items():
        key = "import.by.me" if name in came.me else "import.by"
        rows.append((words(key, name=clean(name)), words.whole(many)))
    rows += [(words("import.why", why=words.name("left", why)), words.whole(many)) for why, many in came.why.items()]
    return [*rows, *([(words("import.left_alone"), words.whole(came.left_alone))] if came.left_alone else [])]
