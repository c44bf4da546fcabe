"""How the demo looks: what the engine returned, as panels and tables for a terminal of 80 to 100 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
GREY = "bright_black"
BAR = 10


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
        body, title = Text(self._story.opening), Text(self._story.title, "bold default")
        self._show(Panel(body, title=title, title_align="left", padding=(1, 2), border_style="cyan"))

    def scene(self, scene: Scene) -> None:
        self._console.print()
        when = f"{self._weekday(scene.at)} {self.day(scene.at)}, {scene.at:%H:%M}"
        title = Text.assemble((when, "cyan"), "  ", (scene.title, "bold"))
        self._show(Rule(title, align="left", style=GREY, characters="─"))

    def aside(self, entry: Entry) -> None:
        """Something said on a day without a scene."""
        when = f"{self._weekday(entry.at)} {self.day(entry.at)}"
        self._line(Text(when, "cyan"), Text(f"“{entry.said}”"), max(self._names, WHEN))

    def night(self, when: datetime, done: Text) -> None:
        """One line of what a night did."""
        self._line(Text(f"☾ {self.day(when)}", GREY), done, max(self._names, WHEN))

    def line(self, who: str, text: str, *, place: str | None = None, aside: bool = False) -> None:
        """Somebody says something."""
        said = Text(text, "italic" if aside else "")
        if place:
            said = Text.assemble((self._in_space(place) + "  ", "magenta"), said)
        self._line(Text(who, GREY if who == self._story.assistant else "bold"), said, self._names)

    def panel(self, body: RenderableType, title: Text | str, below: str | None = None) -> None:
        """Something of the engine's, framed."""
        panel = Panel(
            body,
            title=Text(title, "bold default") if isinstance(title, str) else title,
            title_align="left",
            subtitle=None if below is None else Text(below, GREY),
            subtitle_align="right",
            border_style=GREY,
            padding=(0, 2),
        )
        self._show(Padding(panel, (0, 2)))

    def heard(self, foreseen: Foreseen) -> None:
        """What became of something said."""
        match foreseen.verdict:
            case "repeat":
                self._item("=", "cyan", foreseen.item, self._words["again"])
            case "ask":
                self._item("?", "yellow", foreseen.item, self._words["in_question"])
            case _:
                self.learnt(foreseen.item)

    def learnt(self, item: KnowledgeItem) -> None:
        """An item that is known from now on."""
        self._item("+", "green", item, self._words[f"by_{item.source}"])

    def unmoved(self) -> None:
        """What was said taught nothing."""
        self._row(Text("∅", GREY), Text(self._words["unmoved"], GREY), Text(""))

    def settled(self, conflict: Conflict) -> None:
        """The person said which of two things holds."""
        for item in sorted((conflict.old, conflict.new), key=lambda item: item.superseded_at is None):
            if item.superseded_at is not None or item.deleted_at is not None:
                self._struck(item)
            else:
                self._item("✓", "green", item, self._words["settled"])

    def confirmed(self, before: KnowledgeItem, after: KnowledgeItem) -> None:
        note = f"{self._words['was']} {self._number(before.confidence)}, {self._words['confirmed']}"
        self._item("✓", "green", after, note)

    def corrected(self, wrong: KnowledgeItem, right: KnowledgeItem) -> None:
        self._struck(wrong)
        self._item("+", "green", right, self._words["corrected"])

    def history(self, history: History) -> None:
        """Every value an attribute had, oldest first."""
        rows = []
        for old in history.predecessors:
            ended = self.day(old.held_until) if old.held_until else "?"
            span = self._words["between"].format(start=self.day(old.held_from), end=ended)
            rows.append((Text("○", GREY), Text(old.content, GREY), span))
        now = self._words["since"].format(date=self.day(history.item.held_from))
        rows.append((Text("●", "green"), Text(history.item.content), now))
        self.panel(_grid(rows), self._words["history"])

    def answer(self, query: str, hits: Sequence[Hit], space: str | None) -> None:
        """What a search found, how well and why; what is too weak for a context is said to be."""
        place = self._words["asked_private"] if space is None else self._words["asked_space"].format(space=space)
        body = _grid(map(self._hit, hits)) if hits else Text(self._words["nothing"], GREY)
        self.panel(body, _asked(query), place)

    def context(self, query: str, context: MemoryContext) -> None:
        """The block an assistant would be given, word for word."""
        lines = Text("\n").join(
            Text(line, "cyan" if line.startswith("## ") else "") for line in context.text.splitlines()
        )
        below = self._words["handed"].format(tokens=context.tokens, budget=context.budget)
        self.panel(lines, _asked(query), below)

    def receipt(self, gone: Gone) -> None:
        """What went, from where; places that lost nothing are left out."""
        parts = []
        for place, count in gone.counts.items():
            one, _, many = self._words.get(f"gone_{place}", place).partition("|")
            if count:
                parts.append(Text.assemble((str(count), "bold"), f" {one if count == 1 else many or one}"))
        self.panel(Columns(parts, padding=(0, 3)), self._words["receipt"])

    def end(self, items: Sequence[KnowledgeItem], stats: Stats, gone: int, verification: Verification) -> None:
        """What is remembered, what went, and whether all agrees."""
        self._console.print()
        title = Text(self._words["remembered"].format(person=self._story.person), "bold")
        table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, header_style=GREY, expand=True)
        table.add_column(self._words["area"], no_wrap=True)
        table.add_column(self._words["what"], ratio=1)
        table.add_column(self._words["sure"], no_wrap=True)
        order = [*LifeArea, None]
        last: object = ""
        for item in sorted(items, key=lambda item: (order.index(item.area), item.created_at)):
            name = self._words["no_area"] if item.area is None else self._catalogue.name("area", item.area)
            area = Text("") if item.area == last else Text.assemble(ICONS[item.area], f" {name}")
            content = Text(item.content)
            if item.place.space:
                content.append(f"  ({self._in_space(item.place.space)})", GREY)
            table.add_row(area, content, self._sure(item))
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
        commands = Text("\n").join(Text.assemble(("$ ", GREY), line) for line in self._story.try_next)
        self.panel(commands, self._words["now_try"])

    def interrupted(self) -> None:
        self._console.print()
        self._text(self._words["interrupted"], GREY)

    def day(self, when: date) -> str:
        """A day without its year, which is the story's own."""
        return f"{when.day} {self._words['months'].split()[when.month - 1]}"

    # ── pieces ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _item(self, mark: str, colour: str, item: KnowledgeItem, note: str) -> None:
        right = Text.assemble((note, GREY), "  ", self._sure(item))
        self._row(Text.assemble((f"{mark} ", colour), ICONS[item.area]), Text(item.content), right)

    def _struck(self, item: KnowledgeItem) -> None:
        icon = Text.assemble(("− ", "red"), (ICONS[item.area][0], GREY))
        self._row(icon, Text(item.content, f"{GREY} strike"), Text(""))

    def _row(self, mark: Text, content: Text, right: Text) -> None:
        self._show(Padding(_grid([(mark, content, right)]), (0, 2)))

    def _line(self, lead: Text, text: Text, width: int) -> None:
        row = Table.grid(padding=(0, 1))
        row.add_column(width=width, no_wrap=True)
        row.add_column(ratio=1)
        row.add_row(lead, text)
        self._show(Padding(row, (0, 2)))

    def _hit(self, hit: Hit) -> tuple[Text, Text, str]:
        weak = hit.why.similarity < self._policy.ranking.least_similarity
        filled = round(hit.score * BAR)
        marks = ("━" * filled, GREY if weak else "cyan"), ("─" * (BAR - filled), GREY)
        bar = Text.assemble(*marks, f" {self._number(hit.score)}")
        if weak:
            return bar, Text(hit.item.content, GREY), self._words["weak"]
        found = []
        if hit.why.cosine is not None:
            found.append(f"{self._words['meaning']} {self._number(hit.why.cosine)}")
        if hit.why.bm25 is not None:
            found.append(f"{self._words['terms']} {self._number(hit.why.bm25)} ({', '.join(_whole(hit.why.terms))})")
        return bar, Text(hit.item.content, "bold").append("\n" + " · ".join(found), f"not bold {GREY}"), ""

    def _sure(self, item: KnowledgeItem) -> Text:
        name = level(item.confidence, self._policy.confidence)
        colour = {"high": "green", "medium": "yellow"}.get(name, "red")
        sure = f"{self._catalogue.name('level', name)} {self._number(item.confidence)}"
        return Text.assemble((sure, colour), " ✓" if item.validated else "  ")

    def _text(self, text: str, style: str = "") -> None:
        self._show(Padding(Text(text, style), (0, 2)))

    def _show(self, what: RenderableType) -> None:
        self._console.print(what, width=min(self._console.width, WIDEST))

    def _number(self, number: float) -> str:
        return self._catalogue.number(number)

    def _in_space(self, space: str) -> str:
        return self._words["said_space"].format(space=space)

    def _weekday(self, moment: datetime) -> str:
        return self._words["weekdays"].split()[moment.weekday()]


def _asked(query: str) -> Text:
    return Text.assemble(("? ", "cyan"), (query, "bold default"))


def _grid(rows: Iterable[tuple[Text, Text, Text | str]]) -> Table:
    """A mark, what it is about, and something on the right."""
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    table.add_column(no_wrap=True, justify="right", style=GREY)
    for row in rows:
        table.add_row(*row)
    return table


def _whole(terms: Sequence[str]) -> list[str]:
    """The terms without stems that a longer one begins with."""
    return [term for term in terms if not any(other != term and other.startswith(term) for other in terms)]
