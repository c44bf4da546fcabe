"""Measuring: how well questions find what was said, and what an assistant would get."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from relembra import __version__
from relembra.bootstrap import opened, yardsticks
from relembra.evaluation import assistant as scripts
from relembra.evaluation.datasets import HALVES, READERS, DataError, Dataset, Half, load
from relembra.evaluation.retrieval import (
    ALL_METHODS,
    OURS,
    Kept,
    Measured,
    Progress,
    Report,
    SetClock,
    Yardsticks,
    ask,
    ingest,
    levels,
    report,
    vectors_of,
)
from relembra.interfaces.cli.call import IN_MEMORY, INTERRUPTED, Answer, Call, saying, stopped
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import Cell, Rows, Terminal, clean, pairs, progress_bar
from relembra.interfaces.cli.words import Words

if TYPE_CHECKING:
    from relembra.settings import Settings


SHOWN = ("recall@1", "recall@5", "recall@10", "recall@20", "any@5", "ndcg@10", "mrr")
SHOWN_NARROW = ("recall@1", "recall@5", "recall@10", "mrr")
PROBLEMS = {"-": "missing", "+": "unwanted", "~": "outdated", "!": "unapplied"}
MOST_FAILED, MOST_MISSED = 20, 200
PAGE_WIDTH = 160


def retrieval_table(terminal: Terminal, found: Report) -> None:
    """Tables by method and by type, then newest first, the context and the time."""
    words = terminal.words
    counted = {"questions": "asked", "messages": "messages", "conversations": "conversations", "memories": "people"}
    kinds = {"questions": "question", "messages": "message", "conversations": "conversation", "memories": "memory"}
    terminal.say("bench.about", "bold", **{name: words.count(kinds[name], found[of]) for name, of in counted.items()})
    if found["left_out"]:
        terminal.say("bench.left_out", "dim", count=words.count("question", found["left_out"]))
    if found["stopped"]:
        terminal.say("bench.stopped", "yellow")
    for level in levels(found):
        if found[level][OURS]["overall"]["questions"]:
            _level(terminal, found[level], words(f"bench.level.{level}"))
    rows: Rows = []
    if found["fresh"]["questions"]:
        shares = [f"{words(f'bench.method.{name}')} {_share(words, found['fresh'][name])}" for name in ALL_METHODS]
        count = words.count("question", found["fresh"]["questions"])
        rows.append((words("bench.fresh.line", count=count), " · ".join(shares)))
    rows += _context(words, found["context"])
    for name in ("recall", "load", "embed"):
        ratio = found["latency"]["ratio"].get(name)
        rows.append(_times(words, name, found["latency"][name]["p50"], found["latency"][name]["p95"], ratio))
    terminal.show(pairs(rows))


def write_page(path: Path, found: Report, words: Words) -> None:
    """The same as an HTML page, with the questions that missed their evidence; it asks for nothing from elsewhere."""
    console = Console(record=True, file=StringIO(), width=PAGE_WIDTH, highlight=False, markup=False, emoji=False)
    terminal = Terminal(words, console)
    terminal.say("bench.page.title", "bold", dataset=found["dataset"])
    retrieval_table(terminal, found)
    terminal.say("bench.page.missed", "bold", n=len(found["missed"]))
    columns = "bench.page.question* bench.page.expected* bench.page.first*"
    terminal.table(columns, [_missed(one) for one in found["missed"][:MOST_MISSED]])
    path.write_text(console.export_html(), encoding="utf-8")


def _missed(one: Report) -> list[Cell]:
    expected = one["evidence"] or [{"id": id, "text": ""} for id in one["sessions"]]
    first = [one["first"]] if one["first"] else []
    texts = ["\n".join(clean(f"{turn['text']} ({turn['id']})") for turn in turns) for turns in (expected, first)]
    return [clean(f"{one['question']} ({one['id']}, {one['type']})"), *texts]


def _level(terminal: Terminal, level: Report, title: str) -> None:
    """One table by method and one by type; on a screen under a title, in a pipe with it in every row."""
    words = terminal.words
    terminal.title(title)
    methods: list[tuple[Cell, Report]] = [
        (Text(words(f"bench.method.{name}"), "bold green" if name == OURS else ""), level[name]["overall"])
        for name in ALL_METHODS
    ]
    types: list[tuple[Cell, Report]] = [
        (f"{clean(name)} ({figures['questions']})", figures) for name, figures in level[OURS]["by_type"].items()
    ]
    shown = SHOWN if terminal.roomy else SHOWN_NARROW
    lead = [] if terminal.watched else [title]
    for first, rows in (("bench.head.method", methods), ("bench.head.type", types if len(types) > 1 else [])):
        cells = [[*lead, name, *(words.number(figures[part], 3) for part in shown)] for name, figures in rows]
        columns = [*(["level"] if lead else []), f"{first}~", *(f"{part}>" for part in shown)]
        if cells:
            terminal.table(" ".join(columns), cells, wide=False)


def _context(words: Words, context: Report) -> Rows:
    if not context["questions"]:
        return []
    ours = words(
        "bench.context.line",
        share=_share(words, context["evidence"]),
        tokens=words.number(context["tokens"], 0),
        budget=words.whole(context["budget"]),
        messages=words.number(context["messages"], 1),
        items=words.number(context["items"], 1),
    )
    plain = words(
        "bench.context.plain",
        share=_share(words, context["bm25_evidence"]),
        tokens=words.number(context["bm25_tokens"], 0),
        budget=words.whole(context["bm25_budget"]),
    )
    name = words("bench.context")
    return [(f"{name}: {words('bench.method.relembra')}", ours), (f"{name}: {words('bench.method.bm25')}", plain)]


def _times(words: Words, name: str, p50: float, p95: float, ratio: float | None = None) -> tuple[str, str]:
    shown = {"p50": words.number(p50, 1), "p95": words.number(p95, 1)}
    said = words("bench.times", **shown)
    if ratio is not None:
        said = words("bench.times.ratio", **shown, ratio=words.number(ratio, 1))
    return f"{words('bench.latency')}: {words(f'bench.latency.{name}')}", said


def assistant_table(terminal: Terminal, found: dict[str, Any]) -> None:
    """Shares by metric, what they cost, and what did not pass."""
    words = terminal.words
    passed = round(found["passed"] * found["probes"])
    terminal.say("bench.probes", "bold", passed=words.whole(passed), count=words.count("probe", found["probes"]))
    if found["stopped"]:
        terminal.say("bench.stopped", "yellow")
    rows: Rows = [
        (words(f"bench.metric.{name}"), words("bench.share", share=_share(words, one["passed"]), n=one["probes"]))
        for name, one in found["metrics"].items()
        if one["probes"]
    ]
    if found["days_remembered"] is not None:
        rows.append((words("bench.days"), words("bench.days.mean", n=words.number(found["days_remembered"], 0))))
    cost = found["performance"]
    rows.append((words("bench.tokens"), words.number(cost["tokens"], 0)))
    rows.append(_times(words, "load", cost["load_p50"], cost["load_p95"]))
    terminal.show(pairs(rows))
    if found["failed"]:
        terminal.say("bench.failed", "yellow")
        terminal.show(pairs([_failed(words, one) for one in found["failed"][:MOST_FAILED]]))


def _failed(words: Words, one: dict[str, Any]) -> tuple[str, str]:
    problems = [words(f"bench.problem.{PROBLEMS[text[0]]}", words=clean(text[1:])) for text in one["problems"]]
    return clean(one["script"]), f"{clean(one['query'])} · {' · '.join(problems)}"


def _share(words: Words, share: float) -> str:
    return f"{words.number(share * 100, 1)} %"


STORE = "bench.db"


async def retrieval(
    call: Call,
    *,
    dataset: str | None = None,
    data: Path | None = None,
    half: str = "all",
    limit: int | None = None,
    html: Path | None = None,
) -> Answer:
    """Fill a memory, ask it, compare it; stopped, it shows what was measured so far."""
    for key, word, choices in (("dataset", dataset, READERS), ("half", half, HALVES)):
        _one_of(call, key, word, choices)
    name = dataset or ("jsonl" if data and ".jsonl" in data.suffixes else None)
    if name is None:
        raise UsageError("usage.bench.dataset", command=call.command, choices=", ".join(READERS))
    if data is None:
        raise UsageError("usage.missing", command=call.command, argument="--data")
    if html is not None and not _is_writable(html):
        raise UsageError("usage.bench.html", command=call.command, path=str(html))
    chosen = load(name, data).chosen(_half(half), limit)
    if not chosen.questions:
        raise DataError(f"no question is in the half {half!r}", field="half")
    found: list[Measured] = []
    is_stopped, db = False, call.typed.get("db")
    try:
        with _place(db) as file, _bar(call.words) as progress:
            await _measured(chosen, file, offline(call.settings), found, progress)
    except asyncio.CancelledError:  # Ctrl-C
        is_stopped = True
        if not found:
            key = "bench.stopped.kept" if db else "bench.stopped.nothing"
            return saying({"stopped": True}, key, code=INTERRUPTED, db=db or "")
    about = {"embedder": offline(call.settings).embedder, "version": f"relembra {__version__}"}
    figures = report(chosen, found, stopped=is_stopped, half=half, **about)
    if html is not None:
        write_page(html, figures, call.words)

    def shown(terminal: Terminal) -> None:
        retrieval_table(terminal, figures)
        if html is not None:
            terminal.say("bench.page", "green", path=html)

    return Answer(figures, shown, INTERRUPTED if is_stopped else 0)


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
                    kept.write(full=False)
                await ingest(memory, dataset, clock, progress)
                if kept is not None:
                    kept.write(full=True)
            vectors = kept.vectors(len(dataset.turns)) if kept is not None else None
            if vectors is None:
                vectors = await vectors_of(dataset, minds.embedder, progress)
                if kept is not None:
                    kept.keep_vectors(vectors)
            await ask(memory, dataset, clock, yardsticks=minds, vectors=vectors, found=found, progress=progress)
    finally:
        await minds.embedder.close()


async def assistant(call: Call, *, script: Sequence[Path] = (), budget: int = scripts.BUDGET) -> Answer:
    """Play each script into a memory of its own, those given or else those shipped, and try its probes."""
    played = [one for path in script for one in scripts.scripts_in(path)] if script else scripts.shipped()
    found: list[scripts.Probed] = []
    is_stopped = False
    try:
        with _bar(call.words) as progress:
            for done, one in enumerate(played):
                progress("playing", done, len(played))
                clock = SetClock(min(probe.at for probe in one.probes))
                with _place(None) as db:
                    async with opened(db, settings=offline(call.settings), clock=clock, background=False) as memory:
                        await scripts.play(one, memory, clock, found=found, budget=budget)
    except asyncio.CancelledError:  # Ctrl-C
        is_stopped = True
        if not found:
            return stopped("bench.stopped.nothing")
    figures = scripts.summary(found, stopped=is_stopped)
    return Answer(figures, lambda terminal: assistant_table(terminal, figures), INTERRUPTED if is_stopped else 0)


def offline(settings: Settings) -> Settings:
    """The same settings with nothing in them that asks somebody else, refuses anybody or waits for the disk."""
    return replace(
        settings,
        embedder="offline" if settings.embedder.startswith("openai:") else settings.embedder,
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
    with progress_bar() as shown:
        yield lambda stage, done, total: shown(words(f"bench.{stage}"), done, total)


def _one_of(call: Call, key: str, word: str | None, choices: Collection[str]) -> None:
    if word is not None and word not in choices:
        named = ", ".join(call.words.name(key, choice) for choice in choices)
        raise UsageError("usage.choice", command=call.command, option=f"--{key}", word=word, choices=named)


def _is_writable(path: Path) -> bool:
    """Whether a file can be written later; asked before the work is done."""
    return not path.is_dir() and os.access(path if path.exists() else path.absolute().parent, os.W_OK)


def _half(word: str) -> Half:
    return next(half for half in HALVES if half == word)
