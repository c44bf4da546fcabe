"""What keeping house promises: rows without vectors, models, verification, numbers, copies, closing."""

from __future__ import annotations

from pathlib import Path

import pytest

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    MODEL,
    NOW,
    a_conversation,
    a_job,
    a_message,
    a_note,
    a_query,
    a_vector,
    an_entry,
    an_id,
    an_item,
    days,
    items_where,
    kept,
    minutes,
)
from relembra.domain.jobs import JobState
from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.errors import ConflictError
from relembra.store.port import ForgetItem, IndexMessages, Kind, PutVectors, Store, Unembedded


async def all_unembedded(store: Store, model: str, *, limit: int) -> list[Unembedded]:
    rows: list[Unembedded] = []
    while page := await store.unembedded(model, limit=limit, after=rows[-1] if rows else None):
        assert len(page) <= limit
        rows += page
    return rows


async def test_messages_without_terms_are_told_oldest_first_of_everybody(store: Store) -> None:
    late = a_message(saved_at=NOW + minutes(2))
    early = a_message(scope=BIA, saved_at=NOW - minutes(1), sent_at=NOW + days(1))
    twins = [a_message(), a_message(scope=ANA_ELSEWHERE, deleted_at=NOW)]
    indexed = a_message(saved_at=NOW - days(1))
    await kept(store, late, *reversed(twins), early, indexed)
    await store.apply(ANA, [IndexMessages((indexed.id,))])
    expected = [(row.scope, row.id) for row in (early, *twins, late)]
    assert await store.unindexed(limit=10) == expected
    assert await store.unindexed(limit=2) == expected[:2]
    assert await store.unindexed(limit=0) == []


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
async def test_rows_without_a_vector_are_paged_in_a_stable_order(store: Store, limit: int) -> None:
    for scope in (BIA, ANA, ANA_ELSEWHERE):
        await kept(store, *(make(scope=scope) for make in (an_item, a_message, a_note, an_item)))
    rows = await all_unembedded(store, MODEL, limit=limit)
    assert len({(row.scope, row.kind, row.id) for row in rows}) == len(rows) == 12
    assert rows == await all_unembedded(store, MODEL, limit=100)


async def test_a_row_without_a_vector_comes_with_the_text_to_embed(store: Store) -> None:
    item = an_item(title="Home", content="Lives in Recife", value="Boa Viagem", tags=("casa",))
    message, note = a_message(text="good morning"), a_note(title="A day", summary="It rained.")
    await kept(store, item, message, note)
    rows = await store.unembedded(MODEL, limit=10)
    assert {(row.scope, row.kind, row.id, row.text) for row in rows} == {
        (ANA, Kind.ITEM, item.id, "Home\nLives in Recife\nBoa Viagem\ncasa"),
        (ANA, Kind.MESSAGE, message.id, "good morning"),
        (ANA, Kind.NOTE, note.id, "A day\nIt rained."),
    }


async def test_rows_with_a_vector_of_another_model_only_are_without_one(store: Store) -> None:
    with_it, with_other = an_item(), an_item()
    await kept(store, with_it, with_other)
    await store.apply(ANA, [PutVectors(Kind.ITEM, with_it.id, MODEL, (a_vector(1, 0),))])
    await store.apply(ANA, [PutVectors(Kind.ITEM, with_other.id, "other", (a_vector(1, 0, 0),))])
    assert [row.id for row in await store.unembedded(MODEL, limit=10)] == [with_other.id]
    assert [row.id for row in await store.unembedded("other", limit=10)] == [with_it.id]


async def test_paging_goes_on_although_the_given_row_has_its_vector_now(store: Store) -> None:
    await kept(store, *(an_item() for _ in range(4)), a_message(), a_note(), an_item(scope=BIA))
    seen: list[str] = []
    last: Unembedded | None = None
    while page := await store.unembedded(MODEL, limit=2, after=last):
        seen += [row.id for row in page]
        for row in page:
            await store.apply(row.scope, [PutVectors(row.kind, row.id, MODEL, (a_vector(1, 0),))])
        last = page[-1]
    assert len(seen) == len(set(seen)) == 7
    assert await store.unembedded(MODEL, limit=10) == []


async def test_deleted_rows_are_embedded_and_forgotten_ones_are_not(store: Store) -> None:
    deleted, forgotten = an_item(deleted_at=NOW), an_item()
    await kept(store, deleted, forgotten)
    await store.forget(ANA, ForgetItem(forgotten.id))
    assert [row.id for row in await store.unembedded(MODEL, limit=10)] == [deleted.id]


