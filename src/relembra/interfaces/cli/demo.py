"""`relembra demo`: a fortnight, nights included, in the real engine, on a temporary file and a clock of its own.

The story says what happens; everything shown of the memory is what the engine returned.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import assert_never

from rich.console import Console

from relembra import Foreseen, Memory
from relembra.interfaces.cli.fortnight import Nightly
from relembra.interfaces.cli.staging import Stage
from relembra.interfaces.stories import (
    Ask,
    Confirm,
    Correct,
    Entry,
    Forget,
    Gardener,
    Insights,
    Learn,
    Listen,
    Load,
    Nights,
    Portrait,
    Report,
    Say,
    Scene,
    Step,
    Story,
    Visit,
    Wonder,
    story_in,
)
from relembra.interfaces.stories.living import BETWEEN_STEPS, NEVER_QUIET, Life
from relembra.settings import Settings

SHOWN_HITS = 2
READING_BEAT = 0.55  # seconds; a whole story then takes some forty
INTERRUPTED = 130  # what a shell expects of a program stopped by Ctrl-C


def run(language: str, *, fast: bool, console: Console | None = None) -> int:
    """Play the story in a language, pausing for a reader unless `fast`; the exit status."""
    story = story_in(language)
    settings = Settings(language="pt" if language == "pt" else "en", policy=NEVER_QUIET)
    stage = Stage(story, console or _terminal(), settings.chosen_policy())
    with TemporaryDirectory(prefix="relembra-demo-") as folder:
        try:
            return asyncio.run(
                _play(story, stage, Path(folder) / "memory.db", settings, beat=0.0 if fast else READING_BEAT)
            )
        except KeyboardInterrupt:
            stage.interrupted()
            return INTERRUPTED


def _terminal() -> Console:
    return Console(highlight=False, file=sys.stdout)


async def _play(story: Story, stage: Stage, db: Path, settings: Settings, *, beat: float) -> int:
    player = Player(story, stage, beat=beat)
    async with Memory.open(db, settings=settings, clock=player.clock, background=False) as memory:
        stage.open()
        await player.pause(1.2)
        for moment in story.moments:
            await player.until(memory, moment.at)
            await (player.scene(memory, moment) if isinstance(moment, Scene) else player.entry(memory, moment))
        return await player.end(memory)


class Player:
    """Lives a story through a memory: each step calls one verb and shows what came back."""

    def __init__(self, story: Story, stage: Stage, *, beat: float) -> None:
        self._story = story
        self._stage = stage
        self._beat = beat
        self._life = Life(story.user, story.scenes[0].at)
        self.clock = self._life.clock
        self._gone = 0
        self._open: list[str] = []  # the questions that were open when it last listened
        self._nightly = Nightly(story, stage)

    @property
    def _today(self) -> str:
        """The id of the day's conversation: this assistant starts a new one each day."""
        return f"{self.clock():%Y-%m-%d}"

    async def pause(self, beats: float) -> None:
        await asyncio.sleep(beats * self._beat)

    async def until(self, memory: Memory, moment: datetime) -> None:
        """Let the nights before a moment pass: what was said is learnt from, and their work is done and shown."""
        async for night in self._life.nights(memory, moment):
            if await self._nightly.passed(memory, night):
                await self.pause(0.3)
        self._life.now = moment

    async def entry(self, memory: Memory, entry: Entry) -> None:
        """Something said in passing; the night sees to it."""
        self._stage.passing(entry)
        await memory.save(
            user=self._story.user, said=entry.said, at=entry.at, author=self._story.person, conversation=self._today
        )
        await self.pause(0.3)

    async def scene(self, memory: Memory, scene: Scene) -> None:
        self._life.now = scene.at
        self._stage.scene(scene)
        for step in scene.steps:
            await self._step(memory, step)
            self._life.now += BETWEEN_STEPS
        await self.pause(0.6)

    async def end(self, memory: Memory) -> int:
        """The closing table; not 0 when the store does not agree with itself."""
        user = self._story.user
        items = await memory.list(user=user)
        verification = await memory.verify()
        self._stage.end(items, await memory.stats(user=user), self._gone, verification)
        return 1 if verification.problems else 0

    async def _step(self, memory: Memory, step: Step) -> None:
        match step:
            case Say():
                await self._say(memory, step)
            case Listen():
                await self._listen(memory)
            case Wonder():
                await self._wonder(memory)
            case Learn():
                await self._learn(memory, step)
            case Ask(query=query, space=space):
                hits = await memory.search(query, user=self._story.user, space=space, limit=SHOWN_HITS)
                self._stage.answer(query, hits, space)
                await self.pause(1.1)
            case Load(query=query, budget=budget):
                context = await memory.load(user=self._story.user, query=query, budget=budget, conversation=self._today)
                self._stage.context(query, context)
                await self.pause(1.6)
            case Confirm(name=name, words=words):
                await self._asked(words)
                self._stage.confirmed(*await self._life.confirm(memory, name))
                await self.pause(0.6)
            case Correct():
                await self._asked(step.words)
                self._stage.corrected(*await self._life.correct(memory, step))
                await self.pause(0.8)
            case Forget(conversation=conversation, words=words):
                await self._asked(words)
                gone = await memory.forget(user=self._story.user, conversation=conversation)
                self._gone += gone.total
                self._stage.receipt(gone)
                await self.pause(1.0)
            case Nights() | Gardener() | Insights() | Report() | Visit() | Portrait():
                await self._nightly.show(memory, step)
                await self.pause(1.6)
            case other:
                assert_never(other)

    async def _asked(self, words: str) -> None:
        """The person tells the program what to do; that is a command and not kept as talk."""
        self._stage.line(self._story.person, words, aside=True)
        await self.pause(0.6)

    async def _say(self, memory: Memory, step: Say) -> None:
        who = step.who or self._story.person
        self._stage.line(who, step.said, place=step.space)
        await self.pause(0.6)
        conversation = step.conversation or (self._today if step.space is None else None)
        await self._life.say(memory, step, conversation=conversation, author=who)
        self._stage.line(self._story.assistant, step.replied)
        await self.pause(0.4)

    async def _listen(self, memory: Memory) -> None:
        """Everything that came of what was said; a value that was replaced is shown with its history."""
        user = self._story.user
        asked, learnt = self._open, await memory.learn(user=user)
        self._open = [conflict.id for conflict in await memory.conflicts(user=user, open_only=True)]
        answered = [await memory.conflict(id, user=user) for id in asked if id not in self._open]
        for foreseen in map(Foreseen.of, learnt.decisions):
            self._stage.heard(foreseen)
            if foreseen.verdict == "replace":
                self._stage.history(await memory.history(foreseen.item.id, user=user))
            await self.pause(0.4)
        for conflict in answered:
            self._stage.settled(conflict)
        if not learnt.decisions and not answered:
            self._stage.unmoved()
        await self.pause(0.8)

    async def _wonder(self, memory: Memory) -> None:
        asked = await self._life.wonder(memory, conversation=self._today)
        if asked is not None:
            self._stage.line(self._story.assistant, asked)
        await self.pause(1.0)

    async def _learn(self, memory: Memory, step: Learn) -> None:
        item = await self._life.learn(memory, step)
        self._stage.learnt(item)
        history = await memory.history(item.id, user=self._story.user)
        if history.predecessors:
            self._stage.history(history)
        await self.pause(0.5)
