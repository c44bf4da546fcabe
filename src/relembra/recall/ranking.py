"""From candidates to ranked hits: fusion of the arms, then the formula the policy names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, SupersessionRule, about
from relembra.domain.message import Message, Note, NoteKind
from relembra.domain.policy import LayerPolicy, RankingName, RankingPolicy
from relembra.domain.searchable import (
    Inquiry,
    companion_relevance,
    default_relevance,
    fused_similarity,
    keyword_similarity,
    recency,
    work_relevance,
)
from relembra.store.port import Candidate

NOTE_PRIORITY = 7  # of what was noted, where priorities are weighed; an item has its own
_ONE_AT_A_TIME = (SupersessionRule.REPLACE, SupersessionRule.KEEP_HISTORY)


class Focus(StrEnum):
    """What of a question a row answers beside its words and meaning."""

    NAME = "name"  # it is about a person the question names
    TIME = "time"  # it was said or held in the time the question names
    NOTE = "note"  # it was learnt in a note that answers
    TOPIC = "topic"  # it is of a kind such talk looks at first
    KIND = "kind"  # it is of the kind of things a question asks for
    SPEAKER = "speaker"  # it was said by the one asked about


KIND_SIMILARITY = 0.4
"""The least similarity of what is of the kind of things asked for; its own raises it the rest of the way."""
FOCUS_SHARES = {Focus.NAME: 0.6, Focus.TIME: 0.5, Focus.TOPIC: 0.3, Focus.NOTE: 0.1}
"""How far a similarity is raised towards 1 by each."""


class Rule(StrEnum):
    """What let a row through."""

    CURRENT = "current"  # it is held now
    HISTORY = "history"  # it was asked for, held or not
    AS_OF = "as of"  # it was believed at the moment asked for
    TRUE_AT = "true at"  # it was true at the moment asked for
    ARCHIVE = "archive"  # it was put away, and the match is strong enough to bring it back
    SAID = "said"  # it was said where it may be heard


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
    focus: tuple[Focus, ...] = ()  # what else of the question it answers
    around: float = 0.0  # what the messages around it add
    moved: float = 0.0  # what who said it, when, and being newer than another of the same matter adds or takes
    rule: Rule = Rule.CURRENT


@dataclass(frozen=True, slots=True)
class Hit:
    """A knowledge item that answers, how well, and why."""

    item: KnowledgeItem
    score: float
    why: Why


@dataclass(frozen=True, slots=True)
class MessageHit:
    """A message that answers, how well, and why; `excerpt`: the words of it that matter, all of a short one's."""

    message: Message
    score: float
    why: Why
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class NoteHit:
    """A note that answers, how well, and why."""

    note: Note
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
    terms: Sequence[str],
    *,
    now: datetime,
    policy: RankingPolicy,
    limit: int,
    least: float = 0.0,
    focused: Mapping[str, Collection[Focus]] | None = None,
    near_topic: Mapping[str, float] | None = None,
    time_alone: bool = False,
    named: bool = False,
) -> list[Ranked]:
    """The best whose similarity is above `least`; equal scores by the newer, then by id, so that order is the same.

    `terms`: the question's; `focused`: what else of the question rows answer, by id; `near_topic`: cosines of rows and
    the question's topic; `time_alone`: it asks for nothing but a time; `named`: it names another person. By the
    companion's ranking only as many as its candidates, the most similar ones, are ordered by its formula.
    """
    scored = []
    for candidate in candidates:
        coverage = len(candidate.terms) / len(terms) if terms else 0.0
        keyword = keyword_similarity(candidate.bm25, coverage, policy)
        focus = tuple(sorted((focused or {}).get(candidate.id, ())))
        fused = fused_similarity(candidate.cosine, keyword, policy)
        if Focus.TOPIC in focus:
            fused = max(fused, policy.topic_similarity * (near_topic or {}).get(candidate.id, 0.0))
        similarity = fused  # raised part of the way to 1 by everything else of the question the row answers
        for one in focus:
            similarity += (1.0 - similarity) * FOCUS_SHARES.get(one, 0.0) * fused
        similarity = min(1.0, similarity)
        if Focus.TIME in focus and time_alone:
            similarity = max(similarity, policy.time_similarity)
        if Focus.KIND in focus:
            similarity += (1.0 - similarity) * KIND_SIMILARITY
        if named and candidate.subject == SELF:
            similarity *= policy.own_when_named
        if similarity > least:
            fresh = recency(candidate.moment, now, policy.recency_half_life_days)
            match policy.name:
                case RankingName.DEFAULT:
                    score = default_relevance(similarity, candidate.weight, fresh, policy)
                case RankingName.COMPANION:
                    score = companion_relevance(similarity, candidate.weight, fresh)
                case RankingName.WORK:
                    score = work_relevance(candidate.priority, fresh, similarity, candidate.accesses)
            scored.append((-score, -fresh, candidate.id, candidate, similarity, focus))
    if policy.name is RankingName.COMPANION:
        scored.sort(key=lambda row: (-row[4], row[1], row[2]))
        del scored[policy.candidates :]
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
                focus=focus,
            ),
            candidate,
        )
        for score, fresh, _, candidate, similarity, focus in scored[:limit]
    ]


