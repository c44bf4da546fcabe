"""The figures of a measurement, for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from relembra.evaluation.report import Report, levels
from relembra.evaluation.runner import ALL_METHODS, OURS
from relembra.interfaces.cli import panels
from relembra.interfaces.cli.tables import blank
from relembra.interfaces.cli.terminal import Terminal, clean
from relembra.interfaces.cli.words import Words

SHOWN = ("recall@1", "recall@5", "recall@10", "recall@20", "any@5", "ndcg@10", "mrr")
SHOWN_NARROW = ("recall@1", "recall@5", "recall@10", "mrr")
PROBLEMS = {"-": "missing", "+": "unwanted", "~": "outdated", "!": "unapplied"}
MOST_FAILED = 20


def retrieval(terminal: Terminal, found: Report, page: Path | None) -> None:
    """Tables by method and by type, then newest first, the context and the time."""
    words = terminal.words
    terminal.say(
        "bench.about",
        "bold",
        questions=words.count("question", found["asked"]),
        messages=words.count("message", found["messages"]),
        conversations=words.count("conversation", found["conversations"]),
        memories=words.count("memory", found["people"]),
    )
    if found["left_out"]:
        terminal.say("bench.left_out", "dim", count=words.count("question", found["left_out"]))
    if found["stopped"]:
        terminal.say("bench.stopped", "yellow")
    for level in levels(found):
        if found[level][OURS]["overall"]["questions"]:
            _level(terminal, found[level], words(f"bench.level.{level}"))
    rows: panels.Rows = []
    if found["fresh"]["questions"]:
        shares = [f"{words(f'bench.method.{name}')} {_share(words, found['fresh'][name])}" for name in ALL_METHODS]
        rows.append(
            (words("bench.fresh.line", count=words.count("question", found["fresh"]["questions"])), " · ".join(shares))
        )
    rows += _context(words, found["context"])
    for name in ("recall", "load", "embed"):
        rows.append((f"{words('bench.latency')}: {words(f'bench.latency.{name}')}", _times(words, found, name)))
    terminal.show(panels.pairs(rows))
    if page is not None:
        terminal.say("bench.page", "green", path=page)


def _level(terminal: Terminal, level: Report, title: str) -> None:
    """One table by method and one by type; on a screen under a title, in a pipe with it in every row."""
    words = terminal.words
    if terminal.watched:
        terminal.show(Text(f"\n{title}", "bold cyan"))
    methods = [(Text(words(f"bench.method.{name}"), _style(name)), level[name]["overall"]) for name in ALL_METHODS]
    _table(terminal, title, words("bench.head.method"), methods)
    types = level[OURS]["by_type"]
    if len(types) > 1:
        rows = [(Text(f"{clean(name)} ({figures['questions']})"), figures) for name, figures in types.items()]
        _table(terminal, title, words("bench.head.type"), rows)


def _table(terminal: Terminal, title: str, first: str, rows: Sequence[tuple[Text, Report]]) -> None:
    shown = SHOWN if terminal.roomy else SHOWN_NARROW
    table = blank(terminal)
    table.expand = False
    for head in () if terminal.watched else (title,):
        table.add_column(head)
    table.add_column(first)
    for part in shown:
        table.add_column(part, justify="right", no_wrap=True)
    for name, figures in rows:
        cells = [terminal.words.number(figures[part], 3) for part in shown]
        table.add_row(*(() if terminal.watched else (title,)), name, *cells)
    terminal.show(table)


def _style(method: str) -> str:
    return "bold green" if method == OURS else ""


def _context(words: Words, context: Report) -> panels.Rows:
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


def _times(words: Words, found: Report, name: str) -> str:
    times, ratio = found["latency"][name], found["latency"]["ratio"].get(name)
    shown = {key: words.number(times[key], 1) for key in ("p50", "p95")}
    if ratio is None:
        return words("bench.times", **shown)
    return words("bench.times.ratio", **shown, ratio=words.number(ratio, 1))


def assistant(terminal: Terminal, found: dict[str, Any]) -> None:
    """Shares by metric, what they cost, and what did not pass."""
    words = terminal.words
    passed = round(found["passed"] * found["probes"])
    terminal.say("bench.probes", "bold", passed=words.whole(passed), count=words.count("probe", found["probes"]))
    if found["stopped"]:
        terminal.say("bench.stopped", "yellow")
    rows: panels.Rows = [
        (words(f"bench.metric.{name}"), words("bench.share", share=_share(words, one["passed"]), n=one["probes"]))
        for name, one in found["metrics"].items()
        if one["probes"]
    ]
    if found["days_remembered"] is not None:
        rows.append((words("bench.days"), words("bench.days.mean", n=words.number(found["days_remembered"], 0))))
    cost = found["performance"]
    times = {"p50": words.number(cost["load_p50"], 1), "p95": words.number(cost["load_p95"], 1)}
    rows.append((words("bench.tokens"), words.number(cost["tokens"], 0)))
    rows.append((f"{words('bench.latency')}: {words('bench.latency.load')}", words("bench.times", **times)))
    terminal.show(panels.pairs(rows))
    if found["failed"]:
        terminal.say("bench.failed", "yellow")
        terminal.show(panels.pairs([_failed(words, one) for one in found["failed"][:MOST_FAILED]]))


def _failed(words: Words, one: dict[str, Any]) -> tuple[str, str]:
    problems = [words(f"bench.problem.{PROBLEMS[text[0]]}", words=clean(text[1:])) for text in one["problems"]]
    return clean(one["script"]), f"{clean(one['query'])} · {' · '.join(problems)}"


def _share(words: Words, share: float) -> str:
    return f"{words.number(share * 100, 1)} %"
