"""The application: every router on one memory, behind one gate."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute, Route

from relembra import __version__
from relembra.interfaces.http import health, manual, problems, proxy, webhooks
from relembra.interfaces.http.callers import Gate, caller_of, tokens_of
from relembra.interfaces.http.guards import BODY_SECONDS, Admission, Guard
from relembra.interfaces.http.handlers import HANDLERS
from relembra.interfaces.http.health import Metrics
from relembra.interfaces.http.routes import verb_routes
from relembra.interfaces.http.schemas import completed
from relembra.interfaces.upstream import Upstreams
from relembra.interfaces.web import pages
from relembra.memory import Memory
from relembra.settings import Settings

SUMMARY = "What an assistant remembers: say it, ask it, see it, correct it, forget it."
EXPOSED = ("ETag", "Link", "Retry-After", "Idempotent-Replayed", "X-Relembra-*")


ROUTES: list[BaseRoute] = [
    *health.router.routes,
    *manual.router.routes,
    *verb_routes(HANDLERS),
    *proxy.router.routes,
    *webhooks.router.routes,
]


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document, made once."""
    return completed(get_openapi(title="Relembra", version=__version__, summary=SUMMARY, routes=ROUTES))


def create_app(
    memory: Memory, settings: Settings, *, is_open: bool, gate: Gate | None = None, body_seconds: float = BODY_SECONDS
) -> FastAPI:
    """The application on a memory that is open. `is_open`: only this machine can reach it, so no key is asked for."""
    from relembra.interfaces.mcp.server import Mounted  # its package is loaded only where a server is

    upstreams = Upstreams.of(settings)
    assistants = Mounted(
        memory,
        caller_of,
        user=settings.user or None,
        language=settings.language or "en",
        largest_body=settings.largest_body,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as open_while_serving:
            open_while_serving.push_async_callback(upstreams.close)
            for opened in app.state.beside:
                await open_while_serving.enter_async_context(opened())
            yield

    app = FastAPI(
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},  # it would show queries
    )
    metrics = Metrics()
    app.state.memory = memory
    app.state.settings = settings
    app.state.upstreams = upstreams
    app.state.gate = gate or Gate(
        memory=memory,
        is_open=is_open,
        tenant=settings.tenant,
        user=settings.user,
        rate_limit=0 if is_open else settings.rate_limit,
        tokens=tokens_of(settings),
    )
    app.state.stopping = asyncio.Event()
    app.state.metrics = metrics
    app.state.counted = None
    app.state.beside = [assistants.running]  # what has to be open while requests are served
    app.state.importing = set()  # who takes a file in
    problems.handle(app)
    app.router.routes.extend(ROUTES)
    pages.mount(app)
    app.router.routes.append(Route("/mcp", endpoint=assistants, name="mcp", include_in_schema=False))
    app.openapi = document  # type: ignore[method-assign]  # how FastAPI wants it replaced
    app.add_middleware(Admission, gate=app.state.gate)
    if settings.cors:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors,
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=EXPOSED,
        )
    app.add_middleware(Guard, settings=settings, is_open=is_open, metrics=metrics, body_seconds=body_seconds)
    return app
