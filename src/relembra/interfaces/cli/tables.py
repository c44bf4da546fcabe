"""Many rows as tables: on a narrow screen a row's details stand under its words, elsewhere beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from relembra.domain.confidence import level
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import Place
from relembra.interfaces import recollected
from relembra.interfaces.cli.terminal import MARKS, Terminal, clean, joined, short
from relembra.interfaces.cli.words import Words
from relembra.interfaces.recollected import note_text, speaker
from relembra.recall.asked import Listing
from relembra.recall.ranking import Hit, MessageHit, NoteHit, Why
from relembra.recall.rendering import told
from relembra.store.port import Kind

DIM = "dim"


def items(terminal: Terminal, listing: Listing[KnowledgeItem], policy: ConfidencePolicy) -> None:
    """What is known."""
    _rows(terminal, [(item, None) for item in listing], policy, why=False)
    more(terminal, listing.next)


def hits(terminal: Terminal, found: Sequence[Hit], policy: ConfidencePolicy, *, why: bool) -> None:
    """What answers, best first."""
    _rows(terminal, [(hit.item, hit) for hit in found], policy, why=why)


def recalled(
    terminal: Terminal,
    items: Sequence[Hit],
    notes: Sequence[NoteHit],
    said: Sequence[MessageHit],
    policy: ConfidencePolicy,
    *,
    why: bool,
) -> None:
    """Items, notes and messages that answer, a table of each; where nobody watches, each row begins with its kind."""
    words = terminal.words
    groups = {
        Kind.ITEM: [
            _Found(
                hit.item.id,
                told(hit.item, words.language),
                _about(terminal, hit.item, policy),
                hit.score,
                hit.why,
            )
            for hit in items
        ],
        Kind.NOTE: [
            _Found(hit.note.id, note_text(hit.note), _noted(terminal, hit.note), hit.score, hit.why) for hit in notes
        ],
        Kind.MESSAGE: [
            _Found(hit.message.id, hit.excerpt or hit.message.text, _said(terminal, hit.message), hit.score, hit.why)
            for hit in said
        ],
    }
    there = {kind: rows for kind, rows in groups.items() if rows}
    for number, (kind_of, rows) in enumerate(there.items()):
        if terminal.watched:
            terminal.show(*([Text()] if number else []), Text(words(f"recalled.{kind_of}"), "bold"))
        table = blank(terminal)
        table.show_header = False
        if not terminal.watched:
            table.add_column()
        table.add_column(justify="right", no_wrap=True, style="bold")
        table.add_column(ratio=1 if terminal.watched else None)
        table.add_column(no_wrap=True, style="cyan")
        begun = [] if terminal.watched else [words.name("kind", kind_of)]
        for row in rows:
            lines = [terminal.cell(row.text), Text(joined(row.details).plain, DIM)]
            if why:
                lines.append(Text(why_text(words, row.why), DIM))
            table.add_row(*begun, words.number(row.score), Text("\n").join(lines), short(row.id))
        terminal.show(table)


def messages(terminal: Terminal, listing: Listing[Message]) -> None:
    """What was said."""
    words = terminal.words
    table = blank(terminal)
    table.add_column(words("head.when"), no_wrap=True, style=DIM)
    table.add_column(words("head.who"), style="cyan", max_width=20 if terminal.watched else None)
    table.add_column(words("head.text"), ratio=1 if terminal.watched else None)
    if terminal.roomy:
        table.add_column(words("head.conversation"), style=DIM)
        table.add_column(words("head.id"), no_wrap=True, style=DIM)
    for message in listing:
        aside = [clean(message.conversation), message.id] if terminal.roomy else []
        who = clean(speaker(words, message))
        table.add_row(terminal.moment(message.sent_at), who, terminal.cell(message.text), *aside)
    terminal.show(table)
    more(terminal, listing.next)


def conversations(terminal: Terminal, listing: Listing[Conversation]) -> None:
    """The conversations, with the ids to name them by."""
    words = terminal.words
    table = blank(terminal)
    table.add_column(words("head.used"), no_wrap=True, style=DIM)
    table.add_column(words("head.title"), ratio=1 if terminal.watched else None)
    table.add_column(words("head.place"), style=DIM)
    table.add_column(words("head.id"), style="cyan", overflow="fold")
    for row in listing:
        where = place(words, row.place)
        table.add_row(terminal.moment(row.updated_at), terminal.cell(row.title), where, clean(row.id))
    terminal.show(table)
    more(terminal, listing.next)


def confidence(words: Words, item: KnowledgeItem, policy: ConfidencePolicy) -> Text:
    """How sure, as a mark and a word; a tick where the person confirmed it, a house where it stays on this machine."""
    how = level(item.confidence, policy)
    mark, colour = MARKS[how]
    told = f"{' ✓' if item.validated else ''}{' ⌂' if item.local_only else ''}"
    return Text(f"{mark} {words(f'level.{how}')}{told}", colour)


def kind(words: Words, item: KnowledgeItem) -> Text:
    """Its type, and its area of life where it has one."""
    return Text(" · ".join(filter(None, (words.name("type", item.type), words.name("area", item.area)))))


def state(words: Words, item: KnowledgeItem) -> Text:
    """Why it is not current, or that it is in question, if so."""
    if item.deleted_at is not None:
        return Text(words("mark.deleted"), "red")
    if item.superseded_at is not None:
        return Text(words("mark.replaced"), "yellow")
    if item.archived_at is not None:
        return Text(words("mark.archived"), "yellow")
    return Text(words("mark.question") if item.needs_resolution else "", "yellow")


def place(words: Words, where: Place) -> str:
    return clean(recollected.place(words, where))


def arms(words: Words, why: Why) -> list[str]:
    """What found a row, each with how well."""
    return [clean(arm.said) for arm in recollected.arms(words, why)]


def why_text(words: Words, why: Why) -> str:
    """What a score is made of."""
    return words(
        "why.rest",
        arms=" + ".join(arms(words, why)) or words("why.named"),
        similarity=words.number(why.similarity),
        weight=words.number(why.weight),
        recency=words.number(why.recency),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """A row of any kind that answers."""

    id: str
    text: str
    details: list[Text]
    score: float
    why: Why


def _said(terminal: Terminal, message: Message) -> list[Text]:
    return [Text(terminal.moment(message.sent_at)), Text(clean(speaker(terminal.words, message)))]


def _about(terminal: Terminal, item: KnowledgeItem, policy: ConfidencePolicy) -> list[Text]:
    words = terminal.words
    when = Text(terminal.date(item.held_from))
    return [kind(words, item), confidence(words, item, policy), when, state(words, item)]


def _noted(terminal: Terminal, note: Note) -> list[Text]:
    words = terminal.words
    where = "" if note.place.is_private else place(words, note.place)
    parts = (words.name("kind", note.kind), terminal.date(note.happened_at), clean(", ".join(note.participants)), where)
    return [Text(part) for part in parts]


def _rows(
    terminal: Terminal, rows: Sequence[tuple[KnowledgeItem, Hit | None]], policy: ConfidencePolicy, *, why: bool
) -> None:
    words = terminal.words
    table = blank(terminal)
    scored = any(hit is not None for _, hit in rows)
    if scored:
        table.add_column(words("head.score"), justify="right", no_wrap=True, style="bold")
    table.add_column(words("head.content"), ratio=1 if terminal.watched else None)
    if terminal.roomy:
        table.add_column(words("head.kind"), no_wrap=True)
        table.add_column(words("head.confidence"), no_wrap=True)
        table.add_column(words("head.date"), no_wrap=True)
    table.add_column(words("head.id"), no_wrap=True, style="cyan")
    for item, hit in rows:
        content = terminal.cell(told(item, words.language))
        details = [kind(words, item), confidence(words, item, policy), Text(terminal.date(item.held_from))]
        marks = [state(words, item)]
        if not terminal.roomy:
            marks = [*details, *marks]
        beneath = joined(marks)
        beneath.stylize(DIM)
        lines = [content, beneath] if not terminal.roomy else [joined([content, beneath])]
        if why and hit is not None:
            lines.append(Text(why_text(words, hit.why), DIM))
        cells = [Text("\n" if not terminal.roomy or terminal.watched else " | ").join(part for part in lines if part)]
        if terminal.roomy:
            cells += details
        score = [] if not scored else [Text(words.number(hit.score) if hit is not None else "")]
        table.add_row(*score, *cells, Text(short(item.id)))
    terminal.show(table)


def blank(terminal: Terminal) -> Table:
    """A table without columns yet; headings and full width are for eyes."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold dim")
    table.show_header = terminal.watched
    table.expand = terminal.watched
    return table


def more(terminal: Terminal, cursor: str | None) -> None:
    """How to see the next page, where there is one."""
    if cursor is not None and terminal.watched:
        terminal.say("more", DIM, cursor=cursor)
