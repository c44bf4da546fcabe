"""Contradictions: the case file, and the person's answer."""

from __future__ import annotations

import sys

from rich.panel import Panel
from rich.text import Text

from relembra.domain.audit import Actor
from relembra.domain.case import Outcome
from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces import shapes
from relembra.interfaces.cli import panels, pieces, tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.tables import DIM
from relembra.interfaces.cli.terminal import Terminal, clean, joined, short
from relembra.interfaces.cli.typed import one_line
from relembra.interfaces.cli.words import Words
from relembra.interfaces.reasons import reason, who
from relembra.learn.asking import question
from relembra.learn.casework import ANSWERS, Conflict
from relembra.memory import Memory
from relembra.recall.asked import Listing

STYLES = {Outcome.OPEN: "yellow", Outcome.UNDONE: DIM}
NUMBERED = (Outcome.OLD, Outcome.NEW, Outcome.BOTH, Outcome.NEITHER)
"""The answers in the order they are offered to whoever is asked."""


async def conflicts(call: Call) -> Answer:
    given = call.given
    limit, open_only = given.whole("limit"), given.flag("open")
    async with call.reading() as memory:
        listing = await memory.conflicts(
            open_only=open_only,
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            limit=50 if limit is None else limit,
            after=given.maybe("after"),
            **call.whose,
        )

    def people(terminal: Terminal) -> None:
        if listing:
            _table(terminal, listing)
        else:
            terminal.say("empty.conflicts.open" if open_only else "empty.conflicts", user=call.user)

    return Answer({"items": [shapes.conflict(each) for each in listing], "next": listing.next}, people)


async def show(call: Call) -> Answer:
    async with call.reading() as memory:
        found = await _named(call, memory)
    return Answer(shapes.conflict(found), lambda terminal: _panel(terminal, found))


async def settle(call: Call) -> Answer:
    keep = call.given.token("keep")
    if keep is not None and keep not in ANSWERS:
        raise InvalidInputError(f"keep {keep!r} is no answer; say new, old, both or neither", field="keep")
    async with call.existing() as memory:
        found = await _named(call, memory)
        if keep is None:
            keep = _asked(call, found)
        if keep is None:
            return Answer(shapes.conflict(found), lambda terminal: terminal.say("conflicts.left_open"))
        settled = await memory.resolve(found.id, keep=keep, by=call.given.who("by"), **call.whose)

    def people(terminal: Terminal) -> None:
        terminal.say("conflicts.settled", "green bold", outcome=terminal.words(f"outcome.{settled.case.outcome}"))
        _sides(terminal, settled)
        terminal.say("conflicts.undo.how", DIM, id=short(settled.id))

    return Answer(shapes.conflict(settled), people)


async def undo(call: Call) -> Answer:
    async with call.existing() as memory:
        found = await _named(call, memory)
        back = await memory.reopen(found.id, by=call.given.who("by"), **call.whose)

    def people(terminal: Terminal) -> None:
        terminal.say("conflicts.undone", "green bold")
        _sides(terminal, back)
        if back.case.outcome is Outcome.OPEN:
            terminal.say("conflicts.settle.how", DIM, id=short(back.id))

    return Answer(shapes.conflict(back), people)


async def _named(call: Call, memory: Memory) -> Conflict:
    """The case an id or a piece of one names: its own, or that of an item in it."""
    word = call.given.required("id")

    async def page(after: str | None) -> Listing[Conflict]:
        return await memory.conflicts(limit=pieces.PAGE, after=after, **call.whose)

    found = await pieces.named(word, page)
    if found is not None:
        return found
    try:
        item = await memory.find(word, **call.whose)
        return await memory.conflict(item.id, **call.whose)
    except NotFoundError:
        raise NotFoundError("case", word) from None


def _asked(call: Call, found: Conflict) -> Outcome | None:
    """What the person at the terminal says, None to leave it open; without a terminal nobody is asked."""
    if not sys.stdin.isatty():
        raise UsageError("conflicts.cannot_ask", command="conflicts settle")
    words = call.words
    terminal = Terminal(words)
    terminal.show(Text(clean(question(found.case, found.old, found.new, words.language).text), "bold"))
    for number, outcome in enumerate(NUMBERED, start=1):
        side = {Outcome.OLD: found.old, Outcome.NEW: found.new}.get(outcome)
        line = Text(f"  {number}  ", "cyan").append(words(f"answer.{outcome}"))
        terminal.show(line.append(f"  “{clean(side.content)}”", DIM) if side else line)
    while True:
        sys.stderr.write(words("conflicts.ask"))
        sys.stderr.flush()
        typed = one_line()
        if not typed.strip():
            return None
        answered = _answer(words, typed.strip())
        if answered is not None:
            return answered
        terminal.say("conflicts.ask.again", "yellow")


