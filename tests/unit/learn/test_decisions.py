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
MEMORY = KnowledgeType.MEMORY
GUESS: dict[str, Any] = {"source": Source.AI_INFERENCE, "confidence": 0.7}


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


REPEATS, BOTH, ENDS, HISTORY, ASKS = "repeats", "both stand", "ends it", "is history", "asks"


def outcome(decision: Decision) -> str:
    """What a new item does to the one held."""
    if isinstance(decision, Repeat):
        return REPEATS
    if not decision.clashes:
        return BOTH
    return {True: ENDS, False: HISTORY, None: ASKS}[only_clash(decision).ended]


def tie(name: str | None, attribute: str = "relation", **changes: Any) -> KnowledgeItem:
    person = {} if name is None else {"name": name}
    return said(attribute, "namorada", subject="namorada", person=person, **changes)


CONFIRMED = {"validated": True}
LATE: dict[str, Any] = {"held_from": LATER, "created_at": LATER}
PAIRS: list[tuple[str, KnowledgeItem, KnowledgeItem]] = [
    # said once more
    (REPEATS, said("residence", "Boa Viagem, Recife"), new("residence", "Recife")),
    (ENDS, said("residence", "Recife"), new("residence", "Boa Viagem, Recife")),
    (REPEATS, said(None, None, content="Likes rowing"), new(None, None, content="likes ROWING")),
    *((REPEATS, tie("Ana"), tie(name, **LATE)) for name in ("Ana", "ana", "Ana Souza", None)),
    (BOTH, tie("Ana"), tie("Bia", **LATE)),
    (REPEATS, said("likes", "café", content="Adora café"), new("likes", "café", content="Gosta muito de café")),
    (REPEATS, said("event", "Lisbon", type=MEMORY), new("event", "Lisbon", type=MEMORY, held_from=NOW + days(1))),
    (BOTH, said("event", "Lisbon", type=MEMORY), new("event", "Lisbon", type=MEMORY)),
    # the rules of attributes
    (ENDS, said("residence", "Recife"), new("residence", "Porto")),
    (ENDS, said("employment", "Vale"), new("employment", "Petrobras")),
    (ENDS, said("marital_status", "solteira"), new("marital_status", "casada")),
    (ENDS, said("weight", "82 kg"), new("weight", "79 kg")),
    (ENDS, said("favorite_color", "blue"), new("favorite_color", "red")),
    (HISTORY, said("residence", "Recife"), new("residence", "Porto", held_from=NOW - days(900))),
    (ASKS, said("birthday", "5 May"), new("birthday", "6 May")),
    (ASKS, said("residence", "Recife", **CONFIRMED), new("residence", "Porto")),
    (ASKS, said("residence", "Recife"), new("residence", "Porto", **GUESS)),
    (BOTH, said("marital_status", "single"), new("marital_status", None, content="Got hitched")),
    (BOTH, said("diet", "vegetarian"), new("diet", "low in salt")),
    (BOTH, said("likes", "rowing"), new("likes", "swimming")),
    (BOTH, said("allergy", "shrimp"), new("allergy", "peanuts")),
    (BOTH, said("goal", "run a marathon"), new("goal", "learn French")),
    (BOTH, said("skill", "piano"), new("skill", "guitar")),
    (ENDS, said("medication", "losartana 50 mg"), new("medication", "Losartana 100 mg")),
    (BOTH, said("medication", "metformina 50 mg"), new("medication", "Losartana 100 mg")),
    (ASKS, said("medication", "losartana 50 mg", **CONFIRMED), new("medication", "Losartana 100 mg")),
    (BOTH, said("meeting", "dentist", type=MEMORY), new("meeting", "dentist", type=MEMORY)),
    # opposite tastes, endings, goals
    (ENDS, said("likes", "coffee"), new("dislikes", "café")),
    (ENDS, said("dislikes", "coffee"), new("likes", "café")),
    (BOTH, said("likes", "coffee"), new("dislikes", "tea")),
    (BOTH, said("likes", "coffee"), new("dislikes", "coffee", held_from=NOW - days(9))),
    (ASKS, said("likes", "coffee", **CONFIRMED), new("dislikes", "coffee")),
    (ASKS, said("likes", "coffee", confidence=1.0), new("dislikes", "coffee")),
    (ENDS, said("employment", "Vale"), new("former_employment", "Vale")),
    (ENDS, said("employment", "Vale"), new("former_employment", None)),
    (BOTH, said("employment", "Vale"), new("former_employment", "Petrobras")),
    (BOTH, said("employment", "Vale"), new("former_employment", "Vale", held_until=LATER + days(20))),
    (BOTH, said("employment", "Vale"),
     new("former_employment", "Vale", held_from=NOW - days(900), held_until=NOW - days(800))),
    (ASKS, said("employment", "Vale", **CONFIRMED), new("former_employment", "Vale")),
    (BOTH, said("likes", "tea"), new("former_likes", None)),
    (ENDS, tie("Ana"), tie("Ana", "former_relation", **LATE)),
    (BOTH, tie("Bia"), tie("Ana", "former_relation", **LATE)),
    (ENDS, said("goal", "correr uma maratona"), new("achieved", "maratona")),
    (ENDS, said("goal", "correr uma maratona"), new("dropped_goal", "maratona")),
    (BOTH, said("goal", "aprender francês"), new("achieved", "maratona")),
    (BOTH, said("goal", "correr uma maratona"), new("event", "correu 20 km", type=MEMORY)),
    (ASKS, said("goal", "correr uma maratona", **CONFIRMED), new("achieved", "maratona")),
    # who and where
    *((BOTH, said("residence", "Recife"), new("residence", value, **other))
      for value in ("Porto", "Recife") for other in ({"subject": "Clara", "speaker": "ana"}, {"speaker": "bob"})),
    (BOTH, said("residence", "Recife", speaker="bob"), new("residence", "Porto")),
    (BOTH, said("residence", "Recife", place=G1), new("residence", "Porto")),
    (BOTH, said("residence", "Recife", place=G1), new("residence", "Porto", place=G2)),
    (ENDS, said("residence", "Recife", place=G1), new("residence", "Porto", place=G1)),
    (ENDS, said("residence", "Recife"), new("residence", "Porto", place=G1)),
    (BOTH, said("residence", "Recife"), new("residence", "Recife", place=G1)),
    (REPEATS, said("residence", "Recife", place=G1), new("residence", "Recife")),
    *((BOTH, said("residence", "Recife", **{gone: NOW}), new("residence", value))
      for gone in ("deleted_at", "superseded_at", "archived_at", "expires_at") for value in ("Porto", "Recife")),
]  # fmt: skip


