"""The rules that always hold, and the numbers they are made of."""

from __future__ import annotations

import math
import threading
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
from relembra.domain.audit import Actor, ActorKind, ConfidenceLevel, first_confidence, level, validated
from relembra.domain.case import Ask, BothStand, Wins, judge, prevails, superseded
from relembra.domain.knowledge import ATTRIBUTES, KnowledgeItem, KnowledgeType, Source, SupersessionRule, about
from relembra.domain.message import LONGEST_TITLE, title_for
from relembra.domain.policy import COMPANION, GROUP, LIFE, PRESETS, WORK, RankingName, overridden, preset
from relembra.domain.scope import DIRECT, Place, Scope, is_id, may_hear, new_id
from relembra.domain.searchable import (
    bm25_term,
    companion_relevance,
    default_relevance,
    fused_similarity,
    inverse_document_frequency,
    item_text,
    keyword_similarity,
    recency,
    work_relevance,
)
from relembra.domain.text import LONGEST_NAME, checked_name, checked_text, fold, is_blank, shortened
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
from relembra.night.gardener import faded, turned

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
        "type": draw(st.sampled_from(KnowledgeType)), "attribute": draw(attributes),
        "confidence": draw(st.sampled_from([0.5, 0.7, 0.9, 0.95, 1.0])), "weight": draw(hundredths),
        "validated": draw(st.booleans()), "needs_resolution": draw(st.booleans()),
        "source": draw(st.sampled_from(Source)), "created_at": NOW + days(draw(st.integers(0, 3))),
        "held_from": NOW + days(draw(st.integers(0, 3))), "held_until": draw(st.none() | st.just(NOW + days(9))),
        "reinforced_at": draw(st.none() | near_moments), "version": draw(st.integers(1, 5)),
    }  # fmt: skip
    return an_item(**drawn | fixed)


@each(
    [(1.0, "high"), (0.9, "high"), (0.89, "medium"), (0.7, "medium"), (0.69, "low"), (0.5, "low"), (0.49, "doubtful")]
)
def test_levels_begin_where_the_policy_says(confidence: float, expected: str) -> None:
    assert level(confidence, CONFIDENCE) == expected


@given(shares, shares)
def test_a_higher_confidence_is_never_of_a_lower_level(one: float, other: float) -> None:
    order = list(ConfidenceLevel)
    low, high = sorted((one, other))
    assert order.index(level(high, CONFIDENCE)) <= order.index(level(low, CONFIDENCE))


@given(st.sampled_from(Source), st.none() | st.floats())
def test_first_confidence_is_a_share_and_keeps_to_its_source(source: Source, given_: float | None) -> None:
    if given_ is not None and not 0 <= given_ <= 1:
        with pytest.raises(InvalidInputError) as refused:
            first_confidence(source, given_, CONFIDENCE)
        assert refused.value.field == "confidence"
        return
    expected = {
        Source.USER_INPUT: 1.0,
        Source.CONVERSATION: 0.95 if given_ is None else max(given_, 0.9),
        Source.AI_INFERENCE: 0.7 if given_ is None else given_,
        Source.IMPORT: 0.95 if given_ is None else given_,
    }
    assert first_confidence(source, given_, CONFIDENCE) == expected[source]


@given(items(), shares)
def test_validation_adds_a_tenth_up_to_one_and_only_once(item: KnowledgeItem, confidence: float) -> None:
    item = replace(item, confidence=confidence, validated=False)
    confirmed = validated(item, NOW, CONFIDENCE)
    assert (confirmed.validated, confirmed.needs_resolution, confirmed.version) == (True, False, item.version + 1)
    assert confirmed.confidence == pytest.approx(min(1.0, confidence + 0.1), abs=1e-6)
    assert confirmed.confidence <= 1.0
    assert validated(confirmed, NOW + days(1), CONFIDENCE) is confirmed


