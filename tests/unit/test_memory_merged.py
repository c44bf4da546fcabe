"""What a person decides about an item that was merged since it was shown is done to what it was merged into."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import pytest

from builders import ANA
from gardens import merged_into
from hashing import HashingEmbedder
from memories import Clock
from relembra import ConflictError, KnowledgeItem, Memory, NotFoundError
from relembra.domain.audit import deleted
from relembra.domain.ids import new_id
from relembra.domain.policy import LIFE
from relembra.domain.scope import Scope
from relembra.errors import ProtectedError, StaleError
from relembra.learn.keeper import Keeper
from relembra.store.port import R, Store


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


async def test_both_are_deleted_and_restored_as_one_change(memory: Memory, clock: Clock) -> None:
    kept, shown = await a_pair(memory, clock)
    gone = await memory.delete(shown.id, user="ana", version=shown.version)
    assert gone.id == kept.id
    assert await contents(memory, history=True) == []
    assert (await memory.restore(shown.id, user="ana")).id == kept.id
    assert await contents(memory) == ["Knows a song"]
    await memory.undo(kept.id, user="ana")
    assert await contents(memory, history=True) == []
    assert len(await contents(memory, history=True, deleted=True)) == 2


async def test_both_are_forgotten(memory: Memory, clock: Clock) -> None:
    kept, shown = await a_pair(memory, clock)
    would = await memory.forget(user="ana", item=shown.id, dry_run=True)
    gone = await memory.forget(user="ana", item=shown.id)
    assert would.counts == gone.counts
    assert gone.counts["items"] == 2
    for id in (kept.id, shown.id):
        with pytest.raises(NotFoundError):
            await memory.get(id, user="ana")
    assert (await memory.verify()).problems == ()


async def test_a_version_from_before_some_other_change_is_still_refused(memory: Memory, clock: Clock) -> None:
    kept = await memory.add("Knows a song", user="ana", by="program:app")
    shown = await memory.add("Knows a song gladly", user="ana", by="program:app")
    await memory.archive(shown.id, user="ana")
    await memory.recover(shown.id, user="ana")
    await merged_into(memory._store, kept.id, shown.id, clock=clock)
    with pytest.raises(StaleError):
        await memory.delete(shown.id, user="ana", version=shown.version)
    assert await contents(memory) == ["Knows a song"]


async def test_a_merge_that_was_undone_is_not_followed(memory: Memory, clock: Clock) -> None:
    _, shown = await a_pair(memory, clock)
    await memory.undo(shown.id, user="ana")
    assert (await memory.delete(shown.id, user="ana")).id == shown.id
    assert await contents(memory) == ["Knows a song"]


async def test_no_machine_reaches_what_is_confirmed_through_what_was_merged(memory: Memory, clock: Clock) -> None:
    kept, shown = await a_pair(memory, clock)
    await memory.validate(kept.id, user="ana")
    with pytest.raises(ProtectedError):
        await memory.delete(shown.id, user="ana", by="model:assistant")
    assert await contents(memory) == ["Knows a song"]
    assert (await memory.get(shown.id, user="ana")).deleted_at is None


class Meanwhile:
    """A store in which two items become one just after they were first read."""

    def __init__(self, store: Store, kept: KnowledgeItem, other: KnowledgeItem, clock: Clock) -> None:
        self._store = store
        self._merge: Callable[[], Awaitable[None]] | None = partial(merged_into, store, kept.id, other.id, clock=clock)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def get(self, scope: Scope, of: type[R], ids: Sequence[str]) -> list[R]:
        rows = await self._store.get(scope, of, ids)
        if (merge := self._merge) is not None:
            self._merge = None
            await merge()
        return rows


@pytest.mark.parametrize("verb", ["validate", "delete", "forget"])
async def test_a_merge_between_reading_and_writing_is_followed_too(memory: Memory, clock: Clock, verb: str) -> None:
    kept = await memory.add("Knows a song", user="ana", by="program:app")
    shown = await memory.add("Knows a song gladly", user="ana", by="program:app")
    store: Any = Meanwhile(memory._store, kept, shown, clock)
    keeper = Keeper(store, embedder=HashingEmbedder(), clock=clock, new_id=new_id)
    match verb:
        case "validate":
            await keeper.validate(ANA, shown.id, LIFE.confidence, None)
        case "delete":
            await keeper.change_item(ANA, shown.id, verb=verb, by=None, change=lambda item: deleted(item, clock()))
        case _:
            await keeper.forget(ANA, shown.id)
    held = await memory._store.get(ANA, KnowledgeItem, [kept.id])
    told = [(item.validated, item.deleted_at is not None) for item in held]
    assert told == {"validate": [(True, False)], "delete": [(False, True)], "forget": []}[verb]


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


async def test_what_was_corrected_already_names_what_to_correct(memory: Memory) -> None:
    wrong = await memory.add("Mora em Recife", user="ana")
    right = await memory.correct(wrong.id, "Mora em Olinda", user="ana")
    with pytest.raises(ConflictError, match=right.id):
        await memory.correct(wrong.id, "Mora no Porto", user="ana")