def focus_of(
    candidate: Candidate, inquiry: Inquiry, notes: Collection[str], of_kind: Collection[str] = ()
) -> tuple[Focus, ...]:
    """What else of a question an item answers: whom it is about, when it was, what it is, where it was learnt."""
    period = inquiry.period
    answered = {
        Focus.NAME: candidate.subject in inquiry.names,
        Focus.NOTE: candidate.note_id in notes,
        Focus.KIND: candidate.id in of_kind,
        Focus.TIME: period is not None and period.precise and period.start <= candidate.moment < period.end,
        Focus.TOPIC: candidate.type in inquiry.types
        and (not inquiry.areas or candidate.area is None or candidate.area in inquiry.areas),
    }
    return tuple(focus for focus, does in answered.items() if does)


def unfound(ranking: RankingName, *, weight: float = 1.0, recency: float = 1.0) -> Why:
    """Of a row no arm found."""
    return Why(ranking=ranking, cosine=None, bm25=None, terms=(), similarity=0.0, weight=weight, recency=recency)


def unasked(item: KnowledgeItem, policy: RankingPolicy) -> Hit:
    """An item handed over without a question it answers."""
    return Hit(item, 0.0, unfound(policy.name, weight=item.weight))


def current_first(hits: Sequence[Hit], now: datetime) -> list[Hit]:
    """The hits with the values of one attribute in the order of time: where an older one stood first, the current one
    stands now, and the places of all others stay.

    Values of one attribute are told by subject and attribute where only one is true at a time, and by who replaced
    whom.
    """
    seen = {hit.item.id: hit.item for hit in hits}
    lines: dict[str, str] = {}  # what an item and those that replaced it share: the last of them that was seen
    for id, item in seen.items():
        passed = {id}
        while (after := seen.get(item.superseded_by or "")) is not None and after.id not in passed:
            item = after
            passed.add(item.id)
        lines[id] = f"{item.subject}\0{item.attribute}" if _one_at_a_time(item) else item.id
    ordered = list(hits)
    for line in set(lines.values()):
        places = [place for place, hit in enumerate(hits) if lines[hit.item.id] == line]
        if len(places) > 1:
            newest = sorted(
                (hits[place] for place in places),
                key=lambda hit: (
                    hit.item.is_current(now),
                    not hit.item.is_planned(now),
                    hit.item.validated,
                    hit.item.held_from,
                    hit.item.created_at,
                ),
                reverse=True,
            )
            for place, hit in zip(places, newest, strict=True):
                ordered[place] = replace(hit, score=hits[place].score)
    return ordered


def _one_at_a_time(item: KnowledgeItem) -> bool:
    return item.attribute is not None and about(item.attribute).rule in _ONE_AT_A_TIME and not item.needs_resolution


