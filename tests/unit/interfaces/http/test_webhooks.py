"""Webhooks: signed, taken once, answered with what is remembered or a model's reply, and one person across channels."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import pytest

from builders import NOW
from memories import Clock, a_memory, a_store
from relembra import Memory
from relembra.interfaces.http.app import create_app
from relembra.interfaces.http.callers import Gate
from relembra.interfaces.http.signatures import META, OURS, signed
from relembra.interfaces.http.signatures import _hex as hmac_of
from relembra.settings import Settings
from scripted import ScriptedModel, rate_limited, scripted, spoken

SECRET = "shared with n8n"
WHERE = "/v1/webhooks/whatsapp"


@dataclass
class Door:
    """A server with webhooks, its memory and its clock."""

    memory: Memory
    client: httpx.AsyncClient
    clock: Clock

    async def post(self, body: object, *, secret: str = SECRET, where: str = WHERE, **headers: str) -> httpx.Response:
        content = json.dumps(body).encode()
        sent = headers or {OURS: signed(secret, content, self.clock())}
        return await self.client.post(where, content=content, headers=sent)

    async def said(self, text: str, *, id: str = "m1", sender: str = "+55 11 9", where: str = WHERE) -> dict[str, Any]:
        response = await self.post({"id": id, "from": sender, "text": text}, where=where)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer


@asynccontextmanager
async def a_door(**settings: Any) -> AsyncIterator[Door]:
    clock = Clock()
    chosen = Settings(**{"webhook_secret": SECRET, **settings})
    async with a_memory(await a_store("memory", None), clock=clock) as memory:  # type: ignore[arg-type]
        gate = Gate(memory=memory, is_open=False, tenant="default", clock=clock)
        app = create_app(memory, chosen, is_open=False, gate=gate)
        transport = httpx.ASGITransport(app, client=("10.0.0.9", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://memory.example") as client:
            try:
                yield Door(memory, client, clock)
            finally:
                await app.state.upstreams.close()


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with a_door() as opened:
        yield opened


@pytest.fixture
def model() -> Any:
    with scripted() as server:
        yield server


async def test_a_message_is_kept_and_answered_with_what_is_remembered(door: Door) -> None:
    await door.memory.add("É alérgica a amendoim", user="whatsapp:+55 11 9")
    answer = await door.said("o que posso comer, com minha alergia a amendoim?")
    assert "amendoim" in answer["context"]["text"]
    assert answer["reply"] is None
    kept = await door.memory.messages(user="whatsapp:+55 11 9")
    assert [message.text for message in kept] == ["o que posso comer, com minha alergia a amendoim?"]


@pytest.mark.parametrize(
    "headers",
    [
        {"x-nothing": "1"},
        {OURS: "t=1,v1=00"},
        {OURS: "nonsense"},
        {OURS: f"t={'9' * 40},v1=00"},
        {META: "sha256=00"},
        {META: "sha256=é".encode()},
    ],
)
async def test_what_is_not_signed_rightly_changes_nothing(door: Door, headers: dict[str, Any]) -> None:
    response = await door.post({"id": "m1", "from": "+55", "text": "oi"}, **headers)
    assert response.status_code == 401
    assert await door.memory.messages(user="whatsapp:+55") == []


async def test_a_signature_is_of_one_body_and_one_secret(door: Door) -> None:
    other = json.dumps({"id": "m1", "from": "+55", "text": "outra coisa"}).encode()
    moved = await door.post({"id": "m1", "from": "+55", "text": "oi"}, **{OURS: signed(SECRET, other, door.clock())})
    assert moved.status_code == 401
    wrong = await door.post({"id": "m1", "from": "+55", "text": "oi"}, secret="another")
    assert wrong.status_code == 401


@pytest.mark.parametrize(("minutes", "status"), [(4.9, 200), (5.1, 401), (-4.9, 200), (-5.1, 401)])
async def test_a_signature_is_good_for_five_minutes_either_way(door: Door, minutes: float, status: int) -> None:
    body = {"id": "m1", "from": "+55", "text": "oi"}
    sent = signed(SECRET, json.dumps(body).encode(), door.clock() - timedelta(minutes=minutes))
    assert (await door.post(body, **{OURS: sent})).status_code == status


async def test_the_same_message_again_is_one_and_answered_alike(door: Door) -> None:
    first = await door.said("moro em Recife")
    door.clock.move(hours=3)
    assert await door.said("moro em Recife") == first
    assert len(await door.memory.messages(user="whatsapp:+55 11 9")) == 1


async def test_an_id_that_says_something_else_is_refused(door: Door) -> None:
    await door.said("moro em Recife")
    other = await door.post({"id": "m1", "from": "+55 11 9", "text": "moro em Olinda"})
    assert other.status_code == 409


async def test_many_deliveries_of_one_message_at_once_keep_one(door: Door) -> None:
    body = {"id": "m1", "from": "+55", "text": "oi"}
    answers = await asyncio.gather(*(door.post(body) for _ in range(8)))
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert len(await door.memory.messages(user="whatsapp:+55")) == 1


async def test_a_channel_has_its_own_secret_and_no_secret_takes_nothing() -> None:
    async with a_door(webhook_secret="", webhooks={"whatsapp": "only theirs"}) as door:
        body = {"id": "m1", "from": "+55", "text": "oi"}
        assert (await door.post(body, secret="only theirs")).status_code == 200
        other = await door.post(body, secret="only theirs", where="/v1/webhooks/telegram")
        assert other.status_code == 404
        assert "webhook_secret" in other.json()["detail"]


async def test_with_a_model_the_reply_comes_back_and_both_sides_are_kept(model: ScriptedModel) -> None:
    model.script(spoken("Claro: nada com amendoim."))
    async with a_door(upstream=model.url, upstream_model="m") as door:
        await door.memory.add("É alérgica a amendoim", user="whatsapp:+55 11 9")
        answer = await door.said("posso comer paçoca, com minha alergia?")
        assert answer["reply"] == "Claro: nada com amendoim."
        assert "amendoim" in model.requests[0].system
        kept = await door.memory.messages(user="whatsapp:+55 11 9")
        assert {message.text for message in kept} == {
            "posso comer paçoca, com minha alergia?",
            "Claro: nada com amendoim.",
        }
        assert await door.said("posso comer paçoca, com minha alergia?") == answer
        assert model.calls == 1


async def test_a_model_that_fails_loses_nothing_and_the_next_delivery_tries_again(model: ScriptedModel) -> None:
    model.script(rate_limited("7"), spoken("Oi, Ana."))
    async with a_door(upstream=model.url, upstream_model="m") as door:
        failed = await door.post({"id": "m1", "from": "+55 11 9", "text": "bom dia"})
        assert failed.status_code == 502
        assert failed.headers["retry-after"] == "7"
        assert len(await door.memory.messages(user="whatsapp:+55 11 9")) == 1
        assert (await door.said("bom dia"))["reply"] == "Oi, Ana."
        assert len(await door.memory.messages(user="whatsapp:+55 11 9")) == 2


async def test_a_chat_command_is_answered_without_a_model(door: Door) -> None:
    answer = await door.said("/lembrar que a senha do portão é girassol")
    assert answer["command"]
    assert answer["reply"]


async def test_one_person_goes_on_from_one_channel_to_the_other(door: Door) -> None:
    await door.memory.link("whatsapp", "+55 11 9", user="ana")
    await door.memory.link("telegram", "777", user="ana")
    await door.said("a reunião com a Marta mudou para quinta às 15h")
    answer = await door.said("quando é a reunião com a Marta?", sender="777", where="/v1/webhooks/telegram", id="t1")
    assert answer["user"] == "ana"
    assert "quinta às 15h" in answer["context"]["text"]
    stranger = await door.said("quando é a reunião com a Marta?", sender="778", where="/v1/webhooks/telegram", id="t2")
    assert "15h" not in stranger["context"]["text"]


def cloud(*messages: dict[str, Any]) -> dict[str, Any]:
    """A body as WhatsApp's Cloud API sends it."""
    value = {"messaging_product": "whatsapp", "metadata": {"phone_number_id": "1"}, "messages": list(messages)}
    return {
        "object": "whatsapp_business_account",
        "entry": [{"id": "0", "changes": [{"field": "messages", "value": value}]}],
    }


