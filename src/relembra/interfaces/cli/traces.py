"""How a recall came about, shown: what was understood, what each kind brought, what stayed out, how room was shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from relembra.domain.inquiry import Inquiry
from relembra.domain.policy import RankingPolicy
from relembra.interfaces.cli.panels import Rows, pairs
from relembra.interfaces.cli.tables import DIM, arms, blank
from relembra.interfaces.cli.terminal import Terminal, clean, short
from relembra.interfaces.recollected import (
    MOST_TERMS,
    Beside,
    Manner,
    Recalled,
    likeness,
    most_telling,
    note_text,
    sought,
    text_of,
)
from relembra.recall.assembly import MemoryContext
from relembra.recall.found import Missed
from relembra.recall.ranking import Why
from relembra.recall.rendering import told as with_doubt
from relembra.remembering import Trace
from relembra.store.port import Kind

LONGEST = 160
LONGEST_QUOTE = 44
SHOWN_MISSES = 10
BAR = 20


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
    table = blank(terminal)
    table.add_column(words("trace.rank"), justify="right", no_wrap=True, style=DIM)
    table.add_column(words("trace.score"), justify="right", no_wrap=True, style="bold")
    table.add_column(words("head.content"), ratio=3 if terminal.watched else None)
    if terminal.roomy:
        table.add_column(words("trace.arms"), ratio=2 if terminal.watched else None)
        table.add_column(words("trace.weight"), justify="right", no_wrap=True)
        table.add_column(words("trace.recency"), justify="right", no_wrap=True)
        table.add_column(words("trace.rule"), max_width=14 if terminal.watched else None)
    table.add_column(words("head.id"), no_wrap=True, style="cyan")
    for rank, one in enumerate(rows, 1):
        why = one.why
        found = arms(words, why) or [words("why.none")]
        lines = [terminal.cell(one.text, longest=LONGEST), _source(terminal, one.row, beside)]
        aside: list[Text | str] = []
        if terminal.roomy:
            fused = words("trace.fused", similarity=words.number(why.similarity))
            aside = [
                Text("\n".join([*found, fused])),
                words.number(why.weight),
                words.number(why.recency),
                words.name("rule", why.rule),
            ]
        else:
            lines.append(
                Text(
                    words(
                        "trace.details",
                        arms=" + ".join(found),
                        similarity=words.number(why.similarity),
                        weight=words.number(why.weight),
                        recency=words.number(why.recency),
                        rule=words.name("rule", why.rule),
                    ),
                    DIM,
                )
            )
        table.add_row(str(rank), words.number(one.score), Text("\n").join(lines), *aside, short(one.row.id))
    terminal.show(table)


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
    table = blank(terminal)
    table.add_column(words("trace.likeness"), justify="right", no_wrap=True, style=DIM)
    table.add_column(words("head.content"), ratio=3 if terminal.watched else None)
    if terminal.roomy:
        table.add_column(words("trace.missed.why"), ratio=2 if terminal.watched else None, style="yellow")
    table.add_column(words("head.id"), no_wrap=True, style="cyan")
    manner = _manner(terminal)
    for one in most_telling(missed)[:limit]:
        reason = Text(clean(manner.why_missed(one, beside, policy)), "yellow")
        lines = [terminal.cell(text_of(one.row), longest=LONGEST), _source(terminal, one.row, beside)]
        if not terminal.roomy:
            lines.append(reason)
        aside = [reason] if terminal.roomy else []
        table.add_row(words.number(likeness(one.why)), Text("\n").join(lines), *aside, short(one.row.id))
    terminal.show(table)
    if len(missed) > limit:
        terminal.say("trace.missed.more", DIM, n=words.whole(len(missed) - limit), all=len(missed))


def _shares(terminal: Terminal, made: MemoryContext) -> None:
    """How much of the budget each part of the context took."""
    words = terminal.words
    _heading(terminal, words("trace.shares", budget=words.whole(made.budget)))
    if not made.shares:
        terminal.show(Text("  " + words("trace.shares.none"), DIM))
        return
    table = blank(terminal)
    table.expand = False
    table.add_column(words("trace.part"), no_wrap=True)
    for name in ("tokens", "lines", "cut"):
        table.add_column(words(f"trace.{name}"), justify="right", no_wrap=True)
    if terminal.watched:
        table.add_column("", no_wrap=True, style="cyan")
    for part, share in made.shares.items():
        cells = [words.whole(number) for number in (share.tokens, share.lines, share.cut)]
        table.add_row(words.name("part", part), *cells, *_bar(terminal, share.tokens, made.budget))
    lines = sum(share.lines for share in made.shares.values())
    whole = [Text(words.whole(number), "bold") for number in (made.tokens, lines, made.cut)]
    table.add_row(Text(words("trace.total"), "bold"), *whole, *_bar(terminal, made.tokens, made.budget))
    terminal.show(table)


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
