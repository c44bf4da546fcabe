"""What is known: who may change it, what becomes a question, what was merged or is history, and undo."""

from __future__ import annotations

import asyncio

import pytest

from gardens import merged_into
from loops import each
from memories import Clock
from relembra import (
    InvalidInputError,
    KnowledgeItem,
    Memory,
    Source,
)
from relembra.errors import ProtectedError, StaleError
from relembra.learn.drafts import Draft


@pytest.mark.parametrize("machine", ["model:x", "program:gardener"])
async def test_no_machine_changes_what_the_person_confirmed(memory: Memory, machine: str) -> None:
    item = await memory.add("Mora em Recife", user="ana", attribute="residence", value="Recife")
    with pytest.raises(ProtectedError):
        await memory.delete(item.id, user="ana", by=machine)
    with pytest.raises(ProtectedError):
        await memory.undo(item.id, user="ana", by=machine)
    await memory.add("Mora no Porto", user="ana", attribute="residence", value="Porto", by=machine)
    assert await memory.get(item.id, user="ana") == item


@each(["validate", "correct"])
async def test_no_machine_speaks_for_the_person(verb: str, memory: Memory) -> None:
    item = await memory.add("Sleeps badly", user="ana", by="model:x")
    assert (item.source, item.validated) == (Source.CONVERSATION, False)
    with pytest.raises(InvalidInputError, match="only ana"):
        await getattr(memory, verb)(item.id, *(["Sleeps well"] if verb == "correct" else []), user="ana", by="model:x")
    with pytest.raises(InvalidInputError, match="by hand"):
        await memory.add("Sleeps well", user="ana", by="model:x", source="user_input")


async def test_undo_walks_back_one_change_at_a_time_and_can_itself_be_undone(memory: Memory) -> None:
    item = await memory.add("Gosta de samba", user="ana", source="ai_inference")
    await memory.validate(item.id, user="ana")
    await memory.delete(item.id, user="ana")
    await memory.undo(item.id, user="ana")
    assert (await memory.get(item.id, user="ana")).deleted_at is None
    await memory.undo(item.id, user="ana")
    assert not (await memory.get(item.id, user="ana")).validated
    last = (await memory.history(item.id, user="ana")).trail[-1]
    assert last.verb == "undo"
    await memory.undo(last.change, user="ana")
    assert (await memory.get(item.id, user="ana")).validated


async def lives(memory: Memory, city: str, **parts: str) -> KnowledgeItem:
    return await memory.add(f"Mora em {city}", user="ana", attribute="residence", value=city, **parts)  # type: ignore[arg-type]  # plain words


async def homes(memory: Memory) -> list[str]:
    return [str(item.value or item.content) for item in await memory.list(user="ana", attribute="residence")]


async def test_adds_at_the_same_time_leave_one_current_value(memory: Memory) -> None:
    await asyncio.gather(*(lives(memory, city) for city in ("Oslo", "Roma", "Lima", "Bonn")))
    assert (len(await homes(memory)), len(await memory.list(user="ana", history=True))) == (1, 4)


async def test_the_persons_word_for_one_value_ends_the_other(memory: Memory) -> None:
    old = await lives(memory, "Recife")
    new = await lives(memory, "Porto", by="model:x")
    assert new.needs_resolution
    sure = await memory.validate(new.id, user="ana")
    assert (sure.validated, sure.needs_resolution, await homes(memory)) == (True, False, ["Porto"])
    assert (await memory.get(old.id, user="ana")).superseded_by == new.id
    await memory.undo(new.id, user="ana")
    assert sorted(await homes(memory)) == ["Porto", "Recife"]


@pytest.mark.parametrize("verb", ["restore", "undo"])
async def test_a_value_that_comes_back_beside_another_is_a_question(memory: Memory, verb: str) -> None:
    old = await lives(memory, "Recife")
    await memory.delete(old.id, user="ana")
    await lives(memory, "Porto")
    await getattr(memory, verb)(old.id, user="ana")
    back = await memory.get(old.id, user="ana")
    assert back.needs_resolution
    assert sorted(await homes(memory)) == ["Porto", "Recife"]
    settled = await memory.validate(old.id, user="ana")
    assert (settled.needs_resolution, settled.confidence) == (False, back.confidence)
    assert await homes(memory) == ["Recife"]


async def test_another_persons_word_is_a_claim(memory: Memory) -> None:
    item = await memory.add("Gosta de jazz", user="ana", by="person:bob")
    assert (item.speaker, item.source, item.validated) == ("bob", Source.CONVERSATION, False)
    with pytest.raises(InvalidInputError, match="only ana"):
        await memory.validate(item.id, user="ana", by="person:bob")


async def test_related_items_stay_where_they_may_be_heard(memory: Memory) -> None:
    private = await memory.add("Segredo sobre o clube", user="ana")
    public = await memory.add("O clube lê romances", user="ana", space="g1", related=[private.id])
    assert private.id not in {hit.item.id for hit in await memory.related(public.id, user="ana")}


async def test_a_question_is_over_once_one_value_is_archived_and_open_again_once_it_is_back(memory: Memory) -> None:
    for born in ("Nasceu em 3 de maio", "Nasceu em 5 de maio"):
        await memory.add(born, user="ana", attribute="birthday", value=born[-11:], source="conversation")
    (doubt,) = await memory.conflicts(user="ana", open_only=True)
    await memory.archive(doubt.old.id, user="ana")
    assert await memory.conflicts(user="ana", open_only=True) == []
    assert (await memory.get(doubt.new.id, user="ana")).needs_resolution is False
    assert (await memory.recover(doubt.old.id, user="ana")).needs_resolution is True
    assert len(await memory.conflicts(user="ana", open_only=True)) == 1


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


async def test_what_is_added_and_corrected_is_tagged_with_its_topics(memory: Memory) -> None:
    item = await memory.add("Adora café da manhã", user="ana")
    assert (item.tags, item.priority) == (("comida",), 6)
    assert [one.id for one in await memory.list(user="ana", tags=["comida"])] == [item.id]
    right = await memory.correct(item.id, "Adora cinema", user="ana")
    assert right.tags == ("filmes",)
    given = await memory.add("Adora almoço", user="ana", tags=["família"])
    assert (await memory.correct(given.id, "Adora viagem", user="ana")).tags == ("família",)
    own = await memory.add("Adora jantar fora", user="ana", tags=["sábado"], priority=2)
    assert (own.tags, own.priority) == (("sábado",), 2)
    [many] = await memory.add_many([Draft(content="Viajou para Paris", type="memory")], user="ana")
    assert (many.tags, many.priority) == (("viagem",), 8)


async def test_items_are_listed_and_searched_by_a_part_of_an_area(memory: Memory) -> None:
    item = await memory.add("É alérgica a camarão", user="ana")
    await memory.add("Tem diabetes", user="ana", area="health", sub_area="conditions")
    assert [one.id for one in await memory.list(user="ana", sub_area="allergies")] == [item.id]
    assert [hit.item.id for hit in await memory.search("saúde", user="ana", sub_area="allergies")] == [item.id]
    assert (await memory.count(user="ana", sub_area="allergies")).total == 1
