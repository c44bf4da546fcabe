from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from builders import ANA, NOW, a_note, an_id, an_item, days, kept
from gardens import EMBEDDER, Reteller, a_garden_job, a_gardener, alike, everything, planted
from memories import Clock
from relembra.domain.jobs import GARDEN, Run, RunStatus, Tally
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.message import Note, NoteKind
from relembra.domain.policy import LIFE
from relembra.domain.scope import Place, shelf_of
from relembra.learn.keeper import Keeper
from relembra.night.gardener import ActionKind
from relembra.store.port import Put, Store

LONG = " ".join(f"Ana contou a parte {number} da viagem a Recife." for number in range(30))
SMALL = replace(LIFE, garden=replace(LIFE.garden, batch=2))


@pytest.fixture
def clock() -> Clock:
    return Clock(NOW + days(40))


SWIM = ("Gosta muito de nadar no mar", "Gosta de nadar no mar")


def a_garden() -> list[KnowledgeItem | Note]:
    """A memory in which each of the gardener's works has something to do, forty days after it was learnt."""
    feeling = {"type": KnowledgeType.EMOTION}
    return [
        an_item(id=an_id(1), content="É vegetariana", message_ids=("m1",)),
        an_item(id=an_id(2), content="Não come carne", message_ids=("m2",), tags=("comida",)),
        an_item(id=an_id(3), content="Is vegan", validated=True),
        an_item(id=an_id(4), content=SWIM[0], created_at=NOW + days(1), accesses=3, last_access=NOW + days(39)),
        an_item(id=an_id(5), content=SWIM[1], created_at=NOW + days(2), tags=("mar",)),
        an_item(id=an_id(6), content="Plays chess", created_at=NOW + days(3)),
        an_item(id=an_id(7), content="plays chess.", created_at=NOW + days(4), observations=4),
        an_item(id=an_id(8), content="Anda ansiosa com os prazos", weight=0.9, **feeling),
        an_item(id=an_id(9), content="Feels proud of the garden", weight=0.5, **feeling),
        an_item(id=an_id(10), content="Anda triste", weight=0.5, validated=True, **feeling),
        an_item(id=an_id(11), content="Reads before sleeping"),
        an_item(id=an_id(12), content="Mora em Recife", attribute="residence", value="Recife"),
        a_note(id=an_id(21), summary=LONG),
        a_note(id=an_id(22), last_access=NOW + days(38)),
        a_note(id=an_id(23), happened_at=NOW + days(35)),
        a_note(id=an_id(24), kind=NoteKind.MONTHLY, summary=LONG),
    ]


async def sown(store: Store) -> None:
    rows = a_garden()
    await planted(store, *(row for row in rows if isinstance(row, KnowledgeItem)))
    await kept(store, *(row for row in rows if isinstance(row, Note)))


async def test_the_run_does_what_the_plan_says_and_then_nothing_is_left(store: Store, clock: Clock) -> None:
    await sown(store)
    gardener = a_gardener(store, clock, compared=alike(SWIM))
    deeds = await gardener.plan(ANA)
    before = await everything(store)
    job = await a_garden_job(store, clock)
    await gardener.run(job)
    run = await store.find(ANA, Run, job.id)
    assert run is not None
    assert (run.status, run.error) == (RunStatus.COMPLETED, None)
    entries = await store.changes(ANA, run.changes)
    shown = {(entry.verb, entry.target.value, entry.target_id) for entry in entries}
    planned = {
        (_verb(deed.kind), "note" if deed.kind in (ActionKind.ARCHIVE_NOTE, ActionKind.CONDENSE) else "item", id)
        for deed in deeds
        for id in deed.ids
    }
    assert shown == planned - {("merge", "item", an_id(3))}  # the confirmed one stays as it is
    assert run.tally == Tally(updated=5, merged=4, faded=1, archived=2)
    after = await everything(store)
    changed = {id for id, row in after.items() if before[id] != row}
    assert (changed, after[an_id(3)]) == ({entry.target_id for entry in entries}, before[an_id(3)])
    assert (after[an_id(10)], after[an_id(7)]["superseded_by"]) == (before[an_id(10)], an_id(6))
    assert after[an_id(6)]["observations"] == 5
    assert len(after[an_id(21)]["summary"]) < 400
    assert await gardener.plan(ANA) == []


def _verb(kind: ActionKind) -> str:
    return "archive" if kind is ActionKind.ARCHIVE_NOTE else kind.value


