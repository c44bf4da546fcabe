from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from datetime import datetime
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import ANA, NOW, a_case, an_id, an_item, days, kept
from gardens import EMBEDDER, Counting, a_merger, alike, everything, planted
from loops import each
from memories import Clock, InMemoryStore
from relembra.domain.audit import Actor
from relembra.domain.candidate import Comparison
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.domain.policy import LIFE
from relembra.domain.scope import Place
from relembra.learn.keeper import Keeper
from relembra.learn.trail import Change
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.night.duplicates import AT_A_STRETCH, Merge, Merger, Rule, Why, gathered, grouped, keeper_of, same_thing
from relembra.store.port import Store

GARDEN = LIFE.garden
GARDENER = Actor.parse("program:gardener")
SURE = Comparison(contradicts=0.02, same=0.97)
SPACE = Place("bakery", "general")


def rule(old: KnowledgeItem, new: KnowledgeItem, comparison: Comparison | None = None) -> Rule | None:
    why = same_thing(old, new, comparison, policy=GARDEN)
    return None if why is None else why.rule


@each(
    [
        ("Is vegetarian", "Doesn't eat meat", Rule.IMPLIED),
        ("É vegetariana", "Não come carne", Rule.IMPLIED),
        ("É vegano", "Não come carne vermelha.", Rule.IMPLIED),
        ("Doesn’t eat gluten", "Has coeliac disease", Rule.IMPLIED),
        ("Não bebe álcool", "Is a teetotaller", Rule.VALUE),
        ("Parou de fumar", "Does not smoke", Rule.VALUE),
        ("Does not drink", "Does not drink coffee", None),
        ("Mora em Recife", "mora em recife!", Rule.WORDS),
        ("Is vegetarian", "Doesn't eat meat on Fridays", None),
        ("É vegetariana", "Come carne", None),
        ("Is pescatarian", "Doesn't eat fish", None),
    ]
)
def test_rules_tell_what_is_one_in_both_languages(old: str, new: str, expected: Rule | None) -> None:
    assert rule(an_item(content=old), an_item(content=new)) is expected
    assert rule(an_item(content=new), an_item(content=old)) is expected


@each(
    [
        ("diet", "vegetariana", "vegetarian", Rule.VALUE),
        ("height", "1,80 m", "180 cm", Rule.VALUE),
        ("residence", "Recife", "Boa Viagem, Recife", Rule.PART),
        ("likes", "coffee", "café", Rule.VALUE),
        ("likes", "coffee", "coffee ice cream", None),
        ("residence", "Recife", "Olinda", None),
        ("blood_type", "AB positive", "AB positivo", Rule.VALUE),
        ("blood_type", "A+", "A-", None),
        ("height", "5'11", "5 ft 1", None),
        ("skill", "C", "C#", None),
        ("weight", "70,5 kg", "705 kg", None),
    ]
)
def test_values_of_one_attribute_are_compared(attribute: str, old: str, new: str, expected: Rule | None) -> None:
    one = an_item(content=f"About {old}", attribute=attribute, value=old)
    other = an_item(content=f"Says {new}", attribute=attribute, value=new)
    assert rule(one, other) is expected
    assert rule(other, one, SURE) is expected


@each(
    [
        ("Runs 5 km", "Runs 10 km"),
        ("Has two cats", "Has three cats"),
        ("Afraid of flying", "Not afraid of flying"),
        ("Wants to learn German", "Wants to learn French"),
        ("Tem sangue tipo A+", "Tem sangue tipo A-"),
        ("Corre 1,5 km", "Corre 15 km"),
        ("Codes in C", "Codes in C#"),
    ]
)
def test_however_sure_a_mind_is_figures_names_signs_and_a_not_tell_apart(old: str, new: str) -> None:
    assert rule(an_item(content=old), an_item(content=new)) is None
    assert rule(an_item(content=old), an_item(content=new), SURE) is None


