"""From single outcomes to figures: one plain value that a program, a table and a page read alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from relembra.domain.text import shortened
from relembra.evaluation.datasets import Dataset, Question
from relembra.evaluation.runner import (
    ALL_METHODS,
    CONTEXT_TOKENS,
    OURS,
    PLAIN_TOKENS,
    Measured,
    any_at,
    is_fresh,
    mean,
    mean_of,
    percentile,
    recall_at,
    scored,
)

Report = dict[str, Any]

MISSED_AT = 10
LONGEST_TEXT = 300


def report(dataset: Dataset, found: Sequence[Measured], *, stopped: bool = False, **about: Any) -> Report:
    """Every figure of a run; `about` goes along."""
    return {
        "dataset": dataset.name,
        **about,
        "messages": len(dataset.turns),
        "conversations": len({(turn.person, turn.conversation) for turn in dataset.turns}),
        "people": len(dataset.people),
        "questions": len(dataset.questions),
        "asked": len(found),
        "left_out": dataset.left_out,
        "stopped": stopped,
        "turns": _by_method(found, lambda one: one.question.evidence, lambda one, method: one.turns[method]),
        "sessions": _by_method(found, lambda one: one.question.sessions, lambda one, method: one.sessions[method]),
        "fresh": _fresh(found),
        "context": _context(found),
        "latency": _latency(found),
        "missed": [_missed(one, dataset) for one in found if is_missed(one)],
    }


def levels(found: Report) -> tuple[str, ...]:
    """What can be compared: messages, and conversations where a memory has several."""
    return ("turns", "sessions") if found["conversations"] > found["people"] else ("turns",)


def _by_method(
    found: Sequence[Measured],
    wanted: Callable[[Measured], Sequence[str]],
    ranking: Callable[[Measured, str], Sequence[str]],
) -> Report:
    """Each method's figures over all questions with evidence, and over each type of question."""
    answerable = [one for one in found if wanted(one)]
    types = sorted({one.question.type for one in answerable})

    def figures(method: str, some: Iterable[Measured]) -> Report:
        scores = [scored(ranking(one, method), wanted(one)) for one in some]
        return {"questions": len(scores), **{name: round(value, 4) for name, value in mean_of(scores).items()}}

    return {
        method: {
            "overall": figures(method, answerable),
            "by_type": {
                name: figures(method, (one for one in answerable if one.question.type == name)) for name in types
            },
        }
        for method in ALL_METHODS
    }


def _fresh(found: Sequence[Measured]) -> Report:
    """How often what holds now stands above what it replaced."""
    changed = [one for one in found if one.question.newest and one.question.older]
    shares = {
        method: round(mean(is_fresh(one.turns[method], one.question.newest, one.question.older) for one in changed), 4)
        for method in ALL_METHODS
    }
    return {"questions": len(changed), **(shares if changed else {})}


def _context(found: Sequence[Measured]) -> Report:
    """The share of evidence that a context shows, beside whole messages in three times its room."""
    answerable = [one for one in found if one.question.evidence]
    if not answerable:
        return {"questions": 0}

    def share(ids: Callable[[Measured], Sequence[str]]) -> float:
        return round(mean(recall_at(ids(one), one.question.evidence, len(ids(one))) for one in answerable), 4)

    return {
        "questions": len(answerable),
        "budget": CONTEXT_TOKENS,
        "evidence": share(lambda one: one.shown),
        "tokens": round(mean(one.tokens for one in answerable), 1),
        "messages": round(mean(len(one.shown) for one in answerable), 1),
        "items": round(mean(one.items for one in answerable), 1),
        "bm25_budget": PLAIN_TOKENS,
        "bm25_evidence": share(lambda one: one.plain_shown),
        "bm25_tokens": round(mean(one.plain_tokens for one in answerable), 1),
    }


def _latency(found: Sequence[Measured]) -> Report:
    """Milliseconds, and how they compare with embedding the question alone."""
    times = {name: [one.seconds[name] * 1_000 for one in found] for name in ("recall", "load", "embed")}
    figures: Report = {
        name: {"p50": round(percentile(each, 0.5), 3), "p95": round(percentile(each, 0.95), 3)}
        for name, each in times.items()
    }
    alone = figures["embed"]["p50"]
    ratio = {name: round(figures[name]["p50"] / alone, 2) if alone else None for name in ("recall", "load")}
    return {**figures, "ratio": ratio}


def is_missed(one: Measured) -> bool:
    """Whether nothing of the evidence was among the first ten."""
    if one.question.evidence:
        return not any_at(one.turns[OURS], one.question.evidence, MISSED_AT)
    return bool(one.question.sessions) and not any_at(one.sessions[OURS], one.question.sessions, MISSED_AT)


def _missed(one: Measured, dataset: Dataset) -> Report:
    question = one.question
    first = one.turns[OURS][:1]
    return {
        "id": question.id,
        "type": question.type,
        "question": question.text,
        "answer": question.answer,
        "evidence": [_turn(question, id, dataset) for id in question.evidence],
        "sessions": list(question.sessions),
        "first": _turn(question, first[0], dataset) if first else None,
    }


def _turn(question: Question, id: str, dataset: Dataset) -> Report:
    turn = dataset.by_id.get((question.person, id))
    return {"id": id, "text": shortened(turn.text, LONGEST_TEXT) if turn else ""}
