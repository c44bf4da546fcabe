"""What forgetting promises of a person's own rows: a receipt, no trace, and in a dry run nothing but the receipt."""

from __future__ import annotations

import sqlite3
from contextlib import closing
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
    a_case,
    a_conversation,
    a_job,
    a_message,
    a_note,
    a_query,
    a_run,
    a_vector,
    a_view,
    an_entry,
    an_id,
    an_item,
    buffering,
    ids_of,
    items_where,
    kept,
)
from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note, NoteKind
from relembra.domain.scope import Place, shelf_of
from relembra.errors import StaleError
from relembra.store.port import (
    ConversationFilter,
    Forget,
    ForgetConversation,
    ForgetItem,
    ForgetPerson,
    IndexMessages,
    Kind,
    Ledger,
    MessageFilter,
    NoteFilter,
    Put,
    PutVectors,
    Store,
    Whole,
)

SECRET = "xylophone"
GENERAL = Place("guild", "general")
GUILD = shelf_of(ANA, GENERAL)
REPORTS = (NoteKind.WEEKLY, NoteKind.MONTHLY, NoteKind.APPOINTMENT)


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
    told: list[Any] = [await store.get(ANA, of, ids) for of in (KnowledgeItem, Message, Note)]
    assert told == [[], [], []]
    looks: list[Any] = [everything, MessageFilter(), NoteFilter(archived=True)]
    for wanted in looks:
        told += [(await store.page(ANA, wanted, limit=1_000)).rows, await store.search(ANA, query, wanted)]
    told += [job for job in await store.jobs(limit=1_000) if job.scope == ANA]
    told += [await store.unembedded("another model", limit=1_000), await store.page_trail(ANA)]
    for id in ids:
        assert (await store.ids_like(ANA, KnowledgeItem, id), await store.predecessors(ANA, id)) == ([], [])
        assert id not in repr(told)
    assert (await store.verify()).problems == ()


async def trail(store: Store, item: KnowledgeItem) -> list[Any]:
    return await store.trail(ANA, Target.ITEM, item.id)


# ── an item ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_forgotten_item_leaves_no_trace(store: Store) -> None:
    gone, stays, friend = an_item(title=SECRET), an_item(), an_id()
    related, replaced = an_item(related=(friend, gone.id)), an_item(superseded_by=gone.id, superseded_at=NOW)
    mention = an_entry(target_id=stays.id, before={"related": [gone.id]}, after={"superseded_by": gone.id})
    mine = an_entry(target_id=gone.id, after={"title": SECRET})
    jobs = [a_job(payload={"kind": "item", "id": gone.id}), a_job(payload={"ids": [gone.id, stays.id]})]
    await embedded(store, gone, stays, related, replaced, mention, mine, *jobs)
    receipt = await store.forget(ANA, ForgetItem(gone.id))
    assert (receipt.erased, receipt.counts["items"], receipt.counts["vectors"]) == (True, 1, 1)
    await assert_unknown(store, gone)
    assert await store.changes(ANA, [mine.change]) == []
    assert await store.jobs() == [replace(jobs[1], payload={"ids": [stays.id]})]
    assert (await store.stats()).vectors == {MODEL: 3}
    left = [stays, replace(related, related=(friend,)), replace(replaced, superseded_by=None)]
    assert await store.get(ANA, KnowledgeItem, ids_of([stays, related, replaced])) == left
    # What it had replaced does not come back.
    assert set(ids_of((await store.page(ANA, items_where())).rows)) == {stays.id, related.id}
    assert replaced.id not in {hit.id for hit in await store.search(ANA, a_query("glass"), items_where())}


async def test_items_that_go_along_are_forgotten_together_or_not_at_all(store: Store) -> None:
    first, second, stays = an_item(title=SECRET), an_item(title=f"{SECRET} again"), an_item()
    await embedded(store, first, second, stays)
    for along in ({first.id: 1, second.id: 2}, {second.id: 1, an_id(): 1}):
        with pytest.raises(StaleError):
            await store.forget(ANA, ForgetItem(first.id, along))
    assert len(await store.get(ANA, KnowledgeItem, [first.id, second.id])) == 2
    receipt = await store.forget(ANA, ForgetItem(first.id, {first.id: 1, second.id: 1}))
    assert receipt.counts["items"] == 2
    await assert_unknown(store, first, second)
    assert await store.get(ANA, KnowledgeItem, [stays.id]) == [stays]


