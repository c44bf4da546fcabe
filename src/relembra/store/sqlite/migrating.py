"""Bringing a file to this program's schema: numbered steps, one transaction each, and a checksum of what was run."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import apsw

from relembra.errors import StoreVersionError
from relembra.store.sqlite.connection import APPLICATION_ID
from relembra.store.sqlite.statements import fetched, first_value

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
