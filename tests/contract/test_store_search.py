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
    STRANGERS,
    Words,
    a_conversation,
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
    minutes,
)
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message, Role
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.domain.searchable import bm25_term, inverse_document_frequency, item_text
from relembra.errors import InvalidInputError
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
    Query,
    Store,
)

ANYWHERE = MessageFilter()
ANY_NOTE = NoteFilter()
AHEAD = a_vector(1, 0)


def saying(content: str, **changes: Any) -> KnowledgeItem:
    """An item whose text is this and nothing else."""
    return an_item(title=content, content=content, **changes)


def said(text: str, **changes: Any) -> Message:
    return a_message(text=text, **changes)


async def with_vectors(store: Store, kind: Kind, vectors: dict[str, Vector], model: str = MODEL) -> None:
    await store.apply(ANA, [PutVectors(kind, id, model, (vector,)) for id, vector in vectors.items()])


async def found(store: Store, query: Query, wanted: Any = None) -> dict[str, Candidate]:
    hits = await store.search(ANA, query, items_where() if wanted is None else wanted)
    by_id = {hit.id: hit for hit in hits}
    assert len(by_id) == len(hits), "a row was given twice"
    return by_id


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


async def test_rows_are_found_by_the_words_of_what_they_say_and_by_no_others(store: Store) -> None:
    item = an_item(title="Lives in Recife", content="She moved there.", value="Boa Viagem", tags=("casa", "praia"))
    note = a_note(title="A kiln", summary="Ana wants one for her studio.")
    await kept(store, item, an_item(), note, a_note(), a_message(), *(an_item(scope=one) for one in STRANGERS))
    for word in ("recife", "moved", "viagem", "praia"):
        assert (await found(store, a_query(word))).keys() == {item.id}
    for word in ("kiln", "studio"):
        assert (await found(store, a_query(word), ANY_NOTE)).keys() == {note.id}
    for query in (a_query(), a_query("zzz"), a_query(item.id)):
        for wanted in (items_where(), ANYWHERE, ANY_NOTE):
            assert await found(store, query, wanted) == {}


async def test_a_changed_item_is_found_by_its_new_words_only(store: Store) -> None:
    item = saying("lives in Recife")
    await kept(store, item)
    await store.apply(ANA, [Put(replace(item, title="lives in Olinda", content="lives in Olinda", version=2), 1)])
    assert await found(store, a_query("recife")) == {}
    hit = (await found(store, a_query("olinda")))[item.id]
    assert hit.bm25 == pytest.approx(expected_bm25(["olinda"], "lives in olinda", ["lives in olinda"]))


async def test_a_score_is_bm25_over_all_items_of_the_person(store: Store) -> None:
    texts = [
        "glass", "glass and glass and copper", "copper wire", "nothing of the kind", "glass dust, glass sand", "🙂",
    ]  # fmt: skip
    items = [saying(text) for text in texts]
    hidden = saying("old glass", deleted_at=NOW)
    replaced = saying("older glass and wire", superseded_by=items[0].id, superseded_at=NOW)
    forgotten = saying("glass")
    await kept(store, *items, hidden, replaced, forgotten, a_note(summary="glass"), said("glass"))
    await kept(store, *(saying("glass of bia", scope=BIA) for _ in range(20)))
    await store.forget(ANA, ForgetItem(forgotten.id))
    asked = ["wire", "glass", "unknown"]
    hits = await found(store, a_query(*asked))
    assert hits.keys() == {items[n].id for n in (0, 1, 2, 4)}
    by_id = {item.id: item for item in items}
    for id, hit in hits.items():
        right = expected_bm25(asked, item_text(by_id[id]), [*texts, "old glass", "older glass and wire"])
        assert hit.bm25 == pytest.approx(right)
        assert hit.cosine is None
    assert (await store.verify()).problems == ()


