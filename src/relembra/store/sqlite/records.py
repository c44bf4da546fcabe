"""Small records beside the ledgers: cases, views, and what models were asked."""

from __future__ import annotations

from datetime import UTC, date

import apsw

from relembra.domain.case import Case
from relembra.domain.scope import Scope
from relembra.errors import StaleError
from relembra.store import rows
from relembra.store.port import CountUse, Use, View
from relembra.store.sqlite.statements import SQL, fetched, filled, first_value


def replacing(name: str, columns: str) -> str:
    """A statement that stores a row in the place of the one before."""
    given = ", ".join(f"excluded.{column}" for column in columns.split(", "))
    return filled(name, columns=columns, given=given)


_PUT_CASE = replacing("put_case", rows.CASE_COLUMNS)
_PUT_VIEW = replacing("put_view", rows.VIEW_COLUMNS)
_VIEW = filled("view", columns=rows.VIEW_COLUMNS)
_CASE_VERSION = filled("version", table="case_file", key="id")
_VIEW_VERSION = filled("version", table="stored_view", key="name")


def put_case(db: apsw.Connection, scope: Scope, case: Case, expects: int | None) -> None:
    version = first_value(db, _CASE_VERSION, (scope.tenant, scope.user, rows.id_bytes(case.id)))
    if version != expects:
        raise stale("case", case.id, version, expects)
    db.execute(_PUT_CASE, (scope.tenant, scope.user, *rows.case_row(case)))


def put_view(db: apsw.Connection, scope: Scope, view: View, expects: int | None) -> None:
    version = first_value(db, _VIEW_VERSION, (scope.tenant, scope.user, view.name))
    if version != expects:
        raise stale("view", view.name, version, expects)
    db.execute(_PUT_VIEW, (scope.tenant, scope.user, *rows.view_row(view)))


def stale(what: str, id: str, version: int | None, expects: int | None) -> StaleError:
    return StaleError(f"{what} {id!r} is at version {version}, not {expects}: read it and decide again")


def view(db: apsw.Connection, scope: Scope, name: str) -> View | None:
    for row in fetched(db, _VIEW, (scope.tenant, scope.user, name)):
        return rows.view_of(scope, row)
    return None


def count_use(db: apsw.Connection, scope: Scope, op: CountUse) -> None:
    day = op.at.astimezone(UTC).date().isoformat()
    asked = (op.calls, op.input_tokens, op.output_tokens)
    db.execute(SQL["count_use"], (scope.tenant, scope.user, day, op.task, op.model, *asked))


def usage(db: apsw.Connection, scope: Scope | None, since: date | None) -> list[Use]:
    person = "" if scope is None else "AND tenant = ?2 AND owner = ?3"
    values = () if scope is None else (scope.tenant, scope.user)
    found = fetched(db, filled("usage", person=person), ("" if since is None else since.isoformat(), *values))
    return [
        Use(
            day=date.fromisoformat(day),
            task=task,
            model=model,
            calls=calls,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
        )
        for day, task, model, calls, input_tokens, output_tokens in found
    ]


def case_scope(db: apsw.Connection, tenant: str, id: str) -> Scope | None:
    owner = first_value(db, SQL["case_owner"], (tenant, rows.known_id(id)))
    return None if owner is None else Scope(tenant, owner)
