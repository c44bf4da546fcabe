"""Fetching rows: by id, by page, by what they point to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import apsw

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message
from relembra.domain.scope import Scope
from relembra.minds.port import Vector
from relembra.store import rows
from relembra.store.port import Cursor, ItemOrder, Kind, Page
from relembra.store.sqlite.filters import Corner, Wanted
from relembra.store.sqlite.statements import SQL, filled, first_value

T = TypeVar("T")
Decode = Callable[[Scope, rows.Row], T]

_CONVERSATION = filled("conversation", columns=rows.CONVERSATION_COLUMNS)
_PREDECESSORS = filled("predecessors", columns=rows.of_row(rows.ITEM_COLUMNS))
_TRAIL = filled("trail", columns=rows.AUDIT_COLUMNS)
_CHANGE = filled("change", columns=rows.AUDIT_COLUMNS)
_CHANGES = filled("changes", columns=rows.AUDIT_COLUMNS)
_PAGE_TRAIL = filled("page_trail", columns=rows.AUDIT_COLUMNS)
_HEX = set("0123456789abcdef-")
FEW = 1_000
"""So many rows are read and sorted as quickly as fifty are found among many more."""
_SURE = ("confidence", "created_at", "INDEXED BY item_by_confidence")
_ORDERS = {
    ItemOrder.NEWEST: ("", "created_at", ""),
    ItemOrder.OLDEST: ("", "created_at", ""),
    ItemOrder.SUREST: _SURE,
    ItemOrder.UNSURE: _SURE,
    ItemOrder.CHANGED: ("", "updated_at", "INDEXED BY item_by_change"),
}


def by_ids(
    db: apsw.Connection, scope: Scope, ids: Sequence[str], *, table: str, columns: str, decode: Decode[T]
) -> list[T]:
    """Rows in the order asked; unknown ids are left out."""
    raw = tuple({known for id in ids if (known := rows.known_id(id)) is not None})
    if not raw:
        return []
    statement = filled("rows_by_id", table=table, columns=columns)
    found = db.execute(statement, (scope.tenant, scope.user, apsw.carray(raw)))
    return rows.in_order(ids, {rows.id_text(row[0]): decode(scope, row) for row in found})


def conversation(db: apsw.Connection, scope: Scope, id: str) -> Conversation | None:
    for row in db.execute(_CONVERSATION, (scope.tenant, scope.user, id)):
        return rows.conversation_of(scope, row)
    return None


def ids_like(db: apsw.Connection, scope: Scope, fragment: str, limit: int, *, table: str) -> list[str]:
    """Ids that start or end with the fragment, in order."""
    return _like(db, filled("ids_like", table=table), (scope.tenant, scope.user), fragment, limit)


def job_ids_like(db: apsw.Connection, fragment: str, limit: int) -> list[str]:
    """Ids of everybody's jobs that start or end with the fragment, in order."""
    return _like(db, SQL["job_ids_like"], (), fragment, limit)


def _like(db: apsw.Connection, statement: str, whose: tuple[str, ...], fragment: str, limit: int) -> list[str]:
    if not set(fragment) <= _HEX:
        return []
    digits = fragment.replace("-", "")
    found: list[str] = []
    for (raw,) in db.execute(statement, (*whose, f"{digits}%", f"%{digits}")):
        id = rows.id_text(raw)
        if len(found) >= limit:
            break
        if id.startswith(fragment) or id.endswith(fragment):  # the hyphens have to stand right as well
            found.append(id)
    return found


def page(
    db: apsw.Connection,
    scope: Scope,
    wanted: Wanted,
    *,
    table: str,
    columns: str,
    moment: str,
    decode: Decode[T],
    cursor: Callable[[T], Cursor],
    after: Cursor | None,
    limit: int,
    raw_id: Callable[[str], Any] = rows.known_id,
    led_by: str = "",
    rising: bool = False,
) -> Page[T]:
    """Newest first, or `rising`, after the column it is `led_by`, if any.

    One row more than asked is read, to know whether there is more.
    """
    if limit <= 0:
        return Page((), None)
    keys = [f"row.{name}" for name in (led_by, moment, "id") if name]
    beyond, place = "", list[Any]()
    if after is not None:
        beyond = f"AND ({', '.join(keys)}) {'>' if rising else '<'} ({', '.join('?' * len(keys))})"
        place = [*([after.confidence] if led_by else []), rows.micros(after.at), raw_id(after.id)]
    order = ", ".join(f"{key} {'ASC' if rising else 'DESC'}" for key in keys)
    parts = {"table": table, "columns": columns, "order": order, "index": wanted.index}
    statement = filled("page", **parts, after=beyond, wanted=wanted.sql)
    found = db.execute(statement, (scope.tenant, scope.user, *place, *wanted.values, limit + 1)).fetchall()
    taken = tuple(decode(scope, row) for row in found[:limit])
    return Page(taken, cursor(taken[-1]) if len(found) > limit else None)


