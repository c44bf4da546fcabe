"""What was said and what is known, over HTTP; every answer is held against the document."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from gardens import merged_into
from houses import House
from loops import each

LISBON = "Moro em Lisboa desde março."


async def added(client: httpx.AsyncClient, content: str, user: str = "ana", **parts: Any) -> dict[str, Any]:
    answer = await client.post("/v1/knowledge", json={"user": user, "content": content, **parts})
    assert answer.status_code == 201, answer.text
    item: dict[str, Any] = answer.json()
    return item


# ── said ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_moment_something_was_said_keeps_its_own_clock(client: httpx.AsyncClient) -> None:
    said = {"user": "ana", "said": LISBON, "at": "2026-03-01T10:00:00-03:00"}
    [message] = (await client.post("/v1/messages", json=said)).json()["messages"]
    assert (message["sent_at"], message["zone"]) == ("2026-03-01T13:00:00Z", "-03:00")


@each(["2026-03-01T10:00:00", "2026-03-01", "gestern", 1_772_000_000, "1772000000", True])
async def test_a_moment_that_could_be_another_is_refused(at: object, client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/messages", json={"user": "ana", "said": LISBON, "at": at})
    assert (answer.status_code, answer.json()["field"]) == (422, "at")
    assert "2026-03-01T10:00:00-03:00" in answer.json()["detail"]


async def test_a_conversation_is_started_renamed_hidden_and_brought_back(client: httpx.AsyncClient) -> None:
    started = await client.post("/v1/conversations", json={"user": "ana", "id": "viagem", "title": "Viagem"})
    assert started.status_code == 201
    again = await client.post("/v1/conversations", json={"user": "ana", "id": "viagem"})
    assert again.status_code == 409
    renamed = await client.patch("/v1/conversations/viagem", json={"user": "ana", "title": "Férias"})
    assert renamed.json()["title"] == "Férias"
    assert (await client.delete("/v1/conversations/viagem?user=ana")).json()["deleted_at"] is not None
    assert (await client.get("/v1/conversations?user=ana")).json()["items"] == []
    undone = await client.post("/v1/undo", json={"user": "ana", "id": "viagem"})
    assert [entry["verb"] for entry in undone.json()["undone"]] == ["delete"]
    assert [one["id"] for one in (await client.get("/v1/conversations?user=ana")).json()["items"]] == ["viagem"]


async def test_a_conversation_of_a_space_has_a_slash_in_its_id(client: httpx.AsyncClient) -> None:
    await client.post("/v1/messages", json={"user": "ana", "said": "Oi, pessoal.", "space": "casa"})
    for address in ("/v1/conversations/casa%2Fgeneral", "/v1/conversations/casa/general"):
        renamed = await client.patch(address, json={"user": "ana", "title": address})
        assert renamed.json()["title"] == address


# ── known ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_item_is_added_read_confirmed_corrected_hidden_and_restored(client: httpx.AsyncClient) -> None:
    item = await added(client, "Prefere café sem açúcar.", type="preference", tags=["café"], confidence=0.7)
    there = f"/v1/knowledge/{item['id']}"
    assert (await client.get(there, params={"user": "ana"})).json() == item
    assert (await client.post(f"{there}/validate", json={"user": "ana"})).json()["validated"] is True
    right = (await client.post(f"{there}/correct", json={"user": "ana", "content": "Prefere chá."})).json()
    assert right["content"] == "Prefere chá."
    history = (await client.get(f"/v1/knowledge/{right['id']}/history?user=ana")).json()
    assert [one["id"] for one in history["predecessors"]] == [item["id"]]
    there = f"/v1/knowledge/{right['id']}"
    assert (await client.delete(there, params={"user": "ana", "why": "mudou"})).json()["deleted_at"] is not None
    assert (await client.get("/v1/knowledge?user=ana")).json()["items"] == []
    assert (await client.post(f"{there}/restore", json={"user": "ana"})).json()["deleted_at"] is None
    assert (await client.post(f"{there}/archive", json={"user": "ana"})).json()["archived_at"] is not None
    assert (await client.post(f"{there}/recover", json={"user": "ana"})).json()["archived_at"] is None
    kept = (await client.post(f"{there}/keep_local", json={"user": "ana"})).json()
    assert kept["local_only"] is True
    undone = (await client.post(f"{there}/undo", json={"user": "ana"})).json()["undone"]
    assert undone
    assert (await client.get(there, params={"user": "ana"})).json()["local_only"] is False


async def test_local_only_is_not_there_for_a_model_elsewhere(client: httpx.AsyncClient) -> None:
    item = await added(client, "A senha do cofre é o aniversário da avó.", local_only=True)
    there = f"/v1/knowledge/{item['id']}"
    assert (await client.get(there, params={"user": "ana", "outside": True})).status_code == 404
    assert (await client.get("/v1/knowledge?user=ana&outside=true")).json()["items"] == []
    assert len((await client.get("/v1/knowledge?user=ana")).json()["items"]) == 1
    asked = {"user": "ana", "query": "senha do cofre", "outside": True}
    assert (await client.post("/v1/search", json=asked)).json() == {"hits": []}
    assert "cofre" not in (await client.post("/v1/context", json=asked | {"budget": 500})).json()["text"]


async def test_many_are_added_at_once(client: httpx.AsyncClient) -> None:
    drafts = [{"content": "Torce pelo Bahia."}, {"content": "Toca violão.", "area": "leisure"}]
    answer = await client.post("/v1/knowledge/many", json={"user": "ana", "drafts": drafts})
    assert [item["content"] for item in answer.json()["items"]] == ["Torce pelo Bahia.", "Toca violão."]
    assert (await client.post("/v1/knowledge/many", json={"user": "ana", "drafts": []})).status_code == 422


async def test_the_line_of_the_issue_lists_and_searches(client: httpx.AsyncClient) -> None:
    await added(client, "Prefere café sem açúcar.", type="preference")
    await added(client, "Nasceu em Recife.", type="fact")
    listed = (await client.get("/v1/knowledge?user=ana&type=preference&q=")).json()
    assert [item["content"] for item in listed["items"]] == ["Prefere café sem açúcar."]
    assert "hits" not in listed
    found = (await client.get("/v1/knowledge", params={"user": "ana", "type": "preference", "q": "café"})).json()
    assert [hit["item"] for hit in found["hits"]] == found["items"]
    assert found["items"][0]["content"] == "Prefere café sem açúcar."
    assert found["next"] is None
    both = (await client.get("/v1/knowledge?user=ana&type=preference&type=fact")).json()["items"]
    assert len(both) == 2
    refused = await client.get("/v1/knowledge?user=ana&q=caf%C3%A9&after=x")
    assert refused.json()["field"] == "after"


async def test_an_item_is_found_by_a_piece_of_its_id(client: httpx.AsyncClient) -> None:
    item = await added(client, "Toca violão.")
    found = await client.get("/v1/knowledge/find", params={"user": "ana", "fragment": item["id"][-6:]})
    assert found.json() == item
    assert (await client.get("/v1/knowledge/find?user=ana&fragment=zzzz")).status_code == 404


async def test_where_it_came_from_and_what_is_near(client: httpx.AsyncClient) -> None:
    saved = (await client.post("/v1/messages", json={"user": "ana", "said": LISBON})).json()
    first = await added(client, "Mora em Lisboa.", message_ids=[saved["messages"][0]["id"]])
    second = await added(client, "Trabalha em Lisboa.", related=[first["id"]])
    sources = (await client.get(f"/v1/knowledge/{first['id']}/sources?user=ana")).json()["items"]
    assert [message["text"] for message in sources] == [LISBON]
    near = (await client.get(f"/v1/knowledge/{second['id']}/related?user=ana&limit=1")).json()["hits"]
    assert [hit["item"]["id"] for hit in near] == [first["id"]]


async def test_forgetting_is_for_good_and_says_what_went(client: httpx.AsyncClient) -> None:
    item = await added(client, "Toca violão.")
    would = await client.post("/v1/forget", json={"user": "ana", "item": item["id"], "dry_run": True})
    assert (await client.get(f"/v1/knowledge/{item['id']}?user=ana")).status_code == 200
    gone = await client.post("/v1/forget", json={"user": "ana", "item": item["id"]})
    assert gone.json()["forgotten"]["items"] == 1
    assert would.json() == gone.json() | {"dry_run": True, "erased": False}
    assert (await client.get(f"/v1/knowledge/{item['id']}?user=ana")).status_code == 404
    assert (await client.post("/v1/forget", json={"user": "ana"})).status_code == 422
    assert (await client.post("/v1/forget", json={"user": "ana", "all": True})).status_code == 200


# ── two editors ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_second_of_two_editors_is_told_and_overwrites_nothing(client: httpx.AsyncClient) -> None:
    item = await added(client, "Mora em Lisboa.", by="program:crm", confidence=0.6)
    there = f"/v1/knowledge/{item['id']}"
    tag = (await client.get(there, params={"user": "ana"})).headers["etag"]
    first = await client.post(f"{there}/validate", json={"user": "ana"}, headers={"If-Match": tag})
    assert first.status_code == 200
    assert first.headers["etag"] != tag
    correct = {"user": "ana", "content": "Mora no Porto."}
    second = await client.post(f"{there}/correct", json=correct, headers={"If-Match": tag})
    assert second.status_code == 412
    assert "read it and decide again" in second.json()["detail"]
    assert (await client.get(there, params={"user": "ana"})).json()["content"] == "Mora em Lisboa."
    third = await client.post(f"{there}/correct", json=correct, headers={"If-Match": first.headers["etag"]})
    assert third.json()["content"] == "Mora no Porto."


@pytest.mark.parametrize("change", ["validate", "archive", "restore", "recover", "keep_local", "correct", "delete"])
async def test_every_change_of_an_item_minds_its_version(client: httpx.AsyncClient, change: str) -> None:
    item = await added(client, "Mora em Lisboa.")
    there, stale = f"/v1/knowledge/{item['id']}", {"If-Match": '"77"'}
    if change == "delete":
        answer = await client.delete(there, params={"user": "ana"}, headers=stale)
    else:
        body = {"user": "ana"} | ({"content": "Mora no Porto."} if change == "correct" else {})
        answer = await client.post(f"{there}/{change}", json=body, headers=stale)
    assert answer.status_code == 412
    assert (await client.get(there, params={"user": "ana"})).json() == item


async def test_a_change_of_an_item_that_was_merged_is_made_to_what_it_was_merged_into(
    house: House, client: httpx.AsyncClient
) -> None:
    kept = await added(client, "Knows a song.", by="program:app")
    shown = await added(client, "Knows that song.", by="program:app")
    await merged_into(house.memory._store, kept["id"], shown["id"], clock=house.clock)
    there = f"/v1/knowledge/{shown['id']}/validate"
    answer = await client.post(there, json={"user": "ana"}, headers={"If-Match": '"1"'})
    assert answer.status_code == 200
    assert (answer.json()["id"], answer.json()["validated"]) == (kept["id"], True)
    gone = await client.post("/v1/forget", json={"user": "ana", "item": shown["id"]})
    assert gone.json()["forgotten"]["items"] == 2


@each(['"nonsense"', "", '"1", "2"', '"' + "9" * 40 + '"'])
async def test_a_tag_no_reading_gave_is_a_stale_one(tag: str, client: httpx.AsyncClient) -> None:
    item = await added(client, "Mora em Lisboa.")
    answer = await client.post(f"/v1/knowledge/{item['id']}/validate", json={"user": "ana"}, headers={"If-Match": tag})
    assert answer.status_code == 412


async def test_whoever_has_the_item_already_is_not_sent_it_again(client: httpx.AsyncClient) -> None:
    item = await added(client, "Mora em Lisboa.")
    there = f"/v1/knowledge/{item['id']}?user=ana"
    tag = (await client.get(there)).headers["etag"]
    same = await client.get(there, headers={"If-None-Match": tag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    assert (await client.get(there, headers={"If-None-Match": '"other"'})).status_code == 200


# ── what comes back ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_context_fits_its_budget_and_names_what_it_is_made_of(client: httpx.AsyncClient) -> None:
    item = await added(client, "É alérgica a camarão.", area="health")
    context = (await client.post("/v1/context", json={"user": "ana", "query": "camarão?", "budget": 300})).json()
    assert "camarão" in context["text"]
    assert context["tokens"] <= 300
    assert [hit["item"]["id"] for hit in context["hits"]] == [item["id"]]
    tiny = await client.post("/v1/context", json={"user": "ana", "query": "camarão?", "budget": 0})
    assert tiny.json()["text"] == ""
    assert (await client.post("/v1/context", json={"user": "ana", "budget": -1})).status_code == 422
    assert (await client.post("/v1/context", json={"user": "ana", "format": "poem"})).status_code == 422


async def test_search_recall_and_why_agree(client: httpx.AsyncClient) -> None:
    await client.post("/v1/messages", json={"user": "ana", "said": "Comi camarão e passei mal."})
    item = await added(client, "É alérgica a camarão.")
    await client.post("/v1/settle", json={})
    asked = {"user": "ana", "query": "camarão"}
    assert (await client.post("/v1/search", json=asked)).json()["hits"][0]["item"]["id"] == item["id"]
    recalled = (await client.post("/v1/recall", json=asked)).json()
    assert recalled["items"][0]["item"]["id"] == item["id"]
    assert recalled["messages"][0]["message"]["text"] == "Comi camarão e passei mal."
    only = (await client.post("/v1/recall", json=asked | {"kinds": ["message"]})).json()
    assert (only["items"], len(only["messages"])) == ([], 1)
    await added(client, "Toca violão aos domingos com o irmão.")
    told = (await client.post("/v1/why", json=asked)).json()
    assert told["context"]["hits"][0]["item"]["id"] == item["id"]
    few = (await client.post("/v1/why", json=asked | {"limit": 0})).json()
    assert few["missed"] == []


# ── what is refused ───────────────────────────────────────────────────────────────────────────────────────────────────


@each(
    [
        ("/v1/messages", {"user": "ana", "said": "x", "sayed": "y"}, "sayed"),
        ("/v1/messages", {"user": "ana"}, "said"),
        ("/v1/messages", {"said": "x"}, "user"),
        ("/v1/messages", {"user": "", "said": "x"}, "user"),
        ("/v1/messages", {"user": 5, "said": "x"}, "user"),
        ("/v1/messages", {"user": "ana", "said": "a\u0000b"}, "said"),
        ("/v1/knowledge", {"user": "ana", "content": " "}, "content"),
        ("/v1/knowledge", {"user": "ana", "content": "x", "type": "feeling"}, "type"),
        ("/v1/knowledge", {"user": "ana", "content": "x", "confidence": 2}, "confidence"),
        ("/v1/knowledge", {"user": "ana", "content": "x", "priority": "5"}, "priority"),
        ("/v1/knowledge", {"user": "ana", "content": "x", "by": "ana"}, "by"),
        ("/v1/search", {"user": "ana", "query": "x", "limit": 0}, "limit"),
        ("/v1/search", {"user": "ana", "query": "x", "limit": True}, "limit"),
        ("/v1/context", {"user": "ana", "language": "fr"}, "language"),
    ]
)
async def test_what_does_not_fit_is_refused_with_the_field_it_is_about(
    path: str, body: dict[str, Any], field: str, client: httpx.AsyncClient
) -> None:
    answer = await client.post(path, json=body)
    assert answer.status_code == 422, answer.text
    assert answer.json()["field"].split(".")[0] == field


async def test_a_word_in_the_address_nobody_knows_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/knowledge?user=ana&typ=fact")
    assert (answer.status_code, answer.json()["field"]) == (422, "typ")


async def test_a_refusal_never_sends_back_what_was_said(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/messages", json={"user": "ana", "said": ["um segredo"]})
    assert answer.status_code == 422
    assert "segredo" not in answer.text


async def test_what_is_dated_far_ahead_is_refused_with_the_field_and_nothing_is_kept(client: httpx.AsyncClient) -> None:
    body = {"user": "ana", "said": "Moro em Leeds.", "at": "2999-01-01T00:00:00+00:00"}
    refused = (await client.post("/v1/messages", json=body)).json()
    assert (refused["status"], refused["field"], "ahead" in refused["detail"]) == (422, "at", True)
    assert (await client.get("/v1/messages", params={"user": "ana"})).json()["items"] == []
