"""The rules that always hold, and the numbers they are made of."""

from __future__ import annotations

import math
import threading
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from builders import NOW, an_item, days
from loops import each
from relembra.domain.attributes import ATTRIBUTES, SupersessionRule, rule_for
from relembra.domain.audit import Actor, ActorKind
from relembra.domain.case import Ask, BothStand, Wins, judge, prevails, superseded
from relembra.domain.confidence import ConfidenceLevel, first_confidence, level, validated
from relembra.domain.ids import is_id, new_id
from relembra.domain.inquiry import (
    bm25_term,
    companion_relevance,
    default_relevance,
    fused_similarity,
    inverse_document_frequency,
    keyword_similarity,
    recency,
    work_relevance,
)
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.domain.message import LONGEST_TITLE, title_for
from relembra.domain.policy import COMPANION, GROUP, LIFE, PRESETS, WORK, RankingName, overridden, preset
from relembra.domain.scope import DIRECT, Place, Scope, may_hear
from relembra.domain.searchable import item_text
from relembra.domain.text import (
    LONGEST_NAME,
    LONGEST_TEXT_BYTES,
    checked_name,
    checked_text,
    fold,
    is_blank,
    shortened,
)
from relembra.domain.time import (
    AHEAD,
    EARLIEST,
    LATEST,
    in_utc,
    local,
    nearest_to_keep,
    not_ahead,
    system_clock,
    to_keep,
    zone_of,
)
from relembra.errors import InvalidInputError, SettingsError
from relembra.night.gardener import decayed_weight, should_archive
from relembra.recall.assembly import fit

CONFIDENCE = LIFE.confidence
shares = st.floats(0, 1)
hundredths = st.integers(0, 100).map(lambda n: n / 100)
moments = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
near_moments = st.integers(0, 60 * 24 * 100).map(lambda n: NOW + timedelta(minutes=n))
attributes = st.sampled_from([None, "favourite_colour", *ATTRIBUTES])


@st.composite
def items(draw: st.DrawFn, /, **fixed: Any) -> KnowledgeItem:
    """Items of any type, age and standing; few different values, so that ties happen."""
    drawn: dict[str, Any] = {
        "type": draw(st.sampled_from(KnowledgeType)),
        "attribute": draw(attributes),
        "confidence": draw(st.sampled_from([0.5, 0.7, 0.9, 0.95, 1.0])),
        "weight": draw(hundredths),
        "validated": draw(st.booleans()),
        "needs_resolution": draw(st.booleans()),
        "source": draw(st.sampled_from(Source)),
        "created_at": NOW + days(draw(st.integers(0, 3))),
        "held_from": NOW + days(draw(st.integers(0, 3))),
        "held_until": draw(st.none() | st.just(NOW + days(9))),
        "reinforced_at": draw(st.none() | near_moments),
        "version": draw(st.integers(1, 5)),
    }
    return an_item(**drawn | fixed)


# ── confidence ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("confidence", "expected"),
    [(1.0, "high"), (0.9, "high"), (0.89, "medium"), (0.7, "medium"), (0.69, "low"), (0.5, "low"), (0.49, "doubtful")],
)
def test_levels_begin_where_the_policy_says(confidence: float, expected: str) -> None:
    assert level(confidence, CONFIDENCE) == expected


@given(shares, shares)
def test_a_higher_confidence_is_never_of_a_lower_level(one: float, other: float) -> None:
    order = list(ConfidenceLevel)
    low, high = sorted((one, other))
    assert order.index(level(high, CONFIDENCE)) <= order.index(level(low, CONFIDENCE))


@given(st.sampled_from(Source), st.none() | shares)
def test_first_confidence_is_a_share_and_keeps_to_its_source(source: Source, given_: float | None) -> None:
    first = first_confidence(source, given_, CONFIDENCE)
    assert 0 <= first <= 1
    match source:
        case Source.USER_INPUT:
            assert first == 1.0
        case Source.CONVERSATION:
            assert first >= 0.9
            assert given_ is not None or first == 0.95
        case Source.AI_INFERENCE:
            assert first == (0.7 if given_ is None else given_)
        case Source.IMPORT:
            assert first == (0.95 if given_ is None else given_)


@given(st.sampled_from(Source), st.floats().filter(lambda number: not 0 <= number <= 1))
def test_a_confidence_that_is_no_share_is_refused(source: Source, given_: float) -> None:
    with pytest.raises(InvalidInputError) as refused:
        first_confidence(source, given_, CONFIDENCE)
    assert refused.value.field == "confidence"


