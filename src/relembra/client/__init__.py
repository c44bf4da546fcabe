"""A memory behind HTTP: the verbs of `Memory`, asked of a server that `relembra serve` started.

Answers are the plain dictionaries the API documents: a server newer than this client may say more, and nothing of it is
lost. Errors are those of the library. What fails on the way, or is refused for the moment, is asked again a few times;
writes carry a key of their own, so that one that did arrive is not done twice.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Generic, Self, TypeVar

from relembra.errors import ConflictError, InvalidInputError, MissingExtraError, StoreUnavailableError
from relembra.verbs import VERBS

try:
    import httpx
except ImportError as exc:
    raise MissingExtraError("the client", "http") from exc

from relembra.client.requests import (
    Attempts,
    Json,
    Request,
    Watch,
    answer_of,
    error_of,
    out_of_reach,
    plain,
    request_of,
    whose,
)

__all__ = ["BlockingClient", "Client"]

HERE = "http://127.0.0.1:8484"

Answer = TypeVar("Answer")


class _Verb:
    """A verb of the same name, as a method."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self.__doc__ = f"As `Memory.{name}`."

    def __get__(self, client: _Verbs[Answer], owner: type) -> Callable[..., Answer]:
        def ask(*args: Any, **given: Any) -> Answer:
            return client.call(self._name, *args, **given)

        return ask


class _Verbs(Generic[Answer]):
    """Every verb as one request; how it is sent is left to the clients.

    A verb takes what it takes on `Memory`. `user` may be left out where the key is bound to a person or the client was
    given one.
    """

    def __init__(self, *, user: str | None, attempts: int) -> None:
        self._user = user
        self._attempts = attempts

    def call(self, verb: str, *args: Any, **given: Any) -> Answer:
        """Ask any verb that answers JSON, by its name."""
        if verb not in VERBS:
            raise InvalidInputError(f"there is no verb {verb!r}; docs/http.md lists them", field="verb")
        return self._send(request_of(VERBS[verb], args, given, self._user))

    def _send(self, request: Request) -> Answer:
        raise NotImplementedError

    def _watch(self, user: str | None, after: str | int | None, usual: httpx.Timeout) -> Watch:
        return Watch(plain(whose(self._user, {"user": user})), after, attempts=self._attempts, usual=usual)

    def _export(self, user: str | None, query: Json) -> Json:
        return {"method": "GET", "url": "/v1/export", "params": plain(whose(self._user, {"user": user, **query}))}

    add = _Verb()
    conflicts = _Verb()
    correct = _Verb()
    delete = _Verb()
    forget = _Verb()
    get = _Verb()
    list = _Verb()
    load = _Verb()
    messages = _Verb()
    notes = _Verb()
    profile = _Verb()
    recall = _Verb()
    resolve = _Verb()
    save = _Verb()
    search = _Verb()
    undo = _Verb()
    validate = _Verb()


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
        super().__init__(user=user, attempts=attempts)
        self._http = httpx.AsyncClient(base_url=url, headers=_headers(key, tenant), timeout=timeout_seconds)
        self._sleep = sleep

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def _send(self, request: Request) -> Json:
        attempts = Attempts(self._attempts, request)
        while True:
            try:
                response = await self._http.request(**attempts.sent)
            except httpx.TransportError as exc:
                await self._sleep(attempts.after_failing(exc))
                continue
            if response.is_success:
                return answer_of(response)
            await self._sleep(attempts.after(response))

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
        asked = self._export(user, {"format": format, **more})
        with _written(target, overwrite=overwrite) as file:
            async with self._streamed(asked) as response:
                return sum([file.write(block) async for block in response.aiter_bytes()])

    async def watch(self, *, user: str | None = None, after: str | int | None = None) -> AsyncIterator[Json]:
        """What is being learnt, as it happens, from the number `after` on; a broken connection is taken up again."""
        watch = self._watch(user, after, self._http.timeout)
        while True:
            failure = None
            try:
                async with self._streamed(watch.asked) as told:
                    async for block in told.aiter_bytes():
                        for event in watch.read(block):
                            yield event
            except StoreUnavailableError as exc:
                failure = exc
            await self._sleep(watch.after(failure))

    @asynccontextmanager
    async def _streamed(self, asked: Json) -> AsyncIterator[httpx.Response]:
        try:
            async with self._http.stream(**asked) as response:
                if not response.is_success:
                    await response.aread()
                    raise error_of(response)
                yield response
        except httpx.TransportError as exc:
            raise out_of_reach(exc) from exc


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
        super().__init__(user=user, attempts=attempts)
        self._http = httpx.Client(base_url=url, headers=_headers(key, tenant), timeout=timeout_seconds)
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def _send(self, request: Request) -> Json:
        attempts = Attempts(self._attempts, request)
        while True:
            try:
                response = self._http.request(**attempts.sent)
            except httpx.TransportError as exc:
                self._sleep(attempts.after_failing(exc))
                continue
            if response.is_success:
                return answer_of(response)
            self._sleep(attempts.after(response))

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
        asked = self._export(user, {"format": format, **more})
        with _written(target, overwrite=overwrite) as file, self._streamed(asked) as response:
            return sum(file.write(block) for block in response.iter_bytes())

    def watch(self, *, user: str | None = None, after: str | int | None = None) -> Iterator[Json]:
        """As `Client.watch`."""
        watch = self._watch(user, after, self._http.timeout)
        while True:
            failure = None
            try:
                with self._streamed(watch.asked) as told:
                    for block in told.iter_bytes():
                        yield from watch.read(block)
            except StoreUnavailableError as exc:
                failure = exc
            self._sleep(watch.after(failure))

    @contextmanager
    def _streamed(self, asked: Json) -> Iterator[httpx.Response]:
        try:
            with self._http.stream(**asked) as response:
                if not response.is_success:
                    response.read()
                    raise error_of(response)
                yield response
        except httpx.TransportError as exc:
            raise out_of_reach(exc) from exc


def _headers(key: str | None, tenant: str | None) -> dict[str, str]:
    named = {} if key is None else {"Authorization": f"Bearer {key}"}
    return named if tenant is None else named | {"X-Relembra-Tenant": tenant}


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
