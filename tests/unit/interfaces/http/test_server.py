"""What a server says of itself: whether it is well, its numbers, its manual and its traces; and which connection gives
way where there are too many."""

from __future__ import annotations

import ast
import base64
import hashlib
import inspect
import re
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from houses import House, a_house
from loops import each
from relembra import __version__
from relembra.errors import MissingExtraError, SettingsError
from relembra.interfaces.http import guards, health
from relembra.interfaces.http.guards import Tracing, address_of, provider_of, sending
from relembra.interfaces.http.manual import language_of, page
from relembra.interfaces.http.server import Held, Patience, _whose
from relembra.locale import ids


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(folder=tmp_path) as made:
        yield made


# ── health and numbers ────────────────────────────────────────────────────────────────────────────────────────────


async def test_it_lives_and_says_whether_it_can_work(house: House) -> None:
    async with house.client() as client:
        assert (await client.get("/healthz")).json() == {"status": "ok", "version": __version__}
        assert (await client.get("/readyz")).json() == {"status": "ok", "missing": []}
        house.app.state.stopping.set()
        await house.memory.close()
        answer = await client.get("/readyz")
        assert (await client.get("/healthz")).status_code == 200, "it still lives"
    assert answer.status_code == 503
    assert [part["what"] for part in answer.json()["missing"]] == ["server", "store"]
    assert "m.db" not in answer.text, "where it lies is nobody's business"