@given(items(validated=False), shares)
def test_validation_adds_a_tenth_up_to_one(item: KnowledgeItem, confidence: float) -> None:
    item = replace(item, confidence=confidence)
    confirmed = validated(item, NOW, CONFIDENCE)
    assert confirmed.validated
    assert not confirmed.needs_resolution
    assert confirmed.confidence == pytest.approx(min(1.0, confidence + 0.1), abs=1e-6)
    assert confirmed.confidence <= 1.0
    assert confirmed.version == item.version + 1


@given(items())
def test_validating_again_changes_nothing(item: KnowledgeItem) -> None:
    once = validated(item, NOW, CONFIDENCE)
    assert validated(once, NOW + days(1), CONFIDENCE) is once


# ── priority between two that conflict ────────────────────────────────────────────────────────────────────────────


@given(items(), items())
def test_one_of_two_always_prevails(old: KnowledgeItem, new: KnowledgeItem) -> None:
    verdict = prevails(old, new)
    assert {verdict.winner.id, verdict.loser.id} == {old.id, new.id}
    assert verdict.why


@given(items(), items())
def test_the_validated_never_loses_to_the_unvalidated(old: KnowledgeItem, new: KnowledgeItem) -> None:
    verdict = prevails(old, new)
    assert verdict.winner.validated or not verdict.loser.validated


@given(items(), items())
def test_the_three_tiers_come_in_their_order(old: KnowledgeItem, new: KnowledgeItem) -> None:
    def rank(item: KnowledgeItem) -> tuple[bool, float, datetime]:
        return (item.validated, item.confidence, item.created_at)

    verdict = prevails(old, new)
    assert rank(verdict.winner) >= rank(verdict.loser)


@given(items(), items())
def test_it_does_not_matter_which_is_called_old_unless_they_are_equals(
    one: KnowledgeItem, other: KnowledgeItem
) -> None:
    assume((one.validated, one.confidence, one.created_at) != (other.validated, other.confidence, other.created_at))
    assert prevails(one, other).winner == prevails(other, one).winner


@given(items(), items(), items())
def test_priority_has_no_circles(a: KnowledgeItem, b: KnowledgeItem, c: KnowledgeItem) -> None:
    a, b, c = (replace(item, created_at=NOW + days(n)) for n, item in enumerate((a, b, c)))
    if prevails(a, b).winner == a and prevails(b, c).winner == b:
        assert prevails(a, c).winner == a


# ── supersession ──────────────────────────────────────────────────────────────────────────────────────────────────

UNTOUCHED = ("id", "confidence", "title", "content", "value", "evidence", "source", "created_at", "validated", "weight")


@given(items(), items(), moments)
def test_superseding_never_changes_confidence_or_content(
    loser: KnowledgeItem, winner: KnowledgeItem, now: datetime
) -> None:
    ended = superseded(loser, winner, now)
    for part in UNTOUCHED:
        assert getattr(ended, part) == getattr(loser, part)
    assert (ended.superseded_by, ended.superseded_at) == (winner.id, now)
    assert not ended.is_current(now)
    assert ended.held_until is not None
    assert ended.held_until >= ended.held_from
    assert ended.version == loser.version + 1


@given(items(), items(), attributes, st.booleans())
def test_the_validated_is_never_superseded_by_a_machines_word(
    old: KnowledgeItem, new: KnowledgeItem, attribute: str | None, completed: bool
) -> None:
    old, new = replace(old, attribute=attribute), replace(new, attribute=attribute)
    verdict = judge(old, new, completed=completed)
    if isinstance(verdict, Wins):
        assert verdict.winner.validated or not verdict.loser.validated


@given(items(), items(), st.sampled_from(["residence", "weight", "occupation"]), st.integers(1, 9_000), st.booleans())
def test_what_is_only_planned_ends_nothing_that_holds_and_is_ended_by_nothing_that_holds(
    now_held: KnowledgeItem, planned: KnowledgeItem, attribute: str, ahead: int, changed: bool
) -> None:
    now = max(now_held.held_from, now_held.created_at)
    planned = replace(planned, attribute=attribute, held_from=now + days(ahead))
    now_held = replace(now_held, attribute=attribute)
    for old, new in ((now_held, planned), (planned, now_held)):
        assert isinstance(judge(old, new, changed=changed, said_at=now, now=now), BothStand)
    later = planned.held_from
    assert judge(now_held, planned, changed=True, now=later) == judge(now_held, planned, changed=True)


@given(st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)), st.timedeltas(timedelta(-9_999), timedelta(9_999)))
def test_what_is_said_to_have_been_said_more_than_a_day_ahead_is_refused(now: datetime, off: timedelta) -> None:
    now = now.replace(tzinfo=UTC)
    if off > AHEAD:
        with pytest.raises(InvalidInputError, match="ahead") as refused:
            not_ahead(now + off, now, "sent_at")
        assert refused.value.field == "sent_at"
    else:
        assert not_ahead(now + off, now) == now + off


