"""What a new item does to what is held: the rules, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from builders import NOW, an_item, days
from loops import each
from relembra.domain.candidate import Comparison, Effect
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.domain.policy import LearnPolicy
from relembra.domain.scope import Place
from relembra.learn.decisions import MOST_SOURCES, Clash, Decision, Keep, Repeat, decide, observed

LATER = NOW + days(10)
G1, G2 = Place("g1", "general"), Place("g2", "general")


def said(attribute: str | None, value: str | None, **changes: Any) -> KnowledgeItem:
    content = changes.pop("content", f"{attribute} {value}")
    return an_item(attribute=attribute, value=value, content=content, **changes)


def new(attribute: str | None, value: str | None, **changes: Any) -> KnowledgeItem:
    return said(attribute, value, **{"held_from": LATER, "created_at": LATER} | changes)


def decided(
    item: KnowledgeItem,
    *held: KnowledgeItem,
    changed: bool = False,
    compared: Mapping[str, Comparison] | None = None,
    now: datetime = LATER,
) -> Decision:
    return decide(
        item, held, changed=changed, compared=compared or {}, judged_by="judge", policy=LearnPolicy(), now=now
    )


def kept(decision: Decision) -> Keep:
    assert isinstance(decision, Keep)
    return decision


def only_clash(decision: Decision) -> Clash:
    [clash] = kept(decision).clashes
    return clash


@each(
    [
        (said(None, None, content="I have a blue Fiat, I do"), True),
        (said(None, None, content="“I have a blue Fiat, I do”"), False),
        (said("possession", "Fiat", content="“I have a blue Fiat, I do”"), True),
        (said("possession", "garage", content="“I have a blue Fiat and a garage”"), False),
        (said("possession", "Fiat", content="Has Fiat"), False),
        (said("likes", "Fiat", content="“I love my Fiat”"), False),
        (said("possession", "Fiat", content="“I have a blue Fiat, I do”", validated=True), False),
    ]
)
def test_what_was_kept_in_its_own_words_gives_way_to_what_is_read_in_them(old: KnowledgeItem, gives_way: bool) -> None:
    old = replace(old, message_ids=("m1",))
    now_read = new("possession", "blue Fiat", content="Has a blue Fiat", message_ids=("m1",))
    decision = decide(
        now_read, [old], changed=False, compared={}, taught=[old], judged_by="j", policy=LearnPolicy(), now=LATER
    )
    ended = [(clash.old, clash.why, clash.ended) for clash in kept(decision).clashes]
    assert ended == ([(old, "said more exactly", True)] if gives_way else [])


def test_what_is_known_is_counted_and_not_kept_again() -> None:
    old = said("residence", "Recife", message_ids=("m1",))
    again = new("residence", "RECIFE", message_ids=("m2",))
    decision = decided(again, old)
    assert isinstance(decision, Repeat)
    assert decision.old is old
    assert (decision.item.id, decision.item.observations, decision.item.message_ids) == (old.id, 2, ("m1", "m2"))
    assert (decision.item.reinforced_at, decision.item.version) == (LATER, 2)
    assert (decision.item.confidence, decision.item.content) == (old.confidence, old.content)


def test_a_place_said_less_exactly_is_known_already() -> None:
    old = said("residence", "Boa Viagem, Recife")
    assert isinstance(decided(new("residence", "Recife"), old), Repeat)


def test_a_place_said_more_exactly_takes_the_place_of_the_vague_one() -> None:
    old = said("residence", "Recife")
    clash = only_clash(decided(new("residence", "Boa Viagem, Recife"), old))
    assert (clash.ended, clash.why) == (True, "residence said more exactly")


def tie(make: Any, name: str | None, **changes: Any) -> KnowledgeItem:
    person = {} if name is None else {"name": name}
    item: KnowledgeItem = make("relation", "namorada", subject="namorada", person=person, **changes)
    return item


def test_another_girlfriend_is_no_repeat_of_the_one_before() -> None:
    old = tie(said, "Ana", content="A namorada se chama Ana")
    bia = tie(new, "Bia", content="A namorada se chama Bia")
    assert kept(decided(bia, old)).clashes == ()
    assert kept(decided(bia, old, compared={old.id: Comparison(contradicts=0.0, same=1.0)})).clashes == ()
    clash = only_clash(decided(bia, old, changed=True))
    assert (clash.old.id, clash.ended, clash.why) == (old.id, True, "relation changed")
    assert only_clash(decided(bia, replace(old, validated=True), changed=True)).ended is None


@each(["Ana", "ana", "Ana Souza", None])
def test_the_same_girlfriend_is_known_by_any_part_of_her_name(name: str | None) -> None:
    assert isinstance(decided(tie(new, name), tie(said, "Ana")), Repeat)


def test_breaking_up_with_one_ends_nobody_of_another_name() -> None:
    over = new("former_relation", "namorada", subject="namorada", person={"name": "Ana"})
    assert only_clash(decided(over, tie(said, "Ana"))).ended
    assert kept(decided(over, tie(said, "Bia"))).clashes == ()


def test_what_names_no_value_ends_none_unless_it_says_that_it_changed() -> None:
    single = said("marital_status", "single")
    wed = new("marital_status", None, content="Got hitched")
    assert kept(decided(wed, single)).clashes == ()
    assert only_clash(decided(wed, single, changed=True)).ended


def test_what_is_going_to_be_over_ends_nothing_yet() -> None:
    leaving = new("former_employment", "Acme", held_until=LATER + days(20))
    assert kept(decided(leaving, said("employment", "Acme"))).clashes == ()


def test_the_same_in_other_words_is_known_where_the_judge_is_sure_and_no_figure_differs() -> None:
    old = said(None, None, content="Rows on Sundays")
    sure = {old.id: Comparison(contradicts=0.0, same=0.9)}
    assert isinstance(decided(new(None, None, content="Goes rowing each Sunday"), old, compared=sure), Repeat)
    unsure = {old.id: Comparison(contradicts=0.0, same=0.79)}
    assert kept(decided(new(None, None, content="Goes rowing"), old, compared=unsure)).clashes == ()
    five, six = said(None, None, content="Runs 5 km"), new(None, None, content="Runs 6 km")
    assert isinstance(decided(six, five, compared={five.id: Comparison(contradicts=0.0, same=0.99)}), Keep)


@each(
    [
        ("Adora café", "Adora café e odeia chá"),
        ("Adora café", "É fã de café, mas odeia chá"),
        ("Likes coffee", "Likes coffee and hates tea"),
        ("Corre no parque", "Corre no parque com a Clara"),
        ("Has a cat", "Has a cat; plays the violin"),
    ]
)
def test_a_repetition_swallows_no_sentence_that_names_something_more(before: str, after: str) -> None:
    old, sure = said(None, None, content=before), Comparison(contradicts=0.0, same=0.99)
    item = new(None, None, content=after)
    assert kept(decided(item, old, compared={old.id: sure})).clashes == ()
    less = new(None, None, content=before)
    assert isinstance(decided(less, item, compared={item.id: sure}), Repeat)


def test_nor_does_the_same_value_with_something_more_beside_it() -> None:
    old = said("likes", "café", content="Adora café")
    assert isinstance(decided(new("likes", "café", content="Adora café e odeia chá"), old), Keep)
    assert isinstance(decided(new("likes", "café", content="Gosta muito de café"), old), Repeat)


@each([("Adora café", "É fã de café"), ("Gosta de pão e manteiga", "Adora pão e manteiga"), ("Likes tea", "Loves tea")])
def test_other_words_for_the_same_are_a_repetition(before: str, after: str) -> None:
    old, sure = said(None, None, content=before), Comparison(contradicts=0.0, same=0.99)
    assert isinstance(decided(new(None, None, content=after), old, compared={old.id: sure}), Repeat)


def test_two_events_of_one_kind_are_told_apart_by_their_day() -> None:
    trip = said("event", "Lisbon", type=KnowledgeType.MEMORY)
    next_day = new("event", "Lisbon", type=KnowledgeType.MEMORY, held_from=NOW + days(1))
    another = new("event", "Lisbon", type=KnowledgeType.MEMORY)
    assert isinstance(decided(next_day, trip), Repeat)
    assert kept(decided(another, trip)).clashes == ()


def test_the_persons_word_outdoes_an_earlier_guess_of_the_same() -> None:
    guess = said("residence", "Recife", source=Source.AI_INFERENCE, confidence=0.7)
    again = observed(guess, new("residence", "Recife"), LATER)
    assert (again.source, again.confidence) == (Source.CONVERSATION, 0.95)
    back = observed(again, new("residence", "Recife", source=Source.AI_INFERENCE, confidence=0.7), LATER)
    assert (back.source, back.confidence) == (Source.CONVERSATION, 0.95)


def test_what_is_said_daily_keeps_its_first_and_its_latest_sources() -> None:
    item = said("residence", "Recife", message_ids=("m0",))
    for number in range(1, 3 * MOST_SOURCES):
        item = observed(item, new("residence", "Recife", message_ids=(f"m{number}",)), LATER)
    assert len(item.message_ids) == MOST_SOURCES
    assert item.message_ids[0] == "m0"
    assert item.message_ids[-1] == f"m{3 * MOST_SOURCES - 1}"
    assert item.observations == 3 * MOST_SOURCES


@each(
    [
        ("residence", "Recife", "Porto"),
        ("employment", "Vale", "Petrobras"),
        ("marital_status", "solteira", "casada"),
        ("weight", "82 kg", "79 kg"),
        ("height", "1,70 m", "1,71 m"),
        ("favorite_color", "blue", "red"),
    ]
)
def test_a_later_value_ends_the_earlier_one(attribute: str, before: str, after: str) -> None:
    old = said(attribute, before)
    clash = only_clash(decided(new(attribute, after), old))
    assert (clash.old, clash.ended, clash.certainty, clash.judged_by) == (old, True, 1.0, "rule")


def test_a_value_of_an_earlier_time_is_history_at_once() -> None:
    old = said("residence", "Recife")
    decision = kept(decided(new("residence", "Porto", held_from=NOW - days(900)), old))
    assert decision.clashes[0].ended is False
    assert (decision.item.superseded_by, decision.item.superseded_at) == (old.id, LATER)
    assert (decision.item.needs_resolution, decision.item.version) == (False, 1)


def test_some_attributes_change_only_where_the_words_say_so() -> None:
    old = said("diet", "vegetarian")
    assert kept(decided(new("diet", "low in salt"), old)).clashes == ()
    assert only_clash(decided(new("diet", "carnivore"), old, changed=True)).ended is True


@each(
    [
        ("likes", "rowing", "swimming"),
        ("allergy", "shrimp", "peanuts"),
        ("language", "English", "French"),
        ("goal", "run a marathon", "learn French"),
        ("project", "house", "boat"),
        ("skill", "piano", "guitar"),
    ]
)
def test_additions_are_no_contradiction(attribute: str, before: str, after: str) -> None:
    assert decided(item := new(attribute, after), said(attribute, before)) == Keep(item)


def test_a_new_dose_ends_the_old_one_of_the_same_medicine() -> None:
    old, other = said("medication", "losartana 50 mg"), said("medication", "metformina 50 mg")
    decision = kept(decided(new("medication", "Losartana 100 mg"), old, other))
    assert [(clash.old, clash.ended) for clash in decision.clashes] == [(old, True)]
    confirmed = said("medication", "losartana 50 mg", validated=True)
    assert only_clash(decided(new("medication", "Losartana 100 mg"), confirmed)).ended is None


@each([("likes", "dislikes"), ("dislikes", "likes")])
def test_an_opposite_taste_ends_the_earlier_one(before: str, after: str) -> None:
    old = said(before, "coffee")
    assert only_clash(decided(new(after, "café"), old)).ended is True
    assert kept(decided(new(after, "tea"), old)).clashes == ()


@each([{"validated": True}, {"confidence": 1.0}])
def test_an_opposite_taste_against_something_stronger_is_asked_about(stronger: dict[str, Any]) -> None:
    assert only_clash(decided(new("dislikes", "coffee"), said("likes", "coffee", **stronger))).ended is None


def test_what_is_over_ends_the_same_value_held_as_current() -> None:
    old = said("employment", "Vale")
    assert only_clash(decided(new("former_employment", "Vale"), old)).ended is True
    assert only_clash(decided(new("former_employment", None), old)).ended is True
    assert kept(decided(new("former_employment", "Petrobras"), old)).clashes == ()


@each([("achieved", "goal completed"), ("dropped_goal", "goal dropped")])
def test_a_goal_ends_when_it_is_reached_or_dropped(how: str, why: str) -> None:
    goal, other = said("goal", "correr uma maratona"), said("goal", "aprender francês")
    decision = kept(decided(new(how, "maratona"), goal, other))
    assert [(clash.old, clash.ended, clash.why) for clash in decision.clashes] == [(goal, True, why)]


@each([(0.69, 0), (0.7, 1), (1.0, 1)])
def test_a_judged_contradiction_counts_from_seven_tenths_and_is_put_to_the_person(sure: float, clashes: int) -> None:
    old = said(None, None, content="Never eats meat")
    compared = {old.id: Comparison(contradicts=sure, same=0.0, why="meat or not")}
    decision = kept(decided(new(None, None, content="Loves barbecue"), old, compared=compared))
    assert [(clash.ended, clash.certainty, clash.judged_by, clash.why) for clash in decision.clashes] == [
        (None, sure, "judge", "meat or not")
    ] * clashes
    assert decision.item.needs_resolution is bool(clashes)


def test_what_happened_and_other_matters_are_never_judged_contradictory() -> None:
    event = said("event", "Lisbon", type=KnowledgeType.MEMORY)
    habit = said("habit", "runs")
    compared = {row.id: Comparison(contradicts=1.0, same=0.0) for row in (event, habit)}
    decision = kept(decided(new("likes", "sitting"), event, habit, compared=compared))
    assert decision.clashes == ()


@each([{"subject": "Clara", "speaker": "ana"}, {"speaker": "bob"}, {"subject": "bob", "speaker": "bob"}])
def test_another_subject_and_anothers_claim_neither_repeat_nor_end(other: dict[str, Any]) -> None:
    mine = said("residence", "Recife")
    assert decided(item := new("residence", "Porto", **other), mine) == Keep(item)
    assert decided(item := new("residence", "Recife", **other), mine) == Keep(item)
    theirs = said("residence", "Recife", **other)
    assert decided(item := new("residence", "Porto"), theirs) == Keep(item)


@each([Place(), G2])
def test_what_was_learnt_in_a_space_is_not_ended_by_what_is_told_elsewhere(elsewhere: Place) -> None:
    old = said("residence", "Recife", place=G1)
    assert decided(item := new("residence", "Porto", place=elsewhere), old) == Keep(item)


def test_what_is_told_in_a_space_ends_what_was_told_there_and_in_private() -> None:
    private, there = said("residence", "Recife"), said("residence", "Olinda", place=G1)
    decision = kept(decided(new("residence", "Porto", place=G1), private, there))
    assert [(clash.old, clash.ended) for clash in decision.clashes] == [(private, True), (there, True)]


def test_said_again_elsewhere_it_is_known_only_where_it_may_be_heard() -> None:
    private, shared = said("residence", "Recife"), said("residence", "Recife", place=G1)
    assert decided(item := new("residence", "Recife", place=G1), private) == Keep(item)
    assert isinstance(decided(new("residence", "Recife"), shared), Repeat)


def test_one_that_may_not_be_heard_there_does_not_hide_one_that_may() -> None:
    """Said in g1, then in g2, then in g1 again: that is two items and not three."""
    first, second = said("residence", "Recife", place=G1), said("residence", "Recife", place=G2)
    decision = decided(new("residence", "Recife", place=G1), second, first)
    assert isinstance(decision, Repeat)
    assert decision.old is first


@each([{"deleted_at": NOW}, {"superseded_at": NOW}, {"archived_at": NOW}, {"expires_at": NOW}])
def test_what_is_not_current_is_neither_repeated_nor_ended(gone: dict[str, Any]) -> None:
    assert decided(item := new("residence", "Porto"), said("residence", "Recife", **gone)) == Keep(item)
    assert decided(item := new("residence", "Recife"), said("residence", "Recife", **gone)) == Keep(item)


def test_what_is_history_at_once_is_not_asked_about_as_well() -> None:
    confirmed = said("residence", "Recife", validated=True)
    later = said("residence", "Porto", held_from=LATER, needs_resolution=True)
    past = new("residence", "Lima", held_from=NOW + days(1))
    decision = kept(decided(past, confirmed, later))
    assert decision.item.superseded_by == later.id
    assert all(clash.ended is not None for clash in decision.clashes)


def test_a_dose_without_its_medicine_is_told_of_the_only_one_held() -> None:
    old = said("medication", "sertralina 50 mg", content="Toma sertralina 50 mg")
    raised = new("medication", "75", content="“a médica aumentou para 75”")
    decision = kept(decided(raised, old))
    assert (decision.item.content, decision.item.value) == ("Toma sertralina 75 mg", "sertralina 75 mg")
    assert only_clash(decision).ended
    for other in ("losartana 50 mg", "vitamina B12"):
        as_said = kept(decided(raised, old, said("medication", other)))
        assert (as_said.item.content, as_said.clashes) == ("“a médica aumentou para 75”", ())


@each(
    [
        ("metformin 500 mg", "1 g", "metformin 1 g"),
        ("levothyroxine 50 mcg", "0.1 mg", "levothyroxine 0.1 mg"),
        ("rivotril 10 gotas", "15", "rivotril 15 gotas"),
        ("losartan 50 mg", "AAS 100 mg", "AAS 100 mg"),
        ("metformin 500 mg", "3 times a day", "3 times a day"),
        ("vitamin B12", "1000 mcg", "1000 mcg"),
    ]
)
def test_a_dose_keeps_its_own_unit_and_anything_more_is_no_bare_dose(held: str, dose: str, now: str) -> None:
    assert kept(decided(new("medication", dose), said("medication", held))).item.value == now


def test_an_appointment_moves_when_the_words_say_so_and_a_dose_is_the_newest() -> None:
    held = said("meeting", "dentist", type=KnowledgeType.MEMORY, held_from=NOW)
    later = said("meeting", "dentist", type=KnowledgeType.MEMORY, held_from=NOW + days(3))
    assert only_clash(decided(later, held, changed=True)).ended
    assert kept(decided(later, held)).clashes == ()
    assert only_clash(decided(said("medication", "losartan 100mg"), said("medication", "losartan 50mg"))).ended


def ended_by(item: KnowledgeItem, *held: KnowledgeItem, **parts: Any) -> Decision:
    """What becomes of an item a reader says ends everything held."""
    ends = dict.fromkeys((row.id for row in held), "model")
    ordinary = {"changed": False, "said_at": LATER, "compared": {}, "judged_by": "judge", "now": LATER}
    return decide(item, held, ends=ends, policy=LearnPolicy(), **ordinary | parts)  # type: ignore[arg-type]  # as given


def test_what_is_said_to_be_over_ends_whatever_its_attribute() -> None:
    old = said("possession", "a car")
    clash = only_clash(ended_by(new(None, None, content="Sold the car"), old))
    assert (clash.old.id, clash.ended, clash.why, clash.judged_by) == (old.id, True, "said to be over", "model")


def test_only_what_a_former_value_may_end_is_ended() -> None:
    sold = new(None, None, content="Sold the car")
    car = said("possession", "a car")
    assert only_clash(ended_by(sold, replace(car, validated=True))).ended is None
    assert only_clash(ended_by(replace(sold, source=Source.AI_INFERENCE), car)).ended is None
    for untouched in (
        replace(car, subject="Clara"),
        replace(car, speaker="bia"),
        replace(car, place=G1),  # what is said in private ends nothing a group knows
        replace(car, held_from=LATER + days(1) / 24),  # it was said before
        replace(car, type=KnowledgeType.MEMORY),  # what happened stays true
        replace(car, superseded_at=NOW),
    ):
        assert kept(ended_by(sold, untouched, now=LATER + days(1))).clashes == ()


def test_what_is_yet_to_come_ends_only_plans() -> None:
    leeds = new("residence", "Leeds", held_from=LATER + days(60))
    assert kept(ended_by(leeds, said("possession", "a flat"))).clashes == ()
    dentist = said("meeting", "dentist", type=KnowledgeType.MEMORY, held_from=LATER + days(5))
    assert only_clash(ended_by(leeds, dentist)).ended


def test_what_is_known_already_may_still_end_something() -> None:
    leeds, oslo = said("residence", "Leeds"), said(None, None, content="Is at home in Oslo")
    decision = ended_by(new("residence", "Leeds"), leeds, oslo)
    assert isinstance(decision, Repeat)
    assert [(clash.old.id, clash.ended) for clash in decision.clashes] == [(oslo.id, True)]
    for left in (replace(oslo, validated=True), replace(oslo, local_only=True)):
        again = ended_by(new("residence", "Leeds"), leeds, left)
        assert isinstance(again, Repeat)
        assert again.clashes == ()


@each([(None, True), ("Globo", None)])
def test_a_job_that_is_over_without_its_name_is_whichever_is_held(value: str | None, ended: bool | None) -> None:
    job, standing = said("employment", "Globo"), Effect(nothing=1.0)
    decision = decide(
        new("former_employment", value, content="“fui demitido”"), [job], changed=True, said_at=LATER, compared={},
        judged={job.id: standing}, judged_by="judge", policy=LearnPolicy(), now=LATER,
    )  # fmt: skip
    assert only_clash(decision).ended is ended
