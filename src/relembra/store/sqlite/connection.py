"""Opening the file: how a connection is set up, and which library is new enough to be trusted with it."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, Self
from urllib.parse import quote

import apsw

from relembra import errors
from relembra.domain.scope import Scope
from relembra.store.rows import UNREADABLE, Table, micros
from relembra.store.sql import Row, text_of

_RESTORED_WRONGLY = (
    "restore a backup with `relembra backup restore FILE`. Was it restored by copying? The log of the old file (-wal)"
    " is then written over the new one: restore it once more that way"
)
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def translation(error: apsw.Error, path: Path, *, system_errno: int = 0) -> errors.StoreError | errors.ConflictError:
    """The error a caller should see, with what to do about it."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return errors.StoreUnavailableError(
                f"{path} is being written by another process; try again", retry_after_seconds=1.0
            )
        case apsw.FullError() | apsw.IOError() if isinstance(error, apsw.FullError) or system_errno in _NO_ROOM:
            return errors.StoreFullError(
                f"no room left on the disk of {path}; nothing was changed: make room and try again"
            )
        case apsw.CorruptError() | apsw.NotADBError():
            return errors.StoreCorruptError(f"{path} is damaged or not a store ({error}); {_RESTORED_WRONGLY}")
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            return errors.StoreReadOnlyError(
                f"{path} cannot be written; check who may write the file and its folder, or open it read_only"
            )
        case apsw.CantOpenError():
            return errors.StoreError(
                f"{path} cannot be opened; check that its folder exists and may be read and written"
            )
        case apsw.ConstraintError():
            return errors.ConflictError(f"a row with that id is there already ({error})")
        case _:
            return errors.StoreError(f"{path}: SQLite could not do it: {error}")


def unreadable(error: Exception, path: Path) -> errors.StoreCorruptError:
    """The error of a row that makes no sense; what stood in it is nobody else's to read."""
    return errors.StoreCorruptError(f"{path} is damaged ({type(error).__name__} reading a row); {_RESTORED_WRONGLY}")


@contextmanager
def translated(path: Path, db: apsw.Connection | None = None, *, only_reads: bool = False) -> Iterator[None]:
    """Anything SQLite raises within becomes one of our errors.

    `only_reads`: nothing of a caller's is checked within, so that a part found wrong there stood in a row.
    """
    try:
        yield
    except errors.RelembraError as exc:
        if only_reads and isinstance(exc, errors.InvalidInputError) and exc.field is not None:
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

SCHEMA = 1
"""The version of schema.sql."""
ADDED = """
CREATE INDEX IF NOT EXISTS message_by_author ON message (tenant, owner, role, author, sent_at);
CREATE INDEX IF NOT EXISTS message_in_channel ON message (tenant, space, channel, sent_at, deleted_at)
WHERE space IS NOT NULL;
"""
"""What came to the schema without making a file of before another version: it is quicker with it, and works without."""

BUSY_TIMEOUT_MS = 10_000
_PAGE_BYTES = 8192
_STATEMENTS = 200
_READER_CACHE_KIB = 8_192  # of each reader; the vectors searched lately are kept apart
_WRITER_CACHE_KIB = 16_384
_OWNERS_ONLY = 0o600
_BESIDE = ("-wal", "-shm")
_MOST_IN_MEMORY_BYTES = 1 << 40  # where SQLite would stop at 1 GiB

_NOTHING = (b"",)  # no id and no name; an empty list would have no type


