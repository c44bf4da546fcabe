"""A memory behind HTTP: the verbs of `Memory`, asked of a server that `relembra serve` started.

Answers are the plain dictionaries the API documents: a server newer than this client may say more, and nothing of it is
lost. Errors are those of the library. What fails on the way, or is refused for the moment, is asked again a few times;
writes carry a key of their own, so that one that did arrive is not done twice.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Generator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Generic, Self, TypeVar
from urllib.parse import quote

from relembra.domain.access import Right
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
from relembra.portal import Portal
from relembra.verbs import VERBS, About, Verb

try:
    import httpx
except ImportError as exc:
    raise MissingExtraError("the client", "http") from exc

__all__ = ["BlockingClient", "Client"]

Json = dict[str, Any]
Answer = TypeVar("Answer")

HERE = "http://127.0.0.1:8484"
SEVERAL = frozenset({"area", "kinds", "mentioned", "source", "speakers", "tags", "type"})  # in questions
OF_NOBODY = (About.TENANT, About.INSTALLATION, About.NOBODY)
PLAIN_ERRORS: dict[int, Callable[[str], RelembraError]] = {
    412: StaleError,
    502: MindError,
    504: TooLongError,
    507: StoreFullError,
}
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
LONGEST_QUIET_SECONDS = 90.0
"""A stream without an end may be quiet for a while, but a server that is there gives signs of life."""


class _Verbs(Generic[Answer]):
    """Every verb that answers JSON, as a method of its name. It takes what it takes on `Memory`; `user` may be left
    out where the key or the client has one."""

    def call(self, verb: str, *args: Any, **given: Any) -> Answer:
        """Call a verb by its name."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Callable[..., Answer]:
        if name not in VERBS:
            raise AttributeError(f"{type(self).__name__} has no verb {name!r}")
        return partial(self.call, name)


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
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        headers |= {} if tenant is None else {"X-Relembra-Tenant": tenant}
        self._http = httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout_seconds)
        self._user = user
        self._attempts = attempts
        self._sleep = sleep

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    def call(self, verb: str, *args: Any, **given: Any) -> Coroutine[Any, Any, Json]:
        """Call a verb by its name."""
        if verb not in VERBS:
            raise InvalidInputError(f"there is no verb {verb!r}; docs/http.md lists them", field="verb")
        return self._send(request_of(VERBS[verb], args, given, self._user))

    async def _send(self, request: Json) -> Json:
        attempts = _Attempts(self._attempts)
        while True:
            try:
                response = await self._http.request(**request)
                if response.is_success and (answer := _json_of(response)) is not None:
                    return answer
                error = _error_of(response)
                is_temporary = response.status_code in (429, 503) or isinstance(error, BusyError)
                wait = attempts.wait(error, retry_after(response)) if is_temporary else None
            except httpx.TransportError as exc:
                error = _out_of_reach(exc)
                wait = attempts.wait(error)
            if wait is None:
                raise error
            await self._sleep(wait)

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
        query = _plain({"user": user or self._user, "format": format, **more})
        with _written(target, overwrite=overwrite) as file:
            async with self._streamed(url="/v1/export", params=query) as response:
                return sum([file.write(block) async for block in response.aiter_bytes()])

    async def watch(self, *, user: str | None = None, after: str | int | None = None) -> AsyncGenerator[Json, None]:
        """What is being learnt, as it happens, from the number `after` on; a broken connection is taken up again."""
        query = _plain({"user": user or self._user})
        timeout = httpx.Timeout(self._http.timeout.connect, read=LONGEST_QUIET_SECONDS)
        attempts, last = _Attempts(self._attempts), after
        while True:
            error: RelembraError = StoreUnavailableError("the server ended the stream")
            headers = {"Accept": "text/event-stream"} | ({} if last is None else {"Last-Event-ID": str(last)})
            try:
                async with self._streamed(url="/v1/events", params=query, headers=headers, timeout=timeout) as stream:
                    async for id, data in _events(stream.aiter_bytes()):
                        last = id or last
                        attempts = _Attempts(self._attempts)
                        yield data
            except StoreUnavailableError as exc:
                error = exc
            await self._sleep(attempts.wait(error, getattr(error, "retry_after_seconds", None)))

    @asynccontextmanager
    async def _streamed(self, **asked: Any) -> AsyncIterator[httpx.Response]:
        try:
            async with self._http.stream("GET", **asked) as response:
                if not response.is_success:
                    await response.aread()
                    raise _error_of(response)
                yield response
        except httpx.TransportError as exc:
            raise _out_of_reach(exc) from exc