async def test_what_an_item_says_or_said_is_not_left_in_the_trails_of_others(store: Store) -> None:
    said, before = f"Ana plays the {SECRET}.", f"Ana plays an old {SECRET}."
    gone, stays = an_item(content=said), an_item()
    corrected = an_entry(target_id=gone.id, before={"content": before}, after={"content": said}, change="k1", why="x")
    together = an_entry(change="k1", target_id=stays.id, why="made at once")
    apart = an_entry(target_id=stays.id, why="newer")
    copied = an_entry(target_id=stays.id, before={"content": said, "tags": [f"so {said}"]}, why=f"because {said}")
    quoting = an_entry(target_id=stays.id, why=f"we heard that {before.lower()}")
    await kept(store, gone, stays, corrected, together, apart, copied, quoting)
    await store.forget(ANA, ForgetItem(gone.id))
    assert await trail(store, stays) == [
        replace(together, why=None),
        apart,
        replace(copied, before={"content": None, "tags": []}, why=None),
        replace(quoting, why=None),
    ]


async def test_short_words_of_an_item_are_taken_from_other_trails_where_they_stand_alone(store: Store) -> None:
    before = {"title": "of an oboe, lost", "value": "Oboes", "area": "oboe", "tags": ["oboe", "oboist"]}
    for said in ({"value": "Oboe"}, {"tags": ("oboe", "of")}, {"title": "OBOE"}):
        gone, stays = an_item(**said), an_item()
        await kept(store, gone, stays, an_entry(target_id=stays.id, before=before, why="it had an oboe"))
        await store.forget(ANA, ForgetItem(gone.id))
        [left] = await trail(store, stays)
        assert left.before == {"title": None, "value": "Oboes", "area": "oboe", "tags": ["oboist"]}
        assert left.why is None


async def test_what_a_row_still_says_itself_stays_in_its_trail(store: Store) -> None:
    words = {"title": f"Plays the {SECRET}", "value": SECRET, "tags": ("band",), "evidence": f"my {SECRET} is here"}
    gone, stays = an_item(**words), an_item(**words)
    archived = an_item(content=f"Plays the {SECRET} and nobody knows. " * 9, archived_at=NOW)
    after = {**words, "tags": ["band"]}
    entry = an_entry(target_id=stays.id, after=after, why=f"says {SECRET}")
    chat = an_entry(target=Target.CONVERSATION, target_id="c1", after={"title": f"Plays the {SECRET}"})
    whole = an_entry(target_id=archived.id, after={"content": archived.content})
    await kept(store, gone, replace(stays, evidence=None), archived, a_conversation(title=f"Plays the {SECRET}"))
    await kept(store, entry, chat, whole)
    await store.forget(ANA, ForgetItem(gone.id))
    assert await trail(store, stays) == [replace(entry, after=after | {"evidence": None})]
    assert await store.trail(ANA, Target.CONVERSATION, "c1") == [chat]
    assert await trail(store, archived) == [whole]


# ── a conversation ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_forgotten_conversation_leaves_no_trace(store: Store) -> None:
    chat, other_chat = a_conversation(), a_conversation(id="c2")
    messages = [a_message(text=SECRET, external_id=f"x{n}") for n in range(3)]
    fresh, hidden, other = a_message(text=SECRET), a_message(deleted_at=NOW), a_message(conversation="c2")
    note = a_note(summary=SECRET, message_ids=tuple(ids_of(messages)))
    archived = a_note(summary=f"{SECRET} " * 90, note_ids=(note.id,), archived_at=NOW)
    item = an_item(title=SECRET, note_id=note.id, message_ids=(messages[0].id,))
    from_note = an_item(title=SECRET, note_id=note.id, archived_at=NOW)
    friend = an_item(related=(item.id,))
    entries = [
        an_entry(target=Target.CONVERSATION, target_id=chat.id, after={"title": SECRET}),
        an_entry(target=Target.NOTE, target_id=note.id),
        an_entry(target=Target.ITEM, target_id=item.id),
    ]
    payloads: list[dict[str, Any]] = [{"conversation": chat.id}, {"ids": ids_of(messages)}, {"id": item.id}]
    other_job = a_job(payload={"conversation": "c2"})
    await embedded(store, chat, other_chat, *messages, other, note, archived, item, from_note)
    await kept(store, fresh, hidden, friend, *entries, *(a_job(payload=one) for one in payloads), other_job)

    receipt = await store.forget(ANA, ForgetConversation(chat.id))

    counts = [receipt.counts[place] for place in ("conversations", "messages", "notes", "items", "audit", "jobs")]
    assert counts == [1, 5, 2, 2, 3, 3]
    await assert_unknown(store, *messages, fresh, hidden, note, archived, item, from_note)
    assert await store.get(ANA, Conversation, [chat.id, "c2"]) == [other_chat]
    assert await store.jobs() == [other_job]
    assert await store.get(ANA, Message, [other.id]) == [other]
    assert await store.get(ANA, KnowledgeItem, [friend.id]) == [replace(friend, related=())]
    assert (await store.stats()).vectors == {MODEL: 1}
    assert (await kept(store, a_message(external_id="x0"))).known == ()  # it can be saved again
    untouched = a_message(conversation="without a row")
    await kept(store, untouched)
    assert (await store.forget(ANA, ForgetConversation("without a row"))).counts["messages"] == 1
    await assert_unknown(store, untouched)


