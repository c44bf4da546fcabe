"""Learning from what was said: learn, and preview."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from relembra.domain.case import Outcome
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import person
from relembra.interfaces import shapes
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.tables import DIM, confidence, kind
from relembra.interfaces.cli.terminal import Terminal, clean, joined, note, short, working
from relembra.interfaces.reasons import reason
from relembra.interfaces.troubles import aside
from relembra.learn.casework import Conflict
from relembra.learn.learner import Learnt
from relembra.listen.filters import Refusal
from relembra.memory import Memory
from relembra.understanding import Foreseen

MARKS = {
    "add": ("+", "green"),
    "repeat": ("=", "cyan"),
    "replace": ("→", "green"),
    "history": ("↺", "yellow"),
    "ask": ("?", "yellow"),
}
SAID_BELOW = ("replace", "history")
"""The verdicts which the line about the other item says already."""
MOST_OPEN = 1_000


async def learn(call: Call) -> Answer:
    """Flushes and learns; stopped, or without the model it needs, it says that nothing is lost."""
    from relembra.interfaces.cli.failures import INTERRUPTED, OTHER

    given, scope = call.given, person(call.settings.tenant, call.user)
    try:
        async with call.existing() as memory:
            open_before = await _open(call, memory)
            async with working(call.words("learn.working")):
                learnt = await memory.learn(space=given.maybe("space"), channel=given.maybe("channel"), **call.whose)
            settled = await _settled(call, memory, open_before)
            left = [job for job in await memory.failed_jobs() if job.scope == scope]
    except asyncio.CancelledError:  # Ctrl-C; what is done is stored step by step
        return Answer({"stopped": True}, lambda terminal: terminal.say("learn.stopped"), INTERRUPTED)

    def people(terminal: Terminal) -> None:
        rows = [Foreseen.of(decision) for decision in learnt.decisions]
        if rows:
            outcomes(terminal, rows, call.policy.confidence, cases={case.new_id: case.id for case in learnt.opened})
        for conflict in settled:
            _show_settled(terminal, conflict)
        if rows or settled:
            terminal.say("learn.summary", "bold", counts=_counts(terminal, learnt, settled))
        elif not learnt.waiting:
            terminal.say("learn.nothing", user=call.user)
        if learnt.unread:
            terminal.say("learn.unread", "yellow", count=call.words.count("message", learnt.unread))
        if learnt.waiting:
            terminal.say("learn.waiting", "yellow", count=call.words.count("job", learnt.waiting))
            if learnt.why:
                terminal.show(Text(clean(aside(call.words, learnt.why)), DIM))
        elif left:
            note(call.words("learn.left", count=call.words.count("job", len(left))))

    return Answer(shapes.learnt(learnt, settled), people, OTHER if learnt.waiting else 0)


async def preview(call: Call) -> Answer:
    given = call.given
    text = given.text("text") or ""
    async with call.reading() as memory:
        refused = await memory.refusal(space=given.maybe("space"), **call.whose)
        foreseen = await memory.preview(
            text,
            at=given.moment("at"),
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            **call.whose,
        )

    def people(terminal: Terminal) -> None:
        if foreseen:
            outcomes(terminal, foreseen, call.policy.confidence)
            terminal.say("preview.nothing_kept", DIM)
        else:
            terminal.say(_why_nothing(refused, text, foreseen.unread), user=call.user, space=given.maybe("space"))

    return Answer(shapes.forecast(foreseen), people)


def outcomes(
    terminal: Terminal,
    rows: Sequence[Foreseen],
    policy: ConfidencePolicy,
    cases: dict[str, str] | None = None,
) -> None:
    """What becomes of each thing said; `cases`: the case about a new item, where what was foreseen has happened."""
    words = terminal.words
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for row in rows:
        mark, colour = MARKS[row.verdict]
        details = joined([kind(words, row.item), confidence(words, row.item, policy)])
        details.stylize(DIM)
        if cases is not None:
            details.append(" · ").append(short(row.item.id), "cyan")
        lines = [Text(clean(row.item.content), "bold"), details, *_against(terminal, row)]
        if cases and row.item.id in cases:
            lines.append(Text(words("conflicts.settle.how", id=short(cases[row.item.id])), DIM))
        verdict = Text(words(f"verdict.{row.verdict}"), colour)
        if terminal.watched:
            led = lines[1] if row.verdict in SAID_BELOW else verdict.append(" · ", DIM).append(lines[1])
            grid.add_row(Text(mark, f"{colour} bold"), Text("\n").join([lines[0], led, *lines[2:]]))
        else:
            grid.add_row(verdict, Text("\t").join([*lines[:2], *([Text("; ").join(lines[2:])] if lines[2:] else [])]))
    terminal.show(grid)


def _against(terminal: Terminal, row: Foreseen) -> list[Text]:
    """What it repeats, replaces or contradicts, each with its date, and why."""
    words = terminal.words
    if row.verdict == "repeat":
        times = words("verdict.times", n=row.item.observations)
        return [Text(times, DIM)]
    lines = [
        Text(
            words(f"verdict.{row.verdict}.against", content=clean(old.content), date=terminal.date(old.held_from)), DIM
        )
        for old in row.against
    ]
    if lines:
        lines[-1].append(f" ({clean(reason(words, row.why))})", DIM)
    return lines


async def _open(call: Call, memory: Memory) -> list[Conflict]:
    """The questions that wait for the person, some of which what was said may answer."""
    return list(await memory.conflicts(open_only=True, limit=MOST_OPEN, **call.whose))


async def _settled(call: Call, memory: Memory, before: Sequence[Conflict]) -> list[Conflict]:
    """Those of the questions that are answered now."""
    still = {conflict.id for conflict in await _open(call, memory)} if before else set()
    now = [await memory.conflict(conflict.id, **call.whose) for conflict in before if conflict.id not in still]
    return [conflict for conflict in now if conflict.case.outcome is not Outcome.OPEN]


def _show_settled(terminal: Terminal, conflict: Conflict) -> None:
    words = terminal.words
    line = Text("✓  " if terminal.watched else "", "green bold").append(words("learn.settled"), "green")
    line.append("  ").append(words(f"outcome.{conflict.case.outcome}"))
    sides = words("conflicts.sides", old=clean(conflict.old.content), new=clean(conflict.new.content))
    terminal.show(line.append("\n   " if terminal.watched else "\t").append(sides, DIM))


def _counts(terminal: Terminal, learnt: Learnt, settled: Sequence[Conflict]) -> str:
    numbers = {
        "added": len(learnt.added),
        "repeated": len(learnt.repeated),
        "ended": len(learnt.ended),
        "opened": len(learnt.opened),
        "settled": len(settled),
    }
    return " · ".join(terminal.words.count(f"learnt.{name}", number) for name, number in numbers.items() if number)


def _why_nothing(refused: Refusal | None, text: str, unread: bool) -> str:
    """The sentence that says why nothing would be learnt."""
    if unread:
        return "preview.unread"
    if refused is not None:
        return "preview.blocked" if refused is Refusal.BLOCKED else "preview.off"
    return "preview.question" if text.rstrip().endswith("?") else "preview.nothing"
