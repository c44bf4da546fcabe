"""Turning SQLite's errors into ours, once, at this adapter's edge."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from relembra.errors import (
    ConflictError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
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
            return StoreCorruptError(f"{path} is damaged or not a store ({error}); restore a backup")
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            return StoreError(f"{path} cannot be written; check who may write the file and its folder")
        case apsw.CantOpenError():
            return StoreError(f"{path} cannot be opened; check that its folder exists and may be read and written")
        case apsw.ConstraintError():
            return ConflictError(f"a row with that id is there already ({error})")
        case _:
            return StoreError(f"{path}: SQLite could not do it: {error}")


@contextmanager
def translated(path: Path, db: apsw.Connection | None = None) -> Iterator[None]:
    """Anything SQLite raises within becomes one of our errors."""
    try:
        yield
    except apsw.Error as exc:
        raise translation(exc, path, system_errno=db.system_errno if db is not None else 0) from exc
