"""The presets `companion` and `work` from what is asked to the context, with numbers worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from angles import Angles
from builders import ANA, NOW, a_note, an_id, days, kept
from memories import Clock, a_memory
from relembra import Memory
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.policy import COMPANION, WORK
from relembra.recall.ranking import Layer, layer_of
from relembra.store.port import Kind, PutVectors, Store, Touch

QUESTION = "Why?"  # shares no word with anything known


async def known(memory: Memory, word: str, *, age: float = 0, **parts: Any) -> KnowledgeItem:
    return await memory.add(word, user="ana", held_from=NOW - days(age), **parts)


async def test_the_companion_loads_the_best_five_of_the_ten_most_similar(store: Store) -> None:
    words = "ant bear crow deer eel fox goat hare ibis jay kiwi lynx".split()  # noqa: SIM905
    cosines = {word: 0.95 - number / 100 for number, word in enumerate(words)}
    async with a_memory(store, policy=COMPANION, embedder=Angles(cosines)) as memory:
        for number, word in enumerate(cosines):  # the least similar weigh most
            await known(memory, word, weight=(number + 1) / 20, age=30)
        context = await memory.load(user="ana", query=QUESTION)
    # 0.65 × cosine × weight × ½; the eleventh and the twelfth would have come first
    expected = {words[number]: 0.65 * (0.95 - number / 100) * (number + 1) / 20 / 2 for number in range(9, 4, -1)}
    assert [hit.item.content for hit in context.hits] == list(expected)
    assert [hit.score for hit in context.hits] == pytest.approx(list(expected.values()), abs=1e-6)
    assert context.hits[0].score == pytest.approx(0.65 * 0.86 * 0.5 * 0.5, abs=1e-6)


async def test_work_loads_by_priority_recency_similarity_and_use(store: Store) -> None:
    cosines = {"plan": 0.5, "team": 0.8, "rest": 0.8, "gone": 0.45}
    async with a_memory(store, policy=WORK, embedder=Angles(cosines)) as memory:
        await known(memory, "plan", priority=9, age=30)  # 9 × (0.4·0.5 + 0.4·0.325) = 2.97
        used = await known(memory, "team", priority=5, age=60)  # 5 × (0.1 + 0.208 + 0.02·ln 4)
        await known(memory, "rest", priority=5, age=60)  # 5 × 0.308 = 1.54
        await known(memory, "gone", priority=1)  # 0.4 + 0.4·0.2925, the fourth fact
        for _ in range(3):
            await store.apply(ANA, [Touch(Kind.ITEM, (used.id,), NOW)])
        context = await memory.load(user="ana", query=QUESTION)
    assert [hit.item.content for hit in context.hits] == ["plan", "team", "rest"]
    expected = [2.97, 5 * (0.308 + 0.02 * math.log(4)), 1.54]
    assert [hit.score for hit in context.hits] == pytest.approx(expected, abs=1e-5)


async def test_work_chooses_of_each_layer_though_another_layer_answers_better(store: Store) -> None:
    facts, events = {f"fact{n}": 0.99 for n in range(12)}, {f"event{n}": 0.6 - n / 100 for n in range(4)}
    async with a_memory(store, policy=WORK, embedder=Angles(facts | events)) as memory:
        for word in facts:
            await known(memory, word)
        for word in events:
            await known(memory, word, type="memory")
        context = await memory.load(user="ana", query=QUESTION, budget=4_000)
    layers = [layer_of(hit.item, NOW, WORK.layers.medium_for) for hit in context.hits]
    assert (layers.count(Layer.SEMANTIC), layers.count(Layer.EPISODIC)) == (3, 2)
    assert {"event0", "event1"} <= {hit.item.content for hit in context.hits}


async def test_work_shows_three_notes_or_exchanges_of_two_weeks_and_two_older(store: Store) -> None:
    cosines = {f"new{n}": 0.9 - n / 100 for n in range(5)} | {f"old{n}": 0.95 - n / 100 for n in range(5)}
    embedder = Angles(cosines)
    rows = [
        a_note(id=an_id(n + 1), title=word, summary=word, happened_at=NOW - days(20 if word.startswith("old") else 3))
        for n, word in enumerate(cosines)
    ]
    await kept(store, *rows)
    for row in rows:
        vectors = await embedder.embed([row.title])
        await store.apply(ANA, [PutVectors(Kind.NOTE, row.id, embedder.name, tuple(vectors))])
    async with a_memory(store, policy=WORK, embedder=embedder) as memory:
        context = await memory.load(user="ana", query=QUESTION, budget=4_000)
    # 7 × (0.4 recency + 0.4 similarity), so that of equal age the more similar come first
    assert [hit.note.title for hit in context.notes] == ["new0", "new1", "new2", "old0", "old1"]
    first = 7 * (0.4 * 0.5 ** (3 / 30) + 0.4 * 0.65 * 0.9)
    assert context.notes[0].score == pytest.approx(first, abs=1e-5)


async def test_work_shows_the_last_five_messages_within_two_thousand_tokens(store: Store) -> None:
    clock = Clock()
    async with a_memory(store, policy=WORK, clock=clock) as memory:
        for number in range(8):
            await memory.save(user="ana", said=f"number {number}")
            clock.move(minutes=1)
        context = await memory.load(user="ana", query=QUESTION)
        assert [row.text for row in context.recent] == [f"number {number}" for number in range(3, 8)]
        for _ in range(3):
            await memory.save(user="ana", said=900 * "word ")
            clock.move(minutes=1)
        long = await memory.load(user="ana", query=QUESTION, budget=10_000)
    assert len(long.recent) == 2
