"""One thing shown whole: an item, its history, counts, a check-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from relembra.domain.audit import AuditEntry
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Message
from relembra.domain.policy import ConfidencePolicy
from relembra.interfaces.cli.tables import DIM, confidence, kind, place, state
from relembra.interfaces.cli.terminal import Terminal, clean, joined, short
from relembra.interfaces.cli.words import Words
from relembra.interfaces.reasons import attribute, reason, who
from relembra.interfaces.recollected import speaker
from relembra.memory import History
from relembra.recall.rendering import against
from relembra.store.port import Gone, Stats, Use

Rows = list[tuple[str, Text | str]]


def item(terminal: Terminal, held: KnowledgeItem, messages: Sequence[Message], policy: ConfidencePolicy) -> None:
    """Everything about one item that has something to say."""
    content = Text(clean(held.content, breaks=True), "bold")
    if newer := against(held, terminal.words.language):
        content.append(f"\n{clean(newer[:1].upper() + newer[1:])}", "not bold yellow")
    rows = _facts(terminal, held, policy) + _origins(terminal, held, messages)
    if not terminal.watched:
        terminal.show(content, pairs(rows))
        return
    grid = Table.grid(padding=(1, 0))
    grid.add_row(content)
    grid.add_row(pairs(rows))
    title = joined([kind(terminal.words, held), state(terminal.words, held)])
    terminal.show(Panel(grid, title=title, title_align="left", border_style=DIM, padding=(0, 1)))


def done(terminal: Terminal, key: str, held: KnowledgeItem, policy: ConfidencePolicy) -> None:
    """A line that says what happened to which item."""
    words = terminal.words
    line = Text(words(key), "green bold")
    line.append("  ").append(terminal.cell(held.content, longest=200))
    details = joined([kind(words, held), confidence(words, held, policy), Text(short(held.id), "cyan")])
    terminal.show(line, Text("  ").append(details))


def history(terminal: Terminal, told: History) -> None:
    """A timeline of what was believed, then who changed what, when and why."""
    words = terminal.words
    terminal.show(Text(words("history.line"), "bold"))
    line = [*told.predecessors, told.item, *([told.successor] if told.successor else [])]
    for held in line:
        mark = Text("● " if held.id == told.item.id else "○ ", "cyan")
        until = terminal.date(held.held_until) if held.held_until else words("history.now")
        dates = Text(f"{terminal.date(held.held_from)} – {until}", DIM)
        parts = [terminal.cell(held.content), dates, state(words, held), Text(short(held.id), "cyan")]
        terminal.show(Text("  ").append(mark).append(joined(parts)))
    terminal.show(Text(), Text(words("history.changes"), "bold"))
    for entry in told.trail:
        terminal.show(_change(terminal, entry))


def undone(terminal: Terminal, entries: Sequence[AuditEntry], texts: Mapping[str, str]) -> None:
    """What was undone, said once, and beneath it each row it was done to where there were several."""
    changes: dict[str, tuple[Text, dict[str, None]]] = {}
    for entry in entries:
        line = _change(terminal, entry)
        changes.setdefault(line.plain, (line, {}))[1][entry.target_id] = None
    for line, ids in changes.values():
        terminal.show(Text(terminal.words("done.undone") + ":", "green bold").append(line))
        for id in ids if len(entries) > 1 else ():
            told = terminal.cell(texts.get(id) or terminal.words("diff.forgotten")).plain
            terminal.show(Text("  ↺ ").append(told, "bold").append("  ").append(short(id), "not bold cyan"))


def counts(terminal: Terminal, held: Stats, uses: Sequence[Use], title: str) -> None:
    """How much is kept, and what language models were asked."""
    words = terminal.words
    rows: Rows = [
        (words("stats.people"), words.whole(held.people)),
        (words("stats.items"), _tally(words, "state", held.items)),
        (words("stats.types"), _tally(words, "type", held.items_by_type)),
        (words("stats.areas"), _tally(words, "area", held.items_by_area)),
        (words("stats.messages"), words.whole(held.messages)),
        (words("stats.conversations"), words.whole(held.conversations)),
        (words("stats.notes"), words.whole(held.notes)),
        (words("stats.vectors"), _tally(words, "model", held.vectors)),
        (words("stats.jobs"), _tally(words, "job", held.jobs)),
        (words("stats.bytes"), words.size(held.bytes)),
    ]
    rows += [
        (
            words("stats.usage", task=words.name("task", use.task)),
            words(
                "stats.usage.text",
                model=clean(use.model),
                calls=words.count("call", use.calls),
                input=words.whole(use.input_tokens),
                output=words.whole(use.output_tokens),
            ),
        )
        for use in uses
    ]
    terminal.show(Text(title, "bold"), pairs(rows))
    if held.jobs.get("waiting") and terminal.watched:
        terminal.say("stats.waiting.how", DIM)
    if held.jobs.get("dead") and terminal.watched:
        terminal.say("stats.dead.how", "yellow")


def receipt(terminal: Terminal, gone: Gone, named: Sequence[str] = ()) -> None:
    """What was forgotten or would be, place by place; `named`: the notes that would go along."""
    words = terminal.words
    if not gone.total:
        terminal.say("done.forgotten.nothing")
        return
    if gone.dry_run:
        terminal.say("would.forget", "bold", count=words.count("row", gone.total))
    else:
        terminal.say("done.forgotten", "green bold", count=words.count("row", gone.total))
    rows: Rows = [(words.name("gone", name), words.whole(number)) for name, number in gone.counts.items() if number]
    terminal.show(pairs(rows))
    if named:
        terminal.say("ask.notes", notes=words.count("note", len(gone.notes)))
        for title in named:
            terminal.show(Text(f"  {title}"))
    if not gone.erased and not gone.dry_run:
        terminal.say("done.forgotten.traces", "yellow")


def _facts(terminal: Terminal, held: KnowledgeItem, policy: ConfidencePolicy) -> Rows:
    words = terminal.words
    sure = confidence(words, held, policy).append(f"  {words.number(held.confidence)}", DIM)
    told = attribute(words, held.attribute) + (f" = {clean(held.value)}" if held.value else "")
    area = " · ".join(filter(None, (words.name("area", held.area), clean(words.name("sub_area", held.sub_area)))))
    rows: list[tuple[str, Text | str | None]] = [
        ("type", words.name("type", held.type)),
        ("area", area),
        ("subject", None if held.subject == SELF else clean(held.subject)),
        ("claimed", clean(held.speaker or "")),
        ("attribute", told if held.attribute or held.value else None),
        ("confidence", sure),
        ("validated", words("yes") if held.validated else words("no")),
        ("local", words("label.local.text") if held.local_only else None),
        ("resolve", words("label.resolve.text") if held.needs_resolution else None),
        ("since", terminal.date(held.held_from)),
        ("until", terminal.date(held.held_until) if held.held_until else None),
        ("expires", terminal.date(held.expires_at) if held.expires_at else None),
        ("replaced", _successor(words, held)),
        ("archived", terminal.moment(held.archived_at) if held.archived_at else None),
        ("deleted", terminal.moment(held.deleted_at) if held.deleted_at else None),
        ("tags", clean(", ".join(held.tags))),
        ("used", words("label.used.times", n=held.accesses) if held.accesses else None),
        ("place", None if held.place.is_private else place(words, held.place)),
    ]
    return [(words(f"label.{key}"), value) for key, value in rows if value]


def _origins(terminal: Terminal, held: KnowledgeItem, messages: Sequence[Message]) -> Rows:
    words = terminal.words
    found = {message.id: message for message in messages}
    lines = []
    for id in held.message_ids:
        message = found.get(id)
        lines.append(
            id if message is None else f"{clean(speaker(words, message))}: “{clean(message.text)}”"
            f" ({terminal.moment(message.sent_at)})"
        )  # fmt: skip
    rows: list[tuple[str, Text | str | None]] = [
        ("source", words.name("source", held.source)),
        ("evidence", clean(held.evidence or "")),
        ("messages", "\n".join(lines)),
        ("note", short(held.note_id) if held.note_id else None),
        ("related", ", ".join(short(id) for id in held.related)),
        ("id", Text(held.id, "cyan")),
    ]
    return [(words(f"label.{key}"), value) for key, value in rows if value]


def _successor(words: Words, held: KnowledgeItem) -> str | None:
    if held.superseded_at is None:
        return None
    return short(held.superseded_by) if held.superseded_by else words("label.replaced.gone")


def _change(terminal: Terminal, entry: AuditEntry) -> Text:
    words = terminal.words
    line = Text("  ").append(terminal.moment(entry.at), DIM).append("  ")
    line.append(words.name("verb", entry.verb), "bold")
    line.append(" " + words("history.by", who=clean(who(words, entry.actor))))
    if entry.why:
        line.append("; " + words("history.why", why=clean(reason(words, entry.why))))
    return line.append("\n      " if terminal.watched else "  ").append(words("history.change", id=entry.change), DIM)


def _tally(words: Words, kind: str, numbers: Mapping[str, int]) -> str:
    shown = [
        f"{words.name(kind, name) or words('stats.no_area')} {words.whole(number)}"
        for name, number in numbers.items()
        if number
    ]
    return ", ".join(shown) or "0"


def pairs(rows: Rows) -> Table:
    """Names and what they stand for, one a line."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=DIM, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(name, value)
    return grid
