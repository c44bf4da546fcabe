"""A story taken in beside a life and out of it again: what is told of the life is what was told before."""

from __future__ import annotations

import asyncio
from datetime import UTC, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest

from builders import NOW
from memories import Clock, a_memory, a_store
from nights import told
from relembra import Memory
from relembra.domain.jobs import Run, RunKind
from relembra.domain.scope import Whose
from relembra.errors import StoreUnavailableError
from relembra.interfaces.stories import story_in
from relembra.interfaces.web import demo as playing
from relembra.settings import Settings
from relembra.store.port import Gone, Store

WHOSE: Whose = {"user": "ana", "tenant": "default"}
NEVER = NOW + timedelta(days=10_000)  # every moment is told as it is
LOADED = NOW + timedelta(days=5)
OWN = {
    "en": ("I live in York and I'm a teacher.", "I slept badly.", "My sister Clara is a lawyer.", "I love green tea."),
    "pt": ("Moro em Olinda e sou professora.", "Dormi mal.", "Minha irmã Clara é advogada.", "Adoro chá verde."),
}
BOTH = {"en": "I love ginger tea.", "pt": "Gosto de café sem açúcar."}

both_languages = pytest.mark.parametrize("language", ["en", "pt"])
both_stores = pytest.mark.parametrize("kind", ["memory", "sqlite"])


async def brought(memory: Memory, language: str) -> None:
    """Take in what the button brings."""
    await memory.import_export(BytesIO(await asyncio.to_thread(lived, language)), **WHOSE)


@cache
def lived(language: str) -> bytes:
    """A story, lived once."""
    living = playing.Living(story_in(language), user="ana", now=LOADED, zone=UTC, progress=lambda *_: None)
    return playing.marked(living.run(Settings()))


async def live(memory: Memory, clock: Clock, language: str, *, days: int) -> None:
    """A life of one's own, its nights included."""
    for day in range(days):
        await memory.save(user="ana", said=OWN[language][day % 4], at=clock(), conversation=f"own-{clock():%d}")
        clock.move(hours=14, minutes=50)
        await memory.settle(flush=True)
        clock.move(hours=1, minutes=10)
        await memory.settle()
        clock.move(hours=8)


async def own_telling(memory: Memory, store: Store) -> list[str]:
    """All that is told, the compact memory by what it says: it is made anew whenever something is forgotten."""
    mine = await memory.me(user="ana")
    lines = [line for line in await told(store, NEVER) if not line.startswith("view ")]
    return [*lines, repr((mine.name, mine.location, mine.occupation, mine.family_context, mine.learnt_patterns))]


async def all_runs(memory: Memory) -> list[Run]:
    return list(await memory.consolidations(user="ana", kind=list(RunKind), limit=100))


@both_languages
@both_stores
async def test_nothing_of_a_story_is_left_in_a_memory_that_was_empty(tmp_path: Path, kind: str, language: str) -> None:
    store = await a_store(kind, tmp_path)
    async with a_memory(store, clock=Clock(LOADED)) as memory:
        before = await told(store, NEVER)
        await brought(memory, language)
        await memory.settle()
        assert len(await told(store, NEVER)) > len(before) + 100
        await playing.take_away(memory, WHOSE)
        assert await told(store, NEVER) == before
        assert not await all_runs(memory)


@both_languages
@both_stores
async def test_a_life_beside_a_story_is_told_as_before_once_it_is_gone(
    tmp_path: Path, kind: str, language: str
) -> None:
    clock = Clock()
    store = await a_store(kind, tmp_path)
    async with a_memory(store, clock=clock) as memory:
        await live(memory, clock, language, days=5)
        await memory.add("Plays the cello", user="ana")
        await memory.settle()
        assert clock() == LOADED
        before, nights = await own_telling(memory, store), await all_runs(memory)
        assert len(nights) > 5
        await brought(memory, language)
        await memory.settle()
        assert len(await all_runs(memory)) > len(nights)
        await playing.take_away(memory, WHOSE)
        assert await own_telling(memory, store) == before
        assert await all_runs(memory) == nights


@both_languages
async def test_what_was_lived_while_the_story_was_there_stays(tmp_path: Path, language: str) -> None:
    clock = Clock()
    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=clock) as memory:
        await live(memory, clock, language, days=5)
        own = await all_runs(memory)
        await brought(memory, language)
        theirs = {run.id for run in await all_runs(memory)} - {run.id for run in own}
        await live(memory, clock, language, days=3)
        await memory.save(user="ana", said=BOTH[language], at=clock(), conversation="own-too")
        await live(memory, clock, language, days=1)
        during = [run for run in await all_runs(memory) if run.started_at >= LOADED]
        said = [message.text for message in await memory.messages(user="ana", limit=200)]
        await playing.take_away(memory, WHOSE)

        assert all(message.conversation.startswith("own-") for message in await memory.messages(user="ana", limit=200))
        assert BOTH[language] in said
        known = await memory.list(user="ana", history=True, deleted=True, limit=100)
        assert {item.attribute for item in known} >= {"residence", "occupation", "relation"}
        [shared] = [item for item in known if playing.DEMO in item.tags]
        sources = {message.conversation for message in await memory.sources(shared.id, user="ana")}
        assert sources == {"own-too"}
        left = await all_runs(memory)
        kept = [run for run in during if run.kind is RunKind.CONSOLIDATION]
        assert kept
        assert {run.id for run in kept} <= {run.id for run in left}
        # of the story's own nights those stay that taught what the person said as well
        for run in left:
            if run.id in theirs:
                detail = await memory.consolidation(run.id, user="ana")
                assert {entry.target_id for entry in detail.entries} == {shared.id}
        assert not (await memory.verify()).problems


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


@pytest.mark.parametrize("after", [0, 9, 14])
async def test_who_was_interrupted_in_taking_it_away_can_begin_again(tmp_path: Path, after: int) -> None:
    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=Clock(LOADED)) as memory:
        before = await told(store, NEVER)
        await brought(memory, "en")
        with pytest.raises(StoreUnavailableError):
            await playing.take_away(cast(Memory, Interrupted(memory, after)), WHOSE)
        assert await playing.is_here(memory, WHOSE)
        await playing.take_away(memory, WHOSE)
        assert await told(store, NEVER) == before
