"""The durable queue: claiming with a lease, giving back, and looking at what waits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import apsw

from relembra.domain.jobs import Job, JobState
from relembra.domain.scope import Scope
from relembra.store import rows
from relembra.store.sqlite.statements import SQL, filled, first_value

_COLUMNS = f"tenant, owner, {rows.JOB_COLUMNS}"


def claim(db: apsw.Connection, kinds: Sequence[str], now: datetime, lease: timedelta, limit: int) -> list[Job]:
    """Take due jobs, oldest due first; within the writer's transaction no two claimers get the same."""
    if not kinds or limit <= 0:
        return []
    statement = filled("claim", columns=_COLUMNS, kinds=", ".join(f"?{number + 4}" for number in range(len(kinds))))
    values = (rows.micros(now), rows.micros(now + lease), limit, *kinds)
    taken = [_job(row) for row in db.execute(statement, values)]
    return sorted(taken, key=lambda job: (job.due_at, job.id))


def fail(db: apsw.Connection, id: str, error: str, retry_at: datetime | None) -> None:
    """Give a job back; one that is gone stays gone."""
    state = JobState.DEAD if retry_at is None else JobState.WAITING
    due = None if retry_at is None else rows.micros(retry_at)
    db.execute(SQL["fail_job"], (state.value, due, error, rows.known_id(id)))


def hand_back(db: apsw.Connection, ids: Sequence[str]) -> None:
    """Undo a claim; a job that is gone, or claimed by nobody, stays as it is."""
    db.executemany(SQL["hand_back_job"], [(rows.known_id(id),) for id in ids])


def jobs(db: apsw.Connection, state: JobState | None, limit: int) -> list[Job]:
    name = "jobs" if state is None else "jobs_in_state"
    values = (limit,) if state is None else (state.value, limit)
    return [_job(row) for row in db.execute(filled(name, columns=_COLUMNS), values)]


def next_due(db: apsw.Connection) -> datetime | None:
    earliest = first_value(db, SQL["next_due"])
    return None if earliest is None else rows.moment(earliest)


def hasten(db: apsw.Connection, kind: str, now: datetime, scope: Scope | None) -> int:
    person = "" if scope is None else "AND tenant = ?3 AND owner = ?4"
    values = () if scope is None else (scope.tenant, scope.user)
    db.execute(filled("hasten_jobs", person=person), (rows.micros(now), kind, *values))
    return int(db.changes())


def retry(db: apsw.Connection, now: datetime, kind: str | None) -> int:
    only, values = ("", ()) if kind is None else ("AND kind = ?2", (kind,))
    db.execute(filled("retry_jobs", kind=only), (rows.micros(now), *values))
    return int(db.changes())


def drop_jobs(db: apsw.Connection, kind: str, state: JobState) -> int:
    db.execute(SQL["drop_jobs"], (state.value, kind))
    return int(db.changes())


def _job(row: rows.Row) -> Job:
    return rows.job_of(Scope(row[0], row[1]), row[2:])