@given(items(), items(), items())
def test_the_validated_then_surer_then_newer_prevails(a: KnowledgeItem, b: KnowledgeItem, c: KnowledgeItem) -> None:
    def rank(item: KnowledgeItem) -> tuple[bool, float, datetime]:
        return (item.validated, item.confidence, item.created_at)

    verdict = prevails(a, b)
    assert {verdict.winner.id, verdict.loser.id} == {a.id, b.id}
    assert rank(verdict.winner) >= rank(verdict.loser)
    assert verdict.why
    if rank(a) != rank(b):
        assert prevails(b, a).winner == verdict.winner
    a, b, c = (replace(item, created_at=NOW + days(n)) for n, item in enumerate((a, b, c)))
    if prevails(a, b).winner == a and prevails(b, c).winner == b:
        assert prevails(a, c).winner == a  # no circles


UNTOUCHED = ("id", "confidence", "title", "content", "value", "evidence", "source", "created_at", "validated", "weight")


@given(items(), items(), moments)
def test_superseding_changes_no_content(loser: KnowledgeItem, winner: KnowledgeItem, now: datetime) -> None:
    ended = superseded(loser, winner, now)
    for part in UNTOUCHED:
        assert getattr(ended, part) == getattr(loser, part)
    assert (ended.superseded_by, ended.superseded_at, ended.version) == (winner.id, now, loser.version + 1)
    assert ended.held_until is not None
    assert ended.held_until >= ended.held_from
    assert loser.is_current(now)
    assert replace(loser, expires_at=now + days(1)).is_current(now)
    for over in (
        ended,
        replace(ended, superseded_by=None),  # the winner was forgotten
        replace(loser, archived_at=now),
        replace(loser, deleted_at=now),
        replace(loser, expires_at=now),
    ):
        assert not over.is_current(now)


@given(items(), items(), attributes, st.booleans(), st.floats(0, 1))
def test_the_validated_is_never_superseded_by_a_machines_word(
    old: KnowledgeItem, new: KnowledgeItem, attribute: str | None, completed: bool, certainty: float
) -> None:
    old, new = replace(old, attribute=attribute), replace(new, attribute=attribute)
    verdict = judge(old, new, completed=completed, certainty=certainty)
    if isinstance(verdict, Wins):
        assert verdict.winner.validated or not verdict.loser.validated
    if certainty < 0.7:
        assert isinstance(verdict, BothStand)


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


@each(["weight", "height"])
def test_a_confirmed_earlier_measurement_is_asked_about_before_it_becomes_history(attribute: str) -> None:
    confirmed = an_item(attribute=attribute, validated=True, held_from=NOW)
    later = an_item(attribute=attribute, validated=False, held_from=NOW + days(1))
    assert isinstance(judge(confirmed, later), Ask)
    assert isinstance(judge(later, confirmed), Ask)


@given(items(), items(), st.booleans())
def test_what_no_rule_covers_or_can_change_is_asked(old: KnowledgeItem, new: KnowledgeItem, changed: bool) -> None:
    if old.attribute != new.attribute or about(old.attribute).rule is SupersessionRule.COEXIST:
        assert isinstance(judge(old, new), Ask)
    born = [replace(item, attribute="birthday") for item in (old, new)]
    assert isinstance(judge(*born, changed=changed), Ask)
    told = replace(old, attribute="residence", source=Source.CONVERSATION)
    guess = replace(new, attribute="residence", source=Source.AI_INFERENCE, validated=False, held_from=old.held_from)
    assert isinstance(judge(told, guess), Ask)


said = items(validated=False, source=Source.CONVERSATION)


