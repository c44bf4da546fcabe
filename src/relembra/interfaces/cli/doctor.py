"""The check-up: what works, what is missing, and what to do about it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from relembra.errors import MindError, RelembraError, StoreError
from relembra.interfaces.cli.call import Answer, Call

if TYPE_CHECKING:
    from relembra.interfaces.cli.terminal import Terminal

State = Literal["ok", "warning", "problem"]

LEAST_FREE_BYTES = 200_000_000
EXTRAS = {"http": "httpx", "tokenizers": "tokenizers"}
MARKS: dict[State, tuple[str, str]] = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: how it is, what was found, and what to do."""

    name: str
    state: State
    found: str
    advice: str | None = None


async def doctor(call: Call) -> Answer:
    from relembra.interfaces.cli.failures import OTHER, STORE

    checks = [*_programs(call), *_settings(call), *await _model(call), *await _store(call), *_extras(call)]
    problems = {check.name for check in checks if check.state == "problem"}
    code = 0 if not problems else STORE if problems == {"store"} else OTHER
    data = {
        "ok": not problems,
        "checks": [
            {"name": check.name, "state": check.state, "found": check.found, "advice": check.advice} for check in checks
        ],
    }
    return Answer(data, lambda terminal: _shown(terminal, checks), code)


def _programs(call: Call) -> list[Check]:
    import apsw

    from relembra import __version__

    words = call.words
    python = f"{platform.python_version()} ({sys.executable})"
    sqlite = f"{apsw.sqlite_lib_version()} (apsw {apsw.apsw_version()})"
    checks = [Check("relembra", "ok", __version__), Check("python", "ok", python), Check("sqlite", "ok", sqlite)]
    if _has_vectors():
        return [*checks, Check("vec1", "ok", words("doctor.vec1.ok"))]
    return [*checks, Check("vec1", "warning", words("doctor.vec1.missing"), words("doctor.vec1.advice"))]


def _has_vectors() -> bool:
    import apsw
    import apsw.sqlite_extra

    db = apsw.Connection(":memory:")
    try:
        apsw.sqlite_extra.load(db, "vec1")
    except (apsw.Error, ValueError, OSError, AttributeError, KeyError):
        return False
    finally:
        db.close()
    return True


def _settings(call: Call) -> list[Check]:
    from relembra.settings import settings_file as settings_file  # it has no public name yet

    words = call.words
    path = settings_file(os.environ)
    found = words("doctor.settings.none") if path is None else str(path.absolute())
    language = words(f"doctor.language.{words.language}")
    return [Check("settings", "ok", found), Check("language", "ok", language)]


async def _model(call: Call) -> list[Check]:
    """Load the model and try it: the shipped one by its own test, another by one sentence."""
    from relembra.bootstrap import chosen_embedder

    words = call.words
    try:
        embedder = chosen_embedder(call.settings)
        try:
            test = getattr(embedder, "self_test", None)
            await (test() if test is not None else embedder.embed(["Relembra"]))
            key = "doctor.model.ok" if test is not None else "doctor.model.answers"
            return [Check("model", "ok", words(key, name=embedder.name, dimensions=embedder.dimensions))]
        finally:
            await embedder.close()
    except RelembraError as error:
        advice = words("doctor.model.advice") if isinstance(error, MindError) else None
        return [Check("model", "problem", str(error), advice)]


async def _store(call: Call) -> list[Check]:
    words, path = call.words, call.file
    if path is None:
        return [Check("store", "ok", words("doctor.store.memory"))]
    nearest = next(folder for folder in path.absolute().parents if folder.exists())
    free = shutil.disk_usage(nearest).free
    enough = free >= LEAST_FREE_BYTES
    advice = None if enough else words("doctor.disk.advice")
    disk = Check("disk", "ok" if enough else "warning", words.size(free), advice)
    if not os.access(path if path.exists() else nearest, os.W_OK):
        problem = words("doctor.store.readonly", path=path)
        return [Check("store", "problem", problem, words("doctor.store.advice")), disk]
    if not path.exists():
        return [Check("store", "ok", words("doctor.store.new", path=path)), disk]
    try:
        return [*await _inside(call, path), disk]
    except StoreError as error:
        problem = words("doctor.store.broken", path=path, message=error)
        return [Check("store", "problem", problem, words("doctor.store.advice")), disk]


async def _inside(call: Call, path: Path) -> list[Check]:
    words = call.words
    async with call.existing() as memory:
        held = await memory.stats()
        others = await memory.other_models()
    if others:
        found = words("doctor.vectors.other", models=", ".join(others))
        vectors = Check("vectors", "warning", found, words("doctor.vectors.advice"))
    else:
        vectors = Check("vectors", "ok", words("doctor.vectors.ok"))
    waiting = [f"{words.name('job', name)} {words.whole(number)}" for name, number in held.jobs.items() if number]
    dead = held.jobs.get("dead", 0) > 0
    advice = words("doctor.jobs.dead") if dead else None
    jobs = Check("jobs", "warning" if dead else "ok", ", ".join(waiting) or words("doctor.jobs.none"), advice)
    return [Check("store", "ok", words("doctor.store.file", path=path, size=words.size(held.bytes))), vectors, jobs]


def _extras(call: Call) -> list[Check]:
    words, checks = call.words, []
    for extra, package in EXTRAS.items():
        there = find_spec(package) is not None
        found = words("doctor.extra.ok" if there else "doctor.extra.missing")
        advice = None if there else words(f"doctor.extra.{extra}.for")
        checks.append(Check(f"extra.{extra}", "ok", found, advice))
    return checks


def _shown(terminal: Terminal, checks: list[Check]) -> None:
    from rich.table import Table
    from rich.text import Text

    words = terminal.words
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for check in checks:
        mark, colour = MARKS[check.state]
        found = Text(check.found)
        if check.advice:
            found.append(f"\n→ {check.advice}" if terminal.watched else f" → {check.advice}", "yellow")
        grid.add_row(Text(mark, colour), Text(words(f"doctor.{check.name}"), "bold"), found)
    terminal.show(Text(words("doctor.title"), "bold"), grid)
    states = {check.state for check in checks}
    if "problem" in states:
        terminal.say("doctor.broken", "red")
    else:
        terminal.say("doctor.warned" if "warning" in states else "doctor.well", "green")
