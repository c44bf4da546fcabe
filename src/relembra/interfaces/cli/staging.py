"""How the demo looks: what the engine returned, as panels and tables for a terminal of 80 to 100 columns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from rich import box
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from relembra import (
    Conflict,
    Foreseen,
    Gone,
    History,
    Hit,
    KnowledgeItem,
    LifeArea,
    MemoryContext,
    Policy,
    Stats,
    Verification,
)
from relembra.domain.confidence import level
from relembra.interfaces.cli.words import Words
from relembra.interfaces.stories import Entry, Scene, Story

WIDEST = 100
ICONS: dict[LifeArea | None, tuple[str, str]] = {
    LifeArea.HEALTH: ("♥", "red"),
    LifeArea.FINANCE: ("$", "green"),
    LifeArea.RELATIONSHIPS: ("●", "magenta"),
    LifeArea.CAREER: ("■", "blue"),
    LifeArea.GROWTH: ("▲", "magenta"),
    LifeArea.LEISURE: ("◆", "yellow"),
    LifeArea.SPIRITUALITY: ("○", "blue"),
    LifeArea.MENTAL_HEALTH: ("◐", "cyan"),
    None: ("◇", "bright_black"),
}
WHEN = 12
"""Columns of a weekday and a day."""
_BAR = 10


class Stage:
    """Shows a story on a console, in the story's own words."""

    def __init__(self, story: Story, console: Console, policy: Policy) -> None:
        self._story = story
        self._words = story.words
        self._catalogue = Words(story.language)
        self._console = console
        self._policy = policy
        self._names = max(len(name) for name in (story.person, story.assistant)) + 2

    def open(self) -> None:
        title = Text(self._story.title, "bold default")
        self._show(
            Panel(
                Text(self._story.opening),
                title=title,
                title_align="left",
                padding=(1, 2),
                box=box.ROUNDED,
                border_style="cyan",
            )
        )

    def scene(self, scene: Scene) -> None:
        self._console.print()
        title = Text.assemble((self._when(scene.at), "cyan"), ("  ", ""), (scene.title, "bold"))
        self._show(Rule(title, align="left", style="bright_black", characters="─"))

    def passing(self, entry: Entry) -> None:
        """Something said on a day without a scene."""
        when = f"{self._words['weekdays'].split()[entry.at.weekday()]} {self._day(entry.at)}"
        row = Table.grid(padding=(0, 1))
        row.add_column(width=max(self._names, WHEN), no_wrap=True)
        row.add_column(ratio=1)
        row.add_row(Text(when, "cyan"), Text(f"“{entry.said}”"))
        self._show(Padding(row, (0, 2)))

    def night(self, when: datetime, told: Text) -> None:
        """One line of what a night did."""
        row = Table.grid(padding=(0, 1))
        row.add_column(width=max(self._names, WHEN), no_wrap=True)
        row.add_column(ratio=1)
        row.add_row(Text(f"☾ {self._day(when)}", "bright_black"), told)
        self._show(Padding(row, (0, 2)))

    def panel(self, body: RenderableType, title: str, below: str | None = None) -> None:
        """Something of the engine's, framed."""
        self._panel(body, Text(title, "bold default"), below)

    def heading(self, text: str) -> None:
        self._text(text, "bold")

    def line(self, who: str, text: str, *, place: str | None = None, aside: bool = False) -> None:
        """Somebody says something."""
        row = Table.grid(padding=(0, 1))
        row.add_column(width=self._names, no_wrap=True)
        row.add_column(ratio=1)
        name = Text(who, "bright_black" if who == self._story.assistant else "bold")
        words = Text.assemble((text, "italic" if aside else ""))
        if place:
            words = Text.assemble((self._words["said_space"].format(space=place) + "  ", "magenta"), words)
        row.add_row(name, words)
        self._show(Padding(row, (0, 2)))

    def learnt(self, item: KnowledgeItem) -> None:
        """An item that is known from now on."""
        self._item("+", "green", item, self._words[f"by_{item.source}"])

    def heard(self, foreseen: Foreseen) -> None:
        """What became of something said."""
        match foreseen.verdict:
            case "repeat":
                self._item("=", "cyan", foreseen.item, self._words["again"])
            case "ask":
                self._item("?", "yellow", foreseen.item, self._words["in_question"])
            case _:
                self.learnt(foreseen.item)

    def unmoved(self) -> None:
        """What was said taught nothing."""
        self._row(Text("∅", "bright_black"), Text(self._words["unmoved"], "bright_black"), Text(""))

    def settled(self, conflict: Conflict) -> None:
        """The person said which of two things holds."""
        for item in sorted((conflict.old, conflict.new), key=lambda item: item.superseded_at is None):
            if item.superseded_at is not None or item.deleted_at is not None:
                icon = Text.assemble(("− ", "red"), (ICONS[item.area][0], "bright_black"))
                self._row(icon, Text(item.content, "bright_black strike"), Text(""))
            else:
                self._item("✓", "green", item, self._words["settled"])

    def confirmed(self, before: KnowledgeItem, after: KnowledgeItem) -> None:
        note = f"{self._words['was']} {self._number(before.confidence)}, {self._words['confirmed']}"
        self._item("✓", "green", after, note)

    def corrected(self, wrong: KnowledgeItem, right: KnowledgeItem) -> None:
        icon = Text.assemble(("− ", "red"), (ICONS[wrong.area][0], "bright_black"))
        self._row(icon, Text(wrong.content, "bright_black strike"), Text(""))
        self._item("+", "green", right, self._words["corrected"])

    def history(self, history: History) -> None:
        """Every value an attribute had, oldest first."""
        table = Table.grid(padding=(0, 2), expand=True)
        table.add_column(no_wrap=True)
        table.add_column(ratio=1)
        table.add_column(no_wrap=True, style="bright_black")
        for old in history.predecessors:
            ended = self._day(old.held_until) if old.held_until else "?"
            span = self._words["between"].format(start=self._day(old.held_from), end=ended)
            table.add_row(Text("○", "bright_black"), Text(old.content, "bright_black"), span)
        now = self._words["since"].format(date=self._day(history.item.held_from))
        table.add_row(Text("●", "green"), Text(history.item.content), now)
        self._panel(table, Text(self._words["history"], "bold default"))

    def answer(self, query: str, hits: Sequence[Hit], space: str | None) -> None:
        """What a search found, how well and why; what is too weak for a context is said to be."""
        table = Table.grid(padding=(0, 2), expand=True)
        table.add_column(no_wrap=True)
        table.add_column(ratio=1)
        table.add_column(no_wrap=True, style="bright_black")
        for hit in hits:
            table.add_row(*self._hit(hit))
        place = self._words["asked_private"] if space is None else self._words["asked_space"].format(space=space)
        body: RenderableType = table if hits else Text(self._words["nothing"], "bright_black")
        self._panel(body, Text.assemble(("? ", "cyan"), (query, "bold default")), place)

    def context(self, query: str, context: MemoryContext) -> None:
        """The block an assistant would be given, word for word."""
        lines = Text()
        for line in context.text.splitlines():
            lines.append(line + "\n", "cyan" if line.startswith("## ") else "")
        lines.rstrip()
        title = Text.assemble(("? ", "cyan"), (query, "bold default"))
        self._panel(lines, title, self._words["handed"].format(tokens=context.tokens, budget=context.budget))

    def receipt(self, gone: Gone) -> None:
        """What went, from where; places that lost nothing are left out."""
        parts = []
        for place, count in gone.counts.items():
            one, _, many = self._words.get(f"gone_{place}", place).partition("|")
            if count:
                parts.append(Text.assemble((str(count), "bold"), f" {one if count == 1 else many or one}"))
        self._panel(Columns(parts, padding=(0, 3)), Text(self._words["receipt"], "bold default"))

    def end(self, items: Sequence[KnowledgeItem], stats: Stats, gone: int, verification: Verification) -> None:
        """What is remembered, what went, and whether all agrees."""
        self._console.print()
        table = Table(
            title=Text(self._words["remembered"].format(person=self._story.person), "bold"),
            title_justify="left", box=box.SIMPLE_HEAD, header_style="bright_black", expand=True, padding=(0, 1),
        )  # fmt: skip
        table.add_column(self._words["area"], no_wrap=True)
        table.add_column(self._words["what"], ratio=1)
        table.add_column(self._words["sure"], no_wrap=True)
        order = [*LifeArea, None]
        last: object = ""
        for item in sorted(items, key=lambda item: (order.index(item.area), item.created_at)):
            symbol, colour = ICONS[item.area]
            shown = Text.assemble((symbol, colour), f" {self._area(item.area)}")
            content = Text(item.content)
            if item.place.space:
                content.append(f"  ({self._words['said_space'].format(space=item.place.space)})", "bright_black")
            table.add_row(Text("") if item.area == last else shown, content, self._sure(item))
            last = item.area
        self._show(table)
        past = sum(count for state, count in stats.items.items() if state != "current")
        current = stats.items.get("current", 0)
        self._text(self._words["end_counts"].format(current=current, past=past, messages=stats.messages, gone=gone))
        if verification.problems:
            self._text(self._words["end_problems"].format(problems="; ".join(verification.problems)), "bold red")
        else:
            self._text(self._words["end_clean"].format(checked=sum(verification.checked.values())), "green")
        self._console.print()
        commands = Text("\n").join(Text.assemble(("$ ", "bright_black"), line) for line in self._story.try_next)
        self._panel(commands, Text(self._words["now_try"], "bold default"))

    def interrupted(self) -> None:
        self._console.print()
        self._text(self._words["interrupted"], "bright_black")

    # ── pieces ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _item(self, mark: str, colour: str, item: KnowledgeItem, note: str) -> None:
        symbol, shade = ICONS[item.area]
        right = Text.assemble((note, "bright_black"), "  ", self._sure(item))
        self._row(Text.assemble((f"{mark} ", colour), (symbol, shade)), Text(item.content), right)

    def _row(self, mark: Text, content: Text, right: Text) -> None:
        row = Table.grid(padding=(0, 2), expand=True)
        row.add_column(no_wrap=True)
        row.add_column(ratio=1)
        row.add_column(no_wrap=True, justify="right")
        row.add_row(mark, content, right)
        self._show(Padding(row, (0, 2, 0, 2)))

    def _hit(self, hit: Hit) -> tuple[Text, Text, str]:
        weak = hit.why.similarity < self._policy.ranking.least_similarity
        filled = round(hit.score * _BAR)
        colour = "bright_black" if weak else "cyan"
        bar = Text.assemble(
            ("━" * filled, colour), ("─" * (_BAR - filled), "bright_black"), f" {self._number(hit.score)}"
        )
        text = Text(hit.item.content, "bright_black" if weak else "bold")
        if weak:
            return bar, text, self._words["weak"]
        found = []
        if hit.why.cosine is not None:
            found.append(f"{self._words['meaning']} {self._number(hit.why.cosine)}")
        if hit.why.bm25 is not None:
            found.append(f"{self._words['terms']} {self._number(hit.why.bm25)} ({', '.join(_whole(hit.why.terms))})")
        return bar, text.append("\n" + " · ".join(found), "not bold bright_black"), ""

    def _sure(self, item: KnowledgeItem) -> Text:
        name = level(item.confidence, self._policy.confidence)
        colour = {"high": "green", "medium": "yellow"}.get(name, "red")
        return Text.assemble(
            (f"{self._catalogue.name('level', name)} {self._number(item.confidence)}", colour),
            " ✓" if item.validated else "  ",
        )

    def _panel(self, body: RenderableType, title: Text | str, subtitle: str | None = None) -> None:
        below = None if subtitle is None else Text(subtitle, "bright_black")
        panel = Panel(
            body, title=title, title_align="left", subtitle=below, subtitle_align="right", box=box.ROUNDED,
            border_style="bright_black", padding=(0, 2),
        )  # fmt: skip
        self._show(Padding(panel, (0, 2)))

    def _text(self, text: str, style: str = "") -> None:
        self._show(Padding(Text(text, style), (0, 2)))

    def _show(self, what: RenderableType) -> None:
        self._console.print(what, width=min(self._console.width, WIDEST))

    def _area(self, area: LifeArea | None) -> str:
        return self._words["no_area"] if area is None else self._catalogue.name("area", area)

    def _number(self, number: float) -> str:
        return self._catalogue.number(number)

    def _when(self, moment: datetime) -> str:
        weekday = self._words["weekdays"].split()[moment.weekday()]
        return f"{weekday} {self._day(moment)}, {moment:%H:%M}"

    def day(self, when: date) -> str:
        """A day without its year, which is the story's own."""
        return self._day(when)

    def _day(self, moment: date) -> str:
        return f"{moment.day} {self._words['months'].split()[moment.month - 1]}"


def _whole(terms: Sequence[str]) -> list[str]:
    """The terms without stems that a longer one begins with."""
    return [term for term in terms if not any(other != term and other.startswith(term) for other in terms)]
