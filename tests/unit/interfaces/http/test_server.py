"""What a server says of itself: whether it is well, its numbers and its page of routes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from houses import House, a_house
from loops import each
from relembra import __version__
from relembra.interfaces.http import app
from relembra.interfaces.http.app import page
from relembra.interfaces.http.callers import language_of


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(folder=tmp_path) as made:
        yield made


async def test_it_lives_and_says_whether_it_can_work(house: House) -> None:
    async with house.client() as client:
        assert (await client.get("/healthz")).json() == {"status": "ok", "version": __version__}
        assert (await client.get("/readyz")).json() == {"status": "ok", "missing": [], "lacks": []}
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
    monkeypatch.setattr(app, "COUNT_EVERY_SECONDS", -1.0)
    async with house.client("operator") as client:
        await client.post("/v1/knowledge", json={"user": "ana", "content": "Mora em Olinda."})
        await client.get("/v1/knowledge/unknown?user=ana")
        assert (await client.request("BREW", "/v1/knowledge")).status_code == 405
        before = await client.get("/metrics")
        await house.memory.forget(user="ana", all=True)
        after = (await client.get("/metrics")).text
    assert before.headers["content-type"].startswith("text/plain")
    for line in (
        'relembra_requests_total{method="POST",route="/v1/knowledge",status="201"} 1.0',
        'relembra_requests_total{method="GET",route="/v1/knowledge/{id}",status="404"} 1.0',
        'relembra_requests_total{method="other",route="/v1/knowledge",status="405"} 1.0',
        'relembra_rows{kind="item"} 1.0',
    ):
        assert line in before.text.splitlines()
    assert 'relembra_jobs{state="waiting"} 0.0' not in before.text
    assert 'relembra_rows{kind="item"} 0.0' in after
    assert 'relembra_jobs{state="waiting"} 0.0' in after


async def test_the_manual_has_every_route_and_loads_nothing_from_elsewhere(house: House) -> None:
    async with house.client() as client:
        answer = await client.get("/docs")
    for path, operations in house.app.openapi()["paths"].items():
        for method in operations:
            assert f"<b>{method.upper()}</b> <code>{path}</code>" in answer.text
    assert "É alérgica a camarão." in answer.text, "the examples of bodies are shown"
    assert not re.search(r"<script|<img|<iframe|<form|\son\w+=|\sstyle=", answer.text)
    assert all(link.startswith("/") for link in re.findall(r'(?:href|src)="([^"]*)"', answer.text))
    policy = answer.headers["content-security-policy"]
    assert (policy.startswith("default-src 'none';"), "unsafe" in policy) == (True, False)
    evil = "<script>alert(1)</script>"
    said = {"summary": evil, "description": evil, "tags": [evil], "responses": {evil: {"description": evil}}}
    assert "<script" not in page({"info": {"version": evil}, "paths": {f"/{evil}": {"get": said}}})


@each(["", "en,pt", "pt;q=x", "pt;q=nan,en", "*", ",;;,"])
def test_which_language(accepted: str) -> None:
    assert language_of(accepted) == "en"
    assert language_of("de,pt") == language_of("en;q=0.5,pt;q=0.9") == "pt"
