"""The night of one person: what it accounts for, once, whatever fails, is asked for or changed meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from builders import ANA, NOW, a_vector
from memories import Clock, a_memory, duty_for
from readers import NotationNight, NotationReader
from relembra import Memory
from relembra.domain.candidate import Comparison, Talk
from relembra.domain.jobs import (
    CONSOLIDATE,
    FLUSH,
    GARDEN,
    INSIGHT,
    LEARN,
    MONTHLY,
    WEEKLY,
    Job,
    Run,
    RunKind,
    RunStatus,
    Tally,
    next_night,
)
from relembra.domain.policy import LIFE, Policy
from relembra.errors import BusyError, MindUnavailableError
from relembra.minds.port import Vector
from relembra.store.port import Store

FIRST_NIGHT = datetime(2026, 3, 2, 3, tzinfo=UTC)
FOLLOW_UPS = {GARDEN, INSIGHT, WEEKLY, MONTHLY}


@pytest.fixture
async def memory(store: Store, clock: Clock, reader: NotationReader) -> AsyncIterator[Memory]:
    async with a_memory(store, clock=clock, reader=reader) as memory:
        yield memory


@pytest.fixture
def model() -> NotationNight:
    return NotationNight()


@pytest.fixture
async def thinker(store: Store, clock: Clock, reader: NotationReader, model: NotationNight) -> AsyncIterator[Memory]:
    """A memory with a model that reads again at night, two messages at a time."""
    async with a_memory(store, clock=clock, reader=reader, night=model, policy=small_batches()) as memory:
        yield memory


def small_batches(**tend: float) -> Policy:
    return replace(LIFE, tend=replace(LIFE.tend, batch_messages=2, **tend))  # type: ignore[arg-type]  # plain numbers


async def a_day(memory: Memory, *said: str, user: str = "ana") -> None:
    """Said one after another, noted and learnt from."""
    for text in said:
        await memory.save(user=user, said=text)
    await memory.settle(flush=True)


async def a_night(memory: Memory, clock: Clock, zone: str = "+00:00") -> None:
    """The clock strikes three, and the first minute passes."""
    clock.now = next_night(clock.now, zone, hour=LIFE.tend.night_hour)
    await memory.settle()
    clock.move(minutes=1)
    await memory.settle()


async def records(memory: Memory, user: str = "ana") -> list[Run]:
    """The records of consolidations, the first night's first."""
    return list(reversed(await memory.consolidations(user=user)))


async def values(memory: Memory) -> set[str]:
    return {item.value or item.content for item in await memory.list(user="ana", limit=500)}


async def waiting(store: Store, kind: str = CONSOLIDATE) -> list[Job]:
    return await store.jobs(scope=ANA, kinds=(kind,))


class OneDirection:
    """An embedder for which everything lies near."""

    name = "one@1"
    dimensions = 4

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [a_vector(1, 0, 0, len(text) / 1_000) for text in texts]

    async def close(self) -> None:
        """Nothing to let go of."""


def one_diet(old: str, new: str) -> Comparison:
    return Comparison(contradicts=0.0, same=0.99 if {old, new} == {"is vegetarian", "never eats meat"} else 0.0)


async def test_a_day_becomes_one_record_that_says_what_it_did(memory: Memory, clock: Clock) -> None:
    await a_day(memory, "[residence=Recife]", "[likes=tea]", "hello")
    clock.move(hours=1)
    await a_day(memory, "[residence=Lima!]", "[likes=tea]", "[goal=rest~]")
    assert await records(memory) == []
    await a_night(memory, clock)
    [run] = await records(memory)
    assert (run.kind, run.status, run.error) == (RunKind.CONSOLIDATION, RunStatus.COMPLETED, None)
    assert (run.night, run.since, run.until) == (date(2026, 3, 2), None, FIRST_NIGHT)
    assert (run.started_at, run.finished_at, run.duration) == (FIRST_NIGHT, FIRST_NIGHT, timedelta())
    assert run.tally == Tally(messages=6, created=4, updated=0, superseded=0, merged=0, inferences=1)
    assert (run.model_calls, run.input_tokens, run.output_tokens, run.raw) == (0, 0, 0, None)
    detail = await memory.consolidation(run.id, user="ana")
    assert (detail.run, {entry.change for entry in detail.entries}) == (run, set(run.changes))
    assert [entry.verb for entry in detail.entries] == ["learn", "learn", "learn", "supersede", "reinforce", "learn"]


async def test_a_night_after_nothing_was_said_leaves_no_record_and_no_work(
    memory: Memory, store: Store, clock: Clock
) -> None:
    await a_day(memory, "[likes=tea]")
    await a_night(memory, clock)
    assert await waiting(store) == []
    for _ in range(3):
        await a_night(memory, clock)
    assert len(await records(memory)) == 1
    assert await memory.consolidate(user="ana") is None
    assert await memory.consolidate(user="bia") is None


