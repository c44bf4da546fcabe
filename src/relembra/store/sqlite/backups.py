"""Files read whole: backups, and putting one in a store's place."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from relembra.errors import ConflictError, InvalidInputError, StoreCorruptError, StoreError
from relembra.store.port import Restored
from relembra.store.sqlite import connection


def backup(db: apsw.Connection, target: Path) -> int:
    """A compact copy of one moment, under its name only once it is whole and on disk."""
    if target.exists() or target.is_symlink():
        raise ConflictError(f"{target} exists already; name a new file for the backup")
    with partial_file(target) as partial:
        db.execute("PRAGMA query_only = OFF")  # it forbids writing a copy as well
        db.execute("VACUUM INTO ?", (str(partial),))
        with _amended(partial) as copy:
            copy.run("end_sessions")
        size = _flush(partial)
        try:
            os.link(partial, target)  # unlike a rename, refuses to replace a file that came up meanwhile
        except FileExistsError as exc:
            raise ConflictError(f"{target} exists already; name a new file for the backup") from exc
        _flush(target.parent)
        return size


@contextmanager
def _amended(path: Path) -> Iterator[connection.Connection]:
    """A copy that has not yet its name, to be written to."""
    with closing(connection.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
        db.execute("PRAGMA secure_delete = ON").fetchall()
        db.execute("PRAGMA journal_mode = MEMORY").fetchall()  # no second file beside one that is not yet a copy
        yield db


def restore(source: Path, target: Path, *, now: datetime) -> Restored:
    """Put a checked copy of a backup in a store's place, and the old file with its log aside.

    Killed half-way, the store is the old one or the new one, and what was there is under the name aside. Nothing is
    done while another program is at the store, or where the backup is none. Keys revoked in the old one stay revoked.
    """
    source, target = source.expanduser().resolve(), target.resolve()
    if not source.is_file():
        raise InvalidInputError(f"there is no file {source}", field="file")
    if source == target:
        raise InvalidInputError(f"{source} is the memory itself; name its backup", field="file")
    with partial_file(target) as partial:
        with connection.translated(source), connection.opened_as_it_is(source) as db:
            if not connection.is_store(db, source):
                raise StoreCorruptError(f"{source} is empty; choose another backup")
            if problems := [found for (found,) in db.execute("PRAGMA integrity_check(1)") if found != "ok"]:
                raise StoreCorruptError(f"{source} is damaged ({problems[0]}); choose another backup")
            db.execute("VACUUM INTO ?", (str(partial),))
        with connection.alone(target):
            _fold_in_log(target)
            with connection.translated(partial), _amended(partial) as copy:
                copy.run("end_sessions")  # one copied by hand has some
                revoked = _revoked_in(target)
                copy.many("revoke_key", revoked or ())  # nobody who was shut out since comes in again
                unchecked = int(copy.first("count_unrevoked")) if revoked is None else 0
            size = _flush(partial)
            aside = _put_aside(target, now)
            partial.replace(target)
            _flush(target.parent)
    return Restored(path=target, aside=aside, bytes=size, unchecked_keys=unchecked)


def _revoked_in(path: Path) -> list[tuple[Any, ...]] | None:
    """When each key of a store was revoked, and its id; None where that cannot be read."""
    if not path.exists():
        return None
    try:
        with connection.opened_as_it_is(path) as db:
            return db.rows("revoked_keys")
    except apsw.Error:
        return None


def _fold_in_log(target: Path) -> None:
    """Let a file hold all that is in its log, so that it is whole without it; a damaged one stays as it is."""
    log = connection.beside(target)[0]
    if not (log.exists() and target.exists() and target.stat().st_size):  # of an empty file SQLite removes the log
        return
    with suppress(StoreCorruptError), connection.translated(target), closing(connection.Connection(str(target))) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _put_aside(target: Path, now: datetime) -> Path | None:
    """Give what is there a second name with the date, and take its log away from under the first; that name, if any.

    A log left in place would be taken for the new file's and written over it.
    """
    held = [file for file in (target, *connection.beside(target)) if file.exists()]
    if not held:
        return None
    name = stem = f"{target.name}.before-{now:%Y%m%d-%H%M%S}"
    number = 1
    while target.with_name(name).exists():
        number += 1
        name = f"{stem}-{number}"
    for file in held:
        _double(file, target.with_name(file.name.replace(target.name, name, 1)))
    _flush(target.parent)
    for file in connection.beside(target):
        file.unlink(missing_ok=True)
    _flush(target.parent)
    return target.with_name(name)


def _double(file: Path, other: Path) -> None:
    try:
        os.link(file, other)
    except OSError:  # a file system without links
        shutil.copy2(file, other)
        _flush(other)


@contextmanager
def partial_file(target: Path) -> Iterator[Path]:
    """A private file beside the target to write to, gone at the end unless it took its place."""
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        _sweep(target)
        partial.unlink(missing_ok=True)
        connection.make_private(partial)
        yield partial
    except OSError as exc:
        raise StoreError(f"no copy could be written to {target}: {exc.strerror}") from exc
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _sweep(target: Path) -> None:
    """Remove what programs that were killed had written of this target."""
    pattern = re.compile(rf"\.{re.escape(target.name)}\.(\d+)\.partial(-\w+)?")
    for file in list(target.parent.iterdir()):
        match = pattern.fullmatch(file.name)
        if match is not None and not _runs(int(match[1])):
            file.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # another user's
        pass
    return True


def _flush(path: Path) -> int:
    """Make a file, or the names in a folder, durable; its size."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
        return os.fstat(handle).st_size
    finally:
        os.close(handle)
