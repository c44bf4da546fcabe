"""What can be read at an address: who the person is, the compact memory, and the notes of what happened."""

from __future__ import annotations

from textwrap import wrap
from urllib.parse import unquote

from mcp import types

from relembra.domain.message import Note, NoteKind
from relembra.domain.text import LONGEST_LINE, quoted
from relembra.errors import NotFoundError
from relembra.interfaces.mcp.answers import NOTES, note_line, note_shown, uri_of
from relembra.interfaces.mcp.callers import Caller
from relembra.locale import Words
from relembra.memory import Memory
from relembra.recall.query import Listing
from relembra.views.period_report import is_markdown

PROFILE = "relembra://profile"
MEMORY = "relembra://memory"
TEMPLATE = NOTES + "/{id}"
MARKDOWN = "text/markdown"
PAGE = 20
KINDS = tuple(kind for kind in NoteKind if kind is not NoteKind.SESSION)
"""All but the working summary of a talk at hand."""


class NoResourceError(NotFoundError):
    """Nothing is at this address."""

    def __init__(self, uri: str) -> None:
        super().__init__("resource", uri)


async def listed(memory: Memory, caller: Caller, after: str | None, words: Words) -> types.ListResourcesResult:
    """The fixed addresses, then every note, page by page."""
    fixed = [
        types.Resource(
            uri=uri, name=name, title=words(f"{name}.title"), description=words(name), mime_type="text/markdown"
        )
        for name, uri in (("profile", PROFILE), ("memory", MEMORY), ("notes", NOTES))
    ]
    page = await _notes(memory, caller, after=after)
    notes = [
        types.Resource(
            uri=uri_of(note),
            name=f"{note.happened_at.date().isoformat()} {quoted(note.title)}",
            mime_type=MARKDOWN,
            annotations=types.Annotations(last_modified=note.happened_at.isoformat()),
        )
        for note in page
    ]
    return types.ListResourcesResult(resources=[*(fixed if after is None else []), *notes], next_cursor=page.next)


def templates(words: Words) -> list[types.ResourceTemplate]:
    return [
        types.ResourceTemplate(
            uri_template=TEMPLATE,
            name="note",
            title=words("note.title"),
            description=words("note"),
            mime_type=MARKDOWN,
        )
    ]


async def read(memory: Memory, caller: Caller, uri: str, words: Words) -> str:
    """The text at an address."""
    if uri == PROFILE:
        profile = await memory.profile(language=words.language, **caller.asking)
        return words("profile.empty", name=quoted(caller.user)) if profile.is_empty else profile.text
    if uri == MEMORY:
        return (await memory.me(language=words.language, outside=caller.outside, **caller.whose)).text
    if uri == NOTES:
        page = await _notes(memory, caller)
        lines = [note_line(note_shown(note)) for note in page]
        more = [words("notes.more")] if page.next is not None else []
        return "\n".join([*lines, *more]) or words("notes.empty")
    head, _, id = uri.partition(f"{NOTES}/")
    if head or not id:
        raise NoResourceError(uri)
    return _whole(await memory.note(unquote(id), **caller.asking), words)


async def _notes(memory: Memory, caller: Caller, *, after: str | None = None) -> Listing[Note]:
    return await memory.notes(kind=KINDS, limit=PAGE, after=after, **caller.asking)


def _whole(note: Note, words: Words) -> str:
    """A report of ours as it was written; any other note quoted line by line, for somebody may have said it."""
    lines = [quoted(piece) for line in note.summary.splitlines() for piece in wrap(line, LONGEST_LINE)]
    body = note.summary.strip() if is_markdown(note) else "\n".join(lines)
    marks = [note.happened_at.date().isoformat(), note.kind.value]
    if note.participants:
        marks.append(words("note.with", names=", ".join(quoted(name) for name in note.participants)))
    return f"# {quoted(note.title)}\n\n{' · '.join(marks)}\n\n{body}"
