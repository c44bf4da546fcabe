"""What a question asks for: whom, when, about what, and in whose words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.message import Role
from relembra.domain.policy import RankingPolicy

_TELLING = 0.5  # the least weight of a word that tells what is asked about; it may have two stems


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A stretch of time named in a question, from `start` up to, not including, `end`, both in UTC."""

    start: datetime
    end: datetime
    text: str  # the words that named it
    precise: bool  # False: vague, as "lately" or "a few days ago" are


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """A question, or the last thing said, as recall needs it. Empty and None: it does not tell."""

    text: str
    language: str | None = None  # pt or en
    core: str  # without greetings and polite wrapping; never empty unless the text is
    names: tuple[str, ...] = ()  # subjects named, as this memory calls them, in order of mention
    mentions: tuple[str, ...] = ()  # handles, without the @
    period: Period | None = None  # when what is asked about was said or happened
    topics: tuple[str, ...] = ()  # most told first
    about: str | None = None  # the first topic in a few words, to compare in meaning
    types: tuple[KnowledgeType, ...] = ()  # to look at first; empty: any
    areas: tuple[LifeArea, ...] = ()  # to look at first; empty: any
    role: Role | None = None  # assistant: asks what the assistant said; user: is about the asker
    weights: Mapping[str, float] = field(default_factory=dict)  # the terms to find it by, each with what it weighs
    past: bool = False  # asks how things were before, not how they are
    ordered: bool = False  # asks for several things, a count, or an order in time

    @property
    def time_alone(self) -> bool:
        """Whether it asks for whatever was in a time: no word of it tells of anything else."""
        return self.period is not None and bool(self.weights) and max(self.weights.values()) < _TELLING


_MOST_WORK_RELEVANCE = 10.0


def recency(moment: datetime, now: datetime, half_life_days: float) -> float:
    """1.0 now, halved every half-life; a moment in the future counts as now."""
    age = max(timedelta(), now - moment)
    return float(0.5 ** (age / timedelta(days=half_life_days)))


def companion_relevance(similarity: float, weight: float, recency_factor: float) -> float:
    """The companion's formula: similarity × weight × recency."""
    return similarity * weight * recency_factor


def work_relevance(priority: float, recency_factor: float, similarity: float, accesses: int) -> float:
    """The work assistant's formula: priority × (0.4 recency + 0.4 similarity + 0.2 usage), at most 10."""
    usage = math.log(accesses + 1) / 10
    return min(_MOST_WORK_RELEVANCE, priority * (0.4 * recency_factor + 0.4 * similarity + 0.2 * usage))


def keyword_similarity(bm25: float | None, coverage: float, policy: RankingPolicy) -> float:
    """0–1 from the keyword arm: half for how telling the shared terms are, half for how much of the query they cover.

    BM25 alone would make every match look weak in a small memory, where no term is rare yet.
    """
    if bm25 is None:
        return 0.0
    return 0.5 * bm25 / (bm25 + policy.keyword_halfway) + 0.5 * coverage


def fused_similarity(cosine: float | None, keyword: float, policy: RankingPolicy) -> float:
    """One score in 0–1 from the two arms; a row without a vector, as just after a save, is judged by its words."""
    if cosine is None:
        return keyword
    return min(1.0, policy.vector_share * max(0.0, cosine) + (1 - policy.vector_share) * keyword)


def default_relevance(similarity: float, weight: float, recency_factor: float, policy: RankingPolicy) -> float:
    """The default: similarity, moved a little by weight and recency."""
    weighing = 1 - policy.weight_share * (1 - weight)
    freshness = 1 - policy.recency_share * (1 - recency_factor)
    return similarity * weighing * freshness


def inverse_document_frequency(documents: int, containing: int) -> float:
    """How telling a term is, by BM25+'s never-negative form: ln(1 + (N − n + ½) / (n + ½))."""
    return math.log(1 + (documents - containing + 0.5) / (containing + 0.5))


BM25_K1 = 1.2
BM25_B = 0.75


def bm25_term(idf: float, frequency: int, length: int, average_length: float) -> float:
    """One term's share of a document's BM25 score (Robertson and Zaragoza 2009)."""
    norm = BM25_K1 * (1 - BM25_B + BM25_B * length / max(average_length, 1e-9))
    return idf * frequency * (BM25_K1 + 1) / (frequency + norm)
