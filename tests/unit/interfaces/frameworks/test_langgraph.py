"""The store beside LangGraph's own, and in a graph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypedDict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, MatchCondition, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from memories import InMemoryStore as MemoryShelves
from memories import a_memory
from relembra import InvalidInputError, Memory, RelembraError
from relembra.interfaces.frameworks.langgraph import RelembraStore
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.sync import Memory as BlockingMemory


@pytest.fixture
def blocking() -> Iterator[BlockingMemory]:
    with BlockingMemory(a_memory(MemoryShelves(BilingualAnalyzer()))) as one:
        yield one


SEEDS: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
    (("users", "ana"), "prefs", {"theme": "dark", "size": 3, "tags": ["a", "b"]}),
    (("users", "ana", "food"), "tea", {"text": "Prefere chá sem açúcar", "score": 4.5}),
    (("users", "ana", "food"), "coffee", {"text": "Coffee with oat milk", "score": 2}),
    (("users", "bia"), "prefs", {"theme": "light", "nested": {"deep": {"x": 1}}}),
    (("docs",), "prefs", {"theme": "dark", "none": None, "yes": True}),
]

OPS: list[GetOp | SearchOp | ListNamespacesOp] = [
    GetOp(("users", "ana"), "prefs"),
    GetOp(("users", "ana"), "nothing"),
    SearchOp(()),
    SearchOp(("users",)),
    SearchOp(("users", "ana")),
    SearchOp(("ana",)),
    SearchOp(("users",), filter={"theme": "dark"}),
    SearchOp(("users", "ana", "food"), filter={"score": {"$gt": 2, "$lte": 4.5}}),
    SearchOp((), filter={"nested": {"deep": {"x": 1}}}),
    SearchOp(("users",), query="no index, so all of them"),
    ListNamespacesOp(),
    ListNamespacesOp(limit=2, offset=1),
    ListNamespacesOp((MatchCondition("prefix", ("users",)),)),
    ListNamespacesOp((MatchCondition("prefix", ("*", "ana")),), max_depth=2),
    ListNamespacesOp((MatchCondition("prefix", ("users", "*")), MatchCondition("suffix", ("*", "food")))),
]


def comparable(results: list[Any]) -> list[Any]:
    """Results without moments and scores; a search has no order of its own without an index."""

    def plain(one: Any) -> Any:
        return one if isinstance(one, tuple) or one is None else (one.namespace, one.key, json.dumps(one.value))

    found = [[plain(one) for one in each] if isinstance(each, list) else plain(each) for each in results]
    return [sorted(each) if isinstance(each, list) else each for each in found]


async def test_it_answers_as_the_store_of_langgraph_does(memory: Memory) -> None:
    ours, theirs = RelembraStore(memory, user="ana"), InMemoryStore()
    for store in (ours, theirs):
        for namespace, key, value in SEEDS:
            await store.aput(namespace, key, value)
    assert comparable(await ours.abatch(OPS)) == comparable(await theirs.abatch(OPS))
    for store in (ours, theirs):
        await store.aput(("users", "ana"), "prefs", {"theme": "dim"})
        await store.adelete(("users", "bia"), "prefs")
        await store.adelete(("users", "bia"), "never there")
        await store.aput(("users", "bia"), "again", {})
    assert comparable(await ours.abatch(OPS)) == comparable(await theirs.abatch(OPS))


async def test_a_batch_reads_before_it_writes_and_the_last_write_counts(memory: Memory) -> None:
    for store in (RelembraStore(memory, user="ana"), InMemoryStore()):
        batch: list[Op] = [
            PutOp(("n",), "k", {"v": 1}),
            GetOp(("n",), "k"),
            PutOp(("n",), "k", {"v": 2}),
            PutOp(("n",), "gone", {"v": 1}),
            PutOp(("n",), "gone", None),
        ]
        assert await store.abatch(batch) == [None] * 5
        held = await store.aget(("n",), "k")
        assert held is not None
        assert held.value == {"v": 2}
        assert await store.aget(("n",), "gone") is None
    with pytest.raises(InvalidInputError, match="JSON"):
        await RelembraStore(memory, user="ana").abatch([PutOp(("m",), "a", {}), PutOp(("m",), "b", {"v": object()})])
    assert await RelembraStore(memory, user="ana").asearch(("m",)) == []


JSON_VALUES = st.dictionaries(
    st.text(st.characters()),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)
ANYTHING = st.text(st.characters(), max_size=30) | st.text(min_size=201, max_size=300)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON_VALUES, label=ANYTHING, key=ANYTHING)
def test_values_keys_and_namespaces_come_back_exactly(
    blocking: BlockingMemory, value: dict[str, Any], label: str, key: str
) -> None:
    store = RelembraStore(blocking, user="ana")
    store.batch([PutOp(("n", label), key, value)])
    [held, found] = store.batch([GetOp(("n", label), key), SearchOp(("n", label), limit=1)])
    assert held is not None
    assert not isinstance(held, list)
    assert (held.namespace, held.key, held.value) == (("n", label), key, value)
    assert isinstance(found, list)
    assert [(one.namespace, one.value) for one in found if not isinstance(one, tuple)] == [(("n", label), value)]


async def test_the_first_label_is_the_person_and_nobody_s_memory_is_looked_at_unnamed(memory: Memory) -> None:
    store = RelembraStore(memory)
    await store.aput(("ana", "notes"), "k", {"of": "ana"})
    await store.aput(("bia", "notes"), "k", {"of": "bia"})
    assert [one.value for one in await store.asearch(("ana",))] == [{"of": "ana"}]
    assert await store.alist_namespaces(prefix=("bia",)) == [("bia", "notes")]
    assert [item.content for item in await memory.list(user="ana")] == ['{"of": "ana"}']
    told = RelembraStore(memory, user=lambda namespace: namespace[1] if len(namespace) > 1 else None)
    await told.aput(("memories", "ana"), "k", {"v": 1})
    assert [item.content for item in await memory.list(user="ana", limit=1)] == ['{"v": 1}']
    for asked in (SearchOp(()), ListNamespacesOp(), ListNamespacesOp((MatchCondition("prefix", ("*",)),))):
        with pytest.raises(InvalidInputError, match="whose memory"):
            await store.abatch([asked])


async def test_a_value_is_knowledge_like_any_other(memory: Memory) -> None:
    store = RelembraStore(memory, user="ana")
    await store.aput(("facts",), "tea", {"text": "Prefere chá verde"})
    [item] = await memory.list(user="ana")
    assert "chá verde" in (await memory.load(user="ana", query="que chá?")).text
    await memory.correct(item.id, '{"text": "Prefere chá preto"}', user="ana")
    held = await store.aget(("facts",), "tea")
    assert held is not None
    assert held.value == {"text": "Prefere chá preto"}
    [right] = await memory.list(user="ana")
    await memory.correct(right.id, "Prefere mate", user="ana")
    held = await store.aget(("facts",), "tea")
    assert held is not None
    assert held.value == {"content": "Prefere mate"}


async def test_what_is_local_only_is_kept_from_a_model_elsewhere(memory: Memory) -> None:
    away, here = RelembraStore(memory, user="ana"), RelembraStore(memory, user="ana", local=True)
    await away.aput(("n",), "k", {"text": "the code of the door"})
    await away.aput(("n",), "other", {"text": "tea"})
    item = next(item for item in await memory.list(user="ana") if "code" in item.content)
    await memory.keep_local(item.id, user="ana")
    ops: list[Op] = [GetOp(("n",), "k"), SearchOp(("n",)), SearchOp(("n",), query="code of the door")]
    kept, shown = comparable(await away.abatch(ops)), comparable(await here.abatch(ops))
    assert [kept[0], *([key for _, key, _ in each] for each in kept[1:])] == [None, ["other"], ["other"]]
    assert [key for _, key, _ in shown[1]] == [key for _, key, _ in shown[2]] == ["k", "other"]
    await away.aput(("n",), "k", {"text": "another code"})
    assert await away.aget(("n",), "k") is None
    held = await here.aget(("n",), "k")
    assert held is not None
    assert held.value == {"text": "another code"}


class State(TypedDict):
    said: str
    replied: str


def blockingly(state: State, runtime: Runtime[None]) -> dict[str, str]:
    assert runtime.store is not None
    known = runtime.store.search(("ana", "facts"), query=state["said"], limit=1)
    runtime.store.put(("ana", "facts"), str(len(state["said"])), {"text": state["said"]})
    return {"replied": known[0].value["text"] if known else "Nothing yet."}


def a_graph(node: Any, store: BaseStore) -> Any:
    graph = StateGraph(State)
    graph.add_node("answer", node)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    return graph.compile(store=store)


async def test_a_graph_that_is_awaited_may_have_blocking_nodes(blocking: BlockingMemory) -> None:
    graph = a_graph(blockingly, RelembraStore(blocking))
    await graph.ainvoke({"said": "My cat is called Mimi"})
    assert (await graph.ainvoke({"said": "What is my cat called?"}))["replied"] == "My cat is called Mimi"


async def test_a_call_that_would_block_its_own_loop_says_so(memory: Memory) -> None:
    with pytest.raises(RelembraError, match=r"relembra\.sync"):
        RelembraStore(memory, user="ana").get(("n",), "k")