@given(said, said)
def test_each_attribute_follows_its_rule_whatever_the_confidence(old: KnowledgeItem, new: KnowledgeItem) -> None:
    def of(attribute: str) -> tuple[KnowledgeItem, KnowledgeItem]:
        return replace(old, attribute=attribute), replace(new, attribute=attribute)

    first, second = of("residence")
    if second.held_from >= first.held_from:
        assert judge(first, second) == Wins(second, first, "residence changed")
    else:
        assert judge(first, second) == Wins(first, second, "an earlier residence")
    for attribute, signal, why in (
        ("occupation", {"changed": True}, "occupation changed"),
        ("goal", {"completed": True}, "goal completed"),
    ):
        first, second = of(attribute)
        assert isinstance(judge(first, second), BothStand)
        assert judge(first, second, **signal) == Wins(second, first, why)  # type: ignore[arg-type]  # one flag by name
    measured = judge(*of("weight"))
    assert isinstance(measured, Wins)
    assert measured.winner.held_from >= measured.loser.held_from


DECAY = LIFE.decay
WEEK = timedelta(weeks=1)
emotions = items(type=KnowledgeType.EMOTION, validated=False)


@given(items(), near_moments)
def test_only_emotions_nobody_validated_ever_fade(item: KnowledgeItem, now: datetime) -> None:
    turn = turned(item, now, LIFE)
    if turn is not None and (item.type is not KnowledgeType.EMOTION or item.validated):
        assert turn.verb in ("raise", "lower")


@given(emotions, st.integers(0, 20), st.timedeltas(timedelta(), WEEK - timedelta(microseconds=1)))
def test_an_emotion_loses_a_tenth_every_whole_week(item: KnowledgeItem, weeks: int, rest: timedelta) -> None:
    item = replace(item, created_at=NOW, reinforced_at=NOW, weighed_at=None)
    left = faded(item, NOW + weeks * WEEK + rest, DECAY).weight
    expected = max(0.0, item.weight - 0.1 * weeks)
    assert left == pytest.approx(expected, abs=1e-6) if expected >= 0.3 else left < 0.3  # light enough to be archived


def fade(item: KnowledgeItem, visits: list[datetime]) -> float:
    """What a gardener leaves that comes at these moments."""
    for now in visits:
        item = faded(item, now, DECAY)
    return item.weight


@given(emotions, st.lists(near_moments, max_size=8), near_moments)
def test_fading_is_the_same_however_often(item: KnowledgeItem, visits: list[datetime], last: datetime) -> None:
    earlier = sorted(visit for visit in visits if visit <= last)
    assert fade(item, [*earlier, last]) == pytest.approx(fade(item, [last]), abs=1e-6)


@each([(0.9, 0.7, 1.0, 0.63), (0.8, 0.5, 0.5, 0.2), (1.0, 1.0, 1.0, 1.0), (0.9, 0.0, 1.0, 0.0)])
def test_the_companions_formula(similarity: float, weight: float, recency_factor: float, expected: float) -> None:
    assert companion_relevance(similarity, weight, recency_factor) == pytest.approx(expected)


@each(
    [
        (5, 1.0, 1.0, 0, 4.0),
        (5, 0.5, 0.8, 0, 2.6),
        (8, 0.25, 0.5, 9, 8 * (0.1 + 0.2 + 0.02 * math.log(10))),
        (10, 1.0, 1.0, 10**4, 10 * (0.8 + 0.02 * math.log(10**4 + 1))),
        (10, 1.0, 1.0, 10**9, 10.0),  # never more than ten
        (1, 0.0, 0.0, 0, 0.0),
    ]
)
def test_the_work_assistants_formula(
    priority: float, recency_factor: float, similarity: float, accesses: int, expected: float
) -> None:
    assert work_relevance(priority, recency_factor, similarity, accesses) == pytest.approx(expected)


@given(st.floats(1, 10), shares, shares, st.integers(0, 10**12), shares)
def test_relevance_keeps_to_its_scale(
    priority: float, recency_factor: float, similarity: float, accesses: int, weight: float
) -> None:
    score = work_relevance(priority, recency_factor, similarity, accesses)
    assert 0 <= score <= 10
    assert work_relevance(priority, recency_factor, similarity, accesses + 1) >= score
    usual = default_relevance(similarity, weight, recency_factor, LIFE.ranking)
    assert similarity * 0.85 * 0.9 - 1e-9 <= usual <= similarity + 1e-9


