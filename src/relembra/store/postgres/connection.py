"""How a server is spoken to: statements as PostgreSQL takes them, transactions that say whose they are, and errors.

A `Pool` lends connections to a few threads. What is set for a transaction ends with it, so that any pooler may stand
between, and nothing of one person is left for the next.
"""

from __future__ import annotations

import logging
import os
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from itertools import count
from threading import BoundedSemaphore, Lock
from typing import Any, TypeVar

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Escaping, TransactionStatus
from psycopg.types.numeric import Int8Dumper, NumericBinaryLoader

from relembra import errors
from relembra.domain.scope import Scope
from relembra.store import rows
from relembra.store.rows import UNREADABLE, Table, micros
from relembra.store.sql import Row, filled, inserting, load, text_of
from relembra.store.sql.store import Turn, Whose

_log = logging.getLogger(__name__)

T = TypeVar("T")
Connection = psycopg.Connection[Row]

SEARCH_PATH = "relembra, pg_catalog, pg_temp"
"""So that a temporary table stands in nobody's way."""
OLDEST_SERVER = 140_000
"""As `server_version_num` says it."""
TRIES = 6
"""Of a transaction that met another, or lost its connection."""
CONNECT_SECONDS = 10
_RESTART_SECONDS = 3.0
"""How long a server that went is waited for; whoever asks later is told at once that it is not there."""
_RETRY_SECONDS = 0.2
_LEFT_ALONE_SECONDS = 1.0
_IDLE_SECONDS = 300.0
_LONGEST_PAUSE_SECONDS = 0.05
_LIMITS = {
    "jit": "off",  # which takes longer than what it would make quicker
    "lock_timeout": "30s",
    "idle_in_transaction_session_timeout": "60s",  # a program that was halted keeps nobody from writing
}
_STATEMENTS = 300  # prepared, of each connection
_FIRST_ROWS = 64
_MORE_ROWS = 2_000


# ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

_OWN = load(__package__)
_INDEXED_BY = re.compile(r"\bINDEXED BY \w+")
_CROSS_ON = re.compile(r"\bCROSS JOIN (\w+(?: AS \w+)?)(\s+ON\b)")
_LISTED = re.compile(r"\b(NOT )?IN carray\((\?\d*)\)")
_MARK = re.compile(r"\?(\d*)")
LEAVES_WORK = frozenset({inserting(rows.JOBS), "join_job", "flush_due", "hasten_jobs", "retry_jobs", "give_back_job"})
"""Statements after which another process may have something to do."""


@lru_cache(maxsize=2_000)
def statement_of(statement: str, **parts: str | Table[Any]) -> str:
    """A statement as this engine has it, its values numbered from $1 on."""
    own = _OWN.get(statement)
    return translated(filled(own, parts) if own is not None else text_of(statement, **parts))


def translated(text: str) -> str:
    """A text of the shared statements as PostgreSQL takes it: hints go, lists are arrays, a join says how it joins."""
    text = _INDEXED_BY.sub("", text)
    text = _CROSS_ON.sub(r"JOIN \1\2", text)
    text = _LISTED.sub(lambda found: f"{'<> ALL' if found[1] else '= ANY'}({found[2]})", text)
    text = text.replace("+row.", "row.")  # which keeps SQLite from an index
    last = count(1)
    return _MARK.sub(lambda found: f"${found[1] or next(last)} ", text)  # parts may follow it without a blank


class Whole(NumericBinaryLoader):
    """A sum of whole numbers comes as a number with decimals."""

    def load(self, data: Any) -> Any:
        number = super().load(data)
        return int(number) if number == number.to_integral_value() else float(number)


