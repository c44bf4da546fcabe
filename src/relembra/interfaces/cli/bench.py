"""Measuring: how well questions find what was said, and what an assistant would get."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from relembra import __version__
from relembra.bootstrap import opened, yardsticks
from relembra.evaluation import assistant as scripts
from relembra.evaluation import retrieval as benchmark
from relembra.evaluation.datasets import HALVES, READERS, DataError, Dataset, Half, load
from relembra.interfaces.cli.call import IN_MEMORY, INTERRUPTED, Answer, Call
from relembra.interfaces.cli.commands import UsageError, Words, path
from relembra.interfaces.cli.terminal import Cell, Terminal, clean, joined, pairs, progress_bar

if TYPE_CHECKING:
    from relembra.memory import Memory
    from relembra.settings import Settings

SHOWN = "recall@1> recall@5> recall@10> recall@20>? any@5>? ndcg@10>? mrr>"
PROBLEMS = {"-": "missing", "+": "unwanted", "~": "outdated", "!": "unapplied"}


async def retrieval(
    call: Call, *, data: Path, dataset: str | None = None, half: str = "all", limit: int | None = None
) -> Answer:
    """Fill a memory, ask it, compare it; stopped, it shows what was measured so far."""
    chosen, found = _chosen(call, data, dataset, half, limit), list[benchmark.Measured]()
    settings, is_stopped = _offline(call.settings), False
    try:
        with _place(call.typed.get("db")) as file, _bar(call.words) as progress:
            async with _filled(chosen, file, settings, progress) as (memory, clock, minds):
                vectors = await benchmark.vectors_of(chosen, minds.embedder, progress)
                await benchmark.ask(
                    memory, chosen, clock, yardsticks=minds, vectors=vectors, found=found, progress=progress
                )
    except asyncio.CancelledError:  # Ctrl-C
        is_stopped = True
        if not found:
            raise
    figures = benchmark.report(chosen, found, stopped=is_stopped, **_about(settings, half))
    return Answer(figures, _show_retrieval, INTERRUPTED if is_stopped else 0)


async def context(
    call: Call, *, data: Path, dataset: str | None = None, half: str = "all", limit: int | None = None
) -> Answer:
    """Fill a memory and look for the answers in its contexts, of messages alone and with more parts."""
    chosen, found = _chosen(call, data, dataset, half, limit), list[benchmark.Answered]()
    settings, is_stopped = _offline(call.settings), False
    try:
        with _place(call.typed.get("db")) as file, _bar(call.words) as progress:
            for name, numbers in benchmark.CONTEXTS.items():
                policy = {**settings.policy, "context": settings.policy.get("context", {}) | numbers}
                kept = replace(settings, policy=policy)
                async with _filled(chosen, file, kept, progress) as (memory, clock, minds):
                    await benchmark.answer(
                        memory, chosen, clock, context=name, yardsticks=minds, found=found, progress=progress
                    )
    except asyncio.CancelledError:  # Ctrl-C
        is_stopped = True
        if not found:
            raise
    figures = benchmark.report_answers(chosen, found, stopped=is_stopped, **_about(settings, half))
    return Answer(figures, _show_context, INTERRUPTED if is_stopped else 0)


def _chosen(call: Call, data: Path, dataset: str | None, half: str, limit: int | None) -> Dataset:
    """The data with the questions asked for."""
    kinds: dict[str, tuple[str | None, Collection[str]]] = {"dataset": (dataset, READERS), "half": (half, HALVES)}
    for key, (word, choices) in kinds.items():
        if word is not None and word not in choices:
            named = ", ".join(call.words.name(key, choice) for choice in choices)
            raise UsageError("usage.choice", command=call.command, option=f"--{key}", word=word, choices=named)
    name = dataset or ("jsonl" if ".jsonl" in data.suffixes else None)
    if name is None:
        raise UsageError("usage.bench.dataset", command=call.command, choices=", ".join(READERS))
    if limit is not None and limit < 1:
        raise DataError(f"at least one question is needed, not {limit}", field="limit")
    chosen_half: Half = next(one for one in HALVES if one == half)
    chosen = load(name, data).chosen(chosen_half, limit)
    if not chosen.questions:
        raise DataError(f"no question is in the half {half!r}", field="half")
    return chosen


def _about(settings: Settings, half: str) -> dict[str, str]:
    return {"embedder": settings.embedder, "version": f"relembra {__version__}", "half": half}


@asynccontextmanager
async def _filled(
    dataset: Dataset, db: str, settings: Settings, progress: benchmark.Progress
) -> AsyncIterator[tuple[Memory, benchmark.SetClock, benchmark.Yardsticks]]:
    """A memory of the data, filled unless it is full already, its clock, and what it is compared by."""
    minds = benchmark.Yardsticks(*yardsticks(settings))
    clock = benchmark.SetClock(dataset.turns[0].at)
    kept = None
    if db != IN_MEMORY:
        mark = {"data": dataset.fingerprint, "model": minds.embedder.name, "words": str(minds.analyzer.version)}
        kept = benchmark.Kept(Path(db), mark)
    try:
        full = kept is not None and kept.is_full()
        async with opened(db, settings=settings, clock=clock, background=False) as memory:
            if not full:
                if kept is not None:
                    kept.write(full=False)
                await benchmark.ingest(memory, dataset, clock, progress)
                if kept is not None:
                    kept.write(full=True)
            yield memory, clock, minds
    finally:
        await minds.embedder.close()


async def assistant(call: Call, *, script: Sequence[Path] = (), budget: int = scripts.BUDGET) -> Answer:
    """Play each script into a memory of its own, those given or else those shipped, and try its probes."""
    played = [one for path in script for one in scripts.scripts_in(path)] if script else scripts.shipped()
    found: list[scripts.Probed] = []
    settings, is_stopped = _offline(call.settings), False
    try:
        with _bar(call.words) as progress:
            for done, one in enumerate(played):
                progress("playing", done, len(played))
                clock = benchmark.SetClock(min(probe.at for probe in one.probes))
                with _place(None) as db:
                    async with opened(db, settings=settings, clock=clock, background=False) as memory:
                        await scripts.play(one, memory, clock, found=found, budget=budget)
    except asyncio.CancelledError:  # Ctrl-C
        is_stopped = True
        if not found:
            raise
    return Answer(scripts.summary(found, stopped=is_stopped), _show_probes, INTERRUPTED if is_stopped else 0)


def _offline(settings: Settings) -> Settings:
    """The same settings with nothing in them that asks another machine, refuses anybody or waits for the disk."""
    return replace(
        settings,
        embedder="offline" if settings.embedder.startswith("openai:") else settings.embedder,
        llm="",
        llm_deep="",
        blocked=[],
        spaces_off=[],
        spaces_only=[],
        durability="normal",
    )


@contextmanager
def _place(db: str | None) -> Iterator[str]:
    """The file asked for, or one that is gone at the end."""
    if db is not None:
        yield db if db == IN_MEMORY else str(path(db.removeprefix("sqlite:///")))
        return
    with TemporaryDirectory() as folder:
        yield str(Path(folder) / "bench.db")


@contextmanager
def _bar(words: Words) -> Iterator[benchmark.Progress]:
    """How far each stage is, on a terminal; nothing elsewhere."""
    with progress_bar() as shown:
        yield lambda stage, done, total: shown(words(f"bench.{stage}"), done, total)


# ── showing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _show_retrieval(terminal: Terminal, found: benchmark.Report) -> None:
    """A table by method and one by type of question, then every other figure by its name."""
    words = terminal.words
    if found["stopped"]:
        terminal.say("bench.stopped", "yellow")
    shown = [column.rstrip(">?") for column in SHOWN.split()]
    for level in benchmark.levels(found):
        figures = {words(f"bench.method.{name}"): found[level][name]["overall"] for name in benchmark.ALL_METHODS}
        types = found[level][benchmark.OURS]["by_type"]
        figures |= {f"{clean(name)} ({one['questions']})": one for name, one in types.items() if len(types) > 1}
        rows = [[level, name, *(words.number(one[part], 3) for part in shown)] for name, one in figures.items()]
        if found[level][benchmark.OURS]["overall"]["questions"]:
            terminal.table(f"level method~ {SHOWN}", rows, wide=False)
    rest = {name: part for name, part in found.items() if name not in ("turns", "sessions", "missed", "stopped")}
    terminal.show(pairs(_figures(words, rest)))


def _show_context(terminal: Terminal, found: benchmark.Report) -> None:
    """The share answered by type of question and context, then every other figure by its name."""
    words, contexts = terminal.words, found["contexts"]
    if found["stopped"]:
        terminal.say("bench.stopped", "yellow")
    figures = {name: {"overall": one["overall"], **one["by_type"]} for name, one in contexts.items()}
    rows = [
        [f"{clean(kind)} ({one['questions']})", *(_answered(words, each.get(kind)) for each in figures.values())]
        for kind, one in figures["messages"].items()
    ]
    terminal.table(f"type~ {'> '.join(figures)}>", rows, wide=False)
    rest = {name: part for name, part in found.items() if name not in ("contexts", "missed", "stopped")}
    tokens = {name: one["overall"]["tokens"] for name, one in contexts.items()}
    terminal.show(pairs(_figures(words, {**rest, "tokens": tokens})))


def _answered(words: Words, figures: benchmark.Report | None) -> str:
    return words.number(figures["answered"], 3) if figures else ""


def _show_probes(terminal: Terminal, found: dict[str, Any]) -> None:
    """Every figure by its name, and what did not pass."""
    words = terminal.words
    if found["stopped"]:
        terminal.say("bench.stopped", "yellow")
    figures = {name: found[name] for name in ("probes", "passed", "metrics", "days_remembered", "performance")}
    terminal.show(pairs(_figures(words, figures)))
    for one in found["failed"][:20]:
        problems = [words(f"bench.problem.{PROBLEMS[text[0]]}", words=text[1:]) for text in one["problems"]]
        terminal.show(joined(map(clean, (one["script"], one["query"], *problems))))


def _figures(words: Words, found: dict[str, Any], lead: str = "") -> Iterator[tuple[str, Cell]]:
    """Each figure with the way to it: "latency.recall.p50"."""
    for name, part in found.items():
        if isinstance(part, dict):
            yield from _figures(words, part, f"{lead}{name}.")
        elif part is not None:
            yield lead + name, words.number(part, 3) if isinstance(part, float) else clean(str(part))
