"""What was said and noted: save, messages, conversations, forgetting, notes and reports."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.text import Text

from relembra.domain.message import Note
from relembra.errors import InvalidInputError, NotFoundError, StoreError, StoreReadOnlyError
from relembra.interfaces.cli.call import Answer, Call, CopyError, agreed, note_named, saying, verb
from relembra.interfaces.cli.commands import STDIN, UsageError, path, text
from relembra.interfaces.cli.terminal import DIM, Terminal, clean, pairs, says, short, stacked, table
from relembra.interfaces.shapes import wire
from relembra.interfaces.trace import place, speaker
from relembra.memory import Memory
from relembra.settings import private_folder
from relembra.store.port import Gone
from relembra.transfer.exports import written
from relembra.views.period_report import is_markdown

MOST_NAMED = 10
"""How many of the notes that go along are named."""
PERIODS = ("weekly", "monthly")


async def save(
    call: Call,
    *,
    messages: str | None = None,
    metadata: Sequence[tuple[str, str]] = (),
    space: str | None = None,
    **rest: Any,
) -> Answer:
    given = None if messages is None else _messages(messages)
    async with call.writing() as memory:
        saved = await memory.save(messages=given, metadata=dict(metadata), space=space, **rest, **call.person)

    def show(terminal: Terminal, _: Any) -> None:
        if saved.refused is not None:
            terminal.say(f"refused.{saved.refused}", "yellow", user=call.user, space=space)
            return
        count = terminal.words.count("message", len(saved.messages))
        key = "done.saved" if saved.new else "done.saved.known"
        terminal.say(key, "green" if saved.new else "", conversation=saved.conversation, count=count)
        if saved.left_out:
            terminal.say("done.saved.left_out", "yellow", places=", ".join(saved.left_out))

    return Answer(saved, show)


def _messages(name: str) -> list[dict[str, Any]]:
    """The list a file holds, or standard input: JSON, alone or under "messages", as a request to a model has it."""
    try:
        held = msgspec.json.decode(text(name) if name == STDIN else path(name).read_text("utf-8"))
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
rename = verb("rename_conversation", says("done.renamed"), opens="existing")
delete = verb("delete_conversation", says("done.hidden"), opens="existing")


# ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────────


async def forget(
    call: Call,
    *,
    id: str | None = None,
    conversation: str | None = None,
    all: bool = False,
    dry_run: bool = False,
    yes: bool = False,
) -> Answer:
    """Says what will go and asks, unless it is only a trial or --yes was given."""
    if sum((id is not None, conversation is not None, all)) != 1:
        raise InvalidInputError("say what to forget: one item, one conversation, or all", field="forget")
    async with call.existing() as memory:
        item = await memory.find(id, **call.person) if id is not None else None
        what: dict[str, Any] = {"item": item and item.id, "conversation": conversation, "all": all, **call.person}
        if dry_run or not yes:
            would = await memory.forget(**what, dry_run=True)
            show = partial(show_receipt, named=await _named(call, memory, would))
            if dry_run:
                return Answer(would, show)
            named = {"content": item.content} if item else {"id": conversation} if conversation else {"user": call.user}
            about = "item" if item else "conversation" if conversation else "all"
            show(Terminal(call.words, Console(stderr=True)), would)
            if not agreed(call, call.words(f"ask.{about}", **named), cannot="ask.cannot"):
                return saying(Gone({}), "ask.kept")
        return Answer(await memory.forget(**what), show_receipt)


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
    key, style = ("would.forget", "bold") if gone.dry_run else ("done.forgotten", "green bold")
    terminal.say(key, style, count=words.count("row", gone.total))
    terminal.show(pairs((words.name("gone", name), words.whole(n)) for name, n in gone.counts.items() if n))
    if named:
        terminal.say("ask.notes", notes=words.count("note", len(gone.notes)))
        terminal.show(*(Text(f"  {title}") for title in named))
    if not gone.erased and not gone.dry_run:
        terminal.say("done.forgotten.traces", "yellow")


# ── notes and reports ─────────────────────────────────────────────────────────────────────────────────────────────


def _note_cell(terminal: Terminal, note: Note) -> Text:
    """Its title, and its summary where that says more; of a page of its own the first paragraph."""
    summary = note.summary
    if terminal.watched and is_markdown(note):
        summary = next((line for line in summary.splitlines() if line and not line.startswith("#")), "").strip("*")
    is_alike = terminal.watched and clean(summary).rstrip(".") == clean(note.title).rstrip(".")
    return stacked([Text(clean(note.title), "bold"), "" if is_alike else terminal.cell(summary, longest=240)])


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


async def show_note(call: Call, *, id: str, **where: Any) -> Answer:
    async with call.reading() as memory:
        return Answer(await note_named(call, memory, id, **where), _note_panel)


def _note_panel(terminal: Terminal, found: Note) -> None:
    words = terminal.words
    rows = {
        "when": found.happened_at,
        "where": _place(terminal, found),
        "with": clean(", ".join(found.participants)),
        "conversation": clean(found.conversation or ""),
        "made_of": words.count("message", len(found.message_ids)),
        "id": found.id,
    }
    body = markdown(found.summary) if terminal.watched and is_markdown(found) else clean(found.summary, breaks=True)
    title = Text(clean(found.title), "bold")
    terminal.panel(terminal.labels(rows), words.name("kind", found.kind), title, body)


async def report(call: Call, *, period: str, day: date | None = None, save: Path | None = None) -> Answer:
    """Written now, in place of any before; nothing is written where nothing happened."""
    if period not in PERIODS:
        raise InvalidInputError(f"a report is weekly or monthly, not {period}", field="period")
    async with call.existing() as memory:
        note = await memory.report(period, day=day, language=call.typed.get("lang"), **call.person)
        if note is not None:
            return await _kept(call, memory, note, save)
    parts: dict[str, Any] = {"period": call.words.name("period", period), "word": period}
    if day is not None:
        return saying(None, "report.nothing", **parts)
    return saying(None, "report.nothing.last", day=datetime.now().astimezone().date(), **parts)


async def appointment(call: Call, *, save: Path | None = None, **asked: Any) -> Answer:
    """For the next appointment known, or with whom and when is said."""
    async with call.existing() as memory:
        note = await memory.appointment(language=call.typed.get("lang"), **asked, **call.person)
        return await _kept(call, memory, note, save)


async def _kept(call: Call, memory: Memory, note: Note, folder: Path | None) -> Answer:
    """What was written, as a note of the memory where it can be kept there, and as files where a folder was named."""
    await memory.settle()
    try:
        is_kept = bool(await memory.note(note.id, **call.person))
    except NotFoundError:  # the memory is only read
        is_kept = False
    if folder is not None and not is_kept:
        raise StoreReadOnlyError("a report is not kept in a memory that is only read")
    saved = [] if folder is None else await _files(call, memory, note, folder)

    def show(terminal: Terminal, _: Any) -> None:
        title = Text(clean(note.title), "bold")
        if not terminal.watched:
            terminal.show(f"# {title}\n\n{clean(note.summary, breaks=True)}")
        else:
            body = markdown(note.summary)
            terminal.show(Panel(body, title=title, title_align="left", border_style=DIM, padding=(1, 2)))
            if is_kept:
                terminal.say("report.kept", DIM, id=short(note.id))
        for name in saved:
            terminal.say("report.saved", "green", path=name)

    return Answer({**wire(note), "files": saved}, show)


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


def markdown(text: str) -> Markdown:
    """Our own Markdown on a terminal."""
    return Markdown(clean(text, breaks=True).strip(), hyperlinks=False)
