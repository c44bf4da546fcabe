"""What the store promises of a message's neighbours."""

from __future__ import annotations

from typing import Any

import pytest

from builders import ANA, NOW, STRANGERS, a_message, an_id, ids_of, kept, minutes
from relembra.domain.message import Message, Role
from relembra.domain.scope import Place, Scope
from relembra.store.port import HideMessages, MessageFilter, Store

GUILD = Place("guild", "general")
ANY = MessageFilter()


def at(number: float, **changes: Any) -> Message:
    return a_message(text=f"said at {number}", sent_at=NOW + minutes(number), **changes)


async def test_the_neighbours_come_in_the_order_of_time_without_the_message_itself(store: Store) -> None:
    talk = [at(number) for number in range(7)]
    await kept(store, *talk[::-1])
    told = await store.beside(ANA, [talk[3].id], before=2, after=1, wanted=ANY)
    assert told == {talk[3].id: (talk[1], talk[2], talk[4])}


async def test_there_are_fewer_at_the_ends_of_a_conversation(store: Store) -> None:
    talk = [at(number) for number in range(3)]
    await kept(store, *talk)
    told = await store.beside(ANA, [talk[0].id, talk[2].id], before=5, after=5, wanted=ANY)
    assert told == {talk[0].id: (talk[1], talk[2]), talk[2].id: (talk[0], talk[1])}


@pytest.mark.parametrize(("before", "after", "expected"), [(0, 0, []), (0, 1, [2]), (1, 0, [0]), (-1, -1, [])])
async def test_a_side_nothing_is_asked_of_gives_nothing(
    store: Store, before: int, after: int, expected: list[int]
) -> None:
    talk = [at(number) for number in range(3)]
    await kept(store, *talk)
    told = await store.beside(ANA, [talk[1].id], before=before, after=after, wanted=ANY)
    assert told == {talk[1].id: tuple(talk[number] for number in expected)}


async def test_messages_of_one_moment_are_ordered_by_id(store: Store) -> None:
    talk = [at(0, id=an_id()) for _ in range(3)]
    await kept(store, *talk[::-1])
    told = await store.beside(ANA, ids_of(talk), before=1, after=1, wanted=ANY)
    assert told == {talk[0].id: (talk[1],), talk[1].id: (talk[0], talk[2]), talk[2].id: (talk[1],)}


async def test_every_message_is_answered_once_in_the_order_asked_and_unknown_ones_are_left_out(store: Store) -> None:
    one, other = at(0), at(1, conversation="c2")
    await kept(store, one, other)
    told = await store.beside(ANA, [other.id, an_id(), "no id", one.id, other.id], before=1, after=1, wanted=ANY)
    assert list(told.items()) == [(other.id, ()), (one.id, ())]


async def test_messages_of_another_conversation_are_no_neighbours(store: Store) -> None:
    talk = [at(0), at(1, conversation="c2"), at(2)]
    await kept(store, *talk)
    assert await store.beside(ANA, [talk[0].id], before=2, after=2, wanted=ANY) == {talk[0].id: (talk[2],)}


async def test_hidden_messages_are_left_out(store: Store) -> None:
    talk = [at(0), at(1), at(2)]
    await kept(store, *talk[:2])
    await store.apply(ANA, [HideMessages("c1", NOW)])
    await kept(store, talk[2])
    told = await store.beside(ANA, ids_of(talk), before=2, after=2, wanted=ANY)
    assert told == {talk[0].id: (talk[2],), talk[1].id: (talk[2],), talk[2].id: ()}


async def test_what_is_not_wanted_is_passed_over(store: Store) -> None:
    talk = [at(0), at(1, role=Role.ASSISTANT), at(2), at(3, role=Role.ASSISTANT), at(4)]
    await kept(store, *talk)
    wanted = MessageFilter(roles=(Role.USER,), until=NOW + minutes(4))
    told = await store.beside(ANA, [talk[1].id], before=1, after=2, wanted=wanted)
    assert told == {talk[1].id: (talk[0], talk[2])}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (MessageFilter(), [0, 1, 2]),
        (MessageFilter(said_there=True), [0]),
        (MessageFilter(asked_in=GUILD), [1, 2]),
        (MessageFilter(asked_in=GUILD, said_there=True), [1]),
    ],
)
async def test_only_what_may_be_heard_there_is_told(store: Store, wanted: MessageFilter, expected: list[int]) -> None:
    talk = [at(0), at(1, place=GUILD), at(2, place=Place("guild", "other")), at(3)]
    await kept(store, *talk)
    told = await store.beside(ANA, [talk[3].id], before=5, after=5, wanted=wanted)
    assert told == {talk[3].id: tuple(talk[number] for number in expected)}


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_strangers_messages_are_neither_known_nor_neighbours(store: Store, stranger: Scope) -> None:
    own, theirs = at(0), at(1, scope=stranger)
    await kept(store, own, theirs)
    assert await store.beside(ANA, [own.id, theirs.id], before=1, after=1, wanted=ANY) == {own.id: ()}
