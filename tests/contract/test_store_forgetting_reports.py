"""Automatic notes are made of what is known, and go with what they quote."""

from __future__ import annotations

import pytest

from builders import ANA, BIA, a_conversation, a_message, a_note, an_entry, an_item, ids_of, kept
from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note, NoteKind
from relembra.store.port import ForgetConversation, ForgetItem, NoteFilter, Store

REPORTS = (NoteKind.WEEKLY, NoteKind.MONTHLY, NoteKind.APPOINTMENT)


async def left(store: Store) -> list[str]:
    return ids_of((await store.page(ANA, NoteFilter(archived=True))).rows)


@pytest.mark.parametrize("kind", REPORTS)
async def test_an_automatic_note_goes_with_an_item_it_quotes(store: Store, kind: NoteKind) -> None:
    item = an_item(content="Sold the boat house")
    quoting = a_note(kind=kind, summary="- “Sold the boat house” [Mar 3]")
    another = a_note(kind=kind, summary="- “Keeps bees” [Mar 3]")
    entry = an_entry(target=Target.NOTE, target_id=quoting.id, after={"kind": kind.value, "summary": quoting.summary})
    await kept(store, item, quoting, another, entry)
    gone = await store.forget(ANA, ForgetItem(item.id))
    assert gone.counts["notes"] == 1
    assert await left(store) == [another.id]
    assert await store.trail(ANA, Target.NOTE, quoting.id) == []


async def test_it_goes_also_where_the_words_are_escaped_or_cut(store: Store) -> None:
    long, marked = an_item(content="Sold the boat house " + "and more " * 100), an_item(content="Uses <b> snake_case")
    cut = a_note(kind=NoteKind.WEEKLY, summary="- “Sold the boat house and more and more…”")
    escaped = a_note(kind=NoteKind.WEEKLY, summary=r"- “Uses &lt;b&gt; snake\_case”")
    await kept(store, long, marked, cut, escaped)
    await store.forget(ANA, ForgetItem(long.id))
    assert await left(store) == [escaped.id]
    await store.forget(ANA, ForgetItem(marked.id))
    assert await left(store) == []


async def test_a_short_text_is_a_quotation_where_it_is_all_that_is_quoted(store: Store) -> None:
    item = an_item(content="Weighs 72 kg", title="Weight", value="72 kg")
    quoting = a_note(kind=NoteKind.APPOINTMENT, summary="- weight: “74 kg” → “72 kg”")
    another = a_note(kind=NoteKind.APPOINTMENT, summary="- Weight: “the 72 kg class”")
    await kept(store, item, quoting, another)
    await store.forget(ANA, ForgetItem(item.id))
    assert await left(store) == [another.id]


async def test_other_notes_and_other_peoples_stay(store: Store) -> None:
    item = an_item(content="Sold the boat house")
    talk = a_note(summary="Ana: “Sold the boat house”")
    theirs = a_note(scope=BIA, kind=NoteKind.WEEKLY, summary="- “Sold the boat house”")
    await kept(store, item, talk, theirs)
    await store.forget(ANA, ForgetItem(item.id))
    assert await left(store) == [talk.id]
    assert ids_of(await store.get(BIA, Note, [theirs.id])) == [theirs.id]


async def test_what_a_forgotten_report_quoted_of_others_is_left_to_them(store: Store) -> None:
    item = an_item(content="Sold the boat house")
    insight = an_item(content="Walks help", evidence="slept well on five walking days")
    report = a_note(kind=NoteKind.WEEKLY, summary=f"- “{item.content}”\n- “Walks help” — “{insight.evidence}”")
    entry = an_entry(target=Target.NOTE, target_id=report.id, after={"kind": "weekly", "summary": report.summary})
    await kept(store, item, insight, report, entry)
    await store.forget(ANA, ForgetItem(item.id))
    assert await left(store) == []
    (kept_one,) = await store.get(ANA, KnowledgeItem, [insight.id])
    assert kept_one.evidence == insight.evidence


async def test_a_conversation_takes_the_reports_that_quote_it(store: Store) -> None:
    message = a_message(text="my boat sank yesterday")
    quoting = a_note(kind=NoteKind.APPOINTMENT, summary="- “my boat sank yesterday”")
    another = a_note(kind=NoteKind.APPOINTMENT, summary="- “my head hurts”")
    await kept(store, a_conversation(), message, quoting, another)
    await store.forget(ANA, ForgetConversation("c1"))
    assert await left(store) == [another.id]
