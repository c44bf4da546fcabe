"""`relembra demo`: a fortnight, nights included, in the real engine, on a temporary file and a clock of its own.

The story says what happens; everything shown of the memory is what the engine returned, as the commands show it.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from relembra.domain.jobs import Run, RunKind
from relembra.domain.scope import DEFAULT_TENANT
from relembra.interfaces.cli.call import INTERRUPTED, Answer, Call
from relembra.interfaces.cli.conflicts import outcomes, show_settled
from relembra.interfaces.cli.conversations import markdown, show_receipt
from relembra.interfaces.cli.items import show_done, show_items
from relembra.interfaces.cli.nights import counts, show_changes, show_insights, show_plan, show_records
from relembra.interfaces.cli.terminal import DIM, Terminal, short
from relembra.interfaces.cli.words import Words
from relembra.interfaces.differences import Difference, differences
from relembra.interfaces.recorded import texts_of
from relembra.interfaces.stories import (
    BETWEEN_STEPS,
    NEVER_QUIET,
    Ask,
    Confirm,
    Correct,
    Entry,
    Forget,
    Learn,
    Life,
    Listen,
    Load,
    Say,
    Scene,
    Show,
    Step,
    Story,
    Wonder,
    story_in,
)
from relembra.lessons import Foreseen
from relembra.memory import Memory
from relembra.recall.rendering import short_date
from relembra.settings import Settings

WIDEST = 100
MOST_RECORDS = 200
MOST_CHANGES = 4
MOST_LINES = 24
SHOWN_HITS = 2
READING_BEAT = 0.55  # seconds; a whole story then takes some forty


def demo(call: Call, *, fast: bool = False) -> Answer:
    """Plays in the foreground, so what is left to show is its exit code."""
    aside = Console(stderr=True) if call.json else None  # standard output is for the JSON
    code = run(call.words.language, fast=fast, console=aside)
    return Answer({"exit_code": code}, lambda _: None, code)


def run(language: str, *, fast: bool, console: Console | None = None) -> int:
    """Play the story in a language, pausing for a reader unless `fast`; the exit status."""
    player = Player(story_in(language), console or Console(highlight=False, file=sys.stdout))
    player.beat = 0.0 if fast else READING_BEAT
    with TemporaryDirectory(prefix="relembra-demo-") as folder:
        try:
            return asyncio.run(player.play(Path(folder) / "memory.db"))
        except KeyboardInterrupt:
            player.say("interrupted", DIM)
            return INTERRUPTED


class _Page(Terminal):
    """A terminal that keeps what it is shown, to be framed."""

    def __init__(self, words: Words, width: int) -> None:
        super().__init__(words, Console(width=width))
        self.parts: list[RenderableType] = []

    def show(self, *parts: RenderableType) -> None:
        self.parts += parts


class Player:
    """Lives a story through a memory: each step calls one verb and shows what came back."""

    def __init__(self, story: Story, console: Console) -> None:
        self.beat = 0.0
        self._story = story
        self._words = Words(story.language)
        self._console = console
        self._width = min(console.width, WIDEST)
        self.settings = Settings(language="pt" if story.language == "pt" else "en", policy=NEVER_QUIET)
        self._life = Life(story, story.user, story.scenes[0].at, lambda moment: f"{moment:%Y-%m-%d}")
        self.clock = self._life.clock
        self._open: list[str] = []  # the questions that were open when it last listened
        self._seen: set[str] = set()  # the records that were shown

    async def play(self, db: Path) -> int:
        story = self._story
        async with Memory.open(db, settings=self.settings, clock=self.clock, background=False) as memory:
            self._show(Panel(story.opening, title=story.title, title_align="left", padding=(1, 2), border_style="cyan"))
            await self._pause(1.2)
            for moment in story.moments:
                async for night in self._life.nights(memory, moment.at):
                    await self._night(memory, night)
                self._life.now = moment.at
                if isinstance(moment, Scene):
                    await self.scene(memory, moment)
                else:
                    await self._entry(memory, moment)
            return await self._end(memory)

    async def scene(self, memory: Memory, scene: Scene) -> None:
        self._life.now = scene.at
        self._show(Text())
        title = Text.assemble((f"{self._day(scene.at)}, {scene.at:%H:%M}", "cyan"), "  ", (scene.title, "bold"))
        self._show(Rule(title, align="left", style=DIM, characters="─"))
        for step in scene.steps:
            await self._step(memory, step)
            self._life.now += BETWEEN_STEPS
        await self._pause(0.6)

    async def _entry(self, memory: Memory, entry: Entry) -> None:
        """Something said in passing; the night sees to it."""
        self._line(self._day(entry.at), f"“{entry.said}”", "cyan")
        await self._life.do(memory, entry)
        await self._pause(0.3)

    async def _step(self, memory: Memory, step: Step) -> None:
        story, user = self._story, self._story.user
        match step:
            case Say(said=said, replied=replied, who=who, space=space):
                where = story.words["said_space"].format(space=space) + ": " if space else ""
                self._line(who or story.person, where + said, "bold")
                await self._life.do(memory, step)
                self._line(story.assistant, replied)
            case Confirm(words=words) | Correct(words=words) | Forget(words=words):
                self._line(story.person, words, "bold")
                self._told(step, await self._life.do(memory, step))
            case Listen():
                await self._listen(memory)
            case Wonder():
                if asked := await self._life.do(memory, step):
                    self._line(story.assistant, asked)
            case Ask(query=query, space=space):
                hits = await memory.search(query, user=user, space=space, limit=SHOWN_HITS)
                below = story.words["asked_private" if space is None else "asked_space"].format(space=space)
                self._framed(lambda page: show_items(page, hits, why=True), f"? {query}", below)
            case Load(query=query, budget=budget):
                made = await memory.load(user=user, query=query, budget=budget, conversation=self._life.today)
                self._panel(Text(made.text), f"? {query}", "handed", tokens=made.tokens, budget=made.budget)
            case Show(what=("nights" | "gardener" | "portrait") as what):
                await getattr(self, f"_{what}")(memory)
            case Learn() | Show():
                self._told(step, await self._life.do(memory, step))
        await self._pause(1.0)

    def _told(self, step: Step, value: Any) -> None:
        """What came of a step."""
        words = self._story.words
        match step:
            case Learn():
                self._framed(lambda page: show_done(page, "done.added", value))
            case Confirm():
                self._framed(lambda page: show_done(page, "done.validated", value))
            case Correct():
                self._framed(lambda page: show_done(page, "done.corrected", value))
            case Forget():
                self._framed(lambda page: show_receipt(page, value), words["receipt"])
            case Show(what="insights"):
                self._framed(lambda page: show_insights(page, value), words["insights"], words["no_insights"])
            case Show(what=what) if value is not None:
                command = "relembra report weekly" if what == "report" else "relembra appointment"
                self._panel(markdown(value.summary, most=MOST_LINES), value.title, "whole", command=command)

    async def _listen(self, memory: Memory) -> None:
        """Everything that came of what was said."""
        user = self._story.user
        asked, learnt = self._open, await memory.learn(user=user)
        self._open = [conflict.id for conflict in await memory.conflicts(user=user, open_only=True)]
        settled = [await memory.conflict(id, user=user) for id in asked if id not in self._open]
        page = self._page()
        if learnt.decisions:
            outcomes(page, [Foreseen.of(decision) for decision in learnt.decisions])
        for conflict in settled:
            show_settled(page, conflict)
        self._show(Group(*page.parts) if page.parts else Text(self._story.words["unmoved"], DIM))

    async def _night(self, memory: Memory, night: datetime) -> None:
        """A line of what was done since the last."""
        new = [run for run in await self._records(memory) if run.id not in self._seen]
        self._seen |= {run.id for run in new}
        told = []
        for record in sorted(new, key=lambda run: (run.started_at, list(RunKind).index(run.kind))):
            did = counts(self._words, record.tally, messages=False).replace(" · ", ", ")
            if did or record.kind is RunKind.CONSOLIDATION:
                told.append(f"{self._words.name('run', record.kind)}: {did or self._words('run.nothing')}")
        if told:
            self._line(f"☾ {self._day(night)}", " · ".join(told))
            await self._pause(0.3)

    async def _records(self, memory: Memory) -> list[Run]:
        return list(await memory.consolidations(user=self._story.user, kind=None, limit=MOST_RECORDS))

    async def _nights(self, memory: Memory) -> None:
        """The records, and the busiest night as a difference."""
        words = self._story.words
        runs = [run for run in await self._records(memory) if run.kind is RunKind.CONSOLIDATION][::-1]
        self._framed(lambda page: show_records(page, runs), words["nights"])
        busiest = max(runs, key=lambda run: (run.tally.merged > 0, run.tally.superseded > 0, run.tally.created))
        page = self._page()
        await self._changes(memory, page, [busiest])
        title = words["one_night"].format(date=self._day(busiest.started_at))
        self._panel(Group(*page.parts), title, "take_back", id=short(busiest.id))

    async def _gardener(self, memory: Memory) -> None:
        """What it did so far, and what it would do were it to come now."""
        page = self._page()
        await self._changes(
            memory, page, [run for run in await self._records(memory) if run.kind is RunKind.GARDENING and run.changes]
        )
        show_plan(page, await memory.garden_plan(user=self._story.user), most=MOST_CHANGES)
        self._panel(Group(*page.parts), self._story.words["gardener"])

    async def _changes(self, memory: Memory, page: _Page, runs: Sequence[Run]) -> None:
        rows: list[Difference] = []
        for one in runs:
            rows += differences((await memory.consolidation(one.id, user=self._story.user)).entries)
        texts = await texts_of(memory, rows, {"user": self._story.user, "tenant": DEFAULT_TENANT})
        show_changes(page, rows, texts, most=MOST_CHANGES)

    async def _portrait(self, memory: Memory) -> None:
        made = await memory.me(user=self._story.user)
        self._panel(Text(made.text), self._story.words["portrait"], "version", version=made.version)

    async def _end(self, memory: Memory) -> int:
        """What is remembered; not 0 when the store does not agree with itself."""
        story = self._story
        items, found = await memory.list(user=story.user), await memory.verify()
        title = story.words["remembered"].format(person=story.person)
        self._framed(lambda page: show_items(page, items), title)
        if found.problems:
            self.say("end_problems", "bold red", problems="; ".join(found.problems))
        else:
            self.say("end_clean", "green", checked=sum(found.checked.values()))
        self._panel(Text("\n".join(f"$ {line}" for line in story.try_next)), story.words["now_try"])
        return 1 if found.problems else 0

    # ── how it looks ──────────────────────────────────────────────────────────────────────────────────────────────

    def say(self, key: str, style: str = "", **parts: object) -> None:
        self._show(Text(self._story.words[key].format(**parts), style))

    async def _pause(self, beats: float) -> None:
        await asyncio.sleep(beats * self.beat)

    def _page(self) -> _Page:
        return _Page(self._words, self._width - 4)

    def _framed(self, show: Callable[[Terminal], None], title: str = "", below: str = "") -> None:
        """What a command would show, in a frame where it has a title."""
        page = self._page()
        show(page)
        body = Group(*(page.parts or [Text(self._story.words["nothing"], DIM)]))
        self._show(self._frame(body, title, below) if title else body)

    def _panel(self, body: RenderableType, title: str, below: str = "", **parts: object) -> None:
        self._show(self._frame(body, title, self._story.words[below].format(**parts) if below else ""))

    def _frame(self, body: RenderableType, title: str, below: str) -> Panel:
        head, foot = Text(title, "bold default"), Text(below, DIM) if below else None
        return Panel(body, title=head, title_align="left", subtitle=foot, subtitle_align="right", border_style=DIM)

    def _line(self, who: str, text: str, style: str = DIM) -> None:
        """Somebody says something, or something is noted of a day."""
        self._show(Text.assemble((f"{who}  ", style), text))

    def _day(self, when: datetime) -> str:
        return short_date(when, self._words.language)

    def _show(self, what: RenderableType) -> None:
        self._console.print(what, width=self._width)
