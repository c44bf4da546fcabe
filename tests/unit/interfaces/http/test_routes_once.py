"""Writes sent twice under an Idempotency-Key are done once, whatever comes between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from houses import House, a_house
from loops import each
from relembra.errors import StoreUnavailableError
from serving import client_of

SAID = {"user": "ana", "said": "Eu moro em Lisboa."}


@pytest.fixture(params=["memory", "sqlite"])
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    folder = tmp_path if request.param == "sqlite" else None
    async with a_house(is_open=True, folder=folder) as made:
        yield made


def once(key: str = "k1") -> dict[str, str]:
    return {"Idempotency-Key": key}


async def said_so_far(house: House, user: str = "ana") -> int:
    return len(await house.memory.messages(user=user))


async def test_a_write_sent_twice_is_done_once_and_answered_the_same(house: House, client: httpx.AsyncClient) -> None:
    first = await client.post("/v1/messages", json=SAID, headers=once())
    second = await client.post("/v1/messages", json=SAID, headers=once())
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"
    assert second.headers["content-type"] == first.headers["content-type"]
    assert await said_so_far(house) == 1


async def test_without_a_key_and_under_another_it_is_done_again(house: House, client: httpx.AsyncClient) -> None:
    for headers in ({}, {}, once("a"), once("b")):
        await client.post("/v1/messages", json=SAID, headers=headers)
    assert await said_so_far(house) == 4


async def test_the_tag_of_an_item_is_answered_again_too(client: httpx.AsyncClient) -> None:
    body = {"user": "ana", "content": "Toca violão."}
    first = await client.post("/v1/knowledge", json=body, headers=once())
    second = await client.post("/v1/knowledge", json=body, headers=once())
    assert first.headers["etag"] == second.headers["etag"]


async def test_the_same_key_for_something_else_is_refused(house: House, client: httpx.AsyncClient) -> None:
    await client.post("/v1/messages", json=SAID, headers=once())
    others: list[tuple[str, dict[str, Any]]] = [
        ("/v1/messages", SAID | {"said": "Eu moro no Porto."}),
        ("/v1/messages?x=1", SAID),
        ("/v1/learn", {"user": "ana"}),
    ]
    for path, body in others:
        answer = await client.post(path, json=body, headers=once())
        assert answer.status_code == 409
    assert await said_so_far(house) == 1


async def test_many_at_once_under_one_key_are_one_write(house: House, client: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(client.post("/v1/messages", json=SAID, headers=once()) for _ in range(20)))
    assert await said_so_far(house) == 1
    assert {answer.status_code for answer in answers} <= {201, 409}
    done = [answer for answer in answers if answer.status_code == 201]
    assert len({answer.content for answer in done}) == 1
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 409)
    assert (await client.post("/v1/messages", json=SAID, headers=once())).content == done[0].content


async def test_a_request_that_was_refused_may_be_sent_right_under_the_same_key(client: httpx.AsyncClient) -> None:
    wrong = await client.post("/v1/messages", json={"user": "ana"}, headers=once())
    assert wrong.status_code == 422
    right = await client.post("/v1/messages", json=SAID, headers=once())
    assert (right.status_code, right.headers.get("idempotent-replayed")) == (201, None)


async def test_a_write_that_failed_may_be_tried_again(house: House) -> None:
    class Failing:
        """The memory, whose next save finds the store out of reach."""

        def __init__(self) -> None:
            self.left = 1

        def __getattr__(self, name: str) -> Any:
            return getattr(house.memory, name)

        async def save(self, **given: Any) -> Any:
            if self.left:
                self.left -= 1
                raise StoreUnavailableError("out of reach for a moment")
            return await house.memory.save(**given)

    house.app.state.memory = Failing()
    async with house.client(peer="127.0.0.1") as client:
        assert (await client.post("/v1/messages", json=SAID, headers=once())).status_code == 503
        again = await client.post("/v1/messages", json=SAID, headers=once())
    assert (again.status_code, again.headers.get("idempotent-replayed")) == (201, None)
    assert await said_so_far(house) == 1


async def test_whoever_leaves_before_it_is_done_may_send_it_again(house: House) -> None:
    held, arrived = asyncio.Event(), asyncio.Event()

    class Slow:
        def __getattr__(self, name: str) -> Any:
            return getattr(house.memory, name)

        async def save(self, **given: Any) -> Any:
            if not held.is_set():
                arrived.set()
                await held.wait()
            return await house.memory.save(**given)

    house.app.state.memory = Slow()
    async with house.client(peer="127.0.0.1") as client:
        left = asyncio.create_task(client.post("/v1/messages", json=SAID, headers=once()))
        await arrived.wait()
        busy = await client.post("/v1/messages", json=SAID, headers=once())
        assert (busy.status_code, "retry-after" in busy.headers) == (409, True)
        left.cancel()
        await asyncio.gather(left, return_exceptions=True)
        held.set()
        assert (await client.post("/v1/messages", json=SAID, headers=once())).status_code == 201
    assert await said_so_far(house) == 1


async def test_keys_of_two_callers_have_nothing_to_do_with_each_other(house: House) -> None:
    for key in ("write", "ana-write", "admin"):
        async with client_of(house, key) as client:
            answer = await client.post("/v1/messages", json=SAID, headers=once())
            assert (answer.status_code, answer.headers.get("idempotent-replayed")) == (201, None)
    assert await said_so_far(house) == 3


async def test_forgetting_takes_the_kept_answers_along(house: House, client: httpx.AsyncClient) -> None:
    added = {"user": "ana", "content": "Esconde as joias no jardim."}
    item = (await client.post("/v1/knowledge", json=added, headers=once())).json()
    asked = {"user": "ana", "query": "joias"}
    await client.post("/v1/search", json=asked, headers=once("s"))
    await client.post("/v1/forget", json={"user": "ana", "item": item["id"]})
    again = await client.post("/v1/search", json=asked, headers=once("s"))
    assert (again.json(), again.headers.get("idempotent-replayed")) == ({"hits": []}, None)
    stays = await client.post("/v1/knowledge", json={"user": "bia", "content": "Toca violão."}, headers=once("b"))
    await client.post("/v1/forget", json={"user": "ana", "all": True})
    there = await client.post("/v1/knowledge", json={"user": "bia", "content": "Toca violão."}, headers=once("b"))
    assert there.content == stays.content


async def test_what_a_space_was_told_goes_when_anybody_there_is_forgotten(client: httpx.AsyncClient) -> None:
    for user in ("ana", "bia"):
        said = {"user": user, "said": f"{user} esconde as joias no jardim.", "space": "casa"}
        await client.post("/v1/messages", json=said)
    asked = {"user": "ana", "query": "joias", "space": "casa"}
    await client.post("/v1/context", json=asked, headers=once())
    await client.post("/v1/forget", json={"user": "bia", "all": True})
    again = await client.post("/v1/context", json=asked, headers=once())
    assert again.headers.get("idempotent-replayed") is None
    assert "bia esconde" not in again.text


async def test_an_answer_is_kept_for_a_day(house: House, client: httpx.AsyncClient) -> None:
    await client.post("/v1/messages", json=SAID, headers=once())
    house.clock.move(hours=23)
    assert "idempotent-replayed" in (await client.post("/v1/messages", json=SAID, headers=once())).headers
    house.clock.move(hours=2)
    later = await client.post("/v1/messages", json=SAID, headers=once())
    assert (later.status_code, later.headers.get("idempotent-replayed")) == (201, None)


@each(["", " ", "x" * 201])
async def test_a_key_that_is_none_is_refused(key: str, house: House, client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/messages", json=SAID, headers=once(key))
    assert (answer.status_code, answer.json()["field"]) == (422, "Idempotency-Key")
    assert await said_so_far(house) == 0


async def test_reading_minds_no_key(house: House, client: httpx.AsyncClient) -> None:
    for _ in range(2):
        answer = await client.get("/v1/messages?user=ana", headers=once())
        assert "idempotent-replayed" not in answer.headers
        await house.memory.save(user="ana", said="Mais uma.")
    assert len((await client.get("/v1/messages?user=ana", headers=once())).json()["items"]) == 2


async def test_a_message_whose_answer_was_lost_in_a_crash_is_known_again(
    house: House, client: httpx.AsyncClient
) -> None:
    first = (await client.post("/v1/messages", json=SAID, headers=once())).json()
    house.clock.move(hours=25)  # nothing is known of the answer any more
    again = (await client.post("/v1/messages", json=SAID, headers=once())).json()
    assert (again["new"], again["messages"]) == (False, first["messages"])
    house.clock.move(hours=25)
    other = await client.post("/v1/messages", json=SAID | {"said": "Moro em Olinda."}, headers=once())
    assert other.json()["new"] is True
