"""Files read whole: backups, putting one in a store's place, and salvaging a damaged store."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from relembra.domain.scope import Scope
from relembra.errors import ConflictError, InvalidInputError, RelembraError, StoreCorruptError, StoreError
from relembra.minds.port import Analyzer
from relembra.store import rows
from relembra.store.port import Restored, Salvaged
from relembra.store.sql import text_of
from relembra.store.sql.accounts import IDENTITY
from relembra.store.sql.search import index_anew
from relembra.store.sqlite import connection


def backup(db: apsw.Connection, target: Path) -> int:
    """A compact copy of one moment, under its name only once it is whole and on disk."""
    if target.exists() or target.is_symlink():
        raise ConflictError(f"{target} exists already; name a new file for the backup", "file")
    with partial_file(target) as partial:
        db.execute("PRAGMA query_only = OFF")  # it forbids writing a copy as well
        db.execute("VACUUM INTO ?", (str(partial),))
        with _amended(partial) as copy:
            _end_what_was_open(copy)
        return _put_in_place(partial, target)


def archive(target: Path, tables: Iterable[tuple[str, Sequence[str], Iterable[Sequence[Any]]]]) -> int:
    """Write the tables of a store on another engine, which are the same, into a new file; its size."""
    if target.exists() or target.is_symlink():
        raise ConflictError(f"{target} exists already; name a new file for the backup", "file")
    with partial_file(target) as partial:
        with closing(connection.open_writer(partial, durability="normal", create=True)) as db:
            connection.make_store(db, partial)
            with connection.translated(partial, db), db.transaction():
                for table, columns, found in tables:
                    listed, marks = _listed(columns), _marks(columns)
                    db.many("put_salvaged", found, table=table, columns=listed, marks=marks)
                db.run("wind_clock")
                _end_what_was_open(db)
        return _put_in_place(partial, target)


def _put_in_place(partial: Path, target: Path) -> int:
    """Give a file that is whole its name; its size."""
    size = _flush(partial)
    try:
        os.link(partial, target)  # unlike a rename, refuses to replace a file that came up meanwhile
    except FileExistsError as exc:
        raise ConflictError(f"{target} exists already; name a new file for the backup", "file") from exc
    _flush(target.parent)
    return size


def _end_what_was_open(copy: connection.Connection) -> None:
    """Let nobody be signed in to a copy, and nothing be taken for its own that was kept elsewhere of the first."""
    copy.run("end_sessions")
    copy.run("set_meta", IDENTITY, secrets.token_hex(16))


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
                _end_what_was_open(copy)  # one copied by hand has some
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


_COPIED = (
    "conversation", "message", "note", "item", "case_file", "audit", "run", "unaccounted", "job", "buffer", "buffered",
    "use", "stamp", "access_key", "link", "block",
)  # fmt: skip
"""What cannot be made anew; terms, vectors, counts and views can."""

_DECODED = {table.name: table for table in rows.TABLES.values() if table.name in _COPIED and table is not rows.BUFFERS}
"""How a row is tried whose bytes may be wrong without the page being so."""

_BROKEN = (apsw.Error, RelembraError, *rows.UNREADABLE)
_NEVER_INDEXED = {"analyzer": -1, "length": 0}


def salvage(source: Path, target: Path, analyzer: Analyzer) -> Salvaged:
    """Write a new store with what can be read of a damaged one, which is never written; how many rows were, and not.

    A page that cannot be read is passed over from both sides, and what lies between two such pages is found by the keys
    that indexes hold.
    """
    source, target = source.expanduser().resolve(), target.expanduser().resolve()
    if not source.is_file():
        raise InvalidInputError(f"there is no file {source}", field="file")
    if target.exists():
        raise ConflictError(f"{target} exists already; name a new file for what is brought out", "file")
    read: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    with partial_file(target) as partial:
        with connection.translated(source), connection.opened_as_it_is(source) as damaged:
            _refuse_hopeless(damaged, source)
            with closing(connection.open_writer(partial, durability="normal", create=True)) as db:
                connection.make_store(db, partial)
                with db.transaction():
                    for table in _COPIED:
                        for row in _rows(damaged, db, table):
                            (read if row is not None and _put(db, table, row) else lost)[table] += 1
                _mend(db)
                index_anew(db, analyzer, db.transaction)
        _put_in_place(partial, target)
    return Salvaged(path=target, read=dict(read), lost=dict(lost))


def _refuse_hopeless(damaged: connection.Connection, path: Path) -> None:
    damaged.execute("PRAGMA cell_size_check = ON")
    damaged.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)  # or a file that lacks pages it counts is not read at all
    try:
        if not connection.is_store(damaged, path):
            raise StoreCorruptError(f"{path}: nothing can be brought out, for there is nothing in it")
    except (apsw.CorruptError, apsw.NotADBError) as exc:
        raise StoreCorruptError(f"{path}: nothing can be brought out, for its first page cannot be read") from exc


def _rows(damaged: connection.Connection, db: connection.Connection, table: str) -> Iterator[dict[str, Any] | None]:
    """Every row there is a key of; None for one that cannot be read or makes no sense."""
    described = db.rows(f'PRAGMA table_info("{table}")')
    columns = [str(name) for _, name, *_ in described]
    key = [str(name) for _, name, *_, place in sorted(described, key=lambda column: column[5]) if place]
    wanted = text_of("salvaged_row", table=table, columns=_listed(columns), key=_listed(key), marks=_marks(key))
    for found in _keys(damaged, db, table, key):
        try:
            values = dict(zip(columns, damaged.rows(wanted, *found)[0], strict=True))
            if (decoded := _DECODED.get(table)) is not None:
                decoded.of(Scope(values["tenant"], values["owner"]), [values[name] for name in decoded.names])
        except _BROKEN:
            yield None
        else:
            yield values


def _keys(
    damaged: connection.Connection, db: connection.Connection, table: str, key: Sequence[str]
) -> dict[tuple[Any, ...], None]:
    """The keys of a table, read along it and along each of its indexes, from both ends up to what cannot be read."""
    ways = [("NOT INDEXED", list(key))]
    for _, index, _, origin, is_partial in db.rows(f'PRAGMA index_list("{table}")'):
        if origin == "c" and not is_partial:
            order = [str(name) for _, _, name in db.rows(f'PRAGMA index_info("{index}")')]
            ways.append((f'INDEXED BY "{index}"', order))
    found: dict[tuple[Any, ...], None] = {}
    for way, order in ways:
        for turn in ("ASC", "DESC"):
            along = ", ".join(f'"{name}" {turn}' for name in order)
            with suppress(*_BROKEN):
                for row in damaged.each("salvaged_keys", table=table, key=_listed(key), way=way, along=along):
                    found.setdefault(tuple(row))
    return found


def _put(db: connection.Connection, table: str, values: dict[str, Any]) -> bool:
    if "analyzer" in values:
        values |= _NEVER_INDEXED
    try:
        db.run("put_salvaged", *values.values(), table=table, columns=_listed(values), marks=_marks(values))
    except (apsw.ConstraintError, apsw.MismatchError):
        return False
    return True


def _mend(db: connection.Connection) -> None:
    """Let nothing name what was lost."""
    lost = ("lost_successors", "jobless_buffers", "stray_buffered", "lost_buffered", "lost_unaccounted")
    names = (*lost, "wind_clock")
    db.execute(text_of("mend_salvaged", **{name: text_of(name) for name in names}))


def _marks(values: Sized) -> str:
    return ", ".join("?" * len(values))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
