"""Webhooks: signed, taken once, answered with what is remembered or a model's reply, and one person across channels."""

from __future__ import annotations

import asyncio
import hmac
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
from houses import Seconds
from loops import each
from memories import Clock, a_memory, a_store
from relembra import Memory
from relembra.interfaces.http.app import create_app
from relembra.interfaces.http.callers import Gate
from relembra.interfaces.http.problems import UnauthorizedError
from relembra.interfaces.http.webhooks import SIGNATURE, WINDOW, Sent, check, signed
from relembra.interfaces.requests import Buckets
from relembra.settings import Settings
from scripted import rate_limited, scripted, spoken

SECRET = "shared with n8n"
WHERE = "/v1/webhooks/whatsapp"
TELEGRAM = "/v1/webhooks/telegram"
OI = {"id": "m1", "from": "+55", "text": "oi"}


@dataclass
class Receiver:
    """A server with webhooks, its memory and its clock."""

    memory: Memory
    client: httpx.AsyncClient
    clock: Clock
    seconds: Seconds

    async def post(self, body: object, *, secret: str = SECRET, where: str = WHERE, **headers: Any) -> httpx.Response:
        self.seconds.now += 60  # or wrong signatures would be slowed down
        content = json.dumps(body).encode()
        sent = headers or {SIGNATURE: signed(secret, Sent(where, content), self.clock())}
        return await self.client.post(where, content=content, headers=sent)

    async def said(self, text: str, *, id: str = "m1", sender: str = "+55 11 9", where: str = WHERE) -> dict[str, Any]:
        response = await self.post({"id": id, "from": sender, "text": text}, where=where)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    async def kept(self, user: str = "whatsapp:+55") -> list[str]:
        return [message.text for message in await self.memory.messages(user=user)]


