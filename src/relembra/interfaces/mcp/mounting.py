"""Serving many clients over HTTP, inside a web application that has let them in already."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from relembra.domain.access import Right
from relembra.domain.text import holds_more_than
from relembra.errors import InvalidInputError
from relembra.interfaces.headers import in_utf8
from relembra.interfaces.mcp.callers import Caller
from relembra.interfaces.mcp.server import Context, server
from relembra.interfaces.whose import Whose
from relembra.memory import Memory

USER_HEADER = "x-relembra-user"
LARGEST_BODY = 4 * 1024 * 1024
MOST_VALUES = 60_000
_STATE = "relembra_mcp_caller"


class Admitted(Protocol):
    """Somebody the application let in."""

    @property
    def user(self) -> str | None:
        """Whom a key is bound to; None: anybody of the tenant."""

    @property
    def right(self) -> Right: ...

    def whose(self, user: str | None) -> Whose:
        """Whose memory is meant, as verbs take it; an error of the application where they may not."""


class Mounted:
    """An ASGI application for one path, like `Route("/mcp", endpoint=mounted)`; it works while `running`.

    Every request stands for itself, with the key it came with, so there is no session to steal, to lose at a restart or
    to wait for at the end. Errors of `caller_of`, like a wrong key, are the application's to answer. `user`: whose
    memory is meant where neither the key nor X-Relembra-User says so.
    """

    def __init__(
        self,
        memory: Memory,
        caller_of: Callable[[Request], Awaitable[Admitted]],
        *,
        user: str | None = None,
        language: str = "en",
        local: bool = False,
        largest_body: int = LARGEST_BODY,
    ) -> None:
        self._caller_of = caller_of
        self._user = user
        self._local = local
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
        caller = Caller(**whose, right=admitted.right, local=self._local)
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
