"""What forgetting promises beyond a person's rows: buffers, spaces' notes, cases, views, use and records of nights."""

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
    CountUse,
    EndBuffer,
    Forget,
    ForgetConversation,
    ForgetItem,
    ForgetPerson,
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
CONVERSATION = ForgetConversation("c1")
either_way = pytest.mark.parametrize("way", [CONVERSATION, ForgetPerson()])


async def said(store: Store, message: Message, buffer_id: str | None = None) -> Message:
    await store.apply(message.scope, [buffering(message, buffer_id)])
    return message


def spoken(scope: Scope, **changes: Any) -> Message:
    return a_message(**{"scope": scope, "author": scope.user, "place": GENERAL, "conversation": "c1"} | changes)


async def found(store: Store, *runs: Run) -> list[Run | None]:
    return [await store.find(run.scope, Run, run.id) for run in runs]


# ── buffers ───────────────────────────────────────────────────────────────────────────────────────────────────────


@either_way
async def test_a_buffer_left_without_messages_goes_with_its_job(store: Store, way: Forget) -> None:
    await said(store, a_message())
    await said(store, spoken(ANA))
    other = await said(store, a_message(scope=BIA, conversation="c2"))
    gone = await store.forget(ANA, way)
    assert gone.counts["jobs"] == 2
    assert await store.buffers(ANA) == await store.buffers(GUILD) == []
    assert [buffer.messages for buffer in await store.buffers(BIA)] == [(("bia", other.id),)]
    assert len(await store.jobs()) == 1
    assert (await store.verify()).problems == ()
    id = an_id()  # who talks on opens another
    await said(store, spoken(BIA, sent_at=NOW + minutes(1)), id)
    assert [buffer.id for buffer in await store.buffers(GUILD)] == [id]


@either_way
async def test_a_persons_messages_are_taken_out_of_a_spaces_buffer(store: Store, way: Forget) -> None:
    id = an_id()
    mine, theirs = await said(store, spoken(ANA), id), await said(store, spoken(BIA))
    later, apart = await said(store, spoken(ANA)), await said(store, a_message(conversation="c2"))
    note = a_note(scope=GUILD, place=GENERAL, message_ids=(mine.id, theirs.id))
    await store.forget(ANA, way)
    buffer = await store.find(GUILD, Buffer, id)
    assert buffer is not None
    assert buffer.messages == (("bia", theirs.id),)
    assert [len(buffer.messages) for buffer in await store.buffers(ANA)] == ([1] if way == CONVERSATION else [])
    assert await store.get(ANA, Message, [mine.id, later.id]) == []
    assert len(await store.get(ANA, Message, [apart.id])) == (way == CONVERSATION)
    assert (await store.verify()).problems == ()
    assert (await store.apply(BIA, [buffering(spoken(BIA))])).waiting == 2
    with pytest.raises(StaleError):  # a note that was written meanwhile
        await store.apply(GUILD, [Put(note, None), EndBuffer(id, drop=True, noted=frozenset(note.message_ids))])
    assert await store.get(GUILD, Note, [note.id]) == []


# ── notes of spaces ───────────────────────────────────────────────────────────────────────────────────────────────