@given(moments, moments, moments, st.floats(0.1, 1_000))
def test_recency_halves_every_half_life(one: datetime, other: datetime, now: datetime, half_life: float) -> None:
    assert recency(one, one, half_life) == recency(one, one - days(1), half_life) == 1.0
    assert recency(one, one + timedelta(days=half_life), half_life) == pytest.approx(0.5)
    assert recency(one, one + timedelta(days=2 * half_life), half_life) == pytest.approx(0.25)
    early, late = sorted((one, other))
    assert 0 <= recency(early, now, 30) <= recency(late, now, 30) <= 1


pairs = st.tuples(shares, shares).map(sorted)


@given(st.none() | st.floats(0, 1e6), st.tuples(st.floats(0, 1e6), st.floats(0, 1e6)).map(sorted), pairs)
def test_keyword_similarity_is_a_share(bm25: float | None, scores: list[float], covered: list[float]) -> None:
    least, most = (keyword_similarity(bm25, coverage, LIFE.ranking) for coverage in covered)
    assert 0 <= least <= most <= 1
    less, more = (keyword_similarity(score, covered[0], LIFE.ranking) for score in scores)
    assert less <= more
    assert keyword_similarity(None, covered[0], LIFE.ranking) == 0.0
    assert keyword_similarity(LIFE.ranking.keyword_halfway, 1.0, LIFE.ranking) == pytest.approx(0.75)


@given(st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted), pairs)
def test_fused_similarity_is_a_share_and_grows_with_both_arms(cosines: list[float], keywords: list[float]) -> None:
    for cosine in (None, *cosines):
        least, most = (fused_similarity(cosine, keyword, LIFE.ranking) for keyword in keywords)
        assert 0 <= least <= most <= 1
    less, more = (fused_similarity(cosine, keywords[0], LIFE.ranking) for cosine in cosines)
    assert less <= more
    assert fused_similarity(None, keywords[0], LIFE.ranking) == keywords[0]
    assert fused_similarity(1.0, 0.0, LIFE.ranking) == pytest.approx(0.65)


@given(st.integers(1, 10_000), st.data(), st.integers(1, 50), st.integers(1, 500), st.floats(1, 500))
def test_a_rarer_term_tells_more_and_bm25_grows_with_frequency_and_shrinks_with_length(
    documents: int, data: st.DataObject, frequency: int, length: int, average: float
) -> None:
    containing = data.draw(st.integers(1, documents))
    assert inverse_document_frequency(documents, containing) > 0
    assert inverse_document_frequency(documents, containing - 1) > inverse_document_frequency(documents, containing)
    score = bm25_term(1.0, frequency, length, average)
    assert 0 < score < 2.2
    assert bm25_term(1.0, frequency + 1, length, average) > score > bm25_term(1.0, frequency, length + 1, average)


def test_bm25_of_a_worked_example() -> None:
    assert inverse_document_frequency(10, 2) == pytest.approx(math.log(1 + 8.5 / 2.5))
    assert bm25_term(2.0, 1, 10, 10.0) == pytest.approx(2.0)
    assert bm25_term(1.0, 3, 20, 10.0) == pytest.approx(3 * 2.2 / (3 + 1.2 * 1.75))


places = st.builds(Place, st.none() | st.sampled_from(["guild", "team"]), st.sampled_from(["direct", "a", "b"]))


@given(places, places)
def test_the_owner_hears_all_in_private_and_in_a_space_only_what_was_learnt_there(learnt: Place, asked: Place) -> None:
    assert may_hear(learnt, Place(None, asked.channel))
    if not asked.is_private:
        assert may_hear(learnt, asked) == (learnt.space == asked.space)
        assert not may_hear(DIRECT, asked)


