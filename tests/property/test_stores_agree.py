"""Random operations give the same answers on the store in memory and on SQLite.

Ids, words and moments come from small pools, so that operations meet: the same row is put twice, superseded,
forgotten, and asked for by a stranger.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from builders import (
    ANA,
    BIA,
    NOW,
    Words,
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
    buffering,
    items_where,
    minutes,
)
from relembra.domain.audit import AuditEntry, Target
from relembra.domain.case import Case, Outcome
from relembra.domain.doors import DoorKind
from relembra.domain.jobs import FLUSH, JobState
from relembra.domain.knowledge import ItemState, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message, Note, NoteKind, Role
from relembra.domain.run import Run, RunKind, RunStatus
from relembra.domain.scope import DIRECT, Place, Scope, shelf_of
from relembra.errors import RelembraError
from relembra.store.memory import InMemoryStore
from relembra.store.port import (
    Accounted,
    Candidate,
    CloseBuffer,
    CountUse,
    Cursor,
    DropBuffer,
    Due,
    Enqueue,
    EventFilter,
    ExpectHeld,
    ExpectStamp,
    FinishJob,
    HideMessages,
    IndexMessages,
    ItemOrder,
    Kind,
    Ledger,
    LedgerRow,
    MessageFilter,
    NoteFilter,
    Op,
    Page,
    Passing,
    PutCase,
    PutConversation,
    PutItem,
    PutMessage,
    PutNote,
    PutRun,
    PutVectors,
    PutView,
    Record,
    ShowMessages,
    Stamp,
    Stats,
    Store,
    TouchConversation,
    TouchItems,
    TouchNotes,
)
from relembra.store.sqlite import SqliteStore
from relembra.store.sqlite.hot import HotSlices

ITEMS = [an_id(n) for n in range(1, 6)]
MESSAGES = [an_id(n) for n in range(11, 16)]
NOTES = [an_id(n) for n in range(21, 24)]
JOBS = [an_id(n) for n in range(31, 34)]
CHATS = ["c1", "c2"]
MODELS = ["old", "new"]
BUFFERS = [an_id(n) for n in range(41, 45)]
CASES = [an_id(n) for n in range(51, 53)]
RUNS = [an_id(n) for n in range(61, 73)]  # three of each scope's own, for a record has the id of its job
CHANGES = ["k1", "k2"]
PLACES = [DIRECT, Place("guild", "a"), Place("guild", "b"), Place("other", "a")]
PEOPLE = [ANA, BIA]
SPACES = [shelf_of(ANA, PLACES[1]), shelf_of(ANA, PLACES[3])]
SCOPES = [*PEOPLE, *SPACES]
WORDS = ["glass", "wire", "kiln", "🙂"]
PAYLOADS: list[dict[str, Any]] = [
    {"id": ITEMS[0]},
    {"ids": MESSAGES[:2]},
    {"note": NOTES[0], "messages": MESSAGES[:2]},
    {"conversation": "c1"},
    {},
]
# Unit vectors whose products are exact, so that ties are ties on every engine.
VECTORS = [a_vector(*signs) for signs in product((1, -1), repeat=4)]

moments = st.integers(0, 3).map(lambda n: NOW + minutes(n))
maybe_moments = st.none() | moments
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
versions = st.sampled_from([None, None, None, 1, 2])
scopes = st.sampled_from([*PEOPLE, *SCOPES])
rarely = st.sampled_from([False, False, True])


def some(pool: list[str], most: int = 2) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(pool), max_size=most, unique=True).map(tuple)


@st.composite
def operations(draw: st.DrawFn, scope: Scope) -> Op:
    match draw(st.integers(0, 24)):
        case 0:
            return CountUse(
                task=draw(st.sampled_from(["digest", "compare"])),
                model=draw(st.sampled_from(MODELS)),
                at=NOW + draw(st.integers(0, 1)) * timedelta(days=1),
                calls=1,
                input_tokens=draw(st.integers(0, 9)),
                output_tokens=2,
            )
        case 1:
            return PutMessage(draw(messages(scope)))
        case 2:
            return TouchConversation(draw(conversations(scope)))
        case 3:
            return PutConversation(draw(conversations(scope)), draw(versions))
        case 4:
            return HideMessages(draw(st.sampled_from(CHATS)), draw(moments))
        case 5:
            return ShowMessages(draw(st.sampled_from(CHATS)), draw(moments))
        case 6 | 7:
            return PutItem(draw(items(scope)), draw(versions))
        case 8 | 16:
            return PutNote(draw(notes(scope)), draw(versions))
        case 9:
            kind, pool = draw(st.sampled_from([(Kind.ITEM, ITEMS), (Kind.MESSAGE, MESSAGES), (Kind.NOTE, NOTES)]))
            id, model = draw(st.sampled_from(pool)), draw(st.sampled_from(MODELS))
            return PutVectors(kind, id, model, tuple(draw(st.lists(st.sampled_from(VECTORS), max_size=3))))
        case 10:
            return IndexMessages(draw(some(MESSAGES, 3)))
        case 11:
            if draw(st.booleans()):
                return TouchNotes(draw(some(NOTES)), draw(moments))
            return TouchItems(draw(some(ITEMS)), draw(moments))
        case 12:
            return Record(draw(entries(scope)))
        case 13:
            payload = draw(st.sampled_from(PAYLOADS))
            id, whose = draw(st.sampled_from(JOBS)), draw(st.sampled_from([scope, *SCOPES]))
            key = draw(st.sampled_from([None, "night"]))
            return Enqueue(a_job(id=id, scope=whose, payload=payload, due_at=draw(moments), key=key))
        case 14:
            return FinishJob(draw(st.sampled_from([*JOBS, *BUFFERS])))
        case 15:
            return ExpectHeld("self", "residence", frozenset(draw(some(ITEMS))))
        case 16:
            return ExpectStamp(Stamp(0, 0))
        case 17:
            return CloseBuffer(draw(st.sampled_from(BUFFERS)))
        case 18:
            return DropBuffer(draw(st.sampled_from(BUFFERS)), draw(st.none() | some(MESSAGES, 3).map(frozenset)))
        case 19:
            return PutCase(draw(cases(scope)), draw(versions))
        case 20 | 21:
            return PutRun(draw(runs(scope)), draw(versions))
        case 22:
            return Due(draw(st.sampled_from(CHANGES)))
        case 23:
            return Accounted(draw(some(MESSAGES, 3)), draw(some(CHANGES)))
        case _:
            name, body = (
                draw(st.sampled_from(["self", "week"])),
                draw(st.none() | texts.map(lambda text: {"a": [text]})),
            )
            return PutView(a_view(scope=scope, name=name, body=body, version=draw(st.integers(1, 2))), draw(versions))


@st.composite
def saves(draw: st.DrawFn, scope: Scope, place: Place | None = None) -> list[Op]:
    """A message as it is saved: put, and taken into a buffer."""
    message = draw(messages(scope))
    if place is not None:
        message = replace(message, place=place)
    bounds = {name: draw(st.integers(0, 2).map(minutes)) for name in ("quiet", "window")}
    into = buffering(message, draw(st.sampled_from(BUFFERS)), now=draw(moments), **bounds)
    return [PutMessage(message), into]


@st.composite
def items(draw: st.DrawFn, scope: Scope) -> KnowledgeItem:
    superseded_at = draw(maybe_moments)
    return an_item(
        id=draw(st.sampled_from(ITEMS)),
        scope=scope,
        place=draw(st.sampled_from(PLACES)),
        type=draw(st.sampled_from([KnowledgeType.FACT, KnowledgeType.GOAL])),
        area=draw(st.sampled_from([None, LifeArea.HEALTH, LifeArea.CAREER])),
        confidence=draw(st.sampled_from([0.7, 0.95])),
        validated=draw(st.booleans()),
        needs_resolution=draw(st.booleans()),
        local_only=draw(st.booleans()),
        title=draw(texts),
        content=draw(texts),
        value=draw(st.none() | texts),
        attribute=draw(st.none() | st.sampled_from(["residence", "meeting"])),
        evidence=draw(st.none() | texts),
        tags=draw(some(WORDS)),
        related=draw(some(ITEMS)),
        note_id=draw(st.none() | st.sampled_from(NOTES)),
        message_ids=draw(some(MESSAGES)),
        superseded_by=draw(st.sampled_from(ITEMS)) if superseded_at else None,
        superseded_at=superseded_at,
        archived_at=draw(st.none() | st.none() | moments),
        deleted_at=draw(st.none() | st.none() | moments),
        expires_at=draw(st.none() | st.none() | moments),
        held_from=draw(moments),
        held_until=draw(maybe_moments),
        reinforced_at=draw(maybe_moments),
        weighed_at=draw(maybe_moments),
        created_at=draw(moments),
        version=draw(st.integers(1, 2)),
    )


@st.composite
def messages(draw: st.DrawFn, scope: Scope) -> Message:
    return a_message(
        id=draw(st.sampled_from(MESSAGES)),
        scope=scope,
        conversation=draw(st.sampled_from(CHATS)),
        role=draw(st.sampled_from([Role.USER, Role.ASSISTANT])),
        text=draw(texts),
        sent_at=draw(moments),
        place=draw(st.sampled_from(PLACES)),
        external_id=draw(st.none() | st.sampled_from(["x", "y"])),
    )


def conversations(scope: Scope) -> st.SearchStrategy[Any]:
    return st.builds(
        a_conversation,
        id=st.sampled_from(CHATS),
        scope=st.just(scope),
        title=st.sampled_from(["", "One", "Two"]),
        updated_at=moments,
        deleted_at=maybe_moments,
        version=st.integers(1, 2),
    )


def notes(scope: Scope) -> st.SearchStrategy[Any]:
    return st.builds(
        a_note,
        id=st.sampled_from(NOTES),
        scope=st.just(scope),
        place=st.sampled_from(PLACES),
        conversation=st.none() | st.sampled_from(CHATS),
        kind=st.sampled_from([NoteKind.SESSION, NoteKind.WEEKLY]),
        summary=texts,
        participants=some(WORDS),
        happened_at=moments,
        archived_at=st.none() | st.none() | moments,
        message_ids=some(MESSAGES),
        note_ids=some(NOTES, 1),
        version=st.integers(1, 2),
    )


def cases(scope: Scope) -> st.SearchStrategy[Any]:
    return st.builds(
        a_case,
        id=st.sampled_from(CASES),
        scope=st.just(scope),
        place=st.sampled_from(PLACES),
        old_id=st.sampled_from(ITEMS),
        new_id=st.sampled_from(ITEMS),
        outcome=st.sampled_from([Outcome.OPEN, Outcome.NEW]),
        opened_at=moments,
        version=st.integers(1, 2),
    )


def runs(scope: Scope) -> st.SearchStrategy[Any]:
    return st.builds(
        a_run,
        id=st.sampled_from(RUNS[SCOPES.index(scope) :: len(SCOPES)]),
        scope=st.just(scope),
        kind=st.sampled_from([RunKind.CONSOLIDATION, RunKind.GARDENING]),
        night=st.none() | st.integers(1, 2).map(a_night),
        status=st.sampled_from([RunStatus.RUNNING, RunStatus.COMPLETED]),
        changes=some(CHANGES),
        raw=st.none() | texts,
        started_at=moments,
        version=st.integers(1, 2),
    )


def entries(scope: Scope) -> st.SearchStrategy[Any]:
    return st.builds(
        an_entry,
        change=st.sampled_from(CHANGES),
        scope=st.just(scope),
        at=moments,
        verb=st.sampled_from(["add", "fade"]),
        target=st.sampled_from([Target.ITEM]),
        target_id=st.sampled_from(ITEMS),
        before=st.none()
        | st.builds(lambda id, note: {"superseded_by": id, "note_id": note}, *map(st.sampled_from, (ITEMS, NOTES))),
        after=st.none()
        | st.builds(
            lambda ids, content, tags: {"related": list(ids), "content": content, "tags": list(tags)},
            some(ITEMS),
            texts,
            some(WORDS),
        ),
        why=st.none() | texts,
    )


# ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Step:
    """One call, with a name to read when hypothesis shows the steps that disagree."""

    name: str
    take: Callable[[Store], Awaitable[Any]]

    def __repr__(self) -> str:
        return self.name


@st.composite
def talks(draw: st.DrawFn) -> Step:
    """People talk, a note is made of it and something learnt of that, and one of them wants it forgotten.

    Operations drawn one by one seldom make this out.
    """
    place = draw(st.sampled_from(PLACES))
    people = draw(st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=3))
    calls: list[tuple[Scope, list[Op]]] = [(person, draw(saves(person, place))) for person in people]
    said = [op.message.id for _, ops in calls for op in ops if isinstance(op, PutMessage)]
    shelf = shelf_of(people[0], place)
    note = replace(draw(notes(shelf)), message_ids=tuple(dict.fromkeys(said)))
    noted: list[Op] = [PutNote(note, None), *([DropBuffer(draw(st.sampled_from(BUFFERS)))] if draw(rarely) else [])]
    calls.append((shelf, noted))
    calls += [(person, [PutItem(replace(draw(items(person)), note_id=note.id), None)]) for person in people]
    who, chat = draw(st.sampled_from(people)), draw(st.none() | st.sampled_from(CHATS))
    is_forgotten = draw(st.booleans())

    async def take(store: Store) -> list[Any]:
        told = [await attempted(store.apply(person, ops)) for person, ops in calls]
        if is_forgotten:
            told.append(
                await rows_gone(store.forget_person, who)
                if chat is None
                else await rows_gone(store.forget_conversation, who, chat)
            )
        return told

    return Step(f"talk({calls}), {who if is_forgotten else 'nobody'} forgets {chat}", take)


doors = st.sampled_from(DoorKind)
named = st.sampled_from(["ana", "BIA", "Guild", "other"])
claims = st.integers(0, 3)  # mostly somebody's, sometimes nobody's


@st.composite
def steps(draw: st.DrawFn) -> Step:
    scope = draw(scopes)
    match draw(st.integers(0, 25)):
        case 24:
            kind, name, since = draw(doors), draw(named), draw(moments)
            return Step(
                f"close_door({kind}, {name}, {since})",
                lambda store: store.close_door("default", kind, name, since=since, new_id=an_id),
            )
        case 25:
            kind, name = draw(doors), draw(named)
            return Step(f"open_door({kind}, {name})", lambda store: store.open_door("default", kind, name))
        case 17 | 18 | 19 | 20:
            return draw(talks())
        case 21:
            job, until, mine = draw(st.sampled_from([*JOBS, *BUFFERS])), draw(moments), draw(claims)
            return Step(f"postpone({job}, {mine}, {until})", lambda store: store.postpone(job, claim=mine, until=until))
        case 22:
            job = draw(st.sampled_from([*JOBS, *BUFFERS]))
            return Step(f"cancel({job})", lambda store: store.cancel(job))
        case 23:
            held = draw(st.dictionaries(st.sampled_from([*JOBS, *BUFFERS]), claims, max_size=2))
            return Step(f"hand_back({held})", lambda store: store.hand_back(held))
        case 16:
            now, owner = draw(moments), draw(st.none() | scopes)
            kind = draw(st.sampled_from(["index", FLUSH]))
            return Step(f"hasten({kind}, {now}, {owner})", lambda store: store.hasten(kind, now=now, scope=owner))
        case 15:
            now, only = draw(moments), draw(st.sampled_from([None, "index", FLUSH]))
            id = draw(st.none() | st.none() | st.sampled_from(JOBS))
            return Step(f"retry({now}, {only}, {id})", lambda store: store.retry(now=now, kind=only, id=id))
        case 14:
            state = draw(st.sampled_from(JobState))
            return Step(f"drop_jobs({state})", lambda store: store.drop_jobs(kind="index", state=state))
        case 0:
            item = draw(st.sampled_from(ITEMS))
            return Step(f"forget_item({scope}, {item})", lambda store: rows_gone(store.forget_item, scope, item))
        case 1:
            chat = draw(st.sampled_from(CHATS))
            return Step(
                f"forget_conversation({scope}, {chat})",
                lambda store: rows_gone(store.forget_conversation, scope, chat),
            )
        case 2:
            return Step(f"forget_person({scope})", lambda store: rows_gone(store.forget_person, scope))
        case 3:
            now, limit, one = draw(moments), draw(st.integers(1, 3)), draw(st.booleans())
            kinds, lease = draw(st.sampled_from([["index", FLUSH], ["index"]])), timedelta(minutes=1)
            return Step(
                f"claim({kinds}, {now}, {limit}, {one})",
                lambda store: store.claim(kinds, now=now, lease=lease, limit=limit, one_a_scope=one),
            )
        case 4:
            job, retry_at = draw(st.sampled_from([*JOBS, *BUFFERS])), draw(maybe_moments)
            mine, counted = draw(claims), draw(st.booleans())
            return Step(
                f"fail({job}, {mine}, {retry_at}, {counted})",
                lambda store: store.fail(job, claim=mine, error="no", retry_at=retry_at, is_counted=counted),
            )
        case 5:
            model = draw(st.sampled_from(MODELS))
            return Step(f"drop_other_vectors({model})", lambda store: store.drop_other_vectors(model))
        case _:
            most = draw(st.sampled_from([1, 1, 2, 5]))  # of many operations one fails, and with it all
            parts = draw(st.lists(saves(scope) | operations(scope).map(lambda op: [op]), min_size=1, max_size=most))
            ops = [op for part in parts for op in part]
            return Step(f"apply({scope}, {ops})", lambda store: store.apply(scope, ops))


async def rows_gone(forget: Callable[..., Awaitable[Any]], *what: Any) -> dict[str, int]:
    """What went, which a dry run told before."""
    would, gone = await forget(*what, dry_run=True), await forget(*what)
    assert (would.counts, would.notes) == (gone.counts, gone.notes)
    counts = gone.counts
    return {
        place: counts[place]
        for place in ("conversations", "messages", "notes", "items", "vectors", "audit", "jobs", "cases", "pointers")
    }


async def attempted(call: Awaitable[Any]) -> Any:
    try:
        return await call
    except RelembraError as error:
        return type(error)


# ── everything that can be asked ──────────────────────────────────────────────────────────────────────────────────

QUERIES = [
    a_query("glass", "kiln"),
    replace(a_query("wire", "glass", limit=2), weights=(0.5, 1.5)),
    a_query(vector=VECTORS[0], model="new", limit=2),
    a_query("glass", "wire", vector=VECTORS[5], model="old", limit=1),
    a_query(vector=VECTORS[3], model="new", limit=1, also=(ITEMS[0], MESSAGES[1], NOTES[0])),
]
ITEM_FILTERS = [
    items_where(now=NOW + minutes(1)),
    items_where(history=True, deleted=True),
    items_where(history=True, asked_in=PLACES[1]),
    items_where(deleted=True, types=(KnowledgeType.GOAL,), tags=("wire",)),
    items_where(types=(KnowledgeType.GOAL,), asked_in=PLACES[1], confidence_below=0.9, without=frozenset(ITEMS[:1])),
    items_where(as_of=NOW + minutes(1), archived=True),
    items_where(true_at=NOW + minutes(2), note_ids=tuple(NOTES[:2])),
    items_where(as_of=NOW + minutes(2), true_at=NOW + minutes(1), period=(NOW, NOW + minutes(2))),
    items_where(no_area=True, only=ItemState.UNCONFIRMED),
    items_where(history=True, areas=(LifeArea.HEALTH,), no_area=True, only=ItemState.CONFIRMED),
    items_where(only=ItemState.DELETED),
    items_where(as_of=NOW + minutes(2), only=ItemState.DELETED, asked_in=PLACES[1]),
    items_where(history=True, only=ItemState.QUESTIONED),
    items_where(history=True, deleted=True, only=ItemState.LOCAL),
]
MESSAGE_FILTERS = [
    MessageFilter(),
    MessageFilter(asked_in=PLACES[1], roles=(Role.USER,)),
    MessageFilter(asked_in=PLACES[1], said_there=True),
    MessageFilter(conversation="c1", since=NOW + minutes(1), until=NOW + minutes(3)),
]


EVENT_FILTERS = [
    EventFilter(),
    EventFilter(asked_in=PLACES[1], since=NOW + minutes(1), until=NOW + minutes(3), without=frozenset(ITEMS[:1])),
]
CASE_WISHES: list[dict[str, Any]] = [{}, {"asked_in": PLACES[1], "open_only": True}, {"items": ITEMS[:2]}]
NOTE_FILTERS = [
    NoteFilter(archived=True),
    NoteFilter(asked_in=PLACES[1], kinds=(NoteKind.SESSION,)),
    NoteFilter(conversation="c1", participant="glass"),
    NoteFilter(since=NOW + minutes(1), until=NOW + minutes(3)),
]


async def everything(store: Store) -> dict[str, Any]:
    """All answers about all people, in a form that can be compared."""
    told: dict[str, Any] = {
        "jobs": await store.jobs(),
        "each job": [await store.job(id) for id in [*JOBS, *BUFFERS]],
        "jobs of a kind": await store.jobs(state=JobState.WAITING, kinds=["index"], limit=2),
        "pages of runs": await pages_of_runs(store, None),
        "owners": [await store.owners(tenant) for tenant in ("default", "other")],
        "doors": [await store.doors(tenant) for tenant in ("default", "other")],
        "closed": [await store.closed("default", people=["ANA", "zoe"], space=space) for space in ("guild", None)],
        "spaces": [await store.spaces(tenant) for tenant in ("default", "other")],
        "next due": await store.next_due(),
        "models": await store.models(),
        "unindexed": await store.unindexed(limit=3),
        "unembedded": {(r.scope, r.kind, r.id, r.text) for r in await store.unembedded("new", limit=100)},
        "numbers": counted(await store.stats()),
        "owners of cases": [await store.case_scope("default", id) for id in CASES],
        "usage": [await store.usage(), await store.usage(since=(NOW + timedelta(days=1)).date())],
        "without stamps": [scope for scope in SCOPES if await store.stamps([scope]) == ((0, 0),)],
        "problems": sorted(problem.rpartition(": ")[2] for problem in (await store.verify()).problems),
    }
    for scope in SCOPES:
        told |= {f"{scope.user}: {name}": answer for name, answer in (await person(store, scope)).items()}
    return told


async def person(store: Store, scope: Scope) -> dict[str, Any]:
    told: dict[str, Any] = {
        "items": await store.items(scope, ITEMS),
        "messages": await store.messages(scope, MESSAGES),
        "notes": await store.notes(scope, NOTES),
        "chats": [await store.conversation(scope, id) for id in CHATS],
        "pages of chats": await whole(lambda after: store.page_conversations(scope, after=after, limit=1)),
        "predecessors": [await store.predecessors(scope, id) for id in ITEMS],
        "trails": [await store.trail(scope, Target.ITEM, id) for id in ITEMS],
        "changes": [await store.change(scope, change) for change in CHANGES],
        "changes together": await store.changes(scope, [*reversed(CHANGES), "k3"]),
        "pages of the trail": await pages_of_trail(store, scope),
        "all there is": [await every_row(store, scope, ledger) for ledger in Ledger],
        "jobs": await store.jobs(scope=scope, kinds=["index"]),
        "runs": [await store.run(scope, id) for id in RUNS],
        "runs of nights": [
            await store.run_of_night(scope, kind, a_night(number)) for kind, number in product(RunKind, (1, 2))
        ],
        "ids of runs": [await store.run_ids(scope, RUNS[0][-2:]), await store.run_ids(scope, RUNS[0][:4])],
        "pages of runs": [await pages_of_runs(store, scope), await pages_of_runs(store, scope, RunKind.GARDENING)],
        "due": [await store.unaccounted(scope, limit=limit) for limit in (1, 100)],
        "numbers": counted(await store.stats(scope)),
        "buffers": await store.buffers(scope),
        "each buffer": [await store.buffer(scope, id) for id in BUFFERS],
        "cases": await store.cases(scope, CASES),
        "pages of cases": [await pages_of_cases(store, scope, n) for n in range(len(CASE_WISHES))],
        "pages of notes": [await pages_of_notes(store, scope, n) for n in range(len(NOTE_FILTERS))],
        "notes found": [
            evidence(await store.search_notes(scope, query, wanted)) for query, wanted in product(QUERIES, NOTE_FILTERS)
        ],
        "neighbours": [
            await store.beside(scope, MESSAGES, before=2, after=1, wanted=wanted) for wanted in MESSAGE_FILTERS
        ],
        "events": [await pages_of_events(store, scope, n) for n in range(len(EVENT_FILTERS))],
        "passings": [
            await passings(store, scope),
            await passings(store, scope, asked_in=PLACES[1], without=frozenset(ITEMS[:2])),
        ],
        "views": [await store.view(scope, name) for name in ("self", "week")],
        "usage": await store.usage(scope),
    }
    for n, items_wanted in enumerate(ITEM_FILTERS):
        told[f"items {n}"] = await pages_of_items(store, scope, n)
        told[f"ordered items {n}"] = [await pages_of_items(store, scope, n, order) for order in ItemOrder]
        told[f"count of items {n}"] = sorted(await store.count_items(scope, items_wanted), key=str)
        for m, query in enumerate(QUERIES):
            told[f"search items {n} {m}"] = evidence(await store.search_items(scope, query, items_wanted))
    for n, messages_wanted in enumerate(MESSAGE_FILTERS):
        told[f"messages {n}"] = await pages_of_messages(store, scope, n)
        for m, query in enumerate(QUERIES):
            told[f"search messages {n} {m}"] = evidence(await store.search_messages(scope, query, messages_wanted))
    return told


async def pages_of_items(
    store: Store, scope: Scope, n: int, order: ItemOrder = ItemOrder.NEWEST
) -> list[KnowledgeItem]:
    return await whole(lambda after: store.page_items(scope, ITEM_FILTERS[n], order=order, after=after, limit=2))


async def pages_of_events(store: Store, scope: Scope, n: int) -> list[KnowledgeItem]:
    return await whole(lambda after: store.page_events(scope, EVENT_FILTERS[n], after=after, limit=2))


async def passings(store: Store, scope: Scope, **asked: Any) -> list[Passing]:
    return sorted(await store.passings(scope, [NOW, NOW + minutes(1), NOW + minutes(3)], **asked), key=str)


async def pages_of_messages(store: Store, scope: Scope, n: int) -> list[Message]:
    return await whole(lambda after: store.page_messages(scope, MESSAGE_FILTERS[n], after=after, limit=2))


async def pages_of_notes(store: Store, scope: Scope, n: int) -> list[Note]:
    return await whole(lambda after: store.page_notes(scope, NOTE_FILTERS[n], after=after, limit=1))


async def pages_of_cases(store: Store, scope: Scope, n: int) -> list[Case]:
    return await whole(lambda after: store.page_cases(scope, **CASE_WISHES[n], after=after, limit=1))


async def pages_of_runs(store: Store, scope: Scope | None, *kinds: RunKind) -> list[Run]:
    return await whole(lambda after: store.page_runs(scope, kinds, after=after, limit=2))


async def every_row(store: Store, scope: Scope, ledger: Ledger) -> list[LedgerRow]:
    return await whole(lambda after: store.page_whole(scope, ledger, after=after, limit=2))


async def pages_of_trail(store: Store, scope: Scope) -> list[AuditEntry]:
    """Without the numbers, which are the store's own."""
    told: list[AuditEntry] = []
    after = 0
    while page := await store.page_trail(scope, after=after, limit=2):
        told += [entry for _, entry in page]
        after = page[-1][0]
    return told