@either_way
async def test_notes_of_a_space_made_of_forgotten_messages_go(store: Store, way: Forget) -> None:
    mine, theirs = spoken(ANA), spoken(BIA)
    note = a_note(scope=GUILD, place=GENERAL, message_ids=(mine.id, theirs.id), summary="a xylophone was stolen")
    week = a_note(scope=GUILD, place=GENERAL, note_ids=(note.id,))
    other = a_note(scope=GUILD, place=GENERAL, message_ids=(theirs.id,))
    apart = [
        a_note(scope=shelf_of(ANA, Place("work")), message_ids=(an_id(),)),
        a_note(scope=Scope("other", GUILD.user), message_ids=(mine.id,)),
    ]
    own = an_entry(scope=GUILD, target=Target.NOTE, target_id=note.id, after={"title": note.title})
    copied = an_entry(
        scope=GUILD, target=Target.NOTE, target_id=other.id, before={"summary": note.summary, "note_ids": [note.id]}
    )
    jobs = [a_job(scope=GUILD, payload={"kind": "note", "ids": ids}) for ids in ([note.id], [note.id, other.id])]
    await kept(store, mine, theirs, note, week, other, *apart, own, copied, *jobs)
    await store.apply(GUILD, [PutVectors(Kind.NOTE, row.id, MODEL, (a_vector(1, 0),)) for row in (note, other)])

    gone = await store.forget(ANA, way)

    assert [gone.counts[place] for place in ("messages", "notes", "vectors", "audit", "jobs")] == [1, 2, 1, 1, 1]
    assert gone.counts["terms"] > 0
    assert (await store.page(GUILD, NoteFilter())).rows == (other,)
    cleaned = replace(copied, before={"summary": None, "note_ids": []})
    assert await store.trail(GUILD, Target.NOTE, other.id) == [cleaned]
    assert await store.jobs() == [replace(jobs[1], payload={"kind": "note", "ids": [other.id]})]
    assert await store.get(BIA, Message, [theirs.id]) == [theirs]
    for stays in apart:
        assert await store.get(stays.scope, Note, [stays.id]) == [stays]
    assert (await store.verify()).problems == ()


@either_way
async def test_items_and_work_of_others_lose_the_note_and_nothing_else(store: Store, way: Forget) -> None:
    mine, theirs = spoken(ANA), spoken(BIA)
    note = a_note(scope=GUILD, place=GENERAL, message_ids=(mine.id, theirs.id))
    item = an_item(scope=BIA, note_id=note.id, message_ids=(theirs.id,), evidence="I said so myself", version=3)
    from_note, untouched = an_item(scope=BIA, note_id=note.id), an_item(scope=BIA, note_id=an_id())
    entry = an_entry(scope=BIA, target_id=item.id, after={"note_id": note.id, "message_ids": [theirs.id]})
    elsewhere = an_item(scope=ANA_ELSEWHERE, note_id=note.id)
    jobs = [
        a_job(scope=row.scope, kind=LEARN, payload={"note": note.id, "messages": [row.id]}) for row in (mine, theirs)
    ]
    await kept(store, mine, theirs, note, item, from_note, untouched, entry, elsewhere, *jobs)
    gone = await store.forget(ANA, way)
    assert (gone.counts["pointers"], gone.counts["items"], gone.counts["jobs"]) == (2, 0, 1)
    left = [replace(item, note_id=None), replace(from_note, note_id=None), untouched]
    assert await store.get(BIA, KnowledgeItem, ids_of([item, from_note, untouched])) == left
    cleaned = replace(entry, after={"note_id": None, "message_ids": [theirs.id]})
    assert await store.trail(BIA, Target.ITEM, item.id) == [cleaned]
    assert await store.get(ANA_ELSEWHERE, KnowledgeItem, [elsewhere.id]) == [elsewhere]
    assert await store.jobs() == [replace(jobs[1], payload={"note": None, "messages": [theirs.id]})]


async def test_own_items_learnt_from_a_spaces_note_and_nothing_else_go(store: Store) -> None:
    mine, other = spoken(ANA), spoken(ANA, conversation="c2")
    note = a_note(scope=GUILD, message_ids=(mine.id,))
    alone = an_item(note_id=note.id, message_ids=(mine.id,))
    twice = an_item(note_id=note.id, message_ids=(mine.id, other.id), evidence="heard twice")
    digest = a_note(note_ids=(note.id,))
    await kept(store, mine, other, note, alone, twice, digest)
    await store.forget(ANA, CONVERSATION)
    left = replace(twice, note_id=None, message_ids=(other.id,), evidence=None)
    assert await store.get(ANA, KnowledgeItem, ids_of([alone, twice])) == [left]
    assert await store.get(ANA, Note, [digest.id]) == []


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
    message = a_message()
    gone, stays, learnt = an_item(), an_item(), an_item(message_ids=(message.id,))
    cases = [a_case(old_id=gone.id), a_case(new_id=gone.id), a_case(old_id=stays.id), a_case(new_id=learnt.id)]
    theirs = a_case(scope=BIA, old_id=gone.id)
    await kept(store, message, gone, stays, learnt, *cases, theirs)
    assert (await store.forget(ANA, ForgetItem(gone.id))).counts["cases"] == 2
    assert await store.get(ANA, Case, ids_of(cases)) == cases[2:]
    assert (await store.forget(ANA, CONVERSATION)).counts["cases"] == 1
    assert await store.get(ANA, Case, ids_of(cases)) == [cases[2]]
    assert await store.get(BIA, Case, [theirs.id]) == [theirs]


