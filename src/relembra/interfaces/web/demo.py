"""The demo story brought into a user's memory, as if they had lived through it until yesterday.

It is lived in a memory of its own, kept in this process, on a clock of its own and with the shipped models, so that its
nights have their dates, nothing is sent anywhere, and no half of a story is shown. What came of it is then imported.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any, Literal

import msgspec

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Whose
from relembra.errors import NotFoundError
from relembra.interfaces.stories import BETWEEN_STEPS, NEVER_QUIET, Entry, Life, Scene, Story, story_in
from relembra.memory import Memory
from relembra.settings import Settings

DEMO = "demo-story"
"""The tag of every item a story brought, and the beginning of its conversations' ids."""
MOST_DAYS = 60
MOST_ITEMS = 100

_TAKEN_IN = 8
"""How many steps of the whole taking it in counts for."""

Progress = Callable[[int, int | None], None]


async def bring(
    memory: Memory, *, language: str, now: datetime, settings: Settings, progress: Progress, whose: Whose
) -> None:
    """Live the story in a language and take what came of it into a memory."""
    story, stopped = story_in(language), threading.Event()
    steps = len(story.moments) + 1

    def lived() -> bytes:
        return live(story, user=str(whose["user"]), now=now, timezone=settings.timezone, progress=tick)

    def tick(done: int) -> None:
        if stopped.is_set():
            raise asyncio.CancelledError
        progress(done, steps + _TAKEN_IN)

    def taken_in(done: int, total: int) -> None:
        progress(steps + _TAKEN_IN * done // max(1, total), steps + _TAKEN_IN)

    try:
        export = await asyncio.to_thread(lived)
    except asyncio.CancelledError:
        stopped.set()
        raise
    await memory.import_export(BytesIO(export), progress=taken_in, **whose)


def live(
    story: Story, *, user: str, now: datetime, timezone: str = "", progress: Callable[[int], None] = lambda _: None
) -> bytes:
    """Live a story until now, with a loop of its own so that it keeps nothing else waiting; what came of it.

    `progress` hears of each moment, and may raise to end it.
    """
    language: Literal["en", "pt"] = "pt" if story.language == "pt" else "en"
    settings = Settings(language=language, timezone=timezone, policy=NEVER_QUIET)
    return marked(asyncio.run(_lived(story, user, now, settings, progress)))


async def _lived(story: Story, user: str, now: datetime, settings: Settings, progress: Callable[[int], None]) -> bytes:
    moments = moved(story, now)
    start = moments[0].at
    life = Life(story, user, start, lambda moment: conversation_on((moment.date() - start.date()).days + 1))

    async def until(moment: datetime) -> None:
        """Let the nights before a moment pass, with their work."""
        async for _ in life.nights(memory, moment):
            pass
        life.now = max(life.now, moment.astimezone(life.now.tzinfo))

    async with Memory.open(":memory:", settings=settings, clock=life.clock, background=False) as memory:
        for number, moment in enumerate(moments):
            progress(number)
            await until(moment.at)
            if isinstance(moment, Entry):
                await life.do(memory, moment)
                continue
            for step in moment.steps:
                if getattr(step, "space", None) is None:  # a story is for one person; others hear nothing of it
                    await life.do(memory, step)
                life.now += BETWEEN_STEPS
        await until(now)
        file = BytesIO()
        await memory.export(file, user=user, format="json")
    progress(len(moments) + 1)
    return file.getvalue()


async def is_here(memory: Memory, whose: Whose) -> bool:
    """Whether a memory holds a story."""
    return bool(await memory.messages(conversation=conversation_on(1), limit=1, **whose))


async def take_away(memory: Memory, whose: Whose) -> None:
    """Forget what a story brought, and nothing else: what was said outside it as well stays known.

    Its first day goes last, by which it is known to be here, so that an interrupted removal can begin again.
    """
    for day in range(MOST_DAYS, 1, -1):
        with suppress(NotFoundError):
            await memory.forget(conversation=conversation_on(day), **whose)
    for id in [item.id for item in await _tagged(memory, whose) if not item.message_ids]:
        with suppress(NotFoundError):
            await memory.forget(item=id, **whose)
    with suppress(NotFoundError):
        await memory.forget(conversation=conversation_on(1), **whose)


async def _tagged(memory: Memory, whose: Whose) -> list[KnowledgeItem]:
    """Everything that has the tag, past and deleted ones too."""
    found: list[KnowledgeItem] = []
    after = None
    while True:
        page = await memory.list(tags=(DEMO,), history=True, deleted=True, limit=MOST_ITEMS, after=after, **whose)
        found += page
        after = page.next
        if after is None:
            return found


def conversation_on(day: int) -> str:
    """The conversation of a story's day, counted from 1."""
    return f"{DEMO}-{day:02}"


def moved(story: Story, now: datetime) -> list[Scene | Entry]:
    """What happens in a story, at the same hours of other days, so that the last of it was yesterday."""
    moments = story.moments
    days = (now - timedelta(days=1)).date() - moments[-1].at.date()

    def later(at: datetime) -> datetime:
        return datetime.combine(at.date() + days, at.time(), now.tzinfo)

    return [msgspec.structs.replace(moment, at=later(moment.at)) for moment in moments]


def marked(export: bytes) -> bytes:
    """An export with the tag on each of its items, and without what could not be told from the person's own later.

    That is nights that changed nothing, nights to come, and the compact memory, which is made of what is known.
    """
    document: dict[str, Any] = msgspec.json.decode(export)
    for item in document["items"]:
        item["tags"] = [*item.get("tags", ()), DEMO]
    document["runs"] = [run for run in document["runs"] if run["changes"]]
    document |= {"work": [], "views": []}
    document["counts"] |= {part: len(document[part]) for part in ("runs", "work", "views")}
    return msgspec.json.encode(document)
