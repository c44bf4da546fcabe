"""What upkeep promises: rows without vectors, models, verification, numbers, copies, closing."""

from __future__ import annotations

import asyncio
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
from relembra.domain.scope import Scope
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


async def test_rows_without_a_vector_of_the_model_are_paged_in_a_stable_order(store: Store) -> None:
    for scope in (BIA, ANA, ANA_ELSEWHERE):
        await kept(store, *(make(scope=scope) for make in (an_item, a_message, a_note, an_item)))
    deleted, forgotten, embedded, other = an_item(deleted_at=NOW), an_item(), an_item(), an_item()
    await kept(store, deleted, forgotten, embedded, other)
    await store.forget(ANA, ForgetItem(forgotten.id))
    await store.apply(ANA, [PutVectors(Kind.ITEM, embedded.id, MODEL, (a_vector(1, 0),))])
    await store.apply(ANA, [PutVectors(Kind.ITEM, other.id, "other", (a_vector(1, 0, 0),))])
    rows = await all_unembedded(store, MODEL, limit=100)
    assert len({(row.scope, row.kind, row.id) for row in rows}) == len(rows) == 14
    assert {deleted.id, other.id} < {row.id for row in rows}
    for limit in (1, 2, 3):
        assert await all_unembedded(store, MODEL, limit=limit) == rows
    assert embedded.id in {row.id for row in await store.unembedded("other", limit=100)}
    seen: list[Unembedded] = []  # paging goes on although the given row has its vector now
    while page := await store.unembedded(MODEL, limit=2, after=seen[-1] if seen else None):
        seen += page
        for row in page:
            await store.apply(row.scope, [PutVectors(row.kind, row.id, MODEL, (a_vector(1, 0),))])
    assert seen == rows
    assert await store.unembedded(MODEL, limit=10) == []


async def test_a_row_without_a_vector_comes_with_the_text_to_embed(store: Store) -> None:
    item = an_item(title="Home", content="Lives in Recife", value="Boa Viagem", tags=("varanda",))
    message, note = a_message(text="good morning"), a_note(title="A day", summary="It rained.")
    await kept(store, item, message, note)
    assert await store.unembedded(MODEL, limit=10) == [
        Unembedded(ANA, Kind.ITEM, item.id, "Home\nLives in Recife\nBoa Viagem\nvaranda"),
        Unembedded(ANA, Kind.MESSAGE, message.id, "good morning"),
        Unembedded(ANA, Kind.NOTE, note.id, "A day\nIt rained."),
    ]


async def test_vectors_of_every_other_model_are_removed_and_counted(store: Store) -> None:
    mine, theirs = an_item(), an_item(scope=BIA)
    await kept(store, mine, theirs)
    assert ((await store.stats()).vectors, await store.model_names()) == ({}, [])
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


async def test_a_sound_store_has_no_problems_and_says_what_was_checked(store: Store) -> None:
    assert (await store.verify()).problems == ()
    item, message, note = an_item(), a_message(external_id="x"), a_note()
    await kept(store, item, message, a_message(), note, a_conversation(), an_entry(), a_job())
    vectors = PutVectors(Kind.MESSAGE, message.id, MODEL, (a_vector(1, 0),))
    await store.apply(ANA, [IndexMessages((message.id,)), vectors])
    verification = await store.verify()
    assert verification.problems == ()
    assert sum(verification.checked.values()) > 0


async def test_a_successor_that_is_not_there_or_a_vector_not_of_unit_length_is_a_problem(store: Store) -> None:
    lost, weak = an_item(superseded_by=an_id(), superseded_at=NOW), an_item()
    await kept(store, lost, weak)
    await store.apply(ANA, [PutVectors(Kind.ITEM, weak.id, MODEL, (a_vector(1, 0)[:4] + a_vector(0, 1)[4:],))])
    problems = (await store.verify()).problems
    assert [sum(item.id in problem for problem in problems) for item in (lost, weak)] == [1, 1]
    assert len(problems) == 2


async def test_numbers_of_all_and_of_one_person(store: Store) -> None:
    await kept(
        store, an_item(type=KnowledgeType.GOAL, area=LifeArea.HEALTH),
        an_item(superseded_by=an_id(), superseded_at=NOW), an_item(archived_at=NOW),
        an_item(deleted_at=NOW, superseded_at=NOW, superseded_by=an_id()), a_message(), a_message(), a_note(),
        a_conversation(), a_job(), an_item(scope=BIA), a_message(scope=ANA_ELSEWHERE),
    )  # fmt: skip
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
    nobody = await store.stats(Scope("default", "eva"))
    assert (nobody.people, nobody.messages, nobody.items, nobody.jobs, nobody.bytes) == (0, 0, {}, {}, 0)


async def test_a_copy_is_written_and_its_size_told_and_an_existing_target_stays(store: Store, tmp_path: Path) -> None:
    await kept(store, an_item(title="zebra crossing", person={"name": "Zé"}), a_message(), an_entry(), a_job())
    target, taken = tmp_path / "copy", tmp_path / "taken"
    size = await store.backup(target)
    assert target.stat().st_size == size > 0
    assert b"zebra crossing" in target.read_bytes()
    taken.write_bytes(b"precious")
    with pytest.raises(ConflictError):
        await store.backup(taken)
    assert taken.read_bytes() == b"precious"
    await store.close()
    await store.close()


async def test_a_store_has_a_secret_that_stays_and_no_other_has(store: Store) -> None:
    first, *others = await asyncio.gather(*(store.identity() for _ in range(4)))
    assert len(first) >= 32
    assert {first} == {*others, await store.identity()}
    await kept(store, an_item())
    assert await store.identity() == first