def test_ids_are_v7_unique_and_grow_also_when_the_clock_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    before = system_clock()
    made: list[list[str]] = []

    def make() -> None:
        made.append([new_id() for _ in range(2_000)])

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    at = datetime.fromtimestamp((UUID(made[0][0]).int >> 80) / 1_000, UTC)
    assert before - timedelta(minutes=1) < at < system_clock() + timedelta(minutes=1)
    monkeypatch.setattr("relembra.domain.scope.time.time_ns", lambda: 10**18)  # 2001
    make()
    everything = [id for ids in made for id in ids]
    assert len(set(everything)) == len(everything) == 18_000
    assert all(ids == sorted(ids) for ids in made)
    assert made[-1][0] > max(id for ids in made[:-1] for id in ids)
    for id in everything[::500]:
        uuid = UUID(id)
        assert (uuid.version, uuid.variant, str(uuid), is_id(id)) == (7, "specified in RFC 4122", id, True)


@each(["", "x", "01900000-0000-7000-8000-00000000000", "0190000000007000800000000000000A"])
def test_what_is_no_canonical_uuid_is_no_id(text: str) -> None:
    assert not is_id(text)


@each(
    ["a", "🧠", "👩‍👩‍👧", "مرحبا", "你好", " padded ", "line\nline\ttab", "\ufeffmark first", "x\u200by", "é" * 524_288]
)
def test_readable_text_of_any_script_is_returned_as_given(text: str) -> None:
    assert checked_text(text) == text


@each([*((text, "empty") for text in ("", " ", "\n\t", "\u200b", "\u200e\u202e", "\ufeff", "\x01\x02", "\u3000")),
     *((text, "Unicode") for text in ("\ud800", "good \udfff morning")), ("nul \x00 inside", "NUL"),
     ("a" * 1_048_577, "long"), ("é" * 524_288 + "a", "long"), (None, "text"), (b"ana", "text")])  # fmt: skip
def test_text_that_cannot_be_kept_is_refused_by_name(text: Any, why: str) -> None:
    with pytest.raises(InvalidInputError, match=why) as refused:
        checked_text(text, "content")
    assert refused.value.field == "content"


@given(st.text(alphabet=st.characters(codec=None)))
def test_text_is_returned_as_given_and_can_be_encoded_or_is_refused(text: str) -> None:
    try:
        assert checked_text(text) == text
        text.encode()
    except InvalidInputError:
        assert is_blank(text) or "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text)


@each(["ana", "Ana Maria", "joão", "日本", "🧠", "a/b:c@d", "x" * LONGEST_NAME])
def test_names_may_be_of_any_script(name: str) -> None:
    assert checked_name(name, "user") == Scope("t", name).user == name


@each(["", " ", "a\nb", "a\x00b", "a\x1bb", "\ud800", "a\u200bb", "\u202eana", "x" * 201, None, 5, b"ana"])
def test_names_that_cannot_be_read_or_are_long_are_refused(name: Any) -> None:
    with pytest.raises(InvalidInputError):
        checked_name(name, "user")
    if isinstance(name, str):
        for make in (
            lambda: Scope("t", name),
            lambda: Scope(name, "u"),
            lambda: Place(name),
            lambda: Place(None, name),
        ):
            with pytest.raises(InvalidInputError):
                make()


@given(st.text(), st.integers(2, 80))
def test_shortened_text_is_one_line_within_the_limit_and_folding_twice_is_folding_once(text: str, limit: int) -> None:
    line = shortened(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert fold(fold(text)) == fold(text)
    assert fold("São João, ÀÉÎÕÜ Ç straße") == "sao joao, aeiou c strasse"


offsets = st.integers(-23 * 60, 23 * 60).map(lambda n: timezone(timedelta(minutes=n)))


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=offsets))
def test_utc_is_the_same_moment_and_an_offset_is_told_as_it_is_written(moment: datetime) -> None:
    there = in_utc(moment)
    assert there == moment
    assert there.tzinfo is UTC
    assert moment.isoformat().endswith(zone_of(moment))
    with pytest.raises(InvalidInputError) as refused:
        in_utc(moment.replace(tzinfo=None), "since")
    assert refused.value.field == "since"