@each(PAIRS)
def test_what_a_new_item_does_to_one_held(expected: str, old: KnowledgeItem, item: KnowledgeItem) -> None:
    decision = decided(item, old)
    assert outcome(decision) == expected
    if expected == HISTORY:
        past = kept(decision).item
        assert (past.superseded_by, past.superseded_at, past.needs_resolution) == (old.id, LATER, False)
    elif expected != REPEATS:
        assert decision.item.needs_resolution is (expected == ASKS)
    if expected in (ENDS, ASKS):
        clash = only_clash(decision)
        assert (clash.old, clash.certainty, clash.judged_by) == (old, 1.0, "rule")


@each(
    [
        (said("diet", "vegetarian"), new("diet", "carnivore")),
        (said("marital_status", "single"), new("marital_status", None, content="Got hitched")),
        (said("meeting", "dentist at 10:00", type=MEMORY), new("meeting", "dentist at 15:00", type=MEMORY)),
        (tie("Ana", content="A namorada se chama Ana"), tie("Bia", content="A namorada se chama Bia", **LATE)),
    ]
)
def test_some_change_only_where_the_words_say_so(old: KnowledgeItem, item: KnowledgeItem) -> None:
    assert (outcome(decided(item, old)), outcome(decided(item, old, changed=True))) == (BOTH, ENDS)
    assert outcome(decided(item, replace(old, validated=True), changed=True)) == ASKS


@each([(said(None, None, content="I have a blue Fiat, I do"), True),
     (said(None, None, content="“I have a blue Fiat, I do”"), False),
     (said("possession", "Fiat", content="“I have a blue Fiat, I do”"), True),
     (said("possession", "garage", content="“I have a blue Fiat and a garage”"), False),
     (said("possession", "Fiat", content="Has Fiat"), False),
     (said("likes", "Fiat", content="“I love my Fiat”"), False),
     (said("possession", "Fiat", content="“I have a blue Fiat, I do”", validated=True), False)])  # fmt: skip
def test_what_was_kept_in_its_own_words_gives_way_to_what_is_read_in_them(old: KnowledgeItem, gives_way: bool) -> None:
    old = replace(old, message_ids=("m1",))
    now_read = new("possession", "blue Fiat", content="Has a blue Fiat", message_ids=("m1",))
    decision = decide(
        now_read, [old], changed=False, compared={}, taught=[old], judged_by="j", policy=LearnPolicy(), now=LATER
    )
    ended = [(clash.old, clash.why, clash.ended) for clash in kept(decision).clashes]
    assert ended == ([(old, "said more exactly", True)] if gives_way else [])


