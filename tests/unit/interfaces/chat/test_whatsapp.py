"""WhatsApp's Cloud API over real HTTP on loopback: what is kept, what is sent back, and that it is sent once."""

from __future__ import annotations

import asyncio
import logging
import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from houses import lived_in
from loops import each
from relembra.domain.jobs import REPLY, JobState
from relembra.domain.message import Role
from relembra.interfaces.http.app import create_app
from scripted import Silence, scripted, spoken
from whatsapps import ANA, BIA, NUMBER, SECRET, TOKEN, VERIFY, WHERE, Graph, a_delivery, a_message, a_phone

ANA_NAME, BIA_NAME = f"whatsapp:{ANA}", f"whatsapp:{BIA}"
MODEL: dict[str, Any] = {"upstream_model": "m"}


async def test_meta_is_answered_when_it_asks_whether_we_are_there() -> None:
    asked = {"hub.mode": "subscribe", "hub.challenge": "1158201444", "hub.verify_token": VERIFY}
    async with a_phone() as phone:
        right = await phone.client.get(WHERE, params=asked)
        wrong = await phone.client.get(WHERE, params=asked | {"hub.verify_token": "guessed"})
    assert (right.status_code, right.text) == (200, "1158201444")
    assert wrong.status_code == 403
    assert VERIFY not in wrong.text


async def test_several_messages_in_one_delivery_are_kept_with_names_and_answered_each() -> None:
    image = {"from": ANA, "id": "wamid.3", "timestamp": "1772366340", "type": "image", "image": {"id": "1"}}
    messages = [a_message("Moro em Recife."), a_message("I play chess.", id="wamid.2", sender=BIA), image]
    async with a_phone() as phone:
        assert len(await phone.hears(messages)) == 2
        [ana] = await phone.memory.messages(user=ANA_NAME)
        [bia] = await phone.memory.messages(user=BIA_NAME)
        sent = sorted(phone.graph.asked, key=lambda one: one[2]["to"])
        statuses = await phone.delivers(a_delivery(statuses=[{"id": "wamid.r1", "status": "read"}]))
        elsewhere = await phone.delivers(a_delivery(a_message("oi", id="wamid.9"), number="another"))
        assert [one.json() for one in (statuses, elsewhere)] == [{"taken": 0}] * 2
        assert (await phone.memory.stats()).messages == 2
    assert (ana.text, ana.author_name, ana.conversation) == ("Moro em Recife.", "Ana Souza", "whatsapp")
    assert ana.sent_at == datetime(2026, 3, 1, 11, 59, tzinfo=UTC)
    assert (bia.text, bia.author_name, bia.place.is_private) == ("I play chess.", "Bia", True)
    path, key, body = sent[0]
    assert (path, key) == (f"/v25.0/{NUMBER}/messages", f"Bearer {TOKEN}")
    assert (body["to"], body["context"], body["type"]) == (ANA, {"message_id": "wamid.1"}, "text")


async def test_a_delivery_that_comes_again_changes_nothing_and_is_answered_once() -> None:
    async with a_phone() as phone:
        await phone.says("Moro em Recife.")
        [kept] = await phone.says("/lembrar que prefiro chá", id="wamid.2")
        again = [a_message("Moro em Recife."), a_message("/lembrar que prefiro chá", id="wamid.2")]
        assert await phone.hears(again) == []
        phone.house.clock.move(days=3)
        assert await phone.hears(again) == [], "what is that old is no longer answered"
        assert "chá" in kept
        assert len(await phone.memory.messages(user=ANA_NAME)) == 1


async def test_commands_are_answered_there_and_a_receipt_outlives_what_it_tells_of() -> None:
    async with a_phone() as phone:
        await phone.memory.add("Prefere chá verde", user=ANA_NAME)
        [help] = await phone.says("/help", id="wamid.1")
        [found] = await phone.says("/recall chá", id="wamid.2")
        [wrong] = await phone.says("/esquecer 0000", id="wamid.3")
        [gone] = await phone.says("/forget everything for good", id="wamid.4")
        assert (await phone.memory.stats()).jobs == {}
        assert (await phone.memory.stats(user=ANA_NAME)).messages == 0
    assert ("/recall" in help, "chá verde" in found, "0000" in wrong) == (True, True, True)
    assert any(char.isdigit() for char in gone)


async def test_with_a_model_its_reply_is_sent_and_asked_for_once_whatever_happens() -> None:
    with scripted(spoken("Em Recife.")) as model:
        async with a_phone(upstream=model.url, **MODEL) as phone:
            phone.graph.fails(503)
            assert await phone.says("onde eu moro?") == ["Em Recife."]
            [job] = await phone.memory.jobs(kind=REPLY)
            of = str(job.payload["of"])
            assert not any("moro" in str(part) for part in job.payload.values())
            await phone.memory.drop_reply(caller="reply:whatsapp", key=of)  # as if the process ended before it was kept
            phone.house.clock.move(minutes=1)
            await phone.memory.settle()
            assert phone.graph.texts == ["Em Recife.", "Em Recife."]
            assert await phone.says("onde eu moro?") == []
        assert model.calls == 1


