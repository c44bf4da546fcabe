"""Night work: do a person's now, read its records, and take one back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from shlex import quote as quoted
from typing import TypedDict

from rich.table import Table
from rich.text import Text

from relembra.domain.run import Run, RunKind, RunStatus
from relembra.errors import InvalidInputError
from relembra.interfaces import recorded, shapes
from relembra.interfaces.cli import records
from relembra.interfaces.cli.asking import agreed
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.failures import INTERRUPTED, OTHER
from relembra.interfaces.cli.tables import DIM
from relembra.interfaces.cli.terminal import Terminal, clean, short, working
from relembra.interfaces.cli.words import Words
from relembra.interfaces.differences import Difference, differences
from relembra.interfaces.reasons import why_left
from relembra.interfaces.times import day
from relembra.learn.rollback import RolledBack

ALL = "all"
TROUBLED = (RunStatus.PARTIAL, RunStatus.FAILED)


class _Whose(TypedDict):
    """A person or a space, and the tenant."""

    user: str | None
    space: str | None
    tenant: str


async def consolidate(call: Call) -> Answer:
    """What is done stays done: stopped or half done, it says so, and its record tells the rest."""
    try:
        async with call.existing() as memory, working(call.words("consolidate.working")):
            run = await memory.consolidate(**call.whose)
            if run is None:
                return Answer(None, lambda terminal: terminal.say("consolidate.nothing", user=call.user))
            told = await memory.consolidation(run.id, **call.whose)
            texts = await recorded.texts_of(memory, differences(told.entries), call.whose)
    except asyncio.CancelledError:  # Ctrl-C; each step is stored as it comes
        return Answer({"stopped": True}, lambda terminal: terminal.say("consolidate.stopped"), INTERRUPTED)

    def people(terminal: Terminal) -> None:
        records.record(terminal, told, texts)
        if run.status in TROUBLED:
            terminal.say("run.unlearnt.how", DIM)
        if terminal.watched and run.changes:
            terminal.say("run.back.how", DIM, id=short(run.id))

    return Answer(shapes.record(told, raw=False), people, OTHER if run.status in TROUBLED else 0)


async def consolidations(call: Call) -> Answer:
    return await (_listed(call) if call.given.maybe("id") is None else _shown(call))


async def _listed(call: Call) -> Answer:
    given = call.given
    kinds = _kinds(call)
    limit, everybody, space = given.whole("limit"), given.flag("everybody"), given.maybe("space")
    async with call.reading() as memory:
        listing = await memory.consolidations(
            user=None if everybody or space is not None else call.user,
            space=space,
            kind=kinds,
            limit=50 if limit is None else limit,
            after=given.maybe("after"),
            tenant=call.settings.tenant,
        )

    def people(terminal: Terminal) -> None:
        if listing:
            records.table(terminal, listing, everybody=everybody)
        elif space is not None and not given.many("kind"):
            terminal.say("empty.runs.space", space=clean(space))
        elif kinds != [RunKind.CONSOLIDATION]:
            terminal.say("empty.runs.kind")
        else:
            terminal.say("empty.runs.everybody" if everybody else "empty.runs", user=call.user)

    return Answer({"items": [shapes.run(each, raw=False) for each in listing], "next": listing.next}, people)


def _kinds(call: Call) -> list[str] | None:
    """The kinds of record asked for; None: every kind."""
    asked = [call.words.token("run", word) for word in call.given.many("kind")]
    if ALL in asked:
        return None
    if unknown := [kind for kind in asked if kind not in set(RunKind)]:
        raise InvalidInputError(f"there is no kind of record {unknown[0]!r}", field="kind")
    if not asked and call.given.maybe("space") is not None:
        return None
    return asked or [RunKind.CONSOLIDATION]


def _whose(call: Call) -> _Whose:
    """Whose records: a space's as a whole where one is named, else the person's."""
    space, tenant = call.given.maybe("space"), call.settings.tenant
    return {"user": call.user if space is None else None, "space": space, "tenant": tenant}


def _how(terminal: Terminal, key: str, run: Run) -> None:
    """Say what to type next about a record."""
    space = run.scope.space
    terminal.say(key if space is None else f"{key}.space", DIM, id=short(run.id), space=quoted(space or ""))


async def _shown(call: Call) -> Answer:
    raw = call.given.flag("raw")
    async with call.reading() as memory:
        told = await memory.consolidation(call.given.required("id"), **_whose(call))
        space = call.given.maybe("space")
        texts = await recorded.texts_of(memory, differences(told.entries), call.whose, space=space)

    def people(terminal: Terminal) -> None:
        words, run = terminal.words, told.run
        if raw:
            terminal.show(Text(words("run.raw") if run.raw else words("run.no_raw"), "bold" if run.raw else DIM))
            if run.raw:
                terminal.show(Text(clean(run.raw, breaks=True)))
            return
        records.record(terminal, told, texts)
        if terminal.watched:
            if run.raw:
                _how(terminal, "run.raw.how", run)
            if run.changes and run.status is not RunStatus.ROLLED_BACK:
                _how(terminal, "run.back.how", run)

    return Answer(shapes.record(told, raw=raw), people)


async def rollback(call: Call) -> Answer:
    """Says what will be taken back and asks; then what was, what was left and why, and how to undo it."""
    words, given = call.words, call.given
    async with call.existing() as memory:
        told = await memory.consolidation(given.required("id"), **_whose(call))
        rows = differences(told.entries)
        if not given.flag("yes") and not agreed(call, _question(words, told.run), cannot="rollback.cannot"):
            nothing = RolledBack(told.run, (), (), None)
            return Answer(shapes.rolled_back(nothing), lambda terminal: terminal.say("rollback.kept"))
        texts = await recorded.texts_of(memory, rows, call.whose, space=given.maybe("space"))
        done = await memory.rollback(told.run.id, by=given.who("by"), **_whose(call))
    return Answer(shapes.rolled_back(done), lambda terminal: _back(terminal, done, rows, texts))


def _question(words: Words, run: Run) -> str:
    """What exactly will be taken back."""
    return words(
        "rollback.ask",
        work=words.name("run", run.kind),
        when=day(words, run.night or run.started_at.astimezone().date()),
        counts=records.counts(words, run.tally, messages=False) or words("run.nothing"),
    )


def _back(terminal: Terminal, done: RolledBack, rows: Sequence[Difference], texts: recorded.Texts) -> None:
    words = terminal.words
    if not done.restored and not done.left:
        terminal.say("rollback.nothing")
        return
    numbers = {"restored": len(done.restored), "left": len(done.left)}
    told = " · ".join(words.count(name, number) for name, number in numbers.items() if number)
    terminal.say("rollback.done", "green bold", counts=told)
    new = {row.id for row in rows if row.before is None}
    left = {one.id: clean(why_left(words, one.why)) for one in done.left}
    lines: list[tuple[str, str, str]] = []
    for id in done.restored:
        state = words("rollback.gone" if id in new else "rollback.restored")
        lines.append(("↺", id, "; ".join(part for part in (state, left.pop(id, "")) if part)))
    lines += [("=", id, why) for id, why in left.items()]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for mark, id, said in lines:
        text = Text(terminal.cell(texts.get(id) or words("diff.forgotten")).plain, "bold")
        text.append("  ").append(short(id), "not bold cyan")
        grid.add_row(
            Text(mark, "green" if mark == "↺" else "yellow"),
            text.append("\n" if terminal.watched else "\t").append(said, f"not bold {DIM}"),
        )
    terminal.show(grid)
    if done.change is not None and done.run.scope.space is None:
        terminal.say("rollback.undo", DIM, change=done.change)
