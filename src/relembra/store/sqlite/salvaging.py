"""Bringing what can still be read out of a damaged file, row by row, into a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from relembra.domain.scope import Scope
from relembra.errors import ConflictError, InvalidInputError, RelembraError, StoreCorruptError
from relembra.minds.port import Analyzer
from relembra.store import rows
from relembra.store.port import Kind, Salvaged
from relembra.store.sqlite.backups import partial_file, put_in_place
from relembra.store.sqlite.connection import open_writer, refuse_strangers
from relembra.store.sqlite.errors import UNREADABLE, translated
from relembra.store.sqlite.indexing import TABLES, add_terms
from relembra.store.sqlite.legacy import opened_as_it_is
from relembra.store.sqlite.migrating import lacks_steps, migrate, shipped
from relembra.store.sqlite.statements import SQL, fetched, filled, first_value
from relembra.store.sqlite.upkeep import BATCH, COLUMNS, FIRST, INDEXED

_COPIED = (
    "conversation", "message", "note", "item", "case_file", "audit", "run", "unaccounted", "job", "buffer", "buffered",
    "use", "stamp", "access_key", "link", "door",
)  # fmt: skip
"""What cannot be made anew; terms, vectors, counts and views can."""

_DECODED: dict[str, tuple[str, Callable[[Scope, rows.Row], object]]] = {
    "conversation": (rows.CONVERSATION_COLUMNS, rows.conversation_of),
    "message": (rows.MESSAGE_COLUMNS, rows.message_of),
    "note": (rows.NOTE_COLUMNS, rows.note_of),
    "item": (rows.ITEM_COLUMNS, rows.item_of),
    "case_file": (rows.CASE_COLUMNS, rows.case_of),
    "audit": (rows.AUDIT_COLUMNS, rows.audit_of),
    "run": (rows.RUN_COLUMNS, rows.run_of),
    "job": (rows.JOB_COLUMNS, rows.job_of),
}
"""How a row is tried whose bytes may be wrong without the page being so."""

_BROKEN = (apsw.Error, RelembraError, *UNREADABLE)

Row = tuple[Any, ...]


def salvage(source: Path, target: Path, analyzer: Analyzer) -> Salvaged:
    """Write a new store with what can be read of a damaged one, which is never written; how many rows were, and not.

    A page that cannot be read is passed over from both sides, and what lies between two such pages is found by the keys
    that indexes hold.
    """
    source, target = source.expanduser().resolve(), target.expanduser().resolve()
    if not source.is_file():
        raise InvalidInputError(f"there is no file {source}", field="file")
    if target.exists():
        raise ConflictError(f"{target} exists already; name a new file for what is brought out")
    with partial_file(target) as partial:
        with translated(source), opened_as_it_is(source) as damaged:
            version = _version(damaged, source)
            db = open_writer(partial, durability="normal", create=True)
            try:
                migrate(db, partial, shipped()[:version])
                read, lost = _copied(damaged, db)
                migrate(db, partial)
                _mend(db)
                _index(db, analyzer)
            finally:
                db.close()
        put_in_place(partial, target)
    return Salvaged(path=target, read=read, lost=lost)


def _version(damaged: apsw.Connection, path: Path) -> int:
    """How many steps the file has had; all, where that cannot be read."""
    damaged.execute("PRAGMA cell_size_check = ON")
    damaged.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)  # or a file that lacks pages it counts is not read at all
    try:
        damaged.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except (apsw.CorruptError, apsw.NotADBError) as exc:
        raise StoreCorruptError(f"{path}: nothing can be brought out, for its first page cannot be read") from exc
    refuse_strangers(damaged, path)
    try:
        lacks_steps(damaged, path)  # refuses what a newer program wrote
        return int(first_value(damaged, "SELECT max(number) FROM migration") or 0)
    except apsw.Error:
        return len(shipped())


def _copied(damaged: apsw.Connection, db: apsw.Connection) -> tuple[dict[str, int], dict[str, int]]:
    read: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    present = {name for (name,) in fetched(db, "SELECT name FROM sqlite_schema WHERE type = 'table'")}
    db.execute("BEGIN IMMEDIATE")
    for table in (name for name in _COPIED if name in present):
        for row in _rows(damaged, db, table):
            if row is not None and _put(db, table, row):
                read[table] += 1
            else:
                lost[table] += 1
    db.execute("COMMIT")
    return dict(read), dict(lost)


def _rows(damaged: apsw.Connection, db: apsw.Connection, table: str) -> Iterator[dict[str, Any] | None]:
    """Every row there is a key of; None for one that cannot be read or makes no sense."""
    described = fetched(db, f'PRAGMA table_info("{table}")')
    columns = [str(name) for _, name, *_ in described]
    key = [str(name) for _, name, *_, place in sorted(described, key=lambda column: column[5]) if place]
    parts = {"table": table, "columns": _listed(columns), "key": _listed(key), "marks": _marks(key)}
    wanted = filled("salvaged_row", **parts)
    for found in _keys(damaged, db, table, key):
        try:
            values = dict(zip(columns, fetched(damaged, wanted, found)[0], strict=True))
            _try_out(table, values)
        except _BROKEN:
            yield None
        else:
            yield values


def _keys(damaged: apsw.Connection, db: apsw.Connection, table: str, key: Sequence[str]) -> dict[Row, None]:
    """The keys of a table, read along it and along each of its indexes, from both ends up to what cannot be read."""
    ways = [("NOT INDEXED", list(key))]
    for _, index, _, origin, is_partial in fetched(db, f'PRAGMA index_list("{table}")'):
        if origin == "c" and not is_partial:
            order = [str(name) for _, _, name in fetched(db, f'PRAGMA index_info("{index}")')]
            ways.append((f'INDEXED BY "{index}"', order))
    found: dict[Row, None] = {}
    for way, order in ways:
        for turn in ("ASC", "DESC"):
            along = ", ".join(f'"{name}" {turn}' for name in order)
            wanted = filled("salvaged_keys", table=table, key=_listed(key), way=way, along=along)
            with suppress(*_BROKEN):
                for row in damaged.execute(wanted):
                    found.setdefault(tuple(row))
    return found


def _try_out(table: str, values: dict[str, Any]) -> None:
    columns, decode = _DECODED.get(table, ("", None))
    names = columns.split(", ")
    if decode is not None and all(name in values for name in names):
        decode(Scope(values["tenant"], values["owner"]), [values[name] for name in names])


def _put(db: apsw.Connection, table: str, values: dict[str, Any]) -> bool:
    if "analyzer" in values:
        values |= {"analyzer": 0, "length": 0}
    statement = filled("put_salvaged", table=table, columns=_listed(values), marks=_marks(values))
    try:
        db.execute(statement, tuple(values.values()))
    except (apsw.ConstraintError, apsw.MismatchError):
        return False
    return True


def _mend(db: apsw.Connection) -> None:
    """Let nothing name what was lost."""
    lost = {name: SQL[name] for name in ("lost_successors", "jobless_buffers", "stray_buffered", "lost_buffered",
                                         "lost_unaccounted")}  # fmt: skip
    db.execute(filled("mend_salvaged", **lost))


def _index(db: apsw.Connection, analyzer: Analyzer) -> None:
    """Make the terms of all rows."""
    db.execute("BEGIN IMMEDIATE")
    for kind in Kind:
        statement = filled("every_row", table=TABLES[kind], columns=COLUMNS[kind], only="")
        place = FIRST
        while found := fetched(db, statement, (*place, BATCH)):
            for tenant, owner, _, _, *row in found:
                scope = Scope(tenant, owner)
                length = add_terms(db, scope, kind, row[0], Counter(analyzer.terms(INDEXED[kind](scope, row))))
                values = (analyzer.version, length, tenant, owner, row[0])
                db.execute(filled("set_length", table=TABLES[kind]), values)
            place = (found[-1][0], found[-1][1], found[-1][4])
    db.execute(SQL["set_meta"], ("analyzer", str(analyzer.version)))
    db.execute("COMMIT")


def _marks(values: Sized) -> str:
    return ", ".join("?" * len(values))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