async def test_a_weight_multiplies_what_its_term_gives_and_its_share_of_the_query(store: Store) -> None:
    texts = ["glass", "wire", "glass wire and wire", "copper"]
    items = [saying(text) for text in texts]
    await kept(store, *items)
    hits = await found(store, replace(a_query("glass", "absent", "wire"), weights=(2.0, 1.0, 0.5)))
    one, two, both = (hits[item.id] for item in items[:3])
    assert one.bm25 == pytest.approx(2 * expected_bm25(["glass"], "glass", texts))
    assert two.bm25 == pytest.approx(0.5 * expected_bm25(["wire"], "wire", texts))
    glass, wire = expected_bm25(["glass"], texts[2], texts), expected_bm25(["wire"], texts[2], texts)
    assert both.bm25 == pytest.approx(2 * glass + 0.5 * wire)
    rarity = [inverse_document_frequency(4, count) for count in (2, 0, 2)]
    whole = 2 * rarity[0] + rarity[1] + 0.5 * rarity[2]
    assert both.terms == ("glass", "wire")  # in the query's order
    assert both.shares == pytest.approx((2 * rarity[0] / whole, 0.5 * rarity[2] / whole))
    assert one.shares == both.shares[:1]


async def test_the_best_by_keyword_come_ties_by_id(store: Store) -> None:
    items = [saying("glass") for _ in range(6)]
    better = saying("glass glass")
    await kept(store, *reversed(items), better)
    assert (await found(store, a_query("glass", limit=3))).keys() == {better.id, *ids_of(items[:2])}


# ── messages ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_messages_not_indexed_yet_are_found_by_the_statistics_of_those_that_are(store: Store) -> None:
    indexed = [said("the kiln is on"), said("good night kiln kiln"), said("bread"), said("🙂")]
    fresh = [said("kiln"), said("is the oven on")]
    await kept(store, *indexed, *fresh)
    await store.apply(ANA, [IndexMessages(tuple(ids_of(indexed)))])
    hits = await found(store, a_query("kiln", "oven"), ANYWHERE)
    assert hits.keys() == {*ids_of(indexed[:2]), *ids_of(fresh)}
    by_id = {message.id: message for message in (*indexed, *fresh)}
    for id, hit in hits.items():
        right = expected_bm25(["kiln", "oven"], by_id[id].text, [message.text for message in indexed])
        assert hit.bm25 == pytest.approx(right)
        assert hit.moment == by_id[id].sent_at
    many = [said("kiln and a great many other words") for _ in range(5)]
    await kept(store, *many)
    await store.apply(ANA, [IndexMessages(tuple(ids_of(many)))])
    assert fresh[0].id in await found(store, a_query("kiln", limit=2), ANYWHERE)  # the best come, indexed or not


async def test_messages_of_a_store_with_none_indexed_are_ranked_by_how_well_they_match(store: Store) -> None:
    both, one = said("kiln and oven"), said("kiln and house")
    await kept(store, one, both, said("good night"))
    hits = await found(store, a_query("kiln", "oven"), ANYWHERE)
    assert (hits[both.id].bm25 or 0) > (hits[one.id].bm25 or 0) > 0
    assert len(hits) == 2


# ── by vector ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_nearest_come_with_their_cosine_however_far_ties_by_id(store: Store) -> None:
    items = [an_item() for _ in range(4)]
    twins = [an_item() for _ in range(4)]
    await kept(store, *items, *reversed(twins))
    vectors = {item.id: a_vector(math.cos(n), math.sin(n)) for n, item in enumerate(items)}
    await with_vectors(store, Kind.ITEM, vectors | {item.id: a_vector(-1, 0) for item in reversed(twins)})
    hits = await found(store, a_query(vector=AHEAD, limit=6))
    right = {items[n].id: pytest.approx(math.cos(n), abs=1e-6) for n in range(4)}
    assert {id: hit.cosine for id, hit in hits.items()} == right | dict.fromkeys(ids_of(twins[:2]), pytest.approx(-1.0))
    assert all(hit.bm25 is None and hit.terms == () for hit in hits.values())


