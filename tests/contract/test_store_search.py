"""What search promises: both arms, their evidence, and filters that never cost a result."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from builders import (
    ANA,
    BIA,
    MODEL,
    NOW,
    Words,
    a_message,
    a_note,
    a_query,
    a_vector,
    an_id,
    an_item,
    days,
    ids_of,
    items_where,
    kept,
)
from relembra.domain.inquiry import bm25_term, inverse_document_frequency
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Role
from relembra.domain.searchable import item_text
from relembra.minds.port import Vector
from relembra.store.port import (
    Candidate,
    ForgetConversation,
    ForgetItem,
    IndexMessages,
    Kind,
    MessageFilter,
    NoteFilter,
    Put,
    PutVectors,
    Store,
)

ANYWHERE = MessageFilter()


def saying(content: str, **changes: Any) -> KnowledgeItem:
    """An item whose text is this and nothing else."""
    return an_item(title=content, content=content, **changes)


def said(text: str, **changes: Any) -> Message:
    return a_message(text=text, **changes)


async def with_vectors(store: Store, kind: Kind, vectors: dict[str, Vector], model: str = MODEL) -> None:
    await store.apply(ANA, [PutVectors(kind, id, model, (vector,)) for id, vector in vectors.items()])


def found(hits: list[Candidate]) -> set[str]:
    assert len({hit.id for hit in hits}) == len(hits), "a row was given twice"
    return {hit.id for hit in hits}


def expected_bm25(terms: list[str], text: str, indexed: list[str]) -> float:
    """The formula, worked out here over plain texts."""
    words = Words().terms
    average = sum(len(words(other)) for other in indexed) / len(indexed)
    return sum(
        bm25_term(
            inverse_document_frequency(len(indexed), sum(term in words(other) for other in indexed)),
            words(text).count(term),
            len(words(text)),
            average,
        )
        for term in terms
        if term in words(text)
    )


# ── by keyword ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_item_is_found_by_the_words_of_its_title_content_value_and_tags(store: Store) -> None:
    item = an_item(title="Lives in Recife", content="She moved there.", value="Boa Viagem", tags=("casa", "praia"))
    await kept(store, item, an_item())
    for word in ("recife", "moved", "viagem", "praia"):
        assert found(await store.search(ANA, a_query(word), items_where())) == {item.id}


async def test_a_changed_item_is_found_by_its_new_words_only(store: Store) -> None:
    item = saying("lives in Recife")
    await kept(store, item)
    changed = replace(item, title="lives in Olinda", content="lives in Olinda", version=2)
    await store.apply(ANA, [Put(changed, 1)])
    assert await store.search(ANA, a_query("recife"), items_where()) == []
    [hit] = await store.search(ANA, a_query("olinda"), items_where())
    assert hit.id == changed.id
    assert hit.bm25 == pytest.approx(expected_bm25(["olinda"], "lives in olinda", ["lives in olinda"]))


async def test_a_score_is_bm25_over_all_items_of_the_person(store: Store) -> None:
    texts = ["glass", "glass and glass and copper", "copper wire", "nothing of the kind", "glass dust, glass sand"]
    items = [saying(text) for text in texts]
    hidden = saying("old glass", deleted_at=NOW)
    replaced = saying("older glass and wire", superseded_by=items[0].id, superseded_at=NOW)
    await kept(store, *items, hidden, replaced, saying("glass of bia", scope=BIA), a_note(summary="glass"))
    await kept(store, said("glass"))
    asked = ["wire", "glass", "unknown"]
    indexed = [*texts, "old glass", "older glass and wire"]
    hits = await store.search(ANA, a_query(*asked), items_where())
    assert found(hits) == {items[n].id for n in (0, 1, 2, 4)}
    by_id = {item.id: item for item in items}
    for hit in hits:
        assert hit.bm25 == pytest.approx(expected_bm25(asked, item_text(by_id[hit.id]), indexed))
        assert hit.cosine is None


async def test_a_candidate_carries_what_a_ranking_weighs(store: Store) -> None:
    item = saying("glass", weight=0.5, priority=8, accesses=3, created_at=NOW + days(1), held_from=NOW - days(9))
    again = saying("glass again", reinforced_at=NOW - days(2))
    await kept(store, item, again)
    hits = {hit.id: hit for hit in await store.search(ANA, a_query("glass"), items_where())}
    first, second = hits[item.id], hits[again.id]
    assert (first.weight, first.priority, first.accesses) == (0.5, 8, 3)
    assert first.moment == NOW - days(9)
    assert second.moment == NOW - days(2)


async def test_terms_are_the_querys_that_the_row_holds_in_the_querys_order(store: Store) -> None:
    item = saying("copper and glass wire")
    await kept(store, item, saying("other"))
    [hit] = await store.search(ANA, a_query("wire", "absent", "glass", "copper"), items_where())
    assert hit.terms == ("wire", "glass", "copper")


async def test_a_weight_multiplies_what_its_term_gives_and_its_share_of_the_query(store: Store) -> None:
    texts = ["glass", "wire", "glass wire and wire", "copper"]
    items = [saying(text) for text in texts]
    await kept(store, *items)
    query = replace(a_query("glass", "absent", "wire"), weights=(2.0, 1.0, 0.5))
    hits = {hit.id: hit for hit in await store.search(ANA, query, items_where())}
    one, two, both = (hits[item.id] for item in items[:3])
    assert one.bm25 == pytest.approx(2 * expected_bm25(["glass"], "glass", texts))
    assert two.bm25 == pytest.approx(0.5 * expected_bm25(["wire"], "wire", texts))
    glass, wire = expected_bm25(["glass"], texts[2], texts), expected_bm25(["wire"], texts[2], texts)
    assert both.bm25 == pytest.approx(2 * glass + 0.5 * wire)
    rarity = [inverse_document_frequency(4, count) for count in (2, 0, 2)]
    whole = 2 * rarity[0] + rarity[1] + 0.5 * rarity[2]
    assert both.terms == ("glass", "wire")
    assert both.shares == pytest.approx((2 * rarity[0] / whole, 0.5 * rarity[2] / whole))
    assert one.shares == both.shares[:1]


async def test_the_best_by_keyword_come_ties_by_id(store: Store) -> None:
    items = [saying("glass") for _ in range(6)]
    better = saying("glass glass")
    await kept(store, *reversed(items), better)
    hits = await store.search(ANA, a_query("glass", limit=3), items_where())
    assert found(hits) == {better.id, *ids_of(items[:2])}


async def test_a_query_without_terms_and_vector_finds_nothing(store: Store) -> None:
    await kept(store, an_item(), a_message())
    assert await store.search(ANA, a_query(), items_where()) == []
    assert await store.search(ANA, a_query(), ANYWHERE) == []


async def test_words_nobody_said_find_nothing(store: Store) -> None:
    await kept(store, an_item(), a_message())
    assert await store.search(ANA, a_query("zzz"), items_where()) == []
    assert await store.search(ANA, a_query("zzz"), ANYWHERE) == []


async def test_text_without_words_is_stored_and_never_found_by_keyword(store: Store) -> None:
    item, message = saying("🙂🙂"), said("🙂")
    await kept(store, item, message, saying("glass"))
    await store.apply(ANA, [IndexMessages((message.id,))])
    [hit] = await store.search(ANA, a_query("glass"), items_where())
    assert hit.bm25 == pytest.approx(expected_bm25(["glass"], "glass", ["glass", "🙂🙂"]))
    assert (await store.verify()).problems == ()


# ── messages ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_message_is_found_by_its_words_from_the_moment_it_is_saved(store: Store) -> None:
    message = said("the kiln is on")
    await kept(store, message, said("good night"))
    [hit] = await store.search(ANA, a_query("kiln", "on"), ANYWHERE)
    assert (hit.id, hit.moment) == (message.id, message.sent_at)
    assert hit.terms == ("kiln", "on")
    assert hit.bm25 is not None
    assert hit.bm25 > 0


async def test_a_message_is_still_found_once_indexed(store: Store) -> None:
    message, other = said("the kiln is on"), said("good night")
    await kept(store, message, other)
    await store.apply(ANA, [IndexMessages((message.id, other.id))])
    [hit] = await store.search(ANA, a_query("kiln"), ANYWHERE)
    assert (hit.id, hit.moment) == (message.id, message.sent_at)
    assert hit.bm25 == pytest.approx(expected_bm25(["kiln"], "the kiln is on", ["the kiln is on", "good night"]))


async def test_messages_not_indexed_yet_are_scored_by_the_statistics_of_those_that_are(store: Store) -> None:
    indexed = [said("the kiln is on"), said("good night kiln kiln"), said("bread")]
    fresh = [said("kiln"), said("is the oven on")]
    await kept(store, *indexed, *fresh)
    await store.apply(ANA, [IndexMessages(tuple(ids_of(indexed)))])
    texts = [message.text for message in indexed]
    hits = await store.search(ANA, a_query("kiln", "oven"), ANYWHERE)
    assert found(hits) == {*ids_of(indexed[:2]), *ids_of(fresh)}
    by_id = {message.id: message.text for message in (*indexed, *fresh)}
    for hit in hits:
        assert hit.bm25 == pytest.approx(expected_bm25(["kiln", "oven"], by_id[hit.id], texts))


async def test_messages_of_a_store_with_none_indexed_are_ranked_by_how_well_they_match(store: Store) -> None:
    both, one = said("kiln and oven"), said("kiln and house")
    await kept(store, one, both)
    hits = await store.search(ANA, a_query("kiln", "oven"), ANYWHERE)
    scores = {hit.id: hit.bm25 or 0.0 for hit in hits}
    assert scores[both.id] > scores[one.id] > 0


async def test_the_best_messages_come_indexed_or_not(store: Store) -> None:
    indexed = [said("kiln and a great many other words") for _ in range(5)]
    fresh = said("kiln")
    await kept(store, *indexed, fresh)
    await store.apply(ANA, [IndexMessages(tuple(ids_of(indexed)))])
    hits = await store.search(ANA, a_query("kiln", limit=2), ANYWHERE)
    assert found(hits) == {fresh.id, indexed[0].id}


async def test_messages_are_found_by_vector(store: Store) -> None:
    near, far = said("one"), said("two")
    await kept(store, near, far)
    await with_vectors(store, Kind.MESSAGE, {near.id: a_vector(1, 0), far.id: a_vector(0, 1)})
    [hit] = await store.search(ANA, a_query(vector=a_vector(1, 0), limit=1), ANYWHERE)
    assert (hit.id, hit.bm25, hit.terms) == (near.id, None, ())
    assert hit.cosine == pytest.approx(1.0)


# ── by vector ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_nearest_come_with_their_cosine(store: Store) -> None:
    items = [an_item() for _ in range(4)]
    await kept(store, *items)
    vectors = {item.id: a_vector(math.cos(n), math.sin(n)) for n, item in enumerate(items)}
    await with_vectors(store, Kind.ITEM, vectors)
    hits = await store.search(ANA, a_query(vector=a_vector(1, 0), limit=3), items_where())
    assert {hit.id: hit.cosine for hit in hits} == {items[n].id: pytest.approx(math.cos(n), abs=1e-6) for n in range(3)}
    assert all(hit.bm25 is None and hit.terms == () for hit in hits)


async def test_the_nearest_may_point_away(store: Store) -> None:
    item = an_item()
    await kept(store, item)
    await with_vectors(store, Kind.ITEM, {item.id: a_vector(-1, 0)})
    [hit] = await store.search(ANA, a_query(vector=a_vector(1, 0)), items_where())
    assert hit.cosine == pytest.approx(-1.0)


async def test_equally_near_rows_come_by_id(store: Store) -> None:
    items = [an_item() for _ in range(6)]
    await kept(store, *reversed(items))
    await with_vectors(store, Kind.ITEM, {item.id: a_vector(0, 1) for item in reversed(items)})
    hits = await store.search(ANA, a_query(vector=a_vector(1, 0), limit=2), items_where())
    assert found(hits) == set(ids_of(items[:2]))


async def test_vectors_of_another_model_are_never_compared(store: Store) -> None:
    item, other = an_item(), an_item()
    await kept(store, item, other)
    await with_vectors(store, Kind.ITEM, {item.id: a_vector(1, 0, 0)}, model="other")
    await with_vectors(store, Kind.ITEM, {other.id: a_vector(0, 1)})
    [hit] = await store.search(ANA, a_query(vector=a_vector(1, 0)), items_where())
    assert hit.id == other.id
    assert await store.search(ANA, a_query(vector=a_vector(1, 0), model="unknown"), items_where()) == []


async def test_vectors_of_notes_and_messages_do_not_answer_for_items(store: Store) -> None:
    note, message = a_note(), a_message()
    await kept(store, note, message)
    await with_vectors(store, Kind.NOTE, {note.id: a_vector(1, 0)})
    await with_vectors(store, Kind.MESSAGE, {message.id: a_vector(1, 0)})
    assert await store.search(ANA, a_query(vector=a_vector(1, 0)), items_where()) == []


# ── passages ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_row_is_as_near_as_the_nearest_of_its_vectors(store: Store) -> None:
    long, short = said("a long story"), said("a short one")
    await kept(store, long, short)
    parts = (a_vector(0, 1), a_vector(1, 1), a_vector(1, 0), a_vector(-1, 0))
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, long.id, MODEL, parts)])
    await with_vectors(store, Kind.MESSAGE, {short.id: a_vector(2, 1)})
    hits = await store.search(ANA, a_query(vector=a_vector(1, 0)), ANYWHERE)
    by_id = {hit.id: hit for hit in hits}
    assert by_id[long.id].cosine == pytest.approx(1.0)
    assert by_id[long.id].whole == pytest.approx(0.0)
    assert by_id[long.id].part == 2
    assert by_id[short.id].cosine == by_id[short.id].whole == pytest.approx(2 / math.sqrt(5))
    assert by_id[short.id].part == 0
    [nearest] = await store.search(ANA, a_query(vector=a_vector(1, 0), limit=1), ANYWHERE)
    assert nearest.id == long.id


async def test_of_equally_near_parts_the_first_is_told(store: Store) -> None:
    note = a_note()
    await kept(store, note)
    await store.apply(ANA, [PutVectors(Kind.NOTE, note.id, MODEL, (a_vector(0, 1), *[a_vector(1, 0)] * 5))])
    [hit] = await store.search(ANA, a_query(vector=a_vector(1, 0)), NoteFilter())
    assert hit.part == 1


async def test_the_limit_counts_rows_not_their_vectors(store: Store) -> None:
    messages = [said(f"story {number}") for number in range(4)]
    await kept(store, *messages)
    for number, message in enumerate(messages):
        near = tuple(a_vector(10, number + part / 10) for part in range(6))
        await store.apply(ANA, [PutVectors(Kind.MESSAGE, message.id, MODEL, near)])
    hits = await store.search(ANA, a_query(vector=a_vector(1, 0), limit=3), ANYWHERE)
    assert found(hits) == set(ids_of(messages[:3]))


async def test_fewer_vectors_than_before_leave_nothing_of_the_earlier_ones(store: Store) -> None:
    message = said("a story")
    await kept(store, message)
    query = a_query(vector=a_vector(1, 0))
    for parts in ((a_vector(0, 1), a_vector(0, 1), a_vector(1, 0)), (a_vector(0, 1), a_vector(0, -1))):
        await store.apply(ANA, [PutVectors(Kind.MESSAGE, message.id, MODEL, parts)])
        [hit] = await store.search(ANA, query, ANYWHERE)
    assert hit.cosine == pytest.approx(0.0)
    assert hit.part == 0
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, message.id, MODEL, ())])
    assert await store.search(ANA, query, ANYWHERE) == []
    assert [row.id for row in await store.unembedded(MODEL, limit=2)] == [message.id]
    assert (await store.verify()).problems == ()


async def test_models_and_stats_count_rows_and_forgetting_counts_vectors(store: Store) -> None:
    item, message = an_item(), said("a story")
    await kept(store, item, message)
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, message.id, MODEL, (a_vector(1, 0),) * 3)])
    await with_vectors(store, Kind.ITEM, {item.id: a_vector(1, 0)})
    assert (await store.stats()).vectors == {MODEL: 2}
    assert (await store.stats()).vectors == (await store.stats(ANA)).vectors == {MODEL: 2}
    assert (await store.verify()).checked["vectors"] == 4
    assert (await store.forget(ANA, ForgetConversation("c1"))).counts["vectors"] == 3
    assert (await store.stats()).vectors == {MODEL: 1}
    assert await store.drop_other_vectors("other") == 1


async def test_a_candidate_tells_where_a_message_stands_and_how_long_it_is(store: Store) -> None:
    indexed, fresh = said("the kiln is on", conversation="c2", role=Role.ASSISTANT), said("kiln")
    item, note = saying("kiln and oven"), a_note(title="kiln", summary="oven")
    await kept(store, indexed, fresh, item, note)
    await store.apply(ANA, [IndexMessages((indexed.id,))])
    hits = {hit.id: hit for hit in await store.search(ANA, a_query("kiln"), ANYWHERE)}
    told = {id: (hit.conversation, hit.role, hit.length) for id, hit in hits.items()}
    assert told == {indexed.id: ("c2", Role.ASSISTANT, 4), fresh.id: ("c1", Role.USER, 0)}
    [hit] = await store.search(ANA, a_query("kiln"), items_where())
    assert (hit.conversation, hit.role, hit.length) == (None, None, 3)
    [hit] = await store.search(ANA, a_query("kiln"), NoteFilter())
    assert (hit.conversation, hit.role, hit.length) == (None, None, 2)


# ── asked for by id ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_rows_asked_for_come_with_their_cosines_though_no_arm_finds_them(store: Store) -> None:
    near, far, bare, other = (saying(word) for word in ("sand", "glass", "copper", "wire"))
    await kept(store, near, far, bare, other)
    vectors = {near.id: a_vector(1, 0), far.id: a_vector(1, 2), other.id: a_vector(0, 1)}
    await with_vectors(store, Kind.ITEM, vectors)
    query = a_query(vector=a_vector(1, 0), limit=1, also=(far.id, bare.id, far.id))
    hits = {hit.id: hit for hit in await store.search(ANA, query, items_where())}
    assert hits.keys() == {near.id, far.id, bare.id}
    assert hits[far.id].cosine == pytest.approx(1 / math.sqrt(5))
    assert (hits[bare.id].cosine, hits[bare.id].whole, hits[bare.id].bm25) == (None, None, None)


async def test_rows_asked_for_that_are_not_wanted_gone_or_a_strangers_do_not_come(store: Store) -> None:
    deleted, theirs, message = saying("sand", deleted_at=NOW), saying("glass", scope=BIA), said("wire")
    await kept(store, deleted, theirs, message)
    also = (deleted.id, theirs.id, message.id, an_id(), "no id")
    assert await store.search(ANA, a_query(also=also, vector=a_vector(1, 0)), items_where()) == []
    assert await store.search(ANA, a_query(also=also), items_where()) == []


async def test_words_first_and_the_vector_later_tell_the_same_as_both_at_once(store: Store) -> None:
    items = [saying(f"glass {number}" if number % 2 else f"sand {number}") for number in range(12)]
    await kept(store, *items)
    vectors = {item.id: a_vector(1, number) for number, item in enumerate(items) if number != 3}
    await with_vectors(store, Kind.ITEM, vectors)
    at_once = await store.search(ANA, a_query("glass", vector=a_vector(1, 0), limit=4), items_where())
    words = {hit.id: hit for hit in await store.search(ANA, a_query("glass", limit=4), items_where())}
    later = a_query(vector=a_vector(1, 0), limit=4, also=tuple(words))
    joined = [
        words[hit.id]._replace(cosine=hit.cosine, whole=hit.whole, part=hit.part) if hit.id in words else hit
        for hit in await store.search(ANA, later, items_where())
    ]
    assert {hit.id: hit for hit in joined} == {hit.id: hit for hit in at_once}


# ── both ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_both_arms_are_united_and_each_row_comes_once(store: Store) -> None:
    word, near, both, neither = saying("glass"), saying("sand"), saying("glass sea"), saying("other")
    await kept(store, word, near, both, neither)
    vectors = {near.id: a_vector(1, 0.1), both.id: a_vector(1, 0), neither.id: a_vector(0, 1)}
    await with_vectors(store, Kind.ITEM, vectors)
    hits = await store.search(ANA, a_query("glass", vector=a_vector(1, 0), limit=2), items_where())
    assert found(hits) == {word.id, near.id, both.id}
    by_id = {hit.id: hit for hit in hits}
    assert by_id[word.id].cosine is None
    assert by_id[near.id].bm25 is None
    assert by_id[both.id].cosine == pytest.approx(1.0)
    assert by_id[both.id].bm25 is not None


async def test_a_row_found_by_keyword_has_its_cosine_though_it_is_not_among_the_nearest(store: Store) -> None:
    word, near = saying("glass"), saying("sand")
    await kept(store, word, near)
    await with_vectors(store, Kind.ITEM, {word.id: a_vector(0, 1), near.id: a_vector(1, 0)})
    hits = await store.search(ANA, a_query("glass", vector=a_vector(1, 0), limit=1), items_where())
    assert {hit.id: hit.cosine for hit in hits} == {word.id: pytest.approx(0.0), near.id: pytest.approx(1.0)}


async def test_a_row_not_among_the_best_by_keyword_has_its_bm25_and_terms_as_well(store: Store) -> None:
    best, near = saying("glass glass"), saying("glass and many other words")
    await kept(store, best, near)
    await with_vectors(store, Kind.ITEM, {near.id: a_vector(1, 0)})
    hits = await store.search(ANA, a_query("glass", vector=a_vector(1, 0), limit=1), items_where())
    by_id = {hit.id: hit for hit in hits}
    assert found(hits) == {best.id, near.id}
    assert 0 < (by_id[near.id].bm25 or 0) < (by_id[best.id].bm25 or 0)
    assert by_id[near.id].terms == ("glass",)


NEARER = 200


async def test_a_filter_never_costs_an_item_either_arm_would_find(store: Store) -> None:
    excluded = [saying("glass glass glass", deleted_at=NOW) for _ in range(NEARER)]
    word, near = saying("glass among many other words"), saying("sand")
    await kept(store, *excluded, word, near)
    await with_vectors(store, Kind.ITEM, {item.id: a_vector(1, 0) for item in excluded} | {near.id: a_vector(0, 1)})
    hits = await store.search(ANA, a_query("glass", vector=a_vector(1, 0), limit=2), items_where())
    assert found(hits) == {word.id, near.id}


@pytest.mark.parametrize("indexed", [False, True])
async def test_a_filter_never_costs_a_message_either_arm_would_find(store: Store, indexed: bool) -> None:
    excluded = [said("glass glass glass", conversation="c2") for _ in range(NEARER)]
    word, near = said("glass among many other words"), said("sand")
    await kept(store, *excluded, word, near)
    await with_vectors(
        store, Kind.MESSAGE, {message.id: a_vector(1, 0) for message in excluded} | {near.id: a_vector(0, 1)}
    )
    if indexed:
        await store.apply(ANA, [IndexMessages((*ids_of(excluded), word.id, near.id))])
    wanted = MessageFilter(conversation="c1")
    hits = await store.search(ANA, a_query("glass", vector=a_vector(1, 0), limit=2), wanted)
    assert found(hits) == {word.id, near.id}


async def test_other_peoples_rows_change_nothing(store: Store) -> None:
    item = saying("glass and sand")
    await kept(store, item, saying("copper"))
    before = await store.search(ANA, a_query("glass"), items_where())
    await kept(store, *(saying("glass", scope=BIA) for _ in range(20)))
    assert await store.search(ANA, a_query("glass"), items_where()) == before


async def test_what_was_forgotten_no_longer_counts(store: Store) -> None:
    item, gone = saying("glass and sand"), saying("glass")
    await kept(store, item, gone)
    await store.forget(ANA, ForgetItem(gone.id))
    [hit] = await store.search(ANA, a_query("glass"), items_where())
    assert hit.bm25 == pytest.approx(expected_bm25(["glass"], "glass and sand", ["glass and sand"]))


async def test_ids_are_not_words(store: Store) -> None:
    item = an_item(id=an_id())
    await kept(store, item)
    assert await store.search(ANA, a_query(item.id), items_where()) == []


# ── nearest to many ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_each_vector_has_its_nearest_rows_nearest_first_and_none_farther_off(store: Store) -> None:
    items = [saying(f"thing {number}") for number in range(4)]
    await kept(store, *items)
    angles = {item.id: a_vector(10, number) for number, item in enumerate(items)}
    await with_vectors(store, Kind.ITEM, angles)
    ahead, across, away = await store.nearest(
        ANA, Kind.ITEM, MODEL, [a_vector(1, 0), a_vector(10, 3), a_vector(0, -1)], limit=3, at_least=0.9
    )
    assert [id for id, _ in ahead] == ids_of(items[:3])
    assert [cosine for _, cosine in ahead] == pytest.approx(
        [10 / math.hypot(10, number) for number in range(3)], abs=1e-5
    )
    assert [id for id, _ in across] == ids_of(items[:0:-1])
    assert away == []


async def test_the_nearest_rows_are_a_persons_own_of_the_kind_and_model_whatever_became_of_them(store: Store) -> None:
    mine, gone = saying("mine"), saying("gone", deleted_at=NOW)
    note, theirs = a_note(), an_item(scope=BIA)
    await kept(store, mine, gone, note, theirs)
    vector = a_vector(1, 0)
    await with_vectors(store, Kind.ITEM, {mine.id: vector, gone.id: vector})
    await with_vectors(store, Kind.NOTE, {note.id: vector})
    await with_vectors(store, Kind.ITEM, {mine.id: vector}, model="other")
    await store.apply(BIA, [PutVectors(Kind.ITEM, theirs.id, MODEL, (vector,))])
    [found_now] = await store.nearest(ANA, Kind.ITEM, MODEL, [vector], limit=9, at_least=-1.0)
    assert {id for id, _ in found_now} == {mine.id, gone.id}
    assert await store.nearest(ANA, Kind.ITEM, "unheard of", [vector, vector], limit=9, at_least=0.0) == [[], []]
    assert await store.nearest(ANA, Kind.ITEM, MODEL, [], limit=9, at_least=0.0) == []
    assert await store.nearest(ANA, Kind.ITEM, MODEL, [vector], limit=0, at_least=0.0) == [[]]


async def test_a_row_of_several_vectors_is_as_near_as_the_nearest_of_them(store: Store) -> None:
    long, short = said("a long story"), said("a short one")
    await kept(store, long, short)
    parts = (a_vector(0, 1), a_vector(1, 1), a_vector(1, 0))
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, long.id, MODEL, parts)])
    await with_vectors(store, Kind.MESSAGE, {short.id: a_vector(2, 1)})
    [near] = await store.nearest(ANA, Kind.MESSAGE, MODEL, [a_vector(1, 0)], limit=2, at_least=0.0)
    assert [id for id, _ in near] == [long.id, short.id]
    assert near[0][1] == pytest.approx(1.0)
