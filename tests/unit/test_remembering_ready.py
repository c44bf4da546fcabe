"""What is kept ready behind answers: the compact memory of those who were asked for lately."""

from __future__ import annotations

from typing import Any

from memories import Clock, a_memory
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.memory import InMemoryStore


class CountingStore(InMemoryStore):
    """Tells how often items were listed."""

    listed = 0

    async def page_items(self, *args: Any, **kwargs: Any) -> Any:
        self.listed += 1
        return await super().page_items(*args, **kwargs)


async def test_the_compact_memory_is_made_anew_behind_what_is_added() -> None:
    store = CountingStore(BilingualAnalyzer())
    async with a_memory(store, clock=Clock()) as memory:
        await memory.add("Lives in Leeds", user="ana", attribute="residence", value="Leeds")
        await memory.load(user="ana", query="hello", language="en")
        await memory.add("Lives in York", user="ana", attribute="residence", value="York")
        await memory.settle()
        before = store.listed
        context = await memory.load(user="ana", query="hello", language="en")
    assert "Lives in: “York”" in context.text
    assert store.listed == before


async def test_nothing_is_made_for_somebody_nobody_asked_for() -> None:
    store = CountingStore(BilingualAnalyzer())
    async with a_memory(store, clock=Clock()) as memory:
        await memory.add("Lives in Leeds", user="ana")
        before = store.listed
        await memory.settle()
        assert store.listed == before
        await memory.load(user="ana", query="hello", language="en")
        await memory.forget(user="ana", all=True)
        before = store.listed
        await memory.settle()
        assert store.listed == before
