"""Whether the server lives, whether it can work, and its numbers for Prometheus: by route, never by person."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from relembra import __version__
from relembra.domain.access import Right
from relembra.domain.jobs import JobState
from relembra.errors import RelembraError
from relembra.interfaces.http.callers import MemoryDep, caller_of
from relembra.interfaces.http.schemas import answered
from relembra.memory import Memory
from relembra.store.port import Stats

router = APIRouter(tags=["server"])

COUNT_EVERY_SECONDS = 60.0
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def known_method(method: str) -> str:
    """The method, or that it is another: a client may call it anything."""
    return method if method in METHODS else "other"


class Metrics:
    """The numbers of one running server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "relembra_requests", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "relembra_request_seconds", "How long answers took.", ("route",), buckets=SECONDS, registry=self._registry
        )
        self._jobs = Gauge("relembra_jobs", "Work in the queue.", ("state",), registry=self._registry)
        self._rows = Gauge("relembra_rows", "What is held.", ("kind",), registry=self._registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(known_method(method), route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self, held: Stats) -> bytes:
        """Everything, with what is held now."""
        for state in JobState:
            self._jobs.labels(state.value).set(held.jobs.get(state, 0))
        rows = {"message": held.messages, "note": held.notes, "conversation": held.conversations}
        for kind, count in {**rows, "item": sum(held.items.values())}.items():
            self._rows.labels(kind).set(count)
        return generate_latest(self._registry)


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
    return Response(measured.text(held), media_type=CONTENT_TYPE_PLAIN_0_0_4)
