"""Records of night work as tables and as a readable difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from relembra.domain.run import Run, RunStatus, Tally
from relembra.interfaces import recorded
from relembra.interfaces.cli import panels, tables
from relembra.interfaces.cli.queue import whose
from relembra.interfaces.cli.tables import DIM
from relembra.interfaces.cli.terminal import Terminal, clean, joined, short
from relembra.interfaces.cli.words import Words
from relembra.interfaces.differences import Difference, Fate, differences
from relembra.interfaces.reasons import reason
from relembra.interfaces.recorded import Texts
from relembra.interfaces.times import day, span
from relembra.recall.asked import Listing
from relembra.tending import RunDetail

STYLES = {
    RunStatus.RUNNING: "cyan",
    RunStatus.COMPLETED: "green",
    RunStatus.PARTIAL: "yellow",
    RunStatus.FAILED: "red",
    RunStatus.ROLLED_BACK: DIM,
}
MARKS = {
    Fate.CREATED: ("+", "green"),
    Fate.CHANGED: ("~", "cyan"),
    Fate.ENDED: ("−", "red"),
    Fate.MERGED: ("⇒", "magenta"),
    Fate.ARCHIVED: ("▾", "yellow"),
    Fate.NOTE: ("¶", "blue"),
}
MOST_SHOWN = 40
"""Rows of one fate a person is shown at once; programs get all of them."""


def counts(words: Words, tally: Tally, *, messages: bool = True) -> str:
    """What a record did, in numbers; nothing that is none."""
    told = list(recorded.counts(words, tally).values())
    if messages and tally.messages:
        told.insert(0, words.count("message", tally.messages))
    return " · ".join(told)


def night(terminal: Terminal, run: Run) -> str:
    """The night it was the work of, or when somebody asked for it."""
    if run.night is None:
        return f"{terminal.date(run.started_at)}, {terminal.words('run.by_hand')}"
    return day(terminal.words, run.night)


def status(words: Words, run: Run) -> Text:
    return Text(words(f"run_status.{run.status}"), STYLES[run.status])


def error(words: Words, run: Run) -> str:
    return clean(recorded.trouble_of(words, run.error))


def table(terminal: Terminal, listing: Listing[Run], *, everybody: bool) -> None:
    """Records, newest first."""
    words = terminal.words
    shown = tables.blank(terminal)
    shown.add_column(words("head.night"), no_wrap=True)
    shown.add_column(words("head.work"), no_wrap=True)
    if everybody:
        shown.add_column(words("head.whose"))
    shown.add_column(words("head.done"), ratio=1 if terminal.watched else None)
    if terminal.roomy:
        shown.add_column(words("head.status"), no_wrap=True)
        shown.add_column(words("head.took"), no_wrap=True, justify="right", style=DIM)
    shown.add_column(words("head.id"), no_wrap=True, style="cyan")
    for run in listing:
        done = Text(counts(words, run.tally) or words("run.nothing"))
        took = "" if run.duration is None else span(words, run.duration)
        if terminal.roomy:
            aside: list[Text | str] = [status(words, run), took]
            if run.model_calls:
                done.append("\n" if terminal.watched else " | ").append(recorded.model(words, run), DIM)
        else:
            aside = []
            done.append("\n").append(joined([status(words, run), Text(recorded.model(words, run)), Text(took)]))
        if run.error is not None:
            done.append("\n" if terminal.watched else " | ").append(error(words, run), "yellow")
        owner = [whose(words, run.scope)] if everybody else []
        shown.add_row(night(terminal, run), words.name("run", run.kind), *owner, done, *aside, short(run.id))
    terminal.show(shown)
    tables.more(terminal, listing.next)


def record(terminal: Terminal, told: RunDetail, texts: Texts) -> None:
    """One record whole: its figures, then what it changed."""
    figures(terminal, told.run)
    changed(terminal, differences(told.entries), texts)


def figures(terminal: Terminal, run: Run) -> None:
    words = terminal.words
    told_of: panels.Rows = [
        ("night", night(terminal, run)),
        ("whose", whose(words, run.scope)),
        ("status", status(words, run)),
        ("error", Text(error(words, run), "yellow")),
        ("covers", recorded.covers(words, run, terminal.moment)),
        ("read", words.count("message", run.tally.messages) if run.tally.messages else ""),
        ("did", counts(words, run.tally, messages=False) or words("run.nothing")),
        ("memory", recorded.version(words, run)),
        ("model", recorded.model(words, run) or words("run.no_model")),
        ("took", "" if run.duration is None else span(words, run.duration)),
        ("id", Text(run.id, "cyan")),
    ]
    rows: panels.Rows = [(words(f"label.{name}"), value) for name, value in told_of if value]
    title = words.name("run", run.kind)
    if terminal.watched:
        terminal.show(Panel(panels.pairs(rows), title=title, title_align="left", border_style=DIM, padding=(0, 1)))
    else:
        terminal.show(Text(title), panels.pairs(rows))


def changed(terminal: Terminal, rows: Sequence[Difference], texts: Texts, *, most: int = MOST_SHOWN) -> None:
    """What was changed: new, changed, ended, merged, put away, and notes, each with its parts before and after."""
    words = terminal.words
    for fate in Fate:
        some = [row for row in rows if row.fate is fate]
        if not some:
            continue
        mark, colour = MARKS[fate]
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for row in some[:most] if terminal.watched else some:
            lines = [Text(terminal.cell(texts.get(row.id) or words("diff.forgotten")).plain, "bold")]
            lines[0].append("  ").append(short(row.id), "not bold cyan")
            lines += [Text(line, DIM) for line in _details(terminal, row, texts)]
            grid.add_row(Text(mark, f"{colour} bold"), Text("\n" if terminal.watched else "\t").join(lines))
        if terminal.watched:
            terminal.show(Text(words(f"diff.{fate}"), "bold"))
        terminal.show(grid)
        if terminal.watched and len(some) > most:
            terminal.show(Text(f"   … +{words.whole(len(some) - most)}", DIM))


def _details(terminal: Terminal, row: Difference, texts: Texts) -> list[str]:
    words = terminal.words
    why = "" if row.why is None else clean(reason(words, row.why))
    if row.fate is Fate.NOTE:
        return [line for line in (recorded.note_fate(words, row), why) if line]
    if row.fate in (Fate.ENDED, Fate.MERGED):
        key = "diff.merged_into" if row.fate is Fate.MERGED else "diff.replaced_by"
        told = (
            [] if row.becomes is None else [words(key, content=clean(texts.get(row.becomes, words("diff.forgotten"))))]
        )
        if row.becomes is None and row.after.get("deleted_at"):
            told = [words("diff.deleted")]
        if row.before is None:
            told.insert(0, words("diff.same_record"))
        return [" · ".join([*told, *([why] if why else [])])] if told or why else []
    if row.fate is Fate.CREATED:
        kinds = [words.name("type", row.after.get("type")), words.name("area", row.after.get("area"))]
        return [" · ".join(part for part in (*kinds, why if row.after.get("type") == "insight" else "") if part)]
    parts = [part for part in row.parts if part[0] != "archived_at" or row.fate is not Fate.ARCHIVED]
    lines = [
        words(
            "diff.part",
            name=words(f"aspect.{name}"),
            before=_shown(terminal, name, before),
            after=_shown(terminal, name, after),
        )
        for name, before, after in parts
    ]
    return [" · ".join(lines), *([why] if why else [])] if lines else [why] if why else []


def _shown(terminal: Terminal, name: str, part: Any) -> str:
    return clean(recorded.part_said(terminal.words, name, part, terminal.date)) or terminal.words("diff.none")