async def test_vectors_of_every_other_model_are_removed_and_counted(store: Store) -> None:
    mine, theirs = an_item(), an_item(scope=BIA)
    await kept(store, mine, theirs)
    for model in (MODEL, "old", "older"):
        await store.apply(ANA, [PutVectors(Kind.ITEM, mine.id, model, (a_vector(1, 0),))])
    await store.apply(BIA, [PutVectors(Kind.ITEM, theirs.id, "old", (a_vector(1, 0),))])
    assert (await store.stats()).vectors == {MODEL: 1, "old": 2, "older": 1}
    assert sorted(await store.model_names()) == sorted([MODEL, "old", "older"])
    assert await store.drop_other_vectors(MODEL) == 3
    assert (await store.stats()).vectors == {MODEL: 1}
    assert await store.model_names() == [MODEL]
    assert await store.drop_other_vectors(MODEL) == 0
    [hit] = await store.search(ANA, a_query(vector=a_vector(1, 0)), items_where())
    assert hit.id == mine.id


async def test_a_new_store_has_no_models(store: Store) -> None:
    assert (await store.stats()).vectors == {}
    assert await store.model_names() == []


async def test_a_sound_store_has_no_problems_and_says_what_was_checked(store: Store) -> None:
    assert (await store.verify()).problems == ()
    item, message, note = an_item(), a_message(external_id="x"), a_note()
    await kept(store, item, message, a_message(), note, a_conversation(), an_entry(), a_job())
    vectors = PutVectors(Kind.MESSAGE, message.id, MODEL, (a_vector(1, 0),))
    await store.apply(ANA, [IndexMessages((message.id,)), vectors])
    verification = await store.verify()
    assert verification.problems == ()
    assert sum(verification.checked.values()) > 0


async def test_a_successor_that_is_not_there_is_a_problem(store: Store) -> None:
    item = an_item(superseded_by=an_id(), superseded_at=NOW)
    await kept(store, item)
    [problem] = (await store.verify()).problems
    assert item.id in problem


async def test_a_vector_that_is_not_of_unit_length_is_a_problem(store: Store) -> None:
    item = an_item()
    await kept(store, item)
    await store.apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (a_vector(1, 0)[:4] + a_vector(0, 1)[4:],))])
    [problem] = (await store.verify()).problems
    assert item.id in problem


async def test_numbers_of_all_and_of_one_person(store: Store) -> None:
    await kept(
        store,
        an_item(type=KnowledgeType.GOAL, area=LifeArea.HEALTH),
        an_item(superseded_by=an_id(), superseded_at=NOW),
        an_item(archived_at=NOW),
        an_item(deleted_at=NOW, superseded_at=NOW, superseded_by=an_id()),
        a_message(),
        a_message(),
        a_note(),
        a_conversation(),
        a_job(),
        an_item(scope=BIA),
        a_message(scope=ANA_ELSEWHERE),
    )
    [item] = [row for row in await store.unembedded(MODEL, limit=50) if row.scope == BIA]
    await store.apply(BIA, [PutVectors(Kind.ITEM, item.id, MODEL, (a_vector(1, 0),))])
    mine, everybody = await store.stats(ANA), await store.stats()

    assert (mine.people, mine.conversations, mine.messages, mine.notes) == (1, 1, 2, 1)
    states = ("current", "superseded", "archived", "deleted")
    assert [mine.items.get(state, 0) for state in states] == [1, 1, 1, 1]
    assert mine.items_by_type.get("goal") == 1
    assert mine.items_by_area.get("health") == 1
    assert mine.vectors.get(MODEL, 0) == 0
    assert mine.jobs.get(JobState.WAITING) == 1
    assert (everybody.people, everybody.messages, sum(everybody.items.values())) == (3, 3, 5)
    assert everybody.vectors.get(MODEL) == 1
    assert (await store.stats(BIA)).vectors.get(MODEL) == 1
    assert everybody.bytes >= 0


async def test_a_stranger_has_no_numbers(store: Store) -> None:
    await kept(store, an_item(), a_message(), a_job())
    theirs = await store.stats(BIA)
    assert (theirs.people, theirs.messages, sum(theirs.items.values()), sum(theirs.jobs.values())) == (0, 0, 0, 0)


async def test_a_copy_is_written_and_its_size_told(store: Store, tmp_path: Path) -> None:
    await kept(store, an_item(title="zebra crossing", person={"name": "Zé"}), a_message(), an_entry(), a_job())
    target = tmp_path / "copy"
    size = await store.backup(target)
    assert target.stat().st_size == size > 0
    assert b"zebra crossing" in target.read_bytes()


async def test_an_existing_target_of_a_copy_is_a_conflict_and_stays(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    target.write_bytes(b"precious")
    with pytest.raises(ConflictError):
        await store.backup(target)
    assert target.read_bytes() == b"precious"


async def test_closing_twice_is_safe(store: Store) -> None:
    await kept(store, an_item())
    await store.close()
    await store.close()
