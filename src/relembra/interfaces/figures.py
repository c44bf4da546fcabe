"""A memory in figures, for the page, the terminal and a file: what is held, how it grew, what it cost; its charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from heapq import nlargest

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Whose
from relembra.memory import Memory
from relembra.store.port import Use
from relembra.views.timeline import Counts, OverTime

LOOKED_AT = 2_000
"""Items, the newest, among which those said and recalled most often are looked for."""
PAGE = 200
TOP = 8
COST_DAYS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a memory is made of, how it came to be, and what stands out."""

    known: Counts
    past: int  # superseded, archived or expired
    deleted: int
    questions: int  # about which the person is asked
    weeks: OverTime
    cost: tuple[Use, ...]  # of each of the last days, all models and tasks together
    said: tuple[KnowledgeItem, ...]  # more than once, the most often first
    recalled: tuple[KnowledgeItem, ...]  # ever, the most often first
    accesses: int  # of all items looked at


async def figures_of(memory: Memory, whose: Whose, today: date) -> Figures:
    """The figures of one person's memory."""
    known = await memory.count(**whose)
    every = await memory.count(history=True, **whose)
    deleted = await memory.count(only="deleted", **whose)
    items: list[KnowledgeItem] = []
    after: str | None = None
    while len(items) < LOOKED_AT:
        listing = await memory.list(limit=PAGE, after=after, **whose)
        items += listing
        if (after := listing.next) is None:
            break
    first = today - timedelta(days=COST_DAYS - 1)
    return Figures(
        known=known,
        past=every.total - known.total,
        deleted=deleted.total,
        questions=known.unresolved,
        weeks=await memory.over_time(**whose),
        cost=by_day(await memory.usage(since=first, **whose), first),
        said=tuple(item for item in _top(items, "observations") if item.observations > 1),
        recalled=tuple(item for item in _top(items, "accesses") if item.accesses),
        accesses=sum(item.accesses for item in items),
    )


def _top(items: Sequence[KnowledgeItem], name: str) -> list[KnowledgeItem]:
    return nlargest(TOP, items, key=lambda item: getattr(item, name))


def by_day(uses: Sequence[Use], first: date) -> tuple[Use, ...]:
    """What models were asked on each of the days from the first on, without gaps; nothing where none was asked."""
    totals: Counter[tuple[date, str]] = Counter()
    for use in uses:
        for name in ("calls", "input_tokens", "output_tokens"):
            totals[use.day, name] += getattr(use, name)
    days = [first + timedelta(days=number) for number in range(COST_DAYS)] if uses else []
    return tuple(
        Use(
            day=day,
            task="",
            model="",
            calls=totals[day, "calls"],
            input_tokens=totals[day, "input_tokens"],
            output_tokens=totals[day, "output_tokens"],
        )
        for day in days
    )


# ── charts ────────────────────────────────────────────────────────────────────────────────────────────────────────

WIDTH, HEIGHT = 300.0, 100.0
GAP = 0.25  # of a column's width


@dataclass(frozen=True, slots=True)
class Bar:
    """A piece of a column, in the units of the chart, from its top left corner."""

    name: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Columns side by side, each of pieces one upon another, that fill a rectangle of 300 by 100."""

    columns: tuple[tuple[Bar, ...], ...]
    largest: int  # what the highest column is made of


def chart(columns: Sequence[Mapping[str, int]]) -> Chart:
    """Columns of numbers by name, drawn to the same scale; the first name stands at the foot."""
    largest = max((sum(column.values()) for column in columns), default=0)
    step = WIDTH / max(1, len(columns))
    drawn = []
    for place, column in enumerate(columns):
        foot, bars = HEIGHT, []
        for name, number in column.items():
            height = HEIGHT * number / largest if largest else 0.0
            foot -= height
            bars.append(Bar(name, round(place * step, 2), round(foot, 2), round(step * (1 - GAP), 2), round(height, 2)))
        drawn.append(tuple(bar for bar in bars if bar.height))
    return Chart(tuple(drawn), largest)


def growth(figures: Figures) -> Chart:
    """What was learnt each week, by area."""
    return chart([{area or "none": number for area, number in step.learnt.items()} for step in figures.weeks.steps])


def passing(figures: Figures) -> Chart:
    """What was replaced, archived and deleted each week."""
    steps = figures.weeks.steps
    return chart([{"ended": one.ended, "archived": one.archived, "deleted": one.deleted} for one in steps])


def cost(figures: Figures) -> Chart:
    """Tokens read and written by models each day."""
    return chart([{"input": use.input_tokens, "output": use.output_tokens} for use in figures.cost])
