"""What every request passes before a route sees it: the right host, a known web page, a bounded body, a caller
that may come in; and what every answer carries."""

from __future__ import annotations

import asyncio
import logging
import re
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from relembra.domain.jobs import JobState
from relembra.errors import RelembraError
from relembra.interfaces.http.callers import LOCAL_NAMES, Gate
from relembra.interfaces.http.problems import (
    RequestError,
    problem,
    problem_of,
    route_of,
    too_large,
    too_slow,
    unforeseen,
)
from relembra.interfaces.web.pages import is_file, is_open, is_page, turned_away
from relembra.interfaces.web.visits import PASS, broken, refused
from relembra.settings import Settings
from relembra.store.port import Stats

log = logging.getLogger(__name__)

BODY_SECONDS = 30.0
IMPORT_TIMES, IMPORT_SECONDS_TIMES = 256, 20
IMPORTS = ("/v1/import", "/import")
CHAT_TIMES = 32  # pictures are sent along
CHATS = ("/v1/chat/completions", "/v1/responses")
SIMPLE_TYPES = frozenset({"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
"""What a web page may send anywhere without being allowed to."""

NEEDS_NO_CALLER = frozenset({"/healthz", "/readyz", "/docs", "/openapi.json"})
SIGNED = ("/v1/webhooks/",)  # believed by their signature
ASK_THEMSELVES = (*CHATS, "/v1/models")  # and refuse in the words of OpenAI's clients
SAID_ONCE = frozenset({
    "authorization", "content-length", "content-type", "host", "idempotency-key", "if-match", "last-event-id", "origin",
    "sec-fetch-mode", "sec-fetch-site", "transfer-encoding",
})  # fmt: skip
"""Headers one value of which is believed, as of all that begin with `OURS`; two could be read as either."""
OURS = "x-relembra-"
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; frame-ancestors 'none'",  # an icon is asked for
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",  # pages in the setting cors ask in a mode this leaves alone
}
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_NETLOC = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s,:/@\[\]]+)(?::[0-9]{0,5})?", re.ASCII)


