"""What comes back: search, recall, related, context, why, and commands of a chat."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from relembra.contexts import Trace
from relembra.domain.inquiry import Inquiry
from relembra.domain.policy import ConfidencePolicy, RankingPolicy
from relembra.errors import InvalidInputError
from relembra.interfaces import shapes
from relembra.interfaces.cli.call import Answer, Call, whole_note
from relembra.interfaces.cli.knowledge import arms, confidence, place, show_items, state, why_text
from relembra.interfaces.cli.knowledge import kind as kind_name
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import DIM, ID, Cell, Column, Rows, Terminal, clean, joined, note, pairs, short
from relembra.interfaces.recollected import (
    MOST_TERMS,
    Beside,
    Manner,
    Recalled,
    beside_of,
    likeness,
    most_telling,
    note_text,
    sought,
    speaker,
    text_of,
)
from relembra.memory import Memory
from relembra.recall.assembly import MemoryContext
from relembra.recall.query import Missed
from relembra.recall.ranking import Hit, MessageHit, NoteHit, Why
from relembra.recall.rendering import told as with_doubt
from relembra.store.port import Kind

LONGEST = 160
LONGEST_QUOTE = 44
SHOWN_MISSES = 10
BAR = 20


async def search(call: Call, *, query: str, why: bool = False, limit: int | None = None, **filters: Any) -> Answer:
    async with call.reading(by_meaning=True) as memory:
        hits = await memory.search(query, limit=limit, **await whole_note(call, memory, filters), **call.person)
        nothing = not hits and not await memory.list(limit=1, **call.person)

    def people(terminal: Terminal) -> None:
        if hits:
            show_items(terminal, hits, call.policy.confidence, why=why)
        else:
            terminal.say("empty.items" if nothing else "empty.search", user=call.user)

    return Answer(shapes.wire({"hits": hits}), people)


async def recall(
    call: Call, *, query: str, why: bool = False, kind: Sequence[str] | None = None, **filters: Any
) -> Answer:
    async with call.reading(by_meaning=True) as memory:
        found = await memory.recall(query, kinds=kind, **await whole_note(call, memory, filters), **call.person)
        rows: list[Hit | NoteHit | MessageHit] = [*found.items, *found.notes, *found.messages]
        nothing = not rows and await _is_empty(call, memory)
    is_weak = all(row.why.similarity < call.policy.ranking.least_similarity for row in rows)

    def people(terminal: Terminal) -> None:
        if rows and is_weak:
            note(call.words("empty.weak"))
        if rows:
            recalled(terminal, rows, call.policy.confidence, why=why)
        else:
            terminal.say("empty.items" if nothing else "empty.search", user=call.user)

    return Answer(shapes.wire(found), people)


def recalled(
    terminal: Terminal, rows: Sequence[Hit | NoteHit | MessageHit], policy: ConfidencePolicy, *, why: bool
) -> None:
    """Items, notes and messages that answer, a table of each; where nobody watches, each row begins with its kind."""
    words = terminal.words
    groups: dict[Kind, list[list[Cell]]] = {}
    for row in rows:
        kind_of, id, content, details = _recalled_row(terminal, row, policy)
        lines = [terminal.cell(content), Text(joined(details).plain, DIM)]
        if why:
            lines.append(Text(why_text(words, row.why), DIM))
        begun = [] if terminal.watched else [words.name("kind", kind_of)]
        cells: list[Cell] = [*begun, words.number(row.score), Text("\n").join(lines), short(id)]
        groups.setdefault(kind_of, []).append(cells)
    columns = [Column(style="bold", right=True, whole=True), Column(ratio=1), Column(style="cyan", whole=True)]
    for number, (kind_of, cells_of) in enumerate(groups.items()):
        if terminal.watched:
            terminal.show(*([Text()] if number else []), Text(words(f"recalled.{kind_of}"), "bold"))
        terminal.table(columns if terminal.watched else [Column(), *columns], cells_of)


def _recalled_row(
    terminal: Terminal, row: Hit | NoteHit | MessageHit, policy: ConfidencePolicy
) -> tuple[Kind, str, str, list[Text]]:
    """What kind it is, its id, what it says, and details about it."""
    words = terminal.words
    match row:
        case Hit(item=item):
            when = Text(terminal.date(item.held_from))
            details = [kind_name(words, item), confidence(words, item, policy), when, state(words, item)]
            return Kind.ITEM, item.id, with_doubt(item, words.language), details
        case NoteHit(note=noted):
            where = "" if noted.place.is_private else place(words, noted.place)
            people = clean(", ".join(noted.participants))
            parts = (words.name("kind", noted.kind), terminal.date(noted.happened_at), people, where)
            return Kind.NOTE, noted.id, note_text(noted), [Text(part) for part in parts]
        case MessageHit(message=said):
            details = [Text(terminal.moment(said.sent_at)), Text(clean(speaker(words, said)))]
            return Kind.MESSAGE, said.id, row.excerpt or said.text, details


async def related(call: Call, *, id: str, limit: int = 5) -> Answer:
    async with call.reading() as memory:
        item = await memory.find(id, **call.person)
        hits = await memory.related(item.id, limit=limit, **call.person)

    def people(terminal: Terminal) -> None:
        if hits:
            show_items(terminal, hits, call.policy.confidence)
        else:
            terminal.say("empty.related")

    return Answer(shapes.wire({"hits": hits}), people)


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

    return Answer(shapes.wire(made), people)


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
        trace(terminal, told, beside, call.policy.ranking, empty=empty, limit=most)

    return Answer(shapes.trace(told, ranked if limit is None else ranked[:limit]), people)


async def command(call: Call, *, text: str, **place: Any) -> Answer:
    async with call.reading() as memory:
        answer = await memory.command(text, language=call.typed.get("lang"), **place, **call.person)
    if answer is None:
        raise UsageError("usage.no_chat_command", command="command", text=clean(text))
    said = Text(clean(answer.text, breaks=True))
    return Answer(shapes.wire(answer), lambda terminal: terminal.show(said))


async def _is_empty(call: Call, memory: Memory) -> bool:
    """Whether nothing is known of the person, and nothing was said."""
    return not await memory.list(limit=1, **call.person) and not await memory.messages(limit=1, **call.person)


# ── how a recall came about ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Row:
    row: Recalled
    text: str
    score: float
    why: Why


def trace(
    terminal: Terminal, told: Trace, beside: Beside, policy: RankingPolicy, *, empty: str, limit: int = SHOWN_MISSES
) -> None:
    """All of it, from the question to the cut; `empty`: what to say where nothing matched at all."""
    _understood(terminal, told.inquiry)
    made = told.context
    brought = (
        (
            Kind.ITEM,
            [_Row(hit.item, with_doubt(hit.item, terminal.words.language), hit.score, hit.why) for hit in made.hits],
        ),
        (Kind.NOTE, [_Row(hit.note, note_text(hit.note), hit.score, hit.why) for hit in made.notes]),
        (
            Kind.MESSAGE,
            [_Row(hit.message, hit.excerpt or hit.message.text, hit.score, hit.why) for hit in made.earlier],
        ),
    )
    if any(rows for _, rows in brought) or told.missed:
        for kind_of, rows in brought:
            _hits(terminal, terminal.words(f"recalled.{kind_of}"), rows, beside)
        _missed(terminal, told.missed, beside, policy, limit)
    else:
        terminal.show(Text(), Text(clean(empty, breaks=True)))
    _shares(terminal, made)


def _understood(terminal: Terminal, inquiry: Inquiry) -> None:
    words = terminal.words
    topics = [words.name("topic", topic) for topic in inquiry.topics]
    first = [words.name("type", one) for one in inquiry.types]
    areas = [words.name("area", one) for one in inquiry.areas]
    terms = [f"{clean(term)} {words.number(weight)}" for term, weight in sought(inquiry)]
    rows: list[tuple[str, str | Text]] = [
        ("question", clean(inquiry.text)),
        ("core", clean(inquiry.core) if inquiry.core != inquiry.text else ""),
        ("language", words.name("language", inquiry.language)),
        ("names", clean(", ".join(inquiry.names))),
        ("mentions", clean(", ".join(f"@{name}" for name in inquiry.mentions))),
        ("when", "" if inquiry.period is None else clean(_manner(terminal).period(inquiry.period))),
        ("topics", ", ".join(topics)),
        ("first", " · ".join(filter(None, (", ".join(first), ", ".join(areas))))),
        ("whose", "" if inquiry.role is None else words(f"trace.whose.{inquiry.role}")),
        ("past", words("trace.past.yes") if inquiry.past else ""),
        ("ordered", words("trace.ordered.yes") if inquiry.ordered else ""),
        ("terms", Text(", ".join(terms[:MOST_TERMS] if terminal.watched else terms), DIM)),
    ]
    shown: Rows = [(words(f"trace.{name}"), value) for name, value in rows if value]
    terminal.show(Text(words("trace.asked"), "bold"), pairs(shown))


def _hits(terminal: Terminal, title: str, rows: Sequence[_Row], beside: Beside) -> None:
    """One kind of what is shown, best first."""
    words = terminal.words
    _heading(terminal, words("trace.count", title=title, n=len(rows)))
    if not rows:
        terminal.show(Text("  " + words("trace.none"), DIM))
        return
    columns = (
        Column("trace.rank", DIM, right=True, whole=True),
        Column("trace.score", "bold", right=True, whole=True),
        Column("content", ratio=3),
        Column("trace.arms", ratio=2, aside="out"),
        Column("trace.weight", right=True, whole=True, aside="out"),
        Column("trace.recency", right=True, whole=True, aside="out"),
        Column("trace.rule", most=14, aside="out"),
        ID,
    )
    cells: list[list[Cell]] = []
    for rank, one in enumerate(rows, 1):
        found = arms(words, one.why) or [words("why.none")]
        similarity, rule = words.number(one.why.similarity), words.name("rule", one.why.rule)
        weight, recency = words.number(one.why.weight), words.number(one.why.recency)
        lines = [terminal.cell(one.text, longest=LONGEST), _source(terminal, one.row, beside)]
        if not terminal.roomy:
            parts = {"similarity": similarity, "weight": weight, "recency": recency, "rule": rule}
            lines.append(Text(words("trace.details", arms=" + ".join(found), **parts), DIM))
        ways = "\n".join([*found, words("trace.fused", similarity=similarity)])
        content = Text("\n").join(lines)
        cells.append(
            [str(rank), words.number(one.score), content, Text(ways), weight, recency, rule, short(one.row.id)]
        )
    terminal.table(columns, cells)


def _missed(terminal: Terminal, missed: Sequence[Missed], beside: Beside, policy: RankingPolicy, limit: int) -> None:
    """What matched and is not shown, how much of it for which reason, and the nearest of it one by one."""
    words = terminal.words
    _heading(terminal, words("trace.count", title=words("trace.missed"), n=len(missed)))
    if not missed:
        terminal.show(Text("  " + words("trace.missed.none"), DIM))
        return
    tally = Counter(one.miss for one in missed)
    gap = "\N{NO-BREAK SPACE}" if terminal.watched else " "
    counts = " · ".join(words.name("missed", miss) + gap + words.whole(n) for miss, n in tally.most_common())
    terminal.show(Text(counts, DIM))
    if not limit:
        return
    manner = _manner(terminal)
    columns = (
        Column("trace.likeness", DIM, right=True, whole=True),
        Column("content", ratio=3),
        Column("trace.missed.why", "yellow", ratio=2, aside="below"),
        ID,
    )
    rows = [
        (
            words.number(likeness(one.why)),
            Text("\n").join([terminal.cell(text_of(one.row), longest=LONGEST), _source(terminal, one.row, beside)]),
            Text(clean(manner.why_missed(one, beside, policy)), "yellow"),
            short(one.row.id),
        )
        for one in most_telling(missed)[:limit]
    ]
    terminal.table(columns, rows)
    if len(missed) > limit:
        terminal.say("trace.missed.more", DIM, n=words.whole(len(missed) - limit), all=len(missed))


def _shares(terminal: Terminal, made: MemoryContext) -> None:
    """How much of the budget each part of the context took."""
    words = terminal.words
    _heading(terminal, words("trace.shares", budget=words.whole(made.budget)))
    if not made.shares:
        terminal.show(Text("  " + words("trace.shares.none"), DIM))
        return
    columns = [Column("trace.part", whole=True)]
    columns += [Column(f"trace.{name}", right=True, whole=True) for name in ("tokens", "lines", "cut")]
    columns += [Column(style="cyan", whole=True)] if terminal.watched else []
    rows: list[list[Cell]] = []
    for part, share in made.shares.items():
        cells = [words.whole(number) for number in (share.tokens, share.lines, share.cut)]
        rows.append([words.name("part", part), *cells, *_bar(terminal, share.tokens, made.budget)])
    lines = sum(share.lines for share in made.shares.values())
    whole = [Text(words.whole(number), "bold") for number in (made.tokens, lines, made.cut)]
    rows.append([Text(words("trace.total"), "bold"), *whole, *_bar(terminal, made.tokens, made.budget)])
    terminal.table(columns, rows, expand=False)


def _bar(terminal: Terminal, tokens: int, budget: int) -> list[str]:
    """How much of the budget, to be seen at a glance; nothing where nobody looks."""
    if not terminal.watched:
        return []
    filled = min(BAR, -(-BAR * tokens // budget)) if budget else 0
    return ["█" * filled + "░" * (BAR - filled)]


def _source(terminal: Terminal, row: Recalled, beside: Beside) -> Text:
    return Text(clean(" · ".join(_manner(terminal).source(row, beside))), DIM)


def _manner(terminal: Terminal) -> Manner:
    def quote(text: str) -> str:
        return terminal.cell(text, longest=LONGEST_QUOTE).plain

    return Manner(terminal.words, terminal.date, terminal.moment, quote)


def _heading(terminal: Terminal, text: str) -> None:
    terminal.show(Text(), Text(text, "bold"))
