"""Turning SQLite's errors into ours, once, at this adapter's edge."""

from __future__ import annotations

import errno
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import msgspec

from relembra.errors import (
    ConflictError,
    InvalidInputError,
    RelembraError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
)

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
