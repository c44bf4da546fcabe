"""A story lived through a memory: a clock that goes as the story does, its nights, and what its steps do.

Whoever lives it says when what happens, and what is shown of it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, time, timedelta

from relembra.domain.knowledge import KnowledgeItem
from relembra.interfaces.stories import Correct, Learn, Say
from relembra.memory import Memory

ASSISTANT = "model:assistant"
BETWEEN_STEPS = timedelta(minutes=2)
NEVER_QUIET = {"listen": {"quiet": 86_400 * 365, "window": 86_400 * 365}}  # it listens when the story says so

_NIGHT = time(3)
_NIGHTLY = (timedelta(minutes=-10), timedelta(), timedelta(minutes=50))
"""What is said is learnt from before the hour; the work of the hour leaves more, for some minutes later."""


class Life:
    """One person's, from a moment on."""

    def __init__(self, user: str, start: datetime) -> None:
        self.user = user
        self.now = start
        self._items: dict[str, KnowledgeItem] = {}  # what was learnt, by the story's names
        self._heard: tuple[str, ...] = ()  # the messages that learning can point to

    def clock(self) -> datetime:
        return self.now

    async def nights(self, memory: Memory, until: datetime) -> AsyncIterator[datetime]:
        """Each night before a moment once it is over: what was said is learnt from, and its work is done."""
        for night in nights_between(self.now, until):
            for after in _NIGHTLY:
                self.now = night + after
                await memory.settle(flush=after < timedelta())
            yield night

    async def say(self, memory: Memory, step: Say, *, conversation: str | None, author: str | None = None) -> None:
        saved = await memory.save(
            user=self.user,
            said=step.said,
            replied=step.replied,
            at=self.now,
            author=author,
            space=step.space,
            conversation=conversation,
        )
        await memory.settle()
        self._heard = tuple(message.id for message in saved.messages)

    async def wonder(self, memory: Memory, *, conversation: str) -> str | None:
        """The gentle question the context carries, asked; None where there is none."""
        question = (await memory.load(user=self.user, conversation=conversation)).question
        if question is None:
            return None
        await memory.save(user=self.user, replied=question.text, at=self.now, conversation=conversation)
        await memory.settle()
        return question.text

    async def learn(self, memory: Memory, step: Learn) -> KnowledgeItem:
        by_hand = step.source == "user_input"
        item = self._items[step.name] = await memory.add(
            step.content,
            user=self.user,
            space=step.space,
            by=None if by_hand else ASSISTANT,
            source=step.source,
            type=step.type,
            area=step.area,
            attribute=step.attribute,
            value=step.value,
            evidence=step.evidence,
            message_ids=() if by_hand else self._heard,
        )
        return item

    async def confirm(self, memory: Memory, name: str) -> tuple[KnowledgeItem, KnowledgeItem]:
        """An item before and after."""
        before = self._items[name]
        self._items[name] = await memory.validate(before.id, user=self.user)
        return before, self._items[name]

    async def correct(self, memory: Memory, step: Correct) -> tuple[KnowledgeItem, KnowledgeItem]:
        """The item that was wrong, and the one in its place."""
        wrong = self._items[step.name]
        self._items[step.name] = await memory.correct(wrong.id, step.content, user=self.user, why=step.words)
        return wrong, self._items[step.name]


def nights_between(start: datetime, end: datetime) -> list[datetime]:
    """The night hours between two moments, on the clock of the first: by that one the person was last heard."""
    days = (end.astimezone(start.tzinfo).date() - start.date()).days
    hours = [datetime.combine(start.date() + timedelta(days=day), _NIGHT, start.tzinfo) for day in range(days + 1)]
    return [hour for hour in hours if start < hour <= end]
