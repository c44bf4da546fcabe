"""The retriever with LangChain's own classes around it."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableLambda

from memories import InMemoryStore, a_memory
from relembra import Memory
from relembra.interfaces.frameworks.langchain import RelembraRetriever
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.sync import Memory as BlockingMemory


def test_the_retriever_without_await() -> None:
    with BlockingMemory(a_memory(InMemoryStore(BilingualAnalyzer()))) as memory:
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
