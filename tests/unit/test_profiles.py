"""Views are kept while nothing changed, and never a moment longer: what each change does to all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from builders import ANA, NOW, an_item, days, minutes
from memories import Clock, InMemoryStore, a_memory
from relembra import Memory
from relembra.domain.scope import Scope
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.port import ItemFilter, Put

Told = Callable[..., Awaitable[str]]
"""A view in words."""


class CountingStore(InMemoryStore):
    """Counts how often items are read page by page."""

    pages_read = 0

    async def page(self, scope: Scope | None, wanted: Any, **asked: Any) -> Any:
        self.pages_read += isinstance(wanted, ItemFilter)
        return await super().page(scope, wanted, **asked)


async def profile(memory: Memory, **whose: Any) -> str:
    return str((await memory.profile(**whose)).sections)


async def people(memory: Memory, **whose: Any) -> str:
    return str(await memory.people(**whose))


async def cognitive(memory: Memory, **whose: Any) -> str:
    return str(await memory.cognitive(**whose))


async def me(memory: Memory, **whose: Any) -> str:
    return str(await memory.me(**whose))


VIEWS = (profile, people, cognitive, me)
HEARD = (profile, people, cognitive)
"""Those that are told in a space as well."""


async def knows(memory: Memory, word: str, user: str = "ana", **parts: Any) -> Sequence[str]:
    """Two items that between them every view tells: of the person, and of somebody they know."""
    mine = await memory.add(f"Likes {word}", user=user, type="preference", attribute="likes", value=word, **parts)
    theirs = await memory.add(
        f"{word} is her sister", user=user, type="person", subject=word, attribute="relation", value="sister", **parts
    )
    return mine.id, theirs.id


@pytest.fixture(params=VIEWS)
def told(request: pytest.FixtureRequest) -> Told:
    view: Told = request.param
    return view


async def test_a_view_seen_again_reads_no_item_again(told: Told, clock: Clock) -> None:
    store = CountingStore(BilingualAnalyzer())
    async with a_memory(store, clock=clock) as memory:
        await knows(memory, "Clara")
        first = await told(memory, user="ana")
        read = store.pages_read
        clock.move(minutes=1)
        assert (await told(memory, user="ana"), store.pages_read) == (first, read)
        await knows(memory, "Luna")
        read = store.pages_read
        assert "Luna" in await told(memory, user="ana")
        assert store.pages_read > read


async def test_every_change_is_seen_at_once(told: Told, memory: Memory) -> None:
    await knows(memory, "Clara")
    assert "Clara" in await told(memory, user="ana")
    for undo in (True, False):
        ids = await knows(memory, "Luna")
        assert "Luna" in await told(memory, user="ana")
        for id in ids:
            await memory.delete(id, user="ana")
        assert "Luna" not in await told(memory, user="ana")
        if undo:
            for id in ids:
                await memory.undo(id, user="ana")
            assert "Luna" in await told(memory, user="ana")
            for id in ids:
                await memory.forget(user="ana", item=id)
            assert "Luna" not in await told(memory, user="ana")
    await memory.forget(user="ana", all=True)
    assert "Clara" not in await told(memory, user="ana")


async def test_nobody_is_shown_what_is_kept_of_another(told: Told, memory: Memory) -> None:
    await knows(memory, "Clara")
    await knows(memory, "Luna", user="bia")
    await knows(memory, "Rosa", tenant="other")
    for whose, name in (
        ({"user": "ana"}, "Clara"),
        ({"user": "bia"}, "Luna"),
        ({"user": "ana", "tenant": "other"}, "Rosa"),
    ) * 2:
        said = await told(memory, **whose)
        assert [one for one in ("Clara", "Luna", "Rosa") if one in said] == [name]


@pytest.mark.parametrize("view", HEARD)
async def test_what_is_kept_in_private_is_not_told_in_a_space(view: Told, memory: Memory) -> None:
    await knows(memory, "Clara")
    await knows(memory, "Luna", space="g1")
    for _ in range(2):
        said = await view(memory, user="ana")
        assert "Clara" in said
        assert "Luna" in said
        said = await view(memory, user="ana", space="g1")
        assert "Clara" not in said
        assert "Luna" in said
        assert "Luna" not in await view(memory, user="ana", space="g2")


async def test_what_stays_here_is_kept_apart_and_a_mark_holds_at_once(told: Told, memory: Memory) -> None:
    ids = await knows(memory, "Clara")
    await knows(memory, "Luna")
    for local in (True, False, True):
        for id in ids:
            await memory.keep_local(id, user="ana", local=local)
        for _ in range(2):
            assert "Clara" in await told(memory, user="ana")
            said = await told(memory, user="ana", outside=True)
            assert ("Clara" in said) is not local
            assert "Luna" in said


async def test_time_alone_ends_what_is_kept(told: Told, memory: Memory, clock: Clock) -> None:
    await knows(memory, "Clara", expires_at=NOW + minutes(3))
    await knows(memory, "Luna")
    assert "Clara" in await told(memory, user="ana")
    clock.move(minutes=2)
    assert "Clara" in await told(memory, user="ana")
    clock.move(minutes=2)
    said = await told(memory, user="ana")
    assert "Clara" not in said
    assert "Luna" in said
    clock.move(minutes=-3)  # a clock set right
    assert "Clara" in await told(memory, user="ana")


async def test_of_a_large_memory_who_somebody_is_is_still_told(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("relembra.services.MANY", 40)
    monkeypatch.setattr("relembra.visibility.MOST_ITEMS", 40)
    store = InMemoryStore(BilingualAnalyzer())
    old = [
        an_item(content="Lives in Recife", attribute="residence", value="Recife", created_at=NOW - days(900)),
        an_item(content="Clara is her sister", subject="Clara", attribute="relation", value="sister",
                created_at=NOW - days(900)),
        an_item(content="Saw a heron", created_at=NOW - days(900)),
    ]  # fmt: skip
    newer = [an_item(content=f"Saw {number} storks") for number in range(40)]
    async with a_memory(store, clock=clock) as memory:
        await store.apply(ANA, [Put(item, None) for item in (*old, *newer)])
        said = await profile(memory, user="ana")
        assert "Lives in Recife" in said
        assert "Clara is her sister" in said
        assert "Saw a heron" not in said
        assert "Clara" in await people(memory, user="ana")
