"""From candidates to ranked hits: fusion of the arms, then the formula the policy names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar, assert_never

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message
from relembra.domain.policy import RankingName, RankingPolicy
from relembra.domain.relevance import (
    companion_relevance,
    default_relevance,
    fused_similarity,
    keyword_similarity,
    recency,
    work_relevance,
)
from relembra.store.port import Candidate, Query

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What a score is made of; None where an arm did not find it."""

    ranking: RankingName
    cosine: float | None
    bm25: float | None
    terms: tuple[str, ...]
    similarity: float  # the arms fused, 0–1
    weight: float
    recency: float

    def __str__(self) -> str:
        found = []
        if self.cosine is not None:
            found.append(f"meaning {self.cosine:.2f}")
        if self.bm25 is not None:
            found.append(f"words {self.bm25:.2f} ({', '.join(self.terms)})")
        arms = " + ".join(found) or "nothing"
        return f"{arms} → {self.similarity:.2f}; weight {self.weight:.2f}, recency {self.recency:.2f}, {self.ranking}"


@dataclass(frozen=True, slots=True)
class Hit:
    """A knowledge item that answers, how well, and why."""

    item: KnowledgeItem
    score: float
    why: Why


@dataclass(frozen=True, slots=True)
class MessageHit:
    """A message that answers, how well, and why."""

    message: Message
    score: float
    why: Why


def rank_items(
    candidates: Iterable[Candidate[KnowledgeItem]], query: Query, *, now: datetime, policy: RankingPolicy
) -> list[Hit]:
    """Best first; equal scores by the newer, then by id, so that the same input gives the same order."""
    scored = []
    for candidate in candidates:
        item = candidate.row
        why = _why(candidate, query, item.reinforced_at or item.held_from, item.weight, now, policy)
        match policy.name:
            case RankingName.DEFAULT:
                score = default_relevance(why.similarity, item.weight, why.recency, policy)
            case RankingName.COMPANION:
                score = companion_relevance(why.similarity, item.weight, why.recency)
            case RankingName.WORK:
                score = work_relevance(item.priority, why.recency, why.similarity, item.accesses)
            case other:
                assert_never(other)
        scored.append(Hit(item, score, why))
    return sorted(scored, key=lambda hit: (-hit.score, -hit.item.created_at.timestamp(), hit.item.id))


def rank_messages(
    candidates: Iterable[Candidate[Message]], query: Query, *, now: datetime, policy: RankingPolicy
) -> list[MessageHit]:
    """Best first by similarity and recency; what was said carries no weight of its own."""
    scored = []
    for candidate in candidates:
        why = _why(candidate, query, candidate.row.sent_at, 1.0, now, policy)
        scored.append(MessageHit(candidate.row, default_relevance(why.similarity, 1.0, why.recency, policy), why))
    return sorted(scored, key=lambda hit: (-hit.score, -hit.message.sent_at.timestamp(), hit.message.id))


def _why(
    candidate: Candidate[T], query: Query, moment: datetime, weight: float, now: datetime, policy: RankingPolicy
) -> Why:
    coverage = len(candidate.terms) / len(query.terms) if query.terms else 0.0
    keyword = keyword_similarity(candidate.bm25, coverage, policy)
    return Why(
        ranking=policy.name,
        cosine=candidate.cosine,
        bm25=candidate.bm25,
        terms=candidate.terms,
        similarity=fused_similarity(candidate.cosine, keyword, policy),
        weight=weight,
        recency=recency(moment, now, policy.recency_half_life_days),
    )


def unasked(item: KnowledgeItem, policy: RankingPolicy) -> Hit:
    """An item handed over without a question it answers."""
    why = Why(ranking=policy.name, cosine=None, bm25=None, terms=(), similarity=0.0, weight=item.weight, recency=1.0)
    return Hit(item, 0.0, why)
