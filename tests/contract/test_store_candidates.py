"""What a candidate tells beside its scores, and the keyword arm run ahead of the other one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import (
    ANA,
    MODEL,
    NOW,
    STRANGERS,
    a_conversation,
    a_message,
    a_note,
    a_query,
    a_vector,
    an_id,
    an_item,
    items_where,
    kept,
    minutes,
)  # fmt: skip
from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.scope import Scope
from relembra.store.port import ForgetItem, IndexMessages, Kind, MessageFilter, NoteFilter, Put, PutVectors, Store


async def test_an_item_tells_of_what_kind_and_whom_it_is_and_where_it_was_learnt(store: Store) -> None:
    note = a_note()
    full = an_item(
        title="glass", content="glass", type=KnowledgeType.GOAL, area=LifeArea.HEALTH, subject="Clara", note_id=note.id
    )
    plain = an_item(title="glass", content="glass")
    await kept(store, note, full, plain)
    hits = {hit.id: hit for hit in await store.search(ANA, a_query("glass"), items_where())}
    told = [(hit.type, hit.area, hit.subject, hit.note_id) for hit in (hits[full.id], hits[plain.id])]
    assert told == [
        (KnowledgeType.GOAL, LifeArea.HEALTH, "Clara", note.id),
        (KnowledgeType.FACT, None, "self", None),
    ]


async def test_what_was_put_away_is_told_as_such(store: Store) -> None:
    here, away = an_item(title="glass"), an_item(title="glass", archived_at=NOW)
    notes = [a_note(title="glass"), a_note(title="glass", archived_at=NOW)]
    await kept(store, here, away, *notes)
    items = await store.search(ANA, a_query("glass"), items_where(archived=True))
    assert {hit.id: hit.archived for hit in items} == {here.id: False, away.id: True}
    found = await store.search(ANA, a_query("glass"), NoteFilter(archived=True))
    assert {hit.id: hit.archived for hit in found} == {notes[0].id: False, notes[1].id: True}


@pytest.mark.parametrize("indexed", [True, False])
async def test_the_first_message_of_a_conversation_is_told_as_such(store: Store, *, indexed: bool) -> None:
    first, second = (a_message(text="glass", sent_at=NOW + minutes(n)) for n in range(2))
    other = a_message(text="glass", conversation="c2", sent_at=NOW + minutes(9))
    await kept(store, a_conversation(), a_conversation(id="c2"), second, first, other)
    if indexed:
        await store.apply(ANA, [IndexMessages((first.id, second.id, other.id))])
    hits = await store.search(ANA, a_query("glass"), MessageFilter())
    assert {hit.id: hit.opens for hit in hits} == {first.id: True, second.id: False, other.id: True}


async def test_words_asked_for_ahead_tell_the_same_as_words_asked_for_now(store: Store) -> None:
    items = [an_item(title=text, content=text) for text in ("glass wire", "glass", "copper", "wire and wire")]
    await kept(store, *items)
    await store.apply(ANA, [PutVectors(Kind.ITEM, items[2].id, MODEL, (a_vector(1, 0),))])
    query = replace(a_query("glass", "wire", vector=a_vector(1, 1), limit=3), weights=(1.0, 0.5))
    ahead = await store.words(ANA, Kind.ITEM, query)
    for wanted in (items_where(), items_where(types=(KnowledgeType.GOAL,)), items_where(history=True)):
        now = await store.search(ANA, query, wanted)
        later = await store.search(ANA, replace(query, words=ahead), wanted)
        assert sorted(later) == sorted(now)


async def test_rows_are_looked_at_as_they_are_when_searched_whatever_the_words_said(store: Store) -> None:
    stays, goes, ends = (an_item(title="glass", content="glass") for _ in range(3))
    await kept(store, stays, goes, ends)
    query = a_query("glass")
    ahead = await store.words(ANA, Kind.ITEM, query)
    await store.forget(ANA, ForgetItem(goes.id))
    await store.apply(ANA, [Put(replace(ends, deleted_at=NOW, version=2), 1)])
    hits = await store.search(ANA, replace(query, words=ahead), items_where())
    assert [hit.id for hit in hits] == [stays.id]


@pytest.mark.parametrize("kind", Kind)
async def test_words_nobody_said_and_strangers_give_nothing(store: Store, kind: Kind) -> None:
    await kept(store, an_item(id=an_id(1), title="glass"), a_note(title="glass"), a_message(text="glass"))
    for scope, term in [(ANA, "absent"), *((stranger, "glass") for stranger in STRANGERS)]:
        assert await searched(store, scope, kind, term) == 0
    assert await searched(store, ANA, kind, "glass") == 1


async def searched(store: Store, scope: Scope, kind: Kind, term: str) -> int:
    query = a_query(term)
    query = replace(query, words=await store.words(scope, kind, query))
    match kind:
        case Kind.ITEM:
            return len(await store.search(scope, query, items_where()))
        case Kind.NOTE:
            return len(await store.search(scope, query, NoteFilter()))
        case Kind.MESSAGE:
            return len(await store.search(scope, query, MessageFilter()))
