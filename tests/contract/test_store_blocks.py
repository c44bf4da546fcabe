"""What the store promises of blocks, and of what waits that is blocked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from builders import ANA, ANA_ELSEWHERE, BIA, NOW, a_conversation, a_job, a_message, a_run, an_id, buffering, minutes
from relembra.domain.access import Block, BlockKind
from relembra.domain.jobs import LEARN, Job, JobState, Run, RunStatus
from relembra.domain.message import Message, Role
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import ConflictError, StaleError
from relembra.store.port import (
    EndBuffer,
    Enqueue,
    Expect,
    FinishJob,
    ForgetPerson,
    Put,
    PutMessage,
    Receipt,
    Store,
    TouchConversation,
    Unaccounted,
)

CLUB = Place("Clube", "general")
OTHER = Place("praça", "general")


def new_ids() -> Callable[[], str]:
    numbers = count(900)
    return lambda: an_id(next(numbers))


async def close(store: Store, kind: str, name: str, *, tenant: str = "default", at: int = 0) -> Block:
    since = NOW + minutes(at)
    return await store.block(tenant, BlockKind(kind), name, since=since, new_id=new_ids())


def a_block(kind: str, name: str, at: int = 0) -> Block:
    return Block(kind=BlockKind(kind), name=name, since=NOW + minutes(at))


async def say(store: Store, number: int, scope: Scope = ANA, place: Place | None = None, **parts: Any) -> Message:
    """Keep a message and let it wait in its buffer, whose number is the place's."""
    place = place or Place()
    parts = {"author": scope.user} | parts
    message = a_message(id=an_id(number), scope=scope, place=place, conversation=place.space or "direct", **parts)
    buffer = an_id(100 + number)
    await store.apply(scope, [buffering(message, buffer, quiet=minutes(25), window=minutes(120))])
    return message


async def buffered(store: Store, scope: Scope, place: Place | None = None) -> list[tuple[str, str]]:
    shelf = shelf_of(scope, place or Place())
    return [member for buffer in await store.buffers(shelf) for member in buffer.messages]


def learning(number: int, messages: list[Message], **parts: Any) -> Job:
    payload = {"note": an_id(50), "messages": [message.id for message in messages]}
    return a_job(id=an_id(number), scope=messages[0].scope, kind=LEARN, payload=payload, **parts)


# ── blocks ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_one_closed_before_stays_as_it_was(store: Store) -> None:
    assert await close(store, "person", "José") == a_block("person", "José")
    assert await close(store, "person", "JOSE", at=5) == a_block("person", "José")
    assert await store.blocks("default") == [a_block("person", "José")]


async def test_doors_are_listed_people_first_by_their_folded_names(store: Store) -> None:
    for kind, name in (("space", "a"), ("person", "Zé"), ("person", "ana"), ("space", "B"), ("person", "Ágata")):
        await close(store, kind, name)
    assert [block.name for block in await store.blocks("default")] == ["Ágata", "ana", "Zé", "a", "B"]
    assert await store.blocks("other") == []


async def test_opening_tells_whether_it_was_closed(store: Store) -> None:
    await close(store, "person", "José")
    await close(store, "person", "José", tenant="other")
    assert not await store.unblock("default", BlockKind.SPACE, "José")
    assert await store.unblock("default", BlockKind.PERSON, "jose")
    assert not await store.unblock("default", BlockKind.PERSON, "José")
    assert [await store.blocks("default"), len(await store.blocks("other"))] == [[], 1]


async def test_the_closed_among_some_are_found_by_their_folded_names(store: Store) -> None:
    await close(store, "person", "José")
    await close(store, "person", "eve")
    await close(store, "space", "Clube")
    found = await store.blocked("default", people=["JOSE", "ana", "clube"], space="clube")
    assert found == [a_block("person", "José"), a_block("space", "Clube")]
    assert await store.blocked("default", people=["ana"], space="eve") == []
    assert await store.blocked("default") == []
    assert await store.blocked("other", people=["José"], space="Clube") == []


