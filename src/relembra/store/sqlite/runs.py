"""The records of night work: keeping, finding and paging them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import apsw

from relembra.domain.run import Run, RunKind
from relembra.domain.scope import Scope
from relembra.errors import ConflictError
from relembra.store import rows
from relembra.store.port import Cursor, Page
from relembra.store.sqlite.reading import by_ids
from relembra.store.sqlite.records import replacing, stale
from relembra.store.sqlite.statements import fetched, filled, first_value

_PUT = replacing("put_run", rows.RUN_COLUMNS)
_VERSION = filled("version", table="run", key="id")
_OF_NIGHT = filled("run_of_night", columns=rows.RUN_COLUMNS)


def put_run(db: apsw.Connection, scope: Scope, run: Run, expects: int | None) -> None:
    version = first_value(db, _VERSION, (scope.tenant, scope.user, rows.id_bytes(run.id)))
    if version != expects:
        raise stale("run", run.id, version, expects)
    try:
        db.execute(_PUT, (scope.tenant, scope.user, *rows.run_row(run)))
    except apsw.ConstraintError as exc:
        raise ConflictError(f"there is a record of {run.kind} for the night of {run.night} already") from exc


def read(db: apsw.Connection, scope: Scope, id: str) -> Run | None:
    found = by_ids(db, scope, [id], table="run", columns=rows.RUN_COLUMNS, decode=rows.run_of)
    return found[0] if found else None


def of_night(db: apsw.Connection, scope: Scope, kind: RunKind, night: date) -> Run | None:
    for row in fetched(db, _OF_NIGHT, (scope.tenant, scope.user, kind.value, night.isoformat())):
        return rows.run_of(scope, row)
    return None


def page(
    db: apsw.Connection, scope: Scope | None, kinds: Sequence[RunKind], after: Cursor | None, limit: int
) -> Page[Run]:
    """Newest first; one row more than asked is read, to know whether there is more."""
    if limit <= 0:
        return Page((), None)
    wanted: list[str] = []
    values: list[Any] = []
    if scope is not None:
        wanted.append("tenant = ? AND owner = ?")
        values += [scope.tenant, scope.user]
    if after is not None:
        wanted.append("(started_at, id) < (?, ?)")
        values += [rows.micros(after.at), rows.known_id(after.id)]
    if kinds:
        wanted.append("kind IN carray(?)")
        values.append(apsw.carray(tuple(kind.value for kind in kinds)))
    index = "INDEXED BY run_by_start" if scope is None else "INDEXED BY run_by_time"
    statement = filled("page_runs", columns=rows.RUN_COLUMNS, index=index, wanted=" AND ".join(wanted) or "true")
    found = fetched(db, statement, (*values, limit + 1))
    taken = tuple(rows.run_of(Scope(row[0], row[1]), row[2:]) for row in found[:limit])
    return Page(taken, Cursor(taken[-1].started_at, taken[-1].id) if len(found) > limit else None)
