"""The nights of the demo: a line as each passes, and at the end what they all did, as the engine recorded it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from relembra import Memory
from relembra.domain.message import Note
from relembra.domain.run import Run, RunKind
from relembra.domain.scope import DEFAULT_TENANT
from relembra.interfaces.cli import garden, records, reports
from relembra.interfaces.cli.staging import Stage
from relembra.interfaces.cli.terminal import Terminal
from relembra.interfaces.cli.words import Words
from relembra.interfaces.differences import Difference, differences
from relembra.interfaces.recorded import texts_of
from relembra.interfaces.stories import Gardener, Insights, Nights, Portrait, Report, Story, Visit

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
        return records.counts(self._catalogue, run.tally, messages=False).replace(" · ", ", ")

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
            table.add_row(self._day(run), *cells, version, records.status(self._catalogue, run))
        return table

    async def _difference(self, memory: Memory, rows: Sequence[Difference]) -> RenderableType:
        console = _Page(self._catalogue)
        texts = await texts_of(memory, rows, {"user": self._story.user, "tenant": DEFAULT_TENANT})
        records.changed(console, rows, texts, most=MOST_CHANGES)
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
            records.changed(page, rows, texts, most=MOST_CHANGES)
        plan = await memory.garden_plan(user=self._story.user)
        garden.deeds(page, plan, most=MOST_CHANGES)
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
        self._stage.panel(reports.markdown(note.summary, most=MOST_LINES, close=True), note.title, below)

    async def _portrait(self, memory: Memory) -> None:
        portrait = await memory.me(user=self._story.user)
        below = self._word("version").format(version=portrait.version)
        self._stage.panel(reports.markdown(portrait.text, close=True), self._word("portrait"), below)

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
