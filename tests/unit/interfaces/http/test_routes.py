"""The verbs over HTTP; every answer is held against the document."""

from __future__ import annotations

from typing import Any

import httpx

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


async def test_a_header_may_name_the_person_on_every_route_and_never_another_than_the_request(
    house: House, client: httpx.AsyncClient
) -> None:
    ana, once = {"X-Relembra-User": "ana"}, {"Idempotency-Key": "k"}
    assert (await client.post("/v1/messages", json={"said": "Moro em Lisboa."}, headers=ana | once)).status_code == 201
    other = {"X-Relembra-User": "bia"} | once
    assert (await client.post("/v1/messages", json={"said": "Moro em Lisboa."}, headers=other)).status_code == 409
    got = await client.get("/v1/messages", headers=ana)
    assert [one["user"] for one in got.json()["items"]] == ["ana"]
    assert [one.text for one in await house.memory.messages(user="ana")] == ["Moro em Lisboa."]
    assert (await client.get("/v1/messages?user=ana", headers=ana)).status_code == 200
    answer = await client.get("/v1/messages?user=bia", headers=ana)
    assert (answer.status_code, answer.json()["field"]) == (422, "user")
    assert (await client.get("/v1/messages", headers={"X-Relembra-User": "x" * 300})).status_code == 422
    everybody = await client.get("/v1/conversations")
    own = await client.get("/v1/conversations", headers={"X-Relembra-User": "bia"})
    assert (len(everybody.json()["items"]), own.json()["items"]) == (1, [])
    for path in ("/v1/keys", "/v1/users", "/v1/failed_jobs", "/v1/tools", "/v1/consolidations?space=team"):
        assert (await client.get(path, headers=ana)).status_code == 200, path
    bound = await house.memory.create_key("phone", right="write", user="bia")
    secret = {"Authorization": f"Bearer {bound.secret}"}
    assert (await client.get("/v1/messages", headers=ana | secret)).status_code == 403