class Metrics:
    """The numbers of one running server: by route, never by person."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "relembra_requests", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "relembra_request_seconds", "How long answers took.", ("route",), buckets=SECONDS, registry=self._registry
        )
        self._jobs = Gauge("relembra_jobs", "Work in the queue.", ("state",), registry=self._registry)
        self._rows = Gauge("relembra_rows", "What is held.", ("kind",), registry=self._registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        named = method if method in METHODS else "other"  # a client may call it anything
        self._requests.labels(named, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self, held: Stats) -> bytes:
        """Everything, with what is held now."""
        for state in JobState:
            self._jobs.labels(state.value).set(held.jobs.get(state, 0))
        rows = {"message": held.messages, "note": held.notes, "conversation": held.conversations}
        for kind, count in {**rows, "item": sum(held.items.values())}.items():
            self._rows.labels(kind).set(count)
        return generate_latest(self._registry)


class Guard:
    """The outermost layer; plain ASGI, since it stands before every request.

    `is_open`: no key is asked for, so nothing but this machine's own names and pages may be used.
    """

    def __init__(
        self, app: ASGIApp, *, settings: Settings, is_open: bool, metrics: Metrics, body_seconds: float = BODY_SECONDS
    ) -> None:
        self._app = app
        self._is_open = is_open
        self._hosts = [name.lower() for name in settings.hosts]
        self._origins = settings.cors
        self._largest_body = settings.largest_body
        self._body_seconds = body_seconds
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status: int | None = None

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers, path = MutableHeaders(scope=message), scope["path"]
                for name, value in SECURITY.items():
                    headers.setdefault(name, value)
                if path not in NEEDS_NO_CALLER and not path.startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            if (refusal := await self._refusal(scope)) is not None:
                await refusal(scope, receive, sent)
                return
            await self._app(scope, self._bounded(scope["path"], receive), sent)
        except asyncio.CancelledError:
            if not scope["app"].state.stopping.is_set():
                raise
            log.info("%s %s was cut off: the server stops", scope["method"], route_of(scope))
        except Exception as error:  # noqa: BLE001 - the outermost handler; further out, its message would be logged
            answer = unforeseen(scope, error)
            if status is None:
                answer = broken(Request(scope)) if is_page(scope["path"]) else answer
                await answer(scope, receive, sent)
        finally:
            self._metrics.answered(scope["method"], route_of(scope), status or 500, time.perf_counter() - started)

    async def _refusal(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), scope["path"]
        try:
            self._check(scope["method"], path, headers)
        except RequestError as error:
            return problem_of(error)
        length = headers.get("content-length", "0")
        if length.isdecimal() and len(length) <= 15 and int(length) <= self._most(path):
            return None
        refusal = too_large(self._most(path))
        if is_page(path):
            return await turned_away(Request(scope), refusal)
        return problem(refusal.status_code, refusal.detail, headers=refusal.headers)

    def _check(self, method: str, path: str, headers: Headers) -> None:
        """Refuse what was meant for another server, or comes from a page that may not call.

        A page elsewhere can make a browser send requests here, and even give its own name this machine's address; a
        server that asks for no key must not answer those. Nor may it have files downloaded by a user who is signed in.
        """
        named = [name for name in headers if name in SAID_ONCE or name.startswith(OURS)]
        if len(named) > len(set(named)):
            twice = next(name for name in named if named.count(name) > 1)
            raise RequestError(f"the header {twice} came more than once; send one", headers={"Connection": "close"})
        netloc = headers.get("host", "")
        found = _NETLOC.fullmatch(netloc)  # what is no name and port is left as it stands, which no server goes by
        name = (found[1] if found else netloc).lower()
        if (self._is_open or self._hosts) and name not in LOCAL_NAMES and name not in self._hosts:
            raise RequestError(f"this server does not go by the name {name!r}; add it to the setting hosts", 421)
        if (self._is_open or is_file(path)) and not self._may_call(method, path, headers):
            raise RequestError("web pages of other origins may not call; add theirs to the setting cors", 421)
        has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        taken = path.startswith(SIGNED) or is_page(path)  # a page's forms carry what only that page knows
        if has_body and kind in SIMPLE_TYPES and not taken:
            raise RequestError("say what the body is: send it with 'Content-Type: application/json'", 415)

    def _may_call(self, method: str, path: str, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None:  # a browser leaves it out where a page only shows or loads something
            elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
            # A link may be followed to a page of ours, in a window of its own: no data, no file, no frame.
            is_window = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) == ("navigate", "document")
            is_shown = path == "/docs" or (is_page(path) and not is_file(path))
            return not elsewhere or (method == "GET" and is_window and is_shown)
        _, _, netloc = origin.partition("://")
        return origin in self._origins or (bool(netloc) and netloc == headers.get("host"))

    def _most(self, path: str) -> int:
        times = IMPORT_TIMES if path.startswith(IMPORTS) else CHAT_TIMES if path in CHATS else 1
        return self._largest_body * times

    def _bounded(self, path: str, receive: Receive) -> Receive:
        """The body as it comes, up to a length and within a time; what comes after it is only waited for."""
        taken, done, most = 0, False, self._most(path)
        seconds = self._body_seconds * (IMPORT_SECONDS_TIMES if path.startswith(IMPORTS) else 1)
        until = time.monotonic() + seconds

        async def bounded() -> Message:
            nonlocal taken, done
            if done:
                return await receive()
            try:
                async with asyncio.timeout(max(0.0, until - time.monotonic())):
                    message = await receive()
            except TimeoutError:
                raise too_slow(seconds) from None
            taken += len(message.get("body", b""))
            done = not message.get("more_body", False)
            if taken > most:
                raise too_large(most)
            return message

        return bounded


class Admission:
    """Finds out who is calling before the body of a request is read; a new route is behind it by itself."""

    def __init__(self, app: ASGIApp, *, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        is_anyones = path in NEEDS_NO_CALLER or path in ASK_THEMSELVES or path.startswith(SIGNED) or is_open(path)
        if scope["type"] == "http" and not is_anyones:
            headers, peer = Headers(scope=scope), scope.get("client")
            address = peer[0] if peer else None
            try:
                if is_page(path):
                    caller = await self._gate.visitor(headers, address, Request(scope).cookies.get(PASS))
                else:
                    caller = await self._gate.admit(headers, address)
            except RelembraError as error:
                answer = await refused(Request(scope), error) if is_page(path) else problem_of(error)
                await answer(scope, receive, send)
                return
            scope.setdefault("state", {})["caller"] = caller
        await self._app(scope, receive, send)
