"""The demo's story brought into somebody's memory, as if they had lived through it until yesterday.

It is lived in a memory of its own, kept in this process, on a clock of its own and with the shipped models, so that its
nights have their dates, nothing is sent anywhere, and nobody meets half a story. What came of it is then taken in.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta, tzinfo
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
    memory: Memory, *, language: str, zone: tzinfo, now: datetime, settings: Settings, progress: Progress, whose: Whose
) -> None:
    """Live the story in a language and take what came of it into a memory."""
    living = Living(story_in(language), user=str(whose["user"]), now=now.astimezone(zone), progress=progress)
    try:
        export = await asyncio.to_thread(living.run, settings)
    except asyncio.CancelledError:
        living.stopped.set()
        raise

    def taken_in(done: int, total: int) -> None:
        progress(living.steps + _TAKEN_IN * done // max(1, total), living.steps + _TAKEN_IN)

    await memory.import_export(BytesIO(marked(export)), progress=taken_in, **whose)


class Living:
    """A story on its way, without an audience, in a thread of its own so that it keeps nobody else waiting."""

    def __init__(self, story: Story, *, user: str, now: datetime, progress: Progress) -> None:
        self._language = story.language
        self._moments = moved(story, now)
        start = self._moments[0].at
        first = start.date()
        self._life = Life(story, user, start, lambda moment: conversation_on((moment.date() - first).days + 1))
        self._now = now
        self._progress = progress
        self.steps = len(self._moments) + 1
        self.stopped = threading.Event()  # nobody waits for it any more

    def run(self, settings: Settings) -> bytes:
        """What came of it, as an export."""
        language: Literal["en", "pt"] = "pt" if self._language == "pt" else "en"
        # Nothing outside is asked, and it ends with this process.
        return asyncio.run(self._live(Settings(language=language, timezone=settings.timezone, policy=NEVER_QUIET)))

    async def _live(self, settings: Settings) -> bytes:
        life, total = self._life, self.steps + _TAKEN_IN
        async with Memory.open(":memory:", settings=settings, clock=life.clock, background=False) as lived:
            for number, moment in enumerate(self._moments):
                if self.stopped.is_set():
                    return b""
                self._progress(number, total)
                await self.until(lived, moment.at)
                await self._moment(lived, moment)
            self._progress(self.steps - 1, total)
            await self.until(lived, self._now)
            file = BytesIO()
            await lived.export(file, user=life.user, format="json")
        self._progress(self.steps, total)
        return file.getvalue()

    async def until(self, memory: Memory, moment: datetime) -> None:
        """Let the nights before a moment pass, with their work."""
        async for _ in self._life.nights(memory, moment):
            pass
        self._life.now = max(self._life.now, moment.astimezone(self._life.now.tzinfo))

    async def _moment(self, memory: Memory, moment: Scene | Entry) -> None:
        if isinstance(moment, Entry):
            await self._life.do(memory, moment)
            return
        for step in moment.steps:
            if getattr(step, "space", None) is None:  # a story is for one person; others hear nothing of it
                await self._life.do(memory, step)
            self._life.now += BETWEEN_STEPS


async def is_here(memory: Memory, whose: Whose) -> bool:
    """Whether somebody's memory holds a story."""
    return bool(await memory.messages(conversation=conversation_on(1), limit=1, **whose))


async def take_away(memory: Memory, whose: Whose) -> None:
    """Forget what a story brought, and nothing else: what was said outside it as well stays known.

    Its first day goes last, by which it is known to be here, so that whoever was interrupted can begin again.
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
