"""What buffers promise: messages wait together until they are noted, and their flush waits with them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    NOW,
    STRANGERS,
    a_message,
    a_note,
    an_id,
    buffering,
    ids_of,
    minutes,
    puts,
)
from relembra.domain.jobs import FLUSH, Job, JobState
from relembra.domain.message import Message, Note, Role
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import ConflictError, StaleError
from relembra.store.port import (
    Buffer,
    EndBuffer,
    FinishJob,
    HideMessages,
    MessageFilter,
    Op,
    Put,
    PutMessage,
    Receipt,
    Store,
)

QUIET, WINDOW = minutes(10), minutes(60)
GENERAL = Place("guild", "general")
GUILD = shelf_of(ANA, GENERAL)


async def said(store: Store, message: Message, buffer_id: str | None = None, **changes: Any) -> Receipt:
    """Save a message the way it is saved: put and buffered at once, now when it was sent."""
    wanted = {"now": message.sent_at, "quiet": QUIET, "window": WINDOW} | changes
    return await store.apply(message.scope, [buffering(message, buffer_id, **wanted)])


def at(number: float, **changes: Any) -> Message:
    """A message sent so many minutes after NOW."""
    return a_message(sent_at=NOW + minutes(number), saved_at=NOW + minutes(number), **changes)


async def due(store: Store) -> dict[str, datetime]:
    return {job.id: job.due_at for job in await store.jobs()}


# ── taking ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_first_message_opens_a_buffer_and_leaves_its_flush(store: Store) -> None:
    message, id = at(0, place=Place(None, "mail")), an_id()
    receipt = await said(store, message, id)
    buffer = Buffer(
        id=id,
        scope=ANA,
        place=Place(None, "mail"),
        conversation="c1",
        opened_at=NOW,
        last_at=NOW,
        is_open=True,
        messages=(("ana", message.id),),
    )
    assert receipt.waiting == 1
    assert await store.find(ANA, Buffer, id) == buffer
    assert await store.buffers(ANA) == [buffer]
    flush = Job(id=id, scope=ANA, kind=FLUSH, payload={"buffer": id}, due_at=NOW + QUIET, created_at=NOW)
    assert await store.jobs() == [flush]
    assert (await store.verify()).problems == ()


async def test_the_next_message_goes_into_the_open_buffer_and_puts_its_flush_off(store: Store) -> None:
    first, second, id = at(0), at(5, role=Role.ASSISTANT, author="helper"), an_id()
    await said(store, first, id)
    receipt = await said(store, second)
    [buffer] = await store.buffers(ANA)
    assert buffer.messages == (("ana", first.id), ("ana", second.id))
    assert (buffer.opened_at, buffer.last_at) == (NOW, NOW + minutes(5))
    assert await due(store) == {id: NOW + minutes(15)}
    assert receipt.waiting == 1


async def test_an_exchange_is_taken_whole(store: Store) -> None:
    asked, answered = at(0), at(0, role=Role.ASSISTANT)
    ops: list[Op] = [buffering(asked), buffering(answered)]
    assert (await store.apply(ANA, ops)).waiting == 1
    [buffer] = await store.buffers(ANA)
    assert [id for _, id in buffer.messages] == ids_of([asked, answered])


async def test_messages_of_a_buffer_come_oldest_first(store: Store) -> None:
    late, early, twin = at(5), at(3), at(3)
    for message in (late, twin, early):
        await said(store, message, now=NOW + minutes(5))
    [buffer] = await store.buffers(ANA)
    assert [id for _, id in buffer.messages] == ids_of([early, twin, late])
    assert buffer.last_at == NOW + minutes(5)


async def test_buffers_are_told_apart_by_channel_and_conversation(store: Store) -> None:
    messages = [at(0), at(0, conversation="c2"), at(0, place=Place(None, "mail")), at(0, place=GENERAL)]
    messages += [at(0, place=Place("guild", "other")), at(0, place=Place("work", "general"))]
    for message in messages:
        assert (await said(store, message)).waiting == 1
    assert len(await store.buffers(ANA)) == 3
    assert len(await store.buffers(GUILD)) == 2
    assert len(await store.buffers(shelf_of(ANA, Place("work", "general")))) == 1


async def test_people_of_a_space_share_its_channels_buffers(store: Store) -> None:
    one, two = at(0, place=GENERAL), at(1, scope=BIA, author="bia", place=GENERAL)
    reply = at(2, scope=BIA, role=Role.ASSISTANT, place=GENERAL)
    id = an_id()
    assert (await said(store, one, id)).waiting == 1
    assert (await said(store, two)).waiting == 2
    assert (await said(store, reply)).waiting == 2
    buffer = await store.find(GUILD, Buffer, id)
    assert buffer is not None
    assert (buffer.scope, buffer.place) == (GUILD, GENERAL)
    assert buffer.messages == (("ana", one.id), ("bia", two.id), ("bia", reply.id))
    [job] = await store.jobs()
    assert (job.id, job.scope) == (id, GUILD)
    assert await store.buffers(ANA) == await store.buffers(BIA) == []
    assert await store.find(ANA, Buffer, id) is None


async def test_spaces_of_two_tenants_share_nothing(store: Store) -> None:
    for scope in (ANA, ANA_ELSEWHERE):
        assert (await said(store, at(0, scope=scope, place=GENERAL))).waiting == 1
    assert len(await store.buffers(GUILD)) == 1


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_private_buffer_is_the_persons_own(store: Store, stranger: Scope) -> None:
    id = an_id()
    await said(store, at(0), id)
    assert await store.find(stranger, Buffer, id) is None
    assert await store.buffers(stranger) == []
    assert (await said(store, at(0, scope=stranger))).waiting == 1
    with pytest.raises(ValueError):
        await store.apply(stranger, [buffering(at(0))])


async def test_a_message_known_already_is_not_taken(store: Store) -> None:
    first = at(0, external_id="x")
    await said(store, first)
    receipt = await said(store, at(1, external_id="x"))
    assert (receipt.known, receipt.waiting) == ((first,), 0)
    [buffer] = await store.buffers(ANA)
    assert buffer.messages == (("ana", first.id),)
    assert await due(store) == {buffer.id: NOW + QUIET}


async def test_a_hidden_message_still_waits(store: Store) -> None:
    await said(store, at(0))
    await store.apply(ANA, [HideMessages("c1", NOW)])
    assert len((await store.buffers(ANA))[0].messages) == 1


async def test_a_job_that_may_be_gone_stops_nothing(store: Store) -> None:
    await store.apply(ANA, [PutMessage(message := at(0)), FinishJob(an_id(), may_be_gone=True)])
    assert await store.get(ANA, Message, [message.id]) == [message]


async def test_a_save_that_fails_leaves_nothing_in_the_buffer(store: Store) -> None:
    id = an_id()
    await said(store, at(0, place=GENERAL), id)
    before = await store.buffers(GUILD), await store.jobs()
    message = at(90, place=GENERAL)
    with pytest.raises(ConflictError):
        await store.apply(ANA, [buffering(message, now=message.sent_at), FinishJob(an_id())])
    assert (await store.buffers(GUILD), await store.jobs()) == before
    assert (await store.page(ANA, MessageFilter())).rows != ()
    assert await store.get(ANA, Message, [message.id]) == []


# ── when another begins ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("sent", "is_taken"), [(10, True), (10.1, False), (-10, True), (-10.1, False)])
async def test_more_than_quiet_between_two_messages_ends_a_buffer(store: Store, sent: float, is_taken: bool) -> None:
    first, second, ids = at(0), at(sent), [an_id(), an_id()]
    await said(store, first, ids[0])
    receipt = await said(store, second, ids[1], now=NOW + minutes(12))
    one, *more = sorted(await store.buffers(ANA), key=lambda buffer: buffer.id)
    assert receipt.waiting == (2 if is_taken else 1)
    assert one.is_open is is_taken
    if is_taken:
        assert more == []
        assert await due(store) == {ids[0]: NOW + minutes(22)}
    else:
        assert [(buffer.id, buffer.is_open, buffer.messages) for buffer in more] == [
            (ids[1], True, (("ana", second.id),))
        ]
        assert await due(store) == {ids[0]: NOW + minutes(12), ids[1]: NOW + minutes(22)}


@pytest.mark.parametrize(("now", "is_taken"), [(59.9, True), (60, False)])
async def test_a_buffer_takes_messages_for_the_length_of_its_window(store: Store, now: float, is_taken: bool) -> None:
    await said(store, at(0))
    receipt = await said(store, at(1), now=NOW + minutes(now))
    assert receipt.waiting == (2 if is_taken else 1)


async def test_the_gap_is_measured_from_the_newest_message(store: Store) -> None:
    for sent in (0, 9, 1, 18):
        await said(store, at(sent), now=NOW + minutes(18))
    assert len(await store.buffers(ANA)) == 1


async def test_a_flush_under_way_is_not_moved(store: Store) -> None:
    id = an_id()
    await said(store, at(0), id)
    [running] = await store.claim([FLUSH], now=NOW + minutes(10), lease=minutes(5), limit=1)
    assert (await said(store, at(5))).waiting == 2
    assert await store.jobs() == [running]
    await said(store, at(70))
    assert running in await store.jobs()


async def test_an_id_taken_by_a_buffer_or_a_job_is_a_conflict(store: Store) -> None:
    id = an_id()
    await said(store, at(0), id)
    for scope in (ANA, BIA):
        message = at(0, scope=scope, conversation="c2")
        with pytest.raises(ConflictError):
            await said(store, message, id)
        assert await store.get(scope, Message, [message.id]) == []


# ── closing and dropping ──────────────────────────────────────────────────────────────────────────────────────────


async def test_a_closed_buffer_takes_no_more_and_stays_closed(store: Store) -> None:
    first, second = an_id(), an_id()
    await said(store, at(0), first)
    for _ in range(2):
        await store.apply(ANA, [EndBuffer(first)])
    assert (await said(store, at(1), second)).waiting == 1
    assert [(buffer.id, buffer.is_open) for buffer in await store.buffers(ANA)] == [(first, False), (second, True)]
    assert await due(store) == {first: NOW + QUIET, second: NOW + minutes(1) + QUIET}


async def test_closing_a_gone_or_a_strangers_buffer_does_nothing(store: Store) -> None:
    id = an_id()
    await said(store, at(0), id)
    await store.apply(ANA, [EndBuffer(an_id())])
    for stranger in STRANGERS:
        await store.apply(stranger, [EndBuffer(id)])
    assert [buffer.is_open for buffer in await store.buffers(ANA)] == [True]


async def test_a_dropped_buffer_goes_with_its_messages_and_they_stay(store: Store) -> None:
    message, id = at(0, place=GENERAL), an_id()
    await said(store, message, id)
    note = a_note(scope=GUILD, place=GENERAL, message_ids=(message.id,))
    await store.apply(GUILD, [EndBuffer(id), Put(note, None), EndBuffer(id, drop=True), FinishJob(id)])
    assert await store.buffers(GUILD) == []
    assert await store.jobs() == []
    assert await store.get(ANA, Message, [message.id]) == [message]
    assert await store.get(GUILD, Note, [note.id]) == [note]
    assert (await said(store, at(1, place=GENERAL), id)).waiting == 1


async def test_a_buffer_that_is_gone_cannot_be_dropped(store: Store) -> None:
    id, note = an_id(), a_note()
    await said(store, at(0), id)
    for scope in STRANGERS:
        with pytest.raises(ConflictError):
            await store.apply(scope, [EndBuffer(id, drop=True)])
    await store.apply(ANA, [EndBuffer(id, drop=True)])
    with pytest.raises(ConflictError):
        await store.apply(ANA, [*puts(note), EndBuffer(id, drop=True)])
    assert await store.get(ANA, Note, [note.id]) == []


async def test_a_buffer_dropped_as_noted_must_hold_exactly_these_messages(store: Store) -> None:
    one, two, id = at(0), at(1), an_id()
    for message in (one, two):
        await said(store, message, id)
    for wrong in ({one.id}, {one.id, two.id, an_id()}, set()):
        with pytest.raises(StaleError):
            await store.apply(ANA, [EndBuffer(id, drop=True, noted=frozenset(wrong))])
    assert len((await store.buffers(ANA))[0].messages) == 2
    await store.apply(ANA, [EndBuffer(id, drop=True, noted=frozenset({one.id, two.id}))])
    assert await store.buffers(ANA) == []


async def test_buffers_come_oldest_first(store: Store) -> None:
    ids = [an_id() for _ in range(3)]
    for id, minute in zip(ids, (2, 0, 1), strict=True):
        await said(store, at(minute, conversation=f"c{minute}"), id)
    assert [buffer.id for buffer in await store.buffers(ANA)] == [ids[1], ids[2], ids[0]]


async def test_an_open_buffer_without_its_flush_is_a_problem(store: Store) -> None:
    id = an_id()
    await said(store, at(0), id)
    assert (await store.verify()).problems == ()
    await store.apply(ANA, [FinishJob(id)])
    [problem] = (await store.verify()).problems
    assert id in problem
    await store.apply(ANA, [EndBuffer(id)])
    assert (await store.verify()).problems == ()


async def test_a_space_is_not_counted_among_people(store: Store) -> None:
    await said(store, at(0, place=GENERAL))
    assert (await store.stats()).people == 1
    assert (await store.stats(GUILD)).jobs == {JobState.WAITING: 1}
