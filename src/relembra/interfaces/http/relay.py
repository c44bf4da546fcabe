"""One chat passed on to a model: the answer goes by as it comes, and both sides are kept before it ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import TYPE_CHECKING

import httpx
import msgspec
from starlette.responses import Response

from relembra.errors import UpstreamError
from relembra.interfaces.http.callers import KEY_START, secret_in
from relembra.interfaces.http.completions import Events, Replying, data_of, event_of
from relembra.interfaces.upstream import Upstream, Upstreams, read, unreachable

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


log = logging.getLogger(__name__)

Raw = list[tuple[bytes, bytes]]
KeepSaid = Callable[[], Awaitable[object]]
KeepReply = Callable[[str, bool], Awaitable[object]]
"""Takes the text of a reply, and whether it broke off."""

EVENT_STREAM = "text/event-stream"
KEEP_SECONDS = 2.0
"""The longest an answer waits for both sides to be kept; a store that takes longer goes on keeping behind it."""

_ONE_HOP = frozenset({
    "connection", "content-length", "host", "keep-alive", "proxy-authenticate", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
})  # fmt: skip
_NOT_SENT = frozenset({"accept-encoding", "authorization", "cookie", "expect", "origin", "referer"})
_NOT_SENT_BACK = frozenset({
    "alt-svc", "content-encoding", "content-security-policy", "date", "server", "set-cookie",
    "strict-transport-security",
})  # fmt: skip
_KEYS = frozenset({"api-key", "x-api-key"})
_OURS, _CORS = "x-relembra-", "access-control-"


def passed_on(headers: Mapping[str, str], upstream: Upstream, own_key: str | None) -> dict[str, str]:
    """The headers of a request as the model's server gets them; `own_key`: what the client would show it itself."""
    hop = _ONE_HOP | _NOT_SENT | _named(headers.get("connection")) | (_KEYS if upstream.api_key else frozenset())
    sent = {name: value for name, value in headers.items() if name not in hop and not name.startswith(_OURS)}
    sent |= {"authorization": own_key} if own_key else {}
    shown = secret_in(headers)
    ours = (KEY_START,) if shown is None or shown in (own_key or "") else (KEY_START, shown)
    sent = {name: value for name, value in sent.items() if not any(one in value for one in ours)}
    return sent | ({"authorization": f"Bearer {upstream.api_key}"} if upstream.api_key else {})


def passed_back(headers: httpx.Headers) -> Raw:
    """The headers of a model server's answer as the client gets them."""
    hop = _ONE_HOP | _NOT_SENT_BACK | _named(headers.get("connection"))
    lower = [(name.lower(), value) for name, value in headers.raw]
    return [(name, value) for name, value in lower if name.decode("latin-1") not in hop and not _is_ours(name)]


def _named(connection: str | None) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in (connection or "").split(","))


def _is_ours(name: bytes) -> bool:
    return name.startswith((_OURS.encode(), _CORS.encode()))


def error_body(message: str, *, kind: str, code: str | None = None) -> bytes:
    """An error as OpenAI's clients read it."""
    return msgspec.json.encode({"error": {"message": message, "type": kind, "param": None, "code": code}})


