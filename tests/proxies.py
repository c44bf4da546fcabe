"""The memory proxy for tests: our application on a real server, a scripted model behind it, OpenAI's client before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI
from openai import AsyncOpenAI

from relembra import Memory
from relembra.domain.message import Message
from relembra.interfaces.http.app import create_app
from relembra.interfaces.http.proxy import Proxy
from relembra.interfaces.http.server import bound
from relembra.settings import Settings
from upstreams import ScriptedUpstream, Step, upstream

KEY = "sk-of-the-client"


@dataclass
class Proxied:
    """A memory behind its server, with the model it talks to."""

    memory: Memory
    model: ScriptedUpstream
    app: FastAPI
    url: str
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    def client(self, key: str = KEY, **headers: str) -> AsyncOpenAI:
        """OpenAI's own client; `X_Relembra_User` as a name is the header X-Relembra-User."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        client = AsyncOpenAI(base_url=f"{self.url}/v1", api_key=key, max_retries=0, default_headers=named)
        self._open.push_async_callback(client.close)
        return client

    def http(self) -> httpx.AsyncClient:
        client = httpx.AsyncClient(base_url=f"{self.url}/v1", timeout=60)
        self._open.push_async_callback(client.aclose)
        return client

    async def kept(self, user: str = "ana", **given: Any) -> list[tuple[str, str]]:
        """Who said what, oldest first."""
        return [(message.role.value, message.text) for message in await self.messages(user, **given)]

    async def messages(self, user: str = "ana", **given: Any) -> list[Message]:
        return list(await self.memory.messages(user=user, **given))[::-1]


@asynccontextmanager
async def served(app: FastAPI) -> AsyncIterator[str]:
    """The address of an application on a server of its own; at the end every answer is over."""
    with bound("127.0.0.1", 0, others=0) as listening:
        config = uvicorn.Config(app, lifespan="on", log_config=None, access_log=False, ws="none")
        running = uvicorn.Server(config)
        task = asyncio.create_task(running.serve(sockets=[listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            running.should_exit = True
            await task


@asynccontextmanager
async def proxied(memory: Memory, *steps: Step, is_open: bool = True, **settings: Any) -> AsyncIterator[Proxied]:
    """The proxy for as long as the block lasts; the model is `default` unless the settings say otherwise."""
    async with upstream(*steps) as model:
        ordinary: dict[str, Any] = {"user": "ana", "upstream": model.url, "upstream_local": "no"}
        app = create_app(memory, Settings(**ordinary | settings), is_open=is_open)
        budget = app.state.settings.chosen_policy().context.budget_tokens
        patient = Proxy(memory, app.state.upstreams, budget, recall_seconds=60.0, keep_seconds=60.0)
        app.state.proxy = patient  # where anything is slow here it is the machine
        async with served(app) as url, AsyncExitStack() as opened:
            yield Proxied(memory, model, app, url, opened)
