"""The threads that own connections: one that writes, in groups, and a few that read.

A call crosses to a thread once and back once, whatever it does there. The threads are daemons, so that a program
that forgot to close its store still ends.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

import apsw

from relembra.errors import StoreError, StoreReadOnlyError
from relembra.store.sqlite.connection import BUSY_TIMEOUT_MS, SQL, first_value, open_reader, translated

_OK = 0
_SYNC_NORMAL = 2
_PAGES_AT_ONCE = 128
PIECE_PAGES = 1024
"""How many pages are cleaned under one hold of the write lock: 8 MiB, some hundredths of a second."""
_MOST_PAGES = 0x0200_0000
_FILE_HEADER_BYTES = 100
_HEADER_BYTES = {0x02: 12, 0x05: 12, 0x0A: 8, 0x0D: 8}  # by the kind of b-tree page; no other page has gaps

_READ = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
_WRITE = _READ
_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class _Methods(ctypes.Structure):
    """The head of `sqlite3_io_methods`."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("close", ctypes.c_void_p),
        ("read", _READ),
        ("write", _WRITE),
        ("truncate", ctypes.c_void_p),
        ("sync", _SYNC),
    )


class _File(ctypes.Structure):
    """`sqlite3_file`."""

    _fields_ = (("methods", ctypes.POINTER(_Methods)),)


def scrub_gaps(db: apsw.Connection, begin: int) -> int | None:
    """Overwrite what is left in the gaps of some pages from one on, counted from 0; where to go on, None at the end.

    The caller holds the write lock and has seen that the log is empty. Between two such pieces others may write: what
    they write are rows that are still there, and pages they read after the piece that cleaned them.
    """
    # The first byte tells a b-tree page, since other pages begin with a page number; beyond 256 GiB that could mislead.
    page_bytes, pages = (int(db.execute(f"PRAGMA {name}").get) for name in ("page_size", "page_count"))
    if pages >= _MOST_PAGES:
        return None
    end = min(begin + PIECE_PAGES, pages)
    pointer = ctypes.c_void_p()
    db.file_control("main", apsw.SQLITE_FCNTL_FILE_POINTER, ctypes.addressof(pointer))
    methods = ctypes.cast(pointer, ctypes.POINTER(_File)).contents.methods.contents
    buffer = ctypes.create_string_buffer(page_bytes * _PAGES_AT_ONCE)
    zeros = bytes(page_bytes)
    cleaned = 0
    for first in range(begin, end, _PAGES_AT_ONCE):
        count = min(_PAGES_AT_ONCE, end - first)
        _check(methods.read(pointer, buffer, count * page_bytes, first * page_bytes))
        block = buffer.raw
        for number in range(count):
            start, stop = _gap(block, number * page_bytes, page_bytes, is_first=first + number == 0)
            if block[start:stop] != zeros[: stop - start]:
                _check(methods.write(pointer, zeros, stop - start, first * page_bytes + start))
                cleaned += 1
    if cleaned:
        _check(methods.sync(pointer, _SYNC_NORMAL))
    # What this connection remembers of the pages would bring the old bytes back with the next write.
    db.release_memory()
    return end if end < pages else None


def _gap(block: bytes, page: int, page_bytes: int, *, is_first: bool) -> tuple[int, int]:
    """Where the unused bytes of the page at an offset start and end: between its cell pointers and its cells."""
    header = page + _FILE_HEADER_BYTES if is_first else page
    header_bytes = _HEADER_BYTES.get(block[header])
    if header_bytes is None:
        return page, page
    cells = int.from_bytes(block[header + 3 : header + 5])
    start = header + header_bytes + 2 * cells
    end = page + int.from_bytes(block[header + 5 : header + 7])
    return (start, end) if start <= end <= page + page_bytes else (page, page)


def _check(result: int) -> None:
    if result != _OK:
        raise apsw.IOError(f"the file could not be cleaned (SQLite code {result})")


_log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[apsw.Connection], T]

TRACES_LEFT = "traces_left"
"""In `meta`, from a forgetting until its traces are gone from the log and the gaps of pages: the page to go on with,
counted from 1; else "0". Killed on the way, the next to open the file goes on there."""

_LARGEST_GROUP = 256
_ERASE_PATIENCE_MS = 1_000
_ERASE_RETRY_SECONDS = 0.25
_LONGEST_WAIT_SECONDS = 1.0
"""How long a forgetting waits for its traces to be erased before its receipt says that they are not yet."""


