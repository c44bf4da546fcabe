"""Spans for OpenTelemetry, one a request: which route, which method, how it ended; never what was said, nor by whom."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from relembra.errors import MissingExtraError, SettingsError
from relembra.interfaces.http.metrics import known_method
from relembra.interfaces.http.problems import route_of

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

TRACES = "/v1/traces"
SEND_SECONDS = 5
STOP_SECONDS = 2.0


def provider_of(url: str, exporter: SpanExporter | None = None) -> TracerProvider:
    """What makes spans and sends them to a collector; apart from any other of this process."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise MissingExtraError("traces", "telemetry") from error
    provider = TracerProvider(resource=Resource({"service.name": "relembra"}), shutdown_on_exit=False)
    sending = exporter or OTLPSpanExporter(endpoint=address_of(url), timeout=SEND_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(sending))
    return provider


def address_of(url: str) -> str:
    """Where a collector takes spans: the address itself, or the usual place on the server it names."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingsError(f"traces = {url!r} is no address; use one like http://127.0.0.1:4318")
    return url if parts.path.strip("/") else url.rstrip("/") + TRACES


@asynccontextmanager
async def sending(provider: TracerProvider) -> AsyncIterator[None]:
    """Send what is left at the end, unless the collector keeps us waiting."""
    try:
        yield
    finally:
        ending = threading.Thread(target=provider.shutdown, daemon=True)
        ending.start()
        await asyncio.to_thread(ending.join, STOP_SECONDS)


class Tracing:
    """A span around every request, a part of its caller's where it says which."""

    def __init__(self, app: ASGIApp, *, provider: TracerProvider) -> None:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._app = app
        self._tracer = provider.get_tracer("relembra")
        self._propagator = TraceContextTextMapPropagator()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from opentelemetry.trace import SpanKind, Status, StatusCode

        came = {"traceparent": Headers(scope=scope).get("traceparent", "")}
        method = known_method(scope["method"])
        span = self._tracer.start_span(method, context=self._propagator.extract(came), kind=SpanKind.SERVER)
        status = 500

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            route = route_of(scope)
            span.update_name(f"{method} {route}")
            span.set_attributes(
                {"http.request.method": method, "http.route": route, "http.response.status_code": status}
            )
            if status >= 500:
                span.set_status(Status(StatusCode.ERROR))
            span.end()
