"""A memory behind HTTP: the main verbs of `Memory`, asked of a server that `relembra serve` started.

Answers are the plain dictionaries the API documents, not values of ours: a server newer than this client may say more,
and nothing of it is lost. Errors are those of the library. What fails on the way, or is refused for the moment, is
asked again a few times; writes carry a key of their own, so that one that did arrive is not done twice.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, BinaryIO, Generic, NoReturn, Self, TypeVar
from urllib.parse import quote

from relembra.errors import (
    BusyError,
    ConflictError,
    InvalidInputError,
    MindError,
    MissingExtraError,
    NotFoundError,
    RefusedError,
    RelembraError,
    StaleError,
    StoreFullError,
    StoreUnavailableError,
    TooLongError,
)

try:
    import httpx
except ImportError as exc:
    raise MissingExtraError("the client", "http") from exc

__all__ = ["BlockingClient", "Client"]

HERE = "http://127.0.0.1:8484"
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
LONGEST_QUIET_SECONDS = 90.0
SEVERAL = frozenset({"area", "kinds", "mentioned", "source", "speakers", "tags", "type"})
FOR_THE_MOMENT = frozenset({429, 503})

Json = dict[str, Any]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    path: str
    query: Json
    body: Json | None
    headers: dict[str, str] = field(default_factory=dict)
    writes: bool = False


class _Verbs(Generic[Answer]):
    """Every verb as one request; how it is sent is left to those below.

    `user` may be left out where the key is bound to a person or the client was given one. `more` is whatever else the
    route takes; docs/http.md and /docs on the server list it.
    """

    def __init__(self, *, user: str | None) -> None:
        self._user = user

    def _send(self, request: _Request) -> Answer:
        raise NotImplementedError

    def save(
        self,
        *,
        said: str | None = None,
        replied: str | None = None,
        conversation: str | None = None,
        user: str | None = None,
        **more: Any,
    ) -> Answer:
        """Keep what was said, what was replied, or both; durable on return."""
        return self._post("/v1/messages", user, more, said=said, replied=replied, conversation=conversation)

    def messages(self, *, user: str | None = None, **more: Any) -> Answer:
        """What was said, newest first; `after` takes the `next` of the page before."""
        return self._get("/v1/messages", user, more)

    def load(
        self,
        query: str | None = None,
        *,
        budget: int | None = None,
        conversation: str | None = None,
        user: str | None = None,
        **more: Any,
    ) -> Answer:
        """The few lines that matter now, within a budget of tokens; `text` is what to put before the assistant."""
        return self._ask("/v1/context", user, more, query=query, budget=budget, conversation=conversation)

    def search(self, query: str, *, limit: int | None = None, user: str | None = None, **more: Any) -> Answer:
        """The items that answer best, each with its score and why."""
        return self._ask("/v1/search", user, more, query=query, limit=limit)

    def recall(self, query: str, *, limit: int | None = None, user: str | None = None, **more: Any) -> Answer:
        """What answers a question: items, notes and messages."""
        return self._ask("/v1/recall", user, more, query=query, limit=limit)

    def add(self, content: str, *, user: str | None = None, **more: Any) -> Answer:
        """Make something known."""
        return self._post("/v1/knowledge", user, more, content=content)

    def list(self, *, user: str | None = None, **more: Any) -> Answer:
        """What is known, newest first; `after` takes the `next` of the page before."""
        return self._get("/v1/knowledge", user, more)

    def get(self, id: str, *, user: str | None = None) -> Answer:
        """One item, deleted or superseded ones too."""
        return self._get(f"/v1/knowledge/{_part(id)}", user, {})

    def validate(self, id: str, *, version: int | None = None, user: str | None = None) -> Answer:
        """Confirm an item; with `version` only if nobody changed it since."""
        return self._post(f"/v1/knowledge/{_part(id)}/validate", user, {}, version=version)

    def correct(
        self, id: str, content: str, *, why: str | None = None, version: int | None = None, user: str | None = None
    ) -> Answer:
        """Put a right item in the place of a wrong one."""
        return self._post(f"/v1/knowledge/{_part(id)}/correct", user, {"content": content, "why": why}, version=version)

    def delete(self, id: str, *, why: str | None = None, version: int | None = None, user: str | None = None) -> Answer:
        """Hide an item; `undo` brings it back."""
        query = self._whose(user, {"why": why})
        return self._send(_Request("DELETE", f"/v1/knowledge/{_part(id)}", query, None, _headers(version), True))

    def undo(self, id: str, *, user: str | None = None) -> Answer:
        """Take back a change: by its id, or the last one of an item or conversation."""
        return self._post("/v1/undo", user, {}, id=id)

    def forget(
        self,
        *,
        item: str | None = None,
        conversation: str | None = None,
        all: bool = False,
        user: str | None = None,
    ) -> Answer:
        """Remove for good one item, one conversation, or everything of a person."""
        return self._post("/v1/forget", user, {}, item=item, conversation=conversation, all=all or None)

    def conflicts(self, *, user: str | None = None, **more: Any) -> Answer:
        """What cannot both be so, newest first."""
        return self._get("/v1/conflicts", user, more)

    def resolve(self, id: str, *, keep: str, user: str | None = None) -> Answer:
        """The person's answer to a case: keep "new", "old", "both" or "neither"."""
        return self._post(f"/v1/conflicts/{_part(id)}/resolve", user, {}, keep=keep)

    def notes(self, *, user: str | None = None, **more: Any) -> Answer:
        """What happened, newest first."""
        return self._get("/v1/notes", user, more)

    def profile(self, *, language: str | None = None, user: str | None = None, **more: Any) -> Answer:
        """Who the person is, in six sections."""
        return self._get("/v1/profile", user, more, language=language)

    def _get(self, path: str, user: str | None, more: Json, **parts: Any) -> Answer:
        return self._send(_Request("GET", path, self._whose(user, parts | more), None))

    def _ask(self, path: str, user: str | None, more: Json, **parts: Any) -> Answer:
        several = {name: [part] if name in SEVERAL and isinstance(part, str) else part for name, part in more.items()}
        return self._send(_Request("POST", path, {}, self._whose(user, parts | several)))

    def _post(self, path: str, user: str | None, more: Json, *, version: int | None = None, **parts: Any) -> Answer:
        return self._send(_Request("POST", path, {}, self._whose(user, parts | more), _headers(version), True))

    def _whose(self, user: str | None, parts: Json) -> Json:
        return _plain({"user": self._user if user is None else user} | parts)


