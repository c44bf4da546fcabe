"""What was said and noted: save, messages, conversations, forgetting, notes and reports."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import msgspec
from rich.markdown import Markdown
from rich.panel import Panel
from rich.text import Text

from relembra.domain.message import Note
from relembra.errors import InvalidInputError, NotFoundError, StoreError, StoreReadOnlyError
from relembra.interfaces.cli.call import (
    PAGE,
    STDIN,
    Answer,
    Call,
    CopyError,
    agreed,
    note_named,
    saying,
    table,
    text,
    verb,
)
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import DIM, Terminal, clean, pairs, short
from relembra.interfaces.recollected import place, speaker
from relembra.interfaces.shapes import wire
from relembra.memory import Memory
from relembra.settings import private_folder
from relembra.store.port import Gone
from relembra.transfer.exports import written
from relembra.views.period_report import is_markdown

WHOLE = ("items", "messages", "conversations", "notes")
MOST_NAMED = 10
"""How many of the notes that go along are named."""
PERIODS = ("weekly", "monthly")


async def save(
    call: Call,
    *,
    said: str | None = None,
    replied: str | None = None,
    messages: str | None = None,
    metadata: Sequence[tuple[str, str]] = (),
    space: str | None = None,
    **rest: Any,
) -> Answer:
    if [said, replied, messages].count(STDIN) > 1:
        raise UsageError("usage.one_stdin", command="save")
    parts: dict[str, Any] = {
        "said": None if said is None else text(said, "said"),
        "replied": None if replied is None else text(replied, "replied"),
        "messages": None if messages is None else _messages(messages),
    }
    async with call.writing() as memory:
        saved = await memory.save(metadata=dict(metadata), space=space, **parts, **rest, **call.person)

    def people(terminal: Terminal) -> None:
        if saved.refused is not None:
            terminal.say(f"refused.{saved.refused}", "yellow", user=call.user, space=space)
            return
        count = terminal.words.count("message", len(saved.messages))
        key = "done.saved" if saved.new else "done.saved.known"
        terminal.say(key, "green" if saved.new else "", conversation=saved.conversation, count=count)
        if saved.left_out:
            terminal.say("done.saved.left_out", "yellow", places=", ".join(saved.left_out))

    return Answer(saved, people)


def _messages(name: str) -> list[dict[str, Any]]:
    """The list a file holds, or standard input: JSON, alone or under "messages", as a request to a model has it."""
    try:
        held = msgspec.json.decode(
            text(name, "messages") if name == STDIN else Path(name).expanduser().read_text("utf-8")
        )
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError("usage.messages", command="save", word=name) from error
    found: list[dict[str, Any]] = held.get("messages", held) if isinstance(held, dict) else held
    return found


def _place(terminal: Terminal, row: Any) -> str:
    return clean(place(terminal.words, row.place))


messages = verb(
    "messages",
    table(
        "when=sent_at who~ text* conversation~? id?",
        "empty.messages",
        who=lambda terminal, message: clean(speaker(terminal.words, message)),
        id=lambda _, message: str(message.id),
    ),
)
conversations = verb(
    "conversations",
    table(
        "used=updated_at title* place~ id~",
        "empty.conversations",
        place=_place,
        id=lambda _, row: Text(clean(row.id), overflow="fold"),
    ),
)


async def rename(call: Call, *, conversation: str, title: str, **by: Any) -> Answer:
    async with call.existing() as memory:
        renamed = await memory.rename_conversation(conversation, title, **by, **call.person)
    return saying(renamed, "done.renamed", id=conversation, title=renamed.title)


async def delete(call: Call, *, conversation: str, **by: Any) -> Answer:
    async with call.existing() as memory:
        hidden = await memory.delete_conversation(conversation, **by, **call.person)
    return saying(hidden, "done.hidden", id=conversation)


# ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────────


async def forget(
    call: Call,
    *,
    id: str | None = None,
    conversation: str | None = None,
    everything: bool = False,
    dry_run: bool = False,
    yes: bool = False,
) -> Answer:
    if sum((id is not None, conversation is not None, everything)) != 1:
        raise InvalidInputError("say what to forget: one item, one conversation, or all", field="forget")
    async with call.existing() as memory:
        item = (await memory.find(id, **call.person)).id if id is not None else None
        what: dict[str, Any] = {"item": item, "conversation": conversation, "all": everything}
        if dry_run:
            would = await memory.forget(**what, dry_run=True, **call.person)
            named = await _named(call, memory, would)
            return Answer(would, lambda terminal: show_receipt(terminal, would, named))
        if not yes and not agreed(call, await _question(call, memory, item, conversation), cannot="ask.cannot"):
            return saying(Gone({}), "ask.kept")
        gone = await memory.forget(**what, **call.person)
    return Answer(gone, lambda terminal: show_receipt(terminal, gone))


async def _question(call: Call, memory: Memory, item: str | None, conversation: str | None) -> str:
    """What exactly will go."""
    words = call.words
    if item is not None:
        asked = words("ask.item", content=clean((await memory.get(item, **call.person)).content))
        return asked + await _along(call, memory, await memory.forget(item=item, dry_run=True, **call.person))
    if conversation is not None:
        listing = await memory.conversations(limit=PAGE, **call.person)
        title = next((row.title for row in listing if row.id == conversation), None)
        if title is None and listing.next is None:
            raise NotFoundError("conversation", conversation)
        messages = await memory.messages(conversation=conversation, limit=PAGE, **call.person)
        count = words.count("message", len(messages)) + ("+" if messages.next else "")
        asked = words("ask.conversation", id=conversation, title=clean(title or ""), messages=count)
        would = await memory.forget(conversation=conversation, dry_run=True, **call.person)
        return asked + await _along(call, memory, would)
    would = await memory.forget(all=True, dry_run=True, **call.person)
    held = {place: words.count(place[:-1], would.counts[place]) for place in WHOLE}
    return words("ask.all", user=call.user, **held)


async def _along(call: Call, memory: Memory, would: Gone) -> str:
    """The notes that go along, by their titles; empty where there are none."""
    if not would.notes:
        return ""
    named = await _named(call, memory, would)
    notes = call.words.count("note", len(would.notes))
    return "\n" + "\n".join([call.words("ask.notes", notes=notes), *(f"  {title}" for title in named)])


async def _named(call: Call, memory: Memory, would: Gone) -> list[str]:
    """The titles of the notes that go along, the first of them."""
    titles = [clean((await memory.note(id, **call.person)).title) for id in would.notes[:MOST_NAMED]]
    rest = len(would.notes) - len(titles)
    return [*titles, call.words("ask.notes.more", n=call.words.whole(rest))] if rest else titles


def show_receipt(terminal: Terminal, gone: Gone, named: Sequence[str] = ()) -> None:
    """What was forgotten or would be, place by place; `named`: the notes that would go along."""
    words = terminal.words
    if not gone.total:
        terminal.say("done.forgotten.nothing")
        return
    if gone.dry_run:
        terminal.say("would.forget", "bold", count=words.count("row", gone.total))
    else:
        terminal.say("done.forgotten", "green bold", count=words.count("row", gone.total))
    counts = [(words.name("gone", name), words.whole(number)) for name, number in gone.counts.items() if number]
    terminal.show(pairs([*counts]))
    if named:
        terminal.say("ask.notes", notes=words.count("note", len(gone.notes)))
        for title in named:
            terminal.show(Text(f"  {title}"))
    if not gone.erased and not gone.dry_run:
        terminal.say("done.forgotten.traces", "yellow")


# ── notes and reports ─────────────────────────────────────────────────────────────────────────────────────────────


async def show_note(call: Call, *, id: str, **where: Any) -> Answer:
    async with call.reading() as memory:
        found = await note_named(call, memory, id, **where)
    return Answer(found, lambda terminal: _note_panel(terminal, found))


def _note_cell(terminal: Terminal, note: Note) -> Text:
    summary = terminal.cell(_opening(note) if terminal.watched else note.summary, longest=240)
    alike = terminal.watched and summary.plain.rstrip(".") == clean(note.title).rstrip(".")
    return Text("\n").join([Text(clean(note.title), "bold"), *([] if alike else [summary])])


notes = verb(
    "notes",
    table(
        "when note* with~/ place~/ id",
        "empty.notes",
        when=lambda terminal, note: terminal.date(note.happened_at),
        note=_note_cell,
        place=_place,
        **{"with": lambda _, note: clean(", ".join(note.participants))},
    ),
)


def _opening(note: Note) -> str:
    """Its summary, of one that is a page of its own the first paragraph."""
    if not is_markdown(note):
        return note.summary
    return next((line for line in note.summary.splitlines() if line and not line.startswith("#")), "").strip("*")


def _note_panel(terminal: Terminal, found: Note) -> None:
    words = terminal.words
    rows = terminal.labels(
        [
            ("when", found.happened_at),
            ("where", _place(terminal, found)),
            ("with", clean(", ".join(found.participants))),
            ("conversation", clean(found.conversation or "")),
            ("made_of", words.count("message", len(found.message_ids))),
            ("id", Text(found.id, "cyan")),
        ]
    )
    summary = Text(clean(found.summary, breaks=True))
    body = markdown(found.summary) if terminal.watched and is_markdown(found) else summary
    terminal.panel(rows, words.name("kind", found.kind), Text(clean(found.title), "bold"), body)


async def report(call: Call, *, period: str, day: date | None = None, save: Path | None = None) -> Answer:
    """Written now, in place of any before; nothing is written where nothing happened."""
    if period not in PERIODS:
        raise InvalidInputError(f"a report is weekly or monthly, not {period}", field="period")
    async with call.existing() as memory:
        note = await memory.report(period, day=day, language=call.typed.get("lang"), **call.person)
        if note is None:
            name = call.words.name("period", period)
            parts: dict[str, Any] = {"period": name, "user": call.user, "word": period}
            if day is not None:
                return saying(None, "report.nothing", **parts)
            return saying(None, "report.nothing.last", day=datetime.now().astimezone().date(), **parts)
        return await _kept(call, memory, note, save)


async def appointment(
    call: Call, *, person: str | None = None, at: datetime | None = None, save: Path | None = None
) -> Answer:
    """For the next appointment known, or with whom and when is said."""
    async with call.existing() as memory:
        note = await memory.appointment(person, at=at, language=call.typed.get("lang"), **call.person)
        return await _kept(call, memory, note, save)


async def _kept(call: Call, memory: Memory, note: Note, folder: Path | None) -> Answer:
    """What was written, as a note of the memory where it can be kept there, and as files where a folder was named."""
    is_kept = True
    try:
        await memory.settle()
    except StoreReadOnlyError:
        if folder is not None:
            raise
        is_kept = False
    saved = [] if folder is None else await _files(call, memory, note, folder)

    def people(terminal: Terminal) -> None:
        if terminal.watched:
            title, body = Text(clean(note.title), "bold"), markdown(note.summary)
            terminal.show(Panel(body, title=title, title_align="left", border_style=DIM, padding=(1, 2)))
            if is_kept:
                terminal.say("report.kept", DIM, id=short(note.id))
        else:
            terminal.show(Text(f"# {clean(note.title)}\n\n{clean(note.summary, breaks=True)}"))
        for path in saved:
            terminal.say("report.saved", "green", path=path)

    return Answer({**wire(note), "files": saved}, people)


async def _files(call: Call, memory: Memory, note: Note, folder: Path) -> list[str]:
    """The files a note was written to; ones of the same report are replaced."""
    files = await memory.note_files(note.id, language=call.typed.get("lang"), **call.person)
    try:
        private_folder(folder)
        for name, content in files.items():
            with written(folder / name, overwrite=True) as file:
                file.write(content)
    except (OSError, StoreError) as error:
        raise CopyError(folder) from error
    return [str(folder / name) for name in files]


def markdown(text: str, *, most: int | None = None) -> Markdown:
    """Our own Markdown on a terminal; `most`: no more lines than so many."""
    lines = clean(text, breaks=True).strip().splitlines()
    cut = [] if most is None or len(lines) <= most else ["", "…"]
    return Markdown("\n".join([*lines[:most], *cut]), hyperlinks=False)
