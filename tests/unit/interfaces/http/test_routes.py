"""The verbs over HTTP; every answer is held against the document."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from builders import a_job, an_id
from gardens import merged_into
from houses import House
from loops import each
from relembra.domain.scope import Scope
from relembra.store.port import Enqueue
from serving import client_of

LISBON = "Eu moro em Lisboa desde março."


async def posted(client: httpx.AsyncClient, path: str, user: str | None = "ana", **body: Any) -> Any:
    sent = body if user is None else {"user": user, **body}
    answer = await client.post(f"/v1/{path}", json=sent)
    assert answer.is_success, answer.text
    return answer.json()


async def got(client: httpx.AsyncClient, path: str, user: str | None = "ana", **query: Any) -> Any:
    answer = await client.get(f"/v1/{path}", params=query if user is None else {"user": user, **query})
    assert answer.is_success, answer.text
    return answer.json()


async def test_a_moment_keeps_its_own_clock_and_one_that_could_be_another_is_refused(client: httpx.AsyncClient) -> None:
    [message] = (await posted(client, "messages", said=LISBON, at="2026-03-01T10:00:00-03:00"))["messages"]
    assert (message["sent_at"], message["zone"]) == ("2026-03-01T13:00:00Z", "-03:00")
    for at in ("2026-03-01T10:00:00", "2026-03-01", "gestern", 1_772_000_000, True, "2999-01-01T00:00:00+00:00"):
        answer = await client.post("/v1/messages", json={"user": "ana", "said": LISBON, "at": at})
        assert (answer.status_code, answer.json()["field"]) == (422, "at"), at
    assert len((await got(client, "messages"))["items"]) == 1


async def test_a_conversation_is_started_renamed_hidden_and_brought_back(client: httpx.AsyncClient) -> None:
    started = await client.post("/v1/conversations", json={"user": "ana", "id": "viagem", "title": "Viagem"})
    assert started.status_code == 201
    assert (await client.post("/v1/conversations", json={"user": "ana", "id": "viagem"})).status_code == 409
    renamed = await client.patch("/v1/conversations/viagem", json={"user": "ana", "title": "Férias"})
    assert renamed.json()["title"] == "Férias"
    assert (await client.delete("/v1/conversations/viagem?user=ana")).json()["deleted_at"] is not None
    assert (await got(client, "conversations"))["items"] == []
    assert [entry["verb"] for entry in (await posted(client, "undo", id="viagem"))["undone"]] == ["delete"]
    assert [one["id"] for one in (await got(client, "conversations"))["items"]] == ["viagem"]
    await posted(client, "messages", said="Oi, pessoal.", space="casa")
    for address in ("/v1/conversations/casa%2Fgeneral", "/v1/conversations/casa/general"):
        assert (await client.patch(address, json={"user": "ana", "title": address})).json()["title"] == address


async def test_an_item_is_added_read_confirmed_corrected_hidden_and_restored(client: httpx.AsyncClient) -> None:
    item = await posted(client, "knowledge", content="Prefere café sem açúcar.", type="preference", confidence=0.7)
    there = f"knowledge/{item['id']}"
    assert await got(client, there) == await got(client, "knowledge/find", fragment=item["id"][-6:]) == item
    assert (await posted(client, f"{there}/validate"))["validated"] is True
    right = await posted(client, f"{there}/correct", content="Prefere chá.")
    there = f"knowledge/{right['id']}"
    assert [one["id"] for one in (await got(client, f"{there}/history"))["predecessors"]] == [item["id"]]
    deleted = await client.delete(f"/v1/{there}", params={"user": "ana", "why": "mudou"})
    assert deleted.json()["deleted_at"] is not None
    assert (await got(client, "knowledge"))["items"] == []
    assert (await posted(client, f"{there}/restore"))["deleted_at"] is None
    assert (await posted(client, f"{there}/archive"))["archived_at"] is not None
    assert (await posted(client, f"{there}/recover"))["archived_at"] is None
    assert (await posted(client, f"{there}/keep_local"))["local_only"] is True
    elsewhere: Any = {"query": "chá", "outside": True}
    assert (await client.get(f"/v1/{there}", params={"user": "ana", "outside": True})).status_code == 404
    assert (await got(client, "knowledge", outside=True))["items"] == []
    assert (await posted(client, "search", **elsewhere)) == {"hits": []}
    assert "chá" not in (await posted(client, "context", budget=500, **elsewhere))["text"]
    assert (await posted(client, "undo", id=right["id"]))["undone"]
    assert (await got(client, there))["local_only"] is False


async def test_many_are_added_listed_in_order_counted_and_searched(client: httpx.AsyncClient) -> None:
    drafts: list[dict[str, Any]] = [
        {"content": "É alérgica a camarão.", "area": "health", "type": "fact"},
        {"content": "Dorme mal.", "source": "ai_inference", "type": "memory"},
        {"content": "Works nights.", "source": "conversation", "type": "fact"},
    ]
    many = await posted(client, "knowledge/many", drafts=drafts, by="program:crm")
    assert [item["content"] for item in many["items"]] == [draft["content"] for draft in drafts]
    assert (await client.post("/v1/knowledge/many", json={"user": "ana", "drafts": []})).status_code == 422

    async def contents(query: str) -> list[str]:
        """Of all pages, the links followed."""
        found, address = list[str](), f"/v1/knowledge?user=ana&{query}"
        while address:
            page = await client.get(address)
            found += [item["content"] for item in page.json()["items"]]
            address = page.links["next"]["url"] if "next" in page.links else ""
        return found

    newest = await contents("limit=1")
    assert await contents("limit=1&order=oldest") == newest[::-1]
    assert (await contents("limit=1&order=unsure"))[0] == "Dorme mal."
    assert await contents("below=0.9") == ["Dorme mal."]
    told = await got(client, "count")
    assert (told["total"], told["areas"], told["types"]) == (3, {"health": 1, "none": 2}, {"fact": 2, "memory": 1})
    whole = {item["content"]: item["id"] for item in many["items"]}
    await posted(client, f"knowledge/{whole['Dorme mal.']}/validate")
    await client.delete(f"/v1/knowledge/{whole['Works nights.']}?user=ana")
    right = {
        "only=confirmed": ["Dorme mal."],
        "only=deleted": ["Works nights."],
        "area=none": ["Dorme mal."],
        "area=none&area=health": ["Dorme mal.", "É alérgica a camarão."],
        "note=0199f7a2-6c1e-7bb0-9d55-3f0c8a1e4b77": [],
    }
    for query, expected in right.items():
        assert sorted(await contents(query)) == sorted(expected), query
    word = (await client.get("/v1/knowledge?user=ana&limit=1&order=surest")).json()["next"]
    for query, field in (
        (f"after={word}", "after"),
        ("order=best", "order"),
        ("below=7", "below"),
        ("only=best", "only"),
        ("area=nowhere", "area.0"),
        ("note=0199", "note"),
        ("typ=fact", "typ"),
    ):
        answer = await client.get(f"/v1/knowledge?user=ana&{query}")
        assert (answer.status_code, answer.json()["field"]) == (422, field), query


async def test_the_second_of_two_editors_is_told_and_overwrites_nothing(client: httpx.AsyncClient) -> None:
    item = await posted(client, "knowledge", content="Mora em Lisboa.", by="program:crm", confidence=0.6)
    there = f"/v1/knowledge/{item['id']}"
    ana = {"user": "ana"}
    changes = ["validate", "archive", "restore", "recover", "keep_local", "correct", "delete"]
    for tag in ('"77"', '"nonsense"', "", '"1", "2"', '"' + "9" * 40 + '"'):
        for change in changes if tag == '"77"' else ["validate"]:
            if change == "delete":
                answer = await client.delete(there, params=ana, headers={"If-Match": tag})
            else:
                body = ana | ({"content": "Mora no Porto."} if change == "correct" else {})
                answer = await client.post(f"{there}/{change}", json=body, headers={"If-Match": tag})
            assert answer.status_code == 412, (change, tag)
            assert "read it and decide again" in answer.json()["detail"]
    read = await client.get(there, params=ana)
    assert read.json() == item
    read_tag = read.headers["etag"]
    first = await client.post(f"{there}/validate", json=ana, headers={"If-Match": read_tag})
    assert (first.status_code, first.headers["etag"] != read_tag) == (200, True)
    assert (await client.post(f"{there}/validate", json=ana, headers={"If-Match": read_tag})).status_code == 412


async def test_a_change_of_an_item_that_was_merged_is_made_to_what_it_was_merged_into(
    house: House, client: httpx.AsyncClient
) -> None:
    kept = await posted(client, "knowledge", content="Knows a song.", by="program:app")
    shown = await posted(client, "knowledge", content="Knows that song.", by="program:app")
    await merged_into(house.memory._store, kept["id"], shown["id"], clock=house.clock)
    there = f"/v1/knowledge/{shown['id']}/validate"
    answer = await client.post(there, json={"user": "ana"}, headers={"If-Match": '"1"'})
    assert (answer.json()["id"], answer.json()["validated"]) == (kept["id"], True)
    assert (await posted(client, "forget", item=shown["id"]))["forgotten"]["items"] == 2


async def test_a_case_is_opened_settled_and_reopened(client: httpx.AsyncClient) -> None:
    for value in ("1990-05-01", "1990-05-02"):
        await posted(client, "knowledge", content=f"Nasceu em {value}", attribute="birthday", value=value)
    [case] = (await got(client, "conflicts", open_only=True))["items"]
    there = f"conflicts/{case['id']}"
    assert (await got(client, there))["old"]["content"]
    assert (await posted(client, f"{there}/resolve", keep="both"))["outcome"] == "both"
    assert (await got(client, "conflicts", open_only=True))["items"] == []
    assert (await posted(client, f"{there}/reopen", user=None))["outcome"] in ("open", "undone")
    assert (await client.post(f"/v1/{there}/resolve", json={"user": "ana", "keep": "mine"})).status_code == 422
    assert (await client.post(f"/v1/{there}/resolve", json={"user": "bia", "keep": "new"})).status_code == 404


async def test_tools_and_commands_are_answered_and_only_the_tool_that_writes_needs_the_right_to(house: House) -> None:
    kept = {"user": "ana", "arguments": {"type": "fact", "content": "É alérgica a camarão."}}
    asked = {"user": "ana", "arguments": '{"query": "camarão"}'}
    async with client_of(house, "read") as reader:
        assert (await reader.post("/v1/tools/add_knowledge", json=kept)).status_code == 403
        assert (await reader.post("/v1/tools/search_knowledge", json=asked)).json()["count"] == 0
        theirs = (await got(reader, "tools", user=None, format="anthropic", language="pt"))["tools"]
        assert {tool["name"] for tool in theirs} == {"search_knowledge", "add_knowledge", "analyze_context"}
    async with client_of(house, "write") as writer:
        assert "kept" in (await writer.post("/v1/tools/add_knowledge", json=kept)).json()
        assert (await writer.post("/v1/tools/search_knowledge", json=asked)).json()["count"] == 1
        wrong = await writer.post("/v1/tools/search_knowledge", json={"user": "ana", "arguments": {"q": 1}})
        assert wrong.status_code == 422
        assert (await writer.post("/v1/tools/burn", json={"user": "ana"})).json()["field"] == "tool"
        assert (await posted(writer, "command", text="/lembrar adoro café"))["done"] is True
        none: Any = {"name": None, "text": None, "done": False, "items": []}
        assert await posted(writer, "command", text="bom dia") == none


async def test_night_work_is_done_now_recorded_and_taken_back(house: House, client: httpx.AsyncClient) -> None:
    await posted(client, "messages", said=LISBON)
    run = (await posted(client, "consolidate"))["run"]
    assert (run["status"], "raw" in run) == ("completed", False)
    assert [one["id"] for one in (await got(client, "consolidations"))["items"]] == [run["id"]]
    there = f"consolidations/{run['id']}"
    detail = await got(client, there, raw=True)
    assert detail["entries"]
    assert "raw" in detail
    assert (await client.get(f"/v1/{there}", params={"user": "ana", "space": "casa"})).status_code == 422
    assert (await posted(client, f"{there}/rollback"))["run"]["status"] == "rolled_back"
    assert await posted(client, "consolidate", user="bia") == {"run": None}
    assert await got(client, "garden") == {"deeds": []}
    assert (await posted(client, "garden"))["run"]["kind"] == "gardening"
    assert (await posted(client, "insights"))["run"]["kind"] == "insight"
    assert len((await got(client, "consolidations", kind=["gardening", "insight"]))["items"]) == 2
    assert (await client.post("/v1/garden", json={"user": "nobody"})).status_code == 404
    await house.memory.save(user="ana", said=LISBON, tenant="other")
    await house.memory.consolidate(user="ana", tenant="other")
    for key, tenant in (("admin", "default"), ("other", "other"), ("operator", "default")):
        async with client_of(house, key) as one:
            assert {run["tenant"] for run in (await got(one, "consolidations", user=None))["items"]} == {tenant}
    async with client_of(house, "read") as one:
        assert (await one.get("/v1/consolidations")).status_code == 403


async def queued(house: House, *, user: str = "ana") -> str:
    job = a_job(scope=Scope("default", user), id=an_id(), kind="unheard of")
    await house.memory._store.apply(job.scope, [Enqueue(job)])
    return str(job.id)


async def test_jobs_are_seen_tried_and_taken_out_and_nobody_touches_those_of_others(
    house: House, client: httpx.AsyncClient
) -> None:
    job, theirs = await queued(house), await queued(house, user="bia")
    assert [one["id"] for one in (await got(client, "jobs"))["items"]] == [job]
    found = await got(client, "jobs", user=None, limit=1, state="waiting", kind="unheard of")
    assert found["items"][0]["id"] == job
    assert (await got(client, f"jobs/{job}", user=None))["kind"] == "unheard of"
    assert (await client.post(f"/v1/jobs/{job}/retry")).json()["id"] == job
    assert (await client.post(f"/v1/jobs/{job}/run")).json()["done"] is False
    assert (await client.delete(f"/v1/jobs/{job}")).json()["id"] == job
    assert (await client.get(f"/v1/jobs/{job}")).status_code == 404
    assert (await client.get("/v1/jobs?state=lost")).status_code == 422
    for key in ("other", "ana-admin"):
        async with client_of(house, key) as one:
            assert (await got(one, "jobs", user=None))["items"] == []
            assert (await got(one, "failed_jobs", user=None))["items"] == []
            for method, path in (("GET", ""), ("POST", "/retry"), ("POST", "/run"), ("DELETE", "")):
                for id in (theirs, theirs[:8]):
                    assert (await one.request(method, f"/v1/jobs/{id}{path}")).status_code == 404
    assert (await house.memory.job(theirs)).id == theirs


async def test_a_key_of_one_person_opens_no_space_and_speaks_as_no_other(house: House) -> None:
    await house.memory.save(user="bia", said="Nosso segredo é o baú.", space="casa")
    await house.memory.settle(flush=True)
    async with client_of(house, "ana-admin") as client:
        for path in ("/v1/notes", "/v1/messages", "/v1/profile", "/v1/consolidations", "/v1/knowledge"):
            assert (await client.get(path, params={"space": "casa"})).status_code == 403
        for path, body in (("/v1/context", {"query": "segredo"}), ("/v1/learn", {}), ("/v1/recall", {"query": "x"})):
            assert (await client.post(path, json=body | {"space": "casa"})).status_code == 403
    async with client_of(house, "read") as client:
        assert (await got(client, "notes", user="bia", space="casa"))["items"]
    async with client_of(house, "ana-write") as client:
        claim = {"content": "Ana prefere chá.", "by": "person:bia"}
        assert (await client.post("/v1/knowledge", json=claim)).status_code == 403
        for by in ("person:ana", "program:crm", None):
            assert (await client.post("/v1/knowledge", json=claim | {"by": by})).status_code == 201


async def test_people_are_blocked_and_spaces_switched_within_a_tenant(house: House, client: httpx.AsyncClient) -> None:
    async def said(user: str, **parts: str) -> Any:
        return (await posted(client, "messages", user, said="oi", **parts))["refused"]

    block = await posted(client, "block", user=None, person="Eve")
    assert (block["kind"], block["name"], block["by_settings"]) == ("person", "Eve", False)
    assert await got(client, "blocks", user=None) == {"items": [block]}
    assert await said("eve") == "blocked"
    assert await got(client, "refusal", user="eve") == {"refused": "blocked"}
    again = [(await posted(client, "unblock", user=None, person="eve"))["unblocked"] for _ in range(2)]
    assert again == [True, False]
    await said("ana", space="a/b")
    off = await posted(client, "switch_space", user=None, space="a/b", on=False)
    assert off == {"name": "a/b", "on": False, "by_settings": False}
    assert await got(client, "spaces", user=None) == {"items": [off]}
    assert await said("ana", space="a/b") == "switched_off"
    await posted(client, "switch_space", user=None, space="a/b", on=True)
    assert await said("bia", space="a/b") is None
    first = await client.get("/v1/users", params={"limit": 1})
    assert (first.json()["items"], 'rel="next"' in first.headers["Link"]) == (["ana"], True)
    assert await got(client, "users", user=None, after=first.json()["next"]) == {"items": ["bia"], "next": None}
    async with client_of(house, "other") as other:
        for path in ("blocks", "spaces", "users"):
            assert (await got(other, path, user=None))["items"] == []


@each(
    [
        ("messages", {"user": "ana", "said": "x", "sayed": "y"}, "sayed"),
        ("messages", {"user": "ana"}, "said"),
        ("messages", {"said": "x"}, "user"),
        ("messages", {"user": "ana", "said": ["um segredo"]}, "said"),
        ("messages", {"user": "ana", "messages": [{"role": "user", "content": "um segredo"}, {"role": "x"}]},
         "messages[1]"),
        ("knowledge", {"user": "ana", "content": " "}, "content"),
        ("knowledge", {"user": "ana", "content": "x", "type": "feeling"}, "type"),
        ("knowledge", {"user": "ana", "content": "x", "priority": "5"}, "priority"),
        ("knowledge", {"user": "ana", "content": "x", "by": "ana"}, "by"),
        ("search", {"user": "ana", "query": "x", "limit": True}, "limit"),
        ("context", {"user": "ana", "format": "poem"}, "format"),
        ("report", {"user": "ana", "kind": "topic_cluster"}, "kind"),
        ("unblock", {"person": "a\nb"}, "person"),
    ]
)  # fmt: skip
async def test_what_does_not_fit_is_refused_with_the_field_it_is_about_and_not_sent_back(
    path: str, body: dict[str, Any], field: str, house: House, client: httpx.AsyncClient
) -> None:
    answer = await client.post(f"/v1/{path}", json=body)
    assert answer.status_code == 422, answer.text
    assert answer.json()["field"].split(".")[0] == field
    assert "segredo" not in answer.text
    assert (await house.memory.stats()).messages == 0


@pytest.mark.parametrize("key", ["ana-read", "read"])
async def test_a_list_of_messages_is_kept_whole(house: House, client: httpx.AsyncClient, key: str) -> None:
    fine = {"role": "user", "content": [{"type": "text", "text": "Moro em Recife."}, {"type": "image_url"}]}
    kept = await posted(client, "messages", messages=[fine])
    assert kept["left_out"] == ["messages[0].content[1]: image_url"]
    async with client_of(house, key) as reader:
        assert [one["text"] for one in (await got(reader, "messages"))["items"]] == ["Moro em Recife."]
