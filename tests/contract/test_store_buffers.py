"""What waits: messages together until they are noted, what the night has to account for, and what a block lets go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import count
from typing import Any

import pytest

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    NOW,
    STRANGERS,
    a_conversation,
    a_job,
    a_message,
    a_note,
    a_run,
    an_id,
    buffering,
    ids_of,
    kept,
    minutes,
    puts,
)
from relembra.domain.access import Block, BlockKind
from relembra.domain.jobs import FLUSH, LEARN, Job, JobState, RunStatus
from relembra.domain.message import Message, Note, Role
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import ConflictError, StaleError
from relembra.store.port import (
    Account,
    Buffer,
    EndBuffer,
    Expect,
    FinishJob,
    ForgetPerson,
    HideMessages,
    Put,
    PutMessage,
    Receipt,
    RunFilter,
    Store,
    TouchConversation,
    Unaccounted,
)

QUIET, WINDOW = minutes(10), minutes(60)
GENERAL = Place("guild", "general")
GUILD = shelf_of(ANA, GENERAL)
NOTHING = Unaccounted((), (), ())


async def said(store: Store, message: Message, buffer_id: str | None = None, **changes: Any) -> Receipt:
    """Save a message the way it is saved: put and buffered at once, now when it was sent."""
    wanted = {"now": message.sent_at, "quiet": QUIET, "window": WINDOW} | changes
    return await store.apply(message.scope, [buffering(message, buffer_id, **wanted)])


def at(number: float, **changes: Any) -> Message:
    """A message sent so many minutes after NOW."""
    return a_message(sent_at=NOW + minutes(number), saved_at=NOW + minutes(number), **changes)


async def flushes(store: Store) -> dict[str, datetime]:
    return {job.id: job.due_at for job in await store.jobs()}


async def members(store: Store, shelf: Scope = ANA) -> list[list[tuple[str, str]]]:
    return [list(buffer.messages) for buffer in await store.buffers(shelf)]


# ── taking ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_first_message_opens_a_buffer_with_its_flush_and_the_next_puts_that_off(store: Store) -> None:
    mail, id = Place(None, "mail"), an_id()
    first, second = at(0, place=mail), at(5, place=mail, role=Role.ASSISTANT, author="helper")
    assert (await said(store, first, id)).waiting == 1
    parts: dict[str, Any] = {"place": mail, "conversation": "c1", "opened_at": NOW, "is_open": True}
    buffer = Buffer(id=id, scope=ANA, last_at=NOW, messages=(("ana", first.id),), **parts)
    assert await store.find(ANA, Buffer, id) == buffer
    assert await store.buffers(ANA) == [buffer]
    flush = Job(id=id, scope=ANA, kind=FLUSH, payload={"buffer": id}, due_at=NOW + QUIET, created_at=NOW)
    assert await store.jobs() == [flush]
    assert (await store.verify()).problems == ()
    assert (await said(store, second)).waiting == 1
    more = replace(buffer, last_at=NOW + minutes(5), messages=(*buffer.messages, ("ana", second.id)))
    assert await store.buffers(ANA) == [more]
    assert await flushes(store) == {id: NOW + minutes(15)}


async def test_an_exchange_is_taken_whole_and_messages_come_oldest_first(store: Store) -> None:
    late, early, twin = at(5), at(3, role=Role.ASSISTANT), at(3)
    assert (await store.apply(ANA, [buffering(late), buffering(early)])).waiting == 1
    await said(store, twin, now=NOW + minutes(5))
    assert await members(store) == [[("ana", one.id) for one in (early, twin, late)]]
    await store.apply(ANA, [HideMessages("c1", NOW)])  # hidden ones still wait
    assert len((await members(store))[0]) == 3


async def test_buffers_are_one_for_each_channel_and_conversation_of_a_shelf_oldest_first(store: Store) -> None:
    places = [Place(), Place(None, "mail"), GENERAL, Place("guild", "other"), Place("work", "general")]
    for number, place in enumerate(places):
        assert (await said(store, at(-number, place=place))).waiting == 1
    assert (await said(store, at(1, conversation="c2"))).waiting == 1
    assert [buffer.opened_at for buffer in await store.buffers(ANA)] == [NOW + minutes(n) for n in (-1, 0, 1)]
    assert [len(await store.buffers(shelf_of(ANA, place))) for place in places[2:]] == [2, 2, 1]
    assert (await said(store, at(0, scope=ANA_ELSEWHERE, place=GENERAL))).waiting == 1


async def test_people_of_a_space_share_its_channels_buffers_and_private_ones_are_their_own(store: Store) -> None:
    one, two = at(0, place=GENERAL), at(1, scope=BIA, author="bia", place=GENERAL)
    reply, id = at(2, scope=BIA, role=Role.ASSISTANT, place=GENERAL), an_id()
    assert [(await said(store, message, id)).waiting for message in (one, two, reply)] == [1, 2, 2]
    [buffer] = await store.buffers(GUILD)
    assert (buffer.id, buffer.scope, buffer.place) == (id, GUILD, GENERAL)
    assert buffer.messages == (("ana", one.id), ("bia", two.id), ("bia", reply.id))
    [job] = await store.jobs()
    assert (job.id, job.scope) == (id, GUILD)
    stats = await store.stats()
    assert (stats.people, (await store.stats(GUILD)).jobs) == (2, {JobState.WAITING: 1})
    own = an_id()
    await said(store, at(0), own)
    for stranger in STRANGERS:
        assert await store.find(stranger, Buffer, own) is None
        assert await store.find(stranger, Buffer, id) is None
        assert await store.buffers(stranger) == []
        with pytest.raises(ValueError):
            await store.apply(stranger, [buffering(at(0))])


async def test_a_message_known_already_or_a_save_that_fails_leaves_a_buffer_as_it_was(store: Store) -> None:
    first, late = at(0, external_id="x"), at(90)
    await said(store, first)
    before = await store.buffers(ANA), await store.jobs()
    receipt = await said(store, at(1, external_id="x"))
    assert (receipt.known, receipt.waiting) == ((first,), 0)
    with pytest.raises(ConflictError):
        await store.apply(ANA, [buffering(late, now=late.sent_at), FinishJob(an_id())])
    for scope in (ANA, BIA):  # an id taken by a buffer or a job
        message = at(0, scope=scope, conversation="c2")
        with pytest.raises(ConflictError):
            await said(store, message, before[0][0].id)
        assert await store.get(scope, Message, [message.id, late.id]) == []
    assert (await store.buffers(ANA), await store.jobs()) == before


# ── when another begins ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("sent", "is_taken"), [(10, True), (10.1, False), (-10, True), (-10.1, False)])
async def test_more_than_quiet_between_two_messages_ends_a_buffer(store: Store, sent: float, is_taken: bool) -> None:
    second, ids = at(sent), [an_id(), an_id()]
    await said(store, at(0), ids[0])
    receipt = await said(store, second, ids[1], now=NOW + minutes(12))
    assert receipt.waiting == (2 if is_taken else 1)
    one, *more = sorted(await store.buffers(ANA), key=lambda buffer: buffer.id)
    assert one.is_open is is_taken
    if is_taken:
        assert more == []
        assert await flushes(store) == {ids[0]: NOW + minutes(22)}
    else:
        assert [(buffer.id, buffer.is_open) for buffer in more] == [(ids[1], True)]
        assert more[0].messages == (("ana", second.id),)
        assert await flushes(store) == {ids[0]: NOW + minutes(12), ids[1]: NOW + minutes(22)}


async def test_a_buffer_takes_messages_for_its_window_and_the_gap_is_measured_from_the_newest(store: Store) -> None:
    for conversation, now, waiting in (("short", 59.9, 2), ("long", 60, 1)):
        await said(store, at(0, conversation=conversation))
        receipt = await said(store, at(1, conversation=conversation), now=NOW + minutes(now))
        assert receipt.waiting == waiting
    receipts = [await said(store, at(sent), now=NOW + minutes(18)) for sent in (0, 9, 1, 18)]
    assert [receipt.waiting for receipt in receipts] == [1, 2, 3, 4]


async def test_a_flush_under_way_is_not_moved(store: Store) -> None:
    await said(store, at(0))
    [running] = await store.claim([FLUSH], now=NOW + minutes(10), lease=minutes(5), limit=1)
    assert (await said(store, at(5))).waiting == 2
    assert await store.jobs() == [running]
    await said(store, at(70))
    assert running in await store.jobs()


# ── closing and dropping ──────────────────────────────────────────────────────────────────────────────────────────


async def test_a_closed_buffer_takes_no_more_and_only_its_shelf_closes_it(store: Store) -> None:
    first, second = an_id(), an_id()
    await said(store, at(0), first)
    await store.apply(ANA, [EndBuffer(an_id())])
    for stranger in STRANGERS:
        await store.apply(stranger, [EndBuffer(first)])
    assert [buffer.is_open for buffer in await store.buffers(ANA)] == [True]
    for _ in range(2):
        await store.apply(ANA, [EndBuffer(first)])
    assert (await said(store, at(1), second)).waiting == 1
    assert [(buffer.id, buffer.is_open) for buffer in await store.buffers(ANA)] == [(first, False), (second, True)]
    assert await flushes(store) == {first: NOW + QUIET, second: NOW + minutes(1) + QUIET}
    await store.apply(ANA, [FinishJob(first)])
    assert (await store.verify()).problems == ()
    await store.apply(ANA, [FinishJob(second)])
    [problem] = (await store.verify()).problems  # an open one without its flush
    assert second in problem


async def test_a_dropped_buffer_goes_and_its_messages_stay(store: Store) -> None:
    message, id = at(0, place=GENERAL), an_id()
    await said(store, message, id)
    note = a_note(scope=GUILD, place=GENERAL, message_ids=(message.id,))
    await store.apply(GUILD, [EndBuffer(id), Put(note, None), EndBuffer(id, drop=True), FinishJob(id)])
    assert (await store.buffers(GUILD), await store.jobs()) == ([], [])
    assert await store.get(ANA, Message, [message.id]) == [message]
    assert await store.get(GUILD, Note, [note.id]) == [note]
    other = a_note(scope=GUILD)
    for scope in (GUILD, *STRANGERS):
        with pytest.raises(ConflictError):
            await store.apply(scope, [*puts(replace(other, scope=scope)), EndBuffer(id, drop=True)])
        assert await store.get(scope, Note, [other.id]) == []
    assert (await said(store, at(1, place=GENERAL), id)).waiting == 1


async def test_a_buffer_dropped_as_noted_must_hold_exactly_these_messages(store: Store) -> None:
    one, two, id = at(0), at(1), an_id()
    for message in (one, two):
        await said(store, message, id)
    for wrong in ({one.id}, {one.id, two.id, an_id()}, set()):
        with pytest.raises(StaleError):
            await store.apply(ANA, [EndBuffer(id, drop=True, noted=frozenset(wrong))])
    assert len((await members(store))[0]) == 2
    await store.apply(ANA, [EndBuffer(id, drop=True, noted=frozenset({one.id, two.id}))])
    assert await store.buffers(ANA) == []


# ── what is due to be accounted for ───────────────────────────────────────────────────────────────────────────────


async def due(store: Store, scope: Scope = ANA, *, limit: int = 100) -> Unaccounted:
    return await store.unaccounted(scope, limit=limit)


async def test_a_new_message_of_a_person_is_due_in_the_order_of_ids(store: Store) -> None:
    messages = [a_message(id=an_id(number), sent_at=NOW - minutes(number)) for number in (3, 1, 2)]
    known = a_message(id=an_id(4), external_id="x")
    await kept(store, *messages, known, *(a_message(role=role) for role in Role if role is not Role.USER))
    assert await due(store) == Unaccounted(tuple(an_id(number) for number in (1, 2, 3, 4)), (), ())
    await store.apply(ANA, [Account((an_id(1), known.id, an_id(), "no id"))])
    await kept(store, replace(known, id=an_id(), text="Other"))  # known already
    assert (await due(store)).messages == (an_id(2), an_id(3))


async def test_messages_in_a_buffer_are_told_apart_until_they_are_noted(store: Store) -> None:
    id = an_id()
    mine, other = at(0, place=GENERAL), at(1)
    theirs, done = at(0, scope=BIA, author="bia", place=GENERAL), at(0, place=GENERAL)
    for message in (mine, theirs, done):
        await said(store, message, id)
    await kept(store, other, replace(mine, scope=ANA_ELSEWHERE))
    await store.apply(ANA, [Account((done.id,))])
    for _ in range(2):
        assert await due(store) == Unaccounted((other.id,), (mine.id,), ())
        assert await due(store, BIA) == Unaccounted((), (theirs.id,), ())
        await store.apply(GUILD, [EndBuffer(id)])
    assert await due(store, ANA_ELSEWHERE) == Unaccounted((mine.id,), (), ())
    await store.apply(GUILD, [EndBuffer(id, drop=True), FinishJob(id)])
    assert await due(store) == Unaccounted(tuple(sorted((mine.id, other.id))), (), ())


async def test_up_to_so_many_messages_not_in_a_buffer_are_told_and_so_many_changes(store: Store) -> None:
    buffered = [a_message(id=an_id(number)) for number in (1, 2, 3)]
    for message in buffered:
        await said(store, message)
    messages = [a_message(id=an_id(number)) for number in (4, 5, 6)]
    await store.apply(ANA, [*puts(*messages), *(Account(due=f"k{number}") for number in (3, 2, 1))])
    assert await due(store, limit=2) == Unaccounted((an_id(4), an_id(5)), tuple(ids_of(buffered)), ("k3", "k2"))
    assert await due(store, limit=0) == Unaccounted((), tuple(ids_of(buffered)), ())


async def test_changes_come_in_the_order_they_became_due_until_accounted_for(store: Store) -> None:
    assert (await store.stats(ANA)).people == 0
    await store.apply(ANA, [Account(due="k2"), Account(due="mudança"), Account(due="k3"), Account(due="k2")])
    assert (await store.stats(ANA)).people == 1  # who has only something due
    for stranger in STRANGERS:
        await store.apply(stranger, [Account(changes=("k2",))])
        assert await due(store, stranger) == NOTHING
    with pytest.raises(ConflictError):
        await store.apply(ANA, [*puts(a_message()), Account(("x",), ("k2",), due="k4"), FinishJob(an_id())])
    assert await due(store) == Unaccounted((), (), ("k2", "mudança", "k3"))
    for _ in range(2):
        await store.apply(ANA, [Account(changes=("k2", "mudança", "k9"))])
        assert (await due(store)).changes == ("k3",)
    await store.apply(ANA, [Account(due="k2")])
    assert (await due(store)).changes == ("k3", "k2")  # due again, it comes last
    assert (await store.verify()).problems == ()


# ── blocks ────────────────────────────────────────────────────────────────────────────────────────────────────────

CLUB = Place("Clube", "general")


def new_ids() -> Callable[[], str]:
    numbers = count(900)
    return lambda: an_id(next(numbers))


async def close(store: Store, kind: str, name: str, *, tenant: str = "default", at: int = 0) -> Block:
    return await store.block(tenant, BlockKind(kind), name, since=NOW + minutes(at), new_id=new_ids())


def a_block(kind: str, name: str) -> Block:
    return Block(kind=BlockKind(kind), name=name, since=NOW)


async def say(store: Store, number: int, scope: Scope = ANA, place: Place | None = None, **parts: Any) -> Message:
    """Keep a message and let it wait in its buffer."""
    place = place or Place()
    parts = {"author": scope.user, "conversation": place.space or "direct"} | parts
    message = a_message(id=an_id(number), scope=scope, place=place, **parts)
    await store.apply(scope, [buffering(message, an_id(100 + number))])
    return message


def learning(number: int, messages: list[Message], **parts: Any) -> Job:
    payload = {"note": an_id(50), "messages": ids_of(messages)}
    return a_job(id=an_id(number), scope=messages[0].scope, kind=LEARN, payload=payload, **parts)


async def test_blocks_are_listed_and_found_by_their_folded_names_people_first(store: Store) -> None:
    for kind, name in (("space", "a"), ("person", "Zé"), ("person", "ana"), ("space", "B"), ("person", "Ágata")):
        assert await close(store, kind, name) == a_block(kind, name)
    assert await close(store, "person", "ZE", at=5) == a_block("person", "Zé")  # it stays as it was
    await close(store, "person", "Zé", tenant="other")
    assert [block.name for block in await store.blocks("default")] == ["Ágata", "ana", "Zé", "a", "B"]
    found = await store.blocks("default", people=["ZE", "bia", "b", "AGATA"], space="b")
    assert found == [a_block("person", "Ágata"), a_block("person", "Zé"), a_block("space", "B")]
    assert await store.blocks("default", people=["bia"], space="ana") == await store.blocks("default", people=[]) == []
    assert await store.blocks("other", people=["ana"], space="b") == []
    await store.forget(ANA, ForgetPerson())  # lifts none
    lifted = [await store.unblock("default", BlockKind(kind), "ze") for kind in ("space", "person", "person")]
    assert lifted == [False, True, False]
    assert [len(await store.blocks(tenant)) for tenant in ("default", "other")] == [4, 1]


async def test_spaces_are_those_anybody_has_a_conversation_in(store: Store) -> None:
    talks = [(ANA, "1", "b"), (BIA, "1", "b"), (BIA, "2", "a"), (ANA, "2", None), (ANA_ELSEWHERE, "1", "c")]
    for scope, id, space in talks:
        row = a_conversation(id=id, scope=scope, place=Place(space) if space else Place())
        await store.apply(scope, [TouchConversation(row)])
    assert [await store.spaces("default"), await store.spaces("other")] == [["a", "b"], ["c"]]
    await store.forget(BIA, ForgetPerson())
    assert await store.spaces("default") == ["b"]


async def test_nothing_is_applied_where_somebody_expected_not_to_be_is_blocked(store: Store) -> None:
    await close(store, "person", "eve")
    await close(store, "space", "Clube")
    expected: list[tuple[Expect, BlockKind | None]] = [
        (Expect(people=("ana", "Eve"), space="x"), BlockKind.PERSON),
        (Expect(people=("ana",), space="clube"), BlockKind.SPACE),
        (Expect(people=("eve",), space="clube"), BlockKind.PERSON),
        (Expect(people=("clube",), space="eve"), None),
        (Expect(), None),
    ]
    for number, (op, closed) in enumerate(expected):
        scope = Scope("default", f"person {number}")
        message = a_message(scope=scope)
        assert await store.apply(scope, [PutMessage(message), op]) == Receipt(blocked=closed)
        assert await store.get(scope, Message, [message.id]) == ([] if closed else [message])
        assert (await store.stamps([scope]) == ((0, 0),)) == (closed is not None)


async def test_all_spaces_are_blocked_but_those_listed(store: Store) -> None:
    listed, waiting = await say(store, 1, place=CLUB), await say(store, 2, place=Place("other", "general"))
    private = await say(store, 3)
    await close(store, "space_on", "CLUBE")
    assert await store.blocks("default", space="other") == []
    block = await close(store, "spaces", "*")
    assert (block.kind, await store.blocks("default", space="clube")) == (BlockKind.SPACES, [])
    assert await store.blocks("default", space="other") == await store.blocks("default", space="*") == [block]
    assert await store.blocks("default", people=["ana"]) == await store.blocks("other", space="other") == []
    assert await members(store, shelf_of(ANA, CLUB)) == [[("ana", listed.id)]]
    assert await members(store, shelf_of(ANA, waiting.place)) == []
    assert await members(store) == [[("ana", private.id)]]
    closed = [
        (await store.apply(ANA, [PutMessage(a_message(id=an_id(10 + number))), Expect(space=space)])).blocked
        for number, space in enumerate(("clube", "other", None))
    ]
    assert closed == [None, BlockKind.SPACES, None]
    await close(store, "space", "clube")  # which is listed no more
    assert [one.kind for one in await store.blocks("default", space="clube")] == [BlockKind.SPACE, BlockKind.SPACES]
    assert await store.unblock("default", BlockKind.SPACES, "*")
    assert (await store.verify()).problems == ()


async def test_what_a_blocked_person_said_is_let_go_for_good_and_stays_said(store: Store) -> None:
    mine = [await say(store, 1), await say(store, 2, place=CLUB), await say(store, 3, role=Role.ASSISTANT, author="b")]
    theirs = await say(store, 4, BIA, CLUB, sent_at=NOW + minutes(1))
    quoted = await say(store, 5, BIA, author="Aná")
    reply = await say(store, 6, BIA, role=Role.ASSISTANT, author="ana", sent_at=NOW + minutes(1))
    elsewhere = await say(store, 7, ANA_ELSEWHERE)
    await kept(store, *(a_message(id=an_id(n), scope=BIA, author=who) for n, who in ((8, "ana"), (9, "bia"))))
    [own] = await store.buffers(ANA)
    await close(store, "person", "ANA")
    assert await members(store) == []
    assert await members(store, shelf_of(ANA, CLUB)) == [[("bia", theirs.id)]]
    assert await members(store, BIA) == [[("bia", reply.id)]]
    assert await members(store, ANA_ELSEWHERE) == [[("ana", elsewhere.id)]]
    assert await store.get(ANA, Message, ids_of(mine)) == mine
    assert await store.get(BIA, Message, [quoted.id]) == [quoted]
    assert {job.scope for job in await store.jobs()} == {shelf_of(ANA, CLUB), BIA, ANA_ELSEWHERE}
    assert (await store.verify()).problems == ()
    assert await store.unblock("default", BlockKind.PERSON, "ana")
    assert await due(store) == NOTHING  # nothing comes back, and the night does not read it again
    assert await due(store, BIA) == Unaccounted((an_id(9),), (theirs.id,), ())
    # Work under way finds its buffer gone or changed.
    with pytest.raises(ConflictError):
        await store.apply(ANA, [EndBuffer(own.id, drop=True, noted=frozenset({mine[0].id}))])
    [shared] = await store.buffers(shelf_of(ANA, CLUB))
    noted = frozenset({mine[1].id, theirs.id})
    with pytest.raises(StaleError):
        await store.apply(shelf_of(ANA, CLUB), [EndBuffer(shared.id, drop=True, noted=noted)])


async def test_what_was_said_in_a_blocked_space_leaves_its_buffers(store: Store) -> None:
    other = Place("praça", "general")
    places = [(ANA, CLUB), (BIA, CLUB), (ANA, other), (ANA, Place()), (BIA, Place("clube"))]
    for number, (scope, place) in enumerate(places):
        await say(store, number, scope, place)
    await close(store, "space", "CLUBE")
    waiting = [len(await store.buffers(shelf_of(ANA, place))) for place in (CLUB, Place("clube"), other, Place())]
    assert waiting == [0, 0, 1, 1]
    assert (await store.verify()).problems == ()


async def test_learning_goes_or_is_queued_again_without_what_is_blocked(store: Store) -> None:
    mine = a_message(id=an_id(1), scope=ANA, author="ana")
    own, quoted = (a_message(id=an_id(n), scope=BIA, author=who) for n, who in ((2, "bia"), (3, "ana")))
    other = a_message(id=an_id(4), scope=BIA, author="bia", place=CLUB)
    await kept(store, mine, own, quoted, other)
    await kept(store, learning(11, [mine]), learning(12, [own, quoted], error="x"), learning(13, [other]))
    runs = [a_run(id=an_id(7)), a_run(id=an_id(8), scope=BIA), a_run(id=an_id(9), status=RunStatus.COMPLETED)]
    await kept(store, *runs)
    claimed = await store.claim([LEARN], now=NOW, lease=minutes(10), limit=2, scopes=(BIA,))
    await close(store, "person", "ana")
    jobs = {tuple(job.payload["messages"]): job for job in await store.jobs()}
    assert set(jobs) == {(own.id,), (other.id,)}
    again = jobs[own.id,]
    assert (again.state, again.lease_until, again.error, again.payload["note"]) == (
        JobState.WAITING, None, "x", an_id(50)
    )  # fmt: skip
    assert again.id not in (an_id(11), an_id(12), an_id(13))
    assert jobs[other.id,] in claimed
    with pytest.raises(ConflictError):  # work under way finds its job gone, and a night its record changed
        await store.apply(BIA, [FinishJob(an_id(12))])
    versions = {run.id: run.version for run in (await store.page(None, RunFilter())).rows}
    assert versions == {an_id(7): 2, an_id(8): 2, an_id(9): 1}
    await close(store, "space", "clube")
    assert [job.payload["messages"] for job in await store.jobs()] == [[own.id]]
