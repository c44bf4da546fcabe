"""What every benchmark prints: a figure, the baseline of the same run, their ratio and the goal."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One measured ratio. `holds` is None where nothing was promised."""

    what: str
    measured: str
    baseline: str
    ratio: float
    goal: float | None

    @property
    def holds(self) -> bool | None:
        return None if self.goal is None else self.ratio <= self.goal


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
        print(json.dumps([asdict(row) | {"holds": row.holds} for row in rows], indent=2))
    else:
        width = max(len(row.what) for row in rows)
        print(f"{'what':{width}}  {'measured':>14}  {'baseline':>14}  {'ratio':>8}  {'goal':>7}")
        for row in rows:
            goal = "" if row.goal is None else f"≤ {row.goal:g}"
            mark = {None: "", True: "ok", False: "MISSED"}[row.holds]
            print(f"{row.what:{width}}  {row.measured:>14}  {row.baseline:>14}  {row.ratio:>8.3f}  {goal:>7}  {mark}")
    return all(row.holds is not False for row in rows)
