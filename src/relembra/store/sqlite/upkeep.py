"""Keeping house: counting, finding rows without vectors, and indexing anew for another analyzer."""

from __future__ import annotations

import contextlib
import ctypes
import math
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import apsw

from relembra.domain.scope import Scope
from relembra.domain.searchable import indexed_text, item_text, message_text, note_text
from relembra.errors import RelembraError, StoreUnavailableError
from relembra.minds.port import Analyzer
from relembra.store import rows
from relembra.store.port import Kind, Stats, Unembedded, Verification
from relembra.store.sqlite.connection import (
    BUSY_TIMEOUT_MS,
    SQL,
    UNREADABLE,
    beside,
    fetched,
    filled,
    first_value,
    make_private,
    translated,
)
from relembra.store.sqlite.search import add_terms, drop_terms

_EMBEDDED: dict[Kind, Callable[[Any], str]] = {Kind.ITEM: item_text, Kind.MESSAGE: message_text, Kind.NOTE: note_text}
"""The text a row is embedded by."""

BATCH = 500
FIRST: tuple[str, str, bytes] = ("", "", b"")
"""Before every row, in the order of tenant, owner and id."""


def model_names(db: apsw.Connection) -> list[str]:
    return [name for (name,) in fetched(db, SQL["model_names"])]


def drop_other_vectors(db: apsw.Connection, model: str) -> int:
    db.execute(SQL["drop_other_vectors"], (model,))
    dropped = db.changes()
    db.execute(SQL["drop_other_vector_slices"], (model,))
    db.execute(SQL["drop_other_models"], (model,))
    return dropped


def unindexed(db: apsw.Connection, *, limit: int) -> list[tuple[Scope, str]]:
    found = fetched(db, SQL["oldest_unindexed"], (max(0, limit),))
    return [(Scope(tenant, owner), rows.id_text(id)) for tenant, owner, id in found]


def unembedded(db: apsw.Connection, model: str, *, limit: int, after: Unembedded | None = None) -> list[Unembedded]:
    """By kind, tenant, owner and id."""
    number = first_value(db, SQL["model"], (model,)) or 0
    found: list[Unembedded] = []
    for kind in Kind:
        place = FIRST
        if after is not None:
            if rows.KIND_NUMBERS[kind] < rows.KIND_NUMBERS[after.kind]:
                continue
            if kind is after.kind:
                place = (after.scope.tenant, after.scope.user, rows.id_bytes(after.id))
        statement = filled("unembedded", table=rows.SEARCHED[kind].name, columns=rows.SEARCHED[kind].columns)
        values = (*place, number, rows.KIND_NUMBERS[kind], limit - len(found))
        for tenant, owner, *row in fetched(db, statement, values):
            scope = Scope(tenant, owner)
            found.append(
                Unembedded(scope, kind, rows.id_text(row[0]), _EMBEDDED[kind](rows.SEARCHED[kind].of(scope, row)))
            )
        if len(found) >= limit:
            break
    return found


def stats(db: apsw.Connection, scope: Scope | None, path: Path) -> Stats:
    person = ""
    values: tuple[str, ...] = ()
    if scope is not None:
        person, values = "WHERE tenant = ?1 AND owner = ?2", (scope.tenant, scope.user)

    def counted(name: str, **parts: str) -> dict[str, int]:
        return dict(fetched(db, filled(name, person=person, **parts), values))

    def count(name: str, **parts: str) -> int:
        return int(first_value(db, filled(name, person=person, **parts), values))

    return Stats(
        people=count("people"),
        conversations=count("count_rows", table="conversation"),
        messages=count("count_rows", table="message"),
        notes=count("count_rows", table="note"),
        items=counted("count_states"),
        items_by_type=counted("count_by", table="item", column="type"),
        items_by_area=counted("count_by", table="item", column="area"),
        vectors=counted("models"),
        jobs=counted("count_by", table="job", column="state"),
        bytes=_file_bytes(path) if scope is None else count("person_bytes"),
    )


def _file_bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in (path, beside(path)[0]) if file.exists())


def index_anew(db: apsw.Connection, analyzer: Analyzer) -> None:
    """Make the terms again that an analyzer of another version made; killed half-way, it goes on at the next start."""
    version = str(analyzer.version)
    if first_value(db, SQL["get_meta"], ("analyzer",)) == version:
        return
    for kind in Kind:
        place: tuple[str, str, bytes] | None = FIRST
        while place is not None:
            db.execute("BEGIN IMMEDIATE")
            try:
                place = _index_batch(db, kind, place, analyzer)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
    db.execute(SQL["set_meta"], ("analyzer", version))


