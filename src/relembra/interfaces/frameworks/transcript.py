"""A conversation as a framework wants it back: each entry to the letter, kept as talk that is listened to."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from relembra.domain.message import Message, Role
from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import checked_text
from relembra.errors import InvalidInputError, NotFoundError
from relembra.memory import Memory

PAGE = 500
TAKEN_BACK = "taken back"


class Entry(NamedTuple):
    """One entry: who speaks, what can be read of it, and what it is called where it cannot be read."""

    role: str
    text: str | None
    label: str
    value: Any


class Transcript:
    """The entries of one conversation, oldest first.

    What the person and the assistant say are messages like any other. Everything else (calls of tools, their results,
    pictures) is kept as a program's line that names it and that nothing is learnt from. The entry itself is JSON in the
    metadata of the message. What was said is never rewritten, so that an entry taken back is still remembered as said;
    it is only no longer part of the transcript.
    """

    def __init__(
        self, program: str, *, user: str, conversation: str, local: bool = False, tenant: str = DEFAULT_TENANT
    ) -> None:
        self._program = program
        self._outside = not local
        self._whose: dict[str, Any] = {"user": user, "conversation": conversation, "tenant": tenant}

    async def add(self, memory: Memory, entries: Iterable[Entry]) -> None:
        """Keep entries in their order, each of them durable before the next."""
        for entry in entries:
            text = _readable(entry.text) if entry.role in ("user", "assistant") else None
            metadata = {self._program: _written(entry.value)}
            if text is None:
                await self._note(memory, entry.label, metadata)
            elif entry.role == "user":
                await memory.save(said=text, metadata=metadata, **self._whose)
            else:
                await memory.save(replied=text, metadata=metadata, **self._whose)

    async def _note(self, memory: Memory, label: str, metadata: dict[str, str]) -> None:
        await memory.save(said=f"[{label}]", program=True, author=self._program, metadata=metadata, **self._whose)

    async def newest(self, memory: Memory, limit: int | None = None) -> list[tuple[Message, Any]]:
        """The last entries, newest first, each with the message it is kept in; all of them without a limit.

        A message that came another way is an entry too: None stands for its value. A program's own are left out.
        """
        found: list[tuple[Message, Any]] = []
        gone: set[str] = set()
        after: str | None = None
        while limit is None or len(found) < limit:
            page = await memory.messages(limit=PAGE, after=after, outside=self._outside, **self._whose)
            for message in page:
                if taken := message.metadata.get(TAKEN_BACK):
                    gone.add(taken)
                elif message.id not in gone:
                    kept = message.metadata.get(self._program)
                    if kept is not None or message.role is not Role.SYSTEM:
                        found.append((message, None if kept is None else json.loads(kept)))
            after = page.next
            if after is None:
                break
        return found if limit is None else found[:limit]

    async def take_back(self, memory: Memory) -> tuple[Message, Any] | None:
        """Take the last entry out of the transcript."""
        last = await self.newest(memory, 1)
        if not last:
            return None
        await self._note(memory, TAKEN_BACK, {TAKEN_BACK: last[0][0].id})
        return last[0]

    async def clear(self, memory: Memory) -> None:
        """Hide the conversation; `undo` shows it again, and what was learnt from it stays known."""
        user, conversation, tenant = self._whose["user"], self._whose["conversation"], self._whose["tenant"]
        with suppress(NotFoundError):  # nothing was said yet
            await memory.delete_conversation(conversation, user=user, tenant=tenant)


def _readable(text: str | None) -> str | None:
    try:
        return None if text is None else checked_text(text)
    except InvalidInputError:
        return None


def _written(value: Any) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError) as exc:
        raise InvalidInputError(f"an entry of a conversation must be JSON: {exc}", field="messages") from exc
