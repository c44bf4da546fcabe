"""Doors that are closed, and letting go of what waits behind one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime

import apsw

from relembra.domain.doors import Door, DoorKind
from relembra.domain.jobs import LEARNING
from relembra.domain.message import Role
from relembra.domain.scope import Scope
from relembra.domain.text import fold
from relembra.store import rows
from relembra.store.doors import is_behind, let_go
from relembra.store.port import Accounted
from relembra.store.sqlite import buffering, queue
from relembra.store.sqlite.accounting import account
from relembra.store.sqlite.stamps import stamp
from relembra.store.sqlite.statements import SQL, fetched, filled

_DOORS = filled("doors", wanted="")
_DOOR = filled("doors", wanted="AND kind = ?2 AND key = ?3")
_LEARNING = filled("jobs_of_kind", columns=f"owner, {rows.JOB_COLUMNS}")


def close(
    db: apsw.Connection, tenant: str, kind: DoorKind, name: str, since: datetime, new_id: Callable[[], str]
) -> Door:
    key = fold(name)
    db.execute(SQL["close_door"], (tenant, kind.value, key, name, rows.micros(since)))
    _let_go(db, tenant, kind, key, new_id)
    return _door(fetched(db, _DOOR, (tenant, kind.value, key))[0])


def open_(db: apsw.Connection, tenant: str, kind: DoorKind, name: str) -> bool:
    db.execute(SQL["open_door"], (tenant, kind.value, fold(name)))
    return bool(db.changes())


def doors(db: apsw.Connection, tenant: str) -> list[Door]:
    return [_door(row) for row in fetched(db, _DOORS, (tenant,))]


def closed(db: apsw.Connection, tenant: str, people: Sequence[str], space: str | None) -> list[Door]:
    asked = {(DoorKind.PERSON.value, fold(name)) for name in people}
    if space is not None:
        asked.add((DoorKind.SPACE.value, fold(space)))
    return [_door(row) for kind, key in sorted(asked) for row in fetched(db, _DOOR, (tenant, kind, key))]


def spaces(db: apsw.Connection, tenant: str) -> list[str]:
    return [space for (space,) in fetched(db, SQL["spaces"], (tenant,))]


def _let_go(db: apsw.Connection, tenant: str, kind: DoorKind, key: str, new_id: Callable[[], str]) -> None:
    """Take what lies behind a door out of buffers, out of learning, and off what the night reads again."""

    def behind(owner: str, row: rows.Row) -> bool:
        return is_behind(kind, key, owner=owner, author=row[1], role=Role(row[2]), space=row[3])

    buffered: dict[str, set[str]] = defaultdict(set)
    due: dict[str, set[str]] = defaultdict(set)
    for owner, *row, is_due in fetched(db, SQL["waiting_messages"], (tenant,)):
        if behind(owner, row):
            (due if is_due else buffered)[owner].add(rows.id_text(row[0]))
    for owner, *columns in (row for name in LEARNING for row in fetched(db, _LEARNING, (tenant, name))):
        job = rows.job_of(Scope(tenant, owner), columns)
        raw = tuple(id for name in job.payload["messages"] if (id := rows.known_id(name)) is not None)
        said = fetched(db, SQL["said_by"], (tenant, owner, apsw.carray(raw))) if raw else []
        gone = {rows.id_text(row[0]) for row in said if behind(owner, row)}
        if gone:
            db.execute(SQL["finish_job"], (tenant, owner, columns[0]))
            if (left := let_go(job, gone, new_id)) is not None:
                queue.add(db, left)
    for owner, ids in buffered.items():
        whose = (tenant, owner, apsw.carray(tuple(rows.id_bytes(id) for id in sorted(ids))))
        shelves = {Scope(tenant, shelf) for shelf, _ in fetched(db, SQL["buffers_of_messages"], whose)}
        buffering.take_out(db, Scope(tenant, owner), ids)
        stamp(db, dict.fromkeys(shelves, False))
    for owner, ids in due.items():
        account(db, Scope(tenant, owner), Accounted(messages=tuple(ids)))
        db.execute(SQL["unsettle_runs"], (tenant, owner))


def _door(row: rows.Row) -> Door:
    kind, name, since = row
    return Door(kind=DoorKind(kind), name=name, since=rows.moment(since))