@pytest.mark.parametrize("attribute", ["weight", "height"])
def test_a_confirmed_earlier_measurement_is_asked_about_before_it_becomes_history(attribute: str) -> None:
    confirmed = an_item(attribute=attribute, validated=True, held_from=NOW)
    later = an_item(attribute=attribute, validated=False, held_from=NOW + days(1))
    assert isinstance(judge(confirmed, later), Ask)
    assert isinstance(judge(later, confirmed), Ask)


@given(items(), items(), st.booleans(), st.floats(0, 0.7, exclude_max=True))
def test_a_contradiction_under_the_threshold_is_ignored(
    old: KnowledgeItem, new: KnowledgeItem, completed: bool, certainty: float
) -> None:
    assert isinstance(judge(old, new, completed=completed, certainty=certainty), BothStand)


@given(items(), items())
def test_what_no_rule_covers_is_asked(old: KnowledgeItem, new: KnowledgeItem) -> None:
    assume(old.attribute != new.attribute or rule_for(old.attribute) is SupersessionRule.COEXIST)
    assert isinstance(judge(old, new), Ask)


@given(items(attribute="residence", source=Source.CONVERSATION), items(source=Source.AI_INFERENCE, validated=False))
def test_what_was_said_is_never_ended_by_what_was_only_inferred(old: KnowledgeItem, new: KnowledgeItem) -> None:
    new = replace(new, attribute="residence", held_from=old.held_from)
    assert isinstance(judge(old, new), Ask)


@given(items(attribute="birthday"), items(attribute="birthday"), st.booleans())
def test_what_cannot_change_is_asked(old: KnowledgeItem, new: KnowledgeItem, changed: bool) -> None:
    assert isinstance(judge(old, new, changed=changed), Ask)


@given(items(attribute="occupation", validated=False), items(attribute="occupation", source=Source.CONVERSATION))
def test_an_occupation_ends_only_when_the_person_says_it_changed(old: KnowledgeItem, new: KnowledgeItem) -> None:
    assert isinstance(judge(old, new), BothStand)
    assert judge(old, new, changed=True) == Wins(new, old, "occupation changed")


@given(items(attribute="residence", validated=False), items(attribute="residence", source=Source.CONVERSATION))
def test_a_new_residence_replaces_the_old_one_whatever_the_confidence(old: KnowledgeItem, new: KnowledgeItem) -> None:
    assume(new.held_from >= old.held_from)
    assert judge(old, new) == Wins(new, old, "residence changed")


@given(items(attribute="residence", source=Source.CONVERSATION), items(attribute="residence", validated=False))
def test_an_earlier_residence_told_later_does_not_end_the_one_after_it(old: KnowledgeItem, new: KnowledgeItem) -> None:
    assume(new.held_from < old.held_from)
    assert judge(old, new) == Wins(old, new, "an earlier residence")


@given(
    items(attribute="weight", validated=False, source=Source.CONVERSATION),
    items(attribute="weight", validated=False, source=Source.CONVERSATION),
)
def test_the_latest_measurement_is_current_whatever_came_in_last(old: KnowledgeItem, new: KnowledgeItem) -> None:
    verdict = judge(old, new)
    assert isinstance(verdict, Wins)
    assert verdict.winner.held_from >= verdict.loser.held_from


@given(items(attribute="goal", validated=False), items(attribute="goal", source=Source.CONVERSATION))
def test_a_goal_ends_only_once_completed(old: KnowledgeItem, new: KnowledgeItem) -> None:
    assert isinstance(judge(old, new), BothStand)
    assert judge(old, new, completed=True) == Wins(new, old, "goal completed")


@pytest.mark.parametrize(
    ("attribute", "rule"),
    [
        ("marital_status", SupersessionRule.REPLACE),
        ("employment", SupersessionRule.REPLACE),
        ("residence", SupersessionRule.REPLACE),
        ("weight", SupersessionRule.KEEP_HISTORY),
        ("goal", SupersessionRule.CHECK_COMPLETION),
        ("favourite_colour", SupersessionRule.COEXIST),
        (None, SupersessionRule.COEXIST),
    ],
)
def test_each_attribute_follows_its_own_rule(attribute: str | None, rule: SupersessionRule) -> None:
    assert rule_for(attribute) is rule


@given(items(), items(), moments)
def test_what_is_superseded_or_archived_or_deleted_or_expired_is_not_current(
    item: KnowledgeItem, winner: KnowledgeItem, now: datetime
) -> None:
    assert item.is_current(now)
    assert replace(item, expires_at=now + days(1)).is_current(now)
    for ended in (
        superseded(item, winner, now),
        replace(superseded(item, winner, now), superseded_by=None),  # the winner was forgotten
        replace(item, archived_at=now),
        replace(item, deleted_at=now),
        replace(item, expires_at=now),
    ):
        assert not ended.is_current(now)