def _index_batch(
    db: apsw.Connection, kind: Kind, place: tuple[str, str, bytes], analyzer: Analyzer
) -> tuple[str, str, bytes] | None:
    """Index some rows anew after a place; where to go on, None at the end."""
    table = rows.SEARCHED[kind].name
    statement = filled("every_row", table=table, columns=rows.SEARCHED[kind].columns, only="AND analyzer NOT IN (0, ?)")
    found = fetched(db, statement, (*place, analyzer.version, BATCH))
    for tenant, owner, _, length, *row in found:
        scope = Scope(tenant, owner)
        drop_terms(db, scope, kind, row[0], length, None)
        length = add_terms(
            db, scope, kind, row[0], Counter(analyzer.terms(indexed_text(rows.SEARCHED[kind].of(scope, row))))
        )
        db.execute(filled("set_length", table=table), (analyzer.version, length, tenant, owner, row[0]))
    return (found[-1][0], found[-1][1], found[-1][4]) if found else None


_MOST_PROBLEMS = 1_000
_UNIT_TOLERANCE = 1e-3

Slice = tuple[str, str, int]


class _Expected:
    """What the rows say the postings and counts of each person should be; some numbers a person, never rows."""

    def __init__(self) -> None:
        self.documents: Counter[Slice] = Counter()
        self.lengths: Counter[Slice] = Counter()
        self.postings: Counter[Slice] = Counter()


def verify(db: apsw.Connection, analyzer: Analyzer) -> Verification:
    """Read everything once, on one consistent state; problems beyond the first thousand are only counted."""
    checked: Counter[str] = Counter(rows=0, terms=0, vectors=0, unindexed=0)
    problems: list[str] = []
    more = 0
    try:
        for problem in _problems(db, analyzer, checked):
            if len(problems) < _MOST_PROBLEMS:
                problems.append(problem)
            else:
                more += 1
    except (apsw.Error, RelembraError, *UNREADABLE) as exc:  # a page, or a value in a row
        problems.append(f"what comes after could not be read: {exc or type(exc).__name__}")
    if more:
        problems.append(f"and {more} more")
    return Verification(dict(checked), tuple(problems))


def _problems(db: apsw.Connection, analyzer: Analyzer, checked: Counter[str]) -> Iterator[str]:
    yield from (f"file: {found}" for (found,) in db.execute("PRAGMA integrity_check") if found != "ok")
    expected = _Expected()
    for kind in Kind:
        yield from _row_problems(db, analyzer, kind, expected, checked)
    yield from _count_problems(db, expected)
    for tenant, owner, counted, held in db.execute(SQL["wrong_tallies"]):
        yield f"{tenant}/{owner} items: {counted} of a kind are tallied, not {held}"
    yield from _vector_problems(db, checked)
    for (id,) in db.execute(SQL["lost_successors"]):
        yield f"item {rows.id_text(id)} was superseded by an item that is not there"
    for buffer, message in db.execute(SQL["lost_buffered"]):
        yield f"message {rows.id_text(message)} of buffer {rows.id_text(buffer)} is not there"
    for (buffer,) in db.execute(SQL["stray_buffered"]):
        yield f"messages wait in buffer {rows.id_text(buffer)}, which is gone"
    for (buffer,) in db.execute(SQL["jobless_buffers"]):
        yield f"buffer {rows.id_text(buffer)} is open and has no job"
    for (id,) in db.execute(SQL["lost_unaccounted"]):
        yield f"message {rows.id_text(id)} is due to be accounted for and is not there"
    yield from _run_problems(db, checked)
    checked["buffers"] = first_value(db, filled("count_rows", table="buffer", person=""))
    checked["unindexed"] = first_value(db, SQL["count_unindexed"])


def _run_problems(db: apsw.Connection, checked: Counter[str]) -> Iterator[str]:
    """Whether every record can be read."""
    for tenant, owner, *row in db.execute(filled("every_run", columns=rows.RUNS.columns)):
        checked["runs"] += 1
        try:
            rows.RUNS.of(Scope(tenant, owner), row)
        except UNREADABLE as exc:
            yield f"run {rows.id_text(row[0])} cannot be read: {exc}"