class Connection(apsw.Connection):
    """A connection as `Session` has it."""

    def rows(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> list[Row]:
        return self.execute(text_of(statement, **parts), _bound(values)).fetchall()

    def each(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> Iterator[Row]:
        return iter(self.execute(text_of(statement, **parts), _bound(values)))

    def first(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> Any:
        return next((row[0] for row in self.each(statement, *values, **parts)), None)

    def run(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> int:
        self.execute(text_of(statement, **parts), _bound(values))
        return int(self.changes())

    def add(self, statement: str, /, *values: Any, taken: str, **parts: str | Table[Any]) -> int:
        try:
            return self.run(statement, *values, **parts)
        except apsw.ConstraintError as exc:
            raise errors.ConflictError(taken) from exc

    def batch(self, statement: str, values: Iterable[Sequence[Any]], /, **parts: str | Table[Any]) -> list[list[Row]]:
        return [self.rows(statement, *some, **parts) for some in values]

    def many(self, statement: str, values: Iterable[Sequence[Any]], /, **parts: str | Table[Any]) -> None:
        given = [_bound(some) for some in values]
        if given:
            self.executemany(text_of(statement, **parts), given)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within, or nothing of it."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self.in_transaction:
                self.execute("ROLLBACK")
            raise


def _bound(values: Sequence[Any]) -> list[Any]:
    """Values as SQLite takes them: a scope as two, moments as numbers, a tuple as a list."""
    flat: list[Any] = []
    for value in values:
        if type(value) is Scope:
            flat += (value.tenant, value.user)
        elif type(value) is tuple:
            flat.append(apsw.carray(value or _NOTHING))
        else:
            flat.append(micros(value) if isinstance(value, datetime) else value)
    return flat


def check_library() -> None:
    """Refuse to work with a SQLite that could damage the file."""
    version = int(apsw.SQLITE_VERSION_NUMBER)
    if version < OLDEST_SAFE_SQLITE:
        raise errors.StoreVersionError(
            f"SQLite {apsw.sqlite_lib_version()} can damage a store (fixed in 3.51.3): pip install -U apsw"
        )


def open_writer(path: Path, *, durability: Durability, create: bool) -> Connection:
    """The one connection that writes."""
    if create:
        make_private(path)
    keep_private(path)

    def set_up(db: Connection) -> None:
        db.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        is_store(db, path)
        db.execute("PRAGMA journal_mode = WAL").fetchall()
        db.execute(f"PRAGMA synchronous = {durability}")
        _set_up(db, _WRITER_CACHE_KIB)
        db.execute("PRAGMA secure_delete = ON").fetchall()

    return _connected(path, str(path), apsw.SQLITE_OPEN_READWRITE, set_up)


def _connected(path: Path, name: str, flags: int, set_up: Callable[[Connection], None]) -> Connection:
    with translated(path):
        db = Connection(name, flags=flags, statementcachesize=_STATEMENTS)
    try:
        with translated(path, db):
            db.set_busy_timeout(BUSY_TIMEOUT_MS)
            set_up(db)
    except BaseException:
        db.close()
        raise
    return db


def open_in_memory(image: bytes | None = None) -> Connection:
    """A connection to a database of its own in this process's memory, empty or a copy of an image."""
    db = Connection(":memory:", statementcachesize=_STATEMENTS)
    db.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    if image is not None:
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


def open_reader(path: Path, *, read_only: bool = False) -> Connection:
    """A connection that can only read; `read_only`: of a file that may be impossible to write."""

    def set_up(db: Connection) -> None:
        _set_up(db, _READER_CACHE_KIB)
        db.execute("PRAGMA query_only = ON")
        db.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # opens what is beside it

    if not read_only:
        return _connected(path, str(path), apsw.SQLITE_OPEN_READWRITE, set_up)
    try:
        return _connected(path, str(path), apsw.SQLITE_OPEN_READONLY, set_up)
    except errors.StoreError:
        # SQLite needs files beside this one, which cannot be made here; without a log there is nothing to agree on.
        if any(file.exists() for file in beside(path)):
            raise
        return _connected(path, _unchanging(path), apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, set_up)


def is_store(db: apsw.Connection, path: Path) -> bool:
    """Whether there is a store in the file yet; another program's database, or one of another version, is refused."""
    # In this order, for another process may just be making this very file a store.
    held, marked, version = (
        int(db.execute(sql).get)
        for sql in ("SELECT count(*) FROM sqlite_schema", "PRAGMA application_id", "PRAGMA user_version")
    )
    if not held:
        return False
    if marked != APPLICATION_ID:
        raise errors.StoreCorruptError(
            f"{path} is a database of another program, not a Relembra store; name another file"
        )
    if version < SCHEMA:
        raise errors.StoreVersionError(
            f"{path} was made by a Relembra in development, before its first release:"
            " export it with the one that made it, and import that here"
        )
    if version > SCHEMA:
        raise errors.StoreVersionError(
            f"{path} was written by a newer Relembra (schema {version}, this one knows {SCHEMA}):"
            " upgrade with pip install -U relembra"
        )
    return True


def make_store(db: Connection, path: Path) -> None:
    """Make the tables, unless there are some; once also when several processes open a file together."""
    if is_store(db, path):
        db.execute(ADDED)
        return
    with db.transaction():
        if not is_store(db, path):  # another process may have been quicker, so look again under the lock
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(files(__package__).joinpath("schema.sql").read_text(encoding="utf-8"))
            db.execute(ADDED)
            db.execute(f"PRAGMA user_version = {SCHEMA}")


@contextmanager
def opened_as_it_is(path: Path) -> Iterator[Connection]:
    """The file as it is; one with unfinished writes beside it is copied with them first, for they belong to it."""
    unfinished = [path.with_name(path.name + mark) for mark in ("-wal", "-journal")]
    unfinished = [other for other in unfinished if other.is_file() and other.stat().st_size]
    with TemporaryDirectory(prefix="relembra-import-") as folder:
        name, flags = _unchanging(path), apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        if unfinished:
            for source in (path, *unfinished):
                shutil.copyfile(source, Path(folder, source.name))
            name, flags = str(Path(folder, path.name)), apsw.SQLITE_OPEN_READWRITE
        with closing(Connection(name, flags=flags)) as db:
            yield db


def _unchanging(path: Path) -> str:
    return f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"


def _set_up(db: apsw.Connection, cache_kib: int) -> None:
    db.execute("PRAGMA temp_store = MEMORY")  # nothing of what is remembered reaches a temporary file
    db.execute("PRAGMA mmap_size = 0").fetchall()
    db.execute(f"PRAGMA cache_size = -{cache_kib}")


# ── who is at the store ───────────────────────────────────────────────────────────────────────────────────────────

_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_MAIN_DB
_POLL_SECONDS = 0.01


class Presence:
    """One opening of the store. At first nobody else gets in if nobody else is there; `stay` lets others in."""

    def __init__(self, path: Path, *, patience_ms: int = BUSY_TIMEOUT_MS) -> None:
        self._path = path.with_name(f"{path.name}-lock")
        give_up = time.monotonic() + patience_ms / 1000
        with translated(path):
            while (file := self._arrived()) is None:
                if time.monotonic() > give_up:
                    raise apsw.BusyError("another program has the file for itself")
                time.sleep(_POLL_SECONDS)
        self._file: apsw.VFSFile | None = file
        self.is_alone = _raised(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.leave()

    def stay(self) -> None:
        """Let others in."""
        if self._file is not None:
            self._file.xUnlock(apsw.SQLITE_LOCK_SHARED)

    def leave(self) -> None:
        """The last one out takes the lock's file away; safe to call twice."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            if _raised(file):  # whoever waits for it sees that it is gone and looks for the new one
                with contextlib.suppress(OSError):
                    self._path.unlink()
        finally:
            _let_go(file)

    def _arrived(self) -> apsw.VFSFile | None:
        """The lock, held together with others; None while another lets nobody in, or just took the file away."""
        make_private(self._path)
        file = apsw.VFSFile("", str(self._path), [_FLAGS, 0])
        try:
            file.xLock(apsw.SQLITE_LOCK_SHARED)
        except apsw.BusyError:
            file.xClose()
            return None
        if _has_moved(file):
            _let_go(file)
            return None
        return file


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """With nobody else at the store, and nobody let in meanwhile; else `StoreUnavailableError`."""
    with Presence(path, patience_ms=0) as presence:
        if not presence.is_alone or _is_open_elsewhere(path):
            raise errors.StoreUnavailableError(f"{path} is in use by another program; stop it and try again")
        yield


def _is_open_elsewhere(path: Path) -> bool:
    """Whether a program that knows nothing of the lock, like a viewer of databases, has the file open."""
    if not path.exists():
        return False
    file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_MAIN_DB, 0])
    try:
        file.xLock(apsw.SQLITE_LOCK_SHARED)
        return not _raised(file)
    except apsw.BusyError:
        return True
    finally:
        _let_go(file)


def _raised(file: apsw.VFSFile) -> bool:
    """Hold a lock that is shared for oneself; False, and as before, where others share it."""
    try:
        file.xLock(apsw.SQLITE_LOCK_RESERVED)
        file.xLock(apsw.SQLITE_LOCK_EXCLUSIVE)
    except apsw.BusyError:
        file.xUnlock(apsw.SQLITE_LOCK_SHARED)
        return False
    return True


def _let_go(file: apsw.VFSFile) -> None:
    file.xUnlock(apsw.SQLITE_LOCK_NONE)
    file.xClose()


def _has_moved(file: apsw.VFSFile) -> bool:
    """Whether the name leads to another file by now, or to none."""
    moved = ctypes.c_int(0)
    file.xFileControl(apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(moved))
    return bool(moved.value)
