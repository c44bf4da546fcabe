"""Listening: the address, how long clients are waited for, and stopping so that nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from relembra.domain.access import EVERY_TENANT, NewKey, Right, Standing, standing
from relembra.domain.time import system_clock
from relembra.errors import SettingsError
from relembra.interfaces.http.app import create_app
from relembra.interfaces.http.callers import is_loopback
from relembra.memory import Memory
from relembra.settings import Settings

STOPS = (signal.SIGINT, signal.SIGTERM)
KEEP_ALIVE_SECONDS = 15
WAITING = 512
OTHER_PORTS = 20
FIRST_KEY = "first"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a client is waited for, and how much it may say before the body."""

    head_seconds: float = 20.0
    body_seconds: float = 30.0
    reading_seconds: float = 60.0
    drain_seconds: int = 3  # for requests under way when the server is told to stop
    largest_head: int = 65_536
    most_connections: int = 1_000


PATIENT = Patience()


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's, which by itself waits for ever for the rest of a request's head, and for clients that never read."""

    patience = PATIENT

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._waiting: asyncio.TimerHandle | None = None  # for a head
        self._stuck: asyncio.TimerHandle | None = None  # what was sent is not being read
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        if self._waiting is None and (self.cycle is None or self.cycle.response_complete):
            self._await_head()
        self._head_bytes += len(data)
        super().data_received(data)
        is_long = self._waiting is not None and self._head_bytes > self.patience.largest_head
        if is_long and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def on_headers_complete(self) -> None:
        self._waiting = _none_of(self._waiting)
        super().on_headers_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._abort_later()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stuck = _none_of(self._stuck)

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._abort_later()  # closing waits for the client to read

    def connection_lost(self, exc: Exception | None) -> None:
        self._waiting, self._stuck = _none_of(self._waiting), _none_of(self._stuck)
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self._head_bytes = 0
        self._waiting = self.loop.call_later(self.patience.head_seconds, self.let_go)

    def let_go(self) -> None:
        """Close the connection once what was sent is read, or not."""
        self._waiting = _none_of(self._waiting)
        self.transport.close()
        self._abort_later()

    def _abort_later(self) -> None:
        if self._stuck is None:
            self._stuck = self.loop.call_later(self.patience.reading_seconds, self.transport.abort)


def _none_of(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """Nothing, in place of a timer that will not go off."""
    if timer is not None:
        timer.cancel()
    return None


def protocol_with(patience: Patience) -> type[BoundedProtocol]:
    """The protocol for a server that waits so long."""
    return type("Protocol", (BoundedProtocol,), {"patience": patience})


class ListeningError(SettingsError):
    """The server cannot listen where it should."""

    def __init__(self, message: str, host: str, port: int) -> None:
        super().__init__(message)
        self.host = host
        self.port = port


class PortTakenError(ListeningError):
    """Another program listens there."""


class UnguardedError(ListeningError):
    """Others could reach the server, and there is no key to tell them apart."""


@dataclass(frozen=True, slots=True)
class Started:
    """Where a server listens, and what its operator should know."""

    url: str
    wanted_port: int
    port: int
    is_open: bool
    first_key: NewKey | None
    has_key: bool = True


async def serve(
    memory: Memory,
    settings: Settings,
    *,
    any_port: bool,
    told: Callable[[Started], None],
    patience: Patience = PATIENT,
    first_key: bool = True,
) -> None:
    """Serve until told to stop; `told` hears where. `any_port`: another will do where the wanted one is taken.

    `first_key`: where there is no key one is made and shown; without it none is, since it would not be seen.
    """
    is_open = settings.keys == "auto" and is_loopback(settings.host)
    known = [key for key in await memory.keys(tenant=None) if standing(key, system_clock()) is Standing.VALID]
    if not known and not is_loopback(settings.host) and not (settings.jwt_secret or settings.jwt_jwks):
        raise UnguardedError(
            f"{settings.host} can be reached from elsewhere, and there is no key yet: make one with"
            " relembra keys create --name NAME --scope admin, or listen on 127.0.0.1",
            settings.host,
            settings.port,
        )
    listening = bound(settings.host, settings.port, others=OTHER_PORTS if any_port else 0)
    with listening:
        first = None
        if not known and first_key:
            first = await memory.create_key(FIRST_KEY, right=Right.ADMIN, tenant=EVERY_TENANT)
        app = create_app(memory, settings, is_open=is_open, body_seconds=patience.body_seconds)
        has_key = bool(known) or first is not None
        port = listening.getsockname()[1]
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        server = Server(
            uvicorn.Config(
                app,
                lifespan="on",
                log_config=None,
                access_log=False,  # addresses may hold what a user asked
                server_header=False,
                proxy_headers=False,
                http=protocol_with(patience),
                ws="none",
                limit_concurrency=patience.most_connections,
                backlog=WAITING,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=patience.drain_seconds,
            ),
            started=lambda: told(Started(f"http://{host}:{port}", settings.port, port, is_open, first, has_key)),
        )
        await server.serve(sockets=[listening])


class Server(uvicorn.Server):
    """uvicorn's, which also says when it listens and lets endless answers know that it is stopping."""

    def __init__(self, config: uvicorn.Config, *, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._said_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._said_started()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End in order when told to; uvicorn would raise the signal again before the memory is closed."""
        loop = asyncio.get_running_loop()
        for sig in STOPS:
            loop.add_signal_handler(sig, self.handle_exit, sig, None)
        try:
            yield
        finally:
            for sig in STOPS:
                loop.remove_signal_handler(sig)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - uvicorn's signature
        app = self.config.app
        assert isinstance(app, FastAPI)
        app.state.stopping.set()
        self.force_exit = self.should_exit  # told twice: at once
        self.should_exit = True


def bound(host: str, port: int, *, others: int) -> socket.socket:
    """A socket on the address; where it is taken, on one of so many ports after it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for tried in range(port, min(port + others, 65_535) + 1):
        # asyncio sends small pieces at once only where the protocol is named; else each waits for the one before it.
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, tried))
            sock.listen(WAITING)  # so that two at once do not both think it theirs
            return sock
        except OSError as error:
            sock.close()
            if error.errno != errno.EADDRINUSE:
                raise ListeningError(f"cannot listen on {host}:{tried}: {error.strerror}", host, tried) from error
    raise PortTakenError(f"{host}:{port} is taken by another program; choose another port", host, port)
