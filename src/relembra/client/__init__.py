"""A memory behind HTTP: the main verbs of `Memory`, asked of a server that `relembra serve` started.

Answers are the plain dictionaries the API documents, not values of ours: a server newer than this client may say more,
and nothing of it is lost. Errors are those of the library. What fails on the way, or is refused for the moment, is
asked again a few times; writes carry a key of their own, so that one that did arrive is not done twice.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Self

from relembra.errors import ConflictError, MissingExtraError, StoreUnavailableError

try:
    import httpx
except ImportError as exc:
    raise MissingExtraError("the client", "http") from exc

from relembra.client.answers import answer_of, error_of, out_of_reach
from relembra.client.trying import Trying, Watching
from relembra.client.verbs import Json, Request, Verbs

__all__ = ["BlockingClient", "Client"]

HERE = "http://127.0.0.1:8484"


class Client(Verbs[Coroutine[Any, Any, Json]]):
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

    async def _send(self, request: Request) -> Json:
        trying = Trying(self._attempts, request)
        while True:
            try:
                response = await self._http.request(**trying.sent)
            except httpx.TransportError as exc:
                await self._sleep(trying.after_failing(exc))
                continue
            if response.is_success:
                return answer_of(response)
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
        asked = _exported(self._whose(user, {"format": format} | more))
        with _written(target, overwrite=overwrite) as file:
            async with self._streamed(asked) as response:
                return sum([file.write(block) async for block in response.aiter_bytes()])

    async def watch(self, *, user: str | None = None, after: str | int | None = None) -> AsyncIterator[Json]:
        """What is being learnt, as it happens, from the number `after` on; a broken connection is taken up again."""
        watching = Watching(self._whose(user, {}), after, attempts=self._attempts, usual=self._http.timeout)
        while True:
            failure = None
            try:
                async with self._streamed(watching.asked) as told:
                    async for block in told.aiter_bytes():
                        for event in watching.read(block):
                            yield event
            except StoreUnavailableError as exc:
                failure = exc
            await self._sleep(watching.after(failure))

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


class BlockingClient(Verbs[Json]):
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

    def _send(self, request: Request) -> Json:
        trying = Trying(self._attempts, request)
        while True:
            try:
                response = self._http.request(**trying.sent)
            except httpx.TransportError as exc:
                self._sleep(trying.after_failing(exc))
                continue
            if response.is_success:
                return answer_of(response)
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
        asked = _exported(self._whose(user, {"format": format} | more))
        with _written(target, overwrite=overwrite) as file, self._streamed(asked) as response:
            return sum(file.write(block) for block in response.iter_bytes())

    def watch(self, *, user: str | None = None, after: str | int | None = None) -> Iterator[Json]:
        """As `Client.watch`."""
        watching = Watching(self._whose(user, {}), after, attempts=self._attempts, usual=self._http.timeout)
        while True:
            failure = None
            try:
                with self._streamed(watching.asked) as told:
                    for block in told.iter_bytes():
                        yield from watching.read(block)
            except StoreUnavailableError as exc:
                failure = exc
            self._sleep(watching.after(failure))

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


# ── what both do ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _who(key: str | None, tenant: str | None) -> dict[str, str]:
    named = {} if key is None else {"Authorization": f"Bearer {key}"}
    return named if tenant is None else named | {"X-Relembra-Tenant": tenant}


def _exported(query: Json) -> Json:
    return {"method": "GET", "url": "/v1/export", "params": query}


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