async def test_numbers_are_for_operators_and_say_what_was_asked_and_is_held(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("read", "admin", "other", "ana-admin"):
        async with house.client(key) as client:
            assert (await client.get("/metrics")).status_code == 403, key
    monkeypatch.setattr(health, "COUNT_EVERY_SECONDS", -1.0)
    async with house.client("operator") as client:
        await client.post("/v1/knowledge", json={"user": "ana", "content": "Mora em Olinda."})
        await client.get("/v1/knowledge/unknown?user=ana")
        before = await client.get("/metrics")
        await house.memory.forget(user="ana", all=True)
        after = (await client.get("/metrics")).text
    assert before.headers["content-type"].startswith("text/plain")
    for line in (
        'relembra_requests_total{method="POST",route="/v1/knowledge",status="201"} 1.0',
        'relembra_requests_total{method="GET",route="/v1/knowledge/{id}",status="404"} 1.0',
        'relembra_request_seconds_count{route="/v1/knowledge"} 1.0',
        'relembra_rows{kind="item"} 1.0',
    ):
        assert line in before.text.splitlines()
    assert 'relembra_jobs{state="waiting"} 0.0' not in before.text
    assert 'relembra_rows{kind="item"} 0.0' in after
    assert 'relembra_jobs{state="waiting"} 0.0' in after


# ── the manual ────────────────────────────────────────────────────────────────────────────────────────────────────


class Reading(HTMLParser):
    """What a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.named: dict[str, list[str]] = {"href": [], "src": [], "id": []}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open += [tag] if tag != "meta" else []
        for name, value in attrs:
            assert not name.startswith("on")
            assert name != "style"
            self.named.setdefault(name, []).append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


async def test_the_manual_has_every_route_and_loads_nothing_from_elsewhere(house: House) -> None:
    async with house.client() as client:
        answer = await client.get("/docs", headers={"Accept-Language": "de"})
        portuguese = await client.get("/docs", headers={"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.8"})
    paths = house.app.openapi()["paths"]
    for path, operations in paths.items():
        for method in operations:
            assert f"<b>{method.upper()}</b><code>{path}</code>" in answer.text
    assert "É alérgica a camarão." in answer.text, "the examples of bodies are shown"
    reading = Reading()
    reading.feed(answer.text)
    assert reading.open == []
    assert {"script", "img", "link", "iframe", "form"}.isdisjoint(reading.tags)
    assert all(link.startswith(("#", "/")) for link in reading.named["href"])
    assert {link[1:] for link in reading.named["href"] if link.startswith("#")} <= set(reading.named["id"])
    [style] = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    policy = answer.headers["content-security-policy"]
    assert f"style-src 'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'" in policy
    assert (policy.startswith("default-src 'none';"), "unsafe" in policy) == (True, False)
    assert '<html lang="en">' in answer.text
    assert '<html lang="pt">' in portuguese.text
    assert "Parâmetros" in portuguese.text
    assert portuguese.headers["vary"] == answer.headers["vary"] == "Accept-Language"
    tags = {tag for path in paths.values() for one in path.values() for tag in one.get("tags", ())}
    assert tags == {id.removeprefix("group.") for id in ids("http") if id.startswith("group.")}
    evil = "<script>alert(1)</script>"
    said = {"summary": evil, "description": evil, "tags": [evil], "responses": {evil: {"description": evil}}}
    assert "<script" not in page({"info": {"version": evil}, "paths": {f"/{evil}": {"get": said}}}, "pt")


@each(["", "en,pt", "pt;q=x", "pt;q=nan,en", "*", ",;;,"])
def test_which_language(accepted: str) -> None:
    assert language_of(accepted) == "en"
    assert language_of("de,pt") == language_of("en;q=0.5,pt;q=0.9") == "pt"


# ── traces ────────────────────────────────────────────────────────────────────────────────────────────────────────

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def test_a_span_says_route_method_and_status_and_nothing_of_anybody() -> None:
    exporter = InMemorySpanExporter()
    provider = provider_of("http://127.0.0.1:4318", exporter)
    async with a_house(traces="http://127.0.0.1:9") as house:  # it ends though nobody takes these spans
        house.app.add_middleware(Tracing, provider=provider)
        async with sending(provider), house.client("ana-write", traceparent=PARENT, tracestate="a=moqueca") as client:
            await client.get("/v1/knowledge", params={"user": "ana", "subject": "moqueca"})
            await client.get("/v1/knowledge/01900000-0000-7000-8000-000000000001")
            await client.post("/v1/knowledge", json={"content": "gosta de moqueca"})
            await client.request("BREW", "/v1/moqueca")
            provider.force_flush()
            spans = exporter.get_finished_spans()
        secrets = list(house.secrets.values())
    names = ["GET /v1/knowledge", "GET /v1/knowledge/{id}", "POST /v1/knowledge", "other unknown"]
    assert [span.name for span in spans] == names
    assert [dict(span.attributes or {})["http.response.status_code"] for span in spans] == [200, 404, 201, 404]
    assert {format(span.context.trace_id, "032x") for span in spans} == {PARENT.split("-")[1]}
    shown = "".join(span.to_json() for span in spans)
    assert not any(word in shown for word in ("moqueca", "ana", "0190", *secrets))


def test_where_spans_go(monkeypatch: pytest.MonkeyPatch) -> None:
    assert address_of("http://127.0.0.1:4318") == "http://127.0.0.1:4318/v1/traces"
    assert address_of("https://c.example/") == "https://c.example/v1/traces"
    assert address_of("https://c.example/in") == "https://c.example/in"
    for url in ("yes", "file:///etc/passwd", "http://"):
        with pytest.raises(SettingsError, match="traces"):
            address_of(url)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(MissingExtraError, match="telemetry"):
        provider_of("http://127.0.0.1:4318")


def test_nothing_of_it_is_loaded_where_it_is_not() -> None:
    imports = [
        node for node in ast.parse(inspect.getsource(guards)).body if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert not [node for node in imports if "opentelemetry" in ast.unparse(node)]


# ── connections ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(eq=False)
class Connection:
    """One that only says whether it was let go."""

    patience: Patience = field(default_factory=lambda: Patience(most_of_one=2, most_connections=4))
    is_being_read: bool = False
    gone: bool = False

    def let_go(self) -> None:
        self.gone = True


def held(*whose: str) -> tuple[Held, list[Any]]:
    """A server with a connection of each."""
    server, several = Held(), [Connection() for _ in whose]
    assert all(server.take(one, name) for one, name in zip(several, whose, strict=True))  # type: ignore[arg-type]
    return server, several


def test_the_one_idle_for_longest_gives_way_of_one_address_or_where_all_are_taken_of_any() -> None:
    server, (other, first, second) = held("b", "a", "a")
    server.mark(first, idle=False)
    server.mark(first, idle=True)
    new: Any = Connection()
    assert server.take(new, "a")
    assert [one.gone for one in (other, first, second, new)] == [False, False, True, False]
    assert server.counted == {"a": 2, "b": 1}
    for one in (other, first, new, new):
        server.drop(one)
    server.mark(first, idle=True)  # one that is gone comes back by no answer
    assert (server.all, server.idle, server.counted) == ({}, {}, {})
    server, (first, *rest) = held("a", "b", "c")
    assert server.take(new, "d")
    assert [one.gone for one in (first, *rest, new)] == [True, False, False, False]


@each(["asked", "read"])
def test_none_that_somebody_asks_or_reads_on_gives_way(busy: str) -> None:
    server, both = held("a", "a")
    for one in both:
        if busy == "asked":
            server.mark(one, idle=False)
        one.is_being_read = busy == "read"
    new: Any = Connection()
    assert not server.take(new, "a")
    assert server.take(new, "b")
    assert not any(one.gone for one in both)


def test_a_network_of_ipv6_is_one_address() -> None:
    assert _whose(("2001:db8::1", 1)) == _whose(("2001:db8::ffff:1", 2)) != _whose(("2001:db8:0:1::1", 1))
    assert _whose(("fe80::1%eth0", 1)) == _whose(("fe80::2%eth0", 1))
    assert (_whose(("10.0.0.9", 1)), _whose(None)) == ("10.0.0.9", "")