async def test_who_is_linked_is_one_person_across_channels_and_a_stranger_is_not() -> None:
    async with a_phone() as phone:
        await phone.memory.link("whatsapp", "+55 11 91234-5678", user="ana")
        await phone.memory.add("A reunião com a Marta é quinta às 15h", user="ana")
        question = "quando é a reunião com a Marta?"
        [told] = await phone.says(question)
        [stranger] = await phone.says(question, id="wamid.2", sender=BIA)
        assert [one.text for one in await phone.memory.messages(user="ana")] == [question]
    assert ("15h" in told, "15h" in stranger) == (True, False)


async def test_a_server_that_stops_sends_no_excuse_and_the_next_one_answers() -> None:
    asked = threading.Event()

    def silent(_: object) -> Silence:
        asked.set()
        return Silence()

    with scripted(silent, spoken("Em Recife.")) as model:
        async with a_phone(upstream=model.url, **MODEL) as phone:
            response = await phone.delivers(a_delivery(a_message("onde eu moro?")))
            assert response.status_code == 200
            at_work = asyncio.create_task(phone.memory.settle())
            await asyncio.to_thread(asked.wait, 60)
            replies = phone.house.app.state.replies
            await phone.memory.send_replies(None)
            await replies.close(grace_seconds=0.0)
            await at_work
            assert phone.graph.texts == []
            [job] = await phone.memory.jobs(kind=REPLY)
            assert (job.state, "the server stops" in str(job.error)) == (JobState.WAITING, True)
            phone.house.clock.move(minutes=2)
            assert await phone.memory.settle() == 0, "nobody here knows how to send any more"
            again = create_app(phone.memory, phone.house.app.state.settings, is_open=False)
            async with lived_in(again):
                await phone.memory.settle()
                assert phone.graph.texts == ["Em Recife."]


async def test_an_old_message_is_found_among_many_newer_ones() -> None:
    async with a_phone() as phone:
        await phone.delivers(a_delivery(a_message("I keep bees in the garden.")))
        for number in range(3):
            some = [{"role": "assistant", "content": f"Line {number} {one}"} for one in range(100)]
            await phone.memory.save(user=ANA_NAME, messages=some, at=phone.house.clock())
        await phone.memory.settle()
        assert len(phone.graph.texts) == 1


async def test_who_hides_their_number_is_the_one_who_showed_it_and_is_answered_by_their_id() -> None:
    id = "BR.1502576394655843"
    shown = a_message("Moro em Recife.", from_user_id=id)
    hidden = a_message("onde eu moro?", id="wamid.2", sender=id)
    stranger = a_message("onde eu moro?", id="wamid.3", sender="BR.77")
    for one in (hidden, stranger):
        one["from_user_id"] = one.pop("from")
    in_a_group = a_message("oi", id="wamid.4", group_id="G1")
    async with a_phone() as phone:
        for message in (shown, hidden, stranger, in_a_group):
            contacts = [{"profile": {"name": "Ana"}, "user_id": message.get("from_user_id", "")}]
            await phone.delivers(a_delivery(contacts=contacts, messages=[message]))
        await phone.memory.settle()
        sent = {body.get("context", {}).get("message_id"): body for _, _, body in phone.graph.asked}
        said = [one.text for one in await phone.memory.messages(user=ANA_NAME)]
        [other] = await phone.memory.messages(user="whatsapp:BR.77")
    assert said == ["onde eu moro?", "Moro em Recife."]
    assert (other.author_name, set(sent)) == ("Ana", {"wamid.1", "wamid.2", "wamid.3"})
    assert (sent["wamid.1"]["to"], "recipient" in sent["wamid.1"]) == (ANA, False)
    assert (sent["wamid.2"]["recipient"], "to" in sent["wamid.2"]) == (id, False)


async def test_what_stays_here_is_not_sent() -> None:
    async with a_phone() as phone:
        await phone.memory.add("Esconde a chave no vaso", user=ANA_NAME, local_only=True)
        [told] = await phone.says("onde está a chave?")
    assert "vaso" not in told


