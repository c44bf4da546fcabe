"""Reading an older program's SQLite file. It is never written, not even a lock or a log beside it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import apsw

from relembra.errors import InvalidInputError

Rows = list[dict[str, Any]]

_READ_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
_UNFINISHED = ("-wal", "-journal")  # what SQLite keeps beside a file that is in use or was left in the middle


def read_facts(path: Path) -> tuple[Rows, Rows]:
    """The rows of its tables `facts` and `users`, the latter empty when there is no such table."""
    try:
        with _opened(path) as db:
            if not _has(db, "facts"):
                raise InvalidInputError(f"{path} has no table facts", field="facts_file")
            facts = _rows(db, "SELECT * FROM facts")
            return facts, _rows(db, "SELECT * FROM users") if _has(db, "users") else []
    except (apsw.Error, OSError, UnicodeDecodeError) as exc:
        raise InvalidInputError(f"{path} cannot be read as a SQLite file: {exc}", field="facts_file") from exc


@contextmanager
def _opened(path: Path) -> Iterator[apsw.Connection]:
    """The file as it is; one with unfinished writes beside it is copied with them first, for they belong to it."""
    if not path.is_file():
        raise InvalidInputError(f"there is no file {path}", field="facts_file")
    beside = [other for mark in _UNFINISHED if (other := Path(f"{path}{mark}")).is_file() and other.stat().st_size]
    if not beside:
        with _connected(f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1", _READ_ONLY) as db:
            yield db
        return
    with TemporaryDirectory(prefix="relembra-import-") as folder:
        for source in (path, *beside):
            shutil.copyfile(source, Path(folder, source.name))
        with _connected(str(Path(folder, path.name)), apsw.SQLITE_OPEN_READWRITE) as db:
            yield db


@contextmanager
def _connected(name: str, flags: int) -> Iterator[apsw.Connection]:
    db = apsw.Connection(name, flags=flags)
    try:
        db.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)  # somebody else made the file
        db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        yield db
    finally:
        db.close()


def _has(db: apsw.Connection, table: str) -> bool:
    """Whether there is such a table; a view could be anything, also without an end."""
    sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND lower(name) = ? AND sql NOT LIKE '%VIRTUAL%'"
    return bool(db.execute(sql, (table,)).get)


def _rows(db: apsw.Connection, sql: str) -> Rows:
    cursor = db.execute(sql)
    return [dict(zip((column[0] for column in cursor.description), row, strict=True)) for row in cursor]
