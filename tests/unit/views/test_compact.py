from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, an_item, days
from loops import each
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.views.memory import BUDGET_TOKENS, UserMemory, compact, from_body, rendered, to_body
from relembra.views.profile import people


class WordTokens:
    """A token a word."""

    def count(self, text: str) -> int:
        return len(text.split())


def made(*items: KnowledgeItem, **changes: Any) -> UserMemory:
    now = changes.get("now", NOW)
    given: dict[str, Any] = {
        "people": people(items, now=now),
        "name": "Ana",
        "now": NOW,
        "language": "en",
        "tokens": WordTokens(),
    }
    return compact(items, **given | changes)


def a_goal(content: str, **changes: Any) -> KnowledgeItem:
    return an_item(type=KnowledgeType.GOAL, attribute="goal", content=content, **changes)


def a_feeling(content: str, **changes: Any) -> KnowledgeItem:
    return an_item(type=KnowledgeType.EMOTION, attribute="emotion", content=content, **changes)


def a_life() -> list[KnowledgeItem]:
    """A little of everything."""
    return [
        an_item(attribute="residence", value="Recife", content="Mora em Recife"),
        an_item(attribute="occupation", value="médica", content="É médica"),
        an_item(attribute="employment", value="Hospital Norte", content="Trabalha no Hospital Norte"),
        an_item(attribute="birthday", value="1990-03-10", content="Nasceu em 10 de março de 1990"),
        an_item(attribute="timezone", value="America/Recife", content="Fuso de Recife"),
        an_item(attribute="communication", content="Prefere respostas curtas"),
        an_item(attribute="marital_status", value="casada", content="É casada"),
        an_item(
            subject="Clara", type=KnowledgeType.PERSON, attribute="relation", value="irmã", content="Clara é a irmã"
        ),
        an_item(subject="Luna", type=KnowledgeType.PERSON, attribute="relation", value="gata", content="Luna é a gata"),
        a_goal("Quer correr uma maratona"),
        a_feeling("Fica ansiosa com prazos"),
        an_item(attribute="value", content="Valoriza a honestidade"),
        an_item(attribute="habit", content="Corre aos domingos"),
        an_item(attribute="event", type=KnowledgeType.MEMORY, content="Viajou a Natal", held_from=NOW - days(2)),
    ]


def test_a_life_in_short() -> None:
    memory = made(*a_life(), language="pt", version=3)
    assert memory == UserMemory(
        name="Ana",
        age=35,
        location="Recife",
        occupation="médica, Hospital Norte",
        family_context="casada; irmã Clara; gata Luna",
        current_goals=("Quer correr uma maratona",),
        current_challenges=("Fica ansiosa com prazos",),
        top_of_mind=("o próprio aniversário (10 mar 2026)", "Viajou a Natal (27 fev 2026)"),
        values=("Valoriza a honestidade",),
        communication_style="Prefere respostas curtas",
        timezone="America/Recife",
        learnt_patterns=("Corre aos domingos",),
        language="pt",
        version=3,
        made_at=NOW,
    )


@each(
    [
        ("birthday", "1990-03-02", NOW, 35),
        ("birthday", "1990-03-01", NOW, 36),
        ("birthday", "10 de março", NOW, None),
        ("age", "34", NOW, 34),
        ("age", "34 anos", NOW - days(800), 36),
        ("age", "trinta", NOW, None),
        ("age", "999", NOW, None),
        ("birthday", "0000-03-01", NOW, None),
    ]
)
def test_age_is_counted(attribute: str, value: str, told: datetime, age: int | None) -> None:
    assert made(an_item(attribute=attribute, value=value, content="…", held_from=told)).age == age


def test_the_confirmed_and_then_the_newest_residence_counts_and_a_future_one_not_yet() -> None:
    newer = an_item(attribute="residence", value="Natal", held_from=NOW - days(1))
    older = an_item(attribute="residence", value="Recife", held_from=NOW - days(9))
    planned = an_item(attribute="residence", value="Lisbon", held_from=NOW + days(30))
    assert made(newer, older, planned).location == "Natal"
    assert made(newer, replace(older, validated=True)).location == "Recife"


