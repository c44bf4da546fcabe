"""The cache in the process: time, bounds, who goes first, and scopes that are let go of at once."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from threading import Thread

import pytest

from builders import ANA, BIA, an_item
from memories import Clock
from relembra.errors import SettingsError
from relembra.store.cache import Codec, LocalCache, cache_key, rough_size

HOUR = timedelta(hours=1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(clock: Clock) -> LocalCache:
    return LocalCache(clock=clock)


async def test_a_time_beyond_the_calendar_is_for_ever(cache: LocalCache, clock: Clock) -> None:
    await cache.put(ANA, "k", "v", timedelta.max)
    clock.move(days=100_000)
    assert await cache.get(ANA, "k") == "v"


async def test_bytes_are_bounded_by_an_estimate_where_nobody_gives_a_size(clock: Clock) -> None:
    cache = LocalCache(most_bytes=100_000, clock=clock)
    for number in range(50):
        await cache.put(ANA, str(number), ("x" * 10_000, number), HOUR)
    assert 1 < cache.entries < 10
    assert cache.bytes <= 100_000


async def test_what_is_larger_than_the_whole_cache_is_not_kept_and_pushes_nobody_out(clock: Clock) -> None:
    cache = LocalCache(most_bytes=2_000, clock=clock)
    await cache.put(ANA, "small", "v", HOUR)
    await cache.put(ANA, "large", "v", HOUR)
    await cache.put(ANA, "large", "v" * 5_000, HOUR)
    assert await cache.get(ANA, "large") is None
    assert await cache.get(ANA, "small") == "v"


async def test_a_cache_without_room_keeps_nothing(clock: Clock) -> None:
    cache = LocalCache(most_entries=0, clock=clock)
    await cache.put(ANA, "k", "v", HOUR)
    assert await cache.get(ANA, "k") is None
    with pytest.raises(SettingsError):
        LocalCache(most_bytes=-1)


@dataclass(frozen=True)
class Answer:
    text: str


async def test_nothing_is_held_on_to_after_a_drop(cache: LocalCache) -> None:
    async def put_one() -> weakref.ref[Answer]:
        answer = Answer("a secret")
        await cache.put(ANA, "k", answer, HOUR)
        return weakref.ref(answer)

    held = await put_one()
    gc.collect()
    assert held() is not None
    await cache.drop(ANA)
    gc.collect()
    assert held() is None
    assert (cache.entries, cache.bytes) == (0, 0)


async def test_clear_and_close_let_go_of_everybody(cache: LocalCache) -> None:
    for scope in (ANA, BIA):
        await cache.put(scope, "k", "v", HOUR)
    await cache.clear()
    assert [await cache.get(scope, "k") for scope in (ANA, BIA)] == [None, None]
    await cache.put(ANA, "k", "v", HOUR)
    assert await cache.get(ANA, "k") == "v"
    await cache.close()
    await cache.close()
    await cache.put(ANA, "k", "v", HOUR)
    assert (await cache.get(ANA, "k"), cache.entries, cache.bytes) == (None, 0, 0)


async def test_a_codec_is_left_alone_in_this_process(cache: LocalCache) -> None:
    def refuse(_: object) -> bytes:
        raise AssertionError

    codec = Codec(refuse, refuse)
    await cache.put(ANA, "k", 3, HOUR, codec=codec)
    assert await cache.get(ANA, "k", codec=codec) == 3


async def test_threads_may_share_it(clock: Clock) -> None:
    cache = LocalCache(most_entries=20, clock=clock)

    async def work(scope_number: int) -> None:
        scope = (ANA, BIA)[scope_number % 2]
        for number in range(300):
            await cache.put(scope, str(number % 30), number, HOUR, size=1)
            await cache.get(scope, str(number % 7))
            if number % 50 == 0:
                await cache.drop(scope)

    threads = [Thread(target=lambda number=number: asyncio.run(work(number))) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0 < cache.entries <= 20
    await cache.drop(ANA)
    await cache.drop(BIA)
    assert (cache.entries, cache.bytes) == (0, 0)


def test_a_key_tells_nothing_and_tells_everything_apart() -> None:
    key = cache_key("recall", "where is the key?", 5, None)
    assert key == cache_key("recall", "where is the key?", 5, None)
    assert key.startswith("recall:")
    assert len(key) == len("recall:") + 32
    assert "key?" not in key
    others = [("recall", "where is the key?", 5), ("recall", "where is the key?", "5", None),
              ("context", "where is the key?", 5, None), ("recall", "where is the", "key?", 5, None)]  # fmt: skip
    assert len({key, *(cache_key(str(name), *parts) for name, *parts in others)}) == 5


def test_a_rough_size_grows_with_what_is_held() -> None:
    assert rough_size("x" * 1_000) >= 1_000
    assert rough_size(b"x" * 1_000) >= 1_000
    assert rough_size(tuple("x" * 1_000 for _ in range(10))) > 9_000
    assert rough_size(tuple(f"{number:01000d}" for number in range(1_000))) > 900_000
    long, short = an_item(content="x" * 5_000), an_item(content="x")
    assert rough_size(long) - rough_size(short) == 4_999
    deep: Mapping[str, object] = {}
    for _ in range(1_000):
        deep = {"inner": deep}
    assert rough_size(deep) < 10_000
