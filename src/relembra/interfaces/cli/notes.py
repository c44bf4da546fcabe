"""What happened, told briefly: notes."""

from __future__ import annotations

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from relembra.domain.message import Note, NoteKind
from relembra.errors import NotFoundError
from relembra.interfaces import shapes
from relembra.interfaces.cli import panels, pieces, tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.reports import markdown
from relembra.interfaces.cli.tables import DIM, place
from relembra.interfaces.cli.terminal import Terminal, clean, joined, short
from relembra.memory import Memory
from relembra.recall.asked import Listing
from relembra.views.reports.files import is_markdown


async def notes(call: Call) -> Answer:
    given = call.given
    limit = given.whole("limit")
    async with call.reading() as memory:
        listing = await memory.notes(
            kind=given.tokens("kind"),
            conversation=given.maybe("conversation"),
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            limit=50 if limit is None else limit,
            after=given.maybe("after"),
            **call.whose,
        )

    def people(terminal: Terminal) -> None:
        if listing:
            _table(terminal, listing)
        else:
            terminal.say("empty.notes", user=call.user)

    return Answer(shapes.page(listing), people)


async def show(call: Call) -> Answer:
    async with call.reading() as memory:
        found = await named(call, memory, call.given.required("id"))
    return Answer(shapes.flat(found), lambda terminal: _panel(terminal, found))


async def named(call: Call, memory: Memory, word: str) -> Note:
    """The note an id or a piece of one names, of any kind."""
    space, channel = call.given.maybe("space"), call.given.maybe("channel")

    async def page(after: str | None) -> Listing[Note]:
        return await memory.notes(
            kind=list(NoteKind), space=space, channel=channel, limit=pieces.PAGE, after=after, **call.whose
        )

    found = await pieces.named(word, page)
    if found is None:
        raise NotFoundError("note", word)
    return found


def _table(terminal: Terminal, listing: Listing[Note]) -> None:
    words = terminal.words
    table = tables.blank(terminal)
    table.add_column(words("head.when"), no_wrap=True, style=DIM)
    table.add_column(words("head.note"), ratio=1 if terminal.watched else None)
    if terminal.roomy:
        table.add_column(words("head.with"), style=DIM)
        table.add_column(words("head.place"), style=DIM)
    table.add_column(words("head.id"), no_wrap=True, style="cyan")
    for row in listing:
        summary = terminal.cell(_opening(row) if terminal.watched else row.summary, longest=240)
        alike = terminal.watched and summary.plain.rstrip(".") == clean(row.title).rstrip(".")
        told = Text("\n").join([Text(clean(row.title), "bold"), *([] if alike else [summary])])
        aside = [clean(", ".join(row.participants)), place(words, row.place)]
        if not terminal.roomy:
            told.append("\n").append(joined([Text(part) for part in aside]).plain, DIM)
        table.add_row(terminal.date(row.happened_at), told, *(aside if terminal.roomy else []), short(row.id))
    terminal.show(table)
    tables.more(terminal, listing.next)


def _opening(note: Note) -> str:
    """Its summary, of one that is a page of its own the first paragraph."""
    if not is_markdown(note):
        return note.summary
    return next((line for line in note.summary.splitlines() if line and not line.startswith("#")), "").strip("*")


def _panel(terminal: Terminal, found: Note) -> None:
    words = terminal.words
    rows: list[tuple[str, Text | str]] = [
        (words("label.when"), terminal.moment(found.happened_at)),
        (words("label.where"), place(words, found.place)),
        (words("label.with"), clean(", ".join(found.participants))),
        (words("label.conversation"), clean(found.conversation or "")),
        (words("label.made_of"), words.count("message", len(found.message_ids))),
        (words("label.id"), Text(found.id, "cyan")),
    ]
    pairs = panels.pairs([(name, value) for name, value in rows if value])
    title, summary = Text(clean(found.title), "bold"), Text(clean(found.summary, breaks=True))
    if not terminal.watched:
        terminal.show(title, summary, pairs)
        return
    told = markdown(found.summary) if is_markdown(found) else summary
    grid = Table.grid(padding=(1, 0))
    for part in (title, told, pairs):
        grid.add_row(part)
    heading = words.name("kind", found.kind)
    terminal.show(Panel(grid, title=heading, title_align="left", border_style=DIM, padding=(0, 1)))
