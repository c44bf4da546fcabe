"""Reading an older program's SQLite file. It is never written, not even a lock or a log beside it."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import apsw

from relembra.errors import InvalidInputError

Rows = list[dict[str, Any]]

FIELD = "facts_file"
MOST_ROWS = 200_000
LONGEST_VALUE = 16 * 1024 * 1024
FULLEST = 4
"""How many times its own size a file may hold; what it really holds is less than once."""

_READ_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
_UNFINISHED = ("-wal", "-journal")  # what SQLite keeps beside a file that is in use or was left in the middle


def read_facts(path: Path, columns: Collection[str]) -> tuple[Rows, Rows]:
    """The rows of its tables `facts` and `users`, the latter empty when there is no such table.

    Of each only these columns, and only what lies in the file: nothing it would have computed is.
    """
    if not path.is_file():
        raise InvalidInputError(f"there is no file {path}", field=FIELD)
    try:
        with opened_as_it_is(path) as db:
            _distrust(db)
            if not _has(db, "facts"):
                raise InvalidInputError(f"{path} has no table facts", field=FIELD)
            most = FULLEST * path.stat().st_size + LONGEST_VALUE
            facts = _rows(db, "facts", columns, most)
            return facts, _rows(db, "users", columns, most) if _has(db, "users") else []
    except (apsw.Error, OSError, UnicodeDecodeError) as exc:
        raise InvalidInputError(f"{path} cannot be read as a SQLite file: {exc}", field=FIELD) from exc


@contextmanager
def opened_as_it_is(path: Path) -> Iterator[apsw.Connection]:
    """The file as it is; one with unfinished writes beside it is copied with them first, for they belong to it."""
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
        yield db
    finally:
        db.close()


def _distrust(db: apsw.Connection) -> None:
    """Somebody else made the file: nothing in it may run, or swell beyond what it holds."""
    db.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    db.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    db.limit(apsw.SQLITE_LIMIT_SQL_LENGTH, LONGEST_VALUE)
    db.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)


def _has(db: apsw.Connection, table: str) -> bool:
    """Whether there is such a table; a view could be anything, also without an end."""
    return any(kind == "table" for _, _, kind, *_ in db.execute(f"PRAGMA main.table_list({table})"))


def _rows(db: apsw.Connection, table: str, columns: Collection[str], most: int) -> Rows:
    """What the wanted columns of a table hold; those that would be computed are passed over."""
    stored = [name for _, name, *_, hidden in db.execute(f"PRAGMA main.table_xinfo({table})") if not hidden]
    names = [name for name in stored if name.lower() in columns]
    if not names:
        raise InvalidInputError(f"the table {table} has no known column, only {', '.join(stored[:20])}", field=FIELD)
    wanted = ", ".join('"{}"'.format(name.replace('"', '""')) for name in names)
    rows: Rows = []
    size = 0
    for row in db.execute(f"SELECT {wanted} FROM main.{table} NOT INDEXED"):  # noqa: S608 - quoted names of its own
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(rows) == MOST_ROWS or size > most:
            raise InvalidInputError(f"the table {table} holds more than can be taken over at once", field=FIELD)
        rows.append(dict(zip(names, row, strict=True)))
    return rows
