"""Verbs about what is recalled: search, load, and who may hear what."""

from __future__ import annotations

import pytest

from hashing import HashingEmbedder
from memories import Clock, InMemoryStore, a_memory, minds
from relembra import Memory
from relembra.minds.offline.analysis import BilingualAnalyzer


async def test_load_merges_what_is_known_with_what_was_said(listener: Memory, clock: Clock) -> None:
    await listener.save(
        user="ana", said="Ontem adotei um papagaio chamado Zeca", replied="Parabéns!", conversation="c1"
    )
    clock.move(days=2)
    for number in range(4):
        await listener.save(user="ana", said=f"Assunto {number}", replied="Sim", conversation="c2")
    await listener.add("Tem um papagaio", user="ana")
    await listener.settle()
    context = await listener.load(user="ana", query="como se chama meu papagaio?", conversation="c2", budget=800)
    assert (context.language, [item.content for item in context.items]) == ("pt", ["Tem um papagaio"])
    assert "Zeca" in context.text
    assert ([message.text for message in context.recent][-2:], len(context.recent)) == (["Assunto 3", "Sim"], 6)
    assert context.tokens <= 800
    assert context.messages[0].text.startswith("Ontem adotei")


async def test_the_conversation_at_hand_ends_with_an_idle_hour_and_stays_in_its_place(
    memory: Memory, clock: Clock
) -> None:
    await memory.save(user="ana", said="antes do silêncio")
    clock.move(hours=2)
    await memory.save(user="ana", said="depois do silêncio")
    clock.move(minutes=50)
    await memory.save(user="ana", said="no grupo", space="g1")
    await memory.save(user="ana", said="agora mesmo")
    clock.move(minutes=50)
    assert [row.text for row in (await memory.load(user="ana")).recent] == ["depois do silêncio", "agora mesmo"]
    assert [row.text for row in (await memory.load(user="ana", space="g1")).recent] == ["no grupo"]
    clock.move(days=2)
    assert (await memory.load(user="ana")).recent == ()
    named = await memory.load(user="ana", conversation="direct")
    assert [row.text for row in named.recent] == ["antes do silêncio", "depois do silêncio", "agora mesmo"]
    assert "1 mar 2026, “ana”: “antes" in named.text


async def test_a_saved_message_is_found_by_its_words_before_it_is_indexed(memory: Memory) -> None:
    await memory.save(user="ana", said="Meu papagaio chama Zeca", conversation="c1")
    context = await memory.load(user="ana", query="papagaio", conversation="outra")
    assert "Zeca" in context.text


async def test_when_the_embedder_is_out_words_alone_are_searched_and_vectors_follow_later(clock: Clock) -> None:
    embedder = HashingEmbedder(fail_times=3)
    async with a_memory(InMemoryStore(BilingualAnalyzer()), clock=clock, embedder=embedder) as memory:
        item = await memory.add("Toca violão", user="ana")
        hit = (await memory.search("violão", user="ana"))[0]
        assert (hit.item, hit.why.cosine) == (item, None)
        assert hit.why.bm25 is not None
        assert (await memory.settle(), (await memory.stats()).vectors) == (1, {})
        clock.move(minutes=5)
        assert (await memory.settle(), (await memory.stats()).vectors) == (1, {embedder.name: 1})
        assert (await memory.search("violão", user="ana"))[0].why.cosine is not None


class Versioned(HashingEmbedder):
    """An embedder under a name with a version."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


async def test_a_new_version_of_the_model_embeds_everything_anew(clock: Clock) -> None:
    store = InMemoryStore(BilingualAnalyzer())
    before = Memory(store, **minds(Versioned("small@1")), clock=clock)
    await before.add("Toca violão", user="ana")
    await before.save(user="ana", said="Comprei um violão", conversation="c1")
    await before.settle()
    async with a_memory(store, clock=clock, embedder=Versioned("small@2")) as memory:
        assert await memory.other_models() == ["small@1"]
        assert await memory.missing_vectors() == 3  # two of them were said: the message, and what it taught
        memory.start()
        await memory.settle()
        assert (await memory.other_models(), await memory.missing_vectors()) == ([], 0)


async def test_another_model_altogether_may_be_a_trial_and_waits_for_reindex(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    store = InMemoryStore(BilingualAnalyzer())
    before = Memory(store, **minds(Versioned("small@1")), clock=clock)
    await before.add("Toca violão", user="ana")
    await before.settle()
    async with a_memory(store, clock=clock, embedder=Versioned("large@1")) as memory:
        await memory.settle()
        assert await memory.other_models() == ["small@1"]
        assert "small@1" in caplog.text
        assert "violão" not in caplog.text
        await memory.reindex()
        assert await memory.other_models() == []
