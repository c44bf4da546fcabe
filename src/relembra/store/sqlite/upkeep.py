"""Keeping house: counting, finding rows without vectors, and indexing anew for another analyzer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import apsw

from relembra.domain.scope import Scope
from relembra.domain.searchable import indexed_text, item_text, message_text, note_text
from relembra.minds.port import Analyzer
from relembra.store import rows
from relembra.store.port import Kind, Stats, Unembedded
from relembra.store.sqlite.connection import beside
from relembra.store.sqlite.indexing import TABLES, add_terms, drop_terms
from relembra.store.sqlite.statements import SQL, fetched, filled, first_value

COLUMNS = {Kind.ITEM: rows.ITEM_COLUMNS, Kind.MESSAGE: rows.MESSAGE_COLUMNS, Kind.NOTE: rows.NOTE_COLUMNS}
TEXTS: dict[Kind, Callable[[Scope, rows.Row], str]] = {
    Kind.ITEM: lambda scope, row: item_text(rows.item_of(scope, row)),
    Kind.MESSAGE: lambda scope, row: message_text(rows.message_of(scope, row)),
    Kind.NOTE: lambda scope, row: note_text(rows.note_of(scope, row)),
}
"""The text a stored row is embedded by."""

INDEXED: dict[Kind, Callable[[Scope, rows.Row], str]] = {
    Kind.ITEM: lambda scope, row: indexed_text(rows.item_of(scope, row)),
    Kind.MESSAGE: lambda scope, row: indexed_text(rows.message_of(scope, row)),
    Kind.NOTE: lambda scope, row: indexed_text(rows.note_of(scope, row)),
}
"""The text a stored row's terms are made of."""

BATCH = 500
FIRST: tuple[str, str, bytes] = ("", "", b"")
"""Before every row, in the order of tenant, owner and id."""


def models(db: apsw.Connection) -> dict[str, int]:
    return dict(fetched(db, filled("models", person="")))


def model_names(db: apsw.Connection) -> list[str]:
    return [name for (name,) in fetched(db, SQL["model_names"])]


def drop_other_vectors(db: apsw.Connection, model: str) -> int:
    db.execute(SQL["drop_other_vectors"], (model,))
    dropped = db.changes()
    db.execute(SQL["drop_other_vector_slices"], (model,))
    db.execute(SQL["drop_other_models"], (model,))
    return dropped


def unindexed(db: apsw.Connection, limit: int) -> list[tuple[Scope, str]]:
    found = fetched(db, SQL["oldest_unindexed"], (max(0, limit),))
    return [(Scope(tenant, owner), rows.id_text(id)) for tenant, owner, id in found]


def unembedded(db: apsw.Connection, model: str, limit: int, after: Unembedded | None) -> list[Unembedded]:
    """By kind, tenant, owner and id."""
    number = first_value(db, SQL["model"], (model,)) or 0
    found: list[Unembedded] = []
    for kind in Kind:
        place = FIRST
        if after is not None:
            if rows.KIND_NUMBERS[kind] < rows.KIND_NUMBERS[after.kind]:
                continue
            if kind is after.kind:
                place = (after.scope.tenant, after.scope.user, rows.id_bytes(after.id))
        statement = filled("unembedded", table=TABLES[kind], columns=COLUMNS[kind])
        values = (*place, number, rows.KIND_NUMBERS[kind], limit - len(found))
        for tenant, owner, *row in fetched(db, statement, values):
            scope = Scope(tenant, owner)
            found.append(Unembedded(scope, kind, rows.id_text(row[0]), TEXTS[kind](scope, row)))
        if len(found) >= limit:
            break
    return found


def stats(db: apsw.Connection, scope: Scope | None, path: Path) -> Stats:
    person = ""
    values: tuple[str, ...] = ()
    if scope is not None:
        person, values = "WHERE tenant = ?1 AND owner = ?2", (scope.tenant, scope.user)

    def counted(name: str, **parts: str) -> dict[str, int]:
        return dict(fetched(db, filled(name, person=person, **parts), values))

    def count(name: str, **parts: str) -> int:
        return int(first_value(db, filled(name, person=person, **parts), values))

    return Stats(
        people=count("people"),
        conversations=count("count_rows", table="conversation"),
        messages=count("count_rows", table="message"),
        notes=count("count_rows", table="note"),
        items=counted("count_states"),
        items_by_type=counted("count_by", table="item", column="type"),
        items_by_area=counted("count_by", table="item", column="area"),
        vectors=counted("models"),
        jobs=counted("count_by", table="job", column="state"),
        bytes=_file_bytes(path) if scope is None else count("person_bytes"),
    )


def _file_bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in (path, beside(path)[0]) if file.exists())


def index_anew(db: apsw.Connection, analyzer: Analyzer) -> None:
    """Make the terms again that an analyzer of another version made; killed half-way, it goes on at the next start."""
    version = str(analyzer.version)
    if first_value(db, SQL["get_meta"], ("analyzer",)) == version:
        return
    for kind in Kind:
        place: tuple[str, str, bytes] | None = FIRST
        while place is not None:
            db.execute("BEGIN IMMEDIATE")
            try:
                place = _index_batch(db, kind, place, analyzer)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
    db.execute(SQL["set_meta"], ("analyzer", version))


def _index_batch(
    db: apsw.Connection, kind: Kind, place: tuple[str, str, bytes], analyzer: Analyzer
) -> tuple[str, str, bytes] | None:
    """Index some rows anew after a place; where to go on, None at the end."""
    table = TABLES[kind]
    statement = filled("every_row", table=table, columns=COLUMNS[kind], only="AND analyzer NOT IN (0, ?)")
    found = fetched(db, statement, (*place, analyzer.version, BATCH))
    for tenant, owner, _, length, *row in found:
        scope = Scope(tenant, owner)
        drop_terms(db, scope, kind, row[0], length, None)
        length = add_terms(db, scope, kind, row[0], Counter(analyzer.terms(INDEXED[kind](scope, row))))
        db.execute(filled("set_length", table=table), (analyzer.version, length, tenant, owner, row[0]))
    return (found[-1][0], found[-1][1], found[-1][4]) if found else None
