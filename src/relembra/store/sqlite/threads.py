"""The threads that own connections: one that writes, in groups, and a few that read.

A call crosses to a thread once and back once, whatever it does there.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import apsw

from relembra.errors import StoreError, StoreReadOnlyError, StoreUnavailableError
from relembra.store.sql.forget import TRACES_LEFT
from relembra.store.sqlite.connection import BUSY_TIMEOUT_MS, Connection, beside, open_reader, translated

_log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[Connection], T]

NAME = Path(":memory:")
"""Stands where a file's name would."""
_LARGEST_GROUP = 256
_ERASE_PATIENCE_MS = 1_000
_ERASE_RETRY_SECONDS = 0.25
_LONGEST_WAIT_SECONDS = 1.0
"""How long a forgetting waits for its traces to be erased before its receipt says that they are not yet."""


@dataclass(slots=True, eq=False)
class _Request:
    """Something to do on the writer's connection, and where its answer goes."""

    work: Work[Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    is_aside: bool = False  # outside the transaction of a group, and after it
    result: Any = None
    error: BaseException | None = None


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
        if request.future.done():  # its caller was cancelled meanwhile
            continue
        if request.error is None:
            request.future.set_result(request.result)
        else:
            request.future.set_exception(request.error)


class Writer:
    """One thread, one connection, group commit: all that waits goes to disk with one flush.

    The thread is a daemon, so that a program that forgot to close its store still ends.
    """

    def __init__(self, db: Connection, path: Path) -> None:
        self._db = db
        self._path = path
        self._queue: SimpleQueue[_Request | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._traces_left = self._has_traces(unknown=False)
        self._erase_at = 0.0  # by the monotonic clock: not before
        self._pid = os.getpid()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="relembra-writer", daemon=True)
        self._thread.start()

    async def do(self, work: Work[T]) -> T:
        """Run the work in a transaction of its own effects; back once it is durable."""
        answer: T = await self._queued(work).future
        return answer

    async def try_out(self, work: Work[T]) -> T:
        """What the work would answer; all it does is taken back, and nothing of it reaches the file."""
        return await self.aside(lambda db: in_snapshot(db, work, "BEGIN IMMEDIATE"))

    async def aside(self, work: Work[T]) -> T:
        """Run the work outside any transaction of this thread's, which waits for it."""
        answer: T = await self._queued(work, is_aside=True).future
        return answer

    async def forget(self, work: Work[T], *, afterwards: Callable[[], None]) -> tuple[T, bool]:
        """The same for work that is to leave no trace; also whether the file is free of them by now.

        `afterwards` lets go of what this process still has of it, once it is gone from the store.
        """

        def gone(_db: Connection) -> None:
            self._traces_left = self._traces_left or self._has_traces(unknown=True)
            afterwards()

        # Both are left before either is waited for, so that who gives up waiting leaves nothing half done.
        answer, _ = await asyncio.gather(self._queued(work).future, self._queued(gone, is_aside=True).future)
        give_up = time.monotonic() + _LONGEST_WAIT_SECONDS
        while not (is_clean := await self.aside(self._erase_traces)) and time.monotonic() < give_up:
            pass  # others write between two pieces
        return answer, is_clean

    def _queued(self, work: Work[Any], *, is_aside: bool = False) -> _Request:
        loop = asyncio.get_running_loop()
        request = _Request(work, loop, loop.create_future(), is_aside)
        with self._lock:  # nothing may come into the queue behind its end
            _refuse_if_gone(self._closed, self._pid, self._path)
            self._queue.put(request)
        return request

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
        while self._traces_left and self._erase_piece(patience_ms=_ERASE_PATIENCE_MS):
            pass
        self._db.close()

    def _take_turn(self) -> bool:
        """Do what waits, or clean up while nothing does; False once it was the last. Nothing of it is held on to."""
        pause = max(0.0, self._erase_at - time.monotonic()) if self._traces_left else None
        try:
            request = self._queue.get(timeout=pause)
        except Empty:
            self._erase_traces(patience_ms=0)
            return True
        waiting: list[_Request] = []
        with suppress(Empty):
            while request is not None:
                waiting.append(request)
                if len(waiting) == _LARGEST_GROUP:
                    break
                request = self._queue.get_nowait()
        is_last = request is None
        group = [request for request in waiting if not request.is_aside]
        if group:
            self._commit(group)
            _deliver(group)
        for request in waiting:
            if request.is_aside:
                try:
                    request.result = request.work(self._db)
                except Exception as exc:  # noqa: BLE001 (the outermost handler: the caller gets it)
                    request.error = self._translated(exc)
                _deliver([request])
        if self._traces_left and self._erase_at <= time.monotonic():
            self._erase_traces(patience_ms=0)
        return not is_last

    def _commit(self, group: list[_Request]) -> None:
        """Run a group in one transaction; a request that fails takes back only its own effects."""
        db = self._db
        try:
            db.execute("BEGIN IMMEDIATE")
            if len(group) == 1:
                group[0].result = group[0].work(db)
            else:
                for request in group:
                    self._run_apart(request)
            db.execute("COMMIT")
        except Exception as exc:  # noqa: BLE001 (the outermost handler: the callers get it)
            # Whatever went wrong here took the whole group with it; an error of a request's own says more.
            error = self._translated(exc)
            _roll_back(db)
            for request in group:
                request.error = request.error or error

    def _run_apart(self, request: _Request) -> None:
        db = self._db
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

    # ── leaving no trace ──────────────────────────────────────────────────────────────────────────────────────────

    def _erase_traces(self, _db: Connection | None = None, *, patience_ms: int = _ERASE_PATIENCE_MS) -> bool:
        """Clean a piece of the file, if it is to be cleaned; whether nothing is left to do."""
        if self._traces_left:
            is_done = self._erase_piece(patience_ms=patience_ms)
            self._erase_at = 0.0 if is_done else time.monotonic() + _ERASE_RETRY_SECONDS
        return not self._traces_left

    def _erase_piece(self, *, patience_ms: int) -> bool:
        """Empty the write-ahead log, which holds pages as they were, and clean some pages; False while it is in use."""
        db, log = self._db, beside(self._path)[0]
        try:
            db.set_busy_timeout(patience_ms)
            if db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]:
                return False
            db.execute("BEGIN IMMEDIATE")
            # Under the lock nobody can write to the log; had another before, the file would not be ours to clean.
            is_ours = not log.exists() or log.stat().st_size == 0
            place = int(db.first("get_meta", TRACES_LEFT) or 0)  # others may have cleaned some already
            if is_ours and place:
                going_on = scrub_gaps(db, self._path, place - 1)
                place = 0 if going_on is None else going_on + 1
                # A commit makes other processes forget the pages they remember, and the old bytes in them.
                db.run("set_meta", TRACES_LEFT, str(place))
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
        if self._path == NAME:  # no file holds anything
            return False
        try:
            return (self._db.first("get_meta", TRACES_LEFT) or "0") != "0"
        except apsw.Error:
            return unknown


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


