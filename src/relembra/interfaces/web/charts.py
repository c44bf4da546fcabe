"""Numbers over time as columns: where each piece stands, for a template to draw.

Across a chart is measured in per cent of its width and down in pixels, so that one drawing fits a phone and a desk
and its words keep their size. What things are called and which colour they have is left to the template.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

HEIGHT = 216
BAND = 64
MOST_LINES = 4
MOST_MARKS = 6
_TOP = 10  # room for the number at the highest line
_FULL = 100.0
_CROWD = 60  # from so many columns on they stand closer


@dataclass(frozen=True, slots=True)
class Bar:
    """One piece of a column: so much of one series."""

    series: str
    amount: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Column:
    """What stands over (and hangs under) the line at one step; `start` and `room` are all the step's own."""

    x: float
    width: float
    start: float
    room: float
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line across, and the number it stands for."""

    y: float
    number: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Columns between lines; `zero` is where they start from."""

    height: int
    zero: float
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]

    @property
    def is_empty(self) -> bool:
        return not any(column.bars for column in self.columns)


@dataclass(frozen=True, slots=True)
class Mark:
    """A day under the chart, below the middle of its column."""

    x: float
    day: date
    with_year: bool


def columns(
    steps: Sequence[Mapping[str, int]],
    above: Sequence[str],
    below: Sequence[str] = (),
    *,
    height: int = HEIGHT,
    most: int | None = None,
) -> Chart:
    """Each step as a column of its series: `above` the line from it upwards, `below` downwards, in their order.

    `most`: the number the highest line has to reach, for charts that are read beside each other.
    """
    up = most if most is not None else max((_sum(step, above) for step in steps), default=0)
    down = max((_sum(step, below) for step in steps), default=0)
    each = spacing(max(up, down, 1), lines=MOST_LINES if height > BAND else 1)
    ups, downs = max(1, _ceiling(up, each)), _ceiling(down, each)
    pixels = (height - _TOP - (_TOP if downs else 0)) / ((ups + downs) * each)
    zero = _TOP + ups * each * pixels
    room = _FULL / max(1, len(steps))
    share = 0.86 if len(steps) >= _CROWD else 0.72
    made = tuple(
        Column(
            x=_round(number * room + room * (1 - share) / 2),
            width=_round(room * share),
            start=_round(number * room),
            room=_round(room),
            bars=(*_stacked(step, above, zero, -pixels), *_stacked(step, below, zero, pixels)),
        )
        for number, step in enumerate(steps)
    )
    lines = tuple(
        Line(_round(zero - number * each * pixels), abs(number) * each) for number in range(ups, -downs - 1, -1)
    )
    return Chart(height, _round(zero), made, lines)


def _stacked(step: Mapping[str, int], series: Sequence[str], zero: float, pixels: float) -> list[Bar]:
    """One piece upon another away from the line; `pixels` for one, downwards."""
    bars: list[Bar] = []
    at = zero
    for name in series:
        if amount := step.get(name, 0):
            end = at + amount * pixels
            bars.append(Bar(name, amount, _round(min(at, end)), _round(abs(end - at))))
            at = end
    return bars


def spacing(most: int, *, lines: int = MOST_LINES) -> int:
    """How far apart lines stand, as a round number, for at most so many to reach `most`."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power * lines >= most:
                return digit * power
        power *= 10


def marks(days: Sequence[date]) -> tuple[Mark, ...]:
    """The days to write under a chart: few enough to be read on a phone, the first of a month where there are some."""
    turns = [number for number, day in enumerate(days) if day.day == 1 or (number and day.day < days[number - 1].day)]
    chosen = turns if len(turns) > 1 else list(range(len(days)))
    every = max(1, -(-len(chosen) // MOST_MARKS))
    found: list[Mark] = []
    for number in chosen[::every]:
        is_new_year = not found or days[number].year != found[-1].day.year
        x = _round((number + 0.5) * _FULL / len(days))
        found.append(Mark(x, days[number], is_new_year and len(turns) > 1))
    return tuple(found)


def _sum(step: Mapping[str, int], names: Sequence[str]) -> int:
    return sum(step.get(name, 0) for name in names)


def _ceiling(number: int, each: int) -> int:
    return -(-number // each)


def _round(number: float) -> float:
    return round(number, 3)
