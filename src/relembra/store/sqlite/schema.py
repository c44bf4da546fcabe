"""Bringing a file to this program's schema: numbered steps, one transaction each, and a checksum of what was run."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import apsw

from relembra.errors import InvalidInputError, StoreVersionError
from relembra.store.sqlite.connection import APPLICATION_ID, fetched, first_value

_LEDGER = """
CREATE TABLE IF NOT EXISTS migration (
  number     INTEGER NOT NULL PRIMARY KEY,
  name       TEXT    NOT NULL,
  checksum   TEXT    NOT NULL,
  applied_at BIGINT  NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step, as shipped."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def shipped() -> list[Migration]:
    """The steps this program knows, in order."""
    folder = files(__package__).joinpath("migrations")
    steps = []
    for file in folder.iterdir():
        if file.name.endswith(".sql"):
            number, _, name = file.name.removesuffix(".sql").partition("_")
            steps.append(Migration(int(number), name, file.read_text(encoding="utf-8")))
    return sorted(steps, key=lambda step: step.number)


def migrate(db: apsw.Connection, path: Path, steps: list[Migration] | None = None) -> int:
    """Run the steps the file lacks, once also when several processes open it together; how many were run."""
    steps = shipped() if steps is None else steps
    missing = _missing(db, path, steps)
    for step in missing:
        db.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have been quicker, so look again under the lock.
            if step in _missing(db, path, steps):
                _run(db, step)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
    return len(missing)


def _run(db: apsw.Connection, step: Migration) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(_LEDGER)
    db.execute(step.sql)
    db.execute(
        "INSERT INTO migration (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
        (step.number, step.name, step.checksum, time.time_ns() // 1000),
    )


def lacks_steps(db: apsw.Connection, path: Path) -> bool:
    """Whether a file is of an earlier version; one this program does not understand is refused."""
    return bool(_missing(db, path, shipped()))


def _missing(db: apsw.Connection, path: Path, steps: list[Migration]) -> list[Migration]:
    """The steps the file lacks; a file this program does not understand is refused."""
    # Not `table_exists`, which answers from what this connection remembers.
    if not first_value(db, "SELECT 1 FROM sqlite_schema WHERE name = 'migration'"):
        return steps
    applied = dict(fetched(db, "SELECT number, checksum FROM migration"))
    newest = steps[-1].number if steps else 0
    if applied and max(applied) > newest:
        raise StoreVersionError(
            f"{path} was written by a newer Relembra (schema {max(applied)}, this one knows {newest}):"
            " upgrade with pip install -U relembra"
        )
    for step in steps:
        if applied.get(step.number, step.checksum) != step.checksum:
            raise StoreVersionError(
                f"{path} was made by another build of migration {step.number:04d}_{step.name}:"
                " open it with the Relembra that made it, export, and import here"
            )
    return [step for step in steps if step.number not in applied]


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