def test_the_persons_word_outdoes_an_earlier_guess_of_the_same() -> None:
    again = observed(said("residence", "Recife", **GUESS), new("residence", "Recife"), LATER)
    assert (again.source, again.confidence) == (Source.CONVERSATION, 0.95)
    back = observed(again, new("residence", "Recife", **GUESS), LATER)
    assert (back.source, back.confidence) == (Source.CONVERSATION, 0.95)


def test_what_is_said_daily_keeps_its_first_and_its_latest_sources() -> None:
    item = said("residence", "Recife", message_ids=("m0",))
    for number in range(1, 3 * MOST_SOURCES):
        item = observed(item, new("residence", "Recife", message_ids=(f"m{number}",)), LATER)
    assert (len(item.message_ids), item.observations) == (MOST_SOURCES, 3 * MOST_SOURCES)
    assert (item.message_ids[0], item.message_ids[-1]) == ("m0", f"m{3 * MOST_SOURCES - 1}")


SAME = Comparison(contradicts=0.0, same=0.99)


@each(
    [
        ("Rows on Sundays", "Goes rowing each Sunday", 0.9, True),
        ("Rows on Sundays", "Goes rowing", 0.79, False),  # the judge is not sure
        ("Runs 5 km", "Runs 6 km", 0.99, False),  # a figure differs
        ("Adora café", "É fã de café", 0.99, True),
        ("Gosta de pão e manteiga", "Adora pão e manteiga", 0.99, True),
        ("Adora café", "Adora café e odeia chá", 0.99, False),  # and something more
        ("Adora café", "É fã de café, mas odeia chá", 0.99, False),
        ("Corre no parque", "Corre no parque com a Clara", 0.99, False),
        ("Has a cat", "Has a cat; plays the violin", 0.99, False),
        ("Adora café e odeia chá", "Adora café", 0.99, True),
    ]
)
def test_other_words_for_the_same_are_a_repetition(before: str, after: str, sure: float, repeats: bool) -> None:
    old, item = said(None, None, content=before), new(None, None, content=after)
    decision = decided(item, old, compared={old.id: Comparison(contradicts=0.0, same=sure)})
    assert outcome(decision) == (REPEATS if repeats else BOTH)


def test_what_a_judge_finds_the_same_is_not_where_names_or_values_tell_otherwise() -> None:
    ana = tie("Ana", content="A namorada se chama Ana")
    bia = tie("Bia", content="A namorada se chama Bia", **LATE)
    assert outcome(decided(bia, ana, compared={ana.id: SAME})) == BOTH
    coffee = said("likes", "café", content="Adora café")
    assert isinstance(decided(new("likes", "café", content="Adora café e odeia chá"), coffee), Keep)


@each([(0.69, 0), (0.7, 1), (1.0, 1)])
def test_a_judged_contradiction_counts_from_seven_tenths_and_is_put_to_the_person(sure: float, clashes: int) -> None:
    old = said(None, None, content="Never eats meat")
    compared = {old.id: Comparison(contradicts=sure, same=0.0, why="meat or not")}
    decision = kept(decided(new(None, None, content="Loves barbecue"), old, compared=compared))
    assert [(clash.ended, clash.certainty, clash.judged_by, clash.why) for clash in decision.clashes] == [
        (None, sure, "judge", "meat or not")
    ] * clashes
    assert decision.item.needs_resolution is bool(clashes)


@each(
    [
        (0.95, {}, "history"),  # a guess against what was said
        (0.9, {}, "history"),
        (0.89, {}, "asks"),
        (0.51, {}, "asks"),
        (0.5, {}, "ends it"),
        (0.95, {"validated": True}, "asks"),  # what was confirmed ends nothing, and is ended by nothing, unasked
        (0.5, {"validated": True}, "asks"),
    ]
)
def test_where_no_rule_speaks_and_nobody_confirmed_either_the_surer_side_stands(
    confidence: float, standing: dict[str, Any], becomes: str
) -> None:
    old = said(None, None, content="Never eats meat", confidence=confidence, **standing)
    guess = new(None, None, content="Loves barbecue", source=Source.AI_INFERENCE, confidence=0.7)
    clash = only_clash(decided(guess, old, compared={old.id: Comparison(contradicts=0.9, same=0.0, why="meat or not")}))
    ended = {"history": False, "ends it": True, "asks": None}[becomes]
    assert clash.ended is ended
    assert clash.why == ("meat or not" if ended is None else "meat or not; more certain")


