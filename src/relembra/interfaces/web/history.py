"""History: what happened on which day, charts, and the memory as it was one day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

from starlette.responses import Response

from relembra.domain.knowledge import KnowledgeItem, LifeArea
from relembra.domain.message import NoteKind
from relembra.domain.text import fold
from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces.web.lists import DAY, Paging, Period, read_day, start_of
from relembra.interfaces.web.visits import Pages, Visit
from relembra.recall.rendering import MONTHS
from relembra.views.survey import Moment, OverTime, Step

pages = Pages()

MOMENTS = 40
ITEMS = 30


# ── timeline ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Day:
    """A day and what happened on it; headings that are on the page already are not repeated."""

    day: date
    starts_day: bool
    starts_month: bool
    moments: list[Moment] = field(default_factory=list)


@pages.get("/history")
async def timeline(visit: Visit) -> Response:
    """Notes and events under their days, newest first; with `kind`, the notes of one kind."""
    kind, paging = visit.chosen("kind", NoteKind), Paging(visit, MOMENTS)
    try:
        period, wrong = Period.read(visit.asked("from"), visit.asked("to")), False
        shown = read_day(visit.asked("shown")) if visit.is_fragment else None
    except InvalidInputError:
        period, wrong, shown = Period(), True, None
    moments: Sequence[Moment]
    if kind:
        notes = await visit.memory.notes(kind=kind, **paging.portion, **visit.whose)
        moments, onward = [Moment(at=note.happened_at, note=note) for note in notes], notes.next
    else:
        since, until = period.since(visit.zone), period.until(visit.zone)
        listing = await visit.memory.timeline(since=since, until=until, **paging.portion, **visit.whose)
        moments, onward = listing, listing.next
    days = by_day(moments, zone=visit.zone, shown=shown)
    return visit.page(
        "history.html",
        days=days,
        more=paging.more(onward, shown=days[-1].day.isoformat()) if days else None,
        kind=kind or "",
        period=period,
        wrong=wrong,
        others=lambda names: [name for name in names if fold(name) != fold(visit.user)],
    )


def by_day(moments: Sequence[Moment], *, zone: tzinfo, shown: date | None = None) -> list[Day]:
    """Moments, newest first, under their days; `shown`: the last day already on the page."""
    days: list[Day] = []
    before = shown
    for moment in moments:
        day = moment.at.astimezone(zone).date()
        if not days or days[-1].day != day:
            is_new_month = before is None or (before.year, before.month) != (day.year, day.month)
            days.append(Day(day, day != before, is_new_month))
            before = day
        days[-1].moments.append(moment)
    return days


# ── charts ────────────────────────────────────────────────────────────────────────────────────────────────────────

HEIGHT, TOP = 216, 10  # pixels of a drawing, and above its highest line
MOST_LINES, MOST_MARKS = 4, 6
NO_AREA = "none"
"""The series of items without an area, also the name of its colour."""
SERIES: dict[str, tuple[str, ...]] = {
    "areas": (*(area.value for area in LifeArea), NO_AREA),
    "moods": ("glad", "neither", "hard"),
    "passing": ("ended", "archived", "deleted", "faded"),
}
"""The charts, each with the series stacked in it."""
SPANS = {"month": (30, "day"), "quarter": (12 * 7, "week"), "year": (364, "week"), "all": (390 * 28, "month")}
"""How many days back each span goes, at most the 400 steps `over_time` gives, and its steps."""
STEP_DAYS = {"day": 1, "week": 7, "month": 30}
FEWEST_STEPS = 6  # before today's, however young a memory is


class Row(NamedTuple):
    """One step in numbers, from its first to its last day."""

    start: date
    end: date
    counts: Mapping[str, int]


class Chart(NamedTuple):
    """Columns of stacked bars, `(series, y, height)`, between lines, `(y, number)`; and the numbers behind them."""

    series: tuple[str, ...]
    rows: Sequence[Row]
    columns: Sequence[Sequence[tuple[str, float, float]]]
    lines: Sequence[tuple[float, int]]

    @property
    def totals(self) -> dict[str, int]:
        return {name: sum(row.counts[name] for row in self.rows) for name in self.series}


@pages.get("/history/charts")
async def charts(visit: Visit) -> Response:
    """What was learnt by area, moods, and what went."""
    oldest = await visit.memory.list(order="oldest", limit=1, history=True, **visit.whose)
    age = (visit.today - visit.clock.here(oldest[0].created_at).date()).days if oldest else 0
    span, step, days = span_of(visit.asked("span"), age)
    since = start_of(visit.today - timedelta(days=days), visit.zone)
    over = await visit.memory.over_time(since=since, step=step, **visit.whose)
    return visit.page(
        "history_charts.html",
        span=span,
        spans=SPANS,
        step=step,
        height=HEIGHT,
        is_empty=not oldest,
        charts={name: chart(over, name) for name in SERIES},
        marks=marks([one.start for one in over.steps]),
        months=MONTHS[visit.words.language],
    )


def span_of(asked: str, age: int) -> tuple[str, str, int]:
    """The span that is shown, its steps, and how many days it goes back, for a memory of so many days."""
    span = asked if asked in SPANS else "month" if age <= 35 else "quarter" if age <= 100 else "year"
    most, step = SPANS[span]
    return span, step, max(min(age, most), FEWEST_STEPS * STEP_DAYS[step])


def chart(over: OverTime, name: str) -> Chart:
    """A chart of what the steps count under a name, series upon series."""
    counts = [_counts(step, name) for step in over.steps]
    series = tuple(one for one in SERIES[name] if name != "areas" or any(step.get(one) for step in counts))
    rows = [
        Row(step.start, _last_day(step.start, over.step), {one: held.get(one, 0) for one in series})
        for step, held in zip(over.steps, counts, strict=True)
    ]
    most = max((sum(row.counts.values()) for row in rows), default=0)
    each = spacing(max(most, 1))
    lines = max(1, -(-most // each))
    pixels = (HEIGHT - TOP) / (lines * each)

    def stacked(row: Row) -> list[tuple[str, float, float]]:
        bars, top = [], float(HEIGHT)
        for one, number in row.counts.items():
            top -= number * pixels
            bars.append((one, round(top, 3), round(number * pixels, 3)))
        return [bar for bar in bars if bar[2]]

    grid = [(round(HEIGHT - number * each * pixels, 3), number * each) for number in range(lines, -1, -1)]
    return Chart(series, rows, [stacked(row) for row in rows], grid)


def _counts(step: Step, name: str) -> Mapping[str, int]:
    if name == "areas":
        return {area or NO_AREA: number for area, number in step.learnt.items()}
    return step.moods if name == "moods" else {one: getattr(step, one) for one in SERIES[name]}


def _last_day(start: date, step: str) -> date:
    if step == "month":
        return (start.replace(day=28) + timedelta(days=4)).replace(day=1) - DAY
    return start + DAY * (STEP_DAYS[step] - 1)


def spacing(most: int) -> int:
    """How far apart the lines stand, as a round number, for a few to reach `most`."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power * MOST_LINES >= most:
                return digit * power
        power *= 10