class BlockingClient(_Verbs[Json]):
    """The same verbs without await. Use it in a `with` block, or call `close` when done."""

    def __init__(self, url: str = HERE, **options: Any) -> None:
        self._client = Client(url, **options)
        self._portal = Portal()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        self._portal.call(self._client.close())
        self._portal.close()

    def call(self, verb: str, *args: Any, **given: Any) -> Json:
        """Call a verb by its name."""
        return self._portal.call(self._client.call(verb, *args, **given))

    def export(self, target: str | Path | BinaryIO, **options: Any) -> int:
        """As `Client.export`."""
        return self._portal.call(self._client.export(target, **options))

    def watch(self, *, user: str | None = None, after: str | int | None = None) -> Generator[Json, None, None]:
        """As `Client.watch`."""
        events = self._client.watch(user=user, after=after)

        async def following() -> Json:
            return await anext(events)

        try:
            while True:
                yield self._portal.call(following())
        finally:
            self._portal.call(events.aclose())


# ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def request_of(verb: Verb, args: tuple[Any, ...], named: Mapping[str, Any], user: str | None) -> Json:
    """A call of a verb as httpx sends it; `user` is meant where the call names none.

    A write carries a key of its own, so that it is done once however often it is sent.
    """
    in_path = re.findall(r"{(\w+)", verb.path)
    given = dict(zip([*in_path, *verb.positional], args, strict=False)) | dict(named)
    if len(args) > len(in_path) + len(verb.positional) or not given.keys() >= set(in_path):
        raise TypeError(f"{verb.name} takes {', '.join([*in_path, *verb.positional]) or 'nothing'} by position")
    path = re.sub(r"{(\w+)[^}]*}", lambda part: _path_part(given.pop(part[1])), verb.path)
    version = given.pop("version", None)
    headers = {} if version is None else {"If-Match": f'"{version}"'}
    asks = verb.right is Right.READ
    if not asks and verb.http_method != "GET":
        headers["Idempotency-Key"] = secrets.token_hex(16)
    if verb.has_body and asks:
        given = {name: [one] if name in SEVERAL and isinstance(one, str) else one for name, one in given.items()}
    if verb.about not in OF_NOBODY and given.get("user") is None:
        given["user"] = user
    parts = {"json" if verb.has_body else "params": _plain(given)}
    return {"method": verb.http_method, "url": path, "headers": headers, **parts}


def _path_part(id: str) -> str:
    """An id as one part of a path, whatever is in it."""
    if not id.strip("."):
        raise InvalidInputError(f"{id!r} is no id", field="id")
    return quote(id, safe="")


def _plain(value: Any) -> Any:
    """A value as JSON has it: without what is None, moments as text."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value.isoformat() if isinstance(value, date) else value


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _json_of(response: httpx.Response) -> Json | None:
    try:
        answer = response.json() if response.content else {}
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _out_of_reach(failure: Exception) -> RelembraError:
    if isinstance(failure, httpx.UnsupportedProtocol | httpx.LocalProtocolError):
        return InvalidInputError(f"the request cannot be sent: {failure}; check the url and the key")
    return StoreUnavailableError(f"the server cannot be reached ({type(failure).__name__}); is it running?")


def _error_of(response: httpx.Response) -> RelembraError:
    """The error of ours that an answer stands for, in the server's own words."""
    problem = _json_of(response) or {}
    status = response.status_code
    detail = str(problem.get("detail") or f"the server answered {status}")
    wait = retry_after(response)
    if response.is_success:
        return RefusedError("the answer is no JSON object; is this the address of a Relembra server?", status=502)
    match status:
        case 400 | 413 | 422:
            return InvalidInputError(detail, field=problem.get("field"))
        case 404:
            _, what, id, *_ = [*response.url.path.strip("/").split("/"), "", ""]
            error = NotFoundError(what or "page", id)
            error.args = (detail,)
            return error
        case 409:
            return ConflictError(detail) if wait is None else BusyError(detail)
        case 503:
            return StoreUnavailableError(detail, retry_after_seconds=wait)
    if (kind := PLAIN_ERRORS.get(status)) is not None:
        return kind(detail)
    return RefusedError(detail, status=status, retry_after_seconds=wait)


def retry_after(response: httpx.Response) -> float | None:
    """Seconds to wait, where the server names them."""
    header = response.headers.get("retry-after", "").strip()
    return float(header) if header.isdecimal() else None


class _Attempts:
    """How often something was tried; says how long to wait before the next time, or raises what it was."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._wait = FIRST_WAIT_SECONDS

    def wait(self, error: RelembraError, asked: float | None = None) -> float:
        wait = self._wait if asked is None else asked
        self._left -= 1
        self._wait *= 2
        if self._left < 1 or wait > LONGEST_WAIT_SECONDS or isinstance(error, InvalidInputError):
            raise error
        return wait


async def _events(blocks: AsyncIterator[bytes]) -> AsyncIterator[tuple[str, Json]]:
    """The id and data of each event, once it is whole. Lines end as the format says, not wherever Unicode does."""
    rest, id, data = b"", "", list[bytes]()
    async for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            name, _, value = line.removesuffix(b"\r").partition(b":")
            if name == b"data":
                data.append(value.removeprefix(b" "))
            elif name == b"id":
                id = value.decode().strip()
            elif not name and not value and data:  # an empty line; one that begins with ":" is a sign of life
                yield id, json.loads(b"\n".join(data))
                data = []


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
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