def page_items(
    db: apsw.Connection, scope: Scope, wanted: Wanted, *, order: ItemOrder, after: Cursor | None, limit: int
) -> Page[KnowledgeItem]:
    """Items in an order, each of which has its index; out of a corner of few, sorted."""
    led_by, moment, index = _ORDERS[order]
    wanted.index = wanted.index or _cornered(db, scope, wanted.corner, moment=moment, led_by=led_by) or index
    return page(
        db,
        scope,
        wanted,
        table="item",
        columns=rows.ITEM_COLUMNS,
        moment=moment,
        decode=rows.item_of,
        cursor=order.cursor,
        after=after,
        limit=limit,
        led_by=led_by,
        rising=order.is_rising,
    )


def _cornered(db: apsw.Connection, scope: Scope, corner: Corner | None, *, moment: str, led_by: str) -> str:
    """The index of a corner, where it has the order asked for or so few rows that all of them may be sorted."""
    if corner is None:
        return ""
    if not (corner.is_by_time and moment == "created_at" and not led_by):
        statement = filled("rows_in_corner", index=corner.index, condition=corner.condition)
        if first_value(db, statement, (scope.tenant, scope.user, *corner.values, FEW + 1)) > FEW:
            return ""
    return f"INDEXED BY {corner.index}"


def beside(
    db: apsw.Connection, scope: Scope, ids: Sequence[str], wanted: Wanted, *, before: int, after: int
) -> dict[str, tuple[Message, ...]]:
    """For each message the wanted ones of its conversation just before and after it, in the order of time."""
    sides = [
        filled("beside", columns=rows.MESSAGE_COLUMNS, wanted=wanted.sql, side=side, order=order)
        for side, order in (("<", "DESC"), (">", "ASC"))
    ]

    def told(message: Message, side: str, limit: int) -> list[Message]:
        place = (message.conversation, rows.micros(message.sent_at), rows.known_id(message.id))
        found = db.execute(side, (scope.tenant, scope.user, *place, *wanted.values, max(limit, 0)))
        return [rows.message_of(scope, row) for row in found]

    messages = by_ids(db, scope, ids, table="message", columns=rows.MESSAGE_COLUMNS, decode=rows.message_of)
    return {
        message.id: (*reversed(told(message, sides[0], before)), *told(message, sides[1], after))
        for message in messages
    }


def hidden_conversations(db: apsw.Connection, scope: Scope, ids: Sequence[str]) -> set[str]:
    if not ids:
        return set()
    found = db.execute(SQL["hidden_conversations"], (scope.tenant, scope.user, apsw.carray(tuple(ids))))
    return {id for (id,) in found}


def acquaintances(db: apsw.Connection, scope: Scope, without: frozenset[str]) -> list[tuple[str, str]]:
    raw = tuple(sorted(known for id in without if (known := rows.known_id(id)) is not None))
    statement = filled("acquaintances", without="AND id NOT IN carray(?)" if raw else "")
    found = db.execute(statement, (scope.tenant, scope.user, *([apsw.carray(raw)] if raw else [])))
    return [(subject, called) for subject, called in found]


def vectors(
    db: apsw.Connection, scope: Scope, kind: Kind, model: str, parts: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], Vector]:
    ids = {raw: id for id in dict.fromkeys(id for id, _ in parts) if (raw := rows.known_id(id)) is not None}
    number = first_value(db, SQL["model"], (model,))
    if number is None or not ids:
        return {}
    key = (scope.tenant, scope.user, number, rows.KIND_NUMBERS[kind], apsw.carray(tuple(ids)))
    found = {(ids[raw], part): vector for raw, part, vector in db.execute(SQL["vectors_of_rows"], key)}
    return {part: found[part] for part in parts if part in found}


def predecessors(db: apsw.Connection, scope: Scope, id: str) -> list[KnowledgeItem]:
    found = db.execute(_PREDECESSORS, (scope.tenant, scope.user, rows.known_id(id)))
    return [rows.item_of(scope, row) for row in found]


def trail(db: apsw.Connection, scope: Scope, target: Target, id: str) -> list[AuditEntry]:
    found = db.execute(_TRAIL, (scope.tenant, scope.user, target.value, id))
    return [rows.audit_of(scope, row) for row in found]


def change(db: apsw.Connection, scope: Scope, change: str) -> list[AuditEntry]:
    found = db.execute(_CHANGE, (scope.tenant, scope.user, change))
    return [rows.audit_of(scope, row) for row in found]


def changes(db: apsw.Connection, scope: Scope, changes: Sequence[str]) -> list[AuditEntry]:
    if not changes:
        return []
    found = db.execute(_CHANGES, (scope.tenant, scope.user, apsw.carray(tuple(set(changes)))))
    return [rows.audit_of(scope, row) for row in found]


def page_trail(db: apsw.Connection, scope: Scope, after: int, limit: int) -> list[tuple[int, AuditEntry]]:
    found = db.execute(_PAGE_TRAIL, (scope.tenant, scope.user, after, max(0, limit)))
    return [(row[0], rows.audit_of(scope, row[1:])) for row in found]


def last_entry(db: apsw.Connection, scope: Scope) -> int:
    return int(first_value(db, SQL["last_entry"], (scope.tenant, scope.user)))
