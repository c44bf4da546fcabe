"""What is learnt from what was said, and the contradictions that come up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from rich.text import Text

from relembra.domain.audit import Actor
from relembra.domain.case import Outcome
from relembra.domain.scope import person
from relembra.errors import InvalidInputError, NotFoundError
from relembra.ingest.intake import Refusal
from relembra.interfaces import shapes
from relembra.interfaces.cli.call import OTHER, PAGE, Answer, Call, by_piece, verb
from relembra.interfaces.cli.items import confidence, kind, state
from relembra.interfaces.cli.terminal import (
    DIM,
    Cell,
    Rows,
    Terminal,
    clean,
    joined,
    note,
    pairs,
    short,
    stacked,
    table,
    working,
)
from relembra.interfaces.failures import aside
from relembra.interfaces.sentences import reason, who
from relembra.learn.casework import ANSWERS, Conflict
from relembra.learn.learner import Learnt
from relembra.lessons import Foreseen
from relembra.memory import Memory

MARKS = {
    "add": ("+", "green"),
    "repeat": ("=", "cyan"),
    "replace": ("→", "green"),
    "history": ("↺", "yellow"),
    "ask": ("?", "yellow"),
}
SAID_BELOW = ("replace", "history")
"""The verdicts which the line about the other item says already."""
STYLES = {Outcome.OPEN: "yellow", Outcome.UNDONE: DIM}


async def learn(call: Call, **place: Any) -> Answer:
    """Flushes and learns; without the model it needs, it says that nothing is lost."""
    scope = person(call.tenant, call.user)
    async with call.existing() as memory:
        open_before = await _open(call, memory)
        with working(call.words("learn.working")):
            learnt = await memory.learn(**place, **call.person)
        still = {conflict.id for conflict in await _open(call, memory)} if open_before else set()
        asked = [await memory.conflict(one.id, **call.person) for one in open_before if one.id not in still]
        settled = [conflict for conflict in asked if conflict.case.outcome is not Outcome.OPEN]
        left = [job for job in await memory.failed_jobs() if job.scope == scope]

    def show(terminal: Terminal, learnt: Learnt) -> None:
        words = terminal.words
        rows = [Foreseen.of(decision) for decision in learnt.decisions]
        outcomes(terminal, rows, cases={case.new_id: case.id for case in learnt.opened})
        for conflict in settled:
            show_settled(terminal, conflict)
        if rows or settled:
            terminal.say("learn.summary", "bold", counts=_counts(terminal, learnt, settled))
        elif not learnt.waiting:
            terminal.say("learn.nothing")
        if learnt.unread:
            terminal.say("learn.unread", "yellow", count=words.count("message", learnt.unread))
        if learnt.waiting:
            terminal.say("learn.waiting", "yellow", count=words.count("job", learnt.waiting))
            if learnt.why:
                terminal.show(Text(clean(aside(words, learnt.why)), DIM))
        elif left:
            note(words("learn.left", count=words.count("job", len(left))))

    return Answer(learnt, show, OTHER if learnt.waiting else 0, shapes.learnt(learnt, settled))


async def _open(call: Call, memory: Memory) -> list[Conflict]:
    """The questions that wait for the person, some of which what was said may answer."""
    return list(await memory.conflicts(open_only=True, limit=PAGE, **call.person))


def _counts(terminal: Terminal, learnt: Learnt, settled: Sequence[Conflict]) -> str:
    numbers = {name: len(getattr(learnt, name)) for name in ("added", "repeated", "ended", "opened")}
    numbers["settled"] = len(settled)
    return " · ".join(terminal.words.count(f"learnt.{name}", number) for name, number in numbers.items() if number)


async def preview(call: Call, *, text: str, space: str | None = None, **rest: Any) -> Answer:
    async with call.reading() as memory:
        refused = await memory.refusal(space=space, **call.person)
        foreseen = await memory.preview(text, space=space, **rest, **call.person)

    def show(terminal: Terminal, _: Any) -> None:
        outcomes(terminal, foreseen)
        if foreseen:
            terminal.say("preview.nothing_kept", DIM)
        elif foreseen.unread:
            terminal.say("preview.unread")
        elif refused is not None:
            terminal.say("preview.blocked" if refused is Refusal.BLOCKED else "preview.off", space=space)
        else:
            terminal.say("preview.question" if text.rstrip().endswith("?") else "preview.nothing")

    return Answer(foreseen, show)


def outcomes(terminal: Terminal, rows: Sequence[Foreseen], cases: dict[str, str] | None = None) -> None:
    """What becomes of each thing said; `cases`: the case about a new item, where what was foreseen has happened."""
    words = terminal.words
    shown: list[tuple[Cell, Cell]] = []
    for row in rows:
        mark, colour = MARKS[row.verdict]
        id = Text("" if cases is None else short(row.item.id), "cyan")
        details = joined([Text(joined([kind(words, row.item), confidence(terminal, row.item)]).plain, DIM), id])
        content, rest = Text(clean(row.item.content), "bold"), _against(terminal, row)
        if cases and row.item.id in cases:
            rest.append(Text(words("conflicts.settle.how", id=short(cases[row.item.id])), DIM))
        verdict = Text(words(f"verdict.{row.verdict}"), colour)
        if terminal.watched:
            led = details if row.verdict in SAID_BELOW else joined([verdict, details])
            shown.append((Text(mark, f"{colour} bold"), stacked([content, led, *rest])))
        else:
            shown.append((verdict, joined([content, details, joined(rest, "; ")], "\t")))
    if shown:
        terminal.show(pairs(shown, ""))


def _against(terminal: Terminal, row: Foreseen) -> list[Text]:
    """What it repeats, replaces or contradicts, each with its date, and why."""
    words = terminal.words
    if row.verdict == "repeat":
        return [Text(words("verdict.times", n=row.item.observations), DIM)]
    key = f"verdict.{row.verdict}.against"
    lines = [
        Text(words(key, content=clean(old.content), date=terminal.date(old.held_from)), DIM) for old in row.against
    ]
    if lines:
        lines[-1].append(f" ({clean(reason(words, row.why))})", DIM)
    return lines


def show_settled(terminal: Terminal, conflict: Conflict) -> None:
    words = terminal.words
    line = Text("✓  " if terminal.watched else "", "green bold").append(words("learn.settled"), "green")
    line.append("  ").append(words(f"outcome.{conflict.case.outcome}"))
    sides = words("conflicts.sides", old=clean(conflict.old.content), new=clean(conflict.new.content))
    terminal.show(line.append("\n   " if terminal.watched else "\t").append(sides, DIM))


# ── contradictions ────────────────────────────────────────────────────────────────────────────────────────────────


async def conflicts(call: Call, **asked: Any) -> Answer:
    show = table(
        "when sides* outcome~/ why~/ id",
        "empty.conflicts.open" if "open_only" in asked else "empty.conflicts",
        when=lambda terminal, found: terminal.date(found.case.opened_at),
        sides=_both,
        outcome=_outcome,
        why=lambda terminal, found: clean(reason(terminal.words, found.case.why)),
    )
    return await verb("conflicts", show)(call, **asked)


async def show_case(call: Call, *, id: str) -> Answer:
    async with call.reading() as memory:
        return Answer(await _named(call, memory, id), _panel)


async def settle(call: Call, *, id: str, keep: str, **by: Any) -> Answer:
    if keep not in ANSWERS:
        raise InvalidInputError(f"keep {keep!r} is no answer; say new, old, both or neither", field="keep")
    async with call.existing() as memory:
        found = await _named(call, memory, id)
        settled = await memory.resolve(found.id, keep=keep, **by, **call.person)
    return Answer(settled, partial(_decided, key="conflicts.settled"))


async def undo_case(call: Call, *, id: str, **by: Any) -> Answer:
    async with call.existing() as memory:
        back = await memory.reopen((await _named(call, memory, id)).id, **by, **call.person)
    return Answer(back, partial(_decided, key="conflicts.undone"))


def _decided(terminal: Terminal, found: Conflict, key: str) -> None:
    """What was decided, both sides as they stand now, and how to decide otherwise."""
    outcome = found.case.outcome
    terminal.say(key, "green bold", outcome=terminal.words(f"outcome.{outcome}"))
    terminal.show(pairs(_sides(terminal, found)))
    if outcome is not Outcome.UNDONE:
        how = "conflicts.settle.how" if outcome is Outcome.OPEN else "conflicts.undo.how"
        terminal.say(how, DIM, id=short(found.id))


async def _named(call: Call, memory: Memory, word: str) -> Conflict:
    """The case an id or a piece of one names: its own, or that of an item in it."""
    found: Conflict | None = await by_piece(
        word, lambda after: memory.conflicts(limit=PAGE, after=after, **call.person)
    )
    if found is not None:
        return found
    try:
        item = await memory.find(word, **call.person)
        return await memory.conflict(item.id, **call.person)
    except NotFoundError:
        raise NotFoundError("case", word) from None


def _outcome(terminal: Terminal, found: Conflict) -> Text:
    outcome = found.case.outcome
    return Text(terminal.words(f"outcome.{outcome}"), STYLES.get(outcome, "green"))


def _both(terminal: Terminal, found: Conflict) -> Text:
    sides = [terminal.cell(found.old.content, DIM), terminal.cell(found.new.content)]
    return joined(sides, "\n" if terminal.watched else " → ")


def _sides(terminal: Terminal, found: Conflict) -> Rows:
    rows: Rows = []
    for label, item in (("conflicts.before", found.old), ("conflicts.now", found.new)):
        details = joined([terminal.date(item.held_from), state(terminal.words, item), Text(short(item.id), "cyan")])
        content = Text(terminal.cell(item.content).plain, "bold")
        rows.append((terminal.words(label), joined([content, details], "\n" if terminal.watched else "  ")))
    return rows


def _panel(terminal: Terminal, found: Conflict) -> None:
    words, case = terminal.words, found.case
    judged = words("conflicts.by_rule") if case.judged_by == "rule" else clean(case.judged_by)
    settler = "" if case.settled_by is None else clean(who(words, Actor.parse(case.settled_by)))
    rows = {
        "outcome": _outcome(terminal, found),
        "why": clean(reason(words, case.why)),
        "judged": joined([judged, words.number(case.certainty) if case.certainty < 1 else ""], "  "),
        "opened": case.opened_at,
        "asked": joined(
            [words("label.used.times", n=case.asked) if case.asked else "", terminal.value(case.asked_at)], ", "
        ),
        "settled": joined([terminal.value(case.settled_at), settler and words("history.by", who=settler)], "  "),
        "id": case.id,
    }
    terminal.panel([*_sides(terminal, found), *terminal.labels(rows)], words("conflicts.title"))
    if case.outcome is Outcome.OPEN:
        terminal.hint("conflicts.settle.how", id=short(case.id))
