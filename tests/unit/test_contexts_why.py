"""How a recall came about: every reason a row was left out for, and nothing told that may not be heard."""

from __future__ import annotations

from typing import Any

import pytest

from angles import Angles
from builders import NOW, AnyRow, a_conversation, a_message, a_note, an_id, an_item, days, kept
from memories import Clock, a_memory
from relembra import Memory
from relembra.contexts import FILLED, Trace
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.domain.policy import COMPANION, LIFE, WORK, Policy
from relembra.recall.query import Miss
from relembra.recall.ranking import Rule
from relembra.store.port import Store

QUESTION = "Why?"
COSINES = {"strong": 0.9, "middle": 0.6, "weak": 0.1}


async def traced(store: Store, *rows: AnyRow, policy: Policy = LIFE, **asked: Any) -> Trace:
    """How a question would be answered where these rows are all there is."""
    await kept(store, *rows)
    async with a_memory(store, policy=policy, embedder=Angles(COSINES)) as memory:
        await memory.reindex()
        return await memory.why(QUESTION, user="ana", **{"budget": 5_000} | asked)


def reasons(trace: Trace) -> dict[str, Miss]:
    return {one.row.id: one.miss for one in trace.missed}


def known(word: str = "strong", **changes: Any) -> KnowledgeItem:
    return an_item(**{"content": word, "title": word} | changes)


MISSES: dict[Miss, tuple[dict[str, Any], dict[str, Any]]] = {
    Miss.DELETED: ({"deleted_at": NOW - days(1)}, {}),
    Miss.SUPERSEDED: ({"superseded_at": NOW - days(1), "superseded_by": an_id(5)}, {}),
    Miss.EXPIRED: ({"expires_at": NOW - days(1)}, {}),
    Miss.ARCHIVED: ({"archived_at": NOW - days(1), "content": "middle", "title": "middle"}, {}),
    Miss.UNKNOWN_THEN: ({"created_at": NOW - days(1)}, {"as_of": NOW - days(2)}),
    Miss.UNTRUE_THEN: ({"held_from": NOW - days(1)}, {"true_at": NOW - days(2)}),
    Miss.WEAK: ({"content": "weak", "title": "weak"}, {}),
    Miss.CUT: ({}, {"budget": 3}),
}


@pytest.mark.parametrize("miss", MISSES)
async def test_a_row_that_matched_and_is_not_shown_says_why(store: Store, miss: Miss) -> None:
    changes, asked = MISSES[miss]
    item = known(**changes)
    trace = await traced(store, item, **asked)
    assert (reasons(trace), trace.context.hits) == ({item.id: miss}, ())
    (missed,) = trace.missed
    assert missed.why.cosine is not None


async def test_what_a_caller_narrowed_away_is_told_as_filtered(memory: Memory) -> None:
    item = await memory.add("Toca violão na praça", user="ana", type="preference", area="leisure")
    wishes: list[dict[str, Any]] = [
        {"type": "goal"}, {"area": "health"}, {"source": "import"}, {"tags": ["x"]}, {"subject": "Clara"},
        {"attribute": "residence"}, {"since": NOW + days(1)}, {"until": NOW - days(1)},
    ]  # fmt: skip
    for wish in wishes:
        found = await memory.recall("violão na praça", user="ana", trace=True, **wish)
        assert (found.items, [(one.row.id, one.miss) for one in found.missed]) == ((), [(item.id, Miss.FILTERED)])


@pytest.mark.parametrize("policy", [LIFE, COMPANION, WORK], ids=lambda policy: policy.name)
async def test_rows_beyond_what_there_is_room_for_are_outranked_and_none_is_lost(store: Store, policy: Policy) -> None:
    most = 3 if policy is WORK else policy.context.recalled_items * (FILLED if policy is LIFE else 1)
    rows = [known(f"strong {n}", created_at=NOW - days(20), held_from=NOW - days(20)) for n in range(most + 5)]
    trace = await traced(store, *rows, policy=policy)
    shown = {hit.item.id for hit in trace.context.hits}
    assert (len(shown), {row.id for row in rows}) == (most, shown | set(reasons(trace)))
    assert set(reasons(trace).values()) == {Miss.OUTRANKED}


async def test_notes_and_messages_say_why_too(store: Store) -> None:
    away = a_note(title="middle", summary="middle", archived_at=NOW - days(1))
    faint = a_note(title="weak", summary="weak")
    notes = [a_note(title="strong", summary=f"strong {n}", happened_at=NOW - days(n)) for n in range(5)]
    most = FILLED * LIFE.context.recalled_messages
    far = a_message(text="weak", conversation="far", sent_at=NOW - days(3))
    old = [a_message(text=f"strong {n}", conversation=f"old{n}", sent_at=NOW - days(3 + n)) for n in range(most + 4)]
    talks = [a_conversation(id=row.conversation) for row in (far, *old)]
    trace = await traced(store, away, faint, *notes, *talks, far, *old)
    told = reasons(trace)
    assert told[away.id] is Miss.ARCHIVED
    assert told[faint.id] is Miss.WEAK
    assert told[far.id] is Miss.WEAK
    assert sum(told.get(row.id) is Miss.OUTRANKED for row in notes) == 2
    assert sum(told.get(row.id) is Miss.OUTRANKED for row in old) == 4
    rules = [hit.why.rule for hit in trace.context.notes] + [hit.why.rule for hit in trace.context.earlier]
    assert set(rules) == {Rule.SAID}


async def test_what_stands_in_the_talk_at_hand_is_told_as_shown(listener: Memory) -> None:
    await listener.save(user="ana", said="o violão na praça")
    await listener.settle()
    trace = await listener.why("violão na praça", user="ana")
    assert [one.miss for one in trace.missed] == [Miss.SHOWN]
    assert "violão" in trace.context.text


async def test_a_note_of_a_hidden_talk_is_told_as_deleted(listener: Memory, clock: Clock) -> None:
    await listener.save(user="ana", said="o violão na praça", conversation="um")
    await listener.settle(flush=True)
    await listener.delete_conversation("um", user="ana")
    clock.move(hours=2)
    trace = await listener.why("violão na praça", user="ana")
    assert [one.miss for one in trace.missed] == [Miss.DELETED]


async def test_why_shows_what_load_shows(listener: Memory, clock: Clock) -> None:
    for number in range(30):
        item = await listener.add(f"Gosta de fruta {number}", user="ana")
        if number % 3:
            await listener.delete(item.id, user="ana")
        clock.move(hours=1)
    await listener.save(user="ana", said="comi uma fruta", conversation="um")
    await listener.settle(flush=True)
    clock.move(days=1)
    for budget in (60, 200, 2_000):
        trace = await listener.why("que fruta?", user="ana", budget=budget)
        context = await listener.load(user="ana", query="que fruta?", budget=budget)
        assert trace.context.text == context.text
        assert [hit.score for hit in trace.context.hits] == [hit.score for hit in context.hits]


async def test_a_note_of_one_message_that_is_shown_itself_was_not_cut(memory: Memory, clock: Clock) -> None:
    await memory.save(user="ana", said="The canoe is red and lies by the lake")
    await memory.settle(flush=True)
    clock.move(days=3)
    trace = await memory.why("where is the red canoe?", user="ana")
    assert [hit.message.text for hit in trace.context.earlier] == ["The canoe is red and lies by the lake"]
    assert [one.miss for one in trace.missed if isinstance(one.row, Note)] == [Miss.TOLD]
