"""What is known: items and everything done to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from rich.text import Text

from relembra.domain.audit import AuditEntry
from relembra.domain.confidence import ConfidenceLevel, level
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Message
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import Place
from relembra.errors import NotFoundError
from relembra.interfaces import recollected, shapes
from relembra.interfaces.cli.call import Answer, Call, text, whole_note
from relembra.interfaces.cli.commands import path
from relembra.interfaces.cli.terminal import DIM, ID, Cell, Column, Rows, Terminal, clean, joined, short
from relembra.interfaces.cli.upkeep import is_file, put_back
from relembra.interfaces.cli.words import Words
from relembra.interfaces.differences import differences
from relembra.interfaces.reasons import attribute, reason, who
from relembra.interfaces.recollected import speaker
from relembra.interfaces.recorded import texts_of
from relembra.memory import History, Memory
from relembra.recall.ranking import Hit, Why
from relembra.recall.rendering import against, told

MARKS = {
    ConfidenceLevel.HIGH: ("●", "green"),
    ConfidenceLevel.MEDIUM: ("◐", "yellow"),
    ConfidenceLevel.LOW: ("○", "red"),
    ConfidenceLevel.DOUBTFUL: ("·", "red"),
}
NOT_NARROWING = ("history", "deleted", "channel")
"""Filters that take nothing away from what is found."""


async def add(call: Call, *, content: str, related: Sequence[str] = (), **parts: Any) -> Answer:
    content = text(content, "content")
    async with call.writing() as memory:
        ids = [(await memory.find(id, **call.person)).id for id in related]
        item = await memory.add(content, related=ids, **parts, **call.person)
        is_new = item.observations == 1
        replaced = (await memory.history(item.id, **call.person)).predecessors if is_new else ()

    def people(terminal: Terminal) -> None:
        show_done(terminal, "done.added" if is_new else "done.known", item, call.policy.confidence)
        for old in replaced:
            terminal.say("done.replaces", DIM, id=f"{short(old.id)}: {old.content}")
        if item.superseded_by:
            terminal.say("done.replaced", "yellow", id=short(item.superseded_by))
        if item.needs_resolution:
            terminal.say("done.unsure", "yellow")

    return Answer(shapes.wire(item), people)


async def list_items(call: Call, *, after: str | None = None, **asked: Any) -> Answer:
    async with call.reading() as memory:
        listing = await memory.list(after=after, **await whole_note(call, memory, asked), **call.person)

    def people(terminal: Terminal) -> None:
        if listing:
            show_items(terminal, listing, call.policy.confidence)
            terminal.more(listing.next)
        else:
            terminal.say(empty_key(asked if after is None else {"after": after}), user=call.user)

    return Answer(shapes.wire(listing), people)


def empty_key(filters: Mapping[str, object]) -> str:
    """What to say where nothing is found: nothing at all is known, or nothing under these filters."""
    narrows = set(filters) - {*NOT_NARROWING, "order", "limit"}
    return "empty.filtered" if narrows else "empty.items"


async def show(call: Call, *, id: str) -> Answer:
    async with call.reading() as memory:
        item = await memory.find(id, **call.person)
        messages = await memory.sources(item.id, **call.person)
    return Answer(shapes.wire(item), lambda terminal: show_item(terminal, item, messages, call.policy.confidence))


async def history(call: Call, *, id: str) -> Answer:
    async with call.reading() as memory:
        found = await memory.history((await memory.find(id, **call.person)).id, **call.person)
    return Answer(shapes.wire(found), lambda terminal: show_history(terminal, found))


async def _changed(
    call: Call,
    id: str,
    change: Callable[[Memory, str], Awaitable[KnowledgeItem]],
    key: str,
    hint: str | None = None,
) -> Answer:
    """Do one thing to the item an id or a piece of one names, and say so."""
    async with call.existing() as memory:
        item = await change(memory, (await memory.find(id, **call.person)).id)

    def people(terminal: Terminal) -> None:
        show_done(terminal, key, item, call.policy.confidence)
        if hint is not None:
            terminal.say(hint, DIM, id=short(item.id))

    return Answer(shapes.wire(item), people)


async def validate(call: Call, *, id: str, **by: Any) -> Answer:
    return await _changed(call, id, lambda memory, id: memory.validate(id, **by, **call.person), "done.validated")


async def correct(call: Call, *, id: str, content: str, **by: Any) -> Answer:
    async def change(memory: Memory, id: str) -> KnowledgeItem:
        item = await memory.correct(id, text(content, "content"), **by, **call.person)
        await memory.settle()
        return item

    return await _changed(call, id, change, "done.corrected")


async def delete(call: Call, *, id: str, **by: Any) -> Answer:
    return await _changed(
        call, id, lambda memory, id: memory.delete(id, **by, **call.person), "done.deleted", "done.deleted.back"
    )


async def restore(call: Call, *, id: str, **by: Any) -> Answer:
    """Bring an item back; where a file is named, that backup."""
    if is_file(source := path(id)):
        return await put_back(call, file=source)
    return await _changed(call, id, lambda memory, id: memory.restore(id, **by, **call.person), "done.restored")


async def archive(call: Call, *, id: str, **by: Any) -> Answer:
    return await _changed(
        call, id, lambda memory, id: memory.archive(id, **by, **call.person), "done.archived", "done.archived.back"
    )


async def recover(call: Call, *, id: str, **by: Any) -> Answer:
    return await _changed(call, id, lambda memory, id: memory.recover(id, **by, **call.person), "done.recovered")


async def local(call: Call, *, id: str, off: bool = False, **by: Any) -> Answer:
    return await _changed(
        call,
        id,
        lambda memory, id: memory.keep_local(id, local=not off, **by, **call.person),
        "done.let_out" if off else "done.kept_local",
        None if off else "done.kept_local.sources",
    )


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
    data = {"undone": [shapes.wire(entry) for entry in entries]}
    return Answer(data, lambda terminal: show_undone(terminal, entries, texts))


# ── showing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def show_items(
    terminal: Terminal, rows: Sequence[KnowledgeItem | Hit], policy: ConfidencePolicy, *, why: bool = False
) -> None:
    """What is known, or what answers, best first; with `why`, what each score is made of."""
    words = terminal.words
    scored = any(isinstance(row, Hit) for row in rows)
    columns = [
        *([Column("score", "bold", right=True, whole=True)] if scored else []),
        Column("content", ratio=1),
        Column("kind", whole=True, aside="below"),
        Column("confidence", whole=True, aside="below"),
        Column("date", whole=True, aside="below"),
        ID,
    ]
    cells: list[list[Cell]] = []
    for row in rows:
        item = row.item if isinstance(row, Hit) else row
        content = joined([terminal.cell(told(item, words.language)), state(words, item)])
        if why and isinstance(row, Hit):
            content.append("\n" + why_text(words, row.why), DIM)
        score = [words.number(row.score)] if isinstance(row, Hit) else []
        details: list[Cell] = [kind(words, item), confidence(words, item, policy), terminal.date(item.held_from)]
        cells.append([*score, content, *details, short(item.id)])
    terminal.table(columns, cells)


def confidence(words: Words, item: KnowledgeItem, policy: ConfidencePolicy) -> Text:
    """How sure, as a mark and a word; a tick where the person confirmed it, a house where it stays on this machine."""
    how = level(item.confidence, policy)
    mark, colour = MARKS[how]
    marks = f"{' ✓' if item.validated else ''}{' ⌂' if item.local_only else ''}"
    return Text(f"{mark} {words(f'level.{how}')}{marks}", colour)


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


def show_item(terminal: Terminal, held: KnowledgeItem, messages: Sequence[Message], policy: ConfidencePolicy) -> None:
    """Everything about one item that has something to say."""
    content = Text(clean(held.content, breaks=True), "bold")
    if newer := against(held, terminal.words.language):
        content.append(f"\n{clean(newer[:1].upper() + newer[1:])}", "not bold yellow")
    title = joined([kind(terminal.words, held), state(terminal.words, held)])
    terminal.panel(_facts(terminal, held, messages, policy), title, content)


def _facts(terminal: Terminal, held: KnowledgeItem, messages: Sequence[Message], policy: ConfidencePolicy) -> Rows:
    words = terminal.words
    said = {message.id: message for message in messages}
    value = attribute(words, held.attribute) + (f" = {clean(held.value)}" if held.value else "")
    area = " · ".join(filter(None, (words.name("area", held.area), clean(words.name("sub_area", held.sub_area)))))
    successor = short(held.superseded_by) if held.superseded_by else words("label.replaced.gone")
    return terminal.labels(
        [
            ("type", words.name("type", held.type)),
            ("area", area),
            ("subject", None if held.subject == SELF else clean(held.subject)),
            ("claimed", clean(held.speaker or "")),
            ("attribute", value if held.attribute or held.value else None),
            ("confidence", confidence(words, held, policy).append(f"  {words.number(held.confidence)}", DIM)),
            ("validated", words("yes") if held.validated else words("no")),
            ("local", words("label.local.text") if held.local_only else None),
            ("resolve", words("label.resolve.text") if held.needs_resolution else None),
            ("since", terminal.date(held.held_from)),
            ("until", terminal.date(held.held_until) if held.held_until else None),
            ("expires", terminal.date(held.expires_at) if held.expires_at else None),
            ("replaced", None if held.superseded_at is None else successor),
            ("archived", terminal.moment(held.archived_at) if held.archived_at else None),
            ("deleted", terminal.moment(held.deleted_at) if held.deleted_at else None),
            ("tags", clean(", ".join(held.tags))),
            ("used", words("label.used.times", n=held.accesses) if held.accesses else None),
            ("place", None if held.place.is_private else place(words, held.place)),
            ("source", words.name("source", held.source)),
            ("evidence", clean(held.evidence or "")),
            ("messages", "\n".join(_quoted(terminal, id, said.get(id)) for id in held.message_ids)),
            ("note", short(held.note_id) if held.note_id else None),
            ("related", ", ".join(short(id) for id in held.related)),
            ("id", Text(held.id, "cyan")),
        ]
    )


def _quoted(terminal: Terminal, id: str, message: Message | None) -> str:
    if message is None:
        return id
    who_said = clean(speaker(terminal.words, message))
    return f"{who_said}: “{clean(message.text)}” ({terminal.moment(message.sent_at)})"


def show_done(terminal: Terminal, key: str, held: KnowledgeItem, policy: ConfidencePolicy) -> None:
    """A line that says what happened to which item."""
    words = terminal.words
    line = Text(words(key), "green bold")
    line.append("  ").append(terminal.cell(held.content, longest=200))
    details = joined([kind(words, held), confidence(words, held, policy), Text(short(held.id), "cyan")])
    terminal.show(line, Text("  ").append(details))


def show_history(terminal: Terminal, found: History) -> None:
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
        terminal.show(_change(terminal, entry))


def show_undone(terminal: Terminal, entries: Sequence[AuditEntry], texts: Mapping[str, str]) -> None:
    """What was undone, said once, and beneath it each row it was done to where there were several."""
    changes: dict[str, tuple[Text, dict[str, None]]] = {}
    for entry in entries:
        line = _change(terminal, entry)
        changes.setdefault(line.plain, (line, {}))[1][entry.target_id] = None
    for line, ids in changes.values():
        terminal.show(Text(terminal.words("done.undone") + ":", "green bold").append(line))
        for id in ids if len(entries) > 1 else ():
            content = texts.get(id) or terminal.words("diff.forgotten")
            terminal.show(Text("  ↺ ").append(terminal.named(content, id)))


def _change(terminal: Terminal, entry: AuditEntry) -> Text:
    words = terminal.words
    line = Text("  ").append(terminal.moment(entry.at), DIM).append("  ")
    line.append(words.name("verb", entry.verb), "bold")
    line.append(" " + words("history.by", who=clean(who(words, entry.actor))))
    if entry.why:
        line.append("; " + words("history.why", why=clean(reason(words, entry.why))))
    return line.append("\n      " if terminal.watched else "  ").append(words("history.change", id=entry.change), DIM)
