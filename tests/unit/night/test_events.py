"""Insights posted to another program: signed, once, whatever its server does, and never what must stay here."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

import pytest
from aiohttp import web

from builders import ANA
from loopbacks import listening
from memories import Clock, a_memory
from relembra import Memory
from relembra.domain.insight import SENT
from relembra.domain.jobs import EVENT, Job, JobState
from relembra.errors import SettingsError
from relembra.interfaces.http.webhooks import Sent, check
from relembra.night.events import EventWebhook
from relembra.settings import load_settings
from relembra.store.port import Store

SECRET = "what both sides know"
TARGET = "/hooks/rel%C3%AAmbra?of=ana"

Step = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Receiver:
    """A real server that answers by a script, the last step for ever, and keeps what it was sent."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps) or [answering(204)]
        self.taken: list[tuple[dict[str, str], bytes]] = []
        self.url = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = await request.read()
        check(SECRET, headers, Sent(request.raw_path, body), now=self.clock())
        self.taken.append((headers, body))
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        return await step(request)

    @asynccontextmanager
    async def open(self, clock: Clock) -> AsyncIterator[EventWebhook]:
        self.clock = clock
        app = web.Application()
        app.router.add_route("*", "/{rest:.*}", self.handle)
        async with listening(app) as address:
            yield EventWebhook(f"http://{address}{TARGET}", SECRET, is_local=False, seconds=0.5)

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.taken]


def answering(status: int, **headers: str) -> Step:
    async def step(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, headers=headers)

    return step


async def dropping(request: web.Request) -> web.StreamResponse:
    """Take it all, and hang up."""
    assert request.transport is not None
    request.transport.close()
    return web.Response()


async def silent(request: web.Request) -> web.StreamResponse:
    """Take it all, and say nothing for longer than anybody waits."""
    await asyncio.sleep(5.0)
    return web.Response()


async def dreads(memory: Memory, days: int = 5) -> None:
    for day in range(1, days + 1):
        at = datetime.combine(date(2026, 2, day), time(20), timezone(timedelta(hours=-3)))
        await memory.save(user="ana", said="Estou ansiosa com o prazo.", at=at)
    await memory.settle()
    await memory.find_insights(user="ana")


async def waiting(store: Store) -> list[Job]:
    return [job for job in await store.jobs() if job.kind == EVENT]


async def test_an_insight_is_sent_once_signed_and_with_its_evidence(store: Store, clock: Clock) -> None:
    receiver = Receiver()
    async with receiver.open(clock) as webhook, a_memory(store, clock=clock, events=webhook) as memory:
        await dreads(memory, 3)
        assert receiver.events == []  # which is weak
        await dreads(memory)
        [held] = await memory.insights(user="ana")
        assert SENT in held.tags
        [(headers, _)] = receiver.taken
        assert receiver.events == [
            {
                "id": headers["idempotency-key"], "type": "insight.found", "at": clock().isoformat(),
                "tenant": "default", "user": "ana",
                "insight": {
                    "id": held.id, "title": held.title, "content": held.content, "language": "pt", "area": "career",
                    "evidence": held.evidence, "confidence": held.confidence, "observations": 5,
                },
            }
        ]  # fmt: skip
        clock.move(days=7)
        await dreads(memory, 9)
        assert (len(receiver.taken), await waiting(store)) == (1, [])
        assert (await memory.missing_vectors(), (await memory.verify()).problems) == (0, ())


FAULTS = {
    "refused": answering(500),
    "busy": answering(429, **{"Retry-After": "3600"}),
    "moved": answering(302, Location="http://127.0.0.1:9/"),
    "hung up on": dropping,
    "silence": silent,
}


async def test_what_is_not_taken_is_tried_again_under_the_same_id_until_it_is(store: Store, clock: Clock) -> None:
    receiver = Receiver(*FAULTS.values(), answering(200))
    async with receiver.open(clock) as webhook, a_memory(store, clock=clock, events=webhook) as memory:
        await dreads(memory)
        said = "ansiosa"
        for number in range(len(FAULTS)):
            assert len(receiver.taken) == number + 1
            [job] = await waiting(store)
            assert (job.state, job.attempts) == (JobState.WAITING, number + 1)
            assert job.error is not None
            assert (said in job.error, SECRET in job.error, "rel" in job.error) == (False, False, False)
            clock.move(hours=3)
            await memory.settle()
        assert (len({event["id"] for event in receiver.events}), await waiting(store)) == (1, [])
        assert len(receiver.taken) == len(FAULTS) + 1
        assert len({headers["x-relembra-signature"] for headers, _ in receiver.taken}) == len(receiver.taken)


async def test_a_receiver_that_never_answers_costs_bounded_tries_and_the_job_says_why(
    store: Store, clock: Clock
) -> None:
    receiver = Receiver(answering(503))
    async with receiver.open(clock) as webhook, a_memory(store, clock=clock, events=webhook) as memory:
        await dreads(memory)
        for _ in range(20):
            await memory.settle()
            clock.move(hours=3)
        [job] = await waiting(store)
        assert (job.state, len(receiver.taken)) == (JobState.DEAD, 14)
        assert job.error == "the event webhook at 127.0.0.1 answered 503"
        receiver.steps = [answering(200)]
        await memory.retry_job(job.id)
        await memory.settle()
        assert (await waiting(store), len(receiver.taken)) == ([], 15)


async def test_what_went_or_must_stay_here_is_not_sent_again(store: Store, clock: Clock) -> None:
    receiver = Receiver(answering(500))

    async def forget(memory: Memory, id: str) -> None:
        await memory.forget(user="ana", item=id)

    async def delete(memory: Memory, id: str) -> None:
        await memory.delete(id, user="ana")

    async def keep(memory: Memory, id: str) -> None:
        await memory.keep_local(id, user="ana")

    async def everything(memory: Memory, id: str) -> None:
        await memory.forget(user="ana", all=True)

    async with receiver.open(clock) as webhook, a_memory(store, clock=clock, events=webhook) as memory:
        for let_go in (forget, delete, keep, everything):
            await dreads(memory)
            [held] = await memory.insights(user="ana")
            assert len(receiver.taken) == 1
            await let_go(memory, held.id)
            clock.move(hours=3)
            await memory.settle()
            assert (len(receiver.taken), await waiting(store)) == (1, []), let_go.__name__
            await memory.forget(user="ana", all=True)
            receiver.taken.clear()
        webhook.is_local = True
        await dreads(memory)
        await keep(memory, (await memory.insights(user="ana"))[0].id)
        receiver.steps = [answering(200)]
        clock.move(hours=3)
        await memory.settle()
        assert (len(receiver.taken), await waiting(store)) == (2, [])


async def test_without_an_address_nothing_is_queued_and_what_was_found_is_sent_once_there_is_one(
    store: Store, clock: Clock
) -> None:
    async with a_memory(store, clock=clock) as memory:
        await dreads(memory)
        assert await waiting(store) == []
    receiver = Receiver()
    async with receiver.open(clock) as webhook, a_memory(store, clock=clock, events=webhook) as memory:
        await memory.find_insights(user="ana")
        assert [event["user"] for event in receiver.events] == [ANA.user]


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"event_webhook": "ftp://x", "event_webhook_secret": "s"}, "http://"),
        ({"event_webhook": "https://x"}, "event_webhook_secret"),
    ],
)
def test_settings_say_what_is_missing(chosen: dict[str, str], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        load_settings({}, **chosen)