class Readers:
    """A few threads with a connection each, started when needed."""

    def __init__(self, path: Path, most: int, *, read_only: bool = False) -> None:
        self._path = path
        self._read_only = read_only
        self._threads = ThreadPoolExecutor(max(1, most), thread_name_prefix="relembra-reader")
        self._own = threading.local()
        self._opened: list[Connection] = []
        self._at_once = threading.Lock()  # what is read by no thread of these is done before they are closed
        self._pid = os.getpid()
        self._closed = False

    async def do(self, work: Work[T]) -> T:
        """Run the work on one consistent state of the store."""
        _refuse_if_gone(self._closed, self._pid, self._path)
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, work)

    async def at_once(self, work: Work[T]) -> T:
        """The same for work of a few rows, right here: to cross to a thread and back takes longer than the work.

        Where the file is held just now, the work waits in a thread.
        """
        try:
            with self._at_once:
                _refuse_if_gone(self._closed, self._pid, self._path)
                return self._read(work, patience_ms=0)
        except StoreUnavailableError:
            return await self.do(work)

    def close(self) -> None:
        """Finish what is queued; blocks until then."""
        with self._at_once:
            self._closed = True
        self._threads.shutdown()
        while self._opened:
            self._opened.pop().close()

    def _read(self, work: Work[T], patience_ms: int = BUSY_TIMEOUT_MS) -> T:
        db: Connection | None = getattr(self._own, "db", None)
        if db is None:
            db = self._own.db = open_reader(self._path, read_only=self._read_only)
            db.set_busy_timeout(patience_ms)
            self._opened.append(db)
        return read(db, work, self._path)


