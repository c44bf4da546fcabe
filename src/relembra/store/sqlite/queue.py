"""The durable queue: claiming with a lease, giving back, and looking at what waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import apsw

from relembra.domain.jobs import Job, JobState, joined
from relembra.domain.scope import Scope
from relembra.errors import ConflictError
from relembra.store import rows
from relembra.store.sqlite.statements import SQL, fetched, filled, first_value

_COLUMNS = f"tenant, owner, {rows.JOB_COLUMNS}"
_ENQUEUE = filled("enqueue", columns=rows.JOB_COLUMNS)
_CLAIM = filled("claim", columns=_COLUMNS)
_JOB = filled("job", columns=_COLUMNS)
_WAITING = filled("waiting_job", columns=_COLUMNS)


def enqueue(db: apsw.Connection, job: Job) -> None:
    """Leave a job; one with a key joins the one of its kind and key that waits already, where that takes it in."""
    owner = (job.scope.tenant, job.scope.user)
    if job.key is not None:
        for row in fetched(db, _WAITING, (*owner, job.kind, job.key)):
            waiting = _job(row)
            if (both := joined(waiting, job)) is not None:
                if both != waiting:
                    changed = (rows.micros(both.due_at), rows.to_json(both.payload), both.key)
                    db.execute(SQL["join_job"], (*changed, rows.id_bytes(both.id)))
                return
    add(db, job)


def add(db: apsw.Connection, job: Job) -> None:
    """Leave a job, whatever waits already."""
    try:
        db.execute(_ENQUEUE, (job.scope.tenant, job.scope.user, *rows.job_row(job)))
    except apsw.ConstraintError as exc:
        raise ConflictError(f"job {job.id!r} is there already") from exc


def claim(
    db: apsw.Connection,
    kinds: Sequence[str],
    now: datetime,
    lease: timedelta,
    limit: int,
    *,
    one_a_scope: bool = False,
    after: Sequence[str] = (),
    scopes: Sequence[Scope] = (),
) -> list[Job]:
    """Take due jobs, oldest due first; within the writer's transaction no two claimers get the same."""
    kinds = tuple(dict.fromkeys(kinds))
    if not kinds or limit <= 0:
        return []
    ids = _due(db, kinds, now, limit, one_a_scope=one_a_scope, after=after, scopes=scopes)
    if not ids:
        return []
    taken = [_job(row) for row in db.execute(_CLAIM, (rows.micros(now + lease), apsw.carray(ids)))]
    return sorted(taken, key=lambda job: (job.due_at, job.id))


def _due(
    db: apsw.Connection,
    kinds: Sequence[str],
    now: datetime,
    limit: int,
    *,
    one_a_scope: bool,
    after: Sequence[str],
    scopes: Sequence[Scope],
) -> tuple[bytes, ...]:
    """Ids of due jobs; every kind's come in order from the index, so that no more are read than are taken."""
    values: list[Any] = [rows.micros(now)]

    def named(value: str) -> str:
        values.append(value)
        return f"?{len(values)}"

    names = [named(kind) for kind in kinds]
    free = filled("free", kinds=", ".join(names)) if one_a_scope else ""
    if after:
        free += filled("first_done", kinds=", ".join(named(kind) for kind in after))
    parts = [filled("due_of_kind", kind=name, free=free) for name in names]
    if scopes:
        owners = [(named(scope.tenant), named(scope.user)) for scope in scopes]
        parts = [
            filled("due_of_scope", tenant=tenant, owner=owner, kind=name, free=free)
            for name in names
            for tenant, owner in owners
        ]
    statement = f"{' UNION ALL '.join(parts)} ORDER BY due_at, id"
    found: list[bytes] = []
    seen: set[tuple[str, str]] = set()
    for _, id, tenant, owner in db.execute(statement, values):
        if one_a_scope and (tenant, owner) in seen:
            continue
        seen.add((tenant, owner))
        found.append(id)
        if len(found) == limit:
            break
    return tuple(found)


