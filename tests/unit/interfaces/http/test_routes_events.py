"""Server-sent events over a real connection: told as it happens, to everybody who listens, and taken up again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio.lowlevel
import httpx
import pytest

from builders import an_entry
from houses import House, a_house
from loops import each
from proxies import served
from relembra.interfaces.http import events as watching
from relembra.interfaces.http.events import events
from relembra.interfaces.http.schemas import Event
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
                    Event.model_validate(data, extra="forbid")
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


async def test_two_listeners_hear_what_is_learnt_and_nothing_of_others(house: House) -> None:
    async with (
        served(house.app) as url,
        listening(url) as one,
        listening(url) as two,
        listening(url, user="bia") as bia,
    ):
        item = await house.memory.add("É alérgica a camarão.", user="ana")
        theirs = await house.memory.add("Toca violão.", user="bia")
        for listener in (one, two):
            heard = await listener.next()
            assert (heard["entry"]["verb"], heard["item"]["id"]) == ("add", item.id)
        await house.memory.archive(item.id, user="ana")
        for listener in (one, two):
            assert (await listener.next())["entry"]["verb"] == "archive"
        assert (await bia.next())["item"]["id"] == theirs.id
        assert one.response.headers["content-type"].startswith("text/event-stream")
        assert one.response.headers["cache-control"] == "no-store"


async def test_whoever_was_cut_off_goes_on_where_they_were(house: House) -> None:
    contents = [f"Sabe o número {number}." for number in range(3)]
    async with served(house.app) as url:
        async with listening(url) as first:
            await house.memory.add(contents[0], user="ana")
            heard = await first.next()
        for content in contents[1:]:
            await house.memory.add(content, user="ana")
        async with listening(url, after=None, **{"Last-Event-ID": str(heard["number"])}) as again:
            assert [(await again.next())["item"]["content"] for _ in range(2)] == contents[1:]
        async with listening(url, after=heard["number"]) as asked:
            assert (await asked.next())["item"]["content"] == contents[1]


async def test_what_was_learnt_from_talk_is_told(house: House) -> None:
    async with served(house.app) as url, listening(url) as listener:
        async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as client:
            await client.post("/v1/messages", json={"user": "ana", "said": "Eu moro em Lisboa."})
            await client.post("/v1/learn", json={"user": "ana"})
        assert (await listener.next())["item"]["attribute"] == "residence"


async def test_a_key_has_only_so_many_streams_open_at_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_STREAMS", 2)
    async with served(house.app) as url, httpx.AsyncClient(base_url=url, timeout=PATIENCE) as client:
        async with listening(url) as one, listening(url):
            refused = await client.get("/v1/events", params={"user": "ana"})
            assert (refused.status_code, "retry-after" in refused.headers) == (429, True)
            await one.response.aclose()
            async with asyncio.timeout(PATIENCE):
                await until_free(house, 1)
        async with asyncio.timeout(PATIENCE):
            await until_free(house, 0)


async def test_streams_asked_for_at_once_are_counted_before_any_begins(house: House) -> None:
    """All of them come to the limit before the first has said a word."""
    more = 15
    begun, over = asyncio.Event(), asyncio.Event()
    statuses: list[int] = []

    async def watch() -> None:
        async def receive() -> dict[str, Any]:
            await over.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
                if len(statuses) == watching.MOST_STREAMS + more:
                    begun.set()
                await begun.wait()

        path = {"path": "/v1/events", "raw_path": b"/v1/events", "query_string": b"user=ana", "root_path": ""}
        headers = [(b"host", b"localhost")]
        asgi = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "method": "GET"}
        await house.app({**asgi, **path, "headers": headers, "client": ("127.0.0.1", 1), "server": None}, receive, send)

    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        for _ in range(watching.MOST_STREAMS + more):
            group.create_task(watch())
        await begun.wait()
        over.set()
    assert sorted(statuses) == [200] * watching.MOST_STREAMS + [429] * more
    assert sum(house.app.state.watching.values()) == 0


async def until_free(house: House, streams: int) -> None:
    """The server notices that somebody left when its turn comes."""
    while sum(house.app.state.watching.values()) > streams:
        await anyio.lowlevel.checkpoint()


async def test_a_stream_ends_when_the_server_stops(house: House) -> None:
    async with served(house.app) as url, listening(url) as listener:
        await house.memory.add("Toca violão.", user="ana")
        await listener.next()
        house.app.state.stopping.set()
        assert await listener.is_over()


@each(["x", "-1", "1.5", "9" * 30])
async def test_an_id_no_event_had_is_refused(last: str, house: House) -> None:
    async with house.client(peer="127.0.0.1") as client:
        answer = await client.get("/v1/events?user=ana", headers={"Last-Event-ID": last})
    assert (answer.status_code, answer.json()["field"]) == (422, "Last-Event-ID")


async def test_a_key_bound_to_somebody_hears_nobody_else(house: House) -> None:
    async with house.client("ana-read") as client:
        assert (await client.get("/v1/events?user=bia")).status_code == 403


# ── the stream itself ─────────────────────────────────────────────────────────────────────────────────────────────────


async def welcome() -> bool:
    return True


async def silence() -> AsyncIterator[Told]:
    await asyncio.Event().wait()
    yield Told(0, an_entry(), None)


async def test_silence_is_broken_now_and_then() -> None:
    stream = events(silence(), stopping=asyncio.Event(), is_welcome=welcome, quiet=0.001)
    said = [await anext(stream) for _ in range(3)]
    assert said == [b": listening\n\n", b": still here\n\n", b": still here\n\n"]
    await stream.aclose()


async def test_a_stream_ends_with_its_key() -> None:
    async def gone() -> bool:
        return False

    stream = events(silence(), stopping=asyncio.Event(), is_welcome=gone, quiet=0.001)
    assert [part async for part in stream] == [b": listening\n\n"]


async def test_whoever_stops_listening_leaves_nothing_running() -> None:
    closed = asyncio.Event()

    async def told() -> AsyncIterator[Told]:
        try:
            await asyncio.Event().wait()
            yield Told(0, an_entry(), None)
        finally:
            closed.set()

    before = asyncio.all_tasks()
    stream = events(told(), stopping=asyncio.Event(), is_welcome=welcome, quiet=0.001)
    await anext(stream)
    await anext(stream)
    await stream.aclose()
    assert closed.is_set()
    assert asyncio.all_tasks() == before
