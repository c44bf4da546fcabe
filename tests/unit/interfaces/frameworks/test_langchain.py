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
