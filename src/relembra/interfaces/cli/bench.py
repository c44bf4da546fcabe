"""Measuring: how well questions find what was said, and what an assistant would get."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from relembra.bootstrap import opened, yardsticks
from relembra.evaluation import assistant as scripts
from relembra.evaluation.datasets import POOLS, READERS, load
from relembra.evaluation.datasets.reading import DataError
from relembra.evaluation.datasets.values import HALVES, Dataset, Half
from relembra.evaluation.keeping import Kept
from relembra.evaluation.page import page
from relembra.evaluation.report import report
from relembra.evaluation.runner import Measured, Progress, SetClock, Yardsticks, ask, ingest, vectors_of
from relembra.interfaces.cli import bench_tables
from relembra.interfaces.cli.call import IN_MEMORY, Answer, Call
from relembra.interfaces.cli.failures import INTERRUPTED
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.upkeep import version_text
from relembra.interfaces.cli.words import Words

if TYPE_CHECKING:
    from relembra.settings import Settings

STORE = "bench.db"


async def retrieval(call: Call) -> Answer:
    """Fill a memory, ask it, compare it; stopped, it shows what was measured so far."""
    given = call.given
    data = given.path("data") if given.maybe("data") is not None else None
    name = _one_of(call, "dataset", READERS) or ("jsonl" if data and ".jsonl" in data.suffixes else None)
    if name is None:
        raise UsageError("usage.bench.dataset", command=_name(call), choices=", ".join(READERS))
    if data is None:
        raise UsageError("usage.missing", command=_name(call), argument="--data")
    pool, half = _one_of(call, "pool", POOLS), _one_of(call, "half", HALVES) or "all"
    page_file = _writable(call, "html")
    whole = load(name, data, pool=pool, row=given.maybe("row"))
    dataset = whole.chosen(_half(half), _positive(call, "limit"))
    if not dataset.questions:
        raise DataError(f"no question is in the half {half!r}", field="half")
    found: list[Measured] = []
    stopped = False
    try:
        with _place(call.line.last("db")) as db, _bar(call.words) as progress:
            await _measured(dataset, db, offline(call.settings), found, progress)
    except asyncio.CancelledError:  # Ctrl-C
        stopped = True
        if not found:
            kept = call.line.last("db")
            key = "bench.stopped.kept" if kept else "bench.stopped.nothing"
            return Answer({"stopped": True}, lambda terminal: terminal.say(key, db=kept or ""), INTERRUPTED)
    figures = report(dataset, found, stopped=stopped, pool=pool, half=half, **_about(call.settings))
    if page_file is not None:
        page_file.write_text(page(figures, call.words), encoding="utf-8")
    return Answer(
        figures,
        lambda terminal: bench_tables.retrieval(terminal, figures, page_file),
        INTERRUPTED if stopped else 0,
    )


async def _measured(dataset: Dataset, db: str, settings: Settings, found: list[Measured], progress: Progress) -> None:
    """Fill the memory unless it is full already, and ask it."""
    minds = Yardsticks(*yardsticks(settings))
    clock = SetClock(dataset.turns[0].at)
    kept = None
    if db != IN_MEMORY:
        mark = {"data": dataset.fingerprint, "model": minds.embedder.name, "words": str(minds.analyzer.version)}
        kept = Kept(Path(db), mark)
    try:
        full = kept is not None and kept.is_full()
        async with opened(db, settings=settings, clock=clock, background=False) as memory:
            if not full:
                if kept is not None:
                    kept.begin()
                await ingest(memory, dataset, clock, progress)
                if kept is not None:
                    kept.finish()
            vectors = kept.vectors(len(dataset.turns)) if kept is not None else None
            if vectors is None:
                vectors = await vectors_of(dataset, minds.embedder, progress)
                if kept is not None:
                    kept.keep_vectors(vectors)
            await ask(memory, dataset, clock, yardsticks=minds, vectors=vectors, found=found, progress=progress)
    finally:
        await minds.embedder.close()


async def assistant(call: Call) -> Answer:
    """Play each script into a memory of its own and try its probes."""
    played = _scripts(call)
    budget = _positive(call, "budget") or scripts.BUDGET
    found: list[scripts.Probed] = []
    stopped = False
    try:
        with _bar(call.words) as progress:
            for done, script in enumerate(played):
                progress("playing", done, len(played))
                clock = SetClock(min(probe.at for probe in script.probes))
                with TemporaryDirectory() as folder:
                    db = str(Path(folder) / STORE)
                    async with opened(db, settings=offline(call.settings), clock=clock, background=False) as memory:
                        await scripts.play(script, memory, clock, found=found, budget=budget)
    except asyncio.CancelledError:  # Ctrl-C
        stopped = True
        if not found:
            return Answer({"stopped": True}, lambda terminal: terminal.say("bench.stopped.nothing"), INTERRUPTED)
    figures = scripts.summary(found, stopped=stopped)
    return Answer(figures, lambda terminal: bench_tables.assistant(terminal, figures), INTERRUPTED if stopped else 0)


def _scripts(call: Call) -> list[scripts.Script]:
    """Those asked for, else those shipped."""
    own = [Path(word).expanduser() for word in call.given.many("script")]
    return [script for path in own for script in scripts.scripts_in(path)] if own else scripts.shipped()


def offline(settings: Settings) -> Settings:
    """The same settings with nothing in them that asks somebody else, refuses anybody or waits for the disk."""
    return replace(
        settings,
        embedder="offline" if settings.embedder.startswith("openai:") else settings.embedder,
        reranker="off" if settings.reranker == "model" else settings.reranker,
        llm="",
        llm_deep="",
        blocked=[],
        spaces_off=[],
        durability="normal",
    )


@contextmanager
def _place(db: str | None) -> Iterator[str]:
    """The file asked for, or one that is gone at the end."""
    if db is not None:
        yield db if db == IN_MEMORY else str(Path(db.removeprefix("sqlite:///")).expanduser())
        return
    with TemporaryDirectory() as folder:
        yield str(Path(folder) / STORE)


@contextmanager
def _bar(words: Words) -> Iterator[Progress]:
    """How far each stage is, on a terminal; nothing elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:

        def told(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(words(f"bench.{stage}"), total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield told


def _one_of(call: Call, key: str, choices: Collection[str]) -> str | None:
    """One of a few words, in either language."""
    word = call.given.token(key)
    if word is not None and word not in choices:
        named = ", ".join(call.words.name(key, choice) for choice in choices)
        raise UsageError("usage.choice", command=_name(call), option=f"--{key}", word=word, choices=named)
    return word


def _positive(call: Call, key: str) -> int | None:
    number = call.given.whole(key)
    if number is not None and number < 1:
        raise UsageError("usage.whole", command=_name(call), option=f"--{key}", word=str(number))
    return number


def _writable(call: Call, key: str) -> Path | None:
    """A file to write later; told now if that cannot be."""
    if call.given.maybe(key) is None:
        return None
    path = call.given.path(key)
    folder = path.absolute().parent
    if path.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise UsageError("usage.bench.html", command=_name(call), path=str(path))
    return path


def _half(word: str) -> Half:
    return next(half for half in HALVES if half == word)


def _about(settings: Settings) -> dict[str, str]:
    return {"embedder": offline(settings).embedder, "version": version_text(as_json=False).strip()}


def _name(call: Call) -> str | None:
    return call.line.command.name if call.line.command else None