# ── decay ─────────────────────────────────────────────────────────────────────────────────────────────────────────

DECAY = LIFE.decay
WEEK = timedelta(weeks=1)


@given(items(), near_moments, near_moments)
def test_only_emotions_nobody_validated_ever_fade(item: KnowledgeItem, since: datetime, now: datetime) -> None:
    weight = decayed_weight(item, since, now, DECAY)
    assert 0 <= weight <= item.weight
    if item.type is not KnowledgeType.EMOTION or item.validated:
        assert weight == item.weight
        assert not should_archive(0.0, item, DECAY)


emotions = items(type=KnowledgeType.EMOTION, validated=False)


@given(emotions, st.integers(0, 20), st.timedeltas(timedelta(), WEEK - timedelta(microseconds=1)))
def test_an_emotion_loses_a_tenth_every_whole_week(item: KnowledgeItem, weeks: int, rest: timedelta) -> None:
    item = replace(item, reinforced_at=None)
    expected = max(0.0, item.weight - 0.1 * weeks)
    assert decayed_weight(item, NOW, NOW + weeks * WEEK + rest, DECAY) == pytest.approx(expected, abs=1e-6)


def fade(item: KnowledgeItem, visits: list[datetime]) -> float:
    """What a gardener leaves that comes at these moments, and keeps until when its count of weeks has gone."""
    since = NOW
    for now in visits:
        weight = decayed_weight(item, since, now, DECAY)
        start = max(since, item.reinforced_at or since)
        since = start + max(0, (now - start) // WEEK) * WEEK
        item = replace(item, weight=weight)
    return item.weight


@given(emotions, st.lists(near_moments, max_size=8), near_moments)
def test_fading_is_the_same_however_often_the_gardener_comes(
    item: KnowledgeItem, visits: list[datetime], last: datetime
) -> None:
    earlier = sorted(visit for visit in visits if visit <= last)
    assert fade(item, [*earlier, last]) == pytest.approx(fade(item, [last]), abs=1e-6)


@pytest.mark.parametrize("length", [35, 90])
def test_nightly_and_monthly_gardening_agree(length: int) -> None:
    item = an_item(type=KnowledgeType.EMOTION, weight=0.9)
    nightly = [NOW + days(n) for n in range(1, length + 1)]
    monthly = [NOW + days(n) for n in range(30, length + 1, 30)] + [NOW + days(length)]
    assert fade(item, nightly) == fade(item, monthly) == decayed_weight(item, NOW, nightly[-1], DECAY)


@given(emotions, st.integers(1, 50))
def test_what_was_said_again_fades_from_then(item: KnowledgeItem, later: int) -> None:
    said_again = replace(item, reinforced_at=NOW + days(later))
    assert decayed_weight(said_again, NOW, NOW + days(later + 6), DECAY) == item.weight


def test_an_emotion_is_archived_under_three_tenths() -> None:
    item = an_item(type=KnowledgeType.EMOTION)
    assert should_archive(0.29, item, DECAY)
    assert not should_archive(0.3, item, DECAY)


# ── relevance ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("similarity", "weight", "recency_factor", "expected"),
    [(0.9, 0.7, 1.0, 0.63), (0.8, 0.5, 0.5, 0.2), (1.0, 1.0, 1.0, 1.0), (0.9, 0.0, 1.0, 0.0)],
)
def test_the_companions_formula(similarity: float, weight: float, recency_factor: float, expected: float) -> None:
    assert companion_relevance(similarity, weight, recency_factor) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("priority", "recency_factor", "similarity", "accesses", "expected"),
    [
        (5, 1.0, 1.0, 0, 4.0),
        (5, 0.5, 0.8, 0, 2.6),
        (10, 1.0, 1.0, 0, 8.0),
        (8, 0.25, 0.5, 9, 8 * (0.1 + 0.2 + 0.02 * math.log(10))),
        (10, 1.0, 1.0, 10**4, 10 * (0.8 + 0.02 * math.log(10**4 + 1))),
        (10, 1.0, 1.0, 10**9, 10.0),  # never more than ten
        (1, 0.0, 0.0, 0, 0.0),
    ],
)
def test_the_work_assistants_formula(
    priority: float, recency_factor: float, similarity: float, accesses: int, expected: float
) -> None:
    assert work_relevance(priority, recency_factor, similarity, accesses) == pytest.approx(expected)


