"""Requests to a server and its answers: each verb as one request, when to ask again, and which error it tells of."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote

import httpx

from relembra.domain.access import Right
from relembra.errors import (
    BusyError,
    ConflictError,
    InvalidInputError,
    MindError,
    NotFoundError,
    RefusedError,
    RelembraError,
    StaleError,
    StoreFullError,
    StoreUnavailableError,
    TooLongError,
)
from relembra.verbs import About, Verb

__all__ = ["Attempts", "Json", "Request", "Watch", "answer_of", "error_of", "out_of_reach", "request_of"]

Json = dict[str, Any]

SEVERAL = frozenset({"area", "kinds", "mentioned", "source", "speakers", "tags", "type"})  # in questions
OF_NOBODY = (About.TENANT, About.INSTALLATION, About.NOBODY)
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
FOR_THE_MOMENT = frozenset({429, 503})
LONGEST_QUIET_SECONDS = 90.0
"""A stream without an end may be quiet for a while, but a server that is there gives signs of life."""


# ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent; `writes`: it carries a key of its own, so that it is done once however often it is sent."""

    method: str
    path: str
    query: Json
    body: Json | None = None
    headers: dict[str, str] = field(default_factory=dict)
    writes: bool = False


def request_of(verb: Verb, args: tuple[Any, ...], named: Mapping[str, Any], user: str | None) -> Request:
    """A call of a verb as a request; `user` is meant where the call names nobody."""
    in_path = re.findall(r"{(\w+)", verb.path)
    given = dict(zip([*in_path, *verb.positional], args, strict=False)) | dict(named)
    if len(args) > len(in_path) + len(verb.positional) or not given.keys() >= set(in_path):
        raise TypeError(f"{verb.name} takes {', '.join([*in_path, *verb.positional]) or 'nothing'} by position")
    path = re.sub(r"{(\w+)[^}]*}", lambda part: _part(given.pop(part[1])), verb.path)
    version = given.pop("version", None)
    headers = {} if version is None else {"If-Match": f'"{version}"'}
    asks = verb.right is Right.READ
    if verb.has_body and asks:
        given = {name: [one] if name in SEVERAL and isinstance(one, str) else one for name, one in given.items()}
    parts = plain(given if verb.about in OF_NOBODY else whose(user, given))
    query, body = ({}, parts) if verb.has_body else (parts, None)
    return Request(verb.http_method, path, query, body, headers, writes=not asks and verb.http_method != "GET")


def whose(user: str | None, given: Mapping[str, Any]) -> Json:
    named = given.get("user")
    return {"user": user if named is None else named, **{name: one for name, one in given.items() if name != "user"}}


def _part(id: str) -> str:
    """An id as one part of a path, whatever is in it."""
    if not id.strip("."):
        raise InvalidInputError(f"{id!r} is no id", field="id")
    return quote(id, safe="")


def plain(value: Any) -> Any:
    """A value as JSON has it: without what is None, moments as text."""
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value.isoformat() if isinstance(value, date) else value


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def answer_of(response: httpx.Response) -> Json:
    answer = _json_of(response) if response.content else {}
    if answer is None:
        raise RefusedError("the answer is no JSON object; is this the address of a Relembra server?", status=502)
    return answer


def _json_of(response: httpx.Response) -> Json | None:
    try:
        said = response.json()
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def out_of_reach(failure: Exception) -> StoreUnavailableError:
    return StoreUnavailableError(f"the server cannot be reached ({type(failure).__name__}); is it running?")


def error_of(response: httpx.Response) -> RelembraError:
    """The error of ours that an answer tells of."""
    told = _json_of(response) or {}
    status = response.status_code
    detail = str(told.get("detail") or f"the server answered {status}")
    wait = retry_after(response)
    plainly = {412: StaleError, 502: MindError, 504: TooLongError, 507: StoreFullError}
    match status:
        case 400 | 413 | 422:
            return InvalidInputError(detail, field=told.get("field"))
        case 404:
            return _not_found(detail, response)
        case 409:
            return ConflictError(detail) if wait is None else BusyError(detail)
        case 503:
            return StoreUnavailableError(detail, retry_after_seconds=wait)
        case _ if status in plainly:
            return plainly[status](detail)
        case _:
            return RefusedError(detail, status=status, retry_after_seconds=wait)


def _not_found(detail: str, response: httpx.Response) -> NotFoundError:
    """In the server's own words."""
    parts = response.url.path.strip("/").split("/")
    error = NotFoundError(parts[1] if len(parts) > 1 else "page", parts[2] if len(parts) > 2 else "")
    error.args = (detail,)
    return error


def retry_after(response: httpx.Response) -> float | None:
    """Seconds to wait, from either form of the header."""
    header = response.headers.get("retry-after")
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


# ── asking again ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Attempts:
    """One request and how often it was tried; says how long to wait before the next time, or raises what it was."""

    def __init__(self, most: int, request: Request) -> None:
        self._most = most
        self.number = 1
        key = {"Idempotency-Key": secrets.token_hex(16)} if request.writes else {}
        self.sent: Json = {
            "method": request.method,
            "url": request.path,
            "params": request.query,
            "json": request.body,
            "headers": request.headers | key,
        }
        """What httpx is to send, the same every time."""

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
        if self.number >= self._most or wait > LONGEST_WAIT_SECONDS:
            raise error from (None if cause is error else cause)
        self.number += 1
        return wait


class Watch:
    """Server-sent events over as many connections as it takes, from the bytes they come in."""

    def __init__(self, query: Json, after: str | int | None, *, attempts: int, usual: httpx.Timeout) -> None:
        self._attempts = Attempts(attempts, Request("GET", "/v1/events", query))
        self._timeout = httpx.Timeout(usual.connect, read=LONGEST_QUIET_SECONDS)
        self._last = None if after is None else str(after)
        self._begin()

    def _begin(self) -> None:
        self._rest: bytes = b""
        self._data: list[bytes] = []
        self._id: str | None = None

    @property
    def asked(self) -> Json:
        """What httpx is to send for the next connection; half an event of a broken one comes again."""
        self._begin()
        headers = {"Accept": "text/event-stream"} | ({} if self._last is None else {"Last-Event-ID": self._last})
        return self._attempts.sent | {"headers": headers, "timeout": self._timeout}

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
                self._attempts.number = 1  # asking was worth it
                yield json.loads(b"\n".join(data))

    def after(self, failure: StoreUnavailableError | None) -> float:
        """Seconds to wait before the next connection; without a failure the server ended the last one."""
        return self._attempts.after_failing(failure or StoreUnavailableError("the server ended the stream"))
