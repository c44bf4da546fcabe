"""Reading whole memories: every row of a kind in the order of time, and whose there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import apsw

from relembra.domain.scope import Scope
from relembra.store import rows
from relembra.store.port import Cursor, Ledger, LedgerRow, Page
from relembra.store.sqlite.statements import SQL, fetched, filled, first_value


@dataclass(frozen=True, slots=True)
class _Table:
    """Where the rows of a kind lie, and the moment they are ordered by."""

    name: str
    columns: str
    moment: str
    decode: Callable[[Scope, rows.Row], LedgerRow]
    raw_id: Callable[[str], Any] = rows.known_id


_TABLES = {
    Ledger.CONVERSATION: _Table(
        "conversation", rows.CONVERSATION_COLUMNS, "created_at", rows.conversation_of, raw_id=str
    ),
    Ledger.NOTE: _Table("note", rows.NOTE_COLUMNS, "happened_at", rows.note_of),
    Ledger.ITEM: _Table("item", rows.ITEM_COLUMNS, "created_at", rows.item_of),
    Ledger.CASE: _Table("case_file", rows.CASE_COLUMNS, "opened_at", rows.case_of),
    Ledger.RUN: _Table("run", rows.RUN_COLUMNS, "started_at", rows.run_of),
    Ledger.MESSAGE: _Table("message", rows.MESSAGE_COLUMNS, "sent_at", rows.message_of),
}


def page_whole(
    db: apsw.Connection, scope: Scope, ledger: Ledger, *, after: Cursor | None, limit: int
) -> Page[LedgerRow]:
    """One row more than asked is read, to know whether there is more."""
    if limit <= 0:
        return Page((), None)
    table = _TABLES[ledger]
    beyond, place = "", []
    if after is not None:
        beyond, place = f"AND ({table.moment}, id) > (?, ?)", [rows.micros(after.at), table.raw_id(after.id)]
    statement = filled("page_whole", table=table.name, columns=table.columns, moment=table.moment, after=beyond)
    found = fetched(db, statement, (scope.tenant, scope.user, *place, limit + 1))
    taken = tuple(table.decode(scope, row) for row in found[:limit])
    if len(found) <= limit:
        return Page(taken, None)
    moment: datetime = getattr(taken[-1], table.moment)
    return Page(taken, Cursor(moment, taken[-1].id))


def owners(db: apsw.Connection, tenant: str, *, after: str, limit: int) -> list[Scope]:
    """Each next one is a step in every table's key, so that nobody's rows are gone through."""
    found: list[Scope] = []
    while len(found) < limit and (owner := first_value(db, SQL["next_owner"], (tenant, after))) is not None:
        found.append(Scope(tenant, owner))
        after = owner
    return found