def test_a_dose_is_one_only_when_nothing_else_is_told_of_it() -> None:
    medication = {"attribute": "medication", "value": "metformin"}
    plain, morning = (
        an_item(content="Takes metformin", **medication),
        an_item(content="Toma metformina cedo", **medication),
    )
    assert rule(plain, morning, SURE) is None
    fuller = an_item(content="Takes metformin in the morning", **medication, created_at=NOW + days(1))
    why = same_thing(plain, fuller, None, policy=GARDEN)
    assert why is not None
    assert keeper_of(plain, fuller, why) == (fuller, plain)


def test_a_mind_must_be_sure_and_see_no_contradiction() -> None:
    old, new = an_item(content="Adora correr na praia"), an_item(content="Gosta muito de correr na praia")
    assert rule(old, new, SURE) is Rule.MEANING
    assert rule(old, new, Comparison(contradicts=0.0, same=0.84)) is None
    assert rule(old, new, Comparison(contradicts=0.3, same=0.97)) is None
    assert rule(old, new) is None


@each(
    [
        {"subject": "Clara"},
        {"speaker": "bia"},
        {"place": SPACE},
        {"type": KnowledgeType.GOAL},
        {"needs_resolution": True},
        {"expires_at": NOW + days(30)},
        {"held_until": NOW},
        {"attribute": "former_likes"},
        {"attribute": "dislikes"},
    ]
)
def test_the_same_words_of_another_person_mouth_place_kind_or_time_are_two(changes: dict[str, Any]) -> None:
    assert rule(an_item(), an_item(**changes)) is None
    assert rule(an_item(**changes), an_item(), SURE) is None


def test_events_are_one_only_within_a_day_and_feelings_only_by_their_words() -> None:
    event = {"type": KnowledgeType.MEMORY, "content": "Foi ao dentista"}
    assert rule(an_item(**event), an_item(**event, held_from=NOW + days(0.5))) is Rule.WORDS
    assert rule(an_item(**event), an_item(**event, held_from=NOW + days(2))) is None
    sad, down = (an_item(type=KnowledgeType.EMOTION, content=words) for words in ("Feels sad", "Feels down"))
    assert rule(sad, down, SURE) is None
    assert rule(sad, replace(sad, id=an_id(), held_from=NOW + days(3))) is Rule.WORDS


WORDS = Why(Rule.WORDS, "the same words")


@each(
    [
        ({"validated": True}, {"source": Source.USER_INPUT}),
        ({"source": Source.USER_INPUT}, {"source": Source.CONVERSATION, "attribute": "likes"}),
        ({"created_at": NOW + days(1)}, {"source": Source.AI_INFERENCE, "attribute": "likes"}),
        ({"attribute": "likes", "created_at": NOW + days(1)}, {}),
        ({}, {"created_at": NOW + days(1)}),
    ]
)
def test_the_confirmed_the_better_founded_the_better_told_apart_the_older_stays(
    better: dict[str, Any], worse: dict[str, Any]
) -> None:
    one, other = an_item(**better), an_item(**worse)
    assert keeper_of(one, other, WORDS) == keeper_of(other, one, WORDS) == (one, other)


def test_the_wider_one_stays_unless_it_rests_on_less() -> None:
    narrow, wide = an_item(content="Doesn't eat meat"), an_item(content="Is vegan", created_at=NOW + days(9))
    why = same_thing(narrow, wide, None, policy=GARDEN)
    assert why is not None
    assert keeper_of(narrow, wide, why) == (wide, narrow)
    assert keeper_of(narrow, replace(wide, source=Source.AI_INFERENCE), why) is None
    assert keeper_of(replace(narrow, validated=True), wide, why) is None
    confirmed = replace(wide, validated=True)
    assert keeper_of(narrow, confirmed, why) == (confirmed, narrow)