@given(st.datetimes(timezones=offsets | st.timezones()), st.integers(-366 * 100, 366 * 100), offsets)
def test_a_moment_to_keep_is_within_its_years_whatever_is_added(moment: datetime, off: int, zone: timezone) -> None:
    nearest = nearest_to_keep(moment)
    assert EARLIEST <= nearest <= LATEST
    later = nearest + timedelta(days=off)
    assert local(later, zone_of(later.astimezone(zone))) == later
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


@given(st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)), st.timedeltas(timedelta(-9_999), timedelta(9_999)))
def test_what_is_said_to_have_been_said_more_than_a_day_ahead_is_refused(now: datetime, off: timedelta) -> None:
    now = now.replace(tzinfo=UTC)
    if off > AHEAD:
        with pytest.raises(InvalidInputError, match="ahead") as refused:
            not_ahead(now + off, now, "sent_at")
        assert refused.value.field == "sent_at"
    else:
        assert not_ahead(now + off, now) == now + off


class Nowhere(tzinfo):
    """A clock that goes by a name nobody else knows."""

    key = "Atlantis/Centre"

    def utcoffset(self, _: datetime | None) -> timedelta:
        return timedelta(hours=-3)

    def dst(self, _: datetime | None) -> timedelta:
        return timedelta()

    def tzname(self, _: datetime | None) -> str:
        return self.key


@each(
    [
        (NOW, "+00:00"),
        (NOW.astimezone(timezone(timedelta(hours=5, minutes=45))), "+05:45"),
        (NOW.astimezone(timezone(timedelta(minutes=-30))), "-00:30"),
        (NOW.astimezone(ZoneInfo("America/Sao_Paulo")), "America/Sao_Paulo"),
        (NOW.replace(tzinfo=Nowhere()), "-03:00"),
    ]
)
def test_the_speakers_clock_is_told(moment: datetime, zone: str) -> None:
    assert zone_of(moment) == zone
    assert system_clock().utcoffset() is not None


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


@each(
    [
        ("I moved to Recife last week. It is warm here.", "I moved to Recife last week"),
        ("What should I cook tonight? I have eggs.", "What should I cook tonight?"),
        ("good\n  morning", "good morning"),
        ("Oi. Tudo bem com você?", "Oi. Tudo bem com você?"),
    ]
)
def test_a_title_is_the_first_sentence(text: str, title: str) -> None:
    assert title_for(text) == title


@given(st.text(), st.text(), st.none() | st.text(), st.lists(st.text(), max_size=3))
def test_an_items_text_holds_all_it_says(title: str, content: str, value: str | None, tags: list[str]) -> None:
    def plain(text: str) -> str:
        return " ".join(text.casefold().split())

    text = item_text(an_item(title=title, content=content, value=value, tags=tuple(tags)))
    assert content in text
    assert all(plain(part) in plain(text) for part in (title.rstrip("… ."), value or "", *tags))


def test_presets_have_the_designs_numbers() -> None:
    assert PRESETS == {"life": LIFE, "group": GROUP, "companion": COMPANION, "work": WORK}
    with pytest.raises(SettingsError, match="life, group, companion, work"):
        preset("unknown")
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
    assert overridden(changed, back) == overridden(policy, {}) == preset(name) == policy


@each([{"nothing": {"a": 1}}, {"context": {"nothing": 1}}, {"name": {"x": 1}}, {"__class__": {"x": 1}}])
def test_overriding_what_there_is_not_is_refused(changes: dict[str, dict[str, Any]]) -> None:
    with pytest.raises(SettingsError):
        overridden(LIFE, changes)


@given(st.sampled_from(ActorKind), st.text(min_size=1))
def test_who_made_a_change_can_be_written_and_read(kind: ActorKind, name: str) -> None:
    actor = Actor(kind, name)
    assert Actor.parse(str(actor)) == actor
    for text in ("", "ana", "person:", "robot:x", ":x"):
        with pytest.raises(InvalidInputError):
            Actor.parse(text)
