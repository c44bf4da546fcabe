"""The store on a PostgreSQL server. Each method crosses to a thread once; what happens there is in `store.sql`."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import psycopg
from psycopg.errors import Diagnostic

from relembra.domain.scope import Scope
from relembra.errors import RelembraError, StoreError, StoreReadOnlyError
from relembra.minds.port import Analyzer
from relembra.store import port
from relembra.store.postgres import connection as server
from relembra.store.postgres.connection import Connection, Pool, Session, statement_of
from relembra.store.postgres.schema import prepare
from relembra.store.sql import Session as AnySession
from relembra.store.sql import reads, search
from relembra.store.sql.forget import TABLES, TRACES_LEFT
from relembra.store.sql.store import SqlStore, Turn, Whose, Work
from relembra.store.sql.vectors import HotSlices

_log = logging.getLogger(__name__)
T = TypeVar("T")

Tables = Iterator[tuple[str, Sequence[str], Iterator[Sequence[Any]]]]
"""Tables by name, with the names of their columns and their rows."""
Archive = Callable[[Path, Tables], int]
"""Writes tables into a new file of another store; its size in bytes."""

POLL_SECONDS = 10.0
"""How long `changed` waits without word from anybody, for a message may be lost with its connection."""
_RING_SECONDS = 0.02  # so long others are told of together
PATIENCE_SECONDS = 1.0
"""How long a forgetting waits until its traces are erased before its receipt says that they are not yet."""
_ERASE_PAUSE_SECONDS = 0.05
_RECONNECT_SECONDS = 2.0
_ASIDE = 2  # connections beside those of the threads: who erases, and who reads everything
_XIDS = 1 << 32  # as many as rows tell apart
_NOT_COPIED = ("access_session", "migration")


class PostgresStore(SqlStore):
    """Keeps everything in the schema `relembra` of a database. Its analyzer is called from several threads."""

    def __init__(
        self,
        pool: Pool,
        address: str,
        *,
        analyzer: Analyzer,
        threads: int,
        read_only: bool,
        archive: Archive | None,
        hot: HotSlices | None,
        patience_seconds: float,
    ) -> None:
        self._pool = pool
        self._address = address
        self._analyzer = analyzer
        self._read_only = read_only
        self._archive = archive
        self._hot = HotSlices() if hot is None else hot
        self._readers = ThreadPoolExecutor(threads, thread_name_prefix="relembra-postgres-reader")
        self._writers = ThreadPoolExecutor(threads, thread_name_prefix="relembra-postgres-writer")
        self._eraser = ThreadPoolExecutor(1, thread_name_prefix="relembra-eraser")
        self._erasing: Future[bool] | None = None
        self._change = 0  # the last one that is to leave no trace
        self._lock = threading.Lock()
        self._patience_seconds = patience_seconds
        self._name = uuid4().hex  # of this one among all who listen
        self._listener: psycopg.AsyncConnection[Any] | None = None
        self._loop = asyncio.get_running_loop()
        self._is_ringing = False
        self._closed = False
        pool.on_work = self._left_work

    @classmethod
    async def open(
        cls,
        address: str,
        *,
        analyzer: Analyzer,
        is_durable: bool = True,
        connections: int = 4,
        read_only: bool = False,
        archive: Archive | None = None,
        hot: HotSlices | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> PostgresStore:
        """Open the database, bringing its tables up to date where this role may.

        So many `connections` write and as many read, for whoever writes may have to wait for another to have written.
        Not `is_durable`: the last commits may be lost when the server's machine fails. `archive` writes a backup.
        Rows indexed by another version of the analyzer are indexed anew first, which takes a while on a large store.
        """
        place = server.place_of(address)

        def opened() -> Pool:
            with closing(server.connect(address, place)) as connection:
                server.configure(connection)
                try:
                    role = prepare(connection, place, read_only=read_only)
                except psycopg.Error as exc:
                    raise server.translation(exc, place) from None
            most = 2 * max(1, connections) + _ASIDE
            pool = Pool(address, place, most=most, role=role, is_durable=is_durable)
            try:
                if not read_only:
                    pool.aside(lambda connection: _index_anew(pool, connection, analyzer))
            except BaseException:
                pool.close()
                raise
            return pool

        pool = await asyncio.to_thread(opened)
        store = cls(
            pool,
            address,
            analyzer=analyzer,
            threads=max(1, connections),
            read_only=read_only,
            archive=archive,
            hot=hot,
            patience_seconds=patience_seconds,
        )
        if not read_only:
            await store._in(store._writers, store._go_on_erasing)
        return store

    async def close(self) -> None:
        """Finish what is under way and let go of the connections; safe to call twice."""
        self._closed = True
        listener, self._listener = self._listener, None
        if listener is not None:
            await listener.close()
        for threads in (self._readers, self._writers, self._eraser):
            await asyncio.to_thread(threads.shutdown)
        await asyncio.to_thread(self._pool.close)
        self._hot.clear()

    # ── where reading and writing are done ────────────────────────────────────────────────────────────────────────

    async def _read(self, work: Work[T], whose: Whose, /) -> T:
        return await self._in(self._readers, lambda: self._pool.read(work, whose))

    async def _write(self, work: Work[T], whose: Whose, turns: tuple[Turn, ...], /) -> T:
        return await self._in(self._writers, lambda: self._pool.write(work, whose, turns))

    async def _try_out(self, tenant: str, work: Work[T], /) -> T:
        return await self._in(self._writers, lambda: self._pool.write(work, tenant, [tenant], keep=False))

    async def _forget(self, scope: Scope, work: Work[T], /) -> tuple[T, bool]:
        def forgotten() -> tuple[T, Future[bool] | None]:
            """All of it in one thread, so that who gives up waiting leaves nothing half done."""

            def all_of_it(db: Session) -> tuple[T, bool, int]:
                answer = work(db)
                return answer, db.first("get_meta", TRACES_LEFT) == "1", int(db.first("this_change"))

            answer, has_traces, change = self._pool.write(all_of_it, scope.tenant, [scope.tenant])
            self._hot.drop(scope)
            return answer, self._erase_soon(change) if has_traces else None

        answer, erasing = await self._in(self._writers, forgotten)
        if erasing is None:
            return answer, True
        try:
            return answer, await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(erasing)), self._patience_seconds)
        except TimeoutError:
            return answer, False

    async def _in(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        self._refuse_closed()
        if self._read_only and threads is self._writers:
            raise StoreReadOnlyError(f"{self._pool.place} is open for reading only; open it without read_only to write")
        return await asyncio.get_running_loop().run_in_executor(threads, work)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreError(f"the store {self._pool.place} is closed")

    # ── leaving no trace ──────────────────────────────────────────────────────────────────────────────────────────

    def _go_on_erasing(self) -> None:
        """What a program that ended has left of it."""
        if self._pool.read(lambda db: str(db.first("get_meta", TRACES_LEFT)), None) == "1":
            self._erase_soon(self._pool.write(lambda db: int(db.first("this_change")), None))

    def _erase_soon(self, change: int) -> Future[bool]:
        """Erase what a change deleted; whoever asks before it begins is served by the same."""
        with self._lock:
            self._change = max(self._change, change)
            if self._erasing is None or self._erasing.running() or self._erasing.done():
                self._erasing = self._eraser.submit(self._erase)
            return self._erasing

    def _erase(self) -> bool:
        """Take deleted rows out of tables and indexes; False while a transaction may still look at them."""
        with self._lock:
            change = str(self._change % _XIDS)
        try:
            return self._pool.aside(lambda connection: _erased(Session(connection), change, self._patience_seconds))
        except RelembraError as exc:
            _log.warning("the traces of what was forgotten could not be erased yet: %s", exc)
            return False

    # ── who waits for work ────────────────────────────────────────────────────────────────────────────────────────

    async def changed(self) -> None:
        """Wait until another process may have left work, or some seconds have gone by."""
        try:
            if self._listener is None or self._listener.closed:
                self._listener = await psycopg.AsyncConnection.connect(self._address, **server.OPTIONS)
                await self._listener.execute("LISTEN relembra_work")
            give_up = time.monotonic() + POLL_SECONDS
            while (left := give_up - time.monotonic()) > 0:
                heard = [note.payload async for note in self._listener.notifies(timeout=left, stop_after=1)]
                if heard and heard != [self._name]:
                    return
        except psycopg.Error:
            await asyncio.sleep(_RECONNECT_SECONDS)

    def _left_work(self) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._ring_soon)

    def _ring_soon(self) -> None:
        """Tell other processes, once for all that is left within some hundredths of a second.

        Not within the transaction that leaves it: one that notifies commits alone on the whole server.
        """
        if not self._is_ringing and not self._closed:
            self._is_ringing = True
            self._loop.call_later(_RING_SECONDS, self._ring)

    def _ring(self) -> None:
        self._is_ringing = False
        if not self._closed:
            self._readers.submit(self._rung)

    def _rung(self) -> None:
        with suppress(RelembraError):  # whoever waits looks for itself after some seconds
            self._pool.aside(lambda connection: Session(connection).run("ring", self._name))

    # ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def verify(self) -> port.Verification:
        def work(db: Session) -> port.Verification:
            return search.verified(db, self._analyzer, (), unreadable=(psycopg.Error,))

        return await self._aside(work)

    async def stats(self, scope: Scope | None = None) -> port.Stats:
        def work(db: AnySession) -> port.Stats:
            return reads.stats(db, scope, file_bytes=0 if scope is not None else int(db.first("table_bytes")))

        return await self._read(work, scope)

    async def backup(self, target: Path) -> int:
        """A copy of one moment as a file that Relembra opens, in the form `archive` has."""
        archive = self._archive
        if archive is None:
            raise StoreError("no backup can be written here; use pg_dump")
        return await self._aside(lambda db: archive(target, _tables(db)))

    async def _aside(self, work: Callable[[Session], T]) -> T:
        """Something long, in a thread and on a connection of its own, so that nobody waits behind it."""
        self._refuse_closed()
        return await asyncio.to_thread(self._pool.read, work, None)


def _index_anew(pool: Pool, connection: Connection, analyzer: Analyzer) -> None:
    @contextmanager
    def transaction() -> Iterator[None]:
        with pool.begun(connection):
            yield

    search.index_anew(Session(connection), analyzer, transaction)


def _erased(db: Session, change: str, patience_seconds: float) -> bool:
    if db.first("may_erase"):  # only the owner of the tables may, and otherwise the server does it by and by
        return False
    give_up = time.monotonic() + patience_seconds
    while db.first("is_held", change) and time.monotonic() < give_up:
        time.sleep(_ERASE_PAUSE_SECONDS)
    tables = ", ".join(f"relembra.{name}" for name in TABLES)
    left: list[int | None] = []

    def hear(notice: Diagnostic) -> None:
        left.append(dead_rows_left(notice.message_primary or "", notice.message_detail or ""))

    db.connection.add_notice_handler(hear)
    try:
        db.connection.execute(statement_of("erase", tables=tables).encode(), prepare=False)
    finally:
        db.connection.remove_notice_handler(hear)
    counted = [rows for rows in left if rows is not None]
    is_clean = len(counted) >= len(TABLES) and not any(counted)
    if is_clean:
        db.run("is_erased", TRACES_LEFT, change)
    return is_clean


def dead_rows_left(message: str, detail: str) -> int | None:
    """How many rows that were deleted a vacuum had to leave, as its report says; None for what is no such report.

    Only the server knows it, since sessions of other roles do not show what they look at. In the report of version 15
    and later it is the third number of the third line, before that the first of the detail.
    """
    lines = message.splitlines()
    numbers = re.findall(r"\d+", lines[2] if len(lines) > 2 else detail)
    place = 2 if len(lines) > 2 else 0
    return int(numbers[place]) if len(numbers) > place else None


def _tables(db: Session) -> Tables:
    for name, columns in db.rows("tables"):
        if name not in _NOT_COPIED:
            yield name, columns, db.each("every_column", table=name, columns=", ".join(columns))
