"""What is recalled now and what was known then, and what is never told unless asked for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from angles import Angles
from builders import NOW, a_note, an_id, an_item, days, kept, minutes
from memories import Clock, a_memory
from relembra import Memory
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.policy import COMPANION, LIFE, WORK, Policy
from relembra.domain.scope import Place
from relembra.store.port import Store

QUESTION = "Onde ela mora?"
THERE: tuple[dict[str, Any], ...] = ({}, {"space": "grupo"})


def store_of(memory: Memory) -> Store:
    return memory._store  # rows are laid as they came about long ago


async def asked(memory: Memory, **wishes: Any) -> list[str]:
    """What answers, by search and by recall and in a context, which have to agree."""
    hits = await memory.search(QUESTION, user="ana", limit=50, **wishes)
    recalled = await memory.recall(QUESTION, user="ana", limit=50, **wishes)
    context = await memory.load(user="ana", query=QUESTION, budget=5_000, **wishes)
    ways = [[hit.item.content for hit in one] for one in (hits, recalled.items, context.hits)]
    assert ways[0] == ways[1]
    assert set(ways[2]) <= set(ways[0])  # where weak ones are left out
    return ways[2]


def home(name: str, **changes: Any) -> KnowledgeItem:
    text = f"Mora em {name}"
    return an_item(**{"content": text, "title": text, "attribute": "residence", "value": name} | changes)


OVER: dict[str, dict[str, Any]] = {
    "superseded": {"superseded_at": NOW - days(1), "held_until": NOW - days(1), "superseded_by": an_id(7)},
    "expired": {"expires_at": NOW - minutes(1)},
    "deleted": {"deleted_at": NOW - days(1)},
    "archived": {"archived_at": NOW - days(1), "content": "Gosta de ler à noite", "title": "Gosta de ler"},
    "elsewhere": {"place": Place("outro", "a")},
}


@pytest.mark.parametrize("how", OVER)
async def test_what_is_over_or_not_for_this_place_never_appears_unasked(memory: Memory, how: str) -> None:
    there = {"space": "grupo"} if how == "elsewhere" else {}
    place = {"place": Place("grupo", "a")} if there else {}
    old = {"held_from": NOW - days(90), "created_at": NOW - days(90)}
    await kept(store_of(memory), home("Recife", **{**old, **OVER[how]}), home("Olinda", **place))
    assert await asked(memory, **there) == ["Mora em Olinda"]


@pytest.mark.parametrize("then", ["as_of", "true_at"])
async def test_another_moment_has_no_memory_profile_talk_or_question_of_today(
    listener: Memory, clock: Clock, then: str
) -> None:
    await listener.add("Mora em Recife", user="ana", attribute="residence", value="Recife")
    await listener.add("Mora em Recife", user="ana", space="grupo", attribute="residence", value="Recife")
    clock.move(days=10)
    await listener.add("Quer correr uma maratona", user="ana", type="goal")
    await listener.save(user="ana", said="hoje falei disso")
    await listener.save(user="ana", said="hoje falei disso", space="grupo")
    moment: dict[str, Any] = {then: NOW + days(1)}
    for there in THERE:
        context = await listener.load(user="ana", query=QUESTION, **there, **moment)
        assert {hit.item.content for hit in context.hits} == {"Mora em Recife"}
        assert (context.recent, context.summary, context.profiles, context.question) == ((), None, (), None)
        assert "maratona" not in context.text
        assert {line.part.value for line in context.lines} <= {"known", "notes", "earlier"}
    assert "hoje" not in (await listener.load(user="ana", query="disso", as_of=NOW + days(1))).text


async def test_messages_and_notes_after_that_moment_were_not_known_then(listener: Memory, clock: Clock) -> None:
    await listener.save(user="ana", said="Comprei um violão", conversation="um")
    await listener.settle(flush=True)
    clock.move(days=10)
    await listener.save(user="ana", said="Vendi o violão", conversation="dois")
    await listener.settle(flush=True)
    clock.move(days=10)
    then = await listener.recall("violão", user="ana", as_of=NOW + days(5))
    assert ([hit.message.text for hit in then.messages], len(then.notes)) == (["Comprei um violão"], 1)
    sooner = await listener.recall("violão", user="ana", as_of=NOW + days(15), until=NOW + days(5))
    assert [hit.message.text for hit in sooner.messages] == ["Comprei um violão"]
    now = await listener.recall("violão", user="ana")
    assert (len(now.messages), len(now.notes)) == (2, 2)


@pytest.mark.parametrize("policy", [LIFE, COMPANION, WORK], ids=lambda policy: policy.name)
async def test_what_was_put_away_takes_nobodys_place(store: Store, policy: Policy) -> None:
    """Many archived rows that match better, none of them well enough, leave the current ones where they were."""
    away = [an_item(content=f"away {n}", title="away", archived_at=NOW - days(1)) for n in range(40)]
    notes = [a_note(summary=f"away {n}", title="away", archived_at=NOW - days(1)) for n in range(40)]
    await kept(store, *away, *notes, an_item(content="here", title="here"), a_note(summary="here", title="here"))
    async with a_memory(store, policy=policy, embedder=Angles({"away": 0.9, "here": 0.6})) as memory:
        await memory.reindex()
        context = await memory.load(user="ana", query="Why?", budget=5_000)
        assert [hit.item.content for hit in context.hits] == ["here"]
        assert [hit.note.title for hit in context.notes] == ["here"]
        assert [hit.item.content for hit in await memory.search("Why?", user="ana")] == ["here"]
        trace = await memory.why("Why?", user="ana", budget=5_000)
        assert trace.context.text == context.text


async def test_the_newest_of_several_statements_comes_first_with_the_shipped_encoder() -> None:
    clock, said = Clock(), ("Moro em Natal.", "Me mudei, agora moro em Olinda.", "Moro em Belém desde segunda.")
    async with Memory.open(":memory:", clock=clock, background=False) as memory:
        for number, text in enumerate(said):
            at = clock.now - timedelta(days=90 - 30 * number)
            await memory.save(user="ana", said=text, at=at, conversation=f"talk {number}")
        await memory.settle()
        found = await memory.recall("onde eu moro?", user="ana", kinds="message")
    assert found.messages[0].message.text == said[-1]