async def test_forgetting_a_person_opens_no_door(store: Store) -> None:
    await say(store, 1)
    await close(store, "person", "ana")
    await store.forget(ANA, ForgetPerson())
    assert await store.blocks("default") == [a_block("person", "ana")]


async def test_spaces_are_those_somebody_has_a_conversation_in(store: Store) -> None:
    for scope, id, space in (
        (ANA, "1", "b"),
        (BIA, "1", "b"),
        (BIA, "2", "a"),
        (ANA, "2", None),
        (ANA_ELSEWHERE, "1", "c"),
    ):
        row = a_conversation(id=id, scope=scope, place=Place(space) if space else Place())
        await store.apply(scope, [TouchConversation(row)])
    assert [await store.spaces("default"), await store.spaces("other")] == [["a", "b"], ["c"]]
    await store.forget(BIA, ForgetPerson())
    assert await store.spaces("default") == ["b"]


# ── what is expected to be open ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("expected", "closed"),
    [
        (Expect(people=("ana", "Eve"), space="x"), BlockKind.PERSON),
        (Expect(people=("ana",), space="clube"), BlockKind.SPACE),
        (Expect(people=("eve",), space="clube"), BlockKind.PERSON),
        (Expect(people=("clube",), space="eve"), None),
        (Expect(), None),
    ],
)
async def test_nothing_is_applied_where_a_door_is_closed(
    store: Store, expected: Expect, closed: BlockKind | None
) -> None:
    await close(store, "person", "eve")
    await close(store, "space", "Clube")
    message = a_message()
    receipt = await store.apply(ANA, [PutMessage(message), expected])
    assert receipt == Receipt(blocked=closed)
    assert await store.get(ANA, Message, [message.id]) == ([] if closed else [message])
    assert (await store.stamps([ANA]) == ((0, 0),)) == (closed is not None)


# ── what waits ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_a_person_said_leaves_every_buffer_and_stays_said(store: Store) -> None:
    mine = [
        await say(store, 1),
        await say(store, 2, place=CLUB),
        await say(store, 3, role=Role.ASSISTANT, author="bot"),
    ]
    theirs = await say(store, 4, BIA, CLUB, sent_at=NOW + minutes(1))
    quoted = await say(store, 5, BIA, author="Aná")
    reply = await say(store, 6, BIA, role=Role.ASSISTANT, author="ana", sent_at=NOW + minutes(1))
    await close(store, "person", "ANA")
    assert await buffered(store, ANA) == []
    assert await buffered(store, ANA, CLUB) == [("bia", theirs.id)]
    assert await buffered(store, BIA) == [("bia", reply.id)]
    assert await store.get(ANA, Message, [row.id for row in mine]) == mine
    assert await store.get(BIA, Message, [quoted.id]) == [quoted]
    assert {job.scope for job in await store.jobs()} == {shelf_of(ANA, CLUB), BIA}
    assert (await store.verify()).problems == ()


async def test_what_was_said_in_a_space_leaves_its_buffers(store: Store) -> None:
    for number, (scope, place) in enumerate(
        [(ANA, CLUB), (BIA, CLUB), (ANA, OTHER), (ANA, Place()), (BIA, Place("clube"))]
    ):
        await say(store, number, scope, place)
    await close(store, "space", "CLUBE")
    assert [await buffered(store, ANA, place) for place in (CLUB, Place("clube"))] == [[], []]
    assert [len(await buffered(store, ANA, place)) for place in (OTHER, Place())] == [1, 1]
    assert (await store.verify()).problems == ()


async def test_another_tenants_buffers_are_left_alone(store: Store) -> None:
    await say(store, 1, ANA_ELSEWHERE)
    await close(store, "person", "ana")
    assert len(await buffered(store, ANA_ELSEWHERE)) == 1
    assert (await store.unaccounted(ANA_ELSEWHERE, limit=9)).buffered == (an_id(1),)


async def test_the_night_does_not_read_it_again(store: Store) -> None:
    await say(store, 1)
    await store.apply(BIA, [PutMessage(a_message(id=an_id(2), scope=BIA, author="ana"))])
    await store.apply(BIA, [PutMessage(a_message(id=an_id(3), scope=BIA, author="bia"))])
    await close(store, "person", "ana")
    assert await store.unaccounted(ANA, limit=9) == Unaccounted(messages=(), buffered=(), changes=())
    assert (await store.unaccounted(BIA, limit=9)).messages == (an_id(3),)


