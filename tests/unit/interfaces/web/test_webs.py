"""A web of connected items: who stands in it, where, and why."""

from __future__ import annotations

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import an_id, an_item
from relembra.domain.knowledge import KnowledgeItem
from relembra.interfaces.web.webs import FAR_EACH, HEIGHT, NEAR, Tie, distinct, label, tie_of, web_around


def some(number: int, **changes: object) -> list[KnowledgeItem]:
    return [an_item(content=f"{an_id()} {at}", **changes) for at in range(number)]


def test_a_web_is_bounded_and_holds_nobody_twice() -> None:
    [centre, *others] = some(60)
    near = others[:20]
    web = web_around(centre, near, {item.id: others for item in near})
    assert len(web.nodes) == 1 + NEAR + NEAR * FAR_EACH
    assert len({node.item.id for node in web.nodes}) == len(web.nodes)
    assert web.centre.item == centre


def test_nobody_stands_upon_another_or_outside() -> None:
    [centre, *others] = some(60)
    web = web_around(centre, others[:6], {item.id: others for item in others[:6]})
    for number, node in enumerate(web.nodes):
        assert 0 < node.x < 100
        assert 0 < node.y < HEIGHT - 30
        for other in web.nodes[number + 1 :]:
            assert hypot((node.x - other.x) * 6.5, node.y - other.y) > 60


def test_an_item_alone_is_a_web_of_one() -> None:
    web = web_around(an_item(), [], {})
    assert (len(web.nodes), web.edges, web.ties) == (1, (), ())


def test_what_says_the_same_stands_there_once() -> None:
    centre, once, again = an_item(content="Mora em Olinda"), an_item(content="Corre"), an_item(content="corre")
    same = an_item(content="mora em olinda")
    assert distinct([same, once, again, centre], [centre], limit=6) == [once]
    assert [node.item for node in web_around(centre, [same, once, again], {}).nodes] == [centre, once]


def test_edges_lead_from_ring_to_ring() -> None:
    centre, near, far = an_item(content="a"), an_item(content="b"), an_item(content="c")
    web = web_around(centre, [near], {near.id: [centre, far]})
    assert [(tie, node.item) for tie, node in web.around(web.centre)] == [(Tie.ALIKE, near)]
    assert [(tie, node.item) for tie, node in web.around(web.nodes[1])] == [(Tie.ALIKE, far)]


def test_those_around_are_tied_to_each_other_unless_only_alike() -> None:
    centre = an_item(content="a")
    clara, nurse = an_item(content="b", subject="Clara"), an_item(content="c", subject="clara")
    other = an_item(content="d")
    everybody = [clara, nurse, other]
    web = web_around(centre, everybody, {item.id: everybody for item in everybody})
    beside = [edge for edge in web.edges if edge.one.ring == edge.other.ring]
    assert [(edge.one.item, edge.other.item, edge.tie) for edge in beside] == [(clara, nurse, Tie.PERSON)]
    assert web.ties == (Tie.PERSON, Tie.ALIKE)


@pytest.mark.parametrize(
    ("one", "other", "tie"),
    [
        ({"id": an_id(1)}, {"related": (an_id(1),), "subject": "Clara"}, Tie.LINKED),
        ({"subject": "Clara", "note_id": "n"}, {"subject": "CLARA", "note_id": "n"}, Tie.PERSON),
        ({"note_id": "n"}, {"note_id": "n"}, Tie.TOLD),
        ({"message_ids": ("m", "l")}, {"message_ids": ("m",)}, Tie.TOLD),
        ({}, {}, Tie.ALIKE),
        ({"subject": "self"}, {"subject": "self"}, Tie.ALIKE),
    ],
)
def test_the_strongest_tie_is_told_either_way(one: dict[str, object], other: dict[str, object], tie: Tie) -> None:
    first, second = an_item(**one), an_item(**other)
    assert tie_of(first, second) is tie_of(second, first) is tie


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Mora em Olinda", ("Mora em Olinda",)),
        ("Reunião com a diretoria", ("Reunião com a", "diretoria")),
        ("Reunião com a diretoria em Brasília", ("Reunião com a", "diretoria em…")),
        ("Quer visitar a Patagônia, o Chile e mais", ("Quer visitar a", "Patagônia, o…")),
        ("a" * 40, ("a" * 17, "a" * 17 + "…")),
        ("", ()),
    ],
)
def test_a_label_is_cut_between_words(text: str, lines: tuple[str, ...]) -> None:
    assert label(text, width=18) == lines


@given(st.text(max_size=80), st.integers(8, 30), st.integers(1, 3))
def test_a_label_fits(text: str, width: int, lines: int) -> None:
    found = label(text, width=width, lines=lines)
    assert len(found) <= lines
    assert all(len(line) <= width for line in found)
