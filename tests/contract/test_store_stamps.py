"""What stamps promise: a scope's number grows with all that changes something to be read of it, and nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest

from builders import (
    ANA,
    BIA,
    MODEL,
    NOW,
    a_case,
    a_conversation,
    a_job,
    a_message,
    a_note,
    a_run,
    a_vector,
    a_view,
    an_entry,
    an_id,
    an_item,
    buffering,
    kept,
    minutes,
    puts,
)
from relembra.domain.jobs import JobState
from relembra.domain.message import Message, NoteKind
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import StaleError
from relembra.store.port import (
    Account,
    CountUse,
    EndBuffer,
    Expect,
    FinishJob,
    ForgetConversation,
    ForgetItem,
    ForgetPerson,
    HideMessages,
    IndexMessages,
    Kind,
    Op,
    Put,
    PutMessage,
    PutVectors,
    Store,
    Touch,
    TouchConversation,
    Use,
    View,
)

ITEM, NOTE = an_item(), a_note()
MESSAGE = a_message(external_id="x")
CHAT = a_conversation()
JOB = a_job()
BUFFERED = a_message(conversation="c2")
BUFFER_ID = an_id()
GUILD = Place("guild", "general")
SHELF = shelf_of(ANA, GUILD)

SEEN: dict[str, list[Op]] = {
    "a message": [PutMessage(a_message())],
    "a conversation touched": [TouchConversation(a_conversation(updated_at=NOW + minutes(1)))],
    "a conversation put": [Put(replace(CHAT, title="Other", version=2), 1)],
    "messages hidden": [HideMessages("c1", NOW)],
    "messages shown": [HideMessages("c1", NOW, undo=True)],
    "an item": [Put(replace(ITEM, priority=9, version=2), 1)],
    "a note": [Put(replace(NOTE, summary="Other", version=2), 1)],
    "an entry of the trail": puts(an_entry()),
    "a case": puts(a_case()),
    "a view": [Put(a_view(), None)],
    "a buffer closed": [EndBuffer(BUFFER_ID)],
    "a buffer dropped": [EndBuffer(BUFFER_ID, drop=True)],
    "something unseen and something seen": [Touch(Kind.ITEM, (ITEM.id,), NOW), *puts(an_item())],
}
UNSEEN: dict[str, list[Op]] = {
    "nothing": [],
    "accesses": [Touch(Kind.ITEM, (ITEM.id,), NOW), Touch(Kind.NOTE, (NOTE.id,), NOW)],
    "vectors": [PutVectors(Kind.ITEM, ITEM.id, MODEL, (a_vector(1, 0),))],
    "terms": [IndexMessages((MESSAGE.id,))],
    "use": [CountUse(Use(task="digest", model="m", day=NOW.date(), calls=1, input_tokens=1, output_tokens=1))],
    "a job": puts(a_job()),
    "the end of a job": [FinishJob(JOB.id)],
    "the record of a night": puts(a_run(raw="something")),
    "a change due to be accounted for": [Account(due="k1")],
    "something accounted for": [Account((MESSAGE.id,), ("k1",))],
    "a job with a key": puts(a_job(key="k")),
    "an expectation": [Expect(held=("self", "residence", frozenset()))],
    "a message known already": [PutMessage(replace(MESSAGE, text="Other")), TouchConversation(CHAT)],
}


async def stamps_of(store: Store, scopes: Sequence[Scope]) -> list[int]:
    return [stamp.said for stamp in await store.stamps(scopes)]


async def stamp_of(store: Store, scope: Scope) -> int:
    [stamp] = await store.stamps([scope])
    return stamp.said


async def with_all(store: Store) -> None:
    await kept(store, ITEM, NOTE, MESSAGE, CHAT, JOB)
    await store.apply(ANA, [buffering(BUFFERED, BUFFER_ID)])


@pytest.mark.parametrize("change", SEEN)
async def test_what_a_reader_could_see_makes_it_grow(store: Store, change: str) -> None:
    await with_all(store)
    await kept(store, an_item(scope=BIA))
    before = await stamps_of(store, [ANA, BIA])
    await store.apply(ANA, SEEN[change])
    after = await stamps_of(store, [ANA, BIA])
    assert after[0] > before[0]
    assert after[1] == before[1]


async def test_what_no_reader_sees_leaves_it(store: Store) -> None:
    await with_all(store)
    before = await stamp_of(store, ANA)
    for change, ops in UNSEEN.items():
        await store.apply(ANA, ops)
        assert await stamp_of(store, ANA) == before, change


KNOWN: dict[str, list[Op]] = {
    "an item": [Put(replace(ITEM, priority=9, version=2), 1)],
    "a note": [Put(replace(NOTE, summary="Other", version=2), 1)],
    "a case": puts(a_case()),
}
ONLY_SAID: dict[str, list[Op]] = {
    "a message": [PutMessage(a_message())],
    "a working summary": puts(a_note(kind=NoteKind.SESSION)),
    "messages hidden": [HideMessages("c1", NOW)],
}


@pytest.mark.parametrize("change", KNOWN)
async def test_what_is_known_changes_both_numbers(store: Store, change: str) -> None:
    await with_all(store)
    [before] = await store.stamps([ANA])
    await store.apply(ANA, KNOWN[change])
    [after] = await store.stamps([ANA])
    assert after.said > before.said
    assert after.known > before.known


@pytest.mark.parametrize("change", ONLY_SAID)
async def test_what_was_only_said_leaves_what_is_known(store: Store, change: str) -> None:
    await with_all(store)
    [before] = await store.stamps([ANA])
    await store.apply(ANA, ONLY_SAID[change])
    [after] = await store.stamps([ANA])
    assert after.said > before.said
    assert after.known == before.known


async def test_forgetting_changes_both_numbers(store: Store) -> None:
    await with_all(store)
    [before] = await store.stamps([ANA])
    await store.forget(ANA, ForgetConversation("c1"))
    [after] = await store.stamps([ANA])
    assert after.said > before.said
    assert after.known > before.known


async def test_the_queue_and_upkeep_leave_it(store: Store) -> None:
    await with_all(store)
    before = await stamp_of(store, ANA)
    [job, *_] = await store.claim(["index"], now=NOW, lease=minutes(1), limit=1)
    await store.give_back({job.id: job.attempts}, error="no", is_dead=True, is_counted=True)
    await store.retry(now=NOW)
    await store.drop_jobs(kind="index", state=JobState.WAITING)
    await store.drop_other_vectors("other")
    assert await stamp_of(store, ANA) == before


async def test_what_fails_leaves_it(store: Store) -> None:
    await with_all(store)
    before = await stamp_of(store, ANA)
    with pytest.raises(StaleError):
        await store.apply(ANA, [Put(an_item(), None), Put(ITEM, 7)])
    assert await stamp_of(store, ANA) == before


async def test_an_unknown_scope_is_at_zero_and_they_come_in_order(store: Store) -> None:
    await kept(store, an_item())
    unknown, known, again = await stamps_of(store, [BIA, ANA, ANA])
    assert unknown == 0
    assert known == again > 0
    assert await store.stamps([]) == ()


async def test_a_message_said_in_a_space_changes_what_waits_on_its_shelf(store: Store) -> None:
    message = a_message(place=GUILD)
    await kept(store, an_item(scope=BIA))
    before = await stamp_of(store, BIA)
    await store.apply(ANA, [buffering(message)])
    assert await stamp_of(store, SHELF) > 0
    assert await stamp_of(store, BIA) == before


FORGETTING: dict[str, Callable[[Store, Message], Awaitable[object]]] = {
    "conversation": lambda store, message: store.forget(ANA, ForgetConversation(message.conversation)),
    "person": lambda store, _message: store.forget(ANA, ForgetPerson()),
}


@pytest.mark.parametrize("what", FORGETTING)
async def test_forgetting_changes_the_stamps_of_all_who_lose_something(store: Store, what: str) -> None:
    cleo, dora = Scope("default", "cleo"), Scope("default", "dora")
    message = a_message(place=GUILD)
    note = a_note(scope=SHELF, place=GUILD, message_ids=(message.id,))
    await store.apply(ANA, [buffering(message)])
    await kept(store, note, an_item(scope=BIA, note_id=note.id), an_item(scope=dora))
    await store.apply(cleo, [Put(a_view(scope=cleo), None)])
    others = [SHELF, BIA, cleo, dora]
    before, mine = await stamps_of(store, others), await stamp_of(store, ANA)
    await FORGETTING[what](store, message)
    grown = [new > old for new, old in zip(await stamps_of(store, others), before, strict=True)]
    assert grown == [True, True, True, False]
    assert await stamp_of(store, ANA) != mine


async def test_a_write_that_expects_a_stamp_is_refused_once_anything_changed_or_was_forgotten(store: Store) -> None:
    item, view = an_item(), a_view()
    await kept(store, item)
    [seen] = await store.stamps([ANA])
    await kept(store, an_item(scope=BIA), an_item())
    with pytest.raises(StaleError):
        await store.apply(ANA, [Put(view, None), Expect(stamp=seen)])
    [seen] = await store.stamps([ANA])
    await store.forget(ANA, ForgetItem(item.id))
    with pytest.raises(StaleError):
        await store.apply(ANA, [Expect(stamp=seen), Put(view, None)])
    assert await store.find(ANA, View, view.name) is None
    [seen] = await store.stamps([ANA])
    await store.apply(ANA, [Expect(stamp=seen), Put(view, None)])
    assert await store.find(ANA, View, view.name) == view
    [seen] = await store.stamps([ANA])
    await store.forget(ANA, ForgetPerson())
    with pytest.raises(StaleError):
        await store.apply(ANA, [Expect(stamp=seen), Put(view, None)])
    assert await store.find(ANA, View, view.name) is None


async def test_forgetting_an_item_changes_it_and_forgetting_nothing_does_not(store: Store) -> None:
    item = an_item()
    await kept(store, item)
    before = await stamp_of(store, ANA)
    await store.forget(ANA, ForgetItem(NOTE.id))
    await store.forget(ANA, ForgetConversation("c9"))
    assert await stamp_of(store, ANA) == before
    await store.forget(ANA, ForgetItem(item.id))
    assert await stamp_of(store, ANA) > before


async def test_nothing_is_left_of_a_forgotten_person_and_no_number_comes_again(store: Store) -> None:
    seen: list[int] = []
    for _ in range(3):
        for _ in range(3):
            await kept(store, an_item())
            seen.append(await stamp_of(store, ANA))
        await store.forget(ANA, ForgetPerson())
        assert await stamp_of(store, ANA) == 0
    assert seen == sorted(set(seen))
