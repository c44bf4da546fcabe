"""Whatever a judge says of a message: what the person confirmed is not ended by it, and undoing brings all back."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from builders import ANA
from memories import Clock, InMemoryStore, a_memory
from readers import NotationReader
from relembra.domain.case import Outcome
from relembra.domain.knowledge import KnowledgeItem
from relembra.minds.offline.analysis import BilingualAnalyzer
from seeds import rounds

MATTERS = ("employment=Vale", "hobby=tennis", "goal=learn Dutch", "likes=tea", "fact=swims")
PARTS = ("Vale", "tennis", "Dutch", "tea", "swims")

messages = st.lists(
    st.tuples(st.sampled_from(("ends", "replaces", "repeats", "asks")), st.sampled_from(PARTS), st.integers(0, 100)),
    min_size=1,
    max_size=3,
)


def before_it(item: KnowledgeItem) -> tuple[object, ...]:
    return (item.content, item.validated, item.superseded_at, item.held_until, item.deleted_at, item.confidence)


async def lived(confirmed: set[int], told: list[list[tuple[str, str, int]]]) -> None:
    clock = Clock()
    async with a_memory(InMemoryStore(BilingualAnalyzer()), clock=clock, reader=NotationReader()) as memory:
        await memory.save(user="ana", said=" ".join(f"[{matter}]" for matter in MATTERS))
        await memory.settle(flush=True)
        first = {item.id: item for item in await memory.list(user="ana")}
        mine = {part: next(item for item in first.values() if part in item.content) for part in PARTS}
        for number in confirmed:
            item = await memory.validate(mine[PARTS[number]].id, user="ana")
            first[item.id] = item
        for message in told:
            clock.move(hours=1)
            said = " ".join(f"({what} {part} {sure / 100:.2f})" for what, part, sure in message)
            await memory.save(user="ana", said=f"pois é {said}")
            await memory.settle(flush=True)
            rows = {row.id: row for row in await memory._store.get(ANA, KnowledgeItem, list(first))}
            for row in rows.values():
                assert not (row.validated and row.superseded_at), row.content
                assert row.confidence == first[row.id].confidence
        cases = await memory.conflicts(user="ana", limit=100)
        still = {one.old.id for one in cases if one.case.outcome is Outcome.OPEN}
        assert still == {row.id for row in rows.values() if row.needs_resolution}
        touched = {conflict.old.id for conflict in cases}
        for row in rows.values():
            assert (row.version != first[row.id].version) is (row.id in touched)
        changes = [
            entry.change
            for conflict in cases
            for side in (conflict.old, conflict.new)
            for entry in (await memory.history(side.id, user="ana")).trail
            if entry.verb in ("supersede", "doubt") or side is conflict.new
        ]
        for change in sorted(set(changes), reverse=True):  # ids grow with time: the last first
            await memory.undo(change, user="ana")
            left = {one.old.id for one in await memory.conflicts(user="ana", open_only=True)}
            marked = {
                row.id for row in await memory._store.get(ANA, KnowledgeItem, list(first)) if row.needs_resolution
            }
            assert left == marked
        back = await memory._store.get(ANA, KnowledgeItem, list(first))
        assert {row.id: before_it(row) for row in back} == {id: before_it(item) for id, item in first.items()}
        assert not any(row.needs_resolution for row in back)
        assert await memory.conflicts(user="ana", open_only=True) == []


@settings(max_examples=rounds(12))
@given(confirmed=st.sets(st.integers(0, 4)), told=st.lists(messages, min_size=1, max_size=4))
def test_the_confirmed_stays_and_undo_restores(confirmed: set[int], told: list[list[tuple[str, str, int]]]) -> None:
    asyncio.run(lived(confirmed, told))
