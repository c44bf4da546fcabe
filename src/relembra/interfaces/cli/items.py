"""What is known: items and everything done to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rich.text import Text

from relembra.domain.audit import AuditEntry
from relembra.domain.confidence import ConfidenceLevel, level
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Message
from relembra.errors import NotFoundError
from relembra.interfaces import trace
from relembra.interfaces.cli.call import Answer, Call, verb
from relembra.interfaces.cli.terminal import DIM, Rows, Terminal, clean, joined, short, stacked
from relembra.interfaces.cli.words import Words
from relembra.interfaces.sentences import attribute, differences, reason, texts_of, who
from relembra.interfaces.trace import place, speaker
from relembra.memory import History
from relembra.recall.ranking import Hit, Why
from relembra.recall.rendering import against, told

MARKS = {
    ConfidenceLevel.HIGH: ("●", "green"),
    ConfidenceLevel.MEDIUM: ("◐", "yellow"),
    ConfidenceLevel.LOW: ("○", "red"),
    ConfidenceLevel.DOUBTFUL: ("·", "red"),
}
NOT_NARROWING = ("history", "deleted", "channel", "order", "limit")
"""Filters that take nothing away from what is found."""


async def add(call: Call, *, content: str, related: Sequence[str] = (), **parts: Any) -> Answer:
    async with call.writing() as memory:
        ids = [(await memory.find(id, **call.person)).id for id in related]
        item = await memory.add(content, related=ids, **parts, **call.person)
        is_new = item.observations == 1
        replaced = (await memory.history(item.id, **call.person)).predecessors if is_new else ()

    def show(terminal: Terminal, item: KnowledgeItem) -> None:
        show_done(terminal, item, "done.added" if is_new else "done.known")
        for old in replaced:
            terminal.say("done.replaces", DIM, id=f"{short(old.id)}: {old.content}")
        if item.superseded_by:
            terminal.say("done.replaced", "yellow", id=short(item.superseded_by))
        if item.needs_resolution:
            terminal.say("done.unsure", "yellow")

    return Answer(item, show)


async def list_items(call: Call, **asked: Any) -> Answer:
    return await verb("list", partial(show_items, empty=empty_key(asked)))(call, **asked)


def empty_key(filters: Mapping[str, object]) -> str:
    """What to say where nothing is found: nothing at all is known, or nothing under these filters."""
    return "empty.filtered" if set(filters) - {*NOT_NARROWING} else "empty.items"


async def show(call: Call, *, id: str) -> Answer:
    async with call.reading() as memory:
        item = await memory.find(id, **call.person)
        messages = await memory.sources(item.id, **call.person)
    return Answer(item, partial(show_item, messages=messages))


async def local(call: Call, *, off: bool = False, **asked: Any) -> Answer:
    return await (_let_out if off else _keep_local)(call, local=not off, **asked)


async def undo(call: Call, *, change: str, **by: Any) -> Answer:
    """An item may be named by a piece of its id; conversations and changes by the whole of theirs."""
    async with call.existing() as memory:
        try:
            entries = await memory.undo(change, **by, **call.person)
        except NotFoundError as unknown:
            try:
                item = await memory.find(change, **call.person)
            except NotFoundError:
                raise unknown from None
            entries = await memory.undo(item.id, **by, **call.person)
        texts = await texts_of(memory, differences(entries), call.person) if len(entries) > 1 else {}
    return Answer(entries, partial(_undone, texts=texts), json={"undone": entries})


# ── showing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def show_items(
    terminal: Terminal, rows: Sequence[KnowledgeItem | Hit], *, why: bool = False, empty: str = "empty.items"
) -> None:
    """What is known, or what answers, best first; with `why`, what each score is made of."""

    def of(row: KnowledgeItem | Hit) -> KnowledgeItem:
        return row.item if isinstance(row, Hit) else row

    def content(terminal: Terminal, row: KnowledgeItem | Hit) -> Text:
        cell = joined([terminal.cell(told(of(row), terminal.words.language)), state(terminal.words, of(row))])
        return stacked([cell, Text(why_text(terminal.words, row.why), DIM)]) if why and isinstance(row, Hit) else cell

    if not rows:
        terminal.say(empty)
        return
    terminal.rows(
        f"{'score>' if isinstance(rows[0], Hit) else ''} content* kind/ confidence/ date/ id",
        rows,
        content=content,
        kind=lambda terminal, row: kind(terminal.words, of(row)),
        confidence=lambda terminal, row: confidence(terminal, of(row)),
        date=lambda terminal, row: terminal.date(of(row).held_from),
        id=lambda _, row: short(of(row).id),
    )


def confidence(terminal: Terminal, item: KnowledgeItem) -> Text:
    """How sure, as a mark and a word; a tick where the person confirmed it, a house where it stays on this machine."""
    how = level(item.confidence, terminal.policy.confidence)
    mark, colour = MARKS[how]
    marks = f"{' ✓' if item.validated else ''}{' ⌂' if item.local_only else ''}"
    return Text(f"{mark} {terminal.words(f'level.{how}')}{marks}", colour)


def kind(words: Words, item: KnowledgeItem) -> Text:
    """Its type, and its area of life where it has one."""
    return joined([words.name("type", item.type), words.name("area", item.area)])


def state(words: Words, item: KnowledgeItem) -> Text:
    """Why it is not current, or that it is in question, if so."""
    if item.deleted_at is not None:
        return Text(words("mark.deleted"), "red")
    if item.superseded_at is not None:
        return Text(words("mark.replaced"), "yellow")
    if item.archived_at is not None:
        return Text(words("mark.archived"), "yellow")
    return Text(words("mark.question") if item.needs_resolution else "", "yellow")


def arms(words: Words, why: Why) -> str:
    """What found a row, each with how well."""
    return " + ".join(clean(arm) for arm in trace.arms(words, why))


def why_text(words: Words, why: Why) -> str:
    """What a score is made of."""
    numbers = {name: words.number(getattr(why, name)) for name in ("similarity", "weight", "recency")}
    return words("why.rest", arms=arms(words, why) or words("why.named"), **numbers)


def show_item(terminal: Terminal, held: KnowledgeItem, messages: Sequence[Message]) -> None:
    """Everything about one item that has something to say."""
    content = Text(clean(held.content, breaks=True), "bold")
    if newer := against(held, terminal.words.language):
        content.append(f"\n{clean(newer[:1].upper() + newer[1:])}", "not bold yellow")
    title = joined([kind(terminal.words, held), state(terminal.words, held)])
    terminal.panel(_facts(terminal, held, messages), title, content)


def _facts(terminal: Terminal, held: KnowledgeItem, messages: Sequence[Message]) -> Rows:
    words = terminal.words
    said = {message.id: message for message in messages}
    value = attribute(words, held.attribute) + (f" = {clean(held.value)}" if held.value else "")
    successor = short(held.superseded_by) if held.superseded_by else words("label.replaced.gone")
    return terminal.labels(
        {
            "type": words.name("type", held.type),
            "area": joined([words.name("area", held.area), clean(words.name("sub_area", held.sub_area))]),
            "subject": None if held.subject == SELF else held.subject,
            "claimed": held.speaker,
            "attribute": value if held.attribute or held.value else None,
            "confidence": confidence(terminal, held).append(f"  {words.number(held.confidence)}", DIM),
            "validated": held.validated,
            "local": words("label.local.text") if held.local_only else None,
            "resolve": words("label.resolve.text") if held.needs_resolution else None,
            "since": terminal.date(held.held_from),
            "until": terminal.date(held.held_until),
            "expires": terminal.date(held.expires_at),
            "replaced": None if held.superseded_at is None else successor,
            "archived": held.archived_at,
            "deleted": held.deleted_at,
            "tags": ", ".join(held.tags),
            "used": words("label.used.times", n=held.accesses) if held.accesses else None,
            "place": None if held.place.is_private else place(words, held.place),
            "source": words.name("source", held.source),
            "evidence": held.evidence,
            "messages": stacked(_quoted(terminal, id, said.get(id)) for id in held.message_ids),
            "note": held.note_id,
            "related": ", ".join(short(id) for id in held.related),
            "id": held.id,
        }
    )


def _quoted(terminal: Terminal, id: str, message: Message | None) -> str:
    if message is None:
        return id
    return f"{clean(speaker(terminal.words, message))}: “{clean(message.text)}” ({terminal.moment(message.sent_at)})"


def show_done(terminal: Terminal, held: KnowledgeItem, key: str, hint: str = "") -> None:
    """What happened to which item, and what can be done next."""
    words = terminal.words
    line = Text(words(key), "green bold").append("  ").append(terminal.cell(held.content, longest=200))
    details = joined([kind(words, held), confidence(terminal, held), Text(short(held.id), "cyan")])
    terminal.show(line, Text("  ").append(details))
    if hint:
        terminal.say(hint, DIM, id=short(held.id))


def _history(terminal: Terminal, found: History) -> None:
    """A timeline of what was believed, then who changed what, when and why."""
    words = terminal.words
    terminal.show(Text(words("history.line"), "bold"))
    for held in [*found.predecessors, found.item, *([found.successor] if found.successor else [])]:
        mark = Text("● " if held.id == found.item.id else "○ ", "cyan")
        until = terminal.date(held.held_until) if held.held_until else words("history.now")
        dates = Text(f"{terminal.date(held.held_from)} – {until}", DIM)
        parts = [terminal.cell(held.content), dates, state(words, held), Text(short(held.id), "cyan")]
        terminal.show(Text("  ").append(mark).append(joined(parts)))
    terminal.show(Text(), Text(words("history.changes"), "bold"))
    for entry in found.trail:
        terminal.show(_entry(terminal, entry))


def _undone(terminal: Terminal, entries: Sequence[AuditEntry], texts: Mapping[str, str]) -> None:
    """What was undone, said once, and beneath it each row it was done to where there were several."""
    changes: dict[str, tuple[Text, dict[str, None]]] = {}
    for entry in entries:
        line = _entry(terminal, entry)
        changes.setdefault(line.plain, (line, {}))[1][entry.target_id] = None
    for line, ids in changes.values():
        terminal.show(Text(terminal.words("done.undone") + ":", "green bold").append(line))
        for id in ids if len(entries) > 1 else ():
            content = texts.get(id) or terminal.words("diff.forgotten")
            terminal.show(Text("  ↺ ").append(terminal.named(content, id)))


def _entry(terminal: Terminal, entry: AuditEntry) -> Text:
    words = terminal.words
    line = Text("  ").append(terminal.moment(entry.at), DIM).append("  ")
    line.append(words.name("verb", entry.verb), "bold")
    line.append(" " + words("history.by", who=clean(who(words, entry.actor))))
    if entry.why:
        line.append("; " + words("history.why", why=clean(reason(words, entry.why))))
    return line.append("\n      " if terminal.watched else "  ").append(words("history.change", id=entry.change), DIM)


# ── commands that are one verb ────────────────────────────────────────────────────────────────────────────────────


def _changes(name: str, key: str, hint: str = "", *, settles: bool = False) -> Callable[..., Awaitable[Answer]]:
    """A command that does one thing to an item."""
    return verb(name, partial(show_done, key=key, hint=hint), opens="existing", of_item=True, settles=settles)


validate = _changes("validate", "done.validated")
correct = _changes("correct", "done.corrected", settles=True)
delete = _changes("delete", "done.deleted", "done.deleted.back")
restore = _changes("restore", "done.restored")
archive = _changes("archive", "done.archived", "done.archived.back")
recover = _changes("recover", "done.recovered")
_keep_local = _changes("keep_local", "done.kept_local", "done.kept_local.sources")
_let_out = _changes("keep_local", "done.let_out")
history = verb("history", _history, of_item=True)
related = verb("related", partial(show_items, empty="empty.related"), of_item=True)
