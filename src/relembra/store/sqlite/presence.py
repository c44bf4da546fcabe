"""Who works with a file: a lock beside it, which every program holds for as long as it has the store open.

SQLite lets go of its locks between transactions as it likes; this one tells whether anybody else is there at all. The
lock is one of SQLite's own, on an empty file, so that it holds between connections of one process too, ends with a
process that is killed, and can be lowered without a moment in which somebody else gets in.
"""

from __future__ import annotations

import contextlib
import ctypes
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import apsw

from relembra.errors import StoreUnavailableError
from relembra.store.sqlite.connection import BUSY_TIMEOUT_MS, make_private
from relembra.store.sqlite.errors import translated

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
                    raise apsw.BusyError("somebody has the file for themselves")
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
        """The lock, held together with others; None while somebody lets nobody in, or just took the file away."""
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
    """With nobody else at the store, and nobody let in meanwhile; `StoreUnavailableError` where somebody is."""
    with Presence(path, patience_ms=0) as presence:
        if not presence.is_alone or _is_open_elsewhere(path):
            raise StoreUnavailableError(f"{path} is in use by another program; stop it and try again")
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