async def test_items_learnt_from_something_else_as_well_stay_without_pointer_and_evidence(store: Store) -> None:
    gone, other = a_message(), a_message(conversation="c2")
    note = a_note(message_ids=(gone.id,))
    hint = f"she hinted at a {SECRET}"
    twice = an_item(message_ids=(gone.id, other.id), note_id=note.id, evidence=hint, version=3)
    filed = an_item(message_ids=(gone.id, other.id), evidence=hint, content="long " * 90, archived_at=NOW)
    unsourced, elsewhere = an_item(), an_item(message_ids=(other.id,), evidence="she said it twice")
    entry = an_entry(target_id=twice.id, before={"evidence": f"a {SECRET}?"}, after={"evidence": hint})
    await kept(store, gone, other, note, twice, filed, unsourced, elsewhere, entry)
    assert (await store.forget(ANA, ForgetConversation("c1"))).counts["pointers"] == 2
    assert await store.get(ANA, KnowledgeItem, ids_of([twice, filed, unsourced, elsewhere])) == [
        replace(twice, message_ids=(other.id,), note_id=None, evidence=None),
        replace(filed, message_ids=(other.id,), evidence=None),
        unsourced,
        elsewhere,
    ]
    [left] = await trail(store, twice)
    assert (left.before, left.after) == ({"evidence": None}, {"evidence": None})
    assert (await store.verify()).problems == ()


async def test_words_of_a_forgotten_conversation_are_not_left_in_trails_and_evidence(store: Store) -> None:
    chat = a_conversation(title=f"All about my {SECRET}")
    message = a_message(text=f"Yesterday somebody stole my {SECRET} from the car, imagine!")
    note = a_note(summary=f"Ana misses a {SECRET}.", message_ids=(message.id,))
    filed = a_note(summary=f"Ana still misses that {SECRET}. " * 9, message_ids=(message.id,), archived_at=NOW)
    renamed = an_entry(target=Target.CONVERSATION, target_id=chat.id, before={"title": f"{SECRET.title()} gone"})
    item, other = an_item(evidence=f"quote: {message.text}"), an_item()
    said = [f"She wrote: {message.text}", f"somebody stole my {SECRET}", f"see {chat.title}", f"as {note.summary}"]
    said += [f"was {SECRET} gone", f"was: {filed.summary}"]
    entries = [an_entry(target_id=item.id, why=why) for why in said]
    short = an_entry(target_id=other.id, why="thank you")  # is nobody's in particular
    await kept(store, chat, message, a_message(text="thank you"), note, filed, item, other, renamed, *entries, short)
    await store.forget(ANA, ForgetConversation(chat.id))
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [replace(item, evidence=None)]
    assert await trail(store, item) == [replace(entry, why=None) for entry in entries]
    assert await trail(store, other) == [short]