@dataclass(slots=True, eq=False)
class _Request:
    """Something to do on a connection, and where its answer goes."""

    work: Work[Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    leaves_no_trace: bool = False
    afterwards: Callable[[], None] | None = None
    is_aside: bool = False
    is_erased: bool = True
    result: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        if self.future.done():  # its caller was cancelled meanwhile
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


def _deliver(requests: list[_Request]) -> None:
    """Hand the answers to their loops, waking each loop once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Request]] = {}
    for request in requests:
        by_loop.setdefault(request.loop, []).append(request)
    for loop, answered in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, answered)
        except RuntimeError:
            _log.debug("%d answers came after their event loop was closed", len(answered))


def _settle(requests: list[_Request]) -> None:
    for request in requests:
        request.settle()


def _request(
    work: Work[Any],
    *,
    leaves_no_trace: bool = False,
    afterwards: Callable[[], None] | None = None,
    is_aside: bool = False,
) -> _Request:
    loop = asyncio.get_running_loop()
    return _Request(work, loop, loop.create_future(), leaves_no_trace, afterwards, is_aside)


class Writer:
    """One thread, one connection, group commit: all that waits goes to disk with one flush."""

    def __init__(self, db: apsw.Connection, path: Path) -> None:
        self._db = db
        self._path = path
        self._queue: SimpleQueue[_Request | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._traces_left = self._has_traces(unknown=False)
        self._erase_at = 0.0  # by the monotonic clock: not before
        self._forgetting: list[tuple[float, _Request]] = []  # those that wait for it, and until when
        self._pid = os.getpid()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="relembra-writer", daemon=True)
        self._thread.start()

    async def do(self, work: Work[T]) -> T:
        """Run the work in a transaction of its own effects; back once it is durable."""
        answer: T = await self._queued(_request(work))
        return answer

    async def try_out(self, work: Work[T]) -> T:
        """What the work would answer; all it does is taken back, and nothing of it reaches the file."""
        return await self.aside(lambda db: _tried(db, work))

    async def aside(self, work: Work[T]) -> T:
        """Run the work outside any transaction of this thread's, which waits for it."""
        answer: T = await self._queued(_request(work, is_aside=True))
        return answer

    async def forget(self, work: Work[T], *, afterwards: Callable[[], None]) -> tuple[T, bool]:
        """The same for work that is to leave no trace; also whether the file is free of them by now.

        `afterwards` lets go of what this process still has of it, once it is gone from the store.
        """
        request = _request(work, leaves_no_trace=True, afterwards=afterwards)
        answer: T = await self._queued(request)
        return answer, request.is_erased

    def _queued(self, request: _Request) -> asyncio.Future[Any]:
        with self._lock:  # nothing may come into the queue behind its end
            _refuse_if_gone(self._closed, self._pid, self._path)
            self._queue.put(request)
        return request.future

    def close(self) -> None:
        """Finish what is queued; blocks until then."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while self._take_turn():
            pass
        self._erase_at = 0.0
        while self._traces_left and not self._erase_at:
            self._erase_traces(patience_ms=_ERASE_PATIENCE_MS)
        self._tell_forgetting(time.monotonic() + _LONGEST_WAIT_SECONDS)
        self._db.close()

    def _take_turn(self) -> bool:
        """Do what waits, or clean up while nothing does; False once it was the last. Nothing of it is held on to."""
        try:
            first = self._queue.get(timeout=self._pause_seconds())
        except Empty:
            self._erase_traces()
            return True
        waiting, is_last = self._group(first)
        for request in waiting:
            if request.is_aside:
                self._run_aside(self._db, request)
                _deliver([request])
        group = [request for request in waiting if not request.is_aside]
        if group:
            self._commit(self._db, group)
            _deliver([request for request in group if not request.leaves_no_trace])
            self._note_forgetting([request for request in group if request.leaves_no_trace])
        self._erase_traces()
        return not is_last

    def _pause_seconds(self) -> float | None:
        """How long to wait for a request before more is erased."""
        return max(0.0, self._erase_at - time.monotonic()) if self._traces_left else None

    def _note_forgetting(self, requests: list[_Request]) -> None:
        for request in requests:
            if request.afterwards is not None:
                request.afterwards()
        if not requests:
            return
        self._traces_left = self._traces_left or self._has_traces(unknown=True)
        self._erase_at = 0.0
        until = time.monotonic() + _LONGEST_WAIT_SECONDS
        self._forgetting += [(until, request) for request in requests]

    def _tell_forgetting(self, now: float) -> None:
        """Answer those that waited for their traces to go, once they are gone or it takes too long."""
        told = [request for until, request in self._forgetting if not self._traces_left or until <= now]
        self._forgetting = [(until, request) for until, request in self._forgetting if request not in told]
        for request in told:
            request.is_erased = not self._traces_left
        _deliver(told)

    def _group(self, first: _Request | None) -> tuple[list[_Request], bool]:
        """What waits by now, and whether nothing comes after it."""
        group: list[_Request] = []
        request = first
        while request is not None:
            group.append(request)
            if len(group) == _LARGEST_GROUP:
                return group, False
            try:
                request = self._queue.get_nowait()
            except Empty:
                return group, False
        return group, True

    def _commit(self, db: apsw.Connection, group: list[_Request]) -> None:
        """Run a group in one transaction; a request that fails takes back only its own effects."""
        try:
            db.execute("BEGIN IMMEDIATE")
            if len(group) == 1:
                group[0].result = group[0].work(db)
            else:
                for request in group:
                    self._run_apart(db, request)
            db.execute("COMMIT")
        except Exception as exc:  # noqa: BLE001 (the outermost handler: the callers get it)
            # Whatever went wrong here took the whole group with it; an error of a request's own says more.
            error = self._translated(exc)
            _roll_back(db)
            for request in group:
                request.error = request.error or error

    def _run_aside(self, db: apsw.Connection, request: _Request) -> None:
        try:
            request.result = request.work(db)
        except Exception as exc:  # noqa: BLE001 (the outermost handler: the caller gets it)
            request.error = self._translated(exc)

    def _run_apart(self, db: apsw.Connection, request: _Request) -> None:
        db.execute("SAVEPOINT request")
        try:
            request.result = request.work(db)
        except Exception as exc:
            request.error = self._translated(exc)
            if not db.in_transaction:  # SQLite gave up the transaction: no room, or an unreadable page
                raise
            db.execute("ROLLBACK TO request")
        db.execute("RELEASE request")

    def _translated(self, error: Exception) -> Exception:
        try:
            with translated(self._path, self._db):
                raise error
        except Exception as ours:  # noqa: BLE001 (it is raised only to be translated)
            return ours

    def _erase_traces(self, *, patience_ms: int | None = None) -> None:
        """Clean a piece of the file, if it is to be cleaned and the time has come, and tell who waits for it."""
        if self._traces_left and self._erase_at <= time.monotonic():
            waits = _ERASE_PATIENCE_MS if self._forgetting else 0
            is_done = self._erase_piece(patience_ms=waits if patience_ms is None else patience_ms)
            self._erase_at = 0.0 if is_done else time.monotonic() + _ERASE_RETRY_SECONDS
        if self._forgetting:
            self._tell_forgetting(time.monotonic())

    def _erase_piece(self, *, patience_ms: int) -> bool:
        """Empty the write-ahead log, which holds pages as they were, and clean some pages; False while it is in use."""
        db = self._db
        try:
            db.set_busy_timeout(patience_ms)
            if not self._empty_log():
                return False
            db.execute("BEGIN IMMEDIATE")
            # Under the lock nobody can write to the log; had somebody before, the file would not be ours to clean.
            is_ours = self._log_bytes() == 0
            place = int(first_value(db, SQL["get_meta"], (TRACES_LEFT,)) or 0)  # others may have cleaned some already
            if is_ours and place:
                going_on = scrub_gaps(db, place - 1)
                place = 0 if going_on is None else going_on + 1
                # A commit makes other processes forget the pages they remember, and the old bytes in them.
                db.execute(SQL["set_meta"], (TRACES_LEFT, str(place)))
            db.execute("COMMIT")
            self._traces_left = place > 0
            return is_ours
        except (apsw.Error, OSError, ValueError) as exc:
            _roll_back(db)
            _log.warning("the traces of what was forgotten could not be erased yet: %s", exc)
            return False
        finally:
            db.set_busy_timeout(BUSY_TIMEOUT_MS)

    def _has_traces(self, *, unknown: bool) -> bool:
        """Whether the mark is set; `unknown`: the answer when it cannot be read, and so nothing be erased either."""
        try:
            return (first_value(self._db, SQL["get_meta"], (TRACES_LEFT,)) or "0") != "0"
        except apsw.Error:
            return unknown

    def _empty_log(self) -> bool:
        busy: object = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]
        return not busy

    def _log_bytes(self) -> int:
        log = self._path.with_name(f"{self._path.name}-wal")
        return log.stat().st_size if log.exists() else 0


class NoWriter:
    """Stands where the writer would, for a store that is only read."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def do(self, _work: Work[T]) -> T:
        raise StoreReadOnlyError(f"{self._path} is open for reading only; open it without read_only to write")

    try_out = do

    async def forget(self, work: Work[T], **_options: object) -> tuple[T, bool]:
        return await self.do(work), False

    def close(self) -> None:
        """Nothing was written."""


class Reads(Protocol):
    """Where a store reads."""

    async def do(self, work: Work[T]) -> T:
        """Run the work on one consistent state of the store."""

    def close(self) -> None:
        """Finish what is queued; blocks until then."""


class Readers:
    """A few threads with a connection each, started when needed; the one used last is used next, its cache is warm."""

    def __init__(self, path: Path, most: int, *, read_only: bool = False) -> None:
        self._path = path
        self._read_only = read_only
        self._most = max(1, most)
        self._lock = threading.Lock()
        self._idle: list[SimpleQueue[_Request | None]] = []
        self._waiting: deque[_Request] = deque()
        self._threads: list[threading.Thread] = []
        self._pid = os.getpid()
        self._closed = False

    async def do(self, work: Work[T]) -> T:
        """Run the work on one consistent state of the store."""
        request = _request(work)
        with self._lock:
            _refuse_if_gone(self._closed, self._pid, self._path)
            if self._idle:
                self._idle.pop().put(request)
            else:
                self._waiting.append(request)
                if len(self._threads) < self._most:
                    self._start()
        answer: T = await request.future
        return answer

    def close(self) -> None:
        """Finish what is queued; blocks until then."""
        with self._lock:
            self._closed = True
            for queue in self._idle:
                queue.put(None)
            self._idle.clear()
        for thread in self._threads:
            thread.join()

    def _start(self) -> None:
        thread = threading.Thread(
            target=self._run, args=(SimpleQueue(),), name=f"relembra-reader-{len(self._threads)}", daemon=True
        )
        self._threads.append(thread)
        thread.start()

    def _run(self, queue: SimpleQueue[_Request | None]) -> None:
        db: apsw.Connection | None = None
        while (request := self._next(queue)) is not None:
            try:
                if db is None:
                    db = open_reader(self._path, read_only=self._read_only)
                request.result = read(db, request.work, self._path)
            except Exception as exc:  # noqa: BLE001 (the outermost handler: the caller gets it)
                request.error = exc
            _deliver([request])
        if db is not None:
            db.close()

    def _next(self, queue: SimpleQueue[_Request | None]) -> _Request | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            if self._closed:
                return None
            self._idle.append(queue)
        return queue.get()


def _roll_back(db: apsw.Connection) -> None:
    """End a failed transaction, if SQLite has not done so itself."""
    if db.in_transaction:
        try:
            db.execute("ROLLBACK")
        except apsw.Error as exc:
            _log.warning("a failed transaction could not be rolled back: %s", exc)


def _tried(db: apsw.Connection, work: Work[T]) -> T:
    """Run the work in a transaction that is never committed."""
    try:
        db.execute("BEGIN IMMEDIATE")
        return work(db)
    finally:
        _roll_back(db)


def read(db: apsw.Connection, work: Work[T], path: Path) -> T:
    """Run work that only reads on one state of the store."""
    with translated(path, db, only_reads=True):
        return in_snapshot(db, work)


def in_snapshot(db: apsw.Connection, work: Work[T]) -> T:
    """Run the work on one state of the store, whatever is committed meanwhile."""
    db.execute("BEGIN")
    try:
        return work(db)
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")  # nothing was written: this only lets go of the snapshot


def _refuse_if_gone(closed: bool, pid: int, path: Path) -> None:
    if closed:
        raise StoreError(f"the store {path} is closed")
    if pid != os.getpid():
        raise StoreError(f"the store {path} was opened before this process was forked; open it again here")
