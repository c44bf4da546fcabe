"""`analyze`: a memory, or an export of one, in figures; and an export's rows as tables for DuckDB."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from rich.table import Table
from rich.text import Text

from relembra.domain.scope import Whose
from relembra.domain.time import system_clock
from relembra.errors import ConflictError, InvalidInputError, MissingExtraError
from relembra.interfaces.cli.call import IN_MEMORY, Answer, Call
from relembra.interfaces.cli.commands import UsageError
from relembra.interfaces.cli.terminal import Cell, Terminal, clean
from relembra.interfaces.figures import Figures, figures_of
from relembra.interfaces.shapes import wire
from relembra.memory import Memory
from relembra.views.timeline import day

ROWS = 10_000
"""Of an answer to --sql, at most."""
LARGEST_ROW = 64 * 1_048_576


async def analyze(
    call: Call, *, file: Path | None = None, html: Path | None = None, sql: str | None = None, overwrite: bool = False
) -> Answer:
    _checked(file, html, overwrite)
    if sql is not None:
        if html is not None:
            raise UsageError("usage.analyze.both", command="analyze")
        return await _asked(call, file, sql)
    async with _of(call, file) as (memory, whose):
        now = system_clock().astimezone()
        found = await figures_of(memory, whose, now.date())
    if html is not None:
        await asyncio.to_thread(_write, call, html, found, whose["user"], now)
        path = str(html)
        return Answer({"path": path}, lambda terminal, _: terminal.say("analyze.written", "green", path=path))
    return Answer(found, partial(_show, user=whose["user"]), json=wire(found))


def _checked(file: Path | None, html: Path | None, overwrite: bool) -> None:
    if file is not None and not file.is_file():
        raise InvalidInputError(f"there is no file {file}", field="file")
    if html is not None and html.exists() and not overwrite:
        raise ConflictError(f"{html} exists already", "file")


@asynccontextmanager
async def _of(call: Call, file: Path | None) -> AsyncIterator[tuple[Memory, Whose]]:
    """The store, or a memory of what an export holds, which is gone with the block; and whom it is about."""
    if file is None:
        async with call.existing() as memory:
            yield memory, call.person
        return
    from relembra.bootstrap import opened

    settings = call.settings.offline()
    async with opened(IN_MEMORY, settings=settings, background=False) as memory:
        asked = call.typed.get("user")
        await memory.import_(file, tenant=call.tenant)
        people = await memory.users(tenant=call.tenant)
        if asked is None and len(people) > 1:
            raise UsageError("usage.analyze.whose", command="analyze", names=", ".join(map(clean, people)))
        yield memory, {"user": asked or next(iter(people), call.user), "tenant": call.tenant}


def _write(call: Call, target: Path, found: Figures, user: str, now: datetime) -> None:
    try:
        from relembra.interfaces.web.figures import page_alone
        from relembra.interfaces.web.templates import Clockface
        from relembra.locale import Words
    except ModuleNotFoundError as exc:
        raise MissingExtraError("a page of figures", "server") from exc
    words = Words(call.words.language, "web", "names")
    clock = Clockface(words, now.tzinfo or UTC, now)
    target.write_text(page_alone(found, words("figures.of", user=user), clock), encoding="utf-8")


def _show(terminal: Terminal, found: Figures, user: str) -> None:
    words = terminal.words
    known, steps = found.known, found.weeks.steps
    terminal.hint("figures.of", "bold", user=user)
    sums = {
        "known": known.total,
        "confirmed": known.validated,
        "questions": found.questions,
        "past": found.past,
        "deleted": found.deleted,
        "accesses": found.accesses,
    }
    weeks = [(day(step.start, words.language), sum(step.learnt.values())) for step in steps]
    passed = [(day(step.start, words.language), step.ended + step.archived + step.deleted) for step in steps]
    tokens = [(day(use.day, words.language), use.input_tokens + use.output_tokens) for use in found.cost]
    none = words("figures.no_area")
    sections: list[tuple[str, Iterable[tuple[str, int]]]] = [
        ("sums", [(words(f"figures.{name}"), number) for name, number in sums.items()]),
        ("growth", weeks),
        ("areas", [(words.name("area", area) or none, number) for area, number in known.areas.items()]),
        ("levels", [(words.name("level", name), number) for name, number in known.levels.items()]),
        ("types", [(words.name("type", name), number) for name, number in known.types.items()]),
        ("passing", passed if any(number for _, number in passed) else ()),
        ("said", [(clean(item.content), item.observations) for item in found.said]),
        ("recalled", [(clean(item.content), item.accesses) for item in found.recalled]),
        ("cost", tokens),
    ]
    parts = [(words(f"figures.{name}"), list(_bars(terminal, rows))) for name, rows in sections if rows]
    terminal.sections("name* group> bar", parts)


def _bars(terminal: Terminal, rows: Iterable[tuple[str, int]]) -> Iterator[list[Cell]]:
    held = list(rows)
    largest = max((number for _, number in held), default=0)
    for name, number in held:
        yield [terminal.cell(name, longest=60), terminal.words.whole(number), terminal.bar(number, largest)]


# ── rows as tables ────────────────────────────────────────────────────────────────────────────────────────────────


async def _asked(call: Call, file: Path | None, sql: str) -> Answer:
    """What DuckDB answers about an export's rows: the file's, or those of the person in the store."""
    with ExitStack() as after:
        if file is None or file.suffix.lower() != ".jsonl":
            folder = after.enter_context(tempfile.TemporaryDirectory(prefix="relembra-analyze-"))
            async with _of(call, file) as (memory, whose):
                file = Path(folder, "rows.jsonl")
                await memory.export(file, format="jsonl", **whose)
        names, rows = await asyncio.to_thread(answered, file, sql)
    found = [dict(zip(names, row, strict=True)) for row in rows]

    def show(terminal: Terminal, _: Any) -> None:
        table = Table(*names, box=None, pad_edge=False, header_style="bold dim", show_header=terminal.watched)
        for row in rows:
            table.add_row(*(Text(clean(_cell(cell))) for cell in row))
        terminal.show(table)

    return Answer(found, show, json={"rows": found})


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def answered(file: Path, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns and rows of an answer. DuckDB sees a table for each part of the export, and nothing else there is."""
    try:
        import duckdb
    except ImportError as exc:
        raise MissingExtraError("SQL over an export", "duckdb") from exc
    with tempfile.TemporaryDirectory(prefix="relembra-analyze-") as folder:
        kinds = _split(file, Path(folder))
        with duckdb.connect(":memory:", config={"temp_directory": folder}) as db:
            for kind in kinds:
                source = Path(folder, f"{kind}.jsonl")
                rows = db.read_json(str(source), format="newline_delimited", maximum_object_size=LARGEST_ROW)
                rows.create(f'"{kind}"')
            db.execute("SET enable_external_access = false")
            db.execute("SET lock_configuration = true")
            try:
                asked: Any = db.execute(sql)  # None where there is no statement in it
                names = [column[0] for column in asked.description or ()] if asked else []
                return names, asked.fetchmany(ROWS) if asked else []
            except duckdb.Error as exc:
                about_sql = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException)
                why = (
                    str(exc).splitlines()[0] if isinstance(exc, about_sql) else type(exc).__name__
                )  # others quote rows
                raise UsageError("usage.analyze.sql", command="analyze", why=why) from None


def _split(file: Path, folder: Path) -> list[str]:
    """The rows of an export in a file for each kind, each with whose it is."""
    whose: dict[str, Any] = {}
    with ExitStack() as open_files:
        files: dict[str, Any] = {}
        with file.open("rb") as lines:
            for line in lines:
                try:
                    row: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
                    kind = str(row.pop("row"))
                except (msgspec.DecodeError, KeyError):
                    raise InvalidInputError(f"{file} is no export in jsonl", field="file") from None
                if kind in ("person", "space"):
                    whose = {"user": None, "space": None} | row
                elif kind not in ("header", "footer") and kind.isidentifier():
                    if kind not in files:
                        files[kind] = open_files.enter_context(Path(folder, f"{kind}.jsonl").open("wb"))
                    files[kind].write(msgspec.json.encode({**whose, **row}) + b"\n")
    return sorted(files)
