"""What reads promise: order, unknown ids, strangers, pages without gaps, filters, chains and trails."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import pytest

from builders import (
    ANA,
    BIA,
    NOW,
    STRANGERS,
    a_conversation,
    a_message,
    a_note,
    a_query,
    a_vector,
    an_entry,
    an_id,
    an_item,
    days,
    ids_of,
    items_where,
    kept,
    minutes,
)
from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.store.port import (
    ConversationFilter,
    Cursor,
    Filter,
    HideMessages,
    IndexMessages,
    Kind,
    MessageFilter,
    NoteFilter,
    Page,
    PutVectors,
    Store,
)

T = TypeVar("T")
GUILD = Place("guild", "general")


async def test_rows_come_in_the_order_asked_and_unknown_ids_are_left_out(store: Store) -> None:
    items = [an_item() for _ in range(3)]
    messages = [a_message() for _ in range(3)]
    notes = [a_note() for _ in range(3)]
    await kept(store, *items, *messages, *notes)
    assert await store.get(ANA, KnowledgeItem, ids_of([items[2], items[0]])) == [items[2], items[0]]
    assert await store.get(ANA, KnowledgeItem, [items[1].id, an_id(), "nonsense", items[0].id]) == [items[1], items[0]]
    assert await store.get(ANA, Message, [messages[2].id, an_id(), messages[1].id]) == [messages[2], messages[1]]
    assert await store.get(ANA, Note, [notes[2].id, an_id(), notes[1].id]) == [notes[2], notes[1]]
    assert await store.get(ANA, KnowledgeItem, []) == []


async def test_more_ids_than_a_statement_takes_parameters(store: Store) -> None:
    items = [an_item() for _ in range(1_200)]
    await kept(store, *items)
    backwards = ids_of(items)[::-1]
    assert ids_of(await store.get(ANA, KnowledgeItem, backwards)) == backwards


async def test_deleted_items_and_hidden_messages_are_read_by_id(store: Store) -> None:
    item, message = an_item(deleted_at=NOW), a_message()
    chat = a_conversation(deleted_at=NOW)
    await kept(store, item, message, chat)
    await store.apply(ANA, [HideMessages("c1", NOW)])
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    assert await store.get(ANA, Message, [message.id]) == [replace(message, deleted_at=NOW)]
    assert await store.find(ANA, Conversation, chat.id) == chat


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_row_of_another_person_answers_as_one_that_does_not_exist(store: Store, stranger: Scope) -> None:
    item, message, note, chat = an_item(), a_message(text="glass"), a_note(), a_conversation()
    older = an_item(superseded_by=item.id, superseded_at=NOW)
    entry = an_entry(target_id=item.id)
    await kept(store, item, older, message, note, chat, entry)
    await store.apply(
        ANA, [PutVectors(kind, row.id, "m", (a_vector(1, 0),)) for kind, row in ((Kind.ITEM, item), (Kind.NOTE, note))]
    )
    query = a_query("glass", vector=a_vector(1, 0), model="m")

    assert await store.get(stranger, KnowledgeItem, [item.id]) == []
    assert await store.get(stranger, Message, [message.id]) == []
    assert await store.get(stranger, Note, [note.id]) == []
    assert await store.find(stranger, Conversation, chat.id) is None
    assert await store.ids_like(stranger, KnowledgeItem, item.id) == []
    assert await store.page(stranger, items_where(history=True, deleted=True)) == Page((), None)
    assert await store.page(stranger, MessageFilter()) == Page((), None)
    assert await store.page(stranger, ConversationFilter()) == Page((), None)
    assert await store.page(stranger, NoteFilter(archived=True)) == Page((), None)
    assert await store.predecessors(stranger, item.id) == []
    assert await store.trail(stranger, Target.ITEM, item.id) == []
    assert await store.changes(stranger, [entry.change]) == []
    assert await store.search(stranger, query, items_where()) == []
    assert await store.search(stranger, query, MessageFilter()) == []


async def test_ids_are_found_by_how_they_start_or_end_deleted_ones_too(store: Store) -> None:
    first, second = an_item(id=an_id(0xAAA)), an_item(id=an_id(0xBBB), deleted_at=NOW)
    await kept(store, first, second)
    assert await store.ids_like(ANA, KnowledgeItem, first.id[-6:]) == [first.id]
    assert await store.ids_like(ANA, KnowledgeItem, second.id[-6:]) == [second.id]
    assert sorted(await store.ids_like(ANA, KnowledgeItem, first.id[:8])) == [first.id, second.id]
    assert await store.ids_like(ANA, KnowledgeItem, first.id) == [first.id]
    assert await store.ids_like(ANA, KnowledgeItem, first.id[5:15]) == []


async def test_a_fragment_is_text_and_no_pattern(store: Store) -> None:
    await kept(store, an_item())
    for fragment in ["%", "_", "*", "?", "[0-9]", "'", "\\"]:
        assert await store.ids_like(ANA, KnowledgeItem, fragment) == []


async def test_no_more_ids_than_the_limit_are_found(store: Store) -> None:
    items = [an_item() for _ in range(5)]
    await kept(store, *items)
    assert len(await store.ids_like(ANA, KnowledgeItem, items[0].id[:8])) == 2
    assert len(await store.ids_like(ANA, KnowledgeItem, items[0].id[:8], limit=4)) == 4


# ── pages ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def whole(turn: Callable[[Cursor | None], Awaitable[Page[T]]], *, limit: int) -> list[T]:
    """All pages, each but the last one full."""
    rows: list[T] = []
    page = await turn(None)
    while page.next is not None:
        assert len(page.rows) == limit
        rows += page.rows
        page = await turn(page.next)
    assert len(page.rows) <= limit
    return [*rows, *page.rows]


# Minutes after NOW: several share a moment, and some are not in the order of their ids.
MOMENTS = [3, 1, 1, 1, 2, 0, 3, 1, 2]


async def test_pages_are_complete_newest_first_without_gaps_or_repeats(store: Store) -> None:
    items = [an_item(created_at=NOW + minutes(at)) for at in MOMENTS]
    messages = [a_message(sent_at=NOW + minutes(at)) for at in MOMENTS]
    chats = [a_conversation(id=f"c{n}", updated_at=NOW + minutes(at)) for n, at in enumerate(MOMENTS)]
    notes = [a_note(happened_at=NOW + minutes(at), created_at=NOW + days(1)) for at in MOMENTS]
    await kept(store, *items, *messages, *chats, *notes)
    expected: list[tuple[Filter[Any], list[Any], str]] = [
        (items_where(), items, "created_at"),
        (MessageFilter(), messages, "sent_at"),
        (ConversationFilter(), chats, "updated_at"),
        (NoteFilter(), notes, "happened_at"),
    ]
    for wanted, rows, moment in expected:
        newest = sorted(rows, key=lambda row, moment=moment: (getattr(row, moment), row.id), reverse=True)  # type: ignore[misc]
        for limit in (1, 2, 3, 4, 9, 10):
            turn = partial(store.page, ANA, wanted, limit=limit)
            assert await whole(lambda after, turn=turn: turn(after=after), limit=limit) == newest  # type: ignore[misc]


async def test_there_is_no_next_on_the_last_page_even_when_it_is_full(store: Store) -> None:
    await kept(store, an_item(), an_item(), a_message(), a_conversation())
    assert (await store.page(ANA, items_where(), limit=2)).next is None
    assert (await store.page(ANA, MessageFilter(), limit=1)).next is None
    assert (await store.page(ANA, ConversationFilter(), limit=1)).next is None


async def test_a_cursor_is_where_the_page_ended(store: Store) -> None:
    first, second = an_item(created_at=NOW), an_item(created_at=NOW + minutes(1))
    await kept(store, first, second)
    page = await store.page(ANA, items_where(), limit=1)
    assert page == Page((second,), Cursor(second.created_at, second.id))


async def test_pages_go_on_where_they_were_while_newer_rows_arrive(store: Store) -> None:
    old, new = an_item(created_at=NOW), an_item(created_at=NOW + minutes(1))
    await kept(store, old, new)
    page = await store.page(ANA, items_where(), limit=1)
    await kept(store, an_item(created_at=NOW + minutes(2)))
    assert (await store.page(ANA, items_where(), after=page.next)).rows == (old,)


async def test_deleted_conversations_are_not_paged(store: Store) -> None:
    await kept(store, a_conversation(id="here"), a_conversation(id="deleted", deleted_at=NOW))
    assert ids_of((await store.page(ANA, ConversationFilter())).rows) == ["here"]


# ── filters ───────────────────────────────────────────────────────────────────────────────────────────────────────

ITEM_FILTERS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    # what is asked, an item that is wanted, an item that is not
    "not deleted": ({}, {}, {"deleted_at": NOW}),
    "not superseded": ({}, {}, {"superseded_by": an_id(), "superseded_at": NOW}),
    "not archived": ({}, {}, {"archived_at": NOW}),
    "not expired": ({}, {"expires_at": NOW + minutes(1)}, {"expires_at": NOW - minutes(1)}),
    "expiring now": ({}, {}, {"expires_at": NOW}),
    "one type": ({"types": (KnowledgeType.GOAL,)}, {"type": KnowledgeType.GOAL}, {"type": KnowledgeType.FACT}),
    "two types": (
        {"types": (KnowledgeType.GOAL, KnowledgeType.EMOTION)},
        {"type": KnowledgeType.EMOTION},
        {"type": KnowledgeType.FACT},
    ),
    "area": ({"areas": (LifeArea.HEALTH,)}, {"area": LifeArea.HEALTH}, {"area": LifeArea.FINANCE}),
    "an area and not none": ({"areas": (LifeArea.HEALTH,)}, {"area": LifeArea.HEALTH}, {"area": None}),
    "source": ({"sources": (Source.IMPORT,)}, {"source": Source.IMPORT}, {"source": Source.USER_INPUT}),
    "one tag": ({"tags": ("a",)}, {"tags": ("b", "a")}, {"tags": ("ab",)}),
    "all tags": ({"tags": ("a", "b")}, {"tags": ("c", "b", "a")}, {"tags": ("a",)}),
    "a tag with quotes": ({"tags": ('"a"',)}, {"tags": ('"a"',)}, {"tags": ("a",)}),
    "subject": ({"subject": "João"}, {"subject": "João"}, {}),
    "attribute": ({"attribute": "weight"}, {"attribute": "weight"}, {"attribute": "height"}),
    "an attribute and not none": ({"attribute": "weight"}, {"attribute": "weight"}, {}),
    "confidence": ({"confidence_at_least": 0.7}, {"confidence": 0.7}, {"confidence": 0.699}),
    "since": ({"since": NOW}, {"created_at": NOW}, {"created_at": NOW - minutes(1)}),
    "until": ({"until": NOW}, {"created_at": NOW - minutes(1)}, {"created_at": NOW}),
    "history and no deleted": ({"history": True}, {"archived_at": NOW}, {"deleted_at": NOW}),
    "deleted and no history": ({"deleted": True}, {"deleted_at": NOW}, {"archived_at": NOW}),
    "deleted and superseded": (
        {"deleted": True},
        {"deleted_at": NOW},
        {"deleted_at": NOW, "superseded_by": an_id(), "superseded_at": NOW},
    ),
    "heard in its space": ({"asked_in": GUILD}, {"place": GUILD}, {"place": Place("other", "general")}),
    "heard in another channel": ({"asked_in": Place("guild", "x")}, {"place": GUILD}, {"place": DIRECT}),
}


async def test_every_part_of_an_item_filter_narrows(store: Store) -> None:
    for name, (asked, wanted, unwanted) in ITEM_FILTERS.items():
        scope = Scope("default", name)
        yes, no = an_item(scope=scope, **wanted), an_item(scope=scope, **unwanted)
        await kept(store, yes, no)
        await store.apply(scope, [PutVectors(Kind.ITEM, row.id, "m", (a_vector(1, 0),)) for row in (yes, no)])
        by_word = await store.search(scope, a_query("glass"), items_where(**asked))
        by_vector = await store.search(scope, a_query(vector=a_vector(1, 0), model="m"), items_where(**asked))
        assert (await store.page(scope, items_where(**asked))).rows == (yes,), name
        assert [hit.id for hit in by_word] == [hit.id for hit in by_vector] == [yes.id], name


@pytest.mark.parametrize(
    "changes",
    [
        {"superseded_by": an_id(), "superseded_at": NOW},
        {"archived_at": NOW},
        {"expires_at": NOW - days(1)},
    ],
)
async def test_history_has_superseded_archived_and_expired_items_as_well(store: Store, changes: dict[str, Any]) -> None:
    item, current = an_item(**changes), an_item()
    await kept(store, item, current)
    rows = (await store.page(ANA, items_where(history=True))).rows
    assert set(ids_of(rows)) == {item.id, current.id}


async def test_history_and_deleted_together_have_everything(store: Store) -> None:
    item = an_item(superseded_at=NOW, superseded_by=an_id(), archived_at=NOW, expires_at=NOW, deleted_at=NOW)
    await kept(store, item)
    assert (await store.page(ANA, items_where(history=True, deleted=True))).rows == (item,)
    assert (await store.page(ANA, items_where(history=True))).rows == ()
    assert (await store.page(ANA, items_where(deleted=True))).rows == ()


async def test_parts_of_a_filter_narrow_together(store: Store) -> None:
    both = an_item(type=KnowledgeType.GOAL, tags=("a",))
    await kept(store, both, an_item(type=KnowledgeType.GOAL), an_item(tags=("a",)))
    wanted = items_where(types=(KnowledgeType.GOAL,), tags=("a",))
    assert (await store.page(ANA, wanted)).rows == (both,)


async def test_the_owner_hears_in_private_what_was_learnt_anywhere(store: Store) -> None:
    places = [DIRECT, GUILD, Place("other", "x"), Place(None, "phone")]
    items, messages = [an_item(place=at) for at in places], [a_message(place=at) for at in places]
    await kept(store, *items, *messages)
    for asked_in in (DIRECT, Place(None, "phone")):
        assert len((await store.page(ANA, items_where(asked_in=asked_in))).rows) == len(places)
        assert len((await store.page(ANA, MessageFilter(asked_in=asked_in))).rows) == len(places)


MESSAGE_FILTERS: dict[str, tuple[MessageFilter, dict[str, Any], dict[str, Any]]] = {
    "not hidden": (MessageFilter(), {}, {"deleted_at": NOW}),
    "conversation": (MessageFilter(conversation="c2"), {"conversation": "c2"}, {"conversation": "c1"}),
    "role": (MessageFilter(roles=(Role.ASSISTANT,)), {"role": Role.ASSISTANT}, {"role": Role.USER}),
    "roles": (MessageFilter(roles=(Role.ASSISTANT, Role.USER)), {"role": Role.USER}, {"role": Role.SYSTEM}),
    "since": (MessageFilter(since=NOW), {"sent_at": NOW}, {"sent_at": NOW - minutes(1)}),
    "until": (MessageFilter(until=NOW), {"sent_at": NOW - minutes(1)}, {"sent_at": NOW}),
    "heard in its space": (MessageFilter(asked_in=GUILD), {"place": GUILD}, {"place": Place("other", "general")}),
    "not from private": (MessageFilter(asked_in=GUILD), {"place": Place("guild", "x")}, {"place": DIRECT}),
    "said in that very channel": (
        MessageFilter(asked_in=GUILD, said_there=True),
        {"place": GUILD},
        {"place": Place("guild", "x")},
    ),
    "said in that very space": (
        MessageFilter(asked_in=GUILD, said_there=True),
        {"place": GUILD},
        {"place": Place("other", "general")},
    ),
    "said in private": (
        MessageFilter(asked_in=DIRECT, said_there=True),
        {"place": Place(None, "phone")},
        {"place": GUILD},
    ),
}


@pytest.mark.parametrize("name", MESSAGE_FILTERS)
@pytest.mark.parametrize("indexed", [False, True])
async def test_every_part_of_a_message_filter_narrows(store: Store, name: str, indexed: bool) -> None:
    wanted, changes, other_changes = MESSAGE_FILTERS[name]
    yes, no = a_message(**changes), a_message(**other_changes)
    await kept(store, yes, no)
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, row.id, "m", (a_vector(1, 0),)) for row in (yes, no)])
    if indexed:
        await index(store, yes.id, no.id)
    by_word = await store.search(ANA, a_query("morning"), wanted)
    by_vector = await store.search(ANA, a_query(vector=a_vector(1, 0), model="m"), wanted)
    assert (await store.page(ANA, wanted)).rows == (yes,)
    assert [hit.id for hit in by_word] == [yes.id]
    assert [hit.id for hit in by_vector] == [yes.id]


async def index(store: Store, *ids: str) -> None:
    await store.apply(ANA, [IndexMessages(ids)])


# ── chains and trails ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_predecessors_are_the_whole_chain_oldest_first_deleted_ones_too(store: Store) -> None:
    last = an_item(created_at=NOW + days(4))
    middle = an_item(created_at=NOW + days(3), superseded_by=last.id, superseded_at=NOW)
    deleted = an_item(created_at=NOW + days(2), superseded_by=middle.id, superseded_at=NOW, deleted_at=NOW)
    first = an_item(created_at=NOW + days(1), superseded_by=middle.id, superseded_at=NOW)
    other = an_item(superseded_by=an_id(), superseded_at=NOW)
    await kept(store, last, middle, deleted, first, other)
    assert await store.predecessors(ANA, last.id) == [first, deleted, middle]
    assert await store.predecessors(ANA, middle.id) == [first, deleted]
    assert await store.predecessors(ANA, first.id) == []
    assert await store.predecessors(ANA, an_id()) == []


async def test_predecessors_that_go_in_a_circle_are_each_given_once(store: Store) -> None:
    one, two = an_id(), an_id()
    await kept(
        store,
        an_item(id=one, superseded_by=two, superseded_at=NOW),
        an_item(id=two, superseded_by=one, superseded_at=NOW, created_at=NOW + minutes(1)),
    )
    assert ids_of(await store.predecessors(ANA, two)) == [one]


async def test_a_trail_is_of_one_row_in_the_order_it_was_recorded(store: Store) -> None:
    item = an_id()
    late = an_entry(target_id=item, at=NOW + minutes(2))
    early = an_entry(target_id=item, at=NOW + minutes(1))
    await kept(store, late, early, an_entry(), an_entry(target=Target.NOTE, target_id=item))
    assert await store.trail(ANA, Target.ITEM, item) == [late, early]
    assert await store.trail(ANA, Target.CONVERSATION, item) == []


async def test_entries_of_a_change_come_in_the_order_they_were_recorded(store: Store) -> None:
    change = an_id()
    entries = [an_entry(change=change, id=an_id(900 - n), at=NOW - minutes(n)) for n in range(4)]
    await kept(store, *entries, an_entry())
    assert await store.changes(ANA, [change]) == entries
    assert await store.changes(ANA, [an_id()]) == []


async def test_entries_of_a_moment_come_in_the_order_they_were_recorded(store: Store) -> None:
    entries = [an_entry(target_id=an_id(5), id=an_id(900 - n)) for n in range(4)]
    await kept(store, *entries)
    assert await store.trail(ANA, Target.ITEM, an_id(5)) == entries


async def test_the_same_change_of_another_person_is_theirs(store: Store) -> None:
    mine = an_entry(change="k")
    await kept(store, mine, an_entry(change="k", scope=BIA))
    assert await store.changes(ANA, ["k"]) == [mine]


# ── notes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_deleted_notes_are_on_no_page_and_archived_ones_on_request(store: Store) -> None:
    shown, archived, deleted = a_note(), a_note(archived_at=NOW), a_note(deleted_at=NOW)
    await kept(store, shown, archived, deleted)
    assert (await store.page(ANA, NoteFilter())).rows == (shown,)
    assert set((await store.page(ANA, NoteFilter(archived=True))).rows) == {shown, archived}


NARROWED: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"a", "b", "c"}),
    ({"kinds": (NoteKind.SESSION, NoteKind.MONTHLY)}, {"a"}),
    ({"conversation": "c1"}, {"a", "b"}),
    ({"conversation": "c9"}, set()),
    ({"participant": "João"}, {"b"}),
    ({"participant": "Jo"}, set()),
    ({"participant": "%"}, set()),
    ({"since": NOW}, {"a", "b"}),
    ({"until": NOW}, {"c"}),
    ({"since": NOW, "until": NOW + minutes(1)}, {"a"}),
    ({"asked_in": GUILD}, {"b"}),
    ({"asked_in": GUILD, "said_there": True}, {"b"}),
    ({"asked_in": Place(GUILD.space, "elsewhere"), "said_there": True}, set()),
    ({"said_there": True}, {"a", "c"}),
    ({"conversation": "c1", "participant": "ana"}, {"a", "b"}),
]


async def test_notes_are_narrowed(store: Store) -> None:
    await kept(
        store,
        a_note(title="a", conversation="c1", kind=NoteKind.SESSION, participants=("ana",)),
        a_note(title="b", conversation="c1", participants=("João", "ana"), place=GUILD, happened_at=NOW + minutes(1)),
        a_note(title="c", kind=NoteKind.WEEKLY, happened_at=NOW - minutes(1)),
    )
    for wanted, found in NARROWED:
        assert {note.title for note in (await store.page(ANA, NoteFilter(**wanted))).rows} == found