# ── a person ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_forgotten_person_leaves_nothing_in_this_tenant(store: Store) -> None:
    for scope in (ANA, BIA, ANA_ELSEWHERE):
        item, message, note = an_item(scope=scope), a_message(scope=scope, external_id="x"), a_note(scope=scope)
        archived = an_item(scope=scope, content="long " * 90, archived_at=NOW)
        entry, job = an_entry(scope=scope), a_job(scope=scope, key="night")
        await embedded(store, item, archived, message, note, a_conversation(scope=scope), entry, job)
    before = await store.stats(BIA), await store.stats(ANA_ELSEWHERE)
    receipt = await store.forget(ANA, ForgetPerson())
    assert [receipt.counts[place] for place in ("messages", "items", "notes", "jobs", "audit")] == [1, 2, 1, 1, 1]
    mine = await store.stats(ANA)
    assert (mine.people, mine.conversations, mine.messages, mine.notes) == (0, 0, 0, 0)
    assert sum(mine.items.values()) + sum(mine.vectors.values()) + sum(mine.jobs.values()) == 0
    looks: list[Any] = [items_where(history=True, deleted=True), MessageFilter(), ConversationFilter()]
    for wanted in looks:
        assert (await store.page(ANA, wanted)).rows == ()
    assert {job.scope for job in await store.jobs()} == {BIA, ANA_ELSEWHERE}
    assert {row.scope for row in await store.unembedded("other", limit=100)} == {BIA, ANA_ELSEWHERE}
    assert (await store.stats(BIA), await store.stats(ANA_ELSEWHERE)) == before
    assert (await store.verify()).problems == ()


async def test_what_belongs_to_another_person_cannot_be_forgotten(store: Store) -> None:
    item, message, chat = an_item(), a_message(), a_conversation()
    job = a_job(payload={"id": item.id})
    await kept(store, item, message, chat, job)
    for stranger in STRANGERS:
        await kept(store, an_item(scope=stranger, related=(item.id,)))
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


# ── automatic notes ───────────────────────────────────────────────────────────────────────────────────────────────


async def notes_left(store: Store) -> set[str]:
    return set(ids_of((await store.page(ANA, NoteFilter(archived=True))).rows))


async def test_an_automatic_note_goes_with_an_item_it_quotes_and_leaves_others_words_to_them(store: Store) -> None:
    item, insight = an_item(content="Sold the boat house"), an_item(evidence="slept well on five walking days")
    quoting = [a_note(kind=kind, summary=f"- “Sold the boat house”\n- “{insight.evidence}”") for kind in REPORTS]
    stays = [a_note(kind=kind, summary="- “Keeps bees” [Mar 3]") for kind in REPORTS]
    talk = a_note(summary="Ana: “Sold the boat house”")
    theirs = a_note(scope=BIA, kind=NoteKind.WEEKLY, summary="- “Sold the boat house”")
    after = {"kind": "weekly", "summary": quoting[0].summary}
    entry = an_entry(target=Target.NOTE, target_id=quoting[0].id, after=after)
    await kept(store, item, insight, *quoting, *stays, talk, theirs, entry)
    gone = await store.forget(ANA, ForgetItem(item.id))
    assert (gone.counts["notes"], gone.notes) == (3, tuple(sorted(ids_of(quoting))))
    assert await notes_left(store) == {talk.id, *ids_of(stays)}
    assert await store.trail(ANA, Target.NOTE, quoting[0].id) == []
    assert await store.get(ANA, KnowledgeItem, [insight.id]) == [insight]
    assert await store.get(BIA, Note, [theirs.id]) == [theirs]


QUOTED: list[tuple[dict[str, str], str, bool]] = [
    # what an item says, what a report does, and whether that is a quotation
    ({"content": "Sold the boat house " + "and more " * 100}, "- “Sold the boat house and more and more…”", True),
    ({"content": "Uses <b> snake_case"}, r"- “Uses &lt;b&gt; snake\_case”", True),
    ({"content": "Weighs 72 kg", "value": "72 kg"}, "- weight: “74 kg” → “72 kg”", True),
    ({"content": "Weighs 72 kg", "value": "72 kg"}, "- Weight: “the 72 kg class”", False),
]


async def test_a_quotation_may_be_cut_or_escaped_and_a_short_one_is_all_that_is_quoted(store: Store) -> None:
    for parts, summary, is_quoting in QUOTED:
        item, report = an_item(title="x", **parts), a_note(kind=NoteKind.WEEKLY, summary=summary)
        await kept(store, item, report)
        await store.forget(ANA, ForgetItem(item.id))
        assert (report.id in await notes_left(store)) is not is_quoting, summary