def test_challenges_are_hard_feelings_debts_and_a_job_lost_of_late() -> None:
    memory = made(
        a_feeling("Adora o mar"),
        a_feeling("Feels anxious about money", weight=0.9),
        a_feeling("Is heartbroken", weighed_at=NOW - days(43)),  # said long ago, and imported today
        an_item(attribute="condition", content="Tem gastrite", weight=0.8),
        an_item(attribute="debt", content="Deve ao banco", weight=0.7),
        an_item(
            attribute="event", type=KnowledgeType.MEMORY, content="Foi demitida", held_from=NOW - days(89), weight=0.6
        ),
        an_item(attribute="event", type=KnowledgeType.MEMORY, content="Was laid off", held_from=NOW - days(91)),
        an_item(attribute="former_condition", type=KnowledgeType.MEMORY, content="Teve anemia"),
    )
    assert memory.current_challenges == ("Feels anxious about money", "Deve ao banco", "Foi demitida")


def test_health_is_what_may_harm_the_person_or_who_is_close_to_them() -> None:
    memory = made(
        an_item(attribute="condition", content="Tem gastrite"),
        an_item(attribute="medication", content="Toma sertralina 50 mg"),
        an_item(attribute="allergy", content="É alérgica a camarão"),
        an_item(
            subject="Clara", type=KnowledgeType.PERSON, attribute="relation", value="irmã", content="Clara é a irmã"
        ),
        an_item(subject="Clara", attribute="allergy", value="amendoim", content="É alérgica a amendoim"),
        an_item(subject="Rui", type=KnowledgeType.PERSON, attribute="relation", value="chefe", content="Rui é o chefe"),
        an_item(subject="Rui", attribute="allergy", value="látex", content="Rui é alérgico a látex"),
        language="pt",
    )
    assert memory.health == (
        *("É alérgica a camarão", "Toma sertralina 50 mg", "Tem gastrite"),
        "Clara: É alérgica a amendoim",
    )
    assert "Saúde e segurança" in memory.text


def test_health_is_told_once_and_as_sure_as_it_is() -> None:
    both = an_item(content="I'm allergic to nuts and kiwi", attribute="allergy", value="kiwi", confidence=0.95)
    one = an_item(content="Is allergic to nuts", attribute="allergy", value="nuts")
    guess = an_item(content="Is intolerant to lactose", attribute="intolerance", value="lactose", confidence=0.6)
    assert made(both, one, guess).health == ("I'm allergic to nuts and kiwi", "perhaps is intolerant to lactose")
    unsure = replace(both, confidence=0.6)
    assert made(unsure, one).health == ("perhaps I'm allergic to nuts and kiwi", "Is allergic to nuts")
    concluded = an_item(content="Lives in Leeds", attribute="residence", value="Leeds", confidence=0.75)
    concluded = replace(concluded, source=Source.AI_INFERENCE)
    assert made(concluded).location == "probably Leeds"


def test_on_their_mind_is_what_comes_and_then_what_is_new() -> None:
    memory = made(
        an_item(attribute="deadline", type=KnowledgeType.MEMORY, content="Report due", value="2026-03-12"),
        an_item(attribute="meeting", type=KnowledgeType.MEMORY, content="Meets Otto", held_from=NOW + days(2)),
        an_item(attribute="deadline", type=KnowledgeType.MEMORY, content="Thesis due", value="2026-05-01"),
        an_item(
            attribute="meeting",
            type=KnowledgeType.MEMORY,
            content="Met Eva",
            value="2026-01-01",
            held_from=NOW - days(60),
        ),
        an_item(attribute="event", type=KnowledgeType.MEMORY, content="Bought a boat", held_from=NOW - days(13)),
        an_item(attribute="event", type=KnowledgeType.MEMORY, content="Sold a car", held_from=NOW - days(15)),
        an_item(subject="Clara", attribute="birthday", value="--03-05", content="Clara's birthday"),
    )
    assert memory.top_of_mind[:3] == (
        "Meets Otto (Mar 3, 2026)",
        "birthday: Clara (Mar 5, 2026)",
        "Report due (Mar 12, 2026)",
    )
    assert memory.top_of_mind[-1] == "Bought a boat (Feb 16, 2026)"
    assert "Thesis due (May 1, 2026)" in memory.top_of_mind
    assert not {"Met Eva", "Sold a car"} & {text.partition(" (")[0] for text in memory.top_of_mind}


@each(["12/03/2026", "2026-03-12"])
def test_a_day_that_stands_in_the_words_is_not_told_twice(written: str) -> None:
    visit = f"Sees the doctor ({written})"
    memory = made(an_item(attribute="deadline", type=KnowledgeType.MEMORY, content=visit, value="2026-03-12"))
    assert memory.top_of_mind == ("Sees the doctor (Mar 12, 2026)",)


