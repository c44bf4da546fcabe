"""Keys, linked accounts, requests done once, and watching what is learnt."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from loops import each
from memories import Clock, a_memory
from readers import NotationReader
from relembra import InvalidInputError, Memory, NotFoundError, Right
from relembra.domain.access import EVERY_TENANT, digest_of, new_secret
from relembra.errors import StaleError
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


async def test_a_key_of_another_tenant_is_none_of_this_one(memory: Memory) -> None:
    key = (await memory.create_key("laptop", tenant="other")).key
    operators = (await memory.create_key("op", tenant=EVERY_TENANT)).key
    for hidden in (key, operators):
        with pytest.raises(NotFoundError):
            await memory.revoke_key(hidden.id, tenant="default")
    assert await memory.keys(tenant="other") == [key]
    assert (await memory.revoke_key(key.id, tenant="other")).revoked_at is not None


@each([({"right": "owner"}, "right"), ({"name": " "}, "name"), ({"user": ""}, "user"),
     ({"user": "ana", "tenant": EVERY_TENANT}, "tenant"), ({"expires_at": datetime(2020, 1, 1)}, "expires_at"),
     ({"expires_at": datetime.fromisoformat("2020-01-01T00:00:00Z")}, "expires_at")])  # fmt: skip
async def test_a_key_that_could_not_be_is_refused(wrong: dict[str, Any], field: str, memory: Memory) -> None:
    with pytest.raises(InvalidInputError) as caught:
        await memory.create_key(**{"name": "laptop"} | wrong)
    assert (caught.value.field, await memory.keys()) == (field, [])


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


async def test_what_an_account_said_before_can_be_brought_along(memory: Memory) -> None:
    await memory.save(user="discord:1", said="Moro em Recife.", conversation="c1")
    known = await memory.add("Gosta de café", user="discord:1")
    await memory.add("Prefere chá", user="ana")
    await memory.link("discord", "1", user="ana", bring=True)
    assert {item.content for item in await memory.list(user="ana")} == {"Gosta de café", "Prefere chá"}
    assert [message.text for message in await memory.messages(user="ana")] == ["Moro em Recife."]
    assert (await memory.history(known.id, user="ana")).trail != ()
    assert list(await memory.list(user="discord:1", history=True, deleted=True)) == []
    assert ((await memory.stats(user="discord:1")).messages, await memory.linked("discord", "1")) == (0, "ana")
    assert (await memory.verify()).problems == ()


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


@pytest.mark.parametrize("verb", ["validate", "correct", "delete", "restore", "archive", "recover"])
async def test_a_change_of_another_version_than_is_there_is_refused(memory: Memory, verb: str) -> None:
    item = await memory.add("Gosta de café", user="ana", by="program:import")
    words = {"content": "Gosta de chá"} if verb == "correct" else {}
    change = getattr(memory, verb)
    with pytest.raises(StaleError, match=f"at version {item.version}, not {item.version + 1}"):
        await change(item.id, user="ana", version=item.version + 1, **words)
    assert await memory.get(item.id, user="ana") == item
    await change(item.id, user="ana", version=item.version, **words)


async def test_what_an_account_said_under_its_handle_is_brought_along(memory: Memory) -> None:
    await memory.link("discord", "7", user="discord:bia")
    await memory.save(user="discord:bia", said="Moro em Olinda.")
    await memory.link("discord", "7", user="bia", bring=True)
    assert [message.text for message in await memory.messages(user="bia")] == ["Moro em Olinda."]
    assert await memory.messages(user="discord:bia") == []