def fail(db: apsw.Connection, id: str, claim: int, error: str, retry_at: datetime | None, *, is_counted: bool) -> None:
    """Give a job back that is still of this claim."""
    state = JobState.DEAD if retry_at is None else JobState.WAITING
    due = None if retry_at is None else rows.micros(retry_at)
    db.execute(SQL["fail_job"], (state.value, due, error, 0 if is_counted else 1, rows.known_id(id), claim))


def hand_back(db: apsw.Connection, claims: Mapping[str, int]) -> None:
    """Undo claims; a job that is gone, or claimed by nobody or another, stays as it is."""
    db.executemany(SQL["hand_back_job"], [(rows.known_id(id), claim) for id, claim in claims.items()])


def free_all(db: apsw.Connection) -> None:
    """Take every claim back, for whoever made it is gone; its try still counts."""
    db.execute(SQL["free_jobs"])


def postpone(db: apsw.Connection, id: str, claim: int, until: datetime) -> None:
    """Undo a claim until a later moment; a job that is gone, or claimed by nobody or another, stays as it is."""
    db.execute(SQL["postpone_job"], (rows.micros(until), rows.known_id(id), claim))


def jobs(
    db: apsw.Connection,
    state: JobState | None,
    scope: Scope | None,
    tenant: str | None,
    kinds: Sequence[str],
    limit: int,
) -> list[Job]:
    wanted: list[str] = []
    values: list[Any] = []
    if state is not None:
        wanted.append("state = ?")
        values.append(state.value)
    if scope is not None:
        wanted.append("tenant = ? AND owner = ?")
        values += [scope.tenant, scope.user]
    if tenant is not None:
        wanted.append("tenant = ?")
        values.append(tenant)
    if kinds:
        wanted.append("kind IN carray(?)")
        values.append(apsw.carray(tuple(kinds)))
    where = f"WHERE {' AND '.join(wanted)}" if wanted else ""
    statement = filled("jobs", columns=_COLUMNS, wanted=where)
    return [_job(row) for row in db.execute(statement, (*values, max(0, limit)))]


def job(db: apsw.Connection, id: str) -> Job | None:
    for row in fetched(db, _JOB, (rows.known_id(id),)):
        return _job(row)
    return None


def cancel(db: apsw.Connection, id: str) -> bool:
    """Remove a job nobody works on; whether there was one."""
    raw = rows.known_id(id)
    db.execute(SQL["cancel_job"], (raw,))
    if db.changes():
        return True
    if fetched(db, _JOB, (raw,)):
        raise ConflictError(f"job {id!r} is being done; wait until it is finished or given back")
    return False


def next_due(db: apsw.Connection) -> datetime | None:
    earliest = first_value(db, SQL["next_due"])
    return None if earliest is None else rows.moment(earliest)


def hasten(db: apsw.Connection, kind: str, now: datetime, scope: Scope | None) -> int:
    person = "" if scope is None else "AND tenant = ?3 AND owner = ?4"
    values = () if scope is None else (scope.tenant, scope.user)
    db.execute(filled("hasten_jobs", person=person), (rows.micros(now), kind, *values))
    return int(db.changes())


def retry(db: apsw.Connection, now: datetime, kind: str | None, id: str | None) -> int:
    wanted = "state = 'dead' " if id is None else "state <> 'running' "
    values: list[Any] = [rows.micros(now)]
    if kind is not None:
        wanted += "AND kind = ? "
        values.append(kind)
    if id is not None:
        wanted += "AND id = ?"
        values.append(rows.known_id(id))
    db.execute(filled("retry_jobs", wanted=wanted), values)
    return int(db.changes())


def drop_jobs(db: apsw.Connection, kind: str, state: JobState) -> int:
    db.execute(SQL["drop_jobs"], (state.value, kind))
    return int(db.changes())


def _job(row: rows.Row) -> Job:
    return rows.job_of(Scope(row[0], row[1]), row[2:])
