"""What the store promises of what is due to be accounted for, and of reading the trail in its order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    NOW,
    STRANGERS,
    a_message,
    an_entry,
    an_id,
    an_item,
    buffering,
    ids_of,
    kept,
    minutes,
    puts,
)
from relembra.domain.message import Message, Role
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import ConflictError
from relembra.store.port import (
    Account,
    EndBuffer,
    FinishJob,
    ForgetItem,
    Store,
    Unaccounted,
)

GENERAL = Place("guild", "general")
NOTHING = Unaccounted((), (), ())


async def due(store: Store, scope: Scope = ANA, *, limit: int = 100) -> Unaccounted:
    return await store.unaccounted(scope, limit=limit)


async def said(store: Store, message: Message, buffer_id: str) -> Message:
    await store.apply(message.scope, [buffering(message, buffer_id)])
    return message


# ── messages ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_new_message_of_a_person_is_due_and_those_of_others_are_not(store: Store) -> None:
    messages = [a_message(role=role) for role in Role]
    await kept(store, *messages)
    asked = [message.id for message in messages if message.role is Role.USER]
    assert await due(store) == Unaccounted(tuple(asked), (), ())


async def test_messages_come_in_the_order_of_their_ids(store: Store) -> None:
    messages = [a_message(id=an_id(number), sent_at=NOW - minutes(number)) for number in (3, 1, 2)]
    await kept(store, *messages)
    assert (await due(store)).messages == (an_id(1), an_id(2), an_id(3))


async def test_a_message_known_already_is_not_due_again(store: Store) -> None:
    message = a_message(external_id="x")
    await kept(store, message)
    await store.apply(ANA, [Account((message.id,))])
    await kept(store, replace(message, id=an_id(), text="Other"))
    assert await due(store) == NOTHING


async def test_messages_in_a_buffer_are_told_apart_until_they_are_noted(store: Store) -> None:
    buffer = an_id()
    buffered = await said(store, a_message(), buffer)
    other = a_message()
    await kept(store, other)
    apart = Unaccounted((other.id,), (buffered.id,), ())
    assert await due(store) == apart
    await store.apply(ANA, [EndBuffer(buffer)])
    assert await due(store) == apart
    await store.apply(ANA, [EndBuffer(buffer, drop=True)])
    assert await due(store) == Unaccounted(tuple(sorted((buffered.id, other.id))), (), ())


async def test_a_buffer_of_a_space_tells_each_persons_messages_apart(store: Store) -> None:
    buffer = an_id()
    mine = await said(store, a_message(place=GENERAL), buffer)
    theirs = await said(store, a_message(scope=BIA, author="bia", place=GENERAL), buffer)
    elsewhere = replace(mine, scope=ANA_ELSEWHERE)
    await kept(store, elsewhere)
    assert await due(store) == Unaccounted((), (mine.id,), ())
    assert await due(store, BIA) == Unaccounted((), (theirs.id,), ())
    assert await due(store, ANA_ELSEWHERE) == Unaccounted((mine.id,), (), ())
    await store.apply(shelf_of(ANA, GENERAL), [EndBuffer(buffer, drop=True), FinishJob(buffer)])
    assert await due(store) == Unaccounted((mine.id,), (), ())


async def test_up_to_so_many_messages_not_in_a_buffer_are_told_and_so_many_changes(store: Store) -> None:
    buffered = [await said(store, a_message(id=an_id(number)), an_id()) for number in (1, 2, 3)]
    messages = [a_message(id=an_id(number)) for number in (4, 5, 6)]
    await store.apply(ANA, [*puts(*messages), *(Account(due=f"k{number}") for number in (3, 2, 1))])
    told = await due(store, limit=2)
    assert told == Unaccounted((an_id(4), an_id(5)), tuple(ids_of(buffered)), ("k3", "k2"))
    assert await due(store, limit=0) == Unaccounted((), tuple(ids_of(buffered)), ())


async def test_a_message_accounted_for_while_it_is_in_a_buffer_is_not_told(store: Store) -> None:
    message = await said(store, a_message(), an_id())
    await store.apply(ANA, [Account((message.id,))])
    assert await due(store) == NOTHING


# ── changes ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_changes_come_in_the_order_they_were_recorded_and_a_second_time_changes_nothing(store: Store) -> None:
    await store.apply(ANA, [Account(due="k2"), Account(due="k1")])
    await store.apply(ANA, [Account(due="k3"), Account(due="k2")])
    assert await due(store) == Unaccounted((), (), ("k2", "k1", "k3"))


async def test_a_change_that_is_due_again_after_it_was_accounted_for_comes_last(store: Store) -> None:
    await store.apply(ANA, [Account(due="k1"), Account(due="k2")])
    await store.apply(ANA, [Account(changes=("k1",))])
    await store.apply(ANA, [Account(due="k1")])
    assert (await due(store)).changes == ("k2", "k1")


async def test_what_is_accounted_for_is_due_no_more_and_others_are_passed_over(store: Store) -> None:
    messages = [a_message() for _ in range(3)]
    await store.apply(ANA, [*puts(*messages), Account(due="k1"), Account(due="mudança"), Account(due="k3")])
    done = Account((messages[1].id, an_id(), "no id"), ("k1", "mudança", "k9", messages[0].id))
    for _ in range(2):
        await store.apply(ANA, [done])
        assert await due(store) == Unaccounted((messages[0].id, messages[2].id), (), ("k3",))


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_what_is_due_of_one_person_is_nobody_elses(store: Store, stranger: Scope) -> None:
    message = a_message()
    await store.apply(ANA, [*puts(message), Account(due="k1")])
    await store.apply(stranger, [Account((message.id,), ("k1",))])
    assert await due(store, stranger) == NOTHING
    assert await due(store) == Unaccounted((message.id,), (), ("k1",))


async def test_what_fails_leaves_what_is_due_as_it_was(store: Store) -> None:
    await store.apply(ANA, [Account(due="k1")])
    with pytest.raises(ConflictError):
        await store.apply(ANA, [*puts(a_message()), Account(due="k2"), Account(changes=("k1",)), FinishJob(an_id())])
    assert await due(store) == Unaccounted((), (), ("k1",))


async def test_who_has_only_something_due_is_one_of_the_people(store: Store) -> None:
    await store.apply(ANA, [Account(due="k1")])
    assert (await store.stats()).people == (await store.stats(ANA)).people == 1
    await store.apply(ANA, [Account(changes=("k1",))])
    assert (await store.stats()).people == 0
    assert (await store.verify()).problems == ()


# ── the trail ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_entries_of_several_changes_come_in_the_order_they_were_recorded(store: Store) -> None:
    entries = [
        an_entry(change=change, at=NOW - minutes(number)) for number, change in enumerate(("k1", "k2", "k3", "k1"))
    ]
    await kept(store, *entries, an_entry(scope=BIA, change="k1"))
    assert await store.changes(ANA, ["k3", "k1", "unknown", "k1"]) == [entries[0], entries[2], entries[3]]
    assert await store.changes(ANA, []) == []
    assert await store.changes(ANA_ELSEWHERE, ["k1"]) == []


async def test_everything_recorded_of_a_person_is_paged_in_its_order(store: Store) -> None:
    entries = [an_entry(at=NOW - minutes(number)) for number in range(5)]
    for entry in entries:
        await kept(store, entry, an_entry(scope=BIA))
    told, after = [], 0
    while page := await store.page_trail(ANA, after=after, limit=2):
        assert len(page) <= 2
        told += [entry for _, entry in page]
        assert after < page[0][0]
        after = page[-1][0]
    assert told == entries
    assert [entry for _, entry in await store.page_trail(ANA)] == entries
    assert await store.page_trail(ANA, limit=0) == await store.page_trail(ANA_ELSEWHERE) == []


async def test_paging_goes_on_where_it_was_when_something_before_was_forgotten(store: Store) -> None:
    item = an_item()
    entries = [an_entry(target_id=item.id), an_entry(), an_entry()]
    await kept(store, item, *entries)
    [_, (number, _)] = await store.page_trail(ANA, limit=2)
    await store.forget(ANA, ForgetItem(item.id))
    assert [entry.id for _, entry in await store.page_trail(ANA, after=number)] == [entries[2].id]