async def test_views_and_records_lose_what_they_may_quote_once_something_is_forgotten(store: Store) -> None:
    for scope, what in ((Scope("default", "eva"), "item"), (Scope("default", "eve"), "conversation")):
        item = an_item(scope=scope)
        views = [a_view(scope=scope, version=4), a_view(scope=scope, name="week"), a_view(scope=CAROL, name=what)]
        told = a_run(scope=scope, raw="glass", error="busy", changes=("k1",), status=RunStatus.COMPLETED, version=3)
        silent, running = a_run(scope=scope, status=RunStatus.FAILED), a_run(scope=scope, raw="glass")
        theirs, elsewhere = a_run(scope=BIA, raw="glass"), a_run(scope=ANA_ELSEWHERE, raw="glass")
        await kept(store, item, a_message(scope=scope), told, silent, running, theirs, elsewhere)
        for view in views:
            await store.apply(view.scope, [Put(view, None)])
        await store.forget(scope, ForgetItem(an_id()))
        assert await store.get(scope, View, ["profile", "week"]) == views[:2]
        assert await found(store, told, running) == [told, running]
        await store.forget(scope, ForgetItem(item.id) if what == "item" else CONVERSATION)
        assert await store.get(scope, View, ["profile", "week"]) == [replace(view, body=None) for view in views[:2]]
        assert await store.find(CAROL, View, what) == views[2]
        assert await found(store, told, silent) == [replace(told, raw=None), silent]
        assert await found(store, theirs, elsewhere) == [theirs, elsewhere]
        # Work under way writes nothing it read before.
        assert await found(store, running) == [replace(running, raw=None, version=2)]
        with pytest.raises(StaleError):
            await store.apply(scope, [Put(replace(running, version=2), 1)])


@either_way
async def test_views_and_records_of_the_tenant_that_may_quote_a_spaces_note_lose_it(store: Store, way: Forget) -> None:
    mine = await said(store, spoken(ANA))
    await kept(store, a_note(scope=GUILD, place=GENERAL, message_ids=(mine.id,)))
    runs = [a_run(scope=scope, raw="glass", status=RunStatus.COMPLETED) for scope in (BIA, GUILD)]
    running, own, elsewhere = (a_run(scope=scope, raw="glass") for scope in (BIA, ANA, ANA_ELSEWHERE))
    await kept(store, *runs, running, own, elsewhere)
    for scope in (BIA, CAROL, GUILD, ANA_ELSEWHERE):
        await store.apply(scope, [Put(a_view(scope=scope), None)])
    await store.forget(ANA, way)
    for scope in (BIA, CAROL, GUILD):
        assert await store.find(scope, View, "profile") == a_view(scope=scope, body=None)
    assert await store.find(ANA_ELSEWHERE, View, "profile") == a_view(scope=ANA_ELSEWHERE)
    assert await found(store, *runs) == [replace(run, raw=None) for run in runs]
    assert await found(store, running, elsewhere) == [replace(running, raw=None, version=2), elsewhere]
    assert await found(store, own) == [replace(own, raw=None, version=2) if way == CONVERSATION else None]


