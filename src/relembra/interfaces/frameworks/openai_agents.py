"""OpenAI Agents: the tools, and a session on a memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from relembra.domain.message import Message, Role
from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import checked_text
from relembra.errors import InvalidInputError, MissingExtraError, NotFoundError
from relembra.interfaces.frameworks.bridge import every, to_json
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

PROGRAM = "openai-agents"
TAKEN_BACK = "taken back"
PAGE = 500

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
    """A conversation for `Runner.run(…, session=…)`, which the memory reads and learns from.

    What the person and the assistant say are messages like any other. Everything else (calls of tools, their results,
    pictures) is kept as a program's line that names it, and nothing is learnt from it. The item itself is JSON in the
    metadata of its message, so that it comes back exactly. What reached the conversation another way is there too.

    What was said is never rewritten: an item popped is still remembered as said, and only no longer part of the
    session. `clear_session` hides the conversation; `Memory.undo` shows it again, and what was learnt stays known.
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
        self._outside = not local
        self._whose: dict[str, Any] = {"user": user, "tenant": tenant}

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        settings = self.session_settings or SessionSettings()
        most = settings.limit if limit is None else limit
        newest = await self._newest(None if most is None else max(most, 0))
        return [item for _, item in reversed(newest)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        for item in items:
            given = cast("dict[str, Any]", item)
            metadata = {PROGRAM: to_json(given, "messages")}
            said, text = {"user": "said", "assistant": "replied"}.get(str(given.get("role"))), _text(given)
            if said is None or text is None:
                kind, name = str(given.get("type") or "message"), given.get("name")
                await self._note(f"{kind} {name}" if isinstance(name, str) else kind, metadata)
            else:
                await self._save(metadata=metadata, **{said: text})

    async def pop_item(self) -> TResponseInputItem | None:
        newest = await self._newest(1)
        if not newest:
            return None
        message, item = newest[0]
        await self._note(TAKEN_BACK, {TAKEN_BACK: message.id})
        return item

    async def clear_session(self) -> None:
        with suppress(NotFoundError):  # nothing was said yet
            await self._memory.delete_conversation(self.session_id, **self._whose)

    async def _save(self, **said: Any) -> None:
        await self._memory.save(conversation=self.session_id, **self._whose, **said)

    async def _note(self, label: str, metadata: dict[str, str]) -> None:
        await self._save(said=f"[{label}]", program=True, author=PROGRAM, metadata=metadata)

    async def _newest(self, limit: int | None) -> list[tuple[Message, TResponseInputItem]]:
        """The last items, newest first, each with the message it is kept in; all of them without a limit."""
        found: list[tuple[Message, TResponseInputItem]] = []
        gone: set[str] = set()
        asked = {"limit": PAGE, "outside": self._outside, "conversation": self.session_id, **self._whose}
        async for message in every(self._memory.messages, **asked):
            if limit is not None and len(found) >= limit:
                break
            kept = message.metadata.get(PROGRAM)
            if taken := message.metadata.get(TAKEN_BACK):
                gone.add(taken)
            elif message.id not in gone and (kept is not None or message.role is not Role.SYSTEM):
                item = {"role": message.role.value, "content": message.text} if kept is None else json.loads(kept)
                found.append((message, cast("TResponseInputItem", item)))
        return found


def _text(item: dict[str, Any]) -> str | None:
    """The words of an item; None where it has none that can be kept."""
    content = item.get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    try:
        return checked_text(content) if isinstance(content, str) else None
    except InvalidInputError:
        return None
