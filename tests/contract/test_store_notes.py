"""What the store promises of notes that are searched and used: both arms, their filters, and counted accesses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from builders import (
    ANA,
    MODEL,
    NOW,
    STRANGERS,
    a_note,
    a_query,
    a_vector,
    an_id,
    an_item,
    days,
    kept,
)
from relembra.domain.message import Note, NoteKind
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.store.port import Candidate, Kind, NoteFilter, Put, PutVectors, Store, Touch

GUILD = Place("guild", "general")
ANY = NoteFilter()


def telling(summary: str, **changes: Any) -> Note:
    return a_note(title=summary, summary=summary, **changes)


def found(hits: list[Candidate]) -> set[str]:
    assert len({hit.id for hit in hits}) == len(hits), "a row was given twice"
    return {hit.id for hit in hits}


# ── searching ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_note_is_found_by_the_words_of_its_title_and_summary(store: Store) -> None:
    note = a_note(title="A kiln", summary="Ana wants one for her studio.")
    await kept(store, note, a_note(), an_item(content="a kiln for a studio"))
    for word in ("kiln", "studio"):
        assert found(await store.search(ANA, a_query(word), ANY)) == {note.id}


async def test_a_note_is_found_by_its_vector_and_carries_the_evidence_of_both_arms(store: Store) -> None:
    near, word, neither = telling("sand"), telling("glass"), telling("wire")
    await kept(store, near, word, neither)
    vectors = {near.id: a_vector(1, 0), word.id: a_vector(1, 1), neither.id: a_vector(0, 1)}
    await store.apply(ANA, [PutVectors(Kind.NOTE, id, MODEL, (vector,)) for id, vector in vectors.items()])
    hits = await store.search(ANA, a_query("glass", vector=a_vector(1, 0), limit=1), ANY)
    by_id = {hit.id: hit for hit in hits}
    assert found(hits) == {near.id, word.id}
    assert by_id[near.id].cosine == pytest.approx(1.0)
    assert (by_id[near.id].bm25, by_id[near.id].terms) == (None, ())
    assert by_id[word.id].cosine == pytest.approx(0.5**0.5)
    assert by_id[word.id].terms == ("glass",)


async def test_a_candidate_tells_when_the_note_happened_and_how_often_it_was_used(store: Store) -> None:
    note = telling("glass", happened_at=NOW - days(3), accesses=4)
    await kept(store, note)
    [hit] = await store.search(ANA, a_query("glass"), ANY)
    assert (hit.moment, hit.accesses, hit.weight, hit.priority) == (NOW - days(3), 4, 1.0, 5)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (ANY, {"private", "weekly", "guild"}),
        (NoteFilter(archived=True), {"private", "weekly", "guild", "archived"}),
        (NoteFilter(asked_in=GUILD), {"guild"}),
        (NoteFilter(asked_in=Place("other", "general")), set()),
        (NoteFilter(kinds=(NoteKind.WEEKLY,)), {"weekly"}),
        (NoteFilter(conversation="c2"), {"guild"}),
        (NoteFilter(participant="bia"), {"guild"}),
        (NoteFilter(since=NOW - days(1)), {"private", "guild"}),
        (NoteFilter(until=NOW), {"weekly"}),
    ],
)
async def test_only_wanted_notes_are_found(store: Store, wanted: NoteFilter, expected: set[str]) -> None:
    notes = {
        "private": telling("glass", place=DIRECT),
        "weekly": telling("glass", kind=NoteKind.WEEKLY, happened_at=NOW - days(7)),
        "guild": telling("glass", place=GUILD, conversation="c2", participants=("ana", "bia")),
        "archived": telling("glass", archived_at=NOW),
        "deleted": telling("glass", deleted_at=NOW, archived_at=NOW),
    }
    await kept(store, *notes.values())
    await store.apply(ANA, [PutVectors(Kind.NOTE, note.id, MODEL, (a_vector(1, 0),)) for note in notes.values()])
    for query in (a_query("glass"), a_query(vector=a_vector(1, 0))):
        assert found(await store.search(ANA, query, wanted)) == {notes[name].id for name in expected}


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_strangers_notes_are_not_found(store: Store, stranger: Scope) -> None:
    await kept(store, telling("glass", scope=stranger))
    assert await store.search(ANA, a_query("glass"), ANY) == []


async def test_a_filter_never_costs_a_note_either_arm_would_find(store: Store) -> None:
    excluded = [telling("glass glass", archived_at=NOW) for _ in range(100)]
    word, near = telling("glass among many other words"), telling("sand")
    await kept(store, *excluded, word, near)
    vectors = {note.id: a_vector(1, 0) for note in excluded} | {near.id: a_vector(0, 1)}
    await store.apply(ANA, [PutVectors(Kind.NOTE, id, MODEL, (vector,)) for id, vector in vectors.items()])
    hits = await store.search(ANA, a_query("glass", vector=a_vector(1, 0), limit=2), ANY)
    assert found(hits) == {word.id, near.id}


# ── accesses ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_access_of_a_note_is_counted_and_its_version_stays(store: Store) -> None:
    note, other = a_note(version=3), a_note()
    await kept(store, note, other)
    await store.apply(ANA, [Touch(Kind.NOTE, (note.id, an_id()), NOW + days(1))])
    await store.apply(ANA, [Touch(Kind.NOTE, (note.id,), NOW + days(2))])
    assert await store.get(ANA, Note, [note.id, other.id]) == [
        replace(note, accesses=2, last_access=NOW + days(2)),
        other,
    ]


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_another_persons_note_is_not_touched(store: Store, stranger: Scope) -> None:
    theirs = a_note(scope=stranger)
    await kept(store, theirs)
    await store.apply(ANA, [Touch(Kind.NOTE, (theirs.id,), NOW)])
    assert await store.get(stranger, Note, [theirs.id]) == [theirs]


async def test_a_note_is_put_with_the_accesses_it_was_read_with(store: Store) -> None:
    note = a_note()
    await kept(store, note)
    await store.apply(ANA, [Touch(Kind.NOTE, (note.id,), NOW)])
    [touched] = await store.get(ANA, Note, [note.id])
    changed = replace(touched, title="Another morning", version=2)
    await store.apply(ANA, [Put(changed, 1)])
    assert await store.get(ANA, Note, [note.id]) == [changed]
    assert changed.accesses == 1