def test_what_is_in_question_is_not_on_their_mind() -> None:
    memory = made(an_item(attribute="blood_type", content="Blood type: O-", value="O-", needs_resolution=True))
    assert memory.top_of_mind == ()


def test_a_persons_own_words_are_quoted_once() -> None:
    memory = made(an_item(attribute="event", content="“We met Eva”", value=None, held_from=NOW - days(1)))
    assert memory.top_of_mind == ("We met Eva (Feb 28, 2026)",)


def test_goals_stay_longer_than_challenges_and_these_longer_than_patterns() -> None:
    life = [
        a_goal("one two three"),
        a_feeling("is anxious often"),
        an_item(attribute="habit", content="runs every day"),
    ]
    texts = [rendered(made(*life, budget_tokens=size)) for size in range(40)]
    first = {
        part: next(size for size, text in enumerate(texts) if part in text) for part in ("one two", "anxious", "runs")
    }
    assert first["one two"] < first["anxious"] < first["runs"]


def test_where_there_is_enough_to_say_the_text_has_500_to_800_tokens() -> None:
    tokens = OfflineTokens()
    many = [
        item
        for number in range(40)
        for item in (
            a_goal(f"Quer aprender a receita número {number}", weight=number / 40),
            a_feeling(f"Tem medo da prova {number}"),
            an_item(attribute="likes", content=f"Gosta do livro {number}"),
        )
    ]
    plain = [an_item(content=f"Plain fact {number} of her life") for number in range(80)]
    longest = [a_goal(f"{number} " + "quer muito viajar para longe " * 30) for number in range(20)]
    for life in (many, plain, longest, [*a_life(), *many, *plain]):
        size = tokens.count(rendered(made(*life, tokens=tokens)))
        assert 500 <= size <= BUDGET_TOKENS


TEXT = st.text(alphabet="ab é<“\n", min_size=1, max_size=60)
KINDS = st.sampled_from(["goal", "emotion", "habit", "value", "residence", "communication", "event", "deadline", None])
LIVES = st.lists(st.tuples(KINDS, TEXT, st.integers(0, 30), st.floats(0, 1)), max_size=25)


def lived(rows: list[tuple[str | None, str, int, float]]) -> list[KnowledgeItem]:
    return [
        an_item(attribute=kind, content=text, weight=weight, held_from=NOW - days(back))
        for kind, text, back, weight in rows
    ]


@given(LIVES, TEXT, st.integers(0, 120), st.sampled_from(["en", "pt"]))
def test_never_over_the_budget_in_either_language(
    rows: list[tuple[str | None, str, int, float]], name: str, budget: int, language: str
) -> None:
    memory = made(*lived(rows), name=name, budget_tokens=budget, language=language)
    assert all(WordTokens().count(rendered(memory, shown)) <= budget for shown in ("en", "pt"))


@given(LIVES, st.randoms())
def test_the_same_values_give_the_same_bytes_however_ordered(
    rows: list[tuple[str | None, str, int, float]], chance: random.Random
) -> None:
    items = lived(rows)
    text = rendered(made(*items, budget_tokens=60))
    chance.shuffle(items)
    assert rendered(made(*items, budget_tokens=60)) == text


@given(LIVES)
def test_a_bigger_budget_never_says_less(rows: list[tuple[str | None, str, int, float]]) -> None:
    items = lived(rows)
    sizes = [WordTokens().count(rendered(made(*items, budget_tokens=budget))) for budget in (20, 60, 200, 1_000)]
    assert sizes == sorted(sizes)


@given(LIVES)
def test_storing_is_the_identity(rows: list[tuple[str | None, str, int, float]]) -> None:
    memory = made(*lived(rows))
    assert from_body(json.loads(json.dumps(to_body(memory)))) == memory


def test_what_stands_within_other_words_of_a_message_is_told_once() -> None:
    whole = an_item(content="“asked for a transfer, the answer comes on Friday.”", message_ids=("m1",))
    part, elsewhere = (an_item(content="“asked for a transfer”", message_ids=(id,)) for id in ("m1", "m2"))
    work = [an_item(attribute="occupation", value="nurse"), an_item(attribute="employment", value="nurse at Norte")]
    for others, lines in (([], 1), ([elsewhere], 2)):
        memory = made(whole, part, *others, *work)
        assert len(memory.top_of_mind) == lines
        assert memory.occupation == "nurse at Norte"
