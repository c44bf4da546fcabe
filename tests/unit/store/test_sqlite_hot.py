"""Vectors kept in memory: what a search finds there is what the file holds, whoever wrote it, and nothing forgotten."""

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
from relembra.store.port import Candidate, ForgetItem, ForgetPerson, Kind, NoteFilter, PutVectors
from relembra.store.sql.vectors import HotSlices, Nearby
from relembra.store.sqlite import SqliteStore
from relembra.store.sqlite.connection import open_reader

DIMENSIONS = 8
KEY = ("default", "ana", 1, 1)
chance = random.Random(5)


def drawn(count: int) -> list[Vector]:
    return [a_vector(*(chance.gauss(0, 1) for _ in range(DIMENSIONS))) for _ in range(count)]


@pytest.fixture
def hot() -> HotSlices:
    return HotSlices()


@pytest.fixture
async def store(tmp_path: Path, hot: HotSlices) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words(), hot=hot)
    yield store
    await store.close()


@pytest.fixture
async def other(store: SqliteStore, tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """The same file, opened once more, with no room to keep anything."""
    other = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words(), hot=HotSlices(most_bytes=0))
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
    assert [(hit.id, hit.part) for hit in hits] == [(hit.id, hit.part) for hit in others]
    assert [hit.cosine for hit in hits] == pytest.approx([hit.cosine for hit in others], abs=1e-6)


async def test_forgetting_and_dropping_models_let_go_of_vectors(store: SqliteStore, hot: HotSlices) -> None:
    place = Place("guild", "general")
    guild = shelf_of(ANA, place)
    note = a_note(scope=guild, place=place)
    await kept(store, note)
    [vector] = drawn(1)
    await store.apply(guild, [PutVectors(Kind.NOTE, note.id, MODEL, (vector,))])
    for scope in (ANA, BIA):
        await with_items(store, 4, scope)
        await nearest(store, vector, scope)
    await store.search(guild, a_query(vector=vector), NoteFilter(asked_in=place))
    assert {key[1] for key in hot._views} == {"ana", "bia", guild.user}
    await store.forget(ANA, ForgetPerson())
    assert {key[1] for key in hot._views} == {"bia"}
    await store.drop_other_vectors("other")
    assert not hot._views
    assert await nearest(store, vector, BIA) == []


async def test_each_transaction_sees_its_own_state_and_nothing_forgotten_is_kept(
    store: SqliteStore, hot: HotSlices, tmp_path: Path
) -> None:
    items = await with_items(store, 20)
    db = open_reader(tmp_path / "memory.db")
    early = hot.view(db, KEY, dimensions=DIMENSIONS, epoch=hot.epoch)
    views = []
    for _ in range(10):
        more = await with_items(store, 30)  # at last beyond the room it had
        views.append(hot.view(db, KEY, dimensions=DIMENSIONS, epoch=hot.epoch))
    late = views[-1]
    assert early is not None
    assert late is not None
    assert [view is not None and view.matrix is early.matrix for view in (views[0], late)] == [True, False]
    [vector] = drawn(1)
    raw = bytes.fromhex(more[0].id.replace("-", ""))
    assert raw in Nearby(late, vector).of([raw])
    assert Nearby(early, vector).of([raw]) == {}
    assert [len(Nearby(view, vector).nearest(1_000)) for view in (early, late)] == [20, 320]

    db.execute("BEGIN")
    epoch = hot.epoch
    assert db.rows("vector_slice", *KEY)[0][0] == 320
    await with_items(store, 1)
    await nearest(store, vector)
    before = hot.view(db, KEY, dimensions=DIMENSIONS, epoch=epoch)
    assert before is not None
    assert before.rows == 320
    await store.forget(ANA, ForgetItem(items[0].id))
    view = hot.view(db, KEY, dimensions=DIMENSIONS, epoch=epoch)
    assert view is not None
    assert view.rows == 320  # the transaction is of before
    assert not hot._views
    db.close()


async def test_no_more_is_kept_than_allowed_the_least_recently_searched_goes(tmp_path: Path) -> None:
    hot = HotSlices(most_bytes=60_000)
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words(), hot=hot)
    people = [Scope("default", f"p{number}") for number in range(4)]
    for scope in people:
        await with_items(store, 60, scope)
    [vector] = drawn(1)
    for scope in (*people[:3], people[0], people[3]):
        await nearest(store, vector, scope)
    assert [key[1] for key in hot._views] == ["p2", "p0", "p3"]
    await with_items(store, 1_000, people[1])  # more than is allowed
    assert len(await nearest(store, vector, people[1])) == 5
    assert "p1" not in [key[1] for key in hot._views]
    assert max(state.vectors for _, state, _ in hot._nearby) == 60
    await store.close()


async def test_searches_at_once_while_others_write_find_what_was_there_before_they_began(
    store: SqliteStore, other: SqliteStore
) -> None:
    await with_items(store, 50)
    [vector] = drawn(1)

    async def written(writer: SqliteStore) -> None:
        for _ in range(10):
            [item] = await with_items(writer, 1)
            await writer.apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (vector,))])
            assert item.id in {hit.id for hit in await nearest(store, vector, limit=100)}
            if chance.random() < 0.3:
                await writer.forget(ANA, ForgetItem(item.id))
                assert item.id not in {hit.id for hit in await nearest(store, vector, limit=100)}

    async def searched() -> None:
        for _ in range(30):
            hits = await nearest(store, vector, limit=200)
            assert len({hit.id for hit in hits}) == len(hits) >= 50

    await asyncio.gather(written(store), written(other), searched(), searched())
    agree(await nearest(store, vector, limit=200), await nearest(other, vector, limit=200))
    assert (await store.verify()).problems == ()
