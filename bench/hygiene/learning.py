"""Memories that learn on a clock of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from relembra import Memory
from relembra.domain.jobs import BEGIN, NIGHT_WORK
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import DEFAULT_TENANT
from relembra.errors import MindError
from relembra.settings import Settings

QUIET = timedelta(minutes=25)
A_LITTLE = timedelta(minutes=1)


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@asynccontextmanager
async def learning(clock: Clock) -> AsyncIterator[Memory]:
    """A memory as it ships, without a model, that keeps nothing; the settings of this machine don't count."""
    async with Memory.open(":memory:", settings=Settings(), clock=clock, background=False) as memory:
        yield memory


async def finished(memory: Memory) -> None:
    """`MindError` when work was left undone: what was not read would pass for what was rightly not kept."""
    left = [job.kind for job in await memory.jobs(limit=1_000) if job.kind not in (*NIGHT_WORK, BEGIN)]
    if left:
        raise MindError(f"the memory did not finish its work; jobs left: {left}")


async def held(memory: Memory, user: str, tenant: str = DEFAULT_TENANT) -> list[KnowledgeItem]:
    """Everything known of a person, superseded things too."""
    return await memory.list(user=user, tenant=tenant, limit=1_000, history=True)


async def rested(memory: Memory, clock: Clock, last: datetime) -> None:
    """Let the talk fall silent and be learnt from."""
    clock.now = last + QUIET + A_LITTLE
    await memory.settle(flush=True)


def shown(item: KnowledgeItem) -> str:
    """An item on one line, for whoever looks for the reason of a figure."""
    ended = " (ended)" if item.superseded_at is not None else ""
    claimed = f" (said by {item.speaker})" if item.speaker not in (None, item.scope.user) else ""
    return f"{item.subject}/{item.attribute}/{item.value!r} “{item.content}”{claimed}{ended}"