def newest_values(hits: Sequence[Hit], now: datetime) -> list[Hit]:
    """The hits without values that a newer one of the same attribute outdoes where only one is true at a time.

    What is only planned outdoes nothing.

    What was learnt in a space is not ended by what is said in private; where both may be heard, the newer one counts.
    """
    newest: dict[tuple[str, str], KnowledgeItem] = {}
    for hit in hits:
        item = hit.item
        if _one_at_a_time(item) and item.attribute is not None and not item.is_planned(now):
            held = newest.get((item.subject, item.attribute))
            if held is None or (item.validated, item.held_from) > (held.validated, held.held_from):
                newest[item.subject, item.attribute] = item
    return [
        hit
        for hit in hits
        if hit.item.needs_resolution
        or hit.item.is_planned(now)
        or newest.get((hit.item.subject, hit.item.attribute or ""), hit.item).id == hit.item.id
        or newest[hit.item.subject, hit.item.attribute or ""].place == hit.item.place
    ]


T = TypeVar("T", bound="Hit | NoteHit | MessageHit")


class Layer(StrEnum):
    SHORT = "short"  # the session going on
    MEDIUM = "medium"  # notes and exchanges of the last two weeks
    LONG = "long"  # older ones, told briefly or archived
    EPISODIC = "episodic"  # what happened that matters
    SEMANTIC = "semantic"  # facts, preferences, people, goals, patterns


def layer_of(row: KnowledgeItem | Note | Message, now: datetime, medium_for: timedelta) -> Layer:
    """Items are what is known, but for what happened and what was put away; notes and messages of earlier talks are of
    the medium term until they are too old or put away; a note of an appointment stays an episode."""
    match row:
        case KnowledgeItem():
            if row.archived_at is not None:
                return Layer.LONG
            return Layer.EPISODIC if row.type is KnowledgeType.MEMORY else Layer.SEMANTIC
        case Note(kind=NoteKind.APPOINTMENT | NoteKind.EVENT):
            return Layer.EPISODIC
        case Note():
            is_old = row.archived_at is not None or now - row.happened_at > medium_for
        case Message():
            is_old = now - row.sent_at > medium_for
    return Layer.LONG if is_old else Layer.MEDIUM


def by_layer(
    hits: Sequence[Hit], notes: Sequence[NoteHit], messages: Sequence[MessageHit], *, now: datetime, policy: LayerPolicy
) -> tuple[list[Hit], list[NoteHit], list[MessageHit]]:
    """The best of each layer, as many as the policy chooses; notes and messages share the medium and the long term.

    A message is weighed by the work assistant's formula, as a note is, so that the two can be compared.
    """

    def layer(hit: Hit | NoteHit | MessageHit) -> Layer:
        row = hit.item if isinstance(hit, Hit) else hit.note if isinstance(hit, NoteHit) else hit.message
        return layer_of(row, now, policy.medium_for)

    def work_score(hit: NoteHit | MessageHit) -> float:
        accesses = hit.note.accesses if isinstance(hit, NoteHit) else 0
        return work_relevance(NOTE_PRIORITY, hit.why.recency, hit.why.similarity, accesses)

    def best(rows: Sequence[T]) -> list[T]:
        taken: Counter[Layer] = Counter()
        kept = []
        for row in rows:
            taken[layer(row)] += 1
            if taken[layer(row)] <= getattr(policy, layer(row).value):
                kept.append(row)
        return kept

    talked: list[NoteHit | MessageHit] = sorted([*notes, *messages], key=lambda hit: -work_score(hit))
    medium = [hit for hit in talked if layer(hit) is Layer.MEDIUM][: policy.medium_most]
    kept = best([*medium, *(hit for hit in talked if layer(hit) is not Layer.MEDIUM)])
    return (
        best(hits),
        [hit for hit in kept if isinstance(hit, NoteHit)],
        [hit for hit in kept if isinstance(hit, MessageHit)],
    )
