"""What follows a night's first work: the other kinds, each at its own time, left once however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from relembra.domain.jobs import GARDEN, INSIGHT, MONTHLY, WEEKLY, Job
from relembra.domain.nights import next_month, next_night, next_weekday
from relembra.domain.run import RunKind
from relembra.domain.scope import Scope
from relembra.store.port import Enqueue, Op, Store
from relembra.tend.records import ZONE

MINUTES_LATER = {GARDEN: 10, INSIGHT: 20, WEEKLY: 30, MONTHLY: 40}
"""The order of one night, by which the later work finds what the earlier left."""

_ONCE_A_WEEK = {GARDEN: RunKind.GARDENING, INSIGHT: RunKind.INSIGHT}
_SIX_DAYS = timedelta(days=6)


async def following(
    store: Store,
    scope: Scope,
    kinds: Iterable[str],
    *,
    zone: str,
    night_hour: float,
    now: datetime,
    new_id: Callable[[], str],
) -> list[Op]:
    """What leaves work of these kinds for the night it is next due."""
    ops: list[Op] = []
    for kind in kinds:
        due = await _due(store, scope, kind, zone, night_hour + MINUTES_LATER[kind] / 60, now)
        job = Job(id=new_id(), scope=scope, kind=kind, key=kind, payload={ZONE: zone}, due_at=due, created_at=now)
        ops.append(Enqueue(job))
    return ops


async def _due(store: Store, scope: Scope, kind: str, zone: str, hour: float, now: datetime) -> datetime:
    if kind == WEEKLY:
        return next_weekday(now, zone, weekday=0, hour=hour)
    if kind == MONTHLY:
        return next_month(now, zone, hour=hour)
    last = await store.page_runs(scope, (_ONCE_A_WEEK[kind],), limit=1)
    week_on = min(last.rows[0].until, now) + _SIX_DAYS if last.rows else now
    return next_night(max(now, week_on), zone, hour=hour)
