"""Whether the server lives and can work, told to anybody; its numbers, told to operators."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from houses import House, a_house
from relembra import __version__
from relembra.interfaces.http import health


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(folder=tmp_path) as made:
        yield made


async def test_it_lives_and_can_work(house: House) -> None:
    async with house.client() as client:
        assert (await client.get("/healthz")).json() == {"status": "ok", "version": __version__}
        assert (await client.get("/readyz")).json() == {"status": "ok", "missing": []}


async def test_it_says_that_it_is_stopping(house: House) -> None:
    house.app.state.stopping.set()
    async with house.client() as client:
        answer = await client.get("/readyz")
        assert (await client.get("/healthz")).status_code == 200, "it still lives"
    assert answer.status_code == 503
    assert [part["what"] for part in answer.json()["missing"]] == ["server"]


async def test_it_says_that_the_store_is_missing(house: House) -> None:
    await house.memory.close()
    async with house.client() as client:
        answer = await client.get("/readyz")
        assert (await client.get("/healthz")).status_code == 200
    assert answer.status_code == 503
    [missing] = answer.json()["missing"]
    assert missing["what"] == "store"
    assert "m.db" not in answer.text, "where it lies is nobody's business"


async def test_numbers_are_for_operators(house: House) -> None:
    for key, status in {"read": 403, "admin": 403, "other": 403, "ana-admin": 403, "operator": 200}.items():
        async with house.client(key) as client:
            assert (await client.get("/metrics")).status_code == status, key


async def test_numbers_say_what_was_asked_and_what_is_held(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "COUNT_EVERY_SECONDS", -1.0)
    async with house.client("operator") as client:
        await client.post("/v1/knowledge", json={"user": "ana", "content": "Mora em Olinda."})
        await client.get("/v1/knowledge/unknown?user=ana")
        answer = await client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    lines = answer.text.splitlines()
    assert 'relembra_requests_total{method="POST",route="/v1/knowledge",status="201"} 1.0' in lines
    assert 'relembra_requests_total{method="GET",route="/v1/knowledge/{id}",status="404"} 1.0' in lines
    assert 'relembra_request_seconds_count{route="/v1/knowledge"} 1.0' in lines
    assert 'relembra_rows{kind="item"} 1.0' in lines


async def test_a_queue_that_is_empty_again_is_told_so(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "COUNT_EVERY_SECONDS", -1.0)
    async with house.client("operator") as client:
        await client.post("/v1/messages", json={"user": "ana", "said": "Moro em Olinda."})
        before = (await client.get("/metrics")).text
        await house.memory.forget(user="ana", all=True)
        after = (await client.get("/metrics")).text
    assert 'relembra_rows{kind="message"} 1.0' in before
    assert 'relembra_rows{kind="message"} 0.0' in after
    assert 'relembra_jobs{state="waiting"} 0.0' not in before
    assert 'relembra_jobs{state="waiting"} 0.0' in after
