"""What came and went over time as pictures: what each shows, in which order, and the words and numbers beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from relembra import OverTime, Step
from relembra.domain.knowledge import LifeArea
from relembra.interfaces.web.charts import BAND, Chart, Mark, columns, marks
from relembra.interfaces.web.days import DAY, next_month
from relembra.interfaces.words import Words

NONE = "none"
"""The series of what belongs to no area; the style sheet knows it by this name as the areas by theirs."""
AREAS = (*(area.value for area in LifeArea), NONE)
LEARNT = "learnt"
GONE = ("ended", "archived", "deleted", "faded")
MOODS = ("glad", "neither", "hard")


@dataclass(frozen=True, slots=True)
class Span:
    """How much time a page of pictures looks at, and the steps it may be cut into, the usual one first."""

    name: str
    days: int | None  # None: all there is
    steps: tuple[str, ...]


SPANS = (
    Span("month", 30, ("day",)),
    Span("quarter", 12 * 7, ("week",)),
    Span("year", 364, ("week", "month")),
    Span("all", None, ("month",)),
)
_ALL_DAYS = 390 * 28  # the engine tells 400 steps at most
_WEEKS_IN_ALL = 2 * 365
_FEWEST = 6  # steps before today's, however young a memory is
_DAYS = {"day": 1, "week": 7, "month": 30}


@dataclass(frozen=True, slots=True)
class View:
    """What somebody chose to look at."""

    span: Span
    step: str
    first: date
    steps: tuple[str, ...]  # what else it may be cut into


def chosen(span: str, step: str, *, today: date, oldest: date | None) -> View:
    """The stretch and the steps asked for, or those that fit the age of a memory."""
    age = (today - oldest).days if oldest else 0
    usual = SPANS[0] if age <= 35 else SPANS[1] if age <= 100 else SPANS[2]
    found = next((one for one in SPANS if one.name == span), usual)
    steps = found.steps if found.days is not None or age > _WEEKS_IN_ALL else ("month", "week")
    cut = step if step in steps else steps[0]
    days = max(min(age, found.days or _ALL_DAYS), _FEWEST * _DAYS[cut])
    return View(found, cut, today - timedelta(days=days), steps)


@dataclass(frozen=True, slots=True)
class Row:
    """One step in numbers."""

    start: date
    end: date  # its last day
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing (or several, one under another) and the numbers it was made from."""

    charts: Mapping[str, Chart]  # by the series a strip is about; "" for the one of all
    series: tuple[str, ...]
    totals: Mapping[str, int]
    rows: tuple[Row, ...]
    marks: tuple[Mark, ...]

    @property
    def is_empty(self) -> bool:
        return not any(self.totals.values())

    @property
    def told(self) -> tuple[Row, ...]:
        """The steps in which there was something."""
        return tuple(row for row in self.rows if row.total)


@dataclass(frozen=True, slots=True)
class Series:
    """What is drawn in one colour: how it is called, and what the style sheet knows it by."""

    name: str
    css: str


def series_in(words: Words, pictures: Iterable[Picture]) -> dict[str, Series]:
    """Every series of some pictures in the reader's words."""
    return {name: _series(words, name) for picture in pictures for name in picture.series}


def _series(words: Words, name: str) -> Series:
    if name == NONE:
        return Series(words("page.no_area"), NONE)
    if name in AREAS:
        return Series(words.name("area", name), name)
    return Series(words(f"page.time.series.{name}"), f"s-{name}")


def by_area(over: OverTime) -> Picture:
    """What was learnt, area upon area."""
    counts = [{area or NONE: number for area, number in step.learnt.items()} for step in over.steps]
    found = tuple(area for area in AREAS if any(step.get(area) for step in counts))
    return _picture(over, counts, found, {"": columns(counts, found)})


def by_mood(over: OverTime) -> Picture:
    """How often glad, hard and other feelings were told: a strip each, by one measure."""
    counts = [dict(step.moods) for step in over.steps]
    most = max((number for step in counts for number in step.values()), default=1)
    strips = {mood: columns(counts, [mood], height=BAND, most=most) for mood in MOODS}
    return _picture(over, counts, MOODS, strips)


def come_and_gone(over: OverTime) -> Picture:
    """What was learnt above the line, and below it what was replaced, put away, deleted or faded."""
    counts = [_passed(step) for step in over.steps]
    return _picture(over, counts, (LEARNT, *GONE), {"": columns(counts, [LEARNT], GONE)})


def _passed(step: Step) -> dict[str, int]:
    return {
        LEARNT: sum(step.learnt.values()),
        "ended": step.ended,
        "archived": step.archived,
        "deleted": step.deleted,
        "faded": step.faded,
    }


def _picture(
    over: OverTime, counts: Sequence[Mapping[str, int]], series: tuple[str, ...], charts: Mapping[str, Chart]
) -> Picture:
    days = [step.start for step in over.steps]
    rows = tuple(
        Row(day, _last(day, over.step), {name: step.get(name, 0) for name in series})
        for day, step in zip(days, counts, strict=True)
    )
    totals = {name: sum(row.counts[name] for row in rows) for name in series}
    return Picture(charts, series, totals, rows, marks(days))


def _last(day: date, step: str) -> date:
    match step:
        case "week":
            return day + timedelta(days=6)
        case "month":
            return next_month(day) - DAY
        case _:
            return day
