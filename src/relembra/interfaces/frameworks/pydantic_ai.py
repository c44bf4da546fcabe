"""Pydantic AI: the tools, the context as instructions, and the turn saved."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from relembra.domain.scope import DEFAULT_TENANT
from relembra.errors import InvalidInputError, MissingExtraError
from relembra.interfaces.frameworks import chosen, save
from relembra.memory import Memory, Saved

try:
    from pydantic_ai import ModelRetry, RunContext, Tool
    from pydantic_ai.messages import ModelRequest, UserPromptPart
    from pydantic_ai.run import AgentRunResult
    from pydantic_ai.toolsets import FunctionToolset
except ImportError as exc:
    raise MissingExtraError("the Pydantic AI module", "llm") from exc

__all__ = ["Whose", "memory_instructions", "memory_toolset", "save_turn"]

Whose = str | Callable[[RunContext[Any]], str]
"""A person, or how to tell from a run whose memory is meant: `lambda run: run.deps.user`."""


def memory_toolset(
    memory: Memory, *, user: Whose, language: str = "en", local: bool = False, tenant: str = DEFAULT_TENANT
) -> FunctionToolset[Any]:
    """The three tools for `Agent(toolsets=[…])`; a wrong call goes back to the model with what would be right.

    `local`: the model runs on this machine, so that it may see what is marked local-only.
    """
    options: dict[str, Any] = {"language": language, "outside": not local, "tenant": tenant}

    def tool(name: str, description: str, parameters: dict[str, Any]) -> Tool[Any]:
        async def call(run: RunContext[Any], **arguments: Any) -> dict[str, Any]:
            try:
                return await memory.call_tool(name, arguments, user=chosen(user, run), **options)
            except InvalidInputError as wrong:
                raise ModelRetry(str(wrong)) from wrong

        return Tool.from_schema(call, name, description, parameters, takes_ctx=True)

    return FunctionToolset([tool(**listed["function"]) for listed in memory.tools("openai", language)])


def memory_instructions(
    memory: Memory,
    *,
    user: Whose,
    budget: int | None = None,
    conversation: str | None = None,
    local: bool = False,
    tenant: str = DEFAULT_TENANT,
) -> Callable[[RunContext[Any]], Awaitable[str]]:
    """What is remembered about the prompt, for `Agent(instructions=[…])`.

    The conversation itself is left to the agent's own message history. Nothing remembered, no instructions.
    """
    options: dict[str, Any] = {"budget": budget, "conversation": conversation, "outside": not local, "tenant": tenant}

    async def remembered(run: RunContext[Any]) -> str:
        query = _words(run.prompt) or None
        context = await memory.load(user=chosen(user, run), query=query, format="chat", **options)
        return "\n".join(message["content"] for message in context.chat if message["role"] == "system")

    return remembered


async def save_turn(
    memory: Memory,
    result: AgentRunResult[Any],
    *,
    user: str,
    conversation: str | None = None,
    tenant: str = DEFAULT_TENANT,
) -> Saved | None:
    """Keep what a run was asked and what it answered; None where neither has words."""
    prompts = [
        _words(part.content)
        for message in result.new_messages()
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
    ]
    replied = result.output if isinstance(result.output, str) else result.response.text or ""
    said = "\n".join(filter(None, prompts))
    return await save(memory, said, replied, user=user, conversation=conversation, tenant=tenant)


def _words(prompt: str | Sequence[Any] | None) -> str:
    """The text of a prompt, without its pictures and files."""
    parts = [prompt] if isinstance(prompt, str) else prompt or ()
    return "\n".join(part for part in parts if isinstance(part, str)).strip()
