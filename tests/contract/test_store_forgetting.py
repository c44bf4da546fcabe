"""What forgetting promises: a receipt, and no trace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    MODEL,
    NOW,
    STRANGERS,
    AnyRow,
    a_conversation,
    a_job,
    a_message,
    a_note,
    a_query,
    a_vector,
    an_entry,
    an_id,
    an_item,
    ids_of,
    items_where,
    kept,
)
from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note
from relembra.domain.scope import Scope
from relembra.errors import StaleError
from relembra.store.port import (
    ConversationFilter,
    ForgetConversation,
    ForgetItem,
    ForgetPerson,
    IndexMessages,
    Kind,
    MessageFilter,
    PutVectors,
    Store,
)

SECRET = "xylophone"


async def embedded(store: Store, *rows: AnyRow) -> None:
    """Store rows, with a vector for each that may have one, and messages indexed."""
    await kept(store, *rows)
    kinds = {KnowledgeItem: Kind.ITEM, Message: Kind.MESSAGE, Note: Kind.NOTE}
    for row in rows:
        if type(row) in kinds:
            await store.apply(row.scope, [PutVectors(kinds[type(row)], row.id, MODEL, (a_vector(1, 0),))])
        if isinstance(row, Message):
            await store.apply(row.scope, [IndexMessages((row.id,))])


async def assert_unknown(store: Store, *rows: KnowledgeItem | Message | Note) -> None:
    """That no read of this person tells anything of these rows."""
    ids = [row.id for row in rows]
    everything = items_where(history=True, deleted=True)
    query = a_query(SECRET, vector=a_vector(1, 0), limit=1_000)
    assert await store.get(ANA, KnowledgeItem, ids) == []
    assert await store.get(ANA, Message, ids) == []
    assert await store.get(ANA, Note, ids) == []
    items = (await store.page(ANA, everything, limit=1_000)).rows
    messages = (await store.page(ANA, MessageFilter(), limit=1_000)).rows
    jobs = await store.jobs(limit=1_000)
    found_items = await store.search(ANA, query, everything)
    found_messages = await store.search(ANA, query, MessageFilter())
    waiting = await store.unembedded("another model", limit=1_000)
    told = repr((items, messages, [job for job in jobs if job.scope == ANA], found_items, found_messages, waiting))
    for id in ids:
        assert await store.ids_like(ANA, KnowledgeItem, id) == []
        assert await store.trail(ANA, Target.ITEM, id) == []
        assert await store.trail(ANA, Target.NOTE, id) == []
        assert await store.predecessors(ANA, id) == []
        assert id not in told


async def test_a_forgotten_item_leaves_no_trace(store: Store) -> None:
    gone, stays = an_item(title=SECRET), an_item()
    mention = an_entry(target_id=stays.id, before={"related": [gone.id]}, after={"superseded_by": gone.id})
    mine = an_entry(target_id=gone.id, after={"title": SECRET})
    await embedded(store, gone, stays, mention, mine, a_job(payload={"kind": "item", "id": gone.id}))
    receipt = await store.forget(ANA, ForgetItem(gone.id))

    assert receipt.total > 0
    await assert_unknown(store, gone)
    assert await store.changes(ANA, [mine.change]) == []
    assert gone.id not in repr(await store.trail(ANA, Target.ITEM, stays.id))
    assert await store.jobs() == []
    assert (await store.stats()).vectors == {MODEL: 1}
    assert await store.get(ANA, KnowledgeItem, [stays.id]) == [stays]
    assert (await store.verify()).problems == ()


async def test_items_that_go_along_are_forgotten_together_or_not_at_all(store: Store) -> None:
    first, second, stays = an_item(title=SECRET), an_item(title=f"{SECRET} again"), an_item()
    await embedded(store, first, second, stays)
    for along in ({first.id: 1, second.id: 2}, {second.id: 1, an_id(): 1}):
        with pytest.raises(StaleError):
            await store.forget(ANA, ForgetItem(first.id, along))
    assert len(await store.get(ANA, KnowledgeItem, [first.id, second.id])) == 2
    would = await store.forget(ANA, ForgetItem(first.id, {first.id: 1, second.id: 1}), dry_run=True)
    receipt = await store.forget(ANA, ForgetItem(first.id, {first.id: 1, second.id: 1}))
    assert would.counts == receipt.counts
    assert receipt.counts["items"] == 2
    for gone in (first, second):
        await assert_unknown(store, gone)
    assert await store.get(ANA, KnowledgeItem, [stays.id]) == [stays]
    assert (await store.verify()).problems == ()


async def test_what_an_item_said_is_not_left_in_the_trails_of_others(store: Store) -> None:
    gone, stays = an_item(content=f"Ana plays the {SECRET}."), an_item()
    copied = an_entry(
        target_id=stays.id,
        before={"content": f"Ana plays the {SECRET}.", "tags": [f"so Ana plays the {SECRET}."]},
        after={"content": stays.content},
        why=f"because Ana plays the {SECRET}.",
    )
    await kept(store, gone, stays, copied)
    await store.forget(ANA, ForgetItem(gone.id))
    [entry] = await store.trail(ANA, Target.ITEM, stays.id)
    assert SECRET not in repr(entry)
    assert entry.after == {"content": stays.content}


async def test_forgetting_an_item_takes_other_rows_pointers_to_it(store: Store) -> None:
    gone, friend = an_item(), an_id()
    related = an_item(related=(friend, gone.id))
    replaced = an_item(superseded_by=gone.id, superseded_at=NOW)
    await embedded(store, gone, related, replaced)
    await store.forget(ANA, ForgetItem(gone.id))
    first, second = await store.get(ANA, KnowledgeItem, [related.id, replaced.id])
    assert first.related == (friend,)
    assert (second.superseded_by, second.superseded_at) == (None, NOW)
    await assert_unknown(store, gone)


async def test_what_was_superseded_by_something_forgotten_does_not_come_back(store: Store) -> None:
    gone = an_item()
    replaced = an_item(superseded_by=gone.id, superseded_at=NOW)
    await kept(store, gone, replaced)
    await store.forget(ANA, ForgetItem(gone.id))
    assert (await store.page(ANA, items_where())).rows == ()
    assert await store.search(ANA, a_query("glass"), items_where()) == []
    assert ids_of((await store.page(ANA, items_where(history=True))).rows) == [replaced.id]


async def test_why_a_change_was_made_is_forgotten_with_an_item_it_touched(store: Store) -> None:
    gone, stays = an_item(), an_item()
    together = [an_entry(change="k1", target_id=row.id, why=SECRET) for row in (gone, stays)]
    apart = an_entry(target_id=stays.id, why="newer")
    await kept(store, gone, stays, *together, apart)
    await store.forget(ANA, ForgetItem(gone.id))
    assert await store.trail(ANA, Target.ITEM, stays.id) == [replace(together[1], why=None), apart]


@pytest.mark.parametrize("said", [{"value": "Oboe"}, {"tags": ("oboe", "of")}, {"title": "OBOE"}])
async def test_short_words_of_an_item_are_taken_from_other_trails_where_they_stand_alone(
    store: Store, said: dict[str, Any]
) -> None:
    gone, stays = an_item(**said), an_item()
    entry = an_entry(
        target_id=stays.id,
        before={"title": "of an oboe, lost", "value": "Oboes", "area": "oboe", "tags": ["oboe", "oboist"]},
        why="it had an oboe",
    )
    await kept(store, gone, stays, entry)
    await store.forget(ANA, ForgetItem(gone.id))
    [left] = await store.trail(ANA, Target.ITEM, stays.id)
    assert left.before == {"title": None, "value": "Oboes", "area": "oboe", "tags": ["oboist"]}
    assert left.why is None


async def test_what_a_row_still_says_itself_stays_in_its_trail(store: Store) -> None:
    words = {"title": f"Plays the {SECRET}", "value": SECRET, "tags": ("band",), "evidence": f"my {SECRET} is here"}
    gone, stays = an_item(**words), an_item(**words)
    after = {**words, "tags": ["band"]}
    entry = an_entry(target_id=stays.id, after=after, why=f"says {SECRET}")
    chat = an_entry(target=Target.CONVERSATION, target_id="c1", after={"title": f"Plays the {SECRET}"})
    await kept(store, gone, replace(stays, evidence=None), a_conversation(title=f"Plays the {SECRET}"), entry, chat)
    await store.forget(ANA, ForgetItem(gone.id))
    assert await store.trail(ANA, Target.ITEM, stays.id) == [replace(entry, after=after | {"evidence": None})]
    assert await store.trail(ANA, Target.CONVERSATION, "c1") == [chat]


async def test_what_an_item_said_before_it_was_changed_is_forgotten_too(store: Store) -> None:
    gone, stays = an_item(), an_item()
    corrected = an_entry(target_id=gone.id, before={"content": f"Ana plays the {SECRET}."}, after={"content": "No."})
    quoting = an_entry(target_id=stays.id, why=f"we heard that ana plays the {SECRET}.")
    await kept(store, gone, stays, corrected, quoting)
    await store.forget(ANA, ForgetItem(gone.id))
    assert await store.trail(ANA, Target.ITEM, stays.id) == [replace(quoting, why=None)]


async def test_work_queued_for_others_is_still_done_when_one_is_forgotten(store: Store) -> None:
    gone, stays = an_item(), an_item()
    await kept(store, gone, stays, a_job(payload={"ids": [gone.id, stays.id]}), a_job(payload={"ids": [stays.id]}))
    await store.forget(ANA, ForgetItem(gone.id))
    jobs = await store.jobs()
    assert gone.id not in repr(jobs)
    assert any(stays.id in job.payload["ids"] for job in jobs)


async def test_the_receipt_lists_every_place_with_nothing_as_zero(store: Store) -> None:
    item = an_item()
    await embedded(store, item)
    nothing = await store.forget(ANA, ForgetItem(an_id()))
    something = await store.forget(ANA, ForgetItem(item.id))
    assert nothing.total == 0
    assert nothing.counts
    assert set(nothing.counts.values()) == {0}
    assert nothing.counts.keys() == something.counts.keys()
    assert something.counts["items"] == 1
    assert something.counts["vectors"] == 1


async def test_forgetting_twice_finds_nothing_the_second_time(store: Store) -> None:
    item, chat = an_item(), a_conversation()
    await embedded(store, item, chat, a_message())
    assert (await store.forget(ANA, ForgetItem(item.id))).total > 0
    assert (await store.forget(ANA, ForgetItem(item.id))).total == 0
    assert (await store.forget(ANA, ForgetConversation(chat.id))).total > 0
    assert (await store.forget(ANA, ForgetConversation(chat.id))).total == 0
    assert (await store.forget(ANA, ForgetPerson())).total == 0


async def test_deleted_items_and_hidden_messages_are_forgotten_too(store: Store) -> None:
    item, message = an_item(deleted_at=NOW), a_message(deleted_at=NOW)
    await kept(store, item, message)
    await store.forget(ANA, ForgetItem(item.id))
    await store.forget(ANA, ForgetConversation(message.conversation))
    await assert_unknown(store, item, message)


async def test_a_forgotten_conversation_leaves_no_trace(store: Store) -> None:
    chat, other_chat = a_conversation(), a_conversation(id="c2")
    messages = [a_message(text=SECRET, external_id=f"x{n}") for n in range(3)]
    fresh = a_message(text=SECRET)
    other = a_message(conversation="c2")
    note = a_note(summary=SECRET, message_ids=tuple(ids_of(messages)))
    cluster = a_note(summary=SECRET, note_ids=(note.id,))
    item = an_item(title=SECRET, note_id=note.id, message_ids=(messages[0].id,))
    from_note = an_item(title=SECRET, note_id=note.id)
    entries = [
        an_entry(target=Target.CONVERSATION, target_id=chat.id, after={"title": SECRET}),
        an_entry(target=Target.NOTE, target_id=note.id),
        an_entry(target=Target.ITEM, target_id=item.id),
    ]
    jobs = [
        a_job(payload={"conversation": chat.id}),
        a_job(payload={"ids": ids_of(messages)}),
        a_job(payload={"id": item.id}),
    ]
    other_job = a_job(payload={"conversation": "c2"})
    await embedded(store, chat, other_chat, *messages, other, note, cluster, item, from_note)
    await kept(store, fresh, *entries, *jobs, other_job)

    receipt = await store.forget(ANA, ForgetConversation(chat.id))

    counts = {place: receipt.counts[place] for place in ("conversations", "messages", "notes", "items")}
    assert counts == {"conversations": 1, "messages": 4, "notes": 2, "items": 2}
    await assert_unknown(store, *messages, fresh, note, cluster, item, from_note)
    assert await store.find(ANA, Conversation, chat.id) is None
    assert await store.trail(ANA, Target.CONVERSATION, chat.id) == []
    assert await store.jobs() == [other_job]
    assert await store.get(ANA, Message, [other.id]) == [other]
    assert await store.find(ANA, Conversation, "c2") == other_chat
    assert (await store.stats()).vectors == {MODEL: 1}
    assert (await store.verify()).problems == ()


async def test_a_forgotten_external_id_can_be_saved_again(store: Store) -> None:
    await kept(store, a_message(external_id="x"))
    await store.forget(ANA, ForgetConversation("c1"))
    assert (await kept(store, a_message(external_id="x"))).known == ()


async def test_items_learnt_from_something_else_as_well_stay_without_the_pointer(store: Store) -> None:
    gone, other = a_message(), a_message(conversation="c2")
    note = a_note(message_ids=(gone.id,))
    twice = an_item(message_ids=(gone.id, other.id), note_id=note.id)
    unsourced = an_item()
    elsewhere = an_item(message_ids=(other.id,))
    await kept(store, gone, other, note, twice, unsourced, elsewhere)
    await store.forget(ANA, ForgetConversation("c1"))
    [left] = await store.get(ANA, KnowledgeItem, [twice.id])
    assert (left.message_ids, left.note_id) == ((other.id,), None)
    assert await store.get(ANA, KnowledgeItem, [unsourced.id, elsewhere.id]) == [unsourced, elsewhere]


async def test_items_that_lose_a_source_lose_their_evidence_at_the_same_version(store: Store) -> None:
    gone, other = a_message(), a_message(conversation="c2")
    item = an_item(message_ids=(gone.id, other.id), evidence=f"she hinted at a {SECRET}", version=3)
    sure = an_item(message_ids=(other.id,), evidence="she said it twice")
    entry = an_entry(target_id=item.id, before={"evidence": f"a {SECRET}?"}, after={"evidence": item.evidence})
    await kept(store, gone, other, item, sure, entry)
    receipt = await store.forget(ANA, ForgetConversation("c1"))
    assert receipt.counts["pointers"] == 1
    assert await store.get(ANA, KnowledgeItem, [item.id, sure.id]) == [
        replace(item, message_ids=(other.id,), evidence=None),
        sure,
    ]
    [left] = await store.trail(ANA, Target.ITEM, item.id)
    assert (left.before, left.after) == ({"evidence": None}, {"evidence": None})


async def test_words_of_a_forgotten_conversation_are_not_left_in_trails_and_evidence(store: Store) -> None:
    chat = a_conversation(title=f"All about my {SECRET}")
    message = a_message(text=f"Yesterday somebody stole my {SECRET} from the car, imagine!")
    note = a_note(summary=f"Ana misses a {SECRET}.", message_ids=(message.id,))
    renamed = an_entry(target=Target.CONVERSATION, target_id=chat.id, before={"title": f"{SECRET.title()} gone"})
    item = an_item(evidence=f"quote: {message.text}")
    entries = [
        an_entry(target_id=item.id, why=why)
        for why in (
            f"She wrote: {message.text}",
            f"somebody stole my {SECRET}",
            f"see {chat.title}",
            f"as {note.summary}",
            f"was {SECRET} gone",
        )
    ]
    await kept(store, chat, message, note, item, renamed, *entries)
    await store.forget(ANA, ForgetConversation(chat.id))
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [replace(item, evidence=None)]
    assert await store.trail(ANA, Target.ITEM, item.id) == [replace(entry, why=None) for entry in entries]


async def test_short_messages_are_no_quotations(store: Store) -> None:
    item = an_item()
    entry = an_entry(target_id=item.id, why="thank you")
    await kept(store, a_message(text="thank you"), item, entry)
    await store.forget(ANA, ForgetConversation("c1"))
    assert await store.trail(ANA, Target.ITEM, item.id) == [entry]


async def test_the_receipt_says_that_the_traces_are_erased(store: Store) -> None:
    item = an_item()
    await kept(store, item, a_message())
    receipts = [
        await store.forget(ANA, ForgetItem(item.id)),
        await store.forget(ANA, ForgetConversation("c1")),
        await store.forget(ANA, ForgetPerson()),
    ]
    assert all(receipt.erased for receipt in receipts)


async def test_items_that_point_to_an_item_forgotten_with_its_conversation_lose_the_pointer(store: Store) -> None:
    message = a_message()
    item = an_item(message_ids=(message.id,))
    friend = an_item(related=(item.id,))
    await kept(store, message, item, friend)
    await store.forget(ANA, ForgetConversation("c1"))
    assert (await store.get(ANA, KnowledgeItem, [friend.id]))[0].related == ()


async def test_messages_of_a_conversation_without_a_row_are_forgotten(store: Store) -> None:
    message = a_message(conversation="never touched")
    await kept(store, message)
    receipt = await store.forget(ANA, ForgetConversation("never touched"))
    assert receipt.counts["messages"] == 1
    await assert_unknown(store, message)


async def test_a_forgotten_person_leaves_nothing_in_this_tenant(store: Store) -> None:
    for scope in (ANA, BIA, ANA_ELSEWHERE):
        item, message, note = an_item(scope=scope), a_message(scope=scope, external_id="x"), a_note(scope=scope)
        entry, job = an_entry(scope=scope), a_job(scope=scope)
        await embedded(store, item, message, note, a_conversation(scope=scope), entry, job)
    before = await store.stats(BIA), await store.stats(ANA_ELSEWHERE)
    receipt = await store.forget(ANA, ForgetPerson())

    assert receipt.total > 6
    assert receipt.counts["messages"] == receipt.counts["items"] == receipt.counts["notes"] == 1
    mine = await store.stats(ANA)
    assert (mine.people, mine.conversations, mine.messages, mine.notes) == (0, 0, 0, 0)
    assert sum(mine.items.values()) + sum(mine.vectors.values()) + sum(mine.jobs.values()) == 0
    assert (await store.page(ANA, items_where(history=True, deleted=True))).rows == ()
    assert (await store.page(ANA, MessageFilter())).rows == ()
    assert (await store.page(ANA, ConversationFilter())).rows == ()
    assert {job.scope for job in await store.jobs()} == {BIA, ANA_ELSEWHERE}
    assert {row.scope for row in await store.unembedded("other", limit=100)} == {BIA, ANA_ELSEWHERE}
    assert (await store.stats(BIA), await store.stats(ANA_ELSEWHERE)) == before
    assert (await store.verify()).problems == ()


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_what_belongs_to_another_person_cannot_be_forgotten(store: Store, stranger: Scope) -> None:
    item, message, chat = an_item(), a_message(), a_conversation()
    pointing = replace(an_item(scope=stranger), related=(item.id,))
    job = a_job(payload={"id": item.id})
    await kept(store, item, message, chat, pointing, job)
    assert (await store.forget(stranger, ForgetItem(item.id))).total == 0
    assert (await store.forget(stranger, ForgetConversation(chat.id))).total == 0
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    assert await store.get(ANA, Message, [message.id]) == [message]
    assert await store.find(ANA, Conversation, chat.id) == chat
    assert await store.jobs() == [job]


async def test_a_copy_made_after_forgetting_does_not_hold_the_text(store: Store, tmp_path: Path) -> None:
    item, message = an_item(title=SECRET), a_message(text=f"my {SECRET}")
    await embedded(store, item, message, an_entry(target_id=item.id, after={"title": SECRET}))
    await store.forget(ANA, ForgetItem(item.id))
    await store.forget(ANA, ForgetConversation(message.conversation))
    await store.backup(tmp_path / "copy")
    assert SECRET.encode() not in (tmp_path / "copy").read_bytes()
