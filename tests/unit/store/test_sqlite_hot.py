"""Vectors kept at hand: what a search finds there is what the file holds, whoever wrote it, and nothing forgotten."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from builders import ANA, BIA, MODEL, Words, a_note, a_query, a_vector, an_item, items_where, kept
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.minds.port import Vector
from relembra.store.port import Candidate, ForgetItem, ForgetPerson, Kind, NoteFilter, Put, PutVectors
from relembra.store.sql.vectors import HotSlices, Nearby
from relembra.store.sqlite import SqliteStore
from relembra.store.sqlite.connection import open_reader

LEAST = 4
DIMENSIONS = 8
chance = random.Random(5)


def drawn(count: int) -> list[Vector]:
    return [a_vector(*(chance.gauss(0, 1) for _ in range(DIMENSIONS))) for _ in range(count)]


@pytest.fixture
def hot() -> HotSlices:
    return HotSlices(least_vectors=LEAST)


@pytest.fixture
async def store(tmp_path: Path, hot: HotSlices) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words(), hot=hot)
    yield store
    await store.close()


@pytest.fixture
async def other(store: SqliteStore, tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """The same file, opened once more, without anything at hand."""
    cold = HotSlices(least_vectors=1_000_000)
    other = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words(), hot=cold)
    yield other
    await other.close()


async def with_items(store: SqliteStore, count: int, scope: Scope = ANA) -> list[KnowledgeItem]:
    items = [an_item(scope=scope) for _ in range(count)]
    await kept(store, *items)
    pairs = zip(items, drawn(count), strict=True)
    await store.apply(scope, [PutVectors(Kind.ITEM, item.id, MODEL, (vector,)) for item, vector in pairs])
    return items


async def nearest(store: SqliteStore, vector: Vector, scope: Scope = ANA, limit: int = 5) -> list[Candidate]:
    return await store.search(scope, a_query(vector=vector, limit=limit), items_where())


def agree(hits: Sequence[Candidate], others: Sequence[Candidate]) -> None:
    assert [hit.id for hit in hits] == [hit.id for hit in others]
    assert [hit.part for hit in hits] == [hit.part for hit in others]
    assert [hit.cosine for hit in hits] == pytest.approx([hit.cosine for hit in others], abs=1e-6)
    assert [hit.whole for hit in hits] == pytest.approx([hit.whole for hit in others], abs=1e-6)


async def test_a_slice_is_kept_once_it_is_large_enough(store: SqliteStore, hot: HotSlices) -> None:
    await with_items(store, LEAST - 1)
    await nearest(store, drawn(1)[0])
    assert hot.keys == []
    await with_items(store, 1)
    await nearest(store, drawn(1)[0])
    assert [key[:2] for key in hot.keys] == [("default", "ana")]


async def test_few_and_many_vectors_find_the_same(store: SqliteStore) -> None:
    await with_items(store, 60)
    asked = drawn(80)

    async def found(vectors: list[Vector]) -> list[list[tuple[str, float]]]:
        return await store.nearest(ANA, Kind.ITEM, MODEL, vectors, limit=3, at_least=-1.0)

    for one, many in zip([(await found([vector]))[0] for vector in asked], await found(asked), strict=True):
        assert [id for id, _ in one] == [id for id, _ in many]
        assert [cosine for _, cosine in one] == pytest.approx([cosine for _, cosine in many], abs=1e-5)


async def test_equal_vectors_come_by_id_wherever_they_stand(store: SqliteStore, other: SqliteStore) -> None:
    items = [an_item() for _ in range(301)]
    await kept(store, *items)
    [vector, asked] = drawn(2)
    shuffled = chance.sample(items, len(items))
    for some in (shuffled[:100], shuffled[100:]):
        await store.apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (vector,)) for item in some])
        await nearest(store, asked)
    hits = await nearest(store, asked, limit=50)
    assert [hit.id for hit in hits] == [item.id for item in items[:50]]
    agree(hits, await nearest(other, asked, limit=50))


async def test_what_was_put_or_dropped_before_is_seen_whoever_did_it(store: SqliteStore, other: SqliteStore) -> None:
    items = await with_items(store, 20)
    [vector] = drawn(1)
    await nearest(store, vector)
    [more] = await with_items(other, 1)
    await other.apply(ANA, [PutVectors(Kind.ITEM, more.id, MODEL, (vector,))])
    assert (await nearest(store, vector))[0].id == more.id
    await other.apply(ANA, [PutVectors(Kind.ITEM, items[7].id, MODEL, (drawn(1)[0], vector))])
    assert {hit.id for hit in (await nearest(store, vector))[:2]} == {more.id, items[7].id}
    await other.apply(ANA, [Put(an_item(id=more.id, content="Other words", version=2), 1)])
    assert (await nearest(store, vector))[0].id == items[7].id
    await other.forget(ANA, ForgetItem(items[7].id))
    agree(await nearest(store, vector, limit=30), await nearest(other, vector, limit=30))
    await other.forget(ANA, ForgetPerson())
    assert await nearest(store, vector) == []


async def test_forgetting_lets_go_of_the_persons_vectors_and_of_spaces(store: SqliteStore, hot: HotSlices) -> None:
    place = Place("guild", "general")
    guild = shelf_of(ANA, place)
    notes = [a_note(scope=guild, place=place) for _ in range(LEAST)]
    await kept(store, *notes)
    ops = [PutVectors(Kind.NOTE, note.id, MODEL, (vector,)) for note, vector in zip(notes, drawn(LEAST), strict=True)]
    await store.apply(guild, ops)
    [vector] = drawn(1)
    for scope in (ANA, BIA):
        await with_items(store, LEAST, scope)
        await nearest(store, vector, scope)
    await store.search(guild, a_query(vector=vector), NoteFilter(asked_in=place))
    assert {key[1] for key in hot.keys} == {"ana", "bia", guild.user}
    await store.forget(ANA, ForgetPerson())
    assert {key[1] for key in hot.keys} == {"bia"}


async def test_what_a_search_read_before_a_forgetting_is_not_kept_after_it(
    store: SqliteStore, hot: HotSlices, tmp_path: Path
) -> None:
    items = await with_items(store, 20)
    db = open_reader(tmp_path / "memory.db")
    db.execute("BEGIN")
    key = ("default", "ana", 1, 1)
    epoch = hot.epoch
    assert db.rows("vector_slice", *key)[0][0] == 20
    await store.forget(ANA, ForgetItem(items[0].id))
    view = hot.view(db, key, dimensions=DIMENSIONS, epoch=epoch)
    assert view is not None
    assert view.rows == 20  # the transaction is of before
    assert hot.keys == []
    db.close()


async def test_a_transaction_that_sees_less_than_is_at_hand_goes_without(
    store: SqliteStore, hot: HotSlices, tmp_path: Path
) -> None:
    await with_items(store, 20)
    key = ("default", "ana", 1, 1)
    db = open_reader(tmp_path / "memory.db")
    db.execute("BEGIN")
    assert db.rows("vector_slice", *key)[0][0] == 20
    await with_items(store, 1)
    await nearest(store, drawn(1)[0])
    assert hot.view(db, key, dimensions=DIMENSIONS, epoch=hot.epoch) is None
    db.execute("ROLLBACK")
    view = hot.view(db, key, dimensions=DIMENSIONS, epoch=hot.epoch)
    assert view is not None
    assert view.rows == 21
    db.close()


async def test_an_earlier_view_stays_as_it_was_while_the_matrix_grows(
    store: SqliteStore, hot: HotSlices, tmp_path: Path
) -> None:
    items = await with_items(store, 20)
    key = ("default", "ana", 1, 1)
    db = open_reader(tmp_path / "memory.db")
    early = hot.view(db, key, dimensions=DIMENSIONS, epoch=hot.epoch)
    for _ in range(10):
        more = await with_items(store, 30)  # beyond the room it had
        late = hot.view(db, key, dimensions=DIMENSIONS, epoch=hot.epoch)
    assert early is not None
    assert late is not None
    assert late.matrix is early.matrix
    [vector] = drawn(1)
    raw = bytes.fromhex(more[0].id.replace("-", ""))
    assert raw in Nearby(late, vector).of([raw])
    assert Nearby(early, vector).of([raw]) == {}
    assert len(Nearby(early, vector).nearest(1_000)) == len(items)
    assert len(Nearby(late, vector).nearest(1_000)) == 320
    db.close()


async def test_no_more_is_kept_than_allowed_the_least_recently_searched_goes(tmp_path: Path) -> None:
    hot = HotSlices(least_vectors=1, most_bytes=60_000)
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words(), hot=hot)
    people = [Scope("default", f"p{number}") for number in range(4)]
    for scope in people:
        await with_items(store, 50, scope)
    [vector] = drawn(1)
    for scope in (*people[:3], people[0], people[3]):
        await nearest(store, vector, scope)
    assert [key[1] for key in hot.keys][-2:] == ["p0", "p3"]
    assert "p1" not in [key[1] for key in hot.keys]
    await with_items(store, 1_000, people[1])  # more than half of what is allowed
    await nearest(store, vector, people[1])
    assert "p1" not in [key[1] for key in hot.keys]
    await store.close()


async def test_vectors_of_dropped_models_are_let_go(store: SqliteStore, hot: HotSlices) -> None:
    items = await with_items(store, 20)
    [vector] = drawn(1)
    await nearest(store, vector)
    await store.drop_other_vectors("other")
    assert hot.keys == []
    assert await nearest(store, vector) == []
    small = [PutVectors(Kind.ITEM, item.id, "third", (a_vector(1, number),)) for number, item in enumerate(items)]
    await store.apply(ANA, small)
    [hit] = await store.search(ANA, a_query(vector=a_vector(1, 0), model="third", limit=1), items_where())
    assert hit.id == items[0].id


async def test_searches_at_once_while_others_write_find_what_was_there_before_they_began(
    store: SqliteStore, other: SqliteStore
) -> None:
    await with_items(store, 50)
    [vector] = drawn(1)

    async def written(writer: SqliteStore) -> None:
        for _ in range(15):
            [item] = await with_items(writer, 1)
            await writer.apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (vector,))])
            assert item.id in {hit.id for hit in await nearest(store, vector, limit=100)}
            if chance.random() < 0.3:
                await writer.forget(ANA, ForgetItem(item.id))
                assert item.id not in {hit.id for hit in await nearest(store, vector, limit=100)}

    async def searched() -> None:
        for _ in range(40):
            hits = await nearest(store, vector, limit=200)
            assert len({hit.id for hit in hits}) == len(hits) >= 50

    await asyncio.gather(written(store), written(other), searched(), searched())
    agree(await nearest(store, vector, limit=200), await nearest(other, vector, limit=200))
    assert (await store.verify()).problems == ()
