"""Taking a night back beside questions, chains and others at work; see also `property/test_rollback.py`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from builders import ANA
from memories import Clock, InMemoryStore, a_memory, a_store
from readers import NotationNight, NotationReader
from relembra import ConflictError, Memory
from relembra.domain.audit import Actor
from relembra.domain.candidate import Talk
from relembra.domain.case import Case, Outcome
from relembra.domain.jobs import CONSOLIDATE, Run, RunStatus
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Scope, new_id
from relembra.errors import MindUnavailableError
from relembra.learn.trail import Change
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.port import Op, Put, Receipt, Store


@pytest.fixture
async def store(tmp_path: Path) -> Store:
    return await a_store("memory", tmp_path)


@pytest.fixture
async def memory(store: Store, clock: Clock, reader: NotationReader) -> AsyncIterator[Memory]:
    async with a_memory(store, clock=clock, reader=reader) as memory:
        yield memory


async def a_run(memory: Memory, clock: Clock, *said: str) -> Run:
    """A day's talk and what becomes of it."""
    clock.move(hours=1)
    for text in said:
        await memory.save(user="ana", said=text)
    run = await memory.consolidate(user="ana")
    assert run is not None
    clock.move(hours=1)
    return run


async def by_value(memory: Memory) -> dict[str, KnowledgeItem]:
    """Everything that is or was known, by its value; the newest of equals."""
    listed = await memory.list(user="ana", history=True, deleted=True, limit=500)
    return {item.value or item.content: item for item in reversed(listed)}


async def values(memory: Memory) -> set[str]:
    return {item.value or item.content for item in await memory.list(user="ana", limit=500)}


async def test_the_end_of_a_chain_that_stays_keeps_the_whole_chain(memory: Memory, clock: Clock) -> None:
    await a_run(memory, clock, "[residence=Recife]")
    run = await a_run(memory, clock, "[residence=Lima!]", "[residence=Oslo!]", "[likes=tea]")
    held = await by_value(memory)
    await memory.validate(held["Oslo"].id, user="ana")
    done = await memory.rollback(run.id, user="ana")
    assert {left.id for left in done.left} == {held[name].id for name in ("Recife", "Lima", "Oslo")}
    assert await values(memory) == {"Oslo"}
    assert (await memory.history(held["Oslo"].id, user="ana")).predecessors[0].id == held["Recife"].id


async def test_a_question_the_night_raised_is_not_asked_any_more(memory: Memory, store: Store, clock: Clock) -> None:
    await a_run(memory, clock, "[birthday=5 May]")
    run = await a_run(memory, clock, "[birthday=6 May]")
    [conflict] = await memory.conflicts(user="ana", open_only=True)
    await memory.rollback(run.id, user="ana")
    assert await memory.conflicts(user="ana", open_only=True) == []
    [case] = await store.get(ANA, Case, [conflict.id])
    assert case.outcome is not Outcome.OPEN
    assert await values(memory) == {"5 May"}
    assert (await memory.load(user="ana", query="birthday")).question is None


async def test_a_question_of_before_stays_a_question(memory: Memory, clock: Clock) -> None:
    await a_run(memory, clock, "[residence=Recife]")
    await memory.validate((await by_value(memory))["Recife"].id, user="ana")
    await a_run(memory, clock, "[residence=Lima]")
    [before] = await memory.conflicts(user="ana", open_only=True)
    run = await a_run(memory, clock, "[residence=Oslo!]")
    await memory.rollback(run.id, user="ana")
    [after] = await memory.conflicts(user="ana", open_only=True)
    assert (after.old.id, after.new.id) == (before.old.id, before.new.id)
    assert (after.old.value, after.new.value) == ("Recife", "Lima")
    doubted = [item for item in await memory.list(user="ana") if item.needs_resolution]
    assert [item.value for item in doubted] == ["Lima"]


async def test_a_night_under_way_cannot_be_taken_back(store: Store, clock: Clock, reader: NotationReader) -> None:
    async def meanwhile(_: Talk) -> None:
        [run] = await memory.consolidations(user="ana")
        with pytest.raises(ConflictError, match="still under way"):
            await memory.rollback(run.id, user="ana")
        refused.append(run.id)

    refused: list[str] = []
    async with a_memory(store, clock=clock, reader=reader, night=NotationNight(on_reread=meanwhile)) as memory:
        run = await a_run(memory, clock, "[likes=tea]")
        assert refused == [run.id]
        assert run.status is RunStatus.COMPLETED


