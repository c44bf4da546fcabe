"""Traces: a span a request, with nothing in it of anybody; and nothing loaded where none are asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from houses import a_house
from loops import each
from relembra.errors import MissingExtraError, SettingsError
from relembra.interfaces.http.guards import Tracing, address_of, provider_of, sending

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def test_a_span_says_route_method_and_status_and_nothing_of_anybody() -> None:
    exporter = InMemorySpanExporter()
    provider = provider_of("http://127.0.0.1:4318", exporter)
    async with a_house() as house:
        house.app.add_middleware(Tracing, provider=provider)
        async with sending(provider), house.client("ana-write", traceparent=PARENT, tracestate="a=moqueca") as client:
            await client.get("/v1/knowledge", params={"user": "ana", "subject": "moqueca"})
            await client.get("/v1/knowledge/01900000-0000-7000-8000-000000000001")
            await client.post("/v1/knowledge", json={"content": "gosta de moqueca"})
            await client.request("BREW", "/v1/moqueca")
            provider.force_flush()
            spans = exporter.get_finished_spans()
        secrets = list(house.secrets.values())
    assert [span.name for span in spans] == [
        "GET /v1/knowledge",
        "GET /v1/knowledge/{id}",
        "POST /v1/knowledge",
        "other unknown",
    ]
    assert [dict(span.attributes or {})["http.response.status_code"] for span in spans] == [200, 404, 201, 404]
    assert {format(span.context.trace_id, "032x") for span in spans} == {PARENT.split("-")[1]}
    shown = "".join(span.to_json() for span in spans)
    assert not any(word in shown for word in ("moqueca", "ana", "0190", *secrets))


@each(
    [
        ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
        ("https://c.example/", "https://c.example/v1/traces"),
        ("https://c.example/in", "https://c.example/in"),
    ]
)
def test_where_spans_go(url: str, address: str) -> None:
    assert address_of(url) == address


@each(["yes", "file:///etc/passwd", "http://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="traces"):
        address_of(url)


def test_without_its_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(MissingExtraError, match="telemetry"):
        provider_of("http://127.0.0.1:4318")


async def test_a_server_is_traced_where_it_is_set_and_ends_though_nobody_takes_the_spans() -> None:
    async with a_house(traces="http://127.0.0.1:9") as house, house.client("read") as client:
        assert (await client.get("/v1/tools")).status_code == 200


def test_nothing_of_it_is_loaded_where_it_is_not() -> None:
    program = (
        "import sys\n"
        "from relembra.interfaces.http.app import create_app\n"
        "from relembra.settings import Settings\n"
        "create_app(None, Settings(), is_open=False)\n"
        "print([name for name in sys.modules if name.startswith(('opentelemetry.sdk', 'opentelemetry.exporter'))])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
