"""The cache in the process: what `tests/property/test_cache_agrees.py` cannot say of it."""

from __future__ import annotations

import asyncio
import gc
import weakref
from dataclasses import dataclass
from datetime import timedelta
from threading import Thread

import pytest

from builders import ANA, BIA
from memories import Clock
from relembra.store.cache import Cache
from relembra.store.port import cache_key

HOUR = timedelta(hours=1)


@pytest.fixture
def cache() -> Cache:
    return Cache(clock=Clock())


@dataclass(frozen=True)
class Answer:
    text: str


async def test_nothing_is_held_on_to_after_it_is_cleared(cache: Cache) -> None:
    def put_one() -> weakref.ref[Answer]:
        answer = Answer("a secret")
        cache.put(ANA, "k", answer, HOUR)
        return weakref.ref(answer)

    held = put_one()
    gc.collect()
    assert held() is not None
    await cache.clear(ANA.tenant)
    gc.collect()
    assert held() is None


async def test_threads_may_share_it() -> None:
    cache = Cache(most_entries=20, clock=Clock())

    async def work(scope_number: int) -> None:
        scope = (ANA, BIA)[scope_number % 2]
        for number in range(300):
            cache.put(scope, str(number % 30), number, HOUR, size=1)
            cache.get(scope, str(number % 7))
            if number % 50 == 0:
                await cache.clear(ANA.tenant)

    threads = [Thread(target=lambda number=number: asyncio.run(work(number))) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0 < len(cache._entries) <= 20
    await cache.clear(ANA.tenant)
    assert (len(cache._entries), cache.bytes) == (0, 0)


def test_a_key_tells_nothing_and_tells_everything_apart() -> None:
    key = cache_key("recall", "where is the key?", 5, None)
    assert key == cache_key("recall", "where is the key?", 5, None)
    assert "key?" not in key
    others = [("recall", "where is the key?", 5), ("recall", "where is the key?", "5", None),
              ("context", "where is the key?", 5, None), ("recall", "where is the", "key?", 5, None)]  # fmt: skip
    assert len({key, *(cache_key(str(name), *parts) for name, *parts in others)}) == 5
