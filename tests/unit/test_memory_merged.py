"""What a person decides about an item that was merged since it was shown is done to what it was merged into."""

from __future__ import annotations

import pytest

from gardens import merged_into
from memories import Clock
from relembra import KnowledgeItem, Memory
from relembra.errors import ProtectedError, StaleError


async def a_pair(memory: Memory, clock: Clock) -> tuple[KnowledgeItem, KnowledgeItem]:
    """Something a program said twice, and the second as it was shown, before both became one."""
    kept = await memory.add("Knows a song", user="ana", by="program:app")
    shown = await memory.add("Knows a song gladly", user="ana", by="program:app")
    clock.move(hours=1)
    await merged_into(memory._store, kept.id, shown.id, clock=clock)
    clock.move(hours=1)
    return kept, shown


async def contents(memory: Memory, *, history: bool = False, deleted: bool = False) -> list[str]:
    return [item.content for item in await memory.list(user="ana", history=history, deleted=deleted)]


async def test_a_version_from_before_some_other_change_is_still_refused(memory: Memory, clock: Clock) -> None:
    kept = await memory.add("Knows a song", user="ana", by="program:app")
    shown = await memory.add("Knows a song gladly", user="ana", by="program:app")
    await memory.archive(shown.id, user="ana")
    await memory.recover(shown.id, user="ana")
    await merged_into(memory._store, kept.id, shown.id, clock=clock)
    with pytest.raises(StaleError):
        await memory.delete(shown.id, user="ana", version=shown.version)
    assert await contents(memory) == ["Knows a song"]


async def test_no_machine_reaches_what_is_confirmed_through_what_was_merged(memory: Memory, clock: Clock) -> None:
    kept, shown = await a_pair(memory, clock)
    await memory.validate(kept.id, user="ana")
    with pytest.raises(ProtectedError):
        await memory.delete(shown.id, user="ana", by="model:assistant")
    assert await contents(memory) == ["Knows a song"]
    assert (await memory.get(shown.id, user="ana")).deleted_at is None


# ── what another value took the place of ──────────────────────────────────────────────────────────────────────────


async def moved(memory: Memory, clock: Clock) -> tuple[KnowledgeItem, KnowledgeItem]:
    old = await memory.add("Mora em Recife", user="ana", attribute="residence", value="Recife", by="program:app")
    clock.move(days=30)
    new = await memory.add("Mora no Porto", user="ana", attribute="residence", value="Porto", by="program:app")
    clock.move(days=1)
    return old, new


async def test_correcting_history_corrects_that_row_and_leaves_what_holds_now(memory: Memory, clock: Clock) -> None:
    old, new = await moved(memory, clock)
    ended = await memory.get(old.id, user="ana")
    right = await memory.correct(old.id, "Mora em Olinda", user="ana")
    assert await contents(memory) == ["Mora no Porto"]
    assert (right.content, right.value, right.validated) == ("Mora em Olinda", "Olinda", True)
    assert (right.superseded_by, right.superseded_at) == (new.id, ended.superseded_at)
    assert (right.held_from, right.held_until) == (ended.held_from, ended.held_until)
    assert set(await contents(memory, history=True)) == {"Mora em Olinda", "Mora no Porto"}
    before = (await memory.history(new.id, user="ana")).predecessors
    assert [item.id for item in before] == [old.id, right.id]
    await memory.undo(right.id, user="ana")
    assert set(await contents(memory, history=True)) == {"Mora em Recife", "Mora no Porto"}
    assert (await memory.verify()).problems == ()


async def test_deleting_or_forgetting_history_leaves_what_holds_now(memory: Memory, clock: Clock) -> None:
    old, _ = await moved(memory, clock)
    assert (await memory.delete(old.id, user="ana")).id == old.id
    assert await contents(memory, history=True) == ["Mora no Porto"]
    assert (await memory.forget(user="ana", item=old.id)).counts["items"] == 1
    assert await contents(memory) == ["Mora no Porto"]