def cloud_message(text: str, *, id: str = "wamid.1", at: float | None = None) -> dict[str, Any]:
    moment = int(NOW.timestamp() if at is None else at)
    return {"from": "5511", "id": id, "timestamp": str(moment), "type": "text", "text": {"body": text}}


async def hooked(door: Door, body: object) -> httpx.Response:
    return await door.post(body, **{META: "sha256=" + hmac_of(SECRET, json.dumps(body).encode())})


async def test_a_body_of_whatsapp_is_understood(door: Door) -> None:
    image = {"from": "5511", "id": "wamid.9", "timestamp": "1", "type": "image", "image": {"id": "7"}}
    body = cloud(cloud_message("cheguei em Lisboa"), image, cloud_message("e está frio", id="wamid.2"))
    response = await hooked(door, body)
    assert response.status_code == 200, response.text
    assert len(response.json()["results"]) == 2
    kept = await door.memory.messages(user="whatsapp:5511")
    assert {message.text for message in kept} == {"cheguei em Lisboa", "e está frio"}


async def test_receipts_and_unknown_parts_are_passed_over(door: Door) -> None:
    body = cloud()
    body["entry"][0]["changes"][0]["value"]["statuses"] = [{"id": "wamid.1", "status": "read"}]
    response = await hooked(door, body)
    assert response.json() == {"results": []}