def _answer(words: Words, typed: str) -> Outcome | None:
    """Which answer a number or a word in either language is."""
    if typed.isdecimal() and 1 <= int(typed) <= len(NUMBERED):
        return NUMBERED[int(typed) - 1]
    word = words.token("keep", typed)
    return Outcome(word) if word in ANSWERS else None


def _table(terminal: Terminal, listing: Listing[Conflict]) -> None:
    words = terminal.words
    table = tables.blank(terminal)
    table.add_column(words("head.when"), no_wrap=True, style=DIM)
    table.add_column(words("head.sides"), ratio=1 if terminal.watched else None)
    if terminal.roomy:
        table.add_column(words("head.outcome"))
        table.add_column(words("head.why"), style=DIM, max_width=36 if terminal.watched else None)
    table.add_column(words("head.id"), no_wrap=True, style="cyan")
    for row in listing:
        state = Text(words(f"outcome.{row.case.outcome}"), STYLES.get(row.case.outcome, "green"))
        why = Text(clean(reason(words, row.case.why)))
        sides = Text("\n" if terminal.watched else " → ").join(
            [terminal.cell(row.old.content, DIM), terminal.cell(row.new.content)]
        )
        if not terminal.roomy:
            why.stylize(DIM)
            sides = Text("\n").join([sides, joined([state, why])])
        aside = [state, why] if terminal.roomy else []
        table.add_row(terminal.date(row.case.opened_at), sides, *aside, short(row.id))
    terminal.show(table)
    tables.more(terminal, listing.next)


def _sides(terminal: Terminal, found: Conflict) -> None:
    terminal.show(panels.pairs(_side_rows(terminal, found)))


def _side_rows(terminal: Terminal, found: Conflict) -> panels.Rows:
    words = terminal.words
    rows: panels.Rows = []
    for label, item in (("conflicts.before", found.old), ("conflicts.now", found.new)):
        state = tables.state(words, item)
        details = [Text(terminal.date(item.held_from), DIM), state, Text(short(item.id), "cyan")]
        content = Text.assemble((terminal.cell(item.content).plain, "bold"))
        rows.append((words(label), content.append("\n" if terminal.watched else "  ").append(joined(details))))
    return rows


def _panel(terminal: Terminal, found: Conflict) -> None:
    words, case = terminal.words, found.case
    judged = words("conflicts.by_rule") if case.judged_by == "rule" else clean(case.judged_by)
    asked = words("label.used.times", n=case.asked) if case.asked else ""
    if case.asked_at is not None:
        asked += f" ({terminal.moment(case.asked_at)})"
    settled = terminal.moment(case.settled_at) if case.settled_at is not None else ""
    if case.settled_by is not None:
        settled += "  " + words("history.by", who=clean(who(words, Actor.parse(case.settled_by))))
    state = Text(words(f"outcome.{case.outcome}"), STYLES.get(case.outcome, "green"))
    told: panels.Rows = [
        ("outcome", state),
        ("why", clean(reason(words, case.why))),
        ("judged", judged + (f"  {words.number(case.certainty)}" if case.certainty < 1 else "")),
        ("opened", terminal.moment(case.opened_at)),
        ("asked", asked),
        ("settled", settled),
        ("id", Text(case.id, "cyan")),
    ]
    rows: panels.Rows = [
        *_side_rows(terminal, found),
        *((words(f"label.{key}"), value) for key, value in told if value),
    ]
    if terminal.watched:
        title = words("conflicts.title")
        terminal.show(Panel(panels.pairs(rows), title=title, title_align="left", border_style=DIM, padding=(0, 1)))
    else:
        terminal.show(panels.pairs(rows))
    if case.outcome is Outcome.OPEN and terminal.watched:
        terminal.say("conflicts.settle.how", DIM, id=short(case.id))
