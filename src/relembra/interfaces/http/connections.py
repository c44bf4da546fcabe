"""Connections: how long a client may take to say what it wants and to read what it is told, and how many it has."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a client is waited for, and how much it may say before the body."""

    head_seconds: float = 20.0
    body_seconds: float = 30.0
    reading_seconds: float = 60.0
    drain_seconds: int = 3  # for requests under way when the server is told to stop
    largest_head: int = 65_536
    most_connections: int = 1_000
    most_of_one: int = 800  # of one address, which behind a reverse proxy is everybody's; the rest is for others


PATIENT = Patience()
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 37\r\n\r\nToo many connections; try again later"
)


@dataclass(slots=True)
class Held:
    """The connections of a server. Where there are too many, the one nobody has asked anything on for longest goes."""

    all: dict[BoundedProtocol, str] = field(default_factory=dict)  # with whose they are
    idle: dict[BoundedProtocol, None] = field(default_factory=dict)  # since longest first
    counted: Counter[str] = field(default_factory=Counter)

    def take(self, new: BoundedProtocol, whose: str) -> bool:
        """Whether there is room for another, where need be in place of one that waits."""
        of_one = self.counted[whose] >= new.patience.most_of_one
        if of_one or len(self.all) >= new.patience.most_connections - 1:  # uvicorn refuses from the last one on
            idle = (one for one in self.idle if not of_one or self.all[one] == whose)
            waits = next((one for one in idle if not one.is_being_read), None)
            if waits is None:
                return False
            self.drop(waits)
            waits.let_go()
        self.all[new] = whose
        self.idle[new] = None
        self.counted[whose] += 1
        return True

    def mark(self, one: BoundedProtocol, *, idle: bool) -> None:
        self.idle.pop(one, None)
        if idle and one in self.all:
            self.idle[one] = None

    def drop(self, one: BoundedProtocol) -> None:
        self.idle.pop(one, None)
        if (whose := self.all.pop(one, None)) is not None:
            self.counted[whose] -= 1
            if not self.counted[whose]:
                del self.counted[whose]


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's, which by itself waits for ever for the rest of a request's head, and for whoever never reads."""

    patience = PATIENT
    held: Held

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._waiting: asyncio.TimerHandle | None = None  # for a head
        self._stuck: asyncio.TimerHandle | None = None  # what was told is not being read
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.held.take(self, _whose(self.client)):
            self._await_head()
        else:
            transport.write(FULL)
            self.let_go()

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
        self.held.mark(self, idle=False)
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        self.held.mark(self, idle=not self.pipeline)
        super().on_response_complete()

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
        self.held.drop(self)
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self._head_bytes = 0
        self._waiting = self.loop.call_later(self.patience.head_seconds, self.let_go)

    @property
    def is_being_read(self) -> bool:
        """Whether something told is still on its way."""
        return self.transport.get_write_buffer_size() > 0

    def let_go(self) -> None:
        """Close the connection once what was told is read, or not."""
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
    return type("Protocol", (BoundedProtocol,), {"patience": patience, "held": Held()})


def _whose(client: tuple[str, int] | None) -> str:
    """Whose a connection is: an address, of IPv6 the network one house has."""
    address = client[0] if client else ""
    return address if ":" not in address else f"{int(IPv6Address(address)) >> 64:x}"
