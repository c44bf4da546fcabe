"""The gardener, and what recurs: tending a person's memory now or looking what would be done, and insights."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.run import Run
from relembra.interfaces import recorded, shapes
from relembra.interfaces.cli import records, tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.failures import INTERRUPTED, OTHER
from relembra.interfaces.cli.nights import TROUBLED
from relembra.interfaces.cli.tables import DIM, confidence
from relembra.interfaces.cli.terminal import Terminal, clean, joined, short, working
from relembra.interfaces.differences import differences
from relembra.interfaces.reasons import reason
from relembra.tend.gardening import Deed, DeedKind

MARKS = {
    DeedKind.MERGE: ("⇒", "magenta"),
    DeedKind.FADE: ("↓", "yellow"),
    DeedKind.ARCHIVE: ("▾", "yellow"),
    DeedKind.RAISE: ("↑", "green"),
    DeedKind.LOWER: ("↓", "cyan"),
    DeedKind.ARCHIVE_NOTE: ("▾", "yellow"),
    DeedKind.CONDENSE: ("≈", "blue"),
}


async def garden(call: Call) -> Answer:
    """Tends the memory and shows the record, or with --dry-run only says what it would do."""
    if call.given.flag("dry_run"):
        async with call.reading() as memory, working(call.words("garden.working")):
            plan = await memory.garden_plan(**call.whose)
        return Answer(
            {"deeds": [shapes.deed(each) for each in plan]}, lambda terminal: _plan(terminal, plan, call.user)
        )
    try:
        async with call.existing() as memory, working(call.words("garden.working")):
            run = await memory.garden(**call.whose)
            told = await memory.consolidation(run.id, **call.whose)
            rows = differences(told.entries)
            texts = await recorded.texts_of(memory, rows, call.whose)
    except asyncio.CancelledError:  # Ctrl-C; each step is stored as it comes
        return Answer({"stopped": True}, lambda terminal: terminal.say("garden.stopped"), INTERRUPTED)

    def people(terminal: Terminal) -> None:
        if not rows and run.error is None:
            terminal.say("garden.nothing", user=call.user)
            return
        records.record(terminal, told, texts)
        if terminal.watched and run.changes:
            terminal.say("run.back.how", DIM, id=short(run.id))

    return Answer(shapes.record(told, raw=False), people, OTHER if run.status in TROUBLED else 0)


async def insights(call: Call) -> Answer:
    """What was found so far; with --now what was said is looked through first."""
    run: Run | None = None
    async with call.existing() if call.given.flag("now") else call.reading() as memory:
        if call.given.flag("now"):
            async with working(call.words("insights.working")):
                run = await memory.find_insights(**call.whose)
        found = await memory.insights(**call.whose)

    def people(terminal: Terminal) -> None:
        words = terminal.words
        if found:
            _insights(terminal, found, call)
        else:
            terminal.say("empty.insights", user=call.user)
            if run is None:
                terminal.say("empty.insights.how")
        if run is not None and terminal.watched and run.tally.messages:
            counted = records.counts(words, run.tally, messages=False) or words("insights.looked.nothing")
            terminal.say("insights.looked", DIM, messages=words.count("message", run.tally.messages), counts=counted)

    data = {"items": [shapes.flat(item) for item in found], "run": None if run is None else shapes.run(run, raw=False)}
    return Answer(data, people, OTHER if run is not None and run.status in TROUBLED else 0)


def _insights(terminal: Terminal, found: Sequence[KnowledgeItem], call: Call) -> None:
    words = terminal.words
    table = tables.blank(terminal)
    table.add_column(words("head.insight"), ratio=1 if terminal.watched else None)
    table.add_column(words("head.confidence"), no_wrap=True)
    table.add_column(words("head.id"), no_wrap=True, style="cyan")
    for item in found:
        told = Text(terminal.cell(item.content).plain, "bold")
        details = joined(
            [Text(words("insights.days", n=words.whole(item.observations))), Text(clean(item.evidence or ""))]
        )
        told.append("\n" if terminal.watched else "\t").append(details.plain, f"not bold {DIM}")
        sure = confidence(words, item, call.policy.confidence).append(f" {words.number(item.confidence)}")
        table.add_row(told, sure, short(item.id))
    terminal.show(table)
    if terminal.watched:
        terminal.say("insights.how", DIM)


def _plan(terminal: Terminal, plan: Sequence[Deed], user: str) -> None:
    words = terminal.words
    if not plan:
        terminal.say("garden.nothing", user=user)
        return
    deeds(terminal, plan)
    terminal.say("garden.would", "bold", count=words.count("deed", len(plan)))
    if terminal.watched:
        terminal.say("garden.would.how", DIM)


def deeds(terminal: Terminal, plan: Sequence[Deed], *, most: int = records.MOST_SHOWN) -> None:
    """What the gardener does, kind by kind, each with why and how it was before."""
    words = terminal.words
    for kind in DeedKind:
        some = [deed for deed in plan if deed.kind is kind]
        if not some:
            continue
        mark, colour = MARKS[kind]
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for deed in some[:most] if terminal.watched else some:
            line = (
                Text(terminal.cell(deed.shown).plain, "bold").append("  ").append(short(deed.ids[0]), "not bold cyan")
            )
            told = clean(" · ".join(filter(None, (recorded.part_of(words, deed), reason(words, deed.why)))))
            grid.add_row(
                Text(mark, f"{colour} bold"),
                line.append("\n" if terminal.watched else "\t").append(told, f"not bold {DIM}"),
            )
        if terminal.watched:
            terminal.show(Text(f"{words(f'deed.{kind}')} ({words.whole(len(some))})", "bold"))
        terminal.show(grid)
        if terminal.watched and len(some) > most:
            terminal.show(Text(f"   … +{words.whole(len(some) - most)}", DIM))
