"""Servers of aiohttp's on loopback, for tests that stand in for a program elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import TypeVar

from aiohttp import web
from anyio.from_thread import start_blocking_portal

Opened = TypeVar("Opened")


@asynccontextmanager
async def listening(app: web.Application) -> AsyncIterator[str]:
    """Where an application listens, as host and port."""
    runner = web.AppRunner(app, shutdown_timeout=1.0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@contextmanager
def in_a_thread(block: AbstractAsyncContextManager[Opened]) -> Iterator[Opened]:
    """What an asynchronous block opens, on a loop of its own, so that this thread is left to the program."""
    with start_blocking_portal(name="stage") as portal, portal.wrap_async_context_manager(block) as opened:
        yield opened