async def test_opening_brings_nothing_back(store: Store) -> None:
    await say(store, 1)
    await close(store, "person", "ana")
    assert await store.unblock("default", BlockKind.PERSON, "ana")
    assert await buffered(store, ANA) == []
    assert await store.unaccounted(ANA, limit=9) == Unaccounted(messages=(), buffered=(), changes=())


async def test_learning_goes_or_is_queued_again_without_it(store: Store) -> None:
    mine = a_message(id=an_id(1), scope=ANA, author="ana")
    own, quoted = (a_message(id=an_id(n), scope=BIA, author=who) for n, who in ((2, "bia"), (3, "ana")))
    other = a_message(id=an_id(4), scope=BIA, author="bia", place=CLUB)
    for row in (mine, own, quoted, other):
        await store.apply(row.scope, [PutMessage(row)])
    await store.apply(ANA, [Enqueue(learning(11, [mine]))])
    await store.apply(BIA, [Enqueue(learning(12, [own, quoted], error="x")), Enqueue(learning(13, [other]))])
    await close(store, "person", "ana")
    jobs = {tuple(job.payload["messages"]): job for job in await store.jobs()}
    assert set(jobs) == {(own.id,), (other.id,)}
    assert jobs[own.id,].id not in (an_id(11), an_id(12), an_id(13))
    assert (jobs[own.id,].error, jobs[own.id,].payload["note"], jobs[other.id,].id) == ("x", an_id(50), an_id(13))
    await close(store, "space", "clube")
    assert [job.payload["messages"] for job in await store.jobs()] == [[own.id]]


# ── work under way ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_note_under_way_finds_its_buffer_changed(store: Store) -> None:
    mine = await say(store, 1, place=CLUB)
    theirs = await say(store, 2, BIA, CLUB)
    alone = await say(store, 3)
    [shared], [own] = await store.buffers(shelf_of(ANA, CLUB)), await store.buffers(ANA)
    await close(store, "person", "ana")
    with pytest.raises(StaleError):
        await store.apply(shelf_of(ANA, CLUB), [EndBuffer(shared.id, drop=True, noted=frozenset({mine.id, theirs.id}))])
    with pytest.raises(ConflictError):
        await store.apply(ANA, [EndBuffer(own.id, drop=True, noted=frozenset({alone.id}))])


async def test_learning_under_way_finds_its_job_gone(store: Store) -> None:
    own, quoted = (a_message(id=an_id(n), scope=BIA, author=who) for n, who in ((2, "bia"), (3, "ana")))
    await store.apply(BIA, [PutMessage(own), PutMessage(quoted), Enqueue(learning(12, [own, quoted]))])
    [claimed] = await store.claim([LEARN], now=NOW, lease=minutes(10), limit=1)
    await close(store, "person", "ana")
    with pytest.raises(ConflictError):
        await store.apply(BIA, [FinishJob(claimed.id)])
    [left] = await store.jobs()
    assert (left.state, left.lease_until, left.payload["messages"]) == (JobState.WAITING, None, [own.id])


async def test_a_consolidation_under_way_finds_its_record_changed(store: Store) -> None:
    await store.apply(ANA, [PutMessage(a_message(id=an_id(1), scope=ANA, author="ana")), Put(a_run(id=an_id(7)), None)])
    await store.apply(BIA, [PutMessage(a_message(id=an_id(2), scope=BIA, author="bia"))])
    await store.apply(BIA, [Put(a_run(id=an_id(8), scope=BIA), None)])
    done = a_run(id=an_id(9), status=RunStatus.COMPLETED)
    await store.apply(ANA, [Put(done, None)])
    await close(store, "person", "ana")
    runs = [await store.find(scope, Run, an_id(n)) for scope, n in ((ANA, 7), (BIA, 8), (ANA, 9))]
    assert [run.version for run in runs if run is not None] == [2, 1, 1]
