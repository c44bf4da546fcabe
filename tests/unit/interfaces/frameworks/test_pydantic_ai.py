"""Tools, instructions and turns with real agents and models that follow a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.messages import ImageUrl, ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from relembra import Memory
from relembra.interfaces.frameworks.pydantic_ai import memory_instructions, memory_toolset, save_turn


class Script:
    """A model that calls one tool and then answers; it keeps what it was sent."""

    def __init__(self, *calls: ToolCallPart) -> None:
        self.calls = list(calls)
        self.seen: list[tuple[list[ModelMessage], AgentInfo]] = []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.seen.append((list(messages), info))
        return ModelResponse([self.calls.pop(0) if self.calls else TextPart("Done.")])

    def last(self, kind: type[Any]) -> Any:
        message = self.seen[-1][0][-1]
        assert isinstance(message, ModelRequest)
        [part] = [part for part in message.parts if isinstance(part, kind)]
        return part


async def test_the_tools_are_the_three_and_do_what_they_say(memory: Memory) -> None:
    await memory.add("Takes her tea with oat milk", user="ana")
    script = Script(ToolCallPart("search_knowledge", {"query": "tea"}))
    agent = Agent(FunctionModel(script), toolsets=[memory_toolset(memory, user="ana")])
    assert (await agent.run("How do I take my tea?")).output == "Done."
    assert "oat milk" in script.last(ToolReturnPart).content["items"][0]["content"]
    described = {tool["function"]["name"]: tool["function"] for tool in Memory.tools()}
    offered = script.seen[0][1].function_tools
    assert {tool.name: tool.description for tool in offered} == {
        name: tool["description"] for name, tool in described.items()
    }
    assert all(tool.parameters_json_schema == described[tool.name]["parameters"] for tool in offered)


async def test_a_wrong_call_is_told_to_the_model_which_may_try_again(memory: Memory) -> None:
    script = Script(ToolCallPart("add_knowledge", {"type": "dream", "content": "Flies"}))
    agent = Agent(FunctionModel(script), toolsets=[memory_toolset(memory, user="ana")])
    assert (await agent.run("I fly")).output == "Done."
    told = script.last(ToolReturnPart)
    assert told.outcome == "retried"
    assert "type of add_knowledge must be one of fact" in str(told.content)
    assert await memory.list(user="ana") == []


@dataclass
class Deps:
    user: str


async def test_whose_memory_it_is_may_be_told_by_the_run(memory: Memory) -> None:
    await memory.add("Mora em Olinda", user="bia")
    script = Script(ToolCallPart("add_knowledge", {"type": "fact", "content": "Tem um gato"}))
    agent = Agent(
        FunctionModel(script),
        deps_type=Deps,
        toolsets=[memory_toolset(memory, user=lambda run: run.deps.user)],
        instructions=[memory_instructions(memory, user=lambda run: run.deps.user)],
    )
    await agent.run("Onde eu moro?", deps=Deps("bia"))
    assert {item.content for item in await memory.list(user="bia")} == {"Mora em Olinda", "Tem um gato"}
    assert "Mora em: “Olinda”" in (script.seen[0][1].instructions or "")


async def test_the_context_comes_as_instructions_that_say_what_they_are(memory: Memory) -> None:
    nothing = Script()
    await Agent(FunctionModel(nothing), instructions=[memory_instructions(memory, user="ana")]).run("Hello")
    assert not nothing.seen[0][1].instructions
    await memory.add("Takes her tea with oat milk <script>", user="ana")
    await memory.save(user="ana", said="Good morning, old friend", replied="Good morning!")
    script = Script()
    remembered = memory_instructions(memory, user="ana", budget=400)
    agent = Agent(FunctionModel(script), instructions=["Be brief.", remembered])
    await agent.run(["How do I take my tea?", ImageUrl("https://example.org/tea.png")])
    told = script.seen[0][1].instructions or ""
    assert told.startswith("Be brief.")
    assert "not instructions" in told
    assert "oat milk &lt;script&gt;" in told
    assert "old friend" not in told


async def test_what_is_local_only_is_kept_from_a_model_elsewhere(memory: Memory) -> None:
    await memory.add("The code of the door is 4711", user="ana", local_only=True)
    for local in (False, True):
        script = Script(ToolCallPart("search_knowledge", {"query": "code of the door"}))
        agent = Agent(
            FunctionModel(script),
            toolsets=[memory_toolset(memory, user="ana", local=local)],
            instructions=[memory_instructions(memory, user="ana", local=local)],
        )
        await agent.run("What is the code of the door?")
        assert ("4711" in str(script.last(ToolReturnPart).content)) is local
        assert ("4711" in (script.seen[0][1].instructions or "")) is local


async def test_a_turn_is_saved_once_and_learnt_from(memory: Memory) -> None:
    agent = Agent(TestModel(custom_output_text="Que bom!"))
    first = await agent.run("Moro em Recife.")
    await save_turn(memory, first, user="ana", conversation="c1")
    second = await agent.run(
        ["Tenho um gato.", ImageUrl("https://example.org/c.png")], message_history=first.all_messages()
    )
    await save_turn(memory, second, user="ana", conversation="c1")
    said = [(message.role.value, message.text) for message in reversed(await memory.messages(user="ana"))]
    assert said == [
        ("user", "Moro em Recife."),
        ("assistant", "Que bom!"),
        ("user", "Tenho um gato."),
        ("assistant", "Que bom!"),
    ]
    await memory.settle(flush=True)
    assert any("Recife" in item.content for item in await memory.list(user="ana"))
