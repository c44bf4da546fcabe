"""Who is shown to whom: profiles in a space, and what of anybody is never told there."""

from __future__ import annotations

from typing import Any

from builders import NOW, a_note, days, kept
from memories import Clock
from relembra import Memory
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.recall.rendering import Part, ProfileLine
from relembra.store.port import Store

THERE = Place("grupo", "geral")
SHELF = shelf_of(Scope("default", "ana"), THERE)


def store_of(memory: Memory) -> Store:
    return memory._store  # notes are laid as they came about long ago


async def people(memory: Memory, *names: str) -> None:
    """Each with something known in the group and something known in private."""
    for name in names:
        await memory.add(f"{name} joga xadrez", user=name, space="grupo")
        await memory.add(f"{name} tem um segredo", user=name)


async def shown(memory: Memory, *, query: str = "xadrez", user: str = "ana", **more: Any) -> tuple[str, ...]:
    context = await memory.load(user=user, query=query, space="grupo", channel="geral", budget=8_000, **more)
    assert "segredo" not in context.text
    return context.profiles


async def test_all_who_speak_are_shown_the_asker_first(listener: Memory) -> None:
    await people(listener, "ana", "bia", "caio", "davi", "eva", "fabio")
    await listener.save(user="caio", said="oi", space="grupo", channel="geral")
    await listener.save(user="eva", said="oi", space="grupo", channel="outro")
    assert await shown(listener) == ("ana", "caio")
    assert await shown(listener, speakers=["bia", "davi", "fabio", "bia"]) == ("ana", "bia", "davi", "fabio", "caio")


async def test_up_to_three_who_are_mentioned_are_shown_besides(memory: Memory) -> None:
    await people(memory, "ana", "bia", "caio", "davi", "eva")
    mentioned = await shown(memory, query="o que @bia, @caio, @davi e @eva jogam?")
    assert mentioned == ("ana", "bia", "caio", "davi")
    assert await shown(memory, mentioned=["eva", "ana", "eva"]) == ("ana", "eva")
    assert await shown(memory, speakers=["bia"], mentioned=["bia", "caio"]) == ("ana", "bia", "caio")


async def test_up_to_three_more_of_those_in_recalled_notes(memory: Memory) -> None:
    await people(memory, "ana", "bia", "caio", "davi", "eva", "fabio")
    note = a_note(
        scope=SHELF, place=THERE, title="Torneio de xadrez", summary="O torneio de xadrez foi na praça.",
        participants=("bia", "caio", "davi", "eva", "fabio"), happened_at=NOW - days(3),
    )  # fmt: skip
    await kept(store_of(memory), note)
    await memory.reindex()
    assert await shown(memory, query="torneio de xadrez") == ("ana", "bia", "caio", "davi")
    assert await shown(memory, query="torneio de xadrez", speakers=["bia"]) == ("ana", "bia", "caio", "davi", "eva")
    assert await shown(memory, query="algo bem diferente") == ("ana",)


async def test_nothing_is_told_twice_of_anybody(memory: Memory) -> None:
    await people(memory, "ana", "bia")
    context = await memory.load(user="ana", query="xadrez", space="grupo", speakers=["ana", "bia", "ana"])
    lines = [(line.person, line.text) for line in context.lines if isinstance(line, ProfileLine)]
    assert len(lines) == len(set(lines)) == 2
    assert Part.KNOWN not in {line.part for line in context.lines}  # the asker's own line says it
    assert [hit.item.content for hit in context.hits] == ["ana joga xadrez"]


async def test_in_private_nobody_elses_profile_is_shown(memory: Memory) -> None:
    await people(memory, "ana", "bia")
    context = await memory.load(user="ana", query="@bia joga xadrez?", speakers=["bia"], mentioned=["bia"])
    assert context.profiles == ()
    assert "bia" not in context.text
    assert "ana tem um segredo" in context.text


async def test_notes_of_a_space_tell_what_others_said_and_are_heard_there_alone(listener: Memory, clock: Clock) -> None:
    await listener.save(user="ana", said="combinamos a regata", space="grupo", channel="geral")
    await listener.save(user="bia", said="a regata vai ser boa", space="grupo", channel="geral")
    await listener.save(user="caio", said="a regata privada de caio")
    await listener.settle(flush=True)
    clock.move(days=1)

    async def noted(user: str, **there: Any) -> int:
        return len((await listener.recall("regata", user=user, kinds="note", **there)).notes)

    assert (await noted("ana", space="grupo"), await noted("caio", space="grupo")) == (1, 1)
    assert (await noted("ana"), await noted("bia"), await noted("ana", space="outro")) == (0, 0, 0)
    assert [hit.note.scope.user for hit in (await listener.recall("regata", user="caio")).notes] == ["caio"]
