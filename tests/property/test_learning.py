"""The rules of listening and learning, over talk nobody thought of."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from builders import ANA, NOW, a_case, an_item, days, kept
from memories import Clock, InMemoryStore, a_memory, days_work
from readers import NotationReader
from relembra import KnowledgeItem, Memory
from relembra.domain.audit import Target
from relembra.domain.candidate import Comparison
from relembra.domain.case import Case, Outcome
from relembra.domain.knowledge import Source
from relembra.domain.policy import LIFE, LearnPolicy
from relembra.domain.scope import DIRECT, Place, may_hear, new_id, reaches
from relembra.learn.casework import Casework, Conflict
from relembra.learn.decisions import Decision, Repeat, decide
from relembra.learn.values import names, overlap, same
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.port import CaseFilter
from seeds import rounds

PLACES = (DIRECT, Place("g1", "general"), Place("g1", "other"), Place("g2", "general"))
VALUES = {
    "residence": ("Recife", "Boa Viagem, Recife", "Porto"), "birthday": ("5 May", "6 May"),
    "weight": ("80 kg", "81 kg"), "likes": ("tea", "rowing"), "dislikes": ("tea", "rowing"),
    "diet": ("vegan", "vegetarian"), "goal": ("run a marathon", "learn French"), "achieved": ("a marathon", "French"),
    "former_residence": ("Recife", "Porto"),
}  # fmt: skip
said_things = st.sampled_from([(name, value) for name, values in VALUES.items() for value in values])
policy = LearnPolicy()


@st.composite
def items(draw: st.DrawFn, /, **fixed: Any) -> KnowledgeItem:
    """Any item of the few things talked about, said by anybody anywhere."""
    attribute, value = draw(said_things)
    parts: dict[str, Any] = {
        "attribute": attribute, "value": value, "content": f"{attribute} {value}",
        "place": draw(st.sampled_from(PLACES)), "speaker": draw(st.sampled_from([None, None, None, "bob"])),
        "validated": draw(st.booleans()), "source": draw(st.sampled_from([Source.CONVERSATION, Source.AI_INFERENCE])),
        "confidence": draw(st.sampled_from([0.5, 0.7, 0.95, 1.0])), "held_from": NOW + days(draw(st.integers(-5, 5))),
        "superseded_at": draw(st.sampled_from([None, None, None, NOW])),
    }  # fmt: skip
    return an_item(**parts | fixed)


def decided(new: KnowledgeItem, held: list[KnowledgeItem], changed: bool, sure: list[float]) -> Decision:
    compared = {row.id: Comparison(contradicts=one, same=1 - one) for row, one in zip(held, sure, strict=False)}
    return decide(new, held, changed=changed, compared=compared, judged_by="judge", policy=policy, now=NOW)


decisions = {
    "new": items(validated=False, superseded_at=None),
    "held": st.lists(items(), max_size=5),
    "changed": st.booleans(),
    "sure": st.lists(st.floats(0, 1), max_size=5),
}


@given(**decisions)
def test_whatever_is_decided_keeps_to_the_rules(
    new: KnowledgeItem, held: list[KnowledgeItem], changed: bool, sure: list[float]
) -> None:
    decision = decided(new, held, changed, sure)
    assert decided(new, held, changed, sure) == decision
    touched = [decision.old] if isinstance(decision, Repeat) else [clash.old for clash in decision.clashes]
    assert all(row.is_current(NOW) and row.speaker == new.speaker for row in touched)
    assert len({row.id for row in touched}) == len(touched)
    item = decision.item
    if isinstance(decision, Repeat):
        old = decision.old
        assert may_hear(old.place, new.place)
        assert (item.id, item.content, item.value, item.place) == (old.id, old.content, old.value, old.place)
        assert (item.observations, item.validated) == (old.observations + 1, old.validated)
        assert item.confidence >= old.confidence
        assert set(old.message_ids) | set(new.message_ids) == set(item.message_ids)
        return
    for clash in decision.clashes:
        assert not (clash.ended and clash.old.validated)  # no machine ends what the person confirmed
        assert reaches(new.place, clash.old.place)
        if clash.ended is False:
            assert reaches(clash.old.place, new.place)
    assert item.needs_resolution == any(clash.ended is None for clash in decision.clashes)
    assert (item.superseded_at is not None) == any(clash.ended is False for clash in decision.clashes)
    changes = ("needs_resolution", "superseded_at", "superseded_by", "held_until", "updated_at")
    assert replace(item, **{name: getattr(new, name) for name in changes}) == new


words = st.text(max_size=40)


@given(st.sampled_from([None, "residence", "weight", "former_age"]), words, words)
def test_sameness_is_mutual_and_implies_naming(attribute: str | None, one: str, other: str) -> None:
    assert same(attribute, one, one)
    assert same(attribute, one, other) == same(attribute, other, one)
    assert names(attribute, one, other) == names(attribute, other, one)
    assert names(attribute, one, other) or not same(attribute, one, other)
    assert 0 <= overlap(one, other) == overlap(other, one) <= 1


@dataclass
class World:
    """A memory on the in-memory store, with a clock of its own."""

    memory: Memory
    clock: Clock
    ids: set[str] = field(default_factory=set)

    async def say(self, text: str, space: str | None = None) -> None:
        await self.memory.save(user="ana", said=text, space=space)
        await self.memory.settle(flush=True)

    async def known(self) -> list[KnowledgeItem]:
        return list(await self.memory.list(user="ana", history=True, deleted=True, limit=1_000))

    async def cases(self) -> list[Conflict]:
        return list(await self.memory.conflicts(user="ana", limit=1_000))


def in_a_world(play: Callable[[World], Awaitable[None]]) -> None:
    async def run() -> None:
        clock = Clock()
        async with a_memory(InMemoryStore(BilingualAnalyzer()), clock=clock, reader=NotationReader()) as memory:
            await play(World(memory, clock))

    asyncio.run(run())


def notation(thing: tuple[str, str], mark: str = "") -> str:
    return f"[{thing[0]}={thing[1]}{mark}]"


spaces = st.sampled_from([None, None, "g1", "g2"])
Step = tuple[str, Any, str | None]


def a_story(seed: int) -> list[Step]:
    """Twenty steps that meet each other often, which the usual strategies seldom make."""
    chance = random.Random(seed)
    things = [(name, value) for name, values in VALUES.items() for value in values]

    def text() -> str:
        marks = ("", "", "", "!", "~", "@2025-01-01")
        return " ".join(notation(chance.choice(things), chance.choice(marks)) for _ in range(chance.randint(1, 4)))

    def step() -> Step:
        verb = chance.choice(["say"] * 6 + ["answer", "validate", "load", "load", "reopen", "wait"])
        space = chance.choice([None, None, None, "g1", "g1", "g2"])
        match verb:
            case "say":
                return verb, text(), space
            case "answer":
                return "say", chance.choice(["yes", "no", "both", "neither", text()]), space
            case _:
                return verb, chance.randrange(2_000), space

    return [step() for _ in range(20)]


async def take(world: World, step: Step) -> None:
    verb, what, space = step
    world.clock.move(minutes=1)
    match verb:
        case "say":
            await world.say(what, space)
        case "validate":
            current = await world.memory.list(user="ana")
            if current:
                await world.memory.validate(current[what % len(current)].id, user="ana")
        case "load":
            context = await world.memory.load(user="ana", space=space, query="hello")
            if context.question is not None:
                await asked_where_it_may_be(world, context.question.case_id, space)
            await world.memory.settle()
        case "reopen":
            settled = [one for one in await world.cases() if one.case.outcome not in (Outcome.OPEN, Outcome.UNDONE)]
            settled = [one for one in settled if {one.old.superseded_by, one.new.superseded_by} <= sides_of(one)]
            if settled:
                await world.memory.reopen(settled[what % len(settled)].id, user="ana")
        case "wait":
            world.clock.move(minutes=what)


def sides_of(conflict: Conflict) -> set[str | None]:
    return {conflict.old.id, conflict.new.id, None}


async def asked_where_it_may_be(world: World, case_id: str, space: str | None) -> None:
    conflict = await world.memory.conflict(case_id, user="ana")
    place = DIRECT if space is None else Place(space, "general")
    assert may_hear(conflict.old.place, place)
    assert may_hear(conflict.new.place, place)


async def rules_hold(world: World) -> None:
    """What has to be true after every step, whatever was said."""
    known = {item.id: item for item in await world.known()}
    assert world.ids <= set(known)  # nothing is lost
    world.ids = set(known)
    stored = (await world.memory._store.page(ANA, CaseFilter(), limit=1_000)).rows
    cases = await world.cases()
    assert len(stored) == len(cases)
    pairs = Counter((one.old.id, one.new.id) for one in cases)
    assert all(times == 1 for times in pairs.values())
    in_cases = {frozenset(pair) for pair in pairs}
    for one in cases:
        assert one.case.place == DIRECT or one.old.place.space == one.new.place.space == one.case.place.space
    for item in known.values():
        assert item.note_id is not None
        assert await world.memory.sources(item.id, user="ana")
        if item.needs_resolution:
            assert any(item.id == case.new_id and case.outcome is Outcome.OPEN for case in stored)
        confidence: float | None = None
        for entry in await world.memory._store.trail(ANA, Target.ITEM, item.id):
            assert entry.after is not None
            if entry.verb == "supersede" and entry.actor.kind != "person":
                assert frozenset((item.id, entry.after["superseded_by"])) in in_cases
            before, after = entry.before or entry.after, entry.after
            if "content" not in after:  # it tells only what changed, and neither words nor confidence did
                assert after.keys().isdisjoint({"content", "value", "confidence"})
                continue
            assert (before["content"], before["value"]) == (after["content"], after["value"])
            if entry.verb == "supersede":
                assert before["confidence"] == after["confidence"] == confidence
                assert entry.actor.kind == "person" or not before["validated"]
                assert after["superseded_by"] in known
                assert reaches(known[after["superseded_by"]].place, item.place)
            confidence = after["confidence"]
    assert (await world.memory.verify()).problems == ()
    assert await days_work(world.memory) == []


@given(st.integers(0, 2**32))
@settings(max_examples=rounds(15), suppress_health_check=[HealthCheck.too_slow])
@example(0)
def test_whatever_is_said_the_rules_hold(seed: int) -> None:
    async def play(world: World) -> None:
        for number, step in enumerate(a_story(seed)):
            await take(world, step)
            if number % 5 == 4:
                await rules_hold(world)

    in_a_world(play)


one_of_each = st.lists(
    st.sampled_from(["residence", "birthday", "weight", "likes", "diet", "goal"]), unique=True, min_size=1, max_size=6
)


@given(one_of_each, st.data(), spaces, st.integers(1, 4))
@settings(max_examples=rounds(12))
def test_saying_the_same_again_adds_nothing(
    attributes: list[str], data: st.DataObject, space: str | None, times: int
) -> None:
    """In the same place, however often and in whatever order."""
    things = [notation((name, data.draw(st.sampled_from(VALUES[name])))) for name in attributes]
    orders = [data.draw(st.permutations(things)) for _ in range(times)]

    async def play(world: World) -> None:
        await world.say(" ".join(things), space)
        first = {item.id: item.observations for item in await world.known()}
        assert len(first) == len(things)
        for order in orders:
            world.clock.move(hours=30)
            await world.say(" ".join(order), space)
        assert {item.id: item.observations for item in await world.known()} == dict.fromkeys(first, times + 1)
        assert await world.cases() == []

    in_a_world(play)


@given(st.lists(st.integers(1, 3_000), min_size=1, max_size=20))
@settings(max_examples=rounds(10))
def test_a_question_is_put_at_most_once_a_day_and_three_times(waits: list[int]) -> None:
    async def play(world: World) -> None:
        await world.say("[birthday=5 May] [birthday=6 May]")
        put = []
        for wait in waits:
            world.clock.move(minutes=wait)
            if (await world.memory.load(user="ana", query="hello")).question is not None:
                put.append(world.clock.now)
            await world.memory.settle()
        assert 1 <= len(put) <= LIFE.learn.ask_at_most
        assert all(later - earlier >= timedelta(days=1) for earlier, later in pairwise(put))

    in_a_world(play)


one_side = items(superseded_at=None, speaker=None)


@given(one_side, one_side, st.sampled_from(["new", "old", "both", "neither"]), st.sampled_from([None, NOW + days(9)]))
@settings(max_examples=rounds(20))
def test_taking_an_answer_back_restores_both_sides(
    old: KnowledgeItem, new: KnowledgeItem, keep: str, held_until: Any
) -> None:
    old, new = replace(old, held_until=held_until), replace(new, needs_resolution=True)

    async def play() -> tuple[Conflict, Conflict]:
        store = InMemoryStore(BilingualAnalyzer())
        case: Case = a_case(old_id=old.id, new_id=new.id)
        await kept(store, old, new, case)
        casework = Casework(store, policy=LIFE, clock=lambda: NOW + days(20), new_id=new_id)
        return await casework.settle(ANA, case.id, keep, None), await casework.undo(ANA, case.id, None)

    settled, back = asyncio.run(play())
    for now, then in ((back.old, old), (back.new, new)):
        assert replace(now, version=then.version, updated_at=then.updated_at) == then
    assert back.case.outcome is Outcome.OPEN
    for side, then in ((settled.old, old), (settled.new, new)):
        assert side.confidence >= then.confidence
        assert side.superseded_by is None or side.confidence == then.confidence


@given(said_things, said_things, st.sampled_from(["", "!"]))
@settings(max_examples=rounds(12))
def test_reopening_a_rules_decision_restores_both(first: tuple[str, str], second: tuple[str, str], mark: str) -> None:
    async def play(world: World) -> None:
        await world.say(notation(first))
        [before] = await world.known()
        world.clock.move(days=2)
        await world.say(notation(second, mark))
        for conflict in await world.cases():
            if conflict.case.outcome is not Outcome.NEW:
                continue
            back = await world.memory.reopen(conflict.id, user="ana")
            assert replace(back.old, version=1, updated_at=before.updated_at) == before
            assert back.new.is_current(world.clock.now)
            assert back.case.outcome is Outcome.UNDONE

    in_a_world(play)
