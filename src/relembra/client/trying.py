"""Asking again: how long to wait after what failed, and where a stream that broke goes on."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from typing import NoReturn

import httpx

from relembra.client.answers import error_of, out_of_reach, retry_after
from relembra.client.verbs import Json, Request
from relembra.errors import BusyError, InvalidInputError, RelembraError, StoreUnavailableError

__all__ = ["Trying", "Watching"]

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
FOR_THE_MOMENT = frozenset({429, 503})
LONGEST_QUIET_SECONDS = 90.0
"""A stream without an end may be quiet for a while, but a server that is there gives signs of life."""


class Trying:
    """One request and how often it was tried; says how long to wait before the next time, or raises what it was."""

    def __init__(self, attempts: int, request: Request) -> None:
        self._attempts = attempts
        self._headers = dict(request.headers)
        if request.writes:
            self._headers["Idempotency-Key"] = secrets.token_hex(16)
        self._request = request
        self.number = 1

    @property
    def sent(self) -> Json:
        """What httpx is to send, the same every time."""
        request = self._request
        return {
            "method": request.method,
            "url": request.path,
            "params": request.query,
            "json": request.body,
            "headers": self._headers,
        }

    def after_failing(self, failure: Exception) -> float:
        """Seconds to wait where no answer came; what could not even be sent is the caller's to mend."""
        if isinstance(failure, httpx.UnsupportedProtocol | httpx.LocalProtocolError):
            raise InvalidInputError(f"the request cannot be sent: {failure}; check the url and the key") from failure
        error = failure if isinstance(failure, RelembraError) else out_of_reach(failure)
        return self._again(error, getattr(error, "retry_after_seconds", None), failure)

    def after(self, response: httpx.Response) -> float:
        """Seconds to wait after a refusal that is only for the moment."""
        error, asked = error_of(response), retry_after(response)
        if response.status_code not in FOR_THE_MOMENT and not isinstance(error, BusyError):
            raise error
        return self._again(error, asked, None)

    def _again(self, error: RelembraError, asked: float | None, cause: Exception | None) -> float:
        wait = FIRST_WAIT_SECONDS * 2 ** (self.number - 1) if asked is None else asked
        if self.number >= self._attempts or wait > LONGEST_WAIT_SECONDS:
            _raise(error, cause)
        self.number += 1
        return wait


def _raise(error: RelembraError, cause: Exception | None) -> NoReturn:
    if cause is None or cause is error:
        raise error
    raise error from cause


class Watching:
    """What is being learnt, over as many connections as it takes."""

    def __init__(self, query: Json, after: str | int | None, *, attempts: int, usual: httpx.Timeout) -> None:
        self._events = _Events(after)
        self._trying = Trying(attempts, Request("GET", "/v1/events", query, None))
        self._timeout = httpx.Timeout(usual.connect, read=LONGEST_QUIET_SECONDS)

    @property
    def asked(self) -> Json:
        """What httpx is to send for the next connection."""
        return self._trying.sent | {"headers": self._events.headers, "timeout": self._timeout}

    def read(self, block: bytes) -> Iterator[Json]:
        """The events a block completes; each is a sign that asking was worth it."""
        for event in self._events.read(block):
            self._trying.number = 1
            yield event

    def after(self, failure: StoreUnavailableError | None) -> float:
        """Seconds to wait before the next connection; without a failure the server ended the last one."""
        return self._trying.after_failing(failure or StoreUnavailableError("the server ended the stream"))


class _Events:
    """Server-sent events from the bytes they come in, and where to go on."""

    def __init__(self, after: str | int | None) -> None:
        self._last = None if after is None else str(after)
        self._rest = b""
        self._data: list[bytes] = []
        self._id: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        """What to ask with; half an event of a broken connection comes again."""
        self._rest, self._data, self._id = b"", [], None
        return {"Accept": "text/event-stream"} | ({} if self._last is None else {"Last-Event-ID": self._last})

    def read(self, block: bytes) -> Iterator[Json]:
        """The events a block completes. Lines end as the format says, not wherever Unicode knows a line's end."""
        *lines, self._rest = (self._rest + block).split(b"\n")
        for line in lines:
            name, _, rest = line.removesuffix(b"\r").partition(b":")
            if name == b"data":
                self._data.append(rest.removeprefix(b" "))
            elif name == b"id":
                self._id = rest.decode().strip()
            elif not name and not rest and self._data:  # an empty line; one that begins with ":" is a sign of life
                data, self._data = self._data, []
                self._last = self._id or self._last
                yield json.loads(b"\n".join(data))
