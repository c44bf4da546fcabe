"""Writes sent twice under an Idempotency-Key are done once, whatever comes between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from houses import House, a_house
from relembra.errors import StoreUnavailableError
from serving import client_of

SAID = {"user": "ana", "said": "Eu moro em Lisboa."}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(is_open=True, folder=tmp_path) as made:
        yield made


def once(key: str = "k1") -> dict[str, str]:
    return {"Idempotency-Key": key}


def is_new(answer: httpx.Response) -> bool:
    return answer.status_code in (200, 201) and "idempotent-replayed" not in answer.headers


async def said_so_far(house: House, user: str = "ana") -> int:
    return len(await house.memory.messages(user=user))


async def test_a_write_sent_twice_is_done_once_and_answered_the_same(house: House, client: httpx.AsyncClient) -> None:
    for key in ("", " ", "x" * 201):
        answer = await client.post("/v1/messages", json=SAID, headers=once(key))
        assert (answer.status_code, answer.json()["field"]) == (422, "Idempotency-Key")
    wrong = await client.post("/v1/messages", json={"user": "ana"}, headers=once())
    assert wrong.status_code == 422
    first, second = [await client.post("/v1/messages", json=SAID, headers=once()) for _ in range(2)]
    assert is_new(first), "one that was refused may be sent right under the same key"
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert second.headers["idempotent-replayed"] == "true"
    assert second.headers["content-type"] == first.headers["content-type"]
    assert await said_so_far(house) == 1
    others: list[tuple[str, dict[str, Any]]] = [
        ("/v1/messages", SAID | {"said": "Eu moro no Porto."}),
        ("/v1/messages?x=1", SAID),
        ("/v1/learn", {"user": "ana"}),
    ]
    for path, body in others:
        assert (await client.post(path, json=body, headers=once())).status_code == 409
    assert await said_so_far(house) == 1
    for headers in ({}, once("another")):
        assert is_new(await client.post("/v1/messages", json=SAID, headers=headers))
    assert is_new(await client.get("/v1/messages?user=ana", headers=once()))
    item = {"user": "ana", "content": "Toca violão."}
    tags = [(await client.post("/v1/knowledge", json=item, headers=once("i"))).headers["etag"] for _ in range(2)]
    assert tags[0] == tags[1]
    for key in ("write", "ana-write", "admin"):
        async with client_of(house, key) as caller:
            assert is_new(await caller.post("/v1/messages", json=SAID, headers=once()))


async def test_many_at_once_under_one_key_are_one_write(house: House, client: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(client.post("/v1/messages", json=SAID, headers=once()) for _ in range(20)))
    assert await said_so_far(house) == 1
    assert {answer.status_code for answer in answers} <= {201, 409}
    done = [answer for answer in answers if answer.status_code == 201]
    assert len({answer.content for answer in done}) == 1
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 409)
    assert (await client.post("/v1/messages", json=SAID, headers=once())).content == done[0].content


async def test_a_write_that_failed_or_was_left_may_be_tried_again(house: House) -> None:
    arrived = asyncio.Event()

    class Troubled:
        """The memory, whose first save finds the store out of reach and whose second one takes for ever."""

        saves = 0

        def __getattr__(self, name: str) -> Any:
            return getattr(house.memory, name)

        async def save(self, **given: Any) -> Any:
            self.saves += 1
            if self.saves == 1:
                raise StoreUnavailableError("no server answers at postgresql://db.internal/memory")
            if self.saves == 2:
                arrived.set()
                await asyncio.Event().wait()
            return await house.memory.save(**given)

    house.app.state.memory = Troubled()
    async with house.client(peer="127.0.0.1") as client:
        troubled = await client.post("/v1/messages", json=SAID, headers=once())
        assert (troubled.status_code, "internal" in troubled.text) == (503, False)
        left = asyncio.create_task(client.post("/v1/messages", json=SAID, headers=once()))
        await arrived.wait()
        busy = await client.post("/v1/messages", json=SAID, headers=once())
        assert (busy.status_code, "retry-after" in busy.headers) == (409, True)
        left.cancel()
        await asyncio.gather(left, return_exceptions=True)
        assert is_new(await client.post("/v1/messages", json=SAID, headers=once()))
    assert await said_so_far(house) == 1


async def test_forgetting_takes_the_kept_answers_along(client: httpx.AsyncClient) -> None:
    added = {"user": "ana", "content": "Esconde as joias no jardim."}
    item = (await client.post("/v1/knowledge", json=added, headers=once())).json()
    asked = {"user": "ana", "query": "joias"}
    await client.post("/v1/search", json=asked, headers=once("s"))
    await client.post("/v1/forget", json={"user": "ana", "item": item["id"]})
    again = await client.post("/v1/search", json=asked, headers=once("s"))
    assert (again.json(), is_new(again)) == ({"hits": []}, True)
    bia = {"user": "bia", "content": "Toca violão."}
    stays = await client.post("/v1/knowledge", json=bia, headers=once("b"))
    for user in ("ana", "bia"):
        said = {"user": user, "said": f"{user} esconde as joias no jardim.", "space": "casa"}
        await client.post("/v1/messages", json=said)
    await client.post("/v1/context", json=asked | {"space": "casa"}, headers=once("c"))
    await client.post("/v1/forget", json={"user": "ana", "all": True})
    assert (await client.post("/v1/knowledge", json=bia, headers=once("b"))).content == stays.content
    await client.post("/v1/forget", json={"user": "bia", "all": True})
    told = await client.post("/v1/context", json=asked | {"space": "casa"}, headers=once("c"))
    assert is_new(told), "what a space was told goes when anybody there is forgotten"
    assert "bia esconde" not in told.text


async def test_an_answer_is_kept_for_a_day_and_a_message_known_again_after_it(
    house: House, client: httpx.AsyncClient
) -> None:
    first = (await client.post("/v1/messages", json=SAID, headers=once())).json()
    house.clock.move(hours=23)
    assert not is_new(await client.post("/v1/messages", json=SAID, headers=once()))
    house.clock.move(hours=2)  # nothing is known of the answer any more, as after a crash
    again = (await client.post("/v1/messages", json=SAID, headers=once())).json()
    assert (again["new"], again["messages"]) == (False, first["messages"])
    house.clock.move(hours=25)
    other = await client.post("/v1/messages", json=SAID | {"said": "Moro em Olinda."}, headers=once())
    assert other.json()["new"] is True