async def test_talk_that_goes_on_over_the_night_is_left_for_the_next(
    memory: Memory, store: Store, clock: Clock
) -> None:
    await a_day(memory, "[likes=tea]")
    clock.now = FIRST_NIGHT - timedelta(minutes=5)
    await memory.save(user="ana", said="[likes=rum]")
    clock.now = FIRST_NIGHT
    await memory.settle()
    [run] = await records(memory)
    assert run.tally == Tally(messages=1, created=2)  # what was learnt at once is there, its message is for the next
    clock.move(hours=1)
    await memory.settle()
    assert (await values(memory), len(await records(memory))) == ({"tea", "rum"}, 1)
    await a_night(memory, clock)  # and the person says nothing more
    assert [run.tally for run in await records(memory)] == [Tally(messages=1, created=2), Tally(messages=1)]


async def test_new_items_that_say_what_was_known_are_merged_with_it(
    store: Store, clock: Clock, reader: NotationReader
) -> None:
    async with a_memory(store, clock=clock, reader=reader, embedder=OneDirection()) as memory:
        old = await memory.add("is vegetarian", user="ana", type="fact", source="conversation")
        await a_day(memory, "[fact=never eats meat]", "[fact=sings]")
        assert await values(memory) == {"is vegetarian", "sings", "never eats meat"}
        reader.compared = one_diet
        await a_night(memory, clock)
        assert await values(memory) == {"is vegetarian", "sings"}
        kept = await memory.get(old.id, user="ana")
        assert kept.observations == 2
        assert [message.text for message in await memory.sources(old.id, user="ana")] == ["[fact=never eats meat]"]
        [run] = await records(memory)
        assert run.tally == Tally(messages=2, created=2, updated=1, merged=1)
        assert {entry.actor.name for entry in (await memory.history(old.id, user="ana")).trail[1:]} == {"consolidation"}
        await memory.rollback(run.id, user="ana")
        assert await values(memory) == {"is vegetarian"}
        assert replace(await memory.get(old.id, user="ana"), version=1, updated_at=old.updated_at) == old


async def test_the_compact_memory_is_rewritten_each_night_at_its_next_version(memory: Memory, clock: Clock) -> None:
    await a_day(memory, "[residence=Recife]")
    await a_night(memory, clock)
    await a_day(memory, "just talk")
    await a_night(memory, clock)
    await a_day(memory, "[residence=Lima!]")
    await a_night(memory, clock)
    first, second, third = await records(memory)
    assert [(run.memory_before, run.memory_after) for run in (first, second, third)] == [(None, 1), (1, 2), (2, 3)]
    assert first.memory_updates
    assert second.memory_updates == ()
    assert third.memory_updates
    held = await memory.me(user="ana")
    assert held.version == 3
    assert "Lima" in repr(held)
    assert held.last_consolidated_at == third.finished_at is not None
    assert (await memory.me(user="ana")).last_consolidated_at == third.finished_at  # of the one that is kept
    await memory.rollback(third.id, user="ana")
    assert (await memory.me(user="ana")).last_consolidated_at == second.finished_at
    assert (await memory.me(user="bia")).last_consolidated_at is None


async def test_the_rest_of_the_night_follows_at_its_own_times_once(memory: Memory, store: Store, clock: Clock) -> None:
    """1 March is a Sunday."""
    zone = ZoneInfo("America/Sao_Paulo")
    await memory.save(user="ana", said="[likes=tea]", at=NOW.astimezone(zone))
    await memory.settle(flush=True)
    [job] = await waiting(store)
    assert job.due_at == datetime(2026, 3, 2, 3, tzinfo=zone)
    for _ in range(2):
        await a_night(memory, clock, "America/Sao_Paulo")
        await memory.save(user="ana", said="hi", at=clock.now.astimezone(zone))
        due = {kind: [job.due_at for job in await waiting(store, kind)] for kind in FOLLOW_UPS}
        if clock.now.day == 2:
            assert due == {
                GARDEN: [datetime(2026, 3, 2, 3, 10, tzinfo=zone)],
                INSIGHT: [datetime(2026, 3, 2, 3, 20, tzinfo=zone)],
                WEEKLY: [datetime(2026, 3, 2, 3, 30, tzinfo=zone)],
                MONTHLY: [datetime(2026, 4, 1, 3, 40, tzinfo=zone)],
            }
        assert all(len(jobs) == 1 for jobs in due.values())


async def away(talk: Talk) -> None:
    raise MindUnavailableError("the model is away")


