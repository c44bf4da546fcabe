"""From candidates to ranked hits: fusion of the arms, then the formula the policy names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from relembra.domain.attributes import SupersessionRule, rule_for
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message
from relembra.domain.policy import RankingName, RankingPolicy
from relembra.domain.relevance import (
    companion_relevance,
    default_relevance,
    fused_similarity,
    keyword_similarity,
    matched_similarity,
    recency,
    work_relevance,
)
from relembra.store.port import Candidate, Query

_ONE_AT_A_TIME = (SupersessionRule.REPLACE, SupersessionRule.KEEP_HISTORY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What a score is made of; None where an arm did not find it."""

    ranking: RankingName
    cosine: float | None
    bm25: float | None
    terms: tuple[str, ...]
    match: float | None = None  # word by word, where it was compared so
    similarity: float  # the arms fused and the match, 0–1
    weight: float
    recency: float

    def __str__(self) -> str:
        found = []
        if self.cosine is not None:
            found.append(f"meaning {self.cosine:.2f}")
        if self.bm25 is not None:
            found.append(f"words {self.bm25:.2f} ({', '.join(whole_words(self.terms))})")
        if self.match is not None:
            found.append(f"match {self.match:.2f}")
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


def whole_words(terms: Sequence[str]) -> list[str]:
    """The terms without those that only begin another: a word may stand under a shorter and a longer stem."""
    return [term for term in terms if not any(other != term and other.startswith(term) for other in terms)]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate's id in the order of relevance."""

    id: str
    score: float
    why: Why
    candidate: Candidate


def rank(
    candidates: Iterable[Candidate],
    query: Query,
    *,
    now: datetime,
    policy: RankingPolicy,
    limit: int,
    least: float = 0.0,
) -> list[Ranked]:
    """The best whose similarity is above `least`; equal scores by the newer, then by id, so that order is the same."""
    scored = []
    for candidate in candidates:
        coverage = len(candidate.terms) / len(query.terms) if query.terms else 0.0
        keyword = keyword_similarity(candidate.bm25, coverage, policy)
        similarity = fused_similarity(candidate.cosine, keyword, policy)
        if similarity > least:
            fresh = recency(candidate.moment, now, policy.recency_half_life_days)
            score = _score(candidate, similarity, fresh, policy)
            scored.append((-score, -fresh, candidate.id, candidate, similarity))
    scored.sort(key=lambda row: row[:3])
    return [
        Ranked(
            candidate.id,
            -score,
            Why(
                ranking=policy.name,
                cosine=candidate.cosine,
                bm25=candidate.bm25,
                terms=candidate.terms,
                similarity=similarity,
                weight=candidate.weight,
                recency=-fresh,
            ),
            candidate,
        )
        for score, fresh, _, candidate, similarity in scored[:limit]
    ]


def rematched(ranked: Sequence[Ranked], matches: Sequence[float], policy: RankingPolicy) -> list[Ranked]:
    """The same candidates in a new order, with the word-by-word comparison counted in; one alone stays as it is."""
    if len(ranked) < 2:
        return list(ranked)
    usual = sum(matches) / len(matches)
    made = []
    for one, match in zip(ranked, matches, strict=True):
        similarity = matched_similarity(one.why.similarity, match, usual, policy)
        score = _score(one.candidate, similarity, one.why.recency, policy)
        made.append(Ranked(one.id, score, replace(one.why, match=match, similarity=similarity), one.candidate))
    return sorted(made, key=lambda one: (-one.score, -one.why.recency, one.id))


def _score(candidate: Candidate, similarity: float, fresh: float, policy: RankingPolicy) -> float:
    match policy.name:
        case RankingName.DEFAULT:
            return default_relevance(similarity, candidate.weight, fresh, policy)
        case RankingName.COMPANION:
            return companion_relevance(similarity, candidate.weight, fresh)
        case RankingName.WORK:
            return work_relevance(candidate.priority, fresh, similarity, candidate.accesses)
        case other:
            assert_never(other)


def unasked(item: KnowledgeItem, policy: RankingPolicy) -> Hit:
    """An item handed over without a question it answers."""
    why = Why(ranking=policy.name, cosine=None, bm25=None, terms=(), similarity=0.0, weight=item.weight, recency=1.0)
    return Hit(item, 0.0, why)


def newest_values(hits: Sequence[Hit]) -> list[Hit]:
    """The hits without values that a newer one of the same attribute outdoes where only one is true at a time.

    What was learnt in a space is not ended by what is said in private; where both may be heard, the newer one counts.
    """
    newest: dict[tuple[str, str], KnowledgeItem] = {}
    for hit in hits:
        item = hit.item
        if item.attribute is not None and rule_for(item.attribute) in _ONE_AT_A_TIME and not item.needs_resolution:
            held = newest.get((item.subject, item.attribute))
            if held is None or (item.validated, item.held_from) > (held.validated, held.held_from):
                newest[item.subject, item.attribute] = item
    return [
        hit
        for hit in hits
        if hit.item.needs_resolution
        or newest.get((hit.item.subject, hit.item.attribute or ""), hit.item).id == hit.item.id
        or newest[hit.item.subject, hit.item.attribute or ""].place == hit.item.place
    ]