@each([
    (429, 0, {"Retry_After": "120"}, 120), (429, 0, {"Retry_After": "5"}, 24), (500, 0, {}, 24),
    (400, 131056, {}, 24), (401, 190, {}, 24),
])  # fmt: skip
async def test_what_goes_by_is_tried_again_after_the_time_asked_for(
    status: int, code: int, headers: dict[str, str], seconds: int
) -> None:
    async with a_phone() as phone:
        phone.graph.fails(status, code=code, **headers)
        await phone.says("Moro em Recife.")
        phone.house.clock.move(seconds=seconds - 1)
        await phone.memory.settle()
        assert len(phone.graph.asked) == 1, "not before its time"
        phone.house.clock.move(seconds=20)
        await phone.memory.settle()
        assert len(phone.graph.asked) == 2
        assert await phone.memory.jobs(kind=REPLY) == []


async def test_what_is_refused_for_good_is_given_up_and_shown() -> None:
    async with a_phone() as phone:
        phone.graph.fails(400, code=131026)
        await phone.says("Moro em Recife.")
        [job] = await phone.memory.failed_jobs()
        assert (job.kind, job.state, job.error) == (REPLY, JobState.DEAD, "WhatsApp answered 400, code 131026")


async def test_a_long_reply_comes_in_pieces_and_goes_on_where_it_broke_off() -> None:
    long = "\n".join(f"linha {number} " + "x" * 90 for number in range(100))
    with scripted(spoken(long)) as model:
        graph = Graph()
        graph.script.append((200, {}, {}))
        graph.fails(502)
        async with a_phone(graph, upstream=model.url, **MODEL) as phone:
            first, broken = await phone.says("conte tudo")
            phone.house.clock.move(minutes=1)
            await phone.memory.settle()
            rest = phone.graph.texts[2:]
    assert rest[0] == broken
    assert "\n".join([first, *rest]) == long
    assert max(map(len, [first, *rest])) <= 4_096


async def test_only_what_meta_signed_is_taken() -> None:
    async with a_phone() as phone:
        body = a_delivery(a_message("Moro em Recife."))
        assert (await phone.delivers(body, secret="guessed")).status_code == 401
        unsigned = await phone.client.post(WHERE, json=body)
        assert (unsigned.status_code, SECRET in unsigned.text) == (401, False)
        for content in (b"", b"[]", b'{"entry": 1}', b'{"entry": [{"changes": [{}]}]}', b"{" * 5_000):
            assert (await phone.delivers(None, content=content)).status_code == 422, content
        odd = [
            {"id": "x"},
            {"id": "x", "timestamp": "1", "text": {"body": "oi"}},
            a_message("oi", at="soon"),
            a_message("oi", at=10**20),
        ]
        change = a_delivery(a_message("Moro aqui."))
        change["entry"][0]["changes"][0]["value"]["messages"] += odd
        assert (await phone.delivers(change)).json() == {"taken": 1}
        assert (await phone.memory.stats()).messages == 1


@each([{"whatsapp_token": ""}, {"whatsapp_app_secret": "", "whatsapp_verify_token": ""}])
async def test_half_set_up_it_says_what_is_missing(without: dict[str, Any]) -> None:
    async with a_phone(**without) as phone:
        response = await phone.delivers(a_delivery(a_message("oi")))
        assert response.status_code == 404
        assert all(name in response.json()["detail"] for name in without)


async def test_someone_blocked_is_told_so_and_nothing_of_theirs_is_kept() -> None:
    async with a_phone(blocked=[ANA_NAME]) as phone:
        [told] = await phone.says("Moro em Recife.")
        assert (await phone.memory.stats()).messages == 0
    assert told


async def test_neither_secrets_nor_numbers_nor_words_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with a_phone() as phone:
            phone.graph.fails(500)
            await phone.says("Moro em Recife.")
            await phone.delivers(a_delivery(a_message("oi")), secret="guessed")
    ours = [record for record in caplog.records if record.name.startswith(("relembra", "httpx", "httpcore"))]
    assert ours
    for word in (TOKEN, SECRET, VERIFY, "Recife", ANA):
        assert not any(word in record.getMessage() for record in ours), word


async def test_replies_are_of_the_kept_message(caplog: pytest.LogCaptureFixture) -> None:
    """One that is forgotten before it is answered is not answered."""
    with scripted() as model:
        async with a_phone(upstream=model.url, **MODEL) as phone:
            response = await phone.delivers(a_delivery(a_message("Moro em Recife.")))
            assert response.status_code == 200
            await phone.memory.forget(user=ANA_NAME, conversation="whatsapp")
            await phone.memory.settle()
            assert (phone.graph.asked, model.calls) == ([], 0)
    assert not caplog.records or all(record.levelno < logging.ERROR for record in caplog.records)


async def test_the_assistants_words_are_kept_as_its_own() -> None:
    with scripted(spoken("Em Recife.")) as model:
        async with a_phone(upstream=model.url, **MODEL) as phone:
            await phone.says("onde eu moro?")
            newest = (await phone.memory.messages(user=ANA_NAME))[0]
    assert (newest.role, newest.text, newest.conversation) == (Role.ASSISTANT, "Em Recife.", "whatsapp")
