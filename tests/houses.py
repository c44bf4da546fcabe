"""A memory behind its web server, for tests: in this process, with a clock that stands still and keys of every kind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from memories import Clock, a_memory, a_store
from relembra import Memory
from relembra.bootstrap import chosen_media
from relembra.domain.access import EVERY_TENANT, Right
from relembra.ingest.intake import BlockSettings
from relembra.interfaces.http.app import create_app
from relembra.interfaces.http.callers import Gate, tokens_of
from relembra.interfaces.requests import Buckets
from relembra.settings import Settings

LOOPBACK = "127.0.0.1"
ELSEWHERE = "10.0.0.9"


class Seconds:
    """A stopwatch that only goes on when told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class House:
    """An application, the memory behind it, and whatever opens it."""

    app: FastAPI
    memory: Memory
    clock: Clock
    seconds: Seconds
    secrets: dict[str, str] = field(default_factory=dict)

    def client(self, key: str | None = None, *, peer: str = ELSEWHERE, **headers: str) -> httpx.AsyncClient:
        """A client at an address, with the key of that name if one is given."""
        transport = httpx.ASGITransport(self.app, client=(peer, 50_000))
        sent = dict(headers)
        if key is not None:
            sent.setdefault("Authorization", f"Bearer {self.secrets[key]}")
        return httpx.AsyncClient(transport=transport, base_url="http://localhost:8484", headers=sent)

    async def add_keys(self) -> None:
        """One of each kind: rights, bound to ana, of another tenant, an operator's, revoked, expired."""
        make = self.memory.create_key
        made = {right.value: await make(right, right=right) for right in Right}
        made |= {f"ana-{right}": await make(f"ana {right}", right=right, user="ana") for right in Right}
        made["bia"] = await make("bia", right="admin", user="bia")
        made["other"] = await make("other", right="admin", tenant="other")
        made["operator"] = await make("operator", right="admin", tenant=EVERY_TENANT)
        made["revoked"] = await make("revoked", right="admin")
        made["expired"] = await make("expired", right="admin", expires_at=self.clock() + timedelta(minutes=5))
        await self.memory.revoke_key(made["revoked"].key.id)
        self.clock.move(minutes=10)
        self.secrets = {name: new.secret for name, new in made.items()}


@asynccontextmanager
async def a_house(
    *,
    is_open: bool = False,
    keys: bool = True,
    rate_limit: int = 0,
    folder: Path | None = None,
    to_be_served: bool = False,
    **settings: Any,
) -> AsyncIterator[House]:
    """A memory kept in this process, or in a file of a folder. `to_be_served`: a server will start the application."""
    clock, seconds = Clock(), Seconds()
    chosen = Settings(**settings)
    store = await a_store("memory" if folder is None else "sqlite", folder or Path())
    blocks = BlockSettings.of(chosen.blocked, chosen.spaces_off, chosen.spaces_only)
    async with a_memory(store, clock=clock, blocks=blocks, media=chosen_media(chosen)) as memory:
        gate = Gate(
            memory=memory, is_open=is_open, tenant=chosen.tenant, rate_limit=rate_limit, tokens=tokens_of(chosen),
            clock=clock, rates=Buckets(seconds=seconds), wrong=Buckets(seconds=seconds),
        )  # fmt: skip
        app = create_app(memory, chosen, is_open=is_open, gate=gate)
        house = House(app, memory, clock, seconds)
        if keys:
            await house.add_keys()
        async with nullcontext() if to_be_served else lived_in(app):
            yield house


@asynccontextmanager
async def lived_in(app: FastAPI) -> AsyncIterator[None]:
    """What an application has open while it serves, begun and ended by one task, as a server does."""
    started, over = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        async with app.router.lifespan_context(app):
            started.set()
            await over.wait()

    living = asyncio.create_task(live())
    ready = asyncio.create_task(started.wait())
    await asyncio.wait({living, ready}, return_when=asyncio.FIRST_COMPLETED)
    ready.cancel()
    try:
        if not living.done():
            yield
    finally:
        over.set()
        await living
