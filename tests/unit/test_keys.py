"""Keys, linked accounts, requests done once, and watching what is learnt."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memories import Clock, a_memory
from readers import NotationReader
from relembra import Memory, Right
from relembra.domain.access import digest_of, new_secret
from relembra.items import Told
from relembra.store.port import Store


@pytest.fixture
async def memory(store: Store, clock: Clock, reader: NotationReader) -> AsyncIterator[Memory]:
    async with a_memory(store, clock=clock, reader=reader) as memory:
        yield memory


async def test_a_key_is_known_by_its_secret_alone(memory: Memory, store: Store, tmp_path: Path) -> None:
    made = await memory.create_key("laptop", right="read", user="ana")
    assert await memory.key_of(made.secret) == made.key
    assert (made.key.tenant, made.key.user, made.key.right) == ("default", "ana", Right.READ)
    assert await memory.key_of(made.secret[:-1] + ("A" if made.secret[-1] != "A" else "B")) is None
    assert await memory.key_of(new_secret()) is None
    assert await memory.key_of("") is None
    assert await memory.keys() == [made.key]
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("m.db*"))
    assert made.secret.encode() not in kept
    held = await store.key_by_prefix(made.key.prefix)
    assert held is not None
    assert held[1] == digest_of(made.secret)


async def test_the_use_of_a_key_is_written_behind_the_answer(memory: Memory, store: Store, clock: Clock) -> None:
    made = await memory.create_key("laptop")
    first = clock.now
    await memory.key_of(made.secret)
    assert [key.last_used_at for key in await memory.keys()] == [None]
    await memory.settle()
    clock.move(seconds=59)
    await memory.key_of(made.secret)
    await memory.settle()
    assert [key.last_used_at for key in await memory.keys()] == [first]
    clock.move(seconds=1)
    await memory.key_of(made.secret)
    await memory.settle()
    assert [key.last_used_at for key in await memory.keys()] == [first + timedelta(minutes=1)]


async def some(told: AsyncIterator[Told], number: int) -> list[Told]:
    return [await anext(told) for _ in range(number)]


async def test_what_is_learnt_is_told_as_it_is_recorded_with_the_item_as_it_is(memory: Memory) -> None:
    watching = memory.watch(user="ana", after=0, every=0)
    item = await memory.add("Gosta de café", user="ana")
    (added,) = await some(watching, 1)
    assert (added.entry.verb, added.item) == ("add", item)
    await memory.add("Gosta de sol", user="bia")
    away = await memory.delete(item.id, user="ana")
    conversation = await memory.start_conversation(user="ana")
    (deleted, started) = await some(watching, 2)
    assert (deleted.entry.verb, deleted.item) == ("delete", away)
    assert (started.entry.target_id, started.item) == (conversation.id, None)
    assert added.number < deleted.number < started.number
    again = memory.watch(user="ana", after=added.number, every=0)
    assert await some(again, 2) == [deleted, started]


async def test_what_an_account_said_under_its_handle_is_brought_along(memory: Memory) -> None:
    await memory.link("discord", "7", user="discord:bia")
    await memory.save(user="discord:bia", said="Moro em Olinda.")
    await memory.link("discord", "7", user="bia", bring=True)
    assert [message.text for message in await memory.messages(user="bia")] == ["Moro em Olinda."]
    assert await memory.messages(user="discord:bia") == []
