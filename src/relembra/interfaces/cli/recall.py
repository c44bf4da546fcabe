"""What comes back: search, recall, context, why, and commands of a chat."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from relembra.contexts import Trace
from relembra.domain.inquiry import Inquiry
from relembra.errors import InvalidInputError
from relembra.interfaces import shapes
from relembra.interfaces.cli.call import Answer, Call, whole_note
from relembra.interfaces.cli.items import arms, confidence, show_items, state, why_text
from relembra.interfaces.cli.items import kind as kind_name
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import DIM, Cell, Rows, Terminal, clean, joined, note, pairs, short
from relembra.interfaces.recollected import (
    MOST_TERMS,
    Beside,
    Manner,
    Recalled,
    beside_of,
    likeness,
    most_telling,
    note_text,
    place,
    sought,
    speaker,
    text_of,
)
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


async def search(call: Call, *, query: str, why: bool = False, limit: int | None = None, **filters: Any) -> Answer:
    async with call.reading(by_meaning=True) as memory:
        hits = await memory.search(query, limit=limit, **await whole_note(call, memory, filters), **call.person)
        nothing = not hits and not await memory.list(limit=1, **call.person)

    empty = "empty.items" if nothing else "empty.search"
    return Answer({"hits": hits}, lambda terminal: show_items(terminal, hits, why=why, empty=empty))


async def recall(
    call: Call, *, query: str, why: bool = False, kind: Sequence[str] | None = None, **filters: Any
) -> Answer:
    async with call.reading(by_meaning=True) as memory:
        found = await memory.recall(query, kinds=kind, **await whole_note(call, memory, filters), **call.person)
        rows: list[AnyHit] = [*found.items, *found.notes, *found.messages]
        nothing = not rows and await _is_empty(call, memory)
    is_weak = all(row.why.similarity < call.policy.ranking.least_similarity for row in rows)

    def people(terminal: Terminal) -> None:
        if not rows:
            terminal.say("empty.items" if nothing else "empty.search")
            return
        if is_weak:
            note(call.words("empty.weak"))
        recalled(terminal, rows, why=why)

    return Answer(found, people)


def recalled(terminal: Terminal, rows: Sequence[AnyHit], *, why: bool) -> None:
    """Items, notes and messages that answer, a table of each; where nobody watches, each row begins with its kind."""
    words = terminal.words
    groups: dict[Kind, list[list[Cell]]] = {}
    for row in rows:
        kind, id, content = _told(row, words.language)
        lines = [terminal.cell(content), Text(joined(_details(terminal, row)).plain, DIM)]
        if why:
            lines.append(Text(why_text(words, row.why), DIM))
        begun = [] if terminal.watched else [words.name("kind", kind)]
        groups.setdefault(kind, []).append([*begun, words.number(row.score), Text("\n").join(lines), short(id)])
    for kind, cells in groups.items():
        terminal.title(words(f"recalled.{kind}"))
        terminal.table("score> content* id" if terminal.watched else "kind score content id", cells, headed=False)


def _told(row: AnyHit, language: str) -> tuple[Kind, str, str]:
    """What kind it is, its id, and what it says."""
    match row:
        case Hit(item=item):
            return Kind.ITEM, item.id, with_doubt(item, language)
        case NoteHit(note=noted):
            return Kind.NOTE, noted.id, note_text(noted)
        case MessageHit(message=said):
            return Kind.MESSAGE, said.id, row.excerpt or said.text


def _details(terminal: Terminal, row: AnyHit) -> list[Text]:
    words = terminal.words
    match row:
        case Hit(item=item):
            when = Text(terminal.date(item.held_from))
            return [kind_name(words, item), confidence(terminal, item), when, state(words, item)]
        case NoteHit(note=noted):
            where = "" if noted.place.is_private else place(words, noted.place)
            parts = (words.name("kind", noted.kind), terminal.date(noted.happened_at), *noted.participants, where)
        case MessageHit(message=said):
            parts = (terminal.moment(said.sent_at), speaker(words, said))
    return [Text(clean(part)) for part in parts]


async def context(call: Call, **asked: Any) -> Answer:
    async with call.reading(by_meaning=True) as memory:
        made = await memory.load(**asked, **call.person)

    def people(_: Terminal) -> None:
        """The block alone, so that it can be piped; what is said about it goes beside."""
        if made.text:
            sys.stdout.write(made.text + "\n")
        words = call.words
        if not made.text and not made.cut:
            looks_back = "as_of" in asked or "true_at" in asked
            note(words("empty.context.then" if looks_back else "empty.context", user=call.user))
        elif sys.stderr.isatty() or not made.text:  # nothing fitted, and that is said whoever reads
            used = words("context.used", tokens=words.whole(made.tokens), budget=words.whole(made.budget), cut=made.cut)
            note(used)
            if made.question is not None:
                note(words("context.question", text=made.question.text, id=short(made.question.case_id)))

    return Answer(made, people)


async def why(call: Call, *, query: str, limit: int | None = None, **asked: Any) -> Answer:
    if limit is not None and limit < 0:
        raise InvalidInputError(f"limit {limit} is negative", field="limit")
    most = SHOWN_MISSES if limit is None else limit
    async with call.reading(by_meaning=True) as memory:
        told = await memory.why(query, **asked, **call.person)
        ranked = most_telling(told.missed)
        beside = await beside_of(memory, told, ranked[:most], call.person)
        empty = call.words("empty.items" if await _is_empty(call, memory) else "empty.trace", user=call.user)

    def people(terminal: Terminal) -> None:
        trace(terminal, told, beside, empty=empty, limit=most)

    return Answer(shapes.trace(told, ranked if limit is None else ranked[:limit]), people)


async def command(call: Call, *, text: str, **place: Any) -> Answer:
    async with call.reading() as memory:
        answer = await memory.command(text, language=call.typed.get("lang"), **place, **call.person)
    if answer is None:
        raise UsageError("usage.no_chat_command", command="command", text=clean(text))
    said = Text(clean(answer.text, breaks=True))
    return Answer(answer, lambda terminal: terminal.show(said))


async def _is_empty(call: Call, memory: Memory) -> bool:
    """Whether nothing is known of the person, and nothing was said."""
    return not await memory.list(limit=1, **call.person) and not await memory.messages(limit=1, **call.person)


# ── how a recall came about ───────────────────────────────────────────────────────────────────────────────────────


def trace(terminal: Terminal, told: Trace, beside: Beside, *, empty: str, limit: int = SHOWN_MISSES) -> None:
    """All of it, from the question to the cut; `empty`: what to say where nothing matched at all."""
    words, made = terminal.words, told.context
    terminal.show(Text(words("trace.asked"), "bold"), pairs(_understood(terminal, told.inquiry)))
    brought: dict[Kind, Sequence[AnyHit]] = {Kind.ITEM: made.hits, Kind.NOTE: made.notes, Kind.MESSAGE: made.earlier}
    if any(brought.values()) or told.missed:
        for kind, rows in brought.items():
            _heading(terminal, "trace.count", title=words(f"recalled.{kind}"), n=len(rows))
            _hits(terminal, rows, beside)
        _heading(terminal, "trace.count", title=words("trace.missed"), n=len(told.missed))
        _missed(terminal, told.missed, beside, limit)
    else:
        terminal.show(Text(), Text(clean(empty, breaks=True)))
    _heading(terminal, "trace.shares", budget=words.whole(made.budget))
    _shares(terminal, made)


def _understood(terminal: Terminal, inquiry: Inquiry) -> Rows:
    words = terminal.words
    first = ", ".join(words.name("type", one) for one in inquiry.types)
    areas = ", ".join(words.name("area", one) for one in inquiry.areas)
    terms = [f"{clean(term)} {words.number(weight)}" for term, weight in sought(inquiry)]
    rows: list[tuple[str, str | Text]] = [
        ("question", clean(inquiry.text)),
        ("core", clean(inquiry.core) if inquiry.core != inquiry.text else ""),
        ("language", words.name("language", inquiry.language)),
        ("names", clean(", ".join(inquiry.names))),
        ("mentions", clean(", ".join(f"@{name}" for name in inquiry.mentions))),
        ("when", "" if inquiry.period is None else clean(_manner(terminal).period(inquiry.period))),
        ("topics", ", ".join(words.name("topic", topic) for topic in inquiry.topics)),
        ("first", " · ".join(filter(None, (first, areas)))),
        ("whose", "" if inquiry.role is None else words(f"trace.whose.{inquiry.role}")),
        ("past", words("trace.past.yes") if inquiry.past else ""),
        ("ordered", words("trace.ordered.yes") if inquiry.ordered else ""),
        ("terms", Text(", ".join(terms[:MOST_TERMS] if terminal.watched else terms), DIM)),
    ]
    return [(words(f"trace.{name}"), value) for name, value in rows if value]


def _hits(terminal: Terminal, rows: Sequence[AnyHit], beside: Beside) -> None:
    """One kind of what is shown, best first, with what each score is made of."""
    words = terminal.words
    if not rows:
        terminal.show(Text("  " + words("trace.none"), DIM))
        return
    cells: list[list[Cell]] = []
    for rank, hit in enumerate(rows, 1):
        _, id, content = _told(hit, words.language)
        numbers = {name: words.number(getattr(hit.why, name)) for name in ("similarity", "weight", "recency")}
        found = arms(words, hit.why) or words("why.none")
        details = words("trace.details", arms=found, rule=words.name("rule", hit.why.rule), **numbers)
        lines = [terminal.cell(content, longest=LONGEST), _source(terminal, _row(hit), beside), Text(details, DIM)]
        cells.append([str(rank), words.number(hit.score), Text("\n").join(lines), short(id)])
    terminal.table("trace.rank> trace.score> content* id", cells)


def _missed(terminal: Terminal, missed: Sequence[Missed], beside: Beside, limit: int) -> None:
    """What matched and is not shown, how much of it for which reason, and the nearest of it one by one."""
    words = terminal.words
    if not missed:
        terminal.show(Text("  " + words("trace.missed.none"), DIM))
        return
    tally = Counter(one.miss for one in missed)
    gap = "\N{NO-BREAK SPACE}" if terminal.watched else " "
    counts = " · ".join(words.name("missed", miss) + gap + words.whole(n) for miss, n in tally.most_common())
    terminal.show(Text(counts, DIM))
    if not limit:
        return
    rows: list[list[Cell]] = []
    for one in most_telling(missed)[:limit]:
        lines = [terminal.cell(text_of(one.row), longest=LONGEST), _source(terminal, one.row, beside)]
        why_missed = Text(clean(_manner(terminal).why_missed(one, beside, terminal.policy.ranking)), "yellow")
        rows.append([words.number(likeness(one.why)), Text("\n").join(lines), why_missed, short(one.row.id)])
    terminal.table("trace.likeness> content* trace.missed.why~/ id", rows)
    if len(missed) > limit:
        terminal.say("trace.missed.more", DIM, n=words.whole(len(missed) - limit), all=len(missed))


def _shares(terminal: Terminal, made: MemoryContext) -> None:
    """How much of the budget each part of the context took."""
    words = terminal.words
    if not made.shares:
        terminal.show(Text("  " + words("trace.shares.none"), DIM))
        return
    shares = {words.name("part", part): (share.tokens, share.lines, share.cut) for part, share in made.shares.items()}
    lines = sum(share.lines for share in made.shares.values())
    rows: list[list[Cell]] = [
        [part, *map(words.whole, numbers), *terminal.bar(numbers[0], made.budget)]
        for part, numbers in {**shares, words("trace.total"): (made.tokens, lines, made.cut)}.items()
    ]
    bar = "bar" if terminal.watched else ""
    terminal.table(f"trace.part trace.tokens> trace.lines> trace.cut> {bar}", rows, wide=False)


def _row(hit: AnyHit) -> Recalled:
    match hit:
        case Hit(item=row) | NoteHit(note=row) | MessageHit(message=row):
            return row


def _source(terminal: Terminal, row: Recalled, beside: Beside) -> Text:
    return Text(clean(" · ".join(_manner(terminal).source(row, beside))), DIM)


def _manner(terminal: Terminal) -> Manner:
    def quote(text: str) -> str:
        return terminal.cell(text, longest=LONGEST_QUOTE).plain

    return Manner(terminal.words, terminal.date, terminal.moment, quote)


def _heading(terminal: Terminal, key: str, **parts: object) -> None:
    terminal.show(Text(), Text(terminal.words(key, **parts), "bold"))