@given(st.floats(1, 10), shares, shares, st.integers(0, 10**12))
def test_work_relevance_keeps_to_its_scale(
    priority: float, recency_factor: float, similarity: float, accesses: int
) -> None:
    score = work_relevance(priority, recency_factor, similarity, accesses)
    assert 0 <= score <= 10
    assert work_relevance(priority, recency_factor, similarity, accesses + 1) >= score


@given(moments, st.floats(0.1, 1_000))
def test_recency_is_one_now_and_halves_every_half_life(moment: datetime, half_life: float) -> None:
    assert recency(moment, moment, half_life) == 1.0
    assert recency(moment, moment - days(1), half_life) == 1.0
    later = moment + timedelta(days=half_life)
    assert recency(moment, later, half_life) == pytest.approx(0.5)
    assert recency(moment, later + timedelta(days=half_life), half_life) == pytest.approx(0.25)


@given(moments, moments, moments)
def test_the_newer_is_never_less_recent(one: datetime, other: datetime, now: datetime) -> None:
    early, late = sorted((one, other))
    assert 0 <= recency(early, now, 30) <= recency(late, now, 30) <= 1


cosines = st.none() | st.floats(-1, 1)
bm25s = st.none() | st.floats(0, 1e6)


@given(bm25s, shares, shares)
def test_keyword_similarity_is_a_share_and_grows_with_what_is_covered(
    bm25: float | None, one: float, other: float
) -> None:
    less, more = sorted((one, other))
    least, most = (keyword_similarity(bm25, coverage, LIFE.ranking) for coverage in (less, more))
    assert 0 <= least <= most <= 1


@given(st.floats(0, 1e6), st.floats(0, 1e6), shares)
def test_keyword_similarity_grows_with_bm25(one: float, other: float, coverage: float) -> None:
    less, more = sorted((one, other))
    least, most = (keyword_similarity(bm25, coverage, LIFE.ranking) for bm25 in (less, more))
    assert least <= most


def test_a_row_the_keywords_did_not_find_has_no_keyword_similarity() -> None:
    assert keyword_similarity(None, 1.0, LIFE.ranking) == 0.0
    assert keyword_similarity(LIFE.ranking.keyword_halfway, 1.0, LIFE.ranking) == pytest.approx(0.75)


@given(cosines, shares, shares)
def test_fused_similarity_is_a_share_and_grows_with_the_words(cosine: float | None, one: float, other: float) -> None:
    less, more = sorted((one, other))
    least, most = (fused_similarity(cosine, keyword, LIFE.ranking) for keyword in (less, more))
    assert 0 <= least <= most <= 1


@given(st.floats(-1, 1), st.floats(-1, 1), shares)
def test_fused_similarity_grows_with_the_cosine(one: float, other: float, keyword: float) -> None:
    less, more = sorted((one, other))
    assert fused_similarity(less, keyword, LIFE.ranking) <= fused_similarity(more, keyword, LIFE.ranking)


@given(shares)
def test_a_row_without_a_vector_is_judged_by_its_words(keyword: float) -> None:
    assert fused_similarity(None, keyword, LIFE.ranking) == keyword
    assert fused_similarity(1.0, 0.0, LIFE.ranking) == pytest.approx(0.65)


@given(shares, shares, shares)
def test_weight_and_recency_move_a_default_score_a_little(
    similarity: float, weight: float, recency_factor: float
) -> None:
    score = default_relevance(similarity, weight, recency_factor, LIFE.ranking)
    assert similarity * 0.85 * 0.9 - 1e-9 <= score <= similarity + 1e-9


@given(st.integers(1, 10_000), st.data())
def test_a_rarer_term_tells_more_and_none_tells_less_than_nothing(documents: int, data: st.DataObject) -> None:
    containing = data.draw(st.integers(1, documents))
    assert inverse_document_frequency(documents, containing) > 0
    assert inverse_document_frequency(documents, containing - 1) > inverse_document_frequency(documents, containing)


@given(st.integers(1, 50), st.integers(1, 500), st.floats(1, 500))
def test_bm25_grows_with_frequency_and_shrinks_with_length(frequency: int, length: int, average: float) -> None:
    score = bm25_term(1.0, frequency, length, average)
    assert 0 < score < 2.2
    assert bm25_term(1.0, frequency + 1, length, average) > score
    assert bm25_term(1.0, frequency, length + 1, average) < score


def test_bm25_of_a_worked_example() -> None:
    assert inverse_document_frequency(10, 2) == pytest.approx(math.log(1 + 8.5 / 2.5))
    assert bm25_term(2.0, 1, 10, 10.0) == pytest.approx(2.0)
    assert bm25_term(1.0, 3, 20, 10.0) == pytest.approx(3 * 2.2 / (3 + 1.2 * 1.75))


