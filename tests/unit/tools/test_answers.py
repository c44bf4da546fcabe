from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builders import ANA, NOW, an_id, an_item, days
from relembra.domain.case import Case, Outcome
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.tools.answers import AnalyzeContext, analyzed, connections, found

TOPIC = AnalyzeContext(current_topic="dinheiro")
ASKING = AnalyzeContext(current_topic="dinheiro", look_for_contradictions=True)


def a_case(old: KnowledgeItem, new: KnowledgeItem, **changes: Any) -> Case:
    ordinary: dict[str, Any] = {
        "id": an_id(),
        "scope": ANA,
        "old_id": old.id,
        "new_id": new.id,
        "judged_by": "rule",
        "why": "birthday cannot change",
        "opened_at": NOW,
    }
    return Case(**ordinary | changes)


def test_what_matters_beside_an_item_is_said() -> None:
    item = an_item(
        subject="Clara", speaker="bob", needs_resolution=True, source=Source.AI_INFERENCE, held_from=NOW - days(1)
    )
    (shown,) = found([item], language="pt")["items"]
    assert (shown["about"], shown["claimed_by"], shown["disputed"]) == ("Clara", "bob", True)
    assert (shown["source"], shown["since"]) == ("concluído, não dito", "2026-02-28")
    (own,) = found([an_item(speaker="Ana")])["items"]
    assert not {"about", "claimed_by", "disputed"} & set(own)


def test_patterns_are_those_found_of_an_area_asked_or_sharing_a_word() -> None:
    fact = an_item(content="Deve ao banco")
    habit = an_item(attribute="habit", content="Anota gastos")
    insight = an_item(type=KnowledgeType.INSIGHT, content="Gasta dinheiro quando dorme mal", observations=3)
    health = an_item(type=KnowledgeType.INSIGHT, content="Dorme melhor após correr", area=LifeArea.HEALTH)
    known = [insight, health]
    answer = analyzed(TOPIC, [fact, habit], known=known)
    assert [item["id"] for item in answer["related"]] == [fact.id]
    assert [item["id"] for item in answer["patterns"]] == [habit.id, insight.id]
    assert answer["patterns"][1]["observations"] == 3
    wide = AnalyzeContext(current_topic="dinheiro", related_areas=(LifeArea.HEALTH,))
    assert health.id in [item["id"] for item in analyzed(wide, [fact], known=known)["patterns"]]


def test_contradictions_only_when_asked_and_only_open_ones_whose_sides_may_be_heard() -> None:
    old, new, elsewhere = an_item(content="Nasceu em maio"), an_item(content="Nasceu em “junho”"), an_item()
    cases = [a_case(old, new), a_case(old, new, outcome=Outcome.NEW), a_case(old, elsewhere)]
    assert "contradictions" not in analyzed(TOPIC, [old], known=[new], cases=cases)
    (told,) = analyzed(ASKING, [old], known=[new], cases=cases, language="pt")["contradictions"]
    assert (told["earlier"]["id"], told["later"]["id"], told["case"]) == (old.id, new.id, cases[0].id)
    assert told["question"].startswith('Antes era “Nasceu em maio” e agora “Nasceu em "junho"”.')


def test_connections_by_link_person_tag_word_and_area() -> None:
    clara = an_item(subject="Clara", content="Clara é médica")
    visit = an_item(content="Vai visitar Clara")
    (person,) = connections([clara, visit], language="pt", limit=5)
    assert (person.between, person.why) == ((clara.id, visit.id), "ambas têm a ver com “Clara”")

    tagged = [an_item(content=text, tags=("Viagem",)) for text in ("Um mapa", "Dois bilhetes")]
    assert [one.why for one in connections(tagged, language="en", limit=5)] == ["both tagged “Viagem”"]

    words = [an_item(content="Fears his debts"), an_item(content="A debt with the bank")]
    assert [one.why for one in connections(words, language="en", limit=5)] == ["both mention “debt”"]

    feeling = an_item(type=KnowledgeType.EMOTION, content="Sente aperto", area=LifeArea.FINANCE)
    spending = an_item(content="Compra por impulso", area=LifeArea.FINANCE)
    saving = an_item(content="Tem poupança", area=LifeArea.FINANCE)
    assert [one.why for one in connections([feeling, spending], language="en", limit=5)] == [
        "both in the area “finance”"
    ]
    assert connections([spending, saving], language="en", limit=5) == []

    linked = an_item(content="Um", related=(clara.id,))
    assert [one.why for one in connections([clara, linked], language="pt", limit=5)] == [
        "já anotadas como relacionadas"
    ]


TEXT = st.text(alphabet="ab <>“”\n\u202e", min_size=1, max_size=30)
ITEMS = st.lists(
    st.builds(
        an_item,
        content=TEXT,
        subject=st.sampled_from(["self", "Clara"]),
        type=st.sampled_from(list(KnowledgeType)),
        area=st.sampled_from([None, *LifeArea]),
        tags=st.lists(TEXT, max_size=2).map(tuple),
    ),
    max_size=7,
)


@given(ITEMS, ITEMS)
def test_every_answer_is_json_without_markup_and_connections_name_what_is_shown(
    related: list[KnowledgeItem], known: list[KnowledgeItem]
) -> None:
    answer = analyzed(ASKING, related, known=known, cases=[a_case(*related[:2])] if len(related) > 1 else [])
    text = json.dumps(answer, ensure_ascii=False)
    assert "<" not in text
    assert "\u202e" not in text
    shown = [item["id"] for part in ("related", "patterns") for item in answer[part]]
    assert len(shown) == len(set(shown))
    pairs = [tuple(one["between"]) for one in answer["connections"]]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) <= 5
    assert all(one in shown and other in shown and one != other for one, other in pairs)
    assert analyzed(ASKING, related, known=known, cases=[]) == analyzed(ASKING, related, known=known, cases=[])
