"""Forgetting what was listened to and learnt: notes, buffers, cases, views, summaries and queued work go with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from builders import ANA
from meanwhile import Meanwhile
from memories import Clock, a_memory, a_store, days_work
from readers import NotationReader
from relembra import Memory
from relembra.domain.candidate import Talk
from relembra.domain.scope import Place, shelf_of
from relembra.store.port import ForgetConversation, ForgetItem, ForgetPerson, ItemFilter, Stamp, Store, View
from relembra.transfer.exports import VIEWS

SECRET = "xylophone"
GROUP = shelf_of(ANA, Place("g1", "general"))


@pytest.fixture
async def store(tmp_path: Path) -> Store:
    return await a_store("memory", tmp_path)


@pytest.fixture
async def memory(store: Store, clock: Clock, reader: NotationReader) -> AsyncIterator[Memory]:
    async with a_memory(store, clock=clock, reader=reader) as memory:
        yield memory


async def test_a_dry_run_says_what_would_go_and_leaves_it(memory: Memory, store: Store) -> None:
    item = await memory.add("Plays the xylophone", user="ana")
    note = await memory.report(user="ana", day=item.created_at.date())
    assert note is not None
    before = await store.stamps([ANA])
    would = await memory.forget(user="ana", item=item.id, dry_run=True)
    assert (would.counts["items"], would.notes, would.dry_run) == (1, (note.id,), True)
    everything = await memory.forget(user="ana", all=True, dry_run=True)
    assert (everything.counts["notes"], await store.stamps([ANA])) == (1, before)
    assert await memory.get(item.id, user="ana") == item
    assert (await memory.forget(user="ana", item=item.id)).counts == would.counts


async def no_trace(memory: Memory, store: Store, folder: Path) -> None:
    """That the word is in nothing anybody can read, in no queued work, and in no byte of the files."""
    seen: list[Any] = [await store.jobs(limit=1_000), (await memory.verify()).problems]
    for user in ("ana", "bia"):
        seen += [
            list(await memory.list(user=user, history=True, deleted=True)),
            list(await memory.messages(user=user)),
            list(await memory.conversations(user=user)),
            list(await memory.conflicts(user=user)),
            list(await memory.notes(user=user, kind=["conversation", "session"])),
            list(await memory.notes(user=user, space="g1", kind=["conversation", "session"])),
            await memory.search(SECRET, user=user),
            (await memory.load(user=user, query=SECRET)).text,
            (await memory.load(user=user, space="g1", query=SECRET)).text,
            await memory.profile(user=user),
            await memory.me(user=user),
            await memory.people(user=user),
        ]
        for item in await memory.list(user=user, history=True, deleted=True):
            seen.append(await memory.history(item.id, user=user))
    for shelf in (ANA, GROUP):
        seen += [await store.buffers(shelf), await store.find(shelf, View, "user_memory.en")]
    assert SECRET not in repr(seen).casefold()
    assert (await memory.verify()).problems == ()
    left = b"".join(path.read_bytes() for path in sorted(folder.glob("m.db*")))
    assert SECRET.encode() not in left.lower()


async def test_a_forgotten_conversation_takes_all_it_taught_along(memory: Memory, store: Store, tmp_path: Path) -> None:
    await memory.save(user="ana", said=f"[birthday=5 May {SECRET}] [likes={SECRET}s]", conversation="c1")
    await memory.settle(flush=True)
    await memory.save(user="ana", said="[birthday=6 May] [likes=tea]", conversation="c2")
    await memory.settle(flush=True)
    assert SECRET in repr(await memory.me(user="ana")) + repr(await memory.profile(user="ana"))
    assert len(await memory.conflicts(user="ana", open_only=True)) == 1
    await memory.load(user="ana", query="birthday")
    gone = await memory.forget(user="ana", conversation="c1")
    assert (gone.counts["notes"], gone.counts["items"], gone.counts["cases"]) == (1, 2, 1)
    assert {item.value for item in await memory.list(user="ana")} == {"6 May", "tea"}
    assert await memory.conflicts(user="ana") == []
    await memory.settle()
    await no_trace(memory, store, tmp_path)


async def test_a_forgotten_person_leaves_no_trace(memory: Memory, store: Store, clock: Clock, tmp_path: Path) -> None:
    """One note is written, one buffer waits, and learning is queued for the other person."""
    await memory.save(user="ana", said=f"[likes={SECRET}]", space="g1")
    await memory.save(user="bia", said="[likes=tea]", space="g1")
    await memory.settle(flush=True)
    for number in range(4):
        await memory.save(user="ana", said=f"{number} {SECRET} [goal=play the {SECRET}]", space="g1", channel="x")
        await memory.save(user="bia", said=f"{number} [likes=coffee]", space="g1", channel="x")
    await memory.settle()
    await memory.save(user="ana", said=f"hidden {SECRET}", space="g1", channel="y")
    await memory.save(user="bia", said="[likes=milk]", space="g1", channel="y")
    await memory.forget(user="ana", all=True)
    assert (await memory.stats(user="ana")).messages == 0
    await no_trace(memory, store, tmp_path)
    clock.move(hours=1)
    await memory.settle()
    assert {item.value for item in await memory.list(user="bia")} == {"tea", "coffee", "milk"}
    for item in await memory.list(user="bia"):
        assert await memory.sources(item.id, user="bia")
    await no_trace(memory, store, tmp_path)
    assert await days_work(memory) == []


@pytest.mark.parametrize("what", ["person", "conversation"])
@pytest.mark.parametrize("space", [None, "g1"])
async def test_who_is_forgotten_while_their_talk_is_read_does_not_come_back_with_its_note(
    memory: Memory, store: Store, clock: Clock, tmp_path: Path, reader: NotationReader, what: str, space: str | None
) -> None:
    async def forgetting(_: Talk) -> None:
        reader.on_digest = None
        if what == "person":
            await memory.forget(user="ana", all=True)
        else:
            await memory.forget(user="ana", conversation="c1")

    reader.on_digest = forgetting
    await memory.save(user="ana", said=f"[likes={SECRET}]", space=space, conversation="c1")
    await memory.save(user="bia", said="[likes=tea]", space=space, conversation="c1")
    for _ in range(3):
        clock.move(hours=1)
        await memory.settle()
    assert await memory.list(user="ana") == []
    assert {item.value for item in await memory.list(user="bia")} == {"tea"}
    await no_trace(memory, store, tmp_path)
    assert await days_work(memory) == []


@pytest.mark.parametrize("what", ["person", "item", "conversation"])
async def test_what_is_forgotten_while_a_portrait_is_made_is_not_kept_in_it(
    store: Store, clock: Clock, tmp_path: Path, reader: NotationReader, what: str
) -> None:
    async def forgets(store: Store) -> None:
        if what == "person":
            await store.forget(ANA, ForgetPerson())
        elif what == "conversation":
            await store.forget(ANA, ForgetConversation("c1"))
        else:
            [item] = (await store.page(ANA, ItemFilter(now=clock()), limit=10)).rows
            await store.forget(ANA, ForgetItem(item.id))

    meanwhile = Meanwhile(store, forgets, before="apply")
    async with a_memory(store, clock=clock, reader=reader) as memory:
        await memory.save(user="ana", said=f"[likes={SECRET}]", conversation="c1")
        clock.move(hours=1)
        await memory.settle()
        memory._profiles._store = meanwhile  # passes every call on
        assert SECRET in repr(await memory.me(user="ana"))
        assert meanwhile.has_happened
        memory._profiles._store = store
        held = [await store.find(ANA, View, name) for name in VIEWS]
        assert SECRET not in repr(held)
        assert (what == "person") is (await store.stamps([ANA]) == (Stamp(0, 0),))
