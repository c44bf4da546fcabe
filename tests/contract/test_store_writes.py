"""What `apply` promises: all or none, versions, and what each operation does."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime, timedelta, timezone
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
    a_night,
    a_note,
    a_query,
    a_run,
    a_vector,
    a_view,
    an_entry,
    an_id,
    an_item,
    days,
    ids_of,
    items_where,
    kept,
    minutes,
    puts,
)
from relembra.domain.audit import Actor, ActorKind, Target
from relembra.domain.case import Outcome
from relembra.domain.jobs import Run, RunKind, RunStatus, Tally
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.scope import Place
from relembra.domain.searchable import item_text, note_text
from relembra.errors import ConflictError, StaleError
from relembra.store.port import (
    ConversationFilter,
    Enqueue,
    Expect,
    FinishJob,
    HideMessages,
    IndexMessages,
    Kind,
    MessageFilter,
    NameNote,
    NoteFilter,
    Op,
    Put,
    PutMessage,
    PutVectors,
    Receipt,
    Store,
    Touch,
    TouchConversation,
    View,
)

ANYWHERE = MessageFilter()


def a_full_item() -> KnowledgeItem:
    return an_item(
        place=Place("guild", "café"), type=KnowledgeType.PERSON, area=LifeArea.RELATIONSHIPS, sub_area="family",
        subject="João", speaker="bia", attribute="residence", value="São Paulo 🌇", title="João\tlives in “São Paulo”",
        content="line one\nline two; 'quotes' \"too\"; مرحبا", language="pt", source=Source.AI_INFERENCE,
        note_id=an_id(), message_ids=(an_id(), an_id()), evidence="said twice", confidence=0.7000001, weight=0.123456,
        priority=9, validated=True, needs_resolution=True, related=(an_id(), an_id()),
        tags=("família", "a,b", "with space"), person={"name": "João", "birthday": "1990-01-02"}, observations=3,
        accesses=4, last_access=NOW + timedelta(microseconds=1), held_from=NOW - days(400), held_until=NOW + days(1),
        superseded_by=an_id(), superseded_at=NOW + timedelta(microseconds=123_456), expires_at=NOW + days(2),
        archived_at=NOW + days(3), deleted_at=NOW + days(4), created_at=NOW - timedelta(microseconds=1),
        updated_at=NOW + days(5), reinforced_at=NOW + days(6), weighed_at=NOW + days(7), zone="America/Recife",
        version=7,
    )  # fmt: skip


FULL: list[Any] = [
    a_message(role=Role.ASSISTANT, author="Relembra", text=" spaces stay \r\n\ttabs, emoji 🧠, עברית ",
        sent_at=NOW - timedelta(microseconds=999_999), zone="America/Sao_Paulo", place=Place("guild", "general"),
        external_id="wamid.1", metadata={"client": "app", "ação": "sim"}, saved_at=NOW + minutes(1),
        deleted_at=NOW + minutes(2)),
    a_note(place=Place("guild", "general"), conversation="a chat/1 ✓", kind=NoteKind.TOPIC_CLUSTER,
        participants=("ana", "João"), message_ids=(an_id(), an_id()), note_ids=(an_id(),), happened_at=NOW - days(1),
        archived_at=NOW + days(1), deleted_at=NOW + days(2), version=3),
    a_conversation(id="a chat/1 ✓", place=Place("guild", "general"), title="Título", updated_at=NOW + minutes(1),
        deleted_at=NOW + minutes(2), version=5),
    a_case(place=Place("guild", "café"), judged_by="model:x", why="“mora em” e “vive em”", certainty=0.625,
        outcome=Outcome.BOTH, settled_by="person:ana", change=an_id(), asked=2, asked_at=NOW + minutes(1),
        opened_at=NOW - days(1), settled_at=NOW + timedelta(microseconds=1), version=3),
    a_view(body={"lines": ["Mora em Recife 🌇"], "n": {"a": [1, 0.5, None, True]}}, version=4),
    a_view(name="none", body=None, made_at=NOW + timedelta(microseconds=7)),
    a_view(name="empty", body={}),
    a_run(kind=RunKind.GARDENING, night=a_night(2), since=NOW - minutes(1_440), until=NOW + minutes(1),
        status=RunStatus.PARTIAL, tally=Tally(**{part.name: number for number, part in enumerate(fields(Tally), 1)}),
        changes=("k2", "k1"), memory_before=3, memory_after=4, memory_updates=("self", "week"), model_calls=2,
        input_tokens=700, output_tokens=90, raw='{"insights": ["ação", "🙂"]}',
        error="two of nine could not be judged: the model was busy", started_at=NOW + minutes(2),
        finished_at=NOW + minutes(3), version=4),
    an_item(),
    a_note(),
    a_message(),
    a_conversation(),
    a_case(),
    a_run(),
]  # fmt: skip
"""Rows of every kind with every part, and plain ones."""


def key_of(row: Any) -> str:
    return str(row.name if isinstance(row, View) else row.id)


def test_no_part_of_the_full_record_is_left_at_its_default() -> None:
    plain, full = a_run(), next(row for row in FULL if isinstance(row, Run))
    assert [part.name for part in fields(Run) if getattr(full, part.name) == getattr(plain, part.name)] == ["scope"]


async def test_every_part_of_a_row_is_kept(store: Store) -> None:
    for row in (*FULL, a_full_item()):
        await (store.apply(ANA, [Put(row, None)]) if isinstance(row, View) else kept(store, row))
        assert await store.find(ANA, type(row), key_of(row)) == row
        assert await store.get(ANA, type(row), [an_id(), key_of(row)]) == [row]


async def test_every_part_of_an_audit_entry_is_kept(store: Store) -> None:
    entry = an_entry(
        actor=Actor(ActorKind.MODEL, "openai:gpt-5"), verb="supersede", target=Target.NOTE,
        before={"value": None, "tags": ["a", "b"], "nested": {"confidence": 0.95, "ok": True}}, after=None,
        why="because “ç”", undoes=an_id(),
    )  # fmt: skip
    await kept(store, entry)
    assert await store.trail(ANA, Target.NOTE, entry.target_id) == [entry]


async def test_moments_of_another_zone_are_the_same_moments(store: Store) -> None:
    here = timezone(timedelta(hours=-3))
    item = an_item(created_at=NOW.astimezone(here))
    await kept(store, item)
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    assert ids_of((await store.page(ANA, items_where(since=NOW.astimezone(here)))).rows) == [item.id]


# ── all or none ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_operations_are_applied_in_the_given_order(store: Store) -> None:
    assert await store.apply(ANA, []) == Receipt()
    first = an_item()
    second = replace(first, title="Second", version=2)
    await store.apply(ANA, [Put(first, None), Put(second, 1), Touch(Kind.ITEM, (first.id,), NOW)])
    [item] = await store.get(ANA, KnowledgeItem, [first.id])
    assert (item.title, item.version, item.accesses) == ("Second", 2, 1)


async def test_all_or_none_of_the_operations_are_applied(store: Store) -> None:
    held, said, chat, job = an_item(title="held glass"), a_message(), a_conversation(), a_job()
    await kept(store, held, said, chat, job)
    new_item, new_note, new_message, new_job = an_item(), a_note(), a_message(external_id="x"), a_job()
    entry = an_entry(target_id=held.id)
    ops: list[Op] = [
        Put(replace(held, title="changed copper", version=2), 1),
        *puts(new_item, new_note, new_message, new_job, entry),
        TouchConversation(replace(chat, updated_at=NOW + days(1))), TouchConversation(a_conversation(id="c2")),
        HideMessages("c1", NOW), IndexMessages((said.id,)), PutVectors(Kind.ITEM, held.id, MODEL, (a_vector(1, 0),)),
        Touch(Kind.ITEM, (held.id,), NOW), FinishJob(job.id), Put(an_item(), 1),
    ]  # fmt: skip
    with pytest.raises(ConflictError):
        await store.apply(ANA, ops)
    assert await store.get(ANA, KnowledgeItem, [held.id, new_item.id]) == [held]
    assert await store.get(ANA, Note, [new_note.id]) == []
    assert await store.get(ANA, Message, [said.id, new_message.id]) == [said]
    assert await store.get(ANA, Conversation, ["c1", "c2"]) == [chat]
    assert await store.trail(ANA, Target.ITEM, held.id) == []
    assert await store.jobs() == [job]
    assert (await store.stats()).vectors == {}
    assert await store.search(ANA, a_query("copper"), items_where()) == []
    assert [hit.id for hit in await store.search(ANA, a_query("held"), items_where())] == [held.id]
    assert (await store.apply(ANA, [PutMessage(new_message)])).known == ()
    assert (await store.verify()).problems == ()


async def test_a_row_of_another_scope_is_refused_and_its_id_as_free_as_an_unknown_one(store: Store) -> None:
    mine: list[AnyRow] = [an_item(), a_note(), a_message(external_id="x"), a_conversation()]
    for stranger in STRANGERS:
        theirs: list[AnyRow] = [an_item(scope=stranger), a_note(scope=stranger), a_message(scope=stranger)]
        theirs += [a_conversation(scope=stranger), an_entry(scope=stranger), a_case(scope=stranger)]
        for op in (*puts(*theirs), TouchConversation(a_conversation(scope=stranger))):
            with pytest.raises(ValueError):
                await store.apply(ANA, [*puts(mine[0]), op])
    assert await store.get(ANA, KnowledgeItem, [mine[0].id]) == []
    await kept(store, *mine)
    same = [replace(row, scope=ANA_ELSEWHERE) for row in mine]
    assert (await kept(store, *same)).known == ()
    assert await store.get(ANA_ELSEWHERE, KnowledgeItem, [mine[0].id]) == [same[0]]
    assert await store.get(ANA, KnowledgeItem, [mine[0].id]) == [mine[0]]


async def test_a_job_may_be_left_for_another_of_the_same_tenant_only(store: Store) -> None:
    theirs = a_job(scope=BIA)
    await store.apply(ANA, [Enqueue(theirs)])
    assert await store.jobs() == [theirs]
    with pytest.raises(ConflictError):
        await store.apply(ANA, [FinishJob(theirs.id)])
    await store.apply(BIA, [FinishJob(theirs.id)])
    with pytest.raises(ValueError):
        await store.apply(ANA, [Enqueue(a_job(scope=ANA_ELSEWHERE))])
    with pytest.raises(ConflictError):
        await store.apply(ANA, [Enqueue(a_job(scope=BIA)), Put(an_item(), 1)])
    assert await store.jobs() == []
    assert (await store.stats(BIA)).people == 0


# ── versions ──────────────────────────────────────────────────────────────────────────────────────────────────────


PUT: list[tuple[Any, dict[str, Any]]] = [
    (an_item, {"title": "Changed"}),
    (a_note, {"title": "Changed"}),
    (a_conversation, {"title": "Changed", "deleted_at": NOW}),
    (a_case, {"outcome": Outcome.NEW, "settled_by": "rule"}),
    (a_view, {"body": None}),
    (a_run, {"status": RunStatus.COMPLETED, "raw": None, "tally": Tally(created=2), "finished_at": NOW}),
]
"""What is put at a version, and what changes."""


async def test_the_stored_rows_version_must_be_the_expected_one(store: Store) -> None:
    for made, changes in PUT:
        await store.apply(BIA, [Put(made(scope=BIA), None)])
        row, beside = made(version=2), an_item()
        with pytest.raises(StaleError):  # theirs is not mine
            await store.apply(ANA, [Put(row, 1)])
        assert await store.find(ANA, type(row), key_of(row)) is None
        await store.apply(ANA, [Put(row, None)])
        changed = replace(row, **changes, version=3)
        for expects in (None, 1, 3):
            with pytest.raises(StaleError):
                await store.apply(ANA, [*puts(beside), Put(changed, expects)])
        assert await store.find(ANA, type(row), key_of(row)) == row
        assert await store.find(ANA, KnowledgeItem, beside.id) is None
        await store.apply(ANA, [Put(changed, 2)])
        assert await store.find(ANA, type(row), key_of(row)) == changed


async def test_what_is_held_of_an_attribute_must_be_exactly_the_expected_items(store: Store) -> None:
    one, two = (an_item(attribute="residence", value=value) for value in ("Recife", "Olinda"))
    expired = an_item(attribute="residence", expires_at=NOW - days(1))
    await kept(
        store, one, two, expired,
        *(an_item(attribute="residence", **{gone: NOW}) for gone in ("superseded_at", "archived_at", "deleted_at")),
        an_item(attribute="employment"), an_item(attribute="residence", subject="joão"), an_item(),
        an_item(attribute="residence", scope=BIA),
    )  # fmt: skip
    held = frozenset({one.id, two.id, expired.id})
    added = an_item(attribute="residence")
    for wrong in (held - {one.id}, held | {an_id()}, frozenset[str]()):
        with pytest.raises(StaleError):
            await store.apply(ANA, [Expect(held=("self", "residence", wrong)), Put(added, None)])
    with pytest.raises(StaleError):  # it is looked at where it stands among the operations
        await store.apply(ANA, [Put(added, None), Expect(held=("self", "residence", held))])
    assert await store.get(ANA, KnowledgeItem, [added.id]) == []
    after = Expect(held=("self", "residence", held | {added.id}))
    await store.apply(ANA, [Expect(held=("self", "residence", held)), Put(added, None), after])
    assert await store.get(ANA, KnowledgeItem, [added.id]) == [added]
    await store.apply(ANA, [Expect(held=("self", "height", frozenset()))])


# ── messages ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_external_id_and_role_saved_before_is_left_as_it_was(store: Store) -> None:
    first = a_message(external_id="x", text="first")
    receipt = await kept(store, first, a_message(external_id="x", text="again"))  # also at once
    assert receipt.known == (first,)
    receipt = await kept(store, a_message(external_id="x", text="again"), a_message(text="another"), a_message())
    assert receipt.known == (first,)
    assert len((await store.page(ANA, ANYWHERE)).rows) == 3
    await store.apply(ANA, [HideMessages("c1", NOW)])
    assert (await kept(store, a_message(external_id="x"))).known == (replace(first, deleted_at=NOW),)
    others = [a_message(external_id="x", role=role) for role in Role if role is not Role.USER]
    assert (await kept(store, *others)).known == ()
    for stranger in STRANGERS:
        assert (await kept(store, a_message(external_id="x", scope=stranger))).known == ()


async def test_a_messages_own_id_cannot_be_taken_twice(store: Store) -> None:
    said = a_message()
    await kept(store, said)
    with pytest.raises(ConflictError):
        await kept(store, replace(said, text="rewritten"))
    assert await store.get(ANA, Message, [said.id]) == [said]


async def test_messages_are_hidden_at_a_moment_and_those_hidden_at_exactly_that_one_shown_again(store: Store) -> None:
    early, late, other, theirs = a_message(), a_message(), a_message(conversation="c2"), a_message(scope=BIA)
    await kept(store, early, other, theirs)
    await store.apply(ANA, [HideMessages("c1", NOW)])
    await kept(store, late)
    await store.apply(ANA, [HideMessages("c1", NOW + minutes(1))])

    async def hidden() -> list[datetime | None]:
        rows = await store.get(ANA, Message, [early.id, late.id, other.id])
        return [row.deleted_at for row in (*rows, *await store.get(BIA, Message, [theirs.id]))]

    assert await hidden() == [NOW, NOW + minutes(1), None, None]
    await store.apply(BIA, [HideMessages("c1", NOW)])
    await store.apply(ANA, [HideMessages("c1", NOW, undo=True)])
    assert await hidden() == [None, NOW + minutes(1), None, NOW]


# ── conversations ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_touching_creates_a_conversation_or_moves_updated_at_forward_and_nothing_else(store: Store) -> None:
    chat = a_conversation(place=Place("guild", "general"), title="")

    async def touched(**changes: Any) -> Conversation | None:
        await store.apply(ANA, [TouchConversation(a_conversation(**changes))])
        return await store.find(ANA, Conversation, chat.id)

    assert await touched(place=chat.place, title="") == chat
    assert await touched(title="", updated_at=NOW - minutes(5)) == chat
    named = replace(chat, title="First", updated_at=NOW + minutes(5))
    assert await touched(title="First", created_at=NOW + minutes(5), updated_at=NOW + minutes(5)) == named
    assert await touched(title="Second") == named
    deleted = replace(named, deleted_at=NOW, version=2)
    await store.apply(ANA, [Put(deleted, 1)])
    assert await touched() == replace(named, version=3)
    assert ids_of((await store.page(ANA, ConversationFilter())).rows) == [chat.id]


async def test_only_new_messages_touch_their_conversation(store: Store) -> None:
    chat, known = a_conversation(deleted_at=NOW), a_message(external_id="x")
    await kept(store, chat, known)
    again = a_message(external_id="x")
    touches = [TouchConversation(a_conversation(id=id, updated_at=NOW + days(1))) for id in ("c1", "c2")]
    receipt = await store.apply(ANA, [*touches, PutMessage(again), PutMessage(replace(again, conversation="c2"))])
    assert receipt.known == (known, known)
    assert await store.get(ANA, Conversation, ["c1", "c2"]) == [chat]
    reply = a_message(external_id="x", role=Role.ASSISTANT)
    await store.apply(ANA, [*touches, PutMessage(again), PutMessage(reply)])
    shown = replace(chat, updated_at=NOW + days(1), deleted_at=None, version=2)
    assert await store.get(ANA, Conversation, ["c1", "c2"]) == [shown]
    await store.apply(ANA, [PutMessage(a_message(conversation="c2")), touches[1]])
    assert await store.find(ANA, Conversation, "c2") == touches[1].conversation


# ── accesses, vectors, terms, notes named ─────────────────────────────────────────────────────────────────────────


async def test_an_access_of_an_item_or_note_is_counted_and_version_and_updated_at_stay(store: Store) -> None:
    for kind, make in ((Kind.ITEM, an_item), (Kind.NOTE, a_note)):
        row, other, theirs = make(version=3), make(), make(scope=BIA)
        await kept(store, row, other, theirs)
        await store.apply(ANA, [Touch(kind, (row.id, an_id(), theirs.id), NOW + days(1))])
        await store.apply(ANA, [Touch(kind, (row.id,), NOW + days(2))])
        touched = replace(row, accesses=2, last_access=NOW + days(2))
        assert await store.get(ANA, type(row), [row.id, other.id]) == [touched, other]
        assert await store.get(BIA, type(row), [theirs.id]) == [theirs]
        changed = replace(touched, title="Another morning", version=4)
        await store.apply(ANA, [Put(changed, 3)])
        assert await store.get(ANA, type(row), [row.id]) == [changed]


async def test_new_words_end_the_vectors_of_the_old_ones(store: Store) -> None:
    item, note = an_item(), a_note()
    await kept(store, item, note)
    put = ((Kind.ITEM, item.id), (Kind.NOTE, note.id))
    await store.apply(ANA, [PutVectors(kind, id, MODEL, (a_vector(1, 0), a_vector(0, 1))) for kind, id in put])
    same: list[Op] = [Put(replace(item, priority=9, version=2), 1), Put(replace(note, archived_at=NOW, version=2), 1)]
    await store.apply(ANA, same)
    assert (await store.stats()).vectors == {MODEL: 2}
    await store.apply(ANA, [Put(replace(item, title="Other", version=3), 2)])
    assert (await store.stats()).vectors == {MODEL: 1}
    await store.apply(ANA, [Put(replace(note, archived_at=NOW, summary="Other", version=3), 2)])
    assert {row.id for row in await store.unembedded(MODEL, limit=5)} == {item.id, note.id}


async def test_a_vector_of_a_row_that_is_gone_of_a_stranger_or_of_another_kind_is_nothing(store: Store) -> None:
    theirs: dict[Kind, AnyRow] = {
        Kind.ITEM: an_item(scope=BIA),
        Kind.NOTE: a_note(scope=BIA),
        Kind.MESSAGE: a_message(scope=BIA),
    }
    note = a_note()
    await kept(store, *theirs.values(), note)
    ids = [(kind, id) for kind, row in theirs.items() for id in (row.id, an_id(), "no id")]
    for kind, id in (*ids, (Kind.ITEM, note.id)):
        await store.apply(ANA, [PutVectors(kind, id, MODEL, (a_vector(1, 0),))])
    assert (await store.stats()).vectors == {}


async def test_indexing_passes_over_messages_indexed_already_and_ids_that_are_gone(store: Store) -> None:
    said, theirs = a_message(text="glass"), a_message(text="glass", scope=BIA)
    await kept(store, said, theirs)
    for _ in range(2):
        await store.apply(ANA, [IndexMessages((said.id, theirs.id, an_id(), said.id))])
    [hit] = await store.search(ANA, a_query("glass"), ANYWHERE)
    assert hit.id == said.id
    assert (await store.verify()).problems == ()


async def test_a_note_is_named_by_items_that_name_none_and_nothing_else_changes(store: Store) -> None:
    note, other = a_note(), a_note()
    unnamed, named, unasked = an_item(), an_item(note_id=other.id), an_item()
    await kept(store, note, other, unnamed, named, unasked)
    [before] = await store.stamps([ANA])
    for stranger in STRANGERS:
        await store.apply(stranger, [NameNote((unasked.id,), note.id)])
    await store.apply(ANA, [NameNote((unnamed.id, named.id, an_id(), "no id"), note.id)])
    rows = await store.get(ANA, KnowledgeItem, [unnamed.id, named.id, unasked.id])
    assert rows == [replace(unnamed, note_id=note.id), named, unasked]
    assert (await store.stamps([ANA]))[0].known > before.known
    assert (await store.verify()).problems == ()


# ── archived items and notes: read whole, found by less ───────────────────────────────────────────────────────────

LONG = "Ana blew a vase of green glass for the winter fair and sold it. " * 40
ARCHIVED_ITEMS, ARCHIVED_NOTES = items_where(archived=True), NoteFilter(archived=True)


def an_archived_item(**changes: Any) -> KnowledgeItem:
    ordinary = {"title": "A vase", "content": LONG, "value": "green", "tags": ("fair",), "archived_at": NOW}
    return an_item(**ordinary | {"attribute": "marital_status", "subject": "Clara"} | changes)


def an_archived_note(**changes: Any) -> Note:
    return a_note(**{"title": "The fair", "summary": LONG, "participants": ("João",), "archived_at": NOW} | changes)


async def found_by(store: Store, word: str) -> set[str]:
    looks = [await store.search(ANA, a_query(word), wanted) for wanted in (ARCHIVED_ITEMS, ARCHIVED_NOTES)]
    return {hit.id for hits in looks for hit in hits}


async def test_what_is_archived_is_read_and_embedded_whole(store: Store) -> None:
    newest = an_item()
    await kept(store, newest)
    for text in (LONG, "short", "", "ação 🙂 " * 30, "a\u0000b" * 50):
        item = an_archived_item(content=text, superseded_by=newest.id, superseded_at=NOW)
        note = an_archived_note(summary=text)
        await kept(store, item, note)
        assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
        assert await store.get(ANA, Note, [note.id]) == [note]
        assert item in await store.predecessors(ANA, newest.id)
        texts = {row.id: row.text for row in await store.unembedded(MODEL, limit=50)}
        assert (texts[item.id], texts[note.id]) == (item_text(item), note_text(note))
    assert (await store.verify()).problems == ()


async def test_what_is_archived_is_found_by_its_metadata_and_vector_and_once_back_by_all_its_words(
    store: Store,
) -> None:
    item, note = an_archived_item(archived_at=None), an_archived_note(archived_at=None)
    both = {item.id, note.id}
    await kept(store, item, note, an_item())
    vector = a_vector(1, 0)
    put = [(Kind.ITEM, item.id), (Kind.NOTE, note.id)]
    await store.apply(ANA, [PutVectors(kind, id, MODEL, (vector,)) for kind, id in put])
    assert await found_by(store, "winter") == both

    filed, put_away = replace(item, archived_at=NOW, version=2), replace(note, archived_at=NOW, version=2)
    await store.apply(ANA, [Put(filed, 1), Put(put_away, 1)])
    for words, ids in {
        "winter sold self": set[str](),
        "vase green marital status clara": {item.id},
        "joão": {note.id},
        "fair": both,
    }.items():
        for word in words.split():
            assert await found_by(store, word) == ids, word
    for id, wanted in ((item.id, ARCHIVED_ITEMS), (note.id, ARCHIVED_NOTES)):
        [hit] = await store.search(ANA, a_query(vector=vector), wanted)
        assert hit.id == id
        assert hit.cosine == pytest.approx(1.0)
    assert await store.search(ANA, a_query(vector=vector), items_where()) == []
    assert (await store.verify()).problems == ()

    back, again = replace(filed, archived_at=None, version=3), replace(put_away, archived_at=None, version=3)
    await store.apply(ANA, [Put(back, 2), Put(again, 2)])
    assert await found_by(store, "winter") == both
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [back]
    assert await store.get(ANA, Note, [note.id]) == [again]
    assert (await store.stats()).vectors == {MODEL: 2}
    assert (await store.verify()).problems == ()
