"""Taking a night back restores what it touched, whatever the day was like and whatever the person did since."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import ANA, a_vector
from memories import Clock, InMemoryStore, a_memory
from readers import NotationNight, NotationReader
from relembra import ConflictError, KnowledgeItem, Memory, NotFoundError
from relembra.domain.audit import AuditEntry, Target
from relembra.domain.candidate import Comparison
from relembra.domain.case import Outcome
from relembra.domain.jobs import Run, RunStatus
from relembra.learn.trail import snapshot
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.port import Vector
from seeds import rounds

SAID = (
    "[residence=Recife]", "[residence=Recife!]", "[residence=Lima!]", "[residence=Oslo]", "[birthday=5 May]",
    "[birthday=6 May]", "[weight=80 kg]", "[weight=81 kg]", "[likes=tea]", "[dislikes=tea]",
    "[fact=a sings in a choir]", "[fact=a is a choir singer]", "[fact=b paints]", "{fact=b is a painter}",
    "{goal=rest~}", "{residence=Porto!}", "nothing much",
)  # fmt: skip
says = st.tuples(st.just("say"), st.sampled_from(SAID))
adds = st.tuples(st.just("add"), st.sampled_from(["Lives in Quito", "Lives in Lima"]))
MOVING = {"version", "updated_at", "accesses", "last_access", "needs_resolution"}
numbers = st.integers(0, 20)
does = st.tuples(st.sampled_from(["delete", "validate", "correct", "archive", "forget"]), numbers)
Step = tuple[str, str | int]


class Near:
    """An embedder for which everything lies near."""

    name = "near@1"
    dimensions = 3

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [a_vector(1, 0, (sum(text.encode()) % 100) / 10_000) for text in texts]

    async def close(self) -> None:
        """Nothing to let go of."""


def alike(old: str, new: str) -> Comparison:
    """Facts of one letter say the same."""
    return Comparison(contradicts=0.0, same=0.99 if old[:2] == new[:2] and old[1] == " " else 0.0)


async def taken(memory: Memory, clock: Clock, step: Step) -> None:
    """One step of a day; what is not there is left alone."""
    clock.move(minutes=7)
    verb, what = step
    if verb == "say":
        await memory.save(user="ana", said=str(what))
        await memory.settle(flush=True)
        return
    if verb == "add":
        await memory.add(str(what), user="ana", attribute="residence", value=str(what).removeprefix("Lives in "))
        return
    held = await memory.list(user="ana", limit=100)
    if not held:
        return
    id = held[int(what) % len(held)].id
    if verb == "correct":
        await memory.correct(id, "Lives in Natal", user="ana")
    elif verb == "forget":
        await memory.forget(user="ana", item=id)
    else:
        await getattr(memory, verb)(id, user="ana")


async def a_night(memory: Memory, reader: NotationReader) -> Run | None:
    reader.compared = alike
    run = await memory.consolidate(user="ana")
    reader.compared = lambda _old, _new: Comparison(contradicts=0.0, same=0.0)
    return run


async def everything(memory: Memory) -> dict[str, KnowledgeItem]:
    """All items, without what every change moves."""
    rows = await memory.list(user="ana", history=True, deleted=True, limit=500)
    return {row.id: replace(row, version=0, updated_at=row.created_at, accesses=0, last_access=None) for row in rows}


def undoubted(items: dict[str, KnowledgeItem]) -> dict[str, KnowledgeItem]:
    return {id: replace(item, needs_resolution=False) for id, item in items.items()}


async def told(memory: Memory, run: Run) -> tuple[set[str], set[str]]:
    """The items a record touched, and those of them that somebody else changed after it first did."""
    own = {entry.id for entry in (await memory.consolidation(run.id, user="ana")).entries}
    touched, others = set(), set()
    for id in await everything(memory):
        trail = await memory._store.trail(ANA, Target.ITEM, id)
        first = next((place for place, entry in enumerate(trail) if entry.id in own), None)
        if first is not None:
            touched.add(id)
            if any(entry.id not in own for entry in trail[first:]):
                others.add(id)
    return touched, others


async def last_before(memory: Memory, run: Run, id: str) -> AuditEntry | None:
    """What was recorded of an item just before the run first touched it."""
    own = {entry.id for entry in (await memory.consolidation(run.id, user="ana")).entries}
    trail = await memory._store.trail(ANA, Target.ITEM, id)
    first = next(place for place, entry in enumerate(trail) if entry.id in own)
    return trail[first - 1] if first else None


async def rolled_back(before: list[Step], day: list[Step], since: list[Step]) -> None:
    clock, reader = Clock(), NotationReader()
    async with a_memory(
        InMemoryStore(BilingualAnalyzer()), clock=clock, reader=reader, night=NotationNight(), embedder=Near()
    ) as memory:
        for step in before:
            await taken(memory, clock, step)
        await a_night(memory, reader)
        earlier = await everything(memory)
        known = {entry.id for _, entry in await memory._store.page_trail(ANA, limit=1_000)}
        for step in day:
            await taken(memory, clock, step)
        run = await a_night(memory, reader)
        if run is None:
            return
        assert run.status is RunStatus.COMPLETED
        for step in since:
            await taken(memory, clock, step)
        if await memory._store.find(ANA, Run, run.id) is None:  # all that it did was forgotten since
            assert run.changes
            assert await memory._store.changes(ANA, run.changes) == []
            with pytest.raises(NotFoundError):
                await memory.rollback(run.id, user="ana")
            return
        touched, others = await told(memory, run)
        later = await everything(memory)
        clock.move(hours=1)
        done = await memory.rollback(run.id, user="ana")
        after = await everything(memory)
        left = {one.id for one in done.left}
        assert touched == set(done.restored) | left
        assert others <= left
        if not others:
            assert left == set()
        for id in after.keys() - set(done.restored):
            assert undoubted({id: after[id]}) == undoubted({id: later[id]})
        for id in set(done.restored) - left:
            last = await last_before(memory, run, id)
            if last is None:
                assert after[id].deleted_at == clock.now
            elif last.id in known:
                assert undoubted({id: after[id]}) == undoubted({id: earlier[id]})
            else:  # somebody changed it that day, before the run first did
                now = snapshot(await memory.get(id, user="ana"))
                told_of = {name: part for name, part in (last.after or {}).items() if name not in MOVING}
                assert {name: now[name] for name in told_of} == told_of
        await sound(memory)
        with pytest.raises(ConflictError):
            await memory.rollback(run.id, user="ana")
        if done.change is not None:
            await memory.undo(done.change, user="ana")
            assert undoubted(await everything(memory)) == undoubted(later)
            assert (await memory.verify()).problems == ()


async def sound(memory: Memory) -> None:
    """That the store is whole, and whoever is in doubt has a question."""
    assert (await memory.verify()).problems == ()
    asked = {id for one in await memory.conflicts(user="ana", open_only=True) for id in (one.old.id, one.new.id)}
    for item in await memory.list(user="ana", limit=500):
        if item.needs_resolution:
            assert item.id in asked
    for one in await memory.conflicts(user="ana", limit=500):
        if one.case.outcome is Outcome.OPEN:
            assert one.old.deleted_at is None
            assert one.new.deleted_at is None


days = st.lists(says, max_size=6)


@settings(max_examples=rounds(15), suppress_health_check=[HealthCheck.too_slow])
@given(days, st.lists(says, min_size=1, max_size=8))
def test_a_night_taken_back_at_once_leaves_what_was_before(before: list[Step], day: list[Step]) -> None:
    asyncio.run(rolled_back(before, day, []))


@settings(max_examples=rounds(15), suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.one_of(says, adds, does), max_size=5),
    st.lists(st.one_of(says, adds, does), min_size=1, max_size=8),
    st.lists(st.one_of(says, adds, does), max_size=4),
)
def test_what_somebody_changed_since_is_left_and_named(before: list[Step], day: list[Step], since: list[Step]) -> None:
    asyncio.run(rolled_back(before, day, since))
