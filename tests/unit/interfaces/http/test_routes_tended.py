"""Learning, notes, contradictions, views, tools, nights and the queue over HTTP, held against the document."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import httpx
import pytest

from builders import a_job, an_id
from houses import House
from relembra.domain.scope import Scope
from relembra.store.port import Enqueue
from serving import client_of


async def said(client: httpx.AsyncClient, text: str, user: str = "ana", **more: Any) -> None:
    assert (await client.post("/v1/messages", json={"user": user, "said": text, **more})).status_code == 201


async def learnt(client: httpx.AsyncClient, *texts: str) -> dict[str, Any]:
    for text in texts:
        await said(client, text)
    answer: dict[str, Any] = (await client.post("/v1/learn", json={"user": "ana"})).json()
    return answer


# ── learning ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_was_said_is_learnt_and_what_would_be_is_foreseen(client: httpx.AsyncClient) -> None:
    text = {"user": "ana", "text": "Eu moro em Lisboa."}
    foreseen = (await client.post("/v1/preview", json=text)).json()["foreseen"]
    assert [one["verdict"] for one in foreseen] == ["add"]
    assert (await client.get("/v1/knowledge?user=ana")).json()["items"] == []
    added = (await learnt(client, "Eu moro em Lisboa."))["added"]
    assert [item["attribute"] for item in added] == ["residence"]
    assert (await client.get("/v1/usage?user=ana&since=2026-01-01")).json() == {"items": []}
    assert (await client.get("/v1/usage?user=ana&since=2026-01-01T00:00:00Z")).status_code == 422


async def test_notes_of_what_happened_are_listed_read_and_packed(client: httpx.AsyncClient) -> None:
    await learnt(client, "Eu moro em Lisboa.", "Hoje fui ao mercado da Ribeira com a Kate.")
    notes = (await client.get("/v1/notes?user=ana")).json()["items"]
    assert notes
    there = f"/v1/notes/{notes[0]['id']}"
    assert (await client.get(there, params={"user": "ana"})).json() == notes[0]
    packed = await client.get(f"{there}/files?user=ana")
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        [name] = archive.namelist()
        text = archive.read(name)
    plain = await client.get(f"{there}/files?user=ana&format=markdown&language=pt")
    assert plain.headers["content-type"].startswith("text/markdown")
    assert plain.content.splitlines()[0] == text.splitlines()[0] == b"---"
    assert name in plain.headers["content-disposition"]
    assert (await client.get(f"/v1/notes/{an_id()}/files?user=ana")).status_code == 404


async def test_reports_are_written_on_demand(client: httpx.AsyncClient) -> None:
    await learnt(client, "Eu moro em Lisboa.", "Tenho dor de cabeça desde ontem.")
    long_ago = {"user": "ana", "kind": "monthly", "day": "2001-01-01"}
    assert (await client.post("/v1/report", json=long_ago)).json() == {"note": None}
    assert (await client.post("/v1/report", json={"user": "ana", "kind": "topic_cluster"})).status_code == 422
    assert (await client.post("/v1/report", json={"user": "ana", "day": "ontem"})).status_code == 422
    wanted = {"user": "ana", "profession": "médico", "language": "pt", "at": "2026-12-01T10:00:00-03:00"}
    prepared = await client.post("/v1/appointment", json=wanted)
    assert (prepared.status_code, prepared.json()["kind"]) == (201, "appointment")


# ── contradictions ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_case_is_opened_settled_and_reopened(client: httpx.AsyncClient) -> None:
    for content in ("Mora em Lisboa.", "Mora no Porto."):
        await client.post(
            "/v1/knowledge",
            json={"user": "ana", "content": content, "attribute": "residence", "value": content[8:-1].strip()},
        )
    cases = (await client.get("/v1/conflicts?user=ana")).json()["items"]
    if not cases:  # a value by hand ends the older without asking
        await learnt(client, "Na verdade eu moro em Faro.")
        cases = (await client.get("/v1/conflicts?user=ana")).json()["items"]
    assert cases
    there = f"/v1/conflicts/{cases[0]['id']}"
    assert (await client.get(there, params={"user": "ana"})).json()["old"]["content"]
    settled = (await client.post(f"{there}/resolve", json={"user": "ana", "keep": "both"})).json()
    assert settled["outcome"] == "both"
    assert (await client.get("/v1/conflicts?user=ana&open_only=true")).json()["items"] == []
    reopened = (await client.post(f"{there}/reopen", json={})).json()
    assert reopened["outcome"] in ("open", "undone")
    assert (await client.post(f"{there}/resolve", json={"user": "ana", "keep": "mine"})).status_code == 422
    assert (await client.post(f"{there}/resolve", json={"user": "bia", "keep": "new"})).status_code == 404


# ── views and tools ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_is_known_is_put_together(client: httpx.AsyncClient) -> None:
    await learnt(client, "Eu moro em Lisboa.", "Minha irmã Kate mora em Oslo.")
    taste = {"user": "ana", "content": "Adora café", "attribute": "likes", "value": "café"}
    assert (await client.post("/v1/knowledge", json=taste)).status_code == 201
    ana = {"user": "ana", "language": "pt"}
    profile = (await client.get("/v1/profile", params=ana)).json()
    assert "Lisboa" in profile["text"]
    assert profile["bio"]
    assert (await client.get("/v1/me", params=ana)).json()["text"].startswith("## ")
    assert [one["name"] for one in (await client.get("/v1/people?user=ana")).json()["people"]] == ["Kate"]
    assert (await client.get("/v1/cognitive?user=ana")).json()["traits"]
    short = (await client.get("/v1/minified?user=ana&limit=1")).json()["items"]
    assert [set(one) for one in short] == [{"i", "t", "c", "w", "d"}]
    assert (await client.get("/v1/insights?user=ana")).json() == {"items": []}


async def test_tools_are_described_and_called(client: httpx.AsyncClient) -> None:
    theirs = (await client.get("/v1/tools?format=anthropic&language=pt")).json()["tools"]
    assert {tool["name"] for tool in theirs} == {"search_knowledge", "add_knowledge", "analyze_context"}
    kept = {"user": "ana", "arguments": {"type": "fact", "content": "É alérgica a camarão."}}
    assert "kept" in (await client.post("/v1/tools/add_knowledge", json=kept)).json()
    asked = {"user": "ana", "arguments": '{"query": "camarão"}'}
    assert (await client.post("/v1/tools/search_knowledge", json=asked)).json()["count"] == 1
    wrong = await client.post("/v1/tools/search_knowledge", json={"user": "ana", "arguments": {"q": 1}})
    assert wrong.status_code == 422
    assert (await client.post("/v1/tools/burn", json={"user": "ana"})).json()["field"] == "tool"


async def test_only_the_tool_that_writes_needs_the_right_to_write(house: House) -> None:
    async with client_of(house, "read") as reader:
        asked = {"user": "ana", "arguments": {"query": "camarão"}}
        assert (await reader.post("/v1/tools/search_knowledge", json=asked)).status_code == 200
        kept = {"user": "ana", "arguments": {"type": "fact", "content": "É alérgica a camarão."}}
        assert (await reader.post("/v1/tools/add_knowledge", json=kept)).status_code == 403
    assert await house.memory.list(user="ana") == []


async def test_commands_are_answered_and_other_text_is_none(client: httpx.AsyncClient) -> None:
    told = (await client.post("/v1/command", json={"user": "ana", "text": "/lembrar adoro café"})).json()
    assert (told["name"], told["done"]) != (None, False)
    none = (await client.post("/v1/command", json={"user": "ana", "text": "bom dia"})).json()
    assert none == {"name": None, "text": None, "done": False, "items": []}


# ── nights ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_night_work_is_done_now_recorded_and_taken_back(client: httpx.AsyncClient) -> None:
    await said(client, "Eu moro em Lisboa.")
    run = (await client.post("/v1/consolidate", json={"user": "ana"})).json()["run"]
    assert run["status"] == "completed"
    assert "raw" not in run
    runs = (await client.get("/v1/consolidations?user=ana")).json()["items"]
    assert [one["id"] for one in runs] == [run["id"]]
    there = f"/v1/consolidations/{run['id']}"
    detail = (await client.get(there, params={"user": "ana", "raw": True})).json()
    assert detail["entries"]
    assert "raw" in detail
    back = (await client.post(f"{there}/rollback", json={"user": "ana"})).json()
    assert back["run"]["status"] == "rolled_back"
    assert (await client.post("/v1/consolidate", json={"user": "bia"})).json() == {"run": None}
    both = await client.get(there, params={"user": "ana", "space": "casa"})
    assert both.status_code == 422


async def test_the_gardener_says_what_it_would_do_and_does_it(client: httpx.AsyncClient) -> None:
    await learnt(client, "Eu moro em Lisboa.")
    assert (await client.get("/v1/garden?user=ana")).json() == {"deeds": []}
    assert (await client.post("/v1/garden", json={"user": "ana"})).json()["run"]["kind"] == "gardening"
    assert (await client.post("/v1/insights", json={"user": "ana"})).json()["run"]["kind"] == "insight"
    kinds = {"user": "ana", "kind": ["gardening", "insight"]}
    assert len((await client.get("/v1/consolidations", params=kinds)).json()["items"]) == 2
    assert (await client.post("/v1/garden", json={"user": "nobody"})).status_code == 404


async def test_records_of_everybody_are_the_tenant_s_and_for_administrators(house: House) -> None:
    for tenant in ("default", "other"):
        await house.memory.save(user="ana", said="Eu moro em Lisboa.", tenant=tenant)
        await house.memory.consolidate(user="ana", tenant=tenant)
    for key, tenant in (("admin", "default"), ("other", "other"), ("operator", "default")):
        async with client_of(house, key) as client:
            page = (await client.get("/v1/consolidations")).json()
            assert [run["tenant"] for run in page["items"]] == [tenant]
    async with client_of(house, "read") as client:
        assert (await client.get("/v1/consolidations")).status_code == 403
        assert len((await client.get("/v1/consolidations?user=ana")).json()["items"]) == 1


# ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def queued(house: House, *, user: str = "ana", tenant: str = "default") -> str:
    job = a_job(scope=Scope(tenant, user), id=an_id(), kind="unheard of")
    await house.memory._store.apply(job.scope, [Enqueue(job)])
    return str(job.id)


async def test_jobs_are_seen_tried_and_taken_out(house: House, client: httpx.AsyncClient) -> None:
    job = await queued(house)
    assert [one["id"] for one in (await client.get("/v1/jobs?user=ana")).json()["items"]] == [job]
    assert (await client.get("/v1/jobs?limit=1&state=waiting&kind=unheard%20of")).json()["items"][0]["id"] == job
    assert (await client.get(f"/v1/jobs/{job}")).json()["kind"] == "unheard of"
    assert (await client.post(f"/v1/jobs/{job}/retry")).json()["id"] == job
    assert (await client.post(f"/v1/jobs/{job}/run")).json()["done"] is False
    assert (await client.delete(f"/v1/jobs/{job}")).json()["id"] == job
    assert (await client.get(f"/v1/jobs/{job}")).status_code == 404
    assert (await client.get("/v1/jobs?state=lost")).status_code == 422


@pytest.mark.parametrize("key", ["other", "ana-admin"])
async def test_nobody_sees_or_touches_the_work_of_others(house: House, key: str) -> None:
    job = await queued(house, user="bia")
    async with client_of(house, key) as client:
        assert (await client.get("/v1/jobs")).json()["items"] == []
        assert (await client.get("/v1/failed_jobs")).json()["items"] == []
        for method, path in (("GET", ""), ("POST", "/retry"), ("POST", "/run"), ("DELETE", "")):
            for id in (job, job[:8]):
                answer = await client.request(method, f"/v1/jobs/{id}{path}")
                assert answer.status_code == 404
    assert (await house.memory.job(job)).id == job


# ── spaces ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_key_of_one_person_opens_no_space(house: House) -> None:
    await house.memory.save(user="bia", said="Nosso segredo é o baú.", space="casa")
    await house.memory.settle(flush=True)
    async with client_of(house, "ana-admin") as client:
        for path in ("/v1/notes", "/v1/messages", "/v1/profile", "/v1/consolidations", "/v1/knowledge"):
            assert (await client.get(path, params={"space": "casa"})).status_code == 403
        for path, body in (("/v1/context", {"query": "segredo"}), ("/v1/learn", {}), ("/v1/recall", {"query": "x"})):
            assert (await client.post(path, json=body | {"space": "casa"})).status_code == 403
    async with client_of(house, "read") as client:
        assert (await client.get("/v1/notes?user=bia&space=casa")).json()["items"]


async def test_a_key_of_one_person_speaks_as_no_other(house: House) -> None:
    async with client_of(house, "ana-write") as client:
        claim = {"content": "Ana prefere chá.", "by": "person:bia"}
        assert (await client.post("/v1/knowledge", json=claim)).status_code == 403
        for by in ("person:ana", "program:crm", None):
            assert (await client.post("/v1/knowledge", json=claim | {"by": by})).status_code == 201
        assert (await client.post("/v1/forget", json={"all": True})).status_code == 200
