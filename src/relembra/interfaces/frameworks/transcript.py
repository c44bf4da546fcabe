"""A conversation as a framework wants it back: each entry to the letter, kept as talk that is listened to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from relembra.domain.message import Message, Role
from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import checked_text
from relembra.errors import InvalidInputError, NotFoundError, RelembraError
from relembra.memory import Memory
from relembra.recall.query import Listing
from relembra.sync import Memory as BlockingMemory

T = TypeVar("T")

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
        self._conversation = conversation
        self._whose: dict[str, Any] = {"user": user, "tenant": tenant}

    async def add(self, memory: Memory, entries: Iterable[Entry]) -> None:
        """Keep entries in their order, each of them durable before the next."""
        for entry in entries:
            said = {"user": "said", "assistant": "replied"}.get(entry.role)
            text = _readable(entry.text)
            metadata = {self._program: written(entry.value, "messages")}
            if said is None or text is None:
                await self._note(memory, entry.label, metadata)
            else:
                await self._save(memory, metadata, **{said: text})

    async def _save(self, memory: Memory, metadata: dict[str, str], **said: Any) -> None:
        await memory.save(metadata=metadata, conversation=self._conversation, **self._whose, **said)

    async def _note(self, memory: Memory, label: str, metadata: dict[str, str]) -> None:
        await self._save(memory, metadata, said=f"[{label}]", program=True, author=self._program)

    async def newest(self, memory: Memory, limit: int | None = None) -> list[tuple[Message, Any]]:
        """The last entries, newest first, each with the message it is kept in; all of them without a limit.

        A message that came another way is an entry too: None stands for its value. A program's own are left out.
        """
        found: list[tuple[Message, Any]] = []
        gone: set[str] = set()
        asked = {"limit": PAGE, "outside": self._outside, "conversation": self._conversation, **self._whose}
        async for message in every(memory.messages, **asked):
            if limit is not None and len(found) >= limit:
                break
            kept = message.metadata.get(self._program)
            if taken := message.metadata.get(TAKEN_BACK):
                gone.add(taken)
            elif message.id not in gone and (kept is not None or message.role is not Role.SYSTEM):
                found.append((message, None if kept is None else json.loads(kept)))
        return found

    async def take_back(self, memory: Memory) -> tuple[Message, Any] | None:
        """Take the last entry out of the transcript."""
        last = await self.newest(memory, 1)
        if not last:
            return None
        await self._note(memory, TAKEN_BACK, {TAKEN_BACK: last[0][0].id})
        return last[0]

    async def clear(self, memory: Memory) -> None:
        """Hide the conversation; `undo` shows it again, and what was learnt from it stays known."""
        with suppress(NotFoundError):  # nothing was said yet
            await memory.delete_conversation(self._conversation, **self._whose)


def _readable(text: str | None) -> str | None:
    try:
        return None if text is None else checked_text(text)
    except InvalidInputError:
        return None


async def every(verb: Callable[..., Awaitable[Listing[T]]], **asked: Any) -> AsyncIterator[T]:
    """All that a verb lists, page after page."""
    after: str | None = None
    while True:
        page = await verb(after=after, **asked)
        for row in page:
            yield row
        after = page.next
        if after is None:
            return


def written(value: Any, field: str, **options: Any) -> str:
    """A value as JSON."""
    try:
        return json.dumps(value, **options)
    except (TypeError, ValueError) as exc:
        raise InvalidInputError(f"{field} must be JSON: {exc}", field=field) from exc


AnyMemory = Memory | BlockingMemory
Work = Callable[[Memory], Coroutine[Any, Any, T]]


class Either:
    """Runs work on a memory: awaited with `run`, waited for with `wait`.

    A `relembra.sync.Memory` serves both. A `relembra.Memory` belongs to the loop it was handed over in, so that only
    other threads may wait for it.
    """

    def __init__(self, memory: AnyMemory) -> None:
        self._memory = memory
        self._loop = None if isinstance(memory, BlockingMemory) else running_loop()

    async def run(self, work: Work[T]) -> T:
        memory = self._memory
        if isinstance(memory, BlockingMemory):
            return await asyncio.to_thread(memory._call, work)
        return await work(memory)

    def wait(self, work: Work[T]) -> T:
        memory = self._memory
        if isinstance(memory, BlockingMemory):
            return memory._call(work)
        if self._loop is None or not self._loop.is_running() or running_loop() is self._loop:
            raise RelembraError("this call would block the memory's own loop; await its twin, or use relembra.sync")
        return asyncio.run_coroutine_threadsafe(work(memory), self._loop).result()


def running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