def test_a_chain_joins_only_what_is_the_same_itself() -> None:
    a, b, c = (an_item(created_at=NOW + days(number)) for number in range(3))
    (merge,) = grouped([(b, c, WORDS), (a, b, WORDS)])
    assert (merge.keep, merge.others) == (a, (b,))


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=15), st.randoms())
def test_pairs_in_any_order_give_the_same_merges_each_item_in_one(
    numbers: list[tuple[int, int]], chance: random.Random
) -> None:
    rows = [an_item(id=an_id(number + 1), created_at=NOW + days(number % 3)) for number in range(8)]
    pairs = [(rows[one], rows[other], WORDS) for one, other in numbers if one != other]
    merges = grouped(pairs)
    chance.shuffle(pairs)
    assert grouped([(new, old, why) for old, new, why in pairs]) == merges
    used = [id for merge in merges for id in merge.ids]
    assert len(used) == len(set(used))


texts = st.sampled_from(("m1", "m2", "m3", "m4", "m5"))
held_items = st.builds(
    an_item,
    message_ids=st.lists(texts, unique=True, max_size=5).map(tuple),
    tags=st.lists(texts, unique=True, max_size=3).map(tuple),
    related=st.lists(texts, unique=True, max_size=3).map(tuple),
    person=st.dictionaries(texts, texts, max_size=2),
    observations=st.integers(1, 100),
    weight=st.floats(0, 1),
    confidence=st.floats(0, 1),
    held_from=st.integers(-50, 50).map(lambda number: NOW + days(number)),
    reinforced_at=st.none() | st.integers(-50, 50).map(lambda number: NOW + days(number)),
    validated=st.just(False),
)


@given(held_items, st.lists(held_items, min_size=1, max_size=4))
def test_merging_loses_no_source_and_no_count_and_makes_nothing_surer(
    keep: KnowledgeItem, others: list[KnowledgeItem]
) -> None:
    kept, ended = gathered(Merge(keep, tuple(others), (WORDS,) * len(others)), NOW)
    rows = (keep, *others)
    assert set(kept.message_ids) == {id for row in rows for id in row.message_ids}
    assert set(kept.tags) == {tag for row in rows for tag in row.tags}
    assert kept.observations == sum(row.observations for row in rows)
    assert kept.weight == max(row.weight for row in rows)
    assert kept.reinforced_at == max(row.reinforced_at or row.held_from for row in rows)
    assert (kept.confidence, kept.content, kept.version) == (keep.confidence, keep.content, keep.version + 1)
    for past, row in zip(ended, others, strict=True):
        assert past.superseded_by == keep.id
        assert (past.message_ids, past.confidence, past.observations) == (
            row.message_ids, row.confidence, row.observations,
        )  # fmt: skip


def ids(merges: list[Merge]) -> list[tuple[str, ...]]:
    return [merge.ids for merge in merges]


async def test_new_items_are_merged_with_their_nearest_by_one_question(store: Store, clock: Clock) -> None:
    old = [an_item(content=words) for words in ("Adora correr na praia de manhã", "É vegetariana", "Tem um gato")]
    new = [
        an_item(content=words, created_at=NOW + days(1))
        for words in ("Adora correr na praia de manhã cedo", "Não come carne", "Tem um gato preto")
    ]
    await planted(store, *old, *new)
    reader = Counting(compared=alike((old[0].content, new[0].content)))
    policy = replace(LIFE, learn=replace(LIFE.learn, near_at_least=0.0))
    merges = await a_merger(store, clock, reader=reader, policy=policy).near(ANA, [row.id for row in new])
    assert (sorted(ids(merges)), len(reader.calls)) == ([(old[1].id, new[1].id), (new[0].id, old[0].id)], 1)


async def test_a_long_look_lets_others_have_their_turn(store: Store, clock: Clock) -> None:
    """A server answers while the gardener looks: at each stretch of rows, and of pairs, somebody else goes on."""
    rows = [an_item(content=f"Toca violão na rua {number % 200}") for number in range(400)]
    await planted(store, *rows)
    turns = 0

    async def waiting() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    somebody = asyncio.create_task(waiting())
    found = await a_merger(store, clock).everywhere(ANA)
    somebody.cancel()
    assert turns >= (400 + 200) // AT_A_STRETCH
    assert len(found) == 200


