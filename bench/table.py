"""What every benchmark prints: a figure, what it was measured on or beside, and the goal."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One measured figure: a ratio to the baseline of the same run; for minds also a share, a correlation, a gain.

    `holds` is None where nothing was promised.
    """

    what: str
    measured: str
    baseline: str
    figure: float | None  # None: it could not be measured, which holds no goal
    goal: float | None
    at_least: bool = False  # the goal is the least a figure may be, not the most

    @property
    def holds(self) -> bool | None:
        if self.figure is None:
            return False
        if self.goal is None:
            return None
        return self.figure >= self.goal if self.at_least else self.figure <= self.goal


def percentile(times: Iterable[float], share: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def timed(work: Callable[[], object], rounds: int) -> list[float]:
    """Seconds of each round, after a short warm-up."""
    for _ in range(min(5, rounds)):
        work()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return times


async def timed_async(work: Callable[[], Awaitable[object]], rounds: int) -> list[float]:
    for _ in range(min(5, rounds)):
        await work()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        await work()
        times.append(time.perf_counter() - start)
    return times


def median(times: Iterable[float]) -> float:
    return statistics.median(times)


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3f} ms"


def printed(rows: Iterable[Row], *, as_json: bool) -> bool:
    """Print the table; whether every goal was reached."""
    rows = list(rows)
    if as_json:
        print(json.dumps([asdict(row) | {"holds": row.holds} for row in rows], indent=2, ensure_ascii=False))
    else:
        width = max((len(row.what) for row in rows), default=0)
        print(f"{'what':{width}}  {'measured':>14}  {'baseline':>14}  {'figure':>8}  {'goal':>7}")
        for row in rows:
            print(_line(row, width))
    return all(row.holds is not False for row in rows)


def _line(row: Row, width: int) -> str:
    figure = "" if row.figure is None else f"{row.figure:.3f}"
    goal = "" if row.goal is None else f"{'≥' if row.at_least else '≤'} {row.goal:g}"
    mark = {None: "", True: "ok", False: "MISSED"}[row.holds]
    return f"{row.what:{width}}  {row.measured:>14}  {row.baseline:>14}  {figure:>8}  {goal:>7}  {mark}".rstrip()
