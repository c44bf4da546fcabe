"""What is only going to be so: it is known as a plan, and what holds today stays until then."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from builders import NOW
from memories import Clock, a_memory, a_store
from readers import NotationNight, NotationReader
from relembra import Memory
from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import InvalidInputError


async def held(memory: Memory) -> dict[str, KnowledgeItem]:
    return {item.value or "": item for item in await memory.list(user="ana", attribute="residence")}


async def says(memory: Memory, text: str) -> None:
    await memory.save(user="ana", said=text)
    await memory.settle(flush=True)


async def lives_in(memory: Memory) -> str:
    return str((await memory.me(user="ana")).text)


async def test_what_is_dated_far_ahead_is_refused_and_changes_nothing(listener: Memory) -> None:
    await says(listener, "[residence=York]")
    for refused in (listener.save(user="ana", said="[residence=Leeds]", at=NOW + timedelta(days=3_650)),
                    listener.preview("[residence=Leeds]", user="ana", at=NOW + timedelta(days=2))):  # fmt: skip
        with pytest.raises(InvalidInputError, match="ahead") as error:
            await refused
        assert error.value.field == "at"
    await listener.settle(flush=True)
    assert (list(await held(listener)), len(await listener.messages(user="ana"))) == (["York"], 1)


async def test_a_clock_a_little_ahead_of_ours_is_heard_and_its_values_hold_now(listener: Memory) -> None:
    await says(listener, "[residence=York]")
    await listener.save(user="ana", said="[residence=Leeds]", at=NOW + timedelta(hours=20))
    await listener.settle(flush=True)
    assert list(await held(listener)) == ["Leeds"]
    assert "Leeds" in await lives_in(listener)
    await says(listener, "[residence=Hull]")
    assert list(await held(listener)) == ["Hull"]


async def test_a_planned_move_leaves_todays_place_where_it_is(listener: Memory) -> None:
    await says(listener, "[residence=York]")
    await says(listener, "[residence=Leeds!@2027-01-01]")
    assert set(await held(listener)) == {"York", "Leeds"}
    assert "York" in await lives_in(listener)
    assert "Leeds" not in await lives_in(listener)
    profile = str(await listener.profile(user="ana"))
    assert "York" in profile
    assert "Lives in Leeds" not in profile
    hits = await listener.search("Lives in", user="ana")
    assert [hit.item.value for hit in hits][:2] == ["York", "Leeds"]
    context = (await listener.load(user="ana", query="Lives in?", budget=800)).text
    [line] = [line for line in context.splitlines() if "Leeds" in line and "planned" in line]
    assert "2027" in line
    assert list(await listener.conflicts(user="ana")) == []


async def test_a_plan_that_came_true_early_holds_now(listener: Memory) -> None:
    await says(listener, "[residence=York]")
    await says(listener, "[residence=Leeds@2027-01-01]")
    await says(listener, "[residence=Leeds!]")
    [item] = (await held(listener)).values()
    assert (item.value, item.held_from) == ("Leeds", NOW)
    assert "Leeds" in await lives_in(listener)


async def test_a_plan_ends_what_held_when_its_time_has_come(listener: Memory, clock: Clock) -> None:
    await says(listener, "[residence=York]")
    await says(listener, "[residence=Leeds@2026-05-01]")
    clock.move(days=60)
    await listener.settle()
    assert set(await held(listener)) == {"York", "Leeds"}
    clock.move(days=2)
    await listener.settle()
    [item] = (await held(listener)).values()
    [before] = (await listener.history(item.id, user="ana")).predecessors
    assert (item.value, before.value, before.held_until) == ("Leeds", "York", item.held_from)
    assert await listener.jobs(user="ana", kind="begin") == []


async def test_what_was_first_read_as_so_becomes_a_plan_and_ends_nothing_any_more(tmp_path: Path, clock: Clock) -> None:
    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=clock, reader=NotationReader(), night=NotationNight()) as memory:
        await says(memory, "[residence=York]")
        await says(memory, "[residence=Leeds] {residence=Leeds@2026-03-31}")  # the second reading knows from when
        assert list(await held(memory)) == ["Leeds"]
        await memory.consolidate(user="ana")
        places = await held(memory)
        assert [place for place, item in places.items() if item.is_planned(NOW)] == ["Leeds"]
        assert set(places) == {"York", "Leeds"}
        assert places["York"].held_until is None
        assert len(await memory.jobs(user="ana", kind="begin")) == 1
        clock.move(days=31)
        await memory.settle()
        assert list(await held(memory)) == ["Leeds"]


@pytest.mark.parametrize("attribute", ["medication", None])
async def test_what_begins_later_is_no_part_of_how_things_are(listener: Memory, attribute: str | None) -> None:
    later = NOW + timedelta(days=30)
    await listener.add("Takes sertraline", user="ana", attribute=attribute, value=attribute and "x", held_from=later)
    assert "sertraline" not in await lives_in(listener)
    assert "sertraline" not in str(await listener.profile(user="ana"))
    [hit] = await listener.search("sertraline", user="ana")
    assert hit.item.is_planned(NOW)
    context = (await listener.load(user="ana", query="sertraline?", budget=800)).text
    assert any("sertraline" in line and "planned" in line for line in context.splitlines())
