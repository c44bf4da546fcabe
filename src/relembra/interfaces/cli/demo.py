"""`relembra demo`: a fortnight, nights included, in the real engine, on a temporary file and a clock of its own.

The story says what happens; everything shown of the memory is the answer of a command, typed as anybody would type it.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from relembra.domain.jobs import Run, RunKind
from relembra.interfaces import stories
from relembra.interfaces.cli.call import INTERRUPTED, Answer, Call
from relembra.interfaces.cli.commands import Words
from relembra.interfaces.cli.conversations import show_receipt
from relembra.interfaces.cli.items import show_done
from relembra.interfaces.cli.main import answered, parsed
from relembra.interfaces.cli.nights import counts
from relembra.interfaces.cli.terminal import DIM, Terminal
from relembra.memory import Memory
from relembra.recall.rendering import short_date
from relembra.settings import Settings

WIDEST = 100
MOST_RECORDS = 200
SHOWN_HITS = "2"
READING_BEAT = 0.55  # seconds; a whole story then takes some forty
SHOWS: dict[str, tuple[str, ...]] = {
    "insights": ("insights", "--now"),
    "report": ("report", "weekly"),
    "visit": ("appointment",),
    "portrait": ("me",),
}


def demo(call: Call, *, fast: bool = False) -> Answer:
    """Plays in the foreground, so what is left to show is its exit code."""
    aside = Console(stderr=True) if call.json else None  # standard output is for the JSON
    code = run(call.words.language, fast=fast, console=aside)
    return Answer({"exit_code": code}, lambda *_: None, code)


def run(language: str, *, fast: bool, console: Console | None = None) -> int:
    """Play the story in a language, pausing for a reader unless `fast`; the exit status."""
    player = Player(stories.story_in(language), console or Console(highlight=False))
    player.beat = 0.0 if fast else READING_BEAT
    with TemporaryDirectory(prefix="relembra-demo-") as folder:
        try:
            return asyncio.run(player.play(Path(folder) / "memory.db"))
        except KeyboardInterrupt:
            player.show(Text(player.story.words["interrupted"], DIM))
            return INTERRUPTED


class _StoryCall(Call):
    """A command of the story, on its memory."""

    def __init__(self, typed: Sequence[str], words: Words, memory: Memory, settings: Settings) -> None:
        super().__init__(parsed(typed), words)
        self.settings = settings
        self._memory = memory

    @property
    def file(self) -> None:
        """None: the memory is open already."""

    def _opened(self, settings: Settings) -> AbstractAsyncContextManager[Memory]:
        del settings
        return nullcontext(self._memory)


class Player:
    """Lives a story through a memory, and shows what its commands answer."""

    def __init__(self, story: stories.Story, console: Console) -> None:
        self.beat = 0.0
        self.story = story
        self._words = Words(story.language)
        self._console = console
        self._console.width = min(console.width, WIDEST)
        self.settings = Settings(
            language="pt" if story.language == "pt" else "en", policy=stories.NEVER_QUIET, user=story.user
        )
        self._life = stories.Life(story, story.user, story.scenes[0].at, lambda moment: f"{moment:%Y-%m-%d}")
        self.clock = self._life.clock
        self._seen: set[str] = set()  # the records that were shown
        self._has_asked = False

    async def play(self, db: Path) -> int:
        """The exit status: not 0 when the store does not agree with itself."""
        story = self.story
        async with Memory.open(db, settings=self.settings, clock=self.clock, background=False) as memory:
            self.show(Panel(story.opening, title=story.title, title_align="left", padding=(1, 2), border_style="cyan"))
            await self._pause(1.2)
            for moment in story.moments:
                async for night in self._life.nights(memory, moment.at):
                    await self._night(memory, night)
                self._life.now = moment.at
                if isinstance(moment, stories.Scene):
                    await self.scene(memory, moment)
                else:
                    await self._entry(memory, moment)
            await self._type(memory, "list")
            code = await self._type(memory, "verify")
            self.show(Panel(Text("\n".join(f"$ {line}" for line in story.try_next)), title=story.words["now_try"]))
        return 1 if code else 0

    async def scene(self, memory: Memory, scene: stories.Scene) -> None:
        self._life.now = scene.at
        title = Text.assemble((f"{self._day(scene.at)}, {scene.at:%H:%M}", "cyan"), "  ", (scene.title, "bold"))
        self.show(Text(), Rule(title, align="left", style=DIM, characters="─"))
        for step in scene.steps:
            await self._step(memory, step)
            self._life.now += stories.BETWEEN_STEPS
        await self._pause(0.6)

    async def _entry(self, memory: Memory, entry: stories.Entry) -> None:
        """Something said in passing; the night sees to it."""
        self._line(self._day(entry.at), f"“{entry.said}”", "cyan")
        await self._life.do(memory, entry)
        await self._pause(0.3)

    async def _step(self, memory: Memory, step: stories.Step) -> None:
        story, terminal = self.story, Terminal(self._words, self._console)
        match step:
            case stories.Say(said=said, replied=replied, who=who, space=space):
                where = story.words["said_space"].format(space=space) + ": " if space else ""
                self._line(who or story.person, where + said, "bold")
                await self._life.do(memory, step)
                self._line(story.assistant, replied)
            case stories.Learn():
                show_done(terminal, await self._life.do(memory, step), "done.added")
            case stories.Confirm(words=words) | stories.Correct(words=words) | stories.Forget(words=words):
                self._line(story.person, words, "bold")
                value = await self._life.do(memory, step)
                if isinstance(step, stories.Forget):
                    show_receipt(terminal, value)
                else:
                    show_done(
                        terminal, value, "done.validated" if isinstance(step, stories.Confirm) else "done.corrected"
                    )
            case stories.Wonder():
                if asked := await self._life.do(memory, step):
                    self._line(story.assistant, asked)
                    self._has_asked = True
            case stories.Listen() if self._has_asked:  # the answer has settled it
                await self._life.do(memory, step)
                await self._type(memory, "conflicts", "--limit", "1")
                self._has_asked = False
            case stories.Listen():
                await self._type(memory, "learn")
            case stories.Ask(query=query, space=space):
                place = ("--space", space) if space else ()
                await self._type(memory, "search", query, "--why", "--limit", SHOWN_HITS, *place)
            case stories.Load(query=query, budget=budget):
                talk = ("--conversation", self._life.today)
                await self._type(memory, "context", query, "--budget", str(budget), *talk)
            case stories.Show(what="nights"):
                await self._type(memory, "consolidations")
                runs = await self._records(memory, RunKind.CONSOLIDATION)
                busiest = max(runs, key=lambda run: (run.tally.merged > 0, run.tally.superseded > 0, run.tally.created))
                await self._type(memory, "consolidations", busiest.id)
            case stories.Show(what="gardener"):
                for run in await self._records(memory, RunKind.GARDENING):
                    if run.changes:
                        await self._type(memory, "consolidations", run.id)
                await self._type(memory, "garden", "--dry-run")
            case stories.Show(what=what):
                await self._type(memory, *SHOWS[what])
        await self._pause(1.0)

    async def _type(self, memory: Memory, *typed: str) -> int:
        """What was typed, and what came of it; the exit code."""
        self.show(Text("$ ", "cyan").append(f"relembra {shlex.join(typed)}", "bold"))
        call = _StoryCall(typed, self._words, memory, self.settings)
        given = answered(call)
        answer = given if isinstance(given, Answer) else await given
        answer.show(Terminal(self._words, self._console, call), answer.value)
        return answer.code

    async def _night(self, memory: Memory, night: datetime) -> None:
        """A line of what was done since the last."""
        new = [run for run in await self._records(memory, None) if run.id not in self._seen]
        self._seen |= {run.id for run in new}
        done = []
        for record in sorted(new, key=lambda run: (run.started_at, list(RunKind).index(run.kind))):
            did = counts(self._words, record.tally, messages=False).replace(" · ", ", ")
            if did or record.kind is RunKind.CONSOLIDATION:
                done.append(f"{self._words.name('run', record.kind)}: {did or self._words('run.nothing')}")
        if done:
            self._line(f"☾ {self._day(night)}", " · ".join(done))
            await self._pause(0.3)

    async def _records(self, memory: Memory, kind: str | None) -> list[Run]:
        return list(await memory.consolidations(user=self.story.user, kind=kind, limit=MOST_RECORDS))

    async def _pause(self, beats: float) -> None:
        await asyncio.sleep(beats * self.beat)

    def _line(self, who: str, text: str, style: str = DIM) -> None:
        """Something said, or noted of a day."""
        self.show(Text.assemble((f"{who}  ", style), text))

    def _day(self, when: datetime) -> str:
        return short_date(when, self._words.language)

    def show(self, *parts: Panel | Rule | Text) -> None:
        self._console.print(*parts, sep="\n")
