"""The cache in Redis where something goes wrong: it is out of reach, late, emptied, or holds what nobody here put."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from builders import ANA, BIA
from contract.test_cache import Maker, ask
from loops import each
from memories import Clock, a_memory, a_store
from redises import RedisServer, a_redis
from relembra import Memory
from relembra.domain.scope import Scope
from relembra.errors import SettingsError
from relembra.store.cache import Cache
from relembra.store.redis import LEASE_SECONDS, PAUSE_SECONDS, RedisCache


@pytest.fixture
def server() -> Iterator[RedisServer]:
    with a_redis() as server:
        yield server


class Seconds:
    """A clock that only goes as somebody waits or moves it."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now

    async def wait(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


class Standing(Seconds):
    """One that stands still, and tells that somebody waits."""

    def __init__(self) -> None:
        super().__init__()
        self.is_waited = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        self.is_waited.set()
        await asyncio.sleep(0)


def a_cache(url: str, seconds: Seconds | None = None, *, timeout: float = 20.0, lease: float = LEASE_SECONDS) -> Cache:
    """A process's own cache with Redis behind it; patient, but where a test is about that it is not."""
    clock = seconds or Seconds()
    shared = RedisCache(
        url, "a store", timeout_seconds=timeout, lease_seconds=lease, monotonic=clock, wait=clock.wait
    )  # fmt: skip
    return Cache(shared=shared)


def test_an_address_that_is_none_is_refused_without_being_said() -> None:
    with pytest.raises(SettingsError) as refused:
        RedisCache("redis://user:secret@host:port", "a store")
    assert "secret" not in str(refused.value)


# ── troubles ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _flushed(server: RedisServer) -> None:
    server.client.flushall()


def _of_another_kind(server: RedisServer) -> None:
    for name in server.names():
        server.client.delete(name)
        server.client.rpush(name, "a list")


def _filled(body: Callable[[Any], bytes], server: RedisServer) -> None:
    for name in server.names("hash"):
        for field, value in server.client.hgetall(name).items():
            server.client.hset(name, field, body(value))


def _swapped(server: RedisServer) -> None:
    """Everybody's values under everybody else's names, as if an answer had come to the wrong question."""
    hashes = {name: server.client.hgetall(name) for name in server.names("hash")}
    held = [(name, field, value) for name, fields in hashes.items() for field, value in fields.items()]
    for (name, field, _), (_, _, value) in zip(held, held[1:] + held[:1], strict=True):
        server.client.hset(name, field, value)


TROUBLES: dict[str, Callable[[RedisServer], None]] = {
    "emptied": _flushed,
    "of another kind": _of_another_kind,
    "nothing": partial(_filled, lambda value: b""),
    "cut off": partial(_filled, lambda value: value[:-1]),
    "longer": partial(_filled, lambda value: value + b" "),
    "one letter another": partial(_filled, lambda value: value.replace(b"mine", b"mind")),
    "noise": partial(_filled, lambda value: random.Random(7).randbytes(len(value))),
    "swapped": _swapped,
    "stopped": RedisServer.stop,
}


@each(TROUBLES)
async def test_whatever_stands_there_the_answer_is_right(trouble: str) -> None:
    with a_redis() as server:
        people = (ANA, BIA)
        first = a_cache(server.url)
        for scope in people:
            assert await ask(first, Maker(f"{scope.user}: mine"), scope=scope) == f"{scope.user}: mine"
        TROUBLES[trouble](server)
        seconds = Seconds()
        second = a_cache(server.url, seconds)
        for scope in people:
            assert await ask(second, Maker(f"{scope.user}: anew"), scope=scope) == f"{scope.user}: anew"
        if trouble == "stopped":
            server.start()
        seconds.now += PAUSE_SECONDS
        assert await ask(second, Maker("back"), key="another") == "back"
        if trouble != "of another kind":
            assert await ask(first, Maker("never"), key="another") == "back"
        for cache in (first, second):
            await cache.close()


async def test_one_that_does_not_answer_is_left_alone_for_a_moment() -> None:
    calls = 0

    async def speak_nonsense(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(speak_nonsense, "127.0.0.1")
    seconds = Seconds()
    cache = a_cache(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0", seconds)
    async with server:
        for number in range(20):
            assert await ask(cache, Maker("made"), stamp=number) == "made"
        assert calls == 1
        seconds.now += PAUSE_SECONDS
        await asyncio.gather(*(ask(cache, Maker("made"), stamp=100 + number) for number in range(20)))
        assert calls == 2
        await cache.close()


async def test_an_answer_that_comes_late_is_nobody_elses(server: RedisServer) -> None:
    first = a_cache(server.url)
    for number in range(5):
        await ask(first, Maker(f"value {number}"), key=f"view:{number}")
    seconds = Seconds()
    cache = a_cache(server.url, seconds, timeout=0.05)
    await ask(cache, Maker("value 0"), key="view:0")  # it has a connection
    with server.held_up():
        given_up = asyncio.create_task(ask(cache, Maker("never"), key="view:1"))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        for number in (2, 3):
            assert await ask(cache, Maker("made here"), key=f"view:{number}") == "made here"
    seconds.now += PAUSE_SECONDS
    patient = a_cache(server.url)
    for number in (1, 2, 3, 4):
        assert await ask(patient, Maker("never"), key=f"view:{number}") == f"value {number}"
    for each_cache in (first, cache, patient):
        await each_cache.close()


async def test_several_processes_never_take_an_older_stamp_for_a_newer(server: RedisServer) -> None:
    """Twelve processes with a small cache each, writing and reading in any order, with one that clears."""
    chance = random.Random(11)
    shared = [RedisCache(server.url, "a store", timeout_seconds=20) for _ in range(3)]
    caches = [Cache(most_entries=2, shared=one) for one in shared for _ in range(4)]
    tick = 0

    async def one_round(cache: Cache) -> None:
        nonlocal tick
        tick += chance.random() < 0.3
        stamp = chance.randint(max(0, tick - 2), tick)  # read a moment ago
        scope, key = chance.choice((ANA, BIA)), chance.choice(("view:1", "view:2"))
        made = Maker(f"{scope.user} {key} {stamp}")
        if chance.random() < 0.1:
            await cache.clear(scope.tenant)
        assert await ask(cache, made, scope=scope, key=key, stamp=stamp) == made.value

    for _ in range(60):
        await asyncio.gather(*(one_round(cache) for cache in caches))
    for one in shared:
        await one.close()


# ── work done once ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_is_expensive_is_made_by_one_process_while_others_wait(server: RedisServer) -> None:
    seconds, gate = Standing(), asyncio.Event()
    one, other = (a_cache(server.url, seconds, lease=600) for _ in range(2))
    first = asyncio.create_task(ask(one, made := Maker("dear", gate=gate), size=len))
    await made.begun.wait()
    second = asyncio.create_task(ask(other, Maker("never"), size=len))
    await seconds.is_waited.wait()
    gate.set()
    await first
    assert await second == "dear"
    for cache in (one, other):
        await cache.close()


async def test_one_that_died_at_it_is_waited_for_a_second_at_most(server: RedisServer) -> None:
    seconds = Seconds()
    one, other = a_cache(server.url, seconds), a_cache(server.url, seconds)
    dying = asyncio.create_task(ask(one, made := Maker("never", gate=asyncio.Event()), size=len))
    await made.begun.wait()
    dying.cancel()
    start = seconds.now
    assert await ask(other, Maker("made by another"), size=len) == "made by another"
    assert seconds.now - start < 1.1
    for cache in (one, other):
        await cache.close()


# ── nothing is left ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_names_tell_nothing_and_everything_goes_in_time(server: RedisServer) -> None:
    cache = a_cache(server.url)
    ana = Scope("a hospital", "ana@example.org")
    await ask(cache, Maker("secret"), scope=ana, ttl=timedelta(minutes=10))
    [person] = server.names("hash")
    assert 0 < server.client.pttl(person) <= 600_000
    server.client.pexpire(person, 100_000)
    await ask(cache, Maker("another secret"), scope=ana, key="view:2")
    assert 0 < server.client.pttl(person) <= 100_000  # what came first is not kept longer for what comes after
    names = b" ".join(server.names()).decode() + str(server.client.hkeys(person))
    assert not [word for word in ("hospital", "ana", "example", "view") if word in names]
    assert all(server.client.pttl(name) > 0 for name in server.names())
    await cache.close()


async def test_what_was_forgotten_while_redis_was_away_is_cleared_before_anything_is_read(server: RedisServer) -> None:
    seconds = Seconds()
    cache, other = a_cache(server.url, seconds, timeout=0.05), a_cache(server.url)
    await ask(other, Maker("a secret"))
    late = asyncio.create_task(ask(other, made := Maker("a secret"), key="late", size=len))
    late_gate = made.gate = asyncio.Event()
    await made.begun.wait()
    with server.held_up():
        await cache.clear(ANA.tenant)
    assert b"a secret" in server.dumped()
    while not cache.is_whole:  # where this machine is slow, more than once
        seconds.now += PAUSE_SECONDS
        await ask(cache, Maker("harmless"), stamp=int(seconds.now))
    late_gate.set()
    assert await late == "a secret"
    assert b"a secret" not in server.dumped()
    for one in (cache, other):
        await one.close()


# ── the engine on it ──────────────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def two_memories(folder: Path, server: RedisServer) -> AsyncIterator[tuple[Memory, Memory]]:
    """Two processes' memories on one file and one Redis."""
    clock = Clock()
    one, other = await a_store("file", folder), await a_store("file", folder)
    async with (
        a_memory(one, clock=clock, cache=a_cache(server.url)) as first,
        a_memory(other, clock=clock, cache=a_cache(server.url)) as second,
    ):
        yield first, second


async def test_two_processes_agree_and_forgetting_leaves_nothing(tmp_path: Path, server: RedisServer) -> None:
    async with two_memories(tmp_path, server) as (one, other):
        item = await one.add("Moro em Gondwana com a minha irmã Zulmira", user="ana", attribute="residence")
        await one.save(said="I keep a tame heron called Quirino.", user="ana", space="guild", channel="general")
        await one.save(said="Nice to meet you all.", user="bia", space="guild", channel="general")

        async def told(memory: Memory) -> list[object]:
            return [
                await memory.load(user="ana", query="onde moro?"),
                await memory.load(user="ana", query="heron?", space="guild", channel="general"),
                await memory.load(user="ana", outside=True),
                await memory.profile(user="ana"),
                await memory.people(user="ana"),
                await memory.cognitive(user="ana"),
                await memory.me(user="ana"),
            ]

        first, second = await told(one), await told(other)
        assert first == second == await told(one)
        kept = server.dumped()
        assert b"Gondwana" in kept
        assert b"heron" in kept
        await other.correct(item.id, "Moro em Laurásia", user="ana")
        for memory in (one, other):
            assert "Laurásia" in str(await told(memory))
        await one.forget(user="ana", all=True)
        for word in (b"Gondwana", b"Laur", b"heron", b"Zulmira"):
            assert word not in server.dumped()
        assert "heron" not in str(await told(other))


async def test_all_goes_on_without_it(tmp_path: Path, server: RedisServer) -> None:
    server.stop()
    async with two_memories(tmp_path, server) as (one, other):
        await one.add("Moro em Gondwana", user="ana", attribute="residence")
        assert "Gondwana" in str(await other.load(user="ana", query="onde moro?"))
        assert other.lacks == ["cache"]
        server.start()
        await one.forget(user="ana", all=True)
        assert "Gondwana" not in str(await other.profile(user="ana"))
