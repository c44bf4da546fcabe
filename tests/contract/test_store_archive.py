"""What the store promises of archived items and notes: read whole, found by less, forgotten without a trace."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from builders import (
    ANA,
    MODEL,
    NOW,
    a_conversation,
    a_message,
    a_note,
    a_query,
    a_vector,
    an_entry,
    an_item,
    days,
    items_where,
    kept,
)
from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.domain.searchable import item_text, note_text
from relembra.store.port import ForgetConversation, ForgetItem, ForgetPerson, Kind, NoteFilter, Put, PutVectors, Store

LONG = "Ana blew a vase of green glass for the winter fair and sold it. " * 40
ARCHIVED_ITEMS = items_where(archived=True)
ARCHIVED_NOTES = NoteFilter(archived=True)


def an_archived_item(**changes: Any) -> KnowledgeItem:
    ordinary = {
        "title": "A vase",
        "content": LONG,
        "value": "green",
        "tags": ("fair",),
        "attribute": "marital_status",
        "subject": "Clara",
        "archived_at": NOW,
    }
    return an_item(**ordinary | changes)


def an_archived_note(**changes: Any) -> Note:
    ordinary = {"title": "The fair", "summary": LONG, "participants": ("João",), "archived_at": NOW}
    return a_note(**ordinary | changes)


async def items_by(store: Store, word: str) -> list[str]:
    return [hit.id for hit in await store.search(ANA, a_query(word), ARCHIVED_ITEMS)]


async def notes_by(store: Store, word: str) -> list[str]:
    return [hit.id for hit in await store.search(ANA, a_query(word), ARCHIVED_NOTES)]


async def assert_sound(store: Store) -> None:
    assert (await store.verify()).problems == ()


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", [LONG, "short", "", "ação 🙂 " * 30, "a\u0000b" * 50])
async def test_what_is_archived_is_read_whole(store: Store, text: str) -> None:
    item, note = an_archived_item(content=text), an_archived_note(summary=text)
    await kept(store, item, note)
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    assert await store.get(ANA, Note, [note.id]) == [note]
    assert (await store.page(ANA, ARCHIVED_ITEMS)).rows == (item,)
    assert (await store.page(ANA, ARCHIVED_NOTES)).rows == (note,)
    await assert_sound(store)


async def test_a_predecessor_that_is_archived_is_read_whole(store: Store) -> None:
    item = an_item()
    older = an_archived_item(superseded_by=item.id, superseded_at=NOW)
    await kept(store, item, older)
    assert await store.predecessors(ANA, item.id) == [older]


async def test_what_is_archived_is_embedded_by_all_it_says(store: Store) -> None:
    item, note = an_archived_item(), an_archived_note()
    await kept(store, item, note)
    told = {row.id: row.text for row in await store.unembedded(MODEL, limit=10)}
    assert told == {item.id: item_text(item), note.id: note_text(note)}


# ── finding ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_archived_item_is_found_by_its_metadata_and_not_by_its_content(store: Store) -> None:
    item = an_archived_item()
    await kept(store, item)
    for word in ("vase", "green", "fair", "marital", "status", "clara"):
        assert await items_by(store, word) == [item.id], word
    for word in ("winter", "sold"):
        assert await items_by(store, word) == [], word
    await assert_sound(store)


async def test_an_archived_note_is_found_by_its_title_and_who_took_part(store: Store) -> None:
    note = an_archived_note()
    await kept(store, note)
    for word in ("fair", "joão"):
        assert await notes_by(store, word) == [note.id], word
    assert await notes_by(store, "winter") == []
    await assert_sound(store)


async def test_the_owner_of_the_memory_is_no_word_an_archived_item_is_found_by(store: Store) -> None:
    await kept(store, an_archived_item(subject="self"))
    assert await items_by(store, "self") == []


async def test_archiving_keeps_vectors_and_takes_words_and_coming_back_gives_all_again(store: Store) -> None:
    item, note = an_archived_item(archived_at=None), an_archived_note(archived_at=None)
    await kept(store, item, note, an_item())
    vector = a_vector(1, 0)
    await store.apply(
        ANA,
        [PutVectors(Kind.ITEM, item.id, MODEL, (vector,)), PutVectors(Kind.NOTE, note.id, MODEL, (vector,))],
    )
    assert await items_by(store, "winter") == [item.id]
    assert await notes_by(store, "winter") == [note.id]

    filed, put_away = replace(item, archived_at=NOW, version=2), replace(note, archived_at=NOW, version=2)
    await store.apply(ANA, [Put(filed, 1), Put(put_away, 1)])
    assert await items_by(store, "winter") == []
    assert await notes_by(store, "winter") == []
    [of_item] = await store.search(ANA, a_query(vector=vector), ARCHIVED_ITEMS)
    [of_note] = await store.search(ANA, a_query(vector=vector), ARCHIVED_NOTES)
    assert (of_item.id, of_note.id) == (item.id, note.id)
    assert [of_item.cosine, of_note.cosine] == pytest.approx([1.0, 1.0])
    assert await store.search(ANA, a_query(vector=vector), items_where()) == []
    await assert_sound(store)

    back, again = replace(filed, archived_at=None, version=3), replace(put_away, archived_at=None, version=3)
    await store.apply(ANA, [Put(back, 2), Put(again, 2)])
    assert await items_by(store, "winter") == [item.id]
    assert await notes_by(store, "winter") == [note.id]
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [back]
    assert await store.get(ANA, Note, [note.id]) == [again]
    assert (await store.stats()).vectors == {MODEL: 2}
    await assert_sound(store)


async def test_new_words_of_an_archived_row_end_its_vectors(store: Store) -> None:
    item, note = an_archived_item(), an_archived_note()
    await kept(store, item, note)
    vectors = (a_vector(1, 0),)
    await store.apply(
        ANA, [PutVectors(Kind.ITEM, item.id, MODEL, vectors), PutVectors(Kind.NOTE, note.id, MODEL, vectors)]
    )
    await store.apply(
        ANA,
        [
            Put(replace(item, content="other words", version=2), 1),
            Put(replace(note, summary="other words", version=2), 1),
        ],
    )
    assert (await store.stats()).vectors == {}
    await assert_sound(store)


# ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_forgetting_an_archived_item_takes_its_words_out_of_what_quotes_them(store: Store) -> None:
    item, other = an_archived_item(content="Ana hides sapphires beneath the floorboards " * 9), an_item()
    quoting = an_entry(target_id=other.id, after={"title": other.title}, why=f"was: {item.content}")
    await kept(store, item, other, quoting, an_entry(target_id=item.id, after={"content": item.content}))
    gone = await store.forget(ANA, ForgetItem(item.id))
    assert (gone.counts["items"], gone.counts["audit"]) == (1, 1)
    assert gone.counts["terms"] == len({"a", "vase", "green", "fair", "marital", "status", "clara"})
    assert await store.get(ANA, KnowledgeItem, [item.id]) == []
    assert await items_by(store, "vase") == []
    (left,) = await store.changes(ANA, [quoting.change])
    assert left.why is None
    await assert_sound(store)


async def test_what_an_archived_item_still_says_itself_are_its_own_words(store: Store) -> None:
    said = "Ana hides sapphires beneath the floorboards"
    gone, stays = an_item(content=said), an_archived_item(content=f"{said} and nobody knows. " * 9)
    entry = an_entry(target_id=stays.id, after={"content": stays.content})
    await kept(store, gone, stays, entry)
    await store.forget(ANA, ForgetItem(gone.id))
    assert await store.get(ANA, KnowledgeItem, [stays.id]) == [stays]
    assert await store.changes(ANA, [entry.change]) == [entry]
    await assert_sound(store)


async def test_forgetting_takes_evidence_from_an_archived_item_and_leaves_its_content(store: Store) -> None:
    message, other = a_message(text="somebody stole my xylophone"), a_message(conversation="c2")
    item = an_archived_item(message_ids=(message.id, other.id), evidence=message.text)
    await kept(store, message, other, item)
    await store.forget(ANA, ForgetConversation("c1"))
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [replace(item, message_ids=(other.id,), evidence=None)]
    await assert_sound(store)


async def test_forgetting_a_conversation_takes_archived_notes_and_items_made_of_it(store: Store) -> None:
    message = a_message(text="about the fair")
    note = an_archived_note(message_ids=(message.id,))
    week = an_archived_note(note_ids=(note.id,), happened_at=NOW + days(1))
    item, other = an_archived_item(note_id=note.id, message_ids=(message.id,)), an_item()
    quoting = an_entry(target_id=other.id, after={"title": other.title}, why=f"was: {note.summary}")
    own = an_entry(target=Target.NOTE, target_id=note.id, after={"summary": note.summary})
    await kept(store, a_conversation(), message, note, week, item, other, quoting, own)
    gone = await store.forget(ANA, ForgetConversation("c1"))
    assert (gone.counts["notes"], gone.counts["items"], gone.counts["audit"]) == (2, 1, 1)
    assert await store.get(ANA, Note, [note.id, week.id]) == []
    assert await store.get(ANA, KnowledgeItem, [item.id]) == []
    (left,) = await store.changes(ANA, [quoting.change])
    assert left.why is None
    await assert_sound(store)


async def test_forgetting_a_person_takes_what_is_archived(store: Store) -> None:
    item, note = an_archived_item(), an_archived_note()
    await kept(store, item, note)
    await store.forget(ANA, ForgetPerson())
    assert (await store.page(ANA, items_where(history=True, deleted=True))).rows == ()
    assert (await store.page(ANA, ARCHIVED_NOTES)).rows == ()
    await assert_sound(store)
