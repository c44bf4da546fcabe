"""Whether the server lives, whether it can work, and its numbers."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from relembra import __version__
from relembra.domain.access import Right
from relembra.errors import RelembraError
from relembra.interfaces.http.answers import answered
from relembra.interfaces.http.callers import MemoryDep, caller_of
from relembra.interfaces.http.metrics import Metrics
from relembra.memory import Memory
from relembra.store.port import Stats

router = APIRouter(tags=["server"])

COUNT_EVERY_SECONDS = 60.0


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", summary="Whether the server lives")
async def healthz() -> Response:
    return answered({"status": "ok", "version": __version__})


@router.get("/readyz", summary="Whether it can work, and what is missing if not")
async def readyz(request: Request, memory: MemoryDep) -> Response:
    missing = await missing_of(memory, stopping=request.app.state.stopping.is_set())
    said = {"status": "ok" if not missing else "missing", "missing": missing}
    return answered(said, 503 if missing else 200)


async def missing_of(memory: Memory, *, stopping: bool) -> list[dict[str, Any]]:
    """What keeps the server from working, each with what to do."""
    missing = []
    if stopping:
        missing.append({"what": "server", "detail": "it is stopping; ask another"})
    try:
        await memory.other_models()
    except RelembraError as error:
        missing.append({"what": "store", "detail": f"{type(error).__name__}: is the file there, and is there room?"})
    return missing


@router.get("/metrics", response_class=PlainTextResponse, summary="Numbers for Prometheus; needs an operator's key")
async def metrics(request: Request, memory: MemoryDep) -> Response:
    caller = await caller_of(request)
    caller.must(Right.ADMIN)
    caller.must_operate()
    state = request.app.state
    if state.counted is None or time.monotonic() - state.counted[0] > COUNT_EVERY_SECONDS:
        state.counted = (time.monotonic(), await memory.stats())  # goes through everything, so seldom
    held: Stats = state.counted[1]
    measured: Metrics = state.metrics
    return Response(measured.text(held), media_type=measured.content_type)