async def whole(turn: Callable[[Cursor | None], Awaitable[Page[Any]]]) -> list[Any]:
    page = await turn(None)
    rows = [*page.rows]
    while page.next is not None:
        page = await turn(page.next)
        rows += page.rows
    return rows


def evidence(hits: Iterable[Candidate]) -> dict[str, Any]:
    return {
        hit.id: hit._replace(
            cosine=rounded(hit.cosine),
            whole=rounded(hit.whole),
            bm25=rounded(hit.bm25),
            weight=round(hit.weight, 5),
            shares=tuple(round(share, 5) for share in hit.shares),
        )
        for hit in hits
    }


def rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 5) + 0.0


def counted(stats: Stats) -> Any:
    named = (stats.items, stats.items_by_type, stats.items_by_area, stats.vectors, stats.jobs)
    nonzero = [{name: number for name, number in counts.items() if number} for counts in named]
    return stats.people, stats.conversations, stats.messages, stats.notes, nonzero


async def compare(taken: list[Step], folder: Path) -> None:
    memory: Store = InMemoryStore(Words())
    sqlite: Store = await SqliteStore.open(
        folder / "memory.db", analyzer=Words(), hot=HotSlices(least_vectors=2, most_bytes=1_000)
    )
    try:
        for step in taken:
            assert await attempted(step.take(memory)) == await attempted(step.take(sqlite)), step
        expected, told = await everything(memory), await everything(sqlite)
        for name, answer in expected.items():
            assert told[name] == answer, name
    finally:
        await sqlite.close()


@settings(
    phases=set(Phase) - {Phase.explain},
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.lists(steps(), min_size=1, max_size=14))
def test_random_operations_give_the_same_answers(taken: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(compare(taken, Path(folder)))