@asynccontextmanager
async def a_receiver(**chosen_settings: Any) -> AsyncIterator[Receiver]:
    clock, seconds = Clock(), Seconds()
    chosen = Settings(**{"webhook_secret": SECRET, **chosen_settings})
    async with a_memory(await a_store("memory", None), clock=clock) as memory:  # type: ignore[arg-type]
        gate = Gate(memory=memory, is_open=False, tenant="default", clock=clock, wrong=Buckets(seconds=seconds))
        app = create_app(memory, chosen, is_open=False, gate=gate)
        transport = httpx.ASGITransport(app, client=("10.0.0.9", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://memory.example") as client:
            try:
                yield Receiver(memory, client, clock, seconds)
            finally:
                await app.state.upstreams.close()


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with a_receiver() as opened:
        yield opened


async def test_a_signature_is_of_one_secret_body_method_channel_query_and_moment(receiver: Receiver) -> None:
    body = json.dumps(OI).encode()
    now, soon = receiver.clock(), timedelta(minutes=5.1)
    moments = ["999999999999", "253402300800", "0", "-1", "1e9", "", "٣", " 1", "1" * 13]
    wrong: list[dict[str, Any]] = [
        {"x-nothing": "1"},
        {SIGNATURE: "t=1,v1=00"},
        {SIGNATURE: "nonsense"},
        {SIGNATURE: signed("another", Sent(WHERE, body), now)},
        {SIGNATURE: signed(SECRET, Sent(WHERE, body + b" "), now)},
        {SIGNATURE: signed(SECRET, Sent(WHERE, body, "PUT"), now)},
        *({SIGNATURE: signed(SECRET, Sent(WHERE, body), now + off)} for off in (soon, -soon)),
        *({SIGNATURE: signed(SECRET, Sent(other, body), now)} for other in (TELEGRAM, f"{WHERE}?a=b", f"{WHERE}?", "")),
    ]
    for moment in moments:
        code = hmac.new(SECRET.encode(), f"{moment}\nPOST\n{WHERE}\n".encode() + body, "sha256").hexdigest()
        wrong.append({SIGNATURE: f"t={moment},v2={code}".encode()})
    for headers in wrong:
        assert (await receiver.post(OI, **headers)).status_code == 401, headers
    assert await receiver.kept() == []


async def test_what_is_signed_is_the_address_as_it_is_written_within_five_minutes(receiver: Receiver) -> None:
    for where in (f"{WHERE}?flow=7&x=%C3%A7", "/v1/webhooks/whats%61pp", "/v1/webhooks/meu%20canal"):
        assert (await receiver.post(OI, where=where)).status_code == 200
    for minutes in (4.9, -4.9):
        sent = signed(SECRET, Sent(WHERE, json.dumps(OI).encode()), receiver.clock() - timedelta(minutes=minutes))
        assert (await receiver.post(OI, **{SIGNATURE: sent})).status_code == 200


async def test_a_channel_has_its_own_secret_and_no_secret_takes_nothing() -> None:
    async with a_receiver(webhook_secret="", webhooks={"whatsapp": "theirs"}) as receiver:
        assert (await receiver.post(OI, secret="theirs")).status_code == 200
        other = await receiver.post(OI, secret="theirs", where=TELEGRAM)
        assert (other.status_code, "webhook_secret" in other.json()["detail"]) == (404, True)


async def test_a_message_is_kept_once_and_answered_with_what_is_remembered(receiver: Receiver) -> None:
    user = "whatsapp:+55 11 9"
    await receiver.memory.add("É alérgica a amendoim", user=user)
    secret = await receiver.memory.add("Esconde amendoim na terça", user=user, local_only=True)
    text = "o que posso comer, com minha alergia a amendoim?"
    answer = await receiver.said(text)
    assert ("amendoim" in answer["context"]["text"], answer["reply"]) == (True, None)
    assert secret.content not in json.dumps(answer, ensure_ascii=False), "local-only is not handed to another program"
    receiver.clock.move(hours=3)
    assert await receiver.said(text) == answer
    assert await receiver.kept(user) == [text]
    other = await receiver.post({"id": "m1", "from": "+55 11 9", "text": "moro em Olinda"})
    assert other.status_code == 409, "an id that says something else"
    command = await receiver.said("/lembrar que a senha do portão é girassol", id="m2")
    assert (command["command"], bool(command["reply"])) == (True, True)
    await receiver.memory.forget(user=user, all=True)
    again = await receiver.said(text)
    assert "É alérgica" not in str(again), "forgetting takes the kept answers along"
    assert await receiver.kept(user) == [text]


async def test_many_deliveries_of_one_message_at_once_keep_one_under_the_name_it_had_first(receiver: Receiver) -> None:
    answers = await asyncio.gather(*(receiver.post(OI | {"name": name}) for name in ("Clara", *["Clara S."] * 7)))
    assert {answer.status_code for answer in answers} <= {200, 409}
    [message] = await receiver.memory.messages(user="whatsapp:+55")
    assert message.author_name == "Clara"


@pytest.mark.parametrize(
    ("minutes", "status"),
    [(-60 * 24 * 365 * 1900, 422), (-60 * 24 * 30, 200), (4.9, 200), (5.1, 422), (60 * 24 * 365 * 70, 422)],
)
async def test_no_message_is_of_a_time_to_come(receiver: Receiver, minutes: float, status: int) -> None:
    at = (receiver.clock() + timedelta(minutes=minutes)).isoformat()
    assert (await receiver.post(OI | {"at": at})).status_code == status
    assert len(await receiver.kept()) == (status == 200)


async def test_with_a_model_the_reply_comes_back_and_one_that_fails_loses_nothing() -> None:
    with scripted() as model:
        model.script(rate_limited("7"), spoken("Claro: nada com amendoim."))
        async with a_receiver(upstream=model.url, upstream_model="m") as receiver:
            await receiver.memory.add("É alérgica a amendoim", user="whatsapp:+55")
            text = "posso comer paçoca, com minha alergia?"
            failed = await receiver.post(OI | {"text": text})
            assert (failed.status_code, failed.headers["retry-after"]) == (502, "7")
            assert await receiver.kept() == [text]
            answer = await receiver.said(text, sender="+55")
            assert answer["reply"] == "Claro: nada com amendoim."
            assert "amendoim" in model.requests[-1].system
            assert set(await receiver.kept()) == {text, "Claro: nada com amendoim."}
            assert await receiver.said(text, sender="+55") == answer
            assert model.calls == 2


async def test_one_person_goes_on_from_one_channel_to_the_other(receiver: Receiver) -> None:
    await receiver.memory.link("whatsapp", "+55 (11) 91234-5678", user="ana")
    await receiver.memory.link("telegram", "777", user="ana")
    sent = await receiver.said("a reunião com a Marta mudou para quinta às 15h", sender="5511912345678")
    assert sent["user"] == "ana", "a telephone number is the same however it is written"
    question = "quando é a reunião com a Marta?"
    answer = await receiver.said(question, sender="777", where=TELEGRAM, id="t1")
    assert (answer["user"], "quinta às 15h" in answer["context"]["text"]) == ("ana", True)
    stranger = await receiver.said(question, sender="778", where=TELEGRAM, id="t2")
    assert "15h" not in stranger["context"]["text"]


@each([[], "text", {}, OI | {"text": ""}, OI | {"more": 1}, OI | {"at": "2026-11-15T10:00:00"}])
async def test_what_is_no_message_gets_a_clear_answer(body: object, receiver: Receiver) -> None:
    response = await receiver.post(body)
    assert response.status_code == 422
    assert response.json()["detail"]


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
)


@given(TEXTS, st.binary(max_size=20), st.integers(-600, 600))
def test_the_right_one_is_believed_within_its_time(path: str, body: bytes, off: int) -> None:
    sent, at = Sent(f"/v1/webhooks/{path}", body), NOW.replace(microsecond=0) + timedelta(seconds=off)
    header = {SIGNATURE: signed(SECRET, sent, at)}
    if abs(NOW - at) <= WINDOW:
        check(SECRET, header, sent, now=NOW)
    else:
        with pytest.raises(UnauthorizedError):
            check(SECRET, header, sent, now=NOW)
    with pytest.raises(UnauthorizedError):
        check(SECRET, header, replace(sent, target=sent.target + "?"), now=NOW)


@settings(max_examples=10)
@given(st.lists(st.tuples(HEADERS | st.none(), BODIES), min_size=10, max_size=20))
def test_whatever_is_sent_gets_a_clear_answer(requests: list[tuple[str | None, bytes]]) -> None:
    async def answers() -> list[httpx.Response]:
        async with a_receiver() as receiver:
            return [await sent(receiver, *request) for request in requests]

    async def sent(receiver: Receiver, value: str | None, body: bytes) -> httpx.Response:
        header = signed(SECRET, Sent(WHERE, body), receiver.clock()) if value is None else value
        receiver.seconds.now += 60
        return await receiver.client.post(WHERE, content=body, headers=[(SIGNATURE.encode(), header.encode())])

    for request, answer in zip(requests, asyncio.run(answers()), strict=True):
        assert answer.status_code in (200, 400, 401, 409, 422), (request, answer.text)
