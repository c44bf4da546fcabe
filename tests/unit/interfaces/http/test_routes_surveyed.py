"""Orders, counts and time over HTTP; every answer is held against the document."""

from __future__ import annotations

from typing import Any

import httpx
import pytest


@pytest.fixture
async def known(client: httpx.AsyncClient) -> None:
    drafts: list[dict[str, Any]] = [
        {"content": "É alérgica a camarão.", "area": "health"},
        {"content": "Dorme mal.", "source": "ai_inference", "type": "memory"},
        {"content": "Works nights.", "source": "conversation"},
    ]
    for draft in drafts:
        answer = await client.post("/v1/knowledge", json={"user": "ana", "by": "program:crm", **draft})
        assert answer.status_code == 201, answer.text


async def contents(client: httpx.AsyncClient, address: str) -> list[str]:
    """Of all pages, the links followed."""
    found: list[str] = []
    following: str | None = address
    while following:
        page = await client.get(following)
        assert page.status_code == 200, page.text
        found += [item["content"] for item in page.json()["items"]]
        following = page.links["next"]["url"] if "next" in page.links else None
    return found


@pytest.mark.usefixtures("known")
async def test_every_order_has_pages_of_its_own(client: httpx.AsyncClient) -> None:
    newest = await contents(client, "/v1/knowledge?user=ana&limit=1")
    assert await contents(client, "/v1/knowledge?user=ana&limit=1&order=newest") == newest
    assert await contents(client, "/v1/knowledge?user=ana&limit=1&order=oldest") == newest[::-1]
    unsure = await contents(client, "/v1/knowledge?user=ana&limit=1&order=unsure")
    assert unsure[0] == "Dorme mal."
    assert await contents(client, "/v1/knowledge?user=ana&limit=1&order=surest") == unsure[::-1]
    assert sorted(await contents(client, "/v1/knowledge?user=ana&limit=2&order=changed")) == sorted(newest)
    assert await contents(client, "/v1/knowledge?user=ana&below=0.9") == ["Dorme mal."]


@pytest.mark.usefixtures("known")
async def test_an_order_is_refused_where_it_does_not_fit(client: httpx.AsyncClient) -> None:
    word = (await client.get("/v1/knowledge?user=ana&limit=1&order=surest")).json()["next"]
    for query, field in (
        (f"after={word}", "after"),
        (f"after={word}&order=unsure", "after"),
        ("order=best", "order"),
        ("order=oldest&q=camarão", "order"),
        ("below=7", "below"),
    ):
        answer = await client.get(f"/v1/knowledge?user=ana&{query}")
        assert (answer.status_code, answer.json()["field"]) == (422, field), query


@pytest.mark.usefixtures("known")
async def test_what_is_known_is_counted(client: httpx.AsyncClient) -> None:
    told = (await client.get("/v1/count?user=ana")).json()
    assert (told["total"], told["areas"]) == (3, {"health": 1, "none": 2})
    assert told["types"] == {"fact": 2, "memory": 1}
    assert (await client.get("/v1/count?user=ana&area=health&type=fact&type=goal")).json()["total"] == 1
    assert (await client.get("/v1/count?user=bia")).json()["areas"] == {}


@pytest.mark.usefixtures("known")
async def test_what_was_decided_and_what_has_no_area_can_be_asked_for(client: httpx.AsyncClient) -> None:
    whole = {item["content"]: item for item in (await client.get("/v1/knowledge?user=ana")).json()["items"]}
    await client.post(f"/v1/knowledge/{whole['Dorme mal.']['id']}/validate", json={"user": "ana"})
    await client.delete(f"/v1/knowledge/{whole['Works nights.']['id']}?user=ana")
    right = {
        "only=confirmed": ["Dorme mal."],
        "only=unconfirmed": ["É alérgica a camarão."],
        "only=deleted": ["Works nights."],
        "only=local": [],
        "area=none": ["Dorme mal."],
        "area=none&area=health": ["Dorme mal.", "É alérgica a camarão."],
        "area=none&only=deleted": ["Works nights."],
        "note=0199f7a2-6c1e-7bb0-9d55-3f0c8a1e4b77": [],
    }
    for query, expected in right.items():
        assert sorted(await contents(client, f"/v1/knowledge?user=ana&{query}")) == sorted(expected), query
        assert (await client.get(f"/v1/count?user=ana&{query}")).json()["total"] == len(expected), query
    body = {"user": "ana", "query": "nights", "only": "deleted", "area": ["none"]}
    hits = (await client.post("/v1/search", json=body)).json()["hits"]
    assert [hit["item"]["content"] for hit in hits] == ["Works nights."]
    for query, field in (("only=best", "only"), ("area=nowhere", "area.0"), ("note=0199", "note")):
        answer = await client.get(f"/v1/knowledge?user=ana&{query}")
        assert (answer.status_code, answer.json()["field"]) == (422, field), query


@pytest.mark.usefixtures("known")
async def test_what_came_and_went_is_told_by_step(client: httpx.AsyncClient) -> None:
    told = (await client.get("/v1/over_time?user=ana")).json()
    assert (told["step"], len(told["steps"])) == ("week", 26)
    assert told["steps"][-1]["learnt"] == {"health": 1, "none": 2}
    days = (await client.get("/v1/over_time", params={"user": "ana", "step": "day"})).json()
    assert len(days["steps"]) == 25 * 7 + 1
    for query, field in (("step=year", "step"), ("since=2001-01-01T00:00:00Z", "step"), ("until=today", "until")):
        answer = await client.get(f"/v1/over_time?user=ana&{query}")
        assert (answer.status_code, answer.json()["field"]) == (422, field), query


@pytest.mark.usefixtures("known")
async def test_what_happened_is_one_line(client: httpx.AsyncClient) -> None:
    said = {"user": "ana", "said": "Amanhã tenho reunião com o contador.", "replied": "Boa sorte!"}
    await client.post("/v1/messages", json=said)
    await client.post("/v1/learn", json={"user": "ana"})
    whole = (await client.get("/v1/timeline?user=ana")).json()
    assert whole["next"] is None
    rows = whole["items"]
    assert any(one["note"] for one in rows)
    assert "Dorme mal." in [one["item"]["content"] for one in rows if one["item"]]
    assert [one["at"] for one in rows] == sorted((one["at"] for one in rows), reverse=True)
    seen = []
    address: str | None = "/v1/timeline?user=ana&limit=1"
    while address:
        page = await client.get(address)
        seen += page.json()["items"]
        address = page.links["next"]["url"] if "next" in page.links else None
    assert seen == rows
