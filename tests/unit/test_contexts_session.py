"""What is kept between answers, what follows them, and that neither is ever seen too long or too soon."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from angles import Angles
from builders import ANA, NOW, a_note, an_item, days, kept
from memories import Clock, a_memory, a_store
from readers import NotationReader
from relembra import Memory
from relembra.domain.audit import Target
from relembra.domain.message import Note
from relembra.recall.ranking import Rule
from relembra.recall.rendering import Part
from relembra.store.port import Store


@pytest.fixture
async def two(tmp_path: Path, clock: Clock) -> AsyncIterator[tuple[Memory, Memory]]:
    """Two programs on one file."""
    one, other = await a_store("sqlite", tmp_path), await a_store("sqlite", tmp_path)
    async with (
        a_memory(one, clock=clock, reader=NotationReader()) as first,
        a_memory(other, clock=clock, reader=NotationReader()) as second,
    ):
        yield first, second


async def test_what_is_known_follows_every_change_at_once_also_another_programs(two: tuple[Memory, Memory]) -> None:
    here = two[0]

    async def told() -> str:
        return (await here.load(user="ana", query="Onde ela mora?")).text

    for memory in two:
        item = await memory.add("Mora em Recife", user="ana", attribute="residence", value="Recife")
        assert "Recife" in await told()
        corrected = await memory.correct(item.id, "Mora em Olinda", user="ana")
        assert "Recife" not in await told()
        assert "Olinda" in await told()
        await memory.delete(corrected.id, user="ana")
        assert "Olinda" not in await told()
        await memory.restore(corrected.id, user="ana")
        assert "Olinda" in await told()
        await memory.forget(user="ana", all=True)
        assert await told() == ""


async def test_who_the_person_is_is_said_in_the_same_words_whatever_is_asked(listener: Memory, clock: Clock) -> None:
    for number in range(30):
        await listener.add(f"Gosta de fruta {number} com açúcar", user="ana", type="preference")
    await listener.add("Mora em Recife", user="ana", attribute="residence", value="Recife")
    await listener.save(user="ana", said="comi uma fruta na praça", conversation="um")
    await listener.settle(flush=True)
    clock.move(hours=3)
    for budget in (200, 600, 2_000):
        beginnings = set()
        for query in ("Onde ela mora?", "que fruta?", "o que comi na praça?", "assunto sem relação nenhuma"):
            context = await listener.load(user="ana", query=query, budget=budget, language="pt")
            memory = [line for line in context.lines if line.part is Part.MEMORY]
            assert memory
            beginnings.add(context.text.split("\n## ")[0])
        assert len(beginnings) == 1, budget


async def test_uses_of_items_and_notes_are_counted_behind_the_answer(listener: Memory, clock: Clock) -> None:
    item = await listener.add("Toca violão na praça", user="ana")
    more = " ".join(f"E vimos a barraca {number}." for number in range(40))  # which only the note tells
    await listener.save(user="ana", said=f"o violão na praça. {more}")
    await listener.settle(flush=True)
    clock.move(hours=3)

    async def counts() -> tuple[int, int]:
        note = (await listener.notes(user="ana"))[0]
        return (await listener.get(item.id, user="ana")).accesses, note.accesses

    context = await listener.load(user="ana", query="violão na praça")
    assert (len(context.hits), len(context.notes), await counts()) == (1, 1, (0, 0))
    await listener.settle()
    assert await counts() == (1, 1)
    await listener.load(user="ana", query="violão na praça")
    await listener.load(user="ana", query="violão na praça")
    await listener.settle()
    assert (await counts())[0] == 2  # between two settlings once
    assert (await listener.get(item.id, user="ana")).last_access == clock()


@pytest.mark.parametrize("read", ["search", "recall", "recall with a trace", "why", "/lembrar", "tool"])
async def test_whatever_answers_counts_what_it_read_behind_the_answer(listener: Memory, read: str) -> None:
    item = await listener.add("Toca violão na praça", user="ana")
    await listener.settle()
    match read:
        case "search":
            found = [hit.item.id for hit in await listener.search("violão", user="ana")]
        case "/lembrar":
            answer = await listener.command("/lembrar violão", user="ana")
            assert answer is not None
            found = [one.id for one in answer.items]
        case "tool":
            told = await listener.call_tool("search_knowledge", {"query": "violão"}, user="ana")
            found = [one["id"] for one in told["items"]]
        case "why":
            found = [one.id for one in (await listener.why("violão", user="ana")).context.items]
        case _:
            recalled = await listener.recall("violão", user="ana", trace="trace" in read)
            found = [hit.item.id for hit in recalled.items]
    assert found == [item.id]
    assert (await listener.get(item.id, user="ana")).accesses == 0
    await listener.settle()
    assert (await listener.get(item.id, user="ana")).accesses == (0 if read in ("recall with a trace", "why") else 1)


async def test_what_is_hardly_like_the_question_is_found_and_not_counted(store: Store, clock: Clock) -> None:
    async with a_memory(store, clock=clock, embedder=Angles({"strong": 0.9, "weak": 0.1})) as memory:
        added = [await memory.add(word, user="ana") for word in ("strong", "weak")]
        assert [hit.item.id for hit in await memory.search("Why?", user="ana")] == [item.id for item in added]
        told = await memory.call_tool("search_knowledge", {"query": "Why?"}, user="ana")
        assert told["count"] == 2
        await memory.settle()
        assert [(await memory.get(item.id, user="ana")).accesses for item in added] == [1, 0]


@pytest.mark.parametrize(("cosine", "comes_back"), [(0.99, True), (0.8, False)])
async def test_a_strong_match_brings_an_archived_item_and_note_back_and_a_weak_one_does_not(
    store: Store, clock: Clock, cosine: float, comes_back: bool
) -> None:
    """0.65 × 0.99 = 0.64 is strong from 0.6 on, and 0.65 × 0.8 = 0.52 is not."""
    item = an_item(content="away", title="away", archived_at=NOW - days(20))
    note = a_note(summary="away", title="away", archived_at=NOW - days(20), happened_at=NOW - days(60))
    await kept(store, item, note)
    async with a_memory(store, clock=clock, embedder=Angles({"away": cosine})) as memory:
        await memory.reindex()
        context = await memory.load(user="ana", query="Why?")
        shown = ([hit.item.id for hit in context.hits], [hit.note.id for hit in context.notes])
        assert shown == (([item.id], [note.id]) if comes_back else ([], []))
        if comes_back:
            assert context.hits[0].why.rule is context.notes[0].why.rule is Rule.ARCHIVE
        assert (await memory.get(item.id, user="ana")).archived_at is not None  # not on the answer's path
        await memory.settle()
        after = await memory.get(item.id, user="ana")
        assert (after.archived_at is None) is comes_back
        assert ((await store.get(ANA, Note, [note.id]))[0].archived_at is None) is comes_back
        trail = [str(entry.actor) for entry in (await memory.history(item.id, user="ana")).trail]
        assert trail == (["program:recall"] if comes_back else [])
        noted = [str(entry.actor) for entry in await store.trail(ANA, Target.NOTE, note.id)]
        assert noted == (["program:recall"] if comes_back else [])
        if comes_back:
            again = await memory.load(user="ana", query="Why?")
            assert again.hits[0].why.rule is Rule.CURRENT
