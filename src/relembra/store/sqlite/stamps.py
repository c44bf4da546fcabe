"""The clock of the file, and the stamps it gives to whoever's rows changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import apsw

from relembra.domain.scope import Scope
from relembra.store.port import Stamp
from relembra.store.sqlite.statements import SQL, fetched


def tick(db: apsw.Connection) -> int:
    """The next moment of the file's clock; no two transactions get the same."""
    return int(fetched(db, SQL["tick"])[0][0])


def stamp(db: apsw.Connection, scopes: Mapping[Scope, bool]) -> None:
    """Note that something to be read of each of these changed just now; True: something known as well."""
    changed = sorted((scope.tenant, scope.user, known) for scope, known in scopes.items())
    if changed:
        now = tick(db)
        db.executemany(SQL["stamp"], [(tenant, owner, now, now if known else 0) for tenant, owner, known in changed])


def stamps(db: apsw.Connection, scopes: Sequence[Scope]) -> tuple[Stamp, ...]:
    found = (fetched(db, SQL["stamp_of"], (scope.tenant, scope.user)) for scope in scopes)
    return tuple(Stamp(*rows[0]) if rows else Stamp(0, 0) for rows in found)