def marks(days: Sequence[date]) -> list[tuple[float, date, bool]]:
    """The days to write under a chart, few enough for a phone: where (in percent), which, and whether with its year."""
    turns = [number for number, day in enumerate(days) if day.day == 1 or (number and day.day < days[number - 1].day)]
    picked = turns if len(turns) > 1 else list(range(len(days)))
    found: list[tuple[float, date, bool]] = []
    for number in picked[:: max(1, -(-len(picked) // MOST_MARKS))]:
        is_new_year = not found or days[number].year != found[-1][1].year
        found.append((round((number + 0.5) * 100 / len(days), 3), days[number], is_new_year and len(turns) > 1))
    return found


# ── one day ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Then(NamedTuple):
    """An item as it was believed on a day, and what became of it since: deleted, replaced, archived or nothing."""

    item: KnowledgeItem
    fate: str
    at: datetime | None
    successor: KnowledgeItem | None


@pages.get("/history/day")
async def day(visit: Visit) -> Response:
    """What was believed when a day ended, and what became of it."""
    try:
        chosen_day, wrong = min(read_day(visit.asked("on")) or visit.today, visit.today), False
    except InvalidInputError:
        chosen_day, wrong = visit.today, True
    area, paging = visit.chosen("area", LifeArea), Paging(visit, ITEMS)
    moment = min(start_of(chosen_day + DAY, visit.zone) - timedelta(microseconds=1), visit.now)
    as_of = moment if chosen_day < visit.today else None  # what is believed now is counted already
    listing = await visit.memory.list(as_of=as_of, area=area, **paging.portion, **visit.whose)
    return visit.page(
        "history_day.html",
        day=chosen_day,
        wrong=wrong,
        area=area,
        counts=await visit.memory.count(as_of=as_of, **visit.whose),
        items=[await _then(visit, item, moment) for item in listing],
        more=paging.more(listing.next),
        steps={"week_before": -7 * DAY, "day_before": -DAY, "day_after": DAY, "week_after": 7 * DAY},
    )


async def _then(visit: Visit, item: KnowledgeItem, moment: datetime) -> Then:
    fate, at = fate_after(item, moment)
    if fate == "replaced" and item.superseded_by is not None:
        with suppress(NotFoundError):
            return Then(item, fate, at, await visit.memory.get(item.superseded_by, **visit.whose))
    return Then(item, fate, at, None)


def fate_after(item: KnowledgeItem, moment: datetime) -> tuple[str, datetime | None]:
    """What happened to an item after a moment, the last word first; and when."""
    for fate, at in (("deleted", item.deleted_at), ("replaced", item.superseded_at), ("archived", item.archived_at)):
        if at is not None and at > moment:
            return fate, at
    return "", None
