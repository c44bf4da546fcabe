"""Cases: both sides as the person's answer leaves them, and the way back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import ANA, NOW, a_case, an_item, days, kept
from memories import Clock
from relembra import ConflictError, KnowledgeItem
from relembra.domain.case import Case, Outcome, may_ask
from relembra.domain.policy import LIFE
from relembra.domain.scope import DIRECT, Place, new_id
from relembra.learn.casework import Casework, Conflict
from relembra.store.port import Put, Store


@pytest.fixture
def casework(store: Store, clock: Clock) -> Casework:
    clock.move(days=1)
    return Casework(store, policy=LIFE, clock=clock, new_id=new_id)


def sides(**changes: object) -> tuple[KnowledgeItem, KnowledgeItem]:
    old = an_item(attribute="residence", value="Recife", content="Lives in Recife", language="en", confidence=0.9)
    new = an_item(
        attribute="residence", value="Porto", content="Lives in Porto", language="en", confidence=0.8,
        needs_resolution=True, held_from=NOW + days(0.5),
    )  # fmt: skip
    return replace(old, **changes), new  # type: ignore[arg-type]  # plain words


async def opened(store: Store, **changes: object) -> Conflict:
    old, new = sides(**changes)
    case = a_case(old_id=old.id, new_id=new.id)
    await kept(store, old, new, case)
    return Conflict(case, old, new)


async def test_taking_a_rules_decision_back_asks_nothing(store: Store, casework: Casework, clock: Clock) -> None:
    old, new = sides()
    ended = replace(old, superseded_by=new.id, superseded_at=NOW, held_until=new.held_from)
    winner = replace(new, needs_resolution=False)
    case = a_case(old_id=old.id, new_id=new.id, outcome=Outcome.NEW, settled_by="program:rules")
    await kept(store, ended, winner, case)
    after = await casework.undo(ANA, case.id, None)
    assert (after.case.outcome, after.case.settled_by) == (Outcome.UNDONE, "person:ana")
    assert after.old.is_current(clock.now)
    assert after.new.is_current(clock.now)
    assert (after.old.held_until, after.old.confidence) == (None, old.confidence)
    assert await casework.pending(ANA, DIRECT, clock.now, "en") is None
    with pytest.raises(ConflictError, match="no decision"):
        await casework.undo(ANA, case.id, None)


async def test_a_side_replaced_since_is_said(store: Store, casework: Casework) -> None:
    before = await opened(store)
    third = an_item()
    moved = replace(before.new, superseded_by=third.id, superseded_at=NOW, version=2)
    await kept(store, third)
    await store.apply(ANA, [Put(moved, 1)])
    with pytest.raises(ConflictError, match="replaced since"):
        await casework.settle(ANA, before.id, "new", None)


async def test_the_oldest_case_to_ask_about_comes_first(store: Store, casework: Casework, clock: Clock) -> None:
    held: list[Case] = []
    for number in range(8):
        old, new = sides()
        case = a_case(old_id=old.id, new_id=new.id, opened_at=NOW + days(number / 100))
        if number < 6:  # one side went since, so there is nothing left to ask
            new = replace(new, deleted_at=NOW)
        await kept(store, old, new, case)
        held.append(case)
    asked = await casework.pending(ANA, DIRECT, clock.now, "en")
    assert asked is not None
    assert asked.case_id == held[6].id
    await casework.mark_asked(ANA, held[6].id, clock.now)
    asked = await casework.pending(ANA, DIRECT, clock.now, "en")
    assert asked is not None
    assert asked.case_id == held[7].id
    assert await casework.pending(ANA, Place("g1", "general"), clock.now, "en") is None


def test_a_question_is_not_put_again_and_again() -> None:
    rules = {"again_after": days(1), "at_most": 3, "within": days(90)}
    case = a_case()
    assert may_ask(case, NOW, **rules)  # type: ignore[arg-type]  # plain words
    once = replace(case, asked=1, asked_at=NOW)
    assert not may_ask(once, NOW + days(0.99), **rules)  # type: ignore[arg-type]
    assert may_ask(once, NOW + days(1), **rules)  # type: ignore[arg-type]
    assert not may_ask(replace(once, asked=3), NOW + days(99), **rules)  # type: ignore[arg-type]
    for outcome in set(Outcome) - {Outcome.OPEN}:
        assert not may_ask(replace(case, outcome=outcome), NOW, **rules)  # type: ignore[arg-type]
    judged = replace(case, judged_by="offline@2")
    assert may_ask(judged, case.opened_at + days(90), **rules)  # type: ignore[arg-type]
    assert not may_ask(judged, case.opened_at + days(91), **rules)  # type: ignore[arg-type]
    assert may_ask(replace(case, judged_by="rule"), case.opened_at + days(91), **rules)  # type: ignore[arg-type]
