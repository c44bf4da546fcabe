from __future__ import annotations

import random
from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, an_item
from loops import each
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.views.profile import Closeness, Person, bare_tie, people
from relembra.views.timeline import Birthday, read_birthday


def a_tie(name: str, relation: str, **changes: Any) -> KnowledgeItem:
    content = f"{name}: {relation}"
    return an_item(
        subject=name,
        type=KnowledgeType.PERSON,
        attribute="relation",
        value=relation,
        **{"content": content, "title": content} | changes,
    )


def a_claim(name: str, content: str, **changes: Any) -> KnowledgeItem:
    return an_item(subject=name, content=content, title=content, **changes)


def only(*items: KnowledgeItem) -> Person:
    (person,) = people(items, now=NOW)
    return person


def test_a_person_has_a_name_a_tie_facts_and_a_birthday() -> None:
    tie, job = a_tie("Clara", "irmã"), a_claim("Clara", "Clara é médica", attribute="occupation", value="médica")
    born = a_claim("Clara", "Clara nasceu em 15/03/1990", attribute="birthday", value="15/03/1990")
    clara = only(job, born, tie)
    assert (clara.name, clara.relation, clara.facts) == ("Clara", "irmã", ("Clara é médica",))
    assert (clara.birthday, clara.items[0]) == (Birthday(3, 15, 1990), tie)
    assert clara.closeness is Closeness.FAMILY


def test_the_mother_and_maria_are_one_when_maria_is_said_to_be_the_mother() -> None:
    maria = only(
        a_claim("mãe", "A mãe é professora"), a_tie("Maria", "mãe"), a_claim("minha mãe", "A mãe gosta de chá")
    )
    assert (maria.name, maria.relation) == ("Maria", "mãe")
    assert set(maria.facts) == {"A mãe é professora", "A mãe gosta de chá"}


def test_one_whose_name_is_told_later_is_the_same() -> None:
    boss = only(
        a_claim("chefe", "O chefe é exigente"),
        a_claim("chefe", "O chefe se chama Otto", attribute="name", value="Otto"),
    )
    assert (boss.name, boss.relation, boss.facts) == ("Otto", "chefe", ("O chefe é exigente",))


def test_two_sisters_leave_the_sister_apart() -> None:
    found = people([a_tie("Clara", "irmã"), a_tie("Lia", "irmã"), a_claim("irmã", "A irmã mora longe")], now=NOW)
    assert [person.name for person in found] == ["Clara", "irmã", "Lia"]


def test_the_closest_come_first_and_then_the_names() -> None:
    listed = [
        a_tie("Rex", "cachorro"),
        a_tie("Otto", "chefe"),
        a_tie("Zoe", "mother"),
        a_tie("Ana", "best friend"),
        a_tie("Pedro", "marido"),
        a_claim("Bob", "Bob plays chess"),
        a_tie("Álvaro", "pai"),
        a_tie("Ivo", "ex-marido"),
    ]
    names = [person.name for person in people(listed, now=NOW)]
    assert names == ["Álvaro", "Zoe", "Pedro", "Ana", "Rex", "Otto", "Ivo", "Bob"]


def test_what_others_claim_about_somebody_is_left_out_but_not_what_they_say_of_themselves() -> None:
    claimed = a_claim("Bob", "Bob is lazy", speaker="Carl")
    own = a_claim("Bob", "Bob plays chess", speaker="Bob")
    assert only(claimed, own).facts == ("Bob plays chess",)


def test_a_name_that_is_also_a_tie_is_a_name_with_its_capital() -> None:
    assert bare_tie("Nora") is None
    assert bare_tie("nora") is not None
    assert only(a_claim("Tia Rosa", "Tia Rosa cozinha bem")).relation == "tia"


@each(
    [
        ("1990-03-15", None, "1990-03-15"),
        ("03-15", None, "--03-15"),
        ("--03-15", None, "--03-15"),
        ("15/03/1990", "pt", "1990-03-15"),
        ("3/15/1990", "en", "1990-03-15"),
        ("15/3", "en", "--03-15"),
        ("Nasceu em 15 de março de 1990", "pt", "1990-03-15"),
        ("1º de março", "pt", "--03-01"),
        ("March 15th, 1990", "en", "1990-03-15"),
        ("15 March", "en", "--03-15"),
        ("29 de fevereiro", "pt", "--02-29"),
        ("31/02", "pt", None),
        ("in spring", "en", None),
    ]
)
def test_birthdays_as_people_write_them(text: str, language: str | None, expected: str | None) -> None:
    found = read_birthday(text, language=language)
    assert (None if found is None else str(found)) == expected


def test_a_birthday_comes_round() -> None:
    leap = Birthday(2, 29, 2000)
    assert (leap.next(date(2026, 3, 1)), leap.next(date(2028, 1, 1))) == (date(2026, 3, 1), date(2028, 2, 29))
    assert (leap.age(date(2026, 2, 28)), leap.age(date(2026, 3, 1))) == (25, 26)
    assert Birthday(2, 29).age(date(2026, 3, 1)) is None
    assert Birthday(1, 1, 2030).age(date(2026, 1, 1)) is None


NAMES = ["mãe", "Maria", "irmã", "Clara", "Rex", "amiga", "Bob"]
RELATIONS = ["mãe", "irmã", "dog", "amiga", "chefe", "ex"]


@st.composite
def spoken_of(draw: st.DrawFn) -> list[KnowledgeItem]:
    ties = draw(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(RELATIONS)), max_size=5))
    facts = draw(st.lists(st.sampled_from(NAMES), max_size=5))
    return [a_tie(*pair) for pair in ties] + [a_claim(name, f"{name} mora longe") for name in facts]


@given(spoken_of(), st.randoms())
def test_every_item_is_somebodys_once_and_the_order_given_does_not_matter(
    items: list[KnowledgeItem], chance: random.Random
) -> None:
    found = people(items, now=NOW)
    ids = [item.id for person in found for item in person.items]
    assert sorted(ids) == sorted(item.id for item in items)
    chance.shuffle(items)
    assert people(items, now=NOW) == found