class Session:
    """A connection in a transaction, as `store.sql.Session` has it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._cursor = _cursor(connection)
        self._portals = count(1)
        self.left_work = False

    def rows(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> list[Row]:
        return self._run(statement, values, parts).fetchall()

    def each(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> Iterator[Row]:
        """A few at first, for some ask for many and take the first; the portal ends with the transaction."""
        name, few = f"each_{next(self._portals)}", _FIRST_ROWS
        text = f"DECLARE {name} NO SCROLL CURSOR FOR {statement_of(statement, **parts)}"
        self._cursor.execute(text, bound(values), prepare=False)  # as other portals of this name have other columns
        while found := self._cursor.execute(f"FETCH {few} FROM {name}", prepare=False).fetchall():
            yield from found
            few = _MORE_ROWS

    def first(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> Any:
        row = self._run(statement, values, parts).fetchone()
        return None if row is None else row[0]

    def run(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> int:
        return self._run(statement, values, parts).rowcount

    def add(self, statement: str, /, *values: Any, taken: str, **parts: str | Table[Any]) -> int:
        try:
            return self.run(statement, *values, **parts)
        except pg.UniqueViolation:
            raise errors.ConflictError(taken) from None  # the driver's own words hold the row's

    def batch(self, statement: str, values: Iterable[Sequence[Any]], /, **parts: str | Table[Any]) -> list[list[Row]]:
        text = statement_of(statement, **parts)
        with self.connection.pipeline():
            cursors = [_cursor(self.connection).execute(text, bound(some)) for some in values]
        return [cursor.fetchall() for cursor in cursors]

    def many(self, statement: str, values: Iterable[Sequence[Any]], /, **parts: str | Table[Any]) -> None:
        given = [bound(some) for some in values]
        self.left_work = self.left_work or statement in LEAVES_WORK
        if len(given) == 1:
            self._cursor.execute(statement_of(statement, **parts), given[0])
        elif given:
            self._cursor.executemany(statement_of(statement, **parts), given)

    def _run(self, statement: str, values: Sequence[Any], parts: dict[str, Any]) -> psycopg.RawCursor[Row]:
        self.left_work = self.left_work or statement in LEAVES_WORK
        return self._cursor.execute(statement_of(statement, **parts), bound(values))


def _cursor(connection: Connection) -> psycopg.RawCursor[Row]:
    cursor = psycopg.RawCursor(connection)
    cursor.format = psycopg.pq.Format.BINARY
    return cursor


def bound(values: Sequence[Any]) -> list[Any]:
    """Values as PostgreSQL takes them: a scope as two, moments as numbers, a tuple as an array, no NUL in a text."""
    flat: list[Any] = []
    for value in values:
        kind = type(value)
        if kind is str:
            flat.append(value if "\0" not in value else value.replace("\0", "\ufffd"))
        elif kind is Scope:
            flat += (value.tenant, value.user)
        elif kind is tuple:
            flat.append(list(value))
        elif isinstance(value, datetime):
            flat.append(micros(value))
        else:
            flat.append(value)
    return flat


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────────────────

_AGAIN = (pg.SerializationFailure, pg.DeadlockDetected, pg.UniqueViolation)
"""Another transaction was quicker; the same work sees what it left."""


def translation(error: psycopg.Error, place: str) -> errors.RelembraError:
    """The error a caller should see. What the server said is left out: it may quote a row."""
    match error:
        case pg.DiskFull():
            return errors.StoreFullError(f"no room left on the disk of {place}; nothing was changed: make room")
        case pg.LockNotAvailable():
            return errors.StoreUnavailableError(
                f"others at {place} write the same for long; try again", retry_after_seconds=5.0
            )
        case pg.ReadOnlySqlTransaction():
            return errors.StoreReadOnlyError(f"{place} can only be read just now; write to the primary server")
        case pg.InsufficientPrivilege():
            return errors.StoreError(
                f"the role at {place} may not do that; open the store once as the owner of schema relembra,"
                " which gives the role relembra_app what it needs"
            )
        case pg.ProgramLimitExceeded():
            return errors.InvalidInputError("names this long together cannot be kept; use shorter ones")
        case pg.DuplicateTable() | pg.DuplicateFunction() | pg.DuplicateObject():
            return errors.StoreVersionError(
                f"the schema relembra at {place} holds something of another program; use another database"
            )
        case pg.UndefinedTable() | pg.UndefinedColumn() | pg.UndefinedFunction() | pg.InvalidSchemaName():
            return errors.StoreVersionError(f"the tables at {place} are not those this program knows; open it anew")
        case pg.IntegrityError():
            return errors.ConflictError("a row with that id is there already")
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return errors.StoreUnavailableError(f"{place} cannot be reached; try again", retry_after_seconds=1.0)
        case _:
            return errors.StoreError(f"{place}: PostgreSQL could not do it ({type(error).__name__} {error.sqlstate})")


class LostError(Exception):
    """The connection went; `is_unknown`: while committing, so that nobody knows whether it was done."""

    def __init__(self, *, is_unknown: bool) -> None:
        self.is_unknown = is_unknown


def place_of(address: str) -> str:
    """Where an address leads, without its password; `SettingsError` where it leads nowhere."""
    try:
        parts = conninfo_to_dict(address)
    except psycopg.Error:  # which quotes the address
        raise errors.SettingsError(
            "db is no address PostgreSQL understands; use postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
        ) from None
    host, port, name = (str(parts.get(part) or "") for part in ("host", "port", "dbname"))
    return f"postgresql://{host or 'localhost'}{port and f':{port}'}/{name}"


def refused(error: psycopg.Error, address: str, place: str) -> errors.StoreError:
    """Why nobody let us in, and what to do."""
    said = str(error)
    password = conninfo_to_dict(address).get("password")
    if "password authentication failed" in said or "no password supplied" in said:
        return errors.StoreError(f"{place} refused the user or password; check both in the db setting")
    if "does not exist" in said:
        return errors.StoreError(f"{place}: there is no such database or role; make it with createdb or createuser")
    if "too many" in said or "remaining connection slots" in said:
        return errors.StoreUnavailableError(f"{place} has no connection left; try again", retry_after_seconds=5.0)
    reason = said.strip().splitlines()[-1].strip() if said.strip() else type(error).__name__
    if password:
        reason = reason.replace(str(password), "…")
    told = f"no server answers at {place}; start it or check the address ({reason})"
    return errors.StoreUnavailableError(told, retry_after_seconds=1.0)


# ── transactions ──────────────────────────────────────────────────────────────────────────────────────────────────


def connect(address: str, place: str) -> Connection:
    try:
        return psycopg.connect(address, **OPTIONS)
    except psycopg.Error as exc:
        raise refused(exc, address, place) from None


OPTIONS: dict[str, Any] = {
    "autocommit": True,  # transactions are begun by us, in the same message that says whose they are
    "connect_timeout": CONNECT_SECONDS,
    "application_name": "relembra",
    "keepalives_idle": 30,  # a network that goes silent holds a thread for a minute
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}


def configure(connection: Connection) -> None:
    """What each connection is like."""
    connection.adapters.register_dumper(int, Int8Dumper)  # so that a statement is prepared once
    connection.adapters.register_loader("numeric", Whole)
    connection.prepared_max = _STATEMENTS


def lock_number(name: Turn) -> int:
    """The number of an advisory lock."""
    match name:
        case None:
            parts: tuple[str, ...] = ()
        case str():
            parts = ("tenant", name)
        case Scope():
            parts = ("scope", name.tenant, name.user)
        case _:
            parts = ("other", *name)
    return int.from_bytes(blake2b("\0".join(parts).encode(), digest_size=8).digest(), signed=True)


def locks_of(whose: Whose, turns: Sequence[Turn]) -> list[str]:
    """The locks to take, in the order everybody takes them: everybody's, the tenants', then single ones."""
    alone = set(turns)
    shared: set[Turn] = {None, *(turn.tenant for turn in turns if isinstance(turn, Scope))}
    shared |= {whose.tenant if isinstance(whose, Scope) else whose}
    ranked = sorted((_rank(turn), lock_number(turn), turn in alone) for turn in shared | alone)
    return [f"pg_advisory_xact_lock{'' if is_alone else '_shared'}({number})" for _, number, is_alone in ranked]


def _rank(turn: Turn) -> int:
    return 0 if turn is None else 1 if isinstance(turn, str) else 2


@contextmanager
def begun(connection: Connection, begin: bytes, *, keep: bool) -> Iterator[None]:
    """A transaction, begun with one message that says how, whose, and when it is our turn; not `keep`: taken back."""
    is_committing = False
    try:
        connection.execute(begin, prepare=False)
        yield
        is_committing = keep
        if connection.execute("COMMIT" if keep else "ROLLBACK", prepare=False).statusmessage == "ROLLBACK" and keep:
            raise errors.StoreError("what was written was taken back, for something of it failed")
    except BaseException as exc:
        if not connection.closed:
            connection.execute("ROLLBACK", prepare=False)
        elif isinstance(exc, psycopg.Error):
            raise LostError(is_unknown=is_committing) from None
        raise


class Pool:
    """Connections for the threads of a store, and what each transaction begins with."""

    def __init__(self, address: str, place: str, *, most: int, role: str | None, is_durable: bool) -> None:
        self._address, self.place = address, place
        self._fixed = {"search_path": SEARCH_PATH, **_LIMITS, **({"role": role} if role else {})}
        self._pid = os.getpid()
        self.on_work: Callable[[], None] = lambda: None  # another process may have something to do
        if not is_durable:
            self._fixed["synchronous_commit"] = "off"
        self._free = BoundedSemaphore(most)
        self._lock = Lock()
        self._idle: list[tuple[Connection, float]] = []  # since when, the latest last
        self._lost_at: float | None = None  # since when no connection can be had
        self._refusal = (0.0, "")  # until when it is not tried, and why
        self._is_closed = False

    def close(self) -> None:
        self._is_closed = True
        self._let_go()

    def write(self, work: Callable[[Session], T], whose: Whose, turns: Sequence[Turn] = (), *, keep: bool = True) -> T:
        """Run work in a transaction of its own, again where another's was quicker; not `keep`: all is taken back."""
        return self._tried(work, "READ COMMITTED", whose, locks_of(whose, turns), keep=keep)

    def read(self, work: Callable[[Session], T], whose: Whose) -> T:
        """Run work that only reads, on one state of the store."""
        return self._tried(work, "REPEATABLE READ READ ONLY", whose, [], keep=False)

    def aside(self, work: Callable[[Connection], T]) -> T:
        """Run work outside a transaction, as the role that connected."""
        return self._retried(work)

    def _tried(self, work: Callable[[Session], T], level: str, whose: Whose, locks: list[str], *, keep: bool) -> T:
        return self._retried(
            lambda connection: self._transaction(
                connection, work, self._beginning(connection, level, whose, locks), keep=keep
            )
        )

    def _retried(self, work: Callable[[Connection], T]) -> T:
        for left in reversed(range(TRIES)):
            try:
                return self._lent(work)
            except _AGAIN as exc:
                if not left:
                    raise translation(exc, self.place) from None
                time.sleep(random.uniform(0, _LONGEST_PAUSE_SECONDS))  # or the same two meet again
            except LostError as exc:
                if exc.is_unknown or not left:
                    done = "it is not known whether this was done" if exc.is_unknown else "nothing was changed"
                    raise errors.StoreUnavailableError(
                        f"the connection to {self.place} was lost; {done}: try again", retry_after_seconds=1.0
                    ) from None
                self._let_go()  # others may have gone with it
            except psycopg.Error as exc:
                raise translation(exc, self.place) from None
            except UNREADABLE as exc:
                raise errors.StoreCorruptError(
                    f"{self.place}: a row makes no sense ({type(exc).__name__}); restore a backup"
                ) from exc
        raise AssertionError  # the last try has raised

    def _lent(self, work: Callable[[Connection], T]) -> T:
        if self._pid != os.getpid():
            raise errors.StoreError(f"{self.place} was opened before this process was forked; open it again here")
        connection = self._taken()
        try:
            return work(connection)
        except psycopg.Error:
            if connection.closed:
                raise LostError(is_unknown=False) from None
            raise
        finally:
            self._put(connection)

    def _taken(self) -> Connection:
        if not self._free.acquire(timeout=CONNECT_SECONDS):
            raise errors.StoreUnavailableError(
                f"all connections to {self.place} are in use; try again", retry_after_seconds=1.0
            )
        try:
            with self._lock:
                if self._idle:
                    return self._idle.pop()[0]
            return self._connected()
        except BaseException:
            self._free.release()
            raise

    def _connected(self) -> Connection:
        """A new one. A server that went is tried for a moment, for it may be starting anew, and then once a second."""
        while True:
            now = time.monotonic()
            until, why = self._refusal
            if now < until:
                raise errors.StoreUnavailableError(why, retry_after_seconds=_LEFT_ALONE_SECONDS)
            try:
                connection = connect(self._address, self.place)
            except errors.StoreUnavailableError as exc:
                now = time.monotonic()
                self._lost_at = now if self._lost_at is None else self._lost_at
                if now >= self._lost_at + _RESTART_SECONDS:
                    self._refusal = (now + _LEFT_ALONE_SECONDS, str(exc))
                    raise
                time.sleep(random.uniform(0.5, 1) * _RETRY_SECONDS)
            else:
                self._lost_at = None
                configure(connection)
                return connection

    def _put(self, connection: Connection) -> None:
        """Back among those at hand, if it is whole; those nobody used for long go."""
        now = time.monotonic()
        spare = [connection]
        with self._lock:
            if connection.pgconn.transaction_status == TransactionStatus.IDLE and not self._is_closed:
                self._idle.append((spare.pop(), now))
                if now - self._idle[0][1] > _IDLE_SECONDS:
                    spare.append(self._idle.pop(0)[0])
        self._free.release()
        for each in spare:
            each.close()

    def _let_go(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()

    def _transaction(self, connection: Connection, work: Callable[[Session], T], begin: bytes, *, keep: bool) -> T:
        session = Session(connection)
        with begun(connection, begin, keep=keep):
            result = work(session)
        if session.left_work and keep:
            self.on_work()
        return result

    @contextmanager
    def begun(self, connection: Connection) -> Iterator[None]:
        """A transaction nobody else writes beside."""
        with begun(connection, self._beginning(connection, "READ COMMITTED", None, locks_of(None, [None])), keep=True):
            yield

    def _beginning(self, connection: Connection, level: str, whose: Whose, locks: list[str]) -> bytes:
        escaped = Escaping(connection.pgconn).escape_literal
        reach, tenant, owner = "all", "", ""
        if isinstance(whose, Scope):
            reach, tenant, owner = "person", whose.tenant, whose.user
        elif whose is not None:
            reach, tenant = "tenant", whose
        said = {**self._fixed, "relembra.reach": reach, "relembra.tenant": tenant, "relembra.owner": owner}
        settings = b", ".join(
            b"set_config('%s', %s, true)" % (name.encode(), escaped(value.encode())) for name, value in said.items()
        )
        text = b"BEGIN ISOLATION LEVEL %s; SELECT %s" % (level.encode(), settings)
        return b"%s; SELECT %s" % (text, ", ".join(locks).encode()) if locks else text
