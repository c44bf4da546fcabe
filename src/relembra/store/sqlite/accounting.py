"""What is due to be accounted for in the record of the next consolidation: messages and changes."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from relembra.domain.scope import Scope
from relembra.store import rows
from relembra.store.port import Accounted, Unaccounted
from relembra.store.sqlite.statements import SQL, fetched

_MESSAGE, _CHANGE = 1, 2


def due_message(db: apsw.Connection, scope: Scope, id: str) -> None:
    db.execute(SQL["is_due"], (scope.tenant, scope.user, _MESSAGE, rows.id_bytes(id)))


def due_change(db: apsw.Connection, scope: Scope, change: str) -> None:
    db.execute(SQL["is_due"], (scope.tenant, scope.user, _CHANGE, change.encode()))


def account(db: apsw.Connection, scope: Scope, op: Accounted) -> None:
    messages = (raw for id in op.messages if (raw := rows.known_id(id)) is not None)
    for what, ids in ((_MESSAGE, tuple(messages)), (_CHANGE, tuple(change.encode() for change in op.changes))):
        if ids:
            db.execute(SQL["is_accounted"], (scope.tenant, scope.user, what, apsw.carray(ids)))


def unaccounted(db: apsw.Connection, scope: Scope, limit: int) -> Unaccounted:
    person = (scope.tenant, scope.user)
    most = max(0, limit)
    return Unaccounted(
        messages=_ids(id for (id,) in fetched(db, SQL["unaccounted_messages"], (*person, most))),
        buffered=_ids(id for (id,) in fetched(db, SQL["unaccounted_in_buffers"], person)),
        changes=tuple(bytes(id).decode() for (id,) in fetched(db, SQL["unaccounted_changes"], (*person, most))),
    )


def _ids(found: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(rows.id_text(raw) for raw in found)
