"""How a recall came about, shown: what was understood, what each kind brought, what stayed out, how room was shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from rich.text import Text

from relembra.domain.inquiry import Inquiry, Period
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.domain.policy import RankingPolicy
from relembra.interfaces.cli.panels import Rows, pairs
from relembra.interfaces.cli.tables import DIM, arms, blank, kind, note_text, place, speaker
from relembra.interfaces.cli.terminal import Terminal, clean, joined, short
from relembra.recall.assembly import MemoryContext
from relembra.recall.entries import KnownLine
from relembra.recall.found import Miss, Missed
from relembra.recall.ranking import Why, whole_words
from relembra.remembering import Trace
from relembra.store.port import Kind

LONGEST = 160
LONGEST_QUOTE = 44
SHOWN_MISSES = 10
MOST_TERMS = 12
BAR = 20

Recalled = KnowledgeItem | Note | Message


@dataclass(frozen=True, slots=True)
class Beside:
    """What the rows of a trace name, by id: the notes they were learnt in, and the items that replaced them."""

    notes: Mapping[str, Note] = field(default_factory=dict)
    successors: Mapping[str, KnowledgeItem] = field(default_factory=dict)
    told_otherwise: Collection[str] = ()  # ids of items whose words stand in another part


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
    lines = {line.hit.item.id for line in made.lines if isinstance(line, KnownLine)}
    beside = replace(beside, told_otherwise={item.id for item in made.items} - lines)
    brought = (
        (Kind.ITEM, [_Row(hit.item, hit.item.content, hit.score, hit.why) for hit in made.hits]),
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


def most_telling(missed: Sequence[Missed]) -> list[Missed]:
    """What was cut first, then whatever came nearest to the question."""
    return sorted(missed, key=lambda one: (one.miss is not Miss.CUT, -_likeness(one.why)))


def _understood(terminal: Terminal, inquiry: Inquiry) -> None:
    words = terminal.words
    topics = [words.name("topic", topic) for topic in inquiry.topics]
    first = [words.name("type", one) for one in inquiry.types]
    areas = [words.name("area", one) for one in inquiry.areas]
    terms = [f"{clean(term)} {words.number(weight)}" for term, weight in _sought(inquiry)]
    rows: list[tuple[str, str | Text]] = [
        ("question", clean(inquiry.text)),
        ("core", clean(inquiry.core) if inquiry.core != inquiry.text else ""),
        ("language", words.name("language", inquiry.language)),
        ("names", clean(", ".join(inquiry.names))),
        ("mentions", clean(", ".join(f"@{name}" for name in inquiry.mentions))),
        ("when", "" if inquiry.period is None else _period(terminal, inquiry.period)),
        ("topics", ", ".join(topics)),
        ("first", " · ".join(filter(None, (", ".join(first), ", ".join(areas))))),
        ("whose", "" if inquiry.role is None else words(f"trace.whose.{inquiry.role}")),
        ("past", words("trace.past.yes") if inquiry.past else ""),
        ("ordered", words("trace.ordered.yes") if inquiry.ordered else ""),
        ("terms", Text(", ".join(terms[:MOST_TERMS] if terminal.watched else terms), DIM)),
    ]
    shown: Rows = [(words(f"trace.{name}"), value) for name, value in rows if value]
    terminal.show(Text(words("trace.asked"), "bold"), pairs(shown))


def _sought(inquiry: Inquiry) -> list[tuple[str, float]]:
    """The words a question is searched by, the weightiest first; a stem counts for the word it begins."""
    sought = {
        word: sum(weight for term, weight in inquiry.weights.items() if word.startswith(term))
        for word in whole_words(tuple(inquiry.weights))
    }
    return sorted(sought.items(), key=lambda pair: -pair[1])


def _period(terminal: Terminal, period: Period) -> str:
    key = "trace.period" if period.precise else "trace.period.vague"
    dates = _dates(terminal, period.start, period.end - timedelta(microseconds=1))
    return terminal.words(key, text=clean(period.text), dates=dates)


def _dates(terminal: Terminal, start: datetime, end: datetime) -> str:
    first, last = terminal.date(start), terminal.date(end)
    return first if first == last else terminal.words("trace.dates", start=first, end=last)


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
    for one in most_telling(missed)[:limit]:
        reason = Text(_reason(terminal, one, beside, policy), "yellow")
        lines = [terminal.cell(_text(one.row), longest=LONGEST), _source(terminal, one.row, beside)]
        if not terminal.roomy:
            lines.append(reason)
        aside = [reason] if terminal.roomy else []
        table.add_row(words.number(_likeness(one.why)), Text("\n").join(lines), *aside, short(one.row.id))
    terminal.show(table)
    if len(missed) > limit:
        terminal.say("trace.missed.more", DIM, n=words.whole(len(missed) - limit), all=len(missed))


def _reason(terminal: Terminal, one: Missed, beside: Beside, policy: RankingPolicy) -> str:
    """Why a row was left out, as a person would say it."""
    words, row, key = terminal.words, one.row, f"miss.{one.miss}"
    match one.miss:
        case Miss.WEAK:
            return words(key, needed=words.number(policy.least_similarity))
        case Miss.ARCHIVED:
            return words(key, needed=words.number(policy.recover_at_least))
        case Miss.ELSEWHERE:
            return words(key, place=place(words, row.place))
        case Miss.DELETED if row.deleted_at is not None:
            return words(key, date=terminal.date(row.deleted_at))
        case _:
            return _reason_of_item(terminal, one.miss, row, beside) if isinstance(row, KnowledgeItem) else words(key)


def _reason_of_item(terminal: Terminal, miss: Miss, item: KnowledgeItem, beside: Beside) -> str:
    words, key = terminal.words, f"miss.{miss}"
    match miss:
        case Miss.SUPERSEDED:
            by = beside.successors.get(item.superseded_by or "")
            gone = words("miss.superseded.gone")
            return gone if by is None else words(key, by=terminal.cell(by.content, longest=LONGEST_QUOTE))
        case Miss.UNKNOWN_THEN:
            return words(key, date=terminal.date(item.created_at))
        case Miss.UNTRUE_THEN:
            until = words("history.now") if item.held_until is None else terminal.date(item.held_until)
            return words(key, dates=words("trace.dates", start=terminal.date(item.held_from), end=until))
        case Miss.EXPIRED if item.expires_at is not None:
            return words(key, date=terminal.date(item.expires_at))
        case _:
            return words(key)


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
    """Where a row is from: its note, its date and who said it."""
    words = terminal.words
    match row:
        case KnowledgeItem():
            note = beside.notes.get(row.note_id or "")
            parts = [
                kind(words, row).plain,
                "" if row.subject == SELF else clean(row.subject),
                terminal.date(row.held_from),
                words.name("source", row.source) if note is None else _in_note(terminal, note),
                words("trace.said_by", name=clean(row.speaker)) if row.speaker else "",
                words("trace.told_otherwise") if row.id in beside.told_otherwise else "",
            ]
        case Note():
            parts = [words.name("kind", row.kind), terminal.date(row.happened_at), clean(", ".join(row.participants))]
        case Message():
            parts = [terminal.moment(row.sent_at), clean(speaker(words, row))]
    away = "" if row.place.is_private else place(words, row.place)
    return joined([Text(part, DIM) for part in (*parts, away)], mark=" · ")


def _in_note(terminal: Terminal, note: Note) -> str:
    return terminal.words("trace.note", title=terminal.cell(note.title, longest=LONGEST_QUOTE))


def _text(row: Recalled) -> str:
    match row:
        case KnowledgeItem():
            return row.content
        case Note():
            return note_text(row)
        case Message():
            return row.text


def _likeness(why: Why) -> float:
    return why.similarity + why.around


def _heading(terminal: Terminal, text: str) -> None:
    terminal.show(Text(), Text(text, "bold"))
