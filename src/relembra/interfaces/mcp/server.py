"""The MCP server: the protocol's requests, answered from one memory for the caller.

Beside the tools it offers resources: who the person is, the compact memory, and the notes of what happened.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from textwrap import wrap
from typing import Any, Self, cast
from urllib.parse import unquote

import anyio
import msgspec
from mcp import MCPError, types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.message import SessionMessage
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, JSONRPCError, JSONRPCResponse
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

import relembra
from relembra.domain.message import Note, NoteKind
from relembra.domain.text import LONGEST_LINE, holds_more_than, quoted
from relembra.errors import InvalidInputError, MindError, NotFoundError, RelembraError, StoreError
from relembra.interfaces import failures
from relembra.interfaces.mcp import tools
from relembra.interfaces.mcp.tools import NOTES, Caller, RightError, note_shown, uri_of
from relembra.interfaces.requests import USER_HEADER, in_utf8
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


# ── standard input and output, and a path of the HTTP server ──────────────────────────────────────────────────────────

MOST_VALUES = 60_000
_STATE = "relembra_mcp_caller"


class Mounted:
    """An ASGI application for one path, like `Route("/mcp", endpoint=mounted)`; it works while `running`.

    Every request stands for itself, with the key it came with, so there is no session to steal, to lose at a restart or
    to wait for at the end. Errors of `caller_of`, like a wrong key, are the application's to answer. `user`: whose
    memory is meant where neither the key nor X-Relembra-User says so.
    """

    def __init__(
        self,
        memory: Memory,
        caller_of: Callable[[Request], Awaitable[Any]],  # the application's, with `user`, `right` and `whose`
        *,
        user: str | None = None,
        language: str = "en",
        largest_body: int,
    ) -> None:
        self._caller_of = caller_of
        self._user = user
        # Host and Origin are the application's to check; without settings of its own the SDK checks neither.
        self._sessions = StreamableHTTPSessionManager(
            server(memory, _kept, language=language),
            json_response=True,
            stateless=True,
            max_request_body_size=largest_body,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve until the end of the block; once only."""
        async with self._sessions.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        admitted = await self._caller_of(request)
        if request.method != "POST":  # there is nothing to stream to a client, and no session to end
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        body = await request.body()
        if holds_more_than(MOST_VALUES, body):
            raise InvalidInputError(f"at most {MOST_VALUES:,} values and names are taken in one request", field="body")
        named = in_utf8(request.headers.get(USER_HEADER))
        whose = admitted.whose(named or (self._user if admitted.user is None else None))
        caller = Caller(**whose, right=admitted.right)
        scope.setdefault("state", {})[_STATE] = caller
        read: Iterator[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def received() -> Message:
            return next(read, None) or await receive()

        await self._sessions.handle_request(scope, received, send)


def _kept(context: Context) -> Caller:
    caller: Caller = context.request.scope["state"][_STATE]  # type: ignore[union-attr]
    return caller


GRACE_SECONDS = 5.0
"""How long requests under way may take to be answered once the client has sent its last."""


async def served(memory: Memory, caller: Caller, *, language: str = "en", fd: int | None = None) -> None:
    """Answer what comes on standard input until it ends; what was asked before the end is answered first."""
    lines = _Lines(sys.stdin.fileno() if fd is None else fd)
    made = server(memory, lambda _: caller, language=language)
    try:
        async with stdio_server(stdin=cast("anyio.AsyncFile[str]", lines)) as (incoming, outgoing):
            await made.run(incoming, _Outgoing(outgoing, lines), made.create_initialization_options())
    except* (BrokenPipeError, anyio.BrokenResourceError):
        pass  # the client has gone, and there is no one left to answer


class _Lines:
    """Lines read by a thread that may be left behind: one that waits for a line cannot be told to stop.

    They end only when every request in them is answered, or was cancelled.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._asked: set[Any] = set()
        self._one_less = anyio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str | None] = asyncio.Queue(maxsize=1)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop, queue), name="relembra-stdin", daemon=True).start()
        while (line := await queue.get()) is not None:
            self._note(line)
            yield line
        with anyio.move_on_after(GRACE_SECONDS):
            while self._asked:
                self._one_less = anyio.Event()
                await self._one_less.wait()

    def _note(self, line: str) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        match message:
            case {"method": "notifications/cancelled", "params": {"requestId": int() | str() as id}}:
                self.settle(id)  # nothing is answered to it
            case {"method": str(), "id": int() | str() as id}:
                self._asked.add(id)

    def settle(self, id: Any) -> None:
        self._asked.discard(id)
        self._one_less.set()

    def _read(self, loop: asyncio.AbstractEventLoop, queue: asyncio.Queue[str | None]) -> None:
        try:
            with os.fdopen(self._fd, "rb", closefd=False) as lines:
                for line in lines:
                    asyncio.run_coroutine_threadsafe(queue.put(line.decode("utf-8", "replace")), loop).result()
            asyncio.run_coroutine_threadsafe(queue.put(None), loop).result()
        except (OSError, RuntimeError, asyncio.CancelledError):
            return  # the loop is closed


class _Outgoing:
    """The SDK's stream of what the client is sent, with a look at what is answered."""

    def __init__(self, stream: Any, lines: _Lines) -> None:
        self._stream = stream
        self._lines = lines

    async def send(self, item: SessionMessage) -> None:
        await self._stream.send(item)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._lines.settle(item.message.id)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