# ── budgets ───────────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.lists(st.tuples(st.integers(), st.integers(0, 50))), st.integers(0, 200))
def test_a_budget_is_never_exceeded_and_nothing_is_lost(parts: list[tuple[int, int]], budget: int) -> None:
    numbered = list(enumerate(parts))
    result = fit(numbered, budget, lambda part: part[1][1])
    assert result.tokens == sum(cost for _, (_, cost) in result.taken) <= budget
    assert sorted([*result.taken, *result.cut]) == sorted(numbered)
    assert list(result.taken) == sorted(result.taken)
    assert list(result.cut) == sorted(result.cut)


@given(st.lists(st.integers(1, 50)), st.integers(0, 200))
def test_nothing_is_cut_that_would_still_have_fitted(costs: list[int], budget: int) -> None:
    result = fit(costs, budget, lambda cost: cost)
    assert all(cost > budget - result.tokens for cost in result.cut)


# ── places ────────────────────────────────────────────────────────────────────────────────────────────────────────

places = st.builds(Place, st.none() | st.sampled_from(["guild", "team"]), st.sampled_from(["direct", "a", "b"]))


@given(places, places)
def test_in_a_space_only_what_was_learnt_in_that_space_is_heard(learnt: Place, asked: Place) -> None:
    if not asked.is_private:
        assert may_hear(learnt, asked) == (learnt.space == asked.space)
        assert not may_hear(DIRECT, asked)


@given(places, places)
def test_the_owner_hears_everything_in_private(learnt: Place, asked: Place) -> None:
    assert may_hear(learnt, Place(None, asked.channel))


# ── ids ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def assert_v7(id: str) -> None:
    uuid = UUID(id)
    assert (uuid.version, uuid.variant, str(uuid)) == (7, "specified in RFC 4122", id)
    assert is_id(id)


def test_ids_are_v7_and_each_is_greater_than_the_one_before() -> None:
    ids = [new_id() for _ in range(20_000)]
    assert ids == sorted(set(ids))
    assert_v7(ids[0])
    assert_v7(ids[-1])


def test_an_id_tells_when_it_was_made() -> None:
    before = system_clock()
    made = datetime.fromtimestamp((UUID(new_id()).int >> 80) / 1_000, UTC)
    assert before - timedelta(minutes=1) < made < system_clock() + timedelta(minutes=1)


def test_ids_made_in_threads_are_unique_and_grow_in_each() -> None:
    made: list[list[str]] = []

    def make() -> None:
        made.append([new_id() for _ in range(2_000)])

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    everything = [id for ids in made for id in ids]
    assert len(set(everything)) == len(everything) == 16_000
    assert all(ids == sorted(ids) for ids in made)
    for id in everything[::500]:
        assert_v7(id)


def test_ids_grow_when_the_clock_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    first = new_id()
    monkeypatch.setattr("relembra.domain.ids.time.time_ns", lambda: 10**18)  # 2001
    ids = [first, *(new_id() for _ in range(5_000))]
    assert ids == sorted(set(ids))
    assert_v7(ids[-1])


@pytest.mark.parametrize("text", ["", "x", "01900000-0000-7000-8000-00000000000", "0190000000007000800000000000000a"])
def test_what_is_no_canonical_uuid_is_no_id(text: str) -> None:
    assert not is_id(text)
    assert not is_id(new_id().upper())


# ── names and text ────────────────────────────────────────────────────────────────────────────────────────────────

READABLE = [
    "a",
    "🧠",
    "👩‍👩‍👧",
    "مرحبا",
    "שלום",
    "你好",
    "é",
    " padded ",
    "line\nline\ttab",
    "\ufeffmark first",
    "x\u200by",
]
UNREADABLE = ["", " ", "\n\t", "\u200b", "\u200e\u202e", "\ufeff", "\x01\x02", "\u3000", "\u2028"]


@each(READABLE)
def test_readable_text_of_any_script_is_returned_as_given(text: str) -> None:
    assert checked_text(text) == text


@each(UNREADABLE)
def test_text_nobody_can_read_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="empty"):
        checked_text(text)


