"""The archive: put away and taken out again, on the record, and undone like everything else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import ANA, NOW, a_note, an_id, an_item, items_where, kept
from hashing import HashingEmbedder
from memories import Clock
from relembra import KnowledgeItem, NotFoundError
from relembra.domain.audit import Target, archived
from relembra.domain.message import Note
from relembra.domain.scope import new_id
from relembra.learn.keeper import Keeper
from relembra.store.port import CaseFilter, Put, Store

GARDENER = "program:gardener"


@pytest.fixture
def keeper(store: Store, clock: Clock) -> Keeper:
    clock.move(days=1)
    return Keeper(store, embedder=HashingEmbedder(), clock=clock, new_id=new_id)


async def archive(keeper: Keeper, id: str, by: str | None = None) -> KnowledgeItem:
    return await keeper.change_item(ANA, id, verb="archive", by=by, change=archived, brief=True)


async def test_the_archive_is_recorded_without_what_the_item_says(store: Store, keeper: Keeper, clock: Clock) -> None:
    item = an_item(content="Ana works with glass. " * 20)
    await kept(store, item)
    assert await keeper.recover(ANA, item.id, None) == item  # what changes nothing is not recorded
    away = await archive(keeper, item.id, GARDENER)
    assert away == replace(item, archived_at=clock.now, updated_at=clock.now, version=2)
    assert await archive(keeper, item.id, GARDENER) == away
    assert (await store.page(ANA, items_where())).rows == ()
    assert (await store.page(ANA, items_where(archived=True))).rows == (away,)
    clock.move(days=1)
    await keeper.recover(ANA, item.id, None)
    trail = await store.trail(ANA, Target.ITEM, item.id)
    assert [(entry.verb, str(entry.actor)) for entry in trail] == [("archive", GARDENER), ("recover", "person:ana")]
    for entry in trail:
        assert set(entry.before or {}) == set(entry.after or {}) == {"archived_at", "updated_at", "version"}


async def test_a_value_recovered_beside_another_is_a_question(store: Store, keeper: Keeper) -> None:
    old = an_item(attribute="residence", value="Recife", content="Lives in Recife")
    new = an_item(attribute="residence", value="Porto", content="Lives in Porto")
    await kept(store, old)
    await archive(keeper, old.id)
    await kept(store, new)
    recovered = await keeper.recover(ANA, old.id, None)
    assert recovered.needs_resolution
    [case] = (await store.page(ANA, CaseFilter(open_only=True))).rows
    assert {case.old_id, case.new_id} == {old.id, new.id}


class Racing:
    """Lets somebody be quicker the first time something is changed."""

    def __init__(self, store: Store, anew: Note) -> None:
        self.store = store
        self.anew: Note | None = anew

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)

    async def apply(self, *given: object) -> object:
        if (anew := self.anew) is not None:
            self.anew = None
            await self.store.apply(ANA, [Put(anew, anew.version - 1)])
        return await self.store.apply(*given)  # type: ignore[arg-type]  # passed on as they are


async def test_a_note_is_taken_out_on_the_record_as_it_is_by_then(store: Store, clock: Clock) -> None:
    note = a_note(archived_at=NOW)
    await kept(store, note)
    anew = replace(note, summary="Ana said good night.", version=2)
    racing: Store = Racing(store, anew)  # type: ignore[assignment]  # the rest is passed on by name
    keeper = Keeper(racing, embedder=HashingEmbedder(), clock=clock, new_id=new_id)
    out = replace(anew, archived_at=None, version=3)
    assert [await keeper.recover_note(ANA, note.id, GARDENER) for _ in range(2)] == [out, out]
    [entry] = await store.trail(ANA, Target.NOTE, note.id)
    assert (entry.verb, str(entry.actor), entry.after) == ("recover", GARDENER, {"archived_at": None, "version": 3})
    for recover in (keeper.recover, keeper.recover_note):
        with pytest.raises(NotFoundError):
            await recover(ANA, an_id(), None)