async def test_a_conversation_takes_the_reports_that_quote_it(store: Store) -> None:
    message = a_message(text="my boat sank yesterday")
    quoting = a_note(kind=NoteKind.APPOINTMENT, summary="- “my boat sank yesterday”")
    another = a_note(kind=NoteKind.APPOINTMENT, summary="- “my head hurts”")
    await kept(store, a_conversation(), message, quoting, another)
    await store.forget(ANA, ForgetConversation("c1"))
    assert await notes_left(store) == {another.id}


# ── the receipt and the dry run ───────────────────────────────────────────────────────────────────────────────────

ITEM, OTHER, REPORT, TALK = (an_id() for _ in range(4))
WAYS: list[tuple[Forget, set[str]]] = [
    # what is forgotten, and the person's own notes that go along
    (ForgetItem(ITEM), {REPORT}),
    (ForgetConversation("c1"), {REPORT, TALK}),
    (ForgetPerson(), set()),
]


async def filled(store: Store) -> None:
    """Something of every kind that forgetting reaches, of two people and a space."""
    said = [a_message(text="we sold the boat house"), a_message(place=GENERAL, text="good morning to all of you")]
    theirs = a_message(scope=BIA, author="bia", place=GENERAL)
    for message in (*said, theirs):
        await store.apply(message.scope, [buffering(message)])
    talk = a_note(id=TALK, summary="we sold the boat house", message_ids=(said[0].id,))
    shared = a_note(scope=GUILD, place=GENERAL, summary="good morning to all of you", message_ids=(said[1].id,))
    item = an_item(id=ITEM, content="Sold the boat house", note_id=talk.id, message_ids=(said[0].id,))
    other = an_item(id=OTHER, content="Keeps bees", related=(ITEM,))
    report = a_note(id=REPORT, kind=NoteKind.WEEKLY, summary="- “Sold the boat house” [Mar 3]")
    entries = [an_entry(target_id=ITEM), an_entry(target=Target.NOTE, target_id=REPORT)]
    await kept(store, a_conversation(), talk, item, other, report, *entries, a_job(payload={"id": ITEM}))
    await kept(store, shared, an_item(scope=BIA, note_id=shared.id), a_case(old_id=OTHER, new_id=ITEM))
    await store.apply(ANA, [Put(a_run(raw="an answer"), None), Put(a_view(), None)])
    await store.apply(ANA, [PutVectors(Kind.ITEM, ITEM, MODEL, (a_vector(1, 0),))])


async def held(store: Store, folder: Path) -> Any:
    """All there is to read, down to stamps, and every row of every table as a copy has it."""
    told: list[Any] = [await store.stamps([ANA, BIA, GUILD]), await store.jobs(), replace(await store.stats(), bytes=0)]
    for scope in (ANA, BIA, GUILD):
        told += [(await store.page(scope, Whole(ledger))).rows for ledger in Ledger]
        told += [await store.page_trail(scope), await store.buffers(scope)]
    copy = folder / an_id()
    await store.backup(copy)
    with closing(sqlite3.connect(f"file:{copy}?mode=ro", uri=True)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        rows = {name: sorted(file.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}  # noqa: S608 (own)
        rows["meta"] = [row for row in rows["meta"] if row[0] != "identity"]  # each copy's own
        return told, {name: rows[name] for name in tables if name != "clock"}


@pytest.mark.parametrize(("what", "notes"), WAYS)
async def test_a_dry_run_tells_the_receipt_and_changes_nothing(
    store: Store, what: Forget, notes: set[str], tmp_path: Path
) -> None:
    await filled(store)
    before = await held(store, tmp_path)
    would = await store.forget(ANA, what, dry_run=True)
    assert (would.dry_run, would.erased) == (True, False)
    nothing = await store.forget(ANA, ForgetItem(an_id()), dry_run=True)
    assert (nothing.total, nothing.notes, set(nothing.counts.values())) == (0, (), {0})
    assert await held(store, tmp_path) == before
    gone = await store.forget(ANA, what)
    assert replace(would, dry_run=False, erased=gone.erased) == gone
    assert gone.erased
    assert min(gone.counts["items"], gone.counts["notes"]) > 0
    assert gone.notes == tuple(sorted(notes))
    assert gone.counts.keys() == nothing.counts.keys()
    assert (await store.forget(ANA, what)).total == 0
    assert (await store.verify()).problems == ()