async def test_a_record_left_running_can_be_taken_back(memory: Memory, store: Store, clock: Clock) -> None:
    run = await a_run(memory, clock, "[likes=tea]")
    stuck = replace(run, status=RunStatus.RUNNING, finished_at=None, version=run.version + 1)
    await store.apply(ANA, [Put(stuck, run.version)])
    done = await memory.rollback(run.id, user="ana")
    assert done.run.status is RunStatus.ROLLED_BACK
    assert await values(memory) == set()


async def test_a_night_taken_back_is_not_taken_up_again(store: Store, clock: Clock, reader: NotationReader) -> None:
    async def away(_: Talk) -> None:
        raise MindUnavailableError("away")

    night = NotationNight(on_reread=away)
    async with a_memory(store, clock=clock, reader=reader, night=night) as memory:
        run = await a_run(memory, clock, "[likes=tea] {likes=rum}")
        assert run.status is RunStatus.PARTIAL
        await memory.rollback(run.id, user="ana")
        night.on_reread = None
        clock.move(hours=1)
        await memory.settle()
        assert (await memory.consolidation(run.id, user="ana")).run.status is RunStatus.ROLLED_BACK
        assert await values(memory) == set()
        assert [job.id for job in await store.jobs(kinds=(CONSOLIDATE,))] != [run.id]
        clock.move(days=1)
        await memory.settle()
        assert await values(memory) == {"rum"}  # which was never read in the night that was taken back


class Beaten(InMemoryStore):
    """Lets somebody else be quicker, once."""

    meanwhile: Memory | None = None

    async def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        if self.meanwhile is not None and any(isinstance(op, Put) and isinstance(op.row, Run) for op in ops):
            memory, self.meanwhile = self.meanwhile, None
            await memory.validate((await by_value(memory))["tea"].id, user="ana")
        return await super().apply(scope, ops)


async def test_what_is_confirmed_in_the_moment_of_a_rollback_stays(clock: Clock, reader: NotationReader) -> None:
    store = Beaten(BilingualAnalyzer())
    async with a_memory(store, clock=clock, reader=reader) as memory:
        run = await a_run(memory, clock, "[likes=tea]", "[likes=rum]")
        store.meanwhile = memory
        done = await memory.rollback(run.id, user="ana")
        assert (len(done.restored), len(done.left), await values(memory)) == (1, 1, {"tea"})


async def tended(memory: Memory, clock: Clock, value: str, verb: str, by: str, **changes: object) -> None:
    """Let a program change an item as night work does."""
    item = (await by_value(memory))[value]
    after = replace(item, version=item.version + 1, updated_at=clock.now, **changes)  # type: ignore[arg-type]
    change = Change(ANA, new_id=new_id, verb=verb, actor=Actor.parse(by), at=clock.now)
    change.put(after, item, brief=True)
    await memory._store.apply(ANA, change.ops)


async def test_what_was_only_tended_since_goes_back_as_well(memory: Memory, clock: Clock) -> None:
    await a_run(memory, clock, "[likes=tea]", "[residence=Recife]")
    run = await a_run(memory, clock, "[likes=tea]", "[likes=rum]", "[residence=Lima!]")
    rum, lima = (await by_value(memory))["rum"], (await by_value(memory))["Lima"]
    for value in ("tea", "rum", "Lima", "Recife"):
        await tended(memory, clock, value, "relate", "program:insight", related=(rum.id, lima.id))
    await tended(memory, clock, "rum", "fade", "program:gardener", weight=0.4)
    done = await memory.rollback(run.id, user="ana")
    assert done.left == ()
    after = await by_value(memory)
    assert await values(memory) == {"tea", "Recife"}
    assert (after["tea"].observations, after["tea"].related) == (1, (rum.id, lima.id))
    assert after["rum"].deleted_at is not None
    assert (await memory.verify()).problems == ()
