"""The two ways to the server: standard input and output, and a path of the HTTP server."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Self, cast

import anyio
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCResponse
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from relembra.domain.text import holds_more_than
from relembra.errors import InvalidInputError
from relembra.interfaces.failures import in_utf8
from relembra.interfaces.mcp.server import Context, server
from relembra.interfaces.mcp.tools import Caller
from relembra.memory import Memory

USER_HEADER = "x-relembra-user"
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
        await self._sessions.handle_request(scope, _again(body, receive), send)


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, to be read once more."""
    read = False

    async def received() -> Message:
        nonlocal read
        if read:
            return await receive()
        read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return received


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
