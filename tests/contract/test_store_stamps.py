"""What stamps promise: a scope's number grows with all that changes something to be read of it, and nothing else."""

from __future__ import annotations

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
from relembra.domain.message import NoteKind
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import StaleError
from relembra.store.port import (
    Account,
    CountUse,
    EndBuffer,
    Expect,
    FinishJob,
    Forget,
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

KNOWN: dict[str, list[Op]] = {
    "an item": [Put(replace(ITEM, priority=9, version=2), 1)],
    "a note": [Put(replace(NOTE, summary="Other", version=2), 1)],
    "a case": puts(a_case()),
    "something unseen and something known": [Touch(Kind.ITEM, (ITEM.id,), NOW), *puts(an_item())],
}
ONLY_SAID: dict[str, list[Op]] = {
    "a message": [PutMessage(a_message())],
    "a conversation touched": [TouchConversation(a_conversation(updated_at=NOW + minutes(1)))],
    "a conversation put": [Put(replace(CHAT, updated_at=NOW + minutes(1), title="Other", version=2), 1)],
    "messages hidden": [HideMessages("c1", NOW)], "messages shown": [HideMessages("c1", NOW, undo=True)],
    "a working summary": puts(a_note(kind=NoteKind.SESSION)), "an entry of the trail": puts(an_entry()),
    "a view": [Put(a_view(), None)], "a buffer closed": [EndBuffer(BUFFER_ID)],
    "a buffer dropped": [EndBuffer(BUFFER_ID, drop=True)],
}  # fmt: skip
UNSEEN: dict[str, list[Op]] = {
    "nothing": [], "accesses": [Touch(Kind.ITEM, (ITEM.id,), NOW), Touch(Kind.NOTE, (NOTE.id,), NOW)],
    "vectors": [PutVectors(Kind.ITEM, ITEM.id, MODEL, (a_vector(1, 0),))], "terms": [IndexMessages((MESSAGE.id,))],
    "use": [CountUse(Use(task="digest", model="m", day=NOW.date(), calls=1, input_tokens=1, output_tokens=1))],
    "a job": puts(a_job()), "the end of a job": [FinishJob(JOB.id)],
    "the record of a night": puts(a_run(raw="something")), "a change due to be accounted for": [Account(due="k1")],
    "something accounted for": [Account((MESSAGE.id,), ("k1",))], "a job with a key": puts(a_job(key="k")),
    "an expectation": [Expect(held=("self", "residence", frozenset()))],
    "a message known already": [PutMessage(replace(MESSAGE, text="Other")), TouchConversation(CHAT)],
}  # fmt: skip


async def stamp_of(store: Store, scope: Scope) -> int:
    [stamp] = await store.stamps([scope])
    return stamp.said


async def with_all(store: Store) -> None:
    await kept(store, ITEM, NOTE, MESSAGE, CHAT, JOB)
    await store.apply(ANA, [buffering(BUFFERED, BUFFER_ID)])


async def test_what_a_reader_could_see_makes_it_grow_and_what_is_known_both_numbers(store: Store) -> None:
    await with_all(store)
    await kept(store, an_item(scope=BIA))
    for change, ops in {**KNOWN, **ONLY_SAID}.items():
        mine, theirs = await store.stamps([ANA, BIA])
        await store.apply(ANA, ops)
        after = await store.stamps([ANA, BIA])
        assert after[0].said > mine.said, change
        assert (after[0].known > mine.known) is (change in KNOWN), change
        assert after[1] == theirs, change


async def test_what_no_reader_sees_leaves_it(store: Store) -> None:
    await with_all(store)
    [before] = await store.stamps([ANA])
    for change, ops in UNSEEN.items():
        await store.apply(ANA, ops)
        assert await store.stamps([ANA]) == (before,), change
    with pytest.raises(StaleError):
        await store.apply(ANA, [Put(an_item(), None), Put(ITEM, 7)])
    assert await store.stamps([ANA]) == (before,)


async def test_the_queue_and_upkeep_leave_it(store: Store) -> None:
    await with_all(store)
    before = await stamp_of(store, ANA)
    [job, *_] = await store.claim(["index"], now=NOW, lease=minutes(1), limit=1)
    await store.give_back({job.id: job.attempts}, error="no", is_dead=True, is_counted=True)
    await store.retry(now=NOW)
    await store.drop_jobs(kind="index", state=JobState.WAITING)
    await store.drop_other_vectors("other")
    assert await stamp_of(store, ANA) == before


async def test_an_unknown_scope_is_at_zero_and_they_come_in_order(store: Store) -> None:
    await kept(store, an_item())
    unknown, known, again = await store.stamps([BIA, ANA, ANA])
    assert (unknown, known) == ((0, 0), again)
    assert known.said > 0
    assert await store.stamps([]) == ()


async def test_a_message_said_in_a_space_changes_what_waits_on_its_shelf(store: Store) -> None:
    message = a_message(place=GUILD)
    await kept(store, an_item(scope=BIA))
    before = await stamp_of(store, BIA)
    await store.apply(ANA, [buffering(message)])
    assert await stamp_of(store, SHELF) > 0
    assert await stamp_of(store, BIA) == before


@pytest.mark.parametrize("what", [ForgetConversation("c1"), ForgetPerson()])
async def test_forgetting_changes_the_stamps_of_all_who_lose_something(store: Store, what: Forget) -> None:
    cleo, dora = Scope("default", "cleo"), Scope("default", "dora")
    message = a_message(place=GUILD)
    note = a_note(scope=SHELF, place=GUILD, message_ids=(message.id,))
    await store.apply(ANA, [buffering(message)])
    await kept(store, note, an_item(scope=BIA, note_id=note.id), an_item(scope=dora))
    await store.apply(cleo, [Put(a_view(scope=cleo), None)])
    others = [SHELF, BIA, cleo, dora]
    before, [mine] = await store.stamps(others), await store.stamps([ANA])
    await store.forget(ANA, what)
    pairs = list(zip(await store.stamps(others), before, strict=True))
    assert [new.said > old.said for new, old in pairs] == [True, True, True, False]
    assert [new.known > old.known for new, old in pairs] == [True, True, True, False]
    assert await store.stamps([ANA]) != (mine,)


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


async def test_forgetting_an_item_changes_both_numbers_and_forgetting_nothing_neither(store: Store) -> None:
    item = an_item()
    await kept(store, item)
    [before] = await store.stamps([ANA])
    await store.forget(ANA, ForgetItem(NOTE.id))
    await store.forget(ANA, ForgetConversation("c9"))
    assert await store.stamps([ANA]) == (before,)
    await store.forget(ANA, ForgetItem(item.id))
    [after] = await store.stamps([ANA])
    assert min(after.said - before.said, after.known - before.known) > 0


async def test_nothing_is_left_of_a_forgotten_person_and_no_number_comes_again(store: Store) -> None:
    seen: list[int] = []
    for _ in range(3):
        for _ in range(3):
            await kept(store, an_item())
            seen.append(await stamp_of(store, ANA))
        await store.forget(ANA, ForgetPerson())
        assert await stamp_of(store, ANA) == 0
    assert seen == sorted(set(seen))
