"""Chat history and retriever with LangChain's own classes around them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableLambda

from memories import InMemoryStore, a_memory
from relembra import InvalidInputError, Memory
from relembra.interfaces.frameworks import transcript
from relembra.interfaces.frameworks.langchain import RelembraChatMessageHistory, RelembraRetriever
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.sync import Memory as BlockingMemory

TALK: list[BaseMessage] = [
    SystemMessage("Be brief."),
    HumanMessage("Moro em Recife.", id="h1", additional_kwargs={"lang": "pt"}),
    AIMessage("", tool_calls=[{"name": "weather", "args": {"city": "Recife"}, "id": "t1", "type": "tool_call"}]),
    ToolMessage("31 °C", tool_call_id="t1"),
    AIMessage("Faz calor!", usage_metadata={"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}),
    HumanMessage([{"type": "text", "text": "E isto?"}, {"type": "image_url", "image_url": {"url": "data:,x"}}]),
    HumanMessage([{"type": "image_url", "image_url": {"url": "data:,x"}}]),
]


async def test_messages_come_back_to_the_letter_and_in_order(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "PAGE", 3)
    history = RelembraChatMessageHistory(memory, user="ana", conversation="c1")
    assert await history.aget_messages() == []
    await history.aadd_messages(TALK[:3])
    await history.aadd_messages(TALK[3:])
    assert await history.aget_messages() == TALK
    assert await RelembraChatMessageHistory(memory, user="ana", conversation="c2").aget_messages() == []
    assert await RelembraChatMessageHistory(memory, user="bia", conversation="c1").aget_messages() == []


async def test_what_is_said_is_listened_to_and_the_rest_is_not(memory: Memory) -> None:
    await RelembraChatMessageHistory(memory, user="ana", conversation="c1").aadd_messages(TALK)
    await memory.settle(flush=True)
    assert any("Recife" in item.content for item in await memory.list(user="ana"))
    by_role = [(message.role.value, message.text) for message in reversed(await memory.messages(user="ana"))]
    assert by_role == [
        ("system", "[system]"),
        ("user", "Moro em Recife."),
        ("system", "[ai]"),
        ("system", "[tool]"),
        ("assistant", "Faz calor!"),
        ("user", "E isto?"),
        ("system", "[human]"),
    ]


async def test_what_came_another_way_is_part_of_the_conversation(memory: Memory) -> None:
    await memory.save(user="ana", said="Oi", replied="Olá!", conversation="c1")
    await memory.save(user="ana", said="beep", program=True, author="robot", conversation="c1")
    history = RelembraChatMessageHistory(memory, user="ana", conversation="c1")
    assert await history.aget_messages() == [HumanMessage("Oi"), AIMessage("Olá!")]


async def test_a_cleared_history_is_empty_and_starts_anew_and_can_come_back(memory: Memory) -> None:
    history = RelembraChatMessageHistory(memory, user="ana", conversation="c1")
    await history.aclear()
    await history.aadd_messages(TALK)
    await history.aclear()
    assert await history.aget_messages() == []
    await history.aadd_messages([HumanMessage("De novo")])
    assert await history.aget_messages() == [HumanMessage("De novo")]


async def test_a_message_that_is_no_json_is_refused(memory: Memory) -> None:
    history = RelembraChatMessageHistory(memory, user="ana", conversation="c1")
    with pytest.raises(InvalidInputError, match="JSON"):
        await history.aadd_messages([HumanMessage("Oi", additional_kwargs={"file": object()})])


def test_the_same_without_await() -> None:
    with BlockingMemory(a_memory(InMemoryStore(BilingualAnalyzer()))) as memory:
        history = RelembraChatMessageHistory(memory, user="ana", conversation="c1")
        history.add_user_message("Oi")
        history.add_ai_message("Olá!")
        assert history.messages == [HumanMessage("Oi"), AIMessage("Olá!")]
        assert asyncio.run(history.aget_messages()) == history.messages
        assert str(history) == "Human: Oi\nAI: Olá!"
        history.clear()
        assert history.messages == []
        memory.add("Prefere chá verde", user="ana")
        found = RelembraRetriever(memory, user="ana").invoke("chá")
        assert [one.page_content for one in found] == ["Prefere chá verde"]


async def test_the_retriever_finds_what_is_known(memory: Memory) -> None:
    tea = await memory.add("Takes her tea with oat milk & <b>no</b> sugar", user="ana", type="preference")
    await memory.add("Works nights at the hospital", user="ana")
    retriever = RelembraRetriever(memory, user="ana", limit=1)
    [found] = await retriever.ainvoke("how does she take her tea?")
    assert found.page_content == "Takes her tea with oat milk &amp; &lt;b&gt;no&lt;/b&gt; sugar"
    assert (found.id, found.metadata["id"], found.metadata["type"]) == (tea.id, tea.id, "preference")
    assert found.metadata["score"] > 0
    assert await RelembraRetriever(memory, user="bia").ainvoke("tea") == []
    facts = RelembraRetriever(memory, user="ana", wishes={"type": "fact"})
    assert [one.metadata["type"] for one in await facts.ainvoke("tea")] == ["fact"]


async def test_the_retriever_in_a_chain_keeps_local_things_here(memory: Memory) -> None:
    item = await memory.add("Prefere chá verde", user="ana")

    def first(found: list[Any]) -> str:
        return found[0].page_content if found else "nada"

    away = RelembraRetriever(memory, user="ana") | RunnableLambda(first)
    here = RelembraRetriever(memory, user="ana", local=True) | RunnableLambda(first)
    assert await away.ainvoke("que chá?") == "Prefere chá verde"
    await memory.keep_local(item.id, user="ana")
    assert await away.ainvoke("que chá?") == "nada"
    assert await here.ainvoke("que chá?") == "Prefere chá verde"
