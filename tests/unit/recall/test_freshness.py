"""Of two values of one attribute, and of two messages about one matter, the newer stands first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from builders import NOW, an_item, days, items_where
from loops import each
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Role
from relembra.domain.policy import RankingName
from relembra.domain.scope import Place
from relembra.domain.searchable import Inquiry, Period
from relembra.recall.query import Miss, barred
from relembra.recall.ranking import Hit, Ranked, Why, current_first, newest_values
from relembra.recall.talk import FRESH_SHARE, FRESH_STEP, Told, fresher_first
from relembra.store.port import Candidate

WHY = Why(ranking=RankingName.DEFAULT, cosine=0.5, bm25=None, terms=(), similarity=0.5, weight=1.0, recency=1.0)
ASKED = Inquiry(text="where do I live?", core="where do I live?")


def hits(*items: KnowledgeItem) -> list[Hit]:
    """Hits in this order, their scores falling."""
    return [Hit(item, 1.0 - place / 10, WHY) for place, item in enumerate(items)]


def contents(rows: Sequence[Hit]) -> list[str]:
    return [hit.item.content for hit in rows]


def home(name: str, age: float, **changes: Any) -> KnowledgeItem:
    return an_item(content=name, attribute="residence", value=name, held_from=NOW - days(age), **changes)


def test_the_current_value_takes_the_place_of_the_older_one_and_all_others_stay() -> None:
    olinda = home("Olinda", 5)
    recife = home("Recife", 90, superseded_by=olinda.id, superseded_at=NOW - days(5))
    tea, cat = an_item(content="tea"), an_item(content="cat")
    rows = current_first(hits(recife, tea, olinda, cat), NOW)
    assert contents(rows) == ["Olinda", "tea", "Recife", "cat"]
    assert [row.score for row in rows] == [1.0, 0.9, 0.8, 0.7]


def test_a_newer_value_told_in_private_outdoes_what_a_space_was_told_where_both_are_heard() -> None:
    there, here = home("Recife", 9, place=Place("guild", "a")), home("Olinda", 1)
    assert contents(newest_values(hits(there, here), NOW)) == ["Olinda"]
    assert contents(newest_values(hits(there), NOW)) == ["Recife"]


def test_the_gravest_reason_is_told() -> None:
    item = an_item(deleted_at=NOW, superseded_at=NOW, archived_at=NOW, expires_at=NOW, place=Place("guild", "a"))
    assert barred(item, items_where(asked_in=Place("team", "a"))) is Miss.ELSEWHERE
    assert barred(item, items_where()) is Miss.DELETED
    assert barred(item, items_where(deleted=True)) is Miss.SUPERSEDED
    assert barred(item, items_where(deleted=True, history=True)) is None


def said(
    id: str, age: float, *, score: float = 0.5, cosine: float | None = 0.7, role: Role = Role.USER,
    words: dict[str, float] | None = None,
) -> Ranked:  # fmt: skip
    held = words or {}
    candidate = Candidate(
        id, cosine, None, tuple(held), NOW - days(age), role=role, shares=tuple(held.values()), conversation=id
    )
    return Ranked(id, score, WHY, candidate)


def told_as(text: str) -> Told:
    return Told(text, text)


def fresher(
    *rows: Ranked, near: float | None = 0.7, asked: Inquiry = ASKED, told: dict[str, Told] | None = None,
) -> list[str]:  # fmt: skip
    texts = told or {row.id: told_as("I live there") for row in rows}
    return [row.id for row in fresher_first(rows, texts, lambda one, other: near, asked)]


def test_the_newer_of_two_about_one_matter_comes_first_just_above_the_older() -> None:
    old, new = said("old", 9, score=0.8), said("new", 1, score=0.7)
    assert fresher(old, new) == ["new", "old"]
    rows = fresher_first([old, new], {r.id: Told("x", "x") for r in (old, new)}, lambda *_: 0.7, ASKED)
    assert rows[0].score == pytest.approx(0.8 + FRESH_STEP)
    assert rows[1].score == 0.8


def test_what_hardly_answers_is_not_put_first_for_being_newer() -> None:
    old, new = said("old", 9, score=0.8), said("new", 1, score=0.8 * FRESH_SHARE - 0.01)
    assert fresher(old, new) == ["old", "new"]
    moved = {"old": told_as("I live there"), "new": told_as("I moved here")}
    assert fresher(old, new, told=moved) == ["new", "old"]  # unless it says that something changed


def test_nothing_moves_where_a_question_asks_how_things_were() -> None:
    before = Inquiry(text="where did I live before?", core="where did I live before?", past=True)
    assert fresher(said("old", 9, score=0.8), said("new", 1, score=0.7), asked=before) == ["old", "new"]


def test_what_was_said_in_the_time_a_question_names_is_not_outdone_by_what_came_later() -> None:
    span = Period(start=NOW - days(10), end=NOW - days(8), text="then", precise=True)
    then = Inquiry(text="where did I live then?", core="where did I live then?", period=span)
    old, new = said("old", 9, score=0.8), said("new", 1, score=0.7)
    assert fresher(old, new, asked=then) == ["old", "new"]
    both = replace(then, period=replace(span, end=NOW))
    assert fresher(old, new, asked=both) == ["new", "old"]


@each(
    [
        ("about something else", {"near": -0.1}),
        ("the same said again", {"near": 0.99}),
        ("no vector to tell by", {"near": None}),
        ("too long", {"told": {"old": Told("x", "x"), "new": Told(2_000 * "x", "x")}}),
        ("not read", {"told": {"old": Told("x", "x")}}),
    ]
)
def test_nothing_moves_where_two_are_not_about_one_matter(why: str, changes: dict[str, Any]) -> None:
    assert fresher(said("old", 9, score=0.8), said("new", 1, score=0.7), **changes) == ["old", "new"], why
