"""Whom a memory knows of, and the vectors of rows read again."""

from __future__ import annotations

from typing import Any

import pytest

from builders import ANA, BIA, MODEL, NOW, STRANGERS, a_message, a_vector, an_id, an_item, days, kept
from relembra.domain.scope import Place, Scope
from relembra.store.port import ForgetItem, Kind, PutVectors, Store


async def test_people_are_told_by_their_own_names_and_by_their_ties(store: Store) -> None:
    await kept(
        store,
        an_item(),
        an_item(subject="Clara", attribute="relation", value="irmã"),
        an_item(subject="Clara", attribute="residence", value="Olinda"),
        an_item(subject="Bernardo", attribute="nickname", value="Nado"),
        an_item(subject="Bernardo", attribute="nickname", value=None),
        an_item(subject="dona Zezé", attribute="name", value="Maria José"),
    )
    assert await store.acquaintances(ANA) == [
        ("Bernardo", "Bernardo"),
        ("Bernardo", "Nado"),
        ("Clara", "Clara"),
        ("Clara", "irmã"),
        ("dona Zezé", "Maria José"),
    ]


async def test_each_comes_once_and_in_order_however_often_and_in_whatever_order_told(store: Store) -> None:
    names = ["Zé", "Ágata", "ana clara", "Bruno", "Zé", "Bruno"]
    await kept(store, *(an_item(subject=name) for name in names))
    assert await store.acquaintances(ANA) == [(name, name) for name in sorted(set(names))]


@pytest.mark.parametrize(
    "over",
    [
        {"deleted_at": NOW},
        {"archived_at": NOW},
        {"superseded_at": NOW, "superseded_by": an_id(5)},
    ],
)
async def test_whom_nothing_current_is_about_is_not_told(store: Store, over: dict[str, Any]) -> None:
    await kept(store, an_item(subject="Clara", **over), an_item(subject="Davi", place=Place("guild", "a")))
    assert await store.acquaintances(ANA) == [("Davi", "Davi")]


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_strangers_know_nobody(store: Store, stranger: Scope) -> None:
    await kept(store, an_item(subject="Clara"))
    assert await store.acquaintances(stranger) == []
    assert await store.acquaintances(ANA) == [("Clara", "Clara")]


async def test_whom_everything_about_was_forgotten_is_not_told(store: Store) -> None:
    item = an_item(subject="Clara", created_at=NOW - days(1))
    await kept(store, item, an_item(subject="Davi"))
    await store.forget(ANA, ForgetItem(item.id))
    assert await store.acquaintances(ANA) == [("Davi", "Davi")]


async def test_the_vectors_of_parts_are_told_as_they_were_put(store: Store) -> None:
    one, other = a_message(), a_message()
    await kept(store, one, other)
    whole, first, second = a_vector(1, 0), a_vector(1, 1), a_vector(0, 1)
    await store.apply(
        ANA,
        [
            PutVectors(Kind.MESSAGE, one.id, MODEL, (whole, first, second)),
            PutVectors(Kind.MESSAGE, other.id, MODEL, (second,)),
            PutVectors(Kind.MESSAGE, other.id, "another-1", (whole,)),
        ],
    )
    asked = [(other.id, 0), (one.id, 2), (one.id, 0)]
    assert await store.vectors(ANA, Kind.MESSAGE, MODEL, asked) == {
        (other.id, 0): second,
        (one.id, 2): second,
        (one.id, 0): whole,
    }


async def test_vectors_that_are_not_there_are_left_out(store: Store) -> None:
    row, theirs = a_message(), a_message(scope=BIA)
    await kept(store, row, theirs)
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, row.id, MODEL, (a_vector(1, 0),))])
    await store.apply(BIA, [PutVectors(Kind.MESSAGE, theirs.id, MODEL, (a_vector(1, 0),))])
    absent = [(row.id, 1), (row.id, -1), (theirs.id, 0), (an_id(), 0), ("no id", 0)]
    assert await store.vectors(ANA, Kind.MESSAGE, MODEL, absent) == {}
    assert await store.vectors(ANA, Kind.MESSAGE, "unknown-1", [(row.id, 0)]) == {}
    assert await store.vectors(ANA, Kind.NOTE, MODEL, [(row.id, 0)]) == {}
    assert await store.vectors(ANA, Kind.MESSAGE, MODEL, []) == {}
    [found] = await store.vectors(ANA, Kind.MESSAGE, MODEL, [(row.id, 0), (row.id, 0)])
    assert found == (row.id, 0)
