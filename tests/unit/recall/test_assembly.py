"""One block of text from ranked values, a summary and a question, within a budget."""

from __future__ import annotations

from typing import Any

from builders import NOW, a_message, an_item, minutes
from relembra.domain.policy import LIFE
from relembra.learn.casework import Question
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.recall.assembly import MemoryContext, assemble
from relembra.recall.ranking import MessageHit, unasked

ASKED = Question("case", "Before, you said “Recife”, and now “Porto”. Has something changed?")


def assembled(**parts: Any) -> MemoryContext:
    ordinary: dict[str, Any] = {
        "name": "ana", "hits": [], "earlier": [], "recent": [], "now": NOW, "budget": 1_000, "language": "en",
        "policy": LIFE, "tokens": OfflineTokens(),
    }  # fmt: skip
    return assemble(**ordinary | parts)


def test_the_parts_stand_in_their_order() -> None:
    hit = unasked(an_item(content="Likes rowing"), LIFE.ranking)
    earlier = MessageHit(a_message(text="long ago", sent_at=NOW - minutes(9_000)), 0.5, hit.why)
    context = assembled(
        hits=[hit], earlier=[earlier], recent=[a_message(text="hello")], summary="Talks of boats", question=ASKED
    )
    assert context.text.splitlines() == [
        "## What is known about “ana”",
        "- “Likes rowing” [Mar 1, 2026]",
        "## Said earlier",
        "- Feb 23, 2026, “ana”: “long ago”",
        "## The conversation so far",
        "- (before) “Talks of boats”",
        "- “ana”: “hello”",
        "## To ask “ana” gently, when it fits",
        f"- {ASKED.text}",
    ]
    assert (context.summary, context.question, context.cut) == ("Talks of boats", ASKED, 0)


def test_without_room_the_question_waits_for_another_time() -> None:
    many = [unasked(an_item(content=f"Likes number {number}"), LIFE.ranking) for number in range(20)]
    context = assembled(hits=many, question=ASKED, budget=60)
    assert context.question is None
    assert context.hits
    assert context.cut == 21 - len(context.hits)
    assert ASKED.text not in context.text


def test_a_question_takes_room_from_what_is_known_and_not_from_the_newest_words() -> None:
    many = [unasked(an_item(content=f"Likes number {number}"), LIFE.ranking) for number in range(20)]
    last = a_message(text="hello")
    without, with_it = (
        assembled(hits=many, recent=[last], question=question, budget=150) for question in (None, ASKED)
    )
    assert with_it.question == ASKED
    assert with_it.recent == without.recent == (last,)
    assert len(with_it.hits) < len(without.hits)
