"""The MCP server: the protocol's requests, answered from one memory for the caller.

Beside the tools it offers resources: who the person is, the compact memory, and the notes of what happened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from textwrap import wrap
from typing import Any
from urllib.parse import unquote

import msgspec
from mcp import MCPError, types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS

import relembra
from relembra.domain.message import Note, NoteKind
from relembra.domain.text import LONGEST_LINE, quoted
from relembra.errors import InvalidInputError, MindError, NotFoundError, RelembraError, StoreError
from relembra.interfaces import failures
from relembra.interfaces.mcp import tools
from relembra.interfaces.mcp.tools import NOTES, Caller, RightError, note_shown, uri_of
from relembra.locale import Words
from relembra.memory import Memory
from relembra.recall.query import Listing
from relembra.views.period_report import is_markdown

PROFILE = "relembra://profile"
MEMORY = "relembra://memory"
MARKDOWN = "text/markdown"
PAGE = 20
KINDS = tuple(kind for kind in NoteKind if kind is not NoteKind.SESSION)
"""All but the working summary of the current conversation."""

Context = ServerRequestContext[Any, Any]
log = logging.getLogger(__name__)


def server(memory: Memory, caller_of: Callable[[Context], Caller], *, language: str = "en") -> Server[Any]:
    """A server over a memory; `caller_of` says who makes a request."""
    words = Words(language, "mcp")

    async def list_tools(context: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools.allowed(caller_of(context).right, language))

    async def call_tool(context: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        if asked.name not in tools.RIGHTS:
            known = ", ".join(tool.name for tool in tools.allowed(caller_of(context).right, language))
            raise MCPError(INVALID_PARAMS, f"no tool {asked.name!r}; there are {known}")
        try:
            answer = await tools.call(memory, caller_of(context), asked.name, asked.arguments, words)
        except Exception as error:  # noqa: BLE001 - the outermost handler; a model is told what to do instead
            text = _explained(error, asked.name, words)
            return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)
        text = msgspec.json.encode(answer).decode()  # some clients show a model nothing else
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=answer)

    async def list_resources(context: Context, asked: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        try:
            return await _listed(memory, caller_of(context), None if asked is None else asked.cursor, words)
        except Exception as error:
            raise _refused(error, "resources/list", words) from error

    async def list_templates(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=NOTES + "/{id}",
            name="note",
            title=words("note.title"),
            description=words("note"),
            mime_type=MARKDOWN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(context: Context, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            text = await _read(memory, caller_of(context), asked.uri, words)
        except Exception as error:
            raise _refused(error, "resources/read", words) from error
        contents = types.TextResourceContents(uri=asked.uri, mime_type=MARKDOWN, text=text)
        return types.ReadResourceResult(contents=[contents])

    return Server(
        "relembra",
        version=relembra.__version__,
        title=words("server.title"),
        instructions=words("server.instructions"),
        get_tool_input_schema=lambda name: tools.input_schema(name, language),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _refused(error: Exception, doing: str, words: Words) -> MCPError:
    """The protocol's own kind of error, for requests other than tool calls."""
    code = INVALID_PARAMS if isinstance(error, NotFoundError | InvalidInputError) else INTERNAL_ERROR
    return MCPError(code, _explained(error, doing, words))


def _explained(error: Exception, doing: str, words: Words) -> str:
    """What went wrong and what to do, logged without the message, which may quote what the user said."""
    if isinstance(error, StoreError | MindError):
        log.warning("%s: %s", doing, type(error).__name__)
    elif not isinstance(error, RelembraError):
        bare = RuntimeError(type(error).__name__)
        log.error("%s failed: %s", doing, type(error).__name__, exc_info=(RuntimeError, bare, error.__traceback__))
    match error:
        case NotFoundError(what=what, id=id):
            key = f"error.{what}" if words.has(f"error.{what}") else "error.other"
            return words(key, what=what, id=repr(id))
        case InvalidInputError() | RightError():
            return str(error)
    return failures.sentence_of(error, Words(words.language, "names"), user="")


# ── resources ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _listed(memory: Memory, caller: Caller, after: str | None, words: Words) -> types.ListResourcesResult:
    """The fixed addresses, then every note, page by page."""
    fixed = [
        types.Resource(uri=uri, name=name, title=words(f"{name}.title"), description=words(name), mime_type=MARKDOWN)
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


async def _read(memory: Memory, caller: Caller, uri: str, words: Words) -> str:
    """The text at an address."""
    if uri == PROFILE:
        profile = await memory.profile(language=words.language, **caller.asking)
        return words("profile.empty", name=quoted(caller.user)) if profile.is_empty else profile.text
    if uri == MEMORY:
        return (await memory.me(language=words.language, outside=caller.outside, **caller.whose)).text
    if uri == NOTES:
        page = await _notes(memory, caller)
        lines = ["- {when} “{title}”: “{summary}” ({uri})".format(**note_shown(note)) for note in page]
        more = [words("notes.more")] if page.next is not None else []
        return "\n".join([*lines, *more]) or words("notes.empty")
    head, _, id = uri.partition(f"{NOTES}/")
    if head or not id:
        raise NotFoundError("resource", uri)
    return _whole(await memory.note(unquote(id), **caller.asking), words)


async def _notes(memory: Memory, caller: Caller, *, after: str | None = None) -> Listing[Note]:
    return await memory.notes(kind=KINDS, limit=PAGE, after=after, **caller.asking)


def _whole(note: Note, words: Words) -> str:
    """A report of ours as it was written; any other note quoted line by line, since it repeats what was said."""
    lines = [quoted(piece) for line in note.summary.splitlines() for piece in wrap(line, LONGEST_LINE)]
    body = note.summary.strip() if is_markdown(note) else "\n".join(lines)
    marks = [note.happened_at.date().isoformat(), note.kind.value]
    if note.participants:
        marks.append(words("note.with", names=", ".join(quoted(name) for name in note.participants)))
    return f"# {quoted(note.title)}\n\n{' · '.join(marks)}\n\n{body}"
