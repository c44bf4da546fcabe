"""OpenAI Agents: the tools, and a session on a memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from relembra.domain.message import Message
from relembra.domain.scope import DEFAULT_TENANT
from relembra.errors import InvalidInputError, MissingExtraError
from relembra.interfaces.frameworks.transcript import Entry, Transcript
from relembra.memory import Memory
from relembra.tools.answers import failed

try:
    from agents import FunctionTool, RunContextWrapper, SessionABC, SessionSettings
except ImportError as exc:
    raise MissingExtraError("the OpenAI Agents module", "agents") from exc

if TYPE_CHECKING:
    from agents import TResponseInputItem
    from agents.tool_context import ToolContext

__all__ = ["RelembraSession", "Whose", "memory_tools"]

Whose = str | Callable[[RunContextWrapper[Any]], str]
"""A person, or how to tell from a run whose memory is meant: `lambda run: run.context.user`."""


def memory_tools(
    memory: Memory, *, user: Whose, language: str = "en", local: bool = False, tenant: str = DEFAULT_TENANT
) -> list[FunctionTool]:
    """The three tools for `Agent(tools=[…])`; what a model asked wrongly it is told, and may ask again.

    `local`: the model runs on this machine, so that it may see what is marked local-only.
    """
    options: dict[str, Any] = {"language": language, "outside": not local, "tenant": tenant}

    def tool(name: str, description: str, parameters: dict[str, Any]) -> FunctionTool:
        async def call(run: ToolContext[Any], arguments: str) -> str:
            whose = user if isinstance(user, str) else user(run)
            try:
                answer = await memory.call_tool(name, arguments, user=whose, **options)
            except InvalidInputError as wrong:
                answer = failed(wrong)
            return json.dumps(answer, ensure_ascii=False)

        # Strict schemas allow no optional argument, and most of ours are.
        return FunctionTool(name, description, parameters, call, strict_json_schema=False)

    return [tool(**listed["function"]) for listed in memory.tools("openai", language)]


class RelembraSession(SessionABC):
    """A conversation for `Runner.run(…, session=…)`, which the memory listens to and learns from.

    Items come back to the letter. What came to the conversation another way is there too. `clear_session` hides the
    conversation; `Memory.undo` shows it again, and what was learnt from it stays known. An item popped is no longer
    part of the session, though it was said.
    """

    def __init__(
        self,
        memory: Memory,
        session_id: str,
        *,
        user: str,
        local: bool = False,
        session_settings: SessionSettings | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._memory = memory
        self._said = Transcript("openai-agents", user=user, conversation=session_id, local=local, tenant=tenant)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        settings = self.session_settings or SessionSettings()
        most = settings.limit if limit is None else limit
        newest = await self._said.newest(self._memory, None if most is None else max(most, 0))
        return [_item(*entry) for entry in reversed(newest)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        await self._said.add(self._memory, [_entry(cast("dict[str, Any]", item)) for item in items])

    async def pop_item(self) -> TResponseInputItem | None:
        taken = await self._said.take_back(self._memory)
        return None if taken is None else _item(*taken)

    async def clear_session(self) -> None:
        await self._said.clear(self._memory)


def _entry(item: dict[str, Any]) -> Entry:
    kind, name, content = str(item.get("type") or "message"), item.get("name"), item.get("content")
    label = f"{kind} {name}" if isinstance(name, str) else kind
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    return Entry(str(item.get("role")), content, label, item)


def _item(kept: Message, value: Any) -> TResponseInputItem:
    said = {"role": kept.role.value, "content": kept.text} if value is None else value
    return cast("TResponseInputItem", said)