def _row_problems(
    db: apsw.Connection, analyzer: Analyzer, kind: Kind, expected: _Expected, checked: Counter[str]
) -> Iterator[str]:
    """Whether every row's postings are those its text gives."""
    number = rows.KIND_NUMBERS[kind]
    for tenant, owner, version, length, *row in _every(db, kind):
        checked["rows"] += 1
        checked[f"{kind.value}s"] += 1
        if version == 0 and kind is Kind.MESSAGE:
            continue
        if version != analyzer.version:
            yield f"{kind} {rows.id_text(row[0])} was indexed by analyzer {version}, not {analyzer.version}"
            continue
        terms = Counter(analyzer.terms(indexed_text(rows.SEARCHED[kind].of(Scope(tenant, owner), row))))
        part: Slice = (tenant, owner, number)
        expected.documents[part] += 1
        expected.lengths[part] += terms.total()
        expected.postings[part] += len(terms)
        checked["terms"] += len(terms)
        values = (rows.to_json(terms), tenant, owner, number, row[0], terms.total())
        held = first_value(db, SQL["matching_postings"], values)
        if held != len(terms) or length != terms.total():
            yield f"{kind} {rows.id_text(row[0])} has other terms than its text"


def _every(db: apsw.Connection, kind: Kind) -> Iterator[rows.Row]:
    """All rows of a kind, a batch at a time."""
    statement = filled("every_row", table=rows.SEARCHED[kind].name, columns=rows.SEARCHED[kind].columns, only="")
    place = FIRST
    while found := fetched(db, statement, (*place, BATCH)):
        yield from found
        place = (found[-1][0], found[-1][1], found[-1][4])


def _count_problems(db: apsw.Connection, expected: _Expected) -> Iterator[str]:
    """Whether there are postings or counts no row accounts for."""
    held = {(tenant, owner, kind): count for tenant, owner, kind, count in db.execute(SQL["count_postings"])}
    for part in sorted({*held, *expected.postings}):
        if held.get(part, 0) != expected.postings[part]:
            yield f"{_name(part)}: {held.get(part, 0)} postings, not {expected.postings[part]}"
    counted = {part[:3]: part[3:] for part in db.execute(SQL["every_slice"])}
    for part in sorted({*counted, *expected.documents}):
        right = (expected.documents[part], expected.lengths[part])
        if tuple(counted.get(part, (0, 0))) != right:
            yield f"{_name(part)}: counted as {counted.get(part, (0, 0))}, not {right}"


def _name(part: Slice) -> str:
    tenant, owner, kind = part
    return f"{tenant}/{owner} {rows.KINDS.get(kind, kind)}s"


def _vector_problems(db: apsw.Connection, checked: Counter[str]) -> Iterator[str]:
    found: Counter[tuple[str, str, int, int]] = Counter()
    earlier: tuple[object, ...] = ()
    parts = 0
    for tenant, owner, model, kind, id, part, vector, dimensions, has_row in db.execute(SQL["every_vector"]):
        checked["vectors"] += 1
        found[tenant, owner, model, kind] += 1
        row = (tenant, owner, model, kind, id)
        parts = parts + 1 if row == earlier else 0
        earlier = row
        name = f"the vector of {rows.KINDS.get(kind, kind)} {rows.id_text(id)}"
        if part != parts:
            yield f"{name} is part {part}, where {parts} would come"
        if not has_row:
            yield f"{name}: there is no such row"
        if dimensions is None or len(vector) != dimensions * 4:
            yield f"{name} has {len(vector)} bytes, not {4 * (dimensions or 0)}"
        elif abs(math.hypot(*array("f", vector)) - 1.0) > _UNIT_TOLERANCE:
            yield f"{name} is not of unit length"
    counted = {(tenant, owner, model, kind): number for tenant, owner, model, kind, number in _vector_slices(db)}
    for tenant, owner, model, kind in sorted({*counted, *found}):
        held, right = counted.get((tenant, owner, model, kind), 0), found[tenant, owner, model, kind]
        if held != right:
            yield f"{_name((tenant, owner, kind))}: {held} vectors counted, not {right}"


def _vector_slices(db: apsw.Connection) -> list[tuple[str, str, int, int, int]]:
    return [(*row,) for row in fetched(db, SQL["every_vector_slice"])]


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