async def test_an_old_message_is_not_taken_on_a_signature_without_a_moment(door: Door) -> None:
    long_ago = (NOW - timedelta(hours=25)).timestamp()
    several = cloud(
        cloud_message("antiga", at=long_ago), cloud_message("a\x00b", id="2"), cloud_message("nova", id="3")
    )
    results = (await hooked(door, several)).json()["results"]
    assert ["too old" in results[0]["refused"], "refused" in results[1], results[2]["refused"]] == [True, True, None]
    assert [message.text for message in await door.memory.messages(user="whatsapp:5511")] == ["nova"]
    undated = {"id": "m1", "from": "+55", "text": "oi"}
    assert (await hooked(door, undated)).status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        [],
        "text",
        {},
        {"id": "m1", "from": "+55", "text": ""},
        {"id": "m1", "from": "+55", "text": "oi", "more": 1},
        {"id": "m1", "from": "+55", "text": "oi", "at": "2026-11-15T10:00:00"},
        {"object": "whatsapp_business_account"},
        {"object": "whatsapp_business_account", "entry": [{"changes": [{"value": {"messages": [{"id": 1}]}}]}]},
    ],
)
async def test_what_is_no_message_gets_a_clear_answer(door: Door, body: object) -> None:
    response = await door.post(body)
    assert response.status_code == 422
    assert response.json()["detail"]


async def test_a_provider_that_asks_whether_we_are_there_gets_its_word_back() -> None:
    async with a_door(webhooks={"whatsapp": "s", "whatsapp.verify": "let me in"}) as door:
        asked = {"hub.mode": "subscribe", "hub.verify_token": "let me in", "hub.challenge": "1158201444"}
        assert (await door.client.get(WHERE, params=asked)).text == "1158201444"
        asked["hub.verify_token"] = "guess"
        assert (await door.client.get(WHERE, params=asked)).status_code == 403


async def test_what_a_provider_verifies_with_signs_nothing() -> None:
    async with a_door(webhook_secret="", webhooks={"whatsapp": "s", "whatsapp.verify": "let me in"}) as door:
        body = {"id": "m1", "from": "+55", "text": "oi"}
        response = await door.post(body, secret="let me in", where="/v1/webhooks/whatsapp.verify")
        assert response.status_code == 404


async def test_a_telephone_number_is_the_same_however_it_is_written(door: Door) -> None:
    await door.memory.link("whatsapp", "+55 (11) 91234-5678", user="ana")
    assert (await door.said("oi", sender="5511912345678"))["user"] == "ana"
    assert await door.memory.unlink("whatsapp", "55 11 912345678")
    assert (await door.said("oi", sender="+55 11 91234-5678", id="m2"))["user"] == "whatsapp:5511912345678"


async def test_forgetting_takes_the_kept_answers_along(door: Door) -> None:
    answer = await door.said("moro em Recife")
    await door.memory.forget(user=answer["user"], all=True)
    again = await door.said("moro em Recife")
    assert again["context"] is not None
    assert len(await door.memory.messages(user=answer["user"])) == 1


async def test_what_is_marked_local_only_is_not_handed_to_another_program(door: Door) -> None:
    kept = await door.memory.add("Faz terapia às terças", user="whatsapp:+55 11 9")
    await door.memory.keep_local(kept.id, user="whatsapp:+55 11 9")
    answer = await door.said("quando faço terapia?")
    assert "terças" not in json.dumps(answer, ensure_ascii=False)