def _roll_back(db: apsw.Connection) -> None:
    """End a failed transaction, if SQLite has not done so itself."""
    if db.in_transaction:
        try:
            db.execute("ROLLBACK")
        except apsw.Error as exc:
            _log.warning("a failed transaction could not be rolled back: %s", exc)


def read(db: Connection, work: Work[T], path: Path) -> T:
    """Run work that only reads on one state of the store."""
    with translated(path, db, only_reads=True):
        return in_snapshot(db, work)


def in_snapshot(db: Connection, work: Work[T], begin: str = "BEGIN") -> T:
    """Run the work on one state of the store, whatever is committed meanwhile; what it writes is taken back."""
    db.execute(begin)
    try:
        return work(db)
    finally:
        _roll_back(db)


def _refuse_if_gone(closed: bool, pid: int, path: Path) -> None:
    if closed:
        raise StoreError(f"the store {path} is closed")
    if pid != os.getpid():
        raise StoreError(f"the store {path} was opened before this process was forked; open it again here")


# ── the gaps of pages ─────────────────────────────────────────────────────────────────────────────────────────────

_PAGES_AT_ONCE = 128
PIECE_PAGES = 1024
"""How many pages are cleaned under one hold of the write lock: 8 MiB, some hundredths of a second."""
_MOST_PAGES = 0x0200_0000
_FILE_HEADER_BYTES = 100
_HEADER_BYTES = {0x02: 12, 0x05: 12, 0x0A: 8, 0x0D: 8}  # by the kind of b-tree page; no other page has gaps


def scrub_gaps(db: apsw.Connection, path: Path, begin: int) -> int | None:
    """Overwrite what is left in the gaps of some pages from one on, counted from 0; where to go on, None at the end.

    The caller holds the write lock and has seen that the log is empty. Between two such pieces others may write: what
    they write are rows that are still there, and pages they read after the piece that cleaned them.
    """
    # The first byte tells a b-tree page, since other pages begin with a page number; beyond 256 GiB that could mislead.
    page_bytes, pages = (int(db.execute(f"PRAGMA {name}").get) for name in ("page_size", "page_count"))
    if pages >= _MOST_PAGES:
        return None
    end = min(begin + PIECE_PAGES, pages)
    cleaned = 0
    # SQLite's own way to the file: closing it by any other would let go of the locks of this process.
    file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_MAIN_DB, 0])
    try:
        for first in range(begin, end, _PAGES_AT_ONCE):
            count = min(_PAGES_AT_ONCE, end - first)
            block = file.xRead(count * page_bytes, first * page_bytes)
            for number in range(count):
                start, stop = _gap(block, number * page_bytes, page_bytes, is_first=first + number == 0)
                if block[start:stop].strip(b"\0"):
                    file.xWrite(bytes(stop - start), first * page_bytes + start)
                    cleaned += 1
        if cleaned:
            file.xSync(apsw.SQLITE_SYNC_NORMAL)
    finally:
        file.xClose()
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