async def test_a_forgotten_person_leaves_no_cases_views_use_records_or_anything_due(store: Store) -> None:
    counted = CountUse(Use(task="digest", model="m", day=NOW.date(), calls=1, input_tokens=5, output_tokens=1))
    for scope in (ANA, BIA):
        await kept(store, a_case(scope=scope), a_run(scope=scope, night=a_night(1), raw="glass"))
        await store.apply(scope, [Put(a_view(scope=scope), None), counted, Account(due="k1")])
    gone = await store.forget(ANA, ForgetPerson())
    assert (gone.counts["cases"], gone.total) == (1, 1)
    assert await store.find(ANA, View, "profile") is None
    assert await store.usage(ANA) == []
    assert (await store.page(ANA, RunFilter())).rows == ()
    assert await store.unaccounted(ANA, limit=9) == Unaccounted((), (), ())
    assert (await store.stats(ANA)).people == 0
    assert await store.find(BIA, View, "profile") == a_view(scope=BIA)
    assert [run.scope for run in (await store.page(None, RunFilter())).rows] == [BIA]
    assert (await store.unaccounted(BIA, limit=9)).changes == ("k1",)
    assert [use.calls for use in await store.usage()] == [1]
    await kept(store, a_run(night=a_night(1)))


# ── the records of nights, and what is due to be accounted for ────────────────────────────────────────────────────


async def test_records_go_with_the_notes_they_wrote_in_a_conversation_or_a_space(store: Store) -> None:
    message, theirs = await said(store, spoken(ANA)), await said(store, spoken(BIA))
    note, item = a_note(message_ids=(message.id,)), an_item(message_ids=(message.id,))
    notes = [a_note(scope=GUILD, place=GENERAL, message_ids=(row.id,)) for row in (message, theirs)]
    runs = [a_run(changes=(change,), status=RunStatus.COMPLETED) for change in ("k1", "k2", "k3")]
    spaces = [a_run(scope=GUILD, changes=(change,), status=RunStatus.COMPLETED) for change in ("k1", "k2")]
    await kept(
        store,
        a_conversation(),
        note,
        item,
        *notes,
        an_entry(target=Target.NOTE, target_id=note.id, change="k1"),
        an_entry(target_id=item.id, change="k2"),
        an_entry(target=Target.CONVERSATION, target_id="c1", change="k3"),
        *(
            an_entry(scope=GUILD, target=Target.NOTE, target_id=one.id, change=change)
            for one, change in zip(notes, ("k1", "k2"), strict=True)
        ),
        *runs,
        *spaces,
    )
    await store.apply(GUILD, [Account(due="k1"), Account(due="k2")])
    await store.forget(ANA, CONVERSATION)
    assert (await store.page(ANA, RunFilter())).rows == ()
    assert (await store.page(GUILD, RunFilter())).rows == (spaces[1],)
    assert (await store.unaccounted(GUILD, limit=9)).changes == ("k2",)
    assert (await store.verify()).problems == ()


async def test_messages_that_go_and_changes_of_which_nothing_is_left_are_due_no_more(store: Store) -> None:
    item, other, message = an_item(), an_item(), a_message(conversation="c2")
    await said(store, a_message())
    await kept(store, item, other, a_message(), message)
    entries = [(item, "alone"), (item, "both"), (other, "both"), (other, "other")]
    await kept(store, *(an_entry(target_id=row.id, change=change) for row, change in entries))
    await store.apply(ANA, [Account(due=change) for change in ("unrecorded", "alone", "both", "other")])
    await store.forget(ANA, CONVERSATION)
    await store.forget(ANA, ForgetItem(item.id))
    assert await store.unaccounted(ANA, limit=9) == Unaccounted((message.id,), (), ("unrecorded", "both", "other"))
    assert (await store.verify()).problems == ()


async def test_nothing_is_learnt_any_more_from_the_messages_of_a_forgotten_item(store: Store) -> None:
    message, other = await said(store, a_message()), await said(store, a_message(conversation="c2"))
    item = an_item(message_ids=(message.id,))
    jobs = [
        a_job(kind=LEARN, payload={"note": None, "messages": ids}) for ids in ([message.id], [message.id, other.id])
    ]
    await kept(store, item, *jobs)
    await store.forget(ANA, ForgetItem(item.id))
    assert await store.get(ANA, Message, [message.id]) == [message]
    assert [member for buffer in await store.buffers(ANA) for member in buffer.messages] == [("ana", other.id)]
    assert await store.unaccounted(ANA, limit=9) == Unaccounted((), (other.id,), ())
    learning = [job.payload["messages"] for job in await store.jobs(kinds=[LEARN])]
    assert learning == [[other.id]]
