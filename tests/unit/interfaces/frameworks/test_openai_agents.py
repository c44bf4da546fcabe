"""Tools and session with the real runner and a model that follows a script."""

from __future__ import annotations

import json
from typing import Any, cast

from agents import Agent, RunConfig, Runner, Session, SessionSettings, SQLiteSession, TResponseInputItem
from agents.testing import ScriptedModel, assistant_message, function_call

from relembra import Memory
from relembra.interfaces.frameworks.openai_agents import RelembraSession, memory_tools

QUIET = RunConfig(tracing_disabled=True)


def an_agent(model: ScriptedModel, memory: Memory, **options: Any) -> Agent[Any]:
    return Agent(name="helper", model=model, tools=[*memory_tools(memory, **{"user": "ana"} | options)])


async def test_the_model_looks_up_and_keeps_with_the_tools(memory: Memory) -> None:
    await memory.add("Takes her tea with oat milk", user="ana")
    model = ScriptedModel(
        [
            [function_call("search_knowledge", {"query": "tea"}, call_id="c1")],
            [function_call("add_knowledge", {"type": "fact", "content": "Lives in Bristol"}, call_id="c2")],
            [assistant_message("With oat milk.")],
        ]
    )
    result = await Runner.run(an_agent(model, memory), "How do I take my tea?", run_config=QUIET)
    assert result.final_output == "With oat milk."
    assert "oat milk" in json.loads(model.calls[1].input[-1]["output"])["items"][0]["content"]
    assert "Lives in Bristol" in [item.content for item in await memory.list(user="ana")]
    described = {tool["function"]["name"]: tool["function"] for tool in Memory.tools()}
    for tool in cast("list[Any]", model.calls[0].tools):
        assert tool.params_json_schema == described[tool.name]["parameters"]
        assert tool.description == described[tool.name]["description"]


async def test_a_wrong_call_is_told_to_the_model_and_the_run_goes_on(memory: Memory) -> None:
    wrong = [[function_call("search_knowledge", said, call_id=said)] for said in ('{"query": ""}', "no JSON")]
    model = ScriptedModel([*wrong, [assistant_message("I do not know.")]])
    result = await Runner.run(an_agent(model, memory), "tea?", run_config=QUIET)
    assert result.final_output == "I do not know."
    assert all(json.loads(call.input[-1]["output"])["error"] for call in model.calls[1:])


async def test_whose_memory_it_is_may_be_told_by_the_run(memory: Memory) -> None:
    model = ScriptedModel(
        [
            [function_call("add_knowledge", {"type": "fact", "content": "Mora em Olinda"}, call_id="c1")],
            [assistant_message("Anotado.")],
        ]
    )
    agent = an_agent(model, memory, user=lambda run: run.context["user"], language="pt")
    await Runner.run(agent, "Moro em Olinda", context={"user": "bia"}, run_config=QUIET)
    assert [item.content for item in await memory.list(user="bia")] == ["Mora em Olinda"]


async def test_what_is_local_only_is_kept_from_a_model_elsewhere(memory: Memory) -> None:
    await memory.add("The code of the door is 4711", user="ana", local_only=True)
    search = function_call("search_knowledge", {"query": "code of the door"}, call_id="c1")
    for local in (False, True):
        model = ScriptedModel([[search], [assistant_message("…")]])
        await Runner.run(an_agent(model, memory, local=local), "code?", run_config=QUIET)
        assert ("4711" in model.calls[1].input[-1]["output"]) is local


ITEMS = cast(
    "list[TResponseInputItem]",
    [
        {"role": "user", "content": "Moro em Recife."},
        {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "31 °C"},
        {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "Faz calor!", "annotations": []}],
        },
        {"role": "user", "content": [{"type": "input_image", "image_url": "data:,x", "detail": "auto"}]},
        {"type": "reasoning", "id": "r1", "summary": []},
        {"role": "user", "content": " "},
    ],
)


async def test_a_session_holds_what_the_one_of_the_package_holds(memory: Memory) -> None:
    ours = RelembraSession(memory, "s1", user="ana")
    theirs = SQLiteSession("s1")
    assert isinstance(ours, Session)
    for session in (ours, theirs):
        seen: list[Any] = [await session.pop_item(), await session.get_items()]
        await session.add_items(ITEMS[:2])
        await session.add_items(ITEMS[2:])
        seen += [await session.get_items(), await session.get_items(limit=2), await session.get_items(limit=0)]
        seen += [await session.pop_item(), await session.pop_item(), await session.get_items()]
        await session.add_items(ITEMS[:1])
        seen += [await session.get_items(limit=3), await session.pop_item(), await session.pop_item()]
        await session.clear_session()
        seen += [await session.get_items(), await session.pop_item()]
        await session.clear_session()
        await session.add_items(ITEMS[3:4])
        seen += [await session.get_items()]
        if session is ours:
            expected = seen
    assert expected == seen
    theirs.close()


async def test_the_settings_of_a_session_limit_what_it_gives(memory: Memory) -> None:
    session = RelembraSession(memory, "s1", user="ana", session_settings=SessionSettings(limit=2))
    await session.add_items(ITEMS)
    assert await session.get_items() == ITEMS[-2:]
    assert await session.get_items(limit=4) == ITEMS[-4:]


async def test_a_run_goes_on_where_the_last_one_stopped_and_is_learnt_from(memory: Memory) -> None:
    model = ScriptedModel([[assistant_message("Que bom!")], [assistant_message("Em Recife.")]])
    agent = an_agent(model, memory)
    session = RelembraSession(memory, "s1", user="ana")
    await Runner.run(agent, "Moro em Recife.", session=session, run_config=QUIET)
    await Runner.run(agent, "Onde eu moro?", session=session, run_config=QUIET)
    assert [item["content"] for item in model.calls[1].input if item["role"] == "user"] == [
        "Moro em Recife.",
        "Onde eu moro?",
    ]
    said = [(message.role.value, message.text) for message in reversed(await memory.messages(user="ana"))]
    assert said == [
        ("user", "Moro em Recife."),
        ("assistant", "Que bom!"),
        ("user", "Onde eu moro?"),
        ("assistant", "Em Recife."),
    ]
    await memory.settle(flush=True)
    assert any("Recife" in item.content for item in await memory.list(user="ana"))


async def test_what_came_another_way_is_part_of_the_session(memory: Memory) -> None:
    await memory.save(user="ana", said="Oi", replied="Olá!", conversation="s1")
    assert await RelembraSession(memory, "s1", user="ana").get_items() == [
        {"role": "user", "content": "Oi"},
        {"role": "assistant", "content": "Olá!"},
    ]
