"""What stays on this machine."""

from __future__ import annotations

from dataclasses import replace

from builders import ANA, BIA, NOW, STRANGERS, a_conversation, a_message, a_note, an_id, an_item, ids_of, kept, minutes
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.message import NoteKind, Role
from relembra.domain.scope import Place, shelf_of
from relembra.store.port import Put, Store, Withheld

G1 = Place("g1", "general")
SHELF = shelf_of(ANA, G1)


async def test_without_a_mark_of_ones_own_nothing_stays_here(store: Store) -> None:
    said = a_message()
    item = an_item(message_ids=(said.id,), local_only=True)
    await kept(store, a_conversation(), said, item, *(an_item(scope=scope, local_only=True) for scope in STRANGERS))
    assert await store.withheld(ANA)
    await store.apply(ANA, [Put(replace(item, local_only=False, version=2), 1)])
    assert await store.withheld(ANA) == Withheld()
    assert not await store.withheld(ANA)


async def test_what_an_item_replaced_stays_with_it_and_what_replaced_it_does_not(store: Store) -> None:
    newer = an_item()
    item = an_item(local_only=True, superseded_by=newer.id, superseded_at=NOW)
    older = an_item(superseded_by=item.id, superseded_at=NOW)
    oldest = an_item(superseded_by=older.id, superseded_at=NOW, deleted_at=NOW)
    other = an_item()
    await kept(store, newer, item, older, oldest, other)
    assert (await store.withheld(ANA)).items == {item.id, older.id, oldest.id}


async def test_the_messages_it_was_learnt_from_stay_with_the_answers_to_them(store: Store) -> None:
    before = a_message(sent_at=NOW - minutes(3))
    said = a_message(sent_at=NOW - minutes(2))
    answers = [
        a_message(role=Role.ASSISTANT, author="program", sent_at=NOW - minutes(1)),
        a_message(role=Role.SYSTEM, author="program", sent_at=NOW - minutes(0.5)),
    ]
    after = a_message(sent_at=NOW)
    late = a_message(role=Role.ASSISTANT, author="program", sent_at=NOW + minutes(1))
    elsewhere = a_message(role=Role.ASSISTANT, author="program", conversation="c2", sent_at=NOW - minutes(1))
    item = an_item(local_only=True, message_ids=(said.id, an_id()))
    talks = [a_conversation(), a_conversation(id="c2")]
    await kept(store, *talks, before, said, *answers, after, late, elsewhere, item)
    away = await store.withheld(ANA)
    assert away.messages == {said.id, *ids_of(answers)}
    assert away.conversations == {"c1"}


async def test_notes_that_tell_of_it_stay_and_what_is_made_of_them(store: Store) -> None:
    said, other = a_message(), a_message(conversation="c2")
    named = a_note(conversation=None)
    noted = a_note(conversation="c1", message_ids=(said.id,))
    summary = a_note(conversation="c1", kind=NoteKind.SESSION)
    cluster = a_note(kind=NoteKind.TOPIC_CLUSTER, conversation=None, note_ids=(noted.id,))
    weekly = a_note(kind=NoteKind.WEEKLY, conversation=None, note_ids=(cluster.id,))
    monthly = a_note(kind=NoteKind.MONTHLY, conversation=None, message_ids=(said.id,))
    quoting = a_note(kind=NoteKind.APPOINTMENT, conversation=None, summary="Tell them: “Takes a quiet medicine.”")
    others = [
        a_note(conversation="c1", message_ids=(an_id(),)),
        a_note(conversation="c2", message_ids=(other.id,)),
        a_note(conversation="c2", kind=NoteKind.SESSION),
        a_note(kind=NoteKind.APPOINTMENT, conversation=None, summary="Tell them nothing."),
        a_note(kind=NoteKind.TOPIC_CLUSTER, conversation=None, note_ids=(an_id(),)),
    ]
    item = an_item(local_only=True, content="Takes a quiet medicine.", message_ids=(said.id,), note_id=named.id)
    telling = [named, noted, summary, cluster, weekly, monthly, quoting]
    await kept(store, a_conversation(), a_conversation(id="c2"), said, other, *telling, *others, item)
    assert (await store.withheld(ANA)).notes == set(ids_of(telling))


async def test_insights_that_rest_on_its_messages_stay(store: Store) -> None:
    said, other = a_message(), a_message(sent_at=NOW + minutes(1))
    resting = an_item(type=KnowledgeType.INSIGHT, message_ids=(other.id, said.id))
    apart = an_item(type=KnowledgeType.INSIGHT, message_ids=(other.id,))
    beside = an_item(message_ids=(said.id,))
    item = an_item(local_only=True, message_ids=(said.id,))
    await kept(store, a_conversation(), said, other, resting, apart, beside, item)
    assert (await store.withheld(ANA)).items == {item.id, resting.id}


async def test_a_space_keeps_the_notes_that_tell_of_anybodys_marked_items_learnt_there(store: Store) -> None:
    mine = a_message(place=G1, conversation="g1/general")
    theirs = a_message(scope=BIA, author="bia", place=G1, conversation="g1/general")
    private = a_message(scope=BIA, author="bia", conversation="c9")
    telling = a_note(scope=SHELF, place=G1, conversation="g1/general", message_ids=(theirs.id, mine.id))
    other = a_note(scope=SHELF, place=G1, conversation="g1/general", message_ids=(mine.id,))
    await kept(
        store, a_conversation(id="g1/general", place=G1), a_conversation(id="g1/general", scope=BIA, place=G1),
        a_conversation(id="c9", scope=BIA), mine, theirs, private, telling, other,
        an_item(scope=BIA, place=G1, local_only=True, message_ids=(theirs.id,)),
        an_item(scope=BIA, local_only=True, message_ids=(private.id,)),
    )  # fmt: skip
    away = await store.withheld(SHELF)
    assert away.notes == {telling.id}
    assert away.items == frozenset()
    assert "g1/general" in away.conversations
    assert not await store.withheld(ANA)
    assert not await store.withheld(shelf_of(ANA, Place("g2", "general")))