async def test_vectors_of_another_model_kind_or_length_are_never_compared(store: Store) -> None:
    item, other, note, message = an_item(), an_item(), a_note(), a_message()
    await kept(store, item, other, note, message)
    await with_vectors(store, Kind.ITEM, {item.id: a_vector(1, 0, 0)}, model="other")
    await with_vectors(store, Kind.ITEM, {other.id: a_vector(0, 1)})
    await with_vectors(store, Kind.NOTE, {note.id: AHEAD})
    await with_vectors(store, Kind.MESSAGE, {message.id: AHEAD})
    for wanted, row in ((items_where(), other), (ANY_NOTE, note), (ANYWHERE, message)):
        assert (await found(store, a_query(vector=AHEAD), wanted)).keys() == {row.id}
        assert await found(store, a_query(vector=AHEAD, model="unknown"), wanted) == {}
    with pytest.raises(InvalidInputError):
        await with_vectors(store, Kind.ITEM, {other.id: a_vector(1, 0, 0)})
    with pytest.raises(InvalidInputError):
        await found(store, a_query(vector=a_vector(1, 0, 0)))


# ── passages ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_row_is_as_near_as_the_nearest_of_its_vectors(store: Store) -> None:
    long, short = said("a long story", conversation="c2"), said("a short one")
    await kept(store, long, short)
    parts = (a_vector(0, 1), a_vector(1, 1), AHEAD, AHEAD, a_vector(-1, 0))
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, long.id, MODEL, parts)])
    await with_vectors(store, Kind.MESSAGE, {short.id: a_vector(2, 1)})
    hits = await found(store, a_query(vector=AHEAD), ANYWHERE)
    assert hits[long.id].cosine == pytest.approx(1.0)
    assert hits[long.id].whole == pytest.approx(0.0)
    assert hits[long.id].part == 2  # the first of equally near ones
    assert hits[short.id].cosine == hits[short.id].whole == pytest.approx(2 / math.sqrt(5))
    assert hits[short.id].part == 0
    assert (await found(store, a_query(vector=AHEAD, limit=1), ANYWHERE)).keys() == {long.id}
    [near] = await store.nearest(ANA, Kind.MESSAGE, MODEL, [AHEAD], limit=2, at_least=0.0)
    assert [id for id, _ in near] == [long.id, short.id]
    assert near[0][1] == pytest.approx(1.0)


async def test_the_limit_counts_rows_not_their_vectors(store: Store) -> None:
    notes = [a_note() for _ in range(4)]
    await kept(store, *notes)
    for number, note in enumerate(notes):
        near = tuple(a_vector(10, number + part / 10) for part in range(6))
        await store.apply(ANA, [PutVectors(Kind.NOTE, note.id, MODEL, near)])
    assert (await found(store, a_query(vector=AHEAD, limit=3), ANY_NOTE)).keys() == set(ids_of(notes[:3]))


async def test_fewer_vectors_than_before_leave_nothing_of_the_earlier_ones(store: Store) -> None:
    message = said("a story")
    await kept(store, message)
    for parts, part in (((a_vector(0, 1), a_vector(0, 1), AHEAD), 2), ((a_vector(0, 1), a_vector(0, -1)), 0)):
        await store.apply(ANA, [PutVectors(Kind.MESSAGE, message.id, MODEL, parts)])
        hit = (await found(store, a_query(vector=AHEAD), ANYWHERE))[message.id]
        assert hit.part == part
        assert hit.cosine == pytest.approx(1.0 if part else 0.0)
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, message.id, MODEL, ())])
    assert await found(store, a_query(vector=AHEAD), ANYWHERE) == {}
    assert [row.id for row in await store.unembedded(MODEL, limit=2)] == [message.id]
    assert (await store.verify()).problems == ()


async def test_stats_count_rows_and_forgetting_counts_vectors(store: Store) -> None:
    item, message = an_item(), said("a story")
    await kept(store, item, message)
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, message.id, MODEL, (AHEAD,) * 3)])
    await with_vectors(store, Kind.ITEM, {item.id: AHEAD})
    assert (await store.stats()).vectors == (await store.stats(ANA)).vectors == {MODEL: 2}
    assert (await store.verify()).checked["vectors"] == 4
    assert (await store.forget(ANA, ForgetConversation("c1"))).counts["vectors"] == 3
    assert (await store.stats()).vectors == {MODEL: 1}
    assert await store.drop_other_vectors("other") == 1


