"""What follows a night's first work: the other kinds, each at its own time, left once however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from relembra.domain.jobs import GARDEN, INSIGHT, MONTHLY, WEEKLY, Job
from relembra.domain.nights import month_over, next_night, week_over
from relembra.domain.run import RunKind
from relembra.domain.scope import Scope
from relembra.store.port import Enqueue, Op, Store
from relembra.tend.records import ZONE

MINUTES_LATER = {GARDEN: 10, INSIGHT: 20, WEEKLY: 30, MONTHLY: 40}
"""The order of one night, by which the later work finds what the earlier left."""

A_WEEK = timedelta(weeks=1)
HALF_A_DAY = timedelta(hours=12)  # a night's work may be some hours late, and the next one is not to be a day later
LONGEST_BACK = timedelta(days=62)  # what was said longer ago, as in an import, has no report left behind it
_ONCE_IN_A_WHILE = {GARDEN: RunKind.GARDENING, INSIGHT: RunKind.INSIGHT}


async def following(
    store: Store,
    scope: Scope,
    kinds: Iterable[str],
    *,
    zone: str,
    night_hour: float,
    now: datetime,
    new_id: Callable[[], str],
    every: timedelta,
    since: datetime | None = None,
) -> list[Op]:
    """What leaves work of these kinds for the night it is next due.

    `every`: how long the gardener stays away. `since`: what happened from then on is to be reported, so that a week or
    month which ended before anybody was up is told at once.
    """
    ops: list[Op] = []
    for kind in kinds:
        hour = night_hour + MINUTES_LATER[kind] / 60
        told_from = now if since is None else min(now, max(since, now - LONGEST_BACK))
        due = await _due(store, scope, kind, zone, hour, now, every, told_from)
        job = Job(id=new_id(), scope=scope, kind=kind, key=kind, payload={ZONE: zone}, due_at=due, created_at=now)
        ops.append(Enqueue(job))
    return ops


async def _due(
    store: Store,
    scope: Scope,
    kind: str,
    zone: str,
    hour: float,
    now: datetime,
    every: timedelta,
    told_from: datetime,
) -> datetime:
    if kind == WEEKLY:
        return week_over(told_from, zone, hour=hour)
    if kind == MONTHLY:
        return month_over(told_from, zone, hour=hour)
    last = await store.page_runs(scope, (_ONCE_IN_A_WHILE[kind],), limit=1)
    pause = every if kind == GARDEN else A_WEEK
    again = min(last.rows[0].until, now) + pause - HALF_A_DAY if last.rows else now
    return next_night(max(now, again), zone, hour=hour)
