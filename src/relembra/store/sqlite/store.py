"""The store in one SQLite file. Each method crosses to a thread once; what happens there is in the modules beside."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import apsw

from relembra.domain.scope import Scope
from relembra.errors import RelembraError, StoreError, StoreUnavailableError, StoreVersionError
from relembra.minds.port import Analyzer, Vector
from relembra.store import port
from relembra.store.rows import UNREADABLE
from relembra.store.sql import accounts, queue, reads, search, writes
from relembra.store.sql import forget as forgetting
from relembra.store.sql import stamps as read_stamps
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

P = ParamSpec("P")
T = TypeVar("T")
_FEW = 64  # rows read by their ids
_SMALL = 1_024  # rows of a kind
_Task = Callable[Concatenate[Connection, P], T]
_Method = Callable[Concatenate["SqliteStore", P], Coroutine[Any, Any, T]]


def _reads(task: _Task[P, T], *, is_short: bool = False) -> _Method[P, T]:
    """A method that does a task where the store reads; `is_short`: it reads a few rows by their keys."""

    async def method(self: SqliteStore, /, *args: P.args, **options: P.kwargs) -> T:
        return await self._reading(is_short)(lambda db: task(db, *args, **options))

    return method


def _writes(task: _Task[P, T]) -> _Method[P, T]:
    """A method that does a task where the store writes; back once it is durable."""

    async def method(self: SqliteStore, /, *args: P.args, **options: P.kwargs) -> T:
        return await self._writer.do(lambda db: task(db, *args, **options))

    return method


class SqliteStore:
    """Keeps everything in one file, which several processes may share. Its analyzer is called from several threads."""

    _reads_at_once = True  # what is short, where it is asked

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

    # ── everything remembered ─────────────────────────────────────────────────────────────────────────────────────

    async def apply(self, scope: Scope, ops: Sequence[port.Op]) -> port.Receipt:
        writes.refuse_foreign(scope, ops)
        return await self._writer.do(lambda db: writes.apply(db, scope, ops, self._analyzer))

    async def get(self, scope: Scope, of: type[port.R], ids: Sequence[str]) -> list[port.R]:
        return await self._reading(len(ids) <= _FEW)(lambda db: reads.get(db, scope, of, ids))

    find = _reads(reads.find, is_short=True)

    async def page(
        self, scope: Scope | None, wanted: port.Filter[T], *, after: port.Cursor | None = None, limit: int = 50
    ) -> port.Page[T]:
        return await self._reading(_is_narrow(wanted))(
            lambda db: reads.page(db, scope, wanted, after=after, limit=limit)
        )

    ids_like = _reads(reads.ids_like)
    count_items = _reads(reads.count_items)
    passings = _reads(reads.passings)
    beside = _reads(reads.beside, is_short=True)
    buffers = _reads(reads.buffers, is_short=True)
    case_scope = _reads(reads.case_scope)
    stamps = _reads(read_stamps, is_short=True)
    unaccounted = _reads(queue.unaccounted)
    usage = _reads(reads.usage)
    withheld = _reads(reads.withheld)
    acquaintances = _reads(reads.acquaintances)
    speakers = _reads(reads.speakers, is_short=True)
    voices = _reads(reads.voices)
    predecessors = _reads(reads.predecessors)
    trail = _reads(reads.trail)
    changes = _reads(reads.changes)
    page_trail = _reads(reads.page_trail)
    last_entry = _reads(reads.last_entry)
    owners = _reads(reads.owners)
    vectors = _reads(reads.vectors, is_short=True)

    async def words(self, scope: Scope, kind: port.Kind, query: port.Query) -> port.Words:
        return await self._searched(scope, kind, lambda db: search.Keywords(db, [scope], kind, query, self._analyzer))

    async def nearest(
        self, scope: Scope, kind: port.Kind, model: str, vectors: Sequence[Vector], *, limit: int, at_least: float
    ) -> list[list[tuple[str, float]]]:
        hot = self._hot
        return await self._read(
            lambda db: search.nearest(
                db, scope, kind, model, vectors, limit=limit, at_least=at_least, hot=hot, epoch=hot.epoch
            )
        )

    async def search(
        self, scope: Scope, query: port.Query, wanted: port.ItemFilter | port.MessageFilter | port.NoteFilter
    ) -> list[port.Candidate]:
        analyzer, hot = self._analyzer, self._hot
        epoch = hot.epoch  # from before anything is read

        def work(db: Connection) -> list[port.Candidate]:
            return search.search(db, scope, query, wanted, analyzer=analyzer, hot=hot, epoch=epoch)

        if isinstance(wanted, port.MessageFilter) and wanted.owners:
            return await self._read(work)
        return await self._searched(scope, port.KIND_OF[type(wanted)], work)

    async def forget(self, scope: Scope, what: port.Forget, *, dry_run: bool = False) -> port.Gone:
        def work(db: Connection) -> port.Gone:
            return forgetting.forget(db, scope, what)

        if dry_run:
            return replace(await self._writer.try_out(work), erased=False, dry_run=True)
        gone, is_erased = await self._writer.forget(work, afterwards=lambda: self._hot.drop(scope))
        return replace(gone, erased=is_erased)

    # ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────

    claim = _writes(queue.claim)
    give_back = _writes(queue.give_back)
    jobs = _reads(queue.jobs)
    job = _reads(queue.job)
    cancel = _writes(queue.cancel)
    next_due = _reads(queue.next_due, is_short=True)
    hasten = _writes(queue.hasten)
    retry = _writes(queue.retry)
    drop_jobs = _writes(queue.drop_jobs)

    # ── who may come in ───────────────────────────────────────────────────────────────────────────────────────────

    put_key = _writes(accounts.put_key)
    keys = _reads(accounts.keys)
    key_by_prefix = _reads(accounts.key_by_prefix)
    revoke_key = _writes(accounts.revoke_key)
    touch_keys = _writes(accounts.touch_keys)
    put_session = _writes(accounts.put_session)
    session = _reads(accounts.session)
    end_session = _writes(accounts.end_session)
    put_link = _writes(accounts.put_link)
    drop_link = _writes(accounts.drop_link)
    links = _reads(accounts.links)
    block = _writes(queue.block)
    unblock = _writes(queue.unblock)
    blocks = _reads(queue.blocks, is_short=True)
    spaces = _reads(queue.spaces)
    begin_reply = _writes(accounts.begin_reply)
    end_reply = _writes(accounts.end_reply)
    drop_reply = _writes(accounts.drop_reply)
    purge_replies = _writes(accounts.purge_replies)

    # ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────────

    unindexed = _reads(reads.unindexed)
    unembedded = _reads(reads.unembedded)
    model_names = _reads(reads.model_names, is_short=True)

    async def drop_other_vectors(self, model: str) -> int:
        dropped = await self._writer.do(lambda db: reads.drop_other_vectors(db, model))
        self._hot.clear()
        return dropped

    async def verify(self) -> port.Verification:
        return await self._aside(lambda db: in_snapshot(db, lambda db: _verified(db, self._analyzer)))

    async def stats(self, scope: Scope | None = None) -> port.Stats:
        files = (self._path, beside(self._path)[0])
        size = sum(file.stat().st_size for file in files if file.exists())
        return await self._read(lambda db: reads.stats(db, scope, file_bytes=size))

    async def backup(self, target: Path) -> int:
        return await self._aside(lambda db: backups.backup(db, target))

    async def _searched(self, scope: Scope, kind: port.Kind, work: Work[T]) -> T:
        """A search right here where a person has so few rows of a kind that to cross to a thread takes as long."""

        def tried(db: Connection) -> list[T]:
            return [work(db)] if search.documents(db, scope, kind) <= _SMALL else []

        found = await self._readers.at_once(tried) if self._reads_at_once else []
        return found[0] if found else await self._read(work)

    def _reading(self, is_short: bool) -> Callable[[Work[T]], Coroutine[Any, Any, T]]:
        """How something is read: what is short right here."""
        return self._readers.at_once if is_short and self._reads_at_once else self._read

    async def _read(self, work: Work[T]) -> T:
        return await self._readers.do(work)

    async def _aside(self, work: Work[T]) -> T:
        """Something long, on a connection of its own, so that nobody waits behind it."""
        if self._closing:
            raise StoreError(f"the store {self._path} is closed")
        read_only = isinstance(self._writer, NoWriter)
        return await asyncio.to_thread(_on_its_own, self._path, work, read_only=read_only)


def _is_narrow(wanted: port.Filter[Any]) -> bool:
    """Whether an index leads to the few rows that are wanted."""
    if isinstance(wanted, port.ItemFilter):
        return wanted.subject is not None and wanted.attribute is not None
    return isinstance(wanted, port.CaseFilter)


_MOST_PROBLEMS = 1_000


def _verified(db: Connection, analyzer: Analyzer) -> port.Verification:
    """Read everything once, on one consistent state; problems beyond the first thousand are only counted."""
    checked: Counter[str] = Counter(rows=0, terms=0, vectors=0, unindexed=0)
    found: list[str] = []
    try:
        found += (f"file: {problem}" for (problem,) in db.execute("PRAGMA integrity_check") if problem != "ok")
        found += search.problems(db, analyzer, checked)
    except (apsw.Error, RelembraError, *UNREADABLE) as exc:  # a page, or a value in a row
        found.append(f"what comes after could not be read: {exc or type(exc).__name__}")
    if len(found) > _MOST_PROBLEMS:
        found[_MOST_PROBLEMS:] = [f"and {len(found) - _MOST_PROBLEMS} more"]
    return port.Verification(dict(checked), tuple(found))


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

    _reads_at_once = False

    def __init__(self, analyzer: Analyzer) -> None:
        check_library()
        db = open_in_memory(_empty())
        search.index_anew(db, analyzer, db.transaction)
        writer = Writer(db, NAME)
        super().__init__(NAME, analyzer=analyzer, writer=writer, readers=Readers(NAME, 1), presence=None)
        self._turns = writer

    async def _read(self, work: Work[T]) -> T:
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
