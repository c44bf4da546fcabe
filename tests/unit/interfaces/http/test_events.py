"""Server-sent events over a real connection: told as it happens, to everybody who listens, and taken up again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from builders import an_entry
from houses import House, a_house
from proxies import served
from relembra.interfaces.http.handlers import events
from relembra.interfaces.http.schemas import model_of
from relembra.items import Told

PATIENCE = 60.0  # seconds until a stream that says nothing is taken for broken


class Listener:
    """One open stream."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def next(self) -> dict[str, Any]:
        """The next event, comments passed over."""
        parts: dict[str, str] = {}
        async with asyncio.timeout(PATIENCE):
            async for line in self._lines:
                if not line and parts:
                    data: dict[str, Any] = json.loads(parts["data"])
                    model_of(Told).model_validate(data, extra="forbid")
                    assert (parts["event"], int(parts["id"])) == ("change", data["number"])
                    return data
                if line and not line.startswith(":"):
                    name, _, value = line.partition(": ")
                    parts[name] = value
        raise AssertionError("the stream ended")

    async def is_over(self) -> bool:
        async with asyncio.timeout(PATIENCE):
            return [line async for line in self._lines if line and not line.startswith(":")] == []


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house(is_open=True, to_be_served=True) as made:
        yield made


@asynccontextmanager
async def listening(url: str, after: int | None = 0, user: str = "ana", **headers: str) -> AsyncIterator[Listener]:
    params: dict[str, Any] = {"user": user} | ({} if after is None else {"after": after})
    async with (
        httpx.AsyncClient(base_url=url, timeout=PATIENCE) as client,
        client.stream("GET", "/v1/events", params=params, headers=headers) as response,
    ):
        assert response.status_code == 200, await response.aread()
        yield Listener(response)


async def test_listeners_hear_what_is_learnt_nothing_of_others_and_go_on_where_they_were_cut_off(house: House) -> None:
    async with served(house.app) as url, listening(url) as one, listening(url, user="bia") as bia:
        async with listening(url) as two:
            item = await house.memory.add("É alérgica a camarão.", user="ana")
            theirs = await house.memory.add("Toca violão.", user="bia")
            for listener in (one, two):
                heard = await listener.next()
                assert (heard["entry"]["verb"], heard["item"]["id"]) == ("add", item.id)
            assert two.response.headers["content-type"].startswith("text/event-stream")
            assert two.response.headers["cache-control"] == "no-store"
        await house.memory.archive(item.id, user="ana")
        assert (await one.next())["entry"]["verb"] == "archive"
        assert (await bia.next())["item"]["id"] == theirs.id
        last = {"Last-Event-ID": str(heard["number"])}
        async with listening(url, after=None, **last) as again, listening(url, after=heard["number"]) as asked:
            for listener in (again, asked):
                assert (await listener.next())["entry"]["verb"] == "archive"
        house.app.state.stopping.set()
        assert await one.is_over()


async def test_an_id_no_event_had_and_somebody_else_s_events_are_refused(house: House) -> None:
    async with house.client(peer="127.0.0.1") as client:
        for last in ("x", "-1", "1.5", "9" * 30):
            answer = await client.get("/v1/events?user=ana", headers={"Last-Event-ID": last})
            assert (answer.status_code, answer.json()["field"]) == (422, "Last-Event-ID")
    async with house.client("ana-read") as client:
        assert (await client.get("/v1/events?user=bia")).status_code == 403


async def test_silence_is_broken_now_and_then_and_whoever_leaves_leaves_nothing_running() -> None:
    closed = asyncio.Event()

    async def silence() -> AsyncIterator[Told]:
        try:
            await asyncio.Event().wait()
            yield Told(0, an_entry(), None)
        finally:
            closed.set()

    welcome = [True, True, False]

    async def is_welcome() -> bool:
        return welcome.pop(0)

    before = asyncio.all_tasks()
    stream = events(silence(), stopping=asyncio.Event(), is_welcome=is_welcome, quiet=0.001)
    said = [part async for part in stream]
    assert said == [b": listening\n\n", b": still here\n\n", b": still here\n\n"], "it ends with its key"
    assert closed.is_set()
    closed.clear()
    welcome = [True] * 9
    stream = events(silence(), stopping=asyncio.Event(), is_welcome=is_welcome, quiet=0.001)
    assert [await anext(stream) for _ in range(2)] == said[:2]
    await stream.aclose()
    assert closed.is_set()
    assert asyncio.all_tasks() == before