class Client(_Verbs[Coroutine[Any, Any, Json]]):
    """The verbs, awaited. Use it in an `async with` block, or call `close` when done."""

    def __init__(
        self,
        url: str = HERE,
        *,
        key: str | None = None,
        user: str | None = None,
        tenant: str | None = None,
        timeout_seconds: float = 30.0,
        attempts: int = 4,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(user=user)
        self._http = httpx.AsyncClient(base_url=url, headers=_who(key, tenant), timeout=timeout_seconds)
        self._attempts = attempts
        self._sleep = sleep

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def _send(self, request: _Request) -> Json:
        trying = _Trying(self._attempts, request)
        while True:
            try:
                response = await self._http.request(**trying.sent)
            except httpx.TransportError as exc:
                await self._sleep(trying.after_failing(exc))
                continue
            if response.is_success:
                return _answer(response)
            await self._sleep(trying.after(response))

    async def export(
        self,
        target: str | Path | BinaryIO,
        *,
        format: str = "json",
        overwrite: bool = False,
        user: str | None = None,
        **more: Any,
    ) -> int:
        """Write all of a person's memory to a file or stream as it arrives; how many bytes. A file is whole or not."""
        query = self._whose(user, {"format": format} | more)
        with _written(target, overwrite=overwrite) as file:
            async with self._streamed("/v1/export", query, {}) as response:
                return sum([file.write(block) async for block in response.aiter_bytes()])

    async def watch(self, *, user: str | None = None, after: str | int | None = None) -> AsyncIterator[Json]:
        """What is being learnt, as it happens, from the number `after` on; a broken connection is taken up again."""
        events = _Events(after)
        trying = _Trying(self._attempts, _Request("GET", "/v1/events", {}, None))
        while True:
            try:
                async with self._streamed("/v1/events", self._whose(user, {}), events.headers, endless=True) as told:
                    async for block in told.aiter_bytes():
                        for event in events.read(block):
                            trying.number = 1
                            yield event
                wait = trying.after_failing(StoreUnavailableError("the server ended the stream"))
            except StoreUnavailableError as exc:
                wait = trying.after_failing(exc)
            await self._sleep(wait)

    @asynccontextmanager
    async def _streamed(
        self, path: str, query: Json, headers: Mapping[str, str], *, endless: bool = False
    ) -> AsyncIterator[httpx.Response]:
        limits = _patience(self._http.timeout) if endless else {}
        try:
            async with self._http.stream("GET", path, params=query, headers=headers, **limits) as response:
                if not response.is_success:
                    await response.aread()
                    raise _error(response)
                yield response
        except httpx.TransportError as exc:
            raise _out_of_reach(exc) from exc


class BlockingClient(_Verbs[Json]):
    """The same verbs without await. Use it in a `with` block, or call `close` when done."""

    def __init__(
        self,
        url: str = HERE,
        *,
        key: str | None = None,
        user: str | None = None,
        tenant: str | None = None,
        timeout_seconds: float = 30.0,
        attempts: int = 4,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(user=user)
        self._http = httpx.Client(base_url=url, headers=_who(key, tenant), timeout=timeout_seconds)
        self._attempts = attempts
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def _send(self, request: _Request) -> Json:
        trying = _Trying(self._attempts, request)
        while True:
            try:
                response = self._http.request(**trying.sent)
            except httpx.TransportError as exc:
                self._sleep(trying.after_failing(exc))
                continue
            if response.is_success:
                return _answer(response)
            self._sleep(trying.after(response))

    def export(
        self,
        target: str | Path | BinaryIO,
        *,
        format: str = "json",
        overwrite: bool = False,
        user: str | None = None,
        **more: Any,
    ) -> int:
        """As `Client.export`."""
        query = self._whose(user, {"format": format} | more)
        with (
            _written(target, overwrite=overwrite) as file,
            self._streamed("/v1/export", query, {}) as response,
        ):
            return sum(file.write(block) for block in response.iter_bytes())

    def watch(self, *, user: str | None = None, after: str | int | None = None) -> Iterator[Json]:
        """As `Client.watch`."""
        events = _Events(after)
        trying = _Trying(self._attempts, _Request("GET", "/v1/events", {}, None))
        while True:
            try:
                with self._streamed("/v1/events", self._whose(user, {}), events.headers, endless=True) as told:
                    for block in told.iter_bytes():
                        for event in events.read(block):
                            trying.number = 1
                            yield event
                wait = trying.after_failing(StoreUnavailableError("the server ended the stream"))
            except StoreUnavailableError as exc:
                wait = trying.after_failing(exc)
            self._sleep(wait)

    @contextmanager
    def _streamed(
        self, path: str, query: Json, headers: Mapping[str, str], *, endless: bool = False
    ) -> Iterator[httpx.Response]:
        limits = _patience(self._http.timeout) if endless else {}
        try:
            with self._http.stream("GET", path, params=query, headers=headers, **limits) as response:
                if not response.is_success:
                    response.read()
                    raise _error(response)
                yield response
        except httpx.TransportError as exc:
            raise _out_of_reach(exc) from exc


# ── what both do ──────────────────────────────────────────────────────────────────────────────────────────────────────


class _Trying:
    """One request and how often it was tried; says how long to wait before the next time, or raises what it was."""

    def __init__(self, attempts: int, request: _Request) -> None:
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
        error = failure if isinstance(failure, RelembraError) else _out_of_reach(failure)
        return self._again(error, getattr(error, "retry_after_seconds", None), failure)

    def after(self, response: httpx.Response) -> float:
        """Seconds to wait after a refusal that is only for the moment."""
        error, asked = _error(response), _retry_after(response)
        if response.status_code not in FOR_THE_MOMENT and not isinstance(error, BusyError):
            raise error
        return self._again(error, asked, None)

    def _again(self, error: RelembraError, asked: float | None, cause: Exception | None) -> float:
        wait = FIRST_WAIT_SECONDS * 2 ** (self.number - 1) if asked is None else asked
        if self.number >= self._attempts or wait > LONGEST_WAIT_SECONDS:
            _raise(error, cause)
        self.number += 1
        return wait


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


def _patience(usual: httpx.Timeout) -> Json:
    """For a stream without an end: it may be quiet for a while, but a server that is there gives signs of life."""
    return {"timeout": httpx.Timeout(usual.connect, read=LONGEST_QUIET_SECONDS)}


def _part(id: str) -> str:
    """An id as one part of a path, whatever is in it."""
    if not id.strip("."):
        raise InvalidInputError(f"{id!r} is no id", field="id")
    return quote(id, safe="")


def _plain(parts: Json) -> Json:
    """What is not None, moments as text."""
    given = {name: part for name, part in parts.items() if part is not None}
    return {name: part.isoformat() if isinstance(part, date) else part for name, part in given.items()}


def _headers(version: int | None) -> dict[str, str]:
    return {} if version is None else {"If-Match": f'"{version}"'}


def _who(key: str | None, tenant: str | None) -> dict[str, str]:
    named = {} if key is None else {"Authorization": f"Bearer {key}"}
    return named if tenant is None else named | {"X-Relembra-Tenant": tenant}


def _answer(response: httpx.Response) -> Json:
    try:
        answer = response.json() if response.content else {}
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise RefusedError("the answer is no JSON object; is this the address of a Relembra server?", status=502)
    return answer


def _out_of_reach(failure: Exception) -> StoreUnavailableError:
    return StoreUnavailableError(f"the server cannot be reached ({type(failure).__name__}); is it running?")


def _raise(error: RelembraError, cause: Exception | None) -> NoReturn:
    if cause is None or cause is error:
        raise error
    raise error from cause


def _error(response: httpx.Response) -> RelembraError:
    """The error of ours that an answer tells of."""
    try:
        said = response.json()
    except ValueError:
        said = None
    told: Json = said if isinstance(said, dict) else {}
    status = response.status_code
    detail = str(told.get("detail") or f"the server answered {status}")
    wait = _retry_after(response)
    match status:
        case 400 | 413 | 422:
            return InvalidInputError(detail, field=told.get("field"))
        case 404:
            return _not_found(detail, response)
        case 409:
            return ConflictError(detail) if wait is None else BusyError(detail)
        case 412:
            return StaleError(detail)
        case 502:
            return MindError(detail)
        case 503:
            return StoreUnavailableError(detail, retry_after_seconds=wait)
        case 504:
            return TooLongError(detail)
        case 507:
            return StoreFullError(detail)
        case _:
            return RefusedError(detail, status=status, retry_after_seconds=wait)


def _not_found(detail: str, response: httpx.Response) -> NotFoundError:
    """In the server's own words."""
    parts = response.url.path.strip("/").split("/")
    error = NotFoundError(parts[1] if len(parts) > 1 else "page", parts[2] if len(parts) > 2 else "")
    error.args = (detail,)
    return error


def _retry_after(response: httpx.Response) -> float | None:
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


@contextmanager
def _written(target: str | Path | BinaryIO, *, overwrite: bool) -> Iterator[BinaryIO]:
    """The stream given, or a file that appears under its name once it is whole."""
    if not isinstance(target, str | Path):
        yield target
        return
    path = Path(target)
    if path.exists() and not overwrite:
        raise ConflictError(f"{path} exists; choose another name or overwrite=True")
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