# ── what a candidate tells ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_candidate_carries_what_a_ranking_weighs(store: Store) -> None:
    note = a_note(title="glass", summary="glass", happened_at=NOW - days(3), accesses=4)
    away = a_note(title="glass", archived_at=NOW)
    full = saying(
        "glass", weight=0.5, priority=8, accesses=3, created_at=NOW + days(1), held_from=NOW - days(9), note_id=note.id,
        type=KnowledgeType.GOAL, area=LifeArea.HEALTH, subject="Clara",
    )  # fmt: skip
    again = saying("glass again", reinforced_at=NOW - days(2))
    filed = an_item(title="glass", archived_at=NOW)
    await kept(store, note, away, full, again, filed)
    hits = await found(store, a_query("glass"), items_where(archived=True))
    first, second = hits[full.id], hits[again.id]
    assert (first.weight, first.priority, first.accesses, first.moment) == (0.5, 8, 3, NOW - days(9))
    assert (first.type, first.area, first.subject, first.note_id) == (
        KnowledgeType.GOAL, LifeArea.HEALTH, "Clara", note.id
    )  # fmt: skip
    assert (second.type, second.area, second.subject, second.note_id) == (KnowledgeType.FACT, None, "self", None)
    assert second.moment == NOW - days(2)
    assert {id: hit.archived for id, hit in hits.items()} == {full.id: False, again.id: False, filed.id: True}
    hits = await found(store, a_query("glass"), NoteFilter(archived=True))
    hit = hits[note.id]
    assert (hit.moment, hit.accesses, hit.weight, hit.priority) == (NOW - days(3), 4, 1.0, 5)
    assert (hit.conversation, hit.role, hit.length) == (None, None, 2)
    assert (hits[note.id].archived, hits[away.id].archived) == (False, True)


async def test_a_candidate_tells_where_a_message_stands_and_how_long_it_is(store: Store) -> None:
    opening, second = said("bread"), said("the kiln is on", sent_at=NOW + minutes(1), role=Role.ASSISTANT)
    fresh = said("kiln", conversation="c2", sent_at=NOW + minutes(9))
    await kept(store, a_conversation(), a_conversation(id="c2"), second, opening, fresh)
    await store.apply(ANA, [IndexMessages((opening.id, second.id))])
    hits = await found(store, a_query("kiln"), ANYWHERE)
    told = {id: (hit.conversation, hit.role, hit.length, hit.opens) for id, hit in hits.items()}
    assert told == {
        second.id: ("c1", Role.ASSISTANT, 4, False),
        opening.id: ("c1", Role.USER, 1, True),  # it comes along
        fresh.id: ("c2", Role.USER, 0, True),
    }


async def test_words_asked_for_ahead_tell_the_same_and_rows_are_looked_at_as_they_are_by_then(store: Store) -> None:
    items = [saying(text) for text in ("glass wire", "glass", "copper", "wire and wire")]
    await kept(store, *items)
    await with_vectors(store, Kind.ITEM, {items[2].id: AHEAD})
    query = replace(a_query("glass", "wire", vector=a_vector(1, 1), limit=3), weights=(1.0, 0.5))
    ahead = replace(query, words=await store.words(ANA, Kind.ITEM, query))
    for wanted in (items_where(), items_where(types=(KnowledgeType.GOAL,)), items_where(history=True)):
        assert await found(store, ahead, wanted) == await found(store, query, wanted)
    await store.forget(ANA, ForgetItem(items[1].id))
    await store.apply(ANA, [Put(replace(items[3], deleted_at=NOW, version=2), 1)])
    assert (await found(store, ahead)).keys() == {items[0].id, items[2].id}
    for stranger in STRANGERS:
        theirs = replace(a_query("glass"), words=await store.words(stranger, Kind.ITEM, a_query("glass")))
        assert await store.search(stranger, theirs, items_where()) == []