@pytest.mark.parametrize("space", [None, "club"])
async def test_a_night_after_a_day_nobody_could_read_leaves_a_record_that_says_so(
    memory: Memory, store: Store, clock: Clock, reader: NotationReader, space: str | None
) -> None:
    reader.on_digest = away
    for text in ("[likes=tea]", "[likes=rum]"):
        await memory.save(user="ana", said=text, space=space)
    clock.move(hours=1)
    await memory.settle()
    await a_night(memory, clock)
    [run] = await records(memory)
    assert (run.status, run.tally) == (RunStatus.FAILED, Tally())
    assert run.error == "2 messages could not be learnt from yet: the model is away"
    reader.on_digest = None
    clock.move(hours=12)
    await memory.settle()
    await a_night(memory, clock)
    _, second = await records(memory)
    assert (second.status, second.error, second.tally) == (RunStatus.COMPLETED, None, Tally(messages=2, created=2))


@pytest.mark.parametrize(("kind", "space"), [(FLUSH, None), (LEARN, None), (FLUSH, "club")])
async def test_by_hand_while_another_program_learns_is_refused_and_leaves_no_work(
    memory: Memory, store: Store, clock: Clock, kind: str, space: str | None
) -> None:
    await memory.save(user="ana", said="[likes=rum]", space=space)
    await store.hasten(FLUSH, now=clock.now)
    if kind == LEARN:
        mine = await store.claim([FLUSH], now=clock.now, lease=timedelta(minutes=1), limit=8)
        await duty_for(memory, FLUSH).run(mine)
    assert await store.claim([kind], now=clock.now, lease=timedelta(minutes=10), limit=8)
    with pytest.raises(BusyError, match="try again"):
        await memory.consolidate(user="ana")
    assert not [job for job in await waiting(store) if job.key is None]
    clock.move(minutes=11)
    run = await memory.consolidate(user="ana")
    assert run is not None
    assert run.tally == Tally(messages=1, created=1)


async def test_the_talk_is_read_again_in_batches_and_the_answers_are_on_record(
    thinker: Memory, clock: Clock, model: NotationNight
) -> None:
    await a_day(thinker, "[likes=tea]", "{goal=rest~}", "{likes=rum}", "hm", "{goal=sleep~}")
    assert await values(thinker) == {"tea"}
    await a_night(thinker, clock)
    assert [[message.text for message in talk.messages] for talk in model.read] == [
        ["[likes=tea]", "{goal=rest~}"],
        ["{likes=rum}", "hm"],
        ["{goal=sleep~}"],
    ]
    assert all(talk.speaker == "ana" for talk in model.read)
    assert await values(thinker) == {"tea", "rest", "rum", "sleep"}
    [run] = await records(thinker)
    assert run.status is RunStatus.COMPLETED
    assert run.tally == Tally(messages=5, created=4, inferences=2)
    assert (run.model_calls, run.input_tokens, run.output_tokens) == (3, 300, 30)
    assert run.raw == "<Wants to rest>\n<Likes rum>\n<Wants to sleep>"
    assert sum(use.calls for use in await thinker.usage(user="ana")) == 3
    [rum] = [item for item in await thinker.list(user="ana") if item.value == "rum"]
    assert [message.text for message in (await thinker.sources(rum.id, user="ana"))] == ["{likes=rum}"]
    assert rum.note_id is not None
    await a_night(thinker, clock)
    assert len(model.read) == 3


async def test_what_comes_while_the_night_reads_is_read_the_next_night(
    thinker: Memory, store: Store, clock: Clock, model: NotationNight
) -> None:
    async def meanwhile(_: Talk) -> None:
        model.on_reread = None
        await thinker.save(user="ana", said="[likes=tea] {likes=rum}")
        await store.hasten(FLUSH, now=clock.now)
        for kind in (FLUSH, LEARN):
            jobs = await store.claim([kind], now=clock.now, lease=timedelta(minutes=1), limit=8)
            await duty_for(thinker, kind).run(jobs)

    model.on_reread = meanwhile
    await a_day(thinker, "{likes=gin}")
    await a_night(thinker, clock)
    assert await values(thinker) == {"gin", "tea"}
    await a_night(thinker, clock)
    assert await values(thinker) == {"gin", "tea", "rum"}
    first, second = await records(thinker)
    assert (first.tally.messages, second.tally.messages) == (1, 1)


async def test_a_conversation_deleted_while_the_night_reads_is_not_read_on(
    thinker: Memory, store: Store, clock: Clock, model: NotationNight
) -> None:
    async def meanwhile(_: Talk) -> None:
        model.on_reread = None
        await thinker.delete_conversation("c1", user="ana")

    for number in range(4):
        await thinker.save(user="ana", said=f"{{likes=tea {number}}}", conversation="c1")
    await thinker.save(user="ana", said="{likes=rum}", conversation="c2")
    await thinker.settle(flush=True)
    model.on_reread = meanwhile
    await a_night(thinker, clock)
    assert await values(thinker) == {"tea 0", "tea 1", "rum"}
    [run] = await records(thinker)
    assert (run.status, run.tally.messages) == (RunStatus.COMPLETED, 5)
