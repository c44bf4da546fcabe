"""`relembra demo`: a fortnight, nights included, in the real engine, on a temporary file and a clock of its own.

The story says what happens; everything shown of the memory is what the engine returned.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import assert_never

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from relembra.domain.jobs import Run, RunKind
from relembra.domain.message import Note
from relembra.domain.scope import DEFAULT_TENANT
from relembra.interfaces.cli.call import INTERRUPTED, Answer, Call
from relembra.interfaces.cli.conversations import markdown
from relembra.interfaces.cli.nights import counts, show_changes, show_plan, status
from relembra.interfaces.cli.stage import Stage
from relembra.interfaces.cli.terminal import Terminal
from relembra.interfaces.cli.words import Words
from relembra.interfaces.differences import Difference, differences
from relembra.interfaces.recorded import texts_of
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
from relembra.lessons import Foreseen
from relembra.memory import Memory
from relembra.settings import Settings

MOST_RECORDS = 200
MOST_CHANGES = 4
MOST_LINES = 16
FIGURES = ("messages", "created", "updated", "superseded", "merged")
DIM = "bright_black"

Shown = Nights | Gardener | Insights | Report | Visit | Portrait


class Nightly:
    """Shows what the nights of a story did."""

    def __init__(self, story: Story, stage: Stage) -> None:
        self._story = story
        self._stage = stage
        self._catalogue = Words(story.language)
        self._seen: set[str] = set()

    async def passed(self, memory: Memory, night: datetime) -> bool:
        """A line of what was done since the last; whether anything was."""
        new = [run for run in await self._records(memory) if run.id not in self._seen]
        self._seen |= {run.id for run in new}
        told_of = [run for run in new if run.kind is RunKind.CONSOLIDATION or self._did(run)]
        told = Text(" · ", DIM).join(self._told(run) for run in sorted(told_of, key=_order))
        if told:
            self._stage.night(night, told)
        return bool(told)

    def _told(self, run: Run) -> Text:
        name = self._catalogue.name("run", run.kind)
        return Text(f"{name}: {self._did(run) or self._catalogue('run.nothing')}", DIM)

    def _did(self, run: Run) -> str:
        return counts(self._catalogue, run.tally, messages=False).replace(" · ", ", ")

    async def show(self, memory: Memory, step: Shown) -> None:
        match step:
            case Nights():
                await self._nights(memory)
            case Gardener():
                await self._gardener(memory)
            case Insights():
                await self._insights(memory)
            case Report():
                note = await memory.report("weekly", user=self._story.user, language=self._story.language)
                if note is not None:
                    self._told_in_short(note, "relembra report weekly")
            case Visit():
                visit = await memory.appointment(user=self._story.user, language=self._story.language)
                self._told_in_short(visit, "relembra appointment")
            case Portrait():
                await self._portrait(memory)
            case other:
                assert_never(other)

    async def _records(self, memory: Memory) -> Sequence[Run]:
        return list(await memory.consolidations(user=self._story.user, kind=None, limit=MOST_RECORDS))

    async def _nights(self, memory: Memory) -> None:
        runs = [run for run in await self._records(memory) if run.kind is RunKind.CONSOLIDATION][::-1]
        self._stage.panel(self._table(runs), self._word("nights"), self._word("nights_below"))
        busiest = max(runs, key=_changes, default=None)
        if busiest is not None:
            detail = await memory.consolidation(busiest.id, user=self._story.user)
            title = self._word("one_night").format(date=self._day(busiest))
            below = self._word("take_back").format(id=busiest.id[-8:])
            self._stage.panel(await self._difference(memory, differences(detail.entries)), title, below)

    def _table(self, runs: Sequence[Run]) -> RenderableType:
        table = Table(box=None, header_style=DIM, expand=True, padding=(0, 1), pad_edge=False)
        table.add_column(self._word("night"), no_wrap=True)
        for name in FIGURES:
            table.add_column(self._word(f"nights_{name}"), justify="right")
        table.add_column(self._word("nights_memory"), justify="right", no_wrap=True)
        table.add_column(self._word("nights_status"), no_wrap=True)
        for run in runs:
            numbers = [getattr(run.tally, name) for name in FIGURES]
            cells = [Text(str(number)) if number else Text("·", DIM) for number in numbers]
            version = f"v{run.memory_after}" if run.memory_after else ""
            table.add_row(self._day(run), *cells, version, status(self._catalogue, run))
        return table

    async def _difference(self, memory: Memory, rows: Sequence[Difference]) -> RenderableType:
        console = _Page(self._catalogue)
        texts = await texts_of(memory, rows, {"user": self._story.user, "tenant": DEFAULT_TENANT})
        show_changes(console, rows, texts, most=MOST_CHANGES)
        return Group(*console.parts)

    async def _gardener(self, memory: Memory) -> None:
        """What it did so far, and what it would do were it to come now."""
        rows: list[Difference] = []
        for run in await self._records(memory):
            if run.kind is RunKind.GARDENING and run.changes:
                detail = await memory.consolidation(run.id, user=self._story.user)
                rows += differences(detail.entries)
        page = _Page(self._catalogue)
        if rows:
            texts = await texts_of(memory, rows, {"user": self._story.user, "tenant": DEFAULT_TENANT})
            show_changes(page, rows, texts, most=MOST_CHANGES)
        plan = await memory.garden_plan(user=self._story.user)
        show_plan(page, plan, most=MOST_CHANGES)
        if page.parts:
            self._stage.panel(Group(*page.parts), self._word("gardener"))

    async def _insights(self, memory: Memory) -> None:
        await memory.find_insights(user=self._story.user)
        found = await memory.insights(user=self._story.user)
        if not found:
            self._stage.panel(Text(self._word("no_insights"), DIM), self._word("insights"))
            return
        lines = []
        for item in found:
            sure = f"\n{self._catalogue.number(item.confidence)} "
            line = Text(item.content, "bold").append(sure, "not bold yellow")
            lines.append(line.append(item.evidence or "", f"not bold {DIM}"))
        self._stage.panel(Group(*lines), self._word("insights"), self._word("insights_below"))

    def _told_in_short(self, note: Note, command: str) -> None:
        below = self._word("whole").format(command=command)
        self._stage.panel(markdown(note.summary, most=MOST_LINES, close=True), note.title, below)

    async def _portrait(self, memory: Memory) -> None:
        portrait = await memory.me(user=self._story.user)
        below = self._word("version").format(version=portrait.version)
        self._stage.panel(markdown(portrait.text, close=True), self._word("portrait"), below)

    def _day(self, run: Run) -> str:
        return self._stage.day(run.night or run.started_at)

    def _word(self, name: str) -> str:
        return self._story.words[name]


class _Page(Terminal):
    """A terminal that keeps what it is shown, to be framed."""

    def __init__(self, words: Words) -> None:
        super().__init__(words, Console(width=80))
        self.parts: list[RenderableType] = []

    def show(self, *parts: RenderableType) -> None:
        self.parts += parts


def _changes(run: Run) -> tuple[int, int]:
    """What makes a night worth showing: replaced and merged first, then new."""
    tally = run.tally
    return (bool(tally.superseded) + 2 * bool(tally.merged), tally.created + tally.updated)


def _order(run: Run) -> tuple[datetime, int]:
    """As they were begun; those of one moment in the order of a night."""
    return run.started_at, list(RunKind).index(run.kind)


SHOWN_HITS = 2
READING_BEAT = 0.55  # seconds; a whole story then takes some forty


def demo(call: Call, *, fast: bool = False) -> Answer:
    """Plays in the foreground, so what is left to show is its exit code."""
    aside = Console(stderr=True) if call.json else None  # standard output is for the JSON
    code = run(call.words.language, fast=fast, console=aside)
    return Answer({"exit_code": code}, lambda _: None, code)


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
        self._stage.aside(entry)
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