class Relayed(Response):
    """The answer of a model's server. The call ends with the client's; what came until then is kept."""

    def __init__(
        self,
        upstreams: Upstreams,
        upstream: Upstream,
        path: str,
        *,
        content: bytes,
        sent: Mapping[str, str],
        reply: Replying,
        headers: Mapping[str, str] | None = None,
        keep_said: KeepSaid | None = None,
        keep_reply: KeepReply | None = None,
        troubles: Collection[str] = (),
        keep_seconds: float = KEEP_SECONDS,
    ) -> None:
        super().__init__()
        self._upstreams = upstreams
        self._upstream = upstream
        self._path = path
        self._content = content
        self._sent = sent
        self._reply = reply
        self._own_headers = dict(headers or {})
        self._keep_said = keep_said
        self._keep_reply = keep_reply
        self._troubles = list(troubles)  # what the memory could not do
        self._keep_seconds = keep_seconds
        self._saying: asyncio.Task[None]
        self._keeping: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as ASGI has it
        relaying = asyncio.create_task(self._relay(send))
        saying = self._saying = asyncio.create_task(self._tried(self._keep_said and self._keep_said()))
        leaving = asyncio.create_task(_left(receive))
        try:
            await asyncio.wait({relaying, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            relaying.cancel()
            leaving.cancel()
            await asyncio.wait({relaying, leaving, saying})
            await (self._keeping or self._keep(partial=not self._reply.finished))
        if not relaying.cancelled():
            relaying.result()

    async def _relay(self, send: Send) -> None:
        try:
            answer = await self._upstreams.send(self._upstream, self._path, content=self._content, headers=self._sent)
            try:
                if answer.headers.get("content-type", "").startswith(EVENT_STREAM):
                    await self._stream(answer, send)
                else:
                    await self._whole(answer, send)
            finally:
                await answer.aclose()
        except UpstreamError as error:
            await asyncio.wait({self._saying}, timeout=self._keep_seconds)
            body = error_body(str(error), kind="upstream_error", code="upstream_unreachable")
            await self._answer(send, error.status, [(b"content-type", b"application/json")], body)

    async def _stream(self, answer: httpx.Response, send: Send) -> None:
        """Every event as soon as it is whole, but for the last, which waits until the reply is kept."""
        await self._start(send, answer.status_code, passed_back(answer.headers))
        events, last = Events(), b""
        try:
            async for piece in answer.aiter_bytes():
                now, held = self._read(events.feed(piece))
                last += held
                if now:
                    await send({"type": "http.response.body", "body": now, "more_body": True})
        except httpx.TransportError as exc:
            said = str(unreachable(self._upstream, exc))
            last = event_of(error_body(said, kind="upstream_error", code="upstream_broke_off"), "error")
        now, held = self._read([rest] if (rest := events.rest()) else [])
        await self._kept(partial=not self._reply.finished)
        await send({"type": "http.response.body", "body": now + last + held})

    async def _keep(self, *, partial: bool) -> None:
        await asyncio.wait({self._saying})
        if self._keep_reply is not None and self._reply.text.strip():
            await self._tried(self._keep_reply(self._reply.text, partial))

    async def _tried(self, keeping: Awaitable[object] | None) -> None:
        """Keep one side; what goes wrong is noted and never raised, so that the chat goes on."""
        try:
            if keeping is not None:
                await keeping
        except Exception as exc:  # noqa: BLE001 - whatever ails the memory
            log.warning("a chat could not be kept: %s", type(exc).__name__)
            self._troubles.append("save")

    async def _kept(self, *, partial: bool) -> None:
        """Wait until both sides are kept, but no longer than a chat bears."""
        self._keeping = asyncio.create_task(self._keep(partial=partial))
        await asyncio.wait({self._keeping}, timeout=self._keep_seconds)
        if not self._keeping.done():
            log.warning("a chat is still being kept; its answer goes out before")
            self._troubles.append("save")

    def _read(self, events: Collection[bytes]) -> tuple[bytes, bytes]:
        """What may go out at once, and what has to wait for the reply to be kept."""
        now, held = b"", b""
        for event in events:
            data = data_of(event)
            is_last = data is not None and self._reply.event(data)
            if held or is_last:
                held += event
            else:
                now += event
        return now, held

    async def _whole(self, answer: httpx.Response, send: Send) -> None:
        body = await read(self._upstream, answer)
        if answer.status_code == 200:
            self._reply.whole(body)
        await self._kept(partial=False)
        await self._answer(send, answer.status_code, passed_back(answer.headers), body)

    async def _answer(self, send: Send, status: int, headers: Raw, body: bytes) -> None:
        await self._start(send, status, [*headers, (b"content-length", str(len(body)).encode())])
        await send({"type": "http.response.body", "body": body})

    async def _start(self, send: Send, status: int, headers: Raw) -> None:
        troubles = {"X-Relembra-Trouble": ",".join(dict.fromkeys(self._troubles))} if self._troubles else {}
        own = {**self._own_headers, **troubles}
        ours = [(name.lower().encode("latin-1"), value.encode()) for name, value in own.items()]
        await send({"type": "http.response.start", "status": status, "headers": [*headers, *ours]})


async def _left(receive: Receive) -> None:
    """Until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
