"""The formulas of the companion and of the work assistant, with numbers worked out by hand."""

from __future__ import annotations

import pytest

from builders import NOW, days
from relembra.domain.policy import LIFE
from relembra.recall.ranking import Focus, rank
from relembra.store.port import Candidate

# A cosine of 1.0 makes a similarity of 0.65, since vectors have that share, unless words answer as well.


def found(
    id: str, cosine: float, *, weight: float = 1.0, age: float = 0, priority: int = 5, accesses: int = 0
) -> Candidate:
    return Candidate(id, cosine, None, (), NOW - days(age), weight=weight, priority=priority, accesses=accesses)


def test_words_count_beside_meaning() -> None:
    """Words: half for how telling (4 / (4 + 4)), half for the two of three terms held."""
    candidate = found("a", 0.6)._replace(bm25=4.0, terms=("tea", "milk"))
    (row,) = rank([candidate], ("tea", "with", "milk"), now=NOW, policy=LIFE.ranking, limit=1)
    words = 0.5 * 0.5 + 0.5 * 2 / 3
    assert row.why.similarity == pytest.approx(0.65 * 0.6 + 0.35 * words)


def test_what_else_of_a_question_a_row_answers_raises_its_similarity_part_of_the_way() -> None:
    focused = {"a": {Focus.NAME}, "b": {Focus.TOPIC, Focus.NAME}}
    rows = rank(
        [found("a", 0.5), found("b", 0.5), found("c", 0.5)], (), now=NOW, policy=LIFE.ranking, limit=3, focused=focused
    )
    s = 0.325
    named = s + (1 - s) * 0.6 * s
    both = named + (1 - named) * 0.3 * s
    assert {row.id: row.why.similarity for row in rows} == pytest.approx({"a": named, "b": both, "c": s})
    assert ([row.id for row in rows], rows[0].why.focus) == (["b", "a", "c"], (Focus.NAME, Focus.TOPIC))
