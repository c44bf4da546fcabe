"""The application: every router on one memory, behind one gate; whether it is well, its numbers, and its manual."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse, PlainTextResponse
from markupsafe import Markup, escape
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute, Route

from relembra import __version__
from relembra.domain.access import Right
from relembra.errors import RelembraError
from relembra.interfaces.http import channels, problems, proxy, webhooks
from relembra.interfaces.http.callers import Gate, MemoryDep, caller_of, tokens_of
from relembra.interfaces.http.guards import BODY_SECONDS, Admission, Guard, Metrics
from relembra.interfaces.http.handlers import HANDLERS
from relembra.interfaces.http.routes import verb_routes
from relembra.interfaces.http.schemas import answered, completed
from relembra.interfaces.upstream import Answering, Upstreams
from relembra.interfaces.web import pages
from relembra.interfaces.web.templates import environment
from relembra.interfaces.web.visits import POLICY
from relembra.memory import Memory
from relembra.settings import Settings

SUMMARY = "What an assistant remembers: say it, ask it, see it, correct it, forget it."
COUNT_EVERY_SECONDS = 60.0
EXPOSED = ("ETag", "Link", "Retry-After", "Idempotent-Replayed", "X-Relembra-*")

router = APIRouter(tags=["server"])


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", summary="Whether the server lives")
async def healthz() -> Response:
    return answered({"status": "ok", "version": __version__})


@router.get("/readyz", summary="Whether it can work, and what is missing if not")
async def readyz(request: Request, memory: MemoryDep) -> Response:
    missing = []
    if request.app.state.stopping.is_set():
        missing.append({"what": "server", "detail": "it is stopping; ask another"})
    try:
        await memory.other_models()
    except RelembraError as error:
        missing.append(
            {"what": "store", "detail": f"{type(error).__name__}: is the file or server there, and is there room?"}
        )
    said = {"status": "ok" if not missing else "missing", "missing": missing, "lacks": memory.lacks}
    return answered(said, 503 if missing else 200)


@router.get("/metrics", response_class=PlainTextResponse, summary="Numbers for Prometheus; needs an operator's key")
async def metrics(request: Request, memory: MemoryDep) -> Response:
    caller = await caller_of(request)
    caller.must(Right.ADMIN)
    caller.must_operate()
    state = request.app.state
    if state.counted is None or time.monotonic() - state.counted[0] > COUNT_EVERY_SECONDS:
        state.counted = (time.monotonic(), await memory.stats())  # goes through everything, so seldom
    return Response(state.metrics.text(state.counted[1]), media_type=CONTENT_TYPE_PLAIN_0_0_4)


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    return HTMLResponse(page(request.app.openapi()), headers={"Content-Security-Policy": POLICY})


def page(document: Mapping[str, Any]) -> str:
    """Every operation of the document on one page, without scripts and without anything from elsewhere."""

    def marked(text: str) -> Markup:
        """Prose with what stands in backticks as code."""
        return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))

    shown = partial(json.dumps, ensure_ascii=False, indent=2)
    return environment().get_template("api.html").render(document=document, marked=marked, json=shown)


# ── the application ───────────────────────────────────────────────────────────────────────────────────────────────────

ROUTES: list[BaseRoute] = [
    *router.routes,
    *verb_routes(HANDLERS),
    *proxy.router.routes,
    *channels.router.routes,
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
            if app.state.replies:
                await memory.send_replies(app.state.replies.send)
                open_while_serving.push_async_callback(app.state.replies.close)
                open_while_serving.push_async_callback(memory.send_replies, None)
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
    app.state.replies = channels.replies_of(memory, Answering(memory, upstreams), settings)
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
