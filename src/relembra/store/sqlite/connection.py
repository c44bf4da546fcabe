"""Opening the file: how a connection is set up, and which library is new enough to be trusted with it."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import re
import stat
import struct
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import apsw
import apsw.sqlite_extra
import msgspec

from relembra.domain.scope import Scope
from relembra.errors import (
    ConflictError,
    InvalidInputError,
    RelembraError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
)
from relembra.store.port import Stamp
from relembra.store.rows import Table

UNREADABLE = (
    ValueError,  # with UnicodeDecodeError
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    msgspec.DecodeError,
    struct.error,
    zlib.error,
)
"""What comes of reading a row whose bytes are not those that were written: what callers give is checked before."""

_RESTORED_WRONGLY = (
    "restore a backup with `relembra backup restore FILE`. Was it restored by copying? The log of the old file (-wal)"
    " is then written over the new one: restore it once more that way"
)
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def translation(error: apsw.Error, path: Path, *, system_errno: int = 0) -> StoreError | ConflictError:
    """The error a caller should see, with what to do about it."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return StoreUnavailableError(
                f"{path} is being written by another process; try again", retry_after_seconds=1.0
            )
        case apsw.FullError():
            return StoreFullError(f"no room left on the disk of {path}; nothing was changed: make room and try again")
        case apsw.IOError() if system_errno in _NO_ROOM:
            return StoreFullError(f"no room left on the disk of {path}; nothing was changed: make room and try again")
        case apsw.CorruptError() | apsw.NotADBError():
            return StoreCorruptError(f"{path} is damaged or not a store ({error}); {_RESTORED_WRONGLY}")
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            return StoreReadOnlyError(
                f"{path} cannot be written; check who may write the file and its folder, or open it read_only"
            )
        case apsw.CantOpenError():
            return StoreError(f"{path} cannot be opened; check that its folder exists and may be read and written")
        case apsw.ConstraintError():
            return ConflictError(f"a row with that id is there already ({error})")
        case _:
            return StoreError(f"{path}: SQLite could not do it: {error}")


def unreadable(error: Exception, path: Path) -> StoreCorruptError:
    """The error of a row that makes no sense; what stood in it is nobody else's to read."""
    return StoreCorruptError(f"{path} is damaged ({type(error).__name__} reading a row); {_RESTORED_WRONGLY}")


@contextmanager
def translated(path: Path, db: apsw.Connection | None = None, *, only_reads: bool = False) -> Iterator[None]:
    """Anything SQLite raises within becomes one of our errors.

    `only_reads`: nothing of a caller's is checked within, so that a part found wrong there stood in a row.
    """
    try:
        yield
    except RelembraError as exc:
        if only_reads and isinstance(exc, InvalidInputError) and exc.field is not None:
            raise unreadable(exc, path) from exc
        raise
    except apsw.Error as exc:
        raise translation(exc, path, system_errno=db.system_errno if db is not None else 0) from exc
    except UNREADABLE as exc:
        raise unreadable(exc, path) from exc


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
_MOST_IN_MEMORY_BYTES = 1 << 40  # where SQLite would stop at 1 GiB


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


def open_in_memory(image: bytes | None = None) -> apsw.Connection:
    """A connection to a database of its own in this process's memory, empty or a copy of an image."""
    db = apsw.Connection(":memory:", statementcachesize=_STATEMENTS)
    db.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    if image is not None:  # its pages then lie in something that reads and writes like a file, and can be cleaned so
        db.deserialize("main", image)
        most = ctypes.c_int64(_MOST_IN_MEMORY_BYTES)
        db.file_control("main", apsw.SQLITE_FCNTL_SIZE_LIMIT, ctypes.addressof(most))
    _set_up(db, _WRITER_CACHE_KIB)
    db.execute("PRAGMA secure_delete = ON").fetchall()
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


_HEAD = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def _load() -> dict[str, str]:
    text = files(__package__).joinpath("statements.sql").read_text(encoding="utf-8")
    parts = _HEAD.split(text)[1:]
    return {name: body.strip().rstrip(";") for name, body in zip(parts[::2], parts[1::2], strict=True)}


SQL = _load()


def filled(name: str, **parts: str) -> str:
    """A named statement with its {parts} filled in; the parts are SQL of ours, never anybody's words."""
    statement = SQL[name]
    for part, text in parts.items():
        statement = statement.replace("{" + part + "}", text)
    return statement


def fetched(db: apsw.Connection, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """All rows at once; what their columns hold, the statement knows and a type checker cannot."""
    return db.execute(statement, values).fetchall()


def first_value(db: apsw.Connection, statement: str, values: Sequence[Any] = ()) -> Any:
    """The first column of the first row; None without rows."""
    return next((row[0] for row in db.execute(statement, values)), None)


@cache
def inserting(table: Table[Any], *more: str, replaces: bool = False) -> str:
    """A statement that adds a row, with `more` columns before its own; `replaces`: in the place of the one before."""
    names = ("tenant", "owner", *more, *table.names)
    given = ", ".join(f"excluded.{name}" for name in table.names)
    or_else = filled("or_replace", key=table.key, columns=table.columns, given=given) if replaces else ""
    marks = ", ".join("?" * len(names))
    return filled("insert", table=table.name, columns=", ".join(names), marks=marks, or_else=or_else)


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
