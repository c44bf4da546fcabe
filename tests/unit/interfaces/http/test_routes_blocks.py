"""Who is listened to, over HTTP: for whoever administers the tenant, and nobody else's tenant."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from houses import House, a_house
from loops import each
from serving import client_of


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(is_open=True, folder=tmp_path) as made:
        yield made


@pytest.fixture
async def client(house: House) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(house) as made:
        yield made


async def said(client: httpx.AsyncClient, **parts: str) -> str | None:
    refused: str | None = (await client.post("/v1/messages", json={"said": "oi", **parts})).json()["refused"]
    return refused


async def test_a_person_is_blocked_and_listened_to_again(client: httpx.AsyncClient) -> None:
    block = (await client.post("/v1/block", json={"person": "Eve"})).json()
    assert (block["kind"], block["name"], block["by_settings"]) == ("person", "Eve", False)
    assert (await client.get("/v1/blocks")).json() == {"items": [block]}
    assert await said(client, user="eve") == "blocked"
    assert (await client.get("/v1/refusal", params={"user": "eve"})).json() == {"refused": "blocked"}
    again = [(await client.post("/v1/unblock", json={"person": "eve"})).json()["unblocked"] for _ in range(2)]
    assert again == [True, False]
    assert await said(client, user="eve") is None
    assert (await client.get("/v1/refusal", params={"user": "eve"})).json() == {"refused": None}


async def test_a_space_is_switched(client: httpx.AsyncClient) -> None:
    await said(client, user="ana", space="a/b")
    off = await client.post("/v1/switch_space", json={"space": "a/b", "on": False})
    assert off.json() == {"name": "a/b", "on": False, "by_settings": False}
    assert (await client.get("/v1/spaces")).json() == {"items": [off.json()]}
    assert await said(client, user="ana", space="a/b") == "switched_off"
    await client.post("/v1/switch_space", json={"space": "a/b", "on": True})
    assert await said(client, user="ana", space="a/b") is None


async def test_users_come_by_the_page(client: httpx.AsyncClient) -> None:
    for user in ("bia", "ana", "cléa"):
        await said(client, user=user, space="club")
    first = await client.get("/v1/users", params={"limit": 2})
    assert first.json()["items"] == ["ana", "bia"]
    assert 'rel="next"' in first.headers["Link"]
    rest = await client.get("/v1/users", params={"after": first.json()["next"]})
    assert rest.json() == {"items": ["cléa"], "next": None}


@each(
    [
        ("/v1/block", {}),
        ("/v1/block", {"person": ""}),
        ("/v1/unblock", {"person": "a\nb"}),
        ("/v1/switch_space", {"space": "x"}),
        ("/v1/switch_space", {"space": "x", "on": "yes"}),
    ]
)
async def test_what_cannot_be_meant_is_refused(path: str, body: dict[str, str], client: httpx.AsyncClient) -> None:
    assert (await client.post(path, json=body)).status_code == 422
    assert (await client.get("/v1/blocks")).json() == {"items": []}


async def test_a_tenant_sees_its_own_doors(house: House, client: httpx.AsyncClient) -> None:
    await house.memory.block("eve", tenant="elsewhere")
    await house.memory.save(user="zoe", said="oi", space="s", tenant="elsewhere")
    for path in ("/v1/blocks", "/v1/spaces", "/v1/users"):
        assert (await client.get(path)).json()["items"] == []
