"""What is being learnt, told as it happens: server-sent events that can be taken up again where they broke off."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

import msgspec
from fastapi import Request, Response
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from relembra.errors import InvalidInputError
from relembra.interfaces import shapes
from relembra.interfaces.http.callers import Gate
from relembra.interfaces.http.problems import ForbiddenError, TooManyError, UnauthorizedError
from relembra.interfaces.http.routes import Call
from relembra.interfaces.http.schemas import header
from relembra.items import Told

QUIET_SECONDS = 15.0
MOST_STREAMS = 50
"""How many one key may have open at once, of the thousand connections a server has."""
MEDIA = "text/event-stream"
LAST = header("Last-Event-ID", "The id of the last event you got, as browsers send it; comes before `after`.")
STREAM = {
    "description": "Events named change, each an entry of the audit trail with its item as it is now.",
    "content": {MEDIA: {"schema": {"type": "string"}, "example": 'id: 7\nevent: change\ndata: {"number":7,…}\n\n'}},
}


async def watch(call: Call) -> Response:
    """What is learnt and changed of a person, as it is recorded, by whatever program.

    A comment comes every 15 seconds in which nothing happens. When the server stops, the stream ends: connect again
    with the id of the last event and nothing is missed.
    """
    request, caller, state = call.request, call.caller, call.request.app.state
    given = call.given | _last(request)
    gate: Gate = state.gate

    async def is_welcome() -> bool:
        """Whether the key still opens this; a stream may outlive it."""
        with contextlib.suppress(UnauthorizedError, ForbiddenError):
            await gate.known(request.headers, request.client.host if request.client else None)
            return True
        return False

    open_ones: Counter[str] = state.watching
    if open_ones[caller.id] >= MOST_STREAMS:
        raise TooManyError(
            f"this key has {MOST_STREAMS} streams open; close some, or share one", retry_after_seconds=QUIET_SECONDS
        )
    stream = events(call.memory.watch(**given), stopping=state.stopping, is_welcome=is_welcome)
    return _Watched(stream, open_ones, caller.id)


class _Watched(StreamingResponse):
    """The stream, counted for whoever opened it from the moment it is granted: each holds a connection."""

    def __init__(self, stream: AsyncGenerator[bytes, None], open_ones: Counter[str], name: str) -> None:
        super().__init__(stream, media_type=MEDIA, headers={"X-Accel-Buffering": "no"})
        self._stream = stream
        self._open_ones = open_ones
        self._name = name
        open_ones[name] += 1  # with no await since it was found that there is room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with contextlib.aclosing(self._stream):
                await super().__call__(scope, receive, send)
        finally:
            self._open_ones[self._name] -= 1


async def events(
    told: AsyncIterator[Told],
    *,
    stopping: asyncio.Event,
    is_welcome: Callable[[], Awaitable[bool]],
    quiet: float = QUIET_SECONDS,
) -> AsyncGenerator[bytes, None]:
    """The stream, until the server stops or the key does. `quiet`: how often it says that it is still there."""
    yield b": listening\n\n"
    stopped = asyncio.ensure_future(stopping.wait())
    next_one = asyncio.ensure_future(_next(told))
    clock = asyncio.get_running_loop().time
    checked = clock()
    try:
        while not stopped.done():
            await asyncio.wait({stopped, next_one}, timeout=quiet, return_when=asyncio.FIRST_COMPLETED)
            if clock() - checked >= quiet:
                checked = clock()
                if not await is_welcome():
                    return
            if next_one.done():
                one = next_one.result()
                if one is None:
                    return
                next_one = asyncio.ensure_future(_next(told))
                yield event(one)
            elif not stopped.done():
                yield b": still here\n\n"
    finally:
        for waiting in (stopped, next_one):
            waiting.cancel()
        await asyncio.gather(stopped, next_one, return_exceptions=True)
        if isinstance(told, AsyncGenerator):
            await told.aclose()


async def _next(told: AsyncIterator[Told]) -> Told | None:
    return await anext(told, None)


def event(one: Told) -> bytes:
    """One event; its data is JSON on one line."""
    return b"id: %d\nevent: change\ndata: %b\n\n" % (one.number, msgspec.json.encode(shapes.wire(one)))


def _last(request: Request) -> dict[str, int]:
    """The number a client that was cut off goes on after."""
    given = request.headers.get("last-event-id", "").strip()
    if not given:
        return {}
    if not (given.isascii() and given.isdecimal() and len(given) < 16):
        raise InvalidInputError("Last-Event-ID is no id an event had", field="Last-Event-ID")
    return {"after": int(given)}
