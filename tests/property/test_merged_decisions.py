"""Whatever was merged with whatever, a person's decision about any item ever shown is done to what stands for it."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from builders import ANA
from gardens import merged_into
from memories import Clock, InMemoryStore, a_memory
from relembra import KnowledgeItem, Memory
from relembra.errors import ConflictError, NotFoundError
from relembra.minds.offline.analysis import BilingualAnalyzer
from seeds import rounds

ITEMS = 5
numbers = st.integers(0, ITEMS - 1)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("merge"), numbers, numbers),
        st.tuples(st.sampled_from(["validate", "correct", "delete", "forget", "undo"]), numbers, st.just(0)),
    ),
    max_size=12,
)


@settings(max_examples=rounds(15))
@given(steps=steps)
def test_a_decision_is_done_to_what_stands_for_the_item_it_names(steps: list[tuple[str, int, int]]) -> None:
    asyncio.run(decided_in_turn(steps))


async def decided_in_turn(steps: list[tuple[str, int, int]]) -> None:
    clock = Clock()
    async with a_memory(InMemoryStore(BilingualAnalyzer()), clock=clock) as memory:
        ids = [(await memory.add(f"Knows song {n}", user="ana", by="program:app")).id for n in range(ITEMS)]
        for verb, one, other in steps:
            clock.move(minutes=1)
            if verb == "merge":
                await merge(memory, ids[one], ids[other], clock)
                continue
            line = await stands_for(memory, ids[one])
            try:
                await decide(memory, verb, ids[one])
            except NotFoundError:
                assert line == []
            except ConflictError:
                assert verb == "undo" or line[-1].deleted_at is not None
            else:
                await assert_decided(memory, verb, line)
        assert (await memory.verify()).problems == ()


async def merge(memory: Memory, kept: str, other: str, clock: Clock) -> None:
    rows = await memory._store.get(ANA, KnowledgeItem, [kept, other])
    if len(rows) == 2 and all(row.is_current(clock()) for row in rows) and not rows[1].validated and kept != other:
        await merged_into(memory._store, kept, other, clock=clock)


async def stands_for(memory: Memory, id: str) -> list[KnowledgeItem]:
    """The item and those it was merged into, found without the code under test: nothing but merges and corrections
    ends an item here, and what is corrected is deleted."""
    line = await memory._store.get(ANA, KnowledgeItem, [id])
    while line and line[-1].superseded_by is not None:
        trail = (await memory.history(line[-1].id, user="ana")).trail
        if not any(entry.verb == "merge" for entry in trail) or any(entry.verb == "correct" for entry in trail):
            break
        line += await memory._store.get(ANA, KnowledgeItem, [line[-1].superseded_by])
    return line


async def decide(memory: Memory, verb: str, id: str) -> None:
    match verb:
        case "validate":
            await memory.validate(id, user="ana")
        case "correct":
            await memory.correct(id, "Knows a tune", user="ana")
        case "delete":
            await memory.delete(id, user="ana")
        case "forget":
            await memory.forget(item=id, user="ana")
        case _:
            await memory.undo(id, user="ana")


async def assert_decided(memory: Memory, verb: str, line: list[KnowledgeItem]) -> None:
    ids = [item.id for item in line]
    now = {item.id: item for item in await memory._store.get(ANA, KnowledgeItem, ids)}
    match verb:
        case "validate":
            assert now[ids[-1]].validated
        case "correct" | "delete":
            assert now[ids[-1]].deleted_at is not None
            assert not any(item.is_current(memory._clock()) for item in now.values())
        case "forget":
            assert now == {}
