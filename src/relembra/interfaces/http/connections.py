"""One connection: how long a client may take to say what it wants, and to read what it is told."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
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


PATIENT = Patience()


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's, which by itself waits for ever for the rest of a request's head, and for whoever never reads."""

    patience = PATIENT

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._waiting: asyncio.TimerHandle | None = None  # for a head
        self._stuck: asyncio.TimerHandle | None = None  # what was told is not being read
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
        self._waiting = self.loop.call_later(self.patience.head_seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._waiting = None
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