def test_what_happened_and_other_matters_are_never_judged_contradictory() -> None:
    event, habit = said("event", "Lisbon", type=MEMORY), said("habit", "runs")
    compared = {row.id: Comparison(contradicts=1.0, same=0.0) for row in (event, habit)}
    assert kept(decided(new("likes", "sitting"), event, habit, compared=compared)).clashes == ()


def test_one_that_may_not_be_heard_there_does_not_hide_one_that_may() -> None:
    """Said in g1, then in g2, then in g1 again: that is two items and not three."""
    first, second = said("residence", "Recife", place=G1), said("residence", "Recife", place=G2)
    decision = decided(new("residence", "Recife", place=G1), second, first)
    assert isinstance(decision, Repeat)
    assert decision.old is first


def test_what_is_history_at_once_is_not_asked_about_as_well() -> None:
    confirmed = said("residence", "Recife", validated=True)
    later = said("residence", "Porto", held_from=LATER, needs_resolution=True)
    decision = kept(decided(new("residence", "Lima", held_from=NOW + days(1)), confirmed, later))
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


@each([("metformin 500 mg", "1 g", "metformin 1 g"), ("levothyroxine 50 mcg", "0.1 mg", "levothyroxine 0.1 mg"),
     ("rivotril 10 gotas", "15", "rivotril 15 gotas"), ("losartan 50 mg", "AAS 100 mg", "AAS 100 mg"),
     ("metformin 500 mg", "3 times a day", "3 times a day"), ("vitamin B12", "1000 mcg", "1000 mcg")])  # fmt: skip
def test_a_dose_keeps_its_own_unit_and_anything_more_is_no_bare_dose(held: str, dose: str, now: str) -> None:
    assert kept(decided(new("medication", dose), said("medication", held))).item.value == now


def ended_by(item: KnowledgeItem, *held: KnowledgeItem, **parts: Any) -> Decision:
    """What becomes of an item a reader says ends everything held."""
    ends = dict.fromkeys((row.id for row in held), "model")
    ordinary = {"changed": False, "said_at": LATER, "compared": {}, "judged_by": "judge", "now": LATER}
    return decide(item, held, ends=ends, policy=LearnPolicy(), **ordinary | parts)  # type: ignore[arg-type]  # as given


def test_what_is_said_to_be_over_ends_what_a_former_value_may_end_whatever_its_attribute() -> None:
    sold, car = new(None, None, content="Sold the car"), said("possession", "a car")
    clash = only_clash(ended_by(sold, car))
    assert (clash.old.id, clash.ended, clash.why, clash.judged_by) == (car.id, True, "said to be over", "model")
    assert only_clash(ended_by(sold, replace(car, validated=True))).ended is None
    assert only_clash(ended_by(replace(sold, source=Source.AI_INFERENCE), car)).ended is None
    for untouched in (
        replace(car, subject="Clara"),
        replace(car, speaker="bia"),
        replace(car, place=G1),  # what is said in private ends nothing a group knows
        replace(car, held_from=LATER + days(1) / 24),  # it was said before
        replace(car, type=MEMORY),  # what happened stays true
        replace(car, superseded_at=NOW),
    ):
        assert kept(ended_by(sold, untouched, now=LATER + days(1))).clashes == ()


def test_what_is_yet_to_come_ends_only_plans() -> None:
    leeds = new("residence", "Leeds", held_from=LATER + days(60))
    assert kept(ended_by(leeds, said("possession", "a flat"))).clashes == ()
    assert only_clash(ended_by(leeds, said("meeting", "dentist", type=MEMORY, held_from=LATER + days(5)))).ended


def test_what_is_known_already_may_still_end_something() -> None:
    leeds, oslo = said("residence", "Leeds"), said(None, None, content="Is at home in Oslo")
    for row, ended in ((oslo, True), (replace(oslo, validated=True), False), (replace(oslo, local_only=True), False)):
        decision = ended_by(new("residence", "Leeds"), leeds, row)
        assert isinstance(decision, Repeat)
        assert [(clash.old.id, clash.ended) for clash in decision.clashes] == ([(oslo.id, True)] if ended else [])


@each([(None, True), ("Globo", None)])
def test_a_job_that_is_over_without_its_name_is_whichever_is_held(value: str | None, ended: bool | None) -> None:
    job, standing = said("employment", "Globo"), Effect(nothing=1.0)
    decision = decide(
        new("former_employment", value, content="“fui demitido”"), [job], changed=True, said_at=LATER, compared={},
        judged={job.id: standing}, judged_by="judge", policy=LearnPolicy(), now=LATER,
    )  # fmt: skip
    assert only_clash(decision).ended is ended
