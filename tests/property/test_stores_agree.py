"""Random operations give the same answers on the store in memory and on SQLite.

Ids, words and moments come from small pools, so that operations meet: the same row is put twice, superseded,
forgotten, and asked for by a stranger.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
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
    a_conversation,
    a_job,
    a_message,
    a_note,
    a_query,
    a_vector,
    an_entry,
    an_id,
    an_item,
    items_where,
    minutes,
)
from relembra.domain.audit import Target
from relembra.domain.jobs import JobState
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.message import Message, Role
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.errors import RelembraError
from relembra.store.memory import InMemoryStore
from relembra.store.port import (
    Candidate,
    Cursor,
    Enqueue,
    ExpectHeld,
    FinishJob,
    HideMessages,
    IndexMessages,
    Kind,
    MessageFilter,
    Op,
    Page,
    PutConversation,
    PutItem,
    PutMessage,
    PutNote,
    PutVector,
    Record,
    ShowMessages,
    Stats,
    Store,
    TouchConversation,
    TouchItems,
)
from relembra.store.sqlite import SqliteStore

ITEMS = [an_id(n) for n in range(1, 6)]
MESSAGES = [an_id(n) for n in range(11, 16)]
NOTES = [an_id(n) for n in range(21, 24)]
JOBS = [an_id(n) for n in range(31, 34)]
CHATS = ["c1", "c2"]
MODELS = ["old", "new"]
SCOPES = [ANA, BIA]
PLACES = [DIRECT, Place("guild", "a"), Place("guild", "b"), Place("other", "a")]
WORDS = ["glass", "wire", "kiln", "🙂"]
# Unit vectors whose products are exact, so that ties are ties on every engine.
VECTORS = [a_vector(*signs) for signs in product((1, -1), repeat=4)]

moments = st.integers(0, 3).map(lambda n: NOW + minutes(n))
maybe_moments = st.none() | moments
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
versions = st.none() | st.integers(1, 2)
scopes = st.sampled_from(SCOPES)


def some(pool: list[str], most: int = 2) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(pool), max_size=most, unique=True).map(tuple)


@st.composite
def operations(draw: st.DrawFn, scope: Scope) -> Op:
    match draw(st.integers(0, 15)):
        case 15:
            return ExpectHeld("self", "residence", frozenset(draw(some(ITEMS))))
        case 0 | 1:
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
        case 8:
            return PutNote(draw(notes(scope)), draw(versions))
        case 9:
            kind, pool = draw(st.sampled_from([(Kind.ITEM, ITEMS), (Kind.MESSAGE, MESSAGES), (Kind.NOTE, NOTES)]))
            id, model = draw(st.sampled_from(pool)), draw(st.sampled_from(MODELS))
            return PutVector(kind, id, model, draw(st.sampled_from(VECTORS)))
        case 10:
            return IndexMessages(draw(some(MESSAGES, 3)))
        case 11:
            return TouchItems(draw(some(ITEMS)), draw(moments))
        case 12:
            return Record(draw(entries(scope)))
        case 13:
            payload = draw(st.sampled_from([{"id": ITEMS[0]}, {"ids": MESSAGES[:2]}, {"conversation": "c1"}, {}]))
            return Enqueue(a_job(id=draw(st.sampled_from(JOBS)), scope=scope, payload=payload, due_at=draw(moments)))
        case _:
            return FinishJob(draw(st.sampled_from(JOBS)))


@st.composite
def items(draw: st.DrawFn, scope: Scope) -> KnowledgeItem:
    superseded_at = draw(maybe_moments)
    return an_item(
        id=draw(st.sampled_from(ITEMS)),
        scope=scope,
        place=draw(st.sampled_from(PLACES)),
        type=draw(st.sampled_from([KnowledgeType.FACT, KnowledgeType.GOAL])),
        title=draw(texts),
        content=draw(texts),
        value=draw(st.none() | texts),
        attribute=draw(st.none() | st.just("residence")),
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
        summary=texts,
        message_ids=some(MESSAGES),
        note_ids=some(NOTES, 1),
        version=st.integers(1, 2),
    )


def entries(scope: Scope) -> st.SearchStrategy[Any]:
    return st.builds(
        an_entry,
        change=st.sampled_from(["k1", "k2"]),
        scope=st.just(scope),
        at=moments,
        target=st.sampled_from([Target.ITEM]),
        target_id=st.sampled_from(ITEMS),
        before=st.none() | st.builds(lambda id: {"superseded_by": id}, st.sampled_from(ITEMS)),
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
def steps(draw: st.DrawFn) -> Step:
    scope = draw(scopes)
    match draw(st.integers(0, 13)):
        case 13:
            state = draw(st.sampled_from(JobState))
            return Step(f"drop_jobs({state})", lambda store: store.drop_jobs(kind="index", state=state))
        case 0:
            item = draw(st.sampled_from(ITEMS))
            return Step(f"forget_item({scope}, {item})", lambda store: rows_gone(store.forget_item(scope, item)))
        case 1:
            chat = draw(st.sampled_from(CHATS))
            return Step(
                f"forget_conversation({scope}, {chat})",
                lambda store: rows_gone(store.forget_conversation(scope, chat)),
            )
        case 2:
            return Step(f"forget_person({scope})", lambda store: rows_gone(store.forget_person(scope)))
        case 3:
            now, limit = draw(moments), draw(st.integers(1, 2))
            return Step(
                f"claim({now}, {limit})",
                lambda store: store.claim(["index"], now=now, lease=timedelta(minutes=1), limit=limit),
            )
        case 4:
            job, retry_at = draw(st.sampled_from(JOBS)), draw(maybe_moments)
            return Step(f"fail({job}, {retry_at})", lambda store: store.fail(job, error="no", retry_at=retry_at))
        case 5:
            model = draw(st.sampled_from(MODELS))
            return Step(f"drop_other_vectors({model})", lambda store: store.drop_other_vectors(model))
        case _:
            ops = draw(st.lists(operations(scope), min_size=1, max_size=5))
            return Step(f"apply({scope}, {ops})", lambda store: store.apply(scope, ops))


async def rows_gone(forgetting: Awaitable[Any]) -> dict[str, int]:
    counts = (await forgetting).counts
    return {
        place: counts[place]
        for place in ("conversations", "messages", "notes", "items", "vectors", "audit", "pointers")
    }


async def outcome(step: Step, store: Store) -> Any:
    try:
        return await step.take(store)
    except RelembraError as error:
        return type(error)


# ── everything that can be asked ──────────────────────────────────────────────────────────────────────────────────

QUERIES = [
    a_query("glass", "kiln"),
    a_query("wire", limit=2),
    a_query(vector=VECTORS[0], model="new", limit=2),
    a_query("glass", "wire", vector=VECTORS[5], model="old", limit=1),
]
ITEM_FILTERS = [
    items_where(now=NOW + minutes(1)),
    items_where(history=True, deleted=True),
    items_where(history=True, asked_in=PLACES[1]),
    items_where(deleted=True, types=(KnowledgeType.GOAL,), tags=("wire",)),
]
MESSAGE_FILTERS = [
    MessageFilter(),
    MessageFilter(asked_in=PLACES[1], roles=(Role.USER,)),
    MessageFilter(asked_in=PLACES[1], said_there=True),
    MessageFilter(conversation="c1", since=NOW + minutes(1), until=NOW + minutes(3)),
]


async def everything(store: Store) -> dict[str, Any]:
    """All answers about all people, in a form that can be compared."""
    told: dict[str, Any] = {
        "jobs": await store.jobs(),
        "next due": await store.next_due(),
        "models": await store.models(),
        "unindexed": await store.unindexed(limit=3),
        "unembedded": {(r.scope, r.kind, r.id, r.text) for r in await store.unembedded("new", limit=100)},
        "numbers": counted(await store.stats()),
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
        "changes": [await store.change(scope, change) for change in ("k1", "k2")],
        "numbers": counted(await store.stats(scope)),
    }
    for n, items_wanted in enumerate(ITEM_FILTERS):
        told[f"items {n}"] = await pages_of_items(store, scope, n)
        for m, query in enumerate(QUERIES):
            told[f"search items {n} {m}"] = evidence(await store.search_items(scope, query, items_wanted))
    for n, messages_wanted in enumerate(MESSAGE_FILTERS):
        told[f"messages {n}"] = await pages_of_messages(store, scope, n)
        for m, query in enumerate(QUERIES):
            told[f"search messages {n} {m}"] = evidence(await store.search_messages(scope, query, messages_wanted))
    return told


async def pages_of_items(store: Store, scope: Scope, n: int) -> list[KnowledgeItem]:
    return await whole(lambda after: store.page_items(scope, ITEM_FILTERS[n], after=after, limit=2))


async def pages_of_messages(store: Store, scope: Scope, n: int) -> list[Message]:
    return await whole(lambda after: store.page_messages(scope, MESSAGE_FILTERS[n], after=after, limit=2))


async def whole(turn: Callable[[Cursor | None], Awaitable[Page[Any]]]) -> list[Any]:
    page = await turn(None)
    rows = [*page.rows]
    while page.next is not None:
        page = await turn(page.next)
        rows += page.rows
    return rows


def evidence(hits: Iterable[Candidate]) -> dict[str, Any]:
    return {
        hit.id: hit._replace(cosine=rounded(hit.cosine), bm25=rounded(hit.bm25), weight=round(hit.weight, 5))
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
    sqlite: Store = await SqliteStore.open(folder / "memory.db", analyzer=Words())
    try:
        for step in taken:
            assert await outcome(step, memory) == await outcome(step, sqlite), step
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
