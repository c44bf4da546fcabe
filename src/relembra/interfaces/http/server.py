"""Listening: choosing the address, starting, and stopping so that nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

import uvicorn
from fastapi import FastAPI

from relembra.domain.access import EVERY_TENANT, NewKey, Right, Standing, standing
from relembra.domain.time import system_clock
from relembra.errors import SettingsError
from relembra.interfaces.http.app import create_app
from relembra.interfaces.http.callers import is_loopback
from relembra.interfaces.http.connections import PATIENT, Patience, protocol_with
from relembra.memory import Memory
from relembra.settings import Settings

STOPS = (signal.SIGINT, signal.SIGTERM)
KEEP_ALIVE_SECONDS = 15
WAITING = 512
OTHER_PORTS = 20
FIRST_KEY = "first"


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
    """Where a server listens, and what whoever started it should know."""

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

    `first_key`: where there is no key one is made, and told; without it none is, for nobody would see it.
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
                access_log=False,  # addresses may hold what somebody asked
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