# ── both ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_both_arms_are_united_and_every_row_has_the_evidence_of_both(store: Store) -> None:
    word, near, both, neither = saying("glass"), saying("sand"), saying("glass sea and more"), saying("other")
    await kept(store, word, near, both, neither)
    vectors = {near.id: a_vector(1, 0.1), both.id: AHEAD, neither.id: a_vector(0, 1)}
    await with_vectors(store, Kind.ITEM, vectors)
    hits = await found(store, a_query("glass", vector=AHEAD, limit=2))
    assert hits.keys() == {word.id, near.id, both.id}
    assert (hits[word.id].cosine, hits[near.id].bm25, hits[near.id].terms) == (None, None, ())
    assert hits[both.id].cosine == pytest.approx(1.0)
    hits = await found(store, a_query("glass", vector=AHEAD, limit=1))  # neither costs what the other arm says
    assert hits.keys() == {word.id, both.id}
    assert 0 < (hits[both.id].bm25 or 0) < (hits[word.id].bm25 or 0)
    assert hits[both.id].terms == ("glass",)
    await with_vectors(store, Kind.ITEM, {word.id: a_vector(0, 1)})
    hits = await found(store, a_query("glass", vector=AHEAD, limit=1))
    assert hits[word.id].cosine == pytest.approx(0.0)


async def test_rows_asked_for_come_with_their_cosines_though_no_arm_finds_them(store: Store) -> None:
    near, far, bare, other = (saying(word) for word in ("sand", "glass", "copper", "wire"))
    deleted, theirs, message = saying("sand", deleted_at=NOW), saying("glass", scope=BIA), said("wire")
    await kept(store, near, far, bare, other, deleted, theirs, message)
    await with_vectors(store, Kind.ITEM, {near.id: AHEAD, far.id: a_vector(1, 2), other.id: a_vector(0, 1)})
    unwanted = (deleted.id, theirs.id, message.id, an_id(), "no id")
    query = a_query(vector=AHEAD, limit=1, also=(far.id, bare.id, far.id, *unwanted))
    hits = await found(store, query)
    assert hits.keys() == {near.id, far.id, bare.id}
    assert hits[far.id].cosine == pytest.approx(1 / math.sqrt(5))
    assert (hits[bare.id].cosine, hits[bare.id].whole, hits[bare.id].bm25) == (None, None, None)
    assert await found(store, a_query(also=unwanted)) == {}


async def test_a_filter_never_costs_a_row_either_arm_would_find(store: Store) -> None:
    many = 120
    items = [saying("glass glass glass", deleted_at=NOW) for _ in range(many)]
    notes = [a_note(title="glass glass", summary="glass", archived_at=NOW) for _ in range(many)]
    messages = [said("glass glass glass", conversation="c2") for _ in range(many)]
    rest = "glass among many other words"
    looks: list[tuple[Kind, Any, list[Any], Any, Any]] = [
        (Kind.ITEM, items_where(), items, saying(rest), saying("sand")),
        (Kind.NOTE, ANY_NOTE, notes, a_note(title=rest), a_note(title="sand")),
        (Kind.MESSAGE, MessageFilter(conversation="c1"), messages, said(rest), said("sand")),
    ]
    for kind, wanted, excluded, word, near in looks:
        await kept(store, *excluded, word, near)
        vectors = {row.id: AHEAD for row in excluded} | {near.id: a_vector(0, 1)}
        await with_vectors(store, kind, vectors)
        assert (await found(store, a_query("glass", vector=AHEAD, limit=2), wanted)).keys() == {word.id, near.id}
        if kind is Kind.MESSAGE:
            await store.apply(ANA, [IndexMessages((*ids_of(excluded), word.id, near.id))])
            assert (await found(store, a_query("glass", vector=AHEAD, limit=2), wanted)).keys() == {word.id, near.id}


