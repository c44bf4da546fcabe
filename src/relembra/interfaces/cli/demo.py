"""`relembra demo`: a fortnight, nights included, in the real engine, on a temporary file and a clock of its own.

The story says what happens; everything shown of the memory is the answer of a command, typed as anybody would type it.
"""

from __future__ import annotations

import asyncio
import shlex
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

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
    """Play the story in a language, pausing for a reader unless `fast`; not 0 where the store disagrees with itself."""
    story = stories.story_in(language)
    console = console or Console(highlight=False)
    console.width = min(console.width, WIDEST)

    async def play(db: Path) -> int:
        life = stories.Life(story, story.user, story.scenes[0].at, lambda moment: f"{moment:%Y-%m-%d}")
        chosen: Literal["en", "pt"] = "pt" if story.language == "pt" else "en"
        settings = Settings(language=chosen, policy=stories.NEVER_QUIET, user=story.user)
        async with Memory.open(db, settings=settings, clock=life.clock, background=False) as memory:
            return await _Player(story, life, memory, settings, console, 0.0 if fast else READING_BEAT).play()

    with TemporaryDirectory(prefix="relembra-demo-") as folder:
        try:
            return asyncio.run(play(Path(folder) / "memory.db"))
        except KeyboardInterrupt:
            console.print(Text(story.words["interrupted"], DIM))
            return INTERRUPTED


class _Player:
    """Lives a story through a memory, and shows what its commands answer; `beat`: how long a reader is given."""

    def __init__(
        self,
        story: stories.Story,
        life: stories.Life,
        memory: Memory,
        settings: Settings,
        console: Console,
        beat: float,
    ) -> None:
        self._story, self._life, self._memory, self._settings = story, life, memory, settings
        self._console, self._beat = console, beat
        self._words = Words(story.language)
        self._seen: set[str] = set()  # the records that were shown
        self._has_asked = False

    async def play(self) -> int:
        """The exit status of the verification at the end."""
        story, life = self._story, self._life
        self._show(Panel(story.opening, title=story.title, title_align="left", padding=(1, 2), border_style="cyan"))
        await self._pause(1.2)
        for moment in story.moments:
            async for night in life.nights(self._memory, moment.at):
                await self._night(night)
            life.now = moment.at
            day = short_date(moment.at, story.language)
            if isinstance(moment, stories.Entry):  # said in passing; the night sees to it
                self._line(day, f"“{moment.said}”", "cyan")
                await life.do(self._memory, moment)
                await self._pause(0.3)
                continue
            title = Text.assemble((f"{day}, {moment.at:%H:%M}", "cyan"), "  ", (moment.title, "bold"))
            self._show(Text(), Rule(title, align="left", style=DIM, characters="─"))
            for step in moment.steps:
                await self._step(step)
                await self._pause(1.0)
                life.now += stories.BETWEEN_STEPS
            await self._pause(0.6)
        await self._type("list")
        code = await self._type("verify")
        self._show(Panel(Text("\n".join(f"$ {line}" for line in story.try_next)), title=story.words["now_try"]))
        return 1 if code else 0

    async def _step(self, step: stories.Step) -> None:
        story = self._story
        match step:  # what is said, before anything comes of it
            case stories.Say(said=said, who=who, space=space):
                where = story.words["said_space"].format(space=space) + ": " if space else ""
                self._line(who or story.person, where + said, "bold")
            case stories.Confirm(words=said) | stories.Correct(words=said) | stories.Forget(words=said):
                self._line(story.person, said, "bold")
        terminal = Terminal(self._words, self._console)
        is_typed = isinstance(step, stories.Show) or (isinstance(step, stories.Listen) and not self._has_asked)
        value: Any = None if is_typed else await self._life.do(self._memory, step)
        match step:
            case stories.Say(replied=replied):
                self._line(story.assistant, replied)
            case stories.Learn():
                show_done(terminal, value, "done.added")
            case stories.Confirm():
                show_done(terminal, value, "done.validated")
            case stories.Correct():
                show_done(terminal, value, "done.corrected")
            case stories.Forget():
                show_receipt(terminal, value)
            case stories.Wonder() if value:
                self._line(story.assistant, value)
                self._has_asked = True
            case stories.Listen() if self._has_asked:  # the answer has settled it
                await self._type("conflicts", "--limit", "1")
                self._has_asked = False
            case stories.Listen():
                await self._type("learn")
            case stories.Ask(query=query, space=space):
                await self._type("search", query, "--why", "--limit", "2", *(("--space", space) if space else ()))
            case stories.Load(query=query, budget=budget):
                await self._type("context", query, "--budget", str(budget), "--conversation", self._life.today)
            case stories.Show(what="nights"):
                await self._type("consolidations")
                runs = await self._records(RunKind.CONSOLIDATION)
                busiest = max(runs, key=lambda run: (run.tally.merged > 0, run.tally.superseded > 0, run.tally.created))
                await self._type("consolidations", busiest.id)
            case stories.Show(what="gardener"):
                for run in await self._records(RunKind.GARDENING):
                    if run.changes:
                        await self._type("consolidations", run.id)
                await self._type("garden", "--dry-run")
            case stories.Show(what=what):
                await self._type(*SHOWS[what])

    async def _type(self, *typed: str) -> int:
        """What was typed, and what came of it; the exit code."""
        self._show(Text("$ ", "cyan").append(f"relembra {shlex.join(typed)}", "bold"))
        call = Call(parsed(typed), self._words, memory=self._memory, settings=self._settings)
        given = answered(call)
        answer = given if isinstance(given, Answer) else await given
        answer.show(Terminal(self._words, self._console, call), answer.value)
        return answer.code

    async def _night(self, night: datetime) -> None:
        """A line of what was done since the last."""
        new = [run for run in await self._records(None) if run.id not in self._seen]
        self._seen |= {run.id for run in new}
        done = []
        for record in sorted(new, key=lambda run: (run.started_at, list(RunKind).index(run.kind))):
            did = counts(self._words, record.tally, messages=False).replace(" · ", ", ")
            if did or record.kind is RunKind.CONSOLIDATION:
                done.append(f"{self._words.name('run', record.kind)}: {did or self._words('run.nothing')}")
        if done:
            self._line(f"☾ {short_date(night, self._words.language)}", " · ".join(done))
            await self._pause(0.3)

    async def _records(self, kind: str | None) -> list[Run]:
        return list(await self._memory.consolidations(user=self._story.user, kind=kind, limit=MOST_RECORDS))

    async def _pause(self, beats: float) -> None:
        await asyncio.sleep(beats * self._beat)

    def _line(self, who: str, text: str, style: str = DIM) -> None:
        """Something said, or noted of a day."""
        self._show(Text.assemble((f"{who}  ", style), text))

    def _show(self, *parts: Panel | Rule | Text) -> None:
        self._console.print(*parts, sep="\n")
