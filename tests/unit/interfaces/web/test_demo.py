"""The demo story: as its button brings it, beside a life, and out of it again: the life is told as before."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest

from builders import NOW
from houses import House
from loops import each
from memories import Clock, a_memory, a_store
from nights import told
from relembra import Memory
from relembra.domain.jobs import Run, RunKind
from relembra.domain.scope import Whose
from relembra.errors import StoreUnavailableError
from relembra.interfaces import stories as playing
from relembra.interfaces.stories import story_in
from relembra.interfaces.web.background import BackgroundJob, Owner
from relembra.store.port import Gone
from web_pages import Reader

WHOSE: Whose = {"user": "ana", "tenant": "default"}
OWNER = Owner("this machine", "default", "ana")
KINDS = ("conversation", "weekly", "appointment")
NEVER = NOW + timedelta(days=10_000)  # every moment is told as it is
LOADED = NOW + timedelta(days=5)
OWN = ("Moro em Olinda e sou professora.", "Dormi mal.", "Minha irmã Clara é advogada.", "Adoro chá verde.")
BOTH = "Gosto de café sem açúcar."
"""What the person says too, beside the story."""


async def brought(memory: Memory) -> None:
    """Take in what the button brings."""
    await memory.import_(BytesIO(await asyncio.to_thread(lived)), **WHOSE)


@cache
def lived() -> bytes:
    """A story, lived once."""
    return playing.live(story_in("pt"), user="ana", now=LOADED.astimezone(UTC))


async def live(memory: Memory, clock: Clock, *, days: int) -> None:
    """A life of one's own, its nights included."""
    for day in range(days):
        await memory.save(user="ana", said=OWN[day % 4], at=clock(), conversation=f"own-{clock():%d}")
        clock.move(hours=14, minutes=50)
        await memory.settle(flush=True)
        clock.move(hours=1, minutes=10)
        await memory.settle()
        clock.move(hours=8)


async def all_runs(memory: Memory) -> list[Run]:
    return list(await memory.consolidations(user="ana", kind=list(RunKind), limit=100))


class Interrupted:
    """A memory that is out of reach after so many were forgotten."""

    def __init__(self, memory: Memory, after: int) -> None:
        self._memory, self._left = memory, after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._memory, name)

    async def forget(self, **what: Any) -> Gone:
        if not self._left:
            raise StoreUnavailableError("locked")
        gone = await self._memory.forget(**what)
        self._left -= 1
        return gone


async def test_a_story_fills_the_memory_and_nothing_of_it_is_left_even_after_interruptions(tmp_path: Path) -> None:
    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=Clock(LOADED)) as memory:
        before = await told(store, NEVER)
        await brought(memory)
        await memory.settle()
        assert await memory.conflicts(user="ana", open_only=True)
        known = await memory.list(user="ana", history=True, limit=100)
        assert any(item.superseded_at is not None for item in known)
        assert {note.kind.value for note in await memory.notes(user="ana", kind=KINDS)} == set(KINDS)
        assert await memory.insights(user="ana")
        assert len(await all_runs(memory)) > 5
        assert not (await memory.verify()).problems
        for after in (0, 9, 5):
            with pytest.raises(StoreUnavailableError):
                await playing.take_away(cast(Memory, Interrupted(memory, after)), WHOSE)
            assert await playing.is_here(memory, WHOSE)
        await playing.take_away(memory, WHOSE)
        assert await told(store, NEVER) == before
        assert not await all_runs(memory)


async def test_a_life_beside_a_story_stays_once_it_is_gone(tmp_path: Path) -> None:
    clock = Clock()
    store = await a_store("sqlite", tmp_path)
    async with a_memory(store, clock=clock) as memory:
        await live(memory, clock, days=5)
        nights = {run.id for run in await all_runs(memory)}
        await brought(memory)
        theirs = {run.id for run in await all_runs(memory)} - nights
        await live(memory, clock, days=1)
        await memory.save(user="ana", said=BOTH, at=clock(), conversation="own-too")
        await live(memory, clock, days=1)
        during = [run for run in await all_runs(memory) if run.started_at >= LOADED]
        await playing.take_away(memory, WHOSE)
        said = await memory.messages(user="ana", limit=200)
        assert all(message.conversation.startswith("own-") for message in said)
        assert BOTH in [message.text for message in said]
        known = await memory.list(user="ana", history=True, deleted=True, limit=100)
        assert {item.attribute for item in known} >= {"residence", "occupation", "relation"}
        [shared] = [item for item in known if playing.DEMO in item.tags]
        sources = {message.conversation for message in await memory.sources(shared.id, user="ana")}
        assert sources == {"own-too"}
        left = await all_runs(memory)
        kept = {run.id for run in during if run.kind is RunKind.CONSOLIDATION}
        assert kept
        assert nights | kept <= {run.id for run in left}
        for run in left:  # of the story's own nights those stay that taught what the person said as well
            if run.id in theirs:
                detail = await memory.consolidation(run.id, user="ana")
                assert {entry.target_id for entry in detail.entries} == {shared.id}
        assert not (await memory.verify()).problems


async def test_a_story_that_could_not_be_loaded_says_so(house: House, reader: Reader) -> None:
    async def fails(_: BackgroundJob) -> None:
        raise ValueError("secret words")

    job = house.app.state.background.start("story", owner=OWNER, work=fails)
    await job.task
    page = await reader.get(f"/progress/{job.id}")
    assert "The demo story couldn't be loaded." in page.text
    assert "secret words" not in page.text
    assert "every 1s" not in str(page.tags)


@each(["en", "pt"])
def test_moved_days_keep_their_order_and_hours_and_end_yesterday(language: str) -> None:
    story, now = story_in(language), datetime(2027, 3, 1, 0, 30, tzinfo=UTC)
    moments = playing.moved(story, now)
    assert moments[-1].at.date() == now.date() - timedelta(days=1)
    assert [moment.at.time() for moment in moments] == [moment.at.time() for moment in story.moments]
    assert [moment.at for moment in moments] == sorted(moment.at for moment in moments)
    assert (moments[-1].at.date() - moments[0].at.date()).days + 1 < playing.MOST_DAYS
