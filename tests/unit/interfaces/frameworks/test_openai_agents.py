"""Tools and saved turns with the real runner and a model that follows a script."""

from __future__ import annotations

import json
from typing import Any, cast

from agents import Agent, RunConfig, Runner
from agents.testing import ScriptedModel, assistant_message, function_call

from relembra import Memory
from relembra.interfaces.frameworks.openai_agents import memory_tools, save_turn

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


async def test_a_turn_is_kept_and_learnt_from(memory: Memory) -> None:
    agent = an_agent(ScriptedModel([[assistant_message("Que bom!")], [assistant_message("Claro.")]]), memory)
    await save_turn(memory, await Runner.run(agent, "Moro em Recife.", run_config=QUIET), user="ana")
    seen: list[Any] = [{"type": "input_text", "text": "E isto?"}, {"type": "input_image", "image_url": "data:,x"}]
    before: list[Any] = [{"role": "assistant", "content": "Oi"}, {"role": "user", "content": seen}]
    await save_turn(memory, await Runner.run(agent, before, run_config=QUIET), user="ana", conversation="c1")
    said = [(message.role.value, message.text) for message in reversed(await memory.messages(user="ana"))]
    assert said == [
        ("user", "Moro em Recife."),
        ("assistant", "Que bom!"),
        ("user", "E isto?"),
        ("assistant", "Claro."),
    ]
    await memory.settle(flush=True)
    assert any("Recife" in item.content for item in await memory.list(user="ana"))