async def test_every_change_of_a_run_can_be_undone(store: Store, clock: Clock) -> None:
    await sown(store)
    before = await everything(store)
    gardener = a_gardener(store, clock, compared=alike(SWIM), policy=SMALL)
    job = await a_garden_job(store, clock)
    await gardener.run(job)
    run = await store.find(ANA, Run, job.id)
    assert run is not None
    keeper = Keeper(store, embedder=EMBEDDER, clock=clock, new_id=an_id)
    for change in reversed(run.changes):
        await keeper.undo(ANA, change, None)
    after = await everything(store)
    assert {id: _told(row) for id, row in after.items()} == {id: _told(row) for id, row in before.items()}
    again = {deed.kind for deed in await gardener.plan(ANA)}
    assert again.isdisjoint({ActionKind.MERGE, ActionKind.ARCHIVE, ActionKind.ARCHIVE_NOTE, ActionKind.CONDENSE})


def _told(row: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in row.items() if name not in ("version", "updated_at")}


async def test_it_comes_again_in_a_week_while_time_can_change_anything(store: Store, clock: Clock) -> None:
    await sown(store)
    job = await a_garden_job(store, clock)
    await a_gardener(store, clock).run(job)
    (again,) = await store.jobs(kinds=(GARDEN,))
    assert (again.kind, again.key, again.payload) == (GARDEN, GARDEN, {"zone": "America/Sao_Paulo"})
    assert again.due_at.isoformat() == "2026-04-17T06:10:00+00:00"  # ten past three, there


async def test_it_stays_away_once_nothing_can_change(store: Store, clock: Clock) -> None:
    await planted(store, an_item(attribute="residence", value="Recife"), an_item(content="Plays chess", priority=3))
    clock.move(days=300)
    await a_gardener(store, clock).run(await a_garden_job(store, clock))
    assert await store.jobs(kinds=(GARDEN,)) == []


async def test_when_its_mind_fails_notes_wait_and_the_rest_is_done(store: Store, clock: Clock) -> None:
    await sown(store)
    job = await a_garden_job(store, clock)
    await a_gardener(store, clock, night=Reteller(failing=True)).run(job)
    run = await store.find(ANA, Run, job.id)
    assert run is not None
    assert run.status is RunStatus.COMPLETED
    assert (run.model_calls, [use.calls for use in await store.usage(ANA)]) == (1, [1])
    note, item = (await store.get(ANA, Note, [an_id(21)]))[0], (await store.get(ANA, KnowledgeItem, [an_id(8)]))[0]
    assert (note.summary, note.archived_at, item.weight) == (LONG, clock(), 0.4)
    await a_gardener(store, clock).run(await a_garden_job(store, clock, by_hand=True))
    (note,) = await store.get(ANA, Note, [an_id(21)])
    assert len(note.summary) < 400


async def test_notes_are_told_in_their_own_language_step_by_step(store: Store, clock: Clock) -> None:
    english = " ".join(f"Ana told part {number} of her journey to the mountains." for number in range(30))
    await kept(store, a_note(id=an_id(21), summary=LONG), a_note(id=an_id(22), summary=english))
    night = Reteller()
    await a_gardener(store, clock, night=night).run(await a_garden_job(store, clock))
    assert {(language, tokens) for _, language, tokens in night.asked} == {("pt", 80), ("en", 80)}
    first = {note.id: note.summary for note in await store.get(ANA, Note, [an_id(21), an_id(22)])}
    clock.move(days=60)
    night = Reteller()
    await a_gardener(store, clock, night=night).run(await a_garden_job(store, clock, by_hand=True))
    assert {(text, tokens) for text, _, tokens in night.asked} == {(text, 40) for text in first.values()}
    assert [job.payload["ids"] for job in await store.jobs(kinds=("index",))] == [[an_id(22), an_id(21)]] * 2


async def test_a_note_taken_out_by_hand_is_not_put_away_the_next_night(store: Store, clock: Clock) -> None:
    await kept(store, a_note(id=an_id(21)))
    gardener = a_gardener(store, clock)
    await gardener.run(await a_garden_job(store, clock))
    keeper = Keeper(store, embedder=EMBEDDER, clock=clock, new_id=an_id)
    await keeper.recover_note(ANA, an_id(21), None)
    clock.move(days=7)
    assert await gardener.plan(ANA) == []
    clock.move(days=7)
    assert [deed.kind for deed in await gardener.plan(ANA)] == [ActionKind.ARCHIVE_NOTE]


async def test_a_space_s_notes_are_put_away_too(store: Store, clock: Clock) -> None:
    place = Place("bakery")
    shelf = shelf_of(ANA, place)
    note = a_note(scope=shelf, place=place)
    await store.apply(shelf, [Put(note, None)])
    gardener = a_gardener(store, clock)
    assert [deed.kind for deed in await gardener.plan(shelf)] == [ActionKind.ARCHIVE_NOTE]
