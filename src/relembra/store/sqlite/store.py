"""The store in one SQLite file. Each method crosses to a thread once; what happens there is in the modules beside."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path
from typing import TypeVar

import apsw

from relembra.domain.scope import Scope
from relembra.errors import StoreError, StoreUnavailableError, StoreVersionError
from relembra.minds.port import Analyzer
from relembra.store import port
from relembra.store.sql import reads, search
from relembra.store.sql.store import SqlStore, Turn, Whose
from relembra.store.sql.vectors import HotSlices
from relembra.store.sqlite import backups
from relembra.store.sqlite.connection import (
    Connection,
    Durability,
    Presence,
    beside,
    check_library,
    is_store,
    make_store,
    open_in_memory,
    open_reader,
    open_writer,
    translated,
)
from relembra.store.sqlite.threads import NAME, NoWriter, Readers, Work, Writer, in_snapshot, read

T = TypeVar("T")


class SqliteStore(SqlStore):
    """Keeps everything in one file, which several processes may share. Its analyzer is called from several threads."""

    def __init__(
        self,
        path: Path,
        *,
        analyzer: Analyzer,
        writer: Writer | NoWriter,
        readers: Readers,
        presence: Presence | None,
        hot: HotSlices | None = None,
    ) -> None:
        self._path = path
        self._analyzer = analyzer
        self._writer = writer
        self._readers = readers
        self._presence = presence
        self._hot = HotSlices() if hot is None else hot
        self._closing = False

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        analyzer: Analyzer,
        durability: Durability = "full",
        readers: int = 3,
        create: bool = True,
        read_only: bool = False,
        hot: HotSlices | None = None,
    ) -> SqliteStore:
        """Open the file, bringing it up to date. `durability` "normal": the last commits may be lost with the power.

        Rows indexed by another version of the analyzer are indexed anew first, which takes a while on a large store.
        `read_only`: nothing is written, neither to the file nor beside it where that is not possible, and a file of an
        earlier version is refused. `hot`: where vectors searched often are kept at hand, one of its own by default.
        """
        check_library()
        path = await asyncio.to_thread(path.resolve)  # SQLite keeps what belongs to it beside the real file
        if read_only:
            held = await asyncio.to_thread(_look, path)
            reading = Readers(path, readers, read_only=True)
            return cls(path, analyzer=analyzer, writer=NoWriter(path), readers=reading, presence=held, hot=hot)
        db, presence = await asyncio.to_thread(_prepare, path, analyzer, durability, create)
        return cls(
            path, analyzer=analyzer, writer=Writer(db, path), readers=Readers(path, readers), presence=presence, hot=hot
        )

    async def close(self) -> None:
        """Finish what is queued and let go of the file, whose log is then folded in; safe to call twice."""
        self._closing = True
        await asyncio.to_thread(self._readers.close)
        await asyncio.to_thread(self._writer.close)
        if self._presence is not None:
            await asyncio.to_thread(self._presence.leave)
        self._hot.clear()

    # ── where reading and writing are done ────────────────────────────────────────────────────────────────────────

    async def _read(self, work: Work[T], _whose: Whose, /) -> T:
        return await self._readers.do(work)

    async def _write(self, work: Work[T], _whose: Whose, _turns: tuple[Turn, ...], /) -> T:
        return await self._writer.do(work)  # the one thread that writes

    async def _try_out(self, _tenant: str, work: Work[T], /) -> T:
        return await self._writer.try_out(work)

    async def _forget(self, scope: Scope, work: Work[T], /) -> tuple[T, bool]:
        return await self._writer.forget(work, afterwards=lambda: self._hot.drop(scope))

    # ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def verify(self) -> port.Verification:
        return await self._aside(lambda db: in_snapshot(db, lambda db: _verified(db, self._analyzer)))

    async def stats(self, scope: Scope | None = None) -> port.Stats:
        files = (self._path, beside(self._path)[0])
        size = sum(file.stat().st_size for file in files if file.exists())
        return await self._read(lambda db: reads.stats(db, scope, file_bytes=size), scope)

    async def backup(self, target: Path) -> int:
        return await self._aside(lambda db: backups.backup(db, target))

    async def _aside(self, work: Work[T]) -> T:
        """Something long, on a connection of its own, so that nobody waits behind it."""
        if self._closing:
            raise StoreError(f"the store {self._path} is closed")
        read_only = isinstance(self._writer, NoWriter)
        return await asyncio.to_thread(_on_its_own, self._path, work, read_only=read_only)


def _verified(db: Connection, analyzer: Analyzer) -> port.Verification:
    """Read everything once, on one consistent state."""
    file = (f"file: {found}" for (found,) in db.execute("PRAGMA integrity_check") if found != "ok")
    return search.verified(db, analyzer, file, unreadable=(apsw.Error,))


def _prepare(path: Path, analyzer: Analyzer, durability: Durability, create: bool) -> tuple[Connection, Presence]:
    """The file up to date; where nobody else is at it, what a killed program was at is free to be taken at once."""
    if not create and not path.exists():
        raise StoreError(f"there is no store at {path}")
    with ExitStack() as undone:
        presence = undone.enter_context(Presence(path))
        db = undone.enter_context(closing(open_writer(path, durability=durability, create=create)))
        with translated(path, db):
            make_store(db, path)
            if presence.is_alone:
                db.run("free_jobs")  # whoever claimed them is gone; the try still counts
            presence.stay()
            search.index_anew(db, analyzer, db.transaction)
        undone.pop_all()
    return db, presence


def _look(path: Path) -> Presence | None:
    """Check a file that is only read; present there, so that nobody replaces it, where that can be known."""
    if not path.exists():
        raise StoreError(f"there is no store at {path}")
    with ExitStack() as undone:
        presence: Presence | None = None
        try:
            presence = undone.enter_context(Presence(path))
        except StoreUnavailableError:
            raise
        except StoreError:
            pass
        if not _on_its_own(path, lambda db: is_store(db, path), read_only=True):
            raise StoreVersionError(f"{path} is empty; open it once for writing to make it a store")
        if presence is not None:
            presence.stay()
        undone.pop_all()
    return presence


def _on_its_own(path: Path, work: Work[T], *, read_only: bool) -> T:
    with closing(open_reader(path, read_only=read_only)) as db, translated(path, db):
        return work(db)


class InMemoryStore(SqliteStore):
    """Keeps everything until it is closed, and nothing afterwards. Ready as soon as it is made."""

    def __init__(self, analyzer: Analyzer) -> None:
        check_library()
        db = open_in_memory(_empty())
        search.index_anew(db, analyzer, db.transaction)
        writer = Writer(db, NAME)
        super().__init__(NAME, analyzer=analyzer, writer=writer, readers=Readers(NAME, 1), presence=None)
        self._turns = writer

    async def _read(self, work: Work[T], _whose: Whose, /) -> T:
        """Whoever reads waits for the one connection; the readers have nothing to do, and never begin."""
        return await self._turns.aside(lambda db: read(db, work, NAME))

    async def _aside(self, work: Work[T]) -> T:
        return await self._turns.aside(work)


@cache
def _empty() -> bytes:
    """A store with nothing in it."""
    with closing(open_in_memory()) as db:
        make_store(db, NAME)
        return db.serialize("main")
