"""What comes back: search, recall, context, and why."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from rich.text import Text

from relembra.contexts import Trace
from relembra.domain.knowledge import TOPICS
from relembra.domain.searchable import Inquiry
from relembra.errors import InvalidInputError
from relembra.interfaces import shapes
from relembra.interfaces import trace as traces
from relembra.interfaces.cli.call import Answer, Call, whole_note
from relembra.interfaces.cli.items import arms, confidence, show_items, state, why_text
from relembra.interfaces.cli.items import kind as kind_name
from relembra.interfaces.cli.terminal import DIM, Cell, Terminal, clean, joined, note, pairs, short, stacked
from relembra.memory import Memory
from relembra.recall.assembly import MemoryContext
from relembra.recall.query import Missed
from relembra.recall.ranking import Hit, MessageHit, NoteHit
from relembra.recall.rendering import told as with_doubt
from relembra.store.port import Kind

LONGEST = 160
LONGEST_QUOTE = 44
SHOWN_MISSES = 10

AnyHit = Hit | NoteHit | MessageHit


async def search(call: Call, *, query: str, why: bool = False, **filters: Any) -> Answer:
    async with call.reading(by_meaning=True) as memory:
        hits = await memory.search(query, **await whole_note(call, memory, filters), **call.person)
        nothing = not hits and not await memory.list(limit=1, **call.person)
    empty = "empty.items" if nothing else "empty.search"
    return Answer(hits, partial(show_items, why=why, empty=empty), json={"hits": hits})


async def recall(
    call: Call, *, query: str, why: bool = False, kind: Sequence[str] | None = None, **filters: Any
) -> Answer:
    async with call.reading(by_meaning=True) as memory:
        found = await memory.recall(query, kinds=kind, **await whole_note(call, memory, filters), **call.person)
        rows: list[AnyHit] = [*found.items, *found.notes, *found.messages]
        nothing = not rows and await _is_empty(call, memory)
    is_weak = all(row.why.similarity < call.policy.ranking.least_similarity for row in rows)

    def show(terminal: Terminal, _: Any) -> None:
        if not rows:
            terminal.say("empty.items" if nothing else "empty.search")
            return
        if is_weak:
            note(call.words("empty.weak"))
        recalled(terminal, rows, why=why)

    return Answer(found, show)


def recalled(terminal: Terminal, rows: Sequence[AnyHit], *, why: bool) -> None:
    """Items, notes and messages that answer, a table of each; in a pipe each row begins with its kind."""
    words = terminal.words
    groups: dict[str, list[list[Cell]]] = {}
    for hit in rows:
        kind, row, content = _parts(hit, words.language)
        details = Text(joined(_details(terminal, row)).plain, DIM)
        lines = [terminal.cell(content), details, Text(why_text(words, hit.why) if why else "", DIM)]
        cells: list[Cell] = [words.number(hit.score), stacked(lines), short(row.id)]
        groups.setdefault(words(f"recalled.{kind}"), []).append(cells)
    terminal.sections("score> content* id", groups.items())


def _parts(hit: AnyHit, language: str) -> tuple[Kind, traces.Recalled, str]:
    """What kind of row it is, the row, and what it says."""
    match hit:
        case Hit(item=item):
            return Kind.ITEM, item, with_doubt(item, language)
        case NoteHit(note=noted):
            return Kind.NOTE, noted, traces.note_text(noted)
        case MessageHit(message=said):
            return Kind.MESSAGE, said, hit.excerpt or said.text


def _details(terminal: Terminal, row: Any) -> Iterable[Cell]:
    words = terminal.words
    if hasattr(row, "held_from"):
        return kind_name(words, row), confidence(terminal, row), terminal.date(row.held_from), state(words, row)
    where = "" if row.place.is_private else traces.place(words, row.place)
    if hasattr(row, "happened_at"):
        parts = (words.name("kind", row.kind), terminal.date(row.happened_at), *row.participants, where)
    else:
        parts = (terminal.moment(row.sent_at), traces.speaker(words, row), where)
    return map(clean, parts)


async def context(call: Call, **asked: Any) -> Answer:
    async with call.reading(by_meaning=True) as memory:
        made = await memory.load(**asked, **call.person)

    def show(terminal: Terminal, made: MemoryContext) -> None:
        """The block alone, so that it can be piped; what is said about it goes to standard error."""
        words = call.words
        if made.text:
            terminal.show(Text(made.text))
        if not made.text and not made.cut:
            looks_back = "as_of" in asked or "true_at" in asked
            note(words("empty.context.then" if looks_back else "empty.context", user=call.user))
        elif sys.stderr.isatty() or not made.text:  # nothing fitted, and that is always said
            note(words("context.used", tokens=words.whole(made.tokens), budget=words.whole(made.budget), cut=made.cut))
            if made.question is not None:
                note(words("context.question", text=made.question.text, id=short(made.question.case_id)))
            if made.insight is not None:
                note(words("context.insight", text=made.insight.content, evidence=made.insight.evidence or ""))

    return Answer(made, show)


async def why(call: Call, *, query: str, limit: int | None = None, **asked: Any) -> Answer:
    if limit is not None and limit < 0:
        raise InvalidInputError(f"limit {limit} is negative", field="limit")
    most = SHOWN_MISSES if limit is None else limit
    async with call.reading(by_meaning=True) as memory:
        traced = await memory.why(query, **asked, **call.person)
        ranked = traces.most_telling(traced.missed)
        beside = await traces.beside_of(memory, traced, ranked[:most], call.person)
        empty = call.words("empty.items" if await _is_empty(call, memory) else "empty.trace", user=call.user)
    show = partial(trace, beside=beside, empty=empty, limit=most)
    return Answer(traced, show, json=shapes.trace(traced, ranked if limit is None else ranked[:limit]))


async def _is_empty(call: Call, memory: Memory) -> bool:
    """Whether nothing is known of the person, and nothing was said."""
    return not await memory.list(limit=1, **call.person) and not await memory.messages(limit=1, **call.person)


# ── how a recall came about ───────────────────────────────────────────────────────────────────────────────────────


def trace(terminal: Terminal, traced: Trace, beside: traces.Beside, *, empty: str, limit: int = SHOWN_MISSES) -> None:
    """All of it, from the question to the cut; `empty`: what to say where nothing matched at all."""
    words, made = terminal.words, traced.context
    manner = traces.Manner(
        words, terminal.date, terminal.moment, lambda text: terminal.cell(text, longest=LONGEST_QUOTE).plain
    )

    def heading(key: str, **parts: object) -> None:
        terminal.show(Text(), Text(words(key, **parts), "bold"))

    def source(row: traces.Recalled) -> Text:
        return Text(clean(" · ".join(manner.source(row, beside))), DIM)

    def found(rank: int, hit: AnyHit) -> list[Cell]:
        _, row, content = _parts(hit, words.language)
        numbers = {name: words.number(getattr(hit.why, name)) for name in ("similarity", "weight", "recency")}
        by = arms(words, hit.why) or words("why.none")
        details = words("trace.details", arms=by, rule=words.name("rule", hit.why.rule), **numbers)
        lines = [terminal.cell(content, longest=LONGEST), source(row), Text(details, DIM)]
        return [str(rank), words.number(hit.score), stacked(lines), short(row.id)]

    def left_out(one: Missed) -> list[Cell]:
        lines = [terminal.cell(traces.text_of(one.row), longest=LONGEST), source(one.row)]
        reason = Text(clean(manner.why_missed(one, beside, terminal.policy.ranking)), "yellow")
        return [words.number(traces.likeness(one.why)), stacked(lines), reason, short(one.row.id)]

    terminal.show(Text(words("trace.asked"), "bold"), pairs(_understood(terminal, traced.inquiry, manner)))
    brought: dict[Kind, Sequence[AnyHit]] = {Kind.ITEM: made.hits, Kind.NOTE: made.notes, Kind.MESSAGE: made.earlier}
    if not any(brought.values()) and not traced.missed:
        terminal.show(Text(), Text(clean(empty, breaks=True)))
    for kind, rows in brought.items():
        if rows:
            heading("trace.count", title=words(f"recalled.{kind}"), n=len(rows))
            terminal.table("trace.rank> trace.score> content* id", [found(*ranked) for ranked in enumerate(rows, 1)])
    if traced.missed:
        heading("trace.count", title=words("trace.missed"), n=len(traced.missed))
        tally = Counter(one.miss for one in traced.missed).most_common()
        terminal.show(Text(" · ".join(f"{words.name('missed', miss)} {words.whole(n)}" for miss, n in tally), DIM))
        shown = [left_out(one) for one in traces.most_telling(traced.missed)[:limit]]
        terminal.table("trace.likeness> content* trace.missed.why~/ id", shown)
        if len(traced.missed) > limit:
            terminal.say("trace.missed.more", DIM, n=len(traced.missed) - limit, all=len(traced.missed))
    if made.shares:
        heading("trace.shares", budget=words.whole(made.budget))
        _shares(terminal, made)


def _understood(terminal: Terminal, inquiry: Inquiry, manner: traces.Manner) -> Iterable[tuple[str, Cell]]:
    """What the question was taken to ask for."""
    words = terminal.words
    terms = [f"{clean(term)} {words.number(weight)}" for term, weight in traces.sought(inquiry)]
    rows: dict[str, Cell] = {
        "question": clean(inquiry.text),
        "core": clean(inquiry.core) if inquiry.core != inquiry.text else "",
        "language": words.name("language", inquiry.language),
        "names": clean(", ".join(inquiry.names)),
        "mentions": clean(", ".join(f"@{name}" for name in inquiry.mentions)),
        "when": "" if inquiry.period is None else clean(manner.period(inquiry.period)),
        "topics": ", ".join(TOPICS[topic].names[words.language] for topic in inquiry.topics),
        "first": joined(
            ", ".join(words.name(kind, one) for one in few)
            for kind, few in (("type", inquiry.types), ("area", inquiry.areas))
        ),
        "whose": "" if inquiry.role is None else words(f"trace.whose.{inquiry.role}"),
        "past": words("trace.past.yes") if inquiry.past else "",
        "ordered": words("trace.ordered.yes") if inquiry.ordered else "",
        "terms": Text(", ".join(terms[: traces.MOST_TERMS]), DIM),
    }
    return [(words(f"trace.{name}"), value) for name, value in rows.items() if value]


def _shares(terminal: Terminal, made: MemoryContext) -> None:
    """How much of the budget each part of the context took."""
    words = terminal.words
    shares = {words.name("part", part): (share.tokens, share.lines, share.cut) for part, share in made.shares.items()}
    shares[words("trace.total")] = made.tokens, sum(share.lines for share in made.shares.values()), made.cut
    rows = [
        [part, *map(words.whole, figures), terminal.bar(figures[0], made.budget)] for part, figures in shares.items()
    ]
    terminal.table("trace.part trace.tokens> trace.lines> trace.cut> bar", rows, wide=False)
