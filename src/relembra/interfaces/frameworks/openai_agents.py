"""OpenAI Agents: the tools, and the turn saved."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from relembra.domain.scope import DEFAULT_TENANT
from relembra.errors import InvalidInputError, MissingExtraError
from relembra.interfaces.frameworks import chosen, save
from relembra.memory import Memory, Saved
from relembra.tools.answers import failed

try:
    from agents import FunctionTool, RunContextWrapper
except ImportError as exc:
    raise MissingExtraError("the OpenAI Agents module", "agents") from exc

if TYPE_CHECKING:
    from agents.result import RunResultBase
    from agents.tool_context import ToolContext

__all__ = ["Whose", "memory_tools", "save_turn"]

Whose = str | Callable[[RunContextWrapper[Any]], str]
"""A person, or how to tell from a run whose memory is meant: `lambda run: run.context.user`."""


def memory_tools(
    memory: Memory, *, user: Whose, language: str = "en", local: bool = False, tenant: str = DEFAULT_TENANT
) -> list[FunctionTool]:
    """The three tools for `Agent(tools=[…])`; a wrong call is answered with what would be right.

    `local`: the model runs on this machine, so that it may see what is marked local-only.
    """
    options: dict[str, Any] = {"language": language, "outside": not local, "tenant": tenant}

    def tool(name: str, description: str, parameters: dict[str, Any]) -> FunctionTool:
        async def call(run: ToolContext[Any], arguments: str) -> str:
            try:
                answer = await memory.call_tool(name, arguments, user=chosen(user, run), **options)
            except InvalidInputError as wrong:
                answer = failed(wrong)
            return json.dumps(answer, ensure_ascii=False)

        # Strict schemas allow no optional argument, and most of ours are.
        return FunctionTool(name, description, parameters, call, strict_json_schema=False)

    return [tool(**listed["function"]) for listed in memory.tools("openai", language)]


async def save_turn(
    memory: Memory, result: RunResultBase, *, user: str, conversation: str | None = None, tenant: str = DEFAULT_TENANT
) -> Saved | None:
    """Keep what a run was asked and what it answered; None where neither has words."""
    given = [{"role": "user", "content": result.input}] if isinstance(result.input, str) else result.input
    said = "\n".join(filter(None, map(_asked, given)))
    replied = result.final_output if isinstance(result.final_output, str) else ""
    return await save(memory, said, replied, user=user, conversation=conversation, tenant=tenant)


def _asked(item: Any) -> str:
    """The words of an item the person said, without its pictures and files."""
    content = item.get("content") if item.get("role") == "user" else None
    if isinstance(content, list):
        content = "\n".join(part["text"] for part in content if isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""
