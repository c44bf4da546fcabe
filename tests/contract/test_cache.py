"""The cache for contexts, in this process and with Redis behind it: what two who use it may count on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeVar

import pytest

from builders import ANA, ANA_ELSEWHERE, BIA, NOW, a_message, a_note
from loops import each
from redises import RedisServer, a_redis
from relembra.domain.message import Message, Note
from relembra.domain.scope import Place, Scope
from relembra.store.cache import Basis, Cache
from relembra.store.port import Withheld, cache_key
from relembra.store.redis import RedisCache

T = TypeVar("T")
HOUR = timedelta(hours=1)
KEY = cache_key("view", "pt")


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with a_redis() as server:
        yield server


@pytest.fixture(params=["process", "redis"])
async def two(request: pytest.FixtureRequest) -> Any:
    """Two who use a cache: in one process the same, else one each with Redis between them."""
    if request.param == "process":
        one = other = Cache()
    else:
        server: RedisServer = request.getfixturevalue("server")
        server.client.flushall()
        one, other = (Cache(shared=RedisCache(server.url, "a store", timeout_seconds=20)) for _ in range(2))
    yield one, other
    for cache in {one, other}:
        await cache.close()


Two = tuple[Cache, Cache]


class Maker:
    """Makes a value, and counts how often; behind a gate, once that is opened."""

    def __init__(self, value: Any, *, gate: asyncio.Event | None = None, fails: bool = False) -> None:
        self.value, self.gate, self.fails = value, gate, fails
        self.times, self.begun = 0, asyncio.Event()

    async def __call__(self) -> Any:
        self.times += 1
        self.begun.set()
        if self.gate is not None:
            await self.gate.wait()
        if self.fails:
            raise ArithmeticError("made wrong")
        return self.value


async def ask(
    cache: Cache, made: Callable[[], Awaitable[T]], *, scope: Scope = ANA, key: str = KEY, stamp: Basis = (1, 1),
    kind: Any = str, ttl: timedelta = HOUR, **more: Any,
) -> Any:  # fmt: skip
    return await cache.kept(scope, key, stamp, kind, made, ttl, **more)


async def test_it_is_made_once_for_a_stamp_a_key_and_a_scope(two: Two) -> None:
    one, other = two
    assert await ask(one, Maker("first")) == "first"
    for cache in two:
        assert await ask(cache, Maker("never")) == "first"
    stamps: list[Basis] = [(1, 2), (2, 1), (1,), 1, "1", None]
    for stamp in stamps:
        assert await ask(other, Maker(f"of {stamp}"), stamp=stamp) == f"of {stamp}"
        assert await ask(one, Maker("never"), stamp=stamp) == f"of {stamp}"
    for number, where in enumerate([{"scope": BIA}, {"scope": ANA_ELSEWHERE}, {"key": "view:0"}, {"key": "view"}]):
        assert await ask(one, Maker(str(number)), stamp=None, **where) == str(number)  # type: ignore[arg-type]


async def test_an_older_one_that_comes_late_is_not_taken_for_the_newer(two: Two) -> None:
    one, other = two
    gate = asyncio.Event()
    late = asyncio.create_task(ask(one, made := Maker("old", gate=gate), stamp=1))
    await made.begun.wait()
    assert await ask(other, Maker("new"), stamp=2) == "new"
    gate.set()
    assert await late == "old"
    for cache in two:
        assert await ask(cache, Maker("anew"), stamp=2) in ("new", "anew")


async def test_many_who_ask_at_once_wait_for_the_first(two: Two) -> None:
    made = Maker("dear", gate=(gate := asyncio.Event()))
    asking = [asyncio.create_task(ask(two[0], made)) for _ in range(50)]
    await made.begun.wait()
    gate.set()
    assert set(await asyncio.gather(*asking)) == {"dear"}
    assert made.times == 1


@each(["fails", "is cancelled"])
async def test_when_the_first_does_not_make_it_another_does(how: str, two: Two) -> None:
    key, gate = cache_key("view", how), asyncio.Event()
    first = asyncio.create_task(ask(two[0], made := Maker("", gate=gate, fails=True), key=key))
    await made.begun.wait()
    others = [asyncio.create_task(ask(two[0], Maker("made"), key=key)) for _ in range(3)]
    await asyncio.sleep(0)
    if how == "fails":
        gate.set()
    else:
        first.cancel()
    with pytest.raises(ArithmeticError if how == "fails" else asyncio.CancelledError):
        await first
    assert set(await asyncio.gather(*others)) == {"made"}


async def test_what_no_longer_holds_is_made_anew(two: Two) -> None:
    async def holds(value: str) -> bool:
        return value != "yesterday's"

    one, other = two
    await ask(one, Maker("yesterday's"))
    for cache in (other, one):
        assert await ask(cache, Maker("today's"), holds=holds) == "today's"
    assert await ask(other, Maker("never"), holds=holds) == "today's"


async def test_clearing_takes_a_tenants_values_and_those_being_made(two: Two) -> None:
    one, other = two
    for scope in (ANA, BIA, ANA_ELSEWHERE):
        await ask(one, Maker("kept"), scope=scope)
    made = Maker("begun before", gate=(gate := asyncio.Event()))
    begun = asyncio.create_task(ask(other, made, key="names"))
    await made.begun.wait()
    await one.clear(ANA.tenant)
    gate.set()
    assert await begun == "begun before"
    assert await ask(one, Maker("anew"), scope=ANA) == "anew"
    assert await ask(one, Maker("anew"), scope=BIA) == "anew"
    assert await ask(one, Maker("anew"), key="names") == "anew"
    assert await ask(one, Maker("anew"), scope=ANA_ELSEWHERE) == "kept"


async def test_no_time_keeps_nothing(two: Two) -> None:
    for ttl in (timedelta(), -HOUR):
        assert await ask(two[0], Maker("first"), ttl=ttl) == "first"
        assert await ask(two[1], Maker("second"), ttl=ttl) == "second"


class Talk(NamedTuple):
    newest_first: tuple[Message, ...]
    note: Note | None


HERE = replace(
    a_message(text="Ação 🙂 \x00\u2028 \"'<"), place=Place("guild", "general"), metadata={"author_name": "Ana"}
)
VALUES: list[tuple[Any, Any]] = [
    (dict[str, str], {"mãe": "maria", "": ""}),
    (tuple[str, bool], ("Ana", True)),
    (bool, False),
    (Withheld, Withheld(frozenset({"a", "b"}), frozenset(), frozenset({"c"}))),
    (Talk, Talk((HERE, a_message(sent_at=datetime(1, 1, 1, tzinfo=UTC))), a_note(happened_at=NOW))),
    (Talk, Talk((), None)),
    (Talk, Talk((a_message(text="half a character: \ud83d"),), None)),  # which cannot be written down
    (Talk, Talk((a_message(text="long " * 300_000),), None)),  # nor is what is too long to be worth it
]


@each(VALUES)
async def test_values_come_back_as_they_were(kind: Any, value: Any, two: Two) -> None:
    key = cache_key("value", repr(value)[:500])
    assert await ask(two[0], Maker(value), kind=kind, key=key) == value
    assert await ask(two[1], Maker(value), kind=kind, key=key) == value
