"""What forgetting promises beyond one person's rows: buffers, spaces' notes, cases, views and counts of use."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    MODEL,
    NOW,
    a_case,
    a_conversation,
    a_job,
    a_message,
    a_night,
    a_note,
    a_run,
    a_vector,
    a_view,
    an_entry,
    an_id,
    an_item,
    buffering,
    ids_of,
    kept,
    minutes,
)
from relembra.domain.audit import Target
from relembra.domain.case import Case
from relembra.domain.jobs import LEARN, Run, RunStatus
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import StaleError
from relembra.store.port import (
    Account,
    Buffer,
    CaseFilter,
    CountUse,
    EndBuffer,
    ForgetConversation,
    ForgetItem,
    ForgetPerson,
    Gone,
    Kind,
    NoteFilter,
    Put,
    PutVectors,
    RunFilter,
    Store,
    Unaccounted,
    Use,
    View,
)

GENERAL = Place("guild", "general")
GUILD = shelf_of(ANA, GENERAL)
CAROL = Scope("default", "carol")

WAYS = ["conversation", "person"]


async def forget(store: Store, way: str, scope: Scope = ANA, conversation: str = "c1") -> Gone:
    if way == "person":
        return await store.forget(scope, ForgetPerson())
    return await store.forget(scope, ForgetConversation(conversation))


async def said(store: Store, message: Message, buffer_id: str | None = None) -> Message:
    await store.apply(message.scope, [buffering(message, buffer_id)])
    return message


def spoken(scope: Scope, **changes: Any) -> Message:
    return a_message(**{"scope": scope, "author": scope.user, "place": GENERAL, "conversation": "c1"} | changes)


# ── buffers ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("way", WAYS)
async def test_a_buffer_left_without_messages_goes_with_its_job(store: Store, way: str) -> None:
    await said(store, a_message())
    await said(store, spoken(ANA))
    gone = await forget(store, way)
    assert gone.counts["jobs"] == 2
    assert await store.buffers(ANA) == await store.buffers(GUILD) == []
    assert await store.jobs() == []
    assert (await store.verify()).problems == ()


@pytest.mark.parametrize("way", WAYS)
async def test_a_persons_messages_are_taken_out_of_a_spaces_buffer(store: Store, way: str) -> None:
    id = an_id()
    mine, theirs = await said(store, spoken(ANA), id), await said(store, spoken(BIA))
    mine_later = await said(store, spoken(ANA))
    await forget(store, way)
    buffer = await store.find(GUILD, Buffer, id)
    assert buffer is not None
    assert buffer.messages == (("bia", theirs.id),)
    assert ids_of(await store.jobs()) == [id]
    assert await store.get(ANA, Message, [mine.id, mine_later.id]) == []
    assert (await store.verify()).problems == ()
    more = spoken(BIA)
    assert (await store.apply(BIA, [buffering(more)])).waiting == 2


async def test_messages_of_another_conversation_stay_in_their_buffers(store: Store) -> None:
    await said(store, a_message())
    kept_one = await said(store, a_message(conversation="c2"))
    await store.forget(ANA, ForgetConversation("c1"))
    assert [buffer.messages for buffer in await store.buffers(ANA)] == [(("ana", kept_one.id),)]
    assert len(await store.jobs()) == 1


async def test_a_note_written_while_somebody_was_forgotten_is_refused(store: Store) -> None:
    id = an_id()
    mine, theirs = await said(store, spoken(ANA), id), await said(store, spoken(BIA))
    await store.apply(GUILD, [EndBuffer(id)])
    note = a_note(scope=GUILD, place=GENERAL, message_ids=(mine.id, theirs.id))
    await store.forget(ANA, ForgetPerson())
    with pytest.raises(StaleError):
        await store.apply(GUILD, [Put(note, None), EndBuffer(id, drop=True, noted=frozenset(note.message_ids))])
    assert await store.get(GUILD, Note, [note.id]) == []


# ── notes of spaces ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("way", WAYS)
async def test_notes_of_a_space_made_of_forgotten_messages_go(store: Store, way: str) -> None:
    mine, theirs = spoken(ANA), spoken(BIA)
    note = a_note(scope=GUILD, place=GENERAL, message_ids=(mine.id, theirs.id), summary="a xylophone was stolen")
    week = a_note(scope=GUILD, place=GENERAL, note_ids=(note.id,))
    other = a_note(scope=GUILD, place=GENERAL, message_ids=(theirs.id,))
    own = an_entry(scope=GUILD, target=Target.NOTE, target_id=note.id, after={"title": note.title})
    copied = an_entry(
        scope=GUILD, target=Target.NOTE, target_id=other.id, before={"summary": note.summary, "note_ids": [note.id]}
    )
    jobs = [a_job(scope=GUILD, payload={"kind": "note", "ids": ids}) for ids in ([note.id], [note.id, other.id])]
    await kept(store, mine, theirs, note, week, other, own, copied, *jobs)
    await store.apply(GUILD, [PutVectors(Kind.NOTE, row.id, MODEL, (a_vector(1, 0),)) for row in (note, other)])

    gone = await forget(store, way)

    places = ("messages", "notes", "vectors", "audit", "jobs")
    assert {place: gone.counts[place] for place in places} == {
        "messages": 1,
        "notes": 2,
        "vectors": 1,
        "audit": 1,
        "jobs": 1,
    }
    assert gone.counts["terms"] > 0
    assert (await store.page(GUILD, NoteFilter())).rows == (other,)
    assert await store.trail(GUILD, Target.NOTE, other.id) == [
        replace(copied, before={"summary": None, "note_ids": []})
    ]
    assert await store.jobs() == [replace(jobs[1], payload={"kind": "note", "ids": [other.id]})]
    assert await store.get(BIA, Message, [theirs.id]) == [theirs]
    assert (await store.verify()).problems == ()


async def test_a_spaces_notes_of_other_messages_other_spaces_and_other_tenants_stay(store: Store) -> None:
    mine = spoken(ANA)
    there = Scope("other", GUILD.user)
    notes = [
        a_note(scope=GUILD, message_ids=(an_id(),)),
        a_note(scope=shelf_of(ANA, Place("work")), message_ids=(an_id(),)),
        a_note(scope=there, message_ids=(mine.id,)),
    ]
    await kept(store, mine, *notes)
    await store.forget(ANA, ForgetPerson())
    for note in notes:
        assert await store.get(note.scope, Note, [note.id]) == [note]


@pytest.mark.parametrize("way", WAYS)
async def test_items_of_others_lose_the_note_and_nothing_else(store: Store, way: str) -> None:
    mine, theirs = spoken(ANA), spoken(BIA)
    note = a_note(scope=GUILD, place=GENERAL, message_ids=(mine.id, theirs.id))
    item = an_item(scope=BIA, note_id=note.id, message_ids=(theirs.id,), evidence="I said so myself", version=3)
    from_note = an_item(scope=BIA, note_id=note.id)
    untouched = an_item(scope=BIA, note_id=an_id())
    entry = an_entry(scope=BIA, target_id=item.id, after={"note_id": note.id, "message_ids": [theirs.id]})
    elsewhere = an_item(scope=ANA_ELSEWHERE, note_id=note.id)
    await kept(store, mine, theirs, note, item, from_note, untouched, entry, elsewhere)
    gone = await forget(store, way)
    assert gone.counts["pointers"] == 2
    assert gone.counts["items"] == 0
    assert await store.get(BIA, KnowledgeItem, ids_of([item, from_note, untouched])) == [
        replace(item, note_id=None),
        replace(from_note, note_id=None),
        untouched,
    ]
    assert await store.trail(BIA, Target.ITEM, item.id) == [
        replace(entry, after={"note_id": None, "message_ids": [theirs.id]})
    ]
    assert await store.get(ANA_ELSEWHERE, KnowledgeItem, [elsewhere.id]) == [elsewhere]


async def test_own_items_learnt_from_a_spaces_note_and_nothing_else_go(store: Store) -> None:
    mine, other = spoken(ANA), spoken(ANA, conversation="c2")
    note = a_note(scope=GUILD, message_ids=(mine.id,))
    alone = an_item(note_id=note.id, message_ids=(mine.id,))
    twice = an_item(note_id=note.id, message_ids=(mine.id, other.id), evidence="heard twice")
    digest = a_note(note_ids=(note.id,))
    await kept(store, mine, other, note, alone, twice, digest)
    await store.forget(ANA, ForgetConversation("c1"))
    assert await store.get(ANA, KnowledgeItem, ids_of([alone, twice])) == [
        replace(twice, note_id=None, message_ids=(other.id,), evidence=None)
    ]
    assert await store.get(ANA, Note, [digest.id]) == []


async def test_work_left_for_others_goes_on_without_the_note(store: Store) -> None:
    mine, theirs = spoken(ANA), spoken(BIA)
    note = a_note(scope=GUILD, message_ids=(mine.id, theirs.id))
    jobs = [
        a_job(scope=row.scope, kind=LEARN, payload={"note": note.id, "messages": [row.id]}) for row in (mine, theirs)
    ]
    await kept(store, mine, theirs, note, *jobs)
    gone = await store.forget(ANA, ForgetConversation("c1"))
    assert gone.counts["jobs"] == 1
    assert await store.jobs() == [replace(jobs[1], payload={"note": None, "messages": [theirs.id]})]


async def test_forgetting_a_space_leaves_its_notes_named_nowhere(store: Store) -> None:
    theirs = spoken(BIA)
    note = a_note(scope=GUILD, message_ids=(theirs.id,))
    item = an_item(scope=BIA, note_id=note.id, message_ids=(theirs.id,))
    await kept(store, theirs, note, item)
    await said(store, spoken(ANA))
    gone = await store.forget(GUILD, ForgetPerson())
    assert (gone.counts["notes"], gone.counts["pointers"], gone.counts["jobs"]) == (1, 1, 1)
    assert await store.get(BIA, KnowledgeItem, [item.id]) == [replace(item, note_id=None)]
    assert await store.get(BIA, Message, [theirs.id]) == [theirs]
    assert await store.buffers(GUILD) == []
    assert (await store.verify()).problems == ()


# ── cases, views, use ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_cases_go_with_either_side(store: Store) -> None:
    gone, stays = an_item(), an_item()
    cases = [a_case(old_id=gone.id), a_case(new_id=gone.id), a_case(old_id=stays.id)]
    theirs = a_case(scope=BIA, old_id=gone.id)
    await kept(store, gone, stays, *cases, theirs)
    receipt = await store.forget(ANA, ForgetItem(gone.id))
    assert receipt.counts["cases"] == 2
    assert await store.get(ANA, Case, ids_of(cases)) == [cases[2]]
    assert await store.get(BIA, Case, [theirs.id]) == [theirs]


async def test_a_forgotten_conversation_takes_the_cases_of_items_that_went(store: Store) -> None:
    message = a_message()
    learnt, stays = an_item(message_ids=(message.id,)), an_item()
    case, other = a_case(old_id=stays.id, new_id=learnt.id), a_case(old_id=stays.id)
    await kept(store, message, learnt, stays, case, other)
    assert (await store.forget(ANA, ForgetConversation("c1"))).counts["cases"] == 1
    assert await store.get(ANA, Case, ids_of([case, other])) == [other]


@pytest.mark.parametrize("way", ["item", "conversation"])
async def test_views_are_to_be_made_anew_at_the_same_version_once_something_is_forgotten(
    store: Store, way: str
) -> None:
    item = an_item()
    views = [a_view(version=4), a_view(name="week"), a_view(scope=BIA), a_view(scope=ANA_ELSEWHERE)]
    await kept(store, item, a_message(), a_conversation())
    for view in views:
        await store.apply(view.scope, [Put(view, None)])
    await store.forget(ANA, ForgetItem(an_id()))
    assert await store.find(ANA, View, "profile") == views[0]
    await (store.forget(ANA, ForgetItem(item.id)) if way == "item" else store.forget(ANA, ForgetConversation("c1")))
    assert await store.find(ANA, View, "profile") == replace(views[0], body=None)
    assert await store.find(ANA, View, "week") == replace(views[1], body=None)
    for theirs in views[2:]:
        assert await store.find(theirs.scope, View, "profile") == theirs


@pytest.mark.parametrize("way", WAYS)
async def test_views_that_may_quote_a_spaces_note_are_to_be_made_anew(store: Store, way: str) -> None:
    mine = spoken(ANA)
    await kept(store, mine, a_note(scope=GUILD, message_ids=(mine.id,)))
    for scope in (BIA, CAROL, GUILD, ANA_ELSEWHERE):
        await store.apply(scope, [Put(a_view(scope=scope), None)])
    await forget(store, way)
    for scope in (BIA, CAROL, GUILD):
        assert await store.find(scope, View, "profile") == a_view(scope=scope, body=None)
    assert await store.find(ANA_ELSEWHERE, View, "profile") == a_view(scope=ANA_ELSEWHERE)


async def test_a_forgotten_person_leaves_no_cases_views_or_use(store: Store) -> None:
    for scope in (ANA, BIA):
        await kept(store, a_case(scope=scope))
        counted = CountUse(Use(task="digest", model="m", day=NOW.date(), calls=1, input_tokens=5, output_tokens=1))
        await store.apply(scope, [Put(a_view(scope=scope), None), counted])
    gone = await store.forget(ANA, ForgetPerson())
    assert (gone.counts["cases"], gone.total) == (1, 1)
    assert (await store.page(ANA, CaseFilter())).rows == ()
    assert await store.find(ANA, View, "profile") is None
    assert await store.usage(ANA) == []
    assert (await store.stats(ANA)).people == 0
    assert await store.find(BIA, View, "profile") == a_view(scope=BIA)
    assert len((await store.page(BIA, CaseFilter())).rows) == 1
    assert [use.calls for use in await store.usage()] == [1]


async def test_who_talks_on_after_somebody_was_forgotten_opens_a_new_buffer(store: Store) -> None:
    await said(store, spoken(ANA, text="my xylophone"))
    await store.forget(ANA, ForgetPerson())
    id = an_id()
    message = spoken(BIA, sent_at=NOW + minutes(1))
    receipt = await store.apply(BIA, [buffering(message, id)])
    assert receipt.waiting == 1
    assert [buffer.id for buffer in await store.buffers(GUILD)] == [id]


# ── the records of nights, and what is due to be accounted for ────────────────────────────────────────────────────


@pytest.mark.parametrize("what", ["item", "conversation"])
async def test_records_lose_what_a_model_answered_once_something_is_forgotten(store: Store, what: str) -> None:
    item, message = an_item(), a_message()
    told = a_run(raw="Ana works with glass.", error="busy", changes=("k1",), status=RunStatus.COMPLETED, version=3)
    silent, theirs, elsewhere = a_run(), a_run(scope=BIA, raw="glass"), a_run(scope=ANA_ELSEWHERE, raw="glass")
    await kept(store, item, message, told, replace(silent, status=RunStatus.FAILED), theirs, elsewhere)
    await (store.forget(ANA, ForgetItem(item.id)) if what == "item" else store.forget(ANA, ForgetConversation("c1")))
    assert await store.find(ANA, Run, told.id) == replace(told, raw=None)
    assert await store.find(ANA, Run, silent.id) == replace(silent, status=RunStatus.FAILED)
    assert await store.find(BIA, Run, theirs.id) == theirs
    assert await store.find(ANA_ELSEWHERE, Run, elsewhere.id) == elsewhere


async def test_records_stay_as_they_are_when_nothing_was_forgotten(store: Store) -> None:
    run = a_run(raw="Ana works with glass.")
    await kept(store, run)
    await store.forget(ANA, ForgetItem(an_id()))
    await store.forget(ANA, ForgetConversation("c1"))
    assert await store.find(ANA, Run, run.id) == run


@pytest.mark.parametrize("raw", [None, "Ana works with glass."])
async def test_work_under_way_writes_nothing_it_read_before_something_was_forgotten(
    store: Store, raw: str | None
) -> None:
    item, run = an_item(), a_run(raw=raw)
    await kept(store, item, run)
    await store.forget(ANA, ForgetItem(item.id))
    assert await store.find(ANA, Run, run.id) == replace(run, raw=None, version=2)
    with pytest.raises(StaleError):
        await store.apply(ANA, [Put(replace(run, raw="Ana works with glass.", version=2), 1)])


@pytest.mark.parametrize("way", WAYS)
async def test_records_that_may_quote_a_spaces_note_lose_what_a_model_answered(store: Store, way: str) -> None:
    message = await said(store, spoken(ANA))
    runs = [a_run(scope=scope, raw="glass", status=RunStatus.COMPLETED) for scope in (ANA, BIA, GUILD)]
    running, elsewhere = a_run(scope=BIA, raw="glass"), a_run(scope=ANA_ELSEWHERE, raw="glass")
    await kept(store, a_note(scope=GUILD, place=GENERAL, message_ids=(message.id,)), *runs, running, elsewhere)
    await forget(store, way)
    assert [await store.find(run.scope, Run, run.id) for run in runs[1:]] == [
        replace(run, raw=None) for run in runs[1:]
    ]
    assert await store.find(ANA, Run, runs[0].id) == (None if way == "person" else replace(runs[0], raw=None))
    assert await store.find(BIA, Run, running.id) == replace(running, raw=None, version=2)
    assert await store.find(ANA_ELSEWHERE, Run, elsewhere.id) == elsewhere


async def test_own_work_under_way_is_raised_by_one_version_though_a_spaces_note_went_as_well(store: Store) -> None:
    message = await said(store, spoken(ANA))
    run = a_run(raw="glass")
    await kept(store, a_note(scope=GUILD, place=GENERAL, message_ids=(message.id,)), run)
    await forget(store, "conversation")
    assert await store.find(ANA, Run, run.id) == replace(run, raw=None, version=2)


async def test_a_record_goes_with_the_last_entry_of_what_it_changed(store: Store) -> None:
    first, second, other = an_item(), an_item(), an_item()
    run = a_run(changes=("k1", "k2"), night=a_night(1), status=RunStatus.COMPLETED, raw="glass")
    kinds = [replace(a_run(changes=("k1",)), status=status) for status in RunStatus if status is not RunStatus.RUNNING]
    await kept(
        store,
        first,
        second,
        other,
        an_entry(target_id=first.id, change="k1"),
        an_entry(target_id=second.id, change="k2"),
        an_entry(target_id=other.id, change="k3"),
        an_entry(target_id=first.id, scope=BIA, change="k1"),
        run,
        *kinds,
        a_run(scope=BIA, changes=("k1",), status=RunStatus.COMPLETED),
    )
    await store.forget(ANA, ForgetItem(first.id))
    assert (await store.page(ANA, RunFilter())).rows == (replace(run, raw=None),)
    await store.forget(ANA, ForgetItem(other.id))
    assert (await store.page(ANA, RunFilter())).rows == (replace(run, raw=None),)
    await store.forget(ANA, ForgetItem(second.id))
    assert (await store.page(ANA, RunFilter())).rows == ()
    assert (await store.page(ANA, RunFilter(night=a_night(1)))).rows == ()
    assert len((await store.page(BIA, RunFilter())).rows) == 1
    await kept(store, a_run(night=a_night(1)))


async def test_a_change_with_an_entry_left_keeps_its_record(store: Store) -> None:
    gone, stays = an_item(), an_item()
    run = a_run(changes=("k1", "k2"), status=RunStatus.COMPLETED)
    entries = [an_entry(target_id=item.id, change="k1") for item in (gone, stays)]
    await kept(store, gone, stays, *entries, run)
    await store.forget(ANA, ForgetItem(gone.id))
    assert await store.find(ANA, Run, run.id) == run


async def test_records_of_nights_that_changed_nothing_stay_when_something_is_forgotten(store: Store) -> None:
    item = an_item()
    run = a_run(status=RunStatus.COMPLETED, night=a_night(1))
    await kept(store, item, an_entry(target_id=item.id, change="k1"), run)
    await store.forget(ANA, ForgetItem(item.id))
    assert await store.find(ANA, Run, run.id) == run


async def test_a_record_of_work_under_way_stays_without_any_entry_of_its_changes(store: Store) -> None:
    item, run = an_item(), a_run(changes=("k1",), raw="glass")
    await kept(store, item, an_entry(target_id=item.id, change="k1"), run)
    await store.forget(ANA, ForgetItem(item.id))
    assert await store.find(ANA, Run, run.id) == replace(run, raw=None, version=2)


async def test_a_record_goes_with_the_conversation_whose_notes_it_wrote(store: Store) -> None:
    message = a_message()
    note, item = a_note(message_ids=(message.id,)), an_item(message_ids=(message.id,))
    runs = [a_run(changes=(change,), status=RunStatus.COMPLETED) for change in ("k1", "k2", "k3")]
    await kept(
        store,
        message,
        note,
        item,
        an_entry(target=Target.NOTE, target_id=note.id, change="k1"),
        an_entry(target_id=item.id, change="k2"),
        an_entry(target=Target.CONVERSATION, target_id="c1", change="k3"),
        *runs,
    )
    await store.forget(ANA, ForgetConversation("c1"))
    assert (await store.page(ANA, RunFilter())).rows == ()
    assert (await store.verify()).problems == ()


async def test_a_spaces_record_goes_with_the_notes_it_wrote(store: Store) -> None:
    message, theirs = await said(store, spoken(ANA)), await said(store, spoken(BIA))
    notes = [a_note(scope=GUILD, place=GENERAL, message_ids=(row.id,)) for row in (message, theirs)]
    runs = [a_run(scope=GUILD, changes=(change,), status=RunStatus.COMPLETED) for change in ("k1", "k2")]
    entries = [
        an_entry(scope=GUILD, target=Target.NOTE, target_id=note.id, change=change)
        for note, change in zip(notes, ("k1", "k2"), strict=True)
    ]
    own = a_run(changes=("k1",), status=RunStatus.COMPLETED)
    await kept(store, *notes, *entries, *runs, own)
    await store.forget(ANA, ForgetConversation("c1"))
    assert (await store.page(GUILD, RunFilter())).rows == (runs[1],)
    assert await store.find(ANA, Run, own.id) == own


@pytest.mark.parametrize("is_buffered", [True, False])
async def test_messages_that_go_are_due_no_more(store: Store, is_buffered: bool) -> None:
    message, other = a_message(), a_message(conversation="c2")
    await (said(store, message) if is_buffered else kept(store, message))
    await kept(store, other)
    await store.forget(ANA, ForgetConversation("c1"))
    assert await store.unaccounted(ANA, limit=9) == Unaccounted((other.id,), (), ())
    assert (await store.verify()).problems == ()


async def test_changes_of_which_nothing_is_left_are_due_no_more(store: Store) -> None:
    item, other = an_item(), an_item()
    await kept(
        store,
        item,
        other,
        an_entry(target_id=item.id, change="alone"),
        an_entry(target_id=item.id, change="both"),
        an_entry(target_id=other.id, change="both"),
        an_entry(target_id=other.id, change="other"),
    )
    await store.apply(ANA, [Account(due="unrecorded"), Account(due="alone"), Account(due="both"), Account(due="other")])
    await store.forget(ANA, ForgetItem(item.id))
    assert (await store.unaccounted(ANA, limit=9)).changes == ("unrecorded", "both", "other")


async def test_changes_of_a_spaces_notes_that_went_are_due_no_more(store: Store) -> None:
    message = await said(store, spoken(ANA))
    note = a_note(scope=GUILD, place=GENERAL, message_ids=(message.id,))
    await kept(store, note, an_entry(scope=GUILD, target=Target.NOTE, target_id=note.id, change="k1"))
    await store.apply(GUILD, [Account(due="k1"), Account(due="k2")])
    await store.forget(ANA, ForgetConversation("c1"))
    assert (await store.unaccounted(GUILD, limit=9)).changes == ("k2",)


async def test_a_forgotten_person_leaves_no_records_and_nothing_due(store: Store) -> None:
    run, theirs = a_run(night=a_night(1), raw="glass"), a_run(scope=BIA, raw="glass")
    await kept(store, run, theirs, a_message())
    await store.apply(ANA, [Account(due="k1")])
    await store.apply(BIA, [Account(due="k1")])
    await store.forget(ANA, ForgetPerson())
    assert await store.find(ANA, Run, run.id) is None
    assert (await store.page(None, RunFilter())).rows == (theirs,)
    assert await store.unaccounted(ANA, limit=9) == Unaccounted((), (), ())
    assert (await store.unaccounted(BIA, limit=9)).changes == ("k1",)
    assert (await store.stats(ANA)).people == 0
    await kept(store, a_run(night=a_night(1)))


async def test_jobs_with_a_key_go_with_their_person(store: Store) -> None:
    theirs = a_job(scope=BIA, key="night")
    await kept(store, a_job(key="night"), theirs, an_item())
    assert (await store.forget(ANA, ForgetPerson())).counts["jobs"] == 1
    assert await store.jobs() == [theirs]
