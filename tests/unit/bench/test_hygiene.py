"""How the figures of hygiene are counted, and that learning holds its goals on both halves of the labels."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from bench import hygiene
from bench.hygiene import calls, echo, leaks, messages, stories
from bench.hygiene.labels import DATA, LANGUAGES, Half, Label, LabelledMessage, Story, Turn, label
from bench.hygiene.labels import messages as labelled_messages
from bench.hygiene.labels import stories as labelled_stories
from bench.hygiene.leaks import Asking, LeakTally, Secret
from bench.hygiene.matching import assigned, dated_right, fits, holds_words, ties_of
from bench.hygiene.shares import Goal, count_row, share_row
from bench.table import Row

from builders import NOW, an_item
from relembra.domain.knowledge import KnowledgeItem

HALVES: tuple[Half, ...] = ("dev", "test")


def said(content: str, attribute: str | None = None, value: str | None = None, **changes: Any) -> KnowledgeItem:
    return an_item(content=content, attribute=attribute, value=value, **changes)


def wanted(*words: str, **parts: Any) -> Label:
    return label({"subject": "self", "attribute": None, "words": list(words)} | parts)


def ended(item: KnowledgeItem, by: KnowledgeItem) -> KnowledgeItem:
    return replace(item, superseded_at=NOW, superseded_by=by.id, held_until=NOW)


# ---- matching


def test_all_words_must_stand_in_the_item_in_one_of_their_forms() -> None:
    item = said("Mora em São Luís", "residence", "São Luís")
    assert fits(wanted("sao luis|slz"), item)
    assert fits(wanted("mora", "SLZ|luís"), item)
    assert not fits(wanted("mora", "recife"), item)


def test_words_are_also_looked_for_in_the_value_the_subject_and_the_person() -> None:
    item = said("É médica", value="doutora", subject="Clara", person={"relation": "irmã"})
    assert holds_words(wanted("doutora", "clara", "irma"), item)


def test_a_number_is_found_whole() -> None:
    assert not fits(wanted("6"), said("Acorda às 16h"))
    assert fits(wanted("6"), said("Acorda às 6h"))
    assert fits(wanted("4h30"), said("Acorda às 4h30"))


def test_the_day_counts_only_for_what_is_dated() -> None:
    item = said("Relatório a entregar", "deadline", held_from=datetime(2026, 9, 30, 12, tzinfo=UTC))
    assert fits(wanted("relatorio", "30", date="2026-09-30"), item)
    assert not fits(wanted("30"), item)
    assert fits(wanted("09-30", attribute="deadline"), item)
    assert not fits(wanted("09-30", attribute="birthday"), item)


def test_the_day_is_the_speakers() -> None:
    late = said("Casou", held_from=datetime(2026, 3, 2, 1, tzinfo=UTC), zone="-03:00")
    assert dated_right(wanted("casou", date="2026-03-01"), late)
    assert dated_right(wanted("casou", date="2026-03"), late)
    assert not dated_right(wanted("casou", date="2026-03-02"), late)


@pytest.mark.parametrize(
    "changes",
    [
        {"expires_at": datetime(2026, 3, 20, tzinfo=UTC)},
        {"held_until": datetime(2026, 3, 19, 9, tzinfo=UTC)},
        {"value": "2026-03-19"},
        {"content": "Prazo (19/03/2026)"},
    ],
    ids=["over by then", "until then", "as a value", "in words"],
)
def test_a_day_to_come_may_be_told_in_several_ways(changes: dict[str, Any]) -> None:
    assert dated_right(wanted("prazo", date="2026-03-19"), an_item(**changes))
    assert dated_right(wanted("prazo", date="2026-03"), an_item(**changes))
    assert not dated_right(wanted("prazo", date="2026-03-21"), an_item(**changes))


def test_subjects_are_the_same_but_for_accents_and_capitals() -> None:
    item = said("Maitê tem 6 anos", subject="Maitê")
    assert fits(wanted("6", subject="maite"), item)
    assert not fits(wanted("6"), item)
    assert not fits(wanted("6", subject="Lorena"), item)


@pytest.mark.parametrize(
    "tie",
    [
        said("Helena é sua mãe", "relation", "mãe", subject="Helena"),
        said("Helena é sua mãe", person={"name": "Helena", "relation": "mãe"}, subject="mãe"),
    ],
    ids=["by its attribute", "by the person"],
)
def test_a_relation_and_the_name_of_whoever_it_is_are_one_subject(tie: KnowledgeItem) -> None:
    named = said("Helena é enfermeira", "occupation", "enfermeira", subject="Helena")
    unnamed = said("Mãe é enfermeira", "occupation", "enfermeira", subject="mãe")
    ties = ties_of([tie, named, unnamed])
    for subject in ("mãe", "Helena"):
        assert fits(wanted("enfermeira", subject=subject), named, ties)
        assert fits(wanted("enfermeira", subject=subject), unnamed, ties)
    assert not fits(wanted("enfermeira", subject="mãe"), named)
    assert not fits(wanted("enfermeira", subject="tia"), named, ties)


def test_an_item_stands_for_one_label_and_one_with_the_labels_attribute_is_preferred() -> None:
    labels = [wanted("posto", attribute="likes"), wanted("posto", attribute="employment")]
    items = [said("Trabalha no posto", "employment"), said("Gosta do posto", "likes")]
    assert assigned(labels, items, frozenset()) == {0: 1, 1: 0}
    assert len(assigned(labels, items[:1], frozenset())) == 1


def test_as_many_labels_as_can_be_find_an_item_and_needed_ones_come_first() -> None:
    wide, narrow = wanted("posto|hospital"), wanted("posto")
    items = [said("no posto"), said("no hospital")]
    assert assigned([wide, narrow], items, frozenset()) == {0: 1, 1: 0}
    may = wanted("posto", optional=True)
    assert assigned([may, narrow], items[:1], frozenset()) == {1: 0}


# ---- messages


def told(*expect: Label) -> LabelledMessage:
    return LabelledMessage(id="m1", language="pt", at=NOW, text="…", expect=expect)


def test_what_was_expected_is_found_named_and_dated() -> None:
    message = told(
        wanted("recife", attribute="residence"),
        wanted("casou", attribute="event", date="2026-03-01"),
        wanted("gato", attribute="relation"),
        wanted("praia", attribute="likes", optional=True),
    )
    items = [said("Mora em Recife", "birthplace"), said("Casou", "event")]
    tally = messages.counted(message, items)
    assert (tally.wanted, tally.found, tally.named) == (3, 2, 1)
    assert (tally.dated, tally.dated_right) == (1, 1)
    assert (tally.kept, tally.junk, tally.again, tally.empty) == (2, 0, 0, 0)


def test_what_fits_no_label_is_junk_and_what_fits_a_met_one_was_kept_twice() -> None:
    message = told(wanted("recife", attribute="residence"), wanted("praia", optional=True))
    items = [said("Mora em Recife", "residence"), said("Vive em Recife"), said("Vai à praia"), said("Está com fome")]
    tally = messages.counted(message, items)
    assert (tally.kept, tally.again, tally.junk, tally.wrong_subject) == (4, 1, 1, 0)


def test_what_was_said_of_one_and_is_held_of_another_is_counted() -> None:
    message = told(wanted("medica", subject="Clara"))
    tally = messages.counted(message, [said("É médica", "occupation", "médica")])
    assert (tally.found, tally.junk, tally.wrong_subject) == (0, 1, 1)


def test_one_thing_true_of_two_people_is_nobodys_mistake() -> None:
    message = told(wanted("medica"), wanted("medica", subject="Clara"))
    tally = messages.counted(message, [said("É médica"), said("Clara é médica", subject="Clara")])
    assert (tally.found, tally.wrong_subject) == (2, 0)


def test_nothing_may_be_kept_of_an_empty_message() -> None:
    assert messages.counted(told(), []).empty_kept == 0
    tally = messages.counted(told(), [said("Mora em Paris"), said("Tem um cachorro")])
    assert (tally.empty, tally.empty_kept, tally.junk) == (1, 1, 2)


def test_tallies_add_up_and_become_rows() -> None:
    both = messages.counted(told(wanted("recife")), [said("Recife")]) + messages.counted(told(wanted("natal")), [])
    rows = {row.what: row for row in messages.rows("messages", both)}
    assert rows["messages, expected items found"].figure == 0.5
    assert rows["messages, expected items found"].holds is False
    assert rows["messages, junk of all kept"].holds is True
    assert rows["messages, said of the wrong person"].measured == "0 of 1"


# ---- stories


def ending(
    *items: KnowledgeItem,
    current: tuple[Label, ...] = (),
    retired: tuple[Label, ...] = (),
    asked: tuple[Label, ...] = (),
    cases: tuple[stories.Sides, ...] = (),
) -> stories.StoryTally:
    story = Story(
        id="s1",
        language="pt",
        owner="ana",
        turns=(Turn(at=NOW, said="oi"),),
        current=current,
        retired=retired,
        asked=asked,
    )
    return stories.counted(stories.End(story, items, cases, NOW))


CURITIBA, FLORIPA = said("Mora em Curitiba", "residence", "Curitiba"), said("Mora em Floripa", "residence", "Floripa")
MOVED = said("Mudou de Curitiba para Floripa", "event")
HOME = wanted("floripa", attribute="residence")
OLD_HOME = wanted("curitiba", attribute="residence")
MOVE = wanted("floripa", attribute="event", optional=True)


def test_what_should_have_ended_and_is_current_is_missed() -> None:
    tally = ending(CURITIBA, FLORIPA, MOVED, current=(HOME, MOVE), retired=(OLD_HOME,))
    assert (tally.to_end, tally.missed, tally.wrong, tally.junk, tally.duplicates) == (1, 1, 0, 0, 0)


def test_what_ended_as_it_should_is_neither_missed_nor_wrong() -> None:
    tally = ending(ended(CURITIBA, FLORIPA), FLORIPA, MOVED, current=(HOME, MOVE), retired=(OLD_HOME,))
    assert (tally.to_end, tally.missed, tally.wrong, tally.found, tally.current) == (1, 0, 0, 1, 2)


def test_what_was_never_learnt_cannot_be_missed() -> None:
    tally = ending(FLORIPA, MOVED, current=(HOME, MOVE), retired=(OLD_HOME,))
    assert (tally.to_end, tally.never_learnt, tally.missed) == (0, 1, 0)


def test_what_tells_of_the_past_is_not_the_past() -> None:
    lived = said("Morou em Curitiba", "former_residence", "Curitiba")
    tally = ending(ended(CURITIBA, FLORIPA), FLORIPA, lived, current=(HOME,), retired=(OLD_HOME,))
    assert (tally.missed, tally.junk) == (0, 0)


def test_the_old_thing_under_another_name_is_still_the_old_thing() -> None:
    tally = ending(said("Vive em Curitiba"), FLORIPA, current=(HOME,), retired=(OLD_HOME,))
    assert tally.missed == 1


def test_what_ended_and_should_be_current_ended_wrongly() -> None:
    tally = ending(ended(FLORIPA, CURITIBA), CURITIBA, current=(HOME, wanted("curitiba")))
    assert (tally.to_stay, tally.wrong) == (2, 1)


def test_what_no_label_ends_ended_wrongly_and_counts_among_what_should_stay() -> None:
    nuts = said("Alérgica a nozes", "allergy", "nozes")
    tally = ending(ended(nuts, FLORIPA), FLORIPA, current=(HOME,))
    assert (tally.to_stay, tally.wrong) == (2, 1)


def test_a_value_made_more_exact_did_not_end_wrongly() -> None:
    vague, exact = (
        said("Tem diabetes", "condition", "diabetes"),
        said("Diabetes tipo 1", "condition", "diabetes tipo 1"),
    )
    assert ending(ended(vague, exact), exact, current=(wanted("diabet", "1"),)).wrong == 0
    assert ending(ended(vague, exact), exact, current=(wanted("diabet"),)).wrong == 0


def test_one_thing_current_twice_is_a_duplicate_and_a_thing_nobody_expected_is_junk() -> None:
    twice, junk = said("Vive em Floripa", "residence", "Floripa (Campeche)"), said("Está com fome")
    tally = ending(FLORIPA, twice, MOVED, junk, current=(HOME, MOVE))
    assert (tally.current, tally.duplicates, tally.junk) == (4, 1, 1)


def test_what_is_beside_a_thing_is_no_duplicate_of_it() -> None:
    assert ending(FLORIPA, MOVED, current=(HOME,)).duplicates == 0


def test_an_open_case_about_the_right_thing_was_asked() -> None:
    may, june = said("Faz anos em maio", "birthday", "05-01"), said("Faz anos em junho", "birthday", "06-01")
    label = wanted("maio|junho", attribute="birthday")
    tally = ending(may, june, asked=(label,), cases=((may, june),))
    assert (tally.to_ask, tally.asked, tally.unexpected, tally.junk) == (1, 1, 0, 0)
    tally = ending(CURITIBA, FLORIPA, asked=(label,), cases=((CURITIBA, FLORIPA),))
    assert (tally.to_ask, tally.asked, tally.unexpected) == (1, 0, 1)


def test_what_is_over_was_not_replaced() -> None:
    over = said("Reunião na sexta", "meeting", expires_at=NOW - timedelta(days=1))
    assert ending(over, current=(wanted("reuniao"),)).found == 1


# ---- echo, leaks, calls


def test_an_echo_is_whatever_changed() -> None:
    old = said("Mora em Recife")
    assert echo.differences([old], [old]) == []
    for changed in (replace(old, observations=2), ended(old, FLORIPA), FLORIPA):
        assert echo.differences([old], [changed]) == [changed]


def test_secrets_can_be_told_apart() -> None:
    marks = [secret.mark.lower() for secret in leaks.secrets()]
    assert not [pair for pair in combinations(marks, 2) if pair[0] in pair[1] or pair[1] in pair[0]]


@pytest.mark.parametrize(
    ("asking", "must_not"),
    [
        (Asking("default", "ana", "família"), False),
        (Asking("default", "ana", None), False),
        (Asking("default", "bia", "família"), False),
        (Asking("default", "ana", "trabalho"), True),
        (Asking("default", "bia", None), True),
        (Asking("other", "ana", "família"), True),
    ],
)
def test_what_is_said_in_a_space_stays_there_and_with_whoever_said_it(asking: Asking, must_not: bool) -> None:
    secret = Secret("Zuzu", "default", "ana", "família", "Minha irmã Zuzu")
    assert leaks.forbidden(secret, asking) is must_not
    tally = LeakTally()
    leaks.count(tally, [secret], asking, "load", "a ZUZU ligou")
    assert tally.leaked == int(must_not)


def test_what_is_said_in_private_is_shown_in_no_space() -> None:
    secret = Secret("Zuzu", "default", "ana", None, "Moro em Zuzu")
    assert not leaks.forbidden(secret, Asking("default", "ana", None))
    assert leaks.forbidden(secret, Asking("default", "ana", "família"))


def test_the_scripted_model_answers_with_the_labels() -> None:
    message = told(wanted("recife", attribute="residence", value="Recife", type="fact"))
    lines: list[dict[str, Any]] = [{"m": "m1", "text": "oi"}, {"m": "m2", "learn": True, "text": "…"}]
    task, reply = calls.answered(lines, {message.text: message})
    assert task == "digest"
    assert [(thing["m"], thing["value"]) for thing in reply["things"]] == [("m2", "Recife")]
    task, reply = calls.answered([{"n": 1, "old": "a", "new": "b"}], {})
    assert (task, len(reply["answers"])) == ("compare", 1)


def test_shares_and_counts_say_what_they_were_counted_from() -> None:
    assert share_row("found", 0, 0, Goal.least(0.85)).holds is False
    assert share_row("junk", 0, 0, Goal.most(0.03)).holds is True
    assert share_row("named", 3, 4).holds is None
    assert count_row("leaks", 1, 900).holds is False
    assert count_row("leaks", 0, 900).measured == "0 of 900"


# ---- the labels, and the memory against them


@pytest.mark.parametrize("half", HALVES)
def test_every_label_can_be_read_and_every_turn_follows_the_one_before(half: Half) -> None:
    for language in LANGUAGES:
        assert len({message.id for message in labelled_messages(DATA, half, language)}) >= 150
    labelled = labelled_stories(DATA, half)
    assert len({story.id for story in labelled}) == len(labelled) >= 50
    for story in labelled:
        assert [turn.at for turn in story.turns] == sorted(turn.at for turn in story.turns), story.id
        assert all(one.words for one in (*story.current, *story.retired, *story.asked)), story.id


SHORT: dict[Half, dict[str, float]] = {
    "dev": {"stories, missed retirements": 0.20, "messages en, junk of all kept": 0.04},
    "test": {
        "messages pt, expected items found": 0.53,
        "messages pt, junk of all kept": 0.16,
        "messages pt, said of the wrong person": 0.03,
        "messages en, expected items found": 0.51,
        "messages en, junk of all kept": 0.17,
        "messages en, said of the wrong person": 0.03,
        "messages, expected items found": 0.52,
        "messages, junk of all kept": 0.16,
        "messages, said of the wrong person": 0.03,
        "stories, missed retirements": 0.68,
        "stories, wrong retirements": 0.016,
        "stories, duplicates left": 0.04,
    },
}
"""What falls short of its goal so far, and how far it may: a little beyond what was last measured, and no further."""


def is_no_worse(row: Row, half: Half) -> bool:
    bound = SHORT.get(half, {}).get(row.what)
    if bound is None or row.figure is None:
        return row.holds is not False
    return row.figure >= bound if row.at_least else row.figure <= bound


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("about", [hygiene.about_messages, hygiene.about_stories, hygiene.about_echo])
def test_learning_holds_its_goals_or_what_was_measured(about: Any, half: Half) -> None:
    assert [row for row in about(DATA, half) if not is_no_worse(row, half)] == []


def test_nothing_leaks() -> None:
    assert [row for row in hygiene.about_leaks() if row.holds is False] == []
