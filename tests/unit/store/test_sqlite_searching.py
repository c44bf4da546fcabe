"""The arms: filters never lose a result, and both ways to measure distance agree."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from builders import ANA, BIA, MODEL, Words, a_message, a_query, a_vector, an_item, items_where, kept
from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import InvalidInputError
from relembra.minds.port import Vector
from relembra.store.port import IndexMessages, Kind, MessageFilter, PutVectors
from relembra.store.sqlite import SqliteStore, connection


async def opened(folder: Path) -> SqliteStore:
    return await SqliteStore.open(folder / "memory.db", analyzer=Words())


def vectors_of(items: Sequence[KnowledgeItem], vectors: Sequence[Vector]) -> list[PutVectors]:
    return [PutVectors(Kind.ITEM, item.id, MODEL, (vector,)) for item, vector in zip(items, vectors, strict=True)]


async def test_without_the_extension_the_answers_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(2)
    items = [an_item() for _ in range(50)]
    query = a_query(vector=a_vector(*(chance.gauss(0, 1) for _ in range(32))), limit=20)
    store = await opened(tmp_path)
    await kept(store, *items)
    vectors = [a_vector(*(chance.gauss(0, 1) for _ in range(32))) for _ in items]
    await store.apply(ANA, vectors_of(items, vectors))
    quick = await store.search(ANA, query, items_where())
    await store.close()
    monkeypatch.setattr(connection, "_load_distance", lambda db: False)
    store = await opened(tmp_path)
    slow = await store.search(ANA, query, items_where())
    await store.close()
    assert [hit.id for hit in slow] == [hit.id for hit in quick]
    assert [hit.cosine for hit in slow] == pytest.approx([hit.cosine for hit in quick], abs=1e-6)


async def test_a_narrow_filter_finds_what_lies_far_down(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    items = [an_item(content="glass " * 2, tags=("rare",) if number >= 1997 else ()) for number in range(2000)]
    await kept(store, *items)
    vectors = [a_vector(1, number / 1000) for number in range(2000)]
    await store.apply(ANA, vectors_of(items, vectors))
    hits = await store.search(ANA, a_query("glass", vector=a_vector(1, 0), limit=3), items_where(tags=("rare",)))
    assert {hit.id for hit in hits} == {item.id for item in items[1997:]}
    assert all(hit.cosine is not None and hit.bm25 is not None for hit in hits)
    await store.close()


async def test_a_query_may_have_very_many_terms(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    item = an_item(content="glass bell")
    await kept(store, item)
    terms = ("bell", *(f"word{number}" for number in range(1500)), "glass")
    (hit,) = await store.search(ANA, a_query(*terms), items_where())
    assert hit.terms == ("bell", "glass")
    await store.close()


async def test_a_vector_of_another_length_is_refused(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    item = an_item()
    await kept(store, item)
    await store.apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (a_vector(1, 0),))])
    with pytest.raises(InvalidInputError):
        await store.apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (a_vector(1, 0, 0),))])
    with pytest.raises(InvalidInputError):
        await store.search(ANA, a_query(vector=a_vector(1, 0, 0)), items_where())
    await store.close()


async def test_other_peoples_rows_change_no_score(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    messages = [a_message(text=text) for text in ("the kiln is on", "bread and salt", "kiln kiln")]
    await kept(store, *messages)
    await store.apply(ANA, [IndexMessages(tuple(message.id for message in messages))])
    before = await store.search(ANA, a_query("kiln"), MessageFilter())
    theirs = [a_message(scope=BIA, text="kiln " * 5) for _ in range(20)]
    await kept(store, *theirs)
    await store.apply(BIA, [IndexMessages(tuple(message.id for message in theirs))])
    assert await store.search(ANA, a_query("kiln"), MessageFilter()) == before
    await store.close()