# ── nearest to many ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_each_vector_has_its_nearest_rows_of_the_person_kind_and_model_and_none_farther_off(store: Store) -> None:
    items = [saying(f"thing {number}", deleted_at=NOW if number == 1 else None) for number in range(4)]
    note, theirs = a_note(), an_item(scope=BIA)
    await kept(store, *items, note, theirs)
    await with_vectors(store, Kind.ITEM, {item.id: a_vector(10, number) for number, item in enumerate(items)})
    await with_vectors(store, Kind.NOTE, {note.id: AHEAD})
    await with_vectors(store, Kind.ITEM, {items[3].id: AHEAD}, model="other")
    await store.apply(BIA, [PutVectors(Kind.ITEM, theirs.id, MODEL, (AHEAD,))])
    asked = [AHEAD, a_vector(10, 3), a_vector(0, -1)]
    ahead, across, away = await store.nearest(ANA, Kind.ITEM, MODEL, asked, limit=3, at_least=0.9)
    assert [id for id, _ in ahead] == ids_of(items[:3])
    assert [near for _, near in ahead] == pytest.approx([10 / math.hypot(10, number) for number in range(3)], abs=1e-5)
    assert [id for id, _ in across] == ids_of(items[:0:-1])
    assert away == []
    assert await store.nearest(ANA, Kind.ITEM, "unheard of", [AHEAD, AHEAD], limit=9, at_least=0.0) == [[], []]
    assert await store.nearest(ANA, Kind.ITEM, MODEL, [], limit=9, at_least=0.0) == []
    assert await store.nearest(ANA, Kind.ITEM, MODEL, [AHEAD], limit=0, at_least=0.0) == [[]]


# ── a channel ─────────────────────────────────────────────────────────────────────────────────────────────────────

CHANNEL = Place("g1", "a")
SHELF = shelf_of(ANA, CHANNEL)
THERE = MessageFilter(asked_in=CHANNEL, said_there=True, owners=("ana", "bia"))


def heard(text: str, scope: Scope = ANA, **changes: Any) -> Message:
    return said(text, **{"scope": scope, "place": CHANNEL, "author": scope.user} | changes)


async def test_a_channel_is_searched_by_both_arms_whosever_the_words_are(store: Store) -> None:
    by_word, by_meaning, neither = heard("the regatta", BIA), heard("boats", BIA), heard("lunch")
    elsewhere = [
        heard("regatta", place=Place("g1", "b")), heard("regatta", BIA, place=Place("g2", "a")),
        said("regatta"), said("regatta", scope=BIA), heard("regatta", Scope("default", "caio")),
        heard("regatta", Scope("other", "bia")), heard("regatta", BIA, deleted_at=NOW),
    ]  # fmt: skip
    await kept(store, by_word, by_meaning, neither, *elsewhere)
    for message, vector in ((by_meaning, AHEAD), (neither, a_vector(0, 1)), *((one, AHEAD) for one in elsewhere)):
        await store.apply(message.scope, [PutVectors(Kind.MESSAGE, message.id, MODEL, (vector,))])
    found = await store.search(SHELF, a_query("regatta", vector=AHEAD, limit=1), THERE)
    assert {one.id: one.owner for one in found} == {by_word.id: "bia", by_meaning.id: "bia"}
    assert [one.cosine for one in found if one.id == by_meaning.id] == [pytest.approx(1.0)]
    also = a_query(limit=0, also=(neither.id, *ids_of(elsewhere)))
    assert [one.id for one in await store.search(SHELF, also, THERE)] == [neither.id]
    later = replace(THERE, since=NOW + days(1))
    assert await store.search(SHELF, a_query("regatta", vector=AHEAD), later) == []


async def test_what_is_found_in_a_channel_depends_on_nothing_said_elsewhere(store: Store) -> None:
    talk = [heard("the regatta is on Sunday", BIA), heard("which regatta?"), heard("a boat", BIA), heard("lunch")]
    private = [said(f"regatta {number}", scope=scope) for number in range(5) for scope in (ANA, BIA)]
    found = []
    for rows in (talk, private):
        await kept(store, *rows)
        for scope in (ANA, BIA):
            await store.apply(scope, [IndexMessages(tuple(one.id for one in rows if one.scope == scope))])
        found.append(sorted(await store.search(SHELF, a_query("regatta", "boat"), THERE)))
    assert found[0] == found[1]
    assert {one.id for one in found[0]} == {one.id for one in talk[:3]}