@pytest.mark.parametrize("text", ["\ud800", "good \udfff morning", "\ud83d alone", "nul \x00 inside"])
def test_lone_surrogates_and_nul_are_refused(text: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        checked_text(text, "content")
    assert refused.value.field == "content"


def test_text_is_kept_up_to_a_mebibyte_counted_in_bytes() -> None:
    assert len(checked_text("a" * LONGEST_TEXT_BYTES)) == 1_048_576
    checked_text("é" * (LONGEST_TEXT_BYTES // 2))
    for text in ("a" * (LONGEST_TEXT_BYTES + 1), "é" * (LONGEST_TEXT_BYTES // 2) + "a"):
        with pytest.raises(InvalidInputError, match="long"):
            checked_text(text)


@given(st.text())
def test_text_is_returned_as_given_or_refused(text: str) -> None:
    try:
        assert checked_text(text) == text
    except InvalidInputError:
        assert is_blank(text) or "\x00" in text


@given(st.text(alphabet=st.characters(codec=None)))
def test_checked_text_can_always_be_encoded(text: str) -> None:
    with suppress(InvalidInputError):
        checked_text(text).encode()


@pytest.mark.parametrize("name", ["ana", "Ana Maria", "joão", "日本", "🧠", "a/b:c@d", "x" * LONGEST_NAME])
def test_names_may_be_of_any_script(name: str) -> None:
    assert checked_name(name, "user") == name
    assert Scope("t", name).user == name


@each(["", " ", "a\nb", "a\x00b", "a\x1bb", "\ud800", "a\u200bb", "\u202eana", "x" * 201])
def test_names_that_cannot_be_read_or_are_long_are_refused(name: str) -> None:
    for make in (lambda: Scope("t", name), lambda: Scope(name, "u"), lambda: Place(name), lambda: Place(None, name)):
        with pytest.raises(InvalidInputError):
            make()


@pytest.mark.parametrize("name", [None, 5, b"ana"])
def test_names_and_texts_are_text(name: Any) -> None:
    with pytest.raises(InvalidInputError):
        checked_name(name, "user")
    with pytest.raises(InvalidInputError):
        checked_text(name)


@given(st.text(), st.integers(2, 80))
def test_shortened_text_is_one_line_within_the_limit(text: str, limit: int) -> None:
    line = shortened(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_folding_takes_accents_and_capitals() -> None:
    assert fold("São João, ÀÉÎÕÜ Ç straße") == "sao joao, aeiou c strasse"


# ── moments ───────────────────────────────────────────────────────────────────────────────────────────────────────

offsets = st.integers(-23 * 60, 23 * 60).map(lambda n: timezone(timedelta(minutes=n)))


@given(st.datetimes())
def test_a_moment_without_a_timezone_is_refused(moment: datetime) -> None:
    with pytest.raises(InvalidInputError) as refused:
        in_utc(moment, "since")
    assert refused.value.field == "since"


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=offsets))
def test_utc_is_the_same_moment(moment: datetime) -> None:
    there = in_utc(moment)
    assert there == moment
    assert there.tzinfo is UTC


@given(st.datetimes(timezones=offsets | st.timezones()))
def test_a_moment_to_keep_is_within_its_years_and_any_other_is_refused(moment: datetime) -> None:
    nearest = nearest_to_keep(moment)
    assert EARLIEST <= nearest <= LATEST
    try:
        there = moment.astimezone(UTC)  # an hour that a clock skips equals nothing of another zone
    except OverflowError:
        there = None
    if nearest == there:
        assert to_keep(moment) == there
        return
    assert nearest in (EARLIEST, LATEST)
    with pytest.raises(InvalidInputError) as refused:
        to_keep(moment, "held_from")
    assert refused.value.field == "held_from"


@given(st.datetimes(timezones=offsets | st.timezones()), st.integers(-366 * 100, 366 * 100), offsets)
def test_no_sum_with_a_moment_that_is_kept_leaves_the_calendar(moment: datetime, days: int, zone: timezone) -> None:
    there = nearest_to_keep(moment) + timedelta(days=days)
    assert local(there, zone_of(there.astimezone(zone))) == there


class Nowhere(tzinfo):
    """A clock that goes by a name nobody else knows."""

    key = "Atlantis/Centre"

    def utcoffset(self, _: datetime | None) -> timedelta:
        return timedelta(hours=-3)

    def dst(self, _: datetime | None) -> timedelta:
        return timedelta()

    def tzname(self, _: datetime | None) -> str:
        return self.key


def test_a_clock_nobody_finds_by_its_name_is_told_by_its_offset() -> None:
    assert zone_of(NOW.replace(tzinfo=Nowhere())) == "-03:00"


@given(st.datetimes(timezones=offsets))
def test_an_offset_is_told_as_it_is_written(moment: datetime) -> None:
    assert moment.isoformat().endswith(zone_of(moment))


@pytest.mark.parametrize(
    ("moment", "zone"),
    [
        (NOW, "+00:00"),
        (NOW.astimezone(timezone(timedelta(hours=-3))), "-03:00"),
        (NOW.astimezone(timezone(timedelta(hours=5, minutes=45))), "+05:45"),
        (NOW.astimezone(timezone(timedelta(minutes=-30))), "-00:30"),
        (NOW.astimezone(ZoneInfo("America/Sao_Paulo")), "America/Sao_Paulo"),
    ],
)
def test_the_speakers_clock_is_told(moment: datetime, zone: str) -> None:
    assert zone_of(moment) == zone


def test_the_clock_knows_its_timezone() -> None:
    assert system_clock().utcoffset() is not None


# ── titles ────────────────────────────────────────────────────────────────────────────────────────────────────────


@example("...")
@example("......... and so on")
@example("\u200b.")
@example("." * 80)
@given(st.text(alphabet=st.sampled_from("ab é.!?…,-\n\t\u2028\u200b🙂"), min_size=1, max_size=90) | st.text(min_size=1))
def test_a_title_is_one_short_line_and_never_empty(text: str) -> None:
    assume(not is_blank(text))
    title = title_for(text)
    assert 0 < len(title) <= LONGEST_TITLE
    assert len(title.splitlines()) == 1
    assert not is_blank(title)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("I moved to Recife last week. It is warm here.", "I moved to Recife last week"),
        ("What should I cook tonight? I have eggs.", "What should I cook tonight?"),
        ("good\n  morning", "good morning"),
        ("Oi. Tudo bem com você?", "Oi. Tudo bem com você?"),
    ],
)
def test_a_title_is_the_first_sentence(text: str, title: str) -> None:
    assert title_for(text) == title


# ── what an item is found by ──────────────────────────────────────────────────────────────────────────────────────


def plain(text: str) -> str:
    return " ".join(text.casefold().split())


@given(st.text(), st.text(), st.none() | st.text(), st.lists(st.text(), max_size=3))
def test_an_items_text_holds_all_it_says_in_some_spelling(
    title: str, content: str, value: str | None, tags: list[str]
) -> None:
    text = item_text(an_item(title=title, content=content, value=value, tags=tuple(tags)))
    assert content in text
    assert all(plain(part) in plain(text) for part in (title.rstrip("… ."), value or "", *tags))


# ── policies and actors ───────────────────────────────────────────────────────────────────────────────────────────


def test_there_are_four_presets() -> None:
    assert PRESETS == {"life": LIFE, "group": GROUP, "companion": COMPANION, "work": WORK}
    assert all(preset(name) is policy for name, policy in PRESETS.items())
    with pytest.raises(SettingsError, match="life, group, companion, work"):
        preset("unknown")


def test_presets_have_the_designs_numbers() -> None:
    assert (COMPANION.ranking.name, COMPANION.ranking.candidates) == (RankingName.COMPANION, 10)
    assert COMPANION.context.recalled_items == 5
    assert WORK.ranking.name is RankingName.WORK
    assert LIFE.ranking.name is RankingName.DEFAULT
    assert (LIFE.context.recent_messages, LIFE.context.session_idle) == (6, timedelta(hours=1))
    assert (LIFE.search.default_limit, LIFE.search.tool_limit) == (5, 10)
    assert (CONFIDENCE.explicit, CONFIDENCE.explicit_at_least, CONFIDENCE.inference) == (0.95, 0.9, 0.7)
    assert (CONFIDENCE.user_input, CONFIDENCE.validation_bonus, LIFE.learn.contradiction_at_least) == (1.0, 0.1, 0.7)
    assert (DECAY.emotion_a_week, DECAY.archive_under) == (0.1, 0.3)


@given(st.sampled_from(sorted(PRESETS)), st.integers(1, 10_000), shares)
def test_overriding_changes_what_is_named_and_nothing_else(name: str, budget: int, low: float) -> None:
    policy = preset(name)
    changed = overridden(policy, {"context": {"budget_tokens": budget}, "confidence": {"low": low}})
    assert (changed.context.budget_tokens, changed.confidence.low) == (budget, low)
    back: dict[str, dict[str, Any]] = {
        "context": {"budget_tokens": policy.context.budget_tokens},
        "confidence": {"low": policy.confidence.low},
    }
    assert overridden(changed, back) == policy
    assert overridden(policy, {}) == policy
    assert preset(name) is policy


@pytest.mark.parametrize(
    "changes", [{"nothing": {"a": 1}}, {"context": {"nothing": 1}}, {"name": {"x": 1}}, {"__class__": {"x": 1}}]
)
def test_overriding_what_there_is_not_is_refused(changes: dict[str, dict[str, Any]]) -> None:
    with pytest.raises(SettingsError):
        overridden(LIFE, changes)


@given(st.sampled_from(ActorKind), st.text(min_size=1))
def test_who_made_a_change_can_be_written_and_read(kind: ActorKind, name: str) -> None:
    actor = Actor(kind, name)
    assert Actor.parse(str(actor)) == actor


@pytest.mark.parametrize("text", ["", "ana", "person:", "robot:x", ":x"])
def test_who_is_not_said_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError):
        Actor.parse(text)
