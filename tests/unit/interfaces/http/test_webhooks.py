"""Webhooks: signed, taken once, answered with what is remembered or a model's reply, and one person across channels."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import NOW
from loops import each
from memories import Clock, a_memory, a_store
from relembra import Memory
from relembra.interfaces.http.app import create_app
from relembra.interfaces.http.callers import Gate
from relembra.interfaces.http.problems import UnauthorizedError
from relembra.interfaces.http.webhooks import META, OURS, WINDOW, Sent, check, hexed, signed
from relembra.settings import Settings
from scripted import ScriptedModel, rate_limited, scripted, spoken

SECRET = "shared with n8n"
APP = "known to Meta"
WHERE = "/v1/webhooks/whatsapp"
OI = {"id": "m1", "from": "+55", "text": "oi"}


@dataclass
class Door:
    """A server with webhooks, its memory and its clock."""

    memory: Memory
    client: httpx.AsyncClient
    clock: Clock

    async def post(self, body: object, *, secret: str = SECRET, where: str = WHERE, **headers: str) -> httpx.Response:
        content = json.dumps(body).encode()
        sent = headers or {OURS: signed(secret, Sent(where, content), self.clock())}
        return await self.client.post(where, content=content, headers=sent)

    async def said(self, text: str, *, id: str = "m1", sender: str = "+55 11 9", where: str = WHERE) -> dict[str, Any]:
        response = await self.post({"id": id, "from": sender, "text": text}, where=where)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer


@asynccontextmanager
async def a_door(**chosen_settings: Any) -> AsyncIterator[Door]:
    clock = Clock()
    chosen = Settings(**{"webhook_secret": SECRET, **chosen_settings})
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
async def meta() -> AsyncIterator[Door]:
    async with a_door(webhooks={"whatsapp": APP}) as opened:
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


@each(
    [
        {"x-nothing": "1"},
        {OURS: "t=1,v1=00"},
        {OURS: "nonsense"},
        {OURS: f"t={'9' * 40},v1=00"},
        {META: "sha256=00"},
        {META: "sha256=é".encode()},
    ]
)
async def test_what_is_not_signed_rightly_changes_nothing(headers: dict[str, Any], door: Door) -> None:
    response = await door.post({"id": "m1", "from": "+55", "text": "oi"}, **headers)
    assert response.status_code == 401
    assert await door.memory.messages(user="whatsapp:+55") == []


async def test_a_signature_is_of_one_body_and_one_secret(door: Door) -> None:
    other = json.dumps({"id": "m1", "from": "+55", "text": "outra coisa"}).encode()
    moved = await door.post(OI, **{OURS: signed(SECRET, Sent(WHERE, other), door.clock())})
    assert moved.status_code == 401
    wrong = await door.post(OI, secret="another")
    assert wrong.status_code == 401


@pytest.mark.parametrize(
    "target",
    [
        "/v1/webhooks/telegram",
        f"{WHERE}?tenant=other",
        f"{WHERE}?",
        "/v1/webhooks/whats%61pp",
        f"{WHERE}\n",
        "",
    ],
)
async def test_a_signature_is_of_one_channel_with_its_query(door: Door, target: str) -> None:
    taken = signed(SECRET, Sent(target, json.dumps(OI).encode()), door.clock())
    assert (await door.post(OI, **{OURS: taken})).status_code == 401
    assert await door.memory.messages(user="whatsapp:+55") == []


async def test_a_signature_is_of_one_method(door: Door) -> None:
    taken = signed(SECRET, Sent(WHERE, json.dumps(OI).encode(), "PUT"), door.clock())
    assert (await door.post(OI, **{OURS: taken})).status_code == 401


@pytest.mark.parametrize("where", [f"{WHERE}?flow=7&x=%C3%A7", "/v1/webhooks/whats%61pp", "/v1/webhooks/meu%20canal"])
async def test_what_is_signed_is_the_address_as_it_is_written(door: Door, where: str) -> None:
    assert (await door.post(OI, where=where)).status_code == 200


async def test_the_signature_of_before_is_refused_and_the_new_one_told(door: Door) -> None:
    moment = int(door.clock().timestamp())
    code = hexed(SECRET, f"{moment}.".encode() + json.dumps(OI).encode())
    for version in ("v1", "v2"):
        answer = await door.post(OI, **{OURS: f"t={moment},{version}={code}"})
        assert answer.status_code == 401
        assert "v2=HEX" in answer.json()["detail"]


@pytest.mark.parametrize(("minutes", "status"), [(4.9, 200), (5.1, 401), (-4.9, 200), (-5.1, 401)])
async def test_a_signature_is_good_for_five_minutes_either_way(door: Door, minutes: float, status: int) -> None:
    sent = signed(SECRET, Sent(WHERE, json.dumps(OI).encode()), door.clock() - timedelta(minutes=minutes))
    assert (await door.post(OI, **{OURS: sent})).status_code == status


@each(["999999999999", "253402300800", "0", "-1", "1e9", "", "٣", " 1", "1" * 13])
async def test_a_moment_that_is_none_or_far_off_is_refused(moment: str, door: Door) -> None:
    code = hexed(SECRET, f"{moment}\nPOST\n{WHERE}\n".encode() + json.dumps(OI).encode())
    answer = await door.post(OI, **{OURS: f"t={moment},v2={code}".encode()})  # type: ignore[arg-type]
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("minutes", "status"),
    [(-60 * 24 * 365 * 1900, 422), (-60 * 24 * 30, 200), (4.9, 200), (5.1, 422), (60 * 24 * 365 * 70, 422)],
)
async def test_no_message_is_of_a_time_to_come(door: Door, minutes: float, status: int) -> None:
    at = (door.clock() + timedelta(minutes=minutes)).isoformat()
    answer = await door.post(OI | {"at": at})
    assert answer.status_code == status, answer.text
    assert len(await door.memory.messages(user="whatsapp:+55")) == (status == 200)


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


async def hooked(door: Door, body: object, *, secret: str = APP, where: str = WHERE) -> httpx.Response:
    return await door.post(body, where=where, **{META: "sha256=" + hexed(secret, json.dumps(body).encode())})


async def test_what_meta_signs_is_believed_by_a_secret_of_that_channel_alone(meta: Door) -> None:
    body = cloud(cloud_message("oi"))
    assert (await hooked(meta, body)).status_code == 200
    for secret in (APP, SECRET):  # the signature tells no channel: it would be good for all that share a secret
        assert (await hooked(meta, body, secret=secret, where="/v1/webhooks/telegram")).status_code == 401
    assert (await hooked(meta, body, secret=SECRET)).status_code == 401


async def test_a_body_of_whatsapp_is_understood(meta: Door) -> None:
    image = {"from": "5511", "id": "wamid.9", "timestamp": "1", "type": "image", "image": {"id": "7"}}
    body = cloud(cloud_message("cheguei em Lisboa"), image, cloud_message("e está frio", id="wamid.2"))
    response = await hooked(meta, body)
    assert response.status_code == 200, response.text
    assert len(response.json()["results"]) == 2
    kept = await meta.memory.messages(user="whatsapp:5511")
    assert {message.text for message in kept} == {"cheguei em Lisboa", "e está frio"}


async def test_how_whatsapp_shows_somebody_is_kept_with_what_they_say(meta: Door) -> None:
    body = cloud(cloud_message("oi"))
    body["entry"][0]["changes"][0]["value"]["contacts"] = [
        {"wa_id": "5511", "profile": {"name": "Clara"}},
        {"wa_id": None, "profile": None},
    ]
    assert (await hooked(meta, body)).status_code == 200
    [message] = await meta.memory.messages(user="whatsapp:5511")
    assert (message.author, message.author_name) == ("whatsapp:5511", "Clara")


async def test_a_plain_body_may_tell_how_its_sender_is_shown(door: Door) -> None:
    for name in ("Clara", "Clara S."):  # told again under another name it is still one message
        response = await door.post({"id": "m1", "from": "+55", "name": name, "text": "oi"})
        assert response.status_code == 200, response.text
    [message] = await door.memory.messages(user="whatsapp:+55")
    assert message.author_name == "Clara"


async def test_receipts_and_unknown_parts_are_passed_over(meta: Door) -> None:
    body = cloud()
    body["entry"][0]["changes"][0]["value"]["statuses"] = [{"id": "wamid.1", "status": "read"}]
    response = await hooked(meta, body)
    assert response.json() == {"results": []}


async def test_an_old_message_is_not_taken_on_a_signature_without_a_moment(meta: Door) -> None:
    long_ago = (NOW - timedelta(hours=25)).timestamp()
    to_come = (NOW + timedelta(days=365 * 70)).timestamp()
    several = cloud(
        cloud_message("antiga", at=long_ago),
        cloud_message("a\x00b", id="2"),
        cloud_message("futura", id="4", at=to_come),
        cloud_message("nova", id="3"),
    )
    results = (await hooked(meta, several)).json()["results"]
    assert [bool(result["refused"]) for result in results] == [True, True, True, False]
    assert "too old" in results[0]["refused"]
    assert "ahead" in results[2]["refused"]
    assert [message.text for message in await meta.memory.messages(user="whatsapp:5511")] == ["nova"]
    undated = {"id": "m1", "from": "+55", "text": "oi"}
    assert (await hooked(meta, undated)).status_code == 401


@each(
    [
        [],
        "text",
        {},
        {"id": "m1", "from": "+55", "text": ""},
        {"id": "m1", "from": "+55", "text": "oi", "more": 1},
        {"id": "m1", "from": "+55", "text": "oi", "at": "2026-11-15T10:00:00"},
        {"object": "whatsapp_business_account"},
        {"object": "whatsapp_business_account", "entry": [{"changes": [{"value": {"messages": [{"id": 1}]}}]}]},
    ]
)
async def test_what_is_no_message_gets_a_clear_answer(body: object, door: Door) -> None:
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


# ── whatever is sent ──────────────────────────────────────────────────────────────────────────────────────────────

TEXTS = st.text(max_size=30)
MOMENTS = st.integers(-(10**14), 10**14).map(str) | st.text("0123456789٣²-+.eE ", max_size=14)
HEADERS = TEXTS | st.builds(lambda t, v: f"t={t},v2={v}", MOMENTS, TEXTS | st.just("0" * 64))
DATES = st.datetimes(timezones=st.timezones() | st.just(UTC)).map(datetime.isoformat)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
BODIES = st.one_of(
    st.binary(max_size=60),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {"id": TEXTS, "from": TEXTS, "text": TEXTS | st.just("oi")},
        optional={"at": DATES | MOMENTS | st.integers(), "conversation": TEXTS | st.none(), "budget": st.integers()},
    ).map(lambda value: json.dumps(value).encode()),
    st.builds(
        lambda moment, text: json.dumps(cloud({**cloud_message(text), "timestamp": moment})).encode(), MOMENTS, TEXTS
    ),
)


@given(HEADERS, st.sampled_from([OURS, META]), st.binary(max_size=20))
def test_no_header_but_the_right_one_is_believed_and_none_breaks(value: str, name: str, body: bytes) -> None:
    with pytest.raises(UnauthorizedError):
        check(SECRET, {name: value}, Sent(WHERE, body), now=NOW)


@given(
    TEXTS, st.binary(max_size=20), st.datetimes(datetime(1971, 1, 1), timezones=st.just(UTC)), st.integers(-600, 600)
)
def test_the_right_one_is_believed_within_its_time(path: str, body: bytes, now: datetime, off: int) -> None:
    try:
        at = now.replace(microsecond=0) + timedelta(seconds=off)
    except OverflowError:
        return
    sent = Sent(f"/v1/webhooks/{path}", body)
    header = {OURS: signed(SECRET, sent, at)}
    if abs(now - at) <= WINDOW:
        assert check(SECRET, header, sent, now=now)
    else:
        with pytest.raises(UnauthorizedError):
            check(SECRET, header, sent, now=now)
    with pytest.raises(UnauthorizedError):
        check(SECRET, header, replace(sent, target=sent.target + "?"), now=now)


@settings(max_examples=25)
@given(st.lists(st.tuples(HEADERS | st.none(), BODIES, st.sampled_from([OURS, META])), min_size=5, max_size=10))
def test_whatever_is_sent_gets_a_clear_answer(requests: list[tuple[str | None, bytes, str]]) -> None:
    async def answers() -> list[httpx.Response]:
        async with a_door(webhooks={"whatsapp": APP}) as door:
            return [await sent(door, *request) for request in requests]

    async def sent(door: Door, value: str | None, body: bytes, name: str) -> httpx.Response:
        right = signed(APP, Sent(WHERE, body), door.clock()) if name == OURS else hexed(APP, body)
        header = right.encode() if value is None else value.encode()
        return await door.client.post(WHERE, content=body, headers=[(name.encode(), header)])

    for request, answer in zip(requests, asyncio.run(answers()), strict=True):
        assert answer.status_code in (200, 400, 401, 409, 422), (request, answer.text)
