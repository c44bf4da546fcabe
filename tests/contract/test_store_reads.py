"""What reads promise: order, unknown ids, strangers, pages without gaps, filters, neighbours, chains and trails."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    MODEL,
    NOW,
    STRANGERS,
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
    days,
    ids_of,
    items_where,
    kept,
    minutes,
    puts,
)
from relembra.domain.audit import Target
from relembra.domain.jobs import Job, Run
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.scope import DIRECT, Place, Scope, shelf_of
from relembra.store.port import (
    CaseFilter,
    ConversationFilter,
    Cursor,
    Filter,
    ForgetItem,
    ForgetPerson,
    HideMessages,
    IndexMessages,
    Kind,
    Ledger,
    MessageFilter,
    NoteFilter,
    Page,
    Put,
    PutVectors,
    RunFilter,
    Store,
    Whole,
)

T = TypeVar("T")
GUILD = Place("guild", "general")
ANY = MessageFilter()


async def test_rows_come_in_the_order_asked_and_unknown_ids_are_left_out(store: Store) -> None:
    items = [an_item() for _ in range(1_200)]  # more than a statement takes parameters
    await kept(store, *items)
    backwards = ids_of(items)[::-1]
    assert ids_of(await store.get(ANA, KnowledgeItem, backwards)) == backwards
    for of, make in ((KnowledgeItem, an_item), (Message, a_message), (Note, a_note)):
        rows = [make() for _ in range(3)]
        await kept(store, *rows)
        assert await store.get(ANA, of, []) == []
        asked = [rows[2].id, an_id(), "nonsense", rows[0].id, rows[2].id]
        assert await store.get(ANA, of, asked) == [rows[2], rows[0], rows[2]]


async def test_deleted_items_and_hidden_messages_are_read_by_id(store: Store) -> None:
    item, message, chat = an_item(deleted_at=NOW), a_message(), a_conversation(deleted_at=NOW)
    await kept(store, item, message, chat)
    await store.apply(ANA, [HideMessages("c1", NOW)])
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    assert await store.get(ANA, Message, [message.id]) == [replace(message, deleted_at=NOW)]
    assert await store.find(ANA, Conversation, chat.id) == chat


async def test_a_row_of_another_person_answers_as_one_that_does_not_exist(store: Store) -> None:
    item, message, note, chat = an_item(subject="Clara"), a_message(text="glass"), a_note(), a_conversation()
    older = an_item(superseded_by=item.id, superseded_at=NOW)
    entry = an_entry(target_id=item.id)
    await kept(store, item, older, message, note, chat, entry)
    vectors = ((Kind.ITEM, item), (Kind.NOTE, note), (Kind.MESSAGE, message))
    await store.apply(ANA, [PutVectors(kind, row.id, MODEL, (a_vector(1, 0),)) for kind, row in vectors])
    query = a_query("glass", vector=a_vector(1, 0))
    for stranger in STRANGERS:
        for of, row in ((KnowledgeItem, item), (Message, message), (Note, note), (Conversation, chat)):
            assert await store.find(stranger, of, row.id) is None
        assert await store.ids_like(stranger, KnowledgeItem, item.id) == []
        everything = items_where(history=True, deleted=True)
        pages: list[Filter[Any]] = [everything, ANY, ConversationFilter(), NoteFilter(archived=True)]
        for wanted in pages:
            assert await store.page(stranger, wanted) == Page((), None)
        assert await store.predecessors(stranger, item.id) == []
        assert await store.trail(stranger, Target.ITEM, item.id) == []
        assert await store.changes(stranger, [entry.change]) == []
        assert await store.page_trail(stranger) == []
        assert await store.acquaintances(stranger) == []
        assert await store.beside(stranger, [message.id], before=1, after=1, wanted=ANY) == {}
        assert await store.vectors(stranger, Kind.ITEM, MODEL, [(item.id, 0)]) == {}
        for which in (items_where(), ANY, NoteFilter()):
            assert await store.search(stranger, query, which) == []


async def test_ids_are_found_by_how_they_start_or_end(store: Store) -> None:
    first, second = an_item(id=an_id(0xAAA)), an_item(id=an_id(0xBBB), deleted_at=NOW)
    runs = [a_run(id=an_id(number)) for number in (0xA1, 0xB1, 0xB2)]
    jobs = [a_job(id=an_id(1)), a_job(id=an_id(2), scope=BIA)]
    await kept(store, first, second, *runs, a_run(scope=BIA, id=an_id(0xB3)), *jobs)
    found = partial(store.ids_like, ANA, KnowledgeItem)
    assert await found(first.id[-6:]) == await found(first.id) == [first.id]
    assert await found(second.id[-6:]) == [second.id]
    assert await found(first.id[:8]) == [first.id, second.id]
    assert await found(first.id[5:15]) == []
    for fragment in ["%", "_", "*", "?", "[0-9]", "'", "\\", "no id"]:
        assert await found(fragment) == []
    assert await store.ids_like(ANA, Run, "0b2") == [runs[2].id]
    assert await store.ids_like(ANA, Run, "b3") == await store.ids_like(ANA, Run, "0_2") == []
    assert await store.ids_like(ANA, Run, "01900000-0000") == ids_of(runs[:2])
    assert await store.ids_like(ANA, Run, "01900000-0000", limit=9) == ids_of(runs)
    assert await store.ids_like(None, Job, "") == ids_of(jobs)  # everybody's
    assert await store.ids_like(None, Job, jobs[1].id[-12:]) == [jobs[1].id]


# ── pages ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def whole(turn: Callable[..., Awaitable[Page[T]]], *, limit: int) -> list[T]:
    """All pages, each but the last one full."""
    rows: list[T] = []
    page = await turn(limit=limit)
    while page.next is not None:
        assert len(page.rows) == limit
        rows += page.rows
        page = await turn(limit=limit, after=page.next)
    assert len(page.rows) <= limit
    return [*rows, *page.rows]


# Minutes after NOW: several share a moment, and some are not in the order of their ids.
MOMENTS = [3, 1, 1, 1, 2, 0, 3, 1, 2]


async def test_conversations_of_a_tenant_come_in_one_order_whosever_they_are(store: Store) -> None:
    same = [a_conversation(id=id, scope=whose, updated_at=NOW) for id in ("direct", "trip") for whose in (ANA, BIA)]
    later = a_conversation(id="later", scope=BIA, updated_at=NOW + minutes(1))
    gone = a_conversation(id="gone", scope=BIA, deleted_at=NOW)
    other = a_conversation(id="direct", scope=ANA_ELSEWHERE)
    await kept(store, *same, later, gone, other)
    expected = [later, *sorted(same, key=lambda row: (row.scope.user, row.id), reverse=True)]
    wanted = ConversationFilter(tenant=ANA.tenant)
    for limit in (1, 2, 3, 9):
        assert await whole(partial(store.page, None, wanted), limit=limit) == expected
    assert (await store.page(None, ConversationFilter(tenant="nowhere"))).rows == ()
    strange = Cursor(NOW, "direct")  # as a person's own listing gives it
    assert set((await store.page(None, wanted, after=strange)).rows) < set(expected)


async def test_pages_are_complete_in_order_without_gaps_or_repeats(store: Store) -> None:
    at = [NOW + minutes(minute) for minute in MOMENTS]
    gone = [NOW if number % 3 == 1 else None for number in range(len(at))]
    items = [an_item(created_at=one, deleted_at=end) for one, end in zip(at, gone, strict=True)]
    messages = [a_message(sent_at=one, deleted_at=end) for one, end in zip(at, gone, strict=True)]
    chats = [
        a_conversation(id=f"c{n}", updated_at=one, created_at=one, deleted_at=end)
        for n, (one, end) in enumerate(zip(at, gone, strict=True))
    ]
    notes = [
        a_note(happened_at=one, created_at=NOW + days(1), deleted_at=end) for one, end in zip(at, gone, strict=True)
    ]
    cases, runs = [a_case(opened_at=one) for one in at], [a_run(started_at=one) for one in at]
    await kept(store, *items, *messages, *chats, *notes, *cases, *runs, a_run(scope=BIA), a_case(scope=BIA))
    expected: list[tuple[Filter[Any], Ledger, list[Any], str, str]] = [
        (items_where(), Ledger.ITEM, items, "created_at", "created_at"),
        (ANY, Ledger.MESSAGE, messages, "sent_at", "sent_at"),
        (ConversationFilter(), Ledger.CONVERSATION, chats, "updated_at", "created_at"),
        (NoteFilter(), Ledger.NOTE, notes, "happened_at", "happened_at"),
        (CaseFilter(), Ledger.CASE, cases, "opened_at", "opened_at"),
        (RunFilter(), Ledger.RUN, runs, "started_at", "started_at"),
    ]
    for wanted, ledger, rows, moment, made in expected:
        shown = [row for row in rows if getattr(row, "deleted_at", None) is None]
        newest = sorted(shown, key=lambda row: (getattr(row, moment), row.id), reverse=True)
        oldest = sorted(rows, key=lambda row: (getattr(row, made), row.id))
        for limit in (1, 2, 3, 9, 10):
            assert await whole(partial(store.page, ANA, wanted), limit=limit) == newest
            assert await whole(partial(store.page, ANA, Whole(ledger)), limit=limit) == oldest
        page = await store.page(ANA, wanted, limit=1)
        assert page.next == Cursor(getattr(page.rows[0], moment), page.rows[0].id)
        assert (await store.page(ANA, wanted, limit=len(newest))).next is None
        assert await store.page(ANA, wanted, limit=0) == Page((), None)
        assert await store.page(ANA_ELSEWHERE, Whole(ledger)) == Page((), None)


async def test_owners_are_all_of_whom_rows_or_views_are_kept_in_the_tenant(store: Store) -> None:
    guild, eva = shelf_of(ANA, GUILD), Scope("default", "eva")
    await kept(store, an_item(), a_message(scope=BIA), a_note(scope=guild), an_entry(scope=ANA_ELSEWHERE))
    await store.apply(eva, [Put(a_view(scope=eva), None)])
    await kept(store, a_job(scope=Scope("default", "only work")))
    assert await store.owners("default") == [guild, ANA, BIA, eva]
    assert await store.owners("default", limit=1) == [guild]
    assert await store.owners("default", after=guild.user, limit=1) == [ANA]
    assert await store.owners("default", after="eva") == []
    assert await store.owners("other") == [ANA_ELSEWHERE]
    await store.forget(BIA, ForgetPerson())
    assert await store.owners("default") == [guild, ANA, eva]


# ── filters of messages and notes ─────────────────────────────────────────────────────────────────────────────────

MESSAGE_FILTERS: dict[str, tuple[MessageFilter, dict[str, Any], dict[str, Any]]] = {
    # what is asked, a message that is wanted, one that is not
    "not hidden": (ANY, {}, {"deleted_at": NOW}),
    "conversation": (MessageFilter(conversation="c2"), {"conversation": "c2"}, {"conversation": "c1"}),
    "role": (MessageFilter(roles=(Role.ASSISTANT,)), {"role": Role.ASSISTANT}, {"role": Role.USER}),
    "no prompts": (
        MessageFilter(prompts=False),
        {"role": Role.SYSTEM, "author": "map"},
        {"role": Role.SYSTEM, "author": "developer"},
    ),
    "roles": (MessageFilter(roles=(Role.ASSISTANT, Role.USER)), {"role": Role.USER}, {"role": Role.SYSTEM}),
    "since": (MessageFilter(since=NOW), {"sent_at": NOW}, {"sent_at": NOW - minutes(1)}),
    "until": (MessageFilter(until=NOW), {"sent_at": NOW - minutes(1)}, {"sent_at": NOW}),
    "its space": (MessageFilter(asked_in=GUILD), {"place": GUILD}, {"place": Place("other", "general")}),
    "not private": (MessageFilter(asked_in=GUILD), {"place": Place("guild", "x")}, {"place": DIRECT}),
    "very channel": (MessageFilter(asked_in=GUILD, said_there=True), {"place": GUILD}, {"place": Place("guild", "x")}),
    "very space": (MessageFilter(asked_in=GUILD, said_there=True), {"place": GUILD}, {"place": Place("o", "general")}),
    "private": (MessageFilter(said_there=True), {"place": Place(None, "phone")}, {"place": GUILD}),
    "anywhere, in private": (MessageFilter(asked_in=Place(None, "phone")), {"place": GUILD}, {"deleted_at": NOW}),
    "from a space": (MessageFilter(from_space="guild"), {"place": GUILD}, {"place": Place("other", "general")}),
    "from a channel": (MessageFilter(from_channel="x"), {"place": Place("guild", "x")}, {"place": GUILD}),
    "left out": (MessageFilter(without=frozenset({an_id(1), "no id"})), {"id": an_id(2)}, {"id": an_id(1)}),
}


async def test_every_part_of_a_message_filter_narrows_pages_searches_and_neighbours(store: Store) -> None:
    for name, (wanted, right, wrong) in MESSAGE_FILTERS.items():
        for indexed in (False, True):
            scope = Scope("default", f"{name} {indexed}")
            yes, no = a_message(scope=scope, **right), a_message(scope=scope, **wrong)
            beside = a_message(scope=scope, conversation=yes.conversation, text="here", sent_at=NOW + minutes(9))
            await kept(store, yes, no, beside)
            await store.apply(scope, [PutVectors(Kind.MESSAGE, row.id, "m", (a_vector(1, 0),)) for row in (yes, no)])
            if indexed:
                await store.apply(scope, [IndexMessages((yes.id, no.id, beside.id))])
            by_word = await store.search(scope, a_query("morning"), wanted)
            by_vector = await store.search(scope, a_query(vector=a_vector(1, 0), model="m"), wanted)
            paged = [row for row in (await store.page(scope, wanted)).rows if row != beside]
            near = await store.beside(scope, [beside.id], before=9, after=9, wanted=wanted)
            assert (paged, near) == ([yes], {beside.id: (yes,)}), name
            assert {hit.id for hit in by_word} - {beside.id} == {hit.id for hit in by_vector} - {beside.id} == {yes.id}


NOTES: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"a", "b", "c"}),
    ({"archived": True}, {"a", "b", "c", "archived"}),
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
    ({"asked_in": Place("other", "general")}, set()),
    ({"asked_in": GUILD, "said_there": True}, {"b"}),
    ({"asked_in": Place(GUILD.space, "elsewhere"), "said_there": True}, set()),
    ({"said_there": True}, {"a", "c"}),
    ({"conversation": "c1", "participant": "ana"}, {"a", "b"}),
    ({"without": frozenset({an_id(1)})}, {"b", "c"}),
]


async def test_every_part_of_a_note_filter_narrows_pages_and_both_arms(store: Store) -> None:
    notes = [
        a_note(id=an_id(1), title="a", conversation="c1", kind=NoteKind.SESSION, participants=("ana",)),
        a_note(title="b", conversation="c1", participants=("João", "ana"), place=GUILD, happened_at=NOW + minutes(1)),
        a_note(title="c", kind=NoteKind.WEEKLY, happened_at=NOW - minutes(1)),
        a_note(title="archived", participants=("morning",), archived_at=NOW),
        a_note(title="deleted", deleted_at=NOW, archived_at=NOW),
    ]
    await kept(store, *notes)
    await store.apply(ANA, [PutVectors(Kind.NOTE, note.id, MODEL, (a_vector(1, 0),)) for note in notes])
    titles = {note.id: note.title for note in notes}
    for parts, right in NOTES:
        wanted = NoteFilter(**parts)
        assert {note.title for note in (await store.page(ANA, wanted)).rows} == right
        for query in (a_query("morning"), a_query(vector=a_vector(1, 0))):
            found = {titles[hit.id] for hit in await store.search(ANA, query, wanted)}
            assert found == right, (parts, query)


async def test_speakers_are_told_once_each_by_how_an_app_showed_them_last(store: Store) -> None:
    assert await store.speakers(ANA) == []
    early = a_message(author="bia", metadata={"author_name": "Bianca"})
    late = a_message(author="bia", metadata={"author_name": "Bia"}, sent_at=NOW + minutes(5))
    others = [a_message(author=name) for name in ("ana", "ana", "caio")]
    await kept(store, late, early, *others, a_message(author="bot", role=Role.ASSISTANT))
    assert await store.speakers(ANA) == [("ana", "ana"), ("bia", "Bia"), ("caio", "caio")]
    assert await store.speakers(Scope("default", "nobody")) == []


CHANNEL = Place("g1", "a")


def heard(**changes: Any) -> Message:
    return a_message(**{"place": CHANNEL, "author": changes.get("scope", ANA).user} | changes)


async def test_voices_are_who_spoke_last_in_a_channel_first(store: Store) -> None:
    assert await store.voices("default", CHANNEL, messages=10) == []
    await kept(
        store, heard(), heard(scope=BIA, sent_at=NOW + minutes(2), metadata={"author_name": "Bia"}),
        heard(scope=BIA, sent_at=NOW + minutes(1), metadata={"author_name": "Bianca"}),
        heard(author="caio", sent_at=NOW + minutes(3)), heard(scope=BIA, author="bot", role=Role.ASSISTANT),
        heard(author="hidden", deleted_at=NOW), heard(author="there", place=Place("g1", "b")),
        heard(author="elsewhere", place=Place("g2", "a")), heard(author="private", place=DIRECT),
        heard(scope=ANA_ELSEWHERE, author="stranger"),
    )  # fmt: skip
    assert await store.voices("default", CHANNEL, messages=10) == [
        (ANA, "caio", "caio"), (BIA, "bia", "Bia"), (ANA, "ana", "ana"),
    ]  # fmt: skip
    assert await store.voices("default", CHANNEL, messages=2) == [(ANA, "caio", "caio"), (BIA, "bia", "Bia")]
    assert await store.voices("default", Place("g1", "never"), messages=10) == []


# ── neighbours ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_neighbours_in_a_channel_are_whosever_they_are(store: Store) -> None:
    talk = [heard(scope=scope, sent_at=NOW + minutes(at)) for at, scope in enumerate((ANA, BIA, ANA, BIA))]
    others = [
        heard(scope=Scope("default", "caio"), sent_at=NOW + minutes(2)), heard(place=DIRECT, sent_at=NOW + minutes(2)),
        heard(scope=BIA, place=Place("g1", "b"), sent_at=NOW + minutes(2)),
        heard(scope=BIA, sent_at=NOW + minutes(2), deleted_at=NOW),
    ]  # fmt: skip
    await kept(store, *talk, *others)
    wanted = MessageFilter(asked_in=CHANNEL, said_there=True, owners=("ana", "bia"))
    around = await store.beside(shelf_of(ANA, CHANNEL), [talk[1].id, talk[3].id], before=1, after=1, wanted=wanted)
    assert around == {talk[1].id: (talk[0], talk[2]), talk[3].id: (talk[2],)}
    nobody = MessageFilter(asked_in=CHANNEL, said_there=True, owners=("caio",))
    assert await store.beside(shelf_of(ANA, CHANNEL), [talk[1].id], before=1, after=1, wanted=nobody) == {}


async def test_neighbours_are_the_nearest_of_the_conversation_in_the_order_of_time(store: Store) -> None:
    talk = [a_message(sent_at=NOW + minutes(at)) for at in (0, 1, 2, 2, 2, 3, 4)]
    other = a_message(conversation="c2", sent_at=NOW + minutes(2))
    await kept(store, *talk[::-1], other)
    for place, before, after in ((3, 2, 1), (0, 5, 5), (6, 5, 5), (3, 0, 0), (3, 0, 1), (3, 1, 0), (3, -1, -1)):
        near = await store.beside(ANA, [talk[place].id], before=before, after=after, wanted=ANY)
        right = (*talk[max(place - max(before, 0), 0) : place], *talk[place + 1 : place + 1 + max(after, 0)])
        assert near == {talk[place].id: right}, (place, before, after)
    asked = [other.id, an_id(), "no id", talk[0].id, other.id]
    near = await store.beside(ANA, asked, before=1, after=1, wanted=ANY)
    assert list(near.items()) == [(other.id, ()), (talk[0].id, (talk[1],))]


async def test_what_is_hidden_or_not_wanted_is_passed_over(store: Store) -> None:
    talk = [a_message(sent_at=NOW + minutes(at), role=Role.ASSISTANT if at % 2 else Role.USER) for at in range(5)]
    hidden = a_message(sent_at=NOW - minutes(1))
    await kept(store, hidden)
    await store.apply(ANA, [HideMessages("c1", NOW)])
    await kept(store, *talk)
    wanted = MessageFilter(roles=(Role.USER,), until=NOW + minutes(4))
    near = await store.beside(ANA, [talk[1].id, hidden.id], before=2, after=2, wanted=wanted)
    assert near == {talk[1].id: (talk[0], talk[2]), hidden.id: (talk[0], talk[2])}


# ── whom a memory knows, and vectors read again ───────────────────────────────────────────────────────────────────


async def test_people_are_told_by_their_own_names_and_by_their_ties(store: Store) -> None:
    sister = an_item(subject="Clara", attribute="relation", value="irmã")
    gone: list[dict[str, Any]] = [{"deleted_at": NOW}, {"archived_at": NOW}, {"superseded_at": NOW}]
    zeze = an_item(subject="dona Zezé", attribute="name", value="Maria José")
    await kept(
        store, an_item(), sister, an_item(subject="Clara", attribute="residence", value="Olinda"),
        an_item(subject="Clara"), an_item(subject="Bernardo", attribute="nickname", value="Nado", place=GUILD),
        an_item(subject="Bernardo", attribute="nickname", value=None), zeze,
        *(an_item(subject="Davi", **end) for end in gone),
    )  # fmt: skip
    told = [("Bernardo", "Bernardo"), ("Bernardo", "Nado"), ("Clara", "Clara"), ("Clara", "irmã")]
    assert await store.acquaintances(ANA) == [*told, ("dona Zezé", "Maria José")]
    assert await store.acquaintances(ANA, without=frozenset({sister.id})) == [*told[:3], ("dona Zezé", "Maria José")]
    await store.forget(ANA, ForgetItem(zeze.id))
    assert await store.acquaintances(ANA) == told


async def test_the_vectors_of_parts_are_read_as_they_were_put_and_others_are_left_out(store: Store) -> None:
    one, other, theirs = a_message(), a_message(), a_message(scope=BIA)
    await kept(store, one, other, theirs)
    whole, first, second = a_vector(1, 0), a_vector(1, 1), a_vector(0, 1)
    put = [(one, MODEL, (whole, first, second)), (other, MODEL, (second,)), (other, "another-1", (whole,))]
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, row.id, model, parts) for row, model, parts in put])
    await store.apply(BIA, [PutVectors(Kind.MESSAGE, theirs.id, MODEL, (whole,))])
    asked = [(other.id, 0), (one.id, 2), (one.id, 0), (one.id, 0)]
    right = {(other.id, 0): second, (one.id, 2): second, (one.id, 0): whole}
    assert await store.vectors(ANA, Kind.MESSAGE, MODEL, asked) == right
    absent = [(other.id, 1), (one.id, -1), (theirs.id, 0), (an_id(), 0), ("no id", 0)]
    for kind, model, parts in (
        (Kind.MESSAGE, MODEL, absent),
        (Kind.MESSAGE, MODEL, []),
        (Kind.MESSAGE, "unknown-1", asked),
        (Kind.NOTE, MODEL, asked),
    ):
        assert await store.vectors(ANA, kind, model, parts) == {}


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
    assert await store.predecessors(ANA, first.id) == await store.predecessors(ANA, an_id()) == []
    one, two = an_id(), an_id()  # a circle
    await kept(store, an_item(id=one, superseded_by=two, superseded_at=NOW))
    await kept(store, an_item(id=two, superseded_by=one, superseded_at=NOW, created_at=NOW + minutes(1)))
    assert ids_of(await store.predecessors(ANA, two)) == [one]


async def test_trails_and_changes_come_in_the_order_they_were_recorded_whatever_the_clocks_said(store: Store) -> None:
    item = an_id()
    entries = [
        an_entry(target_id=item, change=change, id=an_id(900 - n), at=NOW - minutes(n // 2))
        for n, change in enumerate(("k1", "k2", "k3", "k1"))
    ]
    others = [an_entry(), an_entry(target=Target.NOTE, target_id=item)]
    await kept(store, *entries, *others, an_entry(scope=BIA, change="k1"))
    assert await store.trail(ANA, Target.ITEM, item) == entries
    assert await store.trail(ANA, Target.CONVERSATION, item) == []
    assert await store.changes(ANA, ["k3", "k1", "unknown", "k1"]) == [entries[0], entries[2], entries[3]]
    assert await store.changes(ANA, []) == await store.changes(ANA, [an_id()]) == []
    told, after = [], 0
    while page := await store.page_trail(ANA, after=after, limit=2):
        assert len(page) <= 2
        assert after < page[0][0]
        told += [entry for _, entry in page]
        after = page[-1][0]
    assert told == [*entries, *others]
    assert [entry for _, entry in await store.page_trail(ANA)] == told
    assert await store.page_trail(ANA, limit=0) == []
    assert await store.last_entry(ANA) == after


async def test_numbers_of_the_trail_go_on_when_something_was_forgotten_and_none_comes_again(store: Store) -> None:
    item = an_item()
    entries = [an_entry(target_id=item.id), an_entry(), an_entry(), an_entry(target_id=item.id)]
    assert await store.last_entry(ANA) == 0
    await store.apply(ANA, [*puts(item), *puts(*entries)])
    [_, (number, _)] = await store.page_trail(ANA, limit=2)
    last = await store.last_entry(ANA)
    await store.forget(ANA, ForgetItem(item.id))
    assert [entry.id for _, entry in await store.page_trail(ANA, after=number)] == [entries[2].id]
    assert await store.last_entry(ANA) < last
    for _ in range(2):
        await kept(store, an_entry())
        assert await store.last_entry(ANA) > last
        last = await store.last_entry(ANA)
        await store.forget(ANA, ForgetPerson())
        await store.forget(ANA, ForgetPerson())
        assert await store.last_entry(ANA) == 0
