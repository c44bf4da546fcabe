"""What is learnt from what was said, and the contradictions that come up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from rich.text import Text

from relembra.domain.audit import Actor
from relembra.domain.case import Outcome
from relembra.domain.scope import person
from relembra.errors import InvalidInputError, NotFoundError
from relembra.ingest.intake import Refusal
from relembra.interfaces import shapes
from relembra.interfaces.cli import call as calls
from relembra.interfaces.cli.call import OTHER, PAGE, Answer, Call, answered, by_piece, saying, stopped, table, verb
from relembra.interfaces.cli.items import confidence, kind, state
from relembra.interfaces.cli.terminal import DIM, Cell, Rows, Terminal, clean, joined, note, pairs, short, working
from relembra.interfaces.cli.words import token
from relembra.interfaces.failures import aside
from relembra.interfaces.reasons import reason, who
from relembra.learn.casework import ANSWERS, Conflict, question
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
NUMBERED = (Outcome.OLD, Outcome.NEW, Outcome.BOTH, Outcome.NEITHER)
"""The answers in the order they are offered to whoever is asked."""


async def learn(call: Call, **place: Any) -> Answer:
    """Flushes and learns; stopped, or without the model it needs, it says that nothing is lost."""
    scope = person(call.tenant, call.user)
    try:
        async with call.existing() as memory:
            open_before = await _open(call, memory)
            async with working(call.words("learn.working")):
                learnt = await memory.learn(**place, **call.person)
            settled = await _settled(call, memory, open_before)
            left = [job for job in await memory.failed_jobs() if job.scope == scope]
    except asyncio.CancelledError:  # Ctrl-C; what is done is stored step by step
        return stopped("learn.stopped")

    def people(terminal: Terminal) -> None:
        words = terminal.words
        rows = [Foreseen.of(decision) for decision in learnt.decisions]
        if rows:
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

    return Answer(shapes.learnt(learnt, settled), people, OTHER if learnt.waiting else 0)


async def preview(call: Call, *, text: str, space: str | None = None, **rest: Any) -> Answer:
    said = calls.text(text, "text")
    async with call.reading() as memory:
        refused = await memory.refusal(space=space, **call.person)
        foreseen = await memory.preview(said, space=space, **rest, **call.person)

    def people(terminal: Terminal) -> None:
        if foreseen:
            outcomes(terminal, foreseen)
            terminal.say("preview.nothing_kept", DIM)
        else:
            terminal.say(_why_nothing(refused, said, foreseen.unread), user=call.user, space=space)

    return Answer(foreseen, people)


def _why_nothing(refused: Refusal | None, text: str, unread: bool) -> str:
    """The sentence that says why nothing would be learnt."""
    if unread:
        return "preview.unread"
    if refused is not None:
        return "preview.blocked" if refused is Refusal.BLOCKED else "preview.off"
    return "preview.question" if text.rstrip().endswith("?") else "preview.nothing"


async def _open(call: Call, memory: Memory) -> list[Conflict]:
    """The questions that wait for the person, some of which what was said may answer."""
    return list(await memory.conflicts(open_only=True, limit=PAGE, **call.person))


async def _settled(call: Call, memory: Memory, before: Sequence[Conflict]) -> list[Conflict]:
    """Those of the questions that are answered now."""
    still = {conflict.id for conflict in await _open(call, memory)} if before else set()
    now = [await memory.conflict(conflict.id, **call.person) for conflict in before if conflict.id not in still]
    return [conflict for conflict in now if conflict.case.outcome is not Outcome.OPEN]


def outcomes(
    terminal: Terminal,
    rows: Sequence[Foreseen],
    cases: dict[str, str] | None = None,
) -> None:
    """What becomes of each thing said; `cases`: the case about a new item, where what was foreseen has happened."""
    words = terminal.words
    shown: list[tuple[Cell, Cell]] = []
    for row in rows:
        mark, colour = MARKS[row.verdict]
        details = joined([kind(words, row.item), confidence(terminal, row.item)])
        details.stylize(DIM)
        if cases is not None:
            details.append(" · ").append(short(row.item.id), "cyan")
        content, rest = Text(clean(row.item.content), "bold"), _against(terminal, row)
        if cases and row.item.id in cases:
            rest.append(Text(words("conflicts.settle.how", id=short(cases[row.item.id])), DIM))
        verdict = Text(words(f"verdict.{row.verdict}"), colour)
        if terminal.watched:
            led = details if row.verdict in SAID_BELOW else verdict.append(" · ", DIM).append(details)
            shown.append((Text(mark, f"{colour} bold"), Text("\n").join([content, led, *rest])))
        else:
            shown.append((verdict, Text("\t").join([content, details, *([Text("; ").join(rest)] if rest else [])])))
    terminal.marked(shown)


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


def _counts(terminal: Terminal, learnt: Learnt, settled: Sequence[Conflict]) -> str:
    numbers = {
        "added": len(learnt.added),
        "repeated": len(learnt.repeated),
        "ended": len(learnt.ended),
        "opened": len(learnt.opened),
        "settled": len(settled),
    }
    return " · ".join(terminal.words.count(f"learnt.{name}", number) for name, number in numbers.items() if number)


# ── contradictions ────────────────────────────────────────────────────────────────────────────────────────────────


async def show_case(call: Call, *, id: str) -> Answer:
    async with call.reading() as memory:
        found = await _named(call, memory, id)
    return Answer(found, lambda terminal: _panel(terminal, found))


async def settle(call: Call, *, id: str, keep: str | None = None, **by: Any) -> Answer:
    if keep is not None and keep not in ANSWERS:
        raise InvalidInputError(f"keep {keep!r} is no answer; say new, old, both or neither", field="keep")
    async with call.existing() as memory:
        found = await _named(call, memory, id)
        keep = keep or _asked(call, found)
        if keep is None:
            return saying(found, "conflicts.left_open")
        settled = await memory.resolve(found.id, keep=keep, **by, **call.person)

    def people(terminal: Terminal) -> None:
        terminal.say("conflicts.settled", "green bold", outcome=terminal.words(f"outcome.{settled.case.outcome}"))
        terminal.show(pairs(_sides(terminal, settled)))
        terminal.say("conflicts.undo.how", DIM, id=short(settled.id))

    return Answer(settled, people)


async def undo_case(call: Call, *, id: str, **by: Any) -> Answer:
    async with call.existing() as memory:
        back = await memory.reopen((await _named(call, memory, id)).id, **by, **call.person)

    def people(terminal: Terminal) -> None:
        terminal.say("conflicts.undone", "green bold")
        terminal.show(pairs(_sides(terminal, back)))
        if back.case.outcome is Outcome.OPEN:
            terminal.say("conflicts.settle.how", DIM, id=short(back.id))

    return Answer(back, people)


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


def _asked(call: Call, found: Conflict) -> Outcome | None:
    """What the person at the terminal says, None to leave it open."""
    words, terminal = call.words, Terminal(call.words)
    lines = [Text(clean(question(found.case, found.old, found.new, words.language).text), "bold")]
    for number, outcome in enumerate(NUMBERED, start=1):
        side = {Outcome.OLD: found.old, Outcome.NEW: found.new}.get(outcome)
        line = Text(f"  {number}  ", "cyan").append(words(f"answer.{outcome}"))
        lines.append(line.append(f"  “{clean(side.content)}”", DIM) if side else line)
    lead = partial(terminal.show, *lines)
    while typed := answered(call, words("conflicts.ask"), cannot="conflicts.cannot_ask", lead=lead):
        if typed.isdecimal() and 1 <= int(typed) <= len(NUMBERED):
            return NUMBERED[int(typed) - 1]
        if (word := token("keep", typed)) in ANSWERS:
            return Outcome(word)
        lead = partial(terminal.say, "conflicts.ask.again", "yellow")
    return None


def _outcome(terminal: Terminal, found: Conflict) -> Text:
    outcome = found.case.outcome
    return Text(terminal.words(f"outcome.{outcome}"), STYLES.get(outcome, "green"))


def _both(terminal: Terminal, found: Conflict) -> Text:
    sides = [terminal.cell(found.old.content, DIM), terminal.cell(found.new.content)]
    return Text("\n" if terminal.watched else " → ").join(sides)


def _listed(empty: str) -> Callable[..., Awaitable[Answer]]:
    shown = table(
        "when sides* outcome~/ why~/ id",
        empty,
        when=lambda terminal, found: terminal.date(found.case.opened_at),
        sides=_both,
        outcome=_outcome,
        why=lambda terminal, found: clean(reason(terminal.words, found.case.why)),
    )
    return verb("conflicts", shown)


async def conflicts(call: Call, **asked: Any) -> Answer:
    return await _listed("empty.conflicts.open" if "open_only" in asked else "empty.conflicts")(call, **asked)


def _sides(terminal: Terminal, found: Conflict) -> Rows:
    words = terminal.words
    rows: Rows = []
    for label, item in (("conflicts.before", found.old), ("conflicts.now", found.new)):
        details = [Text(terminal.date(item.held_from), DIM), state(words, item), Text(short(item.id), "cyan")]
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
    rows = terminal.labels(
        [
            ("outcome", _outcome(terminal, found)),
            ("why", clean(reason(words, case.why))),
            ("judged", judged + (f"  {words.number(case.certainty)}" if case.certainty < 1 else "")),
            ("opened", case.opened_at),
            ("asked", asked),
            ("settled", settled),
            ("id", Text(case.id, "cyan")),
        ]
    )
    terminal.panel([*_sides(terminal, found), *rows], words("conflicts.title"))
    if case.outcome is Outcome.OPEN:
        terminal.hint("conflicts.settle.how", id=short(case.id))
