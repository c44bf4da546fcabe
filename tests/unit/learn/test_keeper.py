"""The archive: put away and taken out again, on the record, and undone like everything else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import ANA, NOW, a_note, a_query, an_id, an_item, items_where, kept
from hashing import HashingEmbedder
from memories import Clock
from relembra import NotFoundError
from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.domain.scope import new_id
from relembra.errors import ProtectedError
from relembra.learn.keeper import Keeper
from relembra.store.port import CaseFilter, Kind, NoteFilter, Put, Store, Touch

GARDENER = "program:gardener"


@pytest.fixture
def keeper(store: Store, clock: Clock) -> Keeper:
    clock.move(days=1)
    return Keeper(store, embedder=HashingEmbedder(), clock=clock, new_id=new_id)


async def test_an_archived_item_is_no_longer_held_and_keeps_all_it_says(
    store: Store, keeper: Keeper, clock: Clock
) -> None:
    item = an_item(content="Ana works with glass. " * 20)
    await kept(store, item)
    archived = await keeper.archive(ANA, item.id, GARDENER)
    assert archived == replace(item, archived_at=clock.now, updated_at=clock.now, version=2)
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [archived]
    assert (await store.page(ANA, items_where())).rows == ()
    assert (await store.page(ANA, items_where(archived=True))).rows == (archived,)


async def test_archiving_and_recovering_are_recorded_without_what_the_item_says(
    store: Store, keeper: Keeper, clock: Clock
) -> None:
    item = an_item()
    await kept(store, item)
    await keeper.archive(ANA, item.id, GARDENER)
    clock.move(days=1)
    await keeper.recover(ANA, item.id, None)
    trail = await store.trail(ANA, Target.ITEM, item.id)
    assert [(entry.verb, str(entry.actor)) for entry in trail] == [("archive", GARDENER), ("recover", "person:ana")]
    for entry in trail:
        assert set(entry.before or {}) == set(entry.after or {}) == {"archived_at", "updated_at", "version"}


async def test_what_changes_nothing_is_not_recorded(store: Store, keeper: Keeper) -> None:
    item, note = an_item(), a_note()
    await kept(store, item, note)
    assert await keeper.recover(ANA, item.id, None) == item
    assert await keeper.recover_note(ANA, note.id, None) == note
    once = await keeper.archive(ANA, item.id, None)
    assert await keeper.archive(ANA, item.id, None) == once
    noted = await keeper.archive_note(ANA, note.id, None)
    assert await keeper.archive_note(ANA, note.id, None) == noted
    assert len(await store.trail(ANA, Target.ITEM, item.id)) == 1
    assert len(await store.trail(ANA, Target.NOTE, note.id)) == 1


@pytest.mark.parametrize("by", [GARDENER, "model:openai:gpt-5", "person:bia"])
async def test_what_the_person_confirmed_is_archived_and_recovered_by_them_alone(
    store: Store, keeper: Keeper, by: str
) -> None:
    item = an_item(validated=True)
    await kept(store, item)
    with pytest.raises(ProtectedError):
        await keeper.archive(ANA, item.id, by)
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    await keeper.archive(ANA, item.id, None)
    with pytest.raises(ProtectedError):
        await keeper.recover(ANA, item.id, by)
    with pytest.raises(ProtectedError):
        await keeper.undo(ANA, item.id, by)
    assert (await keeper.recover(ANA, item.id, None)).archived_at is None


async def test_archiving_is_undone_and_the_undo_is_undone(store: Store, keeper: Keeper) -> None:
    item = an_item(content="Ana works with glass. " * 20)
    await kept(store, item)
    archived = await keeper.archive(ANA, item.id, None)
    await store.apply(ANA, [Touch(Kind.ITEM, (item.id,), NOW)])
    await keeper.undo(ANA, item.id, None)
    [back] = await store.get(ANA, KnowledgeItem, [item.id])
    assert replace(back, updated_at=item.updated_at) == replace(item, accesses=1, last_access=NOW, version=3)
    [hit] = await store.search(ANA, a_query("glass"), items_where())
    assert hit.id == item.id
    trail = await store.trail(ANA, Target.ITEM, item.id)
    await keeper.undo(ANA, trail[-1].change, None)
    [again] = await store.get(ANA, KnowledgeItem, [item.id])
    assert (again.archived_at, (await store.verify()).problems) == (archived.archived_at, ())


async def test_a_value_recovered_beside_another_is_a_question(store: Store, keeper: Keeper) -> None:
    old = an_item(attribute="residence", value="Recife", content="Lives in Recife")
    new = an_item(attribute="residence", value="Porto", content="Lives in Porto")
    await kept(store, old)
    await keeper.archive(ANA, old.id, None)
    await kept(store, new)
    recovered = await keeper.recover(ANA, old.id, None)
    assert recovered.needs_resolution
    [case] = (await store.page(ANA, CaseFilter(open_only=True))).rows
    assert {case.old_id, case.new_id} == {old.id, new.id}


async def test_an_unknown_item_or_note_is_told(keeper: Keeper) -> None:
    for verb in (keeper.archive, keeper.recover, keeper.archive_note, keeper.recover_note):
        with pytest.raises(NotFoundError):
            await verb(ANA, an_id(), None)


async def test_a_note_is_archived_and_recovered_on_the_record(store: Store, keeper: Keeper, clock: Clock) -> None:
    note = a_note(summary="Ana said good morning. " * 20)
    await kept(store, note)
    archived = await keeper.archive_note(ANA, note.id, GARDENER)
    assert archived == replace(note, archived_at=clock.now, version=2)
    assert (await store.page(ANA, NoteFilter())).rows == ()
    assert (await store.page(ANA, NoteFilter(archived=True))).rows == (archived,)
    assert await keeper.recover_note(ANA, note.id, None) == replace(note, version=3)
    trail = await store.trail(ANA, Target.NOTE, note.id)
    assert [(entry.verb, str(entry.actor)) for entry in trail] == [("archive", GARDENER), ("recover", "person:ana")]
    assert trail[0].before == {"archived_at": None, "version": 1}


async def test_a_note_somebody_wrote_anew_meanwhile_is_archived_as_it_is_now(store: Store, clock: Clock) -> None:
    note = a_note()
    await kept(store, note)
    anew = replace(note, summary="Ana said good night.", version=2)

    class Racing:
        """Lets somebody be quicker the first time a note is put."""

        def __init__(self) -> None:
            self.is_late = True

        def __getattr__(self, name: str) -> object:
            return getattr(store, name)

        async def apply(self, *given: object) -> object:
            if self.is_late:
                self.is_late = False
                await store.apply(ANA, [Put(anew, 1)])
            return await store.apply(*given)  # type: ignore[arg-type]  # passed on as they are

    racing: Store = Racing()  # type: ignore[assignment]  # the rest is passed on by name
    keeper = Keeper(racing, embedder=HashingEmbedder(), clock=clock, new_id=new_id)
    archived = await keeper.archive_note(ANA, note.id, None)
    assert archived == replace(anew, archived_at=clock.now, version=3)
    assert await store.get(ANA, Note, [note.id]) == [archived]
