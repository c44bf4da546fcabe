"""Opening the file: how a connection is set up, and which library is new enough to be trusted with it."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import apsw
import apsw.sqlite_extra

from relembra.errors import StoreCorruptError, StoreError, StoreVersionError
from relembra.store.sqlite.errors import translated

Durability = Literal["full", "normal"]

OLDEST_SAFE_SQLITE = 3_051_003
"""Earlier ones can damage a database when its write-ahead log is reset while being read."""

APPLICATION_ID = 0x524C4D42
"""In the file's header, "RLMB": tells a store from any other SQLite file."""

BUSY_TIMEOUT_MS = 10_000
_PAGE_BYTES = 8192
_STATEMENTS = 200
_READER_CACHE_KIB = 24_576  # one person's 10,000 vectors
_WRITER_CACHE_KIB = 16_384
_OWNERS_ONLY = 0o600
_BESIDE = ("-wal", "-shm")


def check_library() -> None:
    """Refuse to work with a SQLite that could damage the file."""
    version = int(apsw.SQLITE_VERSION_NUMBER)
    if version < OLDEST_SAFE_SQLITE:
        raise StoreVersionError(
            f"SQLite {apsw.sqlite_lib_version()} can damage a store (fixed in 3.51.3): pip install -U apsw"
        )


def open_writer(path: Path, *, durability: Durability, create: bool) -> apsw.Connection:
    """The one connection that writes."""
    if create:
        make_private(path)
    keep_private(path)
    with translated(path):
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, statementcachesize=_STATEMENTS)
    try:
        with translated(path, db):
            db.set_busy_timeout(BUSY_TIMEOUT_MS)
            db.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
            refuse_strangers(db, path)
            _use_log(db)
            db.execute(f"PRAGMA synchronous = {durability}")
            _set_up(db, _WRITER_CACHE_KIB)
            db.execute("PRAGMA secure_delete = ON").fetchall()
    except BaseException:
        db.close()
        raise
    return db


def beside(path: Path) -> list[Path]:
    """The files SQLite keeps next to a database while it is in use."""
    return [path.with_name(path.name + mark) for mark in _BESIDE]


def make_private(path: Path) -> None:
    """An empty file that only its owner may read, unless there is one; SQLite gives those beside it the same rights."""
    with contextlib.suppress(OSError):  # opening it tells what is wrong
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNERS_ONLY))


def keep_private(path: Path) -> None:
    """Take everybody else's rights to the files of a store away, where they are ours to take."""
    for file in (path, *beside(path)):
        with contextlib.suppress(OSError):
            held = file.stat()
            if stat.S_ISREG(held.st_mode) and held.st_uid == os.geteuid() and held.st_mode & 0o077:
                file.chmod(stat.S_IMODE(held.st_mode) & 0o700)


def open_reader(path: Path, *, read_only: bool = False) -> apsw.Connection:
    """A connection that can only read; `read_only`: of a file that may be impossible to write."""
    if not read_only:
        return _reader(path, str(path), apsw.SQLITE_OPEN_READWRITE)
    try:
        return _reader(path, str(path), apsw.SQLITE_OPEN_READONLY)
    except StoreError:
        # SQLite needs files beside this one, which cannot be made here; without a log there is nothing to agree on.
        if any(file.exists() for file in beside(path)):
            raise
        name = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        return _reader(path, name, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def _reader(path: Path, name: str, flags: int) -> apsw.Connection:
    with translated(path):
        db = apsw.Connection(name, flags=flags, statementcachesize=_STATEMENTS)
    try:
        with translated(path, db):
            db.set_busy_timeout(BUSY_TIMEOUT_MS)
            _set_up(db, _READER_CACHE_KIB)
            db.execute("PRAGMA query_only = ON")
            db.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # opens what is beside it
    except BaseException:
        db.close()
        raise
    return db


def refuse_strangers(db: apsw.Connection, path: Path) -> None:
    """Leave another program's database as it is."""
    marked, held = (db.execute(sql).get for sql in ("PRAGMA application_id", "SELECT count(*) FROM sqlite_schema"))
    if held and marked != APPLICATION_ID and db.execute("PRAGMA application_id").get != APPLICATION_ID:
        # Asked twice, for between the first two answers another process may have made this very file a store.
        raise StoreCorruptError(f"{path} is a database of another program, not a Relembra store; name another file")


def _use_log(db: apsw.Connection) -> None:
    """Switch to a write-ahead log; while another process does the same, SQLite answers busy without waiting."""
    give_up = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL").fetchall()
        except apsw.BusyError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.01)
        else:
            return


def _set_up(db: apsw.Connection, cache_kib: int) -> None:
    db.execute("PRAGMA temp_store = MEMORY")  # nothing of what is remembered reaches a temporary file
    db.execute("PRAGMA mmap_size = 0").fetchall()
    db.execute(f"PRAGMA cache_size = -{cache_kib}")
    if not _load_distance(db):
        _define_distance(db)


def _load_distance(db: apsw.Connection) -> bool:
    """Load the extension with `vec1_cos_distance`; False where this build of apsw lacks it."""
    try:
        apsw.sqlite_extra.load(db, "vec1")
    except (apsw.Error, ValueError, OSError, AttributeError, KeyError):
        return False
    return True


def _define_distance(db: apsw.Connection) -> None:
    """Give the connection the same function in Python: several times slower, and the same answers."""
    import numpy as np  # slow to load, and seldom needed

    def distance(*vectors: Any) -> float:
        a, b = (np.frombuffer(vector, dtype="<f4") for vector in vectors)
        return 1.0 - float(a @ b) / float(np.sqrt((a @ a) * (b @ b)))

    db.create_scalar_function("vec1_cos_distance", distance, 2, deterministic=True)