async def test_what_the_person_is_being_asked_about_is_left_alone(store: Store, clock: Clock) -> None:
    first, second, third = (an_item(created_at=NOW + days(number)) for number in range(3))
    await planted(store, first, second, third)
    await kept(store, a_case(old_id=second.id, new_id=an_id()))
    merger = a_merger(store, clock)
    merges = await merger.everywhere(ANA)
    assert ids(merges) == [(first.id, third.id)]
    await kept(store, a_case(old_id=third.id, new_id=an_id()))
    assert (await merger.renewed(ANA, merges), await merger.near(ANA, [second.id])) == ([], [])


async def made(merger: Merger, store: Store, merges: list[Merge]) -> Change:
    change = Change(ANA, new_id=an_id, verb="garden", actor=GARDENER, at=NOW)
    beside = merger.write(change, merges, ANA)
    await store.apply(ANA, [*change.ops, *beside])
    return change


async def test_a_merge_can_be_undone_and_then_is_not_made_again(store: Store, clock: Clock) -> None:
    keep, other = (
        an_item(message_ids=("m1",)),
        an_item(message_ids=("m2",), tags=("regatta",), created_at=NOW + days(1)),
    )
    await planted(store, keep, other)
    merger = a_merger(store, clock)
    before = await everything(store)
    change = await made(merger, store, await merger.everywhere(ANA))
    (held,) = await store.get(ANA, KnowledgeItem, [keep.id])
    assert (held.message_ids, held.observations, held.tags) == (("m1", "m2"), 2, ("regatta",))
    assert [job.payload["ids"] for job in await store.jobs()] == [[keep.id]]  # a tag is searched by, too
    assert await merger.everywhere(ANA) == []

    await Keeper(store, embedder=EMBEDDER, clock=clock, new_id=an_id).undo(ANA, change.id, None)
    after = await everything(store)
    assert {id: _told(row) for id, row in after.items()} == {id: _told(row) for id, row in before.items()}
    assert (await merger.everywhere(ANA), await merger.near(ANA, [other.id])) == ([], [])


async def test_merges_are_decided_anew_over_rows_a_person_changed(store: Store, clock: Clock) -> None:
    first, second, third = (an_item(created_at=NOW + days(number)) for number in range(3))
    await planted(store, first, second, third)
    merger = a_merger(store, clock)
    merges = await merger.everywhere(ANA)
    assert ids(merges) == [(first.id, second.id, third.id)]
    keeper = Keeper(store, embedder=EMBEDDER, clock=clock, new_id=an_id)
    await keeper.validate(ANA, second.id, LIFE.confidence, None)
    assert ids(await merger.renewed(ANA, merges)) == [(second.id, first.id)]  # it stays now, and takes in the first


def _told(row: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in row.items() if name not in ("version", "updated_at")}


moments = st.integers(-9, 9).map(lambda number: NOW + days(number))
sentences = st.sampled_from(
    ("Is vegan", "Não come carne", "Does not eat eggs", "Toca violão", "toca violão", "É vegano")
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(sentences, moments, st.booleans()), min_size=2, max_size=8))
async def test_every_merge_is_undone_whole(rows: list[tuple[str, datetime, bool]]) -> None:
    clock, store = Clock(), InMemoryStore(BilingualAnalyzer())
    items = [an_item(content=words, created_at=at, validated=sure) for words, at, sure in rows]
    await planted(store, *items)
    before = await everything(store)
    merger = a_merger(store, clock)
    merges = await merger.everywhere(ANA)
    if not merges:
        return
    change = await made(merger, store, merges)
    held = await everything(store)
    assert all(held[item.id] == before[item.id] for item in items if item.validated and _stays(item, merges))
    assert await merger.everywhere(ANA) == []
    keeper = Keeper(store, embedder=EMBEDDER, clock=clock, new_id=an_id)
    await keeper.undo(ANA, change.id, None)
    assert {id: _told(row) for id, row in (await everything(store)).items()} == {
        id: _told(row) for id, row in before.items()
    }


def _stays(item: KnowledgeItem, merges: list[Merge]) -> bool:
    return all(item.id not in {other.id for other in merge.others} for merge in merges)
